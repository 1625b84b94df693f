package notation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/shape"
)

// A fieldSense is what the name of a field next to the sizes of a tensor means for the layout.
type fieldSense uint8

// The senses. A name that no table lists may decide the layout, so a field of that name is an error.
const (
	unknownField  fieldSense = iota
	harmlessField            // cannot change the layout
	figureField              // follows from the tensor, see knownFigures
	formatField              // is PyTorch's memory format, see memoryFormat
	orderField               // decides the order of the axes, but changes nothing if the strides are stated too
	placeField               // decides where elements are, whether or not the strides are stated too
	windowField              // belongs to a convolution or a pool, and strides next to it do too
)

// fieldSenses lists patterns of names, as [fieldName] returns them, by sense. The first row that matches counts.
var fieldSenses = [...]struct {
	sense    fieldSense
	patterns []string
}{
	{formatField, []string{"*memoryformat", "*channelslast*"}},
	{harmlessField, []string{ // the tensor's name and origin
		"*name", "names", "label", "title", "id", "uid", "uuid", "dataid", "index", "idx", "key", "file", "path",
		"url", "tensor", "op", "optype", "operator", "opparams", "target", "role", "producer", "comment", "doc*",
		"description", "note", "notes", "version", "class", "source", "src", "src?", "like", "subok", "tag",
	}},
	{harmlessField, []string{ // the memory
		"device*", "vdevice", "place", "location", "backend", "memoryspace", "memoryclass", "memorytype", "scope",
		"stream", "pinned", "pinmemory", "pinnedmemory", "ispinned", "iscuda", "iscpu", "offsets", "align",
		"alignment", "aligned", "offsetfactor", "data", "dataptr", "datapointer", "ptr", "pointer", "address",
		"handle", "buffer", "readonly", "writeable", "writebackifcopy", "owndata", "flags", "storage",
	}},
	{harmlessField, []string{ // the elements
		"value", "values", "numpy*", "fillvalue", "low", "high", "min", "max", "mean", "std", "sum", "median",
		"byteorder", "byteswap", "quantization*", "isquantized", "qparams", "qscheme", "scale", "scales", "zeropoint",
		"zeropoints", "mask", "checksum", "hash", "sparsityparameters", "shapesignature",
	}},
	{harmlessField, []string{ // the program
		"requiresgrad", "grad", "gradfn", "isleaf", "isinference", "isparameter", "isinput", "isoutput", "isconstant",
		"stopgradient", "trainable", "persistable", "weaktype", "kept", "isdisposed*", "dynamodynamicindices",
		"ranktype", "scopeid", "sharding", "inplaceversion", "expect", "generator", "copy", "paddingoption", "isview",
		"isconj", "isneg",
	}},
	{harmlessField, []string{ // the words of a log
		"epoch", "iter", "iteration", "time*", "loss", "lr", "layer", "params", "numparams",
	}},
	{windowField, []string{"padding", "pads", "ksize", "*kernel*", "poolsize", "*dilation*", "groups"}},
	{orderField, []string{
		"format", "dataformat", "fortranorder", "*transposed*", "ld", "ld[abc]", "*pitch*", "step", "*block*",
		"*tile*", "*chunk*", "*swizzle*", "axis", "out",
	}},
	{placeField, []string{"*stride*", "*offset*", "*order*", "*layout*", "*sparse", "*ragged", "*nested", "*mkldnn"}},
}

// plainValues are the values, as [fieldName] writes them, with which a field leaves a tensor row-major.
var plainValues = [...]string{
	"", "false", "none", "null", "nullptr", "strided", "contiguous", "contiguousformat", "rowmajor", "c",
}

// A figure is a number that follows from a tensor, or a property that a tensor has or lacks.
type figure struct {
	names   []string                    // of fields, as [fieldName] returns them
	of      func(layout.Tensor) []int64 // the values that a field may have; 1 or 0 for a property
	isLeast bool                        // a field may have more than the value
	isTyped bool                        // the figure depends on the element type
	isFlag  bool                        // the figure is a property
}

