//go:build !race

// The race detector takes memory of its own.

package processtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"layoutcalc/layout/layouttest"
)

// maxMemory is the maximum memory of the program, not counting the memory for --memory.
const maxMemory = 256 << 20

// memoryOf returns the maximum memory that a process had, in bytes, or 0 if the system does not report it.
func memoryOf(p *os.ProcessState) int64 {
	if runtime.GOOS != "linux" {
		return 0
	}
	return reflect.ValueOf(p.SysUsage()).Elem().FieldByName("Maxrss").Int() << 10
}

// peakOf returns the most memory of a process, in bytes, as seen every millisecond until it ends. Linux counts in the
// figures of an ended process those of the process that started it, such as a test that has read large files.
func peakOf(pid int) (most int64) {
	for {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		_, after, ok := strings.Cut(string(data), "VmHWM:")
		fields := strings.Fields(after)
		if err != nil || !ok || len(fields) == 0 {
			return most
		}
		kilobytes, _ := strconv.ParseInt(fields[0], 10, 64)
		most = max(most, kilobytes<<10)
		time.Sleep(time.Millisecond)
	}
}

// needMemory skips a slow test of memory unless every test runs on Linux, which reports how much memory a process had.
func needMemory(t *testing.T, reason string) {
	t.Helper()
	layouttest.SkipUnlessAll(t, reason)
	if runtime.GOOS != "linux" {
		t.Skip("only Linux reports how much memory a process had")
	}
}

// TestDataMemory moves 512 MB in little memory, however the layouts differ.
func TestDataMemory(t *testing.T) {
	t.Parallel()
	needMemory(t, "1.5 GB are written")
	const memory = 64 << 20 // the default of --memory, of which slabs leave some to the program
	dir := t.TempDir()
	sparse(t, filepath.Join(dir, "large"), 512<<20)
	for _, tt := range []struct{ args, reason string }{
		{"8x64x1024x1024 NCHW NHWC -t u8 --out y", "channels become innermost"},
		{"32768x16384 HW WH -t u8 --out y --force", "a transpose"},
		{"8x64x1024x1024 NCHW NHWC -t u8 --out /dev/null", "channels become innermost, as a stream"},
	} {
		c := mover(t, dir, tt.args+" --in large -q")
		var stderr strings.Builder
		c.Stderr = &stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		n := peakOf(c.Process.Pid)
		if code := exitCode(t, c.Wait()); code != 0 || stderr.Len() > 0 {
			t.Errorf("%s exits %d and says %q", tt.args, code, stderr.String())
		}
		if n > memory {
			t.Errorf("%s takes %d MB: %s", tt.args, n>>20, tt.reason)
		} else {
			t.Logf("%s: %d MB", tt.args, n>>20)
		}
	}
}

// TestCheckMemory checks headers and models of very many tensors, all of which are wrong, with a job for each, and
// writes all reports of more findings than are listed.
func TestCheckMemory(t *testing.T) {
	t.Parallel()
	needMemory(t, "20 MB are checked")
	dir := t.TempDir()
	var header, graph, lines strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&header, `,"t%d":{"dtype":"F33","shape":[1],"data_offsets":[0,3]}`, i)
		fmt.Fprintf(&graph, "\x2A\x0D\x08\x01\x10\x01\x42\x04t%03d\x4A\x01x", i%1000)
	}
	for i := range 10_000 {
		fmt.Fprintf(&lines, `{"name":"%s%d","DataType":"FLOAT32","Sizes":[0]}`+"\n", strings.Repeat("n", 200), i)
	}
	text := "{" + header.String()[1:] + "}"
	model := binary.AppendUvarint([]byte("\x08\x08\x3A"), uint64(graph.Len()))
	for i := range 8 {
		number := strconv.Itoa(i)
		sized := string(binary.LittleEndian.AppendUint64(nil, uint64(len(text)))) + text + "abc"
		for name, content := range map[string]string{
			"headers/" + number + ".safetensors": sized, "models/" + number + ".onnx": string(model) + graph.String(),
			"lines/" + number + ".jsonl": lines.String(),
		} {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	reports := "--report json=a --report sarif=b --report junit=c --report github=d --report gitlab=e --report text=f"
	for _, args := range []string{"headers", "models", "lines " + reports} {
		c := program(t, append(strings.Fields("check -q --get error --jobs 8"), strings.Fields(args)...)...)
		c.Dir = dir
		out, err := c.Output()
		if code := exitCode(t, err); code != 1 || len(out) < 5 {
			t.Errorf("%s: exits %d with %s", args, code, out)
		}
		if n := memoryOf(c.ProcessState); n > maxMemory {
			t.Errorf("%s take %d MB", args, n>>20)
		} else {
			t.Logf("%s: %d MB", args, n>>20)
		}
	}
}

// TestBatchMemory answers 250,000 lines, some of them bad or long, in constant memory. The program reports its own
// memory, because Linux counts at least the memory of the test that started it.
func TestBatchMemory(t *testing.T) {
	layouttest.SkipUnlessAll(t, "250,000 lines take seconds")
	const most = 64 << 20
	lines := strings.Repeat("1x3x224x224 NHWC --pitch W=4 -t float16\n2x3x4 'CHW'\n\n2x3x5 --dim a=1,b=2\n", 250)
	long := "2x3" + strings.Repeat(" ", 900_000) + "HW\n"
	for form, times := range map[string]int{"plain": 250, "json": 20} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			c := program(t, "strides", "--batch", "-", "-o", form)
			c.Stdin = io.MultiReader(strings.NewReader(long), repeat(lines, times), strings.NewReader(long))
			path := filepath.Join(t.TempDir(), "memory")
			c.Env = append(c.Env, "LAYOUTCALC_TEST_MEMORY="+path)
			var stdout counted
			c.Stdout = &stdout
			if code := exitCode(t, c.Run()); code != 2 || stdout.lines != 1000*times+2 {
				t.Errorf("exits %d after %d lines", code, stdout.lines)
			}
			if _, given := memoryIn(t, path); given > most {
				t.Errorf("takes %d MB", given>>20)
			} else {
				t.Logf("%d MB", given>>20)
			}
		})
	}
}

// Counted counts the lines that are written.
type counted struct{ lines int }

func (c *counted) Write(p []byte) (int, error) {
	c.lines += bytes.Count(p, []byte("\n"))
	return len(p), nil
}
