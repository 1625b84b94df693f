package layouttest

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Link makes a symbolic link. It skips the test if the system does not make it, even if the call succeeds, as in Wine.
func Link(t testing.TB, target, name string) {
	t.Helper()
	if err := MakeLink(target, name); err != nil {
		t.Skip("links: ", err)
	}
}

// MakeLink is os.Symlink with an error where nothing has been made.
func MakeLink(target, name string) error {
	if err := os.Symlink(target, name); err != nil {
		return err
	}
	_, err := os.Readlink(name)
	return err
}

// FullDisk returns the path of a device that has no room for a byte. It skips the test if the system has no such
// device.
func FullDisk(t testing.TB) string {
	t.Helper()
	const path = "/dev/full"
	if _, err := os.Stat(path); err != nil || runtime.GOOS == "windows" { // Wine has its own words for the error
		t.Skip("a full disk: ", runtime.GOOS)
	}
	return path
}

// HasModes reports whether files have permissions for the user, the group and others.
func HasModes() bool { return runtime.GOOS != "windows" }

// CountsProcessorTime reports whether the system measures the time of a process. Wine returns the time of all its
// processes.
func CountsProcessorTime() bool { return runtime.GOOS != "windows" }

// Slashes returns text with slashes in its paths.
func Slashes(text string) string {
	if filepath.Separator == '/' {
		return text
	}
	return strings.ReplaceAll(text, string(filepath.Separator), "/")
}
