package relayout

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"unsafe"
)

// A list is a kernel that moves bytes one by one, wherever they are.
type list struct{ from, to []int }

// move moves all bytes.
func (k *list) move(p place) {
	dst, src, from := unsafe.Pointer(&p.dst[p.d]), unsafe.Pointer(&p.src[p.s]), k.from
	for i, to := range k.to[:len(from)] {
		*byteAt(dst, to) = *byteAt(src, from[i])
	}
}

// String names the list in a plan.
func (k *list) String() string { return fmt.Sprintf("move %d bytes one by one", len(k.to)) }

// Shuffles make outputs of 16 bytes from masked bytes of several inputs of 16 bytes.
type shuffles struct {
	outputs          []output
	inputs           []int  // the offsets of inputs, for one output after the other
	masks            []byte // for each input, the index of its byte for each byte of the output
	dstStep, srcStep int    // from one time that all outputs are made to the next
	overlap          bool   // bytes of an output beyond the last moved one are overwritten by the next output
}

// An output is 16 bytes of the target at offset to. It is made from the given number of inputs.
type output struct{ to, inputs int }

// noByte marks a byte of a mask that comes from another input.
const noByte = 128

// A scattering is a kernel that moves bytes in any order by shuffles, n times. The other bytes of its outputs become 0.
type scattering struct {
	shuffles
	n int
}

// newScattering returns a kernel that moves each byte of from to the byte of to with the same index, once.
func newScattering(from, to []int) *scattering {
	const none = -1
	source := slices.Repeat([]int{none}, slices.Max(to)+vector)
	for i, at := range to {
		source[at] = from[i]
	}
	k := &scattering{n: 1}
	for at := 0; at+vector <= len(source); at++ {
		if source[at] != none {
			k.add(at, (*[vector]int)(source[at:]))
			at += vector - 1
		}
	}
	return k
}

// add adds an output with the bytes at the offsets in from, or 0 for a negative offset. Each input starts at the first
// byte that no earlier input has.
func (s *shuffles) add(at int, from *[vector]int) {
	left, inputs := uint(0), 0
	for i, f := range from {
		if f >= 0 {
			left |= 1 << i
		}
	}
	for ; left != 0; inputs++ {
		first := math.MaxInt
		for m := left; m != 0; m &= m - 1 {
			first = min(first, from[bits.TrailingZeros(m)])
		}
		mask := [vector]byte{}
		for i := range mask {
			mask[i] = noByte
		}
		for m := left; m != 0; m &= m - 1 {
			i := bits.TrailingZeros(m)
			if f := from[i] - first; f < vector {
				mask[i] = byte(f)
				left &^= 1 << i
			}
		}
		s.inputs, s.masks = append(s.inputs, first), append(s.masks, mask[:]...)
	}
	s.outputs = append(s.outputs, output{at, inputs})
}

// repeat makes the kernel move n times, with the given distances in bytes from one time to the next.
func (k *scattering) repeat(n, dstStep, srcStep int) {
	k.n, k.dstStep, k.srcStep = n, dstStep, srcStep
	k.overlap = k.outputs[len(k.outputs)-1].to+vector > dstStep
}

// move moves all bytes.
func (k *scattering) move(p place) { shuffleBlocks(&k.shuffles, p, k.n) }

// String names the kernel in a plan.
func (k *scattering) String() string {
	return fmt.Sprintf("shuffle %d vectors to %d, %d times", len(k.inputs), len(k.outputs), k.n)
}
