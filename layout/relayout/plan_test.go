package relayout_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/relayout"
)

// TestNamedPlans checks the loops and the kernel of moves between layouts with names.
func TestNamedPlans(t *testing.T) {
	tests := []struct {
		shape, from, to string
		bits            int64
		want, reason    string
	}{
		{
			shape: "2x64x56x56", from: "NCHW", to: "NHWC", bits: 32,
			want:   "2 x (802816 -> 802816), transpose 64 rows of 3136 x 4 bytes\n",
			reason: "images of 64 planes of 56x56",
		},
		{
			shape: "2x64x56x56", from: "NHWC", to: "NCHW", bits: 32,
			want:   "2 x (802816 -> 802816), transpose 3136 rows of 64 x 4 bytes\n",
			reason: "and back",
		},
		{
			shape: "2x3x20x30", from: "NCHW", to: "NHWC", bits: 8,
			want:   "2 x (1800 -> 1800), interleave 3 planes of 600 x 1 bytes\n",
			reason: "3 channels are too few for strips of 8 rows",
		},
		{
			shape: "2x3x20x30", from: "NHWC", to: "NCHW", bits: 8,
			want:   "2 x (1800 -> 1800), deinterleave 3 planes of 600 x 1 bytes\n",
			reason: "and back",
		},
		{
			shape: "2x7x20x30", from: "NCHW", to: "NHWC", bits: 8,
			want:   "2 x (4200 -> 4200), interleave 7 planes of 600 x 1 bytes\n",
			reason: "so are 7",
		},
		{
			shape: "2x8x20x30", from: "NCHW", to: "NHWC", bits: 8,
			want:   "2 x (4800 -> 4800), transpose 8 rows of 600 x 1 bytes\n",
			reason: "8 fill one",
		},
		{
			shape: "2x3x20x30", from: "NCHW", to: "NHWC", bits: 128,
			want:   "2 x (28800 -> 28800), transpose 3 rows of 600 x 16 bytes\n",
			reason: "an element fills a vector",
		},
		{
			shape: "100x2x300", from: "NCW", to: "WNC", bits: 16,
			want:   "transpose 200 rows of 300 x 2 bytes\n",
			reason: "N and C stay together on both sides",
		},
		{
			shape: "2x4x5x6", from: "NCHW", to: "HNCW", bits: 32,
			want:   "5 x (24 -> 192), copy 8 rows of 24 bytes\n",
			reason: "rows of 6 stay whole",
		},
		{
			shape: "4x2x100x3", from: "NCHW", to: "NHCW", bits: 16,
			want:   "4 x (1200 -> 1200), 100 x (6 -> 12), copy 2 rows of 6 bytes\n",
			reason: "no kernel has elements of 6 bytes",
		},
		{
			shape: "2x3x4x5", from: "NCHW", to: "NCHW", bits: 32,
			want:   "copy 1 rows of 480 bytes\n",
			reason: "nothing moves: all 120 elements at once",
		},
		{
			shape: "2x64x5x6", from: "NCHW", to: "NCHW16c", bits: 32,
			want:   "8 x (1920 -> 1920), transpose 16 rows of 30 x 4 bytes\n",
			reason: "2 images of 4 blocks of 16 planes of 5x6",
		},
		{
			shape: "2x64x5x6", from: "NCHW16c", to: "NCHW", bits: 32,
			want:   "8 x (1920 -> 1920), transpose 30 rows of 16 x 4 bytes\n",
			reason: "and back",
		},
		{
			shape: "2x70x5x6", from: "NCHW", to: "NCHW16c", bits: 32,
			want: "2 x (8400 -> 9600), 4 x (1920 -> 1920), transpose 16 rows of 30 x 4 bytes\n" +
				"2 x (8400 -> 9600), transpose 6 rows of 30 x 4 bytes\n",
			reason: "70 channels are 4 blocks of 16 and one of 6",
		},
		{
			shape: "2x40x5x6", from: "NCHW24c", to: "NCHW16c", bits: 32,
			want: "2 x (5760 -> 5760), copy 30 rows of 64 bytes\n" +
				"2 x (5760 -> 5760), copy 30 rows of 32 bytes\n2 x (5760 -> 5760), copy 30 rows of 32 bytes\n" +
				"2 x (5760 -> 5760), copy 30 rows of 32 bytes\n",
			reason: "blocks of 24 and 16 start at channels 16, 24 and 32",
		},
		{
			shape: "2x4x6x30", from: "NCHW", to: "HNCW", bits: 4,
			want:   "6 x (15 -> 120), copy 8 rows of 15 bytes\n",
			reason: "rows of 30 halves are 15 bytes on both sides",
		},
		{
			shape: "2x4x6x7", from: "NCHW", to: "HNCW", bits: 4,
			want:   "as bytes: 6 x (7 -> 56), copy 8 rows of 7 bytes\n",
			reason: "rows of 7 halves start inside bytes",
		},
		{
			shape: "2x4x6x8", from: "NCHW", to: "NHWC", bits: 4,
			want:   "as bytes: 2 x (192 -> 192), interleave 4 planes of 48 x 1 bytes\n",
			reason: "the halves of a byte are separated",
		},
		{
			shape: "2x16x6x8", from: "NCHW", to: "NHWC", bits: 4,
			want:   "2 x (768 -> 768), transpose 16 rows of 48 4-bit elements\n",
			reason: "pairs of 16 rows fill a strip",
		},
		{
			shape: "2x15x60x80", from: "NHWC", to: "NCHW", bits: 4,
			want: "2 x (72000 -> 72000), 4800 x (15 -> 1) by 544, as bytes: " +
				"transpose 544 rows of 16 x 1 bytes\n",
			reason: "15 columns are moved as 16",
		},
		{
			shape: "2x3x6x8", from: "NCHW", to: "NHWC", bits: 4,
			want:   "as bytes: 2 x (144 -> 144), interleave 3 planes of 48 x 1 bytes\n",
			reason: "columns of 3 halves start inside bytes",
		},
		{shape: "1x1x1x1", from: "NCHW", to: "NHWC", bits: 32, want: "copy 1 rows of 4 bytes\n", reason: "one element"},
		{shape: "3x0x2x2", from: "NCHW", to: "NHWC", bits: 8, reason: "no elements"},
	}
	for _, tt := range tests {
		from, to := described(t, tt.shape, tt.from, "", "", tt.bits), described(t, tt.shape, tt.to, "", "", tt.bits)
		if got := planned(t, from, to).String(); got != tt.want {
			t.Errorf("%s from %s to %s, %d bits:\n%swant\n%s%s",
				tt.shape, tt.from, tt.to, tt.bits, got, tt.want, tt.reason)
		}
	}
}

