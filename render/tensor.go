package render

import (
	"fmt"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
)

// treeOf returns the JSON object of a tensor.
func treeOf(t layout.Tensor, f analysis.Facts) Object {
	l := t.Layout()
	return Object{
		{"layout", orNull(t.Name(), t.Name() != "")},
		{"axes", l.AxisNames()},
		{"sizes", l.Sizes()},
		{"strides", func() any { s, ok := l.Strides(); return orNull(s, ok) }},
		{"base", l.Base()},
		{"swizzle", swizzleTree(l)},
		{"dtype", t.DType().String()},
		{"digits", digitTree(l)},
		{"elements", f.Elements},
		{"span", f.Span},
		{"distinct", orNull(f.Distinct, f.DistinctKnown)},
		{"bits", t.DType().Bits()},
		{"bytes", notation.Needed(t)},
		{"spanBytes", t.Bytes(f.Span)},
		{"dataBytes", func() any { n, ok := dataBytes(t); return orNull(n, ok) }},
		{"unique", f.Unique.String()},
		{"exhaustive", orUnknown(f.Exhaustive)},
		{"packed", orUnknown(f.Packed())},
		{"padded", orUnknown(f.Padded())},
		{"broadcast", someNames(l, f.Broadcast)},
		{"overlapping", orUnknown(f.Overlapping)},
		{"overlap", witnessTree(f.Witness)},
		{"contiguous", f.Contiguous},
		{"channelsLast", f.ChannelsLast},
		{"coalesced", coalescedTree(l)},
		{"names", func() any { return append([]string{}, shape.NamesOf(t)...) }},
	}
}

// dataBytes returns the bytes that the elements of a tensor need if they are stored one after another, counting each
// repetition of broadcast elements. It reports false if they do not fit in 64 bits.
func dataBytes(t layout.Tensor) (int64, bool) {
	_, err := layout.Mul(t.Layout().Elements(), t.DType().Bits())
	return t.Bytes(t.Layout().Elements()), err == nil
}

// later returns the object of a tensor, created on demand.
func later(t layout.Tensor) func() any {
	return func() any { return treeOf(t, analysis.Of(t.Layout())) }
}

// orNull returns the value, or nil if it is unknown.
func orNull(value any, known bool) any {
	if !known {
		return nil
	}
	return value
}

// orUnknown returns a verdict as a bool, or nil if it is unknown.
func orUnknown(v analysis.Verdict) any { return orNull(v == analysis.Yes, v != analysis.Unknown) }

// someNames returns the names of the given axes.
func someNames(l layout.Layout, axes []int) []string {
	names := make([]string, len(axes))
	for i, axis := range axes {
		names[i] = l.AxisName(axis)
	}
	return names
}

// axisText returns the names of axes for a sentence. Axes without letters are called axis 2 or axes 0, 2.
func axisText(l layout.Layout, axes []int) string {
	return axisWord(l, axes) + strings.Join(someNames(l, axes), ", ")
}

// axisWord returns the word before the numbers of axes without letters, or an empty string for letters.
func axisWord(l layout.Layout, axes []int) string {
	switch {
	case len(axes) == 0 || l.Axis(axes[0]).Name() != "":
		return ""
	case len(axes) == 1:
		return "axis "
	}
	return "axes "
}

// unfilled returns the axes that do not fill their blocks.
func unfilled(l layout.Layout) (axes []int) {
	for i := range l.Rank() {
		if axis := l.Axis(i); axis.Filled() > axis.Size() {
			axes = append(axes, i)
		}
	}
	return axes
}

// fills states how many indices of its blocks an axis fills.
func fills(l layout.Layout, axis int, palette *Palette) string {
	a := l.Axis(axis)
	return fmt.Sprintf("%s fills %d of %d", palette.Axis(axis, l.AxisName(axis)), a.Size(), a.Filled())
}

func digitTree(l layout.Layout) [][]Object {
	digits := make([][]Object, l.Rank())
	for i := range digits {
		for k := range l.Axis(i).Digits() {
			d := l.Axis(i).Digit(k)
			digits[i] = append(digits[i], Object{{"extent", d.Extent}, {"stride", d.Stride}})
		}
	}
	return digits
}

func witnessTree(c *analysis.Witness) any {
	if c == nil {
		return nil
	}
	return Object{{"a", c.A}, {"b", c.B}, {"offset", c.Offset}}
}

func coalescedTree(l layout.Layout) any {
	sizes, strides, ok := analysis.Coalesced(l)
	return orNull(Object{{"sizes", sizes}, {"strides", strides}}, ok)
}

// heading returns the line that names the tensor of an answer.
func (p *Printer) heading(t layout.Tensor) string {
	return p.headingOf(t, p.palette.labelled(t.Layout(), t.Layout().Sizes(), " "))
}

// headingOf is like heading, but shows the sizes as the given strings.
func (p *Printer) headingOf(t layout.Tensor, texts []string) string {
	var parts []string
	if t.Name() != "" {
		parts = append(parts, p.palette.Title(t.Name()))
	}
	sizes := "scalar"
	if len(texts) > 0 {
		sizes = groupWords(strings.Join(texts, " × "))
	}
	parts = append(parts, sizes, t.DType().String())
	return strings.Join(parts, " · ")
}

