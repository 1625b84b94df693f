package manifest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/dml"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
)

// The kind of a DxDispatch file, and the prefixes that may be omitted.
const (
	dxKind     = "model"
	dxType     = "DML_TENSOR_DATA_TYPE_"
	dxFlag     = "DML_TENSOR_FLAG_"
	dxBuffer   = "DML_TENSOR_TYPE_BUFFER"
	dxOperator = "DML_OPERATOR_"
)

// IsDxDispatch reports whether the tree is a DxDispatch model, or has tensor descriptors in other objects and lists.
func IsDxDispatch(t *doctree.Tree) bool {
	return isModel(t.Root()) || isDxTensor(t.Root()) || hasDxTensor(t.Root())
}

// isModel reports whether an object has members of a DxDispatch model.
func isModel(root doctree.Value) bool { return root.Has("resources", "dispatchables", "commands") }

// hasDxTensor reports whether a value contains tensor descriptors. A vocabulary, which maps words to their numbers,
// does not.
func hasDxTensor(v doctree.Value) bool {
	for item := range v.Items {
		if isDxTensor(item) && hasField(item) || hasDxTensor(item) {
			return true
		}
	}
	return false
}

// HasField reports whether the tree has a type or sizes of a tensor descriptor anywhere.
func HasField(t *doctree.Tree) bool {
	for v := range t.All {
		if isField(v) {
			return true
		}
	}
	return false
}

// hasField reports whether an object, or its Desc, has a type or sizes of a tensor descriptor.
func hasField(v doctree.Value) bool {
	if fields, ok := v.Get("Desc"); ok {
		v = fields
	}
	for m := range v.Items {
		if isField(m) {
			return true
		}
	}
	return isBinding(v)
}

// isField reports whether a member is a type or sizes.
func isField(m doctree.Value) bool {
	return m.Kind() == doctree.String && m.IsKey("DataType") || m.Kind() == doctree.Array && m.IsKey("Sizes")
}

// isDxTensor reports whether a value is a descriptor, which is recognized by two of its fields. In operators, one of
// the two has another name.
func isDxTensor(v doctree.Value) bool {
	if fields, ok := v.Get("Desc"); ok {
		v = fields
	}
	return v.Has("DataType") && v.Has("Sizes") || isBinding(v)
}

// isBinding reports whether an object has the fields of a descriptor under the names used by bindings. These are common
// words, so they only count with suitable values.
func isBinding(v doctree.Value) bool {
	dtype, isTyped := v.Get("dataType")
	sizes, isSized := v.Get("sizes")
	if !isTyped || !isSized || dtype.Kind() != doctree.String || sizes.Kind() != doctree.Array ||
		v.Has("DataType", "Sizes") {
		return false
	}
	for size := range sizes.Items {
		if size.Kind() != doctree.Number {
			return false
		}
	}
	return true
}

// HasDescriptor reports whether the tree contains an object that is certainly a tensor descriptor: it has a type and
// sizes and, under the names used by bindings, the type is known.
func HasDescriptor(t *doctree.Tree) bool {
	for v := range t.All {
		dtype, isTyped := v.Get("DataType")
		sizes, isSized := v.Get("Sizes")
		if isTyped && isSized && dtype.Kind() == doctree.String && sizes.Kind() == doctree.Array {
			return true
		}
		if isBinding(v) {
			dtype, _ = v.Get("dataType")
			if _, known := bindingDType(dtype.Text()); known {
				return true
			}
		}
	}
	return false
}

// DxDispatch returns the tensors of a DxDispatch model, or of objects and lists with tensor descriptors, in the way
// that the program's parser reads them: the first of two members with the same name counts, names are case-sensitive,
// and unknown ones are ignored. A model may have a member target, and a descriptor outside of a model may have the
// members role ("input" or "output") and target. With a target, it does not belong to DxDispatch, so nothing computes a
// total of 0.
func DxDispatch(t *doctree.Tree) *descriptor.File {
	r := dxReader{
		f:     &descriptor.File{Kind: dxKind, Target: descriptor.Target{Family: finding.DirectML}},
		again: map[doctree.Value]bool{},
	}
	r.model = true
	r.Reporter = finding.NewCollector(&r.f.Findings)
	r.duplicates(t)
	if root := t.Root(); isModel(root) && !isDxTensor(root) {
		r.readModel(root)
	} else {
		r.descriptors(root, "")
	}
	r.connect()
	r.LeftOut(finding.At{})
	r.f.Comments = t.Comments()
	return r.f
}

