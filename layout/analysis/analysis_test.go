package analysis_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
)

func TestMain(m *testing.M) { layouttest.Main(m) }

// numbers reads "2,-3,4"; the empty text has no numbers.
func numbers(t testing.TB, text string) []int64 {
	t.Helper()
	list := []int64{}
	for field := range strings.SplitSeq(text, ",") {
		if text == "" {
			break
		}
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, n)
	}
	return list
}

// repeated returns n sizes that are all the same.
func repeated(size int64, n int) []int64 { return slices.Repeat([]int64{size}, n) }

func strided(t testing.TB, base int64, sizes, strides []int64) layout.Layout {
	t.Helper()
	l, err := layout.Strided(base, sizes, strides)
	if err != nil {
		t.Fatalf("Strided(%d, %v, %v): %v", base, sizes, strides, err)
	}
	return l
}

const (
	least = math.MinInt64
	most  = math.MaxInt64
)

// TestNewAgreesWithBig takes all pairs of boundary sizes and strides: either New returns the exact number that does not
// fit, or the bounds equal the ones that math/big computes.
func TestNewAgreesWithBig(t *testing.T) {
	sizes := []int64{0, 1, 2, 3, 1 << 15, 1<<16 + 1, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 62, most}
	strides := []int64{0, 1, -1, 2, 1<<31 + 1, -1 << 32, 1 << 62, -1 << 62, most, least + 1, least}
	accepted := 0
	for _, base := range []int64{0, 1, -1, 1 << 62, -1 << 62, most, least} {
		for _, n := range sizes {
			for _, s := range strides {
				for _, m := range sizes {
					for _, r := range strides {
						if checkCorners(t, base, []int64{n, m}, []int64{s, r}) {
							accepted++
						}
					}
				}
			}
		}
	}
	if accepted < 5_000 {
		t.Errorf("only %d layouts are accepted", accepted)
	}
}

func checkCorners(t *testing.T, base int64, sizes, strides []int64) bool {
	t.Helper()
	low, high, elements := big.NewInt(base), big.NewInt(base), big.NewInt(1)
	for i, n := range sizes {
		reach := new(big.Int).Mul(big.NewInt(n-1), big.NewInt(strides[i]))
		if reach.Sign() < 0 {
			low.Add(low, reach)
		} else {
			high.Add(high, reach)
		}
		elements.Mul(elements, big.NewInt(max(n, 1)))
	}
	span := new(big.Int).Sub(high, low)
	span.Add(span, big.NewInt(1))
	empty := sizes[0] == 0 || sizes[1] == 0
	fits := elements.IsInt64() && (empty || low.IsInt64() && high.IsInt64() && span.IsInt64())
	l, err := layout.Strided(base, sizes, strides)
	var overflow *layout.OverflowError
	switch {
	case !fits && !errors.As(err, &overflow):
		t.Fatalf("%d %v:%v: %v, want an overflow", base, sizes, strides, err)
	case !fits:
		exact := map[string]*big.Int{
			"the span": span, "the highest offset": high, "the lowest offset": low, "the number of elements": elements,
		}[overflow.What]
		if exact == nil || overflow.Exact.Cmp(exact) != 0 || exact.IsInt64() {
			t.Fatalf("%d %v:%v: %v, want %v", base, sizes, strides, err, exact)
		}
		return false
	case err != nil:
		t.Fatalf("%d %v:%v: %v", base, sizes, strides, err)
	case !empty:
		checkFits(t, l, low, high, span, elements)
	default:
		checkEmpty(t, l)
	}
	return true
}

