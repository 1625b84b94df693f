package layout_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
)

// anyAxis draws an axis of up to three digits, which need not fill the last of them.
func anyAxis(most int64, strides *rapid.Generator[int64]) *rapid.Generator[layout.Axis] {
	return rapid.Custom(func(t *rapid.T) layout.Axis {
		inner := rapid.SliceOfN(rapid.Int64Range(1, 6), 0, 2).Draw(t, "blocks")
		size := rapid.Int64Range(0, most).Draw(t, "size")
		block, digits := int64(1), []layout.Digit{}
		for _, extent := range inner {
			block *= extent
			digits = append(digits, layout.Digit{Extent: extent, Stride: strides.Draw(t, "stride")})
		}
		outer := layout.Digit{Extent: (size + block - 1) / block, Stride: strides.Draw(t, "outer stride")}
		return layout.NewAxis("", size, slices.Insert(digits, 0, outer)...)
	})
}

// anyLayout draws layouts of small, sparse and huge strides.
func anyLayout(t *rapid.T, rank int, most int64) layout.Layout {
	strides := rapid.OneOf(rapid.Int64Range(-4, 9), rapid.Int64Range(-1000, 1000), rapid.Int64Range(-1<<50, 1<<50))
	axes := rapid.SliceOfN(anyAxis(most, strides), 0, rank).Draw(t, "axes")
	l, err := layout.New(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "base"), axes...)
	if err != nil {
		t.Fatalf("%v: %v", axes, err)
	}
	return l
}

// anyIndex draws an index; the layout has elements.
func anyIndex(t *rapid.T, l layout.Layout) []int64 {
	index := make([]int64, l.Rank())
	for i := range index {
		index[i] = rapid.Int64Range(0, l.Axis(i).Size()-1).Draw(t, "index")
	}
	return index
}

// bigOffset is the definition of an offset, in digits and with math/big.
func bigOffset(l layout.Layout, index []int64) *big.Int {
	offset := big.NewInt(l.Base())
	for i, v := range index {
		a := l.Axis(i)
		for k := a.Digits() - 1; k >= 0; k-- {
			d := a.Digit(k)
			offset.Add(offset, new(big.Int).Mul(big.NewInt(v%d.Extent), big.NewInt(d.Stride)))
			v /= d.Extent
		}
	}
	return offset
}

func TestOffsetAndBackProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLayout(t, 5, 40)
		if l.Empty() {
			return
		}
		index := anyIndex(t, l)
		offset, err := l.Offset(index)
		if want := bigOffset(l, index); err != nil || want.Cmp(big.NewInt(offset)) != 0 {
			t.Fatalf("%v: %v is at %d, %v; want %v", l, index, offset, err, want)
		}
		if low, high := l.Bounds(); offset < low || offset > high {
			t.Fatalf("%v: %v is at %d, outside %d to %d", l, index, offset, low, high)
		}
		found := facts.NewInverse(l).At(offset, math.MaxInt)
		if !found.Exact {
			return
		}
		if int64(len(found.Indices)) != found.Count || !slices.IsSortedFunc(found.Indices, slices.Compare) {
			t.Fatalf("%v: %d of %d indices, sorted %v", l, len(found.Indices), found.Count, slices.IsSortedFunc(found.Indices, slices.Compare))
		}
		same := false
		for _, other := range found.Indices {
			if got, err := l.Offset(other); err != nil || got != offset {
				t.Fatalf("%v: %v is at %d, %v, not at %d", l, other, got, err, offset)
			}
			same = same || slices.Equal(other, index)
		}
		if !same {
			t.Fatalf("%v: %v is not among those at %d", l, index, offset)
		}
	})
}

func TestWitnessProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLayout(t, 4, 16)
		f := facts.Of(l)
		if (f.Witness != nil) != (f.Unique == facts.No) {
			t.Fatalf("%v: unique %v, witness %v", l, f.Unique, f.Witness)
		}
		if f.Witness != nil {
			if fault := faultOf(f.Witness, l); fault != "" {
				t.Fatalf("%v: %s", l, fault)
			}
		}
		if f.Elements > f.Span && f.Unique != facts.No {
			t.Fatalf("%v: unique %v: pigeonhole", l, f.Unique)
		}
		if f.DistinctKnown && f.Unique != facts.Unknown && (f.Distinct == f.Elements) != (f.Unique == facts.Yes) {
			t.Fatalf("%v: %d elements, %d distinct, unique %v", l, f.Elements, f.Distinct, f.Unique)
		}
		if f.DistinctKnown && f.Exhaustive != verdict(f.Distinct == f.Span) {
			t.Fatalf("%v: %d distinct of %d, exhaustive %v", l, f.Distinct, f.Span, f.Exhaustive)
		}
	})
}

