package manifest

import (
	"math"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
)

// resource adds a resource to the model.
func (r *dxReader) resource(v doctree.Value) {
	s := descriptor.Resource{Name: v.Key(), At: v}
	if v.Kind() == doctree.Object {
		r.buffer(v, &s)
	} else {
		r.expect(v, "", "an object")
	}
	r.f.Model.Resources = append(r.f.Model.Resources, s)
}

// buffer reads a buffer, and computes the bytes of its initial values.
func (r *dxReader) buffer(v doctree.Value, s *descriptor.Resource) {
	if t, ok := v.Get("initialValuesDataType"); ok {
		r.initialType(t, s)
	}
	if size, ok := v.Get("sizeInBytes"); ok {
		s.Stated, s.SizeAt = r.positive(v, "sizeInBytes", ""), size
	}
	values, ok := v.Get("initialValues")
	switch {
	case !ok && !s.Stated.Stated:
		r.lacks(v, "", "initialValues")
	case !ok || values.Is("deferred"):
	case values.Kind() == doctree.Array:
		r.valueList(v, values, s)
	case values.Kind() == doctree.Object:
		r.filled(v, values, s)
	default:
		r.expect(values, "", "a list, an object or \"deferred\"")
	}
	r.shifted(v, s)
}

// shifted adds the offset of the initial values to their bytes. Without sizeInBytes, the buffer is as large as the
// values without the offset.
func (r *dxReader) shifted(v doctree.Value, s *descriptor.Resource) {
	offset := r.positive(v, "initialValuesOffsetInBytes", "").Value
	if offset == 0 || !s.Initial.Stated {
		return
	}
	end, err := layout.Add(s.Initial.Value, offset)
	if err != nil {
		r.refuse(v, "", "", "%s", layout.NameOverflow("the end of the initial values", err))
		return
	}
	if room := min(s.Initial.Value, math.MaxInt64-3) + 3; !s.Stated.Stated && end > room&^3 {
		r.refuse(v, "", "state sizeInBytes",
			"the buffer is as large as its initial values, which do not fit at byte %d of it", offset)
		return
	}
	if s.Stated.Stated {
		s.Initial.Value = end
	}
}

// needsType reports initial values without a type, unless a wrong type has been reported.
func (r *dxReader) needsType(v doctree.Value, s *descriptor.Resource) {
	if t, ok := v.Get("initialValuesDataType"); !s.Typed && (!ok || t.Is("UNKNOWN") || t.Is(dxType+"UNKNOWN")) {
		r.lacks(v, "", "initialValuesDataType")
	}
}

// initialType reads the type of the initial values, which must have whole bytes. If it is UNKNOWN, each value has its
// own type.
func (r *dxReader) initialType(t doctree.Value, s *descriptor.Resource) {
	s.Type, s.Typed = dxDType(t.Text())
	switch {
	case t.Kind() != doctree.String || !s.Typed:
		r.refuse(t, "", "", "%s is not an element type", quote(t.Text()))
	case s.Type.Bits() == 4:
		r.refuse(t, "", "write UINT8, and two values in each",
			"the program does not take initial values of %s", quote(t.Text()))
	}
	s.Typed = s.Typed && s.Type.Bits() >= 8
}

// take records the number of initial values, and their bytes if they fit in a number.
func take(s *descriptor.Resource, elements int64) {
	s.Elements = descriptor.Stated(elements)
	if bytes, err := layout.Mul(elements, s.Type.Bits()/8); s.Typed && err == nil {
		s.Initial = descriptor.Stated(bytes)
	}
}

// valueList measures a list of numbers of one type, or of objects with types.
func (r *dxReader) valueList(v, values doctree.Value, s *descriptor.Resource) {
	n, bytes, mixed := int64(0), int64(0), false
	for item := range values.Items {
		n++
		switch item.Kind() {
		case doctree.Object:
			mixed = true
			bytes += r.constant(item)
		case doctree.Number, doctree.String:
		default:
			r.expect(item, "", "a number")
		}
	}
	switch {
	case mixed:
		s.Elements, s.Initial = descriptor.Stated(n), descriptor.Stated(bytes)
	case n == 0:
		r.refuse(values, "", "", "the list has no values, and the program makes no buffer of 0 bytes")
	default:
		r.needsType(v, s)
		take(s, n)
	}
}

// constant measures a value with a type.
func (r *dxReader) constant(v doctree.Value) int64 {
	name, ok := v.Get("type")
	if !ok {
		r.lacks(v, "", "type")
		return 0
	}
	t, known := dxDType(name.Text())
	if !known || t.Bits() < 8 || t.In(layout.DirectML) == "FLOAT16" {
		r.refuse(name, "", "", "a value of its own type cannot be %s", quote(name.Text()))
		return 0
	}
	return t.Bits() / 8
}

// filled measures a constant, a sequence, or the content of a file.
func (r *dxReader) filled(v, values doctree.Value, s *descriptor.Resource) {
	if path, ok := values.Get("sourcePath"); ok {
		r.sourced(v, path, s)
		return
	}
	r.generator(values)
	count, ok := values.Get("valueCount")
	if !ok {
		r.lacks(values, "", "valueCount")
		return
	}
	r.needsType(v, s)
	r.about("")
	n, ok := r.integer(count, math.MaxUint32)
	if ok && n == 0 {
		r.refuse(count, "", "", "there are no values, and the program makes no buffer of 0 bytes")
	}
	if ok && n > 0 {
		take(s, n)
	}
}

// generator checks that an object states one way to generate values: a constant, or a sequence.
func (r *dxReader) generator(values doctree.Value) {
	constant, start, delta := values.Has("value"), values.Has("valueStart"), values.Has("valueDelta")
	const fix = "write value, or valueStart and valueDelta"
	switch {
	case !constant && !start && !delta:
		r.refuse(values, "", fix, "nothing states what the values are")
	case constant && (start || delta):
		r.refuse(values, "", fix, "the values are both a constant and a sequence")
	case !constant && !start:
		r.lacks(values, "", "valueStart")
	case !constant && !delta:
		r.lacks(values, "", "valueDelta")
	}
}

// sourced measures an image that is decoded to a stated size. The content of other files, and the type of a .npy file,
// are unknown here.
func (r *dxReader) sourced(v, path doctree.Value, s *descriptor.Resource) {
	name := strings.ToLower(path.Text())
	size, ok := v.Get("resampleSize")
	switch {
	case path.Kind() != doctree.String:
		r.expect(path, "", "the name of a file")
	case !ok || !s.Typed || !strings.HasSuffix(name, ".jpg") && !strings.HasSuffix(name, ".png"):
	default:
		r.about("")
		if sizes := r.numbers(size, nil, nil, false); r.ok && len(sizes) == 4 {
			for i := range sizes {
				sizes[i] = max(sizes[i], 0)
			}
			if elements, err := layout.ProductOf(sizes); err == nil {
				take(s, elements)
			}
		}
	}
}
