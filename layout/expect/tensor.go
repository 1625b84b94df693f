package expect

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/wording"
)

// A Tensor lists the required properties of a tensor.
type Tensor struct {
	Index              int    // the index of the tensor
	Layout             string // the name of the layout that its strides follow; empty for any
	Packed             analysis.Verdict
	MaxBytes           descriptor.Number
	Bytes              Range
	Strides            []int64  // nil for any
	SameAs             int      // the index of the tensor that must have the same layout; negative for any
	DTypes             []string // allowed element types; nil for any
	Rank               Range
	Sizes              []Size   // nil for any
	Open               []string // axes that the file leaves open
	Divisors           []Divisor
	RowPitch           descriptor.Number // in bytes
	RowAlign           descriptor.Number // in bytes
	BaseAlign          descriptor.Number // in bytes
	descriptor.Spacing                   // the spacing of its layout
	At                 Places
}

// A Size is a size in a range, any size (the zero Size), or a name that stands for one size everywhere.
type Size struct {
	Name string
	Size Range
}

// A Divisor is a number that divides the size of an axis. The axis is a letter or an index.
type Divisor struct {
	Axis string
	By   int64
}

// The rules of expectations.
var (
	ExpectLayout    = &finding.Rule{Name: "expect-layout", Severity: finding.Error}
	ExpectPacked    = &finding.Rule{Name: "expect-packed", Severity: finding.Error}
	ExpectMaxBytes  = &finding.Rule{Name: "expect-max-bytes", Severity: finding.Error}
	ExpectStrides   = &finding.Rule{Name: "expect-strides", Severity: finding.Error}
	ExpectSameAs    = &finding.Rule{Name: "expect-same-as", Severity: finding.Error}
	ExpectDType     = &finding.Rule{Name: "expect-dtype", Severity: finding.Error}
	ExpectRank      = &finding.Rule{Name: "expect-rank", Severity: finding.Error}
	ExpectSizes     = &finding.Rule{Name: "expect-sizes", Severity: finding.Error}
	ExpectDivisible = &finding.Rule{Name: "expect-divisible", Severity: finding.Error}
	ExpectBytes     = &finding.Rule{Name: "expect-bytes", Severity: finding.Error}
	ExpectRowPitch  = &finding.Rule{Name: "expect-row-pitch", Severity: finding.Error}
	ExpectRowAlign  = &finding.Rule{Name: "expect-row-align", Severity: finding.Error}
	ExpectBaseAlign = &finding.Rule{Name: "expect-base-align", Severity: finding.Error}
	ExpectOpen      = &finding.Rule{Name: "expect-open", Severity: finding.Error}
)

// A tensorCheck is the check of a tensor.
type tensorCheck struct {
	*Tensor
	*configCheck
	d    *descriptor.Descriptor
	have layout.Tensor
}

// check compares the tensor with all that is expected of it.
func (e *tensorCheck) check() {
	if key := e.layoutKey(); key != "" {
		e.layout(key)
	}
	if e.Packed != analysis.Unknown {
		e.packed()
	}
	e.size()
	e.rows()
	e.start()
	if e.Strides != nil {
		e.strides()
	}
	e.same()
}

// same compares the tensor with the tensor of sameAs.
func (e *tensorCheck) same() {
	if e.SameAs >= 0 {
		if text := e.difference(e.d, &e.Tensors[e.SameAs]); text != "" {
			e.Report(ExpectSameAs, e.on("sameAs", -1), "", "%s", text)
		}
	}
}

// undecided reports expectations that cannot be checked because sizes are open.
func (e *tensorCheck) undecided() {
	open := slices.Index(e.d.Sizes, descriptor.OpenSize)
	for _, x := range [...]struct {
		stated bool
		rule   *finding.Rule
		key    string
	}{
		{e.layoutKey() != "", ExpectLayout, e.layoutKey()}, {e.Packed != analysis.Unknown, ExpectPacked, "packed"},
		{e.MaxBytes.Stated, ExpectMaxBytes, "maxBytes"}, {e.Bytes.Stated(), ExpectBytes, "bytes"},
		{e.RowPitch.Stated, ExpectRowPitch, "rowPitch"}, {e.RowAlign.Stated, ExpectRowAlign, "rowAlignment"},
		{e.Strides != nil, ExpectStrides, "strides"},
	} {
		if x.stated {
			e.Report(x.rule, e.on(x.key, -1), "give it a value in sizes of the tensor",
				"this cannot be told: size %d is open: %s", open, e.d.SizesText())
		}
	}
	e.start()
	e.same()
}

