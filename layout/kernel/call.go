package kernel

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/algebra"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation"
)

// A call is a function or template with its arguments.
type call struct {
	*evaluator
	name     string
	types    []value // in angle brackets; nil without
	args     []value // in parentheses or braces
	named    named
	isCalled bool // there are parentheses
}

// function returns what evaluates the calls of a function or template, and the kind of the result. The function is nil
// if its name is not known.
func function(name string) (f func(*call) value, kind Kind) {
	for _, family := range [...]struct {
		kind Kind
		find func(name string) func(*call) value
	}{
		{Layout, layoutFunction}, {Copy, copyFunction}, {MMA, mmaFunction}, {other, tupleFunction},
		{other, numberFunction}, {other, typeFunction}, {other, atomFunction},
	} {
		if f := family.find(name); f != nil {
			return f, family.kind
		}
	}
	return nil, other
}

// isFunction reports whether the name of a function or template is known.
func isFunction(name string) bool {
	f, _ := function(name)
	return f != nil
}

// layoutFunction finds functions whose result is a layout.
func layoutFunction(name string) func(*call) value {
	switch name {
	case "make_layout", "Layout":
		return (*call).makeLayout
	case "make_ordered_layout":
		return (*call).orderedLayout
	case "composition", "make_composed_layout", "ComposedLayout":
		return (*call).composition
	case "tile_to_shape":
		return (*call).operation
	}
	return nil
}

// copyFunction finds functions whose result is a TiledCopy.
func copyFunction(name string) func(*call) value {
	switch name {
	case "make_tiled_copy", "make_tiled_copy_tv":
		return (*call).tiledCopy
	case "make_tiled_copy_A", "make_tiled_copy_B", "make_tiled_copy_C":
		return (*call).operandCopy
	case "TiledCopy":
		return (*call).tiledCopyType
	}
	return nil
}

// mmaFunction finds functions whose result is a TiledMMA.
func mmaFunction(name string) func(*call) value {
	if name == "make_tiled_mma" || name == "TiledMMA" {
		return (*call).tiledMMA
	}
	return nil
}

// tupleFunction finds functions whose result is a tuple, a swizzle, or a part of the argument.
func tupleFunction(name string) func(*call) value {
	switch name {
	case "make_shape", "make_stride", "make_step", "make_tuple", "make_coord", "make_tile", "Shape", "Stride", "Step",
		"Coord", "Tile", "tuple":
		return (*call).tuple
	case "Swizzle", "make_swizzle":
		return (*call).makeSwizzle
	case "get_nonswizzle_portion":
		return (*call).nonSwizzle
	case "make_layout_tv":
		return (*call).layoutTV
	case "get":
		return (*call).get
	case "select":
		return (*call).selected
	case "shape", "stride":
		return (*call).part
	}
	return nil
}

// numberFunction finds functions whose result is a number.
func numberFunction(name string) func(*call) value {
	switch name {
	case "Int", "C", "constant", "integral_constant":
		return (*call).constant
	case "size", "size_v":
		return (*call).size
	case "rank":
		return (*call).rank
	case "cosize", "cosize_v":
		return (*call).cosize
	case "max", "min":
		return (*call).extreme
	case "ceil_div", "cdiv":
		return (*call).ceilDiv
	case "log2", "log_2":
		return (*call).log2
	case "len":
		return (*call).length
	}
	return nil
}

// typeFunction finds functions of types.
func typeFunction(name string) func(*call) value {
	switch name {
	case "decltype", "const_expr", "static_cast", "int", "bool", "declval", "remove_cvref_t", "decay_t":
		return (*call).same
	case "conditional_t", "conditional":
		return (*call).conditional
	case "is_same_v", "is_same":
		return (*call).isSame
	case "sizeof":
		return (*call).sizeof
	case "sizeof_bits", "sizeof_bits_v":
		return (*call).sizeofBits
	}
	return nil
}

// atomFunction finds functions whose result is the atom of a copy or an MMA.
func atomFunction(name string) func(*call) value {
	switch name {
	case "MMA_Atom":
		return (*call).atom
	case "MmaF16BF16Op":
		return (*call).operator
	case "make_copy_atom":
		return (*call).copyAtom
	case "LdMatrix8x8x16bOp", "StMatrix8x8x16bOp":
		return (*call).matrixOperator
	}
	return nil
}

