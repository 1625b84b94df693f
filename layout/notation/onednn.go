package notation

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/wording"
)

// A memoryReader reads oneDNN's descriptors.
type memoryReader struct{ *reader }

// readOneDNN reads constructors of dnnl::memory::desc, with a variable or without.
func readOneDNN(of *reader) {
	r := memoryReader{of}
	names, read := literal.ScopeOf(r.declarations()), map[int]string{}
	for at, b := range names.All {
		_, kind := literal.Member(b.Kind)
		v := b.Value
		args := &v // in parentheses or braces
		if v.Kind == literal.Word {
			args = v.Next
		}
		isList := args != nil && args.Kind == literal.List && args.Open != '['
		if isDesc := v.Kind == literal.Word && v.Last() == "desc"; !isList || !isDesc && kind != "desc" {
			continue
		}
		for i, arg := range args.List {
			if array := names.Before(at).Resolve(arg.Value); array.Kind == literal.List {
				args.List[i].Value = array
			}
		}
		if b.Name == v.Word && b.Kind == "" || b.Name == b.Kind {
			b.Name = ""
		}
		r.memoryDesc(b.At, b.Name, args.List)
		read[at] = b.Name
		if m := args.Next; m != nil && slices.Contains(dnnlViews[:], m.Word) {
			r.Fail(m.At+len("."), "read the descriptor alone, and apply the step with view",
				"%s makes another descriptor", m.Word)
		}
	}
	structReader(r).statements(names.All, read, nil)
	if len(r.found) == 0 {
		r.Fail(0, "such as dnnl::memory::desc({2, 3}, dnnl::memory::data_type::f32, {3, 1})",
			"the text has no constructor of a memory::desc")
	}
}

// dnnlViews are the methods of a memory::desc that return another one.
var dnnlViews = [...]string{"permute_axes", "reshape", "submemory_desc"}

// memoryDesc makes a tensor from the arguments of the constructor: sizes, a type, and a tag or strides.
func (r memoryReader) memoryDesc(at int, name string, args []literal.Entry) {
	if len(args) < 3 || args[1].Kind != literal.Word {
		r.Fail(at, "such as dnnl::memory::desc({2, 3}, dnnl::memory::data_type::f32, {3, 1})",
			"a descriptor is made of sizes, an element type, and a format tag or strides")
		return
	}
	sizes := r.dnnlNumbers(args[0].Value, "sizes")
	r.dnnlSizes(args[0].At, sizes)
	dtype, err := layout.ParseDType(args[1].Last())
	r.Within(args[1].At+len(args[1].Word)-len(args[1].Last()), err)
	d := Descriptor{Name: name, Typed: true}
	if third := args[2]; third.Kind == literal.Word && third.Last() != "dims" {
		tag := third.Last()
		if third.Last() == third.Word {
			tag = strings.TrimPrefix(tag, "dnnl_")
		}
		r.tagged(d, dtype, r.formatTag(third.At+len(third.Word)-len(tag), tag, len(sizes), false), sizes)
		return
	}
	r.dnnlStrided(args[2].At, d, dtype, sizes, r.dnnlNumbers(args[2].Value, "strides"))
}

// dnnlNumbers is like Ints, but accepts DNNL_RUNTIME_DIM_VAL for a value known only at run time.
func (r memoryReader) dnnlNumbers(v literal.Value, what string) []int64 {
	l := v.Unwrapped()
	for i := range l.List {
		e := &l.List[i].Value
		if e.Kind != literal.Word || e.Last() != "DNNL_RUNTIME_DIM_VAL" {
			continue
		}
		n, ok := r.Fill()
		if !ok {
			r.Fail(e.At, "--dim gives the "+wording.Ordinal(r.Filled)+" one a value: --dim N, or N,N for two",
				"this number is known at run time only")
			return nil
		}
		*e = literal.Value{At: e.At, Kind: literal.Number, N: n}
	}
	return r.Ints(l, what)
}

// dnnlSizes rejects sizes that no descriptor has.
func (r memoryReader) dnnlSizes(at int, sizes []int64) {
	switch {
	case len(sizes) == 0:
		r.Fail(at, "a tensor of one element is {1}", "without sizes a oneDNN descriptor is empty, not a scalar")
	case len(sizes) > dnnlMaxRank:
		r.Fail(at, "", "%s: a oneDNN descriptor has at most %d", wording.Count(len(sizes), "size"), dnnlMaxRank)
	}
	for _, size := range sizes {
		if size < 0 {
			r.Fail(at, "", "the size %d is negative", size)
		}
	}
}

