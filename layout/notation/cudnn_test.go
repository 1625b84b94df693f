package notation

import (
	"strings"
	"testing"
)

// TestCuDNN has cuDNN and MIOpen calls. In NHWC the stride of W is C, and the stride of N is H x W x C.
func TestCuDNN(t *testing.T) {
	checkReadings(t, "cudnn", []reading{
		{"cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 3, 4, 5)",
			"float32 1,3,4,5 @ 60,20,5,1", "packed"},
		{"cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, 1, 3, 4, 5);",
			"float16 1,3,4,5 @ 60,1,15,3", "sizes are n, c, h, w in each format"},
		{"cudnnSetTensor4dDescriptorEx(desc, CUDNN_DATA_FLOAT, 1, 3, 4, 5, 60, 1, 15, 3)",
			"float32 1,3,4,5 @ 60,1,15,3", "strides stated"},
		{"int dims[4] = {1,3,4,5}; int strides[4] = {80,20,5,1};\n" +
			"checkCUDNN(cudnnSetTensorNdDescriptor(desc, CUDNN_DATA_DOUBLE, 4, dims, strides));",
			"float64 1,3,4,5 @ 80,20,5,1", "arrays and a wrapper"},
		{"const int n = 8, c = 3; cudnnSetTensor4dDescriptor(in, CUDNN_TENSOR_NHWC, CUDNN_DATA_INT8, n, c, 4, 4);",
			"int8 8,3,4,4 @ 48,1,12,3", "constants"},
		{"int d[] = {1, 2, 3, 4, 5}; cudnnSetTensorNdDescriptorEx(x, CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, 5, d);",
			"float32 1,2,3,4,5 @ 120,1,40,10,2", "NDHWC"},
		{"cudnnSetFilter4dDescriptor(w, CUDNN_DATA_BFLOAT16, CUDNN_TENSOR_NHWC, 8, 3, 2, 2)",
			"bfloat16 8,3,2,2 @ 12,1,6,3", "KRSC"},
		{"miopenSet4dTensorDescriptor(desc, miopenHalf, 1, 3, 4, 5)", "float16 1,3,4,5 @ 60,20,5,1", "MIOpen"},
		{`{"name":"X","dim":[8,32,16,16],"stride":[8192,1,512,32],"data_type":"HALF"}`,
			"float16 8,32,16,16 @ 8192,1,512,32", "16 x 16 x 32 = 8192, 16 x 32 = 512"},
		{`{"tensors":{"X":{"dim":[8,32],"stride":[1,8],"data_type":"HALF","name":"X"}},"nodes":[{"tag":"CONV"}]}`,
			"float16 8,32 @ 1,8", "a graph"},
		{"auto X = graph.tensor(fe::graph::Tensor_attributes().set_name(\"image\").set_dim({8, 32, 16, 16})" +
			".set_stride({8192, 1, 512, 32}).set_data_type(fe::DataType_t::BFLOAT16).set_uid(7));",
			"bfloat16 8,32,16,16 @ 8192,1,512,32", "cuDNN's frontend"},
		{"auto t = cudnn_frontend::TensorBuilder().setDim(2, d).setStride(2, s).setId('x').setAlignment(16)" +
			".setDataType(CUDNN_DATA_FLOAT).build(); int64_t d[] = {3, 4}; int64_t s[] = {1, 3};",
			"float32 3,4 @ 1,3", "and before v1"},
		{"I! CuDNN (v8204) function cudnnConvolutionForward() called:\n" +
			"i!     handle: type=cudnnHandle_t; streamId=0000000000000000 (defaultStream);\n" +
			"i!     xDesc: type=cudnnTensorDescriptor_t:\n" +
			"i!         dataType: type=cudnnDataType_t; val=CUDNN_DATA_HALF (2);\n" +
			"i!         nbDims: type=int; val=4;\n" +
			"i!         dimA: type=int; val=[1,3,4,5];\n" +
			"i!         strideA: type=int; val=[60,1,15,3];\n",
			"float16 1,3,4,5 @ 60,1,15,3", "the log of calls, cudnn-frontend/issues/39"},
		{"i!     wDesc: type=cudnnFilterDescriptor_t:\n" +
			"i!         dataType: type=cudnnDataType_t; val=CUDNN_DATA_FLOAT (0);\n" +
			"i!         vect: type=int; val=0;\n" +
			"i!         nbDims: type=int; val=4;\n" +
			"i!         dimA: type=int; val=[8,3,2,2];\n" +
			"i!         format: type=cudnnTensorFormat_t; val=CUDNN_TENSOR_NHWC (1);\n",
			"float32 8,3,2,2 @ 12,1,6,3", "a filter in the log: KRSC"},
	})
	found, err := Read("i! xDesc: type=cudnnTensorDescriptor_t:\ni! dimA: type=int; val=[2,3];\n"+
		"i! yDesc: type=cudnnTensorDescriptor_t:\ni! dimA: type=int; val=[4];\n", Options{})
	if err != nil || len(found) != 2 || found[0].Name != "xDesc" || found[1].Name != "yDesc" {
		t.Errorf("a log of xDesc and yDesc has %v, %v", found, err)
	}
	checkRefusals(t, "cudnn", []wrong{
		{text: "i! xDesc: type=cudnnTensorDescriptor_t:\ni! nbDims: type=int; val=3;\ni! dimA: type=int; val=[2,3];",
			at: "3;", says: "the rank is 3"},
		{text: "i! wDesc: type=cudnnFilterDescriptor_t:\ni! vect: type=int; val=4;\ni! dimA: type=int; val=[2,3];",
			at: "4;", says: "in vectors of 4"},
		{text: "i! d: type=CUDNN_BACKEND_TENSOR_DESCRIPTOR:\ni! dimA: type=int; val=[];", at: "i! d",
			says: "no tensor"},
		{text: "cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_HALF, n, 3, 224, 224)", at: "n, 3",
			says: "--dim n=8"},
		{text: "cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_HALF, 3, 224, 224)", at: "(desc",
			says: "needs size"},
		{text: "cudnnSetTensor4dDescriptor(d, CUDNN_TENSOR_NCHW_VECT_C, CUDNN_DATA_INT8, 1, 32, 4, 4)",
			at: "CUDNN_TENSOR_NCHW_V", says: "not read"},
		{text: "cudnnSetTensor4dDescriptor(in, CUDNN_TENSOR_NCHW, CUDNN_DATA_HALF, 1, 3, 2, 2); swap(in, out);",
			at: "in, out", says: "not understood"},
		{text: "int d[] = {2, 3}; cudnnSetTensorNdDescriptor(x, CUDNN_DATA_HALF, 3, d, d)", at: "3, d",
			says: "rank is 3"},
		{text: "f.set_dim({8, 32}).set_stride({32, 1}).set_reordering_type(F16x16)", at: ".set_reordering",
			says: "not understood"},
		{text: `{"dim":[8,32],"stride":[32,1],"reordering_type":"F16x16"}`, at: `"F16x16"`, says: "reordered"},
	})
	const other = "cudnnCreateTensorDescriptor(&in); " +
		"cudnnSetTensor4dDescriptor(in, CUDNN_TENSOR_NCHW, CUDNN_DATA_HALF, 1, 2, 3, 4)"
	d, err := single(t, "cudnn", other, Options{})
	if err != nil || d.Name != "in" || strings.Join(d.Skipped, "; ") != "not read: cudnnCreateTensorDescriptor, in" {
		t.Errorf("%s: %v, %v", other, d, err)
	}
}
