package algebra_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
	"layoutcalc/layout/algebra"
	"layoutcalc/layout/notation"
)

// slow is the offset of a number, by recursion over the brackets: the first modes take their part of the number, the
// last one all that is left.
func slow(m algebra.Mode, number int64) int64 {
	if m.Modes == nil {
		return number * m.Stride
	}
	offset := int64(0)
	for i, part := range m.Modes {
		n := number
		if i < len(m.Modes)-1 {
			n = number % sizeOf(part)
		}
		offset, number = offset+slow(part, n), number/sizeOf(part)
	}
	return offset
}

func sizeOf(m algebra.Mode) int64 {
	if m.Modes == nil {
		return m.Extent
	}
	n := int64(1)
	for _, part := range m.Modes {
		n *= sizeOf(part)
	}
	return n
}

// values are the offsets of all elements.
func values(m algebra.Mode) (list []int64) {
	for i := range sizeOf(m) {
		list = append(list, slow(m, i))
	}
	return list
}

// leaves calls visit for each digit, the fastest first.
func leaves(m *algebra.Mode, visit func(*algebra.Mode)) {
	if m.Modes == nil {
		visit(m)
	}
	for i := range m.Modes {
		leaves(&m.Modes[i], visit)
	}
}

// anyShape draws nested extents of at most most elements.
func anyShape(t *rapid.T, depth int, most int64) algebra.Mode {
	if depth == 0 || rapid.Bool().Draw(t, "digit") {
		extents := []int64{1, 2, 2, 3, 4, 5, 6, 8}
		return algebra.Digit(min(rapid.SampledFrom(extents).Draw(t, "extent"), most), 0)
	}
	m := algebra.List()
	for range rapid.IntRange(1, 3).Draw(t, "modes") {
		part := anyShape(t, depth-1, most)
		most /= sizeOf(part)
		m.Modes = append(m.Modes, part)
	}
	return m
}

// anyMode draws a layout: packed in any order, with gaps between digits, or with any strides.
func anyMode(t *rapid.T, most int64) algebra.Mode {
	m := anyShape(t, 2, most)
	var digits []*algebra.Mode
	leaves(&m, func(d *algebra.Mode) { digits = append(digits, d) })
	kind := rapid.SampledFrom([]string{"packed", "gaps", "any"}).Draw(t, "kind")
	next := int64(1)
	for _, d := range rapid.Permutation(digits).Draw(t, "order") {
		switch kind {
		case "any":
			d.Stride = rapid.Int64Range(0, 12).Draw(t, "stride")
			continue
		case "gaps":
			next *= rapid.Int64Range(1, 3).Draw(t, "gap")
		}
		d.Stride = next
		next *= d.Extent
	}
	return m
}

// run applies an operation.
func run(t *rapid.T, c algebra.Call, a algebra.Mode, b *algebra.Mode) (algebra.Mode, error) {
	l, err := algebra.New(a, 0)
	if err != nil {
		t.Fatal(err)
	}
	if c.A = l; b != nil {
		c.B = &algebra.Tiler{Mode: *b}
	}
	made, err := c.Result()
	if err != nil && strings.Contains(err.Error(), "fault of this program") {
		t.Fatalf("%s of %s: %v", c.Operation, a, err)
	}
	return made.Mode(), err
}

func TestCompose(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyMode(t, 200), anyMode(t, 64)
		r, err := run(t, algebra.Call{Operation: "compose"}, a, &b)
		if err != nil {
			wantNoComposition(t, a, b, err)
			return
		}
		for i, n := range values(b) {
			if n < sizeOf(a) && slow(r, int64(i)) != slow(a, n) {
				t.Fatalf("%s o %s = %s: %d at %d, want %d", a, b, r, slow(r, int64(i)), i, slow(a, n))
			}
		}
		if !isRefined(r, b) {
			t.Fatalf("%s o %s = %s, whose modes are not those of B", a, b, r)
		}
	})
}

// isRefined reports whether a layout has the modes of another, some of its digits in parts.
func isRefined(r, b algebra.Mode) bool {
	if b.Modes == nil || len(r.Modes) != len(b.Modes) {
		return b.Modes == nil && sizeOf(r) == b.Extent
	}
	for i := range b.Modes {
		if !isRefined(r.Modes[i], b.Modes[i]) {
			return false
		}
	}
	return true
}

