package manifest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/shape"
)

const mapKind = "tensor map"

// mapEnums are the enumerations of the parts of a tensor map, with the field for each.
var mapEnums = map[descriptor.Part]struct {
	of    *descriptor.MapEnum
	field func(*descriptor.TensorMap) *descriptor.MapCode
}{
	descriptor.TypePart: {&descriptor.MapTypeNames,
		func(m *descriptor.TensorMap) *descriptor.MapCode { return &m.Type }},
	descriptor.InterleavePart: {&descriptor.MapInterleaves,
		func(m *descriptor.TensorMap) *descriptor.MapCode { return &m.Interleave }},
	descriptor.SwizzlePart: {&descriptor.MapSwizzles,
		func(m *descriptor.TensorMap) *descriptor.MapCode { return &m.Swizzle }},
	descriptor.PromotionPart: {&descriptor.MapPromotions,
		func(m *descriptor.TensorMap) *descriptor.MapCode { return &m.Promotion }},
	descriptor.FillPart: {&descriptor.MapFills,
		func(m *descriptor.TensorMap) *descriptor.MapCode { return &m.Fill }},
}

// readMap reads a part of a tensor map.
func (r *fieldReader) readMap(part descriptor.Part, v doctree.Value) {
	enum, isEnum := mapEnums[part]
	if !isEnum && part != descriptor.BoxPart && part != descriptor.ElementStridesPart &&
		part != descriptor.AddressPart {
		return
	}
	if r.d.Map == nil {
		r.d.Map = new(descriptor.TensorMap)
	}
	m := r.d.Map
	switch {
	case part == descriptor.BoxPart:
		m.Box = r.plain(v)
	case part == descriptor.ElementStridesPart:
		m.Steps = r.plain(v)
	case part == descriptor.AddressPart && v.Kind() == doctree.String:
		n, err := descriptor.ParseAddress(v.Text())
		if err != nil {
			r.fault(v, err)
		}
		m.Address = descriptor.Stated(n)
	case part == descriptor.AddressPart:
		if m.Address = r.number(v, math.MaxInt64); m.Address.Value < 0 {
			r.value(v, "an address")
		}
	case v.Kind() != doctree.String && v.Kind() != doctree.Number:
		r.value(v, "the "+enum.of.Noun+": a name of CUDA's driver, or its number")
	default:
		code, err := enum.of.Parse(v.Text())
		if err != nil {
			r.fault(v, err)
		}
		*enum.field(m) = code
	}
}

// plain reads a list of whole numbers without labels.
func (r *fieldReader) plain(v doctree.Value) []int64 {
	return r.numbers(v, nil, func(text string) (shape.List, error) {
		sizes, err := descriptor.ParseBox(text)
		return shape.NewList(sizes, nil), err
	}, false)
}

// IsTensorMap reports whether the tree is a tensor map, or a list of them, in the vocabulary of the CUDA driver.
func IsTensorMap(t *doctree.Tree) bool {
	root := t.Root()
	if root.Kind() == doctree.Array {
		for item := range root.Items {
			return item.Has("globalDim")
		}
	}
	return root.Has("globalDim")
}

// TensorMaps returns the tensor maps of a tree.
func TensorMaps(t *doctree.Tree) *descriptor.File {
	r := configReader{file: &descriptor.File{Kind: mapKind, Target: descriptor.Target{Family: finding.TMA}}}
	r.Reporter = finding.NewCollector(&r.file.Findings)
	if root := t.Root(); root.Kind() == doctree.Array {
		i := 0
		for item := range root.Items {
			r.tensorMap(item, fmt.Sprintf("[%d]", i))
			i++
		}
	} else {
		r.tensorMap(root, "")
	}
	r.LeftOut(finding.At{})
	r.file.Comments = t.Comments()
	return r.file
}

