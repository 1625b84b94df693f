package render

import (
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/notation"
)

// A need is the storage that consumers of a tensor require.
type need struct {
	systems         []string // the systems that allocate this number of bytes
	extent          string   // the part of the storage, if no system allocates it
	elements, bytes int64
}

// needsOf returns the storage that a tensor requires, with at least one need. The first is the storage to allocate: for
// the system of the tensor or, if the system is unknown, the most that any system requires. Systems that agree are
// combined. The largest and the smallest storage are included even if no system allocates them. f are the facts of the
// layout.
func needsOf(t layout.Tensor, f analysis.Facts) (list []need) {
	own := t.System()
	for _, a := range notation.Allocations(t) {
		i := slices.IndexFunc(list, func(n need) bool { return n.elements == a.Elements && n.bytes == a.Bytes })
		switch {
		case a.System == layout.Others:
			list = append(list, need{nil, extentOf(t, f), a.Elements, a.Bytes})
		case i < 0:
			list = append(list, need{[]string{a.System.Title()}, "", a.Elements, a.Bytes})
		case i > 0 || own == layout.Others: // systems that agree with the tensor's own are redundant
			list[i].systems = append(list[i].systems, a.System.Title())
		}
	}
	add := func(extent string, elements, bytes int64) {
		if !slices.ContainsFunc(list, func(n need) bool { return n.elements == elements }) {
			list = append(list, need{extent: extent, elements: elements, bytes: bytes})
		}
	}
	if reservesMore(t, f) {
		add(allPadding, t.Reserved(), t.Bytes(t.Reserved()))
	}
	if f.Elements > 0 {
		add(toLast, t.Extent(), t.Bytes(t.Extent()))
	}
	return list
}

// toLast names the storage without padding after the last element.
const toLast = "up to the last element"

// extentOf names the whole storage of a tensor.
func extentOf(t layout.Tensor, f analysis.Facts) string {
	switch {
	case f.Elements == 0:
		return ""
	case reservesMore(t, f):
		return allPadding
	}
	return toLast
}

// who names the consumers: DirectML, oneDNN.
func (n need) who() string { return strings.Join(n.systems, ", ") + n.extent }

// sentence states for whom the bytes of a need are: 210 for oneDNN and PyTorch.
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

// product describes the calculation of a need's bytes: 105 x 2, rounded up to 4.
func (n need) product(t layout.Tensor, f analysis.Facts) string {
	size := text(t.DType().Bits() / 8)
	if bits := t.DType().Bits(); bits%8 != 0 {
		size = Counted(bits, "bit")
	}
	parts := []string{Group(n.elements) + " x " + size}
	switch exact := t.Bytes(n.elements); {
	case n.bytes == exact:
	case n.bytes == (exact+3)&^3:
		parts = append(parts, "rounded up to 4")
	default: // each element in whole bytes
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

// unusedWord names the unused part of a tensor's storage. For a view, it is elements of another tensor.
func unusedWord(t layout.Tensor, f analysis.Facts) string {
	if t.Viewed() || f.Low != 0 {
		return "not used"
	}
	return "padding"
}

// percent returns the percentage of the storage that holds no element; ok is false if it is unknown.
func (n need) percent(f analysis.Facts) (percent float64, ok bool) {
	if n.elements <= f.Distinct {
		return 0, f.DistinctKnown
	}
	return 100 - float64(f.Distinct)*100/float64(n.elements), f.DistinctKnown
}

// percentNumber returns the percentage as a number with three significant digits, or an empty string if it is unknown.
func (n need) percentNumber(f analysis.Facts) string {
	percent, ok := n.percent(f)
	if !ok {
		return ""
	}
	return strconv.FormatFloat(percent, 'g', 3, 64)
}

// padding returns the percentage in words, or an empty string if it is 0 or unknown.
func (n need) padding(f analysis.Facts) string {
	percent, ok := n.percent(f)
	if !ok || percent == 0 {
		return ""
	}
	switch percent := strconv.FormatFloat(percent, 'f', 1, 64); percent {
	case "0.0":
		return "less than 0.1 %"
	case "100.0":
		return "more than 99.9 %"
	default:
		return strings.TrimSuffix(percent, ".0") + " %"
	}
}
