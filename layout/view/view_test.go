package view_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/view"
)

func TestMain(m *testing.M) { layouttest.Main(m) }

// A meaning is a step and its result, written by hand: the new sizes, and for each new index the old index of the same
// element. A step without sizes must be an error.
type meaning struct {
	step  string
	sizes []int64
	from  func(index []int64) []int64
}

// TestViewOfEveryStep applies every step to every small tensor, in many layouts. The offset of an index of the result
// must be that of the old index of the same element, or, for a copy, the number of the element in row-major order.
func TestViewOfEveryStep(t *testing.T) {
	done := map[string]int{}
	for i, sizes := range allSizes(3, 4) {
		if i%layouttest.Step() != 0 {
			continue
		}
		bases := layoutsOf(t, sizes)
		for _, m := range meanings(sizes) {
			name := strings.TrimPrefix(m.step, "np.")
			kind := strings.FieldsFunc(name, func(r rune) bool { return r == '(' || r == '[' })[0]
			for _, name := range checkMeaning(t, bases, m) {
				done[name+" "+kind]++
			}
			if t.Failed() {
				return
			}
		}
	}
	for _, row := range []string{
		"packed view", "padded reshape", "broadcast flatten", "flipped diagonal",
		"blocked permute", "blocked select", "blocked flip", "blocked narrow", "blocked squeeze", "blocked unsqueeze",
		"blocked expand", "blocked reshape", "blocked contiguous", "blocked diagonal", "blocked unfold",
		"blocked movedim",
		"nested flip", "nested select", "nested transpose", "nested narrow",
		"swizzled permute", "swizzled select", "swizzled narrow", "swizzled contiguous", "swizzled reshape",
	} {
		if done[row] == 0 {
			t.Errorf("no %s was accepted", row)
		}
	}
}

// checkMeaning applies a step to tensors in many layouts and returns the layouts that it accepted.
func checkMeaning(t *testing.T, bases map[string]layout.Tensor, m meaning) (accepted []string) {
	t.Helper()
	steps, err := view.ParseSteps(m.step)
	if err != nil {
		t.Errorf("%s: %v", m.step, err)
		return nil
	}
	indices := rowMajor(m.sizes)
	var from [][]int64
	for _, index := range indices {
		if m.sizes != nil {
			from = append(from, m.from(index))
		}
	}
	for name, tensor := range bases {
		v, err := view.View{Tensor: tensor}, error(nil)
		for _, step := range steps {
			if err == nil {
				v, err = step.Apply(v.Tensor, systemOf(m.step))
			}
		}
		if err != nil {
			checkRefusal(t, tensor.Layout(), m, err)
			continue
		}
		accepted = append(accepted, name)
		old, l := tensor.Layout(), v.Tensor.Layout()
		if m.sizes == nil || !slices.Equal(l.Sizes(), m.sizes) {
			t.Errorf("%v %s = %v, want sizes %v", old, m.step, l, m.sizes)
			return accepted
		}
		for i, index := range indices {
			want := int64(i) // of a fresh tensor
			if !v.Copied {
				want = offsetOf(old, from[i])
			}
			if got := offsetOf(l, index); got != want {
				t.Errorf("%v %s = %v: index %v at %d, want %d", old, m.step, l, index, got, want)
				return accepted
			}
		}
		if v.Copied && needsNoCopy(old, m) {
			t.Errorf("%v %s copies, but strides give that view", old, m.step)
		}
	}
	return accepted
}

// needsNoCopy reports whether the step copies only if no strides give its result, and there are such strides.
func needsNoCopy(old layout.Layout, m meaning) bool {
	_, strided := old.Strides()
	return strided && (strings.HasPrefix(m.step, "reshape") || strings.HasPrefix(m.step, "flatten")) && affine(old, m)
}

// checkRefusal checks that a rejected step is not valid, or would need a copy, or meets blocks.
func checkRefusal(t *testing.T, old layout.Layout, m meaning, err error) {
	t.Helper()
	var syntax *layout.SyntaxError
	_, strided := old.Strides()
	switch {
	case !errors.As(err, &syntax):
		t.Errorf("%v %s: %T %v", old, m.step, err, err)
	case m.sizes != nil && strided && !mustRefuse(old, m):
		t.Errorf("%v %s: refused: %v", old, m.step, err)
	}
}

