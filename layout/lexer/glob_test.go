package lexer_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"layoutcalc/layout/lexer"
)

// slowGlob is Glob by its definition: a star matches each start of the name in turn. It does not support classes.
func slowGlob(pattern, name string) bool {
	if pattern == "" {
		return name == ""
	}
	c, size := utf8.DecodeRuneInString(pattern)
	if c == '*' {
		for at := 0; at < len(name); {
			if slowGlob(pattern[1:], name[at:]) {
				return true
			}
			_, width := utf8.DecodeRuneInString(name[at:])
			at += width
		}
		return slowGlob(pattern[1:], "")
	}
	if c == '\\' && len(pattern) > 1 {
		pattern = pattern[1:]
		_, size = utf8.DecodeRuneInString(pattern)
	}
	_, width := utf8.DecodeRuneInString(name)
	isSame := c == '?' && name != "" || strings.HasPrefix(name, pattern[:size])
	return isSame && slowGlob(pattern[size:], name[width:])
}

// TestGlob compares random patterns with random names of few letters.
func TestGlob(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	word := func(letters []string, most int) string {
		var b strings.Builder
		for range rng.IntN(most) {
			b.WriteString(letters[rng.IntN(len(letters))])
		}
		return b.String()
	}
	matched := 0
	for range 200_000 {
		pattern := word([]string{"a", "b", "é", "*", "*", "?", "\\*", "\\a"}, 7)
		name := word([]string{"a", "b", "é", "*"}, 9)
		want := slowGlob(pattern, name)
		if got := lexer.Glob(pattern, name); got != want {
			t.Fatalf("%q matches %q: %t", pattern, name, got)
		}
		if want {
			matched++
		}
	}
	if matched < 1000 {
		t.Errorf("only %d patterns match", matched)
	}
}

// TestGlobSteps has the steps grow with the work: with the length of a name that each place of a pattern may match, and
// hardly with a name that the text after a star is not in.
func TestGlobSteps(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		least, most   int
	}{
		{"*ab7", strings.Repeat("a", 1000), 1, 40},
		{"*a?b", strings.Repeat("a", 1000), 2000, 5000},
		{"*x*", strings.Repeat("a", 1000), 1, 40},
		{"abc", "abc", 3, 5},
	} {
		if _, n := lexer.GlobSteps(tt.pattern, tt.name); n < tt.least || n > tt.most {
			t.Errorf("%q takes %d steps, want %d to %d", tt.pattern, n, tt.least, tt.most)
		}
	}
}
