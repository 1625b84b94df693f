package input

import (
	"errors"
	"path"
	"strings"
	"syscall"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/wording"
)

// An Opener opens the file at a path, or standard input if the path is "-". The function that it returns closes the
// file. If nothing exists at the path, the error is an [*AbsentError].
type Opener func(path string) (Source, func(), error)

// maxWords limits the number of arguments that may form one input that the shell has split.
const maxWords = 64

// Find reads the input in the first arguments, and returns the number of arguments that it uses. The input may be a
// string, "-" for standard input, @FILE, a string that the shell has split at its spaces, the path of a file, or
// FILE:NAME for one of its tensors. Find tries a path only if the argument cannot be read otherwise.
func Find(args []string, open Opener, o Options) (in *Input, n int, err error) {
	if path, ok := Path(args[0]); ok {
		in, err = readTensor(path, open, o)
		return in, 1, err
	}
	in, err = Text(args[0], o)
	if err == nil && in.Kind == Shape && in.Layout == nil && len(args) > 1 && notation.IsMemory(args[1]) {
		in, err = Sized(args[1], in.Sizes.Values(), o)
		return in, 2, in.Locate(err)
	}
	if err == nil && len(args) > 1 && in.TakeFormat(args[1]) {
		return in, 2, nil
	}
	if err == nil {
		return in, 1, nil
	}
	for n := min(len(args), maxWords); n > 1; n-- {
		c := argument(strings.Join(args[:n], " "), o)
		c.isTrial = true
		if c.read() == nil {
			return c.Input, n, nil
		}
	}
	if args[0] == "" {
		return nil, 1, in.Locate(err)
	}
	file, fileErr := readTensor(args[0], open, o)
	var absent *AbsentError
	if errors.As(fileErr, &absent) && !isPath(args[0]) {
		return nil, 1, in.Locate(err)
	}
	return file, 1, fileErr
}

// An AbsentError is the error of an Opener if the system finds nothing at a path. An argument may still be something
// other than a path.
type AbsentError struct{ Err error }

func (e *AbsentError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the system.
func (e *AbsentError) Unwrap() error { return e.Err }

// Sized reads a oneDNN memory descriptor, which has no sizes, together with sizes.
func Sized(descriptor string, sizes []int64, o Options) (*Input, error) {
	return Text(descriptor+" "+layout.JoinInts(sizes, "x"), o)
}

// Path returns the path in an argument: "-" for standard input, or FILE for @FILE.
func Path(arg string) (path string, ok bool) {
	path, ok = strings.CutPrefix(arg, "@")
	return path, ok || path == "-"
}

// maxColons is the maximum number of colons that Named tries as the start of a name.
const maxColons = 8

// Named calls read with text as a path. If the error is an [*AbsentError], it reads text as FILE:NAME.
func Named(text string, read func(path, name string) error) error {
	err := read(text, "")
	var absent *AbsentError
	at := -1
	for range maxColons {
		n := strings.IndexByte(text[at+1:], ':')
		if at += n + 1; n < 0 || !errors.As(err, &absent) {
			break
		}
		path := text[:at]
		if path == "" || path == "-" {
			continue
		}
		wrong := read(path, text[at+1:])
		switch isAbsent := errors.As(wrong, &absent); {
		case isAbsent && NamingOf(path).Is(KnownName):
			return absent.Err
		case !isAbsent && !errors.Is(wrong, syscall.EISDIR):
			return wrong
		}
	}
	return err
}

// readTensor reads the file at a path, or selects a tensor of a file with FILE:NAME.
func readTensor(text string, open Opener, o Options) (in *Input, err error) {
	err = Named(text, func(path, name string) (err error) {
		if name != "" {
			o.Tensor = name
		}
		if in, err = readFile(path, open, o); err == nil {
			in.Chosen = name
		}
		return err
	})
	return in, err
}

// readFile reads the file at a path. If it cannot be opened, the error is the Opener's.
func readFile(path string, open Opener, o Options) (*Input, error) {
	s, closeFile, err := open(path)
	if err != nil {
		return nil, err
	}
	in, err := Read(s, o)
	if err == nil && in.Kind == Lines {
		in.close = closeFile // after the lines are read
		return in, nil
	}
	closeFile()
	return in, in.Locate(err)
}

// Recognises reports whether text has the form of a tensor, even if it has errors.
func Recognises(text string) bool {
	_, err := shape.ParseShape(text)
	return err == nil || notation.Recognises(text) || mentionsTensors([]byte(text))
}

// isPath reports whether text looks like the path of a file and not like a tensor.
func isPath(text string) bool {
	end := path.Ext(text)
	isPlain, isName := !strings.ContainsAny(text, " \t\n(){}[]="), NamingOf(text).Is(KnownName)
	isOne := strings.ContainsAny(text, `/\`) || len(end) > 2 && lexer.IsName(end[1:]) // model.pt
	return isPlain && isName || (isPlain && isOne || isName) && !Recognises(text)
}

// Shard returns the shard with a tensor if the source is an index, and otherwise the source itself.
func (s Source) Shard(tensor string) (shard Source, end func(), err error) {
	if s.File == nil || !NamingOf(s.Name).Is(IndexName) {
		return s, func() {}, nil
	}
	in, err := Read(s, Options{})
	switch {
	case err != nil:
	case in.Kind != Index:
		return s, func() {}, nil
	case tensor == "":
		err = lexer.Refuse("choose one with --tensor NAME", "an index of %s", wording.Count(in.shards.Len(), "tensor"))
	default:
		shard, end, err = s.shard(in.shards, tensor)
	}
	return shard, end, in.Locate(err)
}
