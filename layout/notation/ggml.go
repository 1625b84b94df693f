package notation

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/notation/literal"
)

// A ggmlReader reads ne and nb of ggml.
type ggmlReader struct{ *reader }

// maxGGMLRank is GGML_MAX_DIMS.
const maxGGMLRank = 4

// ggmlMarks are in the lines of logs that list tensors: those of a model, and those of a graph that is traced.
var ggmlMarks = [...]string{"llama_model_loader: - tensor", "ggml_debug: ", "_cb_eval: "}

// readGGML reads ne, the sizes from the innermost on, and nb, the strides in bytes in the same
// order. Axes are listed the other way round here, as PyTorch has them.
func readGGML(of *reader) {
	r := ggmlReader{of}
	if hasAny(r.In, ggmlMarks[:]...) || hasGGUFLine(r.In) {
		r.ggmlLines()
		return
	}
	var items []literal.Entry
	if r.IsSession() {
		for _, b := range r.session() {
			if _, ok := literal.Field(b.Value.List, "ne"); ok {
				items = b.Value.List
			}
		}
	} else {
		if r.Take("struct"); r.Take("ggml_tensor") && r.Peek() != '*' { // NAME = {...}
			r.Word()
			r.Take("=")
		}
		items = r.Entries(0)
	}
	if len(items) == 1 && items[0].Kind == literal.List && items[0].Key != "ne" {
		items = items[0].List
	}
	ne, ok := literal.Field(items, "ne")
	if !ok || r.Err != nil {
		r.Fail(0, "such as type = GGML_TYPE_F32, ne = {3, 2}, nb = {4, 12}", "ne is missing")
		return
	}
	r.ggmlWords(items)
	dtype, typed := r.ggmlType(items)
	sizes := r.Ints(ne, "sizes")
	slices.Reverse(sizes)
	strides := r.rowMajor(sizes)
	if nb, ok := literal.Field(items, "nb"); ok {
		strides = r.ggmlStrides(nb, dtype, sizes)
	}
	for _, e := range items {
		switch {
		case e.Key == "view_offs" && !e.IsNull():
			r.skip("view_offs, where data is in another tensor's")
		case e.Key != "" && !slices.Contains(ggmlMembers[:], e.Key):
			r.unread(e, ggmlMembers[1:4], "stride")
		}
	}
	r.strided(ne.At, Descriptor{Typed: typed}, dtype, 0, sizes, strides)
}

// ggmlMembers are the members of a ggml_tensor, those of old versions too.
var ggmlMembers = [...]string{
	"dtype", "type", "ne", "nb", "backend", "buffer", "data", "extra", "flags", "grad", "is_param", "name", "n_dims",
	"n_tasks", "op", "op_params", "opt", "padding", "perf_cycles", "perf_runs", "perf_time_us", "src", "src0", "src1",
	"view_offs", "view_src",
}

// ggmlWords refuses words and numbers that are not the value of a field, such as a type. Texts among the fields are
// the rest of one that a debugger prints.
func (r ggmlReader) ggmlWords(items []literal.Entry) {
	for i, e := range items {
		if e.Key != "" || e.Kind == literal.Nothing || e.Kind == literal.Str {
			continue
		}
		at := e.At
		if e.Word == "type" && i+1 < len(items) {
			e = items[i+1]
		}
		hint := "leave it out"
		name := strings.TrimPrefix(e.Word, "GGML_TYPE_")
		if _, err := layout.ParseDType(name); err == nil || isQuantised(strings.ToUpper(name)) {
			hint = "type = " + e.Word
		}
		r.Fail(at, hint, "%q is neither ne, nb nor type = TYPE", strings.TrimSpace(r.In[at:]))
	}
}

