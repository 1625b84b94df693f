// Package onnx reads and checks ONNX models, without reading their weights: the tensors, the locations of their
// elements, and the inputs and outputs of the graph.
//
// [Read] returns the parts of a model that describe tensors, each with its offset in the file. [Model.Check] checks
// them against the rules. It reads no data except numbers of variable length, which must be counted, and the indices of
// sparse tensors.
//
// A model has no header, so the package goes through its messages by offset. A part that it skips costs nothing,
// regardless of its length, and it never allocates a claimed length. It counts and skips unknown fields, like protobuf.
// For elements in other files, external.go first checks the paths, then the ranges.
package onnx

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"sync"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/protobuf"
	"layoutcalc/layout/wording"
)

//go:embed onnx.proto
var schemaText string

// schema returns the ONNX messages.
var schema = sync.OnceValue(func() *protobuf.Schema { return protobuf.ParseSchema(schemaText) })

// Limits of the parts of a model that are kept.
const (
	maxTensors = 200_000
	maxValues  = 200_000   // inputs, outputs and similar, graphs and nodes with weights
	maxNames   = 1_000_000 // names that nodes read and write
	maxRank    = 64        // sizes of a tensor that are kept, plus one
)

// A Model holds the parts of a file that describe tensors.
type Model struct {
	IRVersion int64 // 0 if it is not stated
	Opsets    []Opset
	Graph     *Graph
	Inner     []*Graph // the graphs of nodes, functions and training, with their tensors
	Size      int64    // the size of the file

	in         io.ReaderAt
	graphs     int                       // the number of graphs that the model has
	firstNodes map[Operator]finding.Span // the first node of each operator in the model's own graphs
	functions  map[Operator]bool         // the functions of the model
	bad        string                    // the error in the bytes, or empty
	badAt      int64
	deep       bool // the error is that messages are nested too deeply
	unknown    int  // the number of fields that the format does not have
	first      string
	skipped    int // the number of fields with field numbers that were too large to count
}

// Fault returns the error in the bytes of the model, or an empty string. Nothing was read after the error.
func (m *Model) Fault() string { return m.bad }

// An Opset is an operator set that a model uses.
type Opset struct {
	Domain  string // empty for ONNX's own
	Version int64
}

// A Graph holds the parts of a graph that describe tensors.
type Graph struct {
	Path         string // before the names of its tensors; empty for the model's own graph
	Inputs       []Value
	Outputs      []Value
	Values       []Value // other values with a stated type
	Initializers []Tensor
	Sparse       []Sparse
	Constants    []Tensor // the attributes of nodes

	around      *Graph // a graph with values that the nodes read too; nil for the model's own graph and for functions
	nodes       []node
	unnamed     sample[finding.Span] // nodes without an operator
	twice       sample[access]       // names that a second node writes
	constant    map[string]int       // the constants that nodes write, by name
	uses        map[string]*use      // by name; nil in a training, which may read the values of other graphs too
	annotations []annotation
}

// A use is the first uses of a name in a graph. A span is zero if no node uses the name in this way.
type use struct {
	given         bool         // it is an input or an initializer
	written, read finding.Span // the first nodes that write and read it
}

// An access is a node that reads or writes a name.
type access struct {
	name string
	node finding.Span
}

// A sample holds the first items that break a rule, up to the number that is reported, and the number of the others.
type sample[T any] struct {
	first []T
	more  int
}

func (s *sample[T]) add(v T) {
	if len(s.first) < finding.MostOfRule {
		s.first = append(s.first, v)
	} else {
		s.more++
	}
}

// A Value is an input or an output of a graph, or the type that the graph states for a tensor that nodes write.
type Value struct {
	Name   string
	Span   finding.Span // the bytes of the model
	Form   Form
	Type   ElemType // the element type of a tensor
	Shaped bool     // the shape is stated
	Dims   []Dim
}

// Fed returns the inputs that must be given to run the model: those without an initializer as their default.
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

// A Form is the form of a value: a tensor, a sequence and so on.
type Form uint8

// The forms of values that rules use, by the numbers of their fields in TypeProto.
const (
	Untyped    Form = 0
	TensorForm Form = 1
	SparseForm Form = 8
)

