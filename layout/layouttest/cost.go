package layouttest

import (
	"runtime/metrics"
	"testing"
	"time"
)

// The maximum cost of reading any input. It is much more than any input takes, and much less than the cost of an input
// that takes time in the square of its size, or in proportion to a number in it.
const (
	baseTime, timePerByte     = 500 * time.Millisecond, 100 * time.Microsecond
	baseMemory, memoryPerByte = 256 << 20, 64 << 10
)

// Limit starts to measure the processor time and the memory that a fuzz target uses for an input of size bytes. The
// function that it returns stops the measurement, and fails the test if it was too much. Waiting costs nothing, and
// neither do other processes.
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
