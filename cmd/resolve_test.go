package cmd_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"layoutcalc/cmd"
	"layoutcalc/cmd/cmdtest"
)

// A closed stream fails a test that reads it.
type closed struct{ t *testing.T }

func (c closed) Read([]byte) (int, error) {
	c.t.Error("standard input is read")
	return 0, errors.New("closed")
}

// hintsIn runs a command line in a directory, and returns the command lines in its hints, joined by a bar. Its standard
// input must not be read.
func hintsIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	var out, stderr bytes.Buffer
	code := cmd.Run(args, cmd.Streams{In: closed{t}, Out: &out, Err: &stderr, Env: noEnv, Dir: dir})
	if code != 2 || out.Len() > 0 {
		t.Errorf("%q exits %d: %s%s", args, code, out.String(), stderr.String())
	}
	return strings.ReplaceAll(strings.Join(cmdtest.Proposals(stderr.String()), "|"), "layoutcalc ", "")
}

// TestResolve checks that the command lines in hints run, and that computing them has no effects: files stay the same,
// and standard input is not read. A line of the table has the words of a call, and the proposed command lines.
func TestResolve(t *testing.T) {
	dir := t.TempDir()
	header := "\x93NUMPY\x01\x00\x76\x00" + "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 2, 2), }"
	header += strings.Repeat(" ", 127-len(header)) + "\n"
	files := map[string]string{
		"a.npy": header + strings.Repeat("\x00", 32), "raw.bin": strings.Repeat("\x00", 24), "shapes.txt": "2x3\n",
		"long.txt": "2x3" + strings.Repeat(" ", 2<<20), "mine.svg": "mine",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const none = ""
	tests := []struct{ line, want, reason string }{
		{"strids 2x3", "strides 2x3", "a command line that runs"},
		{"strids 2xq", none, "a shape that does not"},
		{"strids 2x3 NHWC", none, "a layout of another rank"},
		{"strids -", "strides -", "standard input could be a tensor"},
		{"strids - --pich H=4", "strides - --pitch H=4", "the flags are parsed before standard input is read"},
		{"strids @shapes.txt", "strides @shapes.txt", "a file that can be read"},
		{"strids @none.txt", none, "no such file"},
		{"strids @long.txt", "strides @long.txt", "a long file"},
		{"chek a.npy", "check a.npy", "a file to check"},
		{"chek a.npy none.json", none, "one of two files is missing"},
		{"chek none.json", none, "no file to check"},
		{"chek 2x3 --strides 3,1", "check 2x3 --strides 3,1", "a tensor to check"},
		{"chek 2x3 --strides 3,1,1", none, "no tensor to check"},
		{"strids 2x3 --svg new.svg", "strides 2x3 --svg new.svg", "a picture that is not drawn"},
		{"strids 2x3 --svg none/new.svg", none, "no directory for the picture"},
		{"strids 2x3 --svg a.npy", none, "a picture in place of data"},
		{"strids 2x3 --svg mine.svg --force", none, "a command line that replaces a file"},
		{"convrt --in a.npy --to HWCN --out b.npy", "convert --in a.npy --to HWCN --out b.npy", "data is not moved"},
		{"convrt --in a.npy --to HWC --out b.npy", none, "a layout of another rank than the data"},
		{"convrt 2x3 HW WH --in raw.bin --out b.bin", "convert 2x3 HW WH --in raw.bin --out b.bin", "raw data"},
		{"convrt 2x5 HW WH --in raw.bin --out b.bin", none, "too few bytes"},
		{"convrt 2x3 HW WH --in raw.bin --out a.npy", none, "a file that exists"},
		{"convrt 2x3 HW WH --in - --out -", "convert 2x3 HW WH --in - --out -", "data on standard input"},
		{"convert 2x3 HW WH --in raw.bin -o b.bin", "convert 2x3 HW WH --in raw.bin --out b.bin", "a file to move to"},
		{"convert a.npy NCHW NHWC", none, "nobody moves data"},
		{"convert a.npy NCHW NHWC --in a.npy --out b.npy", none, "the data is named twice"},
		{
			"convert 1,3,224,224 --strides 150528,1,672,3 --to dml",
			"strides 1,3,224,224 --strides 150528,1,672,3 --as dml", "a notation",
		},
		{"strides 4096x4096 -t q4_0", "size 4096x4096 -t q4_0", "another command"},
		{"explain cutee", "explain cute", "a topic"},
		{"mann --dir .", "man --dir .", "pages that are not written"},
		{"strides shape=(2,3),sizes=abc", none, "the word that is given"},
	}
	for _, tt := range tests {
		if got := hintsIn(t, dir, strings.Fields(tt.line)...); got != tt.want {
			t.Errorf("%s: proposes %q, want %q: %s", tt.line, got, tt.want, tt.reason)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(files) {
		t.Errorf("%v, %v: a hint has written a file", entries, err)
	}
	for name, text := range files {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != text {
			t.Errorf("%s has changed: %v", name, err)
		}
	}
}

// TestResolveLines checks that the lines that hints of a batch propose run in the batch, and that the lines after them
// have their own flags.
func TestResolveLines(t *testing.T) {
	dir := t.TempDir()
	const lines = `2x3 --pich H=4
2x3 --pad W=1 -t flaot32
2x3 --json
@x.txt --pich H=4
2x3
`
	if err := os.WriteFile(filepath.Join(dir, "lines"), []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, stderr bytes.Buffer
	args := []string{"strides", "--batch", "lines"}
	code := cmd.Run(args, cmd.Streams{In: closed{t}, Out: &out, Err: &stderr, Env: noEnv, Dir: dir})
	var hints []string
	for line := range strings.Lines(stderr.String()) {
		if hint, ok := strings.CutPrefix(line, "hint: "); ok {
			hints = append(hints, strings.TrimSpace(hint))
		}
	}
	want := []string{
		"write 2x3 --pitch H=4", "write 2x3 --pad W=1 -t float32", "give it beside --batch, and remove it here",
		"did you mean --pitch?",
	}
	if code != 2 || out.String() != "\n\n\n\n3,1\n" || !slices.Equal(hints, want) {
		t.Errorf("exits %d, answers %q and proposes %q, want %q", code, out.String(), hints, want)
	}
}

// TestResolveIsBounded has hints whose command lines take long, or are long themselves.
func TestResolveIsBounded(t *testing.T) {
	dir, start := t.TempDir(), time.Now()
	for _, line := range []string{
		"compar 1048576x1048576 HW HW --infer-swizzle", "acess 1048576x1048576 --loops 0,1 --cache-lines 8",
		"ofset 1048576x1048576 --all", "strids " + strings.Repeat("1x", 100000) + "1",
		"conver 1048576x1048576 HW WH --moves",
		"compar 1048576x1048576 HW HW --swizzle 3,3,3", "strids 4096x4096 --svg x.svg --cells 16777216",
	} {
		hintsIn(t, dir, strings.Fields(line)...)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("hints took %v", took)
	}
}