// wantNoComposition checks the reason of an error: if modes carry, the offset of a sum is not the sum of offsets.
func wantNoComposition(t *rapid.T, a, b algebra.Mode, err error) {
	if !strings.Contains(err.Error(), "together reach") {
		return
	}
	var digits []algebra.Mode
	leaves(&b, func(d *algebra.Mode) { digits = append(digits, *d) })
	for range 1000 {
		number, sum := int64(0), int64(0)
		for _, d := range digits {
			n := rand.Int64N(d.Extent) * d.Stride
			number, sum = number+n, sum+slow(a, n)
		}
		if slow(a, number) != sum {
			return
		}
	}
	t.Fatalf("%s o %s is refused, and is additive: %v", a, b, err)
}

// The text of a result is read back, also of one with a base and without a swizzle: CuTe's mapping A(Start + B(i)).
func TestReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b, stride := anyMode(t, 64), rapid.Int64Range(-4, 4).Draw(t, "stride")
		start := rapid.Int64Range(0, 9).Draw(t, "start")
		a, err := algebra.New(algebra.Digit(5, stride), 400)
		if err != nil {
			t.Fatal(err)
		}
		made, err := algebra.Call{Operation: "compose", A: a, B: &algebra.Tiler{Mode: b}, Start: start}.Result()
		if err != nil {
			t.Skip(err)
		}
		again, _, err := notation.ReadLayout(made.String(), notation.Options{})
		if err != nil || again.String() != made.String() {
			t.Fatalf("%s is read as %s, %v", made, again, err)
		}
		for i := range sizeOf(b) {
			if have, want := again.At(i), 400+stride*(start+slow(b, i)); have != want {
				t.Fatalf("%s: element %d is at %d, want %d", made, i, have, want)
			}
		}
	})
}

func TestComplement(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, n := anyMode(t, 64), rapid.Int64Range(1, 200).Draw(t, "n")
		size := algebra.Digit(n, 1)
		r, err := run(t, algebra.Call{Operation: "complement"}, a, &size)
		different := values(a)
		slices.Sort(different)
		different = slices.Compact(different)
		counted := int64(1)
		leaves(&a, func(d *algebra.Mode) {
			if d.Stride != 0 {
				counted *= d.Extent
			}
		})
		fits := int64(len(different)) == counted && tiles(different)
		if err != nil {
			if fits {
				t.Fatalf("%s has a complement: %v", a, err)
			}
			return
		}
		var sums []int64
		for _, x := range different {
			for _, y := range values(r) {
				sums = append(sums, x+y)
			}
		}
		slices.Sort(sums)
		if len(slices.Compact(slices.Clone(sums))) != len(sums) {
			t.Fatalf("the sums of %s with its complement %s are not all different", a, r)
		}
		if fits && (sums[len(sums)-1] != int64(len(sums)-1) || int64(len(sums)) < n) {
			t.Fatalf("the sums of %s with its complement %s do not fill up to %d", a, r, n)
		}
	})
}

// tiles reports whether copies of offsets fill the numbers starting at 0 without a gap: the next copy must begin at the
// first number that is free.
func tiles(offsets []int64) bool {
	far := offsets[len(offsets)-1] + 1
	taken := make([]bool, 3*far*far+far)
	for next := range 2 * far * far {
		if taken[next] {
			continue
		}
		for _, x := range offsets {
			if taken[next+x] {
				return false
			}
			taken[next+x] = true
		}
	}
	return true
}

func TestInverse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := anyMode(t, 200)
		r, err := run(t, algebra.Call{Operation: "inverse"}, a, nil)
		if err != nil {
			t.Fatal(err)
		}
		for j := range sizeOf(r) {
			if slow(a, slow(r, j)) != j {
				t.Fatalf("the inverse of %s is %s: %d becomes %d", a, r, j, slow(a, slow(r, j)))
			}
		}
		all := values(a)
		slices.Sort(all)
		gap, unique := int64(0), len(slices.Compact(slices.Clone(all))) == len(all)
		for gap < int64(len(all)) && all[gap] == gap {
			gap++
		}
		if unique && sizeOf(r) != gap {
			t.Fatalf("the inverse of %s is %s, and offsets have no gap up to %d", a, r, gap)
		}
		left, err := run(t, algebra.Call{Operation: "inverse", Left: true}, a, nil)
		if err != nil {
			if unique && tiles(all) {
				t.Fatalf("%s has a left inverse: %v", a, err)
			}
			return
		}
		for i, x := range values(a) {
			if slow(left, x) != int64(i) {
				t.Fatalf("the left inverse of %s is %s: %d becomes %d", a, left, i, slow(left, x))
			}
		}
	})
}

