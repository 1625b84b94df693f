package tensorfile

import (
	"fmt"
	"io"
	"math/big"
	"strings"

	"layoutcalc/layout"
)

// A Array is one tensor in a file: what its elements are, and where they lie.
type Array struct {
	Kind      string       // "npy" or "safetensors"
	Name      string       // the tensor's, empty in a .npy file
	TypeName  string       // in the file's own spelling: "<f4", "BF16"
	Type      layout.DType // of the elements, if TypeKnown
	TypeKnown bool
	Bits      int64 // of one element: 4, 8, 16, 32, 64 or 128
	Swap      int   // 0, or the bytes of a unit to reverse to be little-endian: of a complex number each half
	Sizes     []int64
	Fortran   bool  // the first index runs fastest, not the last
	Start     int64 // the byte of the file that the data starts at
	Bytes     int64 // of the data, which the file has
}

// Find reads the header of a .npy or .safetensors file of the given size, and tells where the
// elements of one array lie. The first bytes say which kind of file it is, and where they do not, the
// name. The tensor's name chooses one of a .safetensors file; it may be empty when there is only one.
//
// A place that is in doubt is an error: whatever is wrong with the file or with this tensor, but not
// what is wrong with other tensors. A header that cannot be read is a [*doctree.Fault], as of [Read],
// and all else a [*layout.SyntaxError] with a hint.
func Find(name string, in io.ReaderAt, size int64, tensor string) (Array, error) {
	t := tensorFile{headerReader: headerReader{in: in, size: size, end: size}, only: tensor}
	var a Array
	var err error
	switch kind := t.kind(ending(name)); kind {
	case npyKind:
		a, err = t.npyArray(tensor)
	case safetensorsKind:
		a, err = t.safetensorsArray(tensor)
	default:
		err = noArray(kind)
	}
	if t.fault != nil {
		err = t.fault
	}
	if err != nil {
		return Array{}, err
	}
	return a, nil
}

// npzKind is how archives of .npy files end.
const npzKind = "npz"

// noArray is the error of a file that no array is read of, by what its name or its contents say.
func noArray(kind string) error {
	switch kind {
	case ggufKind:
		return refusal("convert the file to .safetensors first", "the tensors of a .gguf file are not moved: most are quantised, and blocks of their elements share a scale")
	case npzKind:
		return refusal("unzip it, and take one of the .npy files", "a .npz file is an archive of .npy files")
	}
	return refusal("", "this is no .npy or .safetensors file: it does not start like one")
}

// Is reports whether a file of the given size is one for [Find], which has a word on those
// that it refuses too. The name's ending says so, or the first bytes.
func Is(name string, in io.ReaderAt, size int64) bool {
	switch ending(name) {
	case npyKind, safetensorsKind, ggufKind, npzKind:
		return true
	}
	t := tensorFile{headerReader: headerReader{in: in, size: size, end: size}}
	switch t.kind("") {
	case npyKind, ggufKind:
		return true
	case safetensorsKind:
		return t.bracedHeader()
	}
	return false
}

// bracedHeader reports whether the length that a .safetensors file starts with is one that it can have,
// and the brace behind it one of JSON. Other data may start with a small number and a brace too.
func (t *tensorFile) bracedHeader() bool {
	length := t.uint(8)
	t.skip(1)
	next := t.peek()
	return t.fault == nil && length <= uint64(t.size-8) && next != 0 && strings.IndexByte("\"} \t\r\n", next) >= 0
}

// refusal is the error of a file, or of what is asked of it, that no single byte is to blame for.
func refusal(hint, format string, args ...any) error {
	return &layout.SyntaxError{Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// cutOff is the hint on a file that is too short.
const cutOff = "the file is cut off, or it is still being written"

// wrongLength is the error of a file that has other bytes of data behind its header than it must have.
func wrongLength(hint, whose string, need claim, header, have int64) error {
	exact := need.over
	if exact == nil {
		exact = big.NewInt(need.bytes)
	}
	differ, word := new(big.Int).Sub(exact, big.NewInt(have)), "few"
	if differ.Sign() < 0 {
		differ.Neg(differ)
		word = "many"
	}
	return refusal(hint, "%sthe file must hold %s of data behind its header of %d, and holds %d: %v too %s", whose, need, header, have, clippedNumber(differ.String()), word)
}
