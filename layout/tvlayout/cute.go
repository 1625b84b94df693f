package tvlayout

import (
	"cmp"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/wording"
)

// threadValue is the name of an ownership that is a layout alone.
const threadValue = "thread-value layout"

// warpLanes is how many threads of CuTe's layouts are a warp.
const warpLanes = 32

// cute reads CuTe layouts: from thread and value to the tile, or in a printed TiledCopy or TiledMMA, or in
// make_tiled_copy. Numbers in the tile count with the first index fastest.
func (r *reader) cute() *Ownership {
	name, tile, b := threadValue, r.tile, newBuilder([]int64{MaxTile})
	strides := []int64{1}
	var axes []string
	switch {
	case r.side != 0 && r.side != 'S' && r.side != 'D':
		r.Fail(len(r.In), ":S for the source, :D for the target", "a copy has no matrix %c", r.side)
	case r.operandCopy() >= 0:
		at := r.operandCopy()
		r.matrix, r.tile = r.In[at-2], nil
		list := r.arguments(at)
		name, tile = "TiledCopy", r.tiledMMA(b)
		if len(tile) == 2 {
			strides = append(strides, tile[0])
		}
		r.refine(b, r.In[list[0][0]:list[0][1]], at)
		axes = r.operandAxes()
	case r.place("ThrLayoutVMNK") >= 0, r.place("make_tiled_mma") >= 0:
		name, tile = "TiledMMA:"+string(r.matrix), r.tiledMMA(b)
		if len(tile) == 2 {
			strides = append(strides, tile[0])
		}
		axes = r.operandAxes()
	case r.place("TiledLayout_TV") >= 0:
		name = "TiledCopy"
		tiler := r.shape("Tiler_MN")
		if tile = tiler; r.tile != nil && r.Err == nil && !slices.Equal(tile, r.tile) {
			r.Fail(r.place("Tiler_MN"), "", "the tile is %s", layout.SizesText(tiler))
		}
		r.fromTV(b, r.layoutAt(r.place("TiledLayout_TV"), 0), nil)
		line, _, _ := strings.Cut(r.In, "\n")
		r.refine(b, strings.TrimPrefix(line, printedCopy), 0)
	case r.place("make_tiled_copy") >= 0 || r.place("make_tiled_copy_tv") >= 0:
		name, tile = "TiledCopy", r.tiledCopy(b)
	default:
		r.fromTV(b, r.layoutAt(0, 0), nil)
	}
	if r.Err != nil {
		return nil
	}
	l, err := b.layout(strides)
	r.Fault(err)
	isAssumed := tile == nil
	if _, high := l.Bounds(); isAssumed {
		tile = []int64{high + 1}
	}
	o, err := newOwnership(name, l, tile, 0, r.bits, axes...)
	if r.Fault(err); r.Err == nil && isAssumed {
		o.assumed = true
		o.notes = append(o.notes, "no tile is given, and elements have numbers: --into 16x8 takes them apart")
	}
	if r.Err == nil {
		if o.givers = b.givers; b.givers > 0 {
			o.spacing = 0 // addresses, not registers
		}
	}
	r.Pos = len(r.In)
	return o
}

// operandAxes returns the names of the axes of the matrix of an MMA.
func (r *reader) operandAxes() []string {
	switch r.matrix {
	case 'A':
		return []string{"m", "k"}
	case 'B':
		return []string{"n", "k"}
	}
	return []string{"m", "n"}
}

// operandCopies are the calls that make a copy of a matrix of an MMA.
var operandCopies = [...]string{"make_tiled_copy_A", "make_tiled_copy_B", "make_tiled_copy_C"}

// operandCopy returns where the arguments of such a call start; below 0 if there is none.
func (r *reader) operandCopy() int {
	for _, label := range operandCopies {
		if at := r.place(label); at >= 0 {
			return at
		}
	}
	return -1
}

// tiled are the labels that a print of a TiledMMA or a TiledCopy has once, and the calls that make one.
var tiled = [...]string{
	"ThrLayoutVMNK", "TiledLayout_TV", "make_tiled_copy", "make_tiled_copy_tv", "make_tiled_mma",
}

// isTiled reports whether the input is a TiledMMA or a TiledCopy. Several of them are an error.
func (r *reader) isTiled() bool {
	n, second := 0, 0
	labels := tiled[:]
	if r.operandCopy() >= 0 {
		labels = append(operandCopies[:], tiled[:len(tiled)-1]...) // an argument is an MMA
	}
	for _, label := range labels {
		for _, at := range r.places(label) {
			if n++; n > 1 {
				second = max(second, at)
			}
		}
	}
	if n > 1 {
		r.Fail(second, "keep one of them", "the text describes %d layouts of TiledCopy or TiledMMA, expected 1", n)
	}
	return n > 0
}

