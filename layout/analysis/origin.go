package analysis

import "layoutcalc/layout"

// Derived returns the origin of the stride of digit k of axis i. It is the origin that the tensor has or, if the stride
// was given or results from a view, the product of the extents of the digits inside, if that is equal. Digits of extent
// 0 or 1 are not factors. Strides that are 0 or negative, or that several digits share, are not products.
func Derived(t layout.Tensor, i, k int) layout.Origin {
	o := t.Origin(i, k)
	stride := t.Layout().Axis(i).Digit(k).Stride
	if o.Kind != layout.Given && o.Kind != layout.Viewed || stride < 1 {
		return o
	}
	product := layout.Origin{Kind: layout.Product, Times: stride}
	for {
		inner, ok := nextInside(t.Layout(), product.Times)
		if !ok {
			break
		}
		next := t.Layout().Axis(inner.Axis).Digit(inner.Digit).Stride
		if product.Times%inner.Extent != 0 || product.Times/inner.Extent != next {
			break
		}
		product.Inner, product.Times = append(product.Inner, inner), next
	}
	switch {
	case product.Times != 1:
		return o
	case stride == 1:
		return layout.Origin{Kind: layout.Innermost}
	}
	return product
}

// nextInside returns the digit with the largest stride below a stride, ignoring digits of extent 0 or 1. It reports
// false if no digit is below, if several have that stride, or if one has a negative stride.
func nextInside(l layout.Layout, below int64) (f layout.Factor, ok bool) {
	largest := int64(0)
	for i := range l.Rank() {
		for k := range l.Axis(i).Digits() {
			d := l.Axis(i).Digit(k)
			switch {
			case d.Extent <= 1 || d.Stride >= below:
			case d.Stride < 0:
				return f, false
			case d.Stride == largest:
				ok = false
			case d.Stride > largest:
				largest, ok = d.Stride, true
				f = layout.Factor{Axis: i, Digit: k, Extent: d.Extent}
			}
		}
	}
	return f, ok && largest > 0
}
