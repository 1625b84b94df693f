package cmd

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout"
	"layoutcalc/layout/input"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/shape"
	"layoutcalc/render"
)

// A batch answers the lines of a file one after another. Each has the arguments and flags of one call, and the code
// that answers a call answers it; then what flags set is what it was before the line.
type batch struct {
	app     *app
	command *cobra.Command
	check   cobra.PositionalArgs                 // of a call
	call    func(*cobra.Command, []string) error // answers it
	output  *output
	format  render.Format // of all answers
	keep    func() (fresh func())
	fresh   func()        // makes what flags say what it was beside --batch
	changed []*pflag.Flag // by the flags of the line
	given   []givenFlag   // which they are

	path    string
	files   bool // lines may read and write files
	in      *bufio.Reader
	number  int      // of the line that is answered, from 1
	long    []byte   // the line, where the buffer of in does not hold it
	words   []string // of the line, after the name of the command
	answers answers
	out     *bufio.Writer   // of the command, to the answers
	told    map[string]bool // notes that have been said

	names map[string]*shape.Name // that lines have had

	isNo  bool // an answer is no
	isBad bool // a line has no answer
	lost  bool // nor its picture, which cannot be written
}

// errUnwritten says that a picture could not be written. A message says which and why.
var errUnwritten = errors.New("unwritten picture")

const (
	maxLine = 1 << 20 // bytes that a line of a batch may have
	maxTold = 100     // notes that a batch says
)

// addBatch adds the flag --batch to a command that is complete but for it. Keep keeps what the flags beside --batch
// say, and returns the function that copies it for a line.
func addBatch(a *app, c *cobra.Command, o *output, keep func() (fresh func())) {
	b := &batch{app: a, command: c, check: c.Args, call: c.RunE, output: o, keep: keep}
	textFlag(c.Flags(), "batch", "FILE", &b.path,
		"answer each line of FILE: the arguments and flags of a call; - is standard input")
	c.Flags().BoolVar(&b.files, "batch-files", false, "lines of --batch may read and write files")
	c.Args = func(c *cobra.Command, args []string) error {
		if b.path != "" {
			return nil
		}
		return b.check(c, args)
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if b.path != "" {
			return b.run(args)
		}
		if b.files {
			return refuse("--batch-files is for the lines of --batch", "leave it out")
		}
		return b.call(c, args)
	}
}

// run answers all lines.
func (b *batch) run(args []string) error {
	if err := b.start(args); err != nil {
		return err
	}
	path := cmp.Or(b.source(), "-")
	s, end, err := b.app.openSource(path)
	if err != nil {
		return err
	}
	defer end()
	b.in = input.Words(bufio.NewReaderSize(s.Reader(), scan.MaxText))
	b.answers.w, b.out = b.app.streams.Out, bufio.NewWriter(&b.answers)
	b.app.streams.Out, b.app.batch = b.out, b
	debug.SetGCPercent(400) // of a heap of a few MB: to collect it more rarely saves a tenth of the time
	defer func() { b.app.batch = nil }()
	for err == nil {
		var line []byte
		if !hasLine(b.in) {
			b.answers.flush()
		}
		b.number++
		if line, err = b.next(); err == nil {
			err = b.answer(line)
		}
	}
	b.number = 0
	b.answers.flush()
	switch {
	case b.answers.err != nil:
		return render.WriteFailed("", b.answers.err)
	case err != io.EOF:
		return refuse(render.QuotePath(path)+" cannot be read", "")
	case b.lost:
		return errUnwritten
	case b.isBad:
		return errUnread
	case b.isNo:
		return errNo
	}
	return nil
}

// start refuses flags that do not go with --batch, and keeps the values of the others for all lines.
func (b *batch) start(args []string) error {
	flags := b.command.Flags()
	for _, name := range [...]string{"in", "out"} {
		if flags.Changed(name) {
			return refuse("--"+name+" moves data, and --batch answers lines", "leave out --"+name+" or --batch")
		}
	}
	for _, name := range [...]string{"svg", "html"} {
		if flags.Changed(name) {
			return refuse("each line of a batch would draw its picture in place of the one before",
				"write --"+name+" FILE into the lines, each with a file of its own")
		}
	}
	if len(args) > 0 {
		return refuse("--batch takes the arguments of each line, and "+render.Quote(args[0])+" is one of all lines",
			"write it into the lines, or leave out --batch")
	}
	if !flags.Changed("output") {
		b.output.format = render.Plain
	}
	b.fresh = b.keep()
	b.told, b.names = map[string]bool{}, map[string]*shape.Name{}
	b.format = b.output.format
	if b.format != render.Plain && b.format != render.JSON {
		return refuse("--batch has a line for each answer, -o "+string(b.format)+" more than one",
			"-o plain, or -o json for JSON Lines")
	}
	return nil
}

