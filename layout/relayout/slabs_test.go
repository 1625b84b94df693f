package relayout_test

import (
	"bytes"
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

	"layoutcalc/layout"
	"layoutcalc/layout/relayout"
)

// memories are the limits that slabs are cut by: all but the last are awkward.
var memories = [...]int64{1, 100, 4096, 65536, 1 << 20}

// A source is a file in memory that says io.EOF as soon as its last byte is read, which readers
// may do.
type source []byte

// ReadAt reads as io.ReaderAt says.
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

// A target is a file in memory that keeps watch: a byte may be written again only as it is, and
// none beyond the end. It may be written from several goroutines.
type target struct {
	mutex   sync.Mutex
	data    []byte
	written []byte // 1 where it is
	wrong   string // the first thing that was wrong
}

func newTarget(n int) *target { return &target{data: make([]byte, n), written: make([]byte, n)} }

// WriteAt writes as io.WriterAt says.
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
	m.told(t, how, done.Load())
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
	m.told(t, how, done.Load())
}

// told wants all of the target to be told of in the end, if there is anything to move.
func (m *moving) told(t *testing.T, how string, done int64) {
	t.Helper()
	if all := m.plan.TargetBytes(); done != all && !m.from.Layout().Empty() {
		t.Fatalf("%v: %s tells of %d bytes of %d", m, how, done, all)
	}
}

// swapped returns the result when the source's units are reversed.
func (m *moving) swapped(unit int) []byte {
	if unit == 0 {
		return m.want
	}
	return moved(m.from, m.to, reversed(m.src, unit))
}

// tooTight reports whether the memory did not do, which the error must say, and only layouts
// that no slab cuts well may be refused for.
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

// exotic reports whether slabs need room beyond any limit: the blocks of an axis do not divide each
// other, the target's digits do not nest, or elements of 4 bits share bytes that no order parts.
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
// neighbours in the target are far from one another along the axis.
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

// odd reports whether halves of bytes are counted from an odd one on, or downwards in odd steps.
func odd(l layout.Layout) bool {
	down := slices.ContainsFunc(digits(l), func(d layout.Digit) bool { return d.Stride < 0 && d.Stride%2 != 0 })
	return down || l.Base()%2 != 0
}

// weightsOf returns the indices that each digit of the axis counts in, from the innermost on.
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

// nested reports whether each digit steps over all that those of smaller strides reach.
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

// TestSlabs cuts moves of every width into slabs by all limits, in files and in a stream.
func TestSlabs(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 10))
	tests := []struct{ shape, from, to string }{
		{"3x17x9x11", "NCHW", "NHWC"},
		{"3x17x9x11", "NHWC", "NCHW"},
		{"2x19x7x13", "NCHW", "NCHW16c"},
		{"2x19x7x13", "NCHW8c", "NHWC"},
		{"2x31x5x6", "NCHW4c", "NCHW16c"},
		{"2x131x5x3", "NCHW24c", "NCHW16c"},
		{"1x101x3x4", "NCHW6c", "NCHW4c"},
		{"67x129", "NC", "CN"},
		{"4099", "N", "N"},
		{"16x5x3x3", "NCHW", "WHCN"},
		{"1x1x1x1", "NCHW", "NHWC"},
		{"3x0x2x2", "NCHW", "NHWC"},
	}
	for _, tt := range tests {
		for _, bits := range widths {
			m := newMoving(t, described(t, tt.shape, tt.from, "", "", bits), described(t, tt.shape, tt.to, "", "", bits), rng)
			for i, memory := range memories {
				o := relayout.Options{Jobs: []int{0, 1, 2, 3, 7}[rng.IntN(5)], Memory: memory, Swap: swapOf(bits, i)}
				m.copy(t, o)
				m.stream(t, o)
			}
		}
	}
}

// swapOf returns the kth of the units that elements of so many bits can be swapped by.
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
	for _, tt := range names {
		for _, bits := range widths {
			newMoving(t, described(t, tt.shape, tt.from, "", "", bits), described(t, tt.shape, tt.to, "", "", bits), d.Rand).everyWay(t, d)
		}
	}
}

// TestDefaults moves with the zero Options.
func TestDefaults(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	m := newMoving(t, described(t, "5x30x40x3", "NCHW", "", "", 32), described(t, "5x30x40x3", "NHWC", "", "", 32), rng)
	dst := newTarget(len(m.want))
	if err := m.plan.Copy(t.Context(), dst, source(m.src), relayout.Options{}); err != nil {
		t.Fatal(err)
	}
	m.compare(t, "Copy", dst.data, m.want)
}

// TestMemory counts what is allocated for slabs, in both ways, against the limit. The tensors have
// many times more; built for the race detector, what grows is allocated twice.
func TestMemory(t *testing.T) {
	const shape, limit = "2x64x256x256", 4 << 20
	p, err := relayout.New(described(t, shape, "NCHW", "", "", 32), described(t, shape, "NHWC", "", "", 32))
	if err != nil {
		t.Fatal(err)
	}
	files := &faulty{source: make(source, p.SourceBytes())}
	for _, way := range ways {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := way.move(p, t.Context(), files, relayout.Options{Jobs: 2, Memory: limit}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 5*limit/2 {
			t.Errorf("%s allocates %d bytes for slabs of %d", way.name, n, limit)
		}
	}
}