// knownFigures lists the figures that are compared with fields of their names.
var knownFigures = [...]figure{
	{
		names: []string{
			"numel", "nelement", "nelements", "numelements", "elementcount", "elemcount", "elements",
		},
		of: func(t layout.Tensor) []int64 { return []int64{t.Layout().Elements()} },
	}, { // in elements or in bytes
		names: []string{"size", "totalsize", "total", "count", "length"},
		of: func(t layout.Tensor) []int64 {
			elements := t.Layout().Elements()
			return []int64{elements, t.Bytes(elements), t.Bytes(buffer(t))}
		},
	}, {
		names: []string{"ndim", "dim", "ndims", "ndimension", "numdims", "numdimensions", "rank", "dimensioncount"},
		of:    func(t layout.Tensor) []int64 { return []int64{int64(t.Layout().Rank())} },
	}, {
		names:   []string{"itemsize", "elementsize", "elemsize", "bytesperelement"},
		of:      func(t layout.Tensor) []int64 { return []int64{(t.DType().Bits() + 7) / 8} },
		isTyped: true,
	}, { // of the elements, or of the part of memory that they take
		names: []string{
			"nbytes", "numbytes", "bytes", "sizeinbytes", "sizebytes", "bytesize", "bytelength", "dataoffsets",
		},
		of: func(t layout.Tensor) []int64 {
			return []int64{t.Bytes(t.Layout().Elements()), t.Bytes(buffer(t))}
		},
		isTyped: true,
	}, {
		names:   []string{"totalbytes", "totaltensorsizeinbytes", "storagesize", "storagebytes", "buffersize"},
		of:      func(t layout.Tensor) []int64 { return []int64{t.Bytes(buffer(t))} },
		isLeast: true, isTyped: true,
	}, {
		names:  []string{"iscontiguous", "contiguous", "ccontiguous", "isccontiguous", "rowmajor", "isrowmajor"},
		of:     func(t layout.Tensor) []int64 { return truth(facts.Contiguous(t.Layout())) },
		isFlag: true,
	}, {
		names: []string{
			"fcontiguous", "isfcontiguous", "fortran", "columnmajor", "iscolumnmajor", "colmajor", "iscolmajor",
		},
		of:     func(t layout.Tensor) []int64 { return truth(facts.ColumnMajor(t.Layout())) },
		isFlag: true,
	},
}

// truth returns a property as the only value of a figure.
func truth(is bool) []int64 {
	if is {
		return []int64{1}
	}
	return []int64{0}
}

// fieldName returns the last member of a name in lower case and without _, - and spaces, so that size_in_bytes and
// x.sizeInBytes are the same name.
func fieldName(name string) string {
	_, name = literal.Member(name)
	return strings.Map(func(c rune) rune {
		switch {
		case c == '_', c == '-', c == ' ':
			return -1
		case 'A' <= c && c <= 'Z':
			return c + 'a' - 'A'
		}
		return c
	}, name)
}

// findFigure returns the figure of the name, nil if there is none.
func findFigure(name string) *figure {
	name = fieldName(name)
	i := slices.IndexFunc(knownFigures[:], func(f figure) bool { return slices.Contains(f.names, name) })
	if i < 0 {
		return nil
	}
	return &knownFigures[i]
}

// senseOf returns the sense of a field's name.
func senseOf(name string) fieldSense {
	if findFigure(name) != nil {
		return figureField
	}
	name = fieldName(name)
	for _, row := range fieldSenses {
		if slices.ContainsFunc(row.patterns, func(pattern string) bool { return scan.Glob(pattern, name) }) {
			return row.sense
		}
	}
	return unknownField
}

// isPlain reports whether a field with the value leaves a tensor row-major and at offset 0.
func isPlain(v literal.Value) bool {
	if v.Kind == literal.Number {
		return v.N == 0
	}
	return (v.Kind == literal.Word || v.Kind == literal.Str || v.Kind == literal.Nothing) &&
		slices.Contains(plainValues[:], fieldName(v.Word))
}

// rest judges the fields of the tensor that was added last, except those that its reader has used: each must agree with
// the tensor or be unable to change it. Names of expected are the reader's own, and cannot change it either.
func (r *reader) rest(fields []literal.Entry, used, expected []string) {
	if r.Err != nil || len(r.found) == 0 {
		return
	}
	d := &r.found[len(r.found)-1]
	stride, isStated := literal.Field(fields, "stride", "strides", "nb")
	isStated = isStated && !stride.IsNull()
	for _, e := range fields {
		if e.Key == "" || slices.Contains(used, e.Key) {
			continue
		}
		switch sense := senseOf(e.Key); {
		case sense == figureField:
			r.compare(e, d, isStated)
		case sense == formatField:
			if strides := r.memoryFormat(e, d.Tensor.Layout().Sizes()); strides != nil {
				stated, _ := d.Tensor.Layout().LinearStrides()
				r.agree(e, d.Tensor.Layout().Sizes(), strides, stated)
			}
		case slices.Contains(expected, e.Key):
			r.skip("%s is not read", e.Key)
		case sense == windowField && isStated:
			r.noWindow(fields)
		case (sense == orderField || sense == placeField) && isPlain(e.Value):
		case sense == unknownField, sense == placeField:
			r.unknown(e, used)
		case sense == orderField && !isStated:
			const msg = "%s decides the layout, and is not read here"
			r.Fail(r.keyAt(e), "give the strides, or the layout after the sizes", msg, e.Key)
		default:
			r.skip("%s is not read", e.Key)
		}
	}
}

