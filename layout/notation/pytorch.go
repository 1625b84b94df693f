package notation

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/shape"
)

// torchFunctions are the functions that say sizes, and the names of their arguments. Those of the first list are called
// as they are in code that PyTorch writes; the others belong to torch.
var torchFunctions = [...]function{
	{"assert_size_stride", []string{"input", "size", "stride", "op_name"}},
	{"reinterpret_tensor", []string{"input", "size", "stride", "storage_offset"}},
	{"_reinterpret_tensor", []string{"input", "size", "stride", "storage_offset"}},
	{"empty_strided_cpu", []string{"size", "stride", "dtype"}},
	{"empty_strided_cuda", []string{"size", "stride", "dtype"}},
	{"empty_strided_xpu", []string{"size", "stride", "dtype"}},
	{"empty_strided_mtia", []string{"size", "stride", "dtype"}},
	{"empty_strided_p2p", []string{"size", "stride", "dtype"}},
	{"rand_strided", []string{"size", "stride", "dtype"}},
	{"check_tensor", []string{"input", "type", "keys", "dtype", "device", "requires_grad"}},
	{"FixedLayout", []string{"device", "dtype", "size", "stride", "storage_offset"}},
	{"FlexibleLayout", []string{"device", "dtype", "size", "stride", "storage_offset"}},
	{"NonOwningLayout", []string{"device", "dtype", "size", "stride", "storage_offset"}},
	{"TensorMetadata", []string{"shape", "dtype", "requires_grad", "stride"}},
	{"FakeTensor", []string{"type"}},
	{"empty_strided", []string{"size", "stride"}},
	{"as_strided", []string{"input", "size", "stride", "storage_offset"}},
	{"empty", []string{"size"}},
	{"zeros", []string{"size"}},
	{"ones", []string{"size"}},
	{"rand", []string{"size"}},
	{"randn", []string{"size"}},
	{"full", []string{"size", "fill_value"}},
	{"arange", []string{"start", "end", "step"}},
	{"_empty_affine_quantized", []string{"size"}},
}

// torchOwn are the functions that are also methods or common words: they belong to torch.
const torchOwn = " empty zeros ones rand randn full arange as_strided "

func fitsPyTorch(text string) bool {
	if strings.Contains(text, ", shape = {") { // of convert_hf_to_gguf
		return false
	}
	return hasAny(text, "torch.", "stride=(", "stride=[", "empty_strided", "assert_size_stride(", "rand_strided(",
		"reinterpret_tensor(", "stride()", "setStorage: ", "FixedLayout(", "FlexibleLayout(", "FakeTensor(",
		"check_tensor(") ||
		strings.Contains(text, "sizes") && !hasAny(text, "DML_", "DataType", "memref<") ||
		strings.Contains(text, "as_strided") && !strings.Contains(text, "np.") || isPair(text)
}

// readPyTorch reads calls that make tensors, with the steps after them, or sizes and strides as PyTorch prints them.
func readPyTorch(r *reader) {
	r.python = true
	if r.program(isTorchCall, (*reader).torchTensor) {
		return
	}
	items := r.entries(0)
	if len(items) == 1 && items[0].kind == list && len(items[0].list) == 2 && items[0].list[1].kind == list {
		items = items[0].list // (x.shape, x.stride())
	}
	if sizes, strides, ok := adjacent(items); ok {
		items = []entry{{value: sizes}, {value: strides}}
	}
	if len(items) > 0 && r.err == nil {
		if call := items[0]; call.key == "" && call.kind == word && call.last() != "Size" {
			if n := call.next; n != nil && n.kind == list && n.next != nil && n.next.kind == word {
				call.value = *n.next
			}
			r.fail(call.at, "such as torch.empty_strided((2, 3), (3, 1))",
				"%q is not a call that says sizes and strides", call.word)
		}
		r.torchFields("", 0, named(items, "size", "stride", "storage_offset"))
	}
	if r.err != nil {
		r.retold(r.torchStated)
	}
}

// adjacent takes apart the sizes and strides that a graph dump prints after a type, [2, 3][3, 1]. Of one number each
// they can be the extents of an array of C as well.
func adjacent(items []entry) (sizes, strides value, ok bool) {
	if len(items) != 1 || items[0].next == nil {
		return sizes, strides, false
	}
	sizes, strides = items[0].value, *items[0].next
	ok = items[0].key == "" && sizes.kind == list && sizes.open == '[' && strides.kind == list && strides.open == '[' &&
		strides.next == nil && len(sizes.list) > 1 && len(strides.list) > 1
	sizes.next = nil
	return sizes, strides, ok
}

