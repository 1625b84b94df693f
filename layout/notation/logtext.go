package notation

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"layoutcalc/layout"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/shape"
)

// A statedTensor is what a text states of a tensor.
type statedTensor struct {
	name   string
	at     int // where the first field is
	fields []literal.Entry
	line   int // of the last field
	inLine int // how many fields that line has

	bracket int  // the token of the innermost bracket that the sizes are in, -1 for none
	first   int  // the line of the first field
	reached int  // the line of the last field, or of one of another name that follows it
	isOwned bool // the fields have the name of the tensor before theirs: x.shape
}

// field returns the field of the name, nil where there is none.
func (s *statedTensor) field(key string) *literal.Entry {
	for i := range s.fields {
		if s.fields[i].Key == key {
			return &s.fields[i]
		}
	}
	return nil
}

// A logReader reads a text that states tensors, such as a log, a message or what a program prints: fields, which have a
// word before the value, and values, which say themselves what they are. Before them may be the name of the tensor, and
// what asks for them, as at Python's prompt.
//
//	q: shape=(2, 3) stride=(3, 1)
//	out torch.Size([2, 3]) (3, 1) torch.float16 False
//	x.stride()
//	(3, 1)
type logReader struct {
	*reader
	tokens []scan.Token
	says   unitClues
	all    []statedTensor
	latest map[string]int // which of them is the last of a name
	now    int            // the one that the last part is of; -1 before the first
	line   int

	words  []mention // since the last part, which may be the name of the next tensor
	marked bool      // a colon or an equals sign is after them
	begun  bool      // a comma is between the last part and them
	name   string    // of the tensor of the line
	parts  int       // of the line
	claims bool      // the line starts with assert, and == is what = is in others
	stray  int       // where the first word of the line since its last part is that is no name; -1
	asked  []mention // sizes and strides whose values come next
	due    []mention // numbers whose values come next
	loose  *mention  // the last word before the last list of sizes without a word of its own, and no colon is between

	owners  map[string]bool // the prefixes of the names of strides: q of q_stride
	calls   []mention       // the words before the brackets that are open
	shown   mention         // what has its values in the text
	isFresh bool            // one was closed since the last part
	strides int             // words of strides in the text, without those that have values

	others []otherField
}

// An otherField is a name with a value which the logReader does not read.
type otherField struct {
	literal.Entry
	owner    string // the name before a dot
	bracket  int    // the token of the innermost bracket that it is in, -1 for none
	line     int
	last     int  // the index of the tensor that the text before it is about, -1 for none
	next     int  // the index of the tensor that begins after it
	isAfter  bool // it follows fields of the last tensor, with no other words between
	isBefore bool // a comma follows it, and no other words are before it
}

// A mention is a name with its dots and indices, x.shape.
type mention struct {
	at, end int
	text    string
	owner   string // x
	key     string // of the field that its last word stands for; may be empty
	called  bool   // () is after it
	isLater bool   // before it in a question is what is not read, whose value may come first
	open    int    // the token of the bracket after it, if the text enters that
}

// readLog reads what a text states of tensors, where its strides may count the unit of the notation. Read makes a
// tensor of the fields of one.
func (r arrayReader) readLog(unit unitClues, read func(name string, at int, fields []literal.Entry)) {
	p := logReader{reader: r.reader, tokens: r.Tokens(), now: -1, stray: -1}
	p.latest, p.owners = map[string]int{}, map[string]bool{}
	if p.says = unitClues(unitMarks().Rows(r.In, r.Tokens(), isClass)); p.says.unit()&unit == 0 && r.isForeign() {
		return
	}
	for _, t := range r.Tokens() {
		word := strings.ToLower(r.Text(t))
		if t.Kind == scan.Word && isStride(word) {
			p.strides++
		}
		if owner, field, ok := cutField(word); ok && field == "stride" {
			p.owners[owner] = true
		}
	}
	p.text()
	if len(p.all) == 0 && len(p.asked) > 0 { // x.shape  # torch.Size([2, 3])
		p.asked, p.due, p.words, p.calls = nil, nil, nil, nil
		p.Uncomment()
		p.tokens = p.Tokens()
		p.text()
	}
	if p.says.unit()&unit == 0 && r.isForeign() {
		return
	}
	if len(p.all) == 0 {
		p.nothing()
	}
	for _, m := range p.due {
		if m.key == "storage_offset" {
			p.Fail(m.at, "", "the value of %s is not in the text", p.In[m.at:m.end])
		}
	}
	p.shareOut()
	for i := range p.all {
		p.tensor(&p.all[i], unit, read)
	}
	if len(r.found) == 0 && p.shown.text != "" {
		p.Fail(p.shown.at, "x.shape and x.stride() do", "the values of %s do not say its layout", p.shown.text)
	}
	if r.Err != nil {
		r.found = nil
	}
}

// isStride reports whether a word may be about strides.
func isStride(word string) bool { return scan.Like(word, "*strid*") && word != "strided" }

// text reads a text from its start to its end.
func (p *logReader) text() {
	for !p.Done() && p.Err == nil {
		i := p.Index()
		t := p.tokens[i]
		if t.Gap == scan.Line && i > 0 {
			p.newLine()
		}
		switch {
		case p.phrase(i):
		case p.claims && p.takeString():
		case p.Text(t) == "assert" && (p.claims || p.parts+len(p.words) == 0 && p.stray < 0):
			p.claims = true
			p.Next()
			p.use(int(t.At), p.Pos)
		case t.Kind == scan.Word || t.Kind == scan.String:
			p.word(p.mention(i))
		case t.Kind == scan.Number:
			p.number(t)
		case p.isOneOf(i, "([{"):
			p.open(i)
		default:
			p.mark(t)
		}
	}
	p.leave()
}

// newLine begins a line. A name with a colon may have its fields on the next lines.
func (p *logReader) newLine() {
	if !p.marked {
		p.leave()
	}
	p.line++
	p.parts, p.stray, p.name, p.claims = 0, -1, "", false
}

