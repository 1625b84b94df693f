package cmd

import (
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/values"
	"layoutcalc/render"
)

// A dataName is the name of a tensor's data in a command line.
type dataName struct {
	path, tensor string // the tensor may be empty
	raw          bool   // the file has no header
}

// convertLine returns the command line that moves the data of a tensor in the same way as a map, or "" if no command
// line does.
func (a *app) convertLine(name dataName, from values.Data, m *values.Map) string {
	t := from.Tensor
	letters := render.Letters(t.Layout(), false)
	source, ok := sourceLayout(t.Layout(), letters)
	axis, row, pitch, outer := m.Row(t.DType().Bits())
	hasRows := axis >= 0 || m.Pitch == 0
	if !ok || letters == "" || !hasRows || m.Swapped && !name.raw {
		return ""
	}
	args := []string{"convert", shapeOf(t.Layout(), letters), source, targetLayout(m, letters)}
	switch {
	case m.Pitch > 0 && m.Whole:
		args = append(args, "--pad", strconv.Itoa(axis)+"="+strconv.FormatInt(pitch-row, 10))
	case m.Pitch > 0 && outer >= 0:
		args = append(args, "--pitch", strconv.Itoa(outer)+"="+strconv.FormatInt(pitch, 10))
	case m.Reversed >= 0:
		args = append(args, "--from", "numpy", "--view", "flip("+strconv.Itoa(m.Reversed)+")")
	}
	if name.raw {
		dtype := t.DType().String()
		if m.Swapped {
			dtype = ">" + strings.TrimPrefix(t.DType().In(layout.NumPy), "<")
		}
		if dtype == ">" {
			dtype = ">u" + strconv.FormatInt(t.DType().Bits()/8, 10)
		}
		args = append(args, "-t", dtype)
	}
	if args = append(args, "--in", name.path); name.tensor != "" {
		args = append(args, "--tensor", name.tensor)
	}
	return a.commandLine(append(args, "--out", "converted.bin"))
}

// sourceLayout returns the layout of packed data, by its letters or by its strides. It reports false for others.
func sourceLayout(l layout.Layout, letters string) (source string, ok bool) {
	strides, ok := l.Strides()
	packed, err := layout.PackedStrides(l.Sizes(), false)
	switch {
	case err != nil || !ok || l.Base() != 0 || l.IsSwizzled() || slices.ContainsFunc(strides, isNegative):
		return "", false
	case analysis.Same(l, rowMajorOf(l.Sizes(), packed)):
		return letters, true
	}
	return layout.JoinInts(strides, ","), true
}

// isNegative reports whether a stride is below 0.
func isNegative(stride int64) bool { return stride < 0 }

// rowMajorOf returns the layout with sizes and strides, or the zero Layout if they are invalid.
func rowMajorOf(sizes, strides []int64) layout.Layout {
	l, err := layout.Strided(0, sizes, strides)
	if err != nil {
		return layout.Layout{}
	}
	return l
}

// shapeOf returns the sizes of a layout, with the letters of its axes if these are not the usual ones.
func shapeOf(l layout.Layout, letters string) string {
	if usual, err := layout.Strided(0, l.Sizes(), l.Sizes()); err == nil && render.Letters(usual, false) == letters {
		return layout.JoinInts(l.Sizes(), "x")
	}
	labels := make([]string, l.Rank())
	for i, size := range l.Sizes() {
		labels[i] = letters[i:i+1] + "=" + strconv.FormatInt(size, 10)
	}
	return strings.Join(labels, ",")
}

// targetLayout returns the name of a map's layout. Letters of a tag are upper case for an axis in blocks.
func targetLayout(m *values.Map, letters string) string {
	name := m.Name(letters)
	if m.Block > 0 && letters[m.Channels] >= 'a' {
		blocked := letters[m.Channels : m.Channels+1]
		name = strings.Replace(name, blocked, strings.ToUpper(blocked), 1)
	}
	return name
}
