package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/layout/layouttest"
)

// callOf runs arguments with an input.
func callOf(in string, args ...string) (code int, out, stderr string) {
	var o, e bytes.Buffer
	env := func(string) string { return "" }
	code = Run(args, Streams{In: strings.NewReader(in), Out: &o, Err: &e, Env: env})
	return code, o.String(), e.String()
}

// TestBatchIsCalls has each command answer the lines of all transcripts in one batch: each line of the output is what
// the call alone answers, JSON without its line breaks, and its message is among those of the batch.
func TestBatchIsCalls(t *testing.T) {
	t.Chdir("..")
	lines := transcriptLines(t)
	for _, form := range []string{"plain", "json"} {
		for _, name := range []string{"strides", "offset", "size", "view", "compare", "convert"} {
			_, out, stderr := callOf(strings.Join(lines[name], "\n"), name, "-o", form, "--batch", "-", "--batch-files")
			answers := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			if len(answers) != len(lines[name]) || len(answers) < 10 {
				t.Fatalf("%s -o %s has %d answers to %d lines", name, form, len(answers), len(lines[name]))
			}
			for i, line := range lines[name] {
				if i%layouttest.Step() != 0 {
					continue
				}
				answer, message := alone(t, name, form, line)
				if diff := cmp.Diff(answer, answers[i]); diff != "" {
					t.Errorf("%s -o %s of %s (-call +batch):\n%s", name, form, line, diff)
				}
				if !strings.Contains(stderr, message) {
					t.Errorf("%s -o %s of %s does not say %q", name, form, line, message)
				}
			}
		}
	}
}

// alone returns what the batch is to have of a call, and what it is to say.
func alone(t *testing.T, name, form, line string) (answer, message string) {
	none := map[string]string{"json": "null"}[form]
	words, err := splitLine(nil, line)
	if err != nil {
		t.Fatal(err)
	}
	if at := slices.Index(words, "-o"); at >= 0 && words[at+1] != form {
		return none, "-o is for all lines of a batch"
	}
	code, out, stderr := callOf("", slices.Concat([]string{name, "-o", form}, words)...)
	switch {
	case code == 2 && form == "json":
		_, message, _ = strings.Cut(stderr, `"message": `)
		message, _, _ = strings.Cut(message, `, "hint"`)
		return none, message
	case code == 2:
		_, message, _ = strings.Cut("\n"+stderr, "\nlayoutcalc: ")
		message, _, _ = strings.Cut(message, "\n")
		return none, message
	case strings.HasPrefix(out, "{\n"):
		out = oneLine(t, out)
	case strings.Count(out, "\n") > 1:
		return none, "the answer has more than one line"
	}
	return strings.TrimSuffix(out, "\n"), ""
}

// oneLine returns a document of JSON on one line, with a blank after each comma and colon between values.
func oneLine(t *testing.T, document string) string {
	var b strings.Builder
	for line := range strings.Lines(document) {
		line = strings.TrimSpace(line)
		if strings.HasSuffix(line, ",") {
			line += " "
		}
		b.WriteString(line)
	}
	if !json.Valid([]byte(b.String())) {
		t.Fatalf("not JSON: %s", b.String())
	}
	return b.String()
}

// transcriptLines returns for each command what comes after it in the transcripts.
func transcriptLines(t *testing.T) map[string][]string {
	files, err := filepath.Glob("testdata/*.golden")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	lines := map[string][]string{}
	for _, file := range files {
		if filepath.Base(file) == "pictures.golden" {
			continue // it writes files: TestDrawingBatch
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, _, _ := strings.Cut(string(data), "\n=== ") // cases below have files
		for line := range strings.Lines(text) {
			call, isCall := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "$ layoutcalc ")
			name, rest, _ := strings.Cut(call, " ")
			words, err := splitLine(nil, rest)
			if !isCall || err != nil || len(words) == 0 || strings.Contains(rest, "#") {
				continue
			}
			other := slices.ContainsFunc(words, func(w string) bool {
				return slices.Contains(strings.Fields("- | < -h --help --in --out --batch"), w)
			})
			if !other && name == "offset" {
				rest = strings.Replace(rest, "224x224", "22x24", 1) // all offsets of the image, and fewer than 300,000
			}
			if !other {
				lines[name] = append(lines[name], rest)
			}
		}
	}
	return lines
}

