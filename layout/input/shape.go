package input

import (
	"cmp"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/wording"
)

// IsLayout reports whether text is the name of a layout, and not an index, which may be labelled, strides, or a type
// such as memref<...>.
func IsLayout(text string) bool {
	text = strings.TrimPrefix(text, "[")     // OpenVINO writes [N,C,H,W]
	isSentence := lexer.Like(text, "*== 0*") // TensorRT writes: where channel % 8 == 0
	return text != "" && lexer.IsLetter(text[0]) && (isSentence || !strings.ContainsAny(text, "=<"))
}

// shape tests whether the text is a shape.
func (c *candidate) shape() reader {
	text := c.trimmed()
	sizes, last := cutName(text)
	isTimes := len(last) > 1 && last[0] == 'x' && lexer.IsDigit(last[1])           // as in 2 x3
	isSize := isTimes || len(last) > 2 && last[1] == ':' && lexer.IsDigit(last[2]) // as in N:2 C:3
	var s Shaped
	var ok bool
	if list, labels := labelled(text, sizes, last); labels != nil {
		if s.Sizes, ok = c.sizes(list); ok {
			s.Layout = labels
		}
	}
	switch {
	case ok:
	case sizes == "" || isSize || !IsLayout(last):
		s.Sizes, ok = c.sizes(text)
	case layout.IsDType(last):
		s.Type, _ = layout.ParseDType(last)
		s.Typed = true
		s.Sizes, ok = c.list(sizes)
	default:
		if s.Sizes, ok = c.list(sizes); ok {
			name, err := shape.ParseName(last)
			s.Layout, ok = &name, err == nil
			if f := imageFormat(last, s.Sizes); err != nil && f != nil {
				s.Layout, s.Format, ok = nil, f, true
			}
		}
	}
	if !ok {
		return nil
	}
	var err error
	if s.Sizes.Open() != nil && c.options.isOpen() {
		s.Sizes, err = s.Sizes.Fill(c.options.Dims, c.options.Names)
	}
	c.Shaped = s
	return func(*candidate) error { return cmp.Or(err, notSizes(text, s)) }
}

// labelled returns the sizes and the layout of text if the letters of the layout label the sizes, before a colon or in
// parentheses: NCHW: 1x3x4x5, [1,3,4,5] (NCHW). The layout is nil if there are no labels.
func labelled(text, sizes, last string) (list string, labels *shape.Name) {
	word, after := last, sizes
	if len(last) < 2 || last[0] != '(' || !lexer.IsLetter(last[1]) {
		if word, after, _ = strings.Cut(text, ":"); after == "" {
			return "", nil
		}
	}
	n, err := shape.ParseLabels(trimRight(word))
	if err != nil || len(word) < 2 {
		return "", nil
	}
	return string(blankless([]byte(after))), &n
}

// cutName splits text into sizes and the name after them: the words of a TensorRT format, the type of 2x3xf32, or the
// last word.
func cutName(text string) (sizes, name string) {
	isWord := func(i int) bool { return lexer.IsLetter(text[i]) && lexer.IsLetter(text[i+1]) }
	for i := 1; i < len(text)-1; i++ {
		if !isBlank(text[i-1]) || !isWord(i) {
			continue
		}
		if shape.IsSentence(text[i:]) {
			return trimRight(text[:i]), text[i:]
		}
		break
	}
	if i := strings.LastIndexByte(text, 'x'); i > 0 && i+1 < len(text) && lexer.IsLetter(text[i+1]) {
		if layout.IsDType(text[i+1:]) {
			return text[:i], text[i+1:]
		}
	}
	return lastWord(text)
}

// imageFormat returns the image format that a word after a size names, or nil for other words.
func imageFormat(word string, size shape.List) *shape.Format {
	if f := shape.FindFormat(word); f != nil && f.Fits(size) {
		return f
	}
	return nil
}

// TakeFormat makes a Shape the size of an image if word is an image format, and reports whether it is.
func (in *Input) TakeFormat(word string) bool {
	if in.Kind != Shape || in.Layout != nil || in.Format != nil || in.Typed {
		return false
	}
	in.Format = imageFormat(word, in.Sizes)
	return in.Format != nil
}

// Image returns the image of a Shape with a Format, using the flags of a Spec.
func (in *Input) Image(flags shape.Spec) (*shape.Image, error) {
	flags.Shape = in.Sizes
	return in.Format.Image(flags)
}

// Plane returns the plane with a name, which may be empty if there is only one.
func (in *Input) Plane(image *shape.Image, name string) (p shape.ImagePlane, err error) {
	c := choice{in: in, want: name}
	c.offerPlanes(image, func(chosen shape.ImagePlane) { p = chosen })
	_, err = c.made()
	return p, err
}

// offerImage offers the planes of an image, without flags that change it.
func (in *Input) offerImage(c *choice) {
	image, err := in.Image(shape.Spec{DType: in.options.DType, Typed: in.options.Typed})
	if err != nil {
		c.err = err
		return
	}
	c.offerPlanes(image, func(shape.ImagePlane) {})
}

// offerPlanes offers the planes of an image, and calls chosen with the selected one.
func (c *choice) offerPlanes(image *shape.Image, chosen func(shape.ImagePlane)) {
	for _, p := range image.Planes {
		c.offer(p.Name, 0, func() (Tensor, error) {
			chosen(p)
			return Tensor{Tensor: p.Tensor, Typed: true, Notes: image.Notes}, nil
		})
	}
}

