package notation

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"layoutcalc/layout"
)

// A slowMap is where every element of a small tensor lies, and nothing else of its layout.
type slowMap struct {
	layout.DTypeInfo
	sizes, offsets []int64
	low            int64
}

// anySlowMap draws a tensor with elements, and looks at each.
func anySlowMap(t *rapid.T) (x layout.Tensor, m slowMap) {
	x = anyTensor(t)
	m = slowMap{DTypeInfo: x.DType().Info(), sizes: x.Layout().Sizes(), offsets: offsets(t, x.Layout())}
	if m.offsets != nil {
		m.low = slices.Min(m.offsets)
	}
	return x, m
}

// steps returns how far the first steps along each axis lead, none where there is one index.
func (m slowMap) steps() []int64 {
	steps, weight := make([]int64, len(m.sizes)), len(m.offsets)
	for i, size := range m.sizes {
		if weight /= int(size); size > 1 {
			steps[i] = m.offsets[weight] - m.offsets[0]
		}
	}
	return steps
}

// along returns the distances from index 0 along an axis.
func (m slowMap) along(axis int) []int64 {
	weight := 1
	for _, size := range m.sizes[axis+1:] {
		weight *= int(size)
	}
	distances := make([]int64, m.sizes[axis])
	for i := range distances {
		distances[i] = m.offsets[i*weight] - m.offsets[0]
	}
	return distances
}

// linear reports whether one stride for each axis leads to all elements.
func (m slowMap) linear() bool {
	steps := m.steps()
	for e, offset := range m.offsets {
		want := m.offsets[0]
		for i := len(m.sizes) - 1; i >= 0; i-- {
			want += int64(e) % m.sizes[i] * steps[i]
			e /= int(m.sizes[i])
		}
		if offset != want {
			return false
		}
	}
	return true
}

// forward is linear with strides of at least some number, where there are two indices.
func (m slowMap) forward(least int64) bool {
	for i, step := range m.steps() {
		if m.sizes[i] > 1 && step < least {
			return false
		}
	}
	return m.linear()
}

// disjoint reports whether every stride is at least what the axis of the next lesser one takes.
func (m slowMap) disjoint() bool {
	steps, order := m.steps(), []int{}
	for i, size := range m.sizes {
		if size > 1 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(steps[a], steps[b]), cmp.Compare(m.sizes[a], m.sizes[b]))
	})
	next := int64(1)
	for _, i := range order {
		if steps[i] < next {
			return false
		}
		next = steps[i] * m.sizes[i]
	}
	return m.linear()
}

// countable reports whether the distances are those of full digits: whether some number of them
// comes again and again, from distances that are such themselves.
func countable(distances []int64) bool {
	n := len(distances)
	for inner := 2; inner <= n; inner++ {
		if n%inner != 0 || !isRun(distances[:inner]) {
			continue
		}
		outer, repeats := make([]int64, n/inner), true
		for i, distance := range distances {
			outer[i/inner] = distances[i/inner*inner]
			repeats = repeats && distance == outer[i/inner]+distances[i%inner]
		}
		if repeats && countable(outer) {
			return true
		}
	}
	return n == 1
}

func isRun(distances []int64) bool {
	for i, distance := range distances {
		if distance != int64(i)*distances[1] {
			return false
		}
	}
	return true
}

// nests reports whether every axis is of full digits.
func (m slowMap) nests() bool {
	for i := range m.sizes {
		if !countable(m.along(i)) {
			return false
		}
	}
	return true
}

// runs returns the full digits of an axis, the innermost first; ok is false where there are none
// such, or a greater digit takes lesser steps.
func (m slowMap) runs(axis int) (digits []layout.Digit, ok bool) {
	for distances := m.along(axis); len(distances) > 1; {
		n := 2
		for n < len(distances) && isRun(distances[:n+1]) {
			n++
		}
		if len(digits) > 0 && distances[1] < digits[len(digits)-1].Stride || len(distances)%n != 0 || !countable(distances) {
			return nil, false
		}
		digits = append(digits, layout.Digit{Extent: int64(n), Stride: distances[1]})
		var outer []int64
		for i := 0; i < len(distances); i += n {
			outer = append(outer, distances[i])
		}
		distances = outer
	}
	return digits, true
}

