package notation

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/algebra"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// A cuteReader reads CuTe layouts.
type cuteReader struct{ *reader }

// A mode is a number, or a list of modes in brackets.
type mode struct {
	at     int
	n      int64
	static bool // written _4: known when CuTe compiles
	nested bool
	modes  []mode
}

// startsCall reports whether make_layout(...), Layout<...> or Layout((...), (...)) is at a token.
func (r cuteReader) startsCall(i int) bool {
	tokens := r.Tokens()
	if i+2 >= len(tokens) {
		return false
	}
	mark := r.Text(tokens[i+1])
	switch r.Text(tokens[i]) {
	case "make_layout", "make_ordered_layout":
		return mark == "("
	case "make_tensor":
		return mark == "(" && r.isShaped(i+1)
	case "Layout":
		return mark == "<" || mark == "(" && r.Text(tokens[i+2]) == "("
	case "composition", "make_composed_layout", "ComposedLayout":
		if (mark == "(" || mark == "<") && r.composes(i+2) {
			return true
		}
	}
	return mark == "<" && IsSharedTile(r.Text(tokens[i])) || r.startsOperation(i)
}

// isShaped reports whether the second argument in the brackets at a token is a shape, and no layout.
func (r cuteReader) isShaped(i int) bool {
	tokens, depth := r.Tokens(), 0
	for ; tokens[i].Kind != lexer.End; i++ {
		depth += tokens[i].Bracket(r.In)
		if next := r.Text(tokens[i+1]); depth == 0 || depth == 1 && r.Text(tokens[i]) == "," {
			return depth > 0 && (next == "(" || slices.Contains(cuteTuples[:], next))
		}
	}
	return false
}

// startsType reports whether a type of the Python DSL is at a token: !cute.layout<"SHAPE:STRIDE"> or
// !cute.memref<f16, gmem, align<16>, "SHAPE:STRIDE">.
func (r cuteReader) startsType(i int) bool {
	return i+3 < len(r.Tokens()) && r.follow(i, "!", "cute", ".")
}

// readCuTe reads shape:stride as CuTe prints it, with a pointer before it or not, one or several of them, and the calls
// and types of C++ and Python that make layouts.
func readCuTe(of *reader) {
	r := cuteReader{of}
	if _, n := r.find(r.startsType); n > 0 {
		r.types(n > 1)
		return
	}
	r.Spaced = true
	if i, n := r.find(r.startsOther); n > 0 {
		r.isAnother(i)
	}
	if _, n := r.find(r.startsCall); n > 0 {
		r.eachTensor(r.startsCall, r.statement, nil)
		r.Pos = len(r.In)
		return
	}
	for !r.Done() && r.Err == nil {
		d := Descriptor{Name: r.label()}
		r.Space()
		f := r.frame(&d)
		at := r.Pos
		shape, stride, ok := r.shapeStride()
		switch {
		case ok:
		case !shape.nested && r.TakeHere("b"): // ValueType: 16b
			r.skip("%s: %s", d.Name, wording.Count(shape.n, "bit"))
			continue
		default:
			next := int64(1)
			stride = r.generated(shape, &next, false)
			if !shape.nested && r.Is("o") {
				r.Fail(at, fmt.Sprintf("such as Sw<0,4,3> o %d o (8,64):(64,1)", shape.n),
					"a number before o is neither a swizzle nor a layout")
			}
		}
		r.cuteLayout(at, d, f, shape, stride)
		r.inner(at)
		r.printedRows()
	}
}

// ReadLayout returns the one layout in a CuTe input, with its brackets, and a Descriptor with the statements about its
// elements.
func ReadLayout(text string, o Options) (algebra.Layout, Descriptor, error) {
	cute, _ := Find("cute")
	found, err := cute.Read(text, o)
	if err == nil && len(found) > 1 {
		err = &layout.SyntaxError{Input: text, Offset: found[1].At, Msg: "expected one layout"}
	}
	if err != nil {
		return algebra.Layout{}, Descriptor{}, err
	}
	of := found[0].Tensor.Layout()
	l, err := algebra.New(found[0].Modes, of.Base(), of.Swizzles()...)
	tokens := lex(text)
	for i, t := range tokens[1:] {
		if text[t.At:t.End] == "<" && text[tokens[i].At:tokens[i].End] == "S" {
			l = l.Short()
		}
	}
	return l, found[0], err
}

