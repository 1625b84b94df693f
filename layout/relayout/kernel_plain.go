//go:build purego || !amd64

package relayout

// writesPast reports whether kernels write past the caches.
const writesPast = false

// pastCopy is copy.
func pastCopy(dst, src []byte) { copy(dst, src) }

// fence has nothing to wait for.
func fence() {}

// squareRows returns 0: there is no kernel for squares.
func squareRows(int) int { return 0 }

// square is never called: squareRows returns 0.
func square(int, place, []int, []int, int, []int, int, int) {}

// halvesVectors leaves all to halves.
func halvesVectors(_, _ []byte, _ int) bool { return false }

// blendVectors leaves all to blend.
func blendVectors(_, _, _ []byte, _ int) bool { return false }

// splitBlocks leaves all to a loop in Go.
func splitBlocks(_, _, _, _ []byte) int { return 0 }
