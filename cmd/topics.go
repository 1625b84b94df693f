package cmd

import (
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/rulebook"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/shape"
	"layoutcalc/render"
)

// topics lists what can be explained.
func topics() []render.Topic {
	var list []render.Topic
	for _, n := range notation.All() {
		list = append(list, notationTopic(n))
	}
	for _, r := range rulebook.Texts() {
		t := ruleTopic(r)
		t.Title = r.Severity + ": " + t.Title
		list = append(list, t)
	}
	for d := range layout.DTypes {
		list = append(list, typeTopic(d))
	}
	for name, about := range shape.LayoutNames {
		list = append(list, newTopic("layout", name, about))
	}
	for _, a := range axisWords {
		list = append(list, newTopic("axis", a.letter, a.meaning))
	}
	for _, t := range glossary {
		list = append(list, newTopic("word", t.name, t.meaning))
	}
	return list
}

// topicsNamed lists what has a part of a name: all rules about overlap.
func topicsNamed(part string) (list []render.Topic) {
	if len(part) < 3 {
		return nil
	}
	for _, t := range topics() {
		if strings.Contains(t.Name, strings.ToLower(part)) {
			list = append(list, t)
		}
	}
	return list
}

// topic finds the topic of a name: a rule, a notation, a type in any spelling, a word of answers, or a layout.
func topic(name string) (render.Topic, error) {
	if rule, err := rulebook.Find(name); err == nil {
		return ruleTopic(rulebook.Text(rule)), nil
	}
	if n, err := notation.Find(name); err == nil {
		return notationTopic(n), nil
	}
	if d, err := layout.ParseDType(name); err == nil {
		return typeTopic(d), nil
	}
	if t, ok := wordTopic(name); ok {
		return t, nil
	}
	if t, ok := layoutTopic(name); ok {
		return t, nil
	}
	var known []string
	for _, t := range topics() {
		known = append(known, t.Name)
	}
	const hint = "layoutcalc explain lists what there is"
	err := refuse("there is nothing to explain by the name "+render.Quote(name), hint)
	return render.Topic{}, err.DidYouMean(name, scan.Likely(name, known))
}

// newTopic returns a topic with those parts that have a text: pairs of a name and a text. The name of code ends in a
// colon.
func newTopic(kind, name, title string, parts ...string) render.Topic {
	t := render.Topic{Kind: kind, Name: name, Title: title}
	for pair := range slices.Chunk(parts, 2) {
		if name, isCode := strings.CutSuffix(pair[0], ":"); pair[1] != "" {
			t.Parts = append(t.Parts, render.Part{Name: name, Text: pair[1], Code: isCode})
		}
	}
	return t
}

func notationTopic(n *notation.Notation) render.Topic {
	return newTopic("notation", n.Name, n.Title,
		"example:", n.Example, "grammar:", n.Grammar, "can", n.Can, "cannot", n.Cannot)
}

func ruleTopic(t finding.Text) render.Topic {
	return newTopic("rule", t.Name, t.What,
		"severity", t.Severity, "targets", t.Targets, "why", t.Why, "limit", t.Limit, "source", t.Source, "fix", t.Fix,
		render.Fails+":", t.Bad, render.Passes+":", t.Good)
}

// typeTopic tells a type's size and what each ecosystem calls it.
func typeTopic(d layout.DType) render.Topic {
	parts := []string{"bits", strconv.FormatInt(d.Bits(), 10)}
	for s := range layout.Others + 1 {
		parts = append(parts, s.String(), strings.Join(strings.Fields(d.In(s)), ", "))
	}
	return newTopic("type", d.String(), render.DType(d), parts...)
}

// A definition says what a word means that answers use. Others are other forms of it, and words for it.
type definition struct{ name, others, meaning string }

