// Package cmdtest replays test cases of the command line, which are written like a session of a shell. Only tests
// import it.
//
// A file of cases has prose, commands and files:
//
//	# Prose is a line that starts with "# ", at the start or below a blank line.
//
//	$ layoutcalc strides 1x3x5 HW -o plain
//	! layoutcalc: a line of standard error
//	[exit 2]
//
//	=== a heading starts a case, and its name states the reason
//	-- ours.yaml --
//	version: 1
//	$ layoutcalc check .
//	...
//	1 file, 3 descriptors
//
// Below a command is its output: the lines of standard output, the lines of standard error after "! ", and the exit
// code unless it is 0. A line "..." matches zero or more lines of standard output, and "! ..." zero or more lines of
// standard error; [..] matches any text in a line. A line of output that looks like a line of this format has a
// backslash before it. If the last line does not end, "\ no newline" follows. An escape character is written \e and a
// carriage return \r. A standard output that is not text is written as string literals of Go, each of 32 bytes.
//
// Commands above the first heading run in the root of the project. Every case runs in a new directory, which is $PWD in
// command lines and outputs, also after "cd DIR && " at the start of a line. A command line has the program, variables
// before it, a pipe from and to other commands, and < FILE. The other commands are cat FILE, ls (the paths of all
// regular files), printf TEXT, seq A B, head -N and tail -N. Words are split as a shell splits them. OS=Windows_NT
// before the program makes it read the command line as on Windows. If a quote is open at the end of a line, "> " starts
// the next.
//
// A line "-- PATH --" starts a file, which is written in its turn among the commands of its case. Its content is the
// lines up to one that starts with "-- ", "$ " or "=== ", without a blank line before a heading. Files above the first
// heading are written for every case. A word in parentheses changes the meaning of the lines:
//
//	-- PATH (onnx) --           a model in the form of layouttest.ONNX
//	-- PATH (quoted) --         a string literal of Go on each line, which are joined
//	-- PATH (utf16) --          encoded as UTF-16 with a byte order mark
//	-- PATH (zeros N) --        N zero bytes
//	-- PATH (times N) --        repeated N times
//	-- PATH (safetensors N) --  the header of a tensor file, followed by N zero bytes
//	-- PATH (npy N) --          the header of a NumPy file, followed by N zero bytes
//	-- PATH (copy FILE) --      a copy of a file of the project
//	-- PATH -> TARGET --        a symbolic link
//	-- PATH/ --                 an empty directory
//
// Lines of prose can mark the commands below them, up to the next blank line:
//
//	# from: SOURCE   the output comes from SOURCE, not from the program, and is never updated
//	# unix: REASON   the commands are not run on Windows
//
// Every command line "layoutcalc ..." that ends a hint is run too, and must exit 0 or 1.
package cmdtest

import (
	"fmt"
	"regexp"
	"strings"
)

// A Kind is a kind of block.
type Kind int

// The kinds of blocks.
const (
	Verbatim Kind = iota // text of a document between its console blocks
	Prose
	Heading
	Input // a file
	Command
)

// A Block is a heading, some lines of prose, a file, or a command with its output.
type Block struct {
	Kind Kind
	Line int    // the number of its first line
	Gap  bool   // a blank line is above it
	Text string // its first line, without the end; all lines of prose, a command line or verbatim text
	Body string // the lines below: the text of a file, or the output of a command

	From string // the source of the output of a command; empty if it may be updated
	Unix bool   // the command is not run on Windows
}

// A Script is the blocks of a file.
type Script struct{ Blocks []*Block }

// A Case is the blocks of a heading, without the heading itself.
type Case struct {
	Name   string // empty for the blocks above the first heading
	Blocks []*Block
}

// starts are the first letters of the lines that start a block.
var starts = map[string]Kind{"$ ": Command, "=== ": Heading, "-- ": Input, "# ": Prose}

// start returns the kind of block that a line starts, if it is one.
func start(line string) (kind Kind, ok bool) {
	for prefix, kind := range starts {
		if strings.HasPrefix(line, prefix) {
			return kind, true
		}
	}
	return 0, false
}

// A parser holds the block that lines are added to.
type parser struct {
	script *Script
	last   *Block
	gap    bool // the line before is blank
	from   string
	unix   bool
}

// Parse parses a file of cases.
func Parse(text string) (*Script, error) {
	p := parser{script: &Script{}}
	return p.script, p.lines(text, 1)
}

// ParseDocument parses the console blocks of a Markdown document. What is between them is verbatim text.
func ParseDocument(text string) (*Script, error) {
	const open, end = "```console\n", "```"
	script, number := &Script{}, 1
	for {
		before, rest, ok := strings.Cut(text, open)
		console, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			script.Blocks = append(script.Blocks, &Block{Kind: Verbatim, Line: number, Text: text})
			return script, nil
		}
		before += open
		script.Blocks = append(script.Blocks, &Block{Kind: Verbatim, Line: number, Text: before})
		number += strings.Count(before, "\n")
		p := parser{script: script}
		if err := p.lines(console, number); err != nil {
			return nil, err
		}
		number += strings.Count(console, "\n")
		text = end + after
	}
}

