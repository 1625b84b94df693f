package notation

import (
	"slices"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// A logText is an input that states tensors, such as a log, a message or the output of a program:
//
//	q: shape=(2, 3) stride=(3, 1)
//	out torch.Size([2, 3]) (3, 1) torch.float16 False
//	x.stride()
//	(3, 1)
//
// A logScanner splits it into items, a logGrouper finds the tensor of each item, and a logChecker makes the tensors.
type logText struct {
	*reader
	tokens  []lexer.Token
	clues   unitClues
	strides int             // the words about strides
	owners  map[string]bool // the names before _stride, in lower case: q of q_stride
	shown   mention         // the call that prints its elements: tensor in tensor([1, 2])
}

// newLogText returns a logText for the input of a reader.
func newLogText(r *reader) *logText {
	x := &logText{reader: r, tokens: r.Tokens(), owners: map[string]bool{}}
	x.clues = unitClues(unitMarks().Rows(r.In, x.tokens, isClass))
	for _, t := range x.tokens {
		word := strings.ToLower(x.Text(t))
		if !isStride(word) {
			continue
		}
		if t.Kind == lexer.Word {
			x.strides++
		}
		if owner, field := cutField(word); field == "stride" {
			x.owners[owner] = true
		}
	}
	return x
}

// isStride reports whether a word in lower case may be about strides.
func isStride(word string) bool { return strings.Contains(word, "strid") && word != "strided" }

// A logItem is a part of a logText that the grouper needs.
type logItem struct {
	kind     itemKind
	at, end  int
	mention                // the name before a value or a bracket, or a question
	field    literal.Entry // the value, and the key of a fieldItem or the name of an otherItem
	sense    fieldSense    // the sense of an otherItem
	words    []mention     // the words of a labelItem
	isMarked bool          // a colon or an equals sign follows the name or the words
	isListed bool          // a comma, semicolon or bar follows an otherItem, or is the breakItem
	isSize   bool          // the list is a torch.Size
	isPair   bool          // another list or an element type follows the list
	isLater  bool          // other words are before the question, so that another value may come first
	token    int           // the first token of a listItem
	line     int
	in       *logCall // the innermost open bracket
	closed   int      // the number of brackets that are closed before it
}

// An itemKind is the kind of a logItem.
type itemKind uint8

// The kinds. A word that states nothing about a tensor, such as a device, is not an item.
const (
	labelItem    itemKind = iota // words, which may name the next tensor: out
	fieldItem                    // a field that is read, or a value that needs no name: shape=(2, 3), float32
	otherItem                    // any other name with a value: epoch=5
	questionItem                 // a field without a value, which a later line may have: x.stride()
	listItem                     // (2, 3)
	numberItem                   // 5
	callItem                     // a name before an open bracket: print(
	breakItem                    // a mark that ends a label
	strayItem                    // a mark or a call that no tensor has
)

// A logCall is an open bracket, with the name before it.
type logCall struct {
	mention
	outer *logCall
}

// A logScanner reads a logText from left to right, and splits it into items.
type logScanner struct {
	*logText
	items   []logItem
	words   []mention // the label before Pos
	in      *logCall
	closed  int
	line    int
	follows bool // a value is before Pos on the line
	asserts bool // the line has an assert, and == has the meaning of = on other lines
}

// scan returns the items of the input up to the first error.
func (x *logText) scan() []logItem {
	s := &logScanner{logText: x}
	for !s.Done() && s.Err == nil {
		i := s.Index()
		if s.tokens[i].Gap == lexer.Line && i > 0 {
			s.flush(false)
			s.line++
			s.follows, s.asserts = false, false
		}
		s.item(i)
	}
	s.flush(false)
	return s.items
}

// item reads the item that starts at a token.
func (s *logScanner) item(i int) {
	switch t := s.tokens[i]; {
	case s.phrase(i), s.asserts && s.takeString():
	case s.Is("assert"):
		s.asserts = true
		s.pass(s.Next())
	case t.Kind == lexer.Word, t.Kind == lexer.String:
		s.word(i)
	case t.Kind == lexer.Number:
		s.number(i)
	case t.Bracket(s.In) > 0:
		s.open(i)
	default:
		s.Next()
		s.mark(t)
	}
}

// pass marks a token as read.
func (s *logScanner) pass(t lexer.Token) { s.use(int(t.At), int(t.End)) }

// emit adds an item that ends at Pos, after the label before it.
func (s *logScanner) emit(it logItem) {
	s.flush(false)
	it.end = s.Pos
	s.add(it)
	if it.kind == fieldItem || it.kind == listItem {
		s.follows = true
	}
}

// flush adds the label before Pos, if there is one.
func (s *logScanner) flush(isMarked bool) {
	if n := len(s.words); n > 0 {
		s.add(logItem{at: s.words[0].at, end: s.words[n-1].end, words: s.words, isMarked: isMarked})
		s.words = nil
	}
}

// add adds an item.
func (s *logScanner) add(it logItem) {
	it.line, it.in, it.closed = s.line, s.in, s.closed
	s.items = append(s.items, it)
}

// mark reads a mark that opens no bracket.
func (s *logScanner) mark(t lexer.Token) {
	switch mark := s.Text(t); mark {
	case ")", "]", "}":
		s.emit(logItem{kind: breakItem})
		s.leave()
	case ":", "=":
		s.flush(true)
	case ",", ";", "|":
		if len(s.words) != 1 || s.In[s.words[0].at] != '\'' { // ('weight', torch.Size([2, 3]))
			s.emit(logItem{kind: breakItem, isListed: true})
		}
	case ".", "-", "<", ">":
		s.emit(logItem{kind: breakItem})
	case "%":
		if !s.IsAt(1, ":") || !s.IsAt(2, "Tensor") { // %data: Tensor[(1, 64), float32]
			s.Fail(int(t.At), "", "%s is a value of a program, not a field of a tensor", mark+s.Text(s.Token()))
		}
	default:
		s.emit(logItem{kind: breakItem})
		isEquals := mark == "==" && s.asserts && !s.follows
		if !isEquals && s.In[t.At] < utf8.RuneSelf {
			s.emit(logItem{kind: strayItem, at: int(t.At)})
		}
	}
}

// leave moves past the end of brackets.
func (s *logScanner) leave() {
	if s.in != nil {
		s.in = s.in.outer
		s.closed++
		s.Higher()
	}
}

// enter moves into the brackets after a name, which may be empty.
func (s *logScanner) enter(m mention) {
	s.Next()
	s.Deeper()
	if m.text != "" {
		s.emit(logItem{kind: callItem, at: m.at, mention: m})
	}
	s.in = &logCall{m, s.in}
	if s.in.callee(true) == "" {
		s.use(m.at, m.end)
	}
}

// word reads the item that starts with the word or the string at a token.
func (s *logScanner) word(i int) {
	m := s.mention(i)
	s.Pos = m.end
	next := s.Index()
	isCall := s.isGlued(next, "(")
	isNamed := s.Is(":") || s.Is("=")
	switch {
	case slices.Contains(joining[:], m.text), m.key() == "layout" && s.IsAt(2, "{"): // layout: Layout { shape: [2, 3] }
		s.use(m.at, m.end)
	case slices.Contains(foreignFields[:], m.text):
		s.Fail(m.at, "", "%s is a field of another notation", m.text)
	case s.bare(i, m), m.stated != nil && s.field(m):
	case m.stated != nil && isCall:
		s.Pos = int(s.tokens[s.over(next)-1].End) // size(0), which is a number
		s.emit(logItem{kind: strayItem, at: m.at})
	case isCall, s.Is("{"):
		s.enter(m)
	case isNamed && s.other(m, next):
	default:
		s.words = append(s.words, m)
	}
}

// bare reads a value that needs no name, and reports whether there is one: torch.Size([2, 3]), float32. Words such as
// half, False and cuda are values only after others.
func (s *logScanner) bare(i int, m mention) bool {
	form, end := s.valueAt(i)
	if s.isOneOf(end, ":=") && form != listValue {
		return false
	}
	it := logItem{kind: fieldItem, at: m.at}
	switch {
	case form == listValue:
		s.Pos = int(s.tokens[end-1].End)
		s.emit(logItem{kind: listItem, at: m.at, token: i, isSize: true})
		return true
	case form == typeValue && s.isType(m.text):
		it.field.Key = "dtype"
	case form == truthValue && s.follows:
		it.field.Key = "is_contiguous"
	case form == deviceValue && s.follows:
		s.Pos = int(s.tokens[end-1].End)
		s.use(m.at, s.Pos)
		return true
	default:
		return false
	}
	it.field.Value = s.value(i)
	s.emit(it)
	return true
}

// isType reports whether the name of an element type is one here: half may be another word at the start of a line.
func (s *logScanner) isType(name string) bool {
	return s.follows || name == "dtype" || s.clues.isStrong() && isTypeWord(name)
}

// field reads the value of the field that a name stands for. It reports false if the name has no value of the form that
// the field needs, and is not a question.
func (s *logScanner) field(m mention) bool {
	it := logItem{kind: fieldItem, at: m.at, mention: m, isMarked: s.takeMark()}
	i := s.Index()
	form, end := s.valueAt(i)
	if !it.isMarked && (form&m.stated.bare == 0 || s.isApart(i, end)) {
		return s.question(m)
	}
	if it.isMarked && form&m.stated.marked == 0 {
		s.Pos = m.end
		return false
	}
	it.field = literal.Of(m.key(), s.value(i))
	switch {
	case form == truthValue:
		_, it.field.Key = literal.Member(strings.TrimPrefix(m.text, m.owner+"_")) // as it is written
	case m.key() == "size":
		s.openSizes(it.field.Unwrapped().List)
	case m.key() == "layout" && s.Is("(") && s.IsAt(2, ")"): // C (0x1), as ndarray prints it
		s.Pos = int(s.After(2).End)
		it.field.Word = "strided"
	}
	s.emit(it)
	return true
}

// takeMark moves past a colon or an equals sign, and reports whether there is one.
func (s *logScanner) takeMark() bool {
	isMark := s.Is(":") || s.Is("=") || s.asserts && s.Is("==")
	if isMark {
		s.Next()
	}
	return isMark
}

// isApart reports whether the value at a token does not belong to the name before it: it is on another line, an index
// or an argument, as in sizes[0] and size(0), or a name itself, 0: 5.
func (s *logScanner) isApart(i, end int) bool {
	t := s.tokens[i]
	isShort := s.isGlued(i, "[") && end <= i+3
	return t.Gap == lexer.Line || isShort || s.isGlued(i, "({") || t.Kind == lexer.Number && s.isOneOf(end, ":")
}

// openSizes reads None as the ? of other notations.
func (s *logScanner) openSizes(sizes []literal.Entry) {
	for i := range sizes {
		if size := &sizes[i]; size.Word == "None" || size.Word == "null" {
			size.Value = literal.Value{At: size.At, Kind: literal.Number, N: s.Unknown(size.At, "this size")}
		}
	}
}

// question adds a question if the name is a field of an owner and nothing follows it on the line, and reports whether
// it does.
func (s *logScanner) question(m mention) bool {
	i := s.Index()
	if m.owner == "" || !s.endsLine(i) && !s.isOneOf(i, ",);") {
		return false
	}
	s.use(m.at, m.end)
	s.Pos = m.end
	s.emit(logItem{kind: questionItem, at: m.at, mention: m})
	return true
}

// isLabel reports whether a tensor starts after the colon or the equals sign at a token, so that the name before it is
// a label.
func (s *logScanner) isLabel(mark int) bool {
	i := mark + 1
	if s.endsLine(i) {
		return s.isOneOf(mark, ":") || s.tokens[i].Kind == lexer.End
	}
	form, end := s.valueAt(i)
	name := s.mention(i)
	if name.called {
		form = wordValue // x.stride()
	}
	switch form {
	case bracketValue:
		return s.isOneOf(i, "{")
	case listValue:
		return name.text == "torch.Size" || s.isPair(end)
	case callValue: // except place=Place(gpu:0) and numpy=array([[1, 2]])
		_, last := literal.Member(name.text)
		return !s.follows || isMaker(last) && !slices.Contains(printing[:], last)
	case wordValue, typeValue:
		return name.stated != nil || !s.endsLine(end) && !s.isOneOf(end, ",;)]}>")
	}
	return false
}

// other reads the value, after a mark, of a name that is not a field of a layout. It reports false if the name is a
// label.
func (s *logScanner) other(m mention, mark int) bool {
	name := m.text
	for k := range name {
		if name[k] == '_' && s.owners[strings.ToLower(name[:k])] { // q_numel
			m.owner, name = name[:k], name[k+1:]
			break
		}
	}
	it := logItem{kind: otherItem, at: m.at, mention: m, sense: senseOf(name)}
	if mayLabel := it.sense != formatField && name != "__metadata__"; mayLabel && s.isLabel(mark) {
		return false
	}
	i := mark + 1
	_, end := s.valueAt(i)
	for it.sense == harmlessField && s.isJoined(end) { // /job:x/task:0
		end++
	}
	it.field = literal.Of(name, s.plainValue(i))
	s.Pos = int(s.tokens[end-1].End)
	it.isListed = s.isOneOf(s.Index(), ",;|")
	s.use(m.at, m.end)
	if s.tokens[i].Bracket(s.In) == 0 || slices.Contains(wholeFields[:], name) {
		s.use(m.at, s.Pos)
	}
	s.emit(it)
	return true
}

// number reads a number, which may be a part of a label.
func (s *logScanner) number(i int) {
	t := s.Next()
	if len(s.words) > 0 {
		s.words = append(s.words, mention{at: int(t.At), end: int(t.End)})
		return
	}
	s.emit(logItem{kind: numberItem, at: int(t.At), field: literal.Entry{Value: s.plainValue(i)}})
}

// open reads the item that starts with a bracket: a list of numbers, the elements of an array, or other items.
func (s *logScanner) open(i int) {
	form, end := s.valueAt(i)
	switch {
	case s.areElements(i):
		s.shown = s.in.mention
		s.Pos = int(s.tokens[end-1].End)
	case form == listValue:
		s.Pos = int(s.tokens[end-1].End)
		s.emit(logItem{kind: listItem, at: int(s.tokens[i].At), token: i, isPair: s.isPair(end)})
	case s.areBeforeSizes(end):
		for _, t := range s.tokens[i:end] {
			if t.Kind != lexer.Word {
				s.pass(t)
			}
		}
		s.Pos = int(s.tokens[end-1].End)
	default:
		s.flush(findStated(s.Text(s.tokens[i+1])) != nil) // x (shape=[2, 3])
		s.enter(mention{})
	}
}

// areElements reports whether the brackets at a token have the elements of a tensor: tensor([[1, 2], [3, 4]]),
// Tensor(shape=[2, 2], [[1, 2], [3, 4]]).
func (s *logScanner) areElements(i int) bool {
	if s.in == nil || !s.isOneOf(i, "[") {
		return false
	}
	_, name := literal.Member(s.in.text)
	isFirst := s.isOneOf(i-1, "(") && slices.Contains(printing[:], name)
	return isFirst || name == "Tensor" && s.isOneOf(i+1, "[")
}

// areBeforeSizes reports whether brackets with elements end before a token: [[1, 2]], shape=[1, 2], and before a line
// Tensor[[1, 2], f32].
func (s *logScanner) areBeforeSizes(end int) bool {
	if s.isOneOf(end, ",") {
		end++
	}
	return s.in == nil && !s.follows && (fieldOf(s.Text(s.tokens[end])) == "size" || s.follow(end, "Tensor", "["))
}

// phrase reads the phrase that starts at a token, and reports whether there is one.
func (s *logScanner) phrase(i int) bool {
	for n, f := range phrases {
		places, ok := phrasePatterns()[n].Match(s.In, s.tokens, i)
		if !ok {
			continue
		}
		end := places[len(places)-1]
		s.Pos = int(s.tokens[end-1].End)
		s.use(int(s.tokens[i].At), s.Pos)
		numbers := s.numbers(s.tokens[i:end])
		switch f.key {
		case "":
		case "storage":
			s.skip("the storage has %s, fewer than the tensor needs", wording.Count(numbers.List[1].N, "byte"))
		case "size", "dims":
			s.scalarType()
			s.emit(logItem{kind: fieldItem, at: int(s.tokens[i].At), field: literal.Of(f.key, numbers)})
		default:
			s.emit(logItem{kind: fieldItem, at: int(s.tokens[i].At), field: literal.Of(f.key, numbers.List[0].Value)})
		}
		return true
	}
	return false
}

// scalarType reads the element type before sizes: Double 1 x 3 array.
func (s *logScanner) scalarType() {
	if len(s.words) == 1 && layout.IsDType(s.words[0].text) {
		m := s.words[0]
		s.words = nil
		word := literal.Value{At: m.at, Kind: literal.Word, Word: m.text}
		s.add(logItem{kind: fieldItem, at: m.at, end: m.end, field: literal.Of("dtype", word)})
	}
}
