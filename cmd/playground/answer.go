package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"layoutcalc/cmd"
	"layoutcalc/render/draw"
)

// A screen is a part of the page that behaves like a terminal with the given number of columns.
type screen struct {
	bytes.Buffer
	columns int
	isFull  bool // some of the answer is missing
}

// maxAnswer is the maximum number of bytes that a screen shows. A line from a link must not fill the memory of the
// browser.
const maxAnswer = 1 << 20

// Write adds to the screen until it is full.
func (s *screen) Write(p []byte) (int, error) {
	if s.isFull = s.isFull || s.Len()+len(p) > maxAnswer; s.isFull {
		return 0, io.ErrShortWrite
	}
	return s.Buffer.Write(p)
}

// Columns returns the width.
func (s *screen) Columns() int { return s.columns }

// An answer is all that the page shows of the answer to a command line.
type answer struct {
	code   int    // the exit code
	output string // both outputs in the order of their writes, with escape sequences
	svg    string // the picture; may be empty
	html   string // the same as an interactive page
}

// answerTo answers a command line with input as its standard input. If there are several pictures, such as the pictures
// of the rows of a sweep, the answer has no picture.
func answerTo(line, input string, columns int) (a answer) {
	var shown []*draw.Picture
	out := &screen{columns: columns}
	a.code = cmd.RunLine(line, cmd.Streams{
		In: strings.NewReader(input), Out: out, Err: out, Env: func(string) string { return "" },
		Show: func(p *draw.Picture) { shown = append(shown, p) },
	})
	if out.isFull {
		a.code = 2
		const more = "\nThe answer has more than %d bytes: the program itself prints all of it.\n"
		fmt.Fprintf(&out.Buffer, more, maxAnswer)
	}
	a.output = out.String()
	if len(shown) == 1 {
		var svg, html strings.Builder
		if shown[0].SVG(&svg) == nil && shown[0].HTML(&html) == nil {
			a.svg, a.html = svg.String(), html.String()
		}
	}
	return a
}
