package cmd

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"layoutcalc/cmd/files"
	"layoutcalc/cmd/suggest"
	"layoutcalc/layout/input"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// Open opens a file, or standard input.
func (a *app) Open(path string) (input.Source, func(), error) {
	s, end := input.Source{Name: path, Stream: a.streams.In}, func() {}
	file, isFile := a.streams.In.(*os.File)
	switch {
	case path == "-" && a.readInput:
		return s, end, input.ErrReadTwice
	case path == "-":
		a.readInput = true
		if err := a.reach(); err != nil {
			return s, end, err
		}
	case path == "":
		return s, end, refuse("the name of a file is missing", "such as @layout.txt")
	default:
		var err error
		if file, s.Endless, err = a.openFile(path); err != nil {
			return s, end, err
		}
		isFile, end, s.Stream = true, func() { file.Close() }, file
		s.Beside = a.Beside(path)
	}
	if !isFile {
		return s, end, nil
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = suggest.About(&fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}, suggest.Directory, path)
	}
	if err != nil {
		end()
		return s, nil, err
	}
	a.Reads(file.Name(), info)
	if start, err := file.Seek(0, io.SeekCurrent); err == nil && info.Mode().IsRegular() {
		s.Size = max(info.Size()-start, 0)
		s.File = io.NewSectionReader(file, start, s.Size)
		if a.dry != nil {
			s.File = io.NewSectionReader(dryFile{file, a}, start, s.Size)
		}
	}
	return s, end, nil
}

// maxNear is the maximum number of files that near compares with a misspelt one.
const maxNear = 10_000

// near returns the path of a file next to a missing one with a similar name, or an empty string. A line of a batch gets
// no file names.
func (a *app) near(path string) string {
	if a.line.touches(path) != nil {
		return ""
	}
	dir, name := filepath.Split(path)
	d, err := a.Guard.Open(cmp.Or(dir, "."))
	if err != nil {
		return ""
	}
	defer d.Close()
	names, _ := d.Readdirnames(maxNear)
	if meant := wording.Likely(name, names); meant != "" {
		return dir + meant
	}
	return ""
}

// openFile opens a file that this call may read. It reports endless for a pipe or a device, which ends a dry run.
func (a *app) openFile(path string) (file *os.File, endless bool, err error) {
	if err := a.line.touches(path); err != nil {
		return nil, false, &input.AbsentError{Err: err} // as for a file that does not exist, which must not show
	}
	info, err := a.Stat(path)
	if err != nil {
		return nil, false, &input.AbsentError{Err: suggest.About(err, suggest.File, path)}
	}
	if endless = !info.Mode().IsRegular() && !info.IsDir(); endless {
		err = a.unlinked(path)
	}
	if err == nil && endless {
		err = a.reach()
	}
	if err == nil {
		file, err = a.Guard.Open(path)
	}
	return file, endless, err
}

// unlinked rejects the path of a pipe or a device if it goes through a link that other users may have made.
func (a *app) unlinked(path string) error {
	if to := a.FencedLink(path); to != "" {
		return refuse(render.QuotePath(path)+" is a link (to "+render.Quote(to)+") to what is not a regular file",
			"name the pipe or the device itself")
	}
	return nil
}

// textOf returns the argument, or the content of the file or the stream that it names.
func (a *app) textOf(arg string) (string, error) {
	path, isSource := input.Path(arg)
	if !isSource {
		return arg, nil
	}
	return textIn(a, path, lexer.MaxText)
}

// textIn returns the content of a file or a stream, up to one byte more than most.
func textIn(a *app, path string, most int64) (string, error) {
	s, end, err := a.Open(path)
	if err != nil {
		return "", err
	}
	defer end()
	data, err := io.ReadAll(io.LimitReader(input.Words(s.Reader()), most+1))
	return strings.TrimSpace(string(data)), files.Named(path, err)
}

// lines yields the values of the non-empty lines of a source. Before it waits for input, it flushes the printer, so
// that programs can communicate through pipes.
func lines[T any](a *app, p *render.Printer, path string, parse func(string) (T, error)) (iter.Seq2[T, error], error) {
	s, end, err := a.Open(path)
	if err != nil {
		return nil, err
	}
	return func(yield func(T, error) bool) {
		var v T
		var err error
		defer end()
		if p.Flush() != nil { // a pipe may wait for output before it has input
			return
		}
		in := input.Words(bufio.NewReaderSize(s.Reader(), lexer.MaxText))
		for number := 1; err == nil; number++ {
			if !hasLine(in) && p.Flush() != nil {
				return
			}
			var line []byte
			line, err = in.ReadSlice('\n')
			text := strings.TrimSpace(string(line))
			if text != "" && err != bufio.ErrBufferFull {
				v, fault := parse(text)
				if fault != nil {
					yield(v, &input.Error{Line: number, Err: fault})
					return
				}
				if !yield(v, nil) {
					return
				}
			}
			if err != nil && err != io.EOF {
				fault := refuse(fmt.Sprintf("longer than %d bytes", lexer.MaxText), "")
				if err != bufio.ErrBufferFull {
					fault = refuse(render.QuotePath(path)+" cannot be read", "")
				}
				yield(v, &input.Error{Line: number, Err: fault})
			}
		}
	}, nil
}

// hasLine reports whether the buffer has a whole line.
func hasLine(in *bufio.Reader) bool {
	buffered, _ := in.Peek(in.Buffered())
	return bytes.IndexByte(buffered, '\n') >= 0
}

// withoutErrors yields values, each with a nil error.
func withoutErrors[T any](values iter.Seq[T]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for v := range values {
			if !yield(v, nil) {
				return
			}
		}
	}
}
