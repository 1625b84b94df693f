//go:build !unix || aix || solaris

package files

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// IgnoreSizeSignal has nothing to do: there is no such signal, or no limit.
func IgnoreSizeSignal() {}

// asItIs has no meaning: such files are looked at before they are opened.
const asItIs = 0

// An identity is the same for all names of a file but hard links: its path, in one case.
type identity string

// identify returns the identity of a file.
func identify(path string, _ fs.FileInfo) identity {
	target, _ := filepath.EvalSymlinks(path)
	path, _ = filepath.Abs(cmp.Or(target, path))
	return identity(strings.ToLower(path))
}

// isDevice reports whether Windows takes a path for a device, such as nul and, before Windows 11, nul.npy.
func isDevice(path string) bool {
	name, _, _ := strings.Cut(filepath.Base(path), ":") // a stream of it
	return !filepath.IsLocal(name) && name != ".." && strings.Trim(name, `\`) != ""
}

// names returns 1: the number of names of a file is not known.
func names(fs.FileInfo) uint64 { return 1 }

// chown reports that a new file has the owner and the group of an old one: the directory decides about them.
func chown(*os.File, fs.FileInfo) (owner, group bool) { return true, true }

// IsSparse reports false: holes are not known.
func IsSparse(fs.FileInfo) bool { return false }

// lock fails. On Windows no open file is removed, which is lock enough; on other systems leftovers stay.
func lock(*os.File) error { return errors.ErrUnsupported }