// labelled returns a number for each axis, in its colour, after the name and the mark if axes have names.
func (p *Palette) labelled(l layout.Layout, list []int64, mark string) []string {
	texts := make([]string, len(list))
	for i, n := range list {
		if l.Named() {
			texts[i] = l.AxisName(i) + mark
		}
		texts[i] = p.Axis(i, texts[i]+text(n))
	}
	return texts
}

// position returns an index with the names of the axes: D=1, H=0, or [1, 0] without names.
func (p *Printer) position(l layout.Layout, index []int64) string {
	list := strings.Join(p.palette.labelled(l, index, "="), ", ")
	if !l.Named() {
		return "[" + list + "]"
	}
	return list
}

// Group formats a number with commas between thousands.
func Group[N int64 | uint64](n N) string {
	if n < 0 {
		return "-" + groupDigits(strconv.FormatUint(-uint64(n), 10))
	}
	return groupDigits(strconv.FormatUint(uint64(n), 10))
}

func groupDigits(digits string) string {
	if len(digits) <= len("999") {
		return digits
	}
	var b strings.Builder
	b.Grow(len(digits) + len(digits)/3)
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

// groupWords adds commas between the thousands of numbers in text, which may have colours.
func groupWords(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		number := colorless(word)
		whole, _, dotted := strings.Cut(number, ".")
		if isDigits(strings.TrimPrefix(whole, "-")) && (!dotted || number == word) {
			words[i] = strings.Replace(word, whole, groupDigits(whole), 1)
		}
	}
	return strings.Join(words, " ")
}

// Counted formats a number with its noun: 1 element, 2 elements.
func Counted[N int64 | uint64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Group(n) + " " + noun + "s"
}

// verdictLines returns the facts in words, with more words before and after the words of the first line.
func (p *Printer) verdictLines(t layout.Tensor, f analysis.Facts, before, after string) []string {
	l := t.Layout()
	if f.Elements == 0 {
		return []string{"empty: no elements, 0 bytes"}
	}
	size := Counted(f.Elements, "element")
	if f.Span != f.Elements {
		size += " in a span of " + Group(f.Span)
	}
	lines := []string{before + packedWord(f) + size + after}
	if len(f.Broadcast) > 0 {
		lines = append(lines, p.broadcastLine(l, f))
	}
	switch f.Overlapping {
	case analysis.Yes:
		c := f.Witness
		lines = append(lines, fmt.Sprintf("%s: %s and %s are both element %s", p.palette.Bad("overlapping"),
			p.position(l, c.A), p.position(l, c.B), Group(c.Offset)))
	case analysis.Unknown:
		lines = append(lines, "unknown whether elements overlap: that would take more work than allowed")
	}
	return lines
}

// knownLines returns the verdictLines with the known layouts before them.
func (p *Printer) knownLines(t layout.Tensor, f analysis.Facts, after string) []string {
	known := p.knownAs(t)
	if known != "" {
		known += ", "
	}
	return p.verdictLines(t, f, known, after)
}

// spanBytes returns the bytes of the span, after a comma, or an empty string for a type without a size.
func spanBytes(t layout.Tensor, f analysis.Facts) string {
	if t.DType().Bits() == 0 {
		return ""
	}
	return ", " + byteCount(t.Bytes(f.Span))
}

// formats lists PyTorch's memory formats with channels last, by rank, and the layouts that they correspond to.
var formats = [...]struct{ name, layout string }{4: {"channels_last", "NHWC"}, 5: {"channels_last_3d", "NDHWC"}}

// knownAs returns the known layouts with the strides of a tensor without names, after an equals sign. Because of axes
// of size 1, there can be several.
func (p *Printer) knownAs(t layout.Tensor) string {
	l := t.Layout()
	if l.Named() || t.Name() != "" || l.Rank() == 0 {
		return ""
	}
	var names []string
	if analysis.Contiguous(l) {
		names = append(names, p.palette.Title("row-major"))
	}
	if l.Rank() > 1 && analysis.ColumnMajor(l) {
		names = append(names, p.palette.Title("column-major"))
	}
	if analysis.ChannelsLast(l) {
		names = append(names, p.palette.Title(formats[l.Rank()].layout))
	}
	if len(names) == 0 {
		return ""
	}
	return "= " + strings.Join(names, " and ")
}

// packedWord returns the first word of the facts: packed or padded.
func packedWord(f analysis.Facts) string {
	switch {
	case f.Packed() == analysis.Yes:
		return "packed, "
	case f.Exhaustive == analysis.No && f.DistinctKnown:
		return fmt.Sprintf("padded by %s, ", Counted(f.Span-f.Distinct, "unused element"))
	case f.Exhaustive == analysis.No:
		return "padded, "
	}
	return ""
}

func (p *Printer) broadcastLine(l layout.Layout, f analysis.Facts) string {
	names := someNames(l, f.Broadcast)
	for i, axis := range f.Broadcast {
		names[i] = p.palette.Axis(axis, names[i])
	}
	line := "broadcast along " + axisWord(l, f.Broadcast) + strings.Join(names, ", ")
	if f.DistinctKnown {
		line += ": " + Group(f.Distinct) + " of them stored"
	}
	return line
}
