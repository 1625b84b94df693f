package render

import (
	"fmt"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/view"
)

// Chain writes the first tensor of a chain of views, and the result of each step, up to one that fails.
func (p *Printer) Chain(start layout.Tensor, steps []view.Step, views []view.View) error {
	return p.print(chainAnswer{start, steps, views})
}

type chainAnswer struct {
	start layout.Tensor
	steps []view.Step
	views []view.View
}

// tensor returns the tensor after n steps.
func (a chainAnswer) tensor(n int) layout.Tensor {
	if n == 0 {
		return a.start
	}
	return a.views[n-1].Tensor
}

func (a chainAnswer) last() layout.Tensor { return a.tensor(len(a.views)) }

func (a chainAnswer) plain(p *Printer) { p.strides(a.last().Layout()) }

func (a chainAnswer) tree() Object {
	steps := make([]Object, len(a.views))
	for i, v := range a.views {
		steps[i] = Object{
			{"step", a.steps[i].String()}, {"tensor", later(v.Tensor)}, {"kind", kindOf(v)}, {"why", v.Why},
		}
	}
	return Document("view", Field{"from", later(a.start)}, Field{"steps", steps}, Field{"tensor", later(a.last())})
}

func kindOf(v view.View) string {
	if v.Copied {
		return "copy"
	}
	return "view"
}

func (a chainAnswer) records(_ *Printer) grid {
	g := grid{header: []string{"step", "sizes", "strides", "offset", "contiguous", "kind"}, left: []int{0, 1, 2, 4, 5}}
	g.rows = append(g.rows, chainRow("", a.start, ""))
	for i, v := range a.views {
		g.rows = append(g.rows, chainRow(Clean(a.steps[i].String()), v.Tensor, kindOf(v)))
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
	case facts.Contiguous(l):
		return "yes"
	case facts.ChannelsLast(l):
		return "channels_last"
	}
	return "no"
}

func (a chainAnswer) page(p *Printer) {
	if len(a.views) == len(a.steps) { // none has failed
		p.paragraph(a.answer(p))
	}
	p.paragraph(p.heading(a.start), "")
	g := a.records(p)
	g.texts, g.least, g.spare = 0, 8, []int{4, 3, 5}
	for i, row := range g.rows {
		l := a.tensor(i).Layout()
		row[1] = strings.Join(NewPalette(NoColors).labelled(l, l.Sizes(), ""), ",")
		row[2] = p.palette.Title(row[2])
	}
	p.table(g)
	if notes := a.notes(facts.Of(a.last().Layout())); len(notes) > 0 {
		p.paragraph("")
		p.paragraph(notes...)
	}
}

// answer has the sizes and strides after the last step, and whether a step copied.
func (a chainAnswer) answer(p *Printer) string {
	last := a.last()
	line := "sizes " + layout.JoinInts(last.Layout().Sizes(), ",")
	if last.Layout().Rank() == 0 {
		line = "a scalar"
	}
	line += ", " + p.stridesLine(last)
	copies := 0
	for i, v := range a.views {
		if v.Copied {
			if copies++; copies == 1 {
				line += "; a copy by " + Clean(a.steps[i].String())
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
func (a chainAnswer) notes(f facts.Facts) []string {
	var notes []string
	for i, v := range a.views {
		if v.Why != "" {
			notes = append(notes, Clean(a.steps[i].String())+": "+v.Why)
		}
	}
	if f.Overlapping == facts.Yes {
		notes = append(notes, "the last tensor's elements overlap")
	}
	if len(f.Broadcast) > 0 {
		notes = append(notes, "the last tensor is broadcast along "+axisText(a.last().Layout(), f.Broadcast))
	}
	return notes
}