// label reads the words before a printed layout: tAgA:, smem layout:, or a word on a separate line.
func (r cuteReader) label() string {
	const most = 4 // words
	start, n := r.Token(), 0
	for ; n < most && lexer.IsName(r.Text(r.After(n))) && r.In[r.After(n).At] != '_'; n++ {
		if next := r.After(n + 1); r.Text(next) == ":" || n == 0 && next.Gap == lexer.Line && next.Kind != lexer.Word {
			name := strings.Join(strings.Fields(r.In[start.At:r.After(n).End]), " ")
			if r.Pos = int(r.After(n).End); r.Text(next) == ":" {
				r.Pos = int(next.End)
			}
			return name
		}
	}
	return ""
}

// types reads the types in Python DSL programs. If there are several, types that cannot be read are skipped.
func (r cuteReader) types(several bool) {
	r.eachTensor(r.startsType, func(i int) {
		at := r.Pos
		for range 3 {
			r.Next()
		}
		switch kind := r.Word(); kind {
		case "layout", "memref", "composed_layout", "coord_tensor":
			r.cuteType(i, kind)
		default:
			if !several {
				r.Fail(at, suchType, "the type !cute.%s has no layout", kind)
			}
		}
	}, func() bool { return several && (len(r.options.Dims) == 0 || !r.Asks) })
	r.Pos = len(r.In)
}

// suchType is an example of a type.
const suchType = `such as !cute.layout<"(4,8):(8,1)">`

// typeName returns the name of the value that has the type at a token: %lay = cute.static : TYPE, or %a: TYPE.
func (r cuteReader) typeName(i int) string {
	tokens, start := r.Tokens(), r.lineStart(i)
	if start+3 < i && r.Text(tokens[start]) == "%" && r.Text(tokens[start+2]) == "=" &&
		r.Text(tokens[start+3]) == "cute" {
		r.use(int(tokens[start].At), int(tokens[start+2].End))
		return r.Text(tokens[start+1])
	}
	end := i
	for end > start && isOf(r.Text(tokens[end-1]), "=:(") {
		end--
	}
	name, first := r.nameBefore(end)
	if end == i || first < start || !r.isAfter(first, "%!") {
		return ""
	}
	r.use(int(tokens[first].At), int(tokens[end].End))
	return name
}

// cuteType reads the arguments of the type at a token. The last argument is a layout in quotes.
func (r cuteReader) cuteType(i int, kind string) {
	at, d, f := int(r.Tokens()[i].At), Descriptor{Name: r.typeName(i)}, frame{dtype: r.options.DType}
	if r.Expect("<"); kind == "memref" {
		f.dtype, d.Typed = r.dtype(), true
	}
	r.Take(",")
	r.Space()
	start, space := r.Pos, ""
	for t := r.Token(); t.Kind != lexer.String; t = r.Token() {
		if r.Err == nil && (t.Kind == lexer.End || t.Gap == lexer.Line) {
			r.Fail(at, suchType, "the layout in quotes is missing")
		}
		if r.Err != nil {
			return
		}
		if r.startsSwizzle(r.Index()) {
			space += r.In[start:t.At]
			r.swizzle(&f)
			f.overBytes = true
			r.Expect(",")
			start = r.Pos
			continue
		}
		r.Pos = int(t.End)
	}
	quoted := r.Token()
	space += r.In[start:quoted.At]
	if space = strings.Trim(space, ", "); space != "" {
		d.skip("not read: %s, the memory space", space)
	}
	leave := r.Enter()
	r.quotedLayout(d, f, kind)
	if rest := r.Token(); !leave() {
		r.Fail(int(rest.At), "", "expected %s", `"`)
	}
	r.Expect(">")
}

// quotedLayout reads the layout of a type.
func (r cuteReader) quotedLayout(d Descriptor, f frame, kind string) {
	at := r.Pos
	if kind == "coord_tensor" {
		r.Fail(at, "", "the elements of a coord_tensor are coordinates, which have no offset")
	}
	if r.startsSwizzle(r.Index()) {
		r.composition(&f)
		at = r.Pos
	}
	shape, stride, ok := r.shapeStride()
	if !ok {
		r.Fail(r.Pos, suchType, "the strides are missing after the shape")
		return
	}
	r.cuteLayout(at, d, f, shape, stride)
}

