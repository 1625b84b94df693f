//go:build !amd64

package relayout

// Strips do not fetch what lies ahead, and nothing is written past the caches.
const (
	fetchesAhead = false
	writesPast   = false
)

// strip is stripPortable where the processor has no kernel of its own.
func strip(width int, p place, rows, cols []int, _ int) { stripPortable(width, p, rows, cols) }

// lines is linesPortable.
func lines(p place, buf *[stageSize]byte, cols []int, bytes int) { linesPortable(p, buf, cols, bytes) }

// pastCopy is copy.
func pastCopy(dst, src []byte) { copy(dst, src) }

// fence has nothing to wait for.
func fence() {}

// canShuffle reports that shuffles are not worth their while without a kernel.
func canShuffle() bool { return false }

// shuffle is never called: canShuffle reports false.
func shuffle(*weave, place, int) {}
