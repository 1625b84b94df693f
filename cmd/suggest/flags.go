package suggest

import (
	"path"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/input"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/wording"
)

// CommandFor returns the command for a misspelt word or a word of another program, or an empty string if no command
// matches.
func CommandFor(name string, commands []string) string {
	if command, ok := Verb(name); ok {
		return command
	}
	return wording.Likely(name, commands)
}

// command suggests a command instead of an unknown one.
func (c *Call) command(words []string) []Suggestion {
	if line := c.verb(words[0]); line != nil {
		return line
	}
	if line := c.operation(words[0]); line != nil {
		return line
	}
	if meant := operationOf(Bare(words[0])); meant != nil {
		return sure(c.replaced(words, meant...))
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

// An otherFlag is other words for a flag, with the arguments to suggest: NAME is the word, % the value, "%." the value
// without the ending of a file name and with a dot. Without arguments, the value is the shape.
type otherFlag struct {
	words, meant string
	takes        func(value string) bool // accepts a value; nil for any
	writes       bool                    // the arguments name an output file, and are not run at once
}

var otherFlags = [...]otherFlag{
	{words: "table plain json jsonl csv markdown", meant: "-o NAME"},
	{words: "yaml yml", meant: "-o json"},
	{words: "md", meant: "-o markdown"},
	{words: "memory-format memory_format", meant: "--layout %"},
	{words: "format fmt", meant: "--layout %", takes: isUsualLayout},
	{words: "data-format data_format", meant: "--layout %"},
	{words: "format fmt output-format out-format", meant: "-o %"},
	{words: "to into", meant: "--as %", takes: isNotation},
	{words: "dml directml", meant: "--as directml"},
	{words: "torch pytorch numpy onednn xla cute", meant: "--as NAME"},
	{words: "index indices idx coords coord coordinate coordinates position", meant: "--at %", takes: isNumber},
	{words: "index indices idx coords coord coordinate coordinates position", meant: "%"},
	{words: "image picture plot draw", meant: "--svg %.svg", writes: true},
	{words: "bytes", meant: "--get bytes"},
	{words: "permute perm", meant: "--view permute(%)"},
	{words: "reshape transpose", meant: "--view NAME(%)"},
	{words: "offset", meant: "--at %"},
	{words: "offset base base-offset", meant: "--storage-offset %"},
	{words: shapeFlags},
	{words: "data-type datatype element-type elem-type", meant: "-t %"},
	{words: "alignment", meant: "--align %"},
	{words: "padding", meant: "--pad %"},
	{words: "row-pitch rowpitch row-stride", meant: "--pitch %"},
	{words: "lda ldb ldc leading-dimension", meant: "--ld %"},
	{words: "at-byte at-bytes byte byte-offset", meant: "--at %B"},
	{words: "error-on fail-level", meant: "--fail-on %"},
	{words: "strict werror", meant: "--fail-on warning"},
	{words: "sarif junit github gitlab jsonl", meant: "--report NAME=%", writes: true},
	{words: "dst destination output-file outfile", meant: "--out %", writes: true},
	{words: "src source input-file infile", meant: "--in %", writes: true},
}

// tolerances are flags of other programs that set which values count as equal.
const tolerances = "rtol atol tol tolerance eps epsilon delta ulp equal-nan equal_nan"

// isUsualLayout reports whether name is the name of a common layout.
func isUsualLayout(name string) bool {
	n, err := shape.ParseName(name)
	return err == nil && n.IsUsual()
}

// isNotation reports whether name is the name of a notation.
func isNotation(name string) bool {
	_, err := notation.Find(name)
	return err == nil
}

// flag suggests a flag or an argument instead of an unknown flag. A suggestion that means the same may be run at once.
func (c *Call) flag(words []string) []Suggestion {
	name := words[0]
	at := slices.IndexFunc(c.Args, func(arg string) bool {
		flag, _, _ := strings.Cut(arg, "=")
		return flag == "--"+name
	})
	if at < 0 {
		return nil
	}
	typed := c.Args[at : at+1]
	_, value, isJoined := strings.Cut(typed[0], "=")
	if next := c.Args[at+1:]; !isJoined && len(next) > 0 && (!strings.HasPrefix(next[0], "-") || isNumber(next[0])) {
		value, typed = next[0], c.Args[at:at+2]
	}
	if slices.Contains(strings.Fields(tolerances), name) && c.Command == "compare" {
		return []Suggestion{{Text: "remove --" + name + ": elements are compared bit by bit, without a tolerance"}}
	}
	if shape.FindFormat(value) != nil { // an image format, as in --pix_fmt nv12
		return sure(c.replaced(typed, value))
	}
	f := c.otherFlag(name, value)
	if f == nil {
		return nil
	}
	list := c.inWords(f, typed, name, value)
	for i := range list {
		list[i].Sure = !f.writes
	}
	return list
}

// inWords suggests the arguments of another flag instead of the typed flag and its value, if it has one.
func (c *Call) inWords(f *otherFlag, typed []string, name, value string) []Suggestion {
	isCommand := len(c.Args) > 0 && slices.Contains(c.Commands, c.Args[0])
	switch {
	case f.meant != "" && !strings.Contains(f.meant, "%"):
		return c.instead(typed[:1], strings.Fields(f.meant)...)
	case value == "" && f.meant == "--report "+name+"=%":
		return c.instead(typed, "-o", name)
	case value == "":
		return nil
	case f.meant == "" && isCommand:
		return lines(slices.Insert(c.without("--"+name), 1, value))
	case f.meant == "":
		return nil
	case f.meant == "%" && isCommand && c.Args[0] != "offset":
		return lines(append(append([]string{"offset"}, c.without("--" + name)[1:]...), value))
	}
	form := strings.TrimPrefix(path.Ext(value), ".")
	if strings.HasPrefix(f.meant, "--svg") && c.HasFlag(form) {
		return c.instead(typed, "--"+form, value)
	}
	meant := strings.Fields(f.meant)
	stem := strings.TrimSuffix(value, path.Ext(value))
	for i := range meant {
		meant[i] = strings.Replace(strings.Replace(meant[i], "%.", stem+".", 1), "%", value, 1)
	}
	return c.instead(typed, meant...)
}

// otherFlag returns the flag that a name and a value stand for, or nil if no flag matches. A type and a layout may also
// be the name of a flag.
func (c *Call) otherFlag(name, value string) *otherFlag {
	for _, f := range otherFlags {
		if !slices.Contains(strings.Fields(f.words), name) || f.takes != nil && !f.takes(value) {
			continue
		}
		f.meant = strings.ReplaceAll(f.meant, "NAME", name)
		known, isLong := strings.CutPrefix(f.meant, "--")
		if known, _, _ = strings.Cut(known, " "); !isLong || c.HasFlag(known) {
			return &f
		}
	}
	if layout.IsDType(name) {
		return &otherFlag{meant: "-t " + name}
	}
	if c.HasFlag("layout") {
		for known := range shape.LayoutNames {
			if strings.EqualFold(known, name) {
				return &otherFlag{meant: "--layout " + name}
			}
		}
	}
	return nil
}

// letter suggests a flag, or another word for one, that may start with an unknown flag of one letter.
func (c *Call) letter(words []string) (list []Suggestion) {
	var names []string
	for _, other := range otherFlags { // only the first word of each, because all have the same meaning
		for name := range strings.FieldsSeq(other.words) {
			if strings.HasPrefix(name, words[0][1:]) {
				names = append(names, name)
				break
			}
		}
	}
	for _, name := range append(names, words[1:]...) {
		if strings.HasPrefix(name, words[0][1:]) {
			list = append(list, c.instead(words[:1], "--"+name)...)
		}
	}
	return list
}

// otherCommand suggests commands that have a flag which this command does not have. It neither replaces check nor
// suggests it next to others, because no other command gives the same answers.
func (c *Call) otherCommand(commands []string) (list []Suggestion) {
	for _, name := range commands {
		if c.Command == "check" || name == "check" && len(commands) > 1 {
			break
		}
		list = append(list, c.instead([]string{c.Command}, name)...)
	}
	return list
}

// operand suggests the matrix descriptor of the tile that lanes should read, or of the tile with a swizzle.
func (c *Call) operand(words []string) (list []Suggestion) {
	tile := &Call{Args: c.replaced([]string{c.Command}, "strides")}
	tile.Args = append(tile.without("--lanes"), "--as", words[0])
	list = lines(tile.Args)
	tile.Args = tile.without("--swizzle")
	for _, swizzle := range [...]string{"128B", "64B", "32B"} {
		list = append(list, Suggestion{Args: append(slices.Clip(tile.Args), "--swizzle", swizzle)})
	}
	return list
}

// value suggests another value, another flag or an argument instead of a wrong value.
func (c *Call) value(words []string) []Suggestion {
	flag, name, value := words[0], words[1], words[2]
	typed := []string{flag, value}
	if joined := flag + "=" + value; slices.Contains(c.Args, joined) {
		typed = []string{joined}
	}
	switch name {
	case "range":
		if !strings.Contains(value, ":") {
			return c.bounds(typed, value)
		}
	case "color":
		if slices.Contains(c.Commands, value) || isShape(value) || strings.HasPrefix(value, "-") {
			return c.instead(typed[:1], "--color", "always")
		}
	case "dtype":
		if shape.FindFormat(value) != nil {
			line := c.without("-t")
			return lines(slices.Insert(line, slices.IndexFunc(line, isShape)+1, value))
		}
	case "from":
		if input.IsLayout(value) && isLayoutName(value) {
			return c.instead(typed, value)
		}
	case "output":
		return c.form(typed, value)
	case "svg", "png", "html":
		return c.instead(typed, flag, "picture."+name, value)
	}
	return nil
}

// form suggests the meaning of a wrong value of -o: a language, or the name of a file.
func (c *Call) form(typed []string, value string) []Suggestion {
	switch isPath := strings.ContainsAny(value, "./"); {
	case strings.EqualFold(value, "yaml"):
		return c.instead(typed, "-o", "json") // JSON is also YAML
	case strings.EqualFold(value, "python"):
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

// bounds suggests --range for two numbers that are not separated by a colon.
func (c *Call) bounds(typed []string, value string) []Suggestion {
	from, to, _ := strings.Cut(strings.NewReplacer("..", "-", ":", "-").Replace(value), "-")
	_, noFrom := lexer.ParseNumber(from)
	_, noTo := lexer.ParseNumber(to)
	if noFrom != nil || noTo != nil {
		return nil
	}
	return c.instead(typed, "--range", from+":"+to)
}
