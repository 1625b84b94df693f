package finding_test

import (
	"testing"

	"layoutcalc/layout/finding"
)

// TestMend checks that each finding is fixed completely or not at all.
func TestMend(t *testing.T) {
	type edits = []finding.Edit
	edit := func(from, to int64, text string) finding.Edit {
		return finding.Edit{Span: finding.Span{From: from, To: to}, Text: text}
	}
	tests := []struct {
		reason string
		wanted []edits // by finding
		want   string  // of 0123456789
		n      int
	}{
		{"nothing", nil, "0123456789", 0},
		{"a finding without edits", []edits{nil}, "0123456789", 0},
		{"a number", []edits{{edit(2, 4, "x")}}, "01x456789", 1},
		{"to the end", []edits{{edit(9, 10, "")}}, "012345678", 1},
		{"in any order", []edits{{edit(8, 9, "b"), edit(1, 2, "a")}}, "0a234567b9", 1},
		{"one after the other", []edits{{edit(2, 4, "x")}, {edit(4, 5, "y")}}, "01xy56789", 2},
		{"the same twice", []edits{{edit(2, 4, "x")}, {edit(2, 4, "x")}}, "01x456789", 2},
		{"two texts for one place", []edits{{edit(2, 4, "y")}, {edit(2, 4, "x")}}, "01x456789", 1},
		{"they touch", []edits{{edit(2, 4, "x")}, {edit(3, 5, "y")}}, "01x456789", 1},
		{"a finding whose second edit touches another", []edits{{edit(0, 1, "a"), edit(5, 8, "b")}, {edit(4, 6, "c")}},
			"0123c6789", 1},
		{"beyond the end", []edits{{edit(9, 11, "x")}}, "0123456789", 0},
		{"backwards", []edits{{edit(4, 3, "x")}}, "0123456789", 0},
	}
	for _, tt := range tests {
		var findings []*finding.Finding
		for _, e := range tt.wanted {
			findings = append(findings, &finding.Finding{Edits: e})
		}
		if got, n := finding.Mend([]byte("0123456789"), findings); string(got) != tt.want || n != tt.n {
			t.Errorf("%s: %s, %d, want %s, %d", tt.reason, got, n, tt.want, tt.n)
		}
	}
}

// TestDoubt takes edits from derived values of tensors with which something else is wrong.
func TestDoubt(t *testing.T) {
	edit := []finding.Edit{{Text: "x"}}
	total := finding.Finding{Tensor: "a", Severity: finding.Error, Edits: edit, Derived: true}
	tests := []struct {
		reason string
		other  finding.Finding
		keeps  bool
	}{
		{"another derived value", total, true},
		{"a note", finding.Finding{Tensor: "a"}, true},
		{"a warning", finding.Finding{Tensor: "a", Severity: finding.Warning}, false},
		{"an error that can be mended", finding.Finding{Tensor: "a", Severity: finding.Error, Edits: edit}, false},
		{"an error of another tensor", finding.Finding{Tensor: "b", Severity: finding.Error}, true},
	}
	for _, tt := range tests {
		first, last := total, total
		finding.Doubt([]*finding.Finding{&first, &tt.other, &last}, false)
		if keeps := first.Edits != nil; keeps != tt.keeps || (last.Edits != nil) != keeps {
			t.Errorf("%s: keeps %t", tt.reason, keeps)
		}
		if finding.Doubt([]*finding.Finding{&first, &last}, true); first.Edits != nil || last.Edits != nil {
			t.Errorf("%s: findings that are not there are no doubt", tt.reason)
		}
	}
}
