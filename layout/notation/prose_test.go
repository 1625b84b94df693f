package notation

import (
	"strings"
	"testing"
)

// TestStated reads what PyTorch and NumPy print of tensors in logs and at prompts; stated.py has made the lines.
func TestStated(t *testing.T) {
	t.Parallel()
	for _, l := range corpus(t, "testdata/stated.txt") {
		found, err := Read(l.text, Options{})
		if err != nil || len(found) != 1 {
			t.Errorf("%q: %v, %v, want %s", l.text, found, err, l.want)
			continue
		}
		got := found[0].Name + " " + meaning(found[0])
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(l.want), " ") {
			t.Errorf("%q is %s, want %s", l.text, got, l.want)
		}
	}
}
