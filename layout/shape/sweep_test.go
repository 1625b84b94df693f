package shape

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestExpand(t *testing.T) {
	for _, tt := range []struct{ text, want, fails, reason string }{
		{text: "1x3x{224,256}x224", want: "1x3x224x224 1x3x256x224", reason: "a list"},
		{text: "2x{1..4}", want: "2x1 2x2 2x3 2x4", reason: "a range has its end"},
		{text: "2x{1..10:4}", want: "2x1 2x5 2x9", reason: "in steps"},
		{text: "2x{1..10..4}", want: "2x1 2x5 2x9", reason: "in steps as bash writes them"},
		{text: "{1,2}x{3,4}", want: "1x3 1x4 2x3 2x4", reason: "the last changes first, as in bash"},
		{text: "{ 1, 2 }x3", want: "1x3 2x3", reason: "blanks"},
		{text: "N=1,C={3,4},W=2", want: "N=1,C=3,W=2 N=1,C=4,W=2", reason: "labelled"},
		{text: "1,{2,3},4", want: "1,2,4 1,3,4", reason: "with commas"},
		{text: "1x2..3", reason: "no braces"},
		{text: "{2,3}", reason: "a shape"},
		{text: "[{2,3}]", reason: "a shape"},
		{text: "{1,3,4,4}, {48,1,12,3}", reason: "lists of a struct"},
		{text: "{1,3,4,4},{48,1,12,3}", reason: "lists of a struct"},
		{text: `{"sizes":[2,3]}`, reason: "JSON"},
		{text: "f32[2,3]{0,1}", reason: "XLA"},
		{text: "int a[2] = {1,2}", reason: "C"},
		{text: "ne = {4, 3}, nb = {4, 16}", reason: "ggml's lists"},
		{text: "sizes={4,3}", reason: "a list with a name"},
		{text: "{", reason: "nothing"}, {text: "", reason: "nothing"},
		{text: "2x{3", fails: "} expected", reason: "not closed"},
		{text: "2x{3..}", fails: "not a size", reason: "no end"},
		{text: "2x{}", fails: "not a size", reason: "empty"},
		{text: "2x{4..3}", fails: "no size", reason: "backwards"},
		{text: "2x{1..2:0}", fails: "no size", reason: "no step"},
		{text: "{1..1000}x{1..1000}x{1..1000}", fails: "1000000000 shapes", reason: "too many, which are counted"},
		{text: "2x{0..9223372036854775807}", fails: "9223372036854775808 sizes", reason: "more than 64 bits hold"},
		{text: "2x{99999999999999999999}", fails: "64 bits", reason: "a size that 64 bits do not hold"},
	} {
		shapes, err := Expand(tt.text)
		if tt.fails != "" {
			if err == nil || !strings.Contains(err.Error(), tt.fails) {
				t.Errorf("%s: %v, want %q: %s", tt.text, err, tt.fails, tt.reason)
			}
			continue
		}
		if got := strings.Join(shapes, " "); err != nil || got != tt.want {
			t.Errorf("%s is %q (%v), want %q: %s", tt.text, got, err, tt.want, tt.reason)
		}
	}
}

func TestParseSweep(t *testing.T) {
	for text, want := range map[string]string{
		"H=8": "H=8", "H=8,16": "H=8 H=16", "2=1..3": "2=1 2=2 2=3", "H=1..64:21,7": "H=1 H=22 H=43 H=64 H=7",
		"H": "is missing", "=3": "an axis", "H=": "a size",
		"H=1..": "a size", "H=3..1": "no size", "H=1 2": "not expected",
		"H=-1": "negative", "H=1..10001": "10001 sizes", "H=1..10000:0": "no size",
	} {
		list, err := ParseSweep(text)
		var parts []string
		for _, size := range list {
			parts = append(parts, fmt.Sprintf("%s=%d", size, size.Size))
		}
		got := strings.Join(parts, " ")
		if err != nil {
			got = err.Error()
		}
		if got != want && !(err != nil && strings.Contains(got, want)) {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	if list, err := ParseSweep("H=1..10000"); err != nil || len(list) != MaxRows || list[MaxRows-1].Size != MaxRows {
		t.Errorf("%d sizes, %v", len(list), err)
	}
}

// FuzzExpand checks that each shape of an expansion differs from the shapes before it only in numbers.
func FuzzExpand(f *testing.F) {
	for _, text := range []string{"1x3x{224,256}x224", "{1,2}x{3..9:2}", "{1,2},{3,4}", "N=1,C={3,4}", "2x{3..}"} {
		f.Add(text)
	}
	digits := func(text string) string {
		return strings.Map(func(r rune) rune {
			if '0' <= r && r <= '9' {
				return -1
			}
			return r
		}, text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shapes, err := Expand(text)
		if err != nil && shapes != nil || len(shapes) > MaxRows {
			t.Fatalf("%q: %d shapes and %v", text, len(shapes), err)
		}
		for _, shape := range shapes {
			if digits(shape) != digits(shapes[0]) || strings.ContainsAny(shape, "{}") && !strings.Contains(text, "}}") {
				t.Fatalf("%q is %q", text, slices.Clip(shapes))
			}
		}
	})
}
