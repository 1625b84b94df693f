package cmd

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"layoutcalc/cmd/files"
	"layoutcalc/layout"
	"layoutcalc/layout/desc"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/input"
	"layoutcalc/layout/project"
	"layoutcalc/layout/rulebook"
	"layoutcalc/layout/scan"
	"layoutcalc/render"
	"layoutcalc/render/report"
)

// A checkFlags says what the command check holds against which rules, and who is to know.
type checkFlags struct {
	tensor  tensorFlags
	target  *desc.Target
	role    desc.Role
	only    []*finding.Rule
	ignore  []*finding.Rule
	shown   *finding.Severity // nil is warnings, and what fails
	failOn  finding.Severity
	format  report.Format
	get     int // which of the fields of the summary to print alone; -1 for a report
	reports []reportFile
	dirs    []string          // of the arguments
	stdin   string            // what to call standard input
	shards  map[string]string // the index that each file is reported with, by its absolute path
	listed  map[string]bool   // those of them that the arguments name, or a directory has
	indexes sync.Map          // those that have been read, by their paths; an Input each
	strays  input.Directories
	here    workDir
	jobs    int
	floor   atomic.Int32 // the least severity of which findings are still listed
	idle    sync.Pool    // of *rules.Checker, for the next inputs
	verbose bool         // files that are skipped are listed

	exclude     []project.Pattern
	excludes    project.List // of exclude
	noGitignore bool
	follow      bool         // links that lead out
	work        project.Work // of all patterns of paths
	filesFrom   string       // the list of files, empty for none
	null        bool         // its paths end with a byte of 0
	skipped     []skippedFile
	noConfig    bool
	config      *project.Config // nil for none
	silenced    sync.Map        // which of its ignores have silenced something
	configDir   string          // the directory that it is in
	named       bool            // the configuration names the baseline
	baseline    string          // paths, empty for none
	newBaseline string

	repositories repositories
}

func (a *app) newCheck() *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check FILE... | TENSOR",
		Short: "Validate descriptors: models, configurations, tensor files",
		Long: "Each finding names the file, the line and the column, the number that is wrong, what it must be, " +
			"and the rule. The exit code is 1 if there are errors, or what --fail-on says. layoutcalc explain " +
			"lists the rules and explains each.",
		Example: `layoutcalc check model.json layouts.yaml weights.safetensors
layoutcalc check models/ --target directml@6.2 --fail-on warning
layoutcalc check 5x55 --strides 9,3 -t f16 --role output --target directml
layoutcalc check models/ -o github --report sarif=layouts.sarif
gdb -batch -ex 'print desc' app core | layoutcalc check -`,
		Args: func(c *cobra.Command, args []string) error {
			if f.filesFrom != "" {
				return nil
			}
			return a.needArguments(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			f.here = newWorkDir()
			broken := f.readConfig()
			inputs, err := a.inputs(&f, args)
			if !ofFiles(inputs) {
				f.config, broken = nil, nil
			}
			if err == nil {
				f.configure(c.Flags())
				err = cmp.Or(broken, f.validate())
			}
			if f.null && f.filesFrom == "" {
				a.note("--null is not used: it is about the list of --files-from")
			}
			if err != nil {
				return err
			}
			return a.check(&f, inputs)
		},
	}
	f.add(a, c)
	return c
}

