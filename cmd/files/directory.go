package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Beside returns the directory of a file as a file system that opens only regular files that the file names. It follows
// links that stay in the directory, or, if the file is itself a link, in the directory of its target, as in the cache
// of Hugging Face.
func (g *Guard) Beside(file string) fs.FS { return beside{file, g} }

type beside struct {
	file  string
	guard *Guard
}

// Sub returns a directory in this one.
func (d beside) Sub(dir string) (fs.FS, error) {
	return d.guard.Beside(filepath.Join(filepath.Dir(d.file), filepath.FromSlash(dir), filepath.Base(d.file))), nil
}

// path returns the path of a name in the directory, for package os.
func (d beside) path(name string) string {
	return d.guard.Path(filepath.Join(filepath.Dir(d.file), filepath.FromSlash(name)))
}

// resolve returns the real directory around a file, and the path of the file from there.
func (d beside) resolve(name string) (root rootFS, inside string, err error) {
	if !fs.ValidPath(name) {
		return root, "", fs.ErrInvalid
	}
	target, err := real(d.path(name))
	if err != nil {
		return root, "", err
	}
	own, _ := real(d.path("."))
	file, _ := real(d.guard.Path(d.file))
	for _, dir := range [...]string{own, filepath.Dir(file)} {
		if inside, err := filepath.Rel(dir, target); err == nil && filepath.IsLocal(inside) {
			return rootFS{dir, d.guard}, inside, nil
		}
	}
	if link := d.LinkOf(name); link != "" {
		return root, "", errors.New("it is " + link + ", outside of the directory")
	}
	return root, "", errors.New("it points outside the directory")
}

// real returns the absolute path of a file without links, empty if there is no such file.
func real(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// Stat describes a file without opening it.
func (d beside) Stat(name string) (fs.FileInfo, error) {
	info, err := os.Stat(d.path(name))
	if err == nil && info.Mode().IsRegular() {
		_, _, err = d.resolve(name)
	}
	return info, err
}

// Open opens a regular file, or the directory itself. It stays inside even if links change at the same time.
func (d beside) Open(name string) (fs.File, error) {
	if name == "." {
		return os.Open(d.path(name))
	}
	root, inside, err := d.resolve(name)
	if err != nil {
		return nil, err
	}
	info, err := root.Stat(inside)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file")
	}
	if err != nil {
		return nil, err
	}
	return root.Open(inside)
}

// LinkOf describes the name of a link, "a link to x.bin", or one of several names of a file. It is empty for all other
// names.
func (d beside) LinkOf(name string) string {
	to, _ := os.Readlink(d.path(name))
	info, err := os.Lstat(d.path(name))
	switch {
	case to != "":
		return "a link to " + to
	case err == nil && (info.Mode()&fs.ModeSymlink != 0 || names(info) > 1):
		return "a link"
	}
	return ""
}

// Root returns a directory as a file system. Paths and links that point outside it are errors. It keeps nothing open.
func (g *Guard) Root(dir string) fs.FS { return rootFS{g.Path(dir), g} }

type rootFS struct {
	dir   string
	guard *Guard
}

// Open opens a file or a directory.
func (r rootFS) Open(name string) (fs.File, error) {
	f, err := os.OpenInRoot(r.dir, filepath.FromSlash(name))
	return r.guard.opened(f, filepath.Join(r.dir, name), err)
}

// Stat describes a file without opening it: to open a pipe may take forever.
func (r rootFS) Stat(name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(r.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Stat(filepath.FromSlash(name))
}

// Dir returns a directory of the system.
func (g *Guard) Dir(dir string) fs.FS {
	dir = g.Path(dir)
	return dirFS{os.DirFS(dir).(statFS), dir, g}
}

// A statFS is a directory as package os opens it.
type statFS interface {
	fs.StatFS
	fs.ReadLinkFS
}

type dirFS struct {
	statFS
	dir   string
	guard *Guard
}

// Open opens a file or a directory.
func (d dirFS) Open(name string) (fs.File, error) {
	f, err := d.statFS.Open(name)
	return d.guard.opened(f, filepath.Join(d.dir, name), err)
}

// opened remembers that the call reads a file, if it could be opened.
func (g *Guard) opened(f fs.File, path string, err error) (fs.File, error) {
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil {
		g.Reads(path, info)
	}
	return f, nil
}

// Stat is like os.Stat, but reports that the file does not exist if path is the name of a device or a name that no
// file can have.
func (g *Guard) Stat(path string) (fs.FileInfo, error) {
	if isDevice(path) {
		return nil, &fs.PathError{Op: "stat", Path: path, Err: fs.ErrNotExist}
	}
	info, err := os.Stat(g.Path(path))
	if isNoName(err) {
		err = &fs.PathError{Op: "stat", Path: path, Err: fs.ErrNotExist}
	}
	return info, Named(path, err)
}

// Open is like os.Open.
func (g *Guard) Open(path string) (*os.File, error) {
	file, err := os.Open(g.Path(path))
	return file, Named(path, err)
}

// Named returns the error of a call of package os, with the path that the user typed.
func Named(path string, err error) error {
	if e, ok := err.(*fs.PathError); ok {
		e.Path = path
	}
	return err
}
