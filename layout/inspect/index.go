// Package inspect is what the command check does beside its rules: it says which files that are found are inputs. It
// reads .gitignore files and the index of git; git itself is never started.
//
// It opens files only in directories that its caller gives it, and may import project.
package inspect

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// An Index is the paths that git tracks, from the root of a working tree, with slashes. That of a submodule ends with
// a slash. The zero Index has none.
type Index struct {
	paths []string // in order
	size  int      // bytes that they take
}

// Has reports whether a file is tracked.
func (x *Index) Has(path string) bool {
	_, ok := slices.BinarySearch(x.paths, path)
	return ok
}

// HasBelow reports whether a file in a directory is tracked.
func (x *Index) HasBelow(dir string) bool {
	dir += "/"
	i, _ := slices.BinarySearch(x.paths, dir)
	return i < len(x.paths) && strings.HasPrefix(x.paths[i], dir)
}

// The limits of an index, in bytes.
const (
	maxIndex   = 1 << 30  // of a file
	maxLink    = 16 << 20 // of what an index says of the one that it is split from
	maxTracked = 24 << 20 // of the paths that are kept
	maxPath    = 4096     // of one path
)

// The reasons why an index is not read.
var (
	errNoIndex  = errors.New("it is not an index of version 2, 3 or 4")
	errCut      = errors.New("it ends too early")
	errUnknown  = errors.New("it has an extension that is not known here")
	errBadPath  = errors.New("it has a path that no file can have")
	errTooLarge = errors.New("it has too many paths of models and configurations")
)

// ReadIndex reads the index in a directory of git, and the one that it is split from. Hashes there have that many
// bytes. Of the files those are kept whose paths known knows. A directory without an index tracks nothing.
func ReadIndex(git fs.FS, hash int, known func(path string) bool) (*Index, error) {
	x := new(Index)
	r := indexReader{hash: hash, known: known, into: x}
	err := r.read(git, "index")
	if errors.Is(err, fs.ErrNotExist) {
		return x, nil
	}
	if err == nil && r.base != "" {
		err = r.read(git, "sharedindex."+r.base)
	}
	if err != nil {
		return new(Index), err
	}
	slices.Sort(x.paths)
	return x, nil
}

// An indexReader reads the files of an index: first that of its changes, then the one that they are split from.
type indexReader struct {
	in      *bufio.Reader
	hash    int // bytes of a hash
	known   func(path string) bool
	into    *Index
	version uint32
	path    []byte // of the last entry
	base    string // the hash of the index that this one is split from, empty for none
	deleted bitmap // entries of that index that are gone
}

// read reads a file. Entries of the first one that take the place of others have no paths.
func (r *indexReader) read(git fs.FS, name string) error {
	info, err := fs.Stat(git, name)
	if err != nil {
		return err
	}
	size := info.Size() - int64(r.hash) // the hash of the file is at the end
	if !info.Mode().IsRegular() || size < 0 || size > maxIndex {
		return errNoIndex
	}
	f, err := git.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r.in = bufio.NewReaderSize(io.LimitReader(f, size), 64<<10)
	head, err := r.next(12)
	if err != nil || string(head[:4]) != "DIRC" {
		return errNoIndex
	}
	r.version = binary.BigEndian.Uint32(head[4:])
	count := binary.BigEndian.Uint32(head[8:])
	if r.version < 2 || r.version > 4 {
		return errNoIndex
	}
	r.path = r.path[:0]
	for range count {
		mode, err := r.entry()
		if err != nil {
			return err
		}
		if r.deleted.next() {
			continue
		}
		if err := r.keep(mode); err != nil {
			return err
		}
	}
	return r.extensions()
}

// next returns the next bytes, until more are read.
func (r *indexReader) next(n int) ([]byte, error) {
	b, err := r.in.Peek(n)
	if err == nil {
		_, err = r.in.Discard(n)
	}
	if err != nil {
		return nil, errCut
	}
	return b, nil
}

