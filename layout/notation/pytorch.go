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

// An arrayReader reads PyTorch and NumPy arrays.
type arrayReader struct{ *reader }

// torchFunctions are the functions that make tensors or state their sizes. The name of a method starts with a dot.
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

	// Functions of other systems, in which strides count elements too.
	"make_block_ptr(base, shape, strides, offsets=, block_shape=, order=, **)",
	"TensorDescriptor make_tensor_descriptor(base, shape, strides, block_shape=, **)",
	"View(shape, strides=, offset=, mask=, contiguous=, **)",
	"match_buffer(param, shape, dtype=, data=, strides=, elem_offset=, **)",
	"Buffer decl_buffer(shape, dtype=, data=, strides=, elem_offset=, scope=, align=, offset_factor=, **)",
	"T.Tensor R.Tensor(shape, dtype=, **)",
	"placeholder(shape, dtype=, name=, **)",
	"ShapeDtypeStruct(shape, dtype=, **)",
}

// torchOwn are the functions that are also methods or common words, and need the prefix torch. The others may have no
// prefix, as in code that PyTorch generates.
var torchOwn = [...]string{
	"empty", "zeros", "ones", "rand", "randn", "full", "arange", "as_strided", "tensor", "eye", "linspace", "logspace",
	"randint", "randperm", "*_window", "Tensor", "FloatTensor", "DoubleTensor", "HalfTensor", "BFloat16Tensor",
	"ByteTensor", "CharTensor", "ShortTensor", "IntTensor", "LongTensor", "BoolTensor",
}

// isTensorClass reports whether a path is a PyTorch tensor class. If it is called with numbers, they are sizes; if it
// is called with a list, the list is the elements.
func isTensorClass(path string) bool {
	return strings.HasPrefix(path, "torch.") && strings.HasSuffix(path, "Tensor")
}

// qualified are the functions that need the name of their module before them.
var qualified = [...]string{
	"tensor", "array", "eye", "identity", "linspace", "logspace", "randint", "randperm", "random", "normal", "uniform",
	"*Tensor", "*_window", "tri", "matrix", "memmap", "hamming", "hanning", "bartlett", "blackman",
}

// torchCalls are the C functions that AOTInductor programs call, and C++ functions. The functions with only byKind
// distinguish their arguments by kind.
var torchCalls = literal.Signatures{
	"aoti_torch_empty_strided(rank, size, stride, dtype, _, _, name)",
	"aoti_torch_create_tensor_from_blob(_, rank, size, stride, base, dtype, _, _, name)",
	"aoti_torch__reinterpret_tensor(_, rank, size, stride, base, name)",
	"reinterpret_tensor_wrapper(_, rank, size, stride, base)",
	"from_blob empty_strided empty zeros ones rand randn(" + byKind + ")",
}

// arrayMarks returns the patterns of C and C++ arrays.
var arrayMarks = sync.OnceValue(func() *lexer.Marks {
	return lexer.Compile([][]string{{
		"<word> [ <number> ] = {", "<word> [ <number> ] {", "<word> [ ] = {", "<word> [ ] {", "> <word> = {",
		"> <word> {",
	}})
})

// isArrays reports whether the input has a C or C++ array.
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

// torchStated makes a tensor from the fields that the input states.
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

// functions returns the functions of the system that state sizes.
func (r *reader) functions() literal.Signatures {
	if r.system == layout.NumPy {
		return numpyFunctions
	}
	return torchFunctions
}

// functionOf returns the name of the function that a path leads to, without the overload of an operator: as_strided for
// aten.as_strided.default. TVM's Tensor is distinct, because its arguments differ from PyTorch's.
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

// isCall reports whether a call states sizes. Calls inside others count only if the name of the function is specific to
// PyTorch.
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

// isModule reports whether a name is the name of the system's module.
func (r *reader) isModule(name string) bool { return layout.SystemOf(name) == r.system.String() }

// tensor reads a call that states sizes; name is the variable that the tensor is assigned to.
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
			r.skip("the text does not state where the input starts: storage_offset is read as 0")
		}
		name = cmp.Or(name, word)
	}
	r.torchFields(name, at, withoutElements(args), r.functions().Keys(function)...)
}

// inputName returns the name of a tensor that is an argument, x for x or L['x'], or an empty string for other
// expressions.
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

// withoutElements removes the arguments with the values of elements.
func withoutElements(args []literal.Entry) []literal.Entry {
	return slices.DeleteFunc(args, func(e literal.Entry) bool { return slices.Contains(ofElements[:], e.Key) })
}

// sized adds the sizes, and the type, that follow from the arguments of a call which does not list its sizes.
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

// nested adds the sizes of a call that lists its elements. Elements without decimals have type int64.
func (r arrayReader) nested(args []literal.Entry) []literal.Entry {
	data, _ := literal.Field(args, "data")
	sizes, elements := r.nesting(data)
	isDecimal := func(e literal.Entry) bool { return e.Kind != literal.Number }
	isOther := func(e literal.Entry) bool { return isDecimal(e) && (e.Kind != literal.Formula || e.Word != "") }
	if i := slices.IndexFunc(elements, isOther); i >= 0 {
		r.Fail(elements[i].At, "", "this is not a number: its type is not known")
	}
	if least, ok := literal.Field(args, "ndmin"); ok { // NumPy's
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

// nesting returns the lengths of nested lists, starting at the outermost, and the elements.
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

// number returns the number n at an offset.
func number(at int, n int64) literal.Value { return literal.Value{At: at, Kind: literal.Number, N: n} }

// counts are the arguments that are a single size.
var counts = [...]string{"n", "N", "m", "M", "steps", "num"}

// counted adds the list of sizes of a call with one argument for each size.
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

// ofElements are the arguments with the values of elements, or with their address, and without effect on the layout.
var ofElements = [...]string{
	"fill_value", "low", "high", "start", "end", "stop", "step", "base", "k", "endpoint", "retstep", "loc", "scale",
	"filename", "mode",
}

// full adds the type of a call of full that does not state it, which follows from the value of the elements. An integer
// gives int64 and True gives bool, in NumPy and PyTorch; other values give the default type.
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

// arange adds the size of a call of arange.
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

// torchFields makes a tensor from named values. Other names are rejected, unless they are in expected, which lists
// arguments with no effect on the layout.
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

// torchUsed are the names of arguments that torchFields and torchRest read, and of some that need no note.
var torchUsed = [...]string{
	"size", "sizes", "shape", "stride", "strides", "storage_offset", "dtype", "input", "type", "keys", "op_name",
	"layout",
}

// torchRest rejects values of arguments that make a tensor without strides.
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

// typeOf reads the element type that a value names, and reports whether there is one.
func (r *reader) typeOf(v literal.Value) (layout.DType, bool) {
	if v.Kind == literal.Nothing {
		return r.options.DType, false
	}
	if v.Kind == literal.Str {
		v.At++
		if of, ok := strings.CutPrefix(v.Word, "tensor("); ok { // an ONNX type
			v.At, v.Word = v.At+len("tensor("), strings.TrimSuffix(of, ")")
		}
	}
	return r.typeAt(v.At, v.Word), true
}

// torchTerms are the properties that PyTorch strides can have.
var torchTerms = terms{base: true, zero: true}

// torchStorage returns the nbytes of the storage: up to the last element, or the whole storage of a view.
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
