package render

import (
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
)

// Moves writes the old and the new offset of every element.
func (p *Printer) Moves(from, to layout.Tensor) error {
	before, between, after := "", " ", "\n"
	if p.options.Get == "" && (p.options.Format == Table || p.options.Format == Markdown) {
		p.paragraph(p.bufferLine()...)
	}
	switch {
	case p.options.Get != "" || p.options.Format == JSON:
		return p.Print(Conversion{From: from, To: to, moves: true})
	case p.options.Format == CSV:
		p.w.CSVRow("from", "to")
		between = ","
	case p.options.Format == Markdown:
		p.w.markdown(grid{header: []string{"from", "to"}})
		before, between, after = "| ", " | ", " |\n"
	}
	for a, b := range analysis.Moves(from.Layout(), to.Layout()) {
		p.w.Text(before)
		p.w.Number(a)
		p.w.Text(between)
		p.w.Number(b)
		if p.w.Text(after); p.w.Failure() != nil {
			break
		}
	}
	return p.Flush()
}

// A Conversion is the changes of a tensor's strides and the moves of its elements.
type Conversion struct {
	From, To layout.Tensor
	Window   Window
	moves    bool // JSON lists the moves regardless of their number
}

func (c Conversion) plain(p *Printer) { p.strides(c.To.Layout()) }

func (c Conversion) tree() Object {
	l, m := c.From.Layout(), c.To.Layout()
	o := Document("convert",
		Field{"from", later(c.From)},
		Field{"to", later(c.To)},
		Field{"same", c.still()},
		Field{"permutation", func() any { order, ok := analysis.Permutation(l, m); return orNull(order, ok) }},
		Field{"padding", c.paddingTree},
		Field{"storage", storageTree(c.To)},
	)
	if !c.moves && l.Elements() > MaxCells {
		return o
	}
	return append(o, Field{"moves", iter.Seq[any](func(yield func(any) bool) {
		pair := []int64{0, 0}
		item := any(pair) // one for all moves
		for pair[0], pair[1] = range analysis.Moves(l, m) {
			if !yield(item) {
				return
			}
		}
	})})
}

func (c Conversion) records(p *Printer) grid { return p.pairGrid(c.From, c.To, "from", "to") }

func (c Conversion) page(p *Printer) {
	from, to := "from "+name(c.From), "to "+name(c.To)
	f, g := analysis.Of(c.From.Layout()), analysis.Of(c.To.Layout())
	pairs := p.pairGrid(c.From, c.To, from, to)
	row := func(what, a, b string) { pairs.rows = append(pairs.rows, []string{what, "", a, b}) }
	row("", "", "")
	row("span", text(f.Span), text(g.Span))
	row("bytes", text(c.From.Bytes(f.Span)), text(c.To.Bytes(g.Span)))
	if reservesMore(c.From, f) || reservesMore(c.To, g) { // as in files
		before := ""
		if !c.From.Viewed() {
			before = text(c.From.Bytes(c.From.Reserved()))
		}
		row(allPadding, before, text(c.To.Bytes(c.To.Reserved())))
	}
	row("packed", f.Packed().String(), g.Packed().String())
	row("contiguous", contiguity(c.From.Layout()), contiguity(c.To.Layout()))
	p.paragraph(c.change(p))
	p.paragraph(c.summary(f, g)...)
	p.paragraph(p.heading(c.From), "")
	pairs.spare = []int{1} // the heading has the sizes
	p.table(pairs)
	elements := c.From.Layout().Elements()
	if elements == 0 {
		return
	}
	if storage := max(c.From.End()-f.Low, c.To.End()-g.Low); max(elements, storage) <= MaxCells {
		before, after := c.picture(p, c.From), c.picture(p, c.To)
		if !before.isLong() && !after.isLong() {
			before.titled(from)
			if !c.still() {
				after.titled(to)
			}
			return
		}
	}
	p.paragraph("", "--moves lists where every element moves")
}

// change describes the strides before and after.
func (c Conversion) change(p *Printer) string {
	from, to := strideText(c.From.Layout()), strideText(c.To.Layout())
	if c.From.Layout().Rank() == 0 {
		return "no strides"
	}
	return "strides " + from + " become " + p.palette.Title(to)
}

// still reports whether no element moves.
func (c Conversion) still() bool { return analysis.Same(c.From.Layout(), c.To.Layout()) }

// picture returns the picture of the storage of a tensor.
func (c Conversion) picture(p *Printer, t layout.Tensor) *picture {
	v := c.Window
	v.From, _ = t.Layout().Bounds()
	v.To = t.End()
	pic := newPicture(p, t, c.From.Layout(), v)
	pic.find()
	return pic
}

