package algebra

import (
	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A Coordinate identifies an element as in CuTe: it is a number, or in brackets a coordinate for each mode, as in
// ((1,3),5). A number counts the elements of a mode, or of the layout, with the first mode fastest.
type Coordinate struct {
	N    int64
	List []Coordinate // in brackets; nil for a number
	at   int
	text string
}

// ParseCoordinate parses a coordinate. The outermost brackets are optional.
func ParseCoordinate(text string) (Coordinate, error) {
	p := lexer.NewReader(text)
	c := coordinates(&p, 0)
	if p.Err == nil && !p.Done() {
		p.Fail(p.Pos, "such as ((1,3),5)", "the coordinate ends before this")
	}
	if len(c.List) == 1 {
		c = c.List[0]
	}
	return c, p.Err
}

// coordinates reads coordinates with commas between them. The argument depth is the number of brackets around them.
func coordinates(p *lexer.Reader, depth int) Coordinate {
	list := Coordinate{at: p.Pos, text: p.In}
	for p.Err == nil {
		p.Blanks()
		c := Coordinate{at: p.Pos, text: p.In}
		switch isOpen := p.Take("("); {
		case isOpen && depth == layout.MaxRank:
			p.Fail(c.at, "", "brackets nest deeper than %d levels", layout.MaxRank)
		case isOpen:
			if c = coordinates(p, depth+1); p.Err == nil && !p.Take(")") {
				p.Fail(p.Pos, "such as ((1,3),5)", ") expected")
			}
		default:
			c.N = p.Integer(lexer.IntKind{Noun: "coordinate", Example: "((1,3),5)"})
		}
		list.List = append(list.List, c)
		if p.Blanks(); !p.Take(",") {
			break
		}
	}
	return list
}

// Index returns the index along each axis of the element at a coordinate.
func (l Layout) Index(c Coordinate) ([]int64, error) {
	modes := l.mode.list()
	if c.List == nil && len(modes) > 1 {
		return split(modes, c)
	}
	if c.List == nil {
		c.List = []Coordinate{c}
	}
	if len(c.List) != len(modes) {
		return nil, c.refuse("%s for a layout of %s", wording.Count(len(c.List), "coordinate"),
			wording.Count(len(modes), "mode"))
	}
	index := make([]int64, len(modes))
	for i := range modes {
		n, err := modes[i].number(c.List[i])
		if err != nil {
			return nil, err
		}
		index[i] = n
	}
	return index, nil
}

// split returns the number in each of the modes of a number of all of them.
func split(modes []Mode, c Coordinate) ([]int64, error) {
	index, n := make([]int64, len(modes)), c.N
	for i := range modes {
		size, err := modes[i].size()
		if err != nil || size == 0 {
			return nil, c.refuse("the layout has no such element")
		}
		index[i], n = n%size, n/size
	}
	if n > 0 {
		return nil, c.refuse("%d is outside of the layout", c.N)
	}
	return index, nil
}

// number returns the number of the element of a mode at a coordinate.
func (m Mode) number(c Coordinate) (int64, error) {
	size, err := m.size()
	switch {
	case err != nil:
		return 0, err
	case c.List == nil && (c.N < 0 || c.N >= size):
		return 0, c.refuse("%d is outside of a mode of %d", c.N, size)
	case c.List == nil:
		return c.N, nil
	case len(c.List) != len(m.Modes):
		return 0, c.refuse("%s for a mode of %s", wording.Count(len(c.List), "coordinate"),
			wording.Count(max(len(m.Modes), 1), "mode"))
	}
	number, step := int64(0), int64(1)
	for i, part := range m.Modes {
		n, err := part.number(c.List[i])
		if err != nil {
			return 0, err
		}
		number += n * step // below the size
		size, _ := part.size()
		step *= size
	}
	return number, nil
}

// refuse returns an error that points at the coordinate.
func (c Coordinate) refuse(format string, args ...any) error {
	return lexer.Refuse("", format, args...).In(c.text, c.at)
}
