package input

import (
	"bytes"
	"errors"
	"fmt"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/layout/triton"
)

// An Origin is the text that an input was read from.
type Origin struct {
	Name string // the path of the file; empty for an argument
	Data []byte // the text; nil for tensor files and JSON Lines
	lead int    // the length of the whitespace before the text
}

// blanks are the characters that may come before the input: whitespace, and the byte order mark of UTF-8.
const blanks = doctree.ByteOrderMark + " \t\r\n"

// blankless returns text without the whitespace before it.
func blankless(text []byte) []byte {
	if len(text) > 0 && ' ' < text[0] && text[0] < doctree.ByteOrderMark[0] {
		return text
	}
	return bytes.TrimLeft(text, blanks)
}

// An Error is an error in a file, or in a line of another input.
type Error struct {
	Name string // the file's name; empty for standard input and arguments
	Line int    // 0 if the input has only one line
	Err  error
}

// Error returns the position and the error.
func (e *Error) Error() string {
	place := e.Name
	switch {
	case e.Name == "" && e.Line == 0:
		return e.Err.Error()
	case e.Name == "":
		place = fmt.Sprintf("line %d", e.Line)
	case e.Line != 0:
		place += fmt.Sprintf(":%d", e.Line)
	}
	return fmt.Sprintf("%s: %v", place, e.Err)
}

// Unwrap returns the error without the position.
func (e *Error) Unwrap() error { return e.Err }

// moved returns an error like err at the position of at, which is in another input.
func moved(err error, at *layout.SyntaxError) error {
	var open *shape.OpenError
	if errors.As(err, &open) {
		return &shape.OpenError{SyntaxError: at, Each: open.Each}
	}
	return at
}

// Locate returns an error in the input as an error in its line. It quotes arguments as a whole.
func (o *Origin) Locate(err error) error {
	at, syntax := place(o.Data, err)
	name := o.Name
	if name == "-" {
		name = ""
	}
	if shard := new(*Error); errors.As(err, shard) && (*shard).Name != name {
		at = -1 // the error is in another file
	}
	switch {
	case err == nil, (at < 0 || len(o.Data) == 0) && name == "":
		return err
	case at < 0 || len(o.Data) == 0:
		return &Error{Name: name, Err: err}
	case o.Name == "":
		return moved(err, syntax.In(string(o.Data), at))
	}
	from, to := at, at // the bounds of the line
	for ; from > 0 && o.Data[from-1] != '\n'; from-- {
	}
	for ; to < len(o.Data) && o.Data[to] != '\n'; to++ {
	}
	e := &Error{Name: name, Err: moved(err, syntax.In(string(o.Data[from:to]), at-from))}
	if from > 0 || len(blankless(o.Data[to:])) > 0 {
		e.Line = doctree.PlaceIn(o.Data, at).Line
	}
	return e
}

// at returns an error at a position in the text.
func (o *Origin) at(p finding.Place, msg, hint string) error {
	if o.Data == nil || p.Line == 0 {
		return lexer.Refuse(hint, "%s", msg)
	}
	offset := p.Column - 1
	for line := range bytes.Lines(o.Data) {
		if p.Line--; p.Line == 0 {
			break
		}
		offset += len(line)
	}
	return &layout.SyntaxError{Input: string(o.Data), Offset: offset, Msg: msg, Hint: hint}
}

// place returns the offset of err in text, or -1 if it is unknown, and the error without its position.
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

// Finding returns an error in text as a finding. Its rule is syntax unless the error has another rule.
func Finding(text []byte, err error) finding.Finding {
	f := finding.Finding{Rule: finding.Syntax, Severity: finding.Error, Message: err.Error()}
	var other *tensorfile.Substitute
	if errors.As(err, &other) {
		f.Rule, f.Bytes = other.Rule, other.Place
	}
	if triton.IsTemplate(err) {
		f.Rule = triton.Template
	}
	var fault *doctree.Fault
	if text == nil && errors.As(err, &fault) {
		f.Bytes = finding.Span{From: int64(fault.Offset), To: max(int64(fault.Offset), 1)}
	}
	at, syntax := place(text, err)
	if syntax != nil {
		f.Fix = syntax.Hint
		if at < 0 && syntax.Input != "" { // in a word of the command line, such as the name of a tensor
			at = 0
		}
	}
	if i := doctree.Conflict(text); i >= 0 && f.Rule == finding.Syntax {
		at, f.Message = i, "a merge conflict that is not resolved"
		f.Fix = "resolve it, and remove the lines of <<<<<<<, ======= and >>>>>>>"
	}
	if at >= 0 && text != nil {
		f.Place = doctree.PlaceIn(text, at)
	}
	return f
}
