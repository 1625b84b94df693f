package main

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// Twelve bytes, and how they follow one another when the channels of a 1x3x2x2 image become the
// innermost axis.
const (
	planes = "ABCDEFGHIJKL"
	pixels = "AEIBFJCGKDHL"

	toPixels = "1x3x2x2 NCHW NHWC -t u8 "
)

// needUnix skips a test of what only Unix has.
func needUnix(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no shell, no signals here")
	}
}

// mover is a process that moves data. It is run in a directory, whose paths are then always the same.
func mover(t *testing.T, dir, args string) *exec.Cmd {
	t.Helper()
	c := program(t, append([]string{"convert"}, strings.Fields(args)...)...)
	c.Dir = dir
	return c
}

// under has a shell do something before it becomes the program.
func under(t *testing.T, script string, c *exec.Cmd) *exec.Cmd {
	t.Helper()
	needUnix(t)
	shell := exec.Command("sh", append([]string{"-c", script + `; exec "$0" "$@"`, c.Path}, c.Args[1:]...)...)
	shell.Dir, shell.Env, shell.Stdin = c.Dir, c.Env, c.Stdin
	return shell
}

// ended runs a process, and returns its exit code and what it said.
func ended(t *testing.T, c *exec.Cmd) (code int, out, stderr string) {
	t.Helper()
	var o, e strings.Builder
	c.Stderr = &e
	if c.Stdout == nil {
		c.Stdout = &o
	}
	return exitCode(t, c.Run()), o.String(), e.String()
}

// snapshot is all that is in a directory: the contents of files, and of large ones the size, where
// links lead, and the rights.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		text := fmt.Sprint(info.Size())
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			text, err = os.Readlink(path)
		case info.Mode().IsRegular() && info.Size() < 1<<20:
			var data []byte
			data, err = os.ReadFile(path)
			text = string(data)
		case info.IsDir():
			text = ""
		}
		all[name] = info.Mode().String() + " " + text
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// wantUntouched checks that a directory is as it was.
func wantUntouched(t *testing.T, reason, dir string, before map[string]string) {
	t.Helper()
	if after := snapshot(t, dir); !maps.Equal(before, after) {
		t.Errorf("%s: the directory had %q and has %q", reason, before, after)
	}
}

// tree makes a directory of small files, and of links.
func tree(t *testing.T, files, links map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip("no links here: ", err)
		}
	}
	return dir
}

// TestDataPlaces reads and writes where that is odd, or refused. What is no new file stays as it is.
func TestDataPlaces(t *testing.T) {
	needUnix(t)
	files := map[string]string{"a": planes, "old": "old", "sub/b": "b", "real/deep/c": "c"}
	links := map[string]string{
		"to-a": "a", "to-old": "old", "to-sub": "real/deep", "to-to-old": "to-old",
		"gone": "new", "sub/up": "../new", "chain": "chain2", "chain2": "sub/chain3", "sub/chain3": "../new",
		"real/deep/up": "../new", "loop": "loop", "ping": "pong", "pong": "ping", "astray": "none/new",
	}
	tests := []struct {
		args   string
		want   int
		fresh  string // the file that is new, or has new contents
		reason string
	}{
		{"--in a --out new", 0, "new", "a new file"},
		{"--in ./a --out sub/new", 0, "sub/new", "in another directory"},
		{"--in a --out old", 2, "", "a file is there"},
		{"--in a --out old --force", 0, "old", "it is replaced"},
		{"--in a --out a", 2, "", "the source is there"},
		{"--in a --out a --force", 0, "a", "the source is replaced"},
		{"--in a --out ./sub/../a --force --verify", 0, "a", "by another path, and verified"},
		{"--in a --out to-a --force", 0, "a", "by a link"},
		{"--in to-a --out a --force", 0, "a", "the source is a link"},
		{"--in a --out to-old", 2, "", "a link to a file that is there"},
		{"--in a --out to-old --force", 0, "old", "the link stays"},
		{"--in a --out to-to-old --force", 0, "old", "both links stay"},
		{"--in a --out to-sub/new", 0, "real/deep/new", "a linked directory"},
		{"--in a --out gone", 0, "new", "the link leads to what is not there yet"},
		{"--in a --out sub/up", 0, "new", "so does one from another directory"},
		{"--in a --out chain", 0, "new", "and one over others"},
		{"--in a --out to-sub/up", 0, "real/new", "and one in a linked directory, whose parent is another"},
		{"--in a --out loop", 3, "", "a link to itself"},
		{"--in a --out ping --force", 3, "", "links in a circle"},
		{"--in a --out astray", 3, "", "a link to no directory"},
		{"--in a --out sub", 3, "", "a directory"},
		{"--in a --out sub --force", 3, "", "a directory"},
		{"--in a --out new/", 3, "", "no directory"},
		{"--in a --out none/new", 3, "", "no directory"},
		{"--in a --out old/new --force", 3, "", "a path through a file"},
		{"--in none --out new", 2, "", "no source"},
		{"--in sub --out new", 2, "", "a directory as the source"},
		{"--in loop --out new", 2, "", "no source"},
		{"--in old --out new", 2, "", "a source that is too short"},
		{"--in a --out none/new.npy", 3, "", "a header does not help"},
	}
	for _, tt := range tests {
		dir := tree(t, files, links)
		want := snapshot(t, dir)
		code, out, stderr := ended(t, mover(t, dir, toPixels+tt.args))
		if code != tt.want || out != "" || strings.Count(stderr, "\n") < 1 || strings.Count(stderr, "\n") > 2 {
			t.Errorf("%s exits %d, want %d: %s\n%s%s", tt.args, code, tt.want, tt.reason, out, stderr)
		}
		wantPlain(t, stderr)
		if tt.fresh != "" {
			want[tt.fresh] = want["a"][:len("-rw-rw-rw- ")] + pixels
		}
		wantUntouched(t, tt.args+": "+tt.reason, dir, want)
	}
}

