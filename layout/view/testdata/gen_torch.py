#!/usr/bin/python3
"""Chains of steps with the answers of real PyTorch: gen_torch.py SEED COUNT > torch.json

A case is the sizes of a fresh tensor and its steps. A step is [text, sizes, strides, base, words]: the words are
view or copy, contiguous, channels_last (rank 4 or 5). A step that PyTorch refuses is [text] alone, and changes nothing.
"""
import json, math, random, sys, warnings
import torch

warnings.simplefilter("ignore")
FORMATS = {4: ("channels_last", torch.channels_last), 5: ("channels_last_3d", torch.channels_last_3d)}


def joined(xs):
    return ",".join(map(str, xs))


def axis(r, d):
    return r.randrange(-d, d)


def axes(r, d, k):
    return [a - d if r.random() < 0.4 else a for a in r.sample(range(d), k)]


def bound(r, n):
    return r.choice([None, None, r.randrange(-n - 3, n + 4), r.randrange(-n, n + 1)])


def slicing(r, t):
    items = []
    for n in t.shape[:r.randint(0, t.dim())] if r.random() < 0.3 else t.shape:
        k = r.random()
        if k < 0.2 and n > 0:
            items.append(r.randrange(-n, n))
        elif k < 0.8:
            items.append(slice(bound(r, n), bound(r, n), r.choice([None, None, 1, 2, 3, 9])))
        else:
            items.append(slice(None))
    if r.random() < 0.4:  # in place of any of the items
        a = r.randint(0, len(items))
        items[a:r.randint(a, len(items))] = [...]
    for _ in range(r.choice([0, 0, 0, 1, 1, 2, 3])):
        items.insert(r.randint(0, len(items)), None)
    if not items:
        items = [...]
    show = lambda b: "" if b is None else str(b)
    text = []
    for it in items:
        if isinstance(it, slice):
            text.append(f"{show(it.start)}:{show(it.stop)}" + ("" if it.step is None else f":{it.step}"))
        else:
            text.append("..." if it is ... else str(it))
    return "[" + ", ".join(text) + "]", lambda: t[tuple(items)]


def factors(r, n, k):
    if n == 0:
        sizes = [r.choice([1, 2, 3, 5]) for _ in range(k)]
        sizes[r.randrange(k)] = 0
        return sizes
    sizes = []
    for _ in range(k - 1):
        sizes.append(r.choice([d for d in range(1, n + 1) if n % d == 0]))
        n //= sizes[-1]
    sizes.append(n)
    r.shuffle(sizes)
    return sizes


def wanted(r, n, k):
    """Sizes of k axes whose product is n, one of them perhaps as -1."""
    sizes = factors(r, n, k)
    i = r.randrange(k)
    if r.random() < 0.4 and math.prod(sizes[:i] + sizes[i + 1:]) > 0:
        sizes[i] = -1
    return sizes


def strided(r, t):
    k = r.randrange(4)
    sizes, strides = [r.randrange(0 if r.random() < 0.1 else 1, 4) for _ in range(k)], [r.randrange(0, 7) for _ in range(k)]
    text = f"as_strided(({joined(sizes)}),({joined(strides)})"
    if r.random() < 0.5:
        return text + ")", lambda: t.as_strided(sizes, strides)
    base = r.randrange(0, 9)
    return f"{text},{base})", lambda: t.as_strided(sizes, strides, base)


