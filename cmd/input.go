package cmd

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/render"
)

// A line is a line of standard input, without the blanks around it.
type line struct {
	number int
	text   string
}

// lines yields the lines of standard input that are not blank. Before it waits for more it
// lets the printer write what there is, so that a conversation through pipes is possible.
func (a *app) lines(p *render.Printer) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		in := bufio.NewReaderSize(a.streams.In, layout.MaxText)
		for number := 1; ; number++ {
			if !hasLine(in) && p.Flush() != nil {
				return
			}
			bytes, err := in.ReadSlice('\n')
			if text := strings.TrimSpace(string(bytes)); text != "" && err != bufio.ErrBufferFull && !yield(line{number, text}, nil) {
				return
			}
			if err != nil {
				if err = readError(err); err != nil {
					yield(line{}, &lineError{number, err})
				}
				return
			}
		}
	}
}

// hasLine reports whether a line can be read without waiting.
func hasLine(in *bufio.Reader) bool {
	buffered, _ := in.Peek(in.Buffered())
	return bytes.IndexByte(buffered, '\n') >= 0
}

// readError words why standard input ended.
func readError(err error) error {
	switch err {
	case io.EOF:
		return nil
	case bufio.ErrBufferFull:
		return &usageError{fmt.Sprintf("longer than %d bytes", layout.MaxText), ""}
	}
	return &usageError{"standard input cannot be read", ""}
}

// A lineError is an error in a line of standard input.
type lineError struct {
	line int
	err  error
}

// Error names the line.
func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }

// Unwrap returns what is wrong with it.
func (e *lineError) Unwrap() error { return e.err }

// parseLines yields what the lines say.
func parseLines[T any](lines iter.Seq2[line, error], parse func(string) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for l, err := range lines {
			var v T
			if err == nil {
				v, err = parse(l.text)
				if err != nil {
					err = &lineError{l.number, err}
				}
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// known yields values that are read already.
func known[T any](values []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range values {
			if !yield(v, nil) {
				return
			}
		}
	}
}
