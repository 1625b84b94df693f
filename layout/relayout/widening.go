package relayout

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"layoutcalc/layout"
)

const (
	wideBlock = 8 << 10 // elements of 4 bits that are moved at once: as bytes, most of them stay in the first cache
	listBlock = 2 << 10 // of those that are moved by lists
	wideRun   = 128     // elements in a row that fill a line
	wideGap   = 4       // times as long as its elements a run may be, or as its bytes if they are sparse
	mostGap   = 128     // elements between those of a run
	leastRow  = 4       // bytes in a row that are faster to copy at once than one by one
	leastFill = 128     // elements in a row that are faster to interleave with what is between them
	leastRun  = 8       // elements in a row that are faster to unpack and to pack at once than one by one
)

// A widening is a kernel that moves elements of 4 bits as bytes, a block at a time. The runs of a block are
// unpacked into a buffer, moved to another as whole bytes are, and packed into the target. Elements that
// are far from each other on a side are read or written one by one there.
type widening struct {
	loops    []loop   // of a block
	cuts     []blocks // loops of which a block has some steps
	plans    []*wide  // of a block; bit i of the number is set if it has what remains at the end of cut i
	src, dst []byte   // the buffers
}

// Blocks are a loop of which a block has that many steps.
type blocks struct {
	loop
	steps int64
}

// widening returns a kernel, and the loops that are left.
func (b *box) widening() (kernel, []loop) {
	k, rest := b.widened(wideBlock)
	w := newWide(k.block(0), false)
	if w == nil {
		k, rest = b.widened(listBlock)
		w = newWide(k.block(0), true)
	}
	k.add(0, w)
	return k, rest
}

// widened returns a kernel that moves up to that many elements at once.
func (b *box) widened(most int64) (k *widening, rest []loop) {
	k = &widening{}
	for i, steps := range b.blocks(most) {
		switch l := b.loops[i]; {
		case steps == l.n:
			k.loops = append(k.loops, l)
		case steps == 1:
			rest = append(rest, l)
		default:
			k.cuts = append(k.cuts, blocks{l, steps})
		}
	}
	k.plans = make([]*wide, 1<<len(k.cuts))
	return k, rest
}

// blocks returns how many steps of each loop make up what is moved at once: enough to fill lines on both
// sides, and then as many as there is room for, along the target first.
func (b *box) blocks(most int64) []int64 {
	steps := make([]int64, len(b.loops))
	for i := range steps {
		steps[i] = 1
	}
	order := multiples(len(b.loops), 1) // that of the target, in which the loops are
	along := slices.Clone(order)
	slices.SortStableFunc(along, func(i, k int) int {
		return cmp.Compare(magnitude(b.loops[i].src), magnitude(b.loops[k].src))
	})
	all := int64(1)
	take := func(order []int, enough int64) {
		for got := int64(1); len(order) > 0 && got < enough; order = order[1:] {
			l, s := b.loops[order[0]], &steps[order[0]]
			want := max(l.n, *s)
			if rows := max(layout.CeilDiv(enough, got), 1); want/2 > rows {
				want = max(rows, *s)
			}
			want = min(want, max(most/(all / *s), *s))
			if want < l.n && want > vector {
				want = max(want&^(vector-1), *s)
			}
			all = all / *s * want
			if *s = want; want < l.n {
				return
			}
			got *= want
		}
	}
	take(order, wideRun)
	take(along, wideRun)
	take(order, most)
	take(along, most)
	return steps
}

// move moves all blocks.
func (k *widening) move(p place) { k.walk(p, k.cuts, 0) }

// walk moves the blocks of some cuts.
func (k *widening) walk(p place, cuts []blocks, number int) {
	if len(cuts) == 0 {
		if k.plans[number] == nil {
			k.add(number, newWide(k.block(number), true))
		}
		k.plans[number].move(p, k.src, k.dst)
		return
	}
	c := cuts[0]
	for range c.n / c.steps {
		k.walk(p, cuts[1:], number)
		p = p.at(int(c.steps*c.dst), int(c.steps*c.src))
	}
	if c.n%c.steps > 0 {
		k.walk(p, cuts[1:], number|1<<(len(k.cuts)-len(cuts)))
	}
}

// add adds the plan of a block, and makes room for it in the buffers.
func (k *widening) add(number int, w *wide) {
	k.plans[number] = w
	k.src, k.dst = grown(k.src, w.bytes[0]), grown(k.dst, w.bytes[1])
}

// grown returns b, or a longer buffer if b is shorter than n.
func grown(b []byte, n int) []byte {
	if len(b) >= n {
		return b
	}
	return make([]byte, n)
}

