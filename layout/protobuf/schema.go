// Package protobuf reads messages of protobuf, in the text format and in the wire format, by the schema of a .proto
// file.
//
// [ParseSchema] reads the schema. [ParseText] makes a [Document] of a text, whose values know their places, and
// [Document.Judge] compares it with the schema. A [Cursor] walks through the fields of a message in a file.
//
// It may import doctree and scan.
package protobuf

import (
	"math"
	"strconv"
	"strings"
)

// A Type is the type of the values of a field.
type Type uint8

// The types of values.
const (
	MessageType Type = iota
	EnumType
	StringType
	BytesType
	BoolType
	Int32Type
	Int64Type
	Uint32Type
	Uint64Type
	FloatType
	DoubleType
)

// types holds for each type its name in .proto files, the name of its values in messages, the wire type of one value,
// and the bounds of integers.
var types = [...]struct {
	name, noun string
	wire       wireType
	low        int64
	high       uint64
}{
	MessageType: {"", "", delimited, 0, 0},
	EnumType:    {"", "", varint, math.MinInt32, math.MaxInt32},
	StringType:  {"string", "a text", delimited, 0, 0},
	BytesType:   {"bytes", "a text", delimited, 0, 0},
	BoolType:    {"bool", "true or false", varint, 0, 1},
	Int32Type:   {"int32", "an integer", varint, math.MinInt32, math.MaxInt32},
	Int64Type:   {"int64", "an integer", varint, math.MinInt64, math.MaxInt64},
	Uint32Type:  {"uint32", "an integer", varint, 0, math.MaxUint32},
	Uint64Type:  {"uint64", "an integer", varint, 0, math.MaxUint64},
	FloatType:   {"float", "a number", fixed32, 0, 0},
	DoubleType:  {"double", "a number", fixed64, 0, 0},
}

// typeOf returns the type with a name, [MessageType] for the name of a message or an enumeration.
func typeOf(name string) Type {
	for t := StringType; t <= DoubleType; t++ {
		if types[t].name == name {
			return t
		}
	}
	return MessageType
}

// A Schema holds the messages and enumerations of a .proto file in the order of its text.
type Schema struct {
	Messages []*Message
	Enums    []*Enum
	fields   []*Field // by their index; 0 is none
}

// maxNumber is the greatest number of a field.
const maxNumber = 31

// A Message is a type of messages.
type Message struct {
	Name     string // with the messages around it, as in TypeProto.Tensor; empty for an entry of a map
	Fields   []*Field
	numbered [maxNumber + 1]uint8 // the places in Fields by numbers, from 1
}

// An Enum is an enumeration.
type Enum struct {
	Name   string
	Values []string // the names by their numbers, which start at 0 and have no gap
}

// A Field is a field of a message.
type Field struct {
	Name     string
	Number   int
	Type     Type
	Repeated bool   // also of a map, the entries of which are messages with a key and a value
	Oneof    string // of the fields with this name, a message has one at most
	Message  *Message
	Enum     *Enum

	typeName string
	index    uint16
	wires    uint8 // the wire types that its values can have, a bit for each
}

