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
		name, ok := p.text()
		if !ok || !p.take(':') {
			return false
		}
		f, in := fastField(name)
		switch {
		case f == noField:
			if !w.memory.isHarmless(name) || !p.skip() {
				return false
			}
		case seen&(1<<f) != 0 || !w.fastValue(&p, f, in):
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

// fastField is fieldOf, for the names of lines.
func fastField(name []byte) (field, vocabulary) {
	switch string(name) {
	case "DataType":
		return typeField, directML
	case "Sizes":
		return sizesField, directML
	case "Strides":
		return stridesField, directML
	case "TotalTensorSizeInBytes":
		return totalField, directML
	case "GuaranteedBaseOffsetAlignment":
		return alignmentField, directML
	case "Flags":
		return flagsField, directML
	case "DimensionCount":
		return countField, directML
	case "dtype":
		return typeField, ours
	case "sizes":
		return sizesField, ours
	case "strides":
		return stridesField, ours
	case "layout":
		return layoutField, ours
	case "storageOffset", "base":
		return baseField, ours
	case "totalBytes":
		return totalField, ours
	case "alignment":
		return alignmentField, ours
	case "flags":
		return flagsField, ours
	case "role":
		return roleField, ours
	case "operator":
		return operatorField, ours
	case "slot":
		return slotField, ours
	case "name":
		return nameField, lineOnly
	case "target":
		return targetField, lineOnly
	}
	return noField, 0
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
		switch string(text) {
		case "input":
			w.d.Role = rules.Input
		case "output":
			w.d.Role = rules.Output
		default:
			return false
		}
	}
	return true
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
