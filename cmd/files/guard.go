package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A Guard opens and writes the files of a call, and replaces no file that the call reads.
type Guard struct {
	// Base is the absolute path of the directory from which relative paths are resolved. If it is empty, they are
	// resolved from the working directory of the process.
	Base string

	Note func(texts ...string) // tells what became of files, but for errors; nil for nobody

	read sync.Map // the identities of files that the call reads
}

// ErrInput is the error of a file that is not replaced because the call reads it.
var ErrInput = errors.New("an input of the call")

// Path returns the path of the file called name, for functions of package os. It is name itself if Base is empty or
// name is not relative. It does not clean name, because "a/../b" is not "b" if a is a link.
func (g *Guard) Path(name string) string {
	if g.Base == "" || name == "" || os.IsPathSeparator(name[0]) || filepath.VolumeName(name) != "" {
		return name
	}
	return g.Base + string(filepath.Separator) + name
}

// Reads remembers that the call reads a file, if it is a regular one.
func (g *Guard) Reads(path string, info fs.FileInfo) {
	if info.Mode().IsRegular() {
		g.read.Store(g.Identify(path, info), nil)
	}
}

// Identify returns the identity of a file, the same for all its names.
func (g *Guard) Identify(path string, info fs.FileInfo) any { return identify(g.Path(path), info) }

// Forget takes back that the call reads a file, by its identity, because the file had nothing for the call.
func (g *Guard) Forget(id any) { g.read.Delete(id) }

// HasRead reports whether the call reads the file, by whatever name.
func (g *Guard) HasRead(path string) bool {
	info, err := os.Stat(g.Path(path))
	if err != nil {
		return false
	}
	_, isRead := g.read.Load(g.Identify(path, info))
	return isRead
}

// spare returns ErrInput if the call reads the file, by whatever name.
func (g *Guard) spare(path string) error {
	if g.HasRead(path) {
		return ErrInput
	}
	return nil
}

// WriteWhole writes a new file, which replaces the old one once it is complete. A file that can be made again is not
// synced.
func (g *Guard) WriteWhole(path string, again bool, write func(io.Writer) error) error {
	r, err := g.Replace(path)
	if err != nil {
		return err
	}
	defer r.Drop()
	r.again = again
	if err := write(r.File); err != nil {
		return err
	}
	return r.Keep()
}

// inherit gives a new file the rights, the owner, the group and the attributes of the old one. It notes those that
// cannot be kept, and then gives nobody more rights than before.
func (g *Guard) inherit(file *os.File, path string, old fs.FileInfo) error {
	owner, group := chown(file, old)
	lost, sameList := copyAttributes(g.Path(path), file)
	if !owner {
		lost = append(lost, "its owner")
	}
	if !group {
		lost = append(lost, "its group")
	}
	g.noteLost(path, lost)
	return file.Chmod(narrowed(old.Mode().Perm(), owner, group, sameList))
}

// noteLost notes the attributes of an old file that the new one could not keep.
func (g *Guard) noteLost(path string, lost []string) {
	if slices.Sort(lost); len(lost) > 0 {
		g.note(path + ": the new file cannot keep " + strings.Join(lost, ", "))
	}
}

func (g *Guard) note(text string) {
	if g.Note != nil {
		g.Note(text)
	}
}

// narrowed returns permissions for a new file by which nobody gains: not the old owner, who may now be in the group or
// one of the others, not the group and the others, who may have changed places, and nobody named in an access control
// list.
func narrowed(perm fs.FileMode, owner, group, sameList bool) fs.FileMode {
	user, members, others := perm>>6&7, perm>>3&7, perm&7
	switch {
	case !sameList:
		members, others = 0, 0
	case !group:
		members &= others
		others = members
	}
	if !owner {
		members, others = members&user, others&user
	}
	return user<<6 | members<<3 | others
}
