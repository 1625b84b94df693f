package render

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// TestMoved has lines that are worked out by hand.
func TestMoved(t *testing.T) {
	nchw, nhwc := parsed(t, "1x3x2x2", "NCHW"), parsed(t, "1x3x2x2", "NHWC")
	tests := []struct {
		moved  Moved
		want   string
		reason string
	}{
		{
			Moved{nchw, nhwc, 48, 1500 * time.Millisecond, false},
			"NCHW (1,3,2,2) to NHWC (1,2,2,3), float32: 12 elements, 48 bytes\n",
			"little, slowly",
		},
		{
			Moved{parsed(t, "1", "W"), parsed(t, "1", "W"), 4, time.Second, false},
			"W (1) to W (1), float32: 1 element, 4 bytes\n", "one",
		},
		{
			Moved{parsed(t, "0x3", "HW"), parsed(t, "0x3", "WH"), 0, 0, false},
			"HW (0,3) to WH (3,0), float32: 0 elements, 0 bytes\n", "nothing in no time",
		},
		{
			Moved{
				parsed(t, "1000x1000000", "HW"), parsed(t, "1000x1000000", "WH"), 4_000_000_000, 2 * time.Second, true,
			},
			"HW (1000,1000000) to WH (1000000,1000), float32: " +
				"1,000,000,000 elements, 4,000,000,000 bytes (3.7 GiB) in 2.000 s: 2.000 GB/s, verified\n",
			"much, and verified",
		},
		{
			Moved{nchw, nhwc, 100_000_000, 81 * time.Millisecond, false},
			"NCHW (1,3,2,2) to NHWC (1,2,2,3), float32: 12 elements, 100,000,000 bytes (95.4 MiB) " +
				"in 0.081 s: 1.235 GB/s\n",
			"0.1 GB in 0.081 s are 1.2346 GB/s",
		},
		{
			Moved{nchw, nhwc, 1_000_000, 8 * time.Second, false},
			"NCHW (1,3,2,2) to NHWC (1,2,2,3), float32: 12 elements, 1,000,000 bytes (976.6 KiB) " +
				"in 8.000 s: 125 kB/s\n",
			"from a slow source",
		},
	}
	for _, tt := range tests {
		var out strings.Builder
		if tt.moved.Print(&out); out.String() != tt.want {
			t.Errorf("%q; want %q: %s", out.String(), tt.want, tt.reason)
		}
	}
}

func TestBarLine(t *testing.T) {
	half := Bar{Done: 500_000_000, All: 1_000_000_000, Time: 2 * time.Second}
	tests := []struct {
		bar    Bar
		width  int
		want   string
		reason string
	}{
		{
			bar: half, width: 80, want: "[####################....................]  50 %  0.250 GB/s  2 s left",
			reason: "half of it",
		},
		{
			bar: half, width: 200, want: "[####################....................]  50 %  0.250 GB/s  2 s left",
			reason: "a bar is long enough",
		},
		{bar: half, width: 40, want: "[####.....]  50 %  0.250 GB/s  2 s left", reason: "a short bar: 4.5 of 9"},
		{bar: half, width: 39, want: "[####....]  50 %  0.250 GB/s  2 s left", reason: "the shortest"},
		{bar: half, width: 38, want: " 50 %  0.250 GB/s  2 s left", reason: "no room for a bar"},
		{
			bar: Bar{Done: 1, All: 4, Time: 3 * time.Second}, width: 80,
			want:   "[##########..............................]  25 %  9 s left",
			reason: "three quarters are left, at the same pace",
		},
		{
			bar: Bar{All: 10, Time: 2 * time.Second}, width: 80,
			want:   "[........................................]   0 %",
			reason: "nothing is done: the time left is unknown",
		},
		{
			bar: Bar{Done: 10, All: 10, Time: 2 * time.Second}, width: 80,
			want: "[########################################] 100 %  0 s left", reason: "all of it",
		},
		{
			bar: Bar{Done: 20, All: 10, Time: 2 * time.Second}, width: 80,
			want:   "[########################################] 100 %  0 s left",
			reason: "never more than that",
		},
	}
	for _, tt := range tests {
		if got := tt.bar.Line(tt.width); got != tt.want {
			t.Errorf("%+v in %d columns: %q, want %q: %s", tt.bar, tt.width, got, tt.want, tt.reason)
		}
	}
}

// TestBarFits has no line be wider than it may.
func TestBarFits(t *testing.T) {
	for _, b := range []Bar{
		{}, {All: 1, Time: time.Second}, {Done: 1, All: 1 << 62, Time: time.Hour}, {
			Done: 1 << 40, All: 1 << 41, Time: time.Millisecond,
		},
		{Done: 7, All: 9, Time: 3}, {Done: 1 << 62, All: 1 << 62, Time: 1000 * time.Hour},
	} {
		for width := range 201 {
			line := b.Line(width)
			if n := utf8.RuneCountInString(line); n > width || strings.ContainsAny(line, "\r\n\x1b") {
				t.Errorf("%+v in %d columns: %q has %d", b, width, line, n)
			}
		}
	}
}