// checkFits checks the facts of a layout of any size, and the way to its ends and back.
func checkFits(t *testing.T, l layout.Layout, low, high, span, elements *big.Int) {
	t.Helper()
	f := analysis.Of(l)
	if f.Low != low.Int64() || f.High != high.Int64() || f.Span != span.Int64() || f.Elements != elements.Int64() {
		t.Fatalf("%v: %+v; want %v to %v, span %v, %v elements", l, f, low, high, span, elements)
	}
	if f.DistinctKnown && (f.Distinct < 1 || f.Distinct > min(f.Elements, f.Span) ||
		f.Unique == analysis.Yes && f.Distinct != f.Elements) {
		t.Fatalf("%v: %+v", l, f)
	}
	if f.Witness != nil {
		if fault := faultOf(f.Witness, l); fault != "" {
			t.Fatalf("%v: %s", l, fault)
		}
	}
	inverse := analysis.NewInverse(l)
	for _, offset := range []int64{f.Low, f.High} {
		found := inverse.At(offset, 1)
		if len(found.Indices) != 1 || found.Count < 1 {
			t.Fatalf("%v: nothing at %d: %+v", l, offset, found)
		}
		if got, err := l.Offset(found.Indices[0]); err != nil || got != offset {
			t.Fatalf("%v: %v is at %d, %v; want %d", l, found.Indices[0], got, err, offset)
		}
	}
	for _, offset := range []int64{least, most} {
		if found := inverse.At(offset, 1); found.Count > 0 && (offset < f.Low || offset > f.High) {
			t.Fatalf("%v: %+v at %d", l, found, offset)
		}
	}
}

func checkEmpty(t *testing.T, l layout.Layout) {
	t.Helper()
	f := analysis.Of(l)
	if f.Elements != 0 || f.Low != 0 || f.High != -1 || f.Span != 0 || f.Distinct != 0 || !f.DistinctKnown {
		t.Fatalf("%v: %+v", l, f)
	}
	if f.Packed() != analysis.Yes || f.Overlapping != analysis.No || len(f.Broadcast) > 0 || f.Witness != nil ||
		!f.Contiguous {
		t.Fatalf("%v: %+v; want an empty layout to be packed", l, f)
	}
	inverse := analysis.NewInverse(l)
	for _, offset := range []int64{least, -1, 0, 1, most} {
		if found := inverse.At(offset, 1); found.Count != 0 || len(found.Indices) != 0 || !found.Exact {
			t.Fatalf("%v: %+v at %d", l, found, offset)
		}
	}
	for range l.All() {
		t.Fatalf("%v yields an element", l)
	}
}

// TestEmptyBlockedLayouts: no elements, whatever the strides of the digits.
func TestEmptyBlockedLayouts(t *testing.T) {
	d := func(extent, stride int64) layout.Digit { return layout.Digit{Extent: extent, Stride: stride} }
	ragged := layout.NewAxis("", 17, d(2, 64), d(16, 1))
	for _, stride := range []int64{0, 1, least, most} {
		empty := layout.NewAxis("", 0, d(0, stride), d(4, stride))
		for _, list := range [][]layout.Axis{
			{empty}, {empty, ragged}, {ragged, empty}, {plain(0, stride), ragged}, {ragged, plain(0, stride)},
		} {
			l, err := layout.New(5, list...)
			if err != nil {
				t.Fatal(err)
			}
			checkEmpty(t, l)
			if sizes, strides, ok := analysis.Coalesced(l); !ok || len(sizes) != 1 || sizes[0] != 0 || strides[0] != 1 {
				t.Errorf("%v coalesces to %v:%v", l, sizes, strides)
			}
		}
	}
}

// plain returns an unnamed axis of one digit.
func plain(size, stride int64) layout.Axis {
	return layout.NewAxis("", size, layout.Digit{Extent: size, Stride: stride})
}

// TestHugeBlocks: extents and strides at the limit do not wrap.
func TestHugeBlocks(t *testing.T) {
	d := func(extent, stride int64) layout.Digit { return layout.Digit{Extent: extent, Stride: stride} }
	tests := []struct {
		what   string
		axis   layout.Axis
		unique analysis.Verdict
	}{
		{"2^61+1 in blocks of 2^61, end to end", layout.NewAxis("", 1<<61+1, d(2, 1<<61), d(1<<61, 1)), analysis.Yes},
		{"2^61+1 in blocks of 2^61, the second far away", layout.NewAxis("", 1<<61+1, d(2, 1<<62), d(1<<61, 1)),
			analysis.Yes},
		{"2^31 x 2^31", layout.NewAxis("", 1<<62, d(1<<31, 1<<31), d(1<<31, 1)), analysis.Yes},
		{"the same, transposed", layout.NewAxis("", 1<<62, d(1<<31, 1), d(1<<31, 1<<31)), analysis.Yes},
		{"the same in 64 digits", layout.NewAxis("", 1<<62, doubling(62)...), analysis.Yes},
	}
	for _, tt := range tests {
		l, err := layout.New(0, tt.axis)
		if err != nil {
			t.Errorf("%s: %v", tt.what, err)
			continue
		}
		f := analysis.Of(l)
		if f.Unique != tt.unique || f.Elements != tt.axis.Size() || f.Distinct != f.Elements {
			t.Errorf("%s: %+v", tt.what, f)
		}
		last := tt.axis.Size() - 1
		offset, err := l.Offset([]int64{last})
		if err != nil || offset < f.Low || offset > f.High {
			t.Errorf("%s: the last index is at %d, %v, outside %d to %d", tt.what, offset, err, f.Low, f.High)
		}
		if found := analysis.NewInverse(l).At(offset, 2); found.Count != 1 || found.Indices[0][0] != last {
			t.Errorf("%s: at %d is %+v, want %d", tt.what, offset, found, last)
		}
	}
}

