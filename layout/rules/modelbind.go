package rules

import (
	"fmt"
	"strconv"

	"layoutcalc/layout/scan"
)

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
	case row == nil || row.bits&noTable != 0 || !b.c.broken(BindUnknown):
		return nil
	}
	if _, ok := row.find(binding.Point); ok {
		b.c.findAt(BindUnknown, Warning, binding.At, d.Name+"."+binding.Point, "the operator's descriptor has no "+binding.Point+": the resource goes to no tensor", "")
		return nil
	}
	fix := b.c.didYouMean(binding.Point, row.len(), func(i int) string { return row.slot(i).Name })
	b.c.findAt(BindUnknown, Warning, binding.At, d.Name, row.name+" has no bind point "+quoted(binding.Point)+": the program ignores it", fix)
	return nil
}

// owned reports whether the slot's tensors are DirectML's to keep.
func (s *OperatorSlot) owned() bool { return len(s.Tensors) > 0 && s.Tensors[0].owned() }

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
	if near := scan.Nearest(name, known); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}
