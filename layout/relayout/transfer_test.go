package relayout_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"layoutcalc/layout"
	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/relayout"
)

// memories are limits of memory for slabs; all but the last are very small.
var memories = [...]int64{1, 100, 4096, 65536, 1 << 20}

// A source is a file in memory that returns io.EOF together with its last byte, as readers may.
type source []byte

// ReadAt implements io.ReaderAt.
func (s source) ReadAt(b []byte, at int64) (int, error) {
	if at < 0 || at > int64(len(s)) {
		return 0, fmt.Errorf("read at %d of %d", at, len(s))
	}
	n := copy(b, s[at:])
	if at+int64(n) == int64(len(s)) {
		return n, io.EOF
	}
	return n, nil
}

// A target is a file in memory that checks its writes: a byte may be written again only with the same
// value, and none beyond the end. Several goroutines may write it.
type target struct {
	mutex   sync.Mutex
	data    []byte
	written []byte // 1 where it is
	wrong   string // the first thing that was wrong
}

func newTarget(n int) *target { return &target{data: make([]byte, n), written: make([]byte, n)} }

// WriteAt implements io.WriterAt.
func (w *target) WriteAt(b []byte, at int64) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if at < 0 || at+int64(len(b)) > int64(len(w.data)) {
		w.fail("%d bytes are written at %d of %d", len(b), at, len(w.data))
		return len(b), nil
	}
	data, written := w.data[at:at+int64(len(b))], w.written[at:at+int64(len(b))]
	for i := bytes.IndexByte(written, 1); i >= 0 && i < len(b); i++ {
		if written[i] == 1 && data[i] != b[i] {
			w.fail("byte %d is written as %#x and as %#x", at+int64(i), data[i], b[i])
		}
	}
	copy(data, b)
	copy(written, bytes.Repeat([]byte{1}, len(b)))
	return len(b), nil
}

func (w *target) fail(format string, args ...any) {
	if w.wrong == "" {
		w.wrong = fmt.Sprintf(format, args...)
	}
}

// copy moves from file to file.
func (m *moving) copy(t *testing.T, o relayout.Options) {
	t.Helper()
	var done atomic.Int64
	o.Done = func(n int64) { done.Add(n) }
	dst := newTarget(len(m.want))
	err := m.plan.Copy(t.Context(), dst, source(m.src), o)
	if m.tooTight(t, "Copy", o, err) {
		return
	}
	how := fmt.Sprintf("Copy with %d jobs, %d bytes, swap %d", o.Jobs, o.Memory, o.Swap)
	if dst.wrong != "" {
		t.Fatalf("%v: %s: %s", m, how, dst.wrong)
	}
	m.compare(t, how, dst.data, m.swapped(o.Swap))
	m.checkDone(t, how, done.Load())
}

// stream writes from the first byte to the last.
func (m *moving) stream(t *testing.T, o relayout.Options) {
	t.Helper()
	var done atomic.Int64
	o.Done = func(n int64) { done.Add(n) }
	var dst bytes.Buffer
	err := m.plan.Stream(t.Context(), &dst, source(m.src), o)
	if m.tooTight(t, "Stream", o, err) {
		return
	}
	how := fmt.Sprintf("Stream with %d jobs, %d bytes, swap %d", o.Jobs, o.Memory, o.Swap)
	m.compare(t, how, dst.Bytes(), m.swapped(o.Swap))
	m.checkDone(t, how, done.Load())
}

// checkDone checks that all bytes of the target were reported as done, if there is anything to move.
func (m *moving) checkDone(t *testing.T, how string, done int64) {
	t.Helper()
	if all := m.plan.TargetBytes(); done != all && !m.from.Layout().Empty() {
		t.Fatalf("%v: %s reports %d bytes of %d", m, how, done, all)
	}
}

// swapped returns the result when the source's units are reversed.
func (m *moving) swapped(unit int) []byte {
	if unit == 0 {
		return m.want
	}
	if unit != m.unit {
		m.unit, m.turned = unit, moved(m.from, m.to, reversed(m.src, unit))
	}
	return m.turned
}

// tooTight reports whether the memory was not enough. The error must state it, and is allowed only for layouts that
// cannot be cut into small slabs.
func (m *moving) tooTight(t *testing.T, how string, o relayout.Options, err error) bool {
	t.Helper()
	if err == nil {
		return false
	}
	exotic := m.exotic() || how == "Stream" && tangled(m.to.Layout())
	if !strings.Contains(err.Error(), strconv.FormatInt(o.Memory, 10)) || !exotic {
		t.Fatalf("%v: %s with %d jobs, %d bytes, swap %d: %v", m, how, o.Jobs, o.Memory, o.Swap, err)
	}
	return true
}