// A Dim is a size of a value, known or open.
type Dim struct {
	Size  int64
	Known bool   // the size is known
	Name  string // the name of an open size; may be empty
}

// A Tensor is a tensor with elements in the model or in another file.
type Tensor struct {
	Name     string
	Span     finding.Span // the bytes of the model
	Type     ElemType
	Dims     []int64
	External *External // nil if the elements are in the model

	present uint32 // the numbers of the fields that have elements
	data    data   // the location of the last of them
}

// A data is the location of the elements of a tensor in the model.
type data struct {
	field  *protobuf.Field
	from   int64
	to     int64
	count  int64 // the number of numbers or strings; -1 if there are too many to count
	pieces int   // the number of pieces
}

// An External is the location of the elements of a tensor in another file, as stated by the model.
type External struct {
	Location, Offset, Length string

	offset, length bool   // are stated
	unknown        string // the first key that the format does not have
}

// A Sparse is a tensor with few nonzero elements. Its name is the name of its values.
type Sparse struct {
	Span            finding.Span
	Values, Indices Tensor
	Dims            []int64
}

// A node is a node with inputs that are compared with each other.
type node struct {
	name      string
	span      finding.Span
	op        string
	inputs    []string
	output    string  // the first output
	kernel    []int64 // nil if it is not stated
	strides   []int64 // for a convolution, like the next five fields
	pads      []int64
	dilations []int64
	more      []int64 // output_padding
	shaped    bool    // output_shape is stated
	padding   string  // auto_pad
	perm      []int64 // of Transpose
	group     int64   // 1 if it is not stated
	turned    [2]bool // the inputs of Gemm are transposed
	open      bool    // an attribute takes its value from the call of a function
}

// An annotation names the tensors that quantize another one.
type annotation struct {
	span       finding.Span
	tensor     string
	parameters []string
}

// Read reads a model of the given size. If its bytes are invalid at some offset, the model has the parts before that,
// and Check reports the error; if there is no graph before it, Read fails.
func Read(in io.ReaderAt, size int64) (*Model, error) {
	r := reader{Reader: protobuf.Reader{In: in, Size: size}, m: &Model{Size: size, in: in}}
	r.model(r.Message(schema().Message("ModelProto")))
	switch {
	case r.Err != nil:
		return nil, r.Err
	case r.m.graphs == 0 && r.Fault != "":
		return nil, lexer.Refuse("", "not an ONNX model: byte %d: %s", r.FaultAt, r.Fault)
	case r.m.graphs == 0:
		return nil, lexer.Refuse("", "not an ONNX model: there is no graph in it")
	}
	r.m.bad, r.m.badAt, r.m.deep = r.Fault, r.FaultAt, r.Deep
	r.m.unknown, r.m.first = r.Unknown, r.FirstUnknown
	return r.m, nil
}

// Is reports whether a file is a model: all of its fields are fields of a model, including the version and the graph.
func Is(in io.ReaderAt, size int64) bool {
	if !protobuf.Is(in) {
		return false
	}
	r := protobuf.Reader{In: in, Size: size}
	m := r.Message(schema().Message("ModelProto"))
	m.Strict = true
	version, graph := false, false
	for m.Next() {
		version = version || m.Field.Name == "ir_version"
		graph = graph || m.Field.Name == "graph"
	}
	return version && graph && !r.Failed() && r.Unknown == 0
}

// A reader reads a model.
type reader struct {
	protobuf.Reader
	m       *Model
	tensors int
	values  int
	names   int
}

// model reads a model.
func (r *reader) model(m protobuf.Cursor) {
	for m.Next() {
		switch m.Field.Name {
		case "ir_version":
			r.m.IRVersion = int64(m.Value)
		case "opset_import":
			r.opset(m.Inner())
		case "graph":
			if r.m.graphs++; r.m.Graph == nil {
				r.m.Graph = newGraph()
			}
			r.graph(r.m.Graph, m.Inner())
		case "functions":
			r.function(m.Inner())
		case "training_info":
			r.training(m.Inner())
		}
	}
	isGraph := m.Field != nil && m.Field.Name == "graph"
	if r.Fault != "" && isGraph && m.To == m.End && r.m.Graph == nil { // the file is cut off in the graph
		fault, at := r.Fault, r.FaultAt
		r.Fault, r.m.graphs, r.m.Graph = "", 1, newGraph()
		r.graph(r.m.Graph, m.Inner())
		r.Fault, r.FaultAt = fault, at
	}
}

