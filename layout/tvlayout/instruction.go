package tvlayout

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A set is words with spaces between them.
type set string

// all returns the words.
func (s set) all() []string { return strings.Fields(string(s)) }

// has reports whether the set has a word.
func (s set) has(word string) bool { return slices.Contains(s.all(), word) }

// A row is instructions that hold their matrices alike. In the steps M, N and K are the sizes of the product, P counts
// products of one instruction, e is how many elements of an operand a register or, of AMD, a thread has side by side.
type row struct {
	of             string
	shapes, inputs set    // for wgmma, with the smallest N; other N are multiples of it
	on             set    // the families of processors; empty for all of NVIDIA's
	e              int64  // for AMD, the value of e
	a, b, c        string // the steps; empty if they are unknown
}

// Steps that several rows share.
const (
	ptxA  = "value e K, lane 4 K, lane 8 M, value m/8 M, value k/4*e K"
	ptxB  = "value e K, lane 4 K, lane 8 N, value k/4*e K"
	ptxC  = "value 2 N, lane 4 N, lane 8 M, value m/8 M"
	warpA = "value e K, lane 4 K, lane 8 M, value 2 M, value k/4*e K, warp 4 M"
	warpC = "value 2 N, lane 4 N, lane 8 M, value 2 M, value n/8 N, warp 4 M"
	mfmaA = "value e K, lane m M, lane 64/m*p K, lane p P"
	mfmaB = "value e K, lane n N, lane 64/n*p K, lane p P"
	mfmaC = "value h M, lane n N, lane 64/n M, value m*n/64*h M, value p P"
	mfma4 = "value 4 M, lane 4 N, lane 16 P"
	wmmaA = "value k/2 K, lane 16 M, lane 2 K"
	wmmaB = "value k/2 K, lane 16 N, lane 2 K"
)