func TestBatch(t *testing.T) {
	const usual = "1x3x2x2 NHWC\n"
	mark, answer := "\uFEFF", "12,1,6,3\n"
	tests := []struct {
		reason, args, in string
		code             int
		out, says        string // says is a part of what is on standard error
	}{
		{reason: "a line", args: "strides", in: usual, out: answer},
		{reason: "no line", args: "strides"},
		{reason: "no final newline", args: "strides", in: "1x3x2x2 NHWC", out: answer},
		{reason: "CRLF", args: "strides", in: "1x3x2x2 NHWC\r\n2x3\r\n", out: answer + "3,1\n"},
		{reason: "a mark of UTF-8", args: "strides", in: mark + usual, out: answer},
		{reason: "UTF-16", args: "strides", in: utf16Text(mark+usual, false), out: answer},
		{reason: "UTF-16, big-endian", args: "strides", in: utf16Text(mark+usual, true), out: answer},
		{reason: "UTF-16 without a mark", args: "strides", in: utf16Text(usual+usual, false), out: answer + answer},
		{reason: "big-endian too", args: "strides", in: utf16Text(usual+usual, true), out: answer + answer},
		{
			reason: "UTF-16 with half a character at its end", args: "strides", in: utf16Text(mark+usual, false) + "2",
			code: 2, out: answer + "\n", says: "line 2: ",
		},
		{
			reason: "a character of two units", args: "strides", in: utf16Text(mark+"2x3 # 𝄞\n"+usual, false),
			out: "3,1\n" + answer,
		},
		{
			reason: "blank lines and comments keep their place", args: "strides", in: "\n# 2x3\n \t\n2x3 # two\n",
			out: "\n\n\n3,1\n",
		},
		{
			reason: "a type in place of a layout", args: "strides", code: 2,
			in: "2x3x4x5x6x7 --layout single\n2x3x4x5x6x7 single\n", out: "\n2520,840,210,42,7,1\n",
			says: `line 1: "single" is an element type, not a layout`,
		},
		{reason: "null in JSON Lines", args: "strides -o json", in: "\n#\n", out: "null\nnull\n"},
		{reason: "an answer that is empty", args: "strides", in: "[]\n2x3\n", out: "\n3,1\n"},
		{reason: "an answer without a line", args: "offset", in: "0x3\n2x3 1,0\n", out: "\n3\n"},
		{
			reason: "a bad line", args: "strides", in: "2x3\n2xq\n3x2\n", code: 2, out: "3,1\n\n2,1\n",
			says: "layoutcalc: line 2: \"q\" is not a size\n  2xq\n    ^\nhint: such as 1x3x224x224\n",
		},
		{
			reason: "a bad line, and errors in JSON", args: "size -o json --get bytes", in: "2x3\n2xq\n", code: 2,
			out: "24\n\n",
			says: `{"schemaVersion": 1, "error": {"message": "\"q\" is not a size", "hint": "such as 1x3x224x224", ` +
				`"path": null, "line": 2, "input": "2xq", "offset": 2, "notes": []}}` + "\n",
		},
		{
			reason: "bad flags", args: "strides", in: "2x3 --pithc H=4\n", code: 2, out: "\n",
			says: "write 2x3 --pitch H=4",
		},
		{
			reason: "two layouts with an arrow", args: "compare", in: "1x3x4x5 NCHW->NHWC\n", code: 2, out: "\n",
			says: "hint: write 1x3x4x5 NCHW NHWC\n",
		},
		{
			reason: "two layouts for a command of one", args: "strides", in: "1x3x4x5 NCHW->NHWC\n", code: 2, out: "\n",
			says: "hint: convert and compare take two layouts: SHAPE NCHW NHWC\n",
		},
		{
			reason: "a bad value", args: "strides", in: "2x3 -t flat32\n", code: 2, out: "\n",
			says: "line 1: --dtype: ",
		},
		{
			reason: "a flag without a value", args: "strides", in: "2x3 -t\n", code: 2, out: "\n",
			says: "--dtype needs a value",
		},
		{reason: "flags without arguments", args: "strides", in: "-q\n", code: 2, out: "\n", says: "no arguments"},
		{reason: "words of quotes", args: "strides", in: "'2x3' H\"W\" --pitch=W\\=2\n", out: "6,2\n"},
		{
			reason: "an open quote", args: "strides", in: "2x3 'HW\n2x3", code: 2, out: "\n3,1\n",
			says: "not closed\n  2x3 'HW\n      ^",
		},
		{
			reason: "a zero byte", args: "strides", in: "2x\x003\n2x3", code: 2, out: "\n3,1\n",
			says: "line 1: a zero byte, and no argument can have one\n  2x\\x003\n    ^",
		},
		{
			reason: "a backslash at the end", args: "strides", in: "2x3 \\\n", code: 2, out: "\n",
			says: "ends with a backslash",
		},
		{reason: "an empty word", args: "strides", in: "''\n", code: 2, out: "\n", says: "line 1: "},
		{
			reason: "flags of the run are those of all lines", args: "size -t f16 --pitch H=8",
			in: "2x3\n2x3 -t u8\n2x3\n", out: "24\n12\n24\n",
		},
		{
			reason: "flags of a line are its own", args: "strides", out: "8,1\n3,1\n0,0\n3,1\n3,1\n",
			in: "2x3 HW --pitch H=8\n2x3\n2x3 HW --broadcast H,W\n2x3\n2x3 HW --order HW\n",
		},
		{
			reason: "values of names too", args: "offset --at 21 --dim s7=4", code: 1, out: "4,1\nx\n",
			in: "'f32[s7, 5][5, 1]' --dim s7=9\n'f32[s7, 5][5, 1]'\n",
		},
		{
			reason: "an answer that is no", args: "compare", in: "2x3 HW WH\n2x3 HW HW\n", code: 1,
			out: "different\nsame\n",
		},
		{reason: "a bad line is worse", args: "compare", in: "2x3 HW WH\n2x3\n", code: 2, out: "different\n\n"},
		{
			reason: "many indices", args: "offset", in: "2x3 0,1 1,1\n2x3 0,1\n", code: 2, out: "\n1\n",
			says: "more than one line",
		},
		{
			reason: "many lines of no end", args: "offset", in: "99999x99999\n2x3 0,1\n", code: 2, out: "\n1\n",
			says: "-o json",
		},
		{
			reason: "standard input is taken", args: "offset", in: "2x3 -\n0,1\n", code: 2, out: "\n\n",
			says: "can be read once",
		},
		{reason: "help", args: "strides", in: "--help\n-h\n", code: 2, out: "\n\n", says: "--help cannot be in a line"},
		{
			reason: "a batch in a batch", args: "strides", in: "--batch x\n", code: 2, out: "\n",
			says: "--batch cannot be in",
		},
		{
			reason: "data in a line", args: "convert", in: "2x3 HW WH --in x --out y\n", code: 2, out: "\n",
			says: "moves data",
		},
		{
			reason: "half of that", args: "convert", in: "2x3 HW WH --force\n", code: 2, out: "\n",
			says: "--force is for data",
		},
		{
			reason: "another form", args: "strides", in: "2x3 -o json\n", code: 2, out: "\n",
			says: "-o is for all lines",
		},
		{reason: "the same form", args: "strides", in: "2x3 -o plain\n", out: "3,1\n"},
		{
			reason: "an argument of all lines", args: "strides NHWC", in: usual, code: 2,
			says: "NHWC is outside of them",
		},
		{
			reason: "a table", args: "strides -o table", in: usual, code: 2,
			says: "-o plain, or -o json for JSON Lines",
		},
		{reason: "rows", args: "strides -o csv", in: usual, code: 2, says: "-o plain, or -o json for JSON Lines"},
		{reason: "data", args: "convert --in x --out y", in: usual, code: 2, says: "--in moves data"},
		{
			reason: "a note is said once", args: "strides", in: "2x3\n1x224x224x3 NHWC\n1x224x224x3 NHWC\n",
			out: "3,1\n150528,1,672,224\n150528,1,672,224\n", says: "note: line 2: sizes read as N, C, H, W",
		},
		{
			reason: "notes that are not wanted", args: "strides -q", in: "1x224x224x3 NHWC\n",
			out: "150528,1,672,224\n",
		},
	}
	for _, tt := range tests {
		code, out, stderr := callOf(tt.in, slices.Concat(strings.Fields(tt.args), []string{"--batch", "-"})...)
		quiet := tt.says == "" && tt.code != 2
		if code != tt.code || out != tt.out || !strings.Contains(stderr, tt.says) || quiet && stderr != "" {
			t.Errorf("%s: exit %d, %q, says\n%s", tt.reason, code, out, stderr)
		}
		if n := strings.Count(stderr, "note:"); n > 1 {
			t.Errorf("%s: %d notes", tt.reason, n)
		}
	}
}

