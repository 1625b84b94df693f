package notation

import (
	"fmt"
	"strings"
	"testing"

	"layoutcalc/layout"
)

// TestDetails has a description of a tensor by the TFLite interpreter.
func TestDetails(t *testing.T) {
	const details = "{'name': 'x', 'index': 0, 'shape': array([  2, 3], dtype=int32), " +
		"'shape_signature': array([ -1, 3]), 'dtype': <class 'numpy.int16'>, 'quantization': (0.5, 128), " +
		"'sparsity_parameters': {}}"
	const notes = "index is not read; shape_signature is not read; quantization is not read; " +
		"sparsity_parameters is not read"
	for _, text := range []string{details, "[" + details + "]"} {
		d, err := single(t, "dlpack-json", text, Options{})
		if err != nil || d.Name != "x" || meaning(d) != "int16 2,3 @ 3,1" || strings.Join(d.Skipped, "; ") != notes {
			t.Errorf("%s: %v, %v", text, d, err)
		}
	}
	checkReadings(t, "dlpack-json", []reading{{"{'shape': (1, 3), 'dtype': 'int16'}", "int16 1,3 @ 3,1", "a string"}})
}

// TestDLPackExports has the fields of real capsules, by NumPy 1.24 and PyTorch 1.13, in C and
// as JSON.
func TestDLPackExports(t *testing.T) {
	tests := []struct {
		code, bits     int
		sizes, strides string // NULL where there are none
		want           string
		reason         string
	}{
		{code: 2, bits: 32, sizes: "2, 3", strides: "NULL", want: "float32 2,3 @ 3,1",
			reason: "numpy f4 (2,3) in C order"},
		{code: 2, bits: 32, sizes: "2, 3", strides: "1, 2", want: "float32 2,3 @ 1,2",
			reason: "numpy f4 (2,3) in Fortran order"},
		{code: 2, bits: 64, sizes: "2, 2", strides: "12, 3", want: "float64 2,2 @ 12,3",
			reason: "numpy f8 (4,6)[::2,::3]"},
		{bits: 16, sizes: "5", strides: "-1", want: "int16 5 @ -1", reason: "numpy i2 (5,)[::-1]: data is element 0"},
		{bits: 32, sizes: "2, 3", strides: "0, 1", want: "int32 2,3 @ 0,1", reason: "numpy i4 (3,) broadcast to (2,3)"},
		{code: 2, bits: 64, strides: "NULL", want: "float64  @ ", reason: "numpy f8 ()"},
		{code: 5, bits: 64, sizes: "3", strides: "NULL", want: "complex64 3 @ 1", reason: "numpy c8 (3,)"},
		{code: 2, bits: 32, sizes: "1, 3", strides: "NULL", want: "float32 1,3 @ 3,1",
			reason: "numpy f4 (1,3) with byte strides 100,4: counts as contiguous"},
		{code: 2, bits: 32, sizes: "2, 3", strides: "4, 2", want: "float32 2,3 @ 4,2",
			reason: "torch arange(20).as_strided((2,3),(4,2),1)"},
		{code: 2, bits: 32, sizes: "1, 3", strides: "1, 1", want: "float32 1,3 @ 1,1",
			reason: "torch as_strided (1,3)@(100,1): the stride of size 1 is rewritten"},
		{code: 2, bits: 32, sizes: "0, 3", strides: "1, 1", want: "float32 0,3 @ 1,1", reason: "torch zeros(0,3)"},
		{code: 2, bits: 32, sizes: "2, 3, 4, 5", strides: "60, 1, 15, 3", want: "float32 2,3,4,5 @ 60,1,15,3",
			reason: "torch channels_last"},
		{code: 4, bits: 16, sizes: "2, 3", strides: "3, 1", want: "bfloat16 2,3 @ 3,1", reason: "torch bfloat16"},
	}
	for _, tt := range tests {
		n := len(numbersIn(t, tt.sizes))
		arrays, shape, strides, list := "", "NULL", "NULL", "null"
		if n > 0 {
			arrays, shape = fmt.Sprintf("int64_t shape[] = {%s}; ", tt.sizes), "shape"
		}
		if tt.strides != "NULL" {
			arrays, strides, list = arrays+fmt.Sprintf("int64_t strides[] = {%s}; ", tt.strides), "strides",
				"["+tt.strides+"]"
		}
		c := reading{fmt.Sprintf("%sDLTensor t = {data, {kDLCPU, 0}, %d, {%d, %d, 1}, %s, %s, 0};", arrays, n, tt.code,
			tt.bits, shape, strides), tt.want, tt.reason}
		checkReadings(t, "dlpack", []reading{c,
			{fmt.Sprintf("%sDLTensor t = {.ndim = %d, .dtype = {.code = %d, .bits = %d, .lanes = 1}, .shape = %s, "+
				".strides = %s};", arrays, n, tt.code, tt.bits, shape, strides), tt.want, tt.reason},
		})
		checkReadings(t, "dlpack-json", []reading{
			{fmt.Sprintf(`{"ndim": %d, "dtype": {"code": %d, "bits": %d, "lanes": 1}, "shape": [%s], "strides": %s, `+
				`"byte_offset": 0}`, n, tt.code, tt.bits, tt.sizes, list), tt.want, tt.reason},
			{fmt.Sprintf(`{"dtype": [%d, %d, 1], "shape": [%s], "strides": %s}`, tt.code, tt.bits, tt.sizes, list),
				tt.want, tt.reason},
		})
	}
}

