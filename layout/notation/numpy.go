package notation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// numpyFunctions are the functions that make arrays.
var numpyFunctions = literal.Signatures{
	"as_strided(x, shape=, strides=, **)",
	"ndarray(shape, dtype=None, buffer=, offset=, strides=, order=, **)",
	"empty zeros ones(shape, dtype=None, order=, **)",
	"full(shape, fill_value, dtype=None, order=, **)",
	"arange(stop, *, dtype=int64, **)",
	"arange(start, stop, step=, dtype=int64, **)",
	"array(data, dtype=None, **)",
	"matrix(data, dtype=None, copy=, *, ndmin=2)",
	"memmap(filename, dtype=uint8, mode=, *, shape, order=)",
	"eye(N, M=None, k=, dtype=None, order=, **)",
	"identity(N, dtype=None, **)",
	"tri(N, M=None, k=, dtype=None, **)",
	"hamming hanning bartlett blackman(M)",
	"linspace(start, stop, num=50, endpoint=, retstep=, dtype=None, **)",
	"logspace(start, stop, num=50, endpoint=, base=, dtype=None, **)",
	"rand randn(*shape)", // of np.random, as are the next ones
	"random(size, *, dtype=None)",
	"randint(low, high=, size=, dtype=int64)",
	"normal uniform(low=, high=, size=, dtype=None, **)",
}

// readNumPy reads calls that make arrays, with the steps after them, or a shape and strides in bytes.
func readNumPy(of *reader) {
	r := arrayReader{of}
	r.Python = true
	if (&pythonReader{reader: of}).program() {
		return
	}
	if r.isInfo() {
		r.numpyFields("", 0, r.info())
		return
	}
	r.readLog(saysBytes, func(name string, at int, fields []literal.Entry) {
		names := map[string]string{"size": "shape", "stride": "strides", "storage_offset": "offset"}
		for i, e := range fields {
			fields[i].Key = cmp.Or(names[e.Key], e.Key)
		}
		r.numpyFields(name, at, fields)
	})
}

// isInfo reports whether the input is the output of numpy.info.
func (r *reader) isInfo() bool { return r.Is("class") && r.IsAt(1, ":") }

// info returns the fields in the output of numpy.info that a layout holds. The output has one KEY: VALUE per line.
func (r arrayReader) info() []literal.Entry {
	var fields []literal.Entry
	for !r.Done() {
		at := r.Pos
		key := r.Span(func(c byte) bool { return c != ':' && c != '\n' })
		r.TakeHere(":")
		r.Space()
		switch key {
		case "type": // without quotes, >f8
			dtype := literal.Value{At: r.Pos, Kind: literal.Str, Word: r.NextWord()}
			fields = append(fields, literal.Of("dtype", dtype))
			r.Pos += len(dtype.Word)
		case "shape", "strides":
			fields = append(fields, literal.Of(key, r.value()))
		case "itemsize", "contiguous", "fortran":
			fields = append(fields, literal.Of(key, r.value()))
		case "class", "aligned", "data pointer", "byteorder", "byteswap":
			r.Next()
		default:
			r.Pos = at
			r.Fail(at, "remove the line", "%q is not what numpy.info prints", r.In[at:r.LineEnd()])
		}
		if t := r.Token(); t.Kind != lexer.End && t.Gap != lexer.Line {
			r.Unexpected("unexpected text %s", r.Rest())
		}
	}
	return fields
}

// numpyCall makes a tensor from the arguments of a call. The default element type is float64.
func (r arrayReader) numpyCall(name string, at int, function string, args []literal.Entry) {
	for i, e := range args {
		if e.Key == "size" {
			args[i].Key = "shape"
		}
	}
	_, stepped := literal.Field(args, "strides")
	switch x, _ := literal.Field(args, "x"); {
	case function != "as_strided":
		if _, ok := literal.Field(args, "dtype"); !ok {
			args = append(args, literal.Of("dtype", literal.Value{At: at, Kind: literal.Word, Word: "float64"}))
		}
	case x.Next != nil:
		r.Fail(x.At, "such as np.empty(13, '<f4')[5:]", "it is not known where this slice starts")
	case !stepped:
		r.Fail(at, "such as strides=(20, 4)", "without strides the array keeps its own, and they are not in the text")
	}
	r.numpyFields(name, at, withoutElements(args))
}

// numpyUsed are the names of arguments that determine the offsets of the elements of an array, and of arguments that do
// not affect them.
var numpyUsed = [...]string{
	"shape", "strides", "offset", "dtype", "typestr", "order", "descr", "fortran_order", "data", "buffer", "mask",
	"version", "x", "subok", "like", "writeable",
}

