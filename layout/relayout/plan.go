package relayout

import (
	"fmt"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A Plan is a plan for moving all elements from one layout to another. It is immutable.
type Plan struct {
	bits     int64
	axes     []axis
	digits   []digit // the digits of all axes
	src, dst side

	sourceBytes, targetBytes int64 // sizes before any swizzle

	from, to *swizzler // nil if the layout has no swizzles

	empty  bool // the tensor has no elements
	gaps   bool // the target must be cleared first: parts of it belong to no element
	ragged bool // a block of the target has indices beyond the size of its axis
	nested bool // the runs of the target are nested, also in blocks beyond the sizes
}

// An axis has a size, and the digits from first up to but not including end.
type axis struct {
	size       int64
	first, end int
}

// A digit is a digit of an index that both layouts can count with: it has the values below extent, and
// a step moves the index of the axis by weight. Its strides are not here, because they depend on the
// side, see [side.stride]. A loose digit has no stride on at least one side: the blocks of the two
// layouts do not divide each other.
type digit struct {
	axis           int
	weight, extent int64
	loose          bool
}

// maxBytes limits the bytes of either side, and the product of the extents of all digits. No file
// is larger, and counts of elements, bytes and regions below it cannot overflow.
const maxBytes = 1 << 56

// New plans the move of all elements from the storage of one tensor to the storage of another. Both must have the same
// axes, and elements of 4, 8, 16, 32, 64 or 128 bits. No two elements of the target may share an offset, and no element
// of either may be before offset 0.
func New(from, to layout.Tensor) (Plan, error) {
	if err := checkTensors(from, to); err != nil {
		return Plan{}, err
	}
	a, b := from.Layout().Affine(), to.Layout().Affine()
	_, lastA := a.Bounds()
	_, lastB := b.Bounds()
	reserved := lastB + 1
	if !to.Layout().IsSwizzled() {
		reserved = max(to.Storage(), reserved)
	}
	p := Plan{
		bits:        from.DType().Bits(),
		sourceBytes: from.Bytes(lastA + 1),
		targetBytes: to.Bytes(reserved),
		empty:       a.Empty(),
	}
	if err := p.swizzle(from, to); err != nil {
		return Plan{}, err
	}
	tooLarge := lexer.Refuse("", "the tensors are too large: no file has more than 2^56 bytes")
	if max(p.SourceBytes(), p.TargetBytes(), p.sourceBytes, p.targetBytes) > maxBytes {
		return Plan{}, tooLarge
	}
	src, _ := a.Runs(nil)
	dst, ragged := blockRuns(b)
	p.src, p.dst = side{src, a.Base()}, side{dst, b.Base()}
	p.ragged, p.nested = ragged, nested(dst)
	p.gaps = a.Elements() != reserved || p.targetBytes*8 != reserved*p.bits
	var extents []int64
	for i, size := range a.Sizes() {
		first := len(p.digits)
		p.digits = append(p.digits, commonDigits(i, size, p.src.of(i), p.dst.of(i))...)
		p.axes = append(p.axes, axis{size, first, len(p.digits)})
		for _, d := range p.digits[first:] {
			extents = append(extents, max(d.extent, 1))
		}
	}
	if values, err := layout.ProductOf(extents); err != nil || values > maxBytes {
		return Plan{}, tooLarge
	}
	return p, nil
}

// blockRuns returns the runs of a layout after rounding up its sizes to whole blocks, and reports whether that adds
// indices: they belong to the storage of the target too.
func blockRuns(l layout.Layout) (runs []layout.Run, ragged bool) {
	for i := range l.Rank() {
		a := l.Axis(i)
		// This fits in int64: the outermost extent is 1, or the block is smaller than the size, which
		// is at most twice maxBytes; the product is less than size + block.
		whole := layout.NewAxis("", a.Filled(), a.DigitList()...)
		runs, _ = whole.Runs(runs, i)
		ragged = ragged || whole.Size() != a.Size()
	}
	return runs, ragged
}

// nested reports whether the runs are, in the order of their strides.
func nested(runs []layout.Run) bool {
	sorted := slices.Clone(runs)
	layout.SortRuns(sorted)
	return layout.Nested(sorted)
}

// commonDigits returns the digits of an axis of the given size that has these runs in the source
// and in the target, outermost first.
func commonDigits(axis int, size int64, src, dst []layout.Run) []digit {
	weights := []int64{1}
	for _, r := range slices.Concat(src, dst) {
		if r.Weight < size {
			weights = append(weights, r.Weight)
		}
	}
	slices.Sort(weights)
	weights = slices.Compact(weights)
	loose := false
	for k := range weights[1:] {
		loose = loose || weights[k+1]%weights[k] != 0
	}
	if loose {
		period := int64(1)
		for _, weight := range weights {
			period = commonMultiple(period, weight, size)
		}
		if weights = []int64{1}; period < size {
			weights = append(weights, period)
		}
	}
	digits := make([]digit, 0, len(weights))
	for _, weight := range slices.Backward(weights) {
		digits = append(digits, digit{axis, weight, layout.CeilDiv(size, weight), loose && weight == 1})
		size = weight
	}
	return digits
}

// commonMultiple returns the least common multiple of a and b, or limit if that is less.
func commonMultiple(a, b, limit int64) int64 {
	a /= layout.GCD(a, b)
	if a > limit/b {
		return limit
	}
	return a * b
}

// SourceBytes returns how many bytes the source must have at least: up to its last element.
func (p Plan) SourceBytes() int64 {
	if p.from != nil {
		return p.from.end
	}
	return p.sourceBytes
}

// TargetBytes returns how many bytes the target has, with all padding that it reserves.
func (p Plan) TargetBytes() int64 {
	if p.to != nil {
		return p.to.end
	}
	return p.targetBytes
}

// swizzle notes the swizzles of both sides.
func (p *Plan) swizzle(from, to layout.Tensor) (err error) {
	_, last := from.Layout().Bounds()
	if p.from, err = swizzlerOf(from, from.Bytes(last+1)); err != nil {
		return err
	}
	_, last = to.Layout().Bounds()
	p.to, err = swizzlerOf(to, to.Bytes(max(to.Storage(), last+1)))
	return err
}

// loose reports whether a digit is loose.
func (p *Plan) loose() bool {
	return slices.ContainsFunc(p.digits, func(d digit) bool { return d.loose })
}

// checkTensors returns an error for tensors that cannot be moved from one to the other.
func checkTensors(from, to layout.Tensor) error {
	a, b := from.Layout(), to.Layout()
	if !slices.Equal(a.Sizes(), b.Sizes()) {
		return lexer.Refuse("both sides must have the same axes", "the sizes differ: %v and %v", a.Sizes(), b.Sizes())
	}
	if err := checkTypes(from.DType(), to.DType()); err != nil {
		return err
	}
	if low, _ := a.Bounds(); low < 0 {
		return errBefore("source", low, fmt.Sprintf("add %d to --storage-offset, the offset of index 0", -low))
	}
	if low, _ := b.Bounds(); low < 0 {
		return errBefore("target", low, "reverse an axis of the source instead, such as with --view 'flip(0)'")
	}
	return checkUnique(b)
}

// errBefore is the error of an element that is before the start of the data.
func errBefore(side string, low int64, hint string) error {
	return lexer.Refuse(hint, "an element of the %s is at offset %d, before the start of the data", side, low)
}

// checkTypes returns an error for elements that cannot be moved.
func checkTypes(a, b layout.DType) error {
	switch a.Bits() {
	case 4, 8, 16, 32, 64, 128:
	default:
		return lexer.Refuse("elements of 4, 8, 16, 32, 64 and 128 bits can",
			"elements of %s (%s) cannot be moved", wording.Count(a.Bits(), "bit"), a)
	}
	if a.Bits() != b.Bits() {
		return lexer.Refuse("a move does not change elements",
			"elements of %s (%s) cannot become elements of %s (%s)", wording.Count(a.Bits(), "bit"), a,
			wording.Count(b.Bits(), "bit"), b)
	}
	return nil
}

// checkUnique returns an error that names two elements of the target with the same offset, if there are any.
func checkUnique(l layout.Layout) error {
	f := analysis.Of(l)
	switch f.Unique {
	case analysis.Yes:
		return nil
	case analysis.Unknown:
		return lexer.Refuse("use a target layout that is packed or padded",
			"the strides of the target are too irregular to tell whether two elements share an offset")
	}
	return lexer.Refuse("every element of the target needs an offset of its own",
		"elements (%s) and (%s) of the target share offset %d",
		layout.JoinInts(f.Witness.A, ","), layout.JoinInts(f.Witness.B, ","), f.Witness.Offset)
}
