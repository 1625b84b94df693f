package onnx

import "layoutcalc/layout/protobuf"

// An Operator is the operator of a node. The domain is empty for ONNX's own.
type Operator struct{ Domain, Name string }

const (
	maxOperators = 10_000 // the maximum number that is kept, more than all domains have
	maxOperator  = 1024   // bytes of the name of one
	ownDomain    = "ai.onnx"
)

// Operators returns the operators of the nodes, in the order of their first use. It includes the nodes in the model's
// own functions, but not the calls of these functions, and not the nodes of a training. It reports false if not all can
// be read.
func (m *Model) Operators() (list []Operator, ok bool) {
	r := protobuf.Reader{In: m.in, Size: m.Size}
	seen, own := map[Operator]bool{}, map[Operator]bool{}
	var all []Operator
	var read func(m protobuf.Cursor)
	read = func(m protobuf.Cursor) {
		var op Operator
		kind := m.Message.Name
		for m.Again = true; m.Next(); {
			switch name := m.Field.Name; {
			case name == "graph", name == "functions", name == "node", name == "g", name == "graphs",
				name == "attribute" && kind == "NodeProto":
				read(m.Inner())
			case name == "domain":
				op.Domain = m.ReadText()
			case name == "op_type", name == "name" && kind == "FunctionProto":
				op.Name = m.ReadText()
			}
		}
		if op.Domain == ownDomain {
			op.Domain = ""
		}
		switch {
		case kind == "FunctionProto":
			own[op] = true
		case kind == "NodeProto" && op.Name != "" && !seen[op]:
			if seen[op], all = true, append(all, op); len(all) > maxOperators || len(op.Name+op.Domain) > maxOperator {
				m.Fail(m.Start, "there are more than %d operators, or long names of some", maxOperators)
			}
		}
	}
	read(r.Message(schema().Message("ModelProto")))
	for _, op := range all {
		if !own[op] {
			list = append(list, op)
		}
	}
	return list, !r.Failed()
}

// Externals returns the number of tensors with elements in other files.
func (m *Model) Externals() (n int) {
	for _, g := range append([]*Graph{m.Graph}, m.Inner...) {
		list := append(g.Initializers[:len(g.Initializers):len(g.Initializers)], g.Constants...)
		for _, s := range g.Sparse {
			list = append(list, s.Values, s.Indices)
		}
		for i := range list {
			if list[i].External != nil {
				n++
			}
		}
	}
	return n
}
