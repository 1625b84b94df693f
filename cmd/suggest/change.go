package suggest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
)

// changed suggests the change in the error itself: a flag to omit or to add, or a known word.
func (c *Call) changed(wrong *lexer.SyntaxError) []Suggestion {
	change := wrong.Change
	switch {
	case change.Word != "":
		return c.respelt(wrong)
	case change.LeaveOut != "":
		if rest := c.without(change.LeaveOut); len(rest) < len(c.Args) {
			return lines(rest)
		}
	case change.Flag != "":
		value := change.Value
		if sizes := c.dims(); change.Flag == "--dim" { // for other names
			for _, name := range slices.Backward(slices.Sorted(maps.Keys(sizes))) {
				value = fmt.Sprintf("%s=%d,%s", name, sizes[name], value)
			}
		}
		return lines(append(c.without(change.Flag), change.Flag, value))
	}
	return nil
}

// respelt suggests to replace the typed word by the known word in an error.
func (c *Call) respelt(wrong *lexer.SyntaxError) []Suggestion {
	text, at, change := wrong.Input, wrong.Offset-wrong.Change.Before, wrong.Change
	if text == "" {
		text, at = change.Typed, 0
	}
	if at < 0 || at > len(text) || !strings.HasPrefix(text[at:], change.Typed) {
		return nil
	}
	meant := text[:at] + change.Word + text[at+len(change.Typed):]
	for _, arg := range c.Args {
		flag, isValue := strings.CutSuffix(arg, "="+text)
		value, isFlag := strings.CutPrefix(arg, text+"=")
		switch {
		case arg == text:
		case isValue:
			meant = flag + "=" + meant
		case isFlag && wrong.Input == "":
			meant += "=" + value
		default:
			continue
		}
		return c.instead([]string{arg}, meant)
	}
	return nil
}

// twoLayouts suggests convert or compare for two layouts with an arrow or a word between them, because these commands
// take two layouts as arguments after the shape. It returns nil for other arguments.
func (c *Call) twoLayouts() []Suggestion {
	for i, pair := range c.Args {
		n := 1
		for _, between := range [...]string{"->", "=>", "→", "to", "into", "and", "vs"} {
			if strings.EqualFold(pair, between) && 0 < i && i+1 < len(c.Args) {
				i, n, pair = i-1, 3, c.Args[i-1]+" "+between+" "+c.Args[i+1]
			}
			if lexer.IsLetter(between[0]) {
				between = " " + between + " "
			}
			from, to, isPair := strings.Cut(pair, between)
			from, to = strings.TrimSpace(from), strings.TrimSpace(to)
			if isPair && isLayoutName(from) && isLayoutName(to) {
				return c.pair(i, n, from, to)
			}
		}
	}
	return nil
}

// apart suggests the name of a layout for two arguments that are its words, row major, and a flag for an argument with
// its name, layout=NHWC.
func (c *Call) apart() (list []Suggestion) {
	for i, arg := range c.Args {
		for name := range shape.LayoutNames {
			words := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' })
			typed := c.Args[i:min(i+len(words), len(c.Args))]
			if len(words) > 1 && slices.EqualFunc(typed, words, strings.EqualFold) {
				list = append(list, c.instead(typed, name)...)
			}
		}
		if name, value, ok := strings.Cut(arg, "="); ok && c.HasFlag(name) && !c.isValue(i) {
			list = append(list, c.instead(c.Args[i:i+1], "--"+name, value)...)
		}
	}
	return list
}

// isValue reports whether an argument may be the value of a flag before it.
func (c *Call) isValue(i int) bool {
	return i > 0 && c.Args[i-1] != "--" && strings.HasPrefix(c.Args[i-1], "--")
}

// pair suggests two layouts instead of the n arguments starting at index i.
func (c *Call) pair(i, n int, from, to string) (list []Suggestion) {
	line := slices.Concat(c.Args[:i], []string{from, to}, c.Args[i+n:])
	if after := line[i+2:]; i > 0 && line[i-1] == c.Command && len(after) > 0 && isShape(after[0]) {
		line[i], line[i+1], line[i+2] = after[0], from, to
	}
	takesTwo := c.Command == "convert" || c.Command == "compare"
	if at := slices.Index(line, c.Command); at >= 0 && !takesTwo {
		line[at] = "convert"
	}
	if takesTwo || !c.InBatch {
		list = lines(line)
	}
	return append(list, Suggestion{Text: "convert and compare take two layouts: SHAPE " + from + " " + to})
}

func isLayoutName(text string) bool {
	_, err := shape.ParseName(text)
	return err == nil
}

func isShape(text string) bool {
	_, err := shape.ParseShape(text)
	return err == nil
}