// shapeStride reads a shape and the strides after it; ok is false if no strides follow.
func (r cuteReader) shapeStride() (shape, stride mode, ok bool) {
	shape = r.mode()
	if ok = r.Take(":"); ok {
		stride = r.mode()
		r.congruent(shape, stride)
	}
	return shape, stride, ok
}

// pointer skips the pointer or iterator before a layout, and notes the type of its elements: ptr[16b] states only their
// bits. A swizzle before it or in it is over bytes. Words before it, as in tAsA shape = ptr[16b](0x7f), are a name.
func (r cuteReader) pointer(d *Descriptor, f *frame) {
	tokens, first := r.Tokens(), r.Index()
	if tokens[first].Kind != lexer.Word || isStatic(r.Text(tokens[first])) {
		return
	}
	from, end := r.pointerTokens(first)
	if end < 0 {
		return
	}
	at, bits, word := int(tokens[from].At), "", ""
	text := strings.TrimSpace(r.In[at:tokens[end].At])
	isTensorMemory := strings.HasPrefix(text, "tmem_[")
	if !isTensorMemory && !strings.Contains(text, "ptr") {
		r.Fail(at, "remove it, with the o behind it, to read the layout alone",
			"%s is not a pointer, so the strides behind it do not count elements", wording.Clip(text))
		return
	}
	for i := from; i < end; i++ {
		t, next := tokens[i], tokens[i+1]
		switch token := r.Text(t); {
		case i > first && r.startsSwizzle(i):
			r.Pos = int(t.At)
			r.swizzle(f)
			f.overBytes = true
		case i > first && t.Kind == lexer.Number && r.Text(tokens[i-1]) == "(" && lexer.Like(token, "0x*"):
			f.address, _ = strconv.ParseUint(token, 0, 64)
		case t.Kind == lexer.Word && lexer.Like(token, "*ptr*", "tmem_"):
			if inside := r.Text(tokens[i+2]); r.Text(next) == "[" && lexer.Like(token, "*ptr", "tmem_") {
				bits = cmp.Or(bits, inside)
			} else if lexer.Like(token, "*ptr") && r.Text(next) == "<" {
				word = cmp.Or(word, inside)
			}
		case token == ":" && next.Gap == lexer.Blank:
			word = cmp.Or(word, r.Text(next))
		}
	}
	f.overBytes = f.overBytes || len(f.swizzles) > 0
	before := strings.TrimRight(r.In[tokens[first].At:at], " =:")
	if from > first && d.Name == "" && r.isOneOf(from-1, "=") {
		d.Name = before
	} else if from > first {
		d.skip("not read: %s", before)
	}
	what := "the pointer"
	if isTensorMemory {
		what += lane(text)
	}
	d.skip("not read: %s, %s", text, what)
	r.Pos = int(tokens[end].End)
	if bits != "" {
		if n, err := strconv.ParseInt(strings.TrimSuffix(bits, "b"), 10, 64); err == nil {
			f.dtype = r.sizedType(at, n, d)
		}
		return
	}
	if t, err := layout.ParseDType(word); err == nil && word != "" { // ptr<f16, gmem> in the Python DSL
		d.Typed, f.dtype = true, t
	}
}

// lane returns the target of a pointer to tensor memory, such as tmem_[32b](0x0010.0040): 16 bits of its address are a
// lane, and 16 a column of 32 bits.
func lane(pointer string) string {
	_, address, _ := strings.Cut(strings.TrimSuffix(pointer, ")"), "(")
	high, low, _ := strings.Cut(address, ".")
	row, err := strconv.ParseUint(high, 0, 16)
	column, fault := strconv.ParseUint("0x"+low, 0, 16)
	if err != nil || fault != nil {
		return " to tensor memory"
	}
	return fmt.Sprintf(" to lane %d, column %d of tensor memory", row, column)
}