// on returns a key of the expectation, or an item of it unless item is negative, as the subject of a finding.
func (e *tensorCheck) on(key string, item int) finding.Subject {
	return finding.On(e.d.Name, placeOf{e.At, key, item})
}

// statement checks the stated parts of the tensor: type, rank, sizes.
func (e *tensorCheck) statement() {
	if e.DTypes != nil {
		e.dtype()
	}
	if n := len(e.d.Sizes); !e.Rank.Has(int64(n)) {
		e.Report(ExpectRank, e.on("rank", -1), "", "the tensor has %s, %v are expected: %s", wording.Count(n, "size"),
			e.Rank, e.d.SizesText())
	}
	if e.Sizes != nil {
		e.sizes()
	}
	for i := range e.Open {
		e.open(i)
	}
	for i := range e.Divisors {
		e.divisor(i)
	}
}

// dtype compares the element type with the expected ones, which may be unknown to layoutcalc.
func (e *tensorCheck) dtype() {
	unknown, fault, isSwapped := 0, error(nil), false
	for i, name := range e.DTypes {
		want, err := layout.ParseDType(name)
		isSame := e.d.SameType(&descriptor.Descriptor{TypeName: name, Type: want, TypeKnown: err == nil})
		if isSame && !isOnlySwapped(e.d.TypeName, name) {
			return
		}
		isSwapped = isSwapped || isSame
		if err != nil && fault == nil {
			unknown, fault = i, err
		}
	}
	wanted := wording.Clip(strings.Join(e.DTypes, " or "))
	switch {
	case isSwapped:
		e.ReportAs(ExpectDType, finding.Warning, e.on("dtype", -1), swappedFix(e.d.TypeName),
			"the elements are big-endian (%s), %s is expected", e.d.TypeName, wanted)
	case fault != nil:
		e.Report(descriptor.ConfigValue, e.on("dtype", unknown), layout.HintOf(fault), "%s", fault)
	default:
		e.Report(ExpectDType, e.on("dtype", -1), "", "the type is %s, %s is expected", e.d.ElementType(), wanted)
	}
}

// isOnlySwapped reports whether NumPy's spelling of an element type states that the elements are big-endian, and the
// expected type does not.
func isOnlySwapped(have, want string) bool {
	return strings.HasPrefix(have, ">") && !strings.HasPrefix(want, ">")
}

// swappedFix returns the fix for a type if the elements are big-endian.
func swappedFix(typeName string) string {
	return "dtype: '" + typeName + "', or save a.astype('<" + typeName[1:] + "')"
}

// sizes compares the sizes with the expected ones. A name stands for one size in all tensors.
func (e *tensorCheck) sizes() {
	if len(e.Sizes) != len(e.d.Sizes) {
		e.Report(ExpectSizes, e.on("sizes", -1), "", "%s are %s, %d are expected", e.d.SizesText(),
			wording.Count(len(e.d.Sizes), "size"), len(e.Sizes))
		return
	}
	for i, want := range e.Sizes {
		n, isOpen := e.d.Sizes[i], e.d.IsOpen(i)
		have := strconv.FormatInt(n, 10)
		if isOpen {
			have = "open"
		}
		of, bound := e.named[want.Name]
		switch {
		case want.Size.Stated() && isOpen || !want.Size.Has(n):
			e.Report(ExpectSizes, e.on("sizes", i), "", "size %d is %s, %v is expected: %s", i, have, want.Size,
				e.d.SizesText())
		case want.Name != "" && !bound:
			e.named[want.Name] = sizeOf{have, e.d.Name}
		case want.Name != "" && of.size != have:
			e.Report(ExpectSizes, e.on("sizes", i), "", "size %d is %s, and %s is %s in %s", i, have,
				wording.Clip(want.Name), of.size, wording.Clip(of.tensor))
		}
	}
}

