package notation

import (
	"cmp"
	"slices"
	"strings"

	"layoutcalc/layout/notation/literal"
)

// A statedTensor is the statements of the input about one tensor.
type statedTensor struct {
	name    string
	at      int // the offset of the first field
	fields  []literal.Entry
	first   int      // the line of the first field
	line    int      // the line of the last field
	inLine  int      // the number of fields on that line
	reached int      // the line of the last field, or of an otherField after it
	in      *logCall // the innermost bracket around the sizes
	isOwned bool     // its name is before the names of its fields: x.shape
	before  int      // the word before its sizes; may be -1
}

// field returns the field with the key, or nil if t is nil or has no such field.
func (t *statedTensor) field(key string) *literal.Entry {
	if t == nil {
		return nil
	}
	i := slices.IndexFunc(t.fields, func(e literal.Entry) bool { return e.Key == key })
	if i < 0 {
		return nil
	}
	return &t.fields[i]
}

// add adds a field.
func (t *statedTensor) add(it *logItem, e literal.Entry) {
	if t.line != it.line {
		t.inLine = 0
	}
	t.fields = append(t.fields, e)
	t.line, t.reached, t.inLine = it.line, it.line, t.inLine+1
	t.isOwned = t.isOwned || it.owner != ""
	if e.Key == "size" || e.Key == "dims" {
		t.in = it.in
	}
}

// An otherField is an otherItem, with the tensors that it may belong to.
type otherField struct {
	*logItem
	last     *statedTensor // the tensor before it; may be nil
	next     int           // the index of the tensor that starts after it
	isAfter  bool          // only fields of the last tensor are before it
	isBefore bool          // only a comma is after it
}

// isOf reports whether the field belongs to a tensor that is before it or after it, and near if nothing else is
// between. It is in the same brackets as the sizes, or outside of brackets in the same list of fields.
func (o *otherField) isOf(t *statedTensor, isNear bool) bool {
	switch {
	case t == nil || o.in != t.in:
		return false
	case o.owner != "":
		return o.owner == t.name && (isNear || t.in != nil)
	}
	return t.in != nil || isNear && !t.isOwned
}

// A logGrouper finds the tensor of each item. The rules:
//
//   - The name of a tensor is before the name of a field, x.shape, or is a label before the sizes, x: shape=(2, 3).
//   - A field without a name belongs to the tensor that the line is about, or else to the last tensor.
//   - A field that the tensor already has starts another one, on another line or after a closing bracket.
//   - A line of several fields without a name starts another tensor if the line before it has several, too.
//   - A list answers the first question that has no answer. Otherwise it is the sizes, and after them the strides.
type logGrouper struct {
	*logText
	tensors []*statedTensor
	others  []otherField
	latest  map[string]*statedTensor // the last tensor of each name
	now     *statedTensor            // the tensor of the last field; may be nil
	asked   []*logItem               // the questions without an answer

	line   int
	begun  bool     // the line has a field
	name   string   // the tensor that the line is about
	stray  int      // the first word since the last field that names nothing; may be -1
	listed bool     // a comma is between the last field and the label
	closed int      // the number of brackets that are closed before the last field
	label  *logItem // the words that may name the tensor of the next field; may be nil
}

// group returns the tensors of the items.
func (x *logText) group(items []logItem) *logGrouper {
	g := &logGrouper{logText: x, latest: map[string]*statedTensor{}, stray: -1}
	fault := g.Err // an error after the items
	g.Err = nil
	for i := range items {
		if it := &items[i]; g.Err == nil {
			g.add(it)
		}
	}
	if fault == nil {
		g.leave()
	}
	g.Fault(fault)
	g.Pos = len(g.In)
	return g
}

// add adds an item.
func (g *logGrouper) add(it *logItem) {
	if it.line != g.line {
		g.startLine(it.line)
	}
	switch it.kind {
	case labelItem:
		g.leave()
		g.label = it
		for i := range it.words {
			if it.words[i].called {
				g.noChange(&it.words[i])
			}
		}
	case fieldItem:
		g.field(it)
	case otherItem:
		g.other(it)
	case questionItem:
		it.isLater = g.stray >= 0 || g.label != nil
		g.asked = append(g.asked, it)
	case listItem:
		g.list(it)
	case numberItem:
		g.number(it)
	case callItem:
		g.noChange(&it.mention)
	case breakItem:
		g.leave()
		g.listed = g.listed || it.isListed
	case strayItem:
		g.strayed(it.at)
	}
}

