package notation

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// A value is what a literal of C++, Python or JSON says.
type value struct {
	at   int     // where it is in the text
	n    int64   // of a number
	word string  // of a word: the name, with its dots and colons; of a string: the text
	list []entry // of a list
	next *value  // what directly follows a word or list: arguments, or a member
	kind kind
	open byte // of a list: its bracket
}

// A kind is a kind of value.
type kind uint8

const (
	nothing kind = iota
	number
	word
	str
	list
	formula // an expression that is not worked out
)

// An entry is an item of a list, with its key if it has one: key: value, key = value, .key = value.
type entry struct {
	key string
	value
}

// entries reads a list up to the closing bracket, 0 for the end of the text.
func (r *reader) entries(closing byte) []entry {
	var list []entry
	for r.err == nil {
		if r.space(); r.Peek() == closing || r.Peek() == 0 {
			break
		}
		if list == nil {
			list = make([]entry, 0, 4)
		}
		list = append(list, entry{})
		r.entry(&list[len(list)-1])
		if closing == '>' {
			r.qualified(&list[len(list)-1].value)
		}
		if !r.take(",") && r.Peek() != closing {
			// The fields of a struct that a debugger prints need no commas.
			next := scan.IsLetter(r.Peek()) || r.typed && (r.Peek() == '(' || r.Peek() == '[')
			if closing != 0 && (closing != '}' || !next) {
				r.unexpected("%s where a comma or %s is expected", r.rest(), string(closing))
			}
			r.take(";")
		}
	}
	return list
}

// qualified reads the other words of a type of C++: const float, float const, unsigned char.
func (r *reader) qualified(v *value) {
	for r.err == nil && v.kind == word && r.wordAt(r.Pos) {
		before := v.word
		var next value
		r.operand(&next)
		r.space()
		switch {
		case next.word == "const" || next.word == "volatile":
			continue
		case before == "unsigned":
			sized := map[string]string{"char": "uint8", "short": "uint16", "int": "uint32", "long": "uint64"}
			next.word = cmp.Or(sized[next.word], "unsigned "+next.word)
		case before != "const" && before != "volatile" && before != "signed" && before != "long":
			r.fail(next.at, "", "unexpected text %s after the type %s", next.word, before)
		}
		*v = next
	}
}

// entry reads a value and the key before it into e.
func (r *reader) entry(e *entry) {
	if r.space(); r.Peek() == '.' && r.wordAt(r.Pos+1) { // of a designated initialiser
		r.Pos++
	}
	if r.typed {
		after, _ := afterType(r.In[r.Pos:])
		r.Pos = len(r.In) - len(after)
	}
	r.value(&e.value)
	if e.kind == number && r.Peek() == ':' {
		r.Pos++
		e.kind = formula
		return
	}
	element := e.kind == list && e.open == '['
	if e.next != nil || e.kind != word && e.kind != str && !element || !r.take("=") && !r.take(":") {
		return
	}
	*e = entry{key: e.word}
	r.value(&e.value)
	if e.key == "device" && r.takeHere(":") { // cuda:0
		r.Span(scan.IsDigit)
	}
}

// value reads one value into v. Of Python, sums and products of numbers are worked out.
func (r *reader) value(v *value) {
	r.operand(v)
	r.operations(v, 0)
}

// operations reads the operators after a value that bind at least as tightly as that of rank least, and their other
// operands. What is not arithmetic of known numbers is a formula, whose word is the first name that is not known.
func (r *reader) operations(v *value, least int) {
	for r.err == nil {
		op, rank := r.operator()
		inner := v.list
		grouped := v.kind == list && r.python && v.open == '(' && len(inner) == 1 && inner[0].kind == number
		if rank < least || op == "" || v.kind == list && !grouped {
			return
		}
		if grouped {
			*v = inner[0].value
		}
		r.Pos += len(op)
		var w value
		r.operand(&w)
		r.operations(&w, rank+1)
		if w.kind == list && len(w.list) == 1 {
			w = w.list[0].value
		}
		r.calculate(v, op, w)
	}
}

