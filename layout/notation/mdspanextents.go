package notation

import (
	"slices"

	"layoutcalc/layout"
)

// braced returns the list in braces behind a type, as in std::array<int, 2>{5, 1}.
func braced(v value) value {
	for _, open := range []byte{'{', '('} {
		if args, ok := v.arguments(open); ok {
			return value{at: v.at, kind: list, list: args}
		}
	}
	return v
}

// extents returns the sizes of std::extents<int, 2, 3>, of std::dextents<int, 2>(2, 3), or of a
// list.
func (r *reader) extents(v value) []int64 {
	if v.kind == list {
		return r.ints(v, "extents")
	}
	values := braced(v)
	if values.kind != list {
		values = value{at: v.at, kind: list}
	}
	return r.filledExtents(v, values)
}

// filledExtents returns the extents of a type. The values are all of them, or those of run time.
func (r *reader) filledExtents(v, values value) []int64 {
	sizes := r.typeExtents(v)
	given := r.ints(values, "extents")
	dynamic := 0
	for _, size := range sizes {
		if size < 0 {
			dynamic++
		}
	}
	switch {
	case len(given) == len(sizes):
		return given
	case len(given) != dynamic:
		r.fail(v.at, "such as std::dextents<int, 2>(2, 3)", "%d extents are dynamic, and %d are given", dynamic, len(given))
		return nil
	}
	for i, size := range sizes {
		if size < 0 {
			sizes[i], given = given[0], given[1:]
		}
	}
	return sizes
}

// typeExtents returns the arguments of std::extents, -1 for those of run time.
func (r *reader) typeExtents(v value) []int64 {
	args, _ := v.arguments('<')
	switch last := v.last(); {
	case last == "dextents" && len(args) == 2 && args[1].kind == number && 0 <= args[1].n && args[1].n <= layout.MaxRank:
		return slices.Repeat([]int64{-1}, int(args[1].n))
	case last != "extents" || len(args) == 0:
		r.fail(v.at, "such as std::extents<int, 2, 3>", "extents are expected here")
		return nil
	}
	sizes := make([]int64, len(args)-1)
	for i, e := range args[1:] {
		if sizes[i] = -1; e.last() != "dynamic_extent" {
			sizes[i] = r.int(e.value, "the extent")
		}
	}
	return sizes
}
