package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// A request is the flags of a command about tensors.
type request struct {
	tensor  tensorFlags
	sweeps  [][]shape.AxisSize // for commands about one tensor
	out     output
	picture drawing
	allRows bool // list all rows of a file
}

// addRequest adds the flags that commands about tensors share, in addition to the flags of one command. All points to
// both, and is reset before each line of a batch.
func addRequest[T any](a *app, c *cobra.Command, r *request, all *T) {
	r.out.add(c)
	r.picture.add(a, c)
	addBatch(a, c, &r.out, all)
}

// answer writes the picture, if flags ask for one, and the answer about the tensors.
func (r *request) answer(
	a *app, picture painter, say func(*render.Printer) error, tensors ...layout.Tensor,
) error {
	if err := r.picture.draw(a, &r.out, tensors[0].DType(), picture); err != nil {
		return err
	}
	return a.answer(&r.out, say, tensors...)
}

// valuesWindow returns a window with the values of --values in the elements of the tensor.
func valuesWindow(values string, t layout.Tensor) (v render.Window, err error) {
	if v.Indices = values == "index"; v.Indices || values == "" {
		return v, nil
	}
	v.Values = strings.Split(strings.Trim(values, "[](){}"), ",")
	for i := range v.Values {
		v.Values[i] = strings.TrimSpace(v.Values[i])
	}
	n := t.Layout().Ordinals()
	low, high := t.Layout().Bounds()
	v.Stored = low >= 0 && high < t.Reserved() && int64(len(v.Values)) == t.Reserved()
	switch {
	case int64(len(v.Values)) == n:
		v.Stored = false
	case !v.Stored:
		msg := fmt.Sprintf("--values: %s for %s", wording.Count(len(v.Values), "value"), wording.Count(n, "element"))
		const hint = "values are in row-major order, one for each stored element, or those of the whole storage"
		return v, &layout.SyntaxError{Input: values, Offset: len(values), Msg: msg, Hint: hint}
	}
	return v, nil
}
