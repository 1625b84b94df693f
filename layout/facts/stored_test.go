package facts_test

import (
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/layouttest"
)

// TestStored has the sizes that the storage of a tensor has as an array. Blocks are axes of their own,
// and sizes stand in the order of the strides, the longest first.
func TestStored(t *testing.T) {
	tests := []struct {
		line, sizes string
		columnMajor bool
		reason      string
	}{
		{"2x3", "2,3", false, "row-major"},
		{"4", "4", false, "one axis"},
		{"[]", "", false, "a scalar"},
		{"1x3x2x2 NCHW", "1,3,2,2", false, "row-major by its name"},
		{"2x3 WH", "3,2", false, "W 3 outside, H 2 inside"},
		{"2x3 column-major", "2,3", true, "column-major"},
		{"2x3x4 column-major", "2,3,4", true, "of three axes"},
		{"2x3 --strides 1,2", "2,3", true, "column-major by its strides"},
		{"2x3x4 CWH", "2,4,3", false, "neither: C 2, W 4, H 3"},
		{"5x3x2x4 NHWC", "5,2,4,3", false, "N 5, H 2, W 4, C 3"},
		{"5x3x2x4 CHWN", "3,2,4,5", false, "C 3, H 2, W 4, N 5"},
		{"2x3x4 --strides 1,8,2", "3,4,2", false, "the longest stride first"},
		{"2x32x3x5 NCHW16c", "2,2,3,5,16", false, "32 channels are two blocks of 16"},
		{"1x3x2x2 NCHW4c", "1,1,2,2,4", false, "the padding of a block is part of the array"},
		{"32x16x3x3 OIhw4i16o4i", "2,1,3,3,4,16,4", false, "O is two blocks of 16, I one of 4 times 4"},
		{"1x3x1x1 NHWC", "1,1,1,3", false, "the name orders axes of size 1 too"},
		{"2x1x4x5 NHWC", "2,4,5,1", false, "one channel stands last"},
		{"2x1x3 --strides 3,100,1", "2,1,3", false, "nor does this one"},
		{"3x1x2 --strides 1,7,3", "3,1,2", true, "column-major but for an axis of size 1"},
		{"3x1 HW", "3,1", false, "both: row-major"},
		{"2x3x1x5 NHWC", "2,1,5,3", false, "N and H have the same stride, and the name has N before H"},
		{"0x3", "0,3", false, "no elements"},
		{"0x3 WH", "3,0", false, "no elements, in the order of the name"},
	}
	for _, tt := range tests {
		sizes, columnMajor, ok := facts.Stored(layouttest.Tensor(t, tt.line))
		if got := layouttest.Commas(sizes); !ok || got != tt.sizes || columnMajor != tt.columnMajor {
			t.Errorf("%s: %s, column-major %v, %v; want %s, %v: %s", tt.line, got, columnMajor, ok, tt.sizes, tt.columnMajor, tt.reason)
		}
	}
}

// TestNotStored has storage that is no array.
func TestNotStored(t *testing.T) {
	tests := []struct{ line, reason string }{
		{"2x3 --pitch H=5", "rows with a gap behind them"},
		{"2x3 --pad W=1", "padding behind each row"},
		{"2x3 --storage-offset 4", "something before index 0"},
		{"0x3 --storage-offset 4", "something before index 0, though there are no elements"},
		{"2x3 --broadcast H", "an axis without storage"},
		{"2x3 --strides 2,2", "elements that share an offset"},
		{"2x3 --strides 1,1", "elements that share an offset, without a gap"},
		{"2x3 --strides 6,2", "a gap behind each element"},
		{"2x3 --strides 1,3", "a gap behind each column"},
		{"2x3 NC4c --pad N=2", "padding behind blocks"},
	}
	for _, tt := range tests {
		if sizes, columnMajor, ok := facts.Stored(layouttest.Tensor(t, tt.line)); ok {
			t.Errorf("%s is an array of %v, column-major %v: %s", tt.line, sizes, columnMajor, tt.reason)
		}
	}
}

// TestNotStoredReversed has storage that is read backwards.
func TestNotStoredReversed(t *testing.T) {
	x, err := layout.NewTensor(strided(t, 5, []int64{2, 3}, []int64{-3, -1}), layout.DType(0))
	if err != nil {
		t.Fatal(err)
	}
	if sizes, _, ok := facts.Stored(x); ok {
		t.Errorf("an array of %v", sizes)
	}
}