// operator returns the operator that comes next, and how tightly it binds.
func (r *reader) operator() (op string, rank int) {
	r.space()
	rest := r.In[r.Pos:]
	switch {
	case rest == "":
		return "", 0
	case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "**"):
		return rest[:2], 2
	case strings.IndexByte("*/%", rest[0]) >= 0:
		return rest[:1], 2
	case strings.IndexByte("+-", rest[0]) >= 0:
		return rest[:1], 1
	case rest[0] == '|':
		return rest[:1], 0
	}
	return "", 0
}

// calculate makes v the result of an operator.
func (r *reader) calculate(v *value, op string, w value) {
	result := value{at: v.at, kind: formula, word: cmp.Or(unknownName(*v), unknownName(w))}
	var err error
	switch known := v.kind == number && w.kind == number; {
	case !known || !r.python:
	case op == "+":
		result.kind = number
		result.n, err = layout.Add(v.n, w.n)
	case op == "-" && w.n != math.MinInt64:
		result.kind = number
		result.n, err = layout.Add(v.n, -w.n)
	case op == "*":
		result.kind = number
		result.n, err = layout.Mul(v.n, w.n)
	case v.n < 0 || w.n <= 0:
	case op == "//" || op == "/" && v.n%w.n == 0:
		result.kind, result.n = number, v.n/w.n
	case op == "%":
		result.kind, result.n = number, v.n%w.n
	}
	r.fault(err)
	*v = result
}

// unknownName returns the name that a value is, or that keeps it from being worked out.
func unknownName(v value) string {
	if (v.kind == word || v.kind == formula) && v.next == nil && scan.IsName(v.word) {
		return v.word
	}
	return ""
}

// operand reads a value up to an operator into v.
func (r *reader) operand(v *value) {
	r.space()
	for r.Peek() == '&' || r.Peek() == '*' {
		r.Pos++
	}
	*v = value{at: r.Pos}
	switch c := r.Peek(); {
	case strings.HasPrefix(r.In[r.Pos:], "..."):
		r.Pos += len("...")
		v.kind, v.word = word, "..."
		return
	case scan.IsDigit(c) || c == '-':
		v.kind, v.n = number, r.cNumber()
		r.remark(v)
		r.decimal(v)
		return
	case scan.IsLetter(c) || c == '_' || c == '$':
		v.kind, v.word = word, r.path()
		r.remark(v)
		if n, ok := r.named(v.word); ok {
			v.kind, v.word, v.n = number, "", n
			return
		}
	case c == '?':
		v.kind, v.n = number, r.known("a number")
	case c == '"' || c == '\'':
		v.kind, v.word = str, r.quoted()
		r.remark(v)
	case c == '(' || c == '[' || c == '{':
		r.bracketed(v)
	default:
		r.unexpected("%s is not a value", r.rest())
	}
	v.next = r.suffix(v.kind)
}

// remark reads what a debugger prints after a value. A pointer, 0x5581c010 <sizes>, is the name that it points to, and
// one of Visual Studio's, 0x5581c010 {2, 3}, the array there; a number may be a character too, 2 '\002', and the name
// of an enumerator has its number after it, TYPE_FLOAT32 (1).
func (r *reader) remark(v *value) {
	rest := r.In[r.Pos:]
	if !strings.HasPrefix(rest, " ") {
		return
	}
	rest = rest[1:]
	switch {
	case strings.HasPrefix(rest, "<repeats "):
		r.Pos = r.after(">", r.Pos)
		if v.kind == number {
			*v = value{at: v.at, kind: formula} // how many there are is not worked out
		}
	case v.kind == number && strings.HasPrefix(rest, "{?"):
		r.Pos = r.after("}", r.Pos)
	case v.kind == number && strings.HasPrefix(rest, "{"):
		r.Pos++
		r.bracketed(v)
	case v.kind == number && strings.HasPrefix(rest, "<"):
		r.Pos += len(" <")
		v.kind, v.word = word, r.path()
		if r.Peek() == '+' {
			*v = value{at: v.at, kind: number, n: v.n} // somewhere after the name
			r.Pos = r.after(">", r.Pos)
			return
		}
		r.expect(">")
	case v.kind == number && (rest[:min(1, len(rest))] == "'" || rest[:min(1, len(rest))] == `"`):
		r.Pos++
		r.quoted()
	case v.kind == word && strings.HasPrefix(rest, "("):
		digits := strings.TrimLeft(rest[1:], "0123456789")
		if len(digits) < len(rest)-1 && strings.HasPrefix(digits, ")") {
			r.Pos += len(rest) - len(digits) + len(" )")
		}
	}
}

