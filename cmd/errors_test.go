package cmd_test

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/cmd"
	"layoutcalc/layout/layouttest"
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

// A refusing writer takes a number of bytes and then gives its error.
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

// TestWriteErrors tells those that are the reader's wish from the others.
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

// TestPanics turns a fault of the program's into exit code 3 and a line.
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
		want := "layoutcalc: internal fault: " + tt.says
		if code != 3 || !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s exits %d and says %q", tt.line, code, got)
		}
	}
}

// TestSuggestions mistypes names and wants the right one, or the list of all.
func TestSuggestions(t *testing.T) {
	tests := []struct{ line, hint, reason string }{
		{"strids 2x3", "layoutcalc strides 2x3", "a command without a letter"},
		{"strid 2x3", "layoutcalc strides 2x3", "the beginning of one command only"},
		{"strides 2x3 --as cutee", "layoutcalc strides 2x3 --as cute", "a notation with a letter too many"},
		{"strides 2x3 --from quaternion", "one of name, pytorch, ", "no such notation"},
		{"check 2x3 --target quaternion", "one of none, directml, ", "no such target"},
		{"stride 2x3", "layoutcalc strides 2x3", "another word for a command"},
		{"Size 2x3", "layoutcalc size 2x3", "a command in another case"},
		{"strides NCHW->NHWC", "convert and compare take two layouts: SHAPE NCHW NHWC", "an arrow, and no shape"},
		{"offset 1x3x4x5 NCHW->NHWC 0,0,0,0", "convert and compare take two layouts: ", "an arrow, and an index"},
		{"bytes 2x3", "layoutcalc size 2x3", "what it is about"},
		{"locate 2x3", "layoutcalc offset 2x3", "what it is about"},
		{
			"wherever",
			"the commands are strides, offset, size, convert, view, compare, owner, access, algebra, check, explain",
			"nothing like it",
		},
		{"help strids", "layoutcalc help strides", "a command to help with"},
		{"strides 2x3 --ordre HW", "layoutcalc strides 2x3 --order HW", "two letters swapped"},
		{"strides 2x3 --stride 3,1", "layoutcalc strides 2x3 --strides 3,1", "a letter missing"},
		{"strides 2x3 --colour always", "layoutcalc strides 2x3 --color always", "British spelling"},
		{"strides 2x3 --nonsense", "layoutcalc strides --help lists the flags", "nothing like it"},
		{"--sizes 2,3", "layoutcalc strides 2,3", "another word for the shape, and no command"},
		{"--sizes 2,3 strides", "layoutcalc strides 2,3", "before the command"},
		{"strides 2x3 -z", "layoutcalc strides --help lists the flags", "a letter for a flag"},
		{"strides -1,2",
			"put strides that start with a minus sign in brackets: [-3,1]",
			"a number taken for a flag"},
		{"strides 2x3 -o jsn", "layoutcalc strides 2x3 -o json", "a format without a letter"},
		{"strides 2x3 -o xml", "one of table, plain, json, csv, markdown", "another format"},
		{"strides 2x3 --color allways", "layoutcalc strides 2x3 --color always", "a word of a flag"},
		{"strides 2x3 --color red", "one of auto, always, never", "another word"},
		{"strides 2x3 -t flaot32", "layoutcalc strides 2x3 -t float32", "a type with letters swapped"},
		{"strides 2x3 -t bf61", "layoutcalc strides 2x3 -t bf16", "in the spelling that was meant"},
		{"strides 2x3 -t quaternion", "such as float32, float16, bf16, int8, u4, bool", "no such type"},
		{"strides 1x2x3x4 chanels_last", "layoutcalc strides 1x2x3x4 channels_last", "a layout without a letter"},
		{"strides 1x2x3x4 rowmajor", "layoutcalc strides 1x2x3x4 row-major", "a layout without its dash"},
		{"strides 1x2x3x4 NHWW", "layoutcalc strides 1x2x3x4 NHWC", "a letter twice"},
		{"strides 2x3 NCHW", "for rank 2: HW, WH", "a layout of another rank"},
		{"strides 2x3 HW --pad C=1", "the axes are H,W", "an axis that is not there"},
		{"strides 2x3 --get stride", "layoutcalc strides 2x3 --get strides", "a field"},
		{"completion bsh", "the shells are bash, zsh, fish, powershell", "a shell"},
	}
	for _, tt := range tests {
		r := run(t, tt.line)
		refused(t, tt.line, r)
		if !strings.Contains(r.stderr, "\nhint: "+tt.hint) {
			t.Errorf("%s: no %q: %s\n%s", tt.line, tt.hint, tt.reason, r.stderr)
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

// TestRefusals runs what cannot be answered.
func TestRefusals(t *testing.T) {
	tests := []struct{ line, says, reason string }{
		{"strides 2x3 --strides 3,1 --pad W=1", "--strides", "strides are final"},
		{"strides 2x3 --strides 3,1 --broadcast H", "--strides", "strides are final"},
		{"strides 1x16x2x2 NCHW8c --strides 1,1,1,1", "blocks", "blocks have strides of their own"},
		{"strides H=2,W=3 --order HW", "labelled", "labels say the order already"},
		{"strides 2x3 --order row-major", "order", "not one letter for each size"},
		{"strides 2x3 --order NCHW", "letters", "an order of another rank"},
		{"strides 2x3 --rank 1", "rank 2 already", "axes cannot be taken away"},
		{"strides 2x3 --rank 65", "1 to 64", "the limit of the rank"},
		{"strides 2x3 --strides 1", "1 stride", "too few strides"},
		{"strides 2x3 --pad W", "=", "no number"},
		{"strides 2x3 --pad W=-1", "negative", "no padding is negative"},
		{"strides 2x3 --pad W=1 --pad W=2", "W", "twice the same axis"},
		{"strides 2x3 --storage-offset -1", "negative", "no base is"},
		{"strides 2x3 --width 19", "20 to 10000", "too narrow"},
		{"strides 2x3 --width 10001", "20 to 10000", "too wide"},
		{"strides 2x3 --width x", "number", "no number"},
		{"strides 2x3 --color", "needs a value", "no value"},
		{"strides 2x3 --help=maybe", "--help", "neither on nor off"},
		{"offset 2x3 --all=maybe", "--all", "neither on nor off"},
		{"strides 2x3 -o svg", "svg", "a form of other commands"},
		{"strides 2x3 HW more", "unexpected argument", "one thing too many"},
		{"strides 2 x 3", "unexpected argument", "a shape in three words"},
		{"strides 2x-3", "negative", "no size is"},
		{"strides 9223372036854775808", "64 bits", "one more than int64 holds"},
		{"strides 9223372036854775807x2", "18446744073709551614", "the exact number of elements"},
		{"strides 2x3 --all", "unknown flag", "a flag of another command"},
		{"strdes 2x3 --zz", "did you mean strides?", "no command, and no flag of the one that is meant"},
		{"offset 2x3 0,1 --at 3", "--at", "an index and an offset"},
		{"offset 2x3 --range 0:3 --at 3", "--range", "a part and an offset"},
		{"offset 2x3 0,1 --range 0:3", "--range", "a part and an index"},
		{"offset 2x3 --values 1,2,3,4,5,6 -o json", "--values", "values are for pictures"},
		{"offset 2x3 --values 1,2,3,4,5,6 --at 1", "--values", "values are for pictures"},
		{"offset 2x3 --values 1,2", "2 values for 6 elements", "too few values"},
		{"offset 2x3 --range 5:2", "before it starts", "a range backwards"},
		{"offset 2x3 --range 5", "colon", "no range"},
		{"offset 2x3 --range 1:x", "number", "no bound"},
		{"offset 2x3 --at x", "offset", "no offset"},
		{"offset 2x3 1", "rank 2", "too few numbers"},
		{"offset 2x3 0,3", "counts from 0 to 2", "out of range"},
		{"offset 2x3 0,1 2,0", "counts from 0 to 1", "the second of two"},
		{"offset 0x3 0,0", "no elements", "an index into nothing"},
		{"offset 2x3 0,1 --get results.1", "no field", "beyond the results"},
		{"version more", "unexpected argument", "takes none"},
		{"completion bash zsh", "unexpected argument", "one at a time"},
		{"completion csh", "csh", "no script for it"},
	}
	for _, tt := range tests {
		r := run(t, tt.line)
		refused(t, tt.line, r)
		if !strings.Contains(worded(r.stderr), tt.says) {
			t.Errorf("%s: no %q: %s\n%s", tt.line, tt.says, tt.reason, r.stderr)
		}
	}
}

// TestEmptyWords refuses values that a script left empty, rather than to answer another
// question.
func TestEmptyWords(t *testing.T) {
	for _, args := range [][]string{
		{""}, {"strides", ""}, {"strides", " "}, {"strides", "2x3", ""},
		{"strides", "2x3", "--strides", ""}, {"strides", "2x3", "-t", ""}, {"strides", "2x3", "-o", ""}, {
			"strides", "2x3", "--pad", "",
		},
		{"strides", "2x3", "--order", ""}, {"strides", "2x3", "--broadcast", ""}, {"strides", "2x3", "--get", ""}, {
			"strides", "2x3", "--width", "",
		},
		{"offset", "2x3", ""}, {"offset", "2x3", "--at", ""}, {"offset", "2x3", "--range", ""}, {
			"offset", "2x3", "--values", "",
		},
		{"completion", ""}, {"version", ""},
	} {
		refused(t, strings.Join(args, "|"), runWith(nil, nil, args...))
	}
}

// TestShortHelp wants a command without arguments to show how it is used.
func TestShortHelp(t *testing.T) {
	for _, command := range strings.Fields("strides offset size convert view compare completion") {
		r := run(t, command)
		examples := strings.Count(r.stderr, "\n  $ layoutcalc") + strings.Count(r.stderr, "\n  $ source")
		if r.code != 2 || r.out != "" || !strings.HasPrefix(r.stderr, "usage: layoutcalc "+command) || examples != 2 {
			t.Errorf("%s exits %d, writes %q and says\n%s", command, r.code, r.out, r.stderr)
		}
	}
}

// TestHelp wants help on standard output wherever it is asked for.
func TestHelp(t *testing.T) {
	for _, tt := range []struct{ line, want, reason string }{
		{"", "\nCommands:\n", "the program alone"},
		{"--help", "\nCommands:\n", "the flag"},
		{"-h", "\nCommands:\n", "its letter"},
		{"help", "\nCommands:\n", "the word"},
		{"help offset", "Usage: layoutcalc offset ", "of a command"},
		{"offset --help", "Usage: layoutcalc offset ", "the flag of a command"},
		{"offset 2xq --help", "Usage: layoutcalc offset ", "whatever else is wrong"},
		{"--color never offset -h", "Usage: layoutcalc offset ", "after flags of all commands"},
		{"-h --width 80", "\nCommands:\n", "before a flag of all commands"},
		{"--help --color never", "\nCommands:\n", "before another"},
	} {
		r := run(t, tt.line)
		shown := strings.Contains(r.out, tt.want) && strings.Contains(r.out, "\n  $ layoutcalc ")
		if r.code != 0 || r.stderr != "" || !shown {
			t.Errorf("%q exits %d, says %q, writes\n%.300s: %s", tt.line, r.code, r.stderr, r.out, tt.reason)
		}
	}
}

// TestHelpTopics wants help on each topic, and near words or explain for others.
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
	for word, want := range map[string]string{
		"tensor": "help tensors", "picture": "help pictures", "step": "help steps", "strids": "help strides",
		"overlap": "explain overlap", "NHWC": "explain NHWC", "bf16": "explain bf16",
		"xylophone": "layoutcalc help lists the commands and topics",
	} {
		if r := run(t, "help "+word); r.code != 2 || r.out != "" || !strings.Contains(r.stderr, "hint: ") ||
			!strings.HasSuffix(r.stderr, want+"\n") {
			t.Errorf("help %s exits %d and says %q, want %s", word, r.code, r.stderr, want)
		}
	}
}

// TestHelpOfEachLength wants the help of -h to be short, and that of --help to have every flag that completion knows.
func TestHelpOfEachLength(t *testing.T) {
	const commands = "strides offset size convert view compare owner access check explain version completion man"
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

// TestErrorsInJSON has errors under -o json as JSON, wherever it is in the command line.
func TestErrorsInJSON(t *testing.T) {
	tests := []struct {
		args, stdin string
		want        string // the error, without fields that are null
		reason      string
	}{
		{args: "strides 2xq -o json", reason: "a place in an argument", want: `{"message": "\"q\" is not a size", ` +
			`"hint": "such as 1x3x224x224", "input": "2xq", "offset": 2, "notes": []}`},
		{args: "strides --bogus -ojson 2x3", reason: "-o json after the bad flag",
			want: `{"message": "unknown flag --bogus", ` +
				`"hint": "layoutcalc strides --help lists the flags", "notes": []}`},
		{args: "stride 2x3 --output=JSON", reason: "an unknown command",
			want: `{"message": "unknown command stride", "hint": "layoutcalc strides 2x3 --output=JSON", "notes": []}`},
		{args: "strides -qo json", reason: "no arguments",
			want: `{"message": "no arguments", "hint": "layoutcalc strides 1x3x224x224 NHWC", "notes": []}`},
		{args: "check --output json", reason: "of check",
			want: `{"message": "no arguments", ` +
				`"hint": "layoutcalc check model.json layouts.yaml weights.safetensors", "notes": []}`},
		{args: "strides -o json none.json", reason: "a file",
			want: `{"message": "none.json: there is no such file", "path": "none.json", "notes": []}`},
		{args: "offset 2x3 - -o json", stdin: "0,1\n\n0,x\n", reason: "a line of standard input",
			want: `{"message": "line 3: \"x\" is not an index", "hint": "such as 0,2,1", ` +
				`"line": 3, "input": "0,x", "offset": 2, "notes": []}`},
		{args: "compare 1x224x224x3 NHWC xyz -o json", reason: "notes of what comes before the error",
			want: `{"message": "XYZ has 3 letters, the shape 4 sizes", "hint": "for rank 4: NCHW, NHWC, OIHW, HWIO", ` +
				`"input": "xyz", "offset": 0, ` +
				`"notes": ["sizes read as N, C, H, W; if they are written as N, H, W, C: --order NHWC"]}`},
	}
	null := regexp.MustCompile(`"[a-z]+": null, `)
	for _, tt := range tests {
		r := runWith(strings.NewReader(tt.stdin), nil, strings.Fields(tt.args)...)
		got := null.ReplaceAllString(r.stderr, "")
		if want := `{"schemaVersion": 1, "error": ` + tt.want + "}\n"; r.code != 2 || got != want {
			t.Errorf("%s exits %d: %s (-want +got)\n%s", tt.args, r.code, tt.reason, cmp.Diff(want, got))
		}
	}
	for _, args := range []string{
		"strides 2xq -o plain", "strides 2xq -o json -o plain", "strides 2xq -t -o", "strides -- -o json",
	} {
		if r := run(t, args); strings.HasPrefix(r.stderr, "{") {
			t.Errorf("%s says %s", args, r.stderr)
		}
	}
}
