package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/rules"
)

// A gitlabIssue has the fields that GitLab's documentation of the code quality report lists, all of them required.
type gitlabIssue struct {
	Description string `json:"description"`
	CheckName   string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

// readGitLab parses a report and checks it against the documentation: an array of objects with these fields, five
// severities, and unique fingerprints.
func readGitLab(t testing.TB, text string) []gitlabIssue {
	t.Helper()
	var got []gitlabIssue
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil || got == nil || d.More() {
		t.Fatalf("%v in\n%.2000s", err, text)
	}
	seen := map[string]bool{}
	for _, issue := range got {
		if seen[issue.Fingerprint] || len(issue.Fingerprint) < 32 {
			t.Errorf("the fingerprint %q is not the issue's own", issue.Fingerprint)
		}
		seen[issue.Fingerprint] = true
		if !slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, issue.Severity) ||
			issue.Location.Lines.Begin < 1 || issue.CheckName == "" {
			t.Errorf("%+v", issue)
		}
	}
	return got
}

func TestGitLab(t *testing.T) {
	var got [][5]any
	for _, issue := range readGitLab(t, written(t, GitLab, Options{}, sample(), "clean.json")) {
		at := issue.Location
		got = append(got, [5]any{issue.Severity, at.Path, at.Lines.Begin, issue.CheckName, issue.Description})
	}
	want := [][5]any{
		{
			"major", "model.json", 3, "overlap-output",
			"OutputTensor: (0,3) and (1,0) are both element 9\nfix: strides 4,1",
		},
		{"minor", "model.json", 4, "op-level", "needs 6.2"},
		{"info", "dir with space/w.npy", 1, "file-order", "w is in Fortran order"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("the issues are %v, want %v", got, want)
	}
	if text := written(t, GitLab, Options{}, nil, "clean.json"); text != "[]\n" {
		t.Errorf("a clean report is %q", text)
	}
}

// TestGitLabRepeats has equal findings, also in a file that is checked twice, and known ones.
func TestGitLabRepeats(t *testing.T) {
	a := made("a", 1, 1, rules.Gaps, finding.Error, "t", "m", "")
	b := made("b", 1, 1, rules.Gaps, finding.Error, "t", "m", "")
	known := a
	known.Known = true
	var got []string
	for _, issue := range readGitLab(t, written(t, GitLab, Options{}, []Finding{a, known, a, b, a})) {
		got = append(got, issue.Fingerprint)
	}
	first := a.Fingerprint("a")
	if want := []string{first, first + "-2", b.Fingerprint("b"), first + "-3"}; !slices.Equal(got, want) {
		t.Errorf("the fingerprints are %q, want %q", got, want)
	}
}