// rows are the instructions.
var rows = [...]row{
	{"mma", "16x8x8 16x8x16", "f16 bf16", "", 0, ptxA, ptxB, ptxC},
	{"mma", "16x8x4 16x8x8", "tf32", "", 0, ptxA, ptxB, ptxC},
	{"mma", "16x8x16 16x8x32", "s8 u8 e4m3 e5m2", "", 0, ptxA, ptxB, ptxC},
	{"mma", "16x8x32 16x8x64", "s4 u4", "", 0, ptxA, ptxB, ptxC},
	{"mma", "16x8x4 16x8x8 16x8x16 8x8x4", "f64", "", 0, ptxA, ptxB, ptxC},
	{"mma", "8x8x16", "s8 u8", "", 0, ptxA, ptxB, ptxC},
	{"mma", "8x8x32", "s4 u4", "", 0, ptxA, ptxB, ptxC},
	{"mma", "8x8x4", "f16", "", 0, "lane 4 M, lane 4 P, lane 2 M, value 4 K", "lane 4 N, lane 4 P, lane 2 N, value 4 K",
		"lane 2 M, value 2 N, lane 2 N, value 2 M, lane 4 P, lane 2 M, value 2 N"},
	{"mma", "16x8x32", "f8f6f4", "", 0, ptxA, ptxB, ptxC},
	{"mma.mx", "16x8x32", "mxf8f6f4", "", 0, ptxA, ptxB, ptxC},
	{"mma.mx", "16x8x64", "mxf4 mxf4nvf4", "", 0, ptxA, ptxB, ptxC},
	{"mma.sp", "16x8x64", sparse8, "", 0, "", ptxB, ptxC},
	{"mma.sp", "16x8x128", sparse4, "", 0, "", ptxB, ptxC},
	{"wgmma", "64x8x16", "f16 bf16", "", 0, warpA, "", warpC},
	{"wgmma", "64x8x8", "tf32", "", 0, warpA, "", warpC},
	{"wgmma", "64x8x32", "s8 u8 e4m3 e5m2", "", 0, warpA, "", warpC},
	{"v_mfma", "32x32x1 32x32x2 16x16x1 16x16x4", "f32", "cdna1 cdna2 cdna3 cdna4", 1, mfmaA, mfmaB, mfmaC},
	{"v_mfma", "32x32x4 32x32x8 16x16x4 16x16x16", "f16", "cdna1 cdna2 cdna3 cdna4", 4, mfmaA, mfmaB, mfmaC},
	{"v_mfma", "32x32x2 32x32x4 16x16x2 16x16x8", "bf16", "cdna1 cdna2", 2, mfmaA, mfmaB, mfmaC},
	{"v_mfma", "32x32x4 32x32x8 16x16x4 16x16x16", "bf16_1k", "cdna2", 4, mfmaA, mfmaB, mfmaC},
	{"v_mfma", "32x32x4 32x32x8 16x16x4 16x16x16", "bf16", "cdna3 cdna4", 4, mfmaA, mfmaB, mfmaC},
	{"v_mfma", "32x32x4 32x32x8 16x16x4 16x16x16", "i8", "cdna1 cdna2", 4, mfmaA, mfmaB, mfmaC},
	{"v_mfma", "32x32x4 16x16x4", "i8", "cdna3 cdna4", 4, mfmaA, mfmaB, mfmaC},
	{"v_mfma", "32x32x16 16x16x32", "i8 fp8 bf8", "cdna3 cdna4", 8, mfmaA, mfmaB, mfmaC},
	{"v_mfma", "32x32x4 16x16x8", "xf32", "cdna3", 2, mfmaA, mfmaB, mfmaC},
	{"v_mfma", "16x16x4", "f64", "cdna2 cdna3 cdna4", 1, mfmaA, mfmaB, mfmaC},
	{"v_mfma", "4x4x1", "f32", "cdna1 cdna2 cdna3 cdna4", 1, mfmaA, mfmaB, mfma4},
	{"v_mfma", "4x4x4", "f16 i8", "cdna1 cdna2 cdna3 cdna4", 4, mfmaA, mfmaB, mfma4},
	{"v_mfma", "4x4x2", "bf16", "cdna1 cdna2", 2, mfmaA, mfmaB, mfma4},
	{"v_mfma", "4x4x4", "bf16_1k", "cdna2", 4, mfmaA, mfmaB, mfma4},
	{"v_mfma", "4x4x4", "bf16", "cdna3 cdna4", 4, mfmaA, mfmaB, mfma4},
	{"v_mfma", "4x4x4", "f64", "cdna2 cdna3 cdna4", 1, "lane 4 M, lane 4 P, lane 4 K", "lane 4 N, lane 4 P, lane 4 K",
		"lane 4 N, lane 4 P, lane 4 M"},
	{"v_mfma", "32x32x16 16x16x32", "f16 bf16", "cdna4", 8, mfmaA, mfmaB, mfmaC},
	{"v_mfma", "32x32x32 16x16x64", "i8", "cdna4", 16, mfmaA, mfmaB, mfmaC},
	{"v_mfma_scale", "32x32x64 16x16x128", "fp4", "cdna4", 32, mfmaA, mfmaB, mfmaC},
	{"v_mfma_scale", "32x32x64", "fp8 bf8", "cdna4", 32, "value 16 K, lane 32 M, lane 2 K, value 2 K",
		"value 16 K, lane 32 N, lane 2 K, value 2 K", mfmaC},
	{"v_smfmac", "32x32x16 16x16x32", "f16 bf16", "cdna3 cdna4", 8, "", mfmaB, mfmaC},
	{"v_smfmac", "32x32x32 16x16x64", "i8 fp8 bf8", "cdna3 cdna4", 16, "", mfmaB, mfmaC},
	{"v_swmmac", "16x16x32", "f16 bf16", "rdna4", 8, "", "value 8 K, lane 16 N, lane 2 K, value 2 K", wmmaTile2},
	{"v_swmmac", "16x16x32", "iu8", "rdna4", 16, "", "value 16 K, lane 16 N, lane 2 K", wmmaTile2},
	{"v_wmma", "16x16x16", "f16 bf16 iu8 iu4", "rdna3", 16, "value 16 K, lane 16 M, lane 2 -",
		"value 16 K, lane 16 N, lane 2 -", wmmaTile},
	{"v_wmma", "16x16x16", "f16 bf16", "rdna4", 4, "value 4 K, lane 16 M, lane 2 K, value 2 K",
		"value 4 K, lane 16 N, lane 2 K, value 2 K", wmmaTile2},
	{"v_wmma", "16x16x16", "iu8 fp8 bf8 iu4", "rdna4", 8, wmmaA, wmmaB, wmmaTile2},
	{"v_wmma", "16x16x32", "iu4", "rdna4", 16, wmmaA, wmmaB, wmmaTile2},
}

