"""Times the arithmetic of pycute and tensor-layouts, written anew: the figures in docs/performance.md to compare with.

crd2idx walks nested shapes and strides; a swizzle is a function over it; who holds an element is a table of all
threads and values, turned round; the wavefronts of a phase are the largest set of words of a bank.
"""
import time


def crd2idx(crd, shape, stride):
    if isinstance(shape, tuple):
        if isinstance(crd, int):
            total = 0
            for s, d in zip(shape, stride):
                size = product(s)
                total += crd2idx(crd % size, s, d)
                crd //= size
            return total
        return sum(crd2idx(c, s, d) for c, s, d in zip(crd, shape, stride))
    return crd * stride


def product(shape):
    if not isinstance(shape, tuple):
        return shape
    total = 1
    for s in shape:
        total *= product(s)
    return total


def swizzle(bits, base, shift):
    mask = ((1 << bits) - 1) << (base + shift)
    return lambda x: x ^ ((x & mask) >> shift)


def best(run, n):
    least = float("inf")
    for _ in range(n):
        start = time.perf_counter()
        run()
        least = min(least, time.perf_counter() - start)
    return least


def holders():
    shape, stride = ((4, 8, 4, 2), (4, 4, 8)), ((512, 1, 8, 2048), (128, 32, 4096))
    threads, values = product(shape[0]), product(shape[1])
    table = {}
    for thread in range(threads):
        for value in range(values):
            table.setdefault(crd2idx((thread, value), shape, stride), []).append((thread, value))
    return table


def wavefronts(s, lanes):
    total = 0
    for first in range(0, len(lanes), 8):
        words = [set() for _ in range(32)]
        for lane in lanes[first:first + 8]:
            for word in range(s(lane) // 2, s(lane) // 2 + 4):
                words[word % 32].add(word)
        total += max(map(len, words))
    return total


def search():
    requests = [[(row + lane) * 64 + column for lane in range(32)] for row in range(0, 128, 32) for column in range(0, 64, 8)]
    requests += [[row * 64 + 8 * lane for lane in range(8)] for row in range(128)]
    return sum(wavefronts(swizzle(3, 3, 3), lanes) for lanes in requests)


if __name__ == "__main__":
    s, many = swizzle(3, 3, 3), range(100_000)
    print("offset of (100, 200): %.0f ns" % (best(lambda: [crd2idx((100, 200), (512, 512), (512, 1)) for _ in many], 5) * 1e4))
    print("the same, swizzled: %.0f ns" % (best(lambda: [s(crd2idx((100, 200), (512, 512), (512, 1))) for _ in many], 5) * 1e4))
    print("holders of a tile of 128x256: %.0f ms" % (best(holders, 3) * 1e3))
    print("wavefronts of one swizzle, 128x64 float16: %.1f ms" % (best(search, 3) * 1e3))
