"""Makes the repositories good and broken of this directory with the library onnx (1.12, Debian's python3-onnx):
python3 make.py. In broken ten things are wrong, which the comments below count.
"""
import json
import os
import shutil
import struct

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "4d7a2146" * 8 + "\nsize 3145728\n"

PBTXT = """name: "classify"
backend: "onnxruntime"
max_batch_size: 8
input {
  name: "pixels"
  data_type: TYPE_FP32
  dims: [ 3, 8, 8 ]
}
output {
  name: "scores"
  data_type: TYPE_FP32
  dims: [ 10 ]
}
"""

CONFIG = """version: 1
target: directml
tensors:
  filter:
    file: weights/model.safetensors.index.json
    tensor: conv.weight
    dtype: float16
    sizes: [4, 3, 3, 3]
  head:
    file: weights/model.safetensors.index.json
    tensor: head.weight
    sizes: [10, 4]
    expect: {packed: true}
  image:
    dtype: float32
    sizes: [1, 3, 8, 8]
    strides: [192, 1, 24, 3]
    totalBytes: 768
"""

def safetensors(path, tensors, cut=0):
    header, at = {}, 0
    for name, (dtype, shape, size) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + bytes(at - cut))

def repository(root, broken):
    shutil.rmtree(root, ignore_errors=True)
    os.makedirs(root + "/weights")
    os.makedirs(root + "/tokens")
    os.makedirs(root + "/triton/classify/1")
    first = {"conv.weight": ("F16", [4, 3, 3, 3], 216), "conv.bias": ("F16", [4], 8)}
    second = {"head.weight": ("F16", [10, 4], 80)}
    names = {t: "model-0000%d-of-00002.safetensors" % (1 if t in first else 2) for t in [*first, *second]}
    total = 216 + 8 + 80
    if broken:
        first["conv.weight"] = ("BF16", [4, 3, 3, 3], 216)      # 1. another type than the configuration states
        second["head.weight"] = ("F16", [4, 10], 80)            # 2. transposed by an export
        names["head.bias"] = "model-00002-of-00002.safetensors" # 3. in the index, and in no shard
    safetensors(root + "/weights/model-00001-of-00002.safetensors", first, 2 if broken else 0)  # 4. cut off
    safetensors(root + "/weights/model-00002-of-00002.safetensors", second)
    with open(root + "/weights/model.safetensors.index.json", "w") as f:
        json.dump({"metadata": {"total_size": total}, "weight_map": names}, f, indent=1)
        f.write("\n")
    with open(root + "/tokens/tokens.safetensors", "wb") as f:
        if broken:
            f.write(POINTER.encode())                           # 5. not checked out
    if not broken:
        safetensors(root + "/tokens/tokens.safetensors", {"tokens": ("F32", [8, 4], 128)})
    config, pbtxt = CONFIG, PBTXT
    if broken:
        config = config.replace("totalBytes: 768", "totalBytes: 764")           # 6. too small by an element
        pbtxt = pbtxt.replace("dims: [ 3, 8, 8 ]", "dims: [ 8, 8, 3 ]")         # 7. NHWC for a model of NCHW
        pbtxt = pbtxt.replace("TYPE_FP32\n  dims: [ 10", "FP32\n  dims: [ 10")     # 9. no such type
        pbtxt = pbtxt.replace('"classify"', '"classifier"')                     # 8. not the name of the directory
    with open(root + "/layouts.layoutcalc.yaml", "w") as f:
        f.write(config)
    with open(root + "/triton/classify/config.pbtxt", "w") as f:
        f.write(pbtxt)
    weight = numpy_helper.from_array(np.zeros((10, 192), dtype=np.float32), "w")
    shape = numpy_helper.from_array(np.array([0, 192], dtype=np.int64), "shape")
    graph = helper.make_graph(
        [helper.make_node("Reshape", ["pixels", "shape"], ["flat"]),
         helper.make_node("Gemm", ["flat", "w"], ["scores"], transB=1)], "classify",
        [helper.make_tensor_value_info("pixels", TensorProto.FLOAT, ["N", 3, 8, 8])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["N", 10])], [weight, shape])
    m = helper.make_model(graph, producer_name="layoutcalc-tests", opset_imports=[helper.make_opsetid("", 17)])
    m.ir_version = 8
    onnx.checker.check_model(m)
    path = root + "/triton/classify/1/model.onnx"
    onnx.save(m, path, save_as_external_data=True, location="model.onnx_data", size_threshold=1024)
    if broken:
        os.truncate(root + "/triton/classify/1/model.onnx_data", 7000)          # 10. a download that ended early

repository("good", False)
repository("broken", True)
