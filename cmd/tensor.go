package cmd

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/input"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/view"
	"layoutcalc/render"
)

// A tensorFlags has the flags that describe a tensor; shape and layout name are arguments.
type tensorFlags struct {
	app    *app
	spec   shape.Spec
	steps  []view.Step        // of --view
	of     layout.System      // the system that defines the steps, which follows from the input
	copied string             // a step in --view that copies
	dtype  string             // the type of -t as typed
	typed  bool               // a flag states the type
	block  *layout.Block      // the type, if it is a type of blocks
	big    bool               // the type has big-endian elements
	from   *notation.Notation // the notation of inputs; nil for any
	name   string             // the tensor to select from an input with several
	open   notation.Options   // values of --dim for open sizes
	given  expressions        // the values of --dim for names of sources
	source []byte             // the text of the last input
	whole  bool               // the last input also determines the layout
	made   shape.Spec         // the origin of the tensor; the zero Spec if it is not from a shape
	planar bool               // the tensor is a plane of an image

	layout   string // the name in --layout, instead of an argument
	lists    bool   // a list after the shape is its strides
	metadata bool   // the metadata of a file is requested
}

func (t *tensorFlags) add(a *app, c *cobra.Command) {
	textFlag(c.Flags(), "layout", "NAME", &t.layout)
	flag(c.Flags(), "strides", "LIST", shape.ParseStrideAmounts, into(&t.spec.Strides))
	t.addStorage(a, c)
	c.ValidArgsFunction = completeLayouts(1)
}

// addStorage adds the flags that commands with one or two layouts have: how elements are stored, which tensor of an
// input to use, and its type.
func (t *tensorFlags) addStorage(a *app, c *cobra.Command) {
	t.app = a
	s, flags := &t.spec, c.Flags()
	flags.SortFlags = false
	flag(flags, "storage-offset", "N", shape.ParseAmount, func(n shape.Amount) { s.Base = n })
	flag(flags, "order", "NAME", shape.ParseName, into(&s.Order))
	flag(flags, "pad", "AXIS=N", shape.ParsePadding, onto(&s.Pad))
	flag(flags, "pitch", "AXIS=N", shape.ParsePitch, onto(&s.Pitch))
	flag(flags, "align", "AXIS=N", shape.ParseAlignment, onto(&s.Align))
	flag(flags, "chunks", "SIZES", shape.ParseShape, into(&s.Chunks))
	flag(flags, "tile", "SIZES", shape.ParseShape, into(&s.Tile))
	flag(flags, "ld", "N", shape.ParseAmount, into(&s.Lead))
	flag(flags, "broadcast", "AXIS,...", shape.ParseAxes, all(&s.Broadcast))
	flag(flags, "swizzle", "MODE", shape.ParseSwizzle, into(&s.Swizzle))
	targets := make([]cobra.Completion, len(shape.Targets))
	for i, target := range shape.Targets {
		targets[i] = cobra.CompletionWithDesc(target.Name(), target.About)
	}
	wordFlag(flags, "for", "API", targets, func(i int) { s.For = &shape.Targets[i] })
	numberFlag(flags, "rank", 1, layout.MaxRank, &s.Rank, "a rank is from 1 to 64")
	flag(flags, "view", "STEP", view.ParseSteps, all(&t.steps))
	textFlag(flags, "dtype,t", "TYPE", &t.dtype)
	flag(flags, "from", "NOTATION", notation.Find, func(n *notation.Notation) { t.from = n })
	textFlag(flags, "tensor", "NAME", &t.name)
	flag(flags, "dim", "N,...", parseDim, t.dim)
	c.ValidArgsFunction = completeLayouts(2)
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := t.readType(); err != nil {
			return err
		}
		return run(c, args)
	}
}

