package lexer

import (
	"strings"
	"unicode/utf8"
)

// A Kind is a kind of token.
type Kind uint8

// The kinds of tokens.
const (
	End    Kind = iota // the end of the input
	Word               // letters, digits, _ and $
	Number             // a digit, and everything up to a space or mark: 12, 0x1F, 1'000, 4.5, 2x3xf32
	String             // including its quotes
	Mark               // one character, or one of :: -> => ==
)

// A Gap is the kind of space between a token and the one before it.
type Gap uint8

// The gaps.
const (
	None  Gap = iota
	Blank     // spaces or a comment
	Line      // the end of a line
)

// A Token is a part of an input.
type Token struct {
	At, End int32
	Kind    Kind
	Gap     Gap
	Slashed bool // it is // it is // or after it on its line: a comment, except in Python
	Hashed  bool // it is # or after it on its line, without a space after the #: a comment in Python only
	Open    bool // a string that does not end
}

// Bracket returns 1 for an opening bracket, -1 for a closing one, and 0 for other tokens.
func (t Token) Bracket(in string) int {
	if t.Kind == Mark {
		switch in[t.At] {
		case '(', '[', '{':
			return 1
		case ')', ']', '}':
			return -1
		}
	}
	return 0
}

// Lex returns the tokens of an input, followed by one of kind End. It skips the comments /* */, and # with a space
// after it up to the end of the line.
func Lex(in string) []Token { return lexPart(in, 0, len(in)) }

// lexPart is like Lex, but splits a part of an input.
func lexPart(in string, from, to int) []Token {
	l := lexer{in: in[:to], at: from, all: make([]Token, 0, (to-from)/2+2)}
	for l.at < to {
		l.next()
	}
	l.at, l.slashed, l.hashed = to, false, false
	l.token(End, to)
	return uncovered(l.all)
}

// uncovered removes the marks // of an input that has only comments, so that the tokens in the comments can be read.
func uncovered(all []Token) []Token {
	for _, t := range all {
		if !t.Slashed && t.Kind != End {
			return all
		}
	}
	kept, gap := all[:0], None
	for _, t := range all {
		if t.Slashed && t.Kind == Mark && t.End-t.At == 2 {
			gap = max(gap, t.Gap)
			continue
		}
		t.Slashed, t.Gap, gap = false, max(t.Gap, gap), None
		kept = append(kept, t)
	}
	return kept
}

// A lexer splits an input into tokens.
type lexer struct {
	in              string
	at              int
	gap             Gap
	slashed, hashed bool
	comments        bool // comments after # are read too
	all             []Token
}

// token adds the token that ends at an offset.
func (l *lexer) token(kind Kind, end int) {
	l.all = append(l.all, Token{
		At: int32(l.at), End: int32(end), Kind: kind, Gap: l.gap, Slashed: l.slashed, Hashed: l.hashed,
	})
	l.at, l.gap = end, None
}

// next reads a token, or skips a space or a comment.
func (l *lexer) next() {
	c := l.in[l.at]
	switch class[c] {
	case blank:
		l.at++
		l.gap = max(l.gap, Blank)
	case line:
		l.at++
		l.gap, l.slashed, l.hashed = Line, false, false
	case letter:
		end := l.at + 1
		for end < len(l.in) && class[l.in[end]]&wordy != 0 {
			end++
		}
		l.token(Word, end)
	case digit:
		l.token(Number, numberEnd(l.in, l.at))
	case quote:
		l.quoted(c)
	default:
		l.mark(c)
	}
}

