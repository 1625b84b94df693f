package tvlayout

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/wording"
)

// A part is a matrix of instructions in addition to the dense matrices of a row: scales, the operands of sparse
// products, and the bits that select their elements. In the steps, K counts pieces of per columns, and v is the number
// of scales in a row.
type part struct {
	of             string
	shapes, inputs set
	matrix, dims   string
	per            int64 // columns of K in a piece; 0 for K/v
	isGroup        bool  // the index is the column in the full row, and each value of a piece may be any of its columns
	steps          string
	bits           int64 // bits in a value; 0 for the bits of an element
}

// Steps that several parts share.
const (
	sparseA = "value 2 K, lane 4 K, lane 8 M, value 2 M, value 2 K"
	sparseE = "value 8 K, lane 2 M@8, lane 2 K, lane 8 M@1"
)

var parts = [...]part{
	{"mma.mx", "16x8x32 16x8x64", scaledKinds, "SFA", "MK", 0, false, "value v K, lane 2 M@8, lane 8 M@1", 8},
	{"mma.mx", "16x8x32 16x8x64", scaledKinds, "SFB", "KN", 0, false, "value v K, lane 8 N", 8},
	{"mma.sp", "16x8x64", sparse8, "A", "MK", 4, true, "value 2 -, " + sparseA, 0},
	{"mma.sp", "16x8x128", sparse4, "A", "MK", 8, true, "value 4 -, " + sparseA, 0},
	{"mma.sp", "16x8x64", sparse8, "E", "MK", 4, true, sparseE, 4},
	{"mma.sp", "16x8x128", sparse4, "E", "MK", 8, true, sparseE, 4},
	{"v_mfma_scale", "32x32x64 16x16x128", "fp4", "SA", "MK", 32, false, "lane m M, lane 64/m K", 8},
	{"v_mfma_scale", "32x32x64 16x16x128", "fp4", "SB", "KN", 32, false, "lane n N, lane 64/n K", 8},
	{"v_smfmac", "16x16x32 32x32x16 16x16x64 32x32x32", amdSparse, "A", "MK", 4, true,
		"value 2 -, value e/4 K, lane m M, lane 64/m K", 0},
	{"v_smfmac", "16x16x32 32x32x16 16x16x64 32x32x32", amdSparse, "I", "MK", 4, true,
		"value e/4 K, lane m M, lane 64/m K", 4},
	{"v_swmmac", "16x16x32", "f16 bf16", "A", "MK", 4, true, "value 2 -, value 2 K, lane 16 M, lane 2 K, value 2 K", 0},
	{"v_swmmac", "16x16x32", "f16 bf16", "I", "MK", 4, true, "value 2 K, lane 16 M, lane 2 K, value 2 K", 4},
	{"v_swmmac", "16x16x32", "iu8", "A", "MK", 4, true, "value 2 -, value 4 K, lane 16 M, lane 2 K", 0},
	{"v_swmmac", "16x16x32", "iu8", "I", "MK", 4, true, "value 4 K, lane 16 M, lane 2 K", 4},
}

// Element types and kinds of instructions.
const (
	scaledKinds set = "mxf8f6f4 mxf4 mxf4nvf4"
	sparse8     set = "s8 u8 e4m3 e5m2 f8f6f4 mxf8f6f4"
	sparse4     set = "s4 u4 mxf4 mxf4nvf4"
	amdSparse   set = "f16 bf16 i8 fp8 bf8"
)

