//go:build !linux

package datamove

import "os"

// A writeback is a file that the system writes to disk when it likes.
type writeback struct{ *os.File }
