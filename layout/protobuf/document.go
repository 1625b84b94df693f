package protobuf

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/lexer"
)

// message returns the type of a message, or nil for other values.
func (d *Document) message(at int32) *Message {
	if at == Root {
		return d.root
	}
	if f := d.values[at].field; f != nil {
		return f.Message
	}
	return nil
}

// Name returns the name of the field of a value.
func (d *Document) Name(at int32) string {
	if f := d.values[at].field; f != nil {
		return f.Name
	}
	start := int(d.values[at].name)
	end := start
	for end < len(d.data) && lexer.IsWord(d.data[end]) {
		end++
	}
	return string(d.data[start:end])
}

// Place returns the position of a value, and NamePlace returns the position of the name of its field.
func (d *Document) Place(at int32) doctree.Place { return d.mark.Place(d.data, int(d.values[at].at)) }
func (d *Document) NamePlace(at int32) doctree.Place {
	return d.mark.Place(d.data, int(d.values[at].name))
}

// Len returns the number of values in a message, including values of messages inside it.
func (d *Document) Len(message int32) int { return int(d.values[message].after - message - 1) }

// Items yields the values in a message.
func (d *Document) Items(message int32) func(func(int32) bool) {
	return func(yield func(int32) bool) {
		for i := message + 1; i < d.values[message].after; i = d.values[i].after {
			if !yield(i) {
				return
			}
		}
	}
}

// All yields the values of a field of a message.
func (d *Document) All(message int32, name string) func(func(int32) bool) {
	return func(yield func(int32) bool) {
		if message == Absent {
			return
		}
		field := d.message(message).Field(name)
		for i := range d.Items(message) {
			if v := &d.values[i]; field != nil && v.field == field && v.kind != emptyKind && !yield(i) {
				return
			}
		}
	}
}

// CountOf returns the number of values of a field of a message.
func (d *Document) CountOf(message int32, name string) (n int) {
	for range d.All(message, name) {
		n++
	}
	return n
}

// One returns the last value of a field, or Absent if the field is not stated.
func (d *Document) One(message int32, name string) (at int32) {
	for i := range d.All(message, name) {
		at = i
	}
	return at
}

// Path calls step with each value on the way from the whole message to a value, and with the number of values of the
// same field before it, which is -1 if the field is not repeated.
func (d *Document) Path(at int32, step func(at int32, before int)) {
	if at <= Root {
		return
	}
	d.Path(d.values[at].parent, step)
	before := -1
	if f := d.values[at].field; f != nil && f.Repeated {
		before = d.before(at)
	}
	step(at, before)
}

// A tally is the number of values of a field in a message before one of them. The next lookup is usually near it.
type (
	tally struct {
		at int32
		n  int
	}
	tallied struct {
		message int32
		field   *Field
	}
)

// before returns the number of values of the same field before a value in its message.
func (d *Document) before(at int32) int {
	v := &d.values[at]
	key := tallied{v.parent, v.field}
	last, ok := d.tallies[key]
	if !ok || last.at > at {
		last = tally{at: v.parent + 1}
	}
	for ; last.at < at; last.at = d.values[last.at].after {
		if o := &d.values[last.at]; o.field == v.field && o.kind != emptyKind {
			last.n++
		}
	}
	if d.tallies == nil {
		d.tallies = map[tallied]tally{}
	}
	d.tallies[key] = last
	return last.n
}

// Word returns a value as written.
func (d *Document) Word(at int32) string { return string(d.data[d.values[at].at:d.values[at].end]) }

// unsigned returns a number or a word without its sign.
func (d *Document) unsigned(at int32) string {
	word := d.Word(at)
	if d.values[at].minus {
		word = word[strings.LastIndexAny(word, "- \t\r\n\v\f")+1:]
	}
	return word
}

// IsEmpty reports whether a value is a list without items.
func (d *Document) IsEmpty(at int32) bool { return d.values[at].kind == emptyKind }

// IsInteger reports whether a value is written as an integer.
func (d *Document) IsInteger(at int32) bool { return d.values[at].kind == integerKind }

// Integer returns an integer between two bounds. If it does not fit in an int64, it returns the bits of an unsigned
// integer.
func (d *Document) Integer(at int32, low int64, high uint64) (n int64, ok bool) {
	v := &d.values[at]
	if v.kind != integerKind {
		return 0, false
	}
	u, err := strconv.ParseUint(d.unsigned(at), 0, 64) // in Go, a leading 0 also means octal
	switch {
	case err != nil:
		return 0, false
	case v.minus:
		return int64(-u), low < 0 && u <= uint64(-(low+1))+1
	}
	return int64(u), u <= high
}

// Real returns a number of a floating-point field.
func (d *Document) Real(at int32) (n float64, ok bool) {
	v := &d.values[at]
	if at == Absent {
		return 0, false
	}
	word := d.unsigned(at)
	if v.kind != wordKind {
		word = strings.TrimRight(word, "fF")
	}
	n, err := strconv.ParseFloat(word, 64)
	if v.minus {
		n = -n
	}
	return n, err == nil
}

// Truth returns a value that is true or false.
func (d *Document) Truth(at int32) bool {
	if n, ok := d.Integer(at, 0, 1); ok {
		return n == 1
	}
	return at != Absent && strings.IndexByte("tT", d.data[d.values[at].at]) >= 0
}

// Enum returns the number of a value of an enumeration, or -1 if the enumeration does not have it.
func (d *Document) Enum(at int32) int64 {
	if n, ok := d.Integer(at, math.MinInt32, math.MaxInt32); ok || at == Absent {
		return n
	}
	f := d.values[at].field
	if f == nil || f.Enum == nil {
		return -1
	}
	return int64(slices.Index(f.Enum.Values, d.Word(at)))
}

// Text returns a string without its quotes, and with its parts joined.
func (d *Document) Text(at int32) string {
	v := &d.values[at]
	if v.kind != stringKind {
		return ""
	}
	raw := d.data[v.at:v.end]
	if inside := raw[1 : len(raw)-1]; bytes.IndexByte(inside, '\\') < 0 && bytes.IndexByte(inside, raw[0]) < 0 {
		return string(inside) // one part without escapes
	}
	return unquote(raw)
}