// torchStated makes a tensor of the fields that a log or a message states: those of a storage that is too small say the
// bytes of an element instead of its type.
func (r *reader) torchStated(name string, at int, fields []entry) {
	item, sized := field(fields, "itemsize")
	if !sized {
		r.torchFields(name, at, fields)
		return
	}
	d := Descriptor{}
	dtype := r.sizedType(item.at, r.times(r.int(item, "the itemsize"), 8), &d)
	r.torchFields(name, at, slices.DeleteFunc(slices.Clone(fields), func(e entry) bool { return e.key == "itemsize" }))
	if r.err != nil {
		return
	}
	last := &r.found[len(r.found)-1]
	t, err := layout.NewTensor(last.Tensor.Layout(), dtype)
	r.faultAt(item.at, err)
	last.Tensor, last.Typed, last.Skipped = t, d.Typed, d.Skipped
	if _, bytes, ok := strings.Cut(r.In, "out of bounds for storage of size "); ok {
		last.skip("the storage has %s bytes, fewer than the tensor needs", bytes[:wordLength(bytes)])
	}
}

// isTorchCall is a [pythonCall]. Of calls inside others only those count whose names are PyTorch's alone.
func isTorchCall(text string, at int, inner bool) bool {
	path := dottedPath(text[at:])
	name, end := torchFunction(path), at+len(path)
	if end == len(text) || text[end] != '(' || argumentNames(torchFunctions[:], name) == nil {
		return false
	}
	if strings.Contains(torchOwn, " "+name+" ") {
		return !inner && (path == name || name == "as_strided" || path == "torch."+name)
	}
	return true
}

// torchFunction returns the name of the function that a path leads to; of an operator, aten.as_strided.default, its
// overload is left out.
func torchFunction(path string) string {
	path = strings.TrimSuffix(path, ".default")
	return path[strings.LastIndexByte(path, '.')+1:]
}

// dottedPath returns the words with dots between them that a text starts with.
func dottedPath(text string) string {
	end := 0
	for end < len(text) && (scan.IsWord(text[end]) || text[end] == '.') {
		end++
	}
	return text[:end]
}

// torchTensor reads a call that says sizes; the name is of the variable that gets the tensor.
func (r *reader) torchTensor(name string) {
	at := r.Pos
	path := dottedPath(r.In[at:])
	r.Pos += len(path)
	function := torchFunction(path)
	names := argumentNames(torchFunctions[:], function)
	if function == "as_strided" && !strings.HasPrefix(path, "torch.") && !strings.HasPrefix(path, "aten.") {
		names = names[1:] // those of a method, whatever the tensor is
	}
	dtype := value{}
	args := r.torchArguments(function, names)
	if r.takeHere(".as_strided") && r.Peek() == '(' {
		dtype, _ = field(args, "dtype")
		names = argumentNames(torchFunctions[:], "as_strided")[1:]
		args = append(r.torchArguments("as_strided", names), entry{"dtype", dtype})
	}
	_, stepped := field(args, "stride")
	if _, sized := field(args, "size"); function == "FakeTensor" && sized && !stepped {
		r.noStrides(name)
	}
	args = r.torchInput(args)
	if input, ok := field(args, "input"); ok && name == "" {
		if name = input.word; input.next != nil && len(input.next.list) == 1 { // L['x']
			name = input.next.list[0].word
		}
	}
	r.torchFields(name, at, args)
}

// torchInput gives a call of as_strided the type of the call that makes its input, and notes where the offset is not
// that of the input, which is a part of a tensor.
func (r *reader) torchInput(args []entry) []entry {
	input, _ := field(args, "input")
	part := input.next
	if part != nil && part.kind == list && part.open == '(' {
		dtype, typed := field(withoutNone(part.list), "dtype")
		switch last := input.last(); {
		case typed:
			args = append(args, entry{"dtype", dtype})
		case last == "arange" || last == "full":
			r.skip("the type of the input, which is that of the numbers of %s", last)
		}
		part = part.next
	}
	isName := part == nil || part.kind == list && len(part.list) == 1 && part.list[0].kind == str // L['x']
	if _, ok := field(args, "storage_offset"); !ok && !isName {
		r.skip("where the input starts, of which it is a part: storage_offset is read as 0")
	}
	return args
}

// torchArguments reads the arguments of a call, and gives them their names.
func (r *reader) torchArguments(function string, names []string) []entry {
	var v value
	r.bracketed(&v)
	args := v.list
	for i, e := range args {
		if function == "FixedLayout" && e.key == "offset" {
			args[i].key = "storage_offset"
		}
	}
	args = withoutNone(spread(named(args, names...), names))
	if function == "arange" {
		args = r.arange(v.at, args)
	}
	return r.full(args)
}

