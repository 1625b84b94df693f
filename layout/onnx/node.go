package onnx

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// A fact is the known type and sizes of an operand. They are complete for weights; for other values, they come from the
// graph.
type fact struct {
	name    string
	weights bool // it is an initializer, or the output of a node Constant
	typ     ElemType
	shaped  bool
	dims    []Dim

	inferred bool  // the graph states nothing; type and sizes follow from the operands of the node that writes it
	source   *fact // if inferred, the weights that it follows from; may be nil
}

// blamed returns the name of the tensor that is wrong if the operand is.
func (f *fact) blamed() string {
	if f.source != nil {
		return f.source.name
	}
	return f.name
}

// said returns the operand with its sizes for a message.
func (f *fact) said() string {
	text := wording.Clip(f.name) + " of " + f.shape()
	if f.source != nil {
		text += ", which follows from " + wording.Clip(f.source.name) + ","
	}
	return text
}

// size returns a size if it is known. A negative i counts from the last size.
func (f *fact) size(i int) (n int64, known bool) {
	if i < 0 {
		i += len(f.dims)
	}
	if !f.shaped || i < 0 || i >= len(f.dims) || !f.dims[i].Known || f.dims[i].Size < 0 {
		return 0, false
	}
	return f.dims[i].Size, true
}

// shape returns the sizes, with a ? for each open one.
func (f *fact) shape() string { return (&Value{Dims: f.dims}).shape() }

// facts returns the known facts about the values of a graph, by name.
func (g *Graph) facts() map[string]*fact {
	known := map[string]*fact{}
	for _, list := range [...][]Value{g.Values, g.Outputs, g.Inputs} {
		for i := range list {
			if v := &list[i]; v.Form == TensorForm {
				known[v.Name] = &fact{name: g.Path + v.Name, typ: v.Type, shaped: v.Shaped, dims: v.Dims}
			}
		}
	}
	weights := func(name string, t *Tensor) {
		f := &fact{name: t.Name, weights: true, typ: t.Type, shaped: len(t.Dims) <= maxRank}
		for _, d := range t.Dims {
			f.dims = append(f.dims, Dim{Size: d, Known: true})
		}
		known[name] = f
	}
	for name, i := range g.constant {
		weights(name, &g.Constants[i])
	}
	for i := range g.Initializers {
		t := &g.Initializers[i]
		weights(t.Name[min(len(g.Path), len(t.Name)):], t)
	}
	return known
}

// An operation is a node with the facts about its operands and its first output, which are nil if nothing is known.
type operation struct {
	*node
	in    []*fact
	out   *fact
	opset int64 // the version of ONNX's own operators
}

// operand returns an input. Nothing is known about an omitted one.
func (o *operation) operand(i int) *fact {
	if i < len(o.in) {
		return o.in[i]
	}
	return &fact{}
}

// rule returns the rule of its operator.
func (o *operation) rule() *finding.Rule {
	switch o.op {
	case "Conv", "ConvTranspose", "BatchNormalization":
		return onnxConv
	}
	return onnxOperands
}

// An operator has the functions for the nodes of a checked operator.
type operator struct {
	check  func(*checker, *operation) // compares the operands; nil if they are not compared
	result func(*operation) []Dim     // the sizes of the first output; nil if their number does not follow
	both   bool                       // the sizes follow from the first two operands, otherwise from the first
}

// isChecked reports whether nodes of the operator are checked.
func (op operator) isChecked() bool { return op.check != nil || op.result != nil }

// operatorOf returns the functions for an operator, which are nil if it is not checked.
func operatorOf(name string) operator {
	switch name {
	case "Conv", "ConvTranspose":
		return operator{(*checker).convolution, (*operation).convolved, true}
	case "BatchNormalization":
		return operator{(*checker).batchNormalization, (*operation).kept, false}
	case "Gemm":
		return operator{(*checker).gemm, (*operation).gemmed, true}
	case "MatMul":
		return operator{(*checker).matMul, (*operation).multiplied, true}
	case "Add", "Sub", "Mul", "Div":
		return operator{(*checker).broadcast, (*operation).repeated, true}
	case "Relu", "LeakyRelu", "PRelu", "Elu", "Selu", "Gelu", "Sigmoid", "HardSigmoid", "HardSwish", "Tanh", "Erf",
		"Exp", "Log", "Sqrt", "Neg", "Abs", "Clip", "Softmax", "LogSoftmax", "Identity", "Cast", "Dropout",
		"LayerNormalization", "InstanceNormalization":
		return operator{nil, (*operation).kept, false}
	case "Transpose":
		return operator{(*checker).permutation, (*operation).transposed, false}
	case "Reshape", "Flatten", "Squeeze", "Unsqueeze":
		return operator{(*checker).sameCount, nil, false}
	}
	return operator{}
}

