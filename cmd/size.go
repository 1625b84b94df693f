package cmd

import (
	"github.com/spf13/cobra"

	"layoutcalc/render"
)

func (a *app) newSize() *cobra.Command {
	var tensor tensorFlags
	var out output
	c := &cobra.Command{
		Use:   "size TENSOR",
		Short: "Show what storage a tensor takes: span, bytes, padding",
		Example: `layoutcalc size 1x3x224x224 -t float16
layoutcalc size 1x7x5x5 nChw8c
layoutcalc size 3x3 --strides 2147483648,1 -o plain`,
		Args: a.needTensor,
		RunE: func(_ *cobra.Command, args []string) error {
			t, err := tensor.only(args)
			if err != nil {
				return err
			}
			return a.answer(&out, t, (*render.Printer).Size)
		},
	}
	tensor.add(a, c)
	out.add(a, c)
	return c
}
