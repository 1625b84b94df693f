package cmd

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"layoutcalc/cmd/files"
)

// A directory is that of a file, for others that the file names. A link is followed where it stays in the directory, or
// in the one that the file itself is linked from, as in the cache of Hugging Face. Nothing else is opened, and nothing
// but regular files.
type directory struct {
	fs.FS
	file  string
	guard *files.Guard // is told what is read
}

// newDirectory returns the directory of a file.
func newDirectory(file string, g *files.Guard) fs.FS {
	return directory{os.DirFS(filepath.Dir(file)), file, g}
}

// Sub returns a directory in this one.
func (d directory) Sub(dir string) (fs.FS, error) {
	return newDirectory(filepath.Join(d.path(dir), filepath.Base(d.file)), d.guard), nil
}

// path returns the path of a name in the directory.
func (d directory) path(name string) string {
	return filepath.Join(filepath.Dir(d.file), filepath.FromSlash(name))
}

// errOutside is the error of a link that leaves the directory.
var errOutside = errors.New("it leads outside of the directory")

// resolve returns the directory that a file is really in or below, and its path from there.
func (d directory) resolve(name string) (dir, inside string, err error) {
	if !fs.ValidPath(name) {
		return "", "", fs.ErrInvalid
	}
	target, err := filepath.EvalSymlinks(d.path(name))
	if err != nil {
		return "", "", err
	}
	for _, of := range [...]string{filepath.Dir(d.file), d.file} {
		if dir, err = filepath.EvalSymlinks(of); err != nil {
			continue
		}
		if of == d.file {
			dir = filepath.Dir(dir)
		}
		if inside, ok := newWorkDir().within(dir, target); ok {
			return dir, inside, nil
		}
	}
	return "", "", errOutside
}

// Stat tells of a file without opening it.
func (d directory) Stat(name string) (fs.FileInfo, error) {
	info, err := os.Stat(d.path(name))
	if err == nil && info.Mode().IsRegular() {
		_, _, err = d.resolve(name)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: cause(err)}
	}
	return info, nil
}

// Open opens a regular file, or the directory itself. Links that change meanwhile do not lead out of it.
func (d directory) Open(name string) (fs.File, error) {
	if name == "." {
		return d.FS.Open(name)
	}
	dir, inside, err := d.resolve(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: cause(err)}
	}
	root := rootFS{dir, d.guard}
	info, err := root.Stat(inside)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("it is not a regular file")}
	}
	if err != nil {
		return nil, err
	}
	return root.Open(inside)
}

// cause returns what is wrong with a path, without the path.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// IsLink reports whether a name is that of a symbolic link, or of a file that has others.
func (d directory) IsLink(name string) bool {
	info, err := os.Lstat(d.path(name))
	return err == nil && (info.Mode()&fs.ModeSymlink != 0 || files.Names(info) > 1)
}
