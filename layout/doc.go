// Package layout is the arithmetic of tensor memory layouts: where each element of a tensor
// lives, which element lives at an offset, how much storage that takes, and what follows.
//
// It rests on one idea. A layout is a list of axes, the index along each axis is written in
// digits, and every digit has an extent and a stride ([Layout]). Plain strided axes have one
// digit; blocked ones, as in NCHW16c, have several. Padding, broadcasting, transposes and
// flips are nothing but strides.
//
// The way through the package:
//
//   - [ParseShape], [ParseName], [ParseStrides], [ParseDType] and their kin read what users
//     write; what is wrong is a [SyntaxError] that knows the place.
//   - [Spec] puts these together and returns a [Tensor]: a layout, an element type and how each
//     stride came about.
//   - [Layout.Offset] leads from indices to offsets, [Inverse] and [Finder] lead back, and
//     [Layout.All] through all of them.
//   - [ParseSteps] reads view operations and [Step.Apply] does them; [Compare] tells how two
//     layouts differ, [Moves] and [Permutation] how one becomes the other.
//   - [Layout.Facts] judges a layout, [Tensor] counts its bytes.
//
// All values are immutable and valid by construction, in elements and int64. All arithmetic is
// checked: a result that does not fit is an [OverflowError] with the exact value. Nothing loops
// over elements but Layout.All, and a count of different offsets that no formula gives, which is
// bounded. Nothing prints.
package layout