// result evaluates the call. If that fails, the value keeps the kind of the function's result.
func (c *call) result() value {
	if c.isCondition {
		return c.condition()
	}
	f, kind := function(c.name)
	if f == nil || c.types == nil && c.args == nil && !c.isCalled {
		return c.otherwise()
	}
	v := f(c)
	if v.err != nil && kind != other {
		v.of, v.isMeant = kind, true
	}
	return v
}

// otherwise evaluates a name that is not a call of a known function.
func (c *call) otherwise() value {
	if _, isOperation := algebra.CuTe(c.name); isOperation && c.isCalled {
		return c.operation()
	}
	switch name := c.name; {
	case name == "_" || name == "Underscore":
		return value{kind: keep}
	case name == "true" || name == "True":
		return truth(true)
	case name == "false" || name == "False":
		return truth(false)
	case len(name) > 1 && name[0] == '_' && lexer.IsDigit(name[1]):
		return parseNumber(name[1:])
	case notation.IsSharedTile(name) && c.types != nil:
		return c.sharedTile()
	case c.isPython && c.isCalled && strings.HasSuffix(name, "Layout"):
		return c.encoding()
	case c.isCalled:
		return failure("", "%s is not evaluated here", name)
	}
	if t := typeNamed(c.name); t.kind == typeValue {
		return t
	}
	return value{kind: word, name: c.name, parts: c.types, where: c.env, err: openName(c.name)}
}

// condition evaluates a name in a condition of the preprocessor.
func (c *call) condition() value {
	switch c.name {
	case arch:
		return numberOf(c.arch)
	case "defined":
		return c.defined()
	}
	return value{kind: word, name: c.name, err: openName(c.name)}
}

// defined evaluates defined(NAME).
func (c *call) defined() value {
	if len(c.args) == 1 && c.args[0].kind == number && c.text(c.at-2) == arch {
		return truth(true)
	}
	return failure("", "defined() is known of "+arch+" alone")
}

// typeNamed returns the element type of a name.
func typeNamed(name string) value {
	if digits, ok := strings.CutSuffix(strings.TrimPrefix(name, "uint"), "_t"); ok && strings.HasPrefix(name, "uint") {
		if n, err := lexer.ParseNumber(digits); err == nil { // uint128_t
			return value{kind: typeValue, bits: n, name: name}
		}
	}
	if !layout.C.HasDType(name) {
		return value{}
	}
	_, isC := layout.DTypeIn(layout.C, name)
	d, _, err := layout.C.ReadDType(name)
	if err != nil || !isC && !strings.ContainsAny(name, "0123456789") && !strings.HasSuffix(name, "_t") {
		return value{}
	}
	return value{kind: typeValue, dtype: d, bits: d.Bits(), name: name}
}

// all returns the arguments in angle brackets, or otherwise the arguments in parentheses.
func (c *call) all() []value {
	if len(c.types) > 0 {
		return c.types
	}
	return c.args
}

// argument returns an argument by its index or name.
func (c *call) argument(i int, name string) (value, bool) {
	if v, ok := c.named[name]; ok && name != "" {
		return v, true
	}
	if list := c.all(); i < len(list) {
		return list[i], true
	}
	return failure("", "%s has too few arguments", c.name), false
}

// constant evaluates Int<4>{}. The last argument is the number.
func (c *call) constant() value {
	list := c.all()
	if len(list) == 0 {
		return failure("", "%s has no number", c.name)
	}
	return list[len(list)-1]
}

// tuple evaluates make_shape(4, 8) or Shape<_4, _8>.
func (c *call) tuple() value { return value{kind: tuple, parts: c.all()} }

// same evaluates a call that changes nothing here.
func (c *call) same() value {
	v, _ := c.last()
	return v
}

// last returns the last argument.
func (c *call) last() (value, bool) {
	list := c.args
	if len(list) == 0 {
		list = c.types
	}
	if len(list) == 0 {
		return failure("", "%s has no argument", c.name), false
	}
	return list[len(list)-1], true
}

// conditional evaluates std::conditional_t<CONDITION, A, B>.
func (c *call) conditional() value {
	if len(c.types) != 3 {
		return failure("", "%s has three arguments", c.name)
	}
	return choose(c.types[0], c.types[1], c.types[2])
}

