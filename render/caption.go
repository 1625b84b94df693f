package render

import (
	"fmt"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/view"
)

// A Caption is the text next to a picture, without colours: the first line of the answer's table, the names of the
// tensors, and the sentences below the table.
type Caption struct {
	Title   string
	Tensors []string
	Lines   []string
}

// captions returns a printer for the text of captions, without output, colours and width.
func captions() *Printer { return &Printer{palette: NewPalette(NoColors)} }

// TensorCaption returns the caption of one tensor; f are the facts of its layout.
func TensorCaption(t layout.Tensor, f analysis.Facts) Caption {
	return Caption{captions().heading(t), []string{""}, captions().knownLines(t, f, spanBytes(t, f))}
}

// StridesTitle returns the strides for titles, such as Strides = { 48, 1, 12, 3 }. The strides of an axis with several
// digits are in parentheses; a swizzled layout is in CuTe notation. It returns an empty string for a scalar.
func StridesTitle(l layout.Layout) string {
	switch {
	case l.IsSwizzled():
		return "layout " + strideText(l)
	case l.Rank() == 0:
		return ""
	}
	return "Strides = { " + strings.ReplaceAll(strideText(l), ",", ", ") + " }"
}

// ByteWords is like ByteText, but with commas between thousands.
func ByteWords(t layout.Tensor, n int64) string { return groupWords(ByteText(t, n)) }

// ComparisonCaption returns the caption of a comparison.
func ComparisonCaption(a, b layout.Tensor, d *analysis.Difference) Caption {
	c := Comparison{A: a, B: b, First: d}
	nameA, nameB := c.names()
	var lines []string
	if d == nil {
		lines = []string{c.same(captions(), nameA, nameB)}
	} else {
		lines = []string{"different: " + c.how(nameA, nameB), c.first(captions(), nameA, nameB)}
	}
	return Caption{captions().heading(a), []string{nameA, nameB}, lines}
}

// ConversionCaption returns the caption of a conversion; f and g are the facts of the layouts.
func ConversionCaption(from, to layout.Tensor, f, g analysis.Facts) Caption {
	lines := Conversion{From: from, To: to}.summary(f, g)
	return Caption{captions().heading(from), []string{"from " + name(from), "to " + name(to)}, lines}
}

// ChainCaption returns the caption of a chain of views. Its tensors are the first one, and the result of each step. The
// facts describe the last layout.
func ChainCaption(start layout.Tensor, steps []view.Step, views []view.View, last analysis.Facts) Caption {
	c := Caption{captions().heading(start), []string{"start"}, Chain{start, steps, views}.notes(last)}
	for i, v := range views {
		c.Tensors = append(c.Tensors, fmt.Sprintf("%d. %s: %s", i+1, Clean(steps[i].String()), kindOf(v)))
	}
	return c
}
