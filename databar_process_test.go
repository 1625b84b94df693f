package main

import (
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"
)

// TestDataLastLine has a run say what it has done, unless it is to be quiet.
func TestDataLastLine(t *testing.T) {
	needUnix(t)
	const pixels12 = `NCHW \(1,3,2,2\) to NHWC \(1,2,2,3\), uint8: `
	const end = ` in \d+\.\d{3} s: \d+\.\d{3} GB/s`
	dir := tree(t, map[string]string{"a": planes, "one": "x", "none": ""}, nil)
	sparse(t, filepath.Join(dir, "mega"), 1<<20)
	for _, tt := range []struct{ args, says, reason string }{
		{toPixels + "--in a --out y --force", pixels12 + "12 elements, 12 bytes" + end + "\n", "a file"},
		{toPixels + "--in a --out y --force --verify", pixels12 + "12 elements, 12 bytes" + end + ", verified\n", "that is read back"},
		{toPixels + "--in a --out -", pixels12 + "12 elements, 12 bytes" + end + "\n", "standard output"},
		{"1x3x2x2 NCHW NCHW16c -t u8 --in a --out /dev/null", `NCHW \(1,3,2,2\) to NCHW16c \(1,1,2,2,16\), uint8: ` + "12 elements, 64 bytes" + end + "\n", "padding takes bytes"},
		{"1 W W -t u8 --in one --out y --force", `W \(1\) to W \(1\), uint8: ` + "1 element, 1 byte" + end + "\n", "one"},
		{"0x3 HW WH -t u8 --in none --out y --force", `HW \(0,3\) to WH \(3,0\), uint8: ` + "0 elements, 0 bytes" + end + "\n", "none"},
		{"1024x512 HW WH -t f16 --in mega --out /dev/null", `HW \(1024,512\) to WH \(512,1024\), float16: ` + "524,288 elements, 1,048,576 bytes" + end + "\n", "many"},
		{toPixels + "--in a --out y --force -q", "", "quiet"},
		{toPixels + "--in a --out y --force --verify --quiet", "", "quiet, though verified"},
	} {
		if code, _, stderr := ended(t, mover(t, dir, tt.args)); code != 0 || !regexp.MustCompile("^"+tt.says+"$").MatchString(stderr) {
			t.Errorf("%s exits %d and says %q, want %q: %s", tt.args, code, stderr, tt.says, tt.reason)
		}
	}
}

// TestDataBar shows on a terminal how far a long run is, and on nothing else. It ends when Ctrl-C is
// typed there, which wipes the bar out.
func TestDataBar(t *testing.T) {
	if _, err := exec.LookPath("script"); err != nil {
		t.Skip("no terminal to be had here")
	}
	const slow = "--in large --out old --force --jobs 1 --memory 1K"
	const terminal = `exec script -qefc "exec '$0' $*" /dev/null >&2`
	for _, tt := range []struct{ flags, says, reason string }{
		{"", `^(\r\x1b\[K\[#*\.*\] +\d+ %  \d+\.\d{3} GB/s(  \d+ s left)?(\^C)?)+\r\x1b\[K(\^C)?$`, "a terminal"},
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
