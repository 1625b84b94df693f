package expect

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/analysis"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// The rules of tensors in files that configurations name.
var (
	ArtefactMissing = &finding.Rule{Name: "artefact-missing", Severity: finding.Error}
	ArtefactTensor  = &finding.Rule{Name: "artefact-tensor", Severity: finding.Error}
	ArtefactDType   = &finding.Rule{Name: "artefact-dtype", Severity: finding.Error}
	ArtefactSizes   = &finding.Rule{Name: "artefact-sizes", Severity: finding.Error}
	ArtefactBytes   = &finding.Rule{Name: "artefact-bytes", Severity: finding.Error}
	ArtefactLayout  = &finding.Rule{Name: "artefact-layout", Severity: finding.Error}
)

// An Artefact is a tensor in a file that a configuration names, or the reason why it is missing.
type Artefact struct {
	Kind    string                // the kind of the file: npy, safetensors, gguf or onnx
	Have    descriptor.Descriptor // the tensor in the file; sizes below 0 are open
	Missing finding.Finding       // why there is no tensor: rule, message and fix; no message if there is one
	OfName  bool                  // the error is in the name of the tensor, not in the file
	Found   []finding.Finding     // about the tensor in the file and its elements
	Bytes   int64                 // the size of the file, if nothing else is known; otherwise 0
}

// Artefacts finds the files and tensors that a configuration names. Paths are relative to the configuration, and
// patterns are the patterns of a project.
type Artefacts interface {
	// Root changes the directory that paths are relative to, which is the directory of the configuration, to dir, a
	// path relative to it. If it cannot, it returns why, and how to fix it.
	Root(dir string) (why, fix string)

	// Tensor finds a tensor in a file. The name may be empty if the file has one tensor.
	Tensor(file, tensor string) Artefact

	// Files returns the files with paths that match a pattern.
	Files(pattern string) ([]string, error)

	// Names yields the names of the tensors in a file, if it can be read.
	Names(file string) iter.Seq[string]

	// Facts returns the properties of a file, or a finding with the reason why they are unknown.
	Facts(file string) (*Facts, finding.Finding)
}

// TooSmall returns why a file of known size cannot contain a tensor, or an empty string if it can.
func (a *Artefact) TooSmall(d *descriptor.Descriptor) string {
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
		takes = wording.Count(need, "byte")
	}
	return fmt.Sprintf("the file that is not checked out has %s, and the tensor takes %s",
		wording.Count(a.Bytes, "byte"), takes)
}

// Swapped returns a finding if the elements of the file are big-endian and the stated type is not. Otherwise, it
// returns empty strings.
func (a *Artefact) Swapped(d *descriptor.Descriptor) (fix, msg string) {
	have := a.Have.TypeName
	if d.TypeName == "" || !isOnlySwapped(have, d.TypeName) || !d.SameType(&a.Have) {
		return "", ""
	}
	return swappedFix(have), fmt.Sprintf("the file has big-endian elements (%s), and %s is stated", have,
		wording.Clip(d.TypeName))
}

// A Report reports a finding about a part of a descriptor.
type Report = func(id *finding.Rule, part descriptor.Part, fix, msg string)

// Fill completes a descriptor from the file, and reports differences between the stated parts and the file. Sizes that
// both leave open stay open. It returns false if a size is unknown.
func (a *Artefact) Fill(d *descriptor.Descriptor, report Report) bool {
	a.fillType(d, report)
	if !d.TypeKnown && !d.Total.Stated {
		d.Total = a.Have.Total // it does not follow from the type
	}
	if n := a.Have.Total; d.Total.Stated && n.Stated && n.Value != d.Total.Value {
		report(ArtefactBytes, descriptor.TotalPart, fmt.Sprintf("totalBytes: %d", n.Value),
			fmt.Sprintf("the file has %s for the tensor, and %d are stated", wording.Count(n.Value, "byte"),
				d.Total.Value))
	}
	if d.Base != 0 {
		report(ArtefactLayout, descriptor.BasePart, "remove it", "a tensor in a file has no storage offset")
	}
	switch {
	case d.Sizes == nil:
		order := a.order(d)
		d.Sizes, d.Open = inOrder(a.Have.Sizes, order), inOrder(a.Have.Open, order)
	case a.fits(d):
	default:
		fix := "sizes: " + strings.ReplaceAll(layout.ListText(a.Have.Sizes), "-1", "null")
		report(ArtefactSizes, descriptor.SizesPart, fix, a.difference(d))
		return !slices.Contains(d.Sizes, descriptor.AnySize)
	}
	if d.Strides == nil && d.Layout == "" {
		d.Strides = a.Have.Strides
	} else if text := a.moved(d); text != "" {
		part := descriptor.LayoutPart
		if d.Layout == "" {
			part = descriptor.StridesPart
		}
		report(ArtefactLayout, part, "", text)
	}
	return true
}

// isOpen reports whether a size in a file is open, as an input of a model may have.
func isOpen(size int64) bool { return size < 0 }