// entry reads an entry, and returns the kind of its file.
func (r *indexReader) entry() (kind uint32, err error) {
	n := 40 + r.hash + 2
	head, err := r.next(n)
	if err != nil {
		return 0, err
	}
	kind = binary.BigEndian.Uint32(head[24:]) >> 12
	if head[n-2]&0x40 != 0 && r.version > 2 { // there are more flags
		n += 2
		if _, err := r.next(2); err != nil {
			return 0, err
		}
	}
	kept := 0 // bytes of the path before
	if r.version == 4 {
		if kept, err = r.strip(); err != nil {
			return 0, err
		}
	}
	end, err := r.in.ReadSlice(0)
	r.path = append(r.path[:kept], end...)
	if err != nil || len(r.path) > maxPath {
		return 0, errBadPath
	}
	r.path = r.path[:len(r.path)-1]
	if r.version < 4 {
		length := n + len(r.path)
		_, err = r.next((length+8)&^7 - length - 1) // bytes of 0 up to a multiple of 8, at least one
	}
	return kind, err
}

// strip reads how many bytes at the end of the path before the next path does not have, and returns how many it has.
func (r *indexReader) strip() (kept int, err error) {
	for n := 0; ; n++ {
		b, err := r.next(1)
		if err != nil {
			return 0, err
		}
		n = n<<7 | int(b[0]&0x7F)
		switch {
		case n > len(r.path):
			return 0, errBadPath
		case b[0]&0x80 == 0:
			return len(r.path) - n, nil
		}
	}
}

// keep keeps the path of an entry, if it is known.
func (r *indexReader) keep(kind uint32) error {
	const file, link, submodule = 0o10, 0o12, 0o16
	path := ""
	switch {
	case kind == submodule:
		path = string(r.path) + "/"
	case kind == file || kind == link:
		path = string(r.path)
	}
	if path == "" || kind != submodule && !r.known(path) {
		return nil
	}
	if r.into.size += len(path) + 16; r.into.size > maxTracked {
		return errTooLarge
	}
	r.into.paths = append(r.into.paths, path)
	return nil
}

// extensions reads what comes after the entries.
func (r *indexReader) extensions() error {
	r.base, r.deleted = "", bitmap{}
	for {
		head, err := r.in.Peek(8)
		if len(head) == 0 {
			return nil
		}
		if err != nil {
			return errCut
		}
		name, size := string(head[:4]), binary.BigEndian.Uint32(head[4:])
		_, _ = r.in.Discard(8)
		switch {
		case name == "link" && size <= maxLink:
			data := make([]byte, size)
			if _, err := io.ReadFull(r.in, data); err != nil || len(data) < r.hash {
				return errCut
			}
			r.link(data)
			continue
		case name[0] >= 'a' && name != "sdir": // git does not read an index whose other extensions it does not know
			return errUnknown
		}
		if n, err := io.CopyN(io.Discard, r.in, int64(size)); n < int64(size) || err != nil {
			return errCut
		}
	}
}

// link takes from an extension which index this one is split from, and which entries of it are gone. A second bitmap
// tells those that have changed, whose paths have not.
func (r *indexReader) link(data []byte) {
	hash, rest := data[:r.hash], data[r.hash:]
	if slices.Max(hash) > 0 {
		r.base = hex.EncodeToString(hash)
	}
	if len(rest) >= 8 {
		n := min(uint64(len(rest)-8), 8*uint64(binary.BigEndian.Uint32(rest[4:])))
		r.deleted = bitmap{words: rest[8 : 8+n]}
	}
}

// A bitmap is bits as git compresses them, in words of 8 bytes: a marker has a bit, how many words repeat it, and how
// many words after the marker are bits themselves.
type bitmap struct {
	words  []byte
	plain  uint64 // how many of the words come before the next marker
	word   uint64 // the bits at hand, which go round
	remain uint64 // how many of them are left
}

// next returns the next bit, false at the end.
func (b *bitmap) next() bool {
	for b.remain == 0 {
		if len(b.words) < 8 {
			return false
		}
		w := binary.BigEndian.Uint64(b.words)
		b.words = b.words[8:]
		if b.plain > 0 {
			b.plain--
			b.word, b.remain = w, 64
		} else {
			b.word, b.remain, b.plain = -(w & 1), 64*(w>>1&math.MaxUint32), w>>33
		}
	}
	b.remain--
	set := b.word&1 != 0
	b.word = bits.RotateLeft64(b.word, -1)
	return set
}
