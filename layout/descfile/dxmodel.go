package descfile

import (
	"fmt"
	"slices"
	"strings"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
)

// maxSlots limits the tensors that are followed of an operator whose tensors are not known by
// name. No operator has more than 15.
const maxSlots = 64

// model reads a whole model.
func (r *dxReader) model(root doctree.Value) {
	r.f.Model = &rules.Model{}
	if root.Kind() != doctree.Object {
		r.wrong(root, "", "an object")
		return
	}
	r.target(root, "")
	if v, ok := r.rootMember(root, "resources", doctree.Object); ok {
		for m := range r.members(v) {
			r.f.Model.Resources = append(r.f.Model.Resources, r.resource(m))
		}
	}
	if v, ok := r.rootMember(root, "dispatchables", doctree.Object); ok {
		for m := range r.members(v) {
			r.dispatchable(m)
		}
	}
	if v, ok := r.rootMember(root, "commands", doctree.Array); ok {
		for item := range v.Items {
			r.command(item)
		}
	}
}

// rootMember returns a member that every model has.
func (r *dxReader) rootMember(root doctree.Value, name string, kind doctree.Kind) (v doctree.Value, ok bool) {
	v, ok = root.Get(name)
	switch {
	case !ok:
		r.lacks(root, "", name)
	case v.Kind() != kind:
		r.wrong(v, "", kind.String())
		ok = false
	}
	return v, ok
}

// dispatchable reads an operator, or the name of what is none.
func (r *dxReader) dispatchable(v doctree.Value) {
	d := rules.Dispatchable{Name: v.Key()}
	kind, ok := v.Get("type")
	if !ok {
		kind, ok = v.Get("Type")
	}
	switch {
	case v.Kind() != doctree.Object:
		r.wrong(v, d.Name, "an object")
	case !ok:
		r.lacks(v, d.Name, "type")
	case kind.Kind() != doctree.String:
		r.wrong(kind, d.Name, "the type of a dispatchable")
	default:
		if name := kind.Text(); !isForeign(name) {
			d.Operator = r.operator(v, kind, d.Name)
		}
		if bindings, ok := v.Get("bindings"); ok {
			d.Bindings = r.bindings(bindings, d.Name)
		}
	}
	r.f.Model.Dispatchables = append(r.f.Model.Dispatchables, d)
}

// isForeign reports whether a dispatchable says nothing of its tensors.
func isForeign(kind string) bool {
	return strings.EqualFold(kind, "hlsl") || strings.EqualFold(kind, "onnx") || strings.EqualFold(kind, "dmlSerializedGraph")
}

// operator reads an operator, whose fields stand under desc or beside its type.
func (r *dxReader) operator(v, kind doctree.Value, name string) *rules.Operator {
	op := &rules.Operator{Name: dxName(name), Type: kind.Text(), At: kind}
	desc, ok := v.Get("desc")
	if !ok {
		desc, ok = v.Get("Desc")
	}
	switch {
	case !ok:
		desc = v
	case desc.Kind() != doctree.Object:
		r.wrong(desc, name, "an object")
		return op
	}
	slots := rules.Slots(op.Type)
	for _, s := range slots {
		if m, ok := desc.Get(s.Name); ok {
			r.slot(op, m, s)
		}
	}
	if len(slots) > 0 {
		r.nearSlots(op, desc, slots)
	} else {
		r.anySlots(op, desc)
	}
	r.counts(op, desc)
	return op
}

// counts reads the fields that count the tensors of lists.
func (r *dxReader) counts(op *rules.Operator, desc doctree.Value) {
	for _, c := range [...][2]string{{"InputCount", "InputTensors"}, {"OutputCount", "OutputTensors"}, {"QuantizationTensorCount", "QuantizationTensors"}} {
		if m, ok := desc.Get(c[0]); ok {
			if n, ok := r.integer(m, op.Name, 1<<32-1); ok {
				op.Counts = append(op.Counts, rules.CountField{Name: c[0], Slot: c[1], Value: n, At: m})
			}
		}
	}
}

// slot reads what an operator has for one of its tensors.
func (r *dxReader) slot(op *rules.Operator, v doctree.Value, s rules.Slot) {
	from, ok := len(r.f.Descriptors), true
	d := rules.Descriptor{Name: op.Name + "." + dxName(s.Name), Operator: strings.TrimPrefix(op.Type, dxOperator), Slot: s.Name, Role: s.Role, Computed: true}
	switch {
	case s.Array && v.Kind() == doctree.Array:
		r.f.Descriptors = slices.Grow(r.f.Descriptors, v.Len())
		i := 0
		for item := range v.Items {
			each := d
			each.Name = fmt.Sprintf("%s[%d]", d.Name, i)
			ok = r.tensor(item, each) && ok
			i++
		}
	case s.Array:
		r.wrong(v, d.Name, "a list of tensor descriptors")
		ok = false
	default:
		ok = r.tensor(v, d)
	}
	r.spans = append(r.spans, dxSpan{op, len(op.Slots), from, len(r.f.Descriptors)})
	op.Slots = append(op.Slots, rules.OperatorSlot{Name: s.Name, Broken: !ok})
}

// nearSlots reports members whose names are almost those of tensors.
func (r *dxReader) nearSlots(op *rules.Operator, desc doctree.Value, slots []rules.Slot) {
	var free []string
	for _, s := range slots {
		if _, ok := desc.Get(s.Name); !ok {
			free = append(free, s.Name)
		}
	}
	for m := range r.members(desc) {
		if len(free) == 0 || !isDxTensor(m) && m.Kind() != doctree.Array || isSlot(m, slots) {
			continue
		}
		for _, name := range free {
			key := m.Key()
			if strings.EqualFold(key, name) || isDxTensor(m) && r.near(key, []string{name}) != "" {
				r.find(rules.JSONKeyCase, keyLocator{m}, op.Name, "write "+name, "%s is not %s: the program ignores it", dxQuote(key), name)
				op.Slots = append(op.Slots, rules.OperatorSlot{Name: name, Broken: true})
				free = nil
				break
			}
		}
	}
}

func isSlot(m doctree.Value, slots []rules.Slot) bool {
	for _, s := range slots {
		if m.IsKey(s.Name) {
			return true
		}
	}
	return false
}

// anySlots reads the tensors of an operator of which no more is known than its name: what has
// the fields of one, or a list of such.
func (r *dxReader) anySlots(op *rules.Operator, desc doctree.Value) {
	for m := range r.members(desc) {
		if len(op.Slots) == maxSlots {
			return
		}
		tensor := m
		if m.Kind() == doctree.Array {
			for tensor = range m.Items {
				break
			}
		}
		if tensor.Kind() == doctree.Object && isDxTensor(tensor) {
			r.slot(op, m, rules.Slot{Name: m.Key(), Array: m.Kind() == doctree.Array})
		}
	}
}
