package input

import (
	"maps"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
)

// openSize returns the error for text, an input with one tensor that has one unknown size. If the strides do not depend
// on this size, the error has the tensors for the sizes 1, 2 and 3. For other inputs, openSize returns err.
func (c *candidate) openSize(text string, err error) error {
	e, ok := err.(*layout.SyntaxError)
	if !ok || e.Change.Flag != "--dim" {
		return err
	}
	each, name, isNamed := shape.Each{Axis: -1, Symbol: "?"}, "", false
	if name, _, isNamed = strings.Cut(e.Change.Value, "="); isNamed {
		each.Symbol = name
	}
	o := c.options.Options
	for i := range each.Tensors {
		if n := int64(i + 1); isNamed {
			o.Names = maps.Clone(c.options.Names)
			if o.Names == nil {
				o.Names = map[string]int64{}
			}
			o.Names[name] = n
		} else {
			o.Dims = append(slices.Clip(c.options.Dims), n)
		}
		found, fault := notation.Read(text, o)
		if fault != nil || len(found) != 1 || found[0].Fault != nil {
			return err
		}
		each.Tensors[i], each.Notes = found[0].Tensor, found[0].Skipped
	}
	if !each.FindAxis() {
		return err
	}
	return &shape.OpenError{SyntaxError: e, Each: each}
}