// leave says that the words since the last part are none of a tensor.
func (p *logReader) leave() {
	if len(p.words) == 0 {
		return
	}
	if m := p.words[0]; p.parts > 0 && len(p.words) == 1 && !p.isLaidOut() {
		isCapital := m.text == strings.ToUpper(m.text)
		if n, err := shape.ParseName(m.text); err == nil && (isCapital || n.IsUsual()) {
			p.Fail(m.at, "", "%s may be the name of a layout, and strides are not read with one", m.text)
		}
	}
	p.strayed(p.words[0].at)
	p.words, p.marked = nil, false
}

// strayed says that the word at an offset is no part of a tensor. A text of which no word tells the system has none.
func (p *logReader) strayed(at int) {
	if p.stray < 0 {
		p.stray = at
	}
	if p.says == 0 && p.isForeign() {
		return
	}
	if !p.says.isStrong() {
		p.Fail(at, "", "the text is a sentence, not a tensor")
	}
}

// mark reads a mark that starts no list.
func (p *logReader) mark(t scan.Token) {
	p.Pos = int(t.End)
	switch mark := p.Text(t); mark {
	case ")", "]", "}":
		p.leave()
		if n := len(p.calls); n > 0 {
			p.calls, p.isFresh = p.calls[:n-1], true
			p.Higher()
		}
	case ":", "=":
		p.marked = len(p.words) > 0
	case "==": // but for the one behind a field of an assertion
		if !p.claims || p.parts > 0 {
			p.leave()
			p.strayed(int(t.At))
		}
	case ",", ";", "|", ".", "-", "<", ">":
		if mark != "," || len(p.words) != 1 || p.In[p.words[0].at] != '\'' { // ('weight', torch.Size([2, 3]))
			p.leave()
		}
		p.begun = p.begun || mark == "," || mark == ";" || mark == "|"
	case "%":
		if p.IsAt(1, ":") && p.IsAt(2, "Tensor") {
			return // %data: Tensor[(1, 64), float32]
		}
		p.Fail(int(t.At), "", "%s is a value of a program, not a field of a tensor", mark+p.Text(p.Token()))
	default:
		p.leave()
		if p.In[t.At] < 0x80 {
			p.strayed(int(t.At))
		}
	}
}

// mention reads the name at a token.
func (p *logReader) mention(i int) mention {
	tokens := p.tokens
	t := tokens[i]
	m := mention{at: int(t.At), end: int(t.End), text: p.Text(t)}
	if t.Kind == scan.String {
		m.text = m.text[1:max(len(m.text)-1, 1)]
		m.key = fieldOf(strings.ToLower(m.text))
		return m
	}
	glued := func(k int, marks string) bool {
		return tokens[k].Kind == scan.Mark && tokens[k].Gap == scan.None && p.isOneOf(k, marks)
	}
	dot, last, k := -1, i, i+1
	for {
		for glued(k, "[") && tokens[k+1].Kind != scan.Mark && tokens[k+1].Kind != scan.End && glued(k+2, "]") &&
			!p.isArray(k) {
			k, last = k+3, -1
		}
		next := tokens[min(k+1, len(tokens)-1)]
		if !glued(k, ".-/:") || p.Text(tokens[k]) == ":" || next.Gap != scan.None ||
			next.Kind != scan.Word && next.Kind != scan.Number {
			break
		}
		dot, last, k = int(tokens[k].At), k+1, k+2
	}
	m.end = int(tokens[k-1].End)
	m.text = p.In[m.at:m.end]
	if last >= 0 && (i == 0 || !glued(i-1, "-") || t.Gap != scan.None) {
		m.key = fieldOf(strings.ToLower(p.Text(tokens[last])))
	}
	if dot >= 0 {
		m.owner = p.In[m.at:dot]
	}
	if m.called = glued(k, "(") && glued(k+1, ")"); m.called {
		m.end = int(tokens[k+1].End)
	} else if last >= 0 && p.Text(tokens[last]) == "contiguous" { // and no step
		m.key = "is_contiguous"
	}
	if owner, field, ok := cutField(strings.ToLower(m.text)); ok && p.owners[owner] {
		m.owner, m.key = m.text[:len(owner)], field
	}
	return m
}

// ofOwner returns the owner of a name that starts with one of the owners of strides, q of q_numel, and the rest.
func (p *logReader) ofOwner(m mention) (owner, rest string) {
	for i := range m.text {
		if m.text[i] == '_' && p.owners[strings.ToLower(m.text[:i])] {
			return m.text[:i], m.text[i+1:]
		}
	}
	return m.owner, m.text
}

// cutField cuts the name of a variable into the tensor and its field: q_shape.
func cutField(word string) (owner, field string, ok bool) {
	for i := 1; i < len(word); i++ {
		if field = fieldOf(word[i:]); word[i-1] == '_' && field != "" {
			return word[:i-1], field, i > 1
		}
	}
	return "", "", false
}

// fieldOf returns the field that a word stands for, empty for other words.
func fieldOf(word string) string {
	switch word {
	case "shape", "size", "sizes":
		return "size"
	case "stride", "strides":
		return "stride"
	case "start_offset", "storage_offset":
		return "storage_offset"
	case "c_contiguous":
		return "is_contiguous"
	case "datatype":
		return "dtype"
	case "dtype", "type", "format", "offset", "itemsize", "ndim", "is_contiguous", "f_contiguous", "layout":
		return word
	}
	return ""
}

// logFields are the names of fields with which another name may be confused.
var logFields = [...]string{"size", "sizes", "shape", "stride", "strides", "storage_offset", "dtype"}

// joining are words between the fields of a tensor.
var joining = [...]string{"and", "with", "const", "dynamic"}

// foreignFields are those of other notations, which say with them what the others mean.
var foreignFields = [...]string{
	"DataType", "data_type", "typestr", "descr", "fortran_order", "byte_offset", "chunksize", "chunks",
}

// devices are where PyTorch has its tensors.
var devices = [...]string{"cpu", "cuda", "mps", "xpu", "meta", "hpu"}

