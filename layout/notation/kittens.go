package notation

import (
	"math/bits"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/notation/literal"
)

// kittensTiles are the templates of ThunderKittens for tiles of shared memory, in pairs with the element type, which is
// the first argument of the last one.
var kittensTiles = [...][2]string{
	{"st_bf", "bf16"}, {"st_hf", "half"}, {"st_fl", "float"}, {"st_fp8e4m3", "fp8e4m3"}, {"st_fp8e5m2", "fp8e5m2"},
	{"st", ""},
}

// kittensTypes are ThunderKittens' words for element types, in pairs with ours.
var kittensTypes = [...][2]string{
	{"bf16", "bfloat16"}, {"half", "float16"}, {"fp8e4m3", "float8_e4m3fn"}, {"fp8e5m2", "float8_e5m2"},
}

// second returns the second word of the first pair that starts with first; ok is false if no pair does.
func second(pairs [][2]string, first string) (word string, ok bool) {
	i := slices.IndexFunc(pairs, func(pair [2]string) bool { return pair[0] == first })
	if i < 0 {
		return "", false
	}
	return pairs[i][1], true
}

// IsSharedTile reports whether a word is a template for tiles of shared memory: an atom of CUTLASS, or a type of
// ThunderKittens.
func IsSharedTile(word string) bool {
	_, isAtom := cuteAtoms[word]
	_, isTile := second(kittensTiles[:], word)
	return isAtom || isTile
}

// kittens notes the tensor of st<TYPE, ROWS, COLUMNS, SWIZZLED, BYTES>. A panel has BYTES bytes of each row. Panels
// follow one another, and each has the swizzle of its width.
func (r cuteReader) kittens(at int, name string, v literal.Value) {
	r.noMembers(v.Next.Next)
	args := v.Inside("<").List
	word, _ := second(kittensTiles[:], v.Last())
	if word == "" && len(args) > 0 {
		word, args = args[0].Last(), args[1:]
	}
	if ours, ok := second(kittensTypes[:], word); ok {
		word = ours
	}
	dtype, _, err := layout.C.ReadDType(word)
	if r.FaultAt(at, err); len(args) < 2 || len(args) > 4 {
		r.Fail(at, "such as st_bf<64,128>", "a tile has rows and columns")
	}
	if r.Err != nil {
		return
	}
	rows, columns := r.Int(args[0].Value, "the rows"), r.Int(args[1].Value, "the columns")
	size := dtype.Bits() / 8
	panel := kittensPanel(size, columns)
	isSwizzled := len(args) < 3 || args[2].Word != "false" && (args[2].Kind != literal.Number || args[2].N != 0)
	if len(args) == 4 {
		panel = r.Int(args[3].Value, "the bytes of a swizzle")
	}
	switch {
	case r.Err == nil && (rows < 1 || columns < 1 || size < 1):
		r.Fail(at, "", "a tile has rows and columns")
	case panel != 32 && panel != 64 && panel != 128:
		r.Fail(at, "", "ThunderKittens swizzles 32, 64 or 128 bytes, not %d", panel)
	case isSwizzled && r.Err == nil && columns*size%panel != 0:
		r.Fail(at, "", "%d columns of %d bits are not panels of %d bytes", columns, dtype.Bits(), panel)
	}
	if r.Err != nil {
		return
	}
	f, width := frame{dtype: dtype, at: at}, columns
	if isSwizzled {
		width, f.overBytes = panel/size, true
		f.swizzles = []layout.Swizzle{{Bits: bits.TrailingZeros64(uint64(panel / 16)), Base: 4, Shift: 3}}
	}
	pair := func(a, b int64) mode { return mode{nested: true, modes: []mode{{n: a}, {n: b}}} }
	shape, stride := pair(rows, columns), pair(width, 1)
	if columns > width {
		shape.modes[1], stride.modes[1] = pair(width, columns/width), pair(1, r.times(rows, width))
	}
	r.cuteLayout(at, Descriptor{Name: name, Typed: true}, f, shape, stride)
}

// kittensPanel returns how many bytes of a row ThunderKittens swizzles, for the given element size and number of
// columns.
func kittensPanel(size, columns int64) int64 {
	switch tiles := columns / max(16, 32/max(size, 1)); {
	case size == 4 && tiles%2 == 0, size < 4 && tiles%4 == 0:
		return 128
	case size == 4, tiles%2 == 0:
		return 64
	}
	return 32
}
