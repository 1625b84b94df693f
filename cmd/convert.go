package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/render"
)

// A convertFlags says what the command convert shows, or which data it moves.
type convertFlags struct {
	to     string
	values string
	moves  bool
	data   dataFlags
}

func (a *app) newConvert() *cobra.Command {
	var tensor tensorFlags
	var out output
	var flags convertFlags
	c := &cobra.Command{
		Use:   "convert SHAPE FROM TO",
		Short: "Show what a change of layout does, or move the data of a file",
		Example: `layoutcalc convert 1x3x2x2 NCHW NHWC
layoutcalc convert 1x3x224x224 NCHW NCHW16c
layoutcalc convert 1x3x224x224 NCHW NHWC --moves
layoutcalc convert 32x3x224x224 NCHW NHWC -t float16 --in x.bin --out y.bin
layoutcalc convert --in fortran.npy --to row-major --out c.npy`,
		Args: func(c *cobra.Command, args []string) error {
			if flags.data.in != "" {
				return nil
			}
			return tensor.needPair(c, flags.args(args))
		},
		RunE: func(c *cobra.Command, args []string) error {
			args = flags.args(args)
			moves, err := flags.data.moves(c)
			switch {
			case err != nil:
				return err
			case moves:
				return a.convertData(&flags.data, &tensor, c, args)
			}
			return a.convert(&flags, &out, &tensor, args)
		},
	}
	tensor.addPair(a, c)
	out.add(a, c)
	c.Flags().Var(text("LAYOUT", &flags.to), "to", "the layout to convert to, in place of the last argument")
	flags.data.add(a, c)
	c.Flags().Var(text("LIST", &flags.values), "values", "values to show in the elements, or the word index; default letters")
	c.Flags().BoolVar(&flags.moves, "moves", false, "list where every element moves, however many there are: from to")
	a.completeFlags(c, fixed("index"), "values")
	a.completeFlags(c, completeTarget, "to")
	return c
}

// completeTarget offers layouts for the shape, if it is there.
func completeTarget(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return layoutNames(append(args, "")[0]), cobra.ShellCompDirectiveNoFileComp
}

// args are the arguments, the last of which may be a flag's value.
func (f *convertFlags) args(args []string) []string {
	if f.to == "" {
		return args
	}
	return append(args[:len(args):len(args)], f.to)
}

// convert answers what the flags ask for.
func (a *app) convert(f *convertFlags, out *output, t *tensorFlags, args []string) error {
	from, to, err := t.pair(args)
	if err == nil {
		err = f.check(out)
	}
	if err != nil {
		return err
	}
	if out.as != "" {
		return a.spell(out, from, to)
	}
	if f.moves {
		return a.printer(out).Moves(from, to)
	}
	window, err := valuesWindow(f.values, from)
	if err != nil {
		return err
	}
	return a.printer(out).Conversion(from, to, window)
}

// check refuses values where no picture shows them.
func (f *convertFlags) check(out *output) error {
	if f.moves && out.as != "" {
		return &usageError{"--as writes the tensors, not moves", "leave out --moves or --as"}
	}
	if f.values != "" && (f.moves || !out.isPicture()) {
		return &usageError{"--values are shown in pictures of the storage only", "leave out --moves, --get and -o"}
	}
	return nil
}

// valuesWindow returns a window that shows the values of the flag in elements of the tensor.
func valuesWindow(values string, t layout.Tensor) (render.Window, error) {
	var v render.Window
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

// splitValues splits a list of values at its commas.
func splitValues(text string) []string {
	values := strings.Split(strings.Trim(text, "[](){}"), ",")
	for i := range values {
		values[i] = strings.TrimSpace(values[i])
	}
	return values
}

func countMismatch(got int, want int64) string {
	return fmt.Sprintf("--values: %d values for %d elements", got, want)
}