// decimal makes a number with decimals, of which no size or stride has any, one that is not worked out.
func (r *reader) decimal(v *value) {
	if r.Peek() == '.' && r.Pos+1 < len(r.In) && scan.IsDigit(r.In[r.Pos+1]) {
		r.Pos++
		r.Span(scan.IsWord)
		if c := r.In[r.Pos-1]; (c == 'e' || c == 'E') && (r.takeHere("-") || r.takeHere("+")) {
			r.Span(scan.IsWord)
		}
		*v = value{at: v.at, kind: formula}
	}
}

// suffix reads what directly follows a word or a list: brackets or a member.
func (r *reader) suffix(after kind) *value {
	if after != word && after != list || r.err != nil {
		return nil
	}
	switch c := r.Peek(); {
	case c == '(' || c == '[' || c == '{' || c == '<' && after == word:
		v := new(value)
		r.bracketed(v)
		v.next = r.suffix(list)
		return v
	case c == '.' || c == ':' && strings.HasPrefix(r.In[r.Pos:], "::"):
		v := &value{at: r.Pos, kind: word}
		r.Pos += len(".")
		r.takeHere(":")
		v.word = r.path()
		v.next = r.suffix(word)
		return v
	}
	return nil
}

// The brackets of lists.
const (
	opening = "([{<"
	closing = ")]}>"
)

// bracketed reads a list in brackets into v.
func (r *reader) bracketed(v *value) {
	v.at, v.kind, v.open = r.Pos, list, r.Peek()
	which := strings.IndexByte(opening, v.open)
	r.open(opening[which : which+1])
	v.list = r.entries(closing[which])
	r.close(closing[which : which+1])
}

// path reads a name with its dots, arrows and colons.
func (r *reader) path() string {
	start := r.Pos
	for r.Pos < len(r.In) {
		switch c := r.In[r.Pos]; {
		case scan.IsWord(c) || c == '$':
			r.Pos++
		case c == '.' && r.wordAt(r.Pos+1):
			r.Pos++
		case (strings.HasPrefix(r.In[r.Pos:], "::") || strings.HasPrefix(r.In[r.Pos:], "->")) && r.wordAt(r.Pos+2):
			r.Pos += 2
		default:
			return r.In[start:r.Pos]
		}
	}
	return r.In[start:r.Pos]
}

// wordAt reports whether a name starts at the offset.
func (r *reader) wordAt(at int) bool {
	return at < len(r.In) && (scan.IsLetter(r.In[at]) || r.In[at] == '_')
}

// quoted reads a string. Escapes are left as they are: no name that we look for has any.
func (r *reader) quoted() string {
	quote := r.In[r.Pos]
	start := r.Pos + 1
	for i := start; i < len(r.In); i++ {
		switch r.In[i] {
		case '\\':
			i++
		case quote:
			r.Pos = i + 1
			return r.In[start:i]
		}
	}
	r.unexpected("the string that starts here does not end")
	return ""
}

// cNumber reads an integer as C++ and Python write it: with a sign, in hexadecimal, with
// separators, with a suffix of its type.
func (r *reader) cNumber() int64 {
	start := r.Pos
	r.takeHere("-")
	r.Span(func(c byte) bool { return scan.IsWord(c) || c == '\'' })
	text := r.In[start:r.Pos]
	digits, base := strings.ReplaceAll(strings.ReplaceAll(text, "'", ""), "_", ""), 10
	if strings.HasPrefix(digits, "0x") || strings.HasPrefix(digits, "0X") {
		digits, base = digits[2:], 16
	}
	n, err := strconv.ParseInt(strings.TrimRight(digits, "uUlLzZ"), base, 64)
	r.checkNumber(start, text, err)
	return n
}

