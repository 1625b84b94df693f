// Package inspect is what the command check does: it finds inputs in files, directories and lists of files, checks
// them, several at once, holds the findings against the baseline of a project, and sums them up. It reads .gitignore
// files; git itself is never started.
//
// [Run] answers a [Request]. What it opens, says and writes goes through the [Program] that calls it. It may import
// input, rules and what these import.
package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"layoutcalc/layout/desc"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/input"
	"layoutcalc/layout/project"
	"layoutcalc/layout/rulebook"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/scan"
)

// A Request says what to check, and what to report.
type Request struct {
	Selection
	Criteria
	Baseline    string   // a file with findings that are known; empty for none
	NewBaseline string   // a file that takes the findings as known ones; empty for none
	Written     []string // the files that reports go to
	Fix         Fixing
	Verbose     bool // files that are skipped are listed
	Jobs        int  // how many inputs are checked at once
	Options     input.Options
	Tensor      string // the name that the user chose; it has no effect on files
	Shaped      bool   // flags shape a tensor of the command line
}

// A Selection says where to look for inputs.
type Selection struct {
	Args        []string
	FilesFrom   string // a list of files, - for standard input, empty for none
	Null        bool   // paths in the list end with a byte of 0
	Exclude     []project.Pattern
	NoGitignore bool
	Follow      bool   // links that lead out are followed
	NoConfig    bool   // the configuration of the project is not read
	Root        string // what configurations may not lead out of, in place of the repository; empty for that
	Stdin       string // the name of standard input; empty for none
	AllowEmpty  bool   // to find nothing that can be checked is no error
	Windows     bool   // patterns in Args are expanded, and paths match in letters of any case
}

// Criteria say which rules are checked, and which findings are listed and fail. What is nil or empty comes from the
// configuration of the project.
type Criteria struct {
	Target       *desc.Target      // nil for the target of each input
	Role         desc.Role         // of the tensor of the arguments
	Only, Ignore []*finding.Rule   // Only is nil for all rules
	Shown        *finding.Severity // the least severity that is listed; nil for warnings and all that fails
	FailOn       *finding.Severity // the least severity that fails; nil for errors
}

// A Program makes a call of Run: it opens files and writes reports.
type Program interface {
	Open(path string) (s input.Source, end func(), err error) // a file, or standard input, which is -
	Beside(file string) fs.FS                                 // its directory, with the files that it may name
	Root(dir string) fs.FS                                    // a directory out of which no link leads
	Dir(dir string) fs.FS

	Path(name string) string                    // the path of a file, for functions of package os
	Identify(path string, info fs.FileInfo) any // the same for all names of a file
	Reads(path string, info fs.FileInfo)        // is told of a file that is read
	Forget(id any)                              // is told of one that had nothing for the call

	Describe(args []string) (*Text, error) // reads a tensor of the arguments
	Note(texts ...string)
	Flush()                   // says the notes so far
	Quote(path string) string // as messages have it
	Word(path string) string  // as command lines in hints have it
	Interruptible() (context.Context, context.CancelFunc)
	Progress(line func(done int64) string) (done *atomic.Int64, end func())

	Rewritable(path string) bool                     // reports whether it may replace a file
	Rewrite(path string, before, after []byte) error // replaces one that has the text before
	Diff(path string, before, after []byte) error    // shows the change

	Begin() error // starts reports
	Add(path string, findings []Finding) error
	WriteBaseline(path string, b *project.Baseline) error
	End(s Summary) error
}

// A Text is the tensor of the arguments: a text with all that it says, or a tensor that flags have changed.
type Text struct {
	Text   *input.Input
	Err    error // why it cannot be read
	Tensor *desc.Descriptor
}

// The errors of a Run that has written its reports.
var (
	ErrUnread = errors.New("unreadable input")   // the reports say which and why
	ErrFails  = errors.New("there are findings") // that fail
)

