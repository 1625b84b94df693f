package protobuf

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"layoutcalc/layout/wording"
)

// A FaultKind is the kind of a Fault.
type FaultKind uint8

// The kinds of Faults.
const (
	WrongValue   FaultKind = iota
	UnknownField           // about the name of a value
	RepeatedKey            // a map has the key twice
)

// A Fault describes a value that violates the schema.
type Fault struct {
	Message, Fix string
	IsNewer      bool // an unknown field may belong to a newer schema
}

// A judge compares a document with its schema.
type judge struct {
	*Document
	whole  string
	meant  func(word string, of *Enum) string
	report func(kind FaultKind, at int32, fault func() Fault)
}

// Judge compares the text with its schema, and reports each value that breaks it. Messages call the document whole, and
// meant returns the correction of a word that its enumeration does not have.
func (d *Document) Judge(whole string, meant func(word string, of *Enum) string,
	report func(kind FaultKind, at int32, fault func() Fault)) {
	j := judge{d, whole, meant, report}
	j.message(d.root, Root)
}

// wrong reports a value that its field cannot have.
func (j *judge) wrong(at int32, fix, format string, args ...any) bool {
	j.report(WrongValue, at, func() Fault { return Fault{Message: fmt.Sprintf(format, args...), Fix: fix} })
	return false
}

// message compares the values in a message with its fields.
func (j *judge) message(m *Message, message int32) {
	o := judgedMessage{judge: j, message: m, last: -1}
	for at := range j.Items(message) {
		v, f := &j.values[at], j.values[at].field
		if !o.fits(at) {
			continue
		}
		if j.isValue(f, at) && !f.Repeated && (!j.isDefault(f, at) || f.Oneof != "") {
			o.seen[f.Number] = at
		}
		if f.Type != MessageType || v.kind != messageKind {
			continue
		}
		j.message(f.Message, at)
		if f.Message.Name == "" {
			o.entry(at)
		}
	}
}

// A judgedMessage is the part of a message that was read so far.
type judgedMessage struct {
	*judge
	message *Message
	seen    [maxNumber + 1]int32 // by the number of the field; the first value that is not the default
	keys    map[string]bool      // the name of the field and the key, for entries of maps
	last    int32                // the previous name, or -1; all values in brackets have one
}

// fits reports whether the message can have the value, and reports a value that it cannot have.
func (o *judgedMessage) fits(at int32) bool {
	v, f := &o.values[at], o.values[at].field
	isFirst := v.name != o.last
	o.last = v.name
	switch {
	case f == nil && isFirst:
		o.report(UnknownField, at, func() Fault { return o.unknown(o.message, o.Name(at)) })
		return false
	case f == nil || !isFirst && (!f.Repeated || !v.colon && f.Type != MessageType):
		return false // it has been reported
	case (v.listed || v.kind == emptyKind) && !f.Repeated:
		o.wrong(at, "remove the brackets", "%s has one value, not a list", f.Name)
		return false
	case !f.Repeated && o.seen[f.Number] != 0:
		o.wrong(at, "remove one of them", "%s is stated twice", f.Name)
		return false
	case f.Oneof == "":
		return true
	}
	isRival := func(other *Field) bool {
		return other != f && other.Oneof == f.Oneof && o.seen[other.Number] != 0
	}
	i := slices.IndexFunc(o.message.fields, isRival)
	if i >= 0 {
		o.wrong(at, "remove one of them", "%s and %s cannot both be stated", o.message.fields[i].Name, f.Name)
	}
	return i < 0
}

// entry reports the entry of a map if an earlier entry has its key.
func (o *judgedMessage) entry(at int32) {
	f := o.values[at].field
	text := o.key(o.One(at, "key"))
	key := f.Name + "\x00" + text
	if o.keys[key] {
		o.report(RepeatedKey, at, func() Fault {
			return Fault{Fix: "remove one of them", Message: fmt.Sprintf(
				"%s has the key %s twice: the last one holds", f.Name, wording.Quote(text))}
		})
	}
	if o.keys == nil {
		o.keys = map[string]bool{}
	}
	o.keys[key] = true
}

// key returns the key of an entry of a map, which is a string or an integer.
func (j *judge) key(at int32) string {
	if n, ok := j.Integer(at, math.MinInt64, math.MaxUint64); ok {
		return strconv.FormatUint(uint64(n), 10)
	}
	return j.Text(at)
}

