package cmd_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"layoutcalc/cmd"
)

// TestLongLines has lines of standard input of 64 KiB, and longer ones.
func TestLongLines(t *testing.T) {
	full := strings.Repeat(" ", 64<<10-4)
	tests := []struct {
		in, out, says string
		code          int
		reason        string
	}{
		{in: "0,1" + full + "\n1,2\n", out: "1\n5\n", reason: "a line of 64 KiB"},
		{
			in: "0,1\n0,1" + full + full + "\n1,2\n", out: "1\n", says: "line 2: longer than 65536 bytes", code: 2,
			reason: "a longer line",
		},
		{
			in: "0,1\n" + strings.Repeat("7", 70<<10), out: "1\n", says: "line 2: longer than 65536 bytes", code: 2,
			reason: "a longer line without an end",
		},
	}
	for _, tt := range tests {
		r := runWith(strings.NewReader(tt.in), nil, strings.Fields("offset 2x3 - -o plain")...)
		if r.code != tt.code || r.out != tt.out || !strings.Contains(r.stderr, tt.says) ||
			(tt.says == "") != (r.stderr == "") {
			t.Errorf("%s: exits %d, writes %q and says %.300q", tt.reason, r.code, r.out, r.stderr)
		}
	}
}

// A talk is an input that records the answers so far whenever it is read.
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

// TestConversation checks that all lines are answered before the program waits for more input.
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
