package text

import "strings"

// Marks are the patterns of tokens by which rows of a table are told. A pattern is items with blanks between them:
//
//	memref <        these words and marks, one after the other
//	DML_*  *ptr     words that start, or end, so
//	"ndim"          a string of that content, in any quotes
//	W  N  S         any word, number, string
//	X               a token of the class of that capital letter, which the caller tells
//	L               brackets, and what is in them
//	^  $            the start of a line, the end of the text
//	.. W $          whatever is up to the last token
type Marks struct {
	anchored map[string][]mark // by their first word or mark that is written out
	free     []mark
}

// A mark is a pattern of a row.
type mark struct {
	row    int
	items  []string
	anchor int // of the items
}

// Compile returns the marks of rows, the patterns of each of which are in a list.
func Compile(rows [][]string) *Marks {
	m := &Marks{anchored: map[string][]mark{}}
	for row, patterns := range rows {
		for _, pattern := range patterns {
			k := mark{row: row, items: strings.Fields(pattern)}
			for k.anchor < len(k.items) && !literal(k.items[k.anchor]) && k.items[k.anchor] != "L" {
				k.anchor++
			}
			if k.anchor == len(k.items) || k.items[k.anchor] == "L" {
				k.anchor = 0
				if k.items[0] == "^" {
					k.anchor = 1
				}
				m.free = append(m.free, k)
				continue
			}
			word := k.items[k.anchor]
			m.anchored[word] = append(m.anchored[word], k)
		}
	}
	return m
}

// literal reports whether an item of a pattern stands for itself.
func literal(item string) bool {
	n := len(item)
	isClass := n == 1 && 'A' <= item[0] && item[0] <= 'Z'
	return !isClass && item != ".." && item != "^" && item != "$" && (n == 1 || item[0] != '*' && item[n-1] != '*') && item[0] != '"'
}

// Rows returns the rows that have a mark in a text, as bits. Comments do not count. The function tells whether a token
// is of a class.
func (m *Marks) Rows(in string, tokens []Token, is func(class byte, text string) bool) uint64 {
	found := uint64(0)
	s := search{in, tokens, is}
	for i, t := range tokens {
		if t.Slashed || t.Kind == End {
			continue
		}
		if t.Kind != String {
			for _, k := range m.anchored[in[t.At:t.End]] {
				if found>>k.row&1 == 0 && s.matches(k.items, i, k.anchor) {
					found |= 1 << k.row
				}
			}
		}
		for _, k := range m.free {
			if found>>k.row&1 == 0 && s.matches(k.items, i, k.anchor) {
				found |= 1 << k.row
			}
		}
	}
	return found
}

// A search is a text in which patterns are looked for.
type search struct {
	in     string
	tokens []Token
	is     func(class byte, text string) bool
}

// matches reports whether a pattern has its item number anchor at a token.
func (s *search) matches(items []string, at, anchor int) bool {
	for k := anchor - 1; k >= 0; k-- { // one token each, but for the start of a line
		if items[k] == "^" {
			if at > 0 && s.tokens[at].Gap != Line && !s.tokens[at-1].Slashed {
				return false
			}
			continue
		}
		if at--; at < 0 || !s.item(items[k], at) {
			return false
		}
	}
	for items = items[firstToken(items):]; len(items) > 0; items = items[1:] {
		switch {
		case items[0] == "$":
			return s.tokens[at].Kind == End
		case items[0] == "..":
			at = max(at, len(s.tokens)-len(items)+1)
		case items[0] == "L":
			n := s.brackets(at)
			if n == 0 {
				return false
			}
			at += n
		case !s.item(items[0], at):
			return false
		default:
			at++
		}
	}
	return true
}

// firstToken returns which item of a pattern is the first that is a token.
func firstToken(items []string) int {
	if items[0] == "^" {
		return 1
	}
	return 0
}

// maxBrackets is how many tokens brackets may have that a mark steps over.
const maxBrackets = 256

// brackets returns how many tokens the brackets have that start at a token, 0 where there are none.
func (s *search) brackets(at int) int {
	depth := 0
	for i := at; i < len(s.tokens) && i-at < maxBrackets; i++ {
		t := s.tokens[i]
		if t.Kind == Mark && t.End-t.At == 1 {
			switch s.in[t.At] {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
		}
		if depth <= 0 {
			if i == at {
				return 0
			}
			return i - at + 1
		}
	}
	return 0
}

// item reports whether a token is what an item of a pattern stands for.
func (s *search) item(item string, at int) bool {
	t := s.tokens[at]
	text, n := s.in[t.At:t.End], len(item)
	switch {
	case t.Kind == End || t.Slashed:
		return false
	case item[0] == '"':
		return t.Kind == String && !t.Open && text[1:len(text)-1] == item[1:n-1]
	case t.Kind == String:
		return item == "S" || n == 1 && 'A' <= item[0] && item[0] <= 'Z' && s.is(item[0], text)
	case literal(item):
		return text == item
	case item == "W":
		return t.Kind == Word
	case item == "N":
		return t.Kind == Number
	case n == 1:
		return s.is(item[0], text)
	case item[0] == '*' && item[n-1] == '*':
		return strings.Contains(text, item[1:n-1])
	case item[0] == '*':
		return strings.HasSuffix(text, item[1:])
	}
	return t.Kind != Number && strings.HasPrefix(text, item[:n-1])
}
