package layouttest

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ONNXFields are the messages of onnx.proto of IR version 14, as published by onnx/onnx in August 2026, one on each
// line: its name, and of its fields the name, the number, the type, and whether repeated ones are written together.
//
//go:embed onnx.txt
var ONNXFields string

// An ONNXField is a field of a message.
type ONNXField struct {
	Name   string
	Number uint64
	Type   string
	Packed bool
}

// ONNXMessages are the fields of all messages, by their names.
func ONNXMessages() map[string][]ONNXField {
	messages := map[string][]ONNXField{}
	for line := range strings.Lines(ONNXFields) {
		name, list, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for text := range strings.SplitSeq(list, ", ") {
			words := strings.Fields(text)
			number, _ := strconv.ParseUint(words[1], 10, 64)
			messages[name] = append(messages[name], ONNXField{words[0], number, words[2], len(words) > 3})
		}
	}
	return messages
}

// ONNX encodes a model that is written in protobuf's text format: fields as "name: value" or "name { ... }", lists as
// [a, b], elements of raw_data also as a number of bytes, such as 24 bytes, which are 0.
func ONNX(text string) ([]byte, error) {
	e := encoder{messages: ONNXMessages(), text: text}
	model := e.message("ModelProto")
	if e.next(); e.word != "" {
		e.fail("unexpected %s", e.word)
	}
	return model, e.err
}

// An encoder reads the text format word by word.
type encoder struct {
	messages map[string][]ONNXField
	text     string
	word     string
	err      error
}

func (e *encoder) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf(format+" before %.40q", append(args, e.text)...)
	}
	e.text = ""
}

// next reads a word, a quoted text or a sign.
func (e *encoder) next() {
	e.text = strings.TrimLeft(e.text, " \t\r\n")
	n := strings.IndexAny(e.text, " \t\r\n{}[],:")
	switch {
	case strings.HasPrefix(e.text, `"`):
		quoted, err := strconv.QuotedPrefix(e.text)
		if err != nil {
			e.fail("%v", err)
		}
		n = len(quoted)
	case n < 0:
		n = len(e.text)
	case n == 0:
		n = 1
	}
	e.word, e.text = e.text[:n], e.text[n:]
}

// peek returns the character that comes next.
func (e *encoder) peek() string {
	e.text = strings.TrimLeft(e.text, " \t\r\n")
	return e.text[:min(len(e.text), 1)]
}

// message encodes fields up to a brace.
func (e *encoder) message(name string) (out []byte) {
	for e.err == nil && e.peek() != "" && e.peek() != "}" {
		e.next()
		field := ONNXField{}
		for _, f := range e.messages[name] {
			if f.Name == e.word {
				field = f
			}
		}
		if field.Name == "" {
			e.fail("%s has no field %s", name, e.word)
		}
		if e.peek() == ":" {
			e.next()
		}
		out = append(out, e.values(field)...)
	}
	return out
}

// values encodes the value of a field, or its list.
func (e *encoder) values(f ONNXField) (out []byte) {
	if e.peek() != "[" {
		v, wire := e.value(f)
		if f.Packed {
			wire = 2
			v = append(binary.AppendUvarint(nil, uint64(len(v))), v...)
		}
		return append(binary.AppendUvarint(nil, f.Number<<3|wire), v...)
	}
	e.next()
	var packed []byte
	for e.err == nil && e.peek() != "]" {
		v, wire := e.value(f)
		if f.Packed {
			packed = append(packed, v...)
		} else {
			out = append(append(out, binary.AppendUvarint(nil, f.Number<<3|wire)...), v...)
		}
		if e.peek() == "," {
			e.next()
		}
	}
	e.next()
	if f.Packed {
		out = append(binary.AppendUvarint(nil, f.Number<<3|2), binary.AppendUvarint(nil, uint64(len(packed)))...)
		out = append(out, packed...)
	}
	return out
}

// value encodes one value.
func (e *encoder) value(f ONNXField) (out []byte, wire uint64) {
	if _, ok := e.messages[f.Type]; ok {
		if e.next(); e.word != "{" {
			e.fail("expected { for %s", f.Name)
		}
		in := e.message(f.Type)
		e.next()
		return append(binary.AppendUvarint(nil, uint64(len(in))), in...), 2
	}
	e.next()
	switch f.Type {
	case "string", "bytes":
		text, err := strconv.Unquote(e.word)
		if n, notNumber := strconv.Atoi(e.word); notNumber == nil {
			text, err = strings.Repeat("\x00", n), nil
			e.next() // bytes
		}
		if err != nil {
			e.fail("%s is not a text", e.word)
		}
		return append(binary.AppendUvarint(nil, uint64(len(text))), text...), 2
	case "float", "double":
		n, err := strconv.ParseFloat(e.word, 64)
		if err != nil {
			e.fail("%v", err)
		}
		if f.Type == "float" {
			return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(n))), 5
		}
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(n)), 1
	}
	names := strings.Fields("UNDEFINED FLOAT UINT8 INT8 UINT16 INT16 INT32 INT64 STRING BOOL FLOAT16 DOUBLE UINT32 " +
		"UINT64 COMPLEX64 COMPLEX128 BFLOAT16 FLOAT8E4M3FN FLOAT8E4M3FNUZ FLOAT8E5M2 FLOAT8E5M2FNUZ UINT4 INT4 " +
		"FLOAT4E2M1 FLOAT8E8M0 UINT2 INT2")
	for i, name := range names {
		if e.word == name {
			return binary.AppendUvarint(nil, uint64(i)), 0
		}
	}
	if e.word == "EXTERNAL" {
		return []byte{1}, 0
	}
	n, err := strconv.ParseInt(e.word, 10, 64)
	if err != nil {
		e.fail("%v", err)
	}
	return binary.AppendUvarint(nil, uint64(n)), 0
}
