package notation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/wording"
)

// A valueForm is a set of forms of values.
type valueForm uint16

// The forms. A call of torch.Size is a list, and a call of dtype a type.
const (
	numberValue  valueForm = 1 << iota
	listValue              // a list of numbers
	bracketValue           // anything else in brackets
	typeValue              // a known element type
	truthValue
	deviceValue // cuda:0
	nullValue   // None
	stringValue
	callValue
	wordValue           // any other word
	noValue   valueForm = 0
)

// A statedField is a field of a tensor that the input states as a name and a value.
type statedField struct {
	word         string    // in lower case
	key          string    // the field that the word stands for
	bare, marked valueForm // the forms of its value without and with a colon or an equals sign before it
}

// The forms of values that fields share.
const (
	afterSize = listValue | bracketValue | nullValue
	afterType = typeValue | stringValue
	namedType = afterType | wordValue | callValue
)

// statedFields lists the words for fields. The element type may be unknown only after dtype.
var statedFields = [...]statedField{
	{"shape", "size", listValue, afterSize},
	{"size", "size", listValue, afterSize},
	{"sizes", "size", listValue, afterSize},
	{"stride", "stride", listValue, afterSize},
	{"strides", "stride", listValue, afterSize},
	{"storage_offset", "storage_offset", numberValue, numberValue},
	{"start_offset", "storage_offset", numberValue, numberValue},
	{"offset", "offset", numberValue, numberValue},
	{"itemsize", "itemsize", numberValue, numberValue},
	{"ndim", "ndim", numberValue, numberValue},
	{"dtype", "dtype", typeValue, namedType},
	{"datatype", "dtype", typeValue, namedType},
	{"type", "dtype", typeValue, afterType},
	{"format", "dtype", typeValue, afterType},
	{"is_contiguous", "is_contiguous", truthValue, truthValue},
	{"c_contiguous", "is_contiguous", truthValue, truthValue},
	{"f_contiguous", "f_contiguous", truthValue, truthValue},
	{"layout", "layout", noValue, wordValue | stringValue},
}

// findStated returns the field that a word in lower case stands for, nil for other words.
func findStated(word string) *statedField {
	for i := range statedFields {
		if statedFields[i].word == word {
			return &statedFields[i]
		}
	}
	return nil
}

// fieldOf returns the key of the field that a word stands for, empty for other words.
func fieldOf(word string) string {
	if f := findStated(word); f != nil {
		return f.key
	}
	return ""
}

// cutField cuts the name of a variable into the tensor and the key of its field: q_shape.
func cutField(word string) (owner, key string) {
	for i := 1; i < len(word)-1; i++ {
		if word[i] == '_' {
			if key := fieldOf(word[i+1:]); key != "" {
				return word[:i], key
			}
		}
	}
	return "", ""
}

// logFields are the words for fields that another name may be a wrong spelling of.
var logFields = [...]string{"size", "sizes", "shape", "stride", "strides", "storage_offset", "dtype"}

// joints are the marks between the parts of a name.
var joints = [...]string{".", "-", "/", "::", "->"}

// joining are words between the fields of a tensor.
var joining = [...]string{"and", "with", "const", "dynamic"}

// foreignFields are fields of other notations that give the other fields a different meaning.
var foreignFields = [...]string{
	"DataType", "data_type", "typestr", "descr", "fortran_order", "byte_offset", "chunksize", "chunks",
}

// devices are PyTorch's device names.
var devices = [...]string{"cpu", "cuda", "mps", "xpu", "meta", "hpu"}

// wholeFields are fields that must have nothing else in their brackets.
var wholeFields = [...]string{"data_offsets", "__metadata__"}

// windows are patterns of words for things that have a shape and strides but are not tensors in memory.
var windows = [...]string{"*kernel*", "*window*", "*mesh*", "*filter*", "*pool*", "*patch*", "*conv", "*conv?d"}

