package values

import (
	"context"
	"sort"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
)

// A Search is the result of a search for maps that give one storage all elements of a tensor.
type Search struct {
	Why     string // why no map was tried; empty if some were
	Tried   int    // the number of distinct maps that were tried
	Checked int    // the number of maps that were compared on every element
	Fits    []Fit  // maps that fit every element, the simplest first
	More    bool   // other maps fit the samples, and were not compared on every element
}

// A Fit is a map that gives a storage all elements of a tensor.
type Fit struct {
	Map
	Padded bool // the storage has offsets without elements
	Zero   bool // all of these are 0
}

const (
	wanted     = 4       // fits to find; up to this number, maps are few
	mostReads  = 300_000 // elements that samples read of the storage
	mostSparse = 4096    // elements of the samples of a whole tensor
)

// Find searches for maps that give the storage of b all elements of a. The layout of b does not matter, but its
// elements must be as wide as the elements of a.
//
// Samples of the elements of a rule out most maps. They are spread over all indices, and rare values come first,
// because every map fits common values by chance. Maps that are left are compared on every element. If a difference is
// known, the first sample is its index: it rules out that nothing moved.
func Find(ctx context.Context, a, b Data, first *Difference) (*Search, error) {
	s, err := find(ctx, a, b, first, tileBytes)
	return &s, err
}

// find is like Find, but takes the size of tiles in bytes.
func find(ctx context.Context, a, b Data, first *Difference, tileBytes int64) (s Search, err error) {
	l := a.Tensor.Layout()
	switch {
	case l.Empty():
		s.Why = "there are no elements"
	case len(longAxes(l)) > maxAxes:
		s.Why = "the tensor has more than 6 axes of a size above 1"
	}
	if s.Why != "" {
		return s, nil
	}
	left, err := maps(a.Tensor, b.Bytes)
	if err != nil {
		return s, err
	}
	s.Tried = len(left)
	f := finder{a: a, b: b, tileBytes: tileBytes, reads: mostReads}
	if first != nil {
		if left, err = f.filter(left, []sample{{index: first.Index, value: string(first.A)}}); err != nil {
			return s, err
		}
	}
	if left, err = f.sample(ctx, left); err != nil {
		return s, err
	}
	for len(left) > 0 && len(s.Fits) < wanted {
		m := left[0]
		s.Checked++
		wrong, err := f.check(ctx, &m)
		if err != nil {
			return s, err
		}
		if left = left[1:]; wrong != nil {
			left, err = f.without(left, *wrong)
		} else {
			fit := Fit{Map: m}
			fit.Padded, fit.Zero, err = f.padding(ctx, &m)
			s.Fits = append(s.Fits, fit)
		}
		if err != nil {
			return s, err
		}
	}
	s.More = len(left) > 0
	return s, nil
}

// A finder rules out maps from the storage of a to the storage of b.
type finder struct {
	a, b      Data
	tileBytes int64
	reads     int // the remaining number
}

// A sample is an element of a.
type sample struct {
	index []int64
	value string
	count int // the number of samples with the value

	offset int64 // in the storage of b, under a map that the element does not fit
}

// under returns the elements of b under a map.
func (f *finder) under(m *Map) (Data, error) {
	d := f.b
	if m.Swapped {
		if unit := layout.SwapUnit(f.a.Tensor.DType()); d.Swap > 0 {
			d.Swap = 0
		} else {
			d.Swap = unit
		}
	}
	var err error
	d.Tensor, err = layout.NewTensor(m.layout, f.a.Tensor.DType())
	return d, err
}

// sample returns the maps that fit samples, which grow until few maps are left.
func (f *finder) sample(ctx context.Context, left []Map) ([]Map, error) {
	elements := f.a.Tensor.Layout().Elements()
	for n := int64(256); len(left) > 0; n *= 16 {
		list, err := f.spread(min(n, elements))
		if err != nil {
			return nil, err
		}
		common := list[len(list)-1]
		if left, err = f.filter(left, list); err != nil {
			return nil, err
		}
		switch {
		case len(left) <= wanted || n >= elements:
			return left, nil
		case common.count*4 > len(list)*3 && (common.count == len(list) || n >= 1<<12):
			return f.sparse(ctx, left, common.value)
		case n >= 1<<16 || f.reads <= 0:
			return left, nil
		}
	}
	return left, nil
}

