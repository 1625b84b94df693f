package manifest

import (
	"bytes"
	"math"
	"strings"

	"layoutcalc/layout/analysis"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/expect"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
)

// expectKeys are the keys of expectations, read into r.x.
func (r *configReader) expectKeys() []key {
	x := &r.x
	return []key{
		{"layout", func(v doctree.Value) { x.Layout = r.text(v, "the name of a layout") }, nil},
		{"packed", func(v doctree.Value) { x.Packed = r.verdict(v) }, nil},
		{"maxBytes", func(v doctree.Value) { x.MaxBytes = descriptor.Stated(r.bytes(v)) }, nil},
		{"bytes", func(v doctree.Value) { x.Bytes = r.within(v, r.bytes) }, nil},
		{"strides", func(v doctree.Value) {
			r.read(descriptor.StridesPart, descriptor.ConfigNames, v)
			x.Strides = r.strides
		}, nil},
		{"sameAs", r.sameAs, nil},
		{"dtype", func(v doctree.Value) { x.DTypes = r.texts(v, "an element type, such as float32") }, nil},
		{"rank", func(v doctree.Value) { x.Rank = r.within(v, r.count) }, nil},
		{"sizes", func(v doctree.Value) { x.Sizes = r.expectedSizes(v) }, nil},
		{"open", func(v doctree.Value) { x.Open = r.axes(v) }, nil},
		{"divisibleBy", func(v doctree.Value) { x.Divisors = r.divisors(v) }, nil},
		{"rowPitch", func(v doctree.Value) { x.RowPitch = r.atLeast1(v) }, nil},
		{"rowAlignment", func(v doctree.Value) { x.RowAlign = r.atLeast1(v) }, nil},
		{"pitch", func(v doctree.Value) { r.spacing(&x.Spacing, descriptor.PitchPart, v) }, nil},
		{"align", func(v doctree.Value) { r.spacing(&x.Spacing, descriptor.AlignPart, v) }, nil},
		{"pad", func(v doctree.Value) { r.spacing(&x.Spacing, descriptor.PadPart, v) }, nil},
		{"baseAlignment", func(v doctree.Value) { x.BaseAlign = r.atLeast1(v) }, nil},
	}
}

// sameAs reads the name of another tensor. A name from the defaults does not apply to the tensor of that name.
func (r *configReader) sameAs(v doctree.Value) {
	switch i := r.named(v); {
	case i != r.x.Index || i == unread:
		r.x.SameAs = i
	case !r.Muted:
		r.wrong(descriptor.ConfigValue, v, "", "a tensor is always the same as itself")
	}
}

// An expected is the expectation of a tensor, before all tensors are known.
type expected struct {
	tensor int
	own    doctree.Value // its own expectation; may be the zero Value
	of     doctree.Value // the tensor
}

// expectations reads the expectations of the tensors, after all tensors are known: their own keys, and the other keys
// from the defaults.
func (r *configReader) expectations() {
	keys := r.expectKeys()
	const what = "what is expected"
	none := make([]doctree.Value, len(keys))
	defaults := none
	if m := r.defaults[descriptor.ExpectPart]; m.Exists() {
		r.clear(new(descriptor.Descriptor), false)
		r.x = expect.Tensor{Index: unread}
		defaults = r.members(m, what, keys)
		for i, m := range defaults {
			if m.Exists() {
				keys[i].read(m)
			}
		}
	}
	for _, e := range r.expects {
		r.clear(&descriptor.Descriptor{Name: r.file.Descriptors[e.tensor].Name}, false)
		r.x = expect.Tensor{Index: e.tensor, SameAs: unread, At: expectSource{e.own, e.of}}
		own := none
		if e.own.Exists() {
			own = r.members(e.own, what, keys)
		}
		for i, key := range keys {
			if own[i].Exists() {
				key.read(own[i])
			} else if m := defaults[i]; m.Exists() {
				r.silently(func() { key.read(m) })
			}
		}
		if r.ok {
			r.config.Expectations = append(r.config.Expectations, r.x)
		}
		r.d = nil
	}
}

