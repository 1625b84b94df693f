package rules

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/scan"
)

// An Operator is an operator of DirectML with the tensors that a text gives it.
type Operator struct {
	Name   string // what findings call it: its path in the file
	Type   string // its name as written, with DML_OPERATOR_ or without
	Slots  []OperatorSlot
	Given  []GivenAttribute
	Counts []CountField
	At     Locator
}

// A GivenAttribute is what a text has for an attribute that is a whole number, a list of such, or of an enumeration.
type GivenAttribute struct {
	Name    string
	Numbers []int64
	Value   string // of the enumeration, without its prefix
	Broken  bool   // there is something, but it cannot be read
	At      Locator
}

// An OperatorSlot is what a text has for one of an operator's tensors, or for a list of them.
type OperatorSlot struct {
	Name    string
	Tensors []*Descriptor
	Broken  bool // there is something, but it cannot be read
}

// A CountField is a field that counts the tensors of a list.
type CountField struct {
	Name, Slot string
	Value      int64
	At         Locator
}

// slot returns what the text has for the slot; nil where it has nothing.
func (op *Operator) slot(name string) *OperatorSlot {
	for i := range op.Slots {
		if op.Slots[i].Name == name {
			return &op.Slots[i]
		}
	}
	return nil
}

// owned reports whether the slot's tensors have the flag OWNED_BY_DML.
func (s *OperatorSlot) owned() bool { return len(s.Tensors) > 0 && s.Tensors[0].owned() }

// Operator checks an operator by the rules of a target of DirectML that concern its tensors together: what DirectML's
// page of the operator says.
func (c *Checker) Operator(t Target, op *Operator) {
	c.target = t
	row := c.operatorRow(op)
	if row != nil && row.traits&notDxDispatch != 0 && !t.before(row.level) {
		c.findAt(OpKnown, Warning, op.At, op.Name, "",
			"%s is an operator of DirectML that DxDispatch does not read", row.name)
	}
	for i := range op.Slots {
		c.operatorSlot(row, op, &op.Slots[i])
	}
	for _, f := range op.Counts {
		if s := op.slot(f.Slot); s != nil && !s.Broken && int64(len(s.Tensors)) != f.Value {
			c.findAt(CountFields, Error, f.At, op.Name, fixf("write %d", len(s.Tensors)),
				"%s is %d, and %s has %d", f.Name, f.Value, f.Slot, len(s.Tensors))
		}
	}
	if row != nil {
		c.operatorSizes(row, op)
	}
	if row == nil || row.traits&noTable != 0 {
		return
	}
	for i := range row.slots {
		name := row.slots[i].Name
		if row.at(i, t.Level).types&optional == 0 && op.slot(name) == nil {
			c.findAt(RequiredMissing, Error, op.At, op.Name+"."+name, "", "%s has no %s, which it needs",
				row.name, name)
		}
	}
	c.sameSlots(row, op)
	c.unneededOnes(row, op)
}

// operatorRow finds the operator in the table, and reports what is wrong with its name.
func (c *Checker) operatorRow(op *Operator) *operatorRow {
	row := findOperator(op.Type)
	switch {
	case row == nil && c.wants(OpKnown, Error):
		name := strings.TrimPrefix(strings.ToUpper(scan.Clip(op.Type)), operatorPrefix)
		fix := c.nearest(name, len(operators()), func(i int) string { return operators()[i].name })
		c.findAt(OpKnown, Error, op.At, op.Name, fix, "DirectML has no operator %s", scan.Quote(op.Type))
	case row == nil:
	case c.target.before(row.level) && c.wants(OpLevel, Error):
		c.findAt(OpLevel, Error, op.At, op.Name, "",
			"%s came with feature level %v, and the target is %v", row.name, row.level, c.target.Level)
	}
	return row
}

