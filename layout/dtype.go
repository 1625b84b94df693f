package layout

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout/scan"
)

// A DType is the type of an element. The zero DType is float32. Types of fewer than 8 bits are
// packed: neighbours share a byte.
type DType uint8

// A DTypeInfo is what is known of a type: its name here, its size in bits, and its spelling in
// each ecosystem, empty where that has no such type.
type DTypeInfo struct {
	Name        string
	Bits        int64
	DirectML    string
	PyTorch     string // after torch.
	FX          string // in PyTorch's graph dumps
	NumPy       string // the typestr of a little-endian machine
	OneDNN      string
	XLA         string
	MLIR        string
	Safetensors string
	ONNX        string
	GGUF        string
	Others      string // separated by blanks
}

var dtypes = [...]DTypeInfo{
	{"float32", 32, "FLOAT32", "float32", "f32", "<f4", "f32", "f32", "f32", "F32", "FLOAT", "F32",
		"float single fp32"},
	{"float16", 16, "FLOAT16", "float16", "f16", "<f2", "f16", "f16", "f16", "F16", "FLOAT16", "F16", "half fp16"},
	{"float64", 64, "FLOAT64", "float64", "f64", "<f8", "f64", "f64", "f64", "F64", "DOUBLE", "F64", "double fp64"},
	{"bfloat16", 16, "", "bfloat16", "bf16", "", "bf16", "bf16", "bf16", "BF16", "BFLOAT16", "BF16", ""},
	{"float8_e4m3fn", 8, "", "float8_e4m3fn", "f8e4m3fn", "", "f8_e4m3", "f8e4m3fn", "f8E4M3FN",
		"F8_E4M3", "FLOAT8E4M3FN", "", "fp8_e4m3 e4m3"},
	{"float8_e5m2", 8, "", "float8_e5m2", "f8e5m2", "", "f8_e5m2", "f8e5m2", "f8E5M2", "F8_E5M2",
		"FLOAT8E5M2", "", "fp8_e5m2 e5m2"},
	{"float8_e4m3fnuz", 8, "", "float8_e4m3fnuz", "f8e4m3fnuz", "", "", "f8e4m3fnuz", "f8E4M3FNUZ",
		"F8_E4M3FNUZ", "FLOAT8E4M3FNUZ", "", ""},
	{"float8_e5m2fnuz", 8, "", "float8_e5m2fnuz", "f8e5m2fnuz", "", "", "f8e5m2fnuz", "f8E5M2FNUZ",
		"F8_E5M2FNUZ", "FLOAT8E5M2FNUZ", "", ""},
	{"float8_e8m0fnu", 8, "", "float8_e8m0fnu", "f8e8m0fnu", "", "e8m0", "f8e8m0fnu", "f8E8M0FNU",
		"F8_E8M0", "FLOAT8E8M0", "", ""},
	{"float8_e4m3", 8, "", "", "", "", "", "f8e4m3", "f8E4M3", "", "", "", ""},
	{"float8_e4m3b11fnuz", 8, "", "", "", "", "", "f8e4m3b11fnuz", "f8E4M3B11FNUZ", "", "", "", ""},
	{"float8_e3m4", 8, "", "", "", "", "", "f8e3m4", "f8E3M4", "", "", "", ""},
	{"float4_e2m1fn", 4, "", "", "", "", "f4_e2m1", "f4e2m1fn", "f4E2M1FN", "", "FLOAT4E2M1", "", "fp4_e2m1 e2m1"},
	{"int64", 64, "INT64", "int64", "i64", "<i8", "s64", "s64", "i64", "I64", "INT64", "I64", "long si64"},
	{"int32", 32, "INT32", "int32", "i32", "<i4", "s32", "s32", "i32", "I32", "INT32", "I32", "int si32"},
	{"int16", 16, "INT16", "int16", "i16", "<i2", "", "s16", "i16", "I16", "INT16", "I16", "short si16"},
	{"int8", 8, "INT8", "int8", "i8", "|i1", "s8", "s8", "i8", "I8", "INT8", "I8", "si8"},
	{"uint64", 64, "UINT64", "uint64", "u64", "<u8", "", "u64", "ui64", "U64", "UINT64", "", ""},
	{"uint32", 32, "UINT32", "uint32", "u32", "<u4", "", "u32", "ui32", "U32", "UINT32", "", ""},
	{"uint16", 16, "UINT16", "uint16", "u16", "<u2", "", "u16", "ui16", "U16", "UINT16", "", ""},
	{"uint8", 8, "UINT8", "uint8", "u8", "|u1", "u8", "u8", "ui8", "U8", "UINT8", "", "byte"},
	{"int4", 4, "INT4", "int4", "", "", "s4", "s4", "i4", "", "INT4", "", "si4"},
	{"uint4", 4, "UINT4", "uint4", "", "", "u4", "u4", "ui4", "", "UINT4", "", ""},
	{"int2", 2, "", "int2", "", "", "", "s2", "i2", "", "INT2", "", "si2"},
	{"uint2", 2, "", "uint2", "", "", "", "u2", "ui2", "", "UINT2", "", ""},
	{"bool", 8, "", "bool", "b8", "|b1", "boolean", "pred", "i1", "BOOL", "BOOL", "", ""},
	{"complex32", 32, "", "complex32", "c32", "", "", "", "complex<f16>", "", "", "", "chalf"},
	{"complex64", 64, "", "complex64", "c64", "<c8", "", "c64", "complex<f32>", "C64", "COMPLEX64", "", "cfloat"},
	{"complex128", 128, "", "complex128", "c128", "<c16", "", "c128", "complex<f64>", "", "COMPLEX128", "", "cdouble"},
	{"unknown", 0, "UNKNOWN", "", "", "", "", "", "", "", "", "", ""},
}

