package cmd

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"layoutcalc/layout/input"
	"layoutcalc/layout/project"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/spec"
	"layoutcalc/render"
)

// A checkInput is one thing to check: a file, standard input, or the tensor of the arguments.
type checkInput struct {
	path   string
	dir    string            // or list where the file was found: it may be something else than descriptors
	link   bool              // in that directory it is a link
	stdin  bool              // path is what to call it
	text   *input.Input      // of the arguments
	tensor *rules.Descriptor // of the arguments, adjusted by flags
	err    error             // why the text cannot be read
}

// inputs returns what the arguments and --files-from name: files, directories and -, or the tensor that the arguments
// describe. What is a file is never taken for a tensor: a shell may have listed it.
func (a *app) inputs(f *checkFlags, args []string) ([]checkInput, error) {
	all, err := a.listed(f)
	if err != nil {
		return nil, err
	}
	for i, arg := range args {
		info, err := os.Stat(arg)
		if path, ok := input.Path(arg); ok && err != nil {
			arg = path
			info, err = os.Stat(arg)
		}
		isPath := arg != args[i] || !input.Recognises(arg) && strings.ContainsAny(arg, `/\.`)
		switch {
		case arg == "-" && (slices.Contains(args[:i], "-") || f.filesFrom == "-"):
			return nil, errReadTwice
		case arg == "-":
			all = append(all, checkInput{path: cmp.Or(f.stdin, stdinName), stdin: true})
		case err == nil && info.IsDir():
			f.dirs = append(f.dirs, arg)
			all = append(all, a.walk(f, arg)...)
		case i > 0 || err == nil || isPath || len(all) > 0:
			all = append(all, checkInput{path: arg})
		default:
			return f.described(args)
		}
	}
	left := f.unnamed(once(all))
	f.dirs = slices.DeleteFunc(f.dirs, func(dir string) bool { // some of its files are there already
		in := func(inputs []checkInput) (n int) {
			for i := range inputs {
				if inputs[i].dir == dir {
					n++
				}
			}
			return n
		}
		return in(all) > in(left)
	})
	all = left
	if f.tensor.shapes() {
		return nil, refuse("files say themselves how their tensors lie",
			"--strides, --pad, --view and their like shape a tensor of the command line")
	}
	return all, nil
}

// listed returns the files that --files-from names, those aside whose names are of other things. They are taken like
// the files in a directory.
func (a *app) listed(f *checkFlags) (all []checkInput, err error) {
	if f.filesFrom == "" {
		return nil, nil
	}
	s, end, err := a.openSource(f.filesFrom)
	if err != nil {
		return nil, err
	}
	defer end()
	list, separator := s.Reader(), "\x00"
	if !f.null {
		list, separator = input.Words(list), "\n"
	}
	text, err := io.ReadAll(io.LimitReader(list, maxProject+1))
	if err != nil || len(text) > maxProject {
		return nil, refuse(render.QuotePath(f.filesFrom)+" cannot be read as a list of files", "")
	}
	switch isList := bytes.IndexByte(text, 0) >= 0; {
	case isList && !f.null:
		return nil, refuse(render.QuotePath(f.filesFrom)+" has a byte of 0: its paths do not end with the line",
			"-0 reads such a list")
	case f.null && !isList && bytes.IndexByte(text, '\n') >= 0:
		return nil, refuse(render.QuotePath(f.filesFrom)+" has no byte of 0: its paths do not end with one",
			"without -0 each line is a path")
	}
	for path := range strings.SplitSeq(string(text), separator) {
		if !f.null {
			path = strings.TrimSuffix(path, "\r")
		}
		switch {
		case path == "":
		case !input.IsKnownName(path) || filepath.Base(path) == project.FileName:
		case f.excludesListed(path):
			f.skip(path, "excluded")
		default:
			all = append(all, checkInput{path: path, dir: f.filesFrom})
		}
	}
	return all, nil
}

// excludesListed reports whether a file of a list, or a directory that it is in, is left out.
func (f *checkFlags) excludesListed(path string) bool {
	path = filepath.Clean(path)
	for i := range path {
		if i > 0 && os.IsPathSeparator(path[i]) && f.excluded(".", path[:i], true) {
			return true
		}
	}
	return f.excluded(".", path, false)
}

// A skippedFile is one that was found and is not checked.
type skippedFile struct{ path, why string }

func (f *checkFlags) skip(path, why string) { f.skipped = append(f.skipped, skippedFile{path, why}) }