// word reads what starts with a word: a word with a meaning of its own, a field, a call, or a part of a name.
func (p *logReader) word(m mention) {
	p.Pos = m.end
	isCall := p.Token().Gap == scan.None && p.Is("(")
	isNamed := p.Is(":") || p.Is("=")
	switch {
	case p.isChange(m, isCall, isNamed):
		p.Fail(m.at, "", "%s may be another tensor after this, which is not read", literal.Root(m.text))
	case p.special(m, isCall, isNamed):
	case m.key != "" && p.field(m):
	case m.key != "" && isCall && !m.called:
		p.Pos = int(p.tokens[p.over(p.Index())-1].End) // size(0), which is a number
		p.strayed(m.at)
	case isCall || p.Is("{"):
		p.enter(m)
		if p.callee(true) == "" {
			p.use(m.at, m.end)
		}
	case isNamed && (senseOf(m.text) == formatField || !p.startsTensor()):
		p.other(m)
	default:
		if p.marked {
			p.leave()
		}
		p.words = append(p.words, m)
	}
}

// isChange reports whether something is done with a tensor that the text has described, or its name is given again.
func (p *logReader) isChange(m mention, isCall, isNamed bool) bool {
	root := literal.Root(m.text)
	if _, isKnown := p.latest[root]; !isKnown || root == "" || m.key != "" {
		return false
	}
	return (m.called || isCall) && !isNamed || m.text == root && isNamed && !p.startsTensor()
}

// special reads a word that has a meaning of its own, such as a type or a device, and reports whether it is one.
func (p *logReader) special(m mention, isCall, isNamed bool) bool {
	switch {
	case m.text == "__metadata__" && isNamed: // of safetensors
		p.Pos = int(p.tokens[p.over(p.Index()+1)-1].End)
		p.use(m.at, p.Pos)
		p.skip("%s is not read", m.text)
	case slices.Contains(joining[:], m.text), m.key == "layout" && isNamed && p.IsAt(2, "{"):
		p.use(m.at, m.end)
	case slices.Contains(foreignFields[:], m.text), m.key == "dtype" && isNamed && p.IsAt(1, "["):
		p.Fail(m.at, "", "%s is a field of another notation", m.text)
	case m.text == "torch.Size" && isCall:
		p.Pos = m.at
		p.list()
	case m.text == "dtype" && isCall, !isNamed && !isCall && p.isType(m.text):
		p.Pos = m.at
		p.part(m.at, "", literal.Of("dtype", p.value()))
	case p.parts > 0 && !isNamed && isTruth(m.text):
		p.part(m.at, "", literal.Of("is_contiguous", literal.Value{At: m.at, Kind: literal.Word, Word: m.text}))
	case p.parts > 0 && p.isDevice(m, isCall):
		p.device(m)
	default:
		return false
	}
	return true
}

// isDevice reports whether a word is a device, cuda, or one follows it: device cuda, device(type='cuda').
func (p *logReader) isDevice(m mention, isCall bool) bool {
	next := p.Text(p.Token())
	return slices.Contains(devices[:], m.text) || m.text == "device" && (isCall || slices.Contains(devices[:], next))
}

// isTypeWord reports whether a word alone is an element type: torch.half, float32, f16.
func isTypeWord(word string) bool {
	return layout.IsDType(word) && (strings.ContainsAny(word, ".0123456789") || word == "bool")
}

// isType reports whether a word alone is the element type of a tensor here: half is one only after other parts.
func (p *logReader) isType(word string) bool {
	return p.says.isStrong() && isTypeWord(word) || p.parts > 0 && layout.IsDType(word)
}

// isTruth reports whether a word is one of a logical value.
func isTruth(word string) bool {
	return word == "True" || word == "False" || word == "true" || word == "false"
}

// device reads where a tensor is: cuda:0, device(type='cuda', index=0).
func (p *logReader) device(m mention) {
	if m.text == "device" && !p.Is("(") {
		p.Next()
	}
	switch {
	case p.Is("("):
		p.Pos = int(p.tokens[p.over(p.Index())-1].End)
	case p.Is(":") && p.After(1).Kind == scan.Number:
		p.Pos = int(p.After(1).End)
	}
	p.use(m.at, p.Pos)
}

// listEnd returns the token after the list of numbers that starts at one, -1 where there is none.
func (p *logReader) listEnd(i int) int {
	if p.tokens[i].Kind != scan.Mark || !p.isOneOf(i, "([{") {
		return -1
	}
	for k := i + 1; ; k++ {
		t := p.tokens[k]
		_, isGiven := p.Names[p.Text(t)]
		switch {
		case t.Kind == scan.Mark && p.isOneOf(k, ")]}"):
			return k + 1
		case t.Kind == scan.Number && strings.IndexByte(p.Text(t), '.') < 0 || isGiven:
		case t.Kind != scan.Mark || !p.isOneOf(k, ",-?"):
			return -1
		}
	}
}

// field reads the field that a name is of, and its value. A field without a value asks for it. It reports false for
// other names.
func (p *logReader) field(m mention) bool {
	extent := p.extent()
	isMarked := p.Is("=") || p.Is(":") || p.claims && p.Is("==")
	if isMarked {
		p.Next()
	}
	if !p.hasValue(m.key, isMarked) {
		p.Pos = m.end
		return !isMarked && p.ask(m)
	}
	e := p.entry(m, isMarked)
	if extent.Kind == literal.Word {
		p.skip("the extent %s is not known", extent.Word)
	}
	if extent.Kind == literal.Number && extent.N != int64(len(e.List)) {
		p.Fail(extent.At, "", "an array of %d has %s", extent.N, scan.Count(len(e.List), "number"))
	}
	switch m.key {
	case "layout":
		p.layout(e.Value)
	case "type", "format":
		e.Key = "dtype"
	case "is_contiguous", "f_contiguous":
		_, e.Key = literal.Member(strings.TrimPrefix(m.text, m.owner+"_")) // as it is written
	}
	p.part(m.at, m.owner, e)
	return true
}

// extent reads the extent of an array of C, sizes[2] = {2, 3}, and returns it; Nothing if there is none.
func (p *logReader) extent() literal.Value {
	if !p.isArray(p.Index()) {
		return literal.Value{Kind: literal.Nothing}
	}
	p.declared()
	extent := p.value()
	if len(extent.List) > 0 {
		return extent.List[0].Value
	}
	return extent
}

