// Package datamove moves the data of a tensor from one file to another, for the flags --in and --out of the command
// convert: where the data lies in its source, how many bytes it must have, and the file that takes it. It does not
// depend on flags or arguments, and may import package files, package render and the packages of layout.
package datamove

import (
	"errors"
	"io"
	"time"

	"layoutcalc/cmd/files"
	"layoutcalc/layout"
	"layoutcalc/layout/relayout"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

// Options select the data to move and the way of moving it.
type Options struct {
	Out    string // a path; "-" is standard output
	Tensor string // the name of a tensor in a file with several
	Raw    bool   // no header is looked for: the data starts after Skip bytes
	Skip   int64
	Swap   int // the number of bytes to reverse together, or 0; a header overrides it
	Jobs   int // how many slabs are moved at once
	Memory int64
	Force  bool // replace a file that exists
	Sync   bool // wait until the disk has the file, even if it is new
	Verify bool // read the result back, and compare it with the source
	Quiet  bool
	Guard  *files.Guard // writes the file; it may replace the source
}

// Streams are the outputs of the program.
type Streams struct {
	Out, Err io.Writer
	// Terminal returns the columns of the terminal that w is; ok is false if w is not a terminal.
	Terminal func(w io.Writer) (columns int, ok bool)
}

// A FaultError means that an output differs from the data it should hold.
type FaultError struct{ msg string }

func (e *FaultError) Error() string { return e.msg }

// Move moves the data of the tensor from, and prints a line about it unless Quiet is set.
func (s *Source) Move(from, to layout.Tensor) error {
	plan, err := relayout.New(from, to)
	if err == nil {
		err = s.fits(plan.SourceBytes(), from)
	}
	if err != nil {
		return err
	}
	out, err := s.openTarget(to)
	if err != nil {
		return err
	}
	defer out.drop()
	took, err := s.write(plan, out)
	if err == nil && s.options.Verify {
		result := out.data(plan.TargetBytes())
		err = relayout.Verify(out.ctx, from, to, s, result, s.relayoutOptions())
	}
	if err != nil {
		return s.failed(out, err)
	}
	s.Close() // some systems replace no file that is open, and it may be the source
	if err := out.keep(); err != nil {
		return err
	}
	if !s.options.Quiet {
		moved := render.Moved{From: from, To: to, Bytes: plan.TargetBytes(), Time: took, Verified: s.options.Verify}
		moved.Print(s.streams.Err)
	}
	return nil
}

// write writes the data, and returns how long that took. A terminal shows how much of it is done.
func (s *Source) write(p relayout.Plan, out *target) (time.Duration, error) {
	start, o := time.Now(), s.relayoutOptions()
	width, ok := s.streams.Terminal(s.streams.Err)
	meter := func(done int64, after time.Duration) string {
		return render.Bar{Done: done, All: p.TargetBytes(), Time: after}.Line(width - 1)
	}
	done, end := files.Meter(s.streams.Err, ok && !s.options.Quiet, meter)
	defer end()
	o.Done = func(bytes int64) { done.Add(bytes) }
	err := out.write(p, s, o)
	return time.Since(start), err
}

// relayoutOptions are the options of a move without its meter.
func (s *Source) relayoutOptions() relayout.Options {
	return relayout.Options{Jobs: s.options.Jobs, Memory: s.options.Memory, Swap: s.swap}
}

// failed returns the error for data that could not be moved.
func (s *Source) failed(out *target, err error) error {
	var back *relayout.ReadBackError
	var syntax *layout.SyntaxError
	switch {
	case out.ctx.Err() != nil:
		return files.ErrInterrupted
	case errors.As(err, &back):
		return &FaultError{out.name + ": the result cannot be read back" + wording.Errno(err)}
	case errors.Is(err, relayout.ErrDiffers):
		return &FaultError{out.name + ": " + err.Error()}
	case errors.As(err, &syntax):
		return err
	}
	return unreadable(s.name, err)
}