func TestDivideAndProduct(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyMode(t, 64), anyMode(t, 16)
		for _, operation := range []string{"divide", "product"} {
			logical, err := run(t, algebra.Call{Operation: operation}, a, &b)
			for f := algebra.Zipped; f <= algebra.Flat; f++ {
				other, wrong := run(t, algebra.Call{Operation: operation, Form: f}, a, &b)
				if (err == nil) != (wrong == nil) || err == nil && !slices.Equal(values(logical), values(other)) {
					t.Fatalf("%s of %s and %s is %s, but %s is %s", operation, a, b, logical, algebra.Forms[f], other)
				}
			}
			if err != nil {
				continue
			}
			first, second := logical.Modes[0], logical.Modes[1]
			if operation == "product" {
				wantProduct(t, a, b, first, second)
				continue
			}
			for i, n := range values(b) {
				if n < sizeOf(a) && slow(first, int64(i)) != slow(a, n) {
					t.Fatalf("%s / %s = %s", a, b, logical)
				}
			}
			tiled, all := values(logical), values(a)
			slices.Sort(tiled)
			slices.Sort(all)
			offsets := values(b)
			slices.Sort(offsets)
			if offsets = slices.Compact(offsets); int64(len(offsets)) == sizeOf(b) && tiles(offsets) &&
				len(tiled) == len(all) && !slices.Equal(tiled, all) {
				t.Fatalf("%s / %s = %s, which has other offsets", a, b, logical)
			}
		}
	})
}

// wantProduct checks that a product has a copy of A for each element of B, and that copies are apart. They may overlap
// if A has gaps that no layout fills: its complement then ends before the copies do, and its last mode goes on.
func wantProduct(t *rapid.T, a, b, first, second algebra.Mode) {
	if !slices.Equal(values(first), values(a)) || sizeOf(second) != sizeOf(b) {
		t.Fatalf("the product of %s and %s is (%s, %s)", a, b, first, second)
	}
	at := map[int64]int64{} // from the copy to its place: the same elements of B have the same copy
	for i, n := range values(b) {
		if place, known := at[n]; known && place != slow(second, int64(i)) {
			t.Fatalf("the product of %s and %s has two copies of %d", a, b, n)
		}
		at[n] = slow(second, int64(i))
	}
	if c, err := run(t, algebra.Call{Operation: "complement"}, a, nil); err == nil && !fills(a, c) {
		return
	}
	of, different := map[int64]int64{}, values(a)
	slices.Sort(different)
	for n, place := range at {
		for _, x := range slices.Compact(different) {
			if other, taken := of[place+x]; taken && other != n {
				t.Fatalf("the copies %d and %d of %s overlap", n, other, a)
			}
			of[place+x] = n
		}
	}
}

// fills reports whether the sums of the offsets of a layout and its complement are all numbers up to the last of them.
func fills(a, complement algebra.Mode) bool {
	sums := map[int64]bool{}
	last := int64(0)
	for _, x := range values(a) {
		for _, y := range values(complement) {
			sums[x+y], last = true, max(last, x+y)
		}
	}
	return int64(len(sums)) == last+1
}

// TestRanked checks that blocks stay whole in a blocked product, and lie between one another in a raked one.
func TestRanked(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := algebra.List(anyMode(t, 8), anyMode(t, 8))
		b := algebra.List(anyMode(t, 4), anyMode(t, 4))
		pair, err := run(t, algebra.Call{Operation: "product"}, a, &b)
		blocked, wrong := run(t, algebra.Call{Operation: "product", Form: algebra.Blocked}, a, &b)
		raked, worse := run(t, algebra.Call{Operation: "product", Form: algebra.Raked}, a, &b)
		if (err == nil) != (wrong == nil) || (err == nil) != (worse == nil) {
			t.Fatalf("%s and %s: %v, %v, %v", a, b, err, wrong, worse)
		}
		for i := range sizeOf(a) * sizeOf(b) * min(int64(len(pair.Modes)), 1) {
			x, y := i%sizeOf(a), i/sizeOf(a)
			ax, bx := sizeOf(a.Modes[0]), sizeOf(b.Modes[0])
			want := slow(pair.Modes[0], x) + slow(pair.Modes[1], y)
			inBlocked := x%ax + ax*(y%bx) + ax*bx*(x/ax+sizeOf(a.Modes[1])*(y/bx))
			inRaked := y%bx + bx*(x%ax) + ax*bx*(y/bx+sizeOf(b.Modes[1])*(x/ax))
			if slow(blocked, inBlocked) != want || slow(raked, inRaked) != want {
				t.Fatalf("%s and %s: blocked %s, raked %s, element %d of copy %d", a, b, blocked, raked, x, y)
			}
		}
	})
}

