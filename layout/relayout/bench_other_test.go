//go:build !linux

package relayout_test

// memory returns n bytes of fresh memory.
func memory(n int64) []byte { return make([]byte, n) }
