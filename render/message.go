package render

import (
	"cmp"
	"errors"
	"io"
	"strings"

	"layoutcalc/layout"
)

// A Message is what the program says on standard error:
//
//	layoutcalc: what is wrong
//	  the text at fault
//	      ^
//	hint: what to type
type Message struct {
	Text string
	Err  error  // says where, if it is a SyntaxError
	Hint string // what to type, in place of the hint of Err; may be empty
	Note bool   // nothing is wrong
}

// Quote is Clean for a message: it shows as much of a text as fits into a line.
func Quote(text string) string { return cut(Clean(firstRunes(text, window)), window, false) }

// QuotePath is Quote for the path of a source, which "-" says is standard input.
func QuotePath(path string) string {
	if path == "-" {
		return "standard input"
	}
	return Quote(path)
}

// window is how much of a long text at fault is shown.
const window = 64

// Print writes the message. On a terminal, whose width is not 0, its words are wrapped, but not a command line to type.
// An error of writing is ignored.
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
	input, offset, hint := m.details()
	if input != "" {
		shown, column := Excerpt(input, offset, window)
		b.WriteString("  " + shown + "\n  " + strings.Repeat(" ", column) + p.Bad("^") + "\n")
	}
	if hint != "" {
		line := p.Title("hint:") + " " + Clean(hint)
		if !strings.HasPrefix(hint, "layoutcalc ") {
			line = wrapped(line)
		}
		b.WriteString(line + "\n")
	}
	io.WriteString(w, b.String())
}

// details returns the text at fault and the place in it, and what to type.
func (m Message) details() (input string, offset int, hint string) {
	hint = m.Hint
	var syntax *layout.SyntaxError
	if errors.As(m.Err, &syntax) {
		input, offset, hint = syntax.Input, syntax.Offset, cmp.Or(hint, syntax.Hint)
	}
	var overflow *layout.OverflowError
	if errors.As(m.Err, &overflow) {
		hint = cmp.Or(hint, overflow.Hint)
	}
	return input, offset, hint
}

// Tree returns the message for programs, with the file and the line that it is about: empty and 0 where there are none.
func (m Message) Tree(path string, line int, notes []string) Object {
	input, offset, hint := m.details()
	return Object{{"schemaVersion", int64(1)}, {"error", Object{
		{"message", m.Text},
		{"hint", orNull(hint, hint != "")},
		{"path", orNull(path, path != "")},
		{"line", orNull(int64(line), line > 0)},
		{"input", orNull(input, input != "")},
		{"offset", orNull(int64(offset), input != "")},
		{"notes", notes},
	}}}
}

// Excerpt returns the part of a text around the offset that fits into width columns, clean, and the column of the
// offset, from 0.
func Excerpt(text string, offset, width int) (shown string, column int) {
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

// firstRunes returns the first runes of a text, one more than n if there are as many: cut will see that it is too long.
func firstRunes(text string, n int) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), n+1)])
}

// lastRunes is firstRunes for the end of a text.
func lastRunes(text string, n int) string {
	runes := []rune(text)
	return string(runes[max(len(runes)-n-1, 0):])
}

// cut shortens a text to n columns, at its front or its end, and marks where.
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
