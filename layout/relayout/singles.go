package relayout

import (
	"cmp"
	"slices"
	"unsafe"
)

// Singles are a side of a block with elements that are far from each other and are moved one by one. Two lists have the
// elements of the innermost loops, and the outer loops repeat the lists.
type singles struct {
	lists [2]singleList // elements at an even distance from the first one, and the others
	outer []loop        // from storage, in elements, to the buffer
	start int           // the lists' first index in the buffer
}

// A singleList holds the offsets of elements that are all in lower or all in upper halves of bytes.
type singleList struct {
	low    int   // how many bytes after the first one the lowest is
	length int   // how many bytes there are from the lowest to the highest
	at     []int // how many bytes after the lowest one each is
	in     []int // the index in the buffer of each, relative to the first
}

// newSingles returns the singles of loops from storage, in elements, to a buffer, first element at base.
// They are in the order of the storage, because the buffer is in the cache.
func newSingles(loops []loop, base int) *singles {
	slices.SortStableFunc(loops, func(a, b loop) int { return cmp.Compare(magnitude(a.src), magnitude(b.src)) })
	inner, outer := innermost(loops, 0)
	from, to := offsets(inner, loop.source), offsets(inner, loop.target)
	low := slices.Min(to)
	s := &singles{outer: outer, start: base + low}
	for i, a := range from {
		l := &s.lists[a&1]
		if len(l.at) == 0 {
			l.at, l.in = make([]int, 0, len(from)-i), make([]int, 0, len(from)-i)
		}
		l.at, l.in = append(l.at, a>>1), append(l.in, to[i]-low)
	}
	for half := range s.lists {
		if l := &s.lists[half]; len(l.at) > 0 {
			l.low = slices.Min(l.at)
			for i := range l.at {
				l.at[i] -= l.low
			}
			l.length = slices.Max(l.at) + 1
		}
	}
	return s
}

// read makes a byte of each element.
func (s *singles) read(buf, b []byte, first int) {
	s.each(first, func(l *singleList, at, start int, upper bool) {
		l.read(unsafe.Pointer(&buf[start]), unsafe.Pointer(&b[at : at+l.length][0]), upper)
	})
}

// write packs the bytes into elements again, and leaves the elements around them unchanged.
func (s *singles) write(b []byte, first int, buf []byte) {
	s.each(first, func(l *singleList, at, start int, upper bool) {
		l.write(unsafe.Pointer(&b[at : at+l.length][0]), unsafe.Pointer(&buf[start]), upper)
	})
}

// each calls f for the lists and every combination of steps of the outer loops. The elements are in the l.length bytes
// starting at byte at of the storage, and at index start of the buffer. The argument upper reports whether the elements
// are the upper halves of bytes.
func (s *singles) each(first int, f func(l *singleList, at, start int, upper bool)) {
	_ = eachStep(s.outer, int64(first), int64(s.start), func(first, start int64) error {
		for odd := range s.lists {
			if l := &s.lists[odd]; len(l.at) > 0 {
				at := int(first) + odd
				f(l, at>>1+l.low, int(start), at&1 != 0)
			}
		}
		return nil
	})
}

// read reads from storage into a buffer.
func (l *singleList) read(to, from unsafe.Pointer, upper bool) {
	in := l.in[:len(l.at)]
	if upper {
		for i, at := range l.at {
			*byteAt(to, in[i]) = *byteAt(from, at) >> 4
		}
		return
	}
	for i, at := range l.at {
		*byteAt(to, in[i]) = *byteAt(from, at) & 15
	}
}

// write writes to storage from a buffer.
func (l *singleList) write(to, from unsafe.Pointer, upper bool) {
	in := l.in[:len(l.at)]
	if upper {
		for i, at := range l.at {
			e := byteAt(to, at)
			*e = *e&15 | *byteAt(from, in[i])<<4
		}
		return
	}
	for i, at := range l.at {
		e := byteAt(to, at)
		*e = *e&^15 | *byteAt(from, in[i])
	}
}

// byteAt returns the byte i bytes after b.
func byteAt(b unsafe.Pointer, i int) *byte { return (*byte)(unsafe.Add(b, i)) }
