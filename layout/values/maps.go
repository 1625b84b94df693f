package values

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
)

// A Map is the layout of a tensor's elements in another storage: the axes in an order, and at most one other change.
type Map struct {
	Order    []int // the axes, the outermost first
	Block    int64 // channels in a block, or 0
	Channels int   // the axis in blocks
	Pitch    int64 // bytes from one row to the next, or 0 for rows without gaps
	Whole    bool  // the gap after the last row is in the storage
	Reversed int   // an axis that is stored backwards, or -1
	Swapped  bool  // the bytes of elements are reversed

	layout layout.Layout
}

// Layout returns the offsets of the elements.
func (m *Map) Layout() layout.Layout { return m.layout }

// The changes that are tried in addition to each order of the axes.
var (
	pitches = [...]int64{16, 32, 64, 128, 256} // in bytes
	blocks  = [...]int64{4, 8, 16, 32}
)

// maxAxes is the maximum number of axes for trying all orders.
const maxAxes = 6

// Tried describes the maps that are tried, in words.
const Tried = "all orders of the axes, alone or with one of: elements with their bytes reversed, channels in blocks " +
	"of 4, 8, 16 or 32, rows padded to 16, 32, 64, 128 or 256 bytes, one axis reversed"

// channels returns the axis of the channels.
func channels(l layout.Layout) int {
	names := l.AxisNames()
	if i := slices.Index(names, "C"); l.Named() && i >= 0 {
		return i
	}
	if l.Rank() == 3 {
		return 0 // C, H, W
	}
	return min(1, l.Rank()-1)
}

// longAxes returns the axes of a size above 1.
func longAxes(l layout.Layout) (axes []int) {
	for i, size := range l.Sizes() {
		if size > 1 {
			axes = append(axes, i)
		}
	}
	return axes
}

// maps returns the maps of a tensor into a storage of the given size, the simplest first. If several have the same
// offsets, it returns the first.
func maps(t layout.Tensor, bytes int64) ([]Map, error) {
	l := t.Layout()
	orders := permutations(l)
	sizes, bits := l.Sizes(), t.DType().Bits()
	known := map[string]bool{}
	var list []Map
	var err error
	add := func(m Map) {
		var made layout.Layout
		if made, err = m.make(l, bits); err != nil {
			return
		}
		m.layout = made
		if key := m.key(); !known[key] {
			known[key] = true
			list = append(list, m)
		}
	}
	each := func(change func(m *Map)) {
		for _, order := range orders {
			m := Map{Order: order, Reversed: -1}
			if change(&m); err == nil && m.fits(sizes, bits, bytes) {
				add(m)
			}
		}
	}
	each(func(*Map) {})
	if layout.SwapUnit(t.DType()) > 0 {
		each(func(m *Map) { m.Swapped = true })
	}
	if channel := channels(l); channel >= 0 && sizes[channel] > 1 {
		for _, block := range blocks {
			each(func(m *Map) { m.Block, m.Channels = block, channel })
		}
	}
	for _, pitch := range pitches {
		for _, whole := range [...]bool{true, false} {
			each(func(m *Map) { m.Pitch, m.Whole = pitch, whole })
		}
	}
	for _, axis := range longAxes(l) {
		each(func(m *Map) { m.Reversed = axis })
	}
	return list, err
}

// permutations returns the orders of the axes in lexicographic order. Axes of size 1 stay where they are.
func permutations(l layout.Layout) (orders [][]int) {
	long := longAxes(l)
	order, used := make([]int, l.Rank()), make([]bool, l.Rank())
	for i := range order {
		order[i] = i
	}
	var place func(n int)
	place = func(n int) {
		if n == len(long) {
			orders = append(orders, slices.Clone(order))
			return
		}
		for _, axis := range long {
			if !used[axis] {
				used[axis], order[long[n]] = true, axis
				place(n + 1)
				used[axis] = false
			}
		}
	}
	place(0)
	return orders
}

// row returns the elements of a row: the innermost axis of a size above 1.
func (m *Map) row(sizes []int64) (axis int, elements int64) {
	for _, i := range slices.Backward(m.Order) {
		if sizes[i] > 1 {
			return i, sizes[i]
		}
	}
	return -1, 1
}

// pitch returns the elements from one row to the next: the elements of a row, rounded up to a multiple of the bytes.
func (m *Map) pitch(row, bits int64) int64 {
	unit := max(m.Pitch*8/bits, 1)
	return layout.CeilDiv(row, unit) * unit
}

