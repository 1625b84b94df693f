package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"syscall"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/relayout"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/render"
)

// spoolLimit is how much of a pipe is kept in memory; what is longer goes to a temporary file.
const spoolLimit = 16 << 20

// A dataSource is the data that is to be moved.
type dataSource struct {
	io.ReaderAt
	name  string            // for messages
	start int64             // how many bytes stand before the data
	size  int64             // of what ReaderAt has: of the data alone, once settle has cut off what stands before it
	array *tensorfile.Array // what the file's header says, nil if it has none
	swap  int               // the bytes of a unit whose order is to be reversed, or 0
	close func()

	buf     bytes.Buffer // the beginning of a pipe
	rest    io.Reader    // the rest of it; nil when there is none, or it is read
	endless bool         // there is more than anybody wants
}

// openData opens the data of a file, or of standard input. Behind bytes that are skipped no header
// is looked for.
func (a *app) openData(f *dataFlags, tensor string) (*dataSource, error) {
	s := &dataSource{name: render.Quote(f.in), close: func() {}}
	err := a.openFile(s, f.in)
	if err == nil {
		err = s.find(f, tensor)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// openFile opens a file, or standard input.
func (a *app) openFile(s *dataSource, path string) error {
	if path == "-" {
		s.name = "standard input"
		if file, ok := a.streams.In.(*os.File); ok {
			return s.open(file)
		}
		return s.spool(a.streams.In)
	}
	file, err := os.Open(path)
	if err != nil {
		return unreadableData(s.name, err)
	}
	s.close = func() { file.Close() }
	return s.open(file)
}

// open reads a file where the data lies, and a pipe into memory or a file of its own.
func (s *dataSource) open(file *os.File) error {
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = syscall.EISDIR
	}
	if err != nil {
		return unreadableData(s.name, err)
	}
	if !info.Mode().IsRegular() {
		return s.spool(file)
	}
	start, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return unreadableData(s.name, err)
	}
	s.size = max(info.Size()-start, 0)
	s.ReaderAt = io.NewSectionReader(file, start, s.size)
	return nil
}

// spool keeps the beginning of what a pipe has, which tells whether it has a header.
func (s *dataSource) spool(in io.Reader) error {
	n, err := io.CopyN(&s.buf, in, spoolLimit)
	if err == nil {
		s.rest = in
	} else if err != io.EOF {
		return unreadableData(s.name, err)
	}
	s.ReaderAt, s.size = bytes.NewReader(s.buf.Bytes()), n
	return nil
}

// finish keeps the rest of a long pipe too, but no more than so many bytes in all, in a temporary
// file, which has no name any more where files can do without.
func (s *dataSource) finish(limit int64) error {
	if s.rest == nil {
		return nil
	}
	ignoreSizeSignal()
	file, err := createIn(os.TempDir(), 0o600)
	if err != nil {
		return writeErrorOf(temporaryData, err)
	}
	gone, before := os.Remove(file.Name()) == nil, s.close
	s.close = func() {
		before()
		file.Close()
		if !gone { // some systems remove no file that is open
			os.Remove(file.Name())
		}
	}
	in := io.LimitReader(io.MultiReader(&s.buf, s.rest), limit)
	if s.size, err = io.Copy(namedWriter{temporaryData, file}, in); err != nil {
		return unreadableData(s.name, err)
	}
	s.ReaderAt, s.buf, s.rest, s.endless = file, bytes.Buffer{}, nil, s.size == limit
	return nil
}

// temporaryData is what messages call the file that a long pipe is kept in.
const temporaryData = "the temporary file for standard input"

// find finds the data of an array file behind its header, unless a number of bytes is to be skipped.
func (s *dataSource) find(f *dataFlags, tensor string) error {
	size := s.size
	if s.rest != nil {
		size = math.MaxInt64 // how much follows is not known yet
	}
	s.start = f.skip
	if f.skips || !tensorfile.Is(f.in, s, size) {
		return nil
	}
	if err := s.finish(math.MaxInt64); err != nil {
		return err
	}
	array, err := tensorfile.Find(f.in, s, s.size, tensor)
	if err != nil {
		return unreadableArray(s.name, err)
	}
	s.array, s.start, s.size = &array, array.Start, array.Start+array.Bytes
	return nil
}

