package cmd

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/input"
	"layoutcalc/layout/project"
	"layoutcalc/layout/tensorfile"
	"layoutcalc/render"
	"layoutcalc/render/report"
)

// maxProject is how many bytes the configuration and the baseline of a project may have.
const maxProject = 32 << 20

// readConfig reads the configuration of the project: the nearest one in the working directory and those around it, up
// to that of a repository.
func (f *checkFlags) readConfig() error {
	if f.noConfig || f.here == "" {
		return nil
	}
	dir, ok := upward(string(f.here), project.FileName)
	if !ok {
		return nil
	}
	path := f.here.name(filepath.Join(dir, project.FileName))
	text, err := f.readNamed(path, dir, "--no-config does without")
	if err != nil {
		return err
	}
	c, err := project.ReadConfig(text)
	if err == nil {
		f.config, f.configDir = c, dir
	}
	return (&input.Origin{Name: path, Data: text}).Locate(err)
}

// ofFiles reports whether inputs are what the configuration of a project is about: files, or what is called one.
func ofFiles(inputs []checkInput) bool {
	return slices.ContainsFunc(inputs, func(in checkInput) bool {
		return in.path != argsName && (!in.stdin || in.path != stdinName)
	})
}

// configure takes what the user does not say from the configuration of the project.
func (f *checkFlags) configure(flags *pflag.FlagSet) {
	c := f.config
	if c == nil {
		return
	}
	if f.target == nil {
		f.target = c.Target
	}
	if f.shown == nil {
		f.shown = c.Severity
	}
	if !flags.Changed("fail-on") && c.FailOn != nil {
		f.failOn = *c.FailOn
	}
	f.ignore = append(f.ignore, c.Ignore...)
	if c.Baseline != "" && f.baseline == "" && f.newBaseline == "" {
		f.baseline, f.named = f.here.name(filepath.Join(f.configDir, filepath.FromSlash(c.Baseline))), true
	}
}

// upward returns the nearest directory that has a file of that name: dir, or one around it up to that of a repository.
func upward(dir, name string) (found string, ok bool) {
	for {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return dir, true
		}
		_, err := os.Lstat(filepath.Join(dir, ".git"))
		around := filepath.Dir(dir)
		if err == nil || around == dir {
			return "", false
		}
		dir = around
	}
}

// A workDir is the working directory, which the system is asked for once; empty where it does not know it.
type workDir string

func newWorkDir() workDir {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return workDir(dir)
}

// name returns the path of a file as seen from the working directory.
func (w workDir) name(path string) string {
	if rel, err := filepath.Rel(string(w), path); err == nil {
		return rel
	}
	return path
}

