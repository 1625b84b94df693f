package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// An OutputError is the error for an output path that is not safe to write.
type OutputError struct{ Msg, Hint string }

func (e *OutputError) Error() string { return e.Msg }

// maxLinks is the maximum number of links that are followed in a path. Linux has the same limit.
const maxLinks = 40

// Target returns the absolute path of an output without links, and the existing file, or nil. Strangers may have
// created the files inside a fence, so a link from inside to outside is an error. If the last element is inside a
// fence, it must not be a link, a pipe or a device. Links outside of fences belong to the machine, and the output goes
// through them.
func (g *Guard) Target(path string) (target string, info fs.FileInfo, err error) {
	if isDevice(path) {
		return g.device(path)
	}
	target, info, err = g.walk(path, g.judge)
	if info == nil || info.Mode().IsRegular() || info.IsDir() || !g.isFenced(target) {
		return target, info, err
	}
	const hint = "write to a path outside the repository, or to a regular file"
	return "", nil, &OutputError{"it is not a regular file", hint}
}

// FencedLink returns the target of the first link inside a fence that path goes through, or an empty string.
func (g *Guard) FencedLink(path string) (to string) {
	_, _, _ = g.walk(path, func(link, target string, _ bool) error {
		if to == "" && g.isFenced(filepath.Dir(link)) {
			to = target
		}
		return nil
	})
	return to
}

// walk follows the links of path, and returns the absolute path without them, and the existing file, or nil. It calls
// judge with each link, its target, and whether it is the last element, before it follows it.
func (g *Guard) walk(path string, judge func(link, to string, isLast bool) error) (
	target string, info fs.FileInfo, err error,
) {
	dir, rest, err := g.start(path)
	if err != nil {
		return "", nil, err
	}
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		if name == ".." {
			dir = filepath.Dir(dir)
			continue
		}
		next := filepath.Join(dir, name)
		to, err := os.Readlink(next)
		if err != nil { // it is not a link
			dir = next
			continue
		}
		if links++; links > maxLinks {
			return "", nil, &fs.PathError{Op: "open", Path: path, Err: syscall.ELOOP}
		}
		if err := judge(next, to, len(rest) == 0); err != nil {
			return "", nil, err
		}
		around, more := split(to)
		if around == "" {
			around = dir
		}
		if info, err := os.Stat(next); err == nil && len(more) > 0 && isMissing(filepath.Join(around, to)) {
			return next, info, nil // a link of the system to a file without a path, such as a pipe in /proc/self/fd
		}
		dir, rest = around, slices.Concat(more, rest)
	}
	if info, err = os.Lstat(dir); err != nil {
		return dir, nil, nil
	}
	return dir, info, nil
}

// device returns a device of Windows. Data for nul.npy is not for the device.
func (g *Guard) device(path string) (target string, info fs.FileInfo, err error) {
	const badDevice = syscall.Errno(1200)
	target = g.Path(path)
	if info, err = os.Stat(target); err != nil || filepath.Ext(path) != "" {
		err = &fs.PathError{Op: "open", Path: path, Err: badDevice}
	}
	return target, info, err
}

// start returns the directory that a path is relative to, without links, and the elements of the path.
func (g *Guard) start(path string) (dir string, elements []string, err error) {
	if path == "" || os.IsPathSeparator(path[len(path)-1]) {
		return "", nil, &fs.PathError{Op: "open", Path: path, Err: syscall.EISDIR}
	}
	dir, elements = split(g.Path(path))
	if dir != "" {
		return dir, elements, nil
	}
	if dir, err = os.Getwd(); err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	return dir, elements, err
}

// split returns the root of an absolute path, empty for a relative path, and the elements after it.
func split(path string) (root string, elements []string) {
	volume := filepath.VolumeName(path)
	rest := path[len(volume):]
	if rest != "" && os.IsPathSeparator(rest[0]) {
		root = volume + string(filepath.Separator)
	}
	elements = strings.FieldsFunc(rest, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(byte(r)) })
	return root, slices.DeleteFunc(elements, func(e string) bool { return e == "." })
}

func isMissing(path string) bool {
	_, err := os.Lstat(path)
	return err != nil
}

// judge returns an error if an output must not go through a link, which is the last element of its path or an element
// before it.
func (g *Guard) judge(link, to string, isLast bool) error {
	if g.Follow || !g.isFenced(filepath.Dir(link)) {
		return nil
	}
	const hint = "add --follow to write through links"
	if isLast {
		return &OutputError{"it is a link (to " + to + ")", hint}
	}
	if real, err := filepath.EvalSymlinks(link); err == nil && g.isFenced(real) {
		return nil
	}
	return &OutputError{filepath.Base(link) + " is a link (to " + to + ") that points outside the repository", hint}
}

// isFenced reports whether a directory, or a file, is inside a fence. Git's files in .git are outside, and so are the
// files that give access to devices and processes.
func (g *Guard) isFenced(path string) bool {
	if g.fences == nil && g.Fences != nil {
		g.fences = []fs.FileInfo{}
		for _, dir := range g.Fences() {
			if info, err := os.Stat(g.Path(dir)); err == nil {
				g.fences = append(g.fences, info)
			}
		}
	}
	for {
		if name := filepath.Base(path); name == ".git" || path == "/dev" || path == "/proc" {
			return false
		}
		info, err := os.Stat(path)
		isFence := func(fence fs.FileInfo) bool { return os.SameFile(fence, info) }
		if err == nil && slices.ContainsFunc(g.fences, isFence) {
			return true
		}
		around := filepath.Dir(path)
		if around == path {
			return false
		}
		path = around
	}
}