// glossary holds the words of answers and messages.
var glossary = [...]definition{
	{"layout", "descriptor", "where each element is in memory: sizes, strides, blocks and the base"},
	{"axis", "axes dimension", "a direction of the tensor, with a size and a stride, which of size 1 never matters"},
	{"rank", "ndim", "how many axes a tensor has"},
	{"size", "sizes shape extents", "how many indices an axis has; the sizes of all axes are the shape"},
	{"stride", "strides", "how many elements further in memory the next index of an axis is; below 0 before it"},
	{"index", "indices coordinates", "a number from 0 on for each axis, which name an element"},
	{"offset", "offsets", "where an element is: the base and each index times its stride, counted in elements"},
	{"base", "storage-offset storage_offset", "the offset of the element whose indices are all 0"},
	{"element", "elements numel", "a number of the tensor; there are as many as the product of the sizes"},
	{"order", "", "in which order sizes without letters are listed; --order names another one"},
	{"span", "", "the highest offset - the lowest offset + 1; 0 where there are no elements"},
	{"distinct", "", "how many different offsets the elements have"},
	{"unique", "injective", "no two elements share an offset"},
	{"packed", "dense", "no two elements share an offset, and no offset of the span is free"},
	{"contiguous", "", "packed, and row-major: what PyTorch's is_contiguous tells"},
	{"padded", "padding gap", "some offset of the span belongs to no element"},
	{"pitch", "", "a stride that is larger than what is inside of it, as rows of a texture have: --pitch H=64"},
	{"alignment", "aligned", "that a stride or an address is a multiple of a number: --align H=256B"},
	{"broadcast", "expand", "an axis of a size above 1 and stride 0, whose indices all name the same elements"},
	{"overlapping", "overlap", "elements share offsets, and not only because of broadcast axes"},
	{"witness", "", "two indices that share an offset, which proves that elements overlap"},
	{"block", "blocks blocked tile", "a piece of an axis that is innermost: NCHW16c has 16 channels side by side"},
	{"storage", "buffer", "the memory that a tensor is in, with what padding, blocks and other tensors add"},
	{"minimum-buffer", "", "the bytes up to the last element, rounded up to a multiple of 4"},
	{"total-size", "TotalTensorSizeInBytes",
		"what DirectML's TotalTensorSizeInBytes says: at least the minimum buffer; size --as dml has it"},
	{"base-alignment", "GuaranteedBaseOffsetAlignment",
		"what DirectML's GuaranteedBaseOffsetAlignment promises: 0, or a power of two that the first byte is at"},
	{"owned-by-dml", "DML_TENSOR_FLAG_OWNED_BY_DML",
		"the flag of tensors, such as weights, that DirectML may copy into a layout of its own"},
	{"bytes", "byte", "elements times the bits of their type, in whole bytes"},
	{"step", "steps", "an operation of a chain of views: permute(0,2,1), [:, 1:3]"},
	{"view", "views", "another tensor in the same memory: a slice, a permutation, some reshapes"},
	{"copy", "copies", "what a step makes that cannot be a view: a tensor in memory of its own"},
	{"npy", ".npy", "a file of one array of NumPy: a header with its type, order and shape, then the elements; " +
		"check compares the two (explain file lists the rules), and convert --in and --out move the elements"},
	{"safetensors", ".safetensors", "a file of named tensors: a header in JSON with types, sizes and ranges of " +
		"bytes, then the elements; check compares the two (explain file lists the rules), and convert --in FILE " +
		"--tensor NAME moves one tensor"},
	{"gguf", ".gguf", "a file of named tensors of ggml: metadata, types, sizes and offsets, then the elements, most " +
		"of them quantised in blocks; check compares the two (explain file lists the rules); convert does not read it"},
	{"innermost", "outermost", "of all axes the one with the smallest stride; the outermost has the largest"},
}

// axisWords are what the letters of axes stand for.
var axisWords = [...]struct{ letter, meaning string }{
	{"N", "the batch: the number of images, sequences or other samples"},
	{"B", "the batch, as N"},
	{"C", "channels; of weights in cuDNN's and TVM's names (KCRS) the input channels"},
	{"D", "depth of a volume, beside H and W; the features of a head in attention"},
	{"H", "height: rows; heads in attention (BSHD)"},
	{"W", "width: columns; time of sequences (NCW)"},
	{"L", "length of a sequence, as W; layers in oneDNN's ldigo"},
	{"T", "time: frames of a video, steps of a sequence; depth of cuDNN's weights"},
	{"S", "length of a sequence in attention; columns of a filter in KCRS"},
	{"O", "output channels of weights"},
	{"I", "input channels of weights"},
	{"G", "groups of a grouped convolution; gates in oneDNN's ldigo"},
	{"K", "output channels of weights in KCRS; the inner axis of a product of matrices"},
	{"R", "rows of a filter in KCRS"},
	{"M", "rows of a matrix"},
	{"F", "channels in OpenVINO's names (bfyx)"},
	{"X", "width in OpenVINO's names (bfyx)"},
	{"Y", "height in OpenVINO's names (bfyx)"},
	{"Z", "depth in OpenVINO's names (bfzyx)"},
}

// wordTopic returns what a word of answers, or the letter of an axis, means.
func wordTopic(word string) (render.Topic, bool) {
	var broken []string
	for _, r := range rulebook.Texts() {
		if strings.Contains("-"+r.Name, "-"+strings.ToLower(word)) {
			broken = append(broken, r.Name)
		}
	}
	for _, t := range glossary {
		if strings.EqualFold(word, t.name) || slices.ContainsFunc(strings.Fields(t.others),
			func(other string) bool { return strings.EqualFold(word, other) }) {
			return newTopic("word", t.name, t.meaning, "others", strings.Join(strings.Fields(t.others), ", "),
				"rules", strings.Join(broken, ", ")), true
		}
	}
	for _, a := range axisWords {
		if strings.EqualFold(word, a.letter) {
			return newTopic("axis", a.letter, a.meaning), true
		}
	}
	return render.Topic{}, false
}

// layoutTopic returns what the name of a layout says, if a word is one.
func layoutTopic(word string) (render.Topic, bool) {
	name, err := shape.ParseName(word)
	if err != nil {
		return render.Topic{}, false
	}
	title := "the axes of a tensor in memory"
	sure := strings.ToUpper(word) == word || strings.ContainsAny(word, "0123456789")
	for known, about := range shape.LayoutNames {
		if strings.EqualFold(known, word) {
			title, sure = about, true
		}
	}
	if !sure { // a word of other letters is a name too, but hardly meant as one
		return render.Topic{}, false
	}
	memory, sizes, dims := name.Reading()
	example := ""
	if dims != "" {
		example = "layoutcalc strides " + dims + " " + word
	}
	return newTopic("layout", name.String(), title, "memory", memory, "sizes", sizes, "example:", example), true
}
