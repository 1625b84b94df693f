package descfile

import (
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
)

// tensor reads a tensor into the file; it reports false when something cannot be read.
func (r *configReader) tensor(name string, v doctree.Value) bool {
	d := rules.Descriptor{Name: name}
	r.sizes, r.stride, r.flag = nil, nil, nil // the descriptor before keeps them
	r.clear(&d)
	if v.Kind() != doctree.Object {
		r.value(v, "a tensor, an object with keys")
		return false
	}
	seen := r.fields(v)
	if r.complete(v, &seen); !r.ok {
		return false
	}
	if len(d.Strides) == 0 {
		d.Strides = nil
	}
	d.Computed = !d.Total.Stated
	d.Source = &fieldSource{v, ours}
	r.file.Descriptors = append(r.file.Descriptors, d)
	if m := seen[expectField]; m.Exists() {
		r.expects = append(r.expects, expected{len(r.file.Descriptors) - 1, m})
	}
	return true
}

// fields reads the fields of a tensor, and returns them.
func (r *configReader) fields(v doctree.Value) (seen [fieldCount]doctree.Value) {
	for m := range v.Items {
		f, in := fieldOf(m, ours)
		switch {
		case f == noField:
			r.unknownField(m)
		case seen[f].Exists():
			r.twice(m)
		default:
			seen[f] = m
			r.read(f, in, m)
		}
	}
	return seen
}

// complete reports what a tensor lacks, or states twice.
func (r *configReader) complete(v doctree.Value, seen *[fieldCount]doctree.Value) {
	if !seen[typeField].Exists() {
		r.wrong(rules.ConfigKey, keyLocator{v}, "such as dtype: float32", "the tensor has no dtype")
	}
	if !seen[sizesField].Exists() {
		r.wrong(rules.ConfigKey, keyLocator{v}, "such as sizes: 1x3x224x224", "the tensor has no sizes")
	}
	if m := seen[layoutField]; m.Exists() && len(r.d.Strides) > 0 {
		r.wrong(rules.ConfigValue, m, "expect: {layout: "+r.d.Layout+"} holds the strides against it", "the strides are stated, so that the layout can only be expected")
	}
}

// unknownField reports a key that a tensor cannot have.
func (r *configReader) unknownField(m doctree.Value) {
	var known [len(fieldNames)]string
	n := 0
	for i := range fieldNames {
		if fieldNames[i].in == ours {
			known[n] = fieldNames[i].name
			n++
		}
	}
	r.unknown(m, "a tensor", known[:n])
}

// expect reads what is expected of a tensor.
func (r *configReader) expect(e expected) {
	r.clear(&rules.Descriptor{Name: r.file.Descriptors[e.tensor].Name})
	r.stride = nil
	x := rules.Expectation{Tensor: e.tensor, SameAs: unread, At: expectSource{e.v}}
	members := r.members(e.v, "what is expected", expectKeys[:])
	if m := members[0]; m.Exists() {
		x.Layout = r.text(m, "the name of a layout")
	}
	if m := members[1]; m.Exists() {
		x.Packed = r.verdict(m)
	}
	if m := members[2]; m.Exists() {
		x.MaxBytes = r.number(m)
	}
	if m := members[3]; m.Exists() {
		r.read(stridesField, ours, m)
		x.Strides = r.stride
	}
	if m := members[4]; m.Exists() {
		if x.SameAs = r.named(m); x.SameAs == e.tensor {
			r.wrong(rules.ConfigValue, m, "", "a tensor is always the same as itself")
		}
	}
	if r.ok {
		r.file.Config.Expectations = append(r.file.Config.Expectations, x)
	}
	r.d = nil
}

// An expectSource knows where what is expected of a tensor stands.
type expectSource struct{ v doctree.Value }

// Place returns the place of what a rule holds the tensor against.
func (s expectSource) Place(rule rules.ID) rules.Place {
	for i, id := range [...]rules.ID{rules.ExpectLayout, rules.ExpectPacked, rules.ExpectMaxBytes, rules.ExpectStrides, rules.ExpectSameAs} {
		if m, ok := s.v.Get(expectKeys[i]); ok && id == rule {
			return m.Place()
		}
	}
	return s.v.Place()
}
