package cmd_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"layoutcalc/cmd"
	"layoutcalc/layout/layouttest"
	"layoutcalc/render"
)

// seeds are command lines with a space between words.
var seeds = strings.Split(`
--help
--version
help strides
version -o json
completion bash
completion bsh
__complete strides 2x3x4x5 N
__complete strides 2x3 --pad H
strides 1x3x224x224 NHWC
strides [1,3,5] -o json
strides torch.Size([1,3]) --color always
strides N=1,H=4,W=4,C=3
strides 1x4x4x3 --order NHWC -o csv
strides 1x17x4x4 nChw16c -o markdown
strides 32x16x3x3 OIhw4i16o4i -o plain
strides 3x3 --strides 2,2 --width 30
strides 2x3 --strides -3,1 --storage-offset 9
strides 1x1x3x5 --pitch H=64 --pad W=3 --get tensor.bytes
strides 2x3 --align H=16B --broadcast W -t u4
strides 9223372036854775807x2
strides 2xq
stride 2x3
strides 2x3 --stride 3
strides 2x3 -t flaot32
size 1x3x224x224 -t float16
size 30x30 --rank 6 -t int4 -o json
size [] -o table
size 0x3
offset 2x2x3 DHW 1,0,1
offset 2x3 --pitch H=5
offset 2x3 --pitch H=5 --at 4
offset 2x3 --at -1,6 -o json
offset 2x3 --at -
offset 2x3 - -o csv
offset 2x3 --values 1,2,3,4,5,6
offset 2x3 --values index -o markdown
offset 2 --values é,Д
offset 2x3 --range -3:9 -o json
offset 40x40 --all
offset 2x3 --all=maybe
offset 50x50 -o csv
offset 99999x99999 --all -o csv
offset 2x3 HW H=1,W=2 0,0 --get results.1.offset
convert 1x3x2x2 NCHW NHWC --moves
convert 1x3x224x224 NCHW NCHW16c -o json
convert 2x3 HW 1,2 -o csv
view 1x2x3x4 [:,:,:,2] reshape(3,2) contiguous()
view 2x3x4 permute(0,2,1) view(-1) -o json
view 1x3x8x8 NHWC [...,1:5,::2] flip(C) -o markdown
strides 2x3x4 --view transpose(0,1) --view [::-1]
compare 2x3x4x5 NCHW NHWC -o json
compare 20x4x128 512,128,1 512,1,4
compare 1x8x4x4 NCHW8c NHWC -o plain
access 8x64 -t f16 --lanes 0=8 --vec 8 --banks
compare 8x64 row-major row-major --swizzle 3,3,3 --infer-swizzle
compare 2x3 --values 0,1,2,3,4,5 -o csv
access 2x3x4 --loops 2,0 --loops 0,1,2 --cache-line 8 --cache-lines 2
access 32x32 --lanes 0=32 --lanes 1 --all --try swizzles -o json
access 2x3x5x7 NHWC --lanes H=2,W --start 0,1,0,0 --sectors -o csv`[1:], "\n")

// A bounded writer takes a mebibyte, which is more than any answer without rows has.
type bounded struct {
	bytes.Buffer
	full bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.full = b.full || b.Len()+len(p) > 1<<20; b.full {
		return 0, errors.New("full")
	}
	return b.Buffer.Write(p)
}

// goWords are words of Go's messages to programmers.
var goWords = regexp.MustCompile(`strconv|runtime|%!|\b0x[0-9a-f]{6}|goroutine|panic|nil pointer|` +
	`invalid syntax|EOF|errors\.|pflag|accepts|required`)

var colors = regexp.MustCompile("\x1b\\[[0-9;]*m")

