package onnx

import (
	"strconv"

	"layoutcalc/layout"
)

// An ElemType is an element type, by its number in TensorProto.DataType.
type ElemType int32

// Types that rules use.
const (
	Undefined ElemType = 0
	Float     ElemType = 1
	Int64     ElemType = 7
	String    ElemType = 8
)

// types are the names of the types in IR version 13, by number.
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

// DType returns the type in package layout. It reports false if the package does not have it, as for strings.
func (t ElemType) DType() (layout.DType, bool) { return layout.DTypeIn(layout.ONNX, t.String()) }

// Bits returns the bits of an element, or 0 if it has no fixed size or the type is unknown.
func (t ElemType) Bits() int64 {
	d, ok := t.DType()
	if !ok {
		return 0
	}
	return d.Bits()
}

// numbers returns the field of TensorProto that stores elements of the type as numbers, the numbers for an element, and
// the elements in a number. The field is empty if no field does.
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
