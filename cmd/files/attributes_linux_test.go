package files

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// An access control list: a user has rw, the group r, and the mode shows the mask rw as the group's rights.
const list = "\x02\x00\x00\x00\x01\x00\x06\x00\xff\xff\xff\xff\x02\x00\x06\x00\xe8\x03\x00\x00" +
	"\x04\x00\x04\x00\xff\xff\xff\xff" +
	"\x10\x00\x06\x00\xff\xff\xff\xff\x20\x00\x00\x00\xff\xff\xff\xff"

// TestAttributes replaces files with attributes and lists, in directories that pass on lists of their own.
func TestAttributes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "old")
	if err := os.WriteFile(path, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	get := func(name string) string {
		b := make([]byte, 1000)
		n, _ := syscall.Getxattr(path, name, b)
		return string(b[:max(n, 0)])
	}
	replace := func() os.FileMode {
		t.Helper()
		g := Guard{Note: func(texts ...string) { t.Error(texts) }}
		if err := write(&g, path, "new"); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	for _, value := range []string{"mine", strings.Repeat("long", 200)} {
		if syscall.Setxattr(path, "user.origin", []byte(value), 0) == nil {
			if replace(); get("user.origin") != value {
				t.Errorf("an attribute of %d bytes is lost", len(value))
			}
		}
	}
	if err := syscall.Setxattr(dir, "system.posix_acl_default", []byte(list), 0); err != nil {
		t.Skip("no access control lists: ", err)
	}
	if perm := replace(); perm != 0o640 || get(accessList) != "" {
		t.Errorf("the directory passes on a list: %o, %q", perm, get(accessList))
	}
	if err := syscall.Setxattr(path, accessList, []byte(list), 0); err != nil {
		t.Fatal(err)
	}
	if perm := replace(); perm != 0o660 || get(accessList) != list {
		t.Errorf("the list becomes %q, %o", get(accessList), perm)
	}
}

// TestOwner replaces a file of somebody else: root leaves it theirs.
func TestOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root gives files away")
	}
	path := filepath.Join(t.TempDir(), "theirs")
	if err := os.WriteFile(path, []byte("old"), 0o664); err != nil {
		t.Fatal(err)
	}
	if os.Chown(path, 1000, 1001) != nil || os.Chmod(path, 0o664) != nil {
		t.Skip("the file system has no owners")
	}
	if err := write(new(Guard), path, "new"); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if s := info.Sys().(*syscall.Stat_t); err != nil || s.Uid != 1000 || s.Gid != 1001 || info.Mode().Perm() != 0o664 {
		t.Errorf("%d:%d, %v, %v", s.Uid, s.Gid, info.Mode(), err)
	}
}

// TestAttributesLost has a file system that keeps neither attributes nor lists.
func TestAttributesLost(t *testing.T) {
	old := filepath.Join(t.TempDir(), "old")
	if err := os.WriteFile(old, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setxattr(old, accessList, []byte(list), 0); err != nil {
		t.Skip("no access control lists: ", err)
	}
	pipe, end, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	defer end.Close()
	if lost, sameList := copyAttributes(old, pipe); sameList || !strings.Contains(strings.Join(lost, " "), accessList) {
		t.Errorf("%q are lost, the same list: %t", lost, sameList)
	}
}