// isSame evaluates std::is_same_v<A, B>.
func (c *call) isSame() value {
	if len(c.types) != 2 {
		return failure("", "%s has two arguments", c.name)
	}
	for _, v := range c.types {
		if v.kind != typeValue {
			return v.unknown("a known type")
		}
	}
	return truth(c.types[0].bits == c.types[1].bits && c.types[0].dtype == c.types[1].dtype)
}

// sizeof evaluates sizeof(TYPE).
func (c *call) sizeof() value {
	v, _ := c.last()
	t := c.typeOf(v)
	if t.kind != typeValue {
		return t
	}
	return numberOf((t.bits + 7) / 8)
}

// sizeofBits evaluates sizeof_bits<TYPE>::value.
func (c *call) sizeofBits() value {
	v, _ := c.last()
	t := c.typeOf(v)
	if t.kind != typeValue {
		return t
	}
	return numberOf(t.bits)
}

// operand returns the last argument, or of the mode of it that angle brackets choose.
func (c *call) operand() value {
	v, ok := c.last()
	if !ok || len(c.args) == 0 || len(c.types) == 0 {
		return v
	}
	for _, at := range c.types {
		if at.kind != number {
			return at.unknown("the number of a mode")
		}
		if v.kind == layoutValue {
			list := v.layout.Mode()
			if list.Modes == nil || uint64(at.number) >= uint64(len(list.Modes)) {
				return failure("", "%s has no mode %d", v, at.number)
			}
			l, err := algebra.New(list.Modes[at.number], 0)
			v = value{kind: layoutValue, layout: l}.checked(err)
		} else {
			v = v.item(at.number)
		}
	}
	return v
}

// size evaluates size(x) and size<0>(x).
func (c *call) size() value {
	v := c.operand()
	if v.kind == layoutValue {
		return numberOf(v.layout.Flat().Elements())
	}
	return v.product()
}

// product returns the product of the numbers of a tuple.
func (v value) product() value {
	if v.kind != tuple {
		return v
	}
	n := numberOf(1)
	for _, part := range v.parts {
		n = operation("*", n, part.product())
	}
	return n
}

// rank evaluates rank(x).
func (c *call) rank() value {
	switch v := c.operand(); v.kind {
	case layoutValue:
		return numberOf(int64(v.layout.Flat().Rank()))
	case tuple:
		return numberOf(int64(len(v.parts)))
	case number:
		return numberOf(1)
	default:
		return v.unknown("a shape")
	}
}

// cosize evaluates cosize(x).
func (c *call) cosize() value {
	return c.withLayout(func(v value) value {
		_, high := v.plain().layout.Flat().Bounds()
		return numberOf(high + 1)
	})
}

// nonSwizzle evaluates get_nonswizzle_portion(x).
func (c *call) nonSwizzle() value { return c.withLayout(value.plain) }

// withLayout returns what a function makes of the layout that is the argument.
func (c *call) withLayout(f func(value) value) value {
	v := c.operand()
	if v.kind != layoutValue {
		return v.unknown("a layout")
	}
	return f(v)
}

// part evaluates shape(x) and shape<0>(x).
func (c *call) part() value {
	v, _ := c.last()
	v = v.member(c.name, c.evaluator)
	if len(c.args) > 0 && len(c.types) == 1 {
		return v.item(c.types[0].number)
	}
	return v
}

// get evaluates get<0>(x).
func (c *call) get() value {
	v, _ := c.last()
	for _, at := range c.types {
		if v.kind == layoutValue {
			return c.operand()
		}
		v = v.item(at.number)
	}
	return v
}

// selected evaluates select<0,2>(x).
func (c *call) selected() value {
	of, _ := c.last()
	v := value{kind: tuple}
	for _, at := range c.types {
		v.parts = append(v.parts, of.item(at.number))
	}
	return v
}

// extreme evaluates max(a, b) and min(a, b).
func (c *call) extreme() value {
	if len(c.args) == 0 {
		return failure("", "%s has no arguments", c.name)
	}
	v := c.args[0]
	for _, w := range c.args[1:] {
		v = choose(operation(map[string]string{"max": ">", "min": "<"}[c.name], v, w), v, w)
	}
	return v
}

// ceilDiv evaluates ceil_div(a, b).
func (c *call) ceilDiv() value {
	if len(c.args) != 2 {
		return failure("", "%s has two arguments", c.name)
	}
	above := operation("-", operation("+", c.args[0], c.args[1]), numberOf(1))
	return operation("/", above, c.args[1])
}

