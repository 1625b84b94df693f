//go:build !unix

package cmd

import (
	"io/fs"
	"path/filepath"
)

// links returns 1: how many names a file has is not known.
func links(fs.FileInfo) uint64 { return 1 }

// A fileID tells files apart by their paths without links. Other names of a file are not known.
type fileID string

// identify returns the ID of a file.
func identify(path string, _ fs.FileInfo) fileID {
	path, _ = filepath.Abs(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return fileID(path)
}
