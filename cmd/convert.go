package cmd

import (
	"cmp"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/cmd/datamove"
	"layoutcalc/cmd/files"
	"layoutcalc/layout"
	"layoutcalc/layout/input"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

// A convertFlags is a request of the command convert: what to show, or which data to move.
type convertFlags struct {
	to     string
	values string
	moves  bool
	in     string // the file of the data to move; "-" is standard input
	data   datamove.Options
	request
}

// convertCommand makes c the command convert.
func (a *app) convertCommand(c *cobra.Command) {
	var flags convertFlags
	c.Args = func(c *cobra.Command, args []string) error {
		if flags.in != "" {
			return nil
		}
		return a.needArguments(c, flags.args(args))
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		args = flags.args(args)
		err := flags.checkData(c)
		switch {
		case err != nil:
			return err
		case flags.in != "":
			return a.convertData(&flags, args)
		}
		return a.convert(&flags, args)
	}
	flags.tensor.addStorage(a, c)
	textFlag(c.Flags(), "to", "LAYOUT", &flags.to)
	flags.addData(c)
	textFlag(c.Flags(), "values", "LIST", &flags.values)
	boolFlag(c.Flags(), "moves", &flags.moves)
	flags.out.addBuffer(c)
	addRequest(a, c, &flags.request, &flags)
}

// args returns the arguments, with the value of --to as the last.
func (f *convertFlags) args(args []string) []string {
	if f.to == "" {
		return args
	}
	return append(args[:len(args):len(args)], f.to)
}

// convert answers a call that moves no data.
func (a *app) convert(f *convertFlags, args []string) error {
	from, to, err := f.tensor.pair(args)
	if err == nil {
		err = f.check()
	}
	if err != nil {
		return err
	}
	window, err := valuesWindow(f.values, from)
	if err != nil {
		return err
	}
	picture := func(o draw.Options) (*draw.Picture, error) {
		o.Labels = window
		return draw.Conversion(from, to, o)
	}
	return f.answer(a, picture, func(p *render.Printer) error {
		if f.moves {
			return p.Moves(from, to)
		}
		return p.Print(render.Conversion{From: from, To: to, Window: window})
	}, from, to)
}

// check rejects flags without effect: --as with --moves, and values without a picture.
func (f *convertFlags) check() error {
	if f.moves && f.out.as != nil {
		return refuse("--as writes the tensors, not moves", "remove --moves or --as")
	}
	if f.values != "" && (f.moves || !f.out.isPicture()) && !f.picture.wanted() {
		return refuse("--values are shown in pictures of the storage only", "remove --moves, --get and -o")
	}
	return nil
}

// addData adds the flags about data to move.
func (f *convertFlags) addData(c *cobra.Command) {
	flags, o := c.Flags(), &f.data
	o.Jobs = runtime.GOMAXPROCS(0)
	textFlag(flags, "in", "FILE", &f.in)
	textFlag(flags, "out", "FILE", &o.Out)
	flag(flags, "skip", "BYTES", lexer.ParseBytes, func(n int64) { o.Skip, o.Raw = n, true })
	boolFlag(flags, "force", &f.picture.force)
	boolFlag(flags, "follow", &f.picture.follow)
	boolFlag(flags, "verify", &o.Verify)
	boolFlag(flags, "sync", &o.Sync)
	jobsFlag(flags, &o.Jobs)
	flag(flags, "memory", "BYTES", lexer.ParseBytes, func(n int64) { o.Memory = n })
}

// checkData rejects flags about data if the call moves no data, and flags about answers if it does.
func (f *convertFlags) checkData(c *cobra.Command) error {
	changed := func(names ...string) string {
		return append(slices.DeleteFunc(names, func(name string) bool { return !c.Flags().Changed(name) }), "")[0]
	}
	if f.in == "" {
		name := changed("out", "skip", "verify", "sync", "jobs", "memory")
		if !f.picture.wanted() {
			name = cmp.Or(name, changed("force", "follow"))
		}
		if name != "" {
			return refuse("--"+name+" is for data that is moved", "--in FILE is the data to move")
		}
		return nil
	}
	if f.data.Out == "" {
		return refuse("--out is missing: where does the data go?", "--out FILE, or --out - for standard output")
	}
	if name := changed("output", "get", "as", "buffer", "moves", "values", "svg", "png", "html"); name != "" {
		return refuse("--"+name+" is for answers, and data is moved here",
			"remove --"+name+", or --in and --out")
	}
	if f.data.Verify && f.data.Out == "-" {
		return refuse("standard output cannot be read back to verify it", "--out FILE")
	}
	if f.data.Sync && f.data.Out == "-" {
		return refuse("standard output cannot be synced", "--out FILE")
	}
	return nil
}

// convertData moves data from file to file.
func (a *app) convertData(f *convertFlags, args []string) error {
	t := &f.tensor
	f.data.Force = f.picture.force
	f.data.Tensor, f.data.Quiet = t.name, a.display.quiet
	f.data.Guard = &files.Guard{
		Base: a.Base, Note: a.Note, BeforeWrite: a.BeforeWrite, Fences: a.Fences, Follow: f.picture.follow,
	}
	if t.big {
		f.data.Swap = layout.SwapUnit(t.spec.DType)
	}
	if slices.Contains(args, f.in) {
		return refuse("--in names "+render.Quote(f.in)+" already", "remove it from the arguments")
	}
	src, err := a.openSource(f.in, f.data)
	if err != nil {
		return err
	}
	defer src.Close()
	from, to, err := t.dataPair(src, args)
	if err != nil {
		return err
	}
	a.Flush()
	return src.Move(from, to)
}

// dataPair returns the two tensors of the data. The header of an array determines its shape, type and order of axes,
// unless the arguments do.
func (t *tensorFlags) dataPair(src *datamove.Source, args []string) (from, to layout.Tensor, err error) {
	notation := len(args) == 2 && t.isWhole(args[0])
	whole := len(args) > 2 || notation
	if src.Array() == nil {
		err = t.checkRaw(src, whole, notation)
	}
	if !notation {
		t.name = "" // it is the name of a tensor in the file
	}
	if err == nil && !whole {
		args, err = t.arrayPair(src, args)
	}
	if err == nil {
		err = t.takeType(src, whole)
	}
	if err != nil {
		return from, to, err
	}
	from, to, err = t.pair(args)
	if err == nil && t.copied != "" {
		err = refuse(t.copied+" copies, and its result is not in the data",
			"remove it; flip and negative steps are views with --from numpy")
	}
	if err == nil && whole {
		err = src.CheckShape(from)
	}
	return from, to, err
}

// checkRaw returns an error unless the arguments describe raw data: they must include the shape, and only a notation
// may have a name.
func (t *tensorFlags) checkRaw(src *datamove.Source, whole, notation bool) error {
	switch {
	case t.name != "" && !notation:
		return refuse(src.Name()+" is raw data, in which tensors have no names", "").LeaveOut("--tensor")
	case !whole:
		return refuse(src.Name()+" has no header that says shape and layout",
			"write SHAPE FROM TO, such as 1x3x224x224 NCHW NHWC")
	}
	return nil
}

// isWhole reports whether an argument describes a shape together with its layout.
func (t *tensorFlags) isWhole(arg string) bool {
	_, err := shape.ParseShape(arg)
	_, isSource := input.Path(arg)
	return t.from != nil || isSource || err != nil && input.Recognises(arg)
}

// takeType takes the type from the header of an array. The type of -t must have the same number of bits, unless the
// arguments also state the shape and no bytes are reversed.
func (t *tensorFlags) takeType(src *datamove.Source, whole bool) error {
	a := src.Array()
	if a == nil {
		return nil
	}
	if !t.typed {
		t.spec.DType = a.Type
		if !a.TypeKnown {
			t.spec.DType, _ = layout.DTypeOf(a.Bits)
		}
		return nil
	}
	if t.spec.DType.Bits() != a.Bits && (!whole || a.Swap != 0) {
		theirs, ours := render.Quote(a.TypeName), t.spec.DType.String()
		return refuse(src.Name()+" has elements of "+theirs+", but -t is "+ours, "").LeaveOut("-t")
	}
	return nil
}

// arrayPair completes the arguments TO, or FROM and TO, with the header of an array. FROM names the axes of the shape,
// in their order.
func (t *tensorFlags) arrayPair(src *datamove.Source, args []string) ([]string, error) {
	a := src.Array()
	sizes, from := "["+layout.JoinInts(a.Sizes, ",")+"]", "row-major"
	if a.Fortran {
		from = "column-major"
	}
	switch len(args) {
	case 0:
		err := refuse("the layout to move to is missing", "such as --to NHWC, or --to row-major")
		err.Change.Flag, err.Change.Value = "--to", "row-major"
		return nil, err
	case 1:
		return []string{sizes, from, args[0]}, nil
	}
	name, err := shape.ParseName(args[0])
	if err != nil {
		return nil, err
	}
	letters, ok := name.Letters()
	switch {
	case name.String() == from:
		return []string{sizes, from, args[1]}, nil
	case !ok:
		hint := "such as 1x64x56x56 " + render.Quote(args[0]) + " " + render.Quote(args[1])
		msg := " needs the shape before it: the header states that of the storage"
		return nil, refuse(render.Quote(args[0])+msg, hint)
	case len(letters) != len(a.Sizes):
		msg := render.Quote(args[0]) + " does not fit the shape " + sizes + " of " + src.Name()
		return nil, refuse(msg, "FROM names the axes of the shape, from the first to the last")
	}
	if t.spec.Order == nil {
		t.spec.Order = &name
	}
	if a.Fortran {
		list := strings.Split(letters, "")
		slices.Reverse(list)
		letters = strings.Join(list, "")
	}
	return []string{sizes, letters, args[1]}, nil
}
