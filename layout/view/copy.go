package view

import (
	"cmp"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// own gives the tensor a separate storage.
func (v *viewing) own(why string) {
	v.copied, v.itsOwn, v.note, v.base = true, false, why, 0
	v.storage = v.elements()
}

// copyTo makes the tensor a new one with the given sizes.
func (v *viewing) copyTo(sizes []int64, why string) {
	v.restride(sizes, v.packed(sizes))
	v.own(why)
}

// strides returns the strides of the axes. Each axis must have one stride.
func (v *viewing) strides() []int64 {
	strides := make([]int64, len(v.axes))
	for i := range strides {
		strides[i] = v.stride(i)
	}
	return strides
}

// copyInOrder copies the tensor to packed memory with the axes in an order, starting at the innermost. Sizes count as
// at least least, which is 0 for some steps.
func (v *viewing) copyInOrder(order []int, least int64, why string) {
	sizes, strides, next := v.sizes(), make([]int64, len(order)), int64(1)
	for _, i := range order {
		strides[i] = next
		next = v.times("the stride of an axis", next, max(sizes[i], least))
	}
	v.restride(sizes, strides)
	v.own(why)
}

// keep copies the tensor and keeps the order of the axes, because a dense PyTorch tensor keeps its strides.
func (v *viewing) keep(why string) {
	strides := v.strides()
	switch {
	case v.err != nil:
	case v.of == layout.NumPy:
		order := v.backwards()
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(layout.Magnitude(strides[a]), layout.Magnitude(strides[b]))
		})
		v.copyInOrder(order, 0, why)
	case v.isDense(strides):
		v.restride(v.sizes(), strides)
		v.own(why)
	default:
		v.copyInOrder(v.inferred(strides), 1, why)
	}
}

// backwards returns the axes from the last to the first.
func (v *viewing) backwards() []int {
	order := make([]int, len(v.axes))
	for i := range order {
		order[i] = len(order) - 1 - i
	}
	return order
}

// isDense reports whether the elements are contiguous in some order of the axes. It is like PyTorch's
// is_non_overlapping_and_dense.
func (v *viewing) isDense(strides []int64) bool {
	if analysis.Contiguous(v.before) {
		return true
	}
	order := slices.DeleteFunc(v.backwards(), func(i int) bool { return v.axes[i].Size() < 2 })
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(strides[a], strides[b]) })
	next := int64(1)
	for _, i := range order {
		if strides[i] != next {
			return false
		}
		next = v.times("the stride of an axis", next, v.axes[i].Size())
	}
	return true
}

// inferred returns the axes, starting at the innermost, in the order of PyTorch's infer_dense_strides: by insertion
// sort, which does not move strides of 0.
func (v *viewing) inferred(strides []int64) []int {
	order := v.backwards()
	for i := range order {
		for k, at := i-1, i; k >= 0; k-- {
			a, b := order[k], order[at]
			if strides[a] == 0 || strides[b] == 0 || strides[a] == strides[b] && v.axes[a].Size() <= v.axes[b].Size() {
				continue
			}
			if strides[a] < strides[b] {
				break
			}
			order[k], order[at] = b, a
			at = k
		}
	}
	return order
}

// lastOrder is the order of axes that PyTorch calls channels_last, in addition to NumPy's orders: C, F, and K, which
// keeps the order.
const lastOrder = "channels_last"

const notContiguous = "it was not contiguous"

// makeContiguous copies the tensor unless it is already contiguous or channels_last.
func makeContiguous(v *viewing) {
	order, why := v.format(v.args[0].Value), notContiguous
	if order == lastOrder {
		why = "it was not channels_last"
	}
	v.asOrdered(order, why)
}

// asOrdered copies the tensor unless it is packed in an order.
func (v *viewing) asOrdered(order, why string) {
	if _, v.itsOwn = v.isOrdered(order); !v.itsOwn {
		v.copyAs(order, why)
	}
}

// isOrdered reports whether the tensor is packed in an order. It returns C or F instead of A.
func (v *viewing) isOrdered(order string) (of string, ok bool) {
	isC, isF := analysis.Contiguous(v.before), analysis.ColumnMajor(v.before)
	switch {
	case order == "A" && (!isF || isC):
		order = "C"
	case order == "A":
		order = "F"
	}
	return order, order == "C" && isC || order == "F" && isF || order == lastOrder && analysis.ChannelsLast(v.before)
}

