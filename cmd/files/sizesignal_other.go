//go:build !unix

package files

// ignoreSizeSignal has nothing to do: there is no such signal.
func ignoreSizeSignal() {}
