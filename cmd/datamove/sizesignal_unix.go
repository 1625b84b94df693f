//go:build unix

package datamove

import (
	"os/signal"
	"syscall"
)

// ignoreSizeSignal makes a write beyond the limit of file sizes fail, instead of ending the program.
func ignoreSizeSignal() { signal.Ignore(syscall.SIGXFSZ) }
