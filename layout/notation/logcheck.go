package notation

import (
	"cmp"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/wording"
)

// readLog reads the tensors that the input states, if its strides may count the unit of the notation. The function read
// makes a tensor from its fields.
func (r arrayReader) readLog(unit unitClues, read func(name string, at int, fields []literal.Entry)) {
	x := newLogText(r.reader)
	if x.clues.unit()&unit == 0 && r.isForeign() {
		return
	}
	g := x.group(x.scan())
	if len(g.tensors) == 0 && g.answer(listValue) != nil { // x.shape  # torch.Size([2, 3])
		x.Uncomment()
		x.tokens = x.Tokens()
		g = x.group(x.scan())
	}
	if x.clues.unit()&unit == 0 && r.isForeign() {
		return
	}
	logChecker{g, unit, read}.check()
}

// A logChecker makes the tensors of the input, if its statements are complete and do not contradict each other.
type logChecker struct {
	*logGrouper
	unit unitClues // the unit of the notation's strides
	read func(name string, at int, fields []literal.Entry)
}

// check makes the tensors.
func (c logChecker) check() {
	if len(c.tensors) == 0 {
		c.misspelt()
		const hint = "such as torch.empty_strided((2, 3), (3, 1))"
		c.Fail(int(c.tokens[0].At), hint, "no sizes of a tensor are found here")
	}
	for _, q := range c.asked {
		if q.key() == "storage_offset" {
			c.Fail(q.at, "", "the value of %s is not in the text", c.In[q.at:q.end])
		}
	}
	c.shareOut()
	for i := range c.tensors {
		c.tensor(c.tensors[i])
	}
	if len(c.found) == 0 && c.shown.text != "" {
		c.Fail(c.shown.at, "x.shape and x.stride() do", "the values of %s do not say its layout", c.shown.text)
	}
	if c.Err != nil {
		c.found = nil
	}
}

// misspelt records an error for the first call of an unknown function of the system's module, if its name is similar to
// the name of a known function.
func (r *reader) misspelt() {
	var speller wording.Speller
	known := r.functions().Names()
	for _, t := range r.Tokens() {
		path, isCall := r.CallAt(int(t.At))
		_, name := literal.Member(path)
		if !isCall || t.Kind != lexer.Word || !r.isModule(literal.Root(path)) || r.functions().Has(name) {
			continue
		}
		if near := speller.Likely(name, slices.Values(known)); near != "" {
			err := r.Scanner.Fail(int(t.At), "", "unknown function %s", wording.Clip(path))
			r.Fault(err.DidYouMean(path, strings.TrimSuffix(path, name)+near))
			return
		}
	}
}

// isMaker reports whether a name matches one of makers, or is empty.
func isMaker(name string) bool { return name == "" || lexer.Like(name, makers[:]...) }

// isArrayFunction reports whether a call of a function is read as one: its lists are its arguments.
func isArrayFunction(name string) bool {
	return torchFunctions.Has(name) || numpyFunctions.Has(name)
}

// callee returns the function before the innermost bracket that has one. It returns an empty string if the function
// makes, describes or shows a tensor. If the function is one that is read, its brackets may only have fields with
// names.
func (c *logCall) callee(isNamed bool) string {
	for ; c != nil; c = c.outer {
		if _, name := literal.Member(c.text); isMaker(name) && name != "" || isNamed && isArrayFunction(name) {
			return ""
		}
		if c.text != "" {
			return c.text
		}
	}
	return ""
}

// noArgument rejects a field in the brackets of a function that is not read.
func (x *logText) noArgument(key string, in *logCall, isNamed bool) {
	if callee := in.callee(isNamed); callee != "" && x.Err == nil {
		x.misspelt()
		x.Fail(in.at, "such as torch.empty_strided((2, 3), (3, 1))",
			"%s is an argument of %s, whose arguments are not read here", key, callee)
	}
}

// written returns the word at an offset, or other if no word starts there.
func (x *logText) written(at int, other string) string {
	word := lexer.Scanner{In: x.In, Pos: at}
	return cmp.Or(word.Span(lexer.IsWord), other)
}

