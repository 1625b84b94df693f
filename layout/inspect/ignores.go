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
// around it that belong to the same repository. Directories are entered on the way down, in the order of a walk.
type Ignores struct {
	Notes []string // what the user is to know: which files are not read

	open  func(dir string) fs.FS // a directory by its absolute path
	known func(path string) bool // whether a path is of a file that may be an input
	work  *project.Work
	inner *scope
	size  int64  // bytes of the files that were read
	long  string // the first one that is not
}

// A scope is a directory for which something is said that is not said for those around it.
type scope struct {
	around  *scope
	dir     string // with a separator at the end
	list    project.List
	tree    *workTree // nil outside of all repositories
	ignored bool      // the directory is, but it has files that git tracks
}

// A workTree is the files of a repository.
type workTree struct {
	dir   string // with a separator at the end
	index *Index // nil until it is asked for
}

// The limits of .gitignore files, in bytes.
const (
	maxIgnore  = 1 << 20
	maxIgnores = 8 << 20
)

// NewIgnores returns those around a directory, up to the top, which is the root of its repository or the directory
// itself. All paths are absolute.
func NewIgnores(
	top, dir string, open func(dir string) fs.FS, known func(path string) bool, work *project.Work,
) *Ignores {
	g := &Ignores{open: open, known: known, work: work}
	for i := len(top); i < len(dir); i++ {
		if i == len(top) || dir[i] == filepath.Separator {
			g.Enter(dir[:i])
		}
	}
	return g
}

// Enter comes to a directory that Excludes does not leave out, and reads what is said there.
func (g *Ignores) Enter(dir string) {
	if g.open == nil {
		return
	}
	s := scope{dir: strings.TrimSuffix(dir, string(filepath.Separator)) + string(filepath.Separator)}
	g.leave(s.dir)
	if s.around = g.inner; s.around != nil {
		s.tree, s.ignored = s.around.tree, s.around.ignored
	}
	files := g.open(dir)
	_, err := fs.Lstat(files, ".git")
	if err == nil {
		s.tree, s.ignored = &workTree{dir: s.dir}, false
	}
	if (s.ignored || !g.read(files, &s)) && err != nil {
		return
	}
	g.inner = &s
}

// leave goes back to the innermost directory that a path is in.
func (g *Ignores) leave(path string) {
	for g.inner != nil && !strings.HasPrefix(path, g.inner.dir) {
		g.inner = g.inner.around
	}
}

// read reads the .gitignore of a directory, which git does not read through a link.
func (g *Ignores) read(files fs.FS, s *scope) bool {
	const name = ".gitignore"
	info, err := fs.Lstat(files, name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if info.Size() > maxIgnore || g.size+info.Size() > maxIgnores {
		if g.long == "" {
			g.long = filepath.Join(s.dir, name)
			g.Notes = append(g.Notes, fmt.Sprintf("%s is not read: a .gitignore may have %d MB, and all of them %d MB",
				g.long, maxIgnore>>20, maxIgnores>>20))
		}
		return false
	}
	g.size += info.Size()
	s.list = project.NewList(project.Patterns(text(files, name)))
	return true
}

// text returns the text of a short regular file, nil where it cannot be read.
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
	if s == nil {
		return false
	}
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
	index := g.index(s.tree)
	rel := filepath.ToSlash(path[len(s.tree.dir):])
	if !isDir {
		return !index.Has(rel)
	}
	if !index.HasBelow(rel) {
		return true
	}
	g.inner = &scope{around: s, dir: path + string(filepath.Separator), tree: s.tree, ignored: true}
	return false
}

// index returns the index of a repository. It is read when something is ignored.
func (g *Ignores) index(tree *workTree) *Index {
	if tree.index != nil {
		return tree.index
	}
	git := filepath.Join(tree.dir, ".git")
	if dir, ok := g.named(tree.dir, ".git", "gitdir: "); ok { // of another tree, or a submodule
		git = dir
	}
	common := git
	if dir, ok := g.named(git, "commondir", ""); ok {
		common = dir
	}
	hash := 20
	for line := range strings.Lines(string(text(g.open(common), "config"))) {
		if words := strings.Fields(strings.ToLower(line)); strings.Join(words, "") == "objectformat=sha256" {
			hash = 32
		}
	}
	var err error
	if tree.index, err = ReadIndex(g.open(git), hash, g.known); err != nil {
		reason := "it cannot be read"
		if err == errBadIndex || err == errTooLarge {
			reason = err.Error()
		}
		g.Notes = append(g.Notes, "git's index "+filepath.Join(git, "index")+" is not used, so that files that "+
			"git tracks are passed over where .gitignore says so: "+reason)
	}
	return tree.index
}

// named returns the directory that a file names after a prefix.
func (g *Ignores) named(dir, file, prefix string) (named string, ok bool) {
	named, ok = strings.CutPrefix(strings.TrimRight(string(text(g.open(dir), file)), "\r\n"), prefix)
	if named = filepath.FromSlash(named); !filepath.IsAbs(named) {
		named = filepath.Join(dir, named)
	}
	return named, ok && !strings.ContainsRune(named, 0)
}
