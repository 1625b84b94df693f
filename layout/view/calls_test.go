package view_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/shape"
)

// TestCallsOfPyTorch calls each step with too few, too many, wrong and right arguments, as testdata/calls.txt has what
// PyTorch 1.13 makes of it: sizes, strides and base, or nothing where it refuses. Below each shape are its calls.
func TestCallsOfPyTorch(t *testing.T) {
	text, err := os.ReadFile("testdata/calls.txt")
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int64
	calls := 0
	for line := range strings.Lines(string(text)) {
		call, isCall := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "\t")
		if !isCall {
			list, err := shape.ParseShape(call)
			if err != nil {
				t.Fatal(err)
			}
			sizes = list.Values()
			continue
		}
		calls++
		step, want, _ := strings.Cut(call, " = ")
		v, err := apply(fresh(t, sizes...), step)
		got := ""
		if err == nil {
			l := v.Tensor.Layout()
			strides, _ := l.Strides()
			got = fmt.Sprintf("%s @ %s + %d", layout.JoinInts(l.Sizes(), ","), layout.JoinInts(strides, ","),
				l.Base())
		}
		if got != want {
			t.Errorf("%v %s: %q, %v; PyTorch %q", sizes, step, got, err, want)
		}
	}
	if calls != 1103 {
		t.Errorf("%d calls", calls)
	}
}