// copyAs copies the tensor in an order.
func (v *viewing) copyAs(order, why string) {
	axes, least := v.backwards(), int64(1)
	switch order, _ = v.isOrdered(order); order {
	case "F":
		slices.Reverse(axes)
	case lastOrder:
		axes, least = analysis.ChannelsLastOrder(len(axes)), 0
	}
	switch {
	case v.err != nil:
	case order == "K":
		v.keep(why)
	default:
		v.copyInOrder(axes, least, why)
	}
}

// format reads a memory format, an order.
func (v *viewing) format(f literal.Value) string {
	rank := 0
	switch word := strings.ReplaceAll(strings.ToLower(f.Last()), "-", "_"); {
	case f.Kind == literal.Nothing, lexer.Like(word, "row_major", "contiguous", "contiguous_format"):
		return "C"
	case word == lastOrder:
		rank = 4
	case word == lastOrder+"_3d":
		rank = 5
	default:
		v.usageAt(f.At)
	}
	if rank != len(v.axes) {
		v.failAt(f.At, "", "%s needs rank %d, this tensor has %d", f.Word, rank, len(v.axes))
	}
	return lastOrder
}

// isLikeChannelsLast reports whether PyTorch's suggest_memory_format is channels_last. It uses the conditions of
// is_channels_last_strides_2d, which do not hold if axes of size 1 leave it open.
func (v *viewing) isLikeChannelsLast() bool {
	order, strides, least := analysis.ChannelsLastOrder(len(v.axes)), v.strides(), int64(0)
	if order == nil || strides[1] == 0 {
		return false
	}
	for _, i := range order {
		size := v.axes[i].Size()
		if size == 0 || strides[i] < least || i == 0 && least == strides[1] {
			return false
		}
		least = v.times("the stride of an axis", strides[i], size)
	}
	return true
}

// to copies the tensor to another type, another device, or another memory format.
func to(v *viewing) {
	var format literal.Value
	dtype, moves, always := v.dtype, false, false
	for _, a := range slices.Concat(v.args, v.options) {
		isFormat := lexer.Like(a.Last(), "channels_last*", "*contiguous*", "preserve_format")
		switch {
		case a.Key == "memory_format" || a.Key == "" && isFormat:
			format = a.Value
		case a.Key == "copy":
			always = a.Word == "True"
		case a.Key == "non_blocking" || a.Key == "" && (a.Word == "True" || a.Word == "False") && len(v.args) > 1:
			moves = true
		case a.Key == "device", a.Key == "" && (a.Kind == literal.Str || lexer.Like(a.Last(), "*device", "cpu",
			"cuda")):
			moves = true
		default:
			dtype = v.typeOf(a.Value)
		}
	}
	if len(v.args)+len(v.options) == 0 {
		v.usage()
	}
	v.convert(dtype, format, moves, always)
}

// convert converts the tensor to a type and a memory format. If always is set, it always copies.
func (v *viewing) convert(dtype layout.DType, format literal.Value, moves, always bool) {
	order, asked := "", format.Word != "" && format.Last() != "preserve_format"
	if asked {
		order = v.format(format)
	}
	isOther := dtype != v.dtype
	v.dtype = dtype
	switch {
	case v.err != nil:
	case asked && (always || isOther || (order == lastOrder) != v.isLikeChannelsLast()):
		v.copyAs(order, "it was not in that memory format")
	case always || isOther:
		v.keep("the copy keeps the order of the axes")
	case moves:
		toDevice(v)
	default:
		v.itsOwn = true
	}
}

// toDevice copies the tensor to another device, if it is not there. The result must be the same in both cases.
func toDevice(v *viewing) {
	for _, a := range v.args {
		if a.Kind == literal.Word && !lexer.Like(a.Last(), "*device", "None", "True", "False") {
			v.usageAt(a.At)
		}
	}
	if !v.isDense(v.strides()) || v.base != 0 {
		v.refuse("clone() copies in any case; remove the step where the tensor is there",
			"whether this copies depends on the device of the tensor: a copy has no gaps and starts at 0")
	}
	v.storage, v.itsOwn = v.elements(), v.name != "cuda"
}

