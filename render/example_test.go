package render

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout/ruledocs"
)

// TestExamples breaks the lines of all rules' examples: only whitespace changes, JSON stays the same, and no line is
// wider than the terminal.
func TestExamples(t *testing.T) {
	withoutBlanks := func(text string) string { return strings.Join(strings.Fields(text), "") }
	for _, r := range ruledocs.Texts() {
		for _, text := range []string{r.Bad, r.Good} {
			for _, width := range []int{60, 80, 120} {
				var out strings.Builder
				p := NewPrinter(&out, Options{Width: width})
				p.example(text, "", p.palette.Bad)
				if err := p.Flush(); err != nil {
					t.Fatal(err)
				}
				if withoutBlanks(out.String()) != withoutBlanks(text) {
					t.Errorf("%s is not the same:\n%s\n%s", r.Name, text, &out)
				}
				for line := range strings.Lines(out.String()) {
					if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width && strings.ContainsAny(line, "{[,") {
						t.Errorf("%s has a line of %d columns, not %d: %s", r.Name, n, width, line)
					}
				}
				var before, after bytes.Buffer
				if json.Compact(&before, []byte(text)) == nil {
					err := json.Compact(&after, []byte(out.String()))
					if err != nil || before.String() != after.String() {
						t.Errorf("%s is other JSON (%v):\n%s", r.Name, err, &out)
					}
				}
			}
		}
	}
}

// TestExampleMarks marks the parts that the other example does not have.
func TestExampleMarks(t *testing.T) {
	for _, tt := range []struct{ text, beside, want string }{
		{`{"Sizes": [1, 2, 5, 5]}`, `{"Sizes": [1, 2, 3, 3]}`, `{"Sizes": [1, 2, <5>, <5>]}`},
		{`a { b: 1 } c: 2`, `a { b: 1 }`, `a { b: 1 } <c: 2>`},
		{"a: 1\nb: 2", "a: 1\nb: 3", "a: 1\nb: <2>"},
		{`"a b" c`, `"a  b" c`, `<"a b"> c`},
		{`x {y}`, `x {y}`, `x {y}`},
		{`{`, ``, `<{>`},
	} {
		var out strings.Builder
		p := NewPrinter(&out, Options{Width: 80})
		p.example(tt.text, tt.beside, func(text string) string {
			if text == "" {
				return ""
			}
			return "<" + text + ">"
		})
		if err := p.Flush(); err != nil || out.String() != tt.want+"\n" {
			t.Errorf("%q beside %q: %q (%v), want %q", tt.text, tt.beside, &out, err, tt.want)
		}
	}
}

// TestDiffering compares the remaining tokens with all lists of tokens of short inputs.
func TestDiffering(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 8)
		a, b := words.Draw(t, "a"), words.Draw(t, "b")
		var kept []string
		for i, isOwn := range differing(slices.Clone(a), slices.Clone(b)) {
			if !isOwn {
				kept = append(kept, a[i])
			}
		}
		longest := 0
		for chosen := range 1 << len(a) {
			var list []string
			for i, word := range a {
				if chosen>>i&1 == 1 {
					list = append(list, word)
				}
			}
			if isWithin(list, b) {
				longest = max(longest, len(list))
			}
		}
		if len(kept) != longest || !isWithin(kept, b) {
			t.Fatalf("%v and %v have %v, want %d", a, b, kept, longest)
		}
	})
}

// isWithin reports whether b has the words of a in the same order.
func isWithin(a, b []string) bool {
	for _, word := range b {
		if len(a) > 0 && a[0] == word {
			a = a[1:]
		}
	}
	return len(a) == 0
}