// block returns the loops of a block, in the order of the target.
func (k *widening) block(number int) []loop {
	loops := slices.Clone(k.loops)
	for i, c := range k.cuts {
		l := loop{c.steps, c.src, c.dst}
		if number>>i&1 > 0 {
			l.n = c.n % c.steps
		}
		if l.n > 1 {
			loops = append(loops, l)
		}
	}
	slices.SortStableFunc(loops, func(a, b loop) int { return cmp.Compare(a.dst, b.dst) })
	return loops
}

// A wide is the plan of a block: how its elements get into a buffer, from there to another, and into the target.
// Where elements are far from each other on a side, there is one buffer.
type wide struct {
	src, dst wideSide
	between  *nest  // from buffer to buffer, nil if there is one
	bytes    [2]int // how long the buffers are
}

// A wideSide moves the elements of a block between storage, in which the block starts at element first, and a buffer
// of bytes.
type wideSide interface {
	read(buf, b []byte, first int)
	write(b []byte, first int, buf []byte)
}

// move moves a block through the buffers.
func (w *wide) move(p place, src, dst []byte) {
	w.src.read(src, p.src, p.s)
	if w.between == nil {
		dst = src
	} else {
		w.between.run(place{dst: dst, src: src})
	}
	w.dst.write(p.dst, p.d, dst)
}

// newWide plans a block with these loops, with lists of elements where there is no kernel. It returns nil if there
// is none, unless lists is set.
func newWide(loops []loop, lists bool) *wide {
	buffered := slices.Clone(loops)
	src := runsOf(buffered, func(l *loop) *int64 { return &l.src })
	dst := runsOf(buffered, func(l *loop) *int64 { return &l.dst })
	if src != nil && dst != nil {
		w := &wide{src, dst, nil, [2]int{src.bytes(), dst.bytes()}}
		n := bufferNest(src, dst, buffered)
		if n.slow() {
			fill, buffers := dst.filled(src)
			n = bufferNest(src, dst, append(fill, buffered...))
			w.bytes[1] *= buffers
			if k, ok := n.inner.(*interleaving); ok && (!k.shuffles || k.n < leastFill) || n.slow() {
				if !lists {
					return nil
				}
				n = nest{inner: newList(buffered, src.base, dst.base)}
			}
		}
		w.between = &n
		dst.mask()
		return w
	}
	if !lists {
		return nil
	}
	srcAt, dstAt := offsets(loops, loop.source), offsets(loops, loop.target)
	switch {
	case src != nil:
		in := offsets(buffered, loop.source)
		return &wide{src, newSpots(dstAt, in, src.base), nil, [2]int{src.bytes(), 0}}
	case dst != nil:
		dst.mask()
		in := offsets(buffered, loop.target)
		return &wide{newSpots(srcAt, in, dst.base), dst, nil, [2]int{dst.bytes(), 0}}
	}
	in := multiples(len(srcAt), 1)
	return &wide{newSpots(srcAt, in, 0), newSpots(dstAt, in, 0), nil, [2]int{len(in), 0}}
}

// bufferNest plans what the loops move from one buffer to the other.
func bufferNest(src, dst *runs, loops []loop) nest {
	b := box{part{int64(src.base), int64(dst.base), loops}, 1}
	n := b.nest()
	n.stayNear()
	return n
}

// slow reports whether the nest moves bytes one by one, or few at a time.
func (n *nest) slow() bool {
	switch k := n.inner.(type) {
	case *rows:
		return k.bytes < leastRow
	case *mirror:
		return k.bytes < leastRow
	case *interleaving:
		return k.n < 2*vector
	case *tile:
		scatters := !k.adjacent() || k.cols.n < vector/k.width || k.rows.n < stripRows(k.width)
		return scatters && k.width < leastRow
	}
	return false
}

// stayNear makes a tile of bytes move without a stage, because both sides are in the cache, and as many columns as
// fill a vector if there are fewer: some bytes before each row go where the first column is written afterwards.
func (n *nest) stayNear() {
	t, ok := n.inner.(*tile)
	if !ok || !t.adjacent() || t.width > 1 {
		return
	}
	t.near = true
	if missing := vector - t.cols.n; missing > 0 && missing <= vector*3/4 && t.rows.n >= stripRows(1) {
		t.cols = positions{n: vector, far: append(slices.Repeat(t.cols.far[:1], missing), t.cols.far...)}
		n.src -= int64(missing)
	}
}

// A list is a kernel that moves bytes one by one, wherever they are.
type list struct{ from, to []uint32 }

