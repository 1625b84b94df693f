package cmd

import (
	"cmp"
	"slices"
	"strings"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout"
)

// splitLine appends the words of a line, split as by a shell: at spaces, unless they are quoted or after a backslash,
// and up to a word that starts with #. Nothing else has a special meaning.
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

// unquote returns the meaning of a word starting at its first quote or backslash, and the end of the word.
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
			return "", at, &layout.SyntaxError{Input: line, Offset: at, Msg: "the line ends with a backslash",
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

// isOperator reports whether a word joins commands, or a command and a file, in a shell.
func isOperator(word string) bool { return slices.Contains([]string{"|", ">", "<", "&&", ";"}, word) }

// unquoted returns arguments from cmd.exe as a POSIX shell would have passed them. It removes a pair of single quotes
// around an argument, or around the value of a flag after =, even if spaces inside of the quotes have split it into
// several arguments.
func unquoted(args []string) []string {
	isQuoted := func(arg string) bool { return strings.Contains(arg, "'") }
	words := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		text, end, start := args[i], i, 0
		if strings.HasPrefix(text, "--") {
			start = strings.IndexByte(text, '=') + 1
		}
		if !strings.HasPrefix(text[start:], "'") {
			words = append(words, text)
			continue
		}
		if more := slices.IndexFunc(args[i+1:], isQuoted); more >= 0 && !isQuoted(text[start+1:]) {
			end += more + 1
			text = strings.Join(args[i:end+1], " ")
		}
		inner, isClosed := strings.CutSuffix(text[start+1:], "'")
		if text = text[:start] + inner; !isClosed || isQuoted(inner) {
			text, end = args[i], i
		}
		words, i = append(words, text), end
	}
	return words
}

// examples lists arguments for people, quoted for the shell.
func (a *app) examples(between string, args ...string) string {
	for i := range args {
		args[i], _ = a.shell().Quote(args[i])
	}
	return strings.Join(args, between)
}

// requoted returns text with its command line quoted for the shell, if that is not a POSIX shell.
func (a *app) requoted(text string) string {
	before, line, ok := cutCommand(text)
	words, err := splitLine(nil, line)
	if a.shell() == suggest.POSIX || !ok || err != nil || slices.ContainsFunc(words, isOperator) {
		return text
	}
	return before + cmp.Or(a.commandLine(words[1:]), line)
}

// requotedExamples is requoted for each example in a help.
func (a *app) requotedExamples(help string) string {
	if a.shell() == suggest.POSIX {
		return help
	}
	lines := strings.Split(help, "\n")
	for i, line := range lines {
		if example, ok := strings.CutPrefix(line, "  $ "); ok {
			lines[i] = "  $ " + a.requoted(example)
		}
	}
	return strings.Join(lines, "\n")
}
