package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkProcess times whole processes, in turns with a yardstick, and reports the ratio of
// the medians. The yardsticks are an empty cobra program, and seq for a million rows.
func BenchmarkProcess(b *testing.B) {
	dir := b.TempDir()
	program, peer := build(b, dir, "."), build(b, dir, "./testdata/peer")
	for _, bb := range []struct {
		name           string
		yardstick, own []string
	}{
		{"plain", []string{peer, "strides"}, []string{program, "strides", "1x3x224x224", "NHWC", "-o", "plain"}},
		{"table", []string{peer, "strides"}, []string{program, "strides", "1x3x224x224", "NHWC"}},
		{"rows", []string{"seq", "1000000"}, []string{program, "offset", "1000x1000", "--all", "-o", "csv"}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			if _, err := exec.LookPath(bb.yardstick[0]); err != nil {
				b.Skip(err)
			}
			compare(b, bb.yardstick, bb.own)
		})
	}
}

// build builds a program the way the README does.
func build(b *testing.B, dir, pkg string) string {
	b.Helper()
	path := filepath.Join(dir, "program"+filepath.Base(pkg))
	c := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, pkg)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return path
}

func compare(b *testing.B, yardstick, own []string) {
	var theirs, ours []time.Duration
	for b.Loop() {
		theirs = append(theirs, runOnce(b, yardstick))
		ours = append(ours, runOnce(b, own))
	}
	slices.Sort(theirs)
	slices.Sort(ours)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(ours[len(ours)/2].Microseconds()), "µs")
	b.ReportMetric(float64(ours[len(ours)/2])/float64(theirs[len(theirs)/2]), "x-yardstick")
}

// runOnce times one process whose output goes to a file that holds nothing.
func runOnce(b *testing.B, command []string) time.Duration {
	c := exec.Command(command[0], command[1:]...)
	start := time.Now()
	if err := c.Run(); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}
