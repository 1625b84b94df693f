package rules

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/dml"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// The rules for operators and their tensors.
var (
	OwnedOp              = &finding.Rule{Name: "owned-op", Severity: finding.Error, Family: finding.DirectML}
	OpSlot               = &finding.Rule{Name: "op-slot", Severity: finding.Error}
	OpKnown              = &finding.Rule{Name: "op-known", Severity: finding.Error, Family: finding.DirectML}
	OpLevel              = &finding.Rule{Name: "op-level", Severity: finding.Error, Family: finding.DirectML}
	OpDimCount           = &finding.Rule{Name: "op-dim-count", Severity: finding.Error, Family: finding.DirectML}
	OpDType              = &finding.Rule{Name: "op-dtype", Severity: finding.Error, Family: finding.DirectML}
	DType4BitOp          = &finding.Rule{Name: "dtype-4bit-op", Severity: finding.Error, Family: finding.DirectML}
	DType64BitOp         = &finding.Rule{Name: "dtype-64bit-op", Severity: finding.Error, Family: finding.DirectML}
	OpSame               = &finding.Rule{Name: "op-same", Severity: finding.Error, Family: finding.DirectML}
	OpBroadcastSizes     = &finding.Rule{Name: "op-broadcast-sizes", Severity: finding.Error, Family: finding.DirectML}
	LeadingOnes          = &finding.Rule{Name: "leading-ones", Severity: finding.Error, Family: finding.DirectML}
	LeadingOnesNotNeeded = &finding.Rule{Name: "leading-ones-not-needed", Severity: finding.Note,
		Family: finding.DirectML}
	RequiredMissing   = &finding.Rule{Name: "required-missing", Severity: finding.Error, Family: finding.DirectML}
	StridedRuntimeBug = &finding.Rule{Name: "strided-runtime-bug", Severity: finding.Warning,
		Family: finding.DirectML}
	CountFields = &finding.Rule{Name: "count-fields", Severity: finding.Error, Family: finding.DirectML}
)

// An operator is an operator to check, with its row of the table.
type operator struct {
	*Checker
	*descriptor.Operator
	row *dml.Operator // nil if it is not in the table
}

// Operator checks an operator by DirectML's rules for the tensors of an operator together: the rules on its page.
func (c *Checker) Operator(t descriptor.Target, op *descriptor.Operator) {
	c.target = t
	o, row := c.operator(op)
	if row != nil && row.Traits&dml.NotDxDispatch != 0 && !t.Before(row.Level) {
		c.ReportAs(OpKnown, finding.Warning, finding.On(op.Name, op.At), "",
			"%s is a DirectML operator that DxDispatch does not read", row.Name)
	}
	for i := range op.Slots {
		o.tensors(&op.Slots[i])
	}
	for _, f := range op.Counts {
		if s := op.Slot(f.Slot); s != nil && !s.Broken && int64(len(s.Tensors)) != f.Value {
			c.Report(CountFields, finding.On(op.Name, f.At), fmt.Sprintf("write %d", len(s.Tensors)),
				"%s is %d, and %s has %d", f.Name, f.Value, f.Slot, len(s.Tensors))
		}
	}
	if row != nil {
		o.sizes()
	}
	if row == nil || row.Traits&dml.NoTable != 0 {
		return
	}
	for i := range row.Slots {
		name := row.Slots[i].Name
		if row.At(i, t.Level).Types&dml.Optional == 0 && op.Slot(name) == nil {
			c.Report(RequiredMissing, finding.On(op.Name+"."+name, op.At), "", "%s has no %s, which it needs", row.Name,
				name)
		}
	}
	o.sameSlots()
	o.unneededOnes()
}

// operator looks up the operator in the table, and reports a wrong name or level.
func (c *Checker) operator(op *descriptor.Operator) (operator, *dml.Operator) {
	row := dml.Find(op.Type)
	switch {
	case row == nil && c.WantsRule(OpKnown):
		name := strings.TrimPrefix(strings.ToUpper(wording.Clip(op.Type)), dml.Prefix)
		fix := c.nearest(name, len(dml.All()), func(i int) string { return dml.All()[i].Name })
		c.Report(OpKnown, finding.On(op.Name, op.At), fix, "DirectML has no operator %s", wording.Quote(op.Type))
	case row == nil:
	case c.target.Before(row.Level) && c.WantsRule(OpLevel):
		c.Report(OpLevel, finding.On(op.Name, op.At), "", "%s came with feature level %v, and the target is %v",
			row.Name, row.Level, c.target.Level)
	}
	return operator{c, op, row}, row
}

