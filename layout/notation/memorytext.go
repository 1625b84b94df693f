package notation

import (
	"strings"

	"layoutcalc/layout"
)

// A memoryText is a memory descriptor of a verbose line, taken apart. It has come in three forms:
// the type behind an underscore and no strides before v3.2, strides since then, and the type
// behind a colon since v3.6.
type memoryText struct {
	name, dtype, flags, kind, tag, strides, extra piece
	old                                           bool // of the first form
}

// A piece is a part of the text.
type piece struct {
	at   int
	text string
}

// cut splits a piece at the first separator.
func (p piece) cut(separator byte) (before, behind piece) {
	i := strings.IndexByte(p.text, separator)
	if i < 0 {
		return p, piece{p.at + len(p.text), ""}
	}
	return piece{p.at, p.text[:i]}, piece{p.at + i + 1, p.text[i+1:]}
}

// isMemoryKind reports whether a descriptor can be of that kind.
func isMemoryKind(text string) bool {
	switch text {
	case "blocked", "any", "wino", "rnn_packed", "sparse", "opaque", "undef":
		return true
	}
	return false
}

// memoryText takes a descriptor apart; ok is false when it is none.
func (p piece) memoryText() (m memoryText, ok bool) {
	var fields [4]piece
	rest := p
	for i := range fields {
		fields[i], rest = rest.cut(':')
		if i == 2 && isMemoryKind(fields[2].text) {
			break
		}
	}
	switch {
	case isMemoryKind(fields[2].text):
		m.flags, m.kind = fields[1], fields[2]
		m.name, m.dtype = fields[0].nameAndType()
	case isMemoryKind(fields[3].text):
		m.name, m.dtype, m.flags, m.kind = fields[0], fields[1], fields[2], fields[3]
	default:
		return m, false
	}
	if m.kind.text == "blocked" || m.kind.text == "sparse" || m.kind.text == "any" {
		m.tag, rest = rest.cut(':')
	}
	if !isExtra(rest.text) {
		m.strides, rest = rest.cut(':')
	} else {
		m.old = m.kind.text == "blocked" && isMemoryKind(fields[2].text)
	}
	m.extra = rest
	return m, true
}

// isExtra reports whether a field is the one of flags behind the layout: f and a number.
func isExtra(text string) bool { return len(text) > 1 && text[0] == 'f' && isDigit(text[1]) }

// nameAndType splits the first field of the older forms, src_f32. Both parts may have
// underscores: the type is the longest one that oneDNN knows.
func (p piece) nameAndType() (name, dtype piece) {
	for i := range len(p.text) {
		if p.text[i] == '_' && isOneDNNType(p.text[i+1:]) {
			return piece{p.at, p.text[:i]}, piece{p.at + i + 1, p.text[i+1:]}
		}
	}
	return p.cut('_')
}

// isOneDNNType reports whether oneDNN has a type of that name.
func isOneDNNType(text string) bool {
	if text == "undef" || text == "f4_e3m0" {
		return true
	}
	for d := range layout.DTypes {
		if d.Info().OneDNN == text && text != "" {
			return true
		}
	}
	return false
}

// memory notes the tensor of a descriptor.
func (r *reader) memory(m memoryText, sizes []int64) {
	if m.dtype.text == "" {
		r.fail(m.name.at, "such as src:f32::blocked:acdb::f0", "a descriptor is NAME:TYPE:FLAGS:KIND:TAG:STRIDES:f0, and here something is missing")
		return
	}
	r.memoryNotes(m)
	r.pos = m.dtype.at
	dtype := r.dtype()
	d := Descriptor{Name: m.name.text, Typed: true}
	tag := r.formatTag(m.tag.at, m.tag.text, len(sizes), false)
	if m.strides.text == "" || r.err != nil {
		r.tagged(d, dtype, tag, sizes)
		return
	}
	r.pos = m.strides.at
	strides := r.byX()
	if r.err == nil && r.pos != m.strides.at+len(m.strides.text) {
		r.unexpected("%s does not belong to the strides", r.rest())
	}
	r.tagStrided(d, dtype, tag, sizes, strides)
}

// memoryNotes notes what a descriptor says that a layout does not hold.
func (r *reader) memoryNotes(m memoryText) {
	name := m.name.text
	if strings.Contains(m.flags.text, "0") {
		r.skip("%s does not start at offset 0 (flag 0): the text does not say where", name)
	}
	if strings.Contains(m.flags.text, "o") {
		r.skip("%s has padding before its elements (flag o): the text does not say how much", name)
	}
	if strings.Contains(m.flags.text, "p") && !strings.ContainsAny(m.tag.text, "0123456789") {
		r.skip("%s is padded (flag p): without blocks the text does not say how much", name)
	}
	if extra, _, _ := strings.Cut(m.extra.text, "_mask"); extra != "f0" && extra != "" {
		r.skip("%s has more than its elements: %s", name, extra)
	}
	if m.old && !r.noted("before v3.2") {
		r.skip("before v3.2 the text does not say strides: read as without gaps")
	}
}

// nothingLaidOut is the fault of a text whose tensors all had to be left out.
func (r *reader) nothingLaidOut() {
	if len(r.found) == 0 && len(r.skipped) > 0 {
		r.fail(0, "", "no tensor here has a layout: %s", r.skipped[0])
	}
}

// noted reports whether there is a note that starts like this.
func (r *reader) noted(start string) bool {
	for _, note := range r.skipped {
		if strings.HasPrefix(note, start) {
			return true
		}
	}
	return false
}
