package relayout

import (
	"fmt"
	"slices"
	"unsafe"
)

// maxPlanes is the largest number of planes of an interleaving. More of them fill strips.
const maxPlanes = 7

// pixelsAtOnce is how many pixels stay in the first cache until all their planes are there.
const pixelsAtOnce = 512

// An interleaving is a kernel that puts the elements of a few planes side by side, or separates them
// again: 3 planes of an image into pixels, or pixels into planes.
type interleaving struct {
	width    int  // bytes of an element
	k        int  // planes
	n        int  // elements of a plane
	plane    int  // bytes from one plane to the next
	apart    bool // from pixels to planes
	shuffled bool // whether to use the processor's byte shuffles
	block    shuffles
}

// interleaving returns a kernel for few planes if one loop is over planes and the other over pixels. Otherwise it
// returns nil.
func (b *box) interleaving(along, across int) *interleaving {
	if across < 0 {
		return nil
	}
	in, out := b.loops[along], b.loops[across]
	strips := int64(max(stripRows(int(b.width)), 4)) // the number of planes that fill strips
	few := func(planes int64) bool { return planes <= maxPlanes && planes < strips && b.width < vector }
	switch {
	case in.dst != b.width || out.src != b.width:
		return nil
	case few(in.n) && out.dst == in.n*b.width:
		return newInterleaving(int(b.width), int(in.n), int(out.n), int(in.src), false)
	case few(out.n) && in.src == out.n*b.width:
		return newInterleaving(int(b.width), int(out.n), int(in.n), int(out.dst), true)
	}
	return nil
}

// newInterleaving returns an interleaving with its masks and their positions.
func newInterleaving(width, k, n, plane int, apart bool) *interleaving {
	w := &interleaving{width: width, k: k, n: n, plane: plane, apart: apart, shuffled: canShuffle(k)}
	b := &w.block
	from, to, pixels := plane, vector, vector*k
	b.dstStep, b.srcStep = pixels, vector
	if apart {
		from, to, b.dstStep, b.srcStep = vector, plane, vector, pixels
	}
	b.masks = slices.Repeat([]byte{noByte}, k*k*vector)
	b.inputs = slices.Repeat(multiples(k, from), k)
	b.outputs = make([]output, k)
	for j := range b.outputs {
		b.outputs[j] = output{j * to, k}
	}
	// Element e of plane p is, in the pixels, element e * k + p.
	for p := range k {
		pixel := p * width
		for at := range vector {
			j, to, i, from := pixel/vector, pixel%vector, p, at
			if apart {
				j, to, i, from = p, at, pixel/vector, pixel%vector
			}
			b.masks[(j*k+i)*vector+to] = byte(from)
			if pixel++; (at+1)&(width-1) == 0 {
				pixel += (k - 1) * width
			}
		}
	}
	return w
}

// move moves all planes: whole vectors with shuffles, and the remaining elements one by one.
func (w *interleaving) move(p place) {
	per, blocks := vector/w.width, 0
	if w.shuffled {
		blocks = w.n / per
	}
	if blocks > 0 {
		shuffle(w, p, blocks)
	}
	for first := blocks * per; first < w.n; first += pixelsAtOnce {
		w.single(p.at(first/per*w.block.dstStep, first/per*w.block.srcStep), min(pixelsAtOnce, w.n-first))
	}
}

// single moves n elements of each plane, one plane after the other.
func (w *interleaving) single(p place, n int) {
	pixel := w.k * w.width
	for plane := range w.k {
		if w.apart {
			step(w.width, p.at(plane*w.plane, plane*w.width), n, w.width, pixel)
		} else {
			step(w.width, p.at(plane*w.width, plane*w.plane), n, pixel, w.width)
		}
	}
}

// String names the interleaving in a plan.
func (w *interleaving) String() string {
	verb := "interleave"
	if w.apart {
		verb = "deinterleave"
	}
	return fmt.Sprintf("%s %d planes of %d x %d bytes", verb, w.k, w.n, w.width)
}

// interleavePortable is shuffle in Go, for 3 planes.
func interleavePortable(w *interleaving, p place, blocks int) {
	planes, at, pixels, first := p.src, p.s, p.dst, p.d
	if w.apart {
		planes, at, pixels, first = p.dst, p.d, p.src, p.s
	}
	bytes := blocks * vector
	plane := func(i int) unsafe.Pointer { return unsafe.Pointer(&planes[at+i*w.plane:][:bytes][0]) }
	a, b, c := plane(0), plane(1), plane(2)
	all := unsafe.Pointer(&pixels[first : first+3*bytes][0])
	switch {
	case w.width == 1 && w.apart:
		deinterleaveBytes(a, b, c, all, bytes)
	case w.width == 1:
		interleaveBytes(all, a, b, c, bytes)
	case w.width == 2 && w.apart:
		deinterleaveOf[[2]byte](a, b, c, all, bytes)
	case w.width == 2:
		interleaveOf[[2]byte](all, a, b, c, bytes)
	case w.width == 4 && w.apart:
		deinterleavePairs(a, b, c, all, bytes)
	case w.width == 4:
		interleavePairs(all, a, b, c, bytes)
	case w.apart:
		deinterleaveOf[[8]byte](a, b, c, all, bytes)
	default:
		interleaveOf[[8]byte](all, a, b, c, bytes)
	}
}