// exotic reports whether slabs may need more memory than any limit: the blocks of an axis do not divide each other, the
// target's digits are not nested, or 4-bit elements share bytes in every order.
func (m *moving) exotic() bool {
	for i := range m.to.Layout().Rank() {
		weights := append(weightsOf(m.from.Layout().Axis(i)), weightsOf(m.to.Layout().Axis(i))...)
		slices.Sort(weights)
		for k := 1; k < len(weights); k++ {
			if weights[k]%weights[k-1] != 0 {
				return true
			}
		}
	}
	return !nested(m.to.Layout()) || m.to.DType().Bits() == 4 && odd(m.to.Layout())
}

// tangled reports whether an inner digit of an axis has a longer stride than an outer one: then
// elements that are adjacent in the target are far apart along the axis.
func tangled(l layout.Layout) bool {
	for i := range l.Rank() {
		longest := int64(0)
		for k := l.Axis(i).Digits() - 1; k >= 0; k-- {
			d := l.Axis(i).Digit(k)
			if d.Extent > 1 && max(d.Stride, -d.Stride) < longest {
				return true
			}
			longest = max(longest, d.Stride, -d.Stride)
		}
	}
	return false
}

// odd reports whether the base is odd, or a negative stride.
func odd(l layout.Layout) bool {
	down := slices.ContainsFunc(digits(l), func(d layout.Digit) bool { return d.Stride < 0 && d.Stride%2 != 0 })
	return down || l.Base()%2 != 0
}

// weightsOf returns the number of indices in a step of each digit of the axis, innermost first.
func weightsOf(a layout.Axis) []int64 {
	weights, weight := []int64{1}, int64(1)
	for k := a.Digits() - 1; k > 0; k-- {
		if weight *= a.Digit(k).Extent; weight < a.Size() {
			weights = append(weights, weight)
		}
	}
	return weights
}

// digits returns the digits that count.
func digits(l layout.Layout) []layout.Digit {
	var list []layout.Digit
	for i := range l.Rank() {
		for k := range l.Axis(i).Digits() {
			if d := l.Axis(i).Digit(k); d.Extent > 1 {
				list = append(list, d)
			}
		}
	}
	return list
}

// nested reports whether each stride exceeds all that the digits of smaller strides reach.
func nested(l layout.Layout) bool {
	sorted := digits(l)
	for i, d := range sorted {
		sorted[i].Stride = max(d.Stride, -d.Stride)
	}
	slices.SortFunc(sorted, func(a, b layout.Digit) int { return int(a.Stride - b.Stride) })
	reach := int64(0)
	for _, d := range sorted {
		if d.Stride <= reach {
			return false
		}
		reach += (d.Extent - 1) * d.Stride
	}
	return true
}

// TestSlabs cuts moves of every width into slabs for all limits, in files and in a stream. The smallest limits
// make slabs of single elements, of which some hundreds are enough.
func TestSlabs(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 10))
	tests := []struct{ from, to, shape, small string }{
		{from: "NCHW", to: "NHWC", shape: "3x17x9x11", small: "3x17x3x2"},
		{from: "NHWC", to: "NCHW", shape: "3x17x9x11", small: "3x17x3x2"},
		{from: "NCHW", to: "NCHW16c", shape: "2x19x7x13", small: "2x19x2x3"},
		{from: "NCHW8c", to: "NHWC", shape: "2x19x7x13", small: "2x19x2x3"},
		{from: "NCHW4c", to: "NCHW16c", shape: "2x31x5x6", small: "2x31x1x3"},
		{from: "NCHW24c", to: "NCHW16c", shape: "2x131x5x3", small: "2x61x2x1"},
		{from: "NCHW6c", to: "NCHW4c", shape: "1x101x3x4", small: "1x37x3x2"},
		{from: "NC", to: "CN", shape: "67x129", small: "17x19"},
		{from: "N", to: "N", shape: "4099", small: "251"},
		{from: "NCHW", to: "WHCN", shape: "16x5x3x3", small: "5x5x3x3"},
		{from: "NCHW", to: "NHWC", shape: "1x1x1x1", small: "1x1x1x1"},
		{from: "NCHW", to: "NHWC", shape: "3x0x2x2", small: "3x0x2x2"},
	}
	for _, tt := range tests {
		for _, bits := range widths {
			for i, memory := range memories {
				shape := tt.shape
				if memory < 4096 {
					shape = tt.small
				}
				from, to := described(t, shape, tt.from, "", "", bits), described(t, shape, tt.to, "", "", bits)
				m := newMoving(t, from, to, rng)
				o := relayout.Options{Jobs: []int{0, 1, 2, 3, 7}[rng.IntN(5)], Memory: memory, Swap: swapOf(bits, i)}
				m.copy(t, o)
				m.stream(t, o)
			}
		}
	}
}

