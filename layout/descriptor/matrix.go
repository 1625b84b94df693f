package descriptor

import (
	"fmt"
	"slices"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A Matrix is a matrix descriptor for NVIDIA's tensor cores: 64 bits that describe the location of an operand in shared
// memory. Offsets are in bytes.
type Matrix struct {
	Bits                   uint64
	Target                 string // sm90, with the instruction wgmma, or sm100 (tcgen05)
	Start, Leading, Stride int64
	Base, Version          int64 // Version is 0 for sm90
	LeadingMode            int64 // of sm100
	Layout                 string
	Swizzle                layout.Swizzle // over bytes; without bits if the layout is not swizzled
	Major                  string         // k or mn for a descriptor that MakeMatrix makes
	Notes                  []string
}

// A matrixTarget is the interpretation of a matrix descriptor by a target. The bits of the layout are the highest ones.
type matrixTarget struct {
	name     string
	version  uint64
	layoutAt int      // the lowest bit of the layout
	layouts  []string // by number; empty for invalid numbers
	modes    []string // the swizzle modes
	unused   uint64   // the bits that no field uses
	rows     int64    // of A in one instruction
}

// MatrixTargets are the targets of matrix descriptors.
var MatrixTargets = []string{"sm90", "sm100"}

var matrixTargets = [...]matrixTarget{
	{"sm90", 0, 62, []string{"INTERLEAVE", "SWIZZLE_128B", "SWIZZLE_64B", "SWIZZLE_32B"},
		[]string{"", "128B", "64B", "32B"}, 0x3ff1_c000_c000_c000, 64},
	{"sm100", 1, 61, []string{
		"SWIZZLE_NONE", "SWIZZLE_128B_BASE32B", "SWIZZLE_128B", "", "SWIZZLE_64B", "", "SWIZZLE_32B", "",
	}, []string{"", "128B_ATOM_32B", "128B", "", "64B", "", "32B", ""}, 0x1fe1_0000_c000_c000, 128},
}

// A matrixPrint is a word that CUTLASS prints for a field of a matrix descriptor after its bits.
type matrixPrint struct {
	word     string
	at, bits int
}

var matrixPrints = [...]matrixPrint{
	{"start_addr", 0, 14}, {"leading_off", 16, 14}, {"stride_off", 32, 14}, {"base_offset", 49, 3},
	{"layout_type", 62, 2},
}

// IsMatrix reports whether text is a matrix descriptor: its bits in hexadecimal, optionally after a word and a colon,
// as CUTLASS prints it.
func IsMatrix(text string) bool {
	s := lexer.Scanner{In: text}
	takeMatrixName(&s)
	return s.Hexadecimal() > 0
}

// takeMatrixName skips the name of a descriptor with its colon, and the spaces around it.
func takeMatrixName(s *lexer.Scanner) {
	s.Blanks()
	at := s.Pos
	for s.Span(lexer.IsWord); s.Take("::"); s.Span(lexer.IsWord) {
	}
	if !s.Take(":") {
		s.Pos = at
	}
	s.Blanks()
}

// ParseMatrix reads a matrix descriptor for a target. If target is empty, the version in the descriptor determines it.
func ParseMatrix(text, target string) (*Matrix, error) {
	s := lexer.NewReader(text)
	takeMatrixName(&s.Scanner)
	at, n := s.Pos, s.Hexadecimal()
	bits, err := strconv.ParseUint(text[at:at+n], 0, 64)
	if err != nil {
		return nil, s.Scanner.Fail(at, "such as 0x4000404000010040",
			"a matrix descriptor has 64 bits, 16 hexadecimal digits")
	}
	s.Pos += n
	m := &Matrix{Bits: bits, Target: target}
	version := bits >> 46 & 3
	i := slices.IndexFunc(matrixTargets[:], func(t matrixTarget) bool {
		return t.name == target || target == "" && t.version == version
	})
	if i < 0 {
		return nil, s.Scanner.Fail(at, "--target sm90 or sm100 reads it anyway",
			"bits 46-47 are %d: they are 0 for sm90 and 1 for sm100", version)
	}
	of := matrixTargets[i]
	if target == "" {
		m.note("bits 46-47 are %d: read for %s; --target says another", version, of.name)
	} else if version != of.version {
		m.note("bits 46-47 are %d, and for %s they are %d", version, of.name, of.version)
	}
	if other := bits & of.unused &^ (3 << 46); other != 0 {
		m.note("bits that no field of %s has are set: 0x%016x", of.name, other)
	}
	number := bits >> of.layoutAt
	if m.Layout = of.layouts[number]; m.Layout == "" {
		return nil, s.Scanner.Fail(at, "", "layout %d is none of %s", number, of.name)
	}
	m.Target, m.Start, m.Leading, m.Stride = of.name, matrixField(bits, 0), matrixField(bits, 16), matrixField(bits, 32)
	m.Base = int64(bits >> 49 & 7)
	if of.version == 1 {
		m.Version, m.LeadingMode = int64(version), int64(bits>>52&1)
	}
	for i, mode := range MapSwizzles.Names {
		if mode == of.modes[number] && mode != "" {
			var most int64
			m.Swizzle, _, most = MapSwizzle(MapCode(i))
			m.noteRows(most)
			m.noteStart(most)
		}
	}
	return m, m.compare(&s)
}

// matrixField returns a 14-bit field in units of 16 bytes, in bytes.
func matrixField(bits uint64, at int) int64 { return int64(bits>>at&0x3fff) * 16 }

func (m *Matrix) note(format string, args ...any) {
	m.Notes = append(m.Notes, fmt.Sprintf(format, args...))
}

// noteRows adds notes on the offsets of a swizzled operand, which has row bytes in each row along K.
func (m *Matrix) noteRows(row int64) {
	m.note("a K-major operand with a swizzle does not use the leading offset, which is 16 by convention")
	switch rows := 8 * row; m.Stride {
	case rows:
	case 16 * rows:
		m.note("the stride offset is 16 times the %s of 8 rows: it was encoded in bytes, and counts units of 16",
			wording.Count(rows, "byte"))
	default:
		m.note("the stride offset of a K-major operand is that of 8 rows, %s, and here it is %d", wording.Count(rows,
			"byte"), m.Stride)
	}
}

// noteStart notes the position of the start in the pattern of the swizzle. The rows of the pattern have the given
// number of bytes.
func (m *Matrix) noteStart(row int64) {
	period := m.Swizzle.Period()
	in := m.Start % period
	if m.Swizzle.Base == 4 && in > 0 {
		m.note("the start is %d + %d: row %d, chunk %d of the pattern", m.Start-in, in, in/row, in%row/16)
	}
}

// compare compares the fields that are printed after the bits with the fields in the bits.
func (m *Matrix) compare(s *lexer.Reader) error {
	for s.Blanks(); !s.Done() && s.Err == nil; s.Blanks() {
		at, word := s.Pos, s.Span(lexer.IsWord)
		i := slices.IndexFunc(matrixPrints[:], func(p matrixPrint) bool { return p.word == word })
		s.Blanks()
		if i < 0 || !s.Take(":") {
			s.Pos = at
			s.Fail(at, "one descriptor, such as 0x4000404000010040", "%q does not belong to the descriptor", s.Rest())
			break
		}
		s.Blanks()
		n := s.Integer(lexer.IntKind{Noun: "number", Hex: true, Example: "0x0040"})
		f := matrixPrints[i]
		if have := int64(m.Bits >> f.at & (1<<f.bits - 1)); s.Err == nil && n != have {
			s.Fail(at, "", "%s is 0x%x in the bits and 0x%x in the text", word, have, n)
		}
		if s.Blanks(); s.Take("(") {
			s.Span(func(c byte) bool { return c != ')' })
			s.Take(")")
		}
	}
	return s.Err
}
