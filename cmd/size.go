package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"layoutcalc/cmd/suggest"
	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/input"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
	"layoutcalc/render"
)

func (a *app) sizeCommand(c *cobra.Command) {
	var r request
	a.tensorCommand(c, &r, (*request).size)
	boolFlag(c.Flags(), "all", &r.allRows)
	boolFlag(c.Flags(), "metadata", &r.tensor.metadata)
}

// size answers for a tensor, for a tensor with elements in blocks, or for all tensors of an image or a file.
func (r *request) size(a *app, args []string) error {
	if len(args) > 1 && areFiles(args) {
		return r.files(a, args)
	}
	in, rest, err := r.tensor.find(args, 0, input.IsLayout)
	if err == nil && r.tensor.metadata {
		return r.metadata(a, in, rest)
	}
	if err == nil && len(rest) == 0 {
		if done, err := r.whole(a, in); done || err != nil {
			return err
		}
	}
	if err == nil && r.out.buffer != nil {
		r.takePlane(a, in)
	}
	t, err := r.tensor.alone(in, rest, args, err)
	var packed *layout.BlockError
	switch {
	case errors.As(err, &packed) && r.out.as == nil && !r.picture.wanted():
		return r.blocks(a, packed)
	case packed != nil:
		return refuse(packed.Error(), "remove --as and pictures")
	}
	if err == nil && in.IsXLA() {
		noteTiles(a, t)
	}
	if g := r.tensor.spec.For; err == nil && g != nil {
		_, err = g.Copy(t)
	}
	return r.about(a, t, err, (*render.Printer).Size)
}

// areFiles reports whether all arguments are names of files of tensors.
func areFiles(args []string) bool {
	return !slices.ContainsFunc(args, func(arg string) bool { return !input.NamingOf(arg).Is(input.KnownName) })
}

// files answers for all tensors of several files.
func (r *request) files(a *app, paths []string) error {
	t := &r.tensor
	if t.metadata || t.shapes() || r.out.as != nil || r.out.buffer != nil || r.picture.wanted() || len(t.steps) > 0 {
		return refuse("several files are listed, and the flags are about one", "name one file")
	}
	all := new(descriptor.Listing)
	var rows []descriptor.Row
	for _, path := range paths {
		in, _, err := t.find([]string{path}, 0, input.IsLayout)
		if err != nil {
			return err
		}
		matches, pattern := func(string) bool { return true }, t.nameIn(in)
		if pattern != "" {
			matches = func(name string) bool { return name == pattern || lexer.Glob(pattern, name) }
		}
		list, err := in.List(matches, r.typeOf())
		switch {
		case err != nil:
			return err
		case list == nil:
			return refuse(render.QuotePath(path)+" is not a file of tensors", "name files of tensors")
		}
		for row := range list.Rows {
			own := *row
			own.Name, own.File = cmp.Or(row.Name, path), cmp.Or(row.File, path)
			rows = append(rows, own)
			if err := all.Count(&own); err != nil {
				return err
			}
		}
		a.Note(in.Notes...)
	}
	if len(rows) == 0 && t.name != "" {
		return refuse("no tensor has a name like "+render.Quote(t.name), "size FILE lists the names")
	}
	all.Rows = descriptor.Rows(rows)
	return a.printer(&r.out).Listing(all, r.mostRows(a))
}

// typeOf returns the type of -t, or nil if it is not given.
func (r *request) typeOf() *layout.DType {
	if r.tensor.typed {
		return &r.tensor.spec.DType
	}
	return nil
}

// metadata answers with the metadata of a file.
func (r *request) metadata(a *app, in *input.Input, rest []string) error {
	t := &r.tensor
	isTensor := t.nameIn(in) != "" || t.typed || t.shapes() || r.out.as != nil || r.out.buffer != nil ||
		r.picture.wanted()
	if isTensor {
		const msg = "--metadata is about the whole file, and other flags are about a tensor"
		return refuse(msg, "").LeaveOut("--metadata")
	}
	if len(rest) > 0 {
		return refuse("--metadata takes a file, and nothing after it", "leave "+render.Quote(rest[0])+" out")
	}
	pairs, err := in.Metadata()
	if err != nil {
		return err
	}
	return a.printer(&r.out).Print(render.Metadata(pairs))
}

