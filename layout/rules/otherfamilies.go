package rules

import (
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/scan"
)

// The most dimensions of oneDNN's memory descriptors and of CUDA's tensor maps.
const (
	oneDNNMaxRank = 12
	tmaMaxRank    = 5
)

// checkFamily checks what only the target's family asks for.
func (c *Checker) checkFamily() {
	switch c.target.Family {
	case DirectML:
		c.checkDirectML()
	case OneDNN:
		c.checkOneDNN()
	case TMA:
		c.checkTMA()
	case Mdspan:
		c.checkMdspan()
	case PyTorch:
		if c.geometry.regular() {
			c.stridesFrom(0, PyTorchNegative, "PyTorch has no negative strides", "flip(), which copies")
		}
	}
}

// checkOneDNN checks what the constructor of dnnl_memory_desc checks.
func (c *Checker) checkOneDNN() {
	if n := len(c.d.Sizes); n > oneDNNMaxRank {
		c.find(OneDNNRank, SizesPart, -1, mergeFix, "%d dimensions, oneDNN has at most 12", n)
	}
	g := &c.geometry
	if g.backwards {
		c.stridesFrom(0, OneDNNStrides, "oneDNN has no negative strides", "")
		return
	}
	if r, least := g.unsorted(); r != nil {
		c.find(OneDNNStrides, StridesPart, r.Axis, fixf("%s is the next stride that it takes", least),
			"stride %d of dimension %d is refused: in order of increasing strides each must be at least "+
				"the one before it times its size, here %s", r.Stride, r.Axis, least)
	}
}

// stridesFrom reports strides below the least that the family has.
func (c *Checker) stridesFrom(least int64, id ID, why, fix string) {
	for i, s := range c.geometry.strides {
		if s < least && c.d.Sizes[i] > 1 {
			c.find(id, StridesPart, i, fix, "stride %d of dimension %d: %s", s, i, why)
		}
	}
}

// checkTMA checks what a tensor map of CUDA's tensor memory accelerator asks for. It looks at every stride,
// whatever the size.
func (c *Checker) checkTMA() {
	n := len(c.d.Sizes)
	if n < 1 || n > tmaMaxRank {
		c.find(TMARank, SizesPart, -1, "", "%s, a tensor map has 1 to 5", scan.Count(n, "dimension"))
	}
	g := &c.geometry
	if n == 0 || !g.regular() {
		return
	}
	if s := g.strides[n-1]; s != 1 && c.d.Sizes[n-1] > 1 {
		c.find(TMAInner, StridesPart, n-1, "the last dimension must be the one of stride 1",
			"stride %d of the last dimension, a tensor map has 1", s)
	}
	unit := int64(1)
	if c.bits() != 0 {
		unit = 128 / c.bits() // elements in 16 bytes
	}
	for i, s := range g.strides[:n-1] {
		switch {
		case s < 0:
			c.find(TMAStride16, StridesPart, i, "list the rows in the order of memory",
				"stride %d of dimension %d: the strides of a tensor map are unsigned", s, i)
		case s%unit != 0:
			c.find(TMAStride16, StridesPart, i, fixf("a multiple of %d", unit),
				"stride %d of dimension %d is not a multiple of 16 bytes", s, i)
		}
	}
	if c.d.Base%unit != 0 {
		c.find(TMAStride16, BasePart, -1, fixf("a multiple of %d", unit),
			"the first element, at offset %d, is not at a multiple of 16 bytes", c.d.Base)
	}
	c.checkTMANesting()
}

// checkTMANesting looks for a dimension that does not step over all of the next one, as Triton asks.
func (c *Checker) checkTMANesting() {
	var next [2]int64 // the stride and the size of the next dimension
	for i, n := range slices.Backward(c.d.Sizes) {
		if n == 1 {
			continue
		}
		s := c.geometry.strides[i]
		if s < 0 {
			return // which has been reported
		}
		if least, err := layout.ProductOf(next[:]); err != nil || s < least {
			c.find(TMANested, StridesPart, i, fixf("%s is enough", product(next[:])),
				"stride %d of dimension %d is less than the next dimension's stride times its size, %s",
				s, i, product(next[:]))
			return
		}
		next = [...]int64{max(s, 1), n}
		if s == 0 {
			next[1] = 1
		}
	}
}

// checkMdspan checks what the constructor of layout_stride's mapping presupposes. That elements share no
// addresses is up to checkOverlap.
func (c *Checker) checkMdspan() {
	g := &c.geometry
	if !g.regular() {
		return
	}
	c.stridesFrom(1, MdspanPositive, "layout_stride presupposes strides above 0", "")
	if r, least := g.unsorted(); r != nil && (g.nested || g.shared == facts.No) {
		c.findAs(MdspanUnique, Warning, StridesPart, r.Axis, fixf("%s is the next stride that it allows", least),
			"no two elements share an address, but layout_stride presupposes more: in order of increasing strides "+
				"each must be at least the one before it times its size, here %s", least)
	}
}

