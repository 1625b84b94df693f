package inspect

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// An entry is one of an index that is written.
type entry struct {
	path  string
	kind  uint32 // 0 for a file
	flags uint16
}

// written returns the bytes of an index.
func written(version uint32, hash int, extensions string, entries ...entry) []byte {
	var b bytes.Buffer
	put := func(v any) { _ = binary.Write(&b, binary.BigEndian, v) }
	b.WriteString("DIRC")
	put(version)
	put(uint32(len(entries)))
	before := ""
	for _, e := range entries {
		start := b.Len()
		kind := e.kind
		if kind == 0 {
			kind = 0o10
		}
		b.Write(make([]byte, 24))
		put(kind<<12 | 0o644)
		b.Write(bytes.Repeat([]byte{0xAB}, 12+hash))
		put(e.flags | uint16(min(len(e.path), 0xFFF)))
		if e.flags&0x4000 != 0 {
			put(uint16(0x2000))
		}
		if version == 4 {
			n := 0
			for n < min(len(before), len(e.path)) && before[n] == e.path[n] {
				n++
			}
			b.Write(varint(len(before) - n))
			b.WriteString(e.path[n:] + "\x00")
			before = e.path
			continue
		}
		b.WriteString(e.path + "\x00")
		for (b.Len()-start)%8 != 0 {
			b.WriteByte(0)
		}
	}
	b.WriteString(extensions)
	b.Write(make([]byte, hash))
	return b.Bytes()
}

// varint writes a number as git does in version 4 of an index, and in packs.
func varint(n int) []byte {
	b := []byte{byte(n & 0x7F)}
	for n >>= 7; n > 0; n >>= 7 {
		n--
		b = append([]byte{0x80 | byte(n&0x7F)}, b...)
	}
	return b
}

// extension returns an extension of an index.
func extension(name, data string) string {
	return name + string(binary.BigEndian.AppendUint32(nil, uint32(len(data)))) + data
}

// words returns words of a compressed bitmap, with their header.
func words(list ...uint64) string {
	b := binary.BigEndian.AppendUint32(nil, 0) // how many bits it has does not matter
	b = binary.BigEndian.AppendUint32(b, uint32(len(list)))
	for _, w := range list {
		b = binary.BigEndian.AppendUint64(b, w)
	}
	return string(binary.BigEndian.AppendUint32(b, 0))
}

// anyName knows all files.
func anyName(string) bool { return true }

func TestReadIndex(t *testing.T) {
	long := strings.Repeat("d/", 2000) + "x.npy"
	entries := []entry{
		{path: "a.npy"}, {path: "a/b.onnx", flags: 0x4000}, {path: "a/bc.onnx"}, {path: "l", kind: 0o12},
		{path: long}, {path: "sparse/", kind: 0o04}, {path: "sub", kind: 0o16}, {path: "z"},
	}
	want := []string{"a.npy", "a/b.onnx", "a/bc.onnx", long, "l", "sub/", "z"}
	for _, hash := range []int{20, 32} {
		for version := uint32(2); version <= 4; version++ {
			list := slices.Clone(entries)
			if version == 2 {
				list[1].flags = 0
			}
			git := fstest.MapFS{"index": {Data: written(version, hash,
				extension("TREE", "whatever")+extension("sdir", ""), list...)}}
			x, err := ReadIndex(git, hash, anyName)
			if err != nil || !slices.Equal(x.paths, want) {
				t.Fatalf("version %d, hashes of %d bytes: %v, %q", version, hash, err, x.paths)
			}
			if !x.Has("z") || x.Has("a") || !x.Has("a/") || !x.Has("sub/") || x.Has("b/") ||
				x.Has("z/") {
				t.Error("the paths are there and not found, or the other way round")
			}
		}
	}
	known := func(path string) bool { return strings.HasSuffix(path, ".npy") }
	x, err := ReadIndex(fstest.MapFS{"index": {Data: written(4, 20, "", entries...)}}, 20, known)
	if err != nil || !slices.Equal(x.paths, []string{"a.npy", long, "sub/"}) {
		t.Errorf("of known names: %v, %q", err, x.paths)
	}
	if x, err := ReadIndex(fstest.MapFS{}, 20, anyName); err != nil || x.Has("a") || x.Has("a/") {
		t.Errorf("no index: %v", err)
	}
}

