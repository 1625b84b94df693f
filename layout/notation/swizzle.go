package notation

import (
	"fmt"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// A frame is the prefix that CuTe prints before a layout: the element type, swizzles, and the offset of index 0.
type frame struct {
	dtype     layout.DType
	at        int              // the offset of the first swizzle in the input
	swizzles  []layout.Swizzle // in the order of the input: the outermost first
	overBytes bool             // the swizzles belong to a pointer; other swizzles apply to elements
	base      int64
	of        Descriptor // holds the notes about the elements
	address   uint64     // the address of the pointer; 0 if it is unknown
}

// outOfStep returns a note if the pattern of a pointer's swizzle does not start at the address. The hardware xors bits
// of addresses.
func (f *frame) outOfStep(t layout.Tensor) []string {
	period := t.Bytes(t.Layout().Period())
	rest := f.address & uint64(period-1)
	if period&(period-1) != 0 || rest == 0 || t.Layout().IsIdle() {
		return nil
	}
	return []string{fmt.Sprintf("the address %#x is %s after a multiple of %d: the swizzle acts on addresses, "+
		"and the offsets are those of a tile that starts at a multiple", f.address, wording.Count(rest, "byte"),
		period)}
}

// startsSwizzle reports whether a swizzle starts at a token.
func (r cuteReader) startsSwizzle(i int) bool {
	return r.follow(i, "Swizzle", "<") || r.follow(i, "Sw", "<") || r.follow(i, "S", "<")
}

// composes reports whether the arguments of a composition, which start at a token, are a swizzle and a layout.
func (r cuteReader) composes(i int) bool {
	for r.follow(i+1, "::") {
		i += 2
	}
	return r.startsSwizzle(i)
}

// frame reads the text before a printed layout: a pointer, swizzles, and a base, each followed by an o.
func (r cuteReader) frame(d *Descriptor) (f frame) {
	f.dtype = r.options.DType
	for r.Err == nil {
		start := r.Pos
		switch {
		case r.startsSwizzle(r.Index()):
			r.composition(&f)
		case lexer.Like(r.Text(r.Token()), "SW_*"): // of pycute
			r.Fail(start, "such as "+composedExample, "a swizzle needs a layout behind it")
		default:
			r.pointer(d, &f)
		}
		if r.Pos == start {
			break
		}
		r.Space()
	}
	return f
}

// composedExample is an example of a swizzled layout.
const composedExample = "Sw<3,3,3> o 0 o (8,64):(64,1)"

// composition reads a swizzle, the o after it, and the base if there is one. CuTe prints the swizzle of a pointer
// before the pointer, with an o or an underscore between them.
func (r cuteReader) composition(f *frame) {
	r.swizzle(f)
	if word := r.Text(r.Token()); len(word) > 1 && word[0] == '_' && !isStatic(word) {
		return
	}
	if !r.Take("o") {
		r.Fail(r.Pos, "such as "+composedExample, "a swizzle needs a layout behind it")
		return
	}
	if r.Space(); r.IsAt(1, "o") && (r.Token().Kind == lexer.Number || isStatic(r.Text(r.Token()))) {
		f.base = r.mode().n
		r.Expect("o")
		r.Space()
	}
}

// swizzle reads Sw<3,4,3>.
func (r cuteReader) swizzle(f *frame) {
	at := int(r.Token().At)
	if len(f.swizzles) == 0 {
		f.at = at
	}
	r.Next()
	var numbers [3]int64
	for i := range numbers {
		r.Expect([...]string{"<", ",", ","}[i])
		r.Space()
		numbers[i] = r.Integer(true)
	}
	r.Expect(">")
	f.swizzles = append(f.swizzles, r.swizzleOf(at, numbers))
}

// swizzleOf returns the swizzle with three numbers.
func (r cuteReader) swizzleOf(at int, numbers [3]int64) layout.Swizzle {
	for _, n := range numbers {
		if most := int64(1 << 16); n > most || n < -most {
			r.Fail(at, "", "offsets have no such bits")
			return layout.Swizzle{}
		}
	}
	return layout.Swizzle{Bits: int(numbers[0]), Base: int(numbers[1]), Shift: int(numbers[2])}
}

// elements returns the swizzles converted to elements, the innermost first.
func (r cuteReader) elements(f frame) []layout.Swizzle {
	list := slices.Clone(f.swizzles)
	slices.Reverse(list)
	for i, s := range list {
		if f.overBytes {
			over, err := s.Recast(8, f.dtype.Bits())
			r.FaultAt(f.at, err)
			list[i] = over
		}
	}
	return list
}

// composed returns the layout in a composition of a swizzle and a layout, and records the swizzle. It returns other
// values unchanged. A ComposedLayout has a base between the two, or the type of the pointer that is swizzled.
func (r cuteReader) composed(v literal.Value, f *frame) literal.Value {
	switch v.Last() {
	case "composition", "make_composed_layout", "ComposedLayout":
	default:
		return v
	}
	args := v.Next.List
	r.noMembers(v.Next.Next)
	if len(args) < 2 || len(args) > 3 {
		r.Fail(v.At, "such as composition(Swizzle<3,3,3>{}, make_layout(make_shape(8, 64), make_stride(64, 1)))",
			"a swizzle and a layout are expected here")
		return literal.Value{}
	}
	of := args[0].Value
	bits := of.Inside("<(").List
	if len(bits) != 3 {
		r.Fail(of.At, "such as Swizzle<3,3,3>", "a swizzle has three numbers")
		return literal.Value{}
	}
	r.noMembers(of.Next.Next)
	var numbers [3]int64
	for i, e := range bits {
		numbers[i] = r.Int(e.Value, "the number of a swizzle")
	}
	f.at, f.swizzles = of.At, []layout.Swizzle{r.swizzleOf(of.At, numbers)}
	if len(args) == 3 {
		r.between(args[1].Value, f)
	}
	return args[len(args)-1].Value
}

// between reads the part between the swizzle and the layout of a composition: the base, or smem_ptr_flag_bits<16>,
// which stands for the address of 16-bit elements and makes the swizzle apply to bytes.
func (r cuteReader) between(v literal.Value, f *frame) {
	switch bits := v.Inside("<(").List; {
	case v.Last() != "smem_ptr_flag_bits" && v.Last() != "smem_ptr_flag":
		f.base = r.cuteMode(v).n
	case len(bits) == 1:
		r.noMembers(v.Next.Next)
		f.overBytes = true
		f.dtype = r.sizedType(v.At, r.Int(bits[0].Value, "the bits of an element"), &f.of)
	default:
		f.overBytes = true
	}
}

// An atom is a tile of shared memory that CUTLASS names: eight rows of a number of bits along K, or along M or N.
type atom struct {
	along int // the axis of the rows' elements
	bytes int64
	bits  int // the width of the swizzle over chunks of 16 bytes
}

// cuteAtoms are the atoms of GMMA and UMMA.
var cuteAtoms = map[string]atom{
	"Layout_K_INTER_Atom": {1, 16, 0}, "Layout_K_SW32_Atom": {1, 32, 1},
	"Layout_K_SW64_Atom": {1, 64, 2}, "Layout_K_SW128_Atom": {1, 128, 3},
	"Layout_MN_INTER_Atom": {0, 16, 0}, "Layout_MN_SW32_Atom": {0, 32, 1},
	"Layout_MN_SW64_Atom": {0, 64, 2}, "Layout_MN_SW128_Atom": {0, 128, 3},
}

// atom adds the tensor of GMMA::Layout_K_SW128_Atom<half_t>.
func (r cuteReader) atom(at int, name string, a atom, v literal.Value) {
	r.noMembers(v.Next.Next)
	args := v.Inside("<").List
	if len(args) != 1 || args[0].Kind != literal.Word {
		r.Fail(at, "such as GMMA::Layout_K_SW128_Atom<half_t>", "expected one element type")
		return
	}
	dtype, _, err := layout.C.ReadDType(args[0].Word)
	r.Within(args[0].At, err)
	if r.Err != nil || dtype.Bits() == 0 {
		return
	}
	row := 8 * a.bytes / dtype.Bits()
	shape, stride := [2]int64{8, 8}, [2]int64{row, row}
	shape[a.along], stride[a.along] = row, 1
	f := frame{dtype: dtype, at: at, overBytes: true}
	f.swizzles = []layout.Swizzle{{Bits: a.bits, Base: 4, Shift: 3}}
	mode := func(n [2]int64) mode { return mode{nested: true, modes: []mode{{n: n[0]}, {n: n[1]}}} }
	r.cuteLayout(at, Descriptor{Name: name, Typed: true}, f, mode(shape), mode(stride))
}
