package layout

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A DType is the type of an element. The zero DType is float32. Types of fewer than 8 bits are packed: adjacent
// elements share a byte.
type DType uint8

// words are the spellings of a type, one for each system, or empty if the system has no such type.
type words [columns]string

// A dtypeRow is a row of the table of types.
type dtypeRow struct {
	name string
	bits int64
	in   words
}

var dtypes = [...]dtypeRow{
	{"float32", 32, words{"FLOAT32", "float32", "f32", "<f4", "f32", "f32", "f32", "F32", "FLOAT", "F32",
		"float single fp32", "Float"}},
	{"float16", 16, words{"FLOAT16", "float16", "f16", "<f2", "f16", "f16", "f16", "F16", "FLOAT16", "F16",
		"half fp16 half_t float16_t", "Float"}},
	{"float64", 64, words{"FLOAT64", "float64", "f64", "<f8", "f64", "f64", "f64", "F64", "DOUBLE", "F64",
		"double fp64", "Float"}},
	{"bfloat16", 16, words{"", "bfloat16", "bf16", "", "bf16", "bf16", "bf16", "BF16", "BFLOAT16", "BF16", "bfloat16_t",
		"Bfloat"}},
	{"float8_e4m3fn", 8, words{"", "float8_e4m3fn", "f8e4m3fn", "", "f8_e4m3", "f8e4m3fn", "f8E4M3FN", "F8_E4M3",
		"FLOAT8E4M3FN", "", "fp8_e4m3 e4m3", "Float8_e4m3fn"}},
	{"float8_e5m2", 8, words{"", "float8_e5m2", "f8e5m2", "", "f8_e5m2", "f8e5m2", "f8E5M2", "F8_E5M2",
		"FLOAT8E5M2", "", "fp8_e5m2 e5m2", "Float8_e5m2"}},
	{"float8_e4m3fnuz", 8, words{"", "float8_e4m3fnuz", "f8e4m3fnuz", "", "", "f8e4m3fnuz", "f8E4M3FNUZ",
		"F8_E4M3FNUZ", "FLOAT8E4M3FNUZ", "", "", "Float8_e4m3fnuz"}},
	{"float8_e5m2fnuz", 8, words{"", "float8_e5m2fnuz", "f8e5m2fnuz", "", "", "f8e5m2fnuz", "f8E5M2FNUZ",
		"F8_E5M2FNUZ", "FLOAT8E5M2FNUZ", "", "", "Float8_e5m2fnuz"}},
	{"float8_e8m0fnu", 8, words{"", "float8_e8m0fnu", "f8e8m0fnu", "", "e8m0", "f8e8m0fnu", "f8E8M0FNU", "F8_E8M0",
		"FLOAT8E8M0", "", "", "Float8_e8m0fnu"}},
	{"float8_e4m3", 8, words{XLA: "f8e4m3", MLIR: "f8E4M3", DLPack: "Float8_e4m3"}},
	{"float8_e4m3b11fnuz", 8, words{XLA: "f8e4m3b11fnuz", MLIR: "f8E4M3B11FNUZ", DLPack: "Float8_e4m3b11fnuz"}},
	{"float8_e3m4", 8, words{XLA: "f8e3m4", MLIR: "f8E3M4", DLPack: "Float8_e3m4"}},
	{"float4_e2m1fn", 4, words{OneDNN: "f4_e2m1", XLA: "f4e2m1fn", MLIR: "f4E2M1FN",
		ONNX: "FLOAT4E2M1", Others: "fp4_e2m1 e2m1", DLPack: "Float4_e2m1fn"}},
	{"int64", 64, words{"INT64", "int64", "i64", "<i8", "s64", "s64", "i64", "I64", "INT64", "I64", "long si64",
		"Int"}},
	{"int32", 32, words{"INT32", "int32", "i32", "<i4", "s32", "s32", "i32", "I32", "INT32", "I32", "int si32", "Int"}},
	{"int16", 16, words{"INT16", "int16", "i16", "<i2", "", "s16", "i16", "I16", "INT16", "I16", "short si16", "Int"}},
	{"int8", 8, words{"INT8", "int8", "i8", "|i1", "s8", "s8", "i8", "I8", "INT8", "I8", "si8", "Int"}},
	{"uint64", 64, words{"UINT64", "uint64", "u64", "<u8", "", "u64", "ui64", "U64", "UINT64", "", "", "UInt"}},
	{"uint32", 32, words{"UINT32", "uint32", "u32", "<u4", "", "u32", "ui32", "U32", "UINT32", "", "", "UInt"}},
	{"uint16", 16, words{"UINT16", "uint16", "u16", "<u2", "", "u16", "ui16", "U16", "UINT16", "", "", "UInt"}},
	{"uint8", 8, words{"UINT8", "uint8", "u8", "|u1", "u8", "u8", "ui8", "U8", "UINT8", "", "byte", "UInt"}},
	{"int4", 4, words{"INT4", "", "", "", "s4", "s4", "i4", "", "INT4", "", "si4", "Int"}},
	{"uint4", 4, words{"UINT4", "", "", "", "u4", "u4", "ui4", "", "UINT4", "", "", "UInt"}},
	{"int2", 2, words{XLA: "s2", MLIR: "i2", ONNX: "INT2", Others: "si2", DLPack: "Int"}},
	{"uint2", 2, words{XLA: "u2", MLIR: "ui2", ONNX: "UINT2", DLPack: "UInt"}},
	{"bool", 8, words{"", "bool", "b8", "|b1", "boolean", "pred", "i1", "BOOL", "BOOL", "", "", "Bool"}},
	{"complex32", 32, words{PyTorch: "complex32", FX: "c32", MLIR: "complex<f16>", Others: "chalf",
		DLPack: "Complex"}},
	{"complex64", 64, words{"", "complex64", "c64", "<c8", "", "c64", "complex<f32>", "C64", "COMPLEX64", "",
		"cfloat", "Complex"}},
	{"complex128", 128, words{"", "complex128", "c128", "<c16", "", "c128", "complex<f64>", "", "COMPLEX128", "",
		"cdouble", "Complex"}},
	{"unknown", 0, words{DirectML: "UNKNOWN"}},
}