// A dxReader reads a model into a file.
type dxReader struct {
	fieldReader
	f     *descriptor.File
	again map[doctree.Value]bool // members with the name of an earlier member
	spans []dxSpan

	targeted bool // the input names a target
}

// A dxSpan is the range of the file's descriptors that belongs to a slot of an operator.
type dxSpan struct {
	op         *descriptor.Operator
	slot, from int
	to         int
}

// connect points the slots of operators to their descriptors, once the list of descriptors is complete.
func (r *dxReader) connect() {
	for _, s := range r.spans {
		slot := &s.op.Slots[s.slot]
		for i := s.from; i < s.to; i++ {
			slot.Tensors = append(slot.Tensors, &r.f.Descriptors[i])
		}
	}
}

// refuse reports a value that the program does not accept.
func (r *dxReader) refuse(v doctree.Value, tensor, fix, format string, args ...any) {
	r.Report(jsonField, finding.On(tensor, v), fix, format, args...)
}

// expect reports a value of the wrong kind. Null does not stand for an omitted member.
func (r *dxReader) expect(v doctree.Value, tensor, want string) {
	fix := ""
	if v.Kind() == doctree.Null {
		fix = "remove the member"
	}
	r.refuse(v, tensor, fix, "%s is not %s", shown(v), want)
}

// lacks reports a required member that is missing.
func (r *dxReader) lacks(v doctree.Value, tensor, name string) {
	r.refuse(v, tensor, "", "the member %q is required", name)
}

// ignored reports a member that the program ignores because its name is slightly wrong.
func (r *dxReader) ignored(m doctree.Value, tensor, meant string) {
	r.Report(jsonKeyCase, finding.On(tensor, keyLocator{m}), "write "+meant, "%s is not %s: the program ignores it",
		quote(m.Key()), meant)
}

// either returns the member with the first name, or otherwise the member with the other.
func either(v doctree.Value, name, other string) (m doctree.Value, ok bool) {
	if m, ok = v.Get(name); !ok {
		m, ok = v.Get(other)
	}
	return m, ok
}

// duplicates finds the members with the name of an earlier member in their object.
func (r *dxReader) duplicates(t *doctree.Tree) {
	seen := map[string]bool{}
	for object := range t.All {
		if object.Kind() != doctree.Object {
			continue
		}
		clear(seen)
		for m := range object.Items {
			if name := m.Key(); seen[name] {
				r.again[m] = true
				r.Report(jsonDupKey, finding.On("", keyLocator{m}), "",
					"%s is there before: the program takes the first, and ignores this one", quote(name))
			} else {
				seen[name] = true
			}
		}
	}
}

// members yields the members of an object that the program finds.
func (r *dxReader) members(v doctree.Value) func(func(doctree.Value) bool) {
	return func(yield func(doctree.Value) bool) {
		if v.Kind() != doctree.Object {
			return
		}
		for m := range v.Items {
			if !r.again[m] && !yield(m) {
				return
			}
		}
	}
}

// readTarget reads the target, unless the caller has named one. It reports whether the object has a target.
func (r *dxReader) readTarget(v doctree.Value, tensor string) bool {
	m, ok := v.Get("target")
	if !ok || r.targeted {
		return ok
	}
	target, err := descriptor.ParseTarget(m.Text())
	if err != nil {
		r.refuse(m, tensor, layout.HintOf(err), "%v", err)
		return true
	}
	r.f.Target, r.targeted = target, true
	r.foreign = target.Family != finding.DirectML
	return true
}

