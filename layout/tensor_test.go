package layout_test

import (
	"math"
	"math/big"
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
		if got := layouttest.Tensor(t, tt.line).DirectMLBytes(); got != tt.want {
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
			t.Errorf("%s: accepted, with %d elements reserved and %d bytes", name, x.Storage(), x.DirectMLBytes())
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
		x.DirectMLBytes() != 20 {
		t.Errorf("name %q, storage %d, origin %v, %v, %d bytes", x.Name(), x.Storage(), x.Origin(0, 0), x.DType(),
			x.DirectMLBytes())
	}
}

// TestEnds compares the reserved storage of a tensor with the storage of its elements: 2x3 with rows of 5 ends at 8,
// after 5 + 3.
func TestEnds(t *testing.T) {
	strided := func(base, row int64) layout.Layout {
		l, err := layout.Strided(base, []int64{2, 3}, []int64{row, 1})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	view := func(l layout.Layout, storage int64) layout.Tensor {
		x, err := layout.NewView(l, 0, storage)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	derived := func(l layout.Layout, storage int64) layout.Tensor {
		x, err := layout.NewDerived(l, 0, layout.Derivation{Storage: storage})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	tests := []struct {
		x                      layout.Tensor
		end, storage, reserved int64
		viewed                 bool
		reason                 string
	}{
		{x: derived(strided(0, 5), 10), end: 10, storage: 10, reserved: 10, reason: "the padding of the last row"},
		{x: derived(strided(0, 5), 8), end: 8, storage: 8, reserved: 8, reason: "none"},
		{x: view(strided(0, 5), 10), end: 8, storage: 10, reserved: 10, viewed: true, reason: "its elements"},
		{x: view(strided(2, 5), 10), end: 10, storage: 10, reserved: 10, viewed: true, reason: "from 2 on"},
		{x: derived(strided(0, -5), 3), end: 3, storage: 3, reserved: 8, reason: "5 are before offset 0"},
		{x: derived(strided(5, -5), 8), end: 8, storage: 8, reserved: 8, reason: "none is"},
	}
	for _, tt := range tests {
		if tt.x.End() != tt.end || tt.x.Storage() != tt.storage || tt.x.Reserved() != tt.reserved ||
			tt.x.Viewed() != tt.viewed {
			t.Errorf("%v: end %d, storage %d, %d reserved, viewed %v; want %d, %d, %d, %v (%s)", tt.x.Layout(),
				tt.x.End(), tt.x.Storage(), tt.x.Reserved(), tt.x.Viewed(), tt.end, tt.storage, tt.reserved, tt.viewed,
				tt.reason)
		}
		for n, want := range map[int64]int64{tt.storage - 1: tt.storage, tt.storage + 1: tt.storage + 1} {
			if y, err := tt.x.Reserve(n); err != nil || y.Storage() != want {
				t.Errorf("%v: %d of %d reserved, %v; want %d", tt.x.Layout(), y.Storage(), n, err, want)
			}
		}
		y, err := tt.x.Moved(3)
		if err != nil || y.Storage() != tt.storage+3 || y.Layout().Base() != tt.x.Layout().Base()+3 {
			t.Errorf("%v moved by 3: %v, %d reserved, %v", tt.x.Layout(), y.Layout(), y.Storage(), err)
		}
	}
	if _, err := tests[0].x.Moved(math.MaxInt64 - 7); err == nil {
		t.Error("moved to 2^63 - 1, with elements after it")
	}
}

// TestExactBuffer rounds bits up to bytes, and bytes to multiples of 4, one by one.
func TestExactBuffer(t *testing.T) {
	for d := range layout.DTypes {
		x, err := layout.NewTensor(layout.Layout{}, d)
		if err != nil {
			t.Fatal(err)
		}
		for n := range int64(40) {
			bytes := int64(0)
			for 8*bytes < n*d.Bits() {
				bytes++
			}
			buffer := bytes
			for buffer%4 != 0 {
				buffer++
			}
			exact, rounded := layout.ExactBytes(d, big.NewInt(n)), layout.ExactBuffer(d, big.NewInt(n))
			if x.Bytes(n) != bytes || exact.Int64() != bytes || rounded.Int64() != buffer {
				t.Fatalf("%d %v: %d and %v bytes, in a buffer of %v; want %d and %d", n, d, x.Bytes(n), exact, rounded,
					bytes, buffer)
			}
		}
	}
}

// TestCountableBytes has the largest tensors whose bytes 64 bits hold when they are rounded up to a multiple of 4, and
// the largest strides.
func TestCountableBytes(t *testing.T) {
	tests := []struct {
		dtype  string
		most   int64
		exact  string // of one more
		reason string
	}{
		{"complex128", 1<<59 - 1, "9223372036854775808", "16 bytes each"},
		{"float32", 1<<61 - 1, "9223372036854775808", "4 bytes each"},
		{"float16", 1<<62 - 2, "9223372036854775808", "2^63 - 2 bytes would be rounded up to 2^63"},
		{"uint8", 1<<63 - 4, "9223372036854775808", "and so would 2^63 - 3"},
	}
	for _, tt := range tests {
		for _, n := range []int64{tt.most, tt.most + 1} {
			l, err := layout.Strided(0, []int64{n}, []int64{1})
			if err != nil {
				t.Fatal(err)
			}
			_, err = layout.NewTensor(l, dtype(t, tt.dtype))
			if n == tt.most && err != nil {
				t.Errorf("%d %s: %v (%s)", n, tt.dtype, err, tt.reason)
			}
			if n > tt.most {
				e := layouttest.Overflow(t, tt.reason, err, tt.exact)
				if e.What != "the number of bytes, rounded up to a multiple of 4," {
					t.Errorf("%d %s: %s overflows", n, tt.dtype, e.What)
				}
			}
			l, err = layout.Strided(0, []int64{1, 1}, []int64{1, -n})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := layout.NewTensor(l, dtype(t, tt.dtype)); (err == nil) != (n == tt.most) {
				t.Errorf("stride %d of %s: %v", -n, tt.dtype, err)
			}
		}
	}
}

// TestLike puts the axes of a tensor into the order of another layout.
func TestLike(t *testing.T) {
	x := layouttest.Tensor(t, "2x3x4 CHW")
	const same = "[C=2:12 H=3:4 W=4:1]+0"
	tests := []struct {
		names        []string
		want, reason string
	}{
		{[]string{"W", "C", "H"}, "[W=4:1 C=2:12 H=3:4]+0", "by their names"},
		{[]string{"W", "C", "N"}, same, "other names"},
		{[]string{"W", "H"}, same, "fewer"},
		{[]string{"W", "C", "H", "N"}, same, "more"},
		{[]string{"", "", ""}, same, "no names"},
		{nil, same, "no axes"},
	}
	for _, tt := range tests {
		axes := make([]layout.Axis, len(tt.names))
		for i, name := range tt.names {
			axes[i] = layout.NewAxis(name, 1, layout.Digit{Extent: 1, Stride: 1})
		}
		other, err := layout.New(0, axes...)
		if err != nil {
			t.Fatal(err)
		}
		like := x.Like(other)
		if got := like.Layout().String(); got != tt.want {
			t.Errorf("%v: %s, want %s (%s)", tt.names, got, tt.want, tt.reason)
		}
		for i, name := range like.Layout().AxisNames() {
			if kind := like.Origin(i, 0).Kind; (kind == layout.Innermost) != (name == "W") {
				t.Errorf("%v: the stride of %s has the origin %v (%s)", tt.names, name, kind, tt.reason)
			}
		}
	}
	if got := x.Renamed([]string{"A", "B", "D"}).Layout().String(); got != "[A=2:12 B=3:4 D=4:1]+0" {
		t.Errorf("renamed %s", got)
	}
	if got := x.Layout().String(); got != "[C=2:12 H=3:4 W=4:1]+0" {
		t.Errorf("the tensor has become %s", got)
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
