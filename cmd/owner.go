package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/layout"
	"layoutcalc/layout/input"
	"layoutcalc/layout/kernel"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/tvlayout"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

// An ownerFlags is a request of the command owner: elements or holders to find.
type ownerFlags struct {
	options tvlayout.Options
	places  [4]*int64 // indices along the axes of the ownership
	thread  *int64
	span    *offsetRange      // the range of element numbers
	show    render.HolderPart // the part of holders shown in cells
	color   render.HolderPart // the part of holders that colors show
	all     bool
	as, to  string
	tensor  string      // the name in a source
	given   expressions // the values of --dim for names of sources
	out     output
	picture drawing
}

// ownerCommand makes c the command owner.
func (a *app) ownerCommand(c *cobra.Command) {
	var flags ownerFlags
	c.Args = a.needArguments
	c.RunE = func(_ *cobra.Command, args []string) error { return flags.answer(a, args) }
	flags.add(c)
	flags.picture.add(a, c)
	addBatch(a, c, &flags.out, &flags)
}

func (f *ownerFlags) add(c *cobra.Command) {
	flags := c.Flags()
	for axis, name := range []string{"block", "warp", "lane", "value"} {
		flag(flags, name, "N", lexer.ParseNumber, into(&f.places[axis]))
	}
	flag(flags, "thread", "N", lexer.ParseNumber, into(&f.thread))
	flag(flags, "dtype,t", "TYPE", layout.ParseDType, into(&f.options.DType))
	parts := []string{"holder", "lane", "warp", "value"}
	wordFlag(flags, "show", "WHAT", parts, func(i int) { f.show = render.HolderPart(i) })
	wordFlag(flags, "color-by", "WHAT", parts[1:], func(i int) { f.color = render.HolderPart(i + 1) })
	boolFlag(flags, "all", &f.all)
	flag(flags, "range", "A:B", parseRange, into(&f.span))
	flag(flags, "into", "SIZES", shape.ParseShape, func(l shape.List) { f.options.Tile = l.Values() })
	textFlag(flags, "to", "OWNERSHIP", &f.to)
	textFlag(flags, "name", "NAME", &f.options.Name)
	textFlag(flags, "tensor", "NAME", &f.tensor)
	flag(flags, "dim", "N,...", parseDim, f.given.add)
	words := []string{"triton", "triton-hw", "cute", "linear"}
	wordFlag(flags, "as", "NOTATION", words, func(i int) { f.as = words[i] })
	f.out.addForm(c)
}

// answer answers a call.
func (f *ownerFlags) answer(a *app, args []string) error {
	o, indices, err := f.read(a, args)
	if err != nil || o == nil {
		return err
	}
	a.Note(o.Notes()...)
	places, asks, err := f.held(o)
	if err == nil {
		err = f.check(asks, len(indices) > 0)
	}
	if err != nil {
		return err
	}
	from, to, err := f.span.in(layout.DType(0))
	if err != nil {
		return err
	}
	if f.to != "" {
		return f.exchange(a, o)
	}
	picture := func(d draw.Options) (*draw.Picture, error) { return f.draw(o, places, asks, indices, d) }
	if err := f.picture.draw(a, &f.out, layout.DType(0), picture); err != nil {
		return err
	}
	if missing := f.missing(o, places); missing != "" {
		a.Note(missing)
		a.Flush()
		return errNo
	}
	if f.span != nil {
		all, err := a.printer(&f.out).Holders(o, o.Numbered(from, to), true)
		return verdict(err, all)
	}
	return f.say(a, o, places, indices, asks)
}

// ownerConflicts lists parts of a call of owner that exclude each other. The words are flags, and the words of
// [ownerFlags.check].
var ownerConflicts = []conflict{
	{"to", "places as all index", "--to compares whole ownerships",
		"remove the other flags and the index, or --to"},
	{"as", "places all index", "--as writes the whole ownership",
		"remove --as, or the index and flags such as --lane"},
	{"places", "index", "an index asks which thread holds an element, --lane asks what it holds", "give one of them"},
	{"all", "places index", "--all shows the whole tile", "remove the index and --lane, or --all"},
	{"range", "places all as to index", "--range asks who holds the elements of these numbers",
		"remove the other flags and the index"},
}

// check rejects flags and arguments that exclude each other. The argument asks reports whether flags state holders.
func (f *ownerFlags) check(asks, hasIndex bool) error {
	if f.out.as != nil {
		return refuse("-o has no "+f.out.as[0].Name+" for what threads hold", "--as triton, triton-hw, cute or linear")
	}
	return findConflict(ownerConflicts, map[string]bool{
		"to": f.to != "", "as": f.as != "", "all": f.all, "range": f.span != nil,
		"places": asks, "index": hasIndex,
	})
}

