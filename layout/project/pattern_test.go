package project_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"layoutcalc/layout/project"
)

// patterns are what gitignore(5) says of each form, and what Git does where the page is short.
var patterns = []struct {
	pattern string
	match   []string // a slash at the end is a directory
	other   []string
}{
	{"*.npy", []string{"a.npy", "x/y/a.npy", ".npy", "a.npy/"}, []string{"a.npyx", "npy", "a.np"}},
	{"build/", []string{"build/", "x/build/"}, []string{"build", "x/build"}},
	{"/build", []string{"build", "build/"}, []string{"x/build"}},
	{"a/b", []string{"a/b", "a/b/"}, []string{"x/a/b", "a/c"}},
	{"**/b", []string{"b", "a/b", "a/x/b"}, []string{"ab", "a/xb"}},
	{"a/**", []string{"a/b", "a/b/c", "a/b/"}, []string{"a", "b/a/c"}},
	{"a/**/b", []string{"a/b", "a/x/b", "a/x/y/b"}, []string{"b", "a/c", "ab"}},
	{"a/*", []string{"a/b", "a/.b"}, []string{"x/a/b", "a"}},
	{"?.onnx", []string{"a.onnx", "-.onnx"}, []string{"ab.onnx", ".onnx"}},
	{"[a-c]x", []string{"ax", "cx"}, []string{"dx", "x", "-x"}},
	{"[!a-c]x", []string{"dx", "-x"}, []string{"ax"}},
	{"[^a]x", []string{"bx"}, []string{"ax"}},
	{"[]x]y", []string{"]y", "xy"}, []string{"y", "]xy"}},
	{"[a-]x", []string{"ax", "-x"}, []string{"bx"}},
	{`\*x`, []string{"*x"}, []string{"ax"}},
	{`\!x`, []string{"!x"}, []string{"x"}},
	{`\#x`, []string{"#x"}, []string{"x"}},
	{"a*b*c", []string{"abc", "axbyc", "abbbcc"}, []string{"ab", "acb", "abcd"}},
	{"*", []string{"a", "x/a"}, nil},
	{"*a*a*a*a*a*a*a*b", []string{strings.Repeat("a", 60) + "b"}, []string{strings.Repeat("a", 60)}},
}

func TestPatterns(t *testing.T) {
	for _, tt := range patterns {
		for i, paths := range [][]string{tt.match, tt.other} {
			for _, path := range paths {
				name, isDir := strings.CutSuffix(path, "/")
				got, known := project.Excludes(project.Patterns([]byte(tt.pattern+"\n")), name, isDir)
				if want := i == 0; got != want || known != want {
					t.Errorf("%q leaves out %q: %v, want %v", tt.pattern, path, got, want)
				}
			}
		}
	}
}

// TestPatternsAgreeWithGit asks git check-ignore.
func TestPatternsAgreeWithGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip(err)
	}
	for _, tt := range patterns {
		dir := t.TempDir()
		run := func(args ...string) (string, error) {
			c := exec.Command(git, args...)
			c.Dir, c.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
			out, err := c.Output()
			return string(out), err
		}
		if _, err := run("init", "-q"); err != nil {
			t.Skip(err)
		}
		if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(tt.pattern+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		for i, paths := range [][]string{tt.match, tt.other} {
			for _, path := range paths {
				out, _ := run("check-ignore", "--no-index", "-v", "-n", "--", path)
				isOwn := strings.HasPrefix(out, ".gitignore:")
				if want := i == 0; isOwn != want {
					t.Errorf("git: %q leaves out %q: %v (%s)", tt.pattern, path, isOwn, out)
				}
			}
		}
	}
}

func TestLastPatternDecides(t *testing.T) {
	list := project.Patterns([]byte("# models\n*.onnx\n!keep.onnx\n\n/keep.onnx   \n"))
	for path, want := range map[string]bool{"a.onnx": true, "x/keep.onnx": false, "keep.onnx": true} {
		if got, known := project.Excludes(list, path, false); got != want || !known {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	if _, known := project.Excludes(list, "a.npy", false); known {
		t.Error("no pattern is about a.npy")
	}
}

// TestMark has the mark of UTF-8, which Git does not take for a part of the first line.
func TestMark(t *testing.T) {
	if excluded, _ := project.Excludes(project.Patterns([]byte("\xEF\xBB\xBF*.npy\n")), "a.npy", false); !excluded {
		t.Error("the first pattern after a mark does not hold")
	}
}

func TestBadPatterns(t *testing.T) {
	for _, text := range []string{"", "/", "!", "a//b", "../x", "./x", "a/../b"} {
		if _, err := project.ParsePattern(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
