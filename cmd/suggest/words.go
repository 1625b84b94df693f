package suggest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/view"
)

// shape suggests arguments that start with a shape instead of others.
func (c *Call) shape(args []string) []Suggestion {
	if n, sizes := spacedShape(args); n > 0 {
		return c.instead(args[:n], sizes)
	}
	if words := strings.Fields(args[0]); len(words) == 2 || len(words) == 3 {
		return c.instead(args[:1], words...)
	}
	if words := parts(args[0]); len(words) > 1 && len(words) < 4 {
		if meant := parted(words); meant != nil {
			return c.instead(args[:1], meant...)
		}
		return nil
	}
	if at := strings.LastIndexByte(args[0], 'x'); at > 0 && layout.IsType(args[0][at+1:]) && isShape(args[0][:at]) {
		return c.instead(args[:1], args[0][:at], "-t", args[0][at+1:])
	}
	return nil
}

// spacedShape joins sizes with spaces or other marks between them, 1 3 or 1_3, to a shape. It also returns the number
// of their arguments.
func spacedShape(args []string) (n int, joined string) {
	var sizes []string
	isMixed := strings.ContainsRune(args[0], ',') && strings.Trim(args[0], "0123456789x,") == ""
	if isMixed && !strings.Contains(args[0], ",0") { // of two kinds, 1x3,4, but not thousands
		return 1, strings.ReplaceAll(args[0], ",", "x")
	}
	for ; n < len(args) && strings.Trim(args[n], "0123456789_;/|. ") == ""; n++ {
		sizes = append(sizes, strings.FieldsFunc(args[n], func(c rune) bool { return c < '0' || c > '9' })...)
	}
	if len(sizes) < 2 {
		return 0, ""
	}
	return n, strings.Join(sizes, "x")
}

// parts splits an argument at marks that may separate sizes, a layout and a type, or at its last comma.
func parts(arg string) []string {
	words := strings.FieldsFunc(arg, func(c rune) bool { return strings.ContainsRune(":/;|@", c) })
	if at := strings.LastIndexByte(arg, ','); len(words) == 1 && at > 0 {
		words = []string{arg[:at], arg[at+1:]}
	}
	return words
}

// parted turns the parts of an argument into arguments: a shape, a layout, a type. It returns nil for other parts.
func parted(parts []string) []string {
	var sizes, rest []string
	for _, part := range parts {
		part = strings.TrimSpace(part)
		switch {
		case isShape(part) && sizes == nil:
			sizes = append(sizes, part)
		case layout.IsType(part) && (!isLayoutName(part) || len(part) > 3):
			rest = append(rest, "-t", part)
		case isLayoutName(part), shape.FindFormat(part) != nil:
			rest = append(rest, part)
		default:
			return nil
		}
	}
	return append(sizes, rest...)
}

// unread suggests the sizes, the layout and the type in an unread input as arguments.
func (c *Call) unread(args []string) []Suggestion {
	if _, meant := notation.Unread(strings.Join(args, " ")); meant != nil {
		return c.instead(args, meant...)
	}
	return nil
}

// index suggests commas between the numbers of an index, [0][1], or --at before an offset.
func (c *Call) index(words []string) []Suggestion {
	if n, sizes := spacedShape([]string{strings.NewReplacer("[", " ", "]", " ", "x", " ").Replace(words[0])}); n > 0 {
		return c.instead(words, strings.ReplaceAll(sizes, "x", ","))
	}
	if _, err := lexer.ParseOffset(words[0]); err != nil {
		return nil
	}
	return c.instead(words, "--at", words[0])
}

// negative suggests brackets around an argument that starts with a minus sign. In view, where brackets are slices, it
// suggests a step with the argument and the numbers next to it: transpose -1 -2.
func (c *Call) negative(words []string) []Suggestion {
	if c.Command != "view" {
		return sure(c.replaced(words, "["+words[0]+"]"))
	}
	at := slices.Index(c.Args, words[0])
	end := at + 1
	for end < len(c.Args) && isNumber(c.Args[end]) {
		end++
	}
	for i := at - 1; i > 0; i-- {
		if step := c.Args[i] + "(" + strings.Join(c.Args[i+1:end], ",") + ")"; view.AreSteps(step) {
			return sure(slices.Concat(c.Args[:i], []string{step}, c.Args[end:]))
		}
	}
	return nil
}