// noWindow rejects strides next to a field of a window.
func (r *reader) noWindow(fields []literal.Entry) {
	for _, e := range fields {
		if senseOf(e.Key) == windowField {
			const msg = "strides next to %s are of a window, not of a tensor"
			r.Fail(r.keyAt(e), "leave it out if they are of a tensor", msg, e.Key)
		}
	}
}

// compare checks a field against the figure of its name.
func (r *reader) compare(e literal.Entry, d *Descriptor, isStated bool) {
	f, value, verb := findFigure(e.Key), e.Value, "is"
	if list := e.List; fieldName(e.Key) == "dataoffsets" && len(list) == 2 && isNumbers(value) {
		value, verb = literal.Value{Kind: literal.Number, N: list[1].N - list[0].N}, "spans"
	} else if f.isFlag && isTruth(e.Word) {
		value = literal.Value{Kind: literal.Number, N: truth(strings.EqualFold(e.Word, "true"))[0]}
	}
	isKnown := !f.isTyped || d.Typed || r.options.Typed
	switch want := f.of(d.Tensor); {
	case value.Kind == literal.List:
		r.unknown(e, nil)
	case !isKnown || value.Kind != literal.Number:
		r.skip("%s is not read", e.Key)
	case slices.Contains(want, value.N) || f.isLeast && value.N >= want[0]:
	case f.isFlag && isStated:
		const msg = "%s is %s, and of a tensor of these strides it is %t"
		r.Fail(e.At, "", msg, e.Key, cmp.Or(e.Word, strconv.FormatInt(e.N, 10)), want[0] == 1)
	case f.isFlag:
		const msg = "%s is %s, and of a row-major tensor of these sizes it is %t"
		r.Fail(e.At, "give the strides", msg, e.Key, cmp.Or(e.Word, strconv.FormatInt(e.N, 10)), want[0] == 1)
	case f.isLeast:
		r.Fail(e.At, "", "%s %s %d, must be at least %d for this tensor", e.Key, verb, value.N, want[0])
	default:
		r.Fail(e.At, "", "%s %s %d, must be %d for this tensor", e.Key, verb, value.N, want[0])
	}
}

// unknown rejects a field whose name no table lists, or a known name with a value of another form.
func (r *reader) unknown(e literal.Entry, known []string) {
	err := &layout.SyntaxError{
		Input: r.In, Offset: r.keyAt(e), Msg: "unknown field " + scan.Clip(e.Key) + ", which may decide the layout",
		Hint: "leave it out if the layout does not depend on it",
	}
	if slices.Contains(known, e.Key) {
		err.Msg, err.Hint = "cannot read the value of "+e.Key, ""
	}
	r.Fault(err.DidYouMean(e.Key, scan.Nearest(strings.ToLower(e.Key), known)))
}

// keyAt returns the offset of a field's name, which is before its value, or of the value if the name is not there.
func (r *reader) keyAt(e literal.Entry) int {
	if i := strings.LastIndex(r.In[:e.At], e.Key); i >= 0 {
		return i
	}
	return e.At
}

// formatted returns the strides of the memory format among the fields, nil if none says the strides.
func (r *reader) formatted(fields []literal.Entry, sizes []int64) []int64 {
	for _, e := range fields {
		if senseOf(e.Key) != formatField {
			continue
		}
		if strides := r.memoryFormat(e, sizes); strides != nil {
			return strides
		}
	}
	return nil
}

// memoryFormat returns the strides of a tensor with PyTorch's memory format, which the field names or says to be
// channels_last by being true; nil if the format says nothing of them.
func (r *reader) memoryFormat(e literal.Entry, sizes []int64) []int64 {
	word := e.Word
	isFlag := strings.Contains(fieldName(e.Key), "channelslast")
	switch name := fieldName(word); {
	case e.Kind == literal.Nothing, e.IsNull(), isFlag && isPlain(e.Value):
		return nil
	case isFlag && len(sizes) == 5, name == "channelslast3d":
		word = "channels_last_3d"
	case isFlag, name == "channelslast":
		word = "channels_last"
	case strings.HasPrefix(name, "contiguous"):
		return r.rowMajor(sizes)
	}
	name, err := shape.ParseName(word)
	r.Within(e.At, err)
	strides, _ := r.tagTensor(r.options.DType, formatTag{e.At, name}, sizes).Layout().LinearStrides()
	return strides
}

// agree rejects a field that gives a tensor other strides than those that are stated. Strides of axes of size 1 never
// matter.
func (r *reader) agree(e literal.Entry, sizes, strides, stated []int64) {
	if r.Err != nil || len(stated) != len(strides) {
		return
	}
	for i, size := range sizes {
		if size > 1 && strides[i] != stated[i] {
			const msg = "%s contradicts the strides: with it they are %s"
			r.Fail(e.At, "leave one of the two out", msg, e.Key, layout.JoinInts(strides, ","))
			return
		}
	}
}
