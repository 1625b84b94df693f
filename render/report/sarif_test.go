package report

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/tensorfile"
)

// sarifSchema reads the schema that OASIS publishes (2.1.0 with errata 01), as the Go module
// github.com/owenrumney/go-sarif/v3 v3.3.1, in the public domain, carries it. It is of draft 4, and the validator of
// draft 7, which calls the name $id; nothing else in it differs.
func sarifSchema(t testing.TB) *jsonschema.Resolved {
	t.Helper()
	text, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	check(t, err)
	for _, change := range [][2]string{
		{
			`"$schema": "http://json-schema.org/draft-04/schema#"`,
			`"$schema": "http://json-schema.org/draft-07/schema#"`,
		},
		{`"id": "https://docs`, `"$id": "https://docs`},
	} {
		if strings.Count(string(text), change[0]) != 1 {
			t.Fatalf("the schema does not have %s once", change[0])
		}
		text = []byte(strings.Replace(string(text), change[0], change[1], 1))
	}
	var schema jsonschema.Schema
	check(t, json.Unmarshal(text, &schema))
	resolved, err := schema.Resolve(nil)
	check(t, err)
	return resolved
}

// validSARIF checks a log against the schema.
func validSARIF(t testing.TB, schema *jsonschema.Resolved, log string) error {
	t.Helper()
	var value any
	check(t, json.Unmarshal([]byte(log), &value))
	return schema.Validate(value)
}

// sarifLog is a log as a program reads it.
type sarifLog struct {
	Version string
	Runs    []struct {
		Tool struct {
			Driver struct {
				Name, Version, InformationURI string
				Rules                         []struct {
					ID, HelpURI string
					Help        struct{ Text, Markdown string }
				}
			}
		}
		Results     []sarifResult
		Invocations []struct {
			ExecutionSuccessful        bool
			ToolExecutionNotifications []struct{ Message struct{ Text string } }
		}
	}
}

type sarifResult struct {
	RuleID    string
	RuleIndex int
	Level     string
	Message   struct{ Text string }
	Locations []struct {
		PhysicalLocation *struct {
			ArtifactLocation struct{ URI, URIBaseID string }
			Region           *struct {
				StartLine, StartColumn, EndColumn int
				ByteOffset, ByteLength            *int64
			}
		}
		LogicalLocations []struct{ Name, FullyQualifiedName string }
	}
	PartialFingerprints map[string]string
}

// readSARIF validates a log and reads it.
func readSARIF(t testing.TB, schema *jsonschema.Resolved, log string) sarifLog {
	t.Helper()
	if err := validSARIF(t, schema, log); err != nil {
		t.Fatalf("%v in\n%.2000s", err, log)
	}
	var got sarifLog
	check(t, json.Unmarshal([]byte(log), &got))
	return got
}

func TestSARIF(t *testing.T) {
	schema := sarifSchema(t)
	run := readSARIF(t, schema, written(t, SARIF, Options{Version: "1.2.3"}, sample(), "clean.json")).Runs[0]
	if d := run.Tool.Driver; d.Name != "layoutcalc" || d.Version != "1.2.3" || len(d.Rules) != 3 {
		t.Errorf("the driver is %s %s with %d rules", d.Name, d.Version, len(d.Rules))
	}
	if len(run.Results) != 3 || !run.Invocations[0].ExecutionSuccessful {
		t.Fatalf("%+v", run)
	}
	for i, want := range sample() {
		got := run.Results[i]
		if got.RuleID != want.Rule.String() || run.Tool.Driver.Rules[got.RuleIndex].ID != got.RuleID ||
			got.Level != want.Severity.String() {
			t.Errorf("result %d is %+v", i, got)
		}
	}
	first := run.Results[0]
	if want := "OutputTensor: (0,3) and (1,0) are both element 9\nfix: strides 4,1"; first.Message.Text != want {
		t.Errorf("the message is %q", first.Message.Text)
	}
	if r := first.Locations[0].PhysicalLocation.Region; r.StartLine != 3 || r.StartColumn != 15 || r.EndColumn != 16 {
		t.Errorf("the region is %+v", r)
	}
	l := first.Locations[0].LogicalLocations[0]
	if l.Name != "OutputTensor" || l.FullyQualifiedName != sample()[0].Pointer {
		t.Errorf("the logical location is %+v", l)
	}
	const uri = "dir%20with%20space/w.npy"
	at := run.Results[2].Locations[0].PhysicalLocation
	if r := at.Region; r.StartLine != 1 || r.StartColumn != 0 || r.EndColumn != 0 || at.ArtifactLocation.URI != uri {
		t.Errorf("a place without a line is %+v", at)
	}
	readSARIF(t, schema, written(t, SARIF, Options{}, nil))
}

