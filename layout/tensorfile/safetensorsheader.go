package tensorfile

import (
	"math"

	"layoutcalc/layout"
	"layoutcalc/layout/rules"
)

// A safetensorsReader reads the header in one pass, in pieces: the JSON that the format allows,
// which has no comments and no trailing commas.
type safetensorsReader struct {
	*tensorFile
	data      int64 // the bytes behind the header
	depth     int
	text      []byte // room for a string or a number
	tensor    entry  // the one that is read
	commented bool   // a comment is reported
	described bool   // __metadata__ has been there
}

// header reads the object that is the header, and the blanks behind it.
func (s *safetensorsReader) header() {
	if s.peek() != '{' {
		s.find(rules.FileHeader, "", "", "the header does not start with {")
		s.space()
	}
	s.members(s.member)
	for s.peek() == ' ' {
		s.at++
	}
	if at := s.pos(); s.fault == nil && s.left() > 0 {
		s.find(rules.FileHeader, "", "", "something stands behind the JSON of the header, at byte %d: only spaces pad it", at)
	}
}

// member reads a member of the header: a tensor, or what is said of the whole file.
func (s *safetensorsReader) member() {
	length := s.str()
	if string(s.text) == "__metadata__" {
		s.metadata()
		return
	}
	s.tensor = entry{name: string(s.text), length: length, row: -1}
	if !s.colon() || !s.object(s.tensor.name, "the entry") {
		s.lost = true
		return
	}
	s.members(s.entryMember)
	if s.fault == nil {
		s.judge(&s.tensor)
	}
}

// metadata reads the map of texts that belongs to no tensor.
func (s *safetensorsReader) metadata() {
	if s.described {
		s.find(rules.FileHeader, "", "", "__metadata__ is there twice")
	}
	s.described = true
	if !s.colon() || !s.object("", "__metadata__") {
		return
	}
	s.members(func() {
		s.str()
		if s.colon() && s.peek() != '"' {
			s.find(rules.FileHeader, "", "", "a value of __metadata__, at byte %d, is no text", s.pos())
		}
		s.value()
	})
}

// entryMember reads a key of what is said of a tensor, and its value.
func (s *safetensorsReader) entryMember() {
	e := &s.tensor
	s.str()
	for i, k := range entryKeys {
		if k != string(s.text) {
			continue
		}
		if e.said[i] {
			s.find(rules.FileHeader, e.name, "", "the entry says %s twice", k)
		}
		e.said[i] = true
		if s.colon() {
			s.entryValue(e, i)
		}
		return
	}
	s.findAs(rules.FileHeader, rules.Warning, e.name, "", "the format does not know the key %s of an entry", quoted(string(s.text)))
	if s.colon() {
		s.value()
	}
}

// entryValue reads the value of a key of an entry.
func (s *safetensorsReader) entryValue(e *entry, key int) {
	var room [layout.MaxRank]int64
	at, n, ok := s.pos(), 0, false
	switch key {
	case dtypeKey:
		if ok = s.peek() == '"'; ok {
			s.dtype(e)
		} else {
			s.value()
		}
	case shapeKey:
		if n, ok = s.integers(room[:]); ok {
			e.sizes = s.sizes(n)
			copy(e.sizes, room[:n])
		}
	case offsetsKey:
		n, ok = s.integers(e.offsets[:])
		ok = ok && n == len(e.offsets)
	}
	if e.has[key] = ok; !ok {
		s.find(rules.FileHeader, e.name, "", "%s, at byte %d, is not %s", entryKeys[key], at, entryValues[key])
	}
}

// dtype reads a type, whose spelling is the table's own if it has it.
func (s *safetensorsReader) dtype(e *entry) {
	s.str()
	if e.row = safetensorsRow(s.text); e.row >= 0 {
		e.dtype = safetensorsTypes[e.row].name
		return
	}
	e.dtype = string(s.text)
}

// integers reads a list of numbers that are not negative into dst, and returns how many there
// are. What is something else is stepped over.
func (s *safetensorsReader) integers(dst []int64) (n int, ok bool) {
	if s.peek() != '[' {
		s.value()
		return 0, false
	}
	ok = true
	s.list('[', ']', func() {
		v, whole := s.integer()
		if ok = ok && whole && n < len(dst); ok {
			dst[n] = v
			n++
		}
	})
	return n, ok
}

// integer reads a value; ok is false when it is no whole number that 63 bits hold.
func (s *safetensorsReader) integer() (v int64, ok bool) {
	if c := s.peek(); c < '0' || c > '9' {
		s.value()
		return 0, false
	}
	text := s.number()
	for _, c := range text {
		if c < '0' || c > '9' || v > (math.MaxInt64-int64(c-'0'))/10 {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	return v, len(text) > 0
}

// object reports whether an object comes next. If not, that is a finding, and the value is
// stepped over.
func (s *safetensorsReader) object(tensor, what string) bool {
	if s.peek() == '{' {
		return true
	}
	s.find(rules.FileHeader, tensor, "", "%s, at byte %d, is no object", what, s.pos())
	s.value()
	return false
}
