package tvlayout

import (
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
)

// none replaces the dimension of a digit that repeats: the digit does not change the index.
const none = -1

// A place is a digit of a holder's number. It counts extent indices along dimension dim of the tile, apart from each
// other by apart.
type place struct {
	extent int64
	dim    int
	apart  int64
}

// A builder distributes the digits of holders over a tile. A step puts a number of indices along a dimension. Their
// distance is the number of indices that earlier steps have put there. Digits that no longer fit in the tile repeat:
// their holders have the same elements.
type builder struct {
	sizes  []int64    // the sizes of the tile
	placed []int64    // along each dimension
	digits [4][]place // the digits of each axis, the innermost first
	dims   map[byte]int
	names  map[string]int64 // the values of names in steps
	open   bool             // the tile is not known: it becomes as large as what is placed
	givers int64            // Ownership.givers
	err    error
}

// unbounded is the size of an unknown dimension. No tile is that large.
const unbounded = 1 << 40

// newBuilder returns a builder for a tile. Its last dimension is N, the one before it M.
func newBuilder(sizes []int64) *builder {
	b := &builder{sizes: sizes, placed: make([]int64, len(sizes)), names: map[string]int64{}}
	for i := range b.placed {
		b.placed[i] = 1
	}
	b.dims = map[byte]int{'-': none, 'N': len(sizes) - 1, 'M': len(sizes) - 2}
	return b
}

// fail records an error unless one is recorded already.
func (b *builder) fail(format string, args ...any) {
	if b.err == nil {
		b.err = lexer.Refuse("", format, args...)
	}
}

// place puts n indices along dimension dim. Indices that do not fit repeat.
func (b *builder) place(axis int, n int64, dim int) {
	switch {
	case n < 1:
		b.fail("%s counts to %d", axisNames[axis], n)
	case dim == none:
		b.put(axis, place{n, none, 0})
	case b.err == nil:
		fits := min(n, max(b.sizes[dim]/b.placed[dim], 1))
		if n%fits != 0 || b.placed[dim] < b.sizes[dim] && b.sizes[dim]%(b.placed[dim]*fits) != 0 {
			b.fail("%d indices do not divide the %d along dimension %d", b.placed[dim]*n, b.sizes[dim], dim)
			return
		}
		if b.placed[dim] < b.sizes[dim] {
			b.put(axis, place{fits, dim, b.placed[dim]})
		}
		b.put(axis, place{n / fits, none, 0})
		b.placed[dim] = min(b.placed[dim]*n, b.sizes[dim])
	}
}

// placeAt is like place, but the indices have the given distance.
func (b *builder) placeAt(axis int, n int64, dim int, apart int64) {
	if dim == none {
		b.place(axis, n, none)
		return
	}
	before := b.placed[dim]
	b.placed[dim] = min(apart, b.sizes[dim])
	b.place(axis, n, dim)
	b.placed[dim] = max(before, b.placed[dim])
}

// fill puts the remaining indices of a dimension into values.
func (b *builder) fill(dim int) {
	if b.err == nil && !b.open && b.placed[dim] < b.sizes[dim] {
		b.place(Value, b.sizes[dim]/b.placed[dim], dim)
	}
}

// put adds a digit to an axis, or makes the last one longer that it continues.
func (b *builder) put(axis int, p place) {
	list := b.digits[axis]
	if p.extent == 1 || b.err != nil {
		return
	}
	if p.extent > MaxHolders {
		b.fail("%s counts to %d: the limit is %d", axisNames[axis], p.extent, int64(MaxHolders))
		return
	}
	if n := len(list); n > 0 && list[n-1].dim == p.dim && list[n-1].apart*list[n-1].extent == p.apart &&
		list[n-1].extent <= MaxHolders/p.extent {
		list[n-1].extent *= p.extent
		return
	}
	b.digits[axis] = append(list, p)
}

// run applies steps such as "value 2 N, lane m/4 M | N M", the innermost first. A step has an axis, a factor, which is
// the number of indices, and a dimension. After the dimension, @ and a distance between the indices may follow. After
// the bar are the dimensions that values fill. A factor may be a product or a quotient, with names; "rest" is the
// remaining indices of the dimension. A step with a factor of less than 1 is skipped.
func (b *builder) run(steps string) {
	steps, repeat, _ := strings.Cut(steps, "|")
	for step := range strings.SplitSeq(steps, ",") {
		words := strings.Fields(step)
		if len(words) != 3 {
			continue
		}
		axis, dim := slices.Index(axisNames[:], words[0]), b.dims[words[2][0]]
		n := int64(0)
		if words[1] != "rest" {
			n = b.factor(words[1])
		}
		switch _, apart, explicit := strings.Cut(words[2], "@"); {
		case words[1] == "rest":
			b.fill(dim)
		case n > 0 && explicit:
			b.placeAt(axis, n, dim, b.product(apart))
		case n > 0:
			b.place(axis, n, dim)
		}
	}
	for _, dim := range strings.Fields(repeat) {
		b.fill(b.dims[dim[0]])
	}
}

// factor returns the value of a factor, 0 for one that is less than 1.
func (b *builder) factor(text string) int64 {
	product, quotient, _ := strings.Cut(text, "/")
	n, by := b.product(product), b.product(quotient)
	if n >= by && n%by != 0 {
		b.fail("%d is not a multiple of %d", n, by)
	}
	return n / by
}

// product returns the product of the numbers and names of a factor.
func (b *builder) product(text string) int64 {
	n := int64(1)
	for word := range strings.SplitSeq(text, "*") {
		by, err := strconv.ParseInt(word, 10, 64)
		if known, ok := b.names[word]; ok {
			by = known
		} else if err != nil {
			by = 1
		}
		if n, err = layout.Mul(n, by); err != nil || n < 1 {
			b.fail("%s is %d", text, n)
			return 1
		}
	}
	return n
}

// layout returns the layout from block, warp, lane and value to the number in a tile of these strides.
func (b *builder) layout(strides []int64) (layout.Layout, error) {
	if b.err != nil {
		return layout.Layout{}, b.err
	}
	axes := make([]layout.Axis, len(b.digits))
	for i, list := range b.digits {
		size := int64(1)
		var digits []layout.Digit
		for _, p := range slices.Backward(list) {
			d := layout.Digit{Extent: p.extent}
			if p.dim != none {
				d.Stride = p.apart * strides[p.dim]
			}
			digits = append(digits, d)
			var err error
			if size, err = layout.Mul(size, p.extent); err != nil {
				return layout.Layout{}, layout.NameOverflow("the number of holders", err)
			}
		}
		if digits == nil {
			digits = []layout.Digit{{Extent: 1}}
		}
		axes[i] = layout.NewAxis(axisNames[i], size, digits...)
	}
	return layout.New(0, axes...)
}

// ownership returns the result: an ownership of a row-major tile with the given number of bits per element, and with
// names for the axes of the tile.
func (b *builder) ownership(name string, bits int64, axes ...string) (*Ownership, error) {
	strides, err := layout.PackedStrides(b.sizes, false)
	if err != nil {
		return nil, err
	}
	l, err := b.layout(strides)
	if err != nil {
		return nil, err
	}
	return newOwnership(name, l, b.sizes, max(len(b.sizes)-1, 0), bits, axes...)
}
