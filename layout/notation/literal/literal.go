// Package literal reads literals of C++, Python and JSON into trees of values, and the statements around them: the
// declarations and assignments of C++ and of Python, and the rows of Visual Studio's watch window. JSON needs no
// separate reader, because C++ and Python literals cover the JSON that descriptors use.
package literal

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A Value is the value of a literal.
type Value struct {
	At   int     // its offset in the input
	N    int64   // the value of a number
	Word string  // the name of a word, with its dots and colons, or the content of a string
	List []Entry // the items of a list
	Next *Value  // the arguments or the member directly after a word or list
	Kind Kind
	Open byte // the opening bracket of a list
}

// A Kind is a kind of value.
type Kind uint8

// The kinds of values.
const (
	Nothing Kind = iota
	Number
	Word
	Str
	List
	Formula // an expression that is not evaluated
)

// An Entry is an item of a list, with its key if it has one: key: value, key = value, .key = value.
type Entry struct {
	Key string
	Value
}

// A Parser reads values from left to right.
type Parser struct {
	lexer.Cursor
	Spaced bool             // spaces may come before the brackets after a word, as in make_shape (2, 3)
	Hashes bool             // words may start with #, like an MLIR attribute: #ttg.blocked<{...}>
	Dims   []int64          // the value of each ? in the input
	Names  map[string]int64 // the values of names
	Filled int              // the number of ? that have a value
	Asks   bool             // the error is about a ? without a value
	Used   map[string]bool  // the names that have a value

	Resolve func(*Value) // replaces a word that a program has assigned, or a property of it, with its value; may be nil
}

// Known reads a number, or takes the next of Dims for a ?; what describes the number in errors.
func (p *Parser) Known(what string) int64 {
	if p.Space(); !p.starts("?*") {
		return p.Integer(true)
	}
	p.Pos++
	return p.Unknown(p.Pos-1, what)
}

// Unknown takes the next of Dims for an unknown number at an offset; what describes the number in errors.
func (p *Parser) Unknown(at int, what string) int64 {
	n, ok := p.Fill()
	if !ok {
		p.Asks = p.Err == nil
		hint := "--dim gives the " + wording.Ordinal(p.Filled) + " ? a value: --dim N, or N,N for two"
		p.open(at, strings.Repeat("8,", p.Filled)+"8", hint, "%s is not known", what)
	}
	return n
}

// open returns the error about a number that --dim can provide.
func (p *Parser) open(at int, value, hint, format string, args ...any) {
	e := &layout.SyntaxError{Input: p.In, Offset: at, Msg: fmt.Sprintf(format, wording.ClipAll(args)...), Hint: hint}
	e.Change.Flag, e.Change.Value = "--dim", value
	p.Fault(e)
}

// Fill returns the next of Dims.
func (p *Parser) Fill() (n int64, ok bool) {
	if p.Filled == len(p.Dims) {
		return 0, false
	}
	p.Filled++
	return p.Dims[p.Filled-1], true
}

// Given returns the value of a name.
func (p *Parser) Given(name string) (n int64, ok bool) {
	if n, ok = p.Names[name]; ok {
		if p.Used == nil {
			p.Used = map[string]bool{}
		}
		p.Used[name] = true
	}
	return n, ok
}

// starts reports whether the next byte is one of bytes.
func (p *Parser) starts(bytes string) bool {
	return p.Pos < len(p.In) && strings.IndexByte(bytes, p.In[p.Pos]) >= 0
}

// startsName reports whether a name starts at the offset.
func (p *Parser) startsName(at int) bool { return at < len(p.In) && isNameStart(p.In[at]) }

// isNameStart reports whether a name may start with the byte.
func isNameStart(c byte) bool { return lexer.IsLetter(c) || c == '_' }

// Entries reads a list up to the closing bracket, or up to the end of the input if closing is 0.
func (p *Parser) Entries(closing byte) []Entry {
	var list []Entry
	for !p.Done() && p.Peek() != closing {
		if list == nil {
			list = make([]Entry, 0, 4)
		}
		list = append(list, Entry{})
		n := len(list) - 1
		isSpread := p.Python && p.Peek() == '*'
		p.entry(&list[n])
		isNamed := list[n].Key != ""
		if closing == '>' {
			p.qualified(&list[n].Value)
		}
		if isSpread && !isNamed {
			list = append(list[:n], list[n].items()...)
		}
		p.separator(closing, isNamed)
	}
	return list
}

