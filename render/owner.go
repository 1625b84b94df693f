package render

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/tvlayout"
)

// A HolderPart is the part of an element's holders that a picture shows.
type HolderPart int

// The parts.
const (
	WholeHolder HolderPart = iota // thread and value
	HolderLane
	HolderWarp
	HolderValue
)

// axis returns the axis of a part. For the whole holder, it returns the axis of the lane.
func (h HolderPart) axis() int {
	return [...]int{tvlayout.Lane, tvlayout.Lane, tvlayout.Warp, tvlayout.Value}[h]
}

// Holders writes the holders of the elements at the indices. Plain answers include the indices if they are of the whole
// tile. It reports whether each element has a holder.
func (p *Printer) Holders(o *tvlayout.Ownership, indices iter.Seq[[]int64], isTile bool) (all bool, err error) {
	all = true
	err = p.stream(ofOwner(o), holderHeader(o), func(yield func(Answer, error) bool) {
		r := &holdersResult{holding: holding{o: o}, of: o.Holders(), isTile: isTile}
		for index := range indices {
			number, _ := o.Tile().Offset(index)
			r.index = index
			r.list, r.count = r.of.Of(number)
			all = all && r.count > 0
			if !yield(r, nil) {
				return
			}
		}
	})
	return all, err
}

// TileRows writes who holds each element, in rows for programs: of CSV, or plain ones without registers.
func (p *Printer) TileRows(o *tvlayout.Ownership) error {
	isCSV := p.options.Format == CSV
	if p.options.Get != "" || !isCSV && p.options.Format != Plain || o.Layout().Elements() > tvlayout.MaxTile {
		_, err := p.Holders(o, o.Indices(), true)
		return err
	}
	if isCSV {
		p.w.CSVRow(holderHeader(o)...)
	}
	table, r := o.Table(), holding{o: o}
	var holder [4]int64
	var row []byte
	appendList := func(list []int64) {
		for _, n := range list {
			row = append(strconv.AppendInt(row, n, 10), ',')
		}
	}
	for index, number := range o.Tile().All() {
		row = row[:0]
		table.Of(number, &holder, func() {
			appendList(holder[:])
			appendList(index)
			if register, bits, ok := r.register(holder[:]); ok && isCSV {
				row = append(append(append(append(row, register...), ','), bits...), ',')
			}
			row[len(row)-1] = '\n'
		})
		if len(row) == 0 && !isCSV {
			row = append(row, "x\n"...)
		}
		if _, err := p.w.Write(row); err != nil {
			break
		}
	}
	return p.Flush()
}

// Held writes the elements that are held at the given indices along the axes of an ownership. An index below 0 selects
// the whole axis.
func (p *Printer) Held(o *tvlayout.Ownership, places [4]int64) error {
	results := func(yield func(Answer, error) bool) {
		r := &heldResult{holding: holding{o: o, index: make([]int64, o.Tile().Rank())}}
		for holder, number := range o.Held(places) {
			o.Index(r.index, number)
			if r.holder = holder; !yield(r, nil) {
				return
			}
		}
	}
	if p.options.Get != "" || p.options.Format != Table {
		return p.stream(ofOwner(o), holderHeader(o), results)
	}
	return p.heldTable(o, places, results)
}

// heldTable writes a table of elements without the columns that all rows share.
func (p *Printer) heldTable(o *tvlayout.Ownership, places [4]int64, results iter.Seq2[Answer, error]) error {
	g := grid{header: holderHeader(o)}
	for r := range results {
		g.rows = append(g.rows, r.records(p).rows...)
	}
	var who []string
	for axis := len(places) - 1; axis >= 0; axis-- {
		a := o.Layout().Axis(axis)
		if places[axis] >= 0 && a.Size() > 1 {
			who = slices.Insert(who, 0, a.Name()+" "+text(places[axis]))
		}
		if places[axis] >= 0 || a.Size() == 1 {
			g = g.without(axis)
		}
	}
	holder := strings.Join(who, ", ")
	if who == nil {
		holder = "the only thread"
	}
	p.paragraph(p.palette.Title(holder)+" holds "+Counted(int64(len(g.rows)), "element"), "")
	p.table(g)
	return p.Flush()
}

