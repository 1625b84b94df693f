package render

import (
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/values"
)

// A ValuePair states whether two tensors have the same elements.
type ValuePair struct {
	Why   string             // why they are not compared; empty if they are
	First *values.Difference // nil if the elements are equal
	Types [2]layout.DType
	Typed bool // the types are known

	Relayout *values.Search // for the elements of A in B; nil if there was no search
	Tensor   layout.Tensor  // A, for the names of its axes
	Command  string         // converts A so that it has the elements of B; may be empty
}

// Same reports whether the elements were compared and are equal. A nil ValuePair, which was not requested, is the same.
func (v *ValuePair) Same() bool { return v == nil || v.Why == "" && v.First == nil }

// tree returns the object of the values, or nil if they were not requested.
func (v *ValuePair) tree() any {
	if v == nil {
		return nil
	}
	var first any
	if d := v.First; d != nil {
		first = Object{
			{"index", orNull(d.Index, d.Index != nil)}, {"a", v.element(0)}, {"b", v.element(1)},
			{"aBits", values.Bits(d.A)}, {"bBits", values.Bits(d.B)},
			{"aByte", orNull(d.ByteA, d.ByteA != values.NoPlace)},
			{"bByte", orNull(d.ByteB, d.ByteB != values.NoPlace)},
		}
	}
	return Object{
		{"compared", v.Why == ""}, {"why", orNull(v.Why, v.Why != "")}, {"same", v.Same()}, {"firstDifference", first},
		{"relayout", v.searchTree()},
	}
}

// element returns one of the two elements of the first difference.
func (v *ValuePair) element(i int) string {
	bits := [...][]byte{v.First.A, v.First.B}[i]
	if !v.Typed {
		return values.Bits(bits)
	}
	return values.Format(v.Types[i], bits)
}

// side returns one of the two elements of the first difference, and its location if it is stored as bytes.
func (v *ValuePair) side(i int) string {
	at := [...]int64{v.First.ByteA, v.First.ByteB}[i]
	if at == values.NoPlace {
		return v.element(i)
	}
	return v.element(i) + " at byte " + Group(at)
}

// sentence states whether the elements are equal, or describes the first difference.
func (v *ValuePair) sentence() string {
	switch {
	case v.Why != "":
		return "values are not compared: " + v.Why
	case v.First == nil:
		return "values are the same: every element has the same bits"
	case v.First.Index == nil:
		return "values differ first: " + v.side(0) + " of A and " + v.side(1) + " of B"
	}
	return "values differ first at " + layout.IndexText(v.First.Index) + ": " + v.side(0) + " of A and " +
		v.side(1) + " of B"
}

// relayout describes the layouts that give B the elements of A, one per line.
func (v *ValuePair) relayout() (lines []string) {
	s := v.Relayout
	switch {
	case s == nil:
		return nil
	case s.Why != "":
		return []string{"no layout was tried: " + s.Why}
	case len(s.Fits) == 0:
		return []string{"no map that was tried fits (" + values.Tried + ")"}
	case len(s.Fits) == 1 && !s.More:
		return []string{"B has the values of A in " + v.words(&s.Fits[0])}
	}
	count := Group(int64(len(s.Fits)))
	if s.More {
		count += " or more"
	}
	lines = append(lines, count+" maps fit: A and B cannot tell them apart")
	for i := range s.Fits[:min(len(s.Fits), 3)] {
		lines = append(lines, "- "+v.words(&s.Fits[i]))
	}
	return lines
}

// words describes a map.
func (v *ValuePair) words(f *values.Fit) string {
	order := make([]int64, len(f.Order))
	for i, axis := range f.Order {
		order[i] = int64(axis)
	}
	words := "(permute " + layout.JoinInts(order, ",") + ")"
	if letters := Letters(v.Tensor.Layout(), true); letters != "" {
		words = f.Name(letters) + " " + words
	} else {
		words = "another order " + words
	}
	switch {
	case f.Block > 0:
		words += ", axis " + text(int64(f.Channels)) + " in blocks of " + text(f.Block)
	case f.Pitch > 0:
		words += ", rows padded to a multiple of " + Counted(f.Pitch, "byte")
	case f.Swapped:
		words += ", the bytes of each element reversed"
	case f.Reversed >= 0:
		words += ", axis " + v.Tensor.Layout().AxisName(f.Reversed) + " reversed"
	}
	switch {
	case f.Padded && f.Zero:
		words += "; the padding is all zero"
	case f.Padded:
		words += "; the padding is not all zero"
	}
	return words
}

// Letters returns the letters of the axes, in order. If the axes have no names, it returns the usual letters for the
// rank or, if usual is false, the first letters of the alphabet. If usual is true and there are no usual ones, it
// returns an empty string.
func Letters(l layout.Layout, usual bool) string {
	names := strings.Join(l.AxisNames(), "")
	ranks := [...]string{2: "HW", 3: "CHW", 4: "NCHW", 5: "NCDHW"}
	switch {
	case l.Named() && len(names) == l.Rank():
		return names
	case l.Rank() < len(ranks) && ranks[l.Rank()] != "":
		return ranks[l.Rank()]
	case usual || l.Rank() > 26:
		return ""
	}
	return "abcdefghijklmnopqrstuvwxyz"[:l.Rank()]
}

// searchTree returns the object of a search, or nil without a search.
func (v *ValuePair) searchTree() any {
	s := v.Relayout
	if s == nil {
		return nil
	}
	maps := make([]Object, 0, len(s.Fits))
	for i := range s.Fits[:min(len(s.Fits), 3)] {
		maps = append(maps, mapTree(&s.Fits[i]))
	}
	none := values.Fit{Map: values.Map{Reversed: -1}}
	first := &none
	if len(s.Fits) > 0 {
		first = &s.Fits[0]
	}
	return append(mapTree(first), Object{
		{"candidates", int64(s.Tried)}, {"checked", int64(s.Checked)}, {"fits", int64(len(s.Fits))},
		{"more", s.More}, {"maps", maps},
		{"why", orNull(s.Why, s.Why != "")}, {"command", orNull(v.Command, v.Command != "")},
	}...)
}

// mapTree returns the fields of a map. If there is no map, all are null or false.
func mapTree(f *values.Fit) Object {
	order := make([]int64, len(f.Order))
	for i, axis := range f.Order {
		order[i] = int64(axis)
	}
	return Object{
		{"permutation", orNull(order, f.Order != nil)}, {"block", orNull(f.Block, f.Block > 0)},
		{"pitch", orNull(f.Pitch, f.Pitch > 0)}, {"reversed", orNull(int64(f.Reversed), f.Reversed >= 0)},
		{"byteSwapped", f.Swapped}, {"paddingZero", orNull(f.Zero, f.Padded)},
	}
}