// Message returns the message of a name, nil where the schema has none.
func (s *Schema) Message(name string) *Message {
	for _, m := range s.Messages {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// Enum returns the enumeration of a name, nil where the schema has none.
func (s *Schema) Enum(name string) *Enum {
	for _, e := range s.Enums {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// Field returns the field of a name, nil where the message has none.
func (m *Message) Field(name string) *Field {
	for _, f := range m.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// index returns the index of the field of a name, 0 where the message has none.
func (m *Message) index(name []byte) uint16 {
	if m != nil {
		for _, f := range m.Fields {
			if f.Name == string(name) {
				return f.index
			}
		}
	}
	return 0
}

// messageOf returns the type of the messages in a field, nil where its values are no messages.
func (s *Schema) messageOf(field uint16) *Message {
	if f := s.fields[field]; f != nil {
		return f.Message
	}
	return nil
}

// A schemaReader reads a .proto file, a word or a sign at a time.
type schemaReader struct {
	Schema
	rest string
}

// ParseSchema reads a .proto file that is a part of the program, so that there are no errors. It knows messages,
// enumerations, maps and oneofs. Fields name a nested type in full, as in TypeProto.Tensor.
func ParseSchema(text string) *Schema {
	r := schemaReader{rest: text}
	r.fields = make([]*Field, 1, 256)
	for word := r.next(); word != ""; word = r.next() {
		switch word {
		case "message":
			r.message("")
		case "enum":
			r.enum("")
		}
	}
	for _, f := range r.fields[1:] {
		if f.Type == MessageType && f.Message == nil {
			if f.Message = r.Message(f.typeName); f.Message == nil {
				f.Type, f.Enum = EnumType, r.Enum(f.typeName)
			}
		}
		f.wires = 1 << types[f.Type].wire
		if f.Repeated {
			f.wires |= 1 << delimited // numbers may be written together
		}
	}
	return &r.Schema
}

// next returns the next word or sign, which is empty at the end.
func (r *schemaReader) next() (word string) {
	from, text := 0, r.rest
	for from < len(text) && (text[from] <= ' ' || text[from] == '/') {
		if text[from] == '/' {
			from += strings.IndexByte(text[from:], '\n')
		}
		from++
	}
	to := from
	for to < len(text) && isName(text[to]) {
		to++
	}
	to = min(max(to, from+1), len(text))
	r.rest = text[to:]
	return text[from:to]
}

// isName reports whether a character is part of a name: a letter, a digit, an underscore or a point.
func isName(c byte) bool { return c >= '0' && c <= 'z' && (c < ':' || c > '>') || c == '.' }

// untilSemicolon returns the text before the next semicolon.
func (r *schemaReader) untilSemicolon() (text string) {
	text, r.rest, _ = strings.Cut(r.rest, ";")
	return text
}

// message reads a message after its keyword, and what is in it.
func (r *schemaReader) message(around string) {
	m := &Message{Name: around + r.next(), Fields: make([]*Field, 0, 8)}
	r.Messages = append(r.Messages, m)
	r.next() // the brace
	oneof := ""
	for {
		switch word := r.next(); word {
		case "}":
			if oneof == "" {
				return
			}
			oneof = ""
		case "message":
			r.message(m.Name + ".")
		case "enum":
			r.enum(m.Name + ".")
		case "oneof":
			oneof = r.next()
			r.next()
		case "repeated":
			r.field(m, r.next(), Field{Repeated: true})
		case "map":
			r.next()
			entry := &Message{}
			r.add(entry, r.next(), Field{Name: "key", Number: 1})
			r.next()
			r.add(entry, r.next(), Field{Name: "value", Number: 2})
			r.next()
			r.field(m, "", Field{Repeated: true, Message: entry})
		default:
			r.field(m, word, Field{Oneof: oneof})
		}
	}
}

// field reads the name and the number of a field after its type.
func (r *schemaReader) field(m *Message, typeName string, f Field) {
	name, number, _ := strings.Cut(r.untilSemicolon(), "=")
	f.Name = strings.TrimSpace(name)
	f.Number, _ = strconv.Atoi(strings.TrimSpace(number))
	r.add(m, typeName, f)
}

// add adds a field to a message.
func (r *schemaReader) add(m *Message, typeName string, f Field) {
	f.typeName, f.Type, f.index = typeName, typeOf(typeName), uint16(len(r.fields))
	r.fields = append(r.fields, &f)
	m.Fields = append(m.Fields, &f)
	m.numbered[f.Number] = uint8(len(m.Fields))
}

// enum reads an enumeration after its keyword. Its values are in the order of their numbers.
func (r *schemaReader) enum(around string) {
	e := &Enum{Name: around + r.next()}
	r.Enums = append(r.Enums, e)
	r.next()
	for word := r.next(); word != "}"; word = r.next() {
		e.Values = append(e.Values, word)
		r.untilSemicolon()
	}
}
