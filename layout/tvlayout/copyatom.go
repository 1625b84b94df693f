package tvlayout

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A MatrixAtom is an atom of CuTe that loads or stores matrices of 8 rows of 16 bytes: each lane gives the address of a
// row, and holds other elements in registers.
type MatrixAtom struct {
	Matrices     int64 // 1, 2 or 4; 0 for a name with another number
	isTransposed bool
	isStore      bool
}

// matrixAtoms are CuTe's names of these atoms. The star is the number of matrices, or in names with u16 twice as much.
var matrixAtoms = [...]string{"sm75_u32x*_ldsm_n", "sm75_u16x*_ldsm_t", "sm90_u32x*_stsm_n", "sm90_u16x*_stsm_t"}

// FindMatrixAtom returns the atom of a name, SM75_U32x4_LDSM_N. It reports false for other names.
func FindMatrixAtom(name string) (a MatrixAtom, ok bool) {
	name = strings.ToLower(name)
	for i, pattern := range matrixAtoms {
		prefix, suffix, _ := strings.Cut(pattern, "*")
		count, isOne := strings.CutPrefix(name, prefix)
		if count, ok = strings.CutSuffix(count, suffix); !ok || !isOne {
			continue
		}
		a.isTransposed, a.isStore = i%2 == 1, i > 1
		for _, n := range [...]int64{1, 2, 4} {
			if count == strconv.FormatInt(32/a.unit()*n, 10) {
				a.Matrices = n
			}
		}
		return a, true
	}
	return a, false
}

// sameSides are atoms whose threads hold the same elements of the source and of the target.
var sameSides = [...]string{"UniversalCopy", "DefaultCopy", "AutoVectorizingCopy", "SM80_CP_ASYNC_CACHE"}

// refine changes the digits of a copy, which are those of CuTe's TiledLayout_TV and of its side in registers, into the
// digits of the side that is asked for: S, the source, or D, the target.
func (r *reader) refine(b *builder, atom string, at int) {
	name, bits := atomOf(atom)
	of, _ := FindMatrixAtom(name)
	if of.Matrices == 0 {
		isOne := func(same string) bool { return strings.HasPrefix(name, same) }
		if isSame := slices.ContainsFunc(sameSides[:], isOne); r.side != 0 && !isSame {
			r.Fail(at, "such as Copy_Atom<SM75_U32x4_LDSM_N, half_t>",
				"the sides of the copy atom %s are not known here", wording.Quote(name))
		}
		return
	}
	bits = cmp.Or(bits, r.bits)
	lanes, values := count(b.digits[Lane]), count(b.digits[Value])
	switch held := 32 * of.Matrices / max(bits, 1); {
	case bits == 0:
		r.Fail(at, "such as Copy_Atom<"+name+", half_t>", "the element type of the copy atom is not known")
	case of.unit()%bits != 0:
		r.Fail(at, "", "%s has no elements of %s", name, wording.Count(bits, "bit"))
	case lanes != warpLanes || values%held != 0:
		r.Fail(at, "", "%s copies %s of each of %d lanes, and the layout has %d of %d", name,
			wording.Count(held, "value"), warpLanes, values, lanes)
	}
	memory := byte('S')
	if of.isStore {
		memory = 'D'
	}
	if isMemory := r.side == memory || r.side == 0 && r.inMemory; isMemory && r.Err == nil && !b.toMemory(of, bits) {
		r.Fail(at, "", "%s cuts the digits of the layout", name)
	}
}

// unit returns the bits of a register, or of an element that is transposed.
func (a MatrixAtom) unit() int64 {
	if a.isTransposed {
		return 16
	}
	return 32
}

// toMemory changes the digits of registers into those of the rows of matrices whose addresses lanes give. It reports
// false if the atom cuts digits.
func (b *builder) toMemory(a MatrixAtom, bits int64) bool {
	type part struct {
		axis  int
		at, n int64
	}
	each, register := a.unit()/bits, 32/bits // elements
	held := register * a.Matrices
	row, along := []part{{Lane, 4, 8}}, part{Lane, 1, 4}
	if a.isTransposed {
		row, along = []part{{Value, each, 2}, along}, row[0]
	}
	parts := [...][]part{
		Lane:  append(row, part{Value, register, a.Matrices}),
		Value: {{Value, 1, each}, along, {Value, held, count(b.digits[Value]) / held}},
	}
	ok, old := true, b.digits
	for axis, list := range parts {
		if list != nil {
			b.digits[axis] = nil
		}
		for _, p := range list {
			digits, isWhole := partOf(old[p.axis], p.at, p.n)
			ok = ok && isWhole
			for _, p := range digits {
				b.put(axis, p)
			}
		}
	}
	b.put(Lane, place{warpLanes / 8 / a.Matrices, none, 0})
	b.givers = 8 * a.Matrices
	return ok
}

// atomOf returns the name of an atom, and the bits of an element if they are given: Copy_Atom<NAME, 16>.
func atomOf(text string) (name string, bits int64) {
	text = strings.TrimSpace(text)
	inside, ok := strings.CutPrefix(text, "Copy_Atom<")
	if !ok {
		return text, 0
	}
	name, number, _ := strings.Cut(strings.TrimRight(inside, "> {}"), ",")
	bits, err := lexer.ParseNumber(strings.TrimSpace(number))
	if err != nil {
		bits = 0
	}
	return strings.TrimSpace(name), bits
}

// count returns how many numbers digits have.
func count(list []place) int64 {
	n := int64(1)
	for _, p := range list {
		n *= p.extent
	}
	return n
}

// partOf returns the digits of a number that count from at on to n times as many. It reports false if that cuts a digit
// into parts that are no digits.
func partOf(list []place, at, n int64) (part []place, ok bool) {
	reach := int64(1)
	for _, p := range list {
		low, high := max(at, reach), min(at*n, reach*p.extent)
		if low < high {
			if low%reach != 0 || high%low != 0 || reach*p.extent%high != 0 {
				return nil, false
			}
			part = append(part, place{high / low, p.dim, p.apart * (low / reach)})
		}
		reach *= p.extent
	}
	return part, count(part) == n
}
