package access

import (
	"slices"
	"strings"

	"layoutcalc/layout/lexer"
	"layoutcalc/layout/tvlayout"
	"layoutcalc/layout/wording"
)

// An Instruction reads or writes shared memory in chunks of 16 bytes. Each lane gives the address of a chunk. A matrix
// has 8 chunks, which form a phase.
type Instruction struct {
	Name   string
	lanes  int64 // the number of lanes that give an address; the other lanes' addresses are ignored
	isB    bool  // the matrices have the layout of operand B, not A
	isCopy bool  // lane n has chunk n, in row-major order
}

// IsMatrix reports whether the chunks of 8 lanes are the rows of a matrix.
func (i *Instruction) IsMatrix() bool { return !i.isCopy }

const (
	chunkBytes = 16
	matrixRows = 8
)

// matrixWords are the first words of the PTX instructions that move matrices.
var matrixWords = [...]string{"ldmatrix", "stmatrix"}

// FindInstruction returns the instruction with a PTX name such as ldmatrix.x4.trans, or the name of a CuTe atom. With
// the suffix :B its matrices have the layout of operand B of m16n8k16. It returns nil for other names.
func FindInstruction(name string) (*Instruction, error) {
	i := &Instruction{Name: name}
	text := strings.ToLower(strings.TrimSpace(name))
	if of, ok := strings.CutPrefix(text, "copy_atom<"); ok {
		text, _, _ = strings.Cut(of, ",")
	}
	text, operand, hasOperand := strings.Cut(text, ":")
	i.isB = operand == "b"
	if hasOperand && operand != "a" && operand != "b" {
		return nil, nil
	}
	if strings.HasPrefix(text, "sm80_cp_async_cache") {
		_, size, _ := strings.Cut(strings.TrimSuffix(text, "{}"), "<")
		return i.copies(size == "uint128_t>" || size == "cute::uint128_t>", hasOperand)
	}
	if atom, ok := tvlayout.FindMatrixAtom(text); ok {
		return i.matrices(atom.Matrices, atom.Matrices > 0)
	}
	words := strings.FieldsFunc(text, func(c rune) bool { return c == '.' || c == ' ' || c == '_' })
	switch {
	case len(words) > 1 && words[0] == "cp" && words[1] == "async" && words[len(words)-1] != "bulk":
		return i.copies(words[len(words)-1] == "16", hasOperand)
	case len(words) == 0:
		return nil, nil
	case !slices.Contains(matrixWords[:], words[0]):
		near := wording.Nearest(words[0], matrixWords[:])
		if near == "" {
			return nil, nil
		}
		err := &lexer.SyntaxError{Input: name, Msg: "unknown instruction " + wording.Quote(name)}
		return nil, err.DidYouMean(name, strings.Replace(strings.ToLower(name), words[0], near, 1))
	}
	count, isKnown := int64(1), true
	for _, w := range words[1:] {
		switch w {
		case "x1", "x2", "x4":
			count = int64(w[1] - '0')
		case "trans", "sync", "aligned", "m8n8", "shared", "cta", "b16":
		default:
			isKnown = false
		}
	}
	return i.matrices(count, isKnown)
}

// matrices completes an instruction of n matrices. It returns an error for invalid numbers.
func (i *Instruction) matrices(n int64, isKnown bool) (*Instruction, error) {
	if !isKnown || n != 1 && n != 2 && n != 4 {
		return nil, lexer.Refuse("such as ldmatrix.x4, ldmatrix.x4.trans:B or SM75_U32x4_LDSM_N",
			"%s does not read 1, 2 or 4 matrices of 8 rows of 16 bytes", wording.Quote(i.Name))
	}
	i.lanes = n * matrixRows
	return i, nil
}

// copies completes a copy of a chunk by each lane.
func (i *Instruction) copies(isWhole, hasOperand bool) (*Instruction, error) {
	if !isWhole || hasOperand {
		return nil, lexer.Refuse("such as cp.async.16", "%s does not copy 16 bytes per lane", wording.Quote(i.Name))
	}
	i.isCopy, i.lanes = true, 32
	return i, nil
}

// chunk returns the row, and the chunk in the row, of the address that a lane gives.
func (i *Instruction) chunk(lane, inRow int64) (row, chunk int64) {
	switch {
	case i.isCopy:
		return lane / inRow, lane % inRow
	case !i.isB:
		return lane % 16, lane / 16
	case i.lanes == 32:
		return lane%8 + lane/16*8, lane / 8 % 2
	}
	return lane % 8, lane / 8
}

// instruct completes a walk of the lanes of an instruction. Rows go along the axis that is not the one of stride 1.
func (w *Walk) instruct() error {
	i, l, bits := w.Instruction, w.Tensor.Layout(), w.Tensor.DType().Bits()
	along := w.Widest.Axis
	switch {
	case w.Unit != &Units[0]:
		return lexer.Refuse("remove --phases", "%s serves lanes in its own phases", i.Name)
	case l.Rank() != 2 || along < 0:
		return lexer.Refuse("--view chooses a tile of a larger tensor, such as --view 'select(0,0)'",
			"%s reads rows of a matrix, with elements next to each other along one of 2 axes", i.Name)
	case 8*chunkBytes%bits != 0:
		return lexer.Refuse("", "16 bytes are not a number of elements of %s", w.Tensor.DType())
	}
	w.Vector = 8 * chunkBytes / bits
	across := 1 - along
	inRow := max(l.Axis(along).Size()/w.Vector, 1)
	for lane := range i.lanes {
		row, chunk := i.chunk(lane, inRow)
		index := make([]int64, 2)
		index[across], index[along] = w.Start[across]+row, w.Start[along]+chunk*w.Vector
		if err := w.checkChunk(lane, index, along); err != nil {
			return err
		}
		w.addresses = append(w.addresses, index)
	}
	return nil
}

// checkChunk returns an error if the chunk of a lane leaves the tensor, or is not 16 adjacent and aligned bytes.
func (w *Walk) checkChunk(lane int64, index []int64, along int) error {
	l := w.Tensor.Layout()
	for axis, n := range index {
		last := n
		if axis == along {
			last += w.Vector - 1
		}
		if size := l.Axis(axis).Size(); last >= size {
			const msg = "lane %d reads index %d of axis %s, and the size is %d"
			return lexer.Refuse("", msg, lane, last, l.AxisName(axis), size)
		}
	}
	at := []int64{index[0], index[1]}
	first, err := l.Offset(at)
	for k := int64(1); k < w.Vector && err == nil; k++ {
		at[along] = index[along] + k
		next := int64(0)
		if next, err = l.Offset(at); next != first+k {
			const msg = "lane %d reads 16 bytes from offset %d on, and element %d of them is at %d"
			return lexer.Refuse("", msg, lane, first, k, next)
		}
	}
	if err == nil && first%w.Vector != 0 {
		err = lexer.Refuse("rows that are multiples of 16 bytes apart, as with --align",
			"lane %d reads from offset %d on, byte %d, which is not a multiple of 16", lane, first,
			first*w.Tensor.DType().Bits()/8)
	}
	return err
}
