package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"layoutcalc/layout"
	"layoutcalc/layout/relayout"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/render"
)

// A dataTarget is where the moved data goes.
type dataTarget struct {
	file   *replacement // nil for standard output
	out    io.Writer
	name   string // empty for standard output
	header []byte
	ctx    context.Context // ends when nobody wants the data any more
	stop   context.CancelFunc
}

// containers are endings of files that raw data would not be read as.
var containers = [...]string{".safetensors", ".gguf", ".npz", ".pt", ".pth", ".onnx", ".h5", ".gz", ".zip", ".json", ".png"}

// openTarget opens it, once nothing else can be wrong.
func (a *app) openTarget(f *dataFlags, src *dataSource, to layout.Tensor) (*dataTarget, error) {
	t := &dataTarget{out: a.streams.Out, ctx: context.Background(), stop: func() {}}
	var err error
	switch ending := strings.ToLower(filepath.Ext(f.out)); {
	case ending == ".npy":
		t.header, err = npyHeader(src, to)
	case slices.Contains(containers[:], ending):
		err = &usageError{"raw data and .npy are written, no " + ending, "such as --out y.bin, or --out y.npy"}
	}
	if err != nil {
		return nil, err
	}
	if f.out == "-" {
		if _, terminal := terminalWidth(a.streams.Out); terminal {
			return nil, &usageError{"data is not for a terminal", "--out FILE, or a pipe behind --out -"}
		}
		return t, nil
	}
	info, err := os.Stat(f.out)
	special := err == nil && !info.Mode().IsRegular()
	if err == nil && !special && !f.force {
		return nil, &usageError{render.Quote(f.out) + " is there already", "--force replaces it, once the new file is whole"}
	}
	t.name = render.Quote(f.out)
	if err = t.replace(f.out, special); err == nil {
		t.file.yields = !f.force
	}
	if err == nil && f.verify && !t.regular() {
		err = &usageError{t.name + " is no file: it cannot be read back to verify it", "leave out --verify"}
	}
	if err != nil {
		t.drop()
		return nil, err
	}
	return t, nil
}

// replace starts the file. From then on, signals end the context, for the file must go away; a second
// one ends the program. A pipe or a device stays, so that the first one does.
func (t *dataTarget) replace(path string, special bool) (err error) {
	if !special {
		t.ctx, t.stop = signal.NotifyContext(context.Background(), endings()...)
		context.AfterFunc(t.ctx, t.stop)
	}
	if t.file, err = replace(path); err != nil {
		return writeErrorOf(t.name, err)
	}
	t.out = t.file.file
	return nil
}

// endings are the signals by which the user, or the system, wants no more.
func endings() []os.Signal {
	return slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}, signal.Ignored)
}

// npyHeader returns the header for a tensor whose storage is an array.
func npyHeader(src *dataSource, to layout.Tensor) ([]byte, error) {
	sizes, columnMajor, ok := to.Stored()
	if !ok {
		return nil, &usageError{"a .npy file has no room for padding and offsets", "write a raw file, such as --out y.bin"}
	}
	descr, ok := tensorfile.NpyType(to.DType())
	if a := src.array; a != nil && a.Kind == "npy" && !a.TypeKnown && a.Bits == to.DType().Bits() {
		descr, ok = strings.Replace(a.TypeName, ">", "<", 1), true
	}
	if !ok {
		hint := "write a raw file, such as --out y.bin"
		if bits := to.DType().Bits(); bits >= 8 {
			hint += fmt.Sprintf(", or name a type of as many bits: -t uint%d", bits)
		}
		return nil, &usageError{"NumPy has no type " + to.DType().String(), hint}
	}
	return tensorfile.AppendNpyHeader(nil, descr, sizes, columnMajor), nil
}

// regular reports whether the target is a file that is written anywhere, and read back.
func (t *dataTarget) regular() bool { return t.file != nil && t.file.path != "" }

// write moves the data.
func (t *dataTarget) write(p relayout.Plan, src io.ReaderAt, o relayout.Options) error {
	out := namedWriter{t.name, t.out}
	if _, err := out.Write(t.header); err != nil {
		return err
	}
	if !t.regular() {
		return p.Stream(t.ctx, out, src, o)
	}
	start := int64(len(t.header))
	if err := t.file.file.Truncate(start + p.TargetBytes()); err != nil {
		return writeErrorOf(t.name, err)
	}
	synced := t.syncEarly(p.TargetBytes())
	err := p.Copy(t.ctx, namedWriterAt{t.name, io.NewOffsetWriter(t.file.file, start)}, src, o)
	if early := synced(); err == nil {
		err = writeErrorOf(t.name, early)
	}
	if err == nil {
		err = writeErrorOf(t.name, t.file.file.Sync())
	}
	return err
}

const (
	largeFile = 32 << 20              // bytes of a file that is synced while it is written
	syncEvery = 20 * time.Millisecond // how often
)

// syncEarly has the system write a large file while more of it is moved: at the end, little is left to
// be written. It returns what ends that and tells what failed, which the system tells only once.
func (t *dataTarget) syncEarly(bytes int64) (end func() error) {
	if bytes < largeFile {
		return func() error { return nil }
	}
	stop, failed := make(chan struct{}), make(chan error, 1)
	go func() {
		var err error
		for err == nil {
			select {
			case <-stop:
				failed <- nil
				return
			case <-time.After(syncEvery):
				err = t.file.file.Sync()
			}
		}
		failed <- err
	}()
	return func() error {
		close(stop)
		return <-failed
	}
}

// data is the data, to be read back.
func (t *dataTarget) data(bytes int64) io.ReaderAt {
	return io.NewSectionReader(t.file.file, int64(len(t.header)), bytes)
}

// keep puts the file in place.
func (t *dataTarget) keep() error {
	if t.file == nil {
		return nil
	}
	return writeErrorOf(t.name, t.file.keep())
}

// drop removes the file unless it is in place.
func (t *dataTarget) drop() {
	t.stop()
	if t.file != nil {
		t.file.drop()
	}
}

// A namedWriter says what could not be written: errors of the target are told from those of the source.
type namedWriter struct {
	name string
	w    io.Writer
}

// Write writes, and says whose fault it is.
func (f namedWriter) Write(b []byte) (int, error) {
	n, err := f.w.Write(b)
	return n, writeErrorOf(f.name, err)
}

// A namedWriterAt does that for files.
type namedWriterAt struct {
	name string
	w    io.WriterAt
}

// WriteAt writes, and says whose fault it is.
func (f namedWriterAt) WriteAt(b []byte, at int64) (int, error) {
	n, err := f.w.WriteAt(b, at)
	return n, writeErrorOf(f.name, err)
}
