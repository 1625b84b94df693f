package relayout

import (
	"cmp"
	"math"
	"slices"

	"layoutcalc/layout"
)

const (
	leastRow  = 4    // bytes in a row that are faster to copy at once than one by one
	leastList = 128  // bytes of a list, enough to make the cost of a call negligible
	mostList  = 1024 // bytes that it has to fill vectors
)

// How many instructions kernels take, counted on amd64 with AVX2. They determine the choice of a kernel, on other
// processors too.
const (
	tileByte         = 0.8 // for each byte of a tile
	listByte         = 7   // for each byte of a list
	scatteringInput  = 9   // for each input; half of that if two blocks are made at the same time
	scatteringOutput = 5   // for each output
	kernelCall       = 50
	fewEnough        = 3.25 // for each byte: it is not worth planning another kernel
)

// between plans the loops of a part for a move from one buffer of bytes to another. Both are in the cache, and bytes
// between the elements of the target may change: so a kernel may also move the bytes between elements of the source.
func between(p part) nest {
	b := box{p, 1}
	n := b.nest()
	if t, ok := n.inner.(*tile); ok {
		t.near = true
	}
	if !n.slow() {
		return n
	}
	b = box{p, 1}
	b.simplify()
	matrix, takes := b.gapped()
	if takes > fewEnough {
		if n, less := b.scattered(); less < takes {
			return n
		}
	}
	return matrix()
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
		return k.width < leastRow && (!k.adjacent() || k.cols.n < vector/k.width || k.rows.n < stripRows(k.width))
	}
	return false
}

// gapped finds a matrix of bytes that may have gaps in its rows in the source and in its columns in the target. It
// returns a function that plans it and the number of instructions per byte. The number is infinite if there is no such
// matrix.
func (b *box) gapped() (plan func() nest, takes float64) {
	var rows, cols stretch
	near := slices.DeleteFunc(slices.Clone(b.loops), func(l loop) bool { return l.src == 0 })
	slices.SortStableFunc(near, func(a, b loop) int { return cmp.Compare(magnitude(a.src), magnitude(b.src)) })
	if len(near) == 0 {
		return nil, math.Inf(1)
	}
	// The shortest loop of the source becomes columns, so that not all loops become rows. In the first round each side
	// takes the loops that fill a strip and a vector, in the second the loops that fill them well.
	strip, first, outer := int64(stripRows(1)), near[0], b.loops
	for _, least := range [...]int64{1, ample} {
		for len(outer) > 0 && outer[0] != first && !slices.Contains(cols.loops, outer[0]) &&
			(rows.length < strip || rows.n < least) && rows.add(outer[0], outer[0].dst) {
			outer = outer[1:]
		}
		for len(near) > 0 && !slices.Contains(rows.loops, near[0]) &&
			(cols.length < vector || cols.n < least) && cols.add(near[0], near[0].src) {
			near = near[1:]
		}
	}
	if rows.n == 0 || cols.n == 0 {
		return nil, math.Inf(1)
	}
	// Rows are added so that they fill strips, if there is room for them before the next column.
	high, wide := min(layout.CeilDiv(rows.length, strip)*strip, outer[0].dst), max(cols.length, vector)
	if high < max(strip, rows.length) || tangled(outer, high) > 0 {
		return nil, math.Inf(1)
	}
	takes = (float64(high*wide)*tileByte + kernelCall) / float64(rows.n*cols.n)
	return func() nest {
		src := b.src + cols.length - wide
		for _, l := range cols.loops {
			src += min(0, (l.n-1)*l.src)
		}
		t := &tile{width: 1, dstStep: 1, srcStep: 1, near: true}
		t.rows = rows.positions(0, high, loop.target, loop.source)
		t.cols = cols.positions(wide-cols.length, wide, loop.source, loop.target)
		around := slices.DeleteFunc(slices.Clone(outer), func(l loop) bool { return slices.Contains(cols.loops, l) })
		slices.Reverse(around)
		return nest{part{src, b.dst, around}, t, false}
	}, takes
}

