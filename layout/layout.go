package layout

import (
	"math"
	"math/big"
	"slices"
	"strconv"

	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
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

// Name returns the axis's name, which may be empty.
func (a Axis) Name() string { return a.name }

// Size returns the number of indices along the axis.
func (a Axis) Size() int64 { return a.size }

// Digits returns the number of digits, which is at least one.
func (a Axis) Digits() int { return len(a.digits) }

// Digit returns digit i; 0 is the outermost.
func (a Axis) Digit(i int) Digit { return a.digits[i] }

// DigitList returns the digits, outermost first.
func (a Axis) DigitList() []Digit { return slices.Clone(a.digits) }

// Block returns the number of indices between two steps of the outermost digit: the product of the extents of all other
// digits.
func (a Axis) Block() int64 {
	block := int64(1)
	for _, d := range a.digits[1:] {
		block *= d.Extent
	}
	return block
}

// Filled returns the size that the axis would have if all its blocks were full.
func (a Axis) Filled() int64 { return a.Block() * a.digits[0].Extent }

// Stride returns the stride of an axis with one digit; ok is false if it has several.
func (a Axis) Stride() (stride int64, ok bool) {
	return a.digits[0].Stride, len(a.digits) == 1
}

// offset returns the contribution of index i of the axis to the offset.
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
// [Layout.Swizzled] returns a layout that exchanges the offsets once more. A Layout is immutable, and one that [New] or
// [Adopt] returned obeys these rules:
//
//  1. It has at most MaxRank axes and MaxDigits digits.
//  2. Names are letters, digits and underscores, no digit first; they differ, or all are empty.
//  3. Sizes are not negative, and the product of those that are not 0 fits in int64.
//  4. An axis of one digit has the extent size; in an axis of several, all but the outermost
//     have a positive extent, and the outermost one has just the extent that size needs.
//  5. The offsets that the digits can reach, and their number, fit in int64.
//
// The zero Layout is a scalar at offset 0.
type Layout struct {
	axes    []Axis
	base    int64
	swizzle *swizzling // nil for nearly all layouts
}

// New returns the layout of the given axes, with index 0 at base.
func New(base int64, axes ...Axis) (Layout, error) {
	return Adopt(base, cloneAxes(axes))
}

// Adopt is like [New], but does not copy the axes. Neither they nor their digits may be modified afterwards.
func Adopt(base int64, axes []Axis) (Layout, error) {
	l := Layout{axes: axes, base: base}
	for _, check := range []func() error{l.checkCounts, l.checkNames, l.checkDigits, l.checkReach, l.checkElements} {
		if err := check(); err != nil {
			return Layout{}, err
		}
	}
	return l, nil
}

// cloneAxes copies the axes and their digits, so that no caller can change them.
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
		return Layout{}, lexer.Refuse("", "%s for %s",
			wording.Count(len(strides), "stride"), wording.Count(len(sizes), "size"))
	}
	axes := make([]Axis, len(sizes))
	digits := make([]Digit, len(sizes))
	for i := range sizes {
		digits[i] = Digit{sizes[i], strides[i]}
		axes[i] = Axis{"", sizes[i], digits[i : i+1 : i+1]}
	}
	return Adopt(base, axes)
}

// PackedStrides returns the strides of a packed layout with the last axis innermost or, if it is column-major, its
// first one. Sizes of 0 count as 1.
func PackedStrides(sizes []int64, columnMajor bool) (strides []int64, err error) {
	strides = make([]int64, len(sizes))
	for k, next := 0, int64(1); k < len(sizes) && err == nil; k++ {
		i := k
		if !columnMajor {
			i = len(sizes) - 1 - k
		}
		strides[i] = next
		if k < len(sizes)-1 {
			next, err = Mul(next, max(sizes[i], 1))
		}
	}
	return strides, NameOverflow("the stride of an axis", err)
}

// Rank returns the number of axes.
func (l Layout) Rank() int { return len(l.axes) }

// Axis returns axis i.
func (l Layout) Axis(i int) Axis { return l.axes[i] }

// Base returns the offset of index 0, before any swizzle.
func (l Layout) Base() int64 { return l.base }

// Axes returns the axes.
func (l Layout) Axes() []Axis { return slices.Clone(l.axes) }

// Named reports whether the axes have names.
func (l Layout) Named() bool { return len(l.axes) > 0 && l.axes[0].name != "" }

// AxisName returns the name of axis i, or its index if the name is empty.
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

// Strides returns the strides of the axes; ok is false if an axis has several digits, and for a swizzled layout.
func (l Layout) Strides() (strides []int64, ok bool) {
	if l.swizzle != nil {
		return nil, false
	}
	strides = make([]int64, len(l.axes))
	for i, a := range l.axes {
		if strides[i], ok = a.Stride(); !ok {
			return nil, false
		}
	}
	return strides, true
}

// checkCounts checks rule 1.
func (l Layout) checkCounts() error {
	digits := 0
	for _, a := range l.axes {
		digits += len(a.digits)
	}
	switch {
	case len(l.axes) > MaxRank:
		return lexer.Refuse("", "%d axes, more than the limit of %d", len(l.axes), MaxRank)
	case digits > MaxDigits:
		return lexer.Refuse("", "%d digits, more than the limit of %d", digits, MaxDigits)
	}
	return nil
}

// checkNames checks rule 2.
func (l Layout) checkNames() error {
	for i, a := range l.axes {
		if (a.name == "") != (l.axes[0].name == "") {
			return lexer.Refuse("", "either all axes have names or none")
		}
		if a.name != "" && !lexer.IsName(a.name) {
			return lexer.Refuse("", "%q is not a name for an axis", a.name)
		}
		for _, b := range l.axes[:i] {
			if a.name != "" && a.name == b.name {
				return lexer.Refuse("", "%s", "two axes are named "+a.name)
			}
		}
	}
	return nil
}

