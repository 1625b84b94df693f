package analysis_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
)

// TestInBuffer looks at every element of small tensors, in row-major order, for the first that is not inside.
func TestInBuffer(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		axes := make([]layout.Axis, rapid.IntRange(0, 3).Draw(r, "rank"))
		for i := range axes {
			size := rapid.Int64Range(0, 6).Draw(r, "size")
			digits := []layout.Digit{{Extent: size, Stride: rapid.Int64Range(-6, 12).Draw(r, "stride")}}
			for range rapid.IntRange(0, 2).Draw(r, "blocks") {
				block := rapid.Int64Range(1, 3).Draw(r, "block")
				digits[0].Extent = layout.CeilDiv(digits[0].Extent, block)
				digits = slices.Insert(digits, 1,
					layout.Digit{Extent: block, Stride: rapid.Int64Range(-6, 12).Draw(r, "stride")})
			}
			axes[i] = layout.NewAxis("", size, digits...)
		}
		l, err := layout.New(rapid.Int64Range(-5, 5).Draw(r, "base"), axes...)
		if err != nil {
			r.Skip(err)
		}
		dtype := layouttest.Tensor(t, "[] -t "+rapid.SampledFrom([]string{"i4", "u8", "f32"}).Draw(r, "type")).DType()
		x, err := layout.NewTensor(l, dtype)
		if err != nil {
			r.Skip(err)
		}
		bytes := rapid.Int64Range(0, 100).Draw(r, "bytes")
		start, need, first := int64(0), int64(0), []int64(nil)
		for _, offset := range l.All() {
			start = min(start, offset)
		}
		for index, offset := range l.All() {
			need = max(need, layout.CeilDiv((offset-start+1)*dtype.Bits(), 8))
			if (offset < 0 || (offset+1)*dtype.Bits() > 8*bytes) && first == nil {
				first = slices.Clone(index)
			}
		}
		b := analysis.InBuffer(x, bytes)
		if b.Low != start || b.Need != need || !slices.Equal(b.First, first) || (b.First == nil) != (first == nil) {
			t.Fatalf("%v in %d bytes: %+v, want %d from %d, first %v", l, bytes, b, need, start, first)
		}
		if b.First == nil {
			return
		}
		if offset, err := l.Offset(b.First); err != nil || offset != b.At {
			t.Fatalf("%v in %d bytes: %+v is at %d", l, bytes, b, offset)
		}
	})
}

// TestInBufferLarge has tensors that no loop gets through.
func TestInBufferLarge(t *testing.T) {
	tests := []struct {
		tensor string
		bytes  int64
		need   int64
		first  []int64
		reason string
	}{
		{"1x3x224x224 NHWC", 602112, 602112, nil, "all of it"},
		{"1x3x224x224 NHWC", 602111, 602112, []int64{0, 2, 223, 223}, "the last element needs its last byte"},
		{"1x3x224x224 NHWC", 0, 602112, []int64{0, 0, 0, 0}, "not even the first"},
		{"3x3 --strides 2147483648,1", 17179869196 - 4, 17179869196, []int64{2, 2}, "beyond 32 bits"},
		{"1000000x1000000", 4000000 * 999999, 4000000000000, []int64{999999, 0}, "all rows but one"},
		{"3x5 --strides [-5,1]", 60, 60, []int64{1, 0}, "rows before the buffer"},
		{"3x5 --strides [-5,1] --storage-offset 5", 60, 60, []int64{2, 0}, "a row before it"},
		{"3x5 --strides [-5,1] --storage-offset 10", 60, 60, nil, "the last row is at its start"},
		{"3x5 --strides [-5,1] --storage-offset 5", 36, 60, []int64{0, 4}, "on both sides, and above comes first"},
		{"1000000x1000000 --strides [-1000000,1]", 4000000, 4000000000000, []int64{1, 0}, "all rows but one"},
		{"1000000x1000000 column-major", 4000000 * 999999, 4000000000000, []int64{0, 999999}, "all columns but one"},
	}
	for _, tt := range tests {
		b := analysis.InBuffer(layouttest.Tensor(t, tt.tensor), tt.bytes)
		if b.Need != tt.need || !slices.Equal(b.First, tt.first) {
			t.Errorf("%s in %d bytes: %+v, want need %d, first %v: %s", tt.tensor, tt.bytes, b, tt.need, tt.first,
				tt.reason)
		}
	}
}
