package relayout_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/relayout"
	"layoutcalc/layout/shape"
)

// shapes returns all lists of rank sizes from least to most.
func shapes(rank int, least, most int64) [][]int64 {
	list := [][]int64{{}}
	for range rank {
		var longer [][]int64
		for _, sizes := range list {
			for n := least; n <= most; n++ {
				longer = append(longer, append(slices.Clone(sizes), n))
			}
		}
		list = longer
	}
	return list
}

// orders returns all orders of n axes.
func orders(n int) [][]int {
	list := [][]int{{}}
	for axis := range n {
		var longer [][]int
		for _, order := range list {
			for at := range len(order) + 1 {
				longer = append(longer, slices.Insert(slices.Clone(order), at, axis))
			}
		}
		list = longer
	}
	return list
}

// TestEveryOrder moves between all orders of the axes of all small shapes, also of rank 0 and with
// sizes of 0, and back. For rank 4, it tries five orders of the target.
func TestEveryOrder(t *testing.T) {
	t.Parallel()
	most := []int64{0, 9, 5, 4, 3}
	rng := rand.New(rand.NewPCG(1, 2))
	for rank := range 5 {
		all := orders(rank)
		for _, sizes := range append(shapes(rank, 1, most[rank]), shapes(rank, 0, 1)...) {
			for _, source := range all {
				for k, target := range all {
					if rank < 4 || k%5 == rng.IntN(5) {
						bits := widths[rng.IntN(len(widths))]
						thereAndBack(t, packed(t, sizes, source), packed(t, sizes, target), bits, rng)
					}
				}
			}
		}
	}
}

// TestEveryWidth moves elements of all widths between all orders of the axes of some shapes.
func TestEveryWidth(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	shapes := [][]int64{{}, {1}, {3}, {2, 3}, {3, 3}, {5, 4}, {2, 3, 4}, {3, 1, 3}, {3, 0, 2}, {4, 3, 2, 5}}
	for _, sizes := range shapes {
		for _, source := range orders(len(sizes)) {
			for _, target := range orders(len(sizes)) {
				for _, bits := range widths {
					thereAndBack(t, packed(t, sizes, source), packed(t, sizes, target), bits, rng)
				}
			}
		}
	}
}

// thereAndBack moves between packed layouts, and back to the bytes that it started from.
func thereAndBack(t *testing.T, one, other layout.Layout, bits int64, rng *rand.Rand) {
	t.Helper()
	m := newMoving(t, tensor(t, one, bits), tensor(t, other, bits), rng)
	m.move(t, 1, 0)
	back, err := relayout.New(m.to, m.from)
	if err != nil {
		t.Fatalf("%v: and back: %v", m, err)
	}
	n := one.Elements()
	got := make([]byte, bytesOf(m.from, n))
	if err := back.Move(got, m.want, 2); err != nil {
		t.Fatalf("%v: and back: %v", m, err)
	}
	original := bytes.Clone(m.src[:len(got)])
	if n*bits%8 == 4 {
		original[len(got)-1] &= 15 // the other half does not belong to an element
	}
	m.compare(t, "Move there and back", got, original)
}

// TestEveryStride writes through all small strides that keep 3x2 and 2x2x2 elements apart, most
// of which do not nest, and reads through as many, most of which overlap.
func TestEveryStride(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	var kept int
	for _, sizes := range [][]int64{{3, 2}, {4, 3}, {2, 2, 2}} {
		for _, strides := range shapes(len(sizes), -6, 6) {
			to := tensor(t, strided(t, 36, sizes, strides), widths[rng.IntN(len(widths))])
			if !unique(to.Layout()) {
				continue
			}
			kept++
			source := make([]int64, len(sizes))
			for i := range source {
				source[i] = rng.Int64N(13) - 6
			}
			from := tensor(t, strided(t, 36, sizes, source), to.DType().Bits())
			newMoving(t, from, to, rng).move(t, 1, 0)
		}
	}
	if kept < 500 {
		t.Errorf("%d targets keep their elements apart: too few", kept)
	}
}

// unique reports whether no two elements share an offset, by looking at all.
func unique(l layout.Layout) bool {
	seen, n := map[int64]bool{}, int64(0)
	offsets(l, l, func(a, _ int64) { seen[a], n = true, n+1 })
	return int64(len(seen)) == n
}

