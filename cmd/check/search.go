package check

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
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/project"
	"layoutcalc/render"
	"layoutcalc/render/report"
)

// A subject is one thing to check: a file, standard input, or the tensor of the arguments.
type subject struct {
	path     string
	dir      string // the directory or list that has the file; empty if the user named the file
	link     bool   // the file is a link in that directory
	out      bool   // the link points outside, so the content of the file is not shown
	stdin    bool   // standard input, which path names in messages
	merged   bool   // checked with another subject: the same file, or an index that names it
	leadsSet bool   // the first file of a set, which findings about the set name
	hidden   int    // how many tensor files and models a .gitignore hides; path is the first of them
	policy   *policy
	id       any   // the identity of a file
	text     *Text // the tensor of the arguments, or an index that has been read
}

// inputs returns the files that the arguments and --files-from name, or the tensor that the arguments describe. An
// argument that is a file never describes a tensor, because a shell may have listed it.
func (r *run) inputs() ([]*subject, error) {
	if err := r.readList(); err != nil {
		return nil, err
	}
	args := r.Args
	if r.Windows {
		args = r.expand(args)
	}
	for i := range args {
		isTensor, err := r.argument(args, i)
		if isTensor {
			text, err := r.Describe(args)
			return []*subject{{path: report.ArgsName, text: text}}, err
		}
		if err != nil {
			return nil, err
		}
	}
	r.merge()
	r.markSets()
	if r.work.Done() {
		r.Note("the patterns of .gitignore and exclude take too many comparisons: " +
			"wildcards exclude no more files")
	}
	if r.Shaped {
		return nil, lexer.Refuse("flags such as --strides, --pad and --view shape a tensor of the command line",
			"files say themselves how their tensors lie")
	}
	return r.found, nil
}

// argument takes the files that args[i] names. It reports true if args describe a tensor instead.
func (r *run) argument(args []string, i int) (isTensor bool, err error) {
	arg := args[i]
	info, err := os.Stat(r.Guard.Path(arg))
	if path, ok := input.Path(arg); ok && err != nil {
		arg = path
		info, err = os.Stat(r.Guard.Path(arg))
	}
	exists := err == nil
	if exists {
		r.Guard.Reads(arg, info) // before a report could replace it
	}
	isPath := exists || arg != args[i] || isKnownName(arg) || !input.Recognises(arg) && strings.ContainsAny(arg, `/\.`)
	switch {
	case arg == "-" && (slices.Contains(args[:i], "-") || r.FilesFrom == "-"):
		return false, input.ErrReadTwice
	case arg == "-":
		r.found = append(r.found, &subject{path: cmp.Or(r.Stdin, stdinName), stdin: true})
	case exists && info.IsDir():
		r.dirs = append(r.dirs, arg)
		r.walk(arg)
	case exists && info.Mode().IsRegular() && r.companion(arg):
	case i > 0 || isPath || len(r.found) > 0:
		r.found = append(r.found, &subject{path: arg})
	default:
		return true, nil
	}
	return false, nil
}

// merge removes inputs that are checked with another one.
func (r *run) merge() {
	r.mergeSame()
	r.mergeShards()
	r.found = slices.DeleteFunc(r.found, func(in *subject) bool {
		if in.merged {
			r.dirsWith[in.dir] = true
		}
		return in.merged
	})
}

// readList takes the inputs among the files that --files-from names, like files in a directory.
func (r *run) readList() error {
	if r.FilesFrom == "" {
		return nil
	}
	s, end, err := r.Open(r.FilesFrom)
	if err != nil {
		return err
	}
	defer end()
	name := "standard input"
	if r.FilesFrom != "-" {
		name = render.Quote(r.FilesFrom)
	}
	list, ending, isCut := s.Reader(), byte(0), false
	if !r.Null {
		list, ending = input.Words(list), '\n'
	}
	most := io.LimitedReader{R: list, N: maxList + 1}
	paths := bufio.NewReaderSize(&most, maxListed)
	seen, boundaries, isLines := map[string]bool{}, map[string]linkBoundary{}, false
	for err == nil {
		var text []byte
		if text, err = paths.ReadSlice(ending); err == nil {
			text, isCut = text[:len(text)-1], true
		} else if err != io.EOF {
			break
		}
		if isLines = bytes.IndexByte(text, '\n') >= 0; !r.Null && bytes.IndexByte(text, 0) >= 0 {
			return lexer.Refuse("-0 reads such a list", "%s has a byte of 0: its paths do not end with the line",
				name)
		}
		if !r.Null {
			text = bytes.TrimSuffix(text, []byte("\r"))
		}
		for _, path := range r.listed(string(text), seen) {
			r.list(&subject{path: path, dir: r.FilesFrom}, boundaries)
		}
		if len(seen) > maxDistinct {
			return lexer.Refuse("check a directory, or the list in parts", "%s has more than %d files", name,
				maxDistinct)
		}
	}
	switch {
	case r.Null && !isCut && (isLines || err != io.EOF):
		return lexer.Refuse("without -0 each line is a path",
			"%s has no byte of 0: its paths do not end with one", name)
	case err != io.EOF || most.N <= 0:
		return lexer.Refuse("", "%s cannot be read as a list of files: it may have %d MB, and a path %d KB", name,
			maxList>>20, maxListed>>10)
	}
	r.noteLinks(r.outside, notFollowed)
	return nil
}