// spanOf returns the bytes of a message, including the tag before it.
func spanOf(m *protobuf.Cursor) finding.Span { return finding.Span{From: m.Start, To: m.End} }

// opset reads an operator set.
func (r *reader) opset(m protobuf.Cursor) {
	var o Opset
	for m.Next() {
		switch m.Field.Name {
		case "domain":
			o.Domain = m.ReadText()
		case "version":
			o.Version = int64(m.Value)
		}
	}
	if r.kept() {
		r.m.Opsets = append(r.m.Opsets, o)
	}
}

// function reads a function. Its domain comes after its nodes. It imports the domains of its nodes itself.
func (r *reader) function(m protobuf.Cursor) {
	g := r.inside(&Graph{Path: "function ", uses: map[string]*use{}})
	var own Operator
	for m.Next() {
		switch m.Field.Name {
		case "domain":
			if own.Domain = m.ReadText(); own.Domain == ownDomain {
				own.Domain = ""
			}
		case "name":
			own.Name = m.ReadText()
			g.Path = "function " + own.Name + "/"
		case "input":
			r.gives(g, g.Path+m.ReadText())
		case "output":
			r.reads(g, m.ReadText(), spanOf(&m))
		case "node":
			r.node(g, m.Inner())
		}
	}
	if r.kept() {
		if r.m.functions == nil {
			r.m.functions = map[Operator]bool{}
		}
		r.m.functions[own] = true
	}
}

// training reads the graphs of a training.
func (r *reader) training(m protobuf.Cursor) {
	g := r.inside(&Graph{Path: "training/"})
	for m.Next() {
		if m.Field.Name == "initialization" || m.Field.Name == "algorithm" {
			r.graph(g, m.Inner())
		}
	}
}

// newGraph returns the model's own graph.
func newGraph() *Graph { return &Graph{uses: map[string]*use{}} }

// inside adds another graph, with a path before the names of its tensors.
func (r *reader) inside(g *Graph) *Graph {
	if r.kept() {
		r.m.Inner = append(r.m.Inner, g)
	}
	return g
}

// use returns the use of a name in a graph, and counts a new name. It returns nil for an empty name, which stands for
// an omitted operand, and in a training.
func (r *reader) use(g *Graph, name string) *use {
	if g.uses == nil || name == "" {
		return nil
	}
	u := g.uses[name]
	if u == nil {
		r.takes(r.names)
		if r.names++; r.names > maxNames {
			r.Fail(-1, "nodes read and write more than the limit of %d names", maxNames)
		}
		u = &use{}
		g.uses[name] = u
	}
	return u
}

// gives records that the graph has an input or an initializer with the name, without its path.
func (r *reader) gives(g *Graph, name string) {
	if u := r.use(g, name[min(len(g.Path), len(name)):]); u != nil {
		u.given = true
	}
}

// reads records that a node reads the name.
func (r *reader) reads(g *Graph, name string, node finding.Span) {
	if u := r.use(g, name); u != nil && u.read.To == 0 {
		u.read = node
	}
}

// writes records that a node writes the name.
func (r *reader) writes(g *Graph, name string, node finding.Span) {
	switch u := r.use(g, name); {
	case u == nil:
	case u.written.To == 0:
		u.written = node
	default:
		g.twice.add(access{name, node})
	}
}

// kept counts a value, and reports whether there is room for it.
func (r *reader) kept() bool { return r.counts(&r.values, maxValues, "inputs, outputs and similar") }

// counts increases the number of tensors or values, and reports whether there is room for another.
func (r *reader) counts(n *int, most int, what string) bool {
	r.takes(*n)
	if *n++; *n > most {
		r.Fail(-1, "the model has more than the limit of %d %s", most, what)
	}
	return !r.Failed()
}

