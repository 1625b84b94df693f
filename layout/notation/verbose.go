package notation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// IsMemory reports whether the input is only a memory descriptor, which has no sizes.
func IsMemory(text string) bool {
	_, ok := piece{0, text}.memoryText()
	return ok && len(piece{0, text}.split(" ,")) == 1
}

// readVerbose reads verbose lines, and descriptors with sizes after them.
func readVerbose(of *reader) {
	r := memoryReader{of}
	for _, line := range (piece{0, r.In}).split("\n") {
		if r.Err == nil {
			r.useLine(line)
			r.verboseLine(line)
		}
	}
	r.Pos = len(r.In)
	r.nothingLaidOut()
}

// useLine marks the fields of a line as read. A field of several words is a list of descriptors, logical tensors or
// attributes, with colons in each word, and may end with sizes. The fields after descriptors are attributes, sizes and
// times; lines of graphs also have the names of backends, and the formats of the data before logical tensors, data:NCX.
func (r memoryReader) useLine(line piece) {
	isLogical := func(p piece) bool { return lexer.Like(p.text, "*:strided:*", "*:opaque:*") }
	fields := line.split(",")
	formats := slices.IndexFunc(fields, isLogical) - 1
	isGraph, isAfter := false, false
	for i, field := range fields {
		words := slices.DeleteFunc(field.split(" \t\r{}"), func(word piece) bool { return word.text == "" })
		for _, word := range words {
			end := word.at + len(word.text)
			colons := strings.Count(word.text, ":")
			isAttribute := colons > 0 && word.text[0] != ':' &&
				(colons > 1 || word.text[len(word.text)-1] != ':' || end < len(r.In) && r.In[end] == '{')
			isBare := len(words) == 1 && i != formats &&
				(isGraph || !isAfter || lexer.IsDigit(word.text[0]) || isProblem(word.text))
			if isBare || isAttribute || isSizes(word.text) {
				r.use(word.at, end)
			}
			isGraph = isGraph || isLogical(word)
			isAfter = isAfter || len(words) > 1 || lexer.Like(word.text, "*::*", "*:blocked:*")
		}
	}
}

// A verboseLine is the relevant parts of a line: the kind of primitive, the descriptors, and the fields after them.
type verboseLine struct {
	primitive string
	memories  []memoryText
	said      map[string]string // the attributes: the axis of concat, the msk of sdpa, the alg and the direction of rnn
	problem   piece
	isVerbose bool // the line is from ONEDNN_VERBOSE
}

// verboseLine adds the tensors of a line.
func (r memoryReader) verboseLine(text piece) {
	if text = text.trimmed(); text.text == "" || r.logicalTensors(text) {
		return
	}
	line, ok := r.lineOf(text)
	switch {
	case !ok && line.isVerbose:
		r.skip("not read: a line without memory descriptors")
		return
	case !ok:
		r.Fail(text.at, "such as src:f32::blocked:acdb::f0 1x3x224x224", "the text has no oneDNN memory descriptor")
		return
	case line.problem.text == "":
		r.Fail(text.at+len(text.text), "such as src:f32::blocked:acdb::f0 1x3x224x224",
			"the sizes are missing: a memory descriptor does not say them")
		return
	}
	var p problem
	r.readPiece(line.problem, "problem", func() { p = r.problem() })
	axis := int64(-1)
	if text, ok := line.said["axis"]; ok {
		axis, _ = strconv.ParseInt(text, 10, 64)
	}
	s := r.shapes(&p, line.primitive, axis)
	if line.primitive == "concat" && s["all"] != nil && len(line.memories) > 2 {
		s = shapes{"dst": s["all"]} // before v2 the line has no other sizes
	}
	s.maskOf(line.said["msk"])
	if line.primitive == "rnn" {
		r.recurrent(s, &p, line.said["alg"], line.said["direction"])
	}
	for i, nth := 0, 0; i < len(line.memories) && r.Err == nil; i++ {
		r.sized(line, line.memories[i], s, nth)
		if lexer.Like(line.memories[i].name.text, "src*") {
			nth++
		}
	}
}

