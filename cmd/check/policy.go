package check

import (
	"cmp"
	"slices"
	"sync/atomic"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/project"
	"layoutcalc/render"
)

// A policy states the rules for checking files, and which findings are listed and fail. The flags decide first, then
// the configuration that is nearest to the files.
type policy struct {
	target       *descriptor.Target // nil for the target of each input
	only, ignore []*finding.Rule    // only is nil for all rules
	ranks        map[*finding.Rule]finding.Severity
	failOn       finding.Severity
	least        finding.Severity // the lowest severity that is listed
	kept         finding.Severity // the lowest severity that a new baseline takes
	layers       []*configLayer   // the configuration and the one that it extends; may be nil
	known        *baselineState   // may be nil
}

// A configLayer is a configuration of the project, or one that it extends.
type configLayer struct {
	*project.Config
	file     string // its absolute path
	name     string // its path in messages
	text     []byte
	dir      string        // its paths are relative to dir
	silenced []atomic.Bool // whether each of its ignores has silenced something
}

// newPolicy returns the policy of the flags and the configurations, the nearest first.
func (r *run) newPolicy(layers []*configLayer) *policy {
	c := new(project.Config)
	for _, l := range slices.Backward(layers) {
		c = l.Over(c)
	}
	flags := project.Config{Target: r.Target, Severity: r.Shown, FailOn: r.FailOn, Only: r.Only, Ignore: r.Ignore}
	c = flags.Over(c)
	failOn := finding.Error
	failOn = *cmp.Or(c.FailOn, &failOn)
	least := min(finding.Warning, failOn) // all that fails is listed by default
	return &policy{
		target: c.Target, only: c.Only, ignore: c.Ignore, ranks: c.Ranks, failOn: failOn,
		least: *cmp.Or(c.Severity, &least), kept: *cmp.Or(c.Severity, &failOn), layers: layers,
	}
}

// checks reports whether the policy includes a rule.
func (p *policy) checks(rule *finding.Rule) bool {
	return !slices.Contains(p.ignore, rule) && (p.only == nil || slices.Contains(p.only, rule))
}

// silent returns a function that reports whether a configuration ignores a finding of the file at path. It returns nil
// if nothing is ignored.
func (r *run) silent(p *policy, path string) func(*finding.Finding) bool {
	var tests []func(*finding.Finding) bool
	for _, l := range p.layers {
		rel, ok := r.here.within(l.dir, path)
		if !ok {
			continue
		}
		if find := l.Silent(rel); find != nil {
			tests = append(tests, func(f *finding.Finding) bool {
				i := find(f)
				if i >= 0 {
					l.silenced[i].Store(true)
				}
				return i >= 0
			})
		}
	}
	if tests == nil {
		return nil
	}
	return func(f *finding.Finding) bool {
		return slices.ContainsFunc(tests, func(isSilent func(*finding.Finding) bool) bool { return isSilent(f) })
	}
}

// excludes reports whether the configurations exclude path. The nearest one with a pattern for it decides.
func (p *policy) excludes(r *run, path string, isDir bool) bool {
	for _, l := range p.layers {
		if rel, ok := r.here.within(l.dir, path); ok && !l.Exclude.IsEmpty() {
			if excluded, known := l.Exclude.Excludes(rel, isDir, &r.work); known {
				return excluded
			}
		}
	}
	return false
}

// noteUnusedIgnores notes the ignores of configurations that silenced nothing although their rules were checked.
func (r *run) noteUnusedIgnores() {
	noted := map[*project.Silence]bool{}
	for _, in := range r.found {
		for _, l := range in.policy.layers {
			for i := range l.Silences {
				s := &l.Silences[i]
				if noted[s] || l.silenced[i].Load() || !slices.ContainsFunc(s.Rules, in.policy.checks) {
					continue
				}
				noted[s] = true
				r.notef("%s: item %d of ignores, of %s, silences nothing that is checked here", l.name, i+1,
					render.Quote(s.Name))
			}
		}
	}
}
