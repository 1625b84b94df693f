package report

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/ruledocs"
	"layoutcalc/render"
)

// maxResults is the maximum number of results of a run that GitHub shows.
const maxResults = 5000

// A sarif report is a log of one run. It is written at the end: first the rules of the findings, in the order of the
// findings, so that a result can refer to a rule by number, then the results, errors first.
type sarif struct {
	silent
	Options
	held    keeper // up to maxResults
	repeats repeats
	used    []*finding.Rule
	index   map[*finding.Rule]int64 // the indices of the used rules
}

// head writes the beginning of the log, with the rules.
func (s *sarif) head(o out) {
	o.Text(`{
  "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
  "version": "2.1.0",
  "runs": [{
    "tool": {"driver": {"name": "layoutcalc"`)
	if s.Version != "" {
		o.Text(`, "version": `)
		o.JSONText(s.Version)
	}
	if s.Home != "" {
		o.Text(`, "informationUri": `)
		o.JSONText(s.Home)
	}
	o.Text(`, "rules": [`)
	texts := map[string]ruledocs.Text{}
	if s.used != nil {
		for _, t := range ruledocs.Texts() {
			texts[t.Name] = t
		}
	}
	separator := "\n      "
	for _, rule := range s.used {
		o.Text(separator)
		o.Object(s.rule(texts[rule.Name]))
		separator = ",\n      "
	}
	o.Text(`]}},
    "columnKind": "unicodeCodePoints",
    "originalUriBaseIds": {
      "%SRCROOT%": {"description": {"text": "The root of the repository, or the working directory."}}
    },
    "results": [`)
}

// rule returns the description of a rule.
func (s *sarif) rule(t ruledocs.Text) render.Object {
	help := t.Fix
	for _, part := range [...][2]string{{"Limit: ", t.Limit}, {"Source: ", t.Source}} {
		if part[1] != "" {
			help += "\n" + part[0] + part[1]
		}
	}
	return present(render.Object{
		{"id", t.Name},
		{"shortDescription", textTree(t.Title)},
		{"fullDescription", textTree(t.What + " " + t.Why)},
		{"help", render.Object{{"text", strings.TrimPrefix(help, "\n")}, {"markdown", t.Markdown}}},
		{"helpUri", s.help(t)},
		{"defaultConfiguration", render.Object{{"level", t.Severity}}},
	})
}

// help returns the URL of a rule's section in the documents, or an empty string if it is unknown.
func (s *sarif) help(t ruledocs.Text) string {
	if s.Files == "" {
		return ""
	}
	return s.Files + "/" + t.Address()
}

// textTree returns SARIF's object for text, or nil for an empty string.
func textTree(text string) any {
	if text == "" {
		return nil
	}
	return render.Object{{"text", text}}
}

// present returns the object without the fields that are nil or empty strings.
func present(o render.Object) render.Object {
	return slices.DeleteFunc(o, func(f render.Field) bool { return f[1] == nil || f[1] == "" })
}

func (s *sarif) finding(_ out, f *Finding) {
	index, known := s.index[f.Rule]
	if !known {
		if s.index == nil {
			s.index = map[*finding.Rule]int64{}
		}
		index = int64(len(s.used))
		s.used, s.index[f.Rule] = append(s.used, f.Rule), index
	}
	prints := render.Object{{"layoutcalc/v1", f.Fingerprint(f.RootPath)}}
	if f.Line <= 0 { // otherwise GitHub would use the hash of the first line, which a binary file does not have
		fingerprint, n := s.repeats.next(f)
		hash := string(fingerprint[:]) + ":" + strconv.Itoa(n)
		prints = append(prints, render.Field{"primaryLocationLineHash", hash})
	}
	s.held.add(f, func(o out) {
		result := render.Object{
			{"ruleId", f.Rule.String()}, {"ruleIndex", index}, {"level", f.Severity.String()},
			{"message", render.Object{{"text", sarifMessage(f)}}},
			{"locations", []render.Object{location(f)}},
			{"partialFingerprints", prints},
		}
		if f.Known {
			result = append(result, render.Field{"baselineState", "unchanged"},
				render.Field{"suppressions", []render.Object{{{"kind", "external"}}}})
		}
		o.Object(result)
	})
}

