// Package protobuf reads protobuf messages, in the text format and in the wire format, using the schema in a .proto
// file.
//
// [ParseSchema] reads the schema. [ParseText] reads a message in the text format into a [Document], which has the
// positions of its values, and [Document.Judge] compares it with the schema. A [Cursor] goes through the fields of a
// message in a file. Protobuf's own library does not provide the positions of values, and would be a fifth of the
// program.
package protobuf

import (
	"math"
	"strconv"
	"strings"
	"sync"
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

// A Schema is the messages and enumerations of a .proto file in the order of the file.
type Schema struct {
	Messages []*Message
	Enums    []*Enum
}

// maxNumber is the greatest number of a field.
const maxNumber = 31

// A Message is a message type. Its fields are read when they are first needed.
type Message struct {
	Name string // includes the messages around it, as in TypeProto.Tensor; empty for an entry of a map

	schema   *Schema
	text     string // the lines after its name, starting with its fields
	once     sync.Once
	fields   []*Field
	numbered [maxNumber + 1]uint8 // the indices in fields by number, starting at 1
}

// An Enum is an enumeration.
type Enum struct {
	Name   string
	Values []string // the names by number; the numbers start at 0 without gaps
}

// A Field is a field of a message.
type Field struct {
	Name     string
	Number   int
	Type     Type
	Repeated bool   // also for a map, which is a list of messages with a key and a value
	Oneof    string // a message has at most one of the fields with this name
	Message  *Message
	Enum     *Enum

	wires uint8 // the possible wire types of its values, as bits
}

// Message returns the message with a name, or nil if the schema does not have it.
func (s *Schema) Message(name string) *Message {
	for _, m := range s.Messages {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// Enum returns the enumeration with a name, or nil if the schema does not have it.
func (s *Schema) Enum(name string) *Enum {
	for _, e := range s.Enums {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// Fields returns the fields of the message in order.
func (m *Message) Fields() []*Field {
	m.once.Do(m.read)
	return m.fields
}

// Field returns the field with a name, or nil if the message does not have it.
func (m *Message) Field(name string) *Field {
	for _, f := range m.Fields() {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// ParseSchema reads a .proto file that is part of the program, so it returns no errors. It supports messages,
// enumerations, maps and oneofs. The lines inside one of these must be indented by two more spaces. The fields of a
// message come before the types in it, and state the full name of these types, as in TypeProto.Tensor. The values of an
// enumeration are in the order of their numbers.
func ParseSchema(text string) *Schema {
	s := &Schema{}
	var around []*Message // the messages around a declaration, by depth
	for rest := text; ; {
		before, after, found := strings.Cut(rest, "{")
		if !found {
			return s
		}
		rest = after
		line := before[strings.LastIndexByte(before, '\n')+1:]
		declaration := strings.TrimLeft(line, " ")
		depth := (len(line) - len(declaration)) / 2
		keyword, name, _ := strings.Cut(strings.TrimSuffix(declaration, " "), " ")
		if depth > 0 && keyword != "oneof" {
			name = around[depth-1].Name + "." + name
		}
		body := strings.TrimPrefix(after, "\n")
		switch keyword {
		case "message":
			m := &Message{Name: name, schema: s, text: body}
			s.Messages = append(s.Messages, m)
			around = append(around[:depth], m)
		case "enum":
			e := &Enum{Name: name}
			for line := range strings.Lines(body) {
				value, _, isValue := strings.Cut(strings.TrimLeft(line, " "), " = ")
				if !isValue {
					break
				}
				e.Values = append(e.Values, value)
			}
			s.Enums = append(s.Enums, e)
		}
	}
}

// read reads the fields of the message.
func (m *Message) read() {
	oneof := ""
	for line := range strings.Lines(m.text) {
		declaration, number, isField := strings.Cut(strings.TrimSpace(line), " = ")
		keyword, name, _ := strings.Cut(strings.TrimSuffix(declaration, " {"), " ")
		switch {
		case isField:
			m.declare(declaration, strings.TrimSuffix(number, ";"), oneof)
		case keyword == "oneof":
			oneof = name
		case keyword != "}" || oneof == "":
			return
		default:
			oneof = ""
		}
	}
}

// declare adds the field of a declaration, such as "repeated int64 dims" or "map<string, string> tags".
func (m *Message) declare(declaration, number, oneof string) {
	space := strings.LastIndexByte(declaration, ' ')
	typeName, repeated := strings.CutPrefix(declaration[:space], "repeated ")
	f := &Field{Name: declaration[space+1:], Repeated: repeated, Oneof: oneof}
	if types, isMap := strings.CutPrefix(typeName, "map<"); isMap {
		f.Repeated, f.Message = true, &Message{schema: m.schema}
		key, value, _ := strings.Cut(strings.TrimSuffix(types, ">"), ", ")
		f.Message.add(&Field{Name: "key"}, key, "1")
		f.Message.add(&Field{Name: "value"}, value, "2")
	}
	m.add(f, typeName, number)
}

// add adds a field to the message.
func (m *Message) add(f *Field, typeName, number string) {
	if f.Type = typeOf(typeName); f.Type == MessageType && f.Message == nil {
		if f.Message = m.schema.Message(typeName); f.Message == nil {
			f.Type, f.Enum = EnumType, m.schema.Enum(typeName)
		}
	}
	f.wires = 1 << types[f.Type].wire
	if f.Repeated {
		f.wires |= 1 << delimited // several numbers may be packed into one value
	}
	f.Number, _ = strconv.Atoi(number)
	m.fields = append(m.fields, f)
	m.numbered[f.Number] = uint8(len(m.fields))
}
