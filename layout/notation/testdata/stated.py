"""Prints tensors of PyTorch 1.13 and NumPy 1.24 in the forms of logs and prints, with what they are: the lines of stated.txt.

    /usr/bin/python3 stated.py > stated.txt
"""

import json
import random

import numpy as np
import torch

random.seed(28)
names = ["x", "q", "key", "hidden_states", "conv1.weight", "layer.0.attn.k_proj", "out", "grad_input"]
dtypes = ["float32", "float16", "bfloat16", "int64", "uint8", "bool", "complex64"]


def line(text, want):
    print(json.dumps(text), want, sep="\t")


def said(name, dtype, sizes, strides, base=0):
    numbers = lambda v: ",".join(map(str, v))
    return f"{name} {dtype + ' ' if dtype else ''}{numbers(sizes)} @ {numbers(strides)}" + (f" + {base}" if base else "")


def torch_tensor():
    sizes = [random.choice([1, 2, 3, 4, 5, 8, 16]) for _ in range(random.randint(1, 4))]
    x = torch.zeros(sizes, dtype=getattr(torch, random.choice(dtypes)))
    x = x.permute(random.sample(range(x.dim()), x.dim()))
    if random.random() < 0.3:
        axis = random.randrange(x.dim())
        x = x.narrow(axis, x.size(axis) - 1, 1) if random.random() < 0.5 else x.unfold(axis, 1, 1).squeeze(-1)
    if random.random() < 0.2:
        x = x.unsqueeze(0).expand(3, *x.shape)
    return x


forms = [
    ("n", "{n}: {x.shape} {s}"), ("n", "{n}: {x.shape}, {s}"), ("n", "{n} {x.shape} {s}"), ("n", "{n}.shape {x.shape} {s}"),
    ("nd", "{n}: {x.shape} {s} {x.dtype} {c}"), ("nd", "{n} {s0} {x.dtype} {x.device} {c}"), ("d", "{x.dtype} {x.shape} {s}"),
    ("", "{x.shape} {s} {c}"), ("d", "({x.shape}, {s}, {x.dtype})"), ("d", "Shape: {x.shape}, Stride: {s}, Dtype: {x.dtype}"),
    ("", "Size:    {x.shape}\nStrides: {s}"), ("o", "shape={x.shape}, stride={s}, offset={o}"),
    ("n", "{n}.shape {x.shape}\n{n}.stride {s}\n{n}.is_contiguous() {c}"), ("n", "log:{n} {x.shape}\nlog:{n}.stride {s}"),
    ("n", ">>> {n}.size()\n{x.shape}\n>>> {n}.stride()\n{s}\n"), ("n", "In [1]: {n}.shape\nOut[1]: {x.shape}\n\nIn [2]: {n}.stride()\nOut[2]: {s}\n"),
    ("n", "print({n}.size(),{n}.stride())   # {x.shape} {s}"), ("nd", "2024-05-01 12:30:45,123 INFO {n}: {x.shape} {s} {x.dtype}"),
    ("nd", "[rank0]: INFO 05-01 12:30:45 [model.py:12] {n} shape {t} stride {s} {x.dtype}"), ("nd", "{n} shape {t} strides {s} {x.dtype}"),
    ("d", "{{'shape': {x.shape}, 'stride': {s}, 'dtype': {x.dtype}}}"), ("nd", "{{'{n}': {{'shape': {t}, 'stride': {s}, 'dtype': {x.dtype}}}}}"),
    ("nd", "{n}.shape={x.shape} {n}.stride()={s} {n}.dtype={x.dtype}"), ("o", "RuntimeError('setStorage: sizes {l}, strides {m}, storage offset {o}')"),
]
for holds, form in forms:
    for _ in range(6):
        x, n = torch_tensor(), random.choice(names)
        t, s = tuple(x.shape), x.stride()
        text = form.format(x=x, n=n, s=s, t=t, l=list(t), m=list(s), o=x.storage_offset(), c=x.is_contiguous(), s0=f"{x.shape} {s}")
        line(text, said(n if "n" in holds else "", str(x.dtype)[6:] if "d" in holds else "", t, s, x.storage_offset() if "o" in holds else 0))

forms = [
    ("n", "{n}.shape={a.shape}, {n}.strides={a.strides}, {n}.dtype={a.dtype!r}"), ("", "shape={a.shape}, strides={a.strides}, dtype={a.dtype}"),
    ("n", "{n}: shape {a.shape}, strides {a.strides}, dtype {a.dtype}"), ("", "Shape: {a.shape}, Strides: {a.strides}, dtype: {a.dtype}"),
    ("n", "{n} {a.shape} {a.strides} {a.dtype}"), ("", "({a.shape}, {a.strides}, {a.dtype!r})"),
    ("", "memoryview: format='{k}', itemsize={a.itemsize}, shape={a.shape}, strides={a.strides}"),
    ("", '{{"shape": {l}, "strides": {m}, "dtype": "{a.dtype.str}"}}'), ("n", ">>> {n}.shape\n{a.shape}\n>>> {n}.strides\n{a.strides}\n>>> {n}.dtype\n{a.dtype!r}\n"),
]
for holds, form in forms:
    for _ in range(6):
        a = np.zeros([random.choice([2, 3, 4, 5, 8]) for _ in range(random.randint(2, 4))], random.choice(["f4", "f8", "i2", "i8", "c8"]))
        a = a.transpose(random.sample(range(a.ndim), a.ndim))
        if random.random() < 0.4:
            a = a[..., ::-1]
        n = random.choice(names)
        text = form.format(a=a, n=n, l=list(a.shape), m=list(a.strides), k={"f": "f", "d": "d", "h": "h", "l": "l", "F": "F"}[a.dtype.char])
        line(text, said(n if holds else "", str(a.dtype), a.shape, [s // a.itemsize for s in a.strides]))
