package cmd

import (
	"github.com/spf13/cobra"

	"layoutcalc/layout/facts"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

// compareCommand makes c the command compare.
func (a *app) compareCommand(c *cobra.Command) {
	var r request
	c.Args = a.needArguments
	c.RunE = func(_ *cobra.Command, args []string) error {
		x, y, err := r.tensor.pair(args)
		if err != nil {
			return err
		}
		d, err := facts.Compare(x.Layout(), y.Layout())
		if err != nil {
			return err
		}
		if of, other := x.DType(), y.DType(); of != other {
			a.Note("the types differ, " + of.String() + " and " + other.String() + ": offsets count elements")
		}
		picture := func(o draw.Options) (*draw.Picture, error) { return draw.Comparison(x, y, d, o) }
		err = r.answer(a, picture, func(p *render.Printer) error { return p.Comparison(x, y, d) }, x, y)
		if err != nil || d == nil {
			return err
		}
		return errNo
	}
	r.tensor.addPair(a, c)
	addRequest(a, c, &r, &r)
}
