package datamove

import (
	"os"
	"syscall"
)

// A writeback is a file. The system starts to write its bytes to disk at once, so that little is left to wait for at
// the end.
type writeback struct{ *os.File }

// start is SYNC_FILE_RANGE_WRITE: the system starts to write, and the call does not wait.
const start = 2

// WriteAt writes bytes. If the system cannot start early, that is not an error: Sync writes them too.
func (f writeback) WriteAt(b []byte, at int64) (int, error) {
	n, err := f.File.WriteAt(b, at)
	if n > 0 {
		syscall.SyncFileRange(int(f.Fd()), at, int64(n), start)
	}
	return n, err
}
