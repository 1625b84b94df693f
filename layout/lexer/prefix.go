package lexer

import (
	"slices"
	"sync"
)

// The parts of time stamps.
const (
	date  = "<number> - <number> - <number>"
	clock = "<number> : <number> : <number>"
)

// prefixes are patterns of the text that interpreters and logs write before a line: prompts, time stamps, source
// positions, errors.
var prefixes = [...]string{
	"> > >", ". . .", "In [ <number> ] :", "Out [ <number> ] :", "[ rank* ] :", "[ rank* ]", "[ rank <number> ]",
	"[ " + date + " " + clock + " ]", "[ " + date + " " + clock + " , <number> ]", date + " " + clock + " , <number>",
	date + " " + clock, "<number> - <number> - " + clock, "<number> - <number> " + clock, "[ " + clock + " ]",
	"[ <number> / <number> / <number> - " + clock + " ] [ <word> ]", clock,
	"<word> " + clock + " <number> <word> . <word> : <number> ]", "[ <word> . <word> : <number> ]",
	"<word> . py : <number> :", "*Error :", "*Exception :", "*Warning :",
}

// levels are the words of logs for the severity of a line.
var levels = [...]string{"INFO", "WARNING", "WARN", "DEBUG", "ERROR", "CRITICAL", "FATAL", "TRACE"}

var prefixPatterns = sync.OnceValue(func() []Pattern {
	all := make([]Pattern, len(prefixes))
	for i, p := range prefixes {
		all[i] = NewPattern(p)
	}
	return all
})

// Unprefixed returns the tokens of an input without the prefixes of its lines. No other words may be skipped without a
// note.
func Unprefixed(in string, tokens []Token) []Token {
	kept, starts := tokens[:0], true
	for i := 0; i < len(tokens); {
		t := tokens[i]
		if starts = starts || t.Gap == Line; starts && !t.Slashed {
			if n := prefix(in, tokens, i); n > 0 {
				i += n
				continue
			}
		}
		if starts && i > 0 {
			t.Gap = Line
		}
		kept, starts = append(kept, t), false
		i++
	}
	return kept
}

// prefix returns the number of tokens in the prefix that starts at token at, or 0 if no prefix starts there. Another
// prefix may follow, except after a prompt.
func prefix(in string, tokens []Token, at int) int {
	n := 0
	text := func(i int) string { return in[tokens[i].At:tokens[i].End] }
	switch {
	case slices.Contains(levels[:], text(at)):
		n = 1
		if text(at+1) == ":" {
			n = 2
			if name, ok := logger().Match(in, tokens, at+2); ok && tokens[at+2].Gap == None { // INFO:root:
				n = name[2] - at
			}
		}
	case text(at) == "[" && slices.Contains(levels[:], text(at+1)) && text(at+2) == "]":
		n = 3
	}
	patterns := prefixPatterns()
	for i := 0; n == 0 && i < len(patterns); i++ {
		if patterns[i].isOther(text(at)) {
			continue
		}
		if places, ok := patterns[i].Match(in, tokens, at); ok {
			if n = places[len(places)-1] - at; i < 4 {
				return n
			}
		}
	}
	if next := tokens[min(at+n, len(tokens)-1)]; next.Kind == End || next.Gap == Line {
		return 0
	}
	return n
}

var logger = sync.OnceValue(func() Pattern { return NewPattern("<name> :") })
