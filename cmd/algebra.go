package cmd

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout"
	"layoutcalc/layout/algebra"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

// An algebraFlags is a request of the command algebra.
type algebraFlags struct {
	form    *algebra.Form
	left    bool
	order   *algebra.Tiler
	values  bool // print offsets instead of the layout
	options notation.Options
	out     output
	picture drawing
}

// algebraCommand makes c the command algebra.
func (a *app) algebraCommand(c *cobra.Command) {
	var flags algebraFlags
	c.Args = a.needArguments
	c.RunE = func(_ *cobra.Command, args []string) error { return flags.answer(a, args) }
	c.ValidArgsFunction = onlyFirst(offer(func([]string) (words []cobra.Completion) {
		for _, o := range algebra.Operations {
			words = append(words, cobra.CompletionWithDesc(o.Name, o.About))
		}
		return words
	}))
	flags.add(c)
	flags.picture.add(a, c)
	addBatch(a, c, &flags.out, &flags)
}

func (f *algebraFlags) add(c *cobra.Command) {
	flags := c.Flags()
	wordFlag(flags, "form", "FORM", algebra.Forms[:], func(i int) { into(&f.form)(algebra.Form(i)) })
	boolFlag(flags, "left", &f.left)
	flag(flags, "order", "NUMBERS", func(text string) (algebra.Tiler, error) {
		return notation.ReadTiler(text, notation.Options{})
	}, into(&f.order))
	boolFlag(flags, "values", &f.values)
	flag(flags, "dtype,t", "TYPE", layout.ParseDType, func(d layout.DType) {
		f.options.DType, f.options.Typed = d, true
	})
	f.out.add(c)
}

// answer answers a call.
func (f *algebraFlags) answer(a *app, args []string) error {
	answer, err := f.read(a, args)
	switch {
	case err != nil:
		return err
	case f.values && (f.picture.wanted() || f.out.as != nil):
		return refuse("--values lists offsets", "remove --values, or --as and the picture")
	case f.values:
		return f.listed(a, answer)
	}
	if answer.Made, err = answer.Result(); err != nil {
		return err
	}
	a.Note(answer.Made.Notes()...)
	if answer.Last == nil {
		if f.picture.wanted() || f.out.as != nil {
			msg := "no type has elements of " + wording.Count(answer.To, "bit")
			return refuse(msg, "remove --as and the picture")
		}
		return a.printer(&f.out).Print(answer)
	}
	t, err := layout.NewTensor(answer.Made.Flat(), *answer.Last)
	if err != nil {
		return err
	}
	t = t.OfSystem(layout.CuTe)
	picture := func(o draw.Options) (*draw.Picture, error) {
		if tile, ok := dividedTile(answer); ok && o.Cells == 0 && o.ColorBy == draw.ByAxis && o.Axis == nil {
			legend := "a number is the offset in A; a color, and a line, is a tile"
			return draw.Tiles([]draw.Tile{tile}, answer.Caption(), []string{legend, legend}, o)
		}
		return draw.Tensor(t, o)
	}
	if err := f.picture.draw(a, &f.out, t.DType(), picture); err != nil {
		return err
	}
	return a.answer(&f.out, func(p *render.Printer) error { return p.Print(answer) }, t)
}

// dividedTile returns the first operand of a division. Its elements have the colours of their tiles. It reports false
// for other operations, and for layouts that are too large to look at all elements.
func dividedTile(answer render.Algebra) (tile draw.Tile, ok bool) {
	const most = 1 << 20
	a := answer.A.Flat()
	if answer.Operation != "divide" || a.Elements() > most {
		return tile, false
	}
	// The same division, applied to the numbers of the elements, shows the tile of each number.
	var modes []algebra.Mode
	stride := int64(1)
	for _, size := range a.Sizes() {
		modes = append(modes, algebra.Digit(size, stride))
		stride *= size
	}
	call := answer.Call
	call.Form = algebra.Zipped
	numbers, err := algebra.New(algebra.List(modes...), 0)
	if err == nil {
		call.A = numbers
		numbers, err = call.Result()
	}
	l := numbers.Flat()
	if err != nil || l.Rank() != 2 || l.Elements() > 2*most {
		return tile, false
	}
	tiles := map[int64][]int64{} // from the number of an element to its index in the tile and the number of the tile
	for index, number := range l.All() {
		tiles[number] = slices.Clone(index)
	}
	of, err := layout.NewTensor(a, layout.DType(0))
	if err != nil {
		return tile, false
	}
	return draw.Tile{Of: of, Cell: func(index []int64) render.HolderCell {
		number, stride := int64(0), int64(1)
		for i, v := range index {
			number += v * stride
			stride *= a.Axis(i).Size()
		}
		offset, _ := a.Offset(index)
		c := render.HolderCell{Texts: []string{strconv.FormatInt(offset, 10)}, Tint: -1, Warp: -1, Half: -1}
		if at := tiles[number]; at != nil {
			c.Tint, c.Warp = int(at[1]), at[1]
			c.Group = "tile " + strconv.FormatInt(at[1], 10)
			c.Words = "offset " + c.Texts[0] + ", element " + strconv.FormatInt(at[0], 10) + " of " + c.Group
		}
		return c
	}}, true
}

