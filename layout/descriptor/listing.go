package descriptor

import (
	"iter"

	"layoutcalc/layout"
	"layoutcalc/layout/finding"
)

// A Listing is the tensors of a file, with totals by type.
type Listing struct {
	Sums layout.Sums    // totals of the tensors with elements, which excludes the inputs and outputs of a model
	Len  int            // the number of tensors
	Rows iter.Seq[*Row] // a Row may be the same variable for all tensors
}

// A Row is a tensor of a listing.
type Row struct {
	Name, Type string
	Role       Role         // the role of an input or an output
	Sizes      []int64      // -1 for an open size
	Open       []string     // the names of open sizes; nil if no size is open
	Bytes      int64        // -1 if they are unknown
	File       string       // relative to the listed file; empty if that has the elements
	Data       finding.Span // the elements in that file; empty if their location is unknown
	Swap       int          // the bytes in each unit to reverse to make the elements little-endian, or 0

	Layout     layout.Layout // the zero Layout for row-major, or if it is unknown
	LayoutName string        // as in the input; may be empty
}

// Count adds a row to the sums and to the number of rows.
func (l *Listing) Count(row *Row) error {
	l.Len++
	if row.Open != nil || row.IsOutside() {
		return nil
	}
	return l.Sums.Add(row.Type, row.Sizes, row.Bytes)
}

// Rows yields rows that are kept.
func Rows(rows []Row) iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		for i := range rows {
			if !yield(&rows[i]) {
				return
			}
		}
	}
}

// IsOutside reports whether the tensor is an input or an output of a model, which has no elements in its file.
func (r *Row) IsOutside() bool { return r.Role != UnknownRole && r.Bytes < 0 }
