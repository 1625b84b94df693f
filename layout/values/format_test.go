package values

import (
	"encoding/hex"
	"slices"
	"testing"

	"layoutcalc/layout"
)

// TestFormat compares numbers with NumPy 1.24's results for the same bits (numpy.array(bits).view(type)). NumPy does
// not have bfloat16, so these are compared with float32 of the bits and 16 zeros.
func TestFormat(t *testing.T) {
	for _, test := range [...]struct{ dtype, bits, want string }{
		{"float32", "40490fdb", "3.1415927"},
		{"float32", "80000000", "-0"},
		{"float32", "7fc00000", "NaN"},
		{"float32", "ff800000", "-Inf"},
		{"float32", "00000001", "1e-45"},
		{"float64", "3fb999999999999a", "0.1"},
		{"float16", "3c00", "1"},
		{"float16", "3555", "0.33325195"},
		{"float16", "0001", "5.9604645e-08"},
		{"float16", "fbff", "-65504"},
		{"float16", "8000", "-0"},
		{"float16", "7c00", "+Inf"},
		{"float16", "7e00", "NaN"},
		{"bfloat16", "3f80", "1"},
		{"bfloat16", "c049", "-3.140625"},
		{"int8", "ff", "-1"},
		{"int4", "0f", "-1"},
		{"uint4", "0f", "15"},
		{"int64", "8000000000000000", "-9223372036854775808"},
		{"uint64", "ffffffffffffffff", "18446744073709551615"},
		{"complex64", "400000003f800000", "1+2i"},
		{"complex128", "bff00000000000003fe0000000000000", "0.5-1i"},
		{"bool", "01", "0x01"},
		{"float8_e4m3fn", "7e", "0x7e"},
	} {
		d, err := layout.ParseDType(test.dtype)
		if err != nil {
			t.Fatal(err)
		}
		value, err := hex.DecodeString(test.bits)
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(value)
		if got := Format(d, value); got != test.want {
			t.Errorf("%s %s: %s, want %s", test.dtype, test.bits, got, test.want)
		}
	}
}