// log2 evaluates math.log2(x) of a power of two.
func (c *call) log2() value {
	v, _ := c.last()
	if v.kind != number || v.number < 1 || v.number&(v.number-1) != 0 {
		return v.unknown("a power of two")
	}
	return numberOf(int64(bits.TrailingZeros64(uint64(v.number))))
}

// length evaluates len(x).
func (c *call) length() value {
	v, _ := c.last()
	if v.kind != tuple {
		return v.unknown("a tuple")
	}
	return numberOf(int64(len(v.parts)))
}

// makeSwizzle evaluates Swizzle<3,3,3> and make_swizzle(3, 3, 3).
func (c *call) makeSwizzle() value {
	list := c.all()
	if len(list) != 3 {
		return failure("", "a swizzle has three numbers")
	}
	for _, v := range list {
		if v.kind != number || v.number < -64 || v.number > 64 {
			return v.unknown("a number of a swizzle")
		}
	}
	s := layout.Swizzle{Bits: int(list[0].number), Base: int(list[1].number), Shift: int(list[2].number)}
	return value{kind: swizzle, swizzle: s}
}

// shapeMode returns the mode of a shape and its strides. Without strides, the modes are packed, starting at stride
// next. The first mode is the fastest, or with right the last.
func shapeMode(shape value, strides *value, next *int64, right bool) (m algebra.Mode, err error) {
	switch {
	case shape.kind == number && strides == nil:
		m = algebra.Digit(shape.number, *next)
		*next, err = layout.Mul(*next, max(shape.number, 1))
		return m, err
	case shape.kind == number && strides.kind == number:
		return algebra.Digit(shape.number, strides.number), nil
	case shape.kind != tuple && shape.kind != number:
		return m, shape.unknown("a shape").err
	case strides != nil && strides.kind != shape.kind:
		if strides.kind != tuple && strides.kind != number {
			return m, strides.unknown("a stride").err
		}
		fallthrough
	case strides != nil && len(strides.parts) != len(shape.parts):
		return m, lexer.Refuse("", "the strides %s are not nested as the shape %s is", strides, shape)
	}
	m = algebra.List(make([]algebra.Mode, len(shape.parts))...)
	for k := range shape.parts {
		i := k
		if right {
			i = len(shape.parts) - 1 - k
		}
		var of *value
		if strides != nil {
			of = &strides.parts[i]
		}
		if m.Modes[i], err = shapeMode(shape.parts[i], of, next, right); err != nil {
			return m, err
		}
	}
	return m, nil
}

// layoutOf returns the value of a mode with swizzles.
func layoutOf(m algebra.Mode, err error, swizzles ...layout.Swizzle) value {
	if err != nil {
		return value{}.checked(err)
	}
	l, err := algebra.New(m, 0, swizzles...)
	return value{kind: layoutValue, layout: l}.checked(err)
}

// makeLayout evaluates make_layout(SHAPE, STRIDE), Layout<SHAPE, STRIDE>, and make_layout of layouts.
func (c *call) makeLayout() value {
	shape, ok := c.argument(0, "shape")
	if !ok {
		return shape
	}
	if shape.kind == layoutValue {
		m := algebra.List()
		for _, v := range c.all() {
			if v.kind != layoutValue {
				return v.unknown("a layout")
			}
			m.Modes = append(m.Modes, v.layout.Mode())
		}
		return layoutOf(m, nil)
	}
	next, order := int64(1), ""
	strides, ok := c.argument(1, "stride")
	if strides.kind == word {
		order = lastWord(strides.name)
	}
	if ok && !slices.Contains([]string{"LayoutRight", "GenRowMajor", "LayoutLeft", "GenColMajor"}, order) {
		return layoutOf(shapeMode(shape, &strides, nil, false))
	}
	return layoutOf(shapeMode(shape, nil, &next, order == "LayoutRight" || order == "GenRowMajor"))
}

