package cmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout"
	"layoutcalc/layout/algebra"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/input"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

// An offsetFlags is a request of the command offset: elements or offsets to find.
type offsetFlags struct {
	at        string
	atOffsets []int64      // in at, unless it names a source of offsets
	indices   [][]int64    // in the arguments, unless they name a source of indices
	offsets   *offsetRange // of --range
	values    string
	all       bool
	request
}

// offsetCommand makes c the command offset.
func (a *app) offsetCommand(c *cobra.Command) {
	var flags offsetFlags
	c.Args = a.needArguments
	c.RunE = func(_ *cobra.Command, args []string) error {
		t, indices, err := flags.tensor.tensor(args, 0, input.IsLayout)
		if err == nil {
			err = flags.check(indices)
		}
		if err == nil {
			err = flags.readAt(a, t)
		}
		if err != nil {
			return err
		}
		flags.tensor.noteWide(t)
		flags.tensor.noteIndex(t.Layout(), indices)
		if order := flags.tensor.order(); order != nil && flags.at != "" {
			a.Note("indices are listed as " + strings.Join(t.Layout().AxisNames(), ", ") + ", and typed as " +
				strings.Join(order, ", "))
		}
		if err := flags.readIndices(t, args[0], indices); err != nil {
			return err
		}
		picture := func(o draw.Options) (*draw.Picture, error) { return flags.draw(o, t) }
		say := func(p *render.Printer) error { return flags.offset(p, t, indices) }
		return flags.answer(a, picture, say, t)
	}
	flags.tensor.add(a, c)
	flags.add(c)
	flags.out.addBuffer(c)
	addRequest(a, c, &flags.request, &flags)
}

// draw draws the tensor, with outlines around the elements of the arguments or of --at.
func (f *offsetFlags) draw(o draw.Options, t layout.Tensor) (picture *draw.Picture, err error) {
	if o.Labels, err = valuesWindow(f.values, t); err != nil {
		return nil, err
	}
	o.MarkAt, o.Mark = f.atOffsets, f.indices
	if o.From, o.To, err = f.offsets.in(t.DType()); err != nil {
		return nil, err
	}
	return draw.Tensor(t, o)
}

// noteIndex adds a note on how the first index without labels is read, if the sizes are written in another order, as
// all sizes of images are.
func (t *tensorFlags) noteIndex(l layout.Layout, indices []string) {
	if len(t.steps) > 0 {
		return // views change the sizes
	}
	for _, arg := range indices {
		index, err := shape.ParseIndex(arg)
		_, isSource := input.Path(arg)
		if !isSource && (err != nil || index.Labels() != nil) {
			continue
		}
		counted, written := t.made.Orders()
		var labelled []string
		for i, n := range index.Values() {
			if len(written) == index.Len() {
				labelled = append(labelled, fmt.Sprintf("%s=%d", written[i], n))
			}
		}
		switch order := strings.Join(t.order(), ", "); {
		case t.planar && order == "":
			t.app.Note("indices are read as " + strings.Join(l.AxisNames(), ", ") + ": row, then column")
		case t.planar:
			t.app.Note("indices are read as " + order + "; the answer lists " + strings.Join(l.AxisNames(), ", "))
		case written == nil:
		case order != "" && (isSource || labelled != nil):
			t.app.Note("indices are read as " + order + ", in the order of --order")
		case isSource:
			t.app.Note("indices without labels are read as " + strings.Join(counted, ", ") +
				"; the sizes are written as " + strings.Join(written, ", "))
		case labelled != nil:
			t.app.Note("index read as " + strings.Join(counted, ", ") + "; if it is in the order of the sizes: " +
				strings.Join(labelled, ","))
		}
		return
	}
}

// parseIndex reads an index into the layout. Without labels, it is in the order of --order, like the sizes.
func (t *tensorFlags) parseIndex(l layout.Layout, text string) ([]int64, error) {
	index, err := shape.ParseIndex(text)
	if err != nil {
		return nil, err
	}
	if order := t.order(); len(order) == index.Len() && index.Labels() == nil {
		index = index.Labelled(order)
	}
	return shape.Index(l, index)
}

