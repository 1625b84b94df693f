package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mistyped are calls whose hints are typed by TestHints, beside those of the transcripts: a slip in each kind of word,
// and words that are near a known one and mean something else.
const mistyped = `stride 2x3
layout 2x3
describe 2x3
show 2x3
is_contiguous 2x3
contiguous 2x3
offsets 2x3
index 2x3
at 2x3
table 2x3
locate 2x3
where 2x3
sizes 2x3
bytes 2x3
span 2x3
numel 2x3
memory 2x3
views 2x3
chain 2x3
validate 2x3
verify 2x3
lint 2x3
test 2x3
relayout 2x3 HW WH
reorder 2x3 HW WH
transform 2x3 HW WH
diff 2x3 HW WH
equal 2x3 HW WH
same 2x3 HW WH
cmp 2x3 HW WH
reshape 2x3 T
permute 2x3 T
transpose 2x3 T
slice 2x3 T
list
manual
manpage
docs
types f16
dtypes f16
notations numpy
complete bash
strides 2x3 --table
strides 2x3 --plain
strides 2x3 --csv
strides 2x3 --markdown
offset 2x3 --index 0,1
offset 2x3 --indices 0,1
offset 2x3 --coords 0,1
offset 2x3 --coord 0,1
strides 2x3 --format json
strides 2x3 --fmt json
strides --sizes 2x3
strides --dims 2x3 HW
strides 2x3 --data-type f16
strides 2x3 --element-type f16
strides 2x3 --alignment H=4
strides 2x3 --alignment 4
strides 2x3 --row-pitch 16
check 2x3 --error-on warning
check 2x3 --strict
check 2x3 --sarif
map 2x3
ofset 2x3 0,1
strdies 2x3
Transpose 2x3
2x3 NC
strides 2x3 --dytpe f16
strides 2x3 --strdies 3,1
offset 2x3 --coord 0,1
size 2x3 --banks 32
size 2x3 --bank 32
strides 2x3 --border HW
strides 2x3 -t flaot32
strides 2x3 -t int8x4
strides 2x3 -t i
strides 2x3 -t intc
strides 2x3 -t u5
strides 2x3 -t fp8
strides 64x64 nv12
strides 64x64 COL32
strides 4x64x64 BGRA8
strides 2x3 awq
strides 2x3x4x5 NHVC
strides 2x3x4x5 nhuc
strides 2x3x4x5 chanels_last
strides 1x16x2x2 NCHW8
strides 2x3 rowmajor
strides 2x3 --as pytroch
strides 2x3 --from nunpy
view 2x3 permuet(1,0)
view 2x3 transpos(0,1)
check 2x3 --target directlm
explain overlpa
strides 2x3 --get stride
strides 2x3 -o jsn
strides 2x3 --color nevr
strides "np.zeros((2,3), dtype='q4')"
strides "np.zeros((2, 3), 'S4')"
strides "(2, 3) (12, 4)"
strides "torch.empty(2, False)"
strides "torch.empty(n, 3)"
strides "torch.empty((n, 3), dtype=torch.flaot16)"
strides "memref<2x?xf32>"
strides "f32[2,3]{1,0"
strides 1x3x4x5 NHWC --strides 1,2,3,4
convert 2x3 HW->WH
strides float16:2x3:HW
strides 2 3
strides 2x3xf32
strides HW 2x3
offset 2x3 0 1
offset 2x3 4
offset 2x3 --at 1-4
strides 2x3 --pitch 64
strides 2x3 --json
strides 2x3 --padding 1`

// TestHints types what the errors of the transcripts propose. A command line runs; so do arguments in place of the
// others, and the text in place of the one at fault; a flag mends at least what the error says.
func TestHints(t *testing.T) {
	lines := strings.Split(mistyped, "\n")
	files, _ := filepath.Glob("testdata/*.golden")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if command, ok := strings.CutPrefix(line, "$ "); ok && strings.Contains(command, "layoutcalc ") {
				lines = append(lines, strings.TrimSpace(command))
			}
		}
	}
	typed := map[string]int{}
	for _, line := range lines {
		if !strings.Contains(line, "layoutcalc ") {
			line = "layoutcalc " + line
		}
		c, _ := parse(line)
		if slices.ContainsFunc(c.args, writes.MatchString) {
			continue
		}
		_, stderr, code := c.run()
		said := hintLine.FindStringSubmatch(stderr)
		if code != 2 || said == nil {
			continue
		}
		kind, args := proposed(c, stderr, said[1])
		if typed[kind]++; args == nil || slices.ContainsFunc(args, writes.MatchString) {
			continue
		}
		other := call{args, c.env, c.stdin}
		_, again, code := other.run()
		before, _, _ := strings.Cut(stderr, "\n")
		if code > 1 && (kind == "line" || kind == "arguments" || strings.HasPrefix(again, before)) {
			t.Errorf("%s\n%stype %q, which exits %d:\n%s", line, stderr, args, code, again)
		}
	}
	if typed["line"] < 100 || typed["flag"] < 10 || typed["text"] < 10 {
		t.Errorf("hints are of the kinds %v", typed)
	}
}

var (
	writes   = regexp.MustCompile(`^(--out|--svg|--html|--batch|--write-baseline|--report|--baseline|--dir)`)
	hintLine = regexp.MustCompile(`(?m)^hint: (.*)$`)
	aFlag    = regexp.MustCompile(`^(?:such as )?` +
		`((?:(?:-t|--dim|--from|--color-by|--line|--tensor) [\w=,]*[a-z0-9][\w=,]* ?)+)`)
	arguments = regexp.MustCompile(`^(?:write |write SHAPE FROM TO, such as )([0-9][0-9x]+(?: [A-Za-z].*)?)$`)
	aText     = regexp.MustCompile(`^(?:such as |did you mean |write )(\w+)(?:[,;?]|$)`)
)

// proposed returns what a hint says to type, and of what kind that is; nil if it is words alone.
func proposed(c call, stderr, hint string) (kind string, args []string) {
	if line, ok := strings.CutPrefix(hint, "layoutcalc "); ok && !strings.Contains(line, " lists ") {
		return "line", words(line)
	}
	if m := aFlag.FindStringSubmatch(hint); m != nil {
		return "flag", append(slices.Clone(c.args), strings.Fields(m[1])...)
	}
	if m := arguments.FindStringSubmatch(hint); m != nil {
		return "arguments", append(c.args[:1:1], words(m[1])...)
	}
	texts := strings.Split(stderr, "\n")
	if m := aText.FindStringSubmatch(hint); m != nil && len(texts) > 1 {
		if at := slices.Index(c.args, strings.TrimPrefix(texts[1], "  ")); at >= 0 {
			args = slices.Clone(c.args)
			args[at] = m[1]
			return "text", args
		}
	}
	return "words", nil
}
