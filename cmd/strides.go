package cmd

import (
	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

func (a *app) newStrides() *cobra.Command {
	return a.answering(&cobra.Command{
		Use:   "strides TENSOR",
		Short: "Show the strides of a tensor and how each comes about",
		Long: "A stride is how many elements further in memory the next index of an axis is. The answer lists them " +
			"with the product of inner sizes that each is, and once more to be copied; below that it says " +
			"whether the tensor is packed, padded, broadcast or overlapping, and which other layouts have the " +
			"same strides.",
		Example: `layoutcalc strides 1x3x224x224 NHWC
layoutcalc strides 2x3 --pitch H=64
layoutcalc strides 1x17x4x4 nChw16c -o json`,
	}, (*render.Printer).Strides)
}

func (a *app) newSize() *cobra.Command {
	return a.answering(&cobra.Command{
		Use:   "size TENSOR",
		Short: "Show what storage a tensor takes: span, bytes, padding",
		Long: "The answer counts elements, the span from the lowest to the highest offset, the padding in it, and " +
			"bytes, and says how much each system allocates. Where elements overlap it names two that share an " +
			"address. For a script, --get bytes is that number alone.",
		Example: `layoutcalc size 1x3x224x224 -t float16
layoutcalc size 1x7x5x5 nChw8c
layoutcalc size 3x3 --strides 2147483648,1 -o plain`,
	}, (*render.Printer).Size)
}

// answering returns a command of one tensor, with what it has to say of the tensor.
func (a *app) answering(c *cobra.Command, say func(*render.Printer, layout.Tensor) error) *cobra.Command {
	var r request
	c.Args = a.needArguments
	c.RunE = func(_ *cobra.Command, args []string) error {
		t, err := r.tensor.only(args)
		if err != nil {
			return err
		}
		picture := func(o draw.Options) (*draw.Picture, error) { return draw.Tensor(t, o) }
		return r.answer(a, picture, func(p *render.Printer) error { return say(p, t) }, t)
	}
	r.tensor.add(a, c)
	addRequest(a, c, &r, &r, bufferUsage)
	return c
}
