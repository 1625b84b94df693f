package rules

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"layoutcalc/layout"
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
	Typed    bool
	Elements Number // how many initial values there are
	Initial  Number // how many bytes they take, before DxDispatch rounds them up to a multiple of 4
	Stated   Number // sizeInBytes
	At       Locator
	SizeAt   Locator // where sizeInBytes stands; nil where it does not
}

// size returns how many bytes the buffer has, as DxDispatch makes it.
func (r *Resource) size() (bytes int64, known bool) {
	if r.Stated.Stated {
		return r.Stated.Value, true
	}
	n := r.Initial.Value
	return (n + 3) &^ 3, r.Initial.Stated && n <= 1<<63-1-3
}

// A Dispatchable is what commands dispatch. Of shaders, ONNX models and serialized graphs only
// the name is known.
type Dispatchable struct {
	Name     string
	Operator *Operator // nil for what is none
	Bindings []Binding // for the time of initialization: of the tensors that DirectML owns
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

// Model holds a model against the rules of operators and bindings. The rules of single
// descriptors are those of [Checker.Check].
func (c *Checker) Model(t Target, m *Model) {
	if t.Family != DirectML {
		return
	}
	c.target = t
	b := binder{c: c, m: m, resources: map[string]int{}, dispatchables: map[string]int{}, uses: make([]use, len(m.Resources))}
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

// A use is what is known of a resource from those that bind it.
type use struct {
	used  bool
	need  int64       // the bytes that the tensors bound to it take, at most, with their offsets
	typed *Descriptor // one whose type is another
	small *Descriptor // the last one bound, at the offset of small bytes
	slack int64       // how many bytes the largest range has behind the tensor, and that tensor's
	total int64
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

// resource returns the resource of that name; -1 when there is none, which it reports.
func (b *binder) resource(name string, at Locator) int {
	i, ok := b.resources[name]
	if ok {
		b.uses[i].used = true
		return i
	}
	if b.c.broken(ResourceExists) {
		b.c.findAt(ResourceExists, Error, at, "", "there is no resource "+quoted(name), b.c.didYouMean(name, len(b.m.Resources), func(i int) string { return b.m.Resources[i].Name }))
	}
	return -1
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
			b.c.findAt(DispatchableExists, Error, cmd.At, "", "there is no dispatchable "+quoted(cmd.Dispatchable),
				b.c.didYouMean(cmd.Dispatchable, len(b.m.Dispatchables), func(i int) string { return b.m.Dispatchables[i].Name }))
		}
		b.bind(cmd.Bindings, &Dispatchable{}, false)
		return
	}
	b.dispatch(cmd, &b.m.Dispatchables[i])
}

// dispatch follows what a command binds to a dispatchable.
func (b *binder) dispatch(cmd *Command, d *Dispatchable) {
	op := d.Operator
	if op == nil {
		b.bind(cmd.Bindings, d, false)
		return
	}
	for i := range op.Slots {
		s := &op.Slots[i]
		if len(s.Tensors) > 0 && !s.owned() && !bound(cmd.Bindings, s.Name) && !bound(d.Bindings, s.Name) {
			b.missing(op, s, cmd.At, "the command's bindings do not name it")
		}
	}
	b.bind(cmd.Bindings, d, false)
	if row := findOperator(op.Type); row != nil {
		b.overlaps(row)
	}
}

// bind follows a list of bindings, at the time of initialization or of execution.
func (b *binder) bind(list []Binding, d *Dispatchable, initial bool) {
	b.ranges = b.ranges[:0]
	for i := range list {
		binding := &list[i]
		slot := b.point(binding, d)
		if slot != nil && len(slot.Tensors) != len(binding.Resources) {
			b.arrayCount(binding, slot)
		}
		if slot != nil && slot.owned() != initial {
			b.phase(binding, slot, initial)
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

// point returns what a binding's point has; nil where it has nothing that can be checked. A point
// that the operator does not have is reported.
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
		b.c.findAt(BindUnknown, Warning, binding.At, d.Name+"."+binding.Point, "the operator's descriptor has no "+binding.Point+": the resource goes to no tensor", "")
		return nil
	}
	fix := b.c.didYouMean(binding.Point, len(row.slots), func(i int) string { return row.slots[i].Name })
	b.c.findAt(BindUnknown, Warning, binding.At, d.Name, row.name+" has no bind point "+quoted(binding.Point)+": the program ignores it", fix)
	return nil
}

// bound reports whether bindings name a point.
func bound(list []Binding, point string) bool {
	for i := range list {
		if list[i].Point == point {
			return true
		}
	}
	return false
}

func (b *binder) missing(op *Operator, s *OperatorSlot, at Locator, why string) {
	if b.c.broken(BindMissing) {
		b.c.findAt(BindMissing, Error, at, op.Name+"."+s.Name, s.Name+" has no resource: "+why, "")
	}
}

func (b *binder) arrayCount(binding *Binding, s *OperatorSlot) {
	if b.c.broken(BindArrayCount) {
		b.c.findAt(BindArrayCount, Error, binding.At, b.name(s), fmt.Sprintf("%s requires %s, but %d were bound",
			s.Name, count(int64(len(s.Tensors)), "resource"), len(binding.Resources)), "")
	}
}

// phase reports a tensor that is bound at the wrong time.
func (b *binder) phase(binding *Binding, s *OperatorSlot, initial bool) {
	if len(s.Tensors) == 0 || !b.c.broken(BindOwned) {
		return
	}
	message, fix := s.Name+" is OWNED_BY_DML: it is bound when the operator is initialized, and not by a command", "move it to the bindings of the dispatchable"
	if initial {
		message, fix = s.Name+" is not OWNED_BY_DML: a command binds it, and not the dispatchable", "move it to the bindings of the command, or set the flag"
	}
	b.c.findAt(BindOwned, Error, binding.At, b.name(s), message, fix)
}

// name is what findings call the tensors of a slot.
func (b *binder) name(s *OperatorSlot) string {
	if len(s.Tensors) == 0 {
		return s.Name
	}
	return s.Tensors[0].Name
}

// quoted writes a name that somebody chose.
func quoted(name string) string { return strconv.Quote(clip(name)) }

// didYouMean suggests the nearest of n names, of the first thousand. Looking is slow, so it is
// only done for the first hundred findings.
func (c *Checker) didYouMean(name string, n int, at func(int) string) string {
	if c.hints++; c.hints > 100 {
		return ""
	}
	known := make([]string, min(n, 1000))
	for i := range known {
		known[i] = at(i)
	}
	if near := layout.Nearest(name, known); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

// A boundRange is the part of a resource that a tensor takes up.
type boundRange struct {
	d          *Descriptor
	resource   int
	start, end int64 // in bytes
	at         Locator
}

// tensor checks the range of a resource that a tensor is bound to. DxDispatch binds all that lies
// behind the offset, whatever elementCount says.
func (b *binder) tensor(bound *Bound, resource int, d *Descriptor) {
	c, r, u := b.c, &b.m.Resources[resource], &b.uses[resource]
	if r.Typed && d.TypeKnown && r.Type != d.Type {
		u.typed = d
	}
	offset, placed := bound.offset(r)
	total, sized := c.total(d)
	c.d = d
	if placed {
		b.aligned(bound, offset)
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

// total returns how many bytes DirectML takes the tensor to have.
func (c *Checker) total(d *Descriptor) (bytes int64, ok bool) {
	if d.Total.Value != 0 {
		return d.Total.Value, d.Total.Value > 0
	}
	c.d = d
	c.room.measure(d, 0)
	return c.need()
}

// elementSize is what an offset counts in: elementSizeInBytes, or the resource's type.
func (b *Bound) elementSize(r *Resource) (bytes int64, known bool) {
	if b.ElementSize.Stated {
		return b.ElementSize.Value, true
	}
	size := r.Type.Bits() / 8
	return size, r.Typed && size > 0
}

// offset returns where the binding starts, in bytes.
func (b *Bound) offset(r *Resource) (bytes int64, known bool) {
	if b.Offset.Value == 0 {
		return 0, true
	}
	size, ok := b.elementSize(r)
	if !ok {
		return 0, false
	}
	hi, lo := bits.Mul64(uint64(b.Offset.Value), uint64(size))
	if hi != 0 || lo > math.MaxInt64 {
		return math.MaxInt64, true
	}
	return int64(lo), true
}

// aligned checks that a range starts at a multiple of 16 bytes, or of what the tensor guarantees.
func (b *binder) aligned(bound *Bound, offset int64) {
	c, to := b.c, int64(16)
	if a := c.d.Alignment.Value; a > to && a&(a-1) == 0 {
		to = a
	}
	if offset%to == 0 || !c.broken(BindOffset16) {
		return
	}
	below := offset / to * to
	fix := fmt.Sprintf("byte %d or %d", below, below+to)
	if size, _ := bound.elementSize(&b.m.Resources[b.resources[bound.Name]]); size > 0 && below%size == 0 && to%size == 0 {
		fix = fmt.Sprintf("elementOffset %d or %d", below/size, (below+to)/size)
	}
	c.findAt(BindOffset16, Error, bound.At, c.d.Name, fmt.Sprintf("byte offset %d is not a multiple of %d", offset, to), fix)
}

// fits checks that the rest of the resource holds the tensor.
func (b *binder) fits(bound *Bound, r *Resource, offset, size, total int64) {
	if size-offset >= total || !b.c.broken(BindRange) {
		return
	}
	message := fmt.Sprintf("%s has %d bytes from byte %d on, and the tensor needs %d", quoted(r.Name), size-offset, offset, total)
	if offset > size {
		message = fmt.Sprintf("the offset %d lies behind the %d bytes of %s, where DxDispatch computes a huge size", offset, size, quoted(r.Name))
	}
	b.c.findAt(BindRange, Error, bound.At, b.c.d.Name, message, fmt.Sprintf("%d bytes are enough", offset+total))
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
			b.aliases(row, in)
		}
	}
}

// meets reports whether two ranges have a byte in common.
func (r boundRange) meets(o boundRange) bool {
	return r.resource == o.resource && r.start < o.end && o.start < r.end
}

// written reports two outputs that write the same bytes. If only their ranges meet, because
// DxDispatch has them reach to the end of the resource, that is a warning.
func (b *binder) written(first, second boundRange) {
	name := quoted(b.m.Resources[second.resource].Name)
	switch fix := fmt.Sprintf("an offset of %d bytes", alignedUp(first.end)); {
	case second.meets(first) && b.c.wants(BindOutputOverlap, Error):
		b.c.findAt(BindOutputOverlap, Error, second.at, second.d.Name, fmt.Sprintf("%s of %s are written as %s too, which takes %s",
			second.bytes(), name, first.d.Slot, first.bytes()), fix)
	case !second.meets(first) && b.c.wants(BindOutputOverlap, Warning):
		b.c.findAt(BindOutputOverlap, Warning, second.at, second.d.Name, fmt.Sprintf(
			"%s and %s share %s: no byte is written twice, but DxDispatch binds both to the end of it", first.d.Slot, second.d.Slot, name), "a resource of its own")
	}
}

// alignedUp rounds an offset up to one where a binding may start.
func alignedUp(n int64) int64 { return (min(n, math.MaxInt64-15) + 15) &^ 15 }

// bytes says which bytes a range has.
func (r boundRange) bytes() string { return fmt.Sprintf("bytes %d to %d", r.start, r.end-1) }

// aliases reports outputs that are written where an input is read. As with outputs, ranges that
// meet only because they reach to the end of the resource are a warning.
func (b *binder) aliases(row *operatorRow, in boundRange) {
	inPlace := row.traits&runsInPlace != 0
	for _, out := range b.ranges {
		if out.d.Role != Output || out.resource != in.resource {
			continue
		}
		name := quoted(b.m.Resources[in.resource].Name)
		switch met := out.meets(in); {
		case met && inPlace:
			b.c.inPlace(row, in, out)
		case met && b.c.broken(BindAlias):
			b.c.findAt(BindAlias, Error, out.at, out.d.Name, fmt.Sprintf("%s of %s are read as %s while they are written, and %s does not run in place",
				in.bytes(), name, in.d.Slot, row.name), "a resource of its own")
		case !met && b.c.wants(BindAlias, Warning):
			b.c.findAt(BindAlias, Warning, out.at, out.d.Name, fmt.Sprintf(
				"%s and %s share %s: no byte is read and written, but DxDispatch binds both to the end of it", in.d.Slot, out.d.Slot, name), "a resource of its own")
		}
	}
}

// inPlace checks that an operator that runs in place has one region for both tensors.
func (c *Checker) inPlace(row *operatorRow, in, out boundRange) {
	switch {
	case in.start != out.start || in.end != out.end:
		if c.broken(InPlace) {
			c.findAt(InPlace, Error, out.at, out.d.Name, fmt.Sprintf("%s runs in place on one region only: %s is read from %s, and written are %s",
				row.name, in.d.Slot, in.bytes(), out.bytes()), "the same offset and total, or a resource of its own")
		}
	case !slices.Equal(in.d.Sizes, out.d.Sizes) || !slices.Equal(in.d.effectiveStrides(), out.d.effectiveStrides()):
		if c.wants(InPlace, Warning) {
			c.findAt(InPlace, Warning, out.at, out.d.Name, fmt.Sprintf("%s runs in place, and %s and %s have other sizes or strides, which older pages forbid",
				row.name, in.d.Slot, out.d.Slot), "")
		}
	}
}

// effectiveStrides are the strides that the tensor has, stated or not.
func (d *Descriptor) effectiveStrides() []int64 {
	if len(d.Strides) > 0 {
		return d.Strides
	}
	return packed(d.Sizes)
}

// resource reports what is wrong with a resource, given what binds it.
func (c *Checker) resource(r *Resource, u *use) {
	if !u.used {
		if c.broken(ResourceUnused) {
			c.findAt(ResourceUnused, Note, r.At, "", "no command or dispatchable uses "+quoted(r.Name), "")
		}
	}
	c.resourceSize(r, u)
	if u.typed != nil && c.broken(ResourceDType) {
		c.findAt(ResourceDType, Note, r.At, u.typed.Name, fmt.Sprintf("the initial values of %s are %s, and the tensor is %s",
			quoted(r.Name), r.Type.Info().DirectML, u.typed.Type.Info().DirectML), "")
	}
	if u.slack > largeSlack && u.slack >= u.total && c.broken(ResourceSlack) {
		size, _ := r.size()
		c.findAt(ResourceSlack, Note, r.At, u.small.Name, fmt.Sprintf("%s has %d bytes, of which the tensor takes %d: %d spare",
			quoted(r.Name), size, u.total, u.slack), fmt.Sprintf("%d bytes are enough", u.need))
	}
}

// resourceSize checks the size that is stated, or notes that DxDispatch rounds one up.
func (c *Checker) resourceSize(r *Resource, u *use) {
	stated, need := r.Stated.Value, max(u.need, r.Initial.Value)
	switch {
	case !r.Stated.Stated:
		if n := r.Initial.Value; n%4 != 0 && c.wants(ResourceSize4, Note) {
			c.findAt(ResourceSize4, Note, r.At, "", fmt.Sprintf("the initial values of %s take %d bytes; DxDispatch makes the buffer %d", quoted(r.Name), n, (n+3)&^3), "")
		}
	case stated < r.Initial.Value:
		if c.wants(ResourceSize4, Error) {
			c.findAt(ResourceSize4, Error, r.SizeAt, "", fmt.Sprintf("sizeInBytes %d is less than the %d bytes of the initial values", stated, r.Initial.Value), fmt.Sprintf("write %d", roundUp4(need)))
		}
	case stated%4 != 0:
		severity, what := Warning, ""
		if stated < u.need {
			severity, what = Error, fmt.Sprintf(", and less than the %d bytes that are bound", u.need)
		}
		if c.wants(ResourceSize4, severity) {
			c.findAt(ResourceSize4, severity, r.SizeAt, "", fmt.Sprintf("sizeInBytes %d is not a multiple of 4%s; DxDispatch does not round it", stated, what), fmt.Sprintf("write %d", roundUp4(max(stated, need))))
		}
	}
}

// roundUp4 rounds up to a multiple of 4, where there is one.
func roundUp4(n int64) int64 { return (min(n, 1<<63-4) + 3) &^ 3 }
