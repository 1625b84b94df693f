package cmdtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// canonical has every kind of block, and outputs that look like lines of the format.
const canonical = `# Prose,
# on two lines.

# from: page 3 of a book
$ layoutcalc strides 2x3 -o plain
3,1
$ layoutcalc strides '2x
> 3' -o plain
> no part of the command line
$ layoutcalc strides 2xq -o plain
! layoutcalc: "q" is not a size
! ...
[exit 2]

-- shared.txt --
a
# no prose

=== a heading
# Prose of the case.
$ cat shared.txt
a
\# no prose
-- more/b.txt (quoted) --
"\x00"
-- link -> more/b.txt --
-- empty/ --
$ printf '$ x\n\n# y\n\n'
\$ x

\# y


# unix: no command
$ ls
more/b.txt
`

// TestParse parses scripts and writes them: a canonical one stays byte for byte, others lose superfluous blank lines.
func TestParse(t *testing.T) {
	tests := []struct{ text, want string }{
		{canonical, canonical},
		{"# a\n\n\n# b\n", "# a\n\n# b\n"},
		{"-- a --\nx\n=== b\n", "-- a --\nx\n\n=== b\n"},
		{"-- a --\nx\n\n$ ls\na\n", "-- a --\nx\n\n$ ls\na\n"},
		{"$ printf '\\n'\n\n", "$ printf '\\n'\n\n"},
		{"$ printf '\\n'\n\n\n# a\n", "$ printf '\\n'\n\n\n# a\n"},
	}
	for _, tt := range tests {
		s, err := Parse(tt.text)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
		} else if got := s.String(); got != tt.want {
			t.Errorf("%q is written %q, want %q", tt.text, got, tt.want)
		}
	}
	for _, text := range []string{"a\n", "-- a\n", "=== a\nb\n", "# a\n\nb\n"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%q is parsed", text)
		}
	}
}

// TestBlocks checks where files, outputs and marks end.
func TestBlocks(t *testing.T) {
	s, err := Parse(canonical)
	if err != nil {
		t.Fatal(err)
	}
	cases := s.Cases()
	if len(cases) != 2 || cases[1].Name != "a heading" || len(cases[0].Blocks) != 6 || s.Marked() != 3 {
		t.Fatalf("%d cases, %d marked: %+v", len(cases), s.Marked(), cases)
	}
	open := cases[0].Blocks[3]
	if open.Text != "$ layoutcalc strides '2x\n3' -o plain" || open.Body != "> no part of the command line\n" {
		t.Errorf("the command of two lines is %q with the output %q", open.Text, open.Body)
	}
	if body := cases[0].Blocks[5].Body; body != "a\n# no prose\n" {
		t.Errorf("the shared file has %q", body)
	}
	last := cases[1].Blocks[len(cases[1].Blocks)-1]
	if last.Body != "more/b.txt\n" || !last.Unix || last.From != "" {
		t.Errorf("the last command is %+v", last)
	}
}

// TestDocument parses a Markdown document with two console blocks.
func TestDocument(t *testing.T) {
	const text = "# Title\n\n$ no command\n\n```console\n# a\n$ ls\nb\n```\n\n    -- x\n\n```console\n$ ls\nc\n```\n"
	s, err := ParseDocument(text)
	if err != nil {
		t.Fatal(err)
	}
	var bodies []string
	for _, b := range s.Blocks {
		if b.Kind == Command {
			bodies = append(bodies, b.Body)
		}
	}
	if got := s.String(); got != text || !slices.Equal(bodies, []string{"b\n", "c\n"}) {
		t.Errorf("%q has the outputs %q", got, bodies)
	}
}

// TestMatches compares outputs with and without dots.
func TestMatches(t *testing.T) {
	tests := []struct {
		want, got string
		ok        bool
	}{
		{"a\n", "a\n", true},
		{"a\n", "b\n", false},
		{"a\n", "a\nb\n", false},
		{"...\n", "", true},
		{"...\n", "a\nb\n", true},
		{"...\n", "a\n! b\n", false},
		{"...\n", "a\n[exit 1]\n", false},
		{"...\nb\n...\n", "a\nb\nc\n", true},
		{"...\nb\n...\n", "a\nc\n", false},
		{"...\nb\n", "b\nb\n", true},
		{"...\nb\n! ...\n", "b\nb\n! c\n", true},
		{"a\n! ...\n[exit 2]\n", "a\n! b\n! c\n[exit 2]\n", true},
		{"! ...\n[exit 2]\n", "a\n! b\n[exit 2]\n", false},
		{"...\n", "\\...\n", true},
		{"\\...\n", "a\n", false},
	}
	for _, tt := range tests {
		if matches(tt.want, tt.got) != tt.ok {
			t.Errorf("%q matches %q: %t, want %t", tt.want, tt.got, !tt.ok, tt.ok)
		}
	}
}

// replay runs the commands of a script in an empty directory, and returns the updated script and the problems.
func replay(t *testing.T, text string, update bool) (after string, problems []string) {
	s, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	sh := shell{t.TempDir()}
	for _, b := range s.Blocks {
		if b.Kind == Command {
			problems = append(problems, Runner{Update: update}.command(t, sh, b)...)
		}
	}
	return s.String(), problems
}

