package notation

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
)

// A ggmlReader reads ne and nb of ggml.
type ggmlReader struct{ *reader }

// maxGGMLRank is GGML_MAX_DIMS.
const maxGGMLRank = 4

// ggmlForms are the patterns of lines that list a tensor: in the logs of loading a model and of tracing a graph, and in
// the output of gguf-dump, llama-quantize and convert_hf_to_gguf. The numbers are the items with the name, the type and
// the sizes, innermost first. A line that starts like a form but does not match it is rejected.
var ggmlForms = [...]struct {
	form             string
	name, dtype, ne  int
	start, why, hint string
	outermost        bool // the outermost size comes first
}{
	{form: "llama_model_loader : - tensor split <number> : <name> <word> <list>", name: 7, dtype: 8, ne: 9},
	{
		"llama_model_loader : - tensor <number> : <name> <word> <list>", 6, 7, 8, "llama_model_loader : - tensor",
		"a tensor is a name, a type and its sizes in brackets",
		"such as tensor 0: token_embd.weight f16 [ 768, 32000, 1, 1 ]", false,
	},
	{"ggml_debug : .. = ( <word> ) <word> .. = <list>", 2, 5, 10, "ggml_debug :", noTrace, suchTrace, false},
	{"*_cb_eval : .. = ( <word> ) <word> .. = <list>", 2, 5, 10, "*_cb_eval :", noTrace, suchTrace, false},
	{form: "^ <number> : <number> | <numbers> | <word> | <name>", name: 9, dtype: 7, ne: 5},
	{form: "^ | <number> | <name> | .. | .. | <numbers> | <word> |", name: 4, dtype: 12, ne: 10},
	{form: "[ <number> / <number> ] <name> - <list> , type = <word>", name: 5, dtype: 11, ne: 7},
	{form: "<name> , .. - -> <word> , shape = <list>", name: 0, dtype: 5, ne: 9},
	{
		form: "[ <number> / <number> ] Writing tensor <name> | size <numbers> | type <word> ( name = <string> )",
		name: 7, dtype: 17, ne: 10, outermost: true,
	},
	{
		form: "[ <number> / <number> ] Writing tensor <name> | size <numbers> | type <word>",
		name: 7, dtype: 13, ne: 10, outermost: true,
	},
}

// ggmlAsides are the patterns of the text before and after the forms on a line: the prefixes of loggers, and sizes in
// bytes.
var ggmlAsides = [...]string{
	"INFO :", "INFO : <name> :", "<number> <word>", "<number> |", "| <word> + <number>", ", size = <number> <word>",
	", size = <number> <word> -> <number> <word>",
	", converting to <word> . . size = <number> <word> -> <number> <word>",
}

// ggmlCalls are the ggml functions that make a tensor. Their sizes are innermost first.
var ggmlCalls = literal.Signatures{
	"ggml_new_tensor(_, dtype, rank, size)",
	"ggml_new_tensor_1d(_, dtype, size)",
	"ggml_new_tensor_2d(_, dtype, size, size)",
	"ggml_new_tensor_3d(_, dtype, size, size, size)",
	"ggml_new_tensor_4d(_, dtype, size, size, size, size)",
}

// Errors and hints for a line of a traced graph.
const (
	noTrace   = "a tensor is a name, a type, an operation and its sizes"
	suchTrace = "such as Kcur-0 = (f32) MUL_MAT(...) = {1024, 6, 1, 1}"
)

