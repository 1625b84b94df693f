package cmd

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"layoutcalc/cmd/files"
	"layoutcalc/cmd/suggest"
	"layoutcalc/layout"
	"layoutcalc/layout/desc"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/input"
	"layoutcalc/layout/inspect"
	"layoutcalc/layout/project"
	"layoutcalc/layout/rulebook"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/shape"
	"layoutcalc/render"
	"layoutcalc/render/report"
)

// A checkFlags is a request of the command check, with the places of its reports.
type checkFlags struct {
	inspect.Request
	tensor  tensorFlags
	tmap    mapFlags
	format  report.Format
	get     int // the one field of the summary to print; -1 for a report
	reports []reportFile
	fix     bool
	diff    bool
}

// checkCommand makes c the command check.
func (a *app) checkCommand(c *cobra.Command) {
	var f checkFlags
	c.Args = func(c *cobra.Command, args []string) error {
		if f.FilesFrom != "" {
			return nil
		}
		return a.needArguments(c, args)
	}
	c.RunE = func(_ *cobra.Command, args []string) (err error) {
		if f.Target, err = f.tmap.target(f.Target); err != nil {
			return err
		}
		f.Args, f.Options, f.Tensor, f.Shaped = args, f.tensor.options(), f.tensor.name, f.shaped()
		f.Windows = a.streams.Windows
		for _, r := range f.reports {
			f.Written = append(f.Written, r.path)
		}
		switch {
		case slices.Contains(args, ""):
			return refuse("an empty argument is neither a file nor a tensor", exampleInput)
		case f.diff && (f.get >= 0 || f.format != report.Text):
			return refuse("--diff shows changes in place of findings", "leave out -o or --get")
		case f.diff:
			f.Fix = inspect.ShowFix
		case f.fix:
			f.Fix = inspect.WriteFix
		}
		a.Follow = f.Follow
		if f.Root != "" {
			a.Fences = func() []string { return []string{a.checkout(), f.Root} }
		}
		if a.dry != nil {
			a.streams.Out = io.Discard // the verdict comes after the report
			if files := f.files(a); files > 0 && files == len(args) || f.FilesFrom != "" {
				return a.reach()
			} else if files > 0 {
				return errUnread
			}
		}
		k := &checker{app: a, flags: &f}
		defer k.discard()
		switch err := inspect.Run(f.Request, k); err {
		case inspect.ErrFails:
			return errNo
		case inspect.ErrUnread:
			return errUnread
		case context.Canceled:
			return files.ErrInterrupted
		default:
			return err
		}
	}
	f.add(a, c)
}

func (f *checkFlags) add(a *app, c *cobra.Command) {
	severities, formats, roles := finding.Severities[:], formats(), []string{"input", "output"}
	f.get = -1
	f.format = report.Text
	f.Jobs = runtime.GOMAXPROCS(0)
	flags := c.Flags()
	flags.SortFlags = false
	flag(flags, "target", "TARGET", desc.ParseTarget, into(&f.Target))
	flag(flags, "rule", "RULE", rulebook.Match, all(&f.Only))
	flag(flags, "ignore", "RULE", rulebook.Match, all(&f.Ignore))
	wordFlag(flags, "severity", "SEVERITY", severities, func(i int) { into(&f.Shown)(finding.Severity(i)) })
	wordFlag(flags, "fail-on", "SEVERITY", severities, func(i int) { into(&f.FailOn)(finding.Severity(i)) })
	wordFlag(flags, "output,o", "FORMAT", formats, func(i int) { f.format = report.Formats[max(i-1, 0)].Format })
	flag(flags, "report", "FORMAT=FILE", parseReport, onto(&f.reports))
	wordFlag(flags, "get", "FIELD", summaryFields(), func(i int) { f.get = i })
	textFlag(flags, "stdin-filename", "NAME", &f.Stdin)
	flag(flags, "exclude", "GLOB", project.ParsePattern, onto(&f.Exclude))
	boolFlag(flags, "no-gitignore", &f.NoGitignore)
	boolFlag(flags, "follow", &f.Follow)
	textFlag(flags, "root", "DIR", &f.Root)
	textFlag(flags, "files-from", "FILE", &f.FilesFrom)
	boolFlag(flags, "null,0", &f.Null)
	textFlag(flags, "baseline", "FILE", &f.Baseline)
	textFlag(flags, "write-baseline", "FILE", &f.NewBaseline)
	boolFlag(flags, "no-config", &f.NoConfig)
	boolFlag(flags, "allow-empty", &f.AllowEmpty)
	boolFlag(flags, "fix", &f.fix)
	boolFlag(flags, "diff", &f.diff)
	boolFlag(flags, "verbose,v", &f.Verbose)
	wordFlag(flags, "role", "ROLE", roles, func(i int) { f.Role = desc.Input + desc.Role(i) })
	jobsFlag(flags, &f.Jobs)
	f.tmap.add(flags)
	f.tensor.add(a, c)
	c.ValidArgsFunction = nil
}

