package analysis_test

import (
	"slices"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
)

// TestMemoryFormatAgreesWithPyTorch checks PyTorch's answers as recorded by gen_memoryformat.py.
func TestMemoryFormatAgreesWithPyTorch(t *testing.T) {
	var cases []struct {
		Sizes, Strides, Order []int64
		ChannelsLast          bool
	}
	readJSON(t, "memoryformat.json", &cases)
	orders := 0
	for _, c := range cases {
		l := strided(t, 0, c.Sizes, c.Strides)
		want := "contiguous_format"
		if c.ChannelsLast {
			want = [...]string{4: "channels_last", 5: "channels_last_3d"}[len(c.Sizes)]
		}
		if got, ok := analysis.MemoryFormat(l); got != want || !ok {
			t.Errorf("%v:%v: %s, %v, PyTorch says %s", c.Sizes, c.Strides, got, ok, want)
		}
		if c.Order == nil {
			continue
		}
		orders++
		if got, ok := analysis.DimOrder(l); !slices.Equal(got, c.Order) || !ok {
			t.Errorf("%v:%v: %v, %v, PyTorch says %v", c.Sizes, c.Strides, got, ok, c.Order)
		}
	}
	if len(cases) < 480 || orders < 70 {
		t.Errorf("%d cases, %d of them with an order", len(cases), orders)
	}
}

// TestDimOrder has the results of Tensor.dim_order in PyTorch's documentation, and the results of its sort for
// ambiguous strides.
func TestDimOrder(t *testing.T) {
	tests := []struct {
		sizes, strides, want []int64
		reason               string
	}{
		{[]int64{2, 3, 5, 7}, []int64{105, 35, 7, 1}, []int64{0, 1, 2, 3}, "the documentation's first example"},
		{[]int64{2, 3, 5, 7}, []int64{105, 35, 1, 5}, []int64{0, 1, 3, 2}, "transposed, its second"},
		{[]int64{2, 3, 5, 7}, []int64{105, 1, 21, 3}, []int64{0, 2, 3, 1}, "channels_last, its third"},
		{[]int64{1, 3, 1, 1}, []int64{3, 1, 1, 1}, []int64{0, 1, 2, 3}, "both formats: 3 is more than sizes of 1"},
		{[]int64{2, 3}, []int64{0, 1}, []int64{0, 1}, "an expanded axis stays"},
		{[]int64{5}, []int64{2}, []int64{0}, "one axis"},
		{nil, nil, []int64{}, "a scalar"},
	}
	for _, tt := range tests {
		got, ok := analysis.DimOrder(strided(t, 0, tt.sizes, tt.strides))
		if !slices.Equal(got, tt.want) || !ok {
			t.Errorf("%v:%v: %v, %v, want %v: %s", tt.sizes, tt.strides, got, ok, tt.want, tt.reason)
		}
	}
	for _, l := range []layout.Layout{strided(t, 5, []int64{2, 3}, []int64{-3, 1}), blocked(t)} {
		if order, ok := analysis.DimOrder(l); ok {
			t.Errorf("%v: %v: PyTorch has no such tensor", l, order)
		}
	}
}

// blocked returns a layout with a block.
func blocked(t *testing.T) layout.Layout {
	axis := layout.NewAxis("", 8, layout.Digit{Extent: 2, Stride: 4}, layout.Digit{Extent: 4, Stride: 1})
	l, err := layout.New(0, axis)
	if err != nil {
		t.Fatal(err)
	}
	return l
}
