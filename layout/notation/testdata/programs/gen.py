#!/usr/bin/python3
"""Random programs with the answers of real PyTorch and NumPy: gen.py SEED COUNT > programs.txt

A line is the system, the program with its statements joined by ; and ends of lines as \\n, and then NAME SIZES STRIDES
BASE TYPE for each name at the end. Strides are in elements; those of axes of size 1 and of tensors without elements are
_ with NumPy, which does not define them. The base is _ where nothing says where the memory starts. A program that the
system refuses is not kept.
"""
import random, sys, warnings
import numpy as np
import torch

warnings.simplefilter("ignore")


def factors(r, n, k):
    sizes = []
    for _ in range(k - 1):
        sizes.append(r.choice([d for d in range(1, n + 1) if n % d == 0]))
        n //= sizes[-1]
    sizes.append(n)
    r.shuffle(sizes)
    return sizes


def joined(xs):
    return ", ".join(map(str, xs))


def tuple_of(xs):
    return "(%s,)" % xs[0] if len(xs) == 1 else "(%s)" % joined(xs)


def bounds(r, n, negative):
    show = lambda b: "" if b is None else str(b)
    start, stop = r.choice([None, 0, 1, -2]), r.choice([None, n - 1, n, -1])
    step = r.choice([None, None, 1, 2] + ([-1, -2] if negative else []))
    return f"{show(start)}:{show(stop)}" + ("" if step is None else f":{step}")


def item(r, t, negative):
    items = []
    for n in t.shape:
        k = r.random()
        items.append(str(r.randrange(n)) if k < 0.2 and n else bounds(r, n, negative) if k < 0.6 else ":")
    if r.random() < 0.3:
        items = items[:r.randint(0, len(items))] + ["..."]
    if r.random() < 0.3:
        items.insert(r.randint(0, len(items)), "None")
    return "[%s]" % joined(items or ["..."])


def torch_step(r, t):
    """A method, as text after a variable."""
    d, n = t.dim(), t.numel()
    axis = lambda: r.randrange(-d, d) if d else 0
    ops = [lambda: item(r, t, False), lambda: ".T" if d == 2 else ".clone()", lambda: ".contiguous()",
           lambda: f".reshape({joined(factors(r, n, r.randint(1, 3)))})" if n else ".detach()",
           lambda: f".view({joined(factors(r, n, r.randint(1, 3)))})" if n else ".clone()",
           lambda: f".unsqueeze({r.randrange(-d - 1, d + 1)})", lambda: ".squeeze()", lambda: ".flatten()",
           lambda: r.choice([".half()", ".float()", ".double()", ".int()", ".bool()", ".bfloat16()"]),
           lambda: r.choice([".to(torch.float16)", ".to(torch.int32)", ".clone()",
                             ".detach()", ".to(torch.float64, copy=True)", ".requires_grad_(False)"]),
           lambda: f".repeat({joined([1] * r.randint(0, 1) + [r.randint(1, 2) for _ in range(d)])})" if d else ".clone()",
           lambda: f".tile({joined(r.randint(1, 2) for _ in range(r.randint(1, d + 1)))})"]
    if d:
        p = r.sample(range(d), d)
        ops += [lambda: f".permute({joined(p)})", lambda: f".transpose({axis()}, {axis()})",
                lambda: f".movedim({axis()}, {axis()})", lambda: f".select({axis()}, 0)",
                lambda: f".flip({axis()})", lambda: f".roll({r.randint(0, 2)}, {axis()})" if d != 4 else ".clone()", lambda: f".squeeze({axis()})",
                lambda: f".narrow({axis()}, 0, 1)", lambda: f".chunk(2, {axis()})[0]",
                lambda: f".expand({joined([2] * r.randint(0, 1) + [r.choice([2, 1]) if s == 1 else s for s in t.shape])})",
                lambda: f".unfold({axis()}, 1, 1)", lambda: f".split(2, dim={axis()})[0]", lambda: f".unbind({axis()})[0]"]
        ops += [lambda: f".as_strided(({r.randint(1, 2)}, {r.randint(1, 2)}), ({r.randint(1, 2)}, 1){r.choice(['', ', 1', ', 0'])})",
                lambda: f".new_zeros({joined(r.randint(0, 3) for _ in range(r.randint(1, 3)))})",
                lambda: f".new_full(({r.randint(1, 3)}, 2), 1, dtype=torch.int16)", lambda: f".new_empty(({r.randint(1, 3)},))",
                lambda: f".squeeze(dim={axis()})", lambda: f".select(dim={axis()}, index=0)", lambda: ".flatten(end_dim=-1)"]
    if d >= 2:
        ops += [lambda: f".flatten({0}, {r.randint(0, d - 1)})", lambda: f".diagonal({r.randint(-1, 1)}, 0, 1)",
                lambda: f".rot90({r.randint(0, 3)}, (0, 1))", lambda: ".mT", lambda: f".swapaxes(0, {axis()})"]
    if d == 4:
        ops += [lambda: r.choice([".to(memory_format=torch.channels_last)", ".contiguous(memory_format=torch.channels_last)",
                                  ".clone(memory_format=torch.channels_last)",
                                  ".to(memory_format=torch.contiguous_format)"])] * 5
    return r.choice(ops)()


