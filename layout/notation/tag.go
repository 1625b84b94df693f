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
	blocks []tagBlock
	padded []int64 // the sizes of the axes, up to whole blocks
}

// A tagBlock is one inner block: size neighbours along the axis.
type tagBlock struct {
	axis int
	size int64
}

// A tagDigit is a digit of a layout while its place in the tag is sought.
type tagDigit struct {
	axis, place int // place 0 is the outermost of the axis
	layout.Digit
}

// tagOf returns the tag of a tensor, or says why it has none.
func tagOf(t layout.Tensor) (tag, error) {
	l := t.Layout()
	if l.Base() != 0 {
		return tag{}, lost(t, "it has no storage offset, and index 0 lies at %d", l.Base())
	}
	g, err := tagIn(t, l)
	if err == nil {
		return g, nil
	}
	if same, ok := regrouped(l); ok {
		if other, fault := tagIn(t, same); fault == nil {
			return other, nil
		}
	}
	return tag{}, err
}

// tagIn returns the tag of a tensor that has blocks where the layout, which is the tensor's own in
// some digits, has inner ones.
func tagIn(t layout.Tensor, l layout.Layout) (tag, error) {
	outer, inner := digitsOf(l)
	g := tag{padded: make([]int64, l.Rank())}
	for i := range g.padded {
		var err error
		if g.padded[i], err = layout.ProductOf([]int64{l.Axis(i).Digit(0).Extent, l.Axis(i).Block()}); err != nil {
			return tag{}, err
		}
	}
	next := int64(1)
	places := make([]int, l.Rank())
	for _, d := range inner {
		if d.Stride != next || places[d.axis] != 0 && d.place >= places[d.axis] {
			return tag{}, lost(t, "it has blocks without gaps only, and that of axis %s has a stride of %d", l.AxisName(d.axis), d.Stride)
		}
		next *= d.Extent
		places[d.axis] = d.place
		g.blocks = append(g.blocks, tagBlock{d.axis, d.Extent})
	}
	slices.Reverse(g.blocks)
	for _, d := range outer {
		if d.Extent > 1 && !l.Empty() {
			if d.Stride != next {
				return tag{}, lost(t, "it has no strides, only an order without gaps: axis %s would have the stride %d, not %d", l.AxisName(d.axis), next, d.Stride)
			}
			next *= d.Extent
		}
		g.order = append(g.order, d.axis)
	}
	slices.Reverse(g.order)
	return g, nil
}

// digitsOf sorts the outermost digits of the axes and all others, those that count, from the
// least stride on.
func digitsOf(l layout.Layout) (outer, inner []tagDigit) {
	for i := range l.Rank() {
		axis := l.Axis(i)
		outer = append(outer, tagDigit{i, 0, axis.Digit(0)})
		for k := 1; k < axis.Digits(); k++ {
			if axis.Digit(k).Extent > 1 {
				inner = append(inner, tagDigit{i, k, axis.Digit(k)})
			}
		}
	}
	slices.SortStableFunc(inner, func(a, b tagDigit) int { return cmp.Compare(a.Stride, b.Stride) })
	slices.SortStableFunc(outer, func(a, b tagDigit) int {
		return cmp.Or(cmp.Compare(a.Stride, b.Stride), cmp.Compare(a.Extent, b.Extent), cmp.Compare(b.axis, a.axis))
	})
	return outer, inner
}

// text writes the tag with a letter for each axis. Those of blocked axes are in upper case, and
// again, in lower case, behind the sizes of their blocks.
func (g tag) text(letters []string) string {
	var b strings.Builder
	for _, axis := range g.order {
		letter := letters[axis]
		if slices.ContainsFunc(g.blocks, func(b tagBlock) bool { return b.axis == axis }) {
			letter = strings.ToUpper(letter)
		}
		b.WriteString(letter)
	}
	for _, block := range g.blocks {
		b.WriteString(strconv.FormatInt(block.size, 10) + strings.ToLower(letters[block.axis]))
	}
	return b.String()
}

// abc returns the first letters of the alphabet, by which oneDNN names axes.
func abc(n int) []string { return strings.Split("abcdefghijklmnopqrstuvwxyz"[:n], "") }

// regrouped returns the same layout in the digits that a tag would have: as few as can be, and an
// outermost digit of a single step for an axis that lies inside the blocks of others. It reports
// false where such digits do not fit.
func regrouped(l layout.Layout) (same layout.Layout, ok bool) {
	digits, top := make([][]layout.Digit, l.Rank()), int64(math.MinInt64)
	for i := range digits {
		digits[i] = mergedDigits(l.Axis(i))
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
// what all axes take, for an order to start with.
func strideBefore(digits [][]layout.Digit, i int) int64 {
	if i > 0 {
		return digits[i-1][0].Stride
	}
	whole := int64(0)
	for _, d := range digits {
		if n, err := layout.ProductOf([]int64{d[0].Extent, d[0].Stride}); err == nil {
			whole = max(whole, n)
		}
	}
	return whole
}

// mergedDigits returns the digits of an axis that count, those that count as one as one.
func mergedDigits(axis layout.Axis) []layout.Digit {
	size, weight := axis.Size(), int64(1)
	merged := make([]layout.Digit, 0, 4) // each with its weight in the place of its extent
	for k := axis.Digits() - 1; k >= 0 && weight < size; k-- {
		d := axis.Digit(k)
		if d.Extent > 1 && !continues(merged, weight, d.Stride) {
			merged = append(merged, layout.Digit{Extent: weight, Stride: d.Stride})
		}
		if weight > size/d.Extent {
			break
		}
		weight *= d.Extent
	}
	if len(merged) == 0 {
		return append(merged, layout.Digit{Extent: size, Stride: axis.Digit(axis.Digits() - 1).Stride})
	}
	next := size
	for k := len(merged) - 1; k >= 0; k-- {
		next, merged[k].Extent = merged[k].Extent, layout.CeilDiv(next, merged[k].Extent)
	}
	slices.Reverse(merged)
	return merged
}

// continues reports whether steps of a weight go on where the last of the digits ends.
func continues(digits []layout.Digit, weight, stride int64) bool {
	if len(digits) == 0 {
		return false
	}
	last := digits[len(digits)-1]
	next, err := layout.ProductOf([]int64{last.Stride, weight / last.Extent})
	return err == nil && next == stride
}
