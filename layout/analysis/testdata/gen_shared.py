#!/usr/bin/python3
"""Ask NumPy's shares_memory whether two strided arrays over one buffer share memory. The script stops when a count of
the bytes of small arrays disagrees.

usage: gen_shared.py > shared.json
"""
import itertools
import json
import random

import numpy as np

rng = random.Random("layoutcalc shared")
TYPES = {"i8": np.int8, "f16": np.float16, "f32": np.float32, "f64": np.float64}
SMALL = 1 << 20
store = np.zeros(SMALL, np.int8)


def small(gap):
    """An array of up to four axes; with a gap, all strides are multiples of it."""
    rank = rng.randint(0, 4)
    return (rng.choice(list(TYPES)), rng.randint(0, 40), [rng.randint(1, 5) for _ in range(rank)],
            [gap * rng.randint(-4, 12) for _ in range(rank)])


def large():
    """Windows of one matrix and interleaved slices, too large to count."""
    rows, columns = rng.randint(10**5, 10**6), rng.randint(10**3, 10**4)
    cut, step = rng.randint(1, columns - 1), rng.randint(2, 5)
    yield ("f32", 0, [rows, cut], [columns, 1]), ("f32", cut, [rows, columns - cut], [columns, 1])
    yield ("f32", 0, [rows, cut + 1], [columns, 1]), ("f32", cut, [rows, columns - cut], [columns, 1])
    yield ("f32", 0, [rows], [step]), ("f32", 1, [rows], [step])
    yield ("f16", 0, [rows, columns // step], [columns, step]), ("f16", step - 1, [rows, columns // step],
                                                                 [columns, step])
    yield ("f64", columns, [rows, cut], [2 * columns, 1]), ("f32", 0, [rows, columns], [4 * columns, 1])
    yield ("i8", 0, [rows], [2 * columns]), ("i8", 1, [rows], [2 * cut + 1])
    yield ("f32", 0, [cut, 8], [1, columns]), ("f32", 8 * columns, [cut, 8], [1, -columns])


def array(description):
    kind, base, sizes, strides = description
    width = np.dtype(TYPES[kind]).itemsize
    start = store[SMALL // 2:SMALL // 2 + width].view(TYPES[kind])
    strides = [s * width for s in strides]
    moved = np.lib.stride_tricks.as_strided(start, [2], [base * width])[1:]
    return np.lib.stride_tricks.as_strided(moved, sizes, strides)


def covered(description):
    kind, base, sizes, strides = description
    width = np.dtype(TYPES[kind]).itemsize
    starts = [width * (base + sum(i * s for i, s in zip(index, strides)))
              for index in itertools.product(*map(range, sizes))]
    return {start + i for start in starts for i in range(width)}


def case(a, b, counted):
    shares = bool(np.shares_memory(array(a), array(b)))
    assert not counted or shares == bool(covered(a) & covered(b)), (a, b)
    sides = [dict(zip(("type", "base", "sizes", "strides"), side)) for side in (a, b)]
    return json.dumps({"a": sides[0], "b": sides[1], "shares": shares}, separators=(",", ":"))


lines = []
for gap in (1, 1, 2, 3, 6):
    lines += [case(small(gap), small(gap), True) for _ in range(60)]
for _ in range(6):
    lines += [case(a, b, False) for a, b in large()]
for size in 10**8, 10**9:  # strides without a common divisor
    lines.append(case(("i8", 0, [size], [10**9 + 7]), ("i8", 1, [size], [10**9 + 9]), False))
print("[")
print(",\n".join(lines))
print("]")
