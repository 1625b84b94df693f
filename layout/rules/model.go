package rules

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// A Model is a DxDispatch model: operators, the buffers that they work on, and what binds them.
type Model struct {
	Resources     []Resource
	Dispatchables []Dispatchable
	Commands      []Command
}

// A Resource is a buffer of a model.
type Resource struct {
	Name     string
	Type     layout.DType // of its initial values
	Typed    bool         // it has one, of whole bytes
	Elements Number       // how many initial values there are
	Initial  Number       // how many bytes they take, before DxDispatch rounds them up to a multiple of 4
	Stated   Number       // sizeInBytes
	At       Locator
	SizeAt   Locator // of sizeInBytes; nil if it is not stated
}

// size returns how many bytes the buffer has, as DxDispatch makes it.
func (r *Resource) size() (bytes int64, known bool) {
	if r.Stated.Stated {
		return r.Stated.Value, true
	}
	n := r.Initial.Value
	return (n + 3) &^ 3, r.Initial.Stated && n <= 1<<63-1-3
}

// A Dispatchable is what commands dispatch. Of shaders, ONNX models and serialized graphs only the name is known.
type Dispatchable struct {
	Name     string
	Operator *Operator // nil for what is not an operator
	Bindings []Binding // at initialization: of the tensors that DirectML owns
}

// A Command is a step of a model.
type Command struct {
	Dispatch     bool
	Dispatchable string // what it dispatches
	Bindings     []Binding
	Resource     string // what it prints or writes to a file; may be empty
	At           Locator
}

// A Binding gives a bind point its resources.
type Binding struct {
	Point     string
	Resources []Bound
	At        Locator
}

// A Bound is a resource, or a part of one, at a bind point.
type Bound struct {
	Name        string
	Offset      Number // elementOffset
	ElementSize Number // elementSizeInBytes
	Counter     string // the resource of its counter; may be empty
	At          Locator
}

// Model checks a model by the rules of operators and bindings. The rules of single descriptors are those of
// [Checker.Check].
func (c *Checker) Model(t Target, m *Model) {
	if t.Family != DirectML {
		return
	}
	c.target = t
	b := binder{c: c, m: m, resources: map[string]int{}, dispatchables: map[string]int{},
		uses: make([]use, len(m.Resources))}
	for i := range m.Resources {
		b.resources[m.Resources[i].Name] = i
	}
	for i := range m.Dispatchables {
		d := &m.Dispatchables[i]
		b.dispatchables[d.Name] = i
		if d.Operator != nil {
			c.Operator(t, d.Operator)
		}
	}
	for i := range m.Dispatchables {
		b.initialize(&m.Dispatchables[i])
	}
	for i := range m.Commands {
		b.command(&m.Commands[i])
	}
	for i := range m.Resources {
		c.resource(&m.Resources[i], &b.uses[i])
	}
}

// A binder follows the bindings of a model.
type binder struct {
	c             *Checker
	m             *Model
	resources     map[string]int
	dispatchables map[string]int
	uses          []use
	ranges        []boundRange // of the command at hand
}

// A use is what is known of a resource from those that bind it.
type use struct {
	used  bool
	need  int64       // the bytes that the tensors bound to it take, at most, with their offsets
	typed *Descriptor // a tensor of another type
	small *Descriptor // the tensor with the most spare bytes after it, how many these are, and its total
	slack int64
	total int64
}

// resource returns the index of the resource of that name. It returns -1 if there is none, and reports that.
func (b *binder) resource(name string, at Locator) int {
	i, ok := b.resources[name]
	if ok {
		b.uses[i].used = true
		return i
	}
	if b.c.broken(ResourceExists) {
		fix := b.c.nearest(name, len(b.m.Resources), func(i int) string { return b.m.Resources[i].Name })
		b.c.findAt(ResourceExists, Error, at, "", fix, "there is no resource %s", scan.Quote(name))
	}
	return -1
}

// nearest suggests the nearest of n names.
func (c *Checker) nearest(name string, n int, at func(int) string) string {
	return c.speller.DidYouMean(name, func(yield func(string) bool) {
		for i := 0; i < n && yield(at(i)); i++ {
		}
	}, "")
}

