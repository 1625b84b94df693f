package access

import (
	"math"
	"math/bits"
	"slices"

	"layoutcalc/layout"
)

// A Unit is a kind of instruction. It determines in which order lanes are served, and which banks they read.
type Unit struct {
	Name  string
	About string
	Lanes int   // lanes per warp
	Banks int64 // the number of banks; each is 4 bytes wide
	Bytes int64 // the bytes that a lane reads; 0 for any number

	// bits determines the phase of a lane: bit i of the phase is the parity of lane & bits[i]. Without bits, lanes are
	// served in their order. A phase has the number of lanes that read all banks once.
	bits []uint8
}

// Units lists the instructions. The first is the one of NVIDIA's GPUs; the others are AMD's.
var Units = [...]Unit{
	{"cuda", "32 lanes, served 128 bytes at a time in their order", 32, 32, 0, nil},
	{"ds_read_b32", "64 lanes of 4 bytes", 64, 32, 4, nil},
	{"ds_read_b64", "64 lanes of 8 bytes", 64, 32, 8, nil},
	{"ds_read_b128", "64 lanes of 16 bytes, 8 at a time", 64, 32, 16, []uint8{1 << 5, 1<<2 | 1<<4, 1 << 3}},
	{"ds_read_b128/64", "the same with 64 banks, 16 at a time", 64, 64, 16, []uint8{1 << 5, 1<<2 | 1<<3 | 1<<4}},
}

// phase returns the phase of a lane that reads the given number of bytes.
func (u *Unit) phase(lane int, bytes int64) int {
	if u.bits == nil {
		return lane / int(min(u.Banks, 4*u.Banks/bytes))
	}
	phase := 0
	for i, mask := range u.bits {
		phase |= bits.OnesCount8(uint8(lane)&mask) & 1 << i
	}
	return phase
}

// A Cost is the cost of one or more requests.
type Cost struct {
	Requests   int64
	Phases     int64 // the ideal number of wavefronts: one per phase
	Wavefronts int64 // passes over the banks
	Ways       int64 // the maximum number of different words that a phase reads from one bank
	Sectors    int64 // sectors have 32 bytes
	Lines      int64 // of 128 bytes
	Used       int64 // different bytes that lanes read
	Ideal      int64 // the fewest sectors that hold those
}

// Moved returns the bytes of the sectors.
func (c Cost) Moved() int64 { return c.Sectors * sectorSize }

func (c *Cost) add(o Cost) {
	c.Requests += o.Requests
	c.Phases += o.Phases
	c.Wavefronts += o.Wavefronts
	c.Ways = max(c.Ways, o.Ways)
	c.Sectors += o.Sectors
	c.Lines += o.Lines
	c.Used += o.Used
	c.Ideal += o.Ideal
}

// A Spot is the bank with the most words in one phase of a request.
type Spot struct {
	Index []int64 // the index of the request's first element
	Phase int
	Bank  int64
	Words []Word // the words in all banks, in the order of the lanes
	Reads []Read // all reads of the request
}

// A Read is a lane's part of a request: the bits of the storage from From to To, To not included.
type Read struct {
	Lane     int64
	Phase    int // the phase that serves the lane
	From, To int64
}

// A Word is 4 bytes of shared memory with the lanes that read them in a phase.
type Word struct {
	At    int64 // counted from the start of the storage
	Bank  int64
	Lanes []int64
}

// A Total is the cost of all requests of a walk, the cost of the worst request, and the worst bank in it.
type Total struct {
	Cost
	Worst Cost
	Spot  Spot
}

// Count returns the cost of the walk. The worst request is the first with the most wavefronts. If several have the most
// wavefronts, it is the first of them with the most sectors.
func (w *Walk) Count() Total {
	var t Total
	var worst Request
	c := newCounter(w)
	for r := range w.Requests() {
		cost := c.count(r)
		t.add(cost)
		if more := cost.Wavefronts - t.Worst.Wavefronts; more > 0 || more == 0 && cost.Sectors > t.Worst.Sectors {
			t.Worst = cost
			worst = Request{append(worst.Index[:0], r.Index...), append(worst.offsets[:0], r.offsets...)}
		}
	}
	t.Spot = c.spot(worst)
	return t
}

// A counter counts the cost of requests.
type counter struct {
	unit   *Unit
	layout layout.Layout
	bits   int64 // bits per element
	read   int64 // bits that a lane reads
	bytes  int64
	phases [][]int64 // the first bit of each lane of each phase
	starts []int64   // the first bit of each lane, for all lanes
	banks  banks
}

func newCounter(w *Walk) *counter {
	bits := w.Tensor.DType().Bits()
	return &counter{unit: w.Unit, layout: w.Tensor.Layout(), bits: bits, read: w.Vector * bits, bytes: w.Bytes()}
}