// open checks that an axis is open, by its letter, its index or the name that the model gives it.
func (e *tensorCheck) open(i int) {
	name := e.Open[i]
	letters, _ := e.axisNames()
	axis := slices.Index(e.d.Open, name)
	_, err := strconv.Atoi(name)
	switch {
	case axis < 0 && err != nil && !slices.Contains(letters, name):
		e.Report(ExpectOpen, e.on("open", i), "", "no size that is open has the name %s: %s", wording.Clip(name),
			e.d.SizesText())
		return
	case axis < 0:
		axis = e.axis(name, "open", i)
	}
	if axis >= 0 && !e.d.IsOpen(axis) {
		e.Report(ExpectOpen, e.on("open", i), "", "size %d is %d, and has to stay open: %s", axis,
			e.d.Sizes[axis], e.d.SizesText())
	}
}

// axisNames returns the names of the tensor's axes. It reports true if they are stated, and false if they are
// DirectML's names.
func (e *tensorCheck) axisNames() (names []string, stated bool) {
	if e.d.Layout != "" {
		known := e.d.Like(&descriptor.Descriptor{Sizes: slices.Repeat([]int64{1}, len(e.d.Sizes))})
		if t, err := e.tensors.Named(known); err == nil && t.Layout().Named() {
			return t.Layout().AxisNames(), true
		}
	}
	if e.d.Axes != nil {
		return e.d.Axes, true
	}
	return shape.AxisNames(len(e.d.Sizes)), false
}

// axis returns the axis with a letter or an index, which counts from the end if it is negative. If there is no such
// axis, it reports the item of the key and returns a negative number.
func (e *tensorCheck) axis(name, key string, item int) int {
	rank := len(e.d.Sizes)
	names, _ := e.axisNames()
	axis, err := strconv.Atoi(name)
	if axis < 0 {
		axis += rank
	}
	if err != nil {
		axis = slices.Index(names, name)
	}
	if axis >= 0 && axis < rank {
		return axis
	}
	text := "the tensor has no axis " + wording.Clip(name) + ", but " + wording.Count(rank, "size")
	if names != nil {
		text += ": " + strings.Join(names, ", ")
	}
	e.Report(descriptor.ConfigValue, e.on(key, item), "", "%s", text)
	return -1
}

// divisor checks the size of an axis against its divisor.
func (e *tensorCheck) divisor(i int) {
	x := e.Divisors[i]
	switch axis := e.axis(x.Axis, "divisibleBy", i); {
	case axis < 0:
	case e.d.IsOpen(axis):
		e.Report(ExpectDivisible, e.on("divisibleBy", i), "give it a value in sizes of the tensor",
			"size %d is open: whether it is a multiple of %d cannot be told", axis, x.By)
	case e.d.Sizes[axis]%x.By != 0:
		least, _ := layout.AlignUp(e.d.Sizes[axis], x.By)
		e.Report(ExpectDivisible, e.on("divisibleBy", i), fmt.Sprintf("%d would be", least),
			"size %d is %d, which is not a multiple of %d", axis, e.d.Sizes[axis], x.By)
	}
}

// rows compares the distance between rows with the expected pitch and alignment.
func (e *tensorCheck) rows() {
	if !e.RowPitch.Stated && !e.RowAlign.Stated {
		return
	}
	axis, stride, why := e.pitch()
	if axis < 0 && why == "" {
		if e.RowPitch.Stated {
			e.ReportAs(ExpectRowPitch, finding.Note, e.on("rowPitch", -1), "",
				"there is one row: how far rows are apart is not compared")
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
			wording.Count(stride, "element"))
	}
	if ok {
		why += " (" + wording.Bits(bits) + ")"
	}
	if n := pitch.Value; pitch.Stated {
		e.needsType(e.d.TypeKnown, ExpectRowPitch, e.on("rowPitch", -1), "", "%s, %s are expected", why,
			wording.Count(n, "byte"))
	}
	if n := align.Value; align.Stated {
		e.needsType(e.d.TypeKnown, ExpectRowAlign, e.on("rowAlignment", -1), "", "%s, a multiple of %s is expected",
			why, wording.Count(n, "byte"))
	}
}

