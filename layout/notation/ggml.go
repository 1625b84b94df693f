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
	if hasAny(text, `"ne"`, "GGML_") || hasAny(text, ggmlMarks[:]...) {
		return true
	}
	for _, mark := range []string{"ne =", "ne=", "ne:"} {
		if i := strings.Index(text, mark); i == 0 || i > 0 && !scan.IsWord(text[i-1]) {
			return true
		}
	}
	return false
}

// ggmlMarks are in the lines of logs that list tensors: those of a model, and those of a graph that is traced.
var ggmlMarks = [...]string{"llama_model_loader: - tensor", "ggml_debug: ", "_cb_eval: "}

// readGGML reads ne, the sizes from the innermost on, and nb, the strides in bytes in the same
// order. Axes are listed the other way round here, as PyTorch has them.
func readGGML(r *reader) {
	if hasAny(r.In, ggmlMarks[:]...) {
		r.ggmlLines()
		return
	}
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
		strides = r.ggmlStrides(nb, dtype, sizes)
	}
	if offset, ok := field(items, "view_offs"); ok && !offset.isNull() {
		r.skip("view_offs, where data is in another tensor's")
	}
	r.strided(ne.at, Descriptor{Typed: typed}, dtype, 0, sizes, strides)
}

// ggmlStrides reads nb. Where an axis has one index its entry may be anything: it is left out where it is not a whole
// number of elements.
func (r *reader) ggmlStrides(nb value, dtype layout.DType, sizes []int64) []int64 {
	strides := r.ints(nb, "strides")
	slices.Reverse(strides)
	packed := r.rowMajor(sizes)
	item := dtype.Bits() / 8
	for i, bytes := range strides {
		if i < len(packed) && sizes[i] == 1 && item > 0 && bytes%item != 0 {
			strides[i] = packed[i]
			continue
		}
		strides[i] = r.elements(nb, bytes, dtype)
	}
	return strides
}

// ggmlLines reads the lines of a log that list tensors: a name, a type and ne.
func (r *reader) ggmlLines() {
	others := 0
	for rest := (piece{0, r.In}); rest.text != "" && r.err == nil; {
		var line piece
		line, rest = rest.cut('\n')
		switch i := strings.Index(line.text, ggmlMarks[0]); {
		case i >= 0:
			r.loaderLine(line.from(i + len(ggmlMarks[0])))
		case hasAny(line.text, ggmlMarks[1:]...):
			_, after := line.cut(':')
			r.graphLine(after)
		case strings.TrimSpace(line.text) != "":
			others++
		}
	}
	if others > 0 {
		r.skip("lines that do not list tensors: %d", others)
	}
	r.Pos = len(r.In)
	r.nothingLaidOut()
}

// from returns the piece without its first n bytes.
func (p piece) from(n int) piece { return piece{p.at + n, p.text[n:]} }

// loaderLine reads NUMBER: NAME TYPE [N, N, N, N].
func (r *reader) loaderLine(line piece) {
	const such = "such as tensor 0: token_embd.weight f16 [ 768, 32000, 1, 1 ]"
	_, entry := line.cut(':')
	bracket := strings.IndexByte(entry.text, '[')
	words := strings.Fields(entry.text[:max(bracket, 0)])
	if len(words) < 2 {
		r.fail(line.at, such, "a tensor is a name, a type and its sizes in brackets")
		return
	}
	dtype := words[len(words)-1]
	r.listed(words[0], piece{entry.at + strings.LastIndex(entry.text[:bracket], dtype), dtype}, entry.from(bracket))
}

// graphLine reads NAME = (TYPE) OPERATION(OPERANDS) = {N, N, N, N}.
func (r *reader) graphLine(line piece) {
	equal, last := strings.Index(line.text, " = ("), strings.LastIndex(line.text, " = {")
	if equal < 0 || last < equal || !strings.Contains(line.text[equal:last], ")") {
		r.fail(line.at, "such as Kcur-0 = (f32) MUL_MAT(...) = {1024, 6, 1, 1}",
			"a tensor is a name, a type, an operation and its sizes")
		return
	}
	name := strings.TrimSpace(line.text[:equal])
	dtype, operation := line.from(equal + len(" = (")).cut(')')
	word := strings.TrimSpace(operation.text)
	word = word[:strings.IndexAny(word+"(", "( ")]
	if slices.Contains([]string{"VIEW", "PERMUTE", "TRANSPOSE", "CPY", "SET", "SET_ROWS"}, word) {
		r.skip("%s is a view (%s) whose strides the line does not say: read as without gaps", name, word)
	}
	r.listed(name, dtype, line.from(last+len(" = ")))
}

// listed notes a tensor of a log. Those of quantised types are left out: the others of a model are not at fault.
func (r *reader) listed(name string, dtype, ne piece) {
	d, err := layout.ParseDType(dtype.text)
	if err != nil && isQuantised(strings.ToUpper(dtype.text)) {
		r.skip("%s is %s: blocks of elements have no strides of their own", name, dtype.text)
		return
	}
	r.within(dtype.at, err)
	r.Pos = ne.at
	var v value
	r.operand(&v)
	sizes := r.ints(v, "sizes")
	slices.Reverse(sizes)
	r.strided(ne.at, Descriptor{Name: name, Typed: true}, d, 0, sizes, r.rowMajor(sizes))
}

// ggmlType reads the type. Quantised ones count their strides in blocks of elements.
func (r *reader) ggmlType(items []entry) (layout.DType, bool) {
	v, ok := field(items, "type", "dtype")
	if !ok {
		return r.options.DType, false
	}
	name := strings.ToUpper(strings.TrimPrefix(v.word, "GGML_TYPE_"))
	d, err := layout.ParseDType(name)
	if err != nil && isQuantised(name) {
		r.fail(v.at, "", "%s packs blocks of elements: they have no strides of their own", name)
	}
	r.within(v.at, err)
	return d, true
}

// isQuantised reports whether an unknown type of ggml is one of blocks.
func isQuantised(name string) bool {
	return strings.Contains(name, "Q") || strings.Contains(name, "FP4")
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