// sized adds the tensor of a descriptor if the problem states its sizes. If the descriptor is a source, it is the nth.
func (r memoryReader) sized(line verboseLine, m memoryText, s shapes, nth int) {
	sizes := s.of(m, nth)
	rank := 0
	for i := 0; i < len(m.tag.text) && lexer.IsLetter(m.tag.text[i]); i++ {
		rank++
	}
	switch name := m.name.text; {
	case m.kind.text == "undef":
		r.skip("%s is undef: there is no such tensor", name)
	case m.kind.text == "any":
		r.skip("%s is of the kind any: oneDNN will find its layout", name)
	case m.kind.text != "blocked":
		r.skip("%s is of the kind %s, which is not a layout of strides", name, m.kind.text)
	case m.tag.text == "*":
		r.skip("the strides of %s are known at run time only", name)
	case sizes == nil:
		r.skip("%s: the problem does not say its sizes", name)
	case name == "msk" && len(sizes) == rank && rank > 2:
		r.skip("msk: the line says only that it is %s: its other sizes are read as 1", line.said["msk"])
		r.memory(m, sizes)
	case line.primitive != "" && len(sizes) != rank:
		r.skip("%s: its tag has %s, and the problem says %s", name, wording.Count(rank, "axis"),
			wording.Count(len(sizes),
				"size"))
	default:
		r.dnnlSizes(line.problem.at, sizes)
		r.memory(m, sizes)
	}
}

// lineOf splits a line; ok is false if it has no descriptor.
func (r memoryReader) lineOf(text piece) (line verboseLine, ok bool) {
	line.said = map[string]string{}
	sizes := text.split(" ")[0]
	after := piece{text.at + len(sizes.text), text.text[len(sizes.text):]}.trimmed()
	if isSizes(sizes.text) && IsMemory(after.text) {
		line.memories = descriptors(after, false, &line.problem)
		line.problem = sizes
		return line, true
	}
	fields := text.split(",")
	for i, field := range fields {
		line.isVerbose = line.isVerbose || lexer.Like(field.text, "*_verbose")
		line.memories = descriptors(field, fields[0].text == "mkldnn_verbose", &line.problem)
		if len(line.memories) == 0 {
			continue
		}
		if i > 2 {
			line.primitive = strings.TrimSuffix(fields[i-3].text, "_v2")
		}
		line.rest(fields[i+1:])
		return line, true
	}
	return line, false
}

// descriptors returns the memory descriptors in a field; sizes may follow them. Lines of v0.x have a different form.
func descriptors(field piece, v0 bool, sizes *piece) (all []memoryText) {
	for _, word := range field.split(" \t\r") {
		m, ok := word.memoryText()
		if !ok && v0 {
			m, ok = word.formatText()
		}
		switch {
		case ok:
			all = append(all, m)
		case word.text != "":
			if len(all) > 0 {
				*sizes = word
			}
			return all
		}
	}
	return all
}

// rest reads the fields after the descriptors: attributes, the axis, the problem. Before v1.1, and in gemm_api lines,
// there are no attributes.
func (l *verboseLine) rest(fields []piece) {
	for i, field := range fields {
		if l.problem.text != "" {
			return
		}
		field = field.trimmed()
		for _, word := range field.split(" ") { // alg:vanilla_lstm direction:unidirectional_left2right
			key, value, _ := strings.Cut(word.text, ":")
			l.said[key] = value
		}
		if (isSizes(field.text) || isProblem(field.text)) && (i > 0 || l.primitive == "") {
			l.problem = field
		}
	}
	if l.problem.text == "" && len(fields) > 2 {
		l.problem = fields[2].trimmed() // for error messages
	}
}

// isSizes reports whether text is lists of sizes as in a problem: 2x3:3x4.
func isSizes(text string) bool {
	return text != "" && isOf(text, "0123456789x:*?") && text[0] != 'x' && text[0] != ':'
}

// of returns the sizes of the tensor of a descriptor, or nil if they are unknown.
func (s shapes) of(m memoryText, nth int) []int64 {
	name := strings.TrimPrefix(m.name.text, "diff_")
	if m.format { // in v0.x
		name = cmp.Or(map[string]string{"in": "src", "out": "dst"}[name], name)
	}
	_, mask, hasMask := strings.Cut(m.extra.text, "_mask")
	switch {
	case s["all"] != nil:
		return s["all"]
	case name == "src" && s[nthSource(nth)] != nil:
		return s[nthSource(nth)]
	case hasMask && (name == "bia" || name == "bias"):
		return masked(s["dst"], mask)
	case s[name] != nil:
		return s[name]
	}
	return s[map[string]string{
		"data": "src", "diff": "src", "src_a": "src", "src_layer": "src", "query": "src", "src_b": "wei", "key": "wei",
		"bias": "bia", "mean": "stats", "variance": "stats", "shift": "scale",
	}[name]]
}

