package render

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/shape"
)

// answers are all that a Printer can write about a tensor.
var answers = []struct {
	name  string
	write func(*Printer, layout.Tensor) error
}{
	{"strides", (*Printer).Strides},
	{"size", (*Printer).Size},
	{"elements", (*Printer).Elements},
	{"offsets", writeOffsets},
	{"at", writeAt},
	{"picture", func(p *Printer, t layout.Tensor) error { return p.Picture(t, whole(t)) }},
	{
		"version",
		func(p *Printer, _ layout.Tensor) error {
			return p.Print(Build{
				Version: "v1.2.3", Commit: "0123456789abcdef", Date: "2026-03-04T05:06:07Z", Modified: true,
				Go: "go1.25", Platform: "linux/amd64",
			})
		},
	},
}

// writeOffsets writes the offset of every element, like Elements but never the fast way.
func writeOffsets(p *Printer, t layout.Tensor) error {
	return p.Offsets(t, func(yield func([]int64, error) bool) {
		for _, e := range elements(t.Layout()) {
			if !yield(e.index, nil) {
				return
			}
		}
	})
}

// writeAt looks up the offsets of the tensor and some outside of it.
func writeAt(p *Printer, t layout.Tensor) error {
	low, high := t.Layout().Bounds()
	_, err := p.At(t, func(yield func(int64, error) bool) {
		for offset := low - 2; offset <= high+2 && yield(offset, nil); offset++ {
		}
	})
	return err
}

// whole is the view of all of a tensor's storage.
func whole(t layout.Tensor) Window {
	low, high := t.Layout().Bounds()
	return Window{From: low, To: max(high+1, t.Storage()), Whole: true}
}

