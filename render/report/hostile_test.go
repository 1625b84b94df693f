package report

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/rules"
	"layoutcalc/render"
)

// hostile are strings that have broken reports of other programs, or their readers.
var hostile = []string{
	"\x1b[2J\x1b[31m", "\x1b]0;title\a", "\x1b]8;;http://x\x1b\\y", "\x1b]52;c;eA==\a", "\a\b\x00\x7f\r", "\u009b2J",
	"\x9b2J", "\u0085x",
	"a\u202eb\u2066c\u200f", "\u200b\u200d\ufeff", "\u2028\u2029", "\U000e0041", "\ufffe\uffff\U0001ffff",
	"\n::error::x", "\r::error::x", ":", "::error::x", " \u00a0::add-mask::x", "::stop-commands::x", "x%0A::error::x",
	"%0D%0A", "%3A%2C%25", "a,b=c:d", ",line=1::",
	"##[error]x", "x ##[group]y", "##vso[task.complete]", "##", "##vso", "[error]x",
	"|", `\|`, `\`, "`x`", "``", "<script>alert(1)</script>", "<br>", "[x](javascript:y)", "![x](http://y)",
	"a\n| b | c |", "*x*", "&lt;", "-->",
	"]]>", "<![CDATA[", "&amp;", "&#27;", `"`, "'", `" onload="x`, "</testcase>", "</testsuites>",
	`{"a":1}`, `\u0000`, `\n`, "{0}", "[x](1)",
	"x # SKIP", "x\nok 2", "=1+1", "-0", "-1+1",
	"-rf", "--", "~", "..", "../../etc/passwd", "/etc/passwd", `C:\x`, `\\server\x`,
	"javascript:x", "//host/x", "a b#c?d%e", "",
	"\xff\xfe", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "漢字🙂e\u0301", "\u0301\u0301",
	strings.Repeat("n", 64<<10), strings.Repeat("\x1b", 64<<10), strings.Repeat("漢", 20<<10), strings.Repeat("\x80",
		64<<10), strings.Repeat("\u0301", 32<<10), strings.Repeat("|", 64<<10),
	strings.Repeat("\n::error::x", 5<<10),
}

