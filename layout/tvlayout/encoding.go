package tvlayout

import (
	"math/bits"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// An encoding is one of Triton's encodings of tensors in registers.
type encoding struct {
	name   string // after #ttg.
	gluon  string // the class of Gluon
	params string // the fields in the order of that class, then the other fields
	build  func(*fields, *builder)
}

// cluster are the fields that distribute a tensor over the blocks of a cluster.
const cluster = "CGALayout=, CTAsPerCGA=, CTASplitNum=, CTAOrder="

// encodings returns the encodings. It is a function because the parents of some are encodings too.
func encodings() []encoding {
	return []encoding{
		{"blocked", "BlockedLayout", "sizePerThread=, threadsPerWarp=, warpsPerCTA=, order=, *, " + cluster,
			(*fields).blocked},
		{"nvidia_mma", "NVMMADistributedLayout",
			"version=, warpsPerCTA=, instrShape=, *, versionMajor=, versionMinor=, " + cluster, (*fields).nvidia},
		{"amd_mfma", "AMDMFMALayout",
			"version=, instrShape=, isTransposed=, warpsPerCTA=, elementBitWidth=, tilesPerWarp=, *, " +
				"versionMajor=, versionMinor=, " + cluster, (*fields).mfma},
		{"amd_wmma", "AMDWMMALayout",
			"version=, isTranspose=, warpsPerCTA=, instrShape=, *, isTransposed=, tilesPerWarp=, ctaLayout=, " +
				cluster, (*fields).wmma},
		{"dot_op", "DotOperandLayout", "opIdx=, parent=, kWidth=", (*fields).operand},
		{"slice", "SliceLayout", "dim=, parent=", (*fields).slice},
		{"linear", "DistributedLinearLayout", "register=, lane=, warp=, block=, shape=", (*fields).linear},
		{"generic_linear", "", "register=, lane=, warp=, block=", (*fields).linear},
	}
}

// spellings are the names of Gluon for the fields of Triton, in pairs.
var spellings = [...]string{
	"size_per_thread", "sizePerThread", "threads_per_warp", "threadsPerWarp", "warps_per_cta", "warpsPerCTA",
	"ctas_per_cga", "CTAsPerCGA", "cta_split_num", "CTASplitNum", "cta_order", "CTAOrder", "cga_layout", "CGALayout",
	"instr_shape", "instrShape", "operand_index", "opIdx", "k_width", "kWidth", "transposed", "isTransposed",
	"element_bitwidth", "elementBitWidth", "tiles_per_warp", "tilesPerWarp", "reg_bases", "register",
	"lane_bases", "lane", "warp_bases", "warp", "block_bases", "block",
}

// A fields is the fields of an encoding.
type fields struct {
	*reader
	encoding
	at   int
	list []literal.Entry
}

// encoding builds the encoding that a value is in the builder.
func (r *reader) encoding(v literal.Value, b *builder) {
	f := r.fieldsOf(v)
	if r.Err != nil {
		return
	}
	if r.Deeper(); r.Err == nil {
		f.build(f, b)
	}
	r.Higher()
	r.FaultAt(v.At, b.err)
}

// example is an encoding for hints.
const example = "such as BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0])"

// fieldsOf returns the fields of the encoding that a value is: #ttg.blocked<{...}>, or a call of Gluon.
func (r *reader) fieldsOf(v literal.Value) *fields {
	v = r.meaning(v)
	f := &fields{reader: r, at: v.At}
	name := v.Last()
	var known, classes []string
	for _, e := range encodings() {
		known, classes = append(known, "#ttg."+e.name), append(classes, e.gluon)
		if e.name == name || e.gluon == name && name != "" {
			f.encoding = e
		}
	}
	args, ok := v.Arguments('<')
	if !ok {
		args, ok = v.Arguments('(')
	}
	switch {
	case f.build == nil && isShared(name):
		r.Fail(v.At, "offset and strides take it in a type: tensor<64x64xf16, "+v.Word+"<...>>",
			"%s is of a memory on the chip: no thread holds its elements, which are those of a tensor", v.Word)
	case f.build == nil:
		err := lexer.Refuse(example+"; one of "+strings.Join(known, ", "), "unknown encoding")
		r.FaultAt(v.At, err.DidYouMean(v.Word, wording.Likely(v.Word, append(known, classes...))))
	case !ok:
		r.Fail(v.At, example, "the fields of %s are missing", v.Word)
	}
	if len(args) == 1 && args[0].Kind == literal.List && args[0].Open == '{' {
		args = args[0].List
	}
	for i, e := range args {
		if at := slices.Index(spellings[:], e.Key); at >= 0 && at%2 == 0 {
			args[i].Key = spellings[at+1]
		}
	}
	f.list = r.Bind(literal.Signatures{f.encoding.name + "(" + f.params + ")"}, f.encoding.name, v.At, args)
	return f
}

// rank returns the number of dimensions of the tiles of an encoding.
func (r *reader) rank(v literal.Value) int {
	f := r.fieldsOf(v)
	if r.Deeper(); r.Err != nil {
		return 0
	}
	defer r.Higher()
	parent, ok := literal.Field(f.list, "parent")
	switch n := 0; {
	case ok && f.encoding.name == "slice":
		return max(r.rank(parent)-1, 0)
	case ok:
		return r.rank(parent)
	default:
		for _, e := range f.list {
			list := e.List
			if slices.Contains([]string{"register", "lane", "warp", "block"}, e.Key) && len(list) > 0 {
				list = list[0].List // the first basis
			} else if e.Key != "order" && e.Key != "warpsPerCTA" {
				continue
			}
			n = max(n, len(list))
		}
		if n == 0 {
			r.Fail(v.At, "", "the text does not state how many dimensions the tile has")
		}
		return n
	}
}

// value returns a field that must be there.
func (f *fields) value(key string) literal.Value {
	v, ok := literal.Field(f.list, key)
	if !ok {
		f.Fail(f.at, "", "%s has no %s", f.encoding.name, key)
	}
	return v
}

// number returns a field that is a number, or other if the field is missing.
func (f *fields) number(key string, other int64) int64 {
	v, ok := literal.Field(f.list, key)
	if !ok || v.IsNull() && v.Kind == literal.Word {
		return other
	}
	return f.Int(v, key)
}

// flag returns a field that is true or false. It returns false if the field is missing.
func (f *fields) flag(keys ...string) bool {
	v, ok := literal.Field(f.list, keys...)
	switch {
	case !ok || v.Word == "false" || v.Word == "False":
		return false
	case v.Word != "true" && v.Word != "True":
		f.Fail(v.At, "", "%s is true or false", keys[0])
	}
	return true
}

// sizes returns a field of n positive numbers.
func (f *fields) sizes(key string, n int) []int64 {
	v := f.value(key)
	list := f.Ints(v, key)
	if f.Err == nil && len(list) != n {
		f.Fail(v.At, "", "%s has %s, and the tile %s", key, wording.Count(len(list), "number"), wording.Count(n,
			"size"))
	}
	for _, size := range list {
		if size < 1 || size > MaxTile || size&(size-1) != 0 {
			f.Fail(v.At, "", "%s has %d, which is not a power of two", key, size)
		}
	}
	if f.Err != nil {
		return slices.Repeat([]int64{1}, n)
	}
	return list
}

// order returns a field with the numbers of the dimensions, the fastest first.
func (f *fields) order(key string, rank int) []int {
	v := f.value(key)
	list, order := f.Ints(v, key), make([]int, rank)
	seen := make([]bool, rank)
	for i, dim := range list {
		if i >= rank || dim < 0 || dim >= int64(rank) || seen[dim] {
			f.Fail(v.At, "", "%s %s is not an order of %s", key, layout.ListText(list), wording.Count(rank,
				"dimension"))
			return order
		}
		order[i], seen[dim] = int(dim), true
	}
	if f.Err == nil && len(list) != rank {
		f.Fail(v.At, "", "%s %s is not an order of %s", key, layout.ListText(list), wording.Count(rank, "dimension"))
	}
	return order
}

// version returns the version of the hardware.
func (f *fields) version() int64 {
	if v, ok := literal.Field(f.list, "version"); ok && v.Kind == literal.List {
		if list := f.Ints(v, "version"); len(list) > 0 {
			return list[0]
		}
	} else if ok {
		return f.Int(v, "version")
	}
	return f.Int(f.value("versionMajor"), "versionMajor")
}

// basesOf returns a field with lists of numbers, one for each dimension. Each list is the change of the index for one
// bit of an input.
func (f *fields) basesOf(v literal.Value, key string, rank int) (bases [][]int64) {
	if v.Kind != literal.List {
		f.Fail(v.At, "such as [[0, 1], [8, 0]]", "%s is not a list of bases", key)
	}
	for _, e := range v.List {
		basis := f.Ints(e.Value, key)
		if f.Err == nil && len(basis) != rank {
			f.Fail(e.At, "", "a basis of %s has %s, and the tile %s", key, wording.Count(len(basis), "number"),
				wording.Count(rank, "size"))
		}
		if bases = append(bases, basis); f.Err != nil {
			return nil
		}
	}
	return bases
}

// split gives each block its part of the tile. Dimensions of an operand that the parent does not have are not split.
// The returned function adds the blocks, once a part is built.
func (f *fields) split(b *builder, of func(dim int) int) (join func()) {
	rank, whole := len(b.sizes), b.sizes
	blocks, split := f.blocks(rank), slices.Repeat([]int64{1}, rank)
	for i := range blocks {
		p := &blocks[i]
		if p.dim != none {
			p.dim = of(p.dim)
		}
		if p.dim != none {
			split[p.dim] = max(split[p.dim], p.extent*p.apart)
		}
	}
	part := make([]int64, rank)
	for i := range part {
		part[i] = max(whole[i]/split[i], 1)
	}
	b.sizes = part
	return func() {
		b.sizes = whole
		if b.open {
			part = slices.Clone(b.placed)
		}
		for _, p := range blocks {
			apart := p.apart
			if p.dim != none {
				apart *= part[p.dim]
			}
			b.placeAt(Block, p.extent, p.dim, apart)
		}
	}
}

// blocks returns the digits of the number of a block, in units of one block's part.
func (f *fields) blocks(rank int) (list []place) {
	if v, ok := literal.Field(f.list, "CGALayout"); ok {
		for _, basis := range f.basesOf(v, "CGALayout", rank) {
			list = append(list, f.bit(v.At, basis))
		}
		return list
	}
	if _, ok := literal.Field(f.list, "CTAsPerCGA"); !ok {
		return nil
	}
	count, split := f.sizes("CTAsPerCGA", rank), f.sizes("CTASplitNum", rank)
	for _, d := range f.order("CTAOrder", rank) {
		list = append(list, place{min(split[d], count[d]), d, 1})
		list = append(list, place{max(count[d]/split[d], 1), none, 0})
	}
	return list
}

// bit returns the digit of a basis. The basis moves at most one index, by a power of two.
func (f *fields) bit(at int, basis []int64) place {
	p := place{2, none, 0}
	for dim, n := range basis {
		switch {
		case n == 0:
		case p.dim != none:
			f.Fail(at, "", "the basis %s moves two indices: no digit does that", layout.ListText(basis))
		case n < 0 || n > MaxTile || bits.OnesCount64(uint64(n)) != 1:
			f.Fail(at, "", "the basis %s is not a power of two within the limit of a tile", layout.ListText(basis))
		default:
			p.dim, p.apart = dim, n
		}
	}
	return p
}
