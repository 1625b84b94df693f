package rules

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/facts"
	"layoutcalc/layout/scan"
)

// An Artefact is a tensor in a file that a configuration names, or why there is none.
type Artefact struct {
	Kind    string     // of the file: npy, safetensors, gguf or onnx
	Have    Descriptor // what the file says of the tensor; sizes below 0 are open
	Missing Finding    // why there is no tensor, its rule, its message and its fix; no message where there is one
	OfName  bool       // the name of the tensor is to blame for that, and not the file
	Found   []Finding  // what is wrong with the tensor in the file, or is to be known of its elements
	Bytes   int64      // of the file where only its size is known, otherwise 0
}

// Artefacts finds a tensor in a file.
type Artefacts func(file, tensor string) Artefact

// TooSmall says why a file of which only the size is known cannot have a tensor, nothing where it may.
func (a *Artefact) TooSmall(d *Descriptor) string {
	need, err := d.Total.Value, error(nil)
	if !d.Total.Stated {
		if !d.TypeKnown || len(d.Sizes) == 0 || slices.ContainsFunc(d.Sizes, isOpen) {
			return ""
		}
		if need, err = layout.ProductOf(append(slices.Clone(d.Sizes), d.Type.Bits())); err == nil {
			need = (need + 7) / 8
		}
	}
	if a.Bytes == 0 || err == nil && need <= a.Bytes {
		return ""
	}
	takes := "more bytes than 64 bits hold"
	if err == nil {
		takes = scan.Count(need, "byte")
	}
	return fmt.Sprintf("the file that is not checked out has %s, and the tensor takes %s", scan.Count(a.Bytes, "byte"),
		takes)
}

// AnySize is a size that a configuration leaves to the file.
const AnySize = math.MinInt64

// Fill takes from the file what a descriptor does not state, and reports where what it states is not what the file has.
// It returns false where a size stays open.
func (a *Artefact) Fill(d *Descriptor, report func(id ID, part Part, fix, msg string)) bool {
	a.fillType(d, report)
	if !d.TypeKnown && !d.Total.Stated {
		d.Total = a.Have.Total // which does not follow from the type
	}
	if n := a.Have.Total; d.Total.Stated && n.Stated && n.Value != d.Total.Value {
		report(ArtefactBytes, TotalPart, fixf("totalBytes: %d", n.Value),
			fmt.Sprintf("the file has %s for the tensor, and %d are stated", scan.Count(n.Value, "byte"),
				d.Total.Value))
	}
	if d.Base != 0 {
		report(ArtefactLayout, BasePart, "leave it out", "a tensor in a file has no storage offset")
	}
	switch {
	case d.Sizes == nil:
		d.Sizes = a.ordered(d)
	case a.fits(d):
	default:
		fix := "sizes: " + strings.ReplaceAll(list(a.Have.Sizes), "-1", "null")
		report(ArtefactSizes, SizesPart, fix, a.difference(d))
		return !slices.Contains(d.Sizes, AnySize)
	}
	if slices.ContainsFunc(d.Sizes, isOpen) {
		text := strings.ReplaceAll(list(d.Sizes), "-1", "?")
		report(ArtefactSizes, SizesPart, "state them all", "the file leaves sizes open: "+text)
		return false
	}
	if d.Strides == nil && d.Layout == "" {
		d.Strides = a.Have.Strides
	} else if text := a.moved(d); text != "" {
		part := LayoutPart
		if d.Layout == "" {
			part = StridesPart
		}
		report(ArtefactLayout, part, "", text)
	}
	return true
}

// isOpen reports whether a file leaves a size open, as a model does that of its inputs.
func isOpen(size int64) bool { return size < 0 }

// fillType takes or compares the element type.
func (a *Artefact) fillType(d *Descriptor, report func(id ID, part Part, fix, msg string)) {
	switch {
	case d.TypeName == "":
		d.TypeName, d.Type, d.TypeKnown, d.TypeJudged = a.Have.TypeName, a.Have.Type, a.Have.TypeKnown,
			a.Have.TypeJudged
		return
	case d.TypeKnown && a.Have.TypeKnown && d.Type == a.Have.Type:
		return
	case strings.EqualFold(d.TypeName, a.Have.TypeName):
		d.Type, d.TypeKnown, d.TypeJudged = a.Have.Type, a.Have.TypeKnown, a.Have.TypeJudged
		return
	}
	have := a.Have.elementType()
	msg := fmt.Sprintf("the file has %s, and %s is stated", have, scan.Clip(d.TypeName))
	if a.Have.TypeKnown && d.TypeKnown && d.Type.Bits() == a.Have.Type.Bits() {
		msg += ", whose elements have as many bits"
	}
	report(ArtefactDType, TypePart, "dtype: "+have, msg)
	if !d.TypeKnown {
		d.Type, d.TypeKnown, d.TypeJudged = a.Have.Type, a.Have.TypeKnown, true
	}
}