// place returns the offset of the value of a label, NAME: or NAME(, or a negative number if the input does not have the
// label.
func (r *reader) place(label string) int {
	if places := r.places(label); len(places) > 0 {
		return places[0]
	}
	return -1
}

// places returns the offsets of the values of a label.
func (r *reader) places(label string) (list []int) {
	tokens := r.Tokens()
	for i, t := range tokens[:len(tokens)-1] {
		if next := r.Text(tokens[i+1]); r.Text(t) == label && (next == ":" || next == "(") {
			list = append(list, int(tokens[i+1].End))
		}
	}
	return list
}

// layoutAt reads the layout at an offset, up to the end of the line or, if that is given, another end.
func (r *reader) layoutAt(at, end int) layout.Layout {
	if at < 0 {
		r.Fail(0, "", "the text ends before all layouts are known")
		return layout.Layout{}
	}
	if end == 0 {
		if end = len(r.In); at > 0 {
			end = at + lexer.LineEnd(r.In[at:])
		}
	}
	found, err := notation.Read(strings.TrimSpace(r.In[at:end]), notation.Options{})
	switch {
	case err != nil:
		r.FaultAt(at, err)
	case len(found) != 1 || found[0].Notation.Name != "cute" || found[0].Tensor.Layout().IsSwizzled():
		r.Fail(at, "such as ((4,8),(2,2)):((32,1),(16,8))", "expected a layout from threads and values")
	default:
		return found[0].Tensor.Layout()
	}
	return layout.Layout{}
}

// shape reads the sizes behind a label, such as (_32,_8).
func (r *reader) shape(label string) (sizes []int64) {
	l := r.layoutAt(r.place(label), 0)
	for i := range l.Rank() {
		sizes = append(sizes, l.Axis(i).Size())
	}
	return sizes
}

// fromTV puts the digits of a layout from threads and values, perhaps after a change of each.
func (r *reader) fromTV(b *builder, l layout.Layout, change func(place) []place) {
	low, _ := l.Bounds()
	if r.Err == nil && (l.Rank() != 2 || l.Base() != 0 || low < 0 || l.Empty()) {
		r.Fail(0, "such as ((4,8),(2,2)):((32,1),(16,8))", "a layout from threads and values has these two modes")
	}
	if r.Err != nil {
		return
	}
	var modes [2][]place
	for i := range modes {
		digits := l.Axis(i).DigitList()
		for _, d := range slices.Backward(digits) {
			switch p := (place{d.Extent, 0, d.Stride}); {
			case d.Stride == 0:
				modes[i] = append(modes[i], place{d.Extent, none, 0})
			case change != nil:
				modes[i] = append(modes[i], change(p)...)
			default:
				modes[i] = append(modes[i], p)
			}
		}
	}
	r.threads(b, modes[0])
	for _, p := range modes[1] {
		b.put(Value, p)
	}
	r.Fault(b.err)
}

// threads puts the digits of the number of a thread: first the digits of its lane, and then the digits of its warp.
func (r *reader) threads(b *builder, list []place) {
	lanes := int64(1)
	for _, p := range b.digits[Lane] {
		lanes *= p.extent
	}
	for _, p := range list {
		inner := min(p.extent, warpLanes/lanes)
		if inner < 1 || p.extent%inner != 0 || inner < p.extent && warpLanes%lanes != 0 {
			r.Fail(0, "", "the %d lanes of a warp are not digits of these threads", warpLanes)
			return
		}
		b.put(Lane, place{inner, p.dim, p.apart})
		b.put(Warp, place{p.extent / inner, p.dim, p.apart * inner})
		lanes *= inner
	}
}

// inverted returns the digits of the numbers that a layout of threads or values has, the innermost first, each along
// the dimension of the step of its axis: one step along axis i is steps[i].
func (r *reader) inverted(l layout.Layout, steps []place) (list []place) {
	at := map[int64]place{}
	for i := range l.Rank() {
		step := steps[i]
		digits := l.Axis(i).DigitList()
		for _, d := range slices.Backward(digits) {
			if d.Extent > 1 {
				at[d.Stride] = place{d.Extent, step.dim, step.apart}
			}
			step.apart *= d.Extent
		}
	}
	for next := int64(1); len(at) > 0; {
		p, ok := at[next]
		if !ok {
			r.Fail(0, "", "the threads or values do not count from 0 without gaps")
			return nil
		}
		delete(at, next)
		list, next = append(list, p), next*p.extent
	}
	return list
}

