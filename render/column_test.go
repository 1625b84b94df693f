package render

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"layoutcalc/layout/layouttest"
)

// checkColumn compares a number and the next ones with strconv, as far as they fit.
func checkColumn(t *testing.T, n, step, rows int64) {
	t.Helper()
	c := column{value: n}
	c.setStep(step)
	for rows > 0 {
		row, same := c.place([]byte("x,"), rows)
		if same < 1 || same > rows {
			t.Fatalf("%d rows of %d that begin like %d of step %d", same, rows, n, step)
		}
		row = append(row, ",-123456789"...)
		c.begin(row)
		next := slices.Clone(row)
		for range same {
			c.next(next)
			if got, want := string(next), "x,"+strconv.FormatInt(n, 10)+",-123456789"; got != want {
				t.Fatalf("%s of step %d is written %s", want, step, got)
			}
			if n += step; (n < c.value) != (step < 0) && step != 0 {
				return // it does not fit
			}
		}
		c.value, rows = n, rows-same
	}
}

// TestColumn compares with strconv: numbers from around powers of ten and of two, and random ones, with steps of all
// lengths, over each carry, each number of digits and 0.
func TestColumn(t *testing.T) {
	steps := []int64{
		0, 1, 2, 7, 9, 10, 4096, 99_999_999, 100_000_000, 100_000_001, 12_345_678, 1 << 40, -1, -2, -4096, -99_999_999,
		-100_000_000, -12_345_678,
	}
	for power := int64(1); ; power *= 10 {
		for d := int64(-3); d <= 3; d++ {
			for _, step := range steps {
				checkColumn(t, power+d, step, 7)
				checkColumn(t, -power+d, step, 7)
			}
		}
		if power > math.MaxInt64/10 {
			break
		}
	}
	for shift := range 63 {
		checkColumn(t, 1<<shift-1, 1, 5)
		checkColumn(t, 1<<shift, 3, 5)
		checkColumn(t, 1<<shift, -3, 5)
	}
	checkColumn(t, math.MaxInt64, 0, 3)
	checkColumn(t, math.MinInt64, 0, 3)
	checkColumn(t, math.MinInt64, 1, 5)
	checkColumn(t, math.MaxInt64, -1, 5)
	checkColumn(t, 10, math.MaxInt64/10, 5)
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		n, step := r.Int64()>>r.IntN(63)/8, r.Int64()>>(r.IntN(30)+30)
		checkColumn(t, n, step, 5)
		checkColumn(t, -n, step, 5)
		checkColumn(t, n, -step, 5)
	}
}

// TestColumnRuns checks that rows are combined as long as they have the same length and differ only in eight digits.
func TestColumnRuns(t *testing.T) {
	for _, r := range []struct{ first, step, most, same int64 }{
		{0, 1, 100, 10}, {-3, 1, 10, 3}, {-3, -1, 10, 7}, {100_000_005, -1, 10, 6}, {100_000_005, 1, 10, 10},
		{99, 1, 10, 1}, {10, 45, 10, 2}, {7, 0, 10, 10},
	} {
		c := column{value: r.first}
		c.setStep(r.step)
		if _, same := c.place(nil, r.most); same != r.same {
			t.Errorf("%d of %d rows from %d on, with step %d, at once; want %d", same, r.most, r.first, r.step, r.same)
		}
	}
}

// TestColumnCounts counts from 0 over the first carry of eight digits, and from there back below 0.
func TestColumnCounts(t *testing.T) {
	layouttest.SkipUnlessAll(t, "the input is large")
	checkColumn(t, 0, 37, 110_000_000/37)
	checkColumn(t, 110_000_000, -37, 220_000_000/37)
}