// noWindowSize rejects sizes that may belong to a window or an image: pool: size=(2, 2), stride=(2, 2).
func (x *logText) noWindowSize(it, label *logItem) {
	if it.text == "" || x.clues.isStrong() || x.known || it.in.callee(true) != "" {
		return
	}
	words := []string{it.owner}
	if label != nil {
		for _, w := range label.words {
			words = append(words, w.text)
		}
	}
	isWindow := func(word string) bool { return lexer.Like(strings.ToLower(word), windows[:]...) }
	_, word := literal.Member(it.text)
	switch isSize := strings.EqualFold(word, "size"); {
	case isSize && (it.owner != "" || len(words) > 1 || it.in != nil):
		const msg = "this may be the %s of a window or an image"
		x.Fail(it.at, "if it is a tensor, write shape in its place", msg, it.text)
	case slices.ContainsFunc(words, isWindow):
		x.Fail(it.at, "if it is an array, --from numpy", "this may be the %s of a window or a mesh", it.text)
	}
}

// noSentence rejects words that do not belong to a tensor, unless a word of the input names the system.
func (x *logText) noSentence(at int) {
	if x.clues == 0 && x.isForeign() {
		return
	}
	if !x.clues.isStrong() {
		x.Fail(at, "", "the text is a sentence, not a tensor")
	}
}

// noName rejects words that may not name a tensor: words without a colon, unless a word of the input names the system,
// and words between the fields of a tensor.
func (x *logText) noName(words []mention, isMarked, isBetween bool) {
	first, last := words[0], words[len(words)-1]
	switch isSure := x.clues.isStrong() || x.known; {
	case isMarked && (isSure || last.text != ""), isSure && !isBetween:
		return
	case x.clues == 0 && !isMarked && x.isForeign():
		return
	}
	x.Fail(first.at, "", "%s is not known to be the name of a tensor", x.In[first.at:last.end])
}

// noChange rejects an operation on a tensor that the input has described, or another use of its name.
func (g *logGrouper) noChange(m *mention) {
	root := literal.Root(m.text)
	if _, isKnown := g.latest[root]; isKnown && root != "" && m.stated == nil {
		g.Fail(m.at, "", "%s may be another tensor after this, which is not read", root)
	}
}

// noLayoutName rejects a word that may name the layout of a tensor.
func (x *logText) noLayoutName(m mention) {
	n, err := shape.ParseName(m.text)
	if err == nil && (m.text == strings.ToUpper(m.text) || n.IsUsual()) {
		x.Fail(m.at, "", "%s may be the name of a layout, and strides are not read with one", m.text)
	}
}

// noLayout rejects layouts other than torch.strided. The sizes may be nil.
func (x *logText) noLayout(v literal.Value, sizes *literal.Entry) {
	if v.Last() == "strided" {
		return
	}
	hint := ""
	if name, err := shape.ParseName(v.Word); err == nil && name.IsUsual() && sizes != nil {
		hint = "layoutcalc strides " + layout.JoinInts(x.Ints(sizes.Value, "sizes"), "x") + " " + v.Word
	}
	x.Fail(v.At, hint, "the layout %s is not read", v.Word)
}

// mayLabel reports whether words before a field with a colon or an equals sign may be its label. Strides without an
// element type may belong to a window.
func (x *logText) mayLabel() bool { return x.clues&plainType != 0 || x.strides == 0 }

// isKnown checks the name of an otherItem, and reports whether it is harmless.
func (x *logText) isKnown(it *logItem) bool {
	isUnknown := it.sense == unknownField || it.sense == placeField
	switch {
	case it.sense == harmlessField:
		x.skip("%s is not read", it.text)
		return true
	case isUnknown && wording.Nearest(strings.ToLower(it.field.Key), logFields[:]) != "":
		x.unknown(it.field, logFields[:])
	case it.field.Key == "data_offsets":
		x.skip("not read: data_offsets, where the elements are")
	case it.field.Key == "size":
		it.field.Key = "total size" // the sizes have the name
	}
	return false
}

// shareOut assigns the other fields to the tensors that they belong to. Names about the layout count wherever they are;
// other names belong to the log.
func (c logChecker) shareOut() {
	for _, o := range c.others {
		var next *statedTensor
		if o.next < len(c.tensors) {
			next = c.tensors[o.next]
		}
		t := o.last
		switch isLog := o.sense == unknownField || o.sense == figureField; {
		case o.isOf(t, o.isAfter):
		case next != nil && o.isOf(next, o.isBefore && o.line == next.first):
			t = next
		case isLog, len(c.tensors) == 0:
			c.skip("%s is not read", o.field.Key)
			continue
		case t == nil:
			t = c.tensors[0]
		}
		t.fields = append(t.fields, o.field)
	}
}

