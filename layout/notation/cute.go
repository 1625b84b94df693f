package notation

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/text"
)

// A cuteReader reads layouts of CuTe.
type cuteReader struct{ *reader }

// A mode is a number, or a list of modes in brackets.
type mode struct {
	at     int
	n      int64
	static bool // written _4: known when CuTe compiles
	nested bool
	modes  []mode
}

// readCuTe reads shape:stride as CuTe prints it, with a pointer before it or not, one or several of them, and the calls
// and types of C++ and Python that make layouts.
func readCuTe(of *reader) {
	r := cuteReader{of}
	if strings.Contains(r.In, "!cute.") {
		r.cuteTypes()
		return
	}
	if r.noSwizzle(); r.Err != nil {
		return
	}
	if _, ok := nextCuteCall(r.In, 0); ok {
		r.cuteCalls()
		return
	}
	for r.Err == nil && strings.Trim(r.In[r.Pos:], "/* \t\r\n") != "" {
		d := Descriptor{Name: r.label()}
		dtype := r.cutePointer(&d)
		at := r.Pos
		shape := r.mode()
		next := int64(1)
		stride := mode{}
		if r.Take(":") {
			stride = r.mode()
			r.congruent(shape, stride)
		} else {
			stride = r.generated(shape, &next)
		}
		r.cuteLayout(at, d, dtype, shape, stride)
		r.printedRows()
	}
}

// cuteTypes reads the types of the Python DSL's programs: !cute.layout<"SHAPE:STRIDE"> and
// !cute.memref<f16, gmem, align<16>, "SHAPE:STRIDE">. Of several, those that cannot be read are left out.
func (r cuteReader) cuteTypes() {
	const mark = "!cute."
	left, first := 0, error(nil)
	several := strings.Count(r.In, mark) > 1
	for at := strings.Index(r.In, mark); at < len(r.In) && r.Err == nil; {
		r.Pos = at + len(mark)
		count, filled := len(r.found), r.Filled
		switch kind := r.Word(); kind {
		case "layout", "memref", "composed_layout", "coord_tensor":
			r.cuteType(at, kind)
		default:
			if !several {
				r.Fail(at, `such as !cute.layout<"(4,8):(8,1)">`, "the type %s%s has no layout", mark, kind)
			}
		}
		if hint, ok := r.Err.(*layout.SyntaxError); ok && several &&
			(len(r.options.Dims) == 0 || !strings.Contains(hint.Hint, "--dim")) {
			left++
			if first == nil {
				first = r.Err
			}
			r.Recover(at + len(mark))
			r.Filled = filled
		}
		r.forgetSame(min(count, len(r.found)))
		next := strings.Index(r.In[min(r.Pos, len(r.In)):], mark)
		if next < 0 {
			break
		}
		at = r.Pos + next
	}
	if len(r.found) == 0 {
		r.Fault(first)
	}
	if left > 0 {
		r.skip("types that have no strides or cannot be read: %d; %s", left, first.Error())
	}
	r.Pos = len(r.In)
}

// cuteType reads the arguments of a type, the last of which is a layout in quotes.
func (r cuteReader) cuteType(at int, kind string) {
	start := strings.LastIndexByte(r.In[:at], '\n') + 1
	before := strings.TrimRight(r.In[start:at], " \t=:(")
	name := before[strings.LastIndexAny(before, " \t%!")+1:]
	if strings.Contains(before, "= cute.") { // %lay = cute.static : TYPE
		name = strings.TrimLeft(strings.Fields(before)[0], "%")
	}
	d := Descriptor{}
	if name != "" && wordLength(strings.ReplaceAll(name, ".", "_")) == len(name) {
		d.Name = name
	}
	dtype := r.options.DType
	if r.Expect("<"); kind == "memref" {
		dtype, d.Typed = r.dtype(), true
	}
	quote := strings.IndexAny(r.In[min(r.Pos, len(r.In)):], "\"\n")
	switch {
	case r.Err != nil:
		return
	case quote < 0 || r.In[r.Pos+quote] == '\n':
		r.Fail(at, `such as !cute.layout<"(4,8):(8,1)">`, "the layout in quotes is missing")
		return
	}
	if space := strings.Trim(r.In[r.Pos:r.Pos+quote], ", "); space != "" {
		d.Skipped = append(d.Skipped, space+", the memory space")
	}
	if mixed := strings.Index(r.In[r.Pos:min(r.Pos+quote+3, len(r.In))], "S<"); mixed >= 0 {
		r.Fail(r.Pos+mixed, "", "a swizzle xors bits of the offset: no strides say that")
		return
	}
	r.Pos += quote + 1
	if kind == "coord_tensor" {
		r.Fail(r.Pos, "", "the elements of a coord_tensor are coordinates, which have no offset")
		return
	}
	at = r.Pos
	shape := r.mode()
	if !r.Take(":") {
		r.Fail(r.Pos, `such as !cute.layout<"(4,8):(8,1)">`, "the strides are missing after the shape")
		return
	}
	stride := r.mode()
	r.congruent(shape, stride)
	r.Expect(`"`)
	r.Expect(">")
	r.cuteLayout(at, d, dtype, shape, stride)
}

