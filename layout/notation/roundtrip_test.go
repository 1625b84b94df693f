package notation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
)

// TestRoundTripProperty: what a notation writes it reads again, with the same map and, where the
// text says a type, the same type; and whoever reads the text finds out whose it is.
func TestRoundTripProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := anyTensor(t)
		for _, n := range All() {
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

// TestEveryPairProperty: whatever one notation has written, another one that can say the tensor
// can still say, and means the same by it.
func TestEveryPairProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := anyTensor(t)
		seen := map[string]bool{key(x): true}
		for _, from := range All() {
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
			for _, to := range All() {
				writeAgain(t, to, x, y, text)
			}
		}
	})
}

// writeAgain writes y, which came out of a text about x, in another notation. Strides do not say
// that a block is not full, nor much at all of no elements, so that one who needs to know cannot
// say y.
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

// key tells tensors apart, also those of the same map.
func key(x layout.Tensor) string {
	return fmt.Sprint(x.Layout(), x.DType(), x.Storage())
}

// checkLoss checks that a notation says why it does not write a tensor, and writes nothing.
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

// wantSame checks that a text has been read as the one tensor x, but for the order of axes with
// names. Offsets are compared one by one.
func wantSame(t *rapid.T, text string, x layout.Tensor, found []Descriptor, err error) {
	if err != nil || len(found) != 1 {
		t.Fatalf("%s\nfor %v of %v: %d tensors, %v", text, x.Layout(), x.DType(), len(found), err)
	}
	y := found[0].Tensor.Like(x.Layout())
	if !slices.Equal(x.Layout().Sizes(), y.Layout().Sizes()) || !layout.Same(x.Layout(), y.Layout()) {
		t.Fatalf("%s\nfor %v: read as %v", text, x.Layout(), y.Layout())
	}
	if found[0].Typed && y.DType() != x.DType() {
		t.Fatalf("%s\nfor %v: read as %v", text, x.DType(), y.DType())
	}
	other := offsets(t, y.Layout())
	for i, offset := range offsets(t, x.Layout()) {
		if offset != other[i] {
			t.Fatalf("%s\nfor %v, and read as %v: element %d lies at %d, and at %d", text, x.Layout(), y.Layout(), i, offset, other[i])
		}
	}
}

// mostOffsets is how many elements a tensor may have whose offsets are listed.
const mostOffsets = 1 << 13

// offsets lists the offsets of all elements in row-major order, with digits of its own: none when
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
