package protobuf

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// The limits of an input. Protobuf's own reader has no such limits.
const (
	MaxText   = 8 << 20 // bytes
	maxString = 1 << 20 // bytes of a quoted string
	maxValues = 1 << 20
)

// Indices of values that each document has.
const (
	Absent int32 = iota // a field that is not stated; as a message, it has no fields
	Root                // the whole message
)

// A Document is a message in the text format. It has the values of all fields in the order of the input, with a message
// before the values in it. Values are identified by their indices.
type Document struct {
	Comments []doctree.Comment // comments that may be for layoutcalc
	data     []byte
	root     *Message
	values   []value
	mark     doctree.LineMark
	tallies  map[tallied]tally
}

// A value is a value of a field. Each item of a list is a value, and so is a list without items.
type value struct {
	field   *Field // nil if its message does not have it
	kind    kind
	minus   bool  // before a number or a word
	colon   bool  // after the name
	listed  bool  // it is in brackets
	name    int32 // the start of the name of the field
	at, end int32 // the bytes of the value, with its quotes or braces
	parent  int32 // the message
	after   int32 // the first value that is not in this one
}

// A kind is the kind of a value or of a token.
type kind uint8

const (
	endKind    kind = iota // the end of the input
	symbolKind             // one character
	wordKind
	integerKind
	floatKind
	stringKind
	messageKind // in braces
	emptyKind   // an empty list
)

// ParseText reads a message in the text format. [Document.Judge] compares the values with the schema. The error is a
// [*lexer.SyntaxError] or a [TemplateError].
func ParseText(data []byte, root *Message) (*Document, error) {
	p := parser{Document: Document{data: data, root: root}, opening: -1, comments: doctree.Comments{Text: data}}
	if len(data) > MaxText {
		p.fail(MaxText, "", "the text is longer than the limit of %d bytes", MaxText)
	}
	most := 2 + bytes.Count(data, []byte(":")) + bytes.Count(data, []byte("{")) + bytes.Count(data, []byte(","))
	p.values = make([]value, 0, min(most, maxValues+2))
	p.parent = Root
	p.values = append(p.values, value{}, value{kind: messageKind, end: int32(min(len(data), MaxText))})
	p.next()
	for p.kind != endKind {
		p.field()
	}
	if p.err != nil {
		return nil, p.err
	}
	p.values[Root].after = int32(len(p.values))
	p.Comments = p.comments.List(doctree.LineMark{})
	return &p.Document, nil
}

// A parser reads an input token by token. After its first error there are no more tokens.
type parser struct {
	Document
	parent     int32 // the message of the fields that are being read
	opening    int   // the offset of the innermost open bracket; -1 outside of brackets
	depth      int
	kind       kind // the kind of the token
	start, end int  // the bytes of the token
	comments   doctree.Comments
	err        error
}

// fail records an error at an offset.
func (p *parser) fail(at int, hint, format string, args ...any) {
	if p.err == nil {
		p.err = &lexer.SyntaxError{Input: string(p.data), Offset: at, Msg: fmt.Sprintf(format, args...), Hint: hint}
	}
	p.kind, p.start, p.end = endKind, len(p.data), len(p.data)
}

// A TemplateError is the error for an input that is a template, at a placeholder that was not filled in.
type TemplateError struct{ *lexer.SyntaxError }

// Unwrap returns the error as a [*lexer.SyntaxError].
func (e TemplateError) Unwrap() error { return e.SyntaxError }

