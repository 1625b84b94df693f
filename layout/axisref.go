package layout

import (
	"strconv"
	"strings"
)

// An AxisRef is an axis as a flag names it, by letter or by position.
type AxisRef struct {
	text string // all of the flag
	name string
	at   int
}

// An AxisNumber is an axis and a number, as in H=5.
type AxisNumber struct {
	axis  AxisRef
	n     int64
	bytes bool // n counts bytes, as in H=256B
}

// ParseAxes reads a list of axes separated by commas.
func ParseAxes(text string) ([]AxisRef, error) {
	s, err := newScanner(text)
	if err != nil {
		return nil, err
	}
	var refs []AxisRef
	for {
		s.blanks()
		ref, err := s.axis("H,W")
		if err != nil {
			return nil, err
		}
		refs = append(refs, ref)
		if s.blanks(); s.done() {
			return refs, nil
		}
		if !s.take(",") {
			return nil, s.fail(s.pos, "separate axes with commas", "%q is not expected here", s.rest())
		}
	}
}

// ParsePadding reads AXIS=N.
func ParsePadding(text string) (AxisNumber, error) {
	return parseAxisNumber(text, listKind{noun: "number", example: "H=5"}, 0)
}

// ParsePitch reads AXIS=N with an N of at least 1.
func ParsePitch(text string) (AxisNumber, error) {
	return parseAxisNumber(text, listKind{noun: "number", example: "H=5"}, 1)
}

// ParseAlignment reads AXIS=N with an N of at least 1, or AXIS=NB when N counts bytes.
func ParseAlignment(text string) (AxisNumber, error) {
	return parseAxisNumber(text, listKind{noun: "number", example: "H=64 or H=256B"}, 1)
}

func parseAxisNumber(text string, kind listKind, least int64) (AxisNumber, error) {
	s, err := newScanner(text)
	if err != nil {
		return AxisNumber{}, err
	}
	ref, err := s.axis(kind.example)
	if err != nil {
		return AxisNumber{}, err
	}
	if !s.take("=") {
		return AxisNumber{}, s.fail(s.pos, "such as "+kind.example, "= is missing behind the axis")
	}
	start := s.pos
	n, err := s.integer(kind)
	if err != nil {
		return AxisNumber{}, err
	}
	bytes := strings.HasSuffix(kind.example, "B") && s.take("B")
	switch {
	case n < least:
		return AxisNumber{}, s.fail(start, "a stride of 0 is --broadcast", "the number must be at least %d", least)
	case !s.done():
		return AxisNumber{}, s.fail(s.pos, "such as "+kind.example, "%q is not expected here", s.rest())
	}
	return AxisNumber{ref, n, bytes}, nil
}

// axis reads the name or the position of an axis.
func (s *scanner) axis(example string) (AxisRef, error) {
	start := s.pos
	name := s.span(isWord)
	if name == "" {
		return AxisRef{}, s.fail(start, "such as "+example, "an axis is missing here")
	}
	return AxisRef{s.in, name, start}, nil
}

// position reads the reference as a position; ok is false when it is a name.
func (r AxisRef) position() (position int, ok bool) {
	if r.name == "" || !isDigit(r.name[0]) {
		return 0, false
	}
	n, err := strconv.Atoi(r.name)
	if err != nil {
		n = MaxRank
	}
	return n, true
}

// find returns which of the axes, listed by what they are called, the reference of the flag
// means.
func (r AxisRef) find(flag string, names []string) (int, error) {
	if n, ok := r.position(); ok && n < len(names) {
		return n, nil
	}
	if at := positions([]string{r.name}, names)[0]; at >= 0 {
		return at, nil
	}
	if len(names) == 0 {
		return 0, r.fail("", "%s: a scalar has no axis %s", flag, clip(r.name))
	}
	return 0, r.fail("the axes are "+strings.Join(names, ","), "%s: unknown axis %s", flag, clip(r.name))
}

func (r AxisRef) fail(hint, format string, args ...any) error {
	s := scanner{in: r.text}
	return s.fail(r.at, hint, format, args...)
}
