"""Writes results.txt: nodes with the sizes of their operands, and those of the output by the shape inference of onnx 1.12.

python3 results.py > results.txt
"""

from onnx import TensorProto, helper, shape_inference

CASES = """
Relu x=N,4,8
Softmax x=2,3,5
BatchNormalization x=N,4,6,7 w=4 b=4 m=4 v=4
Transpose x=2,3,4
Transpose x=2,3,4,5 perm=0,2,3,1
Gemm x=3,4 w=4,5
Gemm x=4,3 w=4,5 transA=1
Gemm x=3,4 w=5,4 transB=1
Gemm x=4,3 w=5,4 transA=1 transB=1
MatMul x=3,4 w=4,5
MatMul x=4 w=4,5
MatMul x=3,4 w=4
MatMul x=7,3,4 w=4,5
MatMul x=3,4 w=7,4,5
MatMul x=2,1,3,4 w=7,4,5
MatMul x=6,4 w=2,7,4,5
MatMul x=7,3,4 w=4
MatMul x=4 w=7,4,5
Add x=2,3,4 w=4
Add x=4 w=2,3,4
Mul x=2,1,4 w=3,1
Sub x=1 w=5
Div x=6,1,3 w=1,2,3
Conv x=1,3,9 w=4,3,3
Conv x=1,3,9 w=4,3,3 strides=2 pads=1,0
Conv x=1,3,20,21 w=4,3,3,5 strides=2,3 pads=1,2,0,4 dilations=2,1
Conv x=1,4,9 w=6,2,3 group=2
Conv x=1,3,10 w=4,3,3 strides=3 auto_pad=SAME_UPPER
Conv x=1,3,10 w=4,3,3 strides=2 auto_pad=SAME_LOWER
Conv x=1,3,9 w=4,3,3 strides=2 dilations=3 auto_pad=VALID
Conv x=1,3,9 w=4,3,3 auto_pad=NOTSET pads=2,2
Conv x=1,1,224 w=1,1,7 strides=2 pads=3,3
Conv x=1,1,9 w=1,1,3 strides=2 pads=0,1 dilations=2
Conv x=1,1,5 w=1,1,5
Conv x=1,1,16 w=1,1,1 strides=4
Conv x=1,1,10 w=1,1,3 strides=3 pads=2,0 dilations=3
Conv x=1,3,5,6,7 w=4,3,3,2,1
ConvTranspose x=1,3,9 w=3,4,3
ConvTranspose x=1,4,9 w=4,2,3 group=2
ConvTranspose x=1,3,9 w=3,4,3 strides=2 pads=1,0
ConvTranspose x=1,3,9 w=3,4,3 strides=2 output_padding=1
ConvTranspose x=1,3,9,5 w=3,4,3,2 strides=2,3 pads=1,2,0,1 dilations=2,1 output_padding=0,2
ConvTranspose x=1,3,9 w=3,4,3 strides=2 auto_pad=VALID
ConvTranspose x=1,3,9 w=3,4,3 strides=2 auto_pad=SAME_UPPER
"""


def sizes(text):
    return [int(s) if s.isdigit() else s for s in text.split(",")]


def result(case):
    op, *words = case.split()
    given, attributes = {}, {}
    for word in words:
        name, value = word.split("=")
        if len(name) == 1:
            given[name] = sizes(value)
        elif name == "auto_pad":
            attributes[name] = value
        elif name in ("group", "transA", "transB"):
            attributes[name] = int(value)
        else:
            attributes[name] = sizes(value)
    node = helper.make_node(op, list(given), ["y"], **attributes)
    inputs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in given.items()]
    out = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([node], "g", inputs, [out])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)])
    shape = shape_inference.infer_shapes(model, strict_mode=True).graph.output[0].type.tensor_type.shape
    return ",".join(d.dim_param or str(d.dim_value) for d in shape.dim)


for line in CASES.strip().splitlines():
    print(line, "->", result(line))