// items returns the items of the list that the entry is or calls a constructor of, and the entry itself otherwise.
func (e Entry) items() []Entry {
	if v := e.Unwrapped(); v.Kind == List && v.Next == nil {
		return v.List
	}
	return []Entry{e}
}

// separator reads the comma after an entry, or the semicolon at the end of the input. Fields of a struct that a
// debugger prints, and MLIR attributes, need no comma: <[64:+8] {order = [1, 0]}>.
func (p *Parser) separator(closing byte, isNamed bool) {
	if p.Take(",") || p.Peek() == closing {
		return
	}
	isField := isNamed && lexer.IsLetter(p.Peek()) && (p.IsAt(1, "=") || p.IsAt(1, ":"))
	switch {
	case closing == 0:
	case closing == '}' && (isField || p.Ahead("...}")):
	case closing == '>' && p.Hashes && p.Peek() == '{':
	default:
		p.Unexpected("expected a comma or %s, found %s", string(closing), p.Rest())
	}
	p.Take(";")
}

// qualified reads the other words of a C++ type: const float, float const, unsigned char.
func (p *Parser) qualified(v *Value) {
	for v.Kind == Word && p.startsName(p.Pos) {
		before := v.Word
		var next Value
		p.Operand(&next)
		p.Space()
		switch {
		case slices.Contains(cv[:], next.Word):
			continue
		case before == "unsigned":
			next.Word = "unsigned " + next.Word
			if d, ok := layout.DTypeIn(layout.C, next.Word); ok {
				next.Word = d.String()
			}
		case !slices.Contains(prefixes[:], before):
			p.Fail(next.At, "", "unexpected text %s after the type %s", next.Word, before)
		}
		*v = next
	}
}

// cv are the words that may be before and after a type of C++, and before it.
var (
	cv       = [...]string{"const", "volatile"}
	prefixes = [...]string{"const", "volatile", "signed", "long"}
)

// entry reads a value and the key before it into e.
func (p *Parser) entry(e *Entry) {
	if p.Ahead(".") && p.startsName(p.Pos+1) { // a designated initialiser
		p.Pos++
	}
	if isOpen := p.Python && p.Peek() == ':'; !isOpen { // [:2]
		p.Value(&e.Value)
	}
	if e.Kind <= Number && p.Peek() == ':' {
		p.slice(&e.Value)
		return
	}
	if !e.isKey() || !p.Take("=") && !p.Take(":") {
		return
	}
	*e = Entry{Key: e.Word}
	p.Value(&e.Value)
	if e.Key == "device" && p.TakeHere(":") { // cuda:0
		p.Span(lexer.IsDigit)
	}
}

// isKey reports whether the value may be a key: a name, a string, or an element, [0] = 1.
func (v Value) isKey() bool {
	switch v.Kind {
	case Word, Str:
		return v.Next == nil
	case List:
		return v.Next == nil && v.Open == '['
	}
	return false
}

// slice reads the rest of a slice, start:stop:step, after the start v. It makes v a formula that lists all three.
func (p *Parser) slice(v *Value) {
	bounds := [3]Entry{{Value: *v}}
	for i := 1; i < len(bounds) && p.Take(":"); i++ {
		if p.Space(); !p.starts(":,]") {
			p.Value(&bounds[i].Value)
			p.Int(bounds[i].Value, "a bound of the slice")
		}
	}
	*v = Value{At: v.At, Kind: Formula, Open: ':', List: bounds[:]}
}

// Index returns the items of a Python list that an index or a slice in brackets selects; ok is false if the index is
// out of range, or is neither.
func (v Value) Index(index Value) (item Value, ok bool) {
	n := int64(len(v.List))
	if index.Kind == Number {
		i := index.N
		if i < 0 {
			i += n
		}
		if uint64(i) >= uint64(n) {
			return Value{}, false
		}
		return v.List[i].Value, true
	}
	if index.Open != ':' {
		return Value{}, false
	}
	bounds := [3]*int64{}
	for i := range index.List {
		if b := &index.List[i]; b.Kind == Number {
			bounds[i] = &b.N
		}
	}
	if bounds[2] != nil && *bounds[2] == 0 {
		return Value{}, false
	}
	item = Value{At: v.At, Kind: List}
	for i, count, step := Range(bounds[0], bounds[1], bounds[2], n); count > 0; count, i = count-1, i+step {
		item.List = append(item.List, v.List[i])
	}
	return item, true
}

