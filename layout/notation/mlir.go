package notation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A memrefReader reads MLIR types.
type memrefReader struct{ *reader }

// A memref is the parsed form of a memref type.
type memref struct {
	at      int // the offset of its sizes
	sizes   []int64
	laid    bool // there is a layout
	base    int64
	strides []int64
	axes    []layout.Axis // from an affine map, instead of strides
	storage int64         // from an affine map
}

// starts reports whether a memref type, a tensor type, or a torch-mlir type is at a token: !torch.vtensor<[2,3],f32>.
func (r memrefReader) starts(i int) bool {
	if r.follow(i, "memref", "<") || r.follow(i, "tensor", "<") {
		tokens := r.Tokens()
		return i == 0 || tokens[i].Gap != lexer.None || !isOf(r.Text(tokens[i-1]), ".!#@%")
	}
	if r.follow(i, "Memref") || r.follow(i, "Unranked", "Memref") { // as MLIR's runner prints it
		return r.follow(i+1, "base") || r.follow(i+2, "base")
	}
	return r.isMemdesc(i) || r.follow(i, "!", "torch", ".", "vtensor", "<") ||
		r.follow(i, "!", "torch", ".", "tensor", "<")
}

// isMemdesc reports whether a Triton type for on-chip memory is at a token: !ttg.memdesc, and in older versions
// !triton_gpu.memdesc and !tt.memdesc.
func (r memrefReader) isMemdesc(i int) bool {
	return r.follow(i, "!", "ttg", ".", "memdesc") || r.follow(i, "!", "triton_gpu", ".", "memdesc") ||
		r.follow(i, "!", "tt", ".", "memdesc")
}

// readMLIR reads a type, or all types of the operations of a module.
func readMLIR(of *reader) {
	r := memrefReader{of}
	first, count := r.find(r.starts)
	switch {
	case count == 0:
	case count == 1 && r.After(0) == r.Tokens()[first]:
		r.mlirType("")
	default:
		r.eachTensor(r.starts, func(i int) { r.mlirType(r.mlirName(i)) }, func() bool { return !r.Asks })
		r.Pos = len(r.In)
	}
}

// mlirType reads the type that comes next.
func (r memrefReader) mlirType(name string) {
	switch {
	case r.Is("memref"):
		r.memref(name)
	case r.isMemdesc(r.Index()):
		r.memdesc(name)
	case r.Is("!"):
		r.torchType(name)
	case r.Is("Memref"), r.Is("Unranked"):
		r.printed()
	case r.maker() != "":
		const hint = "give the sizes and the strides, such as layoutcalc strides 8x4 --strides 1,8"
		r.Fail(r.Pos, hint, "the strides are operands of %s, which are not read here", r.maker())
	default:
		r.tensorType(name)
	}
}

// maker returns the Triton operation that makes a pointer to a tensor of the next type, and takes its strides as
// operands: make_tensor_ptr or make_tensor_descriptor. It returns an empty string if the line has no such operation.
func (r memrefReader) maker() string {
	i := r.Index()
	for _, t := range r.Tokens()[r.lineStart(i):i] {
		for _, name := range [...]string{"make_tensor_ptr", "make_tensor_descriptor"} {
			if strings.HasSuffix(r.Text(t), name) {
				return name
			}
		}
	}
	return ""
}

// mlirName returns the name of the value with the type at a token. In `%a, %b : T, T` the nth type belongs to the nth
// value. In `%m[%i] : T` the type belongs to the value with indices. The type after an arrow, or the last type of an
// operation, belongs to the result.
func (r memrefReader) mlirName(i int) string {
	tokens, start := r.Tokens(), r.lineStart(i)
	before, nth := r.typesStart(i, start)
	if before < 0 {
		return ""
	}
	values, results, indexed := r.values(start, before)
	switch listed := r.isListed(i); {
	case r.Text(tokens[before]) == "->":
		values = results
	case listed || nth == 0 && indexed < 0 && len(results) == 0:
	case nth == 0 && indexed >= 0:
		nth = indexed
	case len(results) > 0:
		values, nth = results, 0
	}
	if nth >= len(values) {
		return ""
	}
	name := tokens[values[nth]]
	r.use(int(name.At), int(name.End))
	return r.Text(name)
}

