package descriptor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// MatrixInstructions are the instructions that take matrix descriptors, by the numbers of MatrixTargets.
var MatrixInstructions = []string{"wgmma", "tcgen05"}

// An operand is a tile of shared memory as the canonical layouts of tensor cores describe it. Offsets are in bytes.
type operand struct {
	of          layout.Layout // before the swizzle
	bytes       int64         // bytes per element
	perChunk    int64         // elements in a chunk of 16 bytes
	chunks      int64         // the chunks that the swizzle spans; 1 without a swizzle
	rows, depth int64         // the size of one instruction's part: at most maxRows of the tile, and 32 bytes along K
	isMNMajor   bool
	lead, step  int64 // the offsets of the descriptor
}

// maxRows is the maximum number of rows that an instruction reads of an operand: M and N are at most 256.
const maxRows = 256

// MakeMatrix returns the matrix descriptor of a tile (mn,k) at an address, for the instruction of a target. Every
// address that one instruction reads, of its rows and of 32 bytes along K, is compared with the descriptor's layout.
func MakeMatrix(t layout.Tensor, target string, address int64) (*Matrix, error) {
	o, s, err := newOperand(t)
	if err != nil {
		return nil, err
	}
	of := matrixTargets[slices.Index(MatrixTargets, target)]
	mode := slices.Index(of.modes, map[int]string{0: "", 1: "32B", 2: "64B", 3: "128B"}[s.Bits])
	start := address + o.of.Base()*o.bytes
	if period := max(s.Period(), 16); s.Bits > 0 && address%period != 0 || start%16 != 0 {
		return nil, lexer.Refuse("", "the address %d is not a multiple of %d, after which the pattern repeats", address,
			period)
	}
	if err := o.measure(); err != nil {
		return nil, err
	}
	leading := o.lead
	if o.chunks > 1 && !o.isMNMajor {
		leading = 16 // by convention, and not used
	}
	bits := of.version<<46 | uint64(mode)<<of.layoutAt
	for i, n := range []int64{start, leading, o.step} {
		if n < 0 || n >= 16<<14 || n%16 != 0 {
			return nil, lexer.Refuse("", "%d bytes do not fit into 14 bits, which count units of 16", n)
		}
		bits |= uint64(n/16) << (16 * i)
	}
	m, err := ParseMatrix(fmt.Sprintf("0x%016x", bits), target)
	if err == nil {
		m.Notes = nil // they are for descriptors made elsewhere
		if m.Major = "k"; o.isMNMajor {
			m.Major = "mn"
		}
	}
	return m, err
}

// newOperand returns the operand of a tile, and its swizzle over bytes.
func newOperand(t layout.Tensor) (o operand, s layout.Swizzle, err error) {
	l, bits := t.Layout(), t.DType().Bits()
	const example = "such as 128x64 -t f16 --swizzle 128B"
	switch swizzles := l.Swizzles(); {
	case l.Rank() != 2 || l.Empty():
		return o, s, lexer.Refuse("a step of --view takes one stage of several, such as --view 'select(2,0)'",
			"an operand has rows and K, and the tensor has %s", wording.Count(l.Rank(), "axis"))
	case !isOperandType(t.DType()):
		return o, s, lexer.Refuse(example, "descriptors are made here of elements of 1, 2 or 4 bytes")
	case len(swizzles) > 1:
		return o, s, lexer.Refuse(example, "a matrix descriptor has one swizzle")
	case len(swizzles) == 1:
		s, err = swizzles[0].Recast(bits, 8)
	}
	isMode := s.Bits == 0 || s.Base == 4 && s.Shift == 3 && s.Bits <= 3
	switch {
	case err != nil:
		return o, s, err
	case s == layout.Swizzle{Bits: 2, Base: 5, Shift: 2}:
		return o, s, lexer.Refuse("", "descriptors with swizzle 128B_ATOM_32B are explained, and not made")
	case !isMode:
		return o, s, lexer.Refuse("--swizzle 32B, 64B or 128B", "no matrix descriptor has %s over bytes", s)
	}
	if s.Bits == 0 {
		s = layout.Swizzle{Base: 4, Shift: 3}
	}
	o = operand{of: l.Affine(), bytes: bits / 8, perChunk: 128 / bits, chunks: 1 << s.Bits}
	o.rows, o.depth = min(l.Axis(0).Size(), maxRows), 32/o.bytes
	o.isMNMajor = o.at(1, 0) == o.bytes && o.at(0, 1) != o.bytes
	if l.Axis(1).Size() < o.depth {
		err = lexer.Refuse("", "one instruction takes %s of K, and the tile has %d", wording.Count(o.depth, "element"),
			l.Axis(1).Size())
	}
	return o, s, err
}

// at returns the offset of an element in bytes, 0 beyond the tile.
func (o *operand) at(mn, k int64) int64 {
	if mn >= o.of.Axis(0).Size() || k >= o.of.Axis(1).Size() {
		return 0
	}
	offset, _ := o.of.Offset([]int64{mn, k})
	return (offset - o.of.Base()) * o.bytes
}

// within returns the offset of an element, 0 if the instruction does not reach it.
func (o *operand) within(mn, k int64) int64 {
	if mn >= o.rows || k >= o.depth {
		return 0
	}
	return o.at(mn, k)
}