// haunted are findings with each string hostile in turn, and then all of them.
func haunted(text string) []Finding {
	var list []Finding
	for i := range 7 {
		f := made("a.json", 2, 3, rules.OverlapOutput, finding.Severity(i%3), "T", "m", "f")
		f.Source = []byte("source")
		for part, field := range []*string{&f.Path, &f.Tensor, &f.Message, &f.Fix, &f.Pointer} {
			if i == part || i == 6 {
				*field = text
			}
		}
		f.RootPath = f.Path
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
	step := min(layouttest.Step(), 4)
	for i, text := range hostile {
		for k := i % step; k < len(Formats); k += step {
			f := Formats[k]
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
		defer layouttest.Limit(t, len(text))()
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
	if format != Text && format != Plain && format != Markdown {
		findings = slices.Clone(findings)
		for i := range findings {
			findings[i].Path = filepath.ToSlash(findings[i].Path)
		}
	}
	if fault := readers[format](t, text, findings, schema); fault != "" {
		t.Fatalf("%s of %.80q: %s", format, findings[6].Message, fault)
	}
}

// unsafe returns the part of text that a terminal could obey.
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

// readers parse reports and return the first error.
var readers = map[Format]func(t *testing.T, text string, all []Finding, schema *jsonschema.Resolved) string{
	Text:     readText,
	Plain:    readPlain,
	JSON:     readJSON,
	JSONL:    readJSONL,
	SARIF:    readResults,
	JUnit:    readSuites,
	GitHub:   readAnnotations,
	GitLab:   readIssues,
	Markdown: readTable,
	CSV:      readCSV,
}

func readText(t *testing.T, text string, findings []Finding, _ *jsonschema.Resolved) string {
	heads := 0
	for _, line := range lineList(t, text) {
		if strings.HasSuffix(line, " [overlap-output]") {
			heads++
		} else if len(line) > maxMessage+len("  fix: ") {
			return fmt.Sprintf("a line of %d bytes", len(line))
		}
	}
	if heads < len(findings) {
		return fmt.Sprintf("%d findings", heads)
	}
	return ""
}

func readPlain(t *testing.T, text string, findings []Finding, _ *jsonschema.Resolved) string {
	list := lineList(t, text)
	if len(list) != len(findings) {
		return fmt.Sprintf("%d lines", len(list))
	}
	for i, line := range list {
		if !strings.HasSuffix(line, " [overlap-output]") ||
			!strings.Contains(line, findings[i].Severity.String()+": ") {
			return line
		}
	}
	return ""
}

func readJSON(t *testing.T, text string, findings []Finding, _ *jsonschema.Resolved) string {
	var got struct{ Findings []jsonFinding }
	if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Findings) != len(findings) {
		return fmt.Sprintf("%v, %d findings", err, len(got.Findings))
	}
	for i, f := range findings {
		if fault := sameJSON(got.Findings[i], f); fault != "" {
			return fault
		}
	}
	return ""
}

// sameJSON compares a finding that was read with the written one. Bytes that are not UTF-8 are U+FFFD.
func sameJSON(got jsonFinding, f Finding) string {
	for _, pair := range [][2]string{
		{got.Path, f.Path}, {got.Tensor, cut(f.Tensor, maxKey)}, {got.Pointer, cut(f.Pointer, maxKey)},
		{got.Message, cut(f.Message, maxMessage)}, {got.Fix, cut(f.Fix, maxMessage)},
	} {
		if pair[0] != string([]rune(pair[1])) {
			return fmt.Sprintf("%.80q is %.80q", pair[1], pair[0])
		}
	}
	return ""
}

func readJSONL(t *testing.T, text string, findings []Finding, _ *jsonschema.Resolved) string {
	list := lineList(t, text)
	if len(list) != len(findings)+1 {
		return fmt.Sprintf("%d lines", len(list))
	}
	for i, f := range findings {
		var got jsonFinding
		if err := json.Unmarshal([]byte(list[i]), &got); err != nil {
			return err.Error()
		}
		if fault := sameJSON(got, f); fault != "" {
			return fault
		}
	}
	return ""
}

func readResults(t *testing.T, text string, findings []Finding, schema *jsonschema.Resolved) string {
	var log sarifLog
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		return err.Error()
	}
	if schema != nil {
		log = readSARIF(t, schema, text)
	}
	results := log.Runs[0].Results
	if len(results) != len(findings) {
		return fmt.Sprintf("%d results", len(results))
	}
	findings = errorsFirst(findings)
	for i, r := range results {
		if fault := badResult(r, findings[i]); fault != "" {
			return fault
		}
	}
	return ""
}

// errorsFirst returns the findings in the order of reports of which a reader may take the first ones only.
func errorsFirst(findings []Finding) []Finding {
	list := slices.Clone(findings)
	slices.SortStableFunc(list, func(a, b Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return list
}

// badResult returns the error in a result: its URI points elsewhere, or its message has a link or is too long.
func badResult(r sarifResult, f Finding) string {
	if len(r.Message.Text) > 2*maxMessage+maxName+64 ||
		strings.Contains(strings.ReplaceAll(r.Message.Text, `\](`, ""), "](") {
		return r.Message.Text
	}
	at := r.Locations[0].PhysicalLocation
	if at == nil {
		if f.Path != "" {
			return "no place"
		}
		return ""
	}
	uri, err := url.Parse(at.ArtifactLocation.URI)
	switch {
	case err != nil:
		return err.Error()
	case at.ArtifactLocation.URIBaseID != "" && (uri.IsAbs() || uri.Host != "" || strings.HasPrefix(uri.Path, "/") ||
		strings.HasPrefix(uri.Path, "../")),
		uri.RawQuery != "" || uri.Fragment != "", uri.Host != "" && filepath.VolumeName(f.Path) == "",
		uri.IsAbs() && uri.Scheme != "file":
		return "the URI " + at.ArtifactLocation.URI
	case at.Region == nil, at.Region.StartLine != max(f.Line, 1), (at.Region.StartColumn < 1) != (column(&f) < 1),
		at.Region.EndColumn != 0 && at.Region.EndColumn <= at.Region.StartColumn:
		return fmt.Sprint(at.Region)
	}
	return ""
}

func readSuites(t *testing.T, text string, findings []Finding, _ *jsonschema.Resolved) string {
	cases := 0
	for _, s := range readJUnit(t, text).Suites {
		for _, c := range s.Cases {
			if c.Failure != nil {
				cases++
			}
			if c.Name != "check" && !strings.HasPrefix(c.Name, "overlap-output") {
				return c.Name
			}
		}
	}
	if cases != len(findings) {
		return fmt.Sprintf("%d failures", cases)
	}
	return ""
}

func readAnnotations(t *testing.T, text string, findings []Finding, _ *jsonschema.Resolved) string {
	got, rest := runner(text)
	if len(got) != len(findings) || len(rest) != 1 {
		return fmt.Sprintf("%d commands, %d other lines", len(got), len(rest))
	}
	findings = slices.Clone(findings)
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.RootPath, b.RootPath),
			cmp.Compare(a.Line, b.Line))
	})
	for i, c := range got {
		f := &findings[i]
		want := advice(f)
		if f.Line == 0 && f.RootPath != "" {
			want = render.Clean(f.RootPath) + ": " + want
		}
		if c.Name != command(f.Severity) || c.Data != want ||
			strings.TrimSpace(c.Properties["file"]) != strings.TrimSpace(render.Clean(f.RootPath)) ||
			c.Properties["title"] != "layoutcalc overlap-output" {
			return fmt.Sprintf("%.300q", c)
		}
		for key := range c.Properties {
			if !strings.Contains(" file line col title ", " "+key+" ") {
				return "a property " + key
			}
		}
	}
	return ""
}

