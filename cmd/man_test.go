package cmd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"layoutcalc/layout/layouttest"
)

// pages returns the manual pages by their names.
func pages(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	var out, stderr bytes.Buffer
	streams := Streams{Out: &out, Err: &stderr, Env: func(string) string { return "" }}
	if code := Run([]string{"man", "--dir", dir}, streams); code != 0 || out.Len()+stderr.Len() > 0 {
		t.Fatalf("man --dir exits %d: %s%s", code, &out, &stderr)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(paths) != len(commands)+1 {
		t.Fatalf("%d pages, %d commands: %v", len(paths), len(commands), err)
	}
	list := map[string]string{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		list[filepath.Base(path)] = string(data)
	}
	return list
}

// TestManualPages checks that each page has the sections of a manual page, and everything that the help of its command
// has.
func TestManualPages(t *testing.T) {
	written := pages(t)
	a := &app{streams: Streams{Env: func(string) string { return "" }}}
	root := a.newRoot()
	a.addCommands(root, nil)
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		if c.Hidden {
			continue
		}
		page, ok := written[pageName(c)+".1"]
		if !ok {
			t.Fatalf("%s has no page", pageName(c))
		}
		for _, section := range []string{
			"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "SEE ALSO",
		} {
			_, rest, ok := strings.Cut(page, "\n.SH "+section+"\n")
			if page = rest; !ok {
				t.Errorf("%s has no section %s where it belongs", pageName(c), section)
			}
		}
		page = written[pageName(c)+".1"]
		for _, g := range groups(c, "") {
			if !strings.Contains(page, "\n.SS "+roff(g.title)+"\n") {
				t.Errorf("%s has no flags %q", pageName(c), g.title)
			}
			for _, f := range g.flags {
				if !strings.Contains(page, `\fB\-\-`+roff(f.Name)+`\fR`) {
					t.Errorf("%s has no --%s", pageName(c), f.Name)
				}
			}
		}
		for example := range strings.SplitSeq(c.Example, "\n") {
			if c.HasParent() && !strings.Contains(page, "\n"+roff("$ "+example)+"\n") {
				t.Errorf("%s has no example %s", pageName(c), example)
			}
		}
	}
}

// TestExamplesOfTheManual runs the examples of the program's page, and compares the results with the page.
func TestExamplesOfTheManual(t *testing.T) {
	_, text := section("Examples")
	number := 0
	for example := range strings.SplitSeq(strings.ReplaceAll(text, "\n\n", "\n"), "\n    $ layoutcalc ") {
		line, want, isExample := strings.Cut(example, "\n    ")
		if !isExample {
			continue
		}
		number++
		words, err := splitLine(nil, line)
		if err != nil {
			t.Fatal(err)
		}
		var out, stderr bytes.Buffer
		Run(words, Streams{Out: &out, Err: &stderr, Env: func(string) string { return "" }})
		want, _, _ = strings.Cut(want, "\n")
		if got := strings.TrimSpace(out.String()); got != want || stderr.Len() > 0 {
			t.Errorf("%s: %s%s, want %s", line, got, &stderr, want)
		}
	}
	if number < 8 {
		t.Errorf("%d examples", number)
	}
}

// TestManualPagesAreClean checks that the pages have only known macros, and no hyphens or characters that man pages
// change.
func TestManualPagesAreClean(t *testing.T) {
	macros := regexp.MustCompile(`^\.(TH "[^"]*" "1" "" "[^"]*" "layoutcalc"|S[HS] [A-Z][A-Za-z ]*|TP|PP|nh|ad l|` +
		`nf|fi|RS|RE|PD( 0)?)$`)
	escapes := regexp.MustCompile(`\\(f[BIR]|-|\(aq|\(ga|\(ha|\(ti|\(dq|e|&|\[u[0-9A-F]{4}\])`)
	for name, page := range pages(t) {
		for line := range strings.Lines(page) {
			line = strings.TrimSuffix(line, "\n")
			isMacro := strings.HasPrefix(line, ".")
			if isMacro && !macros.MatchString(line) {
				t.Errorf("%s has the macro %q", name, line)
			}
			if text := escapes.ReplaceAllString(line, ""); !isMacro && strings.ContainsAny(text, "\\-'`^~\"") ||
				strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Errorf("%s has the line %q", name, line)
			}
		}
	}
}

func TestRoff(t *testing.T) {
	for _, tt := range []struct{ text, want, reason string }{
		{"plain text", "plain text", "most of it"},
		{".npy", `\&.npy`, "it would be a macro"},
		{"a.npy", "a.npy", "no dot at the start"},
		{"'T'", `\(aqT\(aq`, "the first would be a macro, and both be drawn as other quotes"},
		{"--at -1", `\-\-at \-1`, "to copy into a shell"},
		{`\x1b`, `\ex1b`, "it would be an escape"},
		{"a^b~c`", `a\(hab\(tic\(ga`, "they would be drawn as accents"},
		{`"a"`, `\(dqa\(dq`, "it would end an argument"},
		{"2×3", `2\[u00D7]3`, "whatever the encoding"},
	} {
		if got := roff(tt.text); got != tt.want {
			t.Errorf("%s becomes %s, want %s: %s", tt.text, got, tt.want, tt.reason)
		}
	}
}

// TestManualPagesAreShown has groff show the pages: without a warning, and with the words of the help.
func TestManualPagesAreShown(t *testing.T) {
	layouttest.SkipUnlessAll(t, "groff shows every page")
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed")
	}
	for name, page := range pages(t) {
		show := exec.Command(groff, "-man", "-ww", "-Tutf8", "-P-cbou", "-rLL=78n")
		show.Stdin = strings.NewReader(page)
		var out, stderr bytes.Buffer
		show.Stdout, show.Stderr = &out, &stderr
		if err := show.Run(); err != nil || stderr.Len() > 0 {
			t.Errorf("%s: %v\n%s", name, err, &stderr)
		}
		for line := range strings.Lines(out.String()) {
			if strings.Contains(line, `\`) || len([]rune(line)) > 81 && !strings.Contains(line, "$ ") {
				t.Errorf("%s is shown with the line %q", name, line)
			}
		}
		if name == "layoutcalc.1" && !strings.Contains(out.String(), "'f32[2,3]{0,1}'") {
			t.Errorf("%s is shown as\n%s", name, &out)
		}
	}
}
