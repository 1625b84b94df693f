package cmd_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"layoutcalc/cmd"
)

func TestStandardInput(t *testing.T) {
	full := strings.Repeat(" ", 64<<10-4)
	tests := []struct {
		line, in string
		code     int
		out      string
		says     string
		reason   string
	}{
		{line: "offset 2x3 - -o plain", in: "0,1\n1,2\n", out: "1|5|", reason: "an index a line"},
		{line: "offset 2x3 - -o plain", in: "0,1\n1,2", out: "1|5|", reason: "no line end at the end"},
		{line: "offset 2x3 - -o plain", in: "0,1\r\n1,2\r\n", out: "1|5|", reason: "line ends of Windows"},
		{
			line: "offset 2x3 - -o plain", in: "\n  \n0,1\n\t\n\r\n1,2\n\n", out: "1|5|",
			reason: "blank lines are nothing",
		},
		{line: "offset 2x3 - -o plain", in: "  [0, 1]  \n", out: "1|", reason: "blanks around, and any form of index"},
		{line: "offset H=2,W=3 - -o plain", in: "W=1,H=1\n", out: "4|", reason: "labels"},
		{line: "offset 2x3 --at - -o plain", in: "0\n 5 \n", out: "0,0|1,2|", reason: "an offset a line"},
		{line: "offset 2x3 --at - -o plain", in: "0\n6\n", code: 1, out: "0,0|x|", reason: "the answer to one is no"},
		{line: "offset 2x3 - -o csv", in: "1,0\n", out: "0,1,offset,byteOffset|1,0,3,12|", reason: "with a header"},
		{line: "offset 2x3 - -o csv", out: "0,1,offset,byteOffset|", reason: "no questions: a header is an answer"},
		{
			line: "offset 2x3 - -o plain", in: "0,1\n0,9\n1,2\n", code: 2, out: "1|",
			says:   "layoutcalc: line 2: index 9 is out of range: axis 1 counts from 0 to 2|  0,9|    ^|",
			reason: "the answers before the error stay",
		},
		{
			line: "offset 2x3 - -o plain", in: "\n\n0,1\n\nx\n", code: 2, out: "1|", says: "line 5: ",
			reason: "blank lines count",
		},
		{
			line: "offset 2x3 --at - -o plain", in: "1\r\nx\r\n", code: 2, out: "0,1|", says: "line 2: ",
			reason: "of Windows too",
		},
		{line: "offset 2x3 --at - -o plain", in: "1,2\n", code: 2, says: "line 1: ", reason: "one offset a line"},
		{line: "offset 2x3 - -o plain", in: "0,1" + full + "\n1,2\n", out: "1|5|", reason: "a line of 64 KiB"},
		{
			line: "offset 2x3 - -o plain", in: "0,1\n0,1" + full + full + "\n1,2\n", code: 2, out: "1|",
			says: "line 2: longer than 65536 bytes", reason: "a longer line",
		},
		{
			line: "offset 2x3 - -o plain", in: "0,1\n" + strings.Repeat("7", 70<<10), code: 2, out: "1|",
			says: "line 2: longer than 65536 bytes", reason: "a longer line without an end",
		},
		{
			line: "offset 2x3 - -o plain", in: "0,1\n\x1b[2J\n", code: 2, out: "1|",
			says: `line 2: "\x1b[2J" is not an index|  \x1b[2J|`, reason: "what could steer the terminal is shown",
		},
		{
			line: "offset 2x3 - -o plain", in: "0,1\n\x00\n", code: 2, out: "1|", says: "line 2: ",
			reason: "NUL ends nothing",
		},
	}
	for _, tt := range tests {
		r := runWith(strings.NewReader(tt.in), nil, strings.Fields(tt.line)...)
		out, stderr := strings.ReplaceAll(r.out, "\n", "|"), strings.ReplaceAll(r.stderr, "\n", "|")
		if r.code != tt.code || out != tt.out {
			t.Errorf(
				"%s: %s: exits %d and writes %q, want %d and %q; %.200s", tt.line, tt.reason, r.code, out, tt.code,
				tt.out, stderr,
			)
		}
		if !strings.Contains(stderr, tt.says) || (tt.says == "") != (stderr == "") {
			t.Errorf("%s: %s: says %.300q, want %q", tt.line, tt.reason, stderr, tt.says)
		}
	}
}

