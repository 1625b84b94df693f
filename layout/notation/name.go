package notation

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
)

// tensorRTTypes are the types that precede strides in vectors in TensorRT's logs: Half(100352,50176:2,224,1).
var tensorRTTypes = [...]string{"Half", "Float", "Int8", "Int32", "BFloat16"}

// tensorRTStrides returns the token of the type before strides in vectors, as in a TensorRT log, or -1 if the input has
// no such type.
func (r *reader) tensorRTStrides() int {
	tokens := r.Tokens()
	for i, t := range tokens[:len(tokens)-1] {
		next := tokens[i+1]
		if !slices.Contains(tensorRTTypes[:], r.Text(t)) || !r.isAfter(i, "") || r.Text(next) != "(" ||
			next.Gap != lexer.None {
			continue
		}
		k := i + 2
		for tokens[k].Kind == lexer.Number || r.isOneOf(k, ",:") {
			k++
		}
		if k > i+2 && r.Text(tokens[k]) == ")" {
			return int(t.At)
		}
	}
	return -1
}

// isNamed reports whether the input is a shape and a word: it has no marks except those in lists and labels.
func (r *reader) isNamed() bool {
	tokens := r.Tokens()
	last := len(tokens) - 2
	for last > 0 && tokens[last].Gap == lexer.None {
		last--
	}
	labelled, listed := false, false
	for i, t := range tokens[:len(tokens)-1] {
		switch {
		case t.Kind == lexer.String, r.isOneOf(i, "<:/'"), i >= last && last > 0 && r.isOneOf(i, "(){}=;,"):
			return false
		case r.isOneOf(i, "="):
			labelled = true
		case r.isOneOf(i, "()[];%"):
			listed = true
		}
	}
	if last < 1 {
		return len(tokens) == 2
	}
	if labelled && listed || !lexer.IsLetter(r.In[tokens[last].At]) {
		return false
	}
	first := r.In[0]
	return labelled || lexer.IsDigit(first) || first == '(' || first == '[' || first == '{' || r.Is("torch")
}

func readName(r *reader) {
	text := strings.TrimRight(r.In, " ")
	at, dtype, typed := strings.LastIndexByte(text, ' ')+1, r.options.DType, false
	word, list, listAt := text[at:], text[:at], 0
	switch parts := strings.Split(text, ":"); {
	case len(parts) == 4 && parts[3] == "nopad": // as OpenVINO prints it: f16:bfyx:1x3x224x224:nopad
		at, word, list = len(parts[0])+1, parts[1], parts[2]
		dtype, typed, listAt = r.typeAt(0, parts[0]), true, at+len(word)+1
	case r.tensorRTStrides() >= 0:
		at := r.tensorRTStrides()
		if _, err := shape.ParseShape(strings.TrimRight(r.In[:at], " ")); err != nil || at == 0 {
			r.Fail(at, "write them before it: 1x3x224x224 "+r.In[at:at+strings.IndexByte(r.In[at:], ')')+1],
				"TensorRT lists strides here, and the text does not say the sizes")
			return
		}
	case !r.isNamed() && r.isForeign():
		return
	}
	name, err := shape.ParseName(word)
	r.Within(at, err)
	sizes, err := shape.ParseShape(strings.TrimRight(list, " "))
	r.Within(listAt, err)
	s := shape.Spec{Shape: sizes, Name: &name, DType: dtype}
	t, err := s.Tensor()
	if e, ok := err.(*layout.SyntaxError); ok && e.Input != word {
		at = listAt // the error is in the shape
	}
	r.Within(at, err)
	r.Pos = len(r.In)
	r.add(Descriptor{Tensor: t, Typed: typed, Skipped: s.Notes(true)})
}

// writeName writes SHAPE LAYOUT. If the name implies another order of the sizes, each size gets its letter.
func writeName(t layout.Tensor) (string, error) {
	l := t.Layout()
	g, err := tagOf(t, true)
	if err != nil {
		return "", err
	}
	all := shape.Letters(l)
	if all == "" || len(all) > 26 {
		return writeWord(t, g)
	}
	letters := strings.Split(all, "")
	text := g.text(letters)
	name, err := shape.ParseName(text)
	if err != nil {
		return "", err
	}
	sizes := l.Sizes()
	if again, err := (shape.Spec{Shape: shape.NewList(sizes, nil), Name: &name}).Tensor(); err == nil &&
		slices.Equal(again.Layout().AxisNames(), letters) {
		return layout.JoinInts(sizes, "x") + " " + text, nil
	}
	return shape.NewList(sizes, letters).String() + " " + text, nil
}

// writeWord writes the name of a tensor with axes that have no letters, or with no axes.
func writeWord(t layout.Tensor, g tag) (string, error) {
	l := t.Layout()
	word := " row-major"
	if strides, _ := l.LinearStrides(); len(g.blocks) > 0 || !packedIn(l, strides, false) {
		if word = " column-major"; len(g.blocks) > 0 || !packedIn(l, strides, true) {
			return "", lost(t, "the notation has a letter for each axis, and these axes have none")
		}
	}
	switch {
	case l.Rank() == 0:
		return "[]" + word, nil
	case !l.Named():
		return layout.JoinInts(l.Sizes(), "x") + word, nil
	}
	return shape.NewList(l.Sizes(), l.AxisNames()).String() + word, nil
}
