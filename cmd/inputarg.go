package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout"
	"layoutcalc/layout/input"
	"layoutcalc/layout/kernel"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/tvlayout"
	"layoutcalc/render"
)

// find is like findInput, but also takes the name of a tensor after the input.
func (t *tensorFlags) find(args []string, after int, isName func(string) bool) (*input.Input, []string, error) {
	in, rest, err := t.findInput(args, after, isName)
	switch {
	case err == nil:
		rest, err = t.takeName(in, rest)
	case kernel.IsQuestion(err) && len(args) > 1 && t.name == "" && args[0] != "-" && t.defines(args[1]):
		t.name = args[1]
		in, rest, err = t.findInput(slices.Concat(args[:1], args[2:]), after, isName)
	default:
		if file, others := t.nameFirst(args, isName); file != nil {
			return file, others, nil
		}
	}
	return in, rest, err
}

// defines reports whether the input is the source of a kernel that defines a name.
func (t *tensorFlags) defines(name string) bool {
	s := kernel.Parse(string(t.source), t.given.names)
	return s != nil && s.Has(name)
}

// findInput reads the input in the first arguments, and returns the arguments after it. The last after arguments cannot
// belong to an input that the shell has split. The function isName distinguishes words about the tensor from other
// arguments.
func (t *tensorFlags) findInput(
	args []string, after int, isName func(string) bool,
) (in *input.Input, rest []string, err error) {
	if meant := shapeFirst(args); meant != nil {
		at := slices.Index(args, meant[0]) + 1
		t.app.Note("the shape comes first: read as " + strings.Join(meant[:at], " "))
		args = meant
	}
	own := max(1, len(args)-after)
	in, n, err := input.Find(args[:own], t.app.Open, t.options())
	if in != nil {
		t.source = in.Data
	}
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			return nil, nil, err
		}
		return nil, nil, t.inLines(in, t.missingShapeError(args, err))
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

// errTwoChosen is the error for a name of a tensor behind a file, and another one in --tensor.
func errTwoChosen(name, flag string) error {
	return refuse("two tensors are chosen: "+render.Quote(name)+" and "+render.Quote(flag), "").LeaveOut("--tensor")
}

// takeName removes the name of one of several tensors, or a pattern of names, from the words after an input.
func (t *tensorFlags) takeName(in *input.Input, words []string) ([]string, error) {
	switch {
	case in.Chosen != "" && t.name != "":
		return nil, errTwoChosen(in.Chosen, t.name)
	case len(words) == 0 || t.name != "" || in.Chosen != "" || in.Kind == input.Lines || in.Kind == input.Shape &&
		in.Format == nil:
		return words, nil
	case in.Choose(words[0]):
		return words[1:], nil
	}
	var misspelt *layout.SyntaxError
	if _, err := in.Tensor(words[0]); errors.As(err, &misspelt) && misspelt.Change.Word != "" {
		return nil, err
	}
	return words, nil
}

// nameFirst reads the file in the arguments if the first of them names one of its tensors, and returns the arguments
// without both; otherwise in is nil.
func (t *tensorFlags) nameFirst(args []string, isName func(string) bool) (in *input.Input, rest []string) {
	isFile := func(arg string) bool { return input.NamingOf(arg).Is(input.KnownName) && t.app.exists(arg) }
	at := slices.IndexFunc(args, isFile)
	if at <= 0 || t.name != "" {
		return nil, nil
	}
	in, _, err := t.findInput(args[at:at+1], 0, isName)
	if err != nil || !in.Choose(args[0]) {
		return nil, nil
	}
	t.app.Note("the file comes first: read as " + t.app.examples(" ", args[at], args[0]))
	return in, slices.Concat(args[1:at], args[at+1:])
}

// shapeFirst moves the shape in arguments before the layouts and types at their start. It returns nil if there is
// nothing to move. Other words, as in input 1x3x224x224, are not layouts there.
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

// first moves the first argument that fits before the others, and adds a note about it. It returns args unchanged if
// there is nothing to move. The note calls the argument kind.
func (a *app) first(args []string, kind string, fits func(arg string) bool) []string {
	at := slices.IndexFunc(args, fits)
	if at <= 0 {
		return args
	}
	moved := slices.Concat(args[at:at+1], args[:at], args[at+1:])
	a.Note("the " + kind + " comes first: read as " + a.examples(" ", slices.Clone(moved)...))
	return moved
}

// inLines adds to the error of a source that its lines may be calls, which --batch answers, if the first two start with
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

// missingShapeError returns the error for arguments without a shape, or err with a subject.
func (t *tensorFlags) missingShapeError(args []string, err error) error {
	isOther := func(arg string) bool {
		name, err := shape.ParseName(arg)
		return err != nil || !name.IsUsual() && !strings.ContainsAny(arg, "(:[")
	}
	if !slices.ContainsFunc(args, isOther) {
		return refuse("the sizes are missing: "+render.Quote(args[0])+" is a layout",
			"write the shape before it, such as 1x3x224x224")
	}
	if shapes, _ := shape.Expand(args[0]); shapes != nil {
		why := "only strides and size have rows"
		if t.app.line != nil {
			why = "a line of a batch has one answer"
		}
		return refuse("braces make several rows, and "+why, "one shape, such as "+shapes[0])
	}
	if unread, _ := notation.Unread(strings.Join(args, " ")); unread != nil && args[0] != "-" {
		err = suggest.About(unread, suggest.Unread, args...)
	} else {
		err = misshaped(err, args)
	}
	if _, wrong := tvlayout.Read(args[0], tvlayout.Options{}); wrong == nil {
		return suggest.About(err, suggest.Other, "owner")
	}
	return err
}

// misshaped adds a subject to the error for arguments that should start with a shape.
func misshaped(err error, args []string) error { return suggest.About(err, suggest.Shape, args...) }

// takeWord removes an element type from the words after a shape. The function isName distinguishes words from steps and
// indices.
func (t *tensorFlags) takeWord(in *input.Input, words []string, isName func(string) bool) ([]string, error) {
	at := slices.IndexFunc(words, func(word string) bool {
		return isName(word) && t.app.line.remembered(word) == nil && isType(word)
	})
	if at < 0 || in.Kind != input.Shape {
		return words, nil
	}
	if t.typed || t.block != nil || in.Typed {
		return nil, refuse("the element type is given twice", "remove "+render.Quote(words[at])).LeaveOut("-t")
	}
	t.dtype = words[at]
	return slices.Concat(words[:at], words[at+1:]), t.readType()
}

// isType reports whether a word is an element type and not the name of a layout.
func isType(word string) bool {
	_, err := shape.ParseName(word) // this is faster than looking up a type
	return err != nil && input.IsLayout(word) && layout.IsType(word)
}

// takeStrides takes a list with commas, spaces or brackets as the strides, if the command takes no other lists. It
// rejects an order of the axes, which may be meant as a permutation.
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

// noteBytes adds a note that strides without a flag count elements, if they could be bytes because they are whole
// elements.
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
