package tensorfile

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

const (
	ggufMagic        = "GGUF"
	ggufMaxVersion   = 3
	ggufMaxRank      = 4         // GGML_MAX_DIMS
	ggufMaxName      = 64 - 1    // bytes: GGML_MAX_NAME counts the NUL at the end
	ggufMaxKey       = 1<<16 - 1 // bytes, according to the format
	ggufMaxPairs     = 1 << 16   // keys are kept to find duplicates
	ggufDefaultAlign = 32
	ggufLargeAlign   = 1 << 20 // the largest that newer readers take
	ggufAlignKey     = "general.alignment"

	// The fewest bytes that parts of a header need.
	ggufPairBytes   = 8 + 4 + 1     // an empty key, a type and a byte
	ggufTensorBytes = 8 + 4 + 4 + 8 // an empty name, no sizes, a type and an offset
)

// Types of metadata that need a name.
const (
	ggufUint32  = 4
	ggufFloat32 = 6
	ggufBool    = 7
	ggufString  = 8
	ggufArray   = 9
	ggufFloat64 = 12
)

// ggufTypes are the types of metadata, with the bytes of a value, or 0 if they vary.
var ggufTypes = [...]struct {
	name     string
	width    uint64
	isSigned bool
}{
	{"uint8", 1, false}, {"int8", 1, true}, {"uint16", 2, false}, {"int16", 2, true},
	ggufUint32: {"uint32", 4, false}, {"int32", 4, true},
	ggufFloat32: {"float32", 4, false}, ggufBool: {"bool", 1, false},
	ggufString: {"string", 0, false}, ggufArray: {"array", 0, false},
	{"uint64", 8, false}, {"int64", 8, true}, ggufFloat64: {"float64", 8, false},
}

const ggufMaxItems = 8 // maximum length of an array with values that are kept

// A ggufReader reads the header of a .gguf file.
type ggufReader struct {
	*fileReader
	align int64
	keys  map[string]bool // the keys of the metadata so far
	nests bool            // an array of arrays is reported
}

// readGGUF reads a .gguf file.
func (t *fileReader) readGGUF() {
	t.end = min(t.size, maxHeader)
	g := ggufReader{fileReader: t, align: ggufDefaultAlign, keys: map[string]bool{}}
	tensors, pairs := g.counts()
	for i := uint64(0); i < pairs && t.fault == nil; i++ {
		g.pair()
	}
	g.judgeAlign()
	t.expect(tensors, 256+maxNameKept)
	for i := uint64(0); i < tensors && t.fault == nil; i++ {
		g.tensor()
	}
	if t.fault != nil {
		return
	}
	t.data = t.pos()
	if tensors > 0 {
		t.data = alignedUp(t.data, g.align)
	}
	g.judgePlaces(max(t.size-t.data, 0))
}

// counts reads the magic, the version, and the numbers of tensors and pairs.
func (g *ggufReader) counts() (tensors, pairs uint64) {
	magic := make([]byte, len(ggufMagic))
	g.copy(magic)
	version := g.uint(4)
	switch {
	case g.fault != nil:
		return 0, 0
	case string(magic) != ggufMagic:
		g.fail(0, "the file does not start with GGUF")
	case version != 0 && version&0xFFFF == 0:
		g.fail(4, "the version is %d: the file is big-endian, and only little-endian ones are read", version)
	case version < 2 || version > ggufMaxVersion:
		g.fail(4, "version %d of the format is not read: 2 and 3 are", version)
	}
	at := g.pos()
	tensors, pairs = g.uint(8), g.uint(8)
	g.claim(at, tensors, ggufTensorBytes, "tensor")
	g.claim(at+8, pairs, ggufPairBytes, "pair of metadata")
	if tensors > maxTensors {
		g.fail(at, "%d tensors are over the limit of %d", tensors, maxTensors)
	}
	if pairs > ggufMaxPairs {
		g.fail(at+8, "%d pairs of metadata are over the limit of %d", pairs, ggufMaxPairs)
	}
	return tensors, pairs
}

