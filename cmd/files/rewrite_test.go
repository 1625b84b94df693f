package files

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestRewrite replaces a file that the call reads, unless it has another content by then.
func TestRewrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	var g Guard
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		g.Reads(path, info)
	}
	tests := []struct {
		reason, now, want string
		err               error
	}{
		{"what was read", "old", "new", nil},
		{"another text", "odd", "odd", ErrChanged},
		{"a longer text", "older", "older", ErrChanged},
		{"a shorter text", "ol", "ol", ErrChanged},
	}
	for _, tt := range tests {
		write(tt.now)
		err := g.Rewrite(path, []byte("old"), []byte("new"))
		if text, _ := os.ReadFile(path); err != tt.err || string(text) != tt.want {
			t.Errorf("%s: %v leaves %q", tt.reason, err, text)
		}
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
			t.Errorf("%s: %v, %v", tt.reason, info, err)
		}
		if err := g.spare(path); err != ErrInput {
			t.Errorf("%s: other files take its place: %v", tt.reason, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); left != nil {
		t.Errorf("%q are left", left)
	}
	if g.Rewrite(path+"x", nil, nil) == nil {
		t.Error("a file that is missing is written")
	}
}

// TestRewritable distinguishes files with one name from others.
func TestRewritable(t *testing.T) {
	dir := t.TempDir()
	path, link, hard := filepath.Join(dir, "a"), filepath.Join(dir, "link"), filepath.Join(dir, "hard")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	g := Guard{Fences: func() []string { return []string{dir} }}
	if !g.Rewritable(path) || g.Rewritable(dir) || g.Rewritable(path+"x") {
		t.Error("a file is rewritable, a directory and nothing are not")
	}
	if os.Symlink("a", link) == nil && (g.Rewritable(link) || !g.Rewritable(path)) {
		t.Error("a link is rewritable")
	}
	if runtime.GOOS != "windows" && os.Link(path, hard) == nil && (g.Rewritable(path) || g.Rewritable(hard)) {
		t.Error("a file with two names is rewritable")
	}
}
