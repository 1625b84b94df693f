"""Makes pairs.txt: pairs of a tensor and a storage, and the maps that fit, found by trying all with NumPy.

    python3 pairs.py > pairs.txt

Element k of a tensor is a hash of its seed and k, so that the test makes the same elements without NumPy. The columns:
seed, sizes, bytes of an element, kind of data, the order and the change that made the storage, its faults, its size in
bytes and CRC-32; then how many different maps fit, and the first: order, change, and whether its padding is 0.
"""
import itertools
import random
import zlib

import numpy as np

MASK = (1 << 64) - 1


def mix(seed, n):
    """Returns the hash of a seed and each number below n."""
    z = (np.arange(n, dtype=np.uint64) + np.uint64(seed * 1000003 & MASK)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return z ^ (z >> np.uint64(27))


def elements(seed, sizes, width, kind):
    n = int(np.prod(sizes))
    h = mix(seed, n)
    if kind == "constant":
        h = np.full(n, 7, np.uint64)
    elif kind == "zeros":  # nine of ten
        h = np.where(h % np.uint64(10) == 0, h >> np.uint64(5), np.uint64(0))
    elif kind == "nan":  # one of eight: the bits of a NaN of 4 bytes
        h = np.where(h % np.uint64(8) == 0, np.uint64(0x7FC00001), h)
    elif kind == "few":
        h = h >> np.uint64(62)
    elif kind == "one":  # a single element that is not 0
        h = np.where(np.arange(n) == seed * 31 % n, np.uint64(9), np.uint64(0))
    return h.astype("<u%d" % width).reshape(sizes)


def laid(a, order, change, fill):
    """Returns the storage of a tensor, with padding of a value."""
    kind, n = change
    if kind == "reversed":
        a = np.flip(a, n)
    if kind == "swapped":
        a = a.byteswap()
    if kind == "block":
        channel = channels(a.ndim)
        extra = -a.shape[channel] % n
        a = np.pad(a, [(0, extra if i == channel else 0) for i in range(a.ndim)], constant_values=fill)
        a = a.reshape(a.shape[:channel] + (a.shape[channel] // n, n) + a.shape[channel + 1:])
        a = np.moveaxis(a, channel + 1, -1)
        return a.transpose(tuple(order) + (a.ndim - 1,)).ravel()
    a = a.transpose(order)
    if kind in ("whole", "pitch"):
        long = [i for i in range(a.ndim) if a.shape[i] > 1]
        row = a.shape[long[-1]] if long else 1
        unit = max(n // a.dtype.itemsize, 1)
        a = a.reshape(-1, row)
        extra = -row % unit
        if extra == 0:
            return None
        a = np.pad(a, [(0, 0), (0, extra)], constant_values=fill).ravel()
        return a[:-extra] if kind == "pitch" else a
    return a.ravel()


def channels(rank):
    return 0 if rank == 3 else min(1, rank - 1)


def orders(sizes):
    long = [i for i, n in enumerate(sizes) if n > 1]
    for p in itertools.permutations(long):
        order = list(range(len(sizes)))
        for i, axis in zip(long, p):
            order[i] = axis
        yield order


def changes(sizes, width):
    yield ("plain", 0)
    if width > 1:
        yield ("swapped", 0)
    if sizes and sizes[channels(len(sizes))] > 1:
        yield from (("block", n) for n in (4, 8, 16, 32))
    for n in (16, 32, 64, 128, 256):
        yield ("whole", n)
        yield ("pitch", n)
    yield from (("reversed", i) for i, n in enumerate(sizes) if n > 1)


def fitting(a, b):
    """Returns the different maps under which b has all elements of a."""
    numbers = np.arange(a.size, dtype=np.int64).reshape(a.shape)
    seen, fit = set(), []
    for change in changes(a.shape, a.dtype.itemsize):
        for order in orders(a.shape):
            want = laid(a, order, change, 0)
            if want is None or want.size != b.size:
                continue
            if change[0] in ("whole", "pitch"):
                where = laid(numbers, order, (change[0], change[1] // a.dtype.itemsize * 8), -1)
            elif change[0] == "swapped":
                where = laid(numbers, order, ("plain", 0), -1)
            else:
                where = laid(numbers, order, change, -1)
            places = np.empty(a.size, np.int64)
            places[where[where >= 0]] = np.nonzero(where >= 0)[0]
            key = (change[0] == "swapped", places.tobytes())
            if key in seen:
                continue
            seen.add(key)
            if np.array_equal(want[where >= 0], b[where >= 0]):
                padding = b[where < 0]
                zero = "none" if padding.size == 0 else "zero" if not padding.any() else "other"
                fit.append((order, change, zero))
    return fit


def main():
    r = random.Random(20)
    comma = lambda list: ",".join(map(str, list)) or "-"
    for seed in range(1, 301):
        rank = r.choice([1, 2, 2, 3, 3, 4, 4, 4, 5, 6])
        most = {1: 90, 2: 24, 3: 12, 4: 7, 5: 4, 6: 3}[rank]
        sizes = [r.randint(1, most) for _ in range(rank)]
        if r.random() < 0.3:
            sizes[r.randrange(rank)] = 1
        if r.random() < 0.3 and rank > 1:
            sizes[0] = sizes[1]
        if r.random() < 0.3 and rank > 1:
            sizes[channels(rank)] = r.choice([8, 16, 17, 20])
        width = r.choice([1, 2, 4, 4, 8])
        kind = r.choice(["random", "random", "zeros", "nan", "few", "constant", "one"])
        order = r.choice(list(orders(sizes)))
        change = r.choice(list(changes(sizes, width)))
        fill = r.choice([0, 0, 5])
        fault = r.choice(["none", "none", "none", "last", "other"])
        a = elements(seed, sizes, width, kind)
        b = laid(a, order, change, fill)
        if b is None:
            change = ("plain", 0)
            b = laid(a, order, change, fill)
        b = b.copy()
        if fault == "last":
            b[-1] ^= b.dtype.type(1)
        if fault == "other":
            b = elements(seed + 1000, [b.size], width, kind)
        fit = fitting(a, b)
        first = fit[0] if fit else ([], ("none", 0), "none")
        print(seed, comma(sizes), width, kind, comma(order), *change, fill, fault, b.nbytes, zlib.crc32(b.tobytes()),
              len(fit), comma(first[0]), *first[1], first[2])


main()