// mapNeeds are the required parts of a tensor map in the driver's vocabulary. The driver requires all of its arguments,
// but the others have usual values.
var mapNeeds = [...]descriptor.Part{descriptor.TypePart, descriptor.SizesPart, descriptor.StridesPart,
	descriptor.BoxPart}

// tensorMap reads a tensor map in the driver's vocabulary.
func (r *configReader) tensorMap(v doctree.Value, name string) {
	d := descriptor.Descriptor{Name: name, Map: new(descriptor.TensorMap),
		Source: &mapSource{fieldSource{v, descriptor.DriverNames}}}
	r.clear(&d, false)
	if v.Kind() != doctree.Object {
		r.value(v, "a tensor map, an object with keys")
		return
	}
	var seen parts
	for m := range v.Items {
		switch part := fieldOf(m, descriptor.DriverNames).Part; {
		case part == descriptor.Whole && isExtension(m):
		case part == descriptor.Whole:
			r.foreignKey(m)
		case seen[part].Exists():
			r.twice(m)
		default:
			seen[part] = m
			r.mapField(part, m)
		}
	}
	if len(r.sizes) < 2 && !seen[descriptor.StridesPart].Exists() {
		seen[descriptor.StridesPart] = seen[descriptor.SizesPart] // for a single size, the driver needs no strides
	}
	var missing []string
	for _, f := range descriptor.FieldNames {
		if f.In == descriptor.DriverNames && slices.Contains(mapNeeds[:], f.Part) && !seen[f.Part].Exists() {
			missing = append(missing, f.Name)
		}
	}
	if missing != nil {
		r.wrong(configKey, v, "all in the words of the driver, or none", "the tensor map has no %s",
			strings.Join(missing, ", "))
	}
	if n := len(r.strides); r.ok && n != max(len(r.sizes)-1, 0) {
		r.wrong(descriptor.ConfigValue, seen[descriptor.StridesPart], "one for each size but the innermost",
			"globalStrides has %d, and globalDim %d", n, len(r.sizes))
	}
	if r.ok {
		d.SetMap(d.Map, r.sizes, r.strides)
		r.file.Descriptors = append(r.file.Descriptors, d)
	}
}

// foreignKey reports a key that the driver does not have.
func (r *configReader) foreignKey(m doctree.Value) {
	if ours := fieldOf(m, descriptor.ConfigNames).Part; ours != descriptor.Whole {
		r.wrong(configKey, keyLocator{m}, "all in the words of the driver, or none",
			"%s is not a word of the driver, and globalDim is", quote(m.Key()))
		return
	}
	r.unknown(m, "a tensor map", descriptor.NamesIn(descriptor.DriverNames))
	r.ok = false
}

// mapField reads a field of a tensor map in the driver's vocabulary.
func (r *configReader) mapField(part descriptor.Part, v doctree.Value) {
	switch part {
	case descriptor.SizesPart:
		r.sizes = r.plain(v)
	case descriptor.StridesPart:
		r.strides = r.numbers(v, nil, shape.ParseStrides, false)
	case descriptor.NamePart:
		r.d.Name = r.text(v, "a name")
	case descriptor.TargetPart:
		if target, ok := r.target(v); ok {
			r.file.Target = target
		}
	case descriptor.TypePart:
		r.readMap(part, v)
	default:
		r.read(part, descriptor.DriverNames, v)
	}
}

// A mapSource locates the parts of a tensor map in the driver's vocabulary. Its lists are innermost first.
type mapSource struct{ fieldSource }

// Place returns the position of a part or of its item.
func (s *mapSource) Place(p descriptor.Part, item int) finding.Place {
	if item >= 0 {
		for m := range s.object.Items {
			if fieldOf(m, s.in).Part == p {
				item = max(m.Len()-1-item, -1)
			}
		}
	}
	return s.fieldSource.Place(p, item)
}

// Edits returns nil, because the driver's numbers are bytes.
func (s *mapSource) Edits(descriptor.Part, []int64) []finding.Edit { return nil }
