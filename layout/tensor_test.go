package layout_test

import (
	"math"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
)

// TestBytes counts bits by hand: they are rounded up to bytes once, at the end.
func TestBytes(t *testing.T) {
	tests := []struct {
		dtype       string
		n, bytes    int64
		bytesBefore int64 // of element n in whole bytes
		bits        int64 // and the bits after them
		reason      string
	}{
		{dtype: "float32", n: 15, bytes: 60, bytesBefore: 60, reason: "15 x 4"},
		{dtype: "float16", n: 5, bytes: 10, bytesBefore: 10, reason: "5 x 2"},
		{dtype: "uint8", n: 3, bytes: 3, bytesBefore: 3, reason: "a byte each"},
		{dtype: "uint4", n: 5, bytes: 3, bytesBefore: 2, bits: 4, reason: "20 bits: two bytes and a half"},
		{dtype: "int4", n: 9, bytes: 5, bytesBefore: 4, bits: 4, reason: "36 bits, packed, not a byte each"},
		{dtype: "int2", n: 3, bytes: 1, bits: 6, reason: "6 bits"},
		{dtype: "int2", n: 4, bytes: 1, bytesBefore: 1, reason: "8 bits"},
		{dtype: "float4_e2m1fn", n: 7, bytes: 4, bytesBefore: 3, bits: 4, reason: "28 bits"},
		{dtype: "bool", n: 3, bytes: 3, bytesBefore: 3, reason: "a bool takes a byte"},
		{dtype: "complex128", n: 2, bytes: 32, bytesBefore: 32, reason: "two float64 each"},
		{dtype: "unknown", n: 9, reason: "DirectML's UNKNOWN has no size"},
		{dtype: "float32", reason: "nothing"},
		{dtype: "int8", n: math.MaxInt64, bytes: math.MaxInt64, bytesBefore: math.MaxInt64, reason: "2^63-1 bytes"},
		{dtype: "uint4", n: math.MaxInt64, bytes: 1 << 62, bytesBefore: 1<<62 - 1, bits: 4,
			reason: "half of it, rounded up"},
	}
	for _, tt := range tests {
		x, err := layout.NewTensor(layout.Layout{}, dtype(t, tt.dtype))
		if err != nil {
			t.Fatal(err)
		}
		if got := x.Bytes(tt.n); got != tt.bytes {
			t.Errorf("%d %s take %d bytes, want %d; %s", tt.n, tt.dtype, got, tt.bytes, tt.reason)
		}
		if bytes, bits := x.BitOffset(tt.n); bytes != tt.bytesBefore || bits != tt.bits {
			t.Errorf("%s %d is at byte %d, bit %d; want %d, %d; %s", tt.dtype, tt.n, bytes, bits, tt.bytesBefore,
				tt.bits, tt.reason)
		}
	}
}

// TestNegativeBitOffsets: bytes are rounded down, so that the bits after them are not negative.
func TestNegativeBitOffsets(t *testing.T) {
	tests := []struct {
		dtype               string
		offset, bytes, bits int64
	}{
		{dtype: "uint4", offset: -1, bytes: -1,
			bits: 4}, {dtype: "uint4", offset: -2,
			bytes: -1}, {dtype: "uint4", offset: -3, bytes: -2,
			bits: 4}, {dtype: "int2", offset: -1, bytes: -1,
			bits: 6}, {dtype: "int2", offset: -5, bytes: -2,
			bits: 6}, {dtype: "float32", offset: -3,
			bytes: -12},
	}
	for _, tt := range tests {
		x, _ := layout.NewTensor(layout.Layout{}, dtype(t, tt.dtype))
		if bytes, bits := x.BitOffset(tt.offset); bytes != tt.bytes || bits != tt.bits {
			t.Errorf("%s %d is at byte %d, bit %d; want %d, %d", tt.dtype, tt.offset, bytes, bits, tt.bytes, tt.bits)
		}
	}
}

func TestBufferBytes(t *testing.T) {
	tests := []struct {
		line   string
		want   int64
		reason string
	}{
		{"5 -t float16", 12, "10 bytes, rounded up to 4"},
		{"2x3 --storage-offset 4", 40, "the buffer begins at offset 0: 4 + 6 floats"},
		{"2x3 --strides -3,1", 24, "from the first element, at -3, to the last, at 2"},
		{"2x3 --strides -3,1 --storage-offset 3", 24, "from 0 to 5"},
		{"2x3 --strides -3,1 --storage-offset 1", 24, "from -2 to 3"},
		{"2x3 --strides -3,1 --storage-offset 9", 48, "from offset 0 to 11"},
		{"0x3 --storage-offset 9", 0, "no elements, no buffer"},
		{"1x3x2x2 NCHW16c -t int8", 52, "up to the last element, not the last block: 3*16 + 2, and one, rounded up"},
		{"[] -t float64", 8, "one element"},
		{"[] -t uint4", 4, "4 bits, rounded up to 4 bytes"},
		{"2305843009213693951", 9223372036854775804, "2^61-1 floats: the largest buffer of floats"},
	}
	for _, tt := range tests {
		if got := layouttest.Tensor(t, tt.line).BufferBytes(); got != tt.want {
			t.Errorf("%s: %d bytes, want %d; %s", tt.line, got, tt.want, tt.reason)
		}
	}
}

// TestTensorAtTheHighestOffset: one element at the highest offset needs 2^63 of them.
func TestTensorAtTheHighestOffset(t *testing.T) {
	l, err := layout.New(math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"float32", "uint4"} {
		x, err := layout.NewTensor(l, dtype(t, name))
		if err == nil {
			t.Errorf("%s: accepted, with %d elements reserved and %d bytes", name, x.Storage(), x.BufferBytes())
			continue
		}
		if e, ok := err.(*layout.OverflowError); ok && e.Exact.Sign() < 0 {
			t.Errorf("%s: %v, a negative count", name, err)
		}
	}
}

func TestNewTensorHasOnlyStrides(t *testing.T) {
	l, err := layout.Strided(2, []int64{2, 3}, []int64{5, 1})
	if err != nil {
		t.Fatal(err)
	}
	x, err := layout.NewTensor(l, dtype(t, "float16"))
	if err != nil {
		t.Fatal(err)
	}
	if x.Name() != "" || x.Storage() != 10 || x.Origin(0, 0).Kind != layout.Given || x.DType() != dtype(t, "f16") ||
		x.BufferBytes() != 20 {
		t.Errorf("name %q, storage %d, origin %v, %v, %d bytes", x.Name(), x.Storage(), x.Origin(0, 0), x.DType(),
			x.BufferBytes())
	}
}

func dtype(t testing.TB, text string) layout.DType {
	t.Helper()
	d, err := layout.ParseDType(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
