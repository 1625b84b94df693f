package suggest

import (
	"slices"
	"strings"

	"layoutcalc/layout/input"
	"layoutcalc/layout/scan"
)

// otherCommands has other words for commands.
var otherCommands = [...]struct{ name, words string }{
	{"strides", "stride layout describe show is_contiguous contiguous"},
	{"offset", "offsets index at table locate where"},
	{"size", "sizes bytes span numel memory"},
	{"convert", "relayout reorder transform"},
	{"view", "views slice chain"},
	{"compare", "diff equal same cmp"},
	{"check", "validate verify lint test"},
	{"explain", "list notations types dtypes"},
	{"completion", "complete"},
	{"man", "manual manpage docs"},
}

// CommandFor returns the command for another word or a misspelt one, empty for none.
func CommandFor(name string, commands []string) string {
	if other := OtherCommand(name); other != "" {
		return other
	}
	return scan.Likely(name, commands)
}

// OtherCommand returns the command for which a word is another word, empty for none.
func OtherCommand(word string) string {
	for _, other := range otherCommands {
		if slices.Contains(strings.Fields(other.words), strings.ToLower(word)) {
			return other.name
		}
	}
	return ""
}

// command suggests a command in place of an unknown one.
func (c *Call) command(words []string) []Suggestion {
	if meant := c.operation(words[0]); meant != nil && OtherCommand(words[0]) == "" {
		return meant
	}
	if meant := CommandFor(words[0], c.Commands); meant != "" {
		return c.instead(words, meant)
	}
	return nil
}

// either suggests the line with each of the commands before it.
func (c *Call) either(commands []string) (list []Suggestion) {
	var typed [][]string
	for _, name := range commands {
		typed = append(typed, append([]string{name}, c.Args...))
	}
	return each(typed...)
}

// shapeFlags are words for a flag with the shape.
const shapeFlags = "sizes shape size dims dimensions"

// otherFlags has other words for flags, with the arguments to suggest: NAME is the word, % the value. Without arguments
// the value is the shape.
var otherFlags = [...]struct{ words, meant string }{
	{"table plain json csv markdown", "-o NAME"},
	{"index indices idx coords", "%"},
	{"format fmt output-format out-format", "-o %"},
	{shapeFlags, ""},
	{"data-type datatype element-type elem-type", "-t %"},
	{"alignment", "--align %"},
	{"padding", "--pad %"},
	{"row-pitch rowpitch row-stride", "--pitch %"},
	{"lda ldb ldc leading-dimension", "--ld %"},
	{"at-byte at-bytes byte byte-offset", "--at %B"},
	{"error-on fail-level", "--fail-on %"},
	{"strict werror", "--fail-on warning"},
	{"sarif junit github gitlab checkstyle rdjsonl jsonl", "--report NAME=%"},
	{"dst destination output-file outfile", "--out %"},
	{"src source input-file infile", "--in %"},
}

// flag suggests a flag or an argument in place of an unknown flag.
func (c *Call) flag(words []string) []Suggestion {
	name := words[0]
	at := slices.IndexFunc(c.Args, func(arg string) bool {
		flag, _, _ := strings.Cut(arg, "=")
		return flag == "--"+name
	})
	other := slices.IndexFunc(otherFlags[:], func(o struct{ words, meant string }) bool {
		return slices.Contains(strings.Fields(o.words), name)
	})
	if at < 0 || other < 0 {
		return nil
	}
	meant := strings.Fields(strings.ReplaceAll(otherFlags[other].meant, "NAME", name))
	known, isLong := strings.CutPrefix(append(meant, "")[0], "--")
	typed := c.Args[at : at+1]
	switch {
	case isLong && !c.HasFlag(known):
		return nil
	case len(meant) > 0 && !strings.Contains(meant[len(meant)-1], "%"):
		return c.instead(typed, meant...)
	}
	_, value, isJoined := strings.Cut(typed[0], "=")
	if !isJoined && at+1 < len(c.Args) {
		value, typed = c.Args[at+1], c.Args[at:at+2]
	}
	switch {
	case (value == "" || strings.HasPrefix(value, "-")) && known == "report":
		return c.instead(typed[:1], "-o", name)
	case value == "" || strings.HasPrefix(value, "-"):
		return nil
	case len(meant) == 0:
		if rest := c.without("--" + name); len(rest) > 0 && slices.Contains(c.Commands, rest[0]) {
			return lines(slices.Insert(slices.Clone(rest), 1, value))
		}
		return nil
	}
	for i := range meant {
		meant[i] = strings.Replace(meant[i], "%", value, 1)
	}
	return c.instead(typed, meant...)
}

// value suggests another value, another flag or an argument in place of a wrong value.
func (c *Call) value(words []string) []Suggestion {
	flag, name, value := words[0], words[1], words[2]
	typed := []string{flag, value}
	if joined := flag + "=" + value; slices.Contains(c.Args, joined) {
		typed = []string{joined}
	}
	isPath := name == "output" && strings.ContainsAny(value, "./")
	switch {
	case name == "range" && !strings.Contains(value, ":"):
		return c.bounds(typed, value)
	case name == "color" && (slices.Contains(c.Commands, value) || isShape(value) || strings.HasPrefix(value, "-")):
		return c.instead(typed[:1], "--color", "always")
	case name == "from" && input.IsLayout(value) && isLayoutName(value):
		return c.instead(typed, value)
	case name == "output" && strings.EqualFold(value, "yaml"):
		return c.instead(typed, "-o", "json") // JSON is YAML too
	case isPath && c.Command != "convert":
		return []Suggestion{{Text: "-o is the form of the answer; > " + Quote(value) + " is where it goes"}}
	case isPath && len(c.without("--in")) < len(c.Args):
		return c.instead(typed, "--out", value)
	case isPath:
		return []Suggestion{{Text: "--in FILE --out " + Quote(value) + " moves the data of a file"}}
	}
	return nil
}

// bounds suggests --range for two numbers with another mark than a colon between them.
func (c *Call) bounds(typed []string, value string) []Suggestion {
	from, to, _ := strings.Cut(strings.NewReplacer("..", "-", ":", "-").Replace(value), "-")
	_, noFrom := scan.ParseNumber(from)
	_, noTo := scan.ParseNumber(to)
	if noFrom != nil || noTo != nil {
		return nil
	}
	return c.instead(typed, "--range", from+":"+to)
}
