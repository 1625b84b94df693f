package cmd

import (
	"bytes"
	stdflag "flag"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"layoutcalc/layout"
	"layoutcalc/layout/view"
	"layoutcalc/render"
)

//go:generate go test . -run TestReference -update

var updateReference = stdflag.Bool("update", false, "write the reference pages")

// TestReference compares the pages in docs/reference with the output of the program. With -update it writes them.
func TestReference(t *testing.T) {
	for name, write := range map[string]func(*reference){
		"commands": (*reference).commands, "notations": (*reference).notations, "types": (*reference).types,
		"words": (*reference).words, "json": (*reference).json,
	} {
		r := reference{t: t}
		write(&r)
		path := "../docs/reference/" + name + ".md"
		if *updateReference && os.Getenv("CI") == "" {
			if err := os.WriteFile(path, r.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if page, err := os.ReadFile(path); err != nil || !bytes.Equal(page, r.Bytes()) {
			t.Errorf("%s differs from the texts of the program (go generate ./cmd writes it): %v", path, err)
		}
	}
}

// A reference is a page of docs/reference in Markdown.
type reference struct {
	bytes.Buffer
	t *testing.T
}

// title writes the heading of the page and a sentence about it, which ends with what the page is generated from.
func (r *reference) title(title, about, source string) {
	r.WriteString("# " + title + "\n\n")
	r.fill(about+" This page is generated from "+source+" by `go generate ./cmd`.", 0)
}

func (r *reference) heading(level int, title string) {
	r.WriteString("\n" + strings.Repeat("#", level) + " " + title + "\n")
}

func (r *reference) paragraph(text string) {
	r.WriteByte('\n')
	r.fill(markdown(text), 0)
}

func (r *reference) paragraphs(text string) {
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		r.paragraph(paragraph)
	}
}

func (r *reference) item(word, meaning string) {
	r.fill("- "+word+": "+markdown(meaning), 2)
}

// fill writes Markdown in lines of 120 columns.
func (r *reference) fill(markdown string, indent int) { writeFilled(&r.Buffer, markdown, indent, 120) }

// code writes a block of code.
func (r *reference) code(kind, text string) {
	r.WriteString("\n```" + kind + "\n" + strings.TrimSuffix(text, "\n") + "\n```\n")
}

// markdown escapes the characters of text that Markdown would read as markup.
func markdown(text string) string {
	return strings.NewReplacer("*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`).Replace(text)
}

// commands writes the help of all commands.
func (r *reference) commands() {
	r.title("Commands and flags",
		"Every command with its arguments and flags, as `layoutcalc COMMAND --help` shows them.", "the program")
	a := &app{lists: true, streams: Streams{Env: func(string) string { return "" }}}
	root := a.newRoot()
	for _, c := range commands {
		root.AddCommand(c.make(a))
	}
	describeFlags(root)
	r.paragraphs(root.Long)
	shared := map[*pflag.Flag]bool{}
	r.heading(2, ofAll)
	r.WriteByte('\n')
	for _, g := range groups(root, "") {
		r.flags(g)
		for _, f := range g.flags {
			shared[f] = true
		}
	}
	for _, c := range listed(root) {
		describeFlags(c)
		r.command(c, shared)
	}
	r.heading(2, "View operations")
	r.paragraph("`view` and `--view` take a slice, such as `[:, 1:3]`, or one of these operations:")
	r.WriteByte('\n')
	for usage, about := range view.Operations {
		r.item("`"+usage+"`", about)
	}
	for _, name := range [...]string{"Tensors", "Exit codes", "Environment", "Files"} {
		r.heading(2, name)
		r.WriteByte('\n')
		for _, d := range definitions(name) {
			r.item("`"+d.name+"`", d.meaning)
		}
	}
}

// command writes the help of a command, without the flags that all commands share.
func (r *reference) command(c *cobra.Command, shared map[*pflag.Flag]bool) {
	r.heading(2, c.Name())
	r.paragraph(c.Short + ".")
	r.code("sh", "layoutcalc "+useLine(c)+"\n\n"+c.Example)
	r.paragraphs(c.Long)
	if list := arguments(c); list != nil {
		r.heading(3, c.Name()+": arguments")
		r.WriteByte('\n')
		for _, d := range list {
			r.item("`"+d.name+"`", d.meaning)
		}
	}
	for _, g := range groups(c, "") {
		if g.title != ofAll {
			title := strings.TrimSuffix(strings.ToLower(g.title), "flags")
			r.heading(3, strings.Join(strings.Fields(c.Name()+": "+title+" flags"), " "))
			r.WriteByte('\n')
			r.flags(g)
		}
	}
}

// flags writes a group of flags.
func (r *reference) flags(g flagGroup) {
	for _, f := range g.flags {
		kind, usage := pflag.UnquoteUsage(f)
		word := strings.TrimRight("--"+f.Name+" "+kind, " ")
		if f.Shorthand != "" {
			word = "-" + f.Shorthand + "`, `" + word
		}
		r.item("`"+word+"`", usage)
	}
}

// notations writes the output of explain for each notation.
func (r *reference) notations() {
	r.title("Notations",
		"The notations that `--from`, `--as` and `-o` name, as `layoutcalc explain NAME` shows them.", "the program")
	for _, t := range notationTopics() {
		r.topic(t)
	}
}

// topic writes a topic of explain.
func (r *reference) topic(t render.Topic) {
	r.heading(2, t.Name)
	r.paragraph(t.Title + ".")
	for _, part := range t.Parts {
		title := strings.ToUpper(part.Name[:1]) + part.Name[1:]
		if part.Code {
			r.paragraph(title + ":")
			r.code("text", part.Text)
		} else {
			r.paragraph(title + ": " + part.Text)
		}
	}
}

// types writes the names of each element type.
func (r *reference) types() {
	r.title("Element types", "Element types, with their bits and their names in each system, as "+
		"`layoutcalc explain NAME` shows them. `-t` takes any of the names.", "the program")
	for d := range layout.DTypes {
		t := typeTopic(d)
		r.heading(2, t.Name)
		r.WriteByte('\n')
		for _, part := range t.Parts {
			r.item(part.Name, part.Text)
		}
	}
}

// words writes the glossary.
func (r *reference) words() {
	r.title("Words", "The words of answers and the letters of axes, as `layoutcalc explain WORD` shows them.",
		"the program")
	for _, section := range [...]definition{
		{name: "Words of answers", kind: "word"}, {name: "Letters of axes", kind: "axis"},
	} {
		r.heading(2, section.name)
		r.WriteByte('\n')
		for d := range glossary {
			if d.kind != section.kind {
				continue
			}
			word := "**" + markdown(d.name) + "**"
			if len(d.others) > 0 {
				word += " (" + markdown(strings.Join(d.others, ", ")) + ")"
			}
			r.item(word, d.meaning)
		}
	}
}
