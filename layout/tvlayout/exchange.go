package tvlayout

import (
	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// An Exchange counts the values of an ownership by how far away the nearest is that another ownership has of their
// elements: each value once.
type Exchange struct {
	Register int64   // the same value of the same thread
	Thread   int64   // another value of the thread
	Warp     int64   // another lane of the warp
	Block    int64   // another warp of the block
	Cluster  int64   // another block
	Unheld   int64   // no thread holds it
	First    []int64 // the first element, in row-major order, with different holders; may be nil
}

// To returns how values move from one ownership of a tile to another.
func (o *Ownership) To(other *Ownership) (Exchange, error) {
	var e Exchange
	for _, of := range []*Ownership{o, other} {
		if err := of.CheckWhole(); err != nil {
			return e, err
		}
	}
	if have, want := o.tile.Sizes(), other.tile.Sizes(); layout.SizesText(have) != layout.SizesText(want) {
		return e, lexer.Refuse("give both the same tile", "the tile of one is %s, and that of the other %s",
			layout.SizesText(have), layout.SizesText(want))
	}
	if n := other.layout.Elements(); n > MaxTile {
		return e, lexer.Refuse("", "%d values are over the limit of %d", n, MaxTile)
	}
	from, to := o.Holders(), other.Holders()
	for index := range o.tile.All() {
		number, err := o.tile.Offset(index)
		if err != nil {
			return e, err
		}
		have, _ := from.Of(number)
		if number, err = other.tile.Offset(index); err != nil {
			return e, err
		}
		want, count := to.Of(number)
		same := len(have) == len(want)
		for i, holder := range want {
			*e.count(holder, have)++
			same = same && i < len(have) && [4]int64(have[i]) == [4]int64(holder)
		}
		if count > int64(len(want)) {
			return e, lexer.Refuse("", "an element has %s: up to %d are compared", wording.Count(count, "holder"),
				len(want))
		}
		if !same && e.First == nil {
			e.First = append(e.First, index...)
		}
	}
	return e, nil
}

// count returns the counter for a holder, given the holders that have its element.
func (e *Exchange) count(holder []int64, have [][]int64) *int64 {
	counters := [...]*int64{&e.Unheld, &e.Cluster, &e.Block, &e.Warp, &e.Thread, &e.Register}
	nearest := 0
	for _, h := range have {
		near := 1
		for axis := Block; axis <= Value && h[axis] == holder[axis]; axis++ {
			near++
		}
		nearest = max(nearest, near)
	}
	return counters[nearest]
}
