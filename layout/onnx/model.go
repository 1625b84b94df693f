// Package onnx reads ONNX models by position, without their weights: what tensors there are, where their elements are,
// what the graph takes and gives, and what is wrong with that.
//
// [Read] returns the parts of a model that describe tensors, each with the byte where it starts. [Model.Check] holds
// them against the rules. Nothing of the data is read except numbers of variable length, which must be counted, and
// the indices of sparse tensors.
//
// It may import layout, scan and rules.
package onnx

import (
	"fmt"
	"io"
	"strings"

	"layoutcalc/layout/rules"
	"layoutcalc/layout/scan"
)

// Limits of what is kept of a model.
const (
	maxTensors = 200_000
	maxValues  = 200_000   // inputs, outputs and their like, graphs and nodes with weights
	maxWritten = 1_000_000 // names that nodes write
	maxRank    = 64        // sizes of a tensor that are kept, and one more
)

// A Model is what a file says of tensors.
type Model struct {
	IRVersion int64 // 0 where none is stated
	Opsets    []Opset
	Graph     *Graph
	Inner     []*Graph // those of nodes, functions and training, which have tensors of their own
	Size      int64    // of the file

	in      io.ReaderAt
	graphs  int    // how many times the model has a graph
	bad     string // what is wrong with the bytes; empty if nothing is
	badAt   int64
	unknown int // fields that the format does not have
	first   string
	skipped int // fields with numbers that were too large to count
}

// Fault returns what is wrong with the bytes of the model, from where nothing was read; empty if nothing is.
func (m *Model) Fault() string { return m.bad }

// An Opset is a set of operators that a model uses.
type Opset struct {
	Domain  string // empty for ONNX's own
	Version int64
}

// A Graph is what a graph says of tensors.
type Graph struct {
	Path         string // before the names of its tensors; empty for the model's own graph
	Inputs       []Value
	Outputs      []Value
	Values       []Value // others of which the type is stated
	Initializers []Tensor
	Sparse       []Sparse
	Constants    []Tensor // the attributes of nodes

	nodes       []node
	constant    map[string]int  // the constants that nodes write, by the names that they write
	written     map[string]bool // the names that nodes write, of the model's own graph
	annotations []annotation
}

// A Value is an input or an output of a graph, or what it says of a tensor that nodes write.
type Value struct {
	Name   string
	At     int64 // the byte of the model where it starts
	end    int64
	Form   Form
	Type   ElemType // of the elements of a tensor
	Shaped bool     // the shape is stated
	Dims   []Dim
}

// Fed returns the inputs that are given when the model runs: those without an initializer, which would be their
// default.
func (g *Graph) Fed() (list []Value) {
	given := make(map[string]bool, len(g.Initializers))
	for i := range g.Initializers {
		given[g.Initializers[i].Name] = true
	}
	for i := range g.Sparse {
		given[g.Sparse[i].Values.Name] = true
	}
	for _, v := range g.Inputs {
		if !given[g.Path+v.Name] {
			list = append(list, v)
		}
	}
	return list
}

// A Form says what a value is.
type Form uint8

// The forms of values, by their field in TypeProto.
const (
	Untyped      Form = 0
	TensorForm   Form = typeTensor
	SequenceForm Form = typeSequence
	MapForm      Form = typeMap
	OpaqueForm   Form = typeOpaque
	SparseForm   Form = typeSparse
	OptionalForm Form = typeOptional
)

// A Dim is a size of a value, which may be open.
type Dim struct {
	Size  int64
	Known bool   // there is a size
	Name  string // of a size that is open; may be empty
}

// A Tensor has its elements in the model or in another file.
type Tensor struct {
	Name     string
	At       int64 // the byte of the model where it starts
	end      int64
	Type     ElemType
	Dims     []int64
	External *External // nil where the elements are in the model

	present uint64 // the fields that have elements
	data    data   // the last of them
}

// Span returns the bytes of the model that the tensor is.
func (t *Tensor) Span() rules.Span { return rules.Span{From: t.At, To: t.end} }