// transfers are the instructions that load and store matrices: their steps, of x registers or matrices, and the sizes.
var transfers = [...]struct {
	of, shape string
	rows      int64
	columns   int64 // the columns of one x
	steps     string
}{
	{"ldmatrix", "", 8, 8, "value 2 N, lane 4 N, lane 8 M, value x P"},
	{"ldmatrix", "trans", 8, 8, "value 2 M, lane 4 M, lane 8 N, value x P"},
	{"tcgen05.ld", "32x32b", 32, 1, "lane 32 M, value x N"},
	{"tcgen05.ld", "16x64b", 16, 2, "lane 2 M@8, lane 2 N, lane 8 M@1, value x N"},
	{"tcgen05.ld", "16x128b", 16, 4, "lane 4 N, lane 8 M, value 2 M, value x N"},
	{"tcgen05.ld", "16x256b", 16, 8, "value 2 N, lane 4 N, lane 8 M, value 2 M, value x N"},
	{"tcgen05.ld", "16x32bx2", 16, 2, "lane 16 M, value x N, lane 2 N"},
}

// processors are the names of processors other than families, each followed by its family.
var processors = [...]string{
	"gfx908", "cdna1", "gfx90a", "cdna2", "gfx940", "cdna3", "gfx941", "cdna3", "gfx942", "cdna3", "gfx11", "rdna3",
	"gfx12", "rdna4",
	"gfx950", "cdna4",
}

// noise are words of mnemonics that have no effect on the holders.
const noise set = "sync aligned mma satfinite saturate m8n8 b16 b32 shared cta global async kind block scale vec group"

// kinds are the kinds of PTX products that determine the types of their operands.
const kinds set = "f8f6f4 mxf8f6f4 mxf4 mxf4nvf4"

// arrangements are words for the order of operands, and for the number of products of AMD's instructions.
const arrangements set = "row col ss rs vs 2b 4b 16b"

// refused are words of names, one or two in a row, that are known but not supported, with the reason.
var refused = [...]struct{ first, second, reason string }{
	{"cbsz", "", "lanes that are broadcast (cbsz, abid) are not read"},
	{"abid", "", "lanes that are broadcast (cbsz, abid) are not read"},
	{"blgp", "", "lanes that are permuted (blgp) are not read"},
	{"opsel", "", "registers of which opsel takes the upper halves are not read"},
	{"op", "sel", "registers of which op_sel takes the upper halves are not read"},
	{"gfx1250", "", "gfx1250 is not documented"},
}

// starts are the words that names start with, and the instructions of rows and transfers.
var starts = [...]struct{ first, second, of string }{
	{"mma", "", "mma"}, {"wgmma", "", "wgmma"}, {"ldmatrix", "", "ldmatrix"}, {"stmatrix", "", "ldmatrix"},
	{"tcgen05", "ld", "tcgen05.ld"}, {"tcgen05", "st", "tcgen05.ld"}, {"tcgen05", "mma", "tcgen05.mma"},
	{"sm100", "mma", "tcgen05.mma"}, {"v", "mfma", "v_mfma"}, {"mfma", "", "v_mfma"}, {"v", "wmma", "v_wmma"},
	{"v", "smfmac", "v_smfmac"}, {"smfmac", "", "v_smfmac"}, {"v", "swmmac", "v_swmmac"}, {"swmmac", "", "v_swmmac"},
	{"sm120", "", "mma"},
	{"sm70", "", "mma"}, {"sm75", "", "mma"}, {"sm80", "", "mma"}, {"sm89", "", "mma"}, {"sm90", "", "wgmma"},
}

// types are the element types of names. A type comes before the types that it begins with.
var types = [...]struct {
	name string
	bits int64
}{
	{"bf16", 16}, {"f16", 16}, {"tf32", 32}, {"xf32", 32}, {"f32", 32}, {"f64", 64}, {"s32", 32}, {"i32", 32},
	{"s8", 8}, {"u8", 8}, {"iu8", 8}, {"i8", 8}, {"s4", 4}, {"u4", 4}, {"iu4", 4}, {"e4m3", 8}, {"e5m2", 8},
	{"fp8", 8}, {"bf8", 8}, {"bf16_1k", 16}, {"fp4", 4}, {"fp6", 6}, {"bf6", 6}, {"f8f6f4", 8}, {"mxf8f6f4", 8},
	{"mxf4nvf4", 4}, {"mxf4", 4}, {"e2m1", 4}, {"e2m3", 8}, {"e3m2", 8}, {"ue8m0", 8}, {"ue4m3", 8},
}