func (f *checkFlags) add(a *app, c *cobra.Command) {
	severities, formats, roles := finding.Severities[:], formats(), []string{"input", "output"}
	f.get = -1
	f.failOn, f.format = finding.Error, report.Text
	f.jobs = runtime.GOMAXPROCS(0)
	flags := c.Flags()
	flags.SortFlags = false
	flag(flags, "target", "TARGET", desc.ParseTarget, into(&f.target),
		"whose rules: directml, directml@6.2, pytorch, onednn, tma, mdspan, none; default by the kind of input")
	flag(flags, "rule", "RULE", rulebook.Find, onto(&f.only), "check this rule only; may be repeated")
	flag(flags, "ignore", "RULE", rulebook.Find, onto(&f.ignore), "do not check this rule; may be repeated")
	setShown := func(i int) {
		s := finding.Severity(i)
		f.shown = &s
	}
	wordFlag(flags, "severity", "SEVERITY", severities, setShown,
		"show findings at or above this one: note, warning or error; default warning, and what --fail-on says")
	wordFlag(flags, "fail-on", "SEVERITY", severities, func(i int) { f.failOn = finding.Severity(i) },
		"exit with 1 if there is a finding at or above this one; default error")
	wordFlag(flags, "output,o", "FORMAT", formats, func(i int) { f.format = report.Formats[max(i-1, 0)].Format },
		"text, plain, json, jsonl, sarif, junit, github, gitlab, checkstyle, rdjsonl, markdown, csv")
	flag(flags, "report", "FORMAT=FILE", parseReport, onto(&f.reports), "write a report to a file too; may be repeated")
	wordFlag(flags, "get", "FIELD", summaryFields(), func(i int) { f.get = i },
		"one number of the summary, bare: files, descriptors, error, warning, note")
	textFlag(flags, "stdin-filename", "NAME", &f.stdin, "what to call standard input, and read it as")
	flag(flags, "exclude", "GLOB", project.ParsePattern, onto(&f.exclude),
		"leave out files and directories as a line of .gitignore does; may be repeated")
	flags.BoolVar(&f.noGitignore, "no-gitignore", false, "do not look at .gitignore files in directories")
	flags.BoolVar(&f.follow, "follow", false,
		"follow all links to files that lead out of a directory or a repository, not only those to tensor files")
	textFlag(flags, "files-from", "FILE", &f.filesFrom, "check the files that FILE lists; - is standard input")
	flags.BoolVarP(&f.null, "null", "0", false, "paths of --files-from end with a byte of 0, not with the line")
	textFlag(flags, "baseline", "FILE", &f.baseline, "leave out the findings that FILE knows")
	textFlag(flags, "write-baseline", "FILE", &f.newBaseline, "write what fails into FILE, as findings that are known")
	flags.BoolVar(&f.noConfig, "no-config", false, "do not read the project's "+project.FileName)
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "list the files that are skipped, and why")
	setRole := func(i int) { f.role = [...]desc.Role{desc.Input, desc.Output}[i] }
	wordFlag(flags, "role", "ROLE", roles, setRole, "what an operator does with the tensor of the arguments")
	jobsFlag(flags, &f.jobs, "how many files to check at once; default one for each core")
	f.tensor.add(a, c)
	a.completeFlags(c, fixed(desc.Targets()...), "target")
	a.completeFlags(c, completeTopics("rule"), "rule", "ignore")
	a.completeFlags(c, fixed(severities...), "severity", "fail-on")
	a.completeFlags(c, fixed(formats...), "output")
	a.completeFlags(c, fixed(roles...), "role")
	a.completeFlags(c, fixed(summaryFields()...), "get")
	a.completeFlags(c, completeReport, "report")
	a.completeFlags(c, cobra.NoFileCompletions, "jobs")
	c.ValidArgsFunction = nil
}

// A reportFile is a report that goes to a file.
type reportFile struct {
	format report.Format
	path   string
}

