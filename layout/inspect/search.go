package inspect

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"layoutcalc/layout/input"
	"layoutcalc/layout/project"
	"layoutcalc/layout/scan"
)

// A subject is one thing to check: a file, standard input, or the tensor of the arguments.
type subject struct {
	path   string
	dir    string // or list that has the file: it may be something else than descriptors
	link   bool   // in that directory it is a link
	out    bool   // that link leads out: the text of the file is not shown
	stdin  bool   // path is its name in messages
	merged bool   // it is checked with another subject: the same file, or an index that names it
	leads  bool   // it is the first file of a set: what is wrong with the set is reported of it
	hidden int    // how many tensor files and models of a directory a .gitignore leaves out: this is the first
	policy *policy
	id     any   // the identity of a file
	text   *Text // of the arguments, or an index that has been read
}

// inputs returns what the arguments and --files-from name: files, directories and -, or the tensor that the arguments
// describe. What is a file is never taken for a tensor: a shell may have listed it.
func (r *run) inputs() ([]*subject, error) {
	if err := r.readList(); err != nil {
		return nil, err
	}
	args := r.Args
	if r.Windows {
		args = r.expand(args)
	}
	for i, arg := range args {
		info, err := os.Stat(r.program.Path(arg))
		if path, ok := input.Path(arg); ok && err != nil {
			arg = path
			info, err = os.Stat(r.program.Path(arg))
		}
		if err == nil {
			r.program.Reads(arg, info) // before reports are begun, which would take its place
		}
		isPath := arg != args[i] || isKnownName(arg) || !input.Recognises(arg) && strings.ContainsAny(arg, `/\.`)
		switch {
		case arg == "-" && (slices.Contains(args[:i], "-") || r.FilesFrom == "-"):
			return nil, input.ErrReadTwice
		case arg == "-":
			r.found = append(r.found, &subject{path: cmp.Or(r.Stdin, stdinName), stdin: true})
		case err == nil && info.IsDir():
			r.dirs = append(r.dirs, arg)
			r.walk(arg)
		case err == nil && info.Mode().IsRegular() && r.companion(arg):
		case i > 0 || err == nil || isPath || len(r.found) > 0:
			r.found = append(r.found, &subject{path: arg})
		default:
			text, err := r.program.Describe(args)
			return []*subject{{path: ArgsName, text: text}}, err
		}
	}
	r.mergeSame()
	r.mergeShards()
	r.found = slices.DeleteFunc(r.found, func(in *subject) bool {
		if in.merged {
			r.dirsWith[in.dir] = true
		}
		return in.merged
	})
	r.markSets()
	if r.work.Done() {
		r.program.Note("the patterns of .gitignore and exclude take too many comparisons: " +
			"wildcards leave out no more files")
	}
	if r.Shaped {
		return nil, scan.Refuse("--strides, --pad, --view and their like shape a tensor of the command line",
			"files say themselves how their tensors lie")
	}
	return r.found, nil
}

// readList takes the files that --files-from names, as if a directory had them. Names of other things are left out.
func (r *run) readList() error {
	if r.FilesFrom == "" {
		return nil
	}
	s, end, err := r.program.Open(r.FilesFrom)
	if err != nil {
		return err
	}
	defer end()
	name := "standard input"
	if r.FilesFrom != "-" {
		name = r.program.Quote(r.FilesFrom)
	}
	list, ending, isCut := s.Reader(), byte(0), false
	if !r.Null {
		list, ending = input.Words(list), '\n'
	}
	most := io.LimitedReader{R: list, N: maxList + 1}
	paths := bufio.NewReaderSize(&most, maxListed)
	seen, fences, isLines := map[string]bool{}, map[string]fence{}, false
	for err == nil {
		var text []byte
		if text, err = paths.ReadSlice(ending); err == nil {
			text, isCut = text[:len(text)-1], true
		} else if err != io.EOF {
			break
		}
		if isLines = bytes.IndexByte(text, '\n') >= 0; !r.Null && bytes.IndexByte(text, 0) >= 0 {
			return scan.Refuse("-0 reads such a list", "%s has a byte of 0: its paths do not end with the line",
				name)
		}
		if !r.Null {
			text = bytes.TrimSuffix(text, []byte("\r"))
		}
		for _, path := range r.listed(string(text), seen) {
			r.list(&subject{path: path, dir: r.FilesFrom}, fences)
		}
		if len(seen) > maxDistinct {
			return scan.Refuse("check a directory, or the list in parts", "%s has more than %d files", name,
				maxDistinct)
		}
	}
	switch {
	case r.Null && !isCut && (isLines || err != io.EOF):
		return scan.Refuse("without -0 each line is a path",
			"%s has no byte of 0: its paths do not end with one", name)
	case err != io.EOF || most.N <= 0:
		return scan.Refuse("", "%s cannot be read as a list of files: it may have %d MB, and a path %d KB", name,
			maxList>>20, maxListed>>10)
	}
	r.noteLinks(r.outside, leadOut)
	return nil
}

