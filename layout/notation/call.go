package notation

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// byKind is the parameter of PyTorch functions that distinguish their arguments by kind: the first list is the sizes,
// the second list the strides, and other arguments are options.
const byKind = "kind"

// A calledTensor is the tensor that the arguments of a call, or of a chain of calls, describe.
type calledTensor struct {
	name                string
	at                  int // the offset of the sizes
	sizes, strides      []int64
	dtype, format, base literal.Value
	ranks               []literal.Value
}

// A callReader reads C++ statements that call functions which make or describe tensors.
type callReader struct {
	structReader
	functions literal.Signatures
	names     literal.Scope
}

// calls makes a tensor from each statement with such a call. If there is no such statement, it reports false and reads
// nothing.
func (r structReader) calls(functions literal.Signatures, make func(calledTensor)) bool {
	if _, n := r.find(func(i int) bool {
		t := r.Tokens()[i]
		if t.Kind != lexer.Word {
			return false
		}
		name := r.Text(t)
		return functions.Has(name) && (!isByKind(functions, name) || i > 0 && r.Text(r.Tokens()[i-1]) == "::")
	}); n == 0 {
		return false
	}
	c := callReader{r, functions, literal.ScopeOf(r.declarations())}
	read := map[int]string{}
	for at, b := range c.names.All {
		c.names.At = at
		t := calledTensor{at: -1}
		if b.Kind == "" || b.Value.Word != b.Name { // a variable with the name of a function
			c.call(b.Value, &t)
		}
		if t.at >= 0 {
			if t.name == "" && b.Kind != "" {
				t.name = b.Name
			}
			make(t)
			read[at] = t.name
		}
	}
	r.statements(c.names.All, read, nil)
	return true
}

// statements marks the statements of tensors as read, and the declarations that they refer to. It rejects other
// statements that may change these variables, even before the statement of the tensor.
func (r structReader) statements(
	all []literal.Binding, read map[int]string, variables map[string]literal.Binding,
) {
	if variables == nil {
		variables = map[string]literal.Binding{}
	}
	r.named(all, read)
	for i, b := range all {
		name, isRead := read[i]
		isUnsure, isShared := b.Unsure && b.Kind == "", b.Shared && b.Kind != ""
		if !isRead || isUnsure || isShared {
			mutationScanner{r, b, r.statement(b), variables}.refuse()
		}
		if !isRead {
			continue
		}
		r.use(b.At, b.End)
		r.declares(b)
		if isKnown := b.Kind != "" || b.Fault == nil; isKnown && !b.Const && name != "" {
			variables[literal.Root(name)] = b
		}
	}
}

// named marks the declarations that the statements already read refer to, starting at the last one. The length of an
// array, and its numbers, may be names that are declared later, so it makes two passes.
func (r structReader) named(all []literal.Binding, read map[int]string) {
	isNamed := map[string]bool{}
	for range 2 {
		for i, b := range slices.Backward(all) {
			isValue := b.Kind != "" || len(b.Value.List) > 0 || b.Value.Kind == literal.Number
			isMeant := isNamed[b.Name] && b.Fault == nil && isValue
			if _, isRead := read[i]; !isRead && (isMeant || b.Done || lexer.Like(b.Name, "$*")) {
				read[i] = b.Name
			}
			if _, isRead := read[i]; !isRead {
				continue
			}
			for _, word := range r.statement(b) {
				isNamed[r.Text(word)] = true
			}
		}
	}
}

// arrayTypes are patterns of the C++ types of lists of numbers and of descriptors.
var arrayTypes = [...]string{
	"auto", "define", "*DESC*", "*Desc*", "*desc", "*ensor*", "*ector", "*array", "*span", "*ArrayRef", "*imension*",
	"*dims", "*_t", "*INT*", "*LONG*", "*Attr*",
}

