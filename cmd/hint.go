package cmd

import (
	"errors"
	"io"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"layoutcalc/layout"
	"layoutcalc/layout/input"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/view"
	"layoutcalc/render"
)

// A hintedError is an error with a hint of its own: the command line that was probably meant.
type hintedError struct {
	error
	hint string
}

func (e *hintedError) Unwrap() error { return e.error }

// retyped is the error with the user's command line as a hint, in which some arguments that come one after another are
// replaced. Where there are none such it is the error alone, as it is where [app.withLine] proposes nothing.
func (a *app) retyped(err error, typed []string, meant ...string) error {
	if line := a.replaced(typed, meant...); line != nil {
		return a.withLine(err, line)
	}
	return err
}

// replaced returns the user's command line with other arguments in place of some that come one after another, nil where
// there are none such.
func (a *app) replaced(typed []string, meant ...string) []string {
	for i := range a.args {
		if rest := a.args[i:]; len(rest) >= len(typed) && slices.Equal(rest[:len(typed)], typed) {
			return slices.Concat(a.args[:i], meant, rest[len(typed):])
		}
	}
	return nil
}

// withLine is the error with a command line as a hint, unless that has no answer.
func (a *app) withLine(err error, args []string) error {
	if a.answered == nil || !a.answered(args) {
		return err
	}
	return a.proposing(err, args)
}

// proposing is the error with a command line as a hint, unless that is long. A line of a batch has the arguments alone.
func (a *app) proposing(err error, args []string) error {
	if hint := a.commandLine(args); len(hint) <= 200 && render.Clean(hint) == hint {
		return &hintedError{err, hint}
	}
	return err
}

// tried runs a command line, and reports whether it has an answer. Lines that read standard input, write files or check
// files are not run, and those of a batch have flags beside it: they are taken for ones that have.
func (a *app) tried(args []string) bool {
	answers := []string{"strides", "offset", "size", "convert", "view", "compare"}
	at := slices.IndexFunc(args, isCommand)
	if a.batch != nil || at < 0 || !slices.Contains(answers, args[at]) {
		return true
	}
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		_, isSource := input.Path(arg)
		if isSource || slices.Contains([]string{"--in", "--out", "--svg", "--html", "--batch"}, name) {
			return true
		}
	}
	streams := Streams{In: strings.NewReader(""), Out: unread{}, Err: io.Discard, Env: a.streams.Env}
	trial := app{streams: streams, args: args, commandsWith: a.commandsWith}
	code := trial.report(trial.execute(args))
	return code == exitFine || code == exitNo
}

// An unread stream is one that nobody reads any more.
type unread struct{}

func (unread) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// commandLine writes arguments for a shell, after the name of the program or, in a batch, the word write.
func (a *app) commandLine(args []string) string {
	line := []string{"layoutcalc"}
	if a.batch != nil {
		line, args = []string{"write"}, args[1:]
	}
	for _, arg := range args {
		line = append(line, shellQuote(arg))
	}
	return strings.Join(line, " ")
}

// asLine is the error with its hint made a whole command line where it names a flag to leave out or to add, or the word
// that was meant.
func (a *app) asLine(err error) error {
	var hinted *hintedError
	var wrong *scan.SyntaxError
	if errors.As(err, &hinted) || !errors.As(err, &wrong) {
		return err
	}
	if pair := a.twoLayouts(err); pair != nil {
		return pair
	}
	change := wrong.Change
	switch {
	case change.Word != "":
		return a.respelt(err, wrong)
	case change.LeaveOut != "":
		if rest := without(a.args, change.LeaveOut); len(rest) < len(a.args) {
			return a.withLine(err, rest)
		}
	case change.Flag != "":
		return a.proposing(err, append(without(a.args, change.Flag), change.Flag, change.Value))
	}
	return err
}

