package view

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/scan"
)

// reshape gives the tensor other sizes, as a view where PyTorch does.
func (v *viewing) reshape(s Step) error {
	sizes, err := v.newSizes(s)
	if err != nil {
		return err
	}
	return s.wrap(v.resize(sizes))
}

// resize is reshape to sizes of the same product.
func (v *viewing) resize(sizes []int64) error {
	if v.blocked() && slices.Equal(v.sizes(), sizes) {
		return nil
	}
	strides, why, err := v.reshaped(sizes)
	switch {
	case err != nil:
		return err
	case strides == nil:
		return v.copyTo(sizes, why)
	}
	v.restride(sizes, strides)
	return nil
}

// blocked reports whether an axis does not count as one digit.
func (v *viewing) blocked() bool {
	for i := range v.axes {
		if _, ok := v.axes[i].Linear(); !ok {
			return true
		}
	}
	return false
}

// view is reshape that refuses to copy.
func (v *viewing) view(s Step) error {
	sizes, err := v.newSizes(s)
	if err != nil {
		return err
	}
	return v.resizeView(s, sizes, "contiguous() first, or reshape in place of view: both copy")
}

// resizeView is resize that refuses to copy.
func (v *viewing) resizeView(s Step, sizes []int64, hint string) error {
	strides, why, err := v.reshaped(sizes)
	switch {
	case err != nil:
		return s.wrap(err)
	case strides == nil:
		return s.fail(-1, hint, "this cannot be a view: %s", why)
	}
	v.restride(sizes, strides)
	return nil
}

// newSizes returns the sizes that the step asks for, with the one written -1 inferred.
func (v *viewing) newSizes(s Step) ([]int64, error) {
	sizes, err := s.numbers()
	if err != nil {
		return nil, err
	}
	infer := -1
	for i, n := range sizes {
		switch {
		case n == -1 && infer >= 0:
			return nil, s.fail(i, "", "only one size can be inferred")
		case n == -1:
			infer, sizes[i] = i, 1
		case n < 0:
			return nil, s.fail(i, "-1 infers a size", "a size cannot be negative")
		}
	}
	have := v.elements()
	want, err := layout.ProductOf(sizes)
	if err != nil {
		return nil, s.wrap(layout.NameOverflow("the number of elements", err))
	}
	if infer >= 0 && want > 0 && have%want == 0 {
		sizes[infer] = have / want
		return sizes, nil
	}
	if infer >= 0 || have != want {
		if infer >= 0 {
			sizes[infer] = -1
		}
		return nil, s.fail(-1, "", "%s do not make a tensor of %s",
			scan.Count(have, "element"), layout.SizesText(sizes))
	}
	return sizes, nil
}

// restride sets sizes and strides. Names stay if the sizes do.
func (v *viewing) restride(sizes, strides []int64) {
	names := make([]string, len(sizes))
	if slices.Equal(v.sizes(), sizes) {
		for i, a := range v.axes {
			names[i] = a.Name()
		}
	}
	v.axes = make([]layout.Axis, len(sizes))
	for i := range sizes {
		v.axes[i] = single(names[i], sizes[i], strides[i])
	}
}

// reshaped returns the strides of a view with the given sizes, whose product is that of the
// old ones, or why there is no such view.
//
// From the last axis on, old axes are gathered into a chunk as long as each continues the one
// after it; axes of size 1 always do. The new axes must fill each chunk exactly: an axis
// across two chunks would need two strides.
func (v *viewing) reshaped(sizes []int64) (strides []int64, why string, err error) {
	old := make([]int64, len(v.axes))
	for i := range v.axes {
		var ok bool
		if old[i], ok = v.axes[i].Linear(); !ok {
			return nil, fmt.Sprintf("axis %s is in blocks", v.called(i)), nil
		}
	}
	switch {
	case v.empty() && slices.Equal(v.sizes(), sizes):
		return old, "", nil
	case v.empty():
		strides, err = layout.PackedStrides(sizes, false)
		return strides, "", err
	case len(v.axes) == 0:
		return slices.Repeat([]int64{1}, len(sizes)), "", nil
	}
	return v.fill(old, sizes)
}

// fill fills chunks of the old axes with the new ones.
func (v *viewing) fill(old, sizes []int64) (strides []int64, why string, err error) {
	strides = make([]int64, len(sizes))
	next, base, chunk := len(sizes)-1, old[len(old)-1], int64(1)
	for i := len(old) - 1; i >= 0; i-- {
		chunk *= v.axes[i].Size()
		if i > 0 && (v.axes[i-1].Size() == 1 || continued(old[i-1], chunk, base)) {
			continue
		}
		filled := int64(1)
		for ; next >= 0 && (filled < chunk || sizes[next] == 1); next-- {
			if strides[next], err = layout.Mul(filled, base); err != nil {
				return nil, "", layout.NameOverflow("the stride of an axis", err)
			}
			filled *= sizes[next]
		}
		if filled != chunk {
			return nil, fmt.Sprintf("axes %s and %s cannot merge: stride %d is not %d x %d",
				v.called(i-1), v.called(i), old[i-1], chunk, base), nil
		}
		if i > 0 {
			base, chunk = old[i-1], 1
		}
	}
	return strides, "", nil
}

// continued reports whether the stride goes on where chunk steps of base end.
func continued(stride, chunk, base int64) bool {
	end, err := layout.Mul(chunk, base)
	return err == nil && stride == end
}