// declares adds a note with the type that a statement declares or constructs, if the type is unknown.
func (r structReader) declares(b literal.Binding) {
	of := []string{b.Kind}
	if b.Set && b.Value.Next != nil && b.Value.Next.Open == '{' {
		of = append(of, b.Value.Word)
	}
	for _, name := range of {
		_, isC := layout.DTypeIn(layout.C, name)
		if name != "" && !isC && !lexer.Like(name, arrayTypes[:]...) {
			r.skip("not read: the type %s", name)
		}
	}
}

// statement returns the tokens of a statement.
func (r structReader) statement(b literal.Binding) []lexer.Token {
	first := func(at int) int {
		i, _ := slices.BinarySearchFunc(r.Tokens(), at, func(t lexer.Token, at int) int { return int(t.At) - at })
		return i
	}
	return r.Tokens()[first(b.At):first(b.End)]
}

// call collects the statements about a tensor in a value. The value may be such a call, have one among its arguments,
// or be a chain of calls.
func (r callReader) call(v literal.Value, t *calledTensor) {
	for of := &v; of != nil && r.Err == nil; of = of.Next {
		args := of.Next
		if of.Kind != literal.Word || args == nil || args.Kind != literal.List || args.Open != '(' {
			continue
		}
		switch name := of.Last(); {
		case isByKind(r.functions, name):
			r.byKind(t, args.List)
		case r.functions.Has(name):
			for _, e := range r.Bind(r.functions, name, args.At, args.List) {
				r.argument(t, e.Key, e.Value)
			}
		case t.at >= 0:
			r.Fail(of.At, "", "%s is not understood", wording.Quote(of.Word))
		default:
			for _, e := range args.List {
				r.call(e.Value, t)
			}
		}
	}
}

// isByKind reports whether a function distinguishes its arguments by kind.
func isByKind(functions literal.Signatures, name string) bool {
	return slices.Contains(functions.Keys(name), byKind)
}

// byKind reads the arguments of a PyTorch function that distinguishes them by kind. A word before the sizes is the data
// pointer.
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

// option reads an element type, a memory format, or a TensorOptions with either.
func (r callReader) option(t *calledTensor, v literal.Value) {
	if v.Next == nil {
		switch {
		case layout.IsDType(v.Word):
			t.dtype = v
		case lexer.Like(v.Word, "*MemoryFormat*"):
			t.format = v
		case !lexer.Like(v.Word, "*nullopt", "*kCUDA", "*kCPU", "*kStrided"):
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
		case len(args) == 1 && slices.Contains([]string{"dtype", "memory_format", "TensorOptions"}, last):
			r.option(t, args[0].Value)
		case !slices.Contains([]string{"TensorOptions", "device", "requires_grad", "pinned_memory"}, last):
			r.Fail(of.At, "remove it", "%s is not understood", wording.Quote(of.Word))
		}
	}
}

// arrays reads C and C++ arrays that are named after a field: int64_t x_sizes[2] = {2, 3}. If the input has no such
// array, it reports false and reads nothing.
func (r structReader) arrays() bool {
	all := r.declarations()
	var tensors []calledTensor
	c := callReader{structReader: r, names: literal.ScopeOf(all)}
	read, arrays := map[int]string{}, map[string]literal.Binding{}
	for at, b := range all {
		name, field := arrayField(b.Name)
		if r.isOther(b, field) {
			return r.isForeign()
		}
		if field == "" || !isArray(b) {
			continue
		}
		i := slices.IndexFunc(tensors, func(t calledTensor) bool { return t.name == name })
		if i < 0 {
			i, tensors = len(tensors), append(tensors, calledTensor{name: name, at: -1})
		}
		c.argument(&tensors[i], field, b.Value)
		r.checkLength(b)
		read[at], arrays[b.Name] = b.Name, b
	}
	if len(tensors) == 0 {
		r.Recover(0)
		return false
	}
	r.statements(all, read, arrays)
	for _, t := range tensors {
		if t.at < 0 {
			r.Fail(0, "such as int64_t sizes[2] = {2, 3};", "the sizes are missing")
		} else if t.strides == nil {
			r.noStrides(t.name)
		}
		r.called(t)
	}
	return true
}

