package draw_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/tvlayout"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

// TestTile holds the cells of a fragment against PTX's formula: row g+8(i/2), column 2t+i%2 of lane 4g+t. Colours are
// those of lanes, and the page knows the thread of each cell.
func TestTile(t *testing.T) {
	o, err := tvlayout.Read("mma.m16n8k16.f16:C", tvlayout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tile, err := layout.NewTensor(o.Tile(), 0)
	if err != nil {
		t.Fatal(err)
	}
	window := render.HolderWindow(o, render.WholeHolder, render.HolderLane)
	options := draw.Options{Labels: window, Show: draw.Values, Cells: draw.DefaultCells}
	pic, err := draw.Tile(tile, render.TileCaption(o, render.WholeHolder, render.HolderLane), options)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, row := range pic.Panels[0].Grids[0].Cells {
		for _, cell := range row {
			r, c := cell.Index[0], cell.Index[1]
			lane, value := r%8*4+c/2, c%2+2*(r/8)
			if cell.Text != fmt.Sprintf("T%d:%d", lane, value) || int64(cell.Tint) != lane%8 ||
				cell.Group != fmt.Sprintf("thread %d of block 0", lane) {
				t.Errorf("(%d,%d): %+v", r, c, cell)
			}
			count++
		}
	}
	if count != 128 || len(pic.Strips[0].Lines) != 0 {
		t.Errorf("%d cells, %d lines of storage", count, len(pic.Strips[0].Lines))
	}
	var b bytes.Buffer
	if err := pic.HTML(&b); err != nil || strings.Count(b.String(), `data-g="thread 14 of block 0"`) != 4 {
		t.Errorf("%v: a thread has 4 cells", err)
	}
}
