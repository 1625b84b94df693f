package cmd

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"layoutcalc/cmd/files"
	"layoutcalc/layout/finding"
	"layoutcalc/render"
	"layoutcalc/render/report"
)

// Reports are all reports of a run: one on standard output, the others in files.
type reports struct {
	get     int // the only field of the summary to print, or -1
	here    workDir
	root    string // of the repository; empty for none
	out     io.Writer
	writers []*report.Writer
	files   []*files.Replacement // the last writers write into them
	paths   []string             // of the files
}

// openReports starts the reports.
func (a *app) openReports(f *checkFlags) (*reports, error) {
	o := report.Options{
		Colors: a.colors(a.streams.Out), Width: a.columns(a.streams.Out), Version: buildVersion().Version,
		Home: home, FailOn: f.failOn,
	}
	r := &reports{get: f.get, here: f.here, out: a.streams.Out}
	if r.here != "" {
		r.root, _ = upward(string(r.here), ".git")
	}
	if a.ascii() && f.get < 0 && (f.format == report.Text || f.format == report.Markdown) {
		r.out = render.ASCII(r.out)
	}
	if f.get < 0 {
		r.writers = append(r.writers, report.NewWriter(r.out, f.format, o))
	}
	o.Colors = render.NoColors
	for _, file := range f.reports {
		target, err := a.guard.Replace(file.path)
		if err != nil {
			r.discard()
			return nil, unwritten("the report", file.path, err)
		}
		r.files, r.paths = append(r.files, target), append(r.paths, file.path)
		r.writers = append(r.writers, report.NewWriter(target.File, file.format, o))
	}
	return r, nil
}

// add writes what one input came to.
func (r *reports) add(c *checking) error {
	if len(c.findings) > 0 {
		rootPath := r.rootPath(c)
		for i := range c.findings {
			c.findings[i].RootPath = rootPath
		}
	}
	for i, w := range r.writers {
		if err := w.File(c.path); err != nil {
			return r.failed(i, err)
		}
		for k := range c.findings {
			if err := w.Add(&c.findings[k]); err != nil {
				return r.failed(i, err)
			}
		}
	}
	return nil
}

// failed names the file in the error of a writer that writes into one.
func (r *reports) failed(writer int, err error) error {
	var wrong *render.WriteError
	if i := writer - len(r.writers) + len(r.files); i >= 0 && errors.As(err, &wrong) {
		return render.WriteFailed(render.Quote(r.paths[i]), wrong.Err)
	}
	return err
}

// rootPath returns the path of an input from the root of the repository, with slashes. Where it is not in there it is
// the shortest form of the path itself, and what has no path keeps its name.
func (r *reports) rootPath(c *checking) string {
	if c.path == argsName || c.stdin && c.path == stdinName {
		return c.path
	}
	if r.root != "" {
		if rel, ok := r.here.within(r.root, c.path); ok {
			return rel
		}
		if root, err := filepath.EvalSymlinks(r.root); err == nil && filepath.IsAbs(c.path) {
			if rel, ok := r.here.within(root, c.path); ok {
				return rel
			}
		}
	}
	return filepath.ToSlash(filepath.Clean(c.path))
}

// close ends the reports, and puts files in place.
func (r *reports) close(s report.Summary) error {
	for i, w := range r.writers {
		if err := w.Close(s); err != nil {
			return r.failed(i, err)
		}
	}
	for i, f := range r.files {
		if err := unwritten("the report", r.paths[i], f.Keep()); err != nil {
			return err
		}
	}
	if r.get < 0 {
		return nil
	}
	numbers := append([]int{s.Files, s.Descriptors}, s.Count[:]...)
	_, err := fmt.Fprintln(r.out, slices.Concat(numbers, s.Count[:])[r.get])
	return render.WriteFailed("", err)
}

// summaryFields names the numbers of a summary: files, descriptors, and findings of each severity by two names.
func summaryFields() []string {
	names := append([]string{"files", "descriptors"}, finding.Severities[:]...)
	for _, severity := range finding.Severities {
		names = append(names, "summary."+severity)
	}
	return names
}

// discard removes what is not in place.
func (r *reports) discard() {
	for _, f := range r.files {
		f.Drop()
	}
}
