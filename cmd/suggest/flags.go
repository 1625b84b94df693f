package suggest

import (
	"path"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/algebra"
	"layoutcalc/layout/input"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/shape"
)

// otherCommands has other words for commands, perhaps with a flag.
var otherCommands = [...]struct{ line, words string }{
	{"strides", "stride layout describe show info print display is_contiguous contiguous"},
	{"strides --svg tensor.svg", "draw svg plot picture image png"},
	{"strides --html tensor.html", "html page"},
	{"offset", "offsets index at table locate where map"},
	{"size", "sizes bytes span numel memory"},
	{"convert", "relayout reorder transform"},
	{"view", "views slice chain"},
	{"compare", "diff equal same cmp"},
	{"owner", "owners holder holders who lane thread"},
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

// OtherCommand returns the command for which a word is another word, with its flags; empty for none.
func OtherCommand(word string) string {
	for _, other := range otherCommands {
		if slices.Contains(strings.Fields(other.words), strings.ToLower(word)) {
			return other.line
		}
	}
	return ""
}

// command suggests a command in place of an unknown one.
func (c *Call) command(words []string) []Suggestion {
	if meant := c.operation(words[0]); meant != nil && OtherCommand(words[0]) == "" {
		return meant
	}
	if meant := operationOf(words[0]); meant != nil {
		return c.instead(words, meant...)
	}
	meant := strings.Fields(CommandFor(words[0], c.Commands))
	if len(meant) == 0 {
		return nil
	}
	return lines(append(c.replaced(words, meant[0]), meant[1:]...))
}

// operationOf returns the command for a word that is an operation on layouts, here or in CuTe; nil for another word.
func operationOf(word string) []string {
	if o, err := algebra.FindOperation(word); err == nil {
		return []string{"algebra", o.Name}
	}
	if meant, ok := algebra.CuTe(word); ok {
		return append([]string{"algebra"}, meant.Words()...)
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

// otherFlags has other words for flags, with the arguments to suggest: NAME is the word, % the value, "%." the value
// without the end of a file's name and with a dot. Without arguments the value is the shape.
var otherFlags = [...]struct{ words, meant string }{
	{"table plain json csv markdown", "-o NAME"},
	{"yaml yml", "-o json"},
	{"md", "-o markdown"},
	{"index indices idx coords coord coordinate coordinates position", "%"},
	{"format fmt output-format out-format", "-o %"},
	{"image picture plot draw", "--svg %.svg"},
	{"bytes", "--get bytes"},
	{"permute perm", "--view permute(%)"},
	{"reshape transpose", "--view NAME(%)"},
	{"offset", "--at %"},
	{"offset base base-offset", "--storage-offset %"},
	{shapeFlags, ""},
	{"data-type datatype element-type elem-type", "-t %"},
	{"alignment", "--align %"},
	{"padding", "--pad %"},
	{"row-pitch rowpitch row-stride", "--pitch %"},
	{"lda ldb ldc leading-dimension", "--ld %"},
	{"at-byte at-bytes byte byte-offset", "--at %B"},
	{"error-on fail-level", "--fail-on %"},
	{"strict werror", "--fail-on warning"},
	{"sarif junit github gitlab jsonl", "--report NAME=%"},
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
	meant, known, ok := c.otherFlag(name)
	if at < 0 {
		return nil
	}
	word := c.Args[at : at+1]
	_, value, isJoined := strings.Cut(word[0], "=")
	typed := word
	if !isJoined && at+1 < len(c.Args) {
		value, typed = c.Args[at+1], c.Args[at:at+2]
	}
	switch {
	case shape.FindFormat(value) != nil: // of images, as in --pix_fmt nv12
		return c.instead(typed, value)
	case !ok:
		return nil
	case len(meant) > 0 && !strings.Contains(meant[len(meant)-1], "%"):
		return c.instead(word, meant...)
	case (value == "" || strings.HasPrefix(value, "-")) && known == "report":
		return c.instead(word, "-o", name)
	case value == "" || strings.HasPrefix(value, "-"):
		return nil
	case len(meant) == 0:
		if rest := c.without("--" + name); len(rest) > 0 && slices.Contains(c.Commands, rest[0]) {
			return lines(slices.Insert(slices.Clone(rest), 1, value))
		}
		return nil
	case known == "%" && len(c.Args) > 0 && slices.Contains(c.Commands, c.Args[0]) && c.Args[0] != "offset":
		return lines(append(append([]string{"offset"}, c.without("--" + name)[1:]...), value))
	}
	form := strings.TrimPrefix(path.Ext(value), ".")
	stem := strings.TrimSuffix(value, path.Ext(value))
	if known == "svg" && c.HasFlag(form) {
		return c.instead(typed, "--"+form, value)
	}
	for i := range meant {
		meant[i] = strings.Replace(strings.Replace(meant[i], "%.", stem+".", 1), "%", value, 1)
	}
	return c.instead(typed, meant...)
}

// otherFlag returns the arguments to suggest for a flag of another name, and the name of the flag in them. A type and
// a layout may be the name of a flag too.
func (c *Call) otherFlag(name string) (meant []string, known string, ok bool) {
	for _, other := range otherFlags {
		isLong := false
		if slices.Contains(strings.Fields(other.words), name) {
			meant = strings.Fields(strings.ReplaceAll(other.meant, "NAME", name))
			known, isLong = strings.CutPrefix(append(meant, "")[0], "--")
			if !isLong || c.HasFlag(known) {
				return meant, known, true
			}
		}
	}
	switch {
	case layout.IsDType(name):
		return []string{"-t", name}, "dtype", true
	case c.HasFlag("layout"):
		for known := range shape.LayoutNames {
			if strings.EqualFold(known, name) {
				return []string{"--layout", name}, "layout", true
			}
		}
	}
	return nil, "", false
}

// letter suggests a flag, or another word for one, in place of an unknown flag of one letter, with which it may start.
func (c *Call) letter(words []string) (list []Suggestion) {
	var names []string
	for _, other := range otherFlags {
		names = append(names, strings.Fields(other.words)...)
	}
	for _, name := range append(names, words[1:]...) {
		if strings.HasPrefix(name, words[0][1:]) {
			list = append(list, c.instead(words[:1], "--"+name)...)
		}
	}
	return list
}

// otherCommand suggests commands that have the flag which this one does not have. What check says, no other does.
func (c *Call) otherCommand(commands []string) (list []Suggestion) {
	for _, name := range commands {
		if c.Command == "check" || name == "check" && len(commands) > 1 {
			break
		}
		list = append(list, c.instead([]string{c.Command}, name)...)
	}
	return list
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
	case name == "dtype" && shape.FindFormat(value) != nil:
		line := c.without("-t")
		return lines(slices.Insert(line, slices.IndexFunc(line, isShape)+1, value))
	case name == "from" && input.IsLayout(value) && isLayoutName(value):
		return c.instead(typed, value)
	case name == "output" && strings.EqualFold(value, "yaml"):
		return c.instead(typed, "-o", "json") // JSON is YAML too
	case name == "output" && strings.EqualFold(value, "python"):
		return each(c.replaced(typed, "--as", "torch"), c.replaced(typed, "--as", "numpy"))
	case isPath && c.Command != "convert":
		return []Suggestion{{Text: "-o is the form of the answer; > " + c.quote(value) + " is where it goes"}}
	case isPath:
		return c.moved(typed, value)
	}
	return nil
}

// moved suggests --in and --out for files in the arguments of convert. Raw data needs a shape.
func (c *Call) moved(typed []string, out string) []Suggestion {
	line := c.replaced(typed, "--out", out)
	at := slices.IndexFunc(line, func(arg string) bool { return strings.ContainsAny(arg, "./") && arg != out })
	switch {
	case slices.Contains(line, "--in"):
		return lines(line)
	case at < 0:
		return []Suggestion{{Text: "--in FILE --out " + c.quote(out) + " moves the data of a file"}}
	}
	in := line[at]
	if input.NamingOf(in).Is(input.HeaderName) || slices.ContainsFunc(line, isShape) {
		return lines(slices.Replace(line, at, at+1, "--in", in))
	}
	rest := strings.Join(slices.Replace(line, at, at+1, "SHAPE")[1:], " ")
	const such = " moves the data: SHAPE is such as 1x3x224x224"
	return []Suggestion{{Text: "convert " + rest + " --in " + c.quote(in) + such}}
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