// swapOf returns one of the units that can be reversed in elements of the given number of bits, selected by k.
func swapOf(bits int64, k int) int {
	units := []int{0}
	for unit := 2; int64(unit)*8 <= bits; unit *= 2 {
		units = append(units, unit)
	}
	return units[k%len(units)]
}

// TestLarge moves some megabytes in every width between layouts that people use.
func TestLarge(t *testing.T) {
	t.Parallel()
	d := newDraw(19)
	names := []struct{ shape, from, to string }{
		{"1x3x255x257", "NCHW", "NHWC"},
		{"2x65x33x65", "NHWC", "NCHW"},
		{"1x70x47x63", "NCHW", "NCHW16c"},
		{"1x70x47x63", "NCHW16c", "NHWC"},
		{"1x130x27x43", "NCHW16c", "NCHW24c"},
		{"1021x257", "NC", "CN"},
		{"32x9x31x31", "NCHW", "WHCN"},
	}
	step := min(layouttest.Step(), len(widths))
	for i, tt := range names {
		for k := i % step; k < len(widths); k += step {
			bits := widths[k]
			from, to := described(t, tt.shape, tt.from, "", "", bits), described(t, tt.shape, tt.to, "", "", bits)
			newMoving(t, from, to, d.Rand).everyWay(t, d)
		}
	}
}

// TestDefaults moves with zero Options.
func TestDefaults(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	m := newMoving(t, described(t, "5x30x40x3", "NCHW", "", "", 32), described(t, "5x30x40x3", "NHWC", "", "", 32), rng)
	dst := newTarget(len(m.want))
	if err := m.plan.Copy(t.Context(), dst, source(m.src), relayout.Options{}); err != nil {
		t.Fatal(err)
	}
	m.compare(t, "Copy", dst.data, m.want)
}

// buffers notes the memory that reads and writes take, and the shortest of them.
type buffers struct {
	mutex    sync.Mutex
	pages    map[uintptr]bool
	pageSize uintptr
	shortest [2]int // read, written
	calls    [2]int
}

// note notes a call that is a read, 0, or a write, 1.
func (f *buffers) note(call int, b []byte) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.calls[call]++; f.calls[call] == 1 || len(b) < f.shortest[call] {
		f.shortest[call] = len(b)
	}
	first := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	for at := first / f.pageSize; at <= (first+uintptr(len(b))-1)/f.pageSize; at++ {
		f.pages[at] = true
	}
}

// ReadAt reads zeros.
func (f *buffers) ReadAt(b []byte, at int64) (int, error) {
	f.note(0, b)
	clear(b)
	return len(b), nil
}

// Write discards the bytes.
func (f *buffers) Write(b []byte) (int, error) {
	f.note(1, b)
	return len(b), nil
}

// WriteAt is Write.
func (f *buffers) WriteAt(b []byte, _ int64) (int, error) { return f.Write(b) }

