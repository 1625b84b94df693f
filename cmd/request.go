package cmd

import (
	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

// A request is what the flags of a command about tensors say.
type request struct {
	tensor  tensorFlags
	out     output
	picture drawing
}

// addRequest adds the flags of a command that are not its own, after these. The variable of all of them, which has the
// request, is copied for each line of a batch.
func addRequest[T any](a *app, c *cobra.Command, r *request, all *T, bufferUsage string) {
	r.out.add(a, c)
	r.out.addBuffer(a, c, bufferUsage)
	r.picture.add(a, c)
	addBatch(a, c, &r.out, func() (fresh func()) {
		first, look := *all, a.look
		return func() { *all, a.look = first, look }
	})
}

// answer writes the picture that the flags ask for, and the answer about the tensors.
func (r *request) answer(
	a *app, picture func(draw.Options) (*draw.Picture, error), say func(*render.Printer) error,
	tensors ...layout.Tensor,
) error {
	if err := r.picture.draw(a, &r.out, picture); err != nil {
		return err
	}
	return a.answer(&r.out, say, tensors...)
}
