package relayout

import (
	"errors"
	"io"
	"sync"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A swizzler moves bytes of a file as the swizzles of a layout move elements: byte a of the affine part is byte
// at(a) of the file. Bytes of one chunk stay together, and each period is exchanged by itself.
type swizzler struct {
	swizzles      []layout.Swizzle // over bytes, the innermost first
	chunk, period int64
	end           int64 // the end of the storage in the file
	blocks        sync.Pool
}

// longestPeriod limits the periods that are read and written as a whole, in bytes.
const longestPeriod = 1 << 20

// swizzlerOf returns the swizzler of a tensor with end bytes of storage, or nil if it has no swizzles.
func swizzlerOf(t layout.Tensor, end int64) (*swizzler, error) {
	list := t.Layout().Swizzles()
	if len(list) == 0 {
		return nil, nil
	}
	x := &swizzler{period: 1, end: end}
	for i, s := range list {
		over, err := s.Recast(t.DType().Bits(), 8)
		if err != nil {
			return nil, err
		}
		if i == 0 || int64(1)<<over.Base < x.chunk {
			x.chunk = 1 << over.Base
		}
		x.period = max(x.period, over.Period())
		x.swizzles = append(x.swizzles, over)
	}
	return x, nil
}

// at returns the offset in the file of byte a of the affine part.
func (x *swizzler) at(a int64) int64 {
	for _, s := range x.swizzles {
		a = s.Apply(a)
	}
	return a
}

// each calls f for the pieces of chunks between the offsets from and to of the affine part. The arguments of f are the
// start and the end of the piece there, and its start in the file.
func (x *swizzler) each(from, to int64, f func(from, to, at int64) error) error {
	for from < to {
		end := min(to, from-from%x.chunk+x.chunk)
		if err := f(from, end, x.at(from)); err != nil {
			return err
		}
		from = end
	}
	return nil
}

// block returns a buffer for whole periods.
func (x *swizzler) block(n int64) []byte {
	if b, ok := x.blocks.Get().(*[]byte); ok && int64(cap(*b)) >= n {
		return (*b)[:n]
	}
	return make([]byte, n)
}

// A swizzledSource is a file that is read in the order of the affine part.
type swizzledSource struct {
	io.ReaderAt
	*swizzler
}

// ReadAt reads bytes of the affine part: the periods that they are in as a whole, unless these are too long.
func (s swizzledSource) ReadAt(b []byte, at int64) (int, error) {
	end := at + int64(len(b))
	if s.period > longestPeriod {
		err := s.each(at, end, func(from, to, place int64) error {
			n, err := s.ReaderAt.ReadAt(b[from-at:to-at], place)
			if int64(n) == to-from {
				return nil
			}
			return errors.Join(err, io.ErrUnexpectedEOF)
		})
		return done(len(b), err)
	}
	first := at &^ (s.period - 1)
	last := min((end+s.period-1)&^(s.period-1), s.end)
	whole := s.block(last - first)
	defer s.blocks.Put(&whole)
	n, err := s.ReaderAt.ReadAt(whole, first)
	if n < len(whole) {
		return 0, errors.Join(err, io.ErrUnexpectedEOF)
	}
	err = s.each(at, end, func(from, to, place int64) error {
		if place < last {
			copy(b[from-at:to-at], whole[place-first:])
		}
		return nil
	})
	return done(len(b), err)
}

// done is the result of reading or writing n bytes, or of the failure to.
func done(n int, err error) (int, error) {
	if err != nil {
		return 0, err
	}
	return n, nil
}

// A swizzledTarget is a file that is written in the order of the affine part.
type swizzledTarget struct {
	io.WriterAt
	*swizzler
}

// WriteAt writes bytes of the affine part: whole periods at once, the rest chunk by chunk.
func (t swizzledTarget) WriteAt(b []byte, at int64) (int, error) {
	end := at + int64(len(b))
	first, last := (at+t.period-1)&^(t.period-1), end&^(t.period-1)
	if first >= last || t.period > longestPeriod || last > t.end {
		return done(len(b), t.chunks(b, at, at, end))
	}
	err := t.chunks(b, at, at, first)
	if err == nil {
		whole := t.block(last - first)
		defer t.blocks.Put(&whole)
		t.fill(whole, b[first-at:], first)
		_, err = t.WriterAt.WriteAt(whole, first)
	}
	if err == nil {
		err = t.chunks(b, at, last, end)
	}
	return done(len(b), err)
}

// chunks writes the part of b from from to to. All three arguments are offsets in the affine part, and b starts at at.
func (t swizzledTarget) chunks(b []byte, at, from, to int64) error {
	return t.each(from, to, func(from, to, place int64) error {
		if to = min(to, from+t.end-place); to <= from {
			return nil
		}
		n, err := t.WriterAt.WriteAt(b[from-at:to-at], place)
		if err == nil && int64(n) < to-from {
			err = io.ErrShortWrite
		}
		return err
	})
}

// fill exchanges the bytes of whole periods. The first period starts at offset first of the affine part.
func (x *swizzler) fill(whole, b []byte, first int64) {
	for from := int64(0); from < int64(len(whole)); from += x.chunk {
		copy(whole[x.at(first+from)-first:][:x.chunk], b[from:])
	}
}

// A swizzledStream is a stream that is written in the order of the affine part, period by period.
type swizzledStream struct {
	io.Writer
	*swizzler
	start   int64  // the start of the period that is being filled
	pending []byte // its bytes in the affine part
	whole   []byte // and in the file
}

// newSwizzledStream returns the stream for a swizzler. It keeps two periods in memory.
func newSwizzledStream(w io.Writer, x *swizzler) (*swizzledStream, error) {
	if x.period > defaultMemory {
		return nil, lexer.Refuse("write to a file",
			"the swizzle repeats after %s: a stream would need them all in memory", wording.Count(x.period, "byte"))
	}
	pending, whole := make([]byte, 0, x.period), make([]byte, x.period)
	return &swizzledStream{Writer: w, swizzler: x, pending: pending, whole: whole}, nil
}

// Write gathers bytes, and writes every whole period.
func (s *swizzledStream) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		k := min(len(b), cap(s.pending)-len(s.pending))
		s.pending, b = append(s.pending, b[:k]...), b[k:]
		if len(s.pending) == cap(s.pending) {
			if err := s.flush(); err != nil {
				return 0, err
			}
		}
	}
	return n, nil
}

// flush writes the period that is gathered, as much of it as belongs to the storage.
func (s *swizzledStream) flush() error {
	if left := s.end - s.start; left > 0 {
		s.fill(s.whole, s.pending[:cap(s.pending)], s.start)
		if _, err := s.Writer.Write(s.whole[:min(left, s.period)]); err != nil {
			return err
		}
	}
	s.start += s.period
	clear(s.pending)
	s.pending = s.pending[:0]
	return nil
}

// finish writes the gathered bytes, and zeros up to the end of the storage.
func (s *swizzledStream) finish() error {
	for s.start < s.end {
		if err := s.flush(); err != nil {
			return err
		}
	}
	return nil
}
