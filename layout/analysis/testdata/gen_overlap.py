#!/usr/bin/python3
"""Count by brute force what strided layouts occupy, and ask NumPy's exact solver whether two
elements overlap; the script stops when the two disagree.

usage: gen_overlap.py > overlap.json
"""
import collections
import itertools
import json
import random

from numpy.core._multiarray_tests import internal_overlap
import numpy as np

rng = random.Random("layoutcalc overlap")


def families():
    """Small strides that collide often, sparse ones that do rarely, and near misses."""
    for _ in range(150):
        rank = rng.randint(1, 5)
        yield sizes(rank, 6), [rng.randint(-6, 12) for _ in range(rank)]
    for _ in range(150):
        rank = rng.randint(2, 6)
        yield sizes(rank, 5), [rng.randint(5, 90) for _ in range(rank)]
    for _ in range(100):
        a, b = rng.randint(3, 20), rng.randint(3, 20)
        yield [b + rng.randint(-1, 1), a + rng.randint(-1, 1)], [a, b]
    for _ in range(100):
        yield spoilt(sizes(rng.randint(3, 5), 5))


def sizes(rank, most):
    return [rng.randint(1, most) for _ in range(rank)]


def spoilt(shape):
    """Packed in a random order, but for one stride."""
    strides, step = [0] * len(shape), 1
    for axis in rng.sample(range(len(shape)), len(shape)):
        strides[axis] = step
        step *= shape[axis]
    strides[rng.randrange(len(shape))] += rng.choice((-2, -1, 1, 2))
    return shape, strides


def overlaps(shape, strides):
    low = sum((n - 1) * s for n, s in zip(shape, strides) if s < 0)
    high = sum((n - 1) * s for n, s in zip(shape, strides) if s > 0)
    store = np.zeros(high - low + 1, np.int8)
    return internal_overlap(np.lib.stride_tricks.as_strided(store[-low:], shape, strides)) != 0


def case(shape, strides):
    elements = itertools.product(*map(range, shape))
    count = collections.Counter(sum(i * s for i, s in zip(index, strides)) for index in elements)
    unique = max(count.values()) == 1
    assert unique != overlaps(shape, strides), (shape, strides)
    answer = {"sizes": shape, "strides": strides, "low": min(count), "high": max(count),
              "distinct": len(count), "unique": unique, "worst": max(count.values())}
    return json.dumps(answer, separators=(",", ":"))


print("[")
print(",\n".join(case(*layout) for layout in families()))
print("]")
