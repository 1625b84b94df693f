package render

import (
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout"
)

// A Message is a message on standard error:
//
//	layoutcalc: the problem
//	  the input with the problem
//	      ^
//	hint: what to type
type Message struct {
	Text string
	Err  error  // a SyntaxError has the position
	Hint string // what to type; may be empty
	Note bool   // it is not an error
}

// Quote is like Clean, but also shortens text to fit in a line of a message.
func Quote(text string) string { return cut(Clean(firstRunes(text, window)), window, false) }

// QuotePath is like Quote, for the path of a source; "-" is standard input.
func QuotePath(path string) string {
	if path == "-" {
		return "standard input"
	}
	return Quote(path)
}

// window is the maximum number of columns of an input in a message.
const window = 64

// Print writes the message. For a terminal, width is not 0, and it wraps lines, except command lines to type. It
// ignores write errors.
func (m Message) Print(w io.Writer, p *Palette, width int) {
	var b strings.Builder
	label := p.Bad("layoutcalc:")
	if m.Note {
		label = p.Title("note:")
	}
	wrapped := func(line string) string {
		if width == 0 {
			return line
		}
		return wrap(line, width)
	}
	b.WriteString(wrapped(label+" "+m.Text) + "\n")
	input, offset := m.place()
	if input != "" {
		shown, column := Excerpt(input, offset, window)
		b.WriteString("  " + shown + "\n  " + strings.Repeat(" ", column) + p.Bad("^") + "\n")
	}
	for i, line := range hintLines(m.Hint) {
		label := p.Title("hint:") + " "
		if i > 0 {
			label = "      "
		}
		if line = label + Clean(line); !isCommandLine(m.Hint) {
			line = wrapped(line)
		}
		b.WriteString(line + "\n")
	}
	io.WriteString(w, b.String())
}

// hintLines returns the lines of a hint. A hint may be several command lines, or empty.
func hintLines(hint string) []string {
	switch {
	case hint == "":
		return nil
	case isCommandLine(hint):
		return strings.Split(hint, "\n")
	}
	return []string{hint}
}

// isCommandLine reports whether a hint is command lines to type.
func isCommandLine(hint string) bool { return strings.HasPrefix(hint, "layoutcalc ") }

// place returns the input with the error and the offset of the error in it.
func (m Message) place() (input string, offset int) {
	var syntax *layout.SyntaxError
	if errors.As(m.Err, &syntax) {
		return syntax.Input, syntax.Offset
	}
	return "", 0
}

// Tree returns the message for programs, with its file and line, which may be empty and 0.
func (m Message) Tree(path string, line int, notes []string) Object {
	input, offset := m.place()
	return Object{{"schemaVersion", int64(1)}, {"error", Object{
		{"message", m.Text},
		{"hint", orNull(m.Hint, m.Hint != "")},
		{"path", orNull(path, path != "")},
		{"line", orNull(int64(line), line > 0)},
		{"input", orNull(input, input != "")},
		{"offset", orNull(int64(offset), input != "")},
		{"notes", notes},
	}}}
}

// Excerpt returns the cleaned text around an offset, cut to width columns, and the column of the offset, starting at 0.
func Excerpt(text string, offset, width int) (shown string, column int) {
	text, offset = around(text, offset, utf8.UTFMax*(width+2))
	before := Clean(text[:offset])
	after, ok := strings.CutPrefix(Clean(text), before)
	if !ok {
		before, after = "", Clean(text)
	}
	after = firstRunes(after, width)
	before = cut(lastRunes(before, width), max(width*2/3, width-Columns(after)), true)
	after = cut(after, width-Columns(before), false)
	return before + after, Columns(before)
}

// around returns the part of text from n bytes before an offset to n bytes after it, or a few less to keep runes
// complete, and the offset in it.
func around(text string, offset, n int) (part string, at int) {
	from, to := max(offset-n, 0), min(offset+n, len(text))
	for range utf8.UTFMax - 1 {
		if from < offset && !utf8.RuneStart(text[from]) {
			from++
		}
		if to > offset && to < len(text) && !utf8.RuneStart(text[to]) {
			to--
		}
	}
	return text[from:to], offset - from
}

// firstRunes returns the first n runes of text and one more, which shows cut that text is longer.
func firstRunes(text string, n int) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), n+1)])
}

// lastRunes is like firstRunes, but for the end of text.
func lastRunes(text string, n int) string {
	runes := []rune(text)
	return string(runes[max(len(runes)-n-1, 0):])
}

// cut shortens text to n columns at its start or its end, with a mark there.
func cut(text string, n int, front bool) string {
	if Columns(text) <= n {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && Columns(string(runes)) > n-1 {
		if front {
			runes = runes[1:]
		} else {
			runes = runes[:len(runes)-1]
		}
	}
	if front {
		return "…" + string(runes)
	}
	return string(runes) + "…"
}
