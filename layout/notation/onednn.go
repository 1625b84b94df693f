package notation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/spec"
)

// fitsOneDNN recognises the class and the enumerations of its constructor.
func fitsOneDNN(text string) bool {
	return strings.Contains(text, "memory::desc") || strings.Contains(text, "memory::format_tag") ||
		strings.Contains(text, "memory::data_type")
}

// readOneDNN reads constructors of dnnl::memory::desc, with a variable or without.
func readOneDNN(r *reader) {
	items := r.entries(0)
	for i, e := range items {
		if e.kind != word || e.last() == "dims" {
			continue
		}
		args, ok := e.constructed()
		switch {
		case !ok:
		case e.last() == "desc":
			r.memoryDesc(e.at, e.key, args)
		case i > 0 && items[i-1].kind == word && items[i-1].last() == "desc":
			r.memoryDesc(e.at, e.word, args)
		}
	}
	if len(r.found) == 0 {
		r.fail(0, "such as dnnl::memory::desc({2, 3}, dnnl::memory::data_type::f32, {3, 1})",
			"the text has no constructor of a memory::desc")
	}
}

// constructed returns what a constructor is called with, in round or curly brackets.
func (v *value) constructed() (args []entry, ok bool) {
	if v.next == nil || v.next.kind != list || v.next.open == '[' {
		return nil, false
	}
	return v.next.list, true
}

// memoryDesc makes a tensor of the arguments of the constructor: sizes, a type, and a tag or
// strides.
func (r *reader) memoryDesc(at int, name string, args []entry) {
	if len(args) < 3 || args[1].kind != word {
		r.fail(at, "such as dnnl::memory::desc({2, 3}, dnnl::memory::data_type::f32, {3, 1})",
			"a descriptor is made of sizes, a data type, and a format tag or strides")
		return
	}
	sizes := r.dnnlNumbers(args[0].value, "sizes")
	r.dnnlSizes(args[0].at, sizes)
	dtype, err := layout.ParseDType(args[1].last())
	r.within(args[1].at+len(args[1].word)-len(args[1].last()), err)
	d := Descriptor{Name: name, Typed: true}
	if third := args[2]; third.kind == word && third.last() != "dims" {
		tag := third.last()
		if third.last() == third.word {
			tag = strings.TrimPrefix(tag, "dnnl_")
		}
		r.tagged(d, dtype, r.formatTag(third.at+len(third.word)-len(tag), tag, len(sizes), false), sizes)
		return
	}
	r.dnnlStrided(args[2].at, d, dtype, sizes, r.dnnlNumbers(args[2].value, "strides"))
}

// dnnlNumbers is ints where a number may be known at run time only.
func (r *reader) dnnlNumbers(v value, what string) []int64 {
	l := v.unwrapped()
	for i := range l.list {
		e := &l.list[i].value
		if e.kind != word || e.last() != "DNNL_RUNTIME_DIM_VAL" {
			continue
		}
		if r.filled == len(r.options.Dims) {
			r.fail(e.at, "--dim gives the "+ordinal(r.filled)+" one a value: --dim N, or N,N for two",
				"this number is known at run time only")
			return nil
		}
		*e = value{at: e.at, kind: number, n: r.options.Dims[r.filled]}
		r.filled++
	}
	return r.ints(l, what)
}

// dnnlSizes refuses sizes that no descriptor has.
func (r *reader) dnnlSizes(at int, sizes []int64) {
	switch {
	case len(sizes) == 0:
		r.fail(at, "a tensor of one element is {1}", "without sizes a descriptor of oneDNN is empty, not a scalar")
	case len(sizes) > dnnlMaxRank:
		r.fail(at, "", "%d sizes: a descriptor of oneDNN has at most %d", len(sizes), dnnlMaxRank)
	}
	for _, size := range sizes {
		if size < 0 {
			r.fail(at, "", "the size %d is negative", size)
		}
	}
}

// dnnlStrided notes a tensor of strides that oneDNN does not refuse.
func (r *reader) dnnlStrided(at int, d Descriptor, dtype layout.DType, sizes, strides []int64) {
	if len(strides) == len(sizes) && r.err == nil {
		if axis, least := refusedStride(sizes, strides, 1); axis >= 0 {
			r.fail(at, "",
				"oneDNN refuses the stride %d of axis %d: it has to be 0, or at least %d, as the axes inside take",
				strides[axis], axis, least)
		}
	}
	r.strided(at, d, dtype, 0, sizes, strides)
}