// startLine starts a line. A label with a colon may have its fields on the next lines.
func (g *logGrouper) startLine(line int) {
	if g.label != nil && !g.label.isMarked {
		g.leave()
	}
	g.line, g.begun, g.name, g.stray = line, false, "", -1
}

// leave drops the label, which names no tensor.
func (g *logGrouper) leave() {
	if g.label == nil {
		return
	}
	words := g.label.words
	g.label = nil
	if g.begun && len(words) == 1 && !g.isLaidOut() {
		g.noLayoutName(words[0])
	}
	g.strayed(words[0].at)
}

// strayed notes the start of words that do not belong to a tensor.
func (g *logGrouper) strayed(at int) {
	if g.stray < 0 {
		g.stray = at
	}
	g.noSentence(at)
}

// isLaidOut reports whether the last tensor has strides.
func (g *logGrouper) isLaidOut() bool { return g.now.field("stride") != nil }

// field adds a fieldItem to its tensor.
func (g *logGrouper) field(it *logItem) {
	switch it.field.Key {
	case "size":
		g.noWindowSize(it, g.label)
	case "layout":
		g.noLayout(it.field.Value, g.now.field("size"))
	}
	if g.label != nil && it.isMarked && it.in == nil && g.mayLabel() && (!g.begun || g.listed) {
		g.label.isMarked = true // Input shape: (2, 3)
	}
	g.give(it, it.field)
}

// give gives the tensor of an item a field.
func (g *logGrouper) give(it *logItem, e literal.Entry) {
	g.noArgument(g.written(it.at, e.Key), it.in, true)
	g.takeLabel(it.owner, e.Last() == "Size")
	if g.Err != nil {
		return
	}
	g.use(it.at, it.end)
	if e.Key == "stride" {
		g.strides--
	}
	g.now = g.tensorOf(it, e)
	g.now.add(it, e)
	g.begun, g.stray, g.listed, g.closed = true, -1, false, it.closed
}

// takeLabel makes the owner of a field, or else the label before it, the tensor that the line is about.
func (g *logGrouper) takeLabel(owner string, isStart bool) {
	l := g.label
	g.label = nil
	isMarked := l != nil && l.isMarked
	if isBetween := g.begun && g.stray >= 0; isBetween && !isMarked && owner == "" {
		g.Fail(g.stray, "", "the text is a sentence, not a tensor")
	}
	words := g.nameIn(l)
	if len(words) > 0 {
		g.noName(words, isMarked, g.begun && !isStart)
	}
	switch {
	case len(words) == 0:
		g.name = cmp.Or(owner, g.name)
	case owner != "":
		g.strayed(words[0].at)
		g.name = owner
	default:
		g.name = g.nameOf(words)
	}
}

// nameIn returns the words of a label that may name a tensor. In a sentence, only the word before a colon may.
func (g *logGrouper) nameIn(l *logItem) []mention {
	const most = 3
	if l == nil {
		return nil
	}
	n := len(l.words)
	if n <= most {
		return l.words
	}
	g.strayed(l.words[0].at)
	if !l.isMarked {
		return nil
	}
	return l.words[n-1:]
}

// nameOf returns the name that the words form, without quotes, and marks them as read.
func (g *logGrouper) nameOf(words []mention) string {
	first, last := words[0], words[len(words)-1]
	g.use(first.at, last.end)
	if len(words) == 1 && first.text != "" {
		return first.text
	}
	return g.In[first.at:last.end]
}

// tensorOf returns the tensor that a field belongs to, which may be a new one.
func (g *logGrouper) tensorOf(it *logItem, e literal.Entry) *statedTensor {
	t := g.now
	switch {
	case t == nil:
	case g.name != "" && g.name != t.name:
		t = g.latest[g.name]
	case g.name == "" && t.endsBefore(it, e):
		t = nil
	}
	isAgain := t.field(e.Key) != nil
	if isAgain && t == g.now && it.line == t.line && it.closed == g.closed {
		g.Fail(e.At, "", "%s is given twice", e.Key)
	}
	if t == nil || isAgain {
		t = &statedTensor{name: g.name, at: it.at, first: it.line, before: it.at}
		g.tensors = append(g.tensors, t)
		g.latest[g.name] = t
	}
	return t
}

