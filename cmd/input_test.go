package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestInput runs the program without arguments. It must read its standard input, or print its help if the input is
// empty. A pipe may be slow.
func TestInput(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) *os.File {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	pipe := func(text string, late time.Duration) *os.File {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		time.AfterFunc(late, func() {
			w.WriteString(text)
			w.Close()
		})
		return r
	}
	args := os.Args
	defer func() { os.Args = args }()
	os.Args = []string{"layoutcalc", "--unknown"} // cobra reads os.Args unless it is given arguments
	const help = "Calculate strides"
	for _, tt := range []struct {
		reason string
		in     *os.File
		want   string
	}{
		{"a file", file("shape", "2x3 WH\n"), "1,2\n"},
		{"an empty file", file("empty", ""), help},
		{"a pipe", pipe("2x3 WH\n", 0), "1,2\n"},
		{"a pipe that delivers late", pipe("2x3 WH\n", 1500*time.Millisecond), "1,2\n"},
		{"a pipe that is closed", pipe("", 0), help},
	} {
		var args []string
		if tt.want != help {
			args = []string{"-o", "plain"}
		}
		if r := runWith(tt.in, nil, args...); r.code != 0 || r.stderr != "" || !strings.HasPrefix(r.out, tt.want) {
			t.Errorf("%s: exit %d, %q, says %s", tt.reason, r.code, r.out, r.stderr)
		}
	}
}

// TestSurroundings has answers without noise where the terminal or the locale is a simple one.
func TestSurroundings(t *testing.T) {
	for _, env := range []string{"NO_COLOR=1", "TERM=dumb", "LC_ALL=C", "LC_ALL=", "TERM=", "COLUMNS=0"} {
		for _, args := range []string{"1x3x4x4 NHWC", "strides 2x3 --frobnicate", "--help"} {
			key, value, _ := strings.Cut(env, "=")
			r := runWith(nil, map[string]string{key: value}, strings.Fields(args)...)
			text := r.out + r.stderr
			isASCII := strings.IndexFunc(text, func(r rune) bool { return r > 0x7f }) < 0
			if strings.Contains(text, "\x1b") || text == "" || env == "LC_ALL=C" && !isASCII {
				t.Errorf("%s %s: %q", env, args, text)
			}
		}
	}
}