// hasValue reports whether a value of a field comes next. Without a mark before it, it must be on the same line.
func (p *logReader) hasValue(key string, isMarked bool) bool {
	t := p.Token()
	if !isMarked && t.Gap == scan.Line {
		return false
	}
	switch key {
	case "size", "stride":
		isSize := p.Is("torch") && p.IsAt(2, "Size") && p.IsAt(3, "(")
		return p.startsList(isMarked) || isSize || isMarked && (p.Is("None") || p.Is("null"))
	case "layout":
		return isMarked && (t.Kind == scan.Word || t.Kind == scan.String) && !p.IsAt(1, "{")
	case "dtype", "type", "format":
		return p.startsType(key, isMarked)
	case "is_contiguous", "f_contiguous":
		return isTruth(p.Text(t))
	}
	if t.Kind == scan.Number {
		return isMarked || p.Text(p.tokens[min(p.Index()+1, len(p.tokens)-1)]) != ":"
	}
	return isMarked && p.Is("-")
}

// startsList reports whether a list comes next. Without a mark before it, it is no call or index: sizes[], sizes[0],
// size(0).
func (p *logReader) startsList(isMarked bool) bool {
	i := p.Index()
	switch {
	case p.tokens[i].Kind != scan.Mark || !p.isOneOf(i, "([{"):
		return false
	case isMarked:
		return true
	}
	return p.listEnd(i) >= 0 && (p.tokens[i].Gap != scan.None || p.Is("[") && p.listEnd(i) > i+3)
}

// startsType reports whether an element type comes next, by its name or as a typestr of NumPy: <f4. Only after dtype it
// may be unknown.
func (p *logReader) startsType(key string, isMarked bool) bool {
	i := p.Index()
	switch t := p.tokens[i]; {
	case t.Kind == scan.String:
		return isMarked
	case t.Kind == scan.Word:
		isKnown := layout.IsDType(p.mention(i).text)
		return isKnown || key == "dtype" && (isMarked || p.Is("dtype"))
	}
	return isMarked && p.isOneOf(i, "<>|") && p.After(1).Kind == scan.Word
}

// entry reads the value of the field that a name is of, which may have a mark before it.
func (p *logReader) entry(m mention, isMarked bool) literal.Entry {
	p.notWindow(m)
	p.marked = p.marked || isMarked && p.isLabel()
	e := literal.Of(m.key, p.value())
	if m.key == "size" {
		p.openSizes(e.Unwrapped().List)
	}
	return e
}

// openSizes reads None as the ? of other notations.
func (p *logReader) openSizes(sizes []literal.Entry) {
	for i := range sizes {
		if size := &sizes[i]; size.Kind == literal.Word && (size.Word == "None" || size.Word == "null") {
			size.Value = literal.Value{At: size.At, Kind: literal.Number, N: p.Unknown(size.At, "this size")}
		}
	}
}

// ask takes a field for a question if nothing follows it, and it has an owner. It reports whether this is so.
func (p *logReader) ask(m mention) bool {
	i := p.Index()
	t := p.tokens[i]
	if m.owner == "" || t.Kind != scan.End && t.Gap != scan.Line && !p.isOneOf(i, ",);") {
		return false
	}
	m.isLater = p.stray >= 0 || len(p.words) > 0
	switch m.key {
	case "size", "stride":
		p.asked = append(p.asked, m)
	case "storage_offset", "itemsize", "ndim":
		p.due = append(p.due, m)
	}
	p.use(m.at, m.end)
	return true
}

// isArray reports whether the brackets at a token are those of an array of C: sizes[2] = {2, 3}.
func (p *logReader) isArray(i int) bool {
	next := p.over(i)
	return p.isOneOf(i, "[") && next <= i+3 && p.isOneOf(next, "=") && p.isOneOf(next+1, "{")
}

// declared takes the words before the name of an array for its type.
func (p *logReader) declared() {
	for _, m := range p.words {
		if scan.Like(m.text, "const*", "static", "unsigned", "*int*", "*INT*", "size_t", "long", "std::size_t") {
			p.use(m.at, m.end)
		} else {
			p.Fail(m.at, "", "%s is not known to be a type of integers", m.text)
		}
	}
	p.words = nil
}

// isLabel reports whether the words before a field with a colon or an equals sign, at the start of a line or after a
// comma, are the name of an array: Input shape: (2, 3). Strides without an element type may be those of a window.
func (p *logReader) isLabel() bool {
	return len(p.words) > 0 && (p.parts == 0 || p.begun) && p.stray < 0 && len(p.calls) == 0 &&
		(p.says&plainType != 0 || p.strides == 0)
}

// windows are the words for what has a shape and strides, and is no tensor in memory.
var windows = [...]string{"*kernel*", "*window*", "*mesh*", "*filter*", "*pool*", "*patch*", "*conv", "*conv?d"}

// notWindow refuses the size of what may be a window or an image as well: pool: size=(2, 2), stride=(2, 2).
func (p *logReader) notWindow(m mention) {
	if m.key != "size" || m.called || p.says.isStrong() || p.known || p.callee(true) != "" {
		return
	}
	owner := strings.ToLower(m.owner)
	for _, w := range p.words {
		owner += " " + strings.ToLower(w.text)
	}
	_, word := literal.Member(m.text)
	switch isSize := strings.EqualFold(word, "size"); {
	case isSize && (m.owner != "" || len(p.words)+len(p.calls) > 0):
		const msg = "this may be the %s of a window or an image"
		p.Fail(m.at, "if it is a tensor, write shape in its place", msg, m.text)
	case slices.ContainsFunc(strings.Fields(owner), func(word string) bool { return scan.Like(word, windows[:]...) }):
		p.Fail(m.at, "if it is an array, --from numpy", "this may be the %s of a window or a mesh", m.text)
	}
}

// layout refuses layouts without strides; those that ndarray prints, C (0x1), follow from the strides.
func (p *logReader) layout(v literal.Value) {
	switch {
	case p.Is("(") && p.After(1).Kind == scan.Number && p.IsAt(2, ")"):
		p.Pos = int(p.After(2).End)
	case v.Last() != "strided":
		hint := ""
		if name, err := shape.ParseName(v.Word); err == nil && name.IsUsual() && p.now >= 0 {
			if size := p.all[p.now].field("size"); size != nil {
				hint = "layoutcalc strides " + layout.JoinInts(p.Ints(size.Value, "sizes"), "x") + " " + v.Word
			}
		}
		p.Fail(v.At, hint, "the layout %s is not read", v.Word)
	}
}

