package layout

import (
	"math/bits"
	"slices"
	"strings"
)

// MaxNames limits how many names Names lists: all those of a tensor of rank 8.
const MaxNames = 40320

// Names returns the plain names that the layout's strides agree with: axes of size 1 may stand
// anywhere. There are none unless the layout is packed in the order of some name, starts
// behind its base, and has letters for names; of a layout without names those are DirectML's by
// rank, or the first of the alphabet.
func (l Layout) Names() []string {
	letters := l.letters()
	order, ok := l.packedOrder()
	if !ok || letters == "" {
		return nil
	}
	e := nameLister{letters: letters, fixed: order, free: l.sizeOneAxes()}
	e.list(make([]byte, 0, len(letters)), 0)
	return e.names
}

// letters returns the letters of the axes as a text, empty when a name has more than one.
func (l Layout) letters() string {
	switch rank := len(l.axes); {
	case l.Named():
	case rank < len(directML):
		return directML[rank]
	case rank <= len(alphabet):
		return alphabet[:rank]
	}
	var b strings.Builder
	for _, a := range l.axes {
		if len(a.name) != 1 || !isLetter(a.name[0]) {
			return ""
		}
		b.WriteString(a.name)
	}
	return b.String()
}

// packedOrder returns the axes of size above 1 from outermost to innermost; ok is false unless
// each stride is just what the axes inside it take.
func (l Layout) packedOrder() (order []int, ok bool) {
	var runs []Run
	for i := range l.axes {
		first := len(runs)
		var partial bool
		runs, partial = l.axes[i].Runs(runs, i)
		if partial || len(runs) > first+1 {
			return nil, false
		}
	}
	SortRuns(runs)
	next := int64(1)
	for _, d := range runs {
		if d.Stride != next || d.Reversed {
			return nil, false
		}
		next *= d.Extent
		order = append(order, d.Axis)
	}
	slices.Reverse(order)
	return order, !l.Empty()
}

func (l Layout) sizeOneAxes() []int {
	var free []int
	for i, a := range l.axes {
		if a.size == 1 {
			free = append(free, i)
		}
	}
	return free
}

// A nameLister lists, in the order of the axes, the names in which the fixed axes keep their
// order and the free ones stand anywhere.
type nameLister struct {
	letters     string
	fixed, free []int
	names       []string
}

// list completes a name whose free axes are marked in used.
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

// Names returns the layout's names, its own first.
func (t Tensor) Names() []string {
	names := t.layout.Names()
	if i := slices.Index(names, t.name); i > 0 {
		copy(names[1:i+1], names[:i])
		names[0] = t.name
	}
	return names
}
