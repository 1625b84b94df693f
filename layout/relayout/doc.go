// Package relayout moves the elements of a tensor from one layout to another: in memory, from file
// to file, or to a stream, as fast as the memory allows.
//
// [New] plans a move from the two layouts alone. The indices of each axis are written in digits
// that both layouts can count with, so that loops with one stride on each side remain; neighbours
// that stay neighbours are merged, and what is adjacent on which side decides which kernel moves
// the innermost loops: copies of runs, transposes of tiles, planes that are woven into pixels. A
// [Plan] is a value, and its text says what was chosen.
//
// [Plan.Move] runs a plan in memory. [Plan.Copy] and [Plan.Stream] cut the tensor into slabs that
// fit a limit of memory: pieces of the source are read, moved from one buffer to another, and
// written. [Verify] reads both sides again and compares them.
//
// Kernels for amd64 are in assembly; other processors have twins of them in Go, and plain loops.
package relayout