// Range returns the first index, the number of indices and the step of a Python slice of n indices. Bounds are nil if
// they are omitted, and are clamped if they are out of range.
func Range(start, stop, step *int64, n int64) (first, size, by int64) {
	by = 1
	if step != nil {
		by = *step
	}
	first, end := int64(0), n
	if by < 0 {
		first, end = n-1, -1
	}
	if start != nil {
		first = ClampIndex(*start, n, by)
	}
	if stop != nil {
		end = ClampIndex(*stop, n, by)
	}
	switch {
	case by > 0 && end > first:
		size = (end-first-1)/by + 1
	case by < 0 && end < first:
		size = int64((layout.Magnitude(end-first)-1)/layout.Magnitude(by)) + 1
	}
	return first, size, by
}

// ClampIndex counts a negative index from the end, and clamps it to the n indices or, depending on the direction of the
// step, to one beyond them.
func ClampIndex(i, n, step int64) int64 {
	if i < 0 {
		i += n
	}
	if step < 0 {
		return min(max(i, -1), n-1)
	}
	return min(max(i, 0), n)
}

// Value reads one value into v. In Python, it evaluates sums and products of numbers.
func (p *Parser) Value(v *Value) {
	p.Operand(v)
	p.operations(v, 0)
}

// operations reads the operators after a value with a rank of at least least, and their other operands. Everything but
// arithmetic of known numbers becomes a formula. The word of a formula is the first unknown name in it.
func (p *Parser) operations(v *Value, least int) {
	for {
		op, rank := p.operator()
		if op == "" || rank < least || !p.isOperand(v) {
			return
		}
		p.Pos += len(op)
		var w Value
		p.Operand(&w)
		p.operations(&w, rank+1)
		if w.Kind == List && len(w.List) == 1 {
			w = w.List[0].Value
		}
		p.calculate(v, op, w)
	}
}

// isOperand reports whether a value may come before an operator, which all values except lists may. In Python, (2)
// becomes 2.
func (p *Parser) isOperand(v *Value) bool {
	if inner, ok := v.inParentheses(); ok && inner.Kind == Number && p.Python {
		*v = inner
	}
	return v.Kind != List
}

// inParentheses returns the only value in parentheses.
func (v Value) inParentheses() (inner Value, ok bool) {
	if v.Open != '(' || len(v.List) != 1 {
		return v, false
	}
	return v.List[0].Value, true
}

// operator returns the next operator, and its rank, which is higher if it binds more tightly.
func (p *Parser) operator() (op string, rank int) {
	p.Space()
	switch op = p.Text(p.Token()); op {
	case "*", "//", "/", "%":
		if p.Ahead("**") {
			op = "**"
		}
		return op, 2
	case "+", "-", "->":
		return op[:1], 1
	case "|":
		return op, 0
	}
	return "", 0
}

// calculate sets v to the result of an operator.
func (p *Parser) calculate(v *Value, op string, w Value) {
	a, b := v.N, w.N
	isKnown := v.Kind == Number && w.Kind == Number && p.Python
	*v = Value{At: v.At, Kind: Formula, Word: cmp.Or(v.Unknown(), w.Unknown())}
	if !isKnown {
		return
	}
	n, ok, err := arithmetic(op, a, b)
	if ok {
		v.Kind, v.N = Number, n
	}
	p.Fault(err)
}

// arithmetic returns the result of an operator; ok is false if the result is not known to be an integer.
func arithmetic(op string, a, b int64) (n int64, ok bool, err error) {
	switch op {
	case "+":
		n, err = layout.Add(a, b)
		return n, true, err
	case "*":
		n, err = layout.Mul(a, b)
		return n, true, err
	case "-":
		if b != math.MinInt64 {
			n, err = layout.Add(a, -b)
			return n, true, err
		}
	case "//", "/", "%":
		if min(a, b-1) >= 0 {
			return divide(op, a, b)
		}
	}
	return 0, false, nil
}

// divide returns the quotient or the remainder of nonnegative numbers.
func divide(op string, a, b int64) (n int64, ok bool, err error) {
	switch op {
	case "//":
		return a / b, true, nil
	case "/":
		return a / b, a%b == 0, nil
	}
	return a % b, true, nil
}

// IsCall reports whether v is the parentheses of a call without arguments.
func (v *Value) IsCall() bool { return v != nil && v.Open == '(' && len(v.List) == 0 }

// Unknown returns the name that the value is, or the name that prevents its evaluation. Words for truth are not names.
func (v Value) Unknown() string {
	isName := v.Kind == Word || v.Kind == Formula
	if !isName || v.Next != nil || slices.Contains(words[:], v.Word) || !lexer.IsName(v.Word) {
		return ""
	}
	return v.Word
}

