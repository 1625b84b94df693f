package cmd_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/cmd"
	"layoutcalc/layout/layouttest"
)

// A firstLine is what people type before they have read any help, and what has to come of it.
type firstLine struct {
	typed []string // lines as a shell takes them, with the same answer
	code  int
	says  []string // what the answer or the error has
	never []string // what neither has
	then  []string // what the answers to the proposed lines have
	tries bool     // the error has to propose a line
}

// TestFirstLines types the lines of testdata/firstlines, which has a file for each subject, in the directory of the
// project. Lines that start with "$ " are typed; several in a row have the same answer. Below them are "exit N", 0
// unless it is given, "= TEXT" for what standard output or standard error has, "! TEXT" for what neither has, and
// "> TEXT" for what the answer to the proposed line has. Every line that an error proposes has to answer; where there
// is a ">", with or without a text, it has to propose one. A line with "< FILE" reads the file.
func TestFirstLines(t *testing.T) {
	t.Chdir("..")
	files, err := filepath.Glob("cmd/testdata/firstlines/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no lines: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			for i, line := range firstLines(t, file) {
				if i%layouttest.Step() != 0 {
					continue
				}
				for _, typed := range line.typed {
					line.try(t, typed)
				}
			}
		})
	}
}

// firstLines reads a file of lines.
func firstLines(t *testing.T, file string) (list []firstLine) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var line firstLine
	isTyped := false // the line before is typed
	for text := range strings.Lines(string(data)) {
		mark, rest, _ := strings.Cut(strings.TrimSuffix(text, "\n"), " ")
		if mark == "$" && !isTyped && line.typed != nil {
			list, line = append(list, line), firstLine{}
		}
		isTyped = mark == "$"
		switch mark {
		case "$":
			line.typed = append(line.typed, rest)
		case "exit":
			if line.code, err = strconv.Atoi(rest); err != nil {
				t.Fatalf("%s: %s", file, text)
			}
		case "=":
			line.says = append(line.says, rest)
		case "!":
			line.never = append(line.never, rest)
		case ">":
			line.then, line.tries = append(line.then, rest), true
		case "#", "":
		default:
			t.Fatalf("%s: no such mark: %s", file, text)
		}
	}
	return append(list, line)
}

// try types a line.
func (l *firstLine) try(t *testing.T, typed string) {
	t.Helper()
	r := typedLine(t, typed)
	said := r.out + worded(r.stderr)
	if r.code != l.code {
		t.Errorf("%s exits %d, want %d:\n%s", typed, r.code, l.code, said)
		return
	}
	for _, text := range l.says {
		if !strings.Contains(said, text) {
			t.Errorf("%s does not say %q:\n%s", typed, text, said)
		}
	}
	for _, text := range l.never {
		if strings.Contains(said, text) {
			t.Errorf("%s says %q:\n%s", typed, text, said)
		}
	}
	if r.code != 2 {
		return
	}
	if r.out != "" {
		t.Errorf("%s fails and writes\n%s", typed, r.out)
	}
	proposed := proposals(worded(r.stderr))
	if len(proposed) == 0 && l.tries {
		t.Errorf("%s proposes no line:\n%s", typed, said)
	}
	_, file, reads := strings.Cut(" "+typed, " < ")
	for _, next := range proposed {
		if reads {
			next += " < " + file
		}
		answer := typedLine(t, next)
		if answer.code > 1 {
			t.Errorf("%s proposes %s, which exits %d:\n%s", typed, next, answer.code, answer.stderr)
		}
		for _, text := range l.then {
			if !strings.Contains(answer.out+answer.stderr, text) {
				t.Errorf("%s proposes %s, which does not say %q:\n%s", typed, next, text, answer.out+answer.stderr)
			}
		}
	}
}

// proposals returns the lines to type in the hint of an error, without the name of the program. A hint may have
// several, one below the other.
func proposals(said string) (lines []string) {
	_, hint, _ := strings.Cut(said, "\nhint: ")
	for line := range strings.Lines(hint) {
		if command, ok := strings.CutPrefix(strings.TrimSpace(line), "layoutcalc "); ok {
			lines = append(lines, command)
		}
	}
	return lines
}

// words of a shell: quotes hold blanks, and a backslash holds what is after it.
var shellWord = regexp.MustCompile(`(?:'[^']*'|"[^"]*"|\\.|[^ '"\\])+`)

// typedLine runs a line as a shell does. After < is the file that it reads. Pictures are drawn elsewhere.
func typedLine(t *testing.T, line string) result {
	t.Helper()
	var args []string
	var out, stderr bytes.Buffer
	streams := cmd.Streams{In: strings.NewReader(""), Out: &out, Err: &stderr, Env: noEnv}
	part := regexp.MustCompile(`'[^']*'|"[^"]*"|\\.`)
	words := shellWord.FindAllString(line, -1)
	for i := 0; i < len(words); i++ {
		if words[i] == "<" && i+1 < len(words) {
			in, err := os.Open(words[i+1])
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			streams.In = in
			i++
			continue
		}
		args = append(args, part.ReplaceAllStringFunc(words[i], func(quoted string) string {
			if quoted[0] == '\\' {
				return quoted[1:]
			}
			return quoted[1 : len(quoted)-1]
		}))
	}
	for i := 1; i < len(args); i++ {
		if args[i-1] == "--svg" || args[i-1] == "--html" {
			args[i] = filepath.Join(t.TempDir(), args[i])
		}
	}
	code := cmd.Run(args, streams)
	return result{code, out.String(), stderr.String()}
}