// mustRefuse reports whether the step never copies and no strides give its result.
func mustRefuse(old layout.Layout, m meaning) bool {
	return (strings.HasPrefix(m.step, "view") || strings.HasPrefix(m.step, "unflatten")) && !affine(old, m)
}

// affine reports whether one stride for each new axis leads to the old offset of every element.
func affine(old layout.Layout, m meaning) bool {
	strides := make([]int64, len(m.sizes))
	first := offsetOf(old, m.from(make([]int64, len(m.sizes))))
	for i, n := range m.sizes {
		if n > 1 {
			unit := make([]int64, len(m.sizes))
			unit[i] = 1
			strides[i] = offsetOf(old, m.from(unit)) - first
		}
	}
	for _, index := range rowMajor(m.sizes) {
		want := first
		for i, v := range index {
			want += v * strides[i]
		}
		if offsetOf(old, m.from(index)) != want {
			return false
		}
	}
	return true
}

// offsetOf computes an offset by the definition: digits starting at the innermost.
func offsetOf(l layout.Layout, index []int64) int64 {
	offset := l.Base()
	for i, v := range index {
		a := l.Axis(i)
		for k := a.Digits() - 1; k >= 0; k-- {
			d := a.Digit(k)
			offset += v % d.Extent * d.Stride
			v /= d.Extent
		}
	}
	return offset
}

// rowMajor lists all indices in row-major order.
func rowMajor(sizes []int64) [][]int64 {
	indices := [][]int64{{}}
	for _, n := range sizes {
		var longer [][]int64
		for _, index := range indices {
			for v := range n {
				longer = append(longer, append(slices.Clone(index), v))
			}
		}
		indices = longer
	}
	return indices
}

// allSizes lists all shapes up to a rank and an extent.
func allSizes(rank int, extent int64) [][]int64 {
	var all [][]int64
	for r := range rank + 1 {
		all = append(all, rowMajor(slices.Repeat([]int64{extent + 1}, r))...)
	}
	return all
}

// layoutsOf returns tensors of the sizes in many layouts, by name.
func layoutsOf(t *testing.T, sizes []int64) map[string]layout.Tensor {
	t.Helper()
	rank := len(sizes)
	tensor := func(base int64, strides []int64) layout.Tensor {
		l, err := layout.Strided(base, sizes, strides)
		if err != nil {
			t.Fatal(err)
		}
		tensor, err := layout.NewTensor(l, layout.DType(0))
		if err != nil {
			t.Fatal(err)
		}
		return tensor
	}
	strided := func(base, unit, sign int64, order []int, pad int64) layout.Tensor {
		strides := make([]int64, rank)
		for _, i := range order {
			strides[i] = unit * sign
			base += max(sizes[i]-1, 0) * max(-strides[i], 0)
			unit *= sizes[i] + pad
		}
		return tensor(base, strides)
	}
	var inner, outer []int
	for i := range rank {
		outer = append(outer, i)
		inner = slices.Insert(inner, 0, i)
	}
	bases := map[string]layout.Tensor{
		"packed":   strided(0, 1, 1, inner, 0),
		"permuted": strided(3, 1, 1, outer, 0),
		"padded":   strided(1, 2, 1, inner, 1),
		"flipped":  strided(0, 1, -1, inner, 0),
	}
	if rank == 0 {
		return bases
	}
	strides, _ := bases["packed"].Layout().Strides()
	strides[0] = 0
	bases["broadcast"] = tensor(0, strides)
	names := map[string][]string{
		"blocked": {"", "W2w", "WH2h", "CHW2c"},
		"nested":  {"", "W2w2w", "HW2h2w", "CHW2w2c2w"},
		"aligned": {"", "W4w", "HW4w", "HWC2c"}, // their digits often merge into one
	}
	for kind, byRank := range names {
		bases[kind] = layouttest.Sized(t, sizes, byRank[rank])
	}
	two := []layout.Swizzle{{Bits: 2, Base: 1, Shift: -3}, {Bits: 1, Shift: 2}}
	swizzled, err := bases["padded"].Swizzled(two...)
	if err != nil {
		t.Fatal(err)
	}
	bases["swizzled"] = swizzled
	return bases
}

// meanings lists the steps for tensors of the given sizes, without strides.
func meanings(sizes []int64) []meaning {
	b := builder{sizes: sizes}
	b.order()
	b.slices()
	b.ones()
	b.pairs()
	b.reshapes()
	return b.meanings
}

