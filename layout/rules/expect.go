package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/scan"
	"layoutcalc/layout/shape"
)

// An Expectation says what a tensor has to be like.
type Expectation struct {
	Tensor    int    // which of the tensors
	Layout    string // the name of the layout that its strides follow; empty for any
	Packed    facts.Verdict
	MaxBytes  Number
	Bytes     Number
	Strides   []int64 // nil for any
	SameAs    int     // the tensor whose layout it has; negative for none
	DType     string  // the element type; empty for any
	Rank      Number
	Sizes     []ExpectedSize // nil for any
	Divisors  []Divisor
	RowPitch  Number // in bytes, as are the next two
	RowAlign  Number
	BaseAlign Number
	At        Expected
}

// An ExpectedSize is a size, any size (AnySize), or a name that stands for the same size wherever it is.
type ExpectedSize struct {
	Name string
	Size int64
}

// A Divisor is what the size of an axis has to be a multiple of. The axis is a letter or a position.
type Divisor struct {
	Axis string
	By   int64
}

// An Expected knows the places of what a tensor is compared with.
type Expected interface {
	// Place returns the place of what the rule compares the tensor with, of its item where that is not negative.
	Place(rule ID, item int) Place
}

// An expectation is one with the tensor that it is about.
type expectation struct {
	*Expectation
	c    *Checker
	g    *Config
	d    *Descriptor
	have layout.Tensor
}

// check compares the tensor with all that is expected of it.
func (e *expectation) check() {
	if e.Layout != "" {
		e.layout()
	}
	if e.Packed != facts.Unknown {
		e.packed()
	}
	e.size()
	e.rows()
	e.start()
	if e.Strides != nil {
		e.strides()
	}
	if e.SameAs >= 0 {
		other := &e.g.Tensors[e.SameAs]
		if text := differentSizes(e.d, other); text != "" {
			e.find(ExpectSameAs, Error, "", "%s", text)
		} else if text := e.c.differentOffsets(e.d, other); text != "" {
			e.find(ExpectSameAs, Error, "", "%s", text)
		}
	}
}

// find reports that an expectation is not met.
func (e *expectation) find(id ID, s Severity, fix, format string, args ...any) {
	e.findAt(id, id, s, fix, format, args...)
}

// findAt reports something at the place of what another rule compares the tensor with.
func (e *expectation) findAt(at, id ID, s Severity, fix, format string, args ...any) {
	e.findItem(at, -1, id, s, fix, format, args...)
}

// findItem is findAt for an item of what the tensor is compared with.
func (e *expectation) findItem(at ID, item int, id ID, s Severity, fix, format string, args ...any) {
	if e.c.wants(id, s) {
		message := fmt.Sprintf(format, args...)
		place := e.At.Place(at, item)
		e.c.Add(Finding{Rule: id, Severity: s, Place: place, Tensor: e.d.Name, Message: message, Fix: fix})
	}
}

// A sizeOf is the size that a name stands for, and the tensor that has it.
type sizeOf struct {
	size   int64
	tensor string
}

// statement compares what the tensor states: type, sizes, and how many there are. The sizes that names stand for are in
// open.
func (e *expectation) statement(open map[string]sizeOf) {
	if e.DType != "" {
		e.dtype()
	}
	if n := len(e.d.Sizes); e.Rank.Stated && e.Rank.Value != int64(n) {
		e.find(ExpectRank, Error, "", "the tensor has %s, %d are expected: %s", scan.Count(n, "size"), e.Rank.Value,
			list(e.d.Sizes))
	}
	if e.Sizes != nil {
		e.sizes(open)
	}
	for i := range e.Divisors {
		e.divisor(i)
	}
}

// dtype compares the element type with the expected one, which may be a type that only the file knows.
func (e *expectation) dtype() {
	want, err := layout.ParseDType(e.DType)
	switch {
	case strings.EqualFold(e.DType, e.d.TypeName), err == nil && e.d.TypeKnown && want == e.d.Type:
	case err != nil:
		e.findAt(ExpectDType, ConfigValue, Error, hintOf(err), "%s", err)
	default:
		e.find(ExpectDType, Error, "", "the type is %s, %s is expected", e.d.elementType(), scan.Clip(e.DType))
	}
}

