package lexer

import (
	"strings"
	"unicode/utf8"
)

// Marks are the patterns of tokens that select rows of a table. A pattern is a list of items with a space between two.
// These items match one token:
//
//	memref                        this word or punctuation mark
//	DML_*  *ptr  *ptr*            a word that starts with, ends with or contains this text
//	"ndim"                        a string with this content, in any quotes
//	<word>  <number>  <string>    any word, number or string
//	<class>                       a token for which the function passed to [Marks.Rows] returns true
//
// These match several tokens:
//
//	<list>                        brackets with everything inside them
//	<name>                        a word with its dots, dashes and so on, up to a space, comma, colon or bar
//	<numbers>                     numbers with commas or x between them
//	..                            tokens up to the next item, which must follow a space, or up to the end: .. <word> $
//
// And these match no token, but a position:
//
//	^                             the start of a line, so "^ f32 [" does not match "x f32["
//	$                             the end of the text
type Marks struct {
	firsts [utf8.RuneSelf]*mark // by the first character of a word or mark: memref <, DML_*
	lasts  [utf8.RuneSelf]*mark // by the last character of a word: *ptr
	lines  *mark                // by a line start
	texts  *mark                // by a string or a class
	free   *mark                // of any word or number
}

// A mark is a pattern of a row. It is in a list of patterns that have their anchors at the same tokens.
type mark struct {
	row    int
	items  []item
	anchor int // the index of the anchor in items
	next   *mark
}

// An item is a part of a pattern.
type item struct {
	op   op
	text string
}

// An op is how to compare an item with a token.
type op uint8

// The ops.
const (
	opExact     op = iota
	opPrefix       // DML_*
	opSuffix       // *ptr
	opInner        // *ptr*
	opQuoted       // "ndim"
	opClass        // <class>
	opWord         // <word>
	opNumber       // <number>
	opString       // <string>
	opLineStart    // ^
	opTextEnd      // $
	opRest         // ..
	opBrackets     // <list>
	opName         // <name>
	opNumbers      // <numbers>
)

// named are the items that do not match their own text. Other names in angle brackets are classes.
var named = [...]item{
	{opWord, "<word>"}, {opNumber, "<number>"}, {opString, "<string>"}, {opBrackets, "<list>"}, {opName, "<name>"},
	{opNumbers, "<numbers>"}, {opRest, ".."}, {opLineStart, "^"}, {opTextEnd, "$"},
}

// parseItem parses an item.
func parseItem(text string) item {
	first, last := text[0], text[len(text)-1]
	switch {
	case len(text) > 1 && first == '*' && last == '*':
		return item{opInner, text[1 : len(text)-1]}
	case len(text) > 1 && first == '*':
		return item{opSuffix, text[1:]}
	case len(text) > 1 && last == '*':
		return item{opPrefix, text[:len(text)-1]}
	case first == '"':
		return item{opQuoted, text[1 : len(text)-1]}
	}
	for _, n := range named {
		if n.text == text {
			return n
		}
	}
	if len(text) > 1 && first == '<' && last == '>' {
		return item{opClass, text[1 : len(text)-1]}
	}
	return item{opExact, text}
}

// Compile returns the marks of rows, given the list of patterns of each row.
func Compile(rows [][]string) *Marks {
	n := 0
	for _, patterns := range rows {
		n += len(patterns)
	}
	m, marks, items := new(Marks), make([]mark, 0, 2*n), make([]item, 0, 4*n)
	for row, patterns := range rows {
		for _, pattern := range patterns {
			from := len(items)
			items = appendItems(items, pattern)
			k := mark{row: row, items: items[from:len(items):len(items)]}
			for _, list := range m.lists(&k) {
				if list != nil {
					k.next = *list
					marks = append(marks, k)
					*list = &marks[len(marks)-1]
				}
			}
		}
	}
	return m
}

