package render

import (
	"slices"
	"strings"
	"testing"
)

// TestASCIIWriter writes strings byte by byte and at once: characters stay whole.
func TestASCIIWriter(t *testing.T) {
	const text, want = "a │ 2×3 · é … 漢 😀 \x1b[1mb\x1b[0m\n",
		`a | 2x3 - \u00e9 ... \u6f22 \U0001f600 ` + "\x1b[1mb\x1b[0m\n"
	for n := 1; n <= len(text); n++ {
		var out strings.Builder
		w := ASCII(&out)
		for rest := text; rest != ""; rest = rest[min(n, len(rest)):] {
			part := rest[:min(n, len(rest))]
			if m, err := w.Write([]byte(part)); m != len(part) || err != nil {
				t.Fatalf("%d bytes of %q, %v", m, part, err)
			}
		}
		if out.String() != want {
			t.Errorf("in parts of %d bytes: %q, want %q", n, out.String(), want)
		}
	}
}

// TestCutColored cuts strings with colours: the rest keeps its colours, and they end.
func TestCutColored(t *testing.T) {
	const red, off = "\x1b[31m", "\x1b[0m"
	tests := []struct {
		in   string
		n    int
		want string
	}{
		{red + "abc" + off, 3, red + "abc" + off},
		{red + "abcd" + off, 3, red + "ab…" + off},
		{"ab" + red + "cd" + off, 3, "ab" + red + "…" + off},
		{red + "a" + off + " bcd", 3, red + "a" + off + " …"},
		{"abcd", 3, "ab…"},
		{red + "漢字" + off, 3, red + "漢…" + off},
	}
	for _, tt := range tests {
		if got := cutColored(tt.in, tt.n, "…"); got != tt.want {
			t.Errorf("cutColored(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}

// TestEnds has the indices that NumPy prints along an axis with edgeitems.
func TestEnds(t *testing.T) {
	tests := []struct {
		size int64
		n    int
		want []int64
	}{
		{1, 3, []int64{0}}, {6, 3, []int64{0, 1, 2, 3, 4, 5}}, {7, 3, []int64{0, 1, 2, -1, 4, 5, 6}},
		{1000, 3, []int64{0, 1, 2, -1, 997, 998, 999}}, {1000, 1, []int64{0, -1, 999}}, {2, 1, []int64{0, 1}},
	}
	for _, tt := range tests {
		if got := ends(tt.size, tt.n); !slices.Equal(got, tt.want) {
			t.Errorf("ends(%d, %d) = %v, want %v", tt.size, tt.n, got, tt.want)
		}
	}
}
