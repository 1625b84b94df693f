//go:build unix && !aix && !solaris

package files

import (
	"io/fs"
	"os"
	"os/signal"
	"syscall"
)

// IgnoreSizeSignal makes a write beyond the limit of file sizes fail, instead of ending the program.
func IgnoreSizeSignal() { signal.Ignore(syscall.SIGXFSZ) }

// asItIs makes opening neither follow a link nor wait for a pipe.
const asItIs = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// An identity is the same for all names of a file.
type identity struct{ device, inode uint64 }

// identify returns the identity of a file.
func identify(_ string, info fs.FileInfo) identity {
	s, _ := info.Sys().(*syscall.Stat_t)
	return identity{uint64(s.Dev), uint64(s.Ino)}
}

// isDevice reports false, because devices are in a separate directory.
func isDevice(string) bool { return false }

// names returns the number of names of a file.
func names(info fs.FileInfo) uint64 { return uint64(info.Sys().(*syscall.Stat_t).Nlink) }

// chown gives a new file the group and the owner of an old one. It reports which of them the new file has.
func chown(file *os.File, old fs.FileInfo) (owner, group bool) {
	was, _ := old.Sys().(*syscall.Stat_t)
	info, err := file.Stat()
	if err != nil || was == nil {
		return false, false
	}
	is, _ := info.Sys().(*syscall.Stat_t)
	group = is.Gid == was.Gid || file.Chown(-1, int(was.Gid)) == nil
	owner = is.Uid == was.Uid || file.Chown(int(was.Uid), -1) == nil
	return owner, group
}

// IsSparse reports whether a file with holes takes less room than it has bytes.
func IsSparse(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && s.Blocks*512 < info.Size()
}

// lock locks a file until it is closed, unless another program holds a lock on it.
func lock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
