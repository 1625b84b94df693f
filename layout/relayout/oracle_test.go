package relayout_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/relayout"
)

// widths are the sizes of elements that can be moved, in bits.
var widths = [...]int64{4, 8, 16, 32, 64, 128}

// guard is how many bytes behind the target must stay as they are.
const guard = 70

// A moving is one move with the bytes that it starts from and those that it must lead to.
type moving struct {
	from, to  layout.Tensor
	plan      relayout.Plan
	src, want []byte
}

// newMoving plans a move of random bytes and works out its result. Between the elements, and
// for some bytes behind the last, the source holds bytes that belong to none.
func newMoving(t *testing.T, from, to layout.Tensor, rng *rand.Rand) *moving {
	t.Helper()
	plan, err := relayout.New(from, to)
	if err != nil {
		t.Fatalf("from %v to %v of %v: %v", from.Layout(), to.Layout(), from.DType(), err)
	}
	m := &moving{from: from, to: to, plan: plan}
	m.src = junk(rng, bytesOf(from, highest(from.Layout())+1))
	m.want = moved(from, to, m.src)
	if got := plan.SourceBytes(); got != int64(len(m.src)) {
		t.Fatalf("%v: the source must hold %d bytes, want %d", m, got, len(m.src))
	}
	if got := plan.TargetBytes(); got != int64(len(m.want)) {
		t.Fatalf("%v: the target has %d bytes, want %d", m, got, len(m.want))
	}
	m.src = append(m.src, junk(rng, rng.Int64N(3)*5)...)
	return m
}

// String tells all that a failing case needs to be seen again.
func (m *moving) String() string {
	return "from " + m.from.Layout().String() + " to " + m.to.Layout().String() + " of " + m.from.DType().String()
}

// junk returns n random bytes.
func junk(rng *rand.Rand, n int64) []byte {
	b := make([]byte, n+7)
	for i := int64(0); i < n; i += 8 {
		binary.LittleEndian.PutUint64(b[i:], rng.Uint64())
	}
	return b[:n:n]
}

// moved is the oracle: it moves one element after the other into zeros.
func moved(from, to layout.Tensor, src []byte) []byte {
	bits := from.DType().Bits()
	dst := make([]byte, bytesOf(to, max(highest(to.Layout())+1, to.Storage())))
	offsets(from.Layout(), to.Layout(), func(a, b int64) {
		if bits == 4 {
			dst[b/2] |= src[a/2] >> (a % 2 * 4) & 15 << (b % 2 * 4)
			return
		}
		n := bits / 8
		copy(dst[b*n:b*n+n], src[a*n:a*n+n])
	})
	return dst
}

// bytesOf returns the bytes of n elements side by side.
func bytesOf(t layout.Tensor, n int64) int64 { return (n*t.DType().Bits() + 7) / 8 }

// highest returns the offset of the last element in memory, -1 when there is none.
func highest(l layout.Layout) int64 {
	high := l.Base()
	for _, adds := range steps(l) {
		if len(adds) == 0 {
			return -1
		}
		high += slices.Max(adds)
	}
	return high
}

// offsets visits all elements of two layouts of the same sizes, in row-major order.
func offsets(from, to layout.Layout, visit func(a, b int64)) {
	below(steps(from), steps(to), from.Base(), to.Base(), visit)
}

// below visits the elements whose outer indices add up to a and b.
func below(from, to [][]int64, a, b int64, visit func(a, b int64)) {
	if len(from) == 0 {
		visit(a, b)
		return
	}
	for v, step := range from[0] {
		below(from[1:], to[1:], a+step, b+to[0][v], visit)
	}
}

// steps returns what each index of each axis adds to the offset, by the definition of digits:
// that of weight w has the value index/w modulo its extent.
func steps(l layout.Layout) [][]int64 {
	all := make([][]int64, l.Rank())
	for i := range all {
		axis := l.Axis(i)
		all[i] = make([]int64, axis.Size())
		for index := range all[i] {
			weight := int64(1)
			for k := axis.Digits() - 1; k >= 0; k-- {
				d := axis.Digit(k)
				all[i][index] += int64(index) / weight % d.Extent * d.Stride
				weight *= d.Extent
			}
		}
	}
	return all
}

