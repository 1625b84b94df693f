package access

import (
	"cmp"
	"iter"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/tvlayout"
	"layoutcalc/layout/wording"
)

// own completes a walk over the elements that an ownership gives to threads. The vectors of a lane are its values in
// the order of memory. A value that it holds twice counts once.
func (w *Walk) own(given bool) error {
	o, l, bits := w.Owner, w.Tensor.Layout(), w.Tensor.DType().Bits()
	if o.IsTensorMemory() {
		return lexer.Refuse("", "%s reads tensor memory, which has no banks", o.Name())
	}
	if err := o.CheckWhole(); err != nil {
		return err
	}
	if n := o.Bits(); n > 0 && n != bits {
		return lexer.Refuse("-t gives the type of the tensor",
			"%s holds elements of %s, and the tensor has %d", o.Name(), wording.Count(n, "bit"), bits)
	}
	if tile := o.Tile().Sizes(); !slices.Equal(tile, l.Sizes()) {
		return lexer.Refuse("", "%s is about a tile of %s, and the tensor has %s", o.Name(), layout.SizesText(tile),
			layout.SizesText(l.Sizes()))
	}
	if holders := o.Layout().Elements(); holders > maxReads {
		return lexer.Refuse("", "%s of all threads, more than the limit of %d", wording.Count(holders, "value"),
			maxReads)
	}
	w.index = make([]int64, l.Rank())
	affine, seen := make([]int64, o.Layout().Axis(tvlayout.Value).Size()), map[int64]bool{}
	for value := range affine {
		affine[value], _ = l.Affine().Offset(w.held(0, 0, 0, int64(value)))
		if number, _ := o.Layout().Offset([]int64{0, 0, 0, int64(value)}); !seen[number] {
			seen[number], w.values = true, append(w.values, int64(value))
		}
	}
	slices.SortStableFunc(w.values, func(a, b int64) int { return cmp.Compare(affine[a], affine[b]) })
	most := min(8*mostBytes/bits, int64(len(w.values)))
	widest := int64(1)
	for 2*widest <= most {
		widest *= 2
	}
	widest = w.together(widest)
	switch {
	case !given:
		w.Vector = widest
	case w.Vector > widest:
		return lexer.Refuse(wording.Count(widest, "element")+" at most", "lanes do not hold %d adjacent elements",
			w.Vector)
	}
	if bytes := w.Bytes(); o.Givers() > 0 && bytes != chunkBytes {
		const msg = "lanes give addresses of 16 adjacent and aligned bytes, but the tensor has %d there"
		return lexer.Refuse("", msg, bytes)
	}
	if bytes := w.Bytes(); o.Lanes() == 64 && w.Unit == &Units[0] {
		at := slices.IndexFunc(Units[1:], func(u Unit) bool { return u.Bytes >= bytes })
		w.Unit = &Units[1+at]
	}
	return nil
}

// held returns the index of the element that a thread holds as a value.
func (w *Walk) held(block, warp, lane, value int64) []int64 {
	number, _ := w.Owner.Layout().Offset([]int64{block, warp, lane, value})
	w.Owner.Index(w.index, number)
	return w.index
}

// together returns the largest number of elements, up to a power of two, that are adjacent and aligned among the values
// of each thread.
func (w *Walk) together(most int64) int64 {
	l, offsets := w.Tensor.Layout(), make([]int64, len(w.values))
	fit := func() bool {
		for i, offset := range offsets {
			isFirst := int64(i)%most == 0
			if isFirst && offset%most != 0 || !isFirst && offset != offsets[i-1]+1 {
				return false
			}
		}
		return int64(len(offsets))%most == 0
	}
	for block, warp := range w.warps() {
		for lane := range w.Lanes() {
			for i, value := range w.values {
				offsets[i], _ = l.Offset(w.held(block, warp, lane, value))
			}
			for most > 1 && !fit() {
				most /= 2
			}
		}
	}
	return most
}

// warps yields, for each warp, the block and the index of the warp in the block.
func (w *Walk) warps() iter.Seq2[int64, int64] {
	return func(yield func(int64, int64) bool) {
		l := w.Owner.Layout()
		for block := range l.Axis(tvlayout.Block).Size() {
			for warp := range l.Axis(tvlayout.Warp).Size() {
				if !yield(block, warp) {
					return
				}
			}
		}
	}
}

// ownStarts yields the first element of each vector that lanes read: warp by warp, vector by vector.
func (w *Walk) ownStarts(yield func([]int64) bool) {
	for block, warp := range w.warps() {
		for i := 0; i < len(w.values); i += int(w.Vector) {
			for lane := range w.Lanes() {
				var index []int64 // nil for a lane whose address is not read
				if givers := w.Owner.Givers(); givers == 0 || lane < givers {
					index = w.held(block, warp, lane, w.values[i])
				}
				if !yield(index) {
					return
				}
			}
		}
	}
}
