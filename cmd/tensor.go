package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/input"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/owner"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/view"
	"layoutcalc/render"
)

// A tensorFlags has the flags that describe a tensor; shape and layout name are arguments.
type tensorFlags struct {
	app    *app
	spec   shape.Spec
	steps  []view.Step        // of --view
	of     layout.System      // the system that steps are of: that of the text of their tensor
	copied string             // a step of --view that copies
	dtype  string             // the type of -t as it is typed
	typed  bool               // a flag gives the type
	block  *layout.Block      // the type, if it is one of blocks
	big    bool               // the type has big-endian elements
	from   *notation.Notation // the notation of texts; nil for any
	name   string             // the tensor to choose from an input with several
	open   notation.Options   // values of --dim for open sizes
	whole  bool               // the last input gives the layout too
	made   shape.Spec         // the origin of the tensor; the zero Spec if that is a text

	layout string // the name in --layout, in place of an argument
	lists  bool   // a list after the shape is its strides
}

func (t *tensorFlags) add(a *app, c *cobra.Command) {
	textFlag(c.Flags(), "layout", "NAME", &t.layout)
	flag(c.Flags(), "strides", "LIST", shape.ParseStrideAmounts, into(&t.spec.Strides))
	t.addPair(a, c)
	c.ValidArgsFunction = completeLayouts(1)
}

// addPair adds the flags of commands with two layouts as arguments.
func (t *tensorFlags) addPair(a *app, c *cobra.Command) {
	t.app = a
	s, flags := &t.spec, c.Flags()
	flags.SortFlags = false
	flag(flags, "storage-offset", "N", shape.ParseAmount, func(n shape.Amount) { s.Base = n })
	flag(flags, "order", "NAME", shape.ParseName, into(&s.Order))
	flag(flags, "pad", "AXIS=N", shape.ParsePadding, onto(&s.Pad))
	flag(flags, "pitch", "AXIS=N", shape.ParseDistance, onto(&s.Pitch))
	flag(flags, "align", "AXIS=N", shape.ParseDistance, onto(&s.Align))
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
	flag(flags, "dim", "N,...", shape.ParseDims, t.dim)
	c.ValidArgsFunction = completeLayouts(2)
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := t.readType(); err != nil {
			return err
		}
		return run(c, args)
	}
}

// readType reads the type of -t as the system of --from spells it, so after both flags. The byte order in NumPy's
// spelling matters for data alone.
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

// options returns the values for what texts leave open.
func (t *tensorFlags) options() input.Options {
	o := t.open
	o.DType, o.Typed = t.spec.DType, t.typed
	return input.Options{Options: o, From: t.from}
}

// dim adds the values of a list, in order or by name.
func (t *tensorFlags) dim(list shape.List) {
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

// find reads the input in the first arguments, and returns the arguments after it. The last ones, as many as after
// says, do not belong to a text that the shell has split. IsName tells words about the tensor from other arguments.
func (t *tensorFlags) find(
	args []string, after int, isName func(string) bool,
) (in *input.Input, rest []string, err error) {
	if meant := shapeFirst(args); meant != nil {
		at := slices.Index(args, meant[0]) + 1
		t.app.Note("the shape comes first: read as " + strings.Join(meant[:at], " "))
		args = meant
	}
	own := max(1, len(args)-after)
	in, n, err := input.Find(args[:own], t.app.Open, t.options())
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			return nil, nil, err
		}
		return nil, nil, t.inLines(in, t.shapeLate(args, err))
	}
	if t.layout != "" && in.TakeFormat(t.layout) {
		t.layout = ""
	}
	if in.Kind == input.Shape && t.name != "" {
		_, err = in.Tensor(t.name)
	}
	if in.Kind == input.Shape && in.Typed && err == nil {
		if err = in.Contradicts(in.Type); t.block != nil {
			err = t.contradicts(in.Type)
		}
		t.spec.DType, t.spec.Typed = in.Type, true
	}
	t.whole, t.of = in.Kind != input.Shape || in.Layout != nil || in.Format != nil, in.StepSystem()
	if err == nil {
		rest, err = t.takeWord(in, args[n:], isName)
	}
	return in, rest, err
}

