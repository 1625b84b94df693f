package project_test

import (
	"strings"
	"testing"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/project"
	"layoutcalc/layout/tensorfile"
)

// TestSlips has names that are nearly that of the configuration of a project, and others.
func TestSlips(t *testing.T) {
	for name, want := range map[string]bool{
		".layoutcalc.yaml": false, ".layoutcalc.yml": false, // the name itself
		".layoutcalc.json": true, ".layoutcalc.toml": true, ".layoutcalc": true, ".layoutcalcrc": true,
		"layoutcalc.yaml": true, ".layoutcal.yaml": true, ".layoutclac.yml": true, ".LayoutCalc.YAML": true,
		"x.layoutcalc.yaml": false, "model.yaml": false, ".gitignore": false, ".yaml": false, "README.md": false,
	} {
		if got := project.IsSlip(name); got != want {
			t.Errorf("%s is a slip: %t", name, got)
		}
	}
}

// TestFoldedPatterns compares lists for letters of any case with the lists of the patterns and paths in lower case.
func TestFoldedPatterns(t *testing.T) {
	for _, patterns := range [][]string{
		{"Build/"}, {"*.NPY"}, {"A"}, {"A", "!a"}, {"!a", "A"}, {"A", "!a", "A"}, {"*.Npy", "!Keep.npy"},
		{"/Top/X", "!top/x"}, {"!top/x", "/Top/X"}, {"M/**/Draft"}, {"[A-C]x"},
	} {
		var list, lower []project.Pattern
		for _, text := range patterns {
			for of, text := range map[*[]project.Pattern]string{&list: text, &lower: strings.ToLower(text)} {
				p, err := project.ParsePattern(text)
				if err != nil {
					t.Fatal(err)
				}
				*of = append(*of, p)
			}
		}
		plain, mixed := project.NewList(lower), project.NewList(list)
		folded := mixed.Folded()
		for _, path := range []string{"build", "BUILD", "a.npy", "x/A.Npy", "A", "a", "x/a", "KEEP.npy", "Top/x",
			"top/X", "m/y/draft", "M/DRAFT", "Bx", "dx"} {
			want, wantKnown := plain.Excludes(strings.ToLower(path), true, new(project.Work))
			got, known := folded.Excludes(path, true, &project.Work{Fold: true})
			if got != want || known != wantKnown {
				t.Errorf("%q leave out %s: %t, want %t", patterns, path, got, want)
			}
		}
	}
}

// TestFoldedSilences has items of ignores that differ in the letters of their paths only: the first one counts.
func TestFoldedSilences(t *testing.T) {
	c, err := project.ReadConfig([]byte(`
version: 1
ignores:
  - {path: b.npy, rule: file-hole, reason: x}
  - {path: A.npy, rule: [file-order, file-hole], reason: x}
  - {path: a.NPY, rule: [file-align, file-order], reason: x}
  - {path: "Dir/*.npy", rule: file-order, reason: x}
`))
	if err != nil {
		t.Fatal(err)
	}
	c.Fold()
	for _, tt := range []struct {
		path string
		rule *finding.Rule
		want int
	}{
		{"a.npy", tensorfile.FileOrder, 1}, {"A.NPY", tensorfile.FileOrder, 1}, {"a.npy", tensorfile.FileAlign, 2},
		{"a.npy", tensorfile.FileHole, 1}, {"B.npy", tensorfile.FileHole, 0}, {"b.npy", tensorfile.FileOrder, -1},
		{"dir/x.NPY", tensorfile.FileOrder, 3}, {"dir/x.npz", tensorfile.FileOrder, -1},
	} {
		got := -1
		if silent := c.Silent(tt.path); silent != nil {
			got = silent(&finding.Finding{Rule: tt.rule})
		}
		if got != tt.want {
			t.Errorf("%v in %s is silenced by %d, want %d", tt.rule, tt.path, got, tt.want)
		}
	}
}

// TestSpelling has paths of a baseline in letters of another case.
func TestSpelling(t *testing.T) {
	b := project.NewBaseline()
	b.Add("Models/A.npy", &finding.Finding{Rule: tensorfile.FileOrder})
	for path, want := range map[string]string{"models/a.npy": "Models/A.npy", "Models/A.npy": "Models/A.npy",
		"MODELS/B.npy": "MODELS/B.npy"} {
		if got := b.Spelling(path); got != want {
			t.Errorf("%s is spelt %s", path, got)
		}
	}
}