// listed returns the files to check for a path of a list, except those in seen.
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

// list takes a file of a list. A file that does not exist is taken too, so that it becomes an error. The map keeps the
// boundary of each directory.
func (r *run) list(in *subject, boundaries map[string]linkBoundary) {
	if r.excludesListed(in.path) {
		r.skip(in.path, excluded)
		return
	}
	info, err := os.Lstat(r.Guard.Path(in.path))
	if in.link = err == nil && info.Mode()&fs.ModeSymlink != 0; in.link {
		info, err = os.Stat(r.Guard.Path(in.path))
	}
	if err != nil {
		r.found = append(r.found, in)
		return
	}
	dir := filepath.Dir(in.path)
	around, ok := boundaries[dir]
	if !ok {
		root := string(r.here)
		if !filepath.IsLocal(in.path) {
			root = dir
		}
		around.top = Repository(r.here.real(root))
		around.outside = r.here.isOutside(around, dir)
		boundaries[dir] = around
	}
	r.take(in, info.Mode(), around)
}

// take adds a file of a directory or a list to the inputs, if it is a regular file inside the boundary.
func (r *run) take(in *subject, mode fs.FileMode, around linkBoundary) {
	in.out = around.outside || in.link && mode.IsRegular() && r.here.isOutside(around, in.path)
	switch {
	case !mode.IsRegular():
		r.skip(in.path, "not a regular file")
	case in.out && !r.follows(in.path):
		r.outside = append(r.outside, in.path)
		r.skip(in.path, pointsOutside)
	default:
		r.found = append(r.found, in)
	}
}

// follows reports whether to follow a link that points outside: with --follow, or if the first bytes of the file are of
// a format with tensors.
func (r *run) follows(path string) bool {
	if r.Follow {
		return true
	}
	s, end, err := r.Open(path)
	if err != nil {
		return false
	}
	defer end()
	s.Name = ""
	return s.HasHeader()
}

// excludesListed reports whether a file of a list, or a directory above it, is excluded.
func (r *run) excludesListed(path string) bool {
	path = filepath.Clean(path)
	last := r.policies.at(path)
	for i, known := 1, r.existingPrefix(path); i < len(path); i++ {
		if !os.IsPathSeparator(path[i]) {
			continue
		}
		p := last // also if the directory does not exist
		if i <= known {
			p = r.policies.at(path[:i])
		}
		if r.excluded(p, ".", path[:i], true) {
			return true
		}
	}
	return r.excluded(last, ".", path, false)
}

// The reasons for skipping files that the summary counts separately.
const (
	ignored       = "ignored by .gitignore"
	excluded      = "excluded"
	pointsOutside = "a link that points outside"
)

// A skippedFile is a file that was found and is not checked.
type skippedFile struct{ path, why string }

func (r *run) skip(path, why string) { r.skipped = append(r.skipped, skippedFile{path, why}) }

// excluded reports whether --exclude or the policy p excludes path, which was found in dir.
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

// stdinName is the path of standard input without a name.
const stdinName = "<stdin>"

func isKnownName(path string) bool { return input.NamingOf(path).Is(input.KnownName) }

// walk adds the inputs below a directory, in order, except hidden files and files that the user or a .gitignore
// excludes. It treats a link to a file like the file. It does not follow links to directories, and notes links to
// directories that it does not search.
func (r *run) walk(dir string) {
	open := r.Guard.Dir
	if r.NoGitignore {
		open = nil
	}
	root := r.here.real(dir)
	w := walker{run: r, dir: dir, root: root, around: linkBoundary{top: Repository(root)}}
	w.ignores = newIgnoreFiles(w.around.top, root, open, &r.work)
	before := len(r.outside)
	_ = filepath.WalkDir(w.root, w.visit)
	r.noteLinks(w.elsewhere, [2]string{"is a link to a directory elsewhere, which is not searched",
		"are links to directories elsewhere, which are not searched"})
	r.noteLinks(w.concealed, [2]string{"is a link to a hidden directory, which is not searched",
		"are links to hidden directories, which are not searched"})
	r.noteLinks(r.outside[before:], notFollowed)
	for _, path := range w.slips {
		r.noteSlip(path)
	}
	if n := len(w.hidden); n > 0 {
		r.found = append(r.found, &subject{path: w.hidden[0], dir: dir, hidden: n})
		r.IgnoredModels += n
	}
	r.Note(w.ignores.notes...)
}

// noteSlip notes a file with a name that is nearly the name of a project configuration, if configurations are read.
func (r *run) noteSlip(path string) {
	if r.NoConfig {
		return
	}
	r.notef("%s is not read: the configuration of a project is %s", path, project.FileNames[0])
}

// A walker looks for files in a directory.
type walker struct {
	*run
	dir       string // as the user named it
	root      string // its real path
	around    linkBoundary
	ignores   *ignoreFiles
	elsewhere []string // links to directories outside this one
	concealed []string // links to hidden directories
	slips     []string // files with almost the name of a configuration of a project
	hidden    []string // tensor files and models that a .gitignore hides
}