// sarifMessage returns the text of a result, with links escaped.
func sarifMessage(f *Finding) string {
	return strings.ReplaceAll(advice(f), "](", `\](`)
}

// location returns the location of a finding: the file and the part of it, and the tensor with its JSON pointer. A
// binary file gets line 1, because GitHub would not show the finding without a line, and the bytes if they are known.
func location(f *Finding) render.Object {
	var physical, logical any
	region := render.Object{{"startLine", int64(max(f.Line, 1))}}
	if column(f) > 0 {
		start := int64(characters(f))
		region = append(region, render.Field{"startColumn", start})
		if t := token(f); t != nil {
			region = append(region, render.Field{"endColumn", start + int64(utf8.RuneCount(t))})
		}
	}
	if b := f.Bytes; f.Line <= 0 && b.To > 0 {
		region = append(region, render.Field{"byteOffset", b.From}, render.Field{"byteLength", b.To - b.From})
	}
	if f.RootPath != "" {
		physical = render.Object{{"artifactLocation", artifact(f.RootPath)}, {"region", region}}
	}
	if f.Tensor != "" || f.Pointer != "" {
		logical = []render.Object{present(render.Object{
			{"name", short(f.Tensor, maxName)}, {"fullyQualifiedName", cut(f.Pointer, maxKey)},
		})}
	}
	return present(render.Object{{"physicalLocation", physical}, {"logicalLocations", logical}})
}

// characters returns the column in characters. After 65,536 bytes of a line it stays in bytes, because counting
// characters for every finding would take too long.
func characters(f *Finding) int {
	if n := f.Column - 1; n <= len(f.Source) && n <= 1<<16 {
		return utf8.RuneCount(f.Source[:n]) + 1
	}
	return f.Column
}

func (s *sarif) end(o out, all *Summary) {
	s.head(o)
	separator := "\n      "
	for text := range s.held.bySeverity {
		o.Text(separator)
		o.Write(text)
		separator = ",\n      "
	}
	if s.held.count > 0 {
		o.Text("\n    ")
	}
	o.Text("],\n    \"invocations\": [{\"executionSuccessful\": true")
	if left := s.held.omitted() + all.Unlisted; left > 0 {
		o.Text(`, "toolExecutionNotifications": [`)
		why := "GitHub takes " + strconv.Itoa(maxResults) + " results"
		o.Object(render.Object{{"level", "warning"}, {"message", textTree(missing(left, why))}})
		o.Text("]")
	}
	o.Text("}]\n  }]\n}\n")
}

// artifact returns the URI of a file, and its base unless it is absolute or points outside the base. It escapes bytes
// with a meaning in URIs, and a colon in a relative path, which could end a scheme.
func artifact(path string) render.Object {
	slashed, plain, base := filepath.ToSlash(filepath.Clean(path)), unreserved, "%SRCROOT%"
	if long, ok := strings.CutPrefix(slashed, "//?/"); ok { // on Windows, which no path on another system becomes
		if slashed = long; strings.HasPrefix(long, "UNC/") {
			slashed = "//" + long[len("UNC/"):]
		}
	}
	var uri []byte
	switch {
	case filepath.IsAbs(path) || strings.HasPrefix(slashed, "/"):
		plain, base = unreserved+":", ""
		switch {
		case strings.HasPrefix(slashed, "//"):
			uri = []byte("file:")
		case strings.HasPrefix(slashed, "/"):
			uri = []byte("file://")
		default:
			uri = []byte("file:///")
		}
	case slashed == "..", strings.HasPrefix(slashed, "../"):
		base = ""
	}
	for i := range len(slashed) {
		if c := slashed[i]; strings.IndexByte(plain, c) >= 0 {
			uri = append(uri, c)
		} else {
			const digits = "0123456789ABCDEF"
			uri = append(uri, '%', digits[c>>4], digits[c&15])
		}
	}
	return present(render.Object{{"uri", string(uri)}, {"uriBaseId", base}})
}

// unreserved lists the bytes that need no escapes in the path of a URI.
const unreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/"