// cuteLayout notes the tensor of a shape and its strides.
func (r cuteReader) cuteLayout(at int, d Descriptor, dtype layout.DType, shape, stride mode) {
	if r.Err != nil {
		return
	}
	if !shape.nested {
		shape, stride = mode{modes: []mode{shape}}, mode{modes: []mode{stride}}
	}
	axes := make([]layout.Axis, len(shape.modes))
	for i := range axes {
		axes[i] = r.cuteAxis(shape.modes[i], stride.modes[i])
	}
	r.laidOut(at, d, dtype, 0, axes)
}

// noSwizzle refuses swizzles, after which a layout is not one of strides.
func (r cuteReader) noSwizzle() {
	for _, name := range []string{"Swizzle<", "Sw<", "S<", "SW_"} {
		for i := strings.Index(r.In, name); i >= 0; {
			if i == 0 || !scan.IsWord(r.In[i-1]) {
				r.Fail(i, "", "a swizzle xors bits of the offset: no strides say that")
				return
			}
			next := strings.Index(r.In[i+1:], name)
			if next < 0 {
				break
			}
			i += 1 + next
		}
	}
}

// label reads the name before what a program prints, tAgA:, which may be in a comment.
func (r cuteReader) label() string {
	r.Pos += len(r.In[r.Pos:]) - len(strings.TrimLeft(r.In[r.Pos:], "/* \t\r\n"))
	start := r.Pos
	if name := r.Span(scan.IsWord); scan.IsName(name) && name[0] != '_' && r.Take(":") {
		return name
	}
	r.Pos = start
	return ""
}

// cutePointer skips the pointer before a layout, and returns the type of its elements: ptr[16b] says their bits alone.
func (r cuteReader) cutePointer(d *Descriptor) layout.DType {
	dtype := r.options.DType
	line, _, _ := strings.Cut(r.In[r.Pos:], "\n")
	i := strings.LastIndex(line, " o ")
	if i < 0 || !strings.Contains(line[:i], "ptr") {
		return dtype
	}
	pointer := line[:i]
	start := r.Pos
	d.Skipped = append(d.Skipped, strings.TrimSpace(pointer)+", the pointer")
	r.Pos += i + len(" o ")
	if _, bits, ok := strings.Cut(pointer, "ptr["); ok {
		bits, _, _ = strings.Cut(bits, "b]")
		if n, err := strconv.ParseInt(bits, 10, 64); err == nil {
			dtype = r.sizedType(start, n, d)
		}
		return dtype
	}
	for _, mark := range [...]string{"ptr<", ": "} { // of the Python DSL: ptr<f16, gmem>, raw_ptr(0x0: f16, gmem)
		if _, word, ok := strings.Cut(pointer, mark); ok {
			word = word[:wordLength(word)]
			if t, err := layout.ParseDType(word); err == nil && word != "" {
				d.Typed = true
				return t
			}
		}
	}
	return dtype
}

// sizedType returns the type of elements of which the text says only the bits, at the given offset.
func (r *reader) sizedType(at int, bits int64, d *Descriptor) layout.DType {
	dtype := r.options.DType
	if bits == dtype.Bits() {
		return dtype
	}
	named, known := layout.DTypeOf(bits)
	switch {
	case r.options.Typed:
		r.Fail(at, "leave out -t, or give a type of as many bits",
			"the text says that elements have %d bits, -t that they are %s", bits, dtype)
	case !known:
		r.Fail(at, "", "no type has %d bits", bits)
	default:
		d.Skipped = append(d.Skipped, fmt.Sprintf("elements of %d bits, whose type is not said: read as %s", bits,
			named))
		d.Typed = true
		return named
	}
	return dtype
}

