package rules

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/dml"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// The rules for resources and bindings.
var (
	InPlace            = &finding.Rule{Name: "inplace", Severity: finding.Error, Family: finding.DirectML}
	ResourceExists     = &finding.Rule{Name: "resource-exists", Severity: finding.Error, Family: finding.DirectML}
	DispatchableExists = &finding.Rule{Name: "dispatchable-exists", Severity: finding.Error, Family: finding.DirectML}
	BindUnknown        = &finding.Rule{Name: "bind-unknown", Severity: finding.Warning, Family: finding.DirectML}
	BindMissing        = &finding.Rule{Name: "bind-missing", Severity: finding.Error, Family: finding.DirectML}
	BindArrayCount     = &finding.Rule{Name: "bind-array-count", Severity: finding.Error, Family: finding.DirectML}
	BindRange          = &finding.Rule{Name: "bind-range", Severity: finding.Error, Family: finding.DirectML}
	BindOffset16       = &finding.Rule{Name: "bind-offset-16", Severity: finding.Error, Family: finding.DirectML}
	BindOwned          = &finding.Rule{Name: "bind-owned", Severity: finding.Error, Family: finding.DirectML}
	BindOutputOverlap  = &finding.Rule{Name: "bind-output-overlap", Severity: finding.Error, Family: finding.DirectML}
	BindAlias          = &finding.Rule{Name: "bind-alias", Severity: finding.Error, Family: finding.DirectML}
	ResourceSize4      = &finding.Rule{Name: "resource-size-4", Severity: finding.Warning, Family: finding.DirectML}
	ResourceDType      = &finding.Rule{Name: "resource-dtype", Severity: finding.Note, Family: finding.DirectML}
	ResourceSlack      = &finding.Rule{Name: "resource-slack", Severity: finding.Note, Family: finding.DirectML}
	ResourceUnused     = &finding.Rule{Name: "resource-unused", Severity: finding.Note, Family: finding.DirectML}
)

// Model checks a model by the rules for operators and bindings. [Checker.Check] has the rules for single descriptors.
func (c *Checker) Model(t descriptor.Target, m *descriptor.Model) {
	if t.Family != finding.DirectML {
		return
	}
	c.target = t
	b := binder{Checker: c, Model: m, resources: map[string]int{}, dispatchables: map[string]int{},
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
		b.checkResource(&m.Resources[i], &b.uses[i])
	}
}

// A binder follows the bindings of a model.
type binder struct {
	*Checker
	*descriptor.Model
	resources     map[string]int
	dispatchables map[string]int
	uses          []use
	ranges        []*boundRange // in the current command
}

// A use sums up the bindings of a resource.
type use struct {
	used  bool
	need  int64                  // the most bytes that a bound tensor needs, including its offset
	typed *descriptor.Descriptor // a tensor with a different type
	small *descriptor.Descriptor // the tensor with the most unused bytes after it, their number, and its total
	slack int64
	total int64
}

// resource returns the index of the resource with a name. If it does not exist, it reports that and returns -1.
func (b *binder) resource(name string, at finding.Locator) int {
	i, ok := b.resources[name]
	if ok {
		b.uses[i].used = true
		return i
	}
	if b.WantsRule(ResourceExists) {
		fix := b.nearest(name, len(b.Resources), func(i int) string { return b.Resources[i].Name })
		b.Report(ResourceExists, finding.On("", at), fix, "there is no resource %s", wording.Quote(name))
	}
	return -1
}

// nearest suggests the most similar of n names.
func (c *Checker) nearest(name string, n int, at func(int) string) string {
	return c.speller.DidYouMean(name, func(yield func(string) bool) {
		for i := 0; i < n && yield(at(i)); i++ {
		}
	}, "")
}

