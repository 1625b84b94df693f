package access

import (
	"slices"

	"layoutcalc/layout"
)

// maxTried limits the elements that are looked at to find vectors that a swizzle leaves alone.
const maxTried = 1 << 22

// A Width is the largest power of two of elements that are adjacent and aligned wherever a multiple of it starts along
// an axis, with what keeps it from being larger.
type Width struct {
	Elements int64
	Axis     int // -1 where no elements are adjacent
	Limit    string
}

// Widest returns the width of a tensor, of up to 16 bytes.
func Widest(t layout.Tensor) Width {
	l, bits := t.Layout(), t.DType().Bits()
	runs, _ := l.Runs(nil)
	at := slices.IndexFunc(runs, func(r layout.Run) bool { return r.Weight == 1 && r.Signed() == 1 })
	if at < 0 {
		return Width{1, -1, "no axis has stride 1"}
	}
	if bits&(bits-1) != 0 || bits > 8*mostBytes {
		return Width{1, runs[at].Axis, "elements of " + t.DType().String()}
	}
	w := Width{8 * mostBytes / bits, runs[at].Axis, "16 bytes"}
	of := func(i int) string { return " of axis " + l.AxisName(i) }
	size := l.Axis(w.Axis).Size()
	w.limit(l.Base(), "base "+layout.JoinInts([]int64{l.Base()}, ""))
	for i, r := range runs {
		if i != at {
			w.limit(r.Stride, "stride "+layout.JoinInts([]int64{r.Signed()}, "")+of(r.Axis))
		}
	}
	if n := runs[at].Extent; n < size {
		w.limit(n, "block "+layout.JoinInts([]int64{n}, "")+of(w.Axis))
	}
	w.limit(size, "size "+layout.JoinInts([]int64{size}, "")+of(w.Axis))
	for _, s := range l.Swizzles() {
		for w.Elements > 1<<s.Base && !l.IsIdle() && !staysTogether(l, w) {
			w.limit(w.Elements/2, s.String())
		}
	}
	return w
}

// limit halves the width until it divides n.
func (w *Width) limit(n int64, name string) {
	for ; n%w.Elements != 0; w.Elements /= 2 {
		w.Limit = name
	}
}

// staysTogether reports whether swizzles leave all vectors of a width whole. Of too many elements it is not known.
func staysTogether(l layout.Layout, w Width) bool {
	if l.Elements() > maxTried {
		return false
	}
	for index, offset := range l.All() {
		first := slices.Clone(index)
		first[w.Axis] -= index[w.Axis] % w.Elements
		at, _ := l.Offset(first)
		if at%w.Elements != 0 || offset != at+index[w.Axis]-first[w.Axis] {
			return false
		}
	}
	return true
}