// titled draws the storage below a title.
func (pic *picture) titled(title string) {
	pic.p.paragraph("", pic.p.palette.Title(title)+":")
	if pic.p.options.Format == Markdown {
		pic.p.paragraph("")
	}
	pic.bands()
}

// summary describes the conversion in sentences.
func (c Conversion) summary(f, g analysis.Facts) []string {
	var lines []string
	l, m := c.From.Layout(), c.To.Layout()
	if order, ok := analysis.Permutation(l, m); c.still() {
		lines = append(lines, "nothing moves: every element keeps its offset"+whySame(l, m))
	} else if ok {
		lines = append(lines, "a permutation of the storage: permute("+layout.JoinInts(order, ",")+"), then a copy")
	}
	before, okBefore := f.Padding(c.From)
	after, okAfter := g.Padding(c.To)
	if more := after - before; okBefore && okAfter && more != 0 {
		verb := "adds "
		if more < 0 {
			verb, more = "saves ", -more
		}
		line := "the target " + verb + Counted(more, "element") + " of padding, " + byteCount(c.To.Bytes(more))
		separator := ": "
		for _, axis := range unfilled(m) {
			line += separator + fills(m, axis, NewPalette(NoColors))
			separator = ", "
		}
		lines = append(lines, line)
	}
	if g.Unique == analysis.No && g.DistinctKnown {
		lines = append(lines, fmt.Sprintf("elements share offsets in the target: %s of %s are stored",
			Group(g.Distinct), Group(g.Elements)))
	}
	return lines
}

// paddingTree returns the padding of the target, with the axes that do not fill their blocks.
func (c Conversion) paddingTree() any {
	elements, ok := analysis.Of(c.To.Layout()).Padding(c.To)
	if !ok {
		return nil
	}
	axes := someNames(c.To.Layout(), unfilled(c.To.Layout()))
	return Object{{"elements", elements}, {"bytes", c.To.Bytes(elements)}, {"axes", axes}}
}

// Moved describes a finished move of data.
type Moved struct {
	From, To layout.Tensor
	Bytes    int64 // the size of the target
	Time     time.Duration
	Verified bool
}

// Print writes a line with the layouts, the amount, and, unless it is too small, the time and the rate of the move. It
// ignores write errors.
func (m Moved) Print(w io.Writer) {
	verified := ""
	if m.Verified {
		verified = ", verified"
	}
	speed := rate(m.Bytes, m.Time)
	if speed != "" {
		speed = fmt.Sprintf(" in %.3f s: %s", m.Time.Seconds(), speed)
	}
	elements := Counted(m.To.Layout().Elements(), "element")
	fmt.Fprintf(w, "%s to %s, %s: %s, %s%s%s\n", stored(m.From), stored(m.To), m.To.DType(), elements,
		byteCount(m.Bytes), speed, verified)
}

// stored returns the name of a layout, and the sizes of its storage if that is an array.
func stored(t layout.Tensor) string {
	name := t.Name()
	switch {
	case t.Layout().IsSwizzled():
		return strideText(t.Layout())
	case name == "":
		name = "strides"
	}
	if sizes, _, ok := analysis.Stored(t); ok {
		name += " (" + layout.JoinInts(sizes, ",") + ")"
	}
	return name
}

// A Bar shows the progress of a move of data.
type Bar struct {
	Done, All int64
	Time      time.Duration
}

// barWidth is the maximum number of columns of the bar itself.
const barWidth = 40

// Line returns the bar, the rate and the remaining time, in at most width columns.
func (b Bar) Line(width int) string {
	part := min(float64(b.Done)/float64(max(b.All, 1)), 1)
	left := b.Time.Seconds() * (1 - part) / max(part, 1e-9)
	text := fmt.Sprintf("%3.0f %%", 100*part)
	if speed := rate(b.Done, b.Time); speed != "" {
		text += "  " + speed
	}
	if b.Done > 0 {
		text += fmt.Sprintf("  %.0f s left", left)
	}
	room := min(width-len(text)-4, barWidth)
	if room < 8 {
		return text[:min(len(text), max(width, 0))]
	}
	full := int(part * float64(room))
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", room-full) + "] " + text
}

// rate returns the bytes per second, or an empty string for less than a megabyte, which takes little more time than the
// start.
func rate(bytes int64, d time.Duration) string {
	const kilo, mega, giga = 1e3, 1e6, 1e9
	perSecond := float64(bytes) / max(d.Seconds(), 1e-9)
	switch {
	case bytes < mega:
		return ""
	case perSecond < mega:
		return fmt.Sprintf("%.0f kB/s", perSecond/kilo)
	}
	return fmt.Sprintf("%.3f GB/s", perSecond/giga)
}