// maskOf adds the known sizes of the mask of sdpa: the size of the keys, and of the queries if kind is 2d. Along other
// axes, its size is 1 or the size of the query.
func (s shapes) maskOf(kind string) {
	query, keys := s["src"], s["wei"]
	n := len(query)
	if n < 2 || len(keys) != n || kind != "1d" && kind != "2d" {
		return
	}
	mask := slices.Repeat([]int64{1}, n)
	if mask[n-1] = keys[n-1]; kind == "2d" {
		mask[n-2] = query[n-2]
	}
	s["msk"] = mask
}

// masked returns the sizes of the axes that have a bit in the mask, and 1 for the others.
func masked(sizes []int64, mask string) []int64 {
	bits, err := strconv.ParseUint(mask, 10, 32)
	if err != nil || sizes == nil {
		return nil
	}
	kept := slices.Clone(sizes)
	for i := range kept {
		if bits>>i&1 == 0 {
			kept[i] = 1
		}
	}
	return kept
}

// logicalTensors adds the logical tensors of a line about a graph, and reports whether it has any. The form is
// in0_f32:0:strided:undef:1x64x56x56:200704s3136s56s1, which is name and type, number, layout, property, sizes and
// strides; later versions write inputs:{f32:0:strided:undef:2x3:3x1}.
func (r memoryReader) logicalTensors(line piece) (found bool) {
	side, nth := "", 0
	for _, word := range line.split(" ,;{}\t\r") {
		fields := word.split(":")
		switch {
		case r.Err != nil:
			return found
		case word.text == "inputs:" || word.text == "outputs:":
			side, nth = strings.TrimSuffix(word.text, "puts:"), 0
		case len(fields) > 4 && isOf(fields[1].text, "0123456789") &&
			slices.Contains([]string{"strided", "opaque", "any"}, fields[2].text) &&
			slices.Contains([]string{"undef", "variable", "constant", "host_scalar", "unknown"}, fields[3].text):
			name, dtype := fields[0].nameAndType()
			if name.text == "" && side != "" {
				name.text = side + strconv.Itoa(nth)
				nth++
			}
			found = true
			r.logicalTensor(name.text, dtype, fields[2].text, fields[4], word.nth(5))
		}
	}
	return found
}

// logicalTensor adds a tensor of a graph. Its strides are separated by s or x.
func (r memoryReader) logicalTensor(name string, dtype piece, kind string, dims, steps piece) {
	switch {
	case kind == "any":
		r.skip("%s is of the kind any: oneDNN will find its layout", name)
		return
	case kind != "strided":
		r.skip("%s is %s: the layout %s is the library's own", name, kind, steps.text)
		return
	case lexer.Like(dims.text, "*-*"):
		r.skip("the sizes of %s are not known yet", name)
		return
	}
	d, err := layout.ParseDType(dtype.text)
	r.Within(dtype.at, err)
	sizes := r.pieceNumbers(dims, "sizes")
	var strides []int64
	r.readPiece(steps, "strides", func() {
		for more := true; more && r.Err == nil && len(strides) <= dnnlMaxRank; {
			strides = append(strides, r.Integer(true))
			more = r.TakeHere("s") || r.TakeHere("x")
		}
	})
	r.dnnlSizes(dims.at, sizes)
	r.strided(dims.at, Descriptor{Name: name, Typed: true}, d, 0, sizes, strides)
}

// writeVerbose writes a descriptor as oneDNN prints it since v3.7, with the sizes as the problem.
func writeVerbose(t layout.Tensor) (string, error) {
	g, dtype, err := memoryTag(t)
	if err != nil {
		return "", err
	}
	sizes := t.Layout().Sizes()
	flags, strides := "", ""
	if !slices.Equal(g.padded, sizes) {
		flags = "p"
	}
	if axis, _ := g.gap(); axis >= 0 {
		strides = layout.JoinInts(g.strides, "x")
	}
	return "src:" + dtype + ":" + flags + ":blocked:" + g.text(abc(len(sizes))) + ":" + strides + ":f0,,," +
		layout.JoinInts(sizes, "x"), nil
}

// A memoryText is a memory descriptor of a verbose line, split into parts. It has three forms: with the type after an
// underscore and without strides before v3.2, with strides since v3.2, and with the type after a colon since v3.6.
type memoryText struct {
	name, dtype, flags, kind, tag, strides, extra piece
	old                                           bool // the first form
	format                                        bool // from a line of v0.x, which has only types and tags
}

