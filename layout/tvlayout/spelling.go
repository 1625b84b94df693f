package tvlayout

import (
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
)

// plain returns the name without the parts that are not words, which it reads: the selectors {byte-id,thread-id} of
// scales, the arguments of a CuTe template, and the colons of kind::mxf4. The offsets of the words do not change.
func (n *name) plain() string {
	text := n.In
	if at := strings.IndexByte(text, '{'); at >= 0 && strings.HasSuffix(text, "}") {
		parts := strings.Split(text[at+1:len(text)-1], ",")
		for i := range parts {
			id, err := lexer.ParseNumber(strings.TrimSpace(parts[i]))
			if err != nil || len(parts) != len(n.selectors) || id > 3 {
				n.Fail(at, "such as :SFA{0,1}", "the selectors of scales are byte-id and thread-id, from 0 to 3")
				return text
			}
			n.selectors[i] = id
		}
		text = text[:at]
	}
	if at := strings.IndexByte(text, '<'); at >= 0 {
		end := strings.LastIndexByte(text, '>')
		if end < at {
			n.Fail(at, "", "the bracket is not closed")
			return text
		}
		n.arguments(text[at+1:end], strings.ToLower(text[:at]))
		text = text[:at] + strings.Repeat(" ", end+1-at) + text[end+1:]
	}
	return strings.ReplaceAll(text, "::", "..")
}

// arguments takes the arguments of a template: the sizes of SM100_MMA_F16BF16_SS<..., M, N, ...>, and the types and the
// columns of a scale of SM120_16x8x64_TN_VS<..., 16>.
func (n *name) arguments(text, template string) {
	var numbers []int64
	for arg := range strings.SplitSeq(text, ",") {
		if number, err := lexer.ParseNumber(strings.TrimSpace(arg)); err == nil {
			numbers = append(numbers, number)
		}
	}
	switch {
	case strings.HasPrefix(template, "sm100_mma") && len(numbers) > 1:
		n.shape = numbers[:2]
	case strings.HasPrefix(template, "sm120_16x8x32") && strings.Contains(template, "_vs"):
		n.kind = "mxf8f6f4"
	case strings.HasPrefix(template, "sm120_16x8x64") && len(numbers) > 0 && numbers[len(numbers)-1] == 16:
		n.kind, n.vec = "mxf4nvf4", "4x"
	case strings.HasPrefix(template, "sm120_16x8x64"):
		n.kind = "mxf4"
	case strings.HasPrefix(template, "sm120_16x8x32"):
		n.kind = "f8f6f4"
	}
}

// pair reads the sizes of a result, m128n256.
func (n *name) pair(text string) bool {
	s := lexer.Scanner{In: text}
	var shape []int64
	for _, letter := range []string{"m", "n"} {
		if !s.Take(letter) {
			return false
		}
		size, err := lexer.ParseNumber(s.Span(lexer.IsDigit))
		if err != nil || size < 1 {
			return false
		}
		shape = append(shape, size)
	}
	if s.Take("k") {
		s.Span(lexer.IsDigit)
	}
	if !s.Done() {
		return false
	}
	n.shape = shape
	return true
}

// size returns the number of indices along an axis: all lanes of a warp, even if some hold nothing.
func (o *Ownership) size(axis int) int64 {
	switch {
	case axis == Lane && o.lanes != nil:
		return warpLanes
	case axis == Value:
		return o.layout.Axis(axis).Size() + o.firstValue
	}
	return o.layout.Axis(axis).Size()
}

// Axis returns the name of an axis of the layout and the number of indices along it.
func (o *Ownership) Axis(axis int) (name string, size int64) {
	return o.layout.AxisName(axis), o.size(axis)
}

// isWhole reports whether the layout is complete: each lane holds elements, and each value is one element.
func (o *Ownership) isWhole() bool { return o.lanes == nil && o.grouped == 0 }

// CheckWhole returns an error for an ownership that other notations cannot express.
func (o *Ownership) CheckWhole() error {
	if o.isWhole() {
		return nil
	}
	const msg = "%s is not a layout from threads and values: it has scales, or elements in several places"
	return lexer.Refuse("ask for an index or a lane", msg, o.name)
}

// place changes the indices in holder from the layout's to the instruction's. The layout counts only lanes that hold
// elements.
func (o *Ownership) place(holder []int64) {
	if o.lanes != nil {
		holder[Lane] = o.lanes[holder[Lane]]
	}
	holder[Value] += o.firstValue
}

// groupIndex sets at to the first column of the piece of a number.
func (o *Ownership) groupIndex(at []int64, number int64) {
	pieces := o.tile.Axis(1).Size() / o.grouped
	at[0], at[1] = number/pieces, number%pieces*o.grouped
}

// tileNumbers returns how many numbers the elements of the tile have.
func tileNumbers(tile layout.Layout) int64 {
	_, high := tile.Bounds()
	return high + 1
}
