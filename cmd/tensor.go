package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/render"
)

// A tensorFlags describes a tensor by flags; its shape and layout name are arguments.
type tensorFlags struct {
	app      *app
	spec     layout.Spec
	typed    bool // the type was given
	big      bool // as one of big-endian elements
	notation notationFlags
}

func (t *tensorFlags) add(a *app, c *cobra.Command) {
	s, flags := &t.spec, c.Flags()
	flags.Var(&parsed[layout.List]{"LIST", layout.ParseStrides, into(&s.Strides)}, "strides", "explicit strides, one for each axis")
	t.addPair(a, c)
	c.ValidArgsFunction = completeLayouts(1)
}

// addPair adds the flags of commands that take two layouts, whose strides are arguments.
func (t *tensorFlags) addPair(a *app, c *cobra.Command) {
	t.app = a
	s, flags := &t.spec, c.Flags()
	flags.SortFlags = false
	flags.Var(&parsed[int64]{"N", layout.ParseNumber, func(n int64) { s.Base = n }}, "storage-offset", "offset of index 0, in elements")
	flags.Var(&parsed[layout.Name]{"NAME", layout.ParseName, into(&s.Order)}, "order", "the order of unlabelled sizes, as in TensorFlow's NHWC shapes")
	flags.Var(&parsed[layout.AxisNumber]{"AXIS=N", layout.ParsePadding, onto(&s.Pad)}, "pad", "N unused elements behind every run of AXIS; outer strides follow")
	flags.Var(&parsed[layout.AxisNumber]{"AXIS=N", layout.ParsePitch, onto(&s.Pitch)}, "pitch", "the stride of AXIS is N; outer strides follow")
	flags.Var(&parsed[layout.AxisNumber]{"AXIS=N[B]", layout.ParseAlignment, onto(&s.Align)}, "align", "the stride of AXIS is rounded up to a multiple of N elements, or bytes")
	flags.Var(&parsed[[]layout.AxisRef]{"AXIS,...", layout.ParseAxes, func(r []layout.AxisRef) { s.Broadcast = append(s.Broadcast, r...) }}, "broadcast", "stride 0, the axis takes no storage")
	flags.Var(&parsed[int64]{"N", parseRank, func(n int64) { s.Rank = int(n) }}, "rank", "prepend axes of size 1 up to rank N")
	flags.Var(&parsed[[]layout.Step]{"STEP", layout.ParseSteps, func(steps []layout.Step) { s.View = append(s.View, steps...) }}, "view", "apply a view step, as in the command view; may be repeated")
	flags.VarP(&parsed[layout.DType]{"TYPE", t.dtype, func(d layout.DType) { s.DType, t.typed = d, true }}, "dtype", "t", "element type in the spelling of any ecosystem; default float32")
	t.notation.add(a, c)
	c.ValidArgsFunction = completeLayouts(2)
	t.complete(a, c)
}

// dtype reads a type. The order of bytes, which NumPy's spelling may have, concerns only data.
func (t *tensorFlags) dtype(text string) (layout.DType, error) {
	t.big = strings.HasPrefix(text, ">")
	return layout.ParseDType(text)
}

func parseRank(text string) (int64, error) {
	n, err := layout.ParseNumber(text)
	if err == nil && (n < 1 || n > layout.MaxRank) {
		err = &layout.SyntaxError{Input: text, Msg: "a rank is from 1 to 64"}
	}
	return n, err
}

// tensor returns the tensor of the arguments, and the arguments behind it. The first is a
// notation, or a shape with a layout name behind it unless that starts like an index.
func (t *tensorFlags) tensor(args []string) (tensor layout.Tensor, rest []string, err error) {
	if t.isNotation(args[0]) {
		if tensor, err = t.described(args[0]); err == nil {
			tensor, err = t.spec.Adjust(tensor)
		}
		return tensor, args[1:], err
	}
	if t.spec.Shape, err = parseShape(args); err != nil {
		return tensor, nil, err
	}
	rest = args[1:]
	if len(rest) > 0 && isLayout(rest[0]) {
		name, err := layout.ParseName(rest[0])
		if err != nil {
			return tensor, nil, err
		}
		t.spec.Name, rest = &name, rest[1:]
	}
	tensor, err = t.spec.Tensor()
	return tensor, rest, err
}

// parseShape reads the first argument, and notices when the shape stands behind layouts.
func parseShape(args []string) (layout.List, error) {
	shape, err := layout.ParseShape(args[0])
	if err == nil {
		return shape, nil
	}
	layouts := ""
	for _, arg := range args {
		if isLayout(arg) {
			layouts += " " + render.Quote(arg)
			continue
		}
		if _, late := layout.ParseShape(arg); late == nil {
			return shape, &usageError{"the shape comes first", "write " + render.Quote(arg) + layouts}
		}
		break
	}
	return shape, err
}

// isLayout tells a layout name from an index, which may be labelled, and from a list of strides.
func isLayout(arg string) bool {
	return arg != "" && arg[0]|0x20 >= 'a' && arg[0]|0x20 <= 'z' && !strings.Contains(arg, "=")
}

// only is tensor for commands that take nothing behind it.
func (t *tensorFlags) only(args []string) (layout.Tensor, error) {
	tensor, rest, err := t.tensor(args)
	switch {
	case err != nil || len(rest) == 0:
	case t.isNotation(args[0]):
		err = &usageError{"unexpected argument " + render.Quote(rest[0]), "the text before it says the layout already"}
	default:
		err = unexpected(rest[0], len(args))
	}
	return tensor, err
}

func unexpected(arg string, all int) error {
	hint := "the arguments are a shape and a layout name: 1x3x224x224 NHWC"
	if list, err := layout.ParseShape(arg); err == nil {
		switch {
		case list.Len() == 1 && all > 2:
			hint = "write a shape without blanks: 1x3x224x224"
		case list.Len() > 1:
			hint = "strides are the value of a flag: --strides " + render.Quote(arg)
		}
	}
	return &usageError{"unexpected argument " + render.Quote(arg), hint}
}
