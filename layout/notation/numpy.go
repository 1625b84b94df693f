package notation

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
)

// numpyFunctions are the functions that say shapes, and the names of their arguments.
var numpyFunctions = [...]function{
	{"as_strided", []string{"x", "shape", "strides"}},
	{"ndarray", []string{"shape", "dtype", "buffer", "offset", "strides", "order"}},
	{"empty", []string{"shape", "dtype", "order"}},
	{"zeros", []string{"shape", "dtype", "order"}},
	{"ones", []string{"shape", "dtype", "order"}},
	{"full", []string{"shape", "fill_value", "dtype", "order"}},
	{"arange", []string{"start", "end", "step", "dtype"}},
}

// numpyTypes are words that mean another type in NumPy than elsewhere, or nothing there.
var numpyTypes = [...]struct{ word, meaning string }{
	{"uint", "uint64"}, {"intp", "int64"}, {"byte", "int8"}, {"bool_", "bool"},
}

// numpyArguments gives the arguments of a call their names, nil when the function is not known. Without
// a type it makes float64.
func (r *reader) numpyArguments(call value) []entry {
	names := argumentNames(numpyFunctions[:], call.last())
	if names == nil {
		return nil
	}
	args, _ := call.arguments('(')
	args = withoutNone(named(args, names...))
	if call.last() == "arange" {
		args = r.arange(call.at, args)
		for i := range args {
			if args[i].key == "size" {
				args[i].key = "shape"
			}
		}
	}
	args = r.full(args)
	if _, ok := field(args, "dtype"); !ok && slices.Contains(names, "dtype") {
		args = append(args, entry{"dtype", value{at: call.at, kind: word, word: "float64"}})
	}
	return args
}

func fitsNumPy(text string) bool {
	return hasAny(text, "np.", "numpy.") || isPair(text) ||
		strings.Contains(text, "shape") && strings.Contains(text, "strides") && !fitsInterface(text) &&
			!fitsDLPack(text)
}

// isNumPyCall is a [pythonCall]. Calls inside others do not count.
func isNumPyCall(text string, at int, inner bool) bool {
	path := dottedPath(text[at:])
	name, end := path[strings.LastIndexByte(path, '.')+1:], at+len(path)
	own := path == name || strings.HasPrefix(path, "np.") || strings.HasPrefix(path, "numpy.") || name == "as_strided"
	return !inner && own && end < len(text) && text[end] == '(' && argumentNames(numpyFunctions[:], name) != nil
}

// readNumPy reads calls that make arrays, with the steps after them, or a shape and strides in bytes.
func readNumPy(r *reader) {
	r.python = true
	if r.program(isNumPyCall, (*reader).numpyArray) {
		return
	}
	if strings.HasPrefix(r.In, "class:") {
		r.numpyFields("", 0, r.info())
		return
	}
	items := r.entries(0)
	if len(items) > 0 && r.err == nil {
		if call := items[0]; call.key == "" && call.kind == word {
			r.fail(call.at, "such as np.lib.stride_tricks.as_strided(x, (2, 3), (20, 4))",
				"%q is not a call that says a shape and strides", call.word)
		}
		r.once(items)
		r.numpyFields("", 0, named(items, "shape", "strides", "dtype"))
	}
	if r.err != nil && !isPair(r.In) {
		r.retold(func(name string, at int, fields []entry) {
			for i := range fields {
				switch fields[i].key {
				case "size":
					fields[i].key = "shape"
				case "stride":
					fields[i].key = "strides"
				}
			}
			r.numpyFields(name, at, fields)
		})
	}
}

// info returns what numpy.info prints of an array that a layout holds: KEY: VALUE, one a line.
func (r *reader) info() []entry {
	var fields []entry
	for rest := (piece{0, r.In}); rest.text != "" && r.err == nil; {
		var line piece
		line, rest = rest.cut('\n')
		key, text := line.cut(':')
		switch e := (entry{key: key.text}); key.text {
		case "type": // without quotes, >f8
			e = entry{"dtype", value{at: text.at, kind: str, word: strings.TrimSpace(text.text)}}
			fields = append(fields, e)
		case "shape", "strides":
			r.Pos = text.at
			r.operand(&e.value)
			fields = append(fields, e)
		case "byteorder": // which the type says
		case "class", "itemsize", "aligned", "contiguous", "fortran", "data pointer", "byteswap":
		default:
			if line.text = strings.TrimSpace(line.text); line.text != "" {
				r.fail(line.at, "leave the line out", "%q is not what numpy.info prints", line.text)
			}
		}
	}
	r.Pos = len(r.In)
	return fields
}

