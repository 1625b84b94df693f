package notation

import (
	"slices"

	"layoutcalc/layout"
)

// An affineSum is a result of a map: a constant and terms of the inputs.
type affineSum struct {
	base  int64
	terms []affineTerm
}

// An affineTerm is coefficient * (input floordiv div mod mod); without a mod, mod is 0. The
// product of div and mod fits in int64.
type affineTerm struct {
	axis                  int
	div, mod, coefficient int64
}

// bites reports whether the mod of a term ever changes it, along an axis of that size.
func (t affineTerm) bites(size int64) bool { return t.mod > 0 && t.mod < layout.CeilDiv(size, t.div) }

// An affineReader reads the expressions of a map.
type affineReader struct {
	*reader
	sizes []int64
	names []string // of the inputs, those of symbols behind
	dims  int      // how many are no symbols
}

// inputs reads the names of inputs.
func (p *affineReader) inputs(open, closing string) {
	p.open(open)
	for first := true; !p.take(closing) && p.err == nil; first = false {
		if !first {
			p.expect(",")
		}
		p.space()
		at := p.pos
		name := p.word()
		switch {
		case name == "" || isDigit(name[0]):
			p.fail(at, "such as d0", "the name of an input is expected here")
		case slices.Contains(p.names, name):
			p.fail(at, "", "two inputs are named %s", name)
		case len(p.names) > 2*layout.MaxRank:
			p.fail(at, "", "more than %d inputs", 2*layout.MaxRank)
		}
		p.names = append(p.names, name)
	}
	p.depth--
}

// results reads the results of the map.
func (p *affineReader) results() []affineSum {
	var results []affineSum
	p.open("(")
	for !p.take(")") && p.err == nil {
		if len(results) > 0 {
			p.expect(",")
		}
		if results = append(results, p.sum()); len(results) > layout.MaxDigits {
			p.unexpected("more than %d results", layout.MaxDigits)
		}
	}
	p.depth--
	return results
}

// sum reads products with + and - between them.
func (p *affineReader) sum() affineSum {
	s := p.product()
	for p.err == nil {
		sign := int64(1)
		if !p.take("+") {
			if !p.take("-") {
				break
			}
			sign = -1
		}
		next := p.scaled(p.product(), sign)
		s.base = p.plus(s.base, next.base, 1)
		if s.terms = append(s.terms, next.terms...); len(s.terms) > layout.MaxDigits {
			p.unexpected("more than %d terms in a sum", layout.MaxDigits)
		}
	}
	return s
}

// product reads operands with *, floordiv and mod between them, from left to right.
func (p *affineReader) product() affineSum {
	s := p.operand()
	for p.err == nil {
		p.space()
		at := p.pos
		switch {
		case p.take("*"):
			s = p.multiplied(at, s, p.operand())
		case p.takeWord("floordiv"):
			s = p.divided(at, s, p.divisor(), false)
		case p.takeWord("mod"):
			s = p.divided(at, s, p.divisor(), true)
		case p.takeWord("ceildiv"):
			s = p.ceiling(at, s, p.divisor())
		default:
			return s
		}
	}
	return s
}

// takeWord is take for a word, which may not go on.
func (p *affineReader) takeWord(word string) bool {
	start := p.pos
	if p.word() == word {
		return true
	}
	p.pos = start
	return false
}

// operand reads a number, an input, or a sum in brackets, with a sign or several.
func (p *affineReader) operand() affineSum {
	sign := int64(1)
	for p.take("-") {
		sign = -sign
	}
	p.space()
	var s affineSum
	switch c := p.peek(); {
	case c == '(':
		p.open("(")
		s = p.sum()
		p.close(")")
	case isDigit(c):
		s.base = p.mlirNumber("the number")
	default:
		s = p.input()
	}
	return p.scaled(s, sign)
}

// input reads the name of an input. Symbols have no values here.
func (p *affineReader) input() affineSum {
	at := p.pos
	name := p.word()
	axis := slices.Index(p.names, name)
	switch {
	case name == "":
		p.unexpected("%s is no operand of an affine map", p.rest())
	case axis < 0:
		p.fail(at, "", "%s is no input of the map", name)
	case axis >= p.dims:
		p.fail(at, "write its value in its place", "the value of the symbol %s is not known", name)
	}
	return affineSum{terms: []affineTerm{{axis: axis, div: 1, coefficient: 1}}}
}

// scaled multiplies a sum by a number.
func (p *affineReader) scaled(s affineSum, by int64) affineSum {
	s.base = p.times(s.base, by)
	for i := range s.terms {
		s.terms[i].coefficient = p.times(s.terms[i].coefficient, by)
	}
	if by == 0 {
		s.terms = nil
	}
	return s
}

// multiplied multiplies two sums, one of which is a number.
func (p *affineReader) multiplied(at int, a, b affineSum) affineSum {
	switch {
	case len(b.terms) == 0:
		return p.scaled(a, b.base)
	case len(a.terms) == 0:
		return p.scaled(b, a.base)
	}
	p.fail(at, "", "a product of two inputs is not affine")
	return affineSum{}
}

// divisor reads what stands behind floordiv and mod: a positive number.
func (p *affineReader) divisor() int64 {
	p.space()
	at := p.pos
	s := p.operand()
	if p.err == nil && (len(s.terms) > 0 || s.base < 1) {
		p.fail(at, "", "it takes a positive number to divide by")
	}
	return max(s.base, 1)
}
