package report

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// stretch is longer than most lines are.
const stretch = 256

// TestLines compares with a split of the whole text.
func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{
			"\n", "\r\n", "a", "{}", strings.Repeat("x", stretch-1), strings.Repeat("y", 3*stretch),
		})).Draw(t, "parts")
		text := strings.Join(parts, "")
		want := strings.Split(text, "\n")
		lines := NewLines([]byte(text))
		for n := len(want) + 1; n >= -1; n-- {
			got := lines.Line(n)
			if n < 1 || n > len(want) {
				if got != nil {
					t.Fatalf("line %d is %q", n, got)
				}
				continue
			}
			if string(got) != strings.TrimSuffix(want[n-1], "\r") {
				t.Fatalf("line %d is %q, want %q", n, got, want[n-1])
			}
		}
	})
}

// BenchmarkLines goes back and forth between the ends of 5 MB of long lines.
func BenchmarkLines(b *testing.B) {
	lines := NewLines(bytes.Repeat([]byte(strings.Repeat("x", 1<<20)+"\n"), 5))
	b.ReportAllocs()
	for b.Loop() {
		for n := 1; n <= 5; n++ {
			lines.Line(n)
			lines.Line(6 - n)
		}
	}
}
