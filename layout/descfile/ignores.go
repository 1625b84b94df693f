package descfile

import (
	"bytes"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/rules"
)

// commentMark starts a comment that is meant for layoutcalc, and maxComments is how many of them
// are read.
const (
	commentMark = "layoutcalc:"
	maxComments = 10_000
)

// A comment is the text of a comment, without what marks it as one.
type comment struct {
	text    string
	at, end int // in the text, with the marks
}

// comment keeps a comment, if it may be for layoutcalc.
func (t *Tree) comment(text []byte, at, end int) {
	if len(t.comments) <= maxComments && bytes.Contains(text, []byte(commentMark)) {
		t.comments = append(t.comments, comment{string(text), at, end})
	}
}

// ReadIgnores adds the comments layoutcalc:ignore RULE REASON of the tree to the file, and what is
// wrong with them to its findings. A comment speaks of its own line; one that stands alone, of
// the next line on which a value, a key or a bracket stands.
func ReadIgnores(f *rules.File, t *Tree) {
	next := t.nextLines()
	text, mark := t.data, lineMark{}
	for i, c := range t.comments {
		place := mark.place(text, c.at)
		if i == maxComments {
			badIgnore(f, place, "", "more than "+strconv.Itoa(maxComments)+" comments: this and those behind it are not read")
			return
		}
		words := strings.Trim(c.text, " \t\r*")
		if !strings.HasPrefix(words, commentMark) {
			continue
		}
		line := place.Line
		if alone(text, c) {
			line = next[i]
		}
		readIgnore(f, words[len(commentMark):], rules.Ignore{Line: line, Place: place})
	}
}

// readIgnore reads what stands behind the mark.
func readIgnore(f *rules.File, words string, ignore rules.Ignore) {
	words, _, _ = strings.Cut(words, "\n")
	verb, rest, _ := strings.Cut(words, " ")
	name, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
	ignore.Rule, ignore.Reason = name, strings.TrimSpace(reason)
	const form = "layoutcalc:ignore RULE REASON"
	_, err := rules.Find(name)
	switch {
	case verb != "ignore":
		badIgnore(f, ignore.Place, form, quote(commentMark+verb)+" is no comment that layoutcalc knows")
	case name == "":
		badIgnore(f, ignore.Place, form, "the comment names no rule")
	case err != nil:
		badIgnore(f, ignore.Place, hint(err), "there is no rule "+quote(name))
	case ignore.Reason == "":
		badIgnore(f, ignore.Place, "layoutcalc:ignore "+name+" REASON", "the comment does not say why "+name+" is ignored")
	default:
		f.Ignores = append(f.Ignores, ignore)
	}
}

func badIgnore(f *rules.File, at rules.Place, fix, msg string) {
	f.Findings = append(f.Findings, rules.Finding{Rule: rules.BadIgnore, Severity: rules.BadIgnore.Rule().Severity, Place: at, Message: msg, Fix: fix})
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
		at = t.nextThing(at, stop)
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

// nextThing steps over blanks and comments.
func (t *Tree) nextThing(at, stop int) int {
	for text := t.data[:stop]; at < stop; {
		opening, closing := "#", "\n"
		if !t.sharp {
			opening = "//"
		}
		if !t.sharp && bytes.HasPrefix(text[at:], []byte("/*")) {
			opening, closing = "/*", "*/"
		}
		switch {
		case text[at] <= ' ':
			at++
		case !bytes.HasPrefix(text[at:], []byte(opening)):
			return at
		default:
			i := bytes.Index(text[at+len(opening):], []byte(closing))
			if i < 0 {
				return stop
			}
			at += len(opening) + i + len(closing)
		}
	}
	return stop
}

// alone reports whether nothing but the comment stands on its line.
func alone(text []byte, c comment) bool {
	before := text[:c.at]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	behind := text[c.end:]
	if i := bytes.IndexByte(behind, '\n'); i >= 0 {
		behind = behind[:i]
	}
	return len(bytes.TrimSpace(bytes.TrimPrefix(before, []byte("\xEF\xBB\xBF")))) == 0 && len(bytes.TrimSpace(behind)) == 0
}

// quote is a text in quotes, for a message.
func quote(text string) string {
	if len(text) > 60 {
		text = text[:60] + "..."
	}
	return strconv.Quote(text)
}