// missing describes an index of the flags that is out of range, or returns an empty string.
func (f *ownerFlags) missing(o *tvlayout.Ownership, places [4]int64) string {
	name, n, size := "", int64(0), int64(0)
	for axis, at := range places {
		if of, places := o.Axis(axis); at >= places {
			name, n, size = of, at, places
		}
	}
	switch {
	case name == "":
		return ""
	case f.thread != nil && name == o.Layout().AxisName(tvlayout.Warp):
		name, n, size = "thread", *f.thread, size*o.Lanes()
	}
	return fmt.Sprintf("there is no %s %d: they count from 0 to %d", name, n, size-1)
}

// say writes the answer.
func (f *ownerFlags) say(a *app, o *tvlayout.Ownership, places [4]int64, indices [][]int64, asks bool) error {
	if f.as != "" {
		text, err := o.As(f.as)
		if err != nil {
			return err
		}
		return a.printer(&f.out).Print(render.OwnerText{Of: o, As: f.as, Text: text})
	}
	p := a.printer(&f.out)
	switch {
	case asks:
		return p.Held(o, places)
	case len(indices) == 0 && f.out.isPicture():
		return p.Tile(o, f.show, f.all)
	case len(indices) == 0:
		return p.TileRows(o)
	}
	all, err := p.Holders(o, slices.Values(indices), false)
	return verdict(err, all)
}

// program returns an argument, or the content of the file or the stream that it names. A path may be given without an @
// if it does not look like an ownership. The name is that of FILE:NAME.
func program(a *app, arg string) (text, name string, err error) {
	path, isSource := input.Path(arg)
	if !isSource && strings.ContainsAny(arg, "#(\n") {
		return arg, "", nil
	}
	err = input.Named(cmp.Or(path, arg), func(path, of string) (err error) {
		text, err = textIn(a, path, tvlayout.MaxProgram)
		if err == nil && strings.ContainsRune(text, 0) {
			err = refuse(render.QuotePath(path)+" has data, not text", "size lists the tensors of a file")
		}
		name = of
		return err
	})
	var absent *input.AbsentError
	if errors.As(err, &absent) && !isSource {
		return arg, "", nil
	}
	return text, name, err
}

// exchange writes the elements that move to another holder in the ownership of --to, which must have the same tile.
func (f *ownerFlags) exchange(a *app, o *tvlayout.Ownership) error {
	text, name, err := program(a, f.to)
	if err == nil && name != "" {
		text, _, err = f.resolve(text, name, nil)
	}
	if err != nil {
		return err
	}
	options := f.options
	options.Tile = nil
	other, err := tvlayout.Read(text, options)
	if err == nil && other.Assumed() {
		options.Tile = o.Tile().Sizes()
		other, err = tvlayout.Read(text, options)
	}
	if err != nil {
		return err
	}
	e, err := o.To(other)
	if err != nil {
		return err
	}
	picture := func(d draw.Options) (*draw.Picture, error) {
		return drawPair([2]*tvlayout.Ownership{o, other}, [2]string{"from ", "to "}, e.First, f.show, f.color, d)
	}
	if err := f.picture.draw(a, &f.out, layout.DType(0), picture); err != nil {
		return err
	}
	return a.printer(&f.out).Print(render.Exchange{From: o, To: other, Exchange: e})
}

// ownerPair returns the ownerships of two arguments, or nil if they are not ownerships. An ownership that leaves its
// tile open gets the tile of the other.
func ownerPair(a *app, args []string) (x, y *tvlayout.Ownership, err error) {
	if len(args) != 2 {
		return nil, nil, nil
	}
	var list [2]*tvlayout.Ownership
	var wrong [2]error
	read := func(i int, tile []int64) {
		text, name, err := program(a, args[i])
		if err == nil && name != "" {
			text, _, err = new(ownerFlags).resolve(text, name, nil)
		}
		if err == nil {
			list[i], err = tvlayout.Read(text, tvlayout.Options{Tile: tile})
		}
		wrong[i] = err
	}
	read(0, nil)
	read(1, nil)
	for i := range list {
		other := list[1-i]
		isOpen := wrong[i] == nil && list[i].Assumed()
		switch {
		case isOpen && wrong[1-i] == nil && !other.Assumed():
			read(i, other.Tile().Sizes())
		case wrong[i] != nil && (wrong[1-i] != nil || other.IsThreadValue()):
			return nil, nil, nil
		}
	}
	return list[0], list[1], cmp.Or(wrong[0], wrong[1])
}

// dump writes a tensor in shared memory in the form of Triton's dumps.
func (f *ownerFlags) dump(a *app, text string, rest []string, hw bool) error {
	tile := f.options.Tile
	if len(rest) > 0 {
		list, err := shape.ParseShape(rest[0])
		if err != nil {
			return err
		}
		tile = list.Values()
	}
	dump, err := tvlayout.TritonShared(text, tile, hw)
	if err != nil {
		return err
	}
	return a.printer(&f.out).Print(render.OwnerText{As: f.as, Text: dump})
}

