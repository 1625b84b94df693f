package cmd

import (
	"maps"
	"strings"

	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
)

// A dim is a value of --dim: numbers, or expressions for names in the source of a kernel.
type dim struct {
	list  shape.List
	names map[string]string
	fault error // why the expressions are not a list of numbers; nil if they are
}

// parseDim reads a value of --dim.
func parseDim(text string) (d dim, err error) {
	d.list, err = shape.ParseDims(text)
	if d.names = namedExpressions(text); d.names == nil {
		return d, err
	}
	if wrong, ok := err.(*lexer.SyntaxError); ok {
		wrong.Msg = "--dim: " + wrong.Msg
		d.fault = wrong
	}
	return d, nil
}

// namedExpressions returns the expressions in NAME=EXPRESSION,NAME=EXPRESSION by their names, or nil for other text.
// Other commas belong to an expression, and so do commas in brackets.
func namedExpressions(text string) map[string]string {
	list := map[string]string{}
	last, depth := "", 0
	for part := range strings.SplitSeq(text, ",") {
		name, expression, ok := strings.Cut(part, "=")
		switch name = strings.TrimSpace(name); {
		case depth == 0 && ok && isPath(name) && !strings.HasPrefix(expression, "="):
			last = name
			list[last] = expression
		case last == "":
			return nil
		default:
			list[last] += "," + part
		}
		for _, c := range part {
			switch c {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			}
		}
	}
	for _, expression := range list {
		if strings.TrimSpace(expression) == "" {
			return nil
		}
	}
	return list
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

// add adds the expressions of a value.
func (g *expressions) add(d dim) {
	if d.names == nil {
		return
	}
	names := maps.Clone(d.names)
	for name, expression := range g.names {
		if _, ok := names[name]; !ok {
			names[name] = expression
		}
	}
	if g.names = names; g.fault == nil {
		g.fault = d.fault
	}
}
