package inspect

import (
	"bufio"
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
	open  func(dir string) fs.FS // a directory by its absolute path
	known func(path string) bool // whether a path is of a file that may be an input
	work  *project.Work
	inner *scope
	size  int64    // bytes of the files that were read
	long  []string // files that are not read
	notes []string
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
		g.long = append(g.long, filepath.Join(s.dir, name))
		return false
	}
	text := readStart(files, name, maxIgnore)
	g.size += int64(len(text))
	s.list = project.NewList(project.Patterns(text))
	return true
}

// readStart returns the first bytes of a regular file, nil where it cannot be read.
func readStart(files fs.FS, name string, most int64) []byte {
	if info, err := fs.Stat(files, name); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := files.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(bufio.NewReader(f), most))
	return text
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
	git, common := g.directories(tree.dir)
	hash := 20
	for line := range strings.Lines(string(readStart(g.open(common), "config", maxIgnore))) {
		key, value, _ := strings.Cut(strings.ToLower(line), "=")
		if strings.TrimSpace(key) == "objectformat" && strings.TrimSpace(value) == "sha256" {
			hash = 32
		}
	}
	var err error
	if tree.index, err = ReadIndex(g.open(git), hash, g.known); err != nil {
		reason := "it cannot be read"
		for _, known := range [...]error{errNoIndex, errCut, errUnknown, errBadPath, errTooLarge} {
			if err == known {
				reason = err.Error()
			}
		}
		g.notes = append(g.notes, "the index of git, "+filepath.Join(git, "index")+", is not used: "+reason+
			"; files that git tracks are passed over where .gitignore says so")
	}
	return tree.index
}

// directories returns the directory of git of a working tree, and the one that it shares with other trees of the
// repository. Files name them for trees that are not the first one, and for submodules.
func (g *Ignores) directories(tree string) (git, common string) {
	named := func(dir, file, prefix string) (string, bool) {
		text := readStart(g.open(dir), file, maxPath)
		name, ok := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), prefix)
		if ok = ok && name != "" && !strings.ContainsRune(name, 0); ok && !filepath.IsAbs(name) {
			name = filepath.Join(dir, filepath.FromSlash(name))
		}
		return name, ok
	}
	git, ok := named(tree, ".git", "gitdir: ")
	if !ok {
		git = filepath.Join(tree, ".git")
	}
	if common, ok = named(git, "commondir", ""); !ok {
		common = git
	}
	return git, common
}

// Notes returns what the user is to know: what is not read.
func (g *Ignores) Notes() []string {
	notes := g.notes
	if n := len(g.long); n > 0 {
		more := ""
		if n > 1 {
			more = fmt.Sprintf(", nor are %d more", n-1)
		}
		notes = append(notes, fmt.Sprintf("%s is not read%s: such a file may have %d MB, and all of them %d MB",
			g.long[0], more, maxIgnore>>20, maxIgnores>>20))
	}
	return notes
}