// pointerTokens returns the first token of the pointer that comes next, perhaps after other words of its line, and the
// o behind it, or -1 if no o follows. A pointer is a word, or a word with brackets.
func (r cuteReader) pointerTokens(first int) (from, end int) {
	const longest = 256 // tokens of a pointer
	tokens, depth := r.Tokens(), 0
	from = first
	for i := first; i < min(first+longest, len(tokens)-2); i++ {
		t := tokens[i]
		text := r.Text(t)
		switch {
		case t.Gap == lexer.Line && i > first:
			return first, -1
		case text == "o" && i > first && t.Gap == lexer.Blank && tokens[i+1].Gap == lexer.Blank:
			if next := r.Text(tokens[from+1]); isOf(next, "o([<:") {
				return from, i
			}
			r.Fail(int(tokens[first].At), "such as smem_ptr[16b](0x0) o (8,64):(64,1)",
				"%s before o is neither a swizzle nor a pointer", r.In[tokens[first].At:tokens[i-1].End])
			return first, -1
		case depth == 0 && t.Gap != lexer.None:
			from = i
		}
		if isOf(text, "([{<") {
			depth++
		} else if isOf(text, ")]}>") {
			depth--
		}
	}
	return first, -1
}

// isStatic reports whether a word is a number that is known when CuTe compiles: _4.
func isStatic(word string) bool {
	return len(word) > 1 && word[0] == '_' && isOf(word[1:], "0123456789")
}

// stated compares the figures after a layout with it: size: 32, cosize = 32, rank: 2.
func (r cuteReader) stated() {
	for r.Err == nil {
		r.Take(",")
		t := r.found[len(r.found)-1].Tensor
		name, n := r.Token(), int64(0)
		switch text := r.Text(name); text {
		case "size":
			n = t.Layout().Elements()
		case "cosize":
			sizes, _ := cosizes(t)
			n = sizes[0].Elements
		case "rank":
			n = int64(t.Layout().Rank())
		default:
			return
		}
		if !r.IsAt(1, ":") && !r.IsAt(1, "=") || r.After(2).Kind != lexer.Number || r.IsAt(3, ":") {
			return
		}
		r.Pos = int(r.After(1).End)
		if have := r.Digits(); have != n {
			const msg = "the text says that the %s is %d, and that of the layout is %d"
			r.Fail(int(name.At), "", msg, r.Text(name), have, n)
		}
	}
}

// printedRows skips the output of print_tensor and print_layout after a layout: a colon, rows of values, and grids.
func (r cuteReader) printedRows() {
	r.stated()
	if r.Err != nil {
		return
	}
	for r.Is(">") && r.Token().Gap != lexer.Line {
		r.Next()
	}
	values := "0123456789.+-|eEinfa*"
	isData := r.Is("data") && r.IsAt(1, "=") // of print_tensor in Python: rows in brackets, and the end of tensor(
	switch next := r.Token(); {
	case isData:
		r.Next()
		r.Next()
		values += "[](),"
	case next.Gap == lexer.Line || next.Kind == lexer.End:
	case r.Text(next) == ":":
		r.Next()
	case r.Text(next) == "=":
		r.Skip()
	}
	next := r.Token()
	if !isData && next.Gap != lexer.Line && next.Kind != lexer.End && r.Pos > 0 && r.In[r.Pos-1] != '\n' {
		r.Space()
		r.Unexpected("unexpected text %s", r.Rest())
		return
	}
	rows := false
	for !r.Done() {
		start := r.Pos
		isRow := true
		for t := r.Token(); t.Kind != lexer.End && (t.Gap != lexer.Line || int(t.At) == start); t = r.Token() {
			isRow = isRow && isOf(r.Text(t), values)
			r.Pos = int(t.End)
		}
		if !isRow {
			r.Pos = start
			break
		}
		rows = true
	}
	if rows {
		last := &r.found[len(r.found)-1]
		last.skip("not read: the values after the layout")
	}
}

// callee returns the token of the function called with the expression at a token, or -1 if the expression is not an
// argument.
func (r cuteReader) callee(i int) int {
	tokens, depth := r.Tokens(), 0
	for k := i - 1; k > max(0, i-512); k-- {
		switch text := r.Text(tokens[k]); {
		case text == ";", text == "{" && depth == 0:
			return -1
		case isOf(text, ")]}>"):
			depth++
		case isOf(text, "([{<") && depth == 0:
			return k - 1
		case isOf(text, "([{<"):
			depth--
		}
	}
	return -1
}

