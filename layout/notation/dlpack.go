package notation

import (
	"fmt"
	"strconv"
	"strings"

	"layoutcalc/layout"
)

// dlpackFields are the members of DLTensor, in order.
var dlpackFields = [...]string{"data", "device", "ndim", "dtype", "shape", "strides", "byte_offset"}

// dlpackTypes are the codes of DLDataType with what follows kDL in C, the bits, and the type they mean.
var dlpackTypes = [...]struct {
	code    int64
	name    string
	bits    int64
	meaning string
}{
	{0, "Int", 2, "int2"}, {0, "Int", 4, "int4"}, {0, "Int", 8, "int8"}, {0, "Int", 16, "int16"},
	{0, "Int", 32, "int32"}, {0, "Int", 64, "int64"},
	{1, "UInt", 2, "uint2"}, {1, "UInt", 4, "uint4"}, {1, "UInt", 8, "uint8"}, {1, "UInt", 16, "uint16"},
	{1, "UInt", 32, "uint32"}, {1, "UInt", 64, "uint64"},
	{2, "Float", 16, "float16"}, {2, "Float", 32, "float32"}, {2, "Float", 64, "float64"},
	{4, "Bfloat", 16, "bfloat16"},
	{5, "Complex", 32, "complex32"}, {5, "Complex", 64, "complex64"}, {5, "Complex", 128, "complex128"},
	{6, "Bool", 8, "bool"},
	{7, "Float8_e3m4", 8, "float8_e3m4"}, {8, "Float8_e4m3", 8, "float8_e4m3"},
	{9, "Float8_e4m3b11fnuz", 8, "float8_e4m3b11fnuz"},
	{10, "Float8_e4m3fn", 8, "float8_e4m3fn"}, {11, "Float8_e4m3fnuz", 8, "float8_e4m3fnuz"},
	{12, "Float8_e5m2", 8, "float8_e5m2"},
	{13, "Float8_e5m2fnuz", 8, "float8_e5m2fnuz"}, {14, "Float8_e8m0fnu", 8, "float8_e8m0fnu"},
	{17, "Float4_e2m1fn", 4, "float4_e2m1fn"},
}

func fitsDLPack(text string) bool {
	return hasAny(text, "DLTensor", "byte_offset", "kDL") ||
		strings.Contains(text, `"shape"`) && strings.Contains(text, `"dtype"`)
}

// fitsDLPackC and fitsDLPackJSON share the texts, so that none is read twice: readDLPack reads
// both forms. JSON has quotes about its keys.
func fitsDLPackC(text string) bool { return !strings.Contains(text, `"shape"`) && fitsDLPack(text) }

func fitsDLPackJSON(text string) bool { return strings.Contains(text, `"shape"`) && fitsDLPack(text) }

// readDLPack reads a DLTensor as C or JSON writes it.
func readDLPack(r *reader) {
	all := r.declarations()
	names := scopeOf(all)
	for at, b := range all {
		if b.value.kind != list {
			continue
		}
		fields := b.value.list
		if inner, ok := field(fields, "dl_tensor"); ok {
			fields = inner.list
		}
		if _, ok := field(fields, "shape"); ok || strings.Contains(b.kind, "DLTensor") {
			r.dlTensor(b.name, b.value.at, named(fields, dlpackFields[:]...), names.before(at))
		}
	}
}

// dlTensor makes a tensor of the members of a DLTensor. Strides may be missing, byte_offset is in bytes.
func (r *reader) dlTensor(name string, at int, fields []entry, names scope) {
	shape, ok := field(fields, "shape")
	if !ok {
		r.fail(at, `such as {"shape": [2, 3], "strides": [5, 1], "dtype": [2, 32, 1]}`, "the shape is missing")
		return
	}
	r.onlyKnown(fields, dlpackFields[:], "manager_ctx", "deleter", "flags")
	var sizes []int64
	if !shape.isNull() {
		sizes = r.pointer(shape, name, "shape", names)
	}
	strides := r.rowMajor(sizes)
	if v, ok := field(fields, "strides"); ok && !v.isNull() {
		strides = r.pointer(v, name, "strides", names)
	}
	if v, ok := field(fields, "ndim"); ok && v.kind == number &&
		(v.n != int64(len(sizes)) || v.n != int64(len(strides))) {
		r.fail(v.at, "", "ndim is %d, the arrays have %d sizes and %d strides", v.n, len(sizes), len(strides))
	}
	dtype, typed := r.dlType(fields)
	base := int64(0)
	if v, ok := field(fields, "byte_offset"); ok {
		base = r.byteOffset(names.resolve(v), dtype)
	}
	r.strided(shape.at, Descriptor{Name: name, Typed: typed}, dtype, base, sizes, strides)
}

