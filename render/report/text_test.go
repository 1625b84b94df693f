package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/layout/rules"
)

func TestText(t *testing.T) {
	want := `model.json:3:15: error: OutputTensor: (0,3) and (1,0) are both element 9 [overlap-output]
  "Strides": [ 3, 1 ],
               ^
  fix: strides 4,1
model.json:4: warning: needs 6.2 [op-level]
dir with space/w.npy: note: w is in Fortran order [file-order]
3 files, 14 descriptors: 1 error, 1 warning, 1 note
`
	findings := sample()
	if diff := cmp.Diff(want, written(t, Text, Options{}, findings, "clean.json")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got, want := written(t, Text, Options{}, nil, "clean.json"), "1 file, 14 descriptors: 0 errors, 0 warnings\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTextColours(t *testing.T) {
	got := written(t, Text, Options{Colored: true}, sample())
	for _, want := range []string{"\x1b[1mmodel.json:3:15:", "\x1b[31;1merror:", "\x1b[33;1mwarning:", "\x1b[2mnote:", "\x1b[31;1m^", "\x1b[2m[op-level]"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%q", want, got)
		}
	}
	for _, f := range Formats[1:] {
		if strings.Contains(written(t, f.Format, Options{Colored: true}, sample()), "\x1b") {
			t.Errorf("%s has colours", f.Format)
		}
	}
}

func TestPlain(t *testing.T) {
	want := `model.json:3:15: error: OutputTensor: (0,3) and (1,0) are both element 9 [overlap-output]
model.json:4: warning: needs 6.2 [op-level]
dir with space/w.npy: note: w is in Fortran order [file-order]
error: no file [syntax]
7: error: no file [syntax]
`
	findings := append(sample(),
		made("", 0, 0, rules.Syntax, rules.Error, "", "no file", ""),
		made("", 7, 0, rules.Syntax, rules.Error, "", "no file", ""))
	if diff := cmp.Diff(want, written(t, Plain, Options{}, findings, "clean.json")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSource(t *testing.T) {
	long := strings.Repeat("abcdefgh ", 100)
	tests := []struct {
		source      string
		column      int
		width       int
		line, caret string
		reason      string
	}{
		{"abc", 2, 80, "abc", " ^", "as it is"},
		{"abc\r", 4, 80, "abc", "   ^", "one behind the end"},
		{"abc", 99, 80, "abc", "   ^", "a column that is not there is the end"},
		{"\t\t {\"a\":\t1}", 8, 80, `{"a": 1}`, "    ^", "blanks at the start do not count; a tab is a blank"},
		{"  x", 2, 80, " x", "^", "the caret may be under a blank"},
		{"漢字: x", 9, 80, "漢字: x", "      ^", "a wide character takes two columns"},
		{"e\u0301: x", 6, 80, "e\u0301: x", "   ^", "an accent takes none"},
		{"漢字", 2, 80, "漢字", "^", "inside a character is at its start"},
		{"a\x1b[31mb", 7, 80, `a\x1b[31mb`, "         ^", "an escape sequence is shown, not obeyed"},
		{"::error::x", 3, 80, `\x3a:error::x`, "     ^", "no command of a runner"},
		{"a ##[error]x", 5, 80, `a ##\x5berror]x`, "    ^", "the same in the middle, and split by the caret"},
		{long, 10, 40, "abcdefgh abcdefgh abcdefgh abcdefgh a…", "         ^", "cut at the end"},
		{long, 460, 40, "…defgh abcdefgh abcdefgh abcdefgh abc…", "                         ^", "cut on both sides"},
		{strings.Repeat("x", 5000), 5001, 40, "…" + strings.Repeat("x", 37), strings.Repeat(" ", 38) + "^", "the end of a line that is not read whole"},
		{"\xff\xfe", 2, 80, `\xff\xfe`, "    ^", "no UTF-8"},
		{strings.Repeat("\x80", 9000), 8000, 40, "", "", "no UTF-8 at all"},
	}
	for _, tt := range tests {
		f := made("f", 1, tt.column, rules.Syntax, rules.Error, "", "m", "")
		f.Source = []byte(tt.source)
		got := lineList(t, written(t, Text, Options{Width: tt.width}, []Finding{f}))
		if len(got) != 4 {
			t.Errorf("%q: %q: %s", tt.source, got, tt.reason)
			continue
		}
		if tt.line != "" && got[1] != "  "+tt.line {
			t.Errorf("%q: the line is\n%q, want\n%q: %s", tt.source, got[1], "  "+tt.line, tt.reason)
		}
		if tt.caret != "" && got[2] != "  "+tt.caret {
			t.Errorf("%q: the caret is\n%q, want\n%q: %s", tt.source, got[2], "  "+tt.caret, tt.reason)
		}
	}
}

// TestNoSource wants no empty lines where there is nothing to show.
func TestNoSource(t *testing.T) {
	for _, source := range []string{"", " \t ", "\r\n"} {
		f := made("f", 1, 1, rules.Syntax, rules.Error, "", "m", "")
		f.Source = []byte(source)
		if got, want := written(t, Text, Options{}, []Finding{f}), "f:1:1: error: m [syntax]\n1 file, 14 descriptors: 1 error, 0 warnings\n"; got != want {
			t.Errorf("%q gives %q", source, got)
		}
	}
}

func TestParseFormat(t *testing.T) {
	for _, f := range Formats {
		if got, err := ParseFormat(string(f.Format)); got != f.Format || err != nil {
			t.Errorf("%s gives %s, %v", f.Format, got, err)
		}
	}
	if got, err := ParseFormat("sariff"); err == nil {
		t.Errorf("sariff gives %s", got)
	}
}
