package descfile

import (
	"fmt"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/spec"
)

// A fieldReader reads the fields of objects into descriptors, whose room it uses again.
type fieldReader struct {
	report func(rules.Finding)
	d      *rules.Descriptor
	sizes  []int64
	stride []int64
	flag   []string
	ok     bool // nothing of the descriptor was wrong so far
	hints  int  // how many near names were looked for
	found  [256]int32
	most   int // how many findings of a rule are reported
}

// maxHints is for how many unknown names a near one is looked for, which is slow.
const maxHints = 100

// clear starts a descriptor.
func (r *fieldReader) clear(d *rules.Descriptor) {
	r.d, r.ok = d, true
	r.sizes, r.stride, r.flag = r.sizes[:0], r.stride[:0], r.flag[:0]
}

// wrong reports something that makes the descriptor another one than was meant.
func (r *fieldReader) wrong(id rules.ID, at rules.Locator, fix, format string, args ...any) {
	r.ok = false
	r.find(id, at, fix, format, args...)
}

// find reports something. After so many findings of a rule they are only counted: places in long
// lists take long to tell.
func (r *fieldReader) find(id rules.ID, at rules.Locator, fix, format string, args ...any) {
	if r.found[id]++; int(r.found[id]) > r.most {
		return
	}
	f := rules.Finding{Rule: id, Severity: id.Rule().Severity, Place: at.Place(), Message: fmt.Sprintf(format, args...), Fix: fix}
	if r.d != nil {
		f.Tensor = r.d.Name
	}
	r.report(f)
}

// A keyLocator is where the name of a member stands.
type keyLocator struct{ v doctree.Value }

// Place returns the place of the name.
func (k keyLocator) Place() rules.Place { return k.v.KeyPlace() }

// value reports that a value is of the wrong kind.
func (r *fieldReader) value(v doctree.Value, want string) {
	switch v.Kind() {
	case doctree.Number, doctree.String:
		r.wrong(rules.ConfigValue, v, "", "%s is not %s", quote(v.Text()), want)
	default:
		r.wrong(rules.ConfigValue, v, "", "%v is not %s", v.Kind(), want)
	}
}

// fault reports what package layout finds wrong with a text.
func (r *fieldReader) fault(v doctree.Value, err error) {
	r.wrong(rules.ConfigValue, v, hint(err), "%s", err)
}

// read reads a field.
func (r *fieldReader) read(f field, in vocabulary, v doctree.Value) {
	d := r.d
	switch f {
	case typeField:
		r.dtype(in, v)
	case sizesField:
		r.sizes = r.numbers(v, r.sizes, spec.ParseShape)
		d.Sizes = r.sizes
	case stridesField:
		r.stride = r.numbers(v, r.stride, spec.ParseStrides)
		d.Strides = r.stride
	case layoutField:
		d.Layout = r.text(v, "the name of a layout")
	case baseField:
		if d.Base = r.integer(v); d.Base < 0 {
			r.value(v, "a storage offset, which is at least 0")
		}
	case totalField:
		d.Total = r.number(v)
	case alignmentField:
		d.Alignment = r.number(v)
	case countField:
		d.Count = r.number(v)
	case flagsField:
		r.flags(v)
	default:
		r.words(f, v)
	}
}

// words reads a field that says what a tensor is for.
func (r *fieldReader) words(f field, v doctree.Value) {
	switch f {
	case roleField:
		r.role(v)
	case operatorField:
		r.d.Operator = strings.TrimPrefix(r.text(v, "the name of an operator"), dxOperator)
	case slotField:
		r.d.Slot = r.text(v, "the operator's name for the tensor")
	case nameField:
		r.d.Name = r.text(v, "a name")
	}
}

// text reads a text.
func (r *fieldReader) text(v doctree.Value, want string) string {
	if v.Kind() != doctree.String {
		r.value(v, want)
		return ""
	}
	return v.Text()
}

// integer reads a whole number.
func (r *fieldReader) integer(v doctree.Value) int64 {
	n, ok := v.Int()
	if !ok {
		r.wrong(rules.ConfigValue, v, "", "%s", noInteger(v))
	}
	return n
}

// noInteger says why a value is no whole number.
func noInteger(v doctree.Value) string {
	text := v.Text()
	switch {
	case v.Kind() == doctree.Number && strings.Trim(text, "-0123456789") == "":
		return quote(text) + " is more than 64 bits hold"
	case v.Kind() == doctree.Number, v.Kind() == doctree.String:
		return quote(text) + " is not a whole number: decimal digits, no 0 before them, no quotes"
	}
	return v.Kind().String() + " is not a whole number"
}

// number reads a whole number that may be missing.
func (r *fieldReader) number(v doctree.Value) rules.Number { return rules.Stated(r.integer(v)) }

// numbers reads a list of whole numbers, or a text that parse reads. The room is used for them.
func (r *fieldReader) numbers(v doctree.Value, room []int64, parse func(string) (spec.List, error)) []int64 {
	room = room[:0]
	switch v.Kind() {
	case doctree.Array:
		for item := range v.Items {
			room = append(room, r.integer(item))
		}
	case doctree.String, doctree.Number:
		list, err := parse(v.Text())
		if err != nil {
			r.fault(v, err)
			break
		}
		if list.Labels() != nil {
			return append(room, r.logical(v, list)...)
		}
		return append(room, list.Values()...)
	default:
		r.value(v, "a list of whole numbers")
	}
	return room
}

// logical returns labelled sizes in the order in which DirectML and others list them.
func (r *fieldReader) logical(v doctree.Value, list spec.List) []int64 {
	t, err := spec.Spec{Shape: list}.Tensor()
	if _, wrong := err.(*layout.SyntaxError); wrong {
		r.fault(v, err)
	}
	if err != nil {
		return list.Values()
	}
	return t.Layout().Sizes()
}

// dtype reads an element type, of DirectML only in its own spelling.
func (r *fieldReader) dtype(in vocabulary, v doctree.Value) {
	name := r.text(v, "an element type, such as float32")
	r.d.TypeName = name
	if in == directML {
		r.d.Type, r.d.TypeKnown = dxDType(name)
		return
	}
	t, err := layout.ParseDType(name)
	if err != nil && v.Kind() == doctree.String {
		r.fault(v, err)
	}
	r.d.Type, r.d.TypeKnown = t, err == nil
}

// role reads what an operator does with the tensor.
func (r *fieldReader) role(v doctree.Value) {
	switch {
	case v.Is("input"):
		r.d.Role = rules.Input
	case v.Is("output"):
		r.d.Role = rules.Output
	default:
		r.value(v, "a role: input or output")
	}
}

// flags reads a flag, or a list of flags.
func (r *fieldReader) flags(v doctree.Value) {
	switch v.Kind() {
	case doctree.String:
		r.flag = append(r.flag, strings.TrimPrefix(v.Text(), dxFlag))
	case doctree.Array:
		for item := range v.Items {
			r.flag = append(r.flag, strings.TrimPrefix(r.text(item, "the name of a flag"), dxFlag))
		}
	default:
		r.value(v, "the name of a flag, or a list of such")
	}
	r.d.Flags = r.flag
}

// near says which known name is most like an unknown one; nothing after so many.
func (r *fieldReader) near(word string, known []string) string {
	if r.hints++; r.hints > maxHints {
		return ""
	}
	if near := scan.Nearest(word, known); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}
