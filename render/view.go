package render

import (
	"fmt"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/view"
)

// A Chain is a tensor, view steps, and the result of each step, up to one that fails.
type Chain struct {
	Start layout.Tensor
	Steps []view.Step
	Views []view.View
}

// tensor returns the tensor after n steps.
func (a Chain) tensor(n int) layout.Tensor {
	if n == 0 {
		return a.Start
	}
	return a.Views[n-1].Tensor
}

func (a Chain) last() layout.Tensor { return a.tensor(len(a.Views)) }

func (a Chain) plain(p *Printer) { p.strides(a.last().Layout()) }

func (a Chain) tree() Object {
	steps := make([]Object, len(a.Views))
	for i, v := range a.Views {
		steps[i] = Object{
			{"step", a.Steps[i].String()}, {"tensor", later(v.Tensor)}, {"kind", kindOf(v)}, {"why", v.Why},
		}
	}
	return Document("view", Field{"from", later(a.Start)}, Field{"steps", steps}, Field{"tensor", later(a.last())})
}

func kindOf(v view.View) string {
	if v.Copied {
		return "copy"
	}
	return "view"
}

func (a Chain) records(_ *Printer) grid {
	g := grid{header: []string{"step", "sizes", "strides", "offset", "contiguous", "kind"}, left: []int{0, 1, 2, 4, 5}}
	g.rows = append(g.rows, chainRow("", a.Start, ""))
	for i, v := range a.Views {
		g.rows = append(g.rows, chainRow(Clean(a.Steps[i].String()), v.Tensor, kindOf(v)))
	}
	return g
}

func chainRow(step string, t layout.Tensor, kind string) []string {
	l := t.Layout()
	return []string{step, layout.JoinInts(l.Sizes(), ","), strideText(l), text(l.Base()), contiguity(l), kind}
}

// contiguity returns PyTorch's memory format in a word.
func contiguity(l layout.Layout) string {
	switch {
	case analysis.Contiguous(l):
		return "yes"
	case analysis.ChannelsLast(l):
		return "channels_last"
	}
	return "no"
}

func (a Chain) page(p *Printer) {
	if len(a.Views) == len(a.Steps) { // no step has failed
		p.paragraph(a.answer(p))
	}
	p.paragraph(p.heading(a.Start), "")
	g := a.records(p)
	g.texts, g.least = 0, 8
	for i, row := range g.rows {
		l := a.tensor(i).Layout()
		row[1] = strings.Join(NewPalette(NoColors).labelled(l, l.Sizes(), ""), ",")
		row[2] = p.palette.Title(row[2])
	}
	p.table(g)
	if notes := a.notes(analysis.Of(a.last().Layout())); len(notes) > 0 {
		p.paragraph("")
		p.paragraph(notes...)
	}
}

// answer states the sizes and strides after the last step, and whether a step copied.
func (a Chain) answer(p *Printer) string {
	last := a.last()
	line := "sizes " + layout.JoinInts(last.Layout().Sizes(), ",")
	if last.Layout().Rank() == 0 {
		line = "a scalar"
	}
	line += ", " + p.stridesLine(last)
	copies := 0
	for i, v := range a.Views {
		if v.Copied {
			if copies++; copies == 1 {
				line += "; a copy by " + Clean(a.Steps[i].String())
			}
		}
	}
	switch {
	case copies > 1:
		line += fmt.Sprintf(" and %s more", Counted(int64(copies-1), "step"))
	case copies == 0:
		line += "; a view"
	}
	return line
}

// notes returns the reasons of copies, and facts about the last tensor, from f.
func (a Chain) notes(f analysis.Facts) []string {
	var notes []string
	for i, v := range a.Views {
		if v.Why != "" {
			notes = append(notes, Clean(a.Steps[i].String())+": "+v.Why)
		}
	}
	if f.Overlapping == analysis.Yes {
		notes = append(notes, "the last tensor's elements overlap")
	}
	if len(f.Broadcast) > 0 {
		notes = append(notes, "the last tensor is broadcast along "+axisText(a.last().Layout(), f.Broadcast))
	}
	return notes
}
