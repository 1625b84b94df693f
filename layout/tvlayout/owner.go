// Package tvlayout computes which thread holds which element of a tile, for a Triton encoding, a matrix instruction, or
// a CuTe layout from threads and values.
//
// An [Ownership] is a layout with the axes block, warp, lane and value. Its memory is the tile: the offset is the
// number of an element in the tile. The holders of an element are the inverse of that layout; an element with several
// holders has digits of stride 0. A tile is cut into digits by a list of steps ([builder]), which are a table for each
// family of encodings and instructions.
package tvlayout

import (
	"iter"
	"slices"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// The axes of the layout of an ownership.
const (
	Block = iota // the number in a cluster
	Warp         // the number in a block
	Lane         // the number in a warp
	Value        // the number of one of a thread's elements
)

// axisNames are the names of the axes.
var axisNames = [...]string{"block", "warp", "lane", "value"}

// The limits of an ownership.
const (
	MaxTile    = 1 << 24 // the elements of a tile
	MaxThreads = 1 << 20 // the threads that hold them
	MaxHolders = 1 << 30 // the values of all threads
)

// An Ownership maps the elements of a tile to the threads that hold them.
type Ownership struct {
	name    string
	layout  layout.Layout
	tile    layout.Layout
	bits    int64
	spacing int64 // from one value to the next in the registers, in bits
	letter  string
	assumed bool
	notes   []string

	lanes          []int64 // the lane for each one of the layout; nil for the same numbers
	firstValue     int64   // the number of value 0 of the layout
	grouped        int64   // how many columns of the last axis share a number; 0 for none
	isTensorMemory bool    // what lanes hold is in tensor memory, or comes from there

	givers int64 // the lanes that give the address of a row of a matrix; 0 if none does
}

// Name returns the name in the input, such as mma.m16n8k16.f16:A or blocked.
func (o *Ownership) Name() string { return o.name }

// Layout returns the layout from block, warp, lane and value to the number of the element in the tile.
func (o *Ownership) Layout() layout.Layout { return o.layout }

// Tile returns the layout from an index of the tile to the number of the element. It is packed.
func (o *Ownership) Tile() layout.Layout { return o.tile }

// Bits returns the bits of an element, or 0 if the input does not state the type.
func (o *Ownership) Bits() int64 { return o.bits }

// Fragment returns the name of a value of the matrix in the documentation of the instruction, such as a3. It is empty
// for other ownerships.
func (o *Ownership) Fragment(value int64) string {
	if o.letter == "" {
		return ""
	}
	return o.letter + strconv.FormatInt(value, 10)
}

// Assumed reports whether the input does not state the sizes of the tile. The tile is then the one that all holders
// together cover once.
func (o *Ownership) Assumed() bool { return o.assumed }

// IsThreadValue reports whether the input is a CuTe layout, which may be a tensor as well.
func (o *Ownership) IsThreadValue() bool { return o.name == threadValue }

// assume notes that the input does not state the sizes of the tile.
func (o *Ownership) assume() {
	o.assumed = true
	o.notes = append(o.notes, "no tile is given: "+layout.SizesText(o.tile.Sizes())+" is what all threads cover once")
}

// Notes returns the assumptions of the ownership.
func (o *Ownership) Notes() []string { return o.notes }

// Fastest returns the axis of the tile along which numbers count first: the first one for CuTe layouts, and otherwise
// the last one.
func (o *Ownership) Fastest() int {
	if strides, _ := o.tile.Strides(); len(strides) > 0 && o.tile.Rank() > 1 && strides[0] == 1 {
		if o.tile.Axis(o.tile.Rank()-1).Size() > 1 && strides[o.tile.Rank()-1] != 1 {
			return 0
		}
	}
	return max(o.tile.Rank()-1, 0)
}

// Index sets at, which has the rank of the tile, to the index of the element of a number.
func (o *Ownership) Index(at []int64, number int64) {
	if o.grouped > 0 {
		o.groupIndex(at, number)
		return
	}
	for i := range at {
		axis := o.tile.Axis(i)
		stride, _ := axis.Stride()
		at[i] = number / max(stride, 1) % axis.Size()
	}
}

// Lanes returns the number of lanes of a warp.
func (o *Ownership) Lanes() int64 { return o.size(Lane) }

// IsTensorMemory reports whether the elements are in tensor memory, which has no banks.
func (o *Ownership) IsTensorMemory() bool { return o.isTensorMemory }

// Givers returns the number of lanes that give the addresses of rows of matrices, 16 bytes each; other lanes have the
// elements of these. It is 0 for other ownerships.
func (o *Ownership) Givers() int64 { return o.givers }

// Thread returns the number of a holder's thread in its block.
func (o *Ownership) Thread(holder []int64) int64 { return holder[Lane] + o.Lanes()*holder[Warp] }

// Register returns the 32-bit register of a value in its thread, with the lowest and the highest bit in the register.
// If an element needs several registers, it returns the first. It reports false if the type is not known.
func (o *Ownership) Register(value int64) (register, low, high int64, ok bool) {
	if o.spacing == 0 {
		return 0, 0, 0, false
	}
	at := value * o.spacing
	return at / 32, at % 32, min(at%32+o.bits, 32) - 1, true
}

// Holders finds who holds elements.
type Holders struct {
	of      *Ownership
	inverse *analysis.Inverse
}

// Holders returns the finder for the holders of an element.
func (o *Ownership) Holders() Holders { return Holders{o, analysis.NewInverse(o.layout)} }

// Indices yields the indices of the tile in row-major order. The slice is the same each time.
func (o *Ownership) Indices() iter.Seq[[]int64] {
	return func(yield func([]int64) bool) {
		for index := range o.tile.All() {
			if !yield(index) {
				return
			}
		}
	}
}

// Numbered yields the indices of the elements of the numbers from one up to another, all of them where that is nil. The
// slice is the same each time.
func (o *Ownership) Numbered(from, to *int64) iter.Seq[[]int64] {
	return func(yield func([]int64) bool) {
		first, end, index := int64(0), tileNumbers(o.tile), make([]int64, o.tile.Rank())
		if from != nil {
			first = max(*from, 0)
		}
		if to != nil {
			end = min(*to, end)
		}
		for number := first; number < end; number++ {
			if o.Index(index, number); !yield(index) {
				return
			}
		}
	}
}

// Held yields the values at the given indices along the axes of the layout, with the numbers of the elements. An index
// below 0 selects the whole axis. The slice is the same each time.
func (o *Ownership) Held(places [4]int64) iter.Seq2[[]int64, int64] {
	return func(yield func([]int64, int64) bool) {
		holder, placed := make([]int64, len(places)), make([]int64, len(places))
		var from func(axis int) bool
		from = func(axis int) bool {
			if axis == len(places) {
				number, err := o.layout.Offset(holder)
				copy(placed, holder)
				o.place(placed)
				return err == nil && yield(placed, number)
			}
			first, last := places[axis], places[axis]
			switch {
			case first < 0:
				first, last = 0, o.layout.Axis(axis).Size()-1
			case axis == Lane && o.lanes != nil:
				first = int64(slices.Index(o.lanes, first))
				last = first
			case axis == Value:
				first, last = first-o.firstValue, last-o.firstValue
			}
			if first < 0 {
				return true // no thread holds these indices
			}
			for n := first; n <= last; n++ {
				if holder[axis] = n; !from(axis + 1) {
					return false
				}
			}
			return true
		}
		from(0)
	}
}

// maxHolders is the maximum number of holders of an element that are listed.
const maxHolders = 4096

// Of returns the holders of element number in the order of the axes, and how many there are. If there are more than
// maxHolders, it returns only the first of them.
func (h Holders) Of(number int64) (list [][]int64, count int64) {
	found := h.inverse.At(number, maxHolders)
	for _, holder := range found.Indices {
		h.of.place(holder)
	}
	return found.Indices, found.Count
}

// A Table lists the holders of all elements of a tile.
type Table struct {
	of              *Ownership
	sizes           [4]int64
	starts, holders []int32 // for each element, the numbers of its holders in the order of the axes
}

// Table returns the table of an ownership of at most MaxTile values.
func (o *Ownership) Table() Table {
	t := Table{of: o, starts: make([]int32, o.tile.Elements()+1), holders: make([]int32, o.layout.Elements())}
	for i := range t.sizes {
		t.sizes[i] = o.layout.Axis(i).Size()
	}
	for _, number := range o.layout.All() {
		t.starts[number+1]++
	}
	for i := range o.tile.Elements() {
		t.starts[i+1] += t.starts[i]
	}
	next, holder := slices.Clone(t.starts), int32(0)
	for _, number := range o.layout.All() {
		t.holders[next[number]] = holder
		next[number]++
		holder++
	}
	return t
}

// Of calls visit for each holder of the element of a number, in their order. The slice is the same each time.
func (t Table) Of(number int64, holder *[4]int64, visit func()) {
	for _, n := range t.holders[t.starts[number]:t.starts[number+1]] {
		left := int64(n)
		for axis := Value; axis >= Block; axis-- {
			holder[axis] = left % t.sizes[axis]
			left /= t.sizes[axis]
		}
		t.of.place(holder[:])
		visit()
	}
}

// Copies returns the number of holders of each element that is held, and the number of elements without a holder. It
// reports false if elements have different numbers of holders.
func (o *Ownership) Copies() (copies, unheld int64, even bool) {
	f := analysis.Of(o.layout)
	if !f.DistinctKnown || f.Distinct == 0 {
		return 0, 0, false
	}
	return f.Elements / f.Distinct, tileNumbers(o.tile) - f.Distinct, f.Elements%f.Distinct == 0
}

// newOwnership returns the ownership of a layout from block, warp, lane and value to numbers in a tile of the given
// sizes. The axis fastest of the tile counts fastest. Bits is the number of bits in an element, or 0 if it is unknown.
// Axes of the tile without a name are dim0, dim1 and so on.
func newOwnership(
	name string, l layout.Layout, tile []int64, fastest int, bits int64, names ...string,
) (*Ownership, error) {
	strides, err := layout.PackedStrides(tile, fastest == 0 && len(tile) > 1)
	if err != nil {
		return nil, err
	}
	axes := make([]layout.Axis, len(tile))
	for i, size := range tile {
		if i >= len(names) {
			names = append(names, "dim"+strconv.Itoa(i))
		}
		axes[i] = layout.NewAxis(names[i], size, layout.Digit{Extent: size, Stride: strides[i]})
	}
	t, err := layout.New(0, axes...)
	if err != nil {
		return nil, err
	}
	threads := l.Axis(Block).Size() * l.Axis(Warp).Size() * l.Axis(Lane).Size()
	_, high := l.Bounds()
	switch {
	case slices.Contains(tile, 0):
		return nil, lexer.Refuse("", "the tile %s has no elements", layout.SizesText(tile))
	case t.Elements() > MaxTile:
		return nil, lexer.Refuse("", "a tile of %d elements is over the limit of %d", t.Elements(), MaxTile)
	case threads > MaxThreads:
		return nil, lexer.Refuse("", "%d threads are over the limit of %d", threads, MaxThreads)
	case l.Elements() > MaxHolders:
		return nil, lexer.Refuse("", "%d values of all threads are over the limit of %d", l.Elements(), MaxHolders)
	case high >= t.Elements():
		return nil, lexer.Refuse("", "the highest number is %d, and the tile %s has %s", high, layout.SizesText(tile),
			wording.Count(t.Elements(), "element"))
	}
	return &Ownership{name: name, layout: l, tile: t, bits: bits, spacing: bits}, nil
}