// A reportFile is the format and the file of a report.
type reportFile struct {
	format report.Format
	path   string
}

// completeReport offers formats, and files after =.
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

// formats lists the formats of reports. The text, the first of them, is also called table, as in other commands.
func formats() []string {
	names := []string{"table"}
	for _, f := range report.Formats {
		names = append(names, string(f.Format))
	}
	return names
}

// exampleInput is the hint for an argument that check cannot take.
const exampleInput = "such as model.json, or 1x3x224x224 --strides 150528,1,672,3"

// A checker opens files and writes reports for inspect.Run.
type checker struct {
	*app
	flags   *checkFlags
	reports []destination
}

// A destination is a report and its file: nil for standard output.
type destination struct {
	*report.Writer
	reportFile
	file *files.Replacement
}

// failed adds the name of the file to the error of a write.
func (d *destination) failed(err error) error {
	if d.file == nil {
		return err
	}
	return render.WriteFailed(render.Quote(d.path), err)
}

// shaped reports whether flags shape the tensor of the command line, or state more of it.
func (f *checkFlags) shaped() bool { return f.tensor.shapes() || f.tmap.given != "" }

// files returns how many arguments are files, directories or standard input.
func (f *checkFlags) files(a *app) (n int) {
	for _, arg := range f.Args {
		if _, err := a.Stat(arg); arg == "-" || err == nil {
			n++
		}
	}
	return n
}

// Describe reads the tensor of the arguments.
func (k *checker) Describe(args []string) (*inspect.Text, error) {
	f := &k.flags.tensor
	in, rest, err := f.find(args, 0, func(string) bool { return false })
	_, sizes := shape.ParseShape(args[0])
	if err != nil && sizes != nil && !input.Recognises(args[0]) {
		return nil, refuse(render.Quote(args[0])+" is neither a file nor a tensor", exampleInput)
	}
	if err != nil && sizes != nil && len(args) == 1 {
		in, err = input.Text(args[0], f.options()) // its fault becomes a finding
		f.whole = true
	}
	if in != nil && f.whole && len(rest) == 0 && !k.flags.shaped() {
		return &inspect.Text{Text: in, Err: err}, nil
	}
	tensor, err := f.only(args)
	if err != nil {
		return nil, err
	}
	d := input.Describe(tensor)
	if k.flags.tmap.given != "" {
		d.Map = &k.flags.tmap.of
	}
	return &inspect.Text{Tensor: &d}, nil
}

// Quote shows a path in a message.
func (k *checker) Quote(path string) string { return render.Quote(path) }

// Word quotes a path for a POSIX shell, as all hints do until they are printed.
func (k *checker) Word(path string) string {
	word, _ := suggest.POSIX.Quote(path)
	return word
}

// Interruptible returns a context that ends when a signal asks the program to end.
func (k *checker) Interruptible() (context.Context, context.CancelFunc) { return files.Interruptible() }

// Progress starts to show how much is done.
func (k *checker) Progress(line func(done int64) string) (done *atomic.Int64, end func()) {
	_, shown := terminalWidth(k.streams.Err)
	return files.Meter(k.streams.Err, shown, func(done int64, _ time.Duration) string { return line(done) })
}

