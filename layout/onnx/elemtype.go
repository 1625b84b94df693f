package onnx

import (
	"strconv"

	"layoutcalc/layout"
)

// An ElemType is the type of elements, by its number in TensorProto.DataType.
type ElemType int32

// Types that rules name.
const (
	Undefined ElemType = 0
	Float     ElemType = 1
	Int64     ElemType = 7
	String    ElemType = 8
)

// A typeInfo is what is known of a type: its names, the bits of an element, and the field of TensorProto that has
// elements as numbers, with how many numbers an element takes and how many elements a number has.
type typeInfo struct {
	name  string
	dtype string // in package layout
	bits  int64
	field string
	per   int64 // numbers an element
	share int64 // elements a number
}

// types are the types of IR version 13, by their numbers.
var types = [...]typeInfo{
	0: {"UNDEFINED", "", 0, "", 0, 0},
	1: {"FLOAT", "float32", 32, "float_data", 1, 1}, 2: {"UINT8", "uint8", 8, "int32_data", 1, 1},
	3: {"INT8", "int8", 8, "int32_data", 1, 1}, 4: {"UINT16", "uint16", 16, "int32_data", 1, 1},
	5: {"INT16", "int16", 16, "int32_data", 1, 1}, 6: {"INT32", "int32", 32, "int32_data", 1, 1},
	7: {"INT64", "int64", 64, "int64_data", 1, 1}, 8: {"STRING", "", 0, "string_data", 1, 1},
	9: {"BOOL", "bool", 8, "int32_data", 1, 1}, 10: {"FLOAT16", "float16", 16, "int32_data", 1, 1},
	11: {"DOUBLE", "float64", 64, "double_data", 1, 1}, 12: {"UINT32", "uint32", 32, "uint64_data", 1, 1},
	13: {"UINT64", "uint64", 64, "uint64_data", 1, 1}, 14: {"COMPLEX64", "complex64", 64, "float_data", 2, 1},
	15: {"COMPLEX128", "complex128", 128, "double_data", 2, 1}, 16: {"BFLOAT16", "bfloat16", 16, "int32_data", 1, 1},
	17: {"FLOAT8E4M3FN", "float8_e4m3fn", 8, "int32_data", 1, 1},
	18: {"FLOAT8E4M3FNUZ", "float8_e4m3fnuz", 8, "int32_data", 1, 1},
	19: {"FLOAT8E5M2", "float8_e5m2", 8, "int32_data", 1, 1},
	20: {"FLOAT8E5M2FNUZ", "float8_e5m2fnuz", 8, "int32_data", 1, 1},
	21: {"UINT4", "uint4", 4, "int32_data", 1, 2}, 22: {"INT4", "int4", 4, "int32_data", 1, 2},
	23: {"FLOAT4E2M1", "float4_e2m1fn", 4, "int32_data", 1, 2},
	24: {"FLOAT8E8M0", "float8_e8m0fnu", 8, "int32_data", 1, 1},
	25: {"UINT2", "uint2", 2, "int32_data", 1, 4}, 26: {"INT2", "int2", 2, "int32_data", 1, 4},
}

// info returns what is known of a type, nothing if it is newer than the table.
func (t ElemType) info() typeInfo {
	if t < 0 || int(t) >= len(types) {
		return typeInfo{}
	}
	return types[t]
}

// String returns the name of the type, or its number.
func (t ElemType) String() string {
	if name := t.info().name; name != "" {
		return name
	}
	return strconv.Itoa(int(t))
}

// Bits returns the size of an element, 0 if it has none or the type is not known.
func (t ElemType) Bits() int64 { return t.info().bits }

// Known reports whether the table has the type.
func (t ElemType) Known() bool { return t.info().name != "" }

// DType returns the type in package layout, and false if there is none, as for texts.
func (t ElemType) DType() (layout.DType, bool) {
	d, err := layout.ParseDType(t.info().dtype)
	return d, err == nil
}
