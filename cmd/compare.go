package cmd

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/layout/access"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/tvlayout"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

// A compareFlags is a request of the command compare: whether two layouts are equal or overlap, or which swizzle maps
// one to the other.
type compareFlags struct {
	infer   bool
	overlap bool
	values  string // the offsets of B, instead of a layout
	data    bool
	in      []string // the files of raw data, instead of tensors in files
	to      string
	request
}

// compareCommand makes c the command compare.
func (a *app) compareCommand(c *cobra.Command) {
	var r compareFlags
	c.Args = func(c *cobra.Command, args []string) error {
		if len(r.in) > 0 {
			return nil
		}
		return a.needArguments(c, args)
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		if r.overlap {
			return r.shared(a, args)
		}
		if len(r.in) > 0 || r.to != "" {
			return r.raw(a, args)
		}
		if r.infer || r.values != "" {
			return r.inferred(a, args)
		}
		in, layouts, err := r.tensor.findPair(args)
		if err != nil {
			if found, wrong := r.owners(a, args); found {
				return wrong
			}
			return err
		}
		if other, err := r.otherFile(in, layouts); other != nil || err != nil {
			return r.files(a, in, other, err)
		}
		if r.data {
			return errNoData
		}
		x, y, err := r.tensor.makePair(in, layouts)
		if err != nil || analysis.SameAxes(x.Layout(), y.Layout()) != nil {
			if found, err := r.owners(a, args); found {
				return err
			}
		}
		if err != nil {
			return err
		}
		return r.tensors(a, render.Comparison{A: x, B: y})
	}
	r.tensor.addStorage(a, c)
	boolFlag(c.Flags(), "all", &r.allRows)
	boolFlag(c.Flags(), "data", &r.data)
	flag(c.Flags(), "in", "FILE", func(name string) (string, error) { return name, nil }, onto(&r.in))
	textFlag(c.Flags(), "to", "LAYOUT", &r.to)
	boolFlag(c.Flags(), "infer-swizzle", &r.infer)
	boolFlag(c.Flags(), "overlap", &r.overlap)
	textFlag(c.Flags(), "values", "LIST", &r.values)
	addRequest(a, c, &r.request, &r)
}

// tensors compares two tensors, which are different if their sizes are. The answer may have compared their elements.
func (f *compareFlags) tensors(a *app, answer render.Comparison) error {
	x, y := answer.A, answer.B
	if err := analysis.SameAxes(x.Layout(), y.Layout()); err != nil {
		if slices.Equal(x.Layout().Sizes(), y.Layout().Sizes()) || f.picture.wanted() {
			return err
		}
		return verdict(a.answer(&f.out, func(p *render.Printer) error { return p.Print(answer) }, x, y), false)
	}
	d, err := analysis.Compare(x.Layout(), y.Layout())
	if err != nil {
		return err
	}
	if of, other := x.DType(), y.DType(); of != other && !answer.Typed {
		a.Note("the types differ, " + of.String() + " and " + other.String() + ": offsets count elements")
	}
	picture := func(o draw.Options) (*draw.Picture, error) { return draw.Comparison(x, y, d, o) }
	answer.First = d
	say := func(p *render.Printer) error { return p.Print(answer) }
	return verdict(f.answer(a, picture, say, x, y), answer.Same())
}

// owners compares two ownerships of one tile. It reports found = false if the arguments are not ownerships.
func (f *compareFlags) owners(a *app, args []string) (found bool, err error) {
	x, y, err := ownerPair(a, args)
	if err != nil || x == nil {
		return err != nil, err
	}
	return true, f.held(a, x, y)
}

// held compares two ownerships.
func (f *compareFlags) held(a *app, x, y *tvlayout.Ownership) error {
	if f.out.as != nil {
		return refuse("holders have no notation here", "owner writes each of the two")
	}
	e, err := x.To(y)
	if err != nil {
		return err
	}
	picture := func(d draw.Options) (*draw.Picture, error) {
		const whole = render.WholeHolder
		return drawPair([2]*tvlayout.Ownership{x, y}, [2]string{"A: ", "B: "}, e.First, whole, whole, d)
	}
	if err := f.picture.draw(a, &f.out, layout.DType(0), picture); err != nil {
		return err
	}
	return verdict(a.printer(&f.out).Holding(x, y, e.First), e.First == nil)
}

// shared reports whether two tensors over one storage, which may have different sizes, have bytes in common.
func (f *compareFlags) shared(a *app, args []string) error {
	switch {
	case f.data || len(f.in) > 0 || f.to != "" || f.infer || f.values != "":
		return refuse("--overlap is about two tensors in one storage",
			"remove --data, --in, --to, --infer-swizzle and --values").LeaveOut("--overlap")
	case f.picture.wanted() || f.out.as != nil:
		return refuse("an overlap has no picture and no notation", "strides draws and writes each of the two")
	}
	in, layouts, err := f.tensor.findPair(args)
	if err != nil {
		return err
	}
	x, err := f.tensor.left(in, layouts)
	if err != nil {
		return err
	}
	y, err := f.tensor.right(in, x, layouts)
	if err != nil {
		return err
	}
	answer := render.Overlap{A: x, B: y}
	if answer.Shared, answer.Overlaps, err = analysis.Overlap(x, y); err != nil {
		return err
	}
	return verdict(a.printer(&f.out).Print(answer), answer.Overlaps == analysis.No)
}

// inferred writes the swizzles that turn A into B.
func (f *compareFlags) inferred(a *app, args []string) error {
	var x, y layout.Tensor
	var err error
	pairs := func(yield func(a, b int64) bool) {
		for index, offset := range x.Layout().All() {
			if other, _ := y.Layout().Offset(index); !yield(offset, other) {
				return
			}
		}
	}
	if f.values == "" {
		x, y, err = f.tensor.pair(args)
	} else if x, err = f.tensor.only(args); err == nil {
		pairs, err = f.listed(a, x.Layout())
	}
	if err != nil {
		return err
	}
	list, err := access.Infer(pairs)
	if err != nil {
		return err
	}
	picture := func(o draw.Options) (*draw.Picture, error) { return draw.Tensor(x, o) }
	answer := render.Inferred{Tensor: x, List: list}
	say := func(p *render.Printer) error { return p.Print(answer) }
	return verdict(f.answer(a, picture, say, x), list != nil)
}

// listed returns the offsets of a layout together with the offsets of --values, which are in row-major order, as a grid
// or a list.
func (f *compareFlags) listed(a *app, l layout.Layout) (iter.Seq2[int64, int64], error) {
	text, err := a.textOf(f.values)
	if err != nil {
		return nil, err
	}
	words := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(",;|[](){} \t\r\n", c) })
	if n := l.Elements(); int64(len(words)) != n {
		return nil, refuse(fmt.Sprintf("--values: %s for %s", wording.Count(len(words), "offset"), wording.Count(n,
			"element")),
			"the offset of each element in row-major order: 0,1,2,...")
	}
	offsets := make([]int64, len(words))
	for i, word := range words {
		if offsets[i], err = lexer.ParseOffset(word); err != nil {
			return nil, err
		}
	}
	return func(yield func(a, b int64) bool) {
		for _, offset := range l.All() {
			if !yield(offset, offsets[0]) {
				return
			}
			offsets = offsets[1:]
		}
	}, nil
}
