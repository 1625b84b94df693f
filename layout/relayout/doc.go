// Package relayout moves the elements of a tensor from one layout to another, in memory, from file to file or to a
// stream, as fast as the memory allows.
//
// [New] plans a move from the two layouts alone; a [Plan] is immutable, and its String method lists the choices.
// [Plan.Move] runs it in memory. [Plan.Copy] and [Plan.Stream] cut the tensor into slabs that fit a limit of memory.
// [Verify] reads both sides again and compares them. An element has 4, 8, 16, 32, 64 or 128 bits. The bits do not
// change, except that [Options].Swap reverses the bytes of each element.
//
// New rejects everything that could give a wrong result: different sizes or bits, an element before offset 0, and a
// target in which two elements share an offset. A source may overlap and broadcast.
//
// # From two layouts to loops
//
// A side (region.go) has the runs of a layout and the offset of index 0. A run is one digit, or several digits that
// continue each other. The runs of the target include the part of a block beyond the size of its axis, because that
// part is storage too. A buffer has the same runs with other strides.
//
// The indices of an axis are written in digits that both layouts can count with (plan.go). C may be {4,16}{16,1} on
// one side and plain on the other. Where each weight divides the next, every digit has one stride per side. Blocks of
// 4 and of 6 do not divide each other: such an axis has a loose digit, which counts single indices up to the least
// common multiple of the blocks and has no single stride.
//
// A region is a span of values of each digit. Loops alone describe a part of a region. An axis that is not full gives a
// part for each digit at which its indices fall below the size, and a loose digit gives a part for each stretch between
// the starts of an innermost run on either side.
//
// A box is a part in bytes (nest.go). Loops of one step are dropped, loops that continue each other are merged, and
// elements that are adjacent on both sides become one wider element of up to 16 bytes. A nest is a kernel for the
// innermost loops, inside the remaining loops with the longest strides outermost.
//
// # Kernels
//
//	rows           bytes that are adjacent on both sides                        nest.go
//	mirror         elements adjacent on both sides, in the opposite order       nest.go
//	interleaving   a few planes to pixels, or pixels to planes                  interleave.go
//	tile           rows of a matrix become columns: everything else             tile.go
//	nibble tile    a matrix of 4-bit elements, columns at whole bytes           nibbles.go
//	permutation    4-bit elements within blocks of up to 8 bytes                nibbles.go
//	widening       all other 4-bit elements, as bytes                           widening.go
//	scattering     within a widening: bytes in any order                        shuffles.go
//
// A tile reads strips: 2, 4 or 8 rows, 16 bytes of each, interleaved in registers. With AVX-512 it reads squares of
// 64 by 64 bytes, transposed in registers. A remainder that does not fill a strip is moved again together with its
// neighbors, so an element may be written twice with the same bytes, but by one job only. If the rows or columns are
// too few, fusion adds the next loop to them.
//
// Strips write to a stage, 64 columns of 128 bytes that stay in the first cache. A full stage is written to the
// target as pairs of whole cache lines. Squares write straight to the target if its columns start at lines. A target
// of 8 MB and more is written past the caches, so that the processor does not read a line only to overwrite it. Short
// columns that start anywhere are first collected in a batch of 200 KB.
//
// Two traps cost up to twice the time. A table in memory must not be near a stage: an Intel processor compares the
// lowest 16 bits of physical addresses, and takes a read of the table for a read of data just written. And a call for
// each square passes structures by value, which waits for the store buffer, so each kernel loops over many squares or
// strips in one call.
//
// The kernels of amd64 are in kernel_amd64.s: SSE2 for every processor, and variants for AVX2 and AVX-512, which
// thisProcessor detects once. The kernels of arm64 use NEON and write nothing past the caches. Other processors, and
// the build tag purego, use portable.go.
//
// # Elements of 4 bits
//
// If elements always move in pairs that share a byte on both sides, they are moved as bytes. A nibble tile splits two
// rows of 4-bit elements into two rows of bytes, of the even and of the odd columns, and moves these as a tile. A
// permutation works on blocks of up to 8 bytes: it masks the elements that move by the same distance, and moves them
// together. Everything else is widened, in blocks of about 8,192 elements that stay in the first cache: the runs of the
// source are unpacked to one byte per element, moved, and packed again. A run may start and end inside a byte; the
// other half of the byte stays.
//
// # Slabs, jobs and pieces
//
// A cut divides a tensor into regions (cut.go). Move uses about four regions per job. Copy uses regions that are read
// and written in long pieces. Stream uses regions that follow one another in the target. A loose digit is never cut,
// because a range of its indices would start or end inside a block. Regions of 4-bit elements never share a byte.
//
// A slab is a region that is being moved, with a buffer per side. Copy reads and writes pieces of at least 256 KB if
// the shape and the memory allow it. A region of more than 1 MB is then divided into tiles: one side keeps all of it,
// and the other side a tile at a time, which stays in a cache. [Options].Memory is the limit for all slabs. If the
// smallest slab does not fit, fewer jobs run. Buffers are allocated once and not cleared between slabs unless a part
// belongs to no element. On Linux they use large pages (pages_linux.go), because small ones cost a page fault per 4 KB.
//
// The pieces of a region are its stretches of storage on one side. A piece of the source may include gaps, because
// small gaps are faster to read than to skip. A piece of the target must not contain an element of another region. So
// each gap has one owner: the region with the piece that contains the gap writes zeros there, and no region writes
// between pieces.
//
// # Adding a kernel
//
// A kernel has the methods move(place) and String. box.kernel chooses it by the loops, and returns the loops that the
// kernel does not run. It must not read a byte outside the source, nor write a byte that belongs to no element,
// because another job may be working next to it. Add its sizes, and sizes around them, to TestSides or TestChannels.
// Every expected byte in the tests comes from a loop over all indices (oracle_test.go) or from NumPy.
package relayout