// dnnlStrided adds a tensor with strides, which oneDNN must accept.
func (r memoryReader) dnnlStrided(at int, d Descriptor, dtype layout.DType, sizes, strides []int64) {
	if len(strides) == len(sizes) && r.Err == nil {
		if axis, least := refusedStride(sizes, strides, 1); axis >= 0 {
			r.Fail(at, "",
				"oneDNN refuses the stride %d of axis %d: it has to be 0, or at least %d, as the axes inside take",
				strides[axis], axis, least)
		}
	}
	r.strided(at, d, dtype, 0, sizes, strides)
}

// writeOneDNN writes the constructor, with a tag for a layout in blocks, and strides otherwise.
func writeOneDNN(t layout.Tensor) (string, error) {
	g, dtype, err := memoryTag(t)
	if err != nil {
		return "", err
	}
	order, err := g.tagOrStrides(t)
	if err != nil {
		return "", err
	}
	return "dnnl::memory::desc({" + layout.JoinInts(t.Layout().Sizes(), ", ") + "}, dnnl::memory::data_type::" + dtype +
		", " + order + ")", nil
}

// tagOrStrides writes the last argument of the constructor. Blocks with gaps between them must be equivalent to
// strides.
func (g tag) tagOrStrides(t layout.Tensor) (string, error) {
	if len(g.blocks) == 0 {
		return "{" + layout.JoinInts(g.strides, ", ") + "}", nil
	}
	packed, err := tagOf(t, true)
	if err == nil {
		return "dnnl::memory::format_tag::" + packed.text(abc(len(g.counts))), nil
	}
	if strides, ok := t.Layout().LinearStrides(); ok {
		if axis, _ := refusedStride(t.Layout().Sizes(), strides, 1); axis < 0 {
			return "{" + layout.JoinInts(strides, ", ") + "}", nil
		}
	}
	if loss, ok := err.(*LossError); ok {
		err = lost(t, "strides and blocks exclude each other, and of a tag: %s", loss.Lost)
	}
	return "", err
}

// dnnlMaxRank is how many axes a oneDNN descriptor has at most.
const dnnlMaxRank = 12

// tagAlphabet names the axes of any tensor in oneDNN's tags.
const tagAlphabet = "abcdefghijkl"

// A formatTag is a format tag, and its offset in the input.
type formatTag struct {
	at   int
	name shape.Name
}

// formatTag reads the tag of a tensor, which starts at an offset of the input. Only benchdnn has meta tags, such as
// axb: the x stands for all axes without a letter.
func (r *reader) formatTag(at int, text string, rank int, meta bool) formatTag {
	tag := text
	switch lower := strings.ToLower(text); {
	case lower == "any" || lower == "undef" || lower == "*":
		r.Fail(at, "such as acdb or nhwc", "%s is not a layout", text)
	case meta && strings.Count(lower, "x") == 1:
		tag = withoutX(lower, rank)
	}
	name, err := shape.ParseTag(tag)
	if tag == text {
		r.Within(at, err)
	} else {
		r.FaultAt(at, err)
	}
	if letters, _ := name.Letters(); len(letters) != rank {
		r.Fail(at, "one letter for each size", "%s has %s, but the tensor has %s", text,
			wording.Count(len(letters), "axis"), wording.Count(rank, "size"))
	}
	return formatTag{at, name}
}

// withoutX replaces the x of a meta tag with the letters after the highest letter. It drops letters beyond the rank, so
// that axb can also mean ab and a.
func withoutX(tag string, rank int) string {
	next := 0
	for i := range len(tag) {
		if axis := strings.IndexByte(tagAlphabet, tag[i]); axis >= next {
			next = axis + 1
		}
	}
	if next < rank && rank <= dnnlMaxRank {
		return strings.Replace(tag, "x", tagAlphabet[next:rank], 1)
	}
	var b strings.Builder
	for i, start := 0, 0; i < len(tag); i++ {
		if lexer.IsDigit(tag[i]) {
			continue
		}
		if axis := strings.IndexByte(tagAlphabet, tag[i]); tag[i] != 'x' && axis < rank {
			b.WriteString(tag[start : i+1])
		}
		start = i + 1
	}
	return b.String()
}

// tagged adds a tensor that fills its storage in the order of the tag.
func (r memoryReader) tagged(d Descriptor, dtype layout.DType, tag formatTag, sizes []int64) {
	d.Tensor = r.tagTensor(dtype, tag, sizes)
	r.add(d)
}

func (r *reader) tagTensor(dtype layout.DType, tag formatTag, sizes []int64) layout.Tensor {
	t, err := shape.Spec{Shape: shape.NewList(sizes, nil), Name: &tag.name, DType: dtype}.Tensor()
	r.FaultAt(tag.at, err)
	return t
}

