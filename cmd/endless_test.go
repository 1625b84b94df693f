//go:build unix

package cmd_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"layoutcalc/layout/layouttest"
)

// TestEndless reads inputs that never end: pipes with names of each format, with valid and invalid beginnings. Each
// call must end by itself, with an error that the input is too long.
func TestEndless(t *testing.T) {
	layouttest.SkipUnlessAll(t, "100 MB go through a pipe many times")
	array, _ := exampleFile(t, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), } + 8 bytes")
	tensors, _ := exampleFile(t, `{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}} + 4 bytes`)
	for _, tt := range []struct{ name, start, repeated string }{
		{"m.safetensors", "", "\x00"}, {"m.safetensors", tensors, "\x00"}, {"m.safetensors", "", "y\n"},
		{"m.npy", "", "\x00"}, {"m.npy", array, "\x00"}, {"m.gguf", "GGUF\x03\x00\x00\x00", "\x00"},
		{"m.onnx", "", "\x00"}, {"m.onnx", "\x08\x07", "\x00"}, {"m.json", "{", " "}, {"m.yaml", "", "a: b\n"},
		{"m.jsonl", "", "\x00"}, {"config.pbtxt", "", "\x00"}, {"m.txt", "2x3", " "},
	} {
		for _, command := range []string{"check", "size", "strides"} {
			t.Chdir(t.TempDir())
			if err := syscall.Mkfifo(tt.name, 0o600); err != nil {
				t.Skip(err)
			}
			ended := make(chan error)
			go func() { ended <- feed(tt.name, tt.start, tt.repeated) }()
			r := runWith(nil, nil, command, tt.name)
			if err := <-ended; r.code != 2 || !errors.Is(err, syscall.EPIPE) {
				t.Errorf("%s %s exits %d: %s%s; the pipe: %v", command, tt.name, r.code, r.out, r.stderr, err)
			}
		}
	}
}

// feed writes start into a pipe, and then repeated, until the pipe is closed.
func feed(path, start, repeated string) error {
	pipe, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer pipe.Close()
	_, err = pipe.WriteString(start)
	many := strings.Repeat(repeated, 64<<10)
	for deadline := time.Now().Add(time.Minute); err == nil && time.Now().Before(deadline); {
		_, err = pipe.WriteString(many)
	}
	return err
}

// TestLinkedDevices reads links in a repository that point to a pipe or a device, which is an error, and the pipe
// itself.
func TestLinkedDevices(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	files{".git/HEAD": "x", "zero.npy": "-> /dev/zero", "pipe.npy": "-> p", "d": "-> /dev"}.write(t, ".")
	if err := syscall.Mkfifo("p", 0o600); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{"zero.npy", "pipe.npy", "d/zero", filepath.Join(dir, "zero.npy")} {
		for _, command := range []string{"check", "size", "strides", "convert 2x3 HW WH --out x --in"} {
			args := append(strings.Fields(command), path)
			if r := runWith(nil, nil, args...); r.code != 2 || !strings.Contains(r.out+r.stderr, "link") {
				t.Errorf("%q exits %d: %s%s", args, r.code, r.out, r.stderr)
			}
		}
	}
	array, _ := exampleFile(t, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), } + 8 bytes")
	go func() {
		if err := os.WriteFile("p", []byte(array), 0o600); err != nil {
			t.Error(err)
		}
	}()
	if r := runWith(nil, nil, "strides", "p"); r.code != 0 {
		t.Errorf("a pipe exits %d: %s", r.code, r.stderr)
	}
}