// numpyFields makes a tensor from named values. Strides and the offset are in bytes.
func (r arrayReader) numpyFields(name string, at int, args []literal.Entry) {
	if r.Err != nil {
		return
	}
	shape, ok := literal.Field(args, "shape")
	if !ok {
		r.Fail(at, "such as shape=(2, 3), strides=(20, 4), dtype='<f4'", "the shape is missing")
		return
	}
	if shape.Kind == literal.Number {
		shape = literal.Value{At: shape.At, Kind: literal.List, List: []literal.Entry{{Value: shape}}}
	}
	sizes := r.Ints(shape, "sizes")
	dtype, typed := r.numpyType(args)
	strides := r.numpyOrder(args, sizes)
	if v, ok := literal.Field(args, "strides"); ok && !v.IsNull() {
		if v.Kind == literal.List && len(v.List) != len(sizes) {
			r.Fail(shape.At, "one stride for each size", "%s but %s",
				wording.Count(len(sizes), "size"), wording.Count(len(v.List), "stride"))
		}
		r.needType("strides", v, typed)
		stated := r.Ints(v, "strides")
		for i := range stated {
			stated[i] = r.elements(v, stated[i], dtype)
		}
		for _, key := range [...]string{"order", "fortran_order"} {
			if order, ok := literal.Field(args, key); ok && !isPlain(order) {
				r.agree(literal.Of(key, order), sizes, strides, stated)
			}
		}
		strides = stated
	}
	base := int64(0)
	if v, ok := literal.Field(args, "offset"); ok {
		r.needType("offset", v, typed)
		base = r.elements(v, r.Int(v, "the offset"), dtype)
	}
	r.strided(shape.At, Descriptor{Name: name, Typed: typed}, dtype, base, sizes, strides)
	r.rest(args, numpyUsed[:], nil)
}

// needType rejects strides or an offset in bytes if the element type is unknown. A value of 0 needs no type.
func (r arrayReader) needType(key string, v literal.Value, typed bool) {
	if isZero := v.Kind == literal.Number && v.N == 0; !isZero && !v.IsNull() && !typed && !r.options.Typed {
		r.Fail(v.At, "-t gives the type, or dtype in the text",
			"%s in bytes need the type of the elements, which the text does not say", key)
	}
}

// BigEndian is the note about elements with the most significant byte first, which a layout does not hold.
const BigEndian = "the byte order: the most significant byte comes first"

// numpyType reads the element type. Strings use NumPy's names only.
func (r arrayReader) numpyType(args []literal.Entry) (layout.DType, bool) {
	v, _ := literal.Field(args, "dtype", "typestr", "descr")
	if inner, ok := v.Arguments('('); ok && v.Last() == "dtype" && len(inner) > 0 {
		v = inner[0].Value
	}
	if v.Kind == literal.List {
		v = r.onlyType(v)
	}
	if v.Kind == literal.Number {
		r.Fail(v.At, "such as '<f4' or np.float32", "%d is not a type", v.N)
	}
	if v.Kind == literal.Str && len(v.Word) > 1 && lexer.IsLetter(v.Word[0]) && isOf(v.Word[1:], "0123456789") {
		v.Word = "<" + v.Word // not the f32 of other systems
	}
	dtype, typed := r.typeOf(v)
	if lexer.Like(v.Word, ">*") && layout.SwapUnit(dtype) > 0 {
		r.skip(BigEndian)
	}
	return dtype, typed
}

// numpyOrder returns the strides of an array in C order, or in Fortran order if a field requests it.
func (r arrayReader) numpyOrder(args []literal.Entry, sizes []int64) []int64 {
	order, _ := literal.Field(args, "order")
	letter := strings.ToUpper(order.Word)
	fortran, ok := literal.Field(args, "fortran_order")
	switch {
	case ok && fortran.Word != "True" && fortran.Word != "False":
		r.Fail(fortran.At, "True or False", "fortran_order is neither")
	case order.Kind != literal.Nothing && letter != "C" && letter != "F":
		r.Fail(order.At, "'C' or 'F'", "unknown order")
	case fortran.Word == "True" || letter == "F":
		return r.packed(sizes, true)
	}
	if strides := r.formatted(args, sizes); strides != nil {
		return strides
	}
	return r.rowMajor(sizes)
}