// TestOrderOfAxesProperty: the order of the axes changes no fact about the storage.
func TestOrderOfAxesProperty(t *testing.T) {
	storage := func(l layout.Layout) string {
		f := facts.Of(l)
		return fmt.Sprint(f.Elements, f.Low, f.High, f.Distinct, f.DistinctKnown, f.Unique, f.Overlapping, f.Exhaustive, len(f.Broadcast))
	}
	rapid.Check(t, func(t *rapid.T) {
		l := anyLayout(t, 4, 12)
		axes := make([]layout.Axis, l.Rank())
		for i := range axes {
			axes[i] = l.Axis(i)
		}
		permuted, err := layout.New(l.Base(), rapid.Permutation(axes).Draw(t, "order")...)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := storage(permuted), storage(l); got != want {
			t.Fatalf("%v: %s\n%v: %s", l, want, permuted, got)
		}
	})
}

// TestStringProperty: the text is the same exactly when all parts are.
func TestStringProperty(t *testing.T) {
	few := rapid.Custom(func(t *rapid.T) layout.Layout {
		name := rapid.SampledFrom([]string{"", "N", "N1"}).Draw(t, "name")
		digits := rapid.SampledFrom([][]layout.Digit{
			{{Extent: 2, Stride: 1}}, {{Extent: 2, Stride: 11}}, {{Extent: 2, Stride: -1}}, {{Extent: 1, Stride: 2}, {Extent: 2, Stride: 1}},
			{{Extent: 2, Stride: 1}, {Extent: 1, Stride: 2}}, {{Extent: 1, Stride: 2}, {Extent: 3, Stride: 1}},
		}).Draw(t, "digits")
		axes := []layout.Axis{layout.NewAxis(name, 2, digits...)}
		if name == "" && rapid.Bool().Draw(t, "two axes") {
			axes = append(axes, axes[0])
		}
		l, err := layout.New(rapid.Int64Range(0, 1).Draw(t, "base"), axes...)
		if err != nil {
			t.Fatal(err)
		}
		return l
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := few.Draw(t, "a"), few.Draw(t, "b")
		same := parts(a) == parts(b)
		if a.Equal(b) != same || (a.String() == b.String()) != same {
			t.Fatalf("%v and %v: equal %v, want %v", a, b, a.Equal(b), same)
		}
	})
}

// parts writes a layout out through its accessors, each part in a field of its own.
func parts(l layout.Layout) string {
	list := []any{l.Base(), l.Rank()}
	for i := range l.Rank() {
		a := l.Axis(i)
		list = append(list, fmt.Sprintf("%q", a.Name()), a.Size(), a.Digits())
		for k := range a.Digits() {
			list = append(list, a.Digit(k).Extent, a.Digit(k).Stride)
		}
	}
	return fmt.Sprintln(list...)
}

// TestCoalescedProperty: what coalesces addresses the same offsets in the same order.
func TestCoalescedProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLayout(t, 3, 40)
		sizes, strides, ok := facts.Coalesced(l)
		if !ok || l.Empty() {
			return
		}
		c, err := layout.Strided(l.Base(), sizes, strides)
		if err != nil || c.Elements() != l.Elements() {
			t.Fatalf("%v coalesces to %v:%v, %v", l, sizes, strides, err)
		}
		for range 20 {
			n := rapid.Int64Range(0, l.Elements()-1).Draw(t, "element")
			a, _ := l.Offset(nth(l, n))
			b, _ := c.Offset(nth(c, n))
			if a != b {
				t.Fatalf("%v: element %d is at %d, coalesced to %v at %d", l, n, a, c, b)
			}
		}
	})
}

// nth returns the index of an element in row-major order.
func nth(l layout.Layout, n int64) []int64 {
	index := make([]int64, l.Rank())
	for i := l.Rank() - 1; i >= 0; i-- {
		index[i] = n % l.Axis(i).Size()
		n /= l.Axis(i).Size()
	}
	return index
}

func TestBytesProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := layout.DType(rapid.IntRange(0, 29).Draw(t, "type"))
		l := anyLayout(t, 3, 40)
		x, err := layout.NewTensor(l, d)
		if err != nil {
			t.Fatal(err)
		}
		low, high := l.Bounds()
		need := big.NewInt(0)
		if !l.Empty() {
			need.Sub(big.NewInt(high), big.NewInt(min(low, 0))).Add(need, big.NewInt(1))
		}
		if got, want := x.BufferBytes(), roundUp(bigBytes(need, d), 4); want.Cmp(big.NewInt(got)) != 0 {
			t.Fatalf("%v of %v: %d bytes, want %v", l, d, got, want)
		}
		n := rapid.Int64Range(0, math.MaxInt64/max(d.Bits()/8, 1)).Draw(t, "n")
		if got, want := x.Bytes(n), bigBytes(big.NewInt(n), d); want.Cmp(big.NewInt(got)) != 0 {
			t.Fatalf("%d %v: %d bytes, want %v", n, d, got, want)
		}
		bytes, bits := x.BitOffset(low)
		at := new(big.Int).Mul(big.NewInt(bytes), big.NewInt(8))
		if at.Add(at, big.NewInt(bits)).Cmp(new(big.Int).Mul(big.NewInt(low), big.NewInt(d.Bits()))) != 0 || bits < 0 || bits > 7 {
			t.Fatalf("%v %d: byte %d, bit %d", d, low, bytes, bits)
		}
	})
}

// bigBytes is n elements' bits in bytes, rounded up once.
func bigBytes(n *big.Int, d layout.DType) *big.Int {
	bits := new(big.Int).Mul(n, big.NewInt(d.Bits()))
	return new(big.Int).Div(roundUp(bits, 8), big.NewInt(8))
}

func roundUp(n *big.Int, m int64) *big.Int {
	up := new(big.Int).Add(n, big.NewInt(m-1))
	return up.Sub(up, new(big.Int).Mod(up, big.NewInt(m)))
}

// TestDerivedStorageProperty: whatever the flags, each stride is as its account and its flag say,
// and no axis steps less than what those inside it take, unless a pitch says so.
func TestDerivedStorageProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.Int64Range(1, 6), 1, 5).Draw(t, "sizes")
		letters := "abcde"[:len(sizes)]
		name := ""
		for _, axis := range rapid.Permutation(packedOrder(len(sizes))).Draw(t, "order") {
			name += letters[axis : axis+1]
		}
		line, rules := fmt.Sprintf("[%s] %s", commas(sizes), name), map[byte]string{}
		for i := range letters {
			flag := rapid.SampledFrom([]string{"", "", "--pad", "--pitch", "--align", "--broadcast"}).Draw(t, "flag")
			rules[letters[i]] = flag
			switch flag {
			case "":
			case "--broadcast":
			default:
				line += fmt.Sprintf(" %s %c=%d", flag, letters[i], rapid.Int64Range(1, 30).Draw(t, "n"))
			}
		}
		line += broadcastFlag(rules)
		checkDerived(t, line, name, rules)
	})
}

func broadcastFlag(rules map[byte]string) string {
	list := ""
	for _, letter := range []byte("abcde") {
		if rules[letter] == "--broadcast" {
			list += "," + string(letter)
		}
	}
	if list == "" {
		return ""
	}
	return " --broadcast " + list[1:]
}

func checkDerived(t *rapid.T, line, name string, rules map[byte]string) {
	x, err := describe(line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	l, taken, pitched := x.Layout(), int64(1), false
	for i := len(name) - 1; i >= 0; i-- {
		axis := int(name[i] - 'a')
		a, rule, origin := l.Axis(axis), rules[name[i]], x.Origin(axis, 0)
		stride, _ := a.Stride()
		if value, ok := originValue(origin); ok && value != stride {
			t.Fatalf("%s: the account of %c, %+v, adds up to %d, and its stride is %d", line, name[i], origin, value, stride)
		}
		if rule == "--broadcast" {
			if stride != 0 {
				t.Fatalf("%s: %c is broadcast with the stride %d", line, name[i], stride)
			}
			continue
		}
		if rule != "--pitch" && stride < taken {
			t.Fatalf("%s: stride %d of %c, and the axes inside it take %d: %v", line, stride, name[i], taken, l)
		}
		pitched = pitched || rule == "--pitch"
		taken += (a.Size() - 1) * stride
	}
	f := facts.Of(l)
	if !pitched && f.Overlapping != facts.No {
		t.Fatalf("%s: overlaps: %v", line, l)
	}
	if x.Storage() < f.High+1 {
		t.Fatalf("%s: storage of %d, and an element at %d", line, x.Storage(), f.High)
	}
}