// takes reserves memory for the next tensors or values, after n of them, if the file has a budget.
func (r *reader) takes(n int) {
	const group, each = 256, 320 // bytes, with the names
	if in, ok := r.In.(interface{ Take(bytes int64) }); ok && n%group == group-1 {
		in.Take(group * each)
	}
}

// graph reads a graph.
func (r *reader) graph(g *Graph, m protobuf.Cursor) {
	for m.Next() {
		switch m.Field.Name {
		case "node":
			r.node(g, m.Inner())
		case "initializer":
			if t := r.tensor(g.Path, m.Inner()); r.room() {
				g.Initializers = append(g.Initializers, t)
				r.gives(g, t.Name)
			}
		case "sparse_initializer":
			if s := r.sparse(g.Path, m.Inner()); r.room() {
				g.Sparse = append(g.Sparse, s)
				r.gives(g, s.Values.Name)
			}
		case "input":
			if g.Inputs = r.value(g.Inputs, m.Inner()); !r.Failed() {
				r.gives(g, g.Path+g.Inputs[len(g.Inputs)-1].Name)
			}
		case "output":
			g.Outputs = r.value(g.Outputs, m.Inner())
		case "value_info":
			g.Values = r.value(g.Values, m.Inner())
		case "quantization_annotation":
			r.annotation(g, m.Inner())
		}
	}
}

// room counts a tensor, and reports whether there is room for it.
func (r *reader) room() bool { return r.counts(&r.tensors, maxTensors, "tensors") }

// node reads a node. Its graphs and tensors are named after it, or after its operator if it has no name.
func (r *reader) node(g *Graph, m protobuf.Cursor) {
	n, attributes, domain := node{span: spanOf(&m), group: 1}, m, ""
	attributes.Again = true
	has := false
	for m.Next() {
		switch m.Field.Name {
		case "input":
			name := m.ReadText()
			r.reads(g, name, n.span)
			if len(n.inputs) < 8 { // no checked operator has more
				n.inputs = append(n.inputs, name)
			}
		case "output":
			name := m.ReadText()
			r.writes(g, name, n.span)
			n.output = cmp.Or(n.output, name)
		case "name":
			n.name = m.ReadText()
		case "op_type":
			n.op = m.ReadText()
		case "domain":
			domain = m.ReadText()
		case "attribute":
			has = true
		}
	}
	if n.name == "" {
		n.name = fmt.Sprintf("%s at byte %d", n.op, n.span.From)
	}
	constants := len(g.Constants)
	for has && attributes.Next() {
		if attributes.Field.Name == "attribute" {
			r.attribute(g, &n, attributes.Inner())
		}
	}
	r.keep(g, &n, domain, constants)
}

// keep keeps the checked parts of a node. The constants of the graph starting at the given index belong to the node.
func (r *reader) keep(g *Graph, n *node, domain string, constants int) {
	if domain == ownDomain {
		domain = "" // the same domain
	}
	op := Operator{domain, n.op}
	_, seen := r.m.firstNodes[op]
	switch {
	case n.op == "":
		g.unnamed.add(n.span)
	case !seen && g.model() && r.kept():
		if r.m.firstNodes == nil {
			r.m.firstNodes = map[Operator]finding.Span{}
		}
		r.m.firstNodes[op] = n.span
	}
	switch {
	case domain != "" || n.open:
	case n.op == "Constant" && len(g.Constants) > constants:
		if g.constant == nil {
			g.constant = map[string]int{}
		}
		g.constant[n.output] = constants
	case operatorOf(n.op).isChecked() && r.kept():
		g.nodes = append(g.nodes, *n)
	}
}

// model reports whether the graph is the model's own, or in one of its nodes.
func (g *Graph) model() bool {
	for g.around != nil {
		g = g.around
	}
	return g.Path == ""
}