func readIssues(t *testing.T, text string, findings []Finding, _ *jsonschema.Resolved) string {
	got := readGitLab(t, text)
	if len(got) != len(findings) {
		return fmt.Sprintf("%d issues", len(got))
	}
	for i, issue := range got {
		f := &findings[i]
		if issue.Location.Path != string([]rune(f.RootPath)) || issue.Description != advice(f) ||
			issue.CheckName != "overlap-output" {
			return fmt.Sprintf("%.300v", issue)
		}
	}
	return ""
}

func readTable(t *testing.T, text string, findings []Finding, _ *jsonschema.Resolved) string {
	list := lineList(t, text)
	if len(list) != len(findings)+4 {
		return fmt.Sprintf("%d lines", len(list))
	}
	for i, row := range list[2 : len(list)-2] {
		f := &findings[i]
		want := messageOf(f)
		if f.Fix != "" {
			want += "<br>fix: " + short(f.Fix, maxMessage)
		}
		cells := markdownCells(row)
		if len(cells) != 4 || cells[0] != f.Severity.String() ||
			cells[1] != strings.TrimSpace(strings.TrimSuffix(place(f), ":")) || cells[2] != strings.TrimSpace(want) ||
			cells[3] != "overlap-output" {
			return fmt.Sprintf("%.300q", cells)
		}
	}
	return ""
}

// readCSV reads a row for each finding, and nothing that a spreadsheet would work out.
func readCSV(t *testing.T, text string, findings []Finding, _ *jsonschema.Resolved) string {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return err.Error()
	}
	if len(rows) != len(findings)+1 {
		return fmt.Sprintf("%d rows of %d findings", len(rows)-1, len(findings))
	}
	for i, row := range rows[1:] {
		if len(row) != len(rows[0]) || row[0] != findings[i].Rule.String() {
			return fmt.Sprintf("row %d is %.200q", i, row)
		}
		for _, cell := range row {
			if render.IsFormula(cell) {
				return fmt.Sprintf("a formula: %.40q", cell)
			}
		}
	}
	return ""
}
