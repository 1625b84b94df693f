package descriptor

import (
	"layoutcalc/layout"
	"layoutcalc/layout/finding"
)

// A Model is a DxDispatch model: operators, their buffers, and the bindings between them.
type Model struct {
	Resources     []Resource
	Dispatchables []Dispatchable
	Commands      []Command
}

// A Resource is a buffer of a model.
type Resource struct {
	Name     string
	Type     layout.DType // the type of the initial values
	Typed    bool         // there is a type, of whole bytes
	Elements Number       // the number of initial values
	Initial  Number       // their bytes, before DxDispatch rounds them up to a multiple of 4
	Stated   Number       // sizeInBytes
	At       finding.Locator
	SizeAt   finding.Locator // of sizeInBytes; nil if it is not stated
}

// Size returns the number of bytes of the buffer, as DxDispatch creates it.
func (r *Resource) Size() (bytes int64, known bool) {
	if r.Stated.Stated {
		return r.Stated.Value, true
	}
	n := r.Initial.Value
	return (n + 3) &^ 3, r.Initial.Stated && n <= 1<<63-1-3
}

// A Dispatchable is an operator, or a shader, an ONNX model or a serialized graph. If it is not an operator, only the
// name is known.
type Dispatchable struct {
	Name     string
	Operator *Operator // nil if it is not an operator
	Bindings []Binding // at initialization: of the tensors that DirectML owns
}

// A Command is a step of a model.
type Command struct {
	Dispatch     bool
	Dispatchable string // the dispatchable of a dispatch
	Bindings     []Binding
	Resource     string // the resource that it prints or writes to a file; may be empty
	At           finding.Locator
}

// A Binding assigns resources to a bind point.
type Binding struct {
	Point     string
	Resources []Bound
	At        finding.Locator
}

// A Bound is a resource, or a part of one, at a bind point.
type Bound struct {
	Name        string
	Offset      Number // elementOffset
	ElementSize Number // elementSizeInBytes
	Counter     string // the resource of its counter; may be empty
	At          finding.Locator
}