// A run is a call of Run.
type run struct {
	Request
	program    Program
	here       workDir
	policies   *policies
	companions companions
	ledgers    map[string]*ledger // by their paths

	excludes project.List // of Exclude
	work     project.Work // of all patterns of paths
	dirs     []string     // of the arguments
	found    []*subject
	outside  []string // links to files that are not followed
	skipped  []skippedFile
	shards   map[string]*shard // by their absolute paths

	strays       sync.Map     // of input.Parts
	sets         sync.Map     // the sets of tensor files in directories, by their paths
	floor        atomic.Int32 // the least severity that is still listed
	idle         sync.Pool    // of *rules.Checker, for the next inputs
	rules        func() []*finding.Rule
	repositories sync.Map // of Triton, with checked configurations, by their directories
	root         string   // of the repository; empty for none

	Summary
	quota    map[bool]*finding.Quota // of the findings that are listed: new ones, and those that are known
	faulty   bool                    // some inputs could not be read
	fails    bool                    // there is a finding that fails
	hidden   int                     // findings that fail and are not listed
	hiddenBy *policy                 // the policy of the first of them
	dirsWith map[string]bool         // directories that have descriptors
	empty    []string                // files of the arguments that have none
	ignored  []string                // notes on files that have something else than tensors, if the user ignores that
}

// Run carries out a request.
func Run(request Request, p Program) error {
	r := &run{Request: request, program: p, here: newWorkDir(p), excludes: project.NewList(request.Exclude)}
	if r.Windows {
		r.work.Fold, r.excludes = true, r.excludes.Folded()
	}
	r.companions.program = p
	r.dirsWith, r.rules = map[string]bool{}, sync.OnceValue(rulebook.All)
	r.idle.New = func() any { return rules.NewChecker(finding.Options{}, nil) }
	r.quota = map[bool]*finding.Quota{false: {Most: maxFindings}, true: {Most: maxFindings}}
	r.policies, r.ledgers = newPolicies(r), map[string]*ledger{}
	inputs, err := r.inputs()
	if err == nil {
		inputs = r.govern(inputs)
		err = cmp.Or(r.validate(), r.policies.err)
	}
	if r.Null && r.FilesFrom == "" {
		p.Note("--null is not used: it is about the list of --files-from")
	}
	if err != nil {
		return err
	}
	if r.here != "" {
		r.root, _ = upward(string(r.here), ".git")
	}
	return r.check(inputs)
}

// govern gives each input its policy, and leaves out what directories have of configurations that others extend.
func (r *run) govern(inputs []*subject) []*subject {
	for _, in := range inputs {
		in.policy = r.policies.flags // of a text, which no configuration of a project is about
		if in.path != ArgsName && (!in.stdin || in.path != stdinName) {
			in.policy = r.policies.at(in.path)
		}
	}
	r.found = slices.DeleteFunc(inputs, func(in *subject) bool { return in.dir != "" && r.policies.has(in.path) })
	return r.found
}

// validate refuses a request that contradicts itself, before any work.
func (r *run) validate() error {
	if info, err := os.Stat(r.program.Path(r.Root)); r.Root != "" && (err != nil || !info.IsDir()) {
		return scan.Refuse("--root names a directory around the configurations", "there is no directory %s",
			r.program.Quote(r.Root))
	}
	if r.NewBaseline != "" && r.Baseline != "" {
		return scan.Refuse("leave out one of them", "--write-baseline writes what --baseline reads")
	}
	written := append(slices.Clone(r.Written), r.NewBaseline)
	for i, path := range written {
		if slices.Contains(written[:i], path) {
			return scan.Refuse("give each a file of its own", "two reports are to be written to %s",
				r.program.Quote(path))
		}
	}
	return nil
}

