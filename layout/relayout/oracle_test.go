package relayout_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/relayout"
)

// widths are the sizes of elements that can be moved, in bits.
var widths = [...]int64{4, 8, 16, 32, 64, 128}

// guard is how many bytes after the target must not change.
const guard = 70

// A moving is one move with its source bytes and the expected target bytes.
type moving struct {
	from, to  layout.Tensor
	plan      relayout.Plan
	src, want []byte
	unit      int // the last unit and result of swapped
	turned    []byte
}

// newMoving plans a move of random bytes and works out its result. Between the elements, and
// for some bytes after the last, the source has bytes that belong to none.
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

// String has all that is needed to repeat a failing case.
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
	inner := to[0]
	for v, step := range from[0] {
		if len(from) == 1 {
			visit(a+step, b+inner[v])
		} else {
			below(from[1:], to[1:], a+step, b+inner[v], visit)
		}
	}
}

// steps returns the contribution of each index of each axis to the offset, by the definition of digits: the digit of
// weight w has the value index/w modulo its extent.
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

// reversed returns the bytes with each unit reversed; unit is its size in bytes.
func reversed(b []byte, unit int) []byte {
	b = slices.Clone(b)
	for whole := b[:len(b)/max(unit, 1)*unit]; len(whole) > 0; whole = whole[unit:] {
		slices.Reverse(whole[:unit])
	}
	return b
}

// move moves in memory, between slices that start shift bytes after the start of their arrays.
func (m *moving) move(t *testing.T, jobs, shift int) {
	t.Helper()
	memory := bytes.Repeat([]byte{0xa5}, shift+len(m.want)+guard)
	src := append(make([]byte, shift), m.src...)[shift:]
	if err := m.plan.Move(memory[shift:], src, jobs); err != nil {
		t.Fatalf("%v: Move with %d jobs: %v", m, jobs, err)
	}
	m.compare(t, "Move", memory[shift:shift+len(m.want)], m.want)
	if !bytes.Equal(src, m.src) {
		t.Fatalf("%v: Move with %d jobs changes the source", m, jobs)
	}
	outside := append(memory[:shift:shift], memory[shift+len(m.want):]...)
	if bytes.Count(outside, []byte{0xa5}) != shift+guard {
		t.Fatalf("%v: Move with %d jobs writes beside the target", m, jobs)
	}
}

// compare reports the first byte that is wrong.
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