// cuteLayout notes the tensor of a shape and its strides.
func (r cuteReader) cuteLayout(at int, d Descriptor, f frame, shape, stride mode) {
	if r.Err != nil {
		return
	}
	d.Modes = nested(shape, stride)
	axes, err := d.Modes.Axes()
	r.FaultAt(at, err)
	d.Typed, d.Skipped = d.Typed || f.of.Typed, append(d.Skipped, f.of.Skipped...)
	if r.laidOut(at, d, f.dtype, f.base, axes); r.Err == nil && len(f.swizzles) > 0 {
		last := &r.found[len(r.found)-1]
		t, err := last.Tensor.Swizzled(r.elements(f)...)
		r.FaultAt(f.at, err)
		if last.Tensor = t; r.Err == nil && f.overBytes {
			last.Skipped = append(last.Skipped, f.outOfStep(t)...)
		}
	}
}

// sizedType returns the element type if the input states only the number of bits, at the given offset.
func (r *reader) sizedType(at int, bits int64, d *Descriptor) layout.DType {
	dtype := r.options.DType
	if bits == dtype.Bits() {
		return dtype
	}
	named, known := layout.DTypeOf(bits)
	switch {
	case r.options.Typed:
		r.Fail(at, "remove -t, or give a type with the same number of bits",
			"the text has elements of %s, but -t is %s", wording.Count(bits, "bit"), dtype)
	case !known:
		r.Fail(at, "", "no type has %s", wording.Count(bits, "bit"))
	default:
		d.Skipped = append(d.Skipped, fmt.Sprintf("elements of %s without a type: assuming %s",
			wording.Count(bits, "bit"), named))
		d.Typed = true
		return named
	}
	return dtype
}

// statement reads the call or type at a token, which a statement gives a name.
func (r cuteReader) statement(i int) {
	if k := r.callee(i); k >= 0 && r.Tokens()[k].Kind == lexer.Word &&
		!lexer.Like(r.Text(r.Tokens()[k]), "make_tensor", "allocate*", "print*", "size", "cosize", "rank", "decltype") {
		r.isAnother(k)
	}
	r.call(r.assigned(i))
}

// call reads the call or type that comes next.
func (r cuteReader) call(name string) {
	at := r.Pos
	if r.startsOperation(r.Index()) {
		r.operation(name)
		return
	}
	var v literal.Value
	if r.Operand(&v); r.Err != nil || v.Next == nil {
		return
	}
	f := frame{dtype: r.options.DType, at: at}
	if a, ok := cuteAtoms[v.Last()]; ok {
		r.atom(at, name, a, v)
		return
	}
	if IsSharedTile(v.Last()) {
		r.kittens(at, name, v)
		return
	}
	if v = r.composed(v, &f); r.Err != nil || v.Next == nil {
		return
	}
	r.noMembers(v.Next.Next)
	if v.Last() == "make_ordered_layout" {
		r.orderedLayout(at, name, f, v.Next.List)
		return
	}
	d, list := Descriptor{Name: name}, v.Next.List
	args := r.Bind(cuteFunctions, v.Last(), at, list)
	if r.Err != nil {
		return
	}
	if v.Last() == "make_tensor" {
		d.skip("not read: %s, the pointer", strings.TrimRight(r.In[list[0].At:list[1].At], ", "))
	}
	shapeOf, _ := literal.Field(args, "shape")
	shape := r.cuteMode(shapeOf)
	next := int64(1)
	given, ok := literal.Field(args, "stride")
	last := given.Last()
	stride := r.generated(shape, &next, last == "LayoutRight" || last == "GenRowMajor")
	if !ok || lexer.Like(last, "LayoutRight", "GenRowMajor", "LayoutLeft", "GenColMajor") {
		r.noMembers(given.Next)
	} else {
		stride = r.cuteMode(given)
		r.congruent(shape, stride)
	}
	r.cuteLayout(at, d, f, shape, stride)
	r.rest(args, cuteFunctions.Keys("make_tensor"), nil)
}

