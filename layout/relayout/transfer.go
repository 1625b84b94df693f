package relayout

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// Options control how data is moved from file to file.
type Options struct {
	Jobs   int           // how many slabs are moved at the same time, at least 1
	Memory int64         // how many bytes all slabs have together; 64 MB if not positive
	Swap   int           // reverse the bytes of every unit of Swap bytes of the source, if not 0
	Done   func(n int64) // if not nil, is called by several goroutines when n more bytes of the target are done
}

// A transfer moves data slab by slab.
type transfer struct {
	plan *Plan
	cut  *cut
	src  io.ReaderAt
	o    Options
}

// newTransfer returns the transfer for a cut that fits the memory. A cutting returns a cut for a
// number of bytes that each side of a slab may have, and reports false if that is too little.
func (p *Plan) newTransfer(src io.ReaderAt, o Options, cutting func(*Plan, int64) (*cut, bool)) (*transfer, error) {
	if err := checkSwap(o.Swap, p.bits); err != nil {
		return nil, err
	}
	if o.Memory <= 0 {
		o.Memory = defaultMemory
	}
	if p.from != nil {
		src = swizzledSource{src, p.from}
	}
	memory := min(o.Memory, mostMemory)
	o.Jobs = int(max(min(int64(o.Jobs), memory/(2*leastMemory)), 1))
	for ; ; o.Jobs = (o.Jobs + 1) / 2 {
		c, ok := cutting(p, memory/int64(2*o.Jobs))
		switch {
		case ok:
			o.Jobs = int(min(int64(o.Jobs), c.total()))
			return &transfer{p, c, src, o}, nil
		case o.Jobs == 1:
			return nil, errTooLarge(2*min(c.memory(), math.MaxInt64/2), memory)
		}
	}
}

// checkSwap returns an error if elements do not consist of whole units.
func checkSwap(unit int, bits int64) error {
	switch unit {
	case 0, 2, 4, 8, 16:
		if int64(unit)*8 <= bits {
			return nil
		}
	}
	return lexer.Refuse("", "cannot reverse units of %s: elements of %s do not consist of them",
		wording.Count(unit, "byte"), wording.Count(bits, "bit"))
}

// errTooLarge is the error for layouts with slabs that never fit in the memory.
func errTooLarge(need, have int64) error {
	hint := ""
	if need <= mostMemory {
		hint = fmt.Sprintf("--memory %d", need)
	}
	return lexer.Refuse(hint, "a slab of these layouts takes %d bytes, more than the limit of %d", need, have)
}

// Copy moves all elements from one file to another, in slabs of any order, several at the same time. It does not write
// bytes that do not belong to an element: dst must have zeros there.
func (p Plan) Copy(ctx context.Context, dst io.WriterAt, src io.ReaderAt, o Options) error {
	if p.empty {
		return ctx.Err()
	}
	if p.to != nil {
		dst = swizzledTarget{dst, p.to}
	}
	t, err := p.newTransfer(src, o, (*Plan).balanced)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	slabs, free := t.slabs()
	defer free()
	parallel(int64(t.o.Jobs), t.cut.total(), func(job int, k int64) bool {
		if ctx.Err() != nil {
			return false
		}
		if err := t.copy(ctx, &slabs[job], k, dst); err != nil {
			cancel(err)
			return false
		}
		t.done(k)
		return true
	})
	return context.Cause(ctx)
}

// copy reads slab k, and writes it to the target.
func (t *transfer) copy(ctx context.Context, s *slab, k int64, dst io.WriterAt) error {
	write := func(b []byte, offset int64) error {
		n, err := dst.WriteAt(b, offset)
		if err == nil && n < len(b) {
			err = io.ErrShortWrite
		}
		return err
	}
	if t.cut.tiles != nil && !t.cut.reads {
		return t.scatter(ctx, s, t.cut.region(k), write)
	}
	if err := t.fill(ctx, s, k); err != nil || s.empty {
		return err
	}
	return t.each(ctx, s, write)
}

// Stream moves all elements from a file to a stream: it writes the target from the first byte to
// the last. If the slabs of a target do not follow one another, one slab has all of it.
func (p Plan) Stream(ctx context.Context, dst io.Writer, src io.ReaderAt, o Options) error {
	if p.to != nil {
		swizzled, err := newSwizzledStream(dst, p.to)
		if err != nil {
			return err
		}
		affine := p
		affine.to = nil
		if err = affine.Stream(ctx, swizzled, src, o); err == nil {
			err = swizzled.finish()
		}
		return err
	}
	w := &filler{ctx: ctx, w: dst}
	if !p.empty {
		t, err := p.newTransfer(src, o, (*Plan).ordered)
		if err != nil {
			return err
		}
		if err := t.stream(ctx, w); err != nil {
			return err
		}
	}
	return w.skip(p.targetBytes)
}