// newBuffers moves zeros of a shape from one layout to another, and returns the recorded buffers.
func newBuffers(t *testing.T, way string, shape, from, to string, o relayout.Options) *buffers {
	t.Helper()
	p, err := relayout.New(described(t, shape, from, "", "", 32), described(t, shape, to, "", "", 32))
	if err != nil {
		t.Fatal(err)
	}
	f := &buffers{pages: map[uintptr]bool{}, pageSize: 4096}
	if way == "Copy" {
		err = p.Copy(t.Context(), f, f, o)
	} else {
		err = p.Stream(t.Context(), f, f, o)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestMemory counts the memory that slabs take against the limit. The tensors have many times more.
func TestMemory(t *testing.T) {
	for _, order := range [][2]string{{"NCHW", "NHWC"}, {"NHWC", "NCHW"}, {"NCHW", "WHCN"}} {
		for _, limit := range []int64{4 << 20, 16 << 20} {
			for _, way := range []string{"Copy", "Stream"} {
				f := newBuffers(t, way, "2x64x256x256", order[0], order[1], relayout.Options{Jobs: 2, Memory: limit})
				if n := int64(len(f.pages)) * int64(f.pageSize); n > limit {
					t.Errorf("%s of %v has %d bytes of slabs, the limit is %d", way, order, n, limit)
				}
			}
		}
	}
}

// TestLongPieces reads and writes at least 256 KB at once, where an image has more than that and the memory is enough
// for some of them.
func TestLongPieces(t *testing.T) {
	for _, order := range [][2]string{{"NCHW", "NHWC"}, {"NHWC", "NCHW"}} {
		f := newBuffers(t, "Copy", "3x64x128x128", order[0], order[1], relayout.Options{Jobs: 2})
		for call, name := range []string{"read", "written"} {
			if f.shortest[call] < 256<<10 {
				t.Errorf("%v: %d bytes are %s at once in one of %d calls", order, f.shortest[call], name, f.calls[call])
			}
		}
	}
}

// A faulty is a file to read and one to write. Its calls of one kind fail, starting at call number first.
type faulty struct {
	source
	reads bool  // whether reads fail, or writes
	first int64 // the first call to fail; 0: none does
	fail  func(n int) (int, error)
	calls atomic.Int64 // of that kind
	late  atomic.Int64 // calls of both kinds after the first that failed
	all   atomic.Int64
	open  atomic.Int64 // reads that have not ended
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

// Write discards the bytes, or fails.
func (f *faulty) Write(b []byte) (int, error) {
	if f.fails(false) {
		return f.fail(len(b))
	}
	return len(b), nil
}

// WriteAt is Write.
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

// slabbed returns a move, and options with which it takes many slabs.
func slabbed(t *testing.T) (*moving, relayout.Options) {
	t.Helper()
	const shape = "16x20x15x17"
	from, to := described(t, shape, "NCHW", "", "", 32), described(t, shape, "NHWC", "", "", 32)
	return newMoving(t, from, to, rand.New(rand.NewPCG(21, 22))), relayout.Options{Memory: 4096}
}

// TestFaults lets calls fail, early or late: the cause must be reported, and no more be done.
func TestFaults(t *testing.T) {
	tests := []struct {
		what  string
		reads bool
		fail  func(n int) (int, error)
		cause error
	}{
		{
			what: "a read fails", reads: true,
			fail: func(int) (int, error) { return 0, io.ErrNoProgress }, cause: io.ErrNoProgress,
		},
		{
			what: "a read fails half-way", reads: true,
			fail: func(n int) (int, error) { return n / 2, io.ErrNoProgress }, cause: io.ErrNoProgress,
		},
		{
			what: "the file ends", reads: true,
			fail: func(int) (int, error) { return 0, io.EOF }, cause: io.ErrUnexpectedEOF,
		},
		{
			what: "the file ends half-way", reads: true,
			fail: func(n int) (int, error) { return n / 2, io.EOF }, cause: io.ErrUnexpectedEOF,
		},
		{what: "a write fails", fail: func(int) (int, error) { return 0, io.ErrClosedPipe }, cause: io.ErrClosedPipe},
		{
			what: "a write fails half-way",
			fail: func(n int) (int, error) { return n / 2, io.ErrClosedPipe }, cause: io.ErrClosedPipe,
		},
		{
			what: "a write is short and silent",
			fail: func(n int) (int, error) { return n / 2, nil }, cause: io.ErrShortWrite,
		},
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
				stop := func(n int) (int, error) { cancel(); return n, nil }
				return &faulty{reads: reads, first: first, fail: stop}, ctx
			}, context.Canceled)
		}
	}
}

// stopped moves in each way, and checks the cause, and that the move ends soon after it.
func stopped(t *testing.T, what string, start func(*testing.T) (*faulty, context.Context), cause error) {
	t.Helper()
	before := runtime.NumGoroutine()
	m, o := slabbed(t)
	for _, way := range ways {
		for _, jobs := range []int{1, 3} {
			f, ctx := start(t)
			f.source, o.Jobs = m.src, jobs
			what := fmt.Sprintf("%s: %s at call %d with %d jobs", way.name, what, f.first, jobs)
			if err := way.move(m.plan, ctx, f, o); !errors.Is(err, cause) {
				t.Errorf("%s: %v, want %v", what, err, cause)
			}
			undisturbed := func(f *faulty) error { return way.move(m.plan, t.Context(), f, o) }
			if n := f.open.Load(); n > 0 {
				t.Errorf("%s: %d reads have not ended when it has", what, n)
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

// checkEnd counts the calls after the failed one. There may be some for slabs that were being moved,
// but far fewer than for all slabs.
func (f *faulty) checkEnd(t *testing.T, what string, undisturbed func(f *faulty) error, strict bool) {
	t.Helper()
	if f.late.Load() == 0 {
		return
	}
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

// TestSwapOfOtherUnits reverses units that are wider than elements, starting at the first byte of the file, or rejects
// them.
func TestSwapOfOtherUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for _, bits := range widths {
		from := described(t, "2x3x8x8", "NHWC", "", "", bits)
		to := described(t, "2x3x8x8", "NCHW", "", "", bits)
		m := newMoving(t, from, to, rng)
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
