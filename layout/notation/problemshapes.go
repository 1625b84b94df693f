package notation

import "slices"

// Shapes are the sizes of the tensors of a primitive, nil where the problem does not say them.
type shapes struct {
	src, wei, bia, dst, ws, stats, scale []int64

	sources [][]int64 // of src, when there are several
	all     []int64   // of whatever else there is
}

// shapes works out what the problem says of the tensors of a primitive; its name may be unknown,
// and axis is what concat joins along, -1 when that is not known.
func (r *reader) shapes(p *problem, primitive string, axis int64) shapes {
	switch {
	case len(p.lists) == 1 && primitive == "layer_normalization":
		sizes := p.lists[0]
		last := max(len(sizes)-1, 0)
		return shapes{src: sizes, dst: sizes, stats: sizes[:last], scale: sizes[last:]}
	case len(p.lists) == 1:
		return shapes{all: p.lists[0]}
	case len(p.lists) > 1:
		return r.listedShapes(p, primitive, axis)
	}
	_, output := p.get("oc")
	switch {
	case output && p.has("k"):
		return r.convolved(p, primitive == "deconvolution")
	case output:
		return r.multiplied(p)
	case p.has("k") || p.has("o"):
		src := r.batch(p, "ic", "i")
		dst := r.outputs(append([]int64{}, src[:2]...), p, false)
		return shapes{src: src, dst: dst, ws: dst}
	case p.either("slc", -1) >= 0:
		return shapes{src: []int64{r.need(p, "t"), r.need(p, "mb"), r.need(p, "slc")}}
	}
	return r.described(p)
}

// listedShapes shares out several lists.
func (r *reader) listedShapes(p *problem, primitive string, axis int64) shapes {
	first, second := p.lists[0], p.lists[1]
	switch primitive {
	case "matmul", "gemm":
		s := shapes{src: first, wei: second}
		if len(p.lists) > 2 {
			s.dst = p.lists[2]
		} else if n := len(first); n >= 2 && len(second) == n {
			s.dst = widest(first, second)
			s.dst[n-2], s.dst[n-1] = first[n-2], second[n-1]
		}
		return s
	case "prelu":
		return shapes{src: first, wei: second, dst: first}
	case "reduction":
		return shapes{src: first, dst: second}
	case "concat":
		return shapes{sources: p.lists, dst: r.concatenated(p.lists, axis)}
	case "binary":
		return shapes{sources: p.lists, dst: widest(p.lists...)}
	}
	return shapes{sources: p.lists}
}

// widest returns the larger size for each axis, nil when the ranks differ.
func widest(lists ...[]int64) []int64 {
	sizes := slices.Clone(lists[0])
	for _, list := range lists[1:] {
		if len(list) != len(sizes) {
			return nil
		}
		for i, n := range list {
			if sizes[i] == 1 {
				sizes[i] = n
			}
		}
	}
	return sizes
}

// concatenated returns the sizes of the lists joined along an axis, nil when that is not known.
func (r *reader) concatenated(lists [][]int64, axis int64) []int64 {
	sizes := slices.Clone(lists[0])
	if axis < 0 || axis >= int64(len(sizes)) {
		return nil
	}
	for _, list := range lists[1:] {
		if len(list) != len(sizes) {
			return nil
		}
		sizes[axis] = r.dot([]int64{sizes[axis], list[axis]}, []int64{1, 1})
	}
	return sizes
}

// batch returns the sizes of mb, of channels, and of d, h, w with a prefix.
func (r *reader) batch(p *problem, channels, prefix string) []int64 {
	return r.along([]int64{p.either("mb", 2), r.need(p, channels)}, p, prefix)
}

// convolved returns the shapes of a convolution.
func (r *reader) convolved(p *problem, transposed bool) shapes {
	src := r.batch(p, "ic", "i")
	out := r.need(p, "oc")
	s := shapes{src: src, bia: []int64{out}, dst: r.outputs([]int64{src[0], out}, p, transposed)}
	wei := []int64{out, src[1]}
	if groups, ok := p.get("g"); ok {
		if groups < 1 || out%groups != 0 || src[1]%groups != 0 {
			r.fail(p.at, "", "%d groups do not divide ic = %d and oc = %d", groups, src[1], out)
			return s
		}
		wei = []int64{groups, out / groups, src[1] / groups}
	}
	s.wei = r.along(wei, p, "k")
	return s
}

// multiplied returns the shapes of an inner product.
func (r *reader) multiplied(p *problem) shapes {
	src := r.batch(p, "ic", "i")
	out := r.need(p, "oc")
	return shapes{src: src, wei: append([]int64{out}, src[1:]...), bia: []int64{out}, dst: []int64{src[0], out}}
}

// described returns the shapes of a primitive whose tensors are alike, but for those that have
// one element for each channel.
func (r *reader) described(p *problem) shapes {
	if n, ok := p.get("x"); ok {
		return shapes{all: []int64{n}}
	}
	src := r.batch(p, "ic", "i")
	return shapes{src: src, dst: src, ws: src, scale: src[1:2], stats: src[1:2]}
}