// TestSARIFRules has findings of two rules: the log describes these, each once, in the words of docs/rules.
func TestSARIFRules(t *testing.T) {
	list := append(sample()[:1], made("a.npy", 0, 0, tensorfile.FileHole, finding.Note, "t", "m", ""), sample()[0])
	log := written(t, SARIF, Options{}, list)
	if strings.Count(log, "https:") != 1 {
		t.Error("the log has another address than that of the schema")
	}
	run := readSARIF(t, sarifSchema(t), log).Runs[0]
	have := run.Tool.Driver.Rules
	if len(have) != 2 || have[0].ID != "overlap-output" || have[1].ID != "file-hole" {
		t.Fatalf("the rules are %+v", have)
	}
	for i, page := range []string{"descriptor", "tensorfile"} {
		text, err := os.ReadFile("../../docs/rules/" + page + ".md")
		check(t, err)
		_, section, _ := strings.Cut(string(text), "\n## "+have[i].ID+"\n\n")
		help := have[i].Help
		if len(help.Markdown) < 200 || !strings.HasPrefix(section, help.Markdown) || help.Text == "" ||
			strings.Contains(help.Markdown, "\n## ") || !strings.Contains(help.Markdown, "Passes:") {
			t.Errorf("%s has the help %q, %q", have[i].ID, help.Text, help.Markdown)
		}
	}
}

// TestSARIFHome has addresses of the project and of help only where they are known.
func TestSARIFHome(t *testing.T) {
	schema := sarifSchema(t)
	for _, home := range []string{"", "https://example.org/layoutcalc"} {
		files, page := "", ""
		if home != "" {
			files, page = home+"/blob/v1", home+"/blob/v1/docs/rules/descriptor.md#overlap-output"
		}
		log := written(t, SARIF, Options{Home: home, Files: files}, sample())
		d := readSARIF(t, schema, log).Runs[0].Tool.Driver
		if d.InformationURI != home || d.Rules[0].HelpURI != page {
			t.Errorf("home %q gives %q and %q", home, d.InformationURI, d.Rules[0].HelpURI)
		}
	}
	log := written(t, SARIF, Options{Home: "https://example.org"}, nil)
	if err := validSARIF(t, schema, strings.ReplaceAll(log, `"https://example.org"`, "1")); err == nil {
		t.Error("an address that is a number is valid")
	}
}

// TestSARIFHashes has findings of a file without lines, whose hashes GitHub cannot make, and one with a line, whose
// hash it makes itself.
func TestSARIFHashes(t *testing.T) {
	lined := made("a.npy", 2, 1, rules.Gaps, finding.Error, "t", "m", "")
	other := made("a.npy", 0, 0, rules.Gaps, finding.Error, "u", "m", "")
	same := made("a.npy", 0, 0, rules.Gaps, finding.Error, "t", "m", "")
	results := readSARIF(t, sarifSchema(t), written(t, SARIF, Options{},
		[]Finding{lined, other, same, same})).Runs[0].Results
	seen := map[string]bool{}
	for i, r := range results {
		hash, stable := r.PartialFingerprints["primaryLocationLineHash"], r.PartialFingerprints["layoutcalc/v1"]
		want := stable + [...]string{"", ":1", ":1", ":2"}[i]
		if i == 0 {
			want = ""
		}
		if hash != want || seen[hash] || len(stable) != 32 {
			t.Errorf("result %d has the hash %q and the fingerprint %q", i, hash, stable)
		}
		seen[hash] = true
	}
}

