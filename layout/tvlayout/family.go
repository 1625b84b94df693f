package tvlayout

import (
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/notation/literal"
	"layoutcalc/layout/wording"
)

// The steps of Triton's encodings for instructions: the steps of one instruction, of the tiles of all warps, and of
// operands. M and N are the last two dimensions of a result. In an operand, K is the dimension that is summed over and
// X the other one, which is M or N. A dimension that a matrix does not have has no effect.
const (
	nvidiaTile   = "value 2 N, lane 4 N, lane 8 M, value m/8 M, value n/8 N"
	nvidiaDot    = "value k K, lane 4 K, lane 8 X, value x/8 X, value t/4 K"
	warpsNM      = "warp wN N, warp wM M"
	warpsMN      = "warp wM M, warp wN N"
	mfmaTile     = "value h M, lane n N, lane 64/n M, value m*n/64*h M"
	mfmaTileT    = "value h N, lane m M, lane 64/m N, value m*n/64*h N"
	mfmaTiles    = ", value tN N, warp wN N, value rest N, value tM M, warp wM M"
	mfmaDot      = "value k K, lane x X, lane 64/x K, value y K, value rest K, value tX X"
	wmmaTile     = "lane 16 N, lane 2 M, value 8 M"
	wmmaTile2    = "value 8 M, lane 16 N, lane 2 M, value m/16 M"
	wmmaTiles    = "value tN N, warp wN N, value tM M, warp wM M"
	wmmaDot      = "value k K, lane 16 X, lane 2 -, value i/2*k K, value x/16 X, value tX X"
	wmmaDot2     = "value k K, lane 16 X, lane 2 K, value i/2*k K, value x/16 X, value tX X"
	repeatResult = "|N M"
	repeatDot    = "|K X"
)

// matrix sets the names for the numbers of the warps' tiles, and for the shape of an instruction, and rejects a tile
// that is not a matrix.
func (f *fields) matrix(b *builder) {
	rank := len(b.sizes)
	if rank < 2 {
		f.Fail(f.at, "", "%s is of matrices, and the tile has %s", f.encoding.name, wording.Count(rank, "size"))
		return
	}
	if _, ok := literal.Field(f.list, "ctaLayout"); !ok {
		warps := f.sizes("warpsPerCTA", rank)
		b.names["wN"], b.names["wM"] = warps[rank-1], warps[rank-2]
	}
	tiles := slices.Repeat([]int64{1}, rank)
	if _, ok := literal.Field(f.list, "tilesPerWarp"); ok {
		tiles = f.sizes("tilesPerWarp", rank)
	}
	b.names["tN"], b.names["tM"] = tiles[rank-1], tiles[rank-2]
}

// instruction sets the sizes of an instruction as m, n and i. There must be at least two.
func (f *fields) instruction(b *builder, fallback ...int64) {
	shape := fallback
	if v, ok := literal.Field(f.list, "instrShape"); ok || fallback == nil {
		shape = f.Ints(f.value("instrShape"), "instrShape")
		if len(shape) > 2 && f.encoding.name == "nvidia_mma" && f.version() == 2 {
			shape = shape[len(shape)-2:] // the earlier ones are of a batch
		}
		for _, n := range shape {
			if n < 1 || n > 1<<16 {
				f.Fail(v.At, "", "instrShape has %d", n)
			}
		}
	}
	if len(shape) < 2 {
		f.Fail(f.at, "", "instrShape has %s", wording.Count(len(shape), "number"))
	}
	if f.Err == nil {
		b.names["m"], b.names["n"], b.names["i"] = shape[0], shape[1], shape[len(shape)-1]
		if len(shape) == 3 {
			b.names["depth"] = shape[2]
		}
	}
}

// finish puts the warps of a batch, and fills the dimensions. Dimensions of a batch are last.
func (f *fields) finish(b *builder, repeat string) {
	batch := len(b.sizes) - 2
	if _, ok := literal.Field(f.list, "warpsPerCTA"); ok && f.Err == nil {
		warps := f.sizes("warpsPerCTA", len(b.sizes))
		for d := batch - 1; d >= 0; d-- {
			b.place(Warp, warps[d], d)
		}
	}
	b.run(repeat)
	for d := batch - 1; d >= 0; d-- {
		b.fill(d)
	}
}

// blocked builds #ttg.blocked.
func (f *fields) blocked(b *builder) { f.blockedOf(b, none) }

// blockedOf builds #ttg.blocked, or an operand of it: each thread has all of the dimension that is summed over.
func (f *fields) blockedOf(b *builder, summed int) {
	rank := len(b.sizes)
	join := f.split(b, unsummed(summed))
	order := f.order("order", rank)
	values, lanes := f.sizes("sizePerThread", rank), f.sizes("threadsPerWarp", rank)
	warps := f.sizes("warpsPerCTA", rank)
	if f.Err != nil {
		return
	}
	for _, d := range order {
		if d == summed {
			b.fill(d)
		} else {
			b.place(Value, values[d], d)
		}
	}
	for _, d := range order {
		b.place(Lane, lanes[d], unsummed(summed)(d))
	}
	for _, d := range order {
		b.place(Warp, warps[d], unsummed(summed)(d))
	}
	for _, d := range order {
		b.fill(d)
	}
	join()
}

