package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
)

// A Guard writes the files of a call, and replaces none that the call reads.
type Guard struct {
	Note func(text string) // tells what became of files, but for errors; nil for nobody

	read sync.Map // the identities of files that the call reads
}

// ErrInput is the error of a file that is not replaced because the call reads it.
var ErrInput = errors.New("an input of the call")

// Reads remembers that the call reads a file, if it is a regular one.
func (g *Guard) Reads(path string, info fs.FileInfo) {
	if info.Mode().IsRegular() {
		g.read.Store(identify(path, info), nil)
	}
}

// Identify returns the identity of a file, the same for all its names.
func (g *Guard) Identify(path string, info fs.FileInfo) any { return identify(path, info) }

// Forget takes back that the call reads a file that Identify has identified, and that had nothing for it.
func (g *Guard) Forget(id any) { g.read.Delete(id) }

// spare returns ErrInput if the call reads the file, by whatever name.
func (g *Guard) spare(path string) error {
	if info, err := os.Stat(path); err == nil {
		if _, isRead := g.read.Load(identify(path, info)); isRead {
			return ErrInput
		}
	}
	return nil
}

// WriteWhole writes a file that takes the place of an old one once it is whole. One that can be made again is not
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

// inherit gives a new file the rights of the old one, with its owner, its group and its attributes. What cannot be
// kept is noted, and then nobody has more rights than before.
func (g *Guard) inherit(file *os.File, path string, old fs.FileInfo) error {
	owner, group := chown(file, old)
	lost, sameList := copyAttributes(path, file)
	if !owner {
		lost = append(lost, "its owner")
	}
	if !group {
		lost = append(lost, "its group")
	}
	g.noteLost(path, lost)
	return file.Chmod(narrowed(old.Mode().Perm(), owner, group, sameList))
}

// noteLost notes what a new file could not keep of the old one.
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

// narrowed returns the permissions of a new file that nobody gains by: not the old owner, who may be of the group or
// one of the others now, not these two, who may have changed places, and nobody whom an access control list named.
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
