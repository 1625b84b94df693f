package rules

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// directML reports whether the target has DirectML's rules.
func (g *geometry) directML() bool { return g.target.Family == finding.DirectML }

// base returns the storage offset. For DirectML descriptors it is 0, because all their offsets count from the start of
// the binding.
func (g *geometry) base() int64 {
	if g.directML() {
		return 0
	}
	return g.d.Base
}

// bits returns the bits of an element, or 0 if they are unknown.
func (g *geometry) bits() int64 {
	if !g.d.TypeKnown {
		return 0
	}
	return g.d.Type.Bits()
}

// unit returns the number of bytes that a total is a multiple of.
func (g *geometry) unit() int64 {
	if g.directML() {
		return 4
	}
	return 1
}

// measured reports whether the need follows from the descriptor.
func (g *geometry) measured() bool {
	if !g.sized || g.bits() == 0 || g.directML() && (g.empty || g.backwards) {
		return false
	}
	return g.reached || g.strided || g.d.Strides == nil && g.d.Layout == ""
}

// need returns the number of bytes from the start of the storage, or from the first element if that is before it, to
// the end of the last one. DirectML rounds it up to a multiple of 4. It reports false if the need does not follow from
// the descriptor or does not fit in 64 bits.
func (g *geometry) need() (bytes int64, ok bool) {
	if !g.reached || !g.measured() {
		return bytes, false
	}
	bytes, bits, ok := g.length(g.high - min(g.low, 0) + 1)
	if bits != 0 {
		bytes++ // fits in 64 bits: elements of less than a byte need less than one byte each
	}
	bytes, err := layout.AlignUp(bytes, g.unit())
	return bytes, ok && err == nil
}

// exactElements returns the number of elements that the storage must have, without the limit of 64 bits.
func (g *geometry) exactElements() *big.Int {
	low, high := g.bounds()
	if low.Sign() == -1 {
		high.Sub(high, low)
	}
	return high.Add(high, big.NewInt(1))
}

// exactNeed is like need, but without the limit of 64 bits.
func (g *geometry) exactNeed() *big.Int {
	if g.directML() {
		return layout.ExactBuffer(g.d.Type, g.exactElements())
	}
	return layout.ExactBytes(g.d.Type, g.exactElements())
}

// bounds returns the lowest and the highest offset, without the limit of 64 bits.
func (g *geometry) bounds() (low, high *big.Int) {
	switch {
	case g.reached:
		return big.NewInt(g.low), big.NewInt(g.high)
	case g.strided:
		return layout.ExactBounds(g.base(), g.d.Sizes, g.strides)
	}
	last, _ := new(big.Int).SetString(product(g.d.Sizes), 10)
	last.Sub(last, big.NewInt(1))
	return big.NewInt(g.base()), last.Add(last, big.NewInt(g.base()))
}

// helper returns the result of DirectML's DMLCalcBufferTensorSize for a message, or an empty string if it is right or
// cannot be computed.
func (g *geometry) helper() string {
	if g.bits() == 0 || g.d.Strides == nil {
		return ""
	}
	l, err := layout.Strided(0, g.d.Sizes, g.d.Strides)
	t, other := layout.NewTensor(l, g.d.Type)
	if err != nil || other != nil {
		return ""
	}
	answer, differs := analysis.DirectMLHelper(t)
	switch {
	case !differs:
		return ""
	case answer.G2019 == answer.G2024 && answer.G2022 == answer.G2024:
		return fmt.Sprintf("; DMLCalcBufferTensorSize answers %d", answer.G2024)
	}
	return fmt.Sprintf("; DMLCalcBufferTensorSize of 2019, 2022 and 2024 answers %d, %d and %d",
		answer.G2019, answer.G2022, answer.G2024)
}