// unsummed returns a function that returns none for the dimension summed, and other dimensions unchanged.
func unsummed(summed int) func(dim int) int {
	return func(dim int) int {
		if dim == summed {
			return none
		}
		return dim
	}
}

// operand builds #ttg.dot_op.
func (f *fields) operand(b *builder) {
	rank := len(b.sizes)
	index := f.number("opIdx", -1)
	parent := f.fieldsOf(f.value("parent"))
	width := f.number("kWidth", 0)
	switch {
	case f.Err != nil:
		return
	case index != 0 && index != 1:
		f.Fail(f.at, "", "opIdx is 0 for A and 1 for B")
		return
	case rank < 2:
		f.Fail(f.at, "", "dot_op is of matrices, and the tile has %s", wording.Count(rank, "size"))
		return
	}
	summed, other := rank-1, rank-2
	if index == 1 {
		summed, other = other, summed
	}
	b.dims['K'], b.dims['X'] = summed, other
	b.dims['M'], b.dims['N'] = unsummed(summed)(rank-2), unsummed(summed)(rank-1)
	if parent.encoding.name == "blocked" {
		parent.blockedOf(b, summed)
		return
	}
	if width < 1 || width&(width-1) != 0 || width > 1<<10 {
		f.Fail(f.at, "such as kWidth = 2", "dot_op of %s needs a kWidth, a power of two", parent.encoding.name)
		return
	}
	b.names["k"] = width
	parent.matrix(b)
	join := parent.split(b, unsummed(summed))
	if b.names["tX"] = b.names["tM"]; index == 1 {
		b.names["tX"] = b.names["tN"]
	}
	parent.dot(b, index == 1)
	parent.finish(b, repeatDot)
	join()
}

// dot puts the indices of an operand of an instruction, A or B.
func (f *fields) dot(b *builder, second bool) {
	if f.encoding.name == "amd_wmma" {
		f.instruction(b, 16, 16, 16)
	} else {
		f.instruction(b)
	}
	version := int64(0)
	if f.encoding.name != "amd_mfma" {
		version = f.version()
	}
	if b.names["x"] = b.names["m"]; second {
		b.names["x"] = b.names["n"]
	}
	switch name := f.encoding.name; {
	case f.Err != nil:
	case name == "nvidia_mma" && version == 3 && second:
		f.Fail(f.at, "", "wgmma reads B from shared memory: registers have no such operand")
	case name == "nvidia_mma" && (version == 2 || version == 3):
		if b.names["t"] = 8; b.names["m"] == 8 {
			b.names["t"] = 4
		}
		if second {
			b.names["x"] = 8
		}
		b.run(nvidiaDot)
		f.warps(b, [...]string{2: warpsNM, 3: warpsMN}[version])
	case name == "amd_mfma":
		if b.names["y"] = 1; b.names["x"] == 64 {
			b.names["y"] = 16
		}
		b.run(mfmaDot)
		f.warps(b, warpsNM)
	case name == "amd_wmma" && version == 1:
		b.run(wmmaDot)
		f.warps(b, warpsNM)
	case name == "amd_wmma" && version < 4:
		b.run(wmmaDot2)
		f.warps(b, warpsNM)
	default:
		f.Fail(f.at, "", "operands of version %d of %s are not known", version, name)
	}
	if own := f.own(b, version); own > 0 && own != b.names["k"] && f.Err == nil {
		f.notes = append(f.notes, "the order of K differs from the instruction's, of which a thread has "+
			wording.Count(own, "element")+" side by side: nothing is wrong, A and B only have to agree")
	}
}

// own returns how many adjacent elements along K the instruction itself has in a thread, or 0 if the input does not
// state it.
func (f *fields) own(b *builder, version int64) int64 {
	switch name := f.encoding.name; {
	case name == "nvidia_mma" && f.bits > 0:
		return max(32/f.bits, 1)
	case name == "amd_mfma":
		return b.names["x"] * b.names["depth"] / 64
	case name == "amd_wmma" && version == 1:
		return 16
	case name == "amd_wmma" && version == 2 && f.bits >= 8:
		return 64 / f.bits
	}
	return 0
}