// words are the words of C++, Python and JSON for true, false and null.
var words = [...]string{"True", "False", "true", "false", "None", "nullptr", "NULL", "null"}

// nothing are the words for null.
var nothing = words[4:]

// Operand reads a value up to an operator into v.
func (p *Parser) Operand(v *Value) {
	for p.Space(); p.starts("&*"); {
		p.Pos++
	}
	*v = Value{At: p.Pos}
	if p.Hashes {
		p.TakeHere("+")
	}
	switch {
	case p.TakeHere("..."):
		v.Kind, v.Word = Word, "..."
		return
	case p.starts("-0123456789"):
		v.Kind, v.N = Number, p.Number()
		p.remark(v)
		p.decimal(v)
		return
	case p.startsPath():
		v.Kind, v.Word = Word, p.Path()
		p.remark(v)
		if n, ok := p.Given(v.Word); ok {
			v.Kind, v.Word, v.N = Number, "", n
			return
		}
	case p.starts("?"):
		v.Kind, v.N = Number, p.Known("a number")
	case p.starts(`"'`):
		v.Kind, v.Word = Str, p.quoted()
		p.remark(v)
	case p.starts("<") && p.IsAt(1, "class"): // <class 'numpy.float32'>
		p.Pos += len("<class")
		p.Space()
		v.Kind, v.Word = Str, p.quoted()
		p.Expect(">")
	case p.starts("([{"):
		p.Bracketed(v)
	default:
		p.Unexpected("%s is not a value", p.Rest())
	}
	v.Next = p.suffix(v.Kind)
	if v.Kind == Word && p.Resolve != nil {
		p.Resolve(v)
	}
}

// startsPath reports whether a path comes next.
func (p *Parser) startsPath() bool {
	return p.startsName(p.Pos) || p.starts("$") || p.Hashes && p.starts("#")
}

// remark reads the text that a debugger prints after a value and a space.
func (p *Parser) remark(v *Value) {
	if t := p.Token(); !p.Ahead(" ") || int(t.At) != p.Pos+1 {
		return
	}
	switch {
	case p.Is("<") && p.IsAt(1, "repeats") && p.IsAt(3, "times") && p.IsAt(4, ">"):
		p.Pos = int(p.After(4).End)
		if v.Kind == Number {
			*v = Value{At: v.At, Kind: Formula} // a repeated element, which is not counted
		}
	case v.Kind == Number:
		p.pointed(v)
	case v.Kind == Word && p.Is("(") && p.IsAt(2, ")"): // an enumerator with its number: TYPE_FLOAT32 (1)
		if isDigits(p.Text(p.After(1))) {
			p.Pos = int(p.After(2).End)
		}
	}
}

// isDigits reports whether text is a decimal number.
func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// pointed reads the text after a pointer and a space: the name that it points to, 0x5581c010 <sizes>, or the array
// there, 0x5581c010 {2, 3}. After a number it may be a character, 2 '\002'.
func (p *Parser) pointed(v *Value) {
	switch t := p.Token(); {
	case p.Is("{") && p.IsAt(1, "?"):
		for p.Pos = int(t.End); p.Take("?"); {
		}
		p.Expect("}")
	case p.Is("{"):
		p.Space()
		p.Bracketed(v)
	case t.Kind == lexer.String:
		p.Space()
		p.quoted()
	case p.Is("<"):
		p.Pos += len(" <")
		v.Kind, v.Word = Word, p.Path()
		if p.Peek() == '+' {
			*v = Value{At: v.At, Kind: Number, N: v.N} // an address after the name
			p.Through(">")
			return
		}
		p.Expect(">")
	}
}

// decimal turns a number with decimals into a formula, because sizes and strides are integers.
func (p *Parser) decimal(v *Value) {
	if after := p.In[p.Pos:]; !strings.HasPrefix(after, ".") || len(after) > 1 && isMember(after[1]) {
		return
	}
	p.Pos = max(int(p.Token().End), p.Pos+1)
	*v = Value{At: v.At, Kind: Formula}
}

// isMember reports whether a byte after a dot shows that the dot is not a decimal point.
func isMember(c byte) bool { return lexer.IsLetter(c) || c == '.' }

// brackets are the brackets that may directly follow a kind of value, and those that may follow it after a space if
// Spaced is set.
var brackets = [...]struct{ direct, spaced string }{Word: {"([{<", "({<"}, List: {"([{", "{"}, Formula: {}}