// dtypeAliases are lists of words that mean a type in one system, and a different one or nothing elsewhere.
var dtypeAliases = [...]struct {
	system      System
	words, name string
}{
	{Safetensors, "F4", "float4_e2m1fn"}, // NumPy's f4 is float32
	{NumPy, "?,bool_,bool8", "bool"}, {NumPy, "b,byte", "int8"}, {NumPy, "B,ubyte", "uint8"}, {NumPy, "h", "int16"},
	{NumPy, "H,ushort", "uint16"}, {NumPy, "i,intc", "int32"}, {NumPy, "I,uintc", "uint32"},
	{NumPy, "l,q,p,int,int_,int0,intp,longlong", "int64"},
	{NumPy, "L,Q,P,uint,uint0,uintp,ulong,ulonglong", "uint64"},
	{NumPy, "e", "float16"}, {NumPy, "f", "float32"}, {NumPy, "d,float,float_", "float64"},
	{NumPy, "int1,int2,int4", "int8"}, // of ml_dtypes, like the uint8 ones: NumPy and PyTorch store each in a byte
	{NumPy, "uint1,uint2,uint4,float4_e2m1fn,float6_e2m3fn,float6_e3m2fn", "uint8"},
	{PyTorch, "int1,int2,int3,int4,int5,int6,int7", "int8"},
	{PyTorch, "uint1,uint2,uint3,uint4,uint5,uint6,uint7,float4_e2m1fn_x2", "uint8"},
	{NumPy, "F,csingle,singlecomplex", "complex64"}, {NumPy, "D,complex,complex_,cfloat", "complex128"},
	{TorchScript, "Float", "float32"}, {TorchScript, "Double", "float64"}, {TorchScript, "Half", "float16"},
	{TorchScript, "BFloat16", "bfloat16"}, {TorchScript, "Long", "int64"}, {TorchScript, "Int", "int32"},
	{TorchScript, "Short", "int16"}, {TorchScript, "Char", "int8"}, {TorchScript, "Byte", "uint8"},
	{TorchScript, "Bool", "bool"}, {TorchScript, "ComplexFloat", "complex64"},
	{TorchScript, "ComplexDouble", "complex128"},
	{C, "float", "float32"}, {C, "double", "float64"}, {C, "half", "float16"}, {C, "bool", "bool"},
	{C, "int8_t", "int8"}, {C, "short,int16_t", "int16"}, {C, "int,signed,int32_t", "int32"},
	{C, "long,int64_t", "int64"}, {C, "unsigned char,uint8_t", "uint8"}, {C, "unsigned short,uint16_t", "uint16"},
	{C, "tfloat32_t", "float32"}, {C, "float_e4m3_t", "float8_e4m3fn"}, {C, "float_e5m2_t", "float8_e5m2"},
	{C, "unsigned int,unsigned,UINT,uint32_t", "uint32"}, {C, "unsigned long,uint64_t", "uint64"},
}

