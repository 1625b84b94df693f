package notation

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/scan"
)

// A callee is functions of C++ that make or describe a tensor, and what their arguments are: - does not bear on the
// layout.
type callee struct {
	arguments string
	names     []string
}

// byKind are the arguments of functions of PyTorch: a list is the sizes, a second one the strides, others are options.
const byKind = "..."

// calleeOf returns which of some functions has a name, nil if none has.
func calleeOf(table []callee, name string) *callee {
	for i := range table {
		if slices.Contains(table[i].names, name) {
			return &table[i]
		}
	}
	return nil
}

// A calledTensor is what the arguments of a call, or of calls one after the other, state of a tensor.
type calledTensor struct {
	name                string
	at                  int // the sizes
	sizes, strides      []int64
	dtype, format, base literal.Value
	ranks               []literal.Value
}

// A callReader reads statements of C++ with calls of functions that make or describe tensors.
type callReader struct {
	structReader
	functions []callee
	names     literal.Scope
}

// calls makes a tensor of each statement with such calls. It reports false, and reads nothing, where there is none.
func (r structReader) calls(functions []callee, make func(calledTensor)) bool {
	if _, n := r.find(func(i int) bool {
		of := calleeOf(functions, r.Text(r.Tokens()[i]))
		return of != nil && (of.arguments != byKind || i > 0 && r.Text(r.Tokens()[i-1]) == "::")
	}); n == 0 {
		return false
	}
	c := callReader{r, functions, literal.ScopeOf(r.declarations())}
	isRead := map[string]bool{} // the names of tensors
	read := slices.Repeat([]bool{false}, len(c.names.All))
	for at, b := range c.names.All {
		c.names.At = at
		t := calledTensor{at: -1}
		if b.Kind == "" || b.Value.Word != b.Name { // a variable of that name
			c.call(b.Value, &t)
		}
		if t.at >= 0 {
			if t.name == "" && b.Kind != "" {
				t.name = b.Name
			}
			make(t)
			isRead[t.name], read[at] = t.name != "", true
			continue
		}
		for _, word := range r.statement(b) {
			if isRead[r.Text(word)] && !scan.Like(b.Value.Word, "*Destroy*") {
				r.Fail(int(word.At), "leave the statement out if it does not change the tensor",
					"%s was read, and it is not understood what this does with it", r.Text(word))
			}
		}
	}
	r.useStatements(c.names.All, read)
	return true
}

// useStatements notes that some statements are read, and those that declare what they name, or swap elements of it.
func (r structReader) useStatements(all []literal.Binding, read []bool) {
	isNamed := map[string]bool{}
	for range 3 { // the length of an array, and its numbers, may be names too
		for i, b := range all {
			isValue := b.Value.Kind == literal.List || b.Value.Kind == literal.Number
			read[i] = read[i] || isNamed[b.Name] && (b.Kind != "" || isValue) || scan.Like(b.Name, "$*", "*swap")
			if read[i] {
				for _, word := range r.statement(b) {
					isNamed[r.Text(word)] = true
				}
			}
		}
	}
	for i, b := range all {
		if read[i] {
			r.use(b.At, b.End)
		}
	}
}

// statement returns the tokens of a statement.
func (r structReader) statement(b literal.Binding) []scan.Token {
	first := func(at int) int {
		i, _ := slices.BinarySearchFunc(r.Tokens(), at, func(t scan.Token, at int) int { return int(t.At) - at })
		return i
	}
	return r.Tokens()[first(b.At):first(b.End)]
}

// call reads what a value states of a tensor, if it is such a call, has one among its arguments, or one after the
// other.
func (r callReader) call(v literal.Value, t *calledTensor) {
	for of := &v; of != nil && r.Err == nil; of = of.Next {
		args := of.Next
		if of.Kind != literal.Word || args == nil || args.Kind != literal.List || args.Open != '(' {
			continue
		}
		known := calleeOf(r.functions, of.Last())
		switch {
		case known == nil && t.at >= 0:
			r.Fail(of.At, "", "%s is not understood", scan.Quote(of.Word))
		case known == nil:
			for _, e := range args.List {
				r.call(e.Value, t)
			}
		default:
			r.arguments(t, known, args)
		}
	}
}

// arguments notes the arguments of a call.
func (r callReader) arguments(t *calledTensor, of *callee, args *literal.Value) {
	if of.arguments == byKind {
		r.byKind(t, args.List)
		return
	}
	fields := strings.Fields(of.arguments)
	if len(fields) != len(args.List) {
		r.Fail(args.At, "", "%s, not %d, are the arguments of %s", scan.Count(len(fields), "value"), len(args.List),
			of.names[0])
		return
	}
	for i, field := range fields {
		r.argument(t, field, args.List[i].Value)
	}
}

// byKind notes the arguments of a function of PyTorch. A word before the sizes is where the elements are.
func (r callReader) byKind(t *calledTensor, args []literal.Entry) {
	for i, e := range args {
		isList := pointedAt(e.Value, r.names).Kind == literal.List
		switch {
		case isList && t.at < 0:
			r.argument(t, "size", e.Value)
		case isList:
			r.argument(t, "stride", e.Value)
		case t.at >= 0:
			r.option(t, e.Value)
		case i > 0 || len(args) == 1:
			r.Fail(e.At, "such as {2, 3}", "the sizes are not a list of numbers")
		}
	}
}