// fillType takes the element type from the file, or compares it with the stated one. The type of the file replaces a
// stated type that is unknown.
func (a *Artefact) fillType(d *descriptor.Descriptor, report Report) {
	switch {
	case d.TypeName == "":
		d.TypeName = a.Have.TypeName
		fallthrough
	case d.SameType(&a.Have):
		if !d.TypeKnown || !a.Have.TypeKnown {
			d.Type, d.TypeKnown, d.TypeJudged = a.Have.Type, a.Have.TypeKnown, a.Have.TypeJudged
		}
		return
	}
	have := a.Have.ElementType()
	msg := fmt.Sprintf("the file has %s, and %s is stated", have, wording.Clip(d.TypeName))
	if a.Have.TypeKnown && d.TypeKnown && d.Type.Bits() == a.Have.Type.Bits() {
		msg += "; elements of both have as many bits"
	}
	report(ArtefactDType, descriptor.TypePart, "dtype: "+have, msg)
	if !d.TypeKnown {
		d.Type, d.TypeKnown, d.TypeJudged = a.Have.Type, a.Have.TypeKnown, true
	}
}

// order returns the index in the descriptor of each size of the file, which lists them in the order of the stated
// layout. It returns nil if the order is the same.
func (a *Artefact) order(d *descriptor.Descriptor) []int {
	if d.Layout == "" || a.Have.Strides != nil {
		return nil
	}
	known := slices.Clone(a.Have.Sizes)
	for i, n := range known {
		known[i] = max(n, 0) // open sizes do not affect the order of the axes
	}
	t, err := new(descriptor.Tensors).Named(&descriptor.Descriptor{Sizes: known, Layout: d.Layout})
	if err != nil {
		return nil
	}
	order := lexer.Positions(strings.Split(t.Name(), ""), t.Layout().AxisNames())
	if len(order) != len(a.Have.Sizes) || slices.Contains(order, -1) {
		return nil
	}
	return order
}

// inOrder returns the list with item i at index order[i], or the list itself if order is nil.
func inOrder[T any](list []T, order []int) []T {
	if order == nil || list == nil {
		return list
	}
	other := make([]T, len(list))
	for i, at := range order {
		other[at] = list[i]
	}
	return other
}

// fits reports whether the sizes of a descriptor agree with the file, and fills in open ones. A file may list them in
// the order of the stated layout.
func (a *Artefact) fits(d *descriptor.Descriptor) bool {
	for i, order := range [...][]int{nil, a.order(d)} {
		sizes := inOrder(a.Have.Sizes, order)
		if !slices.EqualFunc(sizes, d.Sizes, descriptor.Agree) {
			continue
		}
		stated := d.Sizes
		d.Sizes = slices.Clone(sizes)
		for k, have := range sizes {
			switch {
			case !isOpen(have):
			case !isOpen(stated[k]):
				d.Sizes[k] = stated[k]
			default:
				d.Open = inOrder(a.Have.Open, order)
			}
		}
		if i == 0 {
			a.Have.Sizes = d.Sizes
		}
		return true
	}
	return a.storedAs(d)
}

// storedAs reports whether the file has the sizes of an array with the elements in the order of the stated layout.
func (a *Artefact) storedAs(d *descriptor.Descriptor) bool {
	t, err := new(descriptor.Tensors).Stated(d)
	if d.Layout != "" {
		t, err = new(descriptor.Tensors).Named(d)
	}
	if err != nil || a.Have.Strides != nil {
		return false
	}
	sizes, columnMajor, ok := analysis.Stored(t)
	if columnMajor {
		slices.Reverse(sizes)
	}
	return ok && slices.Equal(sizes, a.Have.Sizes)
}

// moved returns a message about the first element with an offset in the file that differs from the stated layout, or an
// empty string if there is no such element.
func (a *Artefact) moved(d *descriptor.Descriptor) string {
	if a.storedAs(d) || !slices.Equal(d.Sizes, a.Have.Sizes) {
		return ""
	}
	differs := new(descriptor.Tensors).FirstMoved(&descriptor.Descriptor{Sizes: d.Sizes, Strides: d.Strides,
		Layout: d.Layout},
		&descriptor.Descriptor{Sizes: d.Sizes, Strides: a.Have.Strides})
	if differs == nil {
		return ""
	}
	order := "row-major"
	if a.Have.Strides != nil {
		order = "column-major (Fortran)"
	}
	return fmt.Sprintf("the file is %s: element %s is at offset %d in it, and stated at %d", order,
		layout.IndexText(differs.Index), differs.B, differs.A)
}

// difference describes how the sizes of the file differ from the stated ones.
func (a *Artefact) difference(d *descriptor.Descriptor) string {
	text := fmt.Sprintf("the file has %s, and %s are stated", strings.ReplaceAll(layout.ListText(a.Have.Sizes), "-1",
		"?"), strings.ReplaceAll(layout.ListText(d.Sizes), fmt.Sprint(int64(descriptor.AnySize)), "?"))
	have, want := trimOnes(a.Have.Sizes), trimOnes(d.Sizes)
	order, letters := descriptor.Reordered(d.Sizes, a.Have.Sizes), []string(nil)
	if t, err := new(descriptor.Tensors).Named(d); err == nil && d.Layout != "" && t.Layout().Named() {
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
		text += fmt.Sprintf(": %s is %s", layout.ListText(a.Have.Sizes), strings.Join(names, ","))
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

// trimOnes returns sizes without leading ones.
func trimOnes(sizes []int64) []int64 {
	for len(sizes) > 0 && sizes[0] == 1 {
		sizes = sizes[1:]
	}
	return sizes
}