def numpy_step(r, t):
    d, n = t.ndim, t.size
    axis = lambda: r.randrange(-d, d) if d else 0
    order = lambda: r.choice(["", ", order='F'", ", order='A'", ", order='C'"])
    ops = [lambda: item(r, t, True), lambda: ".T", lambda: ".copy()", lambda: r.choice([".copy('F')", ".copy(order='K')"]),
           lambda: f".reshape({joined(factors(r, n, r.randint(1, 3)))}{order()})" if n else ".copy()",
           lambda: f".reshape({tuple_of(factors(r, n, r.randint(1, 3)))}{order()})" if n else ".copy()",
           lambda: ".squeeze()", lambda: r.choice([".flatten()", ".ravel()", ".ravel('K')", ".ravel('F')", ".flatten('F')"]),
           lambda: r.choice([".astype('f4')", ".astype(np.float16)", ".astype(int)", ".astype(np.int32, order='C')",
                             ".astype(float, copy=False)", ".astype(bool)", ".astype('<i2')"]),
           lambda: ".transpose()"]
    if d:
        p = r.sample(range(d), d)
        ops += [lambda: f".transpose({joined(p)})", lambda: f".transpose({tuple_of(p)})", lambda: f".swapaxes({axis()}, {axis()})",
                lambda: f".repeat({r.randint(1, 2)}, axis={axis()})", lambda: f".repeat({r.randint(1, 2)})"]
    if d >= 2:
        ops += [lambda: f".diagonal({r.randint(-1, 1)}, 0, 1)"]
    return r.choice(ops)()


def torch_call(r, t, x):
    """A function of a variable."""
    d, n = t.dim(), t.numel()
    axis = lambda: r.randrange(-d, d)
    ops = [f"torch.reshape({x}, {tuple_of(factors(r, n, r.randint(1, 3)))})" if n else f"torch.clone({x})",
           f"torch.flatten({x})", f"torch.squeeze({x})", f"torch.unsqueeze({x}, {r.randrange(-d - 1, d + 1)})",
           f"torch.empty_like({x})", f"torch.zeros_like({x}, dtype=torch.half)", f"torch.full_like({x}, 1)",
           f"torch.ones_like({x}, dtype=torch.int8)", f"torch.rand_like({x}, dtype=torch.float32)",
           f"torch.as_strided({x}, ({r.randint(1, 2)},), (1,))", f"torch.zeros({x}.shape)", f"torch.zeros(*{x}.shape, 2)",
           f"torch.empty({x}.size()[::-1])", f"torch.reshape({x}, (*{x}.shape[:-1], -1))", f"{x}.view(*{x}.shape[:1], -1)",
           f"{x}.reshape({x}.shape[{r.randrange(-d, d)}] if False else -1)" if False else f"torch.zeros({x}.shape[1:])", f"torch.clone({x})", f"torch.ravel({x})"]
    if d:
        p = r.sample(range(d), d)
        ops += [f"torch.transpose({x}, {axis()}, {axis()})", f"torch.permute({x}, {tuple_of(p)})", f"torch.flip({x}, [{axis()}])",
                f"torch.movedim({x}, {axis()}, {axis()})", f"torch.narrow({x}, 0, 0, 1)", f"torch.select({x}, {axis()}, 0)",
                f"torch.flip({x}, dims=({axis()},))", f"torch.transpose(torch.clone({x}), {axis()}, {axis()})",
                f"torch.chunk({x}, 2, {axis()})[0]", f"torch.roll({x}, 1, {axis()})" if d != 4 else f"torch.clone({x})", f"torch.tile({x}, (2,))"]
    return r.choice(ops)


