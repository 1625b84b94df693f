package notation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// dlpackStructs are the DLPack structs.
var dlpackStructs = literal.Signatures{
	"DLTensor(data=, device=, ndim=, dtype=, shape, strides=, byte_offset=, **)",
	"DLDataType(code, bits, lanes=1)",
}

// dlpackCodes are the names of DLDataTypeCode by number, without kDL.
var dlpackCodes = [...]string{
	0: "Int", "UInt", "Float", "OpaqueHandle", "Bfloat", "Complex", "Bool", "Float8_e3m4", "Float8_e4m3",
	"Float8_e4m3b11fnuz", "Float8_e4m3fn", "Float8_e4m3fnuz", "Float8_e5m2", "Float8_e5m2fnuz", "Float8_e8m0fnu",
	17: "Float4_e2m1fn",
}

// readDLPack reads a DLTensor in C or JSON.
func readDLPack(of *reader) {
	r := structReader{of}
	all := r.declarations()
	names := literal.ScopeOf(all)
	read := map[int]string{}
	for at, b := range all {
		value := b.Value
		if value.Last() == "DLTensor" {
			value = value.Inside("(")
		}
		if value.Kind != literal.List {
			continue
		}
		list := []literal.Entry{literal.Of("", value)}
		if v := value.List; len(v) > 0 && v[0].Key == "" && v[0].Kind == literal.List && v[0].Open == '{' {
			list = v // a list of dictionaries
		}
		for _, e := range list {
			fields := e.List
			if inner, ok := literal.Field(fields, "dl_tensor"); ok {
				fields = inner.List
			}
			if _, ok := literal.Field(fields, "shape"); ok || lexer.Like(b.Kind, "*DLTensor*") {
				r.dlTensor(b.Name, r.Bind(dlpackStructs, "DLTensor", e.At, fields), names.Before(at))
				read[at] = b.Name
			}
		}
	}
	r.statements(all, read, nil)
}

// readDLPackJSON reads the members of a DLTensor.
func readDLPackJSON(of *reader) {
	r := structReader{of}
	if readDLPack(of); r.Err == nil && len(r.found) == 0 {
		r.isForeign()
	}
}

// dlTensor makes a tensor from the members of a DLTensor. Strides may be missing; byte_offset is in bytes.
func (r structReader) dlTensor(name string, fields []literal.Entry, names literal.Scope) {
	if r.Err != nil {
		return
	}
	shape, _ := literal.Field(fields, "shape")
	if v, ok := literal.Field(fields, "name"); ok && v.Kind == literal.Str && name == "" {
		name = v.Word
	}
	var sizes []int64
	if !shape.IsNull() {
		sizes = r.pointer(shape, "shape", names)
	}
	strides := r.formatted(fields, sizes)
	if v, ok := literal.Field(fields, "strides"); ok && !v.IsNull() {
		strides = r.pointer(v, "strides", names)
	} else if strides == nil {
		strides = r.rowMajor(sizes)
	}
	if v, ok := literal.Field(fields, "ndim"); ok && v.Kind == literal.Number &&
		(v.N != int64(len(sizes)) || v.N != int64(len(strides))) {
		r.Fail(v.At, "", "ndim is %d, but the arrays have %s and %s", v.N, wording.Count(len(sizes), "size"),
			wording.Count(len(strides), "stride"))
	}
	dtype, typed := r.dlType(fields)
	base := int64(0)
	if v, ok := literal.Field(fields, "byte_offset"); ok {
		base = r.byteOffset(names.Resolve(v), dtype)
	}
	r.strided(shape.At, Descriptor{Name: name, Typed: typed}, dtype, base, sizes, strides)
	r.rest(fields, append(dlpackStructs.Keys("DLTensor"), "manager_ctx", "deleter", "flags", "name"), nil)
}

// byteOffset converts the member byte_offset to elements. Elements of less than 8 bits share bytes.
func (r *reader) byteOffset(v literal.Value, dtype layout.DType) int64 {
	bytes := r.Int(v, "byte_offset")
	if bits := dtype.Bits(); 0 < bits && bits < 8 {
		return r.times(bytes, 8/bits)
	}
	if bytes == 0 {
		return 0
	}
	return r.elements(v, bytes, dtype)
}