// TestSides transposes matrices whose sides lie around the powers of two that kernels work in,
// with rows that are and are not aligned.
func TestSides(t *testing.T) {
	t.Parallel()
	d := newDraw(15)
	sides := []int64{15, 16, 17, 31, 33, 47, 64, 65, 127, 128, 129, 255, 257}
	step := layouttest.Step()
	for i, rows := range sides {
		for k := i % step; k < len(sides); k += step {
			columns := sides[k]
			bits := widths[d.IntN(len(widths))]
			pitch := [2]int64{columns, rows}
			for i := range pitch {
				if d.one(2) {
					pitch[i] += d.Int64N(130)
				}
			}
			from := strided(t, 0, []int64{rows, columns}, []int64{pitch[0], 1})
			to := strided(t, 0, []int64{rows, columns}, []int64{1, pitch[1]})
			newMoving(t, tensor(t, from, bits), tensor(t, to, bits), d.Rand).everyWay(t, d)
		}
	}
}

// TestChannels moves images of all small numbers of channels to pixels of them, and back.
func TestChannels(t *testing.T) {
	t.Parallel()
	d := newDraw(17)
	planes, step := []int64{100, 1023, 5000}, min(layouttest.Step(), 3)
	for channels := int64(1); channels <= 20; channels++ {
		for i := int(channels) % step; i < len(planes); i += step {
			plane := planes[i]
			bits := widths[d.IntN(len(widths))]
			shape := fmt.Sprintf("%dx%dx%dx%d", 1+d.IntN(2), channels, plane/10, 10)
			nchw, nhwc := described(t, shape, "NCHW", "", "", bits), described(t, shape, "NHWC", "", "", bits)
			newMoving(t, nchw, nhwc, d.Rand).everyWay(t, d)
			newMoving(t, nhwc, nchw, d.Rand).everyWay(t, d)
		}
	}
}