// A name is the name of an instruction, taken apart.
type name struct {
	*reader
	of, on   string
	matrix   byte   // A, B or C; may be 0
	extra    string // the matrix as it is written, in capitals
	shape    []int64
	types    []string // before the shape D, after it D, A, B, C or less
	result   int      // how many types come before the shape
	isJoined bool     // CDNA1's 32x32x8f16
	words    []string // the others: row, col, trans, x4
	a, b, d  string   // the types of the matrices

	kind      string   // the kind of a product with separate types, such as mxf4; empty for others
	vec       string   // how many scales a row has, such as 4x
	selectors [2]int64 // for scales: byte-id and thread-id
}

// A word is a part of a name, in small letters, with the colon or the @ right before it.
type word struct {
	text string
	at   int
	mark byte
}

// wordsOf returns the words of a name. A byte that no name has there is a word too.
func wordsOf(text string) (list []word) {
	isPart := func(c byte) bool { return lexer.IsLetter(c) || lexer.IsDigit(c) }
	for s := (lexer.Scanner{In: text}); !s.Done(); {
		w := word{at: s.Pos}
		switch c := s.Peek(); c {
		case '.', '_', ' ':
			s.Pos++
			continue
		case ':', '@':
			w.mark = c
			s.Pos++
			w.at = s.Pos
		}
		if w.text = strings.ToLower(s.Span(isPart)); w.text == "" {
			w.text, w.mark, s.Pos = "?", 0, min(w.at+1, len(text))
		}
		list = append(list, w)
	}
	return list
}

// begins reports whether words begin with one, or with two unless the second is empty.
func begins(list []word, first, second string) bool {
	return len(list) > 0 && list[0].text == first && (second == "" || len(list) > 1 && list[1].text == second)
}

// instruction reads the name of an instruction and of a matrix.
func (r *reader) instruction() *Ownership {
	n := &name{reader: r}
	list := wordsOf(n.plain())
	for i := range list {
		for _, no := range refused {
			if begins(list[i:], no.first, no.second) {
				n.Fail(list[i].at, "", "%s", no.reason)
			}
		}
	}
	if r.Err == nil {
		n.take(list)
	}
	r.Pos = len(r.In)
	if r.Err != nil {
		return nil
	}
	if n.of == "tcgen05.mma" {
		return n.inTensorMemory()
	}
	for i, t := range transfers {
		if n.of == t.of && (t.shape == "" || slices.Contains(n.words, t.shape)) &&
			(t.of != "ldmatrix" || (t.shape != "") == slices.Contains(n.words, "trans")) {
			return n.transfer(i)
		}
	}
	return n.product()
}

// SharedOperand returns the instruction, wgmma or tcgen05, that reads the matrix of a name from shared memory through a
// descriptor. It is empty for other names, and for A of wgmma unless the name says that it is not in registers.
func SharedOperand(text string) string {
	n := &name{reader: &reader{}}
	n.Cursor = lexer.NewCursor(text)
	list := wordsOf(n.plain())
	if n.take(list); n.Err != nil || len(list) == 0 || n.matrix >= 'C' {
		return ""
	}
	of, ts := n.of, slices.Contains(n.words, "ts")
	switch {
	case of == "tcgen05.mma":
		of = "tcgen05"
	case of == "" && list[0].text == "tcgen05":
		of, n.words = "tcgen05", n.words[1:]
	case of != "wgmma":
		return ""
	}
	isOne := n.shape == nil && len(n.words) == 0 && list[0].text != "sm90" // any of the instruction
	isA := n.matrix == 'A' && (slices.Contains(n.words, "ss") || of == "tcgen05" && !ts)
	if isOne || isA || n.shape != nil && n.matrix == 'B' {
		return of
	}
	return ""
}

