package relayout_test

import (
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/relayout"
)

// mixedSizes are what kernels that work in powers of two get wrong, beside small ones.
var mixedSizes = [...]int64{1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 7, 11, 13, 15, 16, 17, 23, 31, 32, 33, 61, 63, 64, 65, 130}

// blockSizes include ones that do not divide each other.
var blockSizes = [...]int64{2, 3, 4, 4, 5, 8, 8, 16, 16, 24}

// A draw draws layouts with no offset beyond most.
type draw struct {
	*rand.Rand
	most int64
}

// newDraw returns a draw of layouts that are tested in a moment.
func newDraw(seed uint64) draw { return draw{rand.New(rand.NewPCG(seed, seed)), 1 << 17} }

// one reports true once in n times.
func (d draw) one(n int) bool { return d.IntN(n) == 0 }

// sizes draws up to 8 of them, with a product of no more than most.
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

// A kind says how the digits of a layout come to their strides.
type kind struct {
	blocks, shuffle bool // axes in several digits; digits in any order
	pad, flip       bool // gaps behind digits; negative strides
	apart           bool // no two elements are neighbours
	base            bool // unused elements before the first
	copies, windows bool // axes without strides; strides so small that elements are shared
	loose           bool // strides at random, if they keep the elements apart
}

// kind draws what a source may be; a target may be all but shared.
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
		base := d.turn(axes, k)
		l := build(t, sizes, axes, base)
		if highest(l) < d.most && (!k.loose || unique(l)) {
			return l
		}
		k = kind{shuffle: true, flip: k.flip, copies: k.copies}
	}
}

// digits draws how an index is written.
func (d draw) digits(size int64, blocks bool) []layout.Digit {
	digits, inner := []layout.Digit{{}}, int64(1)
	for blocks && inner < size && len(digits) < 3 && !d.one(3) {
		n := blockSizes[d.IntN(len(blockSizes))]
		digits, inner = append(digits, layout.Digit{Extent: n}), inner*n
	}
	digits[0].Extent = (size + inner - 1) / inner
	return digits
}

// nest gives each digit a stride that steps over the ones inside it.
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

// turn takes strides away and turns them round, and returns a base that keeps all offsets from
// 0 on.
func (d draw) turn(axes [][]layout.Digit, k kind) (base int64) {
	for _, digits := range axes {
		still := k.copies && d.one(2)
		for i := range digits {
			if still {
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

// TestRandom moves between layouts of all kinds, in memory, from file to file and in a stream.
func TestRandom(t *testing.T) {
	t.Parallel()
	d := newDraw(13)
	odd, n := 0, cases(4000)
	for i := range n {
		m := d.moving(t, []int64{30, 300, 3000, 20_000}[i%4])
		if m.exotic() {
			odd++
		}
		m.everyWay(t, d)
	}
	if odd < n/10 {
		t.Errorf("%d cases have blocks that do not divide each other or targets that do not nest: too few", odd)
	}
}

// TestRandomMegabytes does so with tensors that several jobs share.
func TestRandomMegabytes(t *testing.T) {
	t.Parallel()
	d := newDraw(14)
	d.most = 1 << 20
	for range cases(60) {
		d.moving(t, 300_000).everyWay(t, d)
	}
}

// moving draws a move of so many elements at most.
func (d draw) moving(t *testing.T, most int64) *moving {
	t.Helper()
	sizes, bits := d.sizes(most), widths[d.IntN(len(widths))]
	from, to := d.layout(t, sizes, d.kind(false)), d.layout(t, sizes, d.kind(true))
	if d.one(20) {
		from = to
	}
	return newMoving(t, tensor(t, from, bits), tensor(t, to, bits), d.Rand)
}

// cases returns how many of n random cases are tried: fewer in a hurry, or with the race detector,
// which takes ten times as long.
func cases(n int) int {
	info, ok := debug.ReadBuildInfo()
	if testing.Short() || ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		return n / 8
	}
	return n
}

// everyWay moves once in each way, with jobs, limits and addresses at random.
func (m *moving) everyWay(t *testing.T, d draw) {
	t.Helper()
	jobs := []int{1, 2, 3, 7}[d.IntN(4)]
	m.move(t, jobs, []int{0, 1, 3}[d.IntN(3)])
	limit := d.IntN(len(memories))
	for int64(len(m.want)+len(m.src)) > 200*memories[limit] {
		limit++ // hundreds of slabs are enough
	}
	o := relayout.Options{Jobs: jobs, Memory: memories[limit], Swap: swapOf(m.from.DType().Bits(), d.IntN(8))}
	m.copy(t, o)
	m.stream(t, o)
}
