package inspect

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode/utf16"

	gocmp "github.com/google/go-cmp/cmp"

	"layoutcalc/layout/desc"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/input"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/project"
	"layoutcalc/layout/rulebook"
	"layoutcalc/layout/scan"
)

var update = flag.Bool("update", false, "rewrite what is expected in testdata/runs.txt")

// TestRuns carries out the calls of testdata/runs.txt, and compares what each reports.
func TestRuns(t *testing.T) {
	const name = "testdata/runs.txt"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n\n")
	words := strings.NewReplacer() // names of contents
	for i, block := range blocks {
		lines := strings.Split(block, "\n")
		reason, isCall := strings.CutPrefix(lines[0], "# ")
		if !isCall {
			words = contents(lines)
			continue
		}
		t.Run(reason, func(t *testing.T) {
			t.Chdir(t.TempDir())
			got := lines[:1:1]
			for _, line := range lines[1:] {
				switch verb, rest, _ := strings.Cut(line, " "); verb {
				case "file", "utf16", "dir", "link", "lines":
					place(t, verb, words.Replace(rest))
					got = append(got, line)
				case "check":
					got = append(append(got, line), call(t, words, rest)...)
				}
			}
			if diff := gocmp.Diff(lines, got); diff != "" && !*update {
				t.Error(diff)
			}
			blocks[i] = strings.Join(got, "\n")
		})
	}
	if *update {
		if err := os.WriteFile(name, []byte(strings.Join(blocks, "\n\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// contents reads lines of names and the texts that they stand for in the calls below.
func contents(lines []string) *strings.Replacer {
	var words []string
	for _, line := range lines {
		if name, text, ok := strings.Cut(line, " "); ok && strings.HasPrefix(name, "$") {
			words = append(words, name, text)
		}
	}
	return strings.NewReplacer(words...)
}

// place makes a file of a content, in UTF-8 or UTF-16, or of as many equal lines, a directory, or a link.
func place(t *testing.T, verb, line string) {
	t.Helper()
	name, text, _ := strings.Cut(line, " ")
	err := os.MkdirAll(filepath.Dir(name), 0o777)
	switch {
	case err != nil:
	case verb == "dir":
		err = os.MkdirAll(name, 0o777)
	case verb == "lines":
		count, line, _ := strings.Cut(text, " ")
		n, _ := strconv.Atoi(count)
		err = os.WriteFile(name, []byte(strings.Repeat(line+"\n", n)), 0o666)
	case verb == "link":
		layouttest.Link(t, text, name)
	case verb == "utf16":
		err = os.WriteFile(name, utf16Of(string(content(t, text))), 0o666)
	default:
		err = os.WriteFile(name, content(t, text), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// utf16Of returns a text as Windows' editors write it.
func utf16Of(text string) []byte {
	var b []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return b
}

// content returns the bytes of a file: an ONNX model, a header of a tensor file and the number of bytes after it, or a
// text.
func content(t *testing.T, text string) []byte {
	t.Helper()
	if model, ok := strings.CutPrefix(text, "onnx:"); ok {
		data, err := layouttest.ONNX(model)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	header, size, ok := strings.Cut(text, " + ")
	if !ok {
		return []byte(strings.ReplaceAll(text, `\n`, "\n"))
	}
	n, err := strconv.Atoi(size)
	if err != nil {
		t.Fatal(err)
	}
	length := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	if strings.HasPrefix(header, "{'") {
		header += "\n"
		length = binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	}
	return slices.Concat(length, []byte(header), make([]byte, n))
}

// call carries out a call, and returns what it reports.
func call(t *testing.T, words *strings.Replacer, line string) []string {
	p := &program{}
	var r Request
	r.Jobs = 2
	args, stdin, _ := strings.Cut(line, " < ")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	args = strings.ReplaceAll(args, "$PWD", here)
	p.stdin = content(t, words.Replace(stdin))
	for _, word := range strings.Fields(args) {
		name, value, isFlag := strings.Cut(word, "=")
		if !isFlag && !strings.HasPrefix(word, "--") {
			r.Args = append(r.Args, word)
			continue
		}
		p.set(t, &r, name, value)
	}
	err = Run(r, p)
	switch refused, isRefusal := err.(*scan.SyntaxError); {
	case errors.Is(err, ErrFails):
		p.say("exit: findings")
	case errors.Is(err, ErrUnread):
		p.say("exit: unreadable")
	case isRefusal && refused.Hint != "":
		p.say("error: %s | %s", filepath.ToSlash(refused.Error()), refused.Hint)
	case err != nil:
		p.say("error: %s", filepath.ToSlash(err.Error()))
	}
	for i, line := range p.said {
		p.said[i] = strings.ReplaceAll(line, filepath.ToSlash(here), "$PWD")
	}
	return p.said
}

// set sets what a flag is about.
func (p *program) set(t *testing.T, r *Request, name, value string) {
	severity := func() *finding.Severity {
		s := finding.Severity(slices.Index(finding.Severities[:], value))
		return &s
	}
	match := func() []*finding.Rule {
		rules, err := rulebook.Match(value)
		if err != nil {
			t.Fatal(err)
		}
		return rules
	}
	switch name {
	case "--baseline":
		r.Baseline = value
	case "--write-baseline":
		r.NewBaseline = value
	case "--report":
		r.Written = append(r.Written, value)
	case "--fix":
		r.Fix = WriteFix
	case "--diff":
		r.Fix = ShowFix
	case "--verbose":
		r.Verbose = true
	case "--jobs":
		r.Jobs, _ = strconv.Atoi(value)
	case "--tensor":
		r.Tensor = value
	case "--shaped":
		r.Shaped = true
	case "--dim":
		r.Options.Names = map[string]int64{value: 1}
	case "--files-from":
		r.FilesFrom = value
	case "--null":
		r.Null = true
	case "--exclude":
		pattern, err := project.ParsePattern(value)
		if err != nil {
			t.Fatal(err)
		}
		r.Exclude = append(r.Exclude, pattern)
	case "--no-gitignore":
		r.NoGitignore = true
	case "--follow":
		r.Follow = true
	case "--no-config":
		r.NoConfig = true
	case "--root":
		r.Root = value
	case "--stdin-filename":
		r.Stdin = value
	case "--allow-empty":
		r.AllowEmpty = true
	case "--windows":
		r.Windows = true
	case "--target":
		target, err := desc.ParseTarget(value)
		if err != nil {
			t.Fatal(err)
		}
		r.Target = &target
	case "--output":
		r.Role = desc.Output
	case "--rule":
		r.Only = append(r.Only, match()...)
	case "--ignore":
		r.Ignore = append(r.Ignore, match()...)
	case "--severity":
		r.Shown = severity()
	case "--fail-on":
		r.FailOn = severity()
	case "--break":
		p.broken = value
	case "--words":
		p.words = true
	case "--source":
		p.source = true
	case "--progress":
		p.progress = true
	default:
		t.Fatalf("there is no flag %s", name)
	}
}

// A program is a caller of Run that writes down what it is told.
type program struct {
	said     []string
	stdin    []byte
	broken   string // the step that fails
	words    bool   // messages are written down
	source   bool   // lines and paths from the root are
	progress bool   // what is shown of the progress is

	mu    sync.Mutex
	files []fs.FileInfo // that were identified
}

// errBroken is the error of a step that fails.
var errBroken = errors.New("broken")

func (p *program) say(format string, args ...any) {
	p.said = append(p.said, fmt.Sprintf(format, args...))
}

// fails returns the error of a step.
func (p *program) fails(step string) error {
	if p.broken == step {
		return errBroken
	}
	return nil
}

func (p *program) Open(path string) (s input.Source, end func(), err error) {
	if path == "-" {
		return input.Source{Name: path, Stream: bytes.NewReader(p.stdin)}, func() {}, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return s, func() {}, &input.AbsentError{Err: fs.ErrNotExist}
	}
	info, err := file.Stat()
	s = input.Source{Name: path, File: file, Beside: p.Beside(path)}
	if err == nil {
		s.Size = info.Size()
	}
	return s, func() { file.Close() }, err
}

func (p *program) Beside(file string) fs.FS { return os.DirFS(filepath.Dir(file)) }
func (p *program) Root(dir string) fs.FS    { return os.DirFS(dir) }
func (p *program) Dir(dir string) fs.FS     { return os.DirFS(dir) }

func (p *program) Path(name string) string { return name }

// Identify returns the place of the file among those before.
func (p *program) Identify(_ string, info fs.FileInfo) any {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.files, func(other fs.FileInfo) bool { return os.SameFile(info, other) })
	if i < 0 {
		i = len(p.files)
		p.files = append(p.files, info)
	}
	return i
}

func (p *program) Reads(path string, info fs.FileInfo) {
	if info == nil {
		p.say("reads %s, which is not there", path)
	}
}

func (p *program) Forget(any) {}

func (p *program) Describe(args []string) (*Text, error) {
	in, err := input.Text(strings.Join(args, " "), input.Options{})
	return &Text{Text: in, Err: err}, nil
}

func (p *program) Note(texts ...string) {
	for _, text := range texts {
		p.say("note: %s", filepath.ToSlash(text))
	}
}
func (p *program) Flush()                   { p.say("flush") }
func (p *program) Quote(path string) string { return filepath.ToSlash(path) }
func (p *program) Word(path string) string  { return filepath.ToSlash(path) }
func (p *program) Rewritable(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

func (p *program) Interruptible() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	if p.broken == "interrupt" {
		cancel()
	}
	return ctx, cancel
}

func (p *program) Progress(line func(int64) string) (*atomic.Int64, func()) {
	done := new(atomic.Int64)
	return done, func() {
		if p.progress {
			p.say("progress: %q, then %q", line(0), line(done.Load()))
		}
	}
}

func (p *program) Rewrite(path string, before, after []byte) error {
	p.say("rewrite %s: %q", filepath.ToSlash(path), after)
	have, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(have, before) {
		return fmt.Errorf("%s has not the text before: %w", path, err)
	}
	return cmp.Or(p.fails("rewrite"), os.WriteFile(path, after, 0o666))
}

func (p *program) Diff(path string, before, after []byte) error {
	p.say("diff %s: %q %q", filepath.ToSlash(path), before, after)
	return p.fails("diff")
}

func (p *program) Begin() error { return p.fails("begin") }

func (p *program) Add(path string, findings []Finding) error {
	const most = 20
	if n := len(findings); n > most {
		p.say("%s: %d findings", filepath.ToSlash(path), n)
		findings = findings[n-1:]
	}
	for i := range findings {
		f := &findings[i]
		line := fmt.Sprintf("%s:%d:%d: %s: %s", filepath.ToSlash(f.Path), f.Line, f.Column, f.Severity, f.Rule)
		if f.Known {
			line += ", known"
		}
		if f.Fails {
			line += ", fails"
		}
		if p.words {
			line += ": " + filepath.ToSlash(f.Message)
		}
		if p.source {
			line += fmt.Sprintf(" [%s] %q", f.RootPath, f.Source)
		}
		p.say("%s", line)
	}
	return p.fails("add")
}

func (p *program) WriteBaseline(path string, b *project.Baseline) error {
	for _, k := range b.All() {
		p.say("baseline %s: %d of %s in %s %s %s", path, k.Count, k.Rule, k.Path, k.Tensor, k.Key)
	}
	return p.fails("baseline")
}

// End writes down what is counted, but for what there is none of.
func (p *program) End(s Summary) error {
	line := fmt.Sprintf("end: %d files, %d descriptors", s.Files, s.Descriptors)
	add := func(n int, what string) {
		if n != 0 {
			line += fmt.Sprintf(", %d %s", n, what)
		}
	}
	for i, n := range s.Count {
		add(n, finding.Severities[i])
		add(s.Hidden[i], finding.Severities[i]+" hidden")
	}
	add(s.Unlisted, "unlisted")
	add(s.Known, "known")
	add(s.Fixed, "fixed")
	add(s.Changed, "changed")
	add(s.Fixable, "fixable")
	add(s.Skipped, "skipped")
	add(s.Ignored, "ignored")
	add(s.Excluded, "excluded")
	add(s.Outside, "outside")
	if s.Partial {
		line += ", some rules"
	}
	if s.Fileless {
		line += ", no file"
	}
	if s.RulesOf != nil {
		line += fmt.Sprintf(", rules of %q", s.RulesOf)
	}
	for _, kind := range s.Kinds {
		add(kind.Files, kind.Name)
	}
	if s.Unread != nil {
		line += ": " + strings.Join(s.Unread, " ")
	}
	p.say("%s", filepath.ToSlash(line))
	return p.fails("end")
}