// ordered returns the sizes of the file in the order in which a descriptor lists them: a file lists them in that of the
// layout that is stated.
func (a *Artefact) ordered(d *Descriptor) []int64 {
	if d.Layout == "" || a.Have.Strides != nil {
		return a.Have.Sizes
	}
	known := slices.Clone(a.Have.Sizes)
	for i, n := range known {
		known[i] = max(n, 0) // the order of the axes does not depend on sizes that are open
	}
	t, err := new(tensors).named(&Descriptor{Sizes: known, Layout: d.Layout})
	if err != nil {
		return a.Have.Sizes
	}
	order := scan.Positions(strings.Split(t.Name(), ""), t.Layout().AxisNames())
	if len(order) != len(a.Have.Sizes) || slices.Contains(order, -1) {
		return a.Have.Sizes
	}
	sizes := make([]int64, len(order))
	for i, axis := range order {
		sizes[axis] = a.Have.Sizes[i]
	}
	return sizes
}

// fits reports whether the sizes of a descriptor are those of the file, and takes those that are open. A file may list
// them in the order of the layout that is stated.
func (a *Artefact) fits(d *Descriptor) bool {
	for i, sizes := range [...][]int64{a.Have.Sizes, a.ordered(d)} {
		agree := func(n, have int64) bool { return n == have || n == AnySize || isOpen(have) && n > 0 }
		if !slices.EqualFunc(d.Sizes, sizes, agree) {
			continue
		}
		stated := d.Sizes
		d.Sizes = slices.Clone(sizes)
		for k, have := range sizes {
			if isOpen(have) && stated[k] != AnySize {
				d.Sizes[k] = stated[k]
			}
		}
		if i == 0 {
			a.Have.Sizes = d.Sizes
		}
		return true
	}
	return a.storedAs(d)
}

// storedAs reports whether the sizes of the file are those of an array that has the elements in the order of the stated
// layout.
func (a *Artefact) storedAs(d *Descriptor) bool {
	t, err := new(tensors).stated(d)
	if d.Layout != "" {
		t, err = new(tensors).named(d)
	}
	if err != nil || a.Have.Strides != nil {
		return false
	}
	sizes, columnMajor, ok := facts.Stored(t)
	if columnMajor {
		slices.Reverse(sizes)
	}
	return ok && slices.Equal(sizes, a.Have.Sizes)
}

// moved says which element is elsewhere in the file than the stated layout has it, nothing if none is.
func (a *Artefact) moved(d *Descriptor) string {
	if a.storedAs(d) || !slices.Equal(d.Sizes, a.Have.Sizes) {
		return ""
	}
	differs := new(tensors).firstMoved(&Descriptor{Sizes: d.Sizes, Strides: d.Strides, Layout: d.Layout},
		&Descriptor{Sizes: d.Sizes, Strides: a.Have.Strides})
	if differs == nil {
		return ""
	}
	order := "row-major"
	if a.Have.Strides != nil {
		order = "column-major (Fortran)"
	}
	return fmt.Sprintf("the file is %s: element %s is at offset %d in it, and stated at %d", order,
		tuple(differs.Index),
		differs.B, differs.A)
}

// difference says how the sizes of the file differ from those that are stated.
func (a *Artefact) difference(d *Descriptor) string {
	text := fmt.Sprintf("the file has %s, and %s are stated", strings.ReplaceAll(list(a.Have.Sizes), "-1", "?"),
		strings.ReplaceAll(list(d.Sizes), fmt.Sprint(int64(AnySize)), "?"))
	have, want := trimOnes(a.Have.Sizes), trimOnes(d.Sizes)
	order, letters := Reordered(d.Sizes, a.Have.Sizes), []string(nil)
	if t, err := new(tensors).named(d); err == nil && d.Layout != "" && t.Layout().Named() {
		letters = t.Layout().AxisNames()
	}
	switch {
	case slices.Equal(have, want):
		text += ": they differ in leading sizes of 1 only"
	case len(order) == 2:
		text += ": it is transposed"
	case order != nil && len(letters) == len(order):
		names := make([]string, len(order))
		for i, at := range order {
			names[i] = letters[at]
		}
		text += fmt.Sprintf(": %s is %s", list(a.Have.Sizes), strings.Join(names, ","))
	case order != nil:
		text += ": it has the axes in the order " + layout.JoinInts(order, ",")
	}
	if a.Kind == "gguf" {
		listed := slices.Clone(a.Have.Sizes)
		slices.Reverse(listed)
		text += fmt.Sprintf(" (GGUF lists the innermost first: %s)", layout.JoinInts(listed, ", "))
	}
	return text
}

// trimOnes leaves out leading sizes of 1.
func trimOnes(sizes []int64) []int64 {
	for len(sizes) > 0 && sizes[0] == 1 {
		sizes = sizes[1:]
	}
	return sizes
}

