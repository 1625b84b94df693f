package cmd_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestSweepsAreCalls checks that each line of a sweep equals the answer of a separate call.
func TestSweepsAreCalls(t *testing.T) {
	for _, tt := range []struct{ sweep, calls string }{
		{"strides 1x{3,4}x5x6 NHWC,NCHW", "1x3x5x6 NHWC|1x3x5x6 NCHW|1x4x5x6 NHWC|1x4x5x6 NCHW"},
		{"size 2x{3,5} --sweep H=1..5:4 -t int8", "1x3 -t int8|5x3 -t int8|1x5 -t int8|5x5 -t int8"},
		{"size 2x3 2x4 2x5 HW", "2x3 HW|2x4 HW|2x5 HW"},
		{"strides 2x3 --sweep W=4,5 --pitch H=8", "2x4 --pitch H=8|2x5 --pitch H=8"},
		{"strides 4x5x3 HWC --order HWC --sweep C=1,2", "4x5x1 HWC --order HWC|4x5x2 HWC --order HWC"},
		{"strides 4x6 --view T --sweep 1=4,5", "4x4 --view T|4x5 --view T"},
		{"strides 4x5 --rank 4 --sweep H=6,7", "6x5 --rank 4|7x5 --rank 4"},
	} {
		command, _, _ := strings.Cut(tt.sweep, " ")
		for _, form := range []string{"-o plain -q", "-o json -q --get strides,bytes", "--as numpy -o plain -q"} {
			want := ""
			for call := range strings.SplitSeq(tt.calls, "|") {
				answer := strings.TrimSuffix(run(t, command+" "+call+" "+form).out, "\n")
				if strings.Contains(form, "--get") {
					answer = strings.ReplaceAll(answer, "\n", "\t")
				}
				want += answer + "\n"
			}
			if r := run(t, tt.sweep+" "+form); r.code != 0 || r.out != want || want == "" {
				t.Errorf("%s %s exits %d with\n%s%swant\n%s", tt.sweep, form, r.code, r.out, r.stderr, want)
			}
		}
		r := run(t, tt.sweep+" -o json -q")
		lines := strings.Split(strings.TrimSpace(r.out), "\n")
		if len(lines) != strings.Count(tt.calls, "|")+1 {
			t.Errorf("%s has %d lines:\n%s", tt.sweep, len(lines), r.out)
		}
		for _, line := range lines {
			var answer struct{ Command string }
			if err := json.Unmarshal([]byte(line), &answer); err != nil || answer.Command != command {
				t.Errorf("%s has the line %s: %v", tt.sweep, line, err)
			}
		}
	}
}

// TestSweepsWithNotes checks that the notes of each row are in its JSON object, and otherwise on standard error.
func TestSweepsWithNotes(t *testing.T) {
	const sweep = "strides 2x3 XQ,HW,XJ"
	r := run(t, sweep+" -o json")
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	if r.stderr != "" || len(lines) != 3 {
		t.Fatalf("it says %q, writes\n%s", r.stderr, r.out)
	}
	for i, axis := range []string{"Q", "", "J"} {
		var answer struct{ Notes []string }
		if err := json.Unmarshal([]byte(lines[i]), &answer); err != nil {
			t.Fatal(err)
		}
		isWanted := len(answer.Notes) == 0
		if axis != "" {
			isWanted = len(answer.Notes) == 1 && strings.Contains(answer.Notes[0], "axis "+axis)
		}
		if !isWanted {
			t.Errorf("row %d has the notes %q, want one about %q", i, answer.Notes, axis)
		}
	}
	if r := run(t, sweep+" -o plain"); strings.Count(r.stderr, "note: ") != 2 || r.out != "3,1\n3,1\n3,1\n" {
		t.Errorf("-o plain says %q, writes %q", r.stderr, r.out)
	}
}
