package report

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/layout/finding"
	"layoutcalc/render"
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
	const clean = "1 file, 14 descriptors: 0 errors, 0 warnings\n"
	if got := written(t, Text, Options{}, nil, "clean.json"); got != clean {
		t.Errorf("%q, want %q", got, clean)
	}
}

// TestTextCauses has findings that differ only in their places: in more than three files they take one line, where the
// first of them stands.
func TestTextCauses(t *testing.T) {
	at := func(path string, line int, message string) Finding {
		f := made(path, line, 3, finding.Syntax, finding.Error, "", message, "remove it")
		f.Source = []byte("a: b")
		return f
	}
	const full = "  a: b\n    ^\n"
	tests := []struct {
		reason   string
		findings []Finding
		want     string
	}{
		{"three files", []Finding{at("a", 1, "x"), at("b", 1, "x"), at("c", 1, "x")},
			"a:1:3: error: x [syntax]\n" + full + "  fix: remove it\n" +
				"b:1:3: error: x [syntax]\n" + full + "  fix: remove it\n" +
				"c:1:3: error: x [syntax]\n" + full + "  fix: remove it\n"},
		{"four files, between them another cause", []Finding{at("a", 1, "x"), at("a", 2, "y"), at("b", 1, "x"),
			at("c", 7, "x"), at("d", 1, "x")},
			"a:1:3, b:1:3, c:7:3 and 1 more: error: x [syntax]\n  fix: remove it\n" +
				"a:2:3: error: y [syntax]\n" + full + "  fix: remove it\n"},
		{"four lines of one file", []Finding{at("a", 1, "x"), at("a", 2, "x"), at("a", 3, "x"), at("a", 4, "x")},
			"a:1:3: error: x [syntax]\n" + full + "  fix: remove it\n" +
				"a:2:3: error: x [syntax]\n" + full + "  fix: remove it\n" +
				"a:3:3: error: x [syntax]\n" + full + "  fix: remove it\n" +
				"a:4:3: error: x [syntax]\n" + full + "  fix: remove it\n"},
	}
	for _, tt := range tests {
		got := written(t, Text, Options{}, tt.findings)
		if summary := strings.LastIndex(strings.TrimSuffix(got, "\n"), "\n"); got[:summary+1] != tt.want {
			t.Errorf("%s:\n%swant\n%s", tt.reason, got, tt.want)
		}
	}
	long := strings.Repeat("x", maxMessage)
	var many []Finding
	for i := range 2*maxHeld/maxMessage + 10 { // more than is kept
		many = append(many, at("a", i+1, strconv.Itoa(i)+long))
	}
	if got := strings.Count(written(t, Text, Options{}, many), " error: "); got != len(many) {
		t.Errorf("%d of %d findings are listed", got, len(many))
	}
}

func TestTextColours(t *testing.T) {
	got := written(t, Text, Options{Colors: render.Colors16}, sample())
	for _, want := range []string{
		"\x1b[1mmodel.json:3:15:", "\x1b[1;91merror:", "\x1b[1;95mwarning:", " note:", "\x1b[1;91m^",
		" [op-level]",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%q", want, got)
		}
	}
	for _, f := range Formats[1:] {
		if strings.Contains(written(t, f.Format, Options{Colors: render.Colors16}, sample()), "\x1b") {
			t.Errorf("%s has colours", f.Format)
		}
	}
}

func TestPlain(t *testing.T) {
	want := `model.json:3:15: error: OutputTensor: (0,3) and (1,0) are both element 9; fix: strides 4,1 [overlap-output]
model.json:4: warning: needs 6.2 [op-level]
dir with space/w.npy: note: w is in Fortran order [file-order]
error: no file [syntax]
7: error: no file [syntax]
`
	findings := append(sample(),
		made("", 0, 0, finding.Syntax, finding.Error, "", "no file", ""),
		made("", 7, 0, finding.Syntax, finding.Error, "", "no file", ""))
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
		{source: "abc", column: 2, width: 80, line: "abc", caret: " ^", reason: "as it is"},
		{source: "abc\r", column: 4, width: 80, line: "abc", caret: "   ^", reason: "one after the end"},
		{
			source: "abc", column: 99, width: 80, line: "abc", caret: "   ^",
			reason: "a column that is not there is the end",
		},
		{
			source: "\t\t {\"a\":\t1}", column: 8, width: 80, line: `{"a": 1}`, caret: "    ^",
			reason: "blanks at the start do not count; a tab is a blank",
		},
		{source: "  x", column: 2, width: 80, line: " x", caret: "^", reason: "the caret may be under a blank"},
		{
			source: "漢字: x", column: 9, width: 80, line: "漢字: x", caret: "      ^",
			reason: "a wide character takes two columns",
		},
		{source: "e\u0301: x", column: 6, width: 80, line: "e\u0301: x", caret: "   ^", reason: "an accent takes none"},
		{
			source: "漢字", column: 2, width: 80, line: "漢字", caret: "^",
			reason: "inside a character is at its start",
		},
		{
			source: "a\x1b[31mb", column: 7, width: 80, line: `a\x1b[31mb`, caret: "         ^",
			reason: "an escape sequence is shown, not obeyed",
		},
		{
			source: "::error::x", column: 3, width: 80, line: `\x3a:error::x`, caret: "     ^",
			reason: "no command of a runner",
		},
		{
			source: "a ##[error]x", column: 5, width: 80, line: `a ##\x5berror]x`, caret: "    ^",
			reason: "the same in the middle, and split by the caret",
		},
		{
			source: long, column: 10, width: 40, line: "abcdefgh abcdefgh abcdefgh abcdefgh a…", caret: "         ^",
			reason: "cut at the end",
		},
		{
			source: long, column: 460, width: 40, line: "…defgh abcdefgh abcdefgh abcdefgh abc…",
			caret: "                         ^", reason: "cut on both sides",
		},
		{
			source: strings.Repeat("x", 5000), column: 5001, width: 40, line: "…" + strings.Repeat("x", 37),
			caret: strings.Repeat(" ", 38) + "^", reason: "the end of a line that is not read whole",
		},
		{source: "\xff\xfe", column: 2, width: 80, line: `\xff\xfe`, caret: "    ^", reason: "no UTF-8"},
		{source: strings.Repeat("\x80", 9000), column: 8000, width: 40, reason: "no UTF-8 at all"},
	}
	for _, tt := range tests {
		f := made("f", 1, tt.column, finding.Syntax, finding.Error, "", "m", "")
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

// TestNoSource checks that there are no empty lines if there is no source to show.
func TestNoSource(t *testing.T) {
	for _, source := range []string{"", " \t ", "\r\n"} {
		f := made("f", 1, 1, finding.Syntax, finding.Error, "", "m", "")
		f.Source = []byte(source)
		const want = "f:1:1: error: m [syntax]\n1 file, 14 descriptors: 1 error, 0 warnings\n"
		if got := written(t, Text, Options{}, []Finding{f}); got != want {
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
