package cmd_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"layoutcalc/cmd"
	"layoutcalc/layout/layouttest"
)

// A refusing writer accepts a number of bytes and then returns its error.
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
	for _, command := range []string{
		"strides 2x3", "size 2x3", "offset 2x3", "convert 2x3 HW WH", "view 2x3 flip(0)", "compare 2x3 HW WH",
	} {
		for _, form := range strings.Fields("table plain json csv markdown") {
			lines = append(lines, command+" -o "+form)
		}
		lines = append(lines, command+" --get command")
	}
	lines = append(
		lines, "offset 2x3 1,1", "offset 2x3 --at 1", "offset 2x3 --at 9", "offset 50x50 --all",
		"offset 2x3 --range 0:3", "offset 1000x1000 --all -o csv",
	)
	for _, line := range lines {
		var stderr bytes.Buffer
		code := cmd.Run(
			strings.Fields(line),
			cmd.Streams{In: strings.NewReader(""), Out: &refusing{0, syscall.ENOSPC}, Err: &stderr, Env: noEnv},
		)
		if code != 3 || worded(stderr.String()) != "layoutcalc: cannot write the output: "+syscall.ENOSPC.Error()+"\n" {
			t.Errorf("%q exits %d and says %q", line, code, stderr.String())
		}
	}
}

func noEnv(string) string { return "" }

// TestWriteErrors distinguishes errors that the reader of the output causes on purpose from others.
func TestWriteErrors(t *testing.T) {
	tests := []struct {
		err    error
		code   int
		says   string
		reason string
	}{
		{err: syscall.EPIPE, reason: "the reader has what it wanted"},
		{err: &wrapped{syscall.EPIPE}, reason: "as an *os.File says it"},
		{
			err: syscall.EIO, code: 3, says: "layoutcalc: cannot write the output: " + syscall.EIO.Error() + "\n",
			reason: "a broken disk",
		},
		{
			err: errors.New("write /dev/stdout: strconv"), code: 3, says: "layoutcalc: cannot write the output\n",
			reason: "not something that a user understands",
		},
	}
	for _, tt := range tests {
		for _, line := range []string{
			"strides 2x3", "offset 1000x1000 --all", "offset 1000x1000 --all -o json", "--help", "completion bash",
			"--version",
		} {
			var stderr bytes.Buffer
			code := cmd.Run(
				strings.Fields(line),
				cmd.Streams{In: strings.NewReader(""), Out: &refusing{5, tt.err}, Err: &stderr, Env: noEnv},
			)
			if code != tt.code || worded(stderr.String()) != tt.says {
				t.Errorf("%s with %v exits %d and says %q: %s", line, tt.err, code, stderr.String(), tt.reason)
			}
		}
	}
}

type wrapped struct{ err error }

func (w *wrapped) Error() string { return "write |1: " + w.err.Error() }
func (w *wrapped) Unwrap() error { return w.err }

// TestDeafEnd loses a message that cannot be written, but not the exit code.
func TestDeafEnd(t *testing.T) {
	deaf := &refusing{0, syscall.EIO}
	for _, line := range []string{"strides", "strides 2xq", "nonsense"} {
		streams := cmd.Streams{In: strings.NewReader(""), Out: io.Discard, Err: deaf, Env: noEnv}
		if code := cmd.Run(strings.Fields(line), streams); code != 2 {
			t.Errorf("%s exits %d", line, code)
		}
	}
}

// A broken stream panics when it is used.
type broken struct{}

func (broken) Read([]byte) (int, error)  { panic("broken reader") }
func (broken) Write([]byte) (int, error) { panic("broken writer") }

// TestPanics checks that a bug in the program gives exit code 3 and a one-line message.
func TestPanics(t *testing.T) {
	for _, tt := range []struct {
		line string
		in   io.Reader
		out  io.Writer
		says string
	}{
		{line: "strides 2x3", in: strings.NewReader(""), out: broken{}, says: "broken writer"},
		{line: "--help", in: strings.NewReader(""), out: broken{}, says: "broken writer"},
		{line: "completion bash", in: strings.NewReader(""), out: broken{}, says: "broken writer"},
		{line: "offset 2x3 -", in: broken{}, out: io.Discard, says: "broken reader"},
		{line: "offset 2x3 --at -", in: broken{}, out: io.Discard, says: "broken reader"},
	} {
		var stderr bytes.Buffer
		code := cmd.Run(strings.Fields(tt.line), cmd.Streams{In: tt.in, Out: tt.out, Err: &stderr, Env: noEnv})
		got := stderr.String()
		want := "layoutcalc: internal error: " + tt.says
		if code != 3 || !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s exits %d and says %q", tt.line, code, got)
		}
	}
}

