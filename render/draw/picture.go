// Package draw makes pictures of layouts: the elements of each tensor in grids, its storage in lines of memory, and the
// relation between the two. A [Picture] has values without any format; [Picture.SVG] and [Picture.HTML] write it.
//
//   - plan.go finds the details that fit, and never looks at more elements than are drawn. structure.go draws tensors
//     that do not fit a screen, and step.go the strides.
//   - cells.go makes the cells. The colour of an element comes from the first tensor with its storage, so the views of
//     one storage agree.
//   - svg.go draws everything in one pass from top to bottom into a canvas. canvas.go is the only file that turns
//     strings into markup.
//   - board.go draws tables with labels for rows and columns: threads and their elements (holders.go), lanes against
//     banks (lanes.go), and memory before and after a swizzle (swizzled.go).
//   - html.go puts the same SVG into a page. Its script finds relatives by data-i and data-o, and computes grids that
//     are not drawn from the digits in the attributes of a panel.
//   - png.go paints the SVG, so there is one description of a picture.
//
// The look-ups of a picture share a limit of work. An element that they do not find is drawn as unknown, and a count
// that they do not finish ends with a plus.
package draw

import (
	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/view"
	"layoutcalc/render"
)

// A Picture is a drawing of one tensor or several.
type Picture struct {
	Caption render.Caption
	Command string // its command line
	Panels  []Panel
	Strips  []Strip
	Boards  []Board
	Legends []string // explanations of the cells' text in boards, by level
	Pair    bool     // two panels of the same elements
	Animate bool     // elements of the first strip move to the second, in SVG
	Arrows  bool     // from each element of the first strip to the same element in the second
	Show    Show     // the content of the cells of grids
	Theme   Theme
}

// A Panel shows the elements of a tensor, by their indices.
type Panel struct {
	Title  string
	Tensor layout.Tensor
	Strip  int // the number of the storage of its offsets
	Grids  []Grid
	Shown  int64 // the number of drawn elements
	Of     int64 // the number of requested elements
	First  []int // the axes with the first index alone
	Shared bool  // an axis of size above 1 takes no storage
	Own    bool  // colours follow from its own indices
	Corner bool  // a corner of the elements is drawn
	Levels []Level
	color  coloring
}

// A Grid shows the elements along two axes at one index of all others.
type Grid struct {
	Outer         []int64 // the index, 0 along the two axes
	Row, Column   int     // the axes of rows and of columns; may be -1
	Rows, Columns []int64 // their indices; -1 is a gap
	Cells         [][]Cell
	Boxes         []Box // around the blocks of the innermost level, and of the next one
}

// A Strip shows a storage, or a part of it, line by line.
type Strip struct {
	Title   string
	Tensor  layout.Tensor // the first tensor of the storage
	PerLine int64         // elements in a line
	Lines   []Line
	Count   uint64 // all lines of the storage or its part
	Indices bool   // the cells show indices
	Holes   Holes
}

// Holes counts the offsets of a storage without elements.
type Holes struct {
	Unused, Of int64 // the offsets without elements, and all offsets
	Behind     int64 // the unused offsets behind the last element
}

// A Line is a line of memory, or a gap of Skipped lines.
type Line struct {
	Cells   []Cell
	Skipped uint64
	Boxes   []Box // around cells of one block, in one row
}

// A Kind is the meaning of a cell.
type Kind uint8

// The kinds of cells.
const (
	Element Kind = iota
	Padding      // no element has this offset
	Unsure       // an element may have this offset: the search reached its limit
	Gap          // cells are omitted here
)

// A Cell is an element, or an offset of a storage.
type Cell struct {
	Kind   Kind
	Index  []int64 // the element's index; the first in row-major order of several; may be nil
	Offset int64
	Text   string
	Short  []string // shorter strings, for boards that have no room for Text
	Group  string   // the page highlights cells with the same Group together; may be empty
	Words  string   // shown in the page instead of the offset
	Tint   int8     // from 0; may be negative
	Count  int64    // elements at the offset, if there are several
	More   bool     // there may be more than Count
	Mark   int      // from 1, the outline around the cell and its neighbours; may be 0
	Faded  bool     // equal in a comparison, or outside of a view
}

// A Box is an outline around the cells of some rows and columns: the last of each is not included.
type Box struct {
	Level                int // 1 for the innermost blocks
	Top, Left, Down, End int
}