// excluded reports whether --exclude or the configuration of the project leaves out a path that was found from a
// directory.
func (f *checkFlags) excluded(dir, path string, isDir bool) bool {
	if rel, err := filepath.Rel(dir, path); err == nil {
		if excluded, _ := project.Excludes(f.exclude, filepath.ToSlash(rel), isDir); excluded {
			return true
		}
	}
	if f.config == nil || len(f.config.Exclude) == 0 {
		return false
	}
	rel, ok := f.here.within(f.configDir, path)
	excluded, _ := project.Excludes(f.config.Exclude, rel, isDir)
	return ok && excluded
}

// described returns the input that is the tensor of the arguments.
func (f *checkFlags) described(args []string) ([]checkInput, error) {
	in, rest, err := f.tensor.find(args, 0)
	_, shape := spec.ParseShape(args[0])
	if err != nil && shape != nil && !input.Recognises(args[0]) {
		const hint = "such as model.json, or 1x3x224x224 --strides 150528,1,672,3"
		return nil, refuse(cmp.Or(render.Quote(args[0]), "an empty argument")+" is neither a file nor a tensor", hint)
	}
	if err != nil && shape != nil && len(args) == 1 {
		in, err = input.Text(args[0], f.tensor.options()) // what is wrong with it is a finding
		f.tensor.whole = true
	}
	if in != nil && f.tensor.whole && len(rest) == 0 && !f.tensor.shapes() {
		return []checkInput{{path: argsName, text: in, err: err}}, nil
	}
	t, err := f.tensor.only(args)
	if err != nil {
		return nil, err
	}
	d := input.Describe(t)
	return []checkInput{{path: argsName, tensor: &d}}, nil
}

// The paths of what is checked where it is the arguments, and where it is standard input without a name.
const (
	argsName  = "<args>"
	stdinName = "<stdin>"
)

// walk returns the files in a directory, and in those inside it, in order. Hidden ones are left out, and those that the
// user or a .gitignore excludes. A link is taken like the file that it leads to; one that leads nowhere is a file that
// cannot be opened, where its name says that it is ours. A link to a directory elsewhere, or to a hidden one, is not
// followed, and noted, each by itself where the user wants to know what is skipped.
func (a *app) walk(f *checkFlags, dir string) (all []checkInput) {
	root, _ := filepath.EvalSymlinks(dir)
	var elsewhere, concealed []string // links to directories that are not searched
	ignores := newGitignores(f.here, dir)
	top := dir
	if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		top += string(filepath.Separator) // the directory that the link leads to
	}
	_ = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		ours := input.IsConfigName(path)
		hidden := strings.HasPrefix(d.Name(), ".") && path != top && !ours || d.Name() == project.FileName
		in := checkInput{path: path, dir: dir, link: d.Type()&fs.ModeSymlink != 0}
		info, linkErr := fs.FileInfo(nil), error(nil)
		isKnown := d.IsDir() || input.IsKnownName(path)
		if in.link && !hidden {
			info, linkErr = os.Stat(path)
		}
		why := ""
		switch {
		case hidden || path == top || !isKnown || err != nil:
		case f.excluded(dir, path, d.IsDir()):
			why = "excluded"
		case ignores.exclude(path, d.IsDir()):
			why = "ignored by .gitignore"
		}
		switch {
		case hidden && d.IsDir():
			return fs.SkipDir
		case err != nil:
			all = append(all, checkInput{path: path, dir: dir}) // to open it will fail too
		case hidden:
		case why != "":
			f.skip(path, why)
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir():
			ignores.enter(path)
		case info != nil && info.IsDir():
			to, err := filepath.EvalSymlinks(path)
			switch below, inside := f.here.within(root, to); {
			case err != nil || !inside:
				elsewhere = append(elsewhere, path)
			case below != "." && strings.Contains("/"+below, "/."):
				concealed = append(concealed, path)
			}
		case !isKnown:
		case d.Type().IsRegular(), info != nil && info.Mode().IsRegular(),
			linkErr != nil && (ours || input.IsHeaderName(path)):
			all = append(all, in)
		case linkErr != nil:
			f.skip(path, "a link that leads nowhere")
		default:
			f.skip(path, "not a regular file")
		}
		return nil
	})
	for _, of := range [...]struct {
		links     []string
		one, many string
	}{
		{elsewhere, "a directory elsewhere", "directories elsewhere"},
		{concealed, "a hidden directory", "hidden directories"},
	} {
		if n := len(of.links); n > 1 && !f.verbose {
			a.note(fmt.Sprintf("%s and %d more are links to %s, which are not searched", of.links[0], n-1, of.many))
			continue
		}
		for _, link := range of.links {
			a.note(link + " is a link to " + of.one + ", which is not searched")
		}
	}
	return all
}