// numpyArray reads a call that says a shape; the name is of the variable that gets the array.
func (r *reader) numpyArray(name string) {
	call := value{at: r.Pos, kind: word, word: dottedPath(r.In[r.Pos:]), next: new(value)}
	r.Pos += len(call.word)
	r.bracketed(call.next)
	args := r.numpyArguments(call)
	for _, e := range args {
		if e.key == "" {
			r.fail(e.at, "", "this argument has no place in the call")
		}
	}
	if x, ok := field(args, "x"); ok && x.kind == word {
		args = append(args, r.viewed(x)...)
	}
	if _, ok := field(args, "strides"); !ok && call.last() == "as_strided" {
		r.fail(call.at, "such as strides=(20, 4)", "without strides, those of the array count, which are not known")
	}
	r.numpyFields(name, call.at, args)
}

// viewed returns the type and the first element of the array that as_strided looks at: np.empty(13, '<f4')[5:].
func (r *reader) viewed(x value) []entry {
	var fields []entry
	args := r.numpyArguments(x)
	if dtype, ok := field(args, "dtype"); ok {
		fields = append(fields, entry{"dtype", dtype})
	}
	slice, ok := x.arguments('[')
	if !ok {
		return fields
	}
	shape, known := field(args, "shape")
	if !known || shape.kind == list && len(shape.list) != 1 || len(slice) != 1 || slice[0].kind != formula ||
		slice[0].n < 0 {
		r.fail(x.at, "such as np.empty(13, '<f4')[5:]", "it is not known where this slice starts")
		return nil
	}
	return append(fields, entry{"first", value{at: slice[0].at, kind: number, n: slice[0].n}})
}

// numpyFields makes a tensor of what the named values say. Strides and offset are in bytes.
func (r *reader) numpyFields(name string, at int, args []entry) {
	if r.err != nil {
		return
	}
	shape, ok := field(args, "shape")
	if !ok {
		r.fail(at, "such as shape=(2, 3), strides=(20, 4), dtype='<f4'", "the shape is missing")
		return
	}
	r.onlyKnown(args, []string{"shape", "strides", "offset", "dtype", "typestr", "order"}, "descr", "fortran_order",
		"first", "data", "buffer", "mask", "version", "fill_value", "x", "subok", "like", "writeable")
	if shape.kind == number {
		shape = value{at: shape.at, kind: list, list: []entry{{value: shape}}}
	}
	sizes := r.ints(shape, "sizes")
	dtype, typed := r.numpyType(args)
	strides := r.numpyOrder(args, sizes)
	for _, key := range [...]string{"strides", "offset"} {
		if v, ok := field(args, key); ok && v.kind == list && len(v.list) != len(sizes) {
			r.fail(shape.at, "one stride for each size", "%d sizes and %d strides", len(sizes), len(v.list))
		}
		v, ok := field(args, key)
		if ok && !v.isNull() && (v.kind != number || v.n != 0) && !typed && !r.options.Typed {
			r.fail(v.at, "-t float64 gives it, or dtype='<f8' in the text",
				"%s in bytes need the type of the elements, which the text does not say", key)
			return
		}
	}
	if bytes, ok := field(args, "strides"); ok && !bytes.isNull() {
		strides = r.byteStrides(bytes, dtype)
	}
	base := int64(0)
	if offset, ok := field(args, "offset"); ok {
		base = r.elements(offset, r.int(offset, "the offset"), dtype)
	}
	if first, ok := field(args, "first"); ok {
		base = first.n
	}
	r.strided(shape.at, Descriptor{Name: name, Typed: typed}, dtype, base, sizes, strides)
}

// BigEndian notes of elements in that order of bytes that a layout does not hold it.
const BigEndian = "the byte order: the most significant byte comes first"

// numpyType reads the element type as NumPy means it: 'i4' counts bytes, and float is Python's.
func (r *reader) numpyType(args []entry) (layout.DType, bool) {
	v, _ := field(args, "dtype", "typestr", "descr")
	if inner, ok := v.arguments('('); ok && v.last() == "dtype" && len(inner) > 0 {
		v = inner[0].value
	}
	v = v.python()
	for _, t := range numpyTypes {
		if v.word == t.word || v.kind == word && v.last() == t.word {
			v.word = t.meaning
		}
	}
	if v.kind == number {
		r.fail(v.at, "such as '<f4' or np.float32", "%d is not a type", v.n)
	}
	if kind := strings.TrimLeft(v.word, "<>=|"); v.kind == str && len(kind) > 1 &&
		strings.Trim(kind[1:], "0123456789") == "" {
		if kind[0] < 'a' {
			r.fail(v.at+1, "such as <f4, <f2, <i8, |u1, |b1", "%s is not a type of numbers", v.word)
		}
		if kind == v.word {
			v.word = "<" + kind
		}
	}
	dtype, typed := r.typeField([]entry{{"dtype", v}}, "dtype")
	if strings.HasPrefix(v.word, ">") && layout.SwapUnit(dtype) > 0 {
		r.skip(BigEndian)
	}
	return dtype, typed
}