// writeOneDNN writes the constructor: with a tag where there are blocks, and strides otherwise.
func writeOneDNN(t layout.Tensor) (string, error) {
	m, err := memoryDescOf(t)
	if err != nil {
		return "", err
	}
	dtype, err := spelled(t, t.DType().Info().OneDNN)
	if err != nil {
		return "", err
	}
	order, err := m.tagOrStrides(t)
	if err != nil {
		return "", err
	}
	return "dnnl::memory::desc({" + layout.JoinInts(t.Layout().Sizes(), ", ") + "}, dnnl::memory::data_type::" + dtype +
		", " + order + ")", nil
}

// tagOrStrides writes the last argument of the constructor. Blocks with gaps about them can only
// be written where they are the same as strides.
func (m memoryDesc) tagOrStrides(t layout.Tensor) (string, error) {
	if len(m.blocks) == 0 {
		return "{" + layout.JoinInts(m.strides, ", ") + "}", nil
	}
	g, err := tagOf(t, true)
	if err == nil {
		return "dnnl::memory::format_tag::" + g.text(abc(len(m.counts))), nil
	}
	if strides, ok := t.Layout().LinearStrides(); ok {
		if axis, _ := refusedStride(t.Layout().Sizes(), strides, 1); axis < 0 {
			return "{" + layout.JoinInts(strides, ", ") + "}", nil
		}
	}
	if loss, ok := err.(*LossError); ok {
		err = lost(t, "strides and blocks exclude each other, and of a tag: %s", loss.Lost)
	}
	return "", err
}

// dnnlMaxRank is how many axes a descriptor of oneDNN has at most.
const dnnlMaxRank = 12

// tagAlphabet names the axes of any tensor in oneDNN's tags.
const tagAlphabet = "abcdefghijkl"

// tagKinds are the kinds of tensors whose axes have letters of their own in oneDNN's tags: the
// letters that have to be there, and all of them in the order in which sizes are listed.
var tagKinds = [...]struct{ needed, logical string }{
	{"goi", "goidhw"},
	{"oi", "oidhw"},
	{"nc", "ncdhw"},
	{"tn", "tnc"},
	{"ldnc", "ldnc"},
	{"ldo", "ldigo"},
}

// tagAliases are tags whose meaning in oneDNN is not what their letters say.
var tagAliases = [...]struct{ tag, meaning string }{
	{"giohw2i8o16i2o", "abcde2c8b16c2b"},
	{"giodhw2i8o16i2o", "abcdef2c8b16c2b"},
}

// A formatTag is a format tag as oneDNN understands it.
type formatTag struct {
	at      int
	written string
	name    string // as package layout reads it
	order   []int  // the axes from outermost to innermost
	blocks  []part
}

// A tagParser reads a tag in lower case: neither oneDNN nor we look at the case of letters.
type tagParser struct {
	*reader
	formatTag
	lower   string
	logical string // the letters of the axes
	renamed bool   // the letters are not those that were written
	names   strings.Builder
}

// formatTag reads the tag of a tensor of that rank, which stands at an offset of the text. Meta
// tags (axb) are benchdnn's: their x is all axes that have no letter.
func (r *reader) formatTag(at int, text string, rank int, meta bool) formatTag {
	p := &tagParser{reader: r, formatTag: formatTag{at: at, written: text}, lower: strings.ToLower(text)}
	switch {
	case p.lower == "any" || p.lower == "undef" || p.lower == "*":
		r.fail(at, "such as acdb or nhwc", "%s is not a layout", text)
	case p.lower == "x":
		p.lower, p.renamed = "a", true
	case meta && strings.Count(p.lower, "x") == 1:
		p.lower, p.renamed = withoutX(p.lower, rank), true
	}
	for _, a := range tagAliases {
		if p.lower == a.tag {
			p.lower, p.renamed = a.meaning, true
		}
	}
	p.logical = tagLetters(p.lower)
	p.parse()
	p.check(rank)
	p.name = p.names.String()
	return p.formatTag
}

