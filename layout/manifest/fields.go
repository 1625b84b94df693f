package manifest

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/dml"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/wording"
)

// A keyLocator locates the name of a member.
type keyLocator struct{ v doctree.Value }

// Place returns the position of the name.
func (k keyLocator) Place() finding.Place { return k.v.KeyPlace() }

// fieldOf returns the field that a member states in some of the vocabularies.
func fieldOf(m doctree.Value, in descriptor.Vocabulary) descriptor.Field {
	name, escaped := m.KeyBytes()
	if escaped {
		name = []byte(m.Key())
	}
	return descriptor.FieldOf(name, in)
}

// A fieldSource locates the fields of an object.
type fieldSource struct {
	object doctree.Value
	in     descriptor.Vocabulary
}

// Place returns the position of a part or of its item, or of the object if it does not have that part.
func (s *fieldSource) Place(p descriptor.Part, item int) finding.Place {
	for m := range s.object.Items {
		if part := fieldOf(m, s.in).Part; part == descriptor.Whole || part != p {
			continue
		}
		if m.Kind() == doctree.Array && item >= 0 {
			for v := range m.Items {
				if item--; item < 0 {
					return v.Place()
				}
			}
		}
		return m.Place()
	}
	return s.object.Place()
}

// Edits returns the edits that set a part to the given values, number by number, so that the form of a list stays. It
// returns nil if the object has a different number of values for the part, or has the part twice.
func (s *fieldSource) Edits(p descriptor.Part, values []int64) (edits []finding.Edit) {
	var stated doctree.Value
	for m := range s.object.Items {
		if fieldOf(m, s.in).Part == p {
			if stated.Exists() {
				return nil
			}
			stated = m
		}
	}
	if !stated.Exists() {
		return nil
	}
	items := []doctree.Value{stated}
	if stated.Kind() == doctree.Array {
		items = slices.Collect(stated.Items)
	}
	if len(items) != len(values) {
		return nil
	}
	for i, v := range items {
		from, to, ok := v.Span()
		if !ok {
			return nil
		}
		if text := strconv.FormatInt(values[i], 10); string(v.Bytes()) != text {
			edits = append(edits, finding.Edit{Span: finding.Span{From: int64(from), To: int64(to)}, Text: text})
		}
	}
	return edits
}

// A fieldReader reads the fields of objects into descriptors.
type fieldReader struct {
	*finding.Reporter
	speller wording.Speller
	model   bool // for DxDispatch: numbers have 32 bits, and lists and types have one spelling
	open    bool // the tensor is in a file, which has sizes and possibly types
	foreign bool // model is set, but the target is not DirectML: numbers may be larger

	d       *descriptor.Descriptor
	ok      bool // no error so far changes the meaning of the descriptor
	sizes   []int64
	strides []int64
	flags   []string
	words   [32]word

	lastTarget string // the last target as written, and its meaning
	meant      descriptor.Target
}

// A word is a string that many descriptors share, such as an element type, with the type that it means.
type word struct {
	text  string
	in    descriptor.Vocabulary // the last vocabulary to look it up as a type; 0 if it was not looked up
	dtype layout.DType
	known bool
}

// clear starts a descriptor. If reuse is set, it reuses the memory of the previous one.
func (r *fieldReader) clear(d *descriptor.Descriptor, reuse bool) {
	r.d, r.ok = d, true
	if r.sizes, r.strides, r.flags = r.sizes[:0], r.strides[:0], r.flags[:0]; !reuse {
		r.sizes, r.strides, r.flags = nil, nil, nil
	}
}

// near returns the known name most similar to a word, unless findings are muted.
func (r *fieldReader) near(word string, known []string) string {
	if r.Muted {
		return ""
	}
	return r.speller.Nearest(word, slices.Values(known))
}

// wrong reports an error that changes the meaning of the descriptor.
func (r *fieldReader) wrong(id *finding.Rule, at finding.Locator, fix, format string, args ...any) {
	tensor := ""
	if r.ok = false; r.d != nil {
		tensor = r.d.Name
	}
	r.Report(id, finding.On(tensor, at), fix, format, args...)
}

// value reports a value of the wrong kind.
func (r *fieldReader) value(v doctree.Value, want string) {
	id := descriptor.ConfigValue
	if r.model {
		id = jsonField
	}
	r.wrong(id, v, "", "%s is not %s", shown(v), want)
}

// shown returns a value for a message: its kind, or its content.
func shown(v doctree.Value) string {
	if v.Kind() == doctree.Number || v.Kind() == doctree.String {
		return quote(v.Text())
	}
	return v.Kind().String()
}

