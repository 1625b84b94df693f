package render

import (
	"io"
	"testing"
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