// withoutX writes the letters behind the highest one for the x of a meta tag. Letters beyond the
// rank are dropped, so that axb is also ab and a.
func withoutX(tag string, rank int) string {
	next := 0
	for i := range len(tag) {
		if axis := strings.IndexByte(tagAlphabet, tag[i]); axis >= next {
			next = axis + 1
		}
	}
	if next < rank && rank <= dnnlMaxRank {
		return strings.Replace(tag, "x", tagAlphabet[next:rank], 1)
	}
	var b strings.Builder
	for i, start := 0, 0; i < len(tag); i++ {
		if isDigit(tag[i]) {
			continue
		}
		if axis := strings.IndexByte(tagAlphabet, tag[i]); tag[i] != 'x' && axis < rank {
			b.WriteString(tag[start : i+1])
		}
		start = i + 1
	}
	return b.String()
}

// tagLetters returns the letters of the axes in the order of the sizes: those of a kind of
// tensors, or the alphabet.
func tagLetters(tag string) string {
	outer := 0
	for outer < len(tag) && !isDigit(tag[outer]) {
		outer++
	}
	for _, kind := range tagKinds {
		if !strings.ContainsAny(tag, "ab") && allAmong(kind.needed, tag[:outer]) &&
			allAmong(tag[:outer], kind.logical) {
			return lettersAmong(kind.logical, tag[:outer])
		}
	}
	return tagAlphabet
}

// allAmong reports whether all letters are among others.
func allAmong(letters, others string) bool {
	for i := range len(letters) {
		if strings.IndexByte(others, letters[i]) < 0 {
			return false
		}
	}
	return true
}

// lettersAmong returns the letters that are among others.
func lettersAmong(letters, others string) string {
	var buf [dnnlMaxRank]byte
	both := buf[:0]
	for i := range len(letters) {
		if strings.IndexByte(others, letters[i]) >= 0 {
			both = append(both, letters[i])
		}
	}
	return string(both)
}

// parse reads the letters and the blocks behind them.
func (p *tagParser) parse() {
	p.order, p.blocks = make([]int, 0, dnnlMaxRank), make([]part, 0, 4)
	p.names.Grow(len(p.lower))
	for i := 0; i < len(p.lower) && p.err == nil; i++ {
		start := i
		for i < len(p.lower) && isDigit(p.lower[i]) {
			i++
		}
		switch {
		case i == len(p.lower):
			p.wrong(start, "such as aBcd16b", "the block of %s does not say which axis it divides", p.lower[start:])
		case i > start:
			p.block(start, i)
		default:
			p.outer(i)
		}
	}
}

// outer adds the axis of a letter without a number.
func (p *tagParser) outer(i int) {
	letter := p.lower[i : i+1]
	axis := strings.Index(p.logical, letter)
	switch {
	case axis < 0:
		p.wrong(i, "such as acdb, nhwc, oihw, goihw, tnc, ldigo, aBcd16b",
			"the letters of %s are not those of a format tag", p.written)
	case len(p.blocks) > 0 || i > 0 && isDigit(p.lower[i-1]):
		p.wrong(i, "such as 4"+letter, "behind the first block every letter needs a number")
	case p.has(axis):
		p.wrong(i, "a letter that stands again needs the size of a block: 4"+letter, "the letter %s stands twice",
			letter)
	default:
		p.order = append(p.order, axis)
		p.letter(axis)
	}
}

// block adds the block whose size stands from start to i. Blocks of 1 are none.
func (p *tagParser) block(start, i int) {
	letter := p.lower[i : i+1]
	axis := strings.Index(p.logical, letter)
	size, err := strconv.ParseInt(p.lower[start:i], 10, 64)
	switch {
	case err != nil:
		p.wrong(start, "", "the block of %s is more than 64 bits hold", bigText(p.lower[start:i]))
	case axis < 0 || !p.has(axis):
		p.wrong(i, "the axis stands before the blocks too, in upper case: aBcd16b",
			"the block of %d divides %s, which is not an axis here", size, letter)
	case size == 0:
		p.wrong(start, "", "a block has at least one element")
	case size > 1 && len(p.blocks) < layout.MaxDigits-dnnlMaxRank:
		p.blocks = append(p.blocks, part{Digit: layout.Digit{Extent: size}, axis: axis})
		p.names.WriteString(p.lower[start:i])
		p.letter(axis)
	case size > 1:
		p.wrong(start, "", "more than %d blocks", layout.MaxDigits-dnnlMaxRank)
	}
}

