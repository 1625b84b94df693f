package processtest

import (
	"os/exec"
	"syscall"
	"testing"
)

// BenchmarkPageFaults counts the page faults of the start of the program, beside a cobra program that does nothing.
func BenchmarkPageFaults(b *testing.B) {
	dir := b.TempDir()
	program, peer := build(b, dir, "layoutcalc"), build(b, dir, "layoutcalc/testdata/peer")
	faults := func(command ...string) float64 {
		c := exec.Command(command[0], command[1:]...)
		if err := c.Run(); err != nil {
			b.Fatal(err)
		}
		return float64(c.ProcessState.SysUsage().(*syscall.Rusage).Minflt)
	}
	var theirs, ours float64
	for b.Loop() {
		theirs += faults(peer, "strides")
		ours += faults(program, "version")
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ours/float64(b.N), "faults")
	b.ReportMetric(ours/theirs, "x-yardstick")
}