// option notes a type, a memory format, or what TensorOptions has of them.
func (r callReader) option(t *calledTensor, v literal.Value) {
	if v.Next == nil {
		switch {
		case layout.IsDType(v.Word):
			t.dtype = v
		case scan.Like(v.Word, "*MemoryFormat*"):
			t.format = v
		case !scan.Like(v.Word, "*nullopt", "*kCUDA", "*kCPU", "*kStrided"):
			r.skip("%s is not read: the type is that of the options", v.Word)
		}
		return
	}
	for of := &v; of != nil && of.Next != nil; of = of.Next {
		if of.Kind != literal.Word || of.Next.Kind != literal.List {
			continue
		}
		args := of.Next.List
		switch last := of.Last(); {
		case len(args) == 1 && (last == "dtype" || last == "memory_format"):
			r.option(t, args[0].Value)
		case !slices.Contains([]string{"TensorOptions", "device", "requires_grad", "pinned_memory"}, last):
			r.Fail(of.At, "leave it out", "%s is not understood", scan.Quote(of.Word))
		}
	}
}

// arrayFields are the last words of names of arrays, and what is in these.
var arrayFields = [...]struct{ name, field string }{
	{"shape", "size"}, {"sizes", "size"}, {"size", "size"}, {"dims", "size"}, {"dim", "size"},
	{"strides", "stride"}, {"stride", "stride"},
}

// arrays reads a text of nothing but arrays of C or C++ whose names say what they are: int64_t x_sizes[2] = {2, 3}. It
// reports false, and reads nothing, where there is something else.
func (r structReader) arrays() bool {
	all := r.declarations()
	var tensors []calledTensor
	c := callReader{structReader: r, names: literal.ScopeOf(all)}
	for _, b := range all {
		name, key := "", b.Name
		if i := strings.LastIndexByte(key, '_'); i > 0 {
			name, key = key[:i], key[i+1:]
		}
		f := slices.IndexFunc(arrayFields[:], func(f struct{ name, field string }) bool { return f.name == key })
		_, isFloat := layout.DTypeIn(layout.C, b.Kind)
		isFloat = isFloat && scan.Like(b.Kind, "float", "double", "half", "bool")
		if f < 0 || b.Value.Kind != literal.List || b.Kind == "" && b.Index == nil || isFloat {
			r.Recover(0)
			return false
		}
		i := slices.IndexFunc(tensors, func(t calledTensor) bool { return t.name == name })
		if i < 0 {
			i, tensors = len(tensors), append(tensors, calledTensor{name: name, at: -1})
		}
		c.argument(&tensors[i], arrayFields[f].field, b.Value)
		if n := b.Index; n != nil && len(n.List) == 1 && n.List[0].Kind == literal.Number &&
			n.List[0].N != int64(len(b.Value.List)) {
			r.Fail(b.Value.At, "", "an array of %d has %d numbers", n.List[0].N, len(b.Value.List))
		}
	}
	for _, t := range tensors {
		if t.at < 0 {
			r.Fail(0, "such as int64_t sizes[2] = {2, 3};", "the sizes are missing")
		} else if t.strides == nil {
			r.noStrides(t.name)
		}
		r.called(t)
	}
	return len(all) > 0
}

// argument notes an argument of a call.
func (r callReader) argument(t *calledTensor, field string, v literal.Value) {
	switch field {
	case "size":
		if t.at < 0 {
			t.at = v.At
		}
		t.sizes = r.numbers(t.sizes, v, "sizes")
	case "stride":
		if !v.IsNull() || v.Kind == literal.Number {
			t.strides = r.numbers(t.strides, v, "strides")
		}
	case "rank":
		t.ranks = append(t.ranks, r.names.Resolve(v))
	case "dtype":
		t.dtype = v
	case "format":
		t.format = v
	case "base":
		t.base = r.names.Resolve(v)
	case "name":
		t.name = v.Last()
	}
}

// numbers appends a number, or those of an array.
func (r callReader) numbers(list []int64, v literal.Value, what string) []int64 {
	if n := r.names.Resolve(v); n.Kind == literal.Number {
		return append(list, n.N)
	} else if v.Kind == literal.Word && n.Kind == literal.Word && pointedAt(v, r.names).Kind != literal.List {
		return append(list, r.Int(v, "one of the "+what))
	}
	return append(list, r.pointer(v, "", what, r.names)...)
}

// called adds the tensor that calls state. Without strides it is in the order of the format, or row-major.
func (r structReader) called(t calledTensor) {
	dtype, typed := r.typeOf(t.dtype)
	for _, v := range t.ranks {
		if n := r.Int(v, "the rank"); n != int64(len(t.sizes)) || t.strides != nil && n != int64(len(t.strides)) {
			r.Fail(v.At, "", "the rank is %d, and there are %d sizes and %d strides", n, len(t.sizes), len(t.strides))
		}
	}
	d := Descriptor{Name: t.name, Typed: typed, Plain: t.strides == nil}
	switch format := t.format.Last(); {
	case t.strides != nil:
	case scan.Like(format, "*NHWC", "*NDHWC", "*ChannelsLast*"):
		t.strides = r.interleaved(t.sizes)
	case format == "", scan.Like(format, "*NCHW", "*NCDHW", "*Contiguous"):
		t.strides = r.rowMajor(t.sizes)
	default:
		r.Fail(t.format.At, "NCHW or NHWC", "the format %s is not read", t.format.Word)
	}
	base := int64(0)
	if t.base.Kind != literal.Nothing {
		base = r.Int(t.base, "the storage offset")
	}
	r.strided(t.at, d, dtype, base, t.sizes, t.strides)
}
