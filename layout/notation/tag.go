package notation

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"layoutcalc/layout"
)

// A tag is a layout that can be written as a oneDNN format tag, which [shape.ParseTag] reads: an order of the axes from
// outermost to innermost, and inside of all axes an order of blocks, which are contiguous.
type tag struct {
	counts, strides []int64 // how many blocks there are along each axis, and how far apart
	padded          []int64 // the sizes of the axes, rounded up to whole blocks
	order           []int
	blocks          []part
	block           int64 // the size of a whole block
}

// A part is an inner digit of an axis. Increasing it by one moves the index along the axis by weight.
type part struct {
	layout.Digit
	axis   int
	weight int64
}

// tagOf returns the tag of a tensor that fills its storage without gaps, counting whole blocks, or an error if it has
// no such tag. In a nested tag, each block of an axis lies inside the axis's blocks of greater weight, as names of
// layouts imply.
func tagOf(t layout.Tensor, nested bool) (tag, error) {
	l := t.Layout()
	if l.Base() != 0 {
		return tag{}, lost(t, "the notation has no storage offset, and index 0 lies at %d", l.Base())
	}
	g, err := packedTag(t, l, nested)
	if err == nil {
		return g, nil
	}
	for _, digits := range [...][][]layout.Digit{fewestDigits(l), ownDigits(l)} {
		if same, ok := regrouped(l, digits); ok {
			if other, fault := packedTag(t, same, nested); fault == nil {
				return other, nil
			}
		}
	}
	return tag{}, err
}

// packedTag returns the tag of a tensor with the digits of l, which must have no gaps.
func packedTag(t layout.Tensor, l layout.Layout, nested bool) (tag, error) {
	g, err := tagIn(t, l, nested)
	if err != nil {
		return tag{}, err
	}
	g.sort(false)
	if axis, want := g.gap(); axis >= 0 {
		return tag{}, lost(t, "the notation has no strides, only an order without gaps: axis %s would have the stride "+
			"%d, not %d", l.AxisName(axis), want, g.strides[axis])
	}
	return g, nil
}

// tagIn returns the tag of a tensor. The inner digits of l, which is the tensor's layout, become blocks. The axes may
// have gaps between them, and keep their order.
func tagIn(t layout.Tensor, l layout.Layout, nested bool) (tag, error) {
	n := l.Rank()
	g := tag{order: make([]int, n), block: 1}
	g.counts, g.strides, g.padded = make([]int64, n), make([]int64, n), make([]int64, n)
	for i := range n {
		axis := l.Axis(i)
		weight := axis.Block()
		g.counts[i], g.strides[i], g.order[i] = axis.Digit(0).Extent, axis.Digit(0).Stride, i
		var err error
		if g.padded[i], err = layout.Mul(g.counts[i], weight); err != nil {
			return g, err
		}
		for k := 1; k < axis.Digits(); k++ {
			d := axis.Digit(k)
			weight /= d.Extent
			if d.Extent > 1 {
				g.blocks = append(g.blocks, part{d, i, weight})
			}
		}
	}
	sort.SliceStable(g.blocks, func(i, k int) bool { return g.blocks[i].Stride > g.blocks[k].Stride })
	weights := make([]int64, n)
	for _, b := range slices.Backward(g.blocks) {
		if b.Stride != g.block || nested && b.weight < weights[b.axis] {
			return g, lost(t, "its blocks lie in one piece, and the block of axis %s has stride %d", l.AxisName(b.axis),
				b.Stride)
		}
		g.block *= b.Extent // at most the span, which fits
		weights[b.axis] = b.weight
	}
	return g, nil
}

// sort orders the axes from the greatest stride to the least, and axes of equal strides by the number of blocks, the
// most first. If zeroFirst is set, strides of 0 count as the greatest, as in oneDNN.
func (g tag) sort(zeroFirst bool) {
	key := func(axis int) uint64 {
		if zeroFirst {
			return uint64(g.strides[axis] - 1)
		}
		return uint64(g.strides[axis]) ^ 1<<63 // orders signed numbers
	}
	slices.SortStableFunc(g.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(key(b), key(a)), cmp.Compare(g.counts[b], g.counts[a]))
	})
}

