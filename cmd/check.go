package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"layoutcalc/cmd/datamove"
	"layoutcalc/layout"
	"layoutcalc/layout/rules"
	"layoutcalc/render"
	"layoutcalc/render/report"
)

// A checkFlags says what the command check holds against which rules, and who is to know.
type checkFlags struct {
	tensor  tensorFlags
	target  *rules.Target
	role    string
	only    []rules.ID
	ignore  []rules.ID
	shown   string
	failOn  string
	format  string
	get     string
	reports []reportFile
	stdin   string // what to call standard input
	jobs    int
	heavy   sync.Mutex // one large text at a time
}

func (a *app) newCheck() *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check FILE... | TENSOR",
		Short: "Validate descriptors: models, configurations, tensor files",
		Example: `layoutcalc check model.json layouts.yaml weights.safetensors
layoutcalc check models/ --target directml@6.2 --fail-on warning
layoutcalc check 5x55 --strides 9,3 -t float16 --role output --target directml
layoutcalc check models/ -o github --report sarif=layouts.sarif
gdb -batch -ex 'print desc' app core | layoutcalc check -`,
		Args: a.needTensor,
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
	severities := rules.Severities[:]
	f.shown, f.failOn, f.format = rules.Warning.String(), rules.Error.String(), string(report.Text)
	flags := c.Flags()
	flags.SortFlags = false
	flags.Var(&parsed[rules.Target]{"TARGET", rules.ParseTarget, into(&f.target)}, "target", "whose rules: directml, directml@6.2, pytorch, onednn, tma, mdspan, none; default by the kind of input")
	flags.Var(&parsed[rules.ID]{"RULE", rules.Find, onto(&f.only)}, "rule", "check this rule only; may be repeated")
	flags.Var(&parsed[rules.ID]{"RULE", rules.Find, onto(&f.ignore)}, "ignore", "do not check this rule; may be repeated")
	flags.Var(oneOf("SEVERITY", &f.shown, severities...), "severity", "show findings at or above this one: note, warning or error; default warning")
	flags.Var(oneOf("SEVERITY", &f.failOn, severities...), "fail-on", "exit with 1 if there is a finding at or above this one; default error")
	flags.VarP(oneOf("FORMAT", &f.format, formats()...), "output", "o", "text, plain, json, jsonl, sarif, junit, github, markdown, csv")
	flags.Var(&parsed[reportFile]{"FORMAT=FILE", parseReport, onto(&f.reports)}, "report", "write a report to a file too; may be repeated")
	flags.Var(text("FIELD", &f.get), "get", "one number of the summary, bare: files, descriptors, error, warning, note")
	flags.Var(text("NAME", &f.stdin), "stdin-filename", "what to call standard input, and read it as")
	flags.Var(oneOf("ROLE", &f.role, "input", "output"), "role", "what an operator does with the tensor of the arguments")
	flags.Var(&parsed[int64]{"N", parseJobs, func(n int64) { f.jobs = int(n) }}, "jobs", "how many files to check at once; default one for each core")
	f.tensor.add(a, c)
	a.completeFlags(c, fixed(rules.Targets()...), "target")
	a.completeFlags(c, completeRules, "rule", "ignore")
	a.completeFlags(c, fixed(severities...), "severity", "fail-on")
	a.completeFlags(c, fixed(formats()...), "output")
	a.completeFlags(c, fixed("input", "output"), "role")
	a.completeFlags(c, cobra.NoFileCompletions, "jobs", "get")
	c.ValidArgsFunction = nil
}

// validate refuses flags that cannot hold, before any work.
func (f *checkFlags) validate() error {
	if slices.Contains(f.ignore, rules.Syntax) {
		return &usageError{"that an input cannot be read is no matter of opinion", "leave out --ignore syntax, or the input"}
	}
	for i, r := range f.reports {
		if slices.ContainsFunc(f.reports[:i], func(s reportFile) bool { return s.path == r.path }) {
			return &usageError{"two reports are to be written to " + render.Quote(r.path), "give each a file of its own"}
		}
	}
	if f.get == "" {
		return nil
	}
	_, err := summaryField(&report.Summary{}, f.get)
	return err
}