// descriptors reads the tensor descriptors in a value that is not part of a model. It reports an object with only one
// of the fields of a descriptor, unless it may be an operator. If a list starts with a descriptor, it reports each item
// that is not one. The names of the tensors are their paths.
func (r *dxReader) descriptors(v doctree.Value, path string) {
	if isDxTensor(v) || hasField(v) && !hasDxTensor(v) {
		r.alone(v, path)
		return
	}
	above, i, isList := clip(path, maxShown), 0, false
	for item := range v.Items {
		isList = isList || i == 0 && v.Kind() == doctree.Array && isDxTensor(item)
		switch key := clip(item.Key(), maxShown); {
		case r.again[item]:
		case isList:
			r.alone(item, fmt.Sprintf("%s[%d]", above, i))
		case v.Kind() == doctree.Array:
			r.descriptors(item, fmt.Sprintf("%s[%d]", above, i))
		case key == "desc" || key == "Desc":
			r.descriptors(item, path)
		case path == "":
			r.descriptors(item, key)
		default:
			r.descriptors(item, above+"."+key)
		}
		i++
	}
}

// alone reads a descriptor that is not part of an operator.
func (r *dxReader) alone(v doctree.Value, name string) {
	d := descriptor.Descriptor{Name: name, Computed: !r.readTarget(v, name)}
	if m, ok := v.Get("role"); ok {
		r.clear(&d, false)
		r.role(m)
	}
	r.tensor(v, d)
}

// tensor reads a descriptor into the file. It reports false if the program could not read it.
func (r *dxReader) tensor(v doctree.Value, d descriptor.Descriptor) bool {
	switch v.Kind() {
	case doctree.Object:
	case doctree.Null:
		r.Report(jsonNullTensor, finding.On(d.Name, v), "remove the member",
			"null is not a tensor: the program expects an object")
		return false
	default:
		r.expect(v, d.Name, "a tensor descriptor")
		return false
	}
	fields, ok := r.nested(v, d.Name)
	if !ok {
		return false
	}
	r.clear(&d, false)
	in := descriptor.DirectMLNames
	if r.f.Model == nil && isBinding(fields) { // the parser of models only has DirectML's names
		in = descriptor.BindingNames
	}
	d.Source = &fieldSource{fields, in}
	seen := [descriptor.PartCount]bool{}
	for m := range r.members(fields) {
		f := fieldOf(m, in|descriptor.ModelNames)
		switch {
		case f.In == in:
			r.read(f.Part, f.In, m)
			seen[f.Part] = true
		case f.Part == descriptor.Whole:
			r.nearKey(fields, m, in, &seen)
		}
	}
	for _, part := range [...]descriptor.Part{descriptor.TypePart, descriptor.SizesPart} {
		if !seen[part] {
			r.lacks(fields, d.Name, [...]string{descriptor.TypePart: "DataType", descriptor.SizesPart: "Sizes"}[part])
			r.ok = false
		}
	}
	d.Computed = d.Computed || !d.Total.Stated
	if r.ok {
		r.f.Descriptors = append(r.f.Descriptors, d)
	}
	return r.ok
}

// nested returns the object with the fields: the tensor's Desc, or the tensor itself.
func (r *dxReader) nested(v doctree.Value, name string) (fields doctree.Value, ok bool) {
	if t, ok := v.Get("Type"); ok && !t.Is(dxBuffer) && !t.Is("BUFFER") {
		r.refuse(t, name, "write "+dxBuffer, "%s is not a type of tensor", quote(t.Text()))
		return v, false
	}
	fields, ok = v.Get("Desc")
	if !ok {
		return v, true
	}
	if fields.Kind() != doctree.Object {
		r.expect(fields, name, "an object")
		return v, false
	}
	return fields, true
}

