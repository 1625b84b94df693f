package cmd

import (
	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/render"
)

// pair returns the two tensors of the arguments SHAPE A B. Flags that change storage concern
// B alone, --view A alone; then B has the sizes that A has after it.
func (t *tensorFlags) pair(args []string) (a, b layout.Tensor, err error) {
	if t.spec.Shape, err = parseShape(args); err != nil {
		return a, b, err
	}
	specA, specB := t.spec, t.spec
	specA.Pad, specA.Pitch, specA.Align, specA.Broadcast = nil, nil, nil, nil
	specB.View = nil
	if err = named(&specA, args[1]); err != nil {
		return a, b, err
	}
	if a, err = specA.Tensor(); err != nil {
		return a, b, err
	}
	if len(specA.View) > 0 {
		specB.Shape, specB.Order, specB.Rank = layout.SizesOf(a.Layout()), nil, 0
	}
	if err = named(&specB, args[2]); err != nil {
		return a, b, err
	}
	if b, err = specB.Tensor(); err != nil {
		return a, b, err
	}
	b = b.Like(a.Layout())
	return a, b, layout.SameAxes(a.Layout(), b.Layout())
}

// named gives the Spec the layout of an argument, a name or a list of strides.
func named(s *layout.Spec, arg string) error {
	if isLayout(arg) {
		name, err := layout.ParseName(arg)
		s.Name = &name
		return err
	}
	strides, err := layout.ParseStrides(arg)
	s.Strides = &strides
	return err
}

// needPair refuses all but three arguments.
func (a *app) needPair(c *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		a.shortHelp(c)
		return errShortHelp
	case 1, 2:
		return &usageError{"two layouts are needed behind the shape", "such as 1x3x224x224 NCHW NHWC, or strides in place of a name"}
	case 3:
		return nil
	}
	return &usageError{"unexpected argument " + render.Quote(args[3]), "the arguments are a shape and two layouts"}
}
