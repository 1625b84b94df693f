package notation

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
)

// A tag is a layout as an order: of the axes from outermost to innermost, and of the blocks
// inside all of them. It fills its storage without gaps, whole blocks counted.
type tag struct {
	order  []int
	blocks []part
	padded []int64 // the sizes of the axes, up to whole blocks
}

// A part is an inner digit of an axis. One step of it moves the index along the axis by weight.
type part struct {
	layout.Digit
	axis   int
	weight int64
}

// tagOf returns the tag of a tensor, or says why it has no tag. In a nested one each block of an axis
// lies inside those of a greater weight, as names of layouts imply.
func tagOf(t layout.Tensor, nested bool) (tag, error) {
	l := t.Layout()
	if l.Base() != 0 {
		return tag{}, lost(t, "it has no storage offset, and index 0 lies at %d", l.Base())
	}
	g, err := tagIn(t, l, nested)
	if err == nil {
		return g, nil
	}
	for _, digits := range [...][][]layout.Digit{fewestDigits(l), ownDigits(l)} {
		if same, ok := regrouped(l, digits); ok {
			if other, fault := tagIn(t, same, nested); fault == nil {
				return other, nil
			}
		}
	}
	return tag{}, err
}

// tagIn returns the tag of a tensor that has blocks where l, the tensor's layout in some digits, has inner ones.
func tagIn(t layout.Tensor, l layout.Layout, nested bool) (tag, error) {
	g := tag{padded: make([]int64, l.Rank()), order: make([]int, l.Rank())}
	for i := range g.padded {
		var err error
		if g.padded[i], err = layout.Mul(l.Axis(i).Digit(0).Extent, l.Axis(i).Block()); err != nil {
			return tag{}, err
		}
		g.order[i] = i
	}
	blocks, next, gap := innerBlocks(l, nested)
	if gap >= 0 {
		return tag{}, lost(t, "it has blocks without gaps only, and that of axis %s has a stride of %d",
			l.AxisName(blocks[gap].axis), blocks[gap].Stride)
	}
	g.blocks = blocks
	slices.SortFunc(g.order, func(a, b int) int {
		x, y := l.Axis(a).Digit(0), l.Axis(b).Digit(0)
		return cmp.Or(cmp.Compare(y.Stride, x.Stride), cmp.Compare(y.Extent, x.Extent), cmp.Compare(a, b))
	})
	for _, axis := range slices.Backward(g.order) {
		d := l.Axis(axis).Digit(0)
		if d.Extent <= 1 || l.Empty() {
			continue
		}
		if d.Stride != next {
			return tag{},
				lost(t, "it has no strides, only an order without gaps: axis %s would have the stride %d, not %d",
					l.AxisName(axis), next, d.Stride)
		}
		next *= d.Extent // at most the span, which fits
	}
	return g, nil
}

// innerBlocks returns the inner digits of the axes from the greatest stride to the least, and how
// many elements they hold together. The first that leaves a gap is at gap, or that is not nested
// although it has to be; gap is -1 if there is no gap.
func innerBlocks(l layout.Layout, nested bool) (blocks []part, whole int64, gap int) {
	for i := range l.Rank() {
		axis := l.Axis(i)
		weight := axis.Block()
		for k := 1; k < axis.Digits(); k++ {
			d := axis.Digit(k)
			weight /= d.Extent
			if d.Extent > 1 {
				blocks = append(blocks, part{d, i, weight})
			}
		}
	}
	slices.SortStableFunc(blocks, func(a, b part) int { return cmp.Compare(b.Stride, a.Stride) })
	weights := make([]int64, l.Rank())
	whole = 1
	for i, b := range slices.Backward(blocks) {
		if b.Stride != whole || nested && b.weight < weights[b.axis] {
			return blocks, whole, i
		}
		whole *= b.Extent // at most the span, which fits
		weights[b.axis] = b.weight
	}
	return blocks, whole, -1
}

// text writes the tag with a letter for each axis. Those of blocked axes are in upper case, and
// again, in lower case, after the sizes of their blocks.
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

// abc returns the first n letters of the alphabet, by which oneDNN names axes.
func abc(n int) []string { return strings.Split("abcdefghijklmnopqrstuvwxyz"[:n], "") }

// regrouped returns the same layout in digits as a tag has them: an axis that lies inside the blocks
// of others has an outermost digit of a single step. It reports false where such digits do not fit.
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

// strideBefore returns the outermost stride of the axis before axis i. Before the first one it is
// what the longest axis takes, for an order to start with.
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

// fewestDigits returns the digits of each axis that matter, outermost first, those that count as one
// merged. An axis of at most one index has one digit, with the stride of its innermost one.
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
		digits[i] = l.Axis(i).AllDigits()
	}
	return digits
}
