package draw

import (
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/access"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/wording"
	"layoutcalc/render"
)

const (
	wordBits    = 32 // the width of a bank in a line of shared memory
	lineWords   = 32 // the words in a line of global memory
	sectorWords = 8
	allLanes    = 60 // the maximum number of lanes in a picture: of more lanes, it shows the worst phase
	mostLines   = 32 // the maximum number of lines of global memory
)

// A lanesDrawer makes cells of the words that lanes read.
type lanesDrawer struct {
	tensor layout.Tensor
	finder *analysis.Finder
}

func newLanesDrawer(t layout.Tensor) lanesDrawer {
	return lanesDrawer{t, newPlan(&Options{Cells: screenCells}, t).newFinder(t.Layout())}
}

// cell returns the cell of a word. A lane reads the bits of one or more elements in the word.
func (d *lanesDrawer) cell(r access.Read, word int64) Cell {
	first := max(word*wordBits, r.From) / d.tensor.DType().Bits()
	index, _ := d.finder.First(first)
	return Cell{Index: index, Offset: first}
}

// words returns the first word of a read, and the word behind it.
func words(r access.Read) (first, end int64) {
	return layout.FloorDiv(r.From, wordBits), layout.FloorDiv(r.To-1, wordBits) + 1
}

// Banks draws the words of a request by lane and by bank. A colour is a wavefront: words of one colour are read at
// once.
func Banks(t layout.Tensor, unit *access.Unit, spot access.Spot, caption render.Caption, o Options) *Picture {
	d := newLanesDrawer(t)
	reads, b := slices.Clone(spot.Reads), verdictBoard(&caption, "lane ↓, bank →")
	phases := 1
	for _, r := range reads {
		phases = max(phases, r.Phase+1)
	}
	if len(reads)+phases > allLanes {
		reads = slices.DeleteFunc(reads, func(r access.Read) bool { return r.Phase != spot.Phase })
		b.Notes = []string{"phase " + strconv.Itoa(spot.Phase) + " of " + strconv.Itoa(phases) + " drawn, the worst"}
	}
	slices.SortStableFunc(reads, func(a, b access.Read) int { return a.Phase - b.Phase })
	for bank := range unit.Banks {
		b.Top = append(b.Top, strconv.FormatInt(bank, 10))
	}
	for len(reads) > 0 {
		n := 1
		for n < len(reads) && reads[n].Phase == reads[0].Phase {
			n++
		}
		d.phase(&b, reads[:n], unit.Banks)
		reads = reads[n:]
	}
	pic := newBoards(caption, &o)
	pic.Boards = []Board{b}
	pic.Legends = []string{
		"a number is the line of memory of the word, of " + wording.Count(4*unit.Banks, "byte") +
			"; a color is a wavefront",
		"a color is a wavefront: words of one color are read at once",
	}
	return pic
}

// verdictBoard returns a board with the first line of the caption as its title, which the caption then lacks.
func verdictBoard(caption *render.Caption, axes string) Board {
	verdict := caption.Lines[0]
	caption.Lines = caption.Lines[1:]
	return Board{Title: verdict + " (" + axes + ")"}
}

// phase adds the rows of a phase, and a row with the words of each bank.
func (d *lanesDrawer) phase(b *Board, reads []access.Read, banks int64) {
	seen := make([][]int64, banks) // the words of each bank, in the order of their wavefronts
	for _, r := range reads {
		row, cells := len(b.Cells), make([]Cell, banks)
		for i := range cells {
			cells[i].Kind = Gap
		}
		first, end := words(r)
		for word := first; word < end; word++ {
			bank := word & (banks - 1)
			at := slices.Index(seen[bank], word)
			if at < 0 {
				at = len(seen[bank])
				seen[bank] = append(seen[bank], word)
			}
			c := d.cell(r, word)
			line := strconv.FormatInt(layout.FloorDiv(word, banks), 10)
			c.Tint, c.Text, c.Short = int8(at%tints), line, []string{"•"}
			c.Group = "lane " + strconv.FormatInt(r.Lane, 10)
			c.Words = c.Group + ", bank " + strconv.FormatInt(bank, 10) + ", line " + line + " (byte " +
				strconv.FormatInt(word*4, 10) + "), wavefront " + strconv.Itoa(at) + " of phase " +
				strconv.Itoa(r.Phase)
			cells[bank] = c
		}
		if n := end - first; n > 1 {
			left := int(first & (banks - 1))
			b.Boxes = append(b.Boxes, Box{1, row, left, row + 1, min(left+int(n), int(banks))})
		}
		b.Cells, b.Left = append(b.Cells, cells), append(b.Left, strconv.FormatInt(r.Lane, 10))
	}
	most, sums := 0, make([]Cell, banks)
	for _, list := range seen {
		most = max(most, len(list))
	}
	for bank, list := range seen {
		sums[bank].Kind = Gap
		if len(list) > 0 {
			count := strconv.Itoa(len(list))
			sums[bank] = Cell{
				Offset: list[0] * wordBits / d.tensor.DType().Bits(), Tint: -1, Text: count,
				Words: "bank " + strconv.Itoa(bank) + " has " + wording.Count(len(list), "word") + " of phase " +
					strconv.Itoa(reads[0].Phase),
			}
		}
		if most > 1 && len(list) == most {
			sums[bank].Mark = bank + 1
		}
	}
	b.Cells, b.Left = append(b.Cells, sums), append(b.Left, "words")
}

