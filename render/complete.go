package render

import (
	"iter"

	"layoutcalc/layout"
	"layoutcalc/layout/spec"
)

// DType describes a type in a few words: its size and what others call it.
func DType(d layout.DType) string {
	info := d.Info()
	words := counted(info.Bits, "bit")
	for _, spelling := range []string{info.DirectML, info.NumPy, info.XLA} {
		if spelling != "" && spelling != info.Name {
			words += ", " + spelling
		}
	}
	return words
}

// Axes yields the axes that a flag can name, and their sizes in words. Axes without names have
// DirectML's for their rank.
func Axes(t layout.Tensor) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		l := t.Layout()
		for i := range l.Rank() {
			if !yield(spec.FlagName(l, i), "size "+group(l.Axis(i).Size())) {
				return
			}
		}
	}
}
