package analysis_test

import (
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
)

// TestStored has the sizes that the storage of a tensor has as an array. Blocks are axes of their own,
// and sizes are in the order of the strides, the longest first.
func TestStored(t *testing.T) {
	tests := []struct {
		line, sizes string
		columnMajor bool
		reason      string
	}{
		{line: "2x3", sizes: "2,3", reason: "row-major"},
		{line: "4", sizes: "4", reason: "one axis"},
		{line: "[]", reason: "a scalar"},
		{line: "1x3x2x2 NCHW", sizes: "1,3,2,2", reason: "row-major by its name"},
		{line: "2x3 WH", sizes: "3,2", reason: "W 3 outside, H 2 inside"},
		{line: "2x3 column-major", sizes: "2,3", columnMajor: true, reason: "column-major"},
		{line: "2x3x4 column-major", sizes: "2,3,4", columnMajor: true, reason: "of three axes"},
		{line: "2x3 --strides 1,2", sizes: "2,3", columnMajor: true, reason: "column-major by its strides"},
		{line: "2x3x4 CWH", sizes: "2,4,3", reason: "neither: C 2, W 4, H 3"},
		{line: "5x3x2x4 NHWC", sizes: "5,2,4,3", reason: "N 5, H 2, W 4, C 3"},
		{line: "5x3x2x4 CHWN", sizes: "3,2,4,5", reason: "C 3, H 2, W 4, N 5"},
		{line: "2x3x4 --strides 1,8,2", sizes: "3,4,2", reason: "the longest stride first"},
		{line: "2x32x3x5 NCHW16c", sizes: "2,2,3,5,16", reason: "32 channels are two blocks of 16"},
		{line: "1x3x2x2 NCHW4c", sizes: "1,1,2,2,4", reason: "the padding of a block is part of the array"},
		{line: "32x16x3x3 OIhw4i16o4i", sizes: "2,1,3,3,4,16,4", reason: "O is two blocks of 16, I one of 4 times 4"},
		{line: "1x3x1x1 NHWC", sizes: "1,1,1,3", reason: "the name orders axes of size 1 too"},
		{line: "2x1x4x5 NHWC", sizes: "2,4,5,1", reason: "the axis of one channel is last"},
		{line: "2x1x3 --strides 3,100,1", sizes: "2,1,3", reason: "the stride of an axis of size 1 does not order it"},
		{line: "3x1x2 --strides 1,7,3", sizes: "3,1,2", columnMajor: true,
			reason: "column-major but for an axis of size 1"},
		{line: "3x1 HW", sizes: "3,1", reason: "both: row-major"},
		{line: "2x3x1x5 NHWC", sizes: "2,1,5,3", reason: "N and H have the same stride, and the name has N before H"},
		{line: "0x3", sizes: "0,3", reason: "no elements"},
		{line: "0x3 WH", sizes: "3,0", reason: "no elements, in the order of the name"},
	}
	for _, tt := range tests {
		sizes, columnMajor, ok := analysis.Stored(layouttest.Tensor(t, tt.line))
		if got := layouttest.Commas(sizes); !ok || got != tt.sizes || columnMajor != tt.columnMajor {
			t.Errorf("%s: %s, column-major %v, %v; want %s, %v: %s", tt.line, got, columnMajor, ok, tt.sizes,
				tt.columnMajor, tt.reason)
		}
	}
}

// TestNotStored has storage that is not an array.
func TestNotStored(t *testing.T) {
	tests := []struct{ line, reason string }{
		{"2x3 --pitch H=5", "rows with a gap after them"},
		{"2x3 --pad W=1", "padding after each row"},
		{"2x3 --storage-offset 4", "something before index 0"},
		{"0x3 --storage-offset 4", "something before index 0, though there are no elements"},
		{"2x3 --broadcast H", "an axis without storage"},
		{"2x3 --strides 2,2", "elements that share an offset"},
		{"2x3 --strides 1,1", "elements that share an offset, without a gap"},
		{"2x3 --strides 6,2", "a gap after each element"},
		{"2x3 --strides 1,3", "a gap after each column"},
		{"2x3 NC4c --pad N=2", "padding after blocks"},
	}
	for _, tt := range tests {
		if sizes, columnMajor, ok := analysis.Stored(layouttest.Tensor(t, tt.line)); ok {
			t.Errorf("%s is an array of %v, column-major %v: %s", tt.line, sizes, columnMajor, tt.reason)
		}
	}
}

// TestNotStoredReversed has storage that is read backwards.
func TestNotStoredReversed(t *testing.T) {
	x, err := layout.NewTensor(strided(t, 5, []int64{2, 3}, []int64{-3, -1}), layouttest.Tensor(t, "[] -t u8").DType())
	if err != nil {
		t.Fatal(err)
	}
	if sizes, _, ok := analysis.Stored(x); ok {
		t.Errorf("an array of %v", sizes)
	}
}