// initialize follows what is bound when a dispatchable is initialized.
func (b *binder) initialize(d *Dispatchable) {
	b.bind(d.Bindings, d, true)
	if d.Operator == nil {
		return
	}
	for i := range d.Operator.Slots {
		if s := &d.Operator.Slots[i]; s.owned() && !bound(d.Bindings, s.Name) {
			b.missing(d.Operator, s, d.Operator.At, "DirectML owns it, and the dispatchable's bindings do not name it")
		}
	}
}

// command follows a command.
func (b *binder) command(cmd *Command) {
	if cmd.Resource != "" {
		b.resource(cmd.Resource, cmd.At)
	}
	if !cmd.Dispatch {
		return
	}
	i, ok := b.dispatchables[cmd.Dispatchable]
	if !ok {
		if b.c.broken(DispatchableExists) {
			fix := b.c.nearest(cmd.Dispatchable, len(b.m.Dispatchables),
				func(i int) string { return b.m.Dispatchables[i].Name })
			b.c.findAt(DispatchableExists, Error, cmd.At, "", fix, "there is no dispatchable %s",
				scan.Quote(cmd.Dispatchable))
		}
		b.bind(cmd.Bindings, &Dispatchable{}, false)
		return
	}
	d := &b.m.Dispatchables[i]
	if op := d.Operator; op != nil {
		for i := range op.Slots {
			s := &op.Slots[i]
			if len(s.Tensors) > 0 && !s.owned() && !bound(cmd.Bindings, s.Name) && !bound(d.Bindings, s.Name) {
				b.missing(op, s, cmd.At, "the command's bindings do not name it")
			}
		}
	}
	b.bind(cmd.Bindings, d, false)
	if d.Operator != nil {
		if row := findOperator(d.Operator.Type); row != nil {
			b.overlaps(row)
		}
	}
}

// bound reports whether bindings name a point.
func bound(list []Binding, point string) bool {
	return slices.ContainsFunc(list, func(b Binding) bool { return b.Point == point })
}

func (b *binder) missing(op *Operator, s *OperatorSlot, at Locator, why string) {
	b.c.findAt(BindMissing, Error, at, op.Name+"."+s.Name, "", "%s has no resource: %s", s.Name, why)
}

// bind follows a list of bindings, at the time of initialization or of execution.
func (b *binder) bind(list []Binding, d *Dispatchable, initial bool) {
	b.ranges = b.ranges[:0]
	for i := range list {
		binding := &list[i]
		slot := b.point(binding, d)
		if slot != nil && len(slot.Tensors) != len(binding.Resources) {
			b.c.findAt(BindArrayCount, Error, binding.At, slot.path(), "", "%s requires %s, but %d were bound",
				slot.Name, scan.Count(len(slot.Tensors), "resource"), len(binding.Resources))
		}
		if slot != nil && len(slot.Tensors) > 0 && slot.owned() != initial {
			text, fix := "is OWNED_BY_DML: it is bound when the operator is initialized, and not by a command",
				"move it to the bindings of the dispatchable"
			if initial {
				text, fix = "is not OWNED_BY_DML: a command binds it, and not the dispatchable",
					"move it to the bindings of the command, or set the flag"
			}
			b.c.findAt(BindOwned, Error, binding.At, slot.path(), fix, "%s %s", slot.Name, text)
		}
		for k := range binding.Resources {
			bound := &binding.Resources[k]
			r := b.resource(bound.Name, bound.At)
			if bound.Counter != "" {
				b.resource(bound.Counter, bound.At)
			}
			if r >= 0 && slot != nil && k < len(slot.Tensors) {
				b.tensor(bound, r, slot.Tensors[k])
			}
		}
	}
}

// point returns what a binding's point has; nil if it has nothing that can be checked. A point that the
// operator does not have is reported.
func (b *binder) point(binding *Binding, d *Dispatchable) *OperatorSlot {
	if d.Operator == nil {
		return nil
	}
	slot := d.Operator.slot(binding.Point)
	row := findOperator(d.Operator.Type)
	switch {
	case slot != nil && slot.Broken:
		return nil
	case slot != nil:
		return slot
	case row == nil || row.traits&noTable != 0 || !b.c.broken(BindUnknown):
		return nil
	}
	if row.find(binding.Point) >= 0 {
		b.c.findAt(BindUnknown, Warning, binding.At, d.Name+"."+binding.Point, "",
			"the operator's descriptor has no %s: the resource goes to no tensor", binding.Point)
		return nil
	}
	fix := b.c.nearest(binding.Point, len(row.slots), func(i int) string { return row.slots[i].Name })
	b.c.findAt(BindUnknown, Warning, binding.At, d.Name, fix,
		"%s has no bind point %s: the program ignores it", row.name, scan.Quote(binding.Point))
	return nil
}

