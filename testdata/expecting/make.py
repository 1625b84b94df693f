"""Makes the files of this directory with the library onnx (1.12, Debian's python3-onnx) and NumPy: python3 make.py.

detector.onnx has an open batch; fixed.onnx is the same with a batch of 1, another opset, an operator of another domain
and an output of another name. The files in exports have the weights of two layers, in float16 and, in one of them, in
float32.
"""
import json
import struct

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def detector(name, batch, opset, output, domains):
    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, [batch, 3, 32, 32])
    scores = helper.make_tensor_value_info(output, TensorProto.FLOAT, [batch, 10])
    weight = numpy_helper.from_array(np.zeros((4, 3, 32, 32), np.float32), "conv.weight")
    head = numpy_helper.from_array(np.zeros((4, 10), np.float32), "head.weight")
    nodes = [helper.make_node("Conv", ["image", "conv.weight"], ["features"], kernel_shape=[32, 32]),
             helper.make_node("Flatten", ["features"], ["flat"]),
             helper.make_node("MatMul", ["flat", "head.weight"], [output if not domains else "product"])]
    if domains:
        nodes.append(helper.make_node("Gelu", ["product"], [output], domain="com.microsoft"))
    graph = helper.make_graph(nodes, name, [image], [scores], [weight, head])
    opsets = [helper.make_opsetid(d, v) for d, v in [("", opset)] + domains]
    m = helper.make_model(graph, producer_name="layoutcalc-tests", opset_imports=opsets)
    m.ir_version = 8
    onnx.save(m, name + ".onnx")


detector("detector", "batch", 17, "scores", [])
detector("fixed", 1, 16, "logits", [("com.microsoft", 1)])


def shard(path, tensors):
    header, data = {}, b""
    for name, (dtype, shape, size) in tensors.items():
        n = size * int(np.prod(shape))
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + n]}
        data += bytes(n)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    open(path, "wb").write(struct.pack("<Q", len(text)) + text + data)


half, single = ("F16", [8, 8], 2), ("F32", [8, 8], 4)
shard("exports/a.safetensors", {"layers.0.q_proj.weight": half, "layers.0.norm.weight": ("F16", [8], 2)})
shard("exports/b.safetensors", {"layers.1.q_proj.weight": single, "layers.1.norm.weight": ("F16", [8], 2)})