// fault reports an error from package layout.
func (r *fieldReader) fault(v doctree.Value, err error) {
	r.wrong(descriptor.ConfigValue, v, layout.HintOf(err), "%s", err)
}

// read reads a field of the vocabulary.
func (r *fieldReader) read(part descriptor.Part, in descriptor.Vocabulary, v doctree.Value) {
	d := r.d
	switch part {
	case descriptor.TypePart:
		r.dtype(in, v)
	case descriptor.SizesPart:
		r.sizes = r.numbers(v, r.sizes, shape.ParseShape, r.open)
		d.Sizes = r.sizes
	case descriptor.StridesPart:
		if r.strides = r.numbers(v, r.strides, shape.ParseStrides, false); len(r.strides) > 0 {
			d.Strides = r.strides
		}
	case descriptor.LayoutPart:
		d.Layout = r.text(v, "the name of a layout")
	case descriptor.BasePart:
		if d.Base = r.number(v, math.MaxInt64).Value; d.Base < 0 {
			r.value(v, "a storage offset, which is at least 0")
		}
	case descriptor.TotalPart:
		d.Total = r.number(v, math.MaxInt64)
	case descriptor.AlignmentPart:
		d.Alignment = r.number(v, math.MaxUint32)
	case descriptor.CountPart:
		d.Count = r.number(v, math.MaxUint32)
	case descriptor.FlagsPart:
		r.readFlags(v)
	case descriptor.RolePart:
		r.role(v)
	case descriptor.OperatorPart:
		d.Operator = strings.TrimPrefix(r.text(v, "the name of an operator"), dxOperator)
	case descriptor.SlotPart:
		d.Slot = r.text(v, "the operator's name for the tensor")
	case descriptor.DescriptionPart:
		r.description(v)
	case descriptor.PitchPart, descriptor.AlignPart, descriptor.PadPart:
		if d.Spacing == nil {
			d.Spacing = new(descriptor.Spacing)
		}
		r.spacing(d.Spacing, part, v)
	default:
		r.readMap(part, v)
	}
}

// text reads a string.
func (r *fieldReader) text(v doctree.Value, want string) string {
	if v.Kind() != doctree.String {
		r.value(v, want)
		return ""
	}
	return r.word(v).text
}

// target reads a target. It remembers the last one, because the next is often the same.
func (r *fieldReader) target(v doctree.Value) (t descriptor.Target, ok bool) {
	text := r.text(v, "a target, such as directml@6.2")
	if v.Kind() != doctree.String || text != "" && text == r.lastTarget {
		return r.meant, v.Kind() == doctree.String
	}
	t, err := descriptor.ParseTarget(text)
	if err != nil {
		r.fault(v, err)
		return t, false
	}
	r.lastTarget, r.meant = text, t
	return t, true
}

// finish derives the parts of the descriptor that follow from others.
func (r *fieldReader) finish() {
	d := r.d
	d.Computed = !d.Total.Stated
	if d.Role == descriptor.UnknownRole && d.Slot != "" {
		d.Role = dml.Of(d.Operator).Role(d.Slot)
	}
}

// description reads a description, which only people use.
func (r *fieldReader) description(v doctree.Value) { r.text(v, "a text") }

// word returns the word for a string, which is shared with an equal one before.
func (r *fieldReader) word(v doctree.Value) *word {
	raw := v.Bytes()
	hash := len(raw)
	if hash > 0 {
		hash += int(raw[0]) + 5*int(raw[len(raw)-1])
	}
	w := &r.words[hash%len(r.words)]
	if string(raw) != w.text || v.Escaped() {
		*w = word{text: v.Text()}
	}
	return w
}

// dtype reads an element type. Types of DirectML are only read in DirectML's spelling.
func (r *fieldReader) dtype(in descriptor.Vocabulary, v doctree.Value) {
	if v.Kind() != doctree.String {
		r.value(v, "an element type, such as float32")
		return
	}
	w := r.word(v)
	var err error
	switch {
	case w.in == in && w.known:
	case in == descriptor.DirectMLNames:
		w.dtype, w.known = dxDType(w.text)
		if !w.known && r.foreign {
			w.dtype, err = layout.ParseDType(w.text)
			w.known = err == nil
		}
	case in == descriptor.BindingNames:
		w.dtype, w.known = bindingDType(w.text)
	default:
		if w.dtype, err = layout.ParseDType(w.text); err != nil && !r.open {
			r.fault(v, err)
		}
		w.known = err == nil
	}
	w.in = in
	r.d.TypeName, r.d.Type, r.d.TypeKnown = w.text, w.dtype, w.known
}