// numpyOrder returns the strides of an array in C order, or in Fortran's if a field says so.
func (r *reader) numpyOrder(args []entry, sizes []int64) []int64 {
	order, _ := field(args, "order")
	fortran, ok := field(args, "fortran_order")
	switch {
	case ok && fortran.word != "True" && fortran.word != "False":
		r.fail(fortran.at, "True or False", "fortran_order is neither")
	case order.kind != nothing && !strings.EqualFold(order.word, "C") && !strings.EqualFold(order.word, "F"):
		r.fail(order.at, "'C' or 'F'", "unknown order")
	case fortran.word == "True" || strings.EqualFold(order.word, "F"):
		return r.packed(sizes, true)
	}
	return r.rowMajor(sizes)
}

// byteStrides returns the strides of a list that counts bytes.
func (r *reader) byteStrides(v value, dtype layout.DType) []int64 {
	strides := r.ints(v, "strides")
	for i := range strides {
		strides[i] = r.elements(v, strides[i], dtype)
	}
	return strides
}

// inBytes turns strides of whole bytes into ones that count bytes.
func inBytes(strides []int64, dtype layout.DType) {
	for i := range strides {
		strides[i] *= dtype.Bits() / 8
	}
}

// elements turns a number of bytes into one of elements.
func (r *reader) elements(v value, bytes int64, dtype layout.DType) int64 {
	item := dtype.Bits() / 8
	if item == 0 || dtype.Bits()%8 != 0 {
		r.fail(v.at, "-t int8 counts bytes", "elements of %d bits are not counted in bytes", dtype.Bits())
		return 0
	}
	if bytes%item != 0 {
		r.fail(v.at, "-t gives the type if it is another one", "%d bytes are not a multiple of the %d of a %s", bytes,
			item, dtype)
	}
	return bytes / item
}

// numpyStrides returns the type of the tensor and its strides in bytes, or says why NumPy has no such array.
func numpyStrides(t layout.Tensor) (string, []int64, error) {
	strides, dtype, err := terms{base: true, zero: true, negative: true, rank: 64}.typed(t, t.DType().Info().NumPy)
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

// fitsInterface recognises the keys of the dictionaries that describe arrays: those of
// __array_interface__ and of the header of an .npy file.
func fitsInterface(text string) bool { return hasAny(text, "typestr", "fortran_order") }

func readInterface(r *reader) {
	items := r.entries(0)
	if len(items) != 1 || items[0].kind != list {
		r.fail(0, "such as {'shape': (2, 3), 'typestr': '<f4'}", "a dictionary in braces is expected")
		return
	}
	fields := slices.Clone(items[0].list)
	slices.Reverse(fields) // of a key that is given twice, the last counts
	for i, e := range fields {
		if e.key == "descr" && e.kind == list {
			fields[i].value = r.onlyType(e.value)
		}
	}
	r.numpyFields("", items[0].at, r.buffer(fields))
}

// onlyType returns the type of elements that are listed as structures of one field without a
// name, [(”, '<f4')], as NumPy prints all others.
func (r *reader) onlyType(descr value) value {
	if len(descr.list) == 1 {
		if parts := descr.list[0].list; len(parts) == 2 && parts[0].kind == str && parts[0].word == "" &&
			parts[1].kind == str {
			return parts[1].value
		}
	}
	r.fail(descr.at, "", "the elements are structures: they have no single type")
	return descr
}

// buffer notes what the fields say of the memory. Beside an address, which is that of index 0,
// NumPy ignores the offset.
func (r *reader) buffer(fields []entry) []entry {
	if mask, ok := field(fields, "mask"); ok && !mask.isNull() {
		r.skip("the mask")
	}
	data, ok := field(fields, "data")
	if !ok || data.isNull() {
		return fields
	}
	r.skip("data, where the elements are")
	return slices.DeleteFunc(fields, func(e entry) bool { return e.key == "offset" && data.kind == list })
}

// writeInterface writes the dictionary, with strides even where None would do.
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