// Slot checks a descriptor that states its operator by what the operator's page says of that tensor. The tensors of a
// model have their operators, which [Checker.Model] checks.
func (c *Checker) Slot(t Target, d *Descriptor) {
	if t.Family != DirectML && t.Family != None || d.Operator == "" && d.Slot == "" {
		return
	}
	c.target, c.d = t, d
	if t.Family == None {
		c.findAs(OpSlot, Warning, OperatorPart, -1, "target: directml",
			"the operator is not looked at: operators are DirectML's, and the target is none")
		return
	}
	if d.Operator == "" {
		c.findAs(OpSlot, Warning, SlotPart, -1, "state the operator", "slot %s of an operator that is not stated",
			scan.Quote(d.Slot))
		return
	}
	op := Operator{Name: d.Name, Type: d.Operator, At: partLocator{d, OperatorPart}}
	row := c.operatorRow(&op)
	if row == nil || row.traits&noTable != 0 {
		return
	}
	i := row.find(d.Slot)
	switch {
	case d.Slot == "":
		c.findAs(OpSlot, Note, OperatorPart, -1, "state the slot", "which tensor of %s this is is not stated, so that "+
			"nothing is known of what it may be", row.name)
		return
	case i < 0 && c.broken(OpSlot):
		fix := c.nearest(d.Slot, len(row.slots), func(i int) string { return row.slots[i].Name })
		c.find(OpSlot, SlotPart, -1, fix, "%s has no tensor %s", row.name, scan.Quote(d.Slot))
		return
	case i < 0:
		return
	case d.Role != UnknownRole && d.Role != row.slots[i].Role:
		c.find(OpSlot, RolePart, -1, "leave the role out", "%s of %s is an %s", d.Slot, row.name,
			[...]string{Input: "input", Output: "output"}[row.slots[i].Role])
	}
	op.Slots = []OperatorSlot{{Name: d.Slot, Tensors: []*Descriptor{d}}}
	c.operatorSlot(row, &op, &op.Slots[0])
}

// A partLocator is the place of a part of a descriptor.
type partLocator struct {
	d    *Descriptor
	part Part
}

// Place returns the place.
func (l partLocator) Place() Place {
	if l.d.Source == nil {
		return Place{}
	}
	return l.d.Source.Place(l.part, -1)
}

// RoleOf returns what an operator does with its tensor of that name; UnknownRole where there is none.
func RoleOf(operator, slot string) Role {
	if row := findOperator(operator); row != nil {
		if i := row.find(slot); i >= 0 {
			return row.slots[i].Role
		}
	}
	return UnknownRole
}

// operatorSlot checks each tensor of a slot by itself.
func (c *Checker) operatorSlot(row *operatorRow, op *Operator, s *OperatorSlot) {
	known := -1
	if row != nil {
		known = row.find(s.Name)
	}
	for _, d := range s.Tensors {
		c.d = d
		if known < 0 {
			if name := d.listedType(); name != "" && d.Type.Bits() == 64 && c.wants(DType64BitOp, Note) {
				c.findAs(DType64BitOp, Note, TypePart, -1, "",
					"most operators do not take %s, and what this one takes is not known", name)
			}
			continue
		}
		now, latest, role := row.at(known, c.target.Level), row.at(known, 0), row.slots[known].Role
		c.operatorRank(row, op, now, latest)
		c.operatorType(row, now, latest)
		if row.traits&ownsNoInput != 0 && role == Input && d.owned() && c.broken(OwnedOp) {
			c.find(OwnedOp, FlagsPart, -1, "leave the flag out",
				"%s reads its %s when it runs, so DirectML cannot own it", row.name, s.Name)
		}
		c.stridedBug(row, role)
	}
}

// operatorRank compares the number of dimensions with what the operator's page lists. What only an older
// level refuses is a warning.
func (c *Checker) operatorRank(row *operatorRow, op *Operator, now, latest support) {
	n := len(c.d.Sizes)
	if n == 0 || now.lo == 0 || now.lo <= n && n <= now.hi {
		return
	}
	id, severity, later := OpDimCount, Error, ""
	if n < now.lo {
		id = LeadingOnes
	}
	if latest.lo <= n && n <= latest.hi {
		severity, later = Warning, "; later levels take it"
	}
	if !c.wants(id, severity) {
		return
	}
	dimensions := scan.Count(now.lo, "dimension")
	if now.lo < now.hi {
		dimensions = fmt.Sprintf("%d to %d dimensions", now.lo, now.hi)
	}
	c.findAs(id, severity, SizesPart, -1, c.rankFix(c.rankBeside(row, op, now), now.hi),
		"%s%s takes %s with %s, and this one has %d%s", row.name, c.atLevel(), c.d.Slot, dimensions, n, later)
}

// rankBeside returns the least number of dimensions, or the number that those of the operator's other
// tensors have that may have as many.
func (c *Checker) rankBeside(row *operatorRow, op *Operator, now support) int {
	rank := now.lo
	for i := range op.Slots {
		if other := row.at(row.find(op.Slots[i].Name), c.target.Level); other.lo != now.lo || other.hi != now.hi {
			continue
		}
		for _, d := range op.Slots[i].Tensors {
			if n := len(d.Sizes); n <= now.hi {
				rank = max(rank, n)
			}
		}
	}
	return rank
}

