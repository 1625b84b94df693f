package notation

import (
	"math"

	"layoutcalc/layout"
)

// ceiling is ceildiv, of a number or where it is as good as a division without rest.
func (p *affineReader) ceiling(at int, s affineSum, by int64) affineSum {
	if len(s.terms) == 0 && p.err == nil {
		return affineSum{base: -floorDiv(-s.base, by)}
	}
	if by > 1 {
		p.fail(at, "floordiv and mod are", "ceildiv is no digit of an index")
	}
	return s
}

// divided divides by a number: floordiv, or mod. Of the terms all but one have to be multiples
// of it, and that one has to divide it, so that a part of an input is left.
func (p *affineReader) divided(at int, s affineSum, by int64, mod bool) affineSum {
	if len(s.terms) == 0 {
		quotient := floorDiv(s.base, by)
		if mod {
			return affineSum{base: s.base - quotient*by}
		}
		return affineSum{base: quotient}
	}
	result := affineSum{base: s.base / by}
	if mod {
		result.base = 0
	}
	others := 0
	for _, t := range s.terms {
		switch multiple := t.coefficient%by == 0; {
		case multiple && mod:
		case multiple:
			t.coefficient /= by
			result.terms = append(result.terms, t)
		default:
			others++
			result.terms = p.part(at, result.terms, t, by, mod)
		}
	}
	if s.base%by != 0 || others > 1 {
		p.fail(at, "divide each input before they are added", "a sum divided by %d is no digit of one input", by)
	}
	return result
}

// part appends a term that is divided by a number which its coefficient divides.
func (p *affineReader) part(at int, terms []affineTerm, t affineTerm, by int64, mod bool) []affineTerm {
	if t.coefficient < 0 || by%t.coefficient != 0 {
		p.fail(at, "", "%d times an input, divided by %d, is no digit of it", t.coefficient, by)
		return terms
	}
	n := by / t.coefficient
	if !mod {
		t.coefficient = 1
	}
	switch bites := t.bites(p.sizes[t.axis]); {
	case mod && (t.mod == 0 || t.mod%n == 0 || !bites && n < t.mod):
		t.mod = n
	case mod && n >= t.mod:
	case mod:
		p.fail(at, "", "mod %d of mod %d is no digit of an input", n, t.mod)
	case t.mod > 0 && t.mod <= n:
		return terms
	case t.mod > 0 && t.mod%n != 0 && bites:
		p.fail(at, "", "mod %d divided by %d is no digit of an input", t.mod, n)
	default:
		t.mod = layout.CeilDiv(t.mod, n)
		t.div = p.times(t.div, n)
	}
	if t.mod > 0 && t.mod > math.MaxInt64/max(t.div, 1) {
		t.mod = 0 // beyond any size
	}
	return append(terms, t)
}

// floorDiv divides by a positive number and rounds down.
func floorDiv(n, by int64) int64 {
	q := n / by
	if n%by < 0 {
		q--
	}
	return q
}