// listed returns the files to check for a path of a list, but for those that were seen.
func (r *run) listed(path string, seen map[string]bool) []string {
	paths, isCompanion := r.companions.of(path)
	if !isCompanion && isKnownName(path) {
		paths = []string{path}
	}
	return slices.DeleteFunc(paths, func(path string) bool {
		isSeen := seen[path]
		seen[path] = true
		return isSeen
	})
}

// The limits of a list of files.
const (
	maxList     = 32 << 20 // bytes
	maxListed   = 64 << 10 // bytes of a path
	maxDistinct = 1_000_000
)

// list takes a file of a list. A missing one is checked, so that it is an error. The fences are those around the
// directories of such files.
func (r *run) list(in *subject, fences map[string]fence) {
	if r.excludesListed(in.path) {
		r.skip(in.path, excluded)
		return
	}
	info, err := os.Lstat(r.program.Path(in.path))
	if in.link = err == nil && info.Mode()&fs.ModeSymlink != 0; in.link {
		info, err = os.Stat(r.program.Path(in.path))
	}
	if err != nil {
		r.found = append(r.found, in)
		return
	}
	dir := filepath.Dir(in.path)
	around, ok := fences[dir]
	if !ok {
		root := string(r.here)
		if !filepath.IsLocal(in.path) {
			root = dir
		}
		around.top = Repository(r.here.real(root))
		around.out = r.here.leaves(around, dir)
		fences[dir] = around
	}
	r.take(in, info.Mode(), around)
}

// take takes a file that was found in a directory or a list, if it is a regular one inside of a fence.
func (r *run) take(in *subject, mode fs.FileMode, around fence) {
	in.out = around.out || in.link && mode.IsRegular() && r.here.leaves(around, in.path)
	switch {
	case !mode.IsRegular():
		r.skip(in.path, "not a regular file")
	case in.out && !r.follows(in.path):
		r.outside = append(r.outside, in.path)
		r.skip(in.path, leadsOut)
	default:
		r.found = append(r.found, in)
	}
}

// follows reports whether a link that leads out is followed: the user wants it, or the bytes of the file say that it
// has tensors.
func (r *run) follows(path string) bool {
	if r.Follow {
		return true
	}
	s, end, err := r.program.Open(path)
	if err != nil {
		return false
	}
	defer end()
	s.Name = ""
	return s.HasHeader()
}

// excludesListed reports whether a file of a list, or a directory that it is in, is left out.
func (r *run) excludesListed(path string) bool {
	path = filepath.Clean(path)
	last := r.policies.at(path)
	for i, known := 1, r.there(path); i < len(path); i++ {
		if !os.IsPathSeparator(path[i]) {
			continue
		}
		p := last // of what is missing too
		if i <= known {
			p = r.policies.at(path[:i])
		}
		if r.excluded(p, ".", path[:i], true) {
			return true
		}
	}
	return r.excluded(last, ".", path, false)
}

// The reasons to skip files that are counted each by itself.
const (
	ignored  = "ignored by .gitignore"
	excluded = "excluded"
	leadsOut = "a link that leads out"
)

// A skippedFile is one that was found and is not checked.
type skippedFile struct{ path, why string }

func (r *run) skip(path, why string) { r.skipped = append(r.skipped, skippedFile{path, why}) }

