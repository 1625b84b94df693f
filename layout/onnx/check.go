package onnx

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/protobuf"
	"layoutcalc/layout/wording"
)

// Limits of the format and of its readers.
const (
	newestIR      = 14
	maxFile       = 1<<31 - 1 // bytes that protobuf can read
	largeFile     = 3 << 29   // bytes of a model that will soon be too large
	maxIndices    = 1 << 20   // the limit of a sparse tensor's indices, or of elements, to read as numbers
	irOfOpsets    = 3
	irOfConstants = 4 // since this version, initializers need not be inputs too
)

// Check checks the model against the rules, and calls report with each finding. The function beside describes another
// file with the elements of tensors, by its path relative to the model; it is nil if no file can be opened.
func (m *Model) Check(beside func(location string) DataFile, report func(finding.Finding)) {
	c := newChecker(m, beside, report)
	c.file()
	c.ends(m.Graph, c.graph(m.Graph))
	for _, g := range m.Inner {
		c.graph(g)
	}
	c.external()
	c.LeftOut(finding.At{})
}

// A checker checks a model.
type checker struct {
	*finding.Reporter
	m      *Model
	beside func(location string) DataFile
	stored []stored     // the tensors with elements in other files
	inside bool         // some tensors have their elements in the model
	absent []stored     // the first tensor of each file that does not exist
	about  finding.Span // the bytes of the model that findings refer to
	empty  bool         // an output is stated without elements, so its inputs may be empty too
}

// newChecker returns a checker that calls report with each finding.
func newChecker(m *Model, beside func(location string) DataFile, report func(finding.Finding)) *checker {
	r := finding.NewReporter(finding.Options{Most: finding.MostOfRule}, report)
	isEmpty := func(v Value) bool { return slices.ContainsFunc(v.Dims, isZero) }
	return &checker{Reporter: r, m: m, beside: beside, empty: slices.ContainsFunc(m.Graph.Outputs, isEmpty)}
}

// on returns a tensor, or the current bytes if the name is empty, as the subject of a finding.
//
// It is not inlined because it has many callers and inlining would increase the size of each.
//
//go:noinline
func (c *checker) on(tensor string) finding.Subject {
	return finding.At{Tensor: tensor, Bytes: c.about}
}

// file checks the model as a whole.
func (c *checker) file() {
	m := c.m
	switch {
	case m.deep:
		c.about = finding.Span{From: m.badAt, To: m.badAt + 1}
		c.Report(Nesting, c.on(""), "", "byte %d: %s: what follows is not checked", m.badAt, m.bad)
	case m.bad != "" && m.badAt < 0:
		c.Report(Truncated, c.on(""), "", "%s: what follows is not checked", m.bad)
	case m.bad != "":
		c.about = finding.Span{From: m.badAt, To: max(m.badAt, 1)}
		c.Report(Truncated, c.on(""), "download, copy or export the file again",
			"byte %d: %s: what follows is not checked", m.badAt, m.bad)
	}
	c.about = finding.Span{}
	if m.graphs > 1 {
		c.ReportAs(Truncated, finding.Warning, c.on(""), "",
			"the model has %s: protobuf readers merge them, others take the last", wording.Count(m.graphs,
				"graph"))
	}
	if m.unknown > 0 {
		c.ReportAs(Truncated, finding.Note, c.on(""), "", "%s that ONNX does not have, the first with the %s: skipped",
			wording.Count(m.unknown, "field"), m.first)
	}
	if m.skipped > 0 {
		c.ReportAs(onnxDataCount, finding.Note, c.on(""), "",
			"%s with more than %d bytes of numbers: they are not counted", wording.Count(m.skipped, "field"),
			protobuf.MaxCounted)
	}
	switch v := m.IRVersion; {
	case v <= 0:
		c.Report(onnxIRVersion, c.on(""), "", "ir_version is %d: it has to be stated, and more than 0", v)
	case v > newestIR:
		c.ReportAs(onnxIRVersion, finding.Warning, c.on(""), "",
			"ir_version is %d, and %d is the newest that is known here", v, newestIR)
	}
	c.opsets()
	switch {
	case m.Size > maxFile:
		c.Report(onnx2GiB, c.on(""), "save the weights as external data",
			"the model has %s, and protobuf reads at most %d", wording.Count(m.Size, "byte"), maxFile)
	case m.Size >= largeFile:
		c.ReportAs(onnx2GiB, finding.Note, c.on(""), "", "the model has %s, and protobuf reads at most %d",
			wording.Count(m.Size, "byte"), maxFile)
	}
}

