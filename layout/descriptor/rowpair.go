package descriptor

import (
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
)

// A RowPart is a part of a row that may differ between two listings.
type RowPart uint8

// The parts of rows, as bits of a set.
const (
	RowType RowPart = 1 << iota
	RowSizes
	RowLayout
	RowBytes
	RowRole
	RowValues // the elements, which PairRows does not compare
)

// A RowPair is a tensor that two listings have under the same name, or that one of them has.
type RowPair struct {
	A, B    *Row    // nil in the listing without it
	Differs RowPart // a set
}

// IsSame reports whether both listings have the tensor, and nothing differs.
func (p *RowPair) IsSame() bool { return p.A != nil && p.B != nil && p.Differs == 0 }

// PairRows returns the tensors of two listings: the tensors of a in order, followed by the ones that only b has. If
// several tensors have the same name, the first is paired with the first, the second with the second.
func PairRows(a, b *Listing) []RowPair {
	type key struct {
		name string
		nth  int
	}
	places, count := make(map[key]int, a.Len), map[string]int{}
	pairs := make([]RowPair, 0, a.Len)
	for row := range a.Rows {
		own := *row
		places[key{own.Name, count[own.Name]}] = len(pairs)
		count[own.Name]++
		pairs = append(pairs, RowPair{A: &own})
	}
	clear(count)
	for row := range b.Rows {
		own := *row
		at, ok := places[key{own.Name, count[own.Name]}]
		count[own.Name]++
		if !ok {
			pairs = append(pairs, RowPair{B: &own})
			continue
		}
		pairs[at].B, pairs[at].Differs = &own, pairs[at].A.Differs(&own)
	}
	return pairs
}

// Differs returns the parts that differ between two rows.
func (r *Row) Differs(o *Row) (parts RowPart) {
	if r.Type != o.Type {
		parts |= RowType
	}
	switch {
	case !slices.Equal(r.Sizes, o.Sizes) || !slices.Equal(r.Open, o.Open):
		parts |= RowSizes
	case !r.isLaidOutAs(o):
		parts |= RowLayout
	}
	if r.Bytes != o.Bytes && r.Bytes >= 0 && o.Bytes >= 0 {
		parts |= RowBytes
	}
	if r.Role != o.Role {
		parts |= RowRole
	}
	return parts
}

// isLaidOutAs reports whether two rows of the same sizes have their elements at the same offsets, or may have.
func (r *Row) isLaidOutAs(o *Row) bool {
	if r.Layout.Rank() == 0 && o.Layout.Rank() == 0 {
		return true
	}
	a, b := r.InMemory(), o.InMemory()
	return a.Rank() != b.Rank() || analysis.Same(a, b)
}

// InMemory returns the layout. If the row does not have a layout, it is row-major, or the zero Layout if sizes are open
// or too large.
func (r *Row) InMemory() (l layout.Layout) {
	if r.Layout.Rank() > 0 || r.Open != nil {
		return r.Layout
	}
	if strides, _ := RowMajor(nil, r.Sizes); strides != nil {
		l, _ = layout.Strided(0, r.Sizes, strides)
	}
	return l
}