// printedRows steps over what print_tensor and print_layout write after a layout: a colon, rows of values, and grids.
func (r cuteReader) printedRows() {
	if r.Err != nil {
		return
	}
	r.Span(func(c byte) bool { return c == ' ' || c == '\t' || c == '>' })
	if !r.TakeHere(":") && r.TakeHere("=") {
		r.Span(func(c byte) bool { return c != '\n' })
	}
	rows := false
	for start := r.Pos; r.Err == nil && r.Pos < len(r.In); {
		line, _, _ := strings.Cut(r.In[r.Pos:], "\n")
		if r.Pos == start && strings.TrimSpace(line) != "" {
			r.Space()
			r.Unexpected("unexpected text %s", r.Rest())
			return
		}
		row := strings.TrimLeft(line, "/* \t\r")
		if strings.Trim(row, "0123456789.+-|eEinfa* \t\r") != "" {
			break
		}
		rows = rows || row != ""
		r.Pos = min(r.Pos+len(line)+1, len(r.In))
	}
	if rows {
		last := &r.found[len(r.found)-1]
		last.Skipped = append(last.Skipped, "the values after the layout")
	}
}

// nextCuteCall finds make_layout(...), Layout<...> or Layout(...) from an offset on.
func nextCuteCall(text string, from int) (at int, ok bool) {
	for at = from; at < len(text); at++ {
		if !scan.IsLetter(text[at]) || at > 0 && scan.IsWord(text[at-1]) {
			continue
		}
		end := at + wordLength(text[at:])
		switch word := text[at:end]; {
		case end == len(text):
		case (word == "make_layout" || word == "make_ordered_layout") && text[end] == '(', word == "Layout" &&
			text[end] == '<',
			word == "Layout" && strings.HasPrefix(text[end:], "(("):
			return at, true
		}
		at = end - 1
	}
	return 0, false
}

// cuteCalls reads all calls and types that say layouts, under the names that they are given.
func (r cuteReader) cuteCalls() {
	for from := 0; r.Err == nil; {
		at, ok := nextCuteCall(r.In, from)
		if !ok {
			break
		}
		statement := r.In[from:at]
		statement = statement[strings.LastIndexAny(statement, ";\n")+1:]
		before, _, assigned := strings.Cut(statement, "=")
		words := strings.Fields(before)
		name := ""
		if assigned && len(words) > 0 && scan.IsName(words[len(words)-1]) {
			name = words[len(words)-1]
		}
		r.Pos = at
		r.cuteCall(at, name)
		from = r.Pos
	}
	for at := 0; at < len(r.In); at++ {
		word := r.In[at : at+wordLength(r.In[at:])]
		at += len(word)
		if slices.Contains(cuteOperations[:], word) && strings.IndexAny(r.In[at:], "(<") == 0 {
			r.skip("%s, which makes another layout: those that it is made of are read", word)
		}
	}
	r.Pos = len(r.In)
}

// cuteOperations are the functions of CuTe that make layouts of layouts.
var cuteOperations = [...]string{
	"append", "blocked_product", "coalesce", "complement", "composition", "downcast", "filter", "filter_zeros",
	"flat_divide", "flat_product", "flatten", "group", "group_modes", "left_inverse", "local_partition", "local_tile",
	"logical_divide", "logical_product", "max_common_layout", "prepend", "raked_product", "recast_layout",
	"right_inverse", "select", "take", "tile_to_shape", "tiled_divide", "tiled_product", "upcast", "zipped_divide",
	"zipped_product",
}

// cuteCall reads one call or type.
func (r cuteReader) cuteCall(at int, name string) {
	var v literal.Value
	if r.Operand(&v); r.Err != nil || v.Next == nil {
		return
	}
	if v.Last() == "make_ordered_layout" {
		r.orderedLayout(at, name, v.Next.List)
		return
	}
	args := literal.Named(v.Next.List, "shape", "stride")
	shapeOf, ok := literal.Field(args, "shape")
	if !ok || len(args) > 2 {
		r.Fail(at, "such as make_layout(make_shape(4, 8), make_stride(8, 1))",
			"a shape and its strides are expected here")
		return
	}
	shape := r.cuteMode(shapeOf)
	next := int64(1)
	stride := mode{}
	given, ok := literal.Field(args, "stride")
	switch given.Last() {
	case "LayoutRight", "GenRowMajor":
		stride = r.generatedRight(shape, &next)
	case "LayoutLeft", "GenColMajor":
		stride = r.generated(shape, &next)
	default:
		if stride = r.generated(shape, &next); ok {
			stride = r.cuteMode(given)
			r.congruent(shape, stride)
		}
	}
	r.cuteLayout(at, Descriptor{Name: name}, r.options.DType, shape, stride)
}

