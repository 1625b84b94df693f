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
	var names, theirs, ours [64 << 10]byte // as long as the system allows
	n, err := syscall.Listxattr(old, names[:])
	if err != nil && err != syscall.ENOTSUP && err != syscall.ENOSYS {
		return []string{"its attributes"}, false
	}
	sameList = true
	list := strings.Split(string(names[:max(n, 0)]), "\x00")
	for _, name := range list {
		if name == "" || strings.HasPrefix(name, "security.") && name != "security.selinux" {
			continue
		}
		n, err := syscall.Getxattr(old, name, theirs[:])
		if k, wrong := syscall.Getxattr(target, name, ours[:]); err == nil && wrong == nil &&
			bytes.Equal(theirs[:n], ours[:k]) {
			continue
		}
		if err == nil {
			err = syscall.Setxattr(target, name, theirs[:n], 0)
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