// readGGML reads ne, the sizes with the innermost first, and nb, the strides in bytes in the same order. It reverses
// the axes, so that they are in PyTorch's order.
func readGGML(of *reader) {
	r := ggmlReader{of}
	if r.ggmlLines() || (structReader{of}).calls(ggmlCalls, r.called) {
		return
	}
	tokens := r.Tokens()
	_, n := r.find(func(i int) bool {
		return lexer.Like(strings.Trim(r.Text(tokens[i]), `"'`), "ne", "nb", "GGML_*", "ggml*")
	})
	if n == 0 && r.isForeign() {
		return
	}
	name := ""
	if r.Take("struct"); r.Take("ggml_tensor") && r.Peek() != '*' { // NAME = {...}
		if name = r.Word(); name != "" && !r.Is("{") {
			r.Expect("=")
		}
	}
	items := r.Entries(0)
	if len(items) == 1 && items[0].Kind == literal.List && items[0].Key != "ne" {
		items = items[0].List
	}
	ne, ok := literal.Field(items, "ne")
	if !ok || r.Err != nil {
		if hasAny(r.In, "ne =", "ne=") {
			r.isForeign() // of another form
		}
		r.Fail(0, "such as type = GGML_TYPE_F32, ne = {3, 2}, nb = {4, 12}", "ne is missing")
		return
	}
	r.ggmlWords(items)
	sizes := r.Ints(ne, "sizes")
	slices.Reverse(sizes)
	dtype, typed := r.ggmlType(items, sizes)
	strides := r.rowMajor(sizes)
	if nb, ok := literal.Field(items, "nb"); ok {
		strides = r.ggmlStrides(nb, dtype, sizes)
	}
	for _, e := range items {
		if e.Key == "view_offs" && !e.IsNull() {
			r.skip("not read: view_offs, where data is in another tensor's")
		}
	}
	r.strided(ne.At, Descriptor{Name: name, Typed: typed}, dtype, 0, sizes, strides)
	r.rest(items, ggmlMembers[:], nil)
}

// ggmlMembers are the members of ggml_tensor, including members of old versions.
var ggmlMembers = [...]string{
	"dtype", "type", "ne", "nb", "backend", "buffer", "data", "extra", "flags", "grad", "is_param", "name", "n_dims",
	"n_tasks", "op", "op_params", "opt", "padding", "perf_cycles", "perf_runs", "perf_time_us", "src", "src0", "src1",
	"view_offs", "view_src",
}

// ggmlWords rejects words and numbers that are not the value of a field, such as a type. Strings among the fields
// belong to a string that a debugger prints in parts.
func (r ggmlReader) ggmlWords(items []literal.Entry) {
	for i, e := range items {
		if e.Key != "" || e.Kind == literal.Nothing || e.Kind == literal.Str {
			continue
		}
		at := e.At
		if e.Word == "type" && i+1 < len(items) {
			e = items[i+1]
		}
		hint := "remove it"
		name := strings.TrimPrefix(e.Word, "GGML_TYPE_")
		if _, err := layout.ParseDType(name); err == nil || isQuantised(strings.ToUpper(name)) {
			hint = "type = " + e.Word
		}
		r.Fail(at, hint, "%q is neither ne, nb nor type = TYPE", strings.TrimSpace(r.In[at:]))
	}
}

// ggmlStrides reads nb. If an axis has size 1, its entry may be anything, so it is ignored unless it is a whole number
// of elements.
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

// ggmlLines reads the lines that list tensors. If the input has no such lines, it reports false and reads nothing.
func (r ggmlReader) ggmlLines() bool {
	var forms, starts [len(ggmlForms)]lexer.Pattern
	for i, f := range ggmlForms {
		forms[i], starts[i] = lexer.NewPattern(f.form), lexer.NewPattern(f.start)
	}
	found := false
	tokens := r.Tokens()
	for first, i := 0, 0; i < len(tokens)-1 && r.Err == nil; i++ {
		if tokens[i+1].Gap != lexer.Line && tokens[i+1].Kind != lexer.End {
			continue
		}
		line := append(slices.Clip(tokens[first:i+1]), tokens[len(tokens)-1])
		if first = i + 1; r.ggmlLine(line, &forms, &starts) {
			found = true
		}
	}
	if !found {
		return false
	}
	r.Pos = len(r.In)
	r.nothingLaidOut()
	return true
}

// ggmlLine reads a line if it lists a tensor.
func (r ggmlReader) ggmlLine(line []lexer.Token, forms, starts *[len(ggmlForms)]lexer.Pattern) bool {
	for k, f := range ggmlForms {
		for i := range line[:len(line)-1] {
			if p, ok := forms[k].Match(r.In, line, i); ok {
				name := r.In[line[p[f.name]].At:line[p[f.name+1]-1].End]
				if f.why == noTrace && slices.Contains(ggmlViews[:], r.Text(line[p[7]])) {
					r.skip("%s is a view (%s), and the line has no strides: read without gaps", name,
						r.Text(line[p[7]]))
				}
				r.useForm(f.form, line, p)
				r.logTensor(name, line[p[f.dtype]], int(line[p[f.ne]].At), f.outermost)
				return true
			}
			if p, ok := starts[k].Match(r.In, line, i); ok && f.start != "" {
				r.Fail(int(line[p[len(p)-1]-1].End), f.hint, "%s", f.why)
			}
		}
	}
	return false
}

