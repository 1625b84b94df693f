// Package files writes files whole or not at all, says on the terminal how far work is, and takes note of signals that end
// it. It imports no other package of the module.
package files

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// A Replacement is a new file that takes the place of an old one once it is whole.
type Replacement struct {
	File   *os.File
	Yields bool   // to a file that has appeared at its path meanwhile
	path   string // where it goes; empty for a pipe or a device, which is written directly
}

// Replace starts a file in the directory of the one that the path leads to. A pipe or a device is written directly.
func Replace(path string) (*Replacement, error) {
	ignoreSizeSignal()
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &Replacement{File: file}, err
	}
	if path, err = followed(path); err != nil {
		return nil, err
	}
	if info == nil {
		file, err := createIn(filepath.Dir(path), 0o666)
		return &Replacement{File: file, path: path}, err
	}
	file, err := createIn(filepath.Dir(path), 0o600)
	if err != nil {
		return nil, err
	}
	r := &Replacement{File: file, path: path}
	if err := file.Chmod(info.Mode().Perm()); err != nil {
		r.Drop()
		return nil, err
	}
	return r, nil
}

// WriteWhole writes a file that takes the place of an old one once it is whole.
func WriteWhole(path string, write func(io.Writer) error) error {
	r, err := Replace(path)
	if err != nil {
		return err
	}
	defer r.Drop()
	if err := write(r.File); err != nil {
		return err
	}
	return r.Keep()
}

// followed returns what a link leads to, even if that does not exist yet.
func followed(path string) (string, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target, nil
	}
	for range maxLinks {
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil
		}
		if !filepath.IsAbs(target) {
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return path, nil
			}
			target = dir + string(filepath.Separator) + target
		}
		path = target
	}
	return "", syscall.ELOOP
}

// maxLinks is how many links are followed, as many as Linux does.
const maxLinks = 40

// createIn creates a hidden file of a new name, with these permissions less the umask.
func createIn(dir string, perm os.FileMode) (*os.File, error) {
	for {
		name := filepath.Join(dir, ".layoutcalc-"+strconv.FormatUint(rand.Uint64(), 36))
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// Temporary creates a file for what the program keeps for itself, in the directory of the system for such files.
func Temporary() (*os.File, error) {
	ignoreSizeSignal()
	return createIn(os.TempDir(), 0o600)
}

// IsRegular reports whether the file is a regular one, which can be written at any offset and read back.
func (r *Replacement) IsRegular() bool { return r.path != "" }

// Keep puts the file in place.
func (r *Replacement) Keep() error {
	err := r.File.Close()
	if err == nil && r.path != "" {
		err = r.settle()
	}
	if err == nil {
		r.File = nil
	}
	return err
}

// settle gives the file its name.
func (r *Replacement) settle() error {
	name := r.File.Name()
	if !r.Yields {
		return os.Rename(name, r.path)
	}
	switch err := os.Link(name, r.path); {
	case err == nil:
		_ = os.Remove(name) // the file has two names now
		return nil
	case errors.Is(err, fs.ErrExist):
		return err
	}
	return os.Rename(name, r.path) // the file system has no links
}

// Drop removes the file unless it is in place.
func (r *Replacement) Drop() {
	if r.File == nil {
		return
	}
	r.File.Close()
	if r.path != "" {
		os.Remove(r.File.Name())
	}
	r.File = nil
}
