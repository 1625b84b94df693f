"""Makes the models of this directory with the library onnx (1.12, Debian's python3-onnx): python3 make.py.

small.onnx is a convolution, a product and what surrounds them; outside.onnx has its weights in outside.onnx_data;
typed.onnx has its elements as numbers, and branches with weights of their own. The others are wrong.
"""
import base64
import json
import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

def model(graph, **kw):
    m = helper.make_model(graph, producer_name="layoutcalc-tests", opset_imports=[helper.make_opsetid("", 17)], **kw)
    m.ir_version = 8
    onnx.checker.check_model(m)
    return m

x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 3, 4, 4])
y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N", 2, None, None])
weight = numpy_helper.from_array(np.arange(2 * 3 * 3 * 3, dtype=np.float32).reshape(2, 3, 3, 3), "conv1.weight")
bias = numpy_helper.from_array(np.array([0.5, -0.5], dtype=np.float32), "conv1.bias")
half = numpy_helper.from_array(np.arange(6, dtype=np.float16).reshape(2, 3), "half")
conv = helper.make_node("Conv", ["x", "conv1.weight", "conv1.bias"], ["y"], name="conv1", kernel_shape=[3, 3])
onnx.save(model(helper.make_graph([conv], "small", [x], [y], [weight, bias, half])), "small.onnx")

def save_outside(path):
    m = model(helper.make_graph([conv], "outside", [x], [y], [weight, bias, half]))
    onnx.save(m, path, save_as_external_data=True, location=os.path.basename(path) + "_data", size_threshold=0)

for data in ["outside.onnx_data", "moved/twice.onnx_data"]:
    if os.path.exists(data):
        os.remove(data)
os.makedirs("moved", exist_ok=True)
save_outside("outside.onnx")
save_outside("moved/twice.onnx")   # the library appends to a file that is there:
save_outside("moved/twice.onnx")   # the data of the first time belongs to nothing

cond = helper.make_tensor_value_info("cond", TensorProto.BOOL, [])
out = helper.make_tensor_value_info("out", TensorProto.FLOAT, [2])
def branch(name, values):
    return helper.make_graph([helper.make_node("Identity", [name], [name + ".out"])], name, [],
        [helper.make_tensor_value_info(name + ".out", TensorProto.FLOAT, [2])],
        [helper.make_tensor(name, TensorProto.FLOAT, [2], values)])
choose = helper.make_node("If", ["cond"], ["out"], name="choose", then_branch=branch("a", [1, 2]),
                          else_branch=branch("b", [3, 4]))
floats = helper.make_tensor("floats", TensorProto.FLOAT, [2, 2], [1, 2, 3, 4])
shape = helper.make_tensor("shape", TensorProto.INT64, [3], [1, -1, 300])
words = helper.make_tensor("words", TensorProto.STRING, [2], [b"a", b"b"])
onnx.save(model(helper.make_graph([choose], "typed", [cond], [out], [floats, shape, words])), "typed.onnx")

# Models that are wrong: broken.onnx in itself, those in moved in what is beside them.
tall = numpy_helper.from_array(np.zeros((3, 3, 3, 2), np.float32), "conv1.weight")   # TensorFlow's order
short = TensorProto(name="short", data_type=TensorProto.FLOAT, dims=[2, 3], raw_data=bytes(20))
few = TensorProto(name="few", data_type=TensorProto.FLOAT, dims=[2], float_data=[1])
mixed = numpy_helper.from_array(np.zeros(4, np.float16), "mixed")
old = helper.make_tensor_value_info("x", TensorProto.FLOAT, [-1, 3, 4, 4])
stated = helper.make_tensor_value_info("mixed", TensorProto.FLOAT, [4])
gone = helper.make_tensor_value_info("gone", TensorProto.FLOAT, ["N"])
graph = helper.make_graph([conv], "broken", [old], [y, gone], [tall, bias, short, few, mixed, mixed],
                          value_info=[stated])
