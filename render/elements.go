package render

import (
	"math/bits"
	"strconv"

	"layoutcalc/layout"
)

// Elements writes the offset of every element in row-major order.
func (p *Printer) Elements(t layout.Tensor) error {
	if p.options.Format == CSV && p.options.Get == "" {
		return p.elementsCSV(t)
	}
	return p.Offsets(t, func(yield func([]int64, error) bool) {
		for index := range t.Layout().All() {
			if !yield(index, nil) {
				return
			}
		}
	})
}

// elementsCSV writes the rows that Offsets would, several times faster: all but the last number
// of an index is written once for as long as it stays, and rows are gathered in a buffer that
// has room for the longest.
func (p *Printer) elementsCSV(t layout.Tensor) error {
	p.w.csvRow(append(axisNames(t.Layout()), "offset", "byteOffset"))
	rank, bytes := t.Layout().Rank(), t.DType().Bits()/8
	longest := (rank + 3) * len("-9223372036854775808,")
	buf := make([]byte, 0, 32<<10+longest)
	var outer []byte
	for index, offset := range t.Layout().All() {
		if rank > 0 {
			last := index[rank-1]
			if last == 0 {
				outer = appendInts(outer[:0], index[:rank-1])
			}
			buf = append(appendInt(append(buf, outer...), last), ',')
		}
		buf = append(appendInt(buf, offset), ',')
		if t.DType().Bits()%8 == 0 {
			buf = append(appendInt(buf, offset*bytes), '\n')
		} else {
			buf = append(append(buf, byteText(t, offset)...), '\n')
		}
		if cap(buf)-len(buf) < longest {
			if _, err := p.w.Write(buf); err != nil {
				return p.Flush()
			}
			buf = buf[:0]
		}
	}
	p.w.Write(buf)
	return p.Flush()
}

// appendInts appends numbers, each with a comma behind it.
func appendInts(b []byte, list []int64) []byte {
	for _, n := range list {
		b = append(appendInt(b, n), ',')
	}
	return b
}

// pairs are the decimal digits of 0 to 99.
const pairs = "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899"

// powers are those of ten.
var powers = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// appendInt is strconv.AppendInt, but writes the digits of a number right where they belong in
// a buffer that has room for them.
func appendInt(b []byte, n int64) []byte {
	if n < 10 || cap(b)-len(b) < len(powers)+1 {
		return strconv.AppendInt(b, n, 10)
	}
	left := uint64(n)
	width := (bits.Len64(left) * 1233) >> 12 // log10(2) is 1233/4096; it may be one too few
	if left >= powers[min(width, len(powers)-1)] && width < len(powers) {
		width++
	}
	b = b[:len(b)+width]
	at := len(b)
	for ; left >= 100; left /= 100 {
		at -= 2
		copy(b[at:at+2], pairs[left%100*2:])
	}
	if left >= 10 {
		copy(b[at-2:at], pairs[left*2:])
	} else {
		b[at-1] = byte('0' + left)
	}
	return b
}
