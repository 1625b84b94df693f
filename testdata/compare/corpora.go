package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/cmd/cmdtest"
)

// corpora lists the texts of the project. The files are a pattern; a leading "**/" of its last part stands for any
// directories. A corpus that has no file is left out.
var corpora = [...]struct {
	files string
	read  func(data string) ([]call, error)
}{
	{"layout/notation/testdata/corpus.txt", quoted},
	{"layout/notation/testdata/foreign.txt", lines},
	{"layout/input/testdata/readings.txt", readings},
	{"testdata/world.jsonl", world},
	{"cmd/testdata/firstlines/*.txt", typed},
	{"testdata/**/*.golden", transcript},
	{"testdata/held/corpus.txt", quoted},
	{"testdata/held/foreign.txt", lines},
	{"testdata/held/readings.txt", readings},
	{"testdata/held/world.jsonl", world},
	{"testdata/held/firstlines.txt", typed},
}

// corporaCalls returns the calls of all corpora below root, without those that write files.
func corporaCalls(root fs.FS) (calls []call, err error) {
	for _, corpus := range corpora {
		files, err := glob(root, corpus.files)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			data, err := fs.ReadFile(root, file)
			if err != nil {
				return nil, err
			}
			found, err := corpus.read(string(data))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			if len(found) == 0 {
				return nil, fmt.Errorf("%s has no call", file)
			}
			calls = append(calls, found...)
		}
	}
	return slices.DeleteFunc(calls, call.writes), nil
}

// glob returns the files that match pattern.
func glob(root fs.FS, pattern string) (files []string, err error) {
	base, name, deep := strings.Cut(pattern, "/**/")
	if !deep {
		return fs.Glob(root, pattern)
	}
	if _, err := fs.Stat(root, base); err != nil {
		return nil, nil
	}
	err = fs.WalkDir(root, base, func(file string, e fs.DirEntry, err error) error {
		if ok, _ := path.Match(name, path.Base(file)); ok && err == nil && !e.IsDir() {
			files = append(files, file)
		}
		return err
	})
	return files, err
}

// textCall returns the call that reads a text.
func textCall(text string) call {
	if strings.ContainsRune(text, 0) { // which no argument can have
		return call{args: []string{"strides", "-", "-o", "json"}, stdin: text}
	}
	return call{args: []string{"strides", text, "-o", "json"}}
}

// lines reads a file with a text on each line.
func lines(data string) (calls []call, err error) {
	for line := range strings.Lines(data) {
		calls = append(calls, textCall(strings.TrimSuffix(line, "\n")))
	}
	return calls, nil
}

// quoted reads a file with a quoted text, a tab and an answer on each line.
func quoted(data string) (calls []call, err error) {
	for line := range strings.Lines(data) {
		field, _, _ := strings.Cut(line, "\t")
		text, err := strconv.Unquote(field)
		if err != nil {
			return nil, fmt.Errorf("%w: %s", err, field)
		}
		calls = append(calls, textCall(text))
	}
	return calls, nil
}

// world reads a file with a command line and the wanted field of its answer on each line, as JSON.
func world(data string) (calls []call, err error) {
	for line := range strings.Lines(data) {
		var row struct {
			Cmd []string
			Get string
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			return nil, err
		}
		if row.Get == "plain" {
			row.Cmd = append(row.Cmd, "-o", "plain")
		} else {
			row.Cmd = append(row.Cmd, "--get", row.Get)
		}
		calls = append(calls, call{args: row.Cmd})
	}
	return calls, nil
}

// readings reads a file of cases: "== " and a reason, a line with the kind of the text and options, the text, other
// files that start with "@ NAME", and the answer below a line "--".
func readings(data string) (calls []call, err error) {
	for part := range strings.SplitSeq("\n"+data, "\n== ") {
		_, block, ok := strings.Cut(part, "\n")
		if !ok {
			continue
		}
		block, _, _ = strings.Cut(block, "\n--\n")
		parts := strings.Split(block, "\n@ ")
		head, text, _ := strings.Cut(parts[0], "\n")
		words := strings.Fields(head)
		name, flags := "input", []string{"-o", "json"}
		for _, word := range words[1:] {
			switch option, value, _ := strings.Cut(word, "="); option {
			case "name":
				name = value
			case "tensor", "dtype", "dim", "from":
				flags = append(flags, "--"+option, value)
			}
		}
		if words[0] != "file" {
			c := textCall(text)
			c.args = append(c.args, flags[2:]...)
			calls = append(calls, c)
			continue
		}
		var files []cmdtest.Block
		for _, part := range append([]string{name + "\n" + text}, parts[1:]...) {
			name, text, _ := strings.Cut(part, "\n")
			files = append(files, readingFile(name, text))
		}
		for _, command := range []string{"strides", "size"} {
			calls = append(calls, call{args: append([]string{command, "@" + name}, flags...), files: files})
		}
	}
	return calls, nil
}