// nearKey reports a member with a name similar to a missing field. It does not also report that a required field is
// missing.
func (r *dxReader) nearKey(fields, m doctree.Value, in descriptor.Vocabulary, seen *[descriptor.PartCount]bool) {
	if part := fieldOf(m, descriptor.ConfigNames).Part; part == descriptor.LayoutPart || part == descriptor.BasePart {
		fix := [...]string{descriptor.LayoutPart: "write Strides", descriptor.BasePart: "it is part of a binding"}[part]
		r.ReportAs(jsonKeyCase, finding.Warning, finding.On(r.d.Name, keyLocator{m}), fix,
			"%s is not a field of DirectML: the program ignores it", quote(m.Key()))
		return
	}
	near := r.near(m.Key(), descriptor.NamesIn(in))
	if near == "" || fields.Has(near) {
		if len(r.d.Unread) < maxUnread && fieldOf(m, descriptor.LineNames).Part == descriptor.Whole {
			r.d.Unread = append(r.d.Unread, m.Key())
		}
		return
	}
	outcome := "the program ignores it"
	switch part := descriptor.FieldOf([]byte(near), in).Part; part {
	case descriptor.TypePart, descriptor.SizesPart:
		outcome = "the program says that the field is required"
		seen[part], r.ok = true, false
	case descriptor.StridesPart:
		outcome += ", and takes the tensor as packed"
	case descriptor.TotalPart:
		outcome += ", and computes the total"
	}
	r.Report(jsonKeyCase, finding.On(r.d.Name, keyLocator{m}), "write "+near, "%s is not %s: %s",
		quote(m.Key()), near, outcome)
}

// maxUnread limits the members of a descriptor that are kept although they are not fields.
const maxUnread = 10

// dxDType returns the element type that the program uses for a name.
func dxDType(name string) (layout.DType, bool) {
	return layout.DTypeIn(layout.DirectML, strings.TrimPrefix(name, dxType))
}

// bindingDType returns the element type that a binding uses for a name: DirectML's name, or the name in another
// language.
func bindingDType(name string) (layout.DType, bool) {
	if d, known := dxDType(name); known {
		return d, true
	}
	d, err := layout.ParseDType(name)
	return d, err == nil
}

// maxSlots limits the tensors of an operator without known slots. No operator has more than 15.
const maxSlots = 64

// maxShown limits the bytes of a name that each of many tensors repeats.
const maxShown = 40

// readModel reads a whole model.
func (r *dxReader) readModel(root doctree.Value) {
	r.f.Model = &descriptor.Model{}
	if root.Kind() != doctree.Object {
		r.expect(root, "", "an object")
		return
	}
	r.readTarget(root, "")
	for _, part := range [...]struct {
		name string
		kind doctree.Kind
		read func(doctree.Value)
	}{
		{"resources", doctree.Object, r.resource},
		{"dispatchables", doctree.Object, r.dispatchable},
		{"commands", doctree.Array, r.command},
	} {
		switch v, ok := root.Get(part.name); {
		case !ok:
			r.lacks(root, "", part.name)
		case v.Kind() != part.kind:
			r.expect(v, "", part.kind.String())
		default:
			for item := range v.Items {
				if !r.again[item] {
					part.read(item)
				}
			}
		}
	}
}

// dispatchable reads an operator, or the name of another dispatchable.
func (r *dxReader) dispatchable(v doctree.Value) {
	d := descriptor.Dispatchable{Name: v.Key()}
	kind, ok := either(v, "type", "Type")
	switch {
	case v.Kind() != doctree.Object:
		r.expect(v, d.Name, "an object")
	case !ok:
		r.lacks(v, d.Name, "type")
	case kind.Kind() != doctree.String:
		r.expect(kind, d.Name, "the type of a dispatchable")
	default:
		foreign := func(name string) bool { return strings.EqualFold(kind.Text(), name) }
		if !foreign("hlsl") && !foreign("onnx") && !foreign("dmlSerializedGraph") {
			d.Operator = r.operator(v, kind, d.Name)
		}
		if bindings, ok := v.Get("bindings"); ok {
			d.Bindings = r.bindings(bindings, d.Name)
		}
	}
	r.f.Model.Dispatchables = append(r.f.Model.Dispatchables, d)
}

