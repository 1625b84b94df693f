package cmd

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// A replacement is a new file that takes the place of an old one when it is whole.
type replacement struct {
	file   *os.File
	path   string // where it goes; empty for a pipe or a device, which is written as it is
	yields bool   // to what is there meanwhile
}

// replace starts a file beside the one that the path leads to. What is no file, a pipe or a device,
// is written as it is.
func replace(path string) (*replacement, error) {
	ignoreSizeSignal()
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &replacement{file: file}, err
	}
	if path, err = followed(path); err != nil {
		return nil, err
	}
	if info == nil {
		file, err := createIn(filepath.Dir(path), 0o666)
		return &replacement{file: file, path: path}, err
	}
	file, err := createIn(filepath.Dir(path), 0o600)
	if err != nil {
		return nil, err
	}
	r := &replacement{file: file, path: path}
	if err := file.Chmod(info.Mode().Perm()); err != nil {
		r.drop()
		return nil, err
	}
	return r, nil
}

// followed returns what a link leads to, even if that is not there yet.
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

// maxLinks is how many links are followed, as everywhere.
const maxLinks = 40

// createIn creates a hidden file under a name that no other has, with these rights or fewer.
func createIn(dir string, rights os.FileMode) (*os.File, error) {
	for {
		name := filepath.Join(dir, ".layoutcalc-"+strconv.FormatUint(rand.Uint64(), 36))
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, rights)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// keep puts the file in place.
func (r *replacement) keep() error {
	err := r.file.Close()
	if err == nil && r.path != "" {
		err = r.settle()
	}
	if err == nil {
		r.file = nil
	}
	return err
}

// settle gives the file its name.
func (r *replacement) settle() error {
	name := r.file.Name()
	if !r.yields {
		return os.Rename(name, r.path)
	}
	switch err := os.Link(name, r.path); {
	case err == nil:
		_ = os.Remove(name) // it has two names
		return nil
	case errors.Is(err, fs.ErrExist):
		return err
	}
	return os.Rename(name, r.path) // where files have but one
}

// drop removes the file unless it is in place.
func (r *replacement) drop() {
	if r.file == nil {
		return
	}
	r.file.Close()
	if r.path != "" {
		os.Remove(r.file.Name())
	}
	r.file = nil
}
