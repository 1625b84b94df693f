package report

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// A runnerCommand is what a runner takes a line for.
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

// parseCommand reads the present form, ::name key=value,key=value::data after blanks, and the
// older ones, ##[name]data and ##vso[name]data anywhere.
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
			"w is in Fortran order",
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

// TestRunner wants the model to find what is injected: it could find nothing.
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
