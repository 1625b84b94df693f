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
	known func(path string) bool // whether a path is of a file that may be an input
	work  *project.Work
	inner *scope
	size  int64 // bytes of the files that were read
	long  bool  // a file was too long
}

// A scope is a directory with patterns of its own, or a repository. The outermost one has all paths, and no patterns.
type scope struct {
	around  *scope
	dir     string // with a separator at the end; empty for the outermost
	list    project.List
	tree    *workTree // nil outside of all repositories
	ignored bool      // the directory is ignored, but has files that git tracks
}

// A workTree is the files of a repository.
type workTree struct {
	dir    string // with a separator at the end
	git    string // the directory of git for these files
	common string // the directory of git for all trees of the repository
	index  *Index // nil until it is asked for
}

// The limits of files of patterns, in bytes.
const (
	maxIgnore  = 1 << 20
	maxIgnores = 8 << 20
)

// NewIgnores reads the files in a directory and around it, up to the top: the root of its repository or the directory
// itself. All paths are absolute.
func NewIgnores(
	top, dir string, open func(dir string) fs.FS, known func(path string) bool, work *project.Work,
) *Ignores {
	g := &Ignores{open: open, known: known, work: work, inner: new(scope)}
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
	s := &scope{around: g.inner, dir: inside, tree: g.inner.tree, ignored: g.inner.ignored}
	var patterns []project.Pattern
	_, err := fs.Lstat(g.open(dir), ".git")
	if err == nil {
		git := g.named(dir, ".git", "gitdir: ") // another tree or a submodule has it elsewhere
		s.tree, s.ignored = &workTree{dir: s.dir, git: git, common: g.named(git, "commondir", "")}, false
		patterns = g.read(filepath.Join(s.tree.common, "info"), "exclude", fs.Stat)
	}
	if !s.ignored {
		patterns = append(patterns, g.read(dir, ".gitignore", fs.Lstat)...) // git does not read it through a link
	}
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
	f, size, err := open(files, name, maxIgnore)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, size))
	return data
}

// Excludes reports whether the nearest .gitignore that has a pattern for a path leaves it out, and git does not track
// it. Outside of a repository only directories are left out.
func (g *Ignores) Excludes(path string, isDir bool) bool {
	g.leave(path)
	s := g.inner
	ignored := s.ignored
	for at := s; !ignored && at != nil && at.tree == s.tree; at = at.around {
		rel := filepath.ToSlash(path[len(at.dir):])
		if excluded, known := at.list.Excludes(rel, isDir, g.work); known {
			ignored = excluded
			break
		}
	}
	if !ignored || s.tree == nil {
		return ignored && isDir
	}
	rel := filepath.ToSlash(path[len(s.tree.dir):])
	if isDir {
		rel += "/"
	}
	isTracked := g.index(s.tree).Has(rel)
	if isTracked && isDir {
		g.inner = &scope{around: s, dir: path + string(filepath.Separator), tree: s.tree, ignored: true}
	}
	return !isTracked
}

// index returns the index of a repository. It is read when something is ignored.
func (g *Ignores) index(tree *workTree) *Index {
	if tree.index != nil {
		return tree.index
	}
	hash := 20
	for line := range strings.Lines(string(text(g.open(tree.common), "config"))) {
		if words := strings.Fields(strings.ToLower(line)); strings.Join(words, "") == "objectformat=sha256" {
			hash = 32
		}
	}
	var err error
	if tree.index, err = ReadIndex(g.open(tree.git), hash, g.known); err != nil {
		reason := "it cannot be read"
		if err == errBadIndex || err == errTooLarge {
			reason = err.Error()
		}
		g.Notes = append(g.Notes, "git's index "+filepath.Join(tree.git, "index")+" is not used, so that files that "+
			"git tracks are passed over where .gitignore says so: "+reason)
	}
	return tree.index
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