// isBetween reports whether a token separates two types.
func (r memrefReader) isBetween(i int) bool {
	text := r.Text(r.Tokens()[i])
	return text == "," || text == "to" || text == "into"
}

// isListed reports whether another type comes after the type at a token.
func (r memrefReader) isListed(i int) bool {
	tokens, depth := r.Tokens(), 0
	for k := i + 1; k < min(i+512, len(tokens)-1); k++ {
		switch text := r.Text(tokens[k]); {
		case isOf(text, "([{<"):
			depth++
		case depth > 0 && isOf(text, ")]}>"):
			depth--
		case depth == 0 && text != ".":
			return r.isBetween(k) || text == "->" || text == ")" && r.Text(tokens[k+1]) == "->"
		}
	}
	return false
}

// typesStart returns the colon or arrow, at or after start, of the list of types that the type at token i is in, and
// its index in the list. It returns -1 if there is no such list.
func (r memrefReader) typesStart(i, start int) (before, nth int) {
	tokens, depth := r.Tokens(), 0
	for k := i - 1; k >= start; k-- {
		isOpen := isOf(r.Text(tokens[k]), "([{<")
		switch text := r.Text(tokens[k]); {
		case isOf(text, ")]}>"):
			depth++
		case isOpen && depth > 0:
			depth--
		case isOpen && (k == start || r.Text(tokens[k-1]) != ":" && r.Text(tokens[k-1]) != "->"):
			return -1, nth
		case depth == 0 && (text == ":" || text == "->"):
			return k, nth
		case depth == 0 && r.isBetween(k):
			nth++
		}
	}
	return -1, nth
}

// values returns the tokens with the names of the operands and of the results between two tokens, and the index of the
// first operand with indices, or -1. A list in parentheses, ins(%a : T), is separate.
func (r memrefReader) values(start, end int) (operands, results []int, indexed int) {
	tokens, depth, calls, first, split := r.Tokens(), 0, 0, -1, -1
	var all []int // from the last to the first
	is := func(k int, text string) bool { return k >= start && r.follow(k, text) }
	for k := end - 1; k >= start; k-- {
		switch text := r.Text(tokens[k]); {
		case isOf(text, "]}>"):
			depth++
		case text == ")":
			calls++
		case isOf(text, "[{<") && depth > 0:
			depth--
		case text == "(" && calls > 0:
			calls--
		case isOf(text, "([{<"), text == ":" && depth+calls == 0 && is(k-2, "%") && tokens[k+1].Kind != lexer.Number:
			start = k // at `(%a : T, %b : T`
		case text == "=" && depth+calls == 0 && (is(k-2, "%") || is(k-2, ":") && is(k-4, "%")):
			split = len(all)
		case text == "%" && depth == 0 && k+1 < end:
			if all = append(all, k+1); calls == 0 && k+2 < end && r.Text(tokens[k+2]) == "[" {
				first = k + 1
			}
		}
	}
	if slices.Reverse(all); split < 0 {
		split = len(all)
	}
	results, operands = all[:len(all)-split], all[len(all)-split:]
	return operands, results, slices.Index(operands, first)
}

// definition returns the offset of the definition of an attribute's alias, or -1 if the input does not define it.
func (r memrefReader) definition(alias string) int {
	tokens, name := r.Tokens(), strings.TrimPrefix(alias, "#")
	for i := range max(len(tokens)-3, 0) {
		if isFirst := i == 0 || tokens[i].Gap == lexer.Line; isFirst && r.follow(i, "#", name, "=") {
			return int(tokens[i+3].At)
		}
	}
	return -1
}