// sizes compares the sizes with the expected ones. A name has one size wherever it is.
func (e *expectation) sizes(open map[string]sizeOf) {
	if len(e.Sizes) != len(e.d.Sizes) {
		e.find(ExpectSizes, Error, "", "%s are %s, %d are expected", list(e.d.Sizes),
			scan.Count(len(e.d.Sizes), "size"), len(e.Sizes))
		return
	}
	for i, want := range e.Sizes {
		have := e.d.Sizes[i]
		of, bound := open[want.Name]
		switch {
		case want.Name == "" && (want.Size == AnySize || want.Size == have):
		case want.Name == "":
			e.findItem(ExpectSizes, i, ExpectSizes, Error, "", "size %d is %d, %d is expected: %s", i, have, want.Size,
				list(e.d.Sizes))
		case !bound:
			open[want.Name] = sizeOf{have, e.d.Name}
		case of.size != have:
			e.findItem(ExpectSizes, i, ExpectSizes, Error, "", "size %d is %d, and %s is %d in %s", i, have,
				scan.Clip(want.Name), of.size, scan.Clip(of.tensor))
		}
	}
}

// axisNames returns what the axes of the tensor are called, and whether by the text: else by DirectML.
func (e *expectation) axisNames() (names []string, stated bool) {
	if e.d.Layout != "" {
		if t, err := e.c.geometry.tensors.named(e.d); err == nil && t.Layout().Named() {
			return t.Layout().AxisNames(), true
		}
	}
	if e.d.Axes != nil {
		return e.d.Axes, true
	}
	return shape.AxisNames(len(e.d.Sizes)), false
}

// divisor checks whether the size of an axis is a multiple of what is expected. The axis is a letter, or its position,
// a negative one from the end.
func (e *expectation) divisor(i int) {
	x, rank := e.Divisors[i], len(e.d.Sizes)
	names, _ := e.axisNames()
	axis, err := strconv.Atoi(x.Axis)
	if axis < 0 {
		axis += rank
	}
	if err != nil {
		axis = slices.Index(names, x.Axis)
	}
	switch {
	case axis < 0 || axis >= rank:
		text := "the tensor has no axis " + scan.Clip(x.Axis) + ", but " + scan.Count(rank, "size")
		if names != nil {
			text += ": " + strings.Join(names, ", ")
		}
		e.findItem(ExpectDivisible, i, ConfigValue, Error, "", "%s", text)
	case e.d.Sizes[axis]%x.By != 0:
		least, _ := layout.AlignUp(e.d.Sizes[axis], x.By)
		e.findItem(ExpectDivisible, i, ExpectDivisible, Error, fixf("%d would be", least),
			"size %d is %d, which is not a multiple of %d", axis, e.d.Sizes[axis], x.By)
	}
}

// rows compares how far rows are apart.
func (e *expectation) rows() {
	if !e.RowPitch.Stated && !e.RowAlign.Stated {
		return
	}
	axis, stride, why := e.pitch()
	if axis < 0 && why == "" {
		if e.RowPitch.Stated {
			e.find(ExpectRowPitch, Note, "", "there is one row: how far rows are apart is not compared")
		}
		return
	}
	bits, err := layout.Mul(stride, e.d.Type.Bits())
	ok := e.d.TypeKnown && bits > 0 && err == nil
	whole := ok && bits%8 == 0
	pitch, align := e.RowPitch, e.RowAlign
	pitch.Stated = pitch.Stated && !(whole && bits/8 == pitch.Value)
	align.Stated = align.Stated && !(whole && bits/8%align.Value == 0)
	if !pitch.Stated && !align.Stated {
		return // both are as expected
	}
	if why == "" {
		why = fmt.Sprintf("rows, which follow each other along axis %d, are %s apart", axis,
			scan.Count(stride, "element"))
	}
	if ok {
		why += inBits(bits)
	}
	if n := pitch.Value; pitch.Stated {
		e.findKnown(e.d.TypeKnown, ExpectRowPitch, "", "%s, %s are expected", why, scan.Count(n, "byte"))
	}
	if n := align.Value; align.Stated {
		e.findKnown(e.d.TypeKnown, ExpectRowAlign, "", "%s, a multiple of %s is expected", why, scan.Count(n, "byte"))
	}
}