// expected records that another token is expected here, or that the token is part of a template.
func (p *parser) expected(what string) {
	at := p.start
	for _, mark := range [...]string{"${", "{{", "{%", "<%", "$"} {
		from := max(at-len(mark)+1, 0)
		if i := bytes.Index(p.data[from:min(at+len(mark), len(p.data))], []byte(mark)); i >= 0 {
			p.fail(from+i, "fill in the template first", "a template that was not filled in")
			if e, ok := p.err.(*lexer.SyntaxError); ok {
				p.err = TemplateError{e}
			}
			return
		}
	}
	switch {
	case p.kind == endKind && p.opening >= 0:
		p.fail(p.opening, "", "%q is not closed", p.data[p.opening:p.opening+1])
		return
	case p.kind == endKind:
		p.fail(at, "", "expected %s, found the end of the text", what)
		return
	}
	hint := ""
	token := string(p.data[p.start:p.end])
	switch token {
	case "/":
		hint = "a comment starts with #"
	case "=":
		hint = "write name: value"
	}
	p.fail(at, hint, "expected %s, found %s", what, wording.Quote(token))
}

// is reports whether the token is a symbol.
func (p *parser) is(symbol byte) bool { return p.kind == symbolKind && p.data[p.start] == symbol }

// take skips a symbol, if it is the token.
func (p *parser) take(symbol byte) bool {
	if !p.is(symbol) {
		return false
	}
	p.next()
	return true
}

// field reads a field: its name and its values.
func (p *parser) field() {
	if p.kind == integerKind || p.kind == floatKind || p.kind == stringKind {
		p.withoutBrackets()
		return
	}
	if p.kind != wordKind {
		p.expected("the name of a field")
		return
	}
	f := value{name: int32(p.start), parent: p.parent}
	if m := p.message(p.parent); m != nil {
		f.field = m.Field(string(p.data[p.start:p.end]))
	}
	p.next()
	f.colon = p.take(':')
	switch {
	case p.is('['):
		p.list(f)
	case p.is('{') || p.is('<'):
		p.braces(f)
	case !f.colon:
		p.expected(`":"`)
	default:
		p.scalar(f)
	}
	if !p.take(';') {
		p.take(',')
	}
}

// withoutBrackets records an error if there is a value at the position of a field: it may belong to a list, dims: 3,
// 48, 64.
func (p *parser) withoutBrackets() {
	last := int32(len(p.values) - 1)
	before := bytes.TrimRight(p.data[:p.start], " \t\r\n")
	isListed := p.values[last].listed || p.values[last].kind == messageKind
	if last == Root || isListed || !bytes.HasSuffix(before, []byte(",")) {
		p.expected("the name of a field")
		return
	}
	name, value := p.Name(last), string(p.data[p.start:p.end])
	p.fail(p.start, fmt.Sprintf("such as %s: [ %s, %s ]", name, p.Word(last), value),
		"brackets are missing around the values of %s", name)
}

// list reads the values of a field in brackets.
func (p *parser) list(f value) {
	f.listed, f.at = true, int32(p.start)
	outer := p.opening
	p.opening = p.start
	defer func() { p.opening = outer }()
	p.next()
	if p.is(']') {
		f.kind, f.end = emptyKind, int32(p.end)
		p.add(f)
		p.next()
		return
	}
	for {
		if p.is('{') || p.is('<') {
			p.braces(f)
		} else {
			p.scalar(f)
		}
		if !p.take(',') {
			break
		}
		if p.is(']') {
			p.fail(p.start, "remove the comma before it", "expected a value, found \"]\"")
		}
	}
	if !p.take(']') {
		p.expected(`"," or "]"`)
	}
}

// braces reads a message in braces.
func (p *parser) braces(f value) {
	outer, closing := p.opening, byte('}')
	if p.is('<') {
		closing = '>'
	}
	if p.depth++; p.depth > maxNesting {
		p.fail(p.start, "", "more than %d messages in each other", maxNesting)
		return
	}
	p.opening = p.start
	f.kind, f.at = messageKind, int32(p.start)
	at := int32(len(p.values))
	p.add(f)
	p.parent = at
	p.next()
	for p.kind != endKind && !p.is('}') && !p.is('>') {
		p.field()
	}
	if !p.is(closing) {
		p.expected(wording.Quote(string(closing)))
		return
	}
	p.values[at].end, p.values[at].after = int32(p.end), int32(len(p.values))
	p.depth--
	p.parent, p.opening = f.parent, outer
	p.next()
}