// part returns the ownership of an additional matrix of a row. It reports false if the row has no such matrix.
func (n *name) part(r row) (*Ownership, bool) {
	shape := layout.JoinInts(n.shape, "x")
	i := slices.IndexFunc(parts[:], func(p part) bool {
		return p.of == r.of && p.shapes.has(shape) && p.inputs.has(n.a) && p.matrix == n.extra
	})
	if i < 0 {
		return nil, false
	}
	p, k, scales := parts[i], n.shape[2], int64(1)
	if p.per == 0 {
		if scales = n.scales(); n.Err != nil {
			return nil, true
		}
		p.per = k / scales
	}
	b := newBuilder([]int64{n.shape[0], k / p.per})
	b.dims['M'], b.dims['K'] = 0, 1
	names := []string{"m", "k"}
	if p.dims == "KN" {
		b = newBuilder([]int64{k / p.per, n.shape[1]})
		b.dims['K'], b.dims['N'] = 0, 1
		names = []string{"k", "n"}
	}
	if !p.isGroup {
		names[strings.IndexByte(p.dims, 'K')] = "block"
	}
	b.names = map[string]int64{"m": n.shape[0], "n": n.shape[1], "e": r.e, "v": scales}
	bits := p.bits
	if bits == 0 {
		bits = bitsOf(n.a)
	}
	o := n.built(b, p.steps, bits, names)
	switch {
	case o == nil:
	case p.per > 1 && p.isGroup:
		o.group(p.per, k, names)
		note := "an element that is not 0 may be in any of the values of its "
		if p.matrix != "A" {
			note = "the bits say which are not 0 of "
		}
		o.notes = append(o.notes, note+wording.Count(p.per, "column"))
	case n.extra[0] == 'S' && r.of == "mma.mx":
		n.spread(o, scales)
	}
	return o, true
}

// scales returns how many scales a row of A has.
func (n *name) scales() int64 {
	of := map[string]string{"mxf8f6f4": "1x", "mxf4": "2x", "mxf4nvf4": "2x 4x"}[n.a]
	vec := n.vec
	if vec == "" {
		vec, _, _ = strings.Cut(of, " ")
	}
	if !set(of).has(vec) {
		n.Fail(0, "one of "+of, "kind %s has no scale_vec::%s", n.a, strings.ToUpper(vec))
	}
	return int64(vec[0] - '0')
}

// spread moves the scales of an instruction to the lanes and the byte that its selectors {byte-id,thread-id} name.
func (n *name) spread(o *Ownership, scales int64) {
	threads, apart := int64(2), int64(2) // for A: the scales of one row are in two lanes of four
	if n.extra == "SFB" {
		threads, apart = 4, 1
	}
	id, thread := n.selectors[0], n.selectors[1]
	if id > 3 || id%scales != 0 || id+scales > 4 || thread >= threads {
		n.Fail(0, fmt.Sprintf("byte-id is a multiple of %d up to %d, thread-id up to %d", scales, 4-scales, threads-1),
			"the selectors {%d,%d} are not those of %s", id, thread, n.extra)
		return
	}
	for lane := range o.layout.Axis(Lane).Size() {
		if n.extra == "SFB" {
			o.lanes = append(o.lanes, 4*lane+thread)
		} else {
			o.lanes = append(o.lanes, lane/2*4+apart*thread+lane%2)
		}
	}
	o.firstValue, o.spacing = id, 8
}

// group changes the last axis of the tile to count the size columns of a full row. Each piece has the given number of
// columns, which share its number.
func (o *Ownership) group(columns, size int64, names []string) {
	rows, pieces := o.tile.Axis(0).Size(), o.tile.Axis(1).Size()
	tile, err := layout.New(0,
		layout.NewAxis(names[0], rows, layout.Digit{Extent: rows, Stride: pieces}),
		layout.NewAxis(names[1], size, layout.Digit{Extent: pieces, Stride: 1}, layout.Digit{Extent: columns}))
	if err == nil {
		o.tile, o.grouped = tile, columns
	}
}

// An accumulator is a layout of results in tensor memory, by PTX's letter: warp and lane are the data path, and a value
// is a column of 32 bits.
type accumulator struct {
	letter   byte
	m        int64
	isPaired bool // two CTAs
	isWeight bool // .ws
	steps    string
}

var accumulators = [...]accumulator{
	{'A', 256, true, false, "value n N, lane 32 M, warp 4 M, block 2 M"},
	{'B', 128, true, false, "value n/2 N, lane 32 M, warp 2 M, warp 2 N, block 2 M"},
	{'D', 128, false, false, "value n N, lane 32 M, warp 4 M"},
	{'F', 64, false, false, "value n N, lane 16 M, warp 4 M"},
	{'E', 64, false, true, "value n/2 N, lane 32 M, warp 2 M, warp 2 N"},
	{'G', 32, false, true, "value n/4 N, lane 32 M, warp 4 N"},
}

// scaleSteps are the steps of scales in tensor memory, of rows along a dimension: 4 scales of a row are the bytes of a
// column of 32 bits, 32 rows are the data paths, and each quarter of the data paths has all of them.
const scaleSteps = "value 4 K, lane 32 X, value x/32 X, warp 4 -"