// isUnread rejects an attribute that lays out elements in a way that strides cannot express, and reports whether it
// does. Examples are Triton's attributes, which assign elements to threads or swizzle shared memory.
func (r memrefReader) isUnread(at int, attribute string) bool {
	meaning := attribute
	if i := r.definition(attribute); i >= 0 {
		meaning = r.In[i : i+lexer.LineEnd(r.In[i:])]
	}
	name, _, _ := strings.Cut(meaning, "<")
	what, tail := "says which threads hold an element in registers", ": it has no strides"
	hint := "layoutcalc help owner"
	own := strings.TrimRight(strings.TrimPrefix(attribute, "#"), "0123456789")
	const known = " blocked mma linear slice shared dpas dot_op dotop wmma mfma tmem "
	isTriton := hasAny(meaning, "#ttg.", "#triton_gpu.", "#ttng.", "#triton_nvidia_gpu.", "#ttig.")
	if i := unreadOf(meaning); i >= 0 && !isTriton {
		what, tail, hint = unread[i].why, "", ""
	} else if !isTriton && hasAny(meaning, "order", "layout", "stride", "tile") {
		what, tail, hint = "says where elements lie, which is not read", "", ""
	} else if !isTriton && (meaning != attribute || !strings.Contains(known, " "+own+" ")) {
		return false
	} else if hasAny(name, "shared", "tensor_memory") {
		what, hint = "is of a memory on the chip, where elements are mixed", ""
	}
	r.Fail(at, hint, "the layout %s %s%s", strings.TrimSpace(name), what, tail)
	return true
}

// memref reads a memref: sizes, an element type, and a layout of strides or of an affine map.
func (r memrefReader) memref(name string) {
	d := Descriptor{Name: name, Typed: true}
	m := memref{at: r.startType("memref")}
	m.sizes = r.dimensions()
	dtype := r.elementType()
	for more := true; more && r.Take(","); {
		more = r.memrefLayout(&m)
	}
	r.Close(">")
	switch {
	case m.axes != nil:
		r.laidOut(m.at, d, dtype, m.base, m.axes)
		if r.Err != nil {
			return
		}
		l := r.found[len(r.found)-1].Tensor.Layout()
		if low, _ := l.Bounds(); low < 0 || l.Base() < 0 {
			const msg = "the map leads to %d, before the first element of the buffer"
			r.Fail(m.at, "", msg, min(low, l.Base()))
		}
		if !l.Empty() {
			r.reserve(m.storage)
		}
	case m.laid:
		r.strided(m.at, d, dtype, m.base, m.sizes, m.strides)
	default:
		r.strided(m.at, d, dtype, 0, m.sizes, r.rowMajor(m.sizes))
	}
}

// printed reads a memref as MLIR's runner prints it: Memref base@ = 0x5f rank = 2 offset = 5 sizes = [2, 3] strides =
// [3, 1] data = [[1, 2, 3], ...].
func (r memrefReader) printed() {
	number := func(word string) int64 {
		r.Expect(word)
		r.Expect("=")
		return r.Integer(true)
	}
	list := func(word string) (numbers []int64) {
		r.Expect(word)
		r.Expect("=")
		r.Each("[", "]", func(int) { numbers = append(numbers, r.Integer(true)) })
		return numbers
	}
	at := r.Pos
	r.Take("Unranked")
	for _, mark := range [...]string{"Memref", "base", "@", "="} {
		r.Expect(mark)
	}
	r.Next() // the address
	rank, base := number("rank"), number("offset")
	sizes, strides := list("sizes"), list("strides")
	if int64(len(sizes)) != rank {
		r.Fail(at, "", "the rank is %d, but the list has %s", rank, wording.Count(len(sizes), "size"))
	}
	r.Expect("data")
	r.Expect("=")
	for t := r.Token(); t.Kind != lexer.End && isOf(r.Text(t), "0123456789.+-eEinfa[],"); t = r.Token() {
		r.Next()
	}
	r.strided(at, Descriptor{}, r.options.DType, base, sizes, strides)
}

