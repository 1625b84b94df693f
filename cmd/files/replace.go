// Package files writes files whole or not at all, shows the progress of work on the terminal, and catches the signals
// that end it. It imports no other package of the module.
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
	path   string // where it goes, unresolved; empty once it is there, and for a pipe or a device
	guard  *Guard
	again  bool // it can be made again, and is not synced
}

// Replace starts a new file in the directory of the file at path. A pipe or a device is written directly.
func (g *Guard) Replace(path string) (*Replacement, error) {
	IgnoreSizeSignal()
	info, err := os.Stat(g.Path(path))
	if isDevice(path) && (err != nil || filepath.Ext(path) != "") { // data for nul.npy is not for the device
		const badDevice = syscall.Errno(1200)
		return nil, &fs.PathError{Op: "open", Path: path, Err: badDevice}
	}
	if err == nil && !info.Mode().IsRegular() {
		file, err := os.OpenFile(g.Path(path), os.O_WRONLY, 0)
		return &Replacement{File: file}, err
	}
	if path, err = g.followed(path); err == nil {
		err = g.spare(path)
	}
	if err != nil {
		return nil, err
	}
	perm := fs.FileMode(0o666)
	if info != nil {
		perm = 0o600
	}
	r := &Replacement{path: path, guard: g}
	if r.File, err = create(g.Path(path), perm); err == nil && info != nil && !closesFirst { // or else place does it
		err = g.inherit(r.File, path, info)
	}
	if err != nil {
		r.Drop()
		return nil, err
	}
	return r, nil
}

// followed returns the path that a link leads to, even if there is no file yet.
func (g *Guard) followed(path string) (string, error) {
	for range 40 { // as many links as Linux follows
		target, err := os.Readlink(g.Path(path))
		if err != nil {
			return path, nil
		}
		if !filepath.IsAbs(target) {
			dir, _ := filepath.Split(path)
			target = dir + target
		}
		path = target
	}
	return "", syscall.ELOOP
}

// create creates and locks the hidden file .NAME.layoutcalc-N, which is to replace a file NAME, with these permissions
// less the umask. It removes hidden files of the same target that nobody has locked: killed programs have left them.
func create(path string, perm fs.FileMode) (created *os.File, err error) {
	dir, name := filepath.Split(path)
	prefix := dir + "." + strings.ToValidUTF8(name[:min(len(name), maxName)], "") + ".layoutcalc-"
	for n := 0; n < searched || created == nil; n++ {
		hidden := prefix + strconv.Itoa(n)
		if left, err := os.OpenFile(hidden, os.O_RDONLY|nonblock, 0); err == nil {
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

// closesFirst says that the system is Windows, which neither renames nor removes a file that is open.
const closesFirst = runtime.GOOS == "windows"

// IsRegular reports whether the file is a regular one, which can be written at any offset and read back.
func (r *Replacement) IsRegular() bool { return r.path != "" }

// Keep puts the file in place once its bytes are on the disk. It does not wait for the disk if the file can be made
// again.
func (r *Replacement) Keep() error {
	file := r.File
	if r.path == "" {
		r.File = nil
		return file.Close()
	}
	path := r.guard.Path(r.path)
	err := r.guard.spare(r.path)
	if err == nil && !r.again {
		err = file.Sync()
	}
	if err == nil && (closesFirst || r.again) {
		err = file.Close() // its error is the one that Sync would have
	}
	if err == nil && r.Yields {
		err = os.Link(file.Name(), path)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			r.Yields, err = false, nil // the file system has no links
		} else if err == nil {
			_ = os.Remove(file.Name()) // the file has two names now
		}
	}
	if err == nil && !r.Yields {
		var lost []string
		if lost, err = place(file.Name(), path); err == nil {
			r.guard.noteLost(r.path, lost)
		}
	}
	if isHeld(err) {
		r.File = nil // which stays
		dir, _ := filepath.Split(r.path)
		r.guard.note(r.path + " is as it was, for another program has it open: the new file is " +
			dir + filepath.Base(file.Name()))
	}
	if err != nil {
		return err
	}
	file.Close()
	if r.File = nil; r.again {
		return nil
	}
	if d, err := os.Open(filepath.Dir(path)); err == nil { // the name is to be on the disk too
		_ = d.Sync()
		d.Close()
	}
	return nil
}

// Drop removes the file unless it is in place.
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