// dlType reads {code, bits, lanes} or the name of an element type. The code may be a name.
func (r structReader) dlType(fields []literal.Entry) (layout.DType, bool) {
	v, _ := literal.Field(fields, "dtype")
	v = v.Inside("{")                                                                   // (DLDataType){...}
	if v.Kind == literal.Str && lexer.Like(v.Word, "<*", ">*", "|*") && r.isForeign() { // a NumPy type
		return 0, true
	}
	if v.Kind != literal.List {
		return r.typeOf(v)
	}
	parts := r.Bind(dlpackStructs, "DLDataType", v.At, v.List)
	code, _ := literal.Field(parts, "code")
	bits, _ := literal.Field(parts, "bits")
	if lanes, _ := literal.Field(parts, "lanes"); lanes.N != 1 {
		r.Fail(lanes.At, "", "elements of %d lanes are vectors, and no type here is one", lanes.N)
	}
	code, bits = character(code), character(bits)
	name := strings.TrimPrefix(code.Last(), "kDL")
	if code.Kind == literal.Number && 0 <= code.N && code.N < int64(len(dlpackCodes)) {
		name = dlpackCodes[code.N]
	}
	for d := range layout.DTypes {
		if d.Bits() == bits.N && d.In(layout.DLPack) == name && name != "" {
			return d, true
		}
	}
	r.Fail(v.At, "such as {kDLFloat, 32, 1} or [2, 32, 1]", "DLPack has no such type")
	return 0, true
}

// character returns the number that a debugger prints as a character: '\x02', '\002', ' '.
func character(v literal.Value) literal.Value {
	if v.Kind != literal.Str {
		return v
	}
	text := v.Word
	if digits, ok := strings.CutPrefix(text, `\`); ok && digits != "" && digits[0] >= '0' && digits[0] <= '7' {
		text = `\` + strings.Repeat("0", max(3-len(digits), 0)) + digits
	}
	if c, _, rest, err := strconv.UnquoteChar(text, '\''); err == nil && rest == "" {
		return literal.Value{At: v.At, Kind: literal.Number, N: int64(c)}
	}
	return v
}

// dlpackNumbers returns the members of a DLTensor: the name of its type code, its strides, and the bytes before index
// 0. It fails if DLPack cannot express the tensor.
func dlpackNumbers(t layout.Tensor) (code string, strides []int64, offset int64, err error) {
	strides, err = terms{base: true, zero: true, negative: true}.strides(t)
	if err != nil {
		return "", nil, 0, err
	}
	bytes, bits := t.BitOffset(t.Layout().Base())
	if bits != 0 {
		return "", nil, 0, lost(t, "byte_offset counts whole bytes, and index 0 lies inside one")
	}
	code, err = spelled(t, layout.DLPack)
	return code, strides, bytes, err
}

func writeDLPack(t layout.Tensor) (string, error) {
	code, strides, offset, err := dlpackNumbers(t)
	if err != nil {
		return "", err
	}
	n := len(strides)
	arrays, pointers := "", "NULL, NULL"
	if n > 0 {
		arrays = fmt.Sprintf("int64_t shape[%d] = {%s};\nint64_t strides[%d] = {%s};\n", n,
			layout.JoinInts(t.Layout().Sizes(), ", "), n, layout.JoinInts(strides, ", "))
		pointers = "shape, strides"
	}
	return arrays + fmt.Sprintf("DLTensor tensor = {NULL, {kDLCPU, 0}, %d, {kDL%s, %d, 1}, %s, %d};", n, code,
		t.DType().Bits(), pointers, offset), nil
}

func writeDLPackJSON(t layout.Tensor) (string, error) {
	code, strides, offset, err := dlpackNumbers(t)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(`{"ndim": %d, "dtype": {"code": %d, "bits": %d, "lanes": 1}, "shape": [%s], "strides": [%s], `+
		`"byte_offset": %d}`,
		len(strides), slices.Index(dlpackCodes[:], code), t.DType().Bits(), layout.JoinInts(t.Layout().Sizes(), ", "),
		layout.JoinInts(strides, ", "), offset), nil
}
