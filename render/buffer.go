package render

import (
	"fmt"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/wording"
)

// A Buffer is a buffer for a tensor, and whether it is large enough. Need is the number of bytes that the system
// allocates, if there is a system.
type Buffer struct {
	analysis.Buffer
	Tensor layout.Tensor
	For    string // the system, or empty
}

// Fits reports whether the buffer is large enough.
func (b *Buffer) Fits() bool { return b.First == nil && b.Need <= b.Bytes }

// tree returns the object of the buffer in JSON.
func (b *Buffer) tree() any {
	var first any
	if b.First != nil {
		first = append(Object{{"index", b.First}, {"offset", b.At}}, byteFields(b.Tensor, b.At)...)
	}
	return Object{{"bytes", b.Bytes}, {"need", b.Need}, {"fits", b.Fits()}, {"firstOutside", first}}
}

// Short describes in one line how much the buffer lacks.
func (b *Buffer) Short() string {
	needs, has := wording.Count(b.Need, "byte")+b.whose(), strconv.FormatInt(b.Bytes, 10)
	if b.Low < 0 {
		needs, has = fmt.Sprintf("%s from offset %d on", needs, b.Low), has+" from offset 0 on"
	}
	text := fmt.Sprintf("the tensor needs %s, and the buffer has %s", needs, has)
	if b.First != nil {
		text += fmt.Sprintf(": the element [%s] at offset %d is outside", layout.JoinInts(b.First, ", "), b.At)
	}
	return text
}

// whose names the system that needs the bytes.
func (b *Buffer) whose() string {
	if b.For == "" {
		return ""
	}
	return " for " + b.For
}

// bufferLine states whether the buffer in the options, if there is one, holds the tensor. An empty line follows.
func (p *Printer) bufferLine() []string {
	b := p.options.Buffer
	if b == nil {
		return nil
	}
	need := "it needs " + byteCount(b.Need) + b.whose()
	switch {
	case b.Fits():
		return []string{"fits into a buffer of " + byteCount(b.Bytes) + ": " + need, ""}
	case b.First == nil:
		return []string{p.palette.Bad("does not fit") + " into a buffer of " + byteCount(b.Bytes) + ": " + need, ""}
	}
	at := "[]"
	if len(b.First) > 0 {
		at = p.position(b.Tensor.Layout(), b.First)
	}
	starts, from := "", ""
	if b.Low < 0 {
		starts, from = ", which starts at offset 0", " from offset "+Group(b.Low)+" on"
	}
	return []string{p.palette.Bad("does not fit") + " into a buffer of " + byteCount(b.Bytes) + starts + ": " + need +
		from + "; the first element outside is " + at + ", offset " + Group(b.At) + ", byte " +
		groupWords(ByteText(b.Tensor, b.At)), ""}
}

// byteCount formats a number of bytes, starting at 1,024 with a larger unit next to it.
func byteCount(n int64) string {
	words := Counted(n, "byte")
	if about := inUnits(n); about != "" {
		words += " (" + about + ")"
	}
	return words
}

// inUnits formats a number of bytes in the largest suitable unit, with one decimal: 28.7 MiB. It returns an empty
// string for fewer than 1,024 bytes.
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