// cuteFunctions are the functions and types that make a layout.
var cuteFunctions = literal.Signatures{
	"make_layout Layout(shape, stride=, **)",
	"make_tensor(_, shape, stride=, **)",
	"make_ordered_layout(shape, order)",
}

// noMembers rejects a member or indices after the arguments of a call or a type. The braces of a constructor are
// allowed.
func (r cuteReader) noMembers(after *literal.Value) {
	if after != nil && (after.Kind != literal.List || after.Open != '{' || len(after.List) > 0 || after.Next != nil) {
		r.Fail(after.At, "", "this use of the layout is not evaluated")
	}
}

// orderedLayout reads make_ordered_layout(SHAPE, ORDER): packed, the modes of smaller numbers first.
func (r cuteReader) orderedLayout(at int, name string, f frame, args []literal.Entry) {
	args = r.Bind(cuteFunctions, "make_ordered_layout", at, args)
	if r.Err != nil {
		return
	}
	shapeOf, _ := literal.Field(args, "shape")
	orderOf, _ := literal.Field(args, "order")
	shape, order := r.cuteMode(shapeOf), r.cuteMode(orderOf)
	type leaf struct {
		order, shape mode
		stride       *mode
	}
	var leaves []leaf
	var stride mode
	var gather func(shape, order mode, stride *mode)
	gather = func(shape, order mode, stride *mode) {
		switch {
		case !order.nested:
			leaves = append(leaves, leaf{order, shape, stride})
		case !shape.nested || len(shape.modes) != len(order.modes):
			r.Fail(order.at, "such as make_ordered_layout(make_shape(4, 8), make_step(1, 0))",
				"the order is not nested as the shape is")
		default:
			*stride = mode{at: shape.at, nested: true, modes: make([]mode, len(shape.modes))}
			for i := range shape.modes {
				gather(shape.modes[i], order.modes[i], &stride.modes[i])
			}
		}
	}
	gather(shape, order, &stride)
	sort.SliceStable(leaves, func(i, k int) bool { return leaves[i].order.n < leaves[k].order.n })
	next := int64(1)
	for i, leaf := range leaves {
		if i > 0 && leaf.order.n == leaves[i-1].order.n {
			r.Fail(orderOf.At, "", "the order has the number %d twice", leaf.order.n)
		}
		*leaf.stride = r.generated(leaf.shape, &next, false)
	}
	r.cuteLayout(at, Descriptor{Name: name}, f, shape, stride)
}

// cuteTuples are the functions and types that are modes of their arguments.
var cuteTuples = [...]string{
	"make_shape", "make_stride", "make_step", "make_tuple", "make_coord", "Shape", "Stride", "Step", "Coord", "tuple",
}

// cuteMode returns the mode that a value of C++ or Python is: 4, _4, Int<4>{}, (4, 8), make_shape(4, 8), Shape<_4, _8>.
func (r cuteReader) cuteMode(v literal.Value) mode {
	m := mode{at: v.At}
	items := literal.Value{}
	switch {
	case v.Kind == literal.List:
		items = v
	case v.Kind == literal.Word && isStatic(v.Word):
		r.noMembers(v.Next)
		n, err := strconv.ParseInt(v.Word[1:], 10, 64)
		r.CheckNumber(v.At, v.Word, err)
		m.n, m.static = n, true
		return m
	case v.Kind == literal.Word && v.Next != nil:
		args := v.Inside("<(")
		r.noMembers(v.Next.Next)
		switch last := v.Last(); {
		case (last == "Int" || last == "C" || last == "constant") && len(args.List) > 0:
			m.n, m.static = r.Int(args.List[len(args.List)-1].Value, "the mode"), true
			return m
		case len(args.List) == 1 && args.List[0].Kind == literal.List && args.List[0].Open == '<':
		case slices.Contains(cuteTuples[:], last):
			items = args
		}
	}
	if items.Kind != literal.List {
		m.n = r.Int(v, "the mode")
		return m
	}
	m.nested = true
	if r.Deeper(); r.Err != nil {
		r.Fail(v.At, "", "brackets nest deeper than the limit of %d", lexer.MaxDepth)
	}
	for _, e := range items.List {
		m.modes = append(m.modes, r.cuteMode(e.Value))
	}
	r.Higher()
	return m
}