// byteOffset turns bytes into elements. Those of less than 8 bits share a byte.
func (r *reader) byteOffset(v value, dtype layout.DType) int64 {
	bytes := r.int(v, "byte_offset")
	if bits := dtype.Bits(); 0 < bits && bits < 8 {
		return r.times(bytes, 8/bits)
	}
	if bytes == 0 {
		return 0
	}
	return r.elements(v, bytes, dtype)
}

// dlType reads {code, bits, lanes}, where the code may be a name, or the name of a type.
func (r *reader) dlType(fields []entry) (layout.DType, bool) {
	v, ok := field(fields, "dtype")
	v = v.inside("{") // (DLDataType){...}
	if !ok || v.kind != list {
		return r.typeField(fields, "dtype")
	}
	parts := named(v.list, "code", "bits", "lanes")
	code, _ := field(parts, "code")
	bits, _ := field(parts, "bits")
	if lanes, ok := field(parts, "lanes"); ok && lanes.n != 1 {
		r.fail(lanes.at, "", "elements of %d lanes are vectors, which no type here is", lanes.n)
	}
	code, bits = code.character(), bits.character()
	name := strings.TrimPrefix(code.last(), "kDL")
	for i := range dlpackTypes {
		t := &dlpackTypes[i]
		if bits.n == t.bits && (code.kind == number && code.n == t.code || name == t.name) {
			d, err := layout.ParseDType(t.meaning)
			r.within(v.at, err)
			return d, true
		}
	}
	r.fail(v.at, "such as {kDLFloat, 32, 1} or [2, 32, 1]", "DLPack has no such type")
	return 0, true
}

// character returns the number that a debugger prints as a character: '\x02', '\002', ' '.
func (v value) character() value {
	if v.kind != str {
		return v
	}
	text := v.word
	if digits, ok := strings.CutPrefix(text, `\`); ok && digits != "" && digits[0] >= '0' && digits[0] <= '7' {
		text = `\` + strings.Repeat("0", max(3-len(digits), 0)) + digits
	}
	if c, _, rest, err := strconv.UnquoteChar(text, '\''); err == nil && rest == "" {
		return value{at: v.at, kind: number, n: int64(c)}
	}
	return v
}

// dlpackNumbers returns what the members of a DLTensor are, or why the tensor has no DLTensor.
func dlpackNumbers(t layout.Tensor) (code int, strides []int64, offset int64, err error) {
	strides, err = terms{base: true, zero: true, negative: true}.strides(t)
	if err != nil {
		return 0, nil, 0, err
	}
	bytes, bits := t.BitOffset(t.Layout().Base())
	if bits != 0 {
		return 0, nil, 0, lost(t, "byte_offset counts whole bytes, and index 0 lies inside one")
	}
	for i := range dlpackTypes {
		if dlpackTypes[i].meaning == t.DType().String() {
			return i, strides, bytes, nil
		}
	}
	_, err = spelled(t, "")
	return 0, nil, 0, err
}

func writeDLPack(t layout.Tensor) (string, error) {
	code, strides, offset, err := dlpackNumbers(t)
	if err != nil {
		return "", err
	}
	n, kind := len(strides), dlpackTypes[code]
	arrays, pointers := "", "NULL, NULL"
	if n > 0 {
		arrays = fmt.Sprintf("int64_t shape[%d] = {%s};\nint64_t strides[%d] = {%s};\n", n,
			layout.JoinInts(t.Layout().Sizes(), ", "), n, layout.JoinInts(strides, ", "))
		pointers = "shape, strides"
	}
	return arrays + fmt.Sprintf("DLTensor tensor = {NULL, {kDLCPU, 0}, %d, {kDL%s, %d, 1}, %s, %d};", n, kind.name,
		kind.bits, pointers, offset), nil
}

func writeDLPackJSON(t layout.Tensor) (string, error) {
	code, strides, offset, err := dlpackNumbers(t)
	if err != nil {
		return "", err
	}
	kind := dlpackTypes[code]
	return fmt.Sprintf(`{"ndim": %d, "dtype": {"code": %d, "bits": %d, "lanes": 1}, "shape": [%s], "strides": [%s], `+
		`"byte_offset": %d}`,
		len(strides), kind.code, kind.bits, layout.JoinInts(t.Layout().Sizes(), ", "), layout.JoinInts(strides, ", "),
		offset), nil
}