// memrefLayout reads the layout or memory space after a comma, and reports whether more may follow. A memory space is
// always last.
func (r memrefReader) memrefLayout(m *memref) (more bool) {
	r.Space()
	at := r.Pos
	name := ""
	if lexer.IsLetter(r.Peek()) {
		name = r.Word()
		r.Pos = at
	}
	text := r.attribute()
	defined, isName := -1, false // an attribute of a dialect: #ttg.blocked
	if text != "" && text[0] == '#' {
		defined = r.definition(text)
		isName = lexer.Like(text, "*.*") || defined >= 0 && r.In[defined] == '#'
	}
	switch {
	case m.laid && (name == "strided" || name == "affine_map"):
		r.Fail(at, "", "there is a layout already")
	case name == "strided":
		r.Pos = at + len(name)
		r.stridedLayout(m)
		return true
	case name == "affine_map":
		r.Pos = at + len(name)
		r.mapLayout(m)
		return true
	case text == "":
		r.Unexpected("expected a layout or a memory space")
	case isName && r.isUnread(at, text):
	case defined >= 0:
		back := r.Pos
		r.Pos = defined
		if r.Ahead("#") {
			r.skip("not read: %s, the memory space", text)
		} else {
			more = r.memrefLayout(m)
		}
		if r.Err == nil {
			r.use(defined-len(text)-len(" = "), r.Pos)
			r.Pos = back
		}
		return more
	case text[0] == '#' && !m.laid && !lexer.Like(text, "*.*"):
		r.Fail(at, "write its meaning in its place: affine_map<(d0, d1) -> (...)>", "%s is defined elsewhere", text)
	case name != "":
		r.Fail(at, "such as strided<[3, 1], offset: 5>", "unknown layout %s", name)
	default:
		r.skip("not read: %s, the memory space", text)
	}
	return false
}

// stridedLayout reads <[5, 1], offset: 5>.
func (r memrefReader) stridedLayout(m *memref) {
	m.laid = true
	r.Open("<")
	r.Space()
	m.at = r.Pos
	r.Each("[", "]", func(int) { m.strides = append(m.strides, r.mlirNumber("this stride")) })
	if r.Take(",") {
		r.Expect("offset")
		r.Expect(":")
		m.base = r.mlirNumber("the offset")
	}
	r.Close(">")
}

// mlirNumber reads a number outside of sizes. MLIR allows a sign and hexadecimal digits there.
func (r memrefReader) mlirNumber(what string) int64 {
	r.Space()
	start := r.Pos
	negative := r.TakeHere("-")
	if !r.TakeHere("0x") {
		r.Pos = start
		return r.Known(what)
	}
	text := r.Span(lexer.IsHex)
	if negative {
		text = "-" + text
	}
	n, err := strconv.ParseInt(text, 16, 64)
	if err != nil {
		r.CheckNumber(start, r.In[start:r.Pos], err)
		return 0
	}
	return n
}

// writeMemref writes a memref. It omits strides if they are the default ones.
func writeMemref(t layout.Tensor) (string, error) {
	strides, dtype, err := terms{base: true, zero: true, negative: true}.typed(t, layout.MLIR)
	if err != nil {
		return "", err
	}
	l := t.Layout()
	text := mlirType("memref", l.Sizes(), dtype)
	packed, _ := layout.PackedStrides(l.Sizes(), false)
	if l.Base() == 0 && slices.Equal(strides, packed) {
		return text + ">", nil
	}
	text += ", strided<[" + layout.JoinInts(strides, ", ") + "]"
	if l.Base() != 0 {
		text += ", offset: " + strconv.FormatInt(l.Base(), 10)
	}
	return text + ">>", nil
}