// node compares the operands of a node with each other, and its output with the result that follows from them. If the
// graph does not state an output, it is added to the facts, unless an operand is inferred itself, because inference
// stops after one step.
func (c *checker) node(g *Graph, n *node, facts map[string]*fact) {
	known := func(name string) *fact {
		if f := facts[name]; f != nil && name != "" {
			return f
		}
		return &fact{}
	}
	c.about = n.span
	o := &operation{node: n, out: known(n.output), opset: c.m.versionOf("")}
	for _, name := range n.inputs {
		o.in = append(o.in, known(name))
	}
	operator, before := operatorOf(n.op), c.Count
	if operator.check != nil {
		operator.check(c, o)
	}
	if operator.result == nil || c.Count != before {
		return
	}
	isInferred := func(f *fact) bool { return f.inferred }
	switch dims := operator.result(o); {
	case dims == nil:
	case facts[n.output] != nil:
		c.stated(o, dims)
	case n.output != "" && !slices.ContainsFunc(o.in, isInferred):
		f := &fact{name: g.Path + n.output, inferred: true, shaped: true, dims: dims, source: operator.source(o)}
		if o.op != "Cast" {
			f.typ = cmp.Or(o.operand(0).typ, o.operand(1).typ)
		}
		facts[n.output] = f
	}
}

// source returns the weights that the result of an operation follows from, or nil if it does not follow from weights.
func (op operator) source(o *operation) *fact {
	switch a, b := o.operand(0), o.operand(1); {
	case op.both && b.weights:
		return b
	case a.weights:
		return a
	}
	return nil
}

// oneType compares the types of operands if at least one of them is weights. It reports the operands that differ from
// most operands of the node or, if there is no majority, the weights.
func (c *checker) oneType(o *operation, operands ...*fact) {
	typed := slices.DeleteFunc(operands, func(f *fact) bool { return f.typ == Undefined })
	isWeights := func(f *fact) bool { return f.weights }
	if !slices.ContainsFunc(typed, isWeights) {
		return
	}
	all := append(slices.Clone(o.in), o.out)
	votes := func(f *fact) (n int) {
		for _, other := range all {
			if other.typ == f.typ {
				n += 2
			}
		}
		if !f.weights {
			n++
		}
		return n
	}
	most := slices.MaxFunc(typed, func(a, b *fact) int { return votes(a) - votes(b) })
	for _, f := range typed {
		if f.typ != most.typ {
			c.Report(o.rule(), c.on(f.blamed()), "", "%s %s needs one type: %s is %v, and %s %v", o.op, o.name,
				wording.Clip(f.name), f.typ, wording.Clip(most.name), most.typ)
		}
	}
}

// claims are sizes of operands that must be equal.
type claims []claim

// A claim is the size of one operand.
type claim struct {
	of   *fact
	size int64
}

// of adds the size of an operand along an axis, if it is known.
func (l claims) of(f *fact, axis int) claims {
	if n, known := f.size(axis); known {
		l = append(l, claim{f, n})
	}
	return l
}

// oneSize compares sizes that must be equal. It reports the operands that differ from most others, as an error if one
// of the operands is weights, and otherwise as a warning, because programs that run models infer sizes themselves.
func (c *checker) oneSize(o *operation, what string, list claims) {
	votes := func(size int64) (n int) {
		for _, k := range list {
			if k.size == size {
				n++
			}
		}
		return n
	}
	if len(list) == 0 || votes(list[0].size) == len(list) {
		return
	}
	severity := finding.Warning
	if slices.ContainsFunc(list, func(k claim) bool { return k.of.weights }) {
		severity = finding.Error
	}
	most := slices.MaxFunc(list, func(a, b claim) int { return votes(a.size) - votes(b.size) })
	for _, k := range list {
		if k.size != most.size {
			c.ReportAs(o.rule(), severity, c.on(k.of.blamed()), "",
				"%s %s needs the same number of %s: %s has %d, and %s %d", o.op, o.name, what, k.of.said(), k.size,
				most.of.said(), most.size)
		}
	}
}

