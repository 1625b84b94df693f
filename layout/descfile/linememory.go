package descfile

import (
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/rules"
)

// A lineMemory keeps the words of lines before, which lines to come use again: so that words cost
// no room, and are looked up once.
type lineMemory struct {
	operator, slot, layout string
	flags                  [4]string
	types                  [16]knownWord
	nextType               int
	target                 string
	targetIs               rules.Target
	harmless               []string // names that are no fields, nor near one
}

// A knownWord is what the name of an element type means.
type knownWord struct {
	name  string
	in    vocabulary
	dtype layout.DType
	known bool
}

// remember returns the bytes as a text, that of the line before if it is the same.
func remember(last *string, text []byte) string {
	if string(text) != *last {
		*last = string(text)
	}
	return *last
}

// dtype returns what the name of an element type means.
func (m *lineMemory) dtype(name []byte, in vocabulary) *knownWord {
	for i := range m.types {
		if t := &m.types[i]; t.in == in && t.name == string(name) {
			return t
		}
	}
	t := &m.types[m.nextType%len(m.types)]
	m.nextType++
	*t = knownWord{name: string(name), in: in}
	if in == directML {
		t.dtype, t.known = dxDType(t.name)
		return t
	}
	d, err := layout.ParseDType(t.name)
	t.dtype, t.known = d, err == nil
	return t
}

// targetOf returns what the name of a target means.
func (m *lineMemory) targetOf(name []byte) (rules.Target, bool) {
	if string(name) != m.target || m.target == "" {
		t, err := rules.ParseTarget(string(name))
		if err != nil {
			return t, false
		}
		m.target, m.targetIs = string(name), t
	}
	return m.targetIs, true
}

// isHarmless reports whether a name is known to be no field's, nor near one.
func (m *lineMemory) isHarmless(name []byte) bool {
	for _, h := range m.harmless {
		if h == string(name) {
			return true
		}
	}
	return false
}

func (m *lineMemory) addHarmless(name string) {
	const most = 32
	if len(m.harmless) < most && len(name) <= 64 {
		m.harmless = append(m.harmless, strings.Clone(name))
	}
}
