package layout

import (
	"cmp"
	"slices"
)

// A Sum is what tensors of one type take together.
type Sum struct {
	Type              string
	Tensors, Elements int64
	Bytes             int64 // of the tensors whose bytes are known
	Unknown           int64 // the tensors whose bytes are not known
}

// Sums add up tensors by their types. The zero Sums have none.
type Sums struct {
	All  Sum
	list []Sum
	at   map[string]int // places in the list
}

// Add adds a tensor. Its bytes are below 0 if they are not known.
func (s *Sums) Add(kind string, sizes []int64, bytes int64) error {
	n, err := ProductOf(sizes)
	i, ok := s.at[kind]
	if !ok {
		if s.at == nil {
			s.at = map[string]int{}
		}
		i = len(s.list)
		s.at[kind], s.list = i, append(s.list, Sum{Type: kind})
	}
	for _, sum := range [...]*Sum{&s.list[i], &s.All} {
		sum.Tensors++
		if bytes < 0 {
			sum.Unknown++
		}
		if err == nil {
			sum.Elements, err = Add(sum.Elements, n)
		}
		if err != nil {
			return NameOverflow("the number of elements", err)
		}
		if sum.Bytes, err = Add(sum.Bytes, max(bytes, 0)); err != nil {
			return NameOverflow("the number of bytes", err)
		}
	}
	return nil
}

// Types returns the sum of each type, that with the most bytes first.
func (s *Sums) Types() []Sum {
	slices.SortStableFunc(s.list, func(a, b Sum) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Type, b.Type))
	})
	for i, sum := range s.list {
		s.at[sum.Type] = i
	}
	return s.list
}
