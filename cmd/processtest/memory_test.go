//go:build !race

// The race detector takes memory of its own.

package processtest

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
)

// maxMemory is the most memory that the program may take, but for what --memory says.
const maxMemory = 256 << 20

// memoryOf returns the most memory that a process had, in bytes; 0 where the system does not say that.
func memoryOf(p *os.ProcessState) int64 {
	if runtime.GOOS != "linux" {
		return 0
	}
	return reflect.ValueOf(p.SysUsage()).Elem().FieldByName("Maxrss").Int() << 10
}

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
		if n := memoryOf(c.ProcessState); n > maxMemory+memory {
			t.Errorf("%s takes %d MB: %s", tt.args, n>>20, tt.reason)
		} else {
			t.Logf("%s: %d MB", tt.args, n>>20)
		}
	}
}