// TestDLPackOffset: byte_offset is in bytes, strides are in elements.
func TestDLPackOffset(t *testing.T) {
	const text = `{"shape": [2, 3], "strides": [4, 1], "dtype": [2, 32, 1], "byte_offset": 8}`
	d, err := single(t, "dlpack-json", text, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if offset, err := d.Tensor.Layout().Offset([]int64{1, 2}); offset != 8 || err != nil {
		t.Errorf("element (1,2) is at %d, %v, want 8", offset, err)
	}
	if bytes, rest := d.Tensor.BitOffset(8); bytes != 32 || rest != 0 {
		t.Errorf("element (1,2) is at byte %d, want 32", bytes)
	}
	checkRoundTrip(t, notationOf(t, "dlpack"), d.Tensor)
	checkRoundTrip(t, notationOf(t, "dlpack-json"), d.Tensor)
}

// TestDLPackTypes has the codes of the header.
func TestDLPackTypes(t *testing.T) {
	for _, tt := range []struct {
		code, bits int
		name, want string
	}{
		{bits: 8, name: "kDLInt", want: "int8"}, {bits: 64, name: "kDLInt", want: "int64"},
		{bits: 4, name: "kDLInt", want: "int4"}, {code: 1, bits: 8, name: "kDLUInt", want: "uint8"},
		{code: 1, bits: 4, name: "kDLUInt", want: "uint4"},
		{code: 2, bits: 16, name: "kDLFloat", want: "float16"}, {code: 2, bits: 32, name: "kDLFloat", want: "float32"},
		{code: 2, bits: 64, name: "kDLFloat", want: "float64"},
		{code: 4, bits: 16, name: "kDLBfloat", want: "bfloat16"},
		{code: 5, bits: 64, name: "kDLComplex", want: "complex64"},
		{code: 5, bits: 128, name: "kDLComplex", want: "complex128"},
		{code: 6, bits: 8, name: "kDLBool", want: "bool"},
		{code: 7, bits: 8, name: "kDLFloat8_e3m4", want: "float8_e3m4"},
		{code: 8, bits: 8, name: "kDLFloat8_e4m3", want: "float8_e4m3"},
		{code: 9, bits: 8, name: "kDLFloat8_e4m3b11fnuz", want: "float8_e4m3b11fnuz"},
		{code: 10, bits: 8, name: "kDLFloat8_e4m3fn", want: "float8_e4m3fn"},
		{code: 11, bits: 8, name: "kDLFloat8_e4m3fnuz", want: "float8_e4m3fnuz"},
		{code: 12, bits: 8, name: "kDLFloat8_e5m2", want: "float8_e5m2"},
		{code: 14, bits: 8, name: "kDLFloat8_e8m0fnu", want: "float8_e8m0fnu"},
		{code: 17, bits: 4, name: "kDLFloat4_e2m1fn", want: "float4_e2m1fn"},
	} {
		checkReadings(t, "dlpack-json", []reading{
			{fmt.Sprintf(`{"shape": [2], "dtype": {"code": %d, "bits": %d, "lanes": 1}}`, tt.code, tt.bits),
				tt.want + " 2 @ 1", "by its number"},
		})
		checkReadings(t, "dlpack", []reading{
			{fmt.Sprintf("int64_t s[] = {2}; DLTensor t = {0, {kDLCPU, 0}, 1, {%s, %d, 1}, s, NULL, 0};", tt.name,
				tt.bits), tt.want + " 2 @ 1", "by its name"},
		})
	}
}

func TestDLPackSpellings(t *testing.T) {
	checkReadings(t, "dlpack", []reading{
		{"int64_t s[2] = {2, 3}; DLTensor t = {NULL, {kDLCPU, 0}, 2, (DLDataType){kDLFloat, 32, 1}, s, NULL, 0};",
			"float32 2,3 @ 3,1", "a compound literal"},
		{"int64_t s[2] = {2, 3}; DLTensor t{nullptr, DLDevice{kDLCPU, 0}, 2, DLDataType{kDLFloat, 16, 1}, s, " +
			"nullptr, 0};", "float16 2,3 @ 3,1", "C++"},
		{"uint64_t offset = 8; int64_t s[2] = {2, 3}; DLTensor t = {NULL, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, s, " +
			"NULL, offset};", "float32 2,3 @ 3,1 + 2", "an offset by name"},
		{"int64_t shape[2] = {2, 3}; DLManagedTensor m = {.dl_tensor = {.data = p, .ndim = 2, .dtype = {kDLFloat, " +
			"32, 1}, .shape = shape, .strides = NULL, .byte_offset = 8}};", "float32 2,3 @ 3,1 + 2",
			"inside a managed tensor"},
		{"std::vector<int64_t> shape{2, 3}, strides{5, 1}; DLTensor t{.ndim = 2, .dtype = {kDLFloat, 32, 1}, .shape " +
			"= shape.data(), .strides = strides.data()};", "float32 2,3 @ 5,1", "C++"},
		{"shape = {2, 3}\nstrides = {5, 1}\nt = {data = 0x5581c010, device = {device_type = kDLCPU, device_id = 0}, " +
			"ndim = 2, dtype = {code = 2, bits = 32, lanes = 1}, shape = 0x7ffd10 <shape>, strides = 0x7ffd20 " +
			"<strides>, byte_offset = 8}", "float32 2,3 @ 5,1 + 2", "as gdb prints it"},
	})
	checkReadings(t, "dlpack-json", []reading{
		{`{"shape": [2, 3], "dtype": "float16"}`, "float16 2,3 @ 3,1", "the name of a type"},
		{`{"shape": [8], "dtype": {"code": 0, "bits": 4}, "byte_offset": 2}`, "int4 8 @ 1 + 4",
			"packed: two elements a byte"},
	})
}

func TestDLPackRefusals(t *testing.T) {
	checkRefusals(t, "dlpack-json", []wrong{
		{text: `{"shape": [2], "dtype": [2, 32, 4]}`, at: "4]", says: "vectors", reason: "4 lanes"},
		{text: `{"shape": [2], "dtype": [3, 64, 1]}`, at: "[3, 64", says: "no such type", reason: "opaque handles"},
		{text: `{"shape": [2], "dtype": [2, 8, 1]}`, at: "[2, 8", says: "no such type",
			reason: "floats of 8 bits have codes of their own"},
		{text: `{"shape": [2], "dtype": [15, 6, 1]}`, at: "[15", says: "no such type", reason: "6 bits"},
		{text: `{"shape": [2], "dtype": [2, 32, 1], "byte_offset": 6}`, at: "6", says: "not a multiple",
			reason: "inside an element"},
		{text: `{"shape": [2, 3], "strides": [1], "dtype": [2, 32, 1]}`, at: "[2, 3]", says: "2 sizes but 1 stride",
			reason: "one stride for each size"},
		{text: `{"ndim": 3, "shape": [2, 3], "dtype": [2, 32, 1]}`, at: "3,", says: "ndim is 3",
			reason: "the array is shorter"},
	})
	checkRefusals(t, "dlpack", []wrong{
		{text: "DLTensor t = {NULL, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, NULL, 0};", at: "shape,",
			says: "not in the text", reason: "the array is missing"},
		{text: "int64_t s[1] = {2}; DLTensor t = {NULL, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, s, NULL, offset};",
			at: "offset", says: "not a number", reason: "an offset by name"},
		{text: "DLTensor t = {};", at: "{}", says: "DLTensor needs shape", reason: "nothing in it"},
		{text: "int64_t s[1] = {2}; DLTensor t = {NULL, {kDLCPU, 0}, 1, {kDLOpaqueHandle, 64, 1}, s, NULL, 0};",
			at: "{kDLOpaque", says: "no such type", reason: "opaque"},
	})
}

func TestDLPackWrites(t *testing.T) {
	c, json := notationOf(t, "dlpack"), notationOf(t, "dlpack-json")
	tests := []struct {
		n            *Notation
		tensor       layout.Tensor
		want, reason string
	}{
		{n: c, tensor: plainTensor(t, "float32", 2, []int64{2, 3}, []int64{4, 1}),
			want: "int64_t shape[2] = {2, 3};\nint64_t strides[2] = {4, 1};\nDLTensor tensor = {NULL, {kDLCPU, 0}, " +
				"2, {kDLFloat, 32, 1}, shape, strides, 8};", reason: "8 bytes before index 0"},
		{n: c, tensor: plainTensor(t, "float64", 0, nil, nil),
			want:   "DLTensor tensor = {NULL, {kDLCPU, 0}, 0, {kDLFloat, 64, 1}, NULL, NULL, 0};",
			reason: "no arrays of no length"},
		{n: json, tensor: plainTensor(t, "bfloat16", 0, []int64{2, 3}, []int64{3, 1}),
			want: `{"ndim": 2, "dtype": {"code": 4, "bits": 16, "lanes": 1}, "shape": [2, 3], "strides": [3, 1], ` +
				`"byte_offset": 0}`, reason: "from 1.2 on strides are not NULL"},
		{n: json, tensor: plainTensor(t, "int4", 4, []int64{8}, []int64{1}),
			want: `{"ndim": 1, "dtype": {"code": 0, "bits": 4, "lanes": 1}, "shape": [8], "strides": [1], ` +
				`"byte_offset": 2}`, reason: "packed"},
	}
	for _, tt := range tests {
		if got, err := tt.n.Write(tt.tensor); got != tt.want || err != nil {
			t.Errorf("%v is %s, %v, want %s; %s", tt.tensor.Layout(), got, err, tt.want, tt.reason)
		}
		checkRoundTrip(t, tt.n, tt.tensor)
	}
}

// TestDLPackBytes: the header's formula counts each 4-bit element as a byte.
func TestDLPackBytes(t *testing.T) {
	for _, tt := range []struct {
		dtype string
		want  int64
	}{{"float32", 24}, {"int4", 6}, {"complex64", 48}, {"bool", 6}} {
		if got := figureOf(t, notationOf(t, "dlpack"), plainTensor(t, tt.dtype, 0, []int64{2, 3}, []int64{3, 1}),
			"DLPack data size"); got.Bytes != tt.want {
			t.Errorf("%s: %d bytes, want %d", tt.dtype, got.Bytes, tt.want)
		}
	}
}
