//go:build unix

package cmd

import (
	"io/fs"
	"syscall"
)

// links returns how many names a file has.
func links(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}

// A fileID tells files apart, by whatever names and links they are found.
type fileID struct{ device, inode uint64 }

// identify returns the ID of a file.
func identify(_ string, info fs.FileInfo) fileID {
	s, _ := info.Sys().(*syscall.Stat_t)
	return fileID{uint64(s.Dev), uint64(s.Ino)}
}