// utf16Text returns a text in UTF-16.
func utf16Text(text string, big bool) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		pair := []byte{byte(unit), byte(unit >> 8)}
		if big {
			slices.Reverse(pair)
		}
		b = append(b, pair...)
	}
	return string(b)
}

// TestBatchNotes has more notes than are said, and all of them in the answers.
func TestBatchNotes(t *testing.T) {
	var in strings.Builder
	for i := range 3 * maxNotes {
		fmt.Fprintf(&in, "99x999 --at 1,%d\n", i)
	}
	_, _, stderr := callOf(in.String(), "offset", "--batch", "-", "--get", "results")
	if n := strings.Count(stderr, "note: "); n != maxNotes+1 || !strings.HasSuffix(stderr, "with each answer\n") {
		t.Errorf("%d notes:\n%s", n, stderr)
	}
	_, out, stderr := callOf(in.String(), "offset", "--batch", "-", "-o", "json")
	if n := strings.Count(out, "an index goes without --at"); n != 3*maxNotes || stderr != "" {
		t.Errorf("%d notes in JSON, and %s", n, stderr)
	}
}

// TestBatchLongLines reads lines around the limit, and what is after them.
func TestBatchLongLines(t *testing.T) {
	for _, n := range []int{64<<10 - 1, 64 << 10, 64<<10 + 1, maxLine, maxLine + 1, maxLine + 2, 3 * maxLine} {
		long := "2x3" + strings.Repeat(" ", n-3)
		for _, end := range []string{"\n", "\r\n"} {
			code, out, stderr := callOf(long+end+"2x5"+end, "strides", "--batch", "-")
			if isLong := n > maxLine; isLong && (code != 2 || out != "\n5,1\n") ||
				!isLong && (code != 0 || out != "3,1\n5,1\n" || stderr != "") {
				t.Errorf("%d bytes: exit %d, %q, says %s", n, code, out, stderr)
			}
		}
	}
	code, out, stderr := callOf("2x3 "+strings.Repeat("x", maxLine-4)+"\n2x5\n", "strides", "--batch", "-")
	if code != 2 || out != "\n5,1\n" || len(stderr) > 1000 {
		t.Errorf("exit %d, %q, says %.2000s", code, out, stderr)
	}
}