// value reads a value.
func (p *logReader) value() (v literal.Value) {
	p.Space()
	switch {
	case p.isOneOf(p.Index(), "([{") && !p.isGlued():
		p.Bracketed(&v)
	case p.isOneOf(p.Index(), "<>|") && !p.IsAt(1, "class"): // without quotes, <f4
		v = literal.Value{At: p.Pos, Kind: literal.Str, Word: p.In[p.Pos:p.After(1).End]}
		p.Pos = int(p.After(1).End)
	default:
		p.Operand(&v)
	}
	return v
}

// isGlued reports whether something directly follows the list that comes next, other than strides in a graph dump,
// [2, 3][3, 1].
func (p *logReader) isGlued() bool {
	i := p.Index()
	next := p.over(i)
	isStrides := p.isOneOf(i, "[") && p.isOneOf(next, "[") && next > i+3 && p.over(next) > next+3
	isMember := p.isOneOf(next, ".") && p.tokens[next+1].Kind == scan.Word && p.tokens[next+1].Gap == scan.None
	return p.tokens[next].Gap == scan.None && (p.isOneOf(next, "([{") || isMember) && !isStrides
}

// answer returns the first of questions and removes it; without one, none.
func answer(questions *[]mention) (m mention) {
	if len(*questions) > 0 {
		m, *questions = (*questions)[0], (*questions)[1:]
	}
	return m
}

// list reads sizes or strides that no word names: what has been asked for, the sizes as torch.Size, and then the
// strides. Two lists in a line are sizes and strides.
func (p *logReader) list() {
	i, at, isSize := p.Index(), p.Pos, p.Is("torch")
	v := p.value()
	if t := p.Token(); t.Gap == scan.None && p.Is("[") {
		p.says |= notNumPy // of a graph dump, [2, 3][3, 1]
	}
	p.noArgument("a list", false)
	m := answer(&p.asked)
	follows := p.now >= 0 && len(p.words) == 0 && (p.parts > 0 || !isSize)
	if follows {
		size := p.all[p.now].field("size")
		if isSize && size != nil && !p.isLaidOut() && size.Kind == literal.List { // (1, 2) torch.Size([2, 3])
			if w := p.loose; w != nil {
				p.Fail(w.at, "", "%s is not known to be before strides", p.In[w.at:w.end])
			}
			size.Key, size = "stride", nil
		}
		if follows = size != nil && !p.isLaidOut(); size != nil && p.isLaidOut() && p.parts > 0 && !isSize {
			p.Fail(at, "", "a third list has no place here")
		}
	}
	key := "size"
	if m.key != "" {
		key = m.key
	} else if follows {
		key = "stride"
	}
	if key == "size" && !isSize {
		p.loose = p.before(i)
	}
	p.part(at, m.owner, literal.Of(key, v))
}

// before returns the word that is before a list, nil where there is none, or a colon is between.
func (p *logReader) before(i int) *mention {
	switch n := len(p.words); {
	case n > 0 && !p.isOneOf(i-1, ":"):
		return &p.words[n-1]
	case p.stray >= 0:
		return &mention{at: p.stray, end: int(p.tokens[i-1].End)}
	}
	return nil
}

// open reads what starts with a bracket: a list of numbers, the elements of an array, or several parts.
func (p *logReader) open(i int) {
	next := p.listEnd(i)
	if p.areValues(i) {
		p.shown = p.calls[len(p.calls)-1]
		p.Pos = int(p.tokens[p.over(i)-1].End)
		return
	}
	if next >= 0 && p.isList(next) {
		p.list()
		return
	}
	if after := p.over(i); len(p.calls) == 0 && p.parts == 0 && next < 0 {
		if p.isOneOf(after, ",") {
			after++
		}
		t := p.tokens[after]
		if fieldOf(p.Text(t)) == "size" || p.Text(t) == "Tensor" && p.isOneOf(after+1, "[") {
			for _, value := range p.tokens[i:after] {
				if value.Kind != scan.Word {
					p.use(int(value.At), int(value.End))
				}
			}
			p.Pos = int(t.At)
			return
		}
	}
	if next < 0 {
		p.marked = p.marked || len(p.words) > 0 && fieldOf(p.Text(p.tokens[i+1])) != "" && p.isOneOf(i+2, "=:")
		p.enter(mention{})
		return
	}
	if !p.isLaidOut() {
		p.Fail(int(p.tokens[i].At), "", "this list is not known to be sizes or strides")
	}
	p.strayed(int(p.tokens[i].At))
	p.Pos = int(p.tokens[next-1].End)
}

// areValues reports whether the brackets at a token are the values of a tensor that is printed: tensor([[1, 2],
// [3, 4]]), Tensor(shape=[2, 2], [[1, 2], [3, 4]]).
func (p *logReader) areValues(i int) bool {
	if len(p.calls) == 0 || !p.isOneOf(i, "[") {
		return false
	}
	_, name := literal.Member(p.calls[len(p.calls)-1].text)
	switch name {
	case "tensor", "array", "Array", "asarray", "as_tensor":
		return p.isOneOf(i+1, "[") || p.isOneOf(i-1, "(")
	}
	return name == "Tensor" && p.isOneOf(i+1, "[")
}

// enter moves into brackets.
func (p *logReader) enter(before mention) {
	before.open = p.Index()
	p.Next()
	p.Deeper()
	p.calls = append(p.calls, before)
}

// isList reports whether the list of numbers before a token says sizes or strides, and not something else in
// brackets: with it are others, or it has been asked for.
func (p *logReader) isList(to int) bool {
	isNext := p.now >= 0 && len(p.words) == 0 && (p.parts > 0 || !p.isLaidOut())
	return len(p.asked) > 0 || isNext || p.isFirst(to)
}

