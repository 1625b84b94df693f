package lexer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout/wording"
)

// MaxDepth limits how deep brackets may nest.
const MaxDepth = 64

// A Cursor is a Scanner that moves over the tokens of its input. After its first error it moves to the end of the
// input, so that later reads find nothing and end.
type Cursor struct {
	Scanner
	Python bool // comments start with #, and // divides
	Err    error

	tokens []Token
	i      int // the index of the token that contains or follows Pos
	depth  int
}

// NewCursor returns a cursor at the start of an input.
func NewCursor(in string) Cursor { return WithTokens(in, Lex(in)) }

// WithTokens returns a cursor for an input that is already split into tokens.
func WithTokens(in string, tokens []Token) Cursor {
	return Cursor{Scanner: Scanner{In: in}, tokens: tokens}
}

// Tokens returns all tokens of the input.
//
//go:noinline
func (c *Cursor) Tokens() []Token {
	if c.tokens == nil {
		c.tokens = Lex(c.In)
	}
	return c.tokens
}

// comment reports whether a token is part of a comment.
func (c *Cursor) comment(t Token) bool {
	return t.Kind != End && (t.Slashed && !c.Python || t.Hashed && c.Python)
}

// Index returns the index in Tokens of the next token, which may have been read in part.
func (c *Cursor) Index() int {
	i := min(c.i, len(c.Tokens())-1)
	if i > 0 && int(c.tokens[i-1].End) > c.Pos || i+8 < len(c.tokens) && int(c.tokens[i+8].End) <= c.Pos {
		i, _ = slices.BinarySearchFunc(c.tokens, c.Pos+1, func(t Token, at int) int { return int(t.End) - at })
		i = min(i, len(c.tokens)-1)
	}
	for c.tokens[i].Kind != End && (int(c.tokens[i].End) <= c.Pos || c.comment(c.tokens[i])) {
		i++
	}
	c.i = i
	return i
}

// Token returns the next token without moving past it. If it has been read in part, it returns the rest of it.
func (c *Cursor) Token() Token {
	t := c.tokens[c.Index()]
	if int(t.At) < c.Pos {
		t.At, t.End, t.Gap = int32(c.Pos), max(t.End, int32(c.Pos)), None
		if t.Kind == Word && int(t.At) < len(c.In) && IsDigit(c.In[t.At]) {
			t.Kind = Number
		} else if t.Kind == Number && int(t.At) < len(c.In) && !IsDigit(c.In[t.At]) {
			t.Kind = Word
		}
	}
	return t
}

// After returns the nth token after the next one, not counting comments.
func (c *Cursor) After(n int) Token {
	i := c.Index()
	for ; n > 0 && c.tokens[i].Kind != End; n-- {
		for i++; c.comment(c.tokens[i]); i++ {
		}
	}
	return c.tokens[i]
}

// Enter moves into the string that is the next token. The returned function moves past the string, and reports whether
// all of its content was read.
func (c *Cursor) Enter() (leave func() bool) {
	tokens, t := c.tokens, c.Token()
	c.Pos = int(t.At) + 1
	end := int(t.End)
	if !t.Open {
		end--
	}
	c.tokens, c.i = lexPart(c.In, c.Pos, end), 0
	return func() bool {
		all := c.Token().Kind == End
		c.tokens, c.i = tokens, 0
		if c.Err == nil {
			c.Pos = int(t.End)
		}
		return all
	}
}

// Uncomment moves to the start of the input, and makes comments after # part of it.
func (c *Cursor) Uncomment() {
	l := lexer{in: c.In, comments: true}
	for l.at < len(c.In) {
		l.next()
	}
	l.slashed, l.hashed = false, false
	l.token(End, len(c.In))
	c.tokens, c.i, c.Pos = l.all, 0, 0
}

// Text returns the text of a token.
//
//go:noinline
func (c *Cursor) Text(t Token) string { return c.In[t.At:t.End] }

