package check

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/project"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
	"layoutcalc/render/report"
)

// report counts an input, and passes on its findings and notes.
func (r *run) report(k *fileCheck) error {
	if r.skipEmpty(k) {
		return nil
	}
	if err := r.finishFix(k); err != nil {
		return err
	}
	if k.policy.known != nil {
		if r.NewBaseline != "" && k.dropped() > 0 {
			return lexer.Refuse("skip it with --exclude, or disable a rule with --ignore",
				"%s has more than the %d findings that a baseline takes of a file", render.Quote(k.path),
				maxFindings)
		}
		r.markKnown(k)
	}
	r.count(k)
	r.limitFindings(k)
	r.completeFindings(k)
	if r.Fix != ShowFix {
		if err := r.Reports.Add(k.path, k.findings); err != nil {
			return err
		}
	}
	if k.skipped != "" {
		r.ignored = append(r.ignored, k.path+" is not checked in whole: "+k.skipped)
	}
	if k.policy.only != nil {
		return nil // the call selects some rules only
	}
	for _, note := range k.notes {
		if k.path != report.ArgsName {
			note = k.path + ": " + note
		}
		r.Note(note)
	}
	return nil
}

// completeFindings fills in the parts of findings that depend on the repository and on the policy.
func (r *run) completeFindings(k *fileCheck) {
	if len(k.findings) == 0 {
		return
	}
	rootPath := r.rootPath(k)
	for i := range k.findings {
		f := &k.findings[i]
		f.RootPath, f.Fails = rootPath, f.Severity >= k.policy.failOn && !f.Known
		if len(f.Edits) > 0 && !f.Known {
			r.Fixable++
		}
	}
}

// rootPath returns the path of an input from the root of the repository, with slashes. Outside the repository it
// returns the cleaned path, and for an input without a path its name.
func (r *run) rootPath(k *fileCheck) string {
	if k.path == report.ArgsName || k.stdin && k.path == stdinName {
		return k.path
	}
	if r.root != "" {
		if rel, ok := r.here.within(r.root, k.path); ok {
			return rel
		}
		if rel, ok := r.here.within(r.here.real(r.root), k.path); ok {
			return rel
		}
	}
	return filepath.ToSlash(filepath.Clean(k.path))
}

// conclude ends the reports. It returns ErrUnread if inputs could not be read, and ErrFails if findings fail.
func (r *run) conclude() error {
	if r.Files == 0 && len(r.ignored) == 0 && r.FilesFrom == "" && !r.AllowEmpty {
		return r.nothing()
	}
	if err := r.closeBaselines(); err != nil {
		return err
	}
	r.noteUnchecked()
	if p := r.hiddenBy; p != nil {
		r.notef("%s at or above --fail-on %s that --severity %s does not list", wording.Count(r.hidden, "finding"),
			p.failOn, p.least)
	}
	r.Skipped = len(r.skipped)
	count := map[string]*int{ignored: &r.Ignored, excluded: &r.Excluded, pointsOutside: &r.Outside}
	for _, s := range r.skipped {
		if n := count[s.why]; n != nil {
			*n++
		}
	}
	if err := r.Reports.End(r.Summary); err != nil {
		return err
	}
	switch {
	case r.faulty:
		return ErrUnread
	case r.Fix == ShowFix && r.Fixed > 0:
		return ErrFails
	case r.Fix == ShowFix:
		return nil
	case r.fails:
		return ErrFails
	}
	return nil
}

// nothing returns the error for directories without anything to check.
func (r *run) nothing() error {
	if n := len(r.skipped); n > 0 {
		r.noteUnchecked()
		r.Flush()
		return lexer.Refuse("-v lists them, and why; --allow-empty makes that no error",
			"there is nothing to check here: %s skipped", wording.Count(n, "file"))
	}
	return lexer.Refuse("a directory is searched for models and configurations in JSON or YAML, "+
		".jsonl, .npy, .safetensors, .gguf, .onnx and config.pbtxt; --allow-empty makes that no error",
		"there is nothing to check here")
}