// pitch returns the axis that counts rows, and its stride, which is the distance between rows. The axis is H in an
// image, and otherwise the axis with the second smallest stride. If the tensor has no such axis, the axis is negative,
// and why is the reason.
func (e *tensorCheck) pitch() (axis int, stride int64, why string) {
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
	axis = -1
	inner, same := -1, -1 // the axis of the smallest stride, and the innermost one that repeats rows
	for i, n := range strides {
		strides[i] = max(n, -n)
		switch {
		case e.d.Sizes[i] <= 1:
		case n == 0:
			same = i
		case inner < 0 || strides[i] < strides[inner]:
			inner, axis = i, inner
		case axis < 0 || strides[i] < strides[axis]:
			axis = i
		}
	}
	switch {
	case axis >= 0:
		return axis, strides[axis], ""
	case e.RowPitch.Stated:
		return same, 0, ""
	}
	return -1, 0, "" // a single offset
}

// start compares the offset of the first element with the expected alignment.
func (e *tensorCheck) start() {
	n := e.BaseAlign.Value
	if !e.BaseAlign.Stated {
		return
	}
	if a := e.d.Alignment; a.Stated && (a.Value == 0 || a.Value%n != 0) {
		e.Report(ExpectBaseAlign, e.on("baseAlignment", -1), "",
			"the buffer is at a multiple of %s, a multiple of %d is expected", wording.Count(a.Value, "byte"), n)
		return
	}
	bits, err := layout.Mul(e.d.Base, e.d.Type.Bits())
	if known := e.d.TypeKnown && err == nil || e.d.Base == 0; !known || bits%8 != 0 || bits/8%n != 0 {
		e.needsType(known, ExpectBaseAlign, e.on("baseAlignment", -1), "",
			"the first element is %s after the start of the buffer (%s), "+
				"a multiple of %s is expected", wording.Count(e.d.Base, "element"), wording.Bits(bits), wording.Count(n,
				"byte"))
	}
}

// layoutKey returns the key that states the layout, or an empty string.
func (e *tensorCheck) layoutKey() string {
	switch {
	case e.Pitch != nil:
		return "pitch"
	case e.Align != nil:
		return "align"
	case e.Pad != nil:
		return "pad"
	case e.Layout != "":
		return "layout"
	}
	return ""
}

// expectedLayout returns the expected layout, with its name for a message.
func (e *tensorCheck) expectedLayout(key string) (l layout.Layout, name string, err error) {
	if key == "layout" {
		l, err = e.tensors.Unstrided(&descriptor.Descriptor{Sizes: e.d.Sizes, Layout: e.Layout})
		return l, wording.Clip(e.Layout), err
	}
	name = cmp.Or(e.Layout, e.d.Layout, descriptor.RowMajorName)
	l, err = e.tensors.Unstrided(&descriptor.Descriptor{Sizes: e.d.Sizes, Axes: e.d.Axes, Type: e.d.Type,
		TypeKnown: e.d.TypeKnown, Layout: name, Spacing: &e.Spacing})
	return l, wording.Clip(name) + " with this " + key, err
}

// layout compares the tensor with a tensor of the same sizes in the expected layout. The first elements may have
// different offsets.
func (e *tensorCheck) layout(key string) {
	want, name, err := e.expectedLayout(key)
	if err != nil {
		e.Report(descriptor.ConfigValue, e.on(key, -1), layout.HintOf(err), "%s", err)
		return
	}
	have, err := descriptor.Unnamed(e.have.Layout(), 0)
	if err != nil {
		return
	}
	d, err := analysis.Compare(have, want)
	if err != nil || d == nil {
		return
	}
	fix, at := "", finding.Repaired{Subject: e.on(key, -1)}
	strides, ok := want.Strides()
	switch {
	case ok && (e.d.Strides != nil || key != "layout"):
		fix = "strides: " + layout.ListText(strides)
	case key == "layout" && e.d.Spacing != nil:
		fix = "layout: " + name + ", without pitch, align and pad"
	case key == "layout":
		fix = "layout: " + name
	}
	if ok && e.d.Strides != nil && key == "layout" { // parts other than the strides may be wrong
		for i, size := range e.d.Sizes {
			if size == 1 { // its stride has no effect
				strides[i] = e.d.Strides[i]
			}
		}
		at.Edits = e.d.Edits(descriptor.StridesPart, strides...)
	}
	e.Report(ExpectLayout, at, fix, "element %s is %d after the first, in %s it is %d: %s, %s has %s",
		layout.IndexText(d.Index), d.A, name, d.B, stridesOf(have), name, stridesOf(want))
}

