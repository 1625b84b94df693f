package relayout_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"layoutcalc/layout"
	"layoutcalc/layout/relayout"
)

// A faulty is a file to read and one to write whose calls of one kind fail from some call on.
type faulty struct {
	source
	reads bool  // whether reads fail, or writes
	first int64 // the first call to fail; 0: none does
	fail  func(n int) (int, error)
	calls atomic.Int64 // of that kind
	late  atomic.Int64 // calls of both kinds after the first that failed
	all   atomic.Int64
	open  atomic.Int64 // reads under way
}

// fails counts a call and reports whether it fails.
func (f *faulty) fails(read bool) bool {
	f.all.Add(1)
	if f.first > 0 && f.calls.Load() >= f.first {
		f.late.Add(1)
	}
	return read == f.reads && f.calls.Add(1) >= f.first && f.first > 0
}

// ReadAt reads, or fails.
func (f *faulty) ReadAt(b []byte, at int64) (int, error) {
	f.open.Add(1)
	defer f.open.Add(-1)
	runtime.Gosched()
	if f.fails(true) {
		return f.fail(len(b))
	}
	return f.source.ReadAt(b, at)
}

// Write forgets the bytes, or fails.
func (f *faulty) Write(b []byte) (int, error) {
	if f.fails(false) {
		return f.fail(len(b))
	}
	return len(b), nil
}

// WriteAt does so too.
func (f *faulty) WriteAt(b []byte, _ int64) (int, error) { return f.Write(b) }

// ways are the two ways to move between files.
var ways = [...]struct {
	name string
	move func(p relayout.Plan, ctx context.Context, f *faulty, o relayout.Options) error
}{
	{"Copy", func(p relayout.Plan, ctx context.Context, f *faulty, o relayout.Options) error {
		return p.Copy(ctx, f, f, o)
	}},
	{"Stream", func(p relayout.Plan, ctx context.Context, f *faulty, o relayout.Options) error {
		return p.Stream(ctx, f, f, o)
	}},
}

// slabbed returns a move of many slabs, and the options that make them so many.
func slabbed(t *testing.T, jobs int) (*moving, relayout.Options) {
	t.Helper()
	const shape = "16x20x15x17"
	m := newMoving(t, described(t, shape, "NCHW", "", "", 32), described(t, shape, "NHWC", "", "", 32), rand.New(rand.NewPCG(21, 22)))
	return m, relayout.Options{Jobs: jobs, Memory: 4096}
}

// TestFaults lets calls fail, early or late, and wants their cause to be told and no more to be
// done.
func TestFaults(t *testing.T) {
	tests := []struct {
		what  string
		reads bool
		fail  func(n int) (int, error)
		cause error
	}{
		{"a read fails", true, func(int) (int, error) { return 0, io.ErrNoProgress }, io.ErrNoProgress},
		{"a read fails half-way", true, func(n int) (int, error) { return n / 2, io.ErrNoProgress }, io.ErrNoProgress},
		{"the file ends", true, func(int) (int, error) { return 0, io.EOF }, io.ErrUnexpectedEOF},
		{"the file ends half-way", true, func(n int) (int, error) { return n / 2, io.EOF }, io.ErrUnexpectedEOF},
		{"a write fails", false, func(int) (int, error) { return 0, io.ErrClosedPipe }, io.ErrClosedPipe},
		{"a write fails half-way", false, func(n int) (int, error) { return n / 2, io.ErrClosedPipe }, io.ErrClosedPipe},
		{"a write is short and silent", false, func(n int) (int, error) { return n / 2, nil }, io.ErrShortWrite},
	}
	for _, tt := range tests {
		for _, first := range []int64{1, 2, 40} {
			stopped(t, tt.what, func(*testing.T) (*faulty, context.Context) {
				return &faulty{reads: tt.reads, first: first, fail: tt.fail}, t.Context()
			}, tt.cause)
		}
	}
}

// TestCancel stops moves before they begin, while they read and while they write.
func TestCancel(t *testing.T) {
	for _, reads := range []bool{true, false} {
		for _, first := range []int64{0, 1, 2, 40} {
			stopped(t, fmt.Sprintf("cancelled, reads %v", reads), func(t *testing.T) (*faulty, context.Context) {
				ctx, cancel := context.WithCancel(t.Context())
				if first == 0 {
					cancel()
				}
				return &faulty{reads: reads, first: first, fail: func(n int) (int, error) { cancel(); return n, nil }}, ctx
			}, context.Canceled)
		}
	}
}

