package rules

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
)

// An Operator is an operator of DirectML's with the tensors that a text gives it.
type Operator struct {
	Name   string // what findings call it: its path in the file
	Type   string // its name as it is written, with DML_OPERATOR_ or without
	Slots  []OperatorSlot
	Counts []CountField
	At     Locator
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

// A Locator knows where it stands. It is asked only when there is something to report.
type Locator interface{ Place() Place }

// findAt reports what no part of a descriptor is to blame for.
func (c *Checker) findAt(id ID, s Severity, at Locator, tensor, message, fix string) {
	f := Finding{Rule: id, Severity: s, Tensor: tensor, Message: message, Fix: fix}
	if at != nil {
		f.Place = at.Place()
	}
	c.Add(f)
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

// Operator holds an operator against the rules of a target that concern its tensors together:
// what DirectML's page of the operator says. Other families have no operators.
func (c *Checker) Operator(t Target, op *Operator) {
	if t.Family != DirectML {
		return
	}
	c.target = t
	row := c.operatorRow(op)
	for i := range op.Slots {
		c.operatorSlot(row, op, &op.Slots[i])
	}
	c.countFields(op)
	if row == nil || row.bits&noTable != 0 {
		return
	}
	c.requiredSlots(row, op)
	c.sameSlots(row, op)
	c.unneededOnes(row, op)
}

// operatorRow finds the operator in the table, and says what is wrong with its name.
func (c *Checker) operatorRow(op *Operator) *operatorRow {
	row := findOperator(op.Type)
	switch {
	case row == nil && c.wants(OpKnown, Error):
		name := strings.TrimPrefix(strings.ToUpper(clip(op.Type)), operatorPrefix)
		fix := c.didYouMean(name, len(operators), func(i int) string { return operators[i].name })
		c.findAt(OpKnown, Error, op.At, op.Name, "DirectML has no operator "+strconv.Quote(clip(op.Type)), fix)
	case row == nil:
	case c.target.before(row.level) && c.wants(OpLevel, Error):
		c.findAt(OpLevel, Error, op.At, op.Name,
			row.name+" came with feature level "+row.level.String()+", and the target is "+c.target.Level.String(), "")
	case row.bits&notDxDispatch != 0 && c.wants(OpKnown, Warning):
		c.findAt(OpKnown, Warning, op.At, op.Name, row.name+" is an operator of DirectML's that DxDispatch does not read", "")
	}
	return row
}

// operatorSlot checks each tensor of a slot by itself.
func (c *Checker) operatorSlot(row *operatorRow, op *Operator, s *OperatorSlot) {
	known := Slot{}
	if row != nil {
		known, _ = row.find(s.Name)
	}
	for _, d := range s.Tensors {
		c.d = d
		if known.Name == "" {
			c.unlistedWide()
			continue
		}
		now, latest := known.at(c.target.Level), known.at(0)
		c.operatorRank(row, op, now, latest)
		c.operatorType(row, now, latest)
		if row.bits&ownsNoInput != 0 && known.Role == Input && d.owned() && c.broken(OwnedOp) {
			c.find(OwnedOp, FlagsPart, -1, "leave the flag out", "%s reads its %s when it runs, so DirectML cannot own it", row.name, s.Name)
		}
		c.stridedBug(row, known.Role)
	}
}

// owned reports whether the tensor is DirectML's to keep.
func (d *Descriptor) owned() bool {
	for _, f := range d.Flags {
		if strings.TrimPrefix(f, "DML_TENSOR_FLAG_") == "OWNED_BY_DML" {
			return true
		}
	}
	return false
}

// requiredSlots reports slots that must be filled and are not.
func (c *Checker) requiredSlots(row *operatorRow, op *Operator) {
	for i := range row.len() {
		s := row.slot(i)
		if s.at(c.target.Level).optional || op.slot(s.Name) != nil || !c.wants(RequiredMissing, Error) {
			continue
		}
		c.findAt(RequiredMissing, Error, op.At, op.Name+"."+s.Name, row.name+" has no "+s.Name+", which it needs", "")
	}
}

// countFields compares the fields that count tensors with the lists.
func (c *Checker) countFields(op *Operator) {
	for _, f := range op.Counts {
		s := op.slot(f.Slot)
		if s == nil || s.Broken || int64(len(s.Tensors)) == f.Value || !c.wants(CountFields, Error) {
			continue
		}
		n := strconv.Itoa(len(s.Tensors))
		c.findAt(CountFields, Error, f.At, op.Name, f.Name+" is "+strconv.FormatInt(f.Value, 10)+", and "+f.Slot+" has "+n, "write "+n)
	}
}

//go:generate go run gen_operators.go

// operatorPrefix stands before the names of operators where they are spelled out.
const operatorPrefix = "DML_OPERATOR_"

// An operatorRow is an operator of DirectML's in the generated table.
type operatorRow struct {
	name  string
	level Level
	bits  uint8
	slots string // pairs of indices into slotNames and slotKinds
	same  string // groups: sameType and its kin, how many slots, which
}

// The bits of a row.
const (
	runsInPlace   = 1 << iota // output and input may be one region
	ownsNoInput               // inputs may not be OWNED_BY_DML
	notDxDispatch             // documented, but unknown to DxDispatch's parser
	noTable                   // no table says what it takes
)

// The bits of a slot's kind, that of its level, and what slots may agree in.
const (
	slotOutput = 1
	slotArray  = 2

	slotOptional = 0x80

	sameType  = 1
	sameCount = 2
	sameSizes = 4
)

// findOperator returns the row of an operator, with its prefix or without; nil if there is none.
func findOperator(name string) *operatorRow {
	name = strings.TrimPrefix(name, operatorPrefix)
	i, ok := slices.BinarySearchFunc(operators[:], name, func(r operatorRow, name string) int { return cmp.Compare(r.name, name) })
	if !ok {
		return nil
	}
	return &operators[i]
}

// A Slot is a tensor that an operator takes.
type Slot struct {
	Name  string // such as InputTensor
	Role  Role
	Array bool // it is a list of tensors
	kind  string
}

// Slots returns the tensors of an operator of DirectML's, whose name may have the prefix
// DML_OPERATOR_. It returns none for what is no operator, or has no table.
func Slots(operator string) []Slot {
	row := findOperator(operator)
	if row == nil {
		return nil
	}
	slots := make([]Slot, row.len())
	for i := range slots {
		slots[i] = row.slot(i)
	}
	return slots
}

func (r *operatorRow) len() int { return len(r.slots) / 2 }

// slot returns slot i.
func (r *operatorRow) slot(i int) Slot {
	kind := slotKinds[r.slots[2*i+1]]
	role := Input
	if kind[0]&slotOutput != 0 {
		role = Output
	}
	return Slot{slotNames[r.slots[2*i]], role, kind[0]&slotArray != 0, kind[1:]}
}

// find returns the slot of that name.
func (r *operatorRow) find(name string) (Slot, bool) {
	for i := range r.len() {
		if slotNames[r.slots[2*i]] == name {
			return r.slot(i), true
		}
	}
	return Slot{}, false
}

// A support is what a slot takes at a feature level.
type support struct {
	since    Level // the level that it came with
	optional bool
	lo, hi   int // the dimension counts; 0 where the page does not say
	types    typeSet
}

// at returns what the slot takes at a level; 0 is the latest. At a level before its first it is
// that of the first.
func (s Slot) at(level Level) support {
	var found support
	for k := s.kind; len(k) >= 4; k = k[4:] {
		found = support{Level(k[0] &^ slotOptional), k[0]&slotOptional != 0, int(k[1] >> 4), int(k[1] & 15), typeSet(k[2])<<8 | typeSet(k[3])}
		if level == 0 || found.since <= level {
			break
		}
	}
	return found
}

// A typeSet is a set of dmlTypes, with a bit for each in their order; empty where a page does not
// say.
type typeSet uint16

// has reports whether the set has a type of DirectML's.
func (s typeSet) has(name string) bool {
	for i, t := range dmlTypes {
		if t == name {
			return s>>i&1 != 0
		}
	}
	return false
}

// String lists the types.
func (s typeSet) String() string {
	var names []string
	for i, t := range dmlTypes {
		if s>>i&1 != 0 {
			names = append(names, t)
		}
	}
	return strings.Join(names, ", ")
}

// sameSlots checks the groups of slots that have to agree. Each tensor is compared with one of those
// that more than half of the group agree with. Where there is none, or these are to be repeated,
// types are compared with those of the group's first tensor, counts and sizes with those of its
// last, which is an output if one is.
func (c *Checker) sameSlots(row *operatorRow, op *Operator) {
	for g := row.same; len(g) > 2; g = g[2+g[1]:] {
		slots := g[2 : 2+g[1]]
		typed := row.majority(op, slots, sameType)
		if typed == nil {
			typed = row.groupTensor(op, slots, true)
		}
		sized, last := row.majority(op, slots, g[0]&^sameType), row.groupTensor(op, slots, false)
		if sized == nil || g[0]&sameSizes != 0 && broadcasts(sized.Sizes, last.Sizes) {
			sized = last
		}
		for i := range slots {
			s := row.slot(int(slots[i]))
			have := op.slot(s.Name)
			if have == nil {
				continue
			}
			for _, d := range have.Tensors {
				c.d = d
				if g[0]&sameType != 0 {
					c.sameType(row, s, typed)
				}
				c.sameSizes(row, s, sized, g[0])
			}
		}
	}
}

// majority returns a tensor with which more than half of the group agree in what the mask has; nil if
// there is none. Votes against each other cancel, so that whoever has more than half is left over.
func (r *operatorRow) majority(op *Operator, slots string, mask byte) *Descriptor {
	var found *Descriptor
	votes, all := 0, 0
	for d := range r.tensors(op, slots) {
		switch {
		case votes == 0:
			found, votes = d, 1
		case d.agrees(found, mask):
			votes++
		default:
			votes--
		}
	}
	votes = 0
	for d := range r.tensors(op, slots) {
		if all++; d.agrees(found, mask) {
			votes++
		}
	}
	if 2*votes <= all {
		return nil
	}
	return found
}

// tensors yields the tensors of a group of slots.
func (r *operatorRow) tensors(op *Operator, slots string) iter.Seq[*Descriptor] {
	return func(yield func(*Descriptor) bool) {
		for i := range slots {
			s := op.slot(slotNames[r.slots[2*slots[i]]])
			for k := 0; s != nil && k < len(s.Tensors); k++ {
				if !yield(s.Tensors[k]) {
					return
				}
			}
		}
	}
}

// agrees reports whether two tensors are the same in what the mask has.
func (d *Descriptor) agrees(o *Descriptor, mask byte) bool {
	switch {
	case mask&sameType != 0:
		return d.listedType() == o.listedType()
	case mask&sameSizes != 0:
		return slices.Equal(d.Sizes, o.Sizes)
	}
	return len(d.Sizes) == len(o.Sizes)
}

// groupTensor returns the first tensor of a group of slots, or the last one.
func (r *operatorRow) groupTensor(op *Operator, slots string, first bool) *Descriptor {
	var found *Descriptor
	for i := range slots {
		s := op.slot(slotNames[r.slots[2*slots[i]]])
		if s == nil || len(s.Tensors) == 0 {
			continue
		}
		if found = s.Tensors[0]; first {
			return found
		}
	}
	return found
}

// sameType compares the types of two tensors. One that the operator does not take at all has been
// reported.
func (c *Checker) sameType(row *operatorRow, s Slot, other *Descriptor) {
	have, name := c.d.listedType(), other.listedType()
	if have == "" || name == "" || have == name {
		return
	}
	types := s.at(c.target.Level).types
	if types != 0 && !types.has(have) || !c.broken(OpSame) {
		return
	}
	c.find(OpSame, TypePart, -1, "write "+name,
		"%s wants %s and %s of one type; here they are %s and %s", row.name, other.Slot, c.d.Slot, name, have)
}

// sameSizes compares sizes, or how many there are.
func (c *Checker) sameSizes(row *operatorRow, s Slot, other *Descriptor, mask byte) {
	a, b := c.d.Sizes, other.Sizes
	differ := mask&sameSizes != 0 && !slices.Equal(a, b) || mask&sameCount != 0 && len(a) != len(b)
	if !differ || len(a) == 0 || len(b) == 0 {
		return
	}
	switch now := s.at(c.target.Level); {
	case mask&sameSizes != 0 && s.Role == Input && broadcasts(a, b):
		if c.broken(OpBroadcastSizes) {
			c.find(OpBroadcastSizes, SizesPart, -1, c.broadcastFix(b),
				"%s does not repeat a tensor by itself: %s has the sizes %s, and those of %s are %s", row.name, c.d.Slot, list(a), other.Slot, list(b))
		}
	case now.lo > 0 && (len(a) < now.lo || len(a) > now.hi): // which has been reported
	case mask&sameSizes != 0:
		c.find(OpSame, SizesPart, -1, "sizes "+list(b),
			"%s wants %s and %s of the same sizes; here they are %s and %s", row.name, other.Slot, c.d.Slot, list(b), list(a))
	default:
		c.find(OpSame, SizesPart, -1, c.rankFix(support{lo: len(b), hi: len(b)}),
			"%s wants %s and %s with the same number of dimensions; here they have %d and %d", row.name, other.Slot, c.d.Slot, len(b), len(a))
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
	return sizesFix(sizes, strides, true)
}

// unneededOnes notes sizes of 1 that all tensors begin with although the operator does not want
// them. A single one is usually a batch.
func (c *Checker) unneededOnes(row *operatorRow, op *Operator) {
	ones, first := 0, (*Descriptor)(nil)
	for i := range op.Slots {
		s, ok := row.find(op.Slots[i].Name)
		if now := s.at(c.target.Level); !ok || now.lo != 1 || now.hi != 8 {
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
	if ones < 2 || !c.broken(LeadingOnesNotNeeded) {
		return
	}
	c.d = first
	n := len(c.d.Sizes) - ones
	c.find(LeadingOnesNotNeeded, SizesPart, 0, c.rankFix(support{lo: n, hi: n}),
		"all tensors begin with %d sizes of 1, and %s takes 1 to 8 dimensions", ones, row.name)
}

// operatorRank compares the number of dimensions with what the operator's page lists. What only
// an older level refuses is a warning.
func (c *Checker) operatorRank(row *operatorRow, op *Operator, now, latest support) {
	n := len(c.d.Sizes)
	if n == 0 || now.lo == 0 || now.lo <= n && n <= now.hi {
		return
	}
	severity, later := Error, ""
	if latest.lo <= n && n <= latest.hi {
		severity, later = Warning, "; later levels take it"
	}
	id := OpDimCount
	if n < now.lo {
		id = LeadingOnes
	}
	if !c.wants(id, severity) {
		return
	}
	fix := now
	fix.lo = c.rankBeside(row, op, now)
	c.findAs(id, severity, SizesPart, -1, c.rankFix(fix), "%s%s takes %s with %s, and this one has %d%s",
		row.name, c.atLevel(), c.d.Slot, now.dimensions(), n, later)
}

// rankBeside is the least number of dimensions, or the number that the operator's other tensors have
// which may have as many.
func (c *Checker) rankBeside(row *operatorRow, op *Operator, now support) int {
	rank := now.lo
	for i := range op.Slots {
		s, _ := row.find(op.Slots[i].Name)
		if other := s.at(c.target.Level); other.lo != now.lo || other.hi != now.hi {
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

// atLevel names the target's level, where it has one.
func (c *Checker) atLevel() string {
	if c.target.Level == 0 {
		return ""
	}
	return " at feature level " + c.target.Level.String()
}

// dimensions says how many dimensions there may be.
func (s support) dimensions() string {
	if s.lo == s.hi {
		return count(int64(s.lo), "dimension")
	}
	return fmt.Sprintf("%d to %d dimensions", s.lo, s.hi)
}

// rankFix puts sizes of 1 in front, or takes them away.
func (c *Checker) rankFix(s support) string {
	d := c.d
	if n := s.lo - len(d.Sizes); n > 0 {
		return sizesFix(append(repeat(n, 1), d.Sizes...), append(repeat(n, 0), d.Strides...), len(d.Strides) > 0)
	}
	n := len(d.Sizes) - s.hi
	if leadingOnes(d.Sizes) < n || len(d.Strides) > 0 && len(d.Strides) != len(d.Sizes) {
		return ""
	}
	return sizesFix(d.Sizes[n:], d.Strides[min(n, len(d.Strides)):], len(d.Strides) > 0)
}

func repeat(n int, v int64) []int64 {
	numbers := make([]int64, n)
	for i := range numbers {
		numbers[i] = v
	}
	return numbers
}

// sizesFix says what sizes to write, and what strides where there are such.
func sizesFix(sizes, strides []int64, strided bool) string {
	if !strided {
		return "sizes " + list(sizes)
	}
	return "sizes " + list(sizes) + " with strides " + list(strides)
}

// leadingOnes counts the sizes of 1 that sizes begin with, the last one aside.
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
	if name == "" || now.types == 0 || now.types.has(name) {
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
	c.find(id, TypePart, -1, fix, "%s%s takes %s as %v, and this one is %s%s", row.name, c.atLevel(), c.d.Slot, now.types, name, later)
}

// listedType is DirectML's name of the type; empty where there is none, or a placeholder.
func (d *Descriptor) listedType() string {
	if !d.TypeKnown || d.Type.Bits() == 0 {
		return ""
	}
	return d.Type.Info().DirectML
}

// unlistedWide notes a type of 64 bits on an operator of which nothing is known.
func (c *Checker) unlistedWide() {
	if name := c.d.listedType(); name != "" && c.d.Type.Bits() == 64 && c.wants(DType64BitOp, Note) {
		c.findAs(DType64BitOp, Note, TypePart, -1, "", "most operators do not take %s, and what this one takes is not known", name)
	}
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
	if !c.target.before(fixed) || !c.d.strided() || !c.broken(StridedRuntimeBug) {
		return
	}
	c.find(StridedRuntimeBug, StridesPart, -1, "leave Strides out and pack the tensor",
		"%s %s before feature level %v, and the target is %v", row.name, fault, fixed, c.target.Level)
}

// strided reports whether strides are stated that are not those of a packed tensor.
func (d *Descriptor) strided() bool {
	if len(d.Strides) != len(d.Sizes) {
		return len(d.Strides) > 0
	}
	next := int64(1)
	for i := len(d.Sizes) - 1; i >= 0; i-- {
		if d.Sizes[i] != 1 && d.Strides[i] != next {
			return true
		}
		next *= d.Sizes[i] // it may wrap: then no stride that is valid is it
	}
	return false
}