// shapeFirst moves the shape in arguments before the layouts and types at their start. It returns nil if there is
// nothing to move: words of other meanings, as in input 1x3x224x224, are no layouts there.
func shapeFirst(args []string) []string {
	at := slices.IndexFunc(args, func(arg string) bool { return !input.IsLayout(arg) })
	if at <= 0 {
		return nil
	}
	list, err := shape.ParseShape(args[at])
	isOther := func(word string) bool {
		name, err := shape.ParseName(word)
		if err == nil && name.IsUsual() && shape.Fits(word, list.Len()) {
			return false
		}
		return (err == nil || !layout.IsType(word)) && shape.FindFormat(word) == nil
	}
	if err != nil || slices.ContainsFunc(args[:at], isOther) {
		return nil
	}
	return slices.Concat(args[at:at+1], args[:at], args[at+1:])
}

// inLines adds to the error of a source that its lines may be calls, which --batch answers: the first two start with
// tensors.
func (t *tensorFlags) inLines(in *input.Input, err error) error {
	if in == nil || in.Name == "" || t.app.line != nil {
		return err
	}
	lines := strings.SplitN(strings.TrimSpace(string(in.Data)), "\n", 3)
	for _, line := range lines[:min(len(lines), 2)] {
		words, wrong := splitLine(nil, line)
		if len(lines) == 1 || wrong != nil || len(words) == 0 {
			return err
		}
		if _, wrong = input.Text(words[0], input.Options{}); wrong != nil {
			return err
		}
	}
	arg := in.Name
	if !slices.Contains(t.app.args, arg) {
		arg = "@" + arg
	}
	return suggest.About(err, suggest.Word, arg, "--batch", in.Name)
}

// shapeLate replaces an error if the shape is missing.
func (t *tensorFlags) shapeLate(args []string, err error) error {
	isOther := func(arg string) bool {
		name, err := shape.ParseName(arg)
		return err != nil || !name.IsUsual() && !strings.ContainsAny(arg, "(:[")
	}
	if !slices.ContainsFunc(args, isOther) {
		return refuse("the sizes are missing: "+render.Quote(args[0])+" is a layout",
			"write the shape before it, such as 1x3x224x224")
	}
	if shapes, _ := shape.Expand(args[0]); shapes != nil {
		return refuse("braces make several rows, and only strides and size have rows", "one shape, such as "+shapes[0])
	}
	if unread, _ := notation.Unread(strings.Join(args, " ")); unread != nil && args[0] != "-" {
		err = suggest.About(unread, suggest.Unread, args...)
	} else {
		err = misshaped(err, args)
	}
	if _, wrong := owner.Read(args[0], owner.Options{}); wrong == nil {
		return suggest.About(err, suggest.Other, "owner")
	}
	return err
}

// misshaped adds a subject to the error of arguments that should start with a shape.
func misshaped(err error, args []string) error { return suggest.About(err, suggest.Shape, args...) }

// tensor returns the tensor of the arguments, and the arguments after it, at least as many as after says. IsName tells
// the name of a layout from other arguments after the shape.
func (t *tensorFlags) tensor(
	args []string, after int, isName func(string) bool,
) (tensor layout.Tensor, rest []string, err error) {
	in, rest, err := t.find(args, after, isName)
	return t.tensorOf(in, rest, isName, err)
}

// tensorOf is tensor once the input is found.
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
		return tensor, nil, refuse("the layout is given twice", "leave out "+render.Quote(rest[0])+" or --layout")
	case in.Kind != input.Shape:
		tensor, err = t.chosen(in, t.spec)
		return tensor, rest, err
	}
	if in.Format != nil {
		tensor, err = t.plane(in, t.spec)
		return tensor, rest, err
	}
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

