package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"layoutcalc/cmd/datamove"
	"layoutcalc/layout"
	"layoutcalc/layout/descfile"
	"layoutcalc/layout/input"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/spec"
	"layoutcalc/layout/triton"
	"layoutcalc/render"
	"layoutcalc/render/report"
)

// A checkFlags says what the command check holds against which rules, and who is to know.
type checkFlags struct {
	tensor  tensorFlags
	target  *rules.Target
	role    rules.Role
	only    []rules.ID
	ignore  []rules.ID
	shown   *rules.Severity // nil is warnings, and what fails
	failOn  rules.Severity
	format  report.Format
	get     int // which of the fields of the summary to print alone; -1 for a report
	reports []reportFile
	dirs    []string          // of the arguments
	stdin   string            // what to call standard input
	shards  map[string]string // the index that each file is reported with, by its absolute path
	listed  map[string]bool   // those of them that the arguments name, or a directory has
	jobs    int
	heavy   sync.Mutex // one large text at a time

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
layoutcalc check 5x55 --strides 9,3 -t float16 --role output --target directml
layoutcalc check models/ -o github --report sarif=layouts.sarif
gdb -batch -ex 'print desc' app core | layoutcalc check -`,
		Args: a.needArguments,
		RunE: func(c *cobra.Command, args []string) error {
			inputs, err := a.inputs(&f, args)
			if err == nil {
				err = f.validate()
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
	severities, formats, roles := rules.Severities[:], formats(), []string{"input", "output"}
	f.get = -1
	f.failOn, f.format = rules.Error, report.Text
	f.jobs = runtime.GOMAXPROCS(0)
	flags := c.Flags()
	flags.SortFlags = false
	flag(flags, "target", "TARGET", rules.ParseTarget, into(&f.target),
		"whose rules: directml, directml@6.2, pytorch, onednn, tma, mdspan, none; default by the kind of input")
	flag(flags, "rule", "RULE", rules.Find, onto(&f.only), "check this rule only; may be repeated")
	flag(flags, "ignore", "RULE", rules.Find, onto(&f.ignore), "do not check this rule; may be repeated")
	setShown := func(i int) {
		s := rules.Severity(i)
		f.shown = &s
	}
	wordFlag(flags, "severity", "SEVERITY", severities, setShown,
		"show findings at or above this one: note, warning or error; default warning, and what --fail-on says")
	wordFlag(flags, "fail-on", "SEVERITY", severities, func(i int) { f.failOn = rules.Severity(i) },
		"exit with 1 if there is a finding at or above this one; default error")
	wordFlag(flags, "output,o", "FORMAT", formats, func(i int) { f.format = report.Formats[max(i-1, 0)].Format },
		"text, plain, json, jsonl, sarif, junit, github, markdown, csv")
	flag(flags, "report", "FORMAT=FILE", parseReport, onto(&f.reports), "write a report to a file too; may be repeated")
	wordFlag(flags, "get", "FIELD", summaryFields(), func(i int) { f.get = i },
		"one number of the summary, bare: files, descriptors, error, warning, note")
	textFlag(flags, "stdin-filename", "NAME", &f.stdin, "what to call standard input, and read it as")
	setRole := func(i int) { f.role = [...]rules.Role{rules.Input, rules.Output}[i] }
	wordFlag(flags, "role", "ROLE", roles, setRole, "what an operator does with the tensor of the arguments")
	jobsFlag(flags, &f.jobs, "how many files to check at once; default one for each core")
	f.tensor.add(a, c)
	a.completeFlags(c, fixed(rules.Targets()...), "target")
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
		const hint = "such as sarif=layouts.sarif"
		err = &layout.SyntaxError{Input: text, Offset: len(text), Msg: "a file is missing", Hint: hint}
	}
	return reportFile{format, path}, err
}

// validate refuses flags that cannot hold, before any work.
func (f *checkFlags) validate() error {
	if slices.Contains(f.ignore, rules.Syntax) {
		return refuse("an input that cannot be read is always an error",
			"leave out --ignore syntax, or the input")
	}
	for i, r := range f.reports {
		if slices.ContainsFunc(f.reports[:i], func(s reportFile) bool { return s.path == r.path }) {
			return refuse("two reports are to be written to "+render.Quote(r.path),
				"give each a file of its own")
		}
	}
	return nil
}

// formats lists the formats of reports. Like other commands this one calls its text, the first format, a table too.
func formats() []string {
	names := []string{"table"}
	for _, f := range report.Formats {
		names = append(names, string(f.Format))
	}
	return names
}

// errUnread says that some input could not be read. The reports say which and why.
var errUnread = errors.New("unreadable input")

// check checks the inputs and writes the reports.
func (a *app) check(f *checkFlags, inputs []checkInput) error {
	if err := f.spare(inputs); err != nil {
		return err
	}
	reports, err := a.openReports(f)
	if err != nil {
		return err
	}
	defer reports.discard()
	ctx, stop := datamove.Interruptible()
	defer stop()
	var all report.Summary
	faulty := false           // some inputs could not be read
	dirs := map[string]bool{} // those that have descriptors
	var empty []string        // files of the arguments that have none
	var skipped []string      // files that are not what they should be, where the user ignores that
	for c := range withParts(a.results(ctx, f, inputs)) {
		if !c.examined && !c.faulty && c.skipped == "" && c.checker.Count == [len(rules.Severities)]int{} {
			if c.dir == "" {
				empty = append(empty, c.path)
			}
			continue // in a directory it is of another program
		}
		if c.skipped != "" {
			skipped = append(skipped, c.path+" is not checked: "+c.skipped)
			dirs[c.dir] = true
			continue
		}
		faulty = faulty || c.faulty
		dirs[c.dir] = true
		all.Files++
		all.Descriptors += c.descriptors
		for i, n := range c.checker.Count {
			all.Count[i] += n
		}
		if err := reports.add(c); err != nil {
			return err
		}
		for _, note := range c.notes {
			if c.path != argsName {
				note = c.path + ": " + note
			}
			a.note(note)
		}
		if n := c.dropped(); n > 0 {
			a.note(fmt.Sprintf("%s: %d more findings are counted, not listed", c.path, n))
		}
	}
	if ctx.Err() != nil {
		return datamove.ErrInterrupted
	}
	if all.Files == 0 && len(skipped) == 0 {
		const hint = "a directory is searched for models and configurations in JSON or YAML, " +
			".jsonl, .npy, .safetensors, .gguf, .onnx and config.pbtxt"
		return refuse("there is nothing to check here", hint)
	}
	for _, dir := range f.dirs {
		if !dirs[dir] {
			a.note(dir + ": nothing in this directory describes tensors")
		}
	}
	if n := len(skipped); n > 0 {
		text := skipped[0]
		if n > 1 {
			text += fmt.Sprintf("; nor are %d more", n-1)
		}
		a.note(text)
	}
	for _, path := range empty {
		a.note(path + ": nothing in this file describes tensors")
	}
	if n := f.hidden(all); n > 0 {
		a.note(fmt.Sprintf("%s at or above --fail-on %s that --severity %s does not list",
			scan.Count(n, "finding"), f.failOn, f.least()))
	}
	if f.get < 0 && (f.format == report.JSON || f.format == report.JSONL) {
		a.said = len(a.notes)
	}
	all.Notes, all.Listed = a.notes, f.least()
	if err := reports.close(all); err != nil {
		return err
	}
	switch {
	case faulty:
		return errUnread
	case slices.Max(all.Count[f.failOn:]) > 0:
		return errNo
	}
	return nil
}

// spare refuses reports that would take the place of an input.
func (f *checkFlags) spare(inputs []checkInput) error {
	for _, r := range f.reports {
		target, err := os.Stat(r.path)
		if err != nil {
			continue
		}
		for _, in := range inputs {
			if info, err := os.Stat(in.path); err == nil && os.SameFile(target, info) {
				return refuse("the report would take the place of "+render.Quote(in.path),
					"write it to another file")
			}
		}
	}
	return nil
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
		queue, stop := make(chan chan *checking, f.jobs-1), make(chan struct{})
		defer close(stop)
		defer meter.End()
		go func() {
			defer close(queue)
			for _, in := range inputs {
				result := make(chan *checking, 1)
				select {
				case queue <- result:
				case <-stop:
					return
				}
				go func() {
					k := &checking{checkInput: in, flags: f, progress: progress}
					k.check()
					result <- k
				}()
			}
		}()
		for result := range queue {
			var c *checking
			select {
			case c = <-result:
			case <-ctx.Done():
				return
			}
			if c.fault != nil {
				panic(c.fault) // for whoever runs the program
			}
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
func (a *app) newMeter(inputs int) *datamove.Meter {
	_, shown := terminalWidth(a.streams.Err)
	return datamove.NewMeter(a.streams.Err, shown, func(done int64, _ time.Duration) string {
		switch {
		case inputs > 1:
			return fmt.Sprintf("checked %d of %d", done, inputs)
		case done > 0:
			return fmt.Sprintf("checked %d lines", done)
		}
		return ""
	})
}

// A checkInput is one thing to check: a file, standard input, or the tensor of the arguments.
type checkInput struct {
	path   string
	dir    string            // of the arguments, where the file was found: it may be something else than descriptors
	link   bool              // in that directory it is a link
	stdin  bool              // path is what to call it
	text   *input.Input      // of the arguments
	tensor *rules.Descriptor // of the arguments, adjusted by flags
	err    error             // why the text cannot be read
}

// inputs returns what the arguments name: files, directories and -, or the tensor that they
// describe. What is a file is never taken for a tensor: a shell may have listed it.
func (a *app) inputs(f *checkFlags, args []string) ([]checkInput, error) {
	var all []checkInput
	for i, arg := range args {
		info, err := os.Stat(arg)
		if path, ok := input.Path(arg); ok && err != nil {
			arg = path
			info, err = os.Stat(arg)
		}
		isPath := arg != args[i] || !input.Recognises(arg) && strings.ContainsAny(arg, `/\.`)
		switch {
		case arg == "-" && slices.Contains(args[:i], "-"):
			return nil, errReadTwice
		case arg == "-":
			all = append(all, checkInput{path: cmp.Or(f.stdin, "<stdin>"), stdin: true})
		case err == nil && info.IsDir():
			f.dirs = append(f.dirs, arg)
			all = append(all, a.walk(arg)...)
		case i > 0 || err == nil || isPath:
			all = append(all, checkInput{path: arg})
		default:
			return f.described(args)
		}
	}
	all = f.unnamed(once(all))
	if f.tensor.shapes() {
		return nil, refuse("files say themselves how their tensors lie",
			"--strides, --pad, --view and their like shape a tensor of the command line")
	}
	return all, nil
}

// described returns the input that is the tensor of the arguments.
func (f *checkFlags) described(args []string) ([]checkInput, error) {
	in, rest, err := f.tensor.find(args, 0)
	_, shape := spec.ParseShape(args[0])
	if err != nil && shape != nil && !input.Recognises(args[0]) {
		const hint = "such as model.json, or 1x3x224x224 --strides 150528,1,672,3"
		return nil, refuse(render.Quote(args[0])+" is neither a file nor a tensor", hint)
	}
	if err != nil && shape != nil && len(args) == 1 {
		in, err = input.Text(args[0], f.tensor.options()) // what is wrong with it is a finding
		f.tensor.whole = true
	}
	if in != nil && f.tensor.whole && len(rest) == 0 && !f.tensor.shapes() {
		return []checkInput{{path: argsName, text: in, err: err}}, nil
	}
	t, err := f.tensor.only(args)
	if err != nil {
		return nil, err
	}
	d := input.Describe(t)
	return []checkInput{{path: argsName, tensor: &d}}, nil
}

// argsName is the path of what is checked where it is the arguments.
const argsName = "<args>"

// walk returns the files in a directory, and in those inside it, in order. Hidden ones are left out. A link is taken
// like the file that it leads to; one that leads nowhere is a file that cannot be opened, where its name says that it
// is ours. A link to a directory elsewhere is not followed, and noted.
func (a *app) walk(dir string) (all []checkInput) {
	root, _ := filepath.EvalSymlinks(dir)
	var elsewhere []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		ours := input.IsConfigName(path)
		hidden := strings.HasPrefix(d.Name(), ".") && path != dir && !ours
		in := checkInput{path: path, dir: dir, link: d.Type()&fs.ModeSymlink != 0}
		info, linkErr := fs.FileInfo(nil), error(nil)
		if in.link && !hidden {
			info, linkErr = os.Stat(path)
		}
		switch {
		case hidden && d.IsDir():
			return fs.SkipDir
		case err != nil:
			all = append(all, checkInput{path: path, dir: dir}) // to open it will fail too
		case hidden:
		case info != nil && info.IsDir():
			if to, err := filepath.EvalSymlinks(path); err != nil || !isInside(to, root) {
				elsewhere = append(elsewhere, path)
			}
		case !input.IsKnownName(path):
		case d.Type().IsRegular(), info != nil && info.Mode().IsRegular(),
			linkErr != nil && (ours || input.IsHeaderName(path)):
			all = append(all, in)
		}
		return nil
	})
	if n := len(elsewhere); n > 0 {
		text := elsewhere[0] + " is a link to a directory elsewhere, which is not searched"
		if n > 1 {
			const note = "%s and %d more are links to directories elsewhere, which are not searched"
			text = fmt.Sprintf(note, elsewhere[0], n-1)
		}
		a.note(text)
	}
	return all
}

// isInside reports whether a path is that of a directory or of something in it.
func isInside(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// once leaves out the files of directories that are there already, by another path or a link. Of a file and the
// links to it that directories have, the file stays.
func once(inputs []checkInput) []checkInput {
	type looks struct{ size, time int64 }
	seen := map[looks][]fs.FileInfo{} // files that look the same
	missing := map[string]bool{}      // paths
	again := make([]bool, len(inputs))
	for _, turn := range [...]struct{ found, link bool }{{false, false}, {true, false}, {true, true}} {
		for i, in := range inputs {
			info, err := os.Stat(in.path)
			if (in.dir != "") != turn.found || in.link != turn.link || in.stdin {
				continue
			}
			if err != nil {
				again[i] = turn.found && missing[in.path]
				missing[in.path] = true
				continue
			}
			k := looks{info.Size(), info.ModTime().UnixNano()}
			same := func(other fs.FileInfo) bool { return os.SameFile(info, other) }
			if slices.ContainsFunc(seen[k], same) {
				again[i] = turn.found
			} else {
				seen[k] = append(seen[k], info)
			}
		}
	}
	var left []checkInput
	for i, in := range inputs {
		if !again[i] {
			left = append(left, in)
		}
	}
	return left
}

// unnamed leaves out the files that an index among the inputs names: they are read with the index, once. Where
// several indexes name a file, it is reported with the first.
func (f *checkFlags) unnamed(inputs []checkInput) []checkInput {
	isIndex := func(in checkInput) bool { return !in.stdin && input.IsIndexName(in.path) }
	if len(inputs) < 2 || !slices.ContainsFunc(inputs, isIndex) {
		return inputs
	}
	f.shards = map[string]string{}
	for _, in := range inputs {
		if !isIndex(in) {
			continue
		}
		s, end, err := f.tensor.app.openSource(in.path)
		if err != nil {
			continue // to check it will fail too
		}
		if index, err := input.Read(s, input.Options{}); err == nil {
			for _, shard := range index.Shards() {
				if path := absolute(filepath.Join(filepath.Dir(in.path), shard)); f.shards[path] == "" {
					f.shards[path] = in.path
				}
			}
		}
		end()
	}
	f.listed = map[string]bool{}
	return slices.DeleteFunc(inputs, func(in checkInput) bool {
		path := absolute(in.path)
		named := !in.stdin && f.shards[path] != ""
		f.listed[path] = f.listed[path] || named
		return named
	})
}

// absolute returns a path from the root on, by which files are told apart.
func absolute(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// maxFindings limits how many findings of one file are listed: the gravest. All are counted.
const maxFindings = 10_000

// A checking is the check of one input, and what it came to.
type checking struct {
	checkInput
	flags    *checkFlags
	progress func(lines int) // of JSON Lines; may be nil
	checker  *rules.Checker

	parts       []*checking // files that it names, and that were checked with it
	data        []byte      // the text, if it is one
	notes       []string
	examined    bool   // it was read, and it describes tensors
	faulty      bool   // it could not be read
	skipped     string // why it could not be read, where the user ignores that; else empty
	descriptors int
	quota       rules.Quota      // of the findings
	findings    []report.Finding // the gravest ones; the checker counts all
	fault       any              // of ours: the panic that ended the check
}

// check checks the input, whatever it is. A panic, which would end the program, is part of the result.
func (k *checking) check() {
	defer func() { k.fault = recover() }()
	k.begin()
	switch {
	case k.tensor != nil:
		k.described(rules.Target{}, k.tensor)
	case k.text != nil:
		k.input(k.text, k.err)
	default:
		k.open()
	}
	k.finish()
}

// begin makes what checks the input.
func (k *checking) begin() {
	k.checker, k.quota.Most = rules.NewChecker(k.flags.options(), k.keep), maxFindings
}

// finish sorts the findings, of which the gravest stay.
func (k *checking) finish() {
	if len(k.findings) > maxFindings {
		slices.SortStableFunc(k.findings, func(a, b report.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
		k.findings = k.findings[:maxFindings]
	}
	slices.SortStableFunc(k.findings, func(a, b report.Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// dropped is how many findings are shown by their number only.
func (k *checking) dropped() int {
	n := -len(k.findings)
	for _, count := range k.checker.Count[k.flags.least():] {
		n += count
	}
	return n
}

// least is the severity from which on findings are listed: what fails is, unless the user wants less.
func (f *checkFlags) least() rules.Severity {
	if f.shown != nil {
		return *f.shown
	}
	return min(rules.Warning, f.failOn)
}

// hidden is how many findings fail and are not listed.
func (f *checkFlags) hidden(s report.Summary) (n int) {
	for severity := f.failOn; severity < f.least(); severity++ {
		n += s.Count[severity]
	}
	return n
}

// options are those of all checkers. That an input cannot be read is always said.
func (f *checkFlags) options() rules.Options {
	only := f.only
	if only != nil {
		only = append(slices.Clone(only), rules.Syntax, rules.LFSPointer, rules.NotTheFile)
	}
	return rules.Options{Shown: f.least(), Only: only, Ignore: f.ignore}
}

// keep keeps a finding. When there are as many as are listed, no words are made for more that are not graver.
func (k *checking) keep(f rules.Finding) {
	if k.quota.Pass(f.Severity) {
		k.findings = append(k.findings, report.Finding{Finding: f, Path: k.path})
		k.checker.Quiet(k.quota.Floor())
	}
}

// heavy is how many bytes a text has that is checked while no other one is: it takes much memory.
const heavy = 1 << 20

// open checks a file: of tensors by its header, any other by its text.
func (k *checking) open() {
	path := k.path
	if k.stdin {
		path = "-"
	}
	s, end, err := k.flags.tensor.app.openSource(path)
	if err != nil {
		k.unreadable(errors.New(render.Unreadable(err)))
		return
	}
	defer end()
	s.Name, s.Foreign = k.path, k.dir != ""
	if k.stdin && k.flags.stdin != "" {
		s.Beside = newDirectory(k.flags.stdin)
	}
	if s.Size > heavy && !s.HasHeader() {
		k.flags.heavy.Lock()
		defer k.flags.heavy.Unlock()
	}
	k.input(input.Read(s, k.flags.tensor.options()))
}

// input checks what an input describes.
func (k *checking) input(in *input.Input, err error) {
	k.data = in.Data
	if err == nil {
		err = in.Keep(k.flags.tensor.name)
	}
	if err != nil && err != input.ErrForeign && len(in.Files) > 0 {
		k.unreadable(err) // one document of several is not ours
		err = nil
	}
	switch {
	case err == input.ErrForeign:
	case err != nil:
		k.unreadable(err)
	case in.Kind == input.Lines:
		k.lines(in)
	case in.Kind == input.Index:
		k.examined = true
		for p := range in.Parts {
			k.part(p)
		}
		k.file(in.Files[0], false)
		k.notes = in.Notes()
	case in.Triton != nil:
		k.triton(in.Triton)
	case len(in.Files) > 0:
		for _, f := range in.Files {
			k.file(f, in.Kind == input.TensorFile)
		}
	default:
		for d, finding := range in.Descriptors() {
			if finding != nil {
				k.checker.Add(*finding)
				continue
			}
			k.described(in.Target(), &d)
		}
		k.notes = in.Notes()
	}
	if f := k.flags.tensor; f.name != "" && in.Kind != input.Notation && err == nil {
		k.notes = append(k.notes, "--tensor is not used: all tensors are checked")
	}
}

// triton checks a configuration of Triton with what is beside it in its repository.
func (k *checking) triton(c *triton.Config) {
	var at *triton.Location
	if !k.stdin && k.path != argsName || strings.ContainsAny(k.flags.stdin, `/\`) {
		at = k.flags.repositories.locate(k.path)
	}
	f, notes := c.Check(at)
	k.examined = true
	k.descriptors += len(f.Values)
	k.notes = append(k.notes, notes...)
	k.file(f, false)
}

// part checks a file that the input names, unless it is reported with another input. Where it cannot be read, that is a
// finding, and more than that only if the user wants the file itself checked too.
func (k *checking) part(p input.Part) {
	path := filepath.Join(filepath.Dir(k.path), filepath.FromSlash(p.Path))
	of := k.flags.shards[absolute(path)]
	if of != "" && of != k.path {
		return
	}
	c := &checking{checkInput: checkInput{path: path, dir: k.dir}, flags: k.flags}
	c.begin()
	if p.Err != nil {
		c.unreadable(p.Err)
		c.faulty = c.faulty && k.flags.listed[absolute(path)]
	} else {
		c.file(p.File, true)
	}
	c.finish()
	c.checker = &rules.Checker{Count: c.checker.Count} // without the descriptors, of which there may be many
	k.parts = append(k.parts, c)
}

// unreadable notes why an input cannot be read, which is more than a finding, unless the user ignores it.
func (k *checking) unreadable(err error) {
	f := input.Finding(k.data, err)
	if slices.Contains(k.flags.ignore, f.Rule) {
		k.skipped = f.Message
		return
	}
	k.faulty = true
	k.checker.Add(f)
}

// lines checks JSON Lines as they come.
func (k *checking) lines(in *input.Input) {
	l := descfile.Lines{
		Workers: k.flags.jobs, Options: k.flags.options(), Target: k.flags.target, Most: maxFindings,
		Progress: k.progress, Refuse: in.Contradicts,
	}
	n, err := l.Check(in.Stream, func(f rules.Finding) error {
		k.keep(f)
		return nil
	})
	k.faulty = n.Unread > 0
	if err != nil {
		k.unreadable(input.ErrBroken)
	}
	k.examined, k.descriptors = n.Descriptors > 0, n.Descriptors
	for i, count := range n.Count {
		k.checker.Count[i] += count
	}
}

// described checks a tensor that a text or the arguments describe.
func (k *checking) described(own rules.Target, d *rules.Descriptor) {
	d.Role = cmp.Or(k.flags.role, d.Role)
	k.examined = true
	k.descriptors++
	k.checker.Check(k.target(own), d)
}

// file checks what a file says.
func (k *checking) file(f *rules.File, isTensorFile bool) {
	target := k.target(f.Target)
	k.examined = k.examined || isTensorFile || f.Model != nil || len(f.Descriptors)+len(f.Findings) > 0
	k.descriptors += len(f.Descriptors)
	k.checker.Silence(f.Ignores)
	for _, finding := range f.Findings {
		k.checker.Add(finding)
		isOther := finding.Rule == rules.LFSPointer || finding.Rule == rules.NotTheFile
		if isOther && slices.Contains(k.flags.ignore, finding.Rule) {
			k.notes = append(k.notes, finding.Message+": it is not checked")
		}
	}
	for i := range f.Descriptors {
		if isTensorFile {
			f.Descriptors[i].Total = rules.Number{} // the reader has judged the bytes that are there
		}
		k.checker.Check(target, &f.Descriptors[i])
	}
	if f.Model != nil {
		k.checker.Model(target, f.Model)
	}
	if f.Config != nil {
		k.checker.Config(target, f.Config)
	}
	k.checker.Unused()
}

// target is the one that the user chose, or the input's own.
func (k *checking) target(own rules.Target) rules.Target {
	if k.flags.target != nil {
		return *k.flags.target
	}
	return own
}