// TestSARIFSchema checks that the schema rejects errors.
func TestSARIFSchema(t *testing.T) {
	schema, log := sarifSchema(t), written(t, SARIF, Options{}, sample())
	for _, change := range [][2]string{
		{
			`"version": "2.1.0"`, `"version": "2.1.1"`,
		}, {`"level": "error"`, `"level": "fatal"`}, {`"startLine": 3`, `"startLine": 0`},
		{
			`"startColumn": 15`, `"startColumn": "15"`,
		}, {`"message": {"text"`, `"message": {"test"`}, {`"ruleIndex": `, `"ruleIndex": -1`},
		{`"columnKind": "unicodeCodePoints"`, `"columnKind": "bytes"`}, {`"executionSuccessful"`, `"success"`},
	} {
		wrong := strings.Replace(log, change[0], change[1], 1)
		if wrong == log {
			t.Errorf("the log has no %s", change[0])
		} else if validSARIF(t, schema, wrong) == nil {
			t.Errorf("%s is valid", change[1])
		}
	}
}

// A sarifPath is a path with its URI, and the base of that.
type sarifPath struct{ path, uri, base, reason string }

func TestSARIFPaths(t *testing.T) {
	tests := []sarifPath{
		{path: "a/b.json", uri: "a/b.json", base: "%SRCROOT%", reason: "relative"},
		{path: "./a//b/../c.json", uri: "a/c.json", base: "%SRCROOT%", reason: "the shortest form"},
		{path: "/abs/x y.json", uri: "file:///abs/x%20y.json", reason: "absolute, on Windows of any drive"},
		{path: "../x.json", uri: "../x.json", reason: "points outside the root"},
		{path: "..x/y", uri: "..x/y", base: "%SRCROOT%", reason: "a name that starts with dots"},
		{path: "100%#?.json", uri: "100%25%23%3F.json", base: "%SRCROOT%", reason: "what means something in a URI"},
		{path: "javascript:x", uri: "javascript%3Ax", base: "%SRCROOT%", reason: "no scheme"},
		{path: "漢.json", uri: "%E6%BC%A2.json", base: "%SRCROOT%", reason: "no ASCII"},
		{path: "\xff\x1b", uri: "%FF%1B", base: "%SRCROOT%", reason: "no UTF-8, a control character"},
		{path: "<stdin>", uri: "%3Cstdin%3E", base: "%SRCROOT%", reason: "not in a URI"},
	}
	if filepath.Separator == '/' {
		tests = append(tests, sarifPath{
			path: `C:\x.json`, uri: "C%3A%5Cx.json", base: "%SRCROOT%", reason: "a name with a colon and a backslash",
		})
	} else {
		tests = append(tests, []sarifPath{
			{path: `a\b.json`, uri: "a/b.json", base: "%SRCROOT%", reason: "relative"},
			{path: `C:\x y.json`, uri: "file:///C:/x%20y.json", reason: "a drive"},
			{path: `\\server\share\x.json`, uri: "file://server/share/x.json", reason: "a server"},
			{path: `\\?\C:\x.json`, uri: "file:///C:/x.json", reason: "a long path"},
			{path: `\\?\UNC\server\share\x.json`, uri: "file://server/share/x.json", reason: "a long path of a server"},
		}...)
	}
	schema := sarifSchema(t)
	for _, tt := range tests {
		f := made(tt.path, 1, 1, finding.Syntax, finding.Error, "", "m", "")
		at := readSARIF(t, schema, written(t, SARIF, Options{},
			[]Finding{f})).Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation
		if at.URI != tt.uri || at.URIBaseID != tt.base {
			t.Errorf("%q gives %q, %q: %s", tt.path, at.URI, at.URIBaseID, tt.reason)
		}
		if _, err := url.Parse(at.URI); err != nil {
			t.Errorf("%q: %v", tt.path, err)
		}
	}
	noPath := made("", 0, 0, finding.Syntax, finding.Error, "", "m", "")
	readSARIF(t, schema, written(t, SARIF, Options{}, []Finding{noPath}))
}

