package notation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// A mdspanReader reads mappings of mdspan.
type mdspanReader struct{ *reader }

// readMdspan reads the mapping of a layout, or extents and strides.
func readMdspan(of *reader) {
	r := mdspanReader{of}
	if i, ok := r.mdspanAt(); ok {
		r.mdspan(i)
		return
	}
	items := r.Entries(0)
	if len(items) == 0 || r.Err != nil {
		return
	}
	first := items[0]
	if policy, ok := mappingPolicy(first.Value); ok && first.Key == "" {
		r.mapping(Descriptor{}, first.Value, policy)
		if len(items) > 1 {
			r.Fail(items[1].At, "", "unexpected text after the mapping")
		}
		return
	}
	fields := r.Bind(literal.Signatures{"mdspan(extents, strides=)"}, "mdspan", first.At, items)
	if r.Err != nil {
		return
	}
	extents, _ := literal.Field(fields, "extents")
	sizes := r.extents(extents)
	strides := r.rowMajor(sizes)
	if v, ok := literal.Field(fields, "strides"); ok {
		strides = r.Ints(v, "strides")
	}
	r.strided(extents.At, Descriptor{}, r.options.DType, 0, sizes, strides)
}

// mdspanAt returns the token of the type mdspan in the input.
func (r mdspanReader) mdspanAt() (i int, ok bool) {
	tokens := r.Tokens()
	i, n := r.find(func(i int) bool {
		next := tokens[i+1]
		return r.Text(tokens[i]) == "mdspan" && next.Kind != lexer.End &&
			(next.Gap != lexer.None || r.isOneOf(i+1, "<({"))
	})
	return r.pathStart(i), n > 0
}

// mdspan reads the type, or a constructor with arguments that determine the type: the pointer, and the extents or a
// mapping.
func (r mdspanReader) mdspan(i int) {
	at, name := int(r.Tokens()[i].At), r.assigned(i)
	r.Pos = at
	v, object, args := r.constructor()
	types, _ := v.Arguments('<')
	d := Descriptor{Name: cmp.Or(object, name)}
	if len(types) > 0 {
		d.Typed, r.options.DType = true, r.elementType(types[0].Value)
	}
	args = r.afterPointer(at, args)
	given := literal.Value{At: at, Kind: literal.List, List: args}
	if len(args) == 1 && args[0].Kind != literal.Number {
		given = args[0].Value
	}
	if policy, ok := mappingPolicy(given); ok {
		r.mapping(d, given, policy)
		return
	}
	if given.Kind != literal.Word || !lexer.Like(given.Last(), "*extents") {
		given = given.Inside("{(")
	}
	if len(types) < 2 && len(args) == 0 {
		r.Fail(at, "such as std::mdspan(p, 2, 3), or std::mdspan<float, std::extents<int, 2, 3>>",
			"the mdspan does not say its extents")
	}
	sizes := r.sizes(types[min(len(types), 1):], given)
	r.strided(at, d, r.options.DType, 0, sizes, r.policyStrides(at, types, sizes))
}

// constructor reads the type mdspan and, if present, the name of the declared object. It returns the arguments after
// either.
func (r mdspanReader) constructor() (v literal.Value, object string, args []literal.Entry) {
	r.Operand(&v)
	args = v.Inside("({").List
	for n := v.Next; n != nil; n = n.Next {
		if n.Kind == literal.Word {
			r.Fail(n.At, "", "this question about the mdspan is not answered")
		}
	}
	if r.Space(); len(args) == 0 && (lexer.IsLetter(r.Peek()) || r.Peek() == '_') {
		var declared literal.Value
		r.Operand(&declared)
		object, args = declared.Word, declared.Inside("({").List
	}
	r.Take(";")
	return v, object, args
}

// elementType reads the element type by its C++ name.
func (r mdspanReader) elementType(v literal.Value) layout.DType {
	word := strings.TrimSuffix(v.Word, "_t") // std::uint8_t
	if word == "char" {
		word = "int8"
	}
	dtype, err := layout.ParseDType(word)
	r.Within(v.At, err)
	return dtype
}

// policyStrides returns the strides of the layout policy of a type, which is its third argument.
func (r mdspanReader) policyStrides(at int, types []literal.Entry, sizes []int64) []int64 {
	policy := "layout_right"
	if len(types) > 2 {
		policy = types[2].Last()
	}
	switch policy {
	case "layout_right", "layout_left":
		return r.packed(sizes, policy == "layout_left")
	case "layout_right_padded", "layout_left_padded":
		return r.paddedStrides(r.padding(types[2].Value, nil), sizes, policy == "layout_left_padded")
	}
	r.Fail(at, "layout_right, layout_left, or a mapping after the pointer", "the layout %s needs a mapping", policy)
	return nil
}

