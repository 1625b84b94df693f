package cmd

import (
	"maps"
	"strings"

	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
)

// A dim is a value of --dim: numbers, or an expression for a name in the source of a kernel.
type dim struct {
	list       shape.List
	name, text string
	fault      error // why the expression is not a list of numbers; nil if it is
}

// parseDim reads a value of --dim.
func parseDim(text string) (d dim, err error) {
	d.list, err = shape.ParseDims(text)
	name, expression, ok := strings.Cut(text, "=")
	if isName := ok && isPath(name) && strings.TrimSpace(expression) != ""; !isName {
		return d, err
	}
	d.name, d.text = name, expression
	if wrong, ok := err.(*lexer.SyntaxError); ok {
		wrong.Msg = "--dim: " + wrong.Msg
		d.fault = wrong
	}
	return d, nil
}

// isPath reports whether text is names with dots or colons between them: self._m, Traits::kM.
func isPath(text string) bool {
	for name := range strings.SplitSeq(strings.ReplaceAll(text, "::", "."), ".") {
		if !lexer.IsName(name) {
			return false
		}
	}
	return true
}

// An expressions value has the expressions of --dim for names.
type expressions struct {
	names map[string]string
	fault error // why the first expression that is not a number is invalid
}

// add adds the expression of a value.
func (g *expressions) add(d dim) {
	if d.name == "" {
		return
	}
	if g.names = maps.Clone(g.names); g.names == nil {
		g.names = map[string]string{}
	}
	if g.names[d.name] = d.text; g.fault == nil {
		g.fault = d.fault
	}
}
