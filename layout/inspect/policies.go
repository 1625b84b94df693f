package inspect

import (
	"bytes"
	"cmp"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"sync/atomic"

	"layoutcalc/layout/input"
	"layoutcalc/layout/project"
	"layoutcalc/layout/scan"
)

// policies finds the policies of directories, each once.
type policies struct {
	run    *run
	flags  *policy            // without a configuration
	dirs   map[string]*policy // by their absolute paths
	layers map[string]*layer  // by the paths of their files
	err    error              // the first fault of a configuration
}

func newPolicies(r *run) *policies {
	return &policies{run: r, flags: r.newPolicy(nil), dirs: map[string]*policy{}, layers: map[string]*layer{}}
}

// at returns the policy of a file or a directory by its path: that of the nearest configuration, in the directory that
// it is in or in those around that, up to the end of the project.
func (p *policies) at(path string) *policy {
	if p.run.NoConfig || p.run.here == "" {
		return p.flags
	}
	dir := filepath.Dir(p.run.here.absolute(path))
	if known := p.dirs[dir]; known != nil {
		return known
	}
	found := p.flags
	if n := p.run.there(dir); n > 0 {
		found = p.of(dir[:n])
	}
	p.dirs[dir] = found
	return found
}

// there returns the length of the longest part of a path that leads to something: 0 if nothing of a relative path does.
func (r *run) there(path string) int {
	if _, err := os.Lstat(r.program.Path(path)); err == nil {
		return len(path)
	}
	var ends []int
	for i := range path {
		if i > 0 && os.IsPathSeparator(path[i]) {
			ends = append(ends, i)
		}
	}
	missing := sort.Search(len(ends), func(i int) bool {
		_, err := os.Lstat(r.program.Path(path[:ends[i]]))
		return err != nil
	})
	if missing == 0 {
		return 0
	}
	return ends[missing-1]
}

// has reports whether a path is that of a configuration of the project that has been read.
func (p *policies) has(path string) bool {
	return p.run.isConfig(filepath.Base(path)) || p.layers[p.run.here.absolute(path)] != nil
}

// of returns the policy of a directory that is there.
func (p *policies) of(dir string) *policy {
	if known := p.dirs[dir]; known != nil {
		return known
	}
	found, around := p.flags, filepath.Dir(dir)
	if file := p.file(dir); file != "" {
		layers, err := p.layersOf(file)
		if p.err == nil {
			p.err = err
		}
		found = p.run.newPolicy(layers)
	} else if !p.run.ends(dir) && around != dir {
		found = p.of(around)
	}
	p.dirs[dir] = found
	return found
}

// file returns the path of the configuration in a directory; empty for none. Of two the first counts, and a note names
// the other. What is behind a link to a directory elsewhere is not part of the project.
func (p *policies) file(dir string) (found string) {
	for _, name := range project.FileNames {
		file := filepath.Join(dir, name)
		if _, err := os.Lstat(file); err != nil {
			continue
		}
		switch top := p.run.bounds(filepath.Dir(dir)); {
		case found != "":
			p.run.note("%s is not read: %s is beside it", p.run.here.name(file), filepath.Base(found))
		case isLink(dir) && p.run.here.leaves(fence{top: p.run.here.real(top)}, dir):
			return ""
		default:
			found = file
		}
	}
	return found
}

