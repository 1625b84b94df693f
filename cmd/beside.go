package cmd

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"layoutcalc/layout/input"
)

// beside returns what opens the files below the directory of a file, by paths with slashes. A link is followed where it
// stays in that directory, or in the one that the file itself is linked from, as in the cache of Hugging Face. Nothing
// else is opened, and nothing that is not a regular file.
func beside(path string) input.Opener {
	return func(location string) (input.Source, func(), error) {
		fail := func(err error) (input.Source, func(), error) {
			var inPath *fs.PathError
			if errors.As(err, &inPath) {
				err = inPath.Err
			}
			return input.Source{}, nil, &fs.PathError{Op: "open", Path: location, Err: err}
		}
		name := filepath.Join(filepath.Dir(path), filepath.FromSlash(location))
		own, err := filepath.EvalSymlinks(path)
		if err != nil {
			return fail(err)
		}
		target, err := filepath.EvalSymlinks(name)
		if errors.Is(err, fs.ErrNotExist) {
			return fail(errors.New("there is no such file"))
		} else if err != nil {
			return fail(err)
		}
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return fail(err)
		}
		if !isInside(target, dir) {
			dir = filepath.Dir(own)
		}
		if !filepath.IsLocal(filepath.FromSlash(location)) || !isInside(target, dir) {
			return fail(errors.New("it leads outside of the directory"))
		}
		return openRegular(dir, target, own, name)
	}
}

// openRegular opens a file in a directory, which it cannot leave even if links change meanwhile.
func openRegular(dir, target, own, name string) (s input.Source, end func(), err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return s, nil, err
	}
	defer root.Close()
	inside, err := filepath.Rel(dir, target)
	if err != nil {
		return s, nil, err
	}
	info, err := root.Stat(inside)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: inside, Err: errors.New("it is not a regular file")}
	}
	if err != nil {
		return s, nil, err
	}
	file, err := root.Open(inside)
	if err != nil {
		return s, nil, err
	}
	first, firstErr := os.Stat(own)
	link, linkErr := os.Lstat(name)
	s = input.Source{Name: name, File: file, Size: info.Size()}
	s.Link = linkErr == nil && link.Mode()&fs.ModeSymlink != 0 || links(info) > 1
	s.Same = firstErr == nil && os.SameFile(first, info)
	return s, func() { file.Close() }, nil
}
