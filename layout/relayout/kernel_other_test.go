//go:build purego || !amd64

package relayout

// EachProcessor calls f once: other processors have no kernels to choose from.
func EachProcessor(f func(name string)) { f("this processor") }