// TestBatchLimit has answers that are longer than the limit, by default and with a flag. They are errors, and the lines
// beside them have their answers.
func TestBatchLimit(t *testing.T) {
	for _, tt := range []struct {
		line string
		args []string
		code int
	}{
		{"100000000000 --all", []string{"offset", "-o", "json"}, 2},
		{"100000000000 --all", []string{"offset", "--get", "results"}, 2},
		{"100000x100000 HW WH --moves", []string{"convert", "-o", "json"}, 2},
		{"300x300 --all", []string{"offset", "-o", "json"}, 2},
		{"300x300 --all", []string{"offset", "-o", "json", "--limit", "16M"}, 0},
		{"2x3", []string{"offset", "-o", "json", "--limit", "100"}, 2},
	} {
		code, out, stderr := callOf(tt.line+"\n\n", append(tt.args, "--batch", "-")...)
		isAnswer := len(out) > 20
		if code != tt.code || isAnswer != (code == 0) || strings.Contains(stderr, " bytes") != (code == 2) {
			t.Errorf("%s for %q: exit %d, %d bytes, says %s", tt.args, tt.line, code, len(out), stderr)
		}
	}
}

// TestBatchLongAnswers has answers that are longer than what is written at once.
func TestBatchLongAnswers(t *testing.T) {
	in := "300x300\n2x3 1,1\n300x300 --range 0:50000\n\n"
	code, out, stderr := callOf(in, "offset", "-o", "json", "--batch", "-", "--limit", "1G")
	answers := strings.Split(out, "\n")
	if code != 0 || len(answers) != 5 || answers[3] != "null" {
		t.Fatalf("exit %d, %d lines, says %s", code, len(answers), stderr)
	}
	for i, n := range []int{90000, 1, 50000} {
		var answer struct{ Results []struct{ Offset int } }
		if err := json.Unmarshal([]byte(answers[i]), &answer); err != nil || len(answer.Results) != n {
			t.Errorf("answer %d has %d results, not %d: %v", i, len(answer.Results), n, err)
		}
	}
}

