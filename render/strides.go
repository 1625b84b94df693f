package render

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/shape"
)

// Strides writes the strides of a tensor, axis by axis, and the product that each results from.
func (p *Printer) Strides(t layout.Tensor) error { return p.Print(stridesAnswer{t}) }

type stridesAnswer struct{ t layout.Tensor }

func (a stridesAnswer) plain(p *Printer) { p.strides(a.t.Layout()) }

// strides writes the strideText of a layout as a line.
func (p *Printer) strides(l layout.Layout) {
	p.w.Write(append(appendStrides(p.w.AvailableBuffer(), l), '\n'))
}

func (a stridesAnswer) tree() Object {
	l := a.t.Layout()
	return Document("strides", Field{"tensor", later(a.t)},
		Field{"origins", func() any { return a.origins(layout.Tensor.Origin) }},
		Field{"derived", func() any { return a.origins(analysis.Derived) }},
		Field{"memoryFormat", func() any { format, ok := analysis.MemoryFormat(l); return orNull(format, ok) }},
		Field{"dimOrder", func() any { order, ok := analysis.DimOrder(l); return orNull(order, ok) }})
}

// origins returns the originText of every digit.
func (a stridesAnswer) origins(of func(t layout.Tensor, i, k int) layout.Origin) [][]string {
	l := a.t.Layout()
	all := make([][]string, l.Rank())
	for i := range all {
		for k := range l.Axis(i).Digits() {
			all[i] = append(all[i], originText(a.t, of(a.t, i, k), NewPalette(NoColors)))
		}
	}
	return all
}

func (a stridesAnswer) records(p *Printer) grid {
	g := grid{header: []string{"axis", "size", "digit", "extent", "stride", "bytes", "from"}}
	l := a.t.Layout()
	for i := range l.Rank() {
		for k := range l.Axis(i).Digits() {
			d := l.Axis(i).Digit(k)
			g.rows = append(g.rows, []string{
				l.AxisName(i), text(l.Axis(i).Size()), strconv.Itoa(k), text(d.Extent), text(d.Stride),
				ByteText(a.t, d.Stride), originText(a.t, a.t.Origin(i, k), p.palette),
			})
		}
	}
	for _, s := range l.Swizzles() {
		g.rows = append(g.rows, []string{"swizzle", "", "", "", "", "", s.String()})
	}
	return g
}

func (a stridesAnswer) page(p *Printer) {
	l, f := a.t.Layout(), analysis.Of(a.t.Layout())
	p.paragraph(p.stridesLine(a.t), p.heading(a.t), "")
	if l.Rank() > 0 {
		p.table(a.grid(p))
		p.paragraph("")
	}
	p.paragraph(swizzleLines(a.t)...)
	p.pre(a.descriptor(p.palette))
	p.paragraph(p.verdictLines(a.t, f, "", spanBytes(a.t, f))...)
	p.paragraph(p.sameLine(a.t)...)
	if words := memoryFormat(l); words != "" && p.options.Verbose {
		p.paragraph("PyTorch: " + words)
	}
}

