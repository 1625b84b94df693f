package layout

import (
	"math"
	"math/big"
	"math/bits"
	"slices"

	"layoutcalc/layout/lexer"
)

// A Tensor is a layout with an element type and the derivation of its strides, if known. Its byte counts fit in int64.
type Tensor struct {
	layout   Layout
	dtype    DType
	name     string
	origins  []Origin // one for each digit of each axis; nil if all strides are given, or result from a view
	viewed   bool     // the strides result from a view
	storage  int64
	implicit bool // the strides were not stated
	system   System
}

// NewTensor returns a tensor with a layout and no derivation of its strides.
func NewTensor(l Layout, dtype DType) (Tensor, error) {
	_, high := l.Bounds()
	if high == math.MaxInt64 {
		return Tensor{}, &OverflowError{What: "the storage", Exact: new(big.Int).SetUint64(1 << 63)}
	}
	return newTensor(Tensor{layout: l, dtype: dtype, storage: max(high+1, 0), system: Others})
}

// A Derivation records how the strides of a layout were computed.
type Derivation struct {
	Name     string   // the layout name that they follow, or empty
	Origins  []Origin // the origin of each digit of each axis, one after another; nil if all strides were given
	Storage  int64    // the offset after the last one that the layout reserves
	Implicit bool     // the strides were not stated
}

// NewDerived returns the tensor of a layout with its derivation.
func NewDerived(l Layout, dtype DType, d Derivation) (Tensor, error) {
	return newTensor(Tensor{
		layout: l, dtype: dtype, name: d.Name, origins: d.Origins, storage: d.Storage, implicit: d.Implicit,
		system: Others,
	})
}

// NewView returns the tensor of a layout that is a view of a storage of the given length.
func NewView(l Layout, dtype DType, storage int64) (Tensor, error) {
	t, err := NewTensor(l, dtype)
	t.storage, t.viewed = storage, true
	return t, err
}

// Called returns the tensor with a layout name that its strides follow.
func (t Tensor) Called(name string) Tensor {
	t.name = name
	return t
}

// OfSystem returns the tensor as one that the system allocates, or Others for any system.
func (t Tensor) OfSystem(s System) Tensor {
	t.system = s
	return t
}

// Reserve returns the tensor with a storage of at least n elements, because some systems also count padding after the
// last element.
func (t Tensor) Reserve(n int64) (Tensor, error) {
	t.storage = max(t.storage, n)
	return newTensor(t)
}

// Moved returns the tensor with its base higher by n.
func (t Tensor) Moved(n int64) (Tensor, error) {
	base, err := Add(t.layout.base, n)
	if err != nil {
		return Tensor{}, NameOverflow("the storage offset", err)
	}
	if t.layout, err = t.layout.Remade(base, t.layout.axes...); err != nil {
		return Tensor{}, err
	}
	if t.storage, err = Add(t.storage, n); err != nil {
		return Tensor{}, NameOverflow("the storage", err)
	}
	if _, high := t.layout.Bounds(); t.layout.IsSwizzled() {
		t.storage = max(t.storage, high+1)
	}
	return newTensor(t)
}

// Swizzled returns the tensor with more swizzles, like [Layout.Swizzled]. Its storage holds all elements.
func (t Tensor) Swizzled(list ...Swizzle) (Tensor, error) {
	var err error
	if t.layout, err = t.layout.Swizzled(list...); err != nil {
		return Tensor{}, err
	}
	_, high := t.layout.Bounds()
	t.storage = max(t.storage, high+1)
	return newTensor(t)
}

// Affine returns the tensor without its swizzles.
func (t Tensor) Affine() Tensor {
	t.layout = t.layout.Affine()
	return t
}

// newTensor checks that the tensor's bytes can be counted.
func newTensor(t Tensor) (Tensor, error) {
	low, high := t.layout.Bounds()
	if n := max(t.extent(low, high), t.storage-min(low, 0)); !t.countable(uint64(n)) {
		return Tensor{}, &OverflowError{
			What: "the number of bytes, rounded up to a multiple of 4,", Exact: ExactBuffer(t.dtype, big.NewInt(n)),
		}
	}
	for i := range t.layout.axes {
		for _, d := range t.layout.axes[i].digits {
			if !t.countable(Magnitude(d.Stride)) {
				exact := ExactBytes(t.dtype, new(big.Int).SetUint64(Magnitude(d.Stride)))
				return Tensor{}, &OverflowError{
					What: "the stride of axis " + t.layout.AxisName(i) + " in bytes", Exact: exact,
				}
			}
		}
	}
	return t, nil
}

// countable reports whether the bytes of n elements, rounded up to a multiple of 4, fit in int64.
func (t Tensor) countable(n uint64) bool {
	hi, lo := bits.Mul64(n, uint64(t.dtype.Bits()))
	return hi < 3 || hi == 3 && lo <= math.MaxUint64-31
}

// Layout returns the layout of the elements.
func (t Tensor) Layout() Layout { return t.layout }

// DType returns the type of the elements.
func (t Tensor) DType() DType { return t.dtype }

// Name returns the layout name that the tensor was given, or that its strides follow. It may be empty.
func (t Tensor) Name() string { return t.name }

// Origin returns the origin of the stride of digit k of axis i.
func (t Tensor) Origin(i, k int) Origin {
	switch {
	case t.viewed:
		return Origin{Kind: Viewed}
	case t.origins == nil:
		return Origin{Kind: Given}
	}
	return t.digitOrigins(i)[k]
}

