package rules_test

import (
	"fmt"
	"hash/fnv"
	"io"
	"testing"

	"layoutcalc/layout/rules"
)

// TestFingerprint holds fingerprints against the hash of the standard library.
func TestFingerprint(t *testing.T) {
	for _, text := range []string{"", "a", "models/a.json", "é\x00\xff", "a long path/with many/parts.safetensors"} {
		f := rules.Finding{Rule: rules.Gaps, Tensor: text, Place: rules.Place{Line: 3, Pointer: "/" + text}}
		h := fnv.New128a()
		for _, part := range []string{"v1", "gaps", text, text, "/" + text} {
			io.WriteString(h, part+"\x00")
		}
		if got, want := f.Fingerprint(text), fmt.Sprintf("%x", h.Sum(nil)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