// pair reads a key and its value, and keeps only the alignment.
func (g *ggufReader) pair() {
	at, first := g.pos(), len(g.Findings)
	defer func() { g.locate(first, at, g.pos()) }()
	key, length := g.name("key")
	if length > ggufMaxKey {
		g.Report(FileHeader, g.on(""), "",
			"the key at byte %d is %d bytes long, over the limit of %d", at, length, ggufMaxKey)
	}
	if length <= maxNameKept {
		if g.keys[key] {
			g.Report(FileHeader, g.on(""), "",
				"the key %s appears twice, again at byte %d: ggml refuses the file", wording.Quote(key), at)
		}
		g.keys[key] = true
	}
	typ := g.uint(4)
	p := descriptor.Pair{Key: key}
	g.value(&p, typ, 0)
	if g.fault != nil {
		return
	}
	if g.keeps {
		g.Metadata = append(g.Metadata, p)
	}
	i := slices.Index(splitKeys[:], key)
	switch n, isInteger := integer(p.Value); {
	case key == ggufAlignKey && typ == ggufUint32:
		g.align = n
	case key == ggufAlignKey:
		g.Report(FileAlign, g.on(""), "", "%s is not an unsigned 32-bit number: ggml stops", ggufAlignKey)
	case i >= 0 && isInteger:
		g.split(i, n)
	}
}

// integer returns a metadata value that is an integer.
func integer(value any) (n int64, ok bool) {
	switch v := value.(type) {
	case int64:
		return v, true
	case uint64:
		return int64(v), true
	}
	return 0, false
}

// name reads a length and a string of that length, and returns the part that is kept.
func (g *ggufReader) name(what string) (kept string, length int64) {
	at := g.pos()
	n := g.uint(8)
	if !g.claim(at, n, 1, "byte of "+what) {
		return "", 0
	}
	length = int64(n)
	kept = g.text(min(length, maxNameKept))
	g.skip(length - int64(len(kept)))
	return kept, length
}

// value reads a metadata value at a depth of nested arrays, which is 0 outside of arrays.
func (g *ggufReader) value(p *descriptor.Pair, typ uint64, depth int) {
	if g.fault != nil {
		return
	}
	if typ >= uint64(len(ggufTypes)) {
		g.fail(g.pos()-4, "unknown type %d of metadata", typ)
		return
	}
	p.Type = ggufTypes[typ].name
	switch typ {
	case ggufString:
		at := g.pos()
		n := g.uint(8)
		switch isThere := g.claim(at, n, 1, "byte of text"); {
		case isThere && g.keeps:
			p.Value = g.text(int64(n))
		case isThere:
			g.skip(int64(n))
		}
	case ggufArray:
		g.array(p, depth+1)
	default:
		p.Value = g.scalar(typ)
	}
}

// scalar reads a number or a Boolean.
func (g *ggufReader) scalar(typ uint64) any {
	t := ggufTypes[typ]
	n := g.uint(int(t.width))
	switch {
	case typ == ggufBool:
		return n != 0
	case typ == ggufFloat32:
		return math.Float32frombits(uint32(n))
	case typ == ggufFloat64:
		return math.Float64frombits(n)
	case t.isSigned:
		unused := 64 - 8*t.width
		return int64(n<<unused) >> unused
	}
	return n
}

// array reads an array, and keeps the values of its first items if they are needed. Each item has at least one byte,
// even an empty string.
func (g *ggufReader) array(p *descriptor.Pair, depth int) {
	if depth > doctree.MaxDepth {
		g.fail(g.pos(), "arrays nest deeper than %d levels", doctree.MaxDepth)
		return
	}
	typ := g.uint(4)
	at := g.pos()
	n := g.uint(8)
	if typ >= uint64(len(ggufTypes)) {
		g.fail(at-4, "unknown type %d of metadata", typ)
		return
	}
	if typ == ggufArray && !g.nests {
		g.nests = true
		g.ReportAs(FileHeader, finding.Warning, g.on(""), "",
			"the array at byte %d has arrays in it: the format allows that, and ggml 0.21 refuses it", at)
	}
	t := ggufTypes[typ]
	if !g.claim(at, n, cmp.Or(t.width, 8), "item") {
		return
	}
	var kept uint64
	if g.keeps {
		kept = min(n, ggufMaxItems)
	}
	items := make([]any, kept)
	p.Type, p.Value, p.Len = t.name+"[]", items, int64(n)
	for i := range items {
		var item descriptor.Pair
		g.value(&item, typ, depth)
		items[i] = item.Value
	}
	if t.width > 0 {
		g.skip(int64((n - kept) * t.width))
		return
	}
	keeps := g.keeps
	g.keeps = false
	for i := kept; i < n && g.fault == nil; i++ {
		var item descriptor.Pair
		g.value(&item, typ, depth)
	}
	g.keeps = keeps
}

