package cmdtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A Runner replays files of cases and compares the outputs, or updates them.
type Runner struct {
	Root   string // the directory of the project
	Dir    string // where commands above the first heading run; the root if it is empty
	Step   int    // replay every Step-th command above the first heading and every Step-th case; all if it is 0
	Update bool   // write the output of all commands into the file, except outputs with a source
}

// Check replays a file of cases, or the console blocks of a Markdown document.
func (r Runner) Check(t *testing.T, path string) {
	t.Helper()
	text, script := read(t, path)
	root, err := filepath.Abs(r.Root)
	if err != nil {
		t.Fatal(err)
	}
	r.Root = root
	if path, err = filepath.Abs(path); err != nil {
		t.Fatal(err)
	}
	if r.Dir == "" {
		r.Dir = r.Root
	}
	cases := script.Cases()
	var shared []*Block
	n := 0
	for _, b := range cases[0].Blocks {
		switch b.Kind {
		case Input:
			shared = append(shared, b)
		case Command:
			if r.takes(n) {
				r.report(t, path, shell{r.Dir}, b)
			}
			n++
		}
	}
	for i, c := range cases[1:] {
		if r.takes(i) {
			t.Run(c.Name, func(t *testing.T) { r.replay(t, path, slices.Concat(shared, c.Blocks)) })
		}
	}
	if n == 0 && len(cases) == 1 && filepath.Ext(path) == ".golden" {
		t.Errorf("%s has no commands", path)
	}
	if got := script.String(); r.Update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if got != text {
		t.Errorf("%s is not in canonical form; go test -update writes it:\n%s", path, difference(text, got))
	}
}

// Marked returns how many commands of a file have an output that comes from outside of the program.
func Marked(t *testing.T, path string) int {
	t.Helper()
	_, script := read(t, path)
	return script.Marked()
}

// Commands returns the command lines above the first heading of a file of cases, or of a document.
func Commands(t *testing.T, path string) (lines []string) {
	t.Helper()
	_, script := read(t, path)
	for _, b := range script.Cases()[0].Blocks {
		if b.Kind == Command {
			lines = append(lines, strings.TrimPrefix(b.Text, "$ "))
		}
	}
	return lines
}

// read parses a file. Its lines may end in \n or \r\n.
func read(t *testing.T, path string) (text string, script *Script) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text = string(data)
	if filepath.Ext(path) == ".md" {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		script, err = ParseDocument(text)
	} else {
		script, err = Parse(text)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return text, script
}

// takes reports whether the case with the index n is replayed.
func (r Runner) takes(n int) bool { return r.Update || r.Step == 0 || n%r.Step == 0 }

// replay writes the files of a case and runs its commands in a new directory.
func (r Runner) replay(t *testing.T, path string, blocks []*Block) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		switch b.Kind {
		case Input:
			b.write(t, r.Root, dir)
		case Command:
			r.report(t, path, shell{dir}, b)
		}
	}
}

// report runs a command and reports its problems.
func (r Runner) report(t *testing.T, path string, s shell, b *Block) {
	t.Helper()
	for _, problem := range r.command(t, s, b) {
		t.Errorf("%s:%d: %s\n%s", path, b.Line, b.Text, problem)
	}
}

// command runs a command, updates its output, and returns its problems.
func (r Runner) command(t testing.TB, s shell, b *Block) (problems []string) {
	if b.Unix && runtime.GOOS == "windows" {
		return nil
	}
	result, err := s.run(strings.TrimPrefix(b.Text, "$ "), "", nil)
	if err != nil {
		return []string{err.Error()}
	}
	if got := result.text(s.dir); !matches(b.Body, got) {
		if r.Update && b.From == "" {
			b.Body = got
		} else {
			problems = append(problems, "differs from the program (-file +program):\n"+difference(b.Body, got))
		}
	}
	return append(problems, r.propose(t, s, result)...)
}

// propose runs the command lines that a result proposes, and returns their problems. They run in a copy of the case's
// directory. Commands that run in the project's directory write their files elsewhere.
func (r Runner) propose(t testing.TB, s shell, of result) (problems []string) {
	for _, line := range Proposals(of.errs) {
		elsewhere, dir := t.TempDir(), s.dir
		if dir == r.Root {
			line = written.ReplaceAllString(line, "${1}'"+filepath.Join(elsewhere, "$2")+"'$3")
		} else {
			if err := os.CopyFS(elsewhere, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			line, dir = strings.ReplaceAll(line, dir, elsewhere), elsewhere
		}
		answer, err := shell{dir}.run(of.cd+line, of.in, of.env)
		if err != nil {
			problems = append(problems, fmt.Sprintf("proposes %s: %v", line, err))
		} else if answer.code > 1 {
			problems = append(problems, fmt.Sprintf("proposes %s, which exits %d:\n%s", line, answer.code, answer.errs))
		}
	}
	return problems
}

// written matches a flag that names a file to be written.
var written = regexp.MustCompile(`(--(?:svg|html|png|out|report)[= ](?:\w+=)?)(\w[\w.]*)( |$)`)

// matches reports whether the output got matches want. Lines of dots in want match any lines of their kind.
func matches(want, got string) bool {
	want, got = portable(want), portable(got)
	if want == got {
		return true
	}
	lines := strings.Split(got, "\n")
	matched := make([]bool, len(lines)+1) // by the lines of want so far: the first i lines of got
	matched[0] = true
	for line := range strings.SplitSeq(want, "\n") {
		isDots := line == "..." || line == "! ..."
		next := make([]bool, len(lines)+1)
		for i := range next {
			switch {
			case !isDots:
				next[i] = i > 0 && matched[i-1] && isLike(line, lines[i-1])
			case matched[i]:
				next[i] = true
			default:
				next[i] = i > 0 && next[i-1] && kind(lines[i-1]) == kind(line)
			}
		}
		matched = next
	}
	return matched[len(lines)]
}

// isLike reports whether a line matches want, where [..] matches any text.
func isLike(want, got string) bool {
	start, end, ok := strings.Cut(want, "[..]")
	if !ok {
		return want == got
	}
	return len(got) >= len(start)+len(end) && strings.HasPrefix(got, start) && strings.HasSuffix(got, end)
}

// kind returns how the lines of standard error and of the exit code start, and nothing for other lines.
func kind(line string) string {
	for _, prefix := range []string{"! ", "[exit "} {
		if strings.HasPrefix(line, prefix) {
			return prefix
		}
	}
	return ""
}

// difference shows how lines differ.
func difference(want, got string) string {
	return cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n"))
}

// portable replaces the parts of an output that differ between Windows and other systems: the paths that people see,
// and the system's message for a file that does not exist. On other systems it returns the output unchanged.
func portable(output string) string {
	if runtime.GOOS != "windows" {
		return output
	}
	output = regexp.MustCompile(`\\+`).ReplaceAllString(output, "/") // also in text that is not a path, in both outputs
	const fileMissing, pathMissing = syscall.Errno(2), syscall.Errno(3)
	return strings.NewReplacer(fileMissing.Error(), "missing", pathMissing.Error(), "missing",
		"it cannot be read: not a directory", "missing", "there is no such file", "missing",
		"not a directory", "missing", "no such file or directory", "missing").Replace(output)
}
