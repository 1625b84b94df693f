package files

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// accessList is the attribute that holds the access control list of a file.
const accessList = "system.posix_acl_access"

// copyAttributes gives a new file the extended attributes of an old one, and no access control list that a directory
// has passed on to it alone. It returns the attributes that the new file lacks, and whether the lists are the same.
// Attributes of the content, such as signatures and capabilities, are not for a new content.
func copyAttributes(old string, file *os.File) (lost []string, sameList bool) {
	target := "/proc/self/fd/" + strconv.Itoa(int(file.Fd()))
	names, err := attribute(func(b []byte) (int, error) { return syscall.Listxattr(old, b) })
	if err != nil && err != syscall.ENOTSUP && err != syscall.ENOSYS {
		return []string{"its attributes"}, false
	}
	sameList = true
	list := strings.Split(string(names), "\x00")
	for _, name := range list {
		if name == "" || strings.HasPrefix(name, "security.") && name != "security.selinux" {
			continue
		}
		theirs, err := attribute(func(b []byte) (int, error) { return syscall.Getxattr(old, name, b) })
		ours, wrong := attribute(func(b []byte) (int, error) { return syscall.Getxattr(target, name, b) })
		if err == nil && wrong == nil && bytes.Equal(theirs, ours) {
			continue
		}
		if err == nil {
			err = syscall.Setxattr(target, name, theirs, 0)
		}
		if err != nil {
			lost = append(lost, name)
			sameList = sameList && !strings.HasPrefix(name, "system.")
		}
	}
	if _, err := syscall.Getxattr(target, accessList, nil); err == nil && !slices.Contains(list, accessList) {
		sameList = syscall.Removexattr(target, accessList) == nil && sameList
	}
	return lost, sameList
}

// attribute returns the result of read, which reads into a buffer. It is usually small, but may be as large as the
// system allows.
func attribute(read func([]byte) (int, error)) ([]byte, error) {
	b := make([]byte, 256)
	n, err := read(b)
	if err == syscall.ERANGE {
		b = make([]byte, 64<<10)
		n, err = read(b)
	}
	return b[:max(n, 0)], err
}
