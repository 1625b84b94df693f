package render

import (
	"slices"
	"strings"

	"layoutcalc/layout/lexer"
)

// example writes text to copy, such as a file that violates a rule. On a terminal, it breaks lines that are too wide,
// as allowed in JSON, YAML and the text format of protocol buffers, and marks the differences from beside. Otherwise it
// writes text unchanged.
func (p *Printer) example(text, beside string, mark func(string) string) {
	text = strings.TrimSuffix(text, "\n")
	if p.options.Piped || p.options.Format == Markdown {
		p.verbatim(text)
		return
	}
	own := differing(exampleTokens(text), exampleTokens(beside))
	for line := range strings.SplitSeq(text, "\n") {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		for _, l := range unfold(line[indent:], indent, p.options.Width) {
			var b strings.Builder
			var marked, blanks string // tokens to mark, and the whitespace after them
			for _, token := range exampleTokens(l) {
				switch {
				case strings.TrimSpace(token) == "":
					blanks += token
					continue
				case own[0]:
					if marked == "" {
						b.WriteString(blanks)
						blanks = ""
					}
					marked += blanks + token
				default:
					b.WriteString(mark(marked) + blanks + token)
					marked = ""
				}
				own, blanks = own[1:], ""
			}
			p.w.Line(b.String(), mark(marked))
		}
	}
}

// unfold breaks a line that is too wide with its indentation: first into its parts, then inside the brackets of a part.
// The indentation is at most half of the width.
func unfold(line string, indent, width int) []string {
	margin := strings.Repeat(" ", indent)
	if indent+Columns(line) <= width {
		return []string{margin + line}
	}
	var lines []string
	parts := partsOf(line)
	if len(parts) > 1 {
		for _, part := range parts {
			lines = append(lines, unfold(part, indent, width)...)
		}
		return lines
	}
	open, end := outerBrackets(line)
	if end <= open+1 {
		return []string{margin + line}
	}
	lines = append(lines, margin+line[:open+1])
	lines = append(lines, unfold(strings.TrimSpace(line[open+1:end]), min(indent+2, width/2), width)...)
	return append(lines, unfold(line[end:], indent, width)...)
}

// outerBrackets returns the offsets of the first bracket of a line and of its closing bracket, or 0 for both.
func outerBrackets(line string) (open, end int) {
	depth, at := 0, 0
	for _, token := range exampleTokens(line) {
		before := depth
		switch depth += depthOf(token); {
		case before == 0 && depth == 1:
			open = at
		case before == 1 && depth == 0:
			return open, at
		}
		at += len(token)
	}
	return 0, 0
}

// partsOf splits a line outside of brackets: after its commas if it has any, and otherwise before each name, which is a
// word before a colon or a bracket.
func partsOf(line string) (parts []string) {
	list := exampleTokens(line)
	depth, start, at, last := 0, 0, 0, 0 // last is the offset of the previous word
	hasCommas, isAfter := false, false   // isAfter: the previous word is a name
	cut := func(at int) {
		if part := strings.TrimSpace(line[start:at]); part != "" {
			parts = append(parts, part)
		}
		start = at
	}
	for _, token := range list {
		hasCommas = hasCommas || depth == 0 && token == ","
		depth += depthOf(token)
	}
	depth = 0
	for _, token := range list {
		before := depth
		depth += depthOf(token)
		switch {
		case strings.TrimSpace(token) == "":
		case hasCommas:
			if depth == 0 && token == "," {
				cut(at + 1)
			}
		case before > 0 || depthOf(token) < 0:
		case depth > 0:
			if !isAfter {
				cut(last)
			}
			isAfter = false
		case token == ":":
			cut(last)
			isAfter = true
		default:
			if last = at; isAfter {
				isAfter, last = false, at+len(token)
			}
		}
		at += len(token)
	}
	cut(len(line))
	return parts
}

// depthOf returns the change of bracket depth caused by a token.
func depthOf(token string) int {
	switch token {
	case "{", "[":
		return 1
	case "}", "]":
		return -1
	}
	return 0
}

// exampleTokens splits text into words, quoted strings, whitespace and single characters.
func exampleTokens(text string) (list []string) {
	for at := 0; at < len(text); {
		end := at + 1
		switch c := text[at]; {
		case c == '"':
			for end < len(text) && text[end] != '"' {
				if end++; text[end-1] == '\\' {
					end++
				}
			}
			end = min(end+1, len(text))
		case c == ' ' || c == '\n':
			for end < len(text) && (text[end] == ' ' || text[end] == '\n') {
				end++
			}
		case isExampleWord(c):
			for end < len(text) && isExampleWord(text[end]) {
				end++
			}
		}
		list = append(list, text[at:end])
		at = end
	}
	return list
}

// isExampleWord reports whether a character can be part of names, numbers and paths.
func isExampleWord(c byte) bool {
	return c >= 0x80 || lexer.IsWord(c) || strings.IndexByte("+-./", c) >= 0
}

// differing reports for each token of a, except whitespace, whether it is missing from the longest common subsequence
// of a and b.
func differing(a, b []string) []bool {
	isBlank := func(token string) bool { return strings.TrimSpace(token) == "" }
	a, b = slices.DeleteFunc(a, isBlank), slices.DeleteFunc(b, isBlank)
	common := make([][]int, len(a)+1) // the lengths of the longest for a[i:] and b[j:]
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	own := make([]bool, len(a))
	for i, j := 0, 0; i < len(a); {
		switch {
		case j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j < len(b) && common[i][j+1] >= common[i+1][j]:
			j++
		default:
			own[i] = true
			i++
		}
	}
	return own
}
