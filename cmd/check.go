package cmd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"layoutcalc/cmd/check"
	"layoutcalc/cmd/files"
	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/input"
	"layoutcalc/layout/project"
	"layoutcalc/layout/ruledocs"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
	"layoutcalc/render/report"
)

// A checkFlags is a request of the command check, with its reports.
type checkFlags struct {
	check.Request
	tensor  tensorFlags
	tmap    mapFlags
	format  report.Format
	get     int // the field of the summary to print; -1 for a report
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
		case f.diff && f.fix:
			return refuse("--diff writes nothing, and --fix does", "remove one of them")
		case f.diff && (f.get >= 0 || f.format != report.Text):
			return refuse("--diff shows changes instead of findings", "remove -o or --get")
		case f.diff:
			f.Fix = check.ShowFix
		case f.fix:
			f.Fix = check.WriteFix
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
		sink := &checkReports{app: a, flags: &f}
		defer sink.discard()
		f.Guard, f.Reports, f.Open, f.Describe, f.Note, f.Flush = &a.Guard, sink, a.Open, f.describe, a.Note, a.Flush
		f.Interruptible = files.Interruptible
		f.Progress = func(line func(done int64) string) (done *atomic.Int64, end func()) {
			_, shown := terminalWidth(a.streams.Err)
			return files.Meter(a.streams.Err, shown, func(done int64, _ time.Duration) string { return line(done) })
		}
		switch err := check.Run(f.Request); err {
		case check.ErrFails:
			return errNo
		case check.ErrUnread:
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
	flag(flags, "target", "TARGET", descriptor.ParseTarget, into(&f.Target))
	flag(flags, "rule", "RULE", ruledocs.Match, all(&f.Only))
	flag(flags, "ignore", "RULE", ruledocs.Match, all(&f.Ignore))
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
	wordFlag(flags, "role", "ROLE", roles, func(i int) { f.Role = descriptor.Input + descriptor.Role(i) })
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

// parseReport parses FORMAT=FILE.
func parseReport(text string) (reportFile, error) {
	name, path, _ := strings.Cut(text, "=")
	format, err := report.ParseFormat(name)
	if err == nil && path == "" {
		hint := name + "=FILE writes it to a file, -o " + name + " to standard output"
		err = &layout.SyntaxError{Input: text, Offset: len(text), Msg: "a file is missing", Hint: hint}
	}
	return reportFile{format, path}, err
}

// formats lists the formats of reports. The first, text, is also called table, as in other commands.
func formats() []string {
	names := []string{"table"}
	for _, f := range report.Formats {
		names = append(names, string(f.Format))
	}
	return names
}

// exampleInput is the hint for an argument that check cannot read.
const exampleInput = "such as model.json, or 1x3x224x224 --strides 150528,1,672,3"

// checkReports is the [check.Sink] of the command check.
type checkReports struct {
	*app
	flags *checkFlags
	all   []destination
}

// A destination is a report and its file, which is nil for standard output.
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

// shaped reports whether flags change the tensor of the command line, or add to it.
func (f *checkFlags) shaped() bool { return f.tensor.shapes() || f.tmap.given != "" }

// files returns the number of arguments that are files, directories or standard input.
func (f *checkFlags) files(a *app) (n int) {
	for _, arg := range f.Args {
		if _, err := a.Stat(arg); arg == "-" || err == nil {
			n++
		}
	}
	return n
}

// describe reads the tensor of the arguments.
func (f *checkFlags) describe(args []string) (*check.Text, error) {
	t := &f.tensor
	in, rest, err := t.find(args, 0, func(string) bool { return false })
	_, sizes := shape.ParseShape(args[0])
	if err != nil && sizes != nil && !input.Recognises(args[0]) {
		return nil, refuse(render.Quote(args[0])+" is neither a file nor a tensor", exampleInput)
	}
	if err != nil && sizes != nil && len(args) == 1 {
		in, err = input.Text(args[0], t.options()) // its error becomes a finding
		t.whole = true
	}
	if in != nil && t.whole && len(rest) == 0 && !f.shaped() {
		return &check.Text{Text: in, Err: err}, nil
	}
	tensor, err := t.only(args)
	if err != nil {
		return nil, err
	}
	d := input.Describe(tensor)
	if f.tmap.given != "" {
		d.Map = &f.tmap.of
	}
	return &check.Text{Tensor: &d}, nil
}

// filesURL returns the URL that paths of the project's files follow: at the tag of a release, and otherwise as they are
// now. It returns an empty string if the URL of the project is unknown.
func filesURL(home, release string) string {
	if home == "" {
		return ""
	}
	return home + "/blob/" + cmp.Or(release, "HEAD")
}

// Begin starts the reports.
func (c *checkReports) Begin() error {
	f, out := c.flags, c.streams.Out
	o := report.Options{
		Colors: c.colors(out), Width: c.columns(out), Version: buildVersion().Version, Home: home,
		Files: filesURL(home, release),
	}
	if f.get < 0 && !f.diff {
		if c.ascii() && (f.format == report.Text || f.format == report.Markdown) {
			out = render.ASCII(out)
		}
		c.all = append(c.all, destination{Writer: report.NewWriter(out, f.format, o)})
	}
	o.Colors = render.NoColors
	for _, to := range f.reports {
		file, err := c.Replace(to.path)
		if err != nil {
			return unwritten("the report", to.path, err)
		}
		c.all = append(c.all, destination{report.NewWriter(file.File, to.format, o), to, file})
	}
	return nil
}

// Add writes the findings of an input.
func (c *checkReports) Add(path string, findings []report.Finding) error {
	for i := range c.all {
		d := &c.all[i]
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

// Change shows the change to a file, or makes it.
func (c *checkReports) Change(path string, before, after []byte) error {
	if out := c.streams.Out; c.flags.diff {
		return render.WriteFailed("", report.Diff(out, c.colors(out), path, before, after))
	}
	err := c.Guard.Rewrite(path, before, after)
	if err == files.ErrChanged {
		return refuse(render.Quote(path)+" was changed while it was checked", "check it again")
	}
	return unwritten("the fixed text", path, err)
}

// WriteBaseline writes a new baseline, but not one that would be too long to read.
func (c *checkReports) WriteBaseline(path string, b *project.Baseline) error {
	return unwritten("the baseline", path, c.WriteWhole(path, false, func(w io.Writer) error {
		err := report.WriteBaseline(w, b)
		if file, ok := w.(io.Seeker); ok && err == nil {
			if size, _ := file.Seek(0, io.SeekCurrent); size > project.MaxFile {
				err = refuse(fmt.Sprintf("the baseline would have more than %d MB", project.MaxFile>>20),
					"write one for each part of the files, or disable rules with --ignore")
			}
		}
		return err
	}))
}

// End completes the reports and moves their files to their paths.
func (c *checkReports) End(s report.Summary) error {
	f := c.flags
	if f.get < 0 && (f.format == report.JSON || f.format == report.JSONL) {
		c.written = len(c.notes)
	}
	if f.diff && s.Fixed > 0 {
		c.Note("--fix would fix " + wording.Count(s.Fixed, "finding") + " in " + wording.Count(s.Changed, "file"))
	}
	s.Notes = c.notes
	for i := range c.all {
		if err := c.all[i].Close(s); err != nil {
			return c.all[i].failed(err)
		}
	}
	for _, d := range c.all {
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
	_, err := fmt.Fprintln(c.streams.Out, slices.Concat(numbers, s.Count[:])[f.get])
	return render.WriteFailed("", err)
}

// discard removes the files of reports that are not complete.
func (c *checkReports) discard() {
	for _, d := range c.all {
		if d.file != nil {
			d.file.Drop()
		}
	}
}

// summaryFields returns the names of the numbers of a summary: files, descriptors, and the findings of each severity by
// two names.
func summaryFields() []string {
	names := append([]string{"files", "descriptors"}, finding.Severities[:]...)
	for _, severity := range finding.Severities {
		names = append(names, "summary."+severity)
	}
	return names
}