// check checks the inputs, and reports the results.
func (r *run) check(inputs []*subject) error {
	inputs = r.once(inputs)
	if err := cmp.Or(r.validateFix(inputs), r.openLedgers(inputs)); err != nil {
		return err
	}
	if err := r.program.Begin(); err != nil {
		return err
	}
	ctx := context.Background()
	if len(r.Written) > 0 || slices.ContainsFunc(inputs, func(s *subject) bool { return s.path != ArgsName }) {
		var stop func() // a tensor of the arguments takes too little time to be interrupted
		ctx, stop = r.program.Interruptible()
		defer stop()
	}
	if len(inputs) > 1 {
		// Garbage is collected when there is as much as what is in use. This is never touched, and takes no memory.
		ballast := make([]byte, 16<<20)
		defer runtime.KeepAlive(ballast)
	}
	done, end := r.program.Progress(func(done int64) string {
		switch {
		case len(inputs) > 1:
			return fmt.Sprintf("checked %d of %d", done, len(inputs))
		case done > 0:
			return "checked " + scan.Count(done, "line")
		}
		return ""
	})
	defer end()
	do := func(s *subject, turn *input.Turn) *checking {
		k := &checking{subject: s, run: r, turn: turn}
		if len(inputs) == 1 {
			k.progress = func(lines int) { done.Store(int64(lines)) }
		}
		k.check()
		return k.mended()
	}
	for k := range input.InOrder(ctx, r.Jobs, nil, inputs, do) {
		if len(inputs) > 1 {
			done.Add(1)
		}
		for _, part := range append(k.parts, k) {
			if err := r.report(part); err != nil {
				return err
			}
		}
	}
	if r.Unlisted > 0 {
		r.note("%s counted, not listed: at most %d are, the most severe", scan.Count(r.Unlisted, "more finding"),
			maxFindings)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case r.Files == 0 && len(r.ignored) == 0 && r.FilesFrom == "" && !r.AllowEmpty:
		return r.nothing()
	}
	return r.conclude()
}

func (r *run) note(format string, args ...any) { r.program.Note(fmt.Sprintf(format, args...)) }

// report counts an input, and hands on its findings and its notes.
func (r *run) report(k *checking) error {
	if r.passes(k) {
		return nil
	}
	if err := r.finishFix(k); err != nil {
		return err
	}
	if k.policy.known != nil {
		if r.NewBaseline != "" && k.dropped() > 0 {
			return scan.Refuse("leave it out with --exclude, or a rule with --ignore",
				"%s has more than the %d findings that a baseline takes of a file", r.program.Quote(k.path),
				maxFindings)
		}
		r.know(k)
	}
	r.add(k)
	r.limit(k)
	if len(k.findings) > 0 {
		rootPath := r.rootPath(k)
		for i := range k.findings {
			f := &k.findings[i]
			f.RootPath, f.Fails = rootPath, f.Severity >= k.policy.failOn && !f.Known
			if len(f.Edits) > 0 && !f.Known {
				r.Fixable++
			}
		}
	}
	if r.Fix != ShowFix {
		if err := r.program.Add(k.path, k.findings); err != nil {
			return err
		}
	}
	if k.skipped != "" {
		r.ignored = append(r.ignored, k.path+" is not checked in whole: "+k.skipped)
	}
	for _, note := range k.notes {
		if k.policy.only != nil {
			break // the user asks for some rules, and for nothing else
		}
		if k.path != ArgsName {
			note = k.path + ": " + note
		}
		r.program.Note(note)
	}
	return nil
}

