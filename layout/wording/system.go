package wording

import (
	"errors"
	"io/fs"
	"runtime"
	"syscall"
)

// Errno returns a colon and the system's message for an error, or an empty string if it is not a system error.
func Errno(err error) string {
	var number syscall.Errno
	if !errors.As(err, &number) {
		return ""
	}
	return ": " + number.Error()
}

// Unreadable returns the message about a file that cannot be read.
func Unreadable(err error) string {
	switch {
	case runtime.GOOS == "js":
		return "a page has no files; give the text as standard input, and - instead of the file"
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file"
	case errors.Is(err, fs.ErrPermission):
		return "there is no permission to read it"
	}
	return "it cannot be read" + Errno(err)
}
