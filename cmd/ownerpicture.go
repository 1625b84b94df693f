package cmd

import (
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/tvlayout"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

// maxOutlined is the maximum number of elements that a picture of owner outlines.
const maxOutlined = 4096

// draw draws the holders of the tile. It outlines the elements that the call selects: the elements at the indices, or
// the elements held at places. With a matrix of an instruction, A is at the left of C, and B above it.
func (f *ownerFlags) draw(
	o *tvlayout.Ownership, places [4]int64, asks bool, indices [][]int64, d draw.Options,
) (*draw.Picture, error) {
	marked := indices
	if asks && f.missing(o, places) == "" {
		index := make([]int64, o.Tile().Rank())
		for _, number := range o.Held(places) {
			if o.Index(index, number); len(marked) < maxOutlined {
				marked = append(marked, slices.Clone(index))
			}
		}
	}
	if from, to, err := f.span.in(layout.DType(0)); err != nil {
		return nil, err
	} else if f.span != nil {
		for index := range o.Numbered(from, to) {
			if len(marked) < maxOutlined {
				marked = append(marked, slices.Clone(index))
			}
		}
	}
	tile, err := tileOf(o, f.show, f.color)
	if err != nil {
		return nil, err
	}
	tile.Mark = marked
	caption, legends := render.TileCaption(o, f.show, f.color), render.HolderLegends(o, f.show)
	tiles, err := f.matrices(o, tile)
	if err != nil {
		return nil, err
	}
	if len(tiles) > 1 && d.Slice == nil {
		if pic, err := draw.Tiles(tiles, caption, legends, d); err != nil || pic.IsWhole() {
			return pic, err
		}
	}
	tile.Title = ""
	return draw.Tiles([]draw.Tile{tile}, caption, legends, d)
}

// tileOf returns the tile of an ownership.
func tileOf(o *tvlayout.Ownership, show, color render.HolderPart) (draw.Tile, error) {
	t, err := layout.NewTensor(o.Tile(), layout.DType(0))
	return draw.Tile{Title: o.Name(), Of: t, Cell: render.HolderCells(o, show, color)}, err
}

// matrices returns the three matrices of the instruction of o, or tile alone if o is not a matrix of an instruction.
// The last one is the matrix of o.
func (f *ownerFlags) matrices(o *tvlayout.Ownership, tile draw.Tile) (tiles []draw.Tile, err error) {
	name := o.Name()
	instruction, rest, _ := strings.Cut(name, ":")
	places := map[string]struct{ row, column int }{"A": {1, 0}, "B": {0, 1}, "C": {1, 1}, "D": {1, 1}}
	own := strings.ToUpper(rest[:min(len(rest), 1)])
	if _, isMatrix := places[own]; !isMatrix || o.Tile().Rank() != 2 {
		return []draw.Tile{tile}, nil
	}
	for _, matrix := range []string{"A", "B", "C"} {
		place := places[matrix]
		if place == places[own] {
			continue
		}
		other, err := tvlayout.Read(instruction+":"+matrix+rest[1:], tvlayout.Options{})
		if err != nil { // it is in shared memory
			continue
		}
		t, err := tileOf(other, f.show, f.color)
		if err != nil {
			return nil, err
		}
		t.Row, t.Column = place.row, place.column
		tiles = append(tiles, t)
	}
	tile.Row, tile.Column = places[own].row, places[own].column
	return append(tiles, tile), nil
}

// drawPair draws two ownerships of one tile side by side, with words before their names. Elements with the same holders
// are faded. The element at first, which has different holders, is outlined; first may be nil.
func drawPair(
	pair [2]*tvlayout.Ownership, words [2]string, first []int64, show, color render.HolderPart, d draw.Options,
) (*draw.Picture, error) {
	var tiles []draw.Tile
	a, b := pair[0].Holders(), pair[1].Holders()
	same := func(index []int64) bool {
		at, _ := pair[0].Tile().Offset(index)
		to, _ := pair[1].Tile().Offset(index)
		x, n := a.Of(at)
		y, m := b.Of(to)
		return n == m && slices.EqualFunc(x, y, slices.Equal)
	}
	for i, o := range pair {
		t, err := tileOf(o, show, color)
		if err != nil {
			return nil, err
		}
		t.Title, t.Column, t.Fade = words[i]+t.Title, i, same
		if first != nil {
			t.Mark = [][]int64{first}
		} else {
			t.Fade = nil
		}
		tiles = append(tiles, t)
	}
	caption := render.TileCaption(pair[0], show, color)
	if first != nil {
		caption.Lines = append(caption.Lines,
			"elements with the same holders are faded; the first with others is outlined")
	} else {
		caption.Lines = append(caption.Lines, "all elements have the same holders")
	}
	return draw.Tiles(tiles, caption, render.HolderLegends(pair[0], show), d)
}
