package layout_test

import (
	"errors"
	"testing"

	"layoutcalc/layout"
)

// TestAliases has the formulas of TensorRT's header, cuDNN's and MindSpore's documentation and
// oneDNN's alias table, worked out for one index each.
func TestAliases(t *testing.T) {
	tests := []struct {
		shape, name, index string
		offset, storage    int64
		reason             string
	}{
		{"1x3x2x2", "kCHW4", "0,2,1,1", 14, 16, "[1][1][2][2][4]"},
		{"1x3x2x2", "chw2", "0,2,1,1", 14, 16, "[1][2][2][2][2]"},
		{"3x2x2", "CHW4", "2,1,1", 14, 16, "without a batch"},
		{"2x3x4x5", "kHWC8", "1,2,3,4", 314, 320, "[2][4][5][8]: C is rounded up"},
		{"1x40x2x2", "chw32", "0,39,1,1", 231, 256, "[1][2][2][2][32]"},
		{"1x40x2x2x2", "cdhw32", "0,33,1,0,1", 417, 512, "[1][2][2][2][2][32]"},
		{"1x3x2x2x2", "dhwc8", "0,2,1,0,1", 42, 64, "[1][2][2][2][8]"},
		{"1x3x4x5", "kHWC", "0,2,3,4", 59, 60, "[1][4][5][3], not padded"},
		{"2x3x4", "kLINEAR", "1,2,3", 23, 24, "row-major of any rank"},
		{"1x64x2x2", "NC/32HW32", "0,33,1,0", 193, 256, "[1][2][2][2][32]"},
		{"2x4x2x2", "NC/4HW4", "1,3,0,1", 23, 32, "[2][1][2][2][4]"},
		{"1x3x2x2", "NC/1HW1", "0,2,1,1", 11, 12, "blocks of 1: NCHW"},
		{"1x16x1x1", "NC/16HW16", "0,5,0,0", 5, 16, "one block: NHWC"},
		{"1x5x2x3", "nc4hw4", "0,4,1,2", 44, 48, "[1][2][2][3][4]"},
		{"1x17x2x2", "NC1HWC0", "0,16,1,1", 112, 128, "C0 = 16: [1][2][2][2][16]"},
		{"1x5x2x3", "NC1HWC0_C04", "0,4,1,2", 44, 48, "C0 = 4, as NC4HW4"},
		{"2x32x32x1x1", "gIOhw2i8o16i2o", "1,0,0,0,0", 1024, 2048, "oneDNN defines it with the order g,O,I: strides 1024,512,512,512,512"},
	}
	for _, tt := range tests {
		shape, err := layout.ParseShape(tt.shape)
		if err != nil {
			t.Fatal(err)
		}
		name, err := layout.ParseName(tt.name)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		tensor, err := layout.Spec{Shape: shape, Name: &name}.Tensor()
		if err != nil {
			t.Errorf("%s %s: %v", tt.shape, tt.name, err)
			continue
		}
		list, err := layout.ParseIndex(tt.index)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tensor.Layout().Offset(list.Values()); got != tt.offset || err != nil || tensor.Storage() != tt.storage {
			t.Errorf("%s %s: %s at %d of %d (%v), want %d of %d: %s", tt.shape, tt.name, tt.index, got, tensor.Storage(), err, tt.offset, tt.storage, tt.reason)
		}
	}
}

func TestAliasErrors(t *testing.T) {
	for _, text := range []string{"NC4HW8", "NC/32HW", "NC/HW4", "NC4HW4x", "chw3", "kNCHW4", "NC/4"} {
		_, err := layout.ParseName(text)
		var syntax *layout.SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset > len(text) || syntax.Hint == "" {
			t.Errorf("%s: %v", text, err)
		}
	}
}