// Tile writes the tile as a grid with the holders of each element.
func (p *Printer) Tile(o *tvlayout.Ownership, show HolderPart, all bool) error {
	elements := o.Tile().Elements()
	if all && elements > MaxCells {
		_, err := p.Holders(o, o.Indices(), true)
		return err
	}
	t, err := layout.NewTensor(o.Tile(), layout.DType(0))
	if err != nil {
		return err
	}
	pic := newPicture(p, t, o.Tile(), HolderWindow(o, show, WholeHolder))
	p.paragraph(ownerHeading(p, o), "")
	if elements > MaxCells {
		p.paragraph(Group(elements)+" elements, with the corners shown: --all or -o csv has all", "")
		writeGrid(p, pic.corners())
	} else {
		writeGrid(p, pic.logical())
	}
	p.paragraph(tileNotes(p, o, show)...)
	return p.Flush()
}

// TileCaption returns the caption of a picture of the tile of an ownership.
func TileCaption(o *tvlayout.Ownership, show, color HolderPart) Caption {
	lines := []string{"colors: the " + o.Layout().AxisName(color.axis()) + " of the first holder"}
	lines = append(lines, tileNotes(captions(), o, HolderLane)...) // HolderLegends explains the cells
	lines = slices.DeleteFunc(lines, func(l string) bool { return l == "" })
	return Caption{ownerHeading(captions(), o), []string{""}, lines}
}

// writeGrid writes the lines of a grid: a row of it is never wrapped.
func writeGrid(p *Printer, lines []string) {
	if p.options.Format == Markdown {
		p.pre(lines)
		return
	}
	for _, l := range lines {
		p.w.Line(l)
	}
}

// HolderWindow returns the window for the elements of a tile, with their holders as values and colours for a part of
// the first holder.
func HolderWindow(o *tvlayout.Ownership, show, color HolderPart) Window {
	holders := o.Holders()
	list := func(index []int64) ([][]int64, int64) {
		number, _ := o.Tile().Offset(index)
		return holders.Of(number)
	}
	return Window{
		Text: func(index []int64) string {
			found, count := list(index)
			return cellText(o, found, count, show)
		},
		Tint: func(index []int64) int {
			if found, _ := list(index); len(found) > 0 {
				return int(found[0][color.axis()])
			}
			return -1
		},
	}
}

// maxInCell is the maximum number of holders in a cell.
const maxInCell = 4

// cellText returns the text of a cell: T14:1 for value 1 of thread 14, of several holders each, or the first and how
// many more there are.
func cellText(o *tvlayout.Ownership, list [][]int64, count int64, show HolderPart) string {
	var texts []string
	for _, h := range list[:min(len(list), maxInCell)] {
		one := ""
		if one = text(h[show.axis()]); show == WholeHolder {
			one = threadName(o, h) + ":" + text(h[tvlayout.Value])
		}
		if !slices.Contains(texts, one) {
			texts = append(texts, one)
		}
	}
	switch {
	case count == 0:
		return "x"
	case count > maxInCell && show == WholeHolder:
		return texts[0] + "+" + text(count-1)
	}
	return strings.Join(texts, "|")
}

// ownerHeading names an ownership, its tile and its holders.
func ownerHeading(p *Printer, o *tvlayout.Ownership) string {
	tile := make([]string, o.Tile().Rank())
	for i := range tile {
		tile[i] = o.Tile().AxisName(i) + " " + Group(o.Tile().Axis(i).Size())
	}
	var who []string
	for axis := range o.Layout().Rank() {
		if a := o.Layout().Axis(axis); a.Size() > 1 || axis >= tvlayout.Lane {
			who = append(who, Counted(a.Size(), a.Name()))
		}
	}
	line := p.palette.Title(o.Name()) + " · " + strings.Join(tile, " × ") + " · " + strings.Join(who, " × ")
	if o.Bits() > 0 {
		line += " · " + Counted(o.Bits(), "bit")
	}
	return line
}

