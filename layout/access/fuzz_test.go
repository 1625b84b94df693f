package access_test

import (
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/access"
)

// FuzzWalk walks over any small layout with any lanes. Requests take at least one wavefront per phase, and no more than
// the number of words per lane. The proposed layouts must be no worse than the given one.
func FuzzWalk(f *testing.F) {
	f.Add(int64(8), int64(64), int64(64), int64(1), int64(0), uint8(3), int8(3), int64(8), int64(0), int64(8), uint8(0))
	f.Add(int64(32), int64(32), int64(33), int64(1), int64(1), uint8(0), int8(-3), int64(32), int64(3), int64(1),
		uint8(3))
	f.Fuzz(func(t *testing.T, rows, columns, row, column, base int64, from uint8, shift int8, lanes, more, vector int64,
		unit uint8) {
		if rows > 256 || columns > 256 || lanes > 1<<21 || more > 1<<21 || vector < 0 || lanes < 0 || more < 0 {
			t.Skip("would take long, and not differ")
		}
		l, err := layout.Strided(base, []int64{rows, columns}, []int64{row, column})
		if err != nil {
			t.Skip(err)
		}
		if bits := min(max(int(shift), -int(shift)), 3); base%2 == 0 {
			if s, err := l.Swizzled(layout.Swizzle{Bits: bits, Base: int(from), Shift: int(shift)}); err == nil {
				l = s
			}
		}
		tensor, err := layout.NewTensor(l, layout.DType(unit%8))
		if err != nil {
			t.Skip(err)
		}
		w := access.Walk{Tensor: tensor, Vector: vector, All: lanes%2 == 0}
		w.Unit = &access.Units[int(unit)%len(access.Units)]
		w.Parts = []access.Part{{Axis: 0, Lanes: lanes}, {Axis: 1, Lanes: more}}
		walk, err := w.Complete()
		if err != nil {
			return
		}
		got := walk.Count()
		words := got.Used + 4*got.Requests // more than it can be
		if got.Wavefronts < got.Phases || got.Wavefronts > words*2 || got.Sectors < got.Ideal ||
			got.Lines > got.Sectors {
			t.Fatalf("%s %v: %+v", l, walk.Parts, got)
		}
		walks := []*access.Walk{walk}
		alternatives, ideal, err := access.Swizzles(walks)
		if err == nil && (ideal != got.Phases || !l.IsSwizzled() && alternatives[0].Wavefronts > got.Wavefronts) {
			t.Fatalf("%s %v: %d of %d wavefronts, ideal %d of %d", l, walk.Parts, alternatives[0].Wavefronts,
				got.Wavefronts, ideal, got.Phases)
		}
		if pads, _, err := access.Pads(walks); err == nil && pads[0].Wavefronts > got.Wavefronts {
			t.Fatalf("%s %v: %+v, %d before", l, walk.Parts, pads[0], got.Wavefronts)
		}
	})
}
