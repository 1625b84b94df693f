package notation

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/view"
)

// An arrayReader reads the arrays of PyTorch and NumPy.
type arrayReader struct{ *reader }

// torchFunctions are the functions that make tensors, or state their sizes. The name of a method starts with a dot.
var torchFunctions = literal.Signatures{
	"empty zeros ones rand randn _empty_affine_quantized(*size, *, dtype=None, **)",
	"empty_strided(size, stride, *, dtype=None, **)",
	"assert_size_stride(input, size, stride, op_name=, *, dtype=None, **)",
	"reinterpret_tensor _reinterpret_tensor as_strided(input, size, stride, storage_offset=, *, dtype=None, **)",
	".as_strided(size, stride, storage_offset=, *, dtype=None, **)",
	"rand_strided empty_strided_cpu empty_strided_cuda empty_strided_xpu(size, stride, dtype=None, **)",
	"empty_strided_mtia empty_strided_p2p(size, stride, dtype=None, **)",
	"check_tensor(input, type=, keys=, dtype=None, device=, requires_grad=, **)",
	"FixedLayout FlexibleLayout NonOwningLayout(device, dtype, size, stride=, storage_offset=, **)",
	"TensorMetadata(shape, dtype=None, requires_grad=, stride=, **)",
	"FakeTensor(type=, *, dtype=None, **)",
	"full(size, fill_value, *, dtype=None, **)",
	"arange(end, *, dtype=int64, **)",
	"arange(start, end, step=, *, dtype=int64, **)",
	"eye(n, m=None, *, dtype=None, **)",
	"linspace(start, end, steps, *, dtype=None, **)",
	"logspace(start, end, steps, base=, *, dtype=None, **)",
	"randint(high, size, *, dtype=int64, **)",
	"randint(low, high, size, *, dtype=int64, **)",
	"randperm(n, *, dtype=int64, **)",
	"hamming_window hann_window bartlett_window blackman_window kaiser_window(n, periodic=, *, dtype=None, **)",
	"tensor(data, *, dtype=None, **)",
	"Tensor FloatTensor(*size, *, dtype=float32)",
	"DoubleTensor(*size, *, dtype=float64)",
	"HalfTensor(*size, *, dtype=float16)",
	"BFloat16Tensor(*size, *, dtype=bfloat16)",
	"ByteTensor(*size, *, dtype=uint8)",
	"CharTensor(*size, *, dtype=int8)",
	"ShortTensor(*size, *, dtype=int16)",
	"IntTensor(*size, *, dtype=int32)",
	"LongTensor(*size, *, dtype=int64)",
	"BoolTensor(*size, *, dtype=bool)",
	"MetaTensorDesc(id, ndim, dtype, device, size, **)",

	// Of other systems, whose strides count elements too.
	"make_block_ptr(base, shape, strides, offsets=, block_shape=, order=, **)",
	"TensorDescriptor make_tensor_descriptor(base, shape, strides, block_shape=, **)",
	"View(shape, strides=, offset=, mask=, contiguous=, **)",
	"match_buffer(param, shape, dtype=, data=, strides=, elem_offset=, **)",
	"Buffer decl_buffer(shape, dtype=, data=, strides=, elem_offset=, scope=, align=, offset_factor=, **)",
	"T.Tensor R.Tensor(shape, dtype=, **)",
	"placeholder(shape, dtype=, name=, **)",
	"ShapeDtypeStruct(shape, dtype=, **)",
}

// torchOwn are the functions that are also methods or common words: they belong to torch. The others are called as they
// are in code that PyTorch writes.
var torchOwn = [...]string{
	"empty", "zeros", "ones", "rand", "randn", "full", "arange", "as_strided", "tensor", "eye", "linspace", "logspace",
	"randint", "randperm", "*_window", "Tensor", "FloatTensor", "DoubleTensor", "HalfTensor", "BFloat16Tensor",
	"ByteTensor", "CharTensor", "ShortTensor", "IntTensor", "LongTensor", "BoolTensor",
}

// isTensorClass reports whether a path is a class of tensors of PyTorch. Numbers that it is called with are sizes, and
// a list is the elements.
func isTensorClass(path string) bool {
	return strings.HasPrefix(path, "torch.") && strings.HasSuffix(path, "Tensor")
}

