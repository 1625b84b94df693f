package files

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// ErrChanged is the error of a file whose content has changed since the call read it.
var ErrChanged = errors.New("it was changed meanwhile")

// Rewritable reports whether a path is the only name of a regular file, and not a link.
func (g *Guard) Rewritable(path string) bool {
	info, err := os.Lstat(g.Path(path))
	return err == nil && info.Mode().IsRegular() && names(info) == 1
}

// Rewrite replaces the content of a file that the call has read, but not of a file without permission to write.
func (g *Guard) Rewrite(path string, before, after []byte) error {
	file, err := os.OpenFile(g.Path(path), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	g.Forget(g.Identify(path, info))
	err = g.WriteWhole(path, false, func(w io.Writer) error {
		if _, err := w.Write(after); err != nil {
			return err
		}
		now, err := io.ReadAll(io.LimitReader(file, int64(len(before))+1))
		file.Close() // Windows replaces no file that is open
		if named, wrong := os.Lstat(g.Path(path)); err == nil &&
			(wrong != nil || !os.SameFile(named, info) || !bytes.Equal(now, before)) {
			err = ErrChanged
		}
		return err
	})
	if named, wrong := os.Stat(g.Path(path)); wrong == nil {
		info = named
	}
	g.Reads(path, info)
	return err
}
