package onnx

import (
	"math/big"
	"slices"

	"layoutcalc/layout/finding"
)

// The functions of this file compute the output of a node. Programs that run models warn about other sizes that a graph
// states, and continue with their own, so these findings are warnings.

// sized returns the sizes of a value if all are known.
func (f *fact) sized() ([]int64, bool) {
	sizes := make([]int64, len(f.dims))
	for i := range f.dims {
		n, known := f.size(i)
		if !known {
			return nil, false
		}
		sizes[i] = n
	}
	return sizes, f.shaped
}

// stated compares the sizes that the graph states for an output with the sizes that follow from the operands.
func (c *checker) stated(o *operation, dims []Dim) {
	if !o.out.shaped || o.out.weights || o.out.inferred { // weights are a name that is written twice
		return
	}
	given := &fact{dims: dims, shaped: true}
	differs := len(dims) != len(o.out.dims)
	for i := 0; i < len(dims) && !differs; i++ {
		a, known := given.size(i)
		b, isStated := o.out.size(i)
		differs = known && isStated && a != b
	}
	if differs {
		c.otherwise(o, "gives "+given.shape()+" for")
	}
}

// otherwise reports that the sizes of an output differ from the ones that the operator gives it. The argument gives
// describes these, relative to the input.
func (c *checker) otherwise(o *operation, gives string) {
	in := o.operand(0)
	c.ReportAs(o.rule(), finding.Warning, c.on(o.out.name), "", "%s %s %s %s, and the output is stated as %s",
		o.op, o.name, gives, in.said(), o.out.shape())
}

// sameCount checks an operator that gives the elements of its input another shape, which may be stated by a second
// operand of type INT64.
func (c *checker) sameCount(o *operation) {
	if shape := o.operand(1); shape.typ != Undefined && shape.typ != Int64 && o.op != "Flatten" {
		c.Report(onnxOperands, c.on(shape.name), "save it as INT64",
			"%s takes its second operand as INT64, and this is %s", c.m.nodeAt(c.m.Graph, o.span), shape.typ)
	}
	var counts [2]big.Int
	for i, f := range [...]*fact{o.operand(0), o.out} {
		sizes, known := f.sized()
		if !known || f.weights && i == 1 {
			return
		}
		counts[i].SetInt64(1)
		for _, n := range sizes {
			counts[i].Mul(&counts[i], big.NewInt(n))
		}
	}
	if counts[0].Cmp(&counts[1]) != 0 {
		c.otherwise(o, "keeps the "+counts[0].String()+" elements of")
	}
}

// axis returns a size, which is open if it is unknown.
func (f *fact) axis(i int) Dim {
	if i < len(f.dims) && f.shaped {
		return f.dims[i]
	}
	return Dim{}
}

// kept returns the sizes of the input.
func (o *operation) kept() []Dim {
	if in := o.operand(0); in.shaped {
		return in.dims
	}
	return nil
}

// transposed returns the sizes of the input in the order of perm, or reversed.
func (o *operation) transposed() []Dim {
	in := o.operand(0)
	if !in.shaped || o.perm != nil && len(o.perm) != len(in.dims) {
		return nil
	}
	dims := slices.Clone(in.dims)
	slices.Reverse(dims)
	for i, from := range o.perm {
		if from < 0 || from >= int64(len(in.dims)) {
			return nil
		}
		dims[i] = in.dims[from]
	}
	return dims
}

// gemmed returns the rows of one matrix and the columns of the other.
func (o *operation) gemmed() []Dim {
	row, column := 0, 1
	if o.turned[0] {
		row = 1
	}
	if o.turned[1] {
		column = 0
	}
	a, b := o.operand(0), o.operand(1)
	if a.shaped && len(a.dims) != 2 || b.shaped && len(b.dims) != 2 {
		return nil
	}
	return []Dim{a.axis(row), b.axis(column)}
}