func TestSARIFColumns(t *testing.T) {
	tests := []struct {
		source       string
		column, want int
		reason       string
	}{
		{source: "abc", column: 3, want: 3, reason: "bytes are characters"},
		{source: "漢字x", column: 7, want: 3, reason: "three bytes each"},
		{source: "🙂x", column: 5, want: 2, reason: "four bytes, and two units of UTF-16"},
		{column: 7, want: 7, reason: "the line is not known"},
		{source: "abc", column: 9, want: 9, reason: "after the line"},
	}
	for _, tt := range tests {
		f := made("f", 1, tt.column, finding.Syntax, finding.Error, "", "m", "")
		f.Source = []byte(tt.source)
		if got := characters(&f); got != tt.want {
			t.Errorf("column %d of %q is %d, want %d: %s", tt.column, tt.source, got, tt.want, tt.reason)
		}
	}
}

// TestToken has the position of a finding before ^, and the end of the token at this position before $.
func TestToken(t *testing.T) {
	for _, tt := range []string{
		`"Sizes": [ ^12$, 3 ]`, `[^-1$]`, `{^"Sizes"$: [1]}`, `{^"a\"b\\"$: 1}`, `{^"open: 1}$`, `^{$"a": 1}`,
		`  ^[$1, 2]`, `a: {dtype: ^float32$, sizes: [2]}`, `^dtype$: float32`, `x: ^'it'$`, `x: ^1.5e+3$ # c`,
		`^漢字$ x`, `^🙂$`, `x ^#$ c`, `^directml@6.2$`, "^\xff\xfe$ x", `a^$`, `^$`,
	} {
		start, end := strings.Index(tt, "^"), strings.Index(tt, "$")-1
		line := strings.NewReplacer("^", "", "$", "").Replace(tt)
		f := made("f", 7, start+1, finding.Syntax, finding.Error, "", "m", "")
		f.Source = []byte(line)
		if got := string(token(&f)); got != line[start:end] {
			t.Errorf("%s: %q", tt, got)
		}
		if start == end {
			continue
		}
		region := readSARIF(t, sarifSchema(t), written(t, SARIF, Options{}, []Finding{f})).Runs[0].Results[0].
			Locations[0].PhysicalLocation.Region
		from, to := len([]rune(line[:start]))+1, len([]rune(line[:end]))+1
		if region.StartLine != 7 || region.StartColumn != from || region.EndColumn != to {
			t.Errorf("%s: the region is %+v", tt, region)
		}
	}
	f := made("f", 1, 1, finding.Syntax, finding.Error, "", "m", "")
	for _, source := range []string{strings.Repeat("x", 1<<20), `"` + strings.Repeat("x", 1<<20) + `"`} {
		f.Source = []byte(source)
		if n := len(token(&f)); n != maxKey {
			t.Errorf("a token of %d bytes is read to byte %d", len(source), n)
		}
	}
}

// TestFingerprint moves a finding to another line, and changes it into other findings.
func TestFingerprint(t *testing.T) {
	seen := map[string]string{}
	for _, parts := range [][4]string{
		{"a", "/x", "t", ""}, {"a", "/x", "u", ""}, {"a", "/y", "t", ""}, {"b", "/x", "t", ""}, {"a/", "x", "t", ""},
		{"a", "/xt", "", ""},
	} {
		f := made(parts[0], 1, 1, rules.Gaps, finding.Error, parts[2], "m", "")
		f.Pointer = parts[1]
		moved := f
		moved.Line, moved.Column = 9, 9
		if f.Fingerprint(f.Path) != moved.Fingerprint(moved.Path) {
			t.Errorf("%q: moving changes the fingerprint", parts)
		}
		key := f.Fingerprint(f.Path)
		if other, ok := seen[key]; ok {
			t.Errorf("%q has the fingerprint of %s", parts, other)
		}
		seen[key] = fmt.Sprint(parts)
	}
	f := made("model.json", 1, 1, rules.Gaps, finding.Error, "", "m", "")
	if got := f.Fingerprint(f.Path); len(got) != 32 {
		t.Errorf("the fingerprint is %s", got)
	}
}

