package cmd

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout"
	"layoutcalc/layout/input"
	"layoutcalc/layout/lexer"
	"layoutcalc/render"
)

// A batch answers the lines of a file. Each line has the arguments and flags of one call, and is answered by the same
// code as a single call. Afterwards, the flags are reset to the values next to --batch.
type batch struct {
	batchLine
	command *cobra.Command
	check   cobra.PositionalArgs                 // checks the arguments of a call
	call    func(*cobra.Command, []string) error // answers a call
	format  render.Format                        // the format of all answers
	save    func() (restore func())
	restore func()        // resets the flags to the values next to --batch
	changed []*pflag.Flag // the flags that the line has changed
	given   []givenFlag   // the flags in the line

	in    *bufio.Reader
	long  []byte   // a line longer than the buffer of in
	words []string // the name of the command and the words of the line
}

// The maximum bytes of a line, and of its answer unless --limit sets another limit.
const (
	maxLine   = 1 << 20
	maxAnswer = 1 << 20
)

// addBatch adds the flag --batch to a command that is otherwise complete. All points to the values of its flags, which
// are reset to the values next to --batch before each line.
func addBatch[T any](a *app, c *cobra.Command, o *output, all *T) {
	b := &batch{batchLine: batchLine{app: a, output: o}, command: c, check: c.Args, call: c.RunE}
	b.answers.limit, b.try, b.reset = maxAnswer, b.dryLine, b.resetFlags
	b.fail = func(err error) { a.say(a.message(err, a.hintFor(err))) }
	b.save = func() (restore func()) {
		first, display := *all, a.display
		return func() { *all, a.display = first, display }
	}
	textFlag(c.Flags(), "batch", "FILE", &b.path)
	boolFlag(c.Flags(), "batch-files", &b.files)
	flag(c.Flags(), "limit", "BYTES", lexer.ParseBytes, func(n int64) { b.answers.limit = n })
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
		for _, name := range [...]string{"batch-files", "limit"} {
			if c.Flags().Changed(name) {
				return refuse("--"+name+" is for the lines of --batch", "remove it")
			}
		}
		return b.call(c, args)
	}
}

// run answers all lines.
func (b *batch) run(args []string) error {
	if err := b.prepare(args); err != nil {
		return err
	}
	path := cmp.Or(b.source(), "-")
	s, end, err := b.app.Open(path)
	if err != nil {
		return err
	}
	defer end()
	b.in = input.Words(bufio.NewReaderSize(s.Reader(), lexer.MaxText))
	b.start(b.app.streams.Out)
	debug.SetGCPercent(400) // the heap has a few MB: collecting it less often saves a tenth of the time
	defer func() { b.app.line = nil }()
	for err == nil {
		var line []byte
		if !hasLine(b.in) {
			b.answers.flush()
		}
		b.number++
		if line, err = b.next(); err == nil {
			err = b.answer(func() error { return b.callWith(line) })
		}
	}
	if b.app.dry != nil && b.answers.err == nil && err != io.EOF {
		return err
	}
	result := b.end()
	if b.answers.err == nil && err != io.EOF {
		return refuse(render.QuotePath(path)+" cannot be read", "")
	}
	return result
}

// prepare rejects flags that cannot be combined with --batch, and saves the values of the others.
func (b *batch) prepare(args []string) error {
	flags := b.command.Flags()
	for _, name := range [...]string{"in", "out"} {
		if flags.Changed(name) {
			return refuse("--"+name+" moves data, and --batch answers lines", "remove --"+name+" or --batch")
		}
	}
	for _, form := range pictureForms {
		if flags.Changed(form.flag) {
			return refuse("each line of a batch would draw its picture in place of the one before",
				"write --"+form.flag+" FILE into the lines, each with a file of its own")
		}
	}
	if len(args) > 0 {
		return refuse("--batch takes its arguments from the lines, and "+render.Quote(args[0])+" is outside of them",
			"write it into the lines, or remove --batch")
	}
	if !flags.Changed("output") {
		b.output.Format = render.Plain
	}
	b.restore = b.save()
	b.format = b.output.Format
	if b.format != render.Plain && b.format != render.JSON {
		return refuse("--batch writes a line for each answer, and -o "+string(b.format)+" several",
			"-o plain, or -o json for JSON Lines")
	}
	return nil
}