// attribute reads an attribute of a node.
func (r *reader) attribute(g *Graph, n *node, m protobuf.Cursor) {
	name, isHere := attributeName(m)
	if !isHere {
		n.open = true
		return
	}
	path := g.Path + n.name + "/"
	if n.op == "Constant" {
		if t, known := r.numbers(path, name, m); known {
			if t.data.count >= 0 && r.room() { // otherwise there are too many to count
				g.Constants = append(g.Constants, t)
			}
			return
		}
	}
	path += name + "/"
	for m.Next() {
		switch m.Field.Name {
		case "i":
			n.number(name, int64(m.Value))
		case "ints":
			if list := n.list(name); list != nil {
				*list = m.Ints(*list, 2*maxRank+1)
			}
			n.shaped = n.shaped || name == "output_shape"
		case "s":
			if name == "auto_pad" {
				n.padding = m.ReadText()
			}
		case "t", "tensors":
			if t := r.tensor(path, m.Inner()); r.room() {
				g.Constants = append(g.Constants, t)
			}
		case "sparse_tensor", "sparse_tensors":
			if s := r.sparse(path, m.Inner()); r.room() {
				g.Sparse = append(g.Sparse, s)
			}
		case "g", "graphs":
			r.graph(r.inside(&Graph{Path: path, around: g, uses: map[string]*use{}}), m.Inner())
		}
	}
}

// attributeName returns the name of an attribute, which is read again for its value. It reports false if the value
// comes from an attribute of the function around the node.
func attributeName(m protobuf.Cursor) (name string, isHere bool) {
	m.Again = true
	for m.Next() {
		switch m.Field.Name {
		case "name":
			name = m.ReadText()
		case "ref_attr_name":
			if m.ReadText() != "" {
				return name, false
			}
		}
	}
	return name, true
}

// number keeps the number of an attribute if it affects sizes.
func (n *node) number(name string, value int64) {
	switch {
	case name == "group":
		n.group = value
	case name == "spatial" && value == 0 && n.op == "BatchNormalization":
		n.open = true // before opset 9 its weights could have all sizes of an element
	case name == "transA":
		n.turned[0] = value != 0
	case name == "transB":
		n.turned[1] = value != 0
	}
}

// list returns a pointer to the numbers of an attribute, or nil for one that is not checked.
func (n *node) list(attribute string) *[]int64 {
	switch attribute {
	case "kernel_shape":
		return &n.kernel
	case "strides":
		return &n.strides
	case "pads":
		return &n.pads
	case "dilations":
		return &n.dilations
	case "output_padding":
		return &n.more
	case "perm":
		return &n.perm
	}
	return nil
}

// numbers reads a numeric attribute of a node Constant as the tensor that the node writes: a scalar, or a list. For
// other attributes, known is false.
func (r *reader) numbers(path, name string, m protobuf.Cursor) (t Tensor, known bool) {
	t = Tensor{Name: path + name, Span: spanOf(&m), Type: Int64}
	one, list := "i", "ints"
	switch name {
	case "value_float", "value_floats":
		t.Type, one, list = Float, "f", "floats"
	case "value_int", "value_ints":
	default:
		return t, false
	}
	fieldName, _, _ := t.Type.numbers()
	field := schema().Message("TensorProto").Field(fieldName)
	for m.Next() {
		if m.Field.Name == one || m.Field.Name == list {
			r.data(&t, &m, field)
		}
	}
	if strings.HasSuffix(name, "s") {
		t.Dims = []int64{t.data.count}
	}
	return t, true
}

// tensor reads a tensor.
func (r *reader) tensor(path string, m protobuf.Cursor) Tensor {
	t, outside := Tensor{Name: strings.TrimSuffix(path, "/"), Span: spanOf(&m)}, false
	for m.Next() {
		switch m.Field.Name {
		case "dims":
			t.Dims = m.Ints(t.Dims, maxRank+1)
		case "data_type":
			t.Type = ElemType(int32(m.Value))
		case "name":
			t.Name = path + m.ReadText()
		case "data_location":
			outside = m.Value == externalLocation
		case "external_data":
			t.outside(r.entry(m.Inner()))
		case "float_data", "int32_data", "string_data", "int64_data", "raw_data", "double_data", "uint64_data":
			r.data(&t, &m, m.Field)
		}
	}
	if outside && t.External == nil {
		t.External = &External{}
	} else if !outside {
		t.External = nil // a remnant of an earlier version of the model
	}
	return t
}

