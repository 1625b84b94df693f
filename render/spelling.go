package render

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/notation"
)

// A Spelling is a tensor in another notation, with the sizes of its storage in that system.
type Spelling struct {
	Notation string
	Text     string
	Sizes    []notation.Size
}

// Spellings writes the tensors of a command, one or two, in other notations; for the command size it writes the sizes
// of their storage in those systems.
func (p *Printer) Spellings(command string, tensors []layout.Tensor, lists [][]Spelling) error {
	return p.print(spellings{command, slices.Clone(tensors), lists}) // a copy keeps the caller's off the heap
}

type spellings struct {
	command string
	tensors []layout.Tensor
	lists   [][]Spelling
}

// roles returns the fields of the tensors in the command's JSON.
func (a spellings) roles() []string {
	switch a.command {
	case "compare":
		return []string{"a", "b"}
	case "convert":
		return []string{"from", "to"}
	}
	return []string{"tensor"}
}

// sized reports whether the answer is about sizes.
func (a spellings) sized() bool { return a.command == "size" }

func (a spellings) plain(p *Printer) {
	for _, list := range a.lists {
		for _, s := range list {
			answer, separator := s.Text, ": "
			if a.sized() {
				answer, separator = text(s.Sizes[0].Bytes), " "
			}
			if len(list) > 1 {
				answer = s.Notation + separator + strings.ReplaceAll(answer, "\n", " ")
			}
			p.w.Line(answer)
		}
	}
}

func (a spellings) tree() Object {
	tree := Document(a.command)
	for i, role := range a.roles() {
		tree = append(tree, Field{role, later(a.tensors[i])})
	}
	list := []Object{}
	for i, role := range a.roles() {
		for _, s := range a.lists[i] {
			sizes := make([]Object, len(s.Sizes))
			for k, size := range s.Sizes {
				sizes[k] = Object{{"figure", size.Figure}, {"elements", size.Elements}, {"bytes", size.Bytes}}
			}
			list = append(list, Object{{"of", role}, {"notation", s.Notation}, {"text", s.Text}, {"sizes", sizes}})
		}
	}
	return append(tree, Field{"notations", list})
}

func (a spellings) records(p *Printer) grid {
	if a.sized() {
		return a.figures(p)
	}
	g := grid{header: []string{"of", "notation", "text"}}
	for i, role := range a.roles() {
		for _, s := range a.lists[i] {
			g.rows = append(g.rows, []string{role, s.Notation, s.Text})
		}
	}
	return g
}

// figures returns a row for each figure.
func (a spellings) figures(p *Printer) grid {
	g := grid{header: []string{"notation", "figure", "elements", "bytes"}, left: []int{0, 1}}
	g.texts, g.least, g.spare = 1, len("figure"), []int{2}
	for _, s := range a.lists[0] {
		for _, size := range s.Sizes {
			g.rows = append(g.rows, []string{
				p.palette.Title(s.Notation), size.Figure, text(size.Elements), text(size.Bytes),
			})
		}
	}
	return g
}

func (a spellings) page(p *Printer) {
	if a.sized() {
		p.paragraph(p.heading(a.tensors[0]), "")
		p.table(a.figures(p))
		return
	}
	for i, list := range a.lists {
		for k, spelling := range list {
			if len(list) > 1 {
				if i+k > 0 {
					p.paragraph("")
				}
				p.paragraph(p.palette.Title(spelling.Notation))
			}
			words := spelling.Text
			if facts := memoryFormat(a.tensors[i].Layout()); spelling.Notation == "pytorch" && facts != "" {
				words += "\n# " + facts
			}
			p.verbatim(words)
		}
	}
}