// A data is where the elements of a tensor are in the model.
type data struct {
	field  uint64
	from   int64
	to     int64
	count  int64 // of numbers or texts; -1 where they are too many to count
	pieces int   // in which they are
}

// An External says where in another file the elements of a tensor are, in the words of the model.
type External struct {
	Location, Offset, Length string

	offset, length bool   // are stated
	unknown        string // the first key that the format does not have
}

// A Sparse is a tensor most elements of which are 0. Its name is that of its values.
type Sparse struct {
	At, end         int64
	Values, Indices Tensor
	Dims            []int64
}

// A node is one whose inputs are held against each other.
type node struct {
	name    string
	at, end int64
	op      string
	inputs  []string
	kernel  []int64 // nil where it is not stated
	group   int64
	grouped bool // group is stated
}

// An annotation says which tensors quantize another one.
type annotation struct {
	at, end    int64
	tensor     string
	parameters []string
}

// Read reads a model of the given size. Where its bytes cannot be read to the end, what there is before that is
// returned, and Check tells. Where there is no graph before that, it is an error.
func Read(in io.ReaderAt, size int64) (*Model, error) {
	r := reader{window: window{in: in, size: size}, m: &Model{Size: size, in: in}}
	r.model(message{window: &r.window, kind: &modelKind, end: size})
	switch {
	case r.err != nil:
		return nil, r.err
	case r.m.graphs == 0 && r.bad != "":
		return nil, scan.Refuse("", "not an ONNX model: byte %d: %s", r.badAt, r.bad)
	case r.m.graphs == 0:
		return nil, scan.Refuse("", "not an ONNX model: there is no graph in it")
	}
	r.m.bad, r.m.badAt, r.m.unknown, r.m.first = r.bad, r.badAt, r.unknown, r.unknownIs
	return r.m, nil
}

// Is reports whether a file is a model: its fields are those of one to its end, and the version and the graph are among
// them.
func Is(in io.ReaderAt, size int64) bool {
	w := window{in: in, size: size}
	m := message{window: &w, kind: &modelKind, end: size, only: true}
	version, graph := false, false
	for m.next() {
		version = version || m.number == irVersion
		graph = graph || m.number == modelGraph
	}
	return version && graph && !w.failed() && w.unknown == 0
}

// A reader reads a model.
type reader struct {
	window
	m       *Model
	tensors int
	values  int
}

// model reads a model.
func (r *reader) model(m message) {
	for m.next() {
		switch m.number {
		case irVersion:
			r.m.IRVersion = int64(m.value)
		case opsetImport:
			r.opset(m.inner(&opsetKind))
		case modelGraph:
			if r.m.graphs++; r.m.Graph == nil {
				r.m.Graph = &Graph{written: map[string]bool{}}
			}
			r.graph(r.m.Graph, m.inner(&graphKind))
		case modelFunctions:
			r.body(m.inner(&functionKind), "function ")
		case modelTraining:
			r.body(m.inner(&trainingKind), "training/")
		}
	}
	if r.bad != "" && m.number == modelGraph && m.to == m.end && r.m.Graph == nil { // what is there of a file cut off
		bad, at := r.bad, r.badAt
		r.bad, r.m.graphs, r.m.Graph = "", 1, &Graph{written: map[string]bool{}}
		r.graph(r.m.Graph, m.inner(&graphKind))
		r.bad, r.badAt = bad, at
	}
}

// opset reads a set of operators.
func (r *reader) opset(m message) {
	var o Opset
	for m.next() {
		switch m.number {
		case opsetDomain:
			o.Domain = m.text()
		case opsetVersion:
			o.Version = int64(m.value)
		}
	}
	if r.kept() {
		r.m.Opsets = append(r.m.Opsets, o)
	}
}

