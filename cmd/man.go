package cmd

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"layoutcalc/cmd/files"
	"layoutcalc/cmd/suggest"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/view"
	"layoutcalc/render"
)

func (a *app) newMan() *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Print the manual page of the program or of a command",
		Long: "A page is what --help says, in the language of man pages: layoutcalc man strides | man -l - shows " +
			"it. --dir writes all pages, with names such as layoutcalc-strides.1, into a directory that is there; in " +
			"one of those that manpath lists, man layoutcalc finds them.",
		Example: `layoutcalc man | man -l -
layoutcalc man strides | man -l -
layoutcalc man --dir ~/.local/share/man/man1`,
		Args: func(c *cobra.Command, args []string) error { return noArguments(c, args[min(len(args), 1):]) },
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case dir != "" && len(args) > 0:
				return refuse("--dir writes the pages of all commands", "layoutcalc man --dir "+suggest.Quote(dir))
			case dir != "":
				return writePages(&a.guard, c.Root(), dir)
			case len(args) == 0:
				return a.writePage(c.Root())
			}
			var names []string
			for _, sub := range c.Root().Commands() {
				if sub.Name() == args[0] && !sub.Hidden {
					return a.writePage(sub)
				}
				names = append(names, sub.Name())
			}
			err := refuse("there is no manual page "+render.Quote(args[0]), "layoutcalc --help lists the commands")
			return err.DidYouMean(args[0], scan.Likely(args[0], names))
		},
		ValidArgsFunction: onlyFirst(
			func(c *cobra.Command, _ []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
				for _, sub := range c.Root().Commands() {
					if !sub.Hidden {
						names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
					}
				}
				return names, cobra.ShellCompDirectiveNoFileComp
			}),
	}
	textFlag(c.Flags(), "dir", "DIR", &dir, "write the pages of the program and of all commands into this directory")
	a.completeFlags(c, func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}, "dir")
	return c
}

func (a *app) writePage(c *cobra.Command) error {
	_, err := io.WriteString(a.streams.Out, manualPage(c))
	return render.WriteFailed("", err)
}

// writePages writes the pages of all commands into a directory.
func writePages(g *files.Guard, root *cobra.Command, dir string) error {
	for _, c := range slices.Concat([]*cobra.Command{root}, root.Commands()) {
		if c.Hidden {
			continue
		}
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

// A page is a text in the language of man pages: the macros of man, and text whose special characters are escaped.
type page struct{ bytes.Buffer }

// manualPage returns the page of a command: what its help says, and for the program the words of answers too.
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
	list := arguments(c.Use)
	if !c.HasParent() {
		p.section("COMMANDS")
		p.commands(c)
		p.section("TENSORS")
		list = tensorArguments[:]
	}
	p.arguments(list)
	p.section("OPTIONS")
	for _, g := range groups(c) {
		p.WriteString(".SS " + roff(g.title) + "\n")
		for _, f := range g.flags {
			p.flag(f)
		}
	}
	p.section("EXAMPLES")
	p.WriteString(".nf\n")
	for line := range strings.SplitSeq(c.Example, "\n") {
		p.WriteString(roff("$ "+line) + "\n")
	}
	p.WriteString(".fi\n")
	p.section("EXIT STATUS")
	for _, e := range exitCodes {
		p.bold(strconv.Itoa(e.code), e.meaning)
	}
	if !c.HasParent() {
		p.section("ENVIRONMENT")
		for _, v := range variables {
			p.bold(v.names, v.about)
		}
		p.section("WORDS")
		for d := range glossary {
			if d.kind == "word" {
				p.bold(d.name, d.meaning)
			}
		}
	}
	p.section("SEE ALSO")
	p.others(c)
	return p.String()
}

// others writes the pages beside that of a command.
func (p *page) others(c *cobra.Command) {
	var names []string
	for _, other := range slices.Concat([]*cobra.Command{c.Root()}, c.Root().Commands()) {
		if other != c && !other.Hidden {
			names = append(names, `\fB`+roff(pageName(other))+`\fR(1)`)
		}
	}
	p.WriteString(strings.Join(names, ",\n") + "\n")
}

// commands writes the pages of the commands.
func (p *page) commands(c *cobra.Command) {
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			p.tagged(`\fB`+roff(pageName(sub))+`\fR(1)`, sub.Short+".")
			p.WriteString(".PD 0\n")
		}
	}
	p.WriteString(".PD\n")
}

// arguments writes the arguments of a usage.
func (p *page) arguments(list []argument) {
	for _, arg := range list {
		p.tagged(`\fI`+roff(arg.word)+`\fR`, arg.about)
		if arg.word == "STEP" {
			p.WriteString(".RS\n")
			for usage, about := range view.Operations {
				p.bold(usage, about)
				p.WriteString(".PD 0\n")
			}
			p.WriteString(".PD\n.RE\n")
		}
	}
}

// variables are those of the environment that the program asks for.
var variables = [...]struct{ names, about string }{
	{"NO_COLOR", "not empty: no colours, unless --color says otherwise"},
	{"CLICOLOR_FORCE, FORCE_COLOR", "neither empty nor 0: colours also where the output is not a terminal"},
	{"CLICOLOR", "0: no colours"},
	{"TERM, COLORTERM", "how many colours the terminal has; none where TERM is dumb"},
	{"LC_ALL, LC_CTYPE, LANG", "the first that is set: where it names a locale without UTF-8, as --ascii"},
}

// synopsis writes the usage of a command: what is typed is bold, what it stands for in italics.
func synopsis(c *cobra.Command) string {
	if !c.HasParent() {
		return `\fB` + roff(c.Name()) + `\fR \fICOMMAND\fR [\fIargument\fR ...] [\fIflags\fR]` + "\n"
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

// tagged writes a paragraph with a tag before it, which is escaped already.
func (p *page) tagged(tag, text string) {
	p.WriteString(".TP\n" + tag + "\n")
	p.prose(text)
}

// bold writes a paragraph with a word in bold before it.
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

// prose writes a text, flags in it bold and words that stand for something in italics.
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

// placeholders are words of the help that stand for what users write.
const placeholders = " TENSOR SHAPE LAYOUT NOTATION INDEX STEP FILE @FILE AXIS BYTES NAME FROM TO COMMAND "

// roff escapes what has a meaning in man pages: backslashes, hyphens that are to be typed, characters that are drawn as
// others, those beyond ASCII, and a dot at the start of a line.
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