def numpy_call(r, t, x):
    d, n = t.ndim, t.size
    axis = lambda: r.randrange(-d, d)
    ops = [f"np.reshape({x}, {tuple_of(factors(r, n, r.randint(1, 3)))})" if n else f"np.copy({x})", f"np.ravel({x})",
           f"np.squeeze({x})", f"np.expand_dims({x}, {r.randrange(-d - 1, d + 1)})", f"np.copy({x})", f"np.array({x})",
           f"np.full_like({x}, 1)", f"np.zeros({x}.shape[::-1])", f"np.empty((2, *{x}.shape))", f"np.array({x}, 'f4')",
           f"np.array({x}, dtype='i2', order='{r.choice('CFAK')}')", f"np.squeeze({x}, axis=None)", f"np.repeat({x}, 2, axis=None)",
           f"np.reshape({x}, (*{x}.shape[:-1], -1))", f"np.lib.stride_tricks.as_strided({x}, strides={x}.strides)" if False else f"np.copy({x}, order='C')",
           f"np.ascontiguousarray({x})", f"np.asfortranarray({x})", f"np.transpose({x})", f"np.empty_like({x})",
           f"np.zeros_like({x}, dtype='f4')", f"np.ones_like({x}, order='C')", f"np.ascontiguousarray({x}, dtype=np.float32)"]
    if d:
        p = r.sample(range(d), d)
        ops += [f"np.transpose({x}, {tuple_of(p)})", f"np.transpose({x}, axes={p})", f"np.moveaxis({x}, {axis()}, {axis()})",
                f"np.swapaxes({x}, {axis()}, {axis()})", f"np.flip({x}, {axis()})", f"np.flip({x})", f"np.flip({x}, axis={axis()})",
                f"np.roll({x}, 1, {axis()})", f"np.roll({x}, 1)", f"np.repeat({x}, 2, {axis()})", f"np.tile({x}, 2)",
                f"np.tile({x}, {tuple_of([r.randint(1, 2) for _ in range(d)])})", f"np.ascontiguousarray(np.flip({x}, {axis()}))",
                f"np.broadcast_to({x}, {tuple_of([2] + [r.choice([2, 1]) if s == 1 else s for s in t.shape])})",
                f"np.split({x}, 1, {axis()})[0]"]
    if d >= 2:
        ops += [f"np.rot90({x}, {r.randint(0, 3)})", f"np.rot90({x}, k=1, axes=(1, 0))", f"np.diagonal({x}, 1)"]
    return r.choice(ops)


def statement(r, system, names, space):
    x = r.choice(names)
    t, y = space[x], r.choice(["x", "y", "z"])
    d = len(t.shape)
    method, call = (torch_step, torch_call) if system == "torch" else (numpy_step, numpy_call)
    k = r.random()
    if k < 0.5:
        chain, u = "", t
        for _ in range(r.choice([1, 1, 2, 3])):
            step = method(r, u)
            chain += r.choice(["", "", "", " \\\n    "]) + step
            u = eval("u" + step, {"u": u, "torch": torch, "np": np})
        return r.choice([f"{y} = {x}{chain}", f"{y} = {x}{chain}", f"{y}: object = {x}{chain}", f"{y} = {r.choice('ab')} = {x}{chain}",
                         f"{y} = ({x}{chain})"])
    if k < 0.75:
        return f"{y} = {call(r, t, x)}"
    if k < 0.8:
        return f"{y} = {x}"
    if d == 0:
        return f"{y} = {x}"
    axis = r.randrange(d)
    if system == "torch":
        if k < 0.9:
            return x + r.choice([".t_()" if d == 2 else ".zero_()", f".transpose_({axis}, -1)", f".unsqueeze_({axis})",
                                 ".squeeze_()", f".squeeze_({axis})", f".swapaxes_(0, {axis})", ".fill_(1)"])
        n = t.shape[axis]
        return r.choice([f"a, b = {x}.chunk(2, dim={axis})", f"a, b = {x}.split([1, {n - 1}], {axis})",
                         f"{joined('abcdefgh'[:n])} = {x}.unbind({axis})" if 1 < n < 8 else f"a, b = torch.chunk({x}, 2, {axis})",
                         f"N = {x}.shape[{axis}]; y = {x}.reshape(N, -1)", f"s = {x}.size(); y = {x}.reshape(-1, s[0])"])
    n = t.shape[axis]
    return r.choice([f"{x}.shape = {tuple_of(factors(r, t.size, r.randint(1, 3)))}" if t.size else f"{x}.shape",
                     f"a, b = np.split({x}, 2, axis={axis})", f"a, b = np.split({x}, [1], axis={axis})",
                     f"N = {x}.shape[{axis}]; y = {x}.reshape(N, -1)", f"a, b = {x}[0], {x}[-1]", f"y = {x}[::-1, ...]"])