// lists returns the one or two lists that a pattern belongs to. They are the lists of its anchor: its first item that
// is a word or a mark, or otherwise its first item.
func (m *Marks) lists(k *mark) [2]**mark {
	for k.anchor < len(k.items) && k.items[k.anchor].op != opExact && k.items[k.anchor].op != opBrackets {
		k.anchor++
	}
	if k.anchor == len(k.items) || k.items[k.anchor].op == opBrackets {
		k.anchor = 0
	}
	switch first := k.items[k.anchor]; first.op {
	case opExact, opPrefix:
		return [2]**mark{&m.firsts[first.text[0]]}
	case opSuffix:
		return [2]**mark{&m.lasts[first.text[len(first.text)-1]]}
	case opLineStart:
		k.anchor = 1
		return [2]**mark{&m.lines}
	case opQuoted:
		return [2]**mark{&m.texts}
	case opClass:
		return [2]**mark{&m.texts, &m.free}
	}
	return [2]**mark{&m.free}
}

// Rows returns the rows that have a mark in an input, as bits. It ignores comments. The function is reports whether a
// token is in a class.
func (m *Marks) Rows(in string, tokens []Token, is func(class, token string) bool) uint64 {
	s := search{in: in, tokens: tokens, is: is}
	for i, t := range tokens {
		if t.Slashed || t.Kind == End {
			continue
		}
		if t.Kind == String {
			s.find(m.texts, i)
			continue
		}
		if s.startsLine(i) {
			s.find(m.lines, i)
		}
		if c := in[t.At]; c < utf8.RuneSelf {
			s.find(m.firsts[c], i)
		}
		if t.Kind != Mark {
			s.find(m.lasts[in[t.End-1]], i)
			s.find(m.free, i)
		}
	}
	return s.found
}

// A search looks for patterns in an input.
type search struct {
	in     string
	tokens []Token
	is     func(class, token string) bool
	found  uint64 // the rows
}

// find adds the rows of the patterns that match with their anchors at a token.
func (s *search) find(list *mark, at int) {
	for k := list; k != nil; k = k.next {
		if s.found>>k.row&1 == 0 && s.matches(k, at) {
			s.found |= 1 << k.row
		}
	}
}

// startsLine reports whether a token is the first of a line, not counting comments.
func (s *search) startsLine(at int) bool {
	return at == 0 || s.tokens[at].Gap == Line || s.tokens[at-1].Slashed
}

// matches reports whether a pattern has its anchor at a token.
func (s *search) matches(m *mark, at int) bool {
	for k := m.anchor - 1; k >= 0; k-- { // each is one token, except a line start
		if m.items[k].op == opLineStart {
			continue
		}
		if at--; at < 0 || !s.item(m.items[k], at) {
			return false
		}
	}
	return s.follow(m.items, at, nil)
}

// follow reports whether items match the tokens starting at one. It stores in places where each item starts, and where
// the last one ends.
func (s *search) follow(items []item, at int, places []int) bool {
	for k := range items {
		if places != nil {
			places[k] = at
		}
		n := 1
		switch item := &items[k]; item.op {
		case opLineStart:
			if !s.startsLine(at) {
				return false
			}
			n = 0
		case opTextEnd:
			return s.tokens[at].Kind == End
		case opRest:
			n = s.skip(items[k+1:], at)
		case opBrackets:
			n = s.brackets(at)
		case opName:
			n = s.name(at)
		case opNumbers:
			n = s.numbers(at)
		default:
			if !s.item(*item, at) {
				return false
			}
		}
		if n == 0 && items[k].op >= opBrackets {
			return false
		}
		at += n
	}
	if places != nil {
		places[len(items)] = at
	}
	return true
}

// A Pattern is one pattern of [Marks].
type Pattern []item

// NewPattern parses a pattern.
func NewPattern(text string) Pattern { return appendItems(make([]item, 0, 16), text) }

