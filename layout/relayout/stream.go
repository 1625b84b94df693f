package relayout

import (
	"context"
	"errors"
	"io"
)

// Stream moves all elements from a file to a stream: it writes the target from the first byte to
// the last. Layouts whose slabs do not lie one behind the other are moved at once.
func (p Plan) Stream(ctx context.Context, dst io.Writer, src io.ReaderAt, o Options) error {
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

// ordered returns the cut into the largest regions that lie one behind the other in the target,
// and reports false when one takes more room than that.
func (p *Plan) ordered(most int64) (*cut, bool) {
	if !p.nested || p.loose() {
		c := p.whole()
		return c, c.room() <= max(most, leastRoom)
	}
	for bytes := p.streamed(most); ; bytes /= 2 {
		c := p.inOrder(bytes)
		if c.tangled {
			c = p.whole()
			return c, c.room() <= max(most, leastRoom)
		}
		if room := c.room(); room <= most || bytes == 0 {
			return c, room <= max(most, leastRoom)
		}
	}
}

// streamed returns how many bytes a slab should have: no more than need be for long pieces of the
// source.
func (p *Plan) streamed(most int64) int64 {
	bytes := min(most, slabSize)
	for ; bytes < most; bytes *= 2 {
		if q := p.source(p.inOrder(bytes).first()); q.count == 1 || q.length >= elementsOf(longRun, p.bits) {
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

// stream fills slabs in jobs, each of which has one slab in so many, and writes them in turn.
func (t *transfer) stream(ctx context.Context, w *filler) error {
	ctx, cancel := context.WithCancel(ctx)
	jobs := team{failed: cancel}
	defer jobs.wait()
	defer cancel()
	total, n := t.cut.total(), int64(t.o.Jobs)
	ready := make([]chan filled, n)
	empty := make([]chan *slab, n)
	for i := range ready {
		ready[i], empty[i] = make(chan filled), make(chan *slab, 1)
		empty[i] <- new(slab)
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

// fillAll fills one slab in so many, from slab k on.
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

// write writes a slab, whose pieces lie one behind the other.
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

// A filler writes zeros where nothing belongs.
type filler struct {
	ctx  context.Context
	w    io.Writer
	pos  int64
	zero []byte
}

// errOrder is a fault of the plan: what is to be written now belongs before what is written.
var errOrder = errors.New("slabs are out of order")

// skip writes zeros up to a byte.
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