// opsets checks the operator sets.
func (c *checker) opsets() {
	m := c.m
	switch {
	case m.bad != "":
	case m.IRVersion >= irOfOpsets && len(m.Opsets) == 0:
		c.Report(onnxOpset, c.on(""), "", "there is no opset_import, which IR version %d needs", m.IRVersion)
	case m.IRVersion < irOfOpsets && m.IRVersion > 0 && len(m.Opsets) > 0:
		c.Report(onnxOpset, c.on(""), "", "there is an opset_import, which IR version %d does not have", m.IRVersion)
	}
	seen := map[string]bool{}
	for _, o := range m.Opsets {
		domain := o.Domain
		if domain == ownDomain {
			domain = "" // the same domain
		}
		if seen[domain] {
			c.ReportAs(onnxOpset, finding.Warning, c.on(""), "", "opset_import has the domain %s twice",
				wording.Quote(o.Domain))
		}
		seen[domain] = true
	}
	domains := map[string]finding.Span{} // by domain, the first node
	for op, node := range m.firstNodes {
		if first, ok := domains[op.Domain]; !ok || node.From < first.From {
			domains[op.Domain] = node
		}
	}
	var missing []access
	for domain, node := range domains {
		if !seen[domain] && len(m.Opsets) > 0 {
			missing = append(missing, access{domain, node})
		}
	}
	slices.SortFunc(missing, func(a, b access) int { return cmp.Compare(a.node.From, b.node.From) })
	for _, a := range missing {
		c.about = a.node
		c.ReportAs(onnxOpset, finding.Note, c.on(""), "", "%s is of the domain %s, which opset_import does not have",
			m.nodeAt(m.Graph, a.node), wording.Quote(cmp.Or(a.name, ownDomain)))
	}
	c.operators()
}

// graph checks a graph. It returns its initializers by name, with -1 for sparse ones.
func (c *checker) graph(g *Graph) (named map[string]int) {
	named = make(map[string]int, len(g.Initializers))
	for i := range g.Initializers {
		t := &g.Initializers[i]
		c.about = t.Span
		c.name(g, named, t)
		named[t.Name] = i
		c.tensor(t)
	}
	for i := range g.Constants {
		c.about = g.Constants[i].Span
		c.tensor(&g.Constants[i])
	}
	for i := range g.Sparse {
		s := &g.Sparse[i]
		c.about = s.Span
		c.name(g, named, &s.Values)
		named[s.Values.Name] = -1
		c.sparse(s)
	}
	for _, list := range [...][]Value{g.Inputs, g.Values} {
		for i := range list {
			v := &list[i]
			if k, ok := named[g.Path+v.Name]; ok && k >= 0 {
				c.about = g.Initializers[k].Span
				c.agree(&g.Initializers[k], v)
			}
		}
	}
	c.annotated(g, named)
	c.names(g)
	if len(g.nodes) > 0 {
		facts := g.facts()
		for i := range g.nodes {
			c.node(g, &g.nodes[i], facts)
		}
	}
	c.unwritten(g)
	return named
}

// names checks the names that nodes read and write, and that nodes have operators. It does not check the order of
// nodes, because many readers sort them.
func (c *checker) names(g *Graph) {
	if c.m.bad != "" {
		return
	}
	known := map[finding.Span]string{} // a node may read very many names
	nodeAt := func(at finding.Span) string {
		if known[at] == "" {
			known[at] = c.m.nodeAt(g, at)
		}
		return known[at]
	}
	for _, node := range g.unnamed.first {
		c.about = node
		c.Report(onnxNode, c.on(""), "", "the node at byte %d has no op_type", node.From)
	}
	for _, a := range g.twice.first {
		c.about = a.node
		c.Report(onnxSSA, c.on(g.Path+a.name), "", "%s writes this too, after %s", nodeAt(a.node),
			nodeAt(g.uses[a.name].written))
	}
	c.Skip(onnxNode, g.unnamed.more)
	c.Skip(onnxSSA, g.twice.more)
	var over, missing []access
	for name, u := range g.uses {
		switch isWritten := u.written.To > 0; {
		case u.given && isWritten:
			over = append(over, access{name, u.written})
		case !u.given && !isWritten && !g.around.has(name):
			missing = append(missing, access{name, u.read})
		}
	}
	byPlace := func(a, b access) int {
		return cmp.Or(cmp.Compare(a.node.From, b.node.From), strings.Compare(a.name, b.name))
	}
	slices.SortFunc(over, byPlace)
	for _, a := range over {
		c.about = a.node
		c.Report(onnxSSA, c.on(g.Path+a.name), "", "%s writes it, and it is an input or an initializer too",
			nodeAt(a.node))
	}
	slices.SortFunc(missing, byPlace)
	for _, a := range missing {
		c.about = a.node
		c.Report(onnxSSA, c.on(g.Path+a.name), "",
			"%s reads it, and it is neither an input nor an initializer, nor does a node write it",
			nodeAt(a.node))
	}
}