// order suggests a permutation and strides instead of a list that may be either.
func (c *Call) order(words []string) []Suggestion {
	strides := c.replaced(words[:1], "--strides", words[0])
	steps := c.replaced(words[:1], "permute("+words[1]+")")
	if at := slices.Index(steps, c.Command); at >= 0 {
		steps[at] = "view"
	}
	if strides == nil || steps == nil {
		return nil
	}
	return each(steps, strides)
}

// operation suggests view for the name of a step that was used as a command: permute 2x3x4 0,2,1. The arguments up to
// the next step or flag belong to the step.
func (c *Call) operation(name string) []Suggestion {
	at := slices.Index(c.Args, name)
	if name = Bare(name); at < 0 || at+1 >= len(c.Args) || !view.IsStep(name) {
		return nil
	}
	shape, steps := c.Args[at+1], c.Args[at+2:]
	if len(steps) > 0 && view.AreSteps(steps[0]) {
		return sure(slices.Concat(c.Args[:at], []string{"view", shape}, steps))
	}
	n := 0
	for n < len(steps) && !isFlag(steps[n]) && !view.AreSteps(steps[n]) {
		n++
	}
	step := name
	if n > 0 || isLayoutName(name) { // without brackets it would be a layout
		step += "(" + commas(strings.Join(steps[:n], ",")) + ")"
	}
	if !view.AreSteps(step) {
		return nil
	}
	return sure(slices.Concat(c.Args[:at], []string{"view", shape, step}, steps[n:]))
}

// StepOf returns a step for numbers: permute for an order of the axes, and otherwise reshape. It returns an empty
// string for other strings.
func StepOf(numbers string) string {
	list, err := shape.ParseShape(numbers)
	if err != nil || list.Labels() != nil {
		return ""
	}
	values := list.Values()
	name := "reshape"
	if len(values) > 1 && layout.IsOrder(values) {
		name = "permute"
	}
	return name + "(" + layout.JoinInts(values, ",") + ")"
}

// part suggests to replace a part of an argument.
func (c *Call) part(words []string) []Suggestion {
	for _, arg := range c.Args {
		if strings.Contains(arg, words[0]) {
			return c.instead([]string{arg}, strings.Replace(arg, words[0], words[1], 1))
		}
	}
	return nil
}

// file suggests a similar path instead of one without a file.
func (c *Call) file(words []string) []Suggestion {
	if near := c.Near(words[0]); near != "" {
		return c.part([]string{words[0], near})
	}
	return nil
}

// directory suggests check for a directory instead of a tensor. It is advice, because a dry run would read the whole
// directory.
func (c *Call) directory(words []string) []Suggestion {
	at := slices.IndexFunc(c.Args, func(arg string) bool { return strings.TrimPrefix(arg, "@") == words[0] })
	if at < 0 || c.isValue(at) {
		return nil
	}
	return []Suggestion{{Text: "layoutcalc check " + c.quote(words[0])}}
}

// pattern suggests a pattern with the values of --dim in it.
func (c *Call) pattern(args []string) []Suggestion {
	line, at := c.without("--dim"), slices.IndexFunc(args, view.IsPattern)
	if at < 0 || len(line) == len(c.Args) {
		return nil
	}
	pattern, values := args[at], c.dims()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		pattern += fmt.Sprintf(", %s=%d", name, values[name])
	}
	if i := slices.Index(line, args[at]); i >= 0 {
		line = slices.Concat(line[:i], []string{pattern}, line[i+1:])
	}
	return lines(line)
}

// dims returns the named sizes of --dim.
func (c *Call) dims() map[string]int64 {
	sizes := map[string]int64{}
	for i, arg := range c.Args {
		value, isJoined := strings.CutPrefix(arg, "--dim=")
		if arg == "--dim" && i+1 < len(c.Args) {
			value, isJoined = c.Args[i+1], true
		}
		if list, err := shape.ParseDims(value); isJoined && err == nil {
			for k, name := range list.Labels() {
				sizes[name] = list.Values()[k]
			}
		}
	}
	return sizes
}