// Sectors draws the lines of global memory that a request reads. A colour is a sector, and a hatched word is moved
// without need.
func Sectors(t layout.Tensor, spot access.Spot, caption render.Caption, o Options) *Picture {
	d := newLanesDrawer(t)
	readers := map[int64][]access.Read{} // from a word to its readers
	var lines, sectors []int64
	for _, r := range spot.Reads {
		first, end := words(r)
		for word := first; word < end; word++ {
			readers[word] = append(readers[word], r)
			lines = append(lines, layout.FloorDiv(word, lineWords))
			sectors = append(sectors, layout.FloorDiv(word, sectorWords))
		}
	}
	slices.Sort(lines)
	slices.Sort(sectors)
	lines, sectors = slices.Compact(lines), slices.Compact(sectors)
	b := verdictBoard(&caption, "byte ↓, word of 4 bytes →")
	for word := range int64(lineWords) {
		b.Top = append(b.Top, strconv.FormatInt(word, 10))
	}
	if n := len(lines); n > mostLines {
		lines = lines[:mostLines]
		b.Notes = []string{render.Group(int64(mostLines)) + " of " + render.Counted(int64(n), "line") + " drawn"}
	}
	for row, line := range lines {
		cells := make([]Cell, lineWords)
		for i := range cells {
			word := line*lineWords + int64(i)
			sector := layout.FloorDiv(word, sectorWords)
			number, moved := slices.BinarySearch(sectors, sector)
			switch of := readers[word]; {
			case !moved:
				cells[i].Kind = Gap
			case of == nil:
				cells[i] = Cell{
					Kind: Padding, Offset: word * wordBits / t.DType().Bits(), Tint: -1,
					Words: "byte " + strconv.FormatInt(word*4, 10) + ": moved, and not read",
				}
			default:
				cells[i] = d.cell(of[0], word)
				cells[i].Tint = int8(number % tints)
				cells[i].Text, cells[i].Short = lanesText(of)
				cells[i].Group = "lane " + strconv.FormatInt(of[0].Lane, 10)
				cells[i].Words = lanesWords(of) + ", byte " + strconv.FormatInt(word*4, 10) + ", sector " +
					strconv.FormatInt(sector, 10)
			}
		}
		for left := 0; left < lineWords; left += sectorWords {
			if _, moved := slices.BinarySearch(sectors, line*lineWords/sectorWords+int64(left/sectorWords)); moved {
				b.Boxes = append(b.Boxes, Box{1, row, left, row + 1, left + sectorWords})
			}
		}
		b.Cells = append(b.Cells, cells)
		b.Left = append(b.Left, strconv.FormatInt(line*lineWords*4, 10))
	}
	pic := newBoards(caption, &o)
	pic.Boards = []Board{b}
	legend := "a number is the lane that reads the word; a frame is a sector of 32 bytes; " +
		"hatched words are moved, and not read"
	pic.Legends = []string{legend, legend}
	return pic
}

// lanesText returns the text for the lanes that read a word, and shorter strings.
func lanesText(of []access.Read) (text string, short []string) {
	first, more := strconv.FormatInt(of[0].Lane, 10), len(of)-1
	switch {
	case more == 0:
		return first, nil
	case more == 1:
		return first + "," + strconv.FormatInt(of[1].Lane, 10), []string{first}
	}
	return first + "+" + strconv.Itoa(more), []string{first}
}

// lanesWords names the lanes that read a word.
func lanesWords(of []access.Read) string {
	var names []string
	for _, r := range of {
		names = append(names, strconv.FormatInt(r.Lane, 10))
	}
	if len(names) == 1 {
		return "lane " + names[0]
	}
	return "lanes " + strings.Join(names, ", ")
}
