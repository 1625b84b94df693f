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

// Has reports whether a file is tracked or, if the path ends with a slash, a file in that directory.
func (x *Index) Has(path string) bool {
	i, ok := slices.BinarySearch(x.paths, path)
	return ok || strings.HasSuffix(path, "/") && i < len(x.paths) && strings.HasPrefix(x.paths[i], path)
}

// The limits of an index, in bytes.
const (
	maxIndex   = 1 << 30  // of a file
	maxLink    = 16 << 20 // of the extension that names the base of a split index
	maxTracked = 24 << 20 // of the paths that are kept
	maxPath    = 4096     // of one path
)

// The reasons why an index is not read.
var (
	errBadIndex = errors.New("it is not one of version 2, 3 or 4, or is cut off")
	errTooLarge = errors.New("it has too many paths")
)

// ReadIndex reads the index in a directory of git, and the one that it is split from. Hashes there have that many
// bytes. Files are kept only if known knows their paths. A directory without an index tracks nothing.
func ReadIndex(git fs.FS, hash int, known func(path string) bool) (*Index, error) {
	x := new(Index)
	r := indexReader{hash: hash, known: known, into: x, deleted: bitsOf(nil)}
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

// open opens a regular file of at most that many bytes.
func open(files fs.FS, name string, most int64) (f fs.File, size int64, err error) {
	info, err := fs.Stat(files, name)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > most) {
		err = errBadIndex
	}
	if err == nil {
		size = info.Size()
		f, err = files.Open(name)
	}
	return f, size, err
}

// An indexReader reads the files of an index: first the changes, then the base that they are split from.
type indexReader struct {
	in      *bufio.Reader
	err     error // the first one
	hash    int   // bytes of a hash
	known   func(path string) bool
	into    *Index
	path    []byte      // of the last entry
	base    string      // the hash of the index that this one is split from, empty for none
	deleted func() bool // whether the next entry of that index is gone
}

// read reads a file, without the hash at its end.
func (r *indexReader) read(git fs.FS, name string) error {
	f, size, err := open(git, name, maxIndex)
	if err != nil {
		return err
	}
	defer f.Close()
	r.in = bufio.NewReaderSize(io.LimitReader(f, size-int64(r.hash)), 64<<10)
	head := r.next(12)
	version, count := binary.BigEndian.Uint32(head[4:]), binary.BigEndian.Uint32(head[8:])
	if string(head[:4]) != "DIRC" || version < 2 || version > 4 {
		return errBadIndex
	}
	for r.path = nil; count > 0 && r.err == nil; count-- {
		if kind := r.entry(version); !r.deleted() {
			r.keep(kind)
		}
	}
	r.base, r.deleted = "", bitsOf(nil)
	for r.err == nil && r.extension() {
	}
	return r.err
}

// next returns the next bytes, at most 80, which stay until more are read; at the end bytes of 0.
func (r *indexReader) next(n int) []byte {
	b, err := r.in.Peek(n)
	if err != nil {
		r.err = errBadIndex
		return make([]byte, n)
	}
	_, _ = r.in.Discard(n)
	return b
}

// entry reads an entry, and returns the kind of its file.
func (r *indexReader) entry(version uint32) (kind uint32) {
	n := 40 + r.hash + 2
	head := r.next(n)
	kind = binary.BigEndian.Uint32(head[24:]) >> 12
	if head[n-2]&0x40 != 0 && version > 2 { // there are more flags
		n += len(r.next(2))
	}
	kept := 0 // bytes of the path before; version 4 says how many of them are gone at its end
	if version == 4 {
		gone, more := -1, true
		for more && gone <= len(r.path) {
			b := r.next(1)[0]
			gone, more = (gone+1)<<7|int(b&0x7F), b&0x80 != 0
		}
		kept = len(r.path) - gone
	}
	if kept < 0 {
		r.err = errBadIndex
		return kind
	}
	end, err := r.in.ReadSlice(0)
	r.path = append(r.path[:kept], end...)
	if err != nil || len(r.path) > maxPath {
		r.err = errBadIndex
		return kind
	}
	r.path = r.path[:len(r.path)-1]
	if length := n + len(r.path); version < 4 {
		r.next((length+8)&^7 - length - 1) // bytes of 0 up to a multiple of 8, at least one
	}
	return kind
}

// keep keeps the path of an entry, if it is known. One that takes the place of another has no path.
func (r *indexReader) keep(kind uint32) {
	const file, link, submodule = 0o10, 0o12, 0o16
	path := string(r.path)
	switch {
	case kind == submodule:
		path += "/"
	case path == "" || kind != file && kind != link || !r.known(path):
		return
	}
	if r.into.size += len(path) + 16; r.into.size > maxTracked {
		r.err = errTooLarge
	}
	r.into.paths = append(r.into.paths, path)
}

// extension reads one extension after the entries, and reports whether there was one. The extension of a split index
// names the base, and has a bitmap of the entries of the base that are gone. A second bitmap, of the entries that have
// changed, does not matter: they keep their paths.
func (r *indexReader) extension() bool {
	if _, err := r.in.Peek(1); err != nil {
		return false
	}
	head := r.next(8)
	name, size := string(head[:4]), binary.BigEndian.Uint32(head[4:])
	isLink := name == "link" && size <= maxLink && int(size) >= r.hash
	if name[0] >= 'a' && name != "sdir" && !isLink { // git too has to know extensions in lower case
		r.err = errBadIndex
		return false
	}
	if !isLink {
		if _, err := r.in.Discard(int(size)); err != nil {
			r.err = errBadIndex
		}
		return r.err == nil
	}
	data, err := io.ReadAll(io.LimitReader(r.in, int64(size)))
	if err != nil || len(data) < int(size) {
		r.err = errBadIndex
		return false
	}
	if base := data[:r.hash]; slices.Max(base) > 0 {
		r.base = hex.EncodeToString(base)
	}
	if data = data[r.hash:]; len(data) >= 8 {
		n := min(uint64(len(data)-8), 8*uint64(binary.BigEndian.Uint32(data[4:])))
		r.deleted = bitsOf(data[8 : 8+n])
	}
	return true
}

// bitsOf returns a function that returns the bits of a bitmap one by one, false at its end. Git compresses them, in
// words of 8 bytes: a marker has a bit, how many words repeat it, and how many words after the marker are plain bits.
func bitsOf(words []byte) (next func() bool) {
	var plain, word, remain uint64 // plain words to come, the current bits, which go round, and how many are left
	return func() bool {
		for remain == 0 {
			if len(words) < 8 {
				return false
			}
			w := binary.BigEndian.Uint64(words)
			words = words[8:]
			if plain > 0 {
				plain--
				word, remain = w, 64
			} else {
				word, remain, plain = -(w & 1), 64*(w>>1&math.MaxUint32), w>>33
			}
		}
		remain--
		set := word&1 != 0
		word = bits.RotateLeft64(word, -1)
		return set
	}
}
