package shape

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// scopes are the enumerations and namespaces that may precede a layout, as in TensorFormat::kCHW32, and the prefixes of
// C constants. The aliases of their system apply.
var scopes = [...]struct{ name, system string }{
	{"TensorFormat", "TensorRT"}, {"format_tag", "oneDNN"}, {"tag", "oneDNN"}, {"MemoryFormat", "PyTorch"},
	{"memory_format", "PyTorch"}, {"DataLayout", "k"}, {"DataFormat", "k"}, {"TensorLayout", "k"},
	{"ACL_FORMAT_", "C"}, {"FORMAT_", "C"}, {"CUDNN_TENSOR_", "C"}, {"miopenTensor", "C"},
	{"XNN_LAYOUT_", "C"}, {"CUBLASLT_ORDER_", "C"}, {"dnnl_", "C"}, {"mkldnn_", "C"},
}

// firstPrefix is the index of the first prefix in scopes.
const firstPrefix = 8

// sentences are TensorRT's descriptions of formats: the words before and after the element type.
var sentences = [...]struct{ before, after, format string }{
	{"row major linear", "", "linear"}, {"two wide channel vectorized row major", "", "chw2"},
	{"four wide channel vectorized row major", "", "chw4"}, {"sixteen wide channel vectorized row major", "", "chw16"},
	{"thirty-two wide channel vectorized row major", "", "chw32"}, {"channel major", "", "hwc"},
	{"channel major", " where channel % 8 == 0", "hwc8"}, {"channel major", " where channel % 16 == 0", "hwc16"},
}

// parseSentence reads TensorRT's description of a format: Channel major FP16 format where channel % 8 == 0.
func parseSentence(text string) (n Name, ok bool, err error) {
	for _, s := range sentences {
		rest, isStart := strings.CutPrefix(strings.ToLower(text), s.before+" ")
		word, rest, _ := strings.Cut(rest, " ")
		rest = strings.Replace(strings.TrimPrefix(" "+rest, " format"), " c %", " channel %", 1)
		d, wrong := layout.ParseDType(word)
		if !isStart || wrong != nil || strings.TrimRight(rest, " ") != s.after {
			continue
		}
		n, err = parseTensorRT(s.format)
		n.dtype, n.typed = d, err == nil
		return n.within(text), true, err
	}
	return Name{}, false, nil
}

// IsSentence reports whether text is TensorRT's description of a format.
func IsSentence(text string) bool {
	const most = 100 // bytes of a sentence
	if len(text) > most {
		return false
	}
	_, ok, _ := parseSentence(text)
	return ok
}

// parseForeign reads a layout as enumerations, options and labels of other systems spell it: TensorFormat::kCHW32,
// fp16:chw32, CUDNN_TENSOR_NHWC, [N,C,H,W]. It reports false for other strings.
func parseForeign(text string) (n Name, ok bool, err error) {
	at := strings.LastIndexAny(text, ".:") + 1
	if strings.IndexByte(text, ' ') > 0 {
		if n, ok, err = parseSentence(text); ok {
			return n, ok, err
		}
	}
	switch {
	case strings.HasSuffix(text, ")"):
		n, err = parseListed(text)
		return n, err == nil || n.typed, err
	case strings.HasPrefix(text, "[") || strings.Contains(text, "..."):
		n, err = ParseLabels(text)
		return n, true, err
	case at > 1 && text[at-1] == ':' && text[at-2] != ':':
		n, err = parseTyped(text, strings.IndexByte(text, ':')+1)
		return n, true, err
	}
	scope := strings.TrimRight(text[:at], ".:")
	scope = scope[strings.LastIndexAny(scope, ".:")+1:]
	for i, s := range scopes {
		if i >= firstPrefix {
			rest, isPrefix := strings.CutPrefix(text[at:], s.name)
			if !isPrefix || rest == "" {
				continue
			}
			at += len(s.name)
		} else if scope != s.name {
			continue
		}
		n, err = parseIn(s.system, text[at:])
		return n.within(text), true, shifted(err, text, at)
	}
	return Name{}, false, nil
}