// qualified are the functions that are read only with the name of the module before them.
var qualified = [...]string{
	"tensor", "array", "eye", "identity", "linspace", "logspace", "randint", "randperm", "random", "normal", "uniform",
	"*Tensor", "*_window", "tri", "matrix", "memmap", "hamming", "hanning", "bartlett", "blackman",
}

// torchCalls are the functions of C that programs of AOTInductor call, and those of C++. Those with byKind alone take
// their arguments by kind.
var torchCalls = literal.Signatures{
	"aoti_torch_empty_strided(rank, size, stride, dtype, _, _, name)",
	"aoti_torch_create_tensor_from_blob(_, rank, size, stride, base, dtype, _, _, name)",
	"aoti_torch__reinterpret_tensor(_, rank, size, stride, base, name)",
	"reinterpret_tensor_wrapper(_, rank, size, stride, base)",
	"from_blob empty_strided empty zeros ones rand randn(" + byKind + ")",
}

// arrayMarks are the patterns of arrays of C and C++.
var arrayMarks = sync.OnceValue(func() *lexer.Marks {
	return lexer.Compile([][]string{{
		"<word> [ <number> ] = {", "<word> [ <number> ] {", "<word> [ ] = {", "<word> [ ] {", "> <word> = {",
		"> <word> {",
	}})
})

// isArrays reports whether the text has an array of C or C++.
func (r structReader) isArrays() bool {
	return strings.IndexByte(r.In, '{') >= 0 && arrayMarks().Rows(r.In, r.Tokens(), isClass) != 0
}

// readPyTorch reads calls that make tensors, with the steps after them, or sizes and strides as PyTorch prints them.
func readPyTorch(of *reader) {
	r := arrayReader{of}
	if c := (structReader{of}); c.calls(torchCalls, c.called) || c.isArrays() && c.arrays() {
		return
	}
	r.Python = true
	if (&pythonReader{reader: of}).program() {
		return
	}
	if r.isInfo() && r.isForeign() {
		return
	}
	r.readLog(saysElements, r.torchStated)
}

// torchStated makes a tensor of the fields that a text states.
func (r arrayReader) torchStated(name string, at int, fields []literal.Entry) {
	system := r.system
	for i, e := range fields {
		if e.Key == "offset" {
			fields[i].Key = "storage_offset"
		}
		if e.Key == "dtype" && e.Last() == e.Word { // PyTorch writes torch.int4
			r.system = layout.Others
		}
	}
	r.torchFields(name, at, fields)
	r.system = system
}

// functions returns the functions of the system that say sizes.
func (r *reader) functions() literal.Signatures {
	if r.system == layout.NumPy {
		return numpyFunctions
	}
	return torchFunctions
}

// functionOf returns the name of the function that a path leads to; of an operator, aten.as_strided.default, its
// overload is left out. Tensor of TVM has other arguments than PyTorch's.
func functionOf(path string) string {
	switch of, name := literal.Member(path); {
	case name == "default":
		_, name = literal.Member(of)
		return name
	case name == "Tensor" && len(of) == 1:
		return path
	default:
		return name
	}
}

// isCall reports whether a call says sizes. Of calls inside others only those count whose names are PyTorch's alone.
func (r *reader) isCall(path string, inner bool) bool {
	name, isNumPy := functionOf(path), r.system == layout.NumPy
	if !r.functions().Has(name) {
		return false
	}
	args := r.In[r.Pos+len(path):]
	if isList := strings.HasPrefix(args, "([") || strings.HasPrefix(args, "(("); isList && isTensorClass(path) {
		return false
	}
	isPlain := path == name && !lexer.Like(name, qualified[:]...)
	isOf := path == "torch."+name || path == "torch.cuda."+name
	if isNumPy {
		isOf = r.isModule(literal.Root(path))
	}
	return !isNumPy && !lexer.Like(name, torchOwn[:]...) || !inner && (isPlain || isOf || name == "as_strided")
}

// isModule reports whether a name is that of the system's module.
func (r *reader) isModule(name string) bool { return layout.SystemOf(name) == r.system.String() }

