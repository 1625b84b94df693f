package files

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"
	"unsafe"
)

// Errors of files that cannot be replaced because another program has them open.
const (
	sharingViolation   = syscall.Errno(32)
	lockViolation      = syscall.Errno(33)
	userMappedFile     = syscall.Errno(1224)
	unableToRemoveFile = syscall.Errno(1175)
)

// isHeld reports whether another program has a file open.
func isHeld(err error) bool {
	return errors.Is(err, sharingViolation) || errors.Is(err, lockViolation) || errors.Is(err, userMappedFile) ||
		errors.Is(err, unableToRemoveFile)
}

// isNoName reports whether a path has characters that Windows does not allow in names.
func isNoName(err error) bool { return errors.Is(err, syscall.Errno(123)) }

// place replaces an old file by a new one, which takes over its rights, attributes and other streams. It returns the
// lost ones. It retries while a program that opens each new file, such as a scanner, has it open.
func place(hidden, path string) (lost []string, err error) {
	if path, err = filepath.Abs(path); err != nil { // Wine replaces no other path
		return nil, err
	}
	if hidden, err = filepath.Abs(hidden); err != nil {
		return nil, err
	}
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	attributes, err := syscall.GetFileAttributes(name)
	if err != nil {
		return nil, os.Rename(hidden, path) // there is no old file
	}
	_ = syscall.SetFileAttributes(name, attributes&^syscall.FILE_ATTRIBUTE_READONLY)
	for range 10 {
		if err = movable(name); !isHeld(err) {
			lost, err = replace(hidden, path, name)
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	_ = syscall.SetFileAttributes(name, attributes) // of either file
	return lost, err
}

// movable returns the error of a file that cannot be moved.
func movable(name *uint16) error {
	const access, share = 0x10000, syscall.FILE_SHARE_READ | syscall.FILE_SHARE_WRITE | 4 // DELETE and its share
	file, err := syscall.CreateFile(name, access, share, nil, syscall.OPEN_EXISTING, 0, 0)
	if err == nil {
		_ = syscall.CloseHandle(file)
	}
	return err
}

// replace is like place, but without attributes.
func replace(hidden, path string, name *uint16) (lost []string, err error) {
	const ignoreMergeErrors, ignoreACLErrors = 2, 4
	from, err := syscall.UTF16PtrFromString(hidden)
	if err != nil {
		return nil, err
	}
	call := syscall.NewLazyDLL("kernel32.dll").NewProc("ReplaceFileW")
	for _, flags := range [...]uintptr{0, ignoreMergeErrors | ignoreACLErrors} {
		done, _, err := call.Call(uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(from)), 0, flags, 0, 0)
		if done != 0 || isHeld(err) {
			if done != 0 {
				err = nil
			}
			return lost, err
		}
		lost = []string{"its access rights"}
	}
	return []string{"its access rights", "its streams"}, os.Rename(hidden, path) // no file system of Windows itself
}