// lines parses text. The argument number is the line number of its first line.
func (p *parser) lines(text string, number int) error {
	for line := range strings.Lines(text) {
		kind, starts := start(line)
		if p.last != nil && kind == Prose && starts {
			starts = p.last.Kind == Heading || p.gap && p.last.Kind != Input
		}
		switch {
		case starts:
			if err := p.begin(kind, line, number); err != nil {
				return err
			}
		case p.last != nil && p.last.Kind == Prose && strings.HasPrefix(line, "# "):
			p.last.Text += "\n" + strings.TrimSuffix(line, "\n")
			p.mark(line)
		case p.last != nil && p.last.isOpen() && strings.HasPrefix(line, "> "):
			p.last.Text += "\n" + strings.TrimSuffix(line[2:], "\n")
		case p.last != nil && (p.last.Kind == Command || p.last.Kind == Input):
			p.last.Body += line
		case line != "\n":
			return fmt.Errorf("line %d belongs to no command and no file: %s", number, line)
		}
		p.gap = line == "\n"
		number++
	}
	return nil
}

// begin starts a block. The last blank line of an output, and of a file before a heading, separates it from the block.
func (p *parser) begin(kind Kind, line string, number int) error {
	b := &Block{Kind: kind, Line: number, Gap: p.gap, Text: strings.TrimSuffix(line, "\n")}
	if last := p.last; last != nil && p.gap {
		if last.Kind == Command || last.Kind == Input && kind == Heading {
			last.Body = strings.TrimSuffix(last.Body, "\n")
		} else if last.Kind == Input {
			b.Gap = false
		}
	}
	if b.Gap || kind == Heading {
		p.from, p.unix = "", false
	}
	switch kind {
	case Prose:
		p.mark(line)
	case Input:
		if !header.MatchString(b.Text) {
			return fmt.Errorf("line %d does not name a file: %s", number, line)
		}
	case Command:
		b.From, b.Unix = p.from, p.unix
	}
	p.last = b
	p.script.Blocks = append(p.script.Blocks, b)
	return nil
}

// mark records a mark in a line of prose for the commands below it.
func (p *parser) mark(line string) {
	if from, ok := strings.CutPrefix(line, "# from: "); ok {
		p.from = strings.TrimSpace(from)
	}
	p.unix = p.unix || strings.HasPrefix(line, "# unix: ")
}

// String returns the script as a file.
func (s *Script) String() string {
	var out strings.Builder
	for i, b := range s.Blocks {
		if i > 0 && (b.Gap || b.Kind == Heading || s.Blocks[i-1].endsBlank()) && b.Kind != Verbatim {
			out.WriteString("\n")
		}
		if b.Kind == Command {
			out.WriteString(strings.ReplaceAll(b.Text, "\n", "\n> "))
		} else {
			out.WriteString(b.Text)
		}
		if b.Kind != Verbatim {
			out.WriteString("\n" + b.Body)
		}
	}
	return out.String()
}

// isOpen reports whether the block is a command line that ends within a quote.
func (b *Block) isOpen() bool {
	return b.Kind == Command && scan(b.Text, func(int, rune, bool) {})
}

// endsBlank reports whether the block is a command with an output that ends in a blank line.
func (b *Block) endsBlank() bool {
	return b.Kind == Command && (b.Body == "\n" || strings.HasSuffix(b.Body, "\n\n"))
}

// Cases returns the cases of the script. The first has everything above the first heading, and may be empty.
func (s *Script) Cases() []Case {
	cases := []Case{{}}
	for _, b := range s.Blocks {
		last := &cases[len(cases)-1]
		if name, ok := strings.CutPrefix(b.Text, "=== "); ok && b.Kind == Heading {
			cases = append(cases, Case{Name: name})
		} else {
			last.Blocks = append(last.Blocks, b)
		}
	}
	return cases
}

// Marked returns how many commands have an output that comes from outside of the program.
func (s *Script) Marked() (n int) {
	for _, b := range s.Blocks {
		if b.From != "" {
			n++
		}
	}
	return n
}

// special matches a line of output that looks like a line of the format, whatever is above it.
var special = regexp.MustCompile(`^\\*(\$ |=== |-- |! |\[exit |\.\.\.$|\\ no newline$)`)

// escape returns lines of an output with a backslash before lines that look like the format.
func escape(output, prefix string) string {
	var out strings.Builder
	blank := false
	for line := range strings.Lines(output) {
		text, ended := strings.CutSuffix(line, "\n")
		isProse := blank && strings.HasPrefix(strings.TrimLeft(text, `\`), "# ")
		if out.WriteString(prefix); isProse || special.MatchString(text) {
			out.WriteString(`\`)
		}
		if out.WriteString(text + "\n"); !ended {
			out.WriteString(prefix + `\ no newline` + "\n")
		}
		blank = text == ""
	}
	return out.String()
}
