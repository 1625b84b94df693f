package algebra_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout/algebra"
)

// TestCoordinates compares the offset at the index of a coordinate with the sum of the strides of all modes that the
// coordinate names, for each coordinate that fits a layout.
func TestCoordinates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := algebra.List(anyMode(t, 64), anyMode(t, 64))
		l, err := algebra.New(m, 0)
		if err != nil {
			t.Skip(err)
		}
		text, number, offset := coordinateOf(t, m)
		c, err := algebra.ParseCoordinate(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		index, err := l.Index(c)
		if err != nil {
			t.Fatalf("%s in %s: %v", text, l, err)
		}
		if got, err := l.Flat().Offset(index); err != nil || got != offset || l.At(number) != offset {
			t.Fatalf("%s in %s is %d and %d, want %d", text, l, got, l.At(number), offset)
		}
	})
}

// coordinateOf draws a coordinate of a mode: a number, or brackets with one for each mode inside. It returns the number
// and the offset of its element too.
func coordinateOf(t *rapid.T, m algebra.Mode) (text string, number, offset int64) {
	size := sizeOf(m)
	if m.Modes == nil || rapid.Bool().Draw(t, "number") {
		number = rapid.Int64Range(0, size-1).Draw(t, "n")
		return fmt.Sprint(number), number, slow(m, number)
	}
	var parts []string
	step := int64(1)
	for _, part := range m.Modes {
		text, n, at := coordinateOf(t, part)
		parts = append(parts, text)
		number, offset, step = number+n*step, offset+at, step*sizeOf(part)
	}
	return "(" + strings.Join(parts, ",") + ")", number, offset
}

func TestCoordinateFaults(t *testing.T) {
	l := read(t, "((2,4),8):((1,16),2)")
	for _, tt := range []struct{ text, want string }{
		{"", "coordinate"}, {"(1,3", ") expected"}, {"1,2)", "ends before"}, {"x", "coordinate"}, {"-1,0", ""},
		{"64", "64 is outside of the layout"}, {"8,0", "8 is outside of a mode of 8"},
		{"((2,3),5)", "2 is outside of a mode of 2"}, {"((1,3,0),5)", "3 coordinates for a mode of 2 modes"},
		{"((1,3),(5,0))", "2 coordinates for a mode of 1 mode"}, {"(1,2,3)", "3 coordinates for a layout of 2 modes"},
		{strings.Repeat("(", 100) + "1", "levels"},
	} {
		c, err := algebra.ParseCoordinate(tt.text)
		if err == nil {
			_, err = l.Index(c)
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.text, err, tt.want)
		}
	}
}