// has reports whether the graph, or one around it, has a value with the name. It reports true for the graph of a
// training, because its nodes may read values of other graphs.
func (g *Graph) has(name string) bool {
	if g == nil {
		return false
	}
	u := g.uses[name]
	return g.uses == nil || u != nil && (u.given || u.written.To > 0) || g.around.has(name)
}

// writes reports whether a node of the graph writes the name.
func (g *Graph) writes(name string) bool {
	u := g.uses[name]
	return u != nil && u.written.To > 0
}

// nodeAt names the node of a graph with the given bytes, or the function with the output there.
func (m *Model) nodeAt(g *Graph, at finding.Span) string {
	message := "GraphProto"
	if g.around == nil && strings.HasPrefix(g.Path, "function ") {
		message = "FunctionProto"
	}
	r := protobuf.Reader{In: m.in, Size: m.Size}
	part := r.Part(schema().Message(message), at.From, at.To)
	if !part.Next() || part.Field.Name != "node" {
		return "the function"
	}
	op, name := "", ""
	for n := part.Inner(); n.Next(); {
		switch n.Field.Name {
		case "op_type":
			op = n.ReadText()
		case "name":
			name = n.ReadText()
		}
	}
	return strings.TrimSpace(wording.Clip(op) + " " + wording.Clip(cmp.Or(name, fmt.Sprintf("at byte %d", at.From))))
}

// name checks the name of an initializer.
func (c *checker) name(g *Graph, named map[string]int, t *Tensor) {
	if t.Name == strings.TrimSuffix(g.Path, "/") {
		c.Report(onnxName, c.on(t.Name), "", "the initializer at byte %d has no name", t.Span.From)
		return
	}
	if !utf8.ValidString(t.Name) {
		c.ReportAs(onnxName, finding.Warning, c.on(t.Name), "", "the name is not valid UTF-8, which Python refuses")
	}
	if _, ok := named[t.Name]; ok {
		c.Report(onnxName, c.on(t.Name), "", "two initializers have this name, the second at byte %d", t.Span.From)
	}
}

// Bytes returns the bytes that the elements use in raw_data, or 0 if they are unknown.
func (t *Tensor) Bytes() int64 { return max(bytesOf(t.Dims, t.Type), 0) }

// bytesOf returns the bytes that elements need, or -1 if they do not fit in 64 bits or the type has no size.
func bytesOf(dims []int64, t ElemType) int64 {
	n, err := layout.ProductOf(dims)
	if bits := t.Bits(); err == nil && bits > 0 && n <= math.MaxInt64/bits {
		return layout.CeilDiv(n*bits, 8)
	}
	return -1
}

// rewrite is the fix for a tensor whose elements are not as many as its shape and type take.
const rewrite = "export the model again, or write the tensor with onnx.numpy_helper.from_array"