type builder struct {
	sizes    []int64
	meanings []meaning
}

func (b *builder) add(sizes []int64, from func([]int64) []int64, format string, args ...any) {
	b.meanings = append(b.meanings, meaning{fmt.Sprintf(format, args...), sizes, from})
}

func same(index []int64) []int64 { return index }

// without returns the list without item i, with puts v before it, set in its place.
func without(list []int64, i int) []int64 { return slices.Delete(slices.Clone(list), i, i+1) }

func with(list []int64, i int, v int64) []int64 { return slices.Insert(slices.Clone(list), i, v) }

func set(list []int64, i int, v int64) []int64 {
	list = slices.Clone(list)
	list[i] = v
	return list
}

// joined joins numbers with commas.
func joined[T any](numbers []T) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ","), "[]")
}

// arrange adds a step that makes axis order[i] the new axis i.
func (b *builder) arrange(order []int, format string, args ...any) {
	sizes := make([]int64, len(order))
	for i, axis := range order {
		sizes[i] = b.sizes[axis]
	}
	b.add(sizes, func(index []int64) []int64 {
		old := make([]int64, len(order))
		for i, axis := range order {
			old[axis] = index[i]
		}
		return old
	}, format, args...)
}

// order adds the steps that put axes into another order.
func (b *builder) order() {
	rank := len(b.sizes)
	identity := make([]int, rank)
	for i := range identity {
		identity[i] = i
	}
	for _, order := range permutations(rank) {
		negative := slices.Clone(order)
		for i := range negative {
			negative[i] -= rank
		}
		b.arrange(order, "permute(%s)", joined(order))
		b.arrange(order, "permute((%s))", joined(negative))
	}
	reversed := slices.Clone(identity)
	slices.Reverse(reversed)
	b.arrange(reversed, "T")
	b.add(nil, nil, "permute(%s)", joined(append(slices.Clone(identity), rank)))
	if rank < 2 {
		b.add(nil, nil, "mT")
	} else {
		swapped := slices.Clone(identity)
		swapped[rank-1], swapped[rank-2] = rank-2, rank-1
		b.arrange(swapped, "mT")
	}
	for x := -rank; x < rank; x++ {
		for y := -rank; y < rank; y++ {
			i, j := (x+rank)%rank, (y+rank)%rank
			swapped := slices.Clone(identity)
			swapped[i], swapped[j] = j, i
			b.arrange(swapped, "transpose(%d,%d)", x, y)
			b.arrange(swapped, "swapaxes(%d,%d)", x, y)
			b.arrange(slices.Insert(slices.Delete(slices.Clone(identity), i, i+1), j, i), "movedim(%d,%d)", x, y)
		}
	}
}

func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var all [][]int
	for _, shorter := range permutations(n - 1) {
		for i := range n {
			all = append(all, slices.Insert(slices.Clone(shorter), i, n-1))
		}
	}
	return all
}

// slices adds the steps that keep some indices of one axis.
func (b *builder) slices() {
	for i, n := range b.sizes {
		before := strings.Repeat(":, ", i)
		for v := -n - 1; v <= n; v++ {
			sizes, keep := without(b.sizes, i), (v+n)%max(n, 1)
			from := func(index []int64) []int64 { return with(index, i, keep) }
			if v < -n || v >= n {
				sizes, from = nil, nil
			}
			b.add(sizes, from, "select(%d,%d)", i, v)
			b.add(sizes, from, "[%s%d]", before, v)
		}
		bounds := []string{""}
		for v := -n - 1; v <= n+1; v++ {
			if len(b.sizes) < 3 || v == -n-1 || v == -1 || v == 1 || v == 2 { // lower ranks have the rest
				bounds = append(bounds, fmt.Sprint(v))
			}
		}
		for _, start := range bounds {
			for _, stop := range bounds {
				for _, step := range []int64{1, 2, 3, -1, -2, -5} {
					b.keep(i, pythonRange(start, stop, step, n), "np[%s%s:%s:%d]", before, start, stop, step)
				}
			}
		}
		for start := range n + 1 {
			for size := range n + 2 {
				if size > n-start {
					b.add(nil, nil, "narrow(%d,%d,%d)", i, start, size)
					continue
				}
				kept := pythonRange(fmt.Sprint(start), fmt.Sprint(start+size), 1, n)
				b.keep(i, kept, "narrow(%d,%d,%d)", i-len(b.sizes), start, size)
			}
		}
		backwards := pythonRange("", "", -1, n)
		b.keep(i, backwards, "np.flip(%d)", i)
		b.keep(i, pythonRange("", "", 1, n), "np.flip(%d).flip(%d)", i, i)
	}
	if len(b.sizes) > 1 {
		last := len(b.sizes) - 1
		b.add(b.sizes, func(index []int64) []int64 {
			return set(set(index, 0, b.sizes[0]-1-index[0]), last, b.sizes[last]-1-index[last])
		}, "np.flip(0,-1)")
		if b.sizes[0] > 0 {
			sizes := without(with(b.sizes, 1, 1), 0)
			b.add(sizes, func(index []int64) []int64 {
				return with(set(index[1:], last-1, b.sizes[last]-1-index[last]), 0, 0)
			}, "np[0, None, ..., ::-1]")
		}
	}
}

