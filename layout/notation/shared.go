package notation

import (
	"math/bits"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// A sharedReader reads Triton's encodings of on-chip memory: they are tensors, some with swizzles. Sizes are powers of
// two.
type sharedReader struct {
	memrefReader
	name   string // the name of the encoding, without its dialect
	at     int
	list   []literal.Entry
	sizes  []int64
	bits   int64            // the bits of an element
	digits [][]layout.Digit // the digits of each axis, the innermost first
	next   int64            // the offset after the digits so far
	swaps  []layout.Swizzle // the innermost first
}

// sharedEncoding returns the fields of an encoding, and the function that lays it out; nil if the encoding is not of
// shared memory.
func sharedEncoding(name string) (fields []string, lay func(*sharedReader)) {
	switch name {
	case "shared": // as older versions of Triton name it
		return []string{"vec", "perPhase", "maxPhase", "order", "hasLeadingOffset"}, (*sharedReader).swizzled
	case "swizzled_shared":
		return []string{"vec", "perPhase", "maxPhase", "order"}, (*sharedReader).swizzled
	case "amd_rotating_shared":
		return []string{"vec", "perPhase", "maxPhase", "order"}, (*sharedReader).swizzled
	case "nvmma_shared":
		fields = []string{"swizzlingByteWidth", "elementBitWidth", "transposed", "fp4Padded", "rank"}
		return fields, (*sharedReader).boxes
	case "padded_shared":
		return []string{"order", "shape", "offset", "intervals"}, (*sharedReader).padded
	case "shared_linear":
		return []string{"offset", "alignment"}, (*sharedReader).linear
	case "tensor_memory_encoding":
		return []string{"blockM", "blockN", "colStride"}, (*sharedReader).tensorMemory
	}
	return nil, nil
}

// shared reads an encoding, which starts at an offset and may be an alias, for a tensor with the given sizes. It
// reports false if the encoding is not of on-chip memory.
func (r memrefReader) shared(at int, alias string, d Descriptor, sizes []int64, dtype layout.DType) bool {
	end := r.Pos
	if i := r.definition(alias); i >= 0 {
		at = i
	}
	r.Pos = at
	r.TakeHere("#")
	_, name := literal.Member(r.Path())
	known, lay := sharedEncoding(name)
	if lay == nil || !r.Is("<") {
		r.Pos = end
		return false
	}
	s := &sharedReader{memrefReader: r, name: name, at: at, sizes: sizes, bits: dtype.Bits(), next: 1}
	s.fields(known)
	s.digits = make([][]layout.Digit, len(s.sizes))
	for _, size := range s.sizes {
		if size < 1 || size&(size-1) != 0 {
			r.Fail(at, "", "size %d is not a power of two, which Triton needs", size)
		}
	}
	if r.Err == nil {
		lay(s)
	}
	s.finish(d, dtype)
	if r.Err == nil {
		r.Pos = end
	}
	return true
}

// memdesc reads a Triton type for on-chip memory, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>.
func (r memrefReader) memdesc(name string) {
	for range 3 {
		r.Next()
	}
	r.startType("memdesc")
	sizes := r.dimensions()
	dtype := r.elementType()
	r.Expect(",")
	r.Space()
	start := r.Pos
	encoding := r.attribute()
	d := Descriptor{Name: name, Typed: true}
	if !r.shared(start, encoding, d, sizes, dtype) && !r.isUnread(start, encoding) {
		r.Fail(start, "", "%s is not an encoding of shared memory that is read", encoding)
	}
	for r.Take(",") { // the memory space, the word mutable, and the sizes of the buffer that contains it
		r.Space()
		if a := r.attribute(); a != "mutable" && (strings.ContainsAny(a, " \n") || !lexer.Like(a, "#*", "*x*")) {
			r.skip("%s is not read", a)
		}
	}
	r.Close(">")
}

// fields reads the fields of the encoding. The fields of a cluster must state that there is one block.
func (s *sharedReader) fields(known []string) {
	v := literal.Value{}
	s.Hashes = true
	s.Pos = s.at
	s.Operand(&v)
	s.Hashes = false
	args, _ := v.Arguments('<')
	for _, e := range args {
		switch list := (literal.Value{Kind: literal.List, List: e.List}); {
		case e.Key != "" || e.Kind != literal.List:
			s.list = append(s.list, e)
		case e.Open == '{':
			s.list = append(s.list, e.List...)
		default: // the intervals of padding
			s.list = append(s.list, literal.Entry{Key: "intervals", Value: list})
		}
	}
	s.Once(s.list)
	for _, e := range s.list {
		switch isCluster := lexer.Like(e.Key, "CTA*", "CGALayout", "block"); {
		case isCluster && !one(e.Value) && e.Key != "CTAOrder":
			s.Fail(e.At, "", "the blocks of a cluster have memories of their own: one block is read")
		case !isCluster && !slices.Contains(known, e.Key):
			s.FaultAt(e.At, lexer.Unknown("field of "+s.name, e.Key, known))
		}
	}
	if shape, ok := literal.Field(s.list, "shape"); ok && s.sizes == nil {
		s.sizes = s.Ints(shape, "shape")
	} else if ok && s.Err == nil && !slices.Equal(s.sizes, s.Ints(shape, "shape")) {
		s.Fail(shape.At, "", "the shape differs from the shape of the tensor")
	}
	if _, ok := literal.Field(s.list, "offset"); !ok && s.sizes == nil && s.Err == nil {
		s.Fail(s.at, "such as tensor<64x64xf16, #ttg."+s.name+"<...>>", "the sizes of the tensor are missing")
	}
}

// one reports whether a list contains only the number 1.
func one(v literal.Value) bool {
	return !slices.ContainsFunc(v.List, func(e literal.Entry) bool { return e.Kind != literal.Number || e.N != 1 })
}

// number returns a field that must be a power of two.
func (s *sharedReader) number(key string) int64 {
	v, ok := literal.Field(s.list, key)
	n := s.Int(v, key)
	switch {
	case !ok:
		s.Fail(s.at, "", "%s has no %s", s.name, key)
	case n < 1 || n > 1<<30 || n&(n-1) != 0:
		s.Fail(v.At, "", "%s is %d, which is not a power of two", key, n)
	}
	if s.Err != nil {
		return 1
	}
	return n
}

// order returns the axes in the field order, the fastest first.
func (s *sharedReader) order() []int64 {
	v, ok := literal.Field(s.list, "order")
	if !ok {
		s.Fail(s.at, "", "%s has no order", s.name)
		return nil
	}
	order := s.Ints(v, "order")
	if len(order) != len(s.sizes) || !layout.IsOrder(order) {
		s.Fail(v.At, "", "order %s is not an order of %s", layout.ListText(order), wording.Count(len(s.sizes), "axis"))
		return nil
	}
	return order
}

// put appends n indices of an axis after the digits so far.
func (s *sharedReader) put(axis, n int64) {
	list := s.digits[axis]
	switch last := len(list) - 1; {
	case n < 2:
		return
	case last >= 0 && list[last].Stride*list[last].Extent == s.next:
		list[last].Extent = s.times(list[last].Extent, n)
	default:
		s.digits[axis] = append(list, layout.Digit{Extent: n, Stride: s.next})
	}
	s.next = s.times(s.next, n)
}

// swap adds a swizzle of count bits if count is positive.
func (s *sharedReader) swap(count, base, shift int) {
	if count > 0 {
		s.swaps = append(s.swaps, layout.Swizzle{Bits: count, Base: base, Shift: shift})
	}
}

// log2 returns the exponent of a power of two.
func log2(n int64) int { return bits.TrailingZeros64(uint64(n)) }

// swizzled lays out #ttg.swizzled_shared: the phase of a row is xored with the indices of the vectors along the fastest
// axis. For #ttg.amd_rotating_shared, the phase of the phases is xored too.
func (s *sharedReader) swizzled() {
	if leading, _ := literal.Field(s.list, "hasLeadingOffset"); leading.Word == "true" {
		s.Fail(leading.At, "write it as #ttg.nvmma_shared<{...}>, as newer versions of Triton name it",
			"%s with hasLeadingOffset is not read", s.name)
		return
	}
	order := s.order()
	vec, perPhase, maxPhase := s.number("vec"), s.number("perPhase"), s.number("maxPhase")
	for _, axis := range order {
		s.put(axis, s.sizes[axis])
	}
	if len(order) < 2 || s.Err != nil {
		return
	}
	columns, rows := s.sizes[order[0]], s.sizes[order[1]]
	count := min(log2(maxPhase), log2(columns)-log2(vec))
	shift := log2(columns) + log2(perPhase) - log2(vec)
	s.swap(min(count, log2(rows)-log2(perPhase)), log2(vec), shift)
	if s.name == "amd_rotating_shared" {
		s.swap(min(count, log2(rows)-log2(perPhase)-log2(maxPhase)), log2(vec), shift+log2(maxPhase))
	}
}

// boxes lays out #ttg.nvmma_shared in boxes of up to 256 along each axis. A box has rows as wide as the swizzle, along
// the last axis, or along the first axis if it is transposed. Without a swizzle, the boxes are row-major.
func (s *sharedReader) boxes() {
	v, _ := literal.Field(s.list, "swizzlingByteWidth")
	width, elements := s.Int(v, "swizzlingByteWidth"), s.number("elementBitWidth")
	transposed, _ := literal.Field(s.list, "transposed")
	fp4, _ := literal.Field(s.list, "fp4Padded")
	isPadded := fp4.Word == "true"
	var others []int // axes, the fastest first
	for axis := len(s.sizes) - 1; axis >= 0; axis-- {
		others = append(others, axis)
	}
	switch last := len(others) - 1; {
	case s.Err != nil:
	case last < 0, last < 1 && width > 0, isPadded && elements != 8:
		s.Fail(s.at, "", "nvmma_shared of rank %d, %s, fp4Padded %t is not read", last+1,
			wording.Count(elements, "bit"), isPadded)
	case !slices.Contains([]int64{0, 32, 64, 128}, width):
		s.Fail(v.At, "", "swizzlingByteWidth is 0, 32, 64 or 128")
	case elements != s.bits:
		s.Fail(s.at, "", "elementBitWidth is %d, and an element has %s", elements, wording.Count(s.bits, "bit"))
	case transposed.Word == "true" && width > 0:
		s.boxesAlong(0, others[:last], width, isPadded)
	default:
		s.boxesAlong(last, others[1:], width, isPadded)
	}
}

// boxesAlong lays out boxes of rows along the axis across. The other axes number the rows; if the rows are along the
// first axis, the last axis comes first. In rows of padded 4-bit elements, 8 unused bytes follow each 8 bytes.
func (s *sharedReader) boxesAlong(across int, others []int, width int64, isPadded bool) {
	box, rows := make([]int64, len(s.sizes)), int64(1)
	for axis, size := range s.sizes {
		box[axis] = min(size, 256)
	}
	for _, axis := range others {
		rows = s.times(rows, box[axis])
	}
	at, count := 0, log2(rows) // the next bit of a row's number, counted from the first bit
	if across == 0 && len(others) > 0 {
		at, rows = log2(box[others[0]]), box[others[0]]
	}
	if width > 0 {
		s.swap(log2(width/16), 4-log2(s.bits/8), 3)
		wide := 8 * width / s.bits
		if isPadded {
			wide /= 2
		}
		if box[across] = wide; s.sizes[across] < wide || rows < 8 {
			s.Fail(s.at, "", "a box has 8 rows of %s, and the tile %d of %d", wording.Count(wide, "element"), rows,
				s.sizes[across])
		}
	}
	if s.Err != nil {
		return
	}
	if isPadded && width > 0 {
		s.put(int64(across), 8)
		s.next *= 2
		s.put(int64(across), box[across]/8)
	} else {
		s.put(int64(across), box[across])
	}
	first := s.next
	for _, axis := range others {
		for n := int64(1); n < box[axis]; n *= 2 {
			s.next = first << (at % count)
			s.put(int64(axis), 2)
			at++
		}
	}
	s.next = s.times(first, 1<<count)
	for axis, size := range s.sizes {
		s.put(int64(axis), size/box[axis])
	}
}

// padded lays out #ttg.padded_shared: after every interval of elements there is a gap.
func (s *sharedReader) padded() {
	if _, ok := literal.Field(s.list, "offset"); ok {
		s.linear()
	} else {
		for _, axis := range s.order() {
			s.put(axis, s.sizes[axis])
		}
	}
	intervals, _ := literal.Field(s.list, "intervals")
	for axis, list := range s.digits {
		s.digits[axis] = nil
		s.spread(int64(axis), list, intervals.List)
	}
}

// spread appends the digits of an axis, one bit at a time, further apart if there are gaps after intervals.
func (s *sharedReader) spread(axis int64, list []layout.Digit, intervals []literal.Entry) {
	for _, d := range list {
		for d.Extent > 1 {
			s.next = d.Stride
			for _, e := range intervals {
				if len(e.List) < 2 || e.Open != ':' || e.List[1].N < 0 ||
					bits.OnesCount64(uint64(max(e.List[0].N, 0))) != 1 {
					s.Fail(e.At, "such as [64:+8]", "an interval is a power of two, and its padding a number")
					return
				}
				if every := e.List[0].N; d.Stride >= every {
					s.next += s.times(d.Stride/every, e.List[1].N)
				}
			}
			s.put(axis, 2)
			d.Extent, d.Stride = d.Extent/2, s.times(d.Stride, 2)
		}
	}
}

// linear lays out #ttg.shared_linear: each bit of an offset adds a basis vector to the index. A bit that adds the same
// vector as a lower bit xors that bit.
func (s *sharedReader) linear() {
	v, _ := literal.Field(s.list, "offset")
	type step struct{ axis, by int64 }
	place := map[step]int{}   // the bit of the offset that alone adds the step
	pairs := map[int]uint64{} // for each distance to a lower bit, the lower bits that are xored
	var reach []int64
	for k, e := range v.List {
		basis, own := s.Ints(e.Value, "offset"), 0
		if reach == nil {
			reach = slices.Repeat([]int64{1}, len(basis))
		}
		if s.Err != nil || len(basis) != len(reach) || len(basis) == 0 || k > 60 || slices.Min(basis) < 0 {
			s.Fail(e.At, "", "the basis %s is not one of %s", layout.ListText(basis), wording.Count(len(reach), "axis"))
			return
		}
		for axis, n := range basis {
			for left := n; left > 0; left &= left - 1 {
				by := step{int64(axis), left & -left}
				if lower, ok := place[by]; ok {
					pairs[k-lower] |= 1 << lower
				} else {
					place[by], reach[axis] = k, max(reach[axis], 2*by.by)
					own++
				}
			}
		}
		if own != 1 {
			s.Fail(e.At, "", "the basis %s moves %s that lower ones do not: that is not a swizzle",
				layout.ListText(basis), wording.Count(own, "bit"))
			return
		}
	}
	if s.sizes == nil {
		s.sizes = reach
	}
	if !slices.Equal(s.sizes, reach) {
		s.Fail(s.at, "", "the bases are of a tensor of %s", layout.SizesText(reach))
		return
	}
	s.digits = make([][]layout.Digit, len(reach))
	for axis, size := range reach {
		for by := int64(1); by < size; by *= 2 {
			k, ok := place[step{int64(axis), by}]
			if !ok {
				s.Fail(s.at, "", "no basis moves index %d of axis %d", by, axis)
				return
			}
			s.next = 1 << k
			s.put(int64(axis), 2)
		}
	}
	s.pair(pairs)
}

// pair adds swizzles for the bits that are xored. No swizzle may read a bit that another one writes.
func (s *sharedReader) pair(pairs map[int]uint64) {
	read, written := uint64(0), uint64(0)
	for shift, lower := range pairs {
		read, written = read|lower<<shift, written|lower
	}
	if read&written != 0 {
		s.Fail(s.at, "", "an offset has bits that are xored and xor others: that is not a swizzle")
	}
	for shift := range 63 {
		for lower := pairs[shift]; lower != 0; {
			base := bits.TrailingZeros64(lower)
			count := min(bits.TrailingZeros64(^(lower >> base)), shift)
			s.swap(count, base, shift)
			lower &^= (1<<count - 1) << base
		}
	}
}

// tensorMemory lays out #ttng.tensor_memory_encoding: 128 rows of 512 columns of 32 bits.
func (s *sharedReader) tensorMemory() {
	m, n := s.number("blockM"), s.number("blockN")
	if len(s.sizes) != 2 || s.bits != 32 || s.number("colStride") != 1 || m != 64 && m != 128 {
		s.Fail(s.at, "", "tensor memory is read for matrices of 32-bit elements, blockM 64 or 128, and colStride 1")
	}
	if s.Err != nil {
		return
	}
	const row = 512
	rows, columns := s.sizes[0], s.sizes[1]
	put := func(axis, count, next int64) int64 {
		s.next = next
		s.put(axis, count)
		return s.next
	}
	if n > columns || m > rows {
		s.Fail(s.at, "", "a block is %dx%d, and the tensor %dx%d", m, n, rows, columns)
		return
	}
	split := int64(1) // splits the columns for the rows that M leaves unused
	put(0, min(m, 16), row)
	if m == 128 {
		put(0, 8, 16*row)
	} else {
		put(0, 4, 32*row)
		if rows > 64 {
			put(0, 2, 16*row)
			m = 128
		} else if columns > n {
			split = 2
		}
	}
	put(1, n, 1)
	if split > 1 {
		put(1, 2, 16*row)
	}
	put(1, columns/n/split, put(0, rows/m, n))
}

// finish adds the tensor.
func (s *sharedReader) finish(d Descriptor, dtype layout.DType) {
	if s.Err != nil {
		return
	}
	axes := make([]layout.Axis, len(s.sizes))
	for i := range axes {
		if s.digits[i] == nil {
			s.digits[i] = []layout.Digit{{Extent: 1}}
		}
		slices.Reverse(s.digits[i])
		axes[i] = layout.NewAxis("", s.sizes[i], s.digits[i]...)
	}
	if s.laidOut(s.at, d, dtype, 0, axes); s.Err == nil {
		last := &s.found[len(s.found)-1]
		t, err := last.Tensor.Swizzled(s.swaps...)
		s.FaultAt(s.at, err)
		last.Tensor = t
	}
}