// externalLocation is the data_location of a tensor in another file.
const externalLocation = 1

// data records the location of elements, in a field of a tensor or in the form of such a field.
func (r *reader) data(t *Tensor, m *protobuf.Cursor, field *protobuf.Field) {
	d := data{field: field, from: m.From, to: m.To, count: m.CountValues(), pieces: 1}
	if d.count < 0 {
		r.m.skipped++
	}
	isRaw := field.Name == "raw_data"
	isEmpty := d.count == 0 || isRaw && d.from == d.to
	if t.data.field == field && !isRaw { // a repeated field may come in pieces
		d.pieces, d.from = t.data.pieces+1, t.data.from
		if d.count += t.data.count; d.count < t.data.count || t.data.count < 0 {
			d.count = -1
		}
	}
	if isEmpty && d.pieces == 1 {
		return
	}
	t.present |= 1 << field.Number
	t.data = d
}

// entry reads a key and its value.
func (r *reader) entry(m protobuf.Cursor) (key, value string) {
	for m.Next() {
		switch m.Field.Name {
		case "key":
			key = m.ReadText()
		case "value":
			value = m.ReadText()
		}
	}
	return key, value
}

// outside records a property of the other file with the elements.
func (t *Tensor) outside(key, value string) {
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
			e.unknown = wording.Quote(key)
		}
	}
}

// sparse reads a sparse tensor.
func (r *reader) sparse(path string, m protobuf.Cursor) Sparse {
	s := Sparse{Span: spanOf(&m)}
	for m.Next() {
		switch m.Field.Name {
		case "values":
			s.Values = r.tensor(path, m.Inner())
		case "indices":
			s.Indices = r.tensor(path, m.Inner())
		case "dims":
			s.Dims = m.Ints(s.Dims, maxRank+1)
		}
	}
	return s
}

// value reads an input, an output or another value.
func (r *reader) value(list []Value, m protobuf.Cursor) []Value {
	v := Value{Span: spanOf(&m)}
	for m.Next() {
		switch m.Field.Name {
		case "name":
			v.Name = m.ReadText()
		case "type":
			r.valueType(&v, m.Inner())
		}
	}
	if !r.kept() {
		return list
	}
	return append(list, v)
}

// valueType reads the type of a value.
func (r *reader) valueType(v *Value, m protobuf.Cursor) {
	for m.Next() {
		switch m.Field.Name {
		case "denotation":
		case "tensor_type", "sparse_tensor_type":
			v.Form = Form(m.Field.Number)
			t := m.Inner()
			for t.Next() {
				switch t.Field.Name {
				case "elem_type":
					v.Type = ElemType(int32(t.Value))
				case "shape":
					r.shape(v, t.Inner())
				}
			}
		default:
			v.Form = Form(m.Field.Number)
		}
	}
}

// shape reads the sizes of a value.
func (r *reader) shape(v *Value, m protobuf.Cursor) {
	v.Shaped = true
	for m.Next() {
		var d Dim
		for in := m.Inner(); in.Next(); {
			switch in.Field.Name {
			case "dim_value":
				d = Dim{Size: int64(in.Value), Known: true}
			case "dim_param":
				d = Dim{Name: in.ReadText()}
			}
		}
		if len(v.Dims) <= maxRank {
			v.Dims = append(v.Dims, d)
		}
	}
}

// annotation reads the names of the tensors that quantize another one.
func (r *reader) annotation(g *Graph, m protobuf.Cursor) {
	a := annotation{span: spanOf(&m)}
	for m.Next() {
		switch m.Field.Name {
		case "tensor_name":
			a.tensor = m.ReadText()
		case "quant_parameter_tensor_names":
			key, name := r.entry(m.Inner())
			isTensor := key == "SCALE_TENSOR" || key == "ZERO_POINT_TENSOR" // others, such as an axis, have no tensor
			if isTensor && name != "" && r.kept() {
				a.parameters = append(a.parameters, name)
			}
		}
	}
	if r.kept() {
		g.annotations = append(g.annotations, a)
	}
}
