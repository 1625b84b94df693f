package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"layoutcalc/cmd"
)

var update = flag.Bool("update", false, "write the outputs into the transcripts")

// TestTranscripts replays the transcripts in testdata. They fix wording and form; the tests of the packages in layout
// prove that the numbers are right.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.golden")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { checkTranscript(t, file, replay) })
	}
}

// TestDocuments replays the console blocks of the README and of docs.
func TestDocuments(t *testing.T) {
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "README.md") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			checkTranscript(t, file, func(text string) (string, int) { return replayBlocks(text) })
		})
	}
}

// TestPictures draws the pictures of the documents anew, each with the command below it.
func TestPictures(t *testing.T) {
	documents, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pictures, err := filepath.Abs("docs/pictures")
	if err != nil {
		t.Fatal(err)
	}
	drawn := map[string]bool{}
	var lines []string
	for _, document := range append(documents, "README.md") {
		data, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if command, ok := strings.CutPrefix(line, "    layoutcalc "); ok && strings.Contains(command, ".svg\n") {
				lines = append(lines, "layoutcalc "+strings.TrimSpace(command))
			}
		}
	}
	t.Chdir(t.TempDir())
	for _, line := range lines {
		run(line)
		args := words(line)
		name := args[len(args)-1]
		got, err := os.ReadFile(name)
		if err != nil {
			t.Errorf("%s draws nothing: %v", line, err)
			continue
		}
		drawn[name] = true
		path := filepath.Join(pictures, name)
		if *update && os.Getenv("CI") == "" {
			if err := os.WriteFile(path, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from what %s draws now; go test -update draws it again", path, line)
		}
	}
	kept, err := filepath.Glob(filepath.Join(pictures, "*"))
	if err != nil || len(kept) == 0 {
		t.Errorf("no pictures: %v", err)
	}
	for _, path := range kept {
		if !drawn[filepath.Base(path)] {
			t.Errorf("no document has the command that draws %s", path)
		}
	}
}

// checkTranscript compares a file with what its commands print now, or rewrites it.
func checkTranscript(t *testing.T, file string, replay func(string) (string, int)) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, commands := replay(string(data))
	if commands == 0 && filepath.Ext(file) == ".golden" {
		t.Fatal("the transcript has no command")
	}
	if *update && os.Getenv("CI") == "" {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(string(data), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("differs from the program (-transcript +program); go test -update rewrites it:\n%s", diff)
	}
}

// replayBlocks replays the blocks of a Markdown document that are marked console.
func replayBlocks(document string) (text string, commands int) {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(document, "```console\n")
		block, after, closed := strings.Cut(rest, "```")
		out.WriteString(before)
		if !ok || !closed {
			return out.String(), commands
		}
		replayed, n := replay(block)
		out.WriteString("```console\n" + replayed + "```")
		document, commands = after, commands+n
	}
}

// replay puts the present outputs after the commands of a transcript. A line that starts with $ is a command, one with
// # is prose if it follows a blank line. The rest is output: that of standard error is marked !, and an exit code other
// than 0 is its last line.
func replay(transcript string) (text string, commands int) {
	var out strings.Builder
	inOutput, blanks := false, ""
	for line := range strings.Lines(transcript) {
		switch {
		case strings.HasPrefix(line, "$ "):
			out.WriteString(blanks + line + run(strings.TrimSpace(line[2:])))
			inOutput, blanks = true, ""
			commands++
		case line == "\n":
			blanks = "\n"
		case !inOutput || strings.HasPrefix(line, "# ") && blanks != "":
			out.WriteString(blanks + line)
			inOutput, blanks = false, ""
		default:
			blanks = ""
		}
	}
	return out.String(), commands
}

// run runs a command line of a transcript and returns its output.
func run(line string) string {
	var stdin, stdout, stderr bytes.Buffer
	stages := splitPipe(line)
	if first := words(stages[0]); first[0] != "layoutcalc" && !strings.Contains(first[0], "=") {
		stdin.WriteString(source(first))
		stages = stages[1:]
	}
	env, args := environment(words(stages[0]))
	code := cmd.Run(args[1:], cmd.Streams{
		In: &stdin, Out: &stdout, Err: &stderr, Env: func(key string) string { return env[key] },
	})
	out := visible(stdout.String())
	if len(stages) > 1 {
		out = head(words(stages[1]), out)
	}
	for line := range strings.Lines(visible(stderr.String())) {
		out += "! " + line
	}
	if code != 0 {
		out += fmt.Sprintf("[exit %d]\n", code)
	}
	return out
}

// visible replaces the escape character, which a terminal obeys.
func visible(text string) string { return strings.ReplaceAll(text, "\x1b", `\e`) }

// source returns the output of the command before a pipe: printf TEXT, cat FILE or seq A B.
func source(words []string) string {
	switch words[0] {
	case "printf":
		return strings.ReplaceAll(words[1], `\n`, "\n")
	case "cat":
		text, _ := os.ReadFile(words[1])
		return string(text)
	}
	from, _ := strconv.Atoi(words[1])
	to, _ := strconv.Atoi(words[2])
	text := ""
	for n := from; n <= to; n++ {
		text += strconv.Itoa(n) + "\n"
	}
	return text
}

// head is the command after a pipe: head -N.
func head(words []string, text string) string {
	n, _ := strconv.Atoi(strings.TrimPrefix(words[1], "-"))
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[:min(n, len(lines))], "")
}

// environment splits off the variables before a command.
func environment(words []string) (env map[string]string, args []string) {
	env = map[string]string{"TERM": "xterm"}
	for len(words) > 0 && words[0] != "layoutcalc" {
		key, value, _ := strings.Cut(words[0], "=")
		env[key] = value
		words = words[1:]
	}
	return env, words
}

// splitPipe splits a command line at the bars outside quotes.
func splitPipe(line string) []string {
	var stages []string
	start, quote := 0, rune(0)
	for i, r := range line {
		switch {
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
		case r == quote:
			quote = 0
		case r == '|' && quote == 0:
			stages = append(stages, line[start:i])
			start = i + 1
		}
	}
	return append(stages, line[start:])
}

// words splits a command at blanks, as a shell does with plain, single and double quotes.
func words(command string) []string {
	var list []string
	word, open, quote := "", false, rune(0)
	for _, r := range command + " " {
		switch {
		case quote == 0 && (r == '\'' || r == '"'):
			quote, open = r, true
		case r == quote:
			quote = 0
		case r == ' ' && quote == 0:
			if open {
				list = append(list, word)
			}
			word, open = "", false
		default:
			word += string(r)
			open = true
		}
	}
	return list
}
