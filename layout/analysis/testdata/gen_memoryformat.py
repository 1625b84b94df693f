#!/usr/bin/python3
"""Ask PyTorch for the memory format that it suggests for a tensor, and for the order of its dimensions.

usage: gen_memoryformat.py > memoryformat.json

The output of interpolate has the memory format that suggest_memory_format says of its input. dim_order came with
PyTorch 2.1; the order is taken from the strides that empty_like gives a tensor with gaps, which are made by the same
sort of the dimensions, and is left out where the tensor has none, or sizes of 1 leave it open.
"""
import json
import random

import torch

rng = random.Random("layoutcalc memory format")


def strides(sizes):
    rank = len(sizes)
    row_major, channels_last = list(range(rank)), [0] + list(range(2, rank)) + [1]
    order = rng.choice((row_major, channels_last, channels_last, rng.sample(row_major, rank)))
    result, step = [0] * rank, rng.choice((1, 1, 1, 2))
    for axis in reversed(order):
        result[axis] = step
        step *= max(sizes[axis], 1)
        if rng.random() < 0.1:
            step += rng.choice((1, 3))
    for axis, size in enumerate(sizes):
        if size == 1 and rng.random() < 0.2:
            result[axis] = rng.choice((0, 1, 77))
        elif rng.random() < 0.05:
            result[axis] = 0
    return result


def order(tensor):
    like = torch.empty_like(tensor)
    if 1 in tensor.shape or 0 in tensor.stride() or like.stride() == tensor.stride():
        return None
    return sorted(range(tensor.dim()), key=lambda i: -like.stride(i))


def case(sizes):
    steps = strides(sizes)
    span = 1 + sum((n - 1) * s for n, s in zip(sizes, steps))
    tensor = torch.zeros(span).as_strided(sizes, steps)
    out = torch.nn.functional.interpolate(tensor, size=(2, 3) if len(sizes) == 4 else (2, 3, 2))
    answer = {"sizes": sizes, "strides": steps}
    answer["channelsLast"] = out.stride(1) == 1 and out.stride(-1) == sizes[1]
    found = order(tensor)
    if found:
        answer["order"] = found
    return json.dumps(answer, separators=(",", ":"))


cases = [
    tuple(rng.choice(choice) for _ in range(rank))
    for rank, n, choice in ((4, 200, (1, 1, 2, 2, 3, 4)), (5, 120, (1, 1, 2, 2, 3, 4)), (4, 80, (2, 3)), (5, 80, (2, 3)))
    for _ in range(n)
]
print("[")
print(",\n".join(case(sizes) for sizes in cases))
print("]")