// judgeAlign checks the alignment. Even an alignment that is not a power of two determines the offsets of tensors.
func (g *ggufReader) judgeAlign() {
	switch a := g.align; {
	case a == 0:
		g.Report(FileAlign, g.on(""), "", "%s is 0: it has to be a power of two", ggufAlignKey)
		g.align = ggufDefaultAlign
	case a&(a-1) != 0:
		g.Report(FileAlign, g.on(""), "", "%s is %d, which is not a power of two: ggml refuses the file", ggufAlignKey,
			a)
	case a%8 != 0:
		g.ReportAs(FileAlign, finding.Warning, g.on(""), "",
			"%s is %d, and the format wants a multiple of 8", ggufAlignKey, a)
	case a > ggufLargeAlign:
		g.ReportAs(FileAlign, finding.Warning, g.on(""), "", "%s is %d: newer ggml readers take at most %d",
			ggufAlignKey, a, ggufLargeAlign)
	}
}

// A ggufInfo is the description of a tensor in the header.
type ggufInfo struct {
	row
	length int64        // the length of the name in the file
	huge   uint64       // a size beyond 63 bits, or 0
	number uint64       // the number of the type
	typ    layout.Block // the type with this number; without a name if the number is unknown
	offset uint64
}

// tensor reads the description of a tensor in the header.
func (g *ggufReader) tensor() {
	var i ggufInfo
	first, from := len(g.Findings), g.pos()
	defer func() { g.locate(first, from, g.pos()) }()
	i.Name, i.length = g.name("name")
	at := g.pos()
	rank := g.uint(4)
	if !g.claim(at, rank, 8, "size") {
		return
	}
	if rank > layout.MaxRank {
		g.fail(at, "%d sizes are over the limit of %d", rank, layout.MaxRank)
		return
	}
	i.Sizes = g.sizes(int(rank))
	for k := range i.Sizes {
		n := g.uint(8)
		if i.Sizes[k] = int64(n); n > math.MaxInt64 {
			i.huge = n
		}
	}
	slices.Reverse(i.Sizes) // so that the innermost is last
	i.number = g.uint(4)
	i.typ = layout.BlockOf(i.number)
	i.offset = g.uint(8)
	if g.fault == nil {
		g.checkTensor(&i)
	}
}

