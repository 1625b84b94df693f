#!/usr/bin/python3
"""Let NumPy move elements between layouts.

Layouts are read off the arrays' own strides and addresses. An axis in blocks is two axes of a
NumPy array. Sources hold the bytes (i*167 + (i>>8)*13 + 41) & 255.

usage: gen_moves.py > moves.json
"""
import json
import random
import zlib

import numpy as np
from numpy.lib.stride_tricks import as_strided

rng = random.Random("layoutcalc moves")

# Elements by their bits: those of 4 are moved as bytes and packed at the end.
TYPES = {4: "u1", 8: "u1", 16: "<f2", 32: "<f4", 64: "<i8", 128: "<c16"}
HEX = 96


def given(n):
    i = np.arange(n, dtype=np.int64)
    return ((i * 167 + (i >> 8) * 13 + 41) & 255).astype(np.uint8)


def source(bits, elements):
    """A one-dimensional array of elements, and the bytes that they are."""
    data = given((elements * bits + 7) // 8)
    if bits == 4:
        return np.stack([data & 15, data >> 4], 1).reshape(-1)[:elements], data
    return data.view(TYPES[bits]), data


def packed(store, bits):
    if bits != 4:
        return store.tobytes()
    whole = np.append(store, np.zeros(len(store) % 2, np.uint8)).reshape(-1, 2)
    return (whole[:, 0] | whole[:, 1] << 4).tobytes()


def side(store, view, groups=None):
    """The layout of a view of the store. Groups lists the view's axes that make up each axis."""
    axes = [[[view.shape[k], view.strides[k] // view.itemsize] for k in group]
            for group in groups or [[k] for k in range(view.ndim)]]
    base = view.__array_interface__["data"][0] - store.__array_interface__["data"][0]
    return {"base": base // view.itemsize if view.size else 0, "axes": axes}


def case(what, bits, data, sizes, source_side, store, target_side, swap=0):
    target = packed(store, bits)
    move = {"what": what, "bits": bits, "sizes": list(sizes), "source": len(data), "from": source_side,
            "to": target_side, "elements": len(store), "bytes": len(target)}
    if swap:
        move["swap"] = swap
    if len(target) <= HEX:
        move["hex"] = target.hex()
    else:
        move["crc32"] = zlib.crc32(target)
    return json.dumps(move, separators=(",", ":"))


def shape(most=4000, rank=None):
    sizes = []
    for _ in range(rank or rng.randint(1, 5)):
        n = rng.choice((1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65))
        sizes.append(min(n, max(1, most)))
        most //= sizes[-1]
    return sizes


def strides_of(sizes):
    """Strides of axes in any order with room between them, and the elements that they span."""
    strides, step = [0] * len(sizes), rng.choice((1, 1, 1, 2, 3))
    for axis in rng.sample(range(len(sizes)), len(sizes)):
        strides[axis] = step
        step = step * sizes[axis] + rng.choice((0, 0, 1, 5))
    return strides, step


def turned(view):
    """The view with some axes flipped."""
    return view[(..., *(slice(None, None, rng.choice((1, 1, -1))) for _ in view.shape))]


def strided_source(what, bits, sizes):
    """A view of the kind that is asked for, in a store of its own."""
    if what == "steps":
        steps = [rng.randint(1, 3) for _ in sizes]
        wide = [n * s + rng.randint(0, 2) for n, s in zip(sizes, steps)]
        store, data = source(bits, int(np.prod(wide)))
        view = store.reshape(wide, order=rng.choice("CF"))
        return store, data, turned(view[(..., *(slice(0, n * s, s) for n, s in zip(sizes, steps)))])
    if what == "windows":
        strides = [rng.randint(0, 3) for _ in sizes]
        step = sum((n - 1) * s for n, s in zip(sizes, strides)) + 1
    else:
        strides, step = strides_of(sizes)
    if what == "broadcast":
        strides = [rng.choice((0, s)) for s in strides]
    start = rng.choice((0, 0, 3))
    store, data = source(bits, start + step)
    width = store.itemsize
    view = as_strided(store[start:], sizes, [s * width for s in strides])
    return store, data, turned(view) if what == "flips" else view


def strided_target(what, sizes, dtype):
    """Zeros, and a view of them that a source can be assigned to."""
    if what == "packed":
        order = rng.sample(range(len(sizes)), len(sizes))
        store = np.zeros(int(np.prod(sizes)), dtype)
        return store, store.reshape([sizes[k] for k in order]).transpose(np.argsort(order))
    if what == "padded rows":
        wide = [n + rng.randint(0, 4) for n in sizes]
        store = np.zeros(int(np.prod(wide)), dtype)
        return store, store.reshape(wide)[(..., *(slice(0, n) for n in sizes))]
    strides, step = strides_of(sizes)
    start = rng.choice((0, 7))
    store = np.zeros(start + step + rng.choice((0, 4)), dtype)
    return store, turned(as_strided(store[start:], sizes, [s * store.itemsize for s in strides]))


def strided():
    for k in range(180):
        bits = list(TYPES)[k % 6]
        kind = ("packed", "steps", "windows", "broadcast", "flips")[k // 6 % 5]
        goal = ("packed", "padded rows", "flips")[k % 3]
        sizes = shape() if k % 20 else rng.choice(([], [3, 0, 2], [0]))
        store, data, view = strided_source(kind, bits, sizes)
        out, target = strided_target(goal, sizes, store.dtype)
        target[...] = view
        yield case(f"{kind} to {goal}", bits, data, sizes, side(store, view), out, side(out, target))


def swapped():
    """Big-endian sources: a complex number is two."""
    for k in range(30):
        bits = (16, 32, 64, 128)[k % 4]
        sizes = shape(600)
        store, data, view = strided_source(("packed", "steps", "broadcast")[k % 3], bits, sizes)
        out, target = strided_target(("packed", "padded rows")[k % 2], sizes, store.dtype)
        target[...] = view.byteswap()
        swap = min(bits // 8, 8)
        yield case("byteswap", bits, data, sizes, side(store, view), out, side(out, target), swap)


def blocked_array(bits, sizes, block, order, fresh):
    """A store whose channels lie in blocks, innermost: the array of six axes N, C/block, block,
    H, W, and its layout of four."""
    n, c, h, w = sizes
    outer = {"N": n, "C": -(-c // block), "H": h, "W": w}
    lengths = [outer[a] for a in order] + [block]
    elements = int(np.prod(lengths))
    store, data = (np.zeros(elements, TYPES[bits]), None) if fresh else source(bits, elements)
    axes = [order.index(a) for a in "NC"] + [4] + [order.index(a) for a in "HW"]
    array = store.reshape(lengths).transpose(axes)
    return store, data, array, side(store, array, [[0], [1, 2], [3], [4]])


def channels(array, c):
    """An array in blocks as N, C, H, W, without the blocks' padding."""
    n, outer, block, h, w = array.shape
    return array.reshape(n, outer * block, h, w)[:, :c]


def blocked():
    for k in range(90):
        bits = list(TYPES)[k % 6]
        block, other = rng.choice((4, 8, 16, 24, 3)), rng.choice((4, 8, 16, 32, 5))
        sizes = [rng.randint(1, 3), rng.choice((1, 3, 4, 15, 16, 17, 33, 40)), rng.randint(1, 6), rng.randint(1, 7)]
        padding = -sizes[1] % block
        if k % 3 == 0:
            store, data, view = strided_source("packed", bits, sizes)
            start = side(store, view)
        else:
            store, data, array, start = blocked_array(bits, sizes, other, "NCHW", False)
            view = channels(array, sizes[1])
        if k % 3 == 1:
            out, target = strided_target("packed", sizes, store.dtype)
            target[...] = view
            goal = side(out, target)
        else:
            out, _, array, goal = blocked_array(bits, sizes, block, rng.choice(("NCHW", "NHWC", "CNHW")), True)
            whole = np.pad(view, ((0, 0), (0, padding), (0, 0), (0, 0)))
            array[...] = whole.reshape(sizes[0], -1, block, *sizes[2:])
        yield case("blocks", bits, data, sizes, start, out, goal)


print("[")
print(",\n".join([*strided(), *swapped(), *blocked()]))
print("]")