// orderedLayout reads make_ordered_layout(SHAPE, ORDER): packed, the modes of smaller numbers first.
func (r cuteReader) orderedLayout(at int, name string, args []literal.Entry) {
	args = literal.Named(args, "shape", "order")
	shapeOf, shaped := literal.Field(args, "shape")
	orderOf, ordered := literal.Field(args, "order")
	if !shaped || !ordered || len(args) > 2 {
		r.Fail(at, "such as make_ordered_layout(make_shape(4, 8), make_step(1, 0))",
			"a shape and the order of its modes are expected here")
		return
	}
	shape, order := r.cuteMode(shapeOf), r.cuteMode(orderOf)
	var leaves []layout.Digit // the number of a mode, and what it takes
	var gather func(shape, order mode)
	gather = func(shape, order mode) {
		switch {
		case !order.nested:
			size := int64(1)
			r.generated(shape, &size)
			leaves = append(leaves, layout.Digit{Stride: order.n, Extent: size})
		case !shape.nested || len(shape.modes) != len(order.modes):
			r.Fail(order.at, "such as make_ordered_layout(make_shape(4, 8), make_step(1, 0))",
				"the order is not nested as the shape is")
		default:
			for i := range shape.modes {
				gather(shape.modes[i], order.modes[i])
			}
		}
	}
	gather(shape, order)
	slices.SortStableFunc(leaves, func(a, b layout.Digit) int { return cmp.Compare(a.Stride, b.Stride) })
	starts, next := map[int64]int64{}, int64(1)
	for i, leaf := range leaves {
		if i > 0 && leaf.Stride == leaves[i-1].Stride {
			r.Fail(orderOf.At, "", "the order has the number %d twice", leaf.Stride)
		}
		starts[leaf.Stride] = next
		next = r.times(next, leaf.Extent)
	}
	var strides func(shape, order mode) mode
	strides = func(shape, order mode) mode {
		if !order.nested {
			start := starts[order.n]
			return r.generated(shape, &start)
		}
		stride := mode{at: shape.at, nested: true}
		for i := range order.modes {
			stride.modes = append(stride.modes, strides(shape.modes[i], order.modes[i]))
		}
		return stride
	}
	if r.Err == nil {
		r.cuteLayout(at, Descriptor{Name: name}, r.options.DType, shape, strides(shape, order))
	}
}

// cuteMode returns the mode that a value of C++ or Python is: 4, _4, Int<4>{}, (4, 8), make_shape(4, 8), Shape<_4, _8>.
func (r cuteReader) cuteMode(v literal.Value) mode {
	m := mode{at: v.At}
	items := literal.Value{}
	switch {
	case v.Kind == literal.Number:
		m.n = v.N
		return m
	case v.Kind == literal.List:
		items = v
	case v.Kind == literal.Word && len(v.Word) > 1 && strings.Trim(v.Word[1:], "0123456789") == "" && v.Word[0] == '_':
		n, err := strconv.ParseInt(v.Word[1:], 10, 64)
		r.CheckNumber(v.At, v.Word, err)
		m.n, m.static = n, true
		return m
	case v.Kind == literal.Word && v.Next != nil:
		args := v.Inside("<(")
		switch last := v.Last(); {
		case args.Kind != literal.List:
		case (last == "Int" || last == "C" || last == "constant") && len(args.List) > 0:
			m.n, m.static = r.Int(args.List[len(args.List)-1].Value, "the mode"), true
			return m
		case len(args.List) == 1 && args.List[0].Kind == literal.List && args.List[0].Open == '<':
		default:
			items = args
		}
	}
	if items.Kind != literal.List {
		m.n = r.Int(v, "the mode")
		return m
	}
	m.nested = true
	if r.Deeper(); r.Err != nil {
		r.Fail(v.At, "", "brackets nest deeper than the limit of %d", text.MaxDepth)
	}
	for _, e := range items.List {
		m.modes = append(m.modes, r.cuteMode(e.Value))
	}
	r.Higher()
	return m
}

// generatedRight is generated with the rightmost mode fastest.
func (r cuteReader) generatedRight(shape mode, next *int64) mode {
	if !shape.nested {
		return r.generated(shape, next)
	}
	stride := mode{at: shape.at, nested: true, modes: make([]mode, len(shape.modes))}
	for i, m := range slices.Backward(shape.modes) {
		stride.modes[i] = r.generatedRight(m, next)
	}
	return stride
}