// dtypePrefixes are namespaces and prefixes of constants that may precede a spelling. The first ones belong to systems.
var dtypePrefixes = [...]string{
	"torch.", "np.", "numpy.", "ml_dtypes.", "jnp.", "tf.", "tensorproto.", "dml_tensor_data_type_", "dnnl_",
	"cudnn_data_", "miopen", "ggml_type_", "cached_torch_dtype_", "fe::", "cudnn_frontend::", "datatype_t::", "std::",
	"c10::", "at::", "torch::", "cutlass::", "cutlass.", "nvinfer1::", "scalartype::", "datatype::", "k",
}

var prefixSystems = [...]System{PyTorch, NumPy, NumPy, NumPy}

// DTypes yields every type.
func DTypes(yield func(DType) bool) {
	for i := range dtypes {
		if !yield(DType(i)) {
			return
		}
	}
}

// In returns the spelling of the type in a system, or an empty string if the system has no such type.
func (d DType) In(s System) string { return dtypes[d].in[s] }

// String returns the type's name.
func (d DType) String() string { return dtypes[d].name }

// Bits returns the size of an element in bits; 0 for DirectML's UNKNOWN.
//
//go:noinline
func (d DType) Bits() int64 { return dtypes[d].bits }

// DTypeIn returns the type that a word means in a system, and possibly only there: its spelling there, respecting case,
// or an alias.
func DTypeIn(s System, word string) (d DType, ok bool) {
	for i := range dtypes {
		if s < columns && dtypes[i].in[s] == word && word != "" {
			return DType(i), true
		}
	}
	return aliasOf(s, word)
}

// aliasOf returns the type of an alias.
func aliasOf(s System, word string) (DType, bool) {
	for _, a := range dtypeAliases {
		if a.system == s && hasWord(a.words, word) {
			return dtypeOf(a.name)
		}
	}
	return 0, false
}

// hasWord reports whether a comma-separated list contains the word.
func hasWord(list, word string) bool {
	for item := range strings.SplitSeq(list, ",") {
		if item == word {
			return true
		}
	}
	return false
}

// DTypeOf returns a type of the given number of bits for elements of unknown type: an unsigned integer if there is one.
// It reports false if no type has that size.
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

// SwapUnit returns the number of bytes to reverse together in big-endian elements of the type: half an element of a
// complex type, or 0 for units of one byte.
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

// ParseDType reads a type in the spelling of any system, ignoring case. A number counts bits, but after the byte order
// of a NumPy typestr (<i4) it counts bytes.
func ParseDType(text string) (DType, error) {
	d, _, err := Others.ReadDType(text)
	return d, err
}

// ReadDType reads a type in the spelling of the system, or like [ParseDType] if the system has no such word. A
// namespace before the word, such as np., names another system. The note is about types that the system stores in whole
// bytes.
func (s System) ReadDType(text string) (d DType, note string, err error) {
	s, word := s.scope(strings.TrimSpace(text))
	d, ok := s.lookup(word)
	switch {
	case !ok && s == NumPy && isTypestr(word):
		msg := "NumPy's " + wording.Clip(text) + " is not a type of numbers here"
		err = &SyntaxError{Input: text, Msg: msg, Hint: "such as <f4, <f2, <i8, |u1, |b1"}
	case !ok:
		err = unknownType(text, strings.ToLower(word))
	case d.Bits() == 8 && strings.ContainsAny(word, "1234567"):
		if _, isAlias := aliasOf(s, word); isAlias {
			note = "each " + word + " takes a whole byte, and is read as " + d.String()
		}
	}
	return d, note, err
}

// byteOrders may start a NumPy typestr.
const byteOrders = "<>=|"