// useForm marks the tokens of a form as read. The item .. is a list of names: a word that follows another word after a
// space is not a name, and stays unread. Known text before and after the form is an aside.
func (r ggmlReader) useForm(form string, line []lexer.Token, places []int) {
	for k, item := range strings.Fields(form) {
		for i := places[k]; i < places[k+1]; i++ {
			isName := line[i+1].Gap == lexer.None && strings.Contains("(,:=", r.Text(line[max(i-1, 0)]))
			if item != ".." || line[i].Gap == lexer.None || line[i].Kind != lexer.Word || isName {
				r.use(int(line[i].At), int(line[i].End))
			}
		}
	}
	last := len(line) - 1
	for _, rest := range [...][2]int{{0, places[0]}, {places[len(places)-1], last}} {
		part := append(slices.Clip(line[rest[0]:rest[1]]), line[last])
		for _, aside := range ggmlAsides {
			if p, ok := lexer.NewPattern(aside).Match(r.In, part, 0); ok && p[len(p)-1] == len(part)-1 {
				r.use(int(part[0].At), int(part[len(part)-2].End))
			}
		}
	}
}

// ggmlViews are the operations that return views.
var ggmlViews = [...]string{"VIEW", "PERMUTE", "TRANSPOSE", "CPY", "SET", "SET_ROWS"}

// logTensor adds a tensor of a log. It skips tensors of quantized types, so that the others can be read.
func (r ggmlReader) logTensor(name string, of lexer.Token, ne int, outermost bool) {
	word := r.Text(of)
	if of.Kind == lexer.String {
		word = word[1 : len(word)-1]
	}
	d, err := layout.ParseDType(word)
	quantised := err != nil && isQuantised(strings.ToUpper(word))
	if !quantised {
		r.Within(int(of.At), err)
	}
	r.Pos = min(ne, len(r.In))
	var sizes []int64
	if r.Peek() == '[' || r.Peek() == '{' {
		sizes = r.Ints(r.value(), "sizes")
	} else { // 4096, 32000 or 4096 x 32000
		for more := true; more && r.Err == nil && len(sizes) <= maxGGMLRank; more = r.Take(",") || r.Take("x") {
			sizes = append(sizes, r.Digits())
		}
	}
	if quantised {
		r.skip("%s is %s: blocks of elements have no strides of their own", name, word)
		return
	}
	if !outermost {
		slices.Reverse(sizes)
	}
	r.strided(ne, Descriptor{Name: name, Typed: true}, d, 0, sizes, r.rowMajor(sizes))
}

// called adds the tensor that a call makes.
func (r ggmlReader) called(t calledTensor) {
	slices.Reverse(t.sizes)
	if r.ggmlType([]literal.Entry{literal.Of("type", t.dtype)}, t.sizes); r.Err == nil {
		structReader(r).called(t)
	}
}

// ggmlType reads the type. The strides of quantized types count blocks of elements, which only the command size
// accepts.
func (r ggmlReader) ggmlType(items []literal.Entry, sizes []int64) (layout.DType, bool) {
	v, ok := literal.Field(items, "type", "dtype")
	if !ok {
		return r.options.DType, false
	}
	name := strings.ToUpper(strings.TrimPrefix(v.Word, "GGML_TYPE_"))
	d, err := layout.ParseDType(name)
	if err != nil && isQuantised(name) {
		hint := ""
		if b, ok, removed := layout.FindBlock(name); ok && removed == nil {
			if _, _, wrong := b.Stored(sizes); wrong == nil {
				hint = "layoutcalc size " + layout.JoinInts(sizes, "x") + " -t " + strings.ToLower(name)
			}
		}
		r.Fail(v.At, hint, "%s packs blocks of elements: they have no strides of their own", name)
	}
	r.Within(v.At, err)
	return d, true
}

// isQuantised reports whether an unknown ggml type stores its elements in blocks.
func isQuantised(name string) bool {
	return lexer.Like(name, "*Q*", "*FP4*")
}

// writeGGML writes type, ne and nb, with one entry for each axis.
func writeGGML(t layout.Tensor) (string, error) {
	strides, dtype, err := terms{zero: true, rank: maxGGMLRank}.typed(t, layout.GGUF)
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
