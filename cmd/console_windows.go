package cmd

import (
	"errors"
	"syscall"
)

// obeyEscapes makes a console obey escape sequences, which all versions of Windows that Go supports can do. Text needs
// no special handling, because os.File writes to a console in UTF-16, regardless of its code page.
func obeyEscapes(console uintptr) {
	const processed, virtualTerminal = 1, 4
	var mode uint32
	if err := syscall.GetConsoleMode(syscall.Handle(console), &mode); err == nil && mode&virtualTerminal == 0 {
		set := syscall.NewLazyDLL("kernel32.dll").NewProc("SetConsoleMode")
		_, _, _ = set.Call(console, uintptr(mode|processed|virtualTerminal))
	}
}

// isClosed reports whether the reader of a pipe has closed it. A broken pipe and a pipe that is being closed have
// different error numbers.
func isClosed(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232)
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, brokenPipe) || errors.Is(err, noData)
}
