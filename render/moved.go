package render

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Moved is what is said of data that was moved.
type Moved struct {
	Elements, Bytes int64
	Time            time.Duration
	Verified        bool
}

// Print writes a line: how much was moved, how long that took, and how fast it was.
func (m Moved) Print(w io.Writer) error {
	verified := ""
	if m.Verified {
		verified = ", verified"
	}
	_, err := fmt.Fprintf(w, "%s, %s in %s: %s%s\n", counted(m.Elements, "element"), counted(m.Bytes, "byte"), seconds(m.Time), rate(m.Bytes, m.Time), verified)
	if err != nil {
		return &WriteError{Err: err}
	}
	return nil
}

// seconds is a time to three digits.
func seconds(d time.Duration) string { return fmt.Sprintf("%.3f s", d.Seconds()) }

// rate is how many bytes a second there were.
func rate(bytes int64, d time.Duration) string {
	return fmt.Sprintf("%.3f GB/s", float64(bytes)/max(d.Seconds(), 1e-9)/1e9)
}

// A Bar shows how far data is that is being moved.
type Bar struct {
	Done, All int64
	Time      time.Duration
}

// barWidth is how wide the bar itself is at most.
const barWidth = 40

// Line returns the bar with its rate and the time that is left, no wider than that.
func (b Bar) Line(width int) string {
	part := min(float64(b.Done)/float64(max(b.All, 1)), 1)
	left := time.Duration(float64(b.Time) * (1 - part) / max(part, 1e-9))
	text := fmt.Sprintf("%3.0f %%  %s", 100*part, rate(b.Done, b.Time))
	if b.Done > 0 {
		text += fmt.Sprintf("  %.0f s left", left.Seconds())
	}
	room := min(width-len(text)-4, barWidth)
	if room < 8 {
		return text[:min(len(text), max(width, 0))]
	}
	full := int(part * float64(room))
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", room-full) + "] " + text
}