// reversed returns the bytes with each unit of so many turned round.
func reversed(b []byte, unit int) []byte {
	b = slices.Clone(b)
	for whole := b[:len(b)/max(unit, 1)*unit]; len(whole) > 0; whole = whole[unit:] {
		slices.Reverse(whole[:unit])
	}
	return b
}

// move moves in memory, between slices that begin shift bytes behind the start of theirs.
func (m *moving) move(t *testing.T, jobs, shift int) {
	t.Helper()
	room := bytes.Repeat([]byte{0xa5}, shift+len(m.want)+guard)
	src := append(make([]byte, shift), m.src...)[shift:]
	if err := m.plan.Move(room[shift:], src, jobs); err != nil {
		t.Fatalf("%v: Move with %d jobs: %v", m, jobs, err)
	}
	m.compare(t, "Move", room[shift:shift+len(m.want)], m.want)
	if !bytes.Equal(src, m.src) {
		t.Fatalf("%v: Move with %d jobs changes the source", m, jobs)
	}
	outside := append(room[:shift:shift], room[shift+len(m.want):]...)
	if bytes.Count(outside, []byte{0xa5}) != shift+guard {
		t.Fatalf("%v: Move with %d jobs writes beside the target", m, jobs)
	}
}

// compare tells the first byte that is not what it must be.
func (m *moving) compare(t *testing.T, how string, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	if len(got) != len(want) {
		t.Fatalf("%v: %s gives %d bytes, want %d", m, how, len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%v: %s puts %#x at byte %d of %d, want %#x", m, how, got[i], i, len(want), want[i])
		}
	}
}

// tensor gives a layout elements of so many bits.
func tensor(t *testing.T, l layout.Layout, bits int64) layout.Tensor {
	t.Helper()
	name := map[int64]string{0: "unknown", 2: "int2", 4: "uint4", 8: "uint8", 16: "float16", 32: "float32", 64: "int64", 128: "complex128"}[bits]
	dtype, err := layout.ParseDType(name)
	if err != nil {
		t.Fatal(err)
	}
	x, err := layout.NewTensor(l, dtype)
	if err != nil {
		t.Fatalf("%v: %v", l, err)
	}
	return x
}

// strided returns a layout of one digit for each axis.
func strided(t *testing.T, base int64, sizes, strides []int64) layout.Layout {
	t.Helper()
	l, err := layout.Strided(base, sizes, strides)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// packed returns the layout whose axes lie in the given order, outermost first.
func packed(t *testing.T, sizes []int64, order []int) layout.Layout {
	t.Helper()
	strides, step := make([]int64, len(sizes)), int64(1)
	for _, axis := range slices.Backward(order) {
		strides[axis] = step
		step *= max(sizes[axis], 1)
	}
	return strided(t, 0, sizes, strides)
}

// TestShortSlices: Move says how many bytes it must have, and how many it has.
func TestShortSlices(t *testing.T) {
	m, _ := slabbed(t, 1)
	need := int(m.plan.SourceBytes())
	for _, tt := range []struct{ dst, src, want, has int }{
		{len(m.want), need - 1, need, need - 1},
		{len(m.want), 0, need, 0},
		{len(m.want) - 1, need, len(m.want), len(m.want) - 1},
		{0, need, len(m.want), 0},
	} {
		err := m.plan.Move(make([]byte, tt.dst), m.src[:tt.src], 2)
		if err == nil {
			t.Errorf("%d bytes to %d: accepted", tt.src, tt.dst)
			continue
		}
		if text := err.Error(); !strings.Contains(text, strconv.Itoa(tt.want)) || !strings.Contains(text, strconv.Itoa(tt.has)) {
			t.Errorf("%d bytes to %d: %q does not say %d and %d", tt.src, tt.dst, text, tt.want, tt.has)
		}
	}
}