// isLaidOut reports whether the text has said the strides of the tensor that it speaks of.
func (p *logReader) isLaidOut() bool { return p.now >= 0 && p.all[p.now].field("stride") != nil }

// isFirst reports whether another list starts at a token, after the comma, or a type.
func (p *logReader) isFirst(to int) bool {
	isTuple := p.isOneOf(to-1, ")")
	if p.isOneOf(to, ",") {
		to++
	}
	t := p.tokens[to]
	isType := isTuple && t.Kind == scan.Word && (isTypeWord(p.mention(to).text) || p.Text(t) == "torch")
	return p.listEnd(to) >= 0 || t.Gap == scan.None && p.isOneOf(to, ".") || isType
}

// number reads a number: what has been asked for, the storage offset after sizes and strides, or a part of a name.
func (p *logReader) number(t scan.Token) {
	p.Pos = int(t.At)
	if len(p.words) > 0 {
		p.Pos = int(t.End)
		p.words = append(p.words, mention{at: int(t.At), end: int(t.End)})
		return
	}
	if m := answer(&p.due); m.key != "" {
		if m.isLater {
			p.Fail(m.at, "", "the value of %s does not follow from the text before it", p.In[m.at:m.end])
		}
		p.part(int(t.At), m.owner, literal.Of(m.key, p.value()))
		return
	}
	if p.now >= 0 && p.parts > 0 && p.stray < 0 {
		if fields := p.all[p.now].fields; fields[len(fields)-1].Key == "stride" {
			p.part(int(t.At), "", literal.Of("storage_offset", p.value()))
			return
		}
	}
	p.Pos = int(t.End)
	p.strayed(int(t.At))
}

// startsTensor reports whether what comes after a colon or an equals sign is of the tensor whose name is before it.
func (p *logReader) startsTensor() bool {
	i := p.Index() + 1
	t := p.tokens[i]
	if next := p.listEnd(i); next >= 0 && t.Gap != scan.Line {
		return p.isFirst(next)
	}
	if t.Gap == scan.Line && p.Is(":") || t.Kind == scan.End || p.Text(t) == "{" {
		return true
	}
	m := p.mention(i)
	if t.Kind != scan.Word || slices.Contains(devices[:], m.text) || isTruth(m.text) || m.text == "None" {
		return false
	}
	if m.key != "" || m.text == "torch.Size" || isTypeWord(m.text) && p.now < 0 {
		return true
	}
	k := i
	for int(p.tokens[k].At) < m.end {
		k++
	}
	if p.isOneOf(k, "(") && p.parts > 0 { // place=Place(gpu:0), numpy=array([[1, 2]])
		_, name := literal.Member(m.text)
		return isMaker(name) && !p.isOneOf(k+1, "[")
	}
	return p.tokens[k].Kind != scan.End && p.tokens[k].Gap != scan.Line && !p.isOneOf(k, ",;)]}>")
}

// other notes a field that a layout does not hold: KEY = VALUE.
func (p *logReader) other(m mention) {
	p.Next()
	i := p.Index()
	end := p.over(i)
	if t := p.tokens[i]; t.Kind == scan.Word {
		if value := p.mention(i); value.end > int(t.End) {
			p.Pos = value.end
			end = p.Index()
		}
		if p.isOneOf(end, "(") {
			end = p.over(end)
		}
	}
	owner, name := p.ofOwner(m)
	sense := senseOf(name)
	for sense == harmlessField && p.isGluedAt(end) { // cuda:0, /job:x/task:0
		end++
	}
	p.Pos = int(p.tokens[end-1].End)
	e := literal.Of(name, p.plainValue(i))
	isRange := fieldName(name) == "dataoffsets"
	if p.use(m.at, m.end); isRange || !p.isOneOf(i, "([{") {
		p.use(m.at, p.Pos)
	}
	if isRange {
		p.skip("not read: data_offsets, where the elements are")
	}
	switch {
	case sense == harmlessField:
		p.skip("%s is not read", m.text)
	case (sense == unknownField || sense == placeField) && scan.Nearest(strings.ToLower(name), logFields[:]) != "":
		p.unknown(e, logFields[:])
	default:
		p.otherField(e, owner)
	}
}

// otherField notes where a field that the logReader does not read is.
func (p *logReader) otherField(e literal.Entry, owner string) {
	o := otherField{Entry: e, owner: owner, bracket: p.bracket(), line: p.line, last: p.now, next: len(p.all)}
	if p.stray < 0 && len(p.words) == 0 {
		o.isBefore = hasAny(p.Text(p.Token()), ",", ";", "|")
	}
	if p.stray < 0 && p.now >= 0 && (len(p.words) == 0 || p.marked) {
		s := &p.all[p.now]
		isBelow := p.parts == 0 && p.line == s.reached+1 && s.inLine == 1 && s.name == ""
		if o.isAfter = s.reached == p.line || isBelow; o.isAfter {
			s.reached = p.line
		}
	}
	if e.Key == "size" {
		o.Key = "total size" // the sizes have the name
	}
	if isStride(strings.ToLower(e.Key)) {
		p.strides--
	}
	p.others = append(p.others, o)
}

// isOf reports whether a field is of the i-th tensor: it is in the same brackets as its sizes, or outside of brackets
// in the same list of fields.
func (o *otherField) isOf(i int, s *statedTensor) bool {
	switch {
	case o.bracket != s.bracket, o.owner != "" && o.owner != s.name:
		return false
	case s.bracket >= 0:
		return i == o.last || i == o.next
	case s.isOwned && o.owner == "":
		return false
	}
	return i == o.last && o.isAfter || i == o.next && o.isBefore && o.line == s.first
}

// shareOut gives the tensors the other fields that are theirs. Names that speak of a layout count wherever they are;
// the others are words of a log.
func (p *logReader) shareOut() {
	for _, o := range p.others {
		i := slices.IndexFunc([]int{o.last, o.next}, func(i int) bool {
			return i >= 0 && i < len(p.all) && o.isOf(i, &p.all[i])
		})
		switch sense := senseOf(o.Key); {
		case i >= 0:
			i = []int{o.last, o.next}[i]
		case sense == unknownField, sense == figureField, len(p.all) == 0:
			p.skip("%s is not read", o.Key)
			continue
		default:
			i = max(o.last, 0)
		}
		p.all[i].fields = append(p.all[i].fields, o.Entry)
	}
}