// warps puts the tiles of warps: by the steps, or by the bases of ctaLayout, in units of the tile.
func (f *fields) warps(b *builder, steps string) {
	v, ok := literal.Field(f.list, "ctaLayout")
	if !ok {
		b.run(steps)
		return
	}
	tile, rank := slices.Clone(b.placed), len(b.sizes)
	for _, e := range v.List {
		axis := slices.Index([]string{Warp: "warp", Lane: "", Value: "register"}, e.Key)
		if axis < 0 {
			f.Fail(e.At, "such as {register = [], warp = [[0, 1], [1, 0]]}", "ctaLayout has no %s", e.Key)
			return
		}
		for _, basis := range f.basesOf(e.Value, e.Key, rank) {
			p := f.bit(e.At, basis)
			if p.dim != none && (p.dim == b.dims['N'] || p.dim == b.dims['M'] || p.dim < rank-2) {
				b.placeAt(axis, p.extent, p.dim, p.apart*tile[p.dim])
			} else {
				b.place(axis, p.extent, none)
			}
		}
	}
}

// nvidia builds #ttg.nvidia_mma.
func (f *fields) nvidia(b *builder) {
	f.result(b, func(version int64) {
		switch f.instruction(b); {
		case f.Err != nil:
		case version == 2 || version == 3:
			b.run(nvidiaTile)
			f.warps(b, [...]string{2: warpsNM, 3: warpsMN}[version])
		default:
			f.Fail(f.at, "", "version %d of nvidia_mma is not known: 2 is mma, 3 wgmma", version)
		}
	})
}

// mfma builds #ttg.amd_mfma.
func (f *fields) mfma(b *builder) {
	f.result(b, func(int64) {
		f.instruction(b)
		if b.names["h"] = 4; f.number("elementBitWidth", 32) == 64 {
			b.names["h"] = 1
		}
		if f.flag("isTransposed") {
			b.run(mfmaTileT + mfmaTiles)
		} else {
			b.run(mfmaTile + mfmaTiles)
		}
	})
}

// wmma builds #ttg.amd_wmma.
func (f *fields) wmma(b *builder) {
	f.result(b, func(version int64) {
		f.instruction(b, 16, 16, 16)
		swap := func() {
			if f.flag("isTranspose", "isTransposed") {
				b.dims['M'], b.dims['N'] = b.dims['N'], b.dims['M']
			}
		}
		switch swap(); {
		case version == 1:
			b.run(wmmaTile)
		case version == 2 || version == 3:
			b.run(wmmaTile2)
		default:
			f.Fail(f.at, "", "version %d of amd_wmma is not known", version)
		}
		swap()
		f.warps(b, wmmaTiles)
	})
}

// result builds the result of an instruction.
func (f *fields) result(b *builder, build func(version int64)) {
	f.matrix(b)
	join, version := f.split(b, unsummed(none)), f.version()
	if f.Err == nil {
		build(version)
		f.finish(b, repeatResult)
		join()
	}
}

// slice builds #ttg.slice: its parent for a tile with one dimension more, which is dropped again.
func (f *fields) slice(b *builder) {
	dim, sizes := f.number("dim", -1), slices.Clone(b.sizes)
	if dim < 0 || dim > int64(len(sizes)) {
		f.Fail(f.at, "", "dim is %d, and the parent has %s", dim, wording.Count(len(sizes)+1, "dimension"))
		return
	}
	inner := newBuilder(slices.Insert(sizes, int(dim), 1))
	inner.open = b.open
	if f.reader.encoding(f.value("parent"), inner); f.Err != nil {
		return
	}
	for axis, list := range inner.digits {
		for _, p := range list {
			switch {
			case p.dim == none && axis == Value:
			case p.dim == none:
				b.place(axis, p.extent, none)
			case p.dim > int(dim):
				b.placeAt(axis, p.extent, p.dim-1, p.apart)
			default:
				b.placeAt(axis, p.extent, p.dim, p.apart)
			}
		}
	}
}

// linear builds #ttg.linear, which lists the change of the index for each bit of a number.
func (f *fields) linear(b *builder) {
	rank := len(b.sizes)
	type moved struct {
		dim   int
		apart int64
	}
	seen := map[moved]string{}
	reach := slices.Repeat([]int64{1}, rank)
	for axis, key := range []string{Block: "block", Warp: "warp", Lane: "lane", Value: "register"} {
		v, ok := literal.Field(f.list, key)
		if !ok && key != "block" {
			v = f.value(key)
		}
		if !ok || f.Err != nil {
			continue
		}
		for i, basis := range f.basesOf(v, key, rank) {
			p := f.bit(v.List[i].At, basis)
			if b.placeAt(axis, p.extent, p.dim, p.apart); p.dim == none {
				continue
			}
			here := key + " " + layout.ListText(basis)
			if before, ok := seen[moved{p.dim, p.apart}]; ok {
				const msg = "%s and %s move the same bit of an index: such bases are not read"
				f.Fail(v.List[i].At, "", msg, before, here)
			}
			seen[moved{p.dim, p.apart}], reach[p.dim] = here, max(reach[p.dim], 2*p.apart)
		}
	}
	if f.Err == nil && !b.open && !slices.Equal(reach, b.sizes) {
		f.Fail(f.at, "give the tile "+layout.SizesText(reach), "the bases reach a tile of %s, not %s",
			layout.SizesText(reach), layout.SizesText(b.sizes))
	}
}