broken = helper.make_model(graph, producer_name="layoutcalc-tests")
broken.ir_version = 8
open("broken.onnx", "wb").write(broken.SerializeToString())

open("moved/outside.onnx", "wb").write(open("outside.onnx", "rb").read())            # without its data
open("moved/cut.onnx", "wb").write(open("small.onnx", "rb").read()[:300])
def elsewhere(name, **entries):
    m = onnx.load("outside.onnx", load_external_data=False)
    for t in m.graph.initializer:
        for e in t.external_data:
            e.value = entries.get(e.key, {}).get(t.name, e.value)
    open("moved/" + name, "wb").write(m.SerializeToString())
elsewhere("escape.onnx", location={"conv1.weight": "../../../../../etc/passwd", "conv1.bias": "/etc/passwd",
                                   "half": "../outside.onnx_data"})
elsewhere("short.onnx", location=dict.fromkeys(["conv1.weight", "conv1.bias", "half"], "short.onnx_data"),
          offset={"half": "220"}, length={"conv1.bias": "12"})
open("moved/short.onnx_data", "wb").write(open("outside.onnx_data", "rb").read()[:222])
elsewhere("pointer.onnx", location=dict.fromkeys(["conv1.weight", "conv1.bias", "half"], "pointer.onnx_data"))
open("moved/pointer.onnx_data", "w").write(
    "version https://git-lfs.github.com/spec/v1\n"
    "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 236\n")

# What the library says of the tensors of the good models: tensors.json, a line each.
def tensors(graph, path):
    for t in graph.initializer:
        yield path + t.name, t
    for node in graph.node:
        for a in node.attribute:
            if a.type == onnx.AttributeProto.GRAPH:
                yield from tensors(a.g, path + node.name + "/" + a.name + "/")

lines = []
for name in ["small", "outside", "typed", "types"]:
    if name == "types":
        every = []
        for i, t in enumerate([TensorProto.UINT8, TensorProto.INT8, TensorProto.UINT16, TensorProto.INT16, TensorProto.INT32,
                               TensorProto.INT64, TensorProto.BOOL, TensorProto.FLOAT16, TensorProto.DOUBLE,
                               TensorProto.UINT32, TensorProto.UINT64, TensorProto.COMPLEX64, TensorProto.COMPLEX128]):
            dtype = onnx.mapping.TENSOR_TYPE_TO_NP_TYPE[t]
            every.append(numpy_helper.from_array(np.arange(1 + i).astype(dtype), TensorProto.DataType.Name(t)))
            if t != TensorProto.BOOL and not np.issubdtype(dtype, np.complexfloating):
                values = np.arange(-1 if np.issubdtype(dtype, np.signedinteger) else 0, 3).astype(dtype)
                every.append(helper.make_tensor("numbers." + every[-1].name, t, [len(values)], values.tolist()))
        every.append(helper.make_tensor("numbers.BOOL", TensorProto.BOOL, [3], [True, False, True]))
        every.append(TensorProto(name="BFLOAT16", data_type=TensorProto.BFLOAT16, dims=[2], raw_data=b"\x80\x3f\x00\xc0"))
        onnx.save(model(helper.make_graph([conv], "types", [x], [y], [weight, bias] + every)), "types.onnx")
    for path, t in tensors(onnx.load(name + ".onnx").graph, ""):
        data = None
        if t.data_type == TensorProto.BFLOAT16:
            data = t.raw_data
        elif t.data_type != TensorProto.STRING:
            data = numpy_helper.to_array(t).tobytes()
        lines.append(json.dumps({"file": name + ".onnx", "name": path, "type": TensorProto.DataType.Name(t.data_type),
                                 "dims": list(t.dims), "data": data and base64.b64encode(data).decode()}))
open("tensors.json", "w").write("[\n" + ",\n".join(lines) + "\n]\n")
