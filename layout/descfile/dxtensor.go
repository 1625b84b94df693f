package descfile

import (
	"math"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
)

// dxFields are the members of a tensor descriptor, and those that only one alone may have.
var dxFields = [...]string{"DataType", "Sizes", "Strides", "DimensionCount", "Flags", "TotalTensorSizeInBytes", "GuaranteedBaseOffsetAlignment", "Type", "Desc", "role", "target"}

// dxParts are the members that parts of descriptors are; the others have none.
var dxParts = [...]string{
	rules.TypePart: "DataType", rules.SizesPart: "Sizes", rules.StridesPart: "Strides",
	rules.LayoutPart: "", rules.BasePart: "", rules.CountPart: "DimensionCount",
	rules.TotalPart: "TotalTensorSizeInBytes", rules.AlignmentPart: "GuaranteedBaseOffsetAlignment", rules.FlagsPart: "Flags",
}

// A dxSource knows where the fields of a descriptor stand.
type dxSource struct{ desc doctree.Value }

// Place returns the place of a field, or of the descriptor when it does not have that.
func (s dxSource) Place(p rules.Part, item int) rules.Place {
	if field, ok := s.desc.Get(dxParts[p]); ok {
		return itemOf(field, item).Place()
	}
	return s.desc.Place()
}

// tensor reads a descriptor into the file; it reports false when the program could not.
func (r *dxReader) tensor(v doctree.Value, d rules.Descriptor) bool {
	switch v.Kind() {
	case doctree.Object:
	case doctree.Null:
		r.find(rules.JSONNullTensor, v, d.Name, "leave the member out", "null is no tensor: the program expects an object that is not null")
		return false
	default:
		r.wrong(v, d.Name, "a tensor descriptor")
		return false
	}
	desc, ok := r.nested(v, d.Name)
	if !ok {
		return false
	}
	d.Source = dxSource{desc}
	missed := r.nearKeys(desc, d.Name)
	ok = r.dataType(desc, &d, missed)
	ok = r.shape(desc, &d, missed) && ok
	r.flags(desc, &d)
	d.Count = r.unsigned(desc, "DimensionCount", d.Name, math.MaxUint32)
	d.Total = r.unsigned(desc, "TotalTensorSizeInBytes", d.Name, math.MaxInt64)
	d.Computed = d.Computed || !d.Total.Stated
	d.Alignment = r.unsigned(desc, "GuaranteedBaseOffsetAlignment", d.Name, math.MaxUint32)
	if ok {
		r.f.Descriptors = append(r.f.Descriptors, d)
	}
	return ok
}

// nested returns the object that holds the fields: the tensor's Desc, or itself.
func (r *dxReader) nested(v doctree.Value, name string) (desc doctree.Value, ok bool) {
	if t, ok := v.Get("Type"); ok && !t.Is(dxBuffer) && !t.Is("BUFFER") {
		r.find(rules.JSONField, t, name, "write "+dxBuffer, "%s is no type of tensor", dxQuote(t.Text()))
		return v, false
	}
	desc, ok = v.Get("Desc")
	if !ok {
		return v, true
	}
	if desc.Kind() != doctree.Object {
		r.wrong(desc, name, "an object")
		return v, false
	}
	return desc, true
}

// nearKeys reports names that are almost those of fields. It returns the fields that the program
// will miss, as bits in their order.
func (r *dxReader) nearKeys(desc doctree.Value, tensor string) (missed uint) {
	for m := range r.members(desc) {
		known := false
		for _, f := range dxFields {
			known = known || m.IsKey(f)
		}
		if known {
			continue
		}
		near := r.near(m.Key(), dxFields[:7])
		if near == "" {
			continue
		}
		if _, ok := desc.Get(near); ok {
			near = ""
		}
		for i, f := range dxFields {
			if f == near {
				missed |= 1 << i
				r.find(rules.JSONKeyCase, keyLocator{m}, tensor, "write "+f, "%s is not %s: %s", dxQuote(m.Key()), f, dxOutcome(i))
			}
		}
	}
	return missed
}

// dxOutcome says what the program does without field i.
func dxOutcome(i int) string {
	switch dxFields[i] {
	case "DataType", "Sizes":
		return "the program says that the field is required"
	case "Strides":
		return "the program ignores it, and takes the tensor as packed"
	case "TotalTensorSizeInBytes":
		return "the program ignores it, and computes the total"
	}
	return "the program ignores it"
}

// dataType reads the element type, in full or without its prefix.
func (r *dxReader) dataType(desc doctree.Value, d *rules.Descriptor, missed uint) bool {
	v, ok := desc.Get("DataType")
	switch {
	case !ok && missed&1 != 0:
		return false
	case !ok:
		r.lacks(desc, d.Name, "DataType")
		return false
	case v.Kind() != doctree.String:
		r.wrong(v, d.Name, "the name of a data type")
		return false
	}
	d.TypeName = v.Text()
	d.Type, d.TypeKnown = dxDType(d.TypeName)
	if r.foreign() && !d.TypeKnown {
		t, err := layout.ParseDType(d.TypeName)
		d.Type, d.TypeKnown = t, err == nil
	}
	return true
}

// dxDType returns the type that the program knows by a name.
func dxDType(name string) (layout.DType, bool) {
	name = strings.TrimPrefix(name, dxType)
	for t := range layout.DTypes {
		if t.Info().DirectML == name && name != "" {
			return t, true
		}
	}
	return 0, false
}

// shape reads sizes and strides. Strides of no numbers are none.
func (r *dxReader) shape(desc doctree.Value, d *rules.Descriptor, missed uint) bool {
	v, ok := desc.Get("Sizes")
	switch {
	case ok:
		d.Sizes, ok = r.numbers(v, d.Name)
	case missed&2 == 0:
		r.lacks(desc, d.Name, "Sizes")
	}
	if v, stated := desc.Get("Strides"); stated {
		strides, read := r.numbers(v, d.Name)
		ok = ok && read
		if d.Strides = strides; len(strides) == 0 {
			d.Strides = nil
		}
	}
	return ok
}

// flags reads a flag, or a list of flags.
func (r *dxReader) flags(desc doctree.Value, d *rules.Descriptor) {
	v, ok := desc.Get("Flags")
	switch {
	case !ok:
	case v.Kind() == doctree.String:
		d.Flags = []string{strings.TrimPrefix(v.Text(), dxFlag)}
	case v.Kind() == doctree.Array:
		for item := range v.Items {
			if item.Kind() != doctree.String {
				r.wrong(item, d.Name, "the name of a flag")
				continue
			}
			d.Flags = append(d.Flags, strings.TrimPrefix(item.Text(), dxFlag))
		}
	default:
		r.wrong(v, d.Name, "a flag or a list of flags")
	}
}