// path is what findings call the tensors of a slot.
func (s *OperatorSlot) path() string {
	if len(s.Tensors) == 0 {
		return s.Name
	}
	return s.Tensors[0].Name
}

// A boundRange is the part of a resource that a tensor takes up.
type boundRange struct {
	d          *Descriptor
	resource   int
	start, end int64 // in bytes
	at         Locator
}

// tensor checks the range of a resource that a tensor is bound to. DxDispatch binds everything after the
// offset, whatever elementCount says.
func (b *binder) tensor(bound *Bound, resource int, d *Descriptor) {
	c, r, u := b.c, &b.m.Resources[resource], &b.uses[resource]
	if r.Typed && d.TypeKnown && r.Type != d.Type {
		u.typed = d
	}
	offset, placed, err := bound.offset(r)
	total, sized := c.total(d)
	if c.d = d; err != nil {
		c.findAt(BindRange, Error, bound.At, d.Name, "", "%s", err)
	}
	if placed {
		b.aligned(bound, r, offset)
	}
	if !placed || !sized || offset > math.MaxInt64-total {
		return
	}
	u.need = max(u.need, offset+total)
	if size, ok := r.size(); ok {
		b.fits(bound, r, offset, size, total)
		if slack := size - offset - total; slack > u.slack {
			u.small, u.slack, u.total = d, slack, total
		}
	}
	if d.Role != UnknownRole {
		b.ranges = append(b.ranges, boundRange{d, resource, offset, offset + total, bound.At})
	}
}

// elementSize is what an offset counts in: elementSizeInBytes, or the resource's type.
func (b *Bound) elementSize(r *Resource) (bytes int64, known bool) {
	if b.ElementSize.Stated {
		return b.ElementSize.Value, true
	}
	return r.Type.Bits() / 8, r.Typed
}

// offset returns where the binding starts, in bytes. The error says that 64 bits do not hold it.
func (b *Bound) offset(r *Resource) (bytes int64, known bool, err error) {
	if b.Offset.Value == 0 {
		return 0, true, nil
	}
	size, ok := b.elementSize(r)
	if !ok {
		return 0, false, nil
	}
	bytes, err = layout.Mul(b.Offset.Value, size)
	return bytes, err == nil, layout.NameOverflow("the byte offset", err)
}

// aligned checks that a range starts at a multiple of 16 bytes, or of what the tensor guarantees.
func (b *binder) aligned(bound *Bound, r *Resource, offset int64) {
	c, to := b.c, int64(dmlAlignment)
	if a := c.d.Alignment.Value; a&(a-1) == 0 {
		to = max(to, a)
	}
	if offset%to == 0 || !c.broken(BindOffset16) {
		return
	}
	below := uint64(offset / to * to)
	fix := fixf("byte %d or %d", below, below+uint64(to))
	if size, _ := bound.elementSize(r); size > 0 && below%uint64(size) == 0 && to%size == 0 {
		fix = fixf("elementOffset %d or %d", below/uint64(size), (below+uint64(to))/uint64(size))
	}
	c.findAt(BindOffset16, Error, bound.At, c.d.Name, fix, "byte offset %d is not a multiple of %d", offset, to)
}

// fits checks that the rest of the resource holds the tensor.
func (b *binder) fits(bound *Bound, r *Resource, offset, size, total int64) {
	if size-offset >= total || !b.c.broken(BindRange) {
		return
	}
	text := fmt.Sprintf("%s has %d bytes from byte %d on, and the tensor needs %d", scan.Quote(r.Name), size-offset,
		offset, total)
	if offset > size {
		text = fmt.Sprintf("the offset %d is beyond the %d bytes of %s, where DxDispatch computes a huge size",
			offset, size, scan.Quote(r.Name))
	}
	b.c.findAt(BindRange, Error, bound.At, b.c.d.Name, fixf("%d bytes are enough", offset+total), "%s", text)
}