// toNamed is like to, with the type that the step is named after.
func toNamed(v *viewing) {
	word := literal.Value{At: v.at, Kind: literal.Word, Word: "torch." + v.name}
	v.convert(v.typeOf(word), literal.Value{}, false, false)
}

// OfPython returns the 64-bit types that elements get from Python's own types. It returns other words unchanged.
func OfPython(word string) string {
	return cmp.Or(map[string]string{"float": "float64", "int": "int64", "complex": "complex128"}[word], word)
}

// typeOf reads an element type. If a is missing, it returns the tensor's type.
func (v *viewing) typeOf(a literal.Value) layout.DType {
	if a.Kind == literal.Nothing {
		return v.dtype
	}
	word, system := a.Word, layout.PyTorch
	if inner, ok := a.Arguments('('); ok && a.Last() == "dtype" && len(inner) == 1 {
		word = inner[0].Word
	}
	word = cmp.Or(map[string]string{"torch.char": "int8", "torch.byte": "uint8"}[word], OfPython(word))
	if v.of == layout.NumPy {
		_, word = literal.Member(word)
		system = layout.NumPy
	}
	d, _, err := system.ReadDType(word)
	if err != nil {
		v.failAt(a.At, "such as "+v.op.usage, "%s is not an element type", wording.Quote(word))
	}
	return d
}

// clone copies the tensor. PyTorch's functions such as empty_like also create a tensor with the same order.
func clone(v *viewing) {
	v.convert(v.typeOf(v.option("dtype")), v.option("memory_format"), false, true)
}

// newTensor creates another tensor with the type of this one.
func newTensor(v *viewing) {
	isFull := v.name == "new_full"
	if isFull {
		v.args = v.args[:1]
	}
	if len(v.args) == 0 || isFull && v.args[0].Kind != literal.List {
		v.usage()
		return
	}
	v.dtype = v.typeOf(v.option("dtype"))
	if sizes := v.numbers(v.given()); v.err == nil {
		v.copyTo(sizes, "")
	}
}

// flipCopy reverses axes like PyTorch.
func flipCopy(v *viewing) {
	axes := v.axisList(v.args)
	if len(axes) == 0 {
		v.usage()
	}
	v.keep("PyTorch's flip copies; NumPy's is a view, which --from numpy gives")
}

// rotate turns two axes by k times 90 degrees: it transposes them, and reverses one or both.
func rotate(v *viewing) {
	k, axes := v.number(v.args[0])&3, []int{0, 1}
	if v.args[1].Kind != literal.Nothing {
		axes = v.axisList(v.args[1:])
	}
	if len(axes) != 2 || len(v.axes) < 2 {
		v.usage()
	}
	if v.err != nil {
		return
	}
	a, b := axes[0], axes[1]
	if v.of != layout.NumPy {
		if v.keep("PyTorch's rot90 copies; NumPy's is a view"); k == 0 {
			v.copyTo(v.sizes(), v.note)
		}
	} else if k > 0 {
		v.flipAxis(map[int64]int{1: b, 2: b, 3: a}[k])
		if k == 2 {
			v.flipAxis(a)
		}
	}
	if k&1 != 0 {
		v.axes[a], v.axes[b] = v.axes[b], v.axes[a]
	}
}

// roll copies the tensor with shifted indices.
func roll(v *viewing) {
	const why = "roll copies"
	v.numbers(items(v.args[:1]))
	isAlong := v.args[1].Kind != literal.Nothing
	if isAlong {
		v.axisList(v.args[1:])
	}
	switch {
	case v.err != nil:
	case isAlong && (v.of == layout.NumPy || v.empty()):
		v.keep(why)
	case v.of != layout.NumPy && v.isLikeChannelsLast():
		v.refuse("", "the memory format of what roll makes of channels_last is not known")
	default:
		v.copyTo(v.sizes(), why)
	}
}

// repeat repeats the elements along each axis. New axes come before the others.
func repeat(v *viewing) {
	times := v.numbers(v.given())
	more := len(times) - len(v.axes)
	if more < 0 {
		v.refuse("", "%s for %s", wording.Count(len(times), "number"), wording.Count(len(v.axes), "axis"))
		return
	}
	v.multiply(append(slices.Repeat([]int64{1}, more), v.sizes()...), times)
}