// tensor makes a tensor.
func (c logChecker) tensor(t *statedTensor) {
	if !c.hasSizes(t) {
		return
	}
	stride, item := t.field("stride"), t.field("itemsize")
	isOpen := stride != nil && !stride.IsNull() && !c.known && c.clues.unit() == saysElements|saysBytes
	before := c.options
	var d Descriptor
	if item != nil && t.field("dtype") == nil {
		c.options.DType = c.sizedType(item.At, c.times(c.Int(item.Value, "the itemsize"), 8), &d)
		c.options.Typed = true
	}
	if isOpen && c.unit == saysBytes {
		c.options.Typed = true // for comparison
	}
	count := len(c.found)
	c.read(t.name, t.at, slices.DeleteFunc(t.fields, isAside))
	c.options = before
	if len(c.found) == count {
		return
	}
	last := &c.found[count]
	last.Typed, last.Skipped = last.Typed || d.Typed, append(last.Skipped, d.Skipped...)
	if stride == nil && (t.name != "" || len(c.tensors) > 1) {
		last.skip(isRowMajor, wording.Clip(cmp.Or(t.name, "the tensor")))
	}
	if isOpen {
		c.checkUnit(stride.Value, last.Tensor)
	}
}

// isAside reports whether a field is checked before the tensor is made.
func isAside(e literal.Entry) bool { return e.Key == "dims" || e.Key == "layout" }

// hasSizes reports whether the input states the sizes of a tensor. If it mentions strides, it must also state the
// strides.
func (c logChecker) hasSizes(t *statedTensor) bool {
	size, stride, dims := t.field("size"), t.field("stride"), t.field("dims")
	switch {
	case size == nil && dims != nil:
		dims.Key = "size"
	case size == nil && stride != nil:
		c.noWindow(t.fields)
		c.Fail(t.at, "such as torch.Size([2, 3]) (3, 1)", "the sizes are missing")
	case size == nil:
		label := ""
		if t.name != "" && !strings.HasPrefix(c.In[t.at:], t.name) {
			label = t.name + ": "
		}
		c.skip("not read: %s without sizes", label+c.In[t.at:t.fields[0].At]+t.fields[0].Word)
		return false
	case dims != nil && !slices.Equal(c.Ints(size.Value, "sizes"), c.Ints(dims.Value, "sizes")):
		c.Fail(size.At, "", "the sizes differ from the sizes at the start of the text")
	case stride == nil && c.strides > 0:
		c.Fail(t.at, "", "the text mentions strides, and has none for %s", cmp.Or(t.name, "the tensor"))
	}
	return true
}

// checkUnit notes the assumed unit if the input does not state whether strides count elements or bytes. NumPy's strides
// are bytes and may be negative. Strides that are not a whole number of elements if read as bytes count elements.
func (c logChecker) checkUnit(stride literal.Value, t layout.Tensor) {
	strides, item := c.Ints(stride, "strides"), t.DType().Bits()/8
	isNegative := slices.ContainsFunc(strides, func(n int64) bool { return n < 0 })
	isPart := slices.ContainsFunc(strides, func(n int64) bool { return item == 0 || n%item != 0 })
	isPrinted := c.clues&(tuples|plainType) == tuples|plainType
	if c.unit == saysBytes {
		const asBytes = "strides are read as bytes, "
		switch {
		case isNegative:
			c.skip(asBytes + "as NumPy has them: PyTorch has no negative strides")
		case isPrinted && item > 1:
			c.skip(asBytes + "as NumPy prints them; --from pytorch reads them as elements")
		}
		return
	}
	switch {
	case isNegative:
		c.Fail(stride.At, "--from numpy reads them as bytes", "PyTorch has no negative strides")
	case isPart:
		c.skip("strides are read as elements: as NumPy's bytes they would not be multiples of the %d of a %s",
			item, t.DType())
	case isPrinted:
		c.isForeign()
	}
}
