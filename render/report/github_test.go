package report

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/rules"
)

// A runnerCommand is a line as a runner parses it.
type runnerCommand struct {
	Name       string
	Properties map[string]string
	Data       string
}

// runner models how GitHub's runner, and that of Azure, read a log: it returns the commands, and
// the lines that are not commands. They split lines at CR too.
func runner(log string) (commands []runnerCommand, rest []string) {
	for _, line := range strings.FieldsFunc(log, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if c, ok := parseCommand(line); ok {
			commands = append(commands, c)
		} else {
			rest = append(rest, line)
		}
	}
	return commands, rest
}

// parseCommand parses the present form, ::name key=value,key=value::data after whitespace, and the older ones,
// ##[name]data and ##vso[name]data anywhere.
func parseCommand(line string) (runnerCommand, bool) {
	if body, ok := strings.CutPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::"); ok {
		if head, message, ok := strings.Cut(body, "::"); ok {
			name, list, _ := strings.Cut(head, " ")
			c := runnerCommand{name, map[string]string{}, unescapeData(message)}
			for _, pair := range strings.Split(strings.TrimSpace(list), ",") {
				if key, value, ok := strings.Cut(pair, "="); ok {
					c.Properties[key] = unescapeProperty(value)
				}
			}
			return c, true
		}
	}
	for _, prefix := range []string{"##[", "##vso["} {
		if i := strings.Index(line, prefix); i >= 0 {
			return runnerCommand{Name: line[i:]}, true
		}
	}
	return runnerCommand{}, false
}

func unescapeData(text string) string {
	return strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%").Replace(text)
}

func unescapeProperty(text string) string {
	return strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace(text)
}

func TestGitHub(t *testing.T) {
	want := []runnerCommand{
		{
			"error",
			map[string]string{"file": "model.json", "line": "3", "col": "15", "title": "layoutcalc overlap-output"},
			"OutputTensor: (0,3) and (1,0) are both element 9\nfix: strides 4,1",
		},
		{"warning", map[string]string{"file": "model.json", "line": "4", "title": "layoutcalc op-level"}, "needs 6.2"},
		{
			"notice", map[string]string{"file": "dir with space/w.npy", "title": "layoutcalc file-order"},
			"dir with space/w.npy: w is in Fortran order",
		},
	}
	log := written(t, GitHub, Options{}, sample(), "clean.json")
	got, rest := runner(log)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"3 files, 14 descriptors: 1 error, 1 warning, 1 note"}, rest); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	first := "::error file=model.json,line=3,col=15,title=layoutcalc overlap-output::" +
		"OutputTensor: (0,3) and (1,0) are both element 9%0Afix: strides 4,1"
	if list := lineList(t, log); list[0] != first {
		t.Errorf("the line is\n%s", list[0])
	}
}

// TestRunner checks that the model of the runner finds injected commands.
func TestRunner(t *testing.T) {
	for _, line := range []string{
		"::error::x", "  ::stop-commands::x", "\u00a0::add-mask::x", "a\r::error::x", "a ##[group]x",
		"a##vso[task.setvariable]x",
	} {
		if commands, _ := runner(line); len(commands) != 1 {
			t.Errorf("%q gives %v", line, commands)
		}
	}
	for _, line := range []string{"a ::error::x", `\x3a:error::x`, `##\x5bgroup]`, ":: no end"} {
		if commands, _ := runner(line); len(commands) != 0 {
			t.Errorf("%q gives %v", line, commands)
		}
	}
}

// TestGitHubLimit has more findings of a kind than GitHub shows: the gravest ones, and of those the ones of the first
// paths, are commands, the others lines, and one notice has the counts.
func TestGitHubLimit(t *testing.T) {
	for _, tt := range []struct {
		errors, warnings, notes int
		commands                string // the first letters of their names
		lines                   int
		notice                  string // the start of it, if there is one
	}{
		{10, 10, 10, "eeeeeeeeeewwwwwwwwwwnnnnnnnnnn", 0, ""},
		{11, 0, 0, "eeeeeeeeeen", 1, "1 finding in the log only"},
		{0, 13, 10, "wwwwwwwwwwnnnnnnnnnn", 4, "4 findings in the log only"},
		{0, 0, 11, "nnnnnnnnnn", 2, "2 findings in the log only"},
		{1, 0, 0, "e", 0, ""},
		{0, 0, 0, "", 0, ""},
	} {
		var findings []Finding
		for severity, n := range []int{tt.notes, tt.warnings, tt.errors} {
			for i := range n { // of two in a file the later one first
				path := fmt.Sprintf("%c.json", 'z'-i/2)
				findings = append(findings, made(path, 9-i%2, 1, rules.Gaps, finding.Severity(severity), "", "m", ""))
			}
		}
		got, rest := runner(written(t, GitHub, Options{}, findings))
		kinds, last := "", ""
		for _, c := range got {
			kinds += c.Name[:1]
			at := c.Name[:1] + c.Properties["file"] + c.Properties["line"]
			if c.Properties["file"] != "" && at[0] == (last + "-")[0] && at <= last {
				t.Errorf("%+v: %s comes after %s", tt, at, last)
			}
			last = at
		}
		if kinds != tt.commands {
			t.Errorf("%+v: the commands are %s", tt, kinds)
		}
		lines := len(rest)
		if tt.notice == "" {
			lines-- // the summary
		} else if final := got[len(got)-1]; !strings.HasPrefix(final.Data, tt.notice) || final.Name != "notice" ||
			!strings.Contains(final.Data, fmt.Sprintf(": %d error", tt.errors)) {
			t.Errorf("%+v: the last command is %+v", tt, final)
		}
		if lines != tt.lines {
			t.Errorf("%+v: %d lines in %q", tt, lines, rest)
		}
	}
}

// TestGitHubFull has no room for findings. The first errors must still be commands, and nothing is lost.
func TestGitHubFull(t *testing.T) {
	g := &github{}
	var text strings.Builder
	o := newOut(&text)
	note := made("b", 1, 1, rules.Gaps, finding.Note, "", "m", "")
	g.finding(o, &note)
	g.held.size = maxHeld
	failure := made("a", 1, 1, rules.Gaps, finding.Error, "", "m", "")
	for range maxAnnotations + 2 {
		g.finding(o, &failure)
	}
	g.finding(o, &note)
	g.end(o, &Summary{Files: 2})
	check(t, o.Flush())
	got, rest := runner(text.String())
	kinds := ""
	for _, c := range got {
		kinds += c.Name[:1]
	}
	if kinds != "eeeeeeeeeenn" || len(rest) != 3 || !strings.HasPrefix(got[len(got)-1].Data, "3 findings") {
		t.Errorf("commands %s, lines %q", kinds, rest)
	}
}