// absolute returns a path from the root on, by which files are told apart.
func (w workDir) absolute(path string) string {
	isRooted := path != "" && os.IsPathSeparator(path[0]) || filepath.VolumeName(path) != ""
	if w != "" && !isRooted {
		return filepath.Join(string(w), path)
	}
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// within returns the path of a file as seen from a directory, with slashes; ok is false where it is not in there.
func (w workDir) within(dir, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(w.absolute(dir), w.absolute(path))
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// readNamed reads a file that a repository names: the configuration of the project in a directory, or what that names.
// It may not lead out of the repository, and then nothing else is said of it.
func (f *checkFlags) readNamed(path, dir, hint string) ([]byte, error) {
	top, ok := upward(dir, ".git")
	if !ok {
		top = dir
	}
	if rel, ok := f.here.within(top, path); ok && !newFence(f.here, dir).leaves(path) {
		return readProject(rootFS{top, &f.tensor.app.guard}, rel, path)
	}
	return nil, refuse(render.Quote(path)+" leads out of the repository", hint)
}

// readProject reads a file of the project, which messages call by its path.
func readProject(files fs.FS, name, path string) (text []byte, err error) {
	info, err := fs.Stat(files, name)
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		return nil, refuse(render.Quote(path)+" is not a regular file", "")
	case info.Size() > maxProject:
		return nil, refuse(render.Quote(path)+" is too long", "")
	default:
		text, err = fs.ReadFile(files, name)
	}
	if err != nil {
		return nil, refuse(render.Quote(path)+": "+render.Unreadable(err), "")
	}
	return text, nil
}

// silent tells the findings of a file that the project does not want; nil where there are none.
func (f *checkFlags) silent(path string) func(*finding.Finding) bool {
	if f.config == nil || len(f.config.Silences) == 0 {
		return nil
	}
	rel, ok := f.here.within(f.configDir, path)
	if !ok {
		return nil
	}
	silent := f.config.Silent(rel)
	if silent == nil {
		return nil
	}
	return func(finding *finding.Finding) bool {
		i := silent(finding)
		if i >= 0 {
			f.silenced.Store(i, true)
		}
		return i >= 0
	}
}

// noteIdle notes the ignores of the project that have silenced nothing, though their rules were checked.
func (a *app) noteIdle(f *checkFlags) {
	if f.config == nil {
		return
	}
	isChecked := func(id *finding.Rule) bool {
		return !slices.Contains(f.ignore, id) && (f.only == nil || slices.Contains(f.only, id))
	}
	for i, s := range f.config.Silences {
		if _, used := f.silenced.Load(i); !used && slices.ContainsFunc(s.Rules, isChecked) {
			a.note(fmt.Sprintf("%s: item %d of ignores, of %s, silences nothing that is checked here",
				project.FileName, i+1, render.Quote(s.Name)))
		}
	}
}

// A ledger is the baseline that findings are held against, or the new one that they go into.
type ledger struct {
	path    string
	here    workDir
	dir     string // that of path, which paths are relative to
	isNew   bool
	least   finding.Severity // of what goes into a new one
	known   *project.Baseline
	checked map[string]bool // paths
	fixed   bool            // all findings are looked for, so that what is not found is gone
}

// openLedger reads the baseline, if there is one.
func (f *checkFlags) openLedger() (*ledger, error) {
	l := &ledger{path: f.newBaseline, isNew: f.newBaseline != "", here: f.here, known: project.NewBaseline()}
	l.checked = map[string]bool{}
	if f.baseline != "" {
		l.path = f.baseline
		if err := f.readBaseline(l); err != nil {
			return nil, err
		}
	}
	if l.path == "" {
		return nil, nil
	}
	l.least = f.failOn
	if f.shown != nil {
		l.least = *f.shown
	}
	l.fixed = len(f.only)+len(f.ignore) == 0 && f.least() <= min(f.failOn, finding.Warning)
	l.dir = f.here.absolute(filepath.Dir(l.path))
	return l, nil
}

// readBaseline reads what is known. One that the project names is not quoted.
func (f *checkFlags) readBaseline(l *ledger) error {
	write := "layoutcalc check --write-baseline " + render.Quote(l.path) + " writes it"
	if f.named {
		text, err := f.readNamed(l.path, f.configDir, "--baseline FILE names another one")
		if err == nil {
			if l.known, err = project.ReadBaseline(text); err != nil {
				line := input.Finding(text, err).Line
				at := fmt.Sprintf("%s:%d", render.Quote(l.path), line)
				err = refuse(at+": this is not a baseline of version 1", write)
			}
		}
		return err
	}
	if _, err := os.Stat(l.path); err != nil {
		return refuse("the baseline "+render.Quote(l.path)+": "+render.Unreadable(err), write)
	}
	text, err := readProject(f.tensor.app.openDir(filepath.Dir(l.path)), filepath.Base(l.path), l.path)
	if err == nil {
		l.known, err = project.ReadBaseline(text)
	}
	return (&input.Origin{Name: l.path, Data: text}).Locate(err)
}

// take marks the findings of an input that are known, or keeps them as such. It returns how many there are of each
// severity.
func (l *ledger) take(c *checking) (known [len(finding.Severities)]int) {
	rel, ok := l.here.within(l.dir, c.path)
	if !ok {
		rel = filepath.ToSlash(filepath.Clean(c.path))
	}
	l.checked[rel] = true
	for i := range c.findings {
		f := &c.findings[i]
		switch {
		case f.Rule == finding.Syntax, c.faulty && (f.Rule == tensorfile.LFSPointer || f.Rule == tensorfile.NotTheFile):
			continue // the input cannot be read
		case l.isNew:
			if f.Known = f.Severity >= l.least; f.Known {
				l.known.Add(rel, &f.Finding)
			}
		default:
			f.Known = l.known.Has(rel, &f.Finding)
		}
		if f.Known {
			known[f.Severity]++
		}
	}
	return known
}

// close writes a new baseline, or says what of the old one is gone.
func (l *ledger) close(a *app) error {
	if l.isNew {
		write := func(w io.Writer) error { return report.WriteBaseline(w, l.known) }
		return unwritten("the baseline", l.path, a.guard.WriteWhole(l.path, false, write))
	}
	stale := l.known.Stale(func(path string) bool { return l.checked[path] })
	if n := len(stale); l.fixed && n > 0 {
		first := stale[0].Path + " [" + stale[0].Rule + "]"
		a.note(fmt.Sprintf("%s knows more findings than there are, of %s: --write-baseline %s leaves them out", l.path,
			[...]string{first, fmt.Sprintf("%s and %d more", first, n-1)}[min(n-1, 1)], l.path))
	}
	return nil
}
