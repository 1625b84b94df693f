package descfile

import (
	"strings"
	"testing"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
)

// TestLongNames holds names to their limits: what repeats them would take all memory.
func TestLongNames(t *testing.T) {
	tests := []struct {
		length int
		fault  string
		reason string
	}{
		{1024, "", "at the limit"},
		{1025, "the key is longer than 1024 bytes", "over it"},
	}
	for _, tt := range tests {
		key := strings.Repeat("k", tt.length)
		_, inYAML := doctree.YAML([]byte(key + ": 1"))
		for _, err := range []error{new(doctree.Tree).JSON([]byte(`{"` + key + `": 1}`)), inYAML} {
			fault := ""
			if err != nil {
				fault = err.Error()
			}
			if fault != tt.fault {
				t.Errorf("%d: %q, want %q: %s", tt.length, fault, tt.fault, tt.reason)
			}
		}
	}
}

// TestLongLineName keeps of a name what is kept in tensor files.
func TestLongLineName(t *testing.T) {
	line := `{"name":"` + strings.Repeat("n", 100_000) + `","DataType":"FLOAT32","Sizes":[0]}`
	found := 0
	_, err := Lines{}.Check(strings.NewReader(line), func(f rules.Finding) error {
		if found++; len(f.Tensor) != 4096 {
			t.Errorf("%d bytes of the name are kept", len(f.Tensor))
		}
		return nil
	})
	if err != nil || found == 0 {
		t.Errorf("%d findings, %v", found, err)
	}
}
