package access

import (
	"fmt"
	"slices"

	"layoutcalc/layout"
)

// maxTried limits the elements that are looked at to find vectors that a swizzle leaves alone.
const maxTried = 1 << 22

// A Width is the largest power of two of elements that are adjacent and aligned wherever a multiple of it starts along
// an axis. Limit is the reason why it is not larger.
type Width struct {
	Elements int64
	Axis     int // -1 if no elements are adjacent
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
	w.limit(l.Base(), "base %d", l.Base())
	for i, r := range runs {
		if i != at {
			w.limit(r.Stride, "stride %d of axis %s", r.Signed(), l.AxisName(r.Axis))
		}
	}
	size := l.Axis(w.Axis).Size()
	if n := runs[at].Extent; n < size {
		w.limit(n, "block %d of axis %s", n, l.AxisName(w.Axis))
	}
	w.limit(size, "size %d of axis %s", size, l.AxisName(w.Axis))
	for _, s := range l.Swizzles() {
		for w.Elements > 1<<s.Base && !l.IsIdle() && !staysTogether(l, w) {
			w.limit(w.Elements/2, "%s", s)
		}
	}
	return w
}

// limit halves the width until it divides n.
func (w *Width) limit(n int64, format string, args ...any) {
	for ; n%w.Elements != 0; w.Elements /= 2 {
		w.Limit = fmt.Sprintf(format, args...)
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