// readType reads the type of -t in the spelling of the system of --from, so it must run after both flags are set. The
// byte order in NumPy's spelling only matters for data.
func (t *tensorFlags) readType() error {
	system := layout.Others
	if t.from != nil {
		system = t.from.System()
	}
	if t.dtype == "" {
		return nil
	}
	word, sizes, hasSizes := strings.Cut(t.dtype, "[")
	if list, err := shape.ParseShape("[" + sizes); hasSizes && err == nil {
		t.app.Note("sizes in -t are not used: " + list.String())
	} else {
		word = t.dtype
	}
	d, note, err := system.ReadDType(word)
	if b, isBlock, wrong := layout.FindBlock(word); isBlock && err != nil {
		t.block, d, err = &b, t.spec.DType, wrong
	}
	if wrong, ok := err.(*layout.SyntaxError); ok {
		wrong.Msg = "--dtype: " + wrong.Msg
		return suggest.About(wrong, suggest.Value, "-t", "dtype", t.dtype)
	}
	if note != "" {
		t.app.Note(note)
	}
	t.big = strings.HasPrefix(t.dtype, ">") && layout.SwapUnit(d) > 0
	t.spec.DType, t.spec.Typed, t.typed = d, t.block == nil, t.block == nil
	return nil
}

// options returns values for the parts of inputs that may be unknown.
func (t *tensorFlags) options() input.Options {
	o := t.open
	o.DType, o.Typed = t.spec.DType, t.typed
	return input.Options{
		Options: o, From: t.from, Metadata: t.metadata, Tensor: t.name, Given: t.given.names, GivenFault: t.given.fault,
	}
}

// dim adds the values of a list, in order or by name, and the expression of a name.
func (t *tensorFlags) dim(d dim) {
	t.given.add(d)
	list := d.list
	labels, values := list.Labels(), list.Values()
	if labels == nil {
		t.open.Dims = append(t.open.Dims, values...)
		return
	}
	if t.open.Names = maps.Clone(t.open.Names); t.open.Names == nil {
		t.open.Names = map[string]int64{}
	}
	for i, label := range labels {
		t.open.Names[label] = values[i]
	}
}

// tensor returns the tensor of the arguments, and the arguments after it. There must be at least after of them. The
// function isName distinguishes the name of a layout from other arguments after the shape.
func (t *tensorFlags) tensor(
	args []string, after int, isName func(string) bool,
) (tensor layout.Tensor, rest []string, err error) {
	in, rest, err := t.find(args, after, isName)
	return t.tensorOf(in, rest, isName, err)
}

// tensorOf is like tensor, but takes the input.
func (t *tensorFlags) tensorOf(
	in *input.Input, rest []string, isName func(string) bool, err error,
) (tensor layout.Tensor, _ []string, _ error) {
	if t.big {
		t.app.Note(notation.BigEndian)
	}
	switch {
	case err != nil:
		return tensor, nil, err
	case t.layout != "" && t.whole:
		return tensor, nil, refuse("the text has a layout, and --layout gives it again", "").LeaveOut("--layout")
	case t.layout != "" && len(rest) > 0 && isName(rest[0]):
		return tensor, nil, refuse("the layout is given twice", "remove "+render.Quote(rest[0])+" or --layout")
	case in.Kind != input.Shape:
		tensor, err = t.chosen(in, t.spec)
		return tensor, rest, err
	case in.Format != nil:
		tensor, err = t.plane(in, t.spec)
		return tensor, rest, err
	}
	return t.shaped(in, rest, isName)
}

// shaped returns the tensor of a shape, and the arguments after its layout.
func (t *tensorFlags) shaped(
	in *input.Input, rest []string, isName func(string) bool,
) (tensor layout.Tensor, _ []string, err error) {
	t.spec.Shape, t.spec.Name = in.Sizes, in.Layout
	if t.layout != "" {
		rest, isName = slices.Insert(slices.Clone(rest), 0, t.layout), input.IsLayout
	}
	if in.Layout == nil && len(rest) > 0 && isName(rest[0]) {
		name, err := t.app.line.layoutName(rest[0])
		if err != nil {
			return tensor, nil, err
		}
		t.spec.Name, rest = name, rest[1:]
	}
	if rest, err = t.takeStrides(rest); err != nil {
		return tensor, nil, err
	}
	tensor, err = t.make(t.spec)
	return tensor, rest, err
}

