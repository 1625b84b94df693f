// Package draw makes pictures of layouts: the elements of each tensor in grids, its storage in lines of memory, and
// what the two have in common. A [Picture] says what is drawn, as values without any format; [Picture.SVG] and
// [Picture.HTML] write it.
//
// It imports layout, its facts, views and shape, and render for the words of captions.
package draw

import (
	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/view"
	"layoutcalc/render"
)

// A Picture is what is drawn of one tensor or several.
type Picture struct {
	Caption render.Caption
	Command string // the command line that made it
	Panels  []Panel
	Strips  []Strip
	Pair    bool // two panels of the same elements
	Arrows  bool // from each element of the first strip to the same one in the second
	Show    Show // what is in the cells of grids
	Theme   Theme
}

// A Panel shows the elements of a tensor, by their indices.
type Panel struct {
	Title  string
	Tensor layout.Tensor
	Strip  int // of the storage that its offsets are in
	Grids  []Grid
	Shown  int64 // how many elements are drawn
	Of     int64 // of so many that were asked for
	First  []int // the axes whose first index alone is drawn
	Shared bool  // an axis of size above 1 takes no storage
	Own    bool  // colours follow from its own indices
	color  coloring
}

// A Grid shows the elements along two axes at one index of all others.
type Grid struct {
	Outer         []int64 // the index, 0 along the two axes
	Row, Column   int     // the axes of rows and of columns; -1 for none
	Rows, Columns []int64 // their indices; -1 is a gap
	Cells         [][]Cell
	Boxes         []Box // around the blocks of the innermost level, and of the next one
}

// A Strip shows a storage, or a part of it, line by line.
type Strip struct {
	Title   string
	Tensor  layout.Tensor // the first one that has the storage
	PerLine int64         // the elements of a line
	Lines   []Line
	Count   uint64 // how many lines the storage, or the part of it, has
}

// A Line is a line of memory, or a gap where Skipped lines are not drawn.
type Line struct {
	Cells   []Cell
	Skipped uint64
	Boxes   []Box // around cells of one block, in one row
}

// A Kind is what a cell stands for.
type Kind uint8

// The kinds of cells.
const (
	Element Kind = iota
	Padding      // no element has this offset
	Unsure       // whether an element has this offset is too hard to tell
	Gap          // cells that are not drawn
)

// A Cell is an element, or an offset of a storage.
type Cell struct {
	Kind   Kind
	Index  []int64 // of the element, the first in row-major order where several have the offset; nil for none
	Offset int64
	Text   string
	Tint   int8  // from 0; below 0 there is none
	Count  int64 // how many elements have the offset, where there are several
	More   bool  // there may be more than Count
	Marked bool  // a witness, or the first difference
	Faded  bool  // equal in a comparison, or outside of a view
}

// A Box is an outline around cells: rows and columns from the first one up to, not including, the last.
type Box struct {
	Level                int // 1 for the innermost blocks
	Top, Left, Down, End int
}

// Options say what is drawn of the tensors, and how.
type Options struct {
	Command string
	Show    Show
	Labels  render.Window // of elements, where they are shown; strips show values if there are some
	ColorBy ColorBy
	Axis    *shape.AxisRef // that colours are of, where the user named one
	Line    int64          // bytes of a line of memory
	From    *int64         // the first offset; nil for that of the storage
	To      *int64         // the offset after the last one; nil for that of the storage
	Slice   []shape.AxisRange
	Mark    [][]int64 // the indices of elements to outline
	MarkAt  []int64   // offsets to outline
	Cells   int       // the most cells
	Theme   Theme
}

// Show is what stands in the cells of grids.
type Show uint8

// What can stand in cells.
const (
	Offsets Show = iota
	Indices
	Values
)

// ColorBy is what the colours stand for.
type ColorBy uint8

// What colours can be of.
const (
	ByAxis ColorBy = iota
	ByLine
	ByBlock
	ByNone
)

// Theme is for which backgrounds a picture is.
type Theme uint8

// The themes. Auto is that of the viewer.
const (
	Auto Theme = iota
	Light
	Dark
)

// The most cells of a picture: what is drawn by itself, and what a user can ask for.
const (
	DefaultCells = 4096
	MaxCells     = 20_000
)

// DefaultLine is how many bytes a line of memory has where nothing was said: as many as a line of most caches.
const DefaultLine = 64

// Tensor draws a tensor.
func Tensor(t layout.Tensor, o Options) (*Picture, error) {
	p := newPlan(&o, t)
	return p.picture(render.TensorCaption(t, p.subjects[0].facts))
}

// Comparison draws two tensors and where they differ; d is nil where they are the same.
func Comparison(a, b layout.Tensor, d *facts.Difference, o Options) (*Picture, error) {
	p := newPlan(&o, a, b)
	p.pair, p.difference = true, d
	return p.picture(render.ComparisonCaption(a, b, d))
}

// arrows is up to how many elements a conversion has arrows.
const arrows = 32

// Conversion draws a tensor in two layouts.
func Conversion(from, to layout.Tensor, o Options) (*Picture, error) {
	p := newPlan(&o, from, to)
	p.pair = true
	pic, err := p.picture(render.ConversionCaption(from, to, p.subjects[0].facts, p.subjects[1].facts))
	if err == nil {
		pic.Arrows = from.Layout().Elements() <= arrows
	}
	return pic, err
}

// Chain draws a tensor and what each step of a chain of views makes of it. Views share the storage; a step that copies
// starts a new one.
func Chain(start layout.Tensor, steps []view.Step, views []view.View, o Options) (*Picture, error) {
	tensors := []layout.Tensor{start}
	for _, v := range views {
		tensors = append(tensors, v.Tensor)
	}
	p := newPlan(&o, tensors...)
	for i, v := range views {
		p.subjects[i+1].store = p.subjects[i].store
		if v.Copied {
			p.subjects[i+1].store++
		}
	}
	return p.picture(render.ChainCaption(start, steps, views, p.subjects[len(views)].facts))
}
