package report

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"layoutcalc/layout/rules"
	"layoutcalc/render"
)

// A limited writer takes so many bytes and fails then.
type limited struct{ left int }

var errFull = errors.New("no space left on device")

func (l *limited) Write(b []byte) (int, error) {
	if l.left -= len(b); l.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// TestWriteError wants an error from every format for an output that fails at any point.
func TestWriteError(t *testing.T) {
	for _, f := range Formats {
		whole := len(written(t, f.Format, Options{}, sample()))
		for _, room := range []int{0, 1, whole / 2, whole - 32} {
			w := NewWriter(&limited{room}, f.Format, Options{})
			for _, finding := range sample() {
				w.Add(&finding)
			}
			var failed *render.WriteError
			if err := w.Close(Summary{}); !errors.As(err, &failed) || !errors.Is(err, errFull) {
				t.Errorf("%s with room for %d of %d bytes: %v", f.Format, room, whole, err)
			}
		}
	}
}

// TestAddError wants those that write on to hear of a failure before the end.
func TestAddError(t *testing.T) {
	w := NewWriter(&limited{0}, Plain, Options{})
	f := sample()[0]
	for range 1000 {
		if w.Add(&f) != nil {
			return
		}
	}
	t.Error("1000 findings are written to an output that fails")
}

// TestNoAllocation wants no garbage for a finding in the formats that are written as they come,
// but for its place and its words.
func TestNoAllocation(t *testing.T) {
	f := sample()[0]
	for format, most := range map[Format]float64{Plain: 3, JSONL: 0, GitHub: 1} {
		w := NewWriter(io.Discard, format, Options{})
		if got := testing.AllocsPerRun(100, func() { w.Add(&f) }); got > most {
			t.Errorf("%s: %v allocations a finding", format, got)
		}
	}
}

// BenchmarkLongLine shows 10,000 findings in a file of 5 MB that is one line.
func BenchmarkLongLine(b *testing.B) {
	f := sample()[0]
	f.Source = bytes.Repeat([]byte(`"Strides": [ 3, 1 ], `), 5<<20/21)
	b.ReportAllocs()
	for b.Loop() {
		w := NewWriter(io.Discard, Text, Options{})
		for i := range 10_000 {
			f.Column = 500*i + 1
			if err := w.Add(&f); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkWrite writes 10,000 findings, half of them with a source line.
func BenchmarkWrite(b *testing.B) {
	for _, f := range Formats {
		b.Run(string(f.Format), func(b *testing.B) {
			findings := sample()
			b.ReportAllocs()
			for b.Loop() {
				w := NewWriter(io.Discard, f.Format, Options{Colored: true})
				for i := range 10_000 {
					if err := w.Add(&findings[i%2]); err != nil {
						b.Fatal(err)
					}
				}
				if err := w.Close(Summary{Files: 1, Descriptors: 10_000, Count: [len(rules.Severities)]int{0, 5000, 5000}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
