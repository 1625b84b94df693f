package shape

import (
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// An AxisRef is an axis as a flag names it, by letter or by index.
type AxisRef struct {
	text string // all of the flag
	name string
	at   int
}

// An AxisNumber is an axis and a number, as in H=5 or H=256B. Without an axis, the number applies to rows.
type AxisNumber struct {
	axis   AxisRef // without a name for rows
	amount Amount
}

// ParseAxes reads a list of axes separated by commas.
func ParseAxes(text string) (refs []AxisRef, err error) {
	err = eachAxis(text, "H,W", func(_ *lexer.Reader, ref AxisRef) { refs = append(refs, ref) })
	return refs, err
}

// eachAxis reads a list of items that start with an axis. The function read reads the rest of an item.
func eachAxis(text, example string, read func(s *lexer.Reader, ref AxisRef)) error {
	s := lexer.NewReader(text)
	for first := true; first || !s.Done(); first = false {
		if !first && !s.Take(",") {
			s.Fail(s.Pos, "separate axes with commas", "%q is not expected here", s.Rest())
		}
		s.Blanks()
		ref := parseAxis(&s, example)
		read(&s, ref)
		s.Blanks()
	}
	return s.Err
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
	err = eachAxis(text, example, func(s *lexer.Reader, ref AxisRef) {
		r := AxisRange{AxisRef: ref}
		takeEquals(s, example)
		at, number := s.Pos, lexer.IntKind{Noun: "index", Example: example}
		if s.Peek() != ':' {
			r.From = s.Integer(number)
		}
		end := r.From
		if !s.Take(":") {
			end++
			r.To = &end
		} else if lexer.IsDigit(s.Peek()) || s.Peek() == '-' {
			end = s.Integer(number)
			r.To = &end
		}
		if r.From < 0 || r.To != nil && end <= r.From {
			s.Fail(at, "such as "+example, "the range %s has no index", wording.Quote(s.In[at:s.Pos]))
		}
		ranges = append(ranges, r)
	})
	return ranges, err
}

// takeEquals reads the equals sign between an axis and its number.
func takeEquals(s *lexer.Reader, example string) {
	if !s.Take("=") {
		s.Fail(s.Pos, "such as "+example, "\"=\" is missing after the axis")
	}
}

// ParseLanes reads a list of axes with the lanes along each, as in H=4,W=8. A missing number is 0.
func ParseLanes(text string) (list []AxisSize, err error) {
	const example = "H=4,W=8"
	err = eachAxis(text, example, func(s *lexer.Reader, ref AxisRef) {
		lanes := AxisSize{AxisRef: ref}
		if at := s.Pos; s.Take("=") {
			lanes.Size = s.Integer(lexer.IntKind{Noun: "number of lanes", Example: example})
			if lanes.Size < 1 {
				s.Fail(at+1, "such as "+example, "an axis has at least 1 lane")
			}
		}
		list = append(list, lanes)
	})
	return list, err
}

// Of returns the part of an axis of the layout. It fails if the layout does not have the axis or the indices.
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

// ParsePadding reads AXIS=N, or N alone for rows.
func ParsePadding(text string) (AxisNumber, error) { return parseAxisNumber(text, 0, "") }

// ParsePitch is like ParsePadding, but N is a stride of at least 1.
func ParsePitch(text string) (AxisNumber, error) {
	return parseAxisNumber(text, 1, "a stride of 0 is --broadcast")
}

// ParseAlignment is like ParsePadding, but N is at least 1.
func ParseAlignment(text string) (AxisNumber, error) { return parseAxisNumber(text, 1, "") }

// parseAxisNumber reads AXIS=N or N. If N is less than least, the error has the hint.
func parseAxisNumber(text string, least int64, hint string) (n AxisNumber, err error) {
	const example = "H=64 or H=256B"
	s := lexer.NewReader(text)
	ahead := s.Scanner
	n.axis.text = s.In
	if ahead.Span(lexer.IsWord); !lexer.IsDigit(s.Peek()) || ahead.Peek() == '=' {
		n.axis = parseAxis(&s, example)
		takeEquals(&s, example)
	}
	n.amount = takeAmount(&s, lexer.IntKind{Noun: "number", Example: example, Hex: true})
	n.amount.least = true
	switch {
	case n.amount.n < least:
		s.Fail(int(n.amount.at), hint, "the number must be at least %d", least)
	case !s.Done():
		s.Fail(s.Pos, "such as "+example, "%q is not expected here", s.Rest())
	}
	return n, s.Err
}

// parseAxis reads the name or the index of an axis.
func parseAxis(s *lexer.Reader, example string) AxisRef {
	start := s.Pos
	name := s.Span(lexer.IsWord)
	if name == "" {
		s.Fail(start, "such as "+example, "an axis is missing here")
	}
	return AxisRef{s.In, name, start}
}

// position returns the index in the reference; ok is false if it is a name.
func (r AxisRef) position() (position int, ok bool) {
	if r.name == "" || !lexer.IsDigit(r.name[0]) {
		return 0, false
	}
	n, err := strconv.Atoi(r.name)
	if err != nil {
		n = layout.MaxRank
	}
	return n, true
}

// String returns the axis as it was written.
func (r AxisRef) String() string { return r.name }

// Find returns the index of the axis that the reference of a flag names, given the names of all axes.
func (r AxisRef) Find(flag string, names []string) (int, error) {
	if n, ok := r.position(); ok && n < len(names) {
		return n, nil
	}
	if at := lexer.Positions([]string{r.name}, names)[0]; at >= 0 {
		return at, nil
	}
	if len(names) == 0 {
		return 0, r.fail("", "%s: a scalar has no axis %s", flag, wording.Clip(r.name))
	}
	return 0, r.fail("the axes are "+strings.Join(names, ","), "%s: unknown axis %s", flag, wording.Clip(r.name))
}

func (r AxisRef) fail(hint, format string, args ...any) error {
	s := lexer.Scanner{In: r.text}
	return s.Fail(r.at, hint, format, args...)
}