// withoutNone leaves out a type of None, which is the default.
func withoutNone(args []entry) []entry {
	return slices.DeleteFunc(args, func(e entry) bool { return e.key == "dtype" && e.word == "None" })
}

// full gives a call of full that names no type the one of the number in all elements: of integers NumPy and PyTorch
// make int64, of True bool, and of others what they make without a number.
func (r *reader) full(args []entry) []entry {
	fill, ok := field(args, "fill_value")
	if _, typed := field(args, "dtype"); !ok || typed {
		return args
	}
	typeName := ""
	switch last := fill.last(); {
	case fill.kind == number:
		typeName = "int64"
	case last == "True" || last == "False":
		typeName = "bool"
	case fill.kind != formula && !slices.Contains([]string{"nan", "inf", "pi", "e", "float"}, last):
		r.skip("the type of fill_value is not known: it is read as a float")
		return args
	default:
		return args
	}
	return append([]entry{{"dtype", value{at: fill.at, kind: word, word: typeName}}}, args...)
}

// arange gives a call of arange its size and type: integers without decimals make int64.
func (r *reader) arange(at int, args []entry) []entry {
	bounds := [...]int64{0, 0, 1}
	given := 0
	kept := args[:0:0]
	for _, e := range args {
		i := slices.Index(argumentNames(torchFunctions[:], "arange"), e.key)
		if i < 0 {
			kept = append(kept, e)
			continue
		}
		bounds[i] = r.int(e.value, "the bound")
		given++
	}
	if given == 1 {
		bounds[0], bounds[1] = 0, bounds[0]
	}
	if _, typed := field(args, "dtype"); !typed {
		kept = append(kept, entry{"dtype", value{at: at, kind: word, word: "int64"}})
	}
	size := value{at: at, kind: number}
	switch start, end, step := bounds[0], bounds[1], bounds[2]; {
	case step < 1 || start < math.MinInt32 || end > math.MaxInt64/2 || given == 0:
		r.fail(at, "such as arange(24)", "it is not known how many numbers this makes")
	default:
		size.n = max(layout.CeilDiv(max(end-start, 0), step), 0)
	}
	sizes := value{at: at, kind: list, list: []entry{{value: size}}}
	return append(kept, entry{"size", sizes})
}

// spread gathers sizes that are separate arguments, as in torch.empty(2, 3).
func spread(args []entry, names []string) []entry {
	if len(names) > 1 || len(args) == 0 || args[0].kind != number {
		return args
	}
	sizes := value{at: args[0].at, kind: list}
	var others []entry
	for _, e := range args {
		if e.kind == number && (e.key == "" || e.key == names[0]) {
			sizes.list = append(sizes.list, entry{value: e.value})
			continue
		}
		others = append(others, e)
	}
	return append(others, entry{names[0], sizes})
}

// torchFields makes a tensor of what the named values say.
func (r *reader) torchFields(name string, at int, args []entry) {
	if r.err != nil {
		return
	}
	r.once(args)
	size, ok := field(args, "size", "sizes", "shape")
	if !ok {
		r.fail(at, "such as torch.empty_strided((2, 3), (3, 1))", "the sizes are missing")
		return
	}
	sizes := r.ints(size, "sizes")
	strides := r.rowMajor(sizes)
	if format, ok := field(args, "memory_format"); ok && !format.isNull() {
		strides = r.memoryFormat(format, sizes)
	}
	if stride, ok := field(args, "stride", "strides"); ok {
		if stride.kind == word && stride.last() == "Size" {
			r.fail(stride.at, "one of them; strides are a list without the name: torch.Size([2, 3]) (3, 1)",
				"a second torch.Size, which lists sizes and never strides")
		}
		strides = r.ints(stride, "strides")
	}
	base := int64(0)
	if offset, ok := field(args, "storage_offset"); ok {
		base = r.int(offset, "the storage offset")
	}
	of, _ := field(args, "dtype")
	dtype, typed := r.typeField([]entry{{"dtype", of.python()}}, "dtype")
	r.torchRest(args)
	r.strided(size.at, Descriptor{Name: name, Typed: typed}, dtype, base, sizes, strides)
}

// python gives Python's own types, as which elements have 64 bits, the names of those elements.
func (v value) python() value {
	switch v.word {
	case "float":
		v.word = "float64"
	case "int":
		v.word = "int64"
	case "complex":
		v.word = "complex128"
	}
	return v
}