// suffix reads the brackets or the member directly after a word or a list.
func (p *Parser) suffix(after Kind) *Value {
	of := brackets[after]
	if of.direct == "" {
		return nil
	}
	if at := p.Pos; p.Spaced && p.Token().Gap == lexer.Blank {
		if p.Space(); !p.starts(of.spaced) {
			p.Pos = at
		}
	}
	switch {
	case p.starts(of.direct):
		v := new(Value)
		p.Bracketed(v)
		v.Next = p.suffix(List)
		return v
	case p.starts("."), p.Ahead("::"):
		v := &Value{At: p.Pos, Kind: Word}
		p.Pos += len(".")
		p.TakeHere(":")
		v.Word = p.Path()
		v.Next = p.suffix(Word)
		return v
	}
	return nil
}

// Bracketed reads a list in brackets into v.
func (p *Parser) Bracketed(v *Value) {
	const opening, closing = "([{<", ")]}>"
	v.At, v.Kind, v.Open = p.Pos, List, p.Peek()
	which := max(strings.IndexByte(opening, v.Open), 0)
	p.Cursor.Open(opening[which : which+1])
	v.List = p.Entries(closing[which])
	p.Close(closing[which : which+1])
}

// Path reads a name with its dots, arrows and colons.
func (p *Parser) Path() string {
	start := p.Pos
	if p.Hashes {
		p.TakeHere("#")
	}
	for {
		p.Span(func(c byte) bool { return lexer.IsWord(c) || c == '$' })
		n := 0
		switch {
		case p.Ahead("."):
			n = 1
		case p.Ahead("::"), p.Ahead("->"):
			n = 2
		}
		if n == 0 || !p.startsName(p.Pos+n) {
			return p.In[start:p.Pos]
		}
		p.Pos += n
	}
}

// quoted reads a string. It does not resolve escapes, because no known name has any.
func (p *Parser) quoted() string {
	t := p.Token()
	if t.Open || t.Kind != lexer.String || t.End-t.At < 2 { // only the end of a string that is read in part
		p.Unexpected("the string that starts here does not end")
		return ""
	}
	p.Pos = int(t.End)
	return p.In[t.At+1 : t.End-1]
}

// Number reads an integer as in C++ and Python: with a sign, in hexadecimal, with separators, with a type suffix.
func (p *Parser) Number() int64 {
	start := p.Pos
	p.TakeHere("-")
	p.Span(func(c byte) bool { return lexer.IsWord(c) || c == '\'' })
	n, err := lexer.ParseInt(p.In[start:p.Pos])
	p.CheckNumber(start, p.In[start:p.Pos], err)
	return n
}

// CheckNumber notes the error of a number that starts at an offset.
func (p *Parser) CheckNumber(start int, number string, err error) {
	e, _ := err.(*strconv.NumError)
	switch {
	case err == nil:
	case e.Err == strconv.ErrRange:
		p.Fail(start, "", "%s is more than 64 bits hold", number)
	default:
		p.Fail(start, "", "%q is not a number", number)
	}
}

// brackets returns the first brackets of a kind after a word, or nil if no such brackets follow.
func (v *Value) brackets(open byte) *Value {
	n := v.Next
	for n != nil && n.Open != open {
		n = n.Next
	}
	return n
}

// Arguments returns the list in the first brackets of a kind after a word.
func (v *Value) Arguments(open byte) (args []Entry, ok bool) {
	if n := v.brackets(open); n != nil {
		return n.List, true
	}
	return nil, false
}

// Inside returns the list in brackets of one of the kinds after a word, as in std::array<int, 2>{5, 1}. It returns
// other values unchanged.
func (v Value) Inside(brackets string) Value {
	for _, open := range []byte(brackets) {
		if args, ok := v.Arguments(open); ok {
			return Value{At: v.At, Kind: List, List: args}
		}
	}
	return v
}

// Last returns the name after the last dot or colon of a word.
func (v Value) Last() string {
	_, last := Member(v.Word)
	return last
}

// Member splits a path into its last name and the path before it: of and name for of.name, of->name and of::name.
func Member(path string) (of, name string) {
	last := strings.LastIndexAny(path, ".:>") + 1
	return strings.TrimRight(path[:last], ".:>-"), path[last:]
}

// Root returns the first name of a path.
func Root(path string) string {
	root, _, _ := strings.Cut(path, ".")
	return root
}