// take gives the words of a name their meanings.
func (n *name) take(list []word) {
	for _, w := range n.start(list) {
		if !n.marked(w) && !n.modifier(w) && !n.typed(w) && !n.sized(w) {
			n.words = append(n.words, arranged(w.text)...)
		}
	}
	if n.of == "wgmma" && len(n.shape) > 0 && n.shape[0] != 64 {
		n.of = "mma" // of CuTe too
	}
	if n.kind != "" {
		n.types, n.result = []string{n.kind}, 0
		if n.of == "mma" && n.kind != "f8f6f4" {
			n.of = "mma.mx"
		}
	}
}

// start takes the words that say the instruction, and returns the others.
func (n *name) start(list []word) []word {
	if begins(list, "builtin", "amdgcn") {
		list = list[2:]
	}
	for _, start := range starts {
		if n.of == "" && begins(list, start.first, start.second) {
			n.of, list = start.of, list[1:]
			if start.second != "" {
				list = list[1:]
			}
		}
	}
	return list
}

// marked takes a word behind a colon or an @, and refuses other words behind these.
func (n *name) marked(w word) bool {
	switch {
	case w.mark == ':':
		n.matrixOf(w)
	case w.mark == '@':
		n.on = family(w.text)
	case n.matrix != 0 || n.on != "":
		n.unknown()
	default:
		return false
	}
	return true
}

// modifier takes a word for a variant of an instruction, and skips words that say nothing.
func (n *name) modifier(w word) bool {
	switch text := w.text; {
	case text == "scale" && n.of == "v_mfma":
		n.of = "v_mfma_scale"
	case noise.has(text):
	case kinds.has(text) && strings.HasPrefix(n.of, "mma"):
		n.kind = text
	case text == "f8f6f4":
	case len(text) == 2 && text[1] == 'x' && lexer.IsDigit(text[0]):
		n.vec = text
	case text == "sp" && n.of == "mma":
		n.of = "mma.sp"
	default:
		return false
	}
	return true
}

// typed takes a word that is made of element types.
func (n *name) typed(w word) bool {
	types := typesIn(w.text)
	if w.text == "1k" && len(n.types) > 0 {
		n.types[len(n.types)-1] += "_1k"
		return true
	}
	n.types = append(n.types, types...)
	return types != nil
}

// sized takes a word that is a shape.
func (n *name) sized(w word) bool {
	return n.shape == nil && (n.of == "tcgen05.mma" && n.pair(w.text) || n.sizes(w.text))
}

// arranged returns the words for a CuTe word such as tn. Its letters are for A and B: t is row-major, and n is
// column-major. Other words stay the same.
func arranged(text string) []string {
	order := map[byte]string{'t': "row", 'n': "col"}
	if len(text) == 2 && order[text[0]] != "" && order[text[1]] != "" {
		return []string{order[text[0]], order[text[1]]}
	}
	return []string{text}
}

// matrixOf takes the matrix behind a colon.
func (n *name) matrixOf(w word) {
	if n.matrix != 0 || !set("a b c d e i sa sb sfa sfb").has(w.text) {
		n.Fail(w.at, "one of :A, :B, :C", "unknown matrix %s", n.In[w.at:])
		return
	}
	n.extra = strings.ToUpper(w.text)
	n.matrix = n.extra[0]
}

// family returns the family of a processor, gfx1100; other words stay.
func family(of string) string {
	for i := 0; i < len(processors); i += 2 {
		if p := processors[i]; of == p || len(of) == len("gfx1100") && of[:len("gfx11")] == p {
			return processors[i+1]
		}
	}
	return of
}

// shapeIn reads a shape, m16n8k16 or 16x8x16, of three sizes unless it is nil.
func shapeIn(text string) (shape []int64, rest string) {
	s := lexer.Scanner{In: text}
	for range 3 {
		s.Span(set("m n k x").hasByte)
		size, err := lexer.ParseNumber(s.Span(lexer.IsDigit))
		if err != nil || size < 1 || size > 1<<14 {
			return nil, text
		}
		shape = append(shape, size)
	}
	return shape, text[s.Pos:]
}

// hasByte reports whether the set has a word of one byte.
func (s set) hasByte(c byte) bool { return s.has(string(c)) }

// sizes reads the shape of a product, and the type behind it.
func (n *name) sizes(text string) bool {
	shape, rest := shapeIn(text)
	types := typesIn(rest)
	if shape == nil || rest != "" && types == nil {
		return false
	}
	n.shape, n.result, n.isJoined = shape, len(n.types), rest != ""
	n.types = append(n.types, types...)
	return true
}

