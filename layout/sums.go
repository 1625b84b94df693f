package layout

import (
	"cmp"
	"slices"
)

// A Sum is the total of the tensors of one type.
type Sum struct {
	Type              string
	Tensors, Elements int64
	Bytes             int64 // the bytes of the tensors with known bytes
	Unknown           int64 // the number of tensors with unknown bytes
}

// Sums adds up tensors by type. The zero Sums is empty.
type Sums struct {
	All  Sum
	list []Sum
	at   map[string]int // indices in the list
	last int            // the index of the last type that was added
}

// Add adds a tensor. Its bytes are negative if they are unknown.
func (s *Sums) Add(kind string, sizes []int64, bytes int64) error {
	n, err := ProductOf(sizes)
	i, ok := s.last, s.last < len(s.list) && s.list[s.last].Type == kind // many tensors in a row have one type
	if !ok {
		i, ok = s.at[kind]
	}
	if !ok {
		if s.at == nil {
			s.at = map[string]int{}
		}
		i = len(s.list)
		s.at[kind], s.list = i, append(s.list, Sum{Type: kind})
	}
	s.last = i
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

// Types returns the sum of each type, the one with the most bytes first.
func (s *Sums) Types() []Sum {
	slices.SortStableFunc(s.list, func(a, b Sum) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Type, b.Type))
	})
	for i, sum := range s.list {
		s.at[sum.Type] = i
	}
	return s.list
}