// Is reports whether the next token is the given mark or word.
func (c *Cursor) Is(mark string) bool { return c.Text(c.Token()) == mark }

// IsAt reports whether the nth token after the next one is the given mark or word.
func (c *Cursor) IsAt(n int, mark string) bool { return c.Text(c.After(n)) == mark }

// Space moves to the next token.
//
//go:noinline
func (c *Cursor) Space() {
	c.Pos = int(c.Token().At)
}

// Next moves past the next token and returns it.
func (c *Cursor) Next() Token {
	t := c.Token()
	c.Pos = int(t.End)
	return t
}

// PeekToken moves to the next token and returns its first byte, or 0 at the end.
func (c *Cursor) PeekToken() byte {
	c.Space()
	return c.Peek()
}

// Done reports whether no token is left, or an error has occurred.
func (c *Cursor) Done() bool {
	c.Space()
	return c.Pos == len(c.In) || c.Err != nil
}

// Take moves past spaces and mark, if mark comes next. It may be the start of a token.
func (c *Cursor) Take(mark string) bool {
	c.Space()
	return c.TakeHere(mark)
}

// TakeHere is like Take, but does not skip spaces.
func (c *Cursor) TakeHere(mark string) bool {
	if !starts(c.In[c.Pos:], mark) {
		return false
	}
	c.Pos += len(mark)
	return true
}

// starts is like strings.HasPrefix.
func starts(text, start string) bool { return len(text) >= len(start) && text[:len(start)] == start }

// Expect moves past mark. If it does not come next, it records an error.
func (c *Cursor) Expect(mark string) {
	if !c.Take(mark) {
		c.Unexpected("expected %s", mark)
	}
}

// Word reads a word, which may start with a digit. It returns an empty string if something else comes next.
func (c *Cursor) Word() string {
	c.Space()
	return c.Span(IsWord)
}

// Open moves past an opening bracket and increases the depth; Close decreases it.
func (c *Cursor) Open(bracket string) {
	c.Expect(bracket)
	c.Deeper()
}

// Close moves past a closing bracket.
func (c *Cursor) Close(bracket string) {
	c.depth--
	c.Expect(bracket)
}

// Deeper increases the depth, and records an error if it exceeds [MaxDepth]; Higher decreases it.
func (c *Cursor) Deeper() {
	if c.depth++; c.depth > MaxDepth {
		c.Unexpected("brackets nest deeper than the limit of %d", MaxDepth)
	}
}

// Higher decreases the depth.
func (c *Cursor) Higher() { c.depth-- }

// Depth returns the number of open brackets.
func (c *Cursor) Depth() int { return c.depth }

// Each reads a list in brackets, with commas between the items. It calls read for each item i.
func (c *Cursor) Each(open, closing string, read func(i int)) {
	c.Open(open)
	for i := 0; !c.Take(closing) && c.Err == nil; i++ {
		if i > 0 && !c.Take(",") {
			c.Unexpected("expected a comma or %s", closing)
		}
		c.Space()
		read(i)
	}
	c.depth--
}

// Digits reads a number without a sign.
func (c *Cursor) Digits() int64 { return c.Integer(false) }

// Integer reads a decimal number.
func (c *Cursor) Integer(signed bool) int64 {
	c.Space()
	start := c.Pos
	if signed {
		c.TakeHere("-")
	}
	if c.Span(IsDigit) == "" {
		c.Unexpected("expected a number")
		return 0
	}
	n, err := parseInt(c.In[start:c.Pos], 10)
	if err != nil {
		c.Fail(start, "", "%s is more than 64 bits hold", wording.BigText(c.In[start:c.Pos]))
	}
	return n
}

// Recover clears the error and moves to an offset, at depth 0.
func (c *Cursor) Recover(at int) { c.Err, c.depth, c.Pos = nil, 0, at }

// MaxMessage is the maximum number of characters in a message or hint.
const MaxMessage = 250