// newList returns the list of bytes that loops move from one buffer to another.
func newList(loops []loop, from, to int) *list {
	return &list{inBuffer(offsets(loops, loop.source), from), inBuffer(offsets(loops, loop.target), to)}
}

// inBuffer returns where bytes are in a buffer.
func inBuffer(at []int, base int) []uint32 {
	in := make([]uint32, len(at))
	for i := range at {
		in[i] = uint32(at[i] + base)
	}
	return in
}

// move moves all bytes.
func (k *list) move(p place) {
	dst, src, from := unsafe.Pointer(&p.dst[0]), unsafe.Pointer(&p.src[0]), k.from
	for i, to := range k.to[:len(from)] {
		*byteAt(dst, int(to)) = *byteAt(src, int(from[i]))
	}
}

// String names the list in a plan.
func (k *list) String() string { return fmt.Sprintf("move %d bytes one by one", len(k.to)) }

// Runs say where the elements of a block are on one side; they follow one another in the buffer. In sparse ones each
// element has a byte of its own, the other half of which belongs to no element of the run: then only bytes count.
type runs struct {
	at     []int // how many elements after the first element of the block each run starts
	sparse bool
	length int // bytes of a run in the buffer
	pitch  int // bytes from one run to the next in the buffer
	first  int // where the first run starts in the buffer
	base   int // where the first element is in the buffer

	inner  []loop    // of a run in the buffer
	gaps   bool      // a run has other elements too
	masks  [2][]byte // of the elements of a run, if it starts at a whole byte or at half of one
	packed []byte    // such a run
}

// runsOf returns a side of a block with these loops, and makes them move through the buffer instead. It returns nil
// if elements are far from each other.
func runsOf(loops []loop, far func(*loop) *int64) *runs {
	sorted := make([]*loop, 0, len(loops))
	for i := range loops {
		if l := &loops[i]; *far(l) != 0 {
			sorted = append(sorted, l)
		}
	}
	slices.SortStableFunc(sorted, func(a, b *loop) int { return cmp.Compare(magnitude(*far(a)), magnitude(*far(b))) })
	length, elements, low, unit := int64(1), int64(1), int64(0), int64(2)
	all := make([]loop, 2*len(sorted))
	inner, outer := all[:0:len(sorted)], all[len(sorted):][:0]
	for _, l := range sorted {
		step := *far(l)
		reach, per := (l.n-1)*step, unit-step&1*(unit-1)
		near := len(outer) == 0 && length+magnitude(reach) <= wideGap*elements*l.n*per &&
			magnitude(step)-length <= mostGap
		if !near || per < unit && elements >= leastRun {
			outer = append(outer, loop{n: l.n, src: step})
			continue
		}
		length, elements, low, unit = length+magnitude(reach), elements*l.n, low+min(reach, 0), per
		inner = append(inner, loop{n: l.n, src: step})
	}
	if len(outer) > 0 && elements < leastRun {
		return nil
	}
	for i, l := range sorted[:len(inner)] {
		inner[i].src /= unit
		*far(l) = inner[i].src
	}
	r := &runs{sparse: unit == 2, length: int((length-1)/unit + 1), first: vector, inner: inner}
	r.gaps = int64(r.length) != elements
	times, step := r.gap()
	r.pitch = r.length + int(max((times-1)*step, 2)) // there may be half a byte more at either end
	if r.pitch > 2*vector {
		r.pitch = (r.pitch + vector - 1) &^ (vector - 1)
	}
	r.base = r.first - int(low/unit)
	r.at = offsets(outer, loop.source)
	for i := range r.at {
		r.at[i] += int(low)
	}
	count := int64(1)
	for _, l := range sorted[len(inner):] {
		*far(l), count = count*int64(r.pitch), count*l.n
	}
	return r
}

// filled returns loops that move what is between elements too, so that there are more bytes in a row on both sides:
// gaps of the target are filled with what is next to them, and those of the source move to as many more buffers.
func (r *runs) filled(src *runs) (fill []loop, buffers int) {
	if n, step := r.gap(); n > 1 {
		fill = append(fill, loop{n, 0, step})
	}
	if n, step := src.gap(); n > 1 {
		return append(fill, loop{n, step, int64(r.bytes())}), int(n)
	}
	return fill, 1
}

// gap returns how many times what is next to each other in a run fits where it is the first time, up to what comes
// next, and how long it is.
func (r *runs) gap() (n, length int64) {
	length, filled := int64(1), int64(0)
	for _, l := range r.inner {
		switch step := magnitude(l.src); {
		case filled == 0 && step > length && step%length == 0:
			n, filled = step/length, step*l.n
		case filled > step || filled == 0 && step != length:
			return 1, 0
		case filled > 0:
			filled += (l.n - 1) * step
		default:
			length *= l.n
		}
	}
	return n, length
}