// gemm compares the matrices of a product, and the bias that is added to it.
func (c *checker) gemm(o *operation) {
	a, b, bias := o.operand(0), o.operand(1), o.operand(2)
	c.oneType(o, a, b, bias, o.out)
	for _, f := range [...]*fact{a, b} {
		if f.shaped && len(f.dims) != 2 {
			severity := finding.Error
			if !f.weights {
				severity = finding.Warning
			}
			c.ReportAs(o.rule(), severity, c.on(f.blamed()), "", "Gemm %s takes matrices, and %s has the shape %s",
				o.name, wording.Clip(f.name), f.shape())
			return
		}
	}
	inner, rows, columns := 1, 0, 1
	if o.turned[0] {
		inner = 0
	}
	if o.turned[1] {
		rows, columns = 1, 0
	}
	c.oneSize(o, "inner rows and columns", claims{}.of(a, inner).of(b, rows))
	list := claims{}.of(b, columns).of(o.out, 1)
	if n, known := bias.size(-1); known && n != 1 { // one size is repeated
		list = list.of(bias, -1)
	}
	c.oneSize(o, "columns", list)
	list = claims{}.of(a, 1-inner).of(o.out, 0)
	if n, known := bias.size(0); known && n != 1 && len(bias.dims) == 2 {
		list = list.of(bias, 0)
	}
	c.oneSize(o, "rows", list)
}

// matMul compares the inner sizes of two matrices or stacks of them, and the columns of the result.
func (c *checker) matMul(o *operation) {
	a, b := o.operand(0), o.operand(1)
	c.oneType(o, a, b, o.out)
	if !a.shaped || !b.shaped || len(a.dims) == 0 {
		return
	}
	if len(b.dims) == 1 {
		c.oneSize(o, "inner rows and columns", claims{}.of(a, -1).of(b, 0))
		return
	}
	c.oneSize(o, "inner rows and columns", claims{}.of(a, -1).of(b, -2))
	c.oneSize(o, "columns", claims{}.of(b, -1).of(o.out, -1))
}

// opsetOfBroadcast is the first operator set that repeats sizes of 1 like NumPy.
const opsetOfBroadcast = 7

// broadcast compares the sizes of two operands, starting at the last. Sizes of 1 are repeated.
func (c *checker) broadcast(o *operation) {
	if o.opset < opsetOfBroadcast {
		return
	}
	a, b := o.operand(0), o.operand(1)
	c.oneType(o, a, b, o.out)
	out := o.out
	if len(out.dims) != max(len(a.dims), len(b.dims)) {
		out = &fact{} // its axes differ from theirs
	}
	for i := 1; i <= min(len(a.dims), len(b.dims)); i++ {
		list := slices.DeleteFunc(claims{}.of(a, -i).of(b, -i), func(k claim) bool { return k.size == 1 })
		if len(list) > 0 {
			c.oneSize(o, "elements along an axis", list.of(out, -i))
		}
	}
}

// convolution compares the weights and the bias of a convolution with each other, with its attributes, its input and
// its output.
func (c *checker) convolution(o *operation) {
	c.oneType(o, o.operand(0), o.operand(1), o.operand(2), o.out)
	w := o.operand(1)
	if !w.weights || !w.shaped {
		return
	}
	if len(w.dims) < 3 {
		c.Report(onnxConv, c.on(w.name), "", "%s %s has weights of the shape %s: they have 3 sizes at least",
			o.op, o.name, w.shape())
		return
	}
	if x := o.operand(0); x.shaped && len(x.dims) != len(w.dims) {
		c.Report(onnxConv, c.on(w.name), "", "%s %s has an input of %s, and weights of %s: %s", o.op, o.name,
			wording.Count(len(x.dims), "size"), wording.Count(len(w.dims), "size"), w.shape())
		return
	}
	dims, _ := w.sized()
	if o.kernel != nil && !slices.Equal(o.kernel, dims[2:]) {
		fix, last := "", len(dims)-2
		if slices.Equal(o.kernel, dims[:last]) {
			ordered := append([]int64{dims[last+1], dims[last]}, o.kernel...)
			fix = "transpose them to " + shapeText(ordered) + " if they are in TensorFlow's order"
		}
		c.Report(onnxConv, c.on(w.name), fix, "%s %s has the kernel_shape %s, and weights of the shape %s",
			o.op, o.name, shapeText(o.kernel), w.shape())
		return
	}
	c.steps(o)
	group := o.group
	if group < 1 || group > max(dims[0], 1) || dims[0]%group != 0 {
		c.Report(onnxConv, c.on(w.name), "", "%s %s has %s, and weights of the shape %s",
			o.op, o.name, wording.Count(group, "group"), w.shape())
		return
	}
	in, out := new(big.Int).Mul(big.NewInt(dims[1]), big.NewInt(group)), big.NewInt(dims[0])
	if o.op == "ConvTranspose" {
		in, out = out, in
	}
	channels, known := o.operand(0).size(1)
	if known && channels > 0 && in.Cmp(big.NewInt(channels)) != 0 {
		groups := ""
		if group > 1 {
			groups = fmt.Sprintf(", in %d groups", group)
		}
		c.Report(onnxConv, c.on(w.name), "", "%s %s reads %s, but its weights %s are for %v%s", o.op, o.name,
			wording.Count(channels, "channel"), w.shape(), in, groups)
	}
	c.channelsOut(o, out)
}