// takeStrides takes a list with commas, blanks or brackets as the strides, if the command takes no other lists. An
// order of the axes is refused: it may be that of a permutation.
func (t *tensorFlags) takeStrides(args []string) (rest []string, err error) {
	if !t.lists || len(args) == 0 || !strings.ContainsAny(args[0], ",([{ ") {
		return args, nil
	}
	list, err := shape.ParseStrideAmounts(args[0])
	if err != nil {
		return args, nil
	}
	switch {
	case list.Len() > 1 && layout.IsOrder(list.Values()):
		err = refuse(render.Quote(args[0])+" may be an order of the axes or strides",
			"--view 'permute("+layout.JoinInts(list.Values(), ",")+")', or --strides "+args[0])
		return nil, suggest.About(err, suggest.Order, args[0], layout.JoinInts(list.Values(), ","))
	case t.spec.Strides != nil:
		return nil, refuse("the strides are given twice", "").LeaveOut("--strides")
	}
	t.spec.Strides = &list
	t.noteBytes(list)
	return args[1:], nil
}

// noteBytes notes that strides without a flag count elements, if they may be bytes: whole elements each.
func (t *tensorFlags) noteBytes(list shape.List) {
	bytes := t.spec.DType.Bits() / 8
	texts := make([]string, list.Len())
	for i, n := range list.Values() {
		if bytes < 2 || n%bytes != 0 {
			return
		}
		texts[i] = fmt.Sprintf("%dB", n)
	}
	if counted, err := list.Elements(t.spec.DType); err == nil && slices.Equal(counted, list.Values()) {
		t.app.Note("the strides count elements; if they are bytes: " + strings.Join(texts, ","))
	}
}

// only is tensor for commands without other arguments.
func (t *tensorFlags) only(args []string) (layout.Tensor, error) {
	in, rest, err := t.find(args, 0, input.IsLayout)
	return t.alone(in, rest, args, err)
}

// alone is only once the input is found.
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
	return misshaped(refuse("unexpected argument "+render.Quote(arg), hint), args)
}

// chosen returns the tensor that flags choose from an input, adjusted by a Spec and viewed. The input's parts that are
// no part of a layout become notes.
func (t *tensorFlags) chosen(in *input.Input, s shape.Spec) (layout.Tensor, error) {
	x, err := in.Tensor(t.name)
	switch {
	case err != nil || t.block == nil:
	case x.Typed:
		err = t.contradicts(x.DType())
	default:
		err = t.inBlocks(x.Tensor)
	}
	if err != nil {
		return layout.Tensor{}, t.inLines(in, t.packed(err))
	}
	t.app.Note(x.Notes...)
	t.made = shape.Spec{}
	return t.viewed(s.Adjust(x.Tensor))
}

// make returns the tensor of a Spec, viewed, and notes its assumptions.
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
	return t.viewed(tensor, t.packed(err))
}

// image returns the image of an input with a format, with the flags of a Spec, and notes how it is read.
func (t *tensorFlags) image(in *input.Input, s shape.Spec) (*shape.Image, error) {
	image, err := in.Image(s)
	if err == nil {
		t.app.Note(image.Notes...)
	}
	return image, err
}

// plane returns the plane of an image that --tensor chooses.
func (t *tensorFlags) plane(in *input.Input, s shape.Spec) (layout.Tensor, error) {
	image, err := t.image(in, s)
	if err != nil {
		return layout.Tensor{}, err
	}
	p, err := in.Plane(image, t.name)
	if err != nil {
		return layout.Tensor{}, err
	}
	return t.make(p.Spec)
}

// inBlocks returns the error of a tensor whose elements are in blocks. Rows follow one another in them.
func (t *tensorFlags) inBlocks(tensor layout.Tensor) error {
	sizes, ok := shape.SizesInMemory(tensor.Layout())
	if !ok || len(t.steps) > 0 || tensor.Layout().Base() != 0 {
		return refuse(t.block.Name+" packs whole rows, one after another: they have no strides, padding or views",
			"the sizes and -t alone")
	}
	isOne := func(n int64) bool { return n == 1 }
	if all := tensor.Layout().Sizes(); slices.Equal(slices.DeleteFunc(slices.Clone(all), isOne), sizes) {
		sizes = all // row-major
	}
	return &layout.BlockError{Block: *t.block, Sizes: sizes}
}