// Slot checks a descriptor that states its operator by the rules for that tensor on the operator's page.
// [Checker.Model] checks the tensors in models.
func (c *Checker) Slot(t descriptor.Target, d *descriptor.Descriptor) {
	if t.Family != finding.DirectML && t.Family != finding.None || d.Operator == "" && d.Slot == "" {
		return
	}
	c.target, c.d = t, d
	if t.Family == finding.None {
		c.ReportAs(OpSlot, finding.Warning, d.At(descriptor.OperatorPart, -1), "target: directml",
			"the operator is not looked at: operators are DirectML's, and the target is none")
		return
	}
	if d.Operator == "" {
		c.ReportAs(OpSlot, finding.Warning, d.At(descriptor.SlotPart, -1), "state the operator",
			"slot %s of an operator that is not stated", wording.Quote(d.Slot))
		return
	}
	o, row := c.operator(&descriptor.Operator{Name: d.Name, Type: d.Operator, At: d.Locator(descriptor.OperatorPart)})
	if row == nil || row.Traits&dml.NoTable != 0 {
		return
	}
	i := row.Index(d.Slot)
	switch {
	case d.Slot == "":
		c.ReportAs(OpSlot, finding.Note, d.At(descriptor.OperatorPart, -1), "state the slot",
			"which tensor of %s this is is not stated, so that nothing is known of what it may be", row.Name)
		return
	case i < 0:
		if c.WantsRule(OpSlot) {
			fix := c.nearest(d.Slot, len(row.Slots), func(i int) string { return row.Slots[i].Name })
			c.Report(OpSlot, d.At(descriptor.SlotPart, -1), fix, "%s has no tensor %s", row.Name, wording.Quote(d.Slot))
		}
		return
	case d.Role != descriptor.UnknownRole && d.Role != row.Slots[i].Role:
		c.Report(OpSlot, d.At(descriptor.RolePart, -1), "remove the role", "%s of %s is an %s", d.Slot, row.Name,
			[...]string{descriptor.Input: "input", descriptor.Output: "output"}[row.Slots[i].Role])
	}
	o.Slots = []descriptor.OperatorSlot{{Name: d.Slot, Tensors: []*descriptor.Descriptor{d}}}
	o.tensors(&o.Slots[0])
}

// tensors checks each tensor of a slot by itself.
func (o *operator) tensors(s *descriptor.OperatorSlot) {
	known := -1
	if o.row != nil {
		known = o.row.Index(s.Name)
	}
	for _, d := range s.Tensors {
		o.d = d
		if known < 0 {
			if name := d.ListedType(); name != "" && d.Type.Bits() == 64 && o.Wants(DType64BitOp, finding.Note) {
				o.ReportAs(DType64BitOp, finding.Note, d.At(descriptor.TypePart, -1), "",
					"most operators do not take %s, and what this one takes is not known", name)
			}
			continue
		}
		now, latest, role := o.row.At(known, o.target.Level), o.row.At(known, 0), o.row.Slots[known].Role
		o.checkRank(now, latest)
		o.checkDType(now, latest)
		if o.row.Traits&dml.OwnsNoInput != 0 && role == descriptor.Input && d.Owned() && o.WantsRule(OwnedOp) {
			o.Report(OwnedOp, d.At(descriptor.FlagsPart, -1), "remove the flag",
				"%s reads its %s when it runs, so DirectML cannot own it", o.row.Name, s.Name)
		}
		o.stridedBug(role)
	}
}

