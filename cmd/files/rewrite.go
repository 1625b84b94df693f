package files

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// ErrChanged is the error if the content of a file has changed since the call read it.
var ErrChanged = errors.New("it was changed meanwhile")

// Rewritable reports whether path is a regular file without other names, so that an output may replace it.
func (g *Guard) Rewritable(path string) bool {
	_, info, err := g.Target(path)
	return err == nil && info != nil && info.Mode().IsRegular() && names(info) == 1
}

// Rewrite replaces the content of a file that the call has read, but not of a file without permission to write.
func (g *Guard) Rewrite(path string, before, after []byte) error {
	target, _, err := g.Target(path)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(target, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	g.Forget(g.Identify(target, info))
	err = g.WriteWhole(path, false, func(w io.Writer) error {
		if _, err := w.Write(after); err != nil {
			return err
		}
		now, err := io.ReadAll(io.LimitReader(file, int64(len(before))+1))
		file.Close() // Windows replaces no file that is open
		if named, wrong := os.Lstat(target); err == nil &&
			(wrong != nil || !os.SameFile(named, info) || !bytes.Equal(now, before)) {
			err = ErrChanged
		}
		return err
	})
	if named, wrong := os.Stat(target); wrong == nil {
		info = named
	}
	g.Reads(target, info)
	return err
}
