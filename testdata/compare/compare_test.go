package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain makes the test binary a program to compare if it is called old or new. The two differ in one answer.
func TestMain(m *testing.M) {
	switch name := filepath.Base(os.Args[0]); name {
	case "old", "new":
		os.Exit(stub(name, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// stub answers a command line as layoutcalc might.
func stub(name string, args []string) (code int) {
	line := strings.Join(args, " ")
	switch {
	case slices.Contains(args, "all"):
		fmt.Println(`{"notations": [{"text": "(2,3):(3,1)"}]}`)
	case line == "explain -o json":
		fmt.Println(`{"topics": [{"name": "cute"}]}`)
	case line == "strides 12:30 -o json" && name == "new":
		fmt.Println("the same line\nanswer 7 of the new program")
		fmt.Fprintln(os.Stderr, "note: 12")
		return 1
	case line == "strides 12:30 -o json":
		fmt.Println("the same line\nanswer 5 of the old program")
		return 2
	case line == "strides late -o json":
		time.Sleep(time.Minute)
	default:
		fmt.Println(line)
	}
	return 0
}

// project writes a project with a corpus of lines, and the two stubs, and returns its directory.
func project(t *testing.T, lines string) (root string) {
	root = t.TempDir()
	program, err := os.Executable()
	for _, name := range []string{"testdata/a", "layout/notation/testdata"} {
		if err == nil {
			err = os.MkdirAll(filepath.Join(root, name), 0o777)
		}
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "layout/notation/testdata/foreign.txt"), []byte(lines), 0o666)
	}
	for _, name := range []string{"old", "new"} {
		if err == nil {
			err = os.Symlink(program, filepath.Join(root, name))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// TestDifference compares two programs that differ in one answer: exactly this one is reported.
func TestDifference(t *testing.T) {
	root := project(t, "2x3\n12:30\n4:5\n4:5\n")
	var out, errs bytes.Buffer
	code := run([]string{"-root", root, "-n", "36", root + "/old", root + "/new"}, &out, &errs)
	summary, difference, _ := strings.Cut(out.String(), "\n\n")
	total := strings.Fields(summary)
	want := "== 1 of 1: 1 with this change\n$ layoutcalc strides 12:30 -o json\nexit code 2 -> 1\n" +
		"- stdout: answer 5 of the old program\n+ stdout: answer 7 of the new program\n+ stderr: note: 12\n"
	if counts := strings.Join(total[len(total)-5:], " "); code != 1 || counts != "1 1 1 1 0" || difference != want {
		t.Errorf("exit %d, %s\n%s\nwant %s", code, errs.String(), out.String(), want)
	}
	out.Reset()
	if code := run([]string{"-root", root, "-n", "36", root + "/new", root + "/new"}, &out, &errs); code != 0 {
		t.Errorf("a program differs from itself: exit %d, %s\n%s", code, errs.String(), out.String())
	}
}

// TestLate compares programs of which each runs too long with one line.
func TestLate(t *testing.T) {
	root := project(t, "late\n")
	var out, errs bytes.Buffer
	args := []string{"-root", root, "-only", "corpora", "-limit", "300ms", root + "/old", root + "/new"}
	code := run(args, &out, &errs)
	want := "killed after the time limit (new): layoutcalc strides late -o json"
	if !strings.Contains(out.String(), want) {
		t.Errorf("exit %d, %s, no %q:\n%s", code, errs.String(), want, out.String())
	}
}

// TestMissingProgram compares a program with one that does not exist.
func TestMissingProgram(t *testing.T) {
	root := project(t, "2x3\n")
	var out, errs bytes.Buffer
	code := run([]string{"-root", root, "-only", "corpora", root + "/old", root + "/none"}, &out, &errs)
	if code != 2 || errs.Len() == 0 {
		t.Errorf("exit %d, want 2: %s", code, errs.String())
	}
}

// TestGenerate wants the same lines of the same seed, other lines of another seed, and no line that writes files.
func TestGenerate(t *testing.T) {
	generated := func(seed uint64) string {
		texts := []string{"--out", "f32[2,3]{1,0}", "memref<2x3xf32>"}
		g, err := newGenerator(seed, texts, func(args ...string) (string, error) {
			if args[0] == "explain" {
				return `{"topics": [{"name": "cute"}]}`, nil
			}
			return `{"notations": [{"text": "(2,3):(3,1)"}]}`, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		lines := ""
		for _, c := range g.calls(3000) {
			lines += c.String() + "\n"
		}
		return lines
	}
	lines := generated(1)
	if lines != generated(1) || lines == generated(2) {
		t.Error("the seed does not decide the lines")
	}
	for _, k := range kinds {
		n := strings.Count("\n"+lines, "\nlayoutcalc "+k.command+" ")
		if n < 220 || n > 280 { // 3000 / 12, and some are wrong
			t.Errorf("%d lines of %s", n, k.command)
		}
	}
	for line := range strings.Lines(lines) {
		if strings.Contains(line, " --out ") {
			t.Errorf("a line writes a file: %s", line)
		}
	}
}

// TestTranscript reads cases: each call has the files above it, also those of all cases.
func TestTranscript(t *testing.T) {
	calls, err := transcript(`# Prose.

$ layoutcalc explain
-- a --
x

=== one
-- b --
y
$ layoutcalc size - < b
12
$ cat b
y
-- c --
$ cd d && layoutcalc size 2x3 --buffer '1
> 2'

=== two
$ layoutcalc version
`)
	var got []string
	for _, c := range calls {
		names := ""
		for _, b := range c.files {
			names += b.Text
		}
		got = append(got, fmt.Sprintf("%q %s %s", c.args, c.dir, names))
	}
	want := []string{
		`["explain"]  `, `["size" "-"]  -- a ---- b --`, `["size" "2x3" "--buffer" "1\n2"] d -- a ---- b ---- c --`,
		`["version"]  -- a --`,
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("is   %q, %v\nwant %q", got, err, want)
	}
}

// TestParse reads command lines of transcripts.
func TestParse(t *testing.T) {
	for line, want := range map[string]string{
		`layoutcalc size 2x3 '|' "a b" \<`:                `[] ["size" "2x3" "|" "a b" "<"] "" ""`,
		`A=1 layoutcalc strides - < dir/in.txt | head -2`: `["A=1"] ["strides" "-"] "" "dir/in.txt"`,
		`printf '2x3\n' | layoutcalc strides -`:           `[] ["strides" "-"] "2x3\n" ""`,
		`seq 8 10 | layoutcalc offset 10x10 --at -`:       `[] ["offset" "10x10" "--at" "-"] "8\n9\n10\n" ""`,
		`cat a.json | layoutcalc check -`:                 `[] ["check" "-"] "" "a.json"`,
	} {
		c, err := parse(line)
		if got := fmt.Sprintf("%q %q %q %q", c.env, c.args, c.stdin, c.input); err != nil || got != want {
			t.Errorf("%s\nis   %s, %v\nwant %s", line, got, err, want)
		}
	}
	for _, line := range []string{"layoutcal x", "ls | layoutcalc strides -"} {
		if c, err := parse(line); err == nil {
			t.Errorf("%s is read as %v", line, c)
		}
	}
}