// A piece is a part of the input.
type piece struct {
	at   int
	text string
}

// split returns the parts of a piece between separators.
func (p piece) split(separators string) (parts []piece) {
	for {
		i := strings.IndexAny(p.text, separators)
		if i < 0 {
			return append(parts, p)
		}
		parts = append(parts, piece{p.at, p.text[:i]})
		p = piece{p.at + i + 1, p.text[i+1:]}
	}
}

// nth returns the part of a piece after n colons, or an empty piece if it has fewer.
func (p piece) nth(n int) piece {
	if parts := p.split(":"); n < len(parts) {
		return parts[n]
	}
	return piece{p.at + len(p.text), ""}
}

// trimmed returns the piece without the whitespace around it.
func (p piece) trimmed() piece {
	text := strings.TrimLeft(p.text, " \t\r")
	return piece{p.at + len(p.text) - len(text), strings.TrimRight(text, " \t\r")}
}

// readPiece calls read for a piece of the input, and records an error if read leaves a part of it. The argument what is
// the name of the piece.
func (r memoryReader) readPiece(p piece, what string, read func()) {
	back := r.Pos
	r.Pos = p.at
	read()
	if r.Err == nil && r.Pos != p.at+len(p.text) {
		r.Unexpected("unexpected text %s in the %s", r.Rest(), what)
	}
	if r.Err == nil {
		r.Pos = back
	}
}

// typeIn reads a piece as an element type. If it is empty, it returns the type of the options.
func (r memoryReader) typeIn(p piece) layout.DType {
	if p.text == "" {
		return r.options.DType
	}
	d, err := layout.ParseDType(p.text)
	r.Within(p.at, err)
	return d
}

// pieceNumbers reads numbers with x between them.
func (r memoryReader) pieceNumbers(p piece, what string) (numbers []int64) {
	r.readPiece(p, what, func() { numbers = r.byX() })
	return numbers
}

// memoryKinds lists the kinds of descriptors.
var memoryKinds = []string{"blocked", "any", "wino", "rnn_packed", "sparse", "opaque", "undef"}

// memoryText splits a descriptor; ok is false if p is not a descriptor. The names of implementations may end like the
// kinds of descriptors, jit:gemm:any. The name, the type and the kind may be missing: aBcd16b::f0.
func (p piece) memoryText() (m memoryText, ok bool) {
	parts := p.split(":")
	kind := -1
	for i := range min(len(parts), 4) {
		if kind < 0 && i != 1 && slices.Contains(memoryKinds, parts[i].text) {
			kind = i
		}
	}
	rest := parts[kind+1:]
	switch last := len(parts) - 1; {
	case last == 0 || kind == last:
		return m, false
	case kind == 3:
		m.name, m.dtype, m.flags, m.kind = parts[0], parts[1], parts[2], parts[3]
	case kind == 2:
		m.flags, m.kind = parts[1], parts[2]
		m.name, m.dtype = parts[0].nameAndType()
	case kind == 0:
		m.kind = parts[0]
	case !lexer.IsName(parts[0].text) || lexer.Like(parts[0].text, "*_*"): // not letters and blocks
		return m, false
	case !lexer.IsLetter(parts[0].text[len(parts[0].text)-1]),
		parts[1].text != "f0" && (last < 2 || !isSuffix(parts[2].text)):
		return m, false
	default:
		m.kind = piece{p.at, "blocked"}
	}
	if slices.Contains([]string{"blocked", "sparse", "any"}, m.kind.text) && len(rest) > 0 {
		m.tag, rest = rest[0], rest[1:]
	}
	switch {
	case len(rest) > 0 && !isSuffix(rest[0].text):
		m.strides, rest = rest[0], rest[1:]
	case kind == 2:
		m.old = m.kind.text == "blocked"
	}
	if len(rest) > 0 {
		m.extra = piece{rest[0].at, p.text[rest[0].at-p.at:]}
	}
	return m, true
}

// isSuffix reports whether text starts with the flags at the end of a descriptor, f0.
func isSuffix(text string) bool { return len(text) > 1 && text[0] == 'f' && lexer.IsDigit(text[1]) }