// doubling returns n packed digits of extent 2.
func doubling(n int) []layout.Digit {
	digits := make([]layout.Digit, n)
	for i := range digits {
		digits[i] = layout.Digit{Extent: 2, Stride: 1 << (n - 1 - i)}
	}
	return digits
}

// TestSizeOneStridesDoNotMatter: the strides of axes of size 1 change nothing.
func TestSizeOneStridesDoNotMatter(t *testing.T) {
	for _, stride := range []int64{0, -1, 7, 1 << 62, math.MaxInt64, math.MinInt64} {
		l := strided(t, 0, []int64{1, 2, 1, 3}, []int64{stride, 3, stride, 1})
		f := analysis.Of(l)
		sizes, strides, ok := analysis.Coalesced(l)
		if f.Packed() != analysis.Yes || f.Span != 6 || len(f.Broadcast) > 0 || !f.Contiguous || !ok ||
			len(sizes) != 1 ||
			strides[0] != 1 {
			t.Errorf("stride %d: %+v, coalesced %v:%v", stride, f, sizes, strides)
		}
		if got := analysis.NewInverse(l).At(5, 9).Indices; len(got) != 1 || !slices.Equal(got[0], []int64{0, 1, 0, 2}) {
			t.Errorf("stride %d: %v at 5", stride, got)
		}
	}
}

// TestContiguityAgreesWithPyTorch checks the given answers of PyTorch and the answers recorded by gen_contiguity.py.
func TestContiguityAgreesWithPyTorch(t *testing.T) {
	type answer struct {
		Sizes, Strides                           []int64
		Contiguous, ChannelsLast, ChannelsLast3D bool
	}
	var given struct{ Cases []answer }
	var own []answer
	readJSON(t, "given/contiguity.json", &given)
	readJSON(t, "contiguity.json", &own)
	if len(given.Cases) != 800 || len(own) < 300 {
		t.Fatalf("%d given and %d own cases", len(given.Cases), len(own))
	}
	for _, c := range append(given.Cases, own...) {
		f := analysis.Of(strided(t, 0, c.Sizes, c.Strides))
		if f.Contiguous != c.Contiguous || f.ChannelsLast != (c.ChannelsLast || c.ChannelsLast3D) {
			t.Errorf("%v:%v: contiguous %v, channels_last %v; PyTorch says %+v", c.Sizes, c.Strides, f.Contiguous,
				f.ChannelsLast, c)
		}
	}
}

// readJSON reads a file of testdata; testdata/README.md states its source.
func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + path)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestRowAlignment(t *testing.T) {
	tests := []struct {
		line   string
		want   int64 // 0: rows start inside a byte; -1: there are not two rows
		reason string
	}{
		{"2x3", 4, "rows 12 bytes apart"},
		{"2x4", 16, "rows 16 bytes apart"},
		{"4x64 -t float16", 128, "128 bytes"},
		{"2x2x3 --pitch 1=4 --pad 0=1", 16, "rows 4 apart, planes 8: a multiple of 4 floats"},
		{"2x2x3 --pitch 1=4 --pitch 0=9", 4, "planes 9 apart: the second one's rows are at 36 bytes"},
		{"2x4 --storage-offset 2", 8, "all rows start 8 bytes further"},
		{"2x4 --storage-offset 3", 4, "12 bytes further"},
		{"2x3 -t uint4", 0, "rows of 12 bits"},
		{"2x4 -t uint4", 2, "rows of 16 bits"},
		{"2x4 --strides 1,2", 8, "the innermost axis is H: columns 8 bytes apart"},
		{"2x4 --strides -4,1 --storage-offset 4", 16, "flipped rows start at 0 and 16"},
		{"7", -1, "one row"},
		{"1x7", -1, "one row"},
		{"2x3 --broadcast 0", -1, "the same row twice"},
		{"0x3", -1, "no rows"},
		{"2x3 -t unknown", -1, "no bytes"},
		{"2x16x3x3 NCHW16c -t int8", 16, "rows of 3 blocks of 16 channels, 48 bytes apart"},
		{"2x3x5x4 NHWC", 16, "rows of 4 x 3 floats, 48 bytes apart"},
		{"2x3x5x5 NHWC -t int8", 1, "rows of 15 bytes"},
		{"2x4x2x64 NHWC -t int8", 256, "rows of 256 bytes, images of 512"},
		{"1x4x1x64 NHWC", -1, "one row"},
		{"2x3x4 CWH", 4, "W is outside H: columns of 3 floats, 12 bytes"},
	}
	for _, tt := range tests {
		got, ok := analysis.RowAlignment(layouttest.Tensor(t, tt.line))
		if !ok {
			got = -1
		}
		if got != tt.want {
			t.Errorf("%s: %d, want %d; %s", tt.line, got, tt.want, tt.reason)
		}
	}
}

