package layout_test

import (
	"slices"
	"testing"

	"layoutcalc/layout/spec"
)

// TestStridesAreListedLikeSizes: a list of strides has the order in which the sizes are written,
// which the layout turns into the logical order of the axes.
func TestStridesAreListedLikeSizes(t *testing.T) {
	tests := []struct {
		shape, order, name, strides string
		rank                        int
		want                        []int64
		reason                      string
	}{
		{"2x4x5x3", "NHWC", "", "60,15,3,1", 0, []int64{60, 1, 15, 3}, "written N,H,W,C, logical N,C,H,W"},
		{"W=3,H=2", "", "", "1,3", 0, []int64{3, 1}, "W has stride 1, H stride 3"},
		{"3x5", "", "HW", "8,1", 4, []int64{24, 24, 8, 1}, "H takes 3x8, N and C of size 1 lie beyond it"},
		{"3x5", "", "HW", "24,24,8,1", 4, []int64{24, 24, 8, 1}, "the strides of the axes that --rank adds may be listed"},
		{"H=2,W=3", "", "NCHW", "3,1", 4, []int64{6, 6, 3, 1}, "the missing labels have size 1"},
	}
	for _, tt := range tests {
		s := spec.Spec{Rank: tt.rank}
		var err error
		if s.Shape, err = spec.ParseShape(tt.shape); err != nil {
			t.Fatal(err)
		}
		strides, err := spec.ParseStrides(tt.strides)
		if err != nil {
			t.Fatal(err)
		}
		s.Strides = &strides
		for text, to := range map[string]**spec.Name{tt.order: &s.Order, tt.name: &s.Name} {
			if text == "" {
				continue
			}
			name, err := spec.ParseName(text)
			if err != nil {
				t.Fatal(err)
			}
			*to = &name
		}
		tensor, err := s.Tensor()
		if err != nil {
			t.Errorf("%+v: %v", tt, err)
			continue
		}
		if got, _ := tensor.Layout().Strides(); !slices.Equal(got, tt.want) {
			t.Errorf("%s %s --strides %s: %v, want %v: %s", tt.shape, tt.name, tt.strides, got, tt.want, tt.reason)
		}
	}
}
