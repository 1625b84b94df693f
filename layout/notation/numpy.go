package notation

import (
	"fmt"
	"strings"

	"layoutcalc/layout"
)

// numpyCalls are the functions that say shapes, and the names of their arguments.
var numpyCalls = [...]struct {
	name      string
	arguments []string
}{
	{"as_strided", []string{"x", "shape", "strides"}},
	{"ndarray", []string{"shape", "dtype", "buffer", "offset", "strides", "order"}},
	{"empty", []string{"shape", "dtype", "order"}},
	{"zeros", []string{"shape", "dtype", "order"}},
	{"ones", []string{"shape", "dtype", "order"}},
}

// numpyArguments gives the arguments of a call their names, none when it is not known.
func numpyArguments(call value) []entry {
	args, _ := call.arguments('(')
	for _, c := range numpyCalls {
		if c.name == call.last() {
			return named(args, c.arguments...)
		}
	}
	return nil
}

// fitsNumPy knows NumPy's module, and the names of its arguments.
func fitsNumPy(text string) bool {
	return strings.Contains(text, "np.") || strings.Contains(text, "numpy.") || isPair(text) ||
		strings.Contains(text, "shape") && strings.Contains(text, "strides") && !fitsInterface(text) && !fitsDLPack(text)
}

// readNumPy reads a call that makes an array, or a shape and strides in bytes.
func readNumPy(r *reader) {
	items := r.entries(0)
	if len(items) == 0 || r.err != nil {
		return
	}
	call := items[0]
	if call.key != "" || call.kind != word {
		r.numpyFields(0, named(items, "shape", "strides", "dtype"))
		return
	}
	args := numpyArguments(call.value)
	if args == nil || len(items) > 1 {
		r.fail(call.at, "such as np.lib.stride_tricks.as_strided(x, (2, 3), (20, 4))", "%q is no call that says a shape and strides", call.word)
		return
	}
	if x, ok := field(args, "x"); ok && x.kind == word {
		args = append(args, r.viewed(x)...)
	}
	r.numpyFields(call.at, args)
}

// viewed returns the type and the first element of the array that as_strided looks at:
// np.empty(13, '<f4')[5:].
func (r *reader) viewed(x value) []entry {
	var fields []entry
	if dtype, ok := field(numpyArguments(x), "dtype"); ok {
		fields = append(fields, entry{"dtype", dtype})
	}
	if slice, ok := x.arguments('['); ok && len(slice) == 1 {
		fields = append(fields, entry{"first", value{at: slice[0].at, kind: number, n: slice[0].n}})
	}
	return fields
}

// numpyFields makes a tensor of what the named values say. Strides and offset are in bytes.
func (r *reader) numpyFields(at int, args []entry) {
	shape, ok := field(args, "shape")
	if !ok {
		r.fail(at, "such as shape=(2, 3), strides=(20, 4), dtype='<f4'", "there is no shape here")
		return
	}
	if shape.kind == number {
		shape = value{at: shape.at, kind: list, list: []entry{{value: shape}}}
	}
	sizes := r.ints(shape, "sizes")
	dtype, typed := r.typeField(args, "dtype", "typestr", "descr")
	strides := r.numpyOrder(args, sizes)
	if bytes, ok := field(args, "strides"); ok && !bytes.isNull() {
		strides = r.ints(bytes, "strides")
		for i := range strides {
			strides[i] = r.elements(bytes, strides[i], dtype)
		}
	}
	base := int64(0)
	if offset, ok := field(args, "offset"); ok {
		base = r.elements(offset, r.int(offset, "the offset"), dtype)
	}
	if first, ok := field(args, "first"); ok {
		base = first.n
	}
	r.strided(shape.at, Descriptor{Typed: typed}, dtype, base, sizes, strides)
}

// numpyOrder returns the strides of an array in C order, or in Fortran's if a field says so.
func (r *reader) numpyOrder(args []entry, sizes []int64) []int64 {
	order, _ := field(args, "order")
	fortran, _ := field(args, "fortran_order")
	if order.word == "F" || fortran.word == "True" {
		return r.columnMajor(sizes)
	}
	return r.rowMajor(sizes)
}

// elements turns a number of bytes into one of elements.
func (r *reader) elements(v value, bytes int64, dtype layout.DType) int64 {
	item := dtype.Bits() / 8
	if item == 0 || dtype.Bits()%8 != 0 {
		r.fail(v.at, "-t int8 counts bytes", "elements of %d bits are not counted in bytes", dtype.Bits())
		return 0
	}
	if bytes%item != 0 {
		r.fail(v.at, "-t gives the type if it is another one", "%d bytes are no multiple of the %d of a %s", bytes, item, dtype)
	}
	return bytes / item
}

// numpyStrides returns the type of the tensor and its strides in bytes, or says why NumPy has no
// such array.
func numpyStrides(t layout.Tensor) (dtype string, bytes []int64, err error) {
	strides, err := terms{base: true, zero: true, negative: true, rank: 64}.strides(t)
	if err != nil {
		return "", nil, err
	}
	dtype, err = spelled(t, t.DType().Info().NumPy)
	if err != nil {
		return "", nil, err
	}
	if low, _ := t.Layout().Bounds(); low < 0 {
		return "", nil, lost(t, "the buffer starts at offset 0, and an element lies at %d", low)
	}
	for i := range strides {
		strides[i] *= t.DType().Bits() / 8
	}
	return dtype, strides, nil
}

// writeNumPy writes the call that makes such an array.
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
	return fmt.Sprintf("np.lib.stride_tricks.as_strided(np.empty(%d, '%s')%s, %s, %s)", max(high+1, base), dtype, first, tuple(t.Layout().Sizes()), tuple(strides)), nil
}

// fitsInterface knows the keys of the dictionaries that describe arrays: those of
// __array_interface__ and of the header of an .npy file.
func fitsInterface(text string) bool {
	return strings.Contains(text, "typestr") || strings.Contains(text, "fortran_order")
}

// readInterface reads such a dictionary.
func readInterface(r *reader) {
	items := r.entries(0)
	if len(items) != 1 || items[0].kind != list {
		r.fail(0, "such as {'shape': (2, 3), 'typestr': '<f4'}", "a dictionary in braces is expected")
		return
	}
	fields := items[0].list
	if descr, ok := field(fields, "descr"); ok && descr.kind == list {
		r.fail(descr.at, "", "the elements are structures: they have no single type")
	}
	if mask, ok := field(fields, "mask"); ok && !mask.isNull() {
		r.skip("the mask")
	}
	r.numpyFields(items[0].at, fields)
}

// writeInterface writes the dictionary, with strides even where None would do.
func writeInterface(t layout.Tensor) (string, error) {
	dtype, strides, err := numpyStrides(t)
	if err != nil {
		return "", err
	}
	offset := ""
	if base := t.Layout().Base(); base != 0 {
		offset = fmt.Sprintf(", 'offset': %d", base*t.DType().Bits()/8)
	}
	return fmt.Sprintf("{'shape': %s, 'typestr': '%s', 'strides': %s%s, 'version': 3}", tuple(t.Layout().Sizes()), dtype, tuple(strides), offset), nil
}

// numpyBytes is what nbytes says: elements, whether they share storage or not.
func numpyBytes(t layout.Tensor) ([]Size, error) {
	n := t.Layout().Elements()
	return []Size{{"nbytes", n, t.Bytes(n)}}, nil
}
