package manifest

import (
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/shape"
)

// spacingParts are the parts that make gaps in a layout.
var spacingParts = [...]descriptor.Part{descriptor.PitchPart, descriptor.AlignPart, descriptor.PadPart}

// spacing reads one of these parts.
func (r *fieldReader) spacing(s *descriptor.Spacing, part descriptor.Part, v doctree.Value) {
	switch part {
	case descriptor.PitchPart:
		s.Pitch = r.axisNumbers(v, shape.ParsePitch)
	case descriptor.AlignPart:
		s.Align = r.axisNumbers(v, shape.ParseAlignment)
	case descriptor.PadPart:
		s.Pad = r.axisNumbers(v, shape.ParsePadding)
	}
}

// axisNumbers reads numbers with axes, or a number that applies to rows, with B for bytes.
func (r *fieldReader) axisNumbers(
	v doctree.Value, parse func(string) (shape.AxisNumber, error),
) (list []shape.AxisNumber) {
	read := func(axis string, v doctree.Value) {
		n, err := parse(axis + v.Text())
		if kind := v.Kind(); kind != doctree.Number && kind != doctree.String {
			r.value(v, "a number for an axis, such as {H: 256} or {H: 512B}")
		} else if err != nil {
			r.fault(v, err)
		}
		list = append(list, n)
	}
	if v.Kind() != doctree.Object || v.Len() == 0 {
		read("", v)
		return list
	}
	for m := range v.Items {
		if !isExtension(m) {
			read(m.Key()+"=", m)
		}
	}
	return list
}

// spaced reports stated gaps that the tensor cannot have, or that contradict its strides or its file.
func (r *configReader) spaced(seen *parts) {
	d := r.d
	i := slices.IndexFunc(spacingParts[:], func(part descriptor.Part) bool { return seen[part].Exists() })
	at := seen[spacingParts[i]]
	const fix = "make it a key of expect"
	switch {
	case r.open:
		r.wrong(descriptor.ConfigValue, at, fix,
			"the file determines where the elements lie, so that %s can only be expected",
			at.Key())
		return
	case seen[descriptor.StridesPart].Exists() && len(r.strides) > 0:
		r.wrong(descriptor.ConfigValue, at, fix, "the strides are stated, so that %s can only be expected", at.Key())
		return
	case !r.ok || slices.ContainsFunc(d.Sizes, func(n int64) bool { return n < 0 }):
		return
	}
	if d.Layout == "" {
		d.Layout = descriptor.RowMajorName
	}
	plain := *d
	plain.Spacing = nil
	if _, err := new(descriptor.Tensors).Named(&plain); err != nil {
		return // the rules for strides report it
	}
	if _, err := new(descriptor.Tensors).Named(d); err != nil {
		r.wrong(descriptor.ConfigValue, at, layout.HintOf(err), "%s", err)
	}
}