// tensor checks a tensor.
func (c *checker) tensor(t *Tensor) {
	if !c.typed(t) || !c.dims(t) {
		return
	}
	if t.External != nil {
		c.stored = append(c.stored, stored{t: t, bytes: bytesOf(t.Dims, t.Type)})
		if t.present != 0 {
			c.Report(onnxDataFields, c.on(t.Name), "",
				"the elements are in another file, and %s has some too", t.data.field.Name)
		}
		return
	}
	elements, _ := layout.ProductOf(t.Dims)
	c.inside = c.inside || elements > 0
	field, _, _ := t.Type.numbers()
	switch n := bits.OnesCount32(t.present); {
	case elements == 0 && n > 0:
		c.Report(onnxDataFields, c.on(t.Name), "", "there are no elements, and %s has some", t.data.field.Name)
	case elements == 0:
	case n == 0:
		c.Report(onnxDataFields, c.on(t.Name), "", "there are no elements where %d are stated", elements)
	case n > 1:
		c.Report(onnxDataFields, c.on(t.Name), "", "the elements are in %s, and only one can be right", wording.Count(n,
			"field"))
	case t.data.field.Name == "raw_data" && t.Type == String:
		c.Report(onnxDataFields, c.on(t.Name), "", "strings are in raw_data, where readers do not look for them")
	case t.data.field.Name == "raw_data":
		want := bytesOf(t.Dims, t.Type)
		if got := t.data.to - t.data.from; got != want && c.WantsRule(onnxDataSize) {
			c.Report(onnxDataSize, c.on(t.Name), rewrite, "%v of %s takes %s, and raw_data has %d",
				t.Type, shapeText(t.Dims), wording.Count(want, "byte"), got)
		}
	case t.data.field.Name != field:
		c.Report(onnxDataFields, c.on(t.Name), "",
			"elements of type %v are in %s, where readers look in %s or raw_data", t.Type, t.data.field.Name, field)
	case t.data.count < 0:
	default:
		c.entries(t, elements)
	}
}

// entries checks the number of numbers or strings. If a type has less than 8 bits, a number has two elements or more,
// but writers disagree on how many.
func (c *checker) entries(t *Tensor, elements int64) {
	_, per, share := t.Type.numbers()
	got, want, least := t.data.count, elements*per, ""
	if share > 1 {
		want, least = layout.CeilDiv(elements*t.Type.Bits(), 32), "at least "
	}
	if got < want || got > want && least == "" {
		c.Report(onnxDataCount, c.on(t.Name), rewrite, "%v of %s takes %s%s of %s, which has %d",
			t.Type, shapeText(t.Dims), least, wording.Count(want, "entry"), t.data.field.Name, got)
	}
}

// typed checks the type of a tensor, and reports whether its elements have a size.
func (c *checker) typed(t *Tensor) bool {
	switch {
	case t.Type == Undefined:
		c.Report(onnxDataFields, c.on(t.Name), "", "the data_type is UNDEFINED")
	case !t.Type.Known():
		c.ReportAs(onnxDataFields, finding.Warning, c.on(t.Name), "",
			"the data_type %v is newer than this program: the elements are not checked", t.Type)
	default:
		return true
	}
	return false
}

// dims checks the sizes of a tensor, and reports whether its elements can be counted.
func (c *checker) dims(t *Tensor) bool {
	if len(t.Dims) > maxRank {
		c.Report(onnxDims, c.on(t.Name), "", "there are more than %d sizes", maxRank)
		return false
	}
	for i, d := range t.Dims {
		if d < 0 {
			c.Report(onnxDims, c.on(t.Name), "", "size %d is %d, and weights have to state all sizes", i, d)
			return false
		}
	}
	if n, err := layout.ProductOf(t.Dims); err != nil || n > math.MaxInt64/max(t.Type.Bits(), 1) {
		c.Report(onnxDims, c.on(t.Name), "", "the bits of %s of %v are beyond 63 bits", shapeText(t.Dims), t.Type)
		return false
	}
	return true
}

// shapeText returns sizes in Python's notation.
func shapeText(dims []int64) string { return "[" + layout.JoinInts(dims, ",") + "]" }

// agree compares an initializer with the type and the shape that the graph states for it.
func (c *checker) agree(t *Tensor, v *Value) {
	if v.Form != TensorForm {
		return
	}
	if v.Type != t.Type && v.Type != Undefined {
		c.Report(onnxInitShape, c.on(t.Name), "", "the initializer is %v, and the graph uses it as %v", t.Type, v.Type)
		return
	}
	differs := v.Shaped && len(v.Dims) != len(t.Dims)
	for i, d := range v.Dims {
		differs = differs || d.Known && d.Size >= 0 && d.Size != t.Dims[i]
	}
	if differs {
		c.Report(onnxInitShape, c.on(t.Name), "", "the initializer has the shape %s, and the graph uses it as %s",
			shapeText(t.Dims), v.shape())
	}
}

// shape returns the sizes of a value, with a ? for each open one.
func (v *Value) shape() string {
	words := make([]string, len(v.Dims))
	for i, d := range v.Dims {
		words[i] = d.String()
	}
	return "[" + strings.Join(words, ",") + "]"
}

