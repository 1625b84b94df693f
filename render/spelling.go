package render

import (
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

// Spellings are the tensors of a command, one or two, in other notations. For the command size, they are the sizes of
// their storage in those systems.
type Spellings struct {
	Command string
	Tensors []layout.Tensor
	Lists   [][]Spelling // one for each tensor
}

// roles returns the fields of the tensors in the command's JSON.
func (a Spellings) roles() []string {
	switch a.Command {
	case "compare":
		return []string{"a", "b"}
	case "convert":
		return []string{"from", "to"}
	}
	return []string{"tensor"}
}

// sized reports whether the answer is about sizes.
func (a Spellings) sized() bool { return a.Command == "size" }

func (a Spellings) plain(p *Printer) {
	for _, list := range a.Lists {
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

func (a Spellings) tree() Object {
	tree := Document(a.Command)
	for i, role := range a.roles() {
		tree = append(tree, Field{role, later(a.Tensors[i])})
	}
	list := []Object{}
	for i, role := range a.roles() {
		for _, s := range a.Lists[i] {
			sizes := make([]Object, len(s.Sizes))
			for k, size := range s.Sizes {
				sizes[k] = Object{{"figure", size.Figure}, {"elements", size.Elements}, {"bytes", size.Bytes}}
			}
			list = append(list, Object{{"of", role}, {"notation", s.Notation}, {"text", s.Text}, {"sizes", sizes}})
		}
	}
	return append(tree, Field{"notations", list})
}

func (a Spellings) records(p *Printer) grid {
	if a.sized() {
		return a.figures(p)
	}
	g := grid{header: []string{"of", "notation", "text"}}
	for i, role := range a.roles() {
		for _, s := range a.Lists[i] {
			g.rows = append(g.rows, []string{role, s.Notation, s.Text})
		}
	}
	return g
}

// figures returns a row for each figure.
func (a Spellings) figures(p *Printer) grid {
	g := grid{header: []string{"notation", "figure", "elements", "bytes"}, left: []int{0, 1}}
	g.texts, g.least = 1, len("figure")
	for _, s := range a.Lists[0] {
		for _, size := range s.Sizes {
			g.rows = append(g.rows, []string{
				p.palette.Title(s.Notation), size.Figure, text(size.Elements), text(size.Bytes),
			})
		}
	}
	return g
}

func (a Spellings) page(p *Printer) {
	if a.sized() {
		p.paragraph(p.heading(a.Tensors[0]), "")
		p.table(a.figures(p))
		return
	}
	for i, list := range a.Lists {
		for k, spelling := range list {
			if len(list) > 1 {
				if i+k > 0 {
					p.paragraph("")
				}
				p.paragraph(p.palette.Title(spelling.Notation))
			}
			words := spelling.Text
			if facts := memoryFormat(a.Tensors[i].Layout()); spelling.Notation == "pytorch" && facts != "" {
				words += "\n# " + facts
			}
			p.verbatim(words)
		}
	}
}
