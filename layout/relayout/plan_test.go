package relayout_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/relayout"
)

// TestNamedPlans wants the loops and the kernel that fit each move between layouts with names.
func TestNamedPlans(t *testing.T) {
	tests := []struct {
		shape, from, to string
		bits            int64
		want, reason    string
	}{
		{"2x64x56x56", "NCHW", "NHWC", 32, "2 x (802816 -> 802816), transpose 64 rows of 3136 x 4 bytes\n", "images of 64 planes of 56x56"},
		{"2x64x56x56", "NHWC", "NCHW", 32, "2 x (802816 -> 802816), transpose 3136 rows of 64 x 4 bytes\n", "and back"},
		{"2x3x20x30", "NCHW", "NHWC", 8, "2 x (1800 -> 1800), interleave 3 planes of 600 x 1 bytes\n", "3 channels are too few for strips of 8 rows"},
		{"2x3x20x30", "NHWC", "NCHW", 8, "2 x (1800 -> 1800), deinterleave 3 planes of 600 x 1 bytes\n", "and back"},
		{"2x7x20x30", "NCHW", "NHWC", 8, "2 x (4200 -> 4200), interleave 7 planes of 600 x 1 bytes\n", "so are 7"},
		{"2x8x20x30", "NCHW", "NHWC", 8, "2 x (4800 -> 4800), transpose 8 rows of 600 x 1 bytes\n", "8 fill one"},
		{"2x3x20x30", "NCHW", "NHWC", 128, "2 x (28800 -> 28800), transpose 3 rows of 600 x 16 bytes\n", "an element fills a vector"},
		{"100x2x300", "NCW", "WNC", 16, "transpose 200 rows of 300 x 2 bytes\n", "N and C stay together on both sides"},
		{"2x4x5x6", "NCHW", "HNCW", 32, "5 x (24 -> 192), copy 8 rows of 24 bytes\n", "rows of 6 stay whole"},
		{"4x2x100x3", "NCHW", "NHCW", 16, "4 x (1200 -> 1200), 100 x (6 -> 12), copy 2 rows of 6 bytes\n", "6 bytes are no element of a kernel"},
		{"2x3x4x5", "NCHW", "NCHW", 32, "copy 1 rows of 480 bytes\n", "nothing moves: all 120 elements at once"},
		{"2x64x5x6", "NCHW", "NCHW16c", 32, "8 x (1920 -> 1920), transpose 16 rows of 30 x 4 bytes\n", "2 images of 4 blocks of 16 planes of 5x6"},
		{"2x64x5x6", "NCHW16c", "NCHW", 32, "8 x (1920 -> 1920), transpose 30 rows of 16 x 4 bytes\n", "and back"},
		{"2x70x5x6", "NCHW", "NCHW16c", 32, "2 x (8400 -> 9600), 4 x (1920 -> 1920), transpose 16 rows of 30 x 4 bytes\n" +
			"2 x (8400 -> 9600), transpose 6 rows of 30 x 4 bytes\n", "70 channels are 4 blocks of 16 and one of 6"},
		{"2x40x5x6", "NCHW24c", "NCHW16c", 32, "2 x (5760 -> 5760), copy 30 rows of 64 bytes\n" +
			"2 x (5760 -> 5760), copy 30 rows of 32 bytes\n2 x (5760 -> 5760), copy 30 rows of 32 bytes\n" +
			"2 x (5760 -> 5760), copy 30 rows of 32 bytes\n", "24 and 16 carry at channels 16, 24, 32 and 40"},
		{"2x4x6x30", "NCHW", "HNCW", 4, "6 x (15 -> 120), copy 8 rows of 15 bytes\n", "rows of 30 halves are 15 bytes on both sides"},
		{"2x4x6x7", "NCHW", "HNCW", 4, "move 336 elements of 4 bits\n", "rows of 7 halves begin inside of bytes"},
		{"2x4x6x8", "NCHW", "NHWC", 4, "move 384 elements of 4 bits\n", "halves of a byte part"},
		{"1x1x1x1", "NCHW", "NHWC", 32, "copy 1 rows of 4 bytes\n", "one element"},
		{"3x0x2x2", "NCHW", "NHWC", 8, "", "no elements"},
	}
	for _, tt := range tests {
		from, to := spec(t, tt.shape, tt.from, "", "", tt.bits), spec(t, tt.shape, tt.to, "", "", tt.bits)
		if got := planned(t, from, to).String(); got != tt.want {
			t.Errorf("%s from %s to %s, %d bits:\n%swant\n%s%s", tt.shape, tt.from, tt.to, tt.bits, got, tt.want, tt.reason)
		}
	}
}

