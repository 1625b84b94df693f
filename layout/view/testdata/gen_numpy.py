#!/usr/bin/python3
"""Chains of steps with the answers of real NumPy: gen_numpy.py SEED COUNT > numpy.json

A case is the sizes of a fresh array and its steps; every last step has a negative step or is a flip, a diagonal or a
reshape of what has one. A step is [text, sizes, strides, base, kind], strides and base in elements. null stands for what
NumPy leaves open or settles otherwise than PyTorch, whom layoutcalc follows there: the base of arrays without elements,
the strides of axes of size 1 that None or reshape made, and those of a copy.
"""
import json, random, sys
import numpy as np


def joined(xs):
    return ",".join(map(str, xs))


def bound(r, n):
    return r.choice([None, r.randrange(-n - 3, n + 4), r.randrange(-n - 1, n + 1)])


def ranges(r, shape, steps):
    items = []
    for n in shape:
        k = r.random()
        if k < 0.15 and n:
            items.append(r.randrange(-n, n))
        elif k < 0.5:
            items.append(slice(None, None, r.choice(steps)))
        else:
            items.append(slice(bound(r, n), bound(r, n), r.choice(steps)))
    return items


def text_of(items):
    show = lambda b: "" if b is None else str(b)
    text = []
    for it in items:
        if isinstance(it, slice):
            text.append(f"{show(it.start)}:{show(it.stop)}" + ("" if it.step is None else f":{it.step}"))
        else:
            text.append("..." if it is ... else str(it))
    return "[" + ", ".join(text) + "]"


def negative(r, a):
    while True:
        items = ranges(r, a.shape, [None, 1, 2, -1, -1, -2, -3, -9])
        if any(isinstance(i, slice) and (i.step or 1) < 0 for i in items):
            break
    if r.random() < 0.3:
        items.insert(r.randint(0, len(items)), ...)
    if r.random() < 0.3:
        items.insert(r.randint(0, len(items)), None)
    b = a[tuple(items)]
    new = set()
    if None in items:  # an ellipsis stands for no axis here, and an index for none of the result
        new = {sum(isinstance(i, slice) for i in items[:items.index(None)])}
    return text_of(items), b, new


def flip(r, a):
    k = r.sample(range(-a.ndim, 0), r.randint(1, a.ndim))
    k = [x + a.ndim if r.random() < 0.5 else x for x in k]
    return f"flip({joined(k)})", np.flip(a, tuple(k)), set()


def diagonal(r, a):
    x, y = r.sample(range(a.ndim), 2); k = r.randint(-2, 2)
    return f"diagonal({k},{x},{y})", np.diagonal(a, k, x, y), set()


def reshape(r, a):
    n, sizes = a.size, []
    for _ in range(r.randint(0, 2)):
        sizes.append(r.choice([d for d in range(1, n + 1) if n % d == 0]))
        n //= sizes[-1]
    sizes.append(n)
    r.shuffle(sizes)
    b = a.reshape(sizes)
    return f"reshape({joined(sizes)})", b, {i for i, s in enumerate(sizes) if s == 1}


def plain(r, a):
    """A step that leaves positive strides and some elements."""
    if r.random() < 0.4:
        p = r.sample(range(a.ndim), a.ndim)
        return f"permute({joined(p)})", a.transpose(p), set()
    items = [slice(r.choice([None, 0, 1]), None, r.choice([None, 1, 2])) for _ in a.shape]
    b = a[tuple(items)]
    return (text_of(items), b, set()) if b.size else plain(r, a)


def case(r):
    a = np.zeros([r.randrange(1, 7) for _ in range(r.randint(1, 4))], np.int32)
    out, start = {"sizes": list(a.shape), "steps": []}, a.__array_interface__["data"][0]

    def record(text, b, new):
        copied = b.size > 0 and not np.shares_memory(a, b)
        strides = [None if i in new or copied else s // 4 for i, s in enumerate(b.strides)]
        base = (b.__array_interface__["data"][0] - start) // 4 if b.size and not copied else None
        out["steps"].append([text, list(b.shape), strides, base, "copy" if copied else "view"])
        return b

    b = a
    if r.random() < 0.6:
        b = record(*plain(r, b))
    b = record(*r.choice([negative, negative, flip])(r, b))
    if isinstance(b, np.ndarray) and b.ndim and None not in out["steps"][-1][2]:
        more = [flip, negative] + [reshape] * (b.size > 0) + [diagonal] * (b.ndim > 1)
        b = record(*r.choice(more)(r, b))
    return out


def main():
    r = random.Random(int(sys.argv[1]))
    cases = []
    while len(cases) < int(sys.argv[2]):
        try:
            cases.append(json.dumps(case(r), separators=(",", ":")))
        except AttributeError:  # an index on every axis: NumPy's scalars have no strides
            continue
    print('{"oracle":"NumPy %s","cases":[\n%s\n]}' % (np.__version__, ",\n".join(cases)))


main()
