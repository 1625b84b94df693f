//go:build !unix

package cmd

// ignoreSizeSignal has nothing to do: there is no such signal.
func ignoreSizeSignal() {}
