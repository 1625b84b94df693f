package notation

import (
	"cmp"
	"fmt"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// cudnnCalls are the cuDNN and MIOpen functions that set a descriptor, and the methods of cuDNN's frontend that state a
// tensor.
var cudnnCalls = literal.Signatures{
	"cudnnSetTensor4dDescriptor(name, format, dtype, size, size, size, size)",
	"cudnnSetTensor4dDescriptorEx(name, dtype, size, size, size, size, stride, stride, stride, stride)",
	"miopenSet4dTensorDescriptorEx(name, dtype, size, size, size, size, stride, stride, stride, stride)",
	"miopenSet4dTensorDescriptor(name, dtype, size, size, size, size)",
	"cudnnSetTensorNdDescriptor miopenSetTensorDescriptor(name, dtype, rank, size, stride)",
	"cudnnSetTensorNdDescriptorEx(name, format, dtype, rank, size)",
	"cudnnSetFilter4dDescriptor(name, dtype, format, size, size, size, size)",
	"cudnnSetFilterNdDescriptor(name, dtype, format, rank, size)",
	"miopenSetNdTensorDescriptorWithLayout(name, dtype, format, size, rank)",
	"set_dim(size)",
	"set_stride(stride)",
	"setDim(rank, size)",
	"setStride setStrides(rank, stride)",
	"set_data_type setDataType(dtype)",
	"set_name(name)",
	"set_uid setId set_alignment setAlignment set_is_virtual setVirtual set_output(_)",
	"build Tensor_attributes TensorBuilder()",
}

// maxCuDNNRank is CUDNN_DIM_MAX.
const maxCuDNNRank = 8

// readCuDNN reads cuDNN and MIOpen calls, cuDNN frontend calls, the JSON that the frontend writes for a graph, and
// cuDNN's log of its calls.
func readCuDNN(of *reader) {
	r := structReader{of}
	switch {
	case r.PeekToken() == '{':
		r.graphTensors(r.Entries(0))
	case r.calls(cudnnCalls, r.called):
		return
	default:
		r.callLog()
	}
	if len(r.found) == 0 {
		r.isForeign()
	}
}

// callLog adds the descriptors in a log of calls. A line of the log has a field, dimA: type=int; val=[2,3];, or begins
// a descriptor, xDesc: type=cudnnTensorDescriptor_t:.
func (r structReader) callLog() {
	tokens, t := r.Tokens(), calledTensor{}
	finish := func(name string) {
		if len(t.sizes) > 0 {
			r.called(t)
		}
		t = calledTensor{name: name}
	}
	for i := range tokens {
		if tokens[i].Kind != lexer.Word || !r.follow(i+1, ":", "type", "=") {
			continue
		}
		name, at := r.Text(tokens[i]), int(tokens[i].At)
		switch {
		case r.follow(i+5, ":"):
			finish(name)
			r.use(at, int(tokens[i+5].End))
		case r.follow(i+5, ";", "val", "="):
			r.Pos = int(tokens[i+7].End)
			v := r.value()
			if name == "dataType" && t.sizes != nil { // belongs to the next descriptor
				finish("")
			}
			r.logged(&t, name, v)
			r.use(at, r.Pos)
		}
	}
	finish("")
	r.forgetSame(0)
	r.Pos = len(r.In)
}

// logged reads the value of a descriptor's field in a log of calls. The lists of a descriptor that is not set are
// empty.
func (r structReader) logged(t *calledTensor, field string, v literal.Value) {
	switch field {
	case "dataType", "type":
		t.dtype = v
	case "format":
		t.format = v
	case "dimA":
		t.at, t.sizes = v.At, r.Ints(v, "sizes")
	case "strideA":
		t.strides = r.Ints(v, "strides")
	case "vect":
		if v.N != 0 {
			r.Fail(v.At, "", "elements in vectors of %d are not read", v.N)
		}
	case "nbDims":
		if v.N >= 0 {
			t.ranks = append(t.ranks, v)
		}
	}
}

// graphTensors adds the objects with a dim, including nested ones.
func (r structReader) graphTensors(list []literal.Entry) {
	used := []string{
		"dim", "stride", "data_type", "name", "reordering_type", "uid", "uid_assigned", "is_virtual",
		"is_pass_by_value", "pass_by_value",
	}
	for _, e := range list {
		dim, ok := literal.Field(e.List, "dim")
		if e.Key == "" && e.Kind == literal.Word {
			r.Fail(e.At, "", "unexpected text %s", wording.Quote(e.Word))
		}
		if !ok {
			if found, skipped := len(r.found), len(r.skipped); e.Key != "" {
				if r.graphTensors(e.List); len(r.found) == found {
					r.skipped = r.skipped[:skipped]
					r.skip("not read: %s", e.Key)
				}
			} else {
				r.graphTensors(e.List)
			}
			continue
		}
		name, _ := literal.Field(e.List, "name")
		t := calledTensor{name: cmp.Or(name.Word, e.Key), at: dim.At, sizes: r.Ints(dim, "sizes")}
		if v, ok := literal.Field(e.List, "stride"); ok && len(v.List) > 0 {
			t.strides = r.Ints(v, "strides")
		}
		if v, ok := literal.Field(e.List, "data_type"); ok && !v.IsNull() {
			t.dtype = v
		}
		if v, ok := literal.Field(e.List, "reordering_type"); ok && v.Word != "NONE" {
			r.Fail(v.At, "", "elements that are reordered have no strides")
		}
		r.called(t)
		r.rest(e.List, used, nil)
	}
}

// writeCuDNN writes the calls that create the tensor in cuDNN's frontend.
func writeCuDNN(t layout.Tensor) (string, error) {
	strides, err := terms{axis: true, rank: maxCuDNNRank}.strides(t)
	if err != nil {
		return "", err
	}
	dtype := cudnnTypes[t.DType().String()]
	if dtype == "" {
		return "", lost(t, "the notation has no type %s", t.DType())
	}
	const form = "fe::graph::Tensor_attributes().set_dim({%s}).set_stride({%s}).set_data_type(fe::DataType_t::%s)"
	sizes := layout.JoinInts(t.Layout().Sizes(), ", ")
	return fmt.Sprintf(form, sizes, layout.JoinInts(strides, ", "), dtype), nil
}

// cudnnTypes maps element types to their names in cuDNN.
var cudnnTypes = map[string]string{
	"float32": "FLOAT", "float64": "DOUBLE", "float16": "HALF", "bfloat16": "BFLOAT16", "int8": "INT8",
	"int32": "INT32", "int64": "INT64", "uint8": "UINT8", "bool": "BOOLEAN",
	"float8_e4m3fn": "FP8_E4M3", "float8_e5m2": "FP8_E5M2",
}