func (r *reader) checkNumber(start int, text string, err error) {
	e, _ := err.(*strconv.NumError)
	switch {
	case err == nil:
	case e.Err == strconv.ErrRange:
		r.fail(start, "", "%s is more than 64 bits hold", text)
	default:
		r.fail(start, "", "%q is not a number", text)
	}
}

// arguments returns the list in the first brackets of the kind after a word.
func (v *value) arguments(open byte) (args []entry, ok bool) {
	for n := v.next; n != nil; n = n.next {
		if n.kind == list && n.open == open {
			return n.list, true
		}
	}
	return nil, false
}

// inside returns the list in brackets of one of the kinds after a word, as in std::array<int, 2>{5, 1}, and other
// values as they are.
func (v value) inside(brackets string) value {
	for _, open := range []byte(brackets) {
		if args, ok := v.arguments(open); ok {
			return value{at: v.at, kind: list, list: args}
		}
	}
	return v
}

// field returns the first entry with one of the keys.
func field(list []entry, keys ...string) (v value, ok bool) {
	for _, e := range list {
		for _, key := range keys {
			if e.key == key {
				return e.value, true
			}
		}
	}
	return value{}, false
}

// named gives the entries without keys the names, in order.
func named(list []entry, names ...string) []entry {
	keyed := make([]entry, len(list))
	for i, e := range list {
		if e.key == "" && len(names) > 0 {
			e.key, names = names[0], names[1:]
		}
		keyed[i] = e
	}
	return keyed
}

// once refuses a key that is given twice.
func (r *reader) once(list []entry) {
	for i, e := range list {
		if e.key != "" && slices.ContainsFunc(list[:i], func(before entry) bool { return before.key == e.key }) {
			r.fail(e.at, "", "%s is given twice", e.key)
		}
	}
}

// onlyKnown is unread for the entries that have a name, but for those that say nothing of the layout, or say it in
// another way.
func (r *reader) onlyKnown(list []entry, known []string, others ...string) {
	for _, e := range list {
		if e.key != "" && !slices.Contains(known, e.key) && !slices.Contains(others, e.key) {
			r.unread(e, known, "stride", "offset", "order", "layout")
		}
	}
}

// unread notes an entry whose name is not known. It is an error if the name is nearly one that is, or has one of the
// words, which say what the layout is.
func (r *reader) unread(e entry, known []string, words ...string) {
	near := scan.Nearest(strings.ToLower(e.key), known)
	if near == "" && !hasAny(strings.ToLower(e.key), words...) {
		r.skip("%s", e.key)
		return
	}
	at := max(strings.LastIndex(r.In[:e.at], e.key), 0)
	hint := "one of " + strings.Join(known, ", ")
	r.fault(r.Fail(at, hint, "unknown argument %s", scan.Clip(e.key)).DidYouMean(e.key, near))
}

// last returns the name after the last dot or colon of a word.
func (v value) last() string { return v.word[strings.LastIndexAny(v.word, ".:>")+1:] }

// unwrapped returns the list inside a call with one argument, such as torch.Size([2, 3]), and
// other values as they are.
func (v value) unwrapped() value {
	if v.kind != word || v.next == nil || v.next.kind != list {
		return v
	}
	if args := v.next.list; len(args) == 1 && args[0].kind == list && args[0].next == nil {
		inner := args[0].value
		inner.next = v.next.next
		return inner
	}
	return *v.next
}

// ints returns the numbers of a list; what says what they are.
func (r *reader) ints(v value, what string) []int64 {
	v = v.unwrapped()
	if v.kind != list {
		r.fail(v.at, "such as {1, 3, 224, 224}", "the %s are not a list of numbers", what)
		return nil
	}
	if n := v.next; n != nil {
		r.glued(v, *n, what)
		return nil
	}
	numbers := make([]int64, len(v.list))
	for i, e := range v.list {
		if e.kind == list && e.open == '(' && len(e.list) == 1 { // (s0 // 2)
			e.value = e.list[0].value
		}
		if numbers[i] = e.n; e.kind != number {
			r.int(e.value, "the "+strings.TrimSuffix(what, "s"))
		}
	}
	if len(numbers) > layout.MaxRank {
		r.fail(v.at, "", "%d %s: the limit is rank %d", len(numbers), what, layout.MaxRank)
	}
	return numbers
}

