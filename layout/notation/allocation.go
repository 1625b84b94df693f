package notation

import (
	"slices"
	"sort"

	"layoutcalc/layout"
	"layoutcalc/layout/shape"
)

// An Allocation is the storage that a system allocates for a tensor.
type Allocation struct {
	System   layout.System // layout.Others for all of the storage, which no system may allocate
	Elements int64
	Bytes    int64
}

// An allocator is a system that computes sizes by its own rule.
type allocator struct {
	of       layout.System
	figure   func(layout.Tensor) ([]Size, error)
	compared func(layout.Tensor) ([]Size, error) // nil if the system is not compared with others
}

// allocators are the systems with their own rules. XLA allocates whole tiles, and Zarr whole chunks.
var allocators = [...]allocator{
	{layout.DirectML, dmlTotal, expressedTotal}, {layout.OneDNN, memorySizes, expressedSizes},
	{layout.PyTorch, torchStorage, expressedStorage}, {layout.XLA, xlaFigure, nil},
	{layout.Zarr, counted("chunks", whole), nil},
}

// Allocations returns the storage that systems allocate for a tensor. The first entry is the storage to allocate: the
// allocation of the tensor's own system, or otherwise the largest entry. The others are the allocations of DirectML,
// oneDNN and PyTorch, if they can express the tensor. If the tensor has no system and these three allocate less than
// all of its storage, an entry for all of the storage comes first.
func Allocations(t layout.Tensor) (list []Allocation) {
	own := t.System()
	if own != layout.Others {
		list = append(list, ownAllocation(t))
	}
	for _, a := range allocators {
		if a.compared == nil || a.of == own || !t.Layout().IsIdle() { // DirectML, oneDNN and PyTorch have no swizzles
			continue
		}
		if sizes, err := a.compared(t.Affine()); err == nil {
			list = append(list, Allocation{a.of, sizes[0].Elements, sizes[0].Bytes})
		}
	}
	if own != layout.Others {
		return list
	}
	sort.SliceStable(list, func(i, k int) bool { return list[i].Bytes > list[k].Bytes })
	if n := whole(t); len(list) == 0 || t.Bytes(n) > list[0].Bytes {
		list = slices.Insert(list, 0, Allocation{own, n, t.Bytes(n)})
	}
	return list
}

// Needed returns the bytes to allocate for a tensor.
func Needed(t layout.Tensor) int64 {
	if t.System() != layout.Others {
		return ownAllocation(t).Bytes // no other system is needed
	}
	if n, bits := t.Layout().Elements(), t.DType().Bits(); bits%32 == 0 && n == t.Extent() && n == whole(t) {
		return t.Bytes(n) // without padding and in whole units of 4 bytes, so no system adds anything
	}
	return Allocations(t)[0].Bytes
}

// ownAllocation returns the allocation of the tensor's system. If the system has no rule for the tensor, it is the
// storage up to the last element.
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

// expressedTotal is like dmlTotal, but fails if DirectML cannot express the tensor.
func expressedTotal(t layout.Tensor) ([]Size, error) {
	if _, _, _, err := dmlNumbers(t); err != nil {
		return nil, err
	}
	return dmlTotal(t)
}

// expressedStorage is like torchStorage, but fails if PyTorch cannot express the tensor.
func expressedStorage(t layout.Tensor) ([]Size, error) {
	if _, _, err := torchTerms.typed(t, layout.PyTorch); err != nil {
		return nil, err
	}
	return torchStorage(t)
}

// whole returns the number of elements including all padding. For a view, it excludes the elements outside of the view.
func whole(t layout.Tensor) int64 {
	if t.Layout().Empty() {
		return 0
	}
	low, _ := t.Layout().Bounds()
	return t.End() - min(low, 0)
}
