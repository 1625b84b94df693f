package render

import (
	"math"
	"testing"
)

// TestInUnits has the output of GNU's numfmt --to=iec-i --format=%.1f --round=nearest, without a point and 0.
func TestInUnits(t *testing.T) {
	tests := []struct {
		bytes int64
		want  string
	}{
		{0, ""}, {1, ""}, {1023, ""}, {1024, "1 KiB"}, {1290, "1.3 KiB"}, {602112, "588 KiB"},
		{30100000, "28.7 MiB"}, {1<<20 - 1, "1 MiB"}, {1 << 20, "1 MiB"}, {17179869196, "16 GiB"},
		{1 << 40, "1 TiB"}, {1 << 50, "1 PiB"}, {math.MaxInt64, "8 EiB"},
	}
	for _, tt := range tests {
		if got := inUnits(tt.bytes); got != tt.want {
			t.Errorf("inUnits(%d) = %q, want %q", tt.bytes, got, tt.want)
		}
	}
}
