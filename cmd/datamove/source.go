package datamove

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/cmd/files"
	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/input"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/relayout"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/layout/values"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// A Source is the data to move.
type Source struct {
	io.ReaderAt
	options Options
	streams Streams
	name    string            // for messages
	start   int64             // the offset of the data
	size    int64             // of ReaderAt: of the data alone, once settle has cut off the bytes before it
	in      input.Source      // the ending of its name may determine the kind of the file
	array   *tensorfile.Array // the array that the file's header describes; may be nil
	swap    int               // the number of bytes to reverse together, or 0
	cut     int64             // the bytes before the data that ReaderAt does not have
	made    bool              // the elements are computed from numbers in the file, and are not bytes of it
	close   func()

	buf     bytes.Buffer // the beginning of a pipe
	rest    io.Reader    // the rest of it; nil if it has been read
	endless bool         // the pipe has more than the requested bytes
}

// Open reads the header of the data in a file or a stream, and keeps a stream in memory or in a temporary file. The
// Source closes the file by calling end.
func Open(in input.Source, end func(), o Options, streams Streams) (*Source, error) {
	s := &Source{in: in, name: render.QuotePath(in.Name), options: o, streams: streams, swap: o.Swap, close: end}
	var err error
	if s.ReaderAt, s.size = in.File, in.Size; in.File == nil {
		err = s.spool(in.Stream)
	}
	if err == nil {
		err = s.find()
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Name returns the name of the source in messages.
func (s *Source) Name() string { return s.name }

// Array returns the array that the header of the file describes, or nil for raw data.
func (s *Source) Array() *tensorfile.Array { return s.array }

// Elements returns the data as elements of a tensor.
func (s *Source) Elements(t layout.Tensor) values.Data {
	start, before := s.start-s.cut, s.cut
	if s.made {
		before = values.NoPlace
	}
	return values.Data{Tensor: t, File: s, Start: start, Before: before, Bytes: s.size - start, Swap: s.swap}
}

// IsFile reports whether the source is a regular file, and not a pipe.
func (s *Source) IsFile() bool { return s.in.File != nil }

// Close closes the file. To close it again does no harm.
func (s *Source) Close() { s.close() }

// spoolLimit is the maximum number of bytes of a pipe that are kept in memory; a longer one goes to a temporary file.
const spoolLimit = 16 << 20

// spool keeps the beginning of a pipe, to find out whether it has a header.
func (s *Source) spool(in io.Reader) error {
	n, err := io.CopyN(&s.buf, in, spoolLimit)
	if err == nil {
		s.rest = in
	} else if err != io.EOF {
		return unreadable(s.name, err)
	}
	s.ReaderAt, s.size = bytes.NewReader(s.buf.Bytes()), n
	return nil
}

// temporaryData names the temporary file of a long pipe in messages.
const temporaryData = "the temporary file for standard input"

// finish keeps the rest of a long pipe too, up to limit bytes in all, in a temporary file. Its name is removed at once
// on systems that allow it.
func (s *Source) finish(limit int64) error {
	if s.rest == nil {
		return nil
	}
	files.IgnoreSizeSignal()
	file, err := os.CreateTemp("", ".layoutcalc-*")
	if err != nil {
		return render.WriteFailed(temporaryData, err)
	}
	gone, before := os.Remove(file.Name()) == nil, s.close
	s.close = func() {
		before()
		file.Close()
		if !gone {
			os.Remove(file.Name())
		}
	}
	in := io.LimitReader(io.MultiReader(&s.buf, s.rest), limit)
	if s.size, err = io.Copy(namedWriter{temporaryData, file}, in); err != nil {
		return unreadable(s.name, err)
	}
	s.ReaderAt, s.buf, s.rest, s.endless = file, bytes.Buffer{}, nil, s.size == limit
	return nil
}

// find finds the offset of the data: after the header of an array file, or after the bytes to skip.
func (s *Source) find() error {
	size := s.size
	if s.rest != nil {
		size = math.MaxInt64 // how much follows is not known yet
	}
	s.start = s.options.Skip
	if s.options.Raw {
		return nil
	}
	kind := input.HeaderFormat(s.in.Name, s, size)
	switch kind {
	case "onnx":
		return s.findInModel()
	case "":
		if other := tensorfile.FindSubstitute(s, s.size, false); other != nil && other.Rule == tensorfile.LFSPointer {
			return unreadable(s.name, other)
		}
		return nil
	}
	if err := s.finish(math.MaxInt64); err != nil {
		return err
	}
	array, err := tensorfile.Find(kind, s, s.size, s.options.Tensor)
	if err != nil {
		return unreadable(s.name, err)
	}
	s.array, s.start, s.size, s.swap = &array, array.Start, array.Start+array.Bytes, array.Swap
	return nil
}

// findInModel finds the data in an ONNX model or in the file that it names.
func (s *Source) findInModel() error {
	if err := s.finish(math.MaxInt64); err != nil {
		return err
	}
	model := s.in
	model.File, model.Size = s.ReaderAt, s.size
	m, err := model.Model()
	if err != nil {
		return unreadable(s.name, err)
	}
	place, err := m.Find(s.options.Tensor, model.Besides())
	if err != nil {
		return unreadable(s.name, err)
	}
	if s.made = place.Elements != nil; s.made {
		s.ReaderAt = bytes.NewReader(place.Elements)
	}
	if place.Location != "" {
		data, end, err := model.Data(place)
		if err != nil {
			return unreadable(s.name, err)
		}
		before := s.close
		s.close = func() {
			end()
			before()
		}
		s.ReaderAt, s.name = data.File, render.QuotePath(data.Name)
	}
	t := place.Tensor
	s.array = &tensorfile.Array{
		Kind: "onnx", Name: t.Name, TypeName: t.Type.String(), Bits: t.Type.Bits(), Sizes: t.Dims,
		Start: place.Start, Bytes: place.Bytes,
	}
	s.array.Type, s.array.TypeKnown = t.Type.DType()
	s.start, s.size = place.Start, place.Start+place.Bytes
	return nil
}

// unreadable returns the error for a file that cannot be read.
func unreadable(name string, err error) error {
	var write *render.WriteError
	var syntax *layout.SyntaxError
	var fault *doctree.Fault
	var short *relayout.ShortError
	switch {
	case errors.As(err, &write):
		return err
	case errors.As(err, &syntax):
		refused := lexer.Refuse(syntax.Hint, "%s: %s", name, syntax.Msg)
		refused.Change = syntax.Change
		return refused
	case errors.As(err, &fault):
		err = fault
	case errors.As(err, &short):
		err = short
	default:
		err = errors.New(wording.Unreadable(err))
	}
	return lexer.Refuse("", "%s: %v", name, err)
}

// CheckShape rejects a tensor if its storage has the sizes of the header in another order, because the sizes were meant
// to be in the header's order. Sizes that differ in more than their order are accepted, because they may be intended.
func (s *Source) CheckShape(from layout.Tensor) error {
	if s.array == nil {
		return nil
	}
	sizes, _, ok := analysis.Stored(from)
	if !ok || slices.Equal(sizes, s.array.Sizes) ||
		!slices.Equal(slices.Sorted(slices.Values(sizes)), slices.Sorted(slices.Values(s.array.Sizes))) {
		return nil
	}
	stored, stated := layout.JoinInts(sizes, ","), layout.JoinInts(s.array.Sizes, ",")
	return lexer.Refuse("remove the shape, or label its sizes: N=1,H=224,W=224,C=3",
		"%s has the shape (%s), and the arguments say that it is stored as (%s)", s.name, stated, stored)
}

// settle cuts off the bytes before the data, and reads the rest of a pipe up to most bytes of data and one more.
func (s *Source) settle(most int64) error {
	limit := int64(math.MaxInt64)
	if most < limit-s.start {
		limit = s.start + most + 1
	}
	if err := s.finish(limit); err != nil {
		return err
	}
	if s.start > s.size {
		return lexer.Refuse("", "%s has %s, and %d are to be skipped", s.name, wording.Count(s.size, "byte"), s.start)
	}
	s.size -= s.start
	s.cut = s.start
	s.ReaderAt = io.NewSectionReader(s.ReaderAt, s.start, s.size)
	return nil
}

// Fit rejects data if its size differs from the tensor's. The storage after the last element may be missing, and may be
// rounded up to a multiple of 4 bytes unless a header states its length.
func (s *Source) Fit(t layout.Tensor) error {
	_, last := t.Layout().Bounds()
	err := s.fits(t.Bytes(last+1), t)
	var refused *lexer.SyntaxError
	if errors.As(err, &refused) && refused.Change.Flag == "--skip" {
		refused.Hint, refused.Change = "", lexer.Change{}
	}
	return err
}

// fits is like Fit. The tensor's elements are in the first least bytes.
func (s *Source) fits(least int64, t layout.Tensor) error {
	exact := max(least, t.Bytes(t.Reserved()))
	most := exact
	if s.array == nil {
		most = max(exact, t.DirectMLBytes())
	}
	if err := s.settle(most); err != nil {
		return err
	}
	need, word := least, "few"
	switch {
	case s.endless:
		return lexer.Refuse("head -c takes the beginning of a stream",
			"%s must hold %s for this tensor, and holds more", s.name, wording.Count(exact, "byte"))
	case s.size > most:
		need, word = exact, "many"
	case s.size >= least:
		return nil
	}
	err := lexer.Refuse("", "%s must hold %s for this tensor, and holds %d: %d too %s",
		s.name, wording.Count(need, "byte"), s.size, max(s.size-need, need-s.size), word)
	err.Hint, err.Change = s.guess(t, need)
	return err
}

// longHeader is the longest header of raw data, in bytes, that a hint proposes to skip.
const longHeader = 64 << 10

// guess returns a hint about another type or layout that would fit the data.
func (s *Source) guess(t layout.Tensor, need int64) (hint string, change lexer.Change) {
	elements := max(t.Reserved(), 1)
	if bits := s.size * 8 / elements; s.size*8%elements == 0 && bits != t.DType().Bits() && s.array == nil {
		for _, d := range [...]string{"float64", "float32", "float16", "uint8", "uint4"} {
			if known, err := layout.ParseDType(d); err == nil && known.Bits() == bits {
				return "elements of " + wording.Count(bits, "bit") + " would fit: -t " + d,
					lexer.Change{Flag: "-t", Value: d}
			}
		}
	}
	surplus, whole := s.size-need, t.Reserved() == t.Layout().Elements()
	if surplus > 0 && surplus <= min(need, longHeader) && s.array == nil && whole {
		skip := strconv.FormatInt(s.start+surplus, 10)
		return "--skip " + skip + " skips the bytes before the data", lexer.Change{Flag: "--skip", Value: skip}
	}
	return "the shape, the layout and the type determine the number of bytes", lexer.Change{}
}

// openTarget opens the target, once nothing else can be wrong.
func (s *Source) openTarget(to layout.Tensor) (*target, error) {
	t := &target{out: s.streams.Out, ctx: context.Background(), stop: func() {}}
	path := s.options.Out
	var err error
	switch ending := strings.ToLower(filepath.Ext(path)); {
	case ending == ".npy":
		t.header, err = s.npyHeader(to)
	case slices.Contains(containers[:], ending):
		err = lexer.Refuse("such as --out y.bin, or --out y.npy", "raw data and .npy are written, not %s", ending)
	}
	if err != nil {
		return nil, err
	}
	if path == "-" {
		if _, terminal := s.streams.Terminal(s.streams.Out); terminal {
			return nil, lexer.Refuse("--out FILE, or a pipe after --out -", "data is not for a terminal")
		}
		return t, s.options.Guard.Start()
	}
	_, info, err := s.options.Guard.Target(path)
	if err != nil {
		return nil, render.WriteFailed(render.Quote(path), err)
	}
	special := info != nil && !info.Mode().IsRegular()
	if info != nil && !special && !s.options.Force {
		return nil, lexer.Refuse("--force replaces it, once the new file is whole",
			"%s already exists", render.Quote(path))
	}
	t.name = render.Quote(path)
	if !special {
		// A signal ends the context from here on, for the file must be removed; a second one ends the program. A pipe
		// or a device is not removed, so that the first signal ends the program.
		t.ctx, t.stop = files.Interruptible()
	}
	if t.file, err = s.options.Guard.Replace(path); err == nil {
		t.out, t.file.Yields = t.file.File, !s.options.Force
		t.file.Sync = t.file.Sync || s.options.Sync
	}
	err = render.WriteFailed(t.name, err)
	if err == nil && !t.regular() {
		const msg = "%s is not a regular file: it cannot be "
		switch {
		case s.options.Verify:
			err = lexer.Refuse("", msg+"read back to verify it", t.name).LeaveOut("--verify")
		case s.options.Sync:
			err = lexer.Refuse("", msg+"synced", t.name).LeaveOut("--sync")
		}
	}
	if err != nil {
		t.drop()
		return nil, err
	}
	return t, nil
}