// A talk is an input that notes, whenever it is asked for more, what has been answered so far.
type talk struct {
	says     []string
	answers  *bytes.Buffer
	answered []string
	end      error
}

func (t *talk) Read(b []byte) (int, error) {
	t.answered = append(t.answered, t.answers.String())
	if len(t.says) == 0 {
		return 0, t.end
	}
	n := copy(b, t.says[0])
	t.says = t.says[1:]
	return n, nil
}

// TestConversation asks in turns: before the program waits for more, all that has been asked is
// answered.
func TestConversation(t *testing.T) {
	tests := []struct {
		line   string
		says   []string
		want   []string
		reason string
	}{
		{
			line: "offset 2x3 - -o plain", says: []string{"0,1\n", "1,0\n"}, want: []string{"", "1\n", "1\n3\n"},
			reason: "a line at a time",
		},
		{
			line: "offset 2x3 --at - -o plain", says: []string{"1\n", "3\n"}, want: []string{"", "0,1\n", "0,1\n1,0\n"},
			reason: "offsets too",
		},
		{
			line: "offset 2x3 - -o plain", says: []string{"0,1\n0,2\n", "1,0\n"},
			want: []string{"", "1\n2\n", "1\n2\n3\n"}, reason: "two lines at once",
		},
		{
			line: "offset 2x3 - -o plain", says: []string{"0,", "1", "\n"}, want: []string{"", "", "", "1\n"},
			reason: "a line in pieces",
		},
		{
			line: "offset 2x3 - -o plain", says: []string{"0,1\n0,", "2\n"}, want: []string{"", "1\n", "1\n2\n"},
			reason: "a line and the start of one",
		},
		{
			line: "offset 2x3 - -o csv", says: []string{"0,1\n"},
			want: []string{"0,1,offset,byteOffset\n", "0,1,offset,byteOffset\n0,1,1,4\n"}, reason: "the header first",
		},
		{
			line: "offset 2x3 - -o plain", says: []string{"0,1\n", "7,7\n", "1,0\n"}, want: []string{"", "1\n"},
			reason: "an error ends it",
		},
	}
	for _, tt := range tests {
		var out, stderr bytes.Buffer
		in := &talk{says: tt.says, answers: &out, end: io.EOF}
		cmd.Run(strings.Fields(tt.line), cmd.Streams{In: in, Out: &out, Err: &stderr, Env: noEnv})
		if got, want := strings.Join(in.answered, "|"), strings.Join(tt.want, "|"); got != want {
			t.Errorf("%s: %s: answered %q, want %q", tt.line, tt.reason, got, want)
		}
	}
}

// TestInputFails cannot read on: exit 2, and the answers so far.
func TestInputFails(t *testing.T) {
	var out, stderr bytes.Buffer
	in := &talk{says: []string{"0,1\n"}, answers: &out, end: errors.New("read /dev/stdin: is a directory")}
	code := cmd.Run(strings.Fields("offset 2x3 - -o plain"), cmd.Streams{In: in, Out: &out, Err: &stderr, Env: noEnv})
	if code != 2 || out.String() != "1\n" || !strings.Contains(stderr.String(), "standard input cannot be read") {
		t.Errorf("exits %d, writes %q and says %q", code, out.String(), stderr.String())
	}
}

// TestOutputFailsWhileReading ends the conversation when the answers cannot be written.
func TestOutputFailsWhileReading(t *testing.T) {
	var unread, stderr bytes.Buffer
	in := &talk{says: []string{"0,1\n", "0,1\n", "0,1\n"}, answers: &unread, end: io.EOF}
	code := cmd.Run(
		strings.Fields("offset 2x3 - -o plain"),
		cmd.Streams{In: in, Out: &refusing{2, errors.New("full")}, Err: &stderr, Env: noEnv},
	)
	if code != 3 || len(in.answered) != 2 {
		t.Errorf("exits %d after %d reads", code, len(in.answered))
	}
}
