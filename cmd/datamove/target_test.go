package datamove

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"layoutcalc/cmd/files"
)

// A pieces file counts the bytes that are written.
type pieces struct {
	*os.File
	written int
}

func (p *pieces) WriteAt(b []byte, at int64) (int, error) {
	p.written += len(b)
	return p.File.WriteAt(b, at)
}

// TestSparse writes data with runs of zeros at all kinds of places, and reads it back.
func TestSparse(t *testing.T) {
	const size = 10 * hole
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		data := make([]byte, size)
		for range r.IntN(4) {
			data[r.IntN(size)] = 1
		}
		file, err := os.Create(filepath.Join(t.TempDir(), "x"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if err := file.Truncate(size); err != nil {
			t.Fatal(err)
		}
		target := &pieces{File: file}
		for at := 0; at < size; {
			end := min(size, at+1+r.IntN(3*hole))
			if n, err := (sparse{target}).WriteAt(data[at:end], int64(at)); n != end-at || err != nil {
				t.Fatalf("%d bytes, %v", n, err)
			}
			at = end
		}
		got, err := io.ReadAll(file)
		if err != nil || !bytes.Equal(got, data) || target.written > 3*hole {
			t.Fatalf("%v, %d bytes are written", err, target.written)
		}
	}
}

// TestIsSparse distinguishes files with holes from others, for any part of the file as data.
func TestIsSparse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, make([]byte, 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	data := io.NewSectionReader(io.NewSectionReader(file, 8, 1<<20), 8, 1<<10)
	if err := file.Truncate(1 << 20); err != nil {
		t.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil || isSparse(data) != files.IsSparse(info) || isSparse(bytes.NewReader(nil)) {
		t.Errorf("%v: %t, want %t", err, isSparse(data), files.IsSparse(info))
	}
}