// pitch returns the axis along which rows follow each other, and how far they are apart: H of an image, of others the
// axis with the second smallest stride; a negative axis, and why, if there is none.
func (e *expectation) pitch() (axis int, stride int64, why string) {
	names, stated := e.axisNames()
	if axis = slices.Index(names, "H"); axis >= 0 && slices.Contains(names, "W") && (stated || len(names) >= 4) {
		stride, ok := e.have.Layout().Axis(axis).Stride()
		switch {
		case e.d.Sizes[axis] <= 1:
			return -1, 0, ""
		case !ok:
			return -1, 0, "rows are in blocks"
		}
		return axis, max(stride, -stride), ""
	}
	strides, ok := e.have.Layout().Strides()
	if !ok {
		return -1, 0, "the tensor is made of blocks, and has no axes H and W: it has no rows"
	}
	type row struct {
		stride int64
		axis   int
	}
	var rows []row
	same := -1 // the innermost axis along which rows are the same
	for i, n := range strides {
		switch {
		case e.d.Sizes[i] <= 1:
		case n != 0:
			rows = append(rows, row{max(n, -n), i})
		default:
			same = i
		}
	}
	switch {
	case len(rows) < 2 && e.RowPitch.Stated:
		return same, 0, ""
	case len(rows) < 2: // one place is aligned with itself
		return -1, 0, ""
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.stride, b.stride) })
	return rows[1].axis, rows[1].stride, ""
}

// start compares where the first element is with an alignment in bytes.
func (e *expectation) start() {
	n := e.BaseAlign.Value
	if !e.BaseAlign.Stated {
		return
	}
	if a := e.d.Alignment; a.Stated && (a.Value == 0 || a.Value%n != 0) {
		e.find(ExpectBaseAlign, Error, "", "the buffer is at a multiple of %s, a multiple of %d is expected",
			scan.Count(a.Value, "byte"), n)
		return
	}
	bits, err := layout.Mul(e.d.Base, e.d.Type.Bits())
	if known := e.d.TypeKnown && err == nil || e.d.Base == 0; !known || bits%8 != 0 || bits/8%n != 0 {
		e.findKnown(known, ExpectBaseAlign, "", "the first element is %s after the start of the buffer%s, "+
			"a multiple of %s is expected", scan.Count(e.d.Base, "element"), inBits(bits), scan.Count(n, "byte"))
	}
}

// layout compares the tensor with one of the same sizes that has the expected layout, wherever it starts.
func (e *expectation) layout() {
	want, err := e.c.geometry.tensors.unstrided(&Descriptor{Sizes: e.d.Sizes, Layout: e.Layout})
	if err != nil {
		e.findAt(ExpectLayout, ConfigValue, Error, hintOf(err), "%s", err)
		return
	}
	have, err := unnamed(e.have.Layout(), 0)
	if err != nil {
		return
	}
	d, err := facts.Compare(have, want)
	if err != nil || d == nil {
		return
	}
	fix := "layout: " + e.Layout
	if strides, ok := want.Strides(); ok && e.d.Strides != nil {
		fix = "strides: " + list(strides)
	}
	e.find(ExpectLayout, Error, fix, "element %s is %d after the first, in %s it is %d: %s, %s has %s",
		tuple(d.Index), d.A, scan.Clip(e.Layout), d.B, stridesOf(have), scan.Clip(e.Layout), stridesOf(want))
}

