package render

import (
	"cmp"
	"iter"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/shape"
)

// A Topic is a subject of explain, such as a notation or a type.
type Topic struct {
	Kind, Name string
	Title      string // one line about it
	Parts      []Part
}

// A Part is one fact about a topic.
type Part struct {
	Name string // its field in JSON
	Text string // one line or several
	Code bool   // Text is to be copied

	Value any // in JSON, instead of Text; may be nil
}

// MatrixKind is the kind of a topic that is a matrix descriptor.
const MatrixKind = "matrix-descriptor"

// InstructionKind is the kind of a topic that is an instruction descriptor.
const InstructionKind = "instruction-descriptor"

// The parts of a rule with examples: a file that breaks it, and the fixed file.
const (
	Fails  = "fails"
	Passes = "passes"
)

func (a Topic) plain(p *Printer) {
	for _, part := range a.Parts {
		p.w.Line(part.Name, ": ", strings.ReplaceAll(part.Text, "\n", " "))
	}
}

func (a Topic) tree() Object {
	kind := cmp.Or(a.part("kind"), a.Kind) // for an instruction descriptor, the kind of the instruction
	tree := Document("explain", Field{"kind", kind}, Field{"name", a.Name}, Field{"title", a.Title})
	for _, part := range a.Parts {
		if part.Name == "kind" {
			continue
		}
		tree = append(tree, Field{part.Name, cmp.Or[any](part.Value, part.Text)})
	}
	return tree
}

func (a Topic) records(_ *Printer) grid {
	g := grid{header: []string{"part", "text"}}
	for _, part := range a.Parts {
		g.rows = append(g.rows, []string{part.Name, part.Text})
	}
	return g
}

func (a Topic) page(p *Printer) {
	p.paragraph(p.palette.Title(a.Name) + " · " + a.Title)
	headers := map[string]string{"type": "spelling", MatrixKind: "value", InstructionKind: "value"}
	if header := headers[a.Kind]; header != "" {
		p.paragraph("")
		p.table(grid{header: []string{"", header}, rows: a.records(p).rows, left: []int{0, 1}})
		return
	}
	for _, part := range a.Parts {
		p.paragraph("", p.palette.Faint(part.Name+":"))
		switch {
		case part.Name == Fails:
			p.example(part.Text, a.part(Passes), p.palette.Bad)
		case part.Name == Passes:
			p.example(part.Text, a.part(Fails), p.palette.Title)
		case part.Name == "grammar" && p.options.Format != Markdown: // it is not to be copied
			p.paragraph(strings.Split(part.Text, "\n")...)
		case part.Code:
			p.verbatim(part.Text)
		default:
			p.paragraph(strings.Split(part.Text, "\n")...)
		}
	}
}

func (a Topic) part(name string) string {
	for _, part := range a.Parts {
		if part.Name == name {
			return part.Text
		}
	}
	return ""
}

// Topics are printed one per line.
type Topics []Topic

func (a Topics) plain(p *Printer) {
	for _, t := range a {
		p.w.Line(t.Name)
	}
}

func (a Topics) tree() Object {
	list := make([]Object, len(a))
	for i, t := range a {
		list[i] = t.summary()
	}
	return Document("explain", Field{"topics", list})
}

func (a Topic) summary() Object {
	return Object{{"kind", a.Kind}, {"name", a.Name}, {"title", a.Title}}
}

func (a Topics) records(p *Printer) grid {
	g := grid{header: []string{"kind", "name", "about"}, left: []int{0, 1, 2}}
	g.texts, g.least, g.spare = 2, leastAbout, []int{0}
	for _, t := range a {
		g.rows = append(g.rows, []string{t.Kind, p.palette.Title(t.Name), t.Title})
	}
	return g
}

func (a Topics) page(p *Printer) { p.table(a.records(p)) }

// leastAbout is the minimum width of a column with sentences.
const leastAbout = 15

// A TopicGroup is the topics about one subject.
type TopicGroup struct {
	Name, About string
	Topics      Topics
}

// TopicGroups are printed one per line for people. For programs, they are their topics.
type TopicGroups []TopicGroup

// Topics returns the topics of all groups.
func (a TopicGroups) Topics() (list Topics) {
	for _, g := range a {
		list = append(list, g.Topics...)
	}
	return list
}

func (a TopicGroups) plain(p *Printer) { a.Topics().plain(p) }

func (a TopicGroups) records(p *Printer) grid { return a.Topics().records(p) }

func (a TopicGroups) tree() Object {
	list := []Object{}
	for _, g := range a {
		for _, t := range g.Topics {
			list = append(list, append(t.summary(), Field{"group", g.Name}))
		}
	}
	return Document("explain", Field{"topics", list})
}

// page writes a line for each group. If there is only one, it writes its topics.
func (a TopicGroups) page(p *Printer) {
	if len(a) == 1 {
		a[0].Topics.page(p)
		return
	}
	g := grid{header: []string{"group", "topics", "about"}, left: []int{0, 2}, texts: 2, least: leastAbout}
	for _, group := range a {
		count := text(int64(len(group.Topics)))
		g.rows = append(g.rows, []string{p.palette.Title(group.Name), count, group.About})
	}
	p.table(g)
	p.paragraph("", "layoutcalc explain "+a[0].Name+" lists a group; explain TOPIC explains a topic")
}

// A Build has the facts about a build of the program.
type Build struct {
	Version  string
	Commit   string // empty if unknown
	Date     string // the commit's date, as in RFC 3339; empty if unknown
	Modified bool   // the files differed from the commit
	Go       string
	Platform string
}

func (a Build) plain(p *Printer) { p.w.Line(a.Version) }

func (a Build) tree() Object {
	return Document("version", Field{"version", a.Version}, Field{"commit", orNull(a.Commit, a.Commit != "")},
		Field{"date", orNull(a.Date, a.Date != "")}, Field{"modified", orNull(a.Modified, a.Commit != "")},
		Field{"go", a.Go}, Field{"platform", a.Platform})
}

func (a Build) records(_ *Printer) grid {
	return grid{
		header: []string{"version", "commit", "date", "go", "platform"},
		rows:   [][]string{{a.Version, a.Commit, a.Date, a.Go, a.Platform}},
	}
}

func (a Build) page(p *Printer) {
	line := "layoutcalc " + a.Version + " (" + a.Go + ", " + a.Platform
	if a.Commit != "" {
		line += ", commit " + a.Commit[:min(len(a.Commit), 12)]
	}
	if day, _, ok := strings.Cut(a.Date, "T"); ok {
		line += " of " + day
	}
	if a.Modified {
		line += " with changes"
	}
	p.paragraph(line + ")")
}

// DType describes a type in a few words: its size and its other names.
func DType(d layout.DType) string {
	words := Counted(d.Bits(), "bit")
	for _, system := range [...]layout.System{layout.DirectML, layout.NumPy, layout.XLA} {
		if spelling := d.In(system); spelling != "" && spelling != d.String() {
			words += ", " + spelling
		}
	}
	return words
}

// Axes yields the names of axes for flags, and their sizes in words. Axes without names have DirectML's names for their
// rank.
func Axes(t layout.Tensor) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		l := t.Layout()
		for i := range l.Rank() {
			if !yield(shape.FlagName(l, i), "size "+Group(l.Axis(i).Size())) {
				return
			}
		}
	}
}