// formatText splits a descriptor of v0.x, fsrc:nchw or in:f32_nchw: a tag, and in reorders a type before it.
func (p piece) formatText() (m memoryText, ok bool) {
	parts := p.split(":")
	if len(parts) < 2 {
		return m, false
	}
	name, tag := parts[0], parts[1]
	switch name.text {
	case "in", "out":
		if words := tag.split("_"); isOneDNNType(words[0].text) && len(words) > 1 {
			m.dtype, tag = words[0], piece{words[1].at, tag.text[words[1].at-tag.at:]}
		}
	case "fsrc", "fwei", "fbia", "fdst", "fdata", "fdiff", "fws":
		name = piece{name.at + 1, name.text[1:]}
	default:
		return m, false
	}
	m.name, m.tag, m.kind, m.format = name, tag, piece{tag.at, "blocked"}, true
	switch tag.text {
	case "undef", "any":
		m.kind = tag
	case "blocked":
		m.tag.text = "*"
	case "wino_fmt", "rnn_packed":
		m.kind.text = tag.text
	}
	if text, ok := strings.CutSuffix(tag.text, "_s8s8"); ok {
		m.tag.text, m.extra = text, piece{tag.at + len(text) + 1, "s8s8"}
	}
	return m, true
}

// nameAndType splits the first field of the older forms, src_f32. Both parts may have underscores: the type is the
// longest one that oneDNN has.
func (p piece) nameAndType() (name, dtype piece) {
	for i := range len(p.text) {
		if p.text[i] == '_' && isOneDNNType(p.text[i+1:]) {
			return piece{p.at, p.text[:i]}, piece{p.at + i + 1, p.text[i+1:]}
		}
	}
	if isOneDNNType(p.text) {
		return piece{p.at, ""}, p
	}
	before, after, _ := strings.Cut(p.text, "_")
	return piece{p.at, before}, piece{p.at + len(p.text) - len(after), after}
}

// isOneDNNType reports whether oneDNN has a type with the name text.
func isOneDNNType(text string) bool {
	if text == "undef" || text == "f4_e3m0" {
		return true
	}
	_, ok := layout.DTypeIn(layout.OneDNN, text)
	return ok
}

// memory adds the tensor of a descriptor.
func (r memoryReader) memory(m memoryText, sizes []int64) {
	untyped := m.format || m.name.text == ""
	if m.dtype.text == "" && !untyped {
		r.Fail(m.name.at, "such as src:f32::blocked:acdb::f0",
			"a descriptor is NAME:TYPE:FLAGS:KIND:TAG:STRIDES:f0, and here something is missing")
		return
	}
	r.memoryNotes(m)
	dtype := r.typeIn(m.dtype)
	d := Descriptor{Name: m.name.text, Typed: m.dtype.text != ""}
	if m.format && m.name.at > 0 && r.In[m.name.at-1] == 'f' {
		d.Also = "f" + d.Name
	}
	tag := r.formatTag(m.tag.at, m.tag.text, len(sizes), false)
	if m.strides.text == "" || r.Err != nil {
		r.tagged(d, dtype, tag, sizes)
		return
	}
	strides := r.pieceNumbers(m.strides, "strides")
	r.tagStrided(d, dtype, tag, sizes, strides)
}

// memoryNotes adds notes about the parts of a descriptor that a layout does not hold.
func (r memoryReader) memoryNotes(m memoryText) {
	name := m.name.text
	if lexer.Like(m.flags.text, "*0*") {
		r.skip("%s does not start at offset 0 (flag 0): the text does not state where", name)
	}
	if lexer.Like(m.flags.text, "*o*") {
		r.skip("%s has padding before its elements (flag o): the text does not state how much", name)
	}
	if lexer.Like(m.flags.text, "*p*") && !strings.ContainsAny(m.tag.text, "0123456789") {
		r.skip("%s is padded (flag p): without blocks the text does not state how much", name)
	}
	if extra, _, _ := strings.Cut(m.extra.text, "_mask"); extra != "f0" && extra != "" {
		r.skip("%s has more than its elements: %s", name, extra)
	}
	const old = "before v3.2 the text does not say strides: read as without gaps"
	if (m.old || m.format) && !slices.Contains(r.skipped, old) {
		r.skip(old)
	}
}

// nothingLaidOut records an error if all tensors of the input were skipped.
func (r *reader) nothingLaidOut() {
	if len(r.found) == 0 && len(r.skipped) > 0 {
		r.Fail(0, "", "no tensor here has a layout: %s", r.skipped[0])
	}
}
