package inspect

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// upward returns the nearest directory that has a file of that name: dir, or one around it up to that of a repository;
// empty for none.
func upward(dir string, names ...string) (found, name string) {
	for {
		for _, name := range names {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				return dir, name
			}
		}
		_, err := os.Lstat(filepath.Join(dir, ".git"))
		around := filepath.Dir(dir)
		if err == nil || around == dir {
			return "", ""
		}
		dir = around
	}
}

// Repository returns the repository around dir, an absolute path, or dir itself if there is none.
func Repository(dir string) string {
	top, _ := upward(dir, ".git")
	return cmp.Or(top, dir)
}

// A workDir is the absolute path of the directory from which relative paths are resolved. It is empty if the system
// does not know it.
type workDir string

func newWorkDir(p Program) workDir {
	dir, _ := filepath.Abs(p.Path("."))
	return workDir(dir)
}

// name returns the path of a file as seen from the working directory.
func (w workDir) name(path string) string {
	rel, _ := filepath.Rel(string(w), path)
	return cmp.Or(rel, path)
}

// absolute returns a path from the root on: different files have different ones.
func (w workDir) absolute(path string) string {
	isRooted := path != "" && os.IsPathSeparator(path[0]) || filepath.VolumeName(path) != ""
	if w != "" && !isRooted {
		return filepath.Join(string(w), path)
	}
	whole, _ := filepath.Abs(path)
	return cmp.Or(whole, path)
}

// real returns the absolute path without links, as far as it leads anywhere.
func (w workDir) real(path string) string {
	path = w.absolute(path)
	real, _ := filepath.EvalSymlinks(path)
	return cmp.Or(real, path)
}

// linkTo returns where a link leads, as the link has it, in brackets after a blank; empty for other files.
func (r *run) linkTo(path string) string {
	if to, err := os.Readlink(r.program.Path(path)); err == nil {
		return " (to " + to + ")"
	}
	return ""
}

// within returns the path of a file as seen from a directory, with slashes; ok is false if the file is not in there.
func (w workDir) within(dir, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(w.absolute(dir), w.absolute(path))
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// A fence is the directory, without links, that links may not lead out of: the repository of a directory, or the
// directory itself where there is none. The files of git in there are outside too.
type fence struct {
	top string
	out bool // the directory of the files that are asked about leads out
}

// leaves reports whether a path leads out of a fence. One that leads nowhere does not.
func (w workDir) leaves(f fence, path string) bool {
	real, err := filepath.EvalSymlinks(w.absolute(path))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	rel, ok := w.within(f.top, real)
	return !ok || strings.Contains("/"+rel+"/", "/.git/")
}