// keep adds a step that keeps the listed indices of axis i.
func (b *builder) keep(i int, kept []int64, format string, args ...any) {
	b.add(set(b.sizes, i, int64(len(kept))), func(index []int64) []int64 {
		return set(index, i, kept[index[i]])
	}, format, args...)
}

// pythonRange lists the indices in Python's slice of n indices: in the direction of the step, all indices from start up
// to but not including stop, and of these every step-th.
func pythonRange(start, stop string, step, n int64) []int64 {
	bound := func(text string, otherwise int64) int64 {
		v := otherwise
		if text != "" {
			fmt.Sscan(text, &v)
			if v < 0 {
				v += n
			}
		}
		return v
	}
	var inside, kept []int64
	for v := range n {
		if step > 0 && v >= bound(start, 0) && v < bound(stop, n) {
			inside = append(inside, v)
		}
		if step < 0 && v <= bound(start, n) && v > bound(stop, -1) {
			inside = slices.Insert(inside, 0, v)
		}
	}
	for i, v := range inside {
		if int64(i)%max(step, -step) == 0 {
			kept = append(kept, v)
		}
	}
	return kept
}

// ones adds the steps that make, drop and broadcast axes of size 1.
func (b *builder) ones() {
	rank := len(b.sizes)
	for i := range rank + 1 {
		from := func(index []int64) []int64 { return without(index, i) }
		b.add(with(b.sizes, i, 1), from, "unsqueeze(%d)", i)
		b.add(with(b.sizes, i, 1), from, "unsqueeze(%d)", i-rank-1)
		b.add(with(b.sizes, i, 1), from, "[%sNone]", strings.Repeat(":, ", i))
	}
	squeezed, kept := []int64{}, []int{}
	for i, n := range b.sizes {
		if n != 1 {
			squeezed, kept = append(squeezed, n), append(kept, i)
			b.add(b.sizes, same, "squeeze(%d)", i)
			b.add(nil, nil, "expand(%s)", joined(set(b.sizes, i, n+1)))
			continue
		}
		b.add(without(b.sizes, i), func(index []int64) []int64 { return with(index, i, 0) }, "squeeze(%d)", i-rank)
		wide := set(b.sizes, i, 3)
		b.add(wide, func(index []int64) []int64 { return set(index, i, 0) }, "expand(%s)", joined(wide))
		b.add(with(wide, 0, 2), func(index []int64) []int64 {
			return set(index[1:], i, 0)
		}, "broadcast_to(2,%s)", joined(wide))
	}
	b.add(squeezed, func(index []int64) []int64 {
		old := make([]int64, rank)
		for i, axis := range kept {
			old[axis] = index[i]
		}
		return old
	}, "squeeze()")
	if rank > 0 {
		same := strings.Repeat(",-1", rank)
		b.add(append([]int64{2, 1}, b.sizes...), func(index []int64) []int64 {
			return index[2:]
		}, "expand(2,1%s)", same)
		b.add(nil, nil, "expand(%s)", strings.TrimPrefix(same[3:], ","))
		b.add(nil, nil, "expand(-1%s)", same)
	}
}