// TestSARIFLimit has one finding more than GitHub takes, and as many.
func TestSARIFLimit(t *testing.T) {
	layouttest.SkipUnlessAll(t, "the input is large")
	schema := sarifSchema(t)
	for _, n := range []int{maxResults, maxResults + 1, maxResults + 17} {
		findings := make([]Finding, n)
		for i := range findings {
			findings[i] = made("a", i+1, 1, rules.Gaps, finding.Note, "", "m", "")
		}
		run := readSARIF(t, schema, written(t, SARIF, Options{}, findings)).Runs[0]
		if len(run.Results) != maxResults {
			t.Errorf("%d findings give %d results", n, len(run.Results))
		}
		notes := run.Invocations[0].ToolExecutionNotifications
		if n == maxResults {
			if len(notes) > 0 {
				t.Errorf("nothing is left out, but %v", notes)
			}
		} else if len(notes) != 1 ||
			!strings.HasPrefix(notes[0].Message.Text, fmt.Sprint(n-maxResults)+" more findings") {
			t.Errorf("%d findings give the notes %v", n, notes)
		}
	}
}

// TestSARIFGravest has errors after more warnings and notes than GitHub takes: errors come first, then warnings, those
// of a file before those of the next.
func TestSARIFGravest(t *testing.T) {
	var findings []Finding
	for _, path := range []string{"a", "b"} {
		for i := range maxResults {
			findings = append(findings, made(path, i+1, 1, rules.Gaps, finding.Severity(i%2), "", "m", ""))
		}
		findings = append(findings, made(path, 9999, 1, finding.Syntax, finding.Error, "", "m", ""))
	}
	run := readSARIF(t, sarifSchema(t), written(t, SARIF, Options{}, findings)).Runs[0]
	for i, r := range run.Results {
		level, path := "warning", "b"
		if i == 0 || i >= 2 && i < 2+maxResults/2 {
			path = "a"
		}
		if i < 2 {
			level = "error"
		}
		if at := r.Locations[0].PhysicalLocation.ArtifactLocation.URI; r.Level != level || at != path {
			t.Fatalf("result %d is of level %s in %s, not %s in %s", i, r.Level, at, level, path)
		}
	}
	if len(run.Results) != maxResults {
		t.Errorf("%d results", len(run.Results))
	}
}

// TestSARIFBytes checks the bytes of a finding about a binary file. There are none for text files, and none if the
// bytes are unknown.
func TestSARIFBytes(t *testing.T) {
	for _, c := range []struct {
		line           int
		bytes          finding.Span
		offset, length int64 // -1 for none
	}{
		{0, finding.Span{From: 8, To: 20}, 8, 12},
		{0, finding.Span{From: 0, To: 1}, 0, 1},
		{0, finding.Span{From: 8, To: 8}, 8, 0},
		{0, finding.Span{}, -1, -1},
		{2, finding.Span{From: 8, To: 20}, -1, -1},
	} {
		f := made("a.npy", c.line, c.line, tensorfile.FileSize, finding.Error, "t", "m", "")
		f.Bytes = c.bytes
		r := readSARIF(t, sarifSchema(t), written(t, SARIF, Options{}, []Finding{f})).Runs[0].Results[0].
			Locations[0].PhysicalLocation.Region
		offset, length := int64(-1), int64(-1)
		if r.ByteOffset != nil && r.ByteLength != nil {
			offset, length = *r.ByteOffset, *r.ByteLength
		}
		if r.StartLine != max(c.line, 1) || offset != c.offset || length != c.length {
			t.Errorf("%+v has the bytes %d, %d", c, offset, length)
		}
	}
}