// flatten merges the axes from the first given to the last into one.
func (v *viewing) flatten(s Step) error {
	if len(v.axes) == 0 {
		return v.resize([]int64{1})
	}
	first, last, err := s.bounds(v)
	if err != nil || first == last {
		return err
	}
	sizes := v.sizes()
	merged, err := layout.ProductOf(sizes[first : last+1])
	if err != nil {
		return s.wrap(err)
	}
	return s.wrap(v.resize(slices.Replace(sizes, first, last+1, merged)))
}

// bounds returns the first and the last axis that the arguments name; all axes by default.
func (s Step) bounds(v *viewing) (first, last int, err error) {
	if len(s.args) > 2 {
		return 0, 0, s.usage(2)
	}
	bounds := append(slices.Clone(s.args), argument{at: s.at}, argument{at: s.at, number: -1})
	if len(s.args) == 1 {
		bounds[1] = bounds[2]
	}
	if first, err = s.axis(v, bounds[0], len(v.axes)); err != nil {
		return 0, 0, err
	}
	if last, err = s.axis(v, bounds[1], len(v.axes)); err == nil && first > last {
		err = s.fail(0, "", "axis %s comes after axis %s", v.called(first), v.called(last))
	}
	return first, last, err
}

// unflatten splits an axis.
func (v *viewing) unflatten(s Step) error {
	if len(s.args) != 2 || !s.args[1].isList {
		return s.usage(-1)
	}
	axis, err := s.axis(v, s.args[0], len(v.axes))
	if err != nil {
		return err
	}
	part := &viewing{axes: v.axes[axis : axis+1]}
	sizes, err := part.newSizes(s.part(1))
	if err != nil {
		return err
	}
	all := slices.Replace(v.sizes(), axis, axis+1, sizes...)
	return v.resizeView(s, all, "contiguous() first")
}

// asStrided gives the tensor any sizes, strides and, if a third argument says so, base. It must
// stay inside its storage.
func (v *viewing) asStrided(s Step) error {
	if len(s.args) < 2 || len(s.args) > 3 || !s.args[0].isList || !s.args[1].isList {
		return s.usage(-1)
	}
	sizes, err := s.asNumbers(s.args[0].list)
	if err != nil {
		return err
	}
	strides, err := s.asNumbers(s.args[1].list)
	if err != nil {
		return err
	}
	base, err := s.asNumbers(s.args[2:])
	if err != nil {
		return err
	}
	if len(base) == 1 {
		v.base = base[0]
	}
	l, err := layout.Strided(v.base, sizes, strides)
	if err != nil {
		return s.wrap(err)
	}
	if v.base < 0 {
		return s.fail(2, "", "a storage offset cannot be negative")
	}
	if low, high := l.Bounds(); low < 0 || high >= v.storage {
		return s.fail(-1, "", "the elements lie at %d to %d: that needs %s, the storage has %d",
			low, high, scan.Count(high+1, "element"), v.storage)
	}
	v.axes = l.Axes()
	return nil
}

// copyTo makes the tensor a fresh one of those sizes.
func (v *viewing) copyTo(sizes []int64, why string) error {
	strides, err := layout.PackedStrides(sizes, false)
	if err != nil {
		return err
	}
	v.restride(sizes, strides)
	v.own(why)
	return nil
}

// own gives the tensor storage of its own.
func (v *viewing) own(why string) {
	v.copied, v.note, v.base = true, why, 0
	v.storage = v.elements()
}

// ravel makes one axis of all, by a copy unless the tensor is contiguous.
func (v *viewing) ravel(s Step) error {
	if err := v.noArguments(s); err != nil {
		return err
	}
	if err := v.makeContiguous(s); err != nil {
		return err
	}
	return s.wrap(v.resize([]int64{v.elements()}))
}

// makeContiguous copies the tensor unless it is contiguous, or channels_last, already.
func (v *viewing) makeContiguous(s Step) error {
	l := v.before
	last, err := s.wantsChannelsLast(len(v.axes))
	switch {
	case err != nil:
		return err
	case last && facts.ChannelsLast(l) || !last && facts.Contiguous(l):
		return nil
	case !last:
		return s.wrap(v.copyTo(l.Sizes(), "it was not contiguous"))
	}
	strides, err := lastStrides(l.Sizes())
	if err != nil {
		return s.wrap(err)
	}
	v.restride(l.Sizes(), strides)
	v.own("it was not channels_last")
	return nil
}

// wantsChannelsLast reads the memory format.
func (s Step) wantsChannelsLast(rank int) (bool, error) {
	if len(s.args) == 0 {
		return false, nil
	}
	word, want := s.args[0].word, 0
	switch strings.ReplaceAll(strings.TrimPrefix(strings.ToLower(word), "torch."), "-", "_") {
	case "row_major", "contiguous", "contiguous_format":
	case "channels_last":
		want = 4
	case "channels_last_3d":
		want = 5
	default:
		return false, s.usage(0)
	}
	switch {
	case len(s.args) > 1:
		return false, s.usage(0)
	case want > 0 && want != rank:
		return false, s.fail(0, "", "%s needs rank %d, this tensor has %d", word, want, rank)
	}
	return want > 0, nil
}

// lastStrides returns the strides of channels_last or channels_last_3d. Sizes of 0 count as 0.
func lastStrides(sizes []int64) ([]int64, error) {
	strides := make([]int64, len(sizes))
	next := int64(1)
	for _, i := range facts.ChannelsLastOrder(len(sizes)) {
		strides[i] = next
		var err error
		if next, err = layout.Mul(next, sizes[i]); err != nil {
			return nil, layout.NameOverflow("the stride of an axis", err)
		}
	}
	return strides, nil
}
