package rules

import (
	"strconv"
	"strings"
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
