package cmd

import (
	"github.com/spf13/cobra"

	"layoutcalc/layout/facts"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

func (a *app) newCompare() *cobra.Command {
	var r request
	c := &cobra.Command{
		Use:   "compare SHAPE A B",
		Short: "Tell whether two layouts are the same, and where they differ",
		Long: "Two layouts are the same where every element has the same offset in both; the strides of axes of " +
			"size 1 do not matter. Otherwise the answer names the first element, in row-major order, that is " +
			"elsewhere, and the exit code is 1.\n\n" +
			"Layouts are names, or lists of strides: 15,1,5,1. A notation or a file says the shape and the first " +
			"layout; another may say the second. --pad, --pitch, --align and --broadcast concern the second one, " +
			"--view the first; then the second has the sizes that result.",
		Example: `layoutcalc compare 2x3x4x5 NCHW NHWC
layoutcalc compare 1x8x4x4 NCHW8c NHWC
layoutcalc compare 20x4x128 512,128,1 512,1,4
layoutcalc compare 'f32[2,3]{0,1}' 'memref<2x3xf32, strided<[1, 2]>>'`,
		Args: a.needArguments,
		RunE: func(_ *cobra.Command, args []string) error {
			x, y, err := r.tensor.pair(args)
			if err != nil {
				return err
			}
			d, err := facts.Compare(x.Layout(), y.Layout())
			if err != nil {
				return err
			}
			if of, other := x.DType(), y.DType(); of != other {
				a.note("the types differ, " + of.String() + " and " + other.String() + ": offsets count elements")
			}
			picture := func(o draw.Options) (*draw.Picture, error) { return draw.Comparison(x, y, d, o) }
			err = r.answer(a, picture, func(p *render.Printer) error { return p.Comparison(x, y, d) }, x, y)
			if err != nil || d == nil {
				return err
			}
			return errNo
		},
	}
	r.tensor.addPair(a, c)
	addRequest(a, c, &r, &r, "")
	return c
}