// twoLayouts is the error with a hint where two layouts have an arrow or a word between them: convert and compare take
// them as arguments, after the shape. It is nil where there are no such two.
func (a *app) twoLayouts(err error) error {
	for i, pair := range a.args {
		n := 1
		for _, between := range [...]string{"->", "=>", "→", "to", "into", "and", "vs"} {
			if strings.EqualFold(pair, between) && 0 < i && i+1 < len(a.args) {
				i, n, pair = i-1, 3, a.args[i-1]+" "+between+" "+a.args[i+1]
			}
			if scan.IsLetter(between[0]) {
				between = " " + between + " "
			}
			from, to, isPair := strings.Cut(pair, between)
			if !isPair {
				continue
			}
			from, to = strings.TrimSpace(from), strings.TrimSpace(to)
			_, noFrom := shape.ParseName(from)
			_, noTo := shape.ParseName(to)
			if noFrom != nil || noTo != nil {
				continue
			}
			line := slices.Concat(a.args[:i], []string{from, to}, a.args[i+n:])
			if after := line[i+2:]; i > 0 && line[i-1] == a.command && len(after) > 0 {
				if _, wrong := shape.ParseShape(after[0]); wrong == nil {
					line[i], line[i+1], line[i+2] = after[0], from, to
				}
			}
			takesTwo := a.command == "convert" || a.command == "compare"
			if at := slices.Index(line, a.command); at >= 0 && !takesTwo {
				line[at] = "convert"
			}
			if takesTwo || a.batch == nil {
				if hinted := a.withLine(err, line); hinted != err {
					return hinted
				}
			}
			return &hintedError{err, "convert and compare take two layouts: SHAPE " + from + " " + to}
		}
	}
	return nil
}

// respelt is the error with the user's command line as a hint, in which a word is another that is known. What is wrong
// beside that word is another fault.
func (a *app) respelt(err error, wrong *scan.SyntaxError) error {
	text, at, change := wrong.Input, wrong.Offset-wrong.Change.Before, wrong.Change
	if text == "" {
		text, at = change.Typed, 0
	}
	if at < 0 || at > len(text) || !strings.HasPrefix(text[at:], change.Typed) {
		return err
	}
	meant := text[:at] + change.Word + text[at+len(change.Typed):]
	for _, arg := range a.args {
		flag, isValue := strings.CutSuffix(arg, "="+text)
		value, isFlag := strings.CutPrefix(arg, text+"=")
		switch {
		case arg == text:
			return a.proposing(err, a.replaced([]string{arg}, meant))
		case isValue:
			return a.proposing(err, a.replaced([]string{arg}, flag+"="+meant))
		case isFlag && wrong.Input == "":
			return a.proposing(err, a.replaced([]string{arg}, meant+"="+value))
		}
	}
	return err
}

// without returns the arguments without a flag and its value.
func without(args []string, flag string) []string {
	for i, arg := range args {
		_, isJoined := strings.CutPrefix(arg, flag+"=")
		isJoined = isJoined || len(flag) == 2 && strings.HasPrefix(arg, flag) && len(arg) > 2
		switch {
		case isJoined, arg == flag && flag == "--verify": // which has no value
			return slices.Concat(args[:i], args[i+1:])
		case arg == flag && i+1 < len(args):
			return slices.Concat(args[:i], args[i+2:])
		case flag == "-t" && (arg == "--dtype" || strings.HasPrefix(arg, "--dtype=")):
			return without(args, "--dtype")
		}
	}
	return slices.Clip(args)
}

// reshaped is retyped where a step view needs a copy: reshape makes one.
func (a *app) reshaped(err error, start layout.Tensor, steps []view.Step, failed int) error {
	step := steps[failed].String()
	sizes, isView := strings.CutPrefix(step, "view(")
	more, wrong := view.ParseSteps("reshape(" + sizes)
	if !isView || wrong != nil {
		return err
	}
	if _, wrong = view.Apply(start, slices.Concat(steps[:failed], more)); wrong != nil {
		return err
	}
	for _, arg := range a.args {
		if strings.Contains(arg, step) {
			return a.retyped(err, []string{arg}, strings.Replace(arg, step, "reshape("+sizes, 1))
		}
	}
	return err
}