// TestCoalesceAndRecast checks that coalescing changes no offset and leaves nothing to merge, and that another type,
// and the first one again, have the same bits.
func TestCoalesceAndRecast(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := anyMode(t, 200)
		r, err := run(t, algebra.Call{Operation: "coalesce"}, a, nil)
		if err != nil || !slices.Equal(values(r), values(a)) {
			t.Fatalf("%s is coalesced to %s: %v", a, r, err)
		}
		for i := 1; i < len(r.Modes); i++ {
			if before := r.Modes[i-1]; before.Extent*before.Stride == r.Modes[i].Stride || r.Modes[i].Extent == 1 {
				t.Fatalf("%s is coalesced to %s", a, r)
			}
		}
		bits := []int64{4, 6, 8, 16, 24, 32}
		from, to := rapid.SampledFrom(bits).Draw(t, "from"), rapid.SampledFrom(bits).Draw(t, "to")
		there, err := run(t, algebra.Call{Operation: "recast", From: from, To: to}, a, nil)
		if err != nil {
			return
		}
		if !slices.Equal(bitsOf(a, from), bitsOf(there, to)) {
			t.Fatalf("%s of %d bits has other bits than %s of %d", a, from, there, to)
		}
		back, err := run(t, algebra.Call{Operation: "recast", From: to, To: from}, there, nil)
		if err != nil || !slices.Equal(bitsOf(back, from), bitsOf(a, from)) {
			t.Fatalf("%s of %d bits is %s of %d, and back %s: %v", a, from, there, to, back, err)
		}
	})
}

// bitsOf are the bits of all elements.
func bitsOf(m algebra.Mode, each int64) (list []int64) {
	for _, x := range values(m) {
		for bit := range each {
			list = append(list, x*each+bit)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// FuzzOperations parses two layouts and applies all operations to them. No operation may crash, and every result must
// agree with its definition.
func FuzzOperations(f *testing.F) {
	for _, seed := range [][2]string{
		{"(6,2):(8,2)", "(4,3):(3,1)"}, {"Sw<3,3,3> o 0 o (8,64):(64,1)", "[3:1;4:1]"},
		{"(2,(1,6)):(1,(6,2))", "(1,_)"}, {"make_layout(make_shape(4, 8))", "<3:3,(2,4):(1,8)>"},
		{"(4,8):(0,-1)", "24"}, {"(4,7):(0,-1)", ""}, {"0", "0"}, {"():()", "!cute.tile<\"[(2):(1)]\">"},
	} {
		f.Add(seed[0], seed[1], byte(0))
	}
	f.Fuzz(func(t *testing.T, first, second string, form byte) {
		a, _, err := notation.ReadLayout(first, notation.Options{})
		if err != nil {
			return
		}
		c := algebra.Call{A: a, Form: algebra.Form(form) % 6, Left: form&64 != 0}
		c.From, c.To = 8<<(form&3), 8<<(form>>2&3)
		if b, err := notation.ReadTiler(second, notation.Options{}); err == nil {
			c.B = &b
		}
		for _, o := range algebra.Operations {
			if least, _ := o.Takes(); least == 1 && c.B == nil {
				continue
			}
			c.Operation = o.Name
			made, err := c.Result()
			if err != nil && strings.Contains(err.Error(), "fault of this program") {
				t.Errorf("%s of %q and %q: %v", o.Name, first, second, err)
			}
			if _, tooLarge := layout.NewTensor(made.Flat(), 0); tooLarge != nil {
				continue
			}
			if err == nil && (made.Flat().Base() == 0 || made.Flat().IsSwizzled()) {
				again, _, err := notation.ReadLayout(made.String(), notation.Options{})
				if err != nil || again.String() != made.String() {
					t.Errorf("%s is read as %s: %v", made, again, err)
				}
			}
		}
	})
}

func BenchmarkDivide(b *testing.B) {
	a, err := algebra.New(algebra.List(algebra.Digit(128, 64), algebra.Digit(64, 1)), 0)
	if err != nil {
		b.Fatal(err)
	}
	t := algebra.Tiler{Each: []algebra.Tiler{{Mode: algebra.Digit(32, 1)}, {Mode: algebra.Digit(8, 1)}}}
	c := algebra.Call{Operation: "divide", A: a, B: &t, Form: algebra.Zipped}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Result(); err != nil {
			b.Fatal(err)
		}
	}
}