// canonical returns the offset of an element in the canonical layout.
func (o *operand) canonical(mn, k int64) int64 {
	row := 16 * o.chunks // the bytes of a row of the pattern
	major, minor := k, mn
	if o.isMNMajor {
		major, minor = mn, k
	}
	chunk, in := major/o.perChunk, major%o.perChunk*o.bytes
	switch {
	case o.isMNMajor && o.chunks == 1:
		return in + chunk*o.step + minor%8*16 + minor/8*o.lead
	case o.chunks == 1:
		return in + minor%8*16 + minor/8*o.step + chunk*o.lead
	}
	return in + minor%8*row + minor/8*o.step + chunk%o.chunks*16 + chunk/o.chunks*o.lead
}

// measure takes the offsets of the descriptor from the tile, and compares every address.
func (o *operand) measure() error {
	switch {
	case !o.isMNMajor && o.chunks > 1:
		o.step = o.within(8, 0)
	case !o.isMNMajor:
		o.step, o.lead = o.within(8, 0), o.within(0, o.perChunk)
	case o.chunks > 1:
		o.step, o.lead = o.within(0, 8), o.within(o.perChunk*o.chunks, 0)
	default:
		o.step, o.lead = o.within(o.perChunk, 0), o.within(0, 8)
	}
	for mn := range o.rows {
		for k := range o.depth {
			if o.at(mn, k) != o.canonical(mn, k) {
				return o.differs(mn, k)
			}
		}
	}
	return nil
}

// differs is the error if an element is not at its position in the descriptor's layout.
func (o *operand) differs(mn, k int64) error {
	row, mode := 16*o.chunks, "without a swizzle"
	if o.chunks > 1 {
		mode = fmt.Sprintf("with swizzle %dB", row)
	}
	next := o.at(1, 0)
	if o.isMNMajor {
		next = o.at(0, 1)
	}
	isMode := next == 32 || next == 64 || next == 128
	switch {
	case isMode && next != row:
		return lexer.Refuse("", "a row of %d bytes has swizzle %dB: --swizzle %[1]dB", next, next)
	case next != row:
		return lexer.Refuse("", "row 1 is %d bytes on; %s rows are %d bytes", next, mode, row)
	}
	const msg = "element (%d,%d) is %d bytes on; %s it is %d bytes on"
	return lexer.Refuse("", msg, mn, k, o.at(mn, k), mode, o.canonical(mn, k))
}

// A MatrixTile is the tile of a matrix descriptor for elements of a type: the address where the pattern of its swizzle
// starts, and its layout in CuTe's notation for either major, as comments of make_gmma_desc in CUTLASS write it. The
// layout is empty for a major in which elements would overlap.
type MatrixTile struct {
	Address int64
	K, MN   string
}

// Tile returns the tile of a matrix descriptor: the rows of A in one instruction, but at least two patterns if the
// descriptor has an offset between them, and 32 bytes along K.
func (m *Matrix) Tile(d layout.DType) (t MatrixTile, err error) {
	bytes := d.Bits() / 8
	switch {
	case !isOperandType(d):
		return t, lexer.Refuse("such as -t f16", "tiles of descriptors have elements of 1, 2 or 4 bytes")
	case m.Swizzle.Bits > 0 && m.Swizzle.Base != 4:
		return t, lexer.Refuse("", "the strides of %s are not documented", m.Layout)
	case m.Base > 0 || m.LeadingMode > 0:
		return t, lexer.Refuse("", "a tile with a base offset or a leading mode is not a CuTe layout")
	}
	rows := matrixTargets[slices.Index(MatrixTargets, m.Target)].rows
	chunk, width := 16/bytes, int64(1)<<m.Swizzle.Bits // elements of 16 bytes, and chunks in a row of the pattern
	lead, step, atom := m.Leading/bytes, m.Stride/bytes, 8*chunk*width
	if step > 0 && step < atom {
		return t, lexer.Refuse("", "elements overlap: 8 rows take %d bytes, and the stride offset is %d", atom*bytes,
			m.Stride)
	}
	next, across, along, before := chunk, lead, step, ""
	if t.Address = m.Start; m.Swizzle.Bits == 0 {
		next, across, along = lead, step, lead
	} else {
		var s layout.Swizzle
		if s, err = m.Swizzle.Recast(8, d.Bits()); err != nil {
			return t, err
		}
		in := m.Start % m.Swizzle.Period()
		t.Address -= in
		before = fmt.Sprintf("%s o %d o ", s, in/bytes)
	}
	fits := lead == 0 || lead >= atom
	if m.Swizzle.Bits > 0 || fits {
		t.K = filled(before+"((8,#),(#,2)):((#,#),(1,#))", patterns(step, rows/8), chunk, width*chunk, step, next)
	}
	if fits {
		t.MN = filled(before+"((#,#,#),(8,#)):((1,#,#),(#,#))", chunk, width, patterns(across, rows/(width*chunk)),
			4/bytes, chunk, across, width*chunk, along)
	}
	return t, nil
}

// patterns returns how many patterns of an offset a tile has: one if the offset is 0, otherwise at least two.
func patterns(apart, n int64) int64 {
	if apart == 0 {
		return 1
	}
	return max(n, 2)
}

// filled returns a text with numbers in place of each #.
func filled(text string, numbers ...int64) string {
	for _, n := range numbers {
		text = strings.Replace(text, "#", strconv.FormatInt(n, 10), 1)
	}
	return text
}

// isOperandType reports whether descriptors are made of elements of a type.
func isOperandType(d layout.DType) bool {
	bits := d.Bits()
	return bits >= 8 && bits <= 32 && bits&(bits-1) == 0
}