// parseIn reads a layout as a system spells it.
func parseIn(system, text string) (Name, error) {
	switch {
	case system == "oneDNN":
		return ParseTag(text)
	case system == "TensorRT":
		return parseTensorRT(text)
	case system == "k" && strings.HasPrefix(text, "k") && len(text) > 1 && text[1] < 'a':
		text = text[1:]
	}
	if a, ok := aliasOf(system, text); ok {
		text = a.meaning
	}
	return ParseName(text)
}

// within returns the name as a part of text.
func (n Name) within(text string) Name {
	n.text = text
	return n
}

// shifted converts an error in the part of text that starts at an offset to an error in text.
func shifted(err error, text string, at int) error {
	if e, ok := err.(*lexer.SyntaxError); ok {
		return e.In(text, min(at+e.Offset, len(text)))
	}
	return err
}

// parseTensorRT reads the name of a TensorRT format. Such names do not name axes: chw is row-major.
func parseTensorRT(text string) (Name, error) {
	key := strings.TrimPrefix(strings.ToLower(text), "k")
	if a, ok := aliasOf("TensorRT", key); ok {
		return ParseName(a.meaning)
	}
	if a, err := unalias(key); err == nil && a.kind&leading != 0 {
		return ParseName(key)
	}
	s := lexer.Scanner{In: text}
	const hint = "such as LINEAR, CHW32, HWC8, DHWC8, DLA_HWC4"
	return Name{}, s.Fail(0, hint, "TensorRT has no format %s", wording.Clip(text))
}

// parseTyped reads TYPE:FORMAT, as in the options of TensorRT's trtexec. The format starts at the offset.
func parseTyped(text string, at int) (Name, error) {
	s := lexer.Scanner{In: text}
	d, err := layout.ParseDType(text[:at-1])
	if err != nil {
		return Name{}, shifted(err, text, 0)
	}
	if i := strings.IndexByte(text, '+'); i > at {
		return Name{}, s.Fail(i, "write one of them", "%s allows several formats", wording.Clip(text))
	}
	n, err := parseTensorRT(text[at:])
	n.dtype, n.typed = d, err == nil
	return n.within(text), shifted(err, text, at)
}

// parseListed reads TYPE(STRIDES) from TensorRT's builder log, Half(100352,50176:2,224,1). The strides count vectors; a
// colon after an axis gives the number of its elements in a vector. Errors about other strings have a name without a
// type.
func parseListed(text string) (Name, error) {
	const such = "such as Half(100352,50176:2,224,1)"
	s := lexer.NewReader(text)
	word := s.Span(lexer.IsWord)
	d, err := layout.ParseDType(word)
	if err != nil || !s.Take("(") {
		return Name{}, s.Scanner.Fail(0, "such as NCHW, NHWC", "%q is not a layout name", wording.Clip(text))
	}
	n := Name{text: text, dtype: d, typed: true, vector: 1}
	for more := true; more; more = s.Take(",") {
		n.strides = append(n.strides, s.Integer(lexer.IntKind{Noun: "stride", Example: "50176"}))
		if s.Take(":") {
			at := s.Pos
			if n.along, n.vector = len(n.strides)-1, 0; strings.Count(text, ":") == 1 {
				n.vector = s.Integer(lexer.IntKind{Noun: "vector", Example: "2"})
			}
			if n.vector == 0 {
				s.Fail(at, such, "one axis has vectors of at least one element")
			}
		}
	}
	if s.Rest() != ")" {
		s.Fail(s.Pos, such, "expected a comma or )")
	}
	return n, s.Err
}