// typesIn returns the types that a word consists of, f32f16f16f32, or nil for other words.
func typesIn(text string) (list []string) {
	s := lexer.Scanner{In: text}
	for !s.Done() {
		i := 0
		for i < len(types) && !s.Take(types[i].name) {
			i++
		}
		if i == len(types) {
			return nil
		}
		list = append(list, types[i].name)
	}
	return list
}

// bitsOf returns the bits of a type, or 0 for other names.
func bitsOf(name string) int64 {
	for _, t := range types {
		if t.name == name {
			return t.bits
		}
	}
	return 0
}

// assign gives the matrices their types.
func (n *name) assign() bool {
	types := n.types[n.result:]
	if n.result > 0 {
		n.d = n.types[0]
	}
	switch len(types) {
	case 1:
		n.a, n.b = types[0], types[0]
	case 2:
		n.a, n.b = types[0], types[1]
	case 3, 4: // D, A, B and perhaps C
		n.d, n.a, n.b = types[0], types[1], types[2]
	default:
		if n.a = map[int64]string{8: "tf32", 16: "f16", 32: "s8"}[n.shape[2]]; n.of != "wgmma" || n.a == "" {
			return false
		}
		n.b = n.a
	}
	if n.d == "" {
		n.d = map[int64]string{64: "f64", 8: "s32", 4: "s32"}[bitsOf(n.a)]
		if n.d == "" || n.a[0] == 'e' {
			n.d = "f32"
		}
	}
	return true
}

// products returns how many products an instruction of these sizes has: AMD's fill the lanes with them.
func (r row) products(m, k int64) int64 {
	if r.of != "v_mfma" {
		return 1
	}
	return max(64*r.e/(m*k), 1)
}

// fits reports whether a row is of the instruction, its processor aside.
func (n *name) fits(r row) bool {
	m, columns, k := n.shape[0], n.shape[1], n.shape[2]
	if r.of == "wgmma" && columns%8 == 0 && columns <= 256 {
		columns = 8
	}
	products := r.products(m, k)
	said := strconv.FormatInt(products, 10) + "b"
	newer := r.on.has("cdna3") || r.on.has("cdna4")
	older := r.on.has("cdna1") || r.on.has("cdna2")
	return n.of == r.of && r.shapes.has(layout.JoinInts([]int64{m, columns, k}, "x")) && r.inputs.has(n.a) &&
		r.inputs.has(n.b) && (r.of != "v_mfma" ||
		newer && !n.isJoined && (products > 1) == slices.Contains(n.words, said) || n.isJoined && older)
}

// product returns the ownership of a matrix of a product.
func (n *name) product() *Ownership {
	var found []row
	var on []string
	if slices.ContainsFunc(n.words, func(w string) bool { return !arrangements.has(w) }) {
		n.unknown()
	}
	for _, r := range rows {
		if n.shape != nil && n.assign() && n.fits(r) {
			if on = append(on, r.on.all()...); n.on == "" || r.on.has(n.on) {
				found = append(found, r)
			}
		}
	}
	switch {
	case len(found) == 0 && on != nil:
		n.Fail(0, "one of @"+strings.Join(on, ", @"), "%s has no such instruction", n.on)
	case len(found) == 0 && undocumented(n.of) != "":
		n.Fault(&layout.SyntaxError{Input: n.In, Msg: undocumented(n.of)})
	case len(found) == 0:
		n.unknown()
	case len(found) > 1 && found[0].of == "v_wmma":
		n.Fail(0, fmt.Sprintf("write %s@%s or %[1]s@%[3]s", n.In, found[0].on, found[1].on),
			"%s and %s hold this differently", found[0].on, found[1].on)
	case n.matrix == 0:
		n.Fail(len(n.In), fmt.Sprintf("one of %s:A, %[1]s:B, %[1]s:C", n.In), "the matrix is missing")
	}
	if n.Err != nil {
		return nil
	}
	n.mnk = n.shape
	if o, ok := n.part(found[0]); ok {
		return o
	}
	if n.matrix > 'D' {
		n.Fail(len(n.In)-len(n.extra), "one of :A, :B, :C", "unknown matrix %s", n.extra)
		return nil
	}
	return n.build(found[0])
}

