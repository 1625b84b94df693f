package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/layout/finding"
)

const sampleJSON = `{
  "schemaVersion": 1,
  "command": "check",
  "files": 3,
  "descriptors": 14,
  "kinds": {
  },
  "skipped": 0,
  "skippedBy": {
    "gitignore": 0,
    "exclude": 0,
    "link": 0
  },
  "findings": [
    {"rule": "overlap-output", "severity": "error", "path": "model.json", "line": 3, "column": 15, ` +
	`"pointer": "/dispatchables/conv/desc/OutputTensor/Strides/0", "tensor": "OutputTensor", ` +
	`"message": "(0,3) and (1,0) are both element 9", "fix": "strides 4,1", ` +
	`"fingerprint": "83ed2547856338239909b1a75eb4591a"},
    {"rule": "op-level", "severity": "warning", "path": "model.json", "line": 4, "column": null, ` +
	`"pointer": "", "tensor": "", "message": "needs 6.2", "fix": "", "fingerprint": "a7a4b971ec3391b2153eb4d29f7d1511"},
    {"rule": "file-order", "severity": "note", "path": "dir with space/w.npy", "line": null, "column": null, ` +
	`"pointer": "", "tensor": "w", "message": "w is in Fortran order", "fix": "", ` +
	`"fingerprint": "67e22b98b00f8a77f7e5e68d28aa73ca"}
  ],
  "summary": {
    "error": 1,
    "warning": 1,
    "note": 1
  },
  "target": null,
  "known": 0,
  "fixed": 0,
  "fixable": 0,
  "notes": []
}
`

const emptyJSON = `{
  "schemaVersion": 1,
  "command": "check",
  "files": 1,
  "descriptors": 14,
  "kinds": {
  },
  "skipped": 0,
  "skippedBy": {
    "gitignore": 0,
    "exclude": 0,
    "link": 0
  },
  "findings": [],
  "summary": {
    "error": 0,
    "warning": 0,
    "note": 0
  },
  "target": null,
  "known": 0,
  "fixed": 0,
  "fixable": 0,
  "notes": []
}
`

func TestJSON(t *testing.T) {
	if diff := cmp.Diff(sampleJSON, written(t, JSON, Options{}, sample(), "clean.json")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(emptyJSON, written(t, JSON, Options{}, nil, "clean.json")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// jsonFinding is a finding as a program reads it.
type jsonFinding struct {
	Rule, Severity, Path          string
	Line, Column                  *int
	Pointer, Tensor, Message, Fix string
}

// TestJSONL checks that JSON Lines have the objects of JSON, one per line, and the summary at the end.
func TestJSONL(t *testing.T) {
	var whole struct{ Findings []jsonFinding }
	check(t, json.Unmarshal([]byte(written(t, JSON, Options{}, sample())), &whole))
	list := lineList(t, written(t, JSONL, Options{}, sample(), "clean.json"))
	if len(list) != len(whole.Findings)+1 {
		t.Fatalf("%d lines", len(list))
	}
	for i, want := range whole.Findings {
		var got jsonFinding
		check(t, json.Unmarshal([]byte(list[i]), &got))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("line %d: -want +got:\n%s", i, diff)
		}
	}
	want := `{"schemaVersion": 1, "command": "check", "files": 3, "descriptors": 14, "kinds": {}, ` +
		`"skipped": 0, "skippedBy": {"gitignore": 0, "exclude": 0, "link": 0}, ` +
		`"summary": {"error": 1, "warning": 1, "note": 1}, "target": null, "known": 0, "fixed": 0, ` +
		`"fixable": 0, "notes": []}`
	if got := list[len(list)-1]; got != want {
		t.Errorf("the summary is %s", got)
	}
}

// TestOmitted fills the room for findings: the gravest are kept, in the order in which they came, and the others are
// counted.
func TestOmitted(t *testing.T) {
	d, j := &document{}, &junit{}
	add := func(s finding.Severity, name string) {
		f := made("a", 1, 1, finding.Syntax, s, name, "m", "")
		d.finding(out{}, &f)
		j.finding(out{}, &f)
	}
	add(finding.Note, "a")
	add(finding.Warning, "b")
	add(finding.Error, "c")
	add(finding.Warning, "d")
	d.held.size, j.held.size = maxHeld, maxHeld
	add(finding.Note, "e") // for which there is no room
	add(finding.Error, "f")
	add(finding.Warning, "g")
	add(finding.Error, "h")
	var text strings.Builder
	o := newOut(&text)
	d.end(o, &Summary{Files: 1})
	check(t, o.Flush())
	var got struct {
		Findings []jsonFinding
		Omitted  int
	}
	check(t, json.Unmarshal([]byte(text.String()), &got))
	names := ""
	for _, f := range got.Findings {
		names += f.Tensor
	}
	if names != "bcfh" || got.Omitted != 4 {
		t.Errorf("findings %s, %d omitted", names, got.Omitted)
	}
	text.Reset()
	j.end(o, nil)
	check(t, o.Flush())
	if suite := text.String(); !strings.Contains(suite, `tests="8" failures="8"`) ||
		!strings.Contains(suite, "<system-err>4 more findings") || strings.Count(suite, "<failure") != 4 {
		t.Errorf("%s", suite)
	}
}