// order returns the axes in the order of --order. It returns nil if this is the order of the layout, or view steps have
// changed the axes.
func (t *tensorFlags) order() []string {
	if t.made.Order == nil || len(t.steps) > 0 {
		return nil
	}
	_, written := t.made.Orders()
	return written
}

func (f *offsetFlags) add(c *cobra.Command) {
	flags := c.Flags()
	textFlag(flags, "at", "N", &f.at)
	flag(flags, "range", "A:B", parseRange, into(&f.offsets))
	textFlag(flags, "values", "LIST", &f.values)
	boolFlag(flags, "all", &f.all)
}

// offsetConflicts lists parts of a call of offset that exclude each other.
var offsetConflicts = []conflict{
	{"as", "at range all index", "--as writes the tensor, not offsets",
		"remove the index, --at, --range and --all, or --as"},
	{"range", "at index", "--range shows a part of the whole storage", "remove the index and --at, or --range"},
	{"all", "at index", "--all shows the whole storage", "remove the index and --at, or --all"},
}

// check rejects flags and indices that exclude each other.
func (f *offsetFlags) check(indices []string) error {
	some := len(indices) > 0
	if f.at != "" && some && f.out.as == nil {
		return refuse("--at asks for an offset, "+render.Quote(indices[0])+" for an index", "give one of them")
	}
	err := findConflict(offsetConflicts, map[string]bool{
		"as": f.out.as != nil, "at": f.at != "", "range": f.offsets != nil, "all": f.all, "index": some,
	})
	if err != nil {
		return err
	}
	isSource := func(arg string) bool { _, ok := input.Path(arg); return ok }
	switch {
	case len(indices) > 1 && slices.ContainsFunc(indices, isSource):
		return refuse("- and @FILE are lists of indices, and cannot be used with others",
			"give one list, and no other index")
	case f.values != "" && (f.at != "" || some || !f.out.isPicture()) && !f.picture.wanted():
		return refuse("--values are shown in pictures of the storage only",
			"remove the index, --at, --get and -o")
	}
	return nil
}

// readAt reads the offsets of --at, and adds a note if the list may have been meant as an index.
func (f *offsetFlags) readAt(a *app, t layout.Tensor) error {
	if _, isSource := input.Path(f.at); isSource || f.at == "" {
		return nil
	}
	list, err := shape.ParseOffsets(f.at)
	if err != nil {
		return suggest.About(err, suggest.Range, f.at)
	}
	if f.atOffsets, err = list.Elements(t.DType()); err != nil {
		return err
	}
	_, beyond := t.Layout().CheckIndex(f.atOffsets)
	ascending := slices.IsSorted(f.atOffsets)
	if n := t.Layout().Rank(); n > 1 && len(f.atOffsets) == n && (beyond == nil || n > 2 && !ascending) {
		a.Note("--at " + f.at + " asks for " + wording.Count(n, "offset") + "; an index goes without --at")
	}
	return nil
}

// readIndices reads the indices in the arguments.
func (f *offsetFlags) readIndices(t layout.Tensor, text string, args []string) error {
	for _, arg := range args {
		if _, isSource := input.Path(arg); isSource {
			return nil
		}
		index, err := f.tensor.parseIndex(t.Layout(), arg)
		if err != nil {
			nested, wrong := f.nested(t, text, arg)
			switch {
			case wrong != nil:
				return wrong
			case nested == nil:
				return f.misindexed(err, t, args, arg)
			}
			index = nested
			f.tensor.app.Note(arg + " is the index " + layout.JoinInts(index, ",") +
				": CuTe counts the first mode fastest")
		}
		f.indices = append(f.indices, index)
	}
	return nil
}

