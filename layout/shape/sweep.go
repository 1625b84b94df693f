package shape

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// An AxisSize is an axis and its size.
type AxisSize struct {
	AxisRef
	Size int64
}

// MaxRows is the maximum number of sizes of an axis in a sweep, and of shapes.
const MaxRows = 10_000

const (
	sweepExample  = "H=1..64, H=1..64:8 or H=8,16"
	expandExample = "1x3x{224,256}x224 or 1x3x{1..64:8}x224"
)

// ParseSweep reads an axis and the sizes to try: H=8,16, or in steps of 8, H=1..64:8.
func ParseSweep(text string) (list []AxisSize, err error) {
	s := lexer.NewReader(text)
	axis := parseAxis(&s, sweepExample)
	takeEquals(&s, sweepExample)
	for _, size := range takeSizes(&s, sweepExample) {
		list = append(list, AxisSize{axis, size})
	}
	if !s.Done() {
		s.Fail(s.Pos, "such as "+sweepExample, "%q is not expected here", s.Rest())
	}
	return list, s.Err
}

// takeSizes reads sizes and ranges of sizes.
func takeSizes(s *lexer.Reader, example string) (list []int64) {
	number := lexer.IntKind{Noun: "size", Example: example}
	for first := true; s.Err == nil && (first || s.Take(",")); first = false {
		s.Blanks()
		start, step := s.Pos, int64(1)
		from := s.Integer(number)
		to := from
		if s.Take("..") {
			if to = s.Integer(number); s.Take(":") || s.Take("..") {
				step = s.Integer(number)
			}
		}
		switch {
		case to < from || step < 1:
			s.Fail(start, "such as "+example, "%q has no size", s.In[start:s.Pos])
		case (to-from)/step >= MaxRows-int64(len(list)):
			n := big.NewInt((to - from) / step)
			n.Add(n, big.NewInt(int64(len(list)+1)))
			s.Fail(start, "larger steps, such as 1..4096:64", "%s, and %d are the most", wording.Count(n, "size"),
				MaxRows)
		default:
			for i := range (to-from)/step + 1 {
				list = append(list, from+i*step)
			}
		}
		s.Blanks()
	}
	return list
}

// Expand returns the shapes that a string with sizes in braces stands for: 1x3x{224,256}x224. It returns nil for other
// strings, such as {2,3}, which is a shape itself, lists with names, and struct members.
func Expand(text string) ([]string, error) {
	at := strings.IndexByte(text, '{')
	if at < 0 {
		return nil, nil
	}
	start, notStart := ParseShape(text[:at] + "1")
	isList := slices.ContainsFunc(start.Labels(), func(name string) bool { return len(name) > 1 })
	if _, wrong := ParseShape(text); wrong == nil || notStart != nil || isList {
		return nil, nil
	}
	s, shapes, total := lexer.NewReader(text), []string{""}, big.NewInt(1)
	for !s.Done() {
		parts := []string{s.Span(func(c byte) bool { return c != '{' })}
		if s.Take("{") {
			before := parts[0]
			parts = nil
			for _, size := range takeSizes(&s, expandExample) {
				parts = append(parts, before+strconv.FormatInt(size, 10))
			}
			if !s.Take("}") {
				s.Fail(s.Pos, "", "} expected")
			}
		}
		switch {
		case at == 0 && (s.Err != nil || strings.HasPrefix(s.Rest(), ",")):
			return nil, nil
		case s.Err != nil:
			return nil, s.Err
		}
		if total.Mul(total, big.NewInt(int64(len(parts)))); total.Cmp(big.NewInt(MaxRows)) <= 0 {
			shapes = joined(shapes, parts)
		}
	}
	if total.Cmp(big.NewInt(MaxRows)) > 0 {
		return nil, lexer.Refuse("", "%s, and %d are the most", wording.Count(total, "shape"), MaxRows)
	}
	if _, wrong := ParseShape(shapes[0]); wrong != nil {
		return nil, nil
	}
	return shapes, nil
}

// joined returns all concatenations of a string in texts and a string in ends.
func joined(texts, ends []string) (all []string) {
	for _, text := range texts {
		for _, end := range ends {
			all = append(all, text+end)
		}
	}
	return all
}
