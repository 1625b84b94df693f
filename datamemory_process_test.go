//go:build !race

// The race detector takes room of its own.

package main

import (
	"path/filepath"
	"runtime"
	"testing"
)

// TestDataMemory moves 1 GB in little memory, however the layouts differ.
func TestDataMemory(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("1 GB is written, and Linux tells how much memory a process had")
	}
	const memory = 64 << 20 // the default of --memory
	dir := t.TempDir()
	sparse(t, filepath.Join(dir, "large"), 1<<30)
	for _, tt := range []struct{ args, reason string }{
		{"16x64x1024x1024 NCHW NHWC -t u8 --out y", "channels become innermost"},
		{"32768x32768 HW WH -t u8 --out y --force", "a transpose"},
		{"16x64x1024x1024 NCHW NHWC -t u8 --out /dev/null", "channels become innermost, as a stream"},
	} {
		c := mover(t, dir, tt.args+" --in large -q")
		if code, _, stderr := ended(t, c); code != 0 || stderr != "" {
			t.Errorf("%s exits %d and says %q", tt.args, code, stderr)
		}
		if n := room(c.ProcessState); n > maxRoom+memory {
			t.Errorf("%s takes %d MB: %s", tt.args, n>>20, tt.reason)
		} else {
			t.Logf("%s: %d MB", tt.args, n>>20)
		}
	}
}
