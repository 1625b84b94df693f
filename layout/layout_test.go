package layout_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/layouttest"
)

func TestMain(m *testing.M) { layouttest.Main(m) }

const (
	least = math.MinInt64
	most  = math.MaxInt64
)

// plain returns an unnamed axis of one digit.
func plain(size, stride int64) layout.Axis {
	return layout.NewAxis("", size, layout.Digit{Extent: size, Stride: stride})
}

// TestNewRefuses breaks each of the rules of a Layout.
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
		if e := layouttest.SyntaxError(t, tt.what, err); !strings.Contains(e.Msg, tt.says) {
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

// TestNewOverflows checks that errors have the exact value that does not fit.
func TestNewOverflows(t *testing.T) {
	tests := []struct {
		base           int64
		sizes, strides []int64
		what, exact    string
		reason         string
	}{
		{base: most, sizes: []int64{2}, strides: []int64{1}, what: "the highest offset", exact: "9223372036854775808",
			reason: "2^63-1 and one more"},
		{base: least, sizes: []int64{2}, strides: []int64{-1}, what: "the lowest offset", exact: "-9223372036854775809",
			reason: "-2^63 and one less"},
		{sizes: []int64{2}, strides: []int64{least}, what: "the span", exact: "9223372036854775809",
			reason: "from -2^63 to 0"},
		{base: most, sizes: []int64{2}, strides: []int64{least}, what: "the span", exact: "9223372036854775809",
			reason: "from -1 to 2^63-1"},
		{sizes: []int64{2}, strides: []int64{most}, what: "the span", exact: "9223372036854775808",
			reason: "from 0 to 2^63-1"},
		{sizes: []int64{3}, strides: []int64{most}, what: "the span", exact: "18446744073709551615",
			reason: "2 x (2^63-1) + 1"},
		{sizes: []int64{2, 2}, strides: []int64{most, least}, what: "the span", exact: "18446744073709551616",
			reason: "2^64: a number that wraps to 0"},
		{sizes: []int64{most, 2}, strides: []int64{0, 0}, what: "the number of elements", exact: "18446744073709551614",
			reason: "broadcast, but too many"},
		{sizes: []int64{0, most, most}, strides: []int64{1, 1, 1}, what: "the number of elements",
			exact: "85070591730234615847396907784232501249", reason: "(2^63-1)^2: a size of 0 hides nothing"},
		{sizes: []int64{most, most, 0}, strides: []int64{1, 1, 1}, what: "the number of elements",
			exact: "85070591730234615847396907784232501249", reason: "wherever it is"},
	}
	for _, tt := range tests {
		l, err := layout.Strided(tt.base, tt.sizes, tt.strides)
		if err == nil {
			t.Errorf("%v is accepted; %s", l, tt.reason)
			continue
		}
		if e := layouttest.Overflow(t, tt.reason, err, tt.exact); e.What != tt.what {
			t.Errorf("%v:%v: %s overflows, want %s; %s", tt.sizes, tt.strides, e.What, tt.what, tt.reason)
		}
	}
}

// TestNewTakes has layouts at the limits of the rules.
func TestNewTakes(t *testing.T) {
	digits := make([]layout.Digit, 64)
	for k := range digits {
		digits[k] = layout.Digit{Extent: 1, Stride: 0}
	}
	blocks := make([]layout.Axis, 4)
	for i := range blocks {
		blocks[i] = layout.NewAxis("", 1, digits...)
	}
	tests := []struct {
		base   int64
		axes   []layout.Axis
		reason string
	}{
		{axes: make65()[:64], reason: "64 axes"},
		{axes: blocks, reason: "256 digits"},
		{axes: []layout.Axis{plain(2, most-1)}, reason: "a span of 2^63 - 1"},
		{base: least, axes: []layout.Axis{plain(2, most-1)}, reason: "from the lowest offset on"},
		{base: 1, axes: []layout.Axis{plain(2, most-1)}, reason: "to the highest"},
		{axes: []layout.Axis{plain(most, 1)}, reason: "2^63 - 1 elements"},
		{axes: []layout.Axis{plain(0, most), plain(2, most), plain(2, most)}, reason: "no elements, no span"},
	}
	for _, tt := range tests {
		if _, err := layout.New(tt.base, tt.axes...); err != nil {
			t.Errorf("%s: %v", tt.reason, err)
		}
	}
}

// TestLayoutsAreImmutable changes the slices that New took and that methods return.
func TestLayoutsAreImmutable(t *testing.T) {
	digits := []layout.Digit{{Extent: 2, Stride: 16}, {Extent: 16, Stride: 1}}
	list := []layout.Axis{
		layout.NewAxis("C", 17, digits...), layout.NewAxis("W", 3, layout.Digit{Extent: 3, Stride: 32}),
	}
	l, err := layout.New(0, list...)
	if err != nil {
		t.Fatal(err)
	}
	before := l.String()
	digits[0].Stride, list[1] = 99, layout.NewAxis("X", 1)
	l.Sizes()[0] = 99
	analysis.NewInverse(l).At(0, 1).Indices[0][0] = 99
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
		{"2x3 --storage-offset 29", "[2:3 3:1]+29"},
		{"2x3 --strides -3,1 --storage-offset 3", "[2:-3 3:1]+3"},
		{"2x17x10x1 NCHW16c", "[N=2:320 C=17:(2:160 16:1) H=10:16 W=1:16]+0"},
	}
	for _, tt := range tests {
		if got := layouttest.Tensor(t, tt.line).Layout().String(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.line, got, tt.want)
		}
	}
}

