package relayout_test

import (
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"io"
	"os"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/relayout"
)

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

// TestNumPyMovesTheSame compares each way to move with what NumPy made of the same bytes.
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
		v.files(t, m, relayout.Options{Jobs: 2, Memory: memory, Swap: v.Swap})
	}
}

// files compares Copy and Stream.
func (v *vector) files(t *testing.T, m *moving, o relayout.Options) {
	t.Helper()
	file, stream := newTarget(int(v.Bytes)), newTarget(int(v.Bytes))
	if err := m.plan.Copy(t.Context(), file, source(m.src), o); !m.tooTight(t, "Copy", o, err) {
		v.compare(t, m, "Copy", file.data)
	}
	if err := m.plan.Stream(t.Context(), io.NewOffsetWriter(stream, 0), source(m.src), o); !m.tooTight(t, "Stream", o, err) {
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
