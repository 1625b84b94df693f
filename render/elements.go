package render

import (
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

// elementsCSV writes the rows that Offsets would, a few times faster: all but the last number
// of an index is written once for as long as it stays.
func (p *Printer) elementsCSV(t layout.Tensor) error {
	p.w.csvRow(append(axisNames(t.Layout()), "offset", "byteOffset"))
	var outer []byte
	whole, last := t.DType().Bits()%8 == 0, t.Layout().Rank()-1
	for index, offset := range t.Layout().All() {
		row := p.w.buf.AvailableBuffer()
		if last >= 0 {
			if index[last] == 0 {
				outer = appendInts(outer[:0], index[:last])
			}
			row = append(strconv.AppendInt(append(row, outer...), index[last], 10), ',')
		}
		row = append(strconv.AppendInt(row, offset, 10), ',')
		if whole {
			row = strconv.AppendInt(row, offset*(t.DType().Bits()/8), 10)
		} else {
			row = append(row, byteText(t, offset)...)
		}
		if _, err := p.w.buf.Write(append(row, '\n')); err != nil {
			break
		}
	}
	return p.Flush()
}

// appendInts appends numbers, each with a comma behind it.
func appendInts(b []byte, list []int64) []byte {
	for _, n := range list {
		b = append(strconv.AppendInt(b, n, 10), ',')
	}
	return b
}