// mark reads a mark or a comment.
func (l *lexer) mark(c byte) {
	next := byte(0)
	if l.at+1 < len(l.in) {
		next = l.in[l.at+1]
	}
	switch {
	case c == '/' && next == '*' && !l.slashed:
		end := strings.Index(l.in[l.at+2:], "*/")
		if end < 0 {
			end = len(l.in) - l.at - 4
		}
		l.at, l.gap = l.at+2+end+2, max(l.gap, Blank)
	case c == '/' && next == '/':
		l.slashed = true
		l.token(Mark, l.at+2)
	case c == '#' && l.comments:
		l.at, l.gap = l.at+1, max(l.gap, Blank)
	case c == '#' && (next == 0 || class[next] == blank || class[next] == line || next == '#' || next == '!'):
		l.at += LineEnd(l.in[l.at:])
		l.gap = max(l.gap, Blank)
	case c == '#':
		l.hashed = true
		l.token(Mark, l.at+1)
	case next == '>' && (c == '-' || c == '='), c == ':' && next == ':', c == '=' && next == '=':
		l.token(Mark, l.at+2)
	case c == '\\' && class[next] == line: // a line that continues on the next one
		l.at, l.gap = l.at+2, max(l.gap, Blank)
	case c == '\\' && next == 'n' && (l.at+2 == len(l.in) || class[l.in[l.at+2]]&(letter|line) != 0): // an escape
		l.at, l.gap, l.slashed, l.hashed = l.at+2, Line, false, false
	default:
		end := l.at + 1
		for c >= utf8.RuneSelf && end < len(l.in) && l.in[end] >= utf8.RuneSelf {
			end++ // each character outside of ASCII is one mark
		}
		l.token(Mark, end)
	}
}

// quoted reads a string. An apostrophe in a word is a mark, and so is a quote after //.
func (l *lexer) quoted(c byte) {
	if n := len(l.all); c == '\'' && l.gap == None && n > 0 && l.all[n-1].Kind == Word && !l.isPrefix(l.all[n-1]) {
		l.token(Mark, l.at+1)
		return
	}
	end, closed := quotedEnd(l.in, l.at)
	l.token(String, end)
	l.all[len(l.all)-1].Open = !closed
}

// isPrefix reports whether a word is a prefix of strings in Python or C++: r, f, b, u, L.
func (l *lexer) isPrefix(t Token) bool {
	n := t.End - t.At
	return n == 1 && strings.IndexByte("rRfFbBuUL", l.in[t.At]) >= 0 || n == 2 && l.in[t.End-1]|0x20 == 'r'
}

// quotedEnd returns the end of the string that starts at an offset, and whether a quote closes it. Strings in triple
// quotes may span lines; others end at the end of the line at the latest.
func quotedEnd(in string, at int) (end int, closed bool) {
	c := in[at]
	if len(in)-at > 2 && in[at+1] == c && in[at+2] == c {
		if i := strings.Index(in[at+3:], in[at:at+3]); i >= 0 {
			return at + 3 + i + 3, true
		}
	}
	for i := at + 1; i < len(in); i++ {
		switch in[i] {
		case '\\':
			i++
		case c:
			return i + 1, true
		case '\n':
			return i, false
		}
	}
	return len(in), false
}

// A Span is a line of an input without the comments at its ends.
type Span struct {
	At, End int
	Number  int // the number of the line, starting at 1
}

// Lines returns the lines of an input that have tokens other than comments.
func Lines(in string, tokens []Token) (lines []Span) {
	number, counted := 1, 0
	for i, t := range tokens {
		if t.Kind == End || t.Slashed && (i == 0 || t.Gap == Line || tokens[i-1].Slashed) {
			continue
		}
		if n := len(lines); n > 0 && t.Gap != Line && !(tokens[i-1].Slashed && !t.Slashed) {
			lines[n-1].End = int(t.End)
			continue
		}
		number += strings.Count(in[counted:t.At], "\n")
		counted = int(t.At)
		lines = append(lines, Span{int(t.At), int(t.End), number})
	}
	return lines
}

// Part returns the tokens of a part of an input, given all tokens, with offsets into the part. If the part is inside
// the quotes of a string, it is split into tokens again.
func Part(in string, tokens []Token, from, to int) []Token {
	for _, t := range tokens[:min(3, len(tokens))] {
		if t.Kind == String && int(t.At) < from && int(t.End) > from {
			return Lex(in[from:to])
		}
	}
	var part []Token
	for _, t := range tokens {
		if int(t.At) < from || int(t.End) > to {
			continue
		}
		if t.Kind == End || int(t.At) == to {
			break
		}
		t.At, t.End = t.At-int32(from), t.End-int32(from)
		part = append(part, t)
	}
	return append(part, Token{At: int32(to - from), End: int32(to - from)})
}

// Core returns the input without quotes around all of it, and without lines of comments before and after it. It also
// returns the remaining tokens, and the offset of the core.
func Core(in string, tokens []Token) (core string, of []Token, start int) {
	core, of = in, tokens
	for from, to := bounds(core, of); to-from < len(core); from, to = bounds(core, of) {
		core, of, start = core[from:to], Part(core, of, from, to), start+from
	}
	return core, of, start
}

