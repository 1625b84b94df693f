package descfile

import (
	"strings"

	"layoutcalc/layout/rules"
)

// fast reads a line that is written as programs write them: known names, once each, texts without
// escapes, and numbers of up to 18 digits. It reports false for any other, right or wrong, whose
// tree is to be read.
func (w *lineWorker) fast() bool {
	p := fastLine{b: w.line}
	if !p.take('{') {
		return false
	}
	seen := uint32(0)
	for {
		f, ok := w.fastMember(&p, seen)
		if !ok {
			return false
		}
		seen |= 1 << f
		switch p.next() {
		case ',':
			p.i++
		case '}':
			p.i++
			const needed = 1<<typeField | 1<<sizesField
			return seen&needed == needed && p.ended()
		default:
			return false
		}
	}
}

// fastMember reads a name and what it stands for; not the name of a field that has been there.
func (w *lineWorker) fastMember(p *fastLine, seen uint32) (f field, ok bool) {
	name, ok := p.text()
	if !ok || !p.take(':') {
		return noField, false
	}
	f, in := fastField(name)
	if f == noField {
		return f, w.memory.isHarmless(name) && p.skip()
	}
	return f, seen&(1<<f) == 0 && w.fastValue(p, f, in)
}

// fastField is fieldOf, for the names of lines: DirectML's start with a capital letter.
func fastField(name []byte) (field, vocabulary) {
	if len(name) > 0 && name[0] < 'a' {
		return fastDirectML(name), directML
	}
	switch string(name) {
	case "name":
		return nameField, lineOnly
	case "target":
		return targetField, lineOnly
	}
	return fastOurs(name), ours
}

func fastDirectML(name []byte) field {
	switch string(name) {
	case "DataType":
		return typeField
	case "Sizes":
		return sizesField
	case "Strides":
		return stridesField
	case "TotalTensorSizeInBytes":
		return totalField
	case "GuaranteedBaseOffsetAlignment":
		return alignmentField
	case "Flags":
		return flagsField
	case "DimensionCount":
		return countField
	}
	return noField
}

func fastOurs(name []byte) field {
	switch string(name) {
	case "dtype":
		return typeField
	case "sizes":
		return sizesField
	case "strides":
		return stridesField
	case "layout":
		return layoutField
	case "storageOffset", "base":
		return baseField
	case "totalBytes":
		return totalField
	case "alignment":
		return alignmentField
	case "flags":
		return flagsField
	case "role":
		return roleField
	case "operator":
		return operatorField
	case "slot":
		return slotField
	}
	return noField
}

// fastValue reads the value of a field.
func (w *lineWorker) fastValue(p *fastLine, f field, in vocabulary) (ok bool) {
	switch f {
	case sizesField:
		w.sizes, ok = p.integers(w.sizes)
		w.d.Sizes = w.sizes
	case stridesField:
		w.stride, ok = p.integers(w.stride)
		w.d.Strides = w.stride
	case totalField:
		w.d.Total, ok = p.number()
	case alignmentField:
		w.d.Alignment, ok = p.number()
	case countField:
		w.d.Count, ok = p.number()
	case baseField:
		var n rules.Number
		n, ok = p.number()
		ok = ok && n.Value >= 0
		w.d.Base = n.Value
	case flagsField:
		ok = w.fastFlags(p)
	default:
		var text []byte
		if text, ok = p.text(); ok {
			ok = w.fastText(text, f, in)
		}
	}
	return ok
}

// fastText takes the text of a field; it reports false when that means nothing.
func (w *lineWorker) fastText(text []byte, f field, in vocabulary) bool {
	m := &w.memory
	switch f {
	case typeField:
		t := m.dtype(text, in)
		w.d.TypeName, w.d.Type, w.d.TypeKnown = t.name, t.dtype, t.known
		w.native = in == directML
		return t.known
	case layoutField:
		w.d.Layout = remember(&m.layout, text)
	case operatorField:
		w.d.Operator = strings.TrimPrefix(remember(&m.operator, text), dxOperator)
	case slotField:
		w.d.Slot = remember(&m.slot, text)
	case nameField:
		w.name = text
	case targetField:
		w.target, w.said = m.targetOf(text)
		return w.said
	case roleField:
		w.d.Role = fastRole(text)
		return w.d.Role != rules.UnknownRole
	}
	return true
}

func fastRole(text []byte) rules.Role {
	switch string(text) {
	case "input":
		return rules.Input
	case "output":
		return rules.Output
	}
	return rules.UnknownRole
}

// fastFlags reads a flag, or a list of them.
func (w *lineWorker) fastFlags(p *fastLine) bool {
	list := p.take('[')
	if list && p.take(']') {
		w.d.Flags = w.flag
		return true
	}
	for {
		text, ok := p.text()
		if !ok || len(w.flag) == len(w.memory.flags) {
			return false
		}
		flag := remember(&w.memory.flags[len(w.flag)], text)
		w.flag = append(w.flag, strings.TrimPrefix(flag, dxFlag))
		w.d.Flags = w.flag
		if !list || p.take(']') {
			return true
		}
		if !p.take(',') {
			return false
		}
	}
}
