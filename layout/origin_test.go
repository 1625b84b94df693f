package layout_test

import (
	"fmt"
	"strings"

	"layoutcalc/layout"
)

// account writes out how the strides of a tensor of plain axes come about.
func account(x layout.Tensor) string {
	l := x.Layout()
	var parts []string
	for i := range l.Rank() {
		parts = append(parts, l.AxisName(i)+": "+originText(l, x.Origin(i, 0)))
	}
	return strings.Join(parts, "; ")
}

func originText(l layout.Layout, o layout.Origin) string {
	switch o.Kind {
	case layout.Given:
		return "given"
	case layout.Innermost:
		return "innermost"
	case layout.Pitched:
		return "pitch"
	case layout.Repeated:
		return "broadcast"
	}
	var factors []string
	for _, f := range o.Inner {
		name := l.AxisName(f.Axis)
		if !l.Named() {
			name += "x"
		}
		factors = append(factors, fmt.Sprint(name, f.Extent))
	}
	text := strings.Join(factors, " ")
	if o.Times != 1 {
		text += fmt.Sprint("*", o.Times)
	}
	if o.Plus != 0 {
		text += fmt.Sprint("+", o.Plus)
	}
	if o.Kind == layout.Aligned {
		text += fmt.Sprint(" up to ", o.Align)
	}
	return text
}

// originValue is the stride that an account adds up to; ok is false when it says none.
func originValue(o layout.Origin) (stride int64, ok bool) {
	if o.Kind == layout.Innermost {
		return 1, true
	}
	if o.Kind != layout.Product && o.Kind != layout.Aligned {
		return 0, false
	}
	stride = o.Times
	for _, f := range o.Inner {
		stride *= f.Extent
	}
	stride += o.Plus
	if o.Kind == layout.Aligned {
		stride = (stride + o.Align - 1) / o.Align * o.Align
	}
	return stride, true
}
