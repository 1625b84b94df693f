package check

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/input"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/project"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// A baselineState is a baseline that findings are compared with, or a new one that they are added to.
type baselineState struct {
	*project.Baseline
	path    string          // the path of its file
	dir     string          // the directory of its file; the paths in it are relative to dir
	checked map[string]bool // the paths that were checked
	partial bool            // not all rules and severities of the files were reported
}

// openBaselines reads the baseline that the flags name, or else the ones that the configurations of the inputs name.
func (r *run) openBaselines(inputs []*subject) (err error) {
	for _, in := range inputs {
		p, path := in.policy, cmp.Or(r.Baseline, r.NewBaseline)
		of := slices.IndexFunc(p.layers, func(l *configLayer) bool { return l.Config.Baseline.Text != "" })
		switch {
		case p.known != nil || path == "" && of < 0:
			continue
		case path != "":
			of = -1
		default:
			path = r.here.name(filepath.Join(p.layers[of].dir, filepath.FromSlash(p.layers[of].Config.Baseline.Text)))
		}
		if p.known = r.baselines[path]; p.known == nil {
			if p.known, err = r.openBaseline(path, p, of); err != nil {
				return err
			}
			r.baselines[path] = p.known
		}
		isPart := len(r.Only)+len(r.Ignore) > 0 || p.least > min(p.failOn, finding.Warning)
		p.known.partial = p.known.partial || isPart
	}
	return nil
}

// openBaseline reads a baseline, or starts a new one. Layer of of the policy names it, or a flag if of is negative.
func (r *run) openBaseline(path string, p *policy, of int) (*baselineState, error) {
	l := &baselineState{project.NewBaseline(), path, r.here.absolute(filepath.Dir(path)), map[string]bool{}, false}
	if r.NewBaseline != "" {
		return l, nil
	}
	word, _ := suggest.POSIX.Quote(path) // as in all hints until they are printed
	hint := "layoutcalc check . --write-baseline " + word
	var text []byte
	var err error
	if of >= 0 {
		top := r.topOf(filepath.Dir(p.layers[0].file))
		text, err = r.readNamed(path, top, "--baseline FILE names another one")
		if e, ok := err.(*lexer.SyntaxError); ok {
			return nil, p.layers[of].refuse(p.layers[of].Config.Baseline, cmp.Or(e.Hint, hint), "%s", e.Msg)
		}
	} else if _, err = os.Stat(r.Guard.Path(path)); err != nil {
		dir := r.Guard.Path(filepath.Dir(path))
		if _, isThere := os.Stat(dir); isThere != nil || !errors.Is(err, fs.ErrNotExist) {
			hint = ""
		}
		err = lexer.Refuse(hint, "the baseline %s: %s", render.Quote(path), wording.Unreadable(err))
	} else {
		text, err = r.readProject(r.Guard.Dir(filepath.Dir(path)), filepath.Base(path), path)
	}
	if err != nil {
		return nil, err
	}
	if l.Baseline, err = project.ReadBaseline(text); err != nil && of >= 0 { // do not quote it
		return nil, lexer.Refuse("write one with --write-baseline", "%s:%d: this is not a baseline of version 1",
			render.Quote(path), input.Finding(text, err).Line)
	}
	return l, (&input.Origin{Name: path, Data: text}).Locate(err)
}

// markKnown marks the findings of an input that its baseline has, or adds them to a new baseline. It does not count
// them. An input that cannot be read for known reasons only does not fail.
func (r *run) markKnown(k *fileCheck) {
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

// closeBaselines writes a new baseline, or notes which findings of the old ones no longer exist, if all rules were
// checked.
func (r *run) closeBaselines() error {
	if l := r.baselines[r.NewBaseline]; l != nil {
		return r.Reports.WriteBaseline(r.NewBaseline, l.Baseline)
	}
	for _, path := range slices.Sorted(maps.Keys(r.baselines)) {
		l := r.baselines[path]
		if l.partial {
			continue
		}
		stale := l.Stale(func(path string) bool { return l.checked[path] })
		if n := len(stale); n > 0 {
			first := stale[0].Path + " [" + stale[0].Rule + "]"
			if n > 1 {
				first += fmt.Sprintf(" and %d more", n-1)
			}
			r.notef("%s knows more findings than there are, of %s: --write-baseline %s drops them", path, first,
				path)
		}
	}
	return nil
}