// sparse returns the maps that fit the elements of both sides with a value that differs from a common one.
func (f *finder) sparse(ctx context.Context, left []Map, common string) ([]Map, error) {
	f.reads = mostReads
	list, err := f.others(ctx, f.a, common)
	if err != nil {
		return nil, err
	}
	if left, err = f.filter(left, list); len(left) <= wanted || err != nil {
		return left, err
	}
	stored := f.b
	n := stored.Bytes * 8 / f.a.Tensor.DType().Bits()
	l, err := layout.Strided(0, []int64{n}, []int64{1})
	if err == nil {
		stored.Tensor, err = layout.NewTensor(l, f.a.Tensor.DType())
	}
	if err == nil {
		list, err = f.others(ctx, stored, common)
	}
	if err != nil {
		return nil, err
	}
	return f.filterBack(left, list)
}

// filterBack returns the maps that give a the samples of the storage of b. The indices of these samples are offsets.
func (f *finder) filterBack(left []Map, list []sample) (fit []Map, err error) {
	bytes := layout.CeilDiv(f.a.Tensor.DType().Bits(), 8)
	x, y := make([]byte, bytes), make([]byte, bytes)
	for i := range left {
		d, err := f.under(&left[i])
		if err != nil {
			return nil, err
		}
		inverse, fits := analysis.NewInverse(left[i].layout), true
		for k := 0; fits && k < len(list); k++ {
			found := inverse.At(list[k].index[0], 1).Indices
			if len(found) == 0 {
				continue // padding
			}
			offset, err := f.a.Tensor.Layout().Offset(found[0])
			if err == nil {
				err = f.a.read(x, offset)
			}
			if err == nil {
				err = d.read(y, list[k].index[0])
			}
			if err != nil {
				return nil, err
			}
			fits = string(x) == string(y)
		}
		if fits {
			fit = append(fit, left[i])
		}
	}
	return fit, nil
}

// spread returns n elements spread over all indices. Elements with rare values are first.
func (f *finder) spread(n int64) ([]sample, error) {
	l := f.a.Tensor.Layout()
	sizes, elements := l.Sizes(), l.Elements()
	list := make([]sample, n)
	counts, random := map[string]int{}, uint64(n)
	value := make([]byte, layout.CeilDiv(f.a.Tensor.DType().Bits(), 8))
	for i := range list {
		// One element of each part, at a position that no period of the data can share.
		from, to := share(elements, int64(i), n), share(elements, int64(i)+1, n)
		random = random*6364136223846793005 + 1442695040888963407
		index := indexOf(sizes, from+int64(random>>33)%(to-from))
		offset, err := l.Offset(index)
		if err != nil {
			return nil, err
		}
		if err := f.a.read(value, offset); err != nil {
			return nil, err
		}
		list[i] = sample{index: index, value: string(value)}
		counts[list[i].value]++
	}
	for i := range list {
		list[i].count = counts[list[i].value]
	}
	sort.SliceStable(list, func(i, k int) bool { return list[i].count < list[k].count })
	return list, nil
}

// share returns where part i of n parts of a number of elements starts. It does not overflow.
func share(elements, i, n int64) int64 { return elements/n*i + elements%n*i/n }

// filter returns the maps that give b the samples.
func (f *finder) filter(left []Map, list []sample) (fit []Map, err error) {
	value := make([]byte, layout.CeilDiv(f.a.Tensor.DType().Bits(), 8))
	for i := range left {
		d, err := f.under(&left[i])
		if err != nil {
			return nil, err
		}
		fits := true
		for k := 0; fits && k < len(list) && f.reads > 0; k++ {
			offset, err := d.Tensor.Layout().Offset(list[k].index)
			if err != nil {
				return nil, err
			}
			if err := d.read(value, offset); err != nil {
				return nil, err
			}
			fits = string(value) == list[k].value
			f.reads--
		}
		if fits {
			fit = append(fit, left[i])
		}
	}
	return fit, nil
}

