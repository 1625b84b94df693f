//go:build !race

// The race detector has counters of its own.

package processtest

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"layoutcalc/layout/layouttest"
)

// countedPackages are those whose steps are counted: the program's, the library that reads YAML, and those of the
// standard library that search, sort and compare. Loops in assembly count as one step.
const countedPackages = "layoutcalc/...,go.yaml.in/yaml/v4/...,strings,bytes,slices,sort,maps,path,path/filepath"

// The most by which costs may grow where the input doubles: n log n grows by 2.2 or less, and n² by 4. Bytes are less
// exact, since buffers double.
const (
	maxSteps = 2.4
	maxBytes = 3
)

// maxLeast is the most that the smallest inputs may take, in steps and in bytes.
const maxLeast = 200_000_000

// noise is how many bytes buffers may take that grow at once.
const noise = 1 << 20

// A cost is the cost of a run: steps, which are executions of basic blocks, and allocated bytes. Neither depends on the
// machine or its load.
type cost struct{ steps, bytes int64 }

// TestGrowth doubles inputs of every kind, twice. The costs that the two doublings add are compared, which does not
// include the cost of a run without input. Sizes are small: three digits are enough to distinguish n² from n.
func TestGrowth(t *testing.T) {
	t.Parallel()
	layouttest.SkipUnlessAll(t, "the program is built with counters, and runs hundreds of times")
	need(t, "go")
	binary := filepath.Join(t.TempDir(), "counting")
	c := exec.Command("go", "test", "-c", "-cover", "-covermode=count", "-coverpkg="+countedPackages, "-o", binary, ".")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, g := range slices.Concat(growingFiles, growingModels, growingTexts, growingScalars()) {
		t.Run(strings.ReplaceAll(g.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			var costs [3]cost
			for i := range costs {
				costs[i] = g.run(t, binary, g.n<<i)
			}
			first := cost{costs[1].steps - costs[0].steps, costs[1].bytes - costs[0].bytes}
			second := cost{costs[2].steps - costs[1].steps, costs[2].bytes - costs[1].bytes}
			if g.limited {
				first.steps, first.bytes = max(first.steps, costs[0].steps), max(first.bytes, costs[0].bytes)
			}
			t.Logf("%d, %d and %d: %d", g.n, 2*g.n, 4*g.n, costs)
			if costs[0].steps > maxLeast || costs[0].bytes > maxLeast {
				t.Errorf("%d steps and %d bytes are too many", costs[0].steps, costs[0].bytes)
			}
			if first.steps < int64(g.n) {
				t.Errorf("%d more steps for %d more: the input is not read", first.steps, g.n)
			}
			most := maxSteps
			if g.square {
				most *= 2
			}
			if grows := float64(second.steps) / float64(first.steps); grows > most {
				t.Errorf("steps grow by %.2f where the input doubles", grows)
			}
			if grows := float64(second.bytes) / float64(max(first.bytes, noise)); grows > maxBytes {
				t.Errorf("bytes grow by %.2f where the input doubles", grows)
			}
		})
	}
}

// run runs the program on an input of the size.
func (g *grower) run(t *testing.T, binary string, n int) cost {
	t.Helper()
	dir, counters := t.TempDir(), t.TempDir()
	files := map[string]string{}
	if g.files != nil {
		files = g.files(n)
	}
	writeFiles(t, dir, files)
	for path := range files { // like in an archive or a reproducible image
		if err := os.Chtimes(filepath.Join(dir, path), time.Unix(1, 0), time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"check", "--severity", "note", "-o", "json", "."}
	if g.args != nil {
		args = g.args(n)
	}
	alive, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c := exec.CommandContext(alive, binary, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "LAYOUTCALC_TEST_MAIN=1", "COLUMNS=", "GOMAXPROCS=1",
		"LAYOUTCALC_TEST_MEMORY="+filepath.Join(counters, "memory"), "GOCOVERDIR="+counters)
	var stderr strings.Builder
	c.Stderr = &stderr
	if code := exitCode(t, c.Run()); code < 0 || code > 2 {
		t.Fatalf("%d exits %d: %.1000s", n, code, &stderr)
	}
	allocated, _ := memoryIn(t, filepath.Join(counters, "memory"))
	paths, err := filepath.Glob(filepath.Join(counters, "covcounters.*"))
	if err != nil || len(paths) != 1 {
		t.Fatal("no counters: ", err)
	}
	steps, err := sum(read(t, paths[0]))
	if err != nil {
		t.Fatal(err)
	}
	return cost{steps, allocated}
}

// sum adds up the counters of a file that a program built with -cover has written, as internal/coverage describes it:
// a header, and functions with the number of their counters, two numbers that identify them, and the counters.
func sum(file []byte) (total int64, err error) {
	const header, segment, footer = 32, 16, 16
	if len(file) < header+segment+footer || string(file[:4]) != "\x00cwm" || file[24] != 2 {
		return 0, fmt.Errorf("not a file of counters of a form that is known: %.40q", file)
	}
	functions := binary.LittleEndian.Uint64(file[header:])
	names := binary.LittleEndian.Uint32(file[header+8:])
	args := binary.LittleEndian.Uint32(file[header+12:])
	at := header + segment + (int(names)+int(args)+3)&^3
	next := func() uint64 {
		n, size := binary.Uvarint(file[at : len(file)-footer])
		if size <= 0 {
			err, size = fmt.Errorf("no counter at %d of %d", at, len(file)), 0
		}
		at += size
		return n
	}
	for range functions {
		counters := next()
		next()
		next()
		for i := uint64(0); i < counters && err == nil; i++ {
			total += int64(next())
		}
	}
	return total, err
}
