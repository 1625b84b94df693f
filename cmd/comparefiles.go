package cmd

import (
	"cmp"
	"errors"
	"io/fs"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/input"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
	"layoutcalc/render"
)

// isFile reports whether an input is a file of tensors.
func isFile(in *input.Input) bool {
	switch in.Kind {
	case input.TensorFile, input.Index, input.Lines, input.Document:
		return in.Name != "" || in.Kind != input.Document
	}
	return false
}

// otherFile returns the second file if both inputs of a pair are files, and otherwise nil.
func (f *compareFlags) otherFile(in *input.Input, layouts []string) (*input.Input, error) {
	last := layouts[len(layouts)-1]
	_, asName := shape.ParseName(last)
	_, asStrides := shape.ParseStrideAmounts(last)
	if !isFile(in) || asName == nil || asStrides == nil {
		return nil, nil
	}
	whole := f.tensor.whole
	other, _, err := f.tensor.find(layouts[len(layouts)-1:], 0, input.IsLayout)
	if err == nil && isFile(other) {
		return other, nil
	}
	f.tensor.whole = whole
	_, isSource := input.Path(last)
	switch {
	case isSource || input.NamingOf(last).Is(input.KnownName) || errors.Is(err, fs.ErrNotExist):
		return nil, err
	case f.tensor.nameIn(in) == "" && len(in.Names(2)) > 1:
		return nil, refuse(render.Quote(last)+" is neither a file nor a layout",
			"compare two files, or one tensor of a file")
	}
	return nil, nil
}

// files compares two files: all tensors, or the tensor that --tensor names in each, or the only tensor of each.
func (f *compareFlags) files(a *app, in, other *input.Input, err error) error {
	if err != nil {
		return err
	}
	var lists [2]*descriptor.Listing
	isGlob := false
	isOne := f.tensor.typed || f.tensor.shapes() || f.out.as != nil || f.picture.wanted()
	for i, file := range [...]*input.Input{in, other} {
		if lists[i], err = f.listing(file); err != nil {
			return err
		}
		isOne = isOne || lists[i] == nil || file.IsArray()
		isGlob = isGlob || lexer.IsGlob(f.tensor.nameIn(file))
	}
	if isOne || lists[0].Len == 1 && lists[1].Len == 1 && !isGlob {
		return f.fileTensors(a, in, other)
	}
	if lists[0].Len+lists[1].Len == 0 {
		return refuse("no tensor has a name like "+render.Quote(f.tensor.name), "")
	}
	for _, file := range [...]*input.Input{in, other} {
		for _, note := range file.Notes {
			a.Note(file.Name + ": " + note)
		}
	}
	answer := render.Pairs{
		Names: [2]string{in.Name, other.Name}, Lists: lists, All: descriptor.PairRows(lists[0], lists[1]),
		Most: f.mostRows(a),
	}
	if f.data {
		if answer.Values, err = a.comparePairs(in, other, answer.All); err != nil {
			return err
		}
	}
	return verdict(a.printer(&f.out).Print(answer), answer.Same())
}

// listing lists the tensors of a file, or the tensors with names that match the pattern of --tensor. It returns nil if
// --tensor names one tensor, and for files without a list.
func (f *compareFlags) listing(in *input.Input) (*descriptor.Listing, error) {
	matches, pattern := func(string) bool { return true }, f.tensor.nameIn(in)
	switch {
	case lexer.IsGlob(pattern):
		matches = func(name string) bool { return lexer.Glob(pattern, name) }
	case pattern != "":
		return nil, nil
	}
	return in.List(matches, nil)
}

// fileTensors compares a tensor of one file with a tensor of another. If one is an array, which has no name, --tensor
// does not apply to it.
func (f *compareFlags) fileTensors(a *app, in, other *input.Input) error {
	t, name := &f.tensor, f.tensor.name
	named := func(in *input.Input, against *input.Input) string {
		if in.IsArray() && !against.IsArray() {
			return ""
		}
		return cmp.Or(in.Chosen, name)
	}
	t.name = named(in, other)
	x, err := t.left(in, nil)
	if err != nil {
		return err
	}
	t.name, t.steps = named(other, in), nil
	y, err := t.chosen(other, t.spec)
	if err != nil {
		return err
	}
	y = shape.Alike(y, x.Layout())
	answer := render.Comparison{A: x, B: y, Typed: true}
	if f.data {
		names := [2]string{named(in, other), named(other, in)}
		if answer.Values, err = a.compareChosen([2]*input.Input{in, other}, names, x, y); err != nil {
			return err
		}
	}
	return f.tensors(a, answer)
}
