package cmd

import (
	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

func (a *app) stridesCommand(c *cobra.Command) { a.tensorCommand(c, (*render.Printer).Strides) }

func (a *app) sizeCommand(c *cobra.Command) { a.tensorCommand(c, (*render.Printer).Size) }

// tensorCommand makes c a command of one tensor. The printer writes the answer.
func (a *app) tensorCommand(c *cobra.Command, write func(*render.Printer, layout.Tensor) error) {
	var r request
	c.Args = a.needArguments
	c.RunE = func(_ *cobra.Command, args []string) error {
		t, err := r.tensor.only(args)
		if err != nil {
			return err
		}
		picture := func(o draw.Options) (*draw.Picture, error) { return draw.Tensor(t, o) }
		return r.answer(a, picture, func(p *render.Printer) error { return write(p, t) }, t)
	}
	r.tensor.add(a, c)
	r.out.addBuffer(c)
	r.out.addVerbose(c)
	addRequest(a, c, &r, &r)
}
