// Package shape reads the sizes, the layout name and the flags that a user gives for a tensor, and makes a
// layout.Tensor from them ([Spec]). It also finds the names of a layout.
//
// [Spec.Tensor] makes a plan, with names resolved, sizes in logical order, and axes in memory order. A deriver then
// assigns strides to the digits from the innermost outward. It keeps two numbers: the stride of the next digit, and the
// storage so far, which padding and whole blocks make larger than the span.
//
// The order of unlabelled sizes follows only from the letters of the name. Letters of one family have the order of the
// family. Each letter has a role, so that NHWC can be compared with BHWC. Other letters are read as written. Notes
// state assumptions that the user may not have meant.
//
// An unknown size has a name in its [List] and the value 1. The error for such a Spec has the tensors for the sizes 1,
// 2 and 3. A pixel format turns the width and height of an image into a Spec for each plane. A [Target] is the rules of
// an API for the starts of rows and images.
package shape

import (
	"fmt"

	"layoutcalc/layout"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// A Spec describes a tensor in the way a user does. Only Shape is required.
type Spec struct {
	Shape     List
	Name      *Name        // row-major if nil
	Order     *Name        // the order of unlabelled sizes
	Strides   *List        // one for each axis
	Base      Amount       // the storage offset
	Pad       []AxisNumber // unused elements after every run of an axis
	Pitch     []AxisNumber // strides to keep
	Align     []AxisNumber // the multiples that strides are rounded up to
	Lead      *Amount      // the leading dimension of a matrix
	Broadcast []AxisRef    // axes that use no storage
	Chunks    *List        // the sizes of chunks, which are stored whole
	Tile      *List        // the sizes of tiles over the last axes in memory
	Rank      int          // the minimum number of axes
	Resize    []AxisSize   // sizes to replace in Shape
	Swizzle   *Swizzle     // the exchange of offsets
	For       *Target      // the API that copies it as an image
	DType     layout.DType
	Typed     bool // the user stated the element type
}

// Tensor returns the tensor that the Spec describes.
func (s Spec) Tensor() (layout.Tensor, error) {
	t, err := s.swizzled(s.started(s.affine()))
	return t.OfSystem(s.system()), err
}

// system returns the system that the flags and the layout name, or layout.Others if they name no system.
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

// Adjust returns a tensor of known layout with the remaining settings of the Spec: the offset of index 0 and the
// swizzle.
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

// Shapes reports whether the Spec has strides or offsets. An input that describes a whole tensor has its own.
func (s Spec) Shapes() bool {
	return s.ruled() || s.Strides != nil || s.Order != nil || s.Rank != 0 || s.Base.n != 0
}

// ruled reports whether a flag changes the strides that the name gives.
func (s *Spec) ruled() bool {
	return len(s.Pad)+len(s.Pitch)+len(s.Align)+len(s.Broadcast) > 0 || s.Lead != nil ||
		s.Chunks != nil || s.Tile != nil || s.For != nil
}