// tensor reads a call that says sizes; the name is of the variable that gets the tensor.
func (r arrayReader) tensor(name string) {
	at := r.Pos
	path, _ := r.CallAt(at)
	r.Pos += len(path)
	function := functionOf(path)
	isMethod := !slices.Contains([]string{"torch", "aten"}, literal.Root(path))
	if isMethod && r.functions().Has("."+function) {
		function = "." + function
	}
	var v literal.Value
	r.Bracketed(&v)
	args := r.Bind(r.functions(), function, v.At, v.List)
	if size, _ := literal.Field(args, "size"); isTensorClass(path) && size.Open != 0 {
		r.Fail(size.At, "such as torch.tensor(...)", "%s takes sizes one by one, or a list of elements", path)
	}
	args = r.sized(v.At, function, args)
	if r.system == layout.NumPy {
		r.numpyCall(name, at, function, args)
		return
	}
	for i, e := range args {
		if e.Key == "offset" || e.Key == "elem_offset" {
			args[i].Key = "storage_offset"
		}
	}
	_, stepped := literal.Field(args, "stride")
	if _, sized := literal.Field(args, "size"); function == "FakeTensor" && sized && !stepped {
		r.noStrides(name)
	}
	if input, ok := literal.Field(args, "input"); ok {
		word := inputName(input)
		if _, based := literal.Field(args, "storage_offset"); word == "" && !based {
			r.skip("the text does not say where the input starts: storage_offset is read as 0")
		}
		name = cmp.Or(name, word)
	}
	r.torchFields(name, at, withoutElements(args), r.functions().Keys(function)...)
}

// inputName returns the name of a tensor that is an argument, x or the x of L['x'], empty if it is what is made of one.
func inputName(input literal.Value) string {
	index, isIndexed := input.Arguments('[')
	switch {
	case input.Next == nil:
		return input.Word
	case isIndexed && len(index) == 1 && index[0].Kind == literal.Str:
		return index[0].Word
	}
	return ""
}

// withoutElements removes the arguments that say the values of elements.
func withoutElements(args []literal.Entry) []literal.Entry {
	return slices.DeleteFunc(args, func(e literal.Entry) bool { return slices.Contains(ofElements[:], e.Key) })
}

// sized gives a call that does not list its sizes what follows from its arguments: sizes, and the type.
func (r arrayReader) sized(at int, function string, args []literal.Entry) []literal.Entry {
	switch keys := r.functions().Keys(function); {
	case function == "arange":
		return r.arange(at, args)
	case function == "full":
		return r.full(args)
	case keys[0] == "data":
		return r.nested(args)
	case slices.Contains(counts[:], keys[0]), slices.Contains(keys, "steps"), slices.Contains(keys, "num"):
		return r.counted(at, function, args)
	}
	return args
}

// nested gives a call that lists the elements their sizes. Elements without decimals make int64.
func (r arrayReader) nested(args []literal.Entry) []literal.Entry {
	data, _ := literal.Field(args, "data")
	sizes, elements := r.nesting(data)
	isDecimal := func(e literal.Entry) bool { return e.Kind != literal.Number }
	isOther := func(e literal.Entry) bool { return isDecimal(e) && (e.Kind != literal.Formula || e.Word != "") }
	if i := slices.IndexFunc(elements, isOther); i >= 0 {
		r.Fail(elements[i].At, "", "this is not a number: its type is not known")
	}
	if least, ok := literal.Field(args, "ndmin"); ok { // of NumPy
		for n := r.Int(least, "ndmin"); int64(len(sizes.List)) < n && len(sizes.List) <= layout.MaxRank; {
			sizes.List = slices.Insert(sizes.List, 0, literal.Of("", number(least.At, 1)))
		}
	}
	args = slices.DeleteFunc(args, func(e literal.Entry) bool { return e.Key == "data" || e.Key == "ndmin" })
	isInteger := len(elements) > 0 && !slices.ContainsFunc(elements, isDecimal)
	if _, typed := literal.Field(args, "dtype"); isInteger && !typed {
		args = append(args, literal.Of("dtype", literal.Value{At: data.At, Kind: literal.Word, Word: "int64"}))
	}
	return append(args, literal.Of("shape", sizes))
}