// orderedLayout evaluates make_ordered_layout(SHAPE, ORDER): packed, the modes of smaller numbers first.
func (c *call) orderedLayout() value {
	shape, _ := c.argument(0, "shape")
	order, ok := c.argument(1, "order")
	if !ok || shape.kind != tuple || order.kind != tuple || len(shape.parts) != len(order.parts) {
		return failure("", "make_ordered_layout has a shape, and an order of as many numbers")
	}
	places := make([]int, len(order.parts))
	for i, v := range order.parts {
		if places[i] = i; v.kind != number {
			return v.unknown("a number of an order")
		}
	}
	sort.SliceStable(places, func(i, k int) bool {
		return order.parts[places[i]].number < order.parts[places[k]].number
	})
	m, next := algebra.List(make([]algebra.Mode, len(places))...), int64(1)
	for _, i := range places {
		var err error
		if m.Modes[i], err = shapeMode(shape.parts[i], nil, &next, false); err != nil {
			return value{}.checked(err)
		}
	}
	return layoutOf(m, nil)
}

// composition evaluates composition(a, b), where a may be a swizzle, and make_composed_layout(swizzle, offset, b).
func (c *call) composition() value {
	list := c.all()
	for _, name := range []string{"inner", "offset", "outer"} {
		if v, ok := c.named[name]; ok {
			list = append(slices.Clip(list), v)
		}
	}
	if len(list) < 2 {
		return failure("", "%s has two arguments", c.name)
	}
	of := list[len(list)-1]
	switch first := list[0]; {
	case first.kind == swizzle && of.kind == layoutValue:
		base := int64(0)
		if len(list) == 3 {
			if list[1].kind != number {
				return list[1].unknown("the offset of a layout")
			}
			base = list[1].number
		}
		l, err := algebra.New(of.layout.Mode(), base, append(of.layout.Flat().Swizzles(), first.swizzle)...)
		of.layout = l
		return of.checked(err)
	case first.kind == swizzle:
		return of.unknown("a layout")
	}
	return c.operation()
}

// operation evaluates a CuTe operation on a layout.
func (c *call) operation() value {
	o, ok := algebra.CuTe(c.name)
	list := c.args
	for _, name := range []string{"target_shape", "trg_shape", "tiler", "shape", "order"} {
		if v, ok := c.named[name]; ok {
			list = append(slices.Clip(list), v)
		}
	}
	if !ok || len(list) == 0 || list[0].kind != layoutValue {
		return c.noLayout(list)
	}
	o.A = list[0].layout
	var err error
	if len(list) > 1 {
		t, fault := tiler(list[1])
		o.B, err = &t, fault
	}
	if len(list) > 2 {
		var t algebra.Tiler
		if t, err = tiler(list[2]); err == nil {
			o.Order, err = t.Sizes()
		}
	}
	if err != nil {
		return value{}.checked(err)
	}
	made, err := o.Result()
	v := list[0]
	v.layout = made
	return v.checked(err)
}

// noLayout is the value of an operation if its first operand is not a layout.
func (c *call) noLayout(list []value) value {
	if len(list) == 0 {
		return failure("", "%s has no operand", c.name)
	}
	return list[0].unknown("a layout")
}

// tiler returns the second operand of an operation.
func tiler(v value) (t algebra.Tiler, err error) {
	switch v.kind {
	case keep:
		return algebra.Tiler{Keep: true}, nil
	case number:
		return algebra.Tiler{Mode: algebra.Digit(v.number, 1)}, nil
	case layoutValue:
		return algebra.Tiler{Mode: v.layout.Mode()}, nil
	case tuple:
		t.Each = make([]algebra.Tiler, len(v.parts))
		for i, part := range v.parts {
			if t.Each[i], err = tiler(part); err != nil {
				return t, err
			}
		}
		return t, nil
	}
	return t, v.unknown("a shape").err
}

// sharedTile evaluates a tile with a name in CUTLASS or ThunderKittens. The first argument may be a type.
func (c *call) sharedTile() value {
	args := make([]string, len(c.types))
	for i, v := range c.types {
		switch v.kind {
		case number:
			args[i] = v.String()
		default:
			t := c.typeOf(v)
			if t.kind != typeValue {
				return t
			}
			args[i] = t.dtype.String()
		}
	}
	l, d, err := notation.ReadLayout(c.name+"<"+strings.Join(args, ",")+">", notation.Options{})
	if err != nil {
		return value{}.checked(err)
	}
	return value{kind: layoutValue, layout: l, dtype: d.Tensor.DType(), bits: d.Tensor.DType().Bits()}
}

