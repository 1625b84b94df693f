package cmdtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/cmd"
)

// A shell runs command lines in a directory.
type shell struct{ dir string } // an absolute path

// A result is the output of a command line, and how the last run of the program started.
type result struct {
	out, errs string
	code      int

	cd  string // "cd DIR && " if the command line starts with it
	in  string
	env map[string]string
}

// Run runs a command line in a directory, like a case, and returns its output and its exit code.
func Run(t *testing.T, dir, line string) (stdout, stderr string, code int) {
	t.Helper()
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := shell{dir}.run(line, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return r.out, r.errs, r.code
}

// text returns the result in the format of a file of cases.
func (r result) text(dir string) string {
	out := r.out
	if !isText(out) {
		out = quote(out)
	}
	text := escape(visible(out, dir), "") + escape(visible(r.errs, dir), "! ")
	if r.code != 0 {
		text += fmt.Sprintf("[exit %d]\n", r.code)
	}
	return text
}

// visible replaces the directory of a case and the characters that do not show.
func visible(text, dir string) string {
	return strings.NewReplacer(dir, "$PWD", "\x1b", `\e`, "\r", `\r`).Replace(text)
}

// run runs a command line. The first command reads in, and env has the variables that the line does not set.
func (s shell) run(line, in string, env map[string]string) (r result, err error) {
	r.out = in
	pwd := s.dir
	if dir, rest, ok := strings.Cut(line, " && "); ok && strings.HasPrefix(dir, "cd ") {
		r.cd, line = dir+" && ", rest
		s.dir = filepath.Join(s.dir, filepath.FromSlash(dir[len("cd "):]))
	}
	for _, stage := range split(line, '|') {
		parts := split(strings.ReplaceAll(stage, "$PWD", pwd), '<')
		args := words(parts[0])
		if len(parts) > 1 {
			content, err := s.read(words(parts[1]))
			if err != nil {
				return r, err
			}
			r.out = string(content)
		}
		set := map[string]string{"TERM": "xterm"}
		for key, value := range env {
			set[key] = value
		}
		for len(args) > 0 && variable.MatchString(args[0]) {
			key, value, _ := strings.Cut(args[0], "=")
			set[key] = value
			args = args[1:]
		}
		if len(args) > 0 && args[0] == "layoutcalc" {
			s.layoutcalc(&r, args[1:], set)
		} else if r.out, err = s.other(args, r.out); err != nil {
			return r, fmt.Errorf("%s: %w", line, err)
		}
	}
	return r, nil
}

// variable matches a word that sets a variable.
var variable = regexp.MustCompile(`^[A-Za-z_]\w*=`)

// layoutcalc runs the program on the output so far.
func (s shell) layoutcalc(r *result, args []string, env map[string]string) {
	var out, errs bytes.Buffer
	r.in, r.env = r.out, env
	r.code = cmd.Run(args, cmd.Streams{
		In: strings.NewReader(r.in), Out: &out, Err: &errs, Dir: s.dir,
		Env: func(key string) string { return env[key] }, Windows: env["OS"] == "Windows_NT",
	})
	r.out = out.String()
	r.errs += errs.String()
}

// other runs another command and returns its output.
func (s shell) other(args []string, in string) (out string, err error) {
	command := strings.Join(args, " ")
	var name string
	var n, from, to int
	if _, err := fmt.Sscanf(command, "seq %d %d", &from, &to); err == nil {
		for ; from <= to; from++ {
			out += strconv.Itoa(from) + "\n"
		}
		return out, nil
	}
	if _, err := fmt.Sscanf(command, "%s -%d", &name, &n); err == nil && (name == "head" || name == "tail") {
		lines := slices.Collect(strings.Lines(in))
		if n = min(n, len(lines)); name == "head" {
			return strings.Join(lines[:n], ""), nil
		}
		return strings.Join(lines[len(lines)-n:], ""), nil
	}
	switch {
	case command == "ls":
		return s.list()
	case len(args) == 2 && args[0] == "printf":
		return strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(args[1]), nil
	case len(args) > 1 && args[0] == "cat":
		content, err := s.read(args[1:])
		return string(content), err
	}
	return "", fmt.Errorf("no such command")
}

// read returns the contents of files, one after the other.
func (s shell) read(paths []string) (all []byte, err error) {
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.dir, path)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		all = append(all, content...)
	}
	return all, nil
}

// list returns the paths of all regular files below the directory, each on a line.
func (s shell) list() (out string, err error) {
	err = fs.WalkDir(os.DirFS(s.dir), ".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			out += path + "\n"
		}
		return err
	})
	return out, err
}

// proposed matches a command line that ends a hint, and the command lines below it.
var proposed = regexp.MustCompile(`(?m)^(?:hint: (?:.* )?|      )(layoutcalc .+)$`)

// Proposals returns the command lines that end hints, whether errors are text or JSON.
func Proposals(errs string) (lines []string) {
	for line := range strings.Lines(errs) {
		var e struct{ Error struct{ Hint string } }
		if json.Unmarshal([]byte(line), &e) == nil {
			line = "hint: " + strings.ReplaceAll(e.Error.Hint, "\n", "\n      ") + "\n"
		}
		for _, match := range proposed.FindAllStringSubmatch(line, -1) {
			lines = append(lines, match[1])
		}
	}
	return lines
}

// scan calls visit with each character of a command line, and with whether it stands for itself, because it is quoted.
// At an opening quote r is -1. It returns whether the line ends within a quote.
func scan(line string, visit func(i int, r rune, quoted bool)) (open bool) {
	quote, escaped := rune(0), false
	for i, r := range line {
		switch {
		case escaped:
			visit(i, r, true)
			escaped = false
		case quote == 0 && r == '\\':
			escaped = true
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
			visit(i, -1, true)
		case r == quote:
			quote = 0
		default:
			visit(i, r, quote != 0)
		}
	}
	return quote != 0
}

// split splits a command line at a separator outside of quotes.
func split(line string, separator rune) (parts []string) {
	start := 0
	scan(line, func(i int, r rune, quoted bool) {
		if r == separator && !quoted {
			parts = append(parts, line[start:i])
			start = i + 1
		}
	})
	return append(parts, line[start:])
}

// words splits a command line at spaces, as a shell does.
func words(line string) (list []string) {
	word, open := "", false
	scan(line+" ", func(_ int, r rune, quoted bool) {
		switch {
		case r == ' ' && !quoted:
			if open {
				list = append(list, word)
			}
			word, open = "", false
		case r < 0: // a quote, which makes a word even if nothing is in it
			open = true
		default:
			word, open = word+string(r), true
		}
	})
	return list
}