// TestSplitIndex reads an index of changes to another one, of which entries are gone and replaced.
func TestSplitIndex(t *testing.T) {
	var base []entry
	for i := range 200 {
		base = append(base, entry{path: fmt.Sprintf("%03d.npy", i)})
	}
	hash := strings.Repeat("\x5A", 20)
	// Gone are entry 1, the 64 entries from 64 on, and entry 130.
	gone := words(1<<33, 1<<1, 1|1<<1|1<<33, 1<<2)
	git := fstest.MapFS{
		"index": {Data: written(2, 20, extension("link", hash+gone+words()),
			entry{path: ""}, entry{path: "new.npy"})},
		"sharedindex." + hex.EncodeToString([]byte(hash)): {Data: written(4, 20, "", base...)},
	}
	x, err := ReadIndex(git, 20, anyName)
	if err != nil || len(x.paths) != 200-66+1 {
		t.Fatalf("%v, %d paths", err, len(x.paths))
	}
	for path, want := range map[string]bool{"000.npy": true, "001.npy": false, "002.npy": true, "063.npy": true,
		"064.npy": false, "127.npy": false, "128.npy": true, "130.npy": false, "131.npy": true, "199.npy": true,
		"new.npy": true, "": false} {
		if x.Has(path) != want {
			t.Errorf("%q: %v", path, !want)
		}
	}
	// A bitmap ends with its words, here 8 for 448 entries: what comes next is another one.
	next := "\x00\x00\x00\x00" + "\x00\x00\x00\x03\x00\x00\x00\x00"
	for i := range 400 {
		base = append(base, entry{path: fmt.Sprintf("more/%03d.npy", i)})
	}
	gone = strings.TrimSuffix(words(7<<33, 1<<1, 0, 0, 0, 0, 0, 0), "\x00\x00\x00\x00") + next
	git["index"] = &fstest.MapFile{Data: written(2, 20, extension("link", hash+gone))}
	all := git["sharedindex."+hex.EncodeToString([]byte(hash))]
	few := all.Data
	all.Data = written(4, 20, "", base...)
	if x, err := ReadIndex(git, 20, anyName); err != nil || len(x.paths) != 599 {
		t.Errorf("a bitmap and another one: %v, %d paths", err, len(x.paths))
	}
	all.Data = few
	ones := strings.Repeat("\x01", 20)
	git["index"] = &fstest.MapFile{Data: written(2, 20, extension("link", ones))}
	git["sharedindex."+hex.EncodeToString([]byte(ones))] = all
	if x, err := ReadIndex(git, 20, anyName); err != nil || len(x.paths) != 200 {
		t.Errorf("a base whose hash has small bytes: %v, %d paths", err, len(x.paths))
	}
	const none = "a base of 0"
	for reason, link := range map[string]string{
		"no bitmaps": hash, none: strings.Repeat("\x00", 20) + gone,
		"a bitmap of fewer words than it says": hash + "\x00\x00\x00\x40\x00\x00\x00\x09" + strings.Repeat("\x00", 8),
	} {
		git["index"] = &fstest.MapFile{Data: written(3, 20, extension("link", link), entry{path: "new.npy"})}
		want := 201
		if reason == none {
			want = 1
		}
		if x, err := ReadIndex(git, 20, anyName); err != nil || len(x.paths) != want {
			t.Errorf("%s: %v, %d paths", reason, err, len(x.paths))
		}
	}
}