// operator reads an operator. Its fields are in desc or next to its type.
func (r *dxReader) operator(v, kind doctree.Value, name string) *descriptor.Operator {
	op := &descriptor.Operator{Name: clip(name, maxShown), Type: kind.Text(), At: kind}
	fields, ok := either(v, "desc", "Desc")
	switch {
	case !ok:
		fields = v
	case fields.Kind() != doctree.Object:
		r.expect(fields, name, "an object")
		return op
	}
	slots := dml.Of(op.Type).Slots
	for _, s := range slots {
		if m, ok := fields.Get(s.Name); ok {
			r.slot(op, m, s)
		}
	}
	if len(slots) > 0 {
		r.nearSlots(op, fields, slots)
	} else {
		r.anySlots(op, fields)
	}
	r.attributes(op, fields)
	for _, c := range [...][2]string{
		{"InputCount", "InputTensors"}, {"OutputCount", "OutputTensors"},
		{"QuantizationTensorCount", "QuantizationTensors"},
	} {
		if m, ok := fields.Get(c[0]); ok {
			r.about(op.Name)
			if n, ok := r.integer(m, math.MaxUint32); ok {
				op.Counts = append(op.Counts, descriptor.CountField{Name: c[0], Slot: c[1], Value: n, At: m})
			}
		}
	}
	return op
}

// slot reads the value of an operator for one of its tensors.
func (r *dxReader) slot(op *descriptor.Operator, v doctree.Value, s dml.Slot) {
	from, ok := len(r.f.Descriptors), true
	d := descriptor.Descriptor{
		Name: op.Name + "." + clip(s.Name, maxShown), Operator: strings.TrimPrefix(op.Type, dxOperator), Slot: s.Name,
		Role: s.Role, Computed: true,
	}
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
		r.expect(v, d.Name, "a list of tensor descriptors")
		ok = false
	default:
		ok = r.tensor(v, d)
	}
	r.spans = append(r.spans, dxSpan{op, len(op.Slots), from, len(r.f.Descriptors)})
	op.Slots = append(op.Slots, descriptor.OperatorSlot{Name: s.Name, Broken: !ok})
}

// nearSlots reports members with names similar to the names of tensors.
func (r *dxReader) nearSlots(op *descriptor.Operator, fields doctree.Value, slots []dml.Slot) {
	var free []string
	for _, s := range slots {
		if !fields.Has(s.Name) {
			free = append(free, s.Name)
		}
	}
	for m := range r.members(fields) {
		known := slices.ContainsFunc(slots, func(s dml.Slot) bool { return m.IsKey(s.Name) })
		if len(free) == 0 || !isDxTensor(m) && m.Kind() != doctree.Array || known {
			continue
		}
		for _, name := range free {
			key := m.Key()
			if strings.EqualFold(key, name) || isDxTensor(m) && r.near(key, []string{name}) != "" {
				r.ignored(m, op.Name, name)
				op.Slots = append(op.Slots, descriptor.OperatorSlot{Name: name, Broken: true})
				free = nil
				break
			}
		}
	}
}

// anySlots reads the tensors of an unknown operator: members with the fields of a tensor, or lists of them.
func (r *dxReader) anySlots(op *descriptor.Operator, fields doctree.Value) {
	for m := range r.members(fields) {
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
			r.slot(op, m, dml.Slot{Name: m.Key(), Array: m.Kind() == doctree.Array})
		}
	}
}

// command reads a step of a model.
func (r *dxReader) command(v doctree.Value) {
	kind, ok := v.Get("type")
	switch {
	case v.Kind() != doctree.Object:
		r.expect(v, "", "an object")
		return
	case !ok:
		r.lacks(v, "", "type")
		return
	}
	word := r.commandType(kind)
	c := descriptor.Command{Dispatch: word == "dispatch", At: v}
	if word == "writeFile" && !v.Has("targetPath") {
		r.lacks(v, "", "targetPath")
	}
	if !c.Dispatch {
		if m, ok := v.Get("resource"); ok && m.Kind() == doctree.String {
			c.Resource, c.At = m.Text(), m
		}
	} else if !r.dispatch(v, &c) {
		return
	}
	r.f.Model.Commands = append(r.f.Model.Commands, c)
}

// dxCommands are the types of commands, in any case.
var dxCommands = [...]string{"dispatch", "print", "writeFile"}