// excluded reports whether --exclude, or the policy of the directory that has a path, leaves it out. The path was found
// from the directory dir.
func (r *run) excluded(p *policy, dir, path string, isDir bool) bool {
	r.work.Paths++
	excluded := false
	if !r.excludes.IsEmpty() {
		if rel, err := filepath.Rel(dir, path); err == nil {
			excluded, _ = r.excludes.Excludes(filepath.ToSlash(rel), isDir, &r.work)
		}
	}
	return excluded || p.excludes(r, path, isDir)
}

// The paths of subjects without a path: the tensor of the arguments, and standard input without a name.
const (
	ArgsName  = "<args>" // for programs; people are not shown it
	stdinName = "<stdin>"
)

func isKnownName(path string) bool { return input.NamingOf(path).Is(input.KnownName) }

// walk returns the files in a directory, and in those inside it, in order. Hidden ones are left out, and those that the
// user or a .gitignore excludes. A link is taken like the file that it leads to; one that leads nowhere is a file that
// cannot be opened, where its name says that it is ours. A link to a directory elsewhere, or to a hidden one, is not
// followed, and noted, each by itself where the user wants to know what is skipped.
func (r *run) walk(dir string) {
	open := r.program.Dir
	if r.NoGitignore {
		open = nil
	}
	root := r.here.real(dir)
	w := walker{run: r, dir: dir, root: root, around: fence{top: Repository(root)}}
	w.ignores = NewIgnores(w.around.top, root, open, &r.work)
	before := len(r.outside)
	_ = filepath.WalkDir(w.root, w.visit)
	r.noteLinks(w.elsewhere, [2]string{"is a link to a directory elsewhere, which is not searched",
		"are links to directories elsewhere, which are not searched"})
	r.noteLinks(w.concealed, [2]string{"is a link to a hidden directory, which is not searched",
		"are links to hidden directories, which are not searched"})
	r.noteLinks(r.outside[before:], leadOut)
	for _, path := range w.slips {
		r.noteSlip(path)
	}
	if n := len(w.hidden); n > 0 {
		r.found = append(r.found, &subject{path: w.hidden[0], dir: dir, hidden: n})
		r.IgnoredModels += n
	}
	r.program.Note(w.ignores.Notes...)
}

// noteSlip notes a file whose name is nearly that of the configuration of a project, if one would be read.
func (r *run) noteSlip(path string) {
	if r.NoConfig {
		return
	}
	r.note("%s is not read: the configuration of a project is %s", path, project.FileNames[0])
}

// A walker looks for files in a directory.
type walker struct {
	*run
	dir       string // as the user calls it
	root      string // its real path
	around    fence
	ignores   *Ignores
	elsewhere []string // links to directories that are not in this one
	concealed []string // links to hidden directories
	slips     []string // files whose names are nearly that of the configuration of a project
	hidden    []string // tensor files and models that a .gitignore leaves out
}

// visit comes to a file or a directory by its real path.
func (w *walker) visit(real string, d fs.DirEntry, err error) error {
	path := w.dir
	if real != w.root {
		path = filepath.Join(w.dir, real[len(w.root):])
	}
	if err != nil {
		w.found = append(w.found, &subject{path: path, dir: w.dir}) // to open it will fail too
		return nil
	}
	pass := error(nil)
	if d.IsDir() {
		pass = fs.SkipDir
	}
	says := input.NamingOf(path)
	isHidden := strings.HasPrefix(d.Name(), ".") && real != w.root &&
		(!says.Is(input.ConfigName) || project.IsSlip(d.Name()))
	if isHidden || w.isConfig(d.Name()) {
		if isHidden && !d.IsDir() && !w.isConfig(d.Name()) && project.IsSlip(d.Name()) {
			w.slips = append(w.slips, path)
		}
		return pass
	}
	isKnown := d.IsDir() || says.Is(input.KnownName)
	switch {
	case real == w.root || !isKnown:
	case w.excluded(w.policies.at(path), w.dir, path, d.IsDir()):
		w.skip(path, excluded)
		return pass
	case w.ignores.Excludes(real, d.IsDir()):
		w.skip(path, ignored)
		if says.Is(input.HeaderName) && !d.IsDir() {
			w.hidden = append(w.hidden, path)
		}
		return pass
	}
	mode, isLink := d.Type(), d.Type()&fs.ModeSymlink != 0
	if isLink {
		var info fs.FileInfo
		if info, err = os.Stat(real); err == nil {
			mode = info.Mode()
		}
	}
	switch {
	case d.IsDir():
		w.ignores.Enter(real)
	case mode.IsDir():
		w.linked(path, real)
	case !isKnown:
	case err != nil && says.Is(input.ConfigName|input.HeaderName):
		w.found = append(w.found, &subject{path: path, dir: w.dir, link: true})
	case err != nil:
		w.skip(path, "a link that leads nowhere")
	default:
		w.take(&subject{path: path, dir: w.dir, link: isLink}, mode, w.around)
	}
	return nil
}

