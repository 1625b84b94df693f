package render

import (
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
)

// An allocation is the storage that a system allocates for a tensor.
type allocation struct {
	system string
	notation.Size
}

// allocated returns the allocations of the systems that can express the tensor.
func allocated(t layout.Tensor) (list []allocation) {
	for _, system := range [...]struct{ name, notation string }{
		{"DirectML", "dml"}, {"oneDNN", "onednn"}, {"PyTorch", "pytorch"},
	} {
		n, err := notation.Find(system.notation)
		if err == nil {
			_, err = n.Write(t)
		}
		var sizes []notation.Size
		if err == nil {
			sizes, err = n.Figures(t)
		}
		if err == nil {
			list = append(list, allocation{system.name, sizes[0]})
		}
	}
	return list
}

// A need is the storage that consumers of a tensor ask for.
type need struct {
	systems         []string // that allocate so much
	extent          string   // which part of the storage it is, if no system allocates it
	elements, bytes int64
}

// needsOf returns what each system allocates for a tensor, systems that agree together, the largest and the smallest
// storage if no system allocates them, and at least one need. The first is that of an API that copies the tensor as an
// image, if there is one. f are the facts of the layout.
func needsOf(t layout.Tensor, f facts.Facts, c *shape.Copy) (list []need) {
	if c != nil {
		list = append(list, need{systems: []string{c.Target}, elements: c.Elements, bytes: c.Bytes})
	}
	for _, a := range allocated(t) {
		i := slices.IndexFunc(list, func(n need) bool { return n.elements == a.Elements && n.bytes == a.Bytes })
		if i < 0 {
			i = len(list)
			list = append(list, need{elements: a.Elements, bytes: a.Bytes})
		}
		list[i].systems = append(list[i].systems, a.system)
	}
	add := func(extent string, elements, bytes int64) {
		if !slices.ContainsFunc(list, func(n need) bool { return n.elements == elements }) {
			list = append(list, need{extent: extent, elements: elements, bytes: bytes})
		}
	}
	if reservesMore(t, f) {
		add(allPadding, t.Reserved(), t.Bytes(t.Reserved()))
	}
	isWhole := func(n need) bool { return n.elements == t.Reserved() }
	if i := slices.IndexFunc(list, isWhole); i > 0 && c == nil && reservesMore(t, f) {
		list[0], list[i] = list[i], list[0] // whole blocks are the safe answer
	}
	if f.Elements > 0 {
		add("up to the last element", f.High-min(f.Low, 0)+1, t.BufferBytes())
	}
	if len(list) == 0 {
		list = []need{{}}
	}
	return list
}

// who names the consumers: DirectML, oneDNN.
func (n need) who() string { return strings.Join(n.systems, ", ") + n.extent }

// sentence says for whom the bytes of a need are: 210 for oneDNN and PyTorch.
func (n need) sentence(palette *Palette, noun string) string {
	words := palette.Title(Group(n.bytes)) + noun
	last := len(n.systems) - 1
	switch {
	case last > 0:
		return words + " for " + strings.Join(n.systems[:last], ", ") + " and " + n.systems[last]
	case last == 0:
		return words + " for " + n.systems[0]
	case n.extent != "":
		return words + " " + n.extent
	}
	return words
}

// product says how the bytes of a need come about: 105 x 2, rounded up to 4.
func (n need) product(t layout.Tensor, f facts.Facts) string {
	size := text(t.DType().Bits() / 8)
	if bits := t.DType().Bits(); bits%8 != 0 {
		size = Counted(bits, "bit")
	}
	parts := []string{Group(n.elements) + " x " + size}
	switch exact := t.Bytes(n.elements); {
	case n.bytes == exact:
	case n.bytes == (exact+3)&^3:
		parts = append(parts, "rounded up to 4")
	default: // each element in bytes of its own
		parts[0] = Counted(n.elements, "element")
	}
	if about := inUnits(n.bytes); about != "" {
		parts = append(parts, about)
	}
	if padding := n.padding(f); padding != "" {
		parts = append(parts, padding+" "+unusedWord(t, f))
	}
	return strings.Join(parts, ", ")
}

// unusedWord names what a tensor leaves of its storage. A view leaves elements of another tensor.
func unusedWord(t layout.Tensor, f facts.Facts) string {
	if t.Viewed() || f.Low != 0 {
		return "not used"
	}
	return "padding"
}

// padding returns the part of the storage that holds no element, as a percentage; empty if there is none or it is not
// known.
func (n need) padding(f facts.Facts) string {
	if !f.DistinctKnown || n.elements <= f.Distinct {
		return ""
	}
	switch percent := strconv.FormatFloat(100-float64(f.Distinct)*100/float64(n.elements), 'f', 1, 64); percent {
	case "0.0":
		return "less than 0.1 %"
	case "100.0":
		return "more than 99.9 %"
	default:
		return strings.TrimSuffix(percent, ".0") + " %"
	}
}