// body reads the nodes of a function or the graphs of a training.
func (r *reader) body(m message, path string) {
	g := r.inside(path)
	for m.next() {
		switch m.number {
		case functionName:
			if m.kind == &functionKind {
				g.Path = path + m.text() + "/"
				continue
			}
			r.graph(g, m.inner(&graphKind))
		case trainingAlgorithm:
			r.graph(g, m.inner(&graphKind))
		case functionNode:
			r.node(g, m.inner(&nodeKind), m.tagAt)
		}
	}
}

// inside returns another graph whose tensors have that path.
func (r *reader) inside(path string) *Graph {
	g := &Graph{Path: path}
	if r.kept() {
		r.m.Inner = append(r.m.Inner, g)
	}
	return g
}

// kept reports whether there is room for another value or its like.
func (r *reader) kept() bool {
	r.takes(r.values)
	if r.values++; r.values > maxValues {
		r.fail(-1, "the model has more than the limit of %d inputs, outputs and their like", maxValues)
	}
	return r.values <= maxValues && !r.failed()
}

// takes asks a file that has a budget for the memory of the next tensors or values, after n of them.
func (r *reader) takes(n int) {
	const group, each = 256, 320 // bytes, with the names
	if in, ok := r.in.(interface{ Take(bytes int64) }); ok && n%group == group-1 {
		in.Take(group * each)
	}
}

// graph reads a graph.
func (r *reader) graph(g *Graph, m message) {
	for m.next() {
		switch m.number {
		case graphNode:
			r.node(g, m.inner(&nodeKind), m.tagAt)
		case graphInitializer:
			if t := r.tensor(g.Path, m.inner(&tensorKind), m.tagAt); r.room() {
				g.Initializers = append(g.Initializers, t)
			}
		case graphSparse:
			if s := r.sparse(g.Path, m.inner(&sparseKind), m.tagAt); r.room() {
				g.Sparse = append(g.Sparse, s)
			}
		case graphInput:
			g.Inputs = r.value(g.Inputs, m.inner(&valueKind), m.tagAt)
		case graphOutput:
			g.Outputs = r.value(g.Outputs, m.inner(&valueKind), m.tagAt)
		case graphValueInfo:
			g.Values = r.value(g.Values, m.inner(&valueKind), m.tagAt)
		case graphQuantization:
			r.annotation(g, m.inner(&annotationKind), m.tagAt)
		}
	}
}

// room reports whether there is room for another tensor.
func (r *reader) room() bool {
	r.takes(r.tensors)
	if r.tensors++; r.tensors > maxTensors {
		r.fail(-1, "the model has more than the limit of %d tensors", maxTensors)
	}
	return r.tensors <= maxTensors && !r.failed()
}

// node reads a node. Its graphs and tensors are named after it, or after its operator where it has no name.
func (r *reader) node(g *Graph, m message, at int64) {
	n, attributes, domain, output := node{at: at, end: m.end}, m, "", ""
	attributes.again = true
	has := false
	for m.next() {
		switch m.number {
		case nodeInput:
			if len(n.inputs) < 8 { // of those that matter none has more
				n.inputs = append(n.inputs, m.text())
			}
		case nodeOutput:
			if output = m.text(); g.written != nil && len(g.written) < maxWritten {
				if !g.written[output] {
					r.takes(len(g.written))
				}
				g.written[output] = true
			} else if g.written != nil {
				r.fail(-1, "nodes write more than the limit of %d names", maxWritten)
			}
		case nodeName:
			n.name = m.text()
		case nodeOpType:
			n.op = m.text()
		case nodeDomain:
			domain = m.text()
		case nodeAttribute:
			has = true
		}
	}
	if n.name == "" {
		n.name = fmt.Sprintf("%s at byte %d", n.op, at)
	}
	constants := len(g.Constants)
	for has && attributes.next() {
		if attributes.number == nodeAttribute {
			r.attribute(g, &n, attributes.inner(&attributeKind), attributes.tagAt)
		}
	}
	switch {
	case domain != "" && domain != "ai.onnx":
	case n.op == "Constant" && len(g.Constants) > constants:
		if g.constant == nil {
			g.constant = map[string]int{}
		}
		g.constant[output] = constants
	case (n.op == "Conv" || n.op == "ConvTranspose" || n.op == "BatchNormalization") && r.kept():
		g.nodes = append(g.nodes, n)
	}
}