// A failing writer takes a number of bytes.
type failing struct {
	left int
	err  error
}

func (w *failing) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, w.err
	}
	return len(p), nil
}

func TestBatchFullDisk(t *testing.T) {
	for _, left := range []int{0, 100_000} {
		for err, want := range map[error]int{syscall.ENOSPC: 3, syscall.EPIPE: 0} {
			var stderr bytes.Buffer
			lines := io.MultiReader(strings.NewReader(strings.Repeat("2x3\n", 50_000)), &endless{})
			code := Run([]string{"strides", "--batch", "-"}, Streams{
				In: lines, Out: &failing{left, err}, Err: &stderr, Env: func(string) string { return "" },
			})
			if code != want || (stderr.Len() > 0) != (want > 0) {
				t.Errorf("%v after %d bytes: exit %d, says %s", err, left, code, &stderr)
			}
		}
	}
}

// Endless is a text of lines without an end.
type endless struct{}

func (*endless) Read(p []byte) (int, error) { return copy(p, "2x3\n"), nil }

func TestSplitLine(t *testing.T) {
	tests := []struct {
		line string
		want []string
	}{
		{"", nil},
		{" \t ", nil},
		{"a b\tc", []string{"a", "b", "c"}},
		{"  a  ", []string{"a"}},
		{"# a", nil},
		{"a # b", []string{"a"}},
		{"a#b #c", []string{"a#b"}},
		{"'# a' \\# \"#\"", []string{"# a", "#", "#"}},
		{"'a b' \"c d\" e\\ f", []string{"a b", "c d", "e f"}},
		{"a'b c'd\"e f\"g", []string{"ab cde fg"}},
		{"'' \"\"", []string{"", ""}},
		{`'a\b' "a\b" "a\"b" "\$a\\" a\b \\`, []string{`a\b`, `a\b`, `a"b`, `$a\`, "ab", `\`}},
		{`"it's" 'say "x"'`, []string{"it's", `say "x"`}},
		{"f32[2,3]{1,0} (4,(2,2)):(2,(1,8)) $x *", []string{"f32[2,3]{1,0}", "(4,(2,2)):(2,(1,8))", "$x", "*"}},
	}
	for _, tt := range tests {
		got, err := splitLine(nil, tt.line)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v, (-want +got)\n%s", tt.line, err, diff)
		}
	}
}

// FuzzSplitLine splits words that have been quoted into themselves, and any line without a panic.
func FuzzSplitLine(f *testing.F) {
	f.Add("1x3 NHWC --at '0, 1' # comment")
	f.Add(`a\ b "c\"d" 'e'`)
	f.Fuzz(func(t *testing.T, line string) {
		defer layouttest.Limit(t, len(line))()
		words, err := splitLine(nil, line)
		if err != nil {
			return
		}
		quoted := ""
		for i, word := range words {
			if i%2 == 0 {
				quoted += " '" + strings.ReplaceAll(word, "'", `'\''`) + "'"
			} else {
				quoted += ` "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(word) + `"`
			}
		}
		again, err := splitLine(nil, quoted)
		if err != nil || !slices.Equal(words, again) {
			t.Errorf("%q becomes %q, quoted %s becomes %q: %v", line, words, quoted, again, err)
		}
	})
}

// BenchmarkBatch times the lines of a batch.
func BenchmarkBatch(b *testing.B) {
	for _, bb := range []struct{ name, args, line string }{
		{"name", "strides", "1x64x56x56 NHWC"},
		{"row-major", "strides", "1x64x56x56"},
		{"flags", "strides", "1x64x56x56 NHWC --pitch W=128 -t float16"},
		{"blocked", "strides", "1x17x56x56 NCHW16c"},
		{"json", "strides -o json", "1x64x56x56 NHWC"},
		{"size", "size", "1x64x56x56 NHWC"},
		{"offset", "offset", "1x64x56x56 NHWC 0,1,2,3"},
		{"at", "offset", "1x64x56x56 NHWC --at 77"},
		{"view", "view", "1x64x56x56 permute(0,2,3,1) reshape(3136,64)"},
		{"compare", "compare", "1x64x56x56 NCHW channels_last"},
		{"convert", "convert", "1x64x56x56 NCHW NHWC"},
		{"memref", "strides", "'memref<2x3xf32, strided<[3, 1]>>'"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			in := strings.Repeat(bb.line+"\n", b.N)
			if code, _, stderr := callOf(in, append(strings.Fields(bb.args), "--batch", "-")...); code > 1 {
				b.Fatalf("exit %d: %s", code, stderr)
			}
		})
	}
}

// TestBatchFiles: a line reads and writes no file unless the command line says so, and tells nothing of one.
func TestBatchFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"secret": "user:x:SECRET", "t.cfg": "2x3", "old.svg": "<svg ", "b": ""} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ command, line string }{
		{"strides", "@secret"}, {"strides", "secret"}, {"strides", "./t.cfg"}, {"strides", "2x3 --svg old.svg --force"},
		{"strides", "2x3 --html new.html"}, {"offset", "2x3 --at @secret"}, {"compare", "@t.cfg @t.cfg"},
		{"strides", "."},
		{"view", "2x3 @secret"},
	} {
		code, out, stderr := callOf(tt.line+"\n", tt.command, "--batch", "-", "-o", "json")
		if code != exitUsage || out != "null\n" || strings.Contains(stderr, "SECRET") ||
			!strings.Contains(stderr, "--batch-files beside --batch") {
			t.Errorf("%s of %s: %d, %s%s", tt.command, tt.line, code, out, stderr)
		}
	}
	if old, _ := os.ReadFile("old.svg"); string(old) != "<svg " {
		t.Errorf("the picture is replaced by %.20q", old)
	}
	for line, want := range map[string]string{
		"2x3 --batch-files": "--batch-files cannot be in a line of a batch", "2x3": "", "@missing": "no such file",
	} {
		_, _, stderr := callOf(line+"\n", "strides", "--batch", "-")
		if !strings.Contains(stderr, want) || (want == "") != (stderr == "") {
			t.Errorf("%s says %q", line, stderr)
		}
	}
	code, out, _ := callOf("@t.cfg --svg new.svg\n2x3 --svg b --force\n", "strides", "--batch", "b", "--batch-files")
	if code != exitFine || out != "" {
		t.Errorf("an empty batch: %d, %s", code, out)
	}
	lines := "@t.cfg --svg new.svg\n4x5 --svg old.svg\n2x3 --svg t.cfg --force\n2x3 --svg b --force\n"
	if err := os.WriteFile("b", []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, stderr := callOf("", "strides", "--batch", "b", "--batch-files")
	batch, _ := os.ReadFile("b")
	spared := strings.Count(stderr, "which is read here") == 2 && string(batch) == lines
	if code != exitUsage || out != "3,1\n5,1\n\n\n" || !spared {
		t.Errorf("with files: %d, %s%s", code, out, stderr)
	}
	if code, _, _ := callOf("", "strides", "2x3", "--batch-files"); code != exitUsage {
		t.Errorf("--batch-files alone: %d", code)
	}
}
