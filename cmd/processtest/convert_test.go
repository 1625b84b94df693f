package processtest

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
	"syscall"
	"testing"
	"time"

	"layoutcalc/layout/layouttest"
)

// Twelve bytes, and how they follow one another when the channels of a 1x3x2x2 image become the
// innermost axis.
const (
	planes = "ABCDEFGHIJKL"
	pixels = "AEIBFJCGKDHL"

	toPixels = "1x3x2x2 NCHW NHWC -t u8 "
)

// needUnix skips a test of Unix features on other systems.
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

// ended runs a process, and returns its exit code and outputs.
func ended(t *testing.T, c *exec.Cmd) (code int, out, stderr string) {
	t.Helper()
	var o, e strings.Builder
	c.Stderr = &e
	if c.Stdout == nil {
		c.Stdout = &o
	}
	return exitCode(t, c.Run()), o.String(), e.String()
}

// snapshot is all that is in a directory: the contents of files, or the size of large ones, the targets of links, and
// the permissions.
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
		layouttest.Link(t, target, filepath.Join(dir, name))
	}
	return dir
}

// TestDataPlaces reads and writes at unusual paths, and at paths that are rejected, through links too. Other files must
// not change.
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
		{args: "--in a --out new", fresh: "new", reason: "a new file"},
		{args: "--in ./a --out sub/new", fresh: "sub/new", reason: "in another directory"},
		{args: "--in a --out old", want: 2, reason: "the file exists"},
		{args: "--in a --out old --force", fresh: "old", reason: "it is replaced"},
		{args: "--in a --out a", want: 2, reason: "the file exists, and is the source"},
		{args: "--in a --out a --force", fresh: "a", reason: "the source is replaced"},
		{args: "--in a --out ./sub/../a --force --verify", fresh: "a", reason: "by another path, and verified"},
		{args: "--in a --out to-a --force", fresh: "a", reason: "by a link"},
		{args: "--in to-a --out a --force", fresh: "a", reason: "the source is a link"},
		{args: "--in a --out to-old", want: 2, reason: "a link to a file that exists"},
		{args: "--in a --out to-old --force", fresh: "old", reason: "the link stays"},
		{args: "--in a --out to-to-old --force", fresh: "old", reason: "both links stay"},
		{args: "--in a --out to-sub/new", fresh: "real/deep/new", reason: "a linked directory"},
		{args: "--in a --out gone", fresh: "new", reason: "the link leads to what does not exist yet"},
		{args: "--in a --out sub/up", fresh: "new", reason: "so does one from another directory"},
		{args: "--in a --out chain", fresh: "new", reason: "and one over others"},
		{
			args: "--in a --out to-sub/up", fresh: "real/new",
			reason: "and one in a linked directory, whose parent is another",
		},
		{args: "--in a --out loop", want: 3, reason: "a link to itself"},
		{args: "--in a --out ping --force", want: 3, reason: "links in a circle"},
		{args: "--in a --out astray", want: 3, reason: "a link to no directory"},
		{args: "--in a --out sub", want: 3, reason: "a directory"},
		{args: "--in a --out sub --force", want: 3, reason: "a directory"},
		{args: "--in a --out new/", want: 3, reason: "no directory"},
		{args: "--in a --out none/new", want: 3, reason: "no directory"},
		{args: "--in a --out old/new --force", want: 3, reason: "a path through a file"},
		{args: "--in none --out new", want: 2, reason: "no source"},
		{args: "--in sub --out new", want: 2, reason: "a directory as the source"},
		{args: "--in loop --out new", want: 2, reason: "no source"},
		{args: "--in old --out new", want: 2, reason: "a source that is too short"},
		{args: "--in a --out none/new.npy", want: 3, reason: "a header does not help"},
	}
	for _, tt := range tests {
		dir := tree(t, files, links)
		want := snapshot(t, dir)
		code, out, stderr := ended(t, mover(t, dir, toPixels+"--follow "+tt.args))
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

// wantPlain checks that a message is not one of Go's, which name a system call and the path.
func wantPlain(t *testing.T, stderr string) {
	t.Helper()
	found := regexp.MustCompile(`: [a-z]+ [^ :]+: |EOF|goroutine|panic`).FindString(stderr)
	if found != "" && !strings.HasPrefix(found, ": cannot write ") {
		t.Errorf("says %q in %q", found, stderr)
	}
}

// TestDataPermissions gives a new file the permissions of any new file, and keeps those of an old one.
func TestDataPermissions(t *testing.T) {
	for _, tt := range []struct {
		umask  string
		old    fs.FileMode // 0: it does not exist
		want   fs.FileMode
		reason string
	}{
		{umask: "022", want: 0o644, reason: "as usual"},
		{umask: "027", want: 0o640, reason: "nothing for others"},
		{umask: "077", want: 0o600, reason: "nothing for others and the group"},
		{umask: "077", old: 0o664, want: 0o664, reason: "more than new files have"},
		{umask: "022", old: 0o600, want: 0o600, reason: "less than new files have"},
		{umask: "022", old: 0o755, want: 0o755, reason: "odd"},
		{umask: "022", old: 0o444, want: 0o444, reason: "to be replaced, a file need not be writable"},
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
			t.Errorf("umask %s, %v before: exits %d, %v %v, want %v: %s\n%s",
				tt.umask, tt.old, code, info.Mode(), err, tt.want, tt.reason, stderr)
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
		{args: "--in a --out -", reason: "to standard output"},
		{args: "--in - --out -", in: strings.NewReader(planes), reason: "from a pipe"},
		{
			args: "--in - --out - --skip 4", in: strings.NewReader("HEAD" + planes),
			reason: "the start of which is skipped",
		},
		{args: "--in - --out -", file: "a", reason: "from a redirected file"},
		{args: "--in - --out -", file: "headed", from: 4, reason: "which has been read up to there"},
		{args: "--in - --out - --skip 2", file: "headed", from: 2, reason: "and is skipped further"},
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

// TestDataLastLine checks the last line of a run, which summarizes the move, unless it is quiet.
func TestDataLastLine(t *testing.T) {
	needUnix(t)
	const pixels12 = `NCHW \(1,3,2,2\) to NHWC \(1,2,2,3\), uint8: `
	const end = ` in \d+\.\d{3} s: \d+\.\d{3} GB/s`
	dir := tree(t, map[string]string{"a": planes, "one": "x", "none": ""}, nil)
	sparse(t, filepath.Join(dir, "mega"), 1<<20)
	for _, tt := range []struct{ args, says, reason string }{
		{toPixels + "--in a --out y --force", pixels12 + "12 elements, 12 bytes\n", "a file"},
		{
			toPixels + "--in a --out y --force --verify", pixels12 + "12 elements, 12 bytes, verified\n",
			"that is read back",
		},
		{toPixels + "--in a --out -", pixels12 + "12 elements, 12 bytes\n", "standard output"},
		{
			"1x3x2x2 NCHW NCHW16c -t u8 --in a --out /dev/null",
			`NCHW \(1,3,2,2\) to NCHW16c \(1,1,2,2,16\), uint8: ` + "12 elements, 64 bytes\n",
			"padding takes bytes",
		},
		{
			"1 W W -t u8 --in one --out y --force", `W \(1\) to W \(1\), uint8: ` + "1 element, 1 byte\n",
			"one",
		},
		{
			"0x3 HW WH -t u8 --in none --out y --force",
			`HW \(0,3\) to WH \(3,0\), uint8: ` + "0 elements, 0 bytes\n", "none",
		},
		{
			"1024x512 HW WH -t f16 --in mega --out /dev/null",
			`HW \(1024,512\) to WH \(512,1024\), float16: 524,288 elements, 1,048,576 bytes \(1 MiB\)` + end + "\n",
			"many",
		},
		{toPixels + "--in a --out y --force -q", "", "quiet"},
		{toPixels + "--in a --out y --force --verify --quiet", "", "quiet, though verified"},
	} {
		says := regexp.MustCompile("^" + tt.says + "$")
		if code, _, stderr := ended(t, mover(t, dir, tt.args)); code != 0 || !says.MatchString(stderr) {
			t.Errorf("%s exits %d and says %q, want %q: %s", tt.args, code, stderr, tt.says, tt.reason)
		}
	}
}

// TestDataBar shows on a terminal, and nowhere else, how far a long run is. Ctrl-C ends the run and removes the bar.
func TestDataBar(t *testing.T) {
	if _, err := exec.LookPath("script"); err != nil {
		t.Skip("no terminal to be had here")
	}
	const slow = "--in large --out old --force --jobs 1 --memory 1K"
	const terminal = `exec script -qefc "exec '$0' $*" /dev/null >&2`
	for _, tt := range []struct{ flags, says, reason string }{
		{
			"", `^(\r\x1b\[K\[#*\.*\] +\d+ %(  (\d+\.\d{3} GB|\d+ kB)/s)?(  \d+ s left)?(\^C)?)+\r\x1b\[K(\^C)?$`,
			"a terminal",
		},
		{" -q", `^(\^C)?$`, "quiet"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			t.Parallel()
			in, keys := io.Pipe()
			r := begin(t, terminal, slow+tt.flags, in)
			time.Sleep(1400 * time.Millisecond)
			if _, err := keys.Write([]byte{3}); err != nil {
				t.Fatal(err)
			}
			keys.Close()
			r.wantEnd(t, 130, regexp.MustCompile(tt.says))
		})
	}
	t.Run("no terminal", func(t *testing.T) {
		t.Parallel()
		r := begin(t, "", slow, nil)
		time.Sleep(1400 * time.Millisecond)
		if err := r.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		r.wantEnd(t, 130, nothing)
	})
}