// scope returns the system that a namespace or a byte order names, or otherwise s, and the word after namespaces and
// prefixes.
func (s System) scope(text string) (System, string) {
	r := lexer.Scanner{In: text}
	if r.Take("tensor(") && text[len(text)-1] == ')' { // an ONNX type: tensor(float16)
		text = text[:len(text)-1]
	} else {
		r.Pos = 0
	}
	for i, prefix := range dtypePrefixes {
		if r.Take(prefix) && i < len(prefixSystems) {
			s = prefixSystems[i]
		}
	}
	if c := r.Peek(); c != 0 && strings.IndexByte(byteOrders, c) >= 0 {
		s = NumPy
	}
	return s, text[r.Pos:]
}

// lookup returns the type with a spelling in the system, or in any.
func (s System) lookup(word string) (DType, bool) {
	if s == NumPy {
		kind := strings.TrimLeft(word, byteOrders)
		for i := range dtypes {
			if n := dtypes[i].in[NumPy]; n != "" && n[1:] == kind {
				return DType(i), true
			}
		}
		if isTypestr(word) {
			d, ok := aliasOf(NumPy, kind)
			return d, ok && len(kind) == 1
		}
	}
	if d, ok := DTypeIn(s, word); ok {
		return d, true
	}
	return dtypeOf(strings.ToLower(word))
}

// isTypestr reports whether only NumPy uses a word: a letter, a byte order and more, or a type of long doubles,
// strings, objects, structures or dates, which are not in the table.
func isTypestr(word string) bool {
	return len(word) < 2 || strings.IndexByte(byteOrders, word[0]) >= 0 || word == "f16" || word == "c32" ||
		strings.IndexByte("SUOVMma", word[0]) >= 0 && strings.Trim(word[1:], "0123456789") == ""
}

// IsDType reports whether a word is a spelling of a type.
func IsDType(text string) bool { return Others.HasDType(text) }

// HasDType reports whether [System.ReadDType] accepts text. It is faster, because it does not compose an error.
func (s System) HasDType(text string) bool {
	s, word := s.scope(strings.TrimSpace(text))
	_, ok := s.lookup(word)
	return ok
}

// dtypeLetters are the first letters of all spellings. Most words that are not types start with another letter.
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

// has reports whether a word in lower case is a spelling of the type in any system, excluding typestrs and DLPack.
func (t *dtypeRow) has(word string) bool {
	if t.name == word {
		return true
	}
	for _, s := range t.in[:DLPack] {
		if len(s) == len(word) && s[0]|0x20 == word[0] && strings.EqualFold(s, word) {
			return true
		}
	}
	others := t.in[Others]
	return others != "" && strings.Contains(others, word) && slices.Contains(strings.Fields(others), word)
}

// unknownType returns the error for an unknown type, with a hint that suggests known ones.
func unknownType(text, word string) error {
	err := &SyntaxError{Input: text, Msg: "unknown element type " + wording.Clip(text)}
	if _, ok := NumPy.lookup("<" + word); ok && len(word) > 1 {
		err.Hint = "a number counts bits here; for NumPy's bytes write <" + word
		return err
	}
	kind, count, _ := strings.Cut(word, "x")
	if d, ok := dtypeOf(kind); ok && strings.Contains(" 2 3 4 8 16 32 64 128 ", " "+count+" ") {
		err.Msg += fmt.Sprintf(": a vector of %s %v, which is an axis more, or channels in blocks", count, d)
		err.Hint = "such as layoutcalc size 1x64x56x56 NCHW" + count + "c -t " + d.String()
		return err
	}
	var known, longer []string // spellings, and types that start with the word
	for i := range dtypes {
		own := append(strings.Fields(dtypes[i].in[Others]), dtypes[i].name)
		for system, s := range dtypes[i].in[:Others] {
			if s != "" && System(system) != NumPy {
				own = append(own, s)
			}
		}
		known = append(known, own...)
		begins := func(s string) bool { return wording.Begins(strings.ToLower(s), word) }
		if len(word) > 1 && slices.ContainsFunc(own, begins) {
			longer = append(longer, dtypes[i].name)
		}
	}
	for b := range Blocks {
		known = append(known, strings.ToLower(b.Name))
	}
	if len(longer) > 1 {
		err.Hint = "one of " + strings.Join(longer, ", ")
		return err
	}
	err.Hint = "such as float32, float16, bf16, int8, u4, bool"
	if d, ok := DTypeIn(NumPy, text); ok {
		err.Hint = "NumPy's " + text + " is " + d.String()
		return err
	}
	return err.DidYouMean(text, cmp.Or(strings.Join(longer, ""), wording.Likely(word, known)))
}