// checkRank compares the rank with the list on the operator's page. It is only a warning if the latest level supports
// it.
func (o *operator) checkRank(now, latest dml.Support) {
	n := len(o.d.Sizes)
	if n == 0 || now.Lo == 0 || now.Lo <= n && n <= now.Hi {
		return
	}
	id, severity, later := OpDimCount, finding.Error, ""
	if n < now.Lo {
		id = LeadingOnes
	}
	if latest.Lo <= n && n <= latest.Hi {
		severity, later = finding.Warning, "; later levels take it"
	}
	if !o.Wants(id, severity) {
		return
	}
	dimensions := wording.Count(now.Lo, "dimension")
	if now.Lo < now.Hi {
		dimensions = fmt.Sprintf("%d to %s", now.Lo, wording.Count(now.Hi, "dimension"))
	}
	o.ReportAs(id, severity, o.d.At(descriptor.SizesPart, -1), o.rankFix(o.rankBeside(now), now.Hi),
		"%s%s takes %s with %s, and this one has %d%s", o.row.Name, o.atLevel(), o.d.Slot, dimensions, n, later)
}

// rankBeside returns the rank of another tensor of the operator that may have the same rank, or otherwise the least
// rank.
func (o *operator) rankBeside(now dml.Support) int {
	rank := now.Lo
	for i := range o.Slots {
		if other := o.row.At(o.row.Index(o.Slots[i].Name), o.target.Level); other.Lo != now.Lo || other.Hi != now.Hi {
			continue
		}
		for _, d := range o.Slots[i].Tensors {
			if n := len(d.Sizes); n <= now.Hi {
				rank = max(rank, n)
			}
		}
	}
	return rank
}

// rankFix returns the sizes and strides of the tensor with a rank of lo to hi: it adds leading sizes of 1, or removes
// them.
func (o *operator) rankFix(lo, hi int) string {
	sizes, strides := o.d.Sizes, o.d.Strides
	if n := lo - len(sizes); n > 0 {
		sizes = append(slices.Repeat([]int64{1}, n), sizes...)
		if len(strides) > 0 {
			strides = append(make([]int64, n), strides...)
		}
		return sizesFix(sizes, strides)
	}
	n := len(sizes) - hi
	if leadingOnes(sizes) < n || len(strides) > 0 && len(strides) != len(sizes) {
		return ""
	}
	return sizesFix(sizes[n:], strides[min(n, len(strides)):])
}

// sizesFix returns the fix that sets sizes, and strides if there are any.
func sizesFix(sizes, strides []int64) string {
	if len(strides) == 0 {
		return "sizes " + layout.ListText(sizes)
	}
	return "sizes " + layout.ListText(sizes) + " with strides " + layout.ListText(strides)
}

// leadingOnes counts the leading sizes of 1, excluding the last size.
func leadingOnes(sizes []int64) int {
	n := 0
	for n < len(sizes)-1 && sizes[n] == 1 {
		n++
	}
	return n
}

// checkDType compares the element type with the list on the operator's page.
func (o *operator) checkDType(now, latest dml.Support) {
	name := o.d.ListedType()
	if name == "" || now.Types&^dml.Optional == 0 || now.Types.Has(name) {
		return
	}
	id := OpDType
	switch o.d.Type.Bits() {
	case 4:
		id = DType4BitOp
	case 64:
		id = DType64BitOp
	}
	if !o.WantsRule(id) {
		return
	}
	later, fix := "", ""
	if latest.Types.Has(name) {
		later = "; later levels take it"
	}
	if only := now.Types.String(); !strings.Contains(only, ",") {
		fix = "write " + only
	}
	o.Report(id, o.d.At(descriptor.TypePart, -1), fix, "%s%s takes %s as %v, and this one is %s%s",
		o.row.Name, o.atLevel(), o.d.Slot, now.Types, name, later)
}

// atLevel returns the target's level for messages, if it has one.
func (o *operator) atLevel() string {
	if o.target.Level == 0 {
		return ""
	}
	return " at feature level " + o.target.Level.String()
}