// pairs adds diagonals and windows.
func (b *builder) pairs() {
	rank := len(b.sizes)
	for i, n := range b.sizes {
		for size := range n + 2 {
			for step := range int64(3) {
				sizes := append(set(b.sizes, i, (n-size)/max(step, 1)+1), size)
				if size > n || step == 0 {
					sizes = nil
				}
				b.add(sizes, func(index []int64) []int64 {
					return set(index[:rank], i, index[i]*step+index[rank])
				}, "unfold(%d,%d,%d)", i, size, step)
			}
		}
		for j := range b.sizes {
			for k := int64(-5); k <= 5; k++ {
				if i == j {
					b.add(nil, nil, "diagonal(%d,%d,%d)", k, i, j-rank)
					continue
				}
				var pairs [][2]int64
				for v := range n {
					if w := v + k; w >= 0 && w < b.sizes[j] {
						pairs = append(pairs, [2]int64{v, w})
					}
				}
				others := without(without(b.sizes, max(i, j)), min(i, j))
				b.add(append(others, int64(len(pairs))), func(index []int64) []int64 {
					pair, old := pairs[index[rank-2]], make([]int64, 0, rank)
					rest := index[:rank-2]
					for axis := range rank {
						switch axis {
						case i:
							old = append(old, pair[0])
						case j:
							old = append(old, pair[1])
						default:
							old, rest = append(old, rest[0]), rest[1:]
						}
					}
					return old
				}, "diagonal(%d,%d,%d)", k, i, j)
			}
		}
	}
}

// reshapes adds the steps that keep the row-major order of the elements.
func (b *builder) reshapes() {
	n, old := int64(1), rowMajor(b.sizes)
	for _, size := range b.sizes {
		n *= size
	}
	to := func(sizes []int64) func([]int64) []int64 {
		return func(index []int64) []int64 {
			at := int64(0)
			for i, v := range index {
				at = at*sizes[i] + v
			}
			return old[at]
		}
	}
	for _, sizes := range shapesOf(n, 3) {
		b.add(sizes, to(sizes), "reshape(%s)", joined(sizes))
		b.add(sizes, to(sizes), "view(%s)", joined(sizes))
	}
	b.add([]int64{n}, to([]int64{n}), "view(-1)")
	b.add(nil, nil, "view(%d)", n+1)
	if n > 0 {
		b.add(nil, nil, "reshape(-1,%d)", n+1)
	}
	b.add(nil, nil, "reshape(-1,0)")
	b.add([]int64{n}, to([]int64{n}), "ravel()")
	b.add([]int64{n}, to([]int64{n}), "flatten()")
	b.add(b.sizes, same, "contiguous()")
	for i := range b.sizes {
		for j := range b.sizes {
			if j < i {
				b.add(nil, nil, "flatten(%d,%d)", i, j)
				continue
			}
			merged := int64(1)
			for _, size := range b.sizes[i : j+1] {
				merged *= size
			}
			sizes := slices.Replace(slices.Clone(b.sizes), i, j+1, merged)
			b.add(sizes, to(sizes), "flatten(%d,%d)", i, j-len(b.sizes))
		}
		for _, part := range shapesOf(b.sizes[i], 2) {
			sizes := slices.Replace(slices.Clone(b.sizes), i, i+1, part...)
			if len(part) > 0 {
				b.add(sizes, to(sizes), "unflatten(%d,(%s))", i, joined(part))
			}
		}
	}
}

// shapesOf lists the shapes up to a rank whose product is n.
func shapesOf(n int64, rank int) [][]int64 {
	var all [][]int64
	for _, sizes := range allSizes(rank, min(n, 6)) {
		product := int64(1)
		for _, size := range sizes {
			product *= size
		}
		if product == n {
			all = append(all, sizes)
		}
	}
	return all
}

// tenSteps is a chain of ten steps.
const tenSteps = "permute(0,2,3,1)[:, 1:7:2, ::2].unsqueeze(0).movedim(-1,1).flatten(3,4).transpose(1,2)" +
	".expand(4,-1,-1,-1).narrow(3,1,8).contiguous().reshape(4,-1)"

// BenchmarkChain: under 20 us for ten steps, in process.
func BenchmarkChain(b *testing.B) {
	tensor := fresh(b, 1, 3, 8, 8)
	b.Run("with parsing", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := apply(tensor, tenSteps); err != nil {
				b.Fatal(err)
			}
		}
	})
	steps, err := view.ParseSteps(tenSteps)
	if err != nil || len(steps) != 10 {
		b.Fatal(len(steps), err)
	}
	b.Run("parsed", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			t := tensor
			for _, step := range steps {
				v, err := step.Apply(t, layout.PyTorch)
				if err != nil {
					b.Fatal(err)
				}
				t = v.Tensor
			}
		}
	})
}
