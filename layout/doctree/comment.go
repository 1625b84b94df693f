package doctree

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// CommentMark is in the comments that a tree keeps, and MaxComments is how many of them it keeps at most, and one more.
const (
	CommentMark = "layoutcalc:"
	MaxComments = 10_000
)

// A Comment is a comment that has the [CommentMark].
type Comment struct {
	Text  string // without the marks of a comment
	Place Place
	Line  int // the line it is about: its own, or the next one with anything but comments if it is alone on its line
}

// Comments returns the comments that have the [CommentMark], in order.
func (t *Tree) Comments() []Comment {
	next, mark := t.nextLines(), t.seen
	comments := make([]Comment, len(t.comments))
	for i, c := range t.comments {
		comments[i] = Comment{c.text, mark.Place(t.data, c.at), next[i]}
		if !alone(t.data, c) {
			comments[i].Line = comments[i].Place.Line
		}
	}
	return comments
}

// A comment is the text of a comment without its marks.
type comment struct {
	text    string
	at, end int // in the text, with the marks
}

// comment keeps a comment, if it may be for layoutcalc. It starts with # in YAML, and with // or /* in JSON.
func (t *Tree) comment(at, end int) {
	text := t.data[at:end]
	if len(t.comments) > MaxComments || !bytes.Contains(text, []byte(CommentMark)) {
		return
	}
	switch {
	case text[0] == '#':
		text = text[1:]
	case text[1] == '*':
		text = text[2 : len(text)-2]
	default:
		text = text[2:]
	}
	t.comments = append(t.comments, comment{string(text), at, end})
}

// nextLines returns for each comment the line of the next thing after it that is not a comment, the comment's own if
// there is none. It goes from the last comment to the first, so that what comes after another one is known.
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
	lines, mark := make([]int, len(offsets)), t.seen
	for i, at := range offsets {
		lines[i] = mark.Place(text, at).Line
	}
	return lines
}

// nextThing steps over blanks and comments.
func (t *Tree) nextThing(at, stop int) int {
	for text := t.data[:stop]; at < stop; {
		opening, closing := "#", "\n"
		if t.at == nil {
			opening = "//"
		}
		if t.at == nil && bytes.HasPrefix(text[at:], []byte("/*")) {
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

// alone reports whether nothing but the comment is on its line.
func alone(text []byte, c comment) bool {
	before := text[:c.at]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	after := text[c.end:]
	if i := bytes.IndexByte(after, '\n'); i >= 0 {
		after = after[:i]
	}
	return len(bytes.TrimSpace(bytes.TrimPrefix(before, []byte(ByteOrderMark)))) == 0 &&
		len(bytes.TrimSpace(after)) == 0
}

// span records the bytes of a text in quotes or in a block.
func (r *yamlReader) span(n *yaml.Node, at int) {
	switch {
	case !r.commented:
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		r.quoted = append(r.quoted, [2]int{at, quotedEnd(r.data, at)})
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		r.quoted = append(r.quoted, r.block(at))
	}
}

// block returns the bounds of the lines of a text with its | or > at the offset: lines that are blank, or indented like
// the first one that is not, or as far as a digit says.
func (r *yamlReader) block(at int) [2]int {
	indent := -1
	if head := strings.TrimLeft(string(r.data[at+1:min(at+3, len(r.data))]), "+-"); head != "" && '1' <= head[0] &&
		head[0] <= '9' {
		line := r.data[bytes.LastIndexByte(r.data[:at], '\n')+1 : at+1]
		indent = len(line) - len(bytes.TrimLeft(line, " -?")) + int(head[0]-'0')
	}
	start := min(lineEnd(r.data, at)+1, len(r.data))
	end := start
	for end < len(r.data) {
		line := r.data[end:lineEnd(r.data, end)]
		if here := len(line) - len(bytes.TrimLeft(line, " ")); len(bytes.TrimSpace(line)) > 0 {
			if indent < 0 {
				indent = here
			}
			if here < max(indent, 1) {
				break
			}
		}
		end += len(line) + 1
	}
	return [2]int{start, end}
}

// comments gives the last tree the comments in a part of the text that are for layoutcalc.
func (r *yamlReader) comments(from, to int) {
	slices.SortStableFunc(r.quoted, func(a, b [2]int) int { return a[0] - b[0] })
	text := 0 // the first text that ends after from
	for r.commented && from < to {
		i := bytes.IndexByte(r.data[from:to], '#')
		if i < 0 {
			return
		}
		at := from + i
		end := lineEnd(r.data, at)
		for text < len(r.quoted) && r.quoted[text][1] <= at {
			text++
		}
		switch before := r.data[max(0, at-1)]; {
		case text < len(r.quoted) && r.quoted[text][0] <= at:
			from = r.quoted[text][1]
		case at > 0 && before != ' ' && before != '\t' && before != '\n' && at != 3:
			from = at + 1
		default:
			r.t.comment(at, end)
			from = end
		}
	}
}
