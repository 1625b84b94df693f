package onnx

import (
	"math/big"
	"slices"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/scan"
)

// A fact is what is known of an operand: all of weights, of other values what the graph states.
type fact struct {
	name    string
	weights bool // it is an initializer, or a node Constant writes it
	typ     ElemType
	shaped  bool
	dims    []Dim

	inferred bool // it follows from the operands of the node that writes it
}

// size returns a size that is known, from the last one if i is negative.
func (f *fact) size(i int) (n int64, known bool) {
	if i < 0 {
		i += len(f.dims)
	}
	if !f.shaped || i < 0 || i >= len(f.dims) || !f.dims[i].Known || f.dims[i].Size < 0 {
		return 0, false
	}
	return f.dims[i].Size, true
}

// shape writes the sizes, with a ? for open ones.
func (f *fact) shape() string { return (&Value{Dims: f.dims}).shape() }

// facts returns what is known of the values of a graph, by their names there.
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

// An operation is a node with what is known of its operands and of its first output; nothing is nil.
type operation struct {
	*node
	in  []*fact
	out *fact
}

// operand returns an input; nothing is known of one that is left out.
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

// operatorOf returns the check of an operator, nil for one that is not checked.
func operatorOf(name string) func(*checker, *operation) {
	switch name {
	case "Conv", "ConvTranspose":
		return (*checker).convolution
	case "BatchNormalization":
		return (*checker).batchNormalization
	case "Gemm":
		return (*checker).gemm
	case "MatMul":
		return (*checker).matMul
	case "Add", "Sub", "Mul", "Div":
		return (*checker).broadcast
	case "Relu", "LeakyRelu", "PRelu", "Elu", "Selu", "Gelu", "Sigmoid", "HardSigmoid", "HardSwish", "Tanh", "Erf",
		"Exp", "Log", "Sqrt", "Neg", "Abs", "Clip", "Softmax", "LogSoftmax", "Identity", "Cast", "Dropout",
		"LayerNormalization", "InstanceNormalization":
		return (*checker).sameShape
	case "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose":
		return (*checker).sameCount
	}
	return nil
}

// node holds the weights of a node against each other, and against what the graph states of its other operands.
func (c *checker) node(n *node, facts map[string]*fact) {
	known := func(name string) *fact {
		if f := facts[name]; f != nil && name != "" {
			return f
		}
		return &fact{}
	}
	c.about = n.span
	o := &operation{node: n, out: known(n.output)}
	for _, name := range n.inputs {
		o.in = append(o.in, known(name))
	}
	before := c.Count
	operatorOf(n.op)(c, o)
	if facts[n.output] == nil && c.Count == before {
		facts[n.output] = o.product()
	}
}

// product returns what follows of the output of a product of matrices: it has the columns of the weights. Nothing
// follows from an output that is not stated itself.
func (o *operation) product() *fact {
	a, b := o.operand(0), o.operand(1)
	axis := -1
	switch {
	case o.op == "Gemm" && o.turned[1]:
		axis = -2
	case o.op != "Gemm" && o.op != "MatMul":
		return nil
	}
	columns, known := b.size(axis)
	if !known || !b.weights || a.inferred || len(a.dims) < 2 || len(b.dims) < 2 {
		return nil
	}
	dims := make([]Dim, max(len(a.dims), len(b.dims)))
	dims[len(dims)-1] = Dim{Size: columns, Known: true}
	return &fact{name: o.output, inferred: true, shaped: true, dims: dims}
}

// oneType compares the types of operands, of which one at least is weights. The ones that are unlike most are named.
func (c *checker) oneType(o *operation, operands ...*fact) {
	var typed []*fact
	weights := false
	for _, f := range operands {
		if f.typ != Undefined {
			typed = append(typed, f)
			weights = weights || f.weights
		}
	}
	votes := func(t ElemType) (n int) {
		for _, f := range typed {
			if f.typ == t {
				n++
			}
		}
		return n
	}
	if !weights || votes(typed[0].typ) == len(typed) {
		return
	}
	most := slices.MaxFunc(typed, func(a, b *fact) int { return votes(a.typ) - votes(b.typ) })
	for _, f := range typed {
		if f.typ != most.typ {
			c.Report(o.rule(), c.on(f.name), "", "%s %s takes one type: %s is %v, and %s %v", o.op, o.name,
				scan.Clip(f.name), f.typ, scan.Clip(most.name), most.typ)
		}
	}
}

// claims are sizes of operands that have to be the same.
type claims []claim

// A claim is the size that one operand has.
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

