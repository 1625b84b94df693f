package layouttest

import (
	"runtime/metrics"
	"testing"
	"time"
)

// The most that reading a text may take, whatever it says: much more than any text takes, and much less than one whose
// cost grows with the square of its size, or with a number in it.
const (
	baseTime, timePerByte     = 500 * time.Millisecond, 100 * time.Microsecond
	baseMemory, memoryPerByte = 256 << 20, 64 << 10
)

// Limit starts to measure what a fuzz target takes of the processor and of memory for an input of some bytes. The
// function that it returns ends that, and fails if it was too much. Waiting costs nothing, and neither do other
// processes.
func Limit(t *testing.T, size int) (end func()) {
	t.Helper()
	startTime, startMemory := processorTime(), allocated()
	return func() {
		t.Helper()
		limit := baseTime + time.Duration(size)*timePerByte
		if took := processorTime() - startTime; took > limit {
			t.Errorf("takes %v of the processor, and may take %v for %d bytes", took, limit, size)
		}
		most := uint64(baseMemory + size*memoryPerByte)
		if took := allocated() - startMemory; took > most {
			t.Errorf("allocates %d bytes, and may allocate %d for %d", took, most, size)
		}
	}
}

// allocated returns how many bytes the process has allocated.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
