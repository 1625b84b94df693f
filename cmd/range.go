package cmd

import (
	"iter"
	"strings"

	"layoutcalc/layout"
)

// An offsetRange is A:B as the user wrote it. A bound that is left out is nil.
type offsetRange struct {
	from, to *int64
}

func parseRange(text string) (offsetRange, error) {
	from, to, ok := strings.Cut(text, ":")
	if !ok {
		return offsetRange{}, &layout.SyntaxError{Input: text, Offset: len(text), Msg: "a range is two offsets with a colon between them", Hint: "such as 0:16"}
	}
	var r offsetRange
	for _, bound := range []struct {
		text string
		to   **int64
	}{{from, &r.from}, {to, &r.to}} {
		if strings.TrimSpace(bound.text) == "" {
			continue
		}
		n, err := layout.ParseOffset(bound.text)
		if err != nil {
			return offsetRange{}, err
		}
		*bound.to = &n
	}
	if r.from != nil && r.to != nil && *r.to < *r.from {
		return offsetRange{}, &layout.SyntaxError{Input: text, Msg: "the range ends before it starts", Hint: "such as 0:16"}
	}
	return r, nil
}

// clamp puts bounds in place of those left out.
func (r *offsetRange) clamp(low, high int64) (from, to int64) {
	from, to = low, high
	if r.from != nil {
		from = *r.from
	}
	if r.to != nil {
		to = *r.to
	}
	return from, max(from, to)
}

// count yields the numbers of a range.
func count(from, to int64) iter.Seq2[int64, error] {
	return func(yield func(int64, error) bool) {
		for n := from; n < to && yield(n, nil); n++ {
		}
	}
}
