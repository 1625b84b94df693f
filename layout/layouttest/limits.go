package layouttest

import (
	"os"
	"strings"
	"testing"
)

// Limits runs the cases of testdata/limits.txt. It compares the findings in an input, one per line, with the file, or
// writes them there with update. A case is a line "== TITLE", the input, a line "--", and the findings, with a bar
// before the fix, if there is one. A title names the rule or the kind of line that the case is about. The second and
// later cases have a number, so that titles are unique. A change to the code of the rule changes the findings.
func Limits(t *testing.T, update bool, found func(text string) string) {
	t.Helper()
	const file = "testdata/limits.txt"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	titles := map[string]bool{}
	for _, block := range strings.Split(strings.TrimPrefix(string(data), "== "), "\n== ") {
		text, want, _ := strings.Cut(block, "\n--\n")
		title, text, _ := strings.Cut(text, "\n")
		if titles[title] {
			t.Errorf("two cases are called %s", title)
		}
		titles[title] = true
		have := strings.TrimSuffix(strings.ReplaceAll(found(text)+"\n", " | \n", "\n"), "\n")
		if have != strings.TrimSuffix(want, "\n") && !update {
			t.Errorf("%s\n%s\nhas\n%s\nwant\n%s", title, text, have, want)
		}
		all.WriteString("== " + title + "\n" + text + "\n--\n" + have + "\n")
	}
	if update {
		if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