// TestStridedPlans does so for strides that no name has.
func TestStridedPlans(t *testing.T) {
	tests := []struct {
		sizes, from, to []int64
		bits            int64
		want, reason    string
	}{
		{[]int64{3, 40}, []int64{64, 1}, []int64{40, 1}, 32, "copy 3 rows of 160 bytes\n", "rows of 40 of 64 lose their padding"},
		{[]int64{3, 40}, []int64{0, 1}, []int64{40, 1}, 32, "copy 3 rows of 160 bytes\n", "one row again and again"},
		{[]int64{3, 40}, []int64{1, 0}, []int64{40, 1}, 32, "transpose 40 rows of 3 x 4 bytes\n", "one column again and again"},
		{[]int64{3, 40}, []int64{-40, 1}, []int64{40, 1}, 32, "copy 3 rows of 160 bytes\n", "rows from the last on stay whole"},
		{[]int64{3, 40}, []int64{40, -1}, []int64{40, 1}, 32, "scatter 40 rows of 3 x 4 bytes\n", "each row from its end on"},
		{[]int64{3, 40}, []int64{-40, -1}, []int64{-40, -1}, 32, "copy 1 rows of 480 bytes\n", "turned round on both sides"},
		{[]int64{3, 40}, []int64{80, 2}, []int64{1, 3}, 32, "scatter 3 rows of 40 x 4 bytes\n", "every second element"},
		{[]int64{100, 200, 2}, []int64{2, 200, 1}, []int64{400, 2, 1}, 16, "transpose 200 rows of 100 x 4 bytes\n", "pairs of 2 bytes move as 4"},
		{[]int64{24, 18, 16, 20, 12, 10}, []int64{691200, 38400, 2400, 120, 10, 1}, []int64{1, 24, 432, 6912, 138240, 1658880}, 32,
			"16 x (9600 -> 1728), 20 x (480 -> 27648), transpose 432 rows of 120 x 4 bytes\n", "24x18 and 12x10 are one side each"},
		{nil, nil, nil, 64, "copy 1 rows of 8 bytes\n", "a scalar"},
	}
	for _, tt := range tests {
		from, to := strided(t, start(tt.sizes, tt.from), tt.sizes, tt.from), strided(t, start(tt.sizes, tt.to), tt.sizes, tt.to)
		if got := planned(t, tensor(t, from, tt.bits), tensor(t, to, tt.bits)).String(); got != tt.want {
			t.Errorf("%v from %v to %v, %d bits:\n%swant\n%s%s", tt.sizes, tt.from, tt.to, tt.bits, got, tt.want, tt.reason)
		}
	}
}

// start returns the offset of index 0 when the lowest offset is 0.
func start(sizes, strides []int64) (base int64) {
	for i, stride := range strides {
		base -= min(stride, 0) * (sizes[i] - 1)
	}
	return base
}

// planned plans a move that can be made.
func planned(t *testing.T, from, to layout.Tensor) relayout.Plan {
	t.Helper()
	p, err := relayout.New(from, to)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPlanIsAValue plans moves, makes them in all ways, and plans them again in another order:
// neither what was planned nor what was moved changes a plan.
func TestPlanIsAValue(t *testing.T) {
	d := newDraw(43)
	moves := make([]*moving, 100)
	texts := make([]string, len(moves))
	for i := range moves {
		moves[i] = d.moving(t, 300)
		texts[i] = moves[i].plan.String()
		moves[i].everyWay(t, d)
	}
	for i, m := range slices.Backward(moves) {
		again := planned(t, m.from, m.to)
		if !reflect.DeepEqual(again, m.plan) || again.String() != texts[i] || m.plan.String() != texts[i] {
			t.Errorf("%v: planned as\n%sand again as\n%v", m, texts[i], again)
		}
	}
}

// TestPlanIsShared makes the moves of one plan in several goroutines at once.
func TestPlanIsShared(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 46))
	for _, to := range []string{"NHWC", "NCHW16c"} {
		for _, bits := range []int64{4, 8, 32} {
			m := newMoving(t, spec(t, "2x19x30x25", "NCHW", "", "", bits), spec(t, "2x19x30x25", to, "", "", bits), rng)
			var all sync.WaitGroup
			for i := range 6 {
				all.Go(func() { m.shared(t, i) })
			}
			all.Wait()
		}
	}
}

// shared moves in one of the three ways.
func (m *moving) shared(t *testing.T, way int) {
	o := relayout.Options{Jobs: 2, Memory: 1 << 16}
	dst, file, stream := make([]byte, len(m.want)), newTarget(len(m.want)), new(bytes.Buffer)
	var err error
	switch way % 3 {
	case 0:
		err = m.plan.Move(dst, m.src, 2)
	case 1:
		err = m.plan.Copy(t.Context(), file, source(m.src), o)
		dst = file.data
	default:
		err = m.plan.Stream(t.Context(), stream, source(m.src), o)
		dst = stream.Bytes()
	}
	if err != nil || !bytes.Equal(dst, m.want) || file.wrong != "" {
		t.Errorf("%v: way %d, beside others: wrong bytes, or %v%s", m, way%3, err, file.wrong)
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