// familyRules are the rules of other families than DirectML.
var familyRules = []Rule{
	{ID: OneDNNRank, Name: "onednn-rank", Severity: Error, Families: onlyOneDNN,
		What:  "A memory descriptor has at most 12 dimensions.",
		Why:   "DNNL_MAX_NDIMS is 12, and creation fails beyond it.",
		Limit: "12 is right, 13 is wrong", Source: "enforced in code (oneDNN's memory_desc.cpp)",
		Fix:  "Merge dimensions that follow each other in memory.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3], "target": "onednn"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3], "target": "onednn"}`,
	},
	{ID: OneDNNStrides, Name: "onednn-strides", Severity: Error, Families: onlyOneDNN,
		What: "In order of increasing strides each is at least the one before it times its size.",
		Why: "Other strides are invalid arguments, even if no two elements share an address. Stride 0 and size 1 " +
			"are exempt.",
		Limit:  "[3, 2] with strides [2, 6] is right, with [2, 5] wrong",
		Source: "enforced in code (oneDNN's memory_desc_strides_check)", Fix: "Make the larger stride larger.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [3, 2], "Strides": [2, 5], "target": "onednn"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [3, 2], "Strides": [2, 6], "target": "onednn"}`,
	},
	{ID: TMARank, Name: "tma-rank", Severity: Error, Families: onlyTMA,
		What:   "A tensor map has 1 to 5 dimensions.",
		Why:    "cuTensorMapEncodeTiled refuses others.",
		Limit:  "1 and 5 are right, 0 and 6 are wrong",
		Source: "documented (CUDA driver API, tensor maps)", Fix: "Merge dimensions that follow each other in memory.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [1, 1, 1, 1, 2, 4], "Strides": [8, 8, 8, 8, 4, 1], "target": "tma"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [1, 1, 1, 2, 4], "Strides": [8, 8, 8, 4, 1], "target": "tma"}`,
	},
	{ID: TMAStride16, Name: "tma-stride-16", Severity: Error, Families: onlyTMA,
		What: "The first element and every stride but the last are multiples of 16 bytes, and no stride is negative.",
		Why: "The hardware moves 16 bytes at a time, and the strides of a tensor map are unsigned. It looks at the " +
			"strides of size 1 too.",
		Limit:  "FLOAT16: a stride of 8 is right, of 12 and of -8 wrong",
		Source: "documented (CUDA driver API, tensor maps); enforced in Triton", Fix: "Pad the rows.",
		Bad:  `{"DataType": "FLOAT16", "Sizes": [4, 12], "Strides": [12, 1], "target": "tma"}`,
		Good: `{"DataType": "FLOAT16", "Sizes": [4, 12], "Strides": [16, 1], "target": "tma"}`,
	},
	{ID: TMAInner, Name: "tma-inner", Severity: Error, Families: onlyTMA,
		What:  "The last dimension has stride 1.",
		Why:   "A tensor map states no stride for it.",
		Limit: "1 is right, 2 is wrong", Source: "documented (CUDA driver API, tensor maps); enforced in Triton",
		Fix:  "List the dimension of stride 1 last.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [4, 4], "Strides": [8, 2], "target": "tma"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [4, 4], "Strides": [8, 1], "target": "tma"}`,
	},
	{ID: TMANested, Name: "tma-nested", Severity: Warning, Families: onlyTMA,
		What: "Each stride is at least the next one times its size.",
		Why: "Triton's interpreter asks for it: rows that reach into each other, or dimensions in another order, " +
			"are probably wrong.",
		Limit:  "[4, 8] with strides [8, 1] is right, with [4, 1] wrong",
		Source: "enforced in Triton's interpreter", Fix: "Order the dimensions by their strides, the largest first.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [4, 8], "Strides": [4, 1], "target": "tma"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [4, 8], "Strides": [8, 1], "target": "tma"}`,
	},
	{ID: MdspanPositive, Name: "mdspan-positive", Severity: Error, Families: onlyMdspan,
		What:   "Every stride is above 0, but for those of size 1, which move nothing.",
		Why:    "layout_stride presupposes it; nothing checks, and what follows is undefined.",
		Limit:  "1 is right, 0 and -1 are wrong, unless the size is 1",
		Source: "documented (C++ standard, layout_stride)",
		Fix:    "Use another layout mapping for repeated or reversed elements.",
		Bad:    `{"DataType": "FLOAT32", "Sizes": [2, 3], "Strides": [0, 1], "target": "mdspan"}`,
		Good:   `{"DataType": "FLOAT32", "Sizes": [2, 3], "Strides": [3, 1], "target": "mdspan"}`,
	},
	{ID: MdspanUnique, Name: "mdspan-unique", Severity: Error, Families: onlyMdspan,
		What: "No two elements share an address, and in order of increasing strides each is at least the one " +
			"before it times its size.",
		Why: "layout_stride presupposes it and answers is_unique() with true without looking. If the strides " +
			"interleave but no address is shared, it is a warning.",
		Limit:  "[3, 3] with strides [3, 1] is right, with [2, 2] wrong",
		Source: "documented (C++ standard, layout_stride)", Fix: "Make a stride larger.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [3, 3], "Strides": [2, 2], "target": "mdspan"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [3, 3], "Strides": [3, 1], "target": "mdspan"}`,
	},
	{ID: PyTorchNegative, Name: "pytorch-negative", Severity: Error, Families: onlyPyTorch,
		What:   "No stride is negative.",
		Why:    "PyTorch refuses such a tensor; NumPy's reversed views must be copied.",
		Limit:  "0 is right, -1 is wrong",
		Source: "enforced in PyTorch", Fix: "Copy, as torch.flip does.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [2, 3], "Strides": [-3, 1], "target": "pytorch"}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [2, 3], "Strides": [3, 1], "target": "pytorch"}`,
	},
}
