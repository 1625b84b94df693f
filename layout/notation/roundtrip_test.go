package notation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
)

// TestRoundTripProperty checks that a notation reads the tensor that it has written with the same map and, if the
// output has a type, the same type, and that the notation is recognized.
func TestRoundTripProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := anyTensor(t)
		for _, n := range readers() {
			text, err := n.Write(x)
			if err != nil {
				checkLoss(t, n, x, text, err)
				continue
			}
			d, err := n.Read(text, Options{DType: x.DType()})
			wantSame(t, n.Name+" writes "+text, x, d, err)
			if d, err = Read(text, Options{DType: x.DType()}); n.read == nil || err != nil {
				t.Fatalf("%s writes %s, which is not recognised: %v", n.Name, text, err)
			}
			wantSame(t, "recognised "+text, x, d, err)
		}
	})
}

// TestEveryPairProperty checks that a tensor that one notation has written can be written in every other notation that
// can express it, with the same meaning.
func TestEveryPairProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := anyTensor(t)
		seen := map[string]bool{key(x): true}
		for _, from := range readers() {
			text, err := from.Write(x)
			if err != nil {
				continue
			}
			found, err := from.Read(text, Options{DType: x.DType()})
			wantSame(t, text, x, found, err)
			y := found[0].Tensor.Like(x.Layout())
			if seen[key(y)] {
				continue
			}
			seen[key(y)] = true
			for _, to := range readers() {
				writeAgain(t, to, x, y, text)
			}
		}
	})
}

// writeAgain writes y, which was read from an input that describes x, in another notation. Strides do not show that a
// block is not full, and show little if there are no elements, so a notation that needs this information may reject y.
func writeAgain(t *rapid.T, to *Notation, x, y layout.Tensor, text string) {
	if _, err := to.Write(x); err != nil {
		return
	}
	again, err := to.Write(y)
	if err != nil && (x.Layout().Empty() || !filled(x.Layout())) {
		return
	}
	if err != nil {
		t.Fatalf("%s can say %v, but not what %s says of it, %v: %v", to.Name, x.Layout(), text, y.Layout(), err)
	}
	d, err := to.Read(again, Options{DType: x.DType()})
	wantSame(t, text+" becomes "+again, y, d, err)
}

// filled reports whether all blocks are full.
func filled(l layout.Layout) bool {
	for i := range l.Rank() {
		if a := l.Axis(i); a.Digit(0).Extent*a.Block() != a.Size() {
			return false
		}
	}
	return true
}

// key differs for different tensors, also of the same map.
func key(x layout.Tensor) string {
	return fmt.Sprint(x.Layout(), x.DType(), x.Storage())
}

// checkLoss checks that a notation returns the reason why it cannot write a tensor, and writes nothing.
func checkLoss(t *rapid.T, n *Notation, x layout.Tensor, text string, err error) {
	var loss *LossError
	var overflow *layout.OverflowError
	switch {
	case errors.As(err, &overflow):
	case !errors.As(err, &loss) || loss.Notation != n || loss.Lost == "":
		t.Fatalf("%s: %v: the error is %#v", n.Name, x.Layout(), err)
	case strings.Contains(loss.Hint(), n.Name+",") || strings.Contains(loss.Error()+loss.Hint(), "%!"):
		t.Fatalf("%s: %v: %v; %s", n.Name, x.Layout(), err, loss.Hint())
	}
	if text != "" {
		t.Fatalf("%s: %v: %q with the error %v", n.Name, x.Layout(), text, err)
	}
}

// wantSame checks that text is read as the single tensor x, except for the order of axes with names. It compares every
// offset.
func wantSame(t *rapid.T, text string, x layout.Tensor, found []Descriptor, err error) {
	if err != nil || len(found) != 1 {
		t.Fatalf("%s\nfor %v of %v: %d tensors, %v", text, x.Layout(), x.DType(), len(found), err)
	}
	y := found[0].Tensor.Like(x.Layout())
	if !slices.Equal(x.Layout().Sizes(), y.Layout().Sizes()) || !analysis.Same(x.Layout(), y.Layout()) {
		t.Fatalf("%s\nfor %v: read as %v", text, x.Layout(), y.Layout())
	}
	if found[0].Typed && y.DType() != x.DType() {
		t.Fatalf("%s\nfor %v: read as %v", text, x.DType(), y.DType())
	}
	other := offsets(t, y.Layout())
	for i, offset := range offsets(t, x.Layout()) {
		if offset != other[i] {
			t.Fatalf("%s\nfor %v, and read as %v: element %d lies at %d, and at %d", text, x.Layout(), y.Layout(), i,
				offset, other[i])
		}
	}
}

