package tensorfile

import (
	"fmt"
	"math"
	"slices"

	"layoutcalc/layout/rules"
)

const (
	ggufRank         = 4  // GGML_MAX_DIMS
	ggufName         = 64 // GGML_MAX_NAME, the first length that is too long
	ggufDefaultAlign = 32
	ggufLargeAlign   = 1 << 20 // the largest that newer readers take
)

// The fewest bytes that things of a header take.
const (
	ggufPairBytes  = 8 + 4 + 1     // an empty key, a type and a byte
	ggufInfoBytes  = 8 + 4 + 4 + 8 // an empty name, no sizes, a type and an offset
	ggufMaxPairs   = 1 << 16       // keys are kept, to find those that are there twice
	ggufMaxKey     = 1<<16 - 1     // as the format has it
	ggufMaxVersion = 3
)

// A ggufReader reads the header of a .gguf file.
type ggufReader struct {
	*tensorFile
	align int64
	keys  map[string]bool // of the metadata so far
	nests bool            // arrays of arrays are reported
}

// An info is what a header says of a tensor.
type info struct {
	name   string
	length int64    // of the name in the file
	sizes  []int64  // the innermost last
	huge   bool     // a size is beyond 63 bits
	number uint64   // of the type
	typ    ggufType // of that number, without a name where there is none
	offset uint64
}

// gguf reads a file of that format.
func (t *tensorFile) gguf() {
	t.end = min(t.size, maxHeader)
	g := ggufReader{tensorFile: t, align: ggufDefaultAlign, keys: map[string]bool{}}
	tensors, pairs := g.counts()
	for i := uint64(0); i < pairs && t.fault == nil; i++ {
		g.pair()
	}
	g.judgeAlign()
	t.expect(tensors)
	for i := uint64(0); i < tensors && t.fault == nil; i++ {
		if info := g.info(); t.fault == nil {
			g.judge(&info)
		}
	}
	if t.fault != nil {
		return
	}
	start := t.pos()
	if tensors > 0 {
		start = alignedUp(start, g.align)
	}
	data := max(t.size-start, 0)
	g.judgePlaces(data)
	g.judgeEnd(start, data)
}

// counts reads the magic, the version and how many tensors and pairs there are.
func (g *ggufReader) counts() (tensors, pairs uint64) {
	var magic [4]byte
	g.copy(magic[:])
	version := g.uint(4)
	switch {
	case g.fault != nil:
		return 0, 0
	case string(magic[:]) != ggufMagic:
		g.fail(0, "the file does not start with GGUF")
	case version != 0 && version&0xFFFF == 0:
		g.fail(4, "the version is %d: the file is big-endian, and only little-endian ones are read", version)
	case version < 2 || version > ggufMaxVersion:
		g.fail(4, "version %d of the format is not read: 2 and 3 are", version)
	}
	at := g.pos()
	tensors, pairs = g.uint(8), g.uint(8)
	g.claim(at, tensors, ggufInfoBytes, "tensors")
	g.claim(at+8, pairs, ggufPairBytes, "pairs of metadata")
	if tensors > maxTensors {
		g.fail(at, "%d tensors are over the limit of %d", tensors, maxTensors)
	}
	if pairs > ggufMaxPairs {
		g.fail(at+8, "%d pairs of metadata are over the limit of %d", pairs, ggufMaxPairs)
	}
	return tensors, pairs
}

// text reads a length and so many bytes of text, and returns as many of them as are kept.
func (g *ggufReader) text(what string) (text string, length int64) {
	at := g.pos()
	n := g.uint(8)
	if !g.claim(at, n, 1, "bytes of "+what) {
		return "", 0
	}
	kept := make([]byte, min(n, maxNameKept))
	g.copy(kept)
	g.skip(int64(n) - int64(len(kept)))
	return string(kept), int64(n)
}

// info reads what is said of a tensor.
func (g *ggufReader) info() info {
	var i info
	i.name, i.length = g.text("name")
	at := g.pos()
	rank := g.uint(4)
	if !g.claim(at, rank, 8, "sizes") {
		return i
	}
	if rank > 64 {
		g.fail(at, "%d sizes are over the limit of 64", rank)
		return i
	}
	i.sizes = g.sizes(int(rank))
	for k := range i.sizes {
		n := g.uint(8)
		i.huge = i.huge || n > math.MaxInt64
		i.sizes[k] = int64(min(n, math.MaxInt64))
	}
	slices.Reverse(i.sizes)
	if i.number = g.uint(4); i.number < uint64(len(ggufTypes)) {
		i.typ = ggufTypes[i.number]
	}
	i.offset = g.uint(8)
	return i
}