// String returns the size, its name, or a ?.
func (d Dim) String() string {
	switch {
	case d.Known && d.Size >= 0:
		return fmt.Sprint(d.Size)
	case d.Name != "":
		return wording.Clip(d.Name)
	}
	return "?"
}

// ends checks the inputs and outputs of the model's own graph. The map named has its initializers.
func (c *checker) ends(g *Graph, named map[string]int) {
	known := make(map[string]bool, len(g.Inputs))
	for i := range g.Inputs {
		v := &g.Inputs[i]
		c.about = v.Span
		if known[v.Name] {
			c.Report(onnxSSA, c.on(v.Name), "", "two inputs have this name, the second at byte %d", v.Span.From)
		}
		known[v.Name] = true
		_, has := named[v.Name]
		c.end(v, "input", has)
	}
	var absent []*Tensor
	for i := range g.Initializers {
		if t := &g.Initializers[i]; !known[t.Name] && t.Name != "" {
			absent = append(absent, t)
		}
	}
	if v := c.m.IRVersion; v > 0 && v < irOfConstants && len(absent) > 0 && c.m.bad == "" {
		c.about = absent[0].Span
		c.ReportAs(onnxName, finding.Warning, c.on(absent[0].Name), "",
			"the initializer is not an input of the graph, which IR version %d needs%s", v, others(len(absent)))
	}
	c.shapeless(g)
	for i := range g.Outputs {
		v := &g.Outputs[i]
		c.about = v.Span
		c.end(v, "output", false)
	}
}

// unwritten reports the outputs of a graph that are not values in it or in a graph around it.
func (c *checker) unwritten(g *Graph) {
	if c.m.bad != "" {
		return
	}
	for i := range g.Outputs {
		if v := &g.Outputs[i]; v.Name != "" && !g.has(v.Name) {
			c.about = v.Span
			c.Report(onnxSSA, c.on(g.Path+v.Name), "",
				"no node writes this output, and it is neither an input nor an initializer")
		}
	}
}

// shapeless reports outputs without a shape, which readers infer.
func (c *checker) shapeless(g *Graph) {
	var list []*Value
	for i := range g.Outputs {
		if v := &g.Outputs[i]; (v.Form == TensorForm || v.Form == SparseForm) && v.Type != Undefined && !v.Shaped {
			list = append(list, v)
		}
	}
	if len(list) > 0 {
		c.about = list[0].Span
		c.ReportAs(onnxIOType, finding.Warning, c.on(list[0].Name), "", "the output has no shape%s", others(len(list)))
	}
}

// others returns the rest of a message about the first of n: the number of the others.
func others(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" (and %s)", wording.Count(n-1, "other"))
}

// end checks an input or an output. If an input has an initializer, its value is optional.
func (c *checker) end(v *Value, what string, stored bool) {
	fail := func(format string, args ...any) {
		c.Report(onnxIOType, c.on(v.Name), "", "the "+what+" "+format, args...)
	}
	switch {
	case v.Name == "":
		fail("at byte %d has no name", v.Span.From)
	case v.Form == Untyped:
		fail("has no type")
	case v.Form != TensorForm && v.Form != SparseForm:
	case v.Type == Undefined:
		fail("has no element type")
	case !v.Shaped && what == "input":
		fail("has no shape")
	}
	isNegative := func(d Dim) bool { return d.Known && d.Size < 0 }
	if i := slices.IndexFunc(v.Dims, isNegative); i >= 0 {
		c.Report(onnxDimValue, c.on(v.Name), "a dim_param, or neither",
			"size %d of the %s is %d: ONNX Runtime takes it as unknown, and others for a size", i, what, v.Dims[i].Size)
	}
	isList := v.Type == Int64 && len(v.Dims) == 1 // it may be empty, such as a list of axes
	if i := slices.IndexFunc(v.Dims, isZero); i >= 0 && what == "input" && !stored && !isList && !c.empty {
		c.Report(onnxDimValue, c.on(v.Name), "a dim_param, or neither",
			"size %d of the input is 0: it takes tensors without elements only", i)
	}
}

// isZero reports whether a size is stated as 0.
func isZero(d Dim) bool { return d.Known && d.Size == 0 }