// others reads a tensor, and returns elements with values that differ from a common one, spread over all of them.
func (f *finder) others(ctx context.Context, d Data, common string) (list []sample, err error) {
	bits, every, n := d.Tensor.DType().Bits(), 1, 0
	run := strings.Repeat(common, max(4096/len(common), 1))
	if bits < 8 {
		run = strings.Repeat(string([]byte{common[0] | common[0]<<4}), 4096)
	}
	take := func(t tile, number int64, value []byte) {
		if n++; n%every == 0 {
			list = append(list, sample{index: t.index(number), value: string(value)})
		}
		if len(list) == 2*mostSparse {
			for i := range mostSparse {
				list[i] = list[2*i+1]
			}
			list, every = list[:mostSparse], 2*every
		}
	}
	value := make([]byte, len(common))
	w := newWalk(f.tileBytes, d)
	err = w.run(ctx, func(tile) bool { return true }, func(t tile, elements [][]byte) bool {
		data, all := elements[0], t.elements()
		for at := 0; at < len(data); at += len(run) {
			piece := data[at:min(at+len(run), len(data))]
			if string(piece) == run[:len(piece)] {
				continue
			}
			for i := range min(int64(len(piece))*8/bits, all-int64(at)*8/bits) {
				if element(value, piece, i, bits); string(value) != common {
					take(t, int64(at)*8/bits+i, value)
				}
			}
		}
		return true
	})
	return list, err
}

// element sets value to element i of packed data.
func element(value, data []byte, i, bits int64) {
	if bits < 8 {
		value[0] = data[i*bits/8] >> (i * bits % 8) & (1<<bits - 1)
		return
	}
	copy(value, data[i*bits/8:])
}

// elements returns the number of indices in a tile.
func (t tile) elements() int64 {
	n := int64(1)
	for i := range t.lo {
		n *= t.hi[i] - t.lo[i]
	}
	return n
}

// without returns the maps that fit an element that did not fit another map: at its index, and at its offset in the
// storage of b.
func (f *finder) without(left []Map, wrong sample) ([]Map, error) {
	f.reads = mostReads
	left, err := f.filter(left, []sample{wrong})
	if err != nil {
		return nil, err
	}
	return f.filterBack(left, []sample{{index: []int64{wrong.offset}}})
}

// check compares a map on every element. It returns an element that does not fit, or nil if all do. It is called for
// one map at a time, because tiles cannot be long contiguous pieces under several maps.
func (f *finder) check(ctx context.Context, m *Map) (wrong *sample, err error) {
	d, err := f.under(m)
	if err != nil {
		return nil, err
	}
	w, bits := newWalk(f.tileBytes, f.a, d), f.a.Tensor.DType().Bits()
	err = w.run(ctx, func(tile) bool { return true }, func(t tile, elements [][]byte) bool {
		at := firstElement(elements[0], elements[1], bits)
		if at < 0 {
			return true
		}
		value := make([]byte, layout.CeilDiv(bits, 8))
		element(value, elements[0], at, bits)
		wrong = &sample{index: t.index(at), value: string(value)}
		wrong.offset, _ = m.layout.Offset(wrong.index)
		return false
	})
	return wrong, err
}

// padding reports whether the storage of a map has offsets without elements, and whether all of these are 0.
func (f *finder) padding(ctx context.Context, m *Map) (padded, zero bool, err error) {
	l, padded, err := m.padding(f.a.Tensor.DType().Bits())
	if !padded || err != nil {
		return padded, false, err
	}
	d := f.b
	if d.Tensor, err = layout.NewTensor(l, f.a.Tensor.DType()); err != nil {
		return padded, false, err
	}
	zero = true
	w := newWalk(f.tileBytes, d)
	err = w.run(ctx, func(tile) bool { return true }, func(_ tile, elements [][]byte) bool {
		for _, b := range elements[0] {
			zero = zero && b == 0
		}
		return zero
	})
	return padded, zero, err
}
