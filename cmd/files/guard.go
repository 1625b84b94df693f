package files

import (
	"context"
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
	// Base is the absolute path of the directory that relative paths start at. If it is empty, they start at the
	// working directory of the process.
	Base string

	Note func(texts ...string) // reports actions on files, but not errors; may be nil

	// BeforeWrite is called before an output is written. If it returns an error, nothing is written. It may be nil.
	BeforeWrite func() error

	// Fences returns the directories with content that strangers may have made, such as the checkout of a pull request.
	// It is called when an output first meets a link, a pipe or a device. If Follow is set, outputs may go through
	// links there.
	Fences func() []string
	Follow bool

	fences []fs.FileInfo // the identities of the directories that Fences returns
	read   sync.Map      // the identities of files that the call reads
}

// ErrInput is the error of a file that is not replaced because the call reads it.
var ErrInput = errors.New("an input of the call")

// Start calls BeforeWrite for an output that is not a file.
func (g *Guard) Start() error {
	if g.BeforeWrite == nil {
		return nil
	}
	return g.BeforeWrite()
}

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

// WriteWhole writes a new file, which replaces the old one once it is complete. If again is set, the old file can be
// made again and is replaced without a sync. A signal ends the call with ErrInterrupted, and removes the incomplete
// file.
func (g *Guard) WriteWhole(path string, again bool, write func(io.Writer) error) error {
	ctx, stop := Interruptible()
	defer stop()
	r, err := g.Replace(path)
	if err != nil {
		return err
	}
	defer r.Drop()
	r.Sync = r.Sync && !again
	err = write(interrupted{ctx, r.File})
	switch {
	case ctx.Err() != nil:
		return ErrInterrupted
	case err != nil:
		return err
	}
	return r.Keep() // a signal from here on finds a file that is complete
}

// An interrupted file takes no more bytes once a signal has ended its context.
type interrupted struct {
	ctx  context.Context
	file *os.File
}

func (i interrupted) Write(b []byte) (int, error) {
	if i.ctx.Err() != nil {
		return 0, ErrInterrupted
	}
	return i.file.Write(b)
}

func (i interrupted) Seek(offset int64, whence int) (int64, error) {
	return i.file.Seek(offset, whence)
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

// narrowed returns permissions for a new file that do not give anybody new access. The old owner may now be in the
// group or one of the others, users may move between the group and the others, and an access control list may name
// users.
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
