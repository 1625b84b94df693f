package render

import (
	"cmp"
	"fmt"
	"layoutcalc/layout/wording"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/access"
)

// Access is the cost of walks over a tensor, with layouts that would have no conflicts.
type Access struct {
	Tensor         layout.Tensor
	Walks          []*access.Walk
	Totals         []access.Total
	Alternatives   []Alternative
	Banks, Sectors bool // pages show shared memory, and global memory
}

// An Alternative is a layout to use instead of another: the flag for it, and the layout in CuTe notation. Either may be
// empty.
type Alternative struct {
	access.Alternative
	Flag, Text string
}

func (a Access) plain(p *Printer) {
	for _, t := range a.Totals {
		p.w.Line(layout.JoinInts([]int64{t.Wavefronts, t.Phases, t.Sectors, t.Lines, t.Used, t.Moved()}, ","))
	}
}

func (a Access) tree() Object {
	all := make([]Object, len(a.Walks))
	for i := range a.Walks {
		all[i] = a.walk(i)
	}
	return accesses(Document("access", Field{"tensor", later(a.Tensor)}), all)
}

// accesses adds the facts about accesses to a document. If there is only one, its facts are also fields of the
// document.
func accesses(o Object, all []Object) Object {
	if len(all) == 1 {
		o = append(o, all[0]...)
	}
	return append(o, Field{"accesses", all})
}

// walk returns the facts about a walk.
func (a Access) walk(i int) Object {
	w, t := a.Walks[i], a.Totals[i]
	axis := any(nil)
	if w.Widest.Axis >= 0 {
		axis = a.Tensor.Layout().AxisName(w.Widest.Axis)
	}
	lanes, _ := t.Spot.Conflict()
	bits := a.Tensor.DType().Bits()
	return Object{
		{"lanes", w.Lanes()}, {"vector", w.Vector}, {"vectorBytes", w.Bytes()}, {"requests", t.Requests},
		{"phases", t.Phases}, {"wavefronts", t.Wavefronts}, {"ideal", t.Phases}, {"ways", t.Ways},
		{"worst", Object{
			{"index", t.Spot.Index}, {"wavefronts", t.Worst.Wavefronts}, {"ideal", t.Worst.Phases},
			{"phase", int64(t.Spot.Phase)}, {"bank", t.Spot.Bank}, {"lanes", lanes},
		}},
		{"sectors", t.Sectors}, {"idealSectors", t.Ideal}, {"lines", t.Lines}, {"usedBytes", t.Used},
		{"movedBytes", t.Moved()},
		{"widest", Object{
			{"bytes", layout.CeilDiv(w.Widest.Elements*bits, 8)}, {"elements", w.Widest.Elements}, {"axis", axis},
			{"limit", w.Widest.Limit},
		}},
	}
}

func (a Access) records(_ *Printer) grid {
	g := grid{header: strings.Fields(
		"lanes vectorBytes requests wavefronts ideal ways sectors lines usedBytes movedBytes widest limit")}
	for i, t := range a.Totals {
		row := []int64{a.Walks[i].Lanes(), a.Walks[i].Bytes(), t.Requests, t.Wavefronts, t.Phases, t.Ways, t.Sectors,
			t.Lines, t.Used, t.Moved()}
		w := a.Walks[i].Widest
		g.rows = append(g.rows, append(intTexts(row), text(w.Elements), w.Limit))
	}
	return g
}

func (a Access) page(p *Printer) {
	var shared, global, widest []string
	conflict := -1
	for i, t := range a.Totals {
		who, memory := a.lanes(i), "global memory: "
		if len(a.Walks) > 1 {
			memory = "global memory, " + a.parts(i) + ": "
			who = a.parts(i) + ": " + who
		}
		if !a.Banks {
			memory = who + ": "
		} else {
			shared = append(shared, a.shared(p, who, i)...)
		}
		global = append(global, memory+a.global(p, i))
		if t.Ways > 1 && a.Banks {
			conflict = i
		}
		w := a.Walks[i].Widest
		widest = []string{"a lane may read " + Counted(w.Elements, "element") + " at once: " + w.Limit}
	}
	if len(a.Alternatives) > 0 && conflict >= 0 {
		shared = append(shared, a.alternatives())
	}
	if !a.Sectors {
		global = nil
	}
	p.paragraph(slices.Concat(shared, global, widest, []string{p.heading(a.Tensor)})...)
	for i, t := range a.Totals {
		if t.Ways > 1 && a.Banks {
			p.paragraph("")
			p.pre(bankLines(p, a.Walks[i], t))
		}
	}
}

