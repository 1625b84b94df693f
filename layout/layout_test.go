package layout_test

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
)

const (
	least = math.MinInt64
	most  = math.MaxInt64
)

// plain returns an unnamed axis of one digit.
func plain(size, stride int64) layout.Axis {
	return layout.NewAxis("", size, layout.Digit{Extent: size, Stride: stride})
}

// TestNewRefuses goes through the rules of the type's comment.
func TestNewRefuses(t *testing.T) {
	d := func(extent, stride int64) layout.Digit { return layout.Digit{Extent: extent, Stride: stride} }
	blocks := make([]layout.Axis, 5)
	for i := range blocks {
		digits := make([]layout.Digit, 64)
		for k := range digits {
			digits[k] = d(1, 0)
		}
		blocks[i] = layout.NewAxis("", 1, digits...)
	}
	tests := []struct {
		what string
		axes []layout.Axis
		says string
	}{
		{"65 axes", make65(), "64"},
		{"320 digits", blocks, "256"},
		{"named and unnamed", []layout.Axis{layout.NewAxis("N", 1, d(1, 0)), plain(1, 0)}, "names"},
		{"unnamed and named", []layout.Axis{plain(1, 0), layout.NewAxis("N", 1, d(1, 0))}, "names"},
		{"a name twice", []layout.Axis{layout.NewAxis("N", 1, d(1, 0)), layout.NewAxis("N", 1, d(1, 0))}, "N"},
		{"a name of signs", []layout.Axis{layout.NewAxis("N\n", 1, d(1, 0))}, "name"},
		{"a name of digits", []layout.Axis{layout.NewAxis("0", 1, d(1, 0))}, "name"},
		{"a negative size", []layout.Axis{plain(-1, 1)}, "negative"},
		{"no digits", []layout.Axis{layout.NewAxis("", 1)}, ""},
		{"the zero Axis", []layout.Axis{{}}, ""},
		{"an extent that is not the size", []layout.Axis{layout.NewAxis("", 3, d(2, 1))}, "3"},
		{"an extent above the size", []layout.Axis{layout.NewAxis("", 3, d(4, 1))}, "3"},
		{"too small an outer extent", []layout.Axis{layout.NewAxis("", 17, d(1, 16), d(16, 1))}, "17"},
		{"too large an outer extent", []layout.Axis{layout.NewAxis("", 17, d(3, 16), d(16, 1))}, "17"},
		{"a block of 0", []layout.Axis{layout.NewAxis("", 4, d(4, 1), d(0, 1))}, "4"},
		{"a negative block", []layout.Axis{layout.NewAxis("", 4, d(-2, 1), d(-2, 1))}, "4"},
		{"an outer extent for no elements", []layout.Axis{layout.NewAxis("", 0, d(1, 1), d(2, 1))}, "0"},
	}
	for _, tt := range tests {
		l, err := layout.New(0, tt.axes...)
		if err == nil {
			t.Errorf("%s: accepted as %v", tt.what, l)
			continue
		}
		if e := wantSyntaxError(t, tt.what, err); !strings.Contains(e.Msg, tt.says) {
			t.Errorf("%s: %q does not say %q", tt.what, e.Msg, tt.says)
		}
	}
	if _, err := layout.Strided(0, []int64{1, 2}, []int64{1}); err == nil {
		t.Error("Strided takes one stride for two sizes")
	}
}

func make65() []layout.Axis {
	axes := make([]layout.Axis, 65)
	for i := range axes {
		axes[i] = plain(1, 0)
	}
	return axes
}