// TestAxes checks strides, blocks and names: 17 channels in blocks of 16 have two digits.
func TestAxes(t *testing.T) {
	tests := []struct {
		line    string
		strides []int64 // nil where there are none
		blocks  []int64
		names   []string
		named   bool
	}{
		{line: "[]", strides: []int64{}, blocks: []int64{}, names: []string{}},
		{line: "2x3 --strides -3,1", strides: []int64{-3, 1}, blocks: []int64{1, 1}, names: []string{"0", "1"}},
		{line: "2x3 WH", strides: []int64{1, 2}, blocks: []int64{1, 1}, names: []string{"H", "W"}, named: true},
		{line: "2x17x10x1 NCHW16c", blocks: []int64{1, 16, 1, 1}, names: []string{"N", "C", "H", "W"}, named: true},
		{line: "8x16 AB8a2b4a", blocks: []int64{32, 2}, names: []string{"a", "b"}, named: true},
	}
	for _, tt := range tests {
		l := layouttest.Tensor(t, tt.line).Layout()
		strides, ok := l.Strides()
		if ok != (tt.strides != nil) || !slices.Equal(strides, tt.strides) {
			t.Errorf("%s: strides %v, %v; want %v", tt.line, strides, ok, tt.strides)
		}
		if l.Named() != tt.named || !slices.Equal(l.AxisNames(), tt.names) {
			t.Errorf("%s: names %q, %v; want %q, %v", tt.line, l.AxisNames(), l.Named(), tt.names, tt.named)
		}
		for i, a := range l.Axes() {
			stride, plain := a.Stride()
			if a.Block() != tt.blocks[i] || plain != (a.Digits() == 1) || plain && stride != a.DigitList()[0].Stride {
				t.Errorf("%s: axis %d has blocks of %d, want %d, and the stride %d, %v", tt.line, i, a.Block(),
					tt.blocks[i], stride, plain)
			}
		}
	}
}

func TestTexts(t *testing.T) {
	tests := []struct {
		numbers     []int64
		list, sizes string
	}{
		{nil, "", "no axes"}, {[]int64{7}, "7", "7"}, {[]int64{0, -19, 20}, "0, -19, 20", "0x-19x20"},
	}
	for _, tt := range tests {
		list, sizes := layout.JoinInts(tt.numbers, ", "), layout.SizesText(tt.numbers)
		if list != tt.list || sizes != tt.sizes {
			t.Errorf("%v: %q and %q, want %q and %q", tt.numbers, list, sizes, tt.list, tt.sizes)
		}
	}
}

