package layout

import (
	"fmt"
	"slices"
	"strconv"

	"layoutcalc/layout/scan"
)

// MaxRank is the largest number of axes that a layout may have, and MaxDigits the largest
// number of digits in all its axes together.
const (
	MaxRank   = 64
	MaxDigits = 4 * MaxRank
)

// A Digit is one digit of an axis's index: it counts from 0 to Extent-1, and each step moves
// the offset by Stride elements.
type Digit struct {
	Extent, Stride int64
}

// An Axis is one logical dimension: a name, which may be empty, a size, and the digits that
// an index along it is written in, outermost first.
type Axis struct {
	name   string
	size   int64
	digits []Digit
}

// NewAxis returns an axis that [New] will check.
func NewAxis(name string, size int64, digits ...Digit) Axis {
	return Axis{name, size, digits}
}

// Name returns the axis's name; the empty string when it has none.
func (a Axis) Name() string { return a.name }

// Size returns the number of indices along the axis.
func (a Axis) Size() int64 { return a.size }

// Digits returns how many digits the axis has, at least one.
func (a Axis) Digits() int { return len(a.digits) }

// Digit returns digit i; 0 is the outermost.
func (a Axis) Digit(i int) Digit { return a.digits[i] }

// Block returns how many indices lie between two steps of the outermost digit: the product of
// the extents of all others, 1 when there are none.
func (a Axis) Block() int64 {
	block := int64(1)
	for _, d := range a.digits[1:] {
		block *= d.Extent
	}
	return block
}

// Stride returns the stride of an axis of one digit; ok is false when it has several.
func (a Axis) Stride() (stride int64, ok bool) {
	return a.digits[0].Stride, len(a.digits) == 1
}

// offset returns what index i of the axis adds to the offset.
func (a Axis) offset(i int64) int64 {
	if len(a.digits) == 1 {
		return i * a.digits[0].Stride
	}
	sum := int64(0)
	for k := len(a.digits) - 1; k >= 0; k-- {
		d := a.digits[k]
		sum += i % d.Extent * d.Stride
		i /= d.Extent
	}
	return sum
}

// A Layout maps the indices of a tensor to offsets in its storage, both in elements:
//
//	offset(index) = base + sum over axes, over digits: digit value x digit stride
//
// It is immutable, and one that [New] returned obeys these rules:
//
//  1. It has at most MaxRank axes and MaxDigits digits.
//  2. Names are letters, digits and underscores, no digit first; they differ, or all are empty.
//  3. Sizes are not negative, and the product of those that are not 0 fits in int64.
//  4. An axis of one digit has the extent size; in an axis of several, all but the outermost
//     have a positive extent, and the outermost one has just the extent that size needs.
//  5. The offsets that the digits can reach, and their number, fit in int64.
//
// The zero Layout is that of a scalar at offset 0.
type Layout struct {
	axes []Axis
	base int64
}

// New returns the layout of the given axes whose index 0 lies at base.
func New(base int64, axes ...Axis) (Layout, error) {
	return newLayout(base, cloneAxes(axes))
}

// newLayout is New for axes that nobody else holds.
func newLayout(base int64, axes []Axis) (Layout, error) {
	l := Layout{axes, base}
	for _, check := range []func() error{l.checkCounts, l.checkNames, l.checkDigits, l.checkReach, l.checkElements} {
		if err := check(); err != nil {
			return Layout{}, err
		}
	}
	return l, nil
}

// cloneAxes copies the axes and their digits, so that nobody else can change them.
func cloneAxes(axes []Axis) []Axis {
	n := 0
	for _, a := range axes {
		n += len(a.digits)
	}
	clone, digits := slices.Clone(axes), make([]Digit, 0, n)
	for i, a := range axes {
		digits = append(digits, a.digits...)
		clone[i].digits = digits[len(digits)-len(a.digits) : len(digits) : len(digits)]
	}
	return clone
}

// Strided returns the layout of unnamed axes of one digit each.
func Strided(base int64, sizes, strides []int64) (Layout, error) {
	if len(sizes) != len(strides) {
		return Layout{}, &SyntaxError{Msg: fmt.Sprintf("%s for %s", scan.Count(len(strides), "stride"), scan.Count(len(sizes), "size"))}
	}
	axes := make([]Axis, len(sizes))
	digits := make([]Digit, len(sizes))
	for i := range sizes {
		digits[i] = Digit{sizes[i], strides[i]}
		axes[i] = Axis{"", sizes[i], digits[i : i+1 : i+1]}
	}
	return newLayout(base, axes)
}

// Rank returns the number of axes.
func (l Layout) Rank() int { return len(l.axes) }

// Axis returns axis i.
func (l Layout) Axis(i int) Axis { return l.axes[i] }

// Base returns the offset of index 0.
func (l Layout) Base() int64 { return l.base }

// Axes returns the axes.
func (l Layout) Axes() []Axis { return slices.Clone(l.axes) }

// Named reports whether the axes have names.
func (l Layout) Named() bool { return len(l.axes) > 0 && l.axes[0].name != "" }

// AxisName returns the name of axis i, or its position when it has none.
func (l Layout) AxisName(i int) string {
	if l.axes[i].name == "" {
		return strconv.Itoa(i)
	}
	return l.axes[i].name
}

// Sizes returns the sizes of the axes.
func (l Layout) Sizes() []int64 {
	sizes := make([]int64, len(l.axes))
	for i, a := range l.axes {
		sizes[i] = a.size
	}
	return sizes
}

// Strides returns the strides of the axes; ok is false when an axis has several digits.
func (l Layout) Strides() (strides []int64, ok bool) {
	strides = make([]int64, len(l.axes))
	for i, a := range l.axes {
		if strides[i], ok = a.Stride(); !ok {
			return nil, false
		}
	}
	return strides, true
}