def step(r, t):
    d, n = t.dim(), t.numel()
    ops = ["slice", "slice", "unsqueeze", "squeeze all", "expand", "reshape", "view", "view", "ravel", "T", "contiguous", "permute", "flatten all"]
    if r.random() < 0.2:
        ops += ["as_strided"] * 3
    if d >= 1:
        ops += ["squeeze", "narrow", "select", "unfold", "flatten", "unflatten", "unflatten", "movedims"]
    if d >= 2:
        ops += ["transpose", "swapaxes", "mT", "movedim", "movedims", "diagonal"]
    if d in FORMATS:
        ops += ["format"] * 3
    op = r.choice(ops)
    if op == "slice":
        return slicing(r, t)
    if op == "unsqueeze":
        a = r.randrange(-d - 1, d + 1)
        return f"unsqueeze({a})", lambda: t.unsqueeze(a)
    if op == "squeeze all":
        return "squeeze()", lambda: t.squeeze()
    if op == "expand":
        name = r.choice(["expand", "broadcast_to"])
        sizes = [r.choice([-1, n]) if n != 1 or r.random() < 0.3 else r.choice([0, 1, 2, 3]) for n in t.shape]
        sizes = [r.choice([1, 1, 2, 3]) for _ in range(r.choice([0, 0, 1, 2]))] + sizes
        if name == "broadcast_to":
            sizes = [n if s == -1 else s for s, n in zip(reversed(sizes), list(reversed(t.shape)) + [1, 1])][::-1]
        return f"{name}({joined(sizes)})", lambda: getattr(t, name)(sizes)
    if op in ("reshape", "view"):
        sizes = wanted(r, n, r.randint(1, 4)) if n != 1 or r.random() < 0.7 else []
        return f"{op}({joined(sizes)})", lambda: getattr(t, op)(sizes)
    if op == "ravel":
        return "ravel()", lambda: t.ravel()
    if op == "T":
        return "T", lambda: t.T
    if op == "mT":
        return "mT", lambda: t.mT
    if op == "contiguous":
        return "contiguous()", lambda: t.contiguous()
    if op == "permute":
        p = axes(r, d, d)
        return f"permute({joined(p)})", lambda: t.permute(p)
    if op == "flatten all":
        return "flatten()", lambda: t.flatten()
    if op == "as_strided":
        return strided(r, t)
    if op == "squeeze":
        a = axis(r, d)
        return f"squeeze({a})", lambda: t.squeeze(a)
    if op == "narrow":
        a = axis(r, d); size = t.shape[a]; s = r.randint(0, size); k = r.randint(0, size - s)
        if s < size and r.random() < 0.3:
            s -= size
        return f"narrow({a},{s},{k})", lambda: t.narrow(a, s, k)
    if op == "select":
        a = axis(r, d); i = r.randint(-t.shape[a] - 1, t.shape[a])
        return f"select({a},{i})", lambda: t.select(a, i)
    if op == "unfold":
        a = axis(r, d); w = r.randint(0, t.shape[a] + 1); s = r.randint(1, 3)
        return f"unfold({a},{w},{s})", lambda: t.unfold(a, w, s)
    if op == "flatten":
        a, b = sorted((r.randrange(d), r.randrange(d)))
        a, b = r.choice([a, a - d]), r.choice([b, b - d])
        return f"flatten({a},{b})", lambda: t.flatten(a, b)
    if op == "unflatten":
        a = axis(r, d); sizes = wanted(r, t.shape[a], r.randint(1, 3))
        return f"unflatten({a},({joined(sizes)}))", lambda: t.unflatten(a, sizes)
    if op in ("transpose", "swapaxes"):
        a, b = axis(r, d), axis(r, d)
        return f"{op}({a},{b})", lambda: getattr(t, op)(a, b)
    if op == "movedim":
        a, b = axis(r, d), axis(r, d)
        return f"movedim({a},{b})", lambda: t.movedim(a, b)
    if op == "movedims":
        k = r.randint(1, d); a, b = axes(r, d, k), axes(r, d, k)
        return f"movedim(({joined(a)}),({joined(b)}))", lambda: t.movedim(a, b)
    if op == "diagonal":
        a, b = axes(r, d, 2); k = r.randint(-3, 3)
        return f"diagonal({k},{a},{b})", lambda: t.diagonal(k, a, b)
    name, form = FORMATS[d]
    return f"contiguous({name})", lambda: t.contiguous(memory_format=form)


def describe(u, old):
    words = ["copy" if u.numel() and u.storage().data_ptr() != old.storage().data_ptr() else "view"]
    words += ["contiguous"] * u.is_contiguous()
    if u.dim() in FORMATS:
        words += ["channels_last"] * u.is_contiguous(memory_format=FORMATS[u.dim()][1])
    return [list(u.shape), list(u.stride()), u.storage_offset(), " ".join(words)]


def case(r):
    zero = r.random() < 0.25
    sizes = [r.choice([0, 1, 2, 3] if zero else [1, 1, 2, 2, 3, 4, 5]) for _ in range(r.choices(range(6), [2, 2, 3, 4, 6, 5])[0])]
    t, steps = torch.empty(sizes), []
    while len(steps) < r.randint(2, 5):
        text, act = step(r, t)
        try:
            u = act()
        except (RuntimeError, IndexError):
            steps.append([text])
            continue
        if u.dim() > 7 or u.numel() > 20000:
            continue
        steps.append([text] + describe(u, t))
        t = u
    return {"sizes": sizes, "steps": steps}


def main():
    r = random.Random(int(sys.argv[1]))
    cases = [json.dumps(case(r), separators=(",", ":")) for _ in range(int(sys.argv[2]))]
    print('{"oracle":"PyTorch %s","cases":[\n%s\n]}' % (torch.__version__, ",\n".join(cases)))


main()
