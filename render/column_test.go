package render

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestColumn compares with strconv: numbers from around powers of ten and of two, and random ones, with steps of all
// lengths, over the carry of the eight digits that are added at once.
func TestColumn(t *testing.T) {
	buf := make([]byte, 1+columnWidth)
	check := func(n, step int64) {
		t.Helper()
		var c column
		c.start(n, step)
		for range 5 {
			if got, want := string(buf[1:c.next(buf, 1)]), strconv.FormatInt(n, 10); got != want {
				t.Fatalf("%d of step %d is written %s", n, step, got)
			}
			if n += step; (n < 0) != (n-step < 0) {
				return
			}
		}
	}
	steps := []int64{0, 1, 2, 7, 9, 10, 4096, 99_999_999, 100_000_000, -1, -4096, 12_345_678}
	for power := int64(1); ; power *= 10 {
		for d := int64(-2); d <= 2; d++ {
			for _, step := range steps {
				check(power+d, step)
				check(-power+d, step)
			}
		}
		if power > math.MaxInt64/10 {
			break
		}
	}
	for shift := range 63 {
		check(1<<shift-1, 1)
		check(1<<shift, 3)
	}
	check(math.MaxInt64, 0)
	check(math.MinInt64, 1)
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		check(r.Int64()>>r.IntN(63)/8, r.Int64()>>(r.IntN(30)+30))
	}
}

// TestColumnCounts counts from 0 over the first carry.
func TestColumnCounts(t *testing.T) {
	var c column
	buf := make([]byte, columnWidth)
	c.start(0, 37)
	for n := 0; n < 110_000_000; n += 37 {
		end := c.next(buf, 0)
		if n%1000 < 37 || n > 99_900_000 && n < 100_100_000 {
			if got := string(buf[:end]); got != strconv.Itoa(n) {
				t.Fatalf("%d is written %s", n, got)
			}
		}
	}
}