// formats lists the formats of reports. Like other commands this one calls its text a table too.
func formats() []string {
	names := []string{"table"}
	for _, f := range report.Formats {
		names = append(names, string(f.Format))
	}
	return names
}

func parseJobs(text string) (int64, error) {
	n, err := layout.ParseNumber(text)
	if err == nil && (n < 1 || n > 1024) {
		err = &layout.SyntaxError{Input: text, Msg: "from 1 to 1024 can be done at once"}
	}
	return n, err
}

// severity returns the severity of that name.
func severity(name string) rules.Severity {
	for s := range rules.Severities {
		if rules.Severities[s] == name {
			return rules.Severity(s)
		}
	}
	return rules.Note
}

func completeRules(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, r := range rules.All() {
		names = append(names, cobra.CompletionWithDesc(r.Name, r.Severity.String()+": "+r.What))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// summaryField returns the number that --get names.
func summaryField(s *report.Summary, name string) (string, error) {
	numbers := map[string]int{"files": s.Files, "descriptors": s.Descriptors}
	known := []string{"files", "descriptors"}
	for i, severity := range rules.Severities {
		numbers[severity], numbers["summary."+severity] = s.Count[i], s.Count[i]
		known = append(known, severity)
	}
	n, ok := numbers[name]
	if !ok {
		hint := "-o json shows the findings"
		if near := layout.Nearest(name, known); near != "" {
			hint = "did you mean " + near + "?"
		}
		return "", &layout.SyntaxError{Input: name, Msg: "there is no such field", Hint: hint}
	}
	return strconv.Itoa(n), nil
}

// errUnread says that some input could not be read. The reports say which and why.
var errUnread = errors.New("unreadable input")

// A tally is what the inputs come to together.
type tally struct {
	report.Summary
	faulty   bool // some could not be read
	examined bool // some describe tensors
}

// check checks the inputs and writes the reports.
func (a *app) check(f *checkFlags, inputs []input) error {
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
	var t tally
	for c := range a.results(ctx, f, inputs) {
		if !t.add(&c) {
			continue
		}
		if err := reports.add(&c); err != nil {
			return err
		}
		if c.dropped > 0 {
			a.note(fmt.Sprintf("%s: %d more findings are counted, not listed", c.path, c.dropped))
		}
	}
	if ctx.Err() != nil {
		return datamove.ErrInterrupted
	}
	if !t.faulty && !t.examined {
		return &usageError{"there is nothing to check here", "a directory is searched for models and configurations in JSON or YAML, .jsonl, .npy, .safetensors and .gguf"}
	}
	if err := reports.close(t.Summary); err != nil {
		return err
	}
	return f.verdict(&t)
}

// add counts what an input came to. It reports false when that is nothing: the input is somebody
// else's.
func (t *tally) add(c *checked) bool {
	t.Descriptors += c.descriptors
	for i, n := range c.count {
		t.Count[i] += n
	}
	t.faulty, t.examined = t.faulty || c.faulty, t.examined || c.examined
	if c.examined || c.faulty {
		t.Files++
		return true
	}
	return false
}

// spare refuses reports that would take the place of an input.
func (f *checkFlags) spare(inputs []input) error {
	for _, r := range f.reports {
		target, err := os.Stat(r.path)
		if err != nil {
			continue
		}
		for _, in := range inputs {
			if info, err := os.Stat(in.path); err == nil && os.SameFile(target, info) {
				return &usageError{"the report would take the place of " + render.Quote(in.path), "write it to another file"}
			}
		}
	}
	return nil
}

// verdict is what the exit code will say.
func (f *checkFlags) verdict(t *tally) error {
	if t.faulty {
		return errUnread
	}
	for severity := severity(f.failOn); int(severity) < len(t.Count); severity++ {
		if t.Count[severity] > 0 {
			return errNo
		}
	}
	return nil
}

// results yields what the inputs come to, in their order, several being checked at once, until the
// context ends.
func (a *app) results(ctx context.Context, f *checkFlags, inputs []input) iter.Seq[checked] {
	return func(yield func(checked) bool) {
		progress := a.newProgress(len(inputs))
		queue, stop := make(chan chan checked, f.workers()-1), make(chan struct{})
		defer close(stop)
		defer progress.end()
		go func() {
			defer close(queue)
			for _, in := range inputs {
				result := make(chan checked, 1)
				select {
				case queue <- result:
				case <-stop:
					return
				}
				go func() { result <- f.safely(in, a.streams.In, progress) }()
			}
		}()
		for result := range queue {
			var c checked
			select {
			case c = <-result:
			case <-ctx.Done():
				return
			}
			if c.fault != nil {
				panic(c.fault) // for whoever runs the program
			}
			c.arrange()
			if progress.step(); !yield(c) {
				return
			}
		}
	}
}

// safely is checkInput; a panic, which would end the program, is part of the result.
func (f *checkFlags) safely(in input, stdin io.Reader, p *progress) (c checked) {
	defer func() {
		if fault := recover(); fault != nil {
			c.fault = fault
		}
	}()
	return f.checkInput(in, stdin, p)
}

// arrange sorts the findings by where they stand.
func (c *checked) arrange() {
	slices.SortStableFunc(c.findings, func(a, b report.Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// A reportFile is a report that goes to a file.
type reportFile struct {
	format report.Format
	path   string
}

// parseReport reads FORMAT=FILE.
func parseReport(text string) (reportFile, error) {
	name, path, ok := strings.Cut(text, "=")
	format, err := report.ParseFormat(name)
	switch {
	case err != nil:
		return reportFile{}, err
	case !ok || path == "":
		return reportFile{}, &layout.SyntaxError{Input: text, Offset: len(text), Msg: "a file is missing", Hint: "such as sarif=layouts.sarif"}
	}
	return reportFile{format, path}, nil
}

// Reports are all reports of a run: one on standard output, the others in files.
type reports struct {
	get     string // the only thing to print, of the summary
	out     io.Writer
	writers []*report.Writer
	files   []*datamove.Replacement
}

// openReports starts the reports.
func (a *app) openReports(f *checkFlags) (*reports, error) {
	format := report.Format(f.format)
	if f.format == string(render.Table) {
		format = report.Text
	}
	o := report.Options{Colored: a.colored(a.streams.Out), Width: a.columns(), Version: buildVersion().Version, FailOn: severity(f.failOn)}
	r := &reports{get: f.get, out: a.streams.Out}
	if f.get == "" {
		r.writers = append(r.writers, report.NewWriter(a.streams.Out, format, o))
	}
	o.Colored = false
	for _, file := range f.reports {
		target, err := datamove.Replace(file.path)
		if err != nil {
			r.discard()
			return nil, &usageError{render.Quote(file.path) + " cannot be written", ""}
		}
		r.files = append(r.files, target)
		r.writers = append(r.writers, report.NewWriter(target.File, file.format, o))
	}
	return r, nil
}

// add writes what one input came to.
func (r *reports) add(c *checked) error {
	lines := report.NewLines(c.data)
	for i := range c.findings {
		if f := &c.findings[i]; f.Source == nil {
			f.Source = lines.Line(f.Line)
		}
	}
	for _, w := range r.writers {
		if err := w.File(c.path); err != nil {
			return err
		}
		for i := range c.findings {
			if err := w.Add(&c.findings[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// close ends the reports, and puts files in place.
func (r *reports) close(s report.Summary) error {
	for _, w := range r.writers {
		if err := w.Close(s); err != nil {
			return err
		}
	}
	for _, f := range r.files {
		if err := render.WriteFailed("", f.Keep()); err != nil {
			return err
		}
	}
	if r.get == "" {
		return nil
	}
	number, err := summaryField(&s, r.get)
	if err == nil {
		_, err = io.WriteString(r.out, number+"\n")
		err = render.WriteFailed("", err)
	}
	return err
}

// discard removes what is not in place.
func (r *reports) discard() {
	for _, f := range r.files {
		f.Drop()
	}
}