// readingFile returns a file of a case: an ONNX model in text form, a .safetensors file as its header and the number of
// bytes after it, and bytes as a Go string that starts with a backslash.
func readingFile(name, text string) cmdtest.Block {
	content := strconv.Quote(text)
	header, size, _ := strings.Cut(text, "\n")
	switch {
	case strings.HasPrefix(text, "ir_version"):
		return cmdtest.Block{Text: "-- " + name + " (onnx) --", Body: text}
	case path.Ext(name) == ".safetensors" && strings.HasPrefix(text, "{"):
		n, _ := strconv.Atoi(strings.TrimSpace(size))
		length := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
		content = fmt.Sprintf("%q", string(length)+header+strings.Repeat("\x00", n))
	case strings.HasPrefix(text, `\`):
		content = `"` + text + `"`
	}
	return cmdtest.Block{Text: "-- " + name + " (quoted) --", Body: content}
}

// typed reads a file with lines that people type, which start with "$ ". A file after "<" is the input.
func typed(data string) (calls []call, err error) {
	for line := range strings.Lines(data) {
		line, ok := strings.CutPrefix(strings.TrimRight(line, " \n"), "$ ")
		if !ok {
			continue
		}
		c, err := parse("layoutcalc " + line)
		if err != nil {
			return nil, err
		}
		calls = append(calls, c)
	}
	return calls, nil
}

// transcript reads the calls of a file of cases, each with the files that are above it in its case.
func transcript(data string) (calls []call, err error) {
	script, err := cmdtest.Parse(data)
	if err != nil {
		return nil, err
	}
	var shared []cmdtest.Block
	for i, one := range script.Cases() {
		files := slices.Clone(shared)
		for _, b := range one.Blocks {
			switch {
			case b.Kind == cmdtest.Input:
				files = append(files, *b)
			case b.Kind == cmdtest.Command && slices.Contains(strings.Fields(b.Text), "layoutcalc"):
				c, err := parse(strings.TrimPrefix(b.Text, "$ "))
				if err != nil {
					return nil, err
				}
				if i > 0 {
					c.files = append([]cmdtest.Block{}, files...)
				}
				calls = append(calls, c)
			}
		}
		if i == 0 {
			shared = files
		}
	}
	return calls, nil
}

// shellWord matches a word of a command line, or one of the marks that join commands.
var shellWord = regexp.MustCompile(`[|<]|(?:'[^']*'|"[^"]*"|\\.|[^ '"\\|<])+`)

// shellPart matches a part of a word that a shell reads in another way.
var shellPart = regexp.MustCompile(`'[^']*'|"[^"]*"|\\.`)

// parse reads a command line: the directory, variables, the program, its arguments, and the command or the file that it
// reads. A command after it is ignored.
func parse(line string) (c call, err error) {
	words := shellWord.FindAllString(line, -1)
	for i, word := range words {
		words[i] = shellPart.ReplaceAllStringFunc(word, func(part string) string {
			if part[0] == '\\' {
				return part[1:]
			}
			return part[1 : len(part)-1]
		})
		if word == "|" || word == "<" {
			words[i] = word + " mark" // a word in quotes is none
		}
	}
	if len(words) > 3 && words[0] == "cd" && words[2] == "&&" {
		c.dir, words = words[1], words[3:]
	}
	if bar := slices.Index(words, "| mark"); bar >= 0 && !slices.Contains(words[:bar], "layoutcalc") {
		if err := c.source(words[:bar]); err != nil {
			return c, err
		}
		words = words[bar+1:]
	}
	for len(words) > 0 && words[0] != "layoutcalc" {
		c.env = append(c.env, words[0])
		words = words[1:]
	}
	if len(words) == 0 {
		return c, fmt.Errorf("no program in %s", line)
	}
	if bar := slices.Index(words, "| mark"); bar >= 0 {
		words = words[:bar]
	}
	if at := slices.Index(words, "< mark"); at >= 0 && at+1 < len(words) {
		c.input = words[at+1]
		words = slices.Delete(words, at, at+2)
	}
	c.args = words[1:]
	return c, nil
}

// source makes the output of a command the standard input of c: printf TEXT, cat FILE or seq A B.
func (c *call) source(words []string) error {
	switch {
	case len(words) == 2 && words[0] == "printf":
		c.stdin = strings.ReplaceAll(words[1], `\n`, "\n")
	case len(words) == 2 && words[0] == "cat":
		c.input = words[1]
	case len(words) == 3 && words[0] == "seq":
		from, _ := strconv.Atoi(words[1])
		to, _ := strconv.Atoi(words[2])
		for n := from; n <= to; n++ {
			c.stdin += strconv.Itoa(n) + "\n"
		}
	default:
		return fmt.Errorf("unknown command %q", words)
	}
	return nil
}
