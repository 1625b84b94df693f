package finding_test

import (
	"reflect"
	"slices"
	"testing"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
)

// known are rules that comments may name.
var known = []*finding.Rule{{Name: "gaps"}, {Name: "overlap-input"}}

// TestIgnores checks which comments silence rules, and the errors in other comments with the mark.
func TestIgnores(t *testing.T) {
	const form = "layoutcalc:ignore RULE REASON"
	tests := []struct {
		comment           string
		rule              string // of the comment that is kept; empty for none
		message, fix, why string
	}{
		{comment: " layoutcalc:ignore gaps padded rows", rule: "gaps", why: "as it should be"},
		{comment: "* layoutcalc:ignore Gaps x *", rule: "gaps", why: "a comment of C, whatever the case"},
		{comment: " layoutcalc:ignore  gaps   x\n more", rule: "gaps", why: "the first line, any blanks"},
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
		place := finding.Place{Line: 3, Column: 5}
		ignores, found := finding.Ignores([]doctree.Comment{{Text: tt.comment, Place: place, Line: 4}}, known)
		var kept []finding.Ignore
		if tt.rule != "" {
			kept = []finding.Ignore{{Rule: known[0], Line: 4, Place: place}}
		}
		var wrong []finding.Finding
		if tt.message != "" {
			wrong = []finding.Finding{{
				Rule: finding.BadIgnore, Severity: finding.Error, Place: place, Message: tt.message, Fix: tt.fix,
			}}
		}
		if !slices.Equal(ignores, kept) || !reflect.DeepEqual(found, wrong) {
			t.Errorf("%q (%s): %+v, %+v, want %+v, %+v", tt.comment, tt.why, ignores, found, kept, wrong)
		}
	}
}

// TestManyIgnores checks that comments over the limit are ignored, and that one finding reports this.
func TestManyIgnores(t *testing.T) {
	for _, over := range []int{0, 1, 2} {
		comment := doctree.Comment{Text: "layoutcalc:ignore gaps x"}
		ignores, wrong := finding.Ignores(slices.Repeat([]doctree.Comment{comment}, doctree.MaxComments+over), known)
		if len(ignores) != doctree.MaxComments || len(wrong) != min(over, 1) {
			t.Errorf("%d too many: %d are kept, and %d findings", over, len(ignores), len(wrong))
		}
	}
}