// tileNotes explains the cells of a grid, and lists the parts that it does not show.
func tileNotes(p *Printer, o *tvlayout.Ownership, show HolderPart) []string {
	lines := []string{""}
	if show == WholeHolder {
		legend := "T14:1 is value 1 of thread 14"
		if o.Layout().Axis(tvlayout.Warp).Size() > 1 {
			legend += ", and thread = lane + " + text(o.Lanes()) + " × warp"
		}
		lines = append(lines, p.palette.Faint(p.clean(legend)))
	}
	copies, unheld, even := o.Copies()
	if copies > 1 && even {
		lines = append(lines, "each element has "+Counted(copies, "holder"))
	}
	if unheld > 0 {
		lines = append(lines, Counted(unheld, "element")+" without a thread: x")
	}
	if len(lines) == 1 {
		return nil
	}
	return lines
}

// An OwnerText is an ownership, or a tensor in shared memory if that is nil, in the words of another system, which end
// with a line end.
type OwnerText struct {
	Of       *tvlayout.Ownership
	As, Text string
}

func (a OwnerText) plain(p *Printer) { p.w.Text(a.Text) }

func (a OwnerText) tree() Object {
	head := Document("owner")
	if a.Of != nil {
		head = ofOwner(a.Of)
	}
	return append(head, Field{"notation", a.As}, Field{"text", a.Text})
}

func (a OwnerText) records(*Printer) grid {
	return grid{header: []string{"notation", "text"}, rows: [][]string{{a.As, a.Text}}}
}

func (a OwnerText) page(p *Printer) { p.verbatim(strings.TrimSuffix(a.Text, "\n")) }

// ofOwner returns the start of a document about an ownership.
func ofOwner(o *tvlayout.Ownership) Object {
	return Document("owner", Field{"ownership", func() any { return ownerTree(o) }})
}

// ownerTree returns all facts of an ownership.
func ownerTree(o *tvlayout.Ownership) Object {
	l := o.Layout()
	var holders []Object
	for i := range l.Rank() {
		holders = append(holders, Object{{"name", l.AxisName(i)}, {"size", l.Axis(i).Size()}})
	}
	copies, unheld, even := o.Copies()
	return Object{
		{"name", o.Name()}, {"tile", o.Tile().Sizes()}, {"axes", o.Tile().AxisNames()},
		{"fastest", int64(o.Fastest())}, {"holders", holders}, {"digits", digitTree(l)},
		{"valuesPerThread", l.Axis(tvlayout.Value).Size()}, {"bits", orNull(o.Bits(), o.Bits() > 0)},
		{"copies", orNull(copies, even)}, {"unassigned", unheld},
	}
}

// holderHeader returns the titles of rows of holders.
func holderHeader(o *tvlayout.Ownership) []string {
	header := append(o.Layout().AxisNames(), o.Tile().AxisNames()...)
	if o.Bits() > 0 {
		header = append(header, "register", "bits")
	}
	return header
}

// A holding is an element of a tile.
type holding struct {
	o     *tvlayout.Ownership
	index []int64
}

// at returns the index of the element.
func (r *holding) at() string { return "(" + layout.JoinInts(r.index, ", ") + ")" }

// row returns the row of a holder of the element.
func (r *holding) row(holder []int64) []string {
	row := append(intTexts(holder), intTexts(r.index)...)
	if register, bits, ok := r.register(holder); ok {
		row = append(row, register, bits)
	}
	return row
}

