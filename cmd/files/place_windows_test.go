package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestHeld replaces a file that another program has open. Both files must stay, and a note must report it.
func TestHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "held")
	if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		t.Fatal(err)
	}
	const share = syscall.FILE_SHARE_READ
	other, err := syscall.CreateFile(name, syscall.GENERIC_READ, share, nil, syscall.OPEN_EXISTING, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	var notes []string
	g := Guard{Note: func(texts ...string) { notes = append(notes, texts...) }}
	err = write(&g, path, "new")
	if err == nil || !isHeld(err) || len(notes) != 1 || !strings.Contains(notes[0], "another program has it open") {
		t.Fatalf("%v, %q", err, notes)
	}
	_, kept, _ := strings.Cut(notes[0], "the new file is ")
	for file, want := range map[string]string{path: "old", kept: "new"} {
		if text, err := os.ReadFile(file); string(text) != want {
			t.Errorf("%s has %q, %v", file, text, err)
		}
	}
	if err := syscall.CloseHandle(other); err != nil {
		t.Fatal(err)
	}
	if err := write(&g, path, "newer"); err != nil || len(notes) != 1 {
		t.Errorf("%v, %q", err, notes)
	}
	if text, _ := os.ReadFile(path); string(text) != "newer" {
		t.Errorf("%q", text)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("%v are left", left)
	}
}

// TestAttributesStay replaces files with attributes, which stay, and with another stream, where a file system has them.
func TestAttributesStay(t *testing.T) {
	dir := t.TempDir()
	for i, attributes := range []uint32{
		syscall.FILE_ATTRIBUTE_READONLY, syscall.FILE_ATTRIBUTE_HIDDEN, syscall.FILE_ATTRIBUTE_SYSTEM,
		syscall.FILE_ATTRIBUTE_READONLY | syscall.FILE_ATTRIBUTE_HIDDEN, 0,
	} {
		path := filepath.Join(dir, string(rune('a'+i)))
		if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
		hasStream := os.WriteFile(path+":origin", []byte("mine"), 0o666) == nil
		name, err := syscall.UTF16PtrFromString(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.SetFileAttributes(name, attributes|syscall.FILE_ATTRIBUTE_ARCHIVE); err != nil {
			t.Fatal(err)
		}
		if err := write(&Guard{Note: func(texts ...string) { t.Error(texts) }}, path, "new"); err != nil {
			t.Errorf("%#x: %v", attributes, err)
		}
		const all = syscall.FILE_ATTRIBUTE_READONLY | syscall.FILE_ATTRIBUTE_HIDDEN | syscall.FILE_ATTRIBUTE_SYSTEM
		if got, err := syscall.GetFileAttributes(name); err != nil || got&all != attributes {
			t.Errorf("%#x become %#x, %v", attributes, got, err)
		}
		if text, _ := os.ReadFile(path); string(text) != "new" {
			t.Errorf("%q", text)
		}
		if stream, err := os.ReadFile(path + ":origin"); hasStream && string(stream) != "mine" {
			t.Errorf("the stream has %q, %v", stream, err)
		}
		_ = syscall.SetFileAttributes(name, syscall.FILE_ATTRIBUTE_ARCHIVE) // so that it can be removed
	}
}

// TestNoPlace writes to nul, and to names that Windows before 11 keeps for devices: there is no file of such a name.
func TestNoPlace(t *testing.T) {
	t.Chdir(t.TempDir())
	g := Guard{Note: func(texts ...string) { t.Error(texts) }}
	made := 0
	for _, path := range []string{"nul", "nul.npy", `.\lpt1.svg`, "aux.txt"} {
		isFile := !isDevice(path)
		if isFile {
			made++
		}
		if err := write(&g, path, "new"); (err == nil) != (isFile || path == "nul") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if names, err := os.ReadDir("."); err != nil || len(names) != made {
		t.Errorf("%v are there, %v; want %d", names, err, made)
	}
}

// TestDevices has names of devices, and those of files that are like them.
func TestDevices(t *testing.T) {
	for name, is := range map[string]bool{
		"nul": true, "CON": true, `dir\aux`: true, "dir/prn": true, "com1": true, "NUL:": true, "lpt9": true,
		"conx": false, "a.npy": false, `C:\a`: false, "..": false, ".": false, `\`: false, "C:": false,
		"a.npy:stream": false, `\\server\share\a`: false, `C:\`: false,
	} {
		if isDevice(name) != is {
			t.Errorf("%s is a device: %t", name, !is)
		}
		if _, err := new(Guard).Stat(name); is && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