// TestUpdate replays scripts, compares and updates them.
func TestUpdate(t *testing.T) {
	const call = "$ layoutcalc strides 2x3 -o plain\n"
	tests := []struct {
		reason, text, updated string
		problem               string // of a comparison
		refused               string // of an update
	}{
		{"right", call + "3,1\n", call + "3,1\n", "", ""},
		{"wrong", call + "9,7\n", call + "3,1\n", "9,7", ""},
		{"dots that match stay", call + "...\n3,1\n...\n", call + "...\n3,1\n...\n", "", ""},
		{"dots that do not match", call + "...\n9,7\n", call + "3,1\n", "9,7", ""},
		{"from outside", "# from: us\n" + call + "9,7\n", "# from: us\n" + call + "9,7\n", "9,7", "3,1"},
		{"up to a blank line", "# from: us\n\n" + call, "# from: us\n\n" + call + "3,1\n", "3,1", ""},
		{"an exit code", call + "3,1\n[exit 1]\n", call + "3,1\n", "exit 1", ""},
		{
			"a blank line at the end", "$ printf 'a\\n\\n'\n" + call + "3,1\n",
			"$ printf 'a\\n\\n'\na\n\n\n" + call + "3,1\n", "a", "",
		},
		{"no newline", "$ printf a\n", "$ printf a\na\n\\ no newline\n", "no newline", ""},
		{"another command", "$ rm a\n", "$ rm a\n", "no such command", "no such command"},
		{"no file", "$ cat a\n", "$ cat a\n", "open ", "open "},
	}
	for _, tt := range tests {
		after, problems := replay(t, tt.text, false)
		if after != tt.text || !has(problems, tt.problem) {
			t.Errorf("%s: %q, %q", tt.reason, after, problems)
		}
		after, problems = replay(t, tt.text, true)
		if after != tt.updated || !has(problems, tt.refused) {
			t.Errorf("%s: updated to %q, %q", tt.reason, after, problems)
		}
		if again, problems := replay(t, after, true); again != after || !has(problems, tt.refused) {
			t.Errorf("%s: updated twice to %q, %q", tt.reason, again, problems)
		}
	}
}

// has reports whether one problem contains the text, or there is none if the text is empty.
func has(problems []string, text string) bool {
	if text == "" {
		return len(problems) == 0
	}
	return len(problems) == 1 && strings.Contains(problems[0], text)
}