// ggmlStrides reads nb. Where an axis has one index its entry may be anything: it is left out where it is not a whole
// number of elements.
func (r ggmlReader) ggmlStrides(nb literal.Value, dtype layout.DType, sizes []int64) []int64 {
	strides := r.Ints(nb, "strides")
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
func (r ggmlReader) ggmlLines() {
	others := 0
	for rest := (piece{0, r.In}); rest.text != "" && r.Err == nil; {
		var line piece
		line, rest = rest.cut('\n')
		switch i := strings.Index(line.text, ggmlMarks[0]); {
		case i >= 0:
			r.loaderLine(line.from(i + len(ggmlMarks[0])))
		case hasAny(line.text, ggmlMarks[1:]...):
			_, after := line.cut(':')
			r.graphLine(after)
		default:
			name, dtype, ne, ok := line.ggufLine()
			if ok {
				r.listed(name.text, dtype, ne)
			} else if strings.TrimSpace(line.text) != "" {
				others++
			}
		}
	}
	if others > 0 {
		r.skip("lines that do not list tensors: %d", others)
	}
	r.Pos = len(r.In)
	r.nothingLaidOut()
}

// hasGGUFLine reports whether a line of the text is one of the tools of gguf.
func hasGGUFLine(text string) bool {
	for line := range strings.Lines(text) {
		if _, _, _, ok := (piece{0, strings.TrimRight(line, "\r\n")}).ggufLine(); ok {
			return true
		}
	}
	return false
}

// ggufLine takes a line apart that lists a tensor: of gguf-dump's tables, 1: 4096 | 4096, 1, 1, 1 | F32 | NAME and
// | 1 | NAME | ... | 4096 x 1 x 1 x 1 | F32 | 32.0 |; of llama-quantize, [ 1/ 291] NAME - [ 4096, 1], type = f32; and
// of convert_hf_to_gguf, NAME, torch.float16 --> F16, shape = {4096, 4096}. Sizes start with the innermost one.
func (p piece) ggufLine() (name, dtype, ne piece, ok bool) {
	switch {
	case strings.HasPrefix(p.text, "|"):
		var cells [8]piece
		for i := range cells {
			cells[i], p = p.cut('|')
		}
		name, ne, dtype = cells[2].trimmed(), cells[5].trimmed(), cells[6].trimmed()
		ok = strings.Contains(ne.text, " x ") && strings.Trim(ne.text, "0123456789 x") == ""
	case strings.Contains(p.text, " | "):
		_, rest := p.cut('|')
		ne, rest = rest.cut('|')
		dtype, name = rest.cut('|')
		name, dtype, ne = name.trimmed(), dtype.trimmed(), ne.trimmed()
		ok = strings.Contains(ne.text, ",") && strings.Trim(ne.text, "0123456789, ") == ""
	case strings.Contains(p.text, "], type = "):
		before, after := p.cut('=')
		open := strings.LastIndexByte(before.text, '[')
		dtype, _ = after.cut(',')
		ne = before.from(max(open, 0))
		words := strings.Fields(strings.TrimRight(before.text[:max(open, 0)], " -"))
		if dtype = dtype.trimmed(); len(words) > 0 {
			name = piece{p.at, words[len(words)-1]}
		}
		ok = open > 0 && name.text != ""
	case strings.Contains(p.text, " --> ") && strings.Contains(p.text, ", shape = {"):
		before, after := p.cut('>')
		dtype, _ = after.cut(',')
		ne = after.from(strings.Index(after.text, "{"))
		words, _ := before.cut(',')
		name, dtype = words.from(strings.LastIndexAny(words.text, ": ")+1), dtype.trimmed()
		ok = strings.Contains(after.text, ", shape = {") && name.text != ""
	}
	return name, dtype, ne, ok && name.text != "" && dtype.text != "" && strings.IndexByte(dtype.text, ' ') < 0
}

// trimmed returns the piece without the blanks about it.
func (p piece) trimmed() piece {
	text := strings.TrimLeft(p.text, " \t\r")
	return piece{p.at + len(p.text) - len(text), strings.TrimRight(text, " \t\r")}
}

// from returns the piece without its first n bytes.
func (p piece) from(n int) piece { return piece{p.at + n, p.text[n:]} }

// loaderLine reads NUMBER: NAME TYPE [N, N, N, N].
func (r ggmlReader) loaderLine(line piece) {
	const such = "such as tensor 0: token_embd.weight f16 [ 768, 32000, 1, 1 ]"
	_, entry := line.cut(':')
	bracket := strings.IndexByte(entry.text, '[')
	words := strings.Fields(entry.text[:max(bracket, 0)])
	if len(words) < 2 {
		r.Fail(line.at, such, "a tensor is a name, a type and its sizes in brackets")
		return
	}
	dtype := words[len(words)-1]
	r.listed(words[0], piece{entry.at + strings.LastIndex(entry.text[:bracket], dtype), dtype}, entry.from(bracket))
}

// graphLine reads NAME = (TYPE) OPERATION(OPERANDS) = {N, N, N, N}.
func (r ggmlReader) graphLine(line piece) {
	equal, last := strings.Index(line.text, " = ("), strings.LastIndex(line.text, " = {")
	if equal < 0 || last < equal || !strings.Contains(line.text[equal:last], ")") {
		r.Fail(line.at, "such as Kcur-0 = (f32) MUL_MAT(...) = {1024, 6, 1, 1}",
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
func (r ggmlReader) listed(name string, dtype, ne piece) {
	d, err := layout.ParseDType(dtype.text)
	if err != nil && isQuantised(strings.ToUpper(dtype.text)) {
		r.skip("%s is %s: blocks of elements have no strides of their own", name, dtype.text)
		return
	}
	r.Within(dtype.at, err)
	r.Pos = ne.at
	var sizes []int64
	if r.Peek() == '[' || r.Peek() == '{' {
		var v literal.Value
		r.Operand(&v)
		sizes = r.Ints(v, "sizes")
	} else { // 4096, 32000 or 4096 x 32000
		for more := true; more && r.Err == nil && len(sizes) <= maxGGMLRank; more = r.Take(",") || r.Take("x") {
			sizes = append(sizes, r.Digits())
		}
	}
	slices.Reverse(sizes)
	r.strided(ne.at, Descriptor{Name: name, Typed: true}, d, 0, sizes, r.rowMajor(sizes))
}

// ggmlType reads the type. Quantised ones count their strides in blocks of elements.
func (r ggmlReader) ggmlType(items []literal.Entry) (layout.DType, bool) {
	v, ok := literal.Field(items, "type", "dtype")
	if !ok {
		return r.options.DType, false
	}
	name := strings.ToUpper(strings.TrimPrefix(v.Word, "GGML_TYPE_"))
	d, err := layout.ParseDType(name)
	if err != nil && isQuantised(name) {
		r.Fail(v.At, "", "%s packs blocks of elements: they have no strides of their own", name)
	}
	r.Within(v.At, err)
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
