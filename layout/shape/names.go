package shape

import (
	"math/bits"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
)

// MaxNames limits the number of names that Names returns: all names of a tensor of rank 8.
const MaxNames = 40320

// Names returns the plain names that agree with the layout's strides. Axes of size 1 may be anywhere. It returns nil
// unless the layout is packed in the order of some name, starts at its base, and has letters as names. The axes of a
// layout without names have DirectML's names for the rank, or the first letters of the alphabet.
func Names(l layout.Layout) []string {
	letters := Letters(l)
	order, ok := packedOrder(l)
	if !ok || letters == "" {
		return nil
	}
	e := nameLister{letters: letters, fixed: order}
	for i, a := range l.Axes() {
		if a.Size() == 1 {
			e.free = append(e.free, i)
		}
	}
	e.list(make([]byte, 0, len(letters)), 0)
	return e.names
}

// Letters returns a string with a letter for each axis. It is empty if a name has several letters or there are too few
// letters.
func Letters(l layout.Layout) string {
	switch rank := l.Rank(); {
	case l.Named():
	case rank < len(directML):
		return directML[rank]
	case rank <= len(alphabet):
		return alphabet[:rank]
	}
	var b strings.Builder
	for _, a := range l.Axes() {
		if len(a.Name()) != 1 || !lexer.IsLetter(a.Name()[0]) {
			return ""
		}
		b.WriteString(a.Name())
	}
	return b.String()
}

// packedOrder returns the axes of size above 1 from outermost to innermost; ok is false unless each stride equals the
// storage of the axes inside it, and there is no swizzle.
func packedOrder(l layout.Layout) (order []int, ok bool) {
	if !l.IsIdle() {
		return nil, false
	}
	runs, ragged := l.Runs(nil)
	layout.SortRuns(runs)
	next := int64(1)
	for _, r := range runs {
		if ragged || r.Stride != next || r.Reversed || slices.Contains(order, r.Axis) {
			return nil, false
		}
		next += r.Reach()
		order = append(order, r.Axis)
	}
	slices.Reverse(order)
	return order, !l.Empty()
}

// SizesInMemory returns the sizes above 1 of a layout without gaps and blocks, from outermost to innermost; ok is false
// for other layouts.
func SizesInMemory(l layout.Layout) (sizes []int64, ok bool) {
	if l.Empty() {
		return l.Sizes(), true
	}
	order, ok := packedOrder(l)
	for _, axis := range order {
		sizes = append(sizes, l.Axis(axis).Size())
	}
	return sizes, ok
}

// A nameLister lists, in the order of the axes, the names with the fixed axes in their order and the free axes
// anywhere.
type nameLister struct {
	letters     string
	fixed, free []int
	names       []string
}

// list completes a name. The bits of used are the free axes that it has.
func (e *nameLister) list(name []byte, used uint64) {
	if len(name) == len(e.letters) {
		e.names = append(e.names, string(name))
		return
	}
	fixed := len(name) - bits.OnesCount64(used)
	for axis := range len(e.letters) {
		switch at := slices.Index(e.free, axis); {
		case len(e.names) == MaxNames:
			return
		case at >= 0 && used>>at&1 == 0:
			e.list(append(name, e.letters[axis]), used|1<<at)
		case at < 0 && fixed < len(e.fixed) && e.fixed[fixed] == axis:
			e.list(append(name, e.letters[axis]), used)
		}
	}
}

// NamesOf returns the names of the tensor's layout, its own first.
func NamesOf(t layout.Tensor) []string {
	names := Names(t.Layout())
	if i := slices.Index(names, t.Name()); i > 0 {
		copy(names[1:i+1], names[:i])
		names[0] = t.Name()
	}
	return names
}

// FlagName returns the name of axis i for flags: its own name, or DirectML's for the rank, or its index.
func FlagName(l layout.Layout, i int) string {
	if rank := l.Rank(); !l.Named() && rank < len(directML) {
		return directML[rank][i : i+1]
	}
	return l.AxisName(i)
}
