package input

import (
	"errors"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
)

// TestOpenTexts has strings with a size that is not known: the strides that do not depend on it, or an error alone.
func TestOpenTexts(t *testing.T) {
	given := Options{Options: notation.Options{Names: map[string]int64{"s1": 5}}}
	for _, tt := range []struct {
		text    string
		options Options
		strides string // empty: it is an error
		axis    int
		symbol  string
	}{
		{"f32[s77, 3][3, 1]cuda:0", Options{}, "3,1", 0, "s77"},
		{"f32[3, s77][1, 3]", Options{}, "1,3", 1, "s77"},
		{"f32[s0, s1][s1, 1]", Options{}, "", 0, ""},
		{"f32[s0, s1][s1, 1]", given, "5,1", 0, "s0"},
		{"f32[2, s1][s1, 1]", Options{}, "", 0, ""},
		{"f32[s0, s0][3, 1]", Options{}, "", 0, ""},
		{"tensor<?x4xf32>", Options{}, "4,1", 0, "?"},
		{"memref<4x?xf32>", Options{}, "", 0, ""},
		{"memref<4x?xf32, strided<[1, 4]>>", Options{}, "1,4", 1, "?"},
		{"memref<?x?xf32>", Options{}, "", 0, ""},
		{"memref<?x?xf32>", Options{Options: notation.Options{Dims: []int64{7}}}, "", 0, ""},
		{"memref<2x3xf32, strided<[3, 1], offset: ?>>", Options{}, "", 0, ""},
		{"torch.empty((N, 3, 4))", Options{}, "12,4,1", 0, "N"},
	} {
		_, err := Text(tt.text, tt.options)
		var open *shape.OpenError
		switch isOpen := errors.As(err, &open); {
		case err == nil || isOpen != (tt.strides != ""):
			t.Errorf("%s: %v, want strides %q for each size", tt.text, err, tt.strides)
		case isOpen:
			for i, tensor := range open.Each.Tensors {
				l := tensor.Layout()
				strides, _ := l.Strides()
				if layout.JoinInts(strides, ",") != tt.strides || l.Axis(tt.axis).Size() != int64(i+1) {
					t.Errorf("%s: size %d has strides %v", tt.text, i+1, strides)
				}
			}
			if open.Each.Axis != tt.axis || open.Each.Symbol != tt.symbol {
				t.Errorf("%s: axis %d, %s", tt.text, open.Each.Axis, open.Each.Symbol)
			}
		}
	}
}

// TestSentences distinguishes sentences from shapes with a wrong layout.
func TestSentences(t *testing.T) {
	for text, want := range map[string]string{
		"hello there my friend":      "not recognized as a tensor",
		"hello there":                `"hello" is not a size`,
		"N=1 this is it":             `"this" is not expected here`,
		"2x3 this is it":             `"this" is not expected here`,
		"batch 8 of 12 is too large": "not recognized as a tensor",
	} {
		_, err := Text(text, Options{})
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestLinesAsNames: only a log has lines by which its tensors are named, of which none is 0.
func TestLinesAsNames(t *testing.T) {
	in, err := Text("a = torch.empty(2, 3)\nb = torch.empty(4)", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if x, err := in.Tensor("0"); err == nil {
		t.Errorf("a tensor of the name 0: %v", x.Layout().Sizes())
	}
}