// FuzzRun runs any words, one per line, with any input. It checks that the program never panics, that exit codes have
// their documented meaning, that bad usage writes only a message, and that no output can control a terminal.
func FuzzRun(f *testing.F) {
	for _, line := range seeds {
		f.Add(strings.ReplaceAll(line, " ", "\n"), "0,1\n1,2\n")
	}
	f.Add("strides\n1 x 3\nNHWC", "")
	f.Add("view\n0\n[ ]reshape", "") // the steps that worked are above the message
	f.Add("offset\n--batch\n-\n-o\njson", "2x3 0,1\n\n2xq\n2x3 '--at' 7 # no\n")
	f.Add("offset\n--batch\n-\n-o\njson", "2x3 0,1\n\n2xq\n2x3 '--at'# n 7 # no\n")
	f.Add("offset\n2x3\n--at\n-\n--color\nalways", "4\n\nx\n")
	f.Add("-0", "0,1\n@,2\n") // check reads standard input
	f.Add("strides\n\x1b[2J\u202e\xff", "")
	f.Fuzz(func(t *testing.T, words, in string) {
		defer layouttest.Limit(t, len(words)+len(in))()
		args := strings.Split(words, "\n")
		isDirectory := func(arg string) bool {
			info, err := os.Stat(arg)
			return err == nil && info.IsDir()
		}
		if len(words) > 2000 || tooLong(words) || slices.ContainsFunc(args, isDirectory) {
			t.Skip("would take long, and not differ")
		}
		var out bounded
		var stderr bytes.Buffer
		input := strings.NewReader(in)
		code := cmd.Run(args, cmd.Streams{In: input, Out: &out, Err: &stderr, Env: noEnv})
		isRead := input.Len() < len(in) || strings.Contains("\n"+words+"\n", "\n-\n")
		checkRun(t, code, words+in, &out, worded(colors.ReplaceAllString(stderr.String(), "")), args, isRead)
	})
}

// tooLong reports whether the words describe a call that takes seconds: strides without an order for many axes, or one
// field of a great many results.
func tooLong(words string) bool {
	if strings.Contains(words, "-strides") && strings.Count(words, ",") > 12 {
		return true
	}
	product := 1.0
	for _, digits := range numbers.FindAllString(words, -1) {
		n, _ := strconv.ParseFloat(digits, 64)
		product *= n + 1
	}
	return strings.Contains(words, "-get") && product > 1e5
}

var numbers = regexp.MustCompile(`[0-9]+`)

func checkRun(t *testing.T, code int, given string, out *bounded, stderr string, args []string, isRead bool) {
	t.Helper()
	isReport := isRead && strings.Contains(out.String(), "error") // of check
	switch {
	case code < 0 || code > 3:
		t.Errorf("exit %d", code)
	case (code == 3) != out.full:
		t.Errorf("exit %d, output full: %v", code, out.full)
	case code == 2 && out.Len() > 0 && !isRead:
		t.Errorf("exit 2 with output %.200q", out.String())
	case code == 2 && !isReport && !strings.Contains("\n"+stderr, "\nlayoutcalc: ") &&
		!strings.HasPrefix(stderr, "usage: "):
		t.Errorf("exit 2 says %q", stderr)
	case code < 2 && stderr != "" && !strings.HasPrefix(stderr, "note: ") && !strings.HasPrefix(args[0], "__complete"):
		t.Errorf("exit %d says %q", code, stderr)
	case code < 2 && strings.HasPrefix(out.String(), "{\n  \"schemaVersion\"") && !json.Valid(out.Bytes()):
		t.Errorf("no JSON: %.200s", out.String())
	}
	if word := goWords.FindString(stderr); word != "" && !strings.Contains(render.Clean(given), word) {
		t.Errorf("says %q: %s", word, stderr)
	}
	checkHarmless(t, stderr)
	if args[0] != "completion" && !strings.HasPrefix(args[0], "__complete") {
		checkHarmless(t, colors.ReplaceAllString(out.String(), ""))
	}
}

// checkHarmless checks that text is UTF-8 without control characters, except line ends, and without direction marks.
func checkHarmless(t *testing.T, text string) {
	t.Helper()
	for i, r := range text {
		_, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n == 1 || unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r) {
			t.Errorf("%q at %d of %.300q", text[i:i+n], i, text)
			return
		}
	}
}