// dtypePrefixes are what may be before a spelling.
var dtypePrefixes = [...]string{
	"torch.", "np.", "numpy.", "jnp.", "tf.", "tensorproto.", "dml_tensor_data_type_", "dnnl_",
	"std::", "c10::", "at::", "torch::", "cutlass::", "cutlass.", "nvinfer1::", "scalartype::", "datatype::", "k",
}

// DTypes yields every type.
func DTypes(yield func(DType) bool) {
	for i := range dtypes {
		if !yield(DType(i)) {
			return
		}
	}
}

// Info returns what is known of the type.
func (d DType) Info() DTypeInfo { return dtypes[d] }

// String returns the type's name.
func (d DType) String() string { return dtypes[d].Name }

// Bits returns the size of an element in bits; 0 for DirectML's UNKNOWN.
func (d DType) Bits() int64 { return dtypes[d].Bits }

// DTypeOf returns a type of the given number of bits, for elements of which only the size is known:
// an unsigned number if there is one. It reports false when no type has that size.
func DTypeOf(bits int64) (d DType, ok bool) {
	if d, err := ParseDType("uint" + strconv.FormatInt(bits, 10)); err == nil {
		return d, true
	}
	for d := range DTypes {
		if d.Bits() == bits && bits > 0 {
			return d, true
		}
	}
	return 0, false
}

// SwapUnit returns the bytes of a unit whose order is reversed in big-endian elements of the type: of a
// complex number one half. It is 0 where a single byte has no order.
func SwapUnit(d DType) int {
	unit := d.Bits() / 8
	if strings.HasPrefix(d.String(), "complex") {
		unit /= 2
	}
	if unit < 2 {
		return 0
	}
	return int(unit)
}

// spellings returns how the ecosystems write the type, NumPy aside.
func (i *DTypeInfo) spellings() [10]string {
	return [...]string{i.Name, i.DirectML, i.PyTorch, i.FX, i.OneDNN, i.XLA, i.MLIR, i.Safetensors, i.ONNX, i.GGUF}
}

// ParseDType reads a type in the spelling of any ecosystem and any case. A number counts bits,
// except after the byte order of a NumPy typestr (<i4), where it counts bytes.
func ParseDType(text string) (DType, error) {
	word := strings.ToLower(strings.TrimSpace(text))
	for _, prefix := range dtypePrefixes {
		word = strings.TrimPrefix(word, prefix)
	}
	if word != "" && strings.IndexByte("<>=|", word[0]) >= 0 {
		return numpyDType(text, word[1:])
	}
	if d, ok := dtypeOf(word); ok {
		return d, nil
	}
	return 0, unknownType(text, word)
}

// IsDType reports whether a word without byte order is a spelling of a type.
func IsDType(text string) bool {
	word := strings.ToLower(text)
	for _, prefix := range dtypePrefixes {
		word = strings.TrimPrefix(word, prefix)
	}
	_, ok := dtypeOf(word)
	return ok
}

// dtypeLetters are the first letters of all spellings: most words that are not types have another.
const dtypeLetters = "bcdefhilpsu"

func dtypeOf(word string) (DType, bool) {
	if word == "" || strings.IndexByte(dtypeLetters, word[0]) < 0 {
		return 0, false
	}
	for i := range dtypes {
		if dtypes[i].has(word) {
			return DType(i), true
		}
	}
	return 0, false
}

// has reports whether a word in lower case is a spelling of the type.
func (i *DTypeInfo) has(word string) bool {
	for _, s := range i.spellings() {
		if len(s) == len(word) && s[0]|0x20 == word[0] && strings.EqualFold(s, word) {
			return true
		}
	}
	return i.Others != "" && strings.Contains(i.Others, word) && slices.Contains(strings.Fields(i.Others), word)
}

// numpyDType finds a typestr by what follows its byte order, which does not matter here.
func numpyDType(text, kind string) (DType, error) {
	for i := range dtypes {
		if n := dtypes[i].NumPy; n != "" && n[1:] == kind {
			return DType(i), nil
		}
	}
	hint := "such as <f4, <f2, <i8, |u1, |b1"
	return 0, &SyntaxError{Input: text, Msg: "unknown NumPy type " + scan.Clip(text), Hint: hint}
}

// unknownType returns the error of an unknown type, with what to write instead.
func unknownType(text, word string) error {
	err := &SyntaxError{Input: text, Msg: "unknown data type " + scan.Clip(text)}
	if _, wrong := numpyDType("", word); wrong == nil {
		err.Hint = "a number counts bits here; for NumPy's bytes write <" + word
		return err
	}
	var known, longer []string // spellings, and types of those that begin with the word
	for i := range dtypes {
		own := strings.Fields(dtypes[i].Others)
		for _, s := range dtypes[i].spellings() {
			if s != "" {
				own = append(own, s)
			}
		}
		known = append(known, own...)
		begins := func(s string) bool { return strings.HasPrefix(strings.ToLower(s), word) }
		if len(word) > 1 && slices.ContainsFunc(own, begins) {
			longer = append(longer, dtypes[i].Name)
		}
	}
	if len(longer) > 1 {
		err.Hint = "one of " + strings.Join(longer, ", ")
		return err
	}
	err.Hint = "such as float32, float16, bf16, int8, u4, bool"
	return err.DidYouMean(text, cmp.Or(strings.Join(longer, ""), scan.Likely(word, known)))
}
