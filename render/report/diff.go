package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"layoutcalc/render"
)

// nearLines is the number of unchanged lines that a diff shows before and after a change.
const nearLines = 3

// A diffLine is a line with its mark in a diff: a space, - or +.
type diffLine struct {
	mark byte
	text []byte
}

// A differ writes a unified diff.
type differ struct {
	out     out
	palette *render.Palette
	lines   []diffLine // the lines of the next hunk, and after it
	end     int        // the end of the last change in these lines, or 0
	at      [2]int     // the number of lines before them in the old and the new file
}

// Diff writes the changes from before to after, which are replaced and deleted lines, as a unified diff. Lines that are
// not safe to print are cleaned, except for tabs.
func Diff(w io.Writer, colors render.Colors, path string, before, after []byte) error {
	d := differ{out: newOut(w), palette: render.NewPalette(colors)}
	d.out.Line(d.palette.Title("--- " + render.Clean(path)))
	d.out.Line(d.palette.Title("+++ " + render.Clean(path)))
	d.compare(before, after)
	if d.end > 0 {
		d.hunk(min(d.end+nearLines, len(d.lines)))
	}
	return d.out.Flush()
}

// firstLine returns the first line of text, including its end.
func firstLine(text []byte) []byte {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return text[:i+1]
	}
	return text
}

// compare adds the lines of before and after. Added lines follow the lines that they replace.
func (d *differ) compare(before, after []byte) {
	var added [][]byte
	for {
		from, to := firstLine(before), firstLine(after)
		rest := before[len(from):]
		if bytes.Equal(from, to) {
			for _, line := range added {
				d.add('+', line)
			}
			if len(from) == 0 {
				return
			}
			d.add(' ', from)
			before, after, added = rest, after[len(to):], nil
			continue
		}
		if len(from) > 0 {
			d.add('-', from)
		}
		before = rest
		next, others := firstLine(rest), after[len(to):]
		if isLeftOut := bytes.Equal(next, to) && !bytes.Equal(next, firstLine(others)); !isLeftOut && len(to) > 0 {
			added, after = append(added, to), others
		}
	}
}

// add adds a line, and writes a hunk after enough unchanged lines.
func (d *differ) add(mark byte, text []byte) {
	d.lines = append(d.lines, diffLine{mark, text})
	n := len(d.lines)
	if mark != ' ' {
		d.end = n
		return
	}
	if d.end > 0 && n > d.end+2*nearLines {
		d.hunk(d.end + nearLines)
	}
	if d.end == 0 && len(d.lines) > nearLines {
		d.skip(1)
	}
}

// skip drops the first n lines, and returns how many lines of the old and the new file they are.
func (d *differ) skip(n int) (old, new int) {
	for _, l := range d.lines[:n] {
		if l.mark != '+' {
			old++
		}
		if l.mark != '-' {
			new++
		}
	}
	d.lines, d.end = d.lines[n:], 0
	d.at[0], d.at[1] = d.at[0]+old, d.at[1]+new
	return old, new
}

// hunk writes the first lines.
func (d *differ) hunk(n int) {
	lines, at := d.lines[:n], d.at
	old, new := d.skip(n)
	d.out.Line(d.palette.Faint("@@ -" + lineRange(at[0], old) + " +" + lineRange(at[1], new) + " @@"))
	for _, l := range lines {
		text, isWhole := strings.CutSuffix(string(l.text), "\n")
		text, isCRLF := strings.CutSuffix(text, "\r")
		parts := strings.Split(text, "\t")
		for i, part := range parts {
			parts[i] = render.Clean(part)
		}
		text = string(l.mark) + strings.Join(parts, "\t")
		switch l.mark {
		case '-':
			text = d.palette.Bad(text)
		case '+':
			text = d.palette.Title(text)
		}
		if d.out.Text(text); isCRLF {
			d.out.Text("\r")
		}
		if d.out.Text("\n"); !isWhole {
			d.out.Line("\\ No newline at end of file")
		}
	}
}

// lineRange returns the range of n lines after the lines before them.
func lineRange(before, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", before)
	case 1:
		return fmt.Sprint(before + 1)
	}
	return fmt.Sprintf("%d,%d", before+1, n)
}