// undocumented states which instructions of a family are supported, if no document states the holders for the others.
// It is empty if all are supported.
func undocumented(of string) string {
	switch of {
	case "mma.sp":
		return "of sparse instructions those of m16n8k64 with 8 bits and of m16n8k128 with 4 bits are known here"
	case "v_mfma_scale":
		return "of instructions with scales of gfx950 those of fp4, and of fp8 and bf8 with 32x32x64, are known here"
	}
	return ""
}

// build builds a matrix of a row.
func (n *name) build(r row) *Ownership {
	m, columns, k := n.shape[0], n.shape[1], n.shape[2]
	dims, steps, t, letter := "MN", r.c, n.d, "c"
	switch n.matrix {
	case 'A':
		dims, steps, t, letter = "MK", r.a, n.a, "a"
	case 'B':
		dims, steps, t, letter = "KN", r.b, n.b, "b"
	}
	e, products := max(32/max(bitsOf(n.a), 1), 1), int64(1)
	switch {
	case r.on != "":
		e, products = max(r.e, 1), r.products(m, k)
	case r.of == "mma" && r.inputs == "f16": // Volta's
		products = 4
		steps = n.volta(steps)
	case r.of == "wgmma" && n.matrix >= 'C':
		letter = "d"
	}
	switch {
	case steps != "":
	case r.of == "wgmma":
		n.Fail(0, "layoutcalc strides 128x64 -t f16 --swizzle 128B --as wgmma",
			"wgmma reads B from shared memory through a matrix descriptor: no thread holds it")
		return nil
	default:
		n.Fail(0, "", "who holds this matrix of %s is not known here", n.In)
		return nil
	}
	sizes := map[byte]int64{'M': m, 'N': columns, 'K': k, 'P': products}
	if products > 1 {
		dims = "P" + dims
	}
	b := newBuilder(nil)
	names := make([]string, len(dims))
	for i := range len(dims) {
		b.sizes, b.placed = append(b.sizes, sizes[dims[i]]), append(b.placed, 1)
		b.dims[dims[i]], names[i] = i, map[byte]string{'M': "m", 'N': "n", 'K': "k", 'P': "product"}[dims[i]]
	}
	b.names = map[string]int64{"m": m, "n": columns, "k": k, "e": e, "p": products, "h": 4}
	if n.d == "f64" {
		b.names["h"] = 1
	}
	o := n.built(b, steps, bitsOf(t), names)
	if o == nil || r.on != "" {
		if o != nil && n.matrix >= 'C' && o.bits == 16 && r.on == "rdna3" {
			o.spacing = 32 // in the low half of a register
		}
		return o
	}
	o.letter = letter
	return o
}

// volta returns the steps of an 8x8x4 matrix, which depend on whether an operand is row-major or column-major, and on
// the type of the result.
func (n *name) volta(steps string) string {
	order := slices.DeleteFunc(slices.Clone(n.words), func(w string) bool { return w != "row" && w != "col" })
	order = append(order, "row", "col")[:2]
	switch {
	case n.matrix == 'A' && order[0] == "col":
		return "value 4 M, lane 4 K, lane 4 P, lane 2 M"
	case n.matrix == 'B' && order[1] == "row":
		return "value 4 N, lane 4 K, lane 4 P, lane 2 N"
	case n.matrix >= 'C' && n.d == "f16":
		return "lane 4 M, lane 4 P, lane 2 M, value 8 N"
	}
	return steps
}