// commandType returns the type of a command, or the known type that is most similar.
func (r *dxReader) commandType(kind doctree.Value) string {
	if kind.Kind() != doctree.String {
		r.expect(kind, "", "the type of a command")
		return ""
	}
	for _, known := range dxCommands {
		if strings.EqualFold(kind.Text(), known) {
			return known
		}
	}
	near, fix := r.near(kind.Text(), dxCommands[:]), "write dispatch, print or writeFile"
	if near != "" {
		fix = "write " + near
	}
	r.refuse(kind, "", fix, "%s is not a type of command: the program stops at it", quote(kind.Text()))
	return near
}

// dispatch reads the operator that a command dispatches, and its bindings.
func (r *dxReader) dispatch(v doctree.Value, c *descriptor.Command) bool {
	name, ok := v.Get("dispatchable")
	switch {
	case !ok:
		r.lacks(v, "", "dispatchable")
		return false
	case name.Kind() != doctree.String:
		r.expect(name, "", "the name of a dispatchable")
		return false
	}
	c.Dispatchable, c.At = name.Text(), name
	bindings, ok := v.Get("bindings")
	if !ok {
		r.lacks(v, c.Dispatchable, "bindings")
		return false
	}
	c.Bindings = r.bindings(bindings, c.Dispatchable)
	return true
}

// bindings reads an object of bind points, each with a resource or a list of resources.
func (r *dxReader) bindings(v doctree.Value, owner string) []descriptor.Binding {
	if v.Kind() != doctree.Object {
		r.expect(v, owner, "an object")
		return nil
	}
	var list []descriptor.Binding
	for m := range r.members(v) {
		b := descriptor.Binding{Point: m.Key(), At: m}
		if m.Kind() == doctree.Array {
			for item := range m.Items {
				b.Resources = r.bound(b.Resources, item, owner)
			}
		} else {
			b.Resources = r.bound(nil, m, owner)
		}
		list = append(list, b)
	}
	return list
}

// bound adds a resource: its name, or an object that selects a part of it.
func (r *dxReader) bound(list []descriptor.Bound, v doctree.Value, owner string) []descriptor.Bound {
	if v.Kind() == doctree.String {
		return append(list, descriptor.Bound{Name: v.Text(), At: v})
	}
	if v.Kind() != doctree.Object {
		r.expect(v, owner, "the name of a resource")
		return list
	}
	name, ok := v.Get("name")
	if !ok || name.Kind() != doctree.String {
		r.lacks(v, owner, "name")
		return list
	}
	r.nearBound(v, owner)
	b := descriptor.Bound{Name: name.Text(), At: v}
	b.Offset = r.positive(v, "elementOffset", owner)
	b.ElementSize = r.positive(v, "elementSizeInBytes", owner)
	r.positive(v, "elementCount", owner)
	if c, ok := v.Get("counter"); ok && c.Kind() == doctree.String {
		b.Counter = c.Text()
	}
	return append(list, b)
}

// dxBound are the members of a binding that is an object.
var dxBound = [...]string{
	"name", "elementCount", "elementSizeInBytes", "elementOffset", "format", "counter", "counterOffsetBytes", "shape",
}

// nearBound reports names similar to the names of a binding's members.
func (r *dxReader) nearBound(v doctree.Value, owner string) {
	for m := range r.members(v) {
		if slices.ContainsFunc(dxBound[:], m.IsKey) {
			continue
		}
		near := r.near(m.Key(), dxBound[:])
		if near != "" && !v.Has(near) {
			r.ignored(m, owner, near)
		}
	}
}

// positive reads a number that may be missing. It reports a negative number, which then counts as missing.
func (r *dxReader) positive(v doctree.Value, name, owner string) descriptor.Number {
	if m, ok := v.Get(name); ok {
		r.about(owner)
		if n := r.number(m, math.MaxInt64); n.Value >= 0 {
			return n
		}
	}
	return descriptor.Number{}
}

// about sets the tensor for findings about the numbers read next.
func (r *dxReader) about(name string) { r.clear(&descriptor.Descriptor{Name: name}, true) }
