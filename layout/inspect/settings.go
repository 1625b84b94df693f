package inspect

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/input"
	"layoutcalc/layout/project"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/tensorfile"
)

// readConfig reads the configuration of the project: the nearest one in the working directory and those around it, up
// to that of a repository.
func (r *run) readConfig() error {
	if r.NoConfig || r.here == "" {
		return nil
	}
	dir, name := upward(string(r.here), project.FileNames[:]...)
	if dir == "" {
		return nil
	}
	path := r.here.name(filepath.Join(dir, name))
	text, err := r.readNamed(path, dir, "--no-config does without")
	if err != nil {
		return err
	}
	c, err := project.ReadConfig(text)
	if err == nil {
		r.config, r.configDir, r.configName = c, dir, name
	}
	return (&input.Origin{Name: path, Data: text}).Locate(err)
}

// configure completes the criteria of the user with those of the configuration of the project.
func (r *run) configure() {
	if c := r.config; c != nil {
		r.Target, r.Shown = cmp.Or(r.Target, c.Target), cmp.Or(r.Shown, c.Severity)
		r.FailOn = cmp.Or(r.FailOn, c.FailOn)
		r.Ignore, r.ranks = slices.Concat(r.Ignore, c.Ignore), c.Ranks
		if r.Only == nil {
			r.Only = c.Only
		}
		if c.Baseline != "" && r.Baseline == "" && r.NewBaseline == "" {
			r.Baseline, r.named = r.here.name(filepath.Join(r.configDir, filepath.FromSlash(c.Baseline))), true
		}
	}
	r.failOn = finding.Error
	r.failOn = *cmp.Or(r.FailOn, &r.failOn)
	r.least = min(finding.Warning, r.failOn) // all that fails is listed, unless the user wants less
	r.least, r.kept = *cmp.Or(r.Shown, &r.least), *cmp.Or(r.Shown, &r.failOn)
}

// readNamed reads a file that a repository names: the configuration of the project in a directory, or what that names.
// It may not lead out of the repository, and then nothing else is said of it.
func (r *run) readNamed(path, dir, hint string) ([]byte, error) {
	top := repository(dir)
	if rel, ok := r.here.within(top, path); ok && !r.here.leaves(fence{top: repository(r.here.real(dir))}, path) {
		return r.readProject(r.program.Root(top), rel, path)
	}
	return nil, scan.Refuse(hint, "%s leads out of the repository", r.program.Quote(path))
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
		text, err = fs.ReadFile(files, name)
	}
	if err != nil {
		return nil, scan.Refuse("", "%s: %s", path, scan.Unreadable(err))
	}
	return text, nil
}

// silent returns a test for findings of a file that the project does not want; nil if it wants all.
func (r *run) silent(path string) func(*finding.Finding) bool {
	if r.config == nil || len(r.config.Silences) == 0 {
		return nil
	}
	rel, ok := r.here.within(r.configDir, path)
	silent := r.config.Silent(rel)
	if !ok || silent == nil {
		return nil
	}
	return func(f *finding.Finding) bool {
		i := silent(f)
		if i >= 0 {
			r.silenced.Store(i, true)
		}
		return i >= 0
	}
}

// noteIdle notes the ignores of the project that have silenced nothing, though their rules were checked.
func (r *run) noteIdle() {
	if r.config == nil {
		return
	}
	isChecked := func(id *finding.Rule) bool {
		return !slices.Contains(r.Ignore, id) && (r.Only == nil || slices.Contains(r.Only, id))
	}
	for i, s := range r.config.Silences {
		if _, used := r.silenced.Load(i); !used && slices.ContainsFunc(s.Rules, isChecked) {
			r.note("%s: item %d of ignores, of %s, silences nothing that is checked here", r.configName, i+1,
				r.program.Quote(s.Name))
		}
	}
}

// A ledger is the baseline that findings are held against, or the new one that they go into.
type ledger struct {
	*project.Baseline
	dir     string          // of its file; paths are relative to it
	checked map[string]bool // paths
}

// openLedger reads the baseline, if there is one.
func (r *run) openLedger() error {
	path := cmp.Or(r.Baseline, r.NewBaseline)
	if path == "" {
		return nil
	}
	r.known = &ledger{project.NewBaseline(), r.here.absolute(filepath.Dir(path)), map[string]bool{}}
	if r.NewBaseline != "" {
		return nil
	}
	text, err := r.baseline()
	if err != nil {
		return err
	}
	if r.known.Baseline, err = project.ReadBaseline(text); err != nil && r.named { // its text is not quoted
		return scan.Refuse(r.writeHint(), "%s:%d: this is not a baseline of version 1", r.program.Quote(path),
			input.Finding(text, err).Line)
	}
	return (&input.Origin{Name: path, Data: text}).Locate(err)
}

// baseline returns the text of the baseline.
func (r *run) baseline() ([]byte, error) {
	if r.named {
		return r.readNamed(r.Baseline, r.configDir, "--baseline FILE names another one")
	}
	if _, err := os.Stat(r.Baseline); err != nil {
		return nil, scan.Refuse(r.writeHint(), "the baseline %s: %s", r.program.Quote(r.Baseline), scan.Unreadable(err))
	}
	return r.readProject(r.program.Dir(filepath.Dir(r.Baseline)), filepath.Base(r.Baseline), r.Baseline)
}

// writeHint says how the baseline is written.
func (r *run) writeHint() string {
	return "layoutcalc check --write-baseline " + r.program.Quote(r.Baseline) + " writes it"
}

// know marks the findings of an input that are known, or keeps them as such, and does not count them.
func (r *run) know(k *checking) {
	rel, ok := r.here.within(r.known.dir, k.path)
	if !ok {
		rel = filepath.ToSlash(filepath.Clean(k.path))
	}
	r.known.checked[rel] = true
	for i := range k.findings {
		f := &k.findings[i]
		switch {
		case f.Rule == finding.Syntax, k.faulty && (f.Rule == tensorfile.LFSPointer || f.Rule == tensorfile.NotTheFile):
			continue // the input cannot be read
		case r.NewBaseline != "":
			if f.Known = f.Severity >= r.kept; f.Known {
				r.known.Add(rel, &f.Finding)
			}
		default:
			f.Known = r.known.Has(rel, &f.Finding)
		}
		if f.Known {
			r.Count[f.Severity]--
			r.Known++
		}
	}
}

// closeLedger writes a new baseline, or notes the findings of the old one that are gone, if all rules were checked.
func (r *run) closeLedger() error {
	switch {
	case r.NewBaseline != "":
		return r.program.WriteBaseline(r.NewBaseline, r.known.Baseline)
	case r.known == nil || len(r.Only)+len(r.Ignore) > 0 || r.least > min(r.failOn, finding.Warning):
		return nil
	}
	stale := r.known.Stale(func(path string) bool { return r.known.checked[path] })
	if n := len(stale); n > 0 {
		first := stale[0].Path + " [" + stale[0].Rule + "]"
		if n > 1 {
			first += fmt.Sprintf(" and %d more", n-1)
		}
		r.note("%s knows more findings than there are, of %s: --write-baseline %s leaves them out", r.Baseline, first,
			r.Baseline)
	}
	return nil
}
