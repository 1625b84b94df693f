package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
)

// A Comparison states whether two tensors have every element at the same offset, and otherwise the first difference.
type Comparison struct {
	A, B   layout.Tensor
	First  *analysis.Difference // nil if all offsets are equal, or if the sizes differ
	Typed  bool                 // the tensors are from files, so that different types make them different
	Values *ValuePair           // nil if they are not requested
}

// Same reports whether nothing differs.
func (c Comparison) Same() bool { return c.sameOffsets() && c.sameTypes() && c.Values.Same() }

// sameTypes reports whether the types are equal, if they matter.
func (c Comparison) sameTypes() bool { return !c.Typed || c.A.DType() == c.B.DType() }

// types describes the types if they differ.
func (c Comparison) types() string {
	return "the types " + c.A.DType().String() + " and " + c.B.DType().String()
}

// sameOffsets reports whether every element has the same offset.
func (c Comparison) sameOffsets() bool { return c.First == nil && c.sameSizes() }

// sameSizes reports whether the tensors have the same sizes. Two tensors in files may have different ones.
func (c Comparison) sameSizes() bool { return slices.Equal(c.A.Layout().Sizes(), c.B.Layout().Sizes()) }

func (c Comparison) plain(p *Printer) { p.w.Line(sameWord(c.Same())) }

// sameWord returns the plain answer of a comparison.
func sameWord(same bool) string {
	if same {
		return "same"
	}
	return "different"
}

func (c Comparison) tree() Object {
	var first, how any
	if c.First != nil {
		first = Object{{"index", c.First.Index}, {"a", c.First.A}, {"b", c.First.B}}
		k := kinds[c.First.Kind]
		how = Object{
			{"kind", k.kind}, {"in", orNull(k.in, k.in != "")}, {"axes", someNames(c.A.Layout(), c.First.Axes)},
		}
	}
	other := func(kind string) Object { return Object{{"kind", kind}, {"in", nil}, {"axes", []string{}}} }
	switch {
	case !c.sameSizes():
		how = other("sizes")
	case how == nil && !c.sameTypes():
		how = other("type")
	}
	tree := Document("compare", Field{"a", later(c.A)}, Field{"b", later(c.B)}, Field{"same", c.Same()},
		Field{"firstDifference", first}, Field{"difference", how})
	if c.Values != nil {
		tree = append(tree, Field{"values", c.Values.tree()})
	}
	return tree
}

func (c Comparison) records(_ *Printer) grid {
	g := grid{header: []string{"same", "index", "a", "b", "difference"}, rows: [][]string{{"true", "", "", "", ""}}}
	switch {
	case !c.sameSizes():
		g.rows[0] = []string{"false", "", "", "", "sizes"}
	case !c.sameTypes():
		g.rows[0] = []string{"false", "", "", "", "type"}
	}
	if d := c.First; d != nil {
		g.rows[0] = []string{"false", layout.JoinInts(d.Index, ","), text(d.A), text(d.B), c.how("A", "B")}
	}
	if c.Values != nil {
		g.header = append(g.header, "values", "relayout")
		g.rows[0] = append(g.rows[0], c.Values.sentence(), strings.Join(c.Values.relayout(), "; "))
		g.rows[0][0] = strconv.FormatBool(c.Same())
	}
	return g
}

func (c Comparison) page(p *Printer) {
	v := c.Values
	if v == nil {
		c.offsets(p)
		return
	}
	a, b := c.names()
	switch {
	case !c.sameOffsets() || !c.sameTypes():
		c.offsets(p)
		p.paragraph("", v.sentence())
	case v.Same():
		words := ": every element has the same offset and the same bits in " + a + " and in " + b
		p.paragraph(p.palette.Title("same") + words)
	case v.Why != "":
		p.paragraph(p.palette.Title("different") + ": the " + v.sentence())
	default:
		p.paragraph(p.palette.Title("different")+": the layouts are the same, and the values differ", v.sentence())
	}
	if lines := v.relayout(); lines != nil {
		p.paragraph("")
		p.paragraph(lines...)
	}
	if v.Command != "" {
		p.verbatim(v.Command)
	}
}

// offsets describes the offsets that differ.
func (c Comparison) offsets(p *Printer) {
	if !c.sameSizes() {
		p.paragraph(p.palette.Title("different") + ": the sizes " + layout.SizesText(c.A.Layout().Sizes()) + " and " +
			layout.SizesText(c.B.Layout().Sizes()))
		return
	}
	a, b := c.names()
	switch {
	case c.First == nil && c.sameTypes():
		p.paragraph(c.same(p, a, b))
		return
	case c.First == nil:
		p.paragraph(p.palette.Title("different")+": "+c.types(), "every element has the same offset in "+a+" and in "+b)
		return
	case c.sameTypes():
		p.paragraph(p.palette.Title("different") + ": " + c.how(a, b))
	default:
		p.paragraph(p.palette.Title("different") + ": " + c.types() + ", and " + c.how(a, b))
	}
	p.paragraph(c.first(p, a, b), "")
	p.table(p.pairGrid(c.A, c.B, a, b))
}