// multiplied returns the sizes of a product of matrices or stacks of them. A list is a row as the first operand, and a
// column as the second.
func (o *operation) multiplied() []Dim {
	a, b := o.operand(0), o.operand(1)
	if !a.shaped || !b.shaped || len(a.dims) == 0 || len(b.dims) == 0 {
		return nil
	}
	n, m := len(a.dims), len(b.dims)
	stacks := repeatedDims(a.dims[:max(n-2, 0)], b.dims[:max(m-2, 0)])
	if n > 1 {
		stacks = append(stacks, a.dims[n-2])
	}
	if m > 1 {
		stacks = append(stacks, b.dims[m-1])
	}
	return stacks
}

// repeated returns the sizes of the result of two operands, with sizes of 1 repeated.
func (o *operation) repeated() []Dim {
	a, b := o.operand(0), o.operand(1)
	if !a.shaped || !b.shaped || o.opset < opsetOfBroadcast {
		return nil
	}
	return repeatedDims(a.dims, b.dims)
}

// repeatedDims returns the result of repeating sizes of 1, and missing leading sizes, in two lists. A known size that
// is not 1 remains, regardless of the other size.
func repeatedDims(a, b []Dim) []Dim {
	if len(a) < len(b) {
		a, b = b, a
	}
	dims := slices.Clone(a)
	for i, other := range b {
		d := &dims[len(a)-len(b)+i]
		isOne := d.Known && d.Size == 1
		isOther := other.Known && other.Size > 1
		switch {
		case isOne || isOther:
			*d = other
		case !d.Known && !(other.Known && other.Size == 1) && *d != other:
			*d = Dim{}
		}
	}
	return dims
}

// convolved returns the sizes of the output of a convolution: the batch of the input, the channels of the weights, and
// the number of windows along other axes.
func (o *operation) convolved() []Dim {
	in, w := o.operand(0), o.operand(1)
	sizes, known := w.sized()
	if !known || len(sizes) < 3 {
		return nil
	}
	dims := make([]Dim, len(sizes))
	dims[0] = in.axis(0)
	dims[1] = w.dims[0]
	if o.op == "ConvTranspose" {
		dims[1] = dimOf(new(big.Int).Mul(big.NewInt(sizes[1]), big.NewInt(o.group)))
	}
	for axis := 2; axis < len(dims); axis++ {
		if size, known := in.size(axis); known {
			dims[axis] = o.windows(axis-2, big.NewInt(size), big.NewInt(sizes[axis]))
		}
	}
	return dims
}

// dimOf returns a size, which is open if it does not fit in 63 bits.
func dimOf(n *big.Int) Dim {
	switch {
	case !n.IsInt64():
		return Dim{}
	case n.Sign() < 0:
		return Dim{Known: true}
	}
	return Dim{Known: true, Size: n.Int64()}
}

// windows returns the size of a convolution's output along an axis, from the sizes of its input and of its kernel.
func (o *operation) windows(i int, size, kernel *big.Int) Dim {
	nth := func(list []int64, i int, otherwise int64) *big.Int {
		if i < len(list) {
			return big.NewInt(list[i])
		}
		return big.NewInt(otherwise)
	}
	one, axes := big.NewInt(1), len(o.operand(1).dims)-2
	stride := nth(o.strides, i, 1)
	if stride.Sign() < 1 || o.shaped {
		return Dim{}
	}
	reach := kernel.Sub(kernel, one) // from the first element of a window to its last one
	reach.Mul(reach, nth(o.dilations, i, 1))
	pads := new(big.Int)
	switch {
	case o.padding == "VALID":
	case o.padding == "" || o.padding == "NOTSET":
		pads.Add(nth(o.pads, i, 0), nth(o.pads, i+axes, 0))
	case o.op == "ConvTranspose":
		return dimOf(size.Mul(size, stride))
	default: // SAME_UPPER, SAME_LOWER
		size.Add(size, stride).Sub(size, one)
		return dimOf(size.Div(size, stride))
	}
	if o.op == "ConvTranspose" {
		size.Sub(size, one).Mul(size, stride).Add(size, reach).Add(size, one)
		return dimOf(size.Add(size, nth(o.more, i, 0)).Sub(size, pads))
	}
	size.Add(size, pads).Sub(size, reach).Sub(size, one)
	return dimOf(size.Div(size, stride).Add(size, one))
}