// next returns the next line, without its end, or io.EOF after the last. Of a line that is too long it returns the
// beginning.
func (b *batch) next() (line []byte, err error) {
	line, err = b.in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		b.long = b.long[:0]
		for err == bufio.ErrBufferFull {
			b.long = append(b.long, line[:min(len(line), maxLine+2-len(b.long))]...)
			line, err = b.in.ReadSlice('\n')
		}
		line = append(b.long, line[:min(len(line), maxLine+2-len(b.long))]...)
		b.long = line
	}
	if err == io.EOF && len(line) > 0 {
		err = nil
	}
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), err
}

// answer answers a line. The error is one that ends the batch.
func (b *batch) answer(line []byte) error {
	err := b.callWith(line)
	switch {
	case b.answers.err != nil:
		return b.answers.err
	case errors.Is(err, errSecondLine):
		err = refuse("the answer has more than one line", "-o json has all of it in one")
		if b.output.get != "" {
			err = refuse("--get has more than one line", "-o json without --get has all fields in one")
		}
	}
	b.isNo = b.isNo || err == errNo
	b.fresh()
	for _, f := range b.changed {
		f.Changed = false
	}
	b.changed, b.given = b.changed[:0], b.given[:0]
	if err != nil && err != errNo {
		var write *render.WriteError
		b.isBad, b.lost = true, b.lost || errors.As(err, &write)
		b.out.Reset(&b.answers)
		if !b.app.errorsInJSON {
			b.app.sayNotes()
		}
		b.app.say(message(b.app.mend(err)))
		b.answers.drop()
	}
	if !b.answers.begun() && b.output.format == render.JSON && b.output.get == "" {
		b.answers.Write([]byte("null"))
	}
	b.answers.end()
	b.app.notes, b.app.said = b.app.notes[:0], 0
	return nil
}

// callWith answers the call that a line is, if it is not blank.
func (b *batch) callWith(line []byte) (err error) {
	if len(line) > maxLine {
		return scan.Refuse("", "a line of more than %d bytes", maxLine)
	}
	if at := bytes.IndexByte(line, 0); at >= 0 {
		return &layout.SyntaxError{Input: string(line), Offset: at, Msg: "a zero byte, which no argument has"}
	}
	b.words, err = splitLine(append(b.words[:0], b.command.Name()), string(line))
	if err != nil || len(b.words) == 1 {
		return err
	}
	b.app.args = b.words
	if err := b.isWhole(b.words[1:]); err != nil {
		return err
	}
	args := b.words[1:]
	if slices.ContainsFunc(args, func(word string) bool { return strings.HasPrefix(word, "-") }) {
		flags := b.command.Flags()
		if err := flags.ParseAll(protected(args), b.setFlag); err != nil {
			return b.command.FlagErrorFunc()(b.command, err)
		}
		args = flags.Args()
		b.app.noteRepeated(b.given)
	}
	if b.output.format != b.format {
		return refuse("-o is for all lines of a batch", "give it beside --batch, and leave it out here")
	}
	if err := b.check(b.command, args); err != nil {
		return err
	}
	return b.call(b.command, args)
}

// isWhole returns an error where a line has the name of the program or of the command before the arguments.
func (b *batch) isWhole(line []string) error {
	args := line
	if args[0] == "layoutcalc" {
		args = args[1:]
	}
	if len(args) > 0 && args[0] == b.command.Name() {
		args = args[1:]
	}
	if len(args) == len(line) {
		return nil
	}
	for i := range args {
		args[i] = suggest.Quote(args[i])
	}
	before := strings.Join(line[:len(line)-len(args)], " ")
	return refuse("a line has the arguments alone, not "+render.Quote(before), "write "+strings.Join(args, " "))
}

// setFlag sets a flag of a line.
func (b *batch) setFlag(f *pflag.Flag, value string) error {
	switch f.Name {
	case "batch", "batch-files", "help":
		return refuse("--"+f.Name+" is not for a line of a batch", "leave it out")
	case "in", "out":
		return refuse("--"+f.Name+" moves data, and a batch answers", "move the data with a command of its own")
	}
	if f.Value.Set(value) != nil {
		return b.command.Flags().Set(f.Name, value) // whose error tells the flag
	}
	b.given = append(b.given, givenFlag{f.Name, value})
	if !f.Changed {
		f.Changed = true
		b.changed = append(b.changed, f)
	}
	return nil
}

// touches refuses a file that a line of a batch reads or writes: its text may be of others. b may be nil.
func (b *batch) touches(path string) error {
	if b == nil || b.files {
		return nil
	}
	return refuse(render.QuotePath(path)+" is a file, and lines of a batch read and write none",
		"--batch-files beside --batch lets them")
}

// maxNames is how many names of layouts a batch remembers.
const maxNames = 64

// layoutName reads the name of a layout. The lines of a batch have few different ones, which are read once.
func (a *app) layoutName(text string) (*shape.Name, error) {
	if name := a.batch.known(text); name != nil {
		return name, nil
	}
	name, err := shape.ParseName(text)
	if err == nil && a.batch != nil && len(a.batch.names) < maxNames {
		a.batch.names[strings.Clone(text)] = &name
	}
	return &name, err
}