// makers are patterns of names before brackets with the fields or the values of a tensor, in addition to the functions
// that are read.
var makers = [...]string{
	"Tensor", "KerasTensor", "SymbolicTensor", "tensor", "*TensorSpec", "TensorType", "*TensorInfo", "*TensorData",
	"*TensorView", "TensorProperties", "TensorMeta", "TensorWeakRef", "ndarray", "array", "Size", "Parameter",
	"MemRefType", "Layout", "ArrayView", "NodeArg",
	"ShapeDtypeStruct", "ShapedArray", "print", "tuple", "list", "dict", "OrderedDict",
}

// printing are the functions that print elements, or make a tensor of them.
var printing = [...]string{"tensor", "array", "Array", "asarray", "as_tensor"}

// A phrase is several words that state a field.
type phrase struct{ pattern, key string }

// phrases lists the phrases, with the field that their numbers state.
var phrases = [...]phrase{
	{"setStorage :", ""},
	{"Parameter containing :", ""},
	{"memoryview :", ""},
	{"storage offset <number>", "storage_offset"},
	{"requiring a storage size of <number> are out of bounds for storage of size <number>", "storage"},
	{"requiring a storage size of <number>", ""},
	{"<numbers> array", "dims"},
	{"Tensor [ dims <numbers> ;", "size"},
	{"Tensor [ [ <numbers> ]", "size"},
	{"Tensor [ ( <numbers> )", "size"},
}

// phrasePatterns has the compiled pattern of each phrase.
var phrasePatterns = sync.OnceValue(func() []lexer.Pattern {
	all := make([]lexer.Pattern, len(phrases))
	for i := range phrases {
		all[i] = lexer.NewPattern(phrases[i].pattern)
	}
	return all
})

// isTypeWord reports whether a word alone is an element type: torch.half, float32, f16.
func isTypeWord(word string) bool {
	return layout.IsDType(word) && (strings.ContainsAny(word, ".0123456789") || word == "bool")
}

// isTruth reports whether a word is a Boolean value.
func isTruth(word string) bool {
	return word == "True" || word == "False" || word == "true" || word == "false"
}

// A fieldSense is how a field next to the sizes of a tensor affects the layout.
type fieldSense uint8

// The senses. A name that is not in a table may decide the layout, so a field with that name is an error.
const (
	unknownField  fieldSense = iota
	harmlessField            // cannot change the layout
	figureField              // follows from the tensor, see knownFigures
	formatField              // is PyTorch's memory format, see memoryFormat
	orderField               // decides the order of the axes, but changes nothing if the strides are stated too
	placeField               // decides where elements are, even if the strides are stated too
	windowField              // belongs to a convolution or a pool, and strides next to it do too
)