// overlaps looks for tensors that share bytes of a resource that one of them is written to.
func (b *binder) overlaps(row *operatorRow) {
	byPlace := func(x, y boundRange) int {
		return cmp.Or(cmp.Compare(x.resource, y.resource), cmp.Compare(x.start, y.start), cmp.Compare(x.end, y.end))
	}
	isInput := func(r boundRange) bool { return r.d.Role == Input }
	slices.SortStableFunc(b.ranges, byPlace)
	outputs := slices.DeleteFunc(slices.Clone(b.ranges), isInput)
	for i, furthest := 1, 0; i < len(outputs); i++ {
		same := outputs[i].resource == outputs[furthest].resource
		if same {
			b.written(outputs[furthest], outputs[i])
		}
		if !same || outputs[i].end > outputs[furthest].end {
			furthest = i // of those so far that end in the resource
		}
	}
	for _, in := range b.ranges {
		if isInput(in) {
			b.aliases(row, in, outputs)
		}
	}
}

// meets reports whether two ranges have a byte in common.
func (r boundRange) meets(o boundRange) bool {
	return r.resource == o.resource && r.start < o.end && o.start < r.end
}

// bytes says which bytes a range has.
func (r boundRange) bytes() string { return fmt.Sprintf("bytes %d to %d", r.start, r.end-1) }

// written reports two outputs that write the same bytes. If only their ranges meet, because DxDispatch has
// them reach to the end of the resource, that is a warning.
func (b *binder) written(first, second boundRange) {
	name := scan.Quote(b.m.Resources[second.resource].Name)
	if !second.meets(first) {
		b.c.findAt(BindOutputOverlap, Warning, second.at, second.d.Name, "a resource of its own",
			"%s and %s share %s: no byte is written twice, but DxDispatch binds both to the end of it",
			first.d.Slot, second.d.Slot, name)
		return
	}
	fix := fixf("an offset of %d bytes", roundedUp(first.end, 16))
	b.c.findAt(BindOutputOverlap, Error, second.at, second.d.Name, fix,
		"%s of %s are written as %s too, which takes %s", second.bytes(), name, first.d.Slot, first.bytes())
}

// roundedUp rounds up to a multiple of a power of two, which may be 2^63.
func roundedUp(n, unit int64) uint64 { return (uint64(n) + uint64(unit) - 1) &^ (uint64(unit) - 1) }

// maxAliases limits the outputs of one resource that an input is compared with. More share it with each other.
const maxAliases = 64

// aliases reports outputs, in the order of their resources, that are written where an input is read. As with outputs,
// ranges that meet only because they reach to the end of the resource are a warning.
func (b *binder) aliases(row *operatorRow, in boundRange, outputs []boundRange) {
	first, _ := slices.BinarySearchFunc(outputs, in.resource,
		func(out boundRange, resource int) int { return cmp.Compare(out.resource, resource) })
	for _, out := range outputs[first:min(first+maxAliases, len(outputs))] {
		if out.resource != in.resource {
			return
		}
		name := scan.Quote(b.m.Resources[in.resource].Name)
		switch met := out.meets(in); {
		case met && row.traits&runsInPlace != 0:
			b.c.inPlace(row, in, out)
		case met:
			b.c.findAt(BindAlias, Error, out.at, out.d.Name, "a resource of its own",
				"%s of %s are read as %s while they are written, and %s does not run in place",
				in.bytes(), name, in.d.Slot, row.name)
		default:
			b.c.findAt(BindAlias, Warning, out.at, out.d.Name, "a resource of its own",
				"%s and %s share %s: no byte is read and written, but DxDispatch binds both to the end of it",
				in.d.Slot, out.d.Slot, name)
		}
	}
}

// inPlace checks that an operator that runs in place has one region for both tensors.
func (c *Checker) inPlace(row *operatorRow, in, out boundRange) {
	switch {
	case in.start != out.start || in.end != out.end:
		c.findAt(InPlace, Error, out.at, out.d.Name, "the same offset and total, or a resource of its own",
			"%s runs in place on one region only: %s is read from %s, and written are %s",
			row.name, in.d.Slot, in.bytes(), out.bytes())
	case !slices.Equal(in.d.Sizes, out.d.Sizes) || !slices.Equal(in.d.effectiveStrides(), out.d.effectiveStrides()):
		c.findAt(InPlace, Warning, out.at, out.d.Name, "",
			"%s runs in place, and %s and %s have other sizes or strides, which older pages forbid",
			row.name, in.d.Slot, out.d.Slot)
	}
}

