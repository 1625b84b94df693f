// Package shape reads the sizes, the layout name and the flags that a user gives for a tensor, and makes a
// layout.Tensor of them ([Spec]). It also knows the names of a layout.
//
// [Spec.Tensor] makes a plan: names resolved, sizes in logical order, axes in the order of memory. A deriver then lays
// out the digits from the innermost outward, with two numbers: the stride of the next digit, and the storage so far,
// which padding and whole blocks make larger than the span.
//
// The order of sizes without labels follows from the letters of the name alone. Letters of one family have its order,
// and each has a role, by which NHWC is compared with BHWC; other letters are read as written. A note names the
// assumptions that the reader may not have meant.
//
// An unknown size has a name in its [List] and the value 1. The error of such a Spec has the tensors for the sizes 1, 2
// and 3. A format of images turns width and height into a Spec for each plane. What an API demands of rows and starts
// of images is a [Target].
package shape

import (
	"fmt"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A Spec describes a tensor the way its user does. Only Shape is needed.
type Spec struct {
	Shape     List
	Name      *Name        // row-major when nil
	Order     *Name        // the order of unlabelled sizes
	Strides   *List        // one for each axis
	Base      Amount       // the storage offset
	Pad       []AxisNumber // unused elements after every run of an axis
	Pitch     []AxisNumber // strides to keep
	Align     []AxisNumber // the multiples that strides are rounded up to
	Lead      *Amount      // the leading dimension of a matrix
	Broadcast []AxisRef    // axes that take no storage
	Chunks    *List        // the sizes of chunks, each of which is stored whole
	Tile      *List        // the sizes of tiles over the last axes in memory
	Rank      int          // how many axes there are to be at least
	Resize    []AxisSize   // sizes in place of those in Shape
	Swizzle   *Swizzle     // the exchange of offsets
	For       *Target      // the API that copies it as an image
	DType     layout.DType
	Typed     bool // the user asked for the type
}

// Tensor returns the tensor that the Spec describes.
func (s Spec) Tensor() (layout.Tensor, error) {
	t, err := s.swizzled(s.started(s.affine()))
	return t.OfSystem(s.system()), err
}

// system returns the system that the flags and the layout name, layout.Others if they name none.
func (s *Spec) system() layout.System {
	switch {
	case s.For != nil:
		return s.For.System
	case s.Chunks != nil:
		return layout.Zarr
	case s.Tile != nil:
		return layout.XLA
	case s.Name != nil && isTag(s.Name.letters):
		return layout.OneDNN
	}
	return layout.Others
}

// affine returns the tensor without its swizzle.
func (s *Spec) affine() (layout.Tensor, error) {
	if s.Shape.open != nil {
		return layout.Tensor{}, s.openFault()
	}
	if s.Name != nil && s.Name.strides != nil {
		return s.fromStrides()
	}
	p, err := s.plan()
	if err != nil {
		return layout.Tensor{}, err
	}
	var t layout.Tensor
	if s.Strides != nil {
		if t, err = p.stride(*s.Strides); err == nil && s.Name != nil {
			err = p.agree(t.Layout(), s)
		}
	} else {
		t, err = p.derive(s.Name == nil && s.Order == nil && !s.ruled())
	}
	if e, ok := err.(*layout.OverflowError); ok && e.What == "the span" {
		hint := fmt.Sprintf("as %s it would take a buffer of %s", s.DType, wording.Count(layout.ExactBuffer(s.DType,
			e.Exact), "byte"))
		err = &layout.OverflowError{What: e.What, Exact: e.Exact, Hint: hint}
	}
	return t, err
}

// Adjust returns a tensor of known layout with the remaining settings of the Spec: the offset of index 0, the swizzle.
func (s Spec) Adjust(t layout.Tensor) (layout.Tensor, error) {
	base := t.Layout().Base()
	more, err := s.base(t.DType())
	switch {
	case err != nil:
		return layout.Tensor{}, err
	case s.Strides != nil || s.ruled():
		return layout.Tensor{}, lexer.Refuse("", "the text gives every stride already: "+
			"--strides, --pad, --pitch, --align, --ld, --broadcast, --chunks, --tile and --for cannot change them")
	case s.Order != nil || s.Rank != 0:
		return layout.Tensor{}, lexer.Refuse("--view 'unsqueeze(0)' adds an axis",
			"the text lists every axis already: --order and --rank cannot change them")
	case s.Resize != nil:
		return layout.Tensor{}, lexer.Refuse("such as 1x3x224x224 NHWC",
			"--sweep is for a shape, and this is a whole tensor")
	case more != 0 && base != 0:
		return layout.Tensor{}, lexer.Refuse("", "the text gives the storage offset already: %d", base).
			LeaveOut("--storage-offset")
	case more > 0:
		t, err = t.Moved(more)
	}
	return s.swizzled(t, err)
}

// base returns the storage offset in elements of the type.
func (s *Spec) base(d layout.DType) (int64, error) {
	n, err := s.Base.Elements(d)
	if err == nil && n < 0 {
		err = lexer.Refuse("", "the storage offset %d is negative", n)
	}
	return n, err
}

// Shapes reports whether the Spec gives strides or offsets, as a text that describes a whole tensor
// does itself.
func (s Spec) Shapes() bool {
	return s.ruled() || s.Strides != nil || s.Order != nil || s.Rank != 0 || s.Base.n != 0
}

// ruled reports whether a flag changes the strides that the name gives.
func (s *Spec) ruled() bool {
	return len(s.Pad)+len(s.Pitch)+len(s.Align)+len(s.Broadcast) > 0 || s.Lead != nil ||
		s.Chunks != nil || s.Tile != nil || s.For != nil
}
