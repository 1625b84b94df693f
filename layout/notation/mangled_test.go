package notation

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// TestMangled cuts every example short at each byte, leaves out each byte, and doubles each: no
// notation panics, and an error says something and points into the text.
func TestMangled(t *testing.T) {
	for _, n := range All() {
		for _, text := range mangled(n.Example) {
			for _, reader := range All() {
				found, err := reader.Read(text, Options{Dims: []int64{2}})
				checkFault(t, reader.Name+": "+text, found, err)
			}
			found, err := Read(text, Options{})
			checkFault(t, text, found, err)
		}
	}
}

// mangled returns texts that are near to the example.
func mangled(example string) []string {
	texts := []string{}
	for i := range example {
		head, tail := example[:i], example[i+1:]
		texts = append(texts, head, head+tail, head+example[i:i+1]+example[i:], head+"?"+tail, head+"-"+tail, head+"\x00"+tail, tail)
	}
	return texts
}

// checkFault checks what a text was read as.
func checkFault(t *testing.T, text string, found []Descriptor, err error) {
	t.Helper()
	var syntax *layout.SyntaxError
	var overflow *layout.OverflowError
	switch {
	case err == nil && len(found) == 0:
		t.Errorf("%q is read as nothing", text)
	case err == nil || errors.As(err, &overflow):
	case !errors.As(err, &syntax):
		t.Errorf("%q: an error of type %T: %v", text, err, err)
	case syntax.Msg == "" || syntax.Offset < 0 || syntax.Offset > len(syntax.Input) || strings.Contains(syntax.Msg, "strconv"):
		t.Errorf("%q: %q at %d of %q", text, syntax.Msg, syntax.Offset, syntax.Input)
	}
}

// TestHugeNumbers: what does not fit in 64 bits is an error, not another number.
func TestHugeNumbers(t *testing.T) {
	for _, tt := range []struct{ notation, text, reason string }{
		{"cute", "(4294967296,4294967296)", "the product of sizes"},
		{"cute", "(4611686018427387904,4):(4,1)", "the reach of the strides"},
		{"cute", "((4294967296,4294967296),1):((1,1),1)", "the size of a mode"},
		{"pytorch", "torch.empty((4294967296, 4294967296))", "the product of sizes"},
		{"pytorch", "torch.empty_strided((3,), (9223372036854775807,))", "the last offset"},
		{"pytorch", "torch.empty_strided((2305843009213693952,), (1,))", "2^63 bytes"},
		{"pytorch", "size=(2,), stride=(1,), storage_offset=9223372036854775807", "behind the last offset"},
		{"fx", "f32[4294967296, 4294967296][4294967296, 1]cpu", "the product of sizes"},
		{"numpy", "np.zeros((4294967296, 4294967296))", "the product of sizes"},
		{"numpy", "np.zeros((0, 4294967296, 4294967296))", "also beside a size of 0"},
		{"dml", "UINT s[] = {4294967295, 4294967295}; DML_BUFFER_TENSOR_DESC d = { DML_TENSOR_DATA_TYPE_FLOAT64, DML_TENSOR_FLAG_NONE, 2, s, nullptr, 0, 0 };", "2^64 - 2^33 + 1 elements"},
		{"dxdispatch", `{ "DataType": "UINT8", "Sizes": [4294967295, 4294967295] }`, "2^64 - 2^33 + 1 bytes"},
		{"mdspan", "std::layout_left::mapping<std::extents<int, 4294967296, 4294967296>>()", "the product of extents"},
		{"dlpack-json", `{"shape": [4294967296, 4294967296], "dtype": [2, 32, 1]}`, "the product of sizes"},
		{"dlpack-json", `{"shape": [2], "dtype": [0, 4, 1], "byte_offset": 9223372036854775807}`, "twice the bytes"},
		{"ggml", "ne = {4294967296, 4294967296}", "the product of sizes"},
		{"name", "4294967296x4294967296 HW", "the product of sizes"},
	} {
		_, err := single(t, tt.notation, tt.text, Options{})
		var overflow *layout.OverflowError
		if !errors.As(err, &overflow) {
			t.Errorf("%s: %s: %v, want an overflow; %s", tt.notation, tt.text, err, tt.reason)
		}
	}
}

// TestLimits: more axes than a layout may have, and brackets too deep, are refused by name.
func TestLimits(t *testing.T) {
	ones := strings.Join(slices.Repeat([]string{"1"}, 65), ", ")
	for _, tt := range []struct{ notation, text string }{
		{"pytorch", "torch.empty((" + ones + "))"}, {"fx", "f32[" + ones + "][" + ones + "]cpu"}, {"numpy", "np.zeros((" + ones + "))"},
		{"cute", "(" + ones + ")"}, {"mdspan", "std::extents<int, " + ones + ">, {" + ones + "}"}, {"ggml", "ne = {" + ones + "}"},
		{"dxdispatch", `{ "DataType": "FLOAT32", "Sizes": [` + ones + `] }`}, {"dlpack-json", `{"shape": [` + ones + `], "dtype": [2, 32, 1]}`},
		{"cute", strings.Repeat("(", 70) + "1" + strings.Repeat(")", 70)}, {"pytorch", strings.Repeat("[", 70)}, {"dml", "DML_ d = " + strings.Repeat("{", 70)},
	} {
		if _, err := single(t, tt.notation, tt.text, Options{}); err == nil || !strings.Contains(err.Error(), "limit") {
			t.Errorf("%s: %.60s...: %v, want the limit", tt.notation, tt.text, err)
		}
	}
}