// stridesLine returns the strides, the known layouts with these strides, and whether PyTorch considers them contiguous.
func (p *Printer) stridesLine(t layout.Tensor) string {
	l, line := t.Layout(), "no strides"
	switch {
	case l.IsSwizzled():
		line = "layout " + p.palette.Title(strideText(l))
	case l.Rank() > 0:
		line = "strides " + p.palette.Title(strideText(l))
	}
	if l.Base() != 0 && !l.IsSwizzled() {
		line += " from offset " + Group(l.Base())
	}
	if known := p.knownAs(t); known != "" {
		line += " " + known
	}
	line += "; contiguous: " + yesNo(analysis.Contiguous(l))
	if analysis.ChannelsLastOrder(l.Rank()) != nil {
		line += ", " + formats[l.Rank()].name + ": " + yesNo(analysis.ChannelsLast(l))
	}
	return line
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// memoryFormat returns the results of PyTorch's methods for a layout, or an empty string if PyTorch does not have it.
func memoryFormat(l layout.Layout) string {
	format, _ := analysis.MemoryFormat(l)
	order, ok := analysis.DimOrder(l)
	if !ok {
		return ""
	}
	return "suggest_memory_format: " + format + ", dim_order: (" + layout.JoinInts(order, ", ") + ")"
}

// grid returns the table of the axes. Only blocked layouts have a column for extents.
func (a stridesAnswer) grid(p *Printer) grid {
	l := a.t.Layout()
	_, plain := l.Affine().Strides()
	g := grid{header: []string{"axis", "size", "extent", "stride", "bytes", "comes from"}, left: []int{0, 5}}
	g.texts, g.least = 5, len("comes from")
	if plain {
		g = grid{header: []string{"axis", "size", "stride", "bytes", "comes from"}, left: []int{0, 4}}
		g.texts, g.least = 4, len("comes from")
	}
	for i := range l.Rank() {
		for k := range l.Axis(i).Digits() {
			d := l.Axis(i).Digit(k)
			row := []string{p.palette.Axis(i, l.AxisName(i)), text(l.Axis(i).Size())}
			if k > 0 {
				row = []string{p.palette.Axis(i, digitName(l, i, k)), ""}
			}
			if !plain {
				row = append(row, text(d.Extent))
			}
			from := groupWords(originText(a.t, analysis.Derived(a.t, i, k), p.palette))
			row = append(row, p.palette.Title(text(d.Stride)), ByteText(a.t, d.Stride), from)
			g.rows = append(g.rows, row)
		}
	}
	return g
}

// digitName returns the name of a digit: 16c for a block, and C/16 for the digit outside it. Axes without names have
// numbers: 0.0 is the outermost digit of axis 0.
func digitName(l layout.Layout, i, k int) string {
	axis, name := l.Axis(i), l.AxisName(i)
	if !l.Named() {
		return name + "." + text(int64(k))
	}
	if k > 0 {
		return text(axis.Digit(k).Extent) + strings.ToLower(name)
	}
	return name + "/" + text(axis.Block())
}

// descriptor returns sizes and strides as in a DirectML descriptor.
func (a stridesAnswer) descriptor(palette *Palette) []string {
	l := a.t.Layout()
	lines := []string{"Sizes   = " + braces(l.Sizes())}
	if strides, ok := l.Strides(); ok {
		lines = append(lines, "Strides = "+palette.Title(braces(strides)))
	}
	if l.Base() != 0 {
		lines = append(lines, "Offset  = "+text(l.Base()))
	}
	return lines
}

// sameLine returns a line with the other layouts that have the same strides: the documented ones, or with -v all.
func (p *Printer) sameLine(t layout.Tensor) []string {
	if !t.Layout().Named() {
		return nil
	}
	names := shape.NamesOf(t)
	all := len(names)
	if len(names) > 0 && names[0] == t.Name() {
		names = names[1:]
	}
	more, why := "", ""
	if !p.options.Verbose {
		names = slices.DeleteFunc(names, func(name string) bool { return !shape.IsDocumented(name) })
	} else if most := 4; len(names) > most {
		more = fmt.Sprintf(" and %d more", len(names)-most)
		if all >= shape.MaxNames {
			more = " and many more"
		}
		names = names[:most]
	}
	if len(names) == 0 {
		return nil
	}
	for i := range t.Layout().Rank() {
		if t.Layout().Axis(i).Size() == 1 {
			why = p.palette.Faint(" (size-1 axes do not matter)")
		}
	}
	return []string{"the same as " + strings.Join(names, ", ") + more + why}
}

// originText describes the origin of a stride.
func originText(t layout.Tensor, o layout.Origin, palette *Palette) string {
	switch o.Kind {
	case layout.Product:
		return productText(t, o, palette)
	case layout.Aligned:
		return fmt.Sprintf("%s, up to a multiple of %d", productText(t, o, palette), o.Align)
	}
	return originWords[o.Kind]
}

var originWords = [...]string{
	layout.Given: "given", layout.Viewed: "view", layout.Repeated: "broadcast", layout.Pitched: "pitch",
	layout.Innermost: "innermost",
}

func productText(t layout.Tensor, o layout.Origin, palette *Palette) string {
	var parts []string
	for _, f := range o.Inner {
		parts = append(parts, factorText(t.Layout(), f, palette))
	}
	if o.Times != 1 || len(parts) == 0 {
		parts = append(parts, text(o.Times))
	}
	product := strings.Join(parts, " × ")
	if o.Plus != 0 {
		product += " + " + text(o.Plus)
	}
	return product
}

// factorText names a factor by its axis: W 5, C/16 2, and 16c for a block.
func factorText(l layout.Layout, f layout.Factor, palette *Palette) string {
	words := text(f.Extent)
	switch axis := l.Axis(f.Axis); {
	case f.Digit > 0:
		words = digitName(l, f.Axis, f.Digit)
	case axis.Digits() > 1:
		words = digitName(l, f.Axis, 0) + " " + words
	case l.Named():
		words = axis.Name() + " " + words
	}
	return palette.Axis(f.Axis, words)
}

// text returns n in digits.
//
// It is not inlined because it has many callers, and inlining would increase the size of each.
//
//go:noinline
func text(n int64) string { return strconv.FormatInt(n, 10) }

// ByteText returns a distance of n elements in bytes, with a fraction for parts of bytes. It may exceed 64 bits,
// because users ask for offsets beyond all storage.
func ByteText(t layout.Tensor, n int64) string {
	return string(appendByteText(make([]byte, 0, 32), t, n))
}

// appendByteText appends the ByteText of a distance.
func appendByteText(b []byte, t layout.Tensor, n int64) []byte {
	if _, err := layout.Mul(n, t.DType().Bits()/8); err != nil {
		var beyond *layout.OverflowError
		errors.As(err, &beyond)
		return beyond.Exact.Append(b, 10)
	}
	whole, bits := t.BitOffset(n)
	if bits == 0 {
		return strconv.AppendInt(b, whole, 10)
	}
	if whole < 0 {
		b, whole, bits = append(b, '-'), -whole-1, 8-bits
	}
	b = append(strconv.AppendInt(b, whole, 10), '.')
	return bytes.TrimRight(strconv.AppendInt(b, bits*125, 10), "0")
}

// braces returns numbers as a C initialiser.
func braces(list []int64) string {
	if len(list) == 0 {
		return "{ }"
	}
	return "{ " + layout.JoinInts(list, ", ") + " }"
}

// strideText returns the strides as in the plain answer. The strides of several digits of an axis are in parentheses. A
// swizzled layout has no strides, and is in CuTe notation.
func strideText(l layout.Layout) string {
	return string(appendStrides(make([]byte, 0, 64), l)) // most are shorter
}

func appendStrides(line []byte, l layout.Layout) []byte {
	if l.IsSwizzled() {
		return append(line, composedText(l)...)
	}
	for i := range l.Rank() {
		if i > 0 {
			line = append(line, ',')
		}
		line = appendDigits(line, l.Axis(i))
	}
	return line
}
