package layout_test

import (
	"errors"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/spec"
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
		{"2x5x33x2x2", "kCHW16", "1,4,32,1,1", 1904, 1920, "[2][5][3][2][2][16]: all axes outside stay there"},
		{"1x8x3x3", "NCHW_VECT_C", "0,6,2,1", 66, 72, "cuDNN, INT8x4: [1][2][3][3][4]"},
		{"2x8x3x3", "NCHW_VECT_C", "1,6,2,1", 138, 144, "TensorFlow: shape [2,2,3,3,4]"},
		{"1x3x2x8", "NHWC_VECT_W", "0,2,1,6", 46, 48, "TensorFlow: shape [1,2,2,3,4]"},
		{"1x12x2x2", "NCHW8c", "0,9,1,0", 49, 64, "ONNX Runtime's NCHWc with blocks of 8"},
		{"16x8x3x3", "OIHW8i8o", "9,5,1,2", 937, 1152, "ONNX Runtime's OIHWBiBo with blocks of 8"},
		{"1x32x7x7", "NCHW16c", "0,18,6,6", 1554, 1568, "TVM: (1,2,7,7,16)"},
		{"1x3x2x2", "NCHW4c", "0,2,1,1", 14, 16, "TVM: (1,1,2,2,4)"},
		{"32x32x1x1", "OIHW16i16o", "17,5,0,0", 593, 1024, "TVM: (2,2,1,1,16,16)"},
		{"1x32x8x4", "NHWC8h2w32c2w", "0,7,5,3", 719, 1024, "TVM for Hexagon, nhwc-8h2w32c2w: (1,1,1,1,8,2,32,2)"},
		{"1x64x16x8", "NHWC8h2w32c2w", "0,33,9,6", 7362, 8192, "TVM for Hexagon, nhwc-8h2w32c2w: (1,2,2,2,8,2,32,2)"},
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
		shape, err := spec.ParseShape(tt.shape)
		if err != nil {
			t.Fatal(err)
		}
		name, err := spec.ParseName(tt.name)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		tensor, err := spec.Spec{Shape: shape, Name: &name}.Tensor()
		if err != nil {
			t.Errorf("%s %s: %v", tt.shape, tt.name, err)
			continue
		}
		list, err := spec.ParseIndex(tt.index)
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
		_, err := spec.ParseName(text)
		var syntax *layout.SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset > len(text) || syntax.Hint == "" {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestDLA has the formulas of TensorRT's header for the formats whose padding depends on the
// size of an element.
func TestDLA(t *testing.T) {
	tests := []struct {
		shape, name, dtype, index string
		offset, storage           int64
		reason                    string
	}{
		{"1x2x3x5", "kDLA_LINEAR", "f16", "0,1,2,4", 164, 192, "[1][2][3][32]"},
		{"1x3x2x5", "kDLA_HWC4", "s8", "0,2,1,4", 82, 128, "[1][2][16][4]: three channels take four"},
		{"1x1x2x5", "dla_hwc4", "s8", "0,0,1,4", 68, 128, "[1][2][64][1]: one channel takes one"},
	}
	for _, tt := range tests {
		tensor, err := aliased(tt.shape, tt.name, tt.dtype)
		if err != nil {
			t.Errorf("%s %s: %v", tt.shape, tt.name, err)
			continue
		}
		list, err := spec.ParseIndex(tt.index)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tensor.Layout().Offset(list.Values()); got != tt.offset || err != nil || tensor.Storage() != tt.storage {
			t.Errorf("%s %s: %s at %d of %d (%v), want %d of %d: %s", tt.shape, tt.name, tt.index, got, tensor.Storage(), err, tt.offset, tt.storage, tt.reason)
		}
	}
	for _, bad := range []struct{ shape, name, dtype, reason string }{
		{"1x2x3x5", "dla_hwc4", "s8", "two channels"},
		{"1x3x3x5", "dla_linear", "unknown", "no size"},
	} {
		if _, err := aliased(bad.shape, bad.name, bad.dtype); err == nil {
			t.Errorf("%s %s -t %s is accepted: %s", bad.shape, bad.name, bad.dtype, bad.reason)
		}
	}
}

// aliased returns the tensor of a shape, a name and a type.
func aliased(shape, name, dtype string) (layout.Tensor, error) {
	list, err := spec.ParseShape(shape)
	if err != nil {
		return layout.Tensor{}, err
	}
	n, err := spec.ParseName(name)
	if err != nil {
		return layout.Tensor{}, err
	}
	d, err := layout.ParseDType(dtype)
	if err != nil {
		return layout.Tensor{}, err
	}
	return spec.Spec{Shape: list, Name: &n, DType: d}.Tensor()
}