// appendItems parses a pattern and appends its items.
func appendItems(items []item, pattern string) []item {
	for start := 0; start < len(pattern); {
		end := start
		for end < len(pattern) && pattern[end] != ' ' {
			end++
		}
		items = append(items, parseItem(pattern[start:end]))
		start = end + 1
	}
	return items
}

// isOther reports whether the pattern starts with a word or mark that differs from first.
func (p Pattern) isOther(first string) bool {
	return len(p) > 0 && p[0].op == opExact && p[0].text != first
}

// Match reports whether the pattern matches the tokens of a line from index at. It returns the index of the first token
// of each item, and then the index of the token after the last item.
func (p Pattern) Match(in string, line []Token, at int) (places []int, ok bool) {
	s := search{in: in, tokens: line}
	if p.isOther(in[line[at].At:line[at].End]) || !s.follow(p, at, nil) {
		return nil, false
	}
	places = make([]int, len(p)+1)
	return places, s.follow(p, at, places)
}

// skip returns the number of tokens that .. in a pattern matches.
func (s *search) skip(after []item, at int) int {
	if after[len(after)-1].op == opTextEnd {
		return max(0, len(s.tokens)-len(after)-at)
	}
	n := 0
	for n < maxBrackets && s.tokens[at+n].Kind != End && (s.tokens[at+n].Gap == None || !s.item(after[0], at+n)) {
		n++
	}
	return n
}

// name returns the number of tokens in the name that starts at a token. Spaces, commas, colons and bars end a name.
func (s *search) name(at int) int {
	if at > 0 && s.tokens[at].Gap == None && s.in[s.tokens[at-1].At] != ':' || s.tokens[at].Kind == End {
		return 0
	}
	for n := 1; ; n++ {
		if t := s.tokens[at+n]; t.Kind == End || t.Gap != None || strings.IndexByte(",:|", s.in[t.At]) >= 0 {
			return n
		}
	}
}

// numbers returns the number of tokens in numbers with commas or x between them.
func (s *search) numbers(at int) int {
	n := 0
	for ; ; n++ {
		switch t := s.tokens[at+n]; {
		case t.Kind == Number:
		case n == 0 || t.Kind == End || s.in[t.At] != ',' && s.in[t.At:t.End] != "x":
			return n
		}
	}
}

// maxBrackets is the maximum number of tokens in brackets that a mark can match.
const maxBrackets = 256

// brackets returns the number of tokens in the brackets that start at token at, or 0 if it is not an opening bracket.
func (s *search) brackets(at int) int {
	depth := 0
	for i := at; i < len(s.tokens) && i-at < maxBrackets; i++ {
		depth += s.tokens[i].Bracket(s.in)
		switch {
		case depth <= 0 && i == at:
			return 0
		case depth <= 0:
			return i - at + 1
		}
	}
	return 0
}

// item reports whether an item of a pattern matches a token.
func (s *search) item(item item, at int) bool {
	t := s.tokens[at]
	if t.Kind == End || t.Slashed {
		return false
	}
	text := s.in[t.At:t.End]
	switch item.op {
	case opQuoted:
		return t.Kind == String && !t.Open && text[1:len(text)-1] == item.text
	case opWord:
		return t.Kind == Word
	case opNumber:
		return t.Kind == Number
	case opString:
		return t.Kind == String
	case opClass:
		return s.is(item.text, text)
	}
	if t.Kind == String || t.Kind == Number && item.op == opPrefix {
		return false
	}
	return item.isWord(text)
}

// isWord reports whether an item that matches words matches this one.
func (item item) isWord(word string) bool {
	switch item.op {
	case opInner:
		return strings.Contains(word, item.text)
	case opSuffix:
		return strings.HasSuffix(word, item.text)
	case opPrefix:
		return starts(word, item.text)
	}
	return word == item.text
}

// Like reports whether word matches one of the patterns. In a pattern, * matches anything: DML_*, *ptr.
func Like(word string, patterns ...string) bool {
	for _, p := range patterns {
		if parseItem(p).isWord(word) {
			return true
		}
	}
	return false
}
