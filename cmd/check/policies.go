package check

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
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/project"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// policies finds the policy of each directory, and remembers it.
type policies struct {
	run    *run
	flags  *policy                 // the policy of the flags alone
	dirs   map[string]*policy      // by absolute path
	layers map[string]*configLayer // by the path of the file
	err    error                   // the first error in a configuration
}

func newPolicies(r *run) *policies {
	return &policies{run: r, flags: r.newPolicy(nil), dirs: map[string]*policy{}, layers: map[string]*configLayer{}}
}

// at returns the policy of the file or directory at path: the policy of the nearest configuration, in the directory
// that contains it or above, up to the top of the project.
func (p *policies) at(path string) *policy {
	if p.run.NoConfig || p.run.here == "" {
		return p.flags
	}
	dir := filepath.Dir(p.run.here.absolute(path))
	if known := p.dirs[dir]; known != nil {
		return known
	}
	found := p.flags
	if n := p.run.existingPrefix(dir); n > 0 {
		found = p.of(dir[:n])
	}
	p.dirs[dir] = found
	return found
}

// existingPrefix returns the length of the longest prefix of path that exists. It returns 0 if not even the first
// element of a relative path exists.
func (r *run) existingPrefix(path string) int {
	if _, err := os.Lstat(r.Guard.Path(path)); err == nil {
		return len(path)
	}
	var ends []int
	for i := range path {
		if i > 0 && os.IsPathSeparator(path[i]) {
			ends = append(ends, i)
		}
	}
	missing := sort.Search(len(ends), func(i int) bool {
		_, err := os.Lstat(r.Guard.Path(path[:ends[i]]))
		return err != nil
	})
	if missing == 0 {
		return 0
	}
	return ends[missing-1]
}

// has reports whether path is a configuration of the project, by its name or because it has been read as one.
func (p *policies) has(path string) bool {
	return p.run.isConfig(filepath.Base(path)) || p.layers[p.run.here.absolute(path)] != nil
}

// of is like at, for the files in an existing directory.
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
	} else if !p.run.isTop(dir) && around != dir {
		found = p.of(around)
	}
	p.dirs[dir] = found
	return found
}

// file returns the path of the configuration in dir, or an empty string. If there are two, it returns the first and
// notes the other. A link to a directory outside the project has no configuration.
func (p *policies) file(dir string) (found string) {
	for _, name := range project.FileNames {
		file := filepath.Join(dir, name)
		if _, err := os.Lstat(file); err != nil {
			continue
		}
		switch top := p.run.topOf(filepath.Dir(dir)); {
		case found != "":
			p.run.notef("%s is not read: %s is beside it", p.run.here.name(file), filepath.Base(found))
		case isLink(dir) && p.run.here.isOutside(linkBoundary{top: p.run.here.real(top)}, dir):
			return ""
		default:
			found = file
		}
	}
	return found
}