// TestNewOverflows gives the exact value that does not fit.
func TestNewOverflows(t *testing.T) {
	tests := []struct {
		base           int64
		sizes, strides []int64
		what, exact    string
		reason         string
	}{
		{most, []int64{2}, []int64{1}, "the highest offset", "9223372036854775808", "2^63-1 and one more"},
		{least, []int64{2}, []int64{-1}, "the lowest offset", "-9223372036854775809", "-2^63 and one less"},
		{0, []int64{2}, []int64{least}, "the span", "9223372036854775809", "from -2^63 to 0"},
		{most, []int64{2}, []int64{least}, "the span", "9223372036854775809", "from -1 to 2^63-1"},
		{0, []int64{3}, []int64{most}, "the span", "18446744073709551615", "2 x (2^63-1) + 1"},
		{0, []int64{2, 2}, []int64{most, least}, "the span", "18446744073709551616", "2^64: a number that wraps to 0"},
		{0, []int64{most, 2}, []int64{0, 0}, "the number of elements", "18446744073709551614", "broadcast, but too many"},
		{0, []int64{0, most, most}, []int64{1, 1, 1}, "the number of elements", "85070591730234615847396907784232501249", "(2^63-1)^2: a size of 0 hides nothing"},
		{0, []int64{most, most, 0}, []int64{1, 1, 1}, "the number of elements", "85070591730234615847396907784232501249", "wherever it stands"},
	}
	for _, tt := range tests {
		l, err := layout.Strided(tt.base, tt.sizes, tt.strides)
		if err == nil {
			t.Errorf("%v is accepted; %s", l, tt.reason)
			continue
		}
		if e := wantOverflow(t, tt.reason, err, tt.exact); e.What != tt.what {
			t.Errorf("%v:%v: %s overflows, want %s; %s", tt.sizes, tt.strides, e.What, tt.what, tt.reason)
		}
	}
}

// TestNewAgreesWithBig takes all pairs of boundary sizes and strides: either New shows the
// exact number that does not fit, or every corner is where math/big says.
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
		exact := map[string]*big.Int{"the span": span, "the highest offset": high, "the lowest offset": low, "the number of elements": elements}[overflow.What]
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
	f := facts.Of(l)
	if f.Low != low.Int64() || f.High != high.Int64() || f.Span != span.Int64() || f.Elements != elements.Int64() {
		t.Fatalf("%v: %+v; want %v to %v, span %v, %v elements", l, f, low, high, span, elements)
	}
	if f.DistinctKnown && (f.Distinct < 1 || f.Distinct > min(f.Elements, f.Span) || f.Unique == facts.Yes && f.Distinct != f.Elements) {
		t.Fatalf("%v: %+v", l, f)
	}
	if f.Witness != nil {
		if fault := faultOf(f.Witness, l); fault != "" {
			t.Fatalf("%v: %s", l, fault)
		}
	}
	inverse := facts.NewInverse(l)
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
	f := facts.Of(l)
	if f.Elements != 0 || f.Low != 0 || f.High != -1 || f.Span != 0 || f.Distinct != 0 || !f.DistinctKnown {
		t.Fatalf("%v: %+v", l, f)
	}
	if f.Packed() != facts.Yes || f.Overlapping != facts.No || len(f.Broadcast) > 0 || f.Witness != nil || !f.Contiguous {
		t.Fatalf("%v: %+v; nothing is out of place where nothing is", l, f)
	}
	inverse := facts.NewInverse(l)
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
		for _, list := range [][]layout.Axis{{empty}, {empty, ragged}, {ragged, empty}, {plain(0, stride), ragged}, {ragged, plain(0, stride)}} {
			l, err := layout.New(5, list...)
			if err != nil {
				t.Fatal(err)
			}
			checkEmpty(t, l)
			if sizes, strides, ok := facts.Coalesced(l); !ok || len(sizes) != 1 || sizes[0] != 0 || strides[0] != 1 {
				t.Errorf("%v coalesces to %v:%v", l, sizes, strides)
			}
		}
	}
}

