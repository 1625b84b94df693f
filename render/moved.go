package render

import (
	"fmt"
	"io"
	"time"
)

// Moved is what is said of data that was moved.
type Moved struct {
	Elements, Bytes int64
	Time            time.Duration
	Verified        bool
}

// Print writes a line: how much was moved, how long that took, and how fast it was. There is nobody
// to tell if that fails.
func (m Moved) Print(w io.Writer) {
	verified := ""
	if m.Verified {
		verified = ", verified"
	}
	fmt.Fprintf(w, "%s, %s in %s: %s%s\n", counted(m.Elements, "element"), counted(m.Bytes, "byte"), seconds(m.Time), rate(m.Bytes, m.Time), verified)
}

// seconds is a time to three digits.
func seconds(d time.Duration) string { return fmt.Sprintf("%.3f s", d.Seconds()) }

// rate is how many bytes a second there were.
func rate(bytes int64, d time.Duration) string {
	return fmt.Sprintf("%.3f GB/s", float64(bytes)/max(d.Seconds(), 1e-9)/1e9)
}