// judge checks what is said of a tensor, and makes it a descriptor.
func (g *ggufReader) judge(i *info) {
	g.judgeName(i.name, i.length)
	if i.length >= ggufName && i.length <= maxNameKept {
		g.find(rules.FileName, i.name, "", "the name is %d bytes long, and ggml reads %d at most", i.length, ggufName-1)
	}
	d := rules.Descriptor{Name: i.name, TypeName: i.typ.name, Sizes: i.sizes}
	if i.typ.name == "" {
		d.TypeName = fmt.Sprint(i.number)
	}
	if i.typ.elements == 1 {
		d.Type, d.TypeKnown = g.known(int(i.number), i.typ.name)
	}
	d.TypeJudged = !d.TypeKnown // a block, or reported
	r, ok := g.byteRange(i)
	if g.add(d); ok {
		g.place(r.begin, r.end)
	} else {
		g.lost = true
	}
	g.judgeShape(i)
}

// byteRange returns where a tensor lies, if its type and sizes say it.
func (g *ggufReader) byteRange(i *info) (r byteRange, ok bool) {
	c, whole := i.claim()
	if !whole || c.over != nil || i.huge || i.offset > math.MaxInt64 {
		return byteRange{}, false
	}
	r.begin = int64(i.offset)
	r.end = r.begin + min(c.bytes, math.MaxInt64-r.begin)
	return r, true
}

// claim returns the bytes that a tensor takes; whole is false where its rows are no whole blocks.
func (i *info) claim() (c claim, whole bool) {
	var room [64]int64
	factors := append(room[:0], i.sizes...)
	if i.typ.name == "" {
		return claim{}, false
	}
	if len(factors) == 0 {
		factors = append(factors, 1)
	}
	row := &factors[len(factors)-1]
	if *row%i.typ.elements != 0 {
		return claim{}, false
	}
	*row /= i.typ.elements
	return claimed(factors, 8*i.typ.bytes), true
}

// judgeShape checks type and sizes.
func (g *ggufReader) judgeShape(i *info) {
	c, whole := i.claim()
	if len(i.sizes) > ggufRank {
		g.find(rules.FileHeader, i.name, "", "the tensor has %d sizes, and ggml has %d at most", len(i.sizes), ggufRank)
	}
	switch {
	case i.typ.name == "" && i.number < uint64(len(ggufTypes)):
		g.find(rules.FileType, i.name, "", "type %d was removed from ggml: its files have to be made anew", i.number)
	case i.typ.name == "":
		g.find(rules.FileType, i.name, "", "there is no type %d: ggml 0.21 has %d at most", i.number, len(ggufTypes)-1)
	case i.huge:
		g.find(rules.FileSize, i.name, "", "a size is beyond 63 bits")
	case !whole && len(i.sizes) == 0:
		g.find(rules.FileType, i.name, "", "a single element is no whole block of %s, which has %d", i.typ.name, i.typ.elements)
	case !whole:
		row := i.sizes[len(i.sizes)-1]
		g.find(rules.FileType, i.name, "", "a row of %d elements is no multiple of the %d in a block of %s", row, i.typ.elements, i.typ.name)
	case c.over != nil:
		g.find(rules.FileSize, i.name, "", "the shape takes %s of %s", c, i.typ.name)
	case i.offset > math.MaxInt64:
		g.find(rules.FileSize, i.name, "", "the offset is %d, beyond 63 bits", i.offset)
	}
}

// judgePlaces checks where tensors lie in the data, in the order that they are listed in.
func (g *ggufReader) judgePlaces(data int64) {
	last := int64(0)
	for _, r := range g.ranges {
		d := &g.file.Descriptors[r.tensor]
		d.Total = rules.Stated(r.within(data))
		if r.end > data {
			g.find(rules.FileSize, d.Name, "", "the tensor takes bytes %d to %d of the data, which is %s long: %s too few", r.begin, r.end, byteCount(data), byteCount(r.end-max(r.begin, data)))
		}
		if r.begin < last {
			g.findAs(rules.FileOrder, rules.Error, d.Name, "", "the tensor starts at byte %d of the data, before the tensor that is listed before it, at byte %d: ggml reads them in order only", r.begin, last)
		}
		last = r.begin
	}
}

// judgeEnd checks how the tensors follow one another, and what stands behind the last one.
func (g *ggufReader) judgeEnd(start, data int64) {
	reach := g.judgeRanges(g.align, func(_ byteRange, begin int64) string { return fmt.Sprintf("offset %d", begin) })
	padded := alignedUp(reach, g.align)
	if len(g.ranges) == 0 {
		padded = alignedUp(start, g.align) - start
	}
	switch {
	case g.lost:
	case data > padded:
		g.findAs(rules.FileTrailing, rules.Warning, "", "", "the last tensor and its padding end at byte %d of the data, and %s more stand behind them", padded, byteCount(data-padded))
	case reach <= data && data < padded && len(g.ranges) > 0:
		g.findAs(rules.FileSize, rules.Warning, "", "", "%s of padding are missing behind the last tensor: ggml reads the data up to a multiple of %d", byteCount(padded-data), g.align)
	}
}