// effectiveStrides returns the strides that the tensor has, stated or not.
func (d *Descriptor) effectiveStrides() []int64 {
	if len(d.Strides) > 0 {
		return d.Strides
	}
	return packed(d.Sizes)
}

// resource reports what is wrong with a resource, given what binds it.
func (c *Checker) resource(r *Resource, u *use) {
	if !u.used {
		c.findAt(ResourceUnused, Note, r.At, "", "", "no command or dispatchable uses %s", scan.Quote(r.Name))
	}
	c.resourceSize(r, u)
	if u.typed != nil {
		c.findAt(ResourceDType, Note, r.At, u.typed.Name, "", "the initial values of %s are %s, and the tensor is %s",
			scan.Quote(r.Name), r.Type.In(layout.DirectML), u.typed.Type.In(layout.DirectML))
	}
	if u.slack > largeSlack && u.slack >= u.total {
		size, _ := r.size()
		c.findAt(ResourceSlack, Note, r.At, u.small.Name, fixf("%d bytes are enough", u.need),
			"%s has %d bytes, of which the tensor takes %d: %d spare", scan.Quote(r.Name), size, u.total, u.slack)
	}
}

// resourceSize checks the size that is stated, or notes that DxDispatch rounds one up.
func (c *Checker) resourceSize(r *Resource, u *use) {
	stated, need := r.Stated.Value, max(u.need, r.Initial.Value)
	switch n := r.Initial.Value; {
	case !r.Stated.Stated:
		if size, ok := r.size(); ok && size != n {
			c.findAt(ResourceSize4, Note, r.At, "", "",
				"the initial values of %s take %d bytes; DxDispatch makes the buffer %d", scan.Quote(r.Name), n, size)
		}
	case stated < n:
		c.findAt(ResourceSize4, Error, r.SizeAt, "", fixf("write %d", roundedUp(need, 4)),
			"sizeInBytes %d is less than the %d bytes of the initial values", stated, n)
	case stated%4 != 0:
		severity, what := Warning, ""
		if stated < u.need {
			severity, what = Error, fmt.Sprintf(", and less than the %d bytes that are bound", u.need)
		}
		c.findAt(ResourceSize4, severity, r.SizeAt, "", fixf("write %d", roundedUp(max(stated, need), 4)),
			"sizeInBytes %d is not a multiple of 4%s; DxDispatch does not round it", stated, what)
	}
}

// Models with buffers a of 8 floats, b of as many, or b and c of 4; with an operator that works on them, and with
// a command that runs it.
const (
	float32Values = `{"initialValuesDataType": "FLOAT32", "initialValues": {"valueCount": `
	values4       = float32Values + `4, "value": 0}}`
	values8       = float32Values + `8, "value": 0}}`
	bufferA       = `{"resources": {"a": ` + values8
	bufferB       = `, "b": ` + values8 + `}, `
	buffersAB     = bufferA + bufferB
	buffersABC    = bufferA + `, "b": ` + values4 + `, "c": ` + values4 + `}, `
	anOperator    = `"dispatchables": {"op": {"type": "`
	withOutput    = `, "OutputTensor": `
	reluOf8       = anOperator + `ACTIVATION_RELU", "InputTensor": ` + tensor8 + withOutput + tensor8 + `}}, `
	halves        = `"OutputTensors": [` + float32Of + `[4]}, ` + float32Of + `[4]}]}}, `
	splitOf8      = anOperator + `SPLIT", "InputTensor": ` + tensor8 + `, "OutputCount": 2, ` + halves
	dispatchOp    = `"commands": [{"type": "dispatch", "dispatchable": "op", "bindings": {`
	dispatchAToB  = dispatchOp + `"InputTensor": "a", "OutputTensor": "b"}}]}`
)