// mode reads a number or a list in brackets.
func (r cuteReader) mode() mode {
	r.Space()
	m := mode{at: r.Pos}
	if r.Peek() != '(' {
		m.static = r.TakeHere("_")
		m.n = r.Known("this number of the layout")
		if r.Peek() == '@' {
			r.Unexpected("a basis stride leads to coordinates, not to an offset")
		}
		if r.Peek() == '{' {
			r.Through("}")
		}
		return m
	}
	m.nested = true
	r.Each("(", ")", func(i int) {
		if i == 0 || r.Peek() != ')' { // Python has a comma after the last one too
			m.modes = append(m.modes, r.mode())
		}
	})
	return m
}

// congruent refuses strides that are not nested as the shape is.
func (r cuteReader) congruent(shape, stride mode) {
	if shape.nested != stride.nested || len(shape.modes) != len(stride.modes) {
		r.Fail(stride.at, "such as (4,(2,2)):(2,(1,8))", "the strides are not nested as the shape is")
		return
	}
	for i := range shape.modes {
		r.congruent(shape.modes[i], stride.modes[i])
	}
}

// generated returns the strides of a shape without any: packed, the leftmost mode fastest.
// Static modes of size 1 get 0, as in C++.
func (r cuteReader) generated(shape mode, next *int64) mode {
	stride := mode{at: shape.at, nested: shape.nested, n: *next}
	for _, m := range shape.modes {
		stride.modes = append(stride.modes, r.generated(m, next))
	}
	switch {
	case shape.nested:
	case shape.static && shape.n == 1:
		stride.n = 0
	default:
		*next = r.times(*next, shape.n)
	}
	return stride
}

// cuteAxis makes an axis of a mode: the leaves are its digits, the first one innermost.
func (r cuteReader) cuteAxis(shape, stride mode) layout.Axis {
	var digits []layout.Digit
	size := int64(1)
	var leaves func(shape, stride mode)
	leaves = func(shape, stride mode) {
		for i := range shape.modes {
			leaves(shape.modes[i], stride.modes[i])
		}
		if !shape.nested {
			digits = append(digits, layout.Digit{Extent: shape.n, Stride: stride.n})
			size = r.times(size, shape.n)
		}
	}
	leaves(shape, stride)
	slices.Reverse(digits)
	if len(digits) == 0 {
		digits = []layout.Digit{{Extent: 1}}
	}
	if size == 0 {
		digits = []layout.Digit{{Extent: 0, Stride: digits[len(digits)-1].Stride}}
	}
	return layout.NewAxis("", size, digits...)
}

// writeCuTe writes shape:stride with the modes in the order of the axes.
func writeCuTe(t layout.Tensor) (string, error) {
	l := t.Layout()
	if l.Base() != 0 {
		return "", lost(t, "the pointer holds the offset of index 0, not the layout, and here it is %d", l.Base())
	}
	shapes, strides := make([]string, l.Rank()), make([]string, l.Rank())
	for i, digits := range fewestDigits(l) {
		block := int64(1)
		for _, d := range digits[1:] {
			block *= d.Extent
		}
		if size := l.Axis(i).Size(); size%block != 0 {
			return "", lost(t, "its modes are full, and axis %s, of size %d, does not fill its last block of %d",
				l.AxisName(i), size, block)
		}
		shapes[i], strides[i] = cuteMode(digits)
	}
	return "(" + strings.Join(shapes, ",") + "):(" + strings.Join(strides, ",") + ")", nil
}

// cuteMode writes the digits of an axis, the innermost first.
func cuteMode(digits []layout.Digit) (shape, stride string) {
	extents, strides := make([]int64, len(digits)), make([]int64, len(digits))
	for i, d := range digits {
		extents[len(digits)-1-i], strides[len(digits)-1-i] = d.Extent, d.Stride
	}
	if len(digits) == 1 {
		return layout.JoinInts(extents, ","), layout.JoinInts(strides, ",")
	}
	return "(" + layout.JoinInts(extents, ",") + ")", "(" + layout.JoinInts(strides, ",") + ")"
}

// cosizes are the sizes of the codomain. C++ adds up magnitudes of strides, pycute asks for the
// offset of the last element.
func cosizes(t layout.Tensor) ([]Size, error) {
	l := t.Layout()
	cosize, last := int64(1), int64(1)
	for i := range l.Rank() {
		for k := range l.Axis(i).Digits() {
			d := l.Axis(i).Digit(k)
			step := (d.Extent - 1) * d.Stride
			cosize += max(step, -step)
			last += step
		}
	}
	if l.Empty() {
		return []Size{{"cosize", 0, 0}}, nil
	}
	sizes := []Size{{"cosize", cosize, t.Bytes(cosize)}}
	if last != cosize {
		sizes = append(sizes, Size{"cosize in pycute", last, t.Bytes(max(last, 0))})
	}
	return sizes, nil
}