// whole answers for all tensors of an image or a file. It reports false if there is one tensor, or if flags request
// more than sizes.
func (r *request) whole(a *app, in *input.Input) (done bool, err error) {
	t := &r.tensor
	switch {
	case r.out.as != nil || r.out.buffer != nil || r.picture.wanted() || len(t.steps) > 0:
		return false, nil
	case in.Format != nil && t.nameIn(in) == "":
		image, err := t.image(in, t.spec)
		if err != nil {
			return false, err
		}
		return true, a.printer(&r.out).Print(render.Image{Image: image})
	case t.shapes():
		return false, nil
	}
	list, err := r.listing(in)
	if list == nil || err != nil {
		return false, err
	}
	a.Note(in.Notes...)
	return true, a.printer(&r.out).Listing(list, r.mostRows(a))
}

// listing lists the tensors of a file, or the tensors with names that match a pattern of --tensor. It returns nil for
// other inputs, and if --tensor names one tensor.
func (r *request) listing(in *input.Input) (*descriptor.Listing, error) {
	var matches func(string) bool
	var nearest string
	pattern := r.tensor.nameIn(in)
	switch {
	case lexer.IsGlob(pattern):
		matches = func(name string) bool {
			if nearest == "" || shared(name, pattern) > shared(nearest, pattern) {
				nearest = name
			}
			return lexer.Glob(pattern, name)
		}
	case pattern != "":
		return nil, nil
	}
	list, err := in.List(matches, r.typeOf())
	if err == nil && list != nil && matches != nil && list.Len == 0 {
		hint := "the nearest is " + render.Quote(nearest)
		if nearest == "" {
			hint = "the file has no tensors"
		}
		err = refuse("no tensor has a name like "+render.Quote(pattern), hint)
	}
	return list, err
}

// shared returns the length of the common prefix of two strings.
func shared(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// mostRows returns the number of rows of a list that fit on the screen, or 0 for all rows.
func (r *request) mostRows(a *app) int {
	height, ok := terminalHeight(a.streams.Out)
	if r.allRows || !ok {
		return 0
	}
	const others = 12 // lines of the answer
	return max(height-others, 10)
}

// takePlane selects the last plane of an image for --buffer, unless --tensor selects one.
func (r *request) takePlane(a *app, in *input.Input) {
	if in.Format != nil && r.tensor.nameIn(in) == "" {
		r.tensor.name = in.Format.Planes[len(in.Format.Planes)-1].Name
		a.Note("a buffer that holds the last plane, " + r.tensor.name + ", holds the image")
	}
}

// noteTiles adds a note for an XLA shape without tiles, on the bytes that the tiles of TPUs add for most arrays. It
// ignores axes of size 1, because strides do not determine which of them a tile covers.
func noteTiles(a *app, t layout.Tensor) {
	sizes, ok := shape.SizesInMemory(t.Layout())
	if !ok || len(sizes) < 2 || len(sizes) < t.Layout().Rank() {
		return
	}
	tile := shape.NewList([]int64{8, 128}, nil)
	tiled, err := shape.Spec{Shape: shape.NewList(sizes, nil), Tile: &tile, DType: t.DType()}.Tensor()
	if err == nil && tiled.Reserved() > t.Reserved() {
		padding := tiled.Bytes(tiled.Reserved() - t.Layout().Elements())
		a.Note("the text has no tiles; in those of 8x128, as on TPUs, it takes " +
			render.Counted(tiled.Bytes(tiled.Reserved()), "byte") + ", " + render.Group(padding) + " of them padding")
	}
}

// blocks writes the storage of a tensor with elements in blocks.
func (r *request) blocks(a *app, of *layout.BlockError) error {
	blocks, bytes, err := of.Stored(of.Sizes)
	if row, next := of.Row(of.Sizes); row != next {
		return suggest.About(err, suggest.Part, fmt.Sprint("x", row), fmt.Sprint("x", next))
	}
	if err != nil {
		return err
	}
	say := func(out *output) error {
		return a.printer(out).Print(render.Blocks{Of: of.Block, Sizes: of.Sizes, Count: blocks, Bytes: bytes})
	}
	if r.out.buffer == nil {
		return say(&r.out)
	}
	return a.inBuffer(&r.out, render.Buffer{Buffer: analysis.Buffer{Bytes: *r.out.buffer, Need: bytes}}, say)
}