// readStableHLO reads tensor types. It rejects an input with only a Triton layout.
func readStableHLO(of *reader) {
	r := memrefReader{of}
	tokens := r.Tokens()
	if _, n := r.find(func(i int) bool { return r.starts(i) && r.Text(tokens[i]) != "memref" }); n > 0 {
		readMLIR(of)
		return
	}
	for _, t := range tokens[:len(tokens)-1] {
		if r.In[t.At] != '#' {
			continue
		}
		r.Pos = int(t.End)
		name := "#" + r.Path()
		if r.shared(int(t.At), name, Descriptor{}, nil, r.options.DType) {
			r.Pos = len(r.In)
			return
		}
		if r.Pos = 0; r.isUnread(int(t.At), name) {
			return
		}
	}
	readMLIR(of)
}

// tensorType reads a tensor type. Its elements are row-major, unless it has an encoding, which MLIR does not define.
func (r memrefReader) tensorType(name string) {
	first := r.Index()
	at := r.startType("tensor")
	sizes := r.dimensions()
	dtype := r.elementType()
	d := Descriptor{Name: name, Typed: true}
	isLaidOut := false
	if r.Take(",") {
		r.Space()
		start := r.Pos
		isLaidOut = r.encoded(start, r.attribute(), d, sizes, dtype)
		r.Close(">")
	} else {
		r.Close(">")
		end := r.Pos
		if start := r.attributeBefore(first); start >= 0 {
			isLaidOut = r.encoded(start, r.In[start:r.Tokens()[first-1].End], d, sizes, dtype)
			r.use(start, end)
		} else if start, stop := r.attributeHere(); start < stop {
			isLaidOut = r.encoded(start, r.In[start:stop], d, sizes, dtype)
			end = stop
		}
		r.Pos = end
	}
	if !isLaidOut {
		r.unencoded(at, d, dtype, sizes)
	}
}

// unencoded adds a tensor with a type that has no strides, and notes that it is read as row-major.
func (r memrefReader) unencoded(at int, d Descriptor, dtype layout.DType, sizes []int64) {
	if len(sizes) > 1 {
		d.skip(isRowMajor, cmp.Or(d.Name, "the tensor"))
	}
	r.strided(at, d, dtype, 0, sizes, r.rowMajor(sizes))
}

// encoded reads the encoding of a tensor, which starts at an offset, and reports whether the encoding lays out the
// tensor.
func (r memrefReader) encoded(at int, encoding string, d Descriptor, sizes []int64, dtype layout.DType) bool {
	switch {
	case encoding == "":
		r.Unexpected("expected an encoding")
	case r.shared(at, encoding, d, sizes, dtype):
		return true
	case !r.isUnread(at, encoding):
		r.skip("not read: %s, the encoding", encoding)
	}
	return false
}

// attributeBefore returns the offset of the attribute directly before a token on the same line, or -1 if the token does
// not follow an attribute.
func (r memrefReader) attributeBefore(first int) int {
	tokens, depth, start := r.Tokens(), 0, r.lineStart(first)
	for i := first - 1; i >= start; i-- {
		switch text := r.Text(tokens[i]); {
		case text == ">":
			depth++
		case text == "<":
			depth--
		case depth == 0 && text == "#":
			return int(tokens[i].At)
		case depth == 0 && text != "." && tokens[i].Kind != lexer.Word:
			return -1
		}
	}
	return -1
}

// attributeHere returns the start and the end of the next attribute if it is on this line. Otherwise they are equal.
func (r memrefReader) attributeHere() (from, to int) {
	tokens, depth, i := r.Tokens(), 0, r.Index()
	if tokens[i].Gap == lexer.Line || r.Text(tokens[i]) != "#" {
		return 0, 0
	}
	from = int(tokens[i].At)
	for i++; tokens[i].Kind != lexer.End && (depth > 0 || tokens[i].Gap == lexer.None); i++ {
		switch r.Text(tokens[i]) {
		case "<":
			depth++
		case ">":
			depth--
		}
	}
	return from, int(tokens[i-1].End)
}

