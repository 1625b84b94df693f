package render

import (
	"fmt"
	"io"
	"time"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
)

// Moved is what is said of data that was moved.
type Moved struct {
	From, To layout.Tensor
	Bytes    int64 // of the target
	Time     time.Duration
	Verified bool
}

// Print writes a line: what was moved, how much that was, how long it took, and how fast it was. There
// is nobody to tell if that fails.
func (m Moved) Print(w io.Writer) {
	verified := ""
	if m.Verified {
		verified = ", verified"
	}
	elements := counted(m.To.Layout().Elements(), "element")
	fmt.Fprintf(w, "%s to %s, %s: %s, %s in %s: %s%s\n", stored(m.From), stored(m.To), m.To.DType(), elements, counted(m.Bytes, "byte"), seconds(m.Time), rate(m.Bytes, m.Time), verified)
}

// stored names a layout, and the sizes of its storage if that is an array.
func stored(t layout.Tensor) string {
	name := t.Name()
	if name == "" {
		name = "strides"
	}
	if sizes, _, ok := facts.Stored(t); ok {
		name += " (" + layout.JoinInts(sizes, ",") + ")"
	}
	return name
}

// seconds is a time to three digits.
func seconds(d time.Duration) string { return fmt.Sprintf("%.3f s", d.Seconds()) }

// rate is how many bytes a second there were.
func rate(bytes int64, d time.Duration) string {
	return fmt.Sprintf("%.3f GB/s", float64(bytes)/max(d.Seconds(), 1e-9)/1e9)
}
