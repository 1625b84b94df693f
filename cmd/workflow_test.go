package cmd_test

import (
	"slices"
	"strings"
	"testing"
)

// workflowCommands are those that the runner of GitHub's Actions obeys.
var workflowCommands = strings.Fields("add-mask add-matcher debug echo endgroup error group notice remove-matcher save-state set-output stop-commands warning")

// obeyed reports whether the runner takes a line for a command: ::error::x behind any blanks,
// or ##[error]x anywhere, as src/Runner.Common/ActionCommand.cs of actions/runner has it.
func obeyed(line string) bool {
	if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "::"); ok {
		info, _, ok := strings.Cut(rest, "::")
		name, _, _ := strings.Cut(info, " ")
		if ok && slices.Contains(workflowCommands, name) {
			return true
		}
	}
	_, rest, _ := strings.Cut(line, "##[")
	info, _, ok := strings.Cut(rest, "]")
	name, _, _ := strings.Cut(info, " ")
	return ok && slices.Contains(workflowCommands, name)
}

// TestWorkflowCommands gives texts that a runner would obey, and wants no line of output to be
// one that it does.
func TestWorkflowCommands(t *testing.T) {
	for _, text := range []string{"::error::x", " ::add-mask::x", "::error file=a,line=1::x", "1\n::stop-commands::x", "1\r::error::x", "\u00a0::error::x", "\u3000::error::x", "##[error]x", "1x##[group]x", "::nothing::x", "%0A::error::x"} {
		var obeys []string
		for _, args := range [][]string{
			{text}, {"help", text}, {"strides", text}, {"strides", "2x3", text}, {"strides", "2x3", "HW", text},
			{"strides", "2x3", "-t", text}, {"strides", "2x3", "-o", text}, {"strides", "2x3", "--get", text}, {"strides", "2x3", "--color", text},
			{"strides", "2x3", "--strides", text}, {"strides", "2x3", "--pad", text}, {"strides", "2x3", "--" + text}, {"strides", text + "=3"},
			{"offset", "2x3", text}, {"offset", "2x3", "-"}, {"offset", "2x3", "--at", "-"}, {"offset", "2x3", "--range", text},
			{"offset", "1", "--values", text}, {"offset", "1", "--values", text, "-o", "markdown"}, {"offset", "1", "--values", text, "--range", "0:1"},
			{"completion", text}, {"version", text},
		} {
			r := runWith(strings.NewReader(text+"\n"), nil, args...)
			for line := range strings.SplitSeq(r.out+r.stderr, "\n") {
				if obeyed(line) {
					obeys = append(obeys, strings.Join(args, " ")+" writes "+line)
				}
			}
		}
		if len(obeys) > 0 {
			t.Errorf("%d lines that a runner obeys, the first of them: %s", len(obeys), obeys[0])
		}
	}
}
