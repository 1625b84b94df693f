package cmd

import (
	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/render"
)

// pair returns the two tensors of the arguments: SHAPE A B, or a notation that says SHAPE and A,
// behind which another notation may stand for B. Flags that change storage concern B alone,
// --view A alone; then B has the sizes that A has after it.
func (t *tensorFlags) pair(args []string) (a, b layout.Tensor, err error) {
	if a, err = t.left(args); err != nil {
		return a, b, err
	}
	if b, err = t.right(a, args); err != nil {
		return a, b, err
	}
	b = b.Like(a.Layout())
	return a, b, layout.SameAxes(a.Layout(), b.Layout())
}

// left returns A.
func (t *tensorFlags) left(args []string) (a layout.Tensor, err error) {
	s := t.spec
	s.Pad, s.Pitch, s.Align, s.Broadcast = nil, nil, nil, nil
	if len(args) == 2 {
		if a, err = t.described(args[0]); err != nil {
			return a, err
		}
		return s.Adjust(a)
	}
	if s.Shape, err = parseShape(args); err != nil {
		return a, err
	}
	if err = named(&s, args[1]); err != nil {
		return a, err
	}
	t.spec.Shape = s.Shape
	return s.Tensor()
}

// right returns B, once A is known.
func (t *tensorFlags) right(a layout.Tensor, args []string) (b layout.Tensor, err error) {
	s, last := t.spec, args[len(args)-1]
	s.View = nil
	if len(args) == 2 && describes(last) {
		if b, err = t.described(last); err != nil {
			return b, err
		}
		return s.Adjust(b)
	}
	if len(args) == 2 || len(t.spec.View) > 0 {
		s.Shape, s.Order, s.Rank = layout.SizesOf(a.Layout()), nil, 0
	}
	s.DType = a.DType()
	if err = named(&s, last); err != nil && describes(last) {
		err = &usageError{"a notation for the second tensor needs one for the first", "such as 'f32[2,3]{1,0}' 'f32[2,3]{0,1}'"}
	}
	if err != nil {
		return b, err
	}
	return s.Tensor()
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

// needPair refuses all but a shape and two layouts, or two notations.
func (t *tensorFlags) needPair(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		t.app.shortHelp(c)
		return errShortHelp
	}
	want, hint := 3, "the arguments are a shape and two layouts"
	if t.isNotation(args[0]) {
		want, hint = 2, "a notation says the shape and the first layout"
	}
	switch {
	case len(args) > want:
		return &usageError{"unexpected argument " + render.Quote(args[want]), hint}
	case len(args) < want && want == 2:
		return &usageError{"a second layout is needed", "a name, strides, or a notation, such as 'memref<2x3xf32>'"}
	case len(args) < want:
		return &usageError{"two layouts are needed behind the shape", "such as 1x3x224x224 NCHW NHWC, or strides in place of a name"}
	}
	return nil
}
