package layouttest

import (
	"os"
	"strings"
	"testing"
)

// Limits compares what is found in each text of testdata/limits.txt, a line for each finding, with what is written
// there after the text; or writes that anew. A text starts with "== ", what is found in it comes after a line "--".
func Limits(t *testing.T, update bool, found func(text string) string) {
	t.Helper()
	const file = "testdata/limits.txt"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, block := range strings.Split(strings.TrimPrefix(string(data), "== "), "\n== ") {
		text, want, _ := strings.Cut(block, "\n--\n")
		have := found(text)
		if have != strings.TrimSuffix(want, "\n") && !update {
			t.Errorf("%s\nhas\n%s\nwant\n%s", text, have, want)
		}
		all.WriteString("== " + text + "\n--\n" + have + "\n")
	}
	if update {
		if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
