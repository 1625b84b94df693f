package finding_test

import (
	"testing"

	"layoutcalc/layout/finding"
)

// TestFix checks that each finding is fixed completely or not at all.
func TestFix(t *testing.T) {
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
		if got, n := finding.Fix([]byte("0123456789"), findings); string(got) != tt.want || n != tt.n {
			t.Errorf("%s: %s, %d, want %s, %d", tt.reason, got, n, tt.want, tt.n)
		}
	}
}

// TestDoubt checks which edits of derived values remain, and which wait, by the other findings about the tensor.
func TestDoubt(t *testing.T) {
	edit := []finding.Edit{{Text: "x"}}
	total := finding.Finding{Tensor: "a", Severity: finding.Error, Edits: edit, Derived: true}
	tests := []struct {
		reason       string
		other        finding.Finding
		keeps, waits bool
	}{
		{"another derived value", total, true, false},
		{"a note", finding.Finding{Tensor: "a"}, true, false},
		{"a warning", finding.Finding{Tensor: "a", Severity: finding.Warning}, false, false},
		{"an error that can be fixed", finding.Finding{Tensor: "a", Severity: finding.Error, Edits: edit}, true, true},
		{"an error of another tensor", finding.Finding{Tensor: "b", Severity: finding.Error}, true, false},
	}
	for _, tt := range tests {
		first, last := total, total
		finding.Doubt([]*finding.Finding{&first, &tt.other, &last}, false)
		for _, f := range []finding.Finding{first, last} {
			if keeps := f.Edits != nil; keeps != tt.keeps || f.Waits != tt.waits {
				t.Errorf("%s: keeps %t, waits %t", tt.reason, keeps, f.Waits)
			}
		}
		if finding.Doubt([]*finding.Finding{&first, &last}, true); first.Edits != nil || last.Edits != nil {
			t.Errorf("%s: derived edits remain although findings are missing", tt.reason)
		}
	}
}

// TestWaitingEdits checks that edits that wait are not applied, and when their findings count as fixed.
func TestWaitingEdits(t *testing.T) {
	size, total := &finding.Rule{Name: "size"}, &finding.Rule{Name: "total"}
	edit := func(text string) []finding.Edit { return []finding.Edit{{Span: finding.Span{To: 1}, Text: text}} }
	strides := finding.Finding{Rule: size, Tensor: "a", Edits: edit("1")}
	waits := finding.Finding{Rule: total, Tensor: "a", Edits: edit("2"), Derived: true, Waits: true}
	before := []*finding.Finding{&strides, &waits}
	if text, n := finding.Fix([]byte("0"), before); string(text) != "1" || n != 1 {
		t.Errorf("%s, %d, want 1, 1", text, n)
	}
	for _, tt := range []struct {
		after finding.Finding
		want  int
	}{{strides, 1}, {finding.Finding{Rule: total, Tensor: "b"}, 1}, {finding.Finding{Rule: total, Tensor: "a"}, 0}} {
		if n := finding.Settled(before, []*finding.Finding{&tt.after}); n != tt.want {
			t.Errorf("%d findings are settled, want %d, if %s of %s remains", n, tt.want, tt.after.Rule.Name,
				tt.after.Tensor)
		}
	}
}
