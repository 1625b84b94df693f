package manifest

import (
	"math"
	"slices"
	"strings"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/dml"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
)

// dxBeside are the members that an operator's object may have in addition to its fields.
var dxBeside = [...]string{"type", "Type", "bindings", "dmlCompileType", "executionFlags"}

// attributes reads the fields of an operator that are not tensors, like the program's parser: it stops at a field of
// another kind, and ignores unknown ones.
func (r *dxReader) attributes(op *descriptor.Operator, fields doctree.Value) {
	var missing []string
	for _, a := range dml.Of(op.Type).Fields {
		m, ok := fields.Get(a.Name)
		if ok {
			r.attribute(op, a, m)
		} else {
			missing = append(missing, a.Name)
		}
	}
	if len(missing) > 0 {
		r.nearAttributes(op, fields, missing)
	}
}

// nearAttributes reports members that the program ignores although attributes are missing: members with a name similar
// to one, and otherwise the first of the other members if the program stops without the attribute.
func (r *dxReader) nearAttributes(op *descriptor.Operator, fields doctree.Value, missing []string) {
	row := dml.Of(op.Type)
	required := slices.DeleteFunc(slices.Clone(missing), func(name string) bool {
		return slices.ContainsFunc(row.Fields, func(a dml.Attribute) bool { return a.Name == name && a.Optional })
	})
	for m := range r.members(fields) {
		known := func(name string) bool { return m.IsKey(name) }
		if slices.ContainsFunc(dxBeside[:], known) || isDxTensor(m) || len(missing) == 0 ||
			slices.ContainsFunc(row.Fields, func(a dml.Attribute) bool { return known(a.Name) }) ||
			slices.ContainsFunc(row.Slots, func(s dml.Slot) bool {
				return known(s.Name) || m.Kind() == doctree.Array && strings.EqualFold(m.Key(), s.Name)
			}) {
			continue
		}
		key := m.Key()
		i := slices.IndexFunc(missing, func(name string) bool { return strings.EqualFold(name, key) })
		if i < 0 {
			i = slices.Index(missing, r.near(key, missing))
		}
		if i >= 0 {
			r.ignored(m, op.Name, missing[i])
			op.Given = append(op.Given, descriptor.GivenAttribute{Name: missing[i], Broken: true})
			required = slices.DeleteFunc(required, func(name string) bool { return name == missing[i] })
			missing = slices.Delete(missing, i, i+1)
		} else if len(required) > 0 {
			r.ReportAs(jsonKeyCase, finding.Warning, finding.On(op.Name, keyLocator{m}), "",
				"%s is not a field of %s, which lacks %s", quote(key), strings.TrimPrefix(op.Type, dxOperator),
				strings.Join(required, ", "))
			return
		}
	}
}

// attribute reads a field of an operator, and keeps the values that rules need.
func (r *dxReader) attribute(op *descriptor.Operator, a dml.Attribute, v doctree.Value) {
	r.about(op.Name)
	g := descriptor.GivenAttribute{Name: a.Name, At: v}
	switch values, prefix := a.Enum(); {
	case values != nil:
		g.Value = r.enum(op, v, values, prefix)
		g.Broken = g.Value == ""
	case a.Kind == "uint":
		n, ok := r.integer(v, math.MaxUint32)
		g.Numbers, g.Broken = []int64{n}, !ok || n < 0
	case a.Kind == "uints":
		for n := range r.items(op, v, "a list of whole numbers") {
			n, ok := r.integer(n, math.MaxUint32)
			g.Numbers = append(g.Numbers, n)
			g.Broken = g.Broken || !ok || n < 0
		}
		g.Broken = g.Broken || v.Kind() != doctree.Array
	case a.Kind == "ints":
		for n := range r.items(op, v, "a list of whole numbers") {
			r.scalar(op, n, "int")
			g.Numbers = append(g.Numbers, 0) // no rule needs their values
		}
		g.Broken = v.Kind() != doctree.Array
	case a.Kind == "floats":
		for n := range r.items(op, v, "a list of numbers") {
			r.scalar(op, n, "float")
		}
		return
	case a.Kind == "operators":
		for n := range r.items(op, v, "a list of operators") {
			r.fused(op, n)
		}
		return
	case a.Kind == "operator":
		r.fused(op, v)
		return
	default:
		r.scalar(op, v, a.Kind)
		return
	}
	op.Given = append(op.Given, g)
}

// items yields the items of a list; it reports a value that is not a list.
func (r *dxReader) items(op *descriptor.Operator, v doctree.Value, want string) func(func(doctree.Value) bool) {
	if v.Kind() != doctree.Array {
		r.expect(v, op.Name, want)
		return func(func(doctree.Value) bool) {}
	}
	return v.Items
}

// enum reads a value of an enumeration.
func (r *dxReader) enum(op *descriptor.Operator, v doctree.Value, values []string, prefix string) string {
	if v.Kind() != doctree.String {
		r.expect(v, op.Name, "one of "+strings.Join(values, ", "))
		return ""
	}
	word := strings.TrimPrefix(v.Text(), prefix)
	if slices.Contains(values, word) {
		return word
	}
	fix := "one of " + strings.Join(values, ", ")
	if near := r.near(strings.ToUpper(word), values); near != "" {
		fix = "write " + near
	}
	r.refuse(v, op.Name, fix, "%s is not a value of %s: the program stops at it", quote(v.Text()), v.Key())
	return ""
}

// scalar checks only the kind of a field, because no rule needs its value.
func (r *dxReader) scalar(op *descriptor.Operator, v doctree.Value, kind string) {
	want := ""
	switch kind {
	case "bool":
		if v.Kind() != doctree.Bool {
			want = "true or false"
		}
	case "float":
		special := v.Kind() == doctree.String && slices.ContainsFunc([]string{"nan", "inf", "-inf"},
			func(word string) bool { return strings.EqualFold(word, v.Text()) })
		if v.Kind() != doctree.Number && !special {
			want = `a number, "NaN", "Inf" or "-Inf"`
		}
	case "int":
		if n, ok := v.Int(); !ok || n != int64(int32(n)) {
			want = "a whole number of 32 bits"
		}
	case "type":
		if _, known := dxDType(v.Text()); v.Kind() != doctree.String || !known {
			want = "a DirectML element type"
		}
	case "size2d", "scalebias":
		if v.Kind() != doctree.Object {
			want = "an object"
		}
	}
	if want != "" {
		r.expect(v, op.Name, want)
	}
}

// fused reads an operator that is part of another one, and has no tensors.
func (r *dxReader) fused(op *descriptor.Operator, v doctree.Value) {
	kind, ok := either(v, "Type", "type")
	switch {
	case v.Kind() != doctree.Object:
		r.expect(v, op.Name, "an operator")
	case !ok || kind.Kind() != doctree.String:
		r.lacks(v, op.Name, "Type")
	default:
		inner := descriptor.Operator{Name: op.Name + "." + clip(v.Key(), maxShown), Type: kind.Text(), At: kind}
		fields, ok := either(v, "Desc", "desc")
		if !ok {
			fields = v
		}
		r.attributes(&inner, fields)
	}
}
