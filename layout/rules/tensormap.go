package rules

import (
	"fmt"
	"slices"
	"strconv"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// The rules for CUDA tensor maps.
var (
	TMARank          = &finding.Rule{Name: "tma-rank", Severity: finding.Error, Family: finding.TMA}
	TMAStride16      = &finding.Rule{Name: "tma-stride-16", Severity: finding.Error, Family: finding.TMA}
	TMAInner         = &finding.Rule{Name: "tma-inner", Severity: finding.Error, Family: finding.TMA}
	TMANested        = &finding.Rule{Name: "tma-nested", Severity: finding.Warning, Family: finding.TMA}
	TMABox           = &finding.Rule{Name: "tma-box", Severity: finding.Error, Family: finding.TMA}
	TMASwizzle       = &finding.Rule{Name: "tma-swizzle", Severity: finding.Error, Family: finding.TMA}
	TMASize          = &finding.Rule{Name: "tma-size", Severity: finding.Error, Family: finding.TMA}
	TMAAddress       = &finding.Rule{Name: "tma-address", Severity: finding.Error, Family: finding.TMA}
	TMAElementStride = &finding.Rule{Name: "tma-element-stride", Severity: finding.Error, Family: finding.TMA}
	TMAInterleave    = &finding.Rule{Name: "tma-interleave", Severity: finding.Error, Family: finding.TMA}
	TMAPacked        = &finding.Rule{Name: "tma-packed", Severity: finding.Error, Family: finding.TMA}
	TMAOOB           = &finding.Rule{Name: "tma-oob", Severity: finding.Error, Family: finding.TMA}
	TMASmem          = &finding.Rule{Name: "tma-smem", Severity: finding.Note, Family: finding.TMA}
)

// Limits of tensor maps. Strides are in bytes.
const (
	tmaMaxRank   = 5
	tmaMaxSize   = 1 << 32
	tmaMaxStride = 1 << 40
	tmaMaxBox    = 256
	tmaMaxStep   = 8
)

// A mapCheck is a check of a descriptor as a tensor map.
type mapCheck struct {
	*Checker
	m     *descriptor.TensorMap // the zero TensorMap if it is not stated
	of    descriptor.MapType
	typed bool
	unit  int64 // addresses and strides must be multiples of these bytes
}

// checkTMA checks the conditions for a CUDA tensor map, including the strides of axes of
// size 1.
func (c *Checker) checkTMA() {
	t := mapCheck{Checker: c, m: c.d.Map, unit: 16}
	switch {
	case t.m == nil:
		t.m = &noMap
		fallthrough
	case t.m.Bytes == nil:
		if bits := c.bits(); bits > 0 {
			code, _ := descriptor.MapTypeOf(c.d.Type)
			t.of, t.typed = code.Type(), true
			t.of.Bits, t.of.Inner = bits, bits
		}
	default:
		t.of, t.typed = t.m.Type.Type(), true
	}
	if t.m.Interleave == descriptor.MapInterleave32 || t.packs16() {
		t.unit = 32
	}
	n := len(c.d.Sizes)
	if n < 1 || n > tmaMaxRank {
		c.Report(TMARank, c.d.At(descriptor.SizesPart, -1), "", "%s, a tensor map has 1 to 5", wording.Count(n,
			"dimension"))
	}
	if n == 0 {
		return
	}
	t.sizes()
	t.strides()
	t.address()
	if c.d.Map == nil {
		return
	}
	t.modes()
	t.steps()
	if t.m.Box != nil {
		t.box()
	}
}

// noMap is used if no tensor map is stated.
var noMap descriptor.TensorMap

// packs16 reports whether the type stores 16 smaller elements in 16 bytes.
func (t *mapCheck) packs16() bool {
	return t.m.Bytes != nil && (t.m.Type == descriptor.MapU4Align16 || t.m.Type == descriptor.MapU6Align16)
}

// interleaved reports whether the map has an interleave mode.
func (t *mapCheck) interleaved() bool { return t.m.Interleave != 0 }

// sizes checks the sizes.
func (t *mapCheck) sizes() {
	for i, n := range t.d.Sizes {
		if n == 0 || n > tmaMaxSize {
			t.Report(TMASize, t.d.At(descriptor.SizesPart, i), "", "size %d of %s: a tensor map has 1 to 4294967296", n,
				t.dim(i))
		}
	}
	inner := len(t.d.Sizes) - 1
	switch n := t.d.Sizes[inner]; {
	case n <= 0 || t.m.Bytes == nil:
	case t.packs16() && n%128 != 0:
		t.Report(TMAPacked, t.d.At(descriptor.SizesPart, inner), fmt.Sprintf("pad it to %s", multiple(n, 128)),
			"size %d of the last dimension: %s needs a multiple of 128", n, t.d.TypeName)
	case t.m.Type == descriptor.MapU4Align8 && n%2 != 0:
		t.Report(TMAPacked, t.d.At(descriptor.SizesPart, inner), fmt.Sprintf("pad it to %s", multiple(n, 2)),
			"size %d of the last dimension: %s needs an even size", n, t.d.TypeName)
	}
}

// multiple returns the smallest multiple of a unit that is at least n.
func multiple(n, unit int64) string {
	factors := [...]int64{layout.CeilDiv(n, unit), unit}
	return product(factors[:])
}

// strides checks the strides.
func (t *mapCheck) strides() {
	for i, n := range t.m.Bytes {
		t.stride(i, n)
	}
	if !t.regular() || t.m.Bytes != nil && t.d.Strides == nil {
		return
	}
	last := len(t.geometry.strides) - 1
	if s := t.geometry.strides[last]; s != 1 && t.d.Sizes[last] > 1 {
		t.Report(TMAInner, t.d.At(descriptor.StridesPart, last), "the last dimension must be the one of stride 1",
			"stride %d of the last dimension: a tensor map has 1 there", s)
	}
	if t.m.Bytes == nil {
		for i, s := range t.geometry.strides[:last] {
			t.stride(i, s)
		}
	}
	t.nesting()
}

// stride checks a stride as stated, in bytes or in elements.
func (t *mapCheck) stride(i int, s int64) {
	at, bits, shown := t.d.At(descriptor.StridesPart, i), t.of.Bits, strconv.FormatInt(s, 10)
	if t.m.Bytes != nil {
		bits, shown = 8, wording.Count(s, "byte")
	}
	all, err := layout.Mul(s, bits)
	switch {
	case s < 0:
		t.Report(TMAStride16, at, "list the rows in the order of memory",
			"stride %s of %s: the strides of a tensor map are unsigned", shown, t.dim(i))
	case !t.typed:
	case err != nil || all >= tmaMaxStride*8:
		t.Report(TMASize, at, "", "stride %s of %s: strides of a tensor map are below 1099511627776 bytes", shown,
			t.dim(i))
	case all%(t.unit*8) != 0:
		rule := TMAStride16
		if all%(16*8) == 0 {
			rule = TMASize
		}
		t.Report(rule, at, fmt.Sprintf("a multiple of %d", max(t.unit*8/bits, 1)),
			"stride %s of %s is not a multiple of %s%s", shown, t.dim(i), wording.Count(t.unit, "byte"), t.why())
	}
}

// dim names an axis, which the driver counts starting at the innermost.
func (t *mapCheck) dim(i int) string {
	if t.m.Bytes != nil {
		return "the driver's dimension " + strconv.Itoa(len(t.d.Sizes)-1-i)
	}
	return "dimension " + strconv.Itoa(i)
}

// why returns the reason why the unit is 32 bytes.
func (t *mapCheck) why() string {
	switch {
	case t.unit == 16:
		return ""
	case t.packs16():
		return ", as " + t.d.TypeName + " wants it"
	}
	return ", as interleaving by 32B wants it"
}

// address checks the address of the first element, or its offset.
func (t *mapCheck) address() {
	a, bits := t.m.Address, max(t.of.Bits, 1)
	if !a.Stated {
		unit := max(t.unit*8/bits, 1)
		if t.typed && t.d.Base%unit != 0 {
			t.Report(TMAStride16, t.d.At(descriptor.BasePart, -1), fmt.Sprintf("a multiple of %d", unit),
				"the first element, at offset %d, is not at a multiple of %s", t.d.Base, wording.Count(t.unit, "byte"))
		}
		return
	}
	base, err := layout.Mul(t.d.Base, bits)
	first, err2 := layout.Add(a.Value, base/8)
	switch {
	case err != nil || err2 != nil: // offset-range and similar rules report it
	case a.Value == 0:
		t.Report(TMAAddress, t.d.At(descriptor.AddressPart, -1), "the address of the tensor in global memory",
			"the address is 0")
	case first%t.unit != 0:
		t.Report(TMAAddress, t.d.At(descriptor.AddressPart, -1), fmt.Sprintf("0x%x is one",
			(first+t.unit-1)/t.unit*t.unit),
			"the first element is at address 0x%x, not at a multiple of %s%s", first, wording.Count(t.unit, "byte"),
			t.why())
	}
}

// modes checks interleaving, swizzle and fill.
func (t *mapCheck) modes() {
	m := t.m
	swizzle := descriptor.MapSwizzles.Name(m.Swizzle)
	if n := len(t.d.Sizes); t.interleaved() && n < 3 {
		t.Report(TMAInterleave, t.d.At(descriptor.InterleavePart, -1), "no interleaving, or more dimensions",
			"%s: a tensor map that is interleaved has 3 or more", wording.Count(n, "dimension"))
	}
	if m.Interleave == descriptor.MapInterleave32 && m.Swizzle != descriptor.MapSwizzle32 {
		t.Report(TMAInterleave, t.d.At(descriptor.SwizzlePart, -1), "swizzle 32B",
			"swizzle %s: interleaving by 32B goes with swizzle 32B only", swizzle)
	}
	isAllowed := m.Swizzle == 0 || m.Swizzle == descriptor.MapSwizzle128 || m.Swizzle == descriptor.MapSwizzleAtom32 ||
		m.Swizzle == descriptor.MapSwizzleAtom64 && m.Type == descriptor.MapU6Align16
	if t.packs16() && !isAllowed {
		t.Report(TMAPacked, t.d.At(descriptor.SwizzlePart, -1), "NONE, 128B or 128B_ATOM_32B",
			"swizzle %s does not go with %s", swizzle, t.d.TypeName)
	}
	if m.Fill == 0 || !t.typed || t.of.Float {
		return
	}
	t.Report(TMAOOB, t.d.At(descriptor.FillPart, -1), "oobFill NONE, which fills with 0",
		"elements out of bounds cannot be NaN: %s is not a floating type of tensor maps", t.typeName())
}

// steps checks the element strides. The innermost only counts if the map is interleaved.
func (t *mapCheck) steps() {
	steps, n := t.m.Steps, len(t.d.Sizes)
	if steps != nil && len(steps) != n {
		t.Report(TMAElementStride, t.d.At(descriptor.ElementStridesPart, -1), "one for each size",
			"%s for %s", wording.Count(len(steps), "element stride"), wording.Count(n, "size"))
		return
	}
	for i, s := range steps {
		if i == n-1 && !t.interleaved() {
			if s != 1 && s != 0 {
				t.ReportAs(TMAElementStride, finding.Warning, t.d.At(descriptor.ElementStridesPart, i), "1",
					"element stride %d of the last dimension is ignored unless the map is interleaved", s)
			}
			continue
		}
		if s < 1 || s > tmaMaxStep {
			t.Report(TMAElementStride, t.d.At(descriptor.ElementStridesPart, i), "",
				"element stride %d of %s: 1 to 8 are allowed", s, t.dim(i))
		}
	}
}

// box checks the box, and describes the layout of the tile in shared memory.
func (t *mapCheck) box() {
	box, n := t.m.Box, len(t.d.Sizes)
	if len(box) != n {
		t.Report(TMABox, t.d.At(descriptor.BoxPart, -1), "one for each size", "the box has %s for %s",
			wording.Count(len(box), "size"), wording.Count(n, "size"))
		return
	}
	isRight := true
	for i, b := range box {
		if b < 1 || b > tmaMaxBox {
			isRight = false
			t.Report(TMABox, t.d.At(descriptor.BoxPart, i), "", "size %d of the box in %s: 1 to 256 are allowed", b,
				t.dim(i))
		}
	}
	inner := box[n-1]
	_, _, most := descriptor.MapSwizzle(t.m.Swizzle)
	bits := inner * t.of.Inner
	switch at := t.d.At(descriptor.BoxPart, n-1); {
	case !isRight || !t.typed:
		return
	case t.packs16() && inner != 128:
		t.Report(TMAPacked, at, "128", "the last size of the box is %d: %s needs 128", inner, t.d.TypeName)
		return
	case t.interleaved():
		return
	case bits%128 != 0:
		t.Report(TMABox, at, fmt.Sprintf("a multiple of %d", max(128/t.of.Inner, 1)),
			"the rows of the box have %s, not a multiple of 16 bytes", wording.Bits(bits))
		return
	case most > 0 && bits > most*8:
		t.Report(TMASwizzle, at, fmt.Sprintf("%d is the most with it", most*8/t.of.Inner),
			"the rows of the box have %s, swizzle %s has rows of at most %d", wording.Bits(bits),
			descriptor.MapSwizzles.Name(t.m.Swizzle), most)
		return
	}
	if t.WantsRule(TMASmem) {
		t.Report(TMASmem, t.d.At(descriptor.BoxPart, -1), "", "%s", t.tile())
	}
}

// tile describes the layout of the box in shared memory. With element strides, it has only every n-th element.
func (t *mapCheck) tile() string {
	sizes := slices.Clone(t.m.Box)
	for i, s := range t.m.Steps[:min(len(t.m.Steps), len(sizes)-1)] {
		sizes[i] = layout.CeilDiv(sizes[i], max(s, 1))
	}
	strides, elements := descriptor.RowMajor(nil, sizes)
	text := "(" + layout.JoinInts(sizes, ",") + "):(" + layout.JoinInts(strides, ",") + ")"
	mode, repeats := descriptor.MapSwizzles.Name(t.m.Swizzle), ""
	swizzle, known, _ := descriptor.MapSwizzle(t.m.Swizzle)
	over, err := swizzle.Recast(8, t.of.Inner)
	switch {
	case !known || err != nil:
		text = mode + " of " + text
	case swizzle.Bits > 0:
		text = over.String() + " o 0 o " + text
		repeats = fmt.Sprintf("; the pattern of swizzle %s repeats after %s", mode, wording.Count(swizzle.Period(),
			"byte"))
	}
	return fmt.Sprintf("the shared tile is %s, %s, aligned to 128 bytes%s", text,
		wording.Bits(elements*t.of.Inner), repeats)
}

// nesting finds an axis with a stride smaller than the range of the next axis, which Triton does not allow.
func (t *mapCheck) nesting() {
	var next [2]int64 // the stride and the size of the next dimension
	for i, n := range slices.Backward(t.d.Sizes) {
		if n == 1 {
			continue
		}
		s := t.geometry.strides[i]
		if s < 0 {
			return // has been reported
		}
		if least, err := layout.ProductOf(next[:]); err != nil || s < least {
			t.Report(TMANested, t.d.At(descriptor.StridesPart, i), fmt.Sprintf("%s is enough", product(next[:])),
				"stride %d of %s is less than the next dimension's stride times its size, %s",
				s, t.dim(i), product(next[:]))
			return
		}
		next = [...]int64{max(s, 1), n}
		if s == 0 {
			next[1] = 1
		}
	}
}