// unknown returns the Fault for a field that a message does not have. It may be a field of a newer schema unless the
// name looks misspelt or misplaced.
func (j *judge) unknown(m *Message, name string) Fault {
	var known []string
	for _, f := range m.Fields() {
		known = append(known, f.Name)
	}
	what := m.Name
	switch {
	case m == j.root:
		what = j.whole
	case m.Name == "":
		what = "an entry of a map"
	}
	f := Fault{Message: fmt.Sprintf("%s has no field %s", what, wording.Quote(name))}
	hasField := func(m *Message) bool { return m.Field(name) != nil }
	if near := wording.Nearest(name, known); near != "" {
		f.Fix = "did you mean " + near + "?"
	} else if i := slices.IndexFunc(m.schema.Messages, hasField); i >= 0 {
		f.Fix = "it is a field of " + m.schema.Messages[i].Name
	}
	f.IsNewer = f.Fix == "" && strings.ToLower(name) == name
	return f
}

// A quotedWord is a value in quotes for a message. It is read when the message is formatted.
type quotedWord struct {
	document *Document
	at       int32
}

func (w quotedWord) String() string { return wording.Quote(w.document.Word(w.at)) }

// isValue reports whether a field can have a value. If not, it records a Fault.
func (j *judge) isValue(f *Field, at int32) bool {
	v, word, noun := &j.values[at], quotedWord{j.Document, at}, types[f.Type].noun
	isMessage, hasMessage := v.kind == messageKind, f.Type == MessageType
	switch {
	case !hasMessage && !v.colon:
		return j.wrong(at, "write "+f.Name+": ", "a colon is missing after %s", f.Name)
	case v.kind == emptyKind || hasMessage && isMessage:
		return true
	case hasMessage:
		return j.wrong(at, "write "+f.Name+" { }", "%s is a message in braces, not %v", f.Name, word)
	case isMessage && f.Type == EnumType:
		return j.wrong(at, "", "%s is one of %s, not a message in braces", f.Name, strings.Join(f.Enum.Values, ", "))
	case isMessage:
		return j.wrong(at, "", "%s is %s, not a message in braces", f.Name, noun)
	}
	ok, fix := false, ""
	switch f.Type {
	case StringType, BytesType:
		ok, fix = v.kind == stringKind, "put it in quotes"
	case BoolType:
		_, isNumber := j.Integer(at, 0, 1)
		isWord := v.kind == wordKind &&
			slices.Contains([]string{"true", "True", "t", "false", "False", "f"}, j.Word(at))
		ok = (isWord || isNumber) && !v.minus
	case FloatType, DoubleType:
		noun = "a decimal number"
		digits := j.unsigned(at)
		ok = v.kind == floatKind || v.kind == integerKind && (digits[0] != '0' || len(digits) == 1) ||
			v.kind == wordKind && slices.Contains([]string{"inf", "infinity", "nan"}, strings.ToLower(digits))
	case EnumType:
		return j.isEnum(f, at)
	default:
		return j.isInteger(f, at)
	}
	return ok || j.wrong(at, fix, "%s is %s, not %v", f.Name, noun, word)
}

// isEnum reports whether a value belongs to an enumeration. If not, it records a Fault.
func (j *judge) isEnum(f *Field, at int32) bool {
	switch v := &j.values[at]; {
	case v.kind == stringKind:
		return j.wrong(at, "remove the quotes", "%s is a word without quotes, not %s", f.Name,
			wording.Clip(j.Word(at)))
	case v.kind != wordKind || v.minus:
		return j.isInteger(f, at)
	case slices.Contains(f.Enum.Values, j.Word(at)):
		return true
	}
	j.report(WrongValue, at, func() Fault {
		word := j.Word(at)
		return Fault{Message: fmt.Sprintf("%s cannot be %s", f.Name, wording.Quote(word)), Fix: j.meant(word, f.Enum)}
	})
	return false
}

// isInteger reports whether a value is an integer that the field can have. If not, it records a Fault.
func (j *judge) isInteger(f *Field, at int32) bool {
	low, high := types[f.Type].low, types[f.Type].high
	if _, ok := j.Integer(at, low, high); ok {
		return true
	}
	word := quotedWord{j.Document, at}
	if n, err := strconv.ParseInt(j.Text(at), 10, 64); j.values[at].kind == stringKind && err == nil {
		return j.wrong(at, fmt.Sprint("write ", n), "%s is an integer without quotes, not %s", f.Name,
			wording.Clip(j.Word(at)))
	}
	if !j.IsInteger(at) {
		return j.wrong(at, "", "%s is an integer, not %v", f.Name, word)
	}
	return j.wrong(at, "", "%s is from %d to %d, not %v", f.Name, low, high, word)
}

// isDefault reports whether a value is the default of its field.
func (j *judge) isDefault(f *Field, at int32) bool {
	switch f.Type {
	case StringType, BytesType:
		return j.Text(at) == ""
	case MessageType:
		return false
	case BoolType:
		return !j.Truth(at)
	case EnumType:
		return j.Enum(at) == 0
	case FloatType, DoubleType:
		n, ok := j.Real(at)
		return ok && n == 0 && !j.values[at].minus
	}
	n, _ := j.Integer(at, math.MinInt64, math.MaxUint64)
	return n == 0
}