// asBytes returns the bytes that the tensor needs if its strides count bytes, or 0 if they do not look like that. They
// do if they are packed after division by the size of an element, or if the stated total proves it.
func (g *geometry) asBytes() (need int64, proven bool) {
	size := g.bits() / 8
	if !g.reached || size <= 1 || len(g.moving) == 0 || g.base() != 0 || g.moving[0].Stride != size ||
		slices.ContainsFunc(g.moving, func(r layout.Run) bool { return r.Stride%size != 0 }) {
		return need, false
	}
	need, err := layout.Add(g.high-g.low, size+g.unit()-1)
	if err != nil {
		return 0, false
	}
	need -= need % g.unit()
	stated := g.d.Total.Value
	enough, ok := g.need()
	proven = need <= stated && (!ok || stated < enough)
	if !proven && !g.scaled(size) {
		need = 0
	}
	return need, proven
}

// total returns the bytes of the tensor for DirectML: the stated total, or else the need.
func (g *geometry) total(d *descriptor.Descriptor) (bytes int64, ok bool) {
	if d.Total.Value != 0 {
		return d.Total.Value, d.Total.Value > 0
	}
	g.setDescriptor(d)
	return g.need()
}

// least returns the bytes that a tensor needs, regardless of the stated total, or 0 if they are unknown.
func (g *geometry) least(d *descriptor.Descriptor) int64 {
	g.setDescriptor(d)
	bytes, _ := g.need()
	return bytes
}

// length returns the size of a number of elements as bytes and remaining bits. It reports false if the size of an
// element is unknown, or if the bytes do not fit in 64 bits.
func (g *geometry) length(elements int64) (bytes, bits int64, ok bool) {
	size := g.bits()
	bytes, err := layout.Mul(elements/8, size)
	if err == nil {
		bytes, err = layout.Add(bytes, elements%8*size/8)
	}
	return bytes, elements % 8 * size % 8, err == nil && size != 0 && elements >= 0
}

// where describes an offset, in elements and in bytes.
func (g *geometry) where(offset int64) string {
	bytes, bits, ok := g.length(offset)
	switch {
	case !ok:
		return fmt.Sprintf("element %d", offset)
	case g.bits()%8 != 0:
		return fmt.Sprintf("element %d (byte %d, bit %d)", offset, bytes, bits)
	}
	return fmt.Sprintf("element %d (byte %d)", offset, bytes)
}

// inBytes returns the size of a number of elements in parentheses, or an empty string if it is unknown.
func (g *geometry) inBytes(elements int64) string {
	bytes, bits, ok := g.length(elements)
	switch {
	case !ok || elements == 0:
		return ""
	case bits != 0:
		return fmt.Sprintf(" (%s bits)", product([]int64{elements, g.bits()}))
	}
	return fmt.Sprintf(" (%s)", wording.Count(bytes, "byte"))
}

// product formats the product of numbers, without the limit of 64 bits.
func product(numbers []int64) string {
	n, err := layout.ProductOf(numbers)
	if e, ok := err.(*layout.OverflowError); ok {
		return e.Exact.String()
	}
	return strconv.FormatInt(n, 10)
}

// typeName returns the element type for messages.
func (g *geometry) typeName() string {
	if !g.d.TypeKnown {
		return wording.Clip(g.d.TypeName)
	}
	if name := g.d.Type.In(layout.DirectML); g.directML() && name != "" {
		return name
	}
	return g.d.Type.String()
}

// reckoning shows the calculation of the need.
func (g *geometry) reckoning() string {
	elements, size := g.exactElements(), g.bits()
	if elements.Sign() == 0 {
		return "no elements"
	}
	bytes := layout.ExactBytes(g.d.Type, elements)
	low, high := g.bounds()
	text := fmt.Sprintf("last element %v", high)
	if low.Sign() == -1 {
		text = fmt.Sprintf("elements %v to %v", low, high)
	}
	text += fmt.Sprintf(", %s, %v x ", g.typeName(), elements)
	if size%8 == 0 {
		text += fmt.Sprintf("%d = %v", size/8, bytes)
	} else {
		text += fmt.Sprintf("%s = %s", wording.Count(size, "bit"), wording.Count(bytes, "byte"))
	}
	if g.exactNeed().Cmp(bytes) != 0 {
		text += ", rounded up to 4"
	}
	return text
}

// totalName returns the name of the total for messages.
func (g *geometry) totalName() string {
	if g.directML() {
		return "TotalTensorSizeInBytes"
	}
	return "total bytes"
}
