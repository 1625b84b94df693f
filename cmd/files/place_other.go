//go:build !windows

package files

import "os"

// isHeld reports false: a file that another program has open can be replaced.
func isHeld(error) bool { return false }

// isNoName reports false: a name that no file can have is that of no file.
func isNoName(error) bool { return false }

// place puts a new file in the place of an old one. What the old one had is copied before.
func place(hidden, path string) (lost []string, err error) { return nil, os.Rename(hidden, path) }
