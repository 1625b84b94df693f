package cmd_test

import (
	"strings"
	"testing"
)

// TestLinkNotes has links to directories that are searched by their own paths, that are hidden, and that are elsewhere.
// What is not searched is noted, with -v each link by itself.
func TestLinkNotes(t *testing.T) {
	t.Chdir(t.TempDir())
	files{
		"d/a.yaml": goodConfig, "d/.h/b.yaml": badConfig, "d/sub/c.yaml": goodConfig,
		"d/whole": "-> .", "d/sub/around": "-> ..", "d/sub2": "-> sub",
		"d/e": "-> .h", "d/sub/f": "-> ../.h", "d/g": "-> ../../", "d/i": "-> /usr",
	}.write(t, ".")
	const hidden, elsewhere = " a hidden directory, which is not searched\n", " a directory elsewhere, which is not searched\n"
	for _, tt := range []struct{ flags, want string }{
		{"", "note: d/g and 1 more are links to directories elsewhere, which are not searched\n" +
			"note: d/e and 1 more are links to hidden directories, which are not searched\n"},
		{" -v", "note: d/g is a link to" + elsewhere + "note: d/i is a link to" + elsewhere +
			"note: d/e is a link to" + hidden + "note: d/sub/f is a link to" + hidden},
	} {
		r := run(t, "check d -o plain"+tt.flags)
		if got := strings.ReplaceAll(r.stderr, "\\", "/"); r.code != 0 || r.out != "" || got != tt.want {
			t.Errorf("%q: exits %d with\n%s%s", tt.flags, r.code, r.out, got)
		}
	}
}
