package access

import (
	"encoding/binary"
	"iter"
	"math"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
)

const (
	maxBits   = 5       // of a swizzle that is tried: there are 32 banks
	maxSearch = 1 << 17 // lanes of all requests that are tried
)

// A Cure is a swizzle or a padding, with the wavefronts that requests then take. The layout has it.
type Cure struct {
	Layout     layout.Layout
	Swizzle    layout.Swizzle
	Axis       int   // whose stride is longer, by Pad elements; -1 for a swizzle
	Pad        int64 // 0 for the layout as it is
	Wavefronts int64
}

// A search is the phases of requests whose wavefronts are counted for one layout after another.
type search struct {
	walks  []*Walk
	phases []phase
	banks  banks
	ideal  int64
	buffer []int64
}

// A phase is the lanes that are served at a time.
type phase struct {
	walk   *Walk
	starts []int64 // the offsets of the lanes, inside any swizzle
	times  int64   // how many phases it stands for
}

// newSearch returns a search over the requests of walks of one tensor.
func newSearch(walks []*Walk) (*search, error) {
	s, lanes := &search{walks: walks}, 0
	for _, w := range walks {
		for r := range w.Requests() {
			if lanes += len(r.offsets); lanes > maxSearch {
				return nil, lexer.Refuse("a tile is enough: --view 'narrow(0,0,64)', or leave out --all",
					"the requests have more than %d lanes, too many to try layouts with", maxSearch)
			}
			phases := map[int]int{}
			for lane, offset := range r.offsets {
				if offset == idle {
					continue
				}
				n := w.Unit.phase(lane, w.Bytes())
				if _, ok := phases[n]; !ok {
					phases[n] = len(s.phases)
					s.phases = append(s.phases, phase{walk: w, times: 1})
				}
				p := &s.phases[phases[n]]
				p.starts = append(p.starts, offset)
			}
		}
	}
	s.ideal = int64(len(s.phases))
	return s, nil
}

// merge leaves one of the phases that differ in bits of the offsets of all lanes alone. A swizzle is linear over xor:
// it moves these bits to the same others in all lanes, which exchanges banks, and the phases take as many wavefronts.
func (s *search) merge() {
	var kept []phase
	places := map[string]int{}
	for _, p := range s.phases {
		key := p.pattern()
		i, ok := places[key]
		if ok && key != "" {
			kept[i].times++
			continue
		}
		places[key] = len(kept)
		kept = append(kept, p)
	}
	s.phases = kept
}

// pattern returns a text for the bits in which the lanes of a phase differ: empty where vectors are not aligned, and
// the lanes of two such phases may share words in other ways.
func (p phase) pattern() string {
	bits, vector := p.walk.Tensor.DType().Bits(), p.walk.Vector
	key := binary.AppendUvarint(nil, uint64(bits*vector))
	for _, start := range p.starts {
		if start < 0 || start%vector != 0 || bits&(bits-1) != 0 || vector&(vector-1) != 0 {
			return ""
		}
		key = binary.AppendUvarint(key, uint64(start^p.starts[0]))
	}
	return string(key)
}

// wavefronts counts the wavefronts with other offsets, up to the first phase after which there are more than most.
func (s *search) wavefronts(most int64, move func(int64) int64) int64 {
	n, left := int64(0), s.ideal
	for _, p := range s.phases {
		bits := p.walk.Tensor.DType().Bits()
		s.buffer = s.buffer[:0]
		for _, offset := range p.starts {
			s.buffer = append(s.buffer, move(offset)*bits)
		}
		ways, _ := s.banks.count(s.buffer, p.walk.Vector*bits, p.walk.Unit.Banks)
		left -= p.times
		if n += ways * p.times; n+left > most {
			return math.MaxInt64
		}
	}
	return n
}

// Swizzles returns the swizzles of the fewest bits, in place of those of the layout, with which all requests of the
// walks take as few wavefronts as there are phases; the one with the lowest bits first, then the one with the shortest
// shift. If there is none, it returns the first of those with the fewest wavefronts. It tries up to 5 bits that are
// shifted by up to 8. Ideal is the number of phases.
func Swizzles(walks []*Walk) (cures []Cure, ideal int64, err error) {
	s, err := newSearch(walks)
	if err != nil {
		return nil, 0, err
	}
	return s.swizzles(), s.ideal, nil
}

