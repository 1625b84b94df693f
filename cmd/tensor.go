package cmd

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/layout/notation"
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

// A notationFlags says how to read a text that describes a tensor.
type notationFlags struct {
	from   string
	tensor string
	dims   []int64
}

func (n *notationFlags) add(a *app, c *cobra.Command) {
	flags := c.Flags()
	flags.Var(text("NOTATION", &n.from), "from", "read the tensor in this notation, whatever its form looks like")
	flags.Var(text("NAME", &n.tensor), "tensor", "which tensor to take of a text that describes several")
	flags.Var(&parsed[layout.List]{"N,...", layout.ParseDims, func(l layout.List) { n.dims = append(n.dims, l.Values()...) }}, "dim", "what each ? in the text stands for; may be repeated")
	a.completeFlags(c, notationNames, "from")
	a.completeFlags(c, cobra.NoFileCompletions, "tensor", "dim")
}

// isNotation tells a text that describes a whole tensor from a shape.
func (t *tensorFlags) isNotation(arg string) bool {
	return t.notation.from != "" || describes(arg)
}

// describes reports whether the form of the text is that of some notation, and not of a shape
// or of strides. The text may stand on standard input.
func describes(arg string) bool {
	if arg == "-" {
		return true
	}
	_, err := layout.ParseShape(arg)
	return err != nil && notation.Recognises(arg)
}

// described returns the tensor that a text describes. What of the text is no part of a layout
// is said on standard error.
func (t *tensorFlags) described(arg string) (layout.Tensor, error) {
	text, err := t.app.source(arg)
	if err != nil {
		return layout.Tensor{}, err
	}
	d, err := t.read(text)
	if err != nil {
		return layout.Tensor{}, err
	}
	if d.Typed && t.typed && d.Tensor.DType() != t.spec.DType {
		return layout.Tensor{}, &usageError{"the text says that elements are " + d.Tensor.DType().String() + ", -t that they are " + t.spec.DType.String(), "leave out -t"}
	}
	for _, part := range d.Skipped {
		t.app.note(part)
	}
	return d.Tensor, nil
}

// read returns the descriptor that the flags choose out of the text.
func (t *tensorFlags) read(text string) (notation.Descriptor, error) {
	found, err := t.readAll(text)
	if err != nil {
		return notation.Descriptor{}, err
	}
	return notation.Choose(found, t.notation.tensor)
}

// readAll returns all descriptors of the text, read as the flags say.
func (t *tensorFlags) readAll(text string) ([]notation.Descriptor, error) {
	o := notation.Options{DType: t.spec.DType, Dims: t.notation.dims}
	if t.notation.from == "" {
		return notation.Read(text, o)
	}
	n, err := notation.Find(t.notation.from)
	if err != nil {
		return nil, err
	}
	return n.Read(text, o)
}

// source returns the text itself, or that of standard input for -.
func (a *app) source(arg string) (string, error) {
	if arg != "-" {
		return arg, nil
	}
	data, err := io.ReadAll(io.LimitReader(a.streams.In, layout.MaxText+1))
	if err != nil {
		return "", &usageError{"standard input cannot be read", ""}
	}
	return strings.TrimSpace(string(data)), nil
}