// isGluedAt reports whether the token at i directly follows the one before it, and is no comma or bracket.
func (p *logReader) isGluedAt(i int) bool {
	t := p.tokens[min(i, len(p.tokens)-1)]
	return t.Kind != scan.End && t.Gap == scan.None && !p.isOneOf(i, ",;()[]{}")
}

// plainValue returns the value at a token if it is a number, a word, a string or a list of numbers, and a formula
// otherwise.
func (p *logReader) plainValue(i int) literal.Value {
	t, end := p.tokens[i], p.Pos
	v := literal.Value{At: int(t.At), Kind: literal.Formula}
	switch {
	case t.Kind == scan.Word:
		v.Kind, v.Word = literal.Word, p.mention(i).text
	case t.Kind == scan.String:
		v.Kind, v.Word = literal.Str, p.mention(i).text
	case t.Kind == scan.Number:
		if n, err := scan.ParseInt(p.Text(t)); err == nil && !p.isGluedAt(i+1) {
			v.Kind, v.N = literal.Number, n
		}
	case p.listEnd(i) >= 0:
		p.Pos = v.At
		v = p.value()
		p.Pos = end
	}
	return v
}

// A phrase is how a text says something in several words.
type phrase struct{ pattern, key string }

// phrases are those that are read, with the field that the numbers in them are of.
var phrases = [...]phrase{
	{"setStorage :", ""},
	{"Parameter containing :", ""},
	{"memoryview :", ""},
	{"storage offset <number>", "storage_offset"},
	{"itemsize <number>", "itemsize"},
	{"requiring a storage size of <number> are out of bounds for storage of size <number>", "storage"},
	{"requiring a storage size of <number>", ""},
	{"<numbers> array", "dims"},
	{"Tensor [ dims <numbers> ;", "size"},
	{"Tensor [ [ <numbers> ]", "size"},
	{"Tensor [ ( <numbers> )", "size"},
}

// phrase reads the phrase that starts at a token, and reports whether there is one.
func (p *logReader) phrase(i int) bool {
	for n, f := range phrases {
		places, ok := phrasePatterns()[n].Match(p.In, p.tokens, i)
		if !ok {
			continue
		}
		at, list := int(p.tokens[i].At), literal.Value{Kind: literal.List}
		p.Pos = int(p.tokens[places[len(places)-1]-1].End)
		for _, t := range p.tokens[i:places[len(places)-1]] {
			if t.Kind == scan.Number {
				number := literal.Value{At: int(t.At), Kind: literal.Number}
				var err error
				number.N, err = scan.ParseInt(p.Text(t))
				p.CheckNumber(number.At, p.Text(t), err)
				list.At, list.List = cmp.Or(list.At, number.At), append(list.List, literal.Entry{Value: number})
			}
		}
		if p.use(at, p.Pos); f.key == "storage" {
			p.skip("the storage has %s, fewer than the tensor needs", scan.Count(list.List[1].N, "byte"))
		} else if f.key == "size" || f.key == "dims" {
			if w := p.words; f.key == "dims" && len(w) == 1 && layout.IsDType(w[0].text) { // Double 1 x 3 array
				p.words = nil
				word := literal.Value{At: w[0].at, Kind: literal.Word, Word: w[0].text}
				p.part(word.At, "", literal.Of("dtype", word))
			}
			p.part(at, "", literal.Of(f.key, list))
		} else if f.key != "" {
			p.part(at, "", literal.Of(f.key, list.List[0].Value))
		}
		return true
	}
	return false
}

// phrasePatterns has the pattern of each phrase.
var phrasePatterns = sync.OnceValue(func() []scan.Pattern {
	all := make([]scan.Pattern, len(phrases))
	for i := range phrases {
		all[i] = scan.NewPattern(phrases[i].pattern)
	}
	return all
})

// part gives the tensor that a part of the text is of, whose owner may be named in it, a field.
func (p *logReader) part(at int, owner string, e literal.Entry) {
	if p.Err != nil {
		return
	}
	p.noArgument(p.written(at, e.Key), true)
	p.subject(owner, e.Last() == "Size" || e.Key == "size" && len(p.calls) > 0)
	p.use(at, p.Pos)
	p.stray, p.begun = -1, false
	p.parts++
	p.state(p.name, at, e)
	s := &p.all[p.now]
	s.isOwned = s.isOwned || owner != ""
	if e.Key == "size" || e.Key == "dims" {
		s.bracket = p.bracket()
	}
}

// bracket returns the token of the innermost bracket that is open, -1 for none.
func (p *logReader) bracket() int {
	if n := len(p.calls); n > 0 {
		return p.calls[n-1].open
	}
	return -1
}

// subject finds the name of the tensor of a part. Words before it are its name where a colon is after them, or the
// sizes of a tensor start there; others are of a sentence.
func (p *logReader) subject(owner string, isStart bool) {
	words, isMarked := p.words, p.marked
	p.words, p.marked = nil, false
	if p.parts > 0 && p.stray >= 0 && !isMarked && owner == "" {
		p.Fail(p.stray, "", "the text is a sentence, not a tensor")
	}
	if len(words) == 0 {
		p.name = cmp.Or(owner, p.name)
		return
	}
	if len(words) > 3 && !isMarked && owner == "" && p.says.isStrong() {
		p.strayed(words[0].at)
		return
	}
	first, last := words[0], words[len(words)-1]
	if len(words) > 3 {
		first = last
	}
	switch isNamed := p.says.isStrong() || p.known; {
	case p.says == 0 && !isMarked && p.isForeign():
	case !isMarked && !isNamed, !isNamed && last.text == "", p.parts > 0 && !isMarked && !isStart:
		p.Fail(first.at, "", "%s is not known to be the name of a tensor", p.In[first.at:last.end])
	case owner != "":
		p.strayed(first.at)
		p.name = owner
	default:
		if first.at != words[0].at {
			p.strayed(words[0].at)
		}
		p.name = p.In[first.at:last.end]
		if first.at == last.at && first.text != "" {
			p.name = first.text // without the quotes
		}
		p.use(first.at, last.end)
	}
}