// nested returns the index of a CuTe coordinate in the layout of an input: ((1,3),5), or 7 for the element that is
// seventh after the first. The index is nil if the layout or the coordinate is of another kind.
func (f *offsetFlags) nested(t layout.Tensor, text, coordinate string) (index []int64, err error) {
	c, err := algebra.ParseCoordinate(coordinate)
	if err != nil || t.System() != layout.CuTe || len(f.tensor.steps) > 0 {
		return nil, nil
	}
	if text, err = f.tensor.app.textOf(text); err != nil {
		return nil, nil
	}
	l, _, err := notation.ReadLayout(text, f.tensor.open)
	if err != nil {
		return nil, nil
	}
	return l.Index(c)
}

// offset writes the answer.
func (f *offsetFlags) offset(p *render.Printer, t layout.Tensor, args []string) error {
	switch {
	case f.at != "":
		return f.lookUp(p, t)
	case len(f.indices) > 0:
		return p.Offsets(t, withoutErrors(slices.Values(f.indices)))
	case len(args) > 0:
		return f.locate(p, t, args[0])
	}
	window, err := f.window(t)
	switch {
	case err != nil:
		return err
	case f.out.isPicture():
		return p.Picture(t, window)
	case f.offsets != nil:
		_, err = p.At(t, withoutErrors(func(yield func(int64) bool) {
			for n := window.From; n < window.To && yield(n); n++ {
			}
		}))
		return err
	}
	return p.Elements(t)
}

// locate writes the offset of each index in a source.
func (f *offsetFlags) locate(p *render.Printer, t layout.Tensor, source string) error {
	path, _ := input.Path(source)
	parse := func(text string) ([]int64, error) { return f.tensor.parseIndex(t.Layout(), text) }
	indices, err := lines(f.tensor.app, p, path, parse)
	if err != nil {
		return err
	}
	return p.Offsets(t, indices)
}

// misindexed adds a subject to the error for an argument that is not an index. It suggests strides if these would leave
// no gaps.
func (f *offsetFlags) misindexed(err error, t layout.Tensor, args []string, arg string) error {
	rank, joined, other := t.Layout().Rank(), strings.Join(args, ""), f.tensor.made
	if list, wrong := shape.ParseStrides(arg); wrong == nil && list.Len() > 1 && other.Strides == nil {
		other.Strides = &list
		if t, wrong := other.Tensor(); wrong == nil && analysis.Of(t.Layout()).Packed() == analysis.Yes {
			return suggest.About(err, suggest.Word, arg, "--strides", arg)
		}
	}
	_, wrong := shape.ParseIndex(strings.Join(args, ","))
	switch {
	case len(args) == rank && wrong == nil && !strings.Contains(joined, ","):
		return suggest.About(err, suggest.Indices, args...)
	case rank > 1:
		return suggest.About(err, suggest.Index, arg)
	}
	return err
}

// lookUp writes the elements at the offsets of --at or of a source.
func (f *offsetFlags) lookUp(p *render.Printer, t layout.Tensor) error {
	offsets := withoutErrors(slices.Values(f.atOffsets))
	if path, isSource := input.Path(f.at); isSource {
		parse := func(text string) (int64, error) {
			n, err := shape.ParseOffset(text)
			if err != nil {
				return 0, err
			}
			return n.Elements(t.DType())
		}
		var err error
		if offsets, err = lines(f.tensor.app, p, path, parse); err != nil {
			return err
		}
	}
	all, err := p.At(t, offsets)
	return verdict(err, all)
}

// window returns the part of the storage to show.
func (f *offsetFlags) window(t layout.Tensor) (render.Window, error) {
	v, err := valuesWindow(f.values, t)
	v.From, _ = t.Layout().Bounds()
	v.To, v.Whole, v.All = t.End(), f.offsets == nil, f.all
	from, to, wrong := f.offsets.in(t.DType())
	if from != nil {
		v.From = *from
	}
	if to != nil {
		v.To = *to
	}
	v.To = max(v.From, v.To)
	return v, cmp.Or(err, wrong)
}
