package onnx

import (
	"math/big"
	"slices"
)

// node holds the weights of a node against each other.
func (c *checker) node(g *Graph, n *node, named map[string]int, channels map[string]int64) {
	c.about = n.span
	weights := func(i int) *Tensor {
		if i >= len(n.inputs) || n.inputs[i] == "" {
			return nil
		}
		var t *Tensor
		if k, ok := named[g.Path+n.inputs[i]]; ok && k >= 0 {
			t = &g.Initializers[k]
		} else if k, ok := g.constant[n.inputs[i]]; ok {
			t = &g.Constants[k]
		}
		if t == nil || len(t.Dims) > maxRank {
			return nil
		}
		return t
	}
	if n.op == "BatchNormalization" {
		c.batchNormalization(n, weights)
	} else if w := weights(1); w != nil {
		c.convolution(n, w, weights(2), channels)
	}
}

// convolution compares the weights and the bias of a convolution, which may be nil, with its attributes and its input.
func (c *checker) convolution(n *node, w, bias *Tensor, channels map[string]int64) {
	if len(w.Dims) < 3 {
		c.Report(onnxConv, c.on(w.Name), "", "%s %s has weights of the shape %s: they have 3 sizes at least",
			n.op, n.name, shapeText(w.Dims))
		return
	}
	if n.kernel != nil && !slices.Equal(n.kernel, w.Dims[2:]) {
		fix, last := "", len(w.Dims)-2
		if slices.Equal(n.kernel, w.Dims[:last]) {
			ordered := append([]int64{w.Dims[last+1], w.Dims[last]}, n.kernel...)
			fix = "transpose them to " + shapeText(ordered) + " if they are in TensorFlow's order"
		}
		c.Report(onnxConv, c.on(w.Name), fix, "%s %s has the kernel_shape %s, and weights of the shape %s",
			n.op, n.name, shapeText(n.kernel), shapeText(w.Dims))
		return
	}
	group := int64(1)
	if n.grouped {
		group = n.group
	}
	out, in := w.Dims[0], w.Dims[1]
	if group < 1 || group > max(w.Dims[0], 1) || w.Dims[0]%group != 0 {
		c.Report(onnxConv, c.on(w.Name), "", "%s %s has %d groups, and weights of the shape %s",
			n.op, n.name, group, shapeText(w.Dims))
		return
	}
	if n.op == "ConvTranspose" {
		out, in = w.Dims[1], w.Dims[0]/group
	}
	if channels, ok := channels[n.inputs[0]]; ok && (channels%group != 0 || channels/group != in) {
		c.Report(onnxConv, c.on(w.Name), "", "%s %s has an input of %d channels, and weights for %d groups of %d: %s",
			n.op, n.name, channels, group, in, shapeText(w.Dims))
	}
	want := big.NewInt(out)
	if n.op == "ConvTranspose" {
		want.Mul(want, big.NewInt(group))
	}
	if bias != nil && (len(bias.Dims) != 1 || want.Cmp(big.NewInt(bias.Dims[0])) != 0) {
		c.Report(onnxConv, c.on(bias.Name), "", "%s %s has a bias of the shape %s, and %v channels of output",
			n.op, n.name, shapeText(bias.Dims), want)
	}
}

// channels returns the second sizes of the values of a graph that are known, by their names.
func (g *Graph) channels() map[string]int64 {
	known := map[string]int64{}
	for _, list := range [...][]Value{g.Values, g.Inputs} {
		for i := range list {
			if d := list[i].Dims; len(d) > 1 && d[1].Known && d[1].Size > 0 {
				known[list[i].Name] = d[1].Size
			}
		}
	}
	return known
}

// batchNormalization checks that scale, bias, mean and variance have one size each, the same.
func (c *checker) batchNormalization(n *node, weights func(int) *Tensor) {
	var first *Tensor
	for i := 1; i <= 4; i++ {
		t := weights(i)
		switch {
		case t == nil:
		case len(t.Dims) != 1:
			c.Report(onnxConv, c.on(t.Name), "", "%s %s has a weight of the shape %s: they have one size", n.op, n.name,
				shapeText(t.Dims))
		case first == nil:
			first = t
		case t.Dims[0] != first.Dims[0]:
			c.Report(onnxConv, c.on(t.Name), "", "%s %s has weights of %d and %d channels", n.op, n.name,
				first.Dims[0], t.Dims[0])
		}
	}
}