// attribute reads an attribute of a node.
func (r *reader) attribute(g *Graph, n *node, m message, at int64) {
	values, name := m, ""
	m.again = true // all of it is read below
	for name == "" && m.next() {
		if m.number == attrName {
			name = m.text()
		}
	}
	path := g.Path + n.name + "/"
	if n.op == "Constant" {
		if t, known := r.numbers(path, name, values, at); known {
			if t.data.count >= 0 && r.room() { // else they are too many to count
				g.Constants = append(g.Constants, t)
			}
			return
		}
	}
	path += name + "/"
	for values.next() {
		switch values.number {
		case attrInt:
			switch {
			case name == "group":
				n.group, n.grouped = int64(values.value), true
			case name == "spatial" && values.value == 0 && n.op == "BatchNormalization":
				n.op = "" // before opset 9 its weights could have all sizes of an element
			}
		case attrInts:
			if name == "kernel_shape" {
				n.kernel = values.ints(n.kernel, maxRank+1)
			}
		case attrTensor, attrTensors:
			if t := r.tensor(path, values.inner(&tensorKind), values.tagAt); r.room() {
				g.Constants = append(g.Constants, t)
			}
		case attrSparse, attrSparses:
			if s := r.sparse(path, values.inner(&sparseKind), values.tagAt); r.room() {
				g.Sparse = append(g.Sparse, s)
			}
		case attrGraph, attrGraphs:
			r.graph(r.inside(path), values.inner(&graphKind))
		}
	}
}

// numbers reads the attribute of a node Constant that is numbers, as the tensor that the node writes: a scalar, or a
// list. Elsewhere known is false.
func (r *reader) numbers(path, name string, m message, at int64) (t Tensor, known bool) {
	t = Tensor{Name: path + name, At: at, end: m.end, Type: Int64}
	field, one, list := uint64(int64Data), uint64(attrInt), uint64(attrInts)
	switch name {
	case "value_float", "value_floats":
		t.Type, field, one, list = Float, floatData, attrFloat, attrFloats
	case "value_int", "value_ints":
	default:
		return t, false
	}
	for m.next() {
		if m.number == one || m.number == list {
			r.data(&t, &m, field)
		}
	}
	if strings.HasSuffix(name, "s") {
		t.Dims = []int64{t.data.count}
	}
	return t, true
}

// tensor reads a tensor.
func (r *reader) tensor(path string, m message, at int64) Tensor {
	t, outside := Tensor{Name: strings.TrimSuffix(path, "/"), At: at, end: m.end}, false
	for m.next() {
		switch m.number {
		case tensorDims:
			t.Dims = m.ints(t.Dims, maxRank+1)
		case tensorType:
			t.Type = ElemType(int32(m.value))
		case tensorName:
			t.Name = path + m.text()
		case tensorLocation:
			outside = m.value == externalLocation
		case tensorExternal:
			r.entry(&t, m.inner(&entryKind))
		case floatData, int32Data, stringData, int64Data, rawData, doubleData, uint64Data:
			r.data(&t, &m, m.number)
		}
	}
	if outside && t.External == nil {
		t.External = &External{}
	} else if !outside {
		t.External = nil // what is left of a model that was saved otherwise before
	}
	return t
}

// externalLocation is the data_location of a tensor in another file.
const externalLocation = 1