// digitOrigins returns the origins of the digits of axis i.
func (t Tensor) digitOrigins(i int) []Origin {
	first := 0
	for _, a := range t.layout.axes[:i] {
		first += len(a.digits)
	}
	return t.origins[first : first+len(t.layout.axes[i].digits)]
}

// Storage returns the offset after the last one that the layout reserves, including whole blocks and padding after the
// last element.
func (t Tensor) Storage() int64 { return t.storage }

// System returns the system that allocates the tensor, or Others if it is unknown.
func (t Tensor) System() System { return t.system }

// Viewed reports whether the tensor is a view and shares the storage of another tensor.
func (t Tensor) Viewed() bool { return t.viewed }

// Implicit reports whether the strides were not stated, so that the layout is row-major.
func (t Tensor) Implicit() bool { return t.implicit }

// End returns the offset after the last one that belongs to the tensor. For a view, this is after its last element, and
// otherwise after the padding that it reserves.
func (t Tensor) End() int64 {
	_, high := t.layout.Bounds()
	if t.viewed {
		return high + 1
	}
	return max(high+1, t.storage)
}

// Like returns the tensor with its axes in the order of the layout's axes with the same names. It returns the tensor
// unchanged if names differ.
func (t Tensor) Like(l Layout) Tensor {
	order := lexer.Positions(l.AxisNames(), t.layout.AxisNames())
	if !l.Named() || len(order) != len(t.layout.axes) || slices.Contains(order, -1) {
		return t
	}
	axes := make([]Axis, len(order))
	var origins []Origin
	for i, from := range order {
		axes[i] = t.layout.axes[from]
		if t.origins != nil {
			origins = append(origins, t.digitOrigins(from)...)
		}
	}
	t.layout.axes, t.origins = axes, origins
	return t
}

// Renamed returns the tensor with new names for its axes, which must be valid.
func (t Tensor) Renamed(names []string) Tensor {
	t.layout.axes = slices.Clone(t.layout.axes)
	for i, name := range names {
		t.layout.axes[i].name = name
	}
	return t
}

// Reserved returns the number of elements of the storage, starting at offset 0 or at the first element if that is
// before it.
func (t Tensor) Reserved() int64 {
	low, _ := t.layout.Bounds()
	return t.storage - min(low, 0)
}

// Bytes returns the number of bytes that n consecutive elements need. Types of less than 8 bits are packed, and the
// total is rounded up once.
func (t Tensor) Bytes(n int64) int64 {
	hi, lo := bits.Mul64(uint64(n), uint64(t.dtype.Bits()))
	lo, carry := bits.Add64(lo, 7, 0)
	return int64((hi+carry)<<61 | lo>>3)
}

// ExactBytes is like Bytes, for any number.
func ExactBytes(d DType, n *big.Int) *big.Int {
	bytes := new(big.Int).Mul(n, big.NewInt(d.Bits()))
	return bytes.Rsh(bytes.Add(bytes, big.NewInt(7)), 3)
}

// ExactBuffer returns the size in bytes of a buffer of n elements, rounded up to a multiple of 4.
func ExactBuffer(d DType, n *big.Int) *big.Int {
	bytes := ExactBytes(d, n)
	return bytes.Lsh(bytes.Rsh(bytes.Add(bytes, big.NewInt(3)), 2), 2)
}

// BitOffset returns the offset, which may be negative, in whole bytes and the bits after them.
func (t Tensor) BitOffset(offset int64) (bytes, rest int64) {
	hi, lo := bits.Mul64(Magnitude(offset), uint64(t.dtype.Bits()))
	bytes, rest = int64(hi<<61|lo>>3), int64(lo&7)
	if offset >= 0 {
		return bytes, rest
	}
	if rest > 0 {
		return -bytes - 1, 8 - rest
	}
	return -bytes, 0
}

// Extent returns the number of elements up to the last one, starting at offset 0 or at the first element if that is
// before it.
func (t Tensor) Extent() int64 { return t.extent(t.layout.Bounds()) }

func (t Tensor) extent(low, high int64) int64 {
	if t.layout.Empty() {
		return 0
	}
	return high - min(low, 0) + 1
}

// DirectMLBytes returns the size of the smallest buffer that DirectML accepts: the extent, rounded up to a multiple of
// 4. DirectML's DMLCalcBufferTensorSize is intended to return this number.
func (t Tensor) DirectMLBytes() int64 { return (t.Bytes(t.Extent()) + 3) &^ 3 }

// An OriginKind is the rule that determines a stride.
type OriginKind uint8

// The kinds of origin. The zero OriginKind is Given.
const (
	Given     OriginKind = iota // the stride was given
	Innermost                   // nothing is inside
	Product                     // the product of the sizes of the inner axes
	Aligned                     // the product, rounded up
	Pitched                     // --pitch set it
	Repeated                    // broadcast: the axis has stride 0
	Viewed                      // it results from a view
)

// An Origin is the origin of a stride: the product of the extents of the digits inside, outermost first, times the
// stride of the last of them if that is not 1, plus padding.
type Origin struct {
	Kind  OriginKind
	Inner []Factor
	Times int64 // stride of the innermost factor
	Plus  int64 // elements of padding after the run of the outermost factor
	Align int64 // the multiple that Aligned rounds up to, in elements
}

// A Factor is a digit that a stride is a multiple of.
type Factor struct {
	Axis, Digit int
	Extent      int64
}