// state gives a field to the tensor of a name: the one that is spoken of, or the last of that name, unless it has such
// a field already. A line of several fields without a name is of another tensor than the lines before it.
func (p *logReader) state(name string, at int, e literal.Entry) {
	i := p.now
	if of, ok := p.latest[name]; i >= 0 && name != "" && name != p.all[i].name {
		if i = of; !ok {
			i = -1
		}
	} else if mayFollow := e.Key == "stride" || senseOf(e.Key) == figureField; i >= 0 && name == "" &&
		p.line > p.all[i].line && p.all[i].inLine > 1 && !mayFollow {
		i = -1
	}
	isAgain := i >= 0 && p.all[i].field(e.Key) != nil
	if isAgain && name == p.all[i].name && p.line == p.all[i].line && !p.isFresh {
		p.Fail(e.At, "", "%s is given twice", e.Key)
	}
	if p.isFresh = false; i < 0 || isAgain {
		i = len(p.all)
		p.all = append(p.all, statedTensor{name: name, at: at, bracket: -1, first: p.line})
		p.latest[name] = i
	}
	if e.Key == "stride" {
		p.strides--
	}
	s := &p.all[i]
	if s.line != p.line {
		s.line, s.inLine = p.line, 0
	}
	p.now, s.fields, s.inLine, s.reached = i, append(s.fields, e), s.inLine+1, p.line
}

// makers are patterns of what has fields of a tensor in its brackets, or shows values, besides the functions that are
// read.
var makers = [...]string{
	"Tensor", "KerasTensor", "SymbolicTensor", "tensor", "*TensorSpec", "TensorType", "*TensorInfo", "*TensorData",
	"*TensorView", "TensorProperties", "TensorMeta", "TensorWeakRef", "ndarray", "array", "Size", "Parameter",
	"MemRefType", "Layout", "ArrayView", "NodeArg",
	"ShapeDtypeStruct", "ShapedArray", "print", "tuple", "list", "dict", "OrderedDict",
}

// isMaker reports whether a name is one of makers, or empty.
func isMaker(name string) bool { return name == "" || scan.Like(name, makers[:]...) }

// isArrayFunction reports whether a call of a function is read as one: its lists are its arguments.
func isArrayFunction(path string) bool {
	_, name := literal.Member(path)
	return argumentNames(torchFunctions[:], name) != nil || argumentNames(numpyFunctions[:], name) != nil
}

// callee returns what is called in whose brackets this is, empty where that makes, describes or shows a tensor.
func (p *logReader) callee(isNamed bool) string {
	for _, m := range slices.Backward(p.calls) {
		if m.text == "" {
			continue
		}
		if _, name := literal.Member(m.text); isMaker(name) || isNamed && isArrayFunction(m.text) {
			break
		}
		return m.text
	}
	return ""
}

// written returns the word at an offset, or another one where there is none.
func (p *logReader) written(at int, other string) string {
	word := scan.Scanner{In: p.In, Pos: at}
	return cmp.Or(word.Span(scan.IsWord), other)
}

// noArgument refuses a field that is an argument of a function: of one that makes a tensor only without its name.
func (p *logReader) noArgument(key string, isNamed bool) {
	if callee := p.callee(isNamed); callee != "" {
		p.Fail(p.calls[len(p.calls)-1].at, "such as torch.empty_strided((2, 3), (3, 1))",
			"%s is an argument of %s, whose arguments are not read here", key, callee)
	}
}

// nothing says that no tensor is stated in the text.
func (p *logReader) nothing() {
	p.Fail(int(p.tokens[0].At), "such as torch.empty_strided((2, 3), (3, 1))", "no sizes of a tensor are found here")
}

// tensor makes a tensor of what is stated of it, where its strides may count the unit of the notation.
func (p *logReader) tensor(s *statedTensor, unit unitClues, read func(name string, at int, fields []literal.Entry)) {
	size, stride, dims, item := s.field("size"), s.field("stride"), s.field("dims"), s.field("itemsize")
	switch {
	case size == nil && dims != nil:
		dims.Key = "size"
	case size == nil && stride != nil:
		p.noWindow(s.fields)
		p.Fail(s.at, "such as torch.Size([2, 3]) (3, 1)", "the sizes are missing")
	case size == nil:
		label := ""
		if s.name != "" && !strings.HasPrefix(p.In[s.at:], s.name) {
			label = s.name + ": "
		}
		p.skip("not read: %s without sizes", label+p.In[s.at:s.fields[0].At]+s.fields[0].Word)
		return
	case dims != nil && !slices.Equal(p.Ints(size.Value, "sizes"), p.Ints(dims.Value, "sizes")):
		p.Fail(size.At, "", "the sizes differ from the sizes at the start of the text")
	case stride == nil && p.strides > 0:
		p.Fail(s.at, "", "the text mentions strides, and has none for %s", cmp.Or(s.name, "the tensor"))
	}
	before, isOpen := p.options, !p.known && stride != nil && !stride.IsNull() &&
		p.says.unit() == saysElements|saysBytes
	var d Descriptor
	if item != nil && s.field("dtype") == nil {
		p.options.DType = p.sizedType(item.At, p.times(p.Int(item.Value, "the itemsize"), 8), &d)
		p.options.Typed = true
	} else if isOpen && unit == saysBytes {
		p.options.Typed = true // for comparison
	}
	var fields []literal.Entry
	for i := range s.fields {
		if key := s.fields[i].Key; key != "dims" && key != "layout" {
			fields = append(fields, s.fields[i])
		}
	}
	count := len(p.found)
	read(s.name, s.at, fields)
	if p.options = before; p.Err != nil || len(p.found) == count {
		return
	}
	last := &p.found[count]
	last.Typed, last.Skipped = last.Typed || d.Typed, append(last.Skipped, d.Skipped...)
	if stride == nil && (s.name != "" || len(p.all) > 1) {
		last.skip(isRowMajor, scan.Clip(cmp.Or(s.name, "the tensor")))
	}
	if isOpen {
		p.unitOf(stride.Value, unit, last.Tensor)
	}
}
