package access_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"layoutcalc/layout/access"
)

// TestLoops counts loops by arithmetic: a line of 64 bytes has 16 floats, and a column of 1024 rows 1024 lines.
func TestLoops(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		axes   []int
		lines  int
		want   access.Reuse
		reason string
	}{
		{[]int{0, 1}, 1, access.Reuse{Reads: 1 << 20, Lines: 1 << 16, Changes: 1<<16 - 1, Misses: 1 << 16}, "rows"},
		{[]int{1, 0}, 16, access.Reuse{Reads: 1 << 20, Lines: 1 << 16, Changes: 1<<20 - 1, Misses: 1 << 20}, "columns"},
		{[]int{1, 0}, 1023, access.Reuse{Reads: 1 << 20, Lines: 1 << 16, Changes: 1<<20 - 1, Misses: 1 << 20},
			"a line too few for a column"},
		{[]int{1, 0}, 1024, access.Reuse{Reads: 1 << 20, Lines: 1 << 16, Changes: 1<<20 - 1, Misses: 1 << 16},
			"a whole column stays"},
		{[]int{1}, 16, access.Reuse{Reads: 1024, Lines: 64, Changes: 63, Misses: 64}, "a row"},
		{nil, 16, access.Reuse{Reads: 1, Lines: 1, Misses: 1}, "an element"},
	} {
		tensor := read(t, "(1024,1024):(1024,1)", "f32")
		got, err := access.Loop{Axes: tt.axes, Start: []int64{0, 0}, Line: 64, Lines: tt.lines}.Count(tensor)
		if err != nil || got != tt.want {
			t.Errorf("%v with %d lines: %+v, %v, want %+v: %s", tt.axes, tt.lines, got, err, tt.want, tt.reason)
		}
	}
}

// TestLongLoops has loops at the limit of elements, and one beyond it.
func TestLongLoops(t *testing.T) {
	t.Parallel()
	loop := access.Loop{Axes: []int{0}, Start: []int64{0}, Line: 64, Lines: 1}
	want := access.Reuse{Reads: 1 << 24, Lines: 1, Misses: 1}
	if got, err := loop.Count(read(t, "(16777216):(0)", "f32")); err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if got, err := loop.Count(read(t, "(16777217):(0)", "f32")); err == nil {
		t.Errorf("more than the limit: %+v", got)
	}
}

// TestLoopsSlowly compares random loops with a list of lines that is searched.
func TestLoopsSlowly(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	for range 500 {
		tensor := random(t, r)
		l, bits := tensor.Layout(), tensor.DType().Bits()
		loop := access.Loop{Axes: r.Perm(l.Rank()), Start: make([]int64, l.Rank()), Line: 8 << r.IntN(5)}
		loop.Lines = 1 + r.IntN(6)
		got, err := loop.Count(tensor)
		if err != nil {
			t.Fatal(err)
		}
		var want access.Reuse
		var used, all []int64
		for i, index := int64(0), make([]int64, l.Rank()); i < l.Elements(); i++ {
			rest := i
			for _, axis := range slices.Backward(loop.Axes) {
				index[axis] = rest % l.Axis(axis).Size()
				rest /= l.Axis(axis).Size()
			}
			offset, _ := l.Offset(index)
			want.Reads++
			line := offset * bits / 8 / loop.Line
			if len(used) > 0 && used[0] != line {
				want.Changes++
			}
			if at := slices.Index(used, line); at >= 0 {
				used = slices.Delete(used, at, at+1)
			} else {
				want.Misses++
			}
			used = slices.Insert(used, 0, line)
			used = used[:min(len(used), loop.Lines)]
			if !slices.Contains(all, line) {
				all = append(all, line)
				want.Lines++
			}
		}
		if got != want {
			t.Fatalf("%s %s %+v: %+v, want %+v", l, tensor.DType(), loop, got, want)
		}
	}
}