// transfer returns the ownership of the matrices that the instruction transfers[i] moves.
func (n *name) transfer(i int) *Ownership {
	t, x := transfers[i], int64(1)
	for _, word := range n.words {
		if count, err := lexer.ParseNumber(word[1:]); err == nil && word[0] == 'x' {
			x = max(count, 1)
		} else if word != t.shape {
			n.unknown()
		}
	}
	if n.matrix != 0 {
		n.Fail(0, "remove the colon", "%s loads one matrix or several, and none is A or B", t.of)
	}
	if n.Err != nil || x&(x-1) != 0 || x > 128 || t.of == "ldmatrix" && x > 4 {
		n.unknown()
		return nil
	}
	b, names, bits := newBuilder([]int64{t.rows, t.columns * x}), []string{"row", "column"}, int64(32)
	if t.of == "ldmatrix" {
		bits = 16
		if b = newBuilder([]int64{t.rows, t.columns}); x > 1 {
			b, names = newBuilder([]int64{x, t.rows, t.columns}), []string{"matrix", "row", "column"}
		}
		b.dims['P'] = 0
	}
	b.names["x"] = x
	o := n.built(b, t.steps, bits, names)
	if o != nil {
		o.isTensorMemory = t.of != "ldmatrix"
	}
	switch {
	case o == nil:
	case t.of == "ldmatrix":
		o.notes = append(o.notes, "lane l gives the address of row l%8 of matrix l/8")
	case t.shape == "16x32bx2":
		o.notes = append(o.notes, "columns from "+strconv.FormatInt(x, 10)+" on are those at the split offset")
		fallthrough
	default:
		o.notes = append(o.notes, "rows count from the first row of the warp, 32 x (warp % 4)")
	}
	return o
}

// built returns the ownership that steps build.
func (n *name) built(b *builder, steps string, bits int64, names []string) *Ownership {
	if n.tile != nil && !slices.Equal(n.tile, b.sizes) {
		n.Fail(0, "remove the tile", "the tile of %s is %s", n.In, layout.SizesText(b.sizes))
		return nil
	}
	b.run(steps)
	o, err := b.ownership(n.In, bits, names...)
	n.FaultAt(0, err)
	return o
}

// spelled returns the name of an instruction of a row, as the newest processor spells it.
func (r row) spelled(text, input string) string {
	shape, _ := shapeIn(text)
	result := "_f32_"
	switch {
	case r.on == "" && kinds.has(input):
		of := map[string]string{"mma.mx": "mma", "mma": "mma", "mma.sp": "mma.sp"}[r.of]
		return fmt.Sprintf("%s.kind::%s.m%dn%dk%d", of, input, shape[0], shape[1], shape[2])
	case r.on == "":
		return fmt.Sprintf("%s.m%dn%dk%d.%s", r.of, shape[0], shape[1], shape[2], input)
	case input == "f64":
		result = "_f64_"
	case input[0] == 'i':
		result = "_i32_"
	}
	switch products := r.products(shape[0], shape[2]); {
	case r.of == "v_wmma":
		return r.of + result + text + "_" + input + "@" + string(r.on)
	case r.of == "v_mfma_scale":
		return r.of + result + text + "_f8f6f4." + input
	case r.of != "v_mfma":
	case !r.on.has("cdna3") && !r.on.has("cdna4"):
		return r.of + result + text + input
	case products > 1:
		text += "_" + strconv.FormatInt(products, 10) + "b"
	}
	return r.of + result + text + "_" + input
}

// unknown is the error for an unknown name. It lists instructions of the same shape, or otherwise of the same type,
// with the matrix.
func (n *name) unknown() {
	var known, both, alike, typed, of []string
	for _, r := range rows {
		matrix := ":" + string(cmp.Or(n.matrix, 'A'))
		if r.b == "" && n.matrix == 'B' {
			matrix = ":A"
		}
		for _, shape := range r.shapes.all() {
			for _, input := range r.inputs.all() {
				name := r.spelled(shape, input) + matrix
				isTyped, isAlike := slices.Contains(n.types, input), layout.JoinInts(n.shape, "x") == shape
				switch known = append(known, name); {
				case r.of != n.of:
					continue
				case isTyped && isAlike:
					both = append(both, name)
				case isAlike:
					alike = append(alike, name)
				case isTyped:
					typed = append(typed, name)
				}
				of = append(of, name)
			}
		}
	}
	for _, t := range transfers {
		name := t.of + ".x2"
		if t.shape != "" {
			name = t.of + "." + t.shape + ".x2"
		}
		if known = append(known, name); t.of == n.of {
			of = append(of, name)
		}
	}
	const most = 6
	hint := "such as mma.m16n8k16.f16:A, or a Triton encoding"
	for _, list := range [][]string{both, alike, typed, of} {
		if len(list) > 0 {
			known = list
			hint = "the nearest are " + strings.Join(list[:min(len(list), most)], ", ")
			break
		}
	}
	err := lexer.Refuse(hint, "unknown instruction %s", wording.Quote(n.In))
	n.FaultAt(0, err.DidYouMean(n.In, wording.Likely(strings.ToLower(n.In), known)))
}
