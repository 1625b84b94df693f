package notation

import (
	"cmp"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
)

// State returns the statements of the input about the tensor, for checks.
func (d *Descriptor) State(source descriptor.Source) descriptor.Descriptor {
	l, s := d.Tensor.Layout(), d.Stated
	s.Name, s.Source = cmp.Or(d.Name, layout.JoinInts(l.Sizes(), "x")), source
	s.Type, s.TypeName, s.TypeKnown = d.Tensor.DType(), d.Tensor.DType().String(), true
	s.Sizes, s.Base = l.Sizes(), l.Base()
	s.Computed = s.Computed || d.Notation == nil || !d.Notation.totals
	if d.Plain {
		return s
	}
	strides, ok := l.LinearStrides()
	if s.Strides = strides; ok {
		return s
	}
	if s.Layout = blockName(d.Tensor); s.Layout == "" {
		s.Sizes = nil
		for i := range l.Rank() {
			for digit := range l.Axis(i).Digits() {
				s.Sizes = append(s.Sizes, l.Axis(i).Digit(digit).Extent)
				s.Strides = append(s.Strides, l.Axis(i).Digit(digit).Stride)
			}
		}
	}
	return s
}

// blockName returns the name of a layout in blocks, or an empty string if the name needs axis letters.
func blockName(t layout.Tensor) string {
	named, _ := Find("name")
	text, err := named.Write(t)
	if err != nil || strings.Contains(text, "=") {
		return ""
	}
	return text[strings.LastIndexByte(text, ' ')+1:]
}