// settle steps over what stands before the data, of which there are so many bytes at most.
func (s *dataSource) settle(most int64) error {
	limit := int64(math.MaxInt64)
	if most < limit-s.start {
		limit = s.start + most + 1
	}
	if err := s.finish(limit); err != nil {
		return err
	}
	if s.start > s.size {
		return &usageError{fmt.Sprintf("%s has %d bytes, and %d are to be skipped", s.name, s.size, s.start), ""}
	}
	s.size -= s.start
	s.ReaderAt = io.NewSectionReader(s.ReaderAt, s.start, s.size)
	return nil
}

// unreadableArray says whose header is wrong.
func unreadableArray(name string, err error) error {
	var syntax *layout.SyntaxError
	if errors.As(err, &syntax) {
		return &usageError{name + ": " + syntax.Msg, syntax.Hint}
	}
	var fault *doctree.Fault
	if errors.As(err, &fault) {
		return &usageError{name + ": " + fault.Error(), ""}
	}
	return unreadableData(name, err)
}

// unreadableData says that a file cannot be read, and why.
func unreadableData(name string, err error) error {
	var write *render.WriteError
	if errors.As(err, &write) {
		return err
	}
	var short *relayout.ShortError
	if errors.As(err, &short) {
		return &usageError{name + ": " + short.Error(), ""}
	}
	text := unreadable(err)
	if !errors.Is(err, fs.ErrNotExist) {
		text += errno(err)
	}
	return &usageError{name + ": " + text, ""}
}

// agrees refuses a shape and a layout whose storage has the sizes of the header in another order: the
// sizes were meant to be in the order that the header has them in. What is another shape altogether
// may be meant.
func (s *dataSource) agrees(from layout.Tensor) error {
	if s.array == nil {
		return nil
	}
	sizes, _, ok := from.Stored()
	if !ok || slices.Equal(sizes, s.array.Sizes) || !slices.Equal(slices.Sorted(slices.Values(sizes)), slices.Sorted(slices.Values(s.array.Sizes))) {
		return nil
	}
	stored, stated := layout.JoinInts(sizes, ","), layout.JoinInts(s.array.Sizes, ",")
	return &usageError{fmt.Sprintf("%s has the shape (%s), and the arguments say that it is stored as (%s)", s.name, stated, stored), "leave the shape out, or label its sizes: N=1,H=224,W=224,C=3"}
}

// errno is what the system says of an error, if it is one of its own.
func errno(err error) string {
	var number syscall.Errno
	if !errors.As(err, &number) {
		return ""
	}
	return ": " + number.Error()
}

// fits refuses data that is not that of the tensor: what lies behind the last element may be
// missing, and may be rounded up to a multiple of 4 bytes unless a header says how long it is.
func (s *dataSource) fits(p relayout.Plan, t layout.Tensor) error {
	least := p.SourceBytes()
	exact := max(least, t.Bytes(t.Reserved()))
	most := exact
	if s.array == nil {
		most = max(exact, t.BufferBytes())
	}
	if err := s.settle(most); err != nil {
		return err
	}
	have, need, word := s.size, least, "few"
	switch {
	case s.endless:
		return &usageError{fmt.Sprintf("%s must hold %d bytes for this tensor, and goes on behind them", s.name, exact), "head -c takes the beginning of a stream"}
	case have >= least && have <= most:
		return nil
	case have > most:
		need, word = exact, "many"
	}
	return &usageError{
		fmt.Sprintf("%s must hold %d bytes for this tensor, and holds %d: %d too %s", s.name, need, have, max(have-need, need-have), word),
		s.guess(t, need),
	}
}

// longHeader is how many bytes a header of raw data may have that a hint is given for.
const longHeader = 64 << 10

// guess is a hint what else the data may be.
func (s *dataSource) guess(t layout.Tensor, need int64) string {
	elements := max(t.Reserved(), 1)
	if bits := s.size * 8 / elements; s.size*8%elements == 0 && bits != t.DType().Bits() && s.array == nil {
		for _, d := range [...]string{"float64", "float32", "float16", "uint8", "uint4"} {
			if known, err := layout.ParseDType(d); err == nil && known.Bits() == bits {
				return fmt.Sprintf("elements of %d bits would fit: -t %s", bits, d)
			}
		}
	}
	surplus := s.size - need
	if surplus > 0 && surplus <= min(need, longHeader) && s.array == nil && t.Reserved() == t.Layout().Elements() {
		return fmt.Sprintf("--skip %d leaves out what stands before the data", s.start+surplus)
	}
	return "the shape, the layout and the type say how many bytes there are"
}
