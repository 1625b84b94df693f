package cmd_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"

	"layoutcalc/cmd"
)

func TestExitCodes(t *testing.T) {
	tests := []struct {
		line   string
		want   int
		reason string
	}{
		{"strides 2x3", 0, "an answer"},
		{"offset 2x3 1,0", 0, "an answer"},
		{"offset 2x3 --at 3", 0, "an element lives there"},
		{"offset 2x3 --at 3,4", 0, "at both"},
		{"offset 3 --strides -1 --at -2", 0, "before the base too"},
		{"offset 2x3 --pitch H=5 --at 4", 1, "padding: the answer is no"},
		{"offset 2x3 --at 6", 1, "outside: the answer is no"},
		{"offset 2x3 --at 5,6", 1, "one of two is no"},
		{"offset 2x3 --at 6 -o json", 1, "in every form"},
		{"offset 2x3 --at 6 --get results.0.count", 1, "in every form"},
		{"offset 0x3 --at 0", 1, "nothing lives in an empty tensor"},
		{"offset 2x3 --range 4:9 -o csv", 0, "a part of the storage may have no elements"},
		{"offset 2x3 - ", 0, "no questions, no wrong ones"},
		{"offset 2x3 --at -", 0, "no questions, no wrong ones"},
		{"offset 2x3 --at 6x", 2, "no offset"},
	}
	for _, tt := range tests {
		if r := run(t, tt.line); r.code != tt.want {
			t.Errorf("%s exits %d, want %d: %s\n%s", tt.line, r.code, tt.want, tt.reason, r.stderr)
		}
	}
}

// A refusing writer takes so many bytes and then gives its error.
type refusing struct {
	left int
	err  error
}

func (w *refusing) Write(b []byte) (int, error) {
	n := min(len(b), w.left)
	w.left -= n
	if n < len(b) {
		return n, w.err
	}
	return n, nil
}

// TestFullDisk has everything that is written fail: exit 3, and a word of why.
func TestFullDisk(t *testing.T) {
	lines := []string{"", "--help", "help size", "size --help", "--version", "version", "version -o json"}
	for _, shell := range strings.Fields("bash zsh fish powershell") {
		lines = append(lines, "completion "+shell)
	}
	for _, command := range []string{"strides 2x3", "size 2x3", "offset 2x3", "convert 2x3 HW WH", "view 2x3 flip(0)", "compare 2x3 HW WH"} {
		for _, form := range strings.Fields("table plain json csv markdown") {
			lines = append(lines, command+" -o "+form)
		}
		lines = append(lines, command+" --get command")
	}
	lines = append(lines, "offset 2x3 1,1", "offset 2x3 --at 1", "offset 2x3 --at 9", "offset 50x50 --all", "offset 2x3 --range 0:3", "offset 1000x1000 --all -o csv")
	for _, line := range lines {
		var stderr bytes.Buffer
		code := cmd.Run(strings.Fields(line), cmd.Streams{In: strings.NewReader(""), Out: &refusing{0, syscall.ENOSPC}, Err: &stderr, Env: noEnv})
		if code != 3 || stderr.String() != "layoutcalc: cannot write the output: "+syscall.ENOSPC.Error()+"\n" {
			t.Errorf("%q exits %d and says %q", line, code, stderr.String())
		}
	}
}

func noEnv(string) string { return "" }

// TestWriteErrors tells those that are the reader's wish from the others.
func TestWriteErrors(t *testing.T) {
	tests := []struct {
		err    error
		code   int
		says   string
		reason string
	}{
		{syscall.EPIPE, 0, "", "the reader has what it wanted"},
		{&wrapped{syscall.EPIPE}, 0, "", "as an *os.File says it"},
		{syscall.EIO, 3, "layoutcalc: cannot write the output: " + syscall.EIO.Error() + "\n", "a broken disk"},
		{errors.New("write /dev/stdout: strconv"), 3, "layoutcalc: cannot write the output\n", "nothing that a user understands"},
	}
	for _, tt := range tests {
		for _, line := range []string{"strides 2x3", "offset 1000x1000 --all", "offset 1000x1000 --all -o json", "--help", "completion bash", "--version"} {
			var stderr bytes.Buffer
			code := cmd.Run(strings.Fields(line), cmd.Streams{In: strings.NewReader(""), Out: &refusing{5, tt.err}, Err: &stderr, Env: noEnv})
			if code != tt.code || stderr.String() != tt.says {
				t.Errorf("%s with %v exits %d and says %q: %s", line, tt.err, code, stderr.String(), tt.reason)
			}
		}
	}
}

type wrapped struct{ err error }

func (w *wrapped) Error() string { return "write |1: " + w.err.Error() }
func (w *wrapped) Unwrap() error { return w.err }

// TestDeafEnd loses a message that nobody hears, but not the exit code.
func TestDeafEnd(t *testing.T) {
	deaf := &refusing{0, syscall.EIO}
	for _, line := range []string{"strides", "strides 2xq", "nonsense"} {
		if code := cmd.Run(strings.Fields(line), cmd.Streams{In: strings.NewReader(""), Out: io.Discard, Err: deaf, Env: noEnv}); code != 2 {
			t.Errorf("%s exits %d", line, code)
		}
	}
}

// A broken stream panics when it is used.
type broken struct{}

func (broken) Read([]byte) (int, error)  { panic("broken reader") }
func (broken) Write([]byte) (int, error) { panic("broken writer") }

// TestPanics turns a fault of the program's into exit code 3 and a line.
func TestPanics(t *testing.T) {
	for _, tt := range []struct {
		line string
		in   io.Reader
		out  io.Writer
		says string
	}{
		{"strides 2x3", strings.NewReader(""), broken{}, "broken writer"},
		{"--help", strings.NewReader(""), broken{}, "broken writer"},
		{"completion bash", strings.NewReader(""), broken{}, "broken writer"},
		{"offset 2x3 -", broken{}, io.Discard, "broken reader"},
		{"offset 2x3 --at -", broken{}, io.Discard, "broken reader"},
	} {
		var stderr bytes.Buffer
		code := cmd.Run(strings.Fields(tt.line), cmd.Streams{In: tt.in, Out: tt.out, Err: &stderr, Env: noEnv})
		got := stderr.String()
		if code != 3 || !strings.HasPrefix(got, "layoutcalc: internal fault: "+tt.says) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s exits %d and says %q", tt.line, code, got)
		}
	}
}