// TestBadIndex has indexes that are not read, each for its reason.
func TestBadIndex(t *testing.T) {
	good := written(2, 20, "", entry{path: "a"})
	strip := written(4, 20, "", entry{path: "a"})
	strip[12+62] = 1 // there is no path before
	counts := slices.Clone(good)
	counts[11] = 2
	endless := written(4, 20, "")
	endless = append(endless[:12], bytes.Repeat([]byte{0xFF}, 4000)...)
	endless[8] = 0xFF
	for _, tt := range []struct {
		reason string
		data   []byte
		want   error
	}{
		{"nothing", nil, errBadIndex},
		{"short", good[:20], errBadIndex},
		{"another file", []byte(strings.Repeat("root:x:0:0\n", 20)), errBadIndex},
		{"version 5", written(5, 20, ""), errBadIndex},
		{"version 1", written(1, 20, ""), errBadIndex},
		{"cut", good[:60], errBadIndex},
		{"more entries than there are", counts, errBadIndex},
		{"hashes of another length", written(2, 32, "", entry{path: "a"}, entry{path: "b"}), nil},
		{"more is stripped than there is", strip, errBadIndex},
		{"a number without an end", endless, errBadIndex},
		{"a path of 5,000 bytes", written(2, 20, "", entry{path: strings.Repeat("x", 5000)}), errBadIndex},
		{"a path without an end", written(2, 20, "", entry{path: strings.Repeat("x", 100_000)}), errBadIndex},
		{"an extension that git has to know", written(2, 20, extension("fold", "")), errBadIndex},
		{"an extension that git has to know, after that of a split index",
			written(2, 20, extension("link", strings.Repeat("x", 20))+extension("fold", "")), errBadIndex},
		{"an extension that is cut", written(2, 20, "TREE\x00\x00\x00\x09"), errBadIndex},
		{"a link that is cut", written(2, 20, extension("link", "abc")), errBadIndex},
		{"a length of 4 GB", written(2, 20, "link\xFF\xFF\xFF\xFF"), errBadIndex},
		{"half an extension", written(2, 20, "TR"), errBadIndex},
		{"a byte of an extension", written(2, 20, "T"), errBadIndex},
	} {
		x, err := ReadIndex(fstest.MapFS{"index": {Data: tt.data}}, 20, anyName)
		if tt.want != nil && err != tt.want || tt.want == nil && err == nil || len(x.paths) > 0 {
			t.Errorf("%s: %v, %q", tt.reason, err, x.paths)
		}
	}
	for reason, mode := range map[string]fs.FileMode{"a pipe": fs.ModeNamedPipe, "a device": fs.ModeDevice} {
		if _, err := ReadIndex(fstest.MapFS{"index": {Data: good, Mode: mode}}, 20, anyName); err != errBadIndex {
			t.Errorf("%s: %v", reason, err)
		}
	}
	missing := extension("link", strings.Repeat("x", 20))
	if _, err := ReadIndex(fstest.MapFS{"index": {Data: written(2, 20, missing)}}, 20, anyName); err == nil {
		t.Error("the index that another is split from is not there")
	}
}

// TestIndexMemory reads paths that grow with each entry, and more of them than are kept.
func TestIndexMemory(t *testing.T) {
	longer := make([]entry, 4000)
	for i := range longer {
		longer[i].path = strings.Repeat("x", i+1)
	}
	many := make([]entry, 12_000)
	for i := range many {
		many[i].path = fmt.Sprintf("%s%05d", strings.Repeat("y", 3000), i)
	}
	for _, tt := range []struct {
		reason  string
		entries []entry
		want    error
	}{{"longer and longer", longer, nil}, {"many", many, errTooLarge}} {
		git := fstest.MapFS{"index": {Data: written(4, 20, "", tt.entries...)}}
		if _, err := ReadIndex(git, 20, anyName); err != tt.want {
			t.Errorf("%s: %v", tt.reason, err)
		}
		var most bytes.Buffer
		known := func(path string) bool { most.WriteString(path[:1]); return false }
		if x, err := ReadIndex(git, 20, known); err != nil || most.Len() != len(tt.entries) || x.size != 0 {
			t.Errorf("%s, none kept: %v, %d asked, %d bytes", tt.reason, err, most.Len(), x.size)
		}
	}
}

// FuzzIndex reads an index, and one that it is split from, that may be anything.
func FuzzIndex(f *testing.F) {
	link := extension("link", strings.Repeat("\x5A", 20)+words(1<<33, 2, 1|1<<1|1<<33, 4))
	for version := uint32(2); version <= 4; version++ {
		f.Add(written(version, 20, link, entry{path: "a/b"}, entry{path: "a/bc"}), written(version, 20, "",
			entry{path: "x"}, entry{path: "y", kind: 0o16}), false)
	}
	f.Add(written(4, 32, "", entry{path: "a"}), []byte(nil), true)
	f.Fuzz(func(t *testing.T, index, base []byte, isLong bool) {
		hash := 20
		if isLong {
			hash = 32
		}
		git := fstest.MapFS{"index": {Data: index},
			"sharedindex." + strings.Repeat("5a", hash): {Data: base}}
		asked := 0
		x, err := ReadIndex(git, hash, func(string) bool { asked++; return true })
		if err != nil && len(x.paths) > 0 {
			t.Errorf("%v, and %d paths", err, len(x.paths))
		}
		if asked > (len(index)+len(base))/40 || x.size > maxTracked || !slices.IsSorted(x.paths) {
			t.Errorf("%d paths asked, %d bytes kept, of %d and %d bytes", asked, x.size, len(index), len(base))
		}
		for _, path := range x.paths {
			if !x.Has(path) || len(path) > maxPath+1 {
				t.Errorf("%q is lost", path)
			}
		}
	})
}