// next returns the next line without its end, the start of a line that is too long, or io.EOF after the last.
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

// callWith answers the call in a line, unless it is empty.
func (b *batch) callWith(line []byte) (err error) {
	if len(line) > maxLine {
		return lexer.Refuse("", "a line of more than %d bytes", maxLine)
	}
	if at := bytes.IndexByte(line, 0); at >= 0 {
		return &layout.SyntaxError{Input: string(line), Offset: at, Msg: "a zero byte, and no argument can have one"}
	}
	b.words, err = splitLine(append(b.words[:0], b.command.Name()), string(line))
	if err != nil || len(b.words) == 1 {
		return err
	}
	return b.app.inWords(b.callWords(b.words), func(words []string) error {
		b.resetFlags()
		return b.callWords(words)
	})
}

// resetFlags resets the flags to the values next to --batch.
func (b *batch) resetFlags() {
	b.restore()
	for _, f := range b.changed {
		f.Changed = false
	}
	b.changed, b.given = b.changed[:0], b.given[:0]
}

// dryLine runs the command with the words of a line dry, between two lines.
func (b *batch) dryLine(words []string) error {
	a := b.app
	out, args, notes, written, readInput := a.streams.Out, a.args, a.notes, a.written, a.readInput
	a.streams.Out, a.notes = unread{}, nil
	a.dry, a.BeforeWrite = &dryRun{left: maxDry}, a.reach
	defer func() {
		b.resetFlags()
		a.streams.Out, a.args, a.notes, a.written, a.readInput = out, args, notes, written, readInput
		a.dry, a.BeforeWrite = nil, nil
	}()
	err := b.callWords(slices.Clone(words))
	var write *render.WriteError
	if a.dry.reached || err == errNo || errors.As(err, &write) && isClosed(write) {
		return nil
	}
	return err
}

// callWords answers the call of a command with the words of a line.
func (b *batch) callWords(words []string) error {
	b.app.args = words
	if err := b.namesCommand(words[1:]); err != nil {
		return err
	}
	args := words[1:]
	if slices.ContainsFunc(args, func(word string) bool { return strings.HasPrefix(word, "-") }) {
		flags := b.command.Flags()
		if err := flags.ParseAll(protected(args), b.setFlag); err != nil {
			return b.command.FlagErrorFunc()(b.command, err)
		}
		args = flags.Args()
		b.app.noteRepeated(b.given)
	}
	if b.output.Format != b.format {
		return refuse("-o is for all lines of a batch", "give it beside --batch, and remove it here")
	}
	if err := b.check(b.command, args); err != nil {
		return err
	}
	return b.call(b.command, args)
}

// namesCommand returns an error if a line starts with the name of the program or of the command.
func (b *batch) namesCommand(line []string) error {
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
		args[i], _ = suggest.POSIX.Quote(args[i])
	}
	before := strings.Join(line[:len(line)-len(args)], " ")
	return refuse("a line holds only the arguments, without "+render.Quote(before), "write "+strings.Join(args, " "))
}

// setFlag sets a flag from a line.
func (b *batch) setFlag(f *pflag.Flag, value string) error {
	switch f.Name {
	case "batch", "batch-files", "limit", "help":
		return refuse("--"+f.Name+" cannot be in a line of a batch", "remove it")
	case "in", "out":
		return refuse("--"+f.Name+" moves data, and a batch answers", "move the data with a command of its own")
	}
	if f.Value.Set(value) != nil {
		return b.command.Flags().Set(f.Name, value) // its error names the flag
	}
	b.given = append(b.given, givenFlag{f.Name, value})
	if !f.Changed {
		f.Changed = true
		b.changed = append(b.changed, f)
	}
	return nil
}
