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

// An allocator is a system with a rule of its own.
type allocator struct {
	of       layout.System
	figure   func(layout.Tensor) ([]Size, error)
	compared func(layout.Tensor) ([]Size, error) // of tensors that it can express; nil if others do not ask for it
}

// allocators are the systems with rules of their own. XLA stores whole tiles, and Zarr whole chunks.
var allocators = [...]allocator{
	{layout.DirectML, dmlTotal, expressedTotal}, {layout.OneDNN, memorySizes, expressedSizes},
	{layout.PyTorch, torchStorage, expressedStorage}, {layout.XLA, xlaFigure, nil},
	{layout.Zarr, counted("chunks", whole), nil},
}

// Allocations returns the storage that systems allocate for a tensor, of which the first is what to allocate: that of
// the tensor's own system, or the largest if it has none. The others are those of DirectML, oneDNN and PyTorch, if they
// can express it, and all of the storage if the tensor has no system and none of the three allocates so much.
func Allocations(t layout.Tensor) (list []Allocation) {
	own := t.System()
	if own != layout.Others {
		list = append(list, ownAllocation(t))
	}
	for _, a := range allocators {
		if a.compared == nil || a.of == own || !t.Layout().IsIdle() { // none of the three has swizzles
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
		return ownAllocation(t).Bytes // without a look at others
	}
	if n, bits := t.Layout().Elements(), t.DType().Bits(); bits%32 == 0 && n == t.Extent() && n == whole(t) {
		return t.Bytes(n) // without padding and in whole units of 4 bytes, so that no system adds anything
	}
	return Allocations(t)[0].Bytes
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

// expressedTotal is dmlTotal of a tensor that DirectML can express.
func expressedTotal(t layout.Tensor) ([]Size, error) {
	if _, _, _, err := dmlNumbers(t); err != nil {
		return nil, err
	}
	return dmlTotal(t)
}

// expressedStorage is torchStorage of a tensor that PyTorch can express.
func expressedStorage(t layout.Tensor) ([]Size, error) {
	if _, _, err := torchTerms.typed(t, layout.PyTorch); err != nil {
		return nil, err
	}
	return torchStorage(t)
}

// whole counts the elements of a tensor with all padding, those of other tensors in a view left out.
func whole(t layout.Tensor) int64 {
	if t.Layout().Empty() {
		return 0
	}
	low, _ := t.Layout().Bounds()
	return t.End() - min(low, 0)
}
