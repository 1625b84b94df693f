package cmd

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/layout/relayout"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/spec"
	"layoutcalc/render"
)

// A dataFlags says which data to move, and how.
type dataFlags struct {
	in, out string
	skip    int64
	skips   bool // the data is said to start somewhere
	jobs    int
	memory  int64
	force   bool
	verify  bool
	quiet   bool
}

func (f *dataFlags) add(a *app, c *cobra.Command) {
	f.jobs = runtime.GOMAXPROCS(0)
	flags := c.Flags()
	flags.Var(text("FILE", &f.in), "in", "move the data of this file: raw, .npy or .safetensors; - is standard input")
	flags.Var(text("FILE", &f.out), "out", "where the data goes: raw, or .npy by its name; - is standard output")
	flags.Var(&parsed[int64]{"BYTES", scan.ParseBytes, func(n int64) { f.skip, f.skips = n, true }}, "skip", "the data starts behind so many bytes, of whatever header")
	flags.BoolVar(&f.force, "force", false, "replace a file that is there")
	flags.BoolVar(&f.verify, "verify", false, "read the result back, and compare it with the source")
	flags.Var(&parsed[int64]{"N", parseJobs, func(n int64) { f.jobs = int(n) }}, "jobs", "how many slabs to move at once; default one for each core")
	flags.Var(&parsed[int64]{"BYTES", scan.ParseBytes, func(n int64) { f.memory = n }}, "memory", "how much all slabs take together, such as 256M; default 64M")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "say nothing of data that was moved")
	flags.Lookup("tensor").Usage = "which tensor to take of a text, or of a .safetensors file, that has several"
	a.completeFlags(c, cobra.NoFileCompletions, "skip", "jobs", "memory")
}

// moves reports whether data is to be moved, and refuses flags that have no say then, or only then.
func (f *dataFlags) moves(c *cobra.Command) (bool, error) {
	if f.in == "" {
		for _, name := range [...]string{"out", "skip", "force", "verify", "jobs", "memory", "quiet"} {
			if c.Flags().Changed(name) {
				return false, &usageError{"--" + name + " concerns data, and there is none", "--in FILE is the data to move"}
			}
		}
		return false, nil
	}
	if f.out == "" {
		return true, &usageError{"--out is missing: where does the data go?", "--out FILE, or --out - for standard output"}
	}
	for _, name := range [...]string{"output", "get", "as", "moves", "values"} {
		if c.Flags().Changed(name) {
			return true, &usageError{"--" + name + " concerns an answer, and there is none where data is moved", "leave out --" + name + ", or --in and --out"}
		}
	}
	if f.verify && f.out == "-" {
		return true, &usageError{"standard output cannot be read back to verify it", "--out FILE"}
	}
	return true, nil
}

// convertData moves the data from file to file.
func (a *app) convertData(f *dataFlags, t *tensorFlags, c *cobra.Command, args []string) error {
	src, err := a.openData(f, t.notation.tensor)
	if err != nil {
		return err
	}
	defer src.close()
	from, to, err := t.dataPair(src, c, args)
	if err != nil {
		return err
	}
	plan, err := relayout.New(from, to)
	if err == nil {
		err = src.fits(plan, from)
	}
	if err != nil {
		return err
	}
	out, err := a.openTarget(f, src, to)
	if err != nil {
		return err
	}
	defer out.drop()
	return a.move(f, &move{plan, from, to, src, out})
}

// A move is all that is known of data that is about to be moved.
type move struct {
	plan     relayout.Plan
	from, to layout.Tensor
	src      *dataSource
	out      *dataTarget
}

// move moves the data, and says so.
func (a *app) move(f *dataFlags, m *move) error {
	took, err := a.write(f, m)
	if err == nil && f.verify {
		err = relayout.Verify(m.out.ctx, m.from, m.to, m.src, m.out.data(m.plan.TargetBytes()), m.options(f))
	}
	if err != nil {
		return m.failed(err)
	}
	m.src.close() // some systems replace no file that is open, and it may be the source
	if err := m.out.keep(); err != nil {
		return err
	}
	if !f.quiet {
		render.Moved{From: m.from, To: m.to, Bytes: m.plan.TargetBytes(), Time: took, Verified: f.verify}.Print(a.streams.Err)
	}
	return nil
}

// write writes the data, and tells how long that took.
func (a *app) write(f *dataFlags, m *move) (time.Duration, error) {
	start, meter := time.Now(), a.newMeter(f, m.plan.TargetBytes())
	defer meter.end()
	o := m.options(f)
	o.Done = meter.add
	err := m.out.write(m.plan, m.src, o)
	return time.Since(start), err
}

