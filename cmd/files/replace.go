// Package files writes files whole or not at all, shows the progress of work on the terminal, and catches the signals
// that end it.
//
// A [Guard] writes every file except standard output. It records each file that the call opens, by device and inode (on
// Windows by its path), and never replaces such a file. It checks twice, before the new file is begun and before it
// replaces the old one, because a directory is read in between. Links are followed only if they stay within the fence
// of the call.
package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// A Replacement is a new file that replaces an old one once it is complete.
type Replacement struct {
	File   *os.File
	Yields bool   // to a file that has appeared at its path meanwhile
	Sync   bool   // Keep waits until the disk has it; set if it replaces a file, because others can be made again
	name   string // the path that the user typed
	path   string // its target; empty once the file is there, and for a pipe or a device
	guard  *Guard
}

// Replace starts a new file in the directory of the target of path. A pipe or a device is written directly.
func (g *Guard) Replace(path string) (*Replacement, error) {
	target, info, err := g.Target(path)
	if err == nil && g.BeforeWrite != nil {
		err = g.begin(target)
	}
	IgnoreSizeSignal()
	if err == nil && info != nil && !info.Mode().IsRegular() {
		file, err := os.OpenFile(target, os.O_WRONLY, 0)
		return &Replacement{File: file}, Named(path, err)
	}
	if err == nil {
		err = g.spare(target)
	}
	if err != nil {
		return nil, err
	}
	perm := fs.FileMode(0o666)
	if info != nil {
		perm = 0o600
	}
	r := &Replacement{Sync: info != nil, name: path, path: target, guard: g}
	if r.File, err = create(target, perm); err == nil && info != nil && !closesFirst { // otherwise place does it
		err = r.inherit(info)
	}
	if err != nil {
		r.Drop()
		return nil, err
	}
	return r, nil
}

// begin calls BeforeWrite unless the target cannot be written: it is an input, or its directory does not exist.
func (g *Guard) begin(target string) error {
	if err := g.spare(target); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Dir(target)); err != nil {
		return err
	}
	return g.BeforeWrite()
}

// inherit gives the new file the rights, the owner, the group and the attributes of the old one. It notes the ones that
// cannot be kept. In that case, it removes rights so that no user has more than before.
func (r *Replacement) inherit(old fs.FileInfo) error {
	owner, group := chown(r.File, old)
	lost, sameList := copyAttributes(r.path, r.File)
	if !owner {
		lost = append(lost, "its owner")
	}
	if !group {
		lost = append(lost, "its group")
	}
	r.guard.noteLost(r.name, lost)
	return r.File.Chmod(narrowed(old.Mode().Perm(), owner, group, sameList))
}

// create creates and locks the hidden file .NAME.layoutcalc-N, which will replace a file NAME, with these permissions
// less the umask. It removes hidden files of the same target that are not locked: killed programs have left them.
func create(path string, perm fs.FileMode) (created *os.File, err error) {
	dir, name := filepath.Split(path)
	prefix := dir + "." + strings.ToValidUTF8(name[:min(len(name), maxName)], "") + ".layoutcalc-"
	for n := 0; n < searched || created == nil; n++ {
		hidden := prefix + strconv.Itoa(n)
		if left, err := openLeft(hidden); err == nil {
			isFree := lock(left) == nil
			isLeft := isNamed(left, hidden)
			if isFree && isLeft {
				os.Remove(hidden)
			}
			if left.Close(); closesFirst && isLeft {
				os.Remove(hidden)
			}
		}
		if created != nil {
			continue
		}
		file, err := os.OpenFile(hidden, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		switch {
		case err != nil && !errors.Is(err, fs.ErrExist):
			return nil, err
		case err != nil: // another program writes it
		case !errors.Is(lock(file), syscall.EAGAIN) && isNamed(file, hidden):
			created = file
		default:
			file.Close() // another program took it for a leftover
		}
	}
	return created, nil
}

// openLeft opens a hidden file. A link, a pipe or a device of that name does not belong to another call, and is not
// opened.
func openLeft(hidden string) (*os.File, error) {
	info, err := os.Lstat(hidden)
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrInvalid
	}
	if err != nil {
		return nil, err
	}
	return os.OpenFile(hidden, os.O_RDONLY|asItIs, 0)
}

const (
	maxName  = 100 // bytes of a name that its hidden file has in its own: a few file systems allow no more than 143
	searched = 8   // how many numbers of hidden files are looked at
)

// isNamed reports whether a regular file still has the name.
func isNamed(file *os.File, name string) bool {
	named, err := os.Lstat(name)
	info, wrong := file.Stat()
	return err == nil && wrong == nil && info.Mode().IsRegular() && os.SameFile(info, named)
}

// closesFirst reports whether the system is Windows, which neither renames nor removes an open file.
const closesFirst = runtime.GOOS == "windows"

// IsRegular reports whether the file is a regular one, which can be written at any offset and read back.
func (r *Replacement) IsRegular() bool { return r.path != "" }

// Keep moves the complete file to its path. If Sync is set, it first waits until its bytes are on the disk.
func (r *Replacement) Keep() error {
	file := r.File
	if r.path == "" {
		r.File = nil
		return file.Close()
	}
	err := r.guard.spare(r.path)
	if err == nil && r.Sync {
		err = file.Sync()
	}
	if err == nil && (closesFirst || !r.Sync) {
		err = file.Close() // its error is the one that Sync would have
	}
	if err == nil && r.Yields {
		err = os.Link(file.Name(), r.path)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			r.Yields, err = false, nil // the file system has no links
		} else if err == nil {
			_ = os.Remove(file.Name()) // the file has two names now
		}
	}
	if err == nil && !r.Yields {
		var lost []string
		if lost, err = place(file.Name(), r.path); err == nil {
			r.guard.noteLost(r.name, lost)
		}
	}
	if isHeld(err) {
		r.File = nil // so that it is not removed
		dir, _ := filepath.Split(r.name)
		r.guard.note(r.name + " is as it was, because another program has it open: the new file is " +
			dir + filepath.Base(file.Name()))
	}
	if err != nil {
		return err
	}
	file.Close()
	if r.File = nil; !r.Sync {
		return nil
	}
	if d, err := os.Open(filepath.Dir(r.path)); err == nil { // so that the name is on the disk too
		_ = d.Sync()
		d.Close()
	}
	return nil
}

// Drop removes the file unless Keep has moved it to its path.
func (r *Replacement) Drop() {
	if r.File == nil {
		return
	}
	if closesFirst {
		r.File.Close()
	}
	if r.path != "" {
		os.Remove(r.File.Name()) // while it is locked: no other program has a file of this name
	}
	r.File.Close()
	r.File = nil
}
