package render

import (
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/access"
)

// Loops is the reads of loops over a tensor.
type Loops struct {
	Tensor layout.Tensor
	Loops  []access.Loop
	Reuse  []access.Reuse
}

// counts returns the numbers of a loop.
func (a Loops) counts(i int) []int64 {
	r := a.Reuse[i]
	return []int64{r.Reads, r.Lines, r.Changes, r.Misses}
}

// names returns the axes of a loop, as written in --loops.
func (a Loops) names(i int) string {
	return strings.Join(someNames(a.Tensor.Layout(), a.Loops[i].Axes), ",")
}

func (a Loops) plain(p *Printer) {
	for i := range a.Reuse {
		p.w.Line(layout.JoinInts(a.counts(i), ","))
	}
}

func (a Loops) tree() Object {
	all := make([]Object, len(a.Reuse))
	for i, r := range a.Reuse {
		all[i] = Object{
			{"loops", someNames(a.Tensor.Layout(), a.Loops[i].Axes)}, {"cacheLine", a.Loops[i].Line},
			{"cacheLines", int64(a.Loops[i].Lines)}, {"reads", r.Reads}, {"lines", r.Lines},
			{"lineChanges", r.Changes}, {"misses", r.Misses},
		}
	}
	return accesses(Document("access", Field{"tensor", later(a.Tensor)}), all)
}

func (a Loops) records(_ *Printer) grid {
	g := grid{header: []string{"loops", "reads", "lines", "changes", "misses"}, left: []int{0}}
	for i := range a.Reuse {
		g.rows = append(g.rows, append([]string{a.names(i)}, intTexts(a.counts(i))...))
	}
	return g
}

func (a Loops) page(p *Printer) {
	best := 0
	for i, r := range a.Reuse {
		if r.Misses < a.Reuse[best].Misses {
			best = i
		}
	}
	loop, r := a.Loops[best], a.Reuse[best]
	line := p.palette.Title(Group(r.Misses)) + " of " + Counted(r.Reads, "read") + " miss a cache of " +
		Counted(int64(loop.Lines), "line") + " of " + Counted(loop.Line, "byte")
	if len(a.Loops) > 1 {
		line = "--loops " + a.names(best) + " is best: " + line
	}
	p.paragraph(line, p.heading(a.Tensor), "")
	p.table(a.records(p))
}