// lanes returns the number of lanes of a walk, and of their requests, in words.
func (a Access) lanes(i int) string {
	w, n := a.Walks[i], a.Totals[i].Requests
	words := Counted(w.Lanes(), "lane") + " × " + Counted(w.Bytes(), "byte")
	if n > 1 {
		words += ", " + Counted(n, "request")
	}
	return words
}

// parts describes the positions of the lanes of a walk.
func (a Access) parts(i int) string {
	if of := a.Walks[i].Instruction; of != nil {
		return "lanes of " + of.Name
	}
	if o := a.Walks[i].Owner; o != nil {
		return "lanes of " + o.Name()
	}
	var parts []string
	for _, part := range a.Walks[i].Parts {
		parts = append(parts, a.Tensor.Layout().AxisName(part.Axis)+"="+text(part.Lanes))
	}
	return "lanes " + strings.Join(parts, ",")
}

// shared describes the cost of a walk in shared memory.
func (a Access) shared(p *Printer, who string, i int) []string {
	t := a.Totals[i]
	lines := []string{who + ", " + Counted(t.Phases, "phase") + ": " +
		p.palette.Title(Counted(t.Wavefronts, "wavefront")) + ", ideal " + Group(t.Phases)}
	if t.Ways > 1 {
		lanes, words := t.Spot.Conflict()
		where := ""
		if t.Requests > 1 {
			where = fmt.Sprintf("worst at %s: %s, ideal %d; ", p.position(a.Tensor.Layout(), t.Spot.Index),
				Counted(t.Worst.Wavefronts, "wavefront"), t.Worst.Phases)
		}
		if of := a.Walks[i].Instruction; of != nil && of.IsMatrix() {
			first := 8 * t.Spot.Phase
			where += fmt.Sprintf("matrix %d (lanes %d-%d): bank %d has %s", t.Spot.Phase, first, first+7, t.Spot.Bank,
				wording.Count(words, "word"))
		} else {
			where += fmt.Sprintf("bank %d has %s (lanes %s)", t.Spot.Bank, wording.Count(words, "word"), ranges(lanes))
		}
		lines = append(lines, "  "+where)
	}
	return lines
}

// global describes the cost of a walk in global memory.
func (a Access) global(p *Printer, i int) string {
	t := a.Totals[i]
	return fmt.Sprintf("%s, ideal %s, in %s; %s of %s used (%d%%)", p.palette.Title(Counted(t.Sectors, "sector")),
		Group(t.Ideal), Counted(t.Lines, "line"), Group(t.Used), Counted(t.Moved(), "byte"),
		t.Used*100/max(t.Moved(), 1))
}

// alternatives names layouts without conflicts.
func (a Access) alternatives() string {
	names := make([]string, len(a.Alternatives))
	for i, c := range a.Alternatives {
		names[i] = c.name()
	}
	return "  no conflict with " + strings.Join(names, ", nor with ")
}

// name returns the text to type for the layout.
func (c Alternative) name() string { return cmp.Or(c.Flag, c.Text) }

// ranges formats sorted numbers, with a dash between the first and the last of consecutive numbers.
func ranges(list []int64) string {
	var parts []string
	for i := 0; i < len(list); {
		k := i
		for k+1 < len(list) && list[k+1] == list[k]+1 {
			k++
		}
		part := text(list[i])
		if k > i {
			part += "-" + text(list[k])
		}
		parts, i = append(parts, part), k+1
	}
	if most := 8; len(parts) > most {
		parts = append(parts[:most], "...")
	}
	return strings.Join(parts, ", ")
}

