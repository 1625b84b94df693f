package cmd

import (
	"errors"

	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/layout/shape"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

func (a *app) stridesCommand(c *cobra.Command) {
	var r request
	a.tensorCommand(c, &r, (*request).strides)
	r.out.addAddress(c)
}

// tensorCommand makes c a command of one tensor.
func (a *app) tensorCommand(c *cobra.Command, r *request, answer func(*request, *app, []string) error) {
	c.Args = a.needArguments
	c.RunE = func(_ *cobra.Command, args []string) error {
		s, err := newSweep(a, r, args)
		switch {
		case err != nil:
			return err
		case s != nil:
			return s.run()
		}
		return answer(r, a, args)
	}
	r.tensor.add(a, c)
	flag(c.Flags(), "sweep", "AXIS=A..B", shape.ParseSweep, onto(&r.sweeps))
	r.out.addBuffer(c)
	r.out.addVerbose(c)
	addRequest(a, c, r, r)
}

// strides answers with the strides of the tensor in the arguments.
func (r *request) strides(a *app, args []string) error {
	t, err := r.tensor.only(args)
	var open *shape.OpenError
	isText := r.out.as != nil || r.out.matrix != ""
	plain := len(r.tensor.steps) == 0 && !isText && r.out.buffer == nil && !r.picture.wanted()
	if errors.As(err, &open) && plain {
		a.Note(append(r.tensor.made.Notes(false), open.Each.Notes...)...)
		return a.printer(&r.out).Print(render.EachStrides{Each: open.Each})
	}
	return r.about(a, t, err, (*render.Printer).Strides)
}

// about writes the answer about a tensor, unless there is an error.
func (r *request) about(
	a *app, t layout.Tensor, err error, write func(*render.Printer, layout.Tensor) error,
) error {
	if err != nil {
		return err
	}
	r.tensor.noteWide(t)
	picture := func(o draw.Options) (*draw.Picture, error) { return draw.Tensor(t, o) }
	return r.answer(a, picture, func(p *render.Printer) error { return write(p, t) }, t)
}
