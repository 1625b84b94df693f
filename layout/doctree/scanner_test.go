package doctree

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// scanned returns the tokens of a text, one a line, with what they are and where, and the fault that ends it.
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
	`[1, 2,]`, `{"a": 1,}`, `[,]`, `{,}`, `[1 2]`, `{"a" 1}`, `{a: 1}`, `[1`, `{"a"`, `"abc`, `"a\`, "", " ", "tru", "nul", `-`, `01`, `1.`, `1e`,
	`"\x"`, `"\u12"`, `"\u12x4"`, "\"a\nb\"", "/", "/* x", "/x", `[[[]]`, `{"a": "` + strings.Repeat("long ", 30) + `"}`,
	"\"a\x00b\"", "{\"a\":1}]", "[1}", `{"é": "日本"}`,
}

// TestScanner holds texts in one piece against the same text in pieces of any length, which cut every token anywhere.
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
		{"[1, 2,]", true, 6, "expected a value"},
		{`{"a": 1,}`, true, 8, "expected a name in quotes"},
		{`["\x"]`, true, 2, "not an escape of JSON"},
		{`["\u12x4"]`, true, 2, "not an escape of JSON"},
		{"[1, 2", false, 5, "expected a comma or ]"},
		{`{"a": 1]`, false, 7, "expected a comma or }"},
		{`{"a" 1}`, false, 5, "expected a colon after the name"},
		{"", false, 0, "the text ends where a value is expected"},
		{"/* x", false, 0, "the comment does not end"},
		{"[01]", false, 1, "this is not a number"},
		{`["abc`, false, 1, "the string does not end"},
		{"\"a\tb\"", false, 2, "control characters"},
		{strings.Repeat("[", MaxDepth+1), false, MaxDepth, "deeper than 64 levels"},
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

// FuzzScanner holds the scanner against encoding/json, and pieces against the whole.
func FuzzScanner(f *testing.F) {
	for _, text := range scannerTexts {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
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