// wantPlain checks that a message is none of Go's, which name a system call and the path.
func wantPlain(t *testing.T, stderr string) {
	t.Helper()
	if found := regexp.MustCompile(`: [a-z]+ [^ :]+: |EOF|goroutine|panic`).FindString(stderr); found != "" && !strings.HasPrefix(found, ": cannot write ") {
		t.Errorf("says %q in %q", found, stderr)
	}
}

// TestDataRights gives a new file the rights of any new file, and keeps those of an old one.
func TestDataRights(t *testing.T) {
	for _, tt := range []struct {
		umask  string
		old    fs.FileMode // 0: there is none
		want   fs.FileMode
		reason string
	}{
		{"022", 0, 0o644, "as usual"},
		{"027", 0, 0o640, "nothing for others"},
		{"077", 0, 0o600, "nothing for anybody"},
		{"077", 0o664, 0o664, "more than new files have"},
		{"022", 0o600, 0o600, "less than new files have"},
		{"022", 0o755, 0o755, "odd"},
		{"022", 0o444, 0o444, "to be replaced, a file need not be writable"},
	} {
		dir := tree(t, map[string]string{"a": planes}, nil)
		path := filepath.Join(dir, "y")
		if tt.old != 0 {
			if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, tt.old); err != nil {
				t.Fatal(err)
			}
		}
		code, _, stderr := ended(t, under(t, "umask "+tt.umask, mover(t, dir, toPixels+"--in a --out y --force")))
		info, err := os.Stat(path)
		if code != 0 || err != nil || info.Mode() != tt.want {
			t.Errorf("umask %s, %v before: exits %d, %v %v, want %v: %s\n%s", tt.umask, tt.old, code, info.Mode(), err, tt.want, tt.reason, stderr)
		}
	}
}

// TestDataStreams moves data through pipes, and from where a file has been read up to.
func TestDataStreams(t *testing.T) {
	dir := tree(t, map[string]string{"a": planes, "headed": "HEAD" + planes}, nil)
	for _, tt := range []struct {
		args   string
		in     io.Reader
		file   string // redirected to standard input
		from   int64
		reason string
	}{
		{"--in a --out -", nil, "", 0, "to standard output"},
		{"--in - --out -", strings.NewReader(planes), "", 0, "from a pipe"},
		{"--in - --out - --skip 4", strings.NewReader("HEAD" + planes), "", 0, "the start of which is skipped"},
		{"--in - --out -", nil, "a", 0, "from a redirected file"},
		{"--in - --out -", nil, "headed", 4, "which has been read up to there"},
		{"--in - --out - --skip 2", nil, "headed", 2, "and is skipped further"},
	} {
		c := mover(t, dir, toPixels+"-q "+tt.args)
		c.Stdin = tt.in
		if tt.file != "" {
			file, err := os.Open(filepath.Join(dir, tt.file))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			if _, err := file.Seek(tt.from, io.SeekStart); err != nil {
				t.Fatal(err)
			}
			c.Stdin = file
		}
		if code, out, stderr := ended(t, c); code != 0 || out != pixels || stderr != "" {
			t.Errorf("%s exits %d, writes %q and says %q: %s", tt.args, code, out, stderr, tt.reason)
		}
	}
}
