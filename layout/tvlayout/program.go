package tvlayout

import (
	"iter"
	"slices"
	"strings"

	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// MaxProgram is the length, in bytes, of the longest program that is read.
const MaxProgram = 16 << 20

// An alias is a name for an encoding in an MLIR program.
type alias struct {
	name   string
	at     int      // the offset of the encoding
	shapes []string // the shapes and types of tensors with this encoding: 64x64xf16
}

// definitions returns the aliases that the input defines: #blocked = #ttg.blocked<{...}>.
func (r *reader) definitions() (found []alias) {
	tokens := r.Tokens()
	for i := 0; i+3 < len(tokens); i++ {
		isFirst := i == 0 || tokens[i].Gap == lexer.Line
		if isFirst && r.Text(tokens[i]) == "#" && r.Text(tokens[i+2]) == "=" && r.Text(tokens[i+3]) == "#" {
			found = append(found, alias{name: r.Text(tokens[i+1]), at: int(tokens[i+3].At)})
		}
	}
	return found
}

// definitionsIn returns the lines of a program that define aliases, #blocked = #ttg.blocked<{...}>, each to the end of
// its brackets. It is empty for other inputs.
func definitionsIn(text string) string {
	var b strings.Builder
	depth := 0
	for line := range strings.Lines(text) {
		if depth <= 0 && !isDefinition(strings.TrimLeft(line, " \t")) {
			continue
		}
		depth = max(depth, 0)
		for _, c := range []byte(line) {
			switch c {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

// isDefinition reports whether a line starts with #name = #.
func isDefinition(line string) bool {
	if line == "" || line[0] != '#' {
		return false
	}
	_, value, _ := strings.Cut(line, "=")
	return strings.HasPrefix(strings.TrimLeft(value, " \t"), "#")
}

// tensors yields the shape, with its type, and the name of the encoding of each type tensor<64x64xf16, #blocked> of a
// program.
func tensors(program string) iter.Seq2[string, string] {
	const longest = 256 // bytes of a shape with its type
	return func(yield func(shape, name string) bool) {
		for {
			_, rest, ok := strings.Cut(program, "tensor<")
			if !ok {
				return
			}
			program = rest
			shape, encoding, ok := strings.Cut(rest[:min(longest, len(rest))], ",")
			name, isAlias := strings.CutPrefix(strings.TrimLeft(encoding, " "), "#")
			end := strings.IndexAny(name, ">, ")
			if ok && isAlias && end > 0 && !yield(shape, name[:end]) {
				return
			}
		}
	}
}

// program reads an encoding in an MLIR program: the encoding with the given name, or the only one.
func (r *reader) program(name string) *Ownership {
	const most = 16 // shapes of an encoding
	var mine []*alias
	byName := map[string]*alias{}
	for i := range r.aliases {
		a := &r.aliases[i]
		start := r.In[a.at:min(a.at+64, len(r.In))]
		if end := strings.IndexAny(start, "<\n"); end > 0 && lexer.Like(start[:end], "#ttg.*", "#triton_gpu.*") &&
			!isShared(start[:end]) && byName[a.name] == nil {
			mine, byName[a.name] = append(mine, a), a
		}
	}
	for shape, name := range tensors(r.whole) {
		a := byName[name]
		if a != nil && len(a.shapes) < most && !slices.Contains(a.shapes, shape) {
			a.shapes = append(a.shapes, shape)
		}
	}
	var names, known []string
	var chosen *alias
	for _, a := range mine {
		names, known = append(names, a.name), append(known, strings.Join(append([]string{a.name}, a.shapes...), " "))
		if a.name == strings.TrimPrefix(name, "#") || name == "" && len(mine) == 1 {
			chosen = a
		}
	}
	switch {
	case chosen == nil && name != "":
		r.Fault(lexer.Unknown("encoding of the program", name, names))
	case chosen == nil:
		r.Fault(lexer.Refuse("--name chooses one of "+wording.OneLine(strings.Join(known, ", "), lexer.MaxMessage-30),
			"the program has %s of registers", wording.Count(len(mine), "encoding")))
	case r.tile == nil && len(chosen.shapes) > 1:
		r.Fault(lexer.Refuse("write the sizes of one behind it: "+strings.Join(chosen.shapes, ", "),
			"%s is of tensors of several shapes", chosen.name))
	}
	if r.Err != nil {
		return nil
	}
	if r.tile == nil && len(chosen.shapes) == 1 {
		r.typed(chosen.shapes[0])
	}
	r.Pos = chosen.at
	o := r.attribute()
	r.Pos = len(r.In)
	if o != nil {
		o.name = chosen.name + " = " + o.name
	}
	return o
}

// typed takes the tile and the bits of elements from a shape with its type, 64x64xf16.
func (r *reader) typed(shape string) {
	c := &reader{}
	c.Cursor = lexer.NewCursor("tensor<" + shape + ",")
	if c.tensor(); c.Err == nil {
		r.tile, r.bits = c.tile, c.bits
	}
}

// meaning returns the value of v if it is an alias, and otherwise v.
func (r *reader) meaning(v literal.Value) literal.Value {
	i := slices.IndexFunc(r.aliases, func(a alias) bool { return "#"+a.name == v.Word })
	if i < 0 || v.Next != nil {
		return v
	}
	at := r.Pos
	r.Pos = r.aliases[i].at
	var meant literal.Value
	if r.Operand(&meant); r.Err == nil {
		r.Pos = at
	}
	return meant
}