// endsBefore reports whether a field without a name starts a line of another tensor.
func (t *statedTensor) endsBefore(it *logItem, e literal.Entry) bool {
	mayFollow := e.Key == "stride" || senseOf(e.Key) == figureField
	return it.line > t.line && t.inLine > 1 && !mayFollow
}

// list adds sizes or strides that have no name.
func (g *logGrouper) list(it *logItem) {
	isNext := g.now != nil && g.label == nil && (g.begun || !g.isLaidOut())
	switch q := g.answer(listValue); {
	case q != nil:
		it.owner = q.owner
		g.giveList(it, q.key())
	case isNext && (g.begun || !it.isSize):
		g.giveList(it, g.nextKey(it))
	case isNext, it.isPair, it.isSize:
		g.giveList(it, "size")
	case g.isLaidOut():
		g.strayed(it.at)
	default:
		g.misspelt()
		g.Fail(it.at, "", "this list is not known to be sizes or strides")
	}
}

// giveList gives the tensor of a list the field of a key.
func (g *logGrouper) giveList(it *logItem, key string) {
	before := g.stray
	if isAfterColon := strings.HasSuffix(strings.TrimRight(g.In[:it.at], " "), ":"); g.label != nil && !isAfterColon {
		before = g.label.words[len(g.label.words)-1].at
	}
	g.noArgument("a list", it.in, false)
	v := g.value(it.token)
	g.Ints(v, key+"s")
	it.end = g.Pos
	g.give(it, literal.Of(key, v))
	if g.Err == nil && key == "size" {
		g.now.before = before
	}
}

// nextKey returns the key of a list after a field of the last tensor. The lists may be in another order, as in
// (1, 2) torch.Size([2, 3]).
func (g *logGrouper) nextKey(it *logItem) string {
	size := g.now.field("size")
	switch isLaidOut := g.isLaidOut(); {
	case size == nil:
	case isLaidOut && g.begun && !it.isSize:
		g.Fail(it.at, "", "a third list has no place here")
	case isLaidOut:
	case it.isSize && size.Kind == literal.List:
		if at := g.now.before; at >= 0 {
			g.Fail(at, "", "%s is not known to be before strides", g.written(at, ""))
		}
		size.Key = "stride"
	default:
		return "stride"
	}
	return "size"
}

// number adds the number that answers a question, or the storage offset after strides.
func (g *logGrouper) number(it *logItem) {
	q := g.answer(numberValue)
	switch {
	case q != nil:
		if q.isLater {
			g.Fail(q.at, "", "the value of %s does not follow from the text before it", g.In[q.at:q.end])
		}
		it.owner = q.owner
		g.give(it, literal.Of(q.key(), it.field.Value))
	case g.begun && g.stray < 0 && g.now.fields[len(g.now.fields)-1].Key == "stride":
		g.give(it, literal.Of("storage_offset", it.field.Value))
	default:
		g.strayed(it.at)
	}
}

// answer removes and returns the first question about values of a form, or nil if no question is about them.
func (g *logGrouper) answer(form valueForm) *logItem {
	for i, q := range g.asked {
		if q.stated.bare == form {
			g.asked = slices.Delete(g.asked, i, i+1)
			return q
		}
	}
	return nil
}

// other adds an otherItem, with the tensors that are near it.
func (g *logGrouper) other(it *logItem) {
	if it.text == literal.Root(it.text) {
		g.noChange(&it.mention) // x = x.t()
	}
	if g.isKnown(it) {
		return
	}
	isAlone := g.stray < 0 && g.label == nil
	o := otherField{logItem: it, last: g.now, next: len(g.tensors), isBefore: isAlone && it.isListed}
	if isAlone && g.now.reaches(it) {
		o.isAfter = true
		g.now.reached = it.line
	}
	if isStride(strings.ToLower(it.field.Key)) {
		g.strides--
	}
	g.others = append(g.others, o)
}

// reaches reports whether the fields of t end on the line of it, or t has one field on each line and the last on the
// line before it.
func (t *statedTensor) reaches(it *logItem) bool {
	if t == nil {
		return false
	}
	isColumn := t.inLine == 1 && t.name == ""
	return it.line == t.reached || it.line == t.reached+1 && isColumn
}
