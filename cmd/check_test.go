package cmd_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/rules"
)

// TestRuleExamples checks the examples of every rule as files: the failing one breaks the rule and
// nothing worse, the passing one does not break it.
func TestRuleExamples(t *testing.T) {
	for _, r := range rules.All() {
		if isFileRule(r.Name) {
			continue // their examples would be binary
		}
		t.Run(r.Name, func(t *testing.T) {
			if r.What == "" || r.Why == "" || r.Source == "" || r.Fix == "" || r.Bad == "" || r.Good == "" {
				t.Fatalf("the table says not all of it: %+v", r)
			}
			if found := brokenRules(t, r.Bad); !slices.Contains(found, r.Name) {
				t.Errorf("the failing example breaks %v", found)
			}
			if found := brokenRules(t, r.Good); slices.Contains(found, r.Name) {
				t.Errorf("the passing example breaks %v", found)
			}
		})
	}
}

// isFileRule reports whether a rule is about tensor files.
func isFileRule(name string) bool { return strings.HasPrefix(name, "file-") }

// brokenRules returns the rules that a text breaks when it is checked as a file.
func brokenRules(t *testing.T, text string) []string {
	t.Helper()
	ending := ".yaml"
	if strings.HasPrefix(strings.TrimSpace(text), "{") || strings.HasPrefix(strings.TrimSpace(text), "/") {
		ending = ".json"
	}
	path := filepath.Join(t.TempDir(), "example"+ending)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	got := runWith(strings.NewReader(""), nil, "check", path, "-o", "json", "--severity", "note")
	var answer struct {
		Findings []struct{ Rule string }
	}
	if err := json.Unmarshal([]byte(got.out), &answer); err != nil {
		t.Fatalf("%v: %s %s", err, got.out, got.stderr)
	}
	var found []string
	for _, f := range answer.Findings {
		found = append(found, f.Rule)
	}
	return found
}