// multiply repeats the elements so that sizes grow by factors.
func (v *viewing) multiply(sizes, times []int64) {
	for i, n := range times {
		if n < 0 {
			v.fail(i, "", "a number of times cannot be negative")
			return
		}
		sizes[i] = v.times("the number of elements", sizes[i], n)
	}
	_, err := layout.ProductOf(sizes)
	v.fault(layout.NameOverflow("the number of elements", err))
	if v.err == nil {
		v.copyTo(sizes, v.name+" copies; expand broadcasts without one")
	}
}

// tile is like repeat, but if there are fewer numbers than axes, they apply to the last axes.
func tile(v *viewing) {
	times := v.numbers(v.given())
	missing := max(0, len(v.axes)-len(times))
	times = append(slices.Repeat([]int64{1}, missing), times...)
	if v.of == layout.NumPy && !slices.ContainsFunc(times, func(n int64) bool { return n != 1 }) {
		v.keep("tile copies")
		stride := v.outside(v.axes)
		if l, err := layout.New(0, v.axes...); err == nil && analysis.ColumnMajor(l) && !analysis.Contiguous(l) {
			stride = 1
		}
		v.axes = append(slices.Repeat([]layout.Axis{single("", 1, stride)}, len(times)-len(v.axes)), v.axes...)
		return
	}
	v.multiply(append(slices.Repeat([]int64{1}, len(times)-len(v.axes)), v.sizes()...), times)
}

// repeatEach repeats each element along an axis or, like NumPy without an axis, all elements in a single axis.
func repeatEach(v *viewing) {
	sizes, axis := []int64{v.elements()}, 0
	if v.args[1].Kind != literal.Nothing {
		sizes, axis = v.sizes(), v.axis(v.args[1])
	}
	times := slices.Repeat([]int64{1}, len(sizes))
	if n := v.number(v.args[0]); v.err == nil {
		times[axis] = n
		v.multiply(sizes, times)
	}
}

// itself leaves the tensor unchanged.
func itself(v *viewing) { v.itsOwn = v.name != "detach" }

// order returns the order in an argument, or otherwise a default.
func (v *viewing) order(other string) string {
	word := v.option("order")
	letter := strings.ToUpper(word.Word)
	if word.Kind == literal.Nothing {
		letter = other
	}
	if len(letter) != 1 || strings.IndexByte("CFAK", letter[0]) < 0 {
		v.failAt(word.At, "'C', 'F', 'A' or 'K'", "unknown order")
	}
	return letter
}

// copyIn is NumPy's copy. The method copies row-major, the function in the order of the tensor.
func copyIn(v *viewing) {
	other := "C"
	if v.isCall {
		other = "K"
	}
	v.copyAs(v.order(other), "copy copies in the order "+other+" unless it says another")
}

// asType copies the tensor in its order, as another type if one is given.
func asType(v *viewing) {
	if shape := v.option("shape"); shape.Kind != literal.Nothing {
		v.failAt(shape.At, "", "the order of the axes of another shape is not known")
	}
	other := v.dtype
	v.dtype = v.typeOf(v.option("dtype"))
	order := v.order("K")
	if v.name == "array" && order == "A" && v.dtype != other {
		order = "K" // like NumPy
	}
	_, ordered := v.isOrdered(order)
	if v.option("copy").Word == "False" && v.dtype == other && (order == "K" || ordered) {
		v.itsOwn = true
		return
	}
	v.copyAs(order, "the copy has the order "+order)
}

func asContiguous(v *viewing) { asArray(v, "C") }
func asFortran(v *viewing)    { asArray(v, "F") }

// asArray copies the tensor unless it is packed in the order and has the type, and adds an axis to a scalar.
func asArray(v *viewing, order string) {
	other, why := v.dtype, "it was not packed in the order "+order
	if v.dtype = v.typeOf(v.option("dtype")); v.dtype != other {
		v.copyAs(order, why)
	} else {
		v.asOrdered(order, why)
	}
	if len(v.axes) == 0 {
		v.itsOwn = false
		v.insert(0)
	}
}
