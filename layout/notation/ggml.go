package notation

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// maxGGMLRank is GGML_MAX_DIMS.
const maxGGMLRank = 4

func fitsGGML(text string) bool {
	if hasAny(text, `"ne"`, "GGML_") {
		return true
	}
	for _, mark := range []string{"ne =", "ne=", "ne:"} {
		if i := strings.Index(text, mark); i == 0 || i > 0 && !scan.IsWord(text[i-1]) {
			return true
		}
	}
	return false
}

// readGGML reads ne, the sizes from the innermost on, and nb, the strides in bytes in the same
// order. Axes are listed the other way round here, as PyTorch has them.
func readGGML(r *reader) {
	items := r.entries(0)
	if len(items) == 1 && items[0].kind == list && items[0].key != "ne" {
		items = items[0].list
	}
	ne, ok := field(items, "ne")
	if !ok || r.err != nil {
		r.fail(0, "such as type = GGML_TYPE_F32, ne = {3, 2}, nb = {4, 12}", "ne is missing")
		return
	}
	dtype, typed := r.ggmlType(items)
	sizes := r.ints(ne, "sizes")
	slices.Reverse(sizes)
	strides := r.rowMajor(sizes)
	if nb, ok := field(items, "nb"); ok {
		strides = r.byteStrides(nb, dtype)
		slices.Reverse(strides)
	}
	if offset, ok := field(items, "view_offs"); ok && !offset.isNull() {
		r.skip("view_offs, where data is in another tensor's")
	}
	r.strided(ne.at, Descriptor{Typed: typed}, dtype, 0, sizes, strides)
}

// ggmlType reads the type. Quantised ones count their strides in blocks of elements.
func (r *reader) ggmlType(items []entry) (layout.DType, bool) {
	v, ok := field(items, "type", "dtype")
	if !ok {
		return r.options.DType, false
	}
	name := strings.ToUpper(strings.TrimPrefix(v.word, "GGML_TYPE_"))
	d, err := layout.ParseDType(name)
	if err != nil && (strings.Contains(name, "Q") || strings.Contains(name, "FP4")) {
		r.fail(v.at, "", "%s packs blocks of elements: they have no strides of their own", name)
	}
	r.within(v.at, err)
	return d, true
}

// writeGGML writes type, ne and nb, with as many entries as there are axes.
func writeGGML(t layout.Tensor) (string, error) {
	strides, dtype, err := terms{zero: true, rank: maxGGMLRank}.typed(t, t.DType().Info().GGUF)
	if err != nil {
		return "", err
	}
	sizes := t.Layout().Sizes()
	inBytes(strides, t.DType())
	slices.Reverse(sizes)
	slices.Reverse(strides)
	return fmt.Sprintf("type = GGML_TYPE_%s, ne = {%s}, nb = {%s}", dtype, layout.JoinInts(sizes, ", "),
		layout.JoinInts(strides, ", ")), nil
}