// initialize processes the bindings at the initialization of a dispatchable.
func (b *binder) initialize(d *descriptor.Dispatchable) {
	b.bind(d.Bindings, d, true)
	if d.Operator == nil {
		return
	}
	for i := range d.Operator.Slots {
		if s := &d.Operator.Slots[i]; s.Owned() && !bound(d.Bindings, s.Name) {
			b.missing(d.Operator, s, d.Operator.At, "DirectML owns it, and the dispatchable's bindings do not name it")
		}
	}
}

// command processes a command.
func (b *binder) command(cmd *descriptor.Command) {
	if cmd.Resource != "" {
		b.resource(cmd.Resource, cmd.At)
	}
	if !cmd.Dispatch {
		return
	}
	i, ok := b.dispatchables[cmd.Dispatchable]
	if !ok {
		if b.WantsRule(DispatchableExists) {
			fix := b.nearest(cmd.Dispatchable, len(b.Dispatchables),
				func(i int) string { return b.Dispatchables[i].Name })
			b.Report(DispatchableExists, finding.On("", cmd.At), fix, "there is no dispatchable %s",
				wording.Quote(cmd.Dispatchable))
		}
		b.bind(cmd.Bindings, &descriptor.Dispatchable{}, false)
		return
	}
	d := &b.Dispatchables[i]
	if op := d.Operator; op != nil {
		for i := range op.Slots {
			s := &op.Slots[i]
			if len(s.Tensors) > 0 && !s.Owned() && !bound(cmd.Bindings, s.Name) && !bound(d.Bindings, s.Name) {
				b.missing(op, s, cmd.At, "the command's bindings do not name it")
			}
		}
	}
	b.bind(cmd.Bindings, d, false)
	if d.Operator != nil {
		if row := dml.Find(d.Operator.Type); row != nil {
			b.overlaps(row)
		}
	}
}

// bound reports whether a binding in the list has the given point.
func bound(list []descriptor.Binding, point string) bool {
	return slices.ContainsFunc(list, func(b descriptor.Binding) bool { return b.Point == point })
}

func (b *binder) missing(op *descriptor.Operator, s *descriptor.OperatorSlot, at finding.Locator, why string) {
	b.Report(BindMissing, finding.On(op.Name+"."+s.Name, at), "", "%s has no resource: %s", s.Name, why)
}