// fieldSenses lists patterns of names, as returned by [fieldName], by sense. The first row that matches counts.
var fieldSenses = [...]struct {
	sense    fieldSense
	patterns []string
}{
	{formatField, []string{"*memoryformat", "*channelslast*"}},
	{harmlessField, []string{ // the tensor's name and origin
		"*name", "names", "label", "title", "id", "uid", "uuid", "dataid", "index", "idx", "key", "file", "path",
		"url", "metadata", "tensor", "op", "optype", "operator", "opparams", "target", "role", "producer", "comment",
		"doc*", "description", "note", "notes", "version", "class", "source", "src", "src?", "like", "subok", "tag",
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

// plainValues are the values, as [fieldName] writes them, that keep a tensor row-major.
var plainValues = [...]string{
	"", "false", "none", "null", "nullptr", "strided", "contiguous", "contiguousformat", "rowmajor", "c",
}

// A figure is a number that follows from a tensor, or a property that a tensor has or lacks.
type figure struct {
	names   []string                    // field names, as [fieldName] returns them
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
	}, { // for all elements, or for the part of memory that they use
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
		of:     func(t layout.Tensor) []int64 { return truth(analysis.Contiguous(t.Layout())) },
		isFlag: true,
	}, {
		names: []string{
			"fcontiguous", "isfcontiguous", "fortran", "columnmajor", "iscolumnmajor", "colmajor", "iscolmajor",
		},
		of:     func(t layout.Tensor) []int64 { return truth(analysis.ColumnMajor(t.Layout())) },
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

// findFigure returns the figure with the name, or nil if no figure has it.
func findFigure(name string) *figure {
	name = fieldName(name)
	i := slices.IndexFunc(knownFigures[:], func(f figure) bool { return slices.Contains(f.names, name) })
	if i < 0 {
		return nil
	}
	return &knownFigures[i]
}

// A senseTable is an index of fieldSenses by name.
type senseTable struct {
	rows  map[string]int // the names without a star, with the first row that lists each
	globs []senseGlob    // the other patterns
}

// A senseGlob is a pattern of a row of fieldSenses.
type senseGlob struct {
	row     int
	pattern string
}

// senses returns the index of fieldSenses.
var senses = sync.OnceValue(func() senseTable {
	t := senseTable{rows: map[string]int{}}
	for i, row := range slices.Backward(fieldSenses[:]) {
		for _, pattern := range row.patterns {
			if lexer.IsGlob(pattern) {
				t.globs = append(t.globs, senseGlob{i, pattern})
			} else {
				t.rows[pattern] = i
			}
		}
	}
	slices.Reverse(t.globs)
	return t
})

// senseOf returns the sense of a field's name.
func senseOf(name string) fieldSense {
	if findFigure(name) != nil {
		return figureField
	}
	name = fieldName(name)
	table := senses()
	row, isListed := table.rows[name]
	for _, g := range table.globs {
		if isListed && row < g.row {
			break
		}
		if lexer.Glob(g.pattern, name) {
			return fieldSenses[g.row].sense
		}
	}
	if isListed {
		return fieldSenses[row].sense
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

// rest checks the fields of the tensor that was added last, except those that its reader has used: each must agree with
// the tensor or have no effect on it. The names in expected belong to the reader and have no effect either.
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
			r.Fail(r.keyAt(e), "remove it if they are of a tensor", msg, e.Key)
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

// unknown rejects a field that is in no table, or a known field with a value of an unexpected form.
func (r *reader) unknown(e literal.Entry, known []string) {
	err := &layout.SyntaxError{
		Input: r.In, Offset: r.keyAt(e), Msg: "unknown field " + wording.Clip(e.Key) + ", which may decide the layout",
		Hint: "remove it if the layout does not depend on it",
	}
	if slices.Contains(known, e.Key) {
		err.Msg, err.Hint = "cannot read the value of "+e.Key, ""
	}
	r.Fault(err.DidYouMean(e.Key, wording.Nearest(strings.ToLower(e.Key), known)))
}

// keyAt returns the offset of a field's name, which is before its value. If the input does not contain the name, it
// returns the offset of the value.
func (r *reader) keyAt(e literal.Entry) int {
	if i := strings.LastIndex(r.In[:e.At], e.Key); i >= 0 {
		return i
	}
	return e.At
}

// formatted returns the strides of the memory format among the fields, or nil if no field determines strides.
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

// memoryFormat returns the strides of a tensor with PyTorch's memory format. The value of the field names the format,
// or is true if the field is called channels_last. It returns nil if the format does not determine strides.
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

// agree rejects a field that implies strides different from the stated ones. Strides of axes of size 1 are not
// compared.
func (r *reader) agree(e literal.Entry, sizes, strides, stated []int64) {
	if r.Err != nil || len(stated) != len(strides) {
		return
	}
	for i, size := range sizes {
		if size > 1 && strides[i] != stated[i] {
			const msg = "%s contradicts the strides: with it they are %s"
			r.Fail(e.At, "remove one of the two", msg, e.Key, layout.JoinInts(strides, ","))
			return
		}
	}
}
