package input

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/notation"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/shape"
)

// An answerReader reads the tensors of an answer.
type answerReader struct {
	found []notation.Descriptor
	path  []pathStep // to the value that is read
	err   error
}

// A pathStep is a member of an object or an item of a list.
type pathStep struct {
	v    doctree.Value
	item int // -1 for a member
}

// has reports whether something of an answer was found.
func (r *answerReader) has() bool { return len(r.found) > 0 || r.err != nil }

// name returns the path to the value that is read, as in steps[0].tensor.
func (r *answerReader) name() string {
	var b strings.Builder
	for _, step := range r.path {
		switch {
		case step.item >= 0:
			fmt.Fprintf(&b, "[%d]", step.item)
			continue
		case b.Len() > 0:
			b.WriteByte('.')
		}
		b.WriteString(step.v.Key())
	}
	return b.String()
}

// find reads the tensors in a value.
func (r *answerReader) find(v doctree.Value) {
	if r.err != nil || v.Kind() != doctree.Object && v.Kind() != doctree.Array {
		return
	}
	if digits, ok := v.Get("digits"); ok {
		r.tensor(v, digits)
		return
	}
	step := pathStep{item: -1}
	for step.v = range v.Items {
		if v.Kind() == doctree.Array {
			step.item++
		}
		r.path = append(r.path, step)
		r.find(step.v)
		r.path = r.path[:len(r.path)-1]
	}
}

// tensor reads a tensor.
func (r *answerReader) tensor(v, digits doctree.Value) {
	sizesAt, _ := v.Get("sizes")
	sizes, ok := []int64(nil), sizesAt.Exists()
	if ok {
		sizes, ok = sizesAt.Ints(nil)
	}
	typeAt, typed := v.Get("dtype")
	if !ok || !typed || digits.Len() != len(sizes) {
		r.fail(v, "a tensor has dtype, sizes, and digits for each size")
		return
	}
	dtype, err := layout.ParseDType(typeAt.Text())
	if err != nil {
		r.fail(typeAt, err.Error())
		return
	}
	var names []string
	if list, ok := v.Get("axes"); ok {
		for item := range list.Items {
			names = append(names, item.Text())
		}
	}
	var axes []layout.Axis
	for item := range digits.Items {
		name, i := "", len(axes)
		if i < len(names) && names[i] != strconv.Itoa(i) && scan.IsName(names[i]) {
			name = names[i]
		}
		axes = append(axes, layout.NewAxis(name, sizes[i], digitsOf(item)...))
	}
	base := int64(0)
	if at, ok := v.Get("base"); ok {
		if base, ok = at.Int(); !ok {
			r.fail(at, "a base is a whole number")
			return
		}
	}
	l, err := layout.New(base, axes...)
	var t layout.Tensor
	if err == nil {
		t, err = layout.NewTensor(l, dtype)
	}
	if err != nil {
		r.fail(digits, err.Error())
		return
	}
	if at, ok := v.Get("strides"); ok && at.Kind() == doctree.Array {
		own, _ := l.LinearStrides()
		if stated, _ := at.Ints(nil); !slices.Equal(own, stated) {
			r.fail(at, "the strides are not those of the digits: "+layout.JoinInts(own, ","))
			return
		}
	}
	if at, ok := v.Get("layout"); ok && slices.Contains(shape.Names(l), at.Text()) {
		t = t.Called(at.Text())
	}
	r.found = append(r.found, notation.Descriptor{Name: r.name(), Tensor: t, Typed: true, At: v.Offset()})
}

// digitsOf reads the digits of an axis.
func digitsOf(v doctree.Value) (digits []layout.Digit) {
	for item := range v.Items {
		var d layout.Digit
		if extent, ok := item.Get("extent"); ok {
			d.Extent, _ = extent.Int()
		}
		if stride, ok := item.Get("stride"); ok {
			d.Stride, _ = stride.Int()
		}
		digits = append(digits, d)
	}
	return digits
}

// fail notes what is wrong at a value.
func (r *answerReader) fail(v doctree.Value, msg string) {
	if r.err == nil {
		r.err = &doctree.Fault{Offset: v.Offset(), Msg: msg}
	}
}
