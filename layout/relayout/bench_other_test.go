//go:build !linux

package relayout_test

// room returns n bytes of fresh memory.
func room(n int64) []byte { return make([]byte, n) }
