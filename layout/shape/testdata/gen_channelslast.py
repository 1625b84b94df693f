#!/usr/bin/env python3
"""Strides of fresh channels_last tensors, sizes of 0 included, from PyTorch. usage: gen_channelslast.py"""
import itertools, json
import torch

cases = []
for rank, fmt in ((4, torch.channels_last), (5, torch.channels_last_3d)):
    for sizes in itertools.product([0, 1, 2, 3], repeat=rank):
        if rank == 5 and sum(sizes) % 3:
            continue
        t = torch.empty(sizes, memory_format=fmt)
        cases.append({"sizes": list(sizes), "strides": list(t.stride())})
print('{"oracle":"PyTorch %s","cases":[' % torch.__version__)
print(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases))
print("]}")