// only is like tensor, for commands without other arguments.
func (t *tensorFlags) only(args []string) (layout.Tensor, error) {
	in, rest, err := t.find(args, 0, input.IsLayout)
	return t.alone(in, rest, args, err)
}

// alone is like only, but takes the input.
func (t *tensorFlags) alone(in *input.Input, rest, args []string, err error) (layout.Tensor, error) {
	t.lists = true
	tensor, rest, err := t.tensorOf(in, rest, input.IsLayout, err)
	var packed *layout.BlockError
	var open *shape.OpenError
	switch {
	case err != nil && !errors.As(err, &packed) && !errors.As(err, &open) || len(rest) == 0:
	case t.whole:
		err = refuse("unexpected argument "+render.Quote(rest[0]), "the text before it says the layout already")
	default:
		err = t.unexpected(rest[0], args)
	}
	return tensor, err
}

func (t *tensorFlags) unexpected(arg string, args []string) error {
	const hint = "the arguments are a shape and a layout name: 1x3x224x224 NHWC"
	return cmp.Or(notLayout(arg), misshaped(refuse("unexpected argument "+render.Quote(arg), hint), args))
}

// nameIn returns the name of the tensor that the arguments select from an input, or otherwise --tensor. It may be
// empty.
func (t *tensorFlags) nameIn(in *input.Input) string { return cmp.Or(in.Chosen, t.name) }

// chosen returns the tensor that arguments or flags select from an input, adjusted by a Spec and with the view applied.
// It adds notes about the parts of the input that a layout does not hold.
func (t *tensorFlags) chosen(in *input.Input, s shape.Spec) (layout.Tensor, error) {
	x, err := in.Tensor(t.nameIn(in))
	switch {
	case err != nil || t.block == nil:
	case x.Typed:
		err = t.contradicts(x.DType())
	default:
		err = t.inBlocks(x.Tensor)
	}
	if err != nil {
		return layout.Tensor{}, t.inLines(in, t.suggestSize(err))
	}
	t.app.Note(x.Notes...)
	t.made = shape.Spec{}
	return t.viewed(s.Adjust(x.Tensor))
}

// make returns the tensor of a Spec, with the view applied, and notes its assumptions.
func (t *tensorFlags) make(s shape.Spec) (layout.Tensor, error) {
	t.made = s
	tensor, err := s.Tensor()
	if t.from != nil && s.For == nil {
		tensor = tensor.OfSystem(t.from.System())
	}
	if err == nil {
		t.app.Note(s.Notes(false)...)
	}
	if err == nil && t.block != nil {
		err = t.inBlocks(tensor)
	}
	return t.viewed(tensor, t.suggestSize(err))
}

// image returns the image of an input with a format, using the flags of a Spec, and adds notes about assumptions.
func (t *tensorFlags) image(in *input.Input, s shape.Spec) (*shape.Image, error) {
	image, err := in.Image(s)
	if err == nil {
		t.app.Note(image.Notes...)
	}
	return image, err
}

// plane returns the plane of an image that --tensor selects.
func (t *tensorFlags) plane(in *input.Input, s shape.Spec) (layout.Tensor, error) {
	image, err := t.image(in, s)
	if err != nil {
		return layout.Tensor{}, err
	}
	p, err := in.Plane(image, t.nameIn(in))
	if err != nil {
		return layout.Tensor{}, err
	}
	t.planar = true
	return t.make(p.Spec)
}

// noteWide notes offsets that do not fit in 32 bits.
func (t *tensorFlags) noteWide(tensor layout.Tensor) {
	if note := analysis.Wide(tensor); note != "" {
		t.app.Note(note)
	}
}

// shapes reports whether a flag states strides, offsets or views, which an input of a whole tensor states itself.
func (t *tensorFlags) shapes() bool { return t.spec.Shapes() || len(t.steps) > 0 }