// stridesOf writes the strides of a layout, or that it has none.
func stridesOf(l layout.Layout) string {
	if strides, ok := l.Strides(); ok {
		return "strides " + list(strides)
	}
	return "blocks"
}

// packed compares whether the tensor is packed.
func (e *expectation) packed() {
	f, fix := facts.Within(e.have.Layout(), facts.Quick), "leave out the strides"
	if e.d.Strides == nil {
		fix = "layout: row-major is packed"
	}
	switch got := f.Packed(); {
	case got == e.Packed:
	case got == facts.Unknown:
		e.find(ExpectPacked, Warning, "",
			"whether the tensor is packed is not known: its strides are too hard to decide")
	case got == facts.Yes:
		e.find(ExpectPacked, Error, "", "the tensor is packed: %s on as many offsets",
			scan.Count(f.Elements, "element"))
	case f.Exhaustive == facts.No:
		unused := "some"
		if f.DistinctKnown {
			unused = fmt.Sprint(f.Span - f.Distinct)
		}
		e.find(ExpectPacked, Error, fix, "%s of the %s from %d to %d belong to no element",
			unused, scan.Count(f.Span, "offset"), f.Low, f.High)
	default:
		e.find(ExpectPacked, Error, fix, "elements %s and %s are both at offset %d",
			tuple(f.Witness.A), tuple(f.Witness.B), f.Witness.Offset)
	}
}

// size compares the bytes that the tensor takes.
func (e *expectation) size() {
	if !e.MaxBytes.Stated && !e.Bytes.Stated {
		return
	}
	n, ok := e.bytes()
	if most := e.MaxBytes; most.Stated && (!ok || n > most.Value) {
		e.findKnown(ok, ExpectMaxBytes, "", "%s are needed, %d are expected at most", scan.Count(n, "byte"), most.Value)
	}
	if want := e.Bytes; want.Stated && (!ok || n != want.Value) {
		fix := ""
		if want.Value < n && n-want.Value < 4 {
			fix = fixf("bytes: %d, as buffers have whole multiples of 4", n)
		}
		e.findKnown(ok, ExpectBytes, fix, "%s are needed, %d are expected", scan.Count(n, "byte"), want.Value)
	}
}

// findKnown is find of what can only be told of a type that is known; else it reports that.
func (e *expectation) findKnown(known bool, id ID, fix, format string, args ...any) {
	if !known {
		fix, format, args = "", "this cannot be told: %s", []any{unknownType(e.d)}
	}
	e.find(id, Error, fix, format, args...)
}

// unknownType says that the type of a descriptor is not known.
func unknownType(d *Descriptor) string {
	return "the size of an element of type " + scan.Clip(d.TypeName) + " is not known"
}

// bytes returns how large a buffer the tensor needs, with the whole of its last block if it has blocks. Of types of
// other files only their bytes are known.
func (e *expectation) bytes() (n int64, ok bool) {
	if !e.d.TypeKnown {
		return e.d.Total.Value, e.d.Total.Stated
	}
	n = e.have.BufferBytes()
	g := &e.c.geometry
	if g.measure(e.d, e.d.Base); g.reached {
		n = max(n, (e.have.Bytes(g.high-min(g.low, 0)+1)+3)&^3)
	}
	return n, true
}

// strides compares the strides, except those of size 1, which move nothing.
func (e *expectation) strides() {
	have, ok := e.have.Layout().Strides()
	switch i := differing(e.d.Sizes, have, e.Strides); {
	case len(e.Strides) != len(e.d.Sizes):
		e.findAt(ExpectStrides, ConfigValue, Error, "", "%s for %s",
			scan.Count(len(e.Strides), "stride"), scan.Count(len(e.d.Sizes), "size"))
	case !ok:
		e.find(ExpectStrides, Error, "", "%s is made of blocks: no strides describe it", scan.Clip(e.d.Layout))
	case i >= 0:
		e.find(ExpectStrides, Error, "strides: "+list(e.Strides),
			"stride %d is %d, %d is expected: strides %s", i, have[i], e.Strides[i], list(have))
	}
}
