package view

import (
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A pattern is an einops pattern: b c (h h2) w -> b h w (c h2), h2=2.
type pattern struct {
	left, right [][]patternAxis // the axes of each side; several in one position are in parentheses
	sizes       map[string]int64
}

// A patternAxis is a name, 1, or an ellipsis.
type patternAxis struct {
	at   int
	name string
}

const ellipsis = "..."

// IsPattern reports whether text has the form of a pattern, even if it has errors.
func IsPattern(text string) bool {
	before, _, ok := strings.Cut(text, "->")
	return ok && !strings.ContainsAny(before, "<>%#=:{")
}

// pattern reads a pattern, alone or as the argument of rearrange.
func (p Parser) pattern() Step {
	start, end := p.Pos, len(p.In)
	pat := pattern{sizes: map[string]int64{}}
	if i := strings.IndexAny(p.In, "'\""); i >= 0 {
		p.Pos = i + 1
		start, end = p.Pos, strings.LastIndexByte(p.In, ')')
		if !strings.Contains(p.In[:i], "rearrange(") || end < i {
			p.Fail(0, "such as 'b c h w -> b h w c'", "a pattern is read alone, or in rearrange(...)")
		}
	}
	pat.left = p.side("-")
	p.arrow()
	pat.right = p.side("'\",")
	text := strings.TrimSpace(p.In[start:p.Pos])
	if p.Peek() == '\'' || p.Peek() == '"' {
		p.Pos++
	}
	for p.Blanks(); p.Pos < end; p.Blanks() {
		p.patternSize(&pat)
	}
	p.Pos = len(p.In)
	step := Step{in: p.In, at: start, text: text, name: "rearrange"}
	step.op = &operation{usage: "b c h w -> b h w c", torch: meaning{"", func(v *viewing) { v.rearrangeTo(&pat) }}}
	if p.Err == nil {
		p.Fault(step.checkPattern(&pat))
	}
	return step
}

// arrow reads the arrow between the sides.
func (p Parser) arrow() {
	if !p.Take("->") {
		p.Fail(p.Pos, "such as b c h w -> b h w c", "expected ->")
	}
}

// patternSize reads the size of an axis, h2=2, and the comma before it.
func (p Parser) patternSize(pat *pattern) {
	if !p.Take(",") {
		p.Fail(p.Pos, "such as b c h w -> b h w c", "%q does not belong to the pattern", p.Rest())
	}
	p.Blanks()
	at := p.Pos
	name := p.Span(lexer.IsWord)
	if p.Blanks(); !lexer.IsName(name) || !p.Take("=") {
		p.Fail(at, "such as h2=2", "expected the size of an axis")
	}
	p.Blanks()
	pat.sizes[name] = p.Digits()
}

// side reads one side of a pattern.
func (p Parser) side(stops string) (places [][]patternAxis) {
	open := -1
	for p.Blanks(); !p.Done() && strings.IndexByte(stops, p.Peek()) < 0; p.Blanks() {
		at := p.Pos
		switch name := p.Span(lexer.IsWord); {
		case name != "" && (lexer.IsName(name) || name == "1"), name == "" && p.Take(ellipsis):
			axis := patternAxis{at, p.In[at:p.Pos]}
			if open >= 0 {
				places[len(places)-1] = append(places[len(places)-1], axis)
			} else {
				places = append(places, []patternAxis{axis})
			}
		case name == "" && open < 0 && p.Take("("):
			open = at
			places = append(places, nil)
		case name == "" && open >= 0 && p.Take(")"):
			open = -1
		default:
			p.Pos = at
			p.Fail(at, "such as b c h w -> b h w c", "%q is not an axis of a pattern", p.Rest())
		}
		if len(places) > layout.MaxRank {
			p.Fail(at, "", "more than %d axes", layout.MaxRank)
		}
	}
	if open >= 0 {
		p.Fail(open, "", "the bracket that starts here does not end")
	}
	return places
}

// checkPattern returns an error unless both sides of a pattern have the same axes, each once.
func (s Step) checkPattern(pat *pattern) error {
	left, right := slices.Concat(pat.left...), slices.Concat(pat.right...)
	for i, side := range [][]patternAxis{left, right} {
		other := right
		if i == 1 {
			other = left
		}
		for k, a := range side {
			same := func(b patternAxis) bool { return b.name == a.name }
			switch {
			case a.name == "1":
			case slices.ContainsFunc(side[:k], same):
				return s.failAt(a.at, "", "axis %s is twice on one side", a.name)
			case !slices.ContainsFunc(other, same) && i == 0:
				const msg = "axis %s is missing after the arrow: a reduction makes other elements"
				return s.failAt(a.at, "", msg, a.name)
			case !slices.ContainsFunc(other, same):
				return s.failAt(a.at, "", "axis %s is missing before the arrow", a.name)
			}
		}
	}
	for name := range pat.sizes {
		if !slices.ContainsFunc(left, func(a patternAxis) bool { return a.name == name }) {
			return s.failAt(s.at, "", "the pattern has no axis %s", wording.Clip(name))
		}
	}
	for _, place := range slices.Concat(pat.left, pat.right) {
		if len(place) > 1 && slices.ContainsFunc(place, func(a patternAxis) bool { return a.name == ellipsis }) {
			return s.failAt(place[0].at, "write the axes", "an ellipsis in brackets is not supported")
		}
	}
	return nil
}

// rearrangeTo applies a pattern: it splits, permutes and merges axes.
func (v *viewing) rearrangeTo(pat *pattern) {
	left, right := v.filled(pat.left, pat), v.filled(pat.right, pat)
	if v.err != nil {
		return
	}
	if len(left) != len(v.axes) {
		v.refuse("", "the pattern has %s before the arrow, and the tensor %d", wording.Count(len(left), "axis"),
			len(v.axes))
		return
	}
	var sizes []int64
	var names []string
	for i, place := range left {
		for k, size := range v.placeSizes(place, v.axes[i].Size(), pat) {
			if place[k].name != "1" {
				sizes, names = append(sizes, size), append(names, place[k].name)
			}
		}
	}
	if v.err != nil {
		return
	}
	if !slices.Equal(sizes, v.sizes()) {
		v.resize(sizes, "")
	}
	var order []int
	var merged []int64
	for _, place := range right {
		size := int64(1)
		for _, a := range place {
			if i := slices.Index(names, a.name); i >= 0 {
				order = append(order, i)
				size *= sizes[i]
			}
		}
		merged = append(merged, size)
	}
	if v.err == nil {
		v.rearrange(order)
	}
	if !slices.Equal(merged, v.sizes()) {
		v.resize(merged, "")
	}
}

// filled returns the positions, with one for each axis that an ellipsis stands for.
func (v *viewing) filled(places [][]patternAxis, pat *pattern) [][]patternAxis {
	var all [][]patternAxis
	for _, place := range places {
		if len(place) != 1 || place[0].name != ellipsis {
			all = append(all, place)
			continue
		}
		for i := range len(v.axes) - (len(pat.left) - 1) {
			all = append(all, []patternAxis{{place[0].at, ellipsis + strconv.Itoa(i)}})
		}
	}
	return all
}

// placeSizes returns the sizes of the axes in one position. At most one of them may be missing.
func (v *viewing) placeSizes(place []patternAxis, size int64, pat *pattern) []int64 {
	sizes := make([]int64, len(place))
	known, open := int64(1), -1
	for i, a := range place {
		n, given := pat.sizes[a.name]
		switch {
		case a.name == "1":
			n = 1
		case !given && open >= 0:
			v.failAt(a.at, "such as b (h h2) -> b h h2, h2=2", "the sizes of %s and %s are both not given",
				place[open].name, a.name)
			return sizes
		case !given:
			open = i
			continue
		}
		sizes[i] = n
		known = v.times("the size of the axes in brackets", known, n)
	}
	switch {
	case v.err != nil:
	case open >= 0 && known > 0 && size%known == 0:
		sizes[open] = size / known
	case open >= 0 || known != size:
		at := v.at
		if len(place) > 0 {
			at = place[0].at
		}
		v.failAt(at, "", "%d does not make an axis of size %d", known, size)
	}
	return sizes
}

// Letters returns a letter for each axis of a pattern that only permutes axes, in the order before the arrow and after
// it. The letters are the names in the pattern, or the alphabet if a name is longer.
func Letters(text string) (from, to string, err error) {
	p, err := newParser(text)
	if err != nil {
		return "", "", err
	}
	const alphabet, hint = "abcdefghijklmnopqrstuvwxyz", "the command view takes any pattern"
	var before, after []string
	for _, place := range p.side("-") {
		if len(place) != 1 {
			p.Fail(0, hint, "axes in brackets have no sizes of their own here")
			break
		}
		before = append(before, place[0].name)
	}
	p.arrow()
	for _, a := range slices.Concat(p.side(",")...) {
		if a.name != "1" {
			after = append(after, a.name)
		}
	}
	if !p.Done() {
		p.Fail(p.Pos, "", "%q does not belong to the pattern", p.Rest())
	}
	sorted := func(names []string) []string { return slices.Sorted(slices.Values(names)) }
	if !slices.Equal(sorted(before), sorted(after)) || slices.Contains(before, ellipsis) {
		p.Fail(0, hint, "the two sides do not have the same axes")
	}
	if len(before) > len(alphabet) {
		p.Fail(0, hint, "the pattern has %d axes, more than there are letters", len(before))
	}
	if p.Err != nil {
		return "", "", p.Err
	}
	if from = strings.ToUpper(strings.Join(before, "")); len(from) != len(before) {
		from = alphabet[:len(before)]
	}
	for _, name := range after {
		to += string(from[slices.Index(before, name)])
	}
	return from, to, nil
}
