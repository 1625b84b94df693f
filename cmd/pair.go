package cmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/input"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/view"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// pair returns the two tensors of the arguments: SHAPE A B, or an input with SHAPE and A, followed by B or another
// input. Flags about storage apply only to B, and --view only to A; B then has the sizes of the view.
func (t *tensorFlags) pair(args []string) (a, b layout.Tensor, err error) {
	in, layouts, err := t.findPair(args)
	if err != nil {
		return a, b, err
	}
	if a, b, err = t.makePair(in, layouts); err != nil {
		return a, b, err
	}
	return a, b, analysis.SameAxes(a.Layout(), b.Layout())
}

// findPair returns the first input of a pair, and the layouts after it.
func (t *tensorFlags) findPair(args []string) (in *input.Input, layouts []string, err error) {
	if len(args) == 2 && view.IsPattern(args[1]) {
		if args, err = patternPair(args[0], args[1]); err != nil {
			return nil, nil, err
		}
	}
	in, layouts, err = t.findInput(args, 1, input.IsLayout)
	switch {
	case err != nil && len(args) > 3:
		err = refuse("unexpected argument "+render.Quote(args[3]), shapePair.usage)
	case err == nil:
		err = t.checkLayouts(in, layouts)
	}
	return in, layouts, err
}

// makePair returns the two tensors of an input and the layouts after it. They may have different sizes.
func (t *tensorFlags) makePair(in *input.Input, layouts []string) (a, b layout.Tensor, err error) {
	if a, err = t.left(in, layouts); err == nil {
		b, err = t.right(in, a, layouts)
	}
	if err != nil {
		return a, b, err
	}
	return a, shape.Alike(b, a.Layout()), nil
}

// A pairForm describes the layouts that follow the first argument of a pair.
type pairForm struct {
	layouts  int    // the number of layouts
	usage    string // the hint for more
	few, fix string // the error for fewer, and its hint
}

// shapePair is the form of a pair that starts with a shape.
var shapePair = pairForm{
	2, "the arguments are a shape and two layouts", "two layouts are needed after the shape",
	"such as 1x3x224x224 NCHW NHWC, or strides instead of a name",
}

// pairForm returns the form of a pair that starts with the input.
func (t *tensorFlags) pairForm(in *input.Input) pairForm {
	if !t.whole {
		return shapePair
	}
	form := pairForm{
		1, "a notation says the shape and the first layout", "a second layout is needed",
		"a name, strides, or a notation, such as " + t.app.examples("", "memref<2x3xf32>"),
	}
	if in.Kind == input.TensorFile && t.app.command == "convert" {
		form.usage = "--in FILE and --out FILE move the data of a file"
	}
	return form
}

// checkLayouts returns an error if there are more or fewer layouts after the input than a pair has.
func (t *tensorFlags) checkLayouts(in *input.Input, layouts []string) error {
	form := t.pairForm(in)
	switch missing := form.layouts - len(layouts); {
	case missing == 0:
		return nil
	case missing < 0:
		return refuse("unexpected argument "+render.Quote(layouts[form.layouts]), form.usage)
	case form.layouts == 2 && missing == 1:
		again, err := shape.ParseShape(layouts[0])
		if n := in.Sizes.Len(); err == nil && again.Len() == n {
			return suggest.About(refuse(form.few, form.fix), suggest.Word, append(layouts, pairOf(n)...)...)
		}
	}
	missing := []string{"row-major", "column-major"}[:form.layouts-len(layouts)]
	return suggest.About(refuse(form.few, form.fix), suggest.Missing, missing...)
}

// pairOf returns two common layouts for a rank.
func pairOf(rank int) []string {
	pairs := [...]string{2: "HW WH", 3: "CHW HWC", 4: "NCHW NHWC", 5: "NCDHW NDHWC"}
	if rank >= len(pairs) || pairs[rank] == "" {
		return []string{"row-major", "column-major"}
	}
	return strings.Fields(pairs[rank])
}

// patternPair converts a shape and an einops pattern to arguments: the sizes with a letter for each axis, and the
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
		return nil, refuse(fmt.Sprintf("the pattern has %s, but the shape has %s", wording.Count(len(from), "axis"),
			wording.Count(sizes.Len(), "size")),
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

// right returns B, given A. The last layout applies to the sizes of A, or the last argument is another input.
func (t *tensorFlags) right(in *input.Input, a layout.Tensor, layouts []string) (b layout.Tensor, err error) {
	last, s := layouts[len(layouts)-1], t.spec
	s.Shape = in.Sizes
	if in.Kind != input.Shape || in.Format != nil || len(t.steps) > 0 {
		s.Shape, s.Order, s.Rank = shape.SizesOf(a.Layout()), nil, 0
	}
	if strings.HasPrefix(last, "[") {
		s.Shape = shape.SizesOf(a.Layout()) // its letters label the sizes
	}
	if names := a.Layout().AxisNames(); lexer.Alphabetical(strings.Join(names, "")) {
		s.Shape = shape.NewList(a.Layout().Sizes(), nil) // other names do not have the letters of a tag
	}
	t.steps = nil
	if notation.IsMemory(last) {
		other, err := input.Sized(last, a.Layout().Sizes(), t.options())
		if err != nil {
			return b, err
		}
		return t.chosen(other, t.spec)
	}
	s.DType = a.DType()
	named := s
	if err = t.named(&named, last); err == nil {
		return t.make(named)
	}
	other, _, otherErr := t.find(layouts[len(layouts)-1:], 0, input.IsLayout)
	switch {
	case otherErr != nil:
		return t.readLayout(s, last, err, otherErr)
	case len(layouts) > 1:
		msg := "a notation for the second tensor needs one for the first"
		return b, refuse(msg, "such as "+t.app.examples(" ", "f32[2,3]{1,0}", "f32[2,3]{0,1}"))
	}
	return t.chosen(other, t.spec)
}

// readLayout returns B if the argument is a source of a layout. Otherwise it returns one of the given errors: asLayout,
// or asInput if the argument looks like an input.
func (t *tensorFlags) readLayout(s shape.Spec, arg string, asLayout, asInput error) (b layout.Tensor, err error) {
	_, isSource := input.Path(arg)
	if isSource {
		if text, err := t.app.textOf(arg); err == nil && t.named(&s, text) == nil {
			return t.make(s)
		}
	}
	var inFile *input.Error
	if isSource || input.Recognises(arg) || input.NamingOf(arg).Is(input.KnownName) || errors.As(asInput, &inFile) {
		return b, asInput
	}
	return b, asLayout
}

// named sets the layout of a Spec to the layout of an argument: a name, strides, or a shape such as 2x3, which is
// row-major.
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