// options are what the flags and the source say of a move.
func (m *move) options(f *dataFlags) relayout.Options {
	return relayout.Options{Jobs: f.jobs, Memory: f.memory, Swap: m.src.swap}
}

// failed says why data was not moved.
func (m *move) failed(err error) error {
	var back *relayout.ReadBackError
	var syntax *layout.SyntaxError
	switch {
	case m.out.ctx.Err() != nil:
		return errInterrupted
	case errors.As(err, &back):
		return &faultError{m.out.name + ": the result cannot be read back" + errno(err)}
	case errors.Is(err, relayout.ErrDiffers):
		return &faultError{m.out.name + ": " + err.Error()}
	case errors.As(err, &syntax):
		return err
	}
	return unreadableData(m.src.name, err)
}

// dataPair returns the two tensors of the data. The header of an array says shape and type, and
// the order of the axes; arguments that do so too are taken at their word.
func (t *tensorFlags) dataPair(src *dataSource, c *cobra.Command, args []string) (from, to layout.Tensor, err error) {
	notation := len(args) == 2 && t.isNotation(args[0])
	whole := len(args) > 2 || notation
	if src.array == nil && t.notation.tensor != "" && !notation {
		return from, to, &usageError{src.name + " is raw data, in which no tensor has a name", "leave out --tensor"}
	}
	if src.array == nil && !whole {
		return from, to, &usageError{src.name + " has no header that says shape and layout", "write SHAPE FROM TO, such as 1x3x224x224 NCHW NHWC"}
	}
	if whole {
		err = t.needPair(c, args)
	} else {
		args, err = t.arrayPair(src, args)
	}
	if err == nil {
		err = t.takeType(src, whole)
	}
	if err != nil {
		return from, to, err
	}
	if from, to, err = t.pair(args); err == nil && whole {
		err = src.agrees(from)
	}
	return from, to, err
}

// takeType takes the type from the header of an array. Another one must have as many bits, unless the
// shape is given too and no bytes are to be reversed.
func (t *tensorFlags) takeType(src *dataSource, whole bool) error {
	a := src.array
	if a == nil {
		if t.big {
			src.swap = layout.SwapUnit(t.spec.DType)
		}
		return nil
	}
	src.swap = a.Swap
	if !t.typed {
		t.spec.DType = a.Type
		if !a.TypeKnown {
			t.spec.DType, _ = layout.DTypeOf(a.Bits)
		}
		return nil
	}
	if t.spec.DType.Bits() != a.Bits && (!whole || a.Swap != 0) {
		return &usageError{src.name + " says that elements are " + render.Quote(a.TypeName) + ", -t that they are " + t.spec.DType.String(), "leave out -t"}
	}
	return nil
}

// arrayPair completes the arguments by what the header of an array says: TO, or FROM and TO, where
// FROM gives the axes of the shape names, in the order of the shape.
func (t *tensorFlags) arrayPair(src *dataSource, args []string) ([]string, error) {
	a := src.array
	shape, from := "["+layout.JoinInts(a.Sizes, ",")+"]", "row-major"
	if a.Fortran {
		from = "column-major"
	}
	switch len(args) {
	case 0:
		return nil, &usageError{"the layout to move to is missing", "such as --to NHWC, or --to row-major"}
	case 1:
		return []string{shape, from, args[0]}, nil
	}
	name, err := spec.ParseName(args[0])
	if err != nil {
		return nil, err
	}
	letters, ok := name.Letters()
	switch {
	case name.String() == from:
		return []string{shape, from, args[1]}, nil
	case !ok:
		return nil, &usageError{render.Quote(args[0]) + " needs the shape before it: the header states that of the storage", "such as 1x64x56x56 " + render.Quote(args[0]) + " " + render.Quote(args[1])}
	case len(letters) != len(a.Sizes):
		return nil, &usageError{render.Quote(args[0]) + " does not fit the shape " + shape + " of " + src.name, "FROM names the axes of the shape, from the first to the last"}
	}
	if t.spec.Order == nil {
		t.spec.Order = &name
	}
	if a.Fortran {
		letters = reversed(letters)
	}
	return []string{shape, letters, args[1]}, nil
}

// reversed returns the letters from the last to the first.
func reversed(letters string) string {
	list := strings.Split(letters, "")
	slices.Reverse(list)
	return strings.Join(list, "")
}