// isConfig reports whether name is the name of a configuration of a project.
func (r *run) isConfig(name string) bool {
	return project.IsName(name) || r.Windows && project.IsName(strings.ToLower(name))
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// isTop reports whether dir is the outermost directory of a project: the one that --root names, or else the root of a
// repository.
func (r *run) isTop(dir string) bool {
	if rel, ok := r.here.within(r.Root, dir); ok && r.Root != "" {
		return rel == "."
	}
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// topOf returns the outermost directory of the project around dir. The paths in a configuration must not point outside
// it.
func (r *run) topOf(dir string) string {
	if _, ok := r.here.within(r.Root, dir); ok && r.Root != "" {
		return r.here.absolute(r.Root)
	}
	return Repository(dir)
}

const rootHint = "--root DIR names a directory around all that configurations name"

// layersOf returns the configuration in a file, followed by the one that it extends.
func (p *policies) layersOf(file string) ([]*configLayer, error) {
	top := p.run.topOf(filepath.Dir(file))
	l, err := p.layer(file, top, nil)
	if err != nil {
		return nil, err
	}
	if l.Extends.Text == "" {
		return []*configLayer{l}, nil
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
	return []*configLayer{l, base}, nil
}

// layer reads the configuration in a file, once, in a project with the outermost directory top. If of is not nil, it
// extends this file, which may be anything, so errors quote it only if it looks like a configuration.
func (p *policies) layer(file, top string, of *configLayer) (*configLayer, error) {
	if known := p.layers[file]; known != nil {
		return known, nil
	}
	name := p.run.here.name(file)
	hint := "--no-config does without"
	if of != nil {
		hint = rootHint
	}
	text, err := p.run.readNamed(name, top, hint)
	if e, ok := err.(*lexer.SyntaxError); ok && of != nil {
		return nil, of.refuse(of.Extends, cmp.Or(e.Hint, "a file, from the directory of this one on"), "%s", e.Msg)
	}
	if err != nil {
		return nil, err
	}
	c, err := project.ReadConfig(text)
	if err == nil && p.run.Windows {
		c.Fold()
	}
	l := &configLayer{Config: c, file: file, name: name, text: text, dir: filepath.Dir(file)}
	switch {
	case err != nil && of != nil && !c.IsOne:
		return nil, of.refuse(of.Extends, "a configuration says version: 1",
			"%s is not the configuration of a project", render.Quote(name))
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

// root changes the directory that the paths of a configuration are relative to, if the configuration has the key root.
func (p *policies) root(l *configLayer, top string) (err error) {
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

// rooted returns the directory that a configuration in dir names as its root.
func (r *run) rooted(dir, root, top string) (string, *lexer.SyntaxError) {
	to := filepath.Join(dir, filepath.FromSlash(root))
	info, err := os.Stat(to)
	switch _, inside := r.here.within(top, to); {
	case !inside || path.IsAbs(root) || r.here.isOutside(linkBoundary{top: r.here.real(top)}, to):
		return "", lexer.Refuse(rootHint, "%s", r.outsideText(root))
	case err != nil || !info.IsDir():
		return "", lexer.Refuse("such as ..", "there is no directory %s", render.Quote(r.here.name(to)))
	}
	return to, nil
}

// openParents returns a function that opens the directory that a file names as its root.
func (r *run) openParents(file string) input.Around {
	return func(root string) (fs.FS, error) {
		dir := filepath.Dir(r.here.absolute(file))
		to, fault := r.rooted(dir, root, r.topOf(dir))
		if fault != nil {
			return nil, fault
		}
		return r.Guard.Beside(filepath.Join(to, filepath.Base(file))), nil
	}
}

// refuse returns an error that points at a path in the configuration.
func (l *configLayer) refuse(at project.Path, hint, format string, args ...any) error {
	return l.located(l.Refuse(at, hint, format, args...))
}

// located adds the name of the configuration to an error about its content.
func (l *configLayer) located(err error) error {
	return (&input.Origin{Name: l.name, Data: l.text}).Locate(err)
}

// readNamed reads a configuration of the project, or a file named in one. If path points outside top, the error states
// nothing else about the file.
func (r *run) readNamed(path, top, hint string) ([]byte, error) {
	if rel, ok := r.here.within(top, path); ok && !r.here.isOutside(linkBoundary{top: r.here.real(top)}, path) {
		return r.readProject(r.Guard.Root(top), rel, path)
	}
	return nil, lexer.Refuse(hint, "%s", r.outsideText(path))
}

// outsideText returns the message that path points outside the project.
func (r *run) outsideText(path string) string {
	of := "the repository"
	if r.Root != "" {
		of = "--root " + render.Quote(r.Root)
	}
	return render.Quote(path) + " points outside " + of
}

// readProject reads the file called name in a directory. Messages name it by its path.
func (r *run) readProject(files fs.FS, name, path string) (text []byte, err error) {
	path = render.Quote(path)
	info, err := fs.Stat(files, name)
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		return nil, lexer.Refuse("", "%s is not a regular file", path)
	case info.Size() > project.MaxFile:
		return nil, lexer.Refuse("", "%s is too long", path)
	default:
		if text, err = fs.ReadFile(files, name); err == nil {
			text, err = io.ReadAll(input.Decode(bytes.NewReader(text)))
		}
	}
	if err != nil {
		return nil, lexer.Refuse("", "%s: %s", path, wording.Unreadable(err))
	}
	return text, nil
}