// tensor returns a tensor with the layout and with elements of the given number of bits.
func tensor(t *testing.T, l layout.Layout, bits int64) layout.Tensor {
	t.Helper()
	names := map[int64]string{
		0: "unknown", 2: "int2", 4: "uint4", 8: "uint8", 16: "float16", 32: "float32", 64: "int64", 128: "complex128",
	}
	dtype, err := layout.ParseDType(names[bits])
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

// mixedSizes are small sizes, and those around the powers of two that kernels work in.
var mixedSizes = [...]int64{1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 7, 11, 13, 15, 16, 17, 23, 31, 32, 33, 61, 63, 64, 65, 130}

// blockSizes include ones that do not divide each other.
var blockSizes = [...]int64{2, 3, 4, 4, 5, 8, 8, 16, 16, 24}

// A draw draws layouts with no offset beyond most.
type draw struct {
	*rand.Rand
	most int64
}

// newDraw returns a draw of layouts that are quick to test.
func newDraw(seed uint64) draw { return draw{rand.New(rand.NewPCG(seed, seed)), 1 << 17} }

// one reports true once in n times.
func (d draw) one(n int) bool { return d.IntN(n) == 0 }

// sizes draws up to 8 sizes, with a product of at most most.
func (d draw) sizes(most int64) []int64 {
	sizes := make([]int64, 1+d.IntN(8))
	for i := range sizes {
		n := mixedSizes[d.IntN(len(mixedSizes))]
		sizes[i] = min(n, 1+d.Int64N(most))
		most /= sizes[i]
	}
	d.Shuffle(len(sizes), func(i, k int) { sizes[i], sizes[k] = sizes[k], sizes[i] })
	if d.one(100) {
		sizes[0] = 0
	}
	return sizes
}

// A kind determines how the digits of a layout get their strides.
type kind struct {
	blocks, shuffle bool // axes in several digits; digits in any order
	pad, flip       bool // gaps after digits; negative strides
	apart           bool // no two elements are neighbours
	base            bool // unused elements before the first
	copies, windows bool // axes without strides; strides so small that elements are shared
	loose           bool // strides at random, if they keep the elements apart
}

// kind draws the kind of a source or of a target, whose elements share no offset.
func (d draw) kind(target bool) kind {
	k := kind{blocks: d.one(2), shuffle: d.one(2), pad: d.one(3), flip: d.one(4), apart: d.one(6), base: d.one(4)}
	if target {
		k.loose = d.one(6)
		return k
	}
	k.copies, k.windows = d.one(6), d.one(8)
	return k
}

// layout draws one of the kind, or a plainer one when its span would be too large.
func (d draw) layout(t *testing.T, sizes []int64, k kind) layout.Layout {
	t.Helper()
	for {
		axes := make([][]layout.Digit, len(sizes))
		for i, size := range sizes {
			axes[i] = d.digits(size, k.blocks)
		}
		switch {
		case k.windows || k.loose:
			d.scatter(axes, k.loose)
		default:
			d.nest(axes, k)
		}
		base := d.flip(axes, k)
		l := build(t, sizes, axes, base)
		if highest(l) < d.most && (!k.loose || unique(l)) {
			return l
		}
		k = kind{shuffle: true, flip: k.flip, copies: k.copies}
	}
}

// digits draws the digits of an axis.
func (d draw) digits(size int64, blocks bool) []layout.Digit {
	digits, inner := []layout.Digit{{}}, int64(1)
	for blocks && inner < size && len(digits) < 3 && !d.one(3) {
		n := blockSizes[d.IntN(len(blockSizes))]
		digits, inner = append(digits, layout.Digit{Extent: n}), inner*n
	}
	digits[0].Extent = (size + inner - 1) / inner
	return digits
}

// nest gives each digit a stride that exceeds the range of the digits inside it.
func (d draw) nest(axes [][]layout.Digit, k kind) {
	var all []*layout.Digit
	for level := range 3 {
		for _, i := range d.Perm(len(axes)) {
			if level < len(axes[i]) {
				all = append(all, &axes[i][level])
			}
		}
	}
	if k.shuffle {
		d.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	}
	step := int64(1)
	if k.apart {
		step += 1 + d.Int64N(3)
	}
	for _, digit := range slices.Backward(all) {
		if k.pad && d.one(3) {
			step += d.Int64N(5)
		}
		if k.pad && d.one(6) {
			step = (step + 15) / 16 * 16
		}
		digit.Stride = step
		step *= max(digit.Extent, 1)
	}
}

// scatter draws small strides, or some that may just be large enough.
func (d draw) scatter(axes [][]layout.Digit, large bool) {
	n := int64(4)
	for _, digits := range axes {
		for _, digit := range digits {
			if n += digit.Extent * 2; large {
				n += digit.Extent * n / 3
			}
		}
	}
	for _, digits := range axes {
		for i := range digits {
			digits[i].Stride = d.Int64N(min(n, 5000))
			if !large {
				digits[i].Stride %= 4
			}
		}
	}
}

// flip makes some strides 0 and some negative, and returns a base with which no offset is negative.
func (d draw) flip(axes [][]layout.Digit, k kind) (base int64) {
	for _, digits := range axes {
		copies := k.copies && d.one(2)
		for i := range digits {
			if copies {
				digits[i].Stride = 0
			}
			if k.flip && d.one(2) {
				base += (digits[i].Extent - 1) * digits[i].Stride
				digits[i].Stride *= -1
			}
		}
	}
	base = max(base, 0)
	if k.base {
		base += d.Int64N(40)
	}
	return base
}

func build(t *testing.T, sizes []int64, digits [][]layout.Digit, base int64) layout.Layout {
	t.Helper()
	axes := make([]layout.Axis, len(sizes))
	for i := range sizes {
		axes[i] = layout.NewAxis("", sizes[i], digits[i]...)
	}
	l, err := layout.New(base, axes...)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// moving draws a move of at most most elements.
func (d draw) moving(t *testing.T, most int64) *moving {
	t.Helper()
	sizes, bits := d.sizes(most), widths[d.IntN(len(widths))]
	from, to := d.layout(t, sizes, d.kind(false)), d.layout(t, sizes, d.kind(true))
	if d.one(20) {
		from = to
	}
	return newMoving(t, tensor(t, from, bits), tensor(t, to, bits), d.Rand)
}

// everyWay moves once in each way, with random jobs, limits and addresses.
func (m *moving) everyWay(t *testing.T, d draw) {
	t.Helper()
	jobs := []int{1, 2, 3, 7}[d.IntN(4)]
	m.move(t, jobs, []int{0, 1, 3}[d.IntN(3)])
	limit := d.IntN(len(memories))
	for m.takesTooMany(memories[limit]) {
		limit++
	}
	o := relayout.Options{Jobs: jobs, Memory: memories[limit], Swap: swapOf(m.from.DType().Bits(), d.IntN(8))}
	m.copy(t, o)
	m.stream(t, o)
}

// takesTooMany reports whether a move takes thousands of slabs with that limit; hundreds are enough.
func (m *moving) takesTooMany(memory int64) bool {
	return m.plan.SourceBytes()+m.plan.TargetBytes() > 200*memory
}
