package relayout_test

import (
	"errors"
	"slices"
	"testing"

	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/relayout"
)

// TestVerify compares moves of all kinds with their sources. Then it changes one bit of an element, which must be
// found, and bits that do not belong to an element, which must not matter.
func TestVerify(t *testing.T) {
	t.Parallel()
	d := newDraw(47)
	for i := range 800 / layouttest.Step() {
		m := d.moving(t, []int64{30, 300, 3000}[i%3])
		bits := m.to.DType().Bits()
		o := relayout.Options{Jobs: 1 + i%3, Swap: swapOf(bits, d.IntN(8))}
		dst := slices.Clone(m.swapped(o.Swap))
		verify := func() error {
			return relayout.Verify(t.Context(), m.from, m.to, source(m.src), source(dst), o)
		}
		if err := verify(); err != nil {
			t.Fatalf("%v: %v", m, err)
		}
		var elements []int64
		used := make([]byte, len(dst)) // the bits that belong to elements
		offsets(m.from.Layout(), m.to.Layout(), func(_, at int64) {
			elements = append(elements, at)
			for bit := at * bits; bit < (at+1)*bits; bit++ {
				used[bit/8] |= 1 << (bit % 8)
			}
		})
		if len(elements) == 0 {
			continue
		}
		for i := range dst {
			dst[i] ^= byte(d.Uint32()) &^ used[i]
		}
		if err := verify(); err != nil {
			t.Fatalf("%v: with other padding: %v", m, err)
		}
		bit := elements[d.IntN(len(elements))]*bits + d.Int64N(bits)
		dst[bit/8] ^= 1 << (bit % 8)
		if err := verify(); !errors.Is(err, relayout.ErrDiffers) {
			t.Fatalf("%v: with another bit %d: %v", m, bit, err)
		}
	}
}
