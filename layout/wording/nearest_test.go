package wording_test

import (
	"fmt"
	"strings"
	"testing"

	"layoutcalc/layout/wording"
)

func TestNearest(t *testing.T) {
	known := []string{
		"NCHW", "NHWC", "channels_last", "row-major", "float32", "bfloat16", "man", "color", "rank", "range", "int64",
		"i8", "order", "as", "conv1.weight", "strides",
	}
	tests := []struct{ word, want, reason string }{
		{"NHCW", "NCHW", "a swap of neighbours is one change; the first of the two nearest"},
		{"nhwc", "NHWC", "case does not count"},
		{"chanels_last", "channels_last", "a letter is missing"},
		{"channnels_last", "channels_last", "a letter too many"},
		{"raw-major", "row-major", "another letter"},
		{"float23", "float32", "a swap"},
		{"xyz", "", "nothing is like it"},
		{"map", "", "another letter of three"},
		{"mn", "man", "one of three is missing"},
		{"mann", "man", "a letter too many"},
		{"amn", "man", "a swap of the first two"},
		{"maj", "", "another letter of three, the last"},
		{"coord", "", "two letters of five"},
		{"colour", "color", "British"},
		{"banks", "", "another first letter"},
		{"tank", "", "another first letter alone"},
		{"trides", "strides", "the first letter is missing"},
		{"border", "", "a first letter too many"},
		{"rang", "range", "a letter that is missing comes before another letter"},
		{"int8x4", "", "other digits"},
		{"int46", "int64", "the same digits"},
		{"i", "", "a digit makes a name"},
		{"s", "", "one letter is no slip of two"},
		{"conv2.weight", "", "another number"},
		{"conv1.wieght", "conv1.weight", "a swap"},
		{"conv1.wiegth", "conv1.weight", "two swaps in twelve letters"},
		{"stirdse", "", "two swaps in seven"},
		{"", "", "nothing at all"},
		{strings.Repeat("a", 100_000), "", "no work on the absurd"},
	}
	for _, tt := range tests {
		if got := wording.Nearest(tt.word, known); got != tt.want {
			t.Errorf("%.20q: %q, want %q; %s", tt.word, got, tt.want, tt.reason)
		}
	}
}

// TestSpeller checks that a Speller proposes words for the first slips, and reads no more words once it has compared
// many letters, however many slips there are.
func TestSpeller(t *testing.T) {
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprintf("model.decoder.layers.%04d.self_attn.k_proj.weight", i)
	}
	read := func(slips int) (n, meant int) {
		var s wording.Speller
		known := func(yield func(string) bool) {
			for _, name := range names {
				if n++; !yield(name) {
					return
				}
			}
		}
		for i := range slips {
			if s.Nearest(strings.Replace(names[i], "attn", "atn", 1), known) == names[i] {
				meant++
			}
			s.DidYouMean("x", known, "")
		}
		return n, meant
	}
	if n, meant := read(2); n < 4*len(names) || meant != 2 {
		t.Errorf("2 slips: %d are meant, by %d names", meant, n)
	}
	most, meant := read(500)
	if n, _ := read(1000); n != most || meant == 500 {
		t.Errorf("500 slips read %d names, 1000 read %d", most, n)
	}
}