// TestStorage compares the reserved storage of targets with a count by hand: it goes beyond their last element.
func TestStorage(t *testing.T) {
	tests := []struct {
		shape, name, pad, pitch string
		bits, bytes             int64
		reason                  string
	}{
		{shape: "2x3x4", name: "NCW", bits: 32, bytes: 96, reason: "24 elements"},
		{shape: "1x3x2x2", name: "NCHW16c", bits: 32, bytes: 256, reason: "one block of 16 channels for 4 pixels"},
		{shape: "2x17x1x2", name: "NCHW16c", bits: 16, bytes: 256, reason: "2 images of 2 blocks of 2x16"},
		{shape: "1x5x1x3", name: "NCHW4c", bits: 4, bytes: 12, reason: "2 blocks of 3x4 halves of bytes"},
		{shape: "2x3x4", name: "NCW", pad: "W=1", bits: 8, bytes: 30, reason: "rows of 4+1"},
		{shape: "2x3x4", name: "NCW", pad: "N=5", bits: 64, bytes: 29 * 8, reason: "24 elements and 5 after them"},
		{shape: "3x3", name: "NC", pad: "C=2", bits: 4, bytes: 8, reason: "15 halves of bytes"},
		{
			shape: "2x3x4", name: "NCW", pitch: "C=8", bits: 32, bytes: 176,
			reason: "rows 8 apart: the last ends at 24 + 16 + 4",
		},
		{shape: "0x3", name: "NC", bits: 32, reason: "no elements"},
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for _, tt := range tests {
		to := described(t, tt.shape, tt.name, tt.pad, tt.pitch, tt.bits)
		from := described(t, tt.shape, tt.name[:len(to.Layout().Sizes())], "", "", tt.bits)
		m := newMoving(t, from, to, rng)
		if got := m.plan.TargetBytes(); got != tt.bytes {
			t.Errorf("%v: the target has %d bytes, want %d; %s", m, got, tt.bytes, tt.reason)
		}
		m.move(t, 1, 0)
		newMoving(t, to, from, rng).move(t, 2, 1)
	}
}

// described returns the tensor with the given shape, layout name, padding and pitch; pad and pitch may be empty.
func described(t *testing.T, sizes, name, pad, pitch string, bits int64) layout.Tensor {
	t.Helper()
	s := shape.Spec{DType: tensor(t, layout.Layout{}, bits).DType()}
	list, err := shape.ParseShape(sizes)
	names, nameErr := shape.ParseName(name)
	s.Shape, s.Name = list, &names
	errs := []error{err, nameErr}
	if pad != "" {
		n, err := shape.ParsePadding(pad)
		s.Pad, errs = []shape.AxisNumber{n}, append(errs, err)
	}
	if pitch != "" {
		n, err := shape.ParsePitch(pitch)
		s.Pitch, errs = []shape.AxisNumber{n}, append(errs, err)
	}
	x, err := s.Tensor()
	if err := errors.Join(append(errs, err)...); err != nil {
		t.Fatal(err)
	}
	return x
}

// TestPastCaches moves more than caches hold to slices at even and at odd addresses, with the kernels
// of this processor and of older ones.
func TestPastCaches(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	for i, tt := range []struct {
		shape, from, to string
		bits            int64
	}{
		{shape: "640x14401", from: "NC", to: "CN", bits: 8},
		{shape: "640x7201", from: "NC", to: "CN", bits: 16},
		{shape: "640x3601", from: "NC", to: "CN", bits: 32},
		{shape: "641x3600", from: "NC", to: "CN", bits: 32},
		{shape: "640x1801", from: "NC", to: "CN", bits: 64},
		{shape: "640x901", from: "NC", to: "CN", bits: 128},
		{shape: "1x3x1025x767", from: "NCHW", to: "NHWC", bits: 32},
		{shape: "1x128x151x119", from: "NCHW", to: "NHWC", bits: 32},
		{shape: "1x100x151x145", from: "NCHW", to: "NCHW16c", bits: 32},
		{shape: "1x100x151x145", from: "NCHW16c", to: "NHWC", bits: 32},
		{shape: "1x130x160x120", from: "NHWC", to: "NCHW", bits: 32},
		{shape: "1x250x160x120", from: "NHWC", to: "NCHW", bits: 16},
	} {
		if i%min(layouttest.Step(), 4) != 0 {
			continue
		}
		from := described(t, tt.shape, tt.from, "", "", tt.bits)
		to := described(t, tt.shape, tt.to, "", "", tt.bits)
		m := newMoving(t, from, to, rng)
		relayout.EachProcessor(func(name string) {
			t.Run(name, func(t *testing.T) {
				m.move(t, 1, 0)
				m.move(t, 3, 1+rng.IntN(3))
				m.move(t, 2, 16)
			})
		})
	}
}

// TestEachProcessor transposes matrices with sides around the powers of two that kernels work in, with
// rows that are and are not aligned, as this processor and as older ones do.
func TestEachProcessor(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	var moves []*moving
	for _, bits := range widths {
		for _, rows := range []int64{7, 16, 33, 64, 129, 250} {
			for _, columns := range []int64{16, 31, 65, 128, 200} {
				sizes := []int64{rows, columns}
				pitch := []int64{columns + rng.Int64N(2)*rng.Int64N(130), rows + rng.Int64N(2)*rng.Int64N(130)}
				from, to := strided(t, 0, sizes, []int64{pitch[0], 1}), strided(t, 0, sizes, []int64{1, pitch[1]})
				moves = append(moves, newMoving(t, tensor(t, from, bits), tensor(t, to, bits), rng))
			}
		}
	}
	relayout.EachProcessor(func(name string) {
		t.Run(name, func(t *testing.T) {
			for i, m := range moves {
				m.move(t, 1, i%3)
			}
		})
	})
}

// TestRandom moves between layouts of all kinds, in memory, from file to file and in a stream.
func TestRandom(t *testing.T) {
	t.Parallel()
	d := newDraw(13)
	odd, n := 0, 1000/layouttest.Step()
	for i := range n {
		m := d.moving(t, []int64{30, 300, 3000, 20_000}[i%4])
		if m.exotic() {
			odd++
		}
		m.everyWay(t, d)
	}
	if odd < n/10 {
		t.Errorf("%d cases have blocks that do not divide each other or targets that do not nest: too few", odd)
	}
}

// TestNibbles makes random moves of 4-bit elements with the kernels of each processor. Many tensors are larger than one
// block.
func TestNibbles(t *testing.T) {
	d := newDraw(49)
	moves := make([]*moving, 400/layouttest.Step())
	for i := range moves {
		sizes := d.sizes([]int64{300, 3000, 30_000, 60_000}[i%4])
		from, to := d.layout(t, sizes, d.kind(false)), d.layout(t, sizes, d.kind(true))
		moves[i] = newMoving(t, tensor(t, from, 4), tensor(t, to, 4), d.Rand)
	}
	relayout.EachProcessor(func(name string) {
		t.Run(name, func(t *testing.T) {
			for i, m := range moves {
				m.move(t, 1, i%3)
			}
		})
	})
}

// TestRandomMegabytes does the same with tensors that several jobs share.
func TestRandomMegabytes(t *testing.T) {
	t.Parallel()
	d := newDraw(14)
	d.most = 1 << 20
	for range 15 / layouttest.Step() {
		d.moving(t, 300_000).everyWay(t, d)
	}
}

// TestShortSlices gives Move too few bytes. The error must state how many it needs, and how many it has.
func TestShortSlices(t *testing.T) {
	m, _ := slabbed(t)
	need := int(m.plan.SourceBytes())
	for _, tt := range []struct{ dst, src, want, has int }{
		{dst: len(m.want), src: need - 1, want: need, has: need - 1},
		{dst: len(m.want), want: need},
		{dst: len(m.want) - 1, src: need, want: len(m.want), has: len(m.want) - 1},
		{src: need, want: len(m.want)},
	} {
		err := m.plan.Move(make([]byte, tt.dst), m.src[:tt.src], 2)
		if err == nil {
			t.Errorf("%d bytes to %d: accepted", tt.src, tt.dst)
			continue
		}
		for _, n := range []int{tt.want, tt.has} {
			if !strings.Contains(err.Error(), strconv.Itoa(n)) {
				t.Errorf("%d bytes to %d: %q does not say %d", tt.src, tt.dst, err, n)
			}
		}
	}
}

// A vector is one move that NumPy made, as testdata/gen_moves.py writes it.
type vector struct {
	What         string
	Bits, Source int64
	Sizes        []int64
	From, To     vectorSide
	Elements     int64 // of the target's storage
	Bytes        int64 // and its bytes
	Swap         int
	Hex          string // the target, when it is short
	CRC32        uint32 // and otherwise
}

// A vectorSide is a layout: the digits of each axis as extent and stride.
type vectorSide struct {
	Base int64
	Axes [][][2]int64
}

// TestNumPyMovesTheSame compares each way to move with NumPy's result for the same bytes.
func TestNumPyMovesTheSame(t *testing.T) {
	data, err := os.ReadFile("testdata/moves.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(data, &vectors); err != nil || len(vectors) < 300 {
		t.Fatalf("%d vectors, %v", len(vectors), err)
	}
	for _, v := range vectors {
		v.check(t)
	}
}

func (v *vector) check(t *testing.T) {
	t.Helper()
	from := tensor(t, v.From.layout(t, v.Sizes), v.Bits)
	to, err := tensor(t, v.To.layout(t, v.Sizes), v.Bits).Reserve(v.Elements)
	if err != nil {
		t.Fatal(err)
	}
	m := &moving{from: from, to: to, src: formula(v.Source)}
	if m.plan, err = relayout.New(from, to); err != nil {
		t.Fatalf("%s, %v: %v", v.What, m, err)
	}
	if n := m.plan.TargetBytes(); n != v.Bytes {
		t.Fatalf("%s, %v: the target has %d bytes, NumPy's %d", v.What, m, n, v.Bytes)
	}
	if v.Swap == 0 {
		dst := make([]byte, v.Bytes)
		if err := m.plan.Move(dst, m.src, 2); err != nil {
			t.Fatalf("%s, %v: %v", v.What, m, err)
		}
		v.compare(t, m, "Move", dst)
	}
	for _, memory := range memories[1:] {
		if !m.takesTooMany(memory) {
			v.files(t, m, relayout.Options{Jobs: 2, Memory: memory, Swap: v.Swap})
		}
	}
}

// files compares Copy and Stream.
func (v *vector) files(t *testing.T, m *moving, o relayout.Options) {
	t.Helper()
	file, stream := newTarget(int(v.Bytes)), newTarget(int(v.Bytes))
	if err := m.plan.Copy(t.Context(), file, source(m.src), o); !m.tooTight(t, "Copy", o, err) {
		v.compare(t, m, "Copy", file.data)
	}
	err := m.plan.Stream(t.Context(), io.NewOffsetWriter(stream, 0), source(m.src), o)
	if !m.tooTight(t, "Stream", o, err) {
		v.compare(t, m, "Stream", stream.data)
	}
	if file.wrong != "" || stream.wrong != "" {
		t.Fatalf("%s, %v: %s %s", v.What, m, file.wrong, stream.wrong)
	}
}

func (v *vector) compare(t *testing.T, m *moving, how string, got []byte) {
	t.Helper()
	switch {
	case v.Hex != "" && hex.EncodeToString(got) != v.Hex:
		t.Fatalf("%s, %v: %s gives %x, NumPy %s", v.What, m, how, got, v.Hex)
	case v.Hex == "" && crc32.ChecksumIEEE(got) != v.CRC32:
		t.Fatalf("%s, %v: %s gives bytes of CRC %d, NumPy %d", v.What, m, how, crc32.ChecksumIEEE(got), v.CRC32)
	}
}

func (s *vectorSide) layout(t *testing.T, sizes []int64) layout.Layout {
	t.Helper()
	digits := make([][]layout.Digit, len(s.Axes))
	for i, axis := range s.Axes {
		for _, d := range axis {
			digits[i] = append(digits[i], layout.Digit{Extent: d[0], Stride: d[1]})
		}
	}
	return build(t, sizes, digits, s.Base)
}

// formula returns the bytes that the generator's sources hold.
func formula(n int64) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*167 + (i>>8)*13 + 41)
	}
	return b
}
