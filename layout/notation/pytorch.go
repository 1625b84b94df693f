package notation

import (
	"fmt"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/spec"
)

// torchFunctions are the functions that say sizes, and the names of their arguments.
var torchFunctions = map[string][]string{
	"empty_strided": {"size", "stride"},
	"as_strided":    {"input", "size", "stride", "storage_offset"},
	"empty":         {"size"},
	"zeros":         {"size"},
	"ones":          {"size"},
	"rand":          {"size"},
	"randn":         {"size"},
}

func fitsPyTorch(text string) bool {
	return hasAny(text, "torch.", "stride=(", "stride=[") ||
		strings.Contains(text, "sizes") && !hasAny(text, "DML_", "DataType") ||
		strings.Contains(text, "as_strided") && !strings.Contains(text, "np.") || isPair(text)
}

// readPyTorch reads a call that makes a tensor, or sizes and strides as PyTorch prints them.
func readPyTorch(r *reader) {
	items := r.entries(0)
	if len(items) == 0 || r.err != nil {
		return
	}
	call := items[0]
	if call.key != "" || call.kind != word || call.last() == "Size" {
		r.torchFields(0, named(items, "size", "stride", "storage_offset"))
		return
	}
	if args := r.torchCall(call.value); len(items) > 1 {
		r.fail(items[1].at, "", "unexpected text after the call")
	} else {
		r.torchFields(call.at, args)
	}
}

// torchCall returns the arguments, by name, of the call that makes a tensor. Whatever tensor
// as_strided is a method of, its own arguments say all but the type.
func (r *reader) torchCall(call value) []entry {
	last := call
	for n := call.next; n != nil; n = n.next {
		if n.kind == word {
			last = *n
		}
	}
	args, _ := call.arguments('(')
	names := torchFunctions[call.last()]
	if names != nil {
		args = spread(named(args, names...), names)
	}
	method := last.at != call.at || strings.Contains(strings.TrimPrefix(call.word, "torch."), ".")
	switch {
	case last.next == nil || last.next.open != '(' || method && last.last() != "as_strided" || !method && names == nil:
		r.fail(last.at, "such as torch.empty_strided((2, 3), (3, 1))", "%q is not a call that says sizes and strides",
			last.word)
	case last.next.next != nil:
		r.fail(last.next.next.at, "", "the call does not say what this makes of its tensor")
	case method:
		dtype, _ := field(args, "dtype")
		names = torchFunctions[last.last()][1:] // without the input
		return append(named(last.next.list, names...), entry{"dtype", dtype})
	}
	return args
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
func (r *reader) torchFields(at int, args []entry) {
	size, ok := field(args, "size", "sizes", "shape")
	if !ok {
		r.fail(at, "such as torch.empty_strided((2, 3), (3, 1))", "the sizes are missing")
		return
	}
	sizes := r.ints(size, "sizes")
	strides := r.rowMajor(sizes)
	if format, ok := field(args, "memory_format"); ok {
		strides = r.memoryFormat(format, sizes)
	}
	if stride, ok := field(args, "stride", "strides"); ok {
		strides = r.ints(stride, "strides")
	}
	base := int64(0)
	if offset, ok := field(args, "storage_offset"); ok {
		base = r.int(offset, "the storage offset")
	}
	of, _ := field(args, "dtype")
	dtype, typed := r.typeField([]entry{{"dtype", of.python()}}, "dtype")
	r.torchRest(args)
	r.strided(size.at, Descriptor{Typed: typed}, dtype, base, sizes, strides)
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
		case "":
			r.fail(e.at, "", "this argument has no place in the call")
		case "layout":
			if e.last() != "strided" {
				r.fail(e.at, "", "a tensor in the layout %s has no strides", e.word)
			}
		default:
			r.skip("%s", e.key)
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
	name, err := spec.ParseName(format.word)
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

// readFX reads a tensor as PyTorch's graph dumps print it: f32[2, 3][3, 1]cpu.
func readFX(r *reader) {
	quoted := r.take("Tensor") && r.take(`"`)
	dtype := r.dtype()
	r.space()
	at := r.Pos
	sizes := r.list("this size")
	strides := r.rowMajor(sizes)
	if r.space(); r.Peek() == '[' {
		strides = r.list("this stride")
	}
	if r.space(); scan.IsLetter(r.Peek()) {
		r.Span(func(c byte) bool { return scan.IsWord(c) || c == ':' })
	}
	if quoted {
		r.expect(`"`)
	}
	r.strided(at, Descriptor{Typed: true}, dtype, 0, sizes, strides)
}

// fitsFX recognises two lists in square brackets after a type.
func fitsFX(text string) bool {
	return strings.Contains(text, "][") && scan.IsLetter(text[0]) && !strings.Contains(text, "{")
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