// skipEmpty reports whether an input has nothing to report, and remembers why it was skipped.
func (r *run) skipEmpty(k *fileCheck) bool {
	switch {
	case k.examined || k.faulty || k.count != [len(finding.Severities)]int{}:
		return false
	case k.skipped != "":
		r.ignored = append(r.ignored, k.path+" is not checked: "+k.skipped)
		r.dirsWith[k.dir] = true
	case k.dir == "":
		r.empty = append(r.empty, k.path)
	default: // it belongs to another program
		if project.IsSlip(filepath.Base(k.path)) {
			r.noteSlip(k.path)
		}
		r.skip(k.path, "nothing in it describes tensors")
	}
	return true
}

// count adds an input to the summary.
func (r *run) count(k *fileCheck) {
	r.faulty = r.faulty || k.faulty
	if k.hidden == 0 {
		r.countFile(k)
	}
	r.Descriptors += k.descriptors
	r.Partial = r.Partial || k.policy.only != nil
	for i, n := range k.count {
		severity := finding.Severity(i)
		r.Count[i] += n
		r.fails = r.fails || n > 0 && severity >= k.policy.failOn
		if severity >= k.policy.least {
			continue
		}
		if r.Hidden[i] += n; n > 0 && severity >= k.policy.failOn {
			r.hidden += n
			r.hiddenBy = cmp.Or(r.hiddenBy, k.policy)
		}
	}
}

// countFile adds the file of an input to the summary.
func (r *run) countFile(k *fileCheck) {
	r.dirsWith[k.dir] = true
	r.Files++
	r.Fileless = r.Files == 1 && (k.path == report.ArgsName || k.path == stdinName && k.stdin)
	if r.RulesOf = nil; r.Files == 1 && k.kind == textKind {
		r.RulesOf = &k.judged
	}
	i := slices.IndexFunc(r.Kinds, func(kind report.Kind) bool { return kind.Name == k.kind })
	if i < 0 {
		i = len(r.Kinds)
		r.Kinds = append(r.Kinds, report.Kind{Name: k.kind})
	}
	r.Kinds[i].Files++
	const most = 3 // names in a line
	if k.kind == report.Unread && len(r.Unread) < most {
		r.Unread = append(r.Unread, k.path)
	}
}

// limitFindings drops the findings of an input beyond the limit of the call, unless they are more severe than earlier
// ones. Known and new findings have separate limits.
func (r *run) limitFindings(k *fileCheck) {
	k.findings = slices.DeleteFunc(k.findings, func(f report.Finding) bool {
		return !r.quota[f.Known].Pass(f.Severity)
	})
	r.Unlisted += k.dropped()
}

// floor returns the lowest severity of findings that are still listed. A baseline needs all of them.
func (r *run) floor() finding.Severity {
	if len(r.baselines) > 0 {
		return finding.Note
	}
	return r.quota[false].Floor()
}

// noteUnchecked notes inputs that the user would expect to be checked, but that were not.
func (r *run) noteUnchecked() {
	for _, dir := range r.dirs {
		if !r.dirsWith[dir] {
			r.Note(dir + ": nothing in this directory describes tensors")
		}
	}
	if n := len(r.ignored); n > 0 {
		text := r.ignored[0]
		switch {
		case n == 2:
			text += "; nor is 1 more"
		case n > 2:
			text += fmt.Sprintf("; nor are %d more", n-1)
		}
		r.Note(text)
	}
	for _, path := range r.empty {
		r.Note(path + ": nothing in this file describes tensors")
	}
	if r.FilesFrom != "" && r.Files == 0 {
		r.Note("none of the files that are listed describes tensors")
	}
	if !r.Verbose {
		return
	}
	for _, s := range r.skipped {
		r.notef("%s is skipped: %s%s", s.path, s.why, r.linkTo(s.path))
	}
	r.noteUnusedIgnores()
}