// ordered returns the cut into the largest regions that follow one another in the target, and
// reports false when one takes more memory than that.
func (p *Plan) ordered(most int64) (*cut, bool) {
	c := p.whole()
	if p.nested && !p.loose() {
		for bytes := p.streamed(most); ; bytes /= 2 {
			smaller := p.inOrder(bytes)
			if smaller.tangled {
				break
			}
			if bytes == 0 || smaller.memory() <= most {
				c = smaller
				break
			}
		}
	}
	return c, c.memory() <= max(most, leastMemory)
}

// streamed returns how many bytes a slab should have: no more than long pieces of the source need. Slabs that leave the
// caches make do with shorter pieces, because both sides have the whole region.
func (p *Plan) streamed(most int64) int64 {
	most -= most / 4 // the program needs memory for more than slabs
	bytes := min(most, slabSize)
	for ; bytes < most; bytes *= 2 {
		wanted := int64(longRun)
		if bytes >= 4*slabSize {
			wanted = fairRun
		}
		if q := p.source(p.inOrder(bytes).first()); q.count == 1 || q.length >= elementsOf(wanted, p.bits) {
			break
		}
	}
	return min(bytes, most)
}

// A filled is a slab that can be written, or why it cannot.
type filled struct {
	slab *slab
	err  error
}

// stream writes all slabs in order. The jobs fill them: job i fills the slabs i, i + jobs, i + 2 jobs and so on.
func (t *transfer) stream(ctx context.Context, w *filler) error {
	ctx, cancel := context.WithCancel(ctx)
	slabs, free := t.slabs()
	defer free()
	jobs := workers{failed: cancel}
	defer jobs.wait()
	defer cancel()
	total, n := t.cut.total(), int64(t.o.Jobs)
	ready := make([]chan filled, n)
	empty := make([]chan *slab, n)
	for i := range ready {
		ready[i], empty[i] = make(chan filled), make(chan *slab, 1)
		empty[i] <- &slabs[i]
		jobs.start(func() { t.fillAll(ctx, int64(i), ready[i], empty[i]) })
	}
	for k := range total {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case f := <-ready[k%n]:
			if f.err != nil {
				return f.err
			}
			if err := t.write(ctx, w, f.slab); err != nil {
				return err
			}
			empty[k%n] <- f.slab
			t.done(k)
		}
	}
	return nil
}

// fillAll fills the slabs of a job, starting at slab k.
func (t *transfer) fillAll(ctx context.Context, k int64, ready chan<- filled, empty <-chan *slab) {
	for ; k < t.cut.total(); k += int64(t.o.Jobs) {
		var f filled
		select {
		case <-ctx.Done():
			return
		case f.slab = <-empty:
		}
		f.err = t.fill(ctx, f.slab, k)
		select {
		case <-ctx.Done():
			return
		case ready <- f:
		}
	}
}

// write writes a slab. Its pieces must follow one another.
func (t *transfer) write(ctx context.Context, w *filler, s *slab) error {
	if s.empty {
		return nil
	}
	return t.each(ctx, s, func(b []byte, offset int64) error {
		if err := w.skip(offset); err != nil {
			return err
		}
		return w.write(b)
	})
}

// done reports to the caller how many more bytes are done when slab k is.
func (t *transfer) done(k int64) {
	if t.o.Done == nil {
		return
	}
	each, total := t.plan.targetBytes/t.cut.total(), t.cut.total()
	if k == 0 {
		each = t.plan.targetBytes - each*(total-1)
	}
	t.o.Done(each)
}

// A slab is a region that is being moved, with a buffer for each side.
type slab struct {
	src, dst []byte
	source   pieces
	target   pieces
	empty    bool // the region has no elements
	planned  planner
}

// slabs returns a slab for each job, and a function that frees their buffers.
func (t *transfer) slabs() (slabs []slab, free func()) {
	source, target := t.cut.sides()
	start := layout.CeilDiv(source, line) * line
	each := layout.CeilDiv(start+target, line) * line
	memory, free := pages(int(each) * t.o.Jobs)
	slabs = make([]slab, t.o.Jobs)
	for i := range slabs {
		b := memory[i*int(each):][:each:each]
		slabs[i] = slab{src: b[:start:start], dst: b[start:], planned: planner{bits: t.plan.bits}}
	}
	return slabs, free
}

// setSource makes the buffer of the source large enough for pieces of it, which it will have.
func (s *slab) setSource(q pieces, bits int64) {
	n := int(q.bytes(bits))
	s.source, s.src = q, slices.Grow(s.src[:0], n)[:n]
}

// setTarget does the same for the target, and clears the bytes that the given number of elements does not fill.
func (s *slab) setTarget(q pieces, bits, elements int64) {
	n := int(q.bytes(bits))
	s.target, s.dst = q, slices.Grow(s.dst[:0], n)[:n]
	if q.count*q.length != elements || bits < 8 {
		clear(s.dst)
	}
}