def first(r, system):
    sizes = [r.choice([1, 1, 2, 3, 4, 5]) for _ in range(r.choice([1, 2, 2, 3, 3, 4, 4]))]
    if system == "torch":
        return r.choice([f"x = torch.zeros({joined(sizes)})", f"x = torch.empty({tuple_of(sizes)}, dtype=torch.int8)",
                         f"x = torch.arange({np.prod(sizes)}).reshape({joined(sizes)})",
                         f"N = {sizes[0]}; x = torch.ones({joined(['N'] + sizes[1:])})",
                         f"x = torch.eye({sizes[0]}, {sizes[-1]})", f"x = torch.eye(n={sizes[0]})", f"x = torch.linspace(0, 1, {sizes[0]})",
                         f"x = torch.logspace(0, 1, steps={sizes[0]}, dtype=torch.float64)", f"x = torch.randint(9, {tuple_of(sizes)})",
                         f"x = torch.randint(low=0, high=9, size={tuple_of(sizes)}, dtype=torch.int16)", f"x = torch.randperm({sizes[0]})",
                         f"l = {sizes}; x = torch.zeros(*l)", f"l = {tuple_of(sizes)}; x = torch.zeros(l[::-1])",
                         f"x = torch.zeros({joined(f'{2 * n}//2' for n in sizes)})", f"x = torch.full({tuple_of(sizes)}, 1)",
                         f"x = torch.arange(1, {sizes[0] + 2}, step=2)"])
    return r.choice([f"x = np.zeros({tuple_of(sizes)})", f"x = np.empty({tuple_of(sizes)}, dtype='f4', order='F')",
                     f"x = np.arange({np.prod(sizes)}).reshape({joined(sizes)})", f"x = np.ones({tuple_of(sizes)}, np.uint8)",
                     f"x = np.eye({sizes[0]}, {sizes[-1]}, dtype='f4')", f"x = np.eye({sizes[0]}, order='F')", f"x = np.identity({sizes[0]})",
                     f"x = np.linspace(0, 1, {sizes[0]})", f"x = np.linspace(0, 1)", f"x = np.full({tuple_of(sizes)}, 1)",
                     f"x = np.random.randint(0, 9, {tuple_of(sizes)})", f"x = np.random.rand({joined(sizes)})",
                     f"x = np.arange({sizes[0]}, step=2)", f"l = {sizes}; x = np.zeros((*l, 2))",
                     f"x = np.lib.stride_tricks.as_strided(np.zeros(40, 'i2'), (2, {sizes[0]}), (4, 2))"])


def describe(t):
    if isinstance(t, torch.Tensor):
        strides, base, dtype = list(t.stride()), t.storage_offset(), str(t.dtype)[6:]
    else:
        own = t
        while isinstance(own.base, np.ndarray):
            own = own.base
        item = t.itemsize
        base = (t.__array_interface__["data"][0] - own.__array_interface__["data"][0]) // item if t.size else "_"
        strides, dtype = [s // item if n > 1 and t.size else "_" for n, s in zip(t.shape, t.strides)], str(t.dtype)
    text = lambda xs: ",".join(map(str, xs)) or "-"
    return f"{text(t.shape)} {text(strides)} {base} {dtype}"


def program(r):
    system = r.choice(["torch", "numpy"])
    lines, space = [first(r, system)], {"torch": torch, "np": np}
    exec(lines[0], space)
    tensor = torch.Tensor if system == "torch" else np.ndarray
    for _ in range(r.randint(1, 4)):
        names = [n for n in "xyzab" if isinstance(space.get(n), tensor)]
        line = statement(r, system, names, space)
        exec(line, space)
        lines.append(line)
    found = [n for n in "xyzabcdefgh" if isinstance(space.get(n), tensor)]
    if any(space[n].size > 4000 for n in found if system == "numpy") or any(len(space[n].shape) > 7 for n in found):
        return None
    return "\t".join([system, "; ".join(lines).replace("\n", "\\n")] + [f"{n} {describe(space[n])}" for n in found])


def main():
    r, kept = random.Random(int(sys.argv[1])), 0
    while kept < int(sys.argv[2]):
        try:
            line = program(r)
        except Exception:
            continue
        if line:
            kept += 1
            print(line)


main()