// modelRules are the rules of a DxDispatch model.
var modelRules = []Rule{
	{ID: JSONKeyCase, Name: "json-key-case", Severity: Error,
		What: "In models of DxDispatch and in JSON Lines, names of fields are spelled as DxDispatch has them, case " +
			"included.",
		Why: "Unknown members are ignored: with strides in lower case the tensor is packed. Without " +
			"a required field the program stops.",
		Source: "enforced in DxDispatch's parser", Fix: "Write the name as it is.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [2, 3], "strides": [1, 2]}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [2, 3], "Strides": [1, 2]}`,
	},
	{ID: JSONNullTensor, Name: "json-null-tensor", Severity: Error, Families: onlyDirectML,
		What:   "A tensor that is left out has no key.",
		Why:    "The parser requires an object that is not null.",
		Source: "enforced by DxDispatch's parser", Fix: "Delete the member.",
		Bad: operatorAlone + `GEMM", "ATensor": ` + tensor2x3 + `, "BTensor": ` + float32Of + "[3, 4]}" + withOutput +
			float32Of + `[2, 4]}, "CTensor": null}` + noCommands,
		Good: operatorAlone + `GEMM", "ATensor": ` + tensor2x3 + `, "BTensor": ` + float32Of + "[3, 4]}" +
			withOutput + float32Of + "[2, 4]}}" + noCommands,
	},
	{ID: JSONInt, Name: "json-int", Severity: Error,
		What: "In models of DxDispatch and in JSON Lines, sizes and strides are unsigned integers of 32 bits, " +
			"written as such.",
		Why:    `The parser stops at 3.0, -1 and "3".`,
		Limit:  "4294967295 is right, 4294967296 and 3.0 are wrong",
		Source: "enforced by DxDispatch's parser", Fix: "Write the digits alone.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [2, 3.0]}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [2, 3]}`,
	},
	{ID: JSONDupKey, Name: "json-dup-key", Severity: Warning,
		What:   "In models of DxDispatch and in JSON Lines, no object has two members of one name.",
		Why:    "The first counts, and the second is ignored; most other readers of JSON take the last.",
		Source: "enforced in DxDispatch's parser", Fix: "Delete one of them.",
		Bad:  `{"DataType": "FLOAT32", "Sizes": [2, 3], "Sizes": [2, 4]}`,
		Good: `{"DataType": "FLOAT32", "Sizes": [2, 3]}`,
	},
	{ID: ResourceExists, Name: "resource-exists", Severity: Error, Families: onlyDirectML,
		What:   "A resource that is bound, printed or written exists.",
		Why:    "The program stops at the command.",
		Source: "enforced by DxDispatch", Fix: "Add the resource, or correct the name.",
		Bad:  bufferA + "}, " + reluOf8 + dispatchOp + `"InputTensor": "a"` + withOutput + `"bb"}}]}`,
		Good: buffersAB + reluOf8 + dispatchAToB,
	},
	{ID: DispatchableExists, Name: "dispatchable-exists", Severity: Error, Families: onlyDirectML,
		What:   "A dispatchable that is dispatched exists.",
		Why:    "The program stops at the command.",
		Source: "enforced by DxDispatch", Fix: "Add the dispatchable, or correct the name.",
		Bad: buffersAB + reluOf8 + `"commands": [{"type": "dispatch", "dispatchable": "oop", ` +
			`"bindings": {"InputTensor": "a"` + withOutput + `"b"}}]}`,
		Good: buffersAB + reluOf8 + dispatchAToB,
	},
	{ID: BindUnknown, Name: "bind-unknown", Severity: Warning, Families: onlyDirectML,
		What:   "A bind point is one of the operator's tensors.",
		Why:    "The program ignores a binding that it has no use for.",
		Source: "enforced in DxDispatch", Fix: "Correct the name, or delete the binding.",
		Bad:  buffersAB + reluOf8 + dispatchOp + `"InputTensor": "a"` + withOutput + `"b", "BiasTensor": "a"}}]}`,
		Good: buffersAB + reluOf8 + dispatchAToB,
	},
	{ID: BindMissing, Name: "bind-missing", Severity: Error, Families: onlyDirectML,
		What:   "Each tensor that the operator's descriptor states is bound.",
		Why:    "Wrong counts of bindings may remove the device.",
		Source: "enforced by DxDispatch; documented (binding)", Fix: "Bind a resource to it.",
		Bad:  bufferA + "}, " + reluOf8 + dispatchOp + `"InputTensor": "a"}}]}`,
		Good: buffersAB + reluOf8 + dispatchAToB,
	},
	{ID: BindArrayCount, Name: "bind-array-count", Severity: Error, Families: onlyDirectML,
		What:   "A bind point has as many resources as tensors.",
		Why:    "The program stops: bind point requires N resources, but M were bound.",
		Limit:  "SPLIT with two outputs: 2 are right, 1 and 3 are wrong",
		Source: "enforced by DxDispatch", Fix: "Bind a resource for each tensor.",
		Bad: bufferA + `, "b": ` + values4 + "}, " + splitOf8 + dispatchOp + `"InputTensor": "a", ` +
			`"OutputTensors": ["b"]}}]}`,
		Good: buffersABC + splitOf8 + dispatchOp + `"InputTensor": "a", "OutputTensors": ["b", "c"]}}]}`,
	},
	{ID: BindRange, Name: "bind-range", Severity: Error, Families: onlyDirectML,
		What: "The part of a resource after the offset holds the tensor's total.",
		Why: "DirectML refuses a binding that is too small. elementCount does not count: DxDispatch binds all up " +
			"to the end, and an offset beyond that becomes a huge size.",
		Limit:  "a tensor of 32 bytes: 32 bytes after the offset are right, 28 are wrong",
		Source: "documented (DML_BUFFER_TENSOR_DESC); enforced in DxDispatch",
		Fix:    "Make the resource larger, or the offset smaller.",
		Bad:    `{"resources": {"a": ` + float32Values + `7, "value": 0}}` + bufferB + reluOf8 + dispatchAToB,
		Good:   buffersAB + reluOf8 + dispatchAToB,
	},
	{ID: BindOffset16, Name: "bind-offset-16", Severity: Error, Families: onlyDirectML,
		What:   "A binding starts at a multiple of 16 bytes, or of what the tensor guarantees if that is more.",
		Why:    "Offsets are promised to be multiples of DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT.",
		Limit:  "byte 16 is right, byte 12 is wrong",
		Source: "documented (DML_BUFFER_TENSOR_DESC, binding)", Fix: "Move the tensor to the next multiple.",
		Bad: `{"resources": {"a": ` + float32Values + `12, "value": 0}}` + bufferB + reluOf8 + dispatchOp +
			`"InputTensor": {"name": "a", "elementOffset": 3}` + withOutput + `"b"}}]}`,
		Good: `{"resources": {"a": ` + float32Values + `12, "value": 0}}` + bufferB + reluOf8 + dispatchOp +
			`"InputTensor": {"name": "a", "elementOffset": 4}` + withOutput + `"b"}}]}`,
	},
	{ID: BindOwned, Name: "bind-owned", Severity: Error, Families: onlyDirectML,
		What: "Tensors that are OWNED_BY_DML are bound by the dispatchable, all others by the command.",
		Why: "DirectML copies the ones when the operator is initialized, and reads the others when it runs; each " +
			"at the other time is an error.",
		Source: "documented (DML_TENSOR_FLAGS); DxDispatch's guide", Fix: "Move the binding.",
		Bad: buffersAB + anOperator + `ACTIVATION_RELU", "InputTensor": ` + tensor8 + withOutput + tensor8 +
			`, "bindings": {"InputTensor": "a"}}}, ` + dispatchOp + `"OutputTensor": "b"}}]}`,
		Good: buffersAB + anOperator + `ACTIVATION_RELU", "InputTensor": ` + float32Of +
			`[8], "Flags": "OWNED_BY_DML"}` + withOutput + tensor8 + `, "bindings": {"InputTensor": "a"}}}, ` +
			dispatchOp + `"OutputTensor": "b"}}]}`,
	},
	{ID: BindOutputOverlap, Name: "bind-output-overlap", Severity: Error, Families: onlyDirectML,
		What: "No two outputs are written to the same bytes.",
		Why: "What is there afterwards is not defined. A warning if only the ranges meet, as DxDispatch has each " +
			"reach to the end of its resource.",
		Limit:  "a tensor of 16 bytes at byte 0: another one at byte 16 meets no byte of it, at byte 0 it does",
		Source: "documented (BindOutputs)", Fix: "Give each output a resource of its own.",
		Bad:  buffersAB + splitOf8 + dispatchOp + `"InputTensor": "a", "OutputTensors": ["b", "b"]}}]}`,
		Good: buffersABC + splitOf8 + dispatchOp + `"InputTensor": "a", "OutputTensors": ["b", "c"]}}]}`,
	},
	{ID: BindAlias, Name: "bind-alias", Severity: Error, Families: onlyDirectML,
		What: "An operator reads from other bytes than it writes, unless it runs in place on one region.",
		Why: "Reads and writes race. 75 operators run in place, of which inplace asks for one region. A warning if " +
			"only the ranges meet, as DxDispatch has each reach to the end of its resource.",
		Source: "documented (binding)", Fix: "Give the output a resource of its own.",
		Bad: bufferA + "}, " + anOperator + `CAST", "InputTensor": ` + tensor8 + withOutput + tensor8 + "}}, " +
			dispatchOp + `"InputTensor": "a"` + withOutput + `"a"}}]}`,
		Good: buffersAB + anOperator + `CAST", "InputTensor": ` + tensor8 + withOutput + tensor8 + "}}, " +
			dispatchAToB,
	},
	{ID: ResourceSize4, Name: "resource-size-4", Severity: Warning, Families: onlyDirectML,
		What: "sizeInBytes is a multiple of 4, and holds the initial values.",
		Why: "Totals are multiples of 4. DxDispatch rounds up a size that it works out itself (a note), and takes " +
			"a stated one as it is, once the initial values fit. An error if the values or the tensor do not.",
		Limit:  "36 is right, 34 is wrong",
		Source: "enforced in DxDispatch's parser", Fix: "Round it up, or leave it out.",
		Bad: `{"resources": {"a": ` + float32Values + `8, "value": 0}, "sizeInBytes": 34}` + bufferB + reluOf8 +
			dispatchAToB,
		Good: `{"resources": {"a": ` + float32Values + `8, "value": 0}, "sizeInBytes": 36}` + bufferB + reluOf8 +
			dispatchAToB,
	},
	{ID: ResourceDType, Name: "resource-dtype", Severity: Note, Families: onlyDirectML,
		What:   "Initial values have the type of the tensor.",
		Why:    "They need not: the bytes are read as the tensor has them.",
		Source: "DxDispatch's guide", Fix: "Change initialValuesDataType if it is not meant.",
		Bad: `{"resources": {"a": {"initialValuesDataType": "INT32", "initialValues": {"valueCount": 8, ` +
			`"value": 0}}` + bufferB + reluOf8 + dispatchAToB,
		Good: buffersAB + reluOf8 + dispatchAToB,
	},
	{ID: ResourceSlack, Name: "resource-slack", Severity: Note, Families: onlyDirectML,
		What:   "A resource is not much larger than what is bound to it.",
		Why:    "It does no harm, and is often left over after a shape changed.",
		Limit:  "a tensor of 32 bytes: 96 are right, 100 are wrong",
		Source: "observed (image_io.json has 786432 elements for 262144)", Fix: "Make it as large as needed.",
		Bad:  `{"resources": {"a": ` + float32Values + `25, "value": 0}}` + bufferB + reluOf8 + dispatchAToB,
		Good: `{"resources": {"a": ` + float32Values + `24, "value": 0}}` + bufferB + reluOf8 + dispatchAToB,
	},
	{ID: ResourceUnused, Name: "resource-unused", Severity: Note, Families: onlyDirectML,
		What:   "Each resource is used.",
		Why:    "One that nothing binds, prints or writes is made all the same.",
		Source: "convention", Fix: "Delete it.",
		Bad:  bufferA + `, "b": ` + values8 + `, "c": ` + values8 + "}, " + reluOf8 + dispatchAToB,
		Good: buffersAB + reluOf8 + dispatchAToB,
	},
	{ID: CountFields, Name: "count-fields", Severity: Error, Families: onlyDirectML,
		What:   "Fields that count tensors, numbers or dimensions agree with those.",
		Why:    "DxDispatch does not compare them, and DirectML reads as many as the field says.",
		Source: "enforced nowhere, relied on in DxDispatch", Fix: "Write the length of the list.",
		Bad: operatorAlone + `JOIN", "InputCount": 3, "InputTensors": [` + float32Of + "[4]}, " + float32Of +
			"[4]}]" + withOutput + tensor8 + "}" + noCommands,
		Good: operatorAlone + `JOIN", "InputCount": 2, "InputTensors": [` + float32Of + "[4]}, " + float32Of +
			"[4]}]" + withOutput + tensor8 + "}" + noCommands,
	},
	{ID: JSONField, Name: "json-field", Severity: Error, Families: onlyDirectML,
		What:   "Members that must be there are there, and of the right kind.",
		Why:    "The program stops at them.",
		Source: "enforced by DxDispatch's parser", Fix: "Add the member, or write it as it should be.",
		Bad:  operatorAlone + `ACTIVATION_RELU", "InputTensor": ` + tensor8 + withOutput + tensor8 + "}}}",
		Good: `{"resources": {}, ` + reluOf8 + `"commands": []}`,
	},
}