// torchType reads a torch-mlir tensor type, which is row-major: !torch.vtensor<[2,3],f32>.
func (r memrefReader) torchType(name string) {
	for range 3 {
		r.Next()
	}
	r.Word()
	r.Open("<")
	r.Space()
	if at := r.Pos; r.Peek() == '*' {
		r.Fail(at, "such as !torch.vtensor<[2,3],f32>", "a tensor without a rank has no layout")
	}
	at, sizes := r.Pos, []int64{}
	r.Each("[", "]", func(int) { sizes = r.size(sizes) })
	r.Expect(",")
	dtype := r.elementType()
	r.Close(">")
	r.unencoded(at, Descriptor{Name: name, Typed: true}, dtype, sizes)
}

// startType reads a type up to its sizes and returns their offset. An unranked type has no layout.
func (r memrefReader) startType(kind string) (at int) {
	r.Expect(kind)
	r.Open("<")
	r.Space()
	if r.Peek() == '*' {
		r.Fail(r.Pos, "such as "+kind+"<2x3xf32>", "a %s without a rank has no layout", kind)
	}
	return r.Pos
}

// dimensions reads sizes, each followed by an x, up to the element type. The x ends a number: 0x3 is a 0 and a 3.
func (r memrefReader) dimensions() []int64 {
	sizes := make([]int64, 0, 8)
	for r.Space(); lexer.IsDigit(r.Peek()) || r.Peek() == '?' || r.Peek() == '-'; r.Space() {
		if r.Peek() == '-' {
			r.Unexpected("sizes are not negative")
			break
		}
		if sizes = r.size(sizes); !r.Take("x") {
			r.Fail(r.Pos, "such as 2x3xf32", "an x is expected after the size")
		}
	}
	return sizes
}

// elementType reads the element type, which may be complex<f32>.
func (r memrefReader) elementType() layout.DType {
	r.Space()
	at := r.Pos
	word := r.Word()
	switch word {
	case "complex":
		r.Expect("<")
		word = "complex<" + r.Word() + ">"
		r.Expect(">")
	case "index":
		r.Fail(at, "i64 or i32, as the target has it", "an index has no size of its own")
	case "vector", "memref", "tensor", "tuple", "none":
		r.Fail(at, "give the type of a single number, and the sizes of the inner type as sizes",
			"elements of type %s are not numbers", word)
	case "":
		r.Fail(at, "such as f32", "expected the type of the elements")
	}
	d := r.typeAt(at, word)
	if d.Bits() < 8 && r.Err == nil {
		r.skip("MLIR does not state how elements of %s are stored: here they share bytes",
			wording.Count(d.Bits(), "bit"))
	}
	return d
}

// attribute skips an attribute, up to the next comma or bracket, and returns it as it is written.
func (r memrefReader) attribute() string {
	r.Space()
	start := r.Pos
	for depth := 0; ; r.Next() {
		switch t := r.Token(); {
		case t.Kind == lexer.End:
			return r.In[start:]
		case isOf(r.Text(t), "<([{"):
			depth++
		case depth == 0 && isOf(r.Text(t), ">)]},"):
			return strings.TrimSpace(r.In[start:t.At])
		case isOf(r.Text(t), ">)]}"):
			depth--
		}
	}
}

func writeStableHLO(t layout.Tensor) (string, error) {
	l := t.Layout()
	strides, ok := l.LinearStrides()
	switch {
	case !ok:
		return "", lost(t, "the notation is always row-major, and axis %s is in blocks", blocked(l))
	case l.Base() != 0:
		return "", lost(t, "the notation has no storage offset, and index 0 lies at %d", l.Base())
	case !analysis.Contiguous(l):
		return "", lost(t, "the notation is always row-major without gaps, and the strides are %s",
			layout.JoinInts(strides, ","))
	}
	dtype, err := spelled(t, layout.MLIR)
	if err != nil {
		return "", err
	}
	return mlirType("tensor", l.Sizes(), dtype) + ">", nil
}

// mlirType returns a type up to its element type.
func mlirType(kind string, sizes []int64, dtype string) string {
	text := kind + "<"
	for _, size := range sizes {
		text += strconv.FormatInt(size, 10) + "x"
	}
	return text + dtype
}