// steps checks that a convolution either states strides, dilations and pads for each axis of its kernel, or omits them.
func (c *checker) steps(o *operation) {
	w := o.operand(1)
	axes := len(w.dims) - 2
	for _, a := range [...]struct {
		name  string
		list  []int64
		count int
		least int64
	}{{"strides", o.strides, axes, 1}, {"dilations", o.dilations, axes, 1}, {"pads", o.pads, 2 * axes, math.MinInt64}} {
		switch {
		case a.list == nil:
		case len(a.list) != a.count:
			c.Report(onnxConv, c.on(w.name), "", "%s %s has the %s %s, and weights of the shape %s take %d", o.op,
				o.name, a.name, shapeText(a.list), w.shape(), a.count)
		case slices.Min(a.list) < a.least:
			c.Report(onnxConv, c.on(w.name), "", "%s %s has the %s %s: each is %d or more", o.op, o.name, a.name,
				shapeText(a.list), a.least)
		}
	}
}

// permutation checks that the perm of a Transpose names each axis once.
func (c *checker) permutation(o *operation) {
	in := o.operand(0)
	if o.perm != nil && (!layout.IsOrder(o.perm) || in.shaped && len(o.perm) != len(in.dims)) {
		c.Report(o.rule(), c.on(in.name), "", "%s %s has the perm %s, which is not an order of the axes of %s", o.op,
			o.name, shapeText(o.perm), in.said())
	}
}

// channelsOut compares the number of channels that follows from the weights of a convolution with the bias and the
// stated output. If those two agree with each other, the weights are wrong.
func (c *checker) channelsOut(o *operation, want *big.Int) {
	w, bias := o.operand(1), o.operand(2)
	is := func(n int64) bool { return want.Cmp(big.NewInt(n)) == 0 }
	added, isList := bias.size(0)
	stated, isStated := o.out.size(1)
	switch {
	case bias.weights && isList && isStated && len(bias.dims) == 1 && added == stated && !is(added):
		c.Report(onnxConv, c.on(w.name), "",
			"%s %s has weights for %s of output, %s, and a bias and an output of %d",
			o.op, o.name, wording.Count(want, "channel"), w.shape(), added)
	case bias.weights && bias.shaped && (len(bias.dims) != 1 || !is(added)):
		c.Report(onnxConv, c.on(bias.name), "", "%s %s has a bias of the shape %s, and %s of output",
			o.op, o.name, bias.shape(), wording.Count(want, "channel"))
	case isStated && stated > 0 && !is(stated):
		c.Report(onnxConv, c.on(o.out.name), "",
			"%s %s has weights for %s of output, %s, and the output is stated as %s",
			o.op, o.name, wording.Count(want, "channel"), w.shape(), o.out.shape())
	}
}

// batchNormalization checks that scale, bias, mean and variance have one size each, which equals the channels of the
// input.
func (c *checker) batchNormalization(o *operation) {
	c.oneType(o, o.operand(1), o.operand(2))
	c.oneType(o, o.operand(3), o.operand(4))
	var channels claims
	for i := 1; i <= 4; i++ {
		f := o.operand(i)
		switch {
		case !f.weights || !f.shaped:
		case len(f.dims) != 1:
			c.Report(o.rule(), c.on(f.name), "", "%s %s has a weight of the shape %s: they have one size", o.op, o.name,
				f.shape())
		default:
			channels = channels.of(f, 0)
		}
	}
	c.oneSize(o, "channels", channels.of(o.operand(0), 1))
}