// rootPath returns the path of an input from the root of the repository, with slashes. Where it is not in there it is
// the shortest form of the path itself, and what has no path keeps its name.
func (r *run) rootPath(k *checking) string {
	if k.path == ArgsName || k.stdin && k.path == stdinName {
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

// conclude ends the reports. Its error says that inputs could not be read, or that findings fail.
func (r *run) conclude() error {
	if err := r.closeLedgers(); err != nil {
		return err
	}
	r.noteUnchecked()
	if p := r.hiddenBy; p != nil {
		r.note("%s at or above --fail-on %s that --severity %s does not list", scan.Count(r.hidden, "finding"),
			p.failOn, p.least)
	}
	r.Skipped = len(r.skipped)
	count := map[string]*int{ignored: &r.Ignored, excluded: &r.Excluded, leadsOut: &r.Outside}
	for _, s := range r.skipped {
		if n := count[s.why]; n != nil {
			*n++
		}
	}
	if err := r.program.End(r.Summary); err != nil {
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

// nothing is the error of directories without anything to check.
func (r *run) nothing() error {
	if n := len(r.skipped); n > 0 {
		r.noteUnchecked()
		r.program.Flush()
		return scan.Refuse("-v lists them, and why; --allow-empty makes that no error",
			"there is nothing to check here: %s skipped", scan.Count(n, "file"))
	}
	return scan.Refuse("a directory is searched for models and configurations in JSON or YAML, "+
		".jsonl, .npy, .safetensors, .gguf, .onnx and config.pbtxt; --allow-empty makes that no error",
		"there is nothing to check here")
}

// passes reports whether there is nothing to report of an input.
func (r *run) passes(k *checking) bool {
	switch {
	case k.examined || k.faulty || k.count != [len(finding.Severities)]int{}:
		return false
	case k.skipped != "":
		r.ignored = append(r.ignored, k.path+" is not checked: "+k.skipped)
		r.dirsWith[k.dir] = true
	case k.dir == "":
		r.empty = append(r.empty, k.path)
	default: // it is of another program
		if project.IsSlip(filepath.Base(k.path)) {
			r.noteSlip(k.path)
		}
		r.skip(k.path, "nothing in it describes tensors")
	}
	return true
}

// add counts an input that is reported.
func (r *run) add(k *checking) {
	r.faulty = r.faulty || k.faulty
	if k.hidden == 0 {
		r.addFile(k)
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

// addFile counts the file of an input.
func (r *run) addFile(k *checking) {
	r.dirsWith[k.dir] = true
	r.Files++
	r.Fileless = r.Files == 1 && (k.path == ArgsName || k.path == stdinName && k.stdin)
	if r.RulesOf = nil; r.Files == 1 && k.kind == textKind {
		r.RulesOf = &k.judged
	}
	i := slices.IndexFunc(r.Kinds, func(kind Kind) bool { return kind.Name == k.kind })
	if i < 0 {
		i = len(r.Kinds)
		r.Kinds = append(r.Kinds, Kind{Name: k.kind})
	}
	r.Kinds[i].Files++
	const most = 3 // names in a line
	if k.kind == Unread && len(r.Unread) < most {
		r.Unread = append(r.Unread, k.path)
	}
}

// limit leaves out the findings of an input that are beyond the limit of the call, unless they are graver than those
// before. Known findings do not take the place of new ones. Later inputs make no words for such findings, unless a
// baseline needs them.
func (r *run) limit(k *checking) {
	k.findings = slices.DeleteFunc(k.findings, func(f Finding) bool { return !r.quota[f.Known].Pass(f.Severity) })
	r.Unlisted += k.dropped()
	if len(r.ledgers) == 0 {
		r.floor.Store(int32(r.quota[false].Floor()))
	}
}

// noteUnchecked notes inputs that were not checked, if the user would expect that they are.
func (r *run) noteUnchecked() {
	for _, dir := range r.dirs {
		if !r.dirsWith[dir] {
			r.program.Note(dir + ": nothing in this directory describes tensors")
		}
	}
	if n := len(r.ignored); n > 0 {
		text := r.ignored[0]
		if n > 1 {
			text += fmt.Sprintf("; nor are %d more", n-1)
		}
		r.program.Note(text)
	}
	for _, path := range r.empty {
		r.program.Note(path + ": nothing in this file describes tensors")
	}
	if r.FilesFrom != "" && r.Files == 0 {
		r.program.Note("none of the files that are listed describes tensors")
	}
	if !r.Verbose {
		return
	}
	for _, s := range r.skipped {
		r.note("%s is skipped: %s%s", s.path, s.why, r.linkTo(s.path))
	}
	r.noteIdle()
}
