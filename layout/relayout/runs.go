package relayout

import (
	"cmp"
	"encoding/binary"
	"slices"
	"unsafe"
)

const (
	leastRun   = 8   // elements in a row that are faster to unpack and to pack at once than one by one
	mostSpread = 8   // times as long as its elements a run may be
	mostGap    = 128 // the maximum number of elements between two of a run
)

// Runs give the offsets of the elements of a block on one side; in the buffer they are adjacent. In sparse runs each
// element has a separate byte. The other half of the byte does not belong to any element of the run, and lengths and
// steps count bytes.
type runs struct {
	at     []int // how many elements after the first element of the block each run starts
	sparse bool
	length int // bytes of a run in the buffer
	pitch  int // bytes from one run to the next in the buffer
	base   int // the index of the first element in the buffer

	inner  []loop    // the loops of a run in the buffer
	gaps   bool      // a run has other elements too
	masks  [2][]byte // masks for the elements of a run that starts at a whole byte, or at half of one
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
		near := len(outer) == 0 && length+magnitude(reach) <= mostSpread*elements*l.n &&
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
	r := &runs{sparse: unit == 2, length: int((length-1)/unit + 1), inner: inner}
	r.gaps = int64(r.length) != elements
	r.pitch = r.length + 2 // there may be half a byte more at either end
	if r.pitch > 2*vector {
		r.pitch = (r.pitch + vector - 1) &^ (vector - 1)
	}
	r.base = vector - int(low/unit)
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

// bytes returns how long the buffer is, with a vector before the first run and one after the last.
func (r *runs) bytes() int { return vector + len(r.at)*r.pitch + vector }

// read makes a byte of each element of the runs.
func (r *runs) read(buf, b []byte, first int) {
	to := vector
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
	if n >= vector && halvesVectors(dst, src[:n], shift) {
		return
	}
	to, from := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src[:n]))
	for ; i+8 <= n; i += 8 {
		store(to, i, load(from, i)>>by&low1)
	}
	for ; i < n; i++ {
		dst[i] = src[i] >> by & 15
	}
}

// write packs the bytes of the runs into elements again, and leaves the elements between and around them unchanged.
func (r *runs) write(b []byte, first int, buf []byte) {
	from := vector
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
	if n >= vector && blendVectors(dst[:n], src, mask[:n], shift) {
		return
	}
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

// mask makes the masks for writing runs that share bytes with other elements.
func (r *runs) mask() {
	if !r.gaps && !r.sparse {
		return
	}
	marks := make([]byte, r.length+2)
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

// repeat adds to the first bytes of b the same bytes at the first n multiples of step.
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