// tangled returns the number of first loops to remove until each remaining loop steps over everything inside it, and
// the innermost over length bytes. The loops are in the order of the target.
func tangled(loops []loop, length int64) (n int) {
	for i, l := range loops {
		if l.dst < length {
			n = i + 1
		}
		length += (l.n - 1) * l.dst
	}
	return n
}

// A stretch is some bytes in a row on one side of a move: n of them belong to loops, the others are gaps.
type stretch struct {
	loops     []loop
	n, length int64
}

// add adds a loop if each of its steps goes beyond the stretch, and reports whether it did.
func (s *stretch) add(l loop, step int64) bool {
	n, length := max(s.n, 1), max(s.length, 1)
	reach := (l.n - 1) * magnitude(step)
	if magnitude(step) < length || length+reach > maxFused {
		return false
	}
	s.loops, s.n, s.length = append(s.loops, l), n*l.n, length+reach
	return true
}

// positions lists the positions, on the far side, of all bytes of a stretch that starts at byte from. A gap has the
// position of the byte after it: a gap between columns is written there first and then overwritten, and a gap between
// rows may have any byte.
func (s *stretch) positions(from, all int64, near, far func(loop) int64) positions {
	p := positions{n: int(all), far: slices.Repeat([]int{math.MinInt}, int(all))}
	in, out := offsets(s.loops, near), offsets(s.loops, far)
	first := int(from) - slices.Min(in)
	for i, at := range in {
		p.far[first+at] = out[i]
	}
	next := 0
	for i, at := range slices.Backward(p.far) {
		if at == math.MinInt {
			p.far[i] = next
		}
		next = p.far[i]
	}
	return p
}

// scattered plans bytes in any order, and returns the number of instructions for each. The loops around the list run
// upwards in the target and step over all inner bytes, so that bytes written by shuffles after the last byte of a step
// are overwritten by the next step.
func (b *box) scattered() (nest, float64) {
	inner, outer := innermost(b.loops, tangled(b.loops, 1))
	slices.Reverse(outer)
	from, to := offsets(inner, loop.source), offsets(inner, loop.target)
	low := slices.Min(from)
	for i := range from {
		from[i] -= low
	}
	n := nest{part{b.src + int64(low), b.dst, outer}, &list{from, to}, false}
	if !canScatter() {
		return n, listByte
	}
	k := newScattering(from, to)
	if last := len(outer) - 1; last >= 0 {
		n.loops = outer[:last]
		k.repeat(int(outer[last].n), int(outer[last].dst), int(outer[last].src))
	}
	n.inner = k
	takes := len(k.inputs)*scatteringInput + len(k.outputs)*scatteringOutput
	if k.n > 1 && !k.overlap {
		takes /= 2
	}
	return n, float64(takes+kernelCall) / float64(len(from))
}

// innermost splits loops into the first ones and the rest. There are at least least of the first ones, and enough that
// a list of their elements is worth it. The last of the inner ones may have only some of its steps.
func innermost(loops []loop, least int) (inner, outer []loop) {
	outer = slices.Clone(loops)
	for n := int64(1); len(outer) > 0 && (len(inner) < least || n < leastList); n *= inner[len(inner)-1].n {
		l := outer[0]
		if steps := worth(l.n, n); len(inner) >= least && steps < l.n {
			outer[0] = loop{l.n / steps, l.src * steps, l.dst * steps}
			l.n = steps
		} else {
			outer = outer[1:]
		}
		inner = append(inner, l)
	}
	return inner, outer
}

// worth returns how many steps of a loop, n elements each, are worth a list: a divisor of all steps, one that fills
// vectors if possible.
func worth(steps, n int64) int64 {
	best := steps
	for q := layout.CeilDiv(leastList, n); q < steps && q*n <= mostList; q++ {
		switch {
		case steps%q != 0:
		case q*n%vector == 0:
			return q
		case best == steps:
			best = q
		}
	}
	return best
}
