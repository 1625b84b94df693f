package descfile

import (
	"math"
	"slices"
	"strings"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
)

// command reads a step of a model.
func (r *dxReader) command(v doctree.Value) {
	kind, ok := v.Get("type")
	switch {
	case v.Kind() != doctree.Object:
		r.wrong(v, "", "an object")
		return
	case !ok:
		r.lacks(v, "", "type")
		return
	}
	word := r.commandType(kind)
	c := rules.Command{Dispatch: word == "dispatch", At: v}
	if _, ok := v.Get("targetPath"); !ok && word == "writeFile" {
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

// dxCommands are the types of commands, whose case does not matter.
var dxCommands = [...]string{"dispatch", "print", "writeFile"}

// commandType returns the type of a command, or the known one that is most like it.
func (r *dxReader) commandType(kind doctree.Value) string {
	if kind.Kind() != doctree.String {
		r.wrong(kind, "", "the type of a command")
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
	r.find(rules.JSONField, kind, "", fix, "%s is no type of command: the program stops at it", dxQuote(kind.Text()))
	return near
}

// dispatch reads what a command dispatches, and what it binds.
func (r *dxReader) dispatch(v doctree.Value, c *rules.Command) bool {
	name, ok := v.Get("dispatchable")
	switch {
	case !ok:
		r.lacks(v, "", "dispatchable")
		return false
	case name.Kind() != doctree.String:
		r.wrong(name, "", "the name of a dispatchable")
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

// bindings reads an object of bind points, each with a resource or a list of such.
func (r *dxReader) bindings(v doctree.Value, owner string) []rules.Binding {
	if v.Kind() != doctree.Object {
		r.wrong(v, owner, "an object")
		return nil
	}
	var list []rules.Binding
	for m := range r.members(v) {
		b := rules.Binding{Point: m.Key(), At: m}
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

// bound adds a resource: its name, or an object with the part of it that is meant.
func (r *dxReader) bound(list []rules.Bound, v doctree.Value, owner string) []rules.Bound {
	if v.Kind() == doctree.String {
		return append(list, rules.Bound{Name: v.Text(), At: v})
	}
	if v.Kind() != doctree.Object {
		r.wrong(v, owner, "the name of a resource")
		return list
	}
	name, ok := v.Get("name")
	if !ok || name.Kind() != doctree.String {
		r.lacks(v, owner, "name")
		return list
	}
	r.nearBound(v, owner)
	b := rules.Bound{Name: name.Text(), At: v}
	b.Offset = r.positive(v, "elementOffset", owner)
	b.ElementSize = r.positive(v, "elementSizeInBytes", owner)
	r.positive(v, "elementCount", owner)
	if c, ok := v.Get("counter"); ok && c.Kind() == doctree.String {
		b.Counter = c.Text()
	}
	return append(list, b)
}

// dxBound are the members of a binding that is an object.
var dxBound = [...]string{"name", "elementCount", "elementSizeInBytes", "elementOffset", "format", "counter", "counterOffsetBytes", "shape"}

// nearBound reports names that are almost those of a binding's members.
func (r *dxReader) nearBound(v doctree.Value, owner string) {
	for m := range r.members(v) {
		if slices.ContainsFunc(dxBound[:], m.IsKey) {
			continue
		}
		near := r.near(m.Key(), dxBound[:])
		if _, there := v.Get(near); near != "" && !there {
			r.find(rules.JSONKeyCase, keyLocator{m}, owner, "write "+near, "%s is not %s: the program ignores it", dxQuote(m.Key()), near)
		}
	}
}

// positive is unsigned without what is negative, which has been reported.
func (r *dxReader) positive(v doctree.Value, name, owner string) rules.Number {
	n := r.unsigned(v, name, owner, math.MaxInt64)
	if n.Value < 0 {
		return rules.Number{}
	}
	return n
}
