package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"

	"layoutcalc/render"
	"layoutcalc/render/report"
)

// errUnread says that some input could not be read. The reports say which and why.
var errUnread = errors.New("unreadable input")

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
	var s report.Summary
	var faulty, examined bool
	for c := range a.results(f, inputs) {
		s.Descriptors += c.descriptors
		for i, n := range c.count {
			s.Count[i] += n
		}
		faulty, examined = faulty || c.faulty, examined || c.examined
		if c.examined || c.faulty {
			s.Files++
			if err := reports.add(&c); err != nil {
				return err
			}
			if c.dropped > 0 {
				a.note(fmt.Sprintf("%s: %d more findings are counted, not listed", c.path, c.dropped))
			}
		}
	}
	if !faulty && !examined {
		return &usageError{"there is nothing to check here", "a directory is searched for models and configurations in JSON or YAML, .jsonl, .npy, .safetensors and .gguf"}
	}
	if err := reports.close(s); err != nil {
		return err
	}
	return f.verdict(s, faulty)
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
func (f *checkFlags) verdict(s report.Summary, faulty bool) error {
	if faulty {
		return errUnread
	}
	for severity := severity(f.failOn); int(severity) < len(s.Count); severity++ {
		if s.Count[severity] > 0 {
			return errNo
		}
	}
	return nil
}

// results yields what the inputs come to, in their order, several being checked at once.
func (a *app) results(f *checkFlags, inputs []input) iter.Seq[checked] {
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
				go func() {
					defer func() {
						if fault := recover(); fault != nil {
							result <- checked{fault: fault}
						}
					}()
					result <- f.checkInput(in, a.streams.In, progress)
				}()
			}
		}()
		for result := range queue {
			c := <-result
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

// arrange sorts the findings by where they stand.
func (c *checked) arrange() {
	slices.SortStableFunc(c.findings, func(a, b report.Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