// TestStridedPlans does the same for strides that no name has.
func TestStridedPlans(t *testing.T) {
	tests := []struct {
		sizes, from, to []int64
		bits            int64
		want, reason    string
	}{
		{
			sizes: []int64{3, 40}, from: []int64{64, 1}, to: []int64{40, 1}, bits: 32,
			want:   "copy 3 rows of 160 bytes\n",
			reason: "rows of 40 of 64 lose their padding",
		},
		{
			sizes: []int64{3, 40}, from: []int64{0, 1}, to: []int64{40, 1}, bits: 32,
			want:   "copy 3 rows of 160 bytes\n",
			reason: "one row again and again",
		},
		{
			sizes: []int64{3, 40}, from: []int64{1, 0}, to: []int64{40, 1}, bits: 32,
			want:   "transpose 40 rows of 3 x 4 bytes\n",
			reason: "one column again and again",
		},
		{
			sizes: []int64{3, 40}, from: []int64{-40, 1}, to: []int64{40, 1}, bits: 32,
			want:   "copy 3 rows of 160 bytes\n",
			reason: "rows from the last on stay whole",
		},
		{
			sizes: []int64{3, 40}, from: []int64{40, -1}, to: []int64{40, 1}, bits: 32,
			want:   "reverse 3 rows of 40 x 4 bytes\n",
			reason: "each row from its end on",
		},
		{
			sizes: []int64{3, 40}, from: []int64{-40, -1}, to: []int64{-40, -1}, bits: 32,
			want:   "copy 1 rows of 480 bytes\n",
			reason: "reversed on both sides",
		},
		{
			sizes: []int64{3, 40}, from: []int64{80, 2}, to: []int64{1, 3}, bits: 32,
			want:   "scatter 3 rows of 40 x 4 bytes\n",
			reason: "every second element",
		},
		{
			sizes: []int64{100, 200, 2}, from: []int64{2, 200, 1}, to: []int64{400, 2, 1}, bits: 16,
			want:   "transpose 200 rows of 100 x 4 bytes\n",
			reason: "pairs of 2 bytes move as 4",
		},
		{
			sizes: []int64{24, 18, 16, 20, 12, 10}, from: []int64{691200, 38400, 2400, 120, 10, 1},
			to: []int64{1, 24, 432, 6912, 138240, 1658880}, bits: 32,
			want:   "4 x (38400 -> 6912), 2 x (4800 -> 276480), transpose 1728 rows of 1200 x 4 bytes\n",
			reason: "24x18x4 and 10x12x10 fill lines",
		},
		{
			sizes: []int64{100, 4, 4, 2}, from: []int64{32, 8, 2, 1}, to: []int64{32, 8, 1, 4}, bits: 4,
			want:   "permute 400 blocks of 8 4-bit elements\n",
			reason: "the order 0 2 4 6 1 3 5 7 of AWQ",
		},
		{
			sizes: []int64{16, 8, 64}, from: []int64{512, 64, 1}, to: []int64{512, 1, 8}, bits: 4,
			want:   "as bytes: 16 x (512 -> 512), transpose 8 rows of 64 x 1 bytes\n",
			reason: "8 rows in each 32 bits, as GPTQ has them",
		},
		{
			sizes: []int64{40, 100}, from: []int64{1, 40}, to: []int64{33, 1330}, bits: 4,
			want:   "move 4-bit elements one by one\n",
			reason: "no two elements of the target are close to each other",
		},
		{
			sizes: []int64{100, 40}, from: []int64{40, 1}, to: []int64{80, 2}, bits: 4,
			want:   "as bytes: copy 1 rows of 4000 bytes\n",
			reason: "each element of the target has a byte of its own",
		},
		{
			sizes: []int64{100, 40}, from: []int64{40, 1}, to: []int64{120, 3}, bits: 4,
			want:   "as bytes: shuffle 27 vectors to 27, 25 times\n",
			reason: "6 elements and the gaps between them are 16 bytes: 160 of them in 27 vectors",
		},
		{
			sizes: []int64{100, 40}, from: []int64{120, 3}, to: []int64{40, 1}, bits: 4,
			want:   "as bytes: shuffle 30 vectors to 10, 25 times\n",
			reason: "16 elements and the gaps between them are 46 bytes, in 3 vectors",
		},
		{
			sizes: []int64{40, 100}, from: []int64{-1, 40}, to: []int64{100, 1}, bits: 32,
			want:   "transpose 100 rows of 40 x 4 bytes\n",
			reason: "columns from the last to the first",
		},
		{bits: 64, want: "copy 1 rows of 8 bytes\n", reason: "a scalar"},
	}
	for _, tt := range tests {
		from := strided(t, start(tt.sizes, tt.from), tt.sizes, tt.from)
		to := strided(t, start(tt.sizes, tt.to), tt.sizes, tt.to)
		if strings.Contains(tt.want, "shuffle") && !relayout.CanShuffle() {
			continue
		}
		if got := planned(t, tensor(t, from, tt.bits), tensor(t, to, tt.bits)).String(); got != tt.want {
			t.Errorf("%v from %v to %v, %d bits:\n%swant\n%s%s",
				tt.sizes, tt.from, tt.to, tt.bits, got, tt.want, tt.reason)
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

// TestPlanIsAValue plans moves, makes them in all ways, and plans them again in another order: plans and
// moves do not change other plans.
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

// TestPlanIsShared makes the moves of one plan in several goroutines at the same time.
func TestPlanIsShared(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 46))
	for _, to := range []string{"NHWC", "NCHW16c"} {
		for _, bits := range []int64{4, 8, 32} {
			from := described(t, "2x19x30x25", "NCHW", "", "", bits)
			to := described(t, "2x19x30x25", to, "", "", bits)
			m := newMoving(t, from, to, rng)
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
		t.Errorf("%v: way %d, next to others: wrong bytes, or %v%s", m, way%3, err, file.wrong)
	}
}

// TestNewRefuses tries tensors that cannot be moved.
func TestNewRefuses(t *testing.T) {
	at := func(base int64, sizes, strides []int64) layout.Layout { return strided(t, base, sizes, strides) }
	ok := at(0, []int64{2, 3}, []int64{3, 1})
	tests := []struct {
		what             string
		from, to         layout.Layout
		fromBits, toBits int64
		says             []string
	}{
		{
			what: "other sizes", from: ok, to: at(0, []int64{2, 4}, []int64{4, 1}), fromBits: 32, toBits: 32,
			says: []string{"3", "4"},
		},
		{
			what: "sizes in another order", from: ok, to: at(0, []int64{3, 2}, []int64{2, 1}), fromBits: 32, toBits: 32,
			says: []string{"2", "3"},
		},
		{
			what: "another rank", from: ok, to: at(0, []int64{6}, []int64{1}), fromBits: 32, toBits: 32,
			says: []string{"2", "3", "6"},
		},
		{
			what: "an axis of size 1 more", from: ok, to: at(0, []int64{2, 3, 1}, []int64{3, 1, 1}), fromBits: 32,
			toBits: 32,
			says:   []string{"2", "3"},
		},
		{what: "wider elements", from: ok, to: ok, fromBits: 32, toBits: 64, says: []string{"32", "64"}},
		{what: "2 bits", from: ok, to: ok, fromBits: 2, toBits: 2, says: []string{"2"}},
		{what: "no bits", from: ok, to: ok, says: []string{"0"}},
		{
			what: "a source below 0", from: at(1, []int64{2, 3}, []int64{-3, 1}), to: ok, fromBits: 32, toBits: 32,
			says: []string{"-2"},
		},
		{
			what: "a target below 0", from: ok, to: at(4, []int64{2, 3}, []int64{-3, -1}), fromBits: 32, toBits: 32,
			says: []string{"-1"},
		},
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

// TestSharedTargets tries targets of all small strides. If elements share an offset, New must name two
// that do.
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