// stopped moves in each way, and wants the cause and an end soon after it.
func stopped(t *testing.T, what string, start func(*testing.T) (*faulty, context.Context), cause error) {
	t.Helper()
	before := runtime.NumGoroutine()
	for _, way := range ways {
		for _, jobs := range []int{1, 3} {
			f, ctx := start(t)
			m, o := slabbed(t, jobs)
			f.source = m.src
			what := fmt.Sprintf("%s: %s at call %d with %d jobs", way.name, what, f.first, jobs)
			if err := way.move(m.plan, ctx, f, o); !errors.Is(err, cause) {
				t.Errorf("%s: %v, want %v", what, err, cause)
			}
			undisturbed := func(f *faulty) error { return way.move(m.plan, t.Context(), f, o) }
			if n := f.open.Load(); n > 0 {
				t.Errorf("%s: %d reads are under way when it has ended", what, n)
			}
			f.checkEnd(t, what, undisturbed, jobs == 1 && cause != context.Canceled)
		}
	}
	for deadline := 100; runtime.NumGoroutine() > before; deadline-- {
		if deadline == 0 {
			t.Fatalf("%s: %d goroutines are left", what, runtime.NumGoroutine()-before)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// checkEnd counts the calls behind the failed one: those of slabs that were under way, far from
// all that there are.
func (f *faulty) checkEnd(t *testing.T, what string, undisturbed func(f *faulty) error, strict bool) {
	t.Helper()
	whole := &faulty{source: f.source}
	if err := undisturbed(whole); err != nil {
		t.Fatal(err)
	}
	most := whole.all.Load() / 4
	if strict {
		most = 0
	}
	if late := f.late.Load(); late > most {
		t.Errorf("%s: %d calls after it, of %d in all", what, late, whole.all.Load())
	}
}

// TestNewRefuses goes through what cannot be moved.
func TestNewRefuses(t *testing.T) {
	at := func(base int64, sizes, strides []int64) layout.Layout { return strided(t, base, sizes, strides) }
	ok := at(0, []int64{2, 3}, []int64{3, 1})
	tests := []struct {
		what             string
		from, to         layout.Layout
		fromBits, toBits int64
		says             []string
	}{
		{"other sizes", ok, at(0, []int64{2, 4}, []int64{4, 1}), 32, 32, []string{"3", "4"}},
		{"sizes in another order", ok, at(0, []int64{3, 2}, []int64{2, 1}), 32, 32, []string{"2", "3"}},
		{"another rank", ok, at(0, []int64{6}, []int64{1}), 32, 32, []string{"2", "3", "6"}},
		{"an axis of size 1 more", ok, at(0, []int64{2, 3, 1}, []int64{3, 1, 1}), 32, 32, []string{"2", "3"}},
		{"wider elements", ok, ok, 32, 64, []string{"32", "64"}},
		{"2 bits", ok, ok, 2, 2, []string{"2"}},
		{"no bits", ok, ok, 0, 0, []string{"0"}},
		{"a source below 0", at(1, []int64{2, 3}, []int64{-3, 1}), ok, 32, 32, []string{"-2"}},
		{"a target below 0", ok, at(4, []int64{2, 3}, []int64{-3, -1}), 32, 32, []string{"-1"}},
	}
	for _, tt := range tests {
		_, err := relayout.New(tensor(t, tt.from, tt.fromBits), tensor(t, tt.to, tt.toBits))
		if err == nil {
			t.Errorf("%s: accepted", tt.what)
			continue
		}
		for _, word := range tt.says {
			if !slices.Contains(numbers(err), word) {
				t.Errorf("%s: %q does not say %s", tt.what, err, word)
			}
		}
	}
}

// numbers returns the numbers in the text of an error.
func numbers(err error) []string { return regexp.MustCompile(`-?\d+`).FindAllString(err.Error(), -1) }

// TestSharedTargets goes through targets of all small strides. Where two elements share an
// offset New must name two that do.
func TestSharedTargets(t *testing.T) {
	refused := 0
	for _, sizes := range [][]int64{{4, 3}, {2, 3, 2}} {
		for _, strides := range shapes(len(sizes), -4, 5) {
			l := strided(t, 40, sizes, strides)
			x := tensor(t, l, 32)
			_, err := relayout.New(x, x)
			switch {
			case err == nil != unique(l):
				t.Fatalf("%v: %v", l, err)
			case err != nil && !namesTwo(l, err):
				t.Fatalf("%v: %q names no two elements and their offset", l, err)
			case err != nil:
				refused++
			}
		}
	}
	if refused < 300 {
		t.Errorf("%d targets are refused: too few", refused)
	}
}

// namesTwo reports whether the error has two indices side by side that share an offset which it
// has too.
func namesTwo(l layout.Layout, err error) bool {
	found, rank := numbers(err), l.Rank()
	for i := 0; i+2*rank <= len(found); i++ {
		a, aOK := offsetAt(l, found[i:i+rank])
		b, bOK := offsetAt(l, found[i+rank:i+2*rank])
		differ := !slices.Equal(found[i:i+rank], found[i+rank:i+2*rank])
		if aOK && bOK && differ && a == b && slices.Contains(found, strconv.FormatInt(a, 10)) {
			return true
		}
	}
	return false
}

// offsetAt reads an index, and reports false when the layout does not have it.
func offsetAt(l layout.Layout, words []string) (offset int64, ok bool) {
	offset = l.Base()
	for i, step := range steps(l) {
		v, err := strconv.Atoi(words[i])
		if err != nil || v < 0 || v >= len(step) {
			return 0, false
		}
		offset += step[v]
	}
	return offset, true
}

// TestSwapOfOtherUnits reverses units that are wider than elements, from the first byte of the
// file on, or refuses them; never anything else.
func TestSwapOfOtherUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for _, bits := range widths {
		m := newMoving(t, described(t, "2x3x8x8", "NHWC", "", "", bits), described(t, "2x3x8x8", "NCHW", "", "", bits), rng)
		for _, unit := range []int{-2, 1, 3, 2, 4, 8, 16} {
			for _, memory := range memories[1:] {
				dst := newTarget(len(m.want))
				err := m.plan.Copy(t.Context(), dst, source(m.src), relayout.Options{Memory: memory, Swap: unit})
				if valid := unit > 1 && unit&(unit-1) == 0; err == nil && !valid {
					t.Fatalf("%v: units of %d bytes are accepted", m, unit)
				} else if err == nil {
					m.compare(t, fmt.Sprintf("Copy of units of %d", unit), dst.data, m.swapped(unit))
				} else if int64(unit)*8 <= bits && valid {
					t.Fatalf("%v: units of %d bytes: %v", m, unit, err)
				}
			}
		}
	}
}
