package tensorfile

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/layouttest"
)

// An archived is an array of an archive, as NumPy and Python's zipfile describe it.
type archived struct {
	File, Name, Type string
	Sizes            []int64
	Fortran          bool
	Start, Bytes     int64
}

// archivesOfNumPy returns the archives of testdata by their names, and their arrays.
func archivesOfNumPy(t testing.TB) (files map[string][]byte, arrays map[string][]archived) {
	t.Helper()
	dir := filepath.Join("testdata", "npz")
	text, err := os.ReadFile(filepath.Join(dir, "archives.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []archived
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	files, arrays = map[string][]byte{}, map[string][]archived{}
	for _, name := range []string{"stored.npz", "deflated.npz", "comment.npz", "zip64.npz", "none.npz"} {
		if files[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, a := range all {
		arrays[a.File] = append(arrays[a.File], a)
	}
	return files, arrays
}

func TestNpzOfNumPy(t *testing.T) {
	files, arrays := archivesOfNumPy(t)
	for name, data := range files {
		f, err := Read(npzKind, bytes.NewReader(data), int64(len(data)))
		if err != nil || f.Len() != len(arrays[name]) {
			t.Errorf("%s: %v, error %v, want %d arrays", name, f, err, len(arrays[name]))
			continue
		}
		for i, want := range arrays[name] {
			d := f.At(i)
			isFortran := d.Strides != nil && want.Fortran || d.Strides == nil && !want.Fortran
			if d.Name != want.Name || d.TypeName != want.Type || !slices.Equal(d.Sizes, want.Sizes) || !isFortran {
				t.Errorf("%s: %+v, want %+v", name, d, want)
			}
			if want.Start >= 0 && (d.Data.From != want.Start || d.Data.To != want.Start+want.Bytes) {
				t.Errorf("%s: the elements of %s are at %v, want %+v", name, want.Name, d.Data, want)
			}
			a, err := Find(npzKind, bytes.NewReader(data), int64(len(data)), want.Name)
			switch isStored := want.Start >= 0; {
			case isStored && (err != nil || a.Start != want.Start || a.Bytes != want.Bytes):
				t.Errorf("%s: found %+v, error %v, want %+v", name, a, err, want)
			case !isStored && (err == nil || !strings.Contains(err.Error(), "compressed")):
				t.Errorf("%s: error %v for %s, which is compressed", name, err, want.Name)
			}
		}
	}
}

// TestNpzDamaged changes each byte of an archive, and cuts it at each. If the reader does not report the damage, it
// must still find the remaining tensors.
func TestNpzDamaged(t *testing.T) {
	files, arrays := archivesOfNumPy(t)
	whole := files["zip64.npz"]
	for i := range whole {
		for _, data := range [][]byte{whole[:i], slices.Concat(whole[:i], []byte{whole[i] ^ 0xff}, whole[i+1:])} {
			f, err := Read(npzKind, bytes.NewReader(data), int64(len(data)))
			if err == nil && (f.Len() > len(arrays["zip64.npz"]) || len(data) < len(whole)) {
				t.Errorf("byte %d of %d: %+v", i, len(data), f)
			}
		}
	}
}

func TestNpzFaults(t *testing.T) {
	files, _ := archivesOfNumPy(t)
	stored, deflated := files["stored.npz"], files["deflated.npz"]
	directory := func(data []byte) int { return int(binary.LittleEndian.Uint32(data[len(data)-6:])) }
	entry, deflatedEntry := directory(stored), directory(deflated)
	changed := func(data []byte, at int, to ...byte) []byte {
		return slices.Concat(data[:at], to, data[at+len(to):])
	}
	for _, tt := range []struct {
		reason  string
		data    []byte
		message string // in the error, or in a finding
	}{
		{"no directory", stored[:len(stored)-zipEndBytes-1], "ends without its directory"},
		{"a shorter directory", changed(stored, len(stored)-12, 200, 0), "fewer files than it says"},
		{"an encrypted file", changed(stored, entry+8, 1), "encrypted"},
		{"another method", changed(stored, entry+10, 14), "NumPy does not read"},
		{"a file elsewhere", changed(stored, entry+42, 7), "is not where the directory says"},
		{"a directory elsewhere", changed(stored, len(stored)-6, 255, 255, 255), "where it says"},
		{"damaged bytes", changed(deflated, 70, 255, 255, 255, 255, 255), "damaged"},
		{"a file without a header", changed(deflated, deflatedEntry+24, 4, 0, 0, 0), "the file ends"},
		{"a pointer", []byte("version https://git-lfs.github.com/spec/v1\n"), ""},
	} {
		f, err := Read(npzKind, bytes.NewReader(tt.data), int64(len(tt.data)))
		messages := ""
		if err != nil {
			messages = err.Error()
		} else {
			for _, g := range f.Findings {
				messages += g.Message + "\n"
			}
		}
		if !strings.Contains(messages, tt.message) || messages == "" {
			t.Errorf("%s: %s, want %s", tt.reason, cmp.Or(messages, "nothing"), tt.message)
		}
	}
}

// FuzzNpz checks that any archive is either rejected or read the same again, and that elements to be moved are inside.
func FuzzNpz(f *testing.F) {
	files, _ := archivesOfNumPy(f)
	for _, data := range files {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer layouttest.Limit(t, len(data))()
		read := func() (*descriptor.File, error) { return Read(npzKind, bytes.NewReader(data), int64(len(data))) }
		file, err := read()
		if again, _ := read(); !reflect.DeepEqual(file, again) {
			t.Fatalf("%+v and then %+v", file, again)
		}
		if err != nil {
			return
		}
		for i := range file.Len() {
			d := file.At(i)
			a, err := Find(npzKind, bytes.NewReader(data), int64(len(data)), d.Name)
			if err == nil && (a.Start < 0 || a.Bytes < 0 || a.Start+a.Bytes > int64(len(data))) {
				t.Fatalf("%+v in %d bytes", a, len(data))
			}
		}
	})
}