// afterPointer returns the arguments of a constructor, at an offset, after the pointer, which is read if it is a name.
func (r mdspanReader) afterPointer(at int, args []literal.Entry) []literal.Entry {
	if len(args) == 0 {
		r.use(at, r.Pos)
		return nil
	}
	pointer, end := args[0], r.Pos
	if args = args[1:]; len(args) > 0 {
		end = args[0].At
	}
	if n := pointer.Next; pointer.Kind == literal.Word && (n == nil || len(n.List) == 0) {
		r.use(at, end)
	}
	r.use(at, pointer.At)
	r.use(end, r.Pos)
	return args
}

// sizes returns the extents of an mdspan or a mapping: the given ones, or the extents of its type.
func (r mdspanReader) sizes(of []literal.Entry, given literal.Value) []int64 {
	switch {
	case given.Kind == literal.Word:
		return r.extents(given)
	case len(of) > 0:
		return r.filledExtents(of[0].Value, given)
	}
	return r.Ints(given, "extents")
}

// mappingPolicy returns the layout policy of std::layout_right::mapping<...>.
func mappingPolicy(v literal.Value) (policy string, ok bool) {
	name := v.Word[max(strings.Index(v.Word, "layout_"), 0):]
	policy, _, _ = strings.Cut(name, "::")
	return policy, v.Kind == literal.Word && lexer.Like(policy, "layout_*")
}

// mapping reads the mapping of a layout policy. Its extents are its template argument or the constructor's first
// argument; its strides are the constructor's second argument.
func (r mdspanReader) mapping(d Descriptor, v literal.Value, policy string) {
	target := v
	if !lexer.Like(v.Word, "*mapping") {
		for n := v.Next; n != nil; n = n.Next {
			if n.Kind == literal.Word {
				target = *n
			}
		}
	}
	args := target.Inside("{(").List
	types, _ := target.Arguments('<')
	given := literal.Value{At: v.At, Kind: literal.List}
	if len(args) > 0 {
		given = args[0].Value
	}
	if len(types) != 1 && given.Kind != literal.Word {
		r.Fail(v.At, "such as std::layout_right::mapping<std::extents<int, 2, 3>>()",
			"the mapping does not say its extents")
	}
	sizes := r.sizes(types, given)
	strides := r.packed(sizes, policy == "layout_left")
	switch policy {
	case "layout_right", "layout_left":
		if len(args) > 1 {
			r.Fail(args[1].At, "", "unexpected text: a mapping of %s has extents only", policy)
		}
	case "layout_stride":
		if len(args) != 2 {
			r.Fail(target.At, "such as mapping<std::extents<int, 2, 3>>({}, std::array<int, 2>{5, 1})",
				"the mapping does not say its strides")
			return
		}
		strides = r.Ints(args[1].Value.Inside("{("), "strides")
	case "layout_left_padded", "layout_right_padded":
		strides = r.paddedStrides(r.padding(v, args), sizes, policy == "layout_left_padded")
	default:
		r.Fail(v.At, "layout_right, layout_left, layout_stride", "unknown layout %s", policy)
	}
	r.strided(v.At, d, r.options.DType, 0, sizes, strides)
}

// padding returns the number that a padded layout rounds up to a multiple of. It is the argument of the policy, or the
// second argument of the constructor if it is known only at run time.
func (r mdspanReader) padding(v literal.Value, args []literal.Entry) int64 {
	policy, _ := v.Arguments('<')
	if len(policy) == 1 && policy[0].Last() == "dynamic_extent" && len(args) == 2 {
		policy = args[1:]
	}
	if len(policy) != 1 || policy[0].Kind != literal.Number || policy[0].N < 0 {
		r.Fail(v.At, "such as std::layout_right_padded<4>::mapping", "the layout does not say its padding")
		return 0
	}
	return policy[0].N
}

// paddedStrides returns the strides of C++26's padded layouts: the second stride is the first extent that counts,
// rounded up to a multiple.
func (r mdspanReader) paddedStrides(multiple int64, sizes []int64, left bool) []int64 {
	strides, next := make([]int64, len(sizes)), int64(1)
	for k := range sizes {
		i := k
		if !left {
			i = len(sizes) - 1 - k
		}
		size := sizes[i]
		if k == 0 && multiple > 0 && size%multiple > 0 {
			size = r.times(size/multiple+1, multiple)
		}
		strides[i], next = next, r.times(next, size)
	}
	return strides
}

