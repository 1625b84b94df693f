package cmd_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/ruledocs"
)

// checkIn runs check in a directory of these files.
func checkIn(t *testing.T, f files, stdin string, args ...string) result {
	t.Helper()
	dir := t.TempDir()
	f.write(t, dir)
	t.Chdir(dir)
	return runWith(strings.NewReader(stdin), nil, append([]string{"check"}, args...)...)
}

// TestFixRandom fixes inputs made of parts that must stay and values with one right number. Everything except these
// values must stay the same, byte for byte.
func TestFixRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	for i := range 200 {
		if i%layouttest.Step() != 0 {
			continue
		}
		var before, after strings.Builder
		both := func(text string) { before.WriteString(text); after.WriteString(text) }
		value := func(wrong, right int) { fmt.Fprint(&before, wrong); fmt.Fprint(&after, right) }
		both("version: 1\ntarget: none\ntensors:" + pick("\n", "  # 20\n", "\r\n"))
		for i := range 1 + rng.IntN(4) {
			h, w, c := 2+rng.IntN(4), 2+rng.IntN(4), 2+rng.IntN(4)
			need := 4 * h * w * c
			if rng.IntN(3) == 0 {
				before.WriteString("  # layoutcalc:ignore gaps old" + pick("\n", "\r\n"))
			}
			both(fmt.Sprintf("  t%d: {dtype: float32, sizes:%s[1, %d, %d, %d],", i, pick(" ", "  "), c, h, w))
			if rng.IntN(2) == 0 {
				both(pick(" ", "\n    ") + "strides: [" + pick("", " "))
				value(h*w*c, h*w*c) // of size 1
				for k, right := range []int{1, w * c, c} {
					both(pick(",", " , ", ",\n      "))
					value([]int{h * w, w, 1}[k], right)
				}
				both("], expect: {layout: NHWC}, ")
			}
			both(pick(" ", "\n    ") + "totalBytes: ")
			value(pickInt(rng, 4, need-4, need), need)
			both(pick("}", " }  # 4", "}\t") + pick("\n", "\r\n"))
		}
		r := checkIn(t, files{"a.layoutcalc.yaml": before.String()}, "", "--fix", "a.layoutcalc.yaml")
		if got, _ := os.ReadFile("a.layoutcalc.yaml"); string(got) != after.String() {
			t.Fatalf("%s\nbecomes\n%s\nwant\n%s\n%s", before.String(), got, after.String(), r.out+r.stderr)
		}
	}
}

func pickInt(rng *rand.Rand, list ...int) int { return list[rng.IntN(len(list))] }

// TestFixTwice fixes all files of testdata. A second call must change nothing, and the first must not add findings.
func TestFixTwice(t *testing.T) {
	layouttest.SkipUnlessAll(t, "the input is large")
	dir := t.TempDir()
	if err := os.CopyFS(dir, notLinks{os.DirFS("../testdata")}); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	run := func(args ...string) (result, map[string]int) {
		r := runWith(strings.NewReader(""), nil, append([]string{"check", "."}, args...)...)
		var answer struct{ Summary map[string]int }
		if slices.Contains(args, "json") && json.Unmarshal([]byte(r.out), &answer) != nil {
			t.Fatal(r.out, r.stderr)
		}
		return r, answer.Summary
	}
	_, before := run("-o", "json")
	r, after := run("--fix", "-o", "json")
	if strings.Contains(r.out, `"fixed": 0,`) || after["error"] >= before["error"] ||
		after["warning"] > before["warning"] {
		t.Errorf("%v becomes %v", before, after)
	}
	if r, _ := run("--diff"); r.out != "" || strings.Contains(r.stderr, "would fix") {
		t.Errorf("--diff exits %d: %s%s", r.code, r.out, r.stderr)
	}
}

// notLinks is a directory without its links.
type notLinks struct{ fs.FS }

func (n notLinks) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(n.FS, name)
	return slices.DeleteFunc(list, func(e fs.DirEntry) bool { return e.Type()&fs.ModeSymlink != 0 }), err
}

// TestFixDocumented compares the rules that the documentation calls fixable with the findings in their examples.
func TestFixDocumented(t *testing.T) {
	for _, rule := range ruledocs.Texts() {
		if strings.HasPrefix(rule.Bad, "# ") || strings.HasPrefix(rule.Bad, "ir_version") {
			if strings.Contains(rule.Fix, "--fix") {
				t.Errorf("%s: an example of other kind of file", rule.Name)
			}
			continue
		}
		parts := strings.Split(rule.Bad, " beside ")
		content, ending := exampleFile(t, parts[0])
		all := files{"a" + ending: content}
		for _, part := range parts[1:] {
			name, of, _ := strings.Cut(part, ": ")
			all[name], _ = exampleFile(t, of)
		}
		r := checkIn(t, all, "", "a"+ending, "-o", "jsonl", "--severity", "note")
		isFixable := false
		for line := range strings.Lines(r.out) {
			isFixable = isFixable || strings.Contains(line, `"rule": "`+rule.Name+`"`) &&
				strings.Contains(line, `"fixable": true`)
		}
		if says := strings.Contains(rule.Fix, "check --fix"); says != isFixable {
			t.Errorf("%s: the page says %t, the example %t", rule.Name, says, isFixable)
		}
	}
}