// arrayField splits the name of an array, x_sizes, into the name of the tensor, x, and the field, which is the size or
// the stride.
func arrayField(name string) (tensor, field string) {
	i := strings.LastIndexByte(name, '_')
	if i > 0 {
		tensor, name = name[:i], name[i+1:]
	}
	switch field = fieldOf(name); {
	case name == "dim", name == "dims", field == "size":
		return tensor, "size"
	case field == "stride":
		return tensor, field
	}
	return tensor, ""
}

// isOther reports whether a statement shows that the input belongs to another system: a struct, or an assignment to
// something other than a name.
func (r structReader) isOther(b literal.Binding, field string) bool {
	isStruct := b.Value.Kind == literal.List && !isNumbers(b.Value)
	return isStruct && field == "" || b.Set && !lexer.IsName(b.Name)
}

// isArray reports whether a statement declares a list of numbers that may be sizes.
func isArray(b literal.Binding) bool {
	_, isC := layout.DTypeIn(layout.C, b.Kind)
	isFloat := isC && lexer.Like(b.Kind, "float", "double", "half", "bool")
	return b.Value.Kind == literal.List && !isFloat && (b.Kind != "" || b.Index != nil)
}

// checkLength compares the declared length of an array with the length of its list.
func (r structReader) checkLength(b literal.Binding) {
	if b.Index == nil || len(b.Index.List) != 1 {
		return
	}
	if n := b.Index.List[0]; n.Kind == literal.Number && n.N != int64(len(b.Value.List)) {
		r.Fail(b.Value.At, "", "an array of %d has %s", n.N, wording.Count(len(b.Value.List), "number"))
	}
}

// argument reads an argument of a call.
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

// numbers appends a number, or the numbers of an array.
func (r callReader) numbers(list []int64, v literal.Value, what string) []int64 {
	if n := r.names.Resolve(v); n.Kind == literal.Number {
		return append(list, n.N)
	} else if v.Kind == literal.Word && n.Kind == literal.Word && pointedAt(v, r.names).Kind != literal.List {
		return append(list, r.Int(v, "one of the "+what))
	}
	return append(list, r.pointer(v, what, r.names)...)
}

// memoryFormats are PyTorch's memory formats in C++.
var memoryFormats = [...]string{"ChannelsLast*", "Contiguous"}

// called adds the tensor that calls state. If they state no strides, it uses the order of the memory format, or
// row-major order.
func (r structReader) called(t calledTensor) {
	dtype, typed := r.typeOf(t.dtype)
	for _, v := range t.ranks {
		if n := r.Int(v, "the rank"); n != int64(len(t.sizes)) || t.strides != nil && n != int64(len(t.strides)) {
			r.Fail(v.At, "", "the rank is %d, but the call has %s and %s", n, wording.Count(len(t.sizes), "size"),
				wording.Count(len(t.strides), "stride"))
		}
	}
	d := Descriptor{Name: t.name, Typed: typed, Plain: t.strides == nil}
	switch format := t.format.Last(); {
	case t.strides != nil:
	case lexer.Like(format, "*NHWC", "*NDHWC"):
		t.strides = r.interleaved(t.sizes)
	case format == "", lexer.Like(format, "*NCHW", "*NCDHW"):
		t.strides = r.rowMajor(t.sizes)
	case lexer.Like(format, memoryFormats[:]...):
		t.strides = r.memoryFormat(literal.Of("memory_format", t.format), t.sizes)
	default:
		r.Fail(t.format.At, "NCHW or NHWC", "the format %s is not read", t.format.Word)
	}
	if t.strides == nil {
		t.strides = r.rowMajor(t.sizes)
	}
	base := int64(0)
	if t.base.Kind != literal.Nothing {
		base = r.Int(t.base, "the storage offset")
	}
	r.strided(t.at, d, dtype, base, t.sizes, t.strides)
	if lexer.Like(t.format.Last(), memoryFormats[:]...) {
		r.rest([]literal.Entry{literal.Of("memory_format", t.format)}, nil, nil)
	}
}
