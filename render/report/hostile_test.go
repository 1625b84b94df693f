package report

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"layoutcalc/layout/rules"
)

// hostile are texts that have broken reports of other programs, or their readers.
var hostile = []string{
	"\x1b[2J\x1b[31m", "\x1b]0;title\a", "\x1b]8;;http://x\x1b\\y", "\x1b]52;c;eA==\a", "\a\b\x00\x7f\r", "\u009b2J", "\x9b2J", "\u0085x",
	"a\u202eb\u2066c\u200f", "\u200b\u200d\ufeff", "\u2028\u2029", "\U000e0041", "\ufffe\uffff\U0001ffff",
	"\n::error::x", "\r::error::x", ":", "::error::x", " \u00a0::add-mask::x", "::stop-commands::x", "x%0A::error::x", "%0D%0A", "%3A%2C%25", "a,b=c:d", ",line=1::",
	"##[error]x", "x ##[group]y", "##vso[task.complete]", "##", "##vso", "[error]x",
	"|", `\|`, `\`, "`x`", "``", "<script>alert(1)</script>", "<br>", "[x](javascript:y)", "![x](http://y)", "a\n| b | c |", "*x*", "&lt;", "-->",
	"]]>", "<![CDATA[", "&amp;", "&#27;", `"`, "'", `" onload="x`, "</testcase>", "</testsuites>",
	`{"a":1}`, `\u0000`, `\n`, "{0}", "[x](1)",
	"x # SKIP", "x\nok 2", "=1+1", "-rf", "--", "~", "..", "../../etc/passwd", "/etc/passwd", `C:\x`, `\\server\x`, "javascript:x", "//host/x", "a b#c?d%e", "",
	"\xff\xfe", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "漢字🙂e\u0301", "\u0301\u0301",
	strings.Repeat("n", 64<<10), strings.Repeat("\x1b", 64<<10), strings.Repeat("漢", 20<<10), strings.Repeat("\x80", 64<<10), strings.Repeat("\u0301", 32<<10), strings.Repeat("|", 64<<10),
	strings.Repeat("\n::error::x", 5<<10),
}

// haunted are findings in which each text is hostile in turn, and all of them.
func haunted(text string) []Finding {
	var list []Finding
	for i := range 7 {
		f := made("a.json", 2, 3, rules.OverlapOutput, rules.Severity(i%3), "T", "m", "f")
		f.Source = []byte("source")
		for part, field := range []*string{&f.Path, &f.Tensor, &f.Message, &f.Fix, &f.Pointer} {
			if i == part || i == 6 {
				*field = text
			}
		}
		if i >= 5 {
			f.Source, f.Column = []byte(text), len(text)/2
		}
		list = append(list, f)
	}
	list[3].Line = 0
	return list
}

func TestHostile(t *testing.T) {
	schema := sarifSchema(t)
	for _, text := range hostile {
		for _, f := range Formats {
			unbroken(t, f.Format, haunted(text), schema)
		}
	}
}

// FuzzHostile looks for more of them.
func FuzzHostile(f *testing.F) {
	for _, text := range hostile {
		if len(text) < 1<<10 {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range Formats {
			unbroken(t, format.Format, haunted(text), nil)
		}
	})
}

// unbroken writes the findings, and reads them as a reader of the format does.
func unbroken(t *testing.T, format Format, findings []Finding, schema *jsonschema.Resolved) {
	t.Helper()
	text := written(t, format, Options{Width: 60}, findings, "clean")
	if fault := unsafe(text); fault != "" {
		t.Fatalf("%s of %.80q: %s", format, findings[6].Message, fault)
	}
	if commands, _ := runner(text); format != GitHub && len(commands) > 0 {
		t.Fatalf("%s of %.80q: a runner takes a line for %.200v", format, findings[6].Message, commands)
	}
	if fault := readers[format](t, text, findings, schema); fault != "" {
		t.Fatalf("%s of %.80q: %s", format, findings[6].Message, fault)
	}
}

// unsafe says what in a text a terminal could obey.
func unsafe(text string) string {
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd"):
			return fmt.Sprintf("no UTF-8 at %d", i)
		case r != '\n' && unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == 0x2028, r == 0x2029:
			return fmt.Sprintf("%U at %d", r, i)
		}
	}
	return ""
}
