package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// An OutputError is the error of an output whose path is not safe to write.
type OutputError struct{ Msg, Hint string }

func (e *OutputError) Error() string { return e.Msg }

// maxLinks is how many links of a path are followed: as many as Linux does.
const maxLinks = 40

// Target returns the absolute path at which an output called path is written, without links, and the file that is there
// now: nil if there is none. Strangers may have made what is inside a fence, so a link there whose target is outside is
// an error, and so is any link, pipe or device there as the last element. Elsewhere they belong to the machine, and the
// output goes through them.
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

// FencedLink returns the target of the first link inside a fence that path goes through, empty if there is none.
func (g *Guard) FencedLink(path string) (to string) {
	_, _, _ = g.walk(path, func(link, target string, _ bool) error {
		if to == "" && g.isFenced(filepath.Dir(link)) {
			to = target
		}
		return nil
	})
	return to
}

// walk follows the links of path, and returns the absolute path without them, and the file that is there: nil if there
// is none. It calls judge with each link, its target, and whether it is the last element, before it follows it.
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
			return next, info, nil // a link of the system to what has no path, such as a pipe in /proc/self/fd
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

// start returns the directory from which a path counts, without links, and the elements of the path.
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

// isFenced reports whether a directory, or a file, is inside a fence. What git keeps in .git is outside, and so are the
// files by which the system gives access to devices and processes.
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
