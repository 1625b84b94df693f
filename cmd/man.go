package cmd

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"layoutcalc/cmd/files"
	"layoutcalc/layout/view"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// manCommand makes c the command man.
func (a *app) manCommand(c *cobra.Command) {
	var dir string
	c.Args = atMostOne
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case dir != "" && len(args) > 0:
			return refuse("--dir writes the pages of all commands", a.commandLine([]string{"man", "--dir", dir}))
		case dir != "":
			return writePages(&a.Guard, c.Root(), dir)
		case len(args) == 0:
			return a.writePage(c.Root())
		}
		var names []string
		for _, sub := range listed(c.Root()) {
			if sub.Name() == args[0] {
				return a.writePage(sub)
			}
			names = append(names, sub.Name())
		}
		err := refuse("there is no manual page "+render.Quote(args[0]), "layoutcalc --help")
		return err.DidYouMean(args[0], wording.Likely(args[0], names))
	}
	c.ValidArgsFunction = onlyFirst(offer(func([]string) (names []cobra.Completion) {
		for _, sub := range listed(c.Root()) {
			names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
		}
		return names
	}))
	textFlag(c.Flags(), "dir", "DIR", &dir)
	boolFlag(c.Flags(), "follow", &a.Follow)
}

func (a *app) writePage(c *cobra.Command) error {
	_, err := io.WriteString(a.streams.Out, manualPage(c))
	return render.WriteFailed("", err)
}

// writePages writes all pages into a directory.
func writePages(g *files.Guard, root *cobra.Command, dir string) error {
	for _, c := range append(listed(root), root) {
		path := filepath.Join(dir, pageName(c)+".1")
		err := g.WriteWhole(path, true, func(w io.Writer) error {
			_, err := io.WriteString(w, manualPage(c))
			return err
		})
		if err != nil {
			return render.WriteFailed(render.QuotePath(path), err)
		}
	}
	return nil
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// A page is a manual page in roff: macros, and text with special characters escaped.
type page struct{ bytes.Buffer }

// manualPage returns the page of a command, with the text of its help. The page of the program also has the glossary.
func manualPage(c *cobra.Command) string {
	var p page
	name := pageName(c)
	fmt.Fprintf(&p, ".TH \"%s\" \"1\" \"\" \"%s\" \"layoutcalc\"\n.nh\n.ad l\n",
		roff(strings.ToUpper(name)), roff("layoutcalc "+buildVersion().Version))
	p.section("NAME")
	fmt.Fprintf(&p, "%s \\- %s\n", roff(name), roff(strings.ToLower(c.Short[:1])+c.Short[1:]))
	p.section("SYNOPSIS")
	p.WriteString(synopsis(c))
	p.section("DESCRIPTION")
	for i, paragraph := range strings.Split(c.Long, "\n\n") {
		if i > 0 {
			p.WriteString(".PP\n")
		}
		p.prose(paragraph)
	}
	list := arguments(c)
	if !c.HasParent() {
		p.section("COMMANDS")
		p.commands(c)
		p.section("TENSORS")
		list = definitions("Tensors")
	}
	p.arguments(list)
	p.section("OPTIONS")
	for _, g := range groups(c, "") {
		p.WriteString(".SS " + roff(g.title) + "\n")
		for _, f := range g.flags {
			p.flag(f)
		}
	}
	p.section("EXAMPLES")
	if c.HasParent() {
		p.lines("$ " + strings.ReplaceAll(c.Example, "\n", "\n$ "))
	} else {
		p.examples()
	}
	p.section("EXIT STATUS")
	for _, e := range definitions("Exit codes") {
		p.bold(e.name, e.meaning)
	}
	if !c.HasParent() {
		p.surroundings()
	}
	p.section("SEE ALSO")
	p.others(c)
	return p.String()
}

// surroundings writes the sections of the program's page that are not in its help.
func (p *page) surroundings() {
	for _, name := range [...]string{"Environment", "Files"} {
		p.section(strings.ToUpper(name))
		for _, d := range definitions(name) {
			p.bold(d.name, d.meaning)
		}
	}
	p.section("WORDS")
	for d := range glossary {
		if d.kind == "word" {
			p.bold(d.name, d.meaning)
		}
	}
}

// lines writes lines as they are.
func (p *page) lines(text string) {
	p.WriteString(".nf\n")
	for line := range strings.SplitSeq(text, "\n") {
		p.WriteString(roff(line) + "\n")
	}
	p.WriteString(".fi\n")
}

// examples writes the examples of the program with their results.
func (p *page) examples() {
	_, text := section("Examples")
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		code, isCode := strings.CutPrefix(paragraph, "    ")
		if !isCode {
			p.WriteString(".PP\n")
			p.prose(paragraph)
			continue
		}
		p.WriteString(".RS\n")
		p.lines(strings.ReplaceAll(code, "\n    ", "\n"))
		p.WriteString(".RE\n")
	}
}

