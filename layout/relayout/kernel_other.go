//go:build purego || !(amd64 || arm64)

package relayout

// fetchesAhead reports whether strips prefetch.
const fetchesAhead = false

// strip is stripPortable: there is no kernel in assembly.
func strip(width int, p place, rows, cols []int, _ int) { stripPortable(width, p, rows, cols) }

// stageStrips is fillPortable, to n columns of a stage.
func stageStrips(width int, p place, rows []int, n, _ int) { fillPortable(width, p, rows, n, pitch) }

// lines is linesPortable.
func lines(p place, buf *[stageSize]byte, cols []int, bytes int) { linesPortable(p, buf, cols, bytes) }

// canShuffle reports whether shuffle can move the given number of planes. For others, plain loops are faster.
func canShuffle(planes int) bool { return planes == 3 }

// shuffle is interleavePortable.
func shuffle(w *interleaving, p place, blocks int) { interleavePortable(w, p, blocks) }

// canScatter reports false: there are no byte shuffles.
func canScatter() bool { return false }

// shuffleBlocks is never called: canScatter reports false.
func shuffleBlocks(*shuffles, place, int) {}

// unpackVectors leaves all to unpack.
func unpackVectors(_, _ []byte) bool { return false }

// packVectors leaves all to pack.
func packVectors(_, _ []byte) bool { return false }
