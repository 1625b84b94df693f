package render

import (
	"layoutcalc/layout"
	"layoutcalc/layout/values"
)

// A ValuePair says whether two tensors have the same elements.
type ValuePair struct {
	Why   string             // why they are not compared; empty if they are
	First *values.Difference // nil for none
	Types [2]layout.DType
	Typed bool // the types are known
}

// Same reports whether the elements were compared and are the same. A nil ValuePair has not been asked for.
func (v *ValuePair) Same() bool { return v == nil || v.Why == "" && v.First == nil }

// tree returns the object of the values, or nil if they have not been asked for.
func (v *ValuePair) tree() any {
	if v == nil {
		return nil
	}
	var first any
	if d := v.First; d != nil {
		first = Object{
			{"index", orNull(d.Index, d.Index != nil)}, {"a", v.element(0)}, {"b", v.element(1)},
			{"aBits", values.Bits(d.A)}, {"bBits", values.Bits(d.B)}, {"aByte", d.ByteA}, {"bByte", d.ByteB},
		}
	}
	return Object{
		{"compared", v.Why == ""}, {"why", orNull(v.Why, v.Why != "")}, {"same", v.Same()}, {"firstDifference", first},
	}
}

// element returns one of the two elements that differ first.
func (v *ValuePair) element(i int) string {
	bits := [...][]byte{v.First.A, v.First.B}[i]
	if !v.Typed {
		return values.Bits(bits)
	}
	return values.Format(v.Types[i], bits)
}

// side returns one of the two elements that differ first, and its place.
func (v *ValuePair) side(i int) string {
	return v.element(i) + " at byte " + Group([...]int64{v.First.ByteA, v.First.ByteB}[i])
}

// sentence says whether the elements are the same, or where they differ first.
func (v *ValuePair) sentence() string {
	switch {
	case v.Why != "":
		return "values: not compared: " + v.Why
	case v.First == nil:
		return "values: every element has the same bits"
	case v.First.Index == nil:
		return "values: different, first " + v.side(0) + " of A and " + v.side(1) + " of B"
	}
	return "values: different, first at " + layout.IndexText(v.First.Index) + ": " + v.side(0) + " of A and " +
		v.side(1) + " of B"
}