// Reordered returns which of some sizes each of others is, where they are the same in another order; nil elsewhere.
func Reordered(sizes, others []int64) (order []int64) {
	taken := make([]bool, len(sizes))
	for _, n := range others {
		at := 0
		for at < len(sizes) && (taken[at] || sizes[at] != n) {
			at++
		}
		if at == len(sizes) {
			return nil
		}
		taken[at] = true
		order = append(order, int64(at))
	}
	if len(order) != len(sizes) {
		return nil
	}
	return order
}

// artefactRules are the rules of configurations and the files that they name.
var artefactRules = []Rule{
	{ID: ArtefactMissing, Name: "artefact-missing", Severity: Error,
		What: "The file that a configuration names for a tensor is there, below the configuration's directory.",
		Why: "What is stated cannot be compared with a file that is not there. Paths that leave the directory are " +
			"not opened, and a configuration on standard input has no directory.",
		Limit:  "weights/a.npy is right, ../a.npy and /a.npy are wrong; a directory or a pipe is not a file",
		Source: "layoutcalc's own", Fix: "Correct the path, or move the file.",
		Bad:  configOf + "  a: {file: 2.safetensors}\n" + beside1,
		Good: configOf + "  a: {file: 1.safetensors}\n" + beside1,
	},
	{ID: ArtefactTensor, Name: "artefact-tensor", Severity: Error,
		What: "The file that a configuration names has the tensor.",
		Why:  "A new export has renamed the tensor, or left it out.",
		Limit: "The name may be left out where the file has one tensor, and has to be for .npy, whose array has no " +
			"name",
		Source: "layoutcalc's own", Fix: "Correct the name.",
		Bad:  configOf + "  a: {file: 1.safetensors, tensor: b}\n" + beside1,
		Good: configOf + "  a: {file: 1.safetensors, tensor: a}\n" + beside1,
	},
	{ID: ArtefactDType, Name: "artefact-dtype", Severity: Error,
		What: "The element type that a configuration states is that of the tensor in the file.",
		Why: "A new export has changed it. float16 and bfloat16 have as many bits, so that nothing at run time " +
			"notices.",
		Limit:  "float16 in the file: dtype: f16 is right, bfloat16 is wrong",
		Source: "layoutcalc's own", Fix: "State the type of the file, or export the file again.",
		Bad:  configOf + "  a: {file: 1.safetensors, dtype: int32}\n" + beside1,
		Good: configOf + "  a: {file: 1.safetensors, dtype: float32}\n" + beside1,
	},
	{ID: ArtefactSizes, Name: "artefact-sizes", Severity: Error,
		What: "The sizes that a configuration states are those of the tensor in the file, as they are listed or in " +
			"the order of the layout that is stated.",
		Why: "Weights exported as O,H,W,I for an operator that takes O,I,H,W, a matrix that is transposed, or a " +
			"vocabulary that is padded in one file and not in another have a valid file with the wrong numbers.",
		Limit: "[2, 3] in the file: [2, 3] and [2, null] are right, and so is [3, 2] with layout: WH; [3, 2] is " +
			"wrong, and so is [1, 2, 3]",
		Source: "layoutcalc's own; observed (DirectML issue 240, triton-inference-server/server issue 1055; " +
			"GPT-2's c_attn is stored as [in, out])",
		Fix:  "State the sizes of the file, or export the file again.",
		Bad:  configOf + "  a: {file: 1.safetensors, sizes: [3, 2]}\n" + beside1,
		Good: configOf + "  a: {file: 1.safetensors, sizes: [2, 3]}\n" + beside1,
	},
	{ID: ArtefactBytes, Name: "artefact-bytes", Severity: Error,
		What: "The totalBytes that a configuration states are the bytes that the file has for the tensor.",
		Why: "Who reads that many bytes reads into the next tensor, or stops before the last element. Of a file that " +
			"Git LFS has not checked out only the size is known, which a tensor cannot exceed.",
		Limit:  "24 is right for float32 of [2, 3], 23 and 28 are wrong",
		Source: "layoutcalc's own", Fix: "State the bytes of the file.",
		Bad:  configOf + "  a: {file: 1.safetensors, totalBytes: 28}\n" + beside1,
		Good: configOf + "  a: {file: 1.safetensors, totalBytes: 24}\n" + beside1,
	},
	{ID: ArtefactLayout, Name: "artefact-layout", Severity: Error,
		What: "The elements are in the file where the layout or the strides of the configuration have them.",
		Why: "Files of tensors are row-major, but for .npy files in Fortran order: the same bytes read in another " +
			"order are another tensor.",
		Limit:  "[2, 3] row-major: strides: [3, 1] is right, [1, 2] is wrong",
		Source: "layoutcalc's own; documented (.npy format, fortran_order)",
		Fix:    "State the layout of the file, or export the file again.",
		Bad:    configOf + "  a: {file: 1.safetensors, sizes: [2, 3], strides: [1, 2]}\n" + beside1,
		Good:   configOf + "  a: {file: 1.safetensors, sizes: [2, 3], strides: [3, 1]}\n" + beside1,
	},
}
