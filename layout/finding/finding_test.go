package finding_test

import (
	"fmt"
	"hash/fnv"
	"io"
	"strings"
	"testing"

	"layoutcalc/layout/finding"
)

// TestFingerprint compares fingerprints with the standard library's hash.
func TestFingerprint(t *testing.T) {
	for _, text := range []string{"", "a", "models/a.json", "é\x00\xff", "a long path/with many/parts.safetensors"} {
		f := finding.Finding{Rule: &finding.Rule{Name: "gaps"}, Tensor: text,
			Place: finding.Place{Line: 3, Pointer: "/" + text}}
		h := fnv.New128a()
		for _, part := range []string{"v1", "gaps", text, text, "/" + text} {
			io.WriteString(h, part+"\x00")
		}
		if got, want := f.Fingerprint(text), fmt.Sprintf("%x", h.Sum(nil)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestQuota lets findings pass by their severities: n notes, w warnings, e errors.
func TestQuota(t *testing.T) {
	tests := []struct {
		most            int
		offered, passed string
		floor           finding.Severity
		reason          string
	}{
		{0, "nnwwee", "nnwwee", finding.Note, "no limit"},
		{3, "nn", "nn", finding.Note, "there is room for one more"},
		{3, "nnnn", "nnn", finding.Warning, "the first ones"},
		{3, "nwe", "nwe", finding.Warning, "as many as the limit, of all severities"},
		{3, "nnnwn", "nnnw", finding.Warning, "a graver one passes all the same"},
		{3, "nnnwwwwn", "nnnwww", finding.Error, "three are as grave as a warning"},
		{3, "weewe", "weee", finding.Error + 1, "two errors and a warning leave no room for warnings"},
		{3, "nwwweeeewn", "nwwweee", finding.Error + 1, "three errors"},
		{1, "ne", "ne", finding.Error + 1, "one"},
	}
	for _, tt := range tests {
		q := finding.Quota{Most: tt.most}
		passed := ""
		for _, c := range tt.offered {
			if q.Pass(finding.Severity(strings.IndexRune("nwe", c))) {
				passed += string(c)
			}
		}
		if passed != tt.passed || q.Floor() != tt.floor {
			t.Errorf("%d of %s: %s, floor %d, want %s, %d: %s", tt.most, tt.offered, passed, q.Floor(), tt.passed,
				tt.floor, tt.reason)
		}
	}
}
