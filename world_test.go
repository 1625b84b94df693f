package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"layoutcalc/cmd"
)

// TestWorld replays texts from issues, logs and documentation of other projects. Each row of testdata/world.jsonl is a
// call, the exit code and the answer that it must have, and where the text or the answer is from; get is plain, or the
// field of the answer.
func TestWorld(t *testing.T) {
	data, err := os.ReadFile("testdata/world.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		var c struct {
			Cmd    []string
			WantRC int `json:"want_rc"`
			Want   string
			Get    string
			Source string
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		args := append(c.Cmd[:len(c.Cmd):len(c.Cmd)], "-o", "plain")
		if c.Get != "plain" {
			args = append(c.Cmd[:len(c.Cmd):len(c.Cmd)], "--get", c.Get)
		}
		var out, errs bytes.Buffer
		code := cmd.Run(args, cmd.Streams{
			In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(string) string { return "" },
		})
		got := strings.TrimSpace(out.String())
		if code != c.WantRC || c.Want != "" && got != c.Want {
			t.Errorf("%q: exit %d, %q, want %d, %q; %s\n%s", args, code, got, c.WantRC, c.Want, c.Source, errs.String())
		}
	}
}
