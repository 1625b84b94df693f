package report

import (
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout/rules"
)

// maxResults is how many results GitHub shows of a run.
const maxResults = 5000

// A sarif report is a log of one run. All rules come first, so that a result can refer to its rule by number.
type sarif struct {
	silent
	version string
	results int
}

func (s *sarif) begin(o out) {
	o.text(`{
  "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
  "version": "2.1.0",
  "runs": [{
    "tool": {"driver": {"name": "layoutcalc"`)
	if s.version != "" {
		o.text(`, "version": `)
		o.json(s.version)
	}
	separator := `, "rules": [`
	for _, r := range rules.All() {
		o.text(separator, "\n      ")
		o.rule(&r)
		separator = ","
	}
	o.text(`
    ]}},
    "columnKind": "unicodeCodePoints",
    "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The directory that layoutcalc ran in."}}},
    "results": [`)
}

// rule writes a row of the table of rules.
func (o out) rule(r *rules.Rule) {
	what := r.What
	if what == "" {
		what = r.Name
	}
	help := r.Fix
	for _, part := range [...][2]string{{"Limit: ", r.Limit}, {"Source: ", r.Source}} {
		if part[1] != "" {
			help += "\n" + part[0] + part[1]
		}
	}
	o.text(`{"id": "`, r.Name, `", "shortDescription": {"text": `)
	o.json(what)
	for _, part := range [...][2]string{{"fullDescription", r.Why}, {"help", strings.TrimPrefix(help, "\n")}} {
		if part[1] != "" {
			o.text(`}, "`, part[0], `": {"text": `)
			o.json(part[1])
		}
	}
	o.text(`}, "defaultConfiguration": {"level": "`, r.Severity.String(), `"}}`)
}

func (s *sarif) finding(o out, f *Finding) {
	if s.results++; s.results > maxResults {
		return
	}
	if s.results > 1 {
		o.text(",")
	}
	o.text("\n      {\"ruleId\": \"", f.Rule.String(), `", "ruleIndex": `)
	o.number(int(f.Rule))
	o.text(`, "level": "`, f.Severity.String(), `", "message": {"text": `)
	o.json(sarifMessage(f))
	o.text(`}, "locations": [`)
	o.location(f)
	o.text(`], "partialFingerprints": {"layoutcalc/v1": "`, fingerprint(f), `"}}`)
}

// sarifMessage returns the text of a result, in which links are escaped.
func sarifMessage(f *Finding) string {
	text := said(f)
	if f.Fix != "" {
		text += "\nfix: " + short(f.Fix, maxMessage)
	}
	return strings.ReplaceAll(text, "](", `\](`)
}

// location writes where a finding is: the file, and the part of it.
func (o out) location(f *Finding) {
	separator := "{"
	if f.Path != "" {
		o.text(separator, `"physicalLocation": {"artifactLocation": {`)
		o.artifact(f.Path)
		o.text("}")
		o.region(f)
		o.text("}")
		separator = ", "
	}
	if f.Tensor != "" || f.Pointer != "" {
		o.text(separator, `"logicalLocations": [{`)
		o.logical(f)
		o.text("}]")
		separator = ", "
	}
	if separator == "{" {
		o.text(separator)
	}
	o.text("}")
}

// region writes the line, and the column in characters if the text of the line is known.
func (o out) region(f *Finding) {
	if f.Line <= 0 {
		return
	}
	o.text(`, "region": {"startLine": `)
	o.number(f.Line)
	if f.Column > 0 {
		o.text(`, "startColumn": `)
		o.number(characters(f))
	}
	o.text("}")
}

// characters returns the column in characters. After 65,536 bytes of a line it is left in bytes: to count characters
// for every finding would take too long.
func characters(f *Finding) int {
	if n := f.Column - 1; n <= len(f.Source) && n <= 1<<16 {
		return utf8.RuneCount(f.Source[:n]) + 1
	}
	return f.Column
}

// logical writes the tensor and its JSON pointer.
func (o out) logical(f *Finding) {
	if f.Tensor != "" {
		o.text(`"name": `)
		o.json(short(f.Tensor, maxName))
	}
	if f.Pointer != "" {
		if f.Tensor != "" {
			o.text(", ")
		}
		o.text(`"fullyQualifiedName": `)
		o.json(cut(f.Pointer, maxKey))
	}
}

// fingerprint returns a text that is the same for the same fault, whatever its line.
func fingerprint(f *Finding) string {
	h := uint64(14695981039346656037) // FNV-1a
	for _, part := range [...]string{f.Rule.String(), f.Path, f.Pointer, f.Tensor} {
		for i := range len(part) {
			h = (h ^ uint64(part[i])) * 1099511628211
		}
		h = (h ^ 0xFF) * 1099511628211
	}
	text := strconv.FormatUint(h, 16)
	return strings.Repeat("0", 16-len(text)) + text
}

func (s *sarif) end(o out, _ *Summary) {
	if s.results > 0 {
		o.text("\n    ")
	}
	o.text("],\n    \"invocations\": [{\"executionSuccessful\": true")
	if left := s.results - maxResults; left > 0 {
		o.text(`, "toolExecutionNotifications": [{"level": "warning", "message": {"text": `)
		o.json(missing(left, "GitHub takes "+strconv.Itoa(maxResults)+" results"))
		o.text("}}]")
	}
	o.text("}]\n  }]\n}\n")
}

// artifact writes the fields of a file: its URI, and the base of that unless it is absolute or leads out of the base.
func (o out) artifact(path string) {
	slashed := filepath.ToSlash(filepath.Clean(path))
	absolute := filepath.IsAbs(path)
	o.text(`"uri": "`)
	switch {
	case !absolute:
	case strings.HasPrefix(slashed, "//"):
		o.text("file:")
	case strings.HasPrefix(slashed, "/"):
		o.text("file://")
	default:
		o.text("file:///")
	}
	for i := range len(slashed) {
		o.uriByte(slashed[i], absolute)
	}
	o.text(`"`)
	if !absolute && slashed != ".." && !strings.HasPrefix(slashed, "../") {
		o.text(`, "uriBaseId": "%SRCROOT%"`)
	}
}

// uriByte writes a byte of a path, as a percent sign and two digits if a URI could give it another meaning. A colon in
// a relative path could end a scheme.
func (o out) uriByte(c byte, absolute bool) {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9',
		c == '-', c == '.', c == '_', c == '~', c == '/', c == ':' && absolute:
		o.WriteByte(c)
	default:
		const digits = "0123456789ABCDEF"
		o.WriteByte('%')
		o.WriteByte(digits[c>>4])
		o.WriteByte(digits[c&15])
	}
}
