package cmd_test

import (
	"strings"
	"testing"
)

// TestNoFiles has names of ours that are links to nothing and no regular files. What must be ours cannot be read, the
// others are skipped.
func TestNoFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	files{"a.yaml": goodConfig, "b.yaml": "-> nowhere", "c.yaml": "-> c.yaml", "d.npy": "-> nowhere",
		"e.txt": "-> nowhere", "f.json": "-> /dev/zero"}.write(t, ".")
	r := run(t, "check . -o plain -v")
	const gone = " is skipped: a link that leads nowhere\n"
	want := "note: b.yaml" + gone + "note: c.yaml" + gone + "note: f.json is skipped: not a regular file\n"
	if r.code != 2 || r.out != "d.npy: error: there is no such file [syntax]\n" || r.stderr != want {
		t.Errorf("exits %d with\n%s%s", r.code, r.out, r.stderr)
	}
}

// TestLinkNotes has links to directories that are searched by their own paths, that are hidden, and that are elsewhere.
// What is not searched is noted, with -v each link by itself.
func TestLinkNotes(t *testing.T) {
	t.Chdir(t.TempDir())
	files{
		"d/a.yaml": goodConfig, "d/.h/b.yaml": badConfig, "d/sub/c.yaml": goodConfig,
		"d/whole": "-> .", "d/sub/around": "-> ..", "d/sub2": "-> sub",
		"d/e": "-> .h", "d/sub/f": "-> ../.h", "d/g": "-> ../../", "d/i": "-> /usr",
	}.write(t, ".")
	const hidden = " a hidden directory, which is not searched\n"
	const elsewhere = " a directory elsewhere, which is not searched\n"
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