// stridesOf returns the strides of a layout for a message, or "blocks" if an axis has several strides.
func stridesOf(l layout.Layout) string {
	if strides, ok := l.Strides(); ok {
		return "strides " + layout.ListText(strides)
	}
	return "blocks"
}

// packed checks whether the tensor is packed.
func (e *tensorCheck) packed() {
	f, fix := analysis.Within(e.have.Layout(), analysis.Quick), "remove the strides"
	switch {
	case e.d.Spacing != nil:
		fix = "remove pitch, align and pad"
	case e.d.Strides == nil:
		fix = "layout: row-major is packed"
	}
	switch got := f.Packed(); {
	case got == e.Packed:
	case got == analysis.Unknown:
		e.ReportAs(ExpectPacked, finding.Warning, e.on("packed", -1), "",
			"whether the tensor is packed is not known: its strides are too hard to decide")
	case got == analysis.Yes:
		e.Report(ExpectPacked, e.on("packed", -1), "", "the tensor is packed: %s on as many offsets",
			wording.Count(f.Elements, "element"))
	case f.Exhaustive == analysis.No:
		unused := "some"
		if f.DistinctKnown {
			unused = fmt.Sprint(f.Span - f.Distinct)
		}
		e.Report(ExpectPacked, e.on("packed", -1), fix, "%s of the %s from %d to %d belong to no element",
			unused, wording.Count(f.Span, "offset"), f.Low, f.High)
	default:
		e.Report(ExpectPacked, e.on("packed", -1), fix, "elements %s and %s are both at offset %d",
			layout.IndexText(f.Witness.A), layout.IndexText(f.Witness.B), f.Witness.Offset)
	}
}

// size compares the bytes of the tensor with the expected number and the limit.
func (e *tensorCheck) size() {
	if !e.MaxBytes.Stated && !e.Bytes.Stated() {
		return
	}
	n, ok := e.bytes(e.d, e.have)
	if most := e.MaxBytes; most.Stated && (!ok || n > most.Value) {
		e.needsType(ok, ExpectMaxBytes, e.on("maxBytes", -1), "", "%s are needed, %d are expected at most",
			wording.Count(n, "byte"), most.Value)
	}
	if want := e.Bytes; want.Stated() && (!ok || !want.Has(n)) {
		fix := ""
		if want.Min == want.Max && want.Max.Value == e.have.Bytes(e.have.Extent()) {
			fix = fmt.Sprintf("bytes: %d, as DirectML's buffers have whole multiples of 4", n)
		}
		e.needsType(ok, ExpectBytes, e.on("bytes", -1), fix, "%s are needed, %v are expected",
			wording.Count(n, "byte"), want)
	}
}

// needsType reports a finding that requires a known type. If the type is unknown, it reports that instead.
func (e *tensorCheck) needsType(known bool, rule *finding.Rule, at finding.Subject, fix, format string, args ...any) {
	if !known {
		fix, format, args = "", "this cannot be told: %s", []any{unknownType(e.d)}
	}
	e.Report(rule, at, fix, format, args...)
}

// unknownType returns the message that the element type of a descriptor is unknown.
func unknownType(d *descriptor.Descriptor) string {
	return "the size of an element of type " + wording.Clip(d.TypeName) + " is not known"
}

// strides compares the strides, except the strides of axes of size 1, which have no effect.
func (e *tensorCheck) strides() {
	have, ok := e.have.Layout().Strides()
	switch i := descriptor.DifferingStride(e.d.Sizes, have, e.Strides); {
	case len(e.Strides) != len(e.d.Sizes):
		e.Report(descriptor.ConfigValue, e.on("strides", -1), "", "%s for %s",
			wording.Count(len(e.Strides), "stride"), wording.Count(len(e.d.Sizes), "size"))
	case !ok:
		e.Report(ExpectStrides, e.on("strides", -1), "", "%s is made of blocks: no strides describe it",
			wording.Clip(e.d.Layout))
	case i >= 0:
		e.Report(ExpectStrides, e.on("strides", -1), "strides: "+layout.ListText(e.Strides),
			"stride %d is %d, %d is expected: strides %s", i, have[i], e.Strides[i], layout.ListText(have))
	}
}