// known returns what a text is as the name of a layout, if it is remembered; b may be nil.
func (b *batch) known(text string) *shape.Name {
	if b == nil {
		return nil
	}
	return b.names[text]
}

// source returns the path of the file, empty for standard input.
func (b *batch) source() string {
	if path := strings.TrimPrefix(b.path, "@"); path != "-" {
		return path
	}
	return ""
}

// place is what messages about the line start with.
func (b *batch) place() string {
	if source := b.source(); source != "" {
		return render.Quote(source) + ":" + strconv.Itoa(b.number) + ": "
	}
	return "line " + strconv.Itoa(b.number) + ": "
}

// isNews reports whether a note has not been said yet. When there have been too many it is replaced by a last one.
func (b *batch) isNews(note *string) bool {
	if b.told[*note] || len(b.told) > maxTold {
		return false
	}
	if len(b.told) == maxTold {
		*note = "there are more notes, which -o json has with each answer"
	}
	b.told[*note] = true
	return true
}

// Answers are lines on their way to standard output. The last of them may not be complete.
type answers struct {
	w    io.Writer
	err  error // of w
	text []byte
	last int  // where the last one starts in text
	long bool // a part of the last one has been written already
}

// maxAnswers is how many bytes of answers are kept before they are written.
const maxAnswers = 64 << 10

var errSecondLine = errors.New("a second line")

// Write adds to the last answer. That has one line.
func (a *answers) Write(p []byte) (int, error) {
	at := bytes.IndexByte(p, '\n')
	switch {
	case a.err != nil:
		return 0, a.err
	case at >= 0 && at < len(p)-1, len(p) > 0 && len(a.text) > a.last && a.text[len(a.text)-1] == '\n':
		return 0, errSecondLine
	}
	if a.text = append(a.text, p...); len(a.text) > maxAnswers {
		if a.flush(); len(a.text) > 4*maxAnswers {
			a.long, a.last = true, len(a.text)-1 // whose line break may be in it
			a.flush()
		}
	}
	return len(p), a.err
}

// begun reports whether the last answer has some text.
func (a *answers) begun() bool { return a.long || len(a.text) > a.last }

// end ends the last answer.
func (a *answers) end() {
	if len(a.text) == a.last || a.text[len(a.text)-1] != '\n' {
		a.text = append(a.text, '\n')
	}
	a.last, a.long = len(a.text), false
}

// drop leaves out the last answer, but for what has been written of it.
func (a *answers) drop() { a.text = a.text[:a.last] }

// flush writes the answers that are complete.
func (a *answers) flush() {
	if a.err == nil && a.last > 0 {
		_, a.err = a.w.Write(a.text[:a.last])
		a.text = slices.Delete(a.text, 0, a.last)
		a.last = 0
	}
}

// splitLine appends the words of a line, as a shell splits it: blanks are between words, quotes and backslashes take
// away the meaning of what is in them or after them, and a word that starts with # begins a comment. Nothing else
// has a meaning.
func splitLine(words []string, line string) ([]string, error) {
	for at := 0; ; {
		for at < len(line) && isBlank(line[at]) {
			at++
		}
		if at == len(line) || line[at] == '#' {
			return words, nil
		}
		end := at
		for end < len(line) && !isBlank(line[end]) && line[end] != '\'' && line[end] != '"' && line[end] != '\\' {
			end++
		}
		word := line[at:end]
		if at = end; at < len(line) && !isBlank(line[at]) {
			rest, end, err := unquote(line, at)
			if err != nil {
				return words, err
			}
			word += rest
			at = end
		}
		words = append(words, word)
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// unquote returns what a word means from a quote or a backslash on, and where it ends.
func unquote(line string, at int) (text string, end int, err error) {
	var word strings.Builder
	quote, opened := byte(0), 0
	for ; at < len(line) && (quote != 0 || !isBlank(line[at])); at++ {
		switch c := line[at]; {
		case quote == 0 && (c == '\'' || c == '"'):
			quote, opened = c, at
		case c == quote && quote != 0:
			quote = 0
		case c != '\\' || quote == '\'':
			word.WriteByte(c)
		case at+1 == len(line):
			return "", at, &layout.SyntaxError{Input: line, Offset: at, Msg: "nothing is after the backslash",
				Hint: "each line is a call of its own, and cannot go on in the next"}
		case quote == '"' && strings.IndexByte("\"\\$`", line[at+1]) < 0:
			word.WriteByte(c)
		default:
			at++
			word.WriteByte(line[at])
		}
	}
	if quote != 0 {
		return "", at, &layout.SyntaxError{Input: line, Offset: opened, Msg: "the quote is not closed",
			Hint: "a quote that is part of a word is written " + `\` + string(quote)}
	}
	return word.String(), at, nil
}
