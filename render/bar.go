package render

import (
	"fmt"
	"strings"
	"time"
)

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
