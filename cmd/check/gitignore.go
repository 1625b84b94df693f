package check

import (
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"layoutcalc/layout/project"
)

// ignoreFiles are the .gitignore files that apply to the files below a directory: in it, below it, and above it in the
// same repository, and the info/exclude file of each repository. A walk enters directories in its order.
type ignoreFiles struct {
	notes []string // for the user, about files that are not read

	open  func(dir string) fs.FS // opens a directory by its absolute path; nil if nothing is ignored
	work  *project.Work
	inner *scope
	size  int64 // how many bytes were read
	long  bool  // a file was too long
}

// A scope is a directory that has patterns or is the root of a repository. The outermost scope contains all paths and
// has no patterns.
type scope struct {
	around     *scope
	dir        string // ends with a separator; empty for the outermost scope
	list       project.List
	repository string // the root of the repository around it; may be empty
}

// The limits of files of patterns, in bytes.
const (
	maxIgnore  = 1 << 20
	maxIgnores = 8 << 20
)

// newIgnoreFiles reads the files in the directories from top, which is dir or the root of its repository, to the one
// above dir. All paths are absolute.
func newIgnoreFiles(top, dir string, open func(dir string) fs.FS, work *project.Work) *ignoreFiles {
	g := &ignoreFiles{open: open, work: work, inner: new(scope)}
	for i := len(top); i < len(dir); i++ {
		if i == len(top) || dir[i] == filepath.Separator {
			g.enter(dir[:i])
		}
	}
	return g
}

// enter reads the patterns of dir, which excludes does not exclude.
func (g *ignoreFiles) enter(dir string) {
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
		git := g.named(dir, ".git", "gitdir: ") // a worktree or a submodule has it elsewhere
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

// leave returns to the innermost scope that contains path.
func (g *ignoreFiles) leave(path string) {
	for !strings.HasPrefix(path, g.inner.dir) {
		g.inner = g.inner.around
	}
}

// read returns the patterns in a file of dir. The function stat decides whether the file may be a link.
func (g *ignoreFiles) read(dir, name string, stat func(fs.FS, string) (fs.FileInfo, error)) []project.Pattern {
	files := g.open(dir)
	info, err := stat(files, name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if info.Size() > maxIgnore || g.size+info.Size() > maxIgnores {
		if !g.long {
			g.notes = append(g.notes, fmt.Sprintf("%s is not read: a .gitignore may have %d MB, and all of them %d MB",
				filepath.Join(dir, name), maxIgnore>>20, maxIgnores>>20))
		}
		g.long = true
		return nil
	}
	g.size += info.Size()
	return project.Patterns(text(files, name))
}

// text returns the content of a short regular file, or nil if it cannot be read.
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

// excludes reports whether path is ignored: the nearest .gitignore with a pattern for it decides. Outside a repository
// only directories are ignored.
func (g *ignoreFiles) excludes(path string, isDir bool) bool {
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

// named returns the path that follows prefix in a file of dir, or the path of the file if it does not start with
// prefix.
func (g *ignoreFiles) named(dir, file, prefix string) string {
	named, ok := strings.CutPrefix(strings.TrimRight(string(text(g.open(dir), file)), "\r\n"), prefix)
	switch named = filepath.FromSlash(named); {
	case !ok || strings.ContainsRune(named, 0):
		return filepath.Join(dir, file)
	case filepath.IsAbs(named):
		return named
	}
	return filepath.Join(dir, named)
}