// others lists the other pages.
func (p *page) others(c *cobra.Command) {
	var names []string
	for _, other := range append([]*cobra.Command{c.Root()}, listed(c.Root())...) {
		if other != c {
			names = append(names, `\fB`+roff(pageName(other))+`\fR(1)`)
		}
	}
	p.WriteString(strings.Join(names, ",\n") + "\n")
}

// commands lists the pages of the commands.
func (p *page) commands(c *cobra.Command) {
	for _, sub := range listed(c) {
		p.tagged(`\fB`+roff(pageName(sub))+`\fR(1)`, sub.Short+".")
		p.WriteString(".PD 0\n")
	}
	p.WriteString(".PD\n")
}

// arguments writes definitions of arguments.
func (p *page) arguments(list []definition) {
	for _, arg := range list {
		p.tagged(`\fI`+roff(arg.name)+`\fR`, arg.meaning)
		if arg.name == "STEP" {
			p.WriteString(".RS\n")
			for usage, about := range view.Operations {
				p.bold(usage, about)
				p.WriteString(".PD 0\n")
			}
			p.WriteString(".PD\n.RE\n")
		}
	}
}

// synopsis returns the usage of a command: words to type in bold, placeholders in italics.
func synopsis(c *cobra.Command) string {
	if !c.HasParent() {
		return `\fB` + roff(c.Name()) + `\fR [\fICOMMAND\fR] [\fIargument\fR ...] [\fIflags\fR]` + "\n"
	}
	name, rest, _ := strings.Cut(c.Use+" [flags]", " ")
	text := `\fBlayoutcalc ` + roff(name) + `\fR`
	for word := range strings.FieldsSeq(rest) {
		if core := strings.Trim(word, "[].|"); core != "" {
			word = strings.Replace(roff(word), core, `\fI`+core+`\fR`, 1)
		}
		text += " " + word
	}
	return text + "\n"
}

func (p *page) section(title string) { p.WriteString(".SH " + title + "\n") }

// tagged writes a paragraph after a tag in roff.
func (p *page) tagged(tag, text string) {
	p.WriteString(".TP\n" + tag + "\n")
	p.prose(text)
}

// bold writes a paragraph after a word in bold.
func (p *page) bold(word, about string) { p.tagged(`\fB`+roff(word)+`\fR`, about) }

func (p *page) flag(f *pflag.Flag) {
	kind, usage := pflag.UnquoteUsage(f)
	tag := `\fB` + roff("--"+f.Name) + `\fR`
	if f.Shorthand != "" {
		tag = `\fB` + roff("-"+f.Shorthand) + `\fR, ` + tag
	}
	if kind != "" {
		tag += ` \fI` + roff(kind) + `\fR`
	}
	p.tagged(tag, usage)
}

// prose writes text with flags in bold and placeholders in italics.
func (p *page) prose(text string) {
	for i, word := range strings.Fields(text) {
		if i > 0 {
			p.WriteByte(' ')
		}
		core := strings.Trim(word, `()[],.;:?`)
		isFlag := strings.HasPrefix(core, "--") || len(core) == 2 && core[0] == '-'
		switch at := strings.Index(word, core); {
		case isFlag:
			p.WriteString(roff(word[:at]) + `\fB` + roff(core) + `\fR` + roff(word[at+len(core):]))
		case core != "" && strings.Contains(placeholders, " "+core+" "):
			p.WriteString(roff(word[:at]) + `\fI` + core + `\fR` + roff(word[at+len(core):]))
		default:
			p.WriteString(roff(word))
		}
	}
	p.WriteByte('\n')
}

// placeholders are the words in capitals in usages.
const placeholders = " TENSOR SHAPE LAYOUT NOTATION INDEX STEP FILE @FILE AXIS BYTES NAME FROM TO COMMAND "

// roff escapes characters with a meaning in roff: backslashes, hyphens to be typed, characters that roff draws as
// others, characters outside of ASCII, and a dot at the start.
func roff(text string) string {
	const special = "\\-'`^~\""
	escapes := [...]string{`\e`, `\-`, `\(aq`, `\(ga`, `\(ha`, `\(ti`, `\(dq`}
	var b bytes.Buffer
	for i, r := range text {
		switch at := strings.IndexRune(special, r); {
		case at >= 0:
			b.WriteString(escapes[at])
		case r == '.' && i == 0:
			b.WriteString(`\&.`)
		case r > '~':
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
