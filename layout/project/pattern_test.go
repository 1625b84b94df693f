package project_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/project"
)

// patterns are the rules of gitignore(5) for each form, and Git's behavior if the page does not state it.
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
	{"a/**/**/b/**/**", []string{"a/b/c", "a/x/b/c/d"}, []string{"a/b", "b/c"}},
	{"**/a/*/c", []string{"a/b/c", "x/a/a/b/c", "a/a/c"}, []string{"a/c", "b/c"}},
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

// excludes reports whether a .gitignore with the given content excludes a path.
func excludes(text, path string, isDir bool) (excluded, known bool) {
	list := project.NewList(project.Patterns([]byte(text)))
	return list.Excludes(path, isDir, new(project.Work))
}

func TestPatterns(t *testing.T) {
	for _, tt := range patterns {
		for i, paths := range [][]string{tt.match, tt.other} {
			for _, path := range paths {
				name, isDir := strings.CutSuffix(path, "/")
				got, known := excludes(tt.pattern+"\n", name, isDir)
				if want := i == 0; got != want || known != want {
					t.Errorf("%q leaves out %q: %v, want %v", tt.pattern, path, got, want)
				}
			}
		}
	}
}

// TestPatternsAgreeWithGit compares the results with git check-ignore.
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
	const text = "# models\n*.onnx\n!keep.onnx\n\n/keep.onnx   \n"
	for path, want := range map[string]bool{"a.onnx": true, "x/keep.onnx": false, "keep.onnx": true} {
		if got, known := excludes(text, path, false); got != want || !known {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	if _, known := excludes(text, "a.npy", false); known {
		t.Error("no pattern is about a.npy")
	}
}

// TestMark has the mark of UTF-8, which Git does not take for a part of the first line.
func TestMark(t *testing.T) {
	if excluded, _ := excludes("\xEF\xBB\xBF*.npy\n", "a.npy", false); !excluded {
		t.Error("the first pattern after a mark does not hold")
	}
}

func TestBadPatterns(t *testing.T) {
	const most = 4096 // the documented limit
	long := strings.Repeat("a", most)
	for _, text := range []string{"", "/", "!", "a//b", "../x", "./x", "a/../b", long + "a"} {
		if _, err := project.ParsePattern(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
	if _, err := project.ParsePattern(long); err != nil {
		t.Errorf("a pattern of %d bytes: %v", most, err)
	}
}

// TestLastOfMany has literal names, paths and wildcards decide by their order alone.
func TestLastOfMany(t *testing.T) {
	for _, tt := range []struct {
		text, path  string
		isDir, want bool
	}{
		{"a\n!*\na", "a", false, true},
		{"a\n!a*\n", "a", false, false},
		{"!a*\na/\n", "a", true, true},
		{"!a*\na/\n", "a", false, false},
		{"x/a\n!a\n", "x/a", false, false},
		{"!a\nx/a\n", "x/a", false, true},
		{"*a\n!?a\n*a\n", "xa", false, true},
		{"*a\n!*a\n", "xa", false, false},
		{"a\n!a/\n", "a", true, false},
		{"a\n!a/\n", "a", false, true},
	} {
		if got, known := excludes(tt.text, tt.path, tt.isDir); got != tt.want || !known {
			t.Errorf("%q leaves out %s: %v, %v", tt.text, tt.path, got, known)
		}
	}
}

// TestWork counts the comparisons of patterns and paths of growing length.
func TestWork(t *testing.T) {
	for _, tt := range []struct {
		reason string
		text   func(n int) string
		path   func(n int) string
		most   int // at n = 1000
	}{
		{"n times **", func(n int) string { return strings.Repeat("**/", n) + "zz" },
			func(n int) string { return strings.Repeat("a/", n) + "x" }, 0},
		{"n times ** and a star", func(n int) string { return strings.Repeat("**/", n) + "z*" },
			func(n int) string { return strings.Repeat("a/", n) + "x" }, 1},
		{"n times ** between others", func(n int) string { return strings.Repeat("**/a/", n/2) + "z*" },
			func(n int) string { return strings.Repeat("a/", n) + "x" }, 3000},
		{"n times one line", func(n int) string { return strings.Repeat("a*b*c\n", n) },
			func(n int) string { return strings.Repeat("a/", n) + "x" }, 1},
		{"n names", func(n int) string {
			lines := make([]string, n)
			for i := range lines {
				lines[i] = "name" + strings.Repeat("x", i)
			}
			return strings.Join(lines, "\n")
		}, func(n int) string { return "y" + strings.Repeat("x", n) }, 0},
	} {
		const n = 1000
		list, work := project.NewList(project.Patterns([]byte(tt.text(n)))), project.Work{Paths: 1}
		list.Excludes(tt.path(n), false, &work)
		if work.Steps > tt.most {
			t.Errorf("%s: %d steps", tt.reason, work.Steps)
		}
	}
	long, work := project.NewList(project.Patterns([]byte("*x?y"))), project.Work{Paths: 1}
	if long.Excludes(strings.Repeat("x", 1000), false, &work); work.Steps < 1000 {
		t.Errorf("a long name takes %d steps", work.Steps)
	}
	for steps, done := range map[int]bool{11_000_000: false, 11_000_001: true} { // 1,000 for each path are more
		if work := (project.Work{Steps: steps, Paths: 1000}); work.Done() != done {
			t.Errorf("%d steps are too many: %t", steps, !done)
		}
	}
	list := project.NewList(project.Patterns([]byte("*x\nx\n")))
	for _, tt := range []struct {
		path  string
		known bool
	}{{"x", true}, {"xx", false}} {
		if _, known := list.Excludes(tt.path, false, &project.Work{Steps: 20_000_000}); known != tt.known {
			t.Errorf("%s, when all work is done: %v", tt.path, known)
		}
	}
}

// TestEnters has directories in which a pattern may match something, and others.
func TestEnters(t *testing.T) {
	for _, tt := range []struct {
		pattern string
		in      []string
		not     []string
	}{
		{"*.npy", []string{"", "a", "a/b"}, nil},
		{"/a", []string{""}, []string{"a", "x"}},
		{"a/b/c", []string{"", "a", "a/b"}, []string{"a/b/c", "a/b/c/d", "b", "a/c", "x/a"}},
		{"a/*/c", []string{"a", "a/x"}, []string{"a/x/c", "a/x/y", "b"}},
		{"a/**/c", []string{"a", "a/x", "a/x/y"}, []string{"b", "b/a"}},
		{"**/a/b", []string{"", "a", "x/y"}, nil},
	} {
		p, err := project.ParsePattern(tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range append(tt.in, tt.not...) {
			want := slices.Contains(tt.in, dir)
			if got := p.Enters(dir, new(project.Work)); got != want {
				t.Errorf("%s enters %q: %t", tt.pattern, dir, got)
			}
		}
	}
}
