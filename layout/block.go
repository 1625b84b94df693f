package layout

import (
	"fmt"
	"strings"

	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A Block is a ggml type: a number of elements in a row that use a number of bytes together. If there are several
// elements, they share scales and have no separate addresses.
type Block struct {
	Name     string
	Elements int64 // 0 for a type that was removed
	Bytes    int64
	fields   string // a block's fields in memory, in order, each with its type; empty for one element
}

// blocks are the ggml 0.21 types, by number (ggml.h, ggml-common.h). Types without a name were never assigned, or were
// removed with their names.
var blocks = [...]Block{
	0: {"F32", 1, 4, ""}, 1: {"F16", 1, 2, ""},
	2: {"Q4_0", 32, 18, "d f16, qs u8[16]"}, 3: {"Q4_1", 32, 20, "d f16, m f16, qs u8[16]"},
	4: {Name: "Q4_2"}, 5: {Name: "Q4_3"},
	6: {"Q5_0", 32, 22, "d f16, qh u8[4], qs u8[16]"}, 7: {"Q5_1", 32, 24, "d f16, m f16, qh u8[4], qs u8[16]"},
	8: {"Q8_0", 32, 34, "d f16, qs i8[32]"}, 9: {"Q8_1", 32, 36, "d f16, s f16, qs i8[32]"},
	10: {"Q2_K", 256, 84, "scales u8[16], qs u8[64], d f16, dmin f16"},
	11: {"Q3_K", 256, 110, "hmask u8[32], qs u8[64], scales u8[12], d f16"},
	12: {"Q4_K", 256, 144, "d f16, dmin f16, scales u8[12], qs u8[128]"},
	13: {"Q5_K", 256, 176, "d f16, dmin f16, scales u8[12], qh u8[32], qs u8[128]"},
	14: {"Q6_K", 256, 210, "ql u8[128], qh u8[64], scales i8[16], d f16"},
	15: {"Q8_K", 256, 292, "d f32, qs i8[256], bsums i16[16]"},
	16: {"IQ2_XXS", 256, 66, "d f16, qs u16[32]"}, 17: {"IQ2_XS", 256, 74, "d f16, qs u16[32], scales u8[8]"},
	18: {"IQ3_XXS", 256, 98, "d f16, qs u8[96]"}, 19: {"IQ1_S", 256, 50, "d f16, qs u8[32], qh u16[8]"},
	20: {"IQ4_NL", 32, 18, "d f16, qs u8[16]"},
	21: {"IQ3_S", 256, 110, "d f16, qs u8[64], qh u8[8], signs u8[32], scales u8[4]"},
	22: {"IQ2_S", 256, 82, "d f16, qs u8[64], qh u8[8], scales u8[8]"},
	23: {"IQ4_XS", 256, 136, "d f16, scales_h u16, scales_l u8[4], qs u8[128]"},
	24: {"I8", 1, 1, ""}, 25: {"I16", 1, 2, ""}, 26: {"I32", 1, 4, ""}, 27: {"I64", 1, 8, ""}, 28: {"F64", 1, 8, ""},
	29: {"IQ1_M", 256, 56, "qs u8[32], qh u8[16], scales u8[8]"}, 30: {"BF16", 1, 2, ""},
	31: {Name: "Q4_0_4_4"}, 32: {Name: "Q4_0_4_8"}, 33: {Name: "Q4_0_8_8"},
	34: {"TQ1_0", 256, 54, "qs u8[48], qh u8[4], d f16"}, 35: {"TQ2_0", 256, 66, "qs u8[64], d f16"},
	36: {Name: "IQ4_NL_4_4"}, 37: {Name: "IQ4_NL_4_8"}, 38: {Name: "IQ4_NL_8_8"},
	39: {"MXFP4", 32, 17, "e e8m0, qs u8[16]"}, 40: {"NVFP4", 64, 36, "d e4m3[4], qs u8[32]"},
	41: {"Q1_0", 128, 18, "d f16, qs u8[16]"}, 42: {"Q2_0", 64, 18, "d f16, qs u8[16]"},
}

// LastBlock is the greatest number of a ggml type.
const LastBlock = len(blocks) - 1

// BlockOf returns the ggml type with a number. Its name is empty if no type has the number.
func BlockOf(number uint64) Block {
	if number > uint64(LastBlock) {
		return Block{}
	}
	return blocks[number]
}

// Blocks yields the types of several elements.
func Blocks(yield func(Block) bool) {
	for _, b := range blocks {
		if b.Elements > 1 && !yield(b) {
			return
		}
	}
}

// FindBlock returns the type of several elements that a word names, ignoring case, and with or without ggml's prefix.
// If the type was removed, it returns an error, and also if the word names a mixture that uses the type for most
// tensors; ok is false for other words.
func FindBlock(word string) (b Block, ok bool, err error) {
	s := lexer.Scanner{In: word}
	s.Take("ggml.")
	s.Take("ggml_type_")
	name := strings.ToUpper(word[s.Pos:])
	for _, b := range blocks {
		mix, isMix := strings.CutPrefix(name, b.Name+"_")
		switch {
		case name == b.Name && b.Elements == 0:
			return b, true, s.Fail(0, "", "ggml has removed its type %s", b.Name)
		case name == b.Name:
			return b, b.Elements > 1, nil
		case isMix && b.Elements > 1 && (mix == "S" || mix == "M" || mix == "L" || mix == "XL"):
			err := s.Fail(0, "", "%s is a mixture of types in one file, %s in most of its tensors", name, b.Name)
			return b, true, err.DidYouMean(word, strings.ToLower(b.Name))
		}
	}
	return Block{}, false, nil
}

// IsType reports whether a word is a spelling of an element type, in blocks or not.
func IsType(word string) bool {
	_, isBlock, _ := FindBlock(word)
	return isBlock || IsDType(word)
}

// A BlockField is a part of a block.
type BlockField struct {
	Name, Type string // the type with the number of its items: u8[12]
	At, Bytes  int64
}

// Fields yields the parts of a block in memory.
func (b Block) Fields(yield func(BlockField) bool) {
	at := int64(0)
	for item := range strings.SplitSeq(b.fields, ", ") {
		f := BlockField{At: at}
		f.Name, f.Type, _ = strings.Cut(item, " ")
		kind, count, isList := strings.Cut(strings.TrimSuffix(f.Type, "]"), "[")
		d, _ := ParseDType(kind)
		if f.Bytes = d.Bits() / 8; isList {
			n, _ := lexer.ParseNumber(count)
			f.Bytes *= n
		}
		if at += f.Bytes; !yield(f) {
			return
		}
	}
}

// Row returns the number of elements in a row of a tensor with the given sizes, the innermost last, and this number
// rounded up to whole blocks.
func (b Block) Row(sizes []int64) (row, whole int64) {
	row = 1
	if len(sizes) > 0 {
		row = sizes[len(sizes)-1]
	}
	return row, CeilDiv(row, b.Elements) * b.Elements
}

// Stored returns the blocks and the bytes of a tensor with the given sizes, the innermost last. It fails if a row is
// not a whole number of blocks.
func (b Block) Stored(sizes []int64) (blocks, bytes int64, err error) {
	if row, whole := b.Row(sizes); row != whole {
		return 0, 0, lexer.Refuse(fmt.Sprintf("the next multiple is %d", whole),
			"a row of %s is not a multiple of the %d in a block of %s", wording.Count(row, "element"), b.Elements,
			b.Name)
	}
	n, err := ProductOf(sizes)
	if err != nil {
		return 0, 0, NameOverflow("the number of elements", err)
	}
	blocks = n / b.Elements
	bytes, err = Mul(blocks, b.Bytes)
	return blocks, bytes, NameOverflow("the number of bytes", err)
}

// A BlockError is the error for a layout of elements in blocks, with the sizes of the tensor, the innermost last.
type BlockError struct {
	Block
	Sizes []int64
}

// Error states that the elements have no addresses.
func (e *BlockError) Error() string {
	return fmt.Sprintf("%s packs %s into %s: none has bytes or a stride of its own", e.Name,
		wording.Count(e.Elements, "element"),
		wording.Count(e.Bytes, "byte"))
}
