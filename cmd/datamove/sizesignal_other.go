//go:build !unix

package datamove

// ignoreSizeSignal has nothing to do: there is no such signal.
func ignoreSizeSignal() {}
