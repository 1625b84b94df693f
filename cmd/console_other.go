//go:build !windows

package cmd

import (
	"errors"
	"syscall"
)

// obeyEscapes has nothing to do: terminals obey escape sequences.
func obeyEscapes(uintptr) {}

// isClosed reports whether the reader of a pipe has closed it.
func isClosed(err error) bool { return errors.Is(err, syscall.EPIPE) }
