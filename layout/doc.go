// Package layout is the model of tensor memory layouts: where each element of a tensor is, and how much
// storage that takes.
//
// It rests on one idea. A layout is a list of axes, the index along each axis is written in
// digits, and every digit has an extent and a stride ([Layout]). Plain strided axes have one
// digit; blocked ones, as in NCHW16c, have several. Padding, broadcasting, transposes and
// flips are nothing but strides. [Layout.Runs] is the one normal form of the digits.
//
// A [Tensor] is a layout with an element type ([DType]) and the origin of each stride ([Origin]). Other packages parse
// input (shape, input), apply views (view), judge layouts (analysis) and descriptors (rules), read and write the
// spellings of other systems (notation), and move data (relayout).
//
// All values are immutable and valid by construction, in elements and int64. All arithmetic is checked: a result that
// does not fit is an [OverflowError] with the exact value. Nothing loops over elements but [Layout.All], and nothing
// prints.
package layout