// glued is the fault of a list with another or a member right after it, of which only the first would be read.
func (r *reader) glued(v, next value, what string) {
	if next.kind != list {
		r.fail(next.at, "leave it out", "the text goes on after the %s", what)
		return
	}
	v.next, next.next = nil, nil
	sizes, strides, hint := r.ints(v, what), r.ints(next, "numbers"), ""
	switch {
	case len(sizes) != len(strides):
	case v.open == '[' && next.open == '{':
		hint = fmt.Sprintf("f32[%s]{%s}, if this is XLA's", layout.JoinInts(sizes, ","), layout.JoinInts(strides, ","))
	default:
		hint = fmt.Sprintf("%s --strides %s, if those are strides", layout.JoinInts(sizes, "x"),
			layout.JoinInts(strides, ","))
	}
	r.fail(next.at, hint, "a second list right after the %s", what)
}

// int returns the number that a value is.
func (r *reader) int(v value, what string) int64 {
	if name := unknownName(v); name != "" {
		r.fail(v.at, "write the number itself, or --dim "+name+"=8", "%s is not a number: %s is not known", what, name)
	}
	if v.kind != number {
		r.fail(v.at, "write the number itself", "%s is not a number", what)
	}
	return v.n
}

// isNull reports whether the value is a null pointer, or Python's or JSON's nothing.
func (v value) isNull() bool {
	return v.kind == number && v.n == 0 || v.kind == word &&
		(v.word == "nullptr" || v.word == "NULL" || v.word == "null" || v.word == "None")
}

// A binding is a name of a C++ text and its value.
type binding struct {
	kind  string // the type that was written before it, without its arguments
	name  string
	value value

	element bool // there is an index after the name
	printed bool // a debugger was asked for it
}

// declarations reads C++: declarations of arrays and structs, and assignments to their members.
// Of a debugger it reads NAME = VALUE, and what commands print.
func (r *reader) declarations() []binding {
	if isSession(r.In) {
		return r.session()
	}
	s := cppSource{reader: r, all: make([]binding, 0, 4), fresh: true}
	for !r.done() && r.err == nil {
		switch c := r.Peek(); {
		case c == ';' || c == ',':
			r.Pos++
			s.fresh = c == ';'
		case c == '}' && s.blocks > 0:
			r.Pos++
			s.blocks--
			s.fresh = true
		case c == '#':
			r.Pos = r.after("\n", r.Pos)
		case s.fresh && s.block():
			s.blocks++
			s.inside = true
		default:
			s.statement()
		}
	}
	return s.all
}

// A cppSource is C++ that is being read.
type cppSource struct {
	*reader
	all    []binding
	fresh  bool // a statement may start here
	blocks int  // the braces of functions, loops and the like that are open
	inside bool // there has been one

	declared map[string]bool
}

// statement reads one. In a function it may be any: what cannot be read and does not speak of tensors is left out.
func (s *cppSource) statement() {
	start := s.Pos
	b := s.declaration()
	s.fresh = false
	if s.err == nil || s.blocks == 0 {
		s.check(b)
		s.all = append(s.all, b)
		return
	}
	fault, depth := s.err, s.depth
	s.err, s.depth, s.Pos = nil, 0, start
	s.until(";}")
	if s.err != nil || hasAny(strings.ToLower(s.In[start:s.Pos]), "tensor", "type", "sizes", "strides", "shape") {
		s.err, s.depth = fault, depth
	}
}

