package processtest

import (
	"encoding/binary"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sparse makes a file of size zeros that takes no room on the disk.
func sparse(t *testing.T, path string, size int64) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, size); err != nil {
		t.Skip("no large files here: ", err)
	}
}

// zeros reads as n zeros.
func zeros(n int64) io.Reader { return io.LimitReader(zero{}, n) }

type zero struct{}

// Read fills b with zeros.
func (zero) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// TestDataFaults has the target fail: exit 3, a word of why, and everything is as it was.
func TestDataFaults(t *testing.T) {
	needUnix(t)
	const square = "1024x1024 HW WH -t u8 "
	for _, tt := range []struct {
		script, args string
		in           int64 // how many zeros there are in a pipe
		says, reason string
	}{
		{
			script: "ulimit -f 8", args: square + "--in mega --out old --force",
			says: "cannot write old: file too large", reason: "the limit of file sizes",
		},
		{
			script: "ulimit -f 8", args: square + "--in mega --out new.npy",
			says: "cannot write new.npy: file too large", reason: "the same for a new file",
		},
		{
			script: "ulimit -f 8; exec >new", args: square + "--in mega --out -",
			says: "cannot write the output: file too large", reason: "the same for standard output",
		},
		{
			script: "ulimit -f 8; TMPDIR=tmp; export TMPDIR", args: "70000000 W W -t u8 --in - --out /dev/null",
			in: 70_000_000, says: "temporary file for standard input: file too large",
			reason: "the same for what a pipe is kept in",
		},
		{
			script: "TMPDIR=none; export TMPDIR", args: "70000000 W W -t u8 --in - --out old --force", in: 70_000_000,
			says: "temporary file for standard input: no such file or directory", reason: "no directory for that",
		},
		{
			script: "test -c /dev/full || exit 3", args: square + "--in mega --out /dev/full",
			says: "cannot write /dev/full: no space left", reason: "a full disk",
		},
		{
			script: "test -c /dev/full || exit 3; exec >/dev/full", args: square + "--in mega --out -",
			says: "cannot write the output: no space left", reason: "standard output on a full disk",
		},
		{
			script: "test -c /dev/full || exit 3; exec >/dev/full", args: toPixels + "--in a --out -",
			says: "cannot write the output: no space left", reason: "at the end of little",
		},
	} {
		dir := tree(t, map[string]string{"a": planes, "old": "old", "tmp/x": ""}, nil)
		sparse(t, filepath.Join(dir, "mega"), 1<<20)
		before := snapshot(t, dir)
		c := under(t, tt.script, mover(t, dir, tt.args))
		if tt.in > 0 {
			c.Stdin = zeros(tt.in)
		}
		code, out, stderr := ended(t, c)
		os.Remove(filepath.Join(dir, "new"))
		if code != 3 || out != "" || !strings.Contains(stderr, tt.says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s; %s exits %d and says %q: %s", tt.script, tt.args, code, stderr, tt.reason)
		}
		wantPlain(t, stderr)
		wantUntouched(t, tt.reason, dir, before)
	}
}

// TestDataFullDisk fills a small file system of its own; a file with holes has room there.
func TestDataFullDisk(t *testing.T) {
	needUnix(t)
	dir := tree(t, map[string]string{"disk/x": "", "full": strings.Repeat("x", 1<<20)}, nil)
	sparse(t, filepath.Join(dir, "holes"), 1<<20)
	const mount = "mount -t tmpfs -o size=256k none disk"
	unshared := func(script string, args ...string) *exec.Cmd {
		c := exec.Command("unshare", append([]string{"-rm", "sh", "-c", script}, args...)...)
		c.Dir = dir
		return c
	}
	if unshared(mount).Run() != nil {
		t.Skip("no file system of its own to be had here")
	}
	move := func(source, show string) (code int, out, stderr string) {
		like := mover(t, dir, "1024x1024 HW WH -t u8 --in "+source+" --out disk/old --force")
		script := mount + ` && printf old >disk/old && "$0" "$@"; code=$?; ls -A disk; ` + show + `; exit $code`
		c := unshared(script, append([]string{like.Path}, like.Args[1:]...)...)
		c.Env = like.Env
		return ended(t, c)
	}
	code, out, stderr := move("full", "cat disk/old")
	if code != 3 || out != "old\nold" || stderr != "layoutcalc: cannot write disk/old: no space left on device\n" {
		t.Errorf("exits %d, leaves %.100q and says %q", code, out, stderr)
	}
	code, out, stderr = move("holes", "wc -c <disk/old")
	if code != 0 || out != "old\n1048576\n" {
		t.Errorf("holes: exits %d, leaves %.100q and says %q", code, out, stderr)
	}
}