// scalar reads a number, a word, or a string of one or more parts.
func (p *parser) scalar(f value) {
	f.at = int32(p.start)
	f.minus = p.take('-')
	switch f.kind = p.kind; {
	case p.kind == stringKind && !f.minus:
		for ; p.kind == stringKind; p.next() {
			f.end = int32(p.end)
		}
	case p.kind == integerKind, p.kind == floatKind, p.kind == wordKind:
		f.end = int32(p.end)
		p.next()
	default:
		p.expected("a value")
		return
	}
	p.add(f)
}

// add adds a value.
func (p *parser) add(f value) {
	if len(p.values) > maxValues+int(Root) {
		p.fail(int(f.at), "", "more than %d values", maxValues)
		return
	}
	f.after = int32(len(p.values)) + 1
	p.values = append(p.values, f)
}

func isOctal(c byte) bool { return '0' <= c && c <= '7' }

// skip skips the characters of a kind, and reports whether there are any.
func (p *parser) skip(is func(byte) bool) bool {
	from := p.end
	for p.end < len(p.data) && is(p.data[p.end]) {
		p.end++
	}
	return p.end > from
}

// skipOne skips the next character if it is one of the given ones.
func (p *parser) skipOne(of string) bool {
	ok := p.end < len(p.data) && strings.IndexByte(of, p.data[p.end]) >= 0
	if ok {
		p.end++
	}
	return ok
}

// next reads a token.
func (p *parser) next() {
	last, before := p.kind, p.end
	p.blanks()
	if p.start = p.end; p.start == len(p.data) {
		p.kind = endKind
		return
	}
	isDecimal := p.start+1 < len(p.data) && lexer.IsDigit(p.data[p.start+1])
	switch c := p.data[p.start]; {
	case lexer.IsLetter(c) || c == '_':
		p.kind = wordKind
		p.skip(lexer.IsWord)
	case lexer.IsDigit(c) || c == '.' && isDecimal:
		if c == '.' && last == wordKind && before == p.start {
			p.fail(p.start, "", "a space is missing between a word and a number")
			return
		}
		p.lexNumber()
	case c == '"' || c == '\'':
		p.lexString()
	case c < ' ':
		p.fail(p.start, "", "a control character, of code %d", c)
	case c >= utf8.RuneSelf:
		hint := "only strings and comments may have characters that are not ASCII"
		if bytes.HasPrefix(p.data[p.start:], []byte(doctree.ByteOrderMark)) {
			hint = "save the file as UTF-8 without the mark"
			p.fail(p.start, hint, "a byte order mark, which protobuf does not read")
			return
		}
		p.fail(p.start, hint, "a character that is not one of ASCII")
	default:
		p.kind = symbolKind
		p.end++
	}
}

// blanks skips whitespace and comments.
func (p *parser) blanks() {
	for p.end < len(p.data) {
		switch c := p.data[p.end]; {
		case c == ' ' || '\t' <= c && c <= '\r':
			p.end++
		case c == '#':
			comment, _, _ := bytes.Cut(p.data[p.end:], []byte{'\n'})
			if i := bytes.IndexByte(comment, 0); i >= 0 {
				p.fail(p.end+i, "", "a control character, of code 0")
				return
			}
			p.comments.Add(p.end, p.end+len(comment))
			p.end += len(comment)
		default:
			return
		}
	}
}