// check refuses a statement that changes an element of an array above it, and a name that two functions have for
// arrays or descriptors of their own.
func (s *cppSource) check(b binding) {
	if b.kind == "" {
		if b.element && slices.ContainsFunc(s.all, func(a binding) bool {
			return a.name == b.name && a.value.kind == list
		}) {
			s.fail(b.value.at, "write the array as it is in the end", "this changes an element of %s", b.name)
		}
		return
	}
	if b.value.kind != list && !strings.HasSuffix(b.kind, "TENSOR_DESC") {
		return
	}
	if s.declared == nil {
		s.declared = map[string]bool{}
	}
	if s.inside && s.declared[b.name] {
		s.fail(b.value.at, "paste one function at a time", "%s is declared twice", b.name)
	}
	s.declared[b.name] = true
}

// block skips the head of a function, a loop or the like and the brace after it; it reports
// false where no block starts.
func (s *cppSource) block() bool {
	start := s.Pos
	stop, last := s.until("{};=")
	opens := false
	switch last {
	case ")":
		opens = s.In[start] != '('
	case "const", "noexcept", "override", "else", "do", "try":
		opens = true
	case "":
		opens = s.blocks > 0
	default:
		opens = strings.HasPrefix(s.In[start:], "namespace ")
	}
	if opens = opens && stop == '{' && s.err == nil; opens {
		s.Pos++
		return true
	}
	s.Pos, s.err = start, nil // what is wrong is found again
	return false
}

// until steps up to one of the bytes outside brackets and texts. It returns that, 0 at the end,
// and the word or byte before it.
func (r *reader) until(stops string) (stop byte, last string) {
	for depth := 0; r.err == nil && !r.done(); {
		switch c := r.Peek(); {
		case depth == 0 && strings.IndexByte(stops, c) >= 0:
			return c, last
		case scan.IsWord(c):
			last = r.Span(func(c byte) bool { return scan.IsWord(c) || c == '\'' })
			continue
		case c == '"' || c == '\'':
			r.quoted()
			last = "text"
			continue
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		}
		last = r.In[r.Pos : r.Pos+1]
		r.Pos++
	}
	return 0, last
}

// declaration reads one statement: words, the last of which is the name, and the value.
func (r *reader) declaration() binding {
	var b binding
	for r.err == nil && !r.done() && strings.IndexByte(";,=", r.Peek()) < 0 {
		if r.Peek() == '*' || r.Peek() == '&' {
			r.Pos++
			continue
		}
		var v value
		r.operand(&v)
		if v.kind == word {
			b.kind, b.name = b.name, v.word
		}
		b.value = v
	}
	if r.take("=") {
		index, _ := b.value.arguments('[')
		b.element = len(index) > 0
		r.value(&b.value)
		return b
	}
	if _, ok := b.value.arguments('{'); ok {
		b.kind, b.value = cmp.Or(b.kind, b.name), b.value.inside("{")
	}
	return b
}

// A scope is the bindings of a text as one of its statements takes them: of those of a name the last before it, or else
// the first after it.
type scope struct {
	all    []binding
	at     int              // the statement
	places map[string][]int // where in all the bindings of each name are
}

// scopeOf returns the bindings of a text, as its first statement takes them.
func scopeOf(all []binding) scope {
	s := scope{all: all, places: map[string][]int{}}
	for i, b := range all {
		s.places[b.name] = append(s.places[b.name], i)
	}
	return s
}

// before returns the bindings as a statement takes them.
func (s scope) before(statement int) scope {
	s.at = statement
	return s
}

// find returns which of the bindings has a name, -1 where none has.
func (s scope) find(name string) int {
	places := s.places[name]
	if len(places) == 0 {
		return -1
	}
	i, _ := slices.BinarySearch(places, s.at)
	return places[max(i-1, 0)]
}

// resolve returns the value of a name: an array or a number, also with &, [0] or .data().
func (s scope) resolve(v value) value {
	index, indexed := v.arguments('[')
	if v.kind != word || indexed && (len(index) != 1 || index[0].kind != number || index[0].n != 0) {
		return v
	}
	name, _, _ := strings.Cut(v.word, ".data")
	if i := s.find(name); i >= 0 {
		return s.all[i].value
	}
	return v
}