func TestRowDistance(t *testing.T) {
	tests := []struct {
		line   string
		want   int64 // -1: there are not two rows, or one starts inside a byte
		reason string
	}{
		{"2x3", 12, "3 floats of 4 bytes"},
		{"2x3 --pitch 5", 20, "5 floats of 4 bytes"},
		{"2x2x3 --pitch 1=4 --pitch 0=9", 16, "4 floats of 4 bytes in a plane"},
		{"2x4 --strides -4,1 --storage-offset 4", 16, "flipped rows start at 0 and 16"},
		{"3x20x4x6 NCHW16c", 384, "6 blocks of 16 channels of 4 bytes"},
		{"2x3x5x4 NHWC", 48, "rows of 4 x 3 floats"},
		{"2x4 -t uint4", 2, "rows of 16 bits"},
		{"2x3 -t uint4", -1, "rows of 12 bits"},
		{"7", -1, "one row"},
		{"0x3", -1, "no rows"},
		{"2x3 -t unknown", -1, "no bytes"},
	}
	for _, tt := range tests {
		got, ok := analysis.RowDistance(layouttest.Tensor(t, tt.line))
		if !ok {
			got = -1
		}
		if got != tt.want {
			t.Errorf("%s: %d, want %d; %s", tt.line, got, tt.want, tt.reason)
		}
	}
}

// anyAxis draws an axis of up to three digits, which need not fill the last of them.
func anyAxis(most int64, strides *rapid.Generator[int64]) *rapid.Generator[layout.Axis] {
	return rapid.Custom(func(t *rapid.T) layout.Axis {
		inner := rapid.SliceOfN(rapid.Int64Range(1, 6), 0, 2).Draw(t, "blocks")
		size := rapid.Int64Range(0, most).Draw(t, "size")
		block, digits := int64(1), []layout.Digit{}
		for _, extent := range inner {
			block *= extent
			digits = append(digits, layout.Digit{Extent: extent, Stride: strides.Draw(t, "stride")})
		}
		outer := layout.Digit{Extent: (size + block - 1) / block, Stride: strides.Draw(t, "outer stride")}
		return layout.NewAxis("", size, slices.Insert(digits, 0, outer)...)
	})
}

// anyLayout draws layouts of small, sparse and huge strides.
func anyLayout(t *rapid.T, rank int, most int64) layout.Layout {
	strides := rapid.OneOf(rapid.Int64Range(-4, 9), rapid.Int64Range(-1000, 1000), rapid.Int64Range(-1<<50, 1<<50))
	axes := rapid.SliceOfN(anyAxis(most, strides), 0, rank).Draw(t, "axes")
	l, err := layout.New(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "base"), axes...)
	if err != nil {
		t.Fatalf("%v: %v", axes, err)
	}
	return l
}

func TestWitnessProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLayout(t, 4, 16)
		f := analysis.Of(l)
		if (f.Witness != nil) != (f.Unique == analysis.No) {
			t.Fatalf("%v: unique %v, witness %v", l, f.Unique, f.Witness)
		}
		if f.Witness != nil {
			if fault := faultOf(f.Witness, l); fault != "" {
				t.Fatalf("%v: %s", l, fault)
			}
		}
		if f.Elements > f.Span && f.Unique != analysis.No {
			t.Fatalf("%v: unique %v: pigeonhole", l, f.Unique)
		}
		if f.DistinctKnown && f.Unique != analysis.Unknown && (f.Distinct == f.Elements) != (f.Unique == analysis.Yes) {
			t.Fatalf("%v: %d elements, %d distinct, unique %v", l, f.Elements, f.Distinct, f.Unique)
		}
		if f.DistinctKnown && f.Exhaustive != verdict(f.Distinct == f.Span) {
			t.Fatalf("%v: %d distinct of %d, exhaustive %v", l, f.Distinct, f.Span, f.Exhaustive)
		}
	})
}

// TestOrderOfAxesProperty: the order of the axes does not change the facts of the storage.
func TestOrderOfAxesProperty(t *testing.T) {
	storage := func(l layout.Layout) string {
		f := analysis.Of(l)
		return fmt.Sprint(f.Elements, f.Low, f.High, f.Distinct, f.DistinctKnown, f.Unique, f.Overlapping, f.Exhaustive,
			len(f.Broadcast))
	}
	rapid.Check(t, func(t *rapid.T) {
		l := anyLayout(t, 4, 12)
		axes := make([]layout.Axis, l.Rank())
		for i := range axes {
			axes[i] = l.Axis(i)
		}
		permuted, err := layout.New(l.Base(), rapid.Permutation(axes).Draw(t, "order")...)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := storage(permuted), storage(l); got != want {
			t.Fatalf("%v: %s\n%v: %s", l, want, permuted, got)
		}
	})
}

// TestCoalescedProperty: a coalesced layout has the same offsets in the same order.
func TestCoalescedProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLayout(t, 3, 40)
		sizes, strides, ok := analysis.Coalesced(l)
		if !ok || l.Empty() {
			return
		}
		c, err := layout.Strided(l.Base(), sizes, strides)
		if err != nil || c.Elements() != l.Elements() {
			t.Fatalf("%v coalesces to %v:%v, %v", l, sizes, strides, err)
		}
		for range 20 {
			n := rapid.Int64Range(0, l.Elements()-1).Draw(t, "element")
			a, _ := l.Offset(nth(l, n))
			b, _ := c.Offset(nth(c, n))
			if a != b {
				t.Fatalf("%v: element %d is at %d, coalesced to %v at %d", l, n, a, c, b)
			}
		}
	})
}

// nth returns the index of an element in row-major order.
func nth(l layout.Layout, n int64) []int64 {
	index := make([]int64, l.Rank())
	for i := l.Rank() - 1; i >= 0; i-- {
		index[i] = n % l.Axis(i).Size()
		n /= l.Axis(i).Size()
	}
	return index
}

func TestBytesProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := layout.DType(rapid.IntRange(0, 29).Draw(t, "type"))
		l := anyLayout(t, 3, 40)
		x, err := layout.NewTensor(l, d)
		if err != nil {
			t.Fatal(err)
		}
		low, high := l.Bounds()
		need := big.NewInt(0)
		if !l.Empty() {
			need.Sub(big.NewInt(high), big.NewInt(min(low, 0))).Add(need, big.NewInt(1))
		}
		if got, want := x.DirectMLBytes(), roundUp(bigBytes(need, d), 4); want.Cmp(big.NewInt(got)) != 0 {
			t.Fatalf("%v of %v: %d bytes, want %v", l, d, got, want)
		}
		n := rapid.Int64Range(0, math.MaxInt64/max(d.Bits()/8, 1)).Draw(t, "n")
		if got, want := x.Bytes(n), bigBytes(big.NewInt(n), d); want.Cmp(big.NewInt(got)) != 0 {
			t.Fatalf("%d %v: %d bytes, want %v", n, d, got, want)
		}
		bytes, bits := x.BitOffset(low)
		at := new(big.Int).Mul(big.NewInt(bytes), big.NewInt(8))
		want := new(big.Int).Mul(big.NewInt(low), big.NewInt(d.Bits()))
		if at.Add(at, big.NewInt(bits)).Cmp(want) != 0 || bits < 0 || bits > 7 {
			t.Fatalf("%v %d: byte %d, bit %d", d, low, bytes, bits)
		}
	})
}