// A gitignores is the .gitignore files that concern the files of a directory: those in it and below, and in the
// directories around it that belong to the same repository.
type gitignores struct {
	here  workDir
	outer []gitignore            // around the directory, from the outermost on
	in    map[string][]gitignore // of each directory, with those around it
}

// A gitignore is the patterns of one file, and the directory that it is in.
type gitignore struct {
	dir      string
	patterns []project.Pattern
}

// newGitignores reads those around a directory.
func newGitignores(here workDir, dir string) *gitignores {
	g := &gitignores{here: here, in: map[string][]gitignore{}}
	abs := here.absolute(dir)
	top, ok := upward(abs, ".git")
	for at := filepath.Dir(abs); ok && top != abs; at = filepath.Dir(at) {
		if list := readGitignore(at); list != nil {
			g.outer = slices.Insert(g.outer, 0, gitignore{at, list})
		}
		if at == top {
			break
		}
	}
	return g
}

// enter reads that of a directory, after those of the directories around it.
func (g *gitignores) enter(dir string) {
	around, ok := g.in[filepath.Dir(filepath.Clean(dir))]
	if !ok {
		around = g.outer
	}
	if list := readGitignore(dir); list != nil {
		around = append(slices.Clip(around), gitignore{g.here.absolute(dir), list})
	}
	g.in[filepath.Clean(dir)] = around
}

// exclude reports whether the nearest .gitignore that has a pattern for a path leaves it out.
func (g *gitignores) exclude(path string, isDir bool) bool {
	for _, file := range slices.Backward(g.in[filepath.Dir(path)]) {
		if rel, ok := g.here.within(file.dir, path); ok {
			if excluded, known := project.Excludes(file.patterns, rel, isDir); known {
				return excluded
			}
		}
	}
	return false
}

// readGitignore returns the patterns of the .gitignore in a directory, nil where there is none.
func readGitignore(dir string) []project.Pattern {
	path := filepath.Join(dir, ".gitignore")
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxProject {
		return nil // Git follows no links here
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return project.Patterns(text)
}

// once leaves out the files of directories that are there already, by another path or a link. Of a file and the
// links to it that directories have, the file stays.
func once(inputs []checkInput) []checkInput {
	type looks struct{ size, time int64 }
	seen := map[looks][]fs.FileInfo{} // files that look the same
	missing := map[string]bool{}      // paths
	again := make([]bool, len(inputs))
	for _, turn := range [...]struct{ found, link bool }{{false, false}, {true, false}, {true, true}} {
		for i, in := range inputs {
			if (in.dir != "") != turn.found || in.link != turn.link || in.stdin {
				continue
			}
			info, err := os.Stat(in.path)
			if err != nil {
				again[i] = turn.found && missing[in.path]
				missing[in.path] = true
				continue
			}
			k := looks{info.Size(), info.ModTime().UnixNano()}
			same := func(other fs.FileInfo) bool { return os.SameFile(info, other) }
			if slices.ContainsFunc(seen[k], same) {
				again[i] = turn.found
			} else {
				seen[k] = append(seen[k], info)
			}
		}
	}
	var left []checkInput
	for i, in := range inputs {
		if !again[i] {
			left = append(left, in)
		}
	}
	return left
}

// maxIndexes is how many bytes of indexes are kept once they have been read to know their shards. The first is kept
// whatever its length, which it would take in memory anyway; others are read again.
const maxIndexes = 32 << 20

// unnamed leaves out the files that an index among the inputs names: they are read with the index, once. Where
// several indexes name a file, it is reported with the first.
func (f *checkFlags) unnamed(inputs []checkInput) []checkInput {
	isIndex := func(in checkInput) bool { return !in.stdin && input.IsIndexName(in.path) }
	if len(inputs) < 2 || !slices.ContainsFunc(inputs, isIndex) {
		return inputs
	}
	f.shards = map[string]string{}
	kept := 0
	for _, in := range inputs {
		if !isIndex(in) {
			continue
		}
		s, end, err := f.tensor.app.openSource(in.path)
		if err != nil {
			continue // to check it will fail too
		}
		index, err := input.Read(s, f.tensor.options())
		if err == nil {
			if kept += len(index.Data); kept <= maxIndexes || kept == len(index.Data) {
				f.indexes.Store(in.path, index)
			}
			for _, shard := range index.Shards() {
				if path := f.here.absolute(filepath.Join(filepath.Dir(in.path), shard)); f.shards[path] == "" {
					f.shards[path] = in.path
				}
			}
		}
		end()
	}
	f.listed = map[string]bool{}
	return slices.DeleteFunc(inputs, func(in checkInput) bool {
		path := f.here.absolute(in.path)
		named := !in.stdin && f.shards[path] != ""
		f.listed[path] = f.listed[path] || named
		return named
	})
}