// fromStrides returns the tensor for a name that lists strides.
func (s *Spec) fromStrides() (layout.Tensor, error) {
	n, sizes := s.Name, s.Shape.Values()
	switch {
	case len(n.strides) != len(sizes):
		return layout.Tensor{}, n.fail("", "%s for %s", wording.Count(len(n.strides), "stride"),
			wording.Count(len(sizes), "size"))
	case s.ruled() || s.Strides != nil || s.Order != nil || s.Rank != 0:
		return layout.Tensor{}, n.fail("remove the flags", "the layout gives every stride already")
	case s.Typed && s.DType != n.dtype:
		return layout.Tensor{}, n.fail("", "the layout has %v elements, but -t is %v",
			n.dtype, s.DType).LeaveOut("-t")
	case slices.Equal(n.strides, sizes) && slices.Max(sizes) > 1:
		return layout.Tensor{}, n.fail("", "these are the sizes again: the log of an engine lists no strides")
	case n.strides[0] < slices.Max(n.strides):
		return layout.Tensor{}, n.fail("write them in the order of the sizes",
			"the first axis has not the greatest stride: TensorRT before 7.2 lists the last axis first")
	}
	base, err := s.base(n.dtype)
	if err != nil {
		return layout.Tensor{}, err
	}
	axes := make([]layout.Axis, len(sizes))
	for i, size := range sizes {
		stride, err := layout.Mul(n.strides[i], n.vector)
		if err != nil {
			return layout.Tensor{}, err
		}
		digits := []layout.Digit{{Extent: size, Stride: stride}}
		if i == n.along && n.vector > 1 {
			digits = []layout.Digit{{Extent: (size-1)/n.vector + 1, Stride: stride}, {Extent: n.vector, Stride: 1}}
		}
		axes[i] = layout.NewAxis("", size, digits...)
	}
	l, err := layout.New(base, axes...)
	if err != nil {
		return layout.Tensor{}, err
	}
	return layout.NewTensor(l, n.dtype)
}

// ParseLabels reads a layout with letters that label the sizes as written: OpenVINO's [N,C,H,W], (NCHW) after sizes, or
// NCHW before a colon and the sizes.
func ParseLabels(text string) (Name, error) {
	word := text
	for _, brackets := range [...]string{"()", "[]"} {
		if n := len(text) - 1; n > 0 && text[0] == brackets[0] && text[n] == brackets[1] {
			word = text[1:n]
		}
	}
	if !strings.ContainsAny(word, ",.[]() ") {
		if n, err := ParseName(word); err == nil && n.letters != "" && n.IsUsual() {
			n.order = n.letters
			return n.within(text), nil
		}
	}
	return parseLabelled(text)
}

// parseLabelled reads labels with commas between them, in brackets.
func parseLabelled(text string) (Name, error) {
	s := lexer.Scanner{In: text}
	const such = "such as [N,C,H,W], or the sizes with labels: N=1,C=3,H=224,W=224"
	if i := strings.Index(text, "..."); i >= 0 {
		return Name{}, s.Fail(i, such, "the axes of ... have no names")
	}
	inside, opened := strings.CutPrefix(text, "[")
	if !opened {
		return Name{}, s.Fail(0, such, `"[" is missing before the labels`)
	}
	inside, closed := strings.CutSuffix(inside, "]")
	if !closed {
		return Name{}, s.Fail(len(text), such, `"]" is missing after the labels`)
	}
	letters, at := "", 1
	for _, item := range strings.Split(inside, ",") {
		label := strings.ToUpper(strings.TrimSpace(item))
		if a, ok := aliasOf("OpenVINO", label); ok {
			label = a.meaning
		}
		switch {
		case label == "?":
			return Name{}, s.Fail(at, such, "the axis of ? has no name")
		case len(label) != 1 || !lexer.IsLetter(label[0]):
			return Name{}, s.Fail(at, such, "%q is not the letter of an axis", wording.Clip(item))
		case strings.Contains(letters, label):
			return Name{}, s.Fail(at, such, "the layout has the axis %s twice", label)
		}
		letters += label
		at += len(item) + 1
	}
	n, err := ParseName(letters)
	n.order = n.letters
	return n.within(text), err
}