// mostOffsets is how many elements a tensor may have whose offsets are listed.
const mostOffsets = 1 << 13

// offsets lists the offsets of all elements in row-major order, with digits of its own: nil when
// there are too many. None of them may leave the bounds.
func offsets(t interface{ Fatalf(string, ...any) }, l layout.Layout) []int64 {
	n := int64(1)
	for _, size := range l.Sizes() {
		if n *= size; n == 0 || n > mostOffsets {
			return nil
		}
	}
	low, high := l.Bounds()
	all, index := make([]int64, n), make([]int64, l.Rank())
	for e := range all {
		left := int64(e)
		for i := l.Rank() - 1; i >= 0; i-- {
			index[i] = left % l.Axis(i).Size()
			left /= l.Axis(i).Size()
		}
		if all[e] = offsetOf(l, index); all[e] < low || all[e] > high {
			t.Fatalf("%v: %v lies at %d, outside %d to %d", l, index, all[e], low, high)
		}
	}
	return all
}

// offsetOf is the definition: the base, and each digit times its stride.
func offsetOf(l layout.Layout, index []int64) int64 {
	offset := l.Base()
	for i, v := range index {
		for k, block := 0, l.Axis(i).Block(); k < l.Axis(i).Digits(); k++ {
			d := l.Axis(i).Digit(k)
			offset += v / block * d.Stride
			v %= block
			if k+1 < l.Axis(i).Digits() {
				block /= l.Axis(i).Digit(k + 1).Extent
			}
		}
	}
	return offset
}

// anyTensor draws tensors of every kind, few enough elements to look at each.
func anyTensor(t *rapid.T) layout.Tensor {
	sizes := anySizes(t)
	base, axes := int64(0), [][]layout.Digit(nil)
	switch kind := rapid.SampledFrom([]string{"strided", "strided", "blocked", "blocked", "overlapping",
		"digits"}).Draw(t, "kind"); kind {
	case "strided":
		base, axes = anyStrided(t, sizes)
	case "blocked":
		axes = anyBlocked(t, sizes)
	case "overlapping":
		axes = anyDigits(t, sizes, 0)
	default:
		axes = anyDigits(t, sizes, 2)
	}
	if rapid.IntRange(0, 4).Draw(t, "shifted") == 0 {
		base += rapid.Int64Range(1, 40).Draw(t, "base")
	}
	l, err := layout.New(base, namedAxes(t, sizes, axes)...)
	x := layout.Tensor{}
	if err == nil {
		x, err = layout.NewTensor(l, anyType(t))
	}
	if err == nil && rapid.IntRange(0, 9).Draw(t, "reserved") == 0 {
		x, err = x.Reserve(rapid.Int64Range(0, 5000).Draw(t, "storage"))
	}
	if err != nil && (len(sizes) == 0 || slices.Max(sizes) < huge) {
		t.Fatalf("%v: %v", axes, err)
	}
	return x // the scalar where sizes are too large for the rest
}

// anyType draws an element type, float32 more often than others: everyone has that.
func anyType(t *rapid.T) layout.DType {
	all := slices.Collect(layout.DTypes)
	return all[max(rapid.IntRange(-len(all)/2, len(all)-1).Draw(t, "type"), 0)]
}

// huge is the least of the sizes that are more than 31 bits hold.
const huge = 1 << 31

// anySizes draws up to 8 sizes, sometimes 1, seldom 0, and seldom one that is huge.
func anySizes(t *rapid.T) []int64 {
	sizes, n := make([]int64, rapid.IntRange(0, 8).Draw(t, "rank")), int64(1)
	for i := range sizes {
		sizes[i] = rapid.SampledFrom([]int64{1, 1, 2, 2, 3, 4, 5, 6, 8, 12, 17}).Draw(t, "size")
		if n *= sizes[i]; n > 600 {
			n /= sizes[i]
			sizes[i] = 1
		}
	}
	if len(sizes) == 0 {
		return sizes
	}
	switch one := rapid.IntRange(0, len(sizes)-1).Draw(t, "one axis"); rapid.IntRange(0, 15).Draw(t, "its size") {
	case 0:
		sizes[one] = 0
	case 1:
		sizes[one] = rapid.Int64Range(huge, huge<<20).Draw(t, "huge size")
	}
	return sizes
}

