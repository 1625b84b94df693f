package notation

import (
	"fmt"
	"testing"

	"layoutcalc/layout"
)

// TestDLPackExports has the fields of real capsules, by NumPy 1.24 and PyTorch 1.13, in C and
// as JSON.
func TestDLPackExports(t *testing.T) {
	tests := []struct {
		code, bits     int
		sizes, strides string // NULL where there are none
		want           string
		reason         string
	}{
		{2, 32, "2, 3", "NULL", "float32 2,3 @ 3,1", "numpy f4 (2,3) in C order"},
		{2, 32, "2, 3", "1, 2", "float32 2,3 @ 1,2", "numpy f4 (2,3) in Fortran order"},
		{2, 64, "2, 2", "12, 3", "float64 2,2 @ 12,3", "numpy f8 (4,6)[::2,::3]"},
		{0, 16, "5", "-1", "int16 5 @ -1", "numpy i2 (5,)[::-1]: data is element 0"},
		{0, 32, "2, 3", "0, 1", "int32 2,3 @ 0,1", "numpy i4 (3,) broadcast to (2,3)"},
		{2, 64, "", "NULL", "float64  @ ", "numpy f8 ()"},
		{5, 64, "3", "NULL", "complex64 3 @ 1", "numpy c8 (3,)"},
		{2, 32, "1, 3", "NULL", "float32 1,3 @ 3,1", "numpy f4 (1,3) with byte strides 100,4: counts as contiguous"},
		{2, 32, "2, 3", "4, 2", "float32 2,3 @ 4,2", "torch arange(20).as_strided((2,3),(4,2),1)"},
		{2, 32, "1, 3", "1, 1", "float32 1,3 @ 1,1", "torch as_strided (1,3)@(100,1): the stride of size 1 is rewritten"},
		{2, 32, "0, 3", "1, 1", "float32 0,3 @ 1,1", "torch zeros(0,3)"},
		{2, 32, "2, 3, 4, 5", "60, 1, 15, 3", "float32 2,3,4,5 @ 60,1,15,3", "torch channels_last"},
		{4, 16, "2, 3", "3, 1", "bfloat16 2,3 @ 3,1", "torch bfloat16"},
	}
	for _, tt := range tests {
		n := len(numbersIn(t, tt.sizes))
		arrays, shape, strides, list := "", "NULL", "NULL", "null"
		if n > 0 {
			arrays, shape = fmt.Sprintf("int64_t shape[] = {%s}; ", tt.sizes), "shape"
		}
		if tt.strides != "NULL" {
			arrays, strides, list = arrays+fmt.Sprintf("int64_t strides[] = {%s}; ", tt.strides), "strides", "["+tt.strides+"]"
		}
		c := reading{fmt.Sprintf("%sDLTensor t = {data, {kDLCPU, 0}, %d, {%d, %d, 1}, %s, %s, 0};", arrays, n, tt.code, tt.bits, shape, strides), tt.want, tt.reason}
		checkReadings(t, "dlpack", []reading{c,
			{fmt.Sprintf("%sDLTensor t = {.ndim = %d, .dtype = {.code = %d, .bits = %d, .lanes = 1}, .shape = %s, .strides = %s};", arrays, n, tt.code, tt.bits, shape, strides), tt.want, tt.reason},
		})
		checkReadings(t, "dlpack-json", []reading{
			{fmt.Sprintf(`{"ndim": %d, "dtype": {"code": %d, "bits": %d, "lanes": 1}, "shape": [%s], "strides": %s, "byte_offset": 0}`, n, tt.code, tt.bits, tt.sizes, list), tt.want, tt.reason},
			{fmt.Sprintf(`{"dtype": [%d, %d, 1], "shape": [%s], "strides": %s}`, tt.code, tt.bits, tt.sizes, list), tt.want, tt.reason},
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
		{0, 8, "kDLInt", "int8"}, {0, 64, "kDLInt", "int64"}, {0, 4, "kDLInt", "int4"}, {1, 8, "kDLUInt", "uint8"}, {1, 4, "kDLUInt", "uint4"},
		{2, 16, "kDLFloat", "float16"}, {2, 32, "kDLFloat", "float32"}, {2, 64, "kDLFloat", "float64"},
		{4, 16, "kDLBfloat", "bfloat16"}, {5, 64, "kDLComplex", "complex64"}, {5, 128, "kDLComplex", "complex128"}, {6, 8, "kDLBool", "bool"},
		{7, 8, "kDLFloat8_e3m4", "float8_e3m4"}, {8, 8, "kDLFloat8_e4m3", "float8_e4m3"}, {9, 8, "kDLFloat8_e4m3b11fnuz", "float8_e4m3b11fnuz"},
		{10, 8, "kDLFloat8_e4m3fn", "float8_e4m3fn"}, {11, 8, "kDLFloat8_e4m3fnuz", "float8_e4m3fnuz"}, {12, 8, "kDLFloat8_e5m2", "float8_e5m2"},
		{14, 8, "kDLFloat8_e8m0fnu", "float8_e8m0fnu"}, {17, 4, "kDLFloat4_e2m1fn", "float4_e2m1fn"},
	} {
		checkReadings(t, "dlpack-json", []reading{
			{fmt.Sprintf(`{"shape": [2], "dtype": {"code": %d, "bits": %d, "lanes": 1}}`, tt.code, tt.bits), tt.want + " 2 @ 1", "by its number"},
		})
		checkReadings(t, "dlpack", []reading{
			{fmt.Sprintf("int64_t s[] = {2}; DLTensor t = {0, {kDLCPU, 0}, 1, {%s, %d, 1}, s, NULL, 0};", tt.name, tt.bits), tt.want + " 2 @ 1", "by its name"},
		})
	}
}

func TestDLPackSpellings(t *testing.T) {
	checkReadings(t, "dlpack", []reading{
		{"int64_t s[2] = {2, 3}; DLTensor t = {NULL, {kDLCPU, 0}, 2, (DLDataType){kDLFloat, 32, 1}, s, NULL, 0};", "float32 2,3 @ 3,1", "a compound literal"},
		{"int64_t s[2] = {2, 3}; DLTensor t{nullptr, DLDevice{kDLCPU, 0}, 2, DLDataType{kDLFloat, 16, 1}, s, nullptr, 0};", "float16 2,3 @ 3,1", "C++"},
		{"uint64_t offset = 8; int64_t s[2] = {2, 3}; DLTensor t = {NULL, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, s, NULL, offset};", "float32 2,3 @ 3,1 + 2", "an offset by name"},
		{"int64_t shape[2] = {2, 3}; DLManagedTensor m = {.dl_tensor = {.data = p, .ndim = 2, .dtype = {kDLFloat, 32, 1}, .shape = shape, .strides = NULL, .byte_offset = 8}};", "float32 2,3 @ 3,1 + 2", "inside a managed tensor"},
		{"std::vector<int64_t> shape{2, 3}, strides{5, 1}; DLTensor t{.ndim = 2, .dtype = {kDLFloat, 32, 1}, .shape = shape.data(), .strides = strides.data()};", "float32 2,3 @ 5,1", "C++"},
		{"shape = {2, 3}\nstrides = {5, 1}\nt = {data = 0x5581c010, device = {device_type = kDLCPU, device_id = 0}, ndim = 2, dtype = {code = 2, bits = 32, lanes = 1}, shape = 0x7ffd10 <shape>, strides = 0x7ffd20 <strides>, byte_offset = 8}", "float32 2,3 @ 5,1 + 2", "as gdb prints it"},
	})
	checkReadings(t, "dlpack-json", []reading{
		{`{"shape": [2, 3], "dtype": "float16"}`, "float16 2,3 @ 3,1", "the name of a type"},
		{`{"shape": [8], "dtype": {"code": 0, "bits": 4}, "byte_offset": 2}`, "int4 8 @ 1 + 4", "packed: two elements a byte"},
	})
}

func TestDLPackRefusals(t *testing.T) {
	checkRefusals(t, "dlpack-json", []wrong{
		{`{"shape": [2], "dtype": [2, 32, 4]}`, "4]", "vectors", "4 lanes"},
		{`{"shape": [2], "dtype": [3, 64, 1]}`, "[3, 64", "no such type", "opaque handles"},
		{`{"shape": [2], "dtype": [2, 8, 1]}`, "[2, 8", "no such type", "floats of 8 bits have codes of their own"},
		{`{"shape": [2], "dtype": [15, 6, 1]}`, "[15", "no such type", "6 bits"},
		{`{"shape": [2], "dtype": [2, 32, 1], "byte_offset": 6}`, "6", "not a multiple", "inside an element"},
		{`{"shape": [2, 3], "strides": [1], "dtype": [2, 32, 1]}`, "[2, 3]", "2 sizes and 1 strides", "one stride for each size"},
		{`{"ndim": 3, "shape": [2, 3], "dtype": [2, 32, 1]}`, "3,", "ndim is 3", "the array is shorter"},
	})
	checkRefusals(t, "dlpack", []wrong{
		{"DLTensor t = {NULL, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, NULL, 0};", "shape,", "not in the text", "the array is missing"},
		{"int64_t s[1] = {2}; DLTensor t = {NULL, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, s, NULL, offset};", "offset", "not a number", "an offset by name"},
		{"DLTensor t = {};", "{}", "shape is missing", "nothing in it"},
		{"int64_t s[1] = {2}; DLTensor t = {NULL, {kDLCPU, 0}, 1, {kDLOpaqueHandle, 64, 1}, s, NULL, 0};", "{kDLOpaque", "no such type", "opaque"},
	})
}

func TestDLPackWrites(t *testing.T) {
	c, json := notationOf(t, "dlpack"), notationOf(t, "dlpack-json")
	tests := []struct {
		n            *Notation
		tensor       layout.Tensor
		want, reason string
	}{
		{c, plainTensor(t, "float32", 2, []int64{2, 3}, []int64{4, 1}), "int64_t shape[2] = {2, 3};\nint64_t strides[2] = {4, 1};\nDLTensor tensor = {NULL, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, strides, 8};", "8 bytes before index 0"},
		{c, plainTensor(t, "float64", 0, nil, nil), "DLTensor tensor = {NULL, {kDLCPU, 0}, 0, {kDLFloat, 64, 1}, NULL, NULL, 0};", "no arrays of no length"},
		{json, plainTensor(t, "bfloat16", 0, []int64{2, 3}, []int64{3, 1}), `{"ndim": 2, "dtype": {"code": 4, "bits": 16, "lanes": 1}, "shape": [2, 3], "strides": [3, 1], "byte_offset": 0}`, "from 1.2 on strides are not NULL"},
		{json, plainTensor(t, "int4", 4, []int64{8}, []int64{1}), `{"ndim": 1, "dtype": {"code": 0, "bits": 4, "lanes": 1}, "shape": [8], "strides": [1], "byte_offset": 2}`, "packed"},
	}
	for _, tt := range tests {
		if got, err := tt.n.Write(tt.tensor); got != tt.want || err != nil {
			t.Errorf("%v is %s, %v, want %s; %s", tt.tensor.Layout(), got, err, tt.want, tt.reason)
		}
		checkRoundTrip(t, tt.n, tt.tensor)
	}
}

// TestDLPackBytes: the header's formula counts each element of 4 bits as a byte.
func TestDLPackBytes(t *testing.T) {
	for _, tt := range []struct {
		dtype string
		want  int64
	}{{"float32", 24}, {"int4", 6}, {"complex64", 48}, {"bool", 6}} {
		if got := figureOf(t, notationOf(t, "dlpack"), plainTensor(t, tt.dtype, 0, []int64{2, 3}, []int64{3, 1}), "DLPack data size"); got.Bytes != tt.want {
			t.Errorf("%s: %d bytes, want %d", tt.dtype, got.Bytes, tt.want)
		}
	}
}