// lists are the functions that make a list of numbers, from their arguments or from another list.
var lists = [...]string{"Size", "list", "tuple", "array", "IntArrayRef", "dims"}

// Unwrapped returns the list inside a call that makes one, such as torch.Size([2, 3]), or inside a constructor's
// braces. It returns other values unchanged.
func (v Value) Unwrapped() Value {
	if !v.makesList() {
		return v
	}
	args := v.Next.List
	isOther := func(e Entry) bool { return e.Key == "" }
	if len(args) == 0 || args[0].Kind != List || args[0].Next != nil || slices.ContainsFunc(args[1:], isOther) {
		return *v.Next
	}
	inner := args[0].Value
	inner.Next = v.Next.Next
	return inner
}

// makesList reports whether the value is a call that makes a list, a constructor, or a C++ type.
func (v Value) makesList() bool {
	if v.Kind != Word || v.Next == nil {
		return false
	}
	switch v.Next.Open {
	case '(':
		return slices.Contains(lists[:], v.Last())
	case '{', '<':
		return true
	}
	return false
}

// IsNull reports whether the value is a null pointer, or the null of Python or JSON.
func (v Value) IsNull() bool {
	switch v.Kind {
	case Number:
		return v.N == 0
	case Word:
		return slices.Contains(nothing, v.Word)
	}
	return false
}

// Field returns the first entry with one of the keys.
//
//go:noinline
func Field(list []Entry, keys ...string) (v Value, ok bool) {
	for _, e := range list {
		for _, key := range keys {
			if e.Key == key {
				return e.Value, true
			}
		}
	}
	return Value{}, false
}

// Once rejects a key that is given twice.
func (p *Parser) Once(list []Entry) {
	for i, e := range list {
		if e.Key != "" && slices.ContainsFunc(list[:i], func(before Entry) bool { return before.Key == e.Key }) {
			p.Fail(e.At, "", "%s is given twice", e.Key)
		}
	}
}

// Ints returns the numbers of a list; what describes the numbers in errors.
func (p *Parser) Ints(v Value, what string) []int64 {
	v = v.Unwrapped()
	if v.Kind != List {
		p.Fail(v.At, "such as {1, 3, 224, 224}", "the %s are not a list of numbers", what)
		return nil
	}
	if n := v.Next; n != nil {
		p.glued(v, *n, what)
		return nil
	}
	numbers := make([]int64, len(v.List))
	for i, e := range v.List {
		e.Value, _ = e.inParentheses() // (s0 // 2)
		if numbers[i] = e.N; e.Kind != Number {
			numbers[i] = p.Int(e.Value, "the "+strings.TrimSuffix(what, "s"))
		}
	}
	if len(numbers) > layout.MaxRank {
		p.Fail(v.At, "", "%d %s: the limit is rank %d", len(numbers), what, layout.MaxRank)
	}
	return numbers
}

// glued records an error about a list with another list or a member directly after it, because only the first would be
// read.
func (p *Parser) glued(v, next Value, what string) {
	if next.Kind != List {
		p.Fail(next.At, "remove it", "the text goes on after the %s", what)
		return
	}
	v.Next, next.Next = nil, nil
	sizes, strides, hint := p.Ints(v, what), p.Ints(next, "numbers"), ""
	switch {
	case len(sizes) != len(strides):
	case v.Open == '[' && next.Open == '{':
		hint = fmt.Sprintf("f32[%s]{%s}, if this is XLA's", layout.JoinInts(sizes, ","), layout.JoinInts(strides, ","))
	default:
		hint = fmt.Sprintf("%s --strides %s, if those are strides", layout.JoinInts(sizes, "x"),
			layout.JoinInts(strides, ","))
	}
	p.Fail(next.At, hint, "a second list right after the %s", what)
}

// Int returns the number that a value is, or the value of the name that it is. The name may be in quotes: 'batch'.
func (p *Parser) Int(v Value, what string) int64 {
	if v.Kind == Str && lexer.IsName(v.Word) {
		if n, ok := p.Given(v.Word); ok {
			return n
		}
		v.Kind = Word
	}
	if name := v.Unknown(); name != "" {
		p.open(v.At, name+"=8", "write the number itself, or --dim "+name+"=8", "%s is not a number: %s is not known",
			what, name)
	}
	if v.Kind != Number {
		p.Fail(v.At, "write the number itself", "%s is not a number", what)
	}
	return v.N
}

// Of returns the entry with a key and a value.
func Of(key string, v Value) Entry { return Entry{Key: key, Value: v} }
