package input

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/wording"
)

// tensorOf returns the tensor of a descriptor, and notes the parts that a layout cannot hold.
func (in *Input) tensorOf(d *descriptor.Descriptor) (Tensor, error) {
	fail := func(part descriptor.Part, msg, hint string) (Tensor, error) {
		if d.Name != "" {
			msg = wording.Clip(d.Name) + ": " + msg
		}
		if d.Source == nil {
			return Tensor{}, lexer.Refuse(hint, "%s", msg)
		}
		return Tensor{}, in.at(d.Source.Place(part, -1), msg, hint)
	}
	if b, ok, err := layout.FindBlock(d.TypeName); ok && err == nil && !d.TypeKnown {
		return Tensor{}, &layout.BlockError{Block: b, Sizes: d.Sizes}
	}
	if !d.TypeKnown {
		return fail(descriptor.TypePart, fmt.Sprintf("the element type %q is not known here", wording.Clip(d.TypeName)),
			"")
	}
	if d.Map != nil && d.Map.Bytes != nil && d.Strides == nil {
		return fail(descriptor.StridesPart, "a stride in bytes is not a multiple of the element size", "")
	}
	sizes, strides, part := d.Sizes, d.Strides, descriptor.StridesPart
	var cut []string
	if n := d.Count.Value; d.Count.Stated && d.Map == nil {
		if n < 0 || n > int64(len(sizes)) {
			return fail(descriptor.CountPart, fmt.Sprintf("DimensionCount is %d, but the array has %s", n,
				wording.Count(len(sizes), "size")), "")
		}
		sizes, strides = sizes[:n], strides[:min(n, int64(len(strides)))]
		if more := max(len(d.Sizes), len(d.Strides)) - int(n); more > 0 {
			cut = []string{fmt.Sprintf("DimensionCount %d omits %s", n, wording.Count(more, "axis"))}
		}
	}
	s := shape.Spec{Shape: shape.NewList(sizes, nil), Base: shape.NewAmount(d.Base), DType: d.Type}
	var t layout.Tensor
	var err error
	switch {
	case d.Layout != "":
		var name shape.Name
		name, err = shape.ParseName(d.Layout)
		s.Name, part = &name, descriptor.LayoutPart
	case strides == nil:
		part = descriptor.SizesPart
		if t, err = s.Tensor(); err == nil {
			strides, _ = t.Layout().LinearStrides()
		}
	}
	if strides != nil {
		list := shape.NewList(strides, nil)
		s.Strides = &list
	}
	if err == nil {
		t, err = s.Tensor()
	}
	switch e := err.(type) {
	case nil:
		notes := append(cut, in.unheld(d, t)...)
		if strides == nil && !d.Labelled {
			notes = append(notes, s.Notes(true)...)
		}
		return Tensor{Tensor: t, Typed: true, Notes: notes}, nil
	case *layout.SyntaxError:
		return fail(part, e.Msg, e.Hint)
	}
	return Tensor{}, err
}

// unheld lists the parts of a descriptor that a layout cannot hold, and the warnings about it.
func (in *Input) unheld(d *descriptor.Descriptor, t layout.Tensor) (notes []string) {
	if strings.HasPrefix(d.TypeName, ">") && layout.SwapUnit(t.DType()) > 0 { // a .npy file
		notes = append(notes, notation.BigEndian)
	}
	if len(d.Flags) > 0 && !slices.Contains(d.Flags, "NONE") {
		notes = append(notes, "Flags = "+strings.Join(d.Flags, " | "))
	}
	if d.Alignment.Value != 0 {
		notes = append(notes, fmt.Sprintf("GuaranteedBaseOffsetAlignment = %d", d.Alignment.Value))
	}
	if n := d.Total.Value; n != 0 && n < t.DirectMLBytes() && in.Kind != TensorFile {
		const total = "TotalTensorSizeInBytes = %d, though the elements need %d"
		notes = append(notes, fmt.Sprintf(total, n, t.DirectMLBytes()))
	}
	for _, name := range d.Unread {
		notes = append(notes, wording.Quote(name)+" is not a field of DirectML: the program ignores it")
	}
	for _, file := range in.Files {
		for _, f := range file.Findings {
			if f.Severity >= finding.Warning && f.Tensor == d.Name && len(notes) < 10 {
				note := f.Message
				if f.Line > 0 {
					note = fmt.Sprintf("line %d: %s", f.Line, note)
				}
				notes = append(notes, note)
			}
		}
	}
	return notes
}

// filled returns the tensor of an input or an output, with values for its open sizes.
func (in *Input) filled(v *descriptor.Descriptor) (Tensor, error) {
	d, o, of := *v, in.options, wording.Clip(v.Name)
	d.Sizes = slices.Clone(v.Sizes)
	next, used := 0, map[string]bool{}
	for i, name := range v.Open {
		n, named := o.Names[name]
		switch {
		case d.Sizes[i] >= 0:
		case named && name != "":
			d.Sizes[i], used[name] = n, true
		case next < len(o.Dims):
			d.Sizes[i] = o.Dims[next]
			next++
		default:
			if name != "" {
				name = " (" + wording.Clip(name) + ")"
			}
			return Tensor{}, lexer.Refuse(dimFlags(v)+" gives "+of+" all of its sizes",
				"size %d%s of %s is open", i, name, of)
		}
	}
	for name := range o.Names {
		if !used[name] {
			return Tensor{}, lexer.Refuse("", "--dim gives %s a value, and %s has no open size of that name",
				wording.Clip(name), of)
		}
	}
	if next < len(o.Dims) {
		return Tensor{}, lexer.Refuse("", "--dim has %s, and %s has %d for them",
			wording.Count(len(o.Dims), "value"), of, next)
	}
	return in.tensorOf(&d)
}

// dimFlags returns flags with a value for every open size, by its name if it has one.
func dimFlags(v *descriptor.Descriptor) string {
	var named, others []string
	for i, name := range v.Open {
		switch name = wording.Clip(name); {
		case v.Sizes[i] >= 0:
		case name == "":
			others = append(others, "8")
		case !slices.Contains(named, name+"=1"):
			named = append(named, name+"=1")
		}
	}
	if len(named) == 0 || len(others) == 0 {
		return "--dim " + strings.Join(slices.Concat(named, others), ",")
	}
	return "--dim " + strings.Join(named, ",") + " --dim " + strings.Join(others, ",")
}