// maxValues is the maximum number of offsets that --values lists.
const maxValues = 1 << 24

// listed writes the offsets of a result. For a composition, it does so even if no layout has these offsets.
func (f *algebraFlags) listed(a *app, answer render.Algebra) error {
	list := render.Values{Algebra: answer}
	var err error
	list.Count, list.At, err = answer.Values()
	switch {
	case err != nil:
		return err
	case list.Count > maxValues:
		return refuse("--values would list "+strconv.FormatInt(list.Count, 10)+" offsets, over the limit of "+
			strconv.Itoa(maxValues), "remove it")
	}
	return a.printer(&f.out).Print(list)
}

// read reads the operation and its operands.
func (f *algebraFlags) read(a *app, args []string) (answer render.Algebra, err error) {
	args = a.first(args, "operation", isOperation)
	operands := args[1:]
	operation, err := f.operation(a, args[0], operands)
	if err != nil {
		return answer, err
	}
	if operation.HasOneLayout() {
		operands = a.first(operands, "layout", func(arg string) bool { return strings.Contains(arg, ":") })
	}
	answer.Operation, answer.Left = operation.Name, f.left
	texts := make([]string, len(operands))
	for i, arg := range operands {
		if texts[i], err = a.textOf(arg); err != nil {
			return answer, err
		}
	}
	options := f.options
	if operation.Name == "recast" {
		if answer.First, answer.From, err = elementsOf(texts[1]); err == nil {
			answer.Last, answer.To, err = elementsOf(texts[2])
		}
		if err != nil {
			return answer, err
		}
		if answer.First != nil {
			options = notation.Options{DType: *answer.First, Typed: true}
		}
		texts = texts[:1]
	}
	of, d, err := notation.ReadLayout(texts[0], options)
	if err != nil {
		return answer, err
	}
	a.Note(d.Skipped...)
	if answer.A = of; operation.Name != "recast" {
		dtype := d.Tensor.DType()
		answer.First, answer.Last = &dtype, &dtype
	}
	if len(texts) > 1 {
		b, err := notation.ReadTiler(texts[1], options)
		if err != nil {
			return answer, err
		}
		answer.B = &b
	}
	if f.form != nil {
		answer.Form = *f.form
	}
	if f.order != nil {
		answer.Order, err = f.order.Sizes()
	}
	return answer, err
}

// elementsOf reads an element type, or the number of bits of an element. The type is nil if no type has this number of
// bits.
func elementsOf(text string) (of *layout.DType, bits int64, err error) {
	dtype, known := layout.DType(0), true
	if bits, err = lexer.ParseNumber(text); err == nil {
		dtype, known = layout.DTypeOf(bits)
	} else if dtype, err = layout.ParseDType(text); err == nil {
		bits = dtype.Bits()
	}
	if known {
		of = &dtype
	}
	return of, bits, err
}

// isOperation reports whether a word is the name of an operation, here or in CuTe.
func isOperation(word string) bool {
	_, err := algebra.FindOperation(word)
	_, isCuTe := algebra.CuTe(word)
	return err == nil || isCuTe
}

// operation returns the operation with a name, if operands and flags fit it.
func (f *algebraFlags) operation(a *app, name string, operands []string) (o algebra.Operation, err error) {
	if meant, ok := algebra.CuTe(name); ok && meant.Operation != name {
		err := refuse(name+" is called "+strings.Join(meant.Words(), " ")+" here", "")
		return o, suggest.About(err, suggest.Word, append([]string{name}, meant.Words()...)...)
	}
	if o, err = algebra.FindOperation(name); err != nil {
		return o, err
	}
	least, most := o.Takes()
	if n := len(operands) - 1; n < least || n > most {
		takes := strings.TrimSpace(o.Name + " A " + o.Operands)
		return o, refuse("the operands are "+takes, "such as layoutcalc algebra "+o.Name+" "+o.Example)
	}
	return o, f.checkFlags(o.Name)
}

// checkFlags returns an error if a flag is given that belongs to other operations.
func (f *algebraFlags) checkFlags(operation string) error {
	ranked, form := false, ""
	if f.form != nil {
		ranked, form = *f.form >= algebra.Blocked, "--form "+algebra.Forms[*f.form]
	}
	for _, row := range [...]struct {
		isGiven          bool
		flag, operations string
	}{
		{ranked, form, "product"},
		{form != "", form, "divide product"},
		{f.left, "--left", "inverse"},
		{f.order != nil, "--order", "tile"},
	} {
		names := strings.Fields(row.operations)
		if row.isGiven && !slices.Contains(names, operation) {
			return refuse(row.flag+" is for "+strings.Join(names, " and "), "remove it")
		}
	}
	if f.options.Typed && operation == "recast" {
		return refuse("recast names both types", "remove --dtype")
	}
	return nil
}
