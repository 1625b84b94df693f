//go:build !linux

package relayout

// pages returns n bytes of memory for large buffers, and a function to call when they are no longer needed.
func pages(n int) (memory []byte, free func()) { return make([]byte, n), func() {} }
