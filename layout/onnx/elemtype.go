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

// types are the names of the types of IR version 13, by their numbers.
var types = [...]string{
	"UNDEFINED", "FLOAT", "UINT8", "INT8", "UINT16", "INT16", "INT32", "INT64", "STRING", "BOOL", "FLOAT16", "DOUBLE",
	"UINT32", "UINT64", "COMPLEX64", "COMPLEX128", "BFLOAT16", "FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2",
	"FLOAT8E5M2FNUZ", "UINT4", "INT4", "FLOAT4E2M1", "FLOAT8E8M0", "UINT2", "INT2",
}

// String returns the name of the type, or its number.
func (t ElemType) String() string {
	if t.Known() {
		return types[t]
	}
	return strconv.Itoa(int(t))
}

// Known reports whether the table has the type.
func (t ElemType) Known() bool { return t >= 0 && int(t) < len(types) }

// DType returns the type in package layout, and false if there is none, as for texts.
func (t ElemType) DType() (layout.DType, bool) { return layout.DTypeIn(layout.ONNX, t.String()) }

// Bits returns the size of an element, 0 if it has none or the type is not known.
func (t ElemType) Bits() int64 {
	d, ok := t.DType()
	if !ok {
		return 0
	}
	return d.Bits()
}

// numbers returns the field of TensorProto that has elements of the type as numbers, with the numbers an element takes
// and the elements a number has. The field is empty if the type has none.
func (t ElemType) numbers() (field string, per, share int64) {
	switch bits := t.Bits(); {
	case t == String:
		return "string_data", 1, 1
	case bits == 0:
		return "", 0, 0
	case t.String() == "FLOAT", t.String() == "COMPLEX64":
		return "float_data", bits / 32, 1
	case t.String() == "DOUBLE", t.String() == "COMPLEX128":
		return "double_data", bits / 64, 1
	case t == Int64:
		return "int64_data", 1, 1
	case t.String() == "UINT32", t.String() == "UINT64":
		return "uint64_data", 1, 1
	default:
		return "int32_data", 1, max(8/bits, 1)
	}
}
