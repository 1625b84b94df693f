//go:build !windows

package files

import "os"

// isHeld reports false: a file that another program has open can be replaced.
func isHeld(error) bool { return false }

// isNoName reports false: for a name that no file can have, these systems say that there is no such file.
func isNoName(error) bool { return false }

// place replaces an old file by a new one, to which the attributes of the old one have been copied.
func place(hidden, path string) (lost []string, err error) { return nil, os.Rename(hidden, path) }
