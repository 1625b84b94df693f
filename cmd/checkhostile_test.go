package cmd_test

import (
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"layoutcalc/cmd"
)

// TestCheckBrokenInput has standard input break off: what came before is not taken for the whole.
func TestCheckBrokenInput(t *testing.T) {
	tests := []struct {
		name, before, reason string
	}{
		{"a.json", `{"DataType":"FLOAT32","Sizes":[1,1,1,4]}`, "a whole value"},
		{"a.yaml", "version: 1\ntensors:\n  a: {dtype: float32, sizes: 3}\n", "a whole configuration"},
		{"a.jsonl", `{"DataType":"FLOAT32","Sizes":[1,1,1,4]}` + "\n", "a whole line"},
		{"a.txt", "2x3", "a whole notation"},
		{"a.jsonl", "", "nothing"},
	}
	for _, tt := range tests {
		in := io.MultiReader(strings.NewReader(tt.before), iotest.ErrReader(errors.New("broken off")))
		r := runWith(in, nil, "check", "-", "--stdin-filename", tt.name, "-o", "plain")
		if r.code != 2 || !strings.Contains(r.out, tt.name+": error: it cannot be read to its end [syntax]\n") || r.stderr != "" {
			t.Errorf("%s exits %d and says %q %q: %s", tt.name, r.code, r.out, r.stderr, tt.reason)
		}
	}
}

// TestCheckFullDisk has standard output take so many bytes, in every format.
func TestCheckFullDisk(t *testing.T) {
	rows := strings.Repeat(`{"DataType":"FLOAT32","Sizes":[0]}`+"\n", 200)
	tests := []struct {
		err    error
		code   int
		says   string
		reason string
	}{
		{syscall.ENOSPC, 3, "layoutcalc: cannot write the output: " + syscall.ENOSPC.Error() + "\n", "a full disk"},
		{syscall.EPIPE, 0, "", "the reader has what it wanted"},
	}
	for _, tt := range tests {
		for _, format := range strings.Fields("table text plain json jsonl sarif junit github markdown csv") {
			for _, room := range []int{0, 1, 5000} {
				var stderr strings.Builder
				code := cmd.Run([]string{"check", "-", "--stdin-filename", "a.jsonl", "-o", format}, cmd.Streams{In: strings.NewReader(rows), Out: &refusing{room, tt.err}, Err: &stderr, Env: noEnv})
				if code != tt.code || stderr.String() != tt.says {
					t.Errorf("-o %s with room for %d bytes exits %d and says %q: %s", format, room, code, stderr.String(), tt.reason)
				}
			}
		}
	}
}