// encoding evaluates a layout of Gluon, such as BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0]).
func (c *call) encoding() value {
	var parts []string
	for _, v := range c.args {
		text, err := v.python()
		if err != nil {
			return value{err: err}
		}
		parts = append(parts, text)
	}
	names := make([]string, 0, len(c.named))
	for name := range c.named {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		text, err := c.named[name].python()
		if err != nil {
			return value{err: err}
		}
		parts = append(parts, name+"="+text)
	}
	return value{kind: text, of: Encoding, name: c.name + "(" + strings.Join(parts, ", ") + ")"}
}

// python returns a value as Python writes it.
func (v value) python() (string, error) {
	switch v.kind {
	case number:
		return v.String(), nil
	case text:
		return v.name, nil
	case tuple:
		parts := make([]string, len(v.parts))
		for i, part := range v.parts {
			var err error
			if parts[i], err = part.python(); err != nil {
				return "", err
			}
		}
		return "[" + strings.Join(parts, ", ") + "]", nil
	case word:
		return v.name, nil
	}
	return "", v.unknown("an argument of a layout").err
}

// tiledCopy evaluates make_tiled_copy(ATOM, THREADS, VALUES).
func (c *call) tiledCopy() value {
	n := len(c.args)
	if n < 2 {
		return failure("", "%s has a layout of threads and one of values", c.name)
	}
	threads, values := c.args[n-2], c.args[n-1]
	for _, v := range []value{threads, values} {
		if v.kind != layoutValue {
			return v.unknown("a layout of threads or values")
		}
	}
	atom := unknownAtom
	if n > 2 {
		atom = c.atomText(&c.args[0])
	}
	made := fmt.Sprintf("make_tiled_copy(%s, %s, %s)", atom, threads.layout, values.layout)
	return value{kind: text, of: Copy, name: made}
}

// tiledCopyType evaluates TiledCopy<ATOM, LAYOUT, TILE>, as CuTe prints it.
func (c *call) tiledCopyType() value {
	if len(c.types) != 3 || c.types[1].kind != layoutValue {
		return failure("", "TiledCopy has an atom, a layout of threads and values, and a tile")
	}
	next := int64(1)
	tile := layoutOf(shapeMode(c.types[2], nil, &next, false))
	if tile.err != nil {
		return tile
	}
	const print = "TiledCopy %s\n  Tiler_MN: %s\n  TiledLayout_TV: %s\n"
	return value{kind: text, of: Copy, name: fmt.Sprintf(print, c.atomText(&c.types[0]), tile, c.types[1])}
}

// operandCopy evaluates make_tiled_copy_A(ATOM, MMA), a copy of a matrix of a TiledMMA.
func (c *call) operandCopy() value {
	atom, _ := c.argument(0, "copy_atom")
	mma, _ := c.argument(1, "tiled_mma")
	if mma.kind != text || mma.of != MMA {
		return mma.unknown("a TiledMMA")
	}
	mma.of, mma.name = Copy, c.name+"("+c.atomText(&atom)+", "+mma.name+")"
	return mma
}

// copyAtom is the template of copy atoms.
const copyAtom = "Copy_Atom"

// unknownAtom stands for a copy atom that cannot be evaluated. The layout of most copies does not depend on it.
const unknownAtom = "atom"

// atomText returns Copy_Atom<NAME, BITS> for a copy atom, without the bits if the element type is not known.
func (c *call) atomText(v *value) string {
	if v.kind != word || len(v.parts) == 0 || lastWord(v.name) != copyAtom || v.parts[0].kind != word {
		return unknownAtom
	}
	bits := ""
	if len(v.parts) > 1 {
		if t := c.typeOf(v.parts[1]); t.kind == typeValue {
			bits = ", " + strconv.FormatInt(t.bits, 10)
		}
	}
	return copyAtom + "<" + lastWord(v.parts[0].name) + bits + ">"
}

// copyAtom evaluates make_copy_atom(OPERATOR, TYPE) of the Python DSL: an atom of C++.
func (c *call) copyAtom() value {
	parts := make([]value, 2)
	for i, name := range [...]string{"op", "copy_internal_type"} {
		parts[i], _ = c.argument(i, name)
	}
	if parts[0].kind != word {
		return parts[0].unknown("the operator of a copy")
	}
	return value{kind: word, name: copyAtom, parts: parts}
}