// writeMdspan writes the mapping: layout_right or layout_left if the tensor has their strides, and otherwise
// layout_stride, which needs positive, nested strides.
func writeMdspan(t layout.Tensor) (string, error) {
	strides, err := terms{}.strides(t)
	if err != nil {
		return "", err
	}
	l := t.Layout()
	extents := "std::extents<std::int64_t"
	for _, size := range l.Sizes() {
		extents += fmt.Sprintf(", %d", size)
	}
	extents += ">"
	if packedIn(l, strides, false) {
		return "std::layout_right::mapping<" + extents + ">()", nil
	}
	if packedIn(l, strides, true) {
		return "std::layout_left::mapping<" + extents + ">()", nil
	}
	for i := range strides {
		strides[i] = max(strides[i], 1)
	}
	if axis, _ := shortStride(l.Sizes(), strides, 1); axis >= 0 {
		return "",
			lost(t, "each stride of layout_stride must exceed the reach of smaller ones, and that of axis %s does not",
				l.AxisName(axis))
	}
	return fmt.Sprintf("std::layout_stride::mapping<%s>({}, std::array<std::int64_t, %d>{%s})", extents, len(strides),
		layout.JoinInts(strides, ", ")), nil
}

// extents returns the sizes of std::extents<int, 2, 3>, of std::dextents<int, 2>(2, 3), or of a list.
func (r mdspanReader) extents(v literal.Value) []int64 {
	if v.Kind == literal.List {
		return r.Ints(v, "extents")
	}
	values := v.Inside("{(")
	if values.Kind != literal.List {
		values = literal.Value{At: v.At, Kind: literal.List}
	}
	if _, typed := v.Arguments('<'); !typed && lexer.Like(v.Last(), "*extents") && len(values.List) > 0 {
		return r.Ints(values, "extents") // std::extents{2, 3}
	}
	return r.filledExtents(v, values)
}

// filledExtents returns the extents of a type. The values are all of the extents, or only the dynamic ones.
func (r mdspanReader) filledExtents(v, values literal.Value) []int64 {
	sizes := r.typeExtents(v)
	given := r.Ints(values, "extents")
	dynamic := 0
	for _, size := range sizes {
		if size < 0 {
			dynamic++
		}
	}
	switch {
	case len(given) == len(sizes):
		return given
	case len(given) != dynamic:
		r.Fail(v.At, "such as std::dextents<int, 2>(2, 3)", "the type has %s, and the arguments give %d",
			wording.Count(dynamic, "dynamic extent"), len(given))
		return nil
	}
	for i, size := range sizes {
		if size < 0 {
			sizes[i], given = given[0], given[1:]
		}
	}
	return sizes
}

// typeExtents returns the arguments of std::extents, with -1 for dynamic extents.
func (r mdspanReader) typeExtents(v literal.Value) []int64 {
	args, _ := v.Arguments('<')
	last := v.Last()
	isExtents := last == "extents" || last == "dextents"
	if !isExtents || len(args) == 0 {
		r.Fail(v.At, "such as std::extents<int, 2, 3>", "extents are expected here")
		return nil
	}
	if of := args[0]; of.Kind != literal.Word || of.Last() == "dynamic_extent" {
		r.Fail(of.At, "such as std::"+last+"<int, 2>", "the first argument of %s is the type of an index", last)
		return nil
	}
	if last == "dextents" {
		return r.dynamicExtents(v, args[1:])
	}
	sizes := make([]int64, len(args)-1)
	for i, e := range args[1:] {
		if sizes[i] = -1; e.Last() != "dynamic_extent" {
			sizes[i] = r.Int(e.Value, "the extent")
		}
	}
	return sizes
}

// dynamicExtents returns the extents of std::dextents, all of them -1. Its argument is the rank.
func (r mdspanReader) dynamicExtents(v literal.Value, args []literal.Entry) []int64 {
	if len(args) != 1 || args[0].Kind != literal.Number || uint64(args[0].N) > layout.MaxRank {
		r.Fail(v.At, "such as std::extents<int, 2, 3>", "extents are expected here")
		return nil
	}
	return slices.Repeat([]int64{-1}, int(args[0].N))
}