// torchRest notes the arguments that a layout does not hold.
func (r *reader) torchRest(args []entry) {
	for _, e := range args {
		switch e.key {
		case "size", "sizes", "shape", "stride", "strides", "storage_offset", "memory_format", "dtype", "input":
		case "type", "keys", "op_name", "fill_value":
		case "":
			r.fail(e.at, "", "this argument has no place in the call")
		case "layout":
			if e.last() != "strided" {
				r.fail(e.at, "", "a tensor in the layout %s has no strides", e.word)
			}
		case "offset":
			r.skip("offset, which is not read: PyTorch's is storage_offset")
		default:
			r.unread(e, []string{
				"size", "sizes", "shape", "stride", "strides", "storage_offset", "memory_format", "dtype",
			})
		}
	}
}

// typeField reads the element type out of a field, and says whether there is one.
func (r *reader) typeField(args []entry, keys ...string) (layout.DType, bool) {
	v, ok := field(args, keys...)
	if !ok || v.kind == nothing {
		return r.options.DType, false
	}
	d, err := layout.ParseDType(v.word)
	if v.kind == str {
		v.at++
	}
	r.within(v.at, err)
	return d, true
}

// memoryFormat returns the strides of a tensor in torch.channels_last or another format.
func (r *reader) memoryFormat(format value, sizes []int64) []int64 {
	name, err := shape.ParseName(format.word)
	r.within(format.at, err)
	strides, _ := r.tagTensor(r.options.DType, formatTag{format.at, name}, sizes).Layout().LinearStrides()
	return strides
}