func (s *search) swizzles() []Cure {
	s.merge()
	affine := s.walks[0].Tensor.Layout().Affine()
	try := func(swizzle layout.Swizzle, most int64) (c Cure, ok bool) {
		n := s.wavefronts(most, swizzle.Apply)
		if n == math.MaxInt64 {
			return c, false
		}
		l, err := affine.Swizzled(swizzle)
		return Cure{Layout: l, Swizzle: swizzle, Axis: -1, Wavefronts: n}, err == nil
	}
	best, _ := try(layout.Swizzle{}, math.MaxInt64-1)
	if low, _ := affine.Bounds(); best.Wavefronts == s.ideal || low < 0 {
		return []Cure{best}
	}
	for bits := 1; bits <= maxBits; bits++ {
		var cures []Cure
		for _, swizzle := range s.candidates(bits) {
			if c, ok := try(swizzle, s.ideal); ok {
				cures = append(cures, c)
			}
		}
		if cures != nil {
			return cures
		}
	}
	for bits := 1; bits <= maxBits; bits++ {
		for _, swizzle := range s.candidates(bits) {
			if c, ok := try(swizzle, best.Wavefronts-1); ok {
				best = c
			}
		}
	}
	return []Cure{best}
}

// candidates returns the swizzles of so many bits that keep vectors whole, and of which each bit may move offsets of
// the tensor to other banks. Others are as good as one of fewer bits.
func (s *search) candidates(bits int) (list []layout.Swizzle) {
	t := s.walks[0].Tensor
	_, high := t.Layout().Affine().Bounds()
	vector, banks := s.bounds()
	for swizzle := range swizzles(bits) {
		isWhole, reads := int64(1)<<swizzle.Base >= vector, high>>(swizzle.Read()+bits-1) != 0
		if isWhole && reads && t.DType().Bits()<<(swizzle.Written()+bits-1) < 32*banks {
			list = append(list, swizzle)
		}
	}
	return list
}

// swizzles yields the swizzles of so many bits that are tried: from bit 12 at most, shifted by up to 8. Those of the
// lowest bits are first, then those of the shortest shifts.
func swizzles(bits int) iter.Seq[layout.Swizzle] {
	return func(yield func(layout.Swizzle) bool) {
		for base := 0; base <= 12; base++ {
			for apart := bits; apart <= 8; apart++ {
				for _, shift := range [...]int{apart, -apart} {
					if !yield(layout.Swizzle{Bits: bits, Base: base, Shift: shift}) {
						return
					}
				}
			}
		}
	}
}

// Pads returns the least padding of rows with which all requests of the walks take as few wavefronts as there are
// phases, or if there is none the one with the fewest. Longer strides grow as the rows do.
func Pads(walks []*Walk) (cures []Cure, ideal int64, err error) {
	s, err := newSearch(walks)
	if err != nil {
		return nil, 0, err
	}
	t := walks[0].Tensor
	row, axis, err := rowOf(t.Layout())
	if err != nil {
		return nil, 0, err
	}
	step, banks := s.bounds()
	best, base := Cure{Wavefronts: math.MaxInt64}, t.Layout().Base()
	for pad := int64(0); pad*t.DType().Bits() < 32*banks && best.Wavefronts > s.ideal; pad += step {
		n := s.wavefronts(best.Wavefronts-1, func(offset int64) int64 {
			return offset + layout.FloorDiv(offset-base, row)*pad
		})
		if n == math.MaxInt64 {
			continue
		}
		if best, err = padded(t.Layout(), row, pad); err != nil {
			return nil, 0, err
		}
		best.Axis, best.Wavefronts = axis, n
	}
	return []Cure{best}, s.ideal, nil
}

// bounds returns the longest vector of the walks, and the most banks.
func (s *search) bounds() (vector, banks int64) {
	for _, w := range s.walks {
		vector, banks = max(vector, w.Vector), max(banks, w.Unit.Banks)
	}
	return vector, banks
}

// rowOf returns the stride of rows, the least above 1, of which all longer strides are multiples, and its axis.
func rowOf(l layout.Layout) (row int64, axis int, err error) {
	runs, _ := l.Runs(nil)
	layout.SortRuns(runs)
	reach, isPlain := int64(0), !l.IsSwizzled()
	for _, r := range runs {
		if row == 0 && r.Stride > 1 {
			row, axis = r.Stride, r.Axis
			isPlain = isPlain && reach < row
		}
		isPlain = isPlain && !r.Reversed && (row == 0 || r.Stride%row == 0)
		reach += r.Reach()
	}
	if row == 0 || !isPlain {
		return 0, 0, lexer.Refuse("--try swizzles",
			"pads are for rows without a swizzle, whose strides are multiples of one")
	}
	return row, axis, nil
}

// padded returns the layout whose rows are longer.
func padded(l layout.Layout, row, pad int64) (c Cure, err error) {
	axes := l.Axes()
	for i, a := range axes {
		digits := a.DigitList()
		for k := range digits {
			digits[k].Stride += digits[k].Stride / row * pad
		}
		axes[i] = layout.NewAxis(a.Name(), a.Size(), digits...)
	}
	c.Pad = pad
	c.Layout, err = layout.New(l.Base(), axes...)
	return c, err
}
