package cmd

import (
	"github.com/spf13/cobra"

	"layoutcalc/render"
)

func (a *app) newStrides() *cobra.Command {
	var tensor tensorFlags
	var out output
	c := &cobra.Command{
		Use:   "strides TENSOR",
		Short: "Show the strides of a tensor and how each comes about",
		Example: `layoutcalc strides 1x3x224x224 NHWC
layoutcalc strides 2x3 --pitch H=64
layoutcalc strides 1x17x4x4 nChw16c -o json`,
		Args: a.needTensor,
		RunE: func(_ *cobra.Command, args []string) error {
			t, err := tensor.only(args)
			if err != nil {
				return err
			}
			return a.answer(&out, t, (*render.Printer).Strides)
		},
	}
	tensor.add(a, c)
	out.add(a, c)
	return c
}
