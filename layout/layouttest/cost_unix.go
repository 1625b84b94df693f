//go:build unix

package layouttest

import (
	"syscall"
	"time"
)

// processorTime returns the time of the processor that the process has taken.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
