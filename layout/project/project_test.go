package project_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/project"
	"layoutcalc/layout/ruledocs"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/tensorfile"
)

func TestReadConfig(t *testing.T) {
	c, err := project.ReadConfig([]byte(`
version: 1
target: directml@6.2
severity: note
fail-on: warning
ignore: gaps
exclude: ["*.bak.json", third_party/]
baseline: ci/baseline.json
x-owner: the team
ignores:
  - {path: "models/*.npy", rule: [file-order, file-align], reason: exported this way}
  - {path: old/**, tensor: "lm_head.*", rule: file-hole, reason: pruned}
`))
	if err != nil {
		t.Fatal(err)
	}
	if c.Target.String() != "directml@6.2" || *c.Severity != finding.Note || *c.FailOn != finding.Warning ||
		len(c.Ignore) != 1 || c.Ignore[0] != rules.Gaps || c.Baseline.Text != "ci/baseline.json" {
		t.Errorf("read %+v", c)
	}
	for _, path := range []string{"a/x.bak.json", "third_party"} {
		if excluded, _ := c.Exclude.Excludes(path, true, new(project.Work)); !excluded {
			t.Errorf("%s is not left out", path)
		}
	}
	for _, tt := range []struct {
		path, tensor string
		rule         *finding.Rule
		silent       bool
	}{
		{"models/a.npy", "", tensorfile.FileOrder, true},
		{"models/a.npy", "x", tensorfile.FileAlign, true},
		{"models/a.npy", "", tensorfile.FileHole, false},
		{"models/x/a.npy", "", tensorfile.FileOrder, false},
		{"old/x/m.safetensors", "lm_head.weight", tensorfile.FileHole, true},
		{"old/m.safetensors", "lm_head", tensorfile.FileHole, false},
		{"m.safetensors", "lm_head.weight", tensorfile.FileHole, false},
	} {
		silent := c.Silent(tt.path)
		if got := silent != nil && silent(&finding.Finding{Rule: tt.rule, Tensor: tt.tensor}) >= 0; got != tt.silent {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

func TestBadConfigs(t *testing.T) {
	for _, tt := range []struct{ text, at, msg string }{
		{"target: directml\n", "target", "the version is missing"},
		{"version: 2\n", "2", "the version that is known here is 1"},
		{"version: 1\ntensors: {}\n", "tensors", "has no tensors"},
		{"version: 1\nseverty: note\n", "severty", `"severty" is not a key`},
		{"version: 1\nseverity: bad\n", "bad", "unknown severity"},
		{"version: 1\nseverity: [note]\n", "[note]", "expected a severity"},
		{"version: 1\nversion: 1\n", "version: 1\n", `"version"`},
		{"version: 1\ntarget: cuda\n", "cuda", "cuda"},
		{"version: 1\nignore: gap\n", "gap", "unknown rule"},
		{"version: 1\nseverities: {syntax: note}\n", "syntax", "always an error"},
		{"version: 1\nextends: /etc/passwd\n", "/etc", "starts at a directory of the repository"},
		{"version: 1\nroot: 'C:\\x'\n", "'C:", "starts at a directory of the repository"},
		{"version: 1\nroot: 'C:'\n", "'C:", "starts at a directory of the repository"},
		{"version: 1\nroot: ''\n", "''", "the path of a directory is empty"},
		{"version: 1\nexclude: ../x\n", "../x", "not a pattern"},
		{"version: 1\nignores: {}\n", "{}", "ignores is a list"},
		{"version: 1\nignores: [{rule: gaps, reason: x}]\n", "{rule", "the path is missing"},
		{"version: 1\nignores: [{path: '!x', rule: gaps, reason: x}]\n", "{path", "cannot start with !"},
		{"version: 1\nignores: [{path: x, reason: x}]\n", "{path", "the rule is missing"},
		{"version: 1\nignores: [{path: x, rule: gaps}]\n", "{path", "the reason is missing"},
		{"- 1\n", "- 1", "is an object with keys"},
		{"version: 1\n---\nversion: 1\n", "version", "a second one starts"},
		{"version: 1\n---\n- 1\n---\n[\n", "- 1", "a second one starts"}, // the rest does not matter
		{"version: [\n", "", ""},
	} {
		_, err := project.ReadConfig([]byte(tt.text))
		e, ok := err.(*lexer.SyntaxError)
		if !ok {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if !strings.Contains(e.Msg, tt.msg) || !strings.HasPrefix(tt.text[e.Offset:], tt.at) {
			t.Errorf("%q: %s at %q, want %s at %q", tt.text, e.Msg, tt.text[e.Offset:], tt.msg, tt.at)
		}
	}
}

// TestConfigHints has values of wrong kinds. The hints show what to write.
func TestConfigHints(t *testing.T) {
	for _, tt := range []struct{ text, hint string }{
		{"", "version: 1"},
		{"# nothing yet\n---\n", "version: 1"},
		{"version: 1\ntarget: 5\n", "directml@6.2"},
		{"version: 1\nfail-on: null\n", "note, warning or error"},
		{"version: 1\nseverity: {}\n", "note, warning or error"},
		{"version: 1\nignore: [1]\n", "such as gaps"},
		{"version: 1\nignore: [{path: x, rule: gaps, reason: y}]\n", "ignores: [{path"},
		{"version: 1\nexclude: {a: b}\n", "models/**/old"},
		{"version: 1\nexclude:\n", "models/**/old"},
		{"version: 1\nexclude: [a, [b]]\n", "models/**/old"},
		{"version: 1\nbaseline: [a]\n", "baseline.json"},
		{"version: 1\nextends: [a]\n", "../.layoutcalc.yaml"},
		{"version: 1\nroot: 2\n", "such as .."},
		{"version: 1\nignores: {path: x}\n", "- {path"},
		{"version: 1\nignores: [x]\n", "{path"},
		{"version: 1\nignores: [{path: 1, rule: gaps, reason: y}]\n", "models/**/old"},
		{"version: 1\nignores: [{path: x, tensor: 1, rule: gaps, reason: y}]\n", "in quotes"},
		{"version: 1\nignores: [{path: x, rule: gaps, reason: 5}]\n", "words for people"},
		{"version: 1\n---\nversion: 1\n", "---"},
		{"version: 1\nrulez: [gaps]\n", "did you mean rules?"},
	} {
		_, err := project.ReadConfig([]byte(tt.text))
		if e, ok := err.(*lexer.SyntaxError); !ok || !strings.Contains(e.Hint, tt.hint) {
			t.Errorf("%q: %#v", tt.text, err)
		}
	}
	for _, text := range []string{"version: 1\n", "version: 1\nignore: gaps\nexclude: [a, b/]\nx-more: {}\n"} {
		if _, err := project.ReadConfig([]byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestOver completes a configuration with the one that it extends.
func TestOver(t *testing.T) {
	const base = "target: directml\nseverity: note\nfail-on: warning\nrules: [gaps, 'onnx-*']\n" +
		"ignore: [gaps, unaligned-rows]\nseverities: {gaps: note, unaligned-rows: warning}\n" +
		"exclude: a\nbaseline: b.json\n"
	for _, tt := range []struct {
		near, target, severity, failOn string
		only                           int // rules; -1 for all
		ignore, ranks                  string
	}{
		{"", "directml", "note", "warning", 24, "gaps unaligned-rows", "gaps: note unaligned-rows: warning"},
		{"target: none\nseverity: error\nfail-on: note\n", "none", "error", "note", 24, "gaps unaligned-rows",
			"gaps: note unaligned-rows: warning"},
		{"rules: gaps\n", "directml", "note", "warning", 1, "unaligned-rows", "gaps: note unaligned-rows: warning"},
		{"rules: '*'\nignore: align-large\n", "directml", "note", "warning", len(ruledocs.All()) - 1, "align-large",
			"gaps: note unaligned-rows: warning"},
		{"ignore: [align-large]\nseverities: {gaps: error}\n", "directml", "note", "warning", 24,
			"align-large gaps unaligned-rows", "gaps: error unaligned-rows: warning"},
	} {
		read := func(text string) *project.Config {
			c, err := project.ReadConfig([]byte("version: 1\n" + text))
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		below := read(base)
		c := read(tt.near).Over(below)
		var ignore, ranks []string
		for _, rule := range c.Ignore {
			ignore = append(ignore, rule.Name)
		}
		for rule, s := range c.Ranks {
			ranks = append(ranks, rule.Name+": "+s.String())
		}
		slices.Sort(ignore)
		slices.Sort(ranks)
		if n := len(c.Only); n != tt.only && n != len(below.Only) || n == len(below.Only) && tt.only != 24 {
			t.Errorf("%q selects %d rules, want %d", tt.near, n, tt.only)
		}
		if have := strings.Join(ignore, " "); have != tt.ignore {
			t.Errorf("%q ignores %s, want %s", tt.near, have, tt.ignore)
		}
		if have := strings.Join(ranks, " "); have != tt.ranks {
			t.Errorf("%q has the severities %s, want %s", tt.near, have, tt.ranks)
		}
		if have := fmt.Sprint(c.Target, *c.Severity, *c.FailOn); have != tt.target+" "+tt.severity+" "+tt.failOn {
			t.Errorf("%q: %s", tt.near, have)
		}
		if len(below.Ranks) != 2 || below.Ranks[rules.Gaps] != finding.Note {
			t.Errorf("%q changes what it extends", tt.near)
		}
	}
}

// TestSilences compares the tables of ignores with a search through all of them, in their order.
func TestSilences(t *testing.T) {
	paths := []string{"a.npy", "/a.npy", "d/a.npy", "a.npy/**", "*.npy", "d/**", "d/*", "/**", `d/\\a.npy`}
	tensors := []string{"", "w", "w*", "x", "*"}
	var text strings.Builder
	var all []project.Silence
	random := rand.New(rand.NewPCG(1, 2))
	text.WriteString("version: 1\nignores:\n")
	for range 60 {
		p, tensor := paths[random.IntN(len(paths))], tensors[random.IntN(len(tensors))]
		id := [...]*finding.Rule{rules.Gaps, rules.UnalignedRows}[random.IntN(2)]
		pattern, err := project.ParsePattern(strings.ReplaceAll(p, `\\`, `\`))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, project.Silence{Path: pattern, Tensor: tensor, Rules: []*finding.Rule{id}})
		fmt.Fprintf(&text, "- {path: \"%s\", tensor: \"%s\", rule: %s, reason: x}\n", p, tensor, id)
		c, err := project.ReadConfig([]byte(text.String()))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"a.npy", "d/a.npy", "e/a.npy", "b.npy", "d/b", "e/b"} {
			silent := c.Silent(path)
			for _, f := range []*finding.Finding{found(rules.Gaps, "w", 1), found(rules.UnalignedRows, "", 1),
				found(rules.UnalignedRows, "wx", 1), found(tensorfile.FileSize, "w", 1)} {
				want := slices.IndexFunc(all, func(s project.Silence) bool {
					isOf := s.Tensor == "" || lexer.Glob(s.Tensor, f.Tensor)
					return isOf && s.Rules[0] == f.Rule && s.Path.Matches(path, false, new(project.Work))
				})
				have := -1
				if silent != nil {
					have = silent(f)
				}
				if have != want {
					t.Fatalf("%s\n%s: %v of %q is silenced by item %d, not %d", text.String(), path, f.Rule, f.Tensor,
						have, want)
				}
			}
		}
	}
}

// TestSilentDirectories has ignores of directories, which are those of the files below.
func TestSilentDirectories(t *testing.T) {
	for _, tt := range []struct {
		path        string
		silent, not string // files
	}{
		{"old/", "old/a.npy old/b/c.npy x/old/a.npy", "a.npy xold/a.npy old x/old"},
		{"/old/", "old/a.npy old/b/c.npy", "x/old/a.npy a.npy old"},
		{"x/old/", "x/old/a.npy x/old/b/c.npy", "old/a.npy y/x/old/a.npy x/a.npy"},
		{"o*/", "old/a.npy x/o/a.npy", "a.npy o.npy x/a.npy"},
		{"old", "old x/old", "old/a.npy"},
	} {
		text := "version: 1\nignores: [{path: '" + tt.path + "', rule: gaps, reason: x}]\n"
		c, err := project.ReadConfig([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for i, list := range []string{tt.silent, tt.not} {
			for _, path := range strings.Fields(list) {
				silent := c.Silent(path)
				if (silent != nil && silent(found(rules.Gaps, "", 1)) == 0) != (i == 0) {
					t.Errorf("%s and %s", tt.path, path)
				}
			}
		}
	}
}

// TestManySilences has more items of ignores than patterns are tried one by one: names are looked up.
func TestManySilences(t *testing.T) {
	many := func(n int, form string) (*project.Config, error) {
		var text strings.Builder
		text.WriteString("version: 1\nignores:\n")
		for i := range n {
			fmt.Fprintf(&text, form, i)
		}
		return project.ReadConfig([]byte(text.String()))
	}
	const n = 5000
	c, err := many(n, "- {path: a.npy, tensor: 't%d', rule: gaps, reason: x}\n")
	if err != nil {
		t.Fatal(err)
	}
	silent := c.Silent("a.npy")
	for i := range n {
		if have := silent(found(rules.Gaps, fmt.Sprintf("t%d", i), 1)); have != i {
			t.Fatalf("t%d is silenced by item %d", i, have)
		}
	}
	if c, err = many(n, "- {path: 'd%d.npy', rule: gaps, reason: x}\n"); err != nil || c.Silent("e/d7.npy") == nil ||
		c.Silent("e.npy") != nil {
		t.Errorf("names of files: %v", err)
	}
	for _, form := range []string{
		"- {path: '*', tensor: 'z*%d', rule: gaps, reason: x}\n", "- {path: '*%d', rule: gaps, reason: x}\n",
	} {
		if _, err := many(999, form); err != nil {
			t.Error(err)
		}
		if _, err := many(1001, form); err == nil || !strings.Contains(err.Error(), "more than 1000 items") {
			t.Errorf("1001 patterns: %v", err)
		}
	}
}

// found returns a finding about a tensor.
func found(rule *finding.Rule, tensor string, line int) *finding.Finding {
	return &finding.Finding{Rule: rule, Severity: finding.Error, Tensor: tensor, Place: finding.Place{Line: line}}
}

func TestBaseline(t *testing.T) {
	b := project.NewBaseline()
	b.Add("a.json", found(rules.Gaps, "x", 3))
	b.Add("a.json", found(rules.Gaps, "x", 9))
	b.Add("b \"é\".json", found(tensorfile.FileSize, "<y>", 0))
	if all := b.All(); len(all) != 2 || all[0].Count != 2 || all[1].Path != "b \"é\".json" {
		t.Errorf("known: %v", all)
	}
	id := found(rules.Gaps, "x", 3).Fingerprint("a.json")
	other := found(tensorfile.FileSize, "<y>", 0).Fingerprint("b.json")
	read, err := project.ReadBaseline([]byte(`{"version": 1, "findings": [
		{"rule": "gaps", "path": "a.json", "tensor": "x", "key": "", "id": "` + id + `", "count": 2},
		{"rule": "file-size", "path": "b.json", "tensor": "<y>", "key": "", "id": "` + other + `", "count": 1}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path  string
		f     *finding.Finding
		known bool
	}{
		{"a.json", found(rules.Gaps, "x", 100), true}, // lines may move
		{"c.json", found(rules.Gaps, "x", 3), false},
		{"a.json", found(rules.UnalignedRows, "x", 3), false},
		{"a.json", found(rules.Gaps, "z", 3), false},
		{"a.json", found(rules.Gaps, "x", 101), true},
		{"a.json", found(rules.Gaps, "x", 102), false}, // the third of two
	} {
		if got := read.Has(tt.path, tt.f); got != tt.known {
			t.Errorf("%s %v: %v", tt.path, tt.f, got)
		}
	}
	stale := read.Stale(func(path string) bool { return path != "a.json" })
	if len(stale) != 1 || stale[0].Tensor != "<y>" {
		t.Errorf("stale: %v", stale)
	}
	if none := read.Stale(func(string) bool { return false }); none != nil {
		t.Errorf("files that were not checked: %v", none)
	}
}

func TestBadBaselines(t *testing.T) {
	for _, text := range []string{
		"", "{", "[]", "{}", `{"version": 2, "findings": []}`, `{"version": 1}`, `{"version": 1, "findings": {}}`,
		`{"version": 1, "findings": [{}]}`, `{"version": 1, "findings": [{"id": "a", "count": 0}]}`,
		`{"version": 1, "findings": [{"id": "a", "count": 2147483648}]}`,
		`{"version": 1, "findings": [{"id": "a", "count": 1}, {"id": "a", "count": 1}]}`,
		`{"version": 1, "findings": [1]}`,
	} {
		if _, err := project.ReadBaseline([]byte(text)); err == nil {
			t.Errorf("%s is taken", text)
		} else if _, ok := err.(*lexer.SyntaxError); !ok {
			t.Errorf("%s: %T", text, err)
		}
	}
	for _, text := range []string{`{"version": 1, "findings": []}`,
		`{"version": 1, "findings": [{"id": "a", "count": 2147483647}]}`} {
		if _, err := project.ReadBaseline([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FuzzConfig reads configurations, baselines and patterns that may be anything.
func FuzzConfig(f *testing.F) {
	f.Add("version: 1\nexclude: ['a/**', '[!b]*']\n", "a/b/c")
	f.Add(`{"version": 1, "findings": [{"id": "a", "count": 1}]}`, "[")
	f.Add("version: 1\nignores: [{path: x, rule: gaps, reason: y}]", "**/*?\\")
	f.Fuzz(func(t *testing.T, text, path string) {
		defer layouttest.Limit(t, len(text)+len(path))()
		if c, err := project.ReadConfig([]byte(text)); err == nil {
			if silent := c.Silent(path); silent != nil {
				silent(found(rules.Gaps, text, 1))
			}
		} else if e, ok := err.(*lexer.SyntaxError); !ok || e.Offset < 0 || e.Offset > len(text) {
			t.Errorf("%v", err)
		}
		if b, err := project.ReadBaseline([]byte(text)); err == nil {
			for _, k := range b.All() {
				if k.Count < 1 || k.ID == "" {
					t.Errorf("%+v", k)
				}
			}
		}
		for _, pattern := range []string{text, path} {
			excludes(pattern, path, len(text)%2 == 0)
		}
	})
}
