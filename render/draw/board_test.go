package draw_test

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/access"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/tvlayout"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

// written returns a picture of boards, read back from its SVG, which fits a screen.
func written(t *testing.T, name string, pic *draw.Picture, err error) *document {
	t.Helper()
	var b bytes.Buffer
	if err == nil {
		err = pic.SVG(&b)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	d := parse(t, b.Bytes())
	if d.width > 1300 || d.height > 1000 {
		t.Errorf("%s: the picture has %g x %g", name, d.width, d.height)
	}
	checkDocument(t, b.Bytes())
	checkRoom(t, d)
	return d
}

// table returns the cells of a board by row and column, nil for places without one. Width is that of the board.
func (a *area) table(columns int) [][]*cell {
	var frame rectangle
	for _, s := range a.shapes {
		if s.class == "bx" {
			frame = s
		}
	}
	first := a.cells[0]
	table := make([][]*cell, int(frame.height/first.height+0.5))
	for i := range table {
		table[i] = make([]*cell, columns)
	}
	for _, c := range a.cells {
		table[int((c.y-frame.y)/c.height+0.5)][int((c.x-frame.x)/c.width+0.5)] = c
	}
	return table
}

// tiles draws matrices of an instruction.
func tiles(t *testing.T, names ...string) (*draw.Picture, error) {
	t.Helper()
	var list []draw.Tile
	var caption render.Caption
	var legends []string
	for i, name := range names {
		o, err := tvlayout.Read(name, tvlayout.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tile, err := layout.NewTensor(o.Tile(), 0)
		if err != nil {
			t.Fatal(err)
		}
		cells := render.HolderCells(o, render.WholeHolder, render.HolderLane)
		list = append(list, draw.Tile{Title: name, Column: i, Of: tile, Cell: cells})
		caption = render.TileCaption(o, render.WholeHolder, render.HolderLane)
		legends = render.HolderLegends(o, render.WholeHolder)
	}
	return draw.Tiles(list, caption, legends, draw.Options{})
}

// TestTiles compares the cells of a fragment with PTX's formula: row g+8(i/2), column 2t+i%2 of lane 4g+t. The page
// names the register of a value.
func TestTiles(t *testing.T) {
	pic, err := tiles(t, "mma.m16n8k16.f16:C")
	d := written(t, "mma", pic, err)
	if len(d.boards) != 1 || len(d.boards[0].cells) != 128 {
		t.Fatalf("%d boards", len(d.boards))
	}
	for _, c := range d.boards[0].cells {
		row, column := c.index[0], c.index[1]
		lane, value := row%8*4+column/2, column%2+2*(row/8)
		if c.text != fmt.Sprintf("T%d:%d", lane, value) || int64(c.tint()-'a') != lane%8 ||
			c.group != fmt.Sprintf("T%d", lane) || c.offset != row*8+column {
			t.Errorf("(%d,%d): %+v", row, column, c)
		}
	}
	var b bytes.Buffer
	if err := pic.HTML(&b); err != nil || !strings.Contains(b.String(), `data-w="lane 14, value 3 = c3, register 3"`) {
		t.Errorf("%v: the page does not name the register of a value", err)
	}
}

// TestHalfWaves compares a result of 32x32 with AMD's matrix calculator: register i of lane l is in row
// 8(i/4)+4(l/32)+i%4 of column l%32. Every cell must have text, and the two halves different colours and lines.
func TestHalfWaves(t *testing.T) {
	pic, err := tiles(t, "v_mfma_f32_32x32x8f16:C")
	d := written(t, "mfma", pic, err)
	board := d.boards[0]
	seen := map[string]byte{}
	for _, c := range board.cells {
		row, column := c.index[0], c.index[1]
		lane := column + row/4%2*32
		if !strings.HasPrefix(c.text, "T"+strconv.FormatInt(lane, 10)) || len(c.boxes[2]) != 1 {
			t.Fatalf("(%d,%d) of lane %d: %+v", row, column, lane, c)
		}
		seen[strconv.FormatInt(lane, 10)] = c.tint()
	}
	if len(board.cells) != 1024 || seen["0"] == seen["32"] || seen["5"] == seen["37"] {
		t.Errorf("%d cells, colours %v", len(board.cells), seen)
	}
}

// TestLargeTiles has tiles without room for all cells. The drawn cells must have text.
func TestLargeTiles(t *testing.T) {
	pic, err := tiles(t, "wgmma.m64n256k16.f16:C", "wgmma.m64n256k16.f16:C")
	d := written(t, "wgmma", pic, err)
	for _, board := range d.boards {
		if len(board.cells) < 512 || len(board.cells) == 64*256 {
			t.Errorf("%d cells", len(board.cells))
		}
		for _, c := range board.cells {
			if c.text == "" {
				t.Fatalf("%v has no text", c.index)
			}
		}
	}
}

// reads returns a walk of 32 lanes at one place with its cost.
func reads(t *testing.T, line string, axes string, vector int64) (layout.Tensor, *access.Walk, access.Total) {
	t.Helper()
	x := layouttest.Tensor(t, line)
	w := access.Walk{Tensor: x, Vector: vector, Unit: &access.Units[0]}
	for part := range strings.SplitSeq(axes, ",") {
		var p access.Part
		if _, err := fmt.Sscanf(part, "%d=%d", &p.Axis, &p.Lanes); err != nil {
			t.Fatal(err)
		}
		w.Parts = append(w.Parts, p)
	}
	walk, err := w.Complete()
	if err != nil {
		t.Fatal(err)
	}
	return x, walk, walk.Count()
}

// laneIndex returns the index of the first element of a lane.
func laneIndex(w *access.Walk, lane int) (index []int64) {
	for at := range w.Starts() {
		if lane == 0 {
			return slices.Clone(at)
		}
		lane--
	}
	return nil
}

// pictures draws the banks and the sectors of a walk.
func (c accessCase) pictures(t *testing.T) (banks, sectors *draw.Picture) {
	t.Helper()
	x, w, total := reads(t, c.line, c.lanes, c.vector)
	answer := render.Access{Tensor: x, Walks: []*access.Walk{w}, Totals: []access.Total{total}}
	return draw.Banks(x, w.Unit, total.Spot, answer.Caption(0, false), draw.Options{}),
		draw.Sectors(x, total.Spot, answer.Caption(0, true), draw.Options{})
}

// An accessCase is a row of accesses.
type accessCase struct {
	line, lanes           string
	vector, bytes, phases int64
	most                  int
}

// accesses are walks: the tensor, the lanes, the elements of a vector, its bytes, the lanes of a phase, and the most
// words of a bank as the documents of bank conflicts count them.
var accesses = []accessCase{
	{"32x32", "0=32", 1, 4, 32, 32},     // a column: all in one bank
	{"32x32", "1=32", 1, 4, 32, 1},      // a row
	{"32x33", "0=32", 1, 4, 32, 1},      // a padded column
	{"8x64 -t f16", "0=8", 8, 16, 8, 8}, // rows of 128 bytes
	{"8x64 -t f16 --swizzle 128B", "0=8", 8, 16, 8, 1},
	{"64x64 -t f16", "0=8,1=4", 2, 4, 32, 8},
	{"64x64", "0=4,1=8", 4, 16, 8, 1},
	{"64x64 -t u8", "0=32", 4, 4, 32, 16},
}

// TestBanks compares the words of each lane in each bank with the addresses of its bytes, and the count of each bank.
func TestBanks(t *testing.T) {
	for _, tt := range accesses {
		x, w, _ := reads(t, tt.line, tt.lanes, tt.vector)
		pic, _ := tt.pictures(t)
		d := written(t, tt.line, pic, nil)
		table, size := d.boards[0].table(32), tt.bytes/tt.vector
		most, row := 0, 0
		for lane := 0; lane < int(w.Lanes()); {
			words := [32]map[int64]bool{}
			for n := 0; n < int(tt.phases) && lane < int(w.Lanes()); n++ {
				offset, _ := x.Layout().Offset(laneIndex(w, lane))
				for bank := range int64(32) {
					word := int64(-1)
					for at := offset * size; at < offset*size+tt.bytes; at++ {
						if at/4%32 == bank {
							word = at / 4
						}
					}
					c := table[row][bank]
					if (c != nil) != (word >= 0) || c != nil && (c.text != strconv.FormatInt(word/32, 10) ||
						c.offset*size/4 != word || c.group != fmt.Sprintf("lane %d", lane) ||
						c.offset != offsetOf(x.Layout(), c.index)) {
						t.Errorf("%s %s: lane %d in bank %d: %+v, want word %d", tt.line, tt.lanes, lane, bank, c, word)
					}
					if c != nil && words[bank] == nil {
						words[bank] = map[int64]bool{}
					}
					if c != nil {
						words[bank][word] = true
					}
				}
				lane, row = lane+1, row+1
			}
			for bank, set := range words {
				c := table[row][bank]
				if (c != nil) != (len(set) > 0) || c != nil && c.text != strconv.Itoa(len(set)) {
					t.Errorf("%s %s: bank %d has %d words: %+v", tt.line, tt.lanes, bank, len(set), c)
				}
				most = max(most, len(set))
			}
			row++
		}
		if most != tt.most {
			t.Errorf("%s %s: %d words of a bank, want %d", tt.line, tt.lanes, most, tt.most)
		}
	}
}

// TestSectors compares the words of each sector with the addresses of the read bytes. Unread words of a sector are
// hatched, and other sectors are not drawn.
func TestSectors(t *testing.T) {
	for _, tt := range accesses {
		x, w, _ := reads(t, tt.line, tt.lanes, tt.vector)
		_, pic := tt.pictures(t)
		d := written(t, tt.line, pic, nil)
		read, sectors, size := map[int64]string{}, map[int64]bool{}, tt.bytes/tt.vector
		for lane := range int(w.Lanes()) {
			offset, _ := x.Layout().Offset(laneIndex(w, lane))
			for at := offset * size; at < offset*size+tt.bytes; at++ {
				if sectors[at/32] = true; read[at/4] == "" {
					read[at/4] = fmt.Sprintf("lane %d", lane)
				}
			}
		}
		used := 0
		for _, c := range d.boards[0].cells {
			word := c.offset * size / 4
			if !sectors[word/8] || c.group != read[word] || c.has("p") != (read[word] == "") {
				t.Errorf("%s %s: word %d: %+v, want %q", tt.line, tt.lanes, word, c, read[word])
			}
			if c.group != "" {
				used++
			}
		}
		if len(d.boards[0].cells) != 8*len(sectors) || used != len(read) {
			t.Errorf("%s %s: %d cells, %d read, want %d sectors with %d words", tt.line, tt.lanes,
				len(d.boards[0].cells), used, len(sectors), len(read))
		}
	}
}

// TestSwizzledMemory compares the chunks of both memories with the bits of their offsets, xored by hand.
func TestSwizzledMemory(t *testing.T) {
	for _, tt := range []struct {
		line              string
		bits, base, shift int
	}{
		{"8x64 -t f16 --swizzle 128B", 3, 3, 3}, {"64x64 -t f16 --swizzle 64B", 2, 3, 3},
		{"32x32 --swizzle 5,0,5", 5, 0, 5},
		{"16x128 -t u8 --swizzle 3,4,3", 3, 4, 3}, {"8x64 -t f16 --swizzle 3,3,-3", 3, 3, -3},
	} {
		x := layouttest.Tensor(t, tt.line)
		pic, err := draw.Tensor(x, draw.Options{})
		d := written(t, tt.line, pic, err)
		if len(d.boards) != 2 || len(d.strips) != 0 || strings.Contains(d.desc, "a step") {
			t.Fatalf("%s: %d boards", tt.line, len(d.boards))
		}
		size := x.Layout().Axis(1).Size()
		chunk, line := 1<<tt.base, 1<<(tt.base+max(tt.shift, -tt.shift))
		for i, board := range d.boards {
			for r, row := range board.table(line / chunk) {
				for slot, c := range row {
					at := r*line + slot*chunk
					mask, from := 1<<tt.bits-1, at
					if i == 1 && tt.shift > 0 {
						from ^= at >> tt.shift & (mask << tt.base)
					} else if i == 1 {
						from ^= at << -tt.shift & (mask << (tt.base - tt.shift))
					}
					index := []int64{int64(from) / size, int64(from) % size}
					if c == nil || c.offset != int64(at) || !slices.Equal(c.index, index) ||
						int(c.tint()-'a') != from%line/chunk%8 || c.text == "" {
						t.Errorf("%s: board %d has %+v at %d, want %v", tt.line, i, c, at, index)
					}
				}
			}
		}
	}
}
