package relayout

import "fmt"

// maxPlanes is how many planes a weave has at most. More of them fill strips.
const maxPlanes = 7

// pixelsAtOnce is how many pixels stay in the first cache until all their planes are there.
const pixelsAtOnce = 512

// A weave puts the elements of a few planes side by side, or takes them apart again: 3 planes of
// an image into pixels, or pixels into planes.
type weave struct {
	width    int  // bytes of an element
	k        int  // planes
	n        int  // elements of a plane
	plane    int  // bytes from one plane to the next
	apart    bool // from pixels to planes
	shuffles bool // the processor can

	masks            []byte // which byte of input i each byte of output j is, 128 for none
	dstOff, srcOff   []int  // where the 16 bytes of output j and input i lie
	dstStep, srcStep int
}

// newWeave plans it.
func newWeave(width, k, n, plane int, apart bool) *weave {
	w := &weave{width: width, k: k, n: n, plane: plane, apart: apart, shuffles: canShuffle()}
	planes, pixels := make([]int, k), make([]int, k)
	for i := range k {
		planes[i], pixels[i] = i*plane, i*vector
	}
	w.srcOff, w.dstOff, w.srcStep, w.dstStep = planes, pixels, vector, vector*k
	if apart {
		w.srcOff, w.dstOff, w.srcStep, w.dstStep = pixels, planes, vector*k, vector
	}
	w.mask()
	return w
}

// mask fills in the masks: byte b of the elements' row in plane p is, in the pixels, byte
// (b / width * k + p) * width + b % width.
func (w *weave) mask() {
	w.masks = make([]byte, w.k*w.k*vector)
	for i := range w.masks {
		w.masks[i] = 128
	}
	for p := range w.k {
		for b := range vector {
			pixel := (b/w.width*w.k+p)*w.width + b%w.width
			j, to, i, from := pixel/vector, pixel%vector, p, b
			if w.apart {
				j, to, i, from = p, b, pixel/vector, pixel%vector
			}
			w.masks[(j*w.k+i)*vector+to] = byte(from)
		}
	}
}

// move moves all planes: what fills vectors at once, and the rest one by one.
func (w *weave) move(p place) {
	per, blocks := vector/w.width, 0
	if w.shuffles {
		blocks = w.n / per
	}
	if blocks > 0 {
		shuffle(w, p, blocks)
	}
	for first := blocks * per; first < w.n; first += pixelsAtOnce {
		w.single(p.at(first/per*w.dstStep, first/per*w.srcStep), min(pixelsAtOnce, w.n-first))
	}
}

// single moves n elements of each plane, one plane after the other.
func (w *weave) single(p place, n int) {
	pixel := w.k * w.width
	for plane := range w.k {
		if w.apart {
			step(w.width, p.at(plane*w.plane, plane*w.width), n, w.width, pixel)
		} else {
			step(w.width, p.at(plane*w.width, plane*w.plane), n, pixel, w.width)
		}
	}
}

// String names the weave in a plan.
func (w *weave) String() string {
	verb := "weave"
	if w.apart {
		verb = "unweave"
	}
	return fmt.Sprintf("%s %d planes of %d x %d bytes", verb, w.k, w.n, w.width)
}
