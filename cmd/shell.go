package cmd

import (
	"strings"

	"layoutcalc/layout"
)

// splitLine appends the words of a line, split as a shell does: at blanks, unless they are quoted or after a backslash,
// and up to a word that starts with #. Nothing else has a meaning.
func splitLine(words []string, line string) ([]string, error) {
	for at := 0; ; {
		for at < len(line) && isBlank(line[at]) {
			at++
		}
		if at == len(line) || line[at] == '#' {
			return words, nil
		}
		end := at
		for end < len(line) && !isBlank(line[end]) && line[end] != '\'' && line[end] != '"' && line[end] != '\\' {
			end++
		}
		word := line[at:end]
		if at = end; at < len(line) && !isBlank(line[at]) {
			rest, end, err := unquote(line, at)
			if err != nil {
				return words, err
			}
			word += rest
			at = end
		}
		words = append(words, word)
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// unquote returns the meaning of a word from its first quote or backslash on, and the end of the word.
func unquote(line string, at int) (text string, end int, err error) {
	var word strings.Builder
	quote, opened := byte(0), 0
	for ; at < len(line) && (quote != 0 || !isBlank(line[at])); at++ {
		switch c := line[at]; {
		case quote == 0 && (c == '\'' || c == '"'):
			quote, opened = c, at
		case c == quote && quote != 0:
			quote = 0
		case c != '\\' || quote == '\'':
			word.WriteByte(c)
		case at+1 == len(line):
			return "", at, &layout.SyntaxError{Input: line, Offset: at, Msg: "nothing is after the backslash",
				Hint: "each line is a call of its own, and cannot go on in the next"}
		case quote == '"' && strings.IndexByte("\"\\$`", line[at+1]) < 0:
			word.WriteByte(c)
		default:
			at++
			word.WriteByte(line[at])
		}
	}
	if quote != 0 {
		return "", at, &layout.SyntaxError{Input: line, Offset: opened, Msg: "the quote is not closed",
			Hint: "a quote that is part of a word is written " + `\` + string(quote)}
	}
	return word.String(), at, nil
}
