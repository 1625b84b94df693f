package notation

import (
	"cmp"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/shape"
)

// An Allocation is the storage that a system allocates for a tensor.
type Allocation struct {
	System   layout.System
	Elements int64
	Bytes    int64
}

// An allocator is a system with a rule of its own.
type allocator struct {
	of     layout.System
	figure func(layout.Tensor) ([]Size, error)
}

// allocators are the systems with rules of their own, those that every tensor is compared with first. XLA stores whole
// tiles, and Zarr whole chunks.
var allocators = [...]allocator{
	{layout.DirectML, dmlTotal}, {layout.OneDNN, memorySizes}, {layout.PyTorch, storageFigure("storage nbytes")},
	{layout.FX, storageFigure("storage nbytes")}, {layout.XLA, xlaFigure}, {layout.Zarr, counted("chunks", whole)},
}

// compared is how many of the allocators every tensor is compared with.
const compared = 3

// Allocations returns the storage that systems allocate for a tensor: first the system of the tensor, or the one that
// allocates most if it has none, then DirectML, oneDNN and PyTorch, if they can express it. The list is empty if the
// tensor has no system and none of the three can.
func Allocations(t layout.Tensor) (list []Allocation) {
	own := t.System()
	if own != layout.Others {
		list = append(list, ownAllocation(t))
	}
	for _, a := range allocators[:compared] {
		n, err := Find(a.of.String())
		if err == nil {
			_, err = n.Write(t)
		}
		var sizes []Size
		if err == nil {
			sizes, err = a.figure(t)
		}
		if err == nil && a.of != own {
			list = append(list, Allocation{a.of, sizes[0].Elements, sizes[0].Bytes})
		}
	}
	if own == layout.Others {
		slices.SortStableFunc(list, func(a, b Allocation) int { return cmp.Compare(b.Bytes, a.Bytes) })
	}
	return list
}

// ownAllocation returns what the system of a tensor allocates for it: by the system's rule, and up to the last element
// if it has none, or none for such a tensor.
func ownAllocation(t layout.Tensor) Allocation {
	own := t.System()
	if g := shape.TargetOf(own); g != nil {
		if c, err := g.Copy(t); err == nil {
			return Allocation{own, c.Elements, c.Bytes}
		}
	}
	for _, a := range allocators {
		if a.of != own {
			continue
		}
		if sizes, err := a.figure(t); err == nil {
			return Allocation{own, sizes[0].Elements, sizes[0].Bytes}
		}
	}
	return Allocation{own, t.Extent(), t.Bytes(t.Extent())}
}

// whole counts the elements of a tensor with all padding, those of other tensors in a view left out.
func whole(t layout.Tensor) int64 {
	low, _ := t.Layout().Bounds()
	return t.End() - min(low, 0)
}