// linked comes to a link to a directory. The directory is searched only if it is in this one.
func (w *walker) linked(path, real string) {
	to, err := filepath.EvalSymlinks(real)
	switch below, inside := w.here.within(w.root, to); {
	case err != nil || !inside:
		w.elsewhere = append(w.elsewhere, path)
	case below != "." && strings.Contains("/"+below, "/."):
		w.concealed = append(w.concealed, path)
	}
}

// leadOut is the note on one link that leads out, and on several.
var leadOut = [2]string{"is a link that leads out, which --follow follows",
	"are links that lead out, which --follow follows"}

// noteLinks notes links that are not followed, each by itself where the user wants to know what is skipped.
func (r *run) noteLinks(links []string, words [2]string) {
	if n := len(links); n > 1 && !r.Verbose {
		r.note("%s%s and %d more %s", links[0], r.linkTo(links[0]), n-1, words[1])
		return
	}
	for _, link := range links {
		r.note("%s%s %s", link, r.linkTo(link), words[0])
	}
}

// mergeSame leaves out the files of directories that are there already, by another path or a link. Of a file and the
// links to it that directories have, the file stays.
func (r *run) mergeSame() {
	seen := map[any]bool{}
	for _, turn := range [...]struct{ found, link bool }{{false, false}, {true, false}, {true, true}} {
		for _, in := range r.found {
			if (in.dir != "") != turn.found || in.link != turn.link || in.stdin {
				continue
			}
			in.id = in.path // of a file that is missing
			if info, err := os.Stat(r.program.Path(in.path)); err == nil {
				in.id = r.program.Identify(in.path, info)
			}
			in.merged = turn.found && seen[in.id]
			seen[in.id] = true
		}
	}
}

// maxIndexes is how many bytes of indexes are kept once they have been read to know their shards. The first is kept
// whatever its length, which it would take in memory anyway; others are read again.
const maxIndexes = 32 << 20

// A shard is a file that an index names.
type shard struct {
	index  string // the path of the first index that names it, with which it is reported
	listed bool   // the arguments name it, or a directory has it
}

// mergeShards leaves out the files that an index among the inputs names: they are read with the index, once.
func (r *run) mergeShards() {
	kept := 0
	r.shards = map[string]*shard{}
	for _, in := range r.found {
		if len(r.found) < 2 || in.stdin || in.merged || !input.NamingOf(in.path).Is(input.IndexName) {
			continue
		}
		s, end, err := r.program.Open(in.path)
		if err != nil {
			continue // to check it will fail too
		}
		index, err := input.Read(s, r.Options)
		if end(); err != nil {
			continue
		}
		if kept += len(index.Data); kept <= maxIndexes || kept == len(index.Data) {
			in.text = &Text{Text: index}
		}
		for _, path := range index.Shards() {
			path = r.here.absolute(filepath.Join(filepath.Dir(in.path), path))
			if r.shards[path] == nil {
				r.shards[path] = &shard{index: in.path}
			}
		}
	}
	for i := 0; i < len(r.found) && len(r.shards) > 0; i++ {
		in := r.found[i]
		if of := r.shards[r.here.absolute(in.path)]; of != nil && !in.stdin {
			of.listed, in.merged = true, true
		}
	}
}