// contradicts is the error of a text with a type of elements beside a type of blocks.
func (t *tensorFlags) contradicts(d layout.DType) error {
	return refuse("the text says that elements are "+d.String()+", -t that they are "+t.block.Name, "").LeaveOut("-t")
}

// packed adds a subject to the error of elements in blocks: the command size answers for them.
func (t *tensorFlags) packed(err error) error {
	var packed *layout.BlockError
	if !errors.As(err, &packed) {
		return err
	}
	return suggest.About(err, suggest.Word, t.app.command, "size")
}

// viewed applies the steps of --view to a tensor, unless there is an error.
func (t *tensorFlags) viewed(tensor layout.Tensor, err error) (layout.Tensor, error) {
	if err != nil {
		return layout.Tensor{}, err
	}
	t.noteSwizzle(tensor)
	views, err := view.Apply(tensor, t.steps, t.of)
	t.noteSteps(t.steps)
	switch {
	case err != nil:
		return tensor, t.unviewed(err, tensor, t.steps, len(views))
	case len(views) == 0:
		return tensor, nil
	}
	for i, v := range views {
		switch {
		case v.Copied && t.copied == "":
			t.copied = t.steps[i].String()
		case v.Why != "" && !v.Copied:
			t.app.Note(t.steps[i].String() + ": " + v.Why)
		}
	}
	return views[len(views)-1].Tensor, nil
}

// noteSwizzle notes what the numbers of a swizzle count, and a swizzle that moves nothing.
func (t *tensorFlags) noteSwizzle(tensor layout.Tensor) {
	for _, s := range tensor.Layout().Swizzles() {
		note := s.String() + " counts elements of " + scan.Count(tensor.DType().Bits(), "bit")
		if over, err := s.Recast(tensor.DType().Bits(), 8); err == nil && over != s {
			note += "; over bytes it is " + over.String()
		}
		t.app.Note(note)
	}
	switch l := tensor.Layout(); {
	case !l.IsSwizzled():
	case l.IsIdle():
		t.app.Note("the swizzle moves no element: no offset has one of the bits that it reads")
	case t.app.command == "check":
		t.app.Note("check judges the layout without the swizzle, which moves elements within " +
			scan.Count(l.Period(), "offset"))
	}
}

// isType reports whether a word is an element type and not the name of a layout.
func isType(word string) bool {
	_, err := shape.ParseName(word) // which takes less time than to look for a type
	return err != nil && input.IsLayout(word) && layout.IsType(word)
}

// takeWord takes an element type out of the words after a shape, where isName tells words from steps and indices.
func (t *tensorFlags) takeWord(in *input.Input, words []string, isName func(string) bool) ([]string, error) {
	at := slices.IndexFunc(words, func(word string) bool {
		return isName(word) && t.app.line.remembered(word) == nil && isType(word)
	})
	if at < 0 || in.Kind != input.Shape {
		return words, nil
	}
	if t.typed || t.block != nil || in.Typed {
		return nil, refuse("the element type is given twice", "leave out "+render.Quote(words[at])).LeaveOut("-t")
	}
	t.dtype = words[at]
	return slices.Concat(words[:at], words[at+1:]), t.readType()
}

// unviewed adds a subject to the error of a step, if it is a view that needs a copy: reshape makes one.
func (t *tensorFlags) unviewed(err error, start layout.Tensor, steps []view.Step, failed int) error {
	step := steps[failed].String()
	sizes, isView := strings.CutPrefix(step, "view(")
	more, wrong := view.ParseSteps("reshape(" + sizes)
	if !isView || wrong != nil {
		return err
	}
	if _, wrong = view.Apply(start, slices.Concat(steps[:failed], more), t.of); wrong != nil {
		return err
	}
	return suggest.About(err, suggest.Part, step, "reshape("+sizes)
}

