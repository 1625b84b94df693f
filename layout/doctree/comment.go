package doctree

import (
	"bytes"
	"sort"
	"strings"

	"go.yaml.in/yaml/v4"
)

// A tree keeps the comments that contain CommentMark, up to MaxComments of them and one more.
const (
	CommentMark = "layoutcalc:"
	MaxComments = 10_000
)

// A Comment is a comment with the [CommentMark].
type Comment struct {
	Text  string // without the marks of a comment
	Place Place
	Line  int // the line it is about: its own, or the next one with anything but comments if it is alone on its line

	From, To int // the bytes of the comment and its line, or of spaces next to it; 0 if the comment has several lines
}

// Comments collects the comments of an input with the [CommentMark].
type Comments struct {
	Text    []byte
	Slashes bool // comments are as in JavaScript, not from # to the end of the line
	all     []comment
}

// A comment is the text of a comment without its marks, and the bytes of the comment with its marks.
type comment struct {
	text    string
	at, end int
}

// Add adds the comment with the given bytes, if it may be for layoutcalc.
func (c *Comments) Add(at, end int) {
	text := c.Text[at:end]
	if len(c.all) > MaxComments || !bytes.Contains(text, []byte(CommentMark)) {
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
	c.all = append(c.all, comment{string(text), at, end})
}

// List returns the comments in order. It goes from the last to the first, because a comment alone on its line may refer
// to the same line as the comment below it. The mark is a position near them.
func (c *Comments) List(mark LineMark) []Comment {
	list := make([]Comment, len(c.all))
	next, stop := 0, len(c.Text) // the line of the next thing that is not a comment, and the start of the next comment
	for i := len(c.all) - 1; i >= 0; i-- {
		own := c.all[i]
		if at := c.skip(own.end, stop); at < stop {
			next = mark.Place(c.Text, at).Line
		} else if stop == len(c.Text) {
			next = mark.Place(c.Text, own.at).Line
		}
		stop = own.at
		list[i] = Comment{Text: own.text, Place: mark.Place(c.Text, own.at), Line: next}
		list[i].From, list[i].To = c.around(own)
		if !c.isAlone(own) {
			list[i].Line = list[i].Place.Line
		}
	}
	return list
}

// skip skips whitespace and comments.
func (c *Comments) skip(at, stop int) int {
	for text := c.Text[:stop]; at < stop; {
		opening, closing := "#", "\n"
		if c.Slashes {
			opening = "//"
		}
		if c.Slashes && bytes.HasPrefix(text[at:], []byte("/*")) {
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

// around returns the bytes to remove with a comment: its line if it is alone there, and otherwise the spaces before it,
// or the spaces after it if text follows. It returns no bytes for a comment of several lines, because it may contain
// more.
func (c *Comments) around(own comment) (from, to int) {
	const blanks = " \t"
	from, to = own.at, len(bytes.TrimSuffix(c.Text[:own.end], []byte{'\r'})) // without a carriage return
	start, rest := len(bytes.TrimRight(c.Text[:from], blanks)), bytes.TrimLeft(c.Text[to:], blanks+"\r")
	switch {
	case strings.Contains(own.text, "\n"):
		return from, from
	case c.isAlone(own):
		return start, min(lineEnd(c.Text, to)+1, len(c.Text))
	case len(rest) > 0 && rest[0] != '\n':
		return from, len(c.Text) - len(rest)
	}
	return start, to
}

// isAlone reports whether nothing but the comment is on its line.
func (c *Comments) isAlone(own comment) bool {
	before := c.Text[:own.at]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	after := c.Text[own.end:lineEnd(c.Text, own.end)]
	return len(bytes.TrimSpace(bytes.TrimPrefix(before, []byte(ByteOrderMark)))) == 0 &&
		len(bytes.TrimSpace(after)) == 0
}

// span records the bytes of a string in quotes or in a block.
func (r *yamlReader) span(n *yaml.Node, at int) {
	switch {
	case !r.commented:
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		r.quoted = append(r.quoted, [2]int{at, quotedEnd(r.data, at)})
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		r.quoted = append(r.quoted, r.block(at))
	}
}

// block returns the bounds of the lines of a block scalar with its | or > at the offset: lines that are empty, or
// indented like the first one that is not, or by the number of spaces that a digit states.
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

// comments adds the comments for layoutcalc in a part of the input to the last tree.
func (r *yamlReader) comments(from, to int) {
	sort.SliceStable(r.quoted, func(i, k int) bool { return r.quoted[i][0] < r.quoted[k][0] })
	text := 0 // the first string that ends after from
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
			r.t.comments.Add(at, end)
			from = end
		}
	}
}