// Begin starts the reports.
func (k *checker) Begin() error {
	f, out := k.flags, k.streams.Out
	o := report.Options{
		Colors: k.colors(out), Width: k.columns(out), Version: buildVersion().Version, Home: home,
	}
	if f.get < 0 && !f.diff {
		if k.ascii() && (f.format == report.Text || f.format == report.Markdown) {
			out = render.ASCII(out)
		}
		k.reports = append(k.reports, destination{Writer: report.NewWriter(out, f.format, o)})
	}
	o.Colors = render.NoColors
	for _, to := range f.reports {
		file, err := k.Replace(to.path)
		if err != nil {
			return unwritten("the report", to.path, err)
		}
		k.reports = append(k.reports, destination{report.NewWriter(file.File, to.format, o), to, file})
	}
	return nil
}

// Add writes the findings of an input.
func (k *checker) Add(path string, findings []inspect.Finding) error {
	for i := range k.reports {
		d := &k.reports[i]
		err := d.File(path)
		for j := 0; j < len(findings) && err == nil; j++ {
			err = d.Add(&findings[j])
		}
		if err != nil {
			return d.failed(err)
		}
	}
	return nil
}

// Rewrite puts a mended text in place of a file.
func (k *checker) Rewrite(path string, before, after []byte) error {
	err := k.Guard.Rewrite(path, before, after)
	if err == files.ErrChanged {
		return refuse(render.Quote(path)+" was changed while it was checked", "check it again")
	}
	return unwritten("the fixed text", path, err)
}

// Diff shows the changes to a file.
func (k *checker) Diff(path string, before, after []byte) error {
	out := k.streams.Out
	return render.WriteFailed("", report.Diff(out, k.colors(out), path, before, after))
}

// WriteBaseline writes a new baseline that can be read again.
func (k *checker) WriteBaseline(path string, b *project.Baseline) error {
	return unwritten("the baseline", path, k.WriteWhole(path, false, func(w io.Writer) error {
		err := report.WriteBaseline(w, b)
		if file, ok := w.(io.Seeker); ok && err == nil {
			if size, _ := file.Seek(0, io.SeekCurrent); size > project.MaxFile {
				err = refuse(fmt.Sprintf("the baseline would have more than %d MB", project.MaxFile>>20),
					"write one for each part of the files, or leave out rules with --ignore")
			}
		}
		return err
	}))
}

// End completes the reports and puts files in place.
func (k *checker) End(s inspect.Summary) error {
	f := k.flags
	if f.get < 0 && (f.format == report.JSON || f.format == report.JSONL) {
		k.written = len(k.notes)
	}
	if f.diff && s.Fixed > 0 {
		k.Note("--fix would mend " + scan.Count(s.Fixed, "finding") + " in " + scan.Count(s.Changed, "file"))
	}
	s.Notes = k.notes
	for i := range k.reports {
		if err := k.reports[i].Close(s); err != nil {
			return k.reports[i].failed(err)
		}
	}
	for _, d := range k.reports {
		if d.file == nil {
			continue
		}
		if err := unwritten("the report", d.path, d.file.Keep()); err != nil {
			return err
		}
	}
	if f.get < 0 {
		return nil
	}
	numbers := append([]int{s.Files, s.Descriptors}, s.Count[:]...)
	_, err := fmt.Fprintln(k.streams.Out, slices.Concat(numbers, s.Count[:])[f.get])
	return render.WriteFailed("", err)
}

// discard removes files of reports that are not in place.
func (k *checker) discard() {
	for _, d := range k.reports {
		if d.file != nil {
			d.file.Drop()
		}
	}
}

// summaryFields names the numbers of a summary: files, descriptors, and the findings of each severity by two names.
func summaryFields() []string {
	names := append([]string{"files", "descriptors"}, finding.Severities[:]...)
	for _, severity := range finding.Severities {
		names = append(names, "summary."+severity)
	}
	return names
}