// nesting returns the lengths of nested lists, from the outermost on, and the elements.
func (r arrayReader) nesting(data literal.Value) (sizes literal.Value, elements []literal.Entry) {
	sizes, elements = literal.Value{At: data.At, Kind: literal.List}, []literal.Entry{{Value: data}}
	for len(elements) > 0 && elements[0].Kind == literal.List && len(sizes.List) <= layout.MaxRank {
		n, inner := len(elements[0].List), []literal.Entry{}
		for _, e := range elements {
			if inner = append(inner, e.List...); len(e.List) != n {
				r.Fail(e.At, "", "the lists of elements are not of one length")
			}
		}
		sizes.List, elements = append(sizes.List, literal.Of("", number(data.At, int64(n)))), inner
	}
	return sizes, elements
}

// number returns a number at an offset.
func number(at int, n int64) literal.Value { return literal.Value{At: at, Kind: literal.Number, N: n} }

// counts are the arguments that are one size each.
var counts = [...]string{"n", "N", "m", "M", "steps", "num"}

// counted gives a call that takes sizes one by one its list of sizes.
func (r arrayReader) counted(at int, function string, args []literal.Entry) []literal.Entry {
	sizes := literal.Value{At: at, Kind: literal.List}
	for _, key := range counts {
		if v, ok := literal.Field(args, key); ok {
			sizes.List = append(sizes.List, literal.Entry{Value: v})
		}
	}
	switch isSquare := len(sizes.List) == 1; function {
	case "eye", "identity", "tri":
		if isSquare {
			sizes.List = append(sizes.List, sizes.List[0])
		}
	case "linspace", "logspace":
		for _, key := range [...]string{"start", "stop", "retstep"} {
			v, _ := literal.Field(args, key)
			if v.Kind == literal.List || v.Unknown() != "" || key == "retstep" && v.Word == "True" {
				r.Fail(v.At, "", "%s can make something else than an array of one axis with this", function)
			}
		}
	}
	args = slices.DeleteFunc(args, func(e literal.Entry) bool { return slices.Contains(counts[:], e.Key) })
	return append(args, literal.Of("shape", sizes))
}

// ofElements are the arguments that say the values of elements, or where these are, and nothing of the layout.
var ofElements = [...]string{
	"fill_value", "low", "high", "start", "end", "stop", "step", "base", "k", "endpoint", "retstep", "loc", "scale",
	"filename", "mode",
}

// full gives a call of full that names no type the one of the number in all elements: of integers NumPy and PyTorch
// make int64, of True bool, and of others what they make without a number.
func (r arrayReader) full(args []literal.Entry) []literal.Entry {
	fill, ok := literal.Field(args, "fill_value")
	if _, typed := literal.Field(args, "dtype"); !ok || typed {
		return args
	}
	typeName := ""
	switch last := fill.Last(); {
	case fill.Kind == literal.Number:
		typeName = "int64"
	case last == "True" || last == "False":
		typeName = "bool"
	case fill.Kind != literal.Formula && !slices.Contains([]string{"nan", "inf", "pi", "e", "float"}, last):
		r.skip("the type of fill_value is not known: it is read as a float")
		return args
	default:
		return args
	}
	dtype := literal.Of("dtype", literal.Value{At: fill.At, Kind: literal.Word, Word: typeName})
	return append([]literal.Entry{dtype}, args...)
}

// arange gives a call of arange its size.
func (r arrayReader) arange(at int, args []literal.Entry) []literal.Entry {
	bounds := [...]int64{0, 0, 1}
	if _, ok := literal.Field(args, "start"); !ok && r.system != layout.NumPy {
		if step, ok := literal.Field(args, "step"); ok {
			r.Fail(step.At, "such as torch.arange(0, 10, step=3)", "PyTorch takes a step only after a start and an end")
		}
	}
	for i, keys := range [...][]string{{"start"}, {"end", "stop"}, {"step"}} {
		if v, ok := literal.Field(args, keys...); ok {
			bounds[i] = r.Int(v, "the bound")
		}
	}
	size := literal.Value{At: at, Kind: literal.Number}
	switch start, end, step := bounds[0], bounds[1], bounds[2]; {
	case step < 1 || start < math.MinInt32 || end > math.MaxInt64/2:
		r.Fail(at, "such as arange(24)", "it is not known how many numbers this makes")
	default:
		size.N = max(layout.CeilDiv(max(end-start, 0), step), 0)
	}
	sizes := literal.Value{At: at, Kind: literal.List, List: []literal.Entry{{Value: size}}}
	return append(args, literal.Of("shape", sizes))
}

