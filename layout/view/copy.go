package view

import (
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
)

// copyTo makes the tensor a fresh one of those sizes.
func (v *viewing) copyTo(sizes []int64, why string) error {
	strides, err := rowMajor(sizes)
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

// rowMajor returns the strides of a fresh tensor. Sizes of 0 count as 1.
func rowMajor(sizes []int64) ([]int64, error) {
	strides := make([]int64, len(sizes))
	next := int64(1)
	for i := len(sizes) - 1; i >= 0; i-- {
		strides[i] = next
		var err error
		if next, err = layout.Mul(next, max(sizes[i], 1)); err != nil && i > 0 {
			return nil, layout.NameOverflow("the stride of an axis", err)
		}
	}
	return strides, nil
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
