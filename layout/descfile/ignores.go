package descfile

import (
	"bytes"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/rules"
)

// commentMark starts a comment that is meant for layoutcalc.
const commentMark = "layoutcalc:"

// ReadIgnores adds the comments layoutcalc:ignore RULE REASON of the tree to the file, and what is
// wrong with them to its findings. A comment speaks of its own line; one that stands alone, of
// the next line on which a value, a key or a bracket stands.
func (f *File) ReadIgnores(t *Tree) {
	next := t.nextLines()
	text, mark := t.data, lineMark{}
	for i, c := range t.comments {
		words := strings.Trim(c.Text, " \t*")
		if !strings.HasPrefix(words, commentMark) {
			continue
		}
		place := mark.place(text, c.at)
		line := place.Line
		if alone(text, c) {
			line = next[i]
		}
		f.ignore(words[len(commentMark):], rules.Ignore{Line: line, Place: place})
	}
}

// ignore reads what stands behind the mark.
func (f *File) ignore(words string, ignore rules.Ignore) {
	words, _, _ = strings.Cut(words, "\n")
	verb, rest, _ := strings.Cut(words, " ")
	name, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
	ignore.Rule, ignore.Reason = name, strings.TrimSpace(reason)
	bad := rules.Finding{Rule: rules.BadIgnore, Severity: rules.BadIgnore.Rule().Severity, Place: ignore.Place}
	_, err := rules.Find(name)
	switch {
	case verb != "ignore":
		bad.Message, bad.Fix = quote(commentMark+verb)+" is no comment that layoutcalc knows", "layoutcalc:ignore RULE REASON"
	case name == "":
		bad.Message, bad.Fix = "the comment names no rule", "layoutcalc:ignore RULE REASON"
	case err != nil:
		bad.Message, bad.Fix = "there is no rule "+quote(name), hint(err)
	case ignore.Reason == "":
		bad.Message, bad.Fix = "the comment does not say why "+name+" is ignored", "layoutcalc:ignore "+name+" REASON"
	default:
		f.Ignores = append(f.Ignores, ignore)
		return
	}
	f.Findings = append(f.Findings, bad)
}

// hint is what an error advises to write; empty when it has no advice.
func hint(err error) string {
	if e, ok := err.(*layout.SyntaxError); ok {
		return e.Hint
	}
	return ""
}

// nextLines returns for each comment the line of what stands next behind it, the comment's own
// if nothing does. From the last comment backwards, what lies behind another one is known.
func (t *Tree) nextLines() []int {
	offsets, text := make([]int, len(t.comments)), t.data
	for i := len(t.comments) - 1; i >= 0; i-- {
		at, stop := t.comments[i].end, len(text)
		if i+1 < len(t.comments) {
			stop = t.comments[i+1].at
		}
		for at < stop && (text[at] <= ' ' || t.sharp && text[at] == '#') {
			at = afterBlank(text[:stop], at)
		}
		switch {
		case at < stop:
			offsets[i] = at
		case stop < len(text):
			offsets[i] = offsets[i+1]
		default:
			offsets[i] = t.comments[i].at
		}
	}
	lines, mark := make([]int, len(offsets)), lineMark{}
	for i, at := range offsets {
		lines[i] = mark.place(text, at).Line
	}
	return lines
}

// afterBlank steps over a blank, or a comment of YAML to the end of its line.
func afterBlank(text []byte, at int) int {
	if text[at] != '#' {
		return at + 1
	}
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}

// alone reports whether nothing but the comment stands on its line.
func alone(text []byte, c Comment) bool {
	before := text[:c.at]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	behind := text[c.end:]
	if i := bytes.IndexByte(behind, '\n'); i >= 0 {
		behind = behind[:i]
	}
	return len(bytes.TrimSpace(bytes.TrimPrefix(before, []byte("\xEF\xBB\xBF")))) == 0 && len(bytes.TrimSpace(behind)) == 0
}

// quote is a text in quotes, for a message.
func quote(text string) string { return quoted(text).String() }