// arguments returns the start and end of each argument of a call. The opening bracket is before offset at.
func (r *reader) arguments(at int) (list [][2]int) {
	depth := 1
	for _, t := range r.Tokens() {
		if int(t.At) < at || depth == 0 {
			continue
		}
		switch text := r.Text(t); text {
		case "(", "[", "{", "<":
			depth++
		case ")", "]", "}", ">":
			depth--
		}
		if depth == 0 || depth == 1 && r.Text(t) == "," {
			list, at = append(list, [2]int{at, int(t.At)}), int(t.End)
		}
	}
	return list
}

// tiledCopy builds a copy of a layout of threads and one of values, the last two arguments: each thread has a block of
// values.
func (r *reader) tiledCopy(b *builder) []int64 {
	at := max(r.place("make_tiled_copy"), r.place("make_tiled_copy_tv"))
	list := r.arguments(at)
	n := len(list)
	if n < 2 {
		const hint = "such as make_tiled_copy((32,8):(1,32), (4,1):(1,1))"
		r.Fail(at, hint, "a layout of threads and one of values are expected")
		return nil
	}
	threads, values := r.layoutAt(list[n-2][0], list[n-2][1]), r.layoutAt(list[n-1][0], list[n-1][1])
	atom := ""
	if n > 2 {
		atom = r.In[list[0][0]:list[0][1]]
	}
	if r.Err == nil && (threads.Rank() != values.Rank() || threads.Empty() || values.Empty()) {
		r.Fail(at, "", "the layouts of threads and of values have %d and %s", threads.Rank(),
			wording.Count(values.Rank(),
				"mode"))
	}
	if r.Err != nil {
		return nil
	}
	var tile []int64
	var inner, outer []place
	next := int64(1)
	for i := range threads.Rank() {
		v := values.Axis(i).Size()
		inner, outer = append(inner, place{apart: next}), append(outer, place{apart: next * v})
		tile = append(tile, threads.Axis(i).Size()*v)
		next *= tile[i]
	}
	r.threads(b, r.inverted(threads, outer))
	for _, p := range r.inverted(values, inner) {
		b.put(Value, p)
	}
	r.refine(b, atom, at)
	return tile
}

// within splits a digit of the number in a tile with the given number of rows into digits along its rows and its
// columns.
func (p place) within(rows int64) []place {
	if p.apart >= rows {
		return []place{{p.extent, 1, p.apart / rows}}
	}
	inner := min(p.extent, rows/p.apart)
	return []place{{inner, 0, p.apart}, {p.extent / inner, 1, 1}}
}

// through applies a permutation to a digit of indices along its dimension, and returns the resulting digits. The digits
// of the permutation are in the order of their numbers, the fastest first. Indices beyond the permutation stay the
// same.
func (r *reader) through(permutation []layout.Digit, p place) (list []place) {
	reach := int64(1)
	for _, d := range permutation {
		if next := reach * d.Extent; p.extent > 1 && p.apart < next {
			inner := min(p.extent, next/p.apart)
			if p.apart%reach != 0 || p.extent%inner != 0 || inner < p.extent && next%p.apart != 0 {
				const msg = "the permutation cuts %s that are %d apart"
				r.Fail(r.place("PermutationMNK"), "", msg, wording.Count(p.extent, "index"), p.apart)
				return nil
			}
			list = append(list, place{inner, p.dim, p.apart / reach * d.Stride})
			p.extent, p.apart = p.extent/inner, next
		}
		reach *= d.Extent
	}
	return append(list, p)
}

// permutations reads the arguments of PermutationMNK: for each of M, N and K an underscore, a size, or a layout that
// moves indices. An underscore has the size 0, and the first two have no digits.
func (r *reader) permutations() (sizes [3]int64, moves [3][]layout.Digit) {
	at := r.place("PermutationMNK")
	if at < 0 {
		return sizes, moves
	}
	return r.permutationsAt(at + strings.IndexByte(r.In[at:], '(') + 1)
}