// annotated checks the names in quantization annotations.
func (c *checker) annotated(g *Graph, named map[string]int) {
	if len(g.annotations) == 0 || c.m.bad != "" {
		return
	}
	values := map[string]bool{}
	for _, list := range [...][]Value{g.Inputs, g.Values, g.Outputs} {
		for i := range list {
			values[list[i].Name] = true
		}
	}
	for _, a := range g.annotations {
		c.about = a.span
		for _, name := range append([]string{a.tensor}, a.parameters...) {
			if _, ok := named[g.Path+name]; !ok && !values[name] && !g.writes(name) {
				c.Report(onnxQuantAnnotation, c.on(a.tensor), "",
					"the annotation at byte %d names %s, which the graph does not have", a.span.From,
					wording.Quote(name))
			}
		}
	}
}

// sparse checks a sparse tensor.
func (c *checker) sparse(s *Sparse) {
	c.tensor(&s.Values)
	c.tensor(&s.Indices)
	name := s.Values.Name
	fail := func(format string, args ...any) { c.Report(onnxSparse, c.on(name), "", format, args...) }
	dense, err := layout.ProductOf(s.Dims)
	switch {
	case len(s.Dims) == 0:
		fail("a sparse tensor has one size at least")
		return
	case slices.Min(s.Dims) <= 0 || err != nil || len(s.Dims) > maxRank:
		fail("the sizes %s have to be 1 or more, at most %d of them, with a product of 63 bits", shapeText(s.Dims),
			maxRank)
		return
	case len(s.Values.Dims) != 1:
		fail("the values have the shape %s, and not [NNZ]", shapeText(s.Values.Dims))
		return
	case s.Values.Dims[0] == 0 && s.Indices.Type == Undefined:
		return // without them, the indices have no meaning
	case s.Indices.Type != Int64:
		fail("the indices are %v, and not INT64", s.Indices.Type)
		return
	}
	count, rank := s.Values.Dims[0], int64(len(s.Dims))
	switch d := s.Indices.Dims; {
	case len(d) == 1 && d[0] == count:
		rank = 1
	case len(d) == 2 && d[0] == count && d[1] == rank:
	default:
		fail("the indices have the shape %s, and not [%d] or [%d,%d]", shapeText(d), count, count, rank)
		return
	}
	if count*rank > maxIndices || s.Indices.External != nil {
		c.ReportAs(onnxSparse, finding.Note, c.on(name), "",
			"the indices are not read: more than %d, or in another file", maxIndices)
		return
	}
	sizes := s.Dims
	if rank == 1 {
		sizes = []int64{dense}
	}
	c.indices(s, sizes)
}

// indices checks that indices are inside the tensor, sorted and distinct.
func (c *checker) indices(s *Sparse, sizes []int64) {
	list := c.m.int64s(&s.Indices)
	if int64(len(list)) != s.Values.Dims[0]*int64(len(sizes)) {
		return // has been reported
	}
	last := []int64(nil)
	for i := 0; i+len(sizes) <= len(list); i += len(sizes) {
		index := list[i : i+len(sizes)]
		for k, n := range index {
			if n < 0 || n >= sizes[k] {
				c.Report(onnxSparse, c.on(s.Values.Name), "", "index %d is %s, outside of %s",
					i/len(sizes), shapeText(index), shapeText(sizes))
				return
			}
		}
		if slices.Compare(last, index) >= 0 { // the first is after nil
			c.Report(onnxSparse, c.on(s.Values.Name), "", "index %d, %s, is not after the one before it, %s",
				i/len(sizes), shapeText(index), shapeText(last))
			return
		}
		last = index
	}
}

// int64s returns the elements of an INT64 tensor, or nil if they cannot be read.
func (m *Model) int64s(t *Tensor) (list []int64) {
	d := t.data
	if d.pieces != 1 || d.to-d.from > maxIndices*protobuf.MaxVarint {
		return nil
	}
	raw := make([]byte, d.to-d.from)
	if _, err := m.in.ReadAt(raw, d.from); err != nil {
		return nil
	}
	for len(raw) > 0 {
		n, size := binary.Uvarint(raw)
		if d.field.Name == "raw_data" && len(raw) >= 8 {
			n, size = binary.LittleEndian.Uint64(raw), 8
		}
		if size <= 0 {
			return nil
		}
		list, raw = append(list, int64(n)), raw[size:]
	}
	return list
}
