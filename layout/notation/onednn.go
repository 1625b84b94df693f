package notation

import (
	"strings"

	"layoutcalc/layout"
)

// fitsOneDNN knows the class and the enumerations of its constructor.
func fitsOneDNN(text string) bool {
	return strings.Contains(text, "memory::desc") || strings.Contains(text, "memory::format_tag") || strings.Contains(text, "memory::data_type")
}

// readOneDNN reads constructors of dnnl::memory::desc, of variables or of none.
func readOneDNN(r *reader) {
	items := r.entries(0)
	for i, e := range items {
		if e.kind != word || e.last() == "dims" {
			continue
		}
		args, ok := e.constructed()
		switch {
		case !ok:
		case e.last() == "desc":
			r.memoryDesc(e.at, e.key, args)
		case i > 0 && items[i-1].kind == word && items[i-1].last() == "desc":
			r.memoryDesc(e.at, e.word, args)
		}
	}
	if len(r.found) == 0 {
		r.fail(0, "such as dnnl::memory::desc({2, 3}, dnnl::memory::data_type::f32, {3, 1})", "there is no constructor of a memory::desc here")
	}
}

// constructed returns what a constructor is called with, in round or curly brackets.
func (v *value) constructed() (args []entry, ok bool) {
	if v.next == nil || v.next.kind != list || v.next.open == '[' {
		return nil, false
	}
	return v.next.list, true
}

// memoryDesc makes a tensor of the arguments of the constructor: sizes, a type, and a tag or
// strides.
func (r *reader) memoryDesc(at int, name string, args []entry) {
	if len(args) < 3 || args[1].kind != word {
		r.fail(at, "such as dnnl::memory::desc({2, 3}, dnnl::memory::data_type::f32, {3, 1})", "a descriptor is made of sizes, a data type, and a format tag or strides")
		return
	}
	sizes := r.dnnlNumbers(args[0].value, "sizes")
	r.dnnlSizes(args[0].at, sizes)
	dtype, err := layout.ParseDType(args[1].last())
	r.within(args[1].at+len(args[1].word)-len(args[1].last()), err)
	d := Descriptor{Name: name, Typed: true}
	if third := args[2]; third.kind == word && third.last() != "dims" {
		tag := third.last()
		if third.last() == third.word {
			tag = strings.TrimPrefix(tag, "dnnl_")
		}
		r.tagged(d, dtype, r.formatTag(third.at+len(third.word)-len(tag), tag, len(sizes), false), sizes)
		return
	}
	r.dnnlStrided(args[2].at, d, dtype, sizes, r.dnnlNumbers(args[2].value, "strides"))
}

// dnnlNumbers is ints where a number may be known at run time only.
func (r *reader) dnnlNumbers(v value, what string) []int64 {
	l := v.unwrapped()
	for i := range l.list {
		e := &l.list[i].value
		if e.kind != word || e.last() != "DNNL_RUNTIME_DIM_VAL" {
			continue
		}
		if r.filled == len(r.options.Dims) {
			r.fail(e.at, "--dim gives the "+ordinal(r.filled)+" one a value: --dim N, or N,N for two", "this number is known at run time only")
			return nil
		}
		*e = value{at: e.at, kind: number, n: r.options.Dims[r.filled]}
		r.filled++
	}
	return r.ints(l, what)
}

// dnnlSizes refuses sizes that no descriptor has.
func (r *reader) dnnlSizes(at int, sizes []int64) {
	switch {
	case len(sizes) == 0:
		r.fail(at, "a tensor of one element is {1}", "without sizes a descriptor of oneDNN is empty, not a scalar")
	case len(sizes) > dnnlMaxRank:
		r.fail(at, "", "%d sizes: a descriptor of oneDNN has at most %d", len(sizes), dnnlMaxRank)
	}
	for _, size := range sizes {
		if size < 0 {
			r.fail(at, "", "the size %d is negative", size)
		}
	}
}

// dnnlStrided notes a tensor of strides that oneDNN does not refuse.
func (r *reader) dnnlStrided(at int, d Descriptor, dtype layout.DType, sizes, strides []int64) {
	if len(strides) == len(sizes) && r.err == nil {
		if axis, least := refusedStride(sizes, strides, 1); axis >= 0 {
			r.fail(at, "", "oneDNN refuses the stride %d of axis %d: it has to be 0, or at least %d, as the axes inside take", strides[axis], axis, least)
		}
	}
	r.strided(at, d, dtype, 0, sizes, strides)
}

// writeOneDNN writes the constructor: with a tag where there are blocks, and strides otherwise.
func writeOneDNN(t layout.Tensor) (string, error) {
	m, err := memoryDescOf(t)
	if err != nil {
		return "", err
	}
	dtype, err := spelled(t, t.DType().Info().OneDNN)
	if err != nil {
		return "", err
	}
	order, err := m.tagOrStrides(t)
	if err != nil {
		return "", err
	}
	return "dnnl::memory::desc({" + layout.JoinInts(t.Layout().Sizes(), ", ") + "}, dnnl::memory::data_type::" + dtype + ", " + order + ")", nil
}

// tagOrStrides writes the last argument of the constructor. Blocks with gaps about them can only
// be written where they are as good as strides.
func (m memoryDesc) tagOrStrides(t layout.Tensor) (string, error) {
	if len(m.blocks) == 0 {
		return "{" + layout.JoinInts(m.strides, ", ") + "}", nil
	}
	g, err := tagOf(t)
	if err == nil {
		return "dnnl::memory::format_tag::" + g.text(abc(len(m.counts))), nil
	}
	if strides, ok := t.Layout().LinearStrides(); ok {
		if axis, _ := refusedStride(t.Layout().Sizes(), strides, 1); axis < 0 {
			return "{" + layout.JoinInts(strides, ", ") + "}", nil
		}
	}
	if loss, ok := err.(*LossError); ok {
		err = lost(t, "strides and blocks exclude each other, and of a tag: %s", loss.Lost)
	}
	return "", err
}