// oneSize compares the sizes that operands have in common, of which one at least is of weights. The ones that are
// unlike most are named.
func (c *checker) oneSize(o *operation, what string, list claims) {
	votes := func(size int64) (n int) {
		for _, k := range list {
			if k.size == size {
				n++
			}
		}
		return n
	}
	if !slices.ContainsFunc(list, func(k claim) bool { return k.of.weights }) || votes(list[0].size) == len(list) {
		return
	}
	most := slices.MaxFunc(list, func(a, b claim) int { return votes(a.size) - votes(b.size) })
	for _, k := range list {
		if k.size != most.size {
			c.Report(o.rule(), c.on(k.of.name), "", "%s %s takes one number of %s: %s of %s has %d, and %s of %s %d",
				o.op, o.name, what, scan.Clip(k.of.name), k.of.shape(), k.size, scan.Clip(most.of.name),
				most.of.shape(), most.size)
		}
	}
}

// gemm compares the matrices of a product, and what is added to it.
func (c *checker) gemm(o *operation) {
	a, b, bias := o.operand(0), o.operand(1), o.operand(2)
	c.oneType(o, a, b, bias, o.out)
	for _, f := range [...]*fact{a, b} {
		if f.weights && len(f.dims) != 2 {
			c.Report(o.rule(), c.on(f.name), "", "Gemm %s takes matrices, and %s has the shape %s", o.name,
				scan.Clip(f.name), f.shape())
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
	if n, known := bias.size(-1); known && n != 1 { // one is for all
		list = list.of(bias, -1)
	}
	c.oneSize(o, "columns", list)
}

// matMul compares the inner sizes of two matrices or stacks of them, and the columns of what comes out.
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

// opsetOfBroadcast is the set of operators since which sizes of 1 are repeated as NumPy does it.
const opsetOfBroadcast = 7

// broadcast compares the sizes of two operands from the last one on; sizes of 1 are repeated.
func (c *checker) broadcast(o *operation) {
	for _, set := range c.m.Opsets {
		if (set.Domain == "" || set.Domain == ownDomain) && set.Version < opsetOfBroadcast {
			return
		}
	}
	a, b := o.operand(0), o.operand(1)
	c.oneType(o, a, b, o.out)
	for i := 1; i <= min(len(a.dims), len(b.dims)); i++ {
		list := slices.DeleteFunc(claims{}.of(a, -i).of(b, -i), func(k claim) bool { return k.size == 1 })
		if len(list) > 0 {
			c.oneSize(o, "elements along an axis", list.of(o.out, -i))
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
	dims := make([]int64, len(w.dims))
	for i, d := range w.dims {
		dims[i] = d.Size
	}
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
	group := int64(1)
	if o.grouped {
		group = o.group
	}
	if group < 1 || group > max(dims[0], 1) || dims[0]%group != 0 {
		c.Report(onnxConv, c.on(w.name), "", "%s %s has %d groups, and weights of the shape %s",
			o.op, o.name, group, w.shape())
		return
	}
	in, out := dims[1], big.NewInt(dims[0])
	if o.op == "ConvTranspose" {
		in = dims[0] / group
		out.Mul(big.NewInt(dims[1]), big.NewInt(group))
	}
	if channels, known := o.operand(0).size(1); known && channels > 0 && (channels%group != 0 || channels/group != in) {
		c.Report(onnxConv, c.on(w.name), "", "%s %s has an input of %d channels, and weights for %d groups of %d: %s",
			o.op, o.name, channels, group, in, w.shape())
	}
	before := c.Count
	if c.channelsOut(o, out); c.Count == before {
		c.window(o)
	}
}

// channelsOut compares the channels that the weights of a convolution give with the bias and the stated output. Where
// those two agree, the weights are wrong.
func (c *checker) channelsOut(o *operation, want *big.Int) {
	w, bias := o.operand(1), o.operand(2)
	is := func(n int64) bool { return want.Cmp(big.NewInt(n)) == 0 }
	added, isList := bias.size(0)
	stated, isStated := o.out.size(1)
	switch {
	case bias.weights && isList && isStated && len(bias.dims) == 1 && added == stated && !is(added):
		c.Report(onnxConv, c.on(w.name), "",
			"%s %s has weights for %v channels of output, %s, and a bias and an output of %d",
			o.op, o.name, want, w.shape(), added)
	case bias.weights && bias.shaped && (len(bias.dims) != 1 || !is(added)):
		c.Report(onnxConv, c.on(bias.name), "", "%s %s has a bias of the shape %s, and %v channels of output",
			o.op, o.name, bias.shape(), want)
	case isStated && stated > 0 && !is(stated):
		c.Report(onnxConv, c.on(o.out.name), "",
			"%s %s has weights for %v channels of output, %s, and the output is stated as %s",
			o.op, o.name, want, w.shape(), o.out.shape())
	}
}

// batchNormalization checks that scale, bias, mean and variance have one size each, the same as the channels of the
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
	c.sameShape(o)
}
