package layout

import "strconv"

// Equal reports whether two layouts have the same text.
func (l Layout) Equal(m Layout) bool { return l.String() == m.String() }

// String returns a text that is the same for the same layout only: each axis as size:stride,
// with the digits in brackets where it has several, behind its name if it has one, and the
// base at the end, as in "[N=2:320 C=17:(2:160 16:1) H=10:16]+0".
func (l Layout) String() string {
	b := []byte{'['}
	for i, a := range l.axes {
		if i > 0 {
			b = append(b, ' ')
		}
		b = a.append(b)
	}
	b = append(b, "]+"...)
	return string(strconv.AppendInt(b, l.base, 10))
}

func (a Axis) append(b []byte) []byte {
	if a.name != "" {
		b = append(append(b, a.name...), '=')
	}
	b = append(strconv.AppendInt(b, a.size, 10), ':')
	if len(a.digits) == 1 {
		return strconv.AppendInt(b, a.digits[0].Stride, 10)
	}
	separator := byte('(')
	for _, d := range a.digits {
		b = strconv.AppendInt(append(b, separator), d.Extent, 10)
		b = strconv.AppendInt(append(b, ':'), d.Stride, 10)
		separator = ' '
	}
	return append(b, ')')
}

// JoinInts writes numbers with a separator between them.
func JoinInts(numbers []int64, separator string) string {
	b := make([]byte, 0, 4*len(numbers))
	for i, n := range numbers {
		if i > 0 {
			b = append(b, separator...)
		}
		b = strconv.AppendInt(b, n, 10)
	}
	return string(b)
}

// SizesText writes sizes as users do, as in 2x3.
func SizesText(sizes []int64) string {
	if len(sizes) == 0 {
		return "no axes"
	}
	return JoinInts(sizes, "x")
}
