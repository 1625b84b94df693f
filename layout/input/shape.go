package input

import (
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/shape"
)

// IsLayout tells the name of a layout from an index, which may be labelled, and from strides.
func IsLayout(text string) bool {
	text = strings.TrimPrefix(text, "[") // of OpenVINO's [N,C,H,W]
	return text != "" && scan.IsLetter(text[0]) && !strings.Contains(text, "=")
}

// isShape reports whether the text is a shape.
func (c *candidate) isShape() bool { return c.shaped() != nil }

func (c *candidate) readShape() (*Input, error) {
	in := c.input(Shape)
	in.Shaped = *c.shaped()
	return in, nil
}

// shaped returns the shape that the text is, nil for other texts.
func (c *candidate) shaped() *Shaped {
	return c.shape.get(func() *Shaped {
		s, ok := &c.sized, false
		text := c.trimmed()
		sizes, last := lastWord(text)
		isTimes := len(last) > 1 && last[0] == 'x' && scan.IsDigit(last[1]) // as in 2 x3
		switch {
		case sizes == "" || isTimes || !IsLayout(last):
			ok = c.parseSizes(text, s)
		case layout.IsDType(last):
			s.Type, _ = layout.ParseDType(last)
			s.Typed, ok = true, c.parse(sizes, s)
		default:
			if ok = c.parse(sizes, s); ok {
				name, err := shape.ParseName(last)
				s.Layout, ok = &name, err == nil
			}
		}
		if !ok {
			return nil
		}
		return s
	})
}

// lastWord cuts the last word off a text.
func lastWord(text string) (before, word string) {
	i := strings.LastIndexAny(text, " \t\r\n")
	return strings.TrimRight(text[:max(i, 0)], " \t\r\n"), text[i+1:]
}

// parseSizes reads sizes, perhaps after the name of the attribute that has them: shape=(2, 3), size: [2, 3].
func (c *candidate) parseSizes(text string, s *Shaped) bool {
	p := scan.Scanner{In: text}
	word := p.Span(scan.IsWord)
	p.Blanks()
	mark := p.Peek()
	if mark != '=' && mark != ':' || word != "shape" && word != "sizes" && word != "size" {
		return c.parse(text, s)
	}
	p.Pos++
	p.Blanks()
	return mark == '=' && scan.IsDigit(p.Peek()) && c.parse(text, s) || // size=3,c=4 has two labels
		c.parse(text[p.Pos:], s) && s.Sizes.Labels() == nil
}

// parse reads sizes. A text that begins with a word other than a label is none.
func (c *candidate) parse(sizes string, s *Shaped) bool {
	p := scan.Scanner{In: sizes}
	isSize := p.Take("torch.Size")
	p.Span(func(c byte) bool { return isAny(c, "([{ \t\r\n") })
	word := p.Span(scan.IsWord)
	if p.Blanks(); !isSize && (word == "" && !p.Done() && !isAny(p.Peek(), ")]}") ||
		word != "" && !scan.IsDigit(word[0]) && p.Peek() != '=') {
		return false
	}
	c.readings++
	list, err := shape.ParseShape(sizes)
	s.Sizes = list
	return err == nil
}

// shapeFault is the error of a text that no notation recognises, and that is no shape.
func shapeFault(text string) error {
	before, last := lastWord(text)
	read := text
	if before != "" && (IsLayout(last) || layout.IsDType(last)) {
		read = before
	}
	_, err := shape.ParseShape(read)
	if err == nil { // the layout after it is wrong
		_, err = shape.ParseName(last)
	}
	if _, wrong := shape.ParseName(before); read == text && wrong == nil && IsLayout(before) {
		if _, late := shape.ParseShape(last); late == nil {
			return &layout.SyntaxError{Input: text, Offset: len(text) - len(last), Msg: "the shape comes first",
				Hint: "write " + scan.Clip(last) + " " + scan.Clip(before)}
		}
	}
	line, rest, more := strings.Cut(text, "\n")
	if !more {
		return err
	}
	at := len(text) - len(blankless([]byte(rest)))
	second, _, _ := strings.Cut(text[at:], "\n")
	_, first := shape.ParseShape(line)
	if _, wrong := shape.ParseShape(second); first == nil && wrong == nil {
		return &layout.SyntaxError{Input: text, Offset: at, Msg: "a second shape",
			Hint: "a text has one shape, and the name of its layout: 2x3 HW"}
	}
	return err
}

// tensor returns the tensor of the shape.
func (s *Shaped) tensor(inFile bool, o *Options) (Tensor, error) {
	of := shape.Spec{Shape: s.Sizes, Name: s.Layout, DType: o.DType}
	if s.Typed {
		of.DType = s.Type
	}
	t, err := of.Tensor()
	return Tensor{Tensor: t, Typed: s.Typed, Notes: of.Notes(inFile)}, err
}
