package doctree

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
)

// scanned returns the tokens of an input, one per line, with their kinds and positions, and the error that ends it.
func scanned(s *Scanner) string {
	var b strings.Builder
	var walk func()
	walk = func() {
		switch kind := s.Next(); kind {
		case Object:
			fmt.Fprintf(&b, "{@%d\n", s.Offset())
			for s.Enter(); s.More(); {
				if s.Key(); s.Fault() == nil {
					fmt.Fprintf(&b, "key %d-%d %s\n", s.Start, s.End, Unescape(s.Text()))
				}
				walk()
			}
			fmt.Fprintf(&b, "}@%d\n", s.Offset())
		case Array:
			fmt.Fprintf(&b, "[@%d\n", s.Offset())
			for s.Enter(); s.More(); {
				walk()
			}
			fmt.Fprintf(&b, "]@%d\n", s.Offset())
		default:
			if s.Scalar(); s.Fault() != nil {
				return
			}
			fmt.Fprintf(&b, "%v %d-%d", kind, s.Start, s.End)
			switch {
			case kind == String:
				fmt.Fprintf(&b, " %q", Unescape(s.Text()))
			case s.Whole:
				fmt.Fprintf(&b, " %d", s.Int)
			}
			b.WriteString("\n")
		}
	}
	if walk(); s.Fault() != nil {
		fmt.Fprintf(&b, "fault %d %s\n", s.Fault().Offset, s.Fault().Msg)
	}
	return b.String()
}

// piecewise returns a scanner that gets the text in pieces, all in the same room.
func piecewise(text string, size int, strict bool) *Scanner {
	room := make([]byte, size)
	s := &Scanner{Strict: strict}
	s.Refill = func() []byte {
		n := copy(room, text)
		text = text[n:]
		return room[:n]
	}
	return s
}

var scannerTexts = []string{
	`{"a": [1, -2, 3.5e+2, true, false, null], "b\u0041\n": "x\"y", "c": {}, "d": []}`,
	"[9223372036854775807, -9223372036854775808, 9223372036854775808, 0, -0, 123456789012345678, 1e0]",
	"/* one */ [1, // two\n 2 /* three **/, \"// no\"]",
	`[1, 2,]`, `{"a": 1,}`, `[,]`, `{,}`, `[1 2]`, `{"a" 1}`, `{a: 1}`, `[1`, `{"a"`, `"abc`, `"a\`,
	"", " ", "tru", "nul", `-`, `01`, `1.`, `1e`,
	`"\x"`, `"\u12"`, `"\u12x4"`, "\"a\nb\"", "/", "/* x", "/x", `[[[]]`,
	`{"a": "` + strings.Repeat("long ", 30) + `"}`,
	"\"a\x00b\"", "{\"a\":1}]", "[1}", `{"é": "日本"}`,
}

// TestScanner compares the tokens of an input with the tokens of the same input in pieces of any length, which cut
// every token anywhere.
func TestScanner(t *testing.T) {
	for _, text := range scannerTexts {
		for _, strict := range []bool{false, true} {
			whole := Scanner{Strict: strict}
			whole.Reset([]byte(text), 0)
			want := scanned(&whole)
			for size := 1; size < 40; size++ {
				if got := scanned(piecewise(text, size, strict)); got != want {
					t.Fatalf("%q in pieces of %d:\n%s\nwant\n%s", text, size, got, want)
				}
			}
			if valid := json.Valid([]byte(text)); valid && strings.Contains(want, "fault") {
				t.Errorf("%q is JSON, and has %s", text, want)
			}
		}
	}
}

func TestScannerFaults(t *testing.T) {
	tests := []struct {
		text   string
		strict bool
		offset int
		words  string
	}{
		{text: "[1, 2,]", strict: true, offset: 6, words: "expected a value"},
		{text: `{"a": 1,}`, strict: true, offset: 8, words: "expected a name in quotes"},
		{text: `["\x"]`, strict: true, offset: 2, words: "not an escape of JSON"},
		{text: `["\u12x4"]`, strict: true, offset: 2, words: "not an escape of JSON"},
		{text: "[1, 2", offset: 0, words: `"[" is not closed`},
		{text: `[{"a": 1`, offset: 1, words: `"{" is not closed`},
		{text: `[{"a": [`, offset: 7, words: `"[" is not closed`},
		{text: `[[1], {"a"`, offset: 6, words: `"{" is not closed`},
		{text: `{"a": 1]`, offset: 7, words: "expected a comma or }"},
		{text: `{"a" 1}`, offset: 5, words: "expected a colon after the name"},
		{words: "the text ends where a value is expected"},
		{text: "/* x", words: "the comment does not end"},
		{text: "[01]", offset: 1, words: "this is not a number"},
		{text: `["abc`, offset: 1, words: "the string does not end"},
		{text: "\"a\tb\"", offset: 2, words: "control characters"},
		{text: strings.Repeat("[", MaxDepth+1), offset: MaxDepth, words: "deeper than 64 levels"},
	}
	for _, tt := range tests {
		s := Scanner{Strict: tt.strict}
		s.Reset([]byte(tt.text), 100)
		s.Skip()
		if f := s.Fault(); f == nil || f.Offset != 100+tt.offset || !strings.Contains(f.Msg, tt.words) {
			t.Errorf("%s: %+v, want %d %s", tt.text, f, 100+tt.offset, tt.words)
		}
	}
}

// FuzzScanner compares the scanner with encoding/json, and pieces with the whole input.
func FuzzScanner(f *testing.F) {
	for _, text := range scannerTexts {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
		defer layouttest.Limit(t, len(text))()
		if size < 1 || size > 100 || len(text) > 1<<12 {
			return
		}
		s := Scanner{Strict: true}
		s.Reset([]byte(text), 0)
		want := scanned(&s)
		ended := s.Fault() == nil && s.next() == 0 && s.Offset() == len(text)
		deep := strings.Contains(want, tooDeep)
		if !strings.Contains(text, "/") && !deep && ended != json.Valid([]byte(text)) {
			t.Fatalf("%q is read: %v\n%s", text, ended, want)
		}
		if got := scanned(piecewise(text, size, true)); got != want {
			t.Fatalf("%q in pieces of %d:\n%s\nwant\n%s", text, size, got, want)
		}
	})
}