// An expectSource is the position of an expectation: in the tensor or, if it comes from the defaults, at the name of
// the tensor.
type expectSource struct{ own, tensor doctree.Value }

// Place returns the position of a key of the expectation, or of its item.
func (s expectSource) Place(key string, item int) finding.Place {
	m, ok := doctree.Value{}, false
	if s.own.Exists() {
		m, ok = s.own.Get(key)
	}
	if !ok {
		return s.tensor.KeyPlace()
	}
	for v := range m.Items {
		if isExtension(v) && m.Kind() == doctree.Object {
			continue
		}
		if item--; item == -1 {
			return v.Place()
		}
	}
	return m.Place()
}

// expectedSizes reads sizes; some may be open.
func (r *configReader) expectedSizes(v doctree.Value) (list []expect.Size) {
	if v.Kind() == doctree.String {
		if list := openSizes(v.Text()); list != nil {
			return list
		}
	}
	if v.Kind() != doctree.Array {
		for _, n := range r.numbers(v, nil, shape.ParseShape, false) {
			list = append(list, expect.Size{Size: expect.Exactly(n)})
		}
		return list
	}
	list = []expect.Size{}
	for item := range v.Items {
		size := expect.Size{}
		switch n, ok := item.Int(); {
		case item.Kind() == doctree.Null, item.Is("?"), ok && n == -1:
		case item.Kind() == doctree.String && lexer.IsName(string(item.Bytes())):
			size.Name = r.word(item).text
		case ok && n >= 0:
			size.Size = expect.Exactly(n)
		case item.Kind() == doctree.Object:
			size.Size = r.within(item, r.count)
		default:
			r.wrong(descriptor.ConfigValue, item, "such as [N, 3, '?', 224]",
				"%s is not a size, nor ?, -1 or a name for any size, nor {min: 1, max: 64}", shown(item))
		}
		list = append(list, size)
	}
	return list
}

// openSizes parses sizes, for example 64x?x7 or N,3,?,224. It returns nil if no size is open, and for other strings.
func openSizes(text string) (list []expect.Size) {
	separator := ","
	if !strings.Contains(text, separator) {
		separator = "x"
	}
	open := false
	for word := range strings.SplitSeq(text, separator) {
		size := expect.Size{}
		switch word = strings.TrimSpace(word); {
		case word == "?", word == "-1":
			open = true
		case lexer.IsName(word):
			size.Name, open = word, true
		default:
			n, err := lexer.ParseNumber(word)
			if err != nil || n < 0 {
				return nil
			}
			size.Size = expect.Exactly(n)
		}
		list = append(list, size)
	}
	if !open || len(list) == 1 && list[0].Name != "" { // a single word is more likely the name of a layout
		return nil
	}
	return list
}

// divisors reads the divisors of sizes, by their axes.
func (r *configReader) divisors(v doctree.Value) (list []expect.Divisor) {
	if v.Kind() != doctree.Object {
		r.value(v, "an object of axes, such as {C: 8}")
		return nil
	}
	seen := map[string]bool{}
	for m := range v.Items {
		axis := m.Key()
		switch {
		case isExtension(m):
			continue
		case seen[axis]:
			r.twice(m)
		}
		seen[axis] = true
		list = append(list, expect.Divisor{Axis: axis, By: r.atLeast1(m).Value})
	}
	return list
}

// isExtension reports whether a key is reserved for other programs, and not read.
func isExtension(m doctree.Value) bool {
	name, _ := m.KeyBytes()
	return bytes.HasPrefix(name, []byte("x-"))
}

// atLeast1 reads a positive whole number.
func (r *configReader) atLeast1(v doctree.Value) descriptor.Number {
	n, ok := v.Int()
	if ok && n < 1 {
		r.value(v, "a number of at least 1")
		return descriptor.Number{}
	}
	return r.number(v, math.MaxInt64)
}

// verdict reads true or false.
func (r *configReader) verdict(v doctree.Value) analysis.Verdict {
	switch {
	case v.Kind() != doctree.Bool:
		r.value(v, "true or false")
	case strings.EqualFold(v.Text(), "true"):
		return analysis.Yes
	default:
		return analysis.No
	}
	return analysis.Unknown
}