// noteWide notes offsets that 32 bits do not hold.
func (t *tensorFlags) noteWide(tensor layout.Tensor) {
	if note := facts.Wide(tensor); note != "" {
		t.app.Note(note)
	}
}

// noteSteps notes the order in which steps count the axes, if the sizes are written in another.
func (t *tensorFlags) noteSteps(steps []view.Step) {
	if !slices.ContainsFunc(steps, view.Step.Counts) {
		return
	}
	if counted, written := t.made.Orders(); written != nil {
		t.app.Note("steps count the axes as " + strings.Join(counted, ", ") + "; the sizes are written as " +
			strings.Join(written, ", "))
	}
}

// shapes reports whether a flag gives strides, offsets or views, which texts of whole tensors give themselves.
func (t *tensorFlags) shapes() bool { return t.spec.Shapes() || len(t.steps) > 0 }

// pair returns the two tensors of the arguments: SHAPE A B, or an input with SHAPE and A, then B or another input.
// Flags about storage apply to B alone, and --view to A alone; B then has the sizes of the view.
func (t *tensorFlags) pair(args []string) (a, b layout.Tensor, err error) {
	if len(args) == 2 && view.IsPattern(args[1]) {
		if args, err = patternPair(args[0], args[1]); err != nil {
			return a, b, err
		}
	}
	in, rest, err := t.find(args, 1, input.IsLayout)
	want, all := 2, "the arguments are a shape and two layouts"
	few := "two layouts are needed after the shape"
	such := "such as 1x3x224x224 NCHW NHWC, or strides in place of a name"
	if err == nil && t.whole {
		want, all = 1, "a notation says the shape and the first layout"
		few = "a second layout is needed"
		such = "a name, strides, or a notation, such as " + t.app.examples("", "memref<2x3xf32>")
		if in.Kind == input.TensorFile && t.app.command == "convert" {
			all = "--in FILE and --out FILE move the data of a file"
		}
	}
	switch {
	case err != nil && len(args) > 3:
		err = refuse("unexpected argument "+render.Quote(args[3]), all)
	case err != nil:
	case len(rest) > want:
		err = refuse("unexpected argument "+render.Quote(rest[want]), all)
	case len(rest) < want:
		missing := []string{"row-major", "column-major"}[:want-len(rest)]
		err = suggest.About(refuse(few, such), suggest.Missing, missing...)
		if want == 2 && len(rest) == 1 {
			again, _ := shape.ParseShape(rest[0])
			if n := in.Sizes.Len(); slices.Equal(again.Values(), in.Sizes.Values()) {
				err = suggest.About(refuse(few, such), suggest.Word, append(rest, pairOf(n)...)...)
			}
		}
	default:
		a, err = t.left(in, rest)
	}
	if err == nil {
		b, err = t.right(in, a, rest)
	}
	if err != nil {
		return a, b, err
	}
	b = shape.Alike(b, a.Layout())
	return a, b, facts.SameAxes(a.Layout(), b.Layout())
}

// pairOf returns two layouts that are much used for a rank.
func pairOf(rank int) []string {
	pairs := [...]string{2: "HW WH", 3: "CHW HWC", 4: "NCHW NHWC", 5: "NCDHW NDHWC"}
	if rank >= len(pairs) || pairs[rank] == "" {
		return []string{"row-major", "column-major"}
	}
	return strings.Fields(pairs[rank])
}

// patternPair turns a shape and a pattern of einops into arguments: the sizes with a letter for each axis, and the
// letters in the orders before and after the arrow.
func patternPair(dims, pattern string) ([]string, error) {
	from, to, err := view.Letters(pattern)
	if err != nil {
		return nil, err
	}
	sizes, err := shape.ParseShape(dims)
	if err != nil {
		return nil, err
	}
	if sizes.Len() != len(from) {
		return nil, refuse(fmt.Sprintf("the pattern has %s, but the shape has %s", scan.Count(len(from), "axis"),
			scan.Count(sizes.Len(), "size")),
			"one name for each size, such as b c h w -> b h w c")
	}
	labels := make([]string, len(from))
	for i, size := range sizes.Values() {
		labels[i] = fmt.Sprintf("%c=%d", from[i], size)
	}
	return []string{strings.Join(labels, ","), from, to}, nil
}

