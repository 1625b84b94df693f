//go:build unix

package files

import (
	"os/signal"
	"syscall"
)

// ignoreSizeSignal makes a write beyond the limit of file sizes fail, instead of ending the program.
func ignoreSizeSignal() { signal.Ignore(syscall.SIGXFSZ) }