// bankLines draws the words of the worst phase: one column for each bank, and one cell for the first lane that reads a
// word.
func bankLines(p *Printer, w *access.Walk, t access.Total) (lines []string) {
	const most = 8 // words in a bank
	columns, cells := int(w.Unit.Banks), make([][]string, w.Unit.Banks)
	for _, word := range t.Spot.Words {
		cells[word.Bank] = append(cells[word.Bank], fmt.Sprint(word.Lanes[0]))
	}
	for p.options.Width < len("lane")+3*columns && columns > 8 {
		columns /= 2
	}
	for from := 0; from < len(cells); from += columns {
		band, rows, head := cells[from:from+columns], 0, "bank"
		for i, of := range band {
			head += fmt.Sprintf("%3d", from+i)
			rows = max(rows, min(len(of), most))
		}
		if rows == 0 {
			head = fmt.Sprintf("no words in banks %d to %d", from, from+columns-1)
		}
		lines = append(lines, p.palette.Faint(head))
		for row := range rows {
			line := "    "
			if row == 0 {
				line = "lane"
			}
			for _, of := range band {
				cell := "·"
				if row < len(of) {
					cell = of[row]
				}
				line += strings.Repeat(" ", 3-Columns(cell)) + cell
			}
			lines = append(lines, line)
		}
	}
	if t.Ways > most {
		lines = append(lines, fmt.Sprintf("and so on: %s in a bank", wording.Count(t.Ways, "word")))
	}
	return lines
}

// Alternatives are layouts with the minimum number of wavefronts, or otherwise the best ones.
type Alternatives struct {
	Tensor layout.Tensor
	Try    string // the kind of layouts, for messages
	List   []Alternative
	Ideal  int64
}

func (a Alternatives) plain(p *Printer) {
	for _, c := range a.List {
		p.w.Line(cmp.Or(c.value(), c.Text))
	}
}

// value returns the value of the flag for a layout.
func (c Alternative) value() string {
	_, value, _ := strings.Cut(c.Flag, " ")
	return value
}

func (a Alternatives) tree() Object {
	all := make([]Object, len(a.List))
	for i, c := range a.List {
		all[i] = Object{
			{"flag", orNull(c.Flag, c.Flag != "")}, {"cute", orNull(c.Text, c.Text != "")},
			{"swizzle", swizzleTree(c.Layout)}, {"pad", c.Pad}, {"wavefronts", c.Wavefronts},
		}
	}
	return Document("access", Field{"tensor", later(a.Tensor)}, Field{"try", a.Try}, Field{"ideal", a.Ideal},
		Field{"conflictFree", a.List[0].Wavefronts == a.Ideal}, Field{"alternatives", all})
}

func (a Alternatives) records(_ *Printer) grid {
	flag := "pitch"
	if a.List[0].Axis < 0 {
		flag = "swizzle"
	}
	g := grid{header: []string{flag, "wavefronts", "ideal", "cute"}, left: []int{0, 3}, spare: []int{3}}
	for _, c := range a.List {
		g.rows = append(g.rows, []string{c.value(), text(c.Wavefronts), text(a.Ideal), c.Text})
	}
	return g
}

func (a Alternatives) page(p *Printer) {
	best := a.List[0]
	isAsBefore, counts := best.Layout.Equal(a.Tensor.Layout().Affine()), Counted(best.Wavefronts, "wavefront")
	line := p.palette.Title(best.name()) + " has no conflict: " + counts
	switch {
	case best.Wavefronts > a.Ideal && isAsBefore:
		line = "none of the " + a.Try + " tried helps: " + counts + ", ideal " + Group(a.Ideal)
	case best.Wavefronts > a.Ideal:
		line = p.palette.Title(best.name()) + " has the fewest conflicts of the " + a.Try + " tried: " + counts +
			", ideal " + Group(a.Ideal)
	case isAsBefore:
		line = "none is needed: " + counts + ", ideal " + Group(a.Ideal)
	}
	p.paragraph(line, p.heading(a.Tensor), "")
	p.table(a.records(p))
}

// Caption returns the caption of a picture of the worst request of walk i: of its words in the banks, or its sectors.
func (a Access) Caption(i int, sectors bool) Caption {
	p, who := captions(), a.lanes(i)
	if len(a.Walks) > 1 {
		who = a.parts(i) + ": " + who
	}
	lines := []string{who + ": " + a.global(p, i)}
	if !sectors {
		lines = a.shared(p, who, i)
		for k := range lines {
			lines[k] = strings.TrimSpace(lines[k])
		}
	}
	if a.Totals[i].Requests > 1 {
		lines = append(lines, "the picture has the worst request, which starts at "+
			p.position(a.Tensor.Layout(), a.Totals[i].Spot.Index))
	}
	return Caption{p.heading(a.Tensor), []string{""}, lines}
}