// shellQuote quotes an argument for a shell where that is necessary.
func shellQuote(arg string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-"
	if arg != "" && strings.Trim(arg, plain) == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// otherFlags are words for flags, and what is typed in their place. The value comes where % is, or after it; it is the
// shape where there is nothing.
var otherFlags = [...]struct{ words, meant string }{
	{"index indices idx coords", "%"},
	{"format fmt output-format out-format", "-o"},
	{shapeFlags, ""},
	{"data-type datatype element-type elem-type", "-t"},
	{"alignment", "--align"},
	{"padding", "--pad"},
	{"row-pitch rowpitch row-stride", "--pitch"},
	{"error-on fail-level", "--fail-on"},
	{"strict werror", "--fail-on warning"},
	{"sarif junit github gitlab checkstyle rdjsonl jsonl", "--report NAME=%"},
	{"dst destination output-file outfile", "--out"},
	{"src source input-file infile", "--in"},
}

// shapeFlags are words for a flag that has the shape.
const shapeFlags = "sizes shape size dims dimensions"

// retypedFlag is retyped for a flag that there is not: the name of a form of answers, or another word for a flag or for
// an argument.
func (a *app) retypedFlag(c *cobra.Command, name string, err error) error {
	for i, arg := range a.args {
		flag, value, hasValue := strings.Cut(arg, "=")
		typed := []string{arg}
		if flag != "--"+name {
			continue
		}
		if !hasValue && i+1 < len(a.args) {
			value = a.args[i+1]
			typed = append(typed, value)
		}
		for _, f := range render.Formats {
			if string(f.Format) == name {
				return a.retyped(err, []string{arg}, "-o", name)
			}
		}
		for _, other := range otherFlags {
			if !slices.Contains(strings.Fields(other.words), name) {
				continue
			}
			meant := strings.ReplaceAll(other.meant, "NAME", name)
			known, _, _ := strings.Cut(strings.TrimLeft(meant, "-"), " ")
			switch {
			case strings.HasPrefix(meant, "--") && c.Flag(known) == nil:
				return err
			case strings.HasSuffix(meant, " warning"):
				return a.retyped(err, []string{arg}, strings.Fields(meant)...)
			case value == "" || strings.HasPrefix(value, "-"):
				if known == "report" {
					return a.retyped(err, []string{arg}, "-o", name)
				}
				return err
			case meant == "":
				rest := without(a.args, flag)
				if len(rest) == 0 || !isCommand(rest[0]) {
					return err
				}
				return a.withLine(err, slices.Concat(rest[:1], []string{value}, rest[1:]))
			case strings.Contains(meant, "%"):
				return a.retyped(err, typed, strings.Fields(strings.Replace(meant, "%", value, 1))...)
			case known == "pitch" || known == "align" || known == "pad":
				if strings.Trim(value, "0123456789B") == "" {
					value = a.rowAxis(known) + value
				}
			}
			return a.retyped(err, typed, meant, value)
		}
	}
	return err
}

// rowAxis returns what comes before a number that is about rows: H=, or W= of padding, where the axes have these names.
func (a *app) rowAxis(flag string) string {
	axis := "H"
	if flag == "pad" {
		axis = "W"
	}
	has := false
	for _, arg := range a.args[1:] {
		if list, err := shape.ParseShape(arg); err == nil {
			has = has || list.Labels() == nil && 2 <= list.Len() && list.Len() <= 5
		} else if input.IsLayout(arg) && !strings.Contains(strings.ToUpper(arg), axis) {
			return ""
		}
	}
	if !has {
		return ""
	}
	return axis + "="
}

// retypedValue is retyped for a value that a flag does not take.
func (a *app) retypedValue(c *cobra.Command, wrong *pflag.InvalidValueError) error {
	value, f := wrong.GetValue(), wrong.GetFlag()
	typed := []string{"--" + f.Name, value}
	if slices.Contains(a.args, "-"+f.Shorthand) {
		typed[0] = "-" + f.Shorthand
	}
	flag := typed[0]
	if joined := flag + "=" + value; slices.Contains(a.args, joined) {
		typed = []string{joined}
	}
	isPath := strings.ContainsAny(value, "./")
	_, noName := shape.ParseName(value)
	_, noShape := shape.ParseShape(value)
	isAxisNumber := f.Name == "pitch" || f.Name == "align" || f.Name == "pad"
	switch {
	case isAxisNumber && strings.Trim(value, "0123456789B") == "" && a.rowAxis(f.Name) != "":
		return a.retyped(wrong, typed, flag, a.rowAxis(f.Name)+value)
	case f.Name == "range":
		from, to, _ := strings.Cut(strings.ReplaceAll(value, "..", "-"), "-")
		return a.retypedRange(wrong, typed, from, to)
	case f.Name == "color" && (isCommand(value) || noShape == nil || strings.HasPrefix(value, "-")):
		return a.retyped(wrong, typed[:1], "--color", "always")
	case f.Name == "from" && input.IsLayout(value) && noName == nil:
		return a.retyped(wrong, typed, value)
	case f.Name == "output" && strings.EqualFold(value, "yaml"):
		return a.retyped(wrong, typed, "-o", "json") // which is YAML too
	case f.Name == "output" && isPath && c.Name() == "convert" && c.Flags().Changed("in"):
		return a.retyped(wrong, typed, "--out", value)
	case f.Name == "output" && isPath && c.Name() == "convert":
		return &hintedError{wrong, "--in FILE --out " + shellQuote(value) + " moves the data of a file"}
	case f.Name == "output" && isPath:
		return &hintedError{wrong, "-o is the form of the answer; > " + shellQuote(value) + " is where it goes"}
	}
	return wrong
}

// retypedRange is retyped where a range was probably meant, if its bounds are offsets.
func (a *app) retypedRange(err error, typed []string, from, to string) error {
	_, noFrom := scan.ParseNumber(from)
	_, noTo := scan.ParseNumber(to)
	if noFrom != nil || noTo != nil {
		return err
	}
	return a.retyped(err, typed, "--range", from+":"+to)
}

// retypedShape is retyped where the arguments start with layouts and then a shape, or with sizes that have blanks
// between them.
func (a *app) retypedShape(args []string, err error) error {
	layouts := slices.IndexFunc(args, func(arg string) bool { return !input.IsLayout(arg) })
	if layouts > 0 {
		list, wrong := shape.ParseShape(args[layouts])
		if wrong == nil && shape.Fits(args[0], list.Len()) {
			meant := append([]string{args[layouts]}, args[:layouts]...)
			err := refuse("the shape comes first", "write "+strings.Join(meant, " "))
			return a.retyped(err, args[:layouts+1], meant...)
		}
	}
	if n, sizes := spacedShape(args); n > 0 {
		return a.retyped(err, args[:n], sizes)
	}
	if words := strings.Split(args[0], ":"); len(words) > 1 && len(words) < 4 {
		var sizes, rest []string
		for _, word := range words {
			word = strings.TrimSpace(word)
			_, noShape := shape.ParseShape(word)
			_, noName := shape.ParseName(word)
			switch {
			case noShape == nil:
				sizes = append(sizes, word)
			case layout.IsDType(word) && (noName != nil || len(word) > 3):
				rest = append(rest, "-t", word)
			case noName == nil:
				rest = append(rest, word)
			default:
				return err
			}
		}
		return a.retyped(err, args[:1], append(sizes, rest...)...)
	}
	if at := strings.LastIndexByte(args[0], 'x'); at > 0 && layout.IsDType(args[0][at+1:]) {
		if _, wrong := shape.ParseShape(args[0][:at]); wrong == nil {
			return a.retyped(err, args[:1], args[0][:at], "-t", args[0][at+1:])
		}
	}
	return err
}

// spacedShape returns the shape of sizes that have blanks between them, and how many arguments they are.
func spacedShape(args []string) (n int, shape string) {
	var sizes []string
	for ; n < len(args) && strings.Trim(args[n], "0123456789 ") == ""; n++ {
		sizes = append(sizes, strings.Fields(args[n])...)
	}
	if len(sizes) < 2 {
		return 0, ""
	}
	return n, strings.Join(sizes, "x")
}

// misplacedType returns the error of the first argument that is an element type in place of a layout, nil where there
// is none.
func (a *app) misplacedType(args []string) error {
	for _, arg := range args {
		if !input.IsLayout(arg) || a.batch.known(arg) != nil || !layout.IsDType(arg) {
			continue
		}
		_, err := shape.ParseName(arg)
		line := a.replaced([]string{arg}, "-t", arg)
		if line == nil {
			return err
		}
		if n, sizes := spacedShape(line[1:]); n > 0 {
			line = slices.Concat(line[:1], []string{sizes}, line[1+n:])
		}
		return a.withLine(err, line)
	}
	return nil
}
