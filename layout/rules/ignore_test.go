package rules_test

import (
	"slices"
	"testing"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
)

// TestReadIgnores checks which comments silence rules, and what is wrong with others that have the mark.
func TestReadIgnores(t *testing.T) {
	const form = "layoutcalc:ignore RULE REASON"
	tests := []struct {
		comment           string
		rule, reason      string // of the comment that is kept; empty for none
		message, fix, why string
	}{
		{comment: " layoutcalc:ignore gaps padded rows", rule: "gaps", reason: "padded rows", why: "as it should be"},
		{comment: "* layoutcalc:ignore Gaps x *", rule: "Gaps", reason: "x", why: "a comment of C, whatever the case"},
		{comment: " layoutcalc:ignore  gaps   x\n more", rule: "gaps", reason: "x", why: "the first line, any blanks"},
		{comment: " as layoutcalc:ignore gaps x does", why: "the mark is not at the start"},
		{comment: "layoutcalc", why: "shorter than the mark"},
		{
			comment: " layoutcalc:ignored gaps x", fix: form, why: "another verb",
			message: `"layoutcalc:ignored" is not a comment that layoutcalc knows`,
		},
		{comment: " layoutcalc:ignore ", message: "the comment names no rule", fix: form, why: "only the verb"},
		{
			comment: " layoutcalc:ignore gasp x", message: `there is no rule "gasp"`, fix: "did you mean gaps?",
			why: "a slip",
		},
		{
			comment: " layoutcalc:ignore gaps ", message: "the comment does not say why gaps is ignored",
			fix: "layoutcalc:ignore gaps REASON", why: "no reason",
		},
	}
	for _, tt := range tests {
		var f rules.File
		place := doctree.Place{Line: 3, Column: 5}
		f.ReadIgnores([]doctree.Comment{{Text: tt.comment, Place: place, Line: 4}})
		var kept []rules.Ignore
		if tt.rule != "" {
			kept = []rules.Ignore{{Rule: tt.rule, Reason: tt.reason, Line: 4, Place: place}}
		}
		var found []rules.Finding
		if tt.message != "" {
			found = []rules.Finding{{
				Rule: rules.BadIgnore, Severity: rules.BadIgnore.Rule().Severity, Place: place, Message: tt.message,
				Fix: tt.fix,
			}}
		}
		if !slices.Equal(f.Ignores, kept) || !slices.Equal(f.Findings, found) {
			t.Errorf("%q (%s): %+v, %+v, want %+v, %+v", tt.comment, tt.why, f.Ignores, f.Findings, kept, found)
		}
	}
}

// TestManyIgnores checks that comments over the limit are not read, and that this is said once.
func TestManyIgnores(t *testing.T) {
	for _, over := range []int{0, 1, 2} {
		var f rules.File
		comment := doctree.Comment{Text: "layoutcalc:ignore gaps x"}
		f.ReadIgnores(slices.Repeat([]doctree.Comment{comment}, doctree.MaxComments+over))
		if len(f.Ignores) != doctree.MaxComments || len(f.Findings) != min(over, 1) {
			t.Errorf("%d too many: %d are kept, and %d findings", over, len(f.Ignores), len(f.Findings))
		}
	}
}