// fill reads slab k, and moves it from one buffer to the other, tile by tile if its source has tiles.
func (t *transfer) fill(ctx context.Context, s *slab, k int64) error {
	p, r := t.plan, t.cut.region(k)
	elements := p.elements(r)
	if s.empty = elements == 0; s.empty {
		return nil
	}
	s.setTarget(p.target(r), p.bits, elements)
	return t.eachTile(r, func(tile region, _ int64) error {
		s.setSource(p.source(tile), p.bits)
		if err := t.read(ctx, s.src, s.source); err != nil {
			return err
		}
		p.runPlanned(&s.planned, tile, s.source.side, s.target.side, place{dst: s.dst, src: s.src})
		return nil
	})
}

// scatter reads a region, and moves and writes it tile by tile.
func (t *transfer) scatter(ctx context.Context, s *slab, r region, write func(b []byte, offset int64) error) error {
	p := t.plan
	if p.elements(r) == 0 {
		return nil
	}
	s.setSource(p.source(r), p.bits)
	if err := t.read(ctx, s.src, s.source); err != nil {
		return err
	}
	return t.eachTile(r, func(tile region, elements int64) error {
		s.setTarget(p.target(tile), p.bits, elements)
		p.runPlanned(&s.planned, tile, s.source.side, s.target.side, place{dst: s.dst, src: s.src})
		return t.each(ctx, s, write)
	})
}

// eachTile calls f for each tile of a region that has elements, with their number, until f fails. Without tiles it
// calls f for the region.
func (t *transfer) eachTile(r region, f func(tile region, elements int64) error) error {
	if t.cut.tiles == nil {
		return f(r, t.plan.elements(r))
	}
	for k := int64(0); ; k++ {
		tile, ok := t.cut.tiles.within(r, k)
		if !ok {
			return nil
		}
		if n := t.plan.elements(tile); n > 0 {
			if err := f(tile, n); err != nil {
				return err
			}
		}
	}
}

// read reads the pieces of a slab into its buffer. What they have after the last element of the
// source is the padding of a block.
func (t *transfer) read(ctx context.Context, buf []byte, q pieces) error {
	bits := t.plan.bits
	err := q.each(func(offset, position int64) error {
		start := bytesOf(offset, bits)
		from, to := within(start, bytesOf(q.length, bits), t.plan.sourceBytes)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		b := buf[bytesOf(position, bits):][from:to]
		start += from
		n, err := t.src.ReadAt(b, start)
		if n == len(b) {
			return nil
		}
		if err == nil || err == io.EOF {
			err = &ShortError{start + int64(n), t.plan.sourceBytes}
		}
		return err
	})
	if err == nil && t.o.Swap > 1 {
		swap(buf, t.o.Swap)
	}
	return err
}

// swap reverses the bytes of every unit.
func swap(b []byte, unit int) {
	little, big := binary.LittleEndian, binary.BigEndian
	for ; len(b) >= unit; b = b[unit:] {
		switch unit {
		case 2:
			little.PutUint16(b, big.Uint16(b))
		case 4:
			little.PutUint32(b, big.Uint32(b))
		case 8:
			little.PutUint64(b, big.Uint64(b))
		default:
			slices.Reverse(b[:unit])
		}
	}
}

// each calls f for each piece of a slab that must be written, until f fails.
func (t *transfer) each(ctx context.Context, s *slab, f func(b []byte, offset int64) error) error {
	bits := t.plan.bits
	return s.target.each(func(offset, position int64) error {
		start := bytesOf(offset, bits)
		from, to := within(start, bytesOf(s.target.length, bits), t.plan.targetBytes)
		if from == to || ctx.Err() != nil {
			return ctx.Err()
		}
		return f(s.dst[bytesOf(position, bits):][from:to], start+from)
	})
}

// within returns the part of n bytes at an offset that is in data of size bytes. A block may go beyond the size of its
// axis, and then beyond the data.
func within(offset, n, size int64) (from, to int64) {
	from, to = max(-offset, 0), min(n, size-offset)
	return min(from, n), max(to, min(from, n))
}

// A ShortError is the error if the source ends while it is read.
type ShortError struct{ at, need int64 }

// Error returns the byte at which the source ends.
func (e *ShortError) Error() string {
	return fmt.Sprintf("the data ends at byte %d, and %d are needed: it shrinks while it is read", e.at, e.need)
}

// Unwrap returns io.ErrUnexpectedEOF.
func (e *ShortError) Unwrap() error { return io.ErrUnexpectedEOF }

// A filler is a writer that writes zeros between the pieces.
type filler struct {
	ctx  context.Context
	w    io.Writer
	pos  int64
	zero []byte
}

// errOrder is a bug in the plan: a write would go before the end of the last one.
var errOrder = errors.New("slabs are out of order")

// skip writes zeros up to offset to.
func (f *filler) skip(to int64) error {
	if to < f.pos {
		return errOrder
	}
	for f.pos < to {
		if f.ctx.Err() != nil {
			return f.ctx.Err()
		}
		if f.zero == nil {
			f.zero = make([]byte, 64<<10)
		}
		if err := f.write(f.zero[:min(int64(len(f.zero)), to-f.pos)]); err != nil {
			return err
		}
	}
	return nil
}

func (f *filler) write(b []byte) error {
	n, err := f.w.Write(b)
	f.pos += int64(n)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return err
}
