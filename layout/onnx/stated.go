package onnx

import (
	"fmt"
	"math/big"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/scan"
)

// The checks of this file compare the sizes that a graph states of an output with those that it states of an input.
// Programs that run models warn of these and go on with their own, so that they are warnings.

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

// stated says that an output has other sizes than an operator gives it, which are in words about its input.
func (c *checker) stated(o *operation, gives string) {
	if in := o.operand(0); !o.out.weights { // else the name is written twice
		c.ReportAs(o.rule(), finding.Warning, c.on(o.out.name), "", "%s %s %s %s, %s, and the output is stated as %s",
			o.op, o.name, gives, scan.Clip(in.name), in.shape(), o.out.shape())
	}
}

// sameShape checks an operator whose output has the sizes of its input.
func (c *checker) sameShape(o *operation) {
	in := o.operand(0)
	if !in.shaped || !o.out.shaped {
		return
	}
	differs := len(in.dims) != len(o.out.dims)
	for i := 0; i < len(in.dims) && !differs; i++ {
		a, known := in.size(i)
		b, stated := o.out.size(i)
		differs = known && stated && a != b
	}
	if differs {
		c.stated(o, "keeps the sizes of")
	}
}

// sameCount checks an operator whose output has the elements of its input in another shape.
func (c *checker) sameCount(o *operation) {
	var counts [2]big.Int
	for i, f := range [...]*fact{o.operand(0), o.out} {
		sizes, known := f.sized()
		if !known {
			return
		}
		counts[i].SetInt64(1)
		for _, n := range sizes {
			counts[i].Mul(&counts[i], big.NewInt(n))
		}
	}
	if counts[0].Cmp(&counts[1]) != 0 {
		c.stated(o, "keeps the "+counts[0].String()+" elements of")
	}
}

// window compares the sizes of the output of a convolution behind its channels with what follows from its input:
// (size + pads - reach of the kernel) / stride + 1.
func (c *checker) window(o *operation) {
	in, out, w := o.operand(0), o.out, o.operand(1)
	if o.op != "Conv" || o.padded || len(in.dims) != len(w.dims) || len(out.dims) != len(w.dims) {
		return
	}
	nth := func(list []int64, i int, otherwise int64) int64 {
		if i < len(list) {
			return list[i]
		}
		return otherwise
	}
	for axis := 2; axis < len(w.dims); axis++ {
		i, axes := axis-2, len(w.dims)-2
		size, known := in.size(axis)
		stated, isStated := out.size(axis)
		kernel := big.NewInt(w.dims[axis].Size - 1)
		stride := nth(o.strides, i, 1)
		if !known || !isStated || stride < 1 {
			continue
		}
		room := big.NewInt(size)
		room.Add(room, big.NewInt(nth(o.pads, i, 0))).Add(room, big.NewInt(nth(o.pads, i+axes, 0)))
		room.Sub(room, kernel.Mul(kernel, big.NewInt(nth(o.dilations, i, 1)))).Sub(room, big.NewInt(1))
		want := room.Div(room, big.NewInt(stride))
		if want.Add(want, big.NewInt(1)); want.Cmp(big.NewInt(stated)) != 0 {
			c.stated(o, fmt.Sprintf("gives %v along axis %d of", want, axis))
			return
		}
	}
}
