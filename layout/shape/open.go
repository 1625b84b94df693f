package shape

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// ParseOpenShape reads sizes, including unknown ones: a name, ? or None replaces the number. Names of sizes other than
// the first begin with a capital letter. A last name with one letter for each size before it is a layout.
func ParseOpenShape(text string) (List, error) {
	kind := lexer.IntKind{Noun: "size", Example: "1x3x224x224"}
	list, err := parseList(text, listKind{IntKind: kind, times: true, units: true, open: true})
	isWord := func(symbol string) bool { return symbol != "" && symbol[0] >= 'a' }
	last := max(len(list.open)-1, 0)
	isLayout := last > 1 && len(list.open[last]) == last
	if err == nil && (isLayout || !slices.Contains(list.open, "") || strings.Join(list.open, "") == "" ||
		list.open[0] == "" && slices.ContainsFunc(list.open, isWord)) {
		return List{}, lexer.Refuse("", "some sizes are numbers, and some are not known")
	}
	return list, err
}

// symbol reads a name instead of a number, and returns an empty string if there is no name. An x may end the name.
func (p *listParser) symbol() string {
	start := p.Pos
	if p.Take("?") {
		return "?"
	}
	isTimes := p.Peek()|0x20 == 'x' && p.Pos+1 < len(p.In) && lexer.IsDigit(p.In[p.Pos+1])
	if !lexer.IsLetter(p.Peek()) || isTimes {
		return ""
	}
	for p.Pos < len(p.In) && lexer.IsWord(p.In[p.Pos]) {
		p.Pos++
		if p.Peek() == 'x' && p.Pos+1 < len(p.In) {
			next := p.In[p.Pos+1]
			if lexer.IsDigit(next) || next == '?' || 'A' <= next && next <= 'Z' || p.separator == "x" {
				break
			}
		}
	}
	if p.Pos-start > maxName {
		p.Fail(start, "", "a name of %d letters is over the limit of %d", p.Pos-start, maxName)
	}
	word := p.In[start:p.Pos]
	if _, isBlock, _ := layout.FindBlock(word); isBlock || layout.IsDType(word) {
		p.Fail(start, "-t "+word, "%s is an element type", word)
	}
	if word == "None" {
		return "?"
	}
	return word
}

// Open returns the names of the unknown sizes, with an empty string for each known size, or nil if all are known.
func (l List) Open() []string { return l.open }

// Filled reports whether [List.Fill] has set sizes that were open.
func (l List) Filled() bool { return l.filled }

// Fill returns the list with values for open sizes: by name, or for each ? in order.
func (l List) Fill(values []int64, names map[string]int64) (List, error) {
	filled, open := l, false
	filled.values = l.Values()
	for i, symbol := range l.open {
		v, ok := names[symbol]
		if symbol == "?" && len(values) > 0 {
			v, values, ok = values[0], values[1:], true
		}
		switch {
		case symbol == "":
		case !ok:
			open = true
		case v < 0:
			return l, l.fail(i, "", "a size cannot be negative")
		default:
			filled.values[i], filled.filled = v, true
		}
	}
	switch {
	case len(values) > 0 || !filled.filled:
		return l, l.fail(0, "", "--dim gives sizes that are not open here").(*lexer.SyntaxError).LeaveOut("--dim")
	case open:
		return l, l.fail(0, "--dim N=8,H=8", "--dim leaves sizes open")
	}
	filled.open = nil
	return filled, nil
}

// An OpenError is the error if a tensor has an unknown size that the request needs.
type OpenError struct {
	*lexer.SyntaxError
	Each Each
}

// Unwrap returns the error without the tensors.
func (e *OpenError) Unwrap() error { return e.SyntaxError }

// An Each is a tensor with an unknown size of its outermost axis. Its strides are the same for every size.
type Each struct {
	Tensors [3]layout.Tensor // the tensors for the sizes 1, 2 and 3
	Axis    int
	Symbol  string
	Notes   []string // from the input that describes the tensor
}

// FindAxis finds the axis that has the sizes 1, 2 and 3, and reports whether the layouts are otherwise equal.
func (e *Each) FindAxis() bool {
	first, second := e.Tensors[0].Layout(), e.Tensors[1].Layout()
	sizes, others := first.Sizes(), second.Sizes()
	e.Axis = 0
	for e.Axis < len(sizes) && e.Axis < len(others) && sizes[e.Axis] == others[e.Axis] {
		e.Axis++
	}
	if len(sizes) != len(others) || e.Axis == len(sizes) {
		return false
	}
	for n, t := range e.Tensors {
		l := t.Layout()
		strides, ok := l.Strides()
		want, _ := first.Strides()
		if sizes[e.Axis] = int64(n + 1); !ok || !slices.Equal(strides, want) || !slices.Equal(l.Sizes(), sizes) ||
			l.Base() != first.Base() {
			return false
		}
	}
	return true
}

// openFault returns the error for a tensor with open sizes. It has the tensors if the strides do not depend on these
// sizes.
func (s Spec) openFault() error {
	known := s
	known.Shape.open = nil
	p, err := known.plan()
	if err != nil {
		return err
	}
	isGiven := s.Strides != nil || s.ruled() || s.Swizzle != nil || s.Name != nil && s.Name.strides != nil
	at := 0
	for i, symbol := range s.Shape.open {
		axis := p.written[i]
		switch {
		case symbol == "":
		case isGiven:
			return s.unknownSize(i, "the size "+symbol+" is needed where strides are given or changed")
		case p.memory[0] != axis || p.isBlocked(axis):
			return s.unknownSize(i, "the strides need the size "+symbol+": its axis is not the outermost in memory")
		default:
			at = i
		}
	}
	e := Each{Axis: p.written[at], Symbol: s.Shape.open[at]}
	for n := range e.Tensors {
		known.Shape.values = s.Shape.Values()
		known.Shape.values[at] = int64(n + 1)
		if e.Tensors[n], err = known.Tensor(); err != nil {
			return err
		}
	}
	step := e.Tensors[0].Layout().Axis(e.Axis).Digit(0).Stride
	msg := fmt.Sprintf("the size %s is not known: %s for each", e.Symbol, wording.Count(e.Tensors[0].Bytes(step),
		"byte"))
	return &OpenError{s.unknownSize(at, msg), e}
}

// isBlocked reports whether blocks divide the axis.
func (p *plan) isBlocked(axis int) bool {
	return slices.ContainsFunc(p.blocks, func(b planBlock) bool { return b.axis == axis })
}

// unknownSize returns an error at item i, with a hint that has values for all open sizes.
func (s *Spec) unknownSize(i int, msg string) *lexer.SyntaxError {
	var values []string
	for _, symbol := range s.Shape.open {
		switch value := symbol + "=8"; {
		case symbol == "?":
			values = append(values, "8")
		case symbol != "" && !slices.Contains(values, value):
			values = append(values, value)
		}
	}
	err := s.Shape.fail(i, "a number in its place, or --dim "+strings.Join(values, ","), "%s", msg).(*lexer.SyntaxError)
	err.Change.Flag, err.Change.Value = "--dim", strings.Join(values, ",")
	return err
}