// source and target return how far a step moves on a side.
func (l loop) source() int64 { return l.src }

func (l loop) target() int64 { return l.dst }

// bytes returns how long the buffer is.
func (r *runs) bytes() int { return r.first + len(r.at)*r.pitch }

// read makes a byte of each element of the runs.
func (r *runs) read(buf, b []byte, first int) {
	to := r.first
	for _, at := range r.at {
		from := first + at
		odd := from & 1
		if r.sparse {
			halves(buf[to:to+r.length], b[from>>1:], odd*4)
		} else {
			unpack(buf[to-odd:], b[from>>1:(from+r.length+1)>>1])
		}
		to += r.pitch
	}
}

// halves makes bytes of one half of each byte.
func halves(dst, src []byte, shift int) {
	n, i, by := len(dst), 0, uint(shift)&7
	to, from := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src[:n]))
	for ; i+8 <= n; i += 8 {
		store(to, i, load(from, i)>>by&low1)
	}
	for ; i < n; i++ {
		dst[i] = src[i] >> by & 15
	}
}

// write makes elements of the bytes of the runs again, and leaves those between and around them.
func (r *runs) write(b []byte, first int, buf []byte) {
	from := r.first
	for _, at := range r.at {
		to := first + at
		switch odd := to & 1; {
		case r.sparse:
			blend(b[to>>1:], buf[from:from+r.length], r.masks[0], odd*4)
		case r.gaps:
			mask := r.masks[odd]
			pack(r.packed[:len(mask)], buf[from-odd:from-odd+2*len(mask)])
			blend(b[to>>1:], r.packed[:len(mask)], mask, 0)
		default:
			r.pack(b, to, buf[from:from+r.length])
		}
		from += r.pitch
	}
}

// pack writes a run without gaps.
func (r *runs) pack(b []byte, to int, bytes []byte) {
	if to&1 != 0 {
		b[to>>1] = b[to>>1]&15 | bytes[0]<<4
		to, bytes = to+1, bytes[1:]
	}
	n := len(bytes)
	pack(b[to>>1:(to+n)>>1], bytes)
	if n&1 != 0 {
		last := &b[(to+n)>>1]
		*last = *last&^15 | bytes[n-1]
	}
}

// blend replaces the bits of the mask.
func blend(dst, src, mask []byte, shift int) {
	n, i, by := len(src), 0, uint(shift)&7
	to, from := unsafe.Pointer(unsafe.SliceData(dst[:n])), unsafe.Pointer(unsafe.SliceData(src))
	which := unsafe.Pointer(unsafe.SliceData(mask[:n]))
	for ; i+8 <= n; i += 8 {
		old := load(to, i)
		store(to, i, old^(old^load(from, i)<<by)&(load(which, i)<<by))
	}
	for ; i < n; i++ {
		dst[i] ^= (dst[i] ^ src[i]<<by) & (mask[i] << by)
	}
}

// mask makes what is needed to write runs that have other elements too.
func (r *runs) mask() {
	if !r.gaps && !r.sparse {
		return
	}
	marks := make([]byte, r.length+3)
	marks[1] = 15
	length := 1
	for _, l := range r.inner {
		n, step := int(l.n), int(l.src)
		repeat(marks[1:], length, n, step)
		length += (n - 1) * step
	}
	if r.sparse {
		r.masks[0] = marks[1:]
		return
	}
	for odd := range r.masks {
		r.masks[odd] = make([]byte, (odd+r.length+1)/2)
		pack(r.masks[odd], marks[1-odd:])
	}
	r.packed = make([]byte, len(r.masks[1]))
}

// repeat adds to the first bytes of b the same bytes at all multiples of step below n.
func repeat(b []byte, length, n, step int) {
	if step >= length {
		for have := 1; have < n; have *= 2 {
			copy(b[have*step:], b[:(min(have, n-have)-1)*step+length])
		}
		return
	}
	for i, v := range slices.Clone(b[:length]) {
		for k := range n {
			b[i+k*step] |= v
		}
	}
}

// Spots say where elements are that are far from each other: those of an even number of elements after the first
// one, and the others. Those of either are all in the lower or all in the upper halves of bytes.
type spots [2]struct {
	low    int      // how many bytes after the first one the lowest is
	length int      // how many bytes there are from the lowest to the highest
	at     []int    // how many bytes after the lowest one each is
	buf    []uint32 // where it is in a buffer
}

