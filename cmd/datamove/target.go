package datamove

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"layoutcalc/cmd/files"
	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/relayout"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/render"
)

// A target is the destination of the moved data.
type target struct {
	file   *files.Replacement // nil for standard output
	out    io.Writer
	name   string // empty for standard output
	header []byte
	ctx    context.Context // ends when a signal ends the program
	stop   context.CancelFunc
}

// containers are endings of files with formats that raw data does not have.
var containers = [...]string{
	".safetensors", ".gguf", ".npz", ".pt", ".pth", ".onnx", ".h5", ".gz", ".zip", ".json", ".png",
}

// npyHeader returns the header for a tensor that is stored as an array.
func (s *Source) npyHeader(to layout.Tensor) ([]byte, error) {
	sizes, columnMajor, ok := analysis.Stored(to)
	if !ok {
		return nil, lexer.Refuse("write a raw file, such as --out y.bin", "a .npy file cannot hold padding and offsets")
	}
	descr := to.DType().In(layout.NumPy)
	if a := s.array; a != nil && a.Kind == "npy" && !a.TypeKnown && a.Bits == to.DType().Bits() {
		descr = strings.Replace(a.TypeName, ">", "<", 1)
	}
	if descr == "" {
		hint := "write a raw file, such as --out y.bin"
		if bits := to.DType().Bits(); bits >= 8 {
			hint += fmt.Sprintf(", or name a type with the same number of bits: -t uint%d", bits)
		}
		return nil, lexer.Refuse(hint, "NumPy has no type %v", to.DType())
	}
	return tensorfile.AppendNpyHeader(nil, descr, sizes, columnMajor), nil
}

// regular reports whether the target is a regular file: one that can be written at any offset and read back.
func (t *target) regular() bool { return t.file != nil && t.file.IsRegular() }

// write moves the data.
func (t *target) write(p relayout.Plan, src io.ReaderAt, o relayout.Options) error {
	out := namedWriter{t.name, t.out}
	if _, err := out.Write(t.header); err != nil {
		return err
	}
	if !t.regular() {
		return p.Stream(t.ctx, out, src, o)
	}
	start := int64(len(t.header))
	if err := t.file.File.Truncate(start + p.TargetBytes()); err != nil {
		return render.WriteFailed(t.name, err)
	}
	var dst io.WriterAt = t.file.File
	if t.file.Sync && p.TargetBytes() >= largeFile {
		dst = writeback{t.file.File}
	}
	if s, ok := src.(*Source); ok && isSparse(s.ReaderAt) {
		dst = sparse{dst}
	}
	err := p.Copy(t.ctx, namedWriterAt{t.name, io.NewOffsetWriter(dst, start)}, src, o)
	if err == nil && t.file.Sync {
		err = render.WriteFailed(t.name, t.file.File.Sync())
	}
	return err
}

// largeFile is the minimum size in bytes for writing a file to disk while more of it is moved, if the file is to be
// synced.
const largeFile = 32 << 20

// isSparse reports whether the data comes from a file with holes.
func isSparse(src io.ReaderAt) bool {
	for section, ok := src.(*io.SectionReader); ok; section, ok = src.(*io.SectionReader) {
		src, _, _ = section.Outer()
	}
	file, ok := src.(fs.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && files.IsSparse(info)
}

// A sparse file starts as zeros. Zeros are not written to it: they stay holes.
type sparse struct{ io.WriterAt }

// hole is the number of zero bytes that are skipped at once.
const hole = 16 << 10

// WriteAt writes the blocks with bytes other than 0.
func (f sparse) WriteAt(b []byte, at int64) (n int, err error) {
	for n < len(b) && err == nil {
		piece := b[n:min(n+hole, len(b))]
		k := len(piece)
		if piece[0] != 0 || !bytes.Equal(piece[1:], piece[:k-1]) {
			k, err = f.WriterAt.WriteAt(piece, at+int64(n))
		}
		n += k
	}
	return n, err
}

// data returns the written bytes, to be read back.
func (t *target) data(bytes int64) io.ReaderAt {
	return io.NewSectionReader(t.file.File, int64(len(t.header)), bytes)
}

// keep moves the file to its path.
func (t *target) keep() error {
	if t.file == nil {
		return nil
	}
	return render.WriteFailed(t.name, t.file.Keep())
}

// drop removes the file unless keep has moved it.
func (t *target) drop() {
	t.stop()
	if t.file != nil {
		t.file.Drop()
	}
}

// A namedWriter names the file in its errors, to distinguish errors of the target from errors of the source.
type namedWriter struct {
	name string
	w    io.Writer
}

func (f namedWriter) Write(b []byte) (int, error) {
	n, err := f.w.Write(b)
	return n, render.WriteFailed(f.name, err)
}

// A namedWriterAt is a namedWriter for files.
type namedWriterAt struct {
	name string
	w    io.WriterAt
}

func (f namedWriterAt) WriteAt(b []byte, at int64) (int, error) {
	n, err := f.w.WriteAt(b, at)
	return n, render.WriteFailed(f.name, err)
}