// torchFields makes a tensor of what the named values say. Of the others, those of expected are arguments that cannot
// change the layout.
func (r arrayReader) torchFields(name string, at int, args []literal.Entry, expected ...string) {
	if r.Err != nil {
		return
	}
	r.Once(args)
	size, ok := literal.Field(args, "size", "sizes", "shape")
	if !ok {
		r.Fail(at, "such as torch.empty_strided((2, 3), (3, 1))", "the sizes are missing")
		return
	}
	sizes := r.Ints(size, "sizes")
	for _, e := range args {
		if isSizes := e.Key == "size" || e.Key == "sizes" || e.Key == "shape"; isSizes && e.At != size.At &&
			!slices.Equal(sizes, r.Ints(e.Value, "sizes")) {
			r.Fail(e.At, "", "%s differs from the sizes %s", e.Key, tuple(sizes))
		}
	}
	strides := r.formatted(args, sizes)
	if stride, ok := literal.Field(args, "stride", "strides"); ok {
		if stride.Kind == literal.Word && stride.Last() == "Size" {
			r.Fail(stride.At, "one of them; strides are a list without the name: torch.Size([2, 3]) (3, 1)",
				"a second torch.Size, which lists sizes and never strides")
		}
		strides = r.Ints(stride, "strides")
	} else if strides == nil {
		strides = r.rowMajor(sizes)
	}
	base := int64(0)
	if offset, ok := literal.Field(args, "storage_offset"); ok {
		base = r.Int(offset, "the storage offset")
	}
	of, _ := literal.Field(args, "dtype")
	of.Word = view.OfPython(of.Word)
	dtype, typed := r.typeOf(of)
	r.torchRest(args)
	r.strided(size.At, Descriptor{Name: name, Typed: typed}, dtype, base, sizes, strides)
	r.rest(args, torchUsed[:], expected)
}

// torchUsed are the names of arguments that torchFields and torchRest read, and of some without a note.
var torchUsed = [...]string{
	"size", "sizes", "shape", "stride", "strides", "storage_offset", "dtype", "input", "type", "keys", "op_name",
	"layout",
}

// torchRest rejects values with which a tensor has no strides.
func (r arrayReader) torchRest(args []literal.Entry) {
	for _, e := range args {
		switch e.Key {
		case "layout":
			if e.Last() != "strided" {
				r.Fail(e.At, "", "a tensor in the layout %s has no strides", e.Word)
			}
		case "mask":
			if !e.IsNull() && (e.Kind != literal.List || len(e.List) == 0 || e.List[0].Kind != literal.Number) {
				r.Fail(e.At, "", "a view with a mask has elements without a place")
			}
		}
	}
}

// typeOf reads the element type that a value names, and says whether there is one.
func (r *reader) typeOf(v literal.Value) (layout.DType, bool) {
	if v.Kind == literal.Nothing {
		return r.options.DType, false
	}
	if v.Kind == literal.Str {
		v.At++
		if of, ok := strings.CutPrefix(v.Word, "tensor("); ok { // of ONNX
			v.At, v.Word = v.At+len("tensor("), strings.TrimSuffix(of, ")")
		}
	}
	return r.typeAt(v.At, v.Word), true
}

// torchTerms is what strides of PyTorch can say.
var torchTerms = terms{base: true, zero: true}

// torchStorage is what nbytes of the storage is: up to the last element, or all of the storage that a view looks at.
func torchStorage(t layout.Tensor) ([]Size, error) {
	n := buffer(t)
	if t.Viewed() {
		n = max(n, t.Storage())
	}
	return []Size{{"storage nbytes", n, t.Bytes(n)}}, nil
}

func writePyTorch(t layout.Tensor) (string, error) {
	strides, dtype, err := torchTerms.typed(t, layout.PyTorch)
	if err != nil {
		return "", err
	}
	sizes := tuple(t.Layout().Sizes())
	base := t.Layout().Base()
	if base == 0 {
		return fmt.Sprintf("torch.empty_strided(%s, %s, dtype=torch.%s)", sizes, tuple(strides), dtype), nil
	}
	_, high := t.Layout().Bounds()
	return fmt.Sprintf("torch.empty(%d, dtype=torch.%s).as_strided(%s, %s, %d)", max(high+1, base), dtype, sizes,
		tuple(strides), base), nil
}
