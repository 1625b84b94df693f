package access

import (
	"encoding/binary"
	"iter"
	"math"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
)

const (
	maxBits   = 5       // the maximum Bits of a swizzle, because there are 32 banks
	maxSearch = 1 << 17 // the maximum number of lanes, in all requests together
)

// An Alternative is a swizzle or a padding that removes bank conflicts, with the wavefronts that the requests then
// need. Layout is the resulting layout.
type Alternative struct {
	Layout     layout.Layout
	Swizzle    layout.Swizzle
	Axis       int   // the axis with the longer stride; -1 for a swizzle
	Pad        int64 // the elements added to the stride; 0 for the original layout
	Wavefronts int64
}

// A search counts the wavefronts of the same requests for many layouts.
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
				return nil, lexer.Refuse("a tile is enough: --view 'narrow(0,0,64)', or remove --all",
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

// merge keeps only one of the phases that differ in bits that are the same in the offsets of all lanes. A swizzle is
// linear over xor: it maps these bits to the same value in all lanes, which exchanges banks and does not change the
// number of wavefronts.
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

// pattern returns a key for the bits that differ between the lanes of a phase. The key is empty if vectors are not
// aligned, because then the lanes of two phases with the same bits may share words in different ways.
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

// wavefronts counts the wavefronts with the offsets that move returns. It returns math.MaxInt64 as soon as the count
// must exceed most.
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

// Swizzles returns the swizzles with the fewest bits that need only as many wavefronts as there are phases. They
// replace the swizzle of the layout. The swizzles with the lowest bits are first, and among these the shortest shifts.
// If every swizzle needs more wavefronts, it returns the first swizzle with the fewest. It tries up to 5 bits and
// shifts of up to 8. The result ideal is the number of phases.
func Swizzles(walks []*Walk) (alternatives []Alternative, ideal int64, err error) {
	s, err := newSearch(walks)
	if err != nil {
		return nil, 0, err
	}
	return s.swizzles(), s.ideal, nil
}

func (s *search) swizzles() []Alternative {
	s.merge()
	affine := s.walks[0].Tensor.Layout().Affine()
	try := func(swizzle layout.Swizzle, most int64) (c Alternative, ok bool) {
		n := s.wavefronts(most, swizzle.Apply)
		if n == math.MaxInt64 {
			return c, false
		}
		l, err := affine.Swizzled(swizzle)
		return Alternative{Layout: l, Swizzle: swizzle, Axis: -1, Wavefronts: n}, err == nil
	}
	best, _ := try(layout.Swizzle{}, math.MaxInt64-1)
	if low, _ := affine.Bounds(); best.Wavefronts == s.ideal || low < 0 {
		return []Alternative{best}
	}
	for bits := 1; bits <= maxBits; bits++ {
		var alternatives []Alternative
		for _, swizzle := range s.candidates(bits) {
			if c, ok := try(swizzle, s.ideal); ok {
				alternatives = append(alternatives, c)
			}
		}
		if alternatives != nil {
			return alternatives
		}
	}
	for bits := 1; bits <= maxBits; bits++ {
		for _, swizzle := range s.candidates(bits) {
			if c, ok := try(swizzle, best.Wavefronts-1); ok {
				best = c
			}
		}
	}
	return []Alternative{best}
}

// candidates returns the swizzles with the given number of bits that do not split vectors, if each of their bits may
// move offsets of the tensor to other banks. Other swizzles are as good as one with fewer bits.
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

// swizzles yields the swizzles to try with the given number of bits. They start at bit 12 or lower and shift by at most
// 8. Swizzles of the lowest bits are first, and among these the shortest shifts.
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

// Pads returns the smallest padding of rows that needs only as many wavefronts as there are phases, or otherwise the
// padding with the fewest wavefronts. Strides longer than a row grow in proportion.
func Pads(walks []*Walk) (alternatives []Alternative, ideal int64, err error) {
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
	best, base := Alternative{Wavefronts: math.MaxInt64}, t.Layout().Base()
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
	return []Alternative{best}, s.ideal, nil
}

// bounds returns the longest vector of the walks, and the most banks.
func (s *search) bounds() (vector, banks int64) {
	for _, w := range s.walks {
		vector, banks = max(vector, w.Vector), max(banks, w.Unit.Banks)
	}
	return vector, banks
}

// rowOf returns the stride of rows and its axis. The stride is the smallest above 1, and all longer strides must be
// multiples of it.
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

// padded returns the layout with longer rows.
func padded(l layout.Layout, row, pad int64) (c Alternative, err error) {
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