// bigBytes is the number of bytes of n elements, rounded up once.
func bigBytes(n *big.Int, d layout.DType) *big.Int {
	bits := new(big.Int).Mul(n, big.NewInt(d.Bits()))
	return new(big.Int).Div(roundUp(bits, 8), big.NewInt(8))
}

func roundUp(n *big.Int, m int64) *big.Int {
	up := new(big.Int).Add(n, big.NewInt(m-1))
	return up.Sub(up, new(big.Int).Mod(up, big.NewInt(m)))
}

func ExampleOf() {
	l, _ := layout.Strided(0, []int64{3, 3}, []int64{2, 2})
	f := analysis.Of(l)
	fmt.Println(f.Elements, "elements, span", f.Span, "distinct", f.Distinct)
	fmt.Println("unique", f.Unique, "padded", f.Padded())
	fmt.Println(f.Witness.A, "and", f.Witness.B, "are both at", f.Witness.Offset)
	// Output:
	// 9 elements, span 9 distinct 5
	// unique no padded yes
	// [0 1] and [1 0] are both at 2
}

// TestAllocations checks that facts and look-ups of layouts without blocks allocate only their results.
func TestAllocations(t *testing.T) {
	tests := []struct {
		line             string
		facts            float64
		offset           int64
		inverse, offsets float64
		reason           string
	}{
		{line: "8x3x224x224 NHWC", offset: 1234567, inverse: 2, reason: "an index and the list of it"},
		{line: "8x3x224x224 --align H=256", offset: 250, reason: "padding: nothing to return"},
		{line: "8x3x224x224 --strides 150528,1,-672,3", offset: 3, inverse: 2, reason: "flipped"},
		{line: "8x3x224x224 --broadcast N", facts: 4, offset: 3, inverse: 2,
			reason: "the list of broadcast axes, the witness and its two indices"},
	}
	for _, tt := range tests {
		l := layouttest.Tensor(t, tt.line).Layout()
		inverse, index := analysis.NewInverse(l), []int64{7, 2, 100, 200}
		for what, c := range map[string]struct {
			want float64
			run  func()
		}{
			"Facts":  {tt.facts, func() { analysis.Of(l) }},
			"At":     {tt.inverse, func() { inverse.At(tt.offset, 1) }},
			"Offset": {tt.offsets, func() { _, _ = l.Offset(index) }},
		} {
			if got := testing.AllocsPerRun(100, c.run); got > c.want {
				t.Errorf("%s: %s allocates %v times, want %v; %s", tt.line, what, got, c.want, tt.reason)
			}
		}
	}
}

// benchLayouts are layouts of rank 4 with different facts, of which one has blocks.
var benchLayouts = []struct{ name, line string }{
	{"NHWC", "8x3x224x224 NHWC"},
	{"padded", "8x3x224x224 NHWC --align H=1024"},
	{"broadcast", "8x3x224x224 --broadcast N,C"},
	{"flipped", "8x3x224x224 --strides 150528,1,-672,3 --storage-offset 149856"},
	{"blocked", "8x17x224x224 NCHW16c"},
	{"swizzled", "8x3x224x224 NHWC --swizzle 3,3,3"},
}

// BenchmarkFacts: under 1 us and without allocation for the layouts without blocks.
func BenchmarkFacts(b *testing.B) {
	for _, c := range benchLayouts {
		l := layouttest.Tensor(b, c.line).Layout()
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				analysis.Of(l)
			}
		})
	}
	for _, c := range []struct{ name, sizes, strides string }{
		{"interleaved", "4,4,8,8", "3,4,1000,9000"}, // unique, but not nested
		{"overlapping", "8,3,224,224", "150528,1,600,3"},
	} {
		l := strided(b, 0, numbers(b, c.sizes), numbers(b, c.strides))
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				analysis.Of(l)
			}
		})
	}
}

func BenchmarkOffset(b *testing.B) {
	for _, c := range benchLayouts {
		l, index := layouttest.Tensor(b, c.line).Layout(), []int64{7, 2, 100, 200}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := l.Offset(index); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAll is the time of one element of many.
func BenchmarkAll(b *testing.B) {
	for _, c := range benchLayouts {
		l := layouttest.Tensor(b, c.line).Layout()
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			sum := int64(0)
			for b.Loop() {
				for _, offset := range l.All() {
					sum += offset
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(l.Elements()), "ns/element")
		})
	}
}