// noAxes are patterns of names of numbers that describe a window, a slice or a launch. No axis has such a name.
var noAxes = [...]string{
	"*stride", "*strides", "*padding", "*pad", "*pads", "*dilation", "*offset", "axis", "dim", "start", "end",
	"num_warps", "num_stages", "num_ctas", "num_workers",
}

// notSizes returns an error if labelled sizes are part of a program: batch_size=32 alone, or num_warps=4, num_stages=2.
func notSizes(text string, s Shaped) error {
	labels := s.Sizes.Labels()
	for i, label := range labels {
		if lexer.Like(strings.ToLower(label), noAxes[:]...) {
			return &layout.SyntaxError{Input: text, Offset: s.Sizes.At(i),
				Msg: wording.Clip(label) + " is not the name of an axis", Hint: "such as N=1,C=3,H=224,W=224"}
		}
	}
	if len(labels) != 1 || s.Layout != nil || s.Typed || len(labels[0]) == 1 && text[len(text)-1] != ',' {
		return nil
	}
	size := strconv.FormatInt(s.Sizes.Values()[0], 10)
	return &layout.SyntaxError{Input: text, Msg: "one name with a number is an assignment, not a shape",
		Hint: "write a shape of one size as " + size + ", or with a letter: N=" + size}
}

// lastWord splits off the last word of text.
func lastWord(text string) (before, word string) {
	i := len(text)
	for i > 0 && !isBlank(text[i-1]) {
		i--
	}
	return trimRight(text[:i]), text[i:]
}

// sizes reads sizes, optionally after the name of an attribute: shape=(2, 3), size: [2, 3].
func (c *candidate) sizes(text string) (list shape.List, ok bool) {
	p := lexer.Scanner{In: text}
	if p.Peek() != 's' {
		return c.list(text)
	}
	word := p.Span(lexer.IsWord)
	p.Blanks()
	mark := p.Peek()
	if mark != '=' && mark != ':' || word != "shape" && word != "sizes" && word != "size" {
		return c.list(text)
	}
	p.Pos++
	p.Blanks()
	if mark == '=' && lexer.IsDigit(p.Peek()) { // size=3,c=4 has two labels
		if list, ok = c.list(text); ok {
			return list, true
		}
	}
	list, ok = c.list(text[p.Pos:])
	return list, ok && list.Labels() == nil
}

// isWhole reports whether text is one line that the shell has not split.
func (c *candidate) isWhole(text string) bool { return !c.isTrial && strings.IndexByte(text, '\n') < 0 }

// list reads a list of sizes. On one line, some may be open.
func (c *candidate) list(text string) (list shape.List, ok bool) {
	if list, ok = c.numbers(text); ok || !c.isWhole(text) {
		return list, ok
	}
	p := lexer.Scanner{In: text}
	p.Take("torch.Size")
	p.Span(func(c byte) bool { return isAny(c, "([{ ") })
	if !p.Take("?") {
		p.Span(lexer.IsWord)
	}
	if p.Blanks(); !p.Done() && !isAny(p.Peek(), ",x?") { // most inputs in other notations
		return list, false
	}
	list, err := shape.ParseOpenShape(text)
	return list, err == nil
}

// numbers reads a list of known sizes. It fails if the text starts with a word that is not a label.
func (c *candidate) numbers(text string) (list shape.List, ok bool) {
	p := lexer.Scanner{In: text}
	if !lexer.IsDigit(p.Peek()) && !p.Take("torch.Size") {
		p.Span(func(c byte) bool { return isAny(c, "([{ \t\r\n") })
		word := p.Span(lexer.IsWord)
		p.Blanks()
		isColon := len(word) == 1 && word[0] <= 'Z' && p.Peek() == ':'
		if word == "" && !p.Done() && !isAny(p.Peek(), ")]}") ||
			word != "" && !lexer.IsDigit(word[0]) && p.Peek() != '=' && !isColon {
			return list, false
		}
	}
	c.readings++
	parse := shape.ParseShape
	if c.isWhole(text) {
		parse = shape.ParseSpacedShape
	}
	list, err := parse(text)
	return list, err == nil
}

// shapeFault returns the error for text, which is neither in a notation nor a shape.
func shapeFault(text string) error {
	before, last := lastWord(text)
	read := text
	if before != "" && (IsLayout(last) || layout.IsDType(last)) {
		read = before
	}
	_, err := shape.ParseShape(read)
	if err == nil { // the layout after the sizes is wrong
		_, err = shape.ParseName(last)
	}
	if _, wrong := shape.ParseName(before); read == text && wrong == nil && IsLayout(before) {
		if _, late := shape.ParseShape(last); late == nil {
			return &layout.SyntaxError{Input: text, Offset: len(text) - len(last), Msg: "the shape comes first",
				Hint: "write " + wording.Clip(last) + " " + wording.Clip(before)}
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
			Hint: "give one shape, and the name of its layout: 2x3 HW"}
	}
	return err
}

// shaped returns the tensor of a Shape.
func (in *Input) shaped() (Tensor, error) {
	of := shape.Spec{Shape: in.Sizes, Name: in.Layout, DType: in.options.DType}
	if in.Typed {
		of.DType = in.Type
	}
	t, err := of.Tensor()
	return Tensor{Tensor: t, Typed: in.Typed, Notes: of.Notes(in.Name != "")}, err
}
