package tvlayout

import (
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
)

// madeParts reads the arguments of make_tiled_mma(ATOM, THREADS, TILE): the name of an instruction, the numbers of its
// repetitions, and the tile. The opening bracket is before offset at. It returns the sizes of the tile, with 0 for
// missing ones.
func (r *reader) madeParts(at int, m *tiledMMA) (sizes [3]int64) {
	list := r.arguments(at)
	part := func(i int) string { return strings.TrimSpace(r.In[list[i][0]:list[i][1]]) }
	m.atom, m.tv = r.atom(at, strings.TrimSuffix(part(0), "{}"))
	if r.Err != nil {
		return sizes
	}
	repeats, _ := layout.New(0, layout.NewAxis("", 1, layout.Digit{Extent: 1}))
	if len(list) > 1 {
		repeats = r.layoutAt(list[1][0], list[1][1])
	}
	if r.Err == nil && (repeats.Rank() > len(sizes) || len(list) > 3) {
		r.Fail(at, "such as make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,0), (32,32,16))",
			"an atom, a layout of atoms and a tile are expected")
	}
	if r.Err != nil {
		return sizes
	}
	threads := m.tv.Axis(0).Size()
	axes := []layout.Axis{layout.NewAxis("", threads, layout.Digit{Extent: threads, Stride: 1})}
	for i := range sizes {
		axis := layout.NewAxis("", 1, layout.Digit{Extent: 1})
		if i < repeats.Rank() {
			digits := repeats.Axis(i).DigitList()
			for k := range digits {
				digits[k].Stride *= threads
			}
			axis = layout.NewAxis("", repeats.Axis(i).Size(), digits...)
		}
		axes = append(axes, axis)
	}
	var err error
	m.of, err = layout.New(0, axes...)
	if r.FaultAt(at, err); r.Err == nil && len(list) > 2 {
		sizes, m.moves = r.permutationsAt(list[2][0] + strings.IndexByte(r.In[list[2][0]:], '(') + 1)
	}
	return sizes
}

// atom returns the shape of an instruction that CuTe calls an atom, and the layout from thread and value to the matrix.
// The first index of the matrix is the fastest. B has the indices n and k.
func (r *reader) atom(at int, text string) (shape []int64, tv layout.Layout) {
	if strings.HasPrefix(text, "UniversalFMA") {
		one := layout.NewAxis("", 1, layout.Digit{Extent: 1})
		tv, _ = layout.New(0, one, one)
		return []int64{1, 1, 1}, tv
	}
	inner := &reader{}
	inner.Cursor = lexer.NewCursor(text + ":" + string(r.matrix))
	o := inner.instruction()
	if inner.Err != nil || o.tile.Rank() != 2 || len(inner.mnk) != 3 {
		r.FaultAt(at, inner.Err)
		r.Fail(at, "such as SM80_16x8x16_F32F16F16F32_TN", "the atom %s is not known here", text)
		return nil, tv
	}
	rows, columns := o.tile.Axis(0).Size(), o.tile.Axis(1).Size()
	r.bits = o.bits
	apart := [2]int64{1, rows} // the distances of the two indices
	if r.matrix == 'B' {
		apart = [2]int64{columns, 1}
	}
	axes := []layout.Axis{o.joined(apart, Warp, Lane), o.joined(apart, Value)}
	tv, err := layout.New(0, axes...)
	r.FaultAt(at, err)
	return inner.mnk, tv
}

// joined joins axes of the layout into one, the outermost first. It maps to a matrix with the given distances between
// indices.
func (o *Ownership) joined(apart [2]int64, axes ...int) layout.Axis {
	size, columns := int64(1), o.tile.Axis(1).Size()
	var digits []layout.Digit
	for _, axis := range axes {
		size *= o.layout.Axis(axis).Size()
		for _, d := range o.layout.Axis(axis).DigitList() {
			if d.Stride >= columns {
				d.Stride = d.Stride / columns * apart[0]
			} else {
				d.Stride *= apart[1]
			}
			digits = append(digits, d)
		}
	}
	return layout.NewAxis("", size, digits...)
}