// Options choose the parts of the tensors to draw, and the style.
type Options struct {
	Command string
	Notes   []string // on assumptions of the picture
	Show    Show
	Labels  render.Window // the strings for elements; strips show values if there are any
	ColorBy ColorBy
	Axis    *shape.AxisRef // the axis for the colours; nil for the outermost
	Line    int64          // bytes of a line of memory
	From    *int64         // the first offset; nil for the start of the storage
	To      *int64         // the offset after the last one; nil for the end of the storage
	Slice   []shape.AxisRange
	Mark    [][]int64 // indices of elements to outline
	Vector  int       // the elements of each outline in Mark, one after the other; 0 is 1
	MarkAt  []int64   // offsets to outline
	Cells   int       // the maximum number of cells; 0 for a picture that fits a screen
	Animate bool      // elements of a conversion move
	Theme   Theme
}

// Show is the kind of content in the cells of grids.
type Show uint8

// The kinds of content in cells.
const (
	Offsets Show = iota
	Indices
	Values
)

// Shows are the words for the kinds of content in cells.
var Shows = []string{"offset", "index", "value"}

// ColorBy is the meaning of colours.
type ColorBy uint8

// The meanings of colours.
const (
	ByAxis ColorBy = iota
	ByLine
	ByBlock
	ByBank // of shared memory: four neighbours of the 32 banks of 4 bytes have one colour
	ByNone
)

// ColorBys are the words for the meanings of colours.
var ColorBys = [...]string{"axis", "line", "block", "bank", "none"}

// Theme is the background of a picture.
type Theme uint8

// The themes. Auto leaves the choice to the viewer.
const (
	Auto Theme = iota
	Light
	Dark
)

// Themes are the names of the themes.
var Themes = []string{"auto", "light", "dark"}

// The most cells of a picture that may be larger than a screen: by default, and at most.
const (
	DefaultCells = 4096
	MaxCells     = 20_000
)

// DefaultLine is the default number of bytes in a line of memory, which is the cache line size of most processors.
const DefaultLine = 64

// Tensor draws a tensor.
func Tensor(t layout.Tensor, o Options) (*Picture, error) {
	if isSwizzle(&o, t) {
		return swizzledPicture(t, o)
	}
	p := newPlan(&o, t)
	return p.picture(render.TensorCaption(t, p.subjects[0].facts))
}

// Comparison draws two tensors and their difference, which may be nil.
func Comparison(a, b layout.Tensor, d *analysis.Difference, o Options) (*Picture, error) {
	if isSwizzle(&o, a, b) {
		return swizzledPair(a, b, d, o)
	}
	p := newPlan(&o, a, b)
	if p.pair, p.difference = true, d; d != nil {
		p.around = d.Index
	}
	return p.picture(render.ComparisonCaption(a, b, d))
}

// arrows is the maximum number of elements in a conversion with arrows.
const arrows = 32

// isMove reports whether an element is drawn in both strips, and no elements are omitted: arrows would cross the counts
// of omitted elements.
func (p *Picture) isMove() bool {
	drawn, both := map[string]bool{}, false
	for i := range p.Strips {
		for _, line := range p.Strips[i].Lines {
			if line.Skipped > 0 {
				return false
			}
			for _, cell := range line.Cells {
				key := layout.JoinInts(cell.Index, ",")
				both = both || i > 0 && cell.Kind == Element && drawn[key]
				drawn[key] = drawn[key] || i == 0 && cell.Kind == Element
			}
		}
	}
	return both && p.Strips[0].cut() == 0 && p.Strips[1].cut() == 0
}

// Conversion draws a tensor in two layouts.
func Conversion(from, to layout.Tensor, o Options) (*Picture, error) {
	p := newPlan(&o, from, to)
	p.pair = true
	if d, err := analysis.Compare(from.Layout(), to.Layout()); err == nil && d != nil {
		p.around = d.Index
	}
	pic, err := p.picture(render.ConversionCaption(from, to, p.subjects[0].facts, p.subjects[1].facts))
	if err == nil {
		pic.Animate = o.Animate
		pic.Arrows = from.Layout().Elements() <= arrows && pic.isMove()
	}
	return pic, err
}

// Chain draws a tensor and the result of each step of a chain of views. Views share the storage; a copy starts a new
// one.
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

// lead returns the number of cells missing at the start of a line.
func (s *Strip) lead(line *Line) int {
	if s.PerLine > maxPerLine {
		return 0
	}
	return int(mod(line.Cells[0].Offset, s.PerLine))
}