func writePyTorch(t layout.Tensor) (string, error) {
	strides, dtype, err := terms{base: true, zero: true}.typed(t, t.DType().Info().PyTorch)
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

// fitsFX recognises two lists in square brackets after a type, a node of a graph with its type in quotes, and a value
// of TorchScript.
func fitsFX(text string) bool {
	if fitsInterface(text) {
		return false
	}
	if strings.Contains(text, "][") && scan.IsLetter(text[0]) && !strings.ContainsAny(text, "{=(<") {
		_, ofC := cArray(text)
		return !ofC
	}
	_, ok := nextGraphType(text, 0)
	if _, hlo := nextInstruction(text, 0); ok && hlo {
		return false // a module of XLA, whose parameters have a colon before their types too
	}
	return ok
}

// A graphType is where a graph says the type of a value.
type graphType struct {
	name   string // of the value; empty if it has none
	at     int    // where its type starts
	script bool   // it is TorchScript's: Float(2, 3, strides=[3, 1])
}

// scriptTypes are TorchScript's names of types.
var scriptTypes = [...][2]string{
	{"Float", "float32"}, {"Double", "float64"}, {"Half", "float16"}, {"BFloat16", "bfloat16"}, {"Long", "int64"},
	{"Int", "int32"}, {"Short", "int16"}, {"Char", "int8"}, {"Byte", "uint8"}, {"Bool", "bool"},
	{"ComplexFloat", "complex64"}, {"ComplexDouble", "complex128"},
}

// nextGraphType finds the next type from an offset on: NAME : "f32[2, 3]...", Tensor "f32...", %NAME : Float(.
func nextGraphType(text string, from int) (g graphType, ok bool) {
	for at := from; at < len(text); at++ {
		c := text[at]
		if !scan.IsLetter(c) || at > 0 && (scan.IsWord(text[at-1]) || text[at-1] == '.') {
			continue
		}
		end := at + wordLength(text[at:])
		before := strings.TrimRight(text[:at], " \t")
		quoted := strings.HasSuffix(before, `"`) && len(before) == at
		if quoted {
			before = strings.TrimRight(before[:at-1], " \t\r\n")
			before = strings.TrimRight(strings.TrimSuffix(before, "Tensor"), " \t\r\n")
		}
		colon := strings.HasSuffix(before, ":") && !strings.HasSuffix(before, "::")
		g = graphType{at: at, name: valueBefore(before)}
		switch word := text[at:end]; {
		case end == len(text):
		case text[end] == '[' && (quoted || colon && g.name != ""):
			if _, err := layout.ParseDType(word); err == nil {
				return g, true
			}
		case text[end] == '(' && slices.ContainsFunc(scriptTypes[:], func(t [2]string) bool { return t[0] == word }):
			args := text[end:min(end+1024, len(text))]
			if i := strings.IndexByte(args, ')'); i >= 0 {
				args = args[:i]
			}
			value := strings.HasSuffix(before, "%"+g.name+":") || strings.HasSuffix(before, "%"+g.name+" :")
			if g.script = true; value || hasAny(args, "strides=", "requires_grad=", "device=") {
				return g, true
			}
		}
		at = end - 1
	}
	return graphType{}, false
}

// valueBefore returns the name of the value before the colon that the text ends with.
func valueBefore(text string) string {
	text, ok := strings.CutSuffix(text, ":")
	text = strings.TrimRight(text, " \t")
	start := len(text)
	for start > 0 && (scan.IsWord(text[start-1]) || text[start-1] == '.') {
		start--
	}
	if !ok {
		return ""
	}
	return text[start:]
}

// readFX reads a tensor as PyTorch's graph dumps print it, f32[2, 3][3, 1]cpu, or all the values of a graph.
func readFX(r *reader) {
	r.python = true
	if _, ok := nextGraphType(r.In, 0); !ok {
		quoted := r.take("Tensor") && r.take(`"`)
		r.fxTensor("")
		if quoted {
			r.expect(`"`)
		}
		return
	}
	others := ""
	for from := 0; r.err == nil; {
		g, ok := nextGraphType(r.In, from)
		if !ok {
			others += r.In[from:]
			break
		}
		others += r.In[from:g.at]
		r.Pos = g.at
		first := len(r.found)
		if g.script {
			r.scriptTensor(g.name)
		} else {
			if r.fxTensor(g.name); g.at > 0 && r.In[g.at-1] == '"' {
				r.expect(`"`)
			}
		}
		r.forgetSame(first)
		from = r.Pos
	}
	if i := strings.IndexByte(others, '='); i >= 0 {
		r.skip("what the graph computes, %s", strings.TrimSpace(others[i+1:]))
	}
	r.Pos = len(r.In)
}

// fxTensor reads a type, sizes, strides and a device.
func (r *reader) fxTensor(name string) {
	dtype := r.dtype()
	r.space()
	at := r.Pos
	sizes := r.bracketedInts("sizes")
	strides := r.rowMajor(sizes)
	if r.space(); r.Peek() == '[' {
		strides = r.bracketedInts("strides")
	} else if r.err == nil {
		r.noStrides(name)
	}
	if r.space(); scan.IsLetter(r.Peek()) {
		r.Span(func(c byte) bool { return scan.IsWord(c) || c == ':' })
	}
	r.strided(at, Descriptor{Name: name, Typed: true}, dtype, 0, sizes, strides)
}

// bracketedInts reads a list of numbers in square brackets; what says what they are.
func (r *reader) bracketedInts(what string) []int64 {
	if r.Peek() != '[' {
		r.expect("[")
		return nil
	}
	var v value
	r.bracketed(&v)
	return r.ints(v, what)
}

// scriptTensor reads a type of TorchScript: sizes, each with its stride after a colon in old versions, and named
// values.
func (r *reader) scriptTensor(name string) {
	at := r.Pos
	word := r.word()
	i := slices.IndexFunc(scriptTypes[:], func(t [2]string) bool { return t[0] == word })
	dtype, err := layout.ParseDType(scriptTypes[i][1])
	r.fault(err)
	sizes, strides, others := []int64{}, []int64(nil), ""
	r.each("(", ")", func(int) {
		if key := r.Pos; scan.IsLetter(r.Peek()) {
			word := r.word()
			if r.expect("="); word == "strides" {
				strides = r.bracketedInts("strides")
				return
			}
			r.Span(func(c byte) bool { return c != ',' && c != ')' })
			others += ", " + r.In[key:max(key, r.Pos)]
			return
		}
		if len(sizes) == layout.MaxRank {
			r.unexpected("more than %d sizes: the limit is rank %d", layout.MaxRank, layout.MaxRank)
		}
		sizes = append(sizes, r.known("this size"))
		r.takeHere("!") // contiguous up to here, in old versions
		if r.takeHere(":") {
			strides = append(strides, r.known("this stride"))
		}
	})
	if strides == nil && r.err == nil {
		strides = r.rowMajor(sizes)
		if len(sizes) > 0 {
			r.noStrides(name)
		}
	}
	d := Descriptor{Name: name, Typed: true}
	if others != "" {
		d.Skipped = []string{others[len(", "):]}
	}
	r.strided(at, d, dtype, 0, sizes, strides)
}

// writeFX writes what a graph dump would show.
func writeFX(t layout.Tensor) (string, error) {
	strides, dtype, err := terms{zero: true}.typed(t, t.DType().Info().FX)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s[%s][%s]cpu", dtype, layout.JoinInts(t.Layout().Sizes(), ", "),
		layout.JoinInts(strides, ", ")), nil
}