// lexNumber reads a number.
func (p *parser) lexNumber() {
	p.kind = integerKind
	zero := p.skipOne("0")
	switch digit := p.end < len(p.data) && lexer.IsDigit(p.data[p.end]); {
	case zero && p.skipOne("xX"):
		if !p.skip(lexer.IsHex) {
			p.fail(p.start, "", "0x has no digits")
		}
	case zero && digit:
		if p.skip(isOctal); p.skip(lexer.IsDigit) {
			p.fail(p.start, "remove the 0 before it",
				"a number that starts with 0 is octal, and has no digits 8 and 9")
		}
	default:
		p.skip(lexer.IsDigit)
		if p.skipOne(".") {
			p.kind = floatKind
			p.skip(lexer.IsDigit)
		}
		if p.skipOne("eE") {
			p.kind = floatKind
			if p.skipOne("+-"); !p.skip(lexer.IsDigit) {
				p.fail(p.start, "", "the exponent has no digits")
			}
		}
		if p.skipOne("fF") {
			p.kind = floatKind
		}
	}
	switch {
	case p.end == len(p.data):
	case lexer.IsWord(p.data[p.end]):
		p.fail(p.end, "", "a space is missing between a number and a word")
	case p.data[p.end] == '.':
		p.fail(p.end, "", "a second point in a number")
	}
}

// lexString reads a quoted string.
func (p *parser) lexString() {
	quote := p.data[p.start]
	p.kind = stringKind
	for p.end++; ; p.end++ {
		stop := min(p.start+maxString, len(p.data))
		i := bytes.IndexAny(p.data[p.end:max(stop, p.end)], "\n\\\x00"+string(quote))
		switch {
		case i < 0 && stop < len(p.data):
			p.fail(p.start, "", "a string of more than %d bytes", maxString)
			return
		case i < 0:
			p.fail(p.start, "", "the text has no end: %c is missing", quote)
			return
		}
		switch p.end += i; p.data[p.end] {
		case quote:
			if text := p.data[p.start:p.end]; !utf8.Valid(text) {
				at := 0
				for c, n := utf8.DecodeRune(text); c != utf8.RuneError || n > 1; c, n = utf8.DecodeRune(text[at:]) {
					at += n
				}
				p.fail(p.start+at, "", "a string that is not UTF-8")
				return
			}
			p.end++
			return
		case '\n':
			p.fail(p.start, "", "the text ends at the end of its line: %c is missing", quote)
			return
		case 0:
			p.fail(p.end, "", "a control character, of code 0")
			return
		}
		var one [utf8.UTFMax]byte
		if _, n := unescape(one[:0], p.data[p.end+1:]); n == 0 {
			p.fail(p.end, `write \\ for a backslash`, "an escape that protobuf does not know")
			return
		}
		p.end++ // the character after the backslash is not the quote
	}
}

// unquote returns a string of one or more parts, each in quotes, with escapes resolved.
func unquote(raw []byte) string {
	var b []byte
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; c {
		case '#':
			i += bytes.IndexByte(raw[i:], '\n')
		case '"', '\'':
			for i++; raw[i] != c; {
				if raw[i] != '\\' {
					b = append(b, raw[i])
					i++
					continue
				}
				var n int
				b, n = unescape(b, raw[i+1:])
				i += 1 + n
			}
		}
	}
	return string(b)
}

// unescape appends the character after a backslash, and returns the number of bytes of its escape, or 0 if the escape
// is invalid.
func unescape(b, rest []byte) ([]byte, int) {
	if len(rest) == 0 {
		return b, 0
	}
	base, isDigit := 16, lexer.IsHex
	from, least, most := 1, 1, 2
	switch c := rest[0]; {
	case isOctal(c):
		base, isDigit = 8, isOctal
		from, most = 0, 3
	case c|0x20 == 'x':
	case c == 'u':
		least, most = 4, 4
	case c == 'U':
		least, most = 8, 8
	default:
		i := strings.IndexByte(`abfnrtv\?'"`, c)
		if i < 0 {
			return b, 0
		}
		return append(b, "\a\b\f\n\r\t\v\\?'\""[i]), 1
	}
	end := from
	for end < min(from+most, len(rest)) && isDigit(rest[end]) {
		end++
	}
	n, _ := strconv.ParseUint(string(rest[from:end]), base, 32)
	switch {
	case end < from+least || n >= 0x200000:
		return b, 0
	case most > 3:
		return utf8.AppendRune(b, rune(n)), end
	}
	return append(b, byte(n)), end
}