// names returns the names of the two tensors for sentences.
func (c Comparison) names() (a, b string) {
	if a, b = name(c.A), name(c.B); a == b {
		return "A", "B"
	}
	return a, b
}

// same states that nothing differs between the tensors called a and b.
func (c Comparison) same(p *Printer, a, b string) string {
	return p.palette.Title("same") + ": every element has the same offset in " + a + " and in " + b +
		whySame(c.A.Layout(), c.B.Layout())
}

// first describes the first difference.
func (c Comparison) first(p *Printer, a, b string) string {
	return fmt.Sprintf("first at %s: offset %s in %s, %s in %s", p.position(c.A.Layout(), c.First.Index),
		Group(c.First.A), a, Group(c.First.B), b)
}

// kinds lists the kinds of differences: the word for programs, the tensor that is padded or broadcast, and a sentence
// with the verbs %s for the names of A, of B and of the axes.
var kinds = [...]struct{ kind, in, words string }{
	analysis.OtherOffsets: {kind: "other", words: "other offsets"},
	analysis.OtherBase:    {kind: "base", words: "all offsets, by the same distance"},
	analysis.OtherOrder:   {kind: "order", words: "the same set of offsets, other order"},
	analysis.PaddedA:      {kind: "padded", in: "a", words: "%[1]s is %[2]s padded in %[3]s"},
	analysis.PaddedB:      {kind: "padded", in: "b", words: "%[2]s is %[1]s padded in %[3]s"},
	analysis.BroadcastA:   {kind: "broadcast", in: "a", words: "%[1]s broadcasts %[3]s"},
	analysis.BroadcastB:   {kind: "broadcast", in: "b", words: "%[2]s broadcasts %[3]s"},
}

// name returns the name of a tensor for sentences, which is its layout's name, or its strides.
func name(t layout.Tensor) string {
	switch {
	case t.Name() != "" && !t.Layout().IsSwizzled():
		return t.Name()
	case t.Layout().Rank() == 0:
		return "a scalar"
	case t.Layout().IsSwizzled():
		return strideText(t.Layout())
	}
	return "strides " + strideText(t.Layout())
}

// whySame returns, in parentheses, the reason why layouts that look different are equal.
func whySame(l, m layout.Layout) string {
	if l.Empty() {
		return " (there are none)"
	}
	for i := range l.Rank() {
		if l.Axis(i).Digits() != m.Axis(i).Digits() {
			return " (the blocks of " + axisText(l, []int{i}) + " follow one another)"
		}
	}
	if l.IsSwizzled() || m.IsSwizzled() {
		return ""
	}
	if strideText(l) != strideText(m) {
		return " (size-1 axes do not matter)"
	}
	return ""
}

// how describes the difference between the tensors called a and b.
func (c Comparison) how(a, b string) string {
	words := kinds[c.First.Kind].words
	if strings.Contains(words, "%") {
		words = fmt.Sprintf(words, a, b, axisText(c.A.Layout(), c.First.Axes))
	}
	if baseA, baseB := c.A.Layout().Base(), c.B.Layout().Base(); baseA != baseB {
		words += fmt.Sprintf("; %s starts at offset %d, %s at %d", b, baseB, a, baseA)
	}
	return words
}

// pairGrid returns a grid with the strides of two tensors side by side.
func (p *Printer) pairGrid(a, b layout.Tensor, nameA, nameB string) grid {
	l, m := a.Layout(), b.Layout()
	if !p.options.Piped {
		nameA, nameB = cutColored(nameA, 20, p.ellipsis()), cutColored(nameB, 20, p.ellipsis())
	}
	g := grid{header: []string{"axis", "size", nameA, nameB}, left: []int{0}}
	for i := range l.Rank() {
		g.rows = append(g.rows, []string{
			p.palette.Axis(i, l.AxisName(i)), text(l.Axis(i).Size()), digitText(l.Axis(i)), digitText(m.Axis(i)),
		})
	}
	return g
}

// digitText returns the stride of an axis, or the strides of its digits in parentheses.
func digitText(a layout.Axis) string { return string(appendDigits(nil, a)) }

// appendDigits appends the digitText of an axis.
func appendDigits(line []byte, a layout.Axis) []byte {
	if a.Digits() == 1 {
		return strconv.AppendInt(line, a.Digit(0).Stride, 10)
	}
	for k := range a.Digits() {
		line = strconv.AppendInt(append(line, "(,"[min(k, 1)]), a.Digit(k).Stride, 10)
	}
	return append(line, ')')
}