// TestHugeBlocks: extents and strides at the limit wrap nowhere.
func TestHugeBlocks(t *testing.T) {
	d := func(extent, stride int64) layout.Digit { return layout.Digit{Extent: extent, Stride: stride} }
	tests := []struct {
		what   string
		axis   layout.Axis
		unique facts.Verdict
	}{
		{"2^61+1 in blocks of 2^61, end to end", layout.NewAxis("", 1<<61+1, d(2, 1<<61), d(1<<61, 1)), facts.Yes},
		{"2^61+1 in blocks of 2^61, the second far away", layout.NewAxis("", 1<<61+1, d(2, 1<<62), d(1<<61, 1)), facts.Yes},
		{"2^31 x 2^31", layout.NewAxis("", 1<<62, d(1<<31, 1<<31), d(1<<31, 1)), facts.Yes},
		{"the same, transposed", layout.NewAxis("", 1<<62, d(1<<31, 1), d(1<<31, 1<<31)), facts.Yes},
		{"the same in 64 digits", layout.NewAxis("", 1<<62, doubling(62)...), facts.Yes},
	}
	for _, tt := range tests {
		l, err := layout.New(0, tt.axis)
		if err != nil {
			t.Errorf("%s: %v", tt.what, err)
			continue
		}
		f := facts.Of(l)
		if f.Unique != tt.unique || f.Elements != tt.axis.Size() || f.Distinct != f.Elements {
			t.Errorf("%s: %+v", tt.what, f)
		}
		last := tt.axis.Size() - 1
		offset, err := l.Offset([]int64{last})
		if err != nil || offset < f.Low || offset > f.High {
			t.Errorf("%s: the last index is at %d, %v, outside %d to %d", tt.what, offset, err, f.Low, f.High)
		}
		if found := facts.NewInverse(l).At(offset, 2); found.Count != 1 || found.Indices[0][0] != last {
			t.Errorf("%s: at %d is %+v, want %d", tt.what, offset, found, last)
		}
	}
}

// doubling are n binary digits, packed.
func doubling(n int) []layout.Digit {
	digits := make([]layout.Digit, n)
	for i := range digits {
		digits[i] = layout.Digit{Extent: 2, Stride: 1 << (n - 1 - i)}
	}
	return digits
}

func TestZeroLayoutIsAScalar(t *testing.T) {
	var l layout.Layout
	checkLayout(t, l, byStrides(0, nil, nil))
	if l.String() != "[]+0" || l.Rank() != 0 || l.Named() || l.Empty() {
		t.Errorf("the zero Layout is %v", l)
	}
}

// TestLayoutsAreImmutable: what callers do with slices that they gave or got changes nothing.
func TestLayoutsAreImmutable(t *testing.T) {
	digits := []layout.Digit{{Extent: 2, Stride: 16}, {Extent: 16, Stride: 1}}
	list := []layout.Axis{layout.NewAxis("C", 17, digits...), layout.NewAxis("W", 3, layout.Digit{Extent: 3, Stride: 32})}
	l, err := layout.New(0, list...)
	if err != nil {
		t.Fatal(err)
	}
	before := l.String()
	digits[0].Stride, list[1] = 99, layout.NewAxis("X", 1)
	l.Sizes()[0] = 99
	facts.NewInverse(l).At(0, 1).Indices[0][0] = 99
	for index := range l.All() {
		index[0] = 99
		break
	}
	if l.String() != before {
		t.Errorf("%s has become %v", before, l)
	}
}

func TestString(t *testing.T) {
	tests := []struct{ line, want string }{
		{"2x3", "[2:3 3:1]+0"},
		{"2x3 HW --storage-offset 4", "[H=2:3 W=3:1]+4"},
		{"2x3 --strides -3,1 --storage-offset 3", "[2:-3 3:1]+3"},
		{"2x17x10x1 NCHW16c", "[N=2:320 C=17:(2:160 16:1) H=10:16 W=1:16]+0"},
	}
	for _, tt := range tests {
		if got := tensor(t, tt.line).Layout().String(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.line, got, tt.want)
		}
	}
}
