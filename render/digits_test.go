package render

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestAppendInt compares with strconv around all powers of ten and of two, and at random.
func TestAppendInt(t *testing.T) {
	buf := make([]byte, 0, 64)
	check := func(n int64) {
		if got, want := string(appendInt(buf, n)), strconv.FormatInt(n, 10); got != want {
			t.Fatalf("appendInt(%d) = %s", n, got)
		}
	}
	for _, p := range powers {
		for d := int64(-2); d <= 2; d++ {
			check(int64(p) + d)
			check(-int64(p) + d)
		}
	}
	for shift := range 63 {
		check(1<<shift - 1)
		check(1 << shift)
	}
	check(math.MaxInt64)
	check(math.MinInt64)
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		check(r.Int64() >> r.IntN(63))
	}
	if got := string(appendInt(make([]byte, 0, 3), 12345)); got != "12345" {
		t.Errorf("without room: %s", got)
	}
}