// anyOrder draws the axes from innermost to outermost, often in one of the common orders.
func anyOrder(t *rapid.T, rank int) []int {
	order := make([]int, rank)
	for i := range order {
		order[i] = rank - 1 - i
	}
	switch rapid.IntRange(0, 3).Draw(t, "order") {
	case 0:
		return order
	case 1:
		slices.Reverse(order)
		return order
	}
	return rapid.Permutation(order).Draw(t, "permutation")
}

// anyStrided draws strides in an order: packed, or with padding, broadcast and flipped axes.
func anyStrided(t *rapid.T, sizes []int64) (base int64, axes [][]layout.Digit) {
	how := rapid.SampledFrom([]string{"packed", "packed", "padded", "broadcast", "flipped", "all"}).Draw(t, "strides")
	chance := func(what string, one int) bool {
		return (how == what || how == "all") && rapid.IntRange(1, one).Draw(t, what) == 1
	}
	axes = make([][]layout.Digit, len(sizes))
	next := int64(1)
	for _, i := range anyOrder(t, len(sizes)) {
		stride := next
		switch {
		case chance("broadcast", 3):
			stride = 0
		case chance("flipped", 2):
			base += max(sizes[i]-1, 0) * stride
			stride = -stride
		}
		if stride != 0 {
			next *= max(sizes[i], 1)
		}
		if chance("padded", 2) {
			next += rapid.Int64Range(1, 5).Draw(t, "padding")
		}
		axes[i] = []layout.Digit{{Extent: sizes[i], Stride: stride}}
	}
	return base, axes
}

// anyBlocked draws an order and blocks inside it, full or not, sometimes with gaps.
func anyBlocked(t *rapid.T, sizes []int64) (axes [][]layout.Digit) {
	axes, gap := make([][]layout.Digit, len(sizes)), rapid.IntRange(0, 4).Draw(t, "gaps") == 0
	next, block := int64(1), make([]int64, len(sizes))
	step := func(extent int64) layout.Digit {
		d := layout.Digit{Extent: extent, Stride: next}
		if next *= max(extent, 1); gap {
			next += rapid.Int64Range(0, 2).Draw(t, "gap")
		}
		return d
	}
	for i := range block {
		block[i] = 1
	}
	for n := rapid.IntRange(0, 3).Draw(t, "blocks"); n > 0 && len(sizes) > 0; n-- {
		i, size := rapid.IntRange(0, len(sizes)-1).Draw(t, "blocked axis"), rapid.Int64Range(1, 4).Draw(t, "block")
		axes[i] = slices.Insert(axes[i], 0, step(size))
		block[i] *= size
	}
	if rapid.Bool().Draw(t, "full") {
		for i := range sizes {
			sizes[i] = (sizes[i] + block[i] - 1) / block[i] * block[i]
		}
	}
	for _, i := range anyOrder(t, len(sizes)) {
		axes[i] = slices.Insert(axes[i], 0, step((sizes[i]+block[i]-1)/block[i]))
	}
	return axes
}

// anyDigits draws digits with any strides, with at most a number of inner ones for an axis.
func anyDigits(t *rapid.T, sizes []int64, inner int) (axes [][]layout.Digit) {
	axes = make([][]layout.Digit, len(sizes))
	strides := rapid.SampledFrom([]*rapid.Generator[int64]{rapid.Int64Range(0, 6), rapid.Int64Range(-4, 9),
		rapid.Int64Range(-1<<40, 1<<40)}).Draw(t, "strides")
	for i, size := range sizes {
		block := int64(1)
		for range rapid.IntRange(0, inner).Draw(t, "digits") {
			d := layout.Digit{Extent: rapid.Int64Range(1, 4).Draw(t, "extent"), Stride: strides.Draw(t, "stride")}
			axes[i] = slices.Insert(axes[i], 0, d)
			block *= d.Extent
		}
		axes[i] = slices.Insert(axes[i], 0, layout.Digit{Extent: (size + block - 1) / block,
			Stride: strides.Draw(t, "outer stride")})
	}
	return axes
}

// namedAxes gives the axes names: none, letters, or words.
func namedAxes(t *rapid.T, sizes []int64, digits [][]layout.Digit) []layout.Axis {
	names := make([]string, len(sizes))
	switch rapid.IntRange(0, 5).Draw(t, "names") {
	case 0:
		copy(names, rapid.Permutation([]string{"N", "C", "D", "H", "W", "G", "O", "I", "T"}).Draw(t, "letters"))
	case 1:
		copy(names, []string{"batch", "x1", "x2", "_", "a", "b", "c", "d"})
	}
	axes := make([]layout.Axis, len(sizes))
	for i := range axes {
		axes[i] = layout.NewAxis(names[i], sizes[i], digits[i]...)
	}
	return axes
}