// letter adds the letter of an axis to the name. Those of recurrent networks are none that
// package layout knows the order of.
func (p *tagParser) letter(axis int) {
	letters := p.logical
	if letters[0] == 'l' {
		letters = tagAlphabet
	}
	p.names.WriteByte(letters[axis])
}

// has reports whether the axis has been read.
func (p *tagParser) has(axis int) bool {
	for _, a := range p.order {
		if a == axis {
			return true
		}
	}
	return false
}

// check refuses a tag that leaves out letters, or has another rank.
func (p *tagParser) check(rank int) {
	for axis := range len(p.order) {
		if !p.has(axis) {
			p.fail(p.at, "the letters of a tag are the first of the alphabet, without gaps", "%s is missing in %s",
				p.logical[axis:axis+1], p.written)
		}
	}
	if len(p.order) != rank {
		p.fail(p.at, "one letter for each size", "%s has %d axes, and there are %d sizes", p.written, len(p.order),
			rank)
	}
}

// wrong is a fault at a byte of the tag, or at all of it where the letters are not as written.
func (p *tagParser) wrong(i int, hint, format string, args ...any) {
	if p.renamed {
		i = 0
	}
	p.fail(p.at+i, hint, format, args...)
}

// tagged notes a tensor that fills its storage in the order of the tag.
func (r *reader) tagged(d Descriptor, dtype layout.DType, tag formatTag, sizes []int64) {
	if r.err != nil {
		return
	}
	name, err := spec.ParseName(tag.name)
	if err == nil {
		d.Tensor, err = spec.Spec{Shape: spec.NewList(sizes, nil), Name: &name, DType: dtype}.Tensor()
	}
	r.faultAt(tag.at, err)
	r.add(d)
}

// tagStrided notes a tensor with the blocks of the tag and strides for whole blocks.
func (r *reader) tagStrided(d Descriptor, dtype layout.DType, tag formatTag, sizes, strides []int64) {
	if len(strides) != len(sizes) || r.err != nil {
		r.fail(tag.at, "one stride for each size", "%d sizes and %d strides", len(sizes), len(strides))
		return
	}
	digits := make([][]layout.Digit, len(sizes))
	next := int64(1)
	for i := len(tag.blocks) - 1; i >= 0; i-- {
		b := tag.blocks[i]
		digits[b.axis] = append([]layout.Digit{{Extent: b.Extent, Stride: next}}, digits[b.axis]...)
		next = r.times(next, b.Extent)
	}
	axes := make([]layout.Axis, len(sizes))
	for i, size := range sizes {
		block := int64(1)
		for _, digit := range digits[i] {
			block = r.times(block, digit.Extent)
		}
		outer := layout.Digit{Extent: layout.CeilDiv(size, max(block, 1)), Stride: strides[i]}
		axes[i] = layout.NewAxis("", size, append([]layout.Digit{outer}, digits[i]...)...)
	}
	r.laidOut(tag.at, d, dtype, 0, axes)
}

// A memoryDesc is a layout as oneDNN holds it: strides of whole blocks, and the blocks, which lie
// in one piece.
type memoryDesc struct {
	counts, strides []int64 // how many blocks there are along each axis, and how far apart
	blocks          []part
	block           int64 // the size of a whole block
	padded          bool  // an axis does not fill its last block
}

// memoryDescOf returns the descriptor of a tensor, or says why oneDNN has no such descriptor.
func memoryDescOf(t layout.Tensor) (memoryDesc, error) {
	l := t.Layout()
	switch {
	case l.Rank() == 0:
		return memoryDesc{}, lost(t, "a descriptor without axes is empty, not a scalar")
	case l.Rank() > dnnlMaxRank:
		return memoryDesc{}, lost(t, "it has at most %d axes, and the tensor has %d", dnnlMaxRank, l.Rank())
	case l.Base() != 0:
		return memoryDesc{}, lost(t, "it does not say where the tensor starts, and index 0 lies at %d", l.Base())
	}
	m, err := memoryDescIn(t, l)
	if same, ok := regrouped(l, fewestDigits(l)); err != nil && ok {
		if other, fault := memoryDescIn(t, same); fault == nil || blocked(l) == "" {
			return other, fault
		}
	}
	return m, err
}