// isConfig reports whether a file of that name is the configuration of a project.
func (r *run) isConfig(name string) bool {
	return project.IsName(name) || r.Windows && project.IsName(strings.ToLower(name))
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// ends reports whether a directory is the outermost one of a project: what --root names, or else a repository.
func (r *run) ends(dir string) bool {
	if rel, ok := r.here.within(r.Root, dir); ok && r.Root != "" {
		return rel == "."
	}
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// bounds returns the directory that the paths in a configuration may not lead out of: what --root names, or else the
// repository.
func (r *run) bounds(dir string) string {
	if _, ok := r.here.within(r.Root, dir); ok && r.Root != "" {
		return r.here.absolute(r.Root)
	}
	return Repository(dir)
}

const rootHint = "--root DIR names a directory around all that configurations name"

// layersOf reads a configuration, and behind it the one that it extends, if any.
func (p *policies) layersOf(file string) ([]*layer, error) {
	top := p.run.bounds(filepath.Dir(file))
	l, err := p.layer(file, top, nil)
	if err != nil {
		return nil, err
	}
	if l.Extends.Text == "" {
		return []*layer{l}, nil
	}
	base, err := p.layer(filepath.Join(filepath.Dir(file), filepath.FromSlash(l.Extends.Text)), top, l)
	switch {
	case err != nil:
		return nil, err
	case base.Extends.Text != "":
		return nil, base.refuse(base.Extends, "name one file that has all settings",
			"%s extends this configuration, which cannot extend another one", l.name)
	case l.Wild()+base.Wild() > project.MaxWild:
		return nil, l.refuse(l.Extends, "write names, or keep findings in a baseline",
			"more than %d items of ignores have wildcards, with those of %s", project.MaxWild, base.name)
	}
	return []*layer{l, base}, nil
}

// layer reads a configuration in a project whose outermost directory is top, or returns what was read of it before. One
// that another configuration extends may be any file: it is quoted only if it says that it is a configuration.
func (p *policies) layer(file, top string, of *layer) (*layer, error) {
	if known := p.layers[file]; known != nil {
		return known, nil
	}
	name := p.run.here.name(file)
	hint := "--no-config does without"
	if of != nil {
		hint = rootHint
	}
	text, err := p.run.readNamed(name, top, hint)
	if e, ok := err.(*scan.SyntaxError); ok && of != nil {
		return nil, of.refuse(of.Extends, cmp.Or(e.Hint, "a file, from the directory of this one on"), "%s", e.Msg)
	}
	if err != nil {
		return nil, err
	}
	c, err := project.ReadConfig(text)
	if err == nil && p.run.Windows {
		c.Fold()
	}
	l := &layer{Config: c, file: file, name: name, text: text, dir: filepath.Dir(file)}
	switch {
	case err != nil && of != nil && !c.IsOne:
		return nil, of.refuse(of.Extends, "a configuration says version: 1",
			"%s is not the configuration of a project", p.run.program.Quote(name))
	case err != nil:
		return nil, l.located(err)
	}
	if err := p.root(l, top); err != nil {
		return nil, err
	}
	l.silenced = make([]atomic.Bool, len(c.Silences))
	p.layers[file] = l
	return l, nil
}

// root moves the directory from which the paths of a configuration count to where the configuration says.
func (p *policies) root(l *layer, top string) (err error) {
	if l.Root.Text == "" {
		return nil
	}
	dir, fault := p.run.rooted(l.dir, l.Root.Text, top)
	if fault != nil {
		return l.refuse(l.Root, fault.Hint, "%s", fault.Msg)
	}
	l.dir = dir
	return nil
}

// rooted returns the directory that a configuration in another one names as its root.
func (r *run) rooted(dir, root, top string) (string, *scan.SyntaxError) {
	to := filepath.Join(dir, filepath.FromSlash(root))
	info, err := os.Stat(to)
	switch _, inside := r.here.within(top, to); {
	case !inside || path.IsAbs(root) || r.here.leaves(fence{top: r.here.real(top)}, to):
		return "", scan.Refuse(rootHint, "%s", r.leadsOut(root))
	case err != nil || !info.IsDir():
		return "", scan.Refuse("such as ..", "there is no directory %s", r.program.Quote(r.here.name(to)))
	}
	return to, nil
}

// around opens the directories of the repository that has a file.
func (r *run) around(file string) input.Around {
	return func(root string) (fs.FS, error) {
		dir := filepath.Dir(r.here.absolute(file))
		to, fault := r.rooted(dir, root, r.bounds(dir))
		if fault != nil {
			return nil, fault
		}
		return r.program.Beside(filepath.Join(to, filepath.Base(file))), nil
	}
}

// refuse returns an error that points at a path in a configuration.
func (l *layer) refuse(at project.Path, hint, format string, args ...any) error {
	return l.located(l.Refuse(at, hint, format, args...))
}

// located returns an error about the text of the configuration with its name.
func (l *layer) located(err error) error {
	return (&input.Origin{Name: l.name, Data: l.text}).Locate(err)
}

// readNamed reads a file that a repository names: the configuration of the project, or what that names. It may not lead
// out of the outermost directory, and then nothing else is said of it.
func (r *run) readNamed(path, top, hint string) ([]byte, error) {
	if rel, ok := r.here.within(top, path); ok && !r.here.leaves(fence{top: r.here.real(top)}, path) {
		return r.readProject(r.program.Root(top), rel, path)
	}
	return nil, scan.Refuse(hint, "%s", r.leadsOut(path))
}

// leadsOut says that a path leads out of where configurations may lead.
func (r *run) leadsOut(path string) string {
	of := "the repository"
	if r.Root != "" {
		of = "--root " + r.program.Quote(r.Root)
	}
	return r.program.Quote(path) + " leads out of " + of
}

// readProject reads a file of the project, which messages call by its path.
func (r *run) readProject(files fs.FS, name, path string) (text []byte, err error) {
	path = r.program.Quote(path)
	info, err := fs.Stat(files, name)
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		return nil, scan.Refuse("", "%s is not a regular file", path)
	case info.Size() > project.MaxFile:
		return nil, scan.Refuse("", "%s is too long", path)
	default:
		if text, err = fs.ReadFile(files, name); err == nil {
			text, err = io.ReadAll(input.Decode(bytes.NewReader(text)))
		}
	}
	if err != nil {
		return nil, scan.Refuse("", "%s: %s", path, scan.Unreadable(err))
	}
	return text, nil
}
