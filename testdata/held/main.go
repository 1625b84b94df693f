// Held writes the files next to it: a third of the texts of each corpus, as they were at a fixed commit.
//
//	go run ./testdata/held
package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path"
	"strconv"
	"strings"
)

// commit contains the corpora.
const commit = "07161cfb602a066595e6107cb21176e425a81db3"

// corpora lists the corpora. Their files may be a pattern; the texts of all of them go to one file.
var corpora = [...]struct {
	name, files string
	split       func(data string) []row
}{
	{"corpus.txt", "layout/notation/testdata/corpus.txt", quoted},
	{"foreign.txt", "layout/notation/testdata/foreign.txt", lines},
	{"readings.txt", "layout/input/testdata/readings.txt", readings},
	{"world.jsonl", "testdata/world.jsonl", commands},
	{"firstlines.txt", "cmd/testdata/firstlines/*.txt", firstLines},
}

// A row is an entry of a corpus with the text that selects it.
type row struct{ text, whole string }

func main() {
	for _, c := range corpora {
		if err := write(c.name, c.files, c.split); err != nil {
			fmt.Fprintln(os.Stderr, "held:", err)
			os.Exit(1)
		}
	}
}

// write writes a third of the rows of files to the file name.
func write(name, files string, split func(string) []row) error {
	names, err := git("ls-tree", "--name-only", commit, path.Dir(files)+"/")
	if err != nil {
		return err
	}
	var held strings.Builder
	for _, file := range strings.Fields(names) {
		if ok, _ := path.Match(files, file); !ok {
			continue
		}
		data, err := git("show", commit+":"+file)
		if err != nil {
			return err
		}
		for _, r := range split(data) {
			hash := fnv.New64a()
			hash.Write([]byte(r.text))
			if hash.Sum64()%3 == 0 {
				held.WriteString(r.whole)
			}
		}
	}
	return os.WriteFile("testdata/held/"+name, []byte(held.String()), 0o666)
}

// git returns what a command of git prints.
func git(args ...string) (string, error) {
	c := exec.Command("git", args...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	return string(out), err
}

// lines returns the lines of data.
func lines(data string) (rows []row) {
	for line := range strings.Lines(data) {
		rows = append(rows, row{strings.TrimSuffix(line, "\n"), line})
	}
	return rows
}

// quoted returns the lines of data, each a quoted text, a tab and the reading of the text.
func quoted(data string) []row {
	rows := lines(data)
	for i, r := range rows {
		text, _, _ := strings.Cut(r.text, "\t")
		rows[i].text, _ = strconv.Unquote(text)
	}
	return rows
}

// commands returns the lines of data, each a JSON object; the text is the command line.
func commands(data string) []row {
	rows := lines(data)
	for i, r := range rows {
		var call struct{ Cmd []string }
		if json.Unmarshal([]byte(r.text), &call) == nil {
			rows[i].text = strings.Join(call.Cmd, "\n")
		}
	}
	return rows
}

// readings returns the cases of data, which start with "== " and a reason; the text ends at a line "--".
func readings(data string) (rows []row) {
	for part := range strings.SplitSeq(strings.TrimPrefix(data, "== "), "\n== ") {
		part = strings.TrimSuffix(part, "\n")
		_, text, _ := strings.Cut(part, "\n")
		text, _, _ = strings.Cut(text, "\n--\n")
		rows = append(rows, row{text, "== " + part + "\n"})
	}
	return rows
}

// firstLines returns the cases of data: lines that start with "$ ", and the marks below them. The text is the typed
// lines.
func firstLines(data string) (rows []row) {
	typed := false // whether the last line is typed
	for line := range strings.Lines(data) {
		isTyped := strings.HasPrefix(line, "$ ")
		switch {
		case line == "\n" || strings.HasPrefix(line, "#"):
			typed = false
			continue
		case isTyped && !typed:
			rows = append(rows, row{})
		}
		last := &rows[len(rows)-1]
		if isTyped {
			last.text += line
		}
		last.whole += line
		typed = isTyped
	}
	for i := range rows {
		rows[i].whole += "\n" // a case without marks would go on in the next one
	}
	return rows
}