// bind processes a list of bindings, at the time of initialization or of execution.
func (b *binder) bind(list []descriptor.Binding, d *descriptor.Dispatchable, initial bool) {
	b.ranges = b.ranges[:0]
	for i := range list {
		binding := &list[i]
		slot := b.point(binding, d)
		if slot != nil && len(slot.Tensors) != len(binding.Resources) {
			b.Report(BindArrayCount, finding.On(slot.Path(), binding.At), "", "%s requires %s, but %d were bound",
				slot.Name, wording.Count(len(slot.Tensors), "resource"), len(binding.Resources))
		}
		if slot != nil && len(slot.Tensors) > 0 && slot.Owned() != initial {
			text, fix := "is OWNED_BY_DML: it is bound when the operator is initialized, and not by a command",
				"move it to the bindings of the dispatchable"
			if initial {
				text, fix = "is not OWNED_BY_DML: a command binds it, and not the dispatchable",
					"move it to the bindings of the command, or set the flag"
			}
			b.Report(BindOwned, finding.On(slot.Path(), binding.At), fix, "%s %s", slot.Name, text)
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

// point returns the slot for the point of a binding, or nil if nothing needs to be checked. It reports a point that the
// operator does not have.
func (b *binder) point(binding *descriptor.Binding, d *descriptor.Dispatchable) *descriptor.OperatorSlot {
	if d.Operator == nil {
		return nil
	}
	slot := d.Operator.Slot(binding.Point)
	row := dml.Find(d.Operator.Type)
	switch {
	case slot != nil && slot.Broken:
		return nil
	case slot != nil:
		return slot
	case row == nil || row.Traits&dml.NoTable != 0 || !b.WantsRule(BindUnknown):
		return nil
	}
	if row.Index(binding.Point) >= 0 {
		b.Report(BindUnknown, finding.On(d.Name+"."+binding.Point, binding.At), "",
			"the operator's descriptor has no %s: the resource goes to no tensor", binding.Point)
		return nil
	}
	fix := b.nearest(binding.Point, len(row.Slots), func(i int) string { return row.Slots[i].Name })
	b.Report(BindUnknown, finding.On(d.Name, binding.At), fix,
		"%s has no bind point %s: the program ignores it", row.Name, wording.Quote(binding.Point))
	return nil
}

// A boundRange is the part of a resource that a tensor uses.
type boundRange struct {
	d          *descriptor.Descriptor
	resource   int
	start, end int64 // in bytes
	at         finding.Locator
}

// tensor checks the range of a resource that a tensor is bound to. DxDispatch binds everything after the offset,
// regardless of elementCount.
func (b *binder) tensor(bound *descriptor.Bound, resource int, d *descriptor.Descriptor) {
	r, u := &b.Resources[resource], &b.uses[resource]
	if r.Typed && d.TypeKnown && r.Type != d.Type {
		u.typed = d
	}
	offset, placed, err := startOf(bound, r)
	total, sized := b.total(d)
	if b.d = d; err != nil {
		b.Report(BindRange, finding.On(d.Name, bound.At), "", "%s", err)
	}
	if placed {
		b.aligned(bound, r, offset)
	}
	if !placed || !sized || offset > math.MaxInt64-total {
		return
	}
	u.need = max(u.need, offset+total)
	if size, ok := r.Size(); ok {
		b.fits(bound, r, offset, size, total)
		if slack := size - offset - total; slack > u.slack {
			u.small, u.slack, u.total = d, slack, total
		}
	}
	if d.Role != descriptor.UnknownRole {
		b.ranges = append(b.ranges, &boundRange{d, resource, offset, offset + total, bound.At})
	}
}

// elementSize returns the unit of an offset: elementSizeInBytes, or the size of the resource's type.
func elementSize(b *descriptor.Bound, r *descriptor.Resource) (bytes int64, known bool) {
	if b.ElementSize.Stated {
		return b.ElementSize.Value, true
	}
	return r.Type.Bits() / 8, r.Typed
}

// startOf returns the start of the binding, in bytes. It fails if the start does not fit in 64 bits.
func startOf(b *descriptor.Bound, r *descriptor.Resource) (bytes int64, known bool, err error) {
	if b.Offset.Value == 0 {
		return 0, true, nil
	}
	size, ok := elementSize(b, r)
	if !ok {
		return 0, false, nil
	}
	bytes, err = layout.Mul(b.Offset.Value, size)
	return bytes, err == nil, layout.NameOverflow("the byte offset", err)
}

// aligned checks that a range starts at a multiple of 16 bytes, or of the tensor's alignment.
func (b *binder) aligned(bound *descriptor.Bound, r *descriptor.Resource, offset int64) {
	to := int64(dmlAlignment)
	if a := b.d.Alignment.Value; a&(a-1) == 0 {
		to = max(to, a)
	}
	if offset%to == 0 || !b.WantsRule(BindOffset16) {
		return
	}
	below := uint64(offset / to * to)
	fix := fmt.Sprintf("byte %d or %d", below, below+uint64(to))
	if size, _ := elementSize(bound, r); size > 0 && below%uint64(size) == 0 && to%size == 0 {
		fix = fmt.Sprintf("elementOffset %d or %d", below/uint64(size), (below+uint64(to))/uint64(size))
	}
	b.Report(BindOffset16, finding.On(b.d.Name, bound.At), fix, "byte offset %d is not a multiple of %d", offset, to)
}

// fits checks that the tensor fits in the rest of the resource.
func (b *binder) fits(bound *descriptor.Bound, r *descriptor.Resource, offset, size, total int64) {
	if size-offset >= total || !b.WantsRule(BindRange) {
		return
	}
	text := fmt.Sprintf("%s has %s from byte %d on, and the tensor needs %d", wording.Quote(r.Name),
		wording.Count(size-offset, "byte"),
		offset, total)
	if offset > size {
		text = fmt.Sprintf("the offset %d is beyond the %s of %s, where DxDispatch computes a huge size",
			offset, wording.Count(size, "byte"), wording.Quote(r.Name))
	}
	b.Report(BindRange, finding.On(b.d.Name, bound.At), fmt.Sprintf("%d bytes are enough", offset+total), "%s", text)
}

// overlaps finds tensors that share bytes of a resource with an output.
func (b *binder) overlaps(row *dml.Operator) {
	byPlace := func(x, y *boundRange) int {
		return cmp.Or(cmp.Compare(x.resource, y.resource), cmp.Compare(x.start, y.start), cmp.Compare(x.end, y.end))
	}
	isInput := func(r *boundRange) bool { return r.d.Role == descriptor.Input }
	slices.SortStableFunc(b.ranges, byPlace)
	outputs := slices.DeleteFunc(slices.Clone(b.ranges), isInput)
	for i, furthest := 1, 0; i < len(outputs); i++ {
		same := outputs[i].resource == outputs[furthest].resource
		if same {
			b.written(outputs[furthest], outputs[i])
		}
		if !same || outputs[i].end > outputs[furthest].end {
			furthest = i // the output so far with the greatest end
		}
	}
	for _, in := range b.ranges {
		if isInput(in) {
			b.aliases(row, in, outputs)
		}
	}
}

// meets reports whether two ranges have a byte in common.
func (r *boundRange) meets(o *boundRange) bool {
	return r.resource == o.resource && r.start < o.end && o.start < r.end
}

// bytes returns the bytes of a range for messages.
func (r *boundRange) bytes() string { return fmt.Sprintf("bytes %d to %d", r.start, r.end-1) }

// written reports two outputs that write the same bytes. It is only a warning if their ranges overlap because
// DxDispatch extends them to the end of the resource.
func (b *binder) written(first, second *boundRange) {
	name := wording.Quote(b.Resources[second.resource].Name)
	if !second.meets(first) {
		b.ReportAs(BindOutputOverlap, finding.Warning, finding.On(second.d.Name, second.at), "a resource of its own",
			"%s and %s share %s: no byte is written twice, but DxDispatch binds both to the end of it", first.d.Slot,
			second.d.Slot, name)
		return
	}
	fix := "an offset of " + wording.Count(roundedUp(first.end, 16), "byte")
	b.Report(BindOutputOverlap, finding.On(second.d.Name, second.at), fix,
		"%s of %s are written as %s too, which takes %s", second.bytes(), name, first.d.Slot, first.bytes())
}

// roundedUp rounds n up to a multiple of a power of two. The result may be 2^63.
func roundedUp(n, unit int64) uint64 { return (uint64(n) + uint64(unit) - 1) &^ (uint64(unit) - 1) }

// maxAliases limits the outputs of one resource that each input is compared with. More outputs would overlap each
// other.
const maxAliases = 64

// aliases reports outputs, in the order of their resources, that overwrite an input while it is read. As for outputs,
// it is only a warning if the ranges overlap because they extend to the end of the resource.
func (b *binder) aliases(row *dml.Operator, in *boundRange, outputs []*boundRange) {
	first, _ := slices.BinarySearchFunc(outputs, in.resource,
		func(out *boundRange, resource int) int { return cmp.Compare(out.resource, resource) })
	for _, out := range outputs[first:min(first+maxAliases, len(outputs))] {
		if out.resource != in.resource {
			return
		}
		name := wording.Quote(b.Resources[in.resource].Name)
		switch met := out.meets(in); {
		case met && row.Traits&dml.RunsInPlace != 0:
			b.inPlace(row, in, out)
		case met:
			b.Report(BindAlias, finding.On(out.d.Name, out.at), "a resource of its own",
				"%s of %s are read as %s while they are written, and %s does not run in place",
				in.bytes(), name, in.d.Slot, row.Name)
		default:
			b.ReportAs(BindAlias, finding.Warning, finding.On(out.d.Name, out.at), "a resource of its own",
				"%s and %s share %s: no byte is read and written, but DxDispatch binds both to the end of it",
				in.d.Slot, out.d.Slot, name)
		}
	}
}

// inPlace checks that an operator that runs in place uses one region for both tensors. The two ranges must be equal.
func (b *binder) inPlace(row *dml.Operator, in, out *boundRange) {
	switch {
	case in.start != out.start || in.end != out.end:
		b.Report(InPlace, finding.On(out.d.Name, out.at), "the same offset and total, or a resource of its own",
			"%s runs in place on one region only: %s is read from %s, and written are %s", row.Name, in.d.Slot,
			in.bytes(), out.bytes())
	case !slices.Equal(in.d.Sizes, out.d.Sizes) || !slices.Equal(effectiveStrides(in.d), effectiveStrides(out.d)):
		b.ReportAs(InPlace, finding.Warning, finding.On(out.d.Name, out.at), "",
			"%s runs in place, and %s and %s have other sizes or strides, which older pages forbid",
			row.Name, in.d.Slot, out.d.Slot)
	}
}

// effectiveStrides returns the strides of the tensor, whether or not they are stated.
func effectiveStrides(d *descriptor.Descriptor) []int64 {
	if len(d.Strides) > 0 {
		return d.Strides
	}
	return packed(d.Sizes)
}

// checkResource reports errors in a resource, given its bindings.
func (b *binder) checkResource(r *descriptor.Resource, u *use) {
	if !u.used {
		b.Report(ResourceUnused, finding.On("", r.At), "", "no command or dispatchable uses %s", wording.Quote(r.Name))
	}
	b.checkResourceSize(r, u)
	if u.typed != nil {
		b.Report(ResourceDType, finding.On(u.typed.Name, r.At), "",
			"the initial values of %s are %s, and the tensor is %s",
			wording.Quote(r.Name), r.Type.In(layout.DirectML), u.typed.Type.In(layout.DirectML))
	}
	if u.slack > largeSlack && u.slack >= u.total {
		size, _ := r.Size()
		b.Report(ResourceSlack, finding.On(u.small.Name, r.At), fmt.Sprintf("%d bytes are enough", u.need),
			"%s has %s, of which the tensor takes %d: %d spare", wording.Quote(r.Name), wording.Count(size, "byte"),
			u.total,
			u.slack)
	}
}

// checkResourceSize checks the stated size, or notes that DxDispatch rounds it up.
func (b *binder) checkResourceSize(r *descriptor.Resource, u *use) {
	stated, need := r.Stated.Value, max(u.need, r.Initial.Value)
	switch n := r.Initial.Value; {
	case !r.Stated.Stated:
		if size, ok := r.Size(); ok && size != n {
			b.ReportAs(ResourceSize4, finding.Note, finding.On("", r.At), "",
				"the initial values of %s take %s; DxDispatch makes the buffer %d", wording.Quote(r.Name),
				wording.Count(n,
					"byte"), size)
		}
	case stated < n:
		b.ReportAs(ResourceSize4, finding.Error, finding.On("", r.SizeAt), fmt.Sprintf("write %d", roundedUp(need, 4)),
			"sizeInBytes %d is less than the %s of the initial values", stated, wording.Count(n, "byte"))
	case stated%4 != 0:
		severity, what := finding.Warning, ""
		if stated < u.need {
			severity, what = finding.Error, fmt.Sprintf(", and less than the %d bytes that are bound", u.need)
		}
		b.ReportAs(ResourceSize4, severity, finding.On("", r.SizeAt), fmt.Sprintf("write %d", roundedUp(max(stated,
			need), 4)), "sizeInBytes %d is not a multiple of 4%s; DxDispatch does not round it", stated, what)
	}
}
