package lexer_test

import (
	"strings"
	"testing"

	"layoutcalc/layout/layouttest"
	"layoutcalc/layout/lexer"
)

// TestParseBytes has the powers of 1024 (IEC 80000-13) and of 1000 (SI) written out.
func TestParseBytes(t *testing.T) {
	tests := []struct {
		text   string
		want   int64
		reason string
	}{
		{"0", 0, "none"},
		{"4096", 4096, "a number alone"},
		{" 4096\t", 4096, "blanks around"},
		{"0012", 12, "decimal, never octal"},
		{"12B", 12, "B is for bytes"},
		{"12b", 12, "in any case"},
		{"1K", 1024, "K"},
		{"1k", 1024, "in any case"},
		{"1KB", 1000, "a power of 1000 with a B"},
		{"1kb", 1000, "in any case"},
		{"4MB", 4000000, "MB"},
		{"3 GB", 3000000000, "GB"},
		{"2TB", 2000000000000, "TB"},
		{"9223372TB", 9223372000000000000, "the most TB that 63 bits hold"},
		{"1KiB", 1024, "as the standard has it"},
		{"1kib", 1024, "in any case"},
		{"3 K", 3072, "a blank before the letter"},
		{"256M", 268435456, "M"},
		{"256MiB", 268435456, "M as the standard has it"},
		{"1G", 1073741824, "G"},
		{"2T", 2199023255552, "T"},
		{"0T", 0, "none of the largest"},
		{"9223372036854775807", 9223372036854775807, "2^63-1 is the largest int64"},
		{"0x10", 16, "hexadecimal"},
		{"0x1B", 27, "B is a digit"},
		{"0x10K", 16384, "hexadecimal with a letter"},
		{"8388607T", 9223370937343148032, "the most T that 63 bits hold"},
		{"8589934591G", 9223372035781033984, "the most G"},
	}
	for _, tt := range tests {
		if got, err := lexer.ParseBytes(tt.text); err != nil || got != tt.want {
			t.Errorf("%q is %d, %v; want %d: %s", tt.text, got, err, tt.want, tt.reason)
		}
	}
}

func TestBadBytes(t *testing.T) {
	tests := []struct{ text, says, reason string }{
		{"", "not a number of bytes", "nothing"},
		{"K", "not a number of bytes", "a letter alone"},
		{"iB", "not a number of bytes", "letters alone"},
		{"-1", "not a number of bytes", "negative"},
		{"1.5G", "not a number of bytes", "a fraction"},
		{"1e6", "not a number of bytes", "an exponent"},
		{"1,000", "not a number of bytes", "a comma"},
		{"0x", "not a number of bytes", "no digits"},
		{"0xg", "not a number of bytes", "a letter that is not a digit"},
		{"1KK", "not a number of bytes", "two letters"},
		{"1BK", "not a number of bytes", "the letters the wrong way round"},
		{"1P", "not a number of bytes", "a letter that is not known"},
		{"1i", "not a number of bytes", "half of a unit"},
		{"1iB", "not a number of bytes", "half of a unit"},
		{"1K1", "not a number of bytes", "a number after the letter"},
		{"lots", "not a number of bytes", "a word"},
		{"8388608T", "more than 64 bits hold", "2^63"},
		{"9223373TB", "more than 64 bits hold", "9.223373 x 10^18, and 2^63 is 9.223372 x 10^18"},
		{"9007199254740992K", "more than 64 bits hold", "2^63"},
		{"9223372036854775807K", "more than 64 bits hold", "2^73"},
	}
	for _, tt := range tests {
		n, err := lexer.ParseBytes(tt.text)
		if err == nil {
			t.Errorf("%q is %d: %s", tt.text, n, tt.reason)
			continue
		}
		if e := layouttest.SyntaxError(t, tt.text, err); !strings.Contains(e.Msg, tt.says) || e.Hint == "" ||
			e.Input != tt.text {
			t.Errorf("%q: %q, %q, %q, want %q: %s", tt.text, e.Input, e.Msg, e.Hint, tt.says, tt.reason)
		}
	}
}

// TestParseOffset reads numbers in decimal and in hexadecimal, as Python's int(text, 0) has them.
func TestParseOffset(t *testing.T) {
	tests := []struct {
		text string
		want int64
		bad  bool
	}{
		{text: "16", want: 16},
		{text: "-16", want: -16},
		{text: "007", want: 7},
		{text: "0x1234", want: 4660},
		{text: "0XfF", want: 255},
		{text: "-0x10", want: -16},
		{text: " 0x7fffffffffffffff ", want: 9223372036854775807},
		{text: "-0x8000000000000000", want: -9223372036854775808},
		{text: "0x8000000000000000", bad: true},
		{text: "0x", bad: true},
		{text: "x10", bad: true},
		{text: "0x1_0", bad: true},
		{text: "0b1", bad: true},
		{text: "0x1g", bad: true},
	}
	for _, tt := range tests {
		if n, err := lexer.ParseOffset(tt.text); (err != nil) != tt.bad || n != tt.want && !tt.bad {
			t.Errorf("%q: %d, %v; want %d", tt.text, n, err, tt.want)
		}
	}
}