// newSpots returns the spots of elements: at says how many elements after the first one each is, buf where it is in the
// buffer, from base on.
func newSpots(at, buf []int, base int) *spots {
	s := &spots{}
	for i, a := range at {
		h := &s[a&1]
		if len(h.at) == 0 {
			h.at, h.buf = make([]int, 0, len(at)-i), make([]uint32, 0, len(at)-i)
		}
		h.at, h.buf = append(h.at, a>>1), append(h.buf, uint32(buf[i]+base))
	}
	for half := range s {
		if h := &s[half]; len(h.at) > 0 {
			h.low = slices.Min(h.at)
			for i := range h.at {
				h.at[i] -= h.low
			}
			h.length = slices.Max(h.at) + 1
		}
	}
	return s
}

// read makes a byte of each element.
func (s *spots) read(buf, b []byte, first int) {
	to := unsafe.Pointer(unsafe.SliceData(buf))
	for odd, h := range s {
		if len(h.at) == 0 {
			continue
		}
		at := (first+odd)>>1 + h.low
		from, in := unsafe.Pointer(unsafe.SliceData(b[at:at+h.length])), h.buf[:len(h.at)]
		if (first^odd)&1 == 0 {
			for i, a := range h.at {
				*byteAt(to, int(in[i])) = *byteAt(from, a) & 15
			}
			continue
		}
		for i, a := range h.at {
			*byteAt(to, int(in[i])) = *byteAt(from, a) >> 4
		}
	}
}

// byteAt returns the byte i bytes after b.
func byteAt(b unsafe.Pointer, i int) *byte { return (*byte)(unsafe.Add(b, i)) }

// write makes elements of the bytes again, and leaves those around them.
func (s *spots) write(b []byte, first int, buf []byte) {
	from := unsafe.Pointer(unsafe.SliceData(buf))
	for odd, h := range s {
		if len(h.at) == 0 {
			continue
		}
		at := (first+odd)>>1 + h.low
		to, in := unsafe.Pointer(unsafe.SliceData(b[at:at+h.length])), h.buf[:len(h.at)]
		if (first^odd)&1 == 0 {
			for i, a := range h.at {
				e := byteAt(to, a)
				*e = *e&^15 | *byteAt(from, int(in[i]))
			}
			continue
		}
		for i, a := range h.at {
			e := byteAt(to, a)
			*e = *e&15 | *byteAt(from, int(in[i]))<<4
		}
	}
}

// unpack makes two bytes of each byte, first its lower half.
func unpack(dst, src []byte) {
	little, n := binary.LittleEndian, len(src)
	dst = dst[:2*n]
	if n >= vector && unpackVectors(dst, src) {
		return
	}
	i := 0
	for ; i+4 <= n; i += 4 {
		little.PutUint64(dst[2*i:], spread4(little.Uint32(src[i:])))
	}
	if i < n && n >= 4 {
		little.PutUint64(dst[2*n-8:], spread4(little.Uint32(src[n-4:])))
		return
	}
	for ; i < n; i++ {
		dst[2*i], dst[2*i+1] = src[i]&15, src[i]>>4
	}
}

// spread4 returns a byte for each 4 bits of v.
func spread4(v uint32) uint64 {
	x := uint64(v)
	x = (x | x<<16) & low4
	x = (x | x<<8) & low2
	return (x | x<<4) & low1
}

// pack is the inverse of unpack.
func pack(dst, src []byte) {
	little, n := binary.LittleEndian, len(dst)
	src = src[:2*n]
	if n >= vector && packVectors(dst, src) {
		return
	}
	i := 0
	for ; i+4 <= n; i += 4 {
		little.PutUint32(dst[i:], gather4(little.Uint64(src[2*i:])))
	}
	if i < n && n >= 4 {
		little.PutUint32(dst[n-4:], gather4(little.Uint64(src[2*n-8:])))
		return
	}
	for ; i < n; i++ {
		dst[i] = src[2*i] | src[2*i+1]<<4
	}
}

// gather4 returns 4 bits for each byte of x.
func gather4(x uint64) uint32 {
	x = (x | x>>4) & low2
	x = (x | x>>8) & low4
	return uint32(x | x>>16)
}

// low1 is a mask of the lower half of each byte.
const low1 = 0x0f0f0f0f0f0f0f0f

// String names the kernel in a plan.
func (k *widening) String() string {
	var b strings.Builder
	for _, c := range k.cuts {
		fmt.Fprintf(&b, "%d x (%d -> %d) by %d, ", c.n, c.src, c.dst, c.steps)
	}
	return b.String() + k.plans[0].String()
}

// String names what moves the elements of a block.
func (w *wide) String() string {
	if w.between == nil {
		return "move elements of 4 bits one by one"
	}
	return "as bytes: " + w.between.String()
}