// TestShell runs command lines in a directory.
func TestShell(t *testing.T) {
	dir := t.TempDir()
	sh := shell{dir}
	for name, text := range map[string]string{
		"a b.txt": "2x3\n4x5\n", "c/d.txt": "7x1\n", "binary": "\x00\xff",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct{ line, want string }{
		{"ls", "a b.txt\nbinary\nc/d.txt\n"},
		{"cat 'a b.txt' c/d.txt", "2x3\n4x5\n7x1\n"},
		{`cat a\ b.txt | tail -1`, "4x5\n"},
		{`cat "$PWD/a b.txt" | head -1`, "2x3\n"},
		{"seq 9 11 | head -5", "9\n10\n11\n"},
		{"printf '|<'", "|<\n\\ no newline\n"},
		{"OS=Windows_NT layoutcalc check --get files c/?.TXT", "1\n"},
		{"layoutcalc strides - -o plain < c/d.txt", "1,1\n"},
		{"cd c && layoutcalc strides - -o plain < d.txt | cat \"$PWD/c/d.txt\"", "7x1\n"},
		{"printf '7x1' | layoutcalc strides - -o plain", "1,1\n"},
		{"layoutcalc strides --batch 'a b.txt' -o plain | tail -1", "5,1\n"},
		{`printf '\x1b[0m'`, `\x1b[0m` + "\n\\ no newline\n"},
		{"cat binary", `"\x00\xff"` + "\n"},
		{"printf \x1b", "\\e\n\\ no newline\n"},
		{"layoutcalc strides ''", "! layoutcalc: no size given\n! hint: such as 1x3x224x224\n[exit 2]\n"},
	}
	for _, tt := range tests {
		r, err := sh.run(tt.line, "", nil)
		if got := r.text(dir); err != nil || got != tt.want {
			t.Errorf("%s prints %q, %v, want %q", tt.line, got, err, tt.want)
		}
	}
	r, err := sh.run("A=b LAYOUTCALC_C='d e' layoutcalc version", "", map[string]string{"A": "c", "F": "g"})
	if err != nil || r.env["A"] != "b" || r.env["LAYOUTCALC_C"] != "d e" || r.env["F"] != "g" {
		t.Errorf("the variables are %q, %v", r.env, err)
	}
}

// TestProposals reads the command lines that errors propose, and runs a line that fails.
func TestProposals(t *testing.T) {
	tests := []struct {
		errs string
		want []string
	}{
		{"layoutcalc: no\nhint: layoutcalc a\n", []string{"layoutcalc a"}},
		{"layoutcalc: no\nhint: layoutcalc a\n      layoutcalc b\n", []string{"layoutcalc a", "layoutcalc b"}},
		{`{"error": {"hint": "layoutcalc a\nlayoutcalc b"}}` + "\n", []string{"layoutcalc a", "layoutcalc b"}},
		{"layoutcalc: no\n", nil},
		{"hint: such as layoutcalc a\n", []string{"layoutcalc a"}},
		{"hint: such as 2x3\n", nil},
	}
	for _, tt := range tests {
		if got := Proposals(tt.errs); !slices.Equal(got, tt.want) {
			t.Errorf("%q proposes %q, want %q", tt.errs, got, tt.want)
		}
	}
	sh := shell{t.TempDir()}
	for line, want := range map[string]string{"strides 2x3": "", "strides 2xq": "exits 2", "man --dir .": ""} {
		problems := Runner{}.propose(t, sh, result{errs: "hint: layoutcalc " + line + "\n"})
		if !has(problems, want) {
			t.Errorf("%s: %q, want %q", line, problems, want)
		}
	}
	if files, err := sh.list(); err != nil || files != "" {
		t.Errorf("a proposed line wrote into the directory of the case: %q, %v", files, err)
	}
	(&Block{Text: "-- d/a.txt --", Body: "2x3\n"}).write(t, sh.dir, sh.dir)
	below := result{cd: "cd d && ", errs: "hint: layoutcalc strides @a.txt\n"}
	if problems := (Runner{}).propose(t, sh, below); len(problems) != 0 {
		t.Errorf("a line that is proposed in a directory below fails: %q", problems)
	}
}

// TestWrite writes files in every form.
func TestWrite(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a"), []byte("copied"), 0o666); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ header, text, path, want string }{
		{"-- a/b c --", "x\n", "a/b c", "x\n"},
		{"-- quoted (quoted) --", "\"a\\x00\"\n`\\b`\n", "quoted", "a\x00\\b"},
		{"-- utf16 (utf16) --", "a\u20ac", "utf16", "\xff\xfea\x00\xac\x20"},
		{"-- zeros (zeros 3) --", "", "zeros", "\x00\x00\x00"},
		{"-- times (times 3) --", "ab\n", "times", "ab\nab\nab\n"},
		{"-- copy (copy a) --", "", "copy", "copied"},
		{"-- t (safetensors 2) --", "{\"a\":1}\n", "t", "\x08\x00\x00\x00\x00\x00\x00\x00{\"a\":1} \x00\x00"},
		{"-- ir (onnx) --", "ir_version: 3\n", "ir", "\x08\x03"},
		{"-- n (npy 1) --", "{}", "n", "\x93NUMPY\x01\x00\x76\x00{}" + strings.Repeat(" ", 115) + "\n\x00"},
		{
			"-- long (npy 0) --", "{" + strings.Repeat("x", 117), "long",
			"\x93NUMPY\x01\x00\xb6\x00{" + strings.Repeat("x", 117) + strings.Repeat(" ", 63) + "\n",
		},
	}
	for _, tt := range tests {
		(&Block{Kind: Input, Text: tt.header, Body: tt.text}).write(t, root, dir)
		got, err := os.ReadFile(filepath.Join(dir, tt.path))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s has %q, %v, want %q", tt.header, got, err, tt.want)
		}
	}
	(&Block{Kind: Input, Text: "-- d/e/ --"}).write(t, root, dir)
	if info, err := os.Stat(filepath.Join(dir, "d/e")); err != nil || !info.IsDir() {
		t.Errorf("there is no empty directory: %v", err)
	}
	for _, how := range []string{"", "nope", "zeros", "safetensors", "quoted", "copy", "times"} {
		if _, err := decode(how, "x", "x", root); (err == nil) != (how == "") {
			t.Errorf("a file of kind %q with no sense: %v", how, err)
		}
	}
	(&Block{Kind: Input, Text: "-- link -> a/b c --"}).write(t, root, dir) // skips where there are no links
	if got, err := os.ReadFile(filepath.Join(dir, "link")); err != nil || string(got) != "x\n" {
		t.Errorf("the link leads to %q, %v", got, err)
	}
}

// TestCheck updates a file with a shared file and two cases, whatever the step, and replays every second case of a file
// whose second case is wrong.
func TestCheck(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "a.golden")
	const (
		one       = "-- a.txt --\n2x3\n\n=== one\n$ layoutcalc strides - -o plain < a.txt\n"
		two       = "\n=== two\n-- b.txt (copy a.golden) --\n$ cat a.txt b.txt | head -2\n"
		directory = "$ printf \"$PWD\"\n"
		want      = one + "3,1\n" + two + "2x3\n\\-- a.txt --\n" + directory + "$PWD\n\\ no newline\n"
	)
	check := func(text string, r Runner) string {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		r.Root, r.Step = root, 2
		r.Check(t, path)
		after, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(after)
	}
	for _, text := range []string{one + two + directory, want} {
		if got := check(text, Runner{Update: true}); got != want {
			t.Errorf("%q is updated to %q, want %q", text, got, want)
		}
	}
	check(one+"3,1\n"+two+directory, Runner{})
}
