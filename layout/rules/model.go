package rules

import "layoutcalc/layout"

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
