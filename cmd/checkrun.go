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

	"layoutcalc/cmd/datamove"
	"layoutcalc/render"
	"layoutcalc/render/report"
)

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