// inBytes converts strides from elements of whole bytes to bytes.
func inBytes(strides []int64, dtype layout.DType) {
	for i := range strides {
		strides[i] *= dtype.Bits() / 8
	}
}

// elements converts a number of bytes to elements.
func (r *reader) elements(v literal.Value, bytes int64, dtype layout.DType) int64 {
	item := dtype.Bits() / 8
	if item == 0 || dtype.Bits()%8 != 0 {
		r.Fail(v.At, "-t int8 counts bytes", "elements of %s are not counted in bytes",
			wording.Count(dtype.Bits(), "bit"))
		return 0
	}
	if bytes%item != 0 {
		r.Fail(v.At, "-t gives the type if it is another one", "%d is not a multiple of the %d bytes of a %s", bytes,
			item, dtype)
	}
	return bytes / item
}

// numpyStrides returns the type of the tensor and its strides in bytes, or an error if NumPy cannot express the tensor.
func numpyStrides(t layout.Tensor) (string, []int64, error) {
	strides, dtype, err := terms{base: true, zero: true, negative: true, rank: 64}.typed(t, layout.NumPy)
	if err != nil {
		return "", nil, err
	}
	if low, _ := t.Layout().Bounds(); low < 0 {
		return "", nil, lost(t, "the buffer starts at offset 0, and an element lies at %d", low)
	}
	inBytes(strides, t.DType())
	return dtype, strides, nil
}

func writeNumPy(t layout.Tensor) (string, error) {
	dtype, strides, err := numpyStrides(t)
	if err != nil {
		return "", err
	}
	_, high := t.Layout().Bounds()
	base, first := t.Layout().Base(), ""
	if base != 0 {
		first = fmt.Sprintf("[%d:]", base)
	}
	return fmt.Sprintf("np.lib.stride_tricks.as_strided(np.empty(%d, '%s')%s, %s, %s)", max(high+1, base), dtype, first,
		tuple(t.Layout().Sizes()), tuple(strides)), nil
}

func readInterface(of *reader) {
	r := arrayReader{of}
	items := r.Entries(0)
	if len(items) != 1 || items[0].Kind != literal.List {
		r.Fail(0, "such as {'shape': (2, 3), 'typestr': '<f4'}", "a dictionary in braces is expected")
		return
	}
	fields := slices.Clone(items[0].List)
	slices.Reverse(fields) // so that the last value of a repeated key counts
	for i, e := range fields {
		if e.Key == "" {
			r.Fail(e.At, "", "a value without a key")
		}
		if e.Key == "descr" && e.Kind == literal.List {
			fields[i].Value = r.onlyType(e.Value)
		}
	}
	r.numpyFields("", items[0].At, r.buffer(fields))
}

// onlyType returns the element type from a list with one field without a name, [(”, '<f4')], as NumPy prints all
// others.
func (r arrayReader) onlyType(descr literal.Value) literal.Value {
	if len(descr.List) == 1 {
		if parts := descr.List[0].List; len(parts) == 2 && parts[0].Kind == literal.Str && parts[0].Word == "" &&
			parts[1].Kind == literal.Str {
			return parts[1].Value
		}
	}
	r.Fail(descr.At, "", "the elements are structures: they have no single type")
	return descr
}

// buffer reads the fields about memory. If there is an address, which is the address of index 0, NumPy ignores the
// offset.
func (r arrayReader) buffer(fields []literal.Entry) []literal.Entry {
	if mask, ok := literal.Field(fields, "mask"); ok && !mask.IsNull() {
		r.skip("not read: the mask")
	}
	data, ok := literal.Field(fields, "data")
	if !ok || data.IsNull() {
		return fields
	}
	r.skip("not read: data, where the elements are")
	if _, ok := literal.Field(fields, "offset"); !ok || data.Kind != literal.List {
		return fields
	}
	r.skip("not read: offset, which NumPy ignores beside an address")
	return slices.DeleteFunc(fields, func(e literal.Entry) bool { return e.Key == "offset" })
}

// writeInterface writes the dictionary, with strides even if None is equivalent.
func writeInterface(t layout.Tensor) (string, error) {
	dtype, strides, err := numpyStrides(t)
	if err != nil {
		return "", err
	}
	offset := ""
	if base := t.Layout().Base(); base != 0 {
		offset = fmt.Sprintf(", 'offset': %d", base*(t.DType().Bits()/8))
	}
	return fmt.Sprintf("{'shape': %s, 'typestr': '%s', 'strides': %s%s, 'version': 3}", tuple(t.Layout().Sizes()),
		dtype, tuple(strides), offset), nil
}