// bounds returns the bounds of the part of an input inside its quotes, or between its comments.
func bounds(in string, tokens []Token) (from, to int) {
	lines := Lines(in, tokens)
	covered := strings.HasPrefix(strings.TrimLeft(in[:tokens[0].At], " \t\r\n"), "//") // the input has only comments
	if len(lines) == 0 || covered || tokens[0].Kind == String && tokens[1].Kind == End && tokens[0].Open {
		return 0, len(in)
	}
	if t := tokens[0]; t.Kind == String && tokens[1].Kind == End && int(t.End-t.At) == len(in) {
		return 1, len(in) - 1
	}
	if len(tokens) == 5 && tokens[2].Kind == String && !tokens[2].Open && in[tokens[1].At] == '(' &&
		in[tokens[3].At] == ')' && Like(in[tokens[0].At:tokens[0].End], "*Error", "*Exception", "*Warning") {
		return int(tokens[2].At) + 1, int(tokens[2].End) - 1 // RuntimeError('...')
	}
	from, to = lines[0].At, lines[len(lines)-1].End
	if blankOnly(in[:from]) {
		from = 0
	}
	if rest := strings.TrimLeft(in[to:], " \t"); blankOnly(rest) {
		to = len(in)
	} else if rest[0] == '#' { // a comment after the last line, which may be an answer
		to += LineEnd(in[to:])
	} else if in[to-1] == '/' && isOpen(in, tokens) { // 8//2
		to = len(in)
	}
	return from, to
}

// isOpen reports whether brackets are open at the end of an input, ignoring comments.
func isOpen(in string, tokens []Token) bool {
	depth := 0
	for _, t := range tokens {
		if !t.Slashed {
			depth += t.Bracket(in)
		}
	}
	return depth > 0
}

// blankOnly reports whether an input has only whitespace.
func blankOnly(in string) bool {
	for i := range len(in) {
		if class[in[i]]&(blank|line) == 0 {
			return false
		}
	}
	return true
}

// LineEnd returns the offset of the first line end, or the length of the input.
func LineEnd(in string) int {
	if i := strings.IndexByte(in, '\n'); i >= 0 {
		return i
	}
	return len(in)
}

// numberEnd returns the end of the number at an offset, with its fraction, exponent, separators and letters.
func numberEnd(in string, at int) int {
	end := at
	for end < len(in) {
		c := in[end]
		between := end > at && end+1 < len(in) && class[in[end+1]] == digit && class[in[end-1]] == digit
		switch {
		case class[c]&wordy != 0 || c == '\'' && between:
			end++
		case c == '.' && between:
			end += 2
			for end < len(in) && class[in[end]] == digit {
				end++
			}
			if end+2 < len(in) && in[end]|0x20 == 'e' && (in[end+1] == '-' || in[end+1] == '+') {
				end += 2
			}
		default:
			return end
		}
	}
	return end
}

// The classes of bytes.
const (
	letter = 1
	digit  = 2
	wordy  = letter | digit
	blank  = 4
	line   = 8
	quote  = 16
)

// class has the class of each byte, 0 for a mark.
var class = [256]uint8{
	' ': blank, '\t': blank, '\r': blank, '\n': line, '"': quote, '\'': quote, '_': letter, '$': letter,
	'0': digit, '1': digit, '2': digit, '3': digit, '4': digit, '5': digit, '6': digit, '7': digit, '8': digit,
	'9': digit,
	'a': letter, 'b': letter, 'c': letter, 'd': letter, 'e': letter, 'f': letter, 'g': letter, 'h': letter,
	'i': letter, 'j': letter, 'k': letter, 'l': letter, 'm': letter, 'n': letter, 'o': letter, 'p': letter,
	'q': letter, 'r': letter, 's': letter, 't': letter, 'u': letter, 'v': letter, 'w': letter, 'x': letter,
	'y': letter, 'z': letter,
	'A': letter, 'B': letter, 'C': letter, 'D': letter, 'E': letter, 'F': letter, 'G': letter, 'H': letter,
	'I': letter, 'J': letter, 'K': letter, 'L': letter, 'M': letter, 'N': letter, 'O': letter, 'P': letter,
	'Q': letter, 'R': letter, 'S': letter, 'T': letter, 'U': letter, 'V': letter, 'W': letter, 'X': letter,
	'Y': letter, 'Z': letter,
}