// gap returns the innermost axis with a stride that differs from the range of the axes inside it, and that range. It
// returns -1 if there are no gaps.
func (g tag) gap() (axis int, want int64) {
	if slices.Contains(g.counts, 0) {
		return -1, want
	}
	want = g.block
	for _, axis := range slices.Backward(g.order) {
		if g.counts[axis] > 1 && g.strides[axis] != want {
			return axis, want
		}
		want *= g.counts[axis] // at most the span, which fits
	}
	return -1, 0
}

// text returns the tag with a letter for each axis. The letter of a blocked axis is in upper case, and appears again in
// lower case after the size of each block.
func (g tag) text(letters []string) string {
	var b strings.Builder
	for _, axis := range g.order {
		letter := letters[axis]
		if slices.ContainsFunc(g.blocks, func(b part) bool { return b.axis == axis }) {
			letter = strings.ToUpper(letter)
		}
		b.WriteString(letter)
	}
	for _, block := range g.blocks {
		b.WriteString(strconv.FormatInt(block.Extent, 10) + strings.ToLower(letters[block.axis]))
	}
	return b.String()
}

// abc returns the first n letters of the alphabet, which oneDNN uses as names of axes.
func abc(n int) []string { return strings.Split("abcdefghijklmnopqrstuvwxyz"[:n], "") }

// regrouped returns the same layout with digits as in a tag: an axis that lies inside the blocks of others gets an
// outermost digit of extent 1. It reports false if there is no such layout.
func regrouped(l layout.Layout, digits [][]layout.Digit) (same layout.Layout, ok bool) {
	top := int64(math.MinInt64)
	for i := range digits {
		for _, d := range digits[i][1:] {
			top = max(top, d.Stride)
		}
	}
	axes := make([]layout.Axis, l.Rank())
	for i, d := range digits {
		if d[0].Extent > 1 && d[0].Stride < top {
			digits[i] = slices.Insert(d, 0, layout.Digit{Extent: 1, Stride: strideBefore(digits, i)})
		}
		axes[i] = layout.NewAxis(l.Axis(i).Name(), l.Axis(i).Size(), digits[i]...)
	}
	same, err := layout.New(l.Base(), axes...)
	return same, err == nil
}

// strideBefore returns the outermost stride of the axis before axis i. For the first axis, it returns the range of the
// longest axis, as a start of the order.
func strideBefore(digits [][]layout.Digit, i int) int64 {
	if i > 0 {
		return digits[i-1][0].Stride
	}
	whole := int64(0)
	for _, d := range digits {
		if n, err := layout.Mul(d[0].Extent, d[0].Stride); err == nil {
			whole = max(whole, n)
		}
	}
	return whole
}

// fewestDigits returns the digits of each axis that matter, outermost first, with adjacent digits merged if possible.
// An axis of at most one index has one digit, with the stride of its innermost digit.
func fewestDigits(l layout.Layout) [][]layout.Digit {
	digits := make([][]layout.Digit, l.Rank())
	runs, _ := l.Runs(nil)
	for _, run := range slices.Backward(runs) {
		digits[run.Axis] = append(digits[run.Axis], layout.Digit{Extent: run.Extent, Stride: run.Signed()})
	}
	for i, d := range digits {
		if axis := l.Axis(i); len(d) == 0 {
			innermost := axis.Digit(axis.Digits() - 1)
			digits[i] = []layout.Digit{{Extent: axis.Size(), Stride: innermost.Stride}}
		}
	}
	return digits
}

// ownDigits returns the digits of each axis, outermost first.
func ownDigits(l layout.Layout) [][]layout.Digit {
	digits := make([][]layout.Digit, l.Rank())
	for i := range digits {
		digits[i] = l.Axis(i).DigitList()
	}
	return digits
}
