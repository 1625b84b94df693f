package input

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/tensorfile"
)

// An Opener opens the file of a path, or standard input where the path is "-". The function that it
// returns closes the file.
type Opener func(path string) (Source, func(), error)

// maxWords is how many arguments together may be a text that the shell has split.
const maxWords = 64

// Find reads what the first arguments are, and returns how many of them that takes: a text, "-" for
// standard input, @FILE, a text that the shell has split at its blanks, or the path of a file. A path
// is tried only where nothing else reads the argument.
func Find(args []string, open Opener, o Options) (in *Input, n int, err error) {
	if path, ok := Path(args[0]); ok {
		in, err = readFile(path, open, o)
		return in, 1, err
	}
	in, err = Text(args[0], o)
	if err == nil && in.Kind == Shape && in.Layout == nil && len(args) > 1 && notation.IsMemory(args[1]) {
		in, err = Sized(args[1], in.Sizes.Values(), o)
		return in, 2, in.Locate(err)
	}
	if err == nil {
		return in, 1, nil
	}
	for n := min(len(args), maxWords); n > 1; n-- {
		if joined, err := Text(strings.Join(args[:n], " "), o); err == nil {
			return joined, n, nil
		}
	}
	if args[0] == "" {
		return nil, 1, in.Locate(err)
	}
	file, fileErr := readFile(args[0], open, o)
	var missing *fs.PathError
	switch {
	case !errors.As(fileErr, &missing):
		return file, 1, fileErr
	case !errors.Is(fileErr, fs.ErrNotExist) && !errors.Is(fileErr, syscall.ENAMETOOLONG) || isPath(args[0]):
		return nil, 1, fileErr
	}
	return nil, 1, in.Locate(err)
}

// Sized reads a memory descriptor of oneDNN, which says no sizes, as the layout of a tensor of these.
func Sized(descriptor string, sizes []int64, o Options) (*Input, error) {
	return Text(descriptor+" "+layout.JoinInts(sizes, "x"), o)
}

// Path returns the path of the source that an argument names: "-", which is standard input, or that of @FILE.
func Path(arg string) (path string, ok bool) {
	path, ok = strings.CutPrefix(arg, "@")
	return path, ok || path == "-"
}

// readFile reads the file of a path. Where it cannot be opened, the error is a [*fs.PathError].
func readFile(path string, open Opener, o Options) (*Input, error) {
	s, closeFile, err := open(path)
	if err != nil {
		return nil, err
	}
	in, err := Read(s, o)
	if err == nil && in.Kind == Lines {
		in.close = closeFile // once they are read
		return in, nil
	}
	closeFile()
	return in, in.Locate(err)
}

// Recognises reports whether a text has the form of a tensor, right or wrong.
func Recognises(text string) bool {
	_, err := shape.ParseShape(text)
	return err == nil || notation.Recognises(text) || mentionsTensors([]byte(text))
}

// isPath reports whether a text that is not a tensor is meant as the path of a file.
func isPath(text string) bool {
	isOne := strings.ContainsAny(text, `/\`) && !strings.ContainsAny(text, " \t\n")
	return !Recognises(text) && (isOne || IsKnownName(text))
}

// An Error is one of a file, or of a line of a text.
type Error struct {
	Name string // of the file; empty for standard input and arguments
	Line int    // 0 where the text has only one
	Err  error
}

// Error tells the place before what is wrong.
func (e *Error) Error() string {
	switch {
	case e.Name == "" && e.Line == 0:
		return e.Err.Error()
	case e.Name == "":
		return fmt.Sprintf("line %d: %v", e.Line, e.Err)
	case e.Line == 0:
		return fmt.Sprintf("%s: %v", e.Name, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Name, e.Line, e.Err)
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// Locate returns an error about the input as one of the line that it is in. Arguments are quoted
// whole.
func (in *Input) Locate(err error) error {
	if err == nil || in == nil {
		return err
	}
	at, syntax := place(in.Data, err)
	if len(in.Data) == 0 {
		at = -1
	}
	name := in.Name
	if name == "-" {
		name = ""
	}
	switch {
	case at < 0 && name == "":
		return err
	case at < 0:
		return &Error{Name: name, Err: err}
	case in.Name == "":
		return syntax.In(string(in.Data), at)
	}
	start := bytes.LastIndexByte(in.Data[:at], '\n') + 1
	line, _, more := strings.Cut(string(in.Data[start:]), "\n")
	e := &Error{Name: name, Err: syntax.In(line, at-start)}
	if start > 0 || more && strings.TrimSpace(string(in.Data[start+len(line):])) != "" {
		e.Line = doctree.PlaceIn(in.Data, at).Line
	}
	return e
}

// place returns where in a text an error is, -1 where that is not known, and what is wrong there.
func place(text []byte, err error) (at int, syntax *layout.SyntaxError) {
	var fault *doctree.Fault
	switch {
	case text != nil && errors.As(err, &fault):
		return fault.Offset, &layout.SyntaxError{Msg: fault.Msg}
	case errors.As(err, &syntax) && text != nil && len(syntax.Input) == len(text):
		return syntax.Offset, syntax
	}
	return -1, syntax
}

// Finding returns an error about a text as a finding of the rule that texts can be read.
func Finding(text []byte, err error) rules.Finding {
	f := rules.Finding{Rule: rules.Syntax, Severity: rules.Error, Message: err.Error()}
	var other *tensorfile.Substitute
	if errors.As(err, &other) {
		f.Rule, f.Bytes = other.Rule, other.Place
	}
	var fault *doctree.Fault
	if text == nil && errors.As(err, &fault) {
		f.Bytes = rules.Span{From: int64(fault.Offset), To: max(int64(fault.Offset), 1)}
	}
	at, syntax := place(text, err)
	if syntax != nil {
		f.Fix = syntax.Hint
		if at < 0 && syntax.Input != "" { // a word of the command line, such as the name of a tensor
			at = 0
		}
	}
	if at >= 0 && text != nil {
		f.Place = doctree.PlaceIn(text, at)
	}
	return f
}
