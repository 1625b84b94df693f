package rules

import (
	"math/bits"
	"slices"

	"layoutcalc/layout/facts"
)

// The most dimensions of oneDNN's memory descriptors and of CUDA's tensor maps.
const (
	oneDNNMaxRank = 12
	tmaMaxRank    = 5
)

// checkOneDNN holds the descriptor against dnnl_memory_desc's constructor.
func (c *Checker) checkOneDNN() {
	if n := len(c.d.Sizes); n > oneDNNMaxRank && c.broken(OneDNNRank) {
		c.find(OneDNNRank, SizesPart, -1, "merge dimensions that lie behind each other", "%d dimensions, oneDNN has at most 12", n)
	}
	w := &c.room
	if c.d.Strides == nil || !w.sized || w.empty || !w.strided {
		return
	}
	if w.backwards {
		c.negative(OneDNNStrides, "oneDNN has no negative strides", "")
		return
	}
	if d, least := w.unsorted(); d != nil && c.broken(OneDNNStrides) {
		c.find(OneDNNStrides, StridesPart, d.axis, fixf("%d is the next stride that it takes", least),
			"stride %d of dimension %d is refused: in order of increasing strides each is to be at least the one before it times its size, here %d", d.stride, d.axis, least)
	}
}

// negative reports the negative strides.
func (c *Checker) negative(id ID, why, fix string) {
	for i, s := range c.room.strides {
		if s < 0 && c.d.Sizes[i] > 1 && c.broken(id) {
			c.find(id, StridesPart, i, fix, "stride %d of dimension %d: %s", s, i, why)
		}
	}
}

// unsorted returns the first of the dims that does not step over all of the one before it, and how
// far it would have to. A stride of 0 is taken anywhere.
func (w *workspace) unsorted() (d *dim, least uint64) {
	least = 1
	for i := range w.moving() {
		d := &w.moving()[i]
		if d.stride < least {
			return d, least
		}
		hi, lo := bits.Mul64(d.stride, d.size)
		if least = lo; hi != 0 {
			least = 1<<64 - 1
		}
	}
	return nil, 0
}

// checkTMA holds the descriptor against a tensor map of CUDA's tensor memory accelerator, which
// looks at every stride, whatever the size.
func (c *Checker) checkTMA() {
	n := len(c.d.Sizes)
	if (n < 1 || n > tmaMaxRank) && c.broken(TMARank) {
		c.find(TMARank, SizesPart, -1, "", "%s, a tensor map has 1 to 5", count(int64(n), "dimension"))
	}
	w := &c.room
	if n == 0 || !w.sized || w.empty || !w.strided {
		return
	}
	if s := w.strides[n-1]; s != 1 && c.d.Sizes[n-1] > 1 && c.broken(TMAInner) {
		c.find(TMAInner, StridesPart, n-1, "the last dimension is to be that of stride 1", "stride %d of the last dimension, a tensor map has 1", s)
	}
	c.checkTMAStrides()
	c.checkTMANesting()
}

// checkTMAStrides looks for negative strides, and for strides and a start that are no multiples of 16
// bytes.
func (c *Checker) checkTMAStrides() {
	w, unit := &c.room, int64(1)
	if c.bits() > 0 {
		unit = max(128/c.bits(), 1) // elements in 16 bytes
	}
	for i, s := range w.strides[:len(w.strides)-1] {
		if s < 0 && c.broken(TMAStride16) {
			c.find(TMAStride16, StridesPart, i, "list the rows in the order of memory", "stride %d of dimension %d: the strides of a tensor map are unsigned", s, i)
		}
		if s >= 0 && s%unit != 0 && c.broken(TMAStride16) {
			c.find(TMAStride16, StridesPart, i, fixf("a multiple of %d", unit), "stride %d of dimension %d is no multiple of 16 bytes", s, i)
		}
	}
	if c.d.Base%unit != 0 && c.broken(TMAStride16) {
		c.find(TMAStride16, BasePart, -1, fixf("a multiple of %d", unit), "the first element, at offset %d, is at no multiple of 16 bytes", c.d.Base)
	}
}

// checkTMANesting looks for a dimension that does not step over all of the next one, as Triton
// asks.
func (c *Checker) checkTMANesting() {
	w := &c.room
	least := uint64(0)
	for i, n := range slices.Backward(c.d.Sizes) {
		if n == 1 {
			continue
		}
		s := w.strides[i]
		if s < 0 {
			return // which has been reported
		}
		if least > 0 && uint64(s) < least {
			if c.broken(TMANested) {
				c.find(TMANested, StridesPart, i, fixf("%d is enough", least), "stride %d of dimension %d is less than the next dimension's stride times its size, %d", s, i, least)
			}
			return
		}
		hi, lo := bits.Mul64(magnitude(s), uint64(n))
		if least = max(lo, 1); hi != 0 {
			return
		}
	}
}

// checkMdspan holds the descriptor against what the constructor of layout_stride's mapping
// presupposes. That elements share no addresses is checkOverlap's.
func (c *Checker) checkMdspan() {
	w := &c.room
	if !w.sized || w.empty || !w.strided {
		return
	}
	for i, s := range w.strides {
		if s <= 0 && c.d.Sizes[i] > 1 && c.broken(MdspanPositive) {
			c.find(MdspanPositive, StridesPart, i, "", "stride %d of dimension %d: layout_stride presupposes strides above 0", s, i)
		}
	}
	d, least := w.unsorted()
	if d != nil && (w.nested || w.shared == facts.No) && c.wants(MdspanUnique, Warning) {
		c.findAs(MdspanUnique, Warning, StridesPart, d.axis, fixf("%d is the next stride that it allows", least),
			"no two elements share an address, but layout_stride presupposes more: in order of increasing strides each is to be at least the one before it times its size, here %d", least)
	}
}

// checkPyTorch looks for what no tensor of PyTorch has.
func (c *Checker) checkPyTorch() {
	if w := &c.room; w.sized && !w.empty && w.strided {
		c.negative(PyTorchNegative, "PyTorch has no negative strides", "flip(), which copies")
	}
}
