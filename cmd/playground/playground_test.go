//go:build !js

package main

import (
	"regexp"
	"strings"
	"testing"
)

// document is a descriptor with an error.
const document = `{"DataType": "FLOAT32", "Sizes": [1, 3, 4, 4], "Strides": [48, 1, 12, 3],
	"TotalTensorSizeInBytes": 100}`

// escape finds the escape sequences of colours.
var escape = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// lines are command lines with parts of their answers.
var lines = []struct {
	line, input string
	code        int
	output      string // a part of it
	drawn       bool
}{
	{line: "strides 1x3x4x4 NHWC", output: "48", drawn: true},
	{line: "$ layoutcalc strides 1x3x4x4 NHWC --get strides", output: "48,1,12,3", drawn: true},
	{line: "strides 1x3x4x4 NHWC --svg picture.svg --show index", output: "48", drawn: true},
	{line: "convert 1x3x2x2 NCHW NHWC --animate", output: "NHWC", drawn: true},
	{line: "strides 'torch.empty(2, 3)'", output: "3,1", drawn: true},
	{line: "offset - 1,2", input: "torch.empty(2, 3)", output: "1×3 + 2×1 = 5", drawn: true},
	{line: "compare 1x8x2x2 NCHW NHWC", code: 1, output: "NHWC", drawn: true},
	{line: "owner mma.m16n8k16.f16:A --lane 5", output: "lane 5 holds 8 elements", drawn: true},
	{line: "access 32x32 --lanes 0=32 --vec 1", output: "32 wavefronts", drawn: true},
	{line: "check -", input: document, code: 1, output: "total-too-small"},
	{line: "strides 2x{3,4} NHWC", code: 2, output: "NHWC"},
	{line: "strides {2,3}x4", output: "4"},
	{line: "strides --batch -", input: "2x3\n4x5\n", output: "5,1"},
	{line: "strides 2x3 'NCHW", code: 2, output: "the quote is not closed"},
	{line: "strides 2x3 | grep 3", code: 2, output: "no shell runs this line"},
	{line: "offset 100000x100000 --all -o json", code: 2, output: "more than 1048576 bytes", drawn: true},
	{line: "", output: "layoutcalc"},
}

// TestAnswers compares answers with their exit codes and with parts of their output.
func TestAnswers(t *testing.T) {
	for _, tt := range lines {
		a := answerTo(tt.line, tt.input, 80)
		output := escape.ReplaceAllString(a.output, "")
		if a.code != tt.code || !strings.Contains(output, tt.output) {
			t.Errorf("%q: exit %d, %s\nwant %d and %q", tt.line, a.code, output, tt.code, tt.output)
		}
		if drawn := a.svg != ""; drawn != tt.drawn || drawn != (a.html != "") {
			t.Errorf("%q: a picture of %d bytes and a page of %d", tt.line, len(a.svg), len(a.html))
		}
	}
}

// TestWidth checks that colored lines fit the page.
func TestWidth(t *testing.T) {
	for _, columns := range []int{40, 60, 120} {
		a := answerTo("strides 1x3x4x4 NHWC", "", columns)
		if !escape.MatchString(a.output) {
			t.Errorf("at %d columns the output has no colours", columns)
		}
		for line := range strings.Lines(escape.ReplaceAllString(a.output, "")) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > columns {
				t.Errorf("at %d columns a line has %d: %s", columns, n, line)
			}
		}
	}
}
