package render

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
)

// BenchmarkElementsCSV writes a million rows.
func BenchmarkElementsCSV(b *testing.B) {
	tensor := parsed(b, "1000x1000", "")
	b.ReportAllocs()
	for b.Loop() {
		if err := NewPrinter(io.Discard, Options{Format: CSV, Width: 80}).Elements(tensor); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e6, "ns/row")
}

// hard returns a tensor, and an offset for which the search for an element takes long: a sum of some of 24 unordered
// numbers.
func hard(t *testing.T) (layout.Tensor, int64) {
	sizes, strides := make([]int64, 24), make([]int64, 24)
	sum, state := int64(0), uint64(1)
	for i := range sizes {
		state = state*6364136223846793005 + 1442695040888963407 // Knuth's MMIX
		sizes[i], strides[i] = 2, 1<<40+int64(state>>24)
		sum += strides[i]
	}
	l, err := layout.Strided(0, sizes, strides)
	if err != nil {
		t.Fatal(err)
	}
	if found := analysis.NewInverse(l).At(sum/2, 1); found.Exact || found.Count > 0 {
		t.Fatalf("not hard enough: %+v", found)
	}
	return tensorOf(t, l, 0), sum / 2
}

// TestUnknownIsNoPadding looks an offset up of which nothing is known. That is not the answer
// no.
func TestUnknownIsNoPadding(t *testing.T) {
	tensor, offset := hard(t)
	at := func(f Format) string {
		return written(t, Options{Format: f}, func(p *Printer) error {
			_, err := p.At(tensor, func(yield func(int64, error) bool) { yield(offset, nil) })
			return err
		})
	}
	if got := at(Table); !strings.Contains(got, "unknown") {
		t.Errorf("table: %s", got)
	}
	if got := at(JSON); !strings.Contains(got, `"where": null, "indices": [], "count": null`) {
		t.Errorf("JSON: %.200s", got)
	}
	if got := at(Plain); got == "x\n" {
		t.Errorf("plain: %q is shown for padding", got)
	}
	for _, f := range []Format{CSV, Markdown} {
		lines := strings.Split(strings.TrimSpace(at(f)), "\n")
		cells := strings.FieldsFunc(lines[len(lines)-1], func(r rune) bool { return strings.ContainsRune(",| ", r) })
		if len(cells) > 2 && cells[2] == "0" {
			t.Errorf("%s: a count of 0 in %v", f, cells)
		}
	}
	text := written(t, Options{Format: Table}, func(p *Printer) error {
		return p.Picture(tensor, Window{From: offset, To: offset + 1})
	})
	if _, slots := readPicture(t, text); len(slots) != 1 || slots[0] == [2]string{fmt.Sprint(offset), "x"} {
		t.Errorf("the picture has %v", slots)
	}
}
