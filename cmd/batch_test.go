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

// TestBatchIsCalls runs each command on the lines of all transcripts in one batch. Each line of the output must equal
// the answer of a separate call, with JSON on one line, and its message must be among the batch's messages.
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

// alone returns the expected answer of a batch for a line, and the expected message.
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
	if _, meant, isMeant := strings.Cut(stderr+out, "read as layoutcalc "+name); isMeant {
		meant, _, _ = strings.Cut(meant, "\n")
		for _, other := range strings.Split(meant, " -o ")[1:] {
			if !strings.HasPrefix(other, form) {
				return none, "-o is for all lines of a batch"
			}
		}
		out = strings.Replace(out, " -o "+form, "", 1)
	}
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
	case strings.Contains(line, "{1,2}x"):
		return none, "braces make several rows, and a line of a batch has one answer"
	case slices.Contains(words, "--get"):
		out = strings.ReplaceAll(strings.TrimSuffix(out, "\n"), "\n", "\t")
	case strings.Count(out, "\n") > 1:
		return none, "the answer has more than one line"
	}
	return strings.TrimSuffix(out, "\n"), ""
}

// oneLine returns a JSON document on one line, with a space after each comma and colon between values.
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

// transcriptLines returns for each command its arguments in the transcripts.
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

// TestBatchNotes has more notes than standard error shows. The answers have all of them.
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

// TestBatchLongLines reads lines around the limit, and the lines after them.
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

// TestBatchLongAnswers has answers that are longer than one write.
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

// Endless is an input with endless lines.
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