// matrixOperator evaluates LdMatrix8x8x16bOp(TRANSPOSE, MATRICES) and StMatrix8x8x16bOp of the Python DSL: a name of
// C++.
func (c *call) matrixOperator() value {
	numbers := [...]int64{0, 1}
	for i, name := range [...]string{"transpose", "num_matrices"} {
		switch v, ok := c.argument(i, name); {
		case ok && v.kind != number:
			return v.unknown("a number")
		case ok:
			numbers[i] = v.number
		}
	}
	parts, before, after := numbers[1], "_U32x", "_N"
	if numbers[0] != 0 {
		parts, before, after = 2*parts, "_U16x", "_T"
	}
	family, verb := "SM75", "_LDSM"
	if c.name[0] == 'S' {
		family, verb = "SM90", "_STSM"
	}
	return value{kind: word, name: family + before + strconv.FormatInt(parts, 10) + verb + after}
}

// layoutTV evaluates make_layout_tv(THREADS, VALUES): the tile, and the copy that stands for its layout.
func (c *call) layoutTV() value {
	v := c.tiledCopy()
	if v.err != nil {
		return v
	}
	tile := value{kind: tuple}
	threads, values := c.args[len(c.args)-2].layout.Flat(), c.args[len(c.args)-1].layout.Flat()
	for i := range min(threads.Rank(), values.Rank()) {
		tile.parts = append(tile.parts, numberOf(threads.Axis(i).Size()*values.Axis(i).Size()))
	}
	return value{kind: tuple, parts: []value{tile, v}}
}

// atom evaluates MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>.
func (c *call) atom() value {
	if list := c.all(); len(list) > 0 {
		return list[0]
	}
	return failure("", "MMA_Atom has no argument")
}

// operator evaluates MmaF16BF16Op(TYPE, TYPE OF THE RESULT, (M, N, K)) of the Python DSL: an atom of C++.
func (c *call) operator() value {
	input, _ := c.argument(0, "ab_dtype")
	result, _ := c.argument(1, "acc_dtype")
	shape, ok := c.argument(2, "shape_mnk")
	if input, result = c.typeOf(input), c.typeOf(result); input.kind != typeValue || result.kind != typeValue {
		return value{err: cmp.Or(input.err, result.err)}
	}
	if !ok || shape.kind != tuple || len(shape.parts) != 3 || shape.product().kind != number {
		return shape.unknown("the shape of an instruction")
	}
	m, n, k := shape.parts[0].number, shape.parts[1].number, shape.parts[2].number
	a, d := "F16", "F32"
	if input.dtype.String() == "bfloat16" {
		a = "BF16"
	}
	if result.bits == 16 {
		d = "F16"
	}
	group, isTensorCore := c.argument(3, "cta_group")
	switch {
	case m > 64 || isTensorCore && strings.Contains(group.name, "CtaGroup"):
		return value{kind: word, name: "SM100_MMA_F16BF16_SS"} // tcgen05
	case m == 64:
		return value{kind: word, name: fmt.Sprintf("SM90_%dx%dx%d_%s%s%[5]s_SS", m, n, k, d, a)}
	}
	return value{kind: word, name: fmt.Sprintf("SM80_%dx%dx%d_%s%s%[5]s%[4]s_TN", m, n, k, d, a)}
}

// tiledMMA evaluates make_tiled_mma(ATOM, THREADS, TILE) and TiledMMA<ATOM, THREADS, TILE>.
func (c *call) tiledMMA() value {
	list := c.all()
	for _, name := range []string{"op_or_atom", "atom_layout_mnk", "permutation_mnk"} {
		if v, ok := c.named[name]; ok {
			list = append(slices.Clip(list), v)
		}
	}
	if len(list) == 0 || list[0].kind != word {
		return c.noAtom(list)
	}
	parts := []string{lastWord(list[0].name)}
	for i, v := range list[1:] {
		if v.kind == tuple && i == 0 { // the sizes of a packed layout
			next := int64(1)
			v = layoutOf(shapeMode(v, nil, &next, false))
		}
		switch v.kind {
		case layoutValue, tuple, number:
			parts = append(parts, v.String())
		default:
			return v.unknown("a layout or tile of atoms")
		}
	}
	return value{kind: text, of: MMA, name: "make_tiled_mma(" + strings.Join(parts, ", ") + ")"}
}

// noAtom is the value of an MMA if its first argument is not the name of an atom.
func (c *call) noAtom(list []value) value {
	if len(list) == 0 {
		return failure("", "%s has no atom", c.name)
	}
	return list[0].unknown("the name of an atom")
}
