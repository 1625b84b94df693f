package analysis_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
)

// TestDerived compares the origins of strides with products worked out by hand.
func TestDerived(t *testing.T) {
	product := func(extents ...int64) layout.Origin {
		o := layout.Origin{Kind: layout.Product, Times: 1}
		for _, extent := range extents {
			o.Inner = append(o.Inner, layout.Factor{Extent: extent})
		}
		return o
	}
	given, innermost := layout.Origin{}, layout.Origin{Kind: layout.Innermost}
	tests := []struct {
		name           string
		sizes, strides []int64
		want           []layout.Origin
	}{
		{"channels_last", []int64{1, 3, 4, 5}, []int64{60, 1, 15, 3},
			[]layout.Origin{product(4, 5, 3), innermost, product(5, 3), product(3)}},
		{"every second element", []int64{2, 3}, []int64{6, 2}, []layout.Origin{given, given}},
		{"a pitch", []int64{4, 2, 3}, []int64{128, 64, 1}, []layout.Origin{given, given, innermost}},
		{"a pitch that is no multiple", []int64{2, 3}, []int64{5, 1}, []layout.Origin{given, innermost}},
		{"a multiple of another product", []int64{2, 3}, []int64{6, 1}, []layout.Origin{given, innermost}},
		{"broadcast", []int64{2, 3, 4}, []int64{4, 0, 1}, []layout.Origin{product(4), given, innermost}},
		{"two of one stride", []int64{2, 3, 3}, []int64{3, 1, 1}, []layout.Origin{given, innermost, innermost}},
		{"a flip", []int64{2, 3}, []int64{3, -1}, []layout.Origin{given, given}},
		{"size 1 is no factor", []int64{2, 1, 3}, []int64{3, 7, 1}, []layout.Origin{product(3), given, innermost}},
		{"no elements", []int64{2, 0, 3}, []int64{3, 3, 1},
			[]layout.Origin{product(3), product(3), innermost}},
	}
	for _, tt := range tests {
		tensor := f32(t, strided(t, 0, tt.sizes, tt.strides))
		for i, want := range tt.want {
			got := analysis.Derived(tensor, i, 0)
			same := slices.EqualFunc(got.Inner, want.Inner, func(a, b layout.Factor) bool {
				return a.Extent == b.Extent
			})
			if got.Kind != want.Kind || got.Times != want.Times || !same {
				t.Errorf("%s, axis %d: %+v, want %+v", tt.name, i, got, want)
			}
		}
	}
}

// TestDerivedIsTheStride checks that the product of the reported factors is the stride.
func TestDerivedIsTheStride(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(r, "rank")
		sizes := rapid.SliceOfN(rapid.Int64Range(0, 4), n, n).Draw(r, "sizes")
		strides := rapid.SliceOfN(rapid.Int64Range(-2, 24), n, n).Draw(r, "strides")
		tensor := f32(t, strided(t, 0, sizes, strides))
		for i, stride := range strides {
			o := analysis.Derived(tensor, i, 0)
			if o.Kind == layout.Innermost && stride != 1 {
				t.Fatalf("%v %v: axis %d is innermost", sizes, strides, i)
			}
			if o.Kind != layout.Product {
				continue
			}
			next := stride
			for _, f := range o.Inner {
				if sizes[f.Axis] != f.Extent || strides[f.Axis]*f.Extent != next {
					t.Fatalf("%v %v: axis %d: %+v", sizes, strides, i, o)
				}
				next = strides[f.Axis]
			}
			if next != o.Times {
				t.Fatalf("%v %v: axis %d: %+v", sizes, strides, i, o)
			}
		}
	})
}

// TestColumnMajor compares ColumnMajor with Contiguous of the axes in reverse.
func TestColumnMajor(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(r, "rank")
		sizes := rapid.SliceOfN(rapid.Int64Range(0, 3), n, n).Draw(r, "sizes")
		strides := rapid.SliceOfN(rapid.Int64Range(0, 9), n, n).Draw(r, "strides")
		got := analysis.ColumnMajor(strided(t, 0, sizes, strides))
		slices.Reverse(sizes)
		slices.Reverse(strides)
		if want := analysis.Contiguous(strided(t, 0, sizes, strides)); got != want {
			t.Fatalf("%v %v in reverse: %v, want %v", sizes, strides, got, want)
		}
	})
}

// f32 returns the tensor of float32 elements of a layout.
func f32(t testing.TB, l layout.Layout) layout.Tensor {
	t.Helper()
	dtype, err := layout.ParseDType("f32")
	if err != nil {
		t.Fatal(err)
	}
	x, err := layout.NewTensor(l, dtype)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestWholeRows has rows times pitch, for programs that copy whole rows.
func TestWholeRows(t *testing.T) {
	tests := []struct {
		tensor   string
		elements int64
		reason   string
	}{
		{"65x65 -t u32 --align H=256B", 8320, "D3D12_TEXTURE_DATA_PITCH_ALIGNMENT: 65 rows of 512 bytes"},
		{"2x3 --pitch H=64", 128, "2 rows of 64"},
		{"2x3 --strides 5,1", 10, "2 rows of 5"},
		{"2x2x3 --strides 10,5,1", 20, "2 planes of 2 rows of 5"},
		{"2x2x3 --strides 100,5,1", 200, "planes have a pitch of their own"},
		{"2x3", 0, "packed"},
		{"2x3 --strides 3,1 --storage-offset 4", 0, "inside of something larger"},
		{"2x3 --strides 1,1", 0, "rows overlap"},
		{"2x3 --strides -5,1", 0, "rows go backwards"},
		{"2x3 --strides 0,1", 0, "one row"},
		{"2x3 --strides 10,2", 0, "rows have gaps themselves"},
		{"1x3 --pitch H=64", 0, "one row"},
		{"2x3 --pad H=2", 0, "the storage has whole rows already"},
		{"0x3 --strides 5,1", 0, "no elements"},
	}
	for _, tt := range tests {
		n, ok := analysis.WholeRows(layouttest.Tensor(t, tt.tensor))
		if !ok {
			n = 0
		}
		if n != tt.elements {
			t.Errorf("%s: %d, want %d: %s", tt.tensor, n, tt.elements, tt.reason)
		}
	}
}