// stridedBug warns about operators that read or write strided tensors wrongly at the target's level.
func (o *operator) stridedBug(role descriptor.Role) {
	fixed, fault := descriptor.Level(0), "is known to compute strided tensors wrongly"
	switch {
	case o.row.Name == "ACTIVATION_SWISH" && role == descriptor.Input:
		fixed = 63
	case (o.row.Name == "ACTIVATION_HARDMAX" || o.row.Name == "ACTIVATION_HARDMAX1") && role == descriptor.Output:
		fixed = 52
	case strings.HasPrefix(o.row.Name, "ACTIVATION_") && len(o.d.Sizes) == 5:
		fixed, fault = 20, "takes no strides with 5 dimensions"
	}
	if !o.target.Before(fixed) || len(o.d.Strides) == 0 {
		return
	}
	packed, _ := descriptor.RowMajor(nil, o.d.Sizes)
	if descriptor.DifferingStride(o.d.Sizes, o.d.Strides, packed) < 0 || !o.WantsRule(StridedRuntimeBug) {
		return
	}
	o.Report(StridedRuntimeBug, o.d.At(descriptor.StridesPart, -1), "remove Strides and pack the tensor",
		"%s %s before feature level %v, and the target is %v", o.row.Name, fault, fixed, o.target.Level)
}

// sameSlots checks the groups of slots that must agree. Each tensor is compared with one that agrees with more than
// half of the group. If no tensor has a majority, or if that tensor must be repeated, types are compared with the
// group's first slot, ranks and sizes with its last slot, which is an output if there is one.
func (o *operator) sameSlots() {
	for _, g := range o.row.Same {
		var first, last *descriptor.Descriptor // in the first and in the last slot that have a tensor
		slot := -1
		for i, d := range o.group(g) {
			if first = cmp.Or(first, d); i != slot {
				slot, last = i, d
			}
		}
		if last == nil {
			continue
		}
		typed := cmp.Or(o.majority(g, dml.SameType), first)
		sized := cmp.Or(o.majority(g, g.In&^dml.SameType), last)
		if g.In&dml.SameSizes != 0 && broadcasts(sized.Sizes, last.Sizes) {
			sized = last
		}
		for i, d := range o.group(g) {
			o.d = d
			now := o.row.At(i, o.target.Level)
			if g.In&dml.SameType != 0 {
				o.sameType(now, typed)
			}
			o.sameSizes(o.row.Slots[i].Role, now, sized, g.In)
		}
	}
}

// group yields the tensors of a group, each with the index of its slot.
func (o *operator) group(g dml.Agreement) iter.Seq2[int, *descriptor.Descriptor] {
	return func(yield func(int, *descriptor.Descriptor) bool) {
		for i := range o.row.Slots {
			name := o.row.Slots[i].Name
			s := o.Operator.Slot(name)
			if s == nil || len(g.Names) > 0 && !slices.Contains(g.Names, name) {
				continue
			}
			for _, d := range s.Tensors {
				if !yield(i, d) {
					return
				}
			}
		}
	}
}

// majority returns a tensor that agrees with more than half of the group's tensors in the given properties, or nil.
// Tensors that disagree cancel each other, so that only a tensor with a majority can remain.
func (o *operator) majority(g dml.Agreement, in uint8) *descriptor.Descriptor {
	var found *descriptor.Descriptor
	votes, all := 0, 0
	for _, d := range o.group(g) {
		switch {
		case votes == 0:
			found, votes = d, 1
		case agrees(d, found, in):
			votes++
		default:
			votes--
		}
	}
	votes = 0
	for _, d := range o.group(g) {
		if all++; agrees(d, found, in) {
			votes++
		}
	}
	if 2*votes <= all {
		return nil
	}
	return found
}

// agrees reports whether two tensors are equal in the first of the given respects.
func agrees(a, b *descriptor.Descriptor, in uint8) bool {
	switch {
	case in&dml.SameType != 0:
		return a.ListedType() == b.ListedType()
	case in&dml.SameSizes != 0:
		return slices.Equal(a.Sizes, b.Sizes)
	}
	return len(a.Sizes) == len(b.Sizes)
}

// sameType compares the types of two tensors that must have the same type. A type that the operator does not support
// has been reported.
func (o *operator) sameType(now dml.Support, other *descriptor.Descriptor) {
	have, name := o.d.ListedType(), other.ListedType()
	reported := now.Types&^dml.Optional != 0 && (!now.Types.Has(have) || !now.Types.Has(name))
	if have == "" || name == "" || have == name || reported || !o.WantsRule(OpSame) {
		return
	}
	o.Report(OpSame, o.d.At(descriptor.TypePart, -1), "write "+name,
		"%s takes %s and %s of one type; here they are %s and %s", o.row.Name, other.Slot, o.d.Slot, name, have)
}