// completeReport offers the formats, and files after them.
func completeReport(_ *cobra.Command, _ []string, word string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
	if strings.Contains(word, "=") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	for _, f := range report.Formats {
		names = append(names, string(f.Format)+"=")
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// parseReport reads FORMAT=FILE.
func parseReport(text string) (reportFile, error) {
	name, path, _ := strings.Cut(text, "=")
	format, err := report.ParseFormat(name)
	if err == nil && path == "" {
		hint := name + "=FILE writes it to a file, -o " + name + " to standard output"
		err = &layout.SyntaxError{Input: text, Offset: len(text), Msg: "a file is missing", Hint: hint}
	}
	return reportFile{format, path}, err
}

// validate refuses flags that cannot hold, before any work.
func (f *checkFlags) validate() error {
	if slices.Contains(f.ignore, finding.Syntax) {
		return refuse("an input that cannot be read is always an error",
			"leave out --ignore syntax, or the input")
	}
	if f.newBaseline != "" && f.baseline != "" {
		return refuse("--write-baseline writes what --baseline reads", "leave out one of them")
	}
	written := f.written()
	for i, path := range written {
		if slices.Contains(written[:i], path) {
			return refuse("two reports are to be written to "+render.Quote(path), "give each a file of its own")
		}
	}
	return nil
}

// written lists the files that are to be written: the new baseline last.
func (f *checkFlags) written() (paths []string) {
	for _, r := range f.reports {
		paths = append(paths, r.path)
	}
	if f.newBaseline != "" {
		paths = append(paths, f.newBaseline)
	}
	return paths
}

// formats lists the formats of reports. Like other commands this one calls its text, the first format, a table too.
func formats() []string {
	names := []string{"table"}
	for _, f := range report.Formats {
		names = append(names, string(f.Format))
	}
	return names
}

// check checks the inputs and writes the reports.
func (a *app) check(f *checkFlags, inputs []checkInput) error {
	known, err := f.openLedger()
	if err != nil {
		return err
	}
	reports, err := a.openReports(f)
	if err != nil {
		return err
	}
	defer reports.discard()
	ctx := context.Background()
	if len(f.reports) > 0 || slices.ContainsFunc(inputs, func(in checkInput) bool { return in.path != argsName }) {
		var stop func() // a tensor of the arguments takes too little time to be interrupted
		ctx, stop = files.Interruptible()
		defer stop()
	}
	if len(inputs) > 1 {
		// Garbage is collected when there is as much as what is in use. This is never touched, and takes no memory.
		ballast := make([]byte, 16<<20)
		defer runtime.KeepAlive(ballast)
	}
	t := tally{dirs: map[string]bool{}, quota: [2]finding.Quota{{Most: maxFindings}, {Most: maxFindings}}}
	for c := range withParts(a.results(ctx, f, inputs)) {
		if t.passes(f, c) {
			continue
		}
		if known != nil {
			if known.isNew && c.dropped() > 0 {
				return refuse(fmt.Sprintf("%s has more than the %d findings that a baseline takes of a file",
					render.Quote(c.path), maxFindings), "leave it out with --exclude, or a rule with --ignore")
			}
			t.know(known.take(c))
		}
		t.list(f, c)
		if err := reports.add(c); err != nil {
			return err
		}
		for _, note := range c.notes {
			if c.path != argsName {
				note = c.path + ": " + note
			}
			a.note(note)
		}
	}
	if t.Unlisted > 0 {
		a.note(fmt.Sprintf("%d more findings are counted, not listed: at most %d are, the gravest",
			t.Unlisted, maxFindings))
	}
	switch {
	case ctx.Err() != nil:
		return files.ErrInterrupted
	case t.Files == 0 && len(t.ignored) == 0 && f.filesFrom == "":
		return a.nothing(f, &t)
	}
	return a.conclude(f, &t, known, reports)
}

// conclude says what all inputs come to, which may be an error, and ends the reports.
func (a *app) conclude(f *checkFlags, t *tally, known *ledger, reports *reports) error {
	if known != nil {
		if err := known.close(a); err != nil {
			return err
		}
	}
	a.noteUnchecked(f, t)
	if n := f.hidden(t.Summary); n > 0 {
		a.note(fmt.Sprintf("%s at or above --fail-on %s that --severity %s does not list",
			scan.Count(n, "finding"), f.failOn, f.least()))
	}
	if f.get < 0 && (f.format == report.JSON || f.format == report.JSONL) {
		a.said = len(a.notes)
	}
	t.Notes, t.Listed, t.Skipped = a.notes, f.least(), len(f.skipped)
	for _, s := range f.skipped {
		switch s.why {
		case ignored:
			t.Ignored++
		case excluded:
			t.Excluded++
		case leadsOut:
			t.Outside++
		}
	}
	if err := reports.close(t.Summary); err != nil {
		return err
	}
	switch {
	case t.faulty:
		return errUnread
	case slices.Max(t.Count[f.failOn:]) > 0:
		return errNo
	}
	return nil
}

// nothing is the error of directories without anything to check.
func (a *app) nothing(f *checkFlags, t *tally) error {
	if n := len(f.skipped); n > 0 {
		a.noteUnchecked(f, t)
		a.sayNotes()
		return refuse("there is nothing to check here: "+scan.Count(n, "file")+" skipped", "-v lists them, and why")
	}
	const hint = "a directory is searched for models and configurations in JSON or YAML, " +
		".jsonl, .npy, .safetensors, .gguf, .onnx and config.pbtxt"
	return refuse("there is nothing to check here", hint)
}

// A tally sums up what the inputs come to.
type tally struct {
	report.Summary
	quota   [2]finding.Quota // of the findings that are listed, and of those that are known besides
	faulty  bool             // some inputs could not be read
	dirs    map[string]bool  // those that have descriptors
	empty   []string         // files of the arguments that have none
	ignored []string         // notes on files that are not what they should be, where the user ignores that
}

// passes counts an input. It reports whether there is nothing to report of it.
func (t *tally) passes(f *checkFlags, c *checking) bool {
	switch {
	case c.skipped != "":
		t.ignored = append(t.ignored, c.path+" is not checked: "+c.skipped)
		t.dirs[c.dir] = true
		return true
	case c.examined || c.faulty || c.count != [len(finding.Severities)]int{}:
		t.add(c)
		return false
	case c.dir == "":
		t.empty = append(t.empty, c.path)
	default: // it is of another program
		f.skip(c.path, "nothing in it describes tensors")
	}
	return true
}

// add counts an input that is reported.
func (t *tally) add(c *checking) {
	t.faulty = t.faulty || c.faulty
	t.dirs[c.dir] = true
	t.Files++
	t.Descriptors += c.descriptors
	for i, n := range c.count {
		t.Count[i] += n
	}
	i := slices.IndexFunc(t.Kinds, func(k report.Kind) bool { return k.Name == c.kind })
	if i < 0 {
		i = len(t.Kinds)
		t.Kinds = append(t.Kinds, report.Kind{Name: c.kind})
	}
	t.Kinds[i].Files++
	const most = 3 // names in a line
	if c.kind == report.Unread && len(t.Unread) < most {
		t.Unread = append(t.Unread, c.path)
	}
}

// know takes findings that are known from those that count.
func (t *tally) know(known [len(finding.Severities)]int) {
	for i, n := range known {
		t.Count[i] -= n
		t.Known += n
	}
}

// list leaves out the findings of an input that are beyond the limit of the call, unless they are graver than those
// before. What is known does not take the place of what is new. Inputs that come later find no words for such findings,
// unless a baseline needs them.
func (t *tally) list(f *checkFlags, c *checking) {
	c.findings = slices.DeleteFunc(c.findings, func(f report.Finding) bool {
		q := &t.quota[0]
		if f.Known {
			q = &t.quota[1]
		}
		return !q.Pass(f.Severity)
	})
	t.Unlisted += c.dropped()
	if !f.hasBaseline() {
		f.floor.Store(int32(t.quota[0].Floor()))
	}
}

// hasBaseline reports whether all findings of a file are held against a baseline, or go into one.
func (f *checkFlags) hasBaseline() bool { return f.baseline+f.newBaseline != "" }

// noteUnchecked notes what was not checked, as far as the user would not expect that.
func (a *app) noteUnchecked(f *checkFlags, t *tally) {
	for _, dir := range f.dirs {
		if !t.dirs[dir] {
			a.note(dir + ": nothing in this directory describes tensors")
		}
	}
	if n := len(t.ignored); n > 0 {
		text := t.ignored[0]
		if n > 1 {
			text += fmt.Sprintf("; nor are %d more", n-1)
		}
		a.note(text)
	}
	for _, path := range t.empty {
		a.note(path + ": nothing in this file describes tensors")
	}
	if f.filesFrom != "" && t.Files == 0 {
		a.note("none of the files that are listed describes tensors")
	}
	if !f.verbose {
		return
	}
	for _, s := range f.skipped {
		a.note(s.path + " is skipped: " + s.why)
	}
	a.noteIdle(f)
}

// results yields what the inputs come to, in their order, several being checked at once, until the
// context ends.
func (a *app) results(ctx context.Context, f *checkFlags, inputs []checkInput) iter.Seq[*checking] {
	return func(yield func(*checking) bool) {
		meter := a.newMeter(len(inputs))
		var progress func(int)
		if len(inputs) == 1 {
			progress = func(lines int) { meter.Done.Store(int64(lines)) }
		}
		defer meter.End()
		check := func(in checkInput, turn *input.Turn) *checking {
			k := &checking{checkInput: in, flags: f, progress: progress, turn: turn}
			k.check()
			return k
		}
		for c := range input.InOrder(ctx, f.jobs, nil, inputs, check) {
			if len(inputs) > 1 {
				meter.Done.Add(1)
			}
			if !yield(c) {
				return
			}
		}
	}
}

// withParts yields the files that an input names, which were checked with it, before that input.
func withParts(results iter.Seq[*checking]) iter.Seq[*checking] {
	return func(yield func(*checking) bool) {
		for c := range results {
			for _, part := range append(c.parts, c) {
				if !yield(part) {
					return
				}
			}
		}
	}
}

// newMeter starts to show how many inputs are done or, when there is only one, how many lines of it.
func (a *app) newMeter(inputs int) *files.Meter {
	_, shown := terminalWidth(a.streams.Err)
	return files.NewMeter(a.streams.Err, shown, func(done int64, _ time.Duration) string {
		switch {
		case inputs > 1:
			return fmt.Sprintf("checked %d of %d", done, inputs)
		case done > 0:
			return fmt.Sprintf("checked %d lines", done)
		}
		return ""
	})
}

// least is the severity from which on findings are listed: what fails is, unless the user wants less.
func (f *checkFlags) least() finding.Severity {
	if f.shown != nil {
		return *f.shown
	}
	return min(finding.Warning, f.failOn)
}

// hidden is how many findings fail and are not listed.
func (f *checkFlags) hidden(s report.Summary) (n int) {
	for severity := f.failOn; severity < f.least(); severity++ {
		n += s.Count[severity]
	}
	return n
}