// ordered reports whether the tensor is an order of axes and full blocks: all digits side by side
// leave no gap.
func (m slowMap) ordered() bool {
	var all []layout.Digit
	for i := range m.sizes {
		digits, ok := m.runs(i)
		if !ok {
			return false
		}
		all = append(all, digits...)
	}
	slices.SortFunc(all, func(a, b layout.Digit) int { return cmp.Compare(a.Stride, b.Stride) })
	next := int64(1)
	for _, d := range all {
		if d.Stride != next {
			return false
		}
		next *= d.Extent
	}
	return m.offsets[0] == 0
}

// packed reports whether the elements lie side by side in row-major order.
func (m slowMap) packed() bool {
	for e, offset := range m.offsets {
		if offset != int64(e) {
			return false
		}
	}
	return true
}

// criteria say what notations can express, by looking at every element.
var criteria = []struct {
	name   string
	can    func(m slowMap) bool
	atMost bool // others can be expressed too, as blocks that are not full
}{
	{"pytorch", func(m slowMap) bool { return m.forward(0) && m.PyTorch != "" }, false},
	{"fx", func(m slowMap) bool { return m.forward(0) && m.offsets[0] == 0 && m.FX != "" }, false},
	{"numpy", func(m slowMap) bool { return m.linear() && m.low >= 0 && m.NumPy != "" }, false},
	{"numpy-interface", func(m slowMap) bool { return m.linear() && m.low >= 0 && m.NumPy != "" }, false},
	{"mlir", func(m slowMap) bool { return m.linear() && m.MLIR != "" }, false},
	{"affine-map", func(m slowMap) bool { return m.low >= 0 && m.MLIR != "" }, false},
	{"stablehlo", func(m slowMap) bool { return m.packed() && m.MLIR != "" }, false},
	{"dlpack", func(m slowMap) bool { return m.linear() && m.offsets[0]*m.Bits%8 == 0 && m.Bits > 0 }, false},
	{"dlpack-json", func(m slowMap) bool { return m.linear() && m.offsets[0]*m.Bits%8 == 0 && m.Bits > 0 }, false},
	{"cute", func(m slowMap) bool { return m.offsets[0] == 0 && m.nests() }, false},
	{"mdspan", func(m slowMap) bool { return m.offsets[0] == 0 && m.disjoint() }, false},
	{"dml", slowMap.inDirectML, false},
	{"dxdispatch", slowMap.inDirectML, false},
	{"ggml", func(m slowMap) bool {
		return m.forward(0) && m.offsets[0] == 0 && len(m.sizes) <= 4 && m.GGUF != ""
	}, false},
	{"xla", func(m slowMap) bool { return m.ordered() && m.XLA != "" }, true},
	{"onednn-tag", func(m slowMap) bool { return m.ordered() && m.inOneDNN() }, true},
	{"onednn", func(m slowMap) bool { return (m.ordered() || m.disjoint() && m.offsets[0] == 0) && m.inOneDNN() }, true},
	{"onednn-verbose", func(m slowMap) bool { return (m.ordered() || m.disjoint() && m.offsets[0] == 0) && m.inOneDNN() }, true},
}

func (m slowMap) inDirectML() bool {
	for _, step := range m.steps() {
		if step >= 1<<32 {
			return false
		}
	}
	return m.forward(0) && m.offsets[0] == 0 && 0 < len(m.sizes) && len(m.sizes) <= 8 && m.DirectML != ""
}

func (m slowMap) inOneDNN() bool { return 0 < len(m.sizes) && len(m.sizes) <= 12 && m.OneDNN != "" }

// TestHonestLossProperty: what a notation refuses to write it cannot express.
func TestHonestLossProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, m := anySlowMap(t)
		if m.offsets == nil {
			return
		}
		for _, c := range criteria {
			n, err := Find(c.name)
			if err != nil {
				t.Fatal(err)
			}
			text, err := n.Write(x)
			if can := c.can(m); can && err != nil || !can && err == nil && !c.atMost {
				t.Fatalf("%s: %v of %v: %q, %v; that it can say this is %v", n.Name, x.Layout(), x.DType(), text, err, can)
			}
		}
	})
}
