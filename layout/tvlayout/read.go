package tvlayout

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
)

// Options are values for the parts of an ownership that may be unknown.
type Options struct {
	Tile  []int64 // the sizes of the tile; may be nil
	DType *layout.DType
	Name  string // of an encoding of a program

	InMemory bool // of a copy between registers and shared memory: the elements whose addresses lanes give
}

// A reader reads the text of an ownership.
type reader struct {
	literal.Parser
	tile   []int64
	bits   int64
	matrix byte // A, B or C, which is behind a colon; 0 for none
	side   byte // of a copy: S or D, which is behind a colon; 0 for none

	inMemory bool // Options.InMemory

	whole   string // the program; empty for other inputs
	aliases []alias
	notes   []string // notes on the result
	mnk     []int64  // the sizes M, N and K of the instruction that was read
}

// Read returns the ownership that text describes.
func Read(text string, o Options) (*Ownership, error) {
	if len(text) > MaxProgram {
		return nil, lexer.Refuse("", "the input has %d bytes, more than the limit of %d", len(text), MaxProgram)
	}
	r := &reader{tile: o.Tile, inMemory: o.InMemory}
	if o.DType != nil {
		r.bits = o.DType.Bits()
	}
	if n := len(text) - 2; n > 0 && text[n] == ':' {
		switch letter := text[n+1] &^ 0x20; {
		case isMMA(text):
			text, r.matrix = text[:n], letter
			if letter == 'D' {
				r.matrix = 'C'
			}
		case strings.HasPrefix(text, "make_tiled_copy"), strings.HasPrefix(text, printedCopy):
			text, r.side = text[:n], letter
		}
	}
	if lines := definitionsIn(text); lines != "" {
		r.whole, text = text, lines // nothing else of a program is read as tokens
	}
	r.Cursor = lexer.NewCursor(text)
	r.Hashes = true
	r.aliases = r.definitions()
	var found *Ownership
	switch first := r.Token(); {
	case len(r.aliases) > 0:
		found = r.program(o.Name)
	case o.Name != "":
		r.Fail(0, "remove --name", "the text is not a program, and names no encoding")
	case len(text) > lexer.MaxText:
		r.Fault(lexer.TooLong(text))
	case r.isTiled(), r.Is("("):
		found = r.cute()
	case r.Is("#"), r.Is("tensor"), r.isCall():
		found = r.attribute()
	case first.Kind == lexer.Word:
		found = r.instruction()
	default:
		r.Unexpected("%s is neither an encoding nor an instruction", r.Rest())
	}
	if !r.Done() {
		r.Unexpected("unexpected text %s", r.Rest())
	}
	return found, r.Err
}

// printedCopy is the first word of what CuTe prints of a copy. The package kernel writes the atom behind it.
const printedCopy = "TiledCopy"

// isMMA reports whether a text is a print of a TiledMMA or a call that makes one.
func isMMA(text string) bool {
	return strings.Contains(text, "ThrLayoutVMNK") || strings.HasPrefix(text, "make_tiled_mma(")
}

// isCall reports whether a call is next, as of a class of Gluon.
func (r *reader) isCall() bool {
	i := 1
	for r.IsAt(i, ".") {
		i += 2
	}
	return r.IsAt(i, "(")
}

// attribute reads an encoding, alone or in the type of a tensor.
func (r *reader) attribute() *Ownership {
	isTensor := r.Is("tensor")
	if isTensor {
		r.tensor()
	}
	r.Space()
	at := r.Pos
	var v literal.Value
	r.Operand(&v)
	if isTensor {
		r.Expect(">")
	}
	isAssumed := r.tile == nil
	if isAssumed {
		r.tile = r.natural(v)
	}
	for _, size := range r.tile {
		if size < 1 || size&(size-1) != 0 {
			r.Fail(at, "", "size %d of the tile is not a power of two, which Triton needs", size)
		}
	}
	if r.Err != nil {
		return nil
	}
	b := newBuilder(slices.Clone(r.tile))
	r.notes = nil
	if r.encoding(v, b); r.Err != nil {
		return nil
	}
	o, err := b.ownership(v.Last(), r.bits)
	if r.FaultAt(at, err); err != nil {
		return nil
	}
	if o.notes = r.notes; isAssumed {
		o.assume()
	}
	return o
}

// natural returns the tile that an encoding covers once.
func (r *reader) natural(v literal.Value) []int64 {
	rank := r.rank(v)
	if r.Err != nil {
		return nil
	}
	b := newBuilder(slices.Repeat([]int64{unbounded}, rank))
	b.open = true
	r.encoding(v, b)
	return b.placed
}

// tensor reads the start of tensor<64x64xf16, #ttg.blocked<...>>, up to the encoding.
func (r *reader) tensor() {
	r.Next()
	r.Expect("<")
	var sizes []int64
	r.Space()
	start := r.Pos
	for r.Err == nil && lexer.IsDigit(r.Peek()) {
		sizes = append(sizes, r.Digits())
		if !r.TakeHere("x") {
			r.Unexpected("x and a type are expected here")
		}
	}
	word := r.Pos
	d, _, err := layout.Others.ReadDType(r.Word())
	if r.Within(word, err); r.Err == nil {
		r.bits = d.Bits()
	}
	r.Expect(",")
	if r.tile != nil && r.Err == nil && !slices.Equal(r.tile, sizes) {
		r.Fail(start, "", "the text has a tile of %s, and %s is given", layout.SizesText(sizes),
			layout.SizesText(r.tile))
	}
	r.tile = sizes
}