// TestPackedStrides has the products of the sizes that are inside.
func TestPackedStrides(t *testing.T) {
	tests := []struct {
		sizes             []int64
		rowMajor, columns []int64 // nil where 64 bits do not hold them
		reason            string
	}{
		{sizes: []int64{}, rowMajor: []int64{}, columns: []int64{}, reason: "none"},
		{sizes: []int64{5}, rowMajor: []int64{1}, columns: []int64{1}, reason: "nothing is inside"},
		{sizes: []int64{2, 3, 4}, rowMajor: []int64{12, 4, 1}, columns: []int64{1, 2, 6}, reason: "3 x 4, 2 x 3"},
		{sizes: []int64{2, 0, 4}, rowMajor: []int64{4, 4, 1}, columns: []int64{1, 2, 2}, reason: "0 counts as 1"},
		{
			sizes: []int64{1 << 62, 1 << 62}, rowMajor: []int64{1 << 62, 1}, columns: []int64{1, 1 << 62},
			reason: "the outermost size is in no stride",
		},
		{sizes: []int64{2, 1 << 62, 2}, reason: "2^63"},
		{sizes: []int64{2, 1 << 62, 1}, rowMajor: []int64{1 << 62, 1, 1}, reason: "2^63 from one side"},
	}
	for _, tt := range tests {
		for columnMajor, want := range map[bool][]int64{false: tt.rowMajor, true: tt.columns} {
			got, err := layout.PackedStrides(tt.sizes, columnMajor)
			switch {
			case want == nil:
				e := layouttest.Overflow(t, tt.reason, err, "9223372036854775808")
				if e.What != "the stride of an axis" {
					t.Errorf("%v: %s overflows", tt.sizes, e.What)
				}
			case err != nil || !slices.Equal(got, want):
				t.Errorf("%v, column-major %v: %v, %v, want %v (%s)", tt.sizes, columnMajor, got, err, want, tt.reason)
			}
		}
	}
}

// TestStringProperty checks that two layouts have the same string only if all their parts are equal.
func TestStringProperty(t *testing.T) {
	few := rapid.Custom(func(t *rapid.T) layout.Layout {
		name := rapid.SampledFrom([]string{"", "N", "N1"}).Draw(t, "name")
		digits := rapid.SampledFrom([][]layout.Digit{
			{{Extent: 2, Stride: 1}}, {{Extent: 2, Stride: 11}}, {{Extent: 2, Stride: -1}},
			{{Extent: 1, Stride: 2}, {Extent: 2, Stride: 1}},
			{{Extent: 2, Stride: 1}, {Extent: 1, Stride: 2}}, {{Extent: 1, Stride: 2}, {Extent: 3, Stride: 1}},
		}).Draw(t, "digits")
		axes := []layout.Axis{layout.NewAxis(name, 2, digits...)}
		if name == "" && rapid.Bool().Draw(t, "two axes") {
			axes = append(axes, axes[0])
		}
		l, err := layout.New(rapid.Int64Range(0, 1).Draw(t, "base"), axes...)
		if err != nil {
			t.Fatal(err)
		}
		return l
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := few.Draw(t, "a"), few.Draw(t, "b")
		same := parts(a) == parts(b)
		if a.Equal(b) != same || (a.String() == b.String()) != same {
			t.Fatalf("%v and %v: equal %v, want %v", a, b, a.Equal(b), same)
		}
	})
}

// parts writes a layout by its accessors, with each part in a separate field.
func parts(l layout.Layout) string {
	list := []any{l.Base(), l.Rank()}
	for i := range l.Rank() {
		a := l.Axis(i)
		list = append(list, fmt.Sprintf("%q", a.Name()), a.Size(), a.Digits())
		for k := range a.Digits() {
			list = append(list, a.Digit(k).Extent, a.Digit(k).Stride)
		}
	}
	return fmt.Sprintln(list...)
}

func TestOffsetRefusesBadIndices(t *testing.T) {
	l := layouttest.Tensor(t, "2x3").Layout()
	for _, index := range [][]int64{nil, {0}, {0, 0, 0}, {-1, 0}, {0, 3}, {2, 0}, {0, -1 << 63}, {1<<63 - 1, 0}} {
		_, err := l.Offset(index)
		if err == nil {
			t.Errorf("Offset(%v) is accepted", index)
			continue
		}
		layouttest.SyntaxError(t, "", err)
	}
}

func ExampleLayout_Offset() {
	l, _ := layout.Strided(0, []int64{2, 2, 3}, []int64{6, 3, 1})
	offset, _ := l.Offset([]int64{1, 0, 1})
	fmt.Println("1*6 + 0*3 + 1*1 =", offset)
	_, err := l.Offset([]int64{2, 0, 0})
	fmt.Println(err)
	// Output:
	// 1*6 + 0*3 + 1*1 = 7
	// index 2 is out of range: axis 0 counts from 0 to 1
}

func ExampleLayout_All() {
	l, _ := layout.Strided(0, []int64{2, 2}, []int64{1, 2})
	for index, offset := range l.All() {
		fmt.Println(index, offset)
	}
	// Output:
	// [0 0] 0
	// [0 1] 2
	// [1 0] 1
	// [1 1] 3
}