// data notes where elements are: in a field of a tensor, or as such a field would have them.
func (r *reader) data(t *Tensor, m *message, field uint64) {
	d := data{field: field, from: m.from, to: m.to, count: 1, pieces: 1}
	width := int64(0) // of a number
	switch {
	case m.typ != delimited:
	case field == floatData:
		width = 4
	case field == doubleData:
		width = 8
	case field == int32Data || field == int64Data || field == uint64Data:
		if d.count = -1; d.to-d.from <= maxCounted {
			d.count = m.varints()
		} else {
			r.m.skipped++
		}
	}
	if width > 0 {
		if d.count = (d.to - d.from) / width; (d.to-d.from)%width != 0 {
			m.fail(m.tagAt, "field %d of %s has %d bytes, which are not a multiple of %d",
				m.number, m.kind.name, d.to-d.from, width)
		}
	}
	isEmpty := d.count == 0 || field == rawData && d.from == d.to
	if t.data.field == d.field && d.field != rawData { // a repeated field may come in pieces
		d.pieces, d.from = t.data.pieces+1, t.data.from
		if d.count += t.data.count; d.count < t.data.count || t.data.count < 0 {
			d.count = -1
		}
	}
	if isEmpty && d.pieces == 1 {
		return
	}
	t.present |= 1 << field
	t.data = d
}

// maxCounted is how many bytes of numbers of variable length are counted.
const maxCounted = 16 << 20

// entry reads a word on another file.
func (r *reader) entry(t *Tensor, m message) {
	var key, value string
	for m.next() {
		switch m.number {
		case entryKey:
			key = m.text()
		case entryValue:
			value = m.text()
		}
	}
	if t.External == nil {
		t.External = &External{}
	}
	e := t.External
	switch key {
	case "location":
		e.Location = value
	case "offset":
		e.Offset, e.offset = value, true
	case "length":
		e.Length, e.length = value, true
	case "checksum", "basepath":
	default:
		if e.unknown == "" {
			e.unknown = scan.Quote(key)
		}
	}
}

// sparse reads a tensor most elements of which are 0.
func (r *reader) sparse(path string, m message, at int64) Sparse {
	s := Sparse{At: at, end: m.end}
	for m.next() {
		switch m.number {
		case sparseValues:
			s.Values = r.tensor(path, m.inner(&tensorKind), m.tagAt)
		case sparseIndices:
			s.Indices = r.tensor(path, m.inner(&tensorKind), m.tagAt)
		case sparseDims:
			s.Dims = m.ints(s.Dims, maxRank+1)
		}
	}
	return s
}

// value reads an input, an output or their like.
func (r *reader) value(list []Value, m message, at int64) []Value {
	v := Value{At: at, end: m.end}
	for m.next() {
		switch m.number {
		case valueName:
			v.Name = m.text()
		case valueType:
			r.valueType(&v, m.inner(&typeKind))
		}
	}
	if !r.kept() {
		return list
	}
	return append(list, v)
}

// valueType reads the type of a value.
func (r *reader) valueType(v *Value, m message) {
	for m.next() {
		switch m.number {
		case typeDenotation:
		case typeTensor, typeSparse:
			v.Form = Form(m.number)
			t := m.inner(&tensorTypeKind)
			for t.next() {
				switch t.number {
				case tensorTypeElem:
					v.Type = ElemType(int32(t.value))
				case tensorTypeShape:
					r.shape(v, t.inner(&shapeKind))
				}
			}
		default:
			v.Form = Form(m.number)
		}
	}
}

// shape reads the sizes of a value.
func (r *reader) shape(v *Value, m message) {
	v.Shaped = true
	for m.next() {
		var d Dim
		for in := m.inner(&dimKind); in.next(); {
			switch in.number {
			case dimValue:
				d = Dim{Size: int64(in.value), Known: true}
			case dimParam:
				d = Dim{Name: in.text()}
			}
		}
		if len(v.Dims) <= maxRank {
			v.Dims = append(v.Dims, d)
		}
	}
}

// annotation reads which tensors quantize another one.
func (r *reader) annotation(g *Graph, m message, at int64) {
	a := annotation{at: at, end: m.end}
	for m.next() {
		switch m.number {
		case annotationTensor:
			a.tensor = m.text()
		case annotationParameters:
			for in := m.inner(&entryKind); in.next(); {
				if in.number == entryValue && r.kept() {
					a.parameters = append(a.parameters, in.text())
				}
			}
		}
	}
	if r.kept() {
		g.annotations = append(g.annotations, a)
	}
}
