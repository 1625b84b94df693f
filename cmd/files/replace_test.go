package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestReplacementYields puts a file in place where another one has appeared meanwhile.
func TestReplacementYields(t *testing.T) {
	for _, tt := range []struct {
		name   string
		yields bool
		want   string
	}{
		{"to another", true, "theirs"},
		{"to nothing", false, "ours"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "new")
			r, err := new(Guard).Replace(path)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Drop()
			r.Yields = tt.yields
			if _, err := r.File.WriteString("ours"); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte("theirs"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := r.Keep(); errors.Is(err, fs.ErrExist) != tt.yields {
				t.Errorf("Keep: %v", err)
			}
			r.Drop()
			got, err := os.ReadFile(path)
			files, _ := os.ReadDir(dir)
			if err != nil || string(got) != tt.want || len(files) != 1 {
				t.Errorf("%q, %d files, %v; want %q alone", got, len(files), err, tt.want)
			}
		})
	}
}

// TestReplacementSyncs waits for the disk if a file is replaced, which cannot be made again.
func TestReplacementSyncs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, replaces := range []bool{false, true} {
		r, err := new(Guard).Replace(path)
		if err != nil {
			t.Fatal(err)
		}
		if r.Sync != replaces {
			t.Errorf("replaces a file: %t, syncs: %t", replaces, r.Sync)
		}
		if err := r.Keep(); err != nil {
			t.Error(err)
		}
	}
}

// TestWriteWhole checks that a failed write leaves only the old file.
func TestWriteWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	failed := errors.New("no more")
	for _, tt := range []struct {
		text string
		err  error
		want string
	}{{"old", nil, "old"}, {"half of the n", failed, "old"}, {"new", nil, "new"}} {
		err := new(Guard).WriteWhole(path, true, func(w io.Writer) error {
			_, _ = io.WriteString(w, tt.text)
			return tt.err
		})
		text, _ := os.ReadFile(path)
		names, _ := os.ReadDir(dir)
		if err != tt.err || string(text) != tt.want || len(names) != 1 {
			t.Errorf("%q: %v leaves %q and %d files", tt.text, err, text, len(names))
		}
	}
}
