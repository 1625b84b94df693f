package descriptor

import (
	"cmp"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/shape"
)

// RowMajor appends to buf the strides of a packed row-major layout, and returns the number of elements: nil and 0 if it
// does not fit in 64 bits.
func RowMajor(buf, sizes []int64) (strides []int64, elements int64) {
	strides, elements = append(buf, sizes...), 1
	for i, n := range slices.Backward(sizes) {
		strides[i] = elements
		var err error
		if elements, err = layout.Mul(elements, n); err != nil {
			return nil, 0
		}
	}
	return strides, elements
}

// Tensors builds the tensors of descriptors. It caches the last ones with a layout name, because several rules use
// each.
type Tensors struct {
	last    [8]derived
	next    int // the index of the entry to replace next
	offered map[int][]OfferedName
}

// An OfferedName is a layout name that completion offers, for tensors of a rank.
type OfferedName struct {
	Text string
	axes []int // from innermost to outermost
}

// Strides appends to buf the strides of packed sizes in this layout; ok is false if they do not fit in 64 bits.
func (n OfferedName) Strides(buf, sizes []int64) (strides []int64, ok bool) {
	strides = append(buf, sizes...)
	elements := int64(1)
	for _, axis := range n.axes {
		strides[axis] = elements
		var err error
		if elements, err = layout.Mul(elements, sizes[axis]); err != nil {
			return nil, false
		}
	}
	return strides, true
}

// Offered returns the layout names that completion offers for tensors of a rank, and that have no blocks. If names have
// the same strides, it returns only the first one. It parses them once for each rank.
func (ts *Tensors) Offered(rank int) []OfferedName {
	names, ok := ts.offered[rank]
	if ok {
		return names
	}
	sizes := shape.NewList(slices.Repeat([]int64{67}, rank), nil) // more than any block has
	for text := range shape.LayoutNames {
		if !shape.Fits(text, rank) {
			continue
		}
		name, _ := shape.ParseName(text)
		t, err := shape.Spec{Shape: sizes, Name: &name}.Tensor()
		strides, plain := t.Layout().Strides()
		if err != nil || !plain {
			continue
		}
		axes := make([]int, rank)
		for i := range axes {
			axes[i] = i
		}
		slices.SortFunc(axes, func(a, b int) int { return cmp.Compare(strides[a], strides[b]) })
		isKnown := func(other OfferedName) bool { return slices.Equal(other.axes, axes) }
		if !slices.ContainsFunc(names, isKnown) {
			names = append(names, OfferedName{text, axes})
		}
	}
	if ts.offered == nil {
		ts.offered = map[int][]OfferedName{}
	}
	ts.offered[rank] = names
	return names
}

// A derived is the tensor with a layout name.
type derived struct {
	name   string
	sizes  []int64
	dtype  layout.DType
	tensor layout.Tensor
	err    error
}

// RowMajorName is the layout name of a descriptor that does not state one.
const RowMajorName = "row-major"

// Named returns the tensor of the descriptor's layout name.
func (ts *Tensors) Named(d *Descriptor) (layout.Tensor, error) {
	dtype := layout.DType(0)
	if d.TypeKnown {
		dtype = d.Type
	}
	if d.Spacing != nil {
		return d.spaced(dtype)
	}
	for i := range ts.last {
		if t := &ts.last[i]; t.name == d.Layout && t.name != "" && t.dtype == dtype && slices.Equal(t.sizes, d.Sizes) {
			return t.tensor, t.err
		}
	}
	t := &ts.last[ts.next]
	ts.next = (ts.next + 1) % len(ts.last)
	t.name, t.sizes, t.dtype = d.Layout, append(t.sizes[:0], d.Sizes...), dtype
	t.tensor = layout.Tensor{}
	var name shape.Name
	if name, t.err = shape.ParseName(d.Layout); t.err == nil {
		t.tensor, t.err = shape.Spec{Shape: shape.NewList(t.sizes, nil), Name: &name, DType: dtype}.Tensor()
	}
	return t.tensor, t.err
}

// spaced returns the tensor of the descriptor's layout with its gaps. In row-major order, the flags name the axes. An
// error names the keys of the descriptor, which have the names of the flags.
func (d *Descriptor) spaced(dtype layout.DType) (layout.Tensor, error) {
	s := shape.Spec{Shape: shape.NewList(d.Sizes, d.Axes), DType: dtype, Pitch: d.Spacing.Pitch,
		Align: d.Spacing.Align, Pad: d.Spacing.Pad}
	if d.Layout != RowMajorName {
		name, err := shape.ParseName(d.Layout)
		if s.Name = &name; err != nil {
			return layout.Tensor{}, err
		}
	}
	t, err := s.Tensor()
	if wrong, ok := err.(*layout.SyntaxError); ok {
		key := *wrong
		key.Msg, key.Hint = strings.ReplaceAll(key.Msg, "--", ""), strings.ReplaceAll(key.Hint, "--", "")
		err = &key
	}
	return t, err
}

// Stated returns the tensor of a descriptor, without names of axes, so that it can be compared with any other tensor.
func (ts *Tensors) Stated(d *Descriptor) (layout.Tensor, error) {
	strides := d.Strides
	if strides == nil && d.Layout == "" && !slices.ContainsFunc(d.Sizes, func(n int64) bool { return n <= 0 }) {
		strides, _ = RowMajor(nil, d.Sizes)
	}
	var l layout.Layout
	var err error
	if strides == nil {
		l, err = ts.Unstrided(d)
	} else {
		l, err = layout.Strided(d.Base, d.Sizes, strides)
	}
	if err != nil {
		return layout.Tensor{}, err
	}
	return layout.NewTensor(l, d.Type)
}

// Unstrided returns the layout of a descriptor without strides.
func (ts *Tensors) Unstrided(d *Descriptor) (layout.Layout, error) {
	row := *d
	row.Layout = cmp.Or(row.Layout, RowMajorName)
	t, err := ts.Named(&row)
	if err != nil {
		return layout.Layout{}, err
	}
	return Unnamed(t.Layout(), d.Base)
}

// Unnamed returns a layout at another base and without names of axes.
func Unnamed(l layout.Layout, base int64) (layout.Layout, error) {
	axes := l.Axes()
	for i, a := range axes {
		axes[i] = layout.NewAxis("", a.Size(), a.DigitList()...)
	}
	return layout.New(base, axes...)
}