// tagStrided adds a tensor with the blocks of the tag and strides for whole blocks.
func (r memoryReader) tagStrided(d Descriptor, dtype layout.DType, tag formatTag, sizes, strides []int64) {
	if len(strides) != len(sizes) || r.Err != nil {
		r.Fail(tag.at, "one stride for each size", "%s but %s",
			wording.Count(len(sizes), "size"), wording.Count(len(strides), "stride"))
		return
	}
	digits := ownDigits(r.tagTensor(dtype, tag, sizes).Layout())
	axes := make([]layout.Axis, len(digits))
	for i := range digits {
		digits[i][0].Stride = strides[i]
		axes[i] = layout.NewAxis("", sizes[i], digits[i]...)
	}
	r.laidOut(tag.at, d, dtype, 0, axes)
}

// memoryTag returns the tag of a tensor, which may have gaps between its axes, and oneDNN's name of its type.
func memoryTag(t layout.Tensor) (g tag, dtype string, err error) {
	l := t.Layout()
	switch {
	case l.Rank() == 0:
		return tag{}, "", lost(t, "a descriptor without axes is empty, not a scalar")
	case l.Rank() > dnnlMaxRank:
		return tag{}, "", lost(t, "the notation has at most %d axes, and the tensor has %d", dnnlMaxRank, l.Rank())
	case l.Base() != 0:
		return tag{}, "", lost(t, "the notation does not state where the tensor starts, and index 0 lies at %d",
			l.Base())
	}
	if g, err = memoryTagIn(t, l); err != nil {
		if same, ok := regrouped(l, fewestDigits(l)); ok {
			if other, fault := memoryTagIn(t, same); fault == nil || blocked(l) == "" {
				g, err = other, fault
			}
		}
	}
	if err == nil {
		dtype, err = spelled(t, layout.OneDNN)
	}
	return g, dtype, err
}

// memoryTagIn is like tagIn with nested blocks, but sorts the axes as oneDNN prints them.
func memoryTagIn(t layout.Tensor, l layout.Layout) (tag, error) {
	g, err := tagIn(t, l, true)
	if err != nil {
		return g, err
	}
	g.sort(true)
	if axis, least := refusedStride(g.counts, g.strides, g.block); axis >= 0 {
		return g, lost(t, "the notation has strides of 0, or such that no axis reaches into another: that of axis %s "+
			"is %d, and less than %d", l.AxisName(axis), g.strides[axis], least)
	}
	return g, nil
}

// refusedStride returns the first axis with a stride that oneDNN rejects, and the stride that it needs. It returns -1
// if oneDNN accepts all strides, as it does for a tensor without elements.
func refusedStride(counts, strides []int64, block int64) (axis int, least int64) {
	if slices.Contains(counts, 0) {
		return -1, least
	}
	return shortStride(counts, strides, block)
}

// memorySizes returns the result of get_size. Of the 4-bit types, only the integers are packed.
func memorySizes(t layout.Tensor) ([]Size, error) {
	g, name, err := memoryTag(t)
	if err != nil {
		return nil, err
	}
	return g.sizes(t, name)
}

// expressedSizes is like memorySizes, but fails if oneDNN cannot express the tensor.
func expressedSizes(t layout.Tensor) ([]Size, error) {
	g, name, err := memoryTag(t)
	if err == nil && len(g.blocks) > 0 {
		_, err = g.tagOrStrides(t)
	}
	if err != nil {
		return nil, err
	}
	return g.sizes(t, name)
}

// sizes is like memorySizes, but takes oneDNN's name of the type.
func (g tag) sizes(t layout.Tensor, name string) ([]Size, error) {
	n, err := g.elements()
	if err != nil {
		return nil, err
	}
	bits := t.DType().Bits()
	if bits < 8 && name != "s4" && name != "u4" {
		return []Size{{"get_size", n, n}}, nil
	}
	if _, err := layout.Mul(n, (bits+7)/8); err != nil {
		return nil, err
	}
	return []Size{{"get_size", n, t.Bytes(n)}}, nil
}

// elements returns the number of elements that oneDNN's get_size counts: along the longest axis, from the start of its
// first block to the end of its last, including gaps, and at least one block.
func (g tag) elements() (int64, error) {
	most := int64(0)
	for i, count := range g.counts {
		stride := g.strides[i]
		switch count {
		case 0:
			return 0, nil
		case 1:
			stride = 1
		}
		n, err := layout.Mul(count, stride)
		if err != nil {
			return 0, err
		}
		most = max(most, n)
	}
	if most == 1 {
		most = g.block
	}
	return most, nil
}
