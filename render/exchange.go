package render

import (
	"strings"

	"layoutcalc/layout/tvlayout"
)

// An Exchange is the elements that move between holders in two ownerships of a tile.
type Exchange struct {
	From, To *tvlayout.Ownership
	tvlayout.Exchange
}

// A way is how values reach their new holders: the word for programs, and sentences.
type way struct {
	word, from, verdict string
	count               int64
}

// ways lists the ways of the values, the shortest first.
func (x Exchange) ways() []way {
	return []way{
		{"register", "their own register", "nothing moves", x.Register},
		{"thread", "another register of their thread", "values change registers, threads exchange nothing", x.Thread},
		{"warp", "another lane of their warp", "lanes of a warp exchange values: shuffles do", x.Warp},
		{"block", "another warp of their block", "warps exchange values: shared memory does", x.Block},
		{"cluster", "another block", "blocks of a cluster exchange values", x.Cluster},
		{"unassigned", "nobody", "elements have no holder before", x.Unheld},
	}
}

// worst returns the longest way of any value.
func (x Exchange) worst() (worst way) {
	for _, w := range x.ways() {
		if w.count > 0 {
			worst = w
		}
	}
	return worst
}

func (x Exchange) plain(p *Printer) {
	for i, w := range x.ways()[:4] {
		if i > 0 {
			p.w.Text(",")
		}
		p.w.Number(w.count)
	}
	p.w.Line()
}

func (x Exchange) tree() Object {
	var counts Object
	for _, w := range x.ways() {
		counts = append(counts, Field{w.word, w.count})
	}
	return append(ofOwner(x.From), Field{"to", ownerTree(x.To)}, Field{"stay", counts}, Field{"worst", x.worst().word},
		Field{"firstDifference", orNull(x.First, x.First != nil)})
}

func (x Exchange) records(*Printer) grid {
	g := grid{header: []string{"values", "come from"}, left: []int{1}}
	for _, w := range x.ways() {
		if w.count > 0 {
			g.rows = append(g.rows, []string{text(w.count), w.from})
		}
	}
	return g
}

func (x Exchange) page(p *Printer) {
	p.paragraph(p.palette.Title(x.worst().verdict)+": "+x.From.Name()+" to "+x.To.Name(), "")
	p.table(x.records(p))
	if x.First != nil {
		list := holding{o: x.From, index: x.First}
		p.paragraph("", "the first element with different holders is "+list.at())
	}
}

// Holding writes whether two ownerships of a tile have the same holders, and otherwise the holders of the first element
// that differs.
func (p *Printer) Holding(a, b *tvlayout.Ownership, first []int64) error {
	return p.Print(comparedHolding{holding{o: a, index: first}, holding{o: b, index: first}})
}

type comparedHolding struct{ a, b holding }

// isSame reports whether all elements have the same holders.
func (c comparedHolding) isSame() bool { return c.a.index == nil }

// list returns the holders of the element.
func (r *holding) list() [][]int64 {
	if r.index == nil {
		return nil
	}
	number, _ := r.o.Tile().Offset(r.index)
	list, _ := r.o.Holders().Of(number)
	return list
}

// places returns the holders of the element as objects.
func (r *holding) places() []Object {
	places := []Object{}
	for _, holder := range r.list() {
		places = append(places, r.place(holder))
	}
	return places
}

// who describes the holders of the element.
func (r *holding) who() string {
	const most = 4
	var words []string
	list := r.list()
	for _, holder := range list[:min(len(list), most)] {
		words = append(words, r.words(holder))
	}
	switch {
	case words == nil:
		return "nobody"
	case len(list) > most:
		words = append(words, "and others")
	}
	return strings.Join(words, "; ")
}

func (c comparedHolding) plain(p *Printer) { p.w.Line(sameWord(c.isSame())) }

func (c comparedHolding) tree() Object {
	first := any(nil)
	if !c.isSame() {
		first = Object{{"index", c.a.index}, {"a", c.a.places()}, {"b", c.b.places()}}
	}
	return Document("compare", Field{"a", ownerTree(c.a.o)}, Field{"b", ownerTree(c.b.o)}, Field{"same", c.isSame()},
		Field{"firstDifference", first})
}

func (c comparedHolding) records(_ *Printer) grid {
	g := grid{header: []string{"index", "a", "b"}, left: []int{0, 1, 2}}
	if !c.isSame() {
		g.rows = append(g.rows, []string{c.a.at(), c.a.who(), c.b.who()})
	}
	return g
}

func (c comparedHolding) page(p *Printer) {
	if c.isSame() {
		p.paragraph(p.palette.Title("same") + ": every element has the same holders in both")
		return
	}
	p.paragraph(p.palette.Title("different")+": "+c.a.at()+" is the first element that has different holders",
		"  A: "+c.a.who(), "  B: "+c.b.who())
}