// checkDigits checks rule 4 and the first half of rule 3.
func (l Layout) checkDigits() error {
	for i, a := range l.axes {
		if a.size < 0 {
			return lexer.Refuse("", "size %d of axis %s is negative", a.size, l.AxisName(i))
		}
		outer, err := a.outerExtent()
		switch {
		case err != nil:
			return NameOverflow("the block of axis "+l.AxisName(i), err)
		case outer < 0 || a.digits[0].Extent != outer:
			return lexer.Refuse("", "the digits of axis %s do not count to its size %d", l.AxisName(i), a.size)
		}
	}
	return nil
}

// outerExtent returns the extent that the outermost digit must have, or -1 if the other digits are invalid for every
// extent.
func (a Axis) outerExtent() (int64, error) {
	if len(a.digits) == 0 {
		return -1, nil
	}
	inner := int64(1)
	for _, d := range a.digits[1:] {
		if d.Extent < 1 {
			return -1, nil
		}
		var err error
		if inner, err = Mul(inner, d.Extent); err != nil {
			return 0, err
		}
	}
	return CeilDiv(a.size, inner), nil
}

// checkElements checks the second half of rule 3. It ignores zeros, because they would hide a product that does not
// fit.
func (l Layout) checkElements() error {
	var buf [16]int64
	sizes := buf[:0]
	for _, a := range l.axes {
		sizes = append(sizes, max(a.size, 1))
	}
	_, err := ProductOf(sizes)
	return NameOverflow("the number of elements", err)
}

// checkReach checks rule 5. An empty layout has no offsets.
func (l Layout) checkReach() error {
	if l.Empty() {
		return nil
	}
	low, high := l.base, l.base
	for _, a := range l.axes {
		for _, d := range a.digits {
			step, err := Mul(d.Extent-1, d.Stride)
			if err == nil && step < 0 {
				low, err = Add(low, step)
			} else if err == nil {
				high, err = Add(high, step)
			}
			if err != nil {
				return l.reachOverflow()
			}
		}
	}
	if high-low < 0 || high-low == math.MaxInt64 {
		return l.reachOverflow()
	}
	return nil
}

// reachOverflow returns the error for the bound of rule 5 that is broken.
func (l Layout) reachOverflow() error {
	var extents, strides []int64
	for _, a := range l.axes {
		for _, d := range a.digits {
			extents, strides = append(extents, d.Extent), append(strides, d.Stride)
		}
	}
	low, high := ExactBounds(l.base, extents, strides)
	span := new(big.Int).Sub(high, low)
	span.Add(span, big.NewInt(1))
	switch {
	case !span.IsInt64():
		return &OverflowError{What: "the span", Exact: span}
	case !high.IsInt64():
		return &OverflowError{What: "the highest offset", Exact: high}
	}
	return &OverflowError{What: "the lowest offset", Exact: low}
}

// Equal reports whether two layouts are equal, which means that their strings are.
func (l Layout) Equal(m Layout) bool { return l.String() == m.String() }

// String returns a string that is equal only for equal layouts: each axis as size:stride, with the digits in
// parentheses if it has several, after its name if it has one, followed by the base, as in "[N=2:320 C=17:(2:160 16:1)
// H=10:16]+0", and the swizzles.
func (l Layout) String() string {
	b := []byte{'['}
	for i, a := range l.axes {
		if i > 0 {
			b = append(b, ' ')
		}
		b = a.append(b)
	}
	b = append(b, "]+"...)
	b = strconv.AppendInt(b, l.base, 10)
	for _, s := range l.Swizzles() {
		b = append(append(b, ' '), s.String()...)
	}
	return string(b)
}

func (a Axis) append(b []byte) []byte {
	if a.name != "" {
		b = append(append(b, a.name...), '=')
	}
	b = append(strconv.AppendInt(b, a.size, 10), ':')
	if len(a.digits) == 1 {
		return strconv.AppendInt(b, a.digits[0].Stride, 10)
	}
	separator := byte('(')
	for _, d := range a.digits {
		b = strconv.AppendInt(append(b, separator), d.Extent, 10)
		b = strconv.AppendInt(append(b, ':'), d.Stride, 10)
		separator = ' '
	}
	return append(b, ')')
}

// JoinInts formats numbers with a separator between them.
func JoinInts(numbers []int64, separator string) string {
	b := make([]byte, 0, 4*len(numbers))
	for i, n := range numbers {
		if i > 0 {
			b = append(b, separator...)
		}
		b = strconv.AppendInt(b, n, 10)
	}
	return string(b)
}

// ListText formats numbers as in JSON: [2, 3].
//
//go:noinline
func ListText(numbers []int64) string { return "[" + JoinInts(numbers, ", ") + "]" }

// IndexText formats the index of an element: (0,1).
func IndexText(index []int64) string { return "(" + JoinInts(index, ",") + ")" }

// SizesText formats sizes as users write them: 2x3.
func SizesText(sizes []int64) string {
	if len(sizes) == 0 {
		return "no axes"
	}
	return JoinInts(sizes, "x")
}

// IsOrder reports whether numbers are a permutation of 0 to len(numbers)-1.
func IsOrder(numbers []int64) bool {
	for i, n := range slices.Sorted(slices.Values(numbers)) {
		if n != int64(i) {
			return false
		}
	}
	return true
}

// Empty reports whether the layout has no elements.
func (l Layout) Empty() bool {
	for _, a := range l.axes {
		if a.size == 0 {
			return true
		}
	}
	return false
}
