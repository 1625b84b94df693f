package cmd

import (
	"errors"
	"syscall"
)

// obeyEscapes makes a console obey escape sequences, as every version of Windows can on which Go runs. Text needs no
// such care, for os.File writes to a console in UTF-16, whatever its code page.
func obeyEscapes(console uintptr) {
	const processed, virtualTerminal = 1, 4
	var mode uint32
	if err := syscall.GetConsoleMode(syscall.Handle(console), &mode); err == nil && mode&virtualTerminal == 0 {
		set := syscall.NewLazyDLL("kernel32.dll").NewProc("SetConsoleMode")
		_, _, _ = set.Call(console, uintptr(mode|processed|virtualTerminal))
	}
}

// isClosed reports whether the reader of a pipe has closed it. A broken pipe has another number than one that is being
// closed.
func isClosed(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232)
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, brokenPipe) || errors.Is(err, noData)
}