// memoryDescIn returns the descriptor of a tensor whose blocks are the inner digits of the layout,
// which is the tensor's own.
func memoryDescIn(t layout.Tensor, l layout.Layout) (memoryDesc, error) {
	m, ok := blockedDesc(l)
	if !ok {
		return m, lost(t, "its blocks lie in one piece, and those of axis %s do not", blocked(l))
	}
	if axis, least := refusedStride(m.counts, m.strides, m.block); axis >= 0 {
		return m,
			lost(t,
				"it has strides of 0, or such that no axis reaches into another: that of axis %s is %d, and less "+
					"than %d", l.AxisName(axis), m.strides[axis], least)
	}
	return m, nil
}

// blockedDesc takes the outermost digits of the axes for those of blocks; ok is false when the
// others do not lie in one piece.
func blockedDesc(l layout.Layout) (m memoryDesc, ok bool) {
	m = memoryDesc{counts: make([]int64, l.Rank()), strides: make([]int64, l.Rank())}
	for i := range m.counts {
		axis := l.Axis(i)
		m.counts[i], m.strides[i] = axis.Digit(0).Extent, axis.Digit(0).Stride
		padded, err := layout.Mul(m.counts[i], axis.Block())
		if err != nil {
			return m, false
		}
		m.padded = m.padded || padded != axis.Size()
	}
	var gap int
	m.blocks, m.block, gap = innerBlocks(l, true)
	return m, gap < 0
}

// refusedStride returns the first axis whose stride oneDNN refuses, -1 when there is none, and
// what the stride would have to be. Without elements it refuses none.
func refusedStride(counts, strides []int64, block int64) (axis int, least int64) {
	if slices.Contains(counts, 0) {
		return -1, 0
	}
	return shortStride(counts, strides, block)
}

// order sorts the axes as oneDNN prints them: from the largest stride on, 0 before all, and where
// strides are alike the axis of more blocks first.
func (m memoryDesc) order() []int {
	order := make([]int, len(m.counts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(uint64(m.strides[b]-1), uint64(m.strides[a]-1)),
			cmp.Compare(m.counts[b], m.counts[a]))
	})
	return order
}

// dense reports whether the order and the blocks say all: where there are no gaps.
func (m memoryDesc) dense(order []int) bool {
	if slices.Contains(m.counts, 0) {
		return true
	}
	next := m.block
	for _, axis := range slices.Backward(order) {
		if m.counts[axis] > 1 && m.strides[axis] != next {
			return false
		}
		next *= m.counts[axis]
	}
	return true
}

// elements is what oneDNN's get_size counts: the longest axis from its first block to the end of its
// last, gaps counted, and one block at least.
func (m memoryDesc) elements() (int64, error) {
	most := int64(0)
	for i, count := range m.counts {
		stride := m.strides[i]
		switch count {
		case 0:
			return 0, nil
		case 1:
			stride = 1
		}
		n, err := layout.Mul(count, stride)
		if err != nil {
			return 0, err
		}
		most = max(most, n)
	}
	if most == 1 {
		most = m.block
	}
	return most, nil
}

// memorySizes is what get_size returns. Of the types of 4 bits only the integers are packed.
func memorySizes(t layout.Tensor) ([]Size, error) {
	m, err := memoryDescOf(t)
	if err != nil {
		return nil, err
	}
	n, err := m.elements()
	if err != nil {
		return nil, err
	}
	bits := t.DType().Bits()
	if name := t.DType().Info().OneDNN; bits < 8 && name != "s4" && name != "u4" {
		return []Size{{"get_size", n, n}}, nil
	}
	if _, err := layout.Mul(n, (bits+7)/8); err != nil {
		return nil, err
	}
	return []Size{{"get_size", n, t.Bytes(n)}}, nil
}
