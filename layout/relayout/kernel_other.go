//go:build !amd64

package relayout

// Strips do not fetch what will be needed, and nothing is written past the caches.
const (
	fetchesAhead = false
	writesPast   = false
)

// strip is stripPortable: the processor has no kernel of its own.
func strip(width int, p place, rows, cols []int, _ int) { stripPortable(width, p, rows, cols) }

// squareRows returns 0: the processor has no kernel for squares.
func squareRows(int) int { return 0 }

// square is never called: squareRows returns 0.
func square(int, place, []int, []int, []int, int) {}

// lines is linesPortable.
func lines(p place, buf *[stageSize]byte, cols []int, bytes int) { linesPortable(p, buf, cols, bytes) }

// pastCopy is copy.
func pastCopy(dst, src []byte) { copy(dst, src) }

// fence has nothing to wait for.
func fence() {}

// canShuffle reports false: without a kernel, plain loops are faster.
func canShuffle() bool { return false }

// shuffle is never called: canShuffle reports false.
func shuffle(*interleaving, place, int) {}

// splitBlocks leaves all to a loop in Go.
func splitBlocks(_, _, _, _ []byte) int { return 0 }
