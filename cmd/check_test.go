package cmd_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"layoutcalc/cmd"
	"layoutcalc/layout/rules"
)

// TestRuleExamples checks the examples of every rule as files: the failing one breaks the rule and
// nothing worse, the passing one does not break it.
func TestRuleExamples(t *testing.T) {
	for _, r := range rules.All() {
		t.Run(r.Name, func(t *testing.T) {
			if r.What == "" || r.Why == "" || r.Source == "" || r.Fix == "" || r.Bad == "" || r.Good == "" {
				t.Fatalf("the table says not all of it: %+v", r)
			}
			if found := brokenRules(t, r.Bad); !slices.Contains(found, r.Name) {
				t.Errorf("the failing example breaks %v", found)
			}
			if found := brokenRules(t, r.Good); slices.Contains(found, r.Name) {
				t.Errorf("the passing example breaks %v", found)
			}
		})
	}
}

// exampleFile returns an example as a file, and how its name ends. That of a tensor file is its
// header and how many bytes of data follow.
func exampleFile(t *testing.T, text string) (content, ending string) {
	header, data, ok := strings.Cut(text, "} + ")
	if !ok {
		if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "/") {
			return text, ".json"
		}
		return text, ".yaml"
	}
	n, err := strconv.Atoi(strings.TrimSuffix(data, " bytes"))
	if err != nil {
		t.Fatal(err)
	}
	header += "}"
	if strings.HasPrefix(header, "{'") {
		header += strings.Repeat(" ", 128-10-1-len(header)) + "\n"
		length := string(binary.LittleEndian.AppendUint16(nil, uint16(len(header))))
		return "\x93NUMPY\x01\x00" + length + header + strings.Repeat("\x00", n), ".npy"
	}
	header += strings.Repeat(" ", (8-len(header)%8)%8)
	length := string(binary.LittleEndian.AppendUint64(nil, uint64(len(header))))
	return length + header + strings.Repeat("\x00", n), ".safetensors"
}

// brokenRules returns the rules that a text breaks when it is checked as a file.
func brokenRules(t *testing.T, text string) []string {
	t.Helper()
	content, ending := exampleFile(t, text)
	path := filepath.Join(t.TempDir(), "example"+ending)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	got := runWith(strings.NewReader(""), nil, "check", path, "-o", "json", "--severity", "note")
	var answer struct {
		Findings []struct{ Rule string }
	}
	if err := json.Unmarshal([]byte(got.out), &answer); err != nil {
		t.Fatalf("%v: %s %s", err, got.out, got.stderr)
	}
	var found []string
	for _, f := range answer.Findings {
		found = append(found, f.Rule)
	}
	return found
}

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
		want := tt.name + ": error: it cannot be read to its end [syntax]\n"
		if r.code != 2 || !strings.Contains(r.out, want) || r.stderr != "" {
			t.Errorf("%s exits %d and says %q %q: %s", tt.name, r.code, r.out, r.stderr, tt.reason)
		}
	}
}

// TestCheckFullDisk has standard output take a few bytes only, in every format.
func TestCheckFullDisk(t *testing.T) {
	rows := strings.Repeat(`{"DataType":"FLOAT32","Sizes":[0]}`+"\n", 200)
	tests := []struct {
		err    error
		code   int
		says   string
		reason string
	}{
		{
			err: syscall.ENOSPC, code: 3, says: "layoutcalc: cannot write the output: " + syscall.ENOSPC.Error() + "\n",
			reason: "a full disk",
		},
		{err: syscall.EPIPE, reason: "the reader has what it wanted"},
	}
	for _, tt := range tests {
		for _, format := range strings.Fields("table text plain json jsonl sarif junit github markdown csv") {
			for _, room := range []int{0, 1, 5000} {
				var stderr strings.Builder
				code := cmd.Run(
					[]string{"check", "-", "--stdin-filename", "a.jsonl", "-o", format},
					cmd.Streams{In: strings.NewReader(rows), Out: &refusing{room, tt.err}, Err: &stderr, Env: noEnv},
				)
				if code != tt.code || stderr.String() != tt.says {
					t.Errorf(
						"-o %s with room for %d bytes exits %d and says %q: %s", format, room, code, stderr.String(),
						tt.reason,
					)
				}
			}
		}
	}
}