// permutationsAt reads permutations. The opening bracket is before offset at.
func (r *reader) permutationsAt(at int) (sizes [3]int64, moves [3][]layout.Digit) {
	parts := r.arguments(at)
	if len(parts) != len(sizes) {
		r.Fail(at, "such as (_,_,_)", "a permutation has three parts")
		return sizes, moves
	}
	for i, part := range parts {
		text := strings.Trim(r.In[part[0]:part[1]], "_ ")
		size, err := lexer.ParseNumber(text)
		switch {
		case text == "":
			continue
		case err == nil && size == 0:
			r.Fail(part[0], "", "a permutation has no indices")
		case err == nil:
			sizes[i] = size
			continue
		}
		l := r.layoutAt(part[0], part[1])
		for axis := range l.Rank() {
			digits := l.Axis(axis).DigitList()
			slices.Reverse(digits)
			moves[i] = append(moves[i], digits...)
		}
		sizes[i] = l.Elements()
		if r.inverted(l, make([]place, l.Rank())); r.Err != nil {
			return sizes, moves
		}
	}
	return sizes, moves
}

// A tiledMMA is one of the matrices of a printed TiledMMA.
type tiledMMA struct {
	axes   [2]int // the two of M, N and K that the matrix has
	atom   []int64
	of, tv layout.Layout
	moves  [3][]layout.Digit
	tile   []int64
}

// parts reads a TiledMMA.
func (r *reader) parts() (m tiledMMA) {
	if r.matrix == 0 {
		r.Fail(len(r.In), "write :A, :B or :C behind it", "the matrix is missing")
		return m
	}
	var ok bool
	if m.axes, ok = map[byte][2]int{'A': {0, 2}, 'B': {1, 2}, 'C': {0, 1}}[r.matrix]; !ok {
		r.Fail(len(r.In), "one of :A, :B, :C", "unknown matrix %c", r.matrix)
		return m
	}
	var sizes [3]int64
	if at := r.place("make_tiled_mma"); at >= 0 {
		sizes = r.madeParts(at, &m)
	} else {
		m.atom, m.of = r.shape("Shape_MNK"), r.layoutAt(r.place("ThrLayoutVMNK"), 0)
		m.tv = r.layoutAt(r.place("Layout"+string(r.matrix)+"_TV"), 0)
		if r.Err == nil && (len(m.atom) != 3 || m.of.Rank() != 4) {
			r.Fail(0, "", "ThrLayoutVMNK has four modes, and Shape_MNK three")
		}
		sizes, m.moves = r.permutations()
	}
	if r.Err != nil {
		return m
	}
	if m.tile = r.tile; m.tile == nil {
		for _, i := range m.axes {
			m.tile = append(m.tile, cmp.Or(sizes[i], m.atom[i]*m.of.Axis(i+1).Size()))
		}
	}
	if n := m.of.Axis(0).Size(); n != 1 && n < warpLanes || m.of.Axis(0).Digits() > 1 {
		r.Fail(0, "", "atoms of %s are not read", wording.Count(n, "thread"))
	} else if len(m.tile) != 2 {
		r.Fail(0, "", "the tile of a matrix has two sizes")
	}
	return m
}

// tiledMMA builds a matrix of a TiledMMA: the layout of the atom, repeated over threads according to ThrLayoutVMNK, and
// over values to the size of the tile. Permutations move rows and columns.
func (r *reader) tiledMMA(b *builder) []int64 {
	m := r.parts()
	if r.Err != nil {
		return nil
	}
	b.sizes, b.placed = m.tile, []int64{1, 1}
	move := func(p place) []place {
		if p.dim == none {
			return []place{p}
		}
		return r.through(m.moves[m.axes[p.dim]], p)
	}
	placed := [2]int64{m.atom[m.axes[0]], m.atom[m.axes[1]]}
	r.fromTV(b, m.tv, func(p place) (list []place) {
		for _, part := range p.within(placed[0]) {
			list = append(list, move(part)...)
		}
		return list
	})
	steps := [4]place{{dim: none}, {dim: none}, {dim: none}, {dim: none}} // for the axes V, M, N and K
	for k, i := range m.axes {
		steps[i+1] = place{dim: k, apart: placed[k]}
		placed[k] *= m.of.Axis(i + 1).Size()
	}
	threads := r.inverted(m.of, steps[:])
	if r.Err != nil {
		return nil
	}
	if m.of.Axis(0).Size() > 1 {
		threads = threads[1:] // without the threads of an atom
	}
	var moved []place
	for _, p := range threads {
		moved = append(moved, move(p)...)
	}
	r.threads(b, moved)
	for k := range placed {
		if m.tile[k]%placed[k] != 0 {
			r.Fail(0, "", "tiles of %d do not fill the %d of the tile", placed[k], m.tile[k])
		}
		for _, part := range move(place{max(m.tile[k]/placed[k], 1), k, placed[k]}) {
			b.put(Value, part)
		}
	}
	r.Fault(b.err)
	return m.tile
}
