package values

import (
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
)

// Format returns an element as a number, or the result of Bits if the type is not a known number type.
func Format(d layout.DType, value []byte) string {
	bits := uint64(0)
	if len(value) > 8 || d.Bits() == 0 {
		return formatComplex(d, value)
	}
	for i, b := range value {
		bits |= uint64(b) << (8 * i)
	}
	name := d.String()
	switch {
	case name == "float64":
		return number(math.Float64frombits(bits), 64)
	case name == "float32":
		return number(float64(math.Float32frombits(uint32(bits))), 32)
	case name == "bfloat16":
		return number(float64(math.Float32frombits(uint32(bits)<<16)), 32)
	case name == "float16":
		return number(half(uint16(bits)), 32)
	case strings.HasPrefix(name, "uint"):
		return strconv.FormatUint(bits, 10)
	case strings.HasPrefix(name, "int"):
		unused := 64 - d.Bits()
		return strconv.FormatInt(int64(bits<<unused)>>unused, 10)
	}
	return formatComplex(d, value)
}

// formatComplex is like Format, for types of two numbers.
func formatComplex(d layout.DType, value []byte) string {
	parts := map[string]string{"complex32": "float16", "complex64": "float32", "complex128": "float64"}
	part, err := layout.ParseDType(parts[d.String()])
	if err != nil {
		return Bits(value)
	}
	half := len(value) / 2
	imaginary := Format(part, value[half:])
	if imaginary[0] != '-' && imaginary[0] != '+' {
		imaginary = "+" + imaginary
	}
	return Format(part, value[:half]) + imaginary + "i"
}

// number returns the shortest decimal that is read as f, in a type with the given number of bits.
func number(f float64, bits int) string { return strconv.FormatFloat(f, 'g', -1, bits) }

// half returns the value of a float16.
func half(bits uint16) float64 {
	sign, exponent, fraction := 1-2*float64(bits>>15), int(bits>>10&31), float64(bits&1023)
	switch {
	case exponent == 31 && fraction == 0:
		return math.Inf(int(sign))
	case exponent == 31:
		return math.NaN()
	case exponent == 0:
		return sign * math.Ldexp(fraction, -24)
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// Bits returns the bits of an element in hexadecimal digits, the highest first.
func Bits(value []byte) string {
	high := slices.Clone(value)
	slices.Reverse(high)
	return "0x" + hex.EncodeToString(high)
}