// TestDataReadOnly has no permission to write, or to read.
func TestDataReadOnly(t *testing.T) {
	needUnix(t)
	if os.Geteuid() == 0 {
		t.Skip("root may do all")
	}
	dir := tree(t, map[string]string{"a": planes, "locked/old": "old", "secret": planes}, nil)
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "locked"), 0o777) })
	for path, mode := range map[string]fs.FileMode{"locked": 0o555, "secret": 0} {
		if err := os.Chmod(filepath.Join(dir, path), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		args string
		want int
		says string
	}{
		{"--in a --out locked/new", 3, "cannot write locked/new: permission denied\n"},
		{"--in a --out locked/old --force", 3, "cannot write locked/old: permission denied\n"},
		{"--in secret --out new", 2, "secret: there is no permission to read it"},
	} {
		code, _, stderr := ended(t, mover(t, dir, toPixels+tt.args))
		if code != tt.want || !strings.Contains(stderr, tt.says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s exits %d and says %q", tt.args, code, stderr)
		}
		if left, err := filepath.Glob(filepath.Join(dir, "*", ".*.layoutcalc-*")); err != nil || left != nil {
			t.Errorf("%s leaves %q, %v", tt.args, left, err)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	mode := snapshot(t, dir)["a"][:len("-rw-rw-rw- ")]
	locked := map[string]string{".": "dr-xr-xr-x ", "old": mode + "old"}
	wantUntouched(t, "no permission", filepath.Join(dir, "locked"), locked)
}

// TestDataShrinks cuts the source while it is read.
func TestDataShrinks(t *testing.T) {
	r := begin(t, "", "--in large --out old --force", nil)
	if err := os.Truncate(filepath.Join(r.dir, "large"), 1000); err != nil {
		t.Fatal(err)
	}
	r.before["large"] = r.before["a"][:len("-rw-rw-rw- ")] + strings.Repeat("\x00", 1000)
	r.wantEnd(t, 2, regexp.MustCompile(
		`^layoutcalc: large: the data ends at byte \d+, and 4294967296 are needed: it shrinks while it is read\n$`))
}

// TestDataChanges writes into the source while it is read: the result that is read back differs from it.
func TestDataChanges(t *testing.T) {
	dir := tree(t, map[string]string{"old": "old"}, nil)
	sparse(t, filepath.Join(dir, "source"), 64<<20)
	before := snapshot(t, dir)
	c := mover(t, dir, "8192x8192 HW WH -t u8 --in source --out old --force --verify")
	var stderr strings.Builder
	c.Stderr = &stderr
	source, err := os.OpenFile(filepath.Join(dir, "source"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	for n := uint64(1); ; n++ {
		select {
		case err := <-done:
			const want = "old: the result, read back, differs from the source"
			if code := exitCode(t, err); code != 3 || !strings.Contains(stderr.String(), want) {
				t.Errorf("exits %d and says %q", code, stderr.String())
			}
			wantUntouched(t, "another source", dir, before)
			return
		default:
			if _, err := source.WriteAt(binary.BigEndian.AppendUint64(nil, n), 0); err != nil {
				t.Fatal(err)
			}
		}
	}
}
