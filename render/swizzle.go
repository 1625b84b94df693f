package render

import (
	"fmt"
	"slices"
	"strconv"

	"layoutcalc/layout"
)

// composedText returns a swizzled layout in CuTe notation: Sw<3,3,3> o 0 o (8,64):(64,1). The digits of an axis start
// at the innermost.
func composedText(l layout.Layout) string {
	b := []byte{}
	for _, s := range slices.Backward(l.Swizzles()) {
		b = append(append(b, s.String()...), " o "...)
	}
	b = append(strconv.AppendInt(b, l.Base(), 10), " o ("...)
	b = appendModes(b, l, func(d layout.Digit) int64 { return d.Extent })
	b = appendModes(append(b, "):("...), l, func(d layout.Digit) int64 { return d.Stride })
	return string(append(b, ')'))
}

// appendModes appends a number for each digit of each axis.
func appendModes(b []byte, l layout.Layout, number func(layout.Digit) int64) []byte {
	for i := range l.Rank() {
		if i > 0 {
			b = append(b, ',')
		}
		digits := l.Axis(i).DigitList()
		numbers := make([]int64, 0, len(digits))
		for _, d := range slices.Backward(digits) {
			numbers = append(numbers, number(d))
		}
		mode := layout.JoinInts(numbers, ",")
		if len(digits) > 1 {
			mode = "(" + mode + ")"
		}
		b = append(b, mode...)
	}
	return b
}

// swizzleTree returns the swizzles of a layout in JSON, the innermost first.
func swizzleTree(l layout.Layout) []Object { return swizzleObjects(l.Swizzles()) }

func swizzleObjects(swizzles []layout.Swizzle) []Object {
	list := []Object{}
	for _, s := range swizzles {
		list = append(list, Object{{"bits", int64(s.Bits)}, {"base", int64(s.Base)}, {"shift", int64(s.Shift)}})
	}
	return list
}

// swizzleLines describes the bits that each swizzle of a tensor moves, with the number of bytes that stay together and
// the period in bytes.
func swizzleLines(t layout.Tensor) (lines []string) {
	for _, s := range t.Layout().Swizzles() {
		line := fmt.Sprintf("swizzle %d,%d,%d: %s of the offset %s xored into %s", s.Bits, s.Base, s.Shift,
			bitRange(s.Read(), s.Bits), verb(s.Bits), bitRange(s.Written(), s.Bits))
		if bits := t.DType().Bits(); bits%8 == 0 && bits > 0 || bits == 4 && s.Base > 0 {
			period := Counted(bits*s.Period()/8, "byte")
			line += fmt.Sprintf(" (%d-byte chunks, repeats after %s)", bits<<s.Base/8, period)
		}
		lines = append(lines, line)
	}
	return lines
}

// bitRange names n bits of an offset starting at a first one.
func bitRange(first, n int) string {
	if n == 1 {
		return "bit " + strconv.Itoa(first)
	}
	return "bits " + strconv.Itoa(first) + "-" + strconv.Itoa(first+n-1)
}

func verb(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