// fits reports whether the storage of the map has the given size, and the map is more than the order of its axes.
func (m *Map) fits(sizes []int64, bits, bytes int64) bool {
	elements := int64(1)
	for _, size := range sizes {
		elements *= size
	}
	switch {
	case m.Block > 0:
		size := sizes[m.Channels]
		elements = elements / size * layout.CeilDiv(size, m.Block) * m.Block
	case m.Pitch > 0:
		_, row := m.row(sizes)
		pitch := m.pitch(row, bits)
		if pitch == row {
			return false
		}
		if elements = elements / row * pitch; !m.Whole {
			elements -= pitch - row
		}
	}
	return layout.CeilDiv(elements*bits, 8) == bytes
}

// make returns the layout of the map for the sizes of another layout.
func (m *Map) make(l layout.Layout, bits int64) (layout.Layout, error) {
	sizes := l.Sizes()
	axes := make([]layout.Axis, len(sizes))
	row, _ := m.row(sizes)
	base, next := int64(0), int64(1)
	if m.Block > 0 {
		next = m.Block
	}
	for _, i := range slices.Backward(m.Order) {
		size, stride := sizes[i], next
		switch {
		case m.Block > 0 && i == m.Channels:
			outer := layout.CeilDiv(size, m.Block)
			axes[i] = layout.NewAxis(l.Axis(i).Name(), size, layout.Digit{Extent: outer, Stride: stride},
				layout.Digit{Extent: m.Block, Stride: 1})
			next *= outer
			continue
		case i == m.Reversed:
			base, stride = (size-1)*stride, -stride
		}
		axes[i] = layout.NewAxis(l.Axis(i).Name(), size, layout.Digit{Extent: size, Stride: stride})
		if next *= size; i == row && m.Pitch > 0 {
			next = m.pitch(size, bits)
		}
	}
	return layout.New(base, axes...)
}

// key returns a string that is equal for maps with the same offsets and bytes.
func (m *Map) key() string {
	runs, _ := m.layout.Runs(nil)
	var b strings.Builder
	fmt.Fprint(&b, m.Swapped, m.layout.Base())
	for _, r := range runs {
		fmt.Fprint(&b, " ", r.Axis, r.Weight, r.Extent, r.Signed())
	}
	return b.String()
}

// padding returns the offsets in the map's storage that do not belong to an element, as a layout. It reports false if
// every offset belongs to an element.
func (m *Map) padding(bits int64) (l layout.Layout, ok bool, err error) {
	sizes := m.layout.Sizes()
	switch {
	case m.Block > 0 && sizes[m.Channels]%m.Block > 0:
		used := sizes[m.Channels] % m.Block
		axes := m.layout.Axes()
		outer := axes[m.Channels].Digit(0)
		axes[m.Channels] = layout.NewAxis("", m.Block-used, layout.Digit{Extent: m.Block - used, Stride: 1})
		l, err = layout.New((outer.Extent-1)*outer.Stride+used, unnamed(axes)...)
		return l, true, err
	case m.Pitch > 0:
		_, row := m.row(sizes)
		pitch, rows := m.pitch(row, bits), m.layout.Elements()/row
		if !m.Whole {
			rows--
		}
		l, err = layout.Strided(row, []int64{rows, pitch - row}, []int64{pitch, 1})
		return l, rows > 0, err
	}
	return l, false, nil
}

// unnamed returns axes without their names.
func unnamed(axes []layout.Axis) []layout.Axis {
	for i, a := range axes {
		axes[i] = layout.NewAxis("", a.Size(), a.DigitList()...)
	}
	return axes
}

// Name returns the name of the map's layout, such as NHWC or NCHW16c, if the axes have these letters.
func (m *Map) Name(letters string) string {
	var b strings.Builder
	for _, axis := range m.Order {
		b.WriteByte(letters[axis])
	}
	if m.Block == 0 {
		return b.String()
	}
	return fmt.Sprint(b.String(), m.Block, strings.ToLower(letters[m.Channels:m.Channels+1]))
}

// Row returns the innermost axis of a size above 1, the elements of its rows without and with padding, and the axis
// around it, which may be -1.
func (m *Map) Row(bits int64) (axis int, elements, pitch int64, outer int) {
	sizes := m.layout.Sizes()
	axis, elements = m.row(sizes)
	outer = -1
	for _, i := range m.Order {
		if i == axis {
			break
		}
		if sizes[i] > 1 {
			outer = i
		}
	}
	return axis, elements, m.pitch(elements, bits), outer
}