// written returns an answer in the form of the options.
func written(t testing.TB, o Options, write func(*Printer) error) string {
	t.Helper()
	var out bytes.Buffer
	if o.Width == 0 {
		o.Width = 80
	}
	if err := write(NewPrinter(&out, o)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// An element is an index and its offset, by the formula of the model and nothing else.
type element struct {
	index  []int64
	offset int64
}

// elements lists the elements in row-major order, by nested loops over the digits' definition.
func elements(l layout.Layout) []element {
	list := []element{{nil, l.Base()}}
	for i := range l.Rank() {
		var longer []element
		for _, e := range list {
			for v := range l.Axis(i).Size() {
				index := append(append([]int64{}, e.index...), v)
				longer = append(longer, element{index, e.offset + along(l.Axis(i), v)})
			}
		}
		list = longer
	}
	return list
}

// along returns the contribution of index v of an axis to the offset.
func along(a layout.Axis, v int64) int64 {
	sum := int64(0)
	for k := a.Digits() - 1; k >= 0; k-- {
		d := a.Digit(k)
		sum += v % d.Extent * d.Stride
		v /= d.Extent
	}
	return sum
}

// tensors draws tensors of rank up to 4 whose sizes are at most the given one: any strides and
// blocks, or those of a layout name and flags.
func tensors(size int64) *rapid.Generator[layout.Tensor] {
	return rapid.Custom(func(t *rapid.T) layout.Tensor {
		if rapid.Bool().Draw(t, "by flags") {
			return drawSpec(t, size)
		}
		axes := make([]layout.Axis, rapid.IntRange(0, 4).Draw(t, "rank"))
		named := rapid.Bool().Draw(t, "named")
		for i := range axes {
			name := ""
			if named {
				name = []string{"N", "C", "height", "_9"}[i]
			}
			axes[i] = drawAxis(t, name, size)
		}
		l, err := layout.New(rapid.Int64Range(0, 20).Draw(t, "base"), axes...)
		if err != nil {
			t.Fatal(err)
		}
		return tensorOf(t, l, drawDType(t))
	})
}

func tensorOf(t interface{ Fatal(...any) }, l layout.Layout, d layout.DType) layout.Tensor {
	tensor, err := layout.NewTensor(l, d)
	if err != nil {
		t.Fatal(err)
	}
	return tensor
}

func drawDType(t *rapid.T) layout.DType {
	var all []layout.DType
	layout.DTypes(func(d layout.DType) bool { all = append(all, d); return true })
	return rapid.SampledFrom(all).Draw(t, "dtype")
}

// drawAxis draws an axis of one to three digits; one in twenty has the size 0.
func drawAxis(t *rapid.T, name string, size int64) layout.Axis {
	stride := rapid.Int64Range(-12, 12)
	n := rapid.Int64Range(1, size).Draw(t, "size")
	if rapid.IntRange(1, 20).Draw(t, "empty") == 20 {
		n = 0
	}
	inner, product := rapid.SliceOfN(rapid.Int64Range(1, 3), 0, 2).Draw(t, "blocks"), int64(1)
	digits := []layout.Digit{{Stride: stride.Draw(t, "stride")}}
	for _, extent := range inner {
		digits = append(digits, layout.Digit{Extent: extent, Stride: stride.Draw(t, "stride")})
		product *= extent
	}
	digits[0].Extent = (n + product - 1) / product
	return layout.NewAxis(name, n, digits...)
}

// drawSpec draws a tensor the way users describe one.
func drawSpec(t *rapid.T, size int64) layout.Tensor {
	name := rapid.SampledFrom([]string{
		"HW", "WH", "CHW", "HWC", "NCHW", "NHWC", "NCHW2c", "OIHW2i3o2i", "acdb", "column-major",
	}).Draw(t, "name")
	rank := 3
	if letters := strings.IndexAny(name+"0", "0123456789-"); name != "column-major" {
		rank = letters
	}
	var sizes []string
	for range rank {
		sizes = append(sizes, strconv.FormatInt(rapid.Int64Range(1, size).Draw(t, "size"), 10))
	}
	var s shape.Spec
	parsed, err := shape.ParseName(name)
	if err == nil {
		s.Name = &parsed
		s.Shape, err = shape.ParseShape(strings.Join(sizes, "x"))
	}
	s.DType = drawDType(t)
	if err == nil && rapid.Bool().Draw(t, "padded") {
		var pad shape.AxisNumber
		pad, err = shape.ParsePadding("1=" + strconv.Itoa(rapid.IntRange(0, 5).Draw(t, "pad")))
		s.Pad = append(s.Pad, pad)
	}
	if err == nil && rapid.Bool().Draw(t, "broadcast") && len(name) == rank {
		s.Broadcast, err = shape.ParseAxes("0")
	}
	var tensor layout.Tensor
	if err == nil {
		tensor, err = s.Tensor()
	}
	if err != nil {
		t.Fatal(err)
	}
	return tensor
}

// parsed is the tensor of a shape, a layout name and perhaps more.
func parsed(t testing.TB, sizes, name string, more ...func(*shape.Spec)) layout.Tensor {
	t.Helper()
	var s shape.Spec
	list, err := shape.ParseShape(sizes)
	if err != nil {
		t.Fatal(err)
	}
	s.Shape = list
	if name != "" {
		n, err := shape.ParseName(name)
		if err != nil {
			t.Fatal(err)
		}
		s.Name = &n
	}
	for _, m := range more {
		m(&s)
	}
	tensor, err := s.Tensor()
	if err != nil {
		t.Fatal(err)
	}
	return tensor
}

// strides gives a Spec its strides.
func strides(t testing.TB, text string) func(*shape.Spec) {
	list, err := shape.ParseStrides(text)
	if err != nil {
		t.Fatal(err)
	}
	return func(s *shape.Spec) { s.Strides = &list }
}

// dtype gives a Spec its element type.
func dtype(t testing.TB, text string) func(*shape.Spec) {
	d, err := layout.ParseDType(text)
	if err != nil {
		t.Fatal(err)
	}
	return func(s *shape.Spec) { s.DType = d }
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

// uncolored removes the colours from text.
func uncolored(text string) string { return sgr.ReplaceAllString(text, "") }

// hostile are strings that do harm if they are printed without changes.
var hostile = []string{
	"", " ", "x", `a|b`, `a\|b`, `trailing\`, "`x`", "```", "<script>alert(1)</script>", "[x](javascript:alert)", "*b*",
	"_i_", "&amp;", "![i](u)",
	"=1+1", "=cmd|' /C calc'!A0", "+1+1", "@SUM(A1)", "-1+1", "\t=1", "\r=1", `"`, `a"b`, "a,b", "a;b",
	"a\nb", "\n::error::x", "%0A", "\x1b[31mred", "\x1b]0;title\a", "\x1b]52;c;aGk=\a", "\b\b\b", "\x00", "\x7f",
	"\u009b31m", "\x9b31m", "\xff\xfe",
	"\u202eevil", "\u2066x\u2069", "a\u200bb", "a\u200db", "\ufeffx", "\u2028", "\u2029", "\U000e0041", "\ud7ff",
	"\ufffd", "é", "Д", "₂", "│", "漢字", "🙂", strings.Repeat("n", 300),
}

// hostiles draws such strings, mixtures of them and noise.
func hostiles() *rapid.Generator[string] {
	noise := rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 8), func(b []byte) string { return string(b) })
	part := rapid.OneOf(rapid.SampledFrom(hostile), rapid.String(), noise)
	return rapid.Map(rapid.SliceOfN(part, 0, 3), func(parts []string) string { return strings.Join(parts, "") })
}

// harm returns the first part of a string that is not UTF-8 or could be a command to a terminal.
func harm(text string) string {
	for i, r := range text {
		_, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && n == 1, unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r),
			r == 0x200b, r == 0x200d, r == 0x2028, r == 0x2029, r == 0xfeff:
			return strconv.QuoteToASCII(text[i : i+n])
		}
	}
	return ""
}
