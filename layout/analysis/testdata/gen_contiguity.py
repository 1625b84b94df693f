#!/usr/bin/python3
"""Ask PyTorch whether strided tensors are contiguous, channels_last, channels_last_3d.

usage: gen_contiguity.py > contiguity.json

Every shape of sizes 0-3 at rank 0-3, and a fixed sample of ranks 4 and 5. Strides follow a
random order of the axes; now and then one is spoilt, or that of a size-1 axis is absurd.
"""
import itertools
import json
import random

import torch

rng = random.Random("layoutcalc contiguity")


def shapes():
    for rank in range(4):
        yield from itertools.product(range(4), repeat=rank)
    for rank, count in ((4, 160), (5, 120)):
        for _ in range(count):
            yield tuple(rng.choice((0, 1, 1, 2, 2, 3, 4)) for _ in range(rank))


def order(rank):
    channels_last = [0] + list(range(2, rank)) + [1]
    row_major = list(range(rank))
    if rank < 2:
        return row_major
    return rng.choice((row_major, channels_last, channels_last, rng.sample(row_major, rank)))


def strides(sizes):
    result, step, zeros = [0] * len(sizes), 1, rng.random() < 0.5
    for axis in reversed(order(len(sizes))):
        result[axis] = step
        step *= sizes[axis] if zeros else max(sizes[axis], 1)
    for axis, size in enumerate(sizes):
        if size == 1 and rng.random() < 0.3:
            result[axis] = rng.choice((0, 1, 77))
        elif rng.random() < 0.05:
            result[axis] += 1
    return result


def case(sizes):
    steps = strides(sizes)
    span = 1 + sum((n - 1) * s for n, s in zip(sizes, steps) if n)
    tensor = torch.empty(max(span, 1)).as_strided(sizes, steps)
    answer = {"sizes": sizes, "strides": steps, "contiguous": tensor.is_contiguous()}
    if len(sizes) == 4:
        answer["channelsLast"] = tensor.is_contiguous(memory_format=torch.channels_last)
    if len(sizes) == 5:
        answer["channelsLast"] = tensor.is_contiguous(memory_format=torch.channels_last_3d)
    return json.dumps(answer, separators=(",", ":"))


print("[")
print(",\n".join(case(sizes) for sizes in shapes()))
print("]")
