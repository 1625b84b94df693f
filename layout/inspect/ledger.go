package inspect

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/input"
	"layoutcalc/layout/project"
	"layoutcalc/layout/scan"
)

// A ledger is a baseline that findings are held against, or a new one that they go into.
type ledger struct {
	*project.Baseline
	path    string          // of its file
	dir     string          // of its file; paths are relative to it
	checked map[string]bool // paths
	partial bool            // not all rules and severities of the files were reported
}

// openLedgers reads the baselines of the inputs: the one that the flags name, or those of the configurations.
func (r *run) openLedgers(inputs []*subject) (err error) {
	for _, in := range inputs {
		p, path := in.policy, cmp.Or(r.Baseline, r.NewBaseline)
		of := slices.IndexFunc(p.layers, func(l *layer) bool { return l.Config.Baseline.Text != "" })
		switch {
		case p.known != nil || path == "" && of < 0:
			continue
		case path != "":
			of = -1
		default:
			path = r.here.name(filepath.Join(p.layers[of].dir, filepath.FromSlash(p.layers[of].Config.Baseline.Text)))
		}
		if p.known = r.ledgers[path]; p.known == nil {
			if p.known, err = r.openLedger(path, p, of); err != nil {
				return err
			}
			r.ledgers[path] = p.known
		}
		isPart := len(r.Only)+len(r.Ignore) > 0 || p.least > min(p.failOn, finding.Warning)
		p.known.partial = p.known.partial || isPart
	}
	return nil
}

// openLedger reads a baseline, which a configuration of the policy names unless of is negative, or starts a new one.
func (r *run) openLedger(path string, p *policy, of int) (*ledger, error) {
	l := &ledger{project.NewBaseline(), path, r.here.absolute(filepath.Dir(path)), map[string]bool{}, false}
	if r.NewBaseline != "" {
		return l, nil
	}
	hint := "layoutcalc check . --write-baseline " + r.program.Word(path)
	var text []byte
	var err error
	if of >= 0 {
		top := r.bounds(filepath.Dir(p.layers[0].file))
		text, err = r.readNamed(path, top, "--baseline FILE names another one")
		if e, ok := err.(*scan.SyntaxError); ok {
			return nil, p.layers[of].refuse(p.layers[of].Config.Baseline, cmp.Or(e.Hint, hint), "%s", e.Msg)
		}
	} else if _, err = os.Stat(r.program.Path(path)); err != nil {
		dir := r.program.Path(filepath.Dir(path))
		if _, isThere := os.Stat(dir); isThere != nil || !errors.Is(err, fs.ErrNotExist) {
			hint = ""
		}
		err = scan.Refuse(hint, "the baseline %s: %s", r.program.Quote(path), scan.Unreadable(err))
	} else {
		text, err = r.readProject(r.program.Dir(filepath.Dir(path)), filepath.Base(path), path)
	}
	if err != nil {
		return nil, err
	}
	if l.Baseline, err = project.ReadBaseline(text); err != nil && of >= 0 { // its text is not quoted
		return nil, scan.Refuse("write one with --write-baseline", "%s:%d: this is not a baseline of version 1",
			r.program.Quote(path), input.Finding(text, err).Line)
	}
	return l, (&input.Origin{Name: path, Data: text}).Locate(err)
}

// know marks the findings of an input that are known, or keeps them as such, and does not count them. An input that
// cannot be read for known reasons alone is no fault of the call.
func (r *run) know(k *checking) {
	known := k.policy.known
	rel, ok := r.here.within(known.dir, k.path)
	if !ok {
		rel = filepath.ToSlash(filepath.Clean(k.path))
	}
	if r.Windows {
		rel = known.Spelling(rel)
	}
	known.checked[rel] = true
	unread := k.faulty && k.dropped() > 0
	for i := range k.findings {
		f := &k.findings[i]
		if r.NewBaseline == "" {
			f.Known = known.Has(rel, &f.Finding)
		} else if f.Known = f.Severity >= k.policy.kept; f.Known {
			known.Add(rel, &f.Finding)
		}
		if f.Known {
			k.count[f.Severity]--
			r.Known++
		} else if slices.Contains(unreadable[:], f.Rule) {
			unread = true
		}
	}
	k.faulty = k.faulty && unread
}

// closeLedgers writes a new baseline, or notes the findings of the old ones that are gone, if all rules were checked.
func (r *run) closeLedgers() error {
	if l := r.ledgers[r.NewBaseline]; l != nil {
		return r.program.WriteBaseline(r.NewBaseline, l.Baseline)
	}
	for _, path := range slices.Sorted(maps.Keys(r.ledgers)) {
		l := r.ledgers[path]
		if l.partial {
			continue
		}
		stale := l.Stale(func(path string) bool { return l.checked[path] })
		if n := len(stale); n > 0 {
			first := stale[0].Path + " [" + stale[0].Rule + "]"
			if n > 1 {
				first += fmt.Sprintf(" and %d more", n-1)
			}
			r.note("%s knows more findings than there are, of %s: --write-baseline %s leaves them out", path, first,
				path)
		}
	}
	return nil
}