// TestEveryFlagIsSuggested swaps two letters of each long flag, and leaves each letter out. What is suggested runs.
func TestEveryFlagIsSuggested(t *testing.T) {
	flags := map[string]string{
		"strides": "3,1", "storage-offset": "1", "order": "HW", "pitch": "H=5", "align": "H=4", "broadcast": "H",
		"rank": "3", "dtype": "f16", "output": "plain", "color": "never", "width": "80", "range": "0:3",
		"values": "index", "moves": "",
	}
	const shared = "storage-offset order pitch align broadcast rank dtype output color width"
	for command, own := range map[string]string{
		"strides 2x3": "strides " + shared, "size 2x3": "strides " + shared,
		"offset 2x3":        "range values strides " + shared,
		"convert 2x3 HW WH": "moves " + shared, "view 2x3 T": "strides " + shared, "compare 2x3 HW WH": shared,
		"version": "output color width",
	} {
		for _, flag := range strings.Fields(own) {
			for i := range flag {
				if i%layouttest.Step() != 0 {
					continue
				}
				typed := []string{flag[:i] + flag[i+1:]}
				if i > 0 {
					typed = append(typed, flag[:i-1]+flag[i:i+1]+flag[i-1:i]+flag[i+1:])
				}
				for _, mistyped := range typed {
					if mistyped == flag || mistyped[0] == '-' {
						continue // the same letters, or no flag any more
					}
					line := strings.TrimSpace(command + " --" + mistyped + " " + flags[flag])
					meant := strings.TrimSpace(command + " --" + flag + " " + flags[flag])
					if r := run(t, meant); r.code > 1 {
						t.Fatalf("%s exits %d: %s", meant, r.code, r.stderr)
					}
					r := run(t, line)
					refused(t, line, r)
					if want := "hint: layoutcalc " + meant + "\n"; !strings.Contains(r.stderr, want) {
						t.Errorf("%s: no %q in\n%s", line, want, r.stderr)
					}
				}
			}
		}
	}
}

// TestHelpTopics checks the help on each topic.
func TestHelpTopics(t *testing.T) {
	for topic, want := range map[string]string{
		"tensors": "--pitch AXIS=N ", "steps": "permute(0,2,3,1) ", "pictures": "--color-by WHAT ",
		"environment": "NO_COLOR",
	} {
		r := run(t, "help "+topic)
		if list := run(t, "help").out; !strings.Contains(list, "\n  help "+topic+" ") {
			t.Errorf("help does not list %s", topic)
		}
		if r.code != 0 || r.stderr != "" || !strings.Contains(r.out, want) {
			t.Errorf("help %s exits %d and says %q, without %s:\n%s", topic, r.code, r.stderr, want, r.out)
		}
		for line := range strings.Lines(run(t, "help "+topic+" --width 60").out) {
			if !strings.Contains(line, "$ ") && utf8.RuneCountInString(line) > 61 {
				t.Errorf("help %s has the line %s", topic, line)
			}
		}
	}
}

// TestHelpOfEachLength checks that the help of -h is short, and that the help of --help has every flag that completion
// offers.
func TestHelpOfEachLength(t *testing.T) {
	const commands = "strides offset size convert view compare owner access algebra check explain version " +
		"completion man"
	for command := range strings.FieldsSeq(commands) {
		short := run(t, command+" -h").out
		if strings.Count(short, "\n") > 24 || !strings.Contains(short, "--help says more") {
			t.Errorf("%s -h:\n%s", command, short)
		}
		help, known := run(t, command+" --help").out, run(t, "__complete "+command+" --").out
		if n := strings.Count(help, "\n"); n > 60 {
			t.Errorf("%s --help has %d lines, want 60 at most", command, n)
		}
		for line := range strings.Lines(short + help) {
			if utf8.RuneCountInString(line) > 81 && !strings.HasPrefix(line, "  $ ") {
				t.Errorf("%s has a line of more than 80 columns: %s", command, line)
			}
		}
		for line := range strings.Lines(known) {
			name, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
			if strings.HasPrefix(name, "--") && !slices.Contains(strings.Fields(help), name) {
				t.Errorf("%s --help does not tell %s:\n%s", command, name, help)
			}
		}
		if !strings.Contains(known, "--output") && command != "completion" && command != "man" {
			t.Errorf("%s completes no flags: %s", command, known)
		}
	}
}
