package shape

import (
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
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
	s, err := scan.New(text)
	if err != nil {
		return nil, err
	}
	var refs []AxisRef
	for {
		s.Blanks()
		ref, err := parseAxis(s, "H,W")
		if err != nil {
			return nil, err
		}
		refs = append(refs, ref)
		if s.Blanks(); s.Done() {
			return refs, nil
		}
		if !s.Take(",") {
			return nil, s.Fail(s.Pos, "separate axes with commas", "%q is not expected here", s.Rest())
		}
	}
}

// An AxisRange is a part of an axis, as in C=0:4; To is nil if the part extends to the end of the axis.
type AxisRange struct {
	AxisRef
	From int64
	To   *int64
}

// ParseRanges reads a list of indices or ranges of indices of axes, as in N=0,C=0:4.
func ParseRanges(text string) (ranges []AxisRange, err error) {
	const example = "N=0,C=0:4"
	s, err := scan.New(text)
	if err != nil {
		return nil, err
	}
	for {
		s.Blanks()
		ref, err := parseAxis(s, example)
		if err != nil {
			return nil, err
		}
		if !s.Take("=") {
			return nil, s.Fail(s.Pos, "such as "+example, "\"=\" is missing after the axis")
		}
		r := AxisRange{AxisRef: ref}
		at, number := s.Pos, scan.IntKind{Noun: "index", Example: example}
		if s.Peek() != ':' {
			if r.From, err = s.Integer(number); err != nil {
				return nil, err
			}
		}
		end := r.From
		if !s.Take(":") {
			end++
			r.To = &end
		} else if scan.IsDigit(s.Peek()) || s.Peek() == '-' {
			if end, err = s.Integer(number); err != nil {
				return nil, err
			}
			r.To = &end
		}
		if r.From < 0 || r.To != nil && end <= r.From {
			return nil, s.Fail(at, "such as "+example, "the range %s has no index", scan.Quote(s.In[at:s.Pos]))
		}
		ranges = append(ranges, r)
		if s.Blanks(); s.Done() {
			return ranges, nil
		}
		if !s.Take(",") {
			return nil, s.Fail(s.Pos, "separate axes with commas", "%q is not expected here", s.Rest())
		}
	}
}

// Of returns the part of an axis of the layout, and refuses one that the layout has not.
func (r AxisRange) Of(flag string, l layout.Layout) (axis int, from, to int64, err error) {
	if axis, err = r.Find(flag, l.AxisNames()); err != nil {
		return 0, 0, 0, err
	}
	size := l.Axis(axis).Size()
	to = size
	if r.To != nil {
		to = *r.To
	}
	if r.From >= size || to > size {
		return 0, 0, 0, r.fail("", "%s: axis %s counts from 0 to %d", flag, l.AxisName(axis), size-1)
	}
	return axis, r.From, to, nil
}

// ParsePadding reads AXIS=N.
func ParsePadding(text string) (AxisNumber, error) {
	return parseAxisNumber(text, scan.IntKind{Noun: "number", Example: "H=5", Hex: true}, 0)
}

// ParsePitch reads AXIS=N with an N of at least 1.
func ParsePitch(text string) (AxisNumber, error) {
	return parseAxisNumber(text, scan.IntKind{Noun: "number", Example: "H=5", Hex: true}, 1)
}

// ParseAlignment reads AXIS=N with an N of at least 1, or AXIS=NB when N counts bytes.
func ParseAlignment(text string) (AxisNumber, error) {
	return parseAxisNumber(text, scan.IntKind{Noun: "number", Example: "H=64 or H=256B", Hex: true}, 1)
}

func parseAxisNumber(text string, kind scan.IntKind, least int64) (AxisNumber, error) {
	s, err := scan.New(text)
	if err != nil {
		return AxisNumber{}, err
	}
	ref, err := parseAxis(s, kind.Example)
	if err != nil {
		return AxisNumber{}, err
	}
	if !s.Take("=") {
		return AxisNumber{}, s.Fail(s.Pos, "such as "+kind.Example, "\"=\" is missing after the axis")
	}
	start := s.Pos
	n, err := s.Integer(kind)
	if err != nil {
		return AxisNumber{}, err
	}
	counted := strings.HasSuffix(kind.Example, "B")
	bytes := counted && s.Take("B")
	switch {
	case counted && !bytes && strings.HasPrefix(s.In[start:], "0") && strings.HasSuffix(strings.ToUpper(s.In), "B"):
		return AxisNumber{}, s.Fail(start, "such as "+kind.Example, "the B can be a digit of the number, or mean bytes")
	case n < least:
		return AxisNumber{}, s.Fail(start, "a stride of 0 is --broadcast", "the number must be at least %d", least)
	case !s.Done():
		return AxisNumber{}, s.Fail(s.Pos, "such as "+kind.Example, "%q is not expected here", s.Rest())
	}
	return AxisNumber{ref, n, bytes}, nil
}

// axis reads the name or the position of an axis.
func parseAxis(s *scan.Scanner, example string) (AxisRef, error) {
	start := s.Pos
	name := s.Span(scan.IsWord)
	if name == "" {
		return AxisRef{}, s.Fail(start, "such as "+example, "an axis is missing here")
	}
	return AxisRef{s.In, name, start}, nil
}

// position reads the reference as a position; ok is false when it is a name.
func (r AxisRef) position() (position int, ok bool) {
	if r.name == "" || !scan.IsDigit(r.name[0]) {
		return 0, false
	}
	n, err := strconv.Atoi(r.name)
	if err != nil {
		n = layout.MaxRank
	}
	return n, true
}

// Find returns the position among the axes, given by their names, that the reference of the flag means.
func (r AxisRef) Find(flag string, names []string) (int, error) {
	if n, ok := r.position(); ok && n < len(names) {
		return n, nil
	}
	if at := scan.Positions([]string{r.name}, names)[0]; at >= 0 {
		return at, nil
	}
	if len(names) == 0 {
		return 0, r.fail("", "%s: a scalar has no axis %s", flag, scan.Clip(r.name))
	}
	return 0, r.fail("the axes are "+strings.Join(names, ","), "%s: unknown axis %s", flag, scan.Clip(r.name))
}

func (r AxisRef) fail(hint, format string, args ...any) error {
	s := scan.Scanner{In: r.text}
	return s.Fail(r.at, hint, format, args...)
}