// checkTensor checks the description of a tensor, and turns it into a descriptor.
func (g *ggufReader) checkTensor(i *ggufInfo) {
	if i.huge > 0 { // no descriptor can state it
		g.remember()
	}
	g.judgeName(i.Name, i.length)
	if i.length > ggufMaxName && i.length <= maxNameKept {
		g.Report(FileName, g.on(i.Name), "",
			"the name is %s long, and ggml reads at most %d", wording.Count(i.length, "byte"), ggufMaxName)
	}
	if i.TypeName = i.typ.Name; i.typ.Name == "" {
		i.TypeName = fmt.Sprint(i.number)
	}
	if i.typ.Elements == 1 {
		i.Type, i.TypeKnown = layout.DTypeIn(layout.GGUF, i.typ.Name)
	}
	c, whole := claim{}, false
	if i.huge == 0 {
		g.add(i.row)
		c, whole = i.claim()
	}
	end := i.offset + uint64(c.bytes)
	if whole && c.over == nil && i.offset <= math.MaxInt64 && end <= math.MaxInt64 {
		g.place(int64(i.offset), int64(end))
	} else {
		g.lost = true
	}
	if len(i.Sizes) > ggufMaxRank {
		g.Report(FileHeader, g.on(i.Name), "",
			"the tensor has %s, and ggml takes at most %d", wording.Count(len(i.Sizes), "size"), ggufMaxRank)
	}
	switch {
	case i.typ.Name != "" && i.typ.Elements == 0:
		g.Report(FileType, g.on(i.Name), "", "type %d was removed from ggml (%s): its files have to be made anew",
			i.number, i.typ.Name)
	case i.typ.Name == "":
		g.Report(FileType, g.on(i.Name), "",
			"unknown type %d: the last one of ggml 0.21 is %d", i.number, layout.LastBlock)
	case i.huge > 0:
		g.Report(FileSize, g.on(i.Name), "", "a size is %d, beyond 63 bits", i.huge)
	case !whole && len(i.Sizes) == 0:
		g.Report(FileType, g.on(i.Name), "",
			"a single element is not a whole block of %s, which has %d", i.typ.Name, i.typ.Elements)
	case !whole:
		g.Report(FileType, g.on(i.Name), "", "a row of %s is not a multiple of the %d in a block of %s",
			wording.Count(i.Sizes[len(i.Sizes)-1], "element"), i.typ.Elements, i.typ.Name)
	case c.over != nil:
		g.Report(FileSize, g.on(i.Name), "", "the shape takes %s of %s", c, i.typ.Name)
	case i.offset > math.MaxInt64:
		g.Report(FileSize, g.on(i.Name), "", "the offset is %d, beyond 63 bits", i.offset)
	case end > math.MaxInt64:
		g.Report(FileSize, g.on(i.Name), "", "the tensor ends at byte %d of the data, beyond 63 bits", end)
	}
}

// claim returns the bytes of a tensor; whole is false if its rows do not consist of whole blocks.
func (i *ggufInfo) claim() (c claim, whole bool) {
	var buf [layout.MaxRank]int64
	factors := append(buf[:0], i.Sizes...)
	if len(factors) == 0 {
		factors = append(factors, 1)
	}
	row := &factors[len(factors)-1]
	if i.typ.Elements == 0 || *row%i.typ.Elements != 0 {
		return claim{}, false
	}
	*row /= i.typ.Elements
	return claimed(factors, 8*i.typ.Bytes), true
}

// judgePlaces checks the offsets of the tensors, given the number of bytes of the data: each offset in the order of the
// header, the gaps and overlaps between tensors, and the bytes after the last one.
func (g *ggufReader) judgePlaces(data int64) {
	last := int64(0)
	for _, r := range g.ranges {
		d := &g.list[r.tensor]
		d.Total = descriptor.Stated(r.within(data))
		g.inData(r.begin, r.end)
		if r.end > data && g.WantsRule(FileSize) {
			g.Report(FileSize, g.on(d.Name), cutHint,
				"the tensor takes bytes %d to %d of the data, which is %s long: %s too few",
				r.begin, r.end, inBytes(data), inBytes(r.end-max(r.begin, data)))
		}
		if r.begin < last {
			g.ReportAs(FileOrder, finding.Error, g.on(d.Name), "",
				"the tensor starts at byte %d of the data, before the tensor that is listed before it, at byte %d: "+
					"ggml reads them in order only", r.begin, last)
		}
		last = r.begin
	}
	reach := g.judgeRanges(g.align, func(_ byteRange, begin int64) string { return fmt.Sprintf("offset %d", begin) })
	padded := alignedUp(reach, g.align)
	if len(g.ranges) == 0 {
		padded = alignedUp(g.data, g.align) - g.data
	}
	switch {
	case g.lost:
	case data > padded:
		g.ReportAs(FileTrailing, finding.Warning, g.on(""), "",
			"the last tensor and its padding end at byte %d of the data, which has %s more",
			padded, inBytes(data-padded))
	case reach <= data && data < padded && len(g.ranges) > 0:
		g.ReportAs(FileSize, finding.Warning, g.on(""), cutHint,
			"%s of padding are missing after the last tensor: ggml reads the data up to a multiple of %d",
			inBytes(padded-data), g.align)
	}
}
