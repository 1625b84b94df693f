package cmdtest

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// colors matches the escape sequences that color output, and the legend that explains them.
var colors = regexp.MustCompile("\x1b\\[[0-9;]*m|\n?\ncolors: [^\n]*")

// CheckColors runs every step-th command above the first heading of a file of cases, or of a document, with colors and
// without. The two outputs must differ in real escape sequences and their legend only, so an escape sequence that shows
// as text fails.
func CheckColors(t *testing.T, root, path string, step int) {
	t.Helper()
	_, script := read(t, path)
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range script.Cases()[0].Blocks {
		line := strings.TrimPrefix(b.Text, "$ ")
		if b.Kind != Command || i%step != 0 {
			continue
		}
		var texts [2]string
		for k, env := range []map[string]string{nil, {"FORCE_COLOR": "1"}} {
			r, err := shell{root}.run(line, "", env)
			if err != nil {
				t.Fatal(err)
			}
			texts[k] = colors.ReplaceAllString(r.out+r.errs, "")
		}
		if texts[0] != texts[1] {
			t.Errorf("%s:%d: %s\ncolors change the text (-without +with):\n%s", path, b.Line, line,
				difference(texts[0], texts[1]))
		}
	}
}
