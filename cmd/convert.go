package cmd

import (
	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/render"
)

func (a *app) newConvert() *cobra.Command {
	var tensor tensorFlags
	var out output
	var values string
	var moves bool
	c := &cobra.Command{
		Use:   "convert SHAPE FROM TO",
		Short: "Show strides before and after a change of layout, and where every element moves",
		Example: `layoutcalc convert 1x3x2x2 NCHW NHWC
layoutcalc convert 1x3x224x224 NCHW NCHW16c
layoutcalc convert 1x3x224x224 NCHW NHWC --moves`,
		Args: a.needPair,
		RunE: func(_ *cobra.Command, args []string) error {
			from, to, err := tensor.pair(args)
			if err == nil {
				_, err = layout.Compare(from.Layout(), to.Layout())
			}
			if err != nil {
				return err
			}
			if err := checkValues(values, moves, &out); err != nil {
				return err
			}
			if moves {
				return a.printer(&out).Moves(from, to)
			}
			view, err := valuesView(values, from)
			if err != nil {
				return err
			}
			return a.printer(&out).Conversion(from, to, view)
		},
	}
	tensor.addPair(a, c)
	out.add(a, c)
	c.Flags().Var(text("LIST", &values), "values", "values to show in the elements, or the word index; default letters")
	c.Flags().BoolVar(&moves, "moves", false, "list where every element moves, however many there are: from to")
	a.completeFlags(c, fixed("index"), "values")
	return c
}

// checkValues refuses values where no picture shows them.
func checkValues(values string, moves bool, out *output) error {
	if values != "" && (moves || !out.isPicture()) {
		return &usageError{"--values are shown in pictures of the storage only", "leave out --moves, --get and -o"}
	}
	return nil
}

// valuesView returns a view that shows the values of the flag in elements of the tensor.
func valuesView(values string, t layout.Tensor) (render.View, error) {
	var v render.View
	if values == "index" {
		v.Indices = true
	} else if values != "" {
		v.Values = splitValues(values)
		if n := t.Layout().Ordinals(); int64(len(v.Values)) != n {
			return v, &layout.SyntaxError{Input: values, Offset: len(values), Msg: countMismatch(len(v.Values), n), Hint: "values are in row-major order, one for each stored element"}
		}
	}
	return v, nil
}
