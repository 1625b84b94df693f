package cmd

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"layoutcalc/cmd/files"
	"layoutcalc/layout/desc"
	"layoutcalc/layout/input"
	"layoutcalc/layout/inspect"
	"layoutcalc/layout/project"
	"layoutcalc/layout/shape"
	"layoutcalc/render"
)

// A checkInput is one thing to check: a file, standard input, or the tensor of the arguments.
type checkInput struct {
	path   string
	dir    string           // or list where the file was found: it may be something else than descriptors
	link   bool             // in that directory it is a link
	out    bool             // that link leads out of what may be searched: the text of the file is not shown
	id     files.Identity   // of a file
	stdin  bool             // path is what to call it
	text   *input.Input     // of the arguments
	tensor *desc.Descriptor // of the arguments, adjusted by flags
	err    error            // why the text cannot be read
}

// inputs returns what the arguments and --files-from name: files, directories and -, or the tensor that the arguments
// describe. What is a file is never taken for a tensor: a shell may have listed it.
func (a *app) inputs(f *checkFlags, args []string) ([]checkInput, error) {
	f.excludes = project.NewList(f.exclude)
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
		if err == nil {
			a.guard.Reads(arg, info) // before reports are begun, which would take its place
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
	gone := map[string]int{} // how many files of a directory are there already
	for _, in := range all {
		gone[in.dir]++
	}
	for _, in := range left {
		gone[in.dir]--
	}
	f.dirs = slices.DeleteFunc(f.dirs, func(dir string) bool { return gone[dir] > 0 })
	all = left
	if f.work.Done() {
		a.note("the patterns of .gitignore and exclude take too many comparisons: wildcards leave out no more files")
	}
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
	list, split, isCut := s.Reader(), bufio.ScanLines, false
	if f.null {
		split = func(data []byte, isEnd bool) (int, []byte, error) {
			if i := bytes.IndexByte(data, 0); i >= 0 {
				isCut = true
				return i + 1, data[:i], nil
			}
			if isEnd && len(data) > 0 {
				return len(data), data, nil
			}
			return 0, nil, nil
		}
	} else {
		list = input.Words(list)
	}
	most := io.LimitedReader{R: list, N: maxList + 1}
	paths := bufio.NewScanner(&most)
	paths.Buffer(nil, maxListed)
	paths.Split(split)
	seen, places, isLines := map[string]bool{}, map[string]place{}, false
	var outside []string
	for paths.Scan() {
		text := paths.Bytes()
		if isLines = bytes.IndexByte(text, '\n') >= 0; !f.null && bytes.IndexByte(text, 0) >= 0 {
			return nil, refuse(render.QuotePath(f.filesFrom)+" has a byte of 0: its paths do not end with the line",
				"-0 reads such a list")
		}
		if seen[string(text)] || !input.IsKnownName(string(text)) {
			continue
		}
		in := checkInput{path: string(text), dir: f.filesFrom}
		if seen[in.path] = true; len(seen) > maxDistinct {
			return nil, refuse(fmt.Sprintf("%s has more than %d files", render.QuotePath(f.filesFrom), maxDistinct),
				"check a directory, or the list in parts")
		}
		if filepath.Base(in.path) == project.FileName {
			continue
		}
		switch why := f.passOver(&in, places); why {
		case "":
			all = append(all, in)
		case leadsOut:
			outside = append(outside, in.path)
			fallthrough
		default:
			f.skip(in.path, why)
		}
	}
	switch {
	case f.null && !isCut && (isLines || paths.Err() != nil):
		return nil, refuse(render.QuotePath(f.filesFrom)+" has no byte of 0: its paths do not end with one",
			"without -0 each line is a path")
	case paths.Err() != nil || most.N <= 0:
		return nil, refuse(fmt.Sprintf("%s cannot be read as a list of files: it may have %d MB, and a path %d KB",
			render.QuotePath(f.filesFrom), maxList>>20, maxListed>>10), "")
	}
	a.noteLinks(f, outside, leadOut)
	return all, nil
}

// The limits of a list of files.
const (
	maxList     = 32 << 20 // bytes
	maxListed   = 64 << 10 // bytes of a path
	maxDistinct = 1_000_000
)

// A place is a directory of files that are listed.
type place struct {
	fence
	out bool // a link on the way leads out
}

// passOver returns why a file of a list is not checked, if so. One that is not there is, which is an error.
func (f *checkFlags) passOver(in *checkInput, places map[string]place) string {
	if f.excludesListed(in.path) {
		return excluded
	}
	info, err := os.Lstat(in.path)
	if in.link = err == nil && info.Mode()&fs.ModeSymlink != 0; in.link {
		info, err = os.Stat(in.path)
	}
	if err != nil {
		return ""
	}
	if !info.Mode().IsRegular() {
		return notRegular
	}
	dir := filepath.Dir(in.path)
	p, ok := places[dir]
	if !ok {
		root := string(f.here)
		if !filepath.IsLocal(in.path) {
			root = dir
		}
		p.fence = newFence(f.here, root)
		p.out = p.leaves(dir)
		places[dir] = p
	}
	if in.out = p.out || in.link && p.leaves(in.path); in.out && !f.follows(in.path) {
		return leadsOut
	}
	return ""
}

// A fence is the directory that links may not lead out of: the repository of a directory, or the directory itself where
// there is none. What git keeps in there is outside too.
type fence struct {
	here workDir
	top  string // without links
}

// newFence returns the fence around a directory.
func newFence(here workDir, dir string) fence {
	dir = here.absolute(dir)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if top, ok := upward(dir, ".git"); ok {
		dir = top
	}
	return fence{here, dir}
}

// leaves reports whether a path leads out. One that leads nowhere does not.
func (b fence) leaves(path string) bool {
	real, err := filepath.EvalSymlinks(b.here.absolute(path))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	rel, ok := b.here.within(b.top, real)
	return !ok || strings.Contains("/"+rel+"/", "/.git/")
}

// follows reports whether a link that leads out is followed: the user wants it, or the bytes of the file say that it
// has tensors.
func (f *checkFlags) follows(path string) bool {
	if f.follow {
		return true
	}
	s, end, err := f.tensor.app.openSource(path)
	if err != nil {
		return false
	}
	defer end()
	s.Name = ""
	return s.HasHeader()
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

// The reasons why files are not checked that are counted each by itself, and another one.
const (
	ignored    = "ignored by .gitignore"
	excluded   = "excluded"
	leadsOut   = "a link that leads out"
	notRegular = "not a regular file"
)

// A skippedFile is one that was found and is not checked.
type skippedFile struct{ path, why string }

func (f *checkFlags) skip(path, why string) { f.skipped = append(f.skipped, skippedFile{path, why}) }

// excluded reports whether --exclude or the configuration of the project leaves out a path that was found from a
// directory.
func (f *checkFlags) excluded(dir, path string, isDir bool) bool {
	f.work.Paths++
	if rel, err := filepath.Rel(dir, path); err == nil && !f.excludes.IsEmpty() {
		if excluded, _ := f.excludes.Excludes(filepath.ToSlash(rel), isDir, &f.work); excluded {
			return true
		}
	}
	if f.config == nil || f.config.Exclude.IsEmpty() {
		return false
	}
	rel, ok := f.here.within(f.configDir, path)
	if !ok {
		return false
	}
	excluded, _ := f.config.Exclude.Excludes(rel, isDir, &f.work)
	return excluded
}

// described returns the input that is the tensor of the arguments.
func (f *checkFlags) described(args []string) ([]checkInput, error) {
	in, rest, err := f.tensor.find(args, 0)
	_, sizes := shape.ParseShape(args[0])
	if err != nil && sizes != nil && !input.Recognises(args[0]) {
		const hint = "such as model.json, or 1x3x224x224 --strides 150528,1,672,3"
		return nil, refuse(cmp.Or(render.Quote(args[0]), "an empty argument")+" is neither a file nor a tensor", hint)
	}
	if err != nil && sizes != nil && len(args) == 1 {
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
	root, err := filepath.EvalSymlinks(f.here.absolute(dir))
	if err != nil {
		root = f.here.absolute(dir)
	}
	bounds := newFence(f.here, root)
	var elsewhere, concealed, outside []string // links that are not followed
	var ignores *inspect.Ignores
	if !f.noGitignore {
		ignores = inspect.NewIgnores(bounds.top, root, a.openDir, input.IsKnownName, &f.work)
	}
	top := dir
	if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		top += string(filepath.Separator) // the directory that the link leads to
	}
	base := filepath.Clean(top)
	_ = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		ours := input.IsConfigName(path)
		hidden := strings.HasPrefix(d.Name(), ".") && path != top && !ours || d.Name() == project.FileName
		in := checkInput{path: path, dir: dir, link: d.Type()&fs.ModeSymlink != 0}
		info, linkErr := fs.FileInfo(nil), error(nil)
		isKnown := d.IsDir() || input.IsKnownName(path)
		if in.link && !hidden {
			info, linkErr = os.Stat(path)
		}
		why, real := "", root
		switch {
		case path == top:
		case base == ".":
			real = filepath.Join(root, path)
		default:
			real = filepath.Join(root, path[len(base):])
		}
		switch {
		case hidden || path == top || !isKnown || err != nil:
		case f.excluded(dir, path, d.IsDir()):
			why = excluded
		case ignores != nil && ignores.Excludes(real, d.IsDir()):
			why = ignored
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
			if ignores != nil {
				ignores.Enter(real)
			}
		case info != nil && info.IsDir():
			to, err := filepath.EvalSymlinks(real)
			switch below, inside := f.here.within(root, to); {
			case err != nil || !inside:
				elsewhere = append(elsewhere, path)
			case below != "." && strings.Contains("/"+below, "/."):
				concealed = append(concealed, path)
			}
		case !isKnown:
		case info != nil && info.Mode().IsRegular() && bounds.leaves(real):
			if in.out = true; f.follows(path) {
				all = append(all, in)
				break
			}
			outside = append(outside, path)
			f.skip(path, leadsOut)
		case d.Type().IsRegular(), info != nil && info.Mode().IsRegular(),
			linkErr != nil && (ours || input.IsHeaderName(path)):
			all = append(all, in)
		case linkErr != nil:
			f.skip(path, "a link that leads nowhere")
		default:
			f.skip(path, notRegular)
		}
		return nil
	})
	a.noteLinks(f, elsewhere, [2]string{"is a link to a directory elsewhere, which is not searched",
		"are links to directories elsewhere, which are not searched"})
	a.noteLinks(f, concealed, [2]string{"is a link to a hidden directory, which is not searched",
		"are links to hidden directories, which are not searched"})
	a.noteLinks(f, outside, leadOut)
	if ignores != nil {
		for _, note := range ignores.Notes {
			a.note(note)
		}
	}
	return all
}

// leadOut is what is said of one link that leads out, and of several.
var leadOut = [2]string{"is a link that leads out, which --follow follows",
	"are links that lead out, which --follow follows"}

// noteLinks notes links that are not followed, each by itself where the user wants to know what is skipped.
func (a *app) noteLinks(f *checkFlags, links []string, words [2]string) {
	if n := len(links); n > 1 && !f.verbose {
		a.note(fmt.Sprintf("%s and %d more %s", links[0], n-1, words[1]))
		return
	}
	for _, link := range links {
		a.note(link + " " + words[0])
	}
}

// once leaves out the files of directories that are there already, by another path or a link. Of a file and the
// links to it that directories have, the file stays.
func once(inputs []checkInput) []checkInput {
	seen := map[files.Identity]bool{}
	missing := map[string]bool{} // paths
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
			inputs[i].id = files.Identify(in.path, info)
			again[i] = turn.found && seen[inputs[i].id]
			seen[inputs[i].id] = true
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