// sameSizes compares the sizes of two tensors, or their ranks.
func (o *operator) sameSizes(role descriptor.Role, now dml.Support, other *descriptor.Descriptor, in uint8) {
	a, b := o.d.Sizes, other.Sizes
	differ := in&dml.SameSizes != 0 && !slices.Equal(a, b) || in&dml.SameCount != 0 && len(a) != len(b)
	if !differ || len(a) == 0 || len(b) == 0 {
		return
	}
	refused := func(rank int) bool { return now.Lo > 0 && (rank < now.Lo || rank > now.Hi) }
	switch {
	case in&dml.SameSizes != 0 && role == descriptor.Input && broadcasts(a, b):
		if o.WantsRule(OpBroadcastSizes) {
			o.Report(OpBroadcastSizes, o.d.At(descriptor.SizesPart, -1), o.broadcastFix(b),
				"%s does not repeat a tensor by itself: %s has the sizes %s, and those of %s are %s",
				o.row.Name, o.d.Slot, layout.ListText(a), other.Slot, layout.ListText(b))
		}
	case refused(len(a)) || refused(len(b)): // has been reported
	case in&dml.SameSizes != 0:
		o.Report(OpSame, o.d.At(descriptor.SizesPart, -1), "sizes "+layout.ListText(b),
			"%s takes %s and %s of the same sizes; here they are %s and %s",
			o.row.Name, other.Slot, o.d.Slot, layout.ListText(b), layout.ListText(a))
	default:
		o.Report(OpSame, o.d.At(descriptor.SizesPart, -1), o.rankFix(len(b), len(b)),
			"%s takes %s and %s with the same number of dimensions; here they have %d and %d",
			o.row.Name, other.Slot, o.d.Slot, len(b), len(a))
	}
}

// broadcasts reports whether repeating a tensor of sizes a, counted from the last, gives sizes b.
func broadcasts(a, b []int64) bool {
	if len(a) > len(b) {
		return false
	}
	for i, n := range a {
		if n != 1 && n != b[len(b)-len(a)+i] {
			return false
		}
	}
	return true
}

// broadcastFix returns the fix that repeats the tensor as in DirectML: with full sizes, and strides of 0.
func (o *operator) broadcastFix(sizes []int64) string {
	d := o.d
	strides, offset := make([]int64, len(sizes)), len(sizes)-len(d.Sizes)
	for i, n := range d.Sizes {
		packed, err := layout.ProductOf(d.Sizes[i+1:])
		switch {
		case n == 1:
		case len(d.Strides) == len(d.Sizes):
			strides[offset+i] = d.Strides[i]
		case err != nil:
			return ""
		default:
			strides[offset+i] = packed
		}
	}
	return sizesFix(sizes, strides)
}

// unneededOnes notes two or more leading sizes of 1 in all tensors, if the operator does not need them. A single one is
// usually a batch.
func (o *operator) unneededOnes() {
	ones, first := 0, (*descriptor.Descriptor)(nil)
	for i := range o.Slots {
		if now := o.row.At(o.row.Index(o.Slots[i].Name), o.target.Level); now.Lo != 1 || now.Hi != 8 {
			return
		}
		for _, d := range o.Slots[i].Tensors {
			if first == nil {
				first, ones = d, leadingOnes(d.Sizes)
			}
			if ones = min(ones, leadingOnes(d.Sizes)); ones < 2 {
				return
			}
		}
	}
	if first == nil || !o.WantsRule(LeadingOnesNotNeeded) {
		return
	}
	o.d = first
	n := len(o.d.Sizes) - ones
	o.Report(LeadingOnesNotNeeded, o.d.At(descriptor.SizesPart, 0), o.rankFix(n, n),
		"all tensors begin with %s of 1, and %s takes 1 to 8 dimensions", wording.Count(ones, "size"), o.row.Name)
}
