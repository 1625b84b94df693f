package layout

// An OriginKind says which rule made a stride.
type OriginKind uint8

// The kinds of origin. The zero OriginKind is Given.
const (
	Given     OriginKind = iota // the stride was given
	Innermost                   // nothing lies inside
	Product                     // the product of what lies inside
	Aligned                     // that product, rounded up
	Pitched                     // --pitch set it
	Repeated                    // broadcast: the axis takes no storage
	Viewed                      // a view made it
)

// An Origin says how a stride comes about: as the product of the extents of the digits inside,
// outermost first, times the stride of the last of them when that is not 1, plus padding.
type Origin struct {
	Kind  OriginKind
	Inner []Factor
	Times int64 // stride of the innermost factor
	Plus  int64 // elements of padding behind the run of the outermost factor
	Align int64 // what Aligned rounds up to, in elements
}

// A Factor is a digit that a stride is a multiple of.
type Factor struct {
	Axis, Digit int
	Extent      int64
}