// place finds the first bit and the phase of each lane.
func (c *counter) place(r Request) {
	c.starts = c.starts[:0]
	for i := range c.phases {
		c.phases[i] = c.phases[i][:0]
	}
	for lane, affine := range r.offsets {
		if affine == idle {
			continue
		}
		bit, phase := c.layout.Swizzle(affine)*c.bits, c.unit.phase(lane, c.bytes)
		for phase >= len(c.phases) {
			c.phases = append(c.phases, nil)
		}
		c.phases[phase] = append(c.phases[phase], bit)
		c.starts = append(c.starts, bit)
	}
}

// count returns the cost of a request.
func (c *counter) count(r Request) Cost {
	c.place(r)
	cost := Cost{Requests: 1}
	for _, starts := range c.phases {
		if len(starts) == 0 {
			continue
		}
		ways, _ := c.banks.count(starts, c.read, c.unit.Banks)
		cost.Phases++
		cost.Wavefronts += ways
		cost.Ways = max(cost.Ways, ways)
	}
	slices.Sort(c.starts)
	cost.Sectors, cost.Lines = c.pieces(8*sectorSize), c.pieces(8*lineSize)
	cost.Used = c.pieces(8)
	cost.Ideal = layout.CeilDiv(cost.Used, sectorSize)
	return cost
}

// pieces returns how many pieces of memory with size bits the lanes read. The first bits of the lanes must be sorted.
func (c *counter) pieces(size int64) (n int64) {
	next := int64(math.MinInt64)
	for _, start := range c.starts {
		first, last := layout.FloorDiv(start, size), layout.FloorDiv(start+c.read-1, size)
		n += max(last+1-max(first, next), 0)
		next = max(next, last+1)
	}
	return n
}

// spot returns the bank with the most words in one phase of a request, and all words of the phase.
func (c *counter) spot(r Request) Spot {
	c.place(r)
	s, most := Spot{Index: r.Index}, int64(0)
	for phase, starts := range c.phases {
		if len(starts) == 0 {
			continue
		}
		if ways, bank := c.banks.count(starts, c.read, c.unit.Banks); ways > most {
			most, s.Phase, s.Bank = ways, phase, bank
		}
	}
	for lane, affine := range r.offsets {
		if affine == idle {
			continue
		}
		bit, phase := c.layout.Swizzle(affine)*c.bits, c.unit.phase(lane, c.bytes)
		s.Reads = append(s.Reads, Read{int64(lane), phase, bit, bit + c.read})
		if phase != s.Phase {
			continue
		}
		for at := bit >> 5; at <= (bit+c.read-1)>>5; at++ {
			i := slices.IndexFunc(s.Words, func(w Word) bool { return w.At == at })
			if i < 0 {
				i, s.Words = len(s.Words), append(s.Words, Word{At: at, Bank: at & (c.unit.Banks - 1)})
			}
			s.Words[i].Lanes = append(s.Words[i].Lanes, int64(lane))
		}
	}
	return s
}

// Conflict returns the lanes that read the bank of a spot, and how many different words they read.
func (s Spot) Conflict() (lanes []int64, words int) {
	for _, w := range s.Words {
		if w.Bank == s.Bank {
			words++
			lanes = append(lanes, w.Lanes...)
		}
	}
	slices.Sort(lanes)
	return slices.Compact(lanes), words
}

// A banks counts the words of a phase in each bank. It keeps the words that it has seen in a table. A mark on each
// entry shows which phase it belongs to.
type banks struct {
	seen  [512]struct{ word, mark int64 }
	mark  int64
	words [64]uint8
}

// count returns the maximum number of different words in one bank, and the first such bank. Each lane reads the given
// number of bits, starting at its entry in starts. There are n banks.
func (b *banks) count(starts []int64, read, n int64) (ways, bank int64) {
	b.mark++
	b.words = [64]uint8{}
	for _, start := range starts {
		for word := start >> 5; word <= (start+read-1)>>5; word++ {
			if b.has(word) {
				continue
			}
			at := word & (n - 1)
			b.words[at]++
			if of := int64(b.words[at]); of > ways || of == ways && at < bank {
				ways, bank = of, at
			}
		}
	}
	return ways, bank
}

// has adds a word to the words of the phase, and reports whether it was there already.
func (b *banks) has(word int64) bool {
	const odd = 0x9E3779B97F4A7C15 // spreads multiples of powers of two over the table
	for i := uint64(word) * odd >> 55; ; i = (i + 1) % uint64(len(b.seen)) {
		switch e := &b.seen[i]; {
		case e.mark != b.mark:
			e.word, e.mark = word, b.mark
			return false
		case e.word == word:
			return true
		}
	}
}