// role reads the role of the tensor in an operator.
func (r *fieldReader) role(v doctree.Value) {
	switch {
	case v.Is("input"):
		r.d.Role = descriptor.Input
	case v.Is("output"):
		r.d.Role = descriptor.Output
	default:
		r.value(v, "a role: input or output")
	}
}

// readFlags reads a flag, or a list of flags.
func (r *fieldReader) readFlags(v doctree.Value) {
	ok := r.ok
	switch v.Kind() {
	case doctree.String:
		r.flags = append(r.flags, strings.TrimPrefix(r.word(v).text, dxFlag))
	case doctree.Array:
		for item := range v.Items {
			if flag := r.text(item, "the name of a flag"); item.Kind() == doctree.String {
				r.flags = append(r.flags, strings.TrimPrefix(flag, dxFlag))
			}
		}
	default:
		r.value(v, "the name of a flag, or a list of such")
	}
	r.d.Flags = r.flags
	r.ok = r.ok || r.model && ok // the program reads the tensor anyway
}

// numbers reads a list of whole numbers, which may contain open ones, or a string that parse accepts. The memory of
// list may be reused.
func (r *fieldReader) numbers(
	v doctree.Value, list []int64, parse func(string) (shape.List, error), open bool,
) []int64 {
	list = list[:0]
	if all, ok := v.Ints(list); ok && !r.model {
		return all
	}
	switch kind := v.Kind(); {
	case kind == doctree.Array:
		for item := range v.Items {
			if open && (item.Kind() == doctree.Null || item.Is("?")) {
				list = append(list, descriptor.AnySize)
				continue
			}
			n, ok := r.integer(item, math.MaxUint32)
			list, r.ok = append(list, n), r.ok && ok
		}
	case r.model || kind != doctree.String && kind != doctree.Number:
		r.value(v, "a list of whole numbers")
	default:
		parsed, err := parse(v.Text())
		switch {
		case err != nil:
			r.fault(v, err)
		case parsed.Labels() != nil:
			list = append(list, r.logical(v, parsed)...)
			r.d.Labelled = true
		default:
			list = append(list, parsed.Values()...)
		}
	}
	return list
}

// logical returns labelled sizes in DirectML's order.
func (r *fieldReader) logical(v doctree.Value, list shape.List) []int64 {
	t, err := shape.Spec{Shape: list}.Tensor()
	if _, wrong := err.(*layout.SyntaxError); wrong {
		r.fault(v, err)
	}
	if err != nil {
		return list.Values()
	}
	r.d.Axes = t.Layout().AxisNames()
	return t.Layout().Sizes()
}

// number reads a whole number that may be missing.
func (r *fieldReader) number(v doctree.Value, limit int64) descriptor.Number {
	n, ok := r.integer(v, limit)
	return descriptor.Number{Value: n, Stated: ok || !r.model}
}

// integer reads a whole number. In a model, it also reports a number above the limit of the program, a negative number,
// and a value that is equal to a whole number but written differently, such as 3.0.
func (r *fieldReader) integer(v doctree.Value, limit int64) (n int64, ok bool) {
	n, ok = v.Int()
	switch {
	case !r.model:
		if !ok {
			r.wrong(descriptor.ConfigValue, v, "", "%s", notWhole(v))
		}
	case !ok:
		r.findInteger(v, "%s is not what the program expects, an unsigned integer", shown(v))
		f, err := strconv.ParseFloat(v.Text(), 64)
		if err == nil && f == math.Trunc(f) && math.Abs(f) <= 1<<53 {
			return int64(f), true
		}
	case r.foreign:
	case n < 0:
		r.findInteger(v, "%d is negative: the program expects an unsigned integer", n)
	case n > limit:
		r.findInteger(v, "%d is above %d, the largest 32-bit number, and the program stops at it", n, limit)
	}
	return n, ok
}

// findInteger reports a number that a program does not accept.
func (r *fieldReader) findInteger(v doctree.Value, format string, args ...any) {
	ok := r.ok
	r.wrong(jsonInt, v, "", format, args...)
	r.ok = ok
}

// notWhole returns the reason why a value is not a whole number.
func notWhole(v doctree.Value) string {
	text := v.Text()
	switch {
	case v.Kind() == doctree.Number && strings.Trim(text, "-0123456789") == "":
		return quote(text) + " is more than 64 bits hold"
	case v.Kind() == doctree.Number, v.Kind() == doctree.String:
		return quote(text) + " is not a whole number: decimal digits, no 0 before them, no quotes"
	}
	return v.Kind().String() + " is not a whole number"
}

// quote quotes a string from a file for a message.
func quote(text string) string { return strconv.Quote(clip(text, 60)) }

// clip shortens a string to a number of bytes.
func clip(text string, most int) string {
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}