// mode reads a number or a list in brackets.
func (r cuteReader) mode() mode {
	r.Space()
	m := mode{at: r.Pos}
	if r.Peek() != '(' {
		m.static = r.TakeHere("_")
		isOpen := r.Peek() == '?'
		m.n = r.Known("this number of the layout")
		if r.Peek() == '@' {
			r.Unexpected("a basis stride leads to coordinates, not to an offset")
		}
		if isOpen && r.Peek() == '{' { // a divisor and a type
			r.Through("}")
		} else if r.TakeHere("{") {
			r.Expect("}")
		}
		return m
	}
	m.nested = true
	r.Each("(", ")", func(i int) {
		if i == 0 || r.Peek() != ')' { // Python has a comma after the last one too
			m.modes = append(m.modes, r.mode())
		}
	})
	return m
}

// congruent rejects strides that are not nested like the shape.
func (r cuteReader) congruent(shape, stride mode) {
	if shape.nested != stride.nested || len(shape.modes) != len(stride.modes) {
		r.Fail(stride.at, "such as (4,(2,2)):(2,(1,8))", "the strides are not nested as the shape is")
		return
	}
	for i := range shape.modes {
		r.congruent(shape.modes[i], stride.modes[i])
	}
}

// generated returns the strides of a shape without any: packed, the leftmost mode fastest, or the rightmost. Static
// modes of size 1 get 0, as in C++.
func (r cuteReader) generated(shape mode, next *int64, right bool) mode {
	stride := mode{at: shape.at, nested: shape.nested, n: *next, modes: make([]mode, len(shape.modes))}
	for k := range shape.modes {
		i := k
		if right {
			i = len(shape.modes) - 1 - k
		}
		stride.modes[i] = r.generated(shape.modes[i], next, right)
	}
	switch {
	case shape.nested:
	case shape.static && shape.n == 1:
		stride.n = 0
	default:
		*next = r.times(*next, shape.n)
	}
	return stride
}

// nested returns the mode of a shape and its strides.
func nested(shape, stride mode) algebra.Mode {
	if !shape.nested {
		return algebra.Digit(shape.n, stride.n)
	}
	m := algebra.List()
	for i := range shape.modes {
		m.Modes = append(m.Modes, nested(shape.modes[i], stride.modes[i]))
	}
	return m
}

// writeCuTe writes shape:stride with the modes in the order of the axes.
func writeCuTe(t layout.Tensor) (string, error) {
	l := t.Layout()
	if l.Base() != 0 && !l.IsSwizzled() {
		return "", lost(t, "the pointer holds the offset of index 0, not the layout, and here it is %d", l.Base())
	}
	modes := make([]algebra.Mode, l.Rank())
	for i, digits := range fewestDigits(l) {
		block := int64(1)
		for _, d := range digits[1:] {
			block *= d.Extent
		}
		if size := l.Axis(i).Size(); size%block != 0 {
			return "", lost(t, "its modes are full, and axis %s, of size %d, does not fill its last block of %d",
				l.AxisName(i), size, block)
		}
		slices.Reverse(digits)
		modes[i] = algebra.Digits(digits)
	}
	made, err := algebra.New(algebra.List(modes...), l.Base(), l.Swizzles()...)
	return made.String(), err
}

// cosizes are the sizes of the codomain. C++ adds up magnitudes of strides, and pycute uses the offset of the last
// element.
func cosizes(t layout.Tensor) ([]Size, error) {
	l := t.Layout()
	cosize, last := int64(1), int64(1)
	for i := range l.Rank() {
		for k := range l.Axis(i).Digits() {
			d := l.Axis(i).Digit(k)
			step := (d.Extent - 1) * d.Stride
			cosize += max(step, -step)
			last += step
		}
	}
	if l.Empty() {
		return []Size{{"cosize", 0, 0}}, nil
	}
	sizes := []Size{{"cosize", cosize, t.Bytes(cosize)}}
	if last != cosize {
		sizes = append(sizes, Size{"cosize in pycute", last, t.Bytes(max(last, 0))})
	}
	return sizes, nil
}