// Fail records an error at an offset of the input, unless there is one already.
func (c *Cursor) Fail(at int, hint, format string, args ...any) {
	if c.Err == nil {
		c.Fault(&SyntaxError{Input: c.In, Offset: at, Msg: fmt.Sprintf(format, wording.ClipAll(args)...), Hint: hint})
	}
}

// Unexpected records an error at the next byte. If the input ends while a bracket is open, the error is about the
// bracket.
func (c *Cursor) Unexpected(format string, args ...any) {
	at, closing := c.unclosed()
	if at < 0 {
		c.Fail(c.Pos, "", format, args...)
		return
	}
	c.Fault(c.Unclosed(at, closing))
}

// Unclosed returns the error for a bracket at an offset that is open at the end of the input. The brackets in closing
// close all open ones; they are empty if the input is long.
func (s *Scanner) Unclosed(at int, closing string) *SyntaxError {
	err := s.Fail(at, "", "%q is not closed", s.In[at:at+1])
	if closing != "" {
		err.Change = Change{Typed: s.In[at:], Word: s.In[at:] + closing}
	}
	return err
}

// unclosed returns the offset of the last bracket that is open at the end of the input, and the brackets that close all
// open ones, unless the input is long. The offset is negative if there is none, or if the cursor is not at the end.
func (c *Cursor) unclosed() (at int, closing string) {
	at = -1
	if !c.Done() || c.Err != nil {
		return at, ""
	}
	depth := 0
	for _, t := range slices.Backward(c.Tokens()) {
		if c.comment(t) {
			continue
		}
		if depth += t.Bracket(c.In); depth <= 0 {
			continue
		}
		if depth = 0; at < 0 {
			at = int(t.At)
		}
		if len(c.In) > MaxMessage {
			break
		}
		closing += string(")]}"[strings.IndexByte("([{", c.In[t.At])])
	}
	return at, closing
}

// Fault records an error unless an error is recorded already.
func (c *Cursor) Fault(err error) {
	if c.Err != nil || err == nil {
		return
	}
	if e, ok := err.(*SyntaxError); ok {
		e.Msg, e.Hint = wording.OneLine(e.Msg, MaxMessage), wording.OneLine(e.Hint, MaxMessage)
	}
	c.Err, c.Pos = err, len(c.In)
}

// FaultAt records an error, at the given offset if it has no position.
func (c *Cursor) FaultAt(at int, err error) {
	if e, ok := err.(*SyntaxError); ok {
		err = e.In(c.In, at)
	}
	c.Fault(err)
}

// Within records an error about the part of the input that starts at the given offset.
func (c *Cursor) Within(at int, err error) {
	if e, ok := err.(*SyntaxError); ok && e.Input != "" {
		err = e.In(c.In, at+e.Offset)
	}
	c.Fault(err)
}

// Rest returns the input up to the next space, in quotes, for messages.
func (c *Cursor) Rest() string {
	if c.Pos == len(c.In) {
		return "the end"
	}
	return wording.Quote(cmp.Or(c.NextWord(), c.In[c.Pos:]))
}

// NextWord returns the input up to the next space.
func (c *Cursor) NextWord() string {
	end := c.Pos
	for end < len(c.In) && class[c.In[end]]&(blank|line) == 0 {
		end++
	}
	return c.In[c.Pos:end]
}

// Skip moves past the rest of the line.
func (c *Cursor) Skip() { c.Pos = min(c.LineEnd()+1, len(c.In)) }

// LineEnd returns the end of the line.
func (c *Cursor) LineEnd() int { return c.Pos + LineEnd(c.In[c.Pos:]) }

// Ahead reports whether mark comes next, without spaces before it.
func (c *Cursor) Ahead(mark string) bool { return starts(c.In[c.Pos:], mark) }

// Through moves past the next token that starts with mark, or to the end of the input.
func (c *Cursor) Through(mark string) {
	for t := c.Next(); t.Kind != End && !starts(c.Text(t), mark); {
		t = c.Next()
	}
}
