package render

import (
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
)

// A Buffer is a buffer for a tensor, and whether it is large enough.
type Buffer struct {
	facts.Buffer
	Tensor layout.Tensor
}

// tree returns the object of the buffer in JSON.
func (b *Buffer) tree() any {
	var first any
	if b.First != nil {
		first = append(Object{{"index", b.First}, {"offset", b.At}}, byteFields(b.Tensor, b.At)...)
	}
	return Object{{"bytes", b.Bytes}, {"need", b.Need}, {"fits", b.First == nil}, {"firstOutside", first}}
}

// bufferLine says whether the buffer of the options, if there is one, holds the tensor. An empty line follows.
func (p *Printer) bufferLine() []string {
	b := p.options.Buffer
	switch {
	case b == nil:
		return nil
	case b.First == nil:
		return []string{"fits into a buffer of " + byteCount(b.Bytes) + ": it needs " + byteCount(b.Need), ""}
	}
	at := "[]"
	if len(b.First) > 0 {
		at = p.position(b.Tensor.Layout(), b.First)
	}
	starts, from := "", ""
	if b.Low < 0 {
		starts, from = ", which starts at offset 0", " from offset "+Group(b.Low)+" on"
	}
	return []string{p.palette.Bad("does not fit") + " into a buffer of " + byteCount(b.Bytes) + starts +
		": it needs " + byteCount(b.Need) + from + "; the first element outside is " + at + ", offset " +
		Group(b.At) + ", byte " + groupWords(ByteText(b.Tensor, b.At)), ""}
}

// byteCount writes a number of bytes, and from 1,024 on a larger unit beside it.
func byteCount(n int64) string {
	words := Counted(n, "byte")
	if about := inUnits(n); about != "" {
		words += " (" + about + ")"
	}
	return words
}

// inUnits writes a number of bytes in the largest unit below it, with one digit after the point: 28.7 MiB. It is empty
// for fewer than 1,024 bytes.
func inUnits(n int64) string {
	const units = "KMGTPE"
	size, unit := float64(n), -1
	for n >= 1024 && (unit < 0 || size >= 1023.95) {
		size /= 1024
		unit++
	}
	if unit < 0 {
		return ""
	}
	return strings.TrimSuffix(strconv.FormatFloat(size, 'f', 1, 64), ".0") + " " + units[unit:unit+1] + "iB"
}
