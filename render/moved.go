package render

import (
	"fmt"
	"io"
	"strings"
	"time"

	"layoutcalc/layout"
)

// Moved describes data that was moved.
type Moved struct {
	From, To layout.Tensor
	Bytes    int64 // of the target
	Time     time.Duration
	Verified bool
}

// Print writes a line: what was moved, how much that was, how long it took, and how fast it was. An error of writing
// is ignored.
func (m Moved) Print(w io.Writer) {
	verified := ""
	if m.Verified {
		verified = ", verified"
	}
	elements := counted(m.To.Layout().Elements(), "element")
	fmt.Fprintf(w, "%s to %s, %s: %s, %s in %.3f s: %s%s\n", stored(m.From), stored(m.To), m.To.DType(), elements,
		counted(m.Bytes, "byte"), m.Time.Seconds(), rate(m.Bytes, m.Time), verified)
}

// stored names a layout, and the sizes of its storage if that is an array.
func stored(t layout.Tensor) string {
	name := t.Name()
	if name == "" {
		name = "strides"
	}
	if sizes, _, ok := t.Stored(); ok {
		name += " (" + layout.JoinInts(sizes, ",") + ")"
	}
	return name
}

// A Bar shows how many bytes of data are moved.
type Bar struct {
	Done, All int64
	Time      time.Duration
}

// barWidth is how wide the bar itself is at most.
const barWidth = 40

// Line returns the bar with its rate and the time that is left, in at most width columns.
func (b Bar) Line(width int) string {
	part := min(float64(b.Done)/float64(max(b.All, 1)), 1)
	left := b.Time.Seconds() * (1 - part) / max(part, 1e-9)
	text := fmt.Sprintf("%3.0f %%  %s", 100*part, rate(b.Done, b.Time))
	if b.Done > 0 {
		text += fmt.Sprintf("  %.0f s left", left)
	}
	room := min(width-len(text)-4, barWidth)
	if room < 8 {
		return text[:min(len(text), max(width, 0))]
	}
	full := int(part * float64(room))
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", room-full) + "] " + text
}

// rate returns how many bytes a second there were.
func rate(bytes int64, d time.Duration) string {
	return fmt.Sprintf("%.3f GB/s", float64(bytes)/max(d.Seconds(), 1e-9)/1e9)
}