// register returns the register, or registers, of a holder's value, and its bits.
func (r *holding) register(holder []int64) (register, bits string, ok bool) {
	n, low, high, ok := r.o.Register(holder[tvlayout.Value])
	register = text(n)
	if more := (r.o.Bits() - 1) / 32; more > 0 {
		register += "-" + text(n+more)
	}
	return register, text(low) + "-" + text(high), ok
}

// place returns a holder as an object.
func (r *holding) place(holder []int64) Object {
	o := Object{}
	for i, n := range holder {
		o = append(o, Field{r.o.Layout().AxisName(i), n})
	}
	o = append(o, Field{"thread", r.o.Thread(holder)})
	if n, low, high, ok := r.o.Register(holder[tvlayout.Value]); ok {
		o = append(o, Field{"register", n}, Field{"bits", []int64{low, high}})
	}
	return o
}

// words describes a holder.
func (r *holding) words(holder []int64) string {
	var words []string
	l := r.o.Layout()
	for axis := range tvlayout.Lane {
		if l.Axis(axis).Size() > 1 {
			words = append(words, l.AxisName(axis)+" "+text(holder[axis]))
		}
	}
	lane := "lane " + text(holder[tvlayout.Lane])
	if l.Axis(tvlayout.Warp).Size() > 1 {
		lane += " (thread " + text(r.o.Thread(holder)) + ")"
	}
	value := "value " + text(holder[tvlayout.Value])
	if name := r.o.Fragment(holder[tvlayout.Value]); name != "" {
		value += " = " + name
	}
	words = append(words, lane, value)
	if register, bits, ok := r.register(holder); ok {
		word := "register " + register
		if r.o.Bits() > 32 {
			word = "registers " + register
		} else if r.o.Bits() < 32 {
			word += " bits " + bits
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// A holdersResult is an element and its holders.
type holdersResult struct {
	holding
	of     tvlayout.Holders
	isTile bool
	list   [][]int64
	count  int64
}

func (r *holdersResult) plain(p *Printer) {
	if r.count == 0 {
		p.w.Line("x")
	}
	for _, holder := range r.list {
		if r.isTile {
			holder = slices.Concat(holder, r.index)
		}
		p.w.Line(layout.JoinInts(holder, ","))
	}
}

func (r *holdersResult) tree() Object {
	holders := make([]Object, len(r.list))
	for i, h := range r.list {
		holders[i] = r.place(h)
	}
	return Object{{"index", slices.Clone(r.index)}, {"count", r.count}, {"holders", holders}}
}

func (r *holdersResult) records(*Printer) grid {
	rows := make([][]string, len(r.list))
	for i, holder := range r.list {
		rows[i] = r.row(holder)
	}
	return grid{rows: rows}
}

func (r *holdersResult) page(p *Printer) {
	p.w.Line(p.wrap(r.at() + ": " + r.sentence(p)))
}

// sentence names the holders of the element.
func (r *holdersResult) sentence(p *Printer) string {
	const most = 8
	switch r.count {
	case 0:
		return "held by nobody"
	case 1:
		return p.palette.Title(p.clean(r.words(r.list[0])))
	default:
		words := make([]string, min(len(r.list), most))
		for i := range words {
			words[i] = r.words(r.list[i])
		}
		line := Counted(r.count, "holder") + ": " + strings.Join(words, "; ")
		if r.count > most {
			line += " …"
		}
		return p.clean(line)
	}
}

// A heldResult is an element with its holder.
type heldResult struct {
	holding
	holder []int64
}

func (r *heldResult) plain(p *Printer) {
	p.w.Line(layout.JoinInts(slices.Concat(r.holder, r.index), ","))
}

func (r *heldResult) tree() Object {
	return append(r.place(r.holder), Field{"index", slices.Clone(r.index)})
}

func (r *heldResult) records(*Printer) grid { return grid{rows: [][]string{r.row(r.holder)}} }

func (r *heldResult) page(*Printer) {}
