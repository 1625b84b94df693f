//go:build !linux

package datamove

import "os"

// A writeback is a file that is written to disk at the latest by Sync.
type writeback struct{ *os.File }