// left returns A.
func (t *tensorFlags) left(in *input.Input, layouts []string) (a layout.Tensor, err error) {
	s := t.spec
	s.Pad, s.Pitch, s.Align, s.Broadcast, s.Lead, s.Chunks, s.Tile, s.Swizzle = nil, nil, nil, nil, nil, nil, nil, nil
	s.For = nil
	switch {
	case in.Format != nil:
		return t.plane(in, s)
	case in.Kind != input.Shape:
		return t.chosen(in, s)
	}
	if s.Shape, s.Name = in.Sizes, in.Layout; s.Name == nil {
		err = t.named(&s, layouts[0])
	}
	if err != nil {
		return a, err
	}
	return t.make(s)
}

// right returns B, once A is known.
func (t *tensorFlags) right(in *input.Input, a layout.Tensor, layouts []string) (b layout.Tensor, err error) {
	last, viewed := layouts[len(layouts)-1], len(t.steps) > 0
	t.steps = nil
	s := t.spec
	if s.Shape = in.Sizes; in.Kind != input.Shape || in.Format != nil || viewed {
		s.Shape, s.Order, s.Rank = shape.SizesOf(a.Layout()), nil, 0
	}
	if strings.HasPrefix(last, "[") {
		s.Shape = shape.SizesOf(a.Layout()) // its letters label the sizes
	}
	if names := a.Layout().AxisNames(); scan.Alphabetical(strings.Join(names, "")) {
		s.Shape = shape.NewList(a.Layout().Sizes(), nil) // other names do not know the letters of a tag
	}
	if notation.IsMemory(last) {
		other, err := input.Sized(last, a.Layout().Sizes(), t.options())
		if err != nil {
			return b, err
		}
		return t.chosen(other, t.spec)
	}
	s.DType = a.DType()
	if err = t.named(&s, last); err == nil {
		return t.make(s)
	}
	other, _, otherErr := t.find(layouts[len(layouts)-1:], 0, input.IsLayout)
	_, isSource := input.Path(last)
	if otherErr != nil && isSource {
		s.Strides = nil
		if text, err := t.app.textOf(last); err == nil && t.named(&s, text) == nil {
			return t.make(s)
		}
	}
	var inFile *input.Error
	switch {
	case otherErr != nil && (isSource || input.Recognises(last) || input.NamingOf(last).Is(input.KnownName)),
		errors.As(otherErr, &inFile):
		return b, otherErr
	case otherErr != nil:
		return b, err
	case len(layouts) > 1:
		msg := "a notation for the second tensor needs one for the first"
		return b, refuse(msg, "such as "+t.app.examples(" ", "f32[2,3]{1,0}", "f32[2,3]{0,1}"))
	}
	return t.chosen(other, t.spec)
}

// named sets the layout of a Spec to that of an argument: a name, strides, or a shape such as 2x3, which is row-major.
func (t *tensorFlags) named(s *shape.Spec, arg string) (err error) {
	if input.IsLayout(arg) {
		s.Name, err = t.app.line.layoutName(arg)
		return err
	}
	if sizes, err := shape.ParseShape(arg); err == nil && sizes.Len() > 1 && !strings.ContainsAny(arg, ", ") {
		if !slices.Equal(sizes.Values(), s.Shape.Values()) {
			s.Shape = sizes
		}
		s.Name, err = t.app.line.layoutName("row-major")
		return err
	}
	strides, err := shape.ParseStrideAmounts(arg)
	if err == nil && strides.Len() > 1 && slices.Equal(strides.Values(), s.Shape.Values()) {
		t.app.Note(render.Quote(arg) + " are read as strides; the layout of the shape itself is row-major")
	}
	if err == nil {
		t.noteBytes(strides)
	}
	s.Strides = &strides
	return err
}
