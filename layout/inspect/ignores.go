package inspect

import (
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"layoutcalc/layout/project"
)

// Ignores are the .gitignore files that concern the files of a directory: those in it and below, and in the directories
// around it that belong to the same repository, with the info/exclude of each repository. Directories are entered on
// the way down, in the order of a walk.
type Ignores struct {
	Notes []string // for the user: files that are not read

	open  func(dir string) fs.FS // a directory by its absolute path; nil where nothing is ignored
	work  *project.Work
	inner *scope
	size  int64 // bytes of the files that were read
	long  bool  // a file was too long
}

// A scope is a directory with patterns of its own, or a repository. The outermost one has all paths, and no patterns.
type scope struct {
	around     *scope
	dir        string // with a separator at the end; empty for the outermost
	list       project.List
	repository string // the root of its repository; empty outside of all
}

// The limits of files of patterns, in bytes.
const (
	maxIgnore  = 1 << 20
	maxIgnores = 8 << 20
)

// NewIgnores reads the files in a directory and around it, up to the top: the root of its repository or the directory
// itself. All paths are absolute.
func NewIgnores(top, dir string, open func(dir string) fs.FS, work *project.Work) *Ignores {
	g := &Ignores{open: open, work: work, inner: new(scope)}
	for i := len(top); i < len(dir); i++ {
		if i == len(top) || dir[i] == filepath.Separator {
			g.Enter(dir[:i])
		}
	}
	return g
}

// Enter comes to a directory that Excludes does not leave out, and reads its patterns.
func (g *Ignores) Enter(dir string) {
	if g.open == nil {
		return
	}
	inside := strings.TrimSuffix(dir, string(filepath.Separator)) + string(filepath.Separator)
	g.leave(inside)
	s := &scope{around: g.inner, dir: inside, repository: g.inner.repository}
	var patterns []project.Pattern
	_, err := fs.Lstat(g.open(dir), ".git")
	if err == nil {
		s.repository = inside
		git := g.named(dir, ".git", "gitdir: ") // another tree or a submodule has it elsewhere
		patterns = g.read(filepath.Join(g.named(git, "commondir", ""), "info"), "exclude", fs.Stat)
	}
	patterns = append(patterns, g.read(dir, ".gitignore", fs.Lstat)...) // git does not read it through a link
	if err == nil || len(patterns) > 0 {
		if s.list = project.NewList(patterns); g.work.Fold {
			s.list = s.list.Folded()
		}
		g.inner = s
	}
}

// leave goes back to the innermost directory that a path is in.
func (g *Ignores) leave(path string) {
	for !strings.HasPrefix(path, g.inner.dir) {
		g.inner = g.inner.around
	}
}

// read reads the patterns in a file that stat finds.
func (g *Ignores) read(dir, name string, stat func(fs.FS, string) (fs.FileInfo, error)) []project.Pattern {
	files := g.open(dir)
	info, err := stat(files, name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if info.Size() > maxIgnore || g.size+info.Size() > maxIgnores {
		if !g.long {
			g.Notes = append(g.Notes, fmt.Sprintf("%s is not read: a .gitignore may have %d MB, and all of them %d MB",
				filepath.Join(dir, name), maxIgnore>>20, maxIgnores>>20))
		}
		g.long = true
		return nil
	}
	g.size += info.Size()
	return project.Patterns(text(files, name))
}

// text returns the text of a short regular file, nil if it cannot be read.
func text(files fs.FS, name string) []byte {
	info, err := fs.Stat(files, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxIgnore {
		return nil
	}
	f, err := files.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, info.Size()))
	return data
}

// Excludes reports whether the nearest .gitignore that has a pattern for a path leaves it out. Outside of a repository
// only directories are left out.
func (g *Ignores) Excludes(path string, isDir bool) bool {
	g.leave(path)
	repository := g.inner.repository
	for at := g.inner; at != nil && at.repository == repository; at = at.around {
		rel := filepath.ToSlash(path[len(at.dir):])
		if excluded, known := at.list.Excludes(rel, isDir, g.work); known {
			return excluded && (isDir || repository != "")
		}
	}
	return false
}

// named returns the path that follows a prefix in a file, or the path of the file itself.
func (g *Ignores) named(dir, file, prefix string) string {
	named, ok := strings.CutPrefix(strings.TrimRight(string(text(g.open(dir), file)), "\r\n"), prefix)
	switch named = filepath.FromSlash(named); {
	case !ok || strings.ContainsRune(named, 0):
		return filepath.Join(dir, file)
	case filepath.IsAbs(named):
		return named
	}
	return filepath.Join(dir, named)
}
