package check

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"layoutcalc/cmd/files"
)

// upward returns the nearest directory that has a file with one of the names, and the name. It starts at dir and ends
// at the root of the repository. It returns empty strings if there is no such directory.
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

// Repository returns the root of the repository around dir, an absolute path, or dir itself if it is not in a
// repository.
func Repository(dir string) string {
	top, _ := upward(dir, ".git")
	return cmp.Or(top, dir)
}

// A workDir is the absolute path of the directory that relative paths are relative to. It is empty if it is unknown.
type workDir string

func newWorkDir(g *files.Guard) workDir {
	dir, _ := filepath.Abs(g.Path("."))
	return workDir(dir)
}

// name returns path relative to w, as messages name it.
func (w workDir) name(path string) string {
	rel, _ := filepath.Rel(string(w), path)
	return cmp.Or(rel, path)
}

// absolute returns the absolute form of path, without resolving links.
func (w workDir) absolute(path string) string {
	isRooted := path != "" && os.IsPathSeparator(path[0]) || filepath.VolumeName(path) != ""
	if w != "" && !isRooted {
		return filepath.Join(string(w), path)
	}
	whole, _ := filepath.Abs(path)
	return cmp.Or(whole, path)
}

// real returns the absolute path with links resolved, or just the absolute path if the file does not exist.
func (w workDir) real(path string) string {
	path = w.absolute(path)
	real, _ := filepath.EvalSymlinks(path)
	return cmp.Or(real, path)
}

// linkTo returns " (to TARGET)" for a link, and an empty string for other files.
func (r *run) linkTo(path string) string {
	if to, err := os.Readlink(r.Guard.Path(path)); err == nil {
		return " (to " + to + ")"
	}
	return ""
}

// within returns path relative to dir, with slashes. It returns false if the file is not in dir.
func (w workDir) within(dir, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(w.absolute(dir), w.absolute(path))
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// A linkBoundary is the directory that links must not point outside of: the root of a repository, or a directory
// without one.
type linkBoundary struct {
	top     string // the path of the directory, with links resolved
	outside bool   // the directory that has the files is itself outside
}

// isOutside reports whether path points outside the boundary, or to git's own files inside it. A path that does not
// exist is not outside.
func (w workDir) isOutside(b linkBoundary, path string) bool {
	real, err := filepath.EvalSymlinks(w.absolute(path))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	rel, ok := w.within(b.top, real)
	return !ok || strings.Contains("/"+rel+"/", "/.git/")
}