// held returns the indices along the axes that flags state, or a negative number for each axis without one, and whether
// there are any.
func (f *ownerFlags) held(o *tvlayout.Ownership) (places [4]int64, asks bool, err error) {
	for axis := range places {
		places[axis] = -1
		if p := f.places[axis]; p != nil {
			places[axis], asks = *p, true
		}
	}
	if f.thread == nil {
		return places, asks, nil
	}
	if places[tvlayout.Lane] >= 0 || places[tvlayout.Warp] >= 0 {
		return places, asks, refuse("--thread is a lane of a warp", "remove --thread, or --lane and --warp")
	}
	places[tvlayout.Warp], places[tvlayout.Lane] = *f.thread/o.Lanes(), *f.thread%o.Lanes()
	return places, true, nil
}

// read reads the ownership, the tile and the indices in the arguments. It returns no ownership if the answer has been
// written.
func (f *ownerFlags) read(a *app, args []string) (o *tvlayout.Ownership, indices [][]int64, err error) {
	args = a.first(args, "ownership", isNoSizes)
	text, name, err := program(a, args[0])
	if err == nil && name != "" && f.tensor != "" {
		err = errTwoChosen(name, f.tensor)
	}
	rest := args[1:]
	if err == nil {
		text, rest, err = f.resolve(text, cmp.Or(name, f.tensor), rest)
	}
	if err != nil {
		return nil, nil, err
	}
	options, rest := f.options, a.first(rest, "tile", isTile)
	if hw := f.as == "triton-hw"; (hw || f.as == "triton") && tvlayout.IsShared(text) {
		return nil, nil, f.dump(a, text, rest, hw)
	}
	if len(rest) > 0 && strings.ContainsAny(rest[0], "x[({") {
		options.Tile, rest, err = takeTile(rest)
	}
	if err == nil {
		o, err = tvlayout.Read(text, options)
	}
	if err == nil && len(rest) > 0 && o.Assumed() && o.Tile().Rank() == 1 {
		if options.Tile, rest, err = takeTile(rest); err == nil {
			o, err = tvlayout.Read(text, options)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	indices, err = indicesIn(o, rest)
	return o, indices, err
}

// resolve returns the layout with the chosen name if text is a kernel source, or otherwise text. The name may be the
// first of the arguments after the source; resolve returns the others.
func (f *ownerFlags) resolve(text, name string, args []string) (string, []string, error) {
	o := kernel.Options{Given: f.given.names}
	if f.options.DType != nil {
		o.DType, o.Typed = *f.options.DType, true
	}
	s := kernel.Parse(text, o.Given)
	if s != nil && name == "" && len(args) > 0 && isNoSizes(args[0]) {
		name, args = args[0], args[1:]
	}
	switch {
	case s == nil && name != "":
		return text, args, refuse("the text does not define "+render.Quote(name), "").LeaveOut("--tensor")
	case s == nil, name == "" && f.options.Name != "" && !s.Has(f.options.Name):
		if made, ok := kernel.Expression(text, o); ok {
			text = made.Text
		}
		return text, args, nil
	}
	name = cmp.Or(name, f.options.Name)
	found, err := s.Resolve(name, o, kernel.Copy, kernel.MMA, kernel.Encoding)
	if err != nil && name == "" && !kernel.IsQuestion(err) {
		found, err = s.Resolve(name, o)
	}
	if err != nil && name == "" && !kernel.IsQuestion(err) {
		return text, args, nil
	}
	f.options.Name = ""
	return found.Text, args, err
}

// isNoSizes reports whether an argument is neither a tile nor an index.
func isNoSizes(arg string) bool {
	_, asTile := shape.ParseShape(arg)
	_, asIndex := shape.ParseIndex(arg)
	return asTile != nil && asIndex != nil
}

// isTile reports whether an argument is the sizes of a tile, such as 8x16, and not an index.
func isTile(arg string) bool {
	_, err := shape.ParseShape(arg)
	return err == nil && strings.Contains(arg, "x") && !strings.Contains(arg, "=")
}

// takeTile returns the sizes of a tile in the first argument, and the arguments after it.
func takeTile(args []string) (tile []int64, rest []string, err error) {
	list, err := shape.ParseShape(args[0])
	return list.Values(), args[1:], err
}

// indicesIn returns the indices of elements of the tile in the arguments.
func indicesIn(o *tvlayout.Ownership, args []string) (indices [][]int64, err error) {
	for _, arg := range args {
		index, err := shape.ParseIndex(arg)
		if err != nil {
			return nil, err
		}
		at, err := shape.Index(o.Tile(), index)
		if err != nil {
			return nil, err
		}
		indices = append(indices, at)
	}
	return indices, nil
}