// visit is the function of filepath.WalkDir.
func (w *walker) visit(real string, d fs.DirEntry, err error) error {
	path := w.dir
	if real != w.root {
		path = filepath.Join(w.dir, real[len(w.root):])
	}
	switch {
	case err != nil:
		w.found = append(w.found, &subject{path: path, dir: w.dir}) // opening it will fail too
	case w.skips(path, real, d):
		if d.IsDir() {
			return fs.SkipDir
		}
	case d.IsDir():
		w.ignores.enter(real)
	case d.Type()&fs.ModeSymlink != 0:
		w.visitLink(path, real)
	case isKnownName(path):
		w.take(&subject{path: path, dir: w.dir}, d.Type(), w.around)
	}
	return nil
}

// skips reports whether to skip a file or a directory: a hidden one, a configuration of the project, or one that is
// excluded.
func (w *walker) skips(path, real string, d fs.DirEntry) bool {
	name, says := d.Name(), input.NamingOf(path)
	isHidden := strings.HasPrefix(name, ".") && real != w.root
	switch {
	case w.isConfig(name):
		return true
	case isHidden && project.IsSlip(name):
		if !d.IsDir() {
			w.slips = append(w.slips, path)
		}
		return true
	case isHidden && !says.Is(input.ConfigName):
		return true
	case real == w.root || !d.IsDir() && !says.Is(input.KnownName):
		return false
	case w.excluded(w.policies.at(path), w.dir, path, d.IsDir()):
		w.skip(path, excluded)
		return true
	case w.ignores.excludes(real, d.IsDir()):
		w.skip(path, ignored)
		if says.Is(input.HeaderName) && !d.IsDir() {
			w.hidden = append(w.hidden, path)
		}
		return true
	}
	return false
}

// visitLink takes a link to a file, and remembers a link to a directory.
func (w *walker) visitLink(path, real string) {
	says := input.NamingOf(path)
	info, err := os.Stat(real)
	switch {
	case err == nil && info.IsDir():
		w.linked(path, real)
	case !says.Is(input.KnownName):
	case err == nil:
		w.take(&subject{path: path, dir: w.dir, link: true}, info.Mode(), w.around)
	case says.Is(input.ConfigName | input.HeaderName):
		w.found = append(w.found, &subject{path: path, dir: w.dir, link: true})
	default:
		w.skip(path, "a link that leads nowhere")
	}
}

// linked remembers a link to a directory that is not searched: it is outside this one, or hidden.
func (w *walker) linked(path, real string) {
	to, err := filepath.EvalSymlinks(real)
	switch below, inside := w.here.within(w.root, to); {
	case err != nil || !inside:
		w.elsewhere = append(w.elsewhere, path)
	case below != "." && strings.Contains("/"+below, "/."):
		w.concealed = append(w.concealed, path)
	}
}

// notFollowed is the note on one link that points outside, and on several.
var notFollowed = [2]string{"is a link that points outside, which --follow follows",
	"are links that point outside, which --follow follows"}

// noteLinks notes links that are not followed: with --verbose each of them, otherwise the first. The words are for one
// link and for several.
func (r *run) noteLinks(links []string, words [2]string) {
	if n := len(links); n > 1 && !r.Verbose {
		r.notef("%s%s and %d more %s", links[0], r.linkTo(links[0]), n-1, words[1])
		return
	}
	for _, link := range links {
		r.notef("%s%s %s", link, r.linkTo(link), words[0])
	}
}

// mergeSame marks files of directories that are already among the inputs, by another path or a link. Of a file and the
// links to it in directories, it keeps the file.
func (r *run) mergeSame() {
	seen := map[any]bool{}
	for _, turn := range [...]struct{ found, link bool }{{false, false}, {true, false}, {true, true}} {
		for _, in := range r.found {
			if (in.dir != "") != turn.found || in.link != turn.link || in.stdin {
				continue
			}
			in.id = in.path // if the file does not exist
			if info, err := os.Stat(r.Guard.Path(in.path)); err == nil {
				in.id = r.Guard.Identify(in.path, info)
			}
			in.merged = turn.found && seen[in.id]
			seen[in.id] = true
		}
	}
}

// maxIndexes is how many bytes of indexes are kept after they have been read for the names of their shards. The first
// is always kept, because it would take the memory anyway. Others are read again.
const maxIndexes = 32 << 20

// A shard is a file that an index names.
type shard struct {
	index  string // the path of the first index that names it; findings are reported with it
	listed bool   // an argument names it, or a directory has it
}

// mergeShards marks the files that an index among the inputs names, because they are read with the index.
func (r *run) mergeShards() {
	kept := 0
	r.shards = map[string]*shard{}
	for _, in := range r.found {
		if len(r.found) < 2 || in.stdin || in.merged || !input.NamingOf(in.path).Is(input.IndexName) {
			continue
		}
		s, end, err := r.Open(in.path)
		if err != nil {
			continue // checking it will fail too
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