// scalesInTensorMemory returns the ownership of the scales of A or B of tcgen05.mma in tensor memory, four of each row.
func (n *name) scalesInTensorMemory() *Ownership {
	const isOne = "scales of tcgen05.mma are known here for 128 rows in one CTA"
	isKnown := func(w string) bool { return set("1 ss ts block16 block32").has(w) }
	if len(n.shape) < 2 {
		n.shape = []int64{0, 0} // which no instruction has
	}
	rows, names := n.shape[0], []string{"m", "block"}
	sizes := []int64{rows, 4}
	if n.extra == "SFB" {
		rows, names = n.shape[1], []string{"block", "n"}
		sizes = []int64{4, rows}
	}
	switch {
	case slices.ContainsFunc(n.words, func(w string) bool { return !isKnown(w) }), n.shape[0] != 128:
		n.Fail(0, "such as tcgen05.mma.m128n256:"+n.extra, isOne)
	case rows%32 != 0 || rows > 256:
		n.Fail(0, "a multiple of 32 up to 256", "scales of B for %d columns are not known here", rows)
	case n.selectors != [2]int64{}:
		n.Fail(0, "leave out the braces: the tile has the scales of all ids", "%s has no selectors", n.extra)
	}
	if n.Err != nil {
		return nil
	}
	b := newBuilder(sizes)
	b.dims['K'] = slices.Index(names, "block")
	b.dims['X'] = 1 - b.dims['K']
	b.names["x"] = rows
	o := n.built(b, scaleSteps, 8, names)
	if o != nil {
		o.spacing, o.isTensorMemory = 0, true
		o.notes = append(o.notes, "tensor memory: 32 x warp + lane is the data path, value / 4 the column of 32 bits, "+
			"and value % 4 the byte, of which an instruction reads 1, 2 or 4")
	}
	return o
}

// inTensorMemory returns the ownership of the result of tcgen05.mma in tensor memory.
func (n *name) inTensorMemory() *Ownership {
	if n.extra == "SFA" || n.extra == "SFB" {
		return n.scalesInTensorMemory()
	}
	const inMemory = "tcgen05.mma has its matrices in shared and tensor memory: tcgen05.ld shows what threads load"
	isPaired := slices.Contains(n.words, "2") || slices.Contains(n.words, "2x1sm")
	isWeight := slices.Contains(n.words, "ws")
	i := slices.IndexFunc(accumulators[:], func(a accumulator) bool {
		return len(n.shape) > 1 && a.m == n.shape[0] && a.isPaired == isPaired && a.isWeight == isWeight
	})
	isKnown := func(w string) bool { return set("1 2 ws ss ts 2x1sm").has(w) }
	switch {
	case slices.Contains(n.words, "sp"):
		n.Fail(0, "", "sparse instructions of tcgen05 are not known here: no document states where their results are")
	case slices.ContainsFunc(n.words, func(w string) bool { return !isKnown(w) }):
		n.unknown()
	case n.matrix != 0 && n.matrix < 'C' || n.matrix > 'D':
		n.Fail(0, "tcgen05.mma.m128n256:D", inMemory)
	case len(n.shape) < 2:
		n.Fail(0, "with the sizes of the result, such as tcgen05.mma.m128n256:D", inMemory)
	case i < 0:
		n.Fail(0, "M is 128 or 64, 64 or 32 with .ws, 256 or 128 with .cta_group::2",
			"tcgen05.mma has no such result of %d rows", n.shape[0])
	case n.shape[1] < 8 || n.shape[1] > 256 || n.shape[1]%8 != 0:
		n.Fail(0, "a multiple of 8 up to 256", "tcgen05.mma has no result of %d columns", n.shape[1])
	}
	if n.Err != nil {
		return nil
	}
	b := newBuilder([]int64{n.shape[0], n.shape[1]})
	b.names["n"] = n.shape[1]
	o := n.built(b, accumulators[i].steps, 32, []string{"m", "n"})
	if o != nil {
		o.isTensorMemory = true
		o.notes = append(o.notes, "tensor memory, layout "+string(accumulators[i].letter)+
			" of PTX: block is the CTA, 32 x warp + lane the data path, value the column of 32 bits")
	}
	return o
}
