// Package check does the work of the command check. It finds inputs in files, directories and lists of files, checks
// several of them at once, compares the findings with the baseline of a project, and sums them up. It reads .gitignore
// files without starting git.
//
// [Run] answers a [Request], which is declared in request.go. The work goes through these files:
//
//   - search.go finds the inputs of the arguments. wildcards.go expands patterns on Windows, companion.go replaces data
//     files with the models that name them, gitignore.go and paths.go decide which files and links are skipped.
//   - policies.go finds the configuration that applies to each input, and policy.go combines it with the flags.
//   - check.go checks the inputs in order. filecheck.go checks one of them, tensorset.go the set of files that contains
//     it, and fix.go fixes it.
//   - results.go counts and reports the results. baseline.go marks the known ones.
package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"

	"layoutcalc/layout/finding"
	"layoutcalc/layout/input"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/project"
	"layoutcalc/layout/ruledocs"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
	"layoutcalc/render/report"
)

// The errors of a Run that has written its reports.
var (
	ErrUnread = errors.New("unreadable input")   // an input could not be read; the reports name it
	ErrFails  = errors.New("there are findings") // a finding fails
)

// A run is a call of Run.
type run struct {
	Request
	here       workDir
	policies   *policies
	companions companions
	baselines  map[string]*baselineState // by path

	excludes project.List // the patterns of Exclude
	work     project.Work // the work of matching all patterns of paths
	dirs     []string     // the directories among the arguments
	found    []*subject
	outside  []string // links to files that are not followed
	skipped  []skippedFile
	shards   map[string]*shard // by absolute path

	strays       sync.Map  // the state of input.Parts about directories
	sets         sync.Map  // the sets of tensor files in directories, by path
	idle         sync.Pool // each a *rules.Checker, for the next inputs
	rules        func() []*finding.Rule
	repositories sync.Map // Triton repositories, by directory
	root         string   // the root of the repository around the working directory; may be empty

	report.Summary
	quota    map[bool]*finding.Quota // the quotas of listed findings: of new ones, and of known ones
	faulty   bool                    // some inputs could not be read
	fails    bool                    // a finding fails
	hidden   int                     // how many findings fail and are not listed
	hiddenBy *policy                 // the policy of the first of them
	dirsWith map[string]bool         // directories that have descriptors
	empty    []string                // files of the arguments that have no descriptors
	ignored  []string                // notes on files that have no tensors, if the user ignores that
}

// Run checks the inputs that the request selects, and reports the results.
func Run(request Request) error {
	r := &run{Request: request, here: newWorkDir(request.Guard), excludes: project.NewList(request.Exclude)}
	if r.Windows {
		r.work.Fold, r.excludes = true, r.excludes.Folded()
	}
	r.companions.guard = r.Guard
	r.dirsWith, r.rules = map[string]bool{}, sync.OnceValue(ruledocs.All)
	r.idle.New = func() any { return rules.NewChecker(finding.Options{}, nil) }
	r.quota = map[bool]*finding.Quota{false: {Most: maxFindings}, true: {Most: maxFindings}}
	r.policies, r.baselines = newPolicies(r), map[string]*baselineState{}
	inputs, err := r.inputs()
	if err == nil {
		inputs = r.assignPolicies(inputs)
		err = cmp.Or(r.validate(), r.policies.err)
	}
	if r.Null && r.FilesFrom == "" {
		r.Note("--null is not used: it is about the list of --files-from")
	}
	if err != nil {
		return err
	}
	if r.here != "" {
		r.root, _ = upward(string(r.here), ".git")
	}
	return r.check(inputs)
}

// assignPolicies gives each input its policy. It drops files of directories that other configurations extend, because
// they are read as configurations.
func (r *run) assignPolicies(inputs []*subject) []*subject {
	for _, in := range inputs {
		in.policy = r.policies.flags // no configuration applies to arguments and standard input
		if in.path != report.ArgsName && (!in.stdin || in.path != stdinName) {
			in.policy = r.policies.at(in.path)
		}
	}
	r.found = slices.DeleteFunc(inputs, func(in *subject) bool { return in.dir != "" && r.policies.has(in.path) })
	return r.found
}

// validate rejects a request that contradicts itself.
func (r *run) validate() error {
	if info, err := os.Stat(r.Guard.Path(r.Root)); r.Root != "" && (err != nil || !info.IsDir()) {
		return lexer.Refuse("--root names a directory around the configurations", "there is no directory %s",
			render.Quote(r.Root))
	}
	if r.NewBaseline != "" && r.Baseline != "" {
		return lexer.Refuse("remove one of them", "--write-baseline writes what --baseline reads")
	}
	written := append(slices.Clone(r.Written), r.NewBaseline)
	for i, path := range written {
		if slices.Contains(written[:i], path) {
			return lexer.Refuse("give each a file of its own", "two reports are to be written to %s",
				render.Quote(path))
		}
	}
	return nil
}

// check checks the inputs, and reports the results.
func (r *run) check(inputs []*subject) error {
	inputs = r.dedupe(inputs)
	if err := cmp.Or(r.validateFix(inputs), r.openBaselines(inputs)); err != nil {
		return err
	}
	if err := r.Reports.Begin(); err != nil {
		return err
	}
	ctx, stop := r.context(inputs)
	defer stop()
	if len(inputs) > 1 {
		// Garbage is collected when it is as large as the memory in use. The ballast is never touched, and needs no
		// memory.
		ballast := make([]byte, 16<<20)
		defer runtime.KeepAlive(ballast)
	}
	done, end := r.Progress(func(done int64) string { return progressLine(len(inputs), done) })
	defer end()
	do := func(s *subject, turn *input.Turn) *fileCheck {
		k := &fileCheck{subject: s, run: r, turn: turn}
		if len(inputs) == 1 {
			k.progress = func(lines int) { done.Store(int64(lines)) }
		}
		k.check()
		return k.fixedText()
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
		r.notef("%s counted, not listed: at most %d are, the most severe", wording.Count(r.Unlisted, "more finding"),
			maxFindings)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return r.conclude()
}

// context returns a context that a signal ends. The tensor of the arguments takes too little time to be interrupted.
func (r *run) context(inputs []*subject) (context.Context, context.CancelFunc) {
	isFile := func(s *subject) bool { return s.path != report.ArgsName }
	if len(r.Written) > 0 || slices.ContainsFunc(inputs, isFile) {
		return r.Interruptible()
	}
	return context.Background(), func() {}
}

// progressLine returns the line that shows the progress: the number of inputs that are checked, or of the lines of the
// only one. It is empty if nothing counts.
func progressLine(inputs int, done int64) string {
	switch {
	case inputs > 1:
		return fmt.Sprintf("checked %d of %d", done, inputs)
	case done > 0:
		return "checked " + wording.Count(done, "line")
	}
	return ""
}

func (r *run) notef(format string, args ...any) { r.Note(fmt.Sprintf(format, args...)) }
