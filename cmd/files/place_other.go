//go:build !windows

package files

import "os"

// isHeld reports false: a file that another program has open can be replaced.
func isHeld(error) bool { return false }

// isNoName reports false. For a name that no file can have, these systems return fs.ErrNotExist.
func isNoName(error) bool { return false }

// place replaces an old file by a new one. The attributes of the old one have already been copied.
func place(hidden, path string) (lost []string, err error) { return nil, os.Rename(hidden, path) }