// rankFix says what sizes and strides the tensor has with lo to hi dimensions: sizes of 1 are put in
// front or taken away.
func (c *Checker) rankFix(lo, hi int) string {
	sizes, strides := c.d.Sizes, c.d.Strides
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

// sizesFix says what sizes to write, and what strides if there are any.
func sizesFix(sizes, strides []int64) string {
	if len(strides) == 0 {
		return "sizes " + list(sizes)
	}
	return "sizes " + list(sizes) + " with strides " + list(strides)
}

// leadingOnes counts the sizes of 1 that sizes begin with, the last size aside.
func leadingOnes(sizes []int64) int {
	n := 0
	for n < len(sizes)-1 && sizes[n] == 1 {
		n++
	}
	return n
}

// operatorType compares the element type with those that the operator's page lists.
func (c *Checker) operatorType(row *operatorRow, now, latest support) {
	name := c.d.listedType()
	if name == "" || now.types&^optional == 0 || now.types.has(name) {
		return
	}
	id := OpDType
	switch c.d.Type.Bits() {
	case 4:
		id = DType4BitOp
	case 64:
		id = DType64BitOp
	}
	if !c.broken(id) {
		return
	}
	later, fix := "", ""
	if latest.types.has(name) {
		later = "; later levels take it"
	}
	if only := now.types.String(); !strings.Contains(only, ",") {
		fix = "write " + only
	}
	c.find(id, TypePart, -1, fix, "%s%s takes %s as %v, and this one is %s%s",
		row.name, c.atLevel(), c.d.Slot, now.types, name, later)
}

// atLevel names the target's level, if it has one.
func (c *Checker) atLevel() string {
	if c.target.Level == 0 {
		return ""
	}
	return " at feature level " + c.target.Level.String()
}

// stridedBug warns of operators that read or write strided tensors wrongly at the target's level.
func (c *Checker) stridedBug(row *operatorRow, role Role) {
	fixed, fault := Level(0), "is known to compute strided tensors wrongly"
	switch {
	case row.name == "ACTIVATION_SWISH" && role == Input:
		fixed = 63
	case (row.name == "ACTIVATION_HARDMAX" || row.name == "ACTIVATION_HARDMAX1") && role == Output:
		fixed = 52
	case strings.HasPrefix(row.name, "ACTIVATION_") && len(c.d.Sizes) == 5:
		fixed, fault = 20, "takes no strides with 5 dimensions"
	}
	if !c.target.before(fixed) || len(c.d.Strides) == 0 {
		return
	}
	packed, _ := rowMajor(nil, c.d.Sizes)
	if differing(c.d.Sizes, c.d.Strides, packed) < 0 || !c.broken(StridedRuntimeBug) {
		return
	}
	c.find(StridedRuntimeBug, StridesPart, -1, "leave Strides out and pack the tensor",
		"%s %s before feature level %v, and the target is %v", row.name, fault, fixed, c.target.Level)
}

// sameSlots checks the groups of slots that have to agree. Each tensor is compared with one of those that more than
// half of the group agree with. If there is none, or if those are to be repeated, types are compared with those of the
// group's first slot, counts and sizes with those of its last slot, which is an output if one is.
func (c *Checker) sameSlots(row *operatorRow, op *Operator) {
	for _, g := range row.same {
		first, last := op.ends(row, g)
		if last == nil {
			continue
		}
		typed := cmp.Or(op.majority(row, g, sameType), first)
		sized := cmp.Or(op.majority(row, g, g.in&^sameType), last)
		if g.in&sameSizes != 0 && broadcasts(sized.Sizes, last.Sizes) {
			sized = last
		}
		for i, s := range op.group(row, g) {
			now := row.at(i, c.target.Level)
			for _, c.d = range s.Tensors {
				if g.in&sameType != 0 {
					c.sameType(row, now, typed)
				}
				c.sameSizes(row, row.slots[i].Role, now, sized, g.in)
			}
		}
	}
}

// group yields what the text has for the slots of a group, with their indices.
func (op *Operator) group(row *operatorRow, g agreement) iter.Seq2[int, *OperatorSlot] {
	return func(yield func(int, *OperatorSlot) bool) {
		for i := range row.slots {
			name := row.slots[i].Name
			s := op.slot(name)
			if s != nil && (len(g.names) == 0 || slices.Contains(g.names, name)) && !yield(i, s) {
				return
			}
		}
	}
}

// ends returns the first tensors of the first and of the last slot of the group that have any.
func (op *Operator) ends(row *operatorRow, g agreement) (first, last *Descriptor) {
	for _, s := range op.group(row, g) {
		if len(s.Tensors) > 0 {
			last = s.Tensors[0]
			first = cmp.Or(first, last)
		}
	}
	return first, last
}

// majority returns a tensor with which more than half of the group's tensors agree in the given respects; nil
// if there is none. Votes against each other cancel, so that a tensor with more than half is left over.
func (op *Operator) majority(row *operatorRow, g agreement, in uint8) *Descriptor {
	var found *Descriptor
	votes, all := 0, 0
	for _, s := range op.group(row, g) {
		for _, d := range s.Tensors {
			switch {
			case votes == 0:
				found, votes = d, 1
			case d.agrees(found, in):
				votes++
			default:
				votes--
			}
		}
	}
	votes = 0
	for _, s := range op.group(row, g) {
		for _, d := range s.Tensors {
			if all++; d.agrees(found, in) {
				votes++
			}
		}
	}
	if 2*votes <= all {
		return nil
	}
	return found
}

// agrees reports whether two tensors are the same in the first of the given respects.
func (d *Descriptor) agrees(o *Descriptor, in uint8) bool {
	switch {
	case in&sameType != 0:
		return d.listedType() == o.listedType()
	case in&sameSizes != 0:
		return slices.Equal(d.Sizes, o.Sizes)
	}
	return len(d.Sizes) == len(o.Sizes)
}

// sameType compares the types of two tensors, of which the operator takes the same ones. A type that it does not take
// at all has been reported.
func (c *Checker) sameType(row *operatorRow, now support, other *Descriptor) {
	have, name := c.d.listedType(), other.listedType()
	reported := now.types&^optional != 0 && (!now.types.has(have) || !now.types.has(name))
	if have == "" || name == "" || have == name || reported || !c.broken(OpSame) {
		return
	}
	c.find(OpSame, TypePart, -1, "write "+name,
		"%s takes %s and %s of one type; here they are %s and %s", row.name, other.Slot, c.d.Slot, name, have)
}

// sameSizes compares sizes, or how many there are.
func (c *Checker) sameSizes(row *operatorRow, role Role, now support, other *Descriptor, in uint8) {
	a, b := c.d.Sizes, other.Sizes
	differ := in&sameSizes != 0 && !slices.Equal(a, b) || in&sameCount != 0 && len(a) != len(b)
	if !differ || len(a) == 0 || len(b) == 0 {
		return
	}
	refused := func(rank int) bool { return now.lo > 0 && (rank < now.lo || rank > now.hi) }
	switch {
	case in&sameSizes != 0 && role == Input && broadcasts(a, b):
		if c.broken(OpBroadcastSizes) {
			c.find(OpBroadcastSizes, SizesPart, -1, c.broadcastFix(b),
				"%s does not repeat a tensor by itself: %s has the sizes %s, and those of %s are %s",
				row.name, c.d.Slot, list(a), other.Slot, list(b))
		}
	case refused(len(a)) || refused(len(b)): // which has been reported
	case in&sameSizes != 0:
		c.find(OpSame, SizesPart, -1, "sizes "+list(b), "%s takes %s and %s of the same sizes; here they are %s and %s",
			row.name, other.Slot, c.d.Slot, list(b), list(a))
	default:
		c.find(OpSame, SizesPart, -1, c.rankFix(len(b), len(b)),
			"%s takes %s and %s with the same number of dimensions; here they have %d and %d",
			row.name, other.Slot, c.d.Slot, len(b), len(a))
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

// broadcastFix repeats the tensor as DirectML does it: full sizes, and strides of 0.
func (c *Checker) broadcastFix(sizes []int64) string {
	d := c.d
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

// unneededOnes notes two or more sizes of 1 that all tensors begin with although the operator does not
// ask for them. A single one is usually a batch.
func (c *Checker) unneededOnes(row *operatorRow, op *Operator) {
	ones, first := 0, (*Descriptor)(nil)
	for i := range op.Slots {
		if now := row.at(row.find(op.Slots[i].Name), c.target.Level); now.lo != 1 || now.hi != 8 {
			return
		}
		for _, d := range op.Slots[i].Tensors {
			if first == nil {
				first, ones = d, leadingOnes(d.Sizes)
			}
			if ones = min(ones, leadingOnes(d.Sizes)); ones < 2 {
				return
			}
		}
	}
	if first == nil || !c.broken(LeadingOnesNotNeeded) {
		return
	}
	c.d = first
	n := len(c.d.Sizes) - ones
	c.find(LeadingOnesNotNeeded, SizesPart, 0, c.rankFix(n, n),
		"all tensors begin with %d sizes of 1, and %s takes 1 to 8 dimensions", ones, row.name)
}
